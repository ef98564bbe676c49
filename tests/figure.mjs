// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// A skeleton for made motion files, with the names that several tools give its joints, and how far an avatar's limbs are from its.

// bone: [parent, T-pose offset in metres]; spine1 is between spine and chest and no bone of the avatar's.
export const skeleton = { hips: [null, [0, 0, 0]], spine: ['hips', [0, 0.1, 0]], chest: ['spine', [0, 0.15, 0]],
  neck: ['chest', [0, 0.25, 0]], head: ['neck', [0, 0.1, 0]] };
for (const [side, x] of [['left', 1], ['right', -1]]) {
  Object.assign(skeleton, { [`${side}Shoulder`]: ['chest', [0.05 * x, 0.2, 0]],
    [`${side}UpperArm`]: [`${side}Shoulder`, [0.12 * x, 0, 0]], [`${side}LowerArm`]: [`${side}UpperArm`, [0.28 * x, 0, 0]],
    [`${side}Hand`]: [`${side}LowerArm`, [0.25 * x, 0, 0]], [`${side}UpperLeg`]: ['hips', [0.1 * x, -0.05, 0]],
    [`${side}LowerLeg`]: [`${side}UpperLeg`, [0, -0.42, 0]], [`${side}Foot`]: [`${side}LowerLeg`, [0, -0.43, 0]] });
}
const limbs = ['left', 'right'].flatMap((side) => [[`${side}UpperArm`, `${side}LowerArm`], [`${side}LowerArm`, `${side}Hand`],
  [`${side}UpperLeg`, `${side}LowerLeg`], [`${side}LowerLeg`, `${side}Foot`]]);

const capital = (side) => side[0].toUpperCase() + side.slice(1);
const sided = (pattern) => Object.fromEntries(['left', 'right'].flatMap((side) =>
  Object.entries(pattern).map(([bone, name]) => [side + bone, name(side)])));
export const namings = {
  mixamo: { hips: 'mixamorig:Hips', spine: 'mixamorig:Spine', chest: 'mixamorig:Spine1', neck: 'mixamorig:Neck', head: 'mixamorig:Head',
    ...sided({ Shoulder: (s) => `mixamorig:${capital(s)}Shoulder`, UpperArm: (s) => `mixamorig:${capital(s)}Arm`,
      LowerArm: (s) => `mixamorig:${capital(s)}ForeArm`, Hand: (s) => `mixamorig:${capital(s)}Hand`,
      UpperLeg: (s) => `mixamorig:${capital(s)}UpLeg`, LowerLeg: (s) => `mixamorig:${capital(s)}Leg`, Foot: (s) => `mixamorig:${capital(s)}Foot` }) },
  cmu: { hips: 'Hips', spine: 'LowerBack', chest: 'Spine', neck: 'Neck', head: 'Head',
    ...sided({ Shoulder: (s) => `${capital(s)}Shoulder`, UpperArm: (s) => `${capital(s)}Arm`, LowerArm: (s) => `${capital(s)}ForeArm`,
      Hand: (s) => `${capital(s)}Hand`, UpperLeg: (s) => `${capital(s)}UpLeg`, LowerLeg: (s) => `${capital(s)}Leg`, Foot: (s) => `${capital(s)}Foot` }) },
  xsens: { hips: 'Hips', spine: 'Chest', chest: 'Chest2', neck: 'Neck', head: 'Head',
    ...sided({ Shoulder: (s) => `${capital(s)}Collar`, UpperArm: (s) => `${capital(s)}Shoulder`, LowerArm: (s) => `${capital(s)}Elbow`,
      Hand: (s) => `${capital(s)}Wrist`, UpperLeg: (s) => `${capital(s)}Hip`, LowerLeg: (s) => `${capital(s)}Knee`, Foot: (s) => `${capital(s)}Ankle` }) },
  rokoko: { hips: 'Hips', spine: 'Spine', chest: 'Spine2', neck: 'Neck', head: 'Head',
    ...sided({ Shoulder: (s) => `${capital(s)}Shoulder`, UpperArm: (s) => `${capital(s)}Arm`, LowerArm: (s) => `${capital(s)}ForeArm`,
      Hand: (s) => `${capital(s)}Hand`, UpperLeg: (s) => `${capital(s)}Thigh`, LowerLeg: (s) => `${capital(s)}Shin`, Foot: (s) => `${capital(s)}Foot` }) },
  short: { hips: 'pelvis', spine: 'abdomen', chest: 'thorax', neck: 'neck', head: 'head',
    ...sided({ Shoulder: (s) => `clavicle.${capital(s)[0]}`, UpperArm: (s) => `upper_arm.${capital(s)[0]}`, LowerArm: (s) => `forearm.${capital(s)[0]}`,
      Hand: (s) => `hand.${capital(s)[0]}`, UpperLeg: (s) => `thigh.${capital(s)[0]}`, LowerLeg: (s) => `shin.${capital(s)[0]}`, Foot: (s) => `foot.${capital(s)[0]}` }) },
};

/** Names that say nothing. */
namings.nameless = Object.fromEntries(Object.keys(skeleton).map((bone, i) => [bone, `joint${(i * 7) % Object.keys(skeleton).length}`]));

/** [degrees, where]: the limb whose direction differs most between a trace and joint positions by name, frame by frame. */
export function worstLimb(trace, frames, nameOf, turn = (v) => v) {
  let worst = [0, ''];
  const difference = (a, b) => b.map((v, i) => v - a[i]);
  frames.forEach((positions, f) => {
    for (const [upper, lower] of limbs) {
      const place = (bone) => [0, 1, 2].map((i) => trace.frames[f].nodes.w[16 * trace.humanBones[bone] + 12 + i]);
      const a = difference(place(upper), place(lower));
      const b = turn(difference(positions[nameOf(upper)], positions[nameOf(lower)]));
      const cosine = a.reduce((sum, v, i) => sum + v * b[i], 0) / Math.hypot(...a) / Math.hypot(...b);
      const angle = Math.acos(Math.min(1, cosine)) * 180 / Math.PI;
      if (!(angle <= worst[0])) worst = [angle, `frame ${f} ${upper}`];
    }
  });
  return worst;
}
