// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Vectors are arrays of 3 numbers, matrices arrays of 16 numbers by columns, as in WebGL.

export const add = (a, b, scale = 1) => [a[0] + scale * b[0], a[1] + scale * b[1], a[2] + scale * b[2]];
export const subtract = (a, b) => add(a, b, -1);
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const normalize = (a) => {
  const length = Math.hypot(...a);
  return length > 0 ? a.map((x) => x / length) : [0, 0, 0];
};

export function multiply(a, b) {
  const out = new Float64Array(16);
  for (let column = 0; column < 4; ++column) {
    for (let row = 0; row < 4; ++row) {
      let sum = 0;
      for (let k = 0; k < 4; ++k) sum += a[4 * k + row] * b[4 * column + k];
      out[4 * column + row] = sum;
    }
  }
  return out;
}

/** `fieldOfView`: vertical, degrees. */
export function perspective(fieldOfView, aspect, near, far) {
  const f = 1 / Math.tan(fieldOfView * Math.PI / 360);
  return Float64Array.of(f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, 2 * far * near / (near - far), 0);
}

export function look(eye, target) {
  const z = normalize(subtract(eye, target));
  const x = normalize(cross([0, 1, 0], z));
  const y = cross(z, x);
  return Float64Array.of(x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, -dot(x, eye), -dot(y, eye), -dot(z, eye), 1);
}

/** Returns a view matrix for positions relative to `origin`. */
export function from(view, origin) {
  const out = Float64Array.from(view);
  for (let row = 0; row < 3; ++row) out[12 + row] += view[row] * origin[0] + view[4 + row] * origin[1] + view[8 + row] * origin[2];
  return out;
}
