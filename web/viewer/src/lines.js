// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Lines that show spring bones and their colliders, relative to the instance's origin.

const HAIR = [0.1, 0.75, 0.2, 1];
const COLLIDER = [0.95, 0.45, 0.05, 1];
const SEGMENTS = 24;

const place = (world, node, [x, y, z]) => [0, 4, 8].map((row) => {
  const at = 12 * node + row;
  return world[at] * x + world[at + 1] * y + world[at + 2] * z + world[at + 3];
});

// Returns a node's scale of lengths: that of its largest axis, as the specification defines.
const scaleOf = (world, node) => Math.max(...[0, 1, 2].map((column) =>
  Math.hypot(world[12 * node + column], world[12 * node + 4 + column], world[12 * node + 8 + column])));

function circle(out, centre, radius, color) {
  for (const [a, b] of [[0, 1], [1, 2], [0, 2]]) {
    for (let i = 0; i < SEGMENTS; ++i) {
      for (const step of [i, i + 1]) {
        const angle = 2 * Math.PI * step / SEGMENTS;
        const point = [...centre];
        point[a] += radius * Math.cos(angle);
        point[b] += radius * Math.sin(angle);
        out.push(...point, ...color);
      }
    }
  }
}

export function springLines(vrm) {
  const { world, avatar } = vrm;
  const out = [];
  for (const { node, tail } of avatar.springJoints) {
    out.push(...place(world, node, [0, 0, 0]), ...HAIR, ...place(world, node, tail), ...HAIR);
  }
  for (const { shape, node, offset, tail, radius } of avatar.colliders) {
    const scaled = radius * scaleOf(world, node);
    const first = place(world, node, offset);
    circle(out, first, scaled, COLLIDER);
    if (shape.startsWith('capsule')) {
      const last = place(world, node, tail);
      circle(out, last, scaled, COLLIDER);
      out.push(...first, ...COLLIDER, ...last, ...COLLIDER);
    }
  }
  return Float32Array.from(out);
}
