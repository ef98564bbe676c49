// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compiled by `tsc --strict` and never run. Uses every public name, as the README and the examples do.

import { cook, init, loadAvatar, loadClip, migrate, updateAll, validate, VRM, VRMError } from 'libvrm';
import type { Avatar, Clip, Finding, Geometry, Instance, Module, Source } from 'libvrm';
import * as inline from 'libvrm/inline';
import * as runtime from 'libvrm/runtime';
import { createMotion, init as initRagdoll, isLoop, motionNames, Ragdoll, ragdollDefinition } from 'libvrm/ragdoll';
import type { MotionName, RagdollInfo, RagdollOptions } from 'libvrm/ragdoll';
import { VRMWorker } from 'libvrm/worker';
import type { WorkerClip, WorkerVRM } from 'libvrm/worker';

export async function page(source: Source, motion: Blob, canvas: HTMLCanvasElement): Promise<void> {
  const module: Module = await init(new URL('https://example.org/vrm.wasm'));
  const whole: Instance = await inline.VRM.load(source);
  const vrm = await VRM.load(source, { module, keepDocument: true, prefer: '1.0', instance: { hostColliders: 2, springParameters: true } });
  vrm.humanoid.setNormalizedPose({ head: { rotation: [0, 0.38, 0, 0.92] }, hips: { position: [0, 0.1, 0] } });
  vrm.humanoid.setNormalizedRotation('leftUpperArm', { x: 0, y: 0, z: 0, w: 1 });
  const node: number | undefined = vrm.humanoid.humanBones.upperChest;
  vrm.expressionManager.setValue('happy', 0.8);
  vrm.expressionManager.setValue('my own', 0.8, 'tracker');
  const shown: number | null = vrm.expressionManager.getValue('aa');
  vrm.lookAt.target = [0, 1, 2];
  vrm.lookAt.target = { x: 0, y: 1, z: 2 };
  vrm.lookAt.target = new Float64Array([0, 1, 2]);
  vrm.humanoid.setHipsPosition(new Float32Array([0, 1, 0]));
  vrm.humanoid.setNormalizedRotation('head', new Float32Array([0, 0, 0, 1]));
  vrm.lookAt.yaw = 10;
  vrm.root = { translation: [0, 0, 1] };
  vrm.teleport({ translation: { x: 0, y: 0, z: 0 }, scale: 1 });
  vrm.springBoneManager.setWind([0.1, 0, 0]);
  vrm.springBoneManager.setJoint(0, { stiffness: 2 });
  vrm.springBoneManager.setCollider(0, { shape: 'plane', tail: [0, 1, 0] });
  const clip: Clip = await loadClip(motion, { module });
  vrm.clips.play(clip, { wrap: 'loop', seconds: 0.3 });
  vrm.update(1 / 60);
  vrm.updateWith({ dt: 1 / 60, springTime: 'reference' });
  const palette: Float32Array = vrm.palette;
  const bits: Uint32Array = vrm.nodeChanges;
  const { document } = vrm.avatar;
  if (document !== null) {
    const geometry: Geometry = document.geometry({ mesh: 0, primitive: 0, fourJoints: true });
    const positions = geometry.attribute('position');
    console.log(positions.length, geometry.indices().length, document.image(0).mimeType, document.json('/asset').version);
    document.firstPerson(vrm.avatar).map(({ ranges }) => ranges[0].part === 'both');
  }
  const other: Instance = vrm.avatar.createInstance();
  const copy: VRM = vrm.clone();
  updateAll([vrm, other], 1 / 60);
  const small: runtime.VRM = await runtime.VRM.load(cook(vrm.avatar));
  small.restore(small.snapshot());
  console.log(node, shown, palette.length, bits.length, canvas.width, small.status.includes('springReset'), vrm.meta.authors[0]);
  for (const owned of [clip, vrm, other, copy, small, whole]) owned.dispose();
}

export async function pushed(source: Source): Promise<RagdollInfo> {
  const module: Module = await initRagdoll();
  const vrm = await VRM.load(source, { module, keepDocument: true, instance: { ragdollBodies: 16 } });
  const names: MotionName[] = motionNames();
  vrm.clips.play(createMotion(vrm.avatar, names[1], { inPlace: true, speed: 1 }), { wrap: isLoop(module, names[1]) ? 'loop' : 'hold' });
  const options: RagdollOptions = { definition: ragdollDefinition(vrm.avatar, { detail: '16' }), fall: 'protective', params: { steps: false },
    solver: { gravity: [0, -9.8, 0] }, getUp: true };
  const ragdoll: Ragdoll = new Ragdoll(vrm, options);
  const met = ragdoll.touch([0, 1.2, 3], { x: 0, y: 0, z: -1 });
  if (met) ragdoll.hit(met.point, [0, 0, -60], met.bone);
  ragdoll.explode([0, 0, 1], 20, 3);
  ragdoll.hold('head', [0, 1.5, 0]);
  ragdoll.moveHand(new Float64Array([0, 1.5, 0.1]));
  ragdoll.letGo();
  ragdoll.ground = null;
  ragdoll.setParams({ recovery: 'manual' });
  ragdoll.setWeights({ muscle: 0.5 }, 'all', 0.2);
  for (const act of ['drop', 'recover', 'stop'] as const) ragdoll[act]();
  const { bones, states, lines, isGettingUp, held, info } = ragdoll;
  console.log(bones[0], states[0].linearVelocity[1], lines.length, isGettingUp, held);
  ragdoll.dispose();
  return info;
}

export async function report(source: Source): Promise<readonly Finding[]> {
  try {
    const avatar: Avatar = await loadAvatar(source, { strict: true });
    avatar.dispose();
    const { bytes } = await migrate(source, { turn: 'root' });
    return (await validate(bytes)).findings;
  } catch (error) {
    if (error instanceof VRMError && error.code === 'ERROR_NOT_GLTF') return error.findings;
    throw error;
  }
}

export async function inWorker(file: File, motion: Source): Promise<void> {
  const worker: VRMWorker = await VRMWorker.start({ wasm: 'https://example.org/vrm.wasm' });
  const vrm: WorkerVRM = await worker.load(file, { keepDocument: true, transfer: true, instance: { hostColliders: 1 } });
  const clip: WorkerClip = await worker.loadClip(motion);
  vrm.clips.play(clip, { wrap: 'loop' });
  vrm.root = { translation: [0, 0, 1] };
  vrm.lookAt.target = { x: 0, y: 1, z: 2 };
  vrm.expressionManager.setValue('happy', 1);
  vrm.springBoneManager.setWind([0.1, 0, 0]);
  const shown: number | null = vrm.expressionManager.getValue('happy');
  await vrm.update(1 / 60);
  const geometry = await vrm.avatar.document?.geometry({ mesh: 0, primitive: 0, attributes: ['position'] });
  const small: runtime.VRM = await runtime.VRM.load(await vrm.avatar.cook());
  const turn: number[] = await vrm.humanoid.getNormalizedRotation('head');
  console.log(shown, geometry?.attributes.position?.length, turn, vrm.palette.length, vrm.meta.name, small.palette.length);
  worker.terminate();
}
