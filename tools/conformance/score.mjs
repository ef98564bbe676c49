// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The suite's formulas for the similarity of two pictures, two chains of joints or two poses, and for passing a test.

/** Returns the similarity in YUV of BT.601: the mean of min(SSIM of Y in windows of 8 x 8, sqrt(u^2 + v^2)). */
export function pictureScore(a, b) {
  if (a.width !== b.width || a.height !== b.height) throw new Error('pictures of different sizes');
  const { width, height } = a;
  const plane = (image) => {
    const out = [new Float64Array(width * height), new Float64Array(width * height), new Float64Array(width * height)];
    for (let i = 0; i < width * height; ++i) {
      const [r, g, bl] = [image.pixels[4 * i], image.pixels[4 * i + 1], image.pixels[4 * i + 2]];
      out[0][i] = 0.299 * r + 0.587 * g + 0.114 * bl;
      out[1][i] = -0.168736 * r - 0.331264 * g + 0.5 * bl + 128;
      out[2][i] = 0.5 * r - 0.418688 * g - 0.081312 * bl + 128;
    }
    return out;
  };
  const [p, q] = [plane(a), plane(b)];
  const [c1, c2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2];
  let sum = 0;
  for (let y0 = 0; y0 < height; y0 += 8) {
    for (let x0 = 0; x0 < width; x0 += 8) {
      const [x1, y1] = [Math.min(width, x0 + 8), Math.min(height, y0 + 8)];
      const n = (x1 - x0) * (y1 - y0);
      let [ma, mb, saa, sbb, sab] = [0, 0, 0, 0, 0];
      for (let y = y0; y < y1; ++y) for (let x = x0; x < x1; ++x) { ma += p[0][y * width + x]; mb += q[0][y * width + x]; }
      ma /= n;
      mb /= n;
      for (let y = y0; y < y1; ++y) {
        for (let x = x0; x < x1; ++x) {
          const [da, db] = [p[0][y * width + x] - ma, q[0][y * width + x] - mb];
          saa += da * da;
          sbb += db * db;
          sab += da * db;
        }
      }
      const ssim = ((2 * ma * mb + c1) * ((2 * sab) / n + c2)) / ((ma * ma + mb * mb + c1) * ((saa + sbb) / n + c2));
      for (let y = y0; y < y1; ++y) {
        for (let x = x0; x < x1; ++x) {
          const i = y * width + x;
          const [u, v] = [1 - Math.abs(p[1][i] - q[1][i]) / 255, 1 - Math.abs(p[2][i] - q[2][i]) / 255];
          sum += Math.min(ssim, Math.min(1, Math.hypot(u, v)));
        }
      }
    }
  }
  return sum / (width * height);
}

/** Returns the fraction of the most frequent colour. A picture with at least 0.995 is blank. */
export function blankness(image) {
  const seen = new Map();
  for (let i = 0; i < image.pixels.length; i += 4) {
    const key = image.pixels.readUInt32BE(i);
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  return Math.max(...seen.values()) / (image.pixels.length / 4);
}

const distance = (a, b) => Math.hypot(...a.map((c, k) => c - b[k]));

/** Scores the first spring: the largest distance and the sum of distances, millimetres. */
export function positionScore(ours, theirs, swings) {
  const [a, b] = [ours[0]?.joint_positions ?? [], theirs[0]?.joint_positions ?? []];
  const all = a.map((joint, j) => (b[j] ? 1000 * distance(joint, b[j]) : Infinity));
  const [max, sum] = [Math.max(0, ...all), all.reduce((x, y) => x + y, 0)];
  return { max, sum, pass: a.length === b.length && a.length > 0 && max <= (swings ? 10 : 5) && sum <= (swings ? 40 : 20) };
}

const angle = (a, b) => 2 * Math.acos(Math.min(1, Math.abs(a.reduce((sum, c, k) => sum + c * b[k], 0))));

/**
 * Scores poses of the form {bones: {name: quat}, hips, weights: {name: w}, yaw, pitch, offset}. Members that one side
 * lacks are ignored.
 */
export function poseScore(ours, theirs) {
  const both = (key) => Object.keys(theirs[key] ?? {}).filter((name) => ours[key]?.[name] !== undefined);
  const bone = Math.max(0, ...both('bones').map((name) => angle(ours.bones[name], theirs.bones[name])));
  const hips = theirs.hips ? distance(ours.hips, theirs.hips) : 0;
  const weight = Math.max(0, ...both('weights').map((name) => Math.abs(ours.weights[name] - theirs.weights[name])));
  const gaze = theirs.yaw === undefined ? 0 : Math.max(Math.abs(ours.yaw - theirs.yaw), Math.abs(ours.pitch - theirs.pitch));
  return { bone, hips, weight, gaze, pass: bone <= 0.01 && hips <= 0.005 && weight <= 0.005 && gaze <= 1 };
}

/** Returns the depth of the deepest joint inside a collider, metres. 2 mm are allowed. */
export function penetration(frames, colliders) {
  const depth = (joint, c) => {
    if (c.type === 'sphere') return c.radius - distance(joint, c.center);
    const way = c.b.map((v, k) => v - c.a[k]);
    const length = way.reduce((sum, v) => sum + v * v, 0);
    const t = Math.min(1, Math.max(0, way.reduce((sum, v, k) => sum + v * (joint[k] - c.a[k]), 0) / (length || 1)));
    return c.radius - distance(joint, c.a.map((v, k) => v + t * way[k]));
  };
  const worst = Math.max(0, ...frames.flatMap((springs) => springs.flatMap((s) => s.joint_positions.flatMap(
    (joint) => colliders.map((c) => depth(joint, c))))));
  return { depth: worst, pass: worst <= 0.002 };
}
