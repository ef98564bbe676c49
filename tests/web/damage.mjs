// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Damages copies of a file; the same seed gives the same copies.

function random(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * below);
  };
}

/** Damages a copy: overwrites bytes, changes digits of the JSON, cuts off the end, doubles pieces. */
export function* damaged(bytes, count, seed = 1) {
  const next = random(seed);
  const text = 20 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true);
  for (let i = 0; i < count; ++i) {
    let made = Uint8Array.from(bytes);
    const kind = i % 5;
    if (kind === 0) {
      for (let k = 0; k < 8; ++k) made[next(made.length)] = next(256);
    } else if (kind === 1) {
      made = made.slice(0, next(made.length));
    } else if (kind === 2 || kind === 3) {
      for (let k = 0; k < (kind === 2 ? 1 : 6); ++k) {
        let at = 20 + next(text - 20);
        while (at < text && !(made[at] >= 48 && made[at] <= 57)) ++at;
        if (at < text) made[at] = 48 + next(10);
      }
    } else {
      const from = next(text);
      made.set(bytes.subarray(from, from + next(64)), 20 + next(text - 120));
    }
    yield made;
  }
}
