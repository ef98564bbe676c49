// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Plays a VRM animation with three-vrm-animation, frame by frame. Returns raw bones, hips, expressions and gaze.

import * as THREE from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { VRMAnimationLoaderPlugin, VRMLookAtQuaternionProxy, createVRMAnimationClip } from '@pixiv/three-vrm-animation';
import { VRMHumanBoneParentMap } from '@pixiv/three-vrm';
import { loadThree, readModel } from './three_trace.mjs';

/** Returns the nodes that a constraint drives. A clip does not move them. */
function drivenNodes(json) {
  return new Set((json.nodes ?? []).flatMap((node, i) => (node.extensions?.VRMC_node_constraint ? [i] : [])));
}

export async function clipFrames(avatarPath, clipPath, times) {
  const { warn } = console;
  console.warn = () => {};
  try {
    const model = await loadThree(avatarPath, 'normalized');
    const { vrm } = model;
    const loader = new GLTFLoader();
    loader.register((parser) => new VRMAnimationLoaderPlugin(parser));
    const animation = (await loader.parseAsync(readModel(clipPath), '')).userData.vrmAnimations[0];
    if (vrm.lookAt) {
      const proxy = new VRMLookAtQuaternionProxy(vrm.lookAt);
      proxy.name = 'lookAtQuaternionProxy';
      vrm.scene.add(proxy);
      vrm.lookAt.autoUpdate = false;
    }
    const mixer = new THREE.AnimationMixer(vrm.scene);
    const action = mixer.clipAction(createVRMAnimationClip(animation, vrm));
    action.setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true;
    action.play();
    const driven = drivenNodes(model.json);
    const moved = [...animation.humanoidTracks.rotation.keys()].filter((bone) => {
      const node = vrm.humanoid.getRawBoneNode(bone);
      return node && !driven.has(model.nodes.indexOf(node));
    });
    // Bones whose parent bone is missing in the avatar. libvrm adds the missing bone's rotation to them; three-vrm
    // ignores it.
    const folds = moved.filter((bone) => {
      const above = VRMHumanBoneParentMap[bone];
      return above && !vrm.humanoid.getRawBoneNode(above) && animation.humanoidTracks.rotation.has(above);
    });
    const names = [...animation.expressionTracks.preset.keys(), ...animation.expressionTracks.custom.keys()]
      .filter((name) => vrm.expressionManager?.getExpression(name));
    const frames = times.map((time) => {
      action.reset().play();
      mixer.setTime(time);
      vrm.humanoid.update();
      return {
        bones: Object.fromEntries(moved.map((bone) => [bone, vrm.humanoid.getRawBoneNode(bone).quaternion.toArray()])),
        hips: vrm.humanoid.getRawBoneNode('hips').position.toArray(),
        expressions: Object.fromEntries(names.map((name) => [name, vrm.expressionManager.getValue(name)])),
        gaze: animation.lookAtTrack && vrm.lookAt ? [vrm.lookAt.yaw, vrm.lookAt.pitch] : null,
      };
    });
    return { frames, moved: moved.length, folds };
  } finally {
    console.warn = warn;
  }
}
