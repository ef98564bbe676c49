// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The interface between the page and its worker: the members of a VRM that the page may name, by part ('' is the VRM
// itself), and the layout of a frame in the buffers that are exchanged.

/** Methods that change a value. They wait for the next frame or question and return nothing. */
export const COMMANDS = {
  '': ['teleport', 'setLocal', 'setMorph', 'reset', 'clearStatus', 'restore'],
  humanoid: ['setNormalizedRotation', 'setHipsPosition', 'setNormalizedPose', 'resetNormalizedPose', 'setRawPose', 'resetRawPose'],
  expressionManager: ['setValue', 'resetValues', 'fadeEmotion', 'setBlink', 'blink', 'setVowels', 'setLoudness', 'clearLipSync'],
  lookAt: ['lookAt', 'reset'],
  springBoneManager: ['reset', 'settle', 'setParams', 'setWind', 'setJoint', 'setChainWeight', 'setCollider'],
  clips: ['play', 'stop', 'setLayer', 'setTime'],
};

/** Members that are set. */
export const SETTERS = { '': ['root'], lookAt: ['target', 'yaw', 'pitch'] };

/** Methods that return a value; on the page they return a promise of it. */
export const QUESTIONS = {
  '': ['getLocal', 'gltfLocals', 'snapshot'],
  humanoid: ['getNormalizedRotation', 'getNormalizedPose', 'getRawPose'],
  springBoneManager: ['getJoint', 'getTails'],
  clips: ['getTime', 'isFinished'],
};

/** Methods of a file's document that return a value; on the page they return a promise of it. */
export const DOCUMENT_QUESTIONS = ['count', 'json', 'mesh', 'texture', 'image', 'save'];

/** Members of an avatar that are sent to the page, once. */
export const DESCRIPTION = ['findings', 'counts', 'dialect', 'body', 'meta', 'nodes', 'humanBones', 'expressions', 'lookAt', 'constraints',
  'springChains', 'springJoints', 'colliders', 'materials', 'meshNodes', 'palettes', 'morphNames'];

/** Arrays of a frame, one after the other; those with bits come last. */
export const ARRAYS = ['world', 'palette', 'morphs', 'materials', 'expressionWeights', 'meshBoxes'];
export const CHANGES = ['nodeChanges', 'paletteChanges', 'morphChanges', 'materialChanges'];

/** Small values of a frame, which are sent beside the buffer. */
export const STATE = ['origin', 'box', 'viewpoint', 'gaze', 'status'];

/** Returns the buffers within a message, which are transferred instead of copied. */
export function buffersOf(value, found = new Set()) {
  if (ArrayBuffer.isView(value)) found.add(value.buffer);
  else if (value instanceof ArrayBuffer) found.add(value);
  else if (value && typeof value === 'object') for (const part of Object.values(value)) buffersOf(part, found);
  return found;
}
