// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compiled by `tsc --strict` and never run: a program for three-vrm, once with three-vrm's import and once with
// libvrm's.

import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { MToonMaterial, VRMExpressionPresetName, VRMHumanBoneName, VRMLoaderPlugin, VRMUtils } from '@pixiv/three-vrm';
import type { VRM, VRM0Meta, VRM1Meta, VRMPose } from '@pixiv/three-vrm';
import { createVRMAnimationClip, VRMAnimationLoaderPlugin, VRMLookAtQuaternionProxy } from '@pixiv/three-vrm-animation';
import type { VRMAnimation } from '@pixiv/three-vrm-animation';

export async function page(scene: THREE.Scene, camera: THREE.PerspectiveCamera, renderer: THREE.WebGLRenderer): Promise<void> {
  const helperRoot = new THREE.Group();
  const loader = new GLTFLoader();
  loader.register((parser) => new VRMLoaderPlugin(parser, { helperRoot, autoUpdateHumanBones: true }));
  loader.register((parser) => new VRMAnimationLoaderPlugin(parser));
  const gltf = await loader.loadAsync('avatar.vrm');
  const vrm: VRM = gltf.userData.vrm;
  VRMUtils.removeUnnecessaryVertices(gltf.scene);
  VRMUtils.combineSkeletons(gltf.scene);
  VRMUtils.combineMorphs(vrm);
  VRMUtils.rotateVRM0(vrm);
  scene.add(vrm.scene);

  const head = vrm.humanoid.getNormalizedBoneNode(VRMHumanBoneName.Head);
  head?.rotation.set(0, 0.1, 0);
  vrm.humanoid.getRawBoneNode('hips')?.getWorldPosition(new THREE.Vector3());
  const pose: VRMPose = vrm.humanoid.getNormalizedPose();
  vrm.humanoid.setNormalizedPose({ ...pose, leftUpperArm: { rotation: [0, 0, 0, 1] } });
  vrm.humanoid.resetNormalizedPose();
  vrm.humanoid.autoUpdateHumanBones = false;

  const { expressionManager, lookAt, firstPerson, springBoneManager, nodeConstraintManager, materials } = vrm;
  expressionManager?.setValue(VRMExpressionPresetName.Happy, 1);
  expressionManager?.setValue('my own', 0.5);
  const weight: number | null | undefined = expressionManager?.getValue('aa');
  const track: string | null | undefined = expressionManager?.getExpressionTrackName('blink');
  if (lookAt) {
    lookAt.target = camera;
    lookAt.autoUpdate = true;
    lookAt.yaw = 10;
    lookAt.lookAt(new THREE.Vector3());
    const proxy = new VRMLookAtQuaternionProxy(lookAt);
    vrm.scene.add(proxy);
  }
  firstPerson?.setup({ firstPersonOnlyLayer: 9, thirdPersonOnlyLayer: 10 });
  if (firstPerson) camera.layers.enable(firstPerson.firstPersonOnlyLayer);
  springBoneManager?.reset();
  springBoneManager?.joints.forEach((joint) => { joint.settings.stiffness = 2; });
  for (const { source, weight: share } of nodeConstraintManager?.constraints ?? []) console.log(source.name, share);
  for (const material of materials ?? []) if (material instanceof MToonMaterial) material.outlineWidthFactor = 0.01;
  const meta: VRM0Meta | VRM1Meta = vrm.meta;
  const name: string | undefined = meta.metaVersion === '1' ? meta.name : meta.title;

  const motion: VRMAnimation = (await loader.loadAsync('motion.vrma')).userData.vrmAnimations[0];
  const mixer = new THREE.AnimationMixer(vrm.scene);
  mixer.clipAction(createVRMAnimationClip(motion, vrm)).play();
  const clock = new THREE.Clock();
  const frame = (): void => {
    const delta = clock.getDelta();
    mixer.update(delta);
    vrm.update(delta);
    renderer.render(scene, camera);
  };
  renderer.setAnimationLoop(frame);
  console.log(weight, track, name);
  VRMUtils.deepDispose(vrm.scene);
}
