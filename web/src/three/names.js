// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// VRM's words and the names that three-vrm uses for them.

const capital = (word) => word[0].toUpperCase() + word.slice(1);
const named = (words) => Object.fromEntries(words.map((word) => [capital(word), word]));

// Each bone with its parent, parents first.
const limb = (side, list) => list.map(([bone, parent]) => [side + bone, /^[a-z]/.test(parent) ? parent : side + parent]);
const finger = (name, parts) => parts.map((part, i) => [name + part, i ? name + parts[i - 1] : 'Hand']);
const arm = [['Shoulder', 'upperChest'], ['UpperArm', 'Shoulder'], ['LowerArm', 'UpperArm'], ['Hand', 'LowerArm'],
  ...finger('Thumb', ['Metacarpal', 'Proximal', 'Distal']),
  ...['Index', 'Middle', 'Ring', 'Little'].flatMap((name) => finger(name, ['Proximal', 'Intermediate', 'Distal']))];
const leg = [['UpperLeg', 'hips'], ['LowerLeg', 'UpperLeg'], ['Foot', 'LowerLeg'], ['Toes', 'Foot']];
const bones = [['hips', null], ['spine', 'hips'], ['chest', 'spine'], ['upperChest', 'chest'], ['neck', 'upperChest'],
  ['head', 'neck'], ['leftEye', 'head'], ['rightEye', 'head'], ['jaw', 'head'],
  ...limb('left', leg), ...limb('right', leg), ...limb('left', arm), ...limb('right', arm)];

export const VRMHumanBoneList = bones.map(([bone]) => bone);
export const VRMHumanBoneParentMap = Object.fromEntries(bones);
export const VRMHumanBoneName = named(VRMHumanBoneList);
export const VRMRequiredHumanBoneName = named(['hips', 'spine', 'head', 'leftUpperLeg', 'leftLowerLeg', 'leftFoot',
  'rightUpperLeg', 'rightLowerLeg', 'rightFoot', 'leftUpperArm', 'leftLowerArm', 'leftHand', 'rightUpperArm', 'rightLowerArm',
  'rightHand']);
export const VRMExpressionPresetName = named(['aa', 'ih', 'ou', 'ee', 'oh', 'blink', 'happy', 'angry', 'sad', 'relaxed',
  'lookUp', 'surprised', 'lookDown', 'lookLeft', 'lookRight', 'blinkLeft', 'blinkRight', 'neutral']);
export const VRMExpressionOverrideType = named(['none', 'block', 'blend']);
export const VRMExpressionMaterialColorType = named(['color', 'emissionColor', 'shadeColor', 'matcapColor', 'rimColor', 'outlineColor']);
export const VRMFirstPersonMeshAnnotationType = named(['auto', 'both', 'thirdPersonOnly', 'firstPersonOnly']);
export const VRMLookAtTypeName = named(['bone', 'expression']);
