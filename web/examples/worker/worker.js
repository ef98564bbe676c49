// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The avatar lives here. The page sends a buffer with what it wants of the next frame, and gets it back filled: two buffers go
// round, so that one is drawn while the other is computed. Nothing is shared, so the server needs no special headers.

let vrm = null;

async function load({ library, bytes }) {
  const { VRM } = await import(library); // import maps do not reach workers
  vrm = await VRM.load(bytes);
  const { palettes, meshNodes } = vrm.avatar;
  postMessage({ type: 'loaded', palette: vrm.palette.length, morphs: vrm.morphs.length, palettes, meshNodes,
    expressions: vrm.expressionManager.names });
}

function frame({ dt, buffer, expressions = {}, target }) {
  for (const [name, weight] of Object.entries(expressions)) vrm.expressionManager.setValue(name, weight);
  if (target !== undefined) vrm.lookAt.target = target;
  vrm.update(dt);
  const numbers = new Float32Array(buffer);
  numbers.set(vrm.palette, 0);
  numbers.set(vrm.morphs, vrm.palette.length);
  postMessage({ type: 'frame', buffer }, [buffer]);
}

onmessage = async ({ data }) => {
  try {
    if (data.type === 'load') await load(data);
    else frame(data);
  } catch ({ code, message, findings }) {
    postMessage({ type: 'error', code, message, findings });
  }
};
