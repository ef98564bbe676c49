// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Copies large files in slices, so that the page can respond between them.

const SLICE = 1 << 22;

/** Lets the page run its pending tasks. A timer would also do this, but in hidden pages timers run only once a second. */
export function pause() {
  const { port1, port2 } = new MessageChannel();
  return new Promise((done) => {
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(null);
  });
}

/** Copies bytes to the array that `into()` returns. It is called before each slice, since the memory may have grown. */
export async function copySlices(bytes, into) {
  for (let at = 0; at < bytes.length; at += SLICE) {
    into().set(bytes.subarray(at, at + SLICE), at);
    if (bytes.length > SLICE) await pause();
  }
}
