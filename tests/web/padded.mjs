// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Makes a file as large as those that users complain about: an avatar with meshes and images added.

const VERTICES = 40000;
const pad4 = (size) => Math.ceil(size / 4) * 4;

function chunk(type, bytes, filler) {
  const made = Buffer.alloc(8 + pad4(bytes.length), filler);
  made.writeUInt32LE(pad4(bytes.length), 0);
  made.write(type, 4, 'latin1');
  made.set(bytes, 8);
  return made;
}

/** Returns the arrays of a skinned mesh, a grid behind the figure: [data, componentType, type, more members of the accessor]. */
function grid(joints) {
  const made = { POSITION: [new Float32Array(3 * VERTICES), 5126, 'VEC3', { min: [0, 1, Math.fround(-0.25)], max: [199 / 256, 1 + 199 / 256, -0.25] }],
    NORMAL: [new Float32Array(3 * VERTICES), 5126, 'VEC3'], TEXCOORD_0: [new Float32Array(2 * VERTICES), 5126, 'VEC2'],
    JOINTS_0: [new Uint16Array(4 * VERTICES), 5123, 'VEC4'], WEIGHTS_0: [new Float32Array(4 * VERTICES), 5126, 'VEC4'] };
  const indices = new Uint32Array(6 * 199 * 199);
  let next = 0;
  for (let i = 0; i < VERTICES; ++i) {
    const [x, y] = [i % 200, Math.floor(i / 200)];
    made.POSITION[0].set([x / 256, 1 + y / 256, -0.25], 3 * i);
    made.NORMAL[0].set([0, 0, -1], 3 * i);
    made.TEXCOORD_0[0].set([x / 200, y / 200], 2 * i);
    made.JOINTS_0[0].set([i % joints, (i + 1) % joints, (i + 2) % joints, (i + 3) % joints], 4 * i);
    made.WEIGHTS_0[0].set([0.5, 0.25, 0.125, 0.125], 4 * i);
    if (x < 199 && y < 199) {
      indices.set([i, i + 1, i + 200, i + 200, i + 1, i + 201], next);
      next += 6;
    }
  }
  return { attributes: made, indices: [indices, 5125, 'SCALAR'] };
}

/**
 * Returns the GLB with additional meshes of 3.2 MB each and pictures of `pictureBytes` each. A picture is noise after a PNG's
 * header of 4096 x 4096, or `given`, the bytes of a picture.
 */
export function padded(bytes, meshes, pictures, pictureBytes, given = null) {
  const input = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = input.readUInt32LE(12);
  const json = JSON.parse(input.toString('utf8', 20, 20 + size));
  const parts = [input.subarray(28 + size, 28 + size + json.buffers[0].byteLength)];
  let at = 0;
  const view = (data, more = {}) => {
    json.bufferViews.push({ buffer: 0, byteOffset: at, byteLength: data.byteLength, ...more });
    parts.push(Buffer.from(data.buffer, data.byteOffset, data.byteLength), Buffer.alloc(pad4(data.byteLength) - data.byteLength));
    at += pad4(data.byteLength);
    return json.bufferViews.length - 1;
  };
  at = pad4(parts[0].length);
  parts.push(Buffer.alloc(at - parts[0].length));
  const add = ([data, componentType, type, more = {}]) => {
    json.accessors.push({ bufferView: view(data, { target: type === 'SCALAR' ? 34963 : 34962 }), componentType, type, ...more,
      count: data.length / { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 }[type] });
    return json.accessors.length - 1;
  };
  for (const name of ['images', 'textures', 'materials']) json[name] ??= [];
  const picture = given ?? Buffer.alloc(pictureBytes);
  for (let i = 0, noise = 1; !given && i < pictureBytes; i += 4, noise = (Math.imul(noise, 1664525) + 1013904223) >>> 0) picture.writeUInt32LE(noise, i);
  for (let i = 0; i < pictures; ++i) {
    if (!given) picture.set([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 16, 0, 0, 0, 16, 0, 8, 6, 0, 0, 0]);
    json.images.push({ bufferView: view(picture), mimeType: 'image/png' });
    json.textures.push({ source: json.images.length - 1 });
    json.materials.push({ pbrMetallicRoughness: { baseColorTexture: { index: json.textures.length - 1 } } });
  }
  const { attributes, indices } = grid(json.skins[0].joints.length);
  for (let i = 0; i < meshes; ++i) {
    json.meshes.push({ primitives: [{ material: json.materials.length - 1 - (i % Math.max(pictures, 1)), indices: add(indices),
      attributes: Object.fromEntries(Object.entries(attributes).map(([name, array]) => [name, add(array)])) }] });
    json.nodes.push({ mesh: json.meshes.length - 1, skin: 0 });
    json.scenes[0].nodes.push(json.nodes.length - 1);
  }
  json.buffers[0].byteLength = at;
  const text = chunk('JSON', Buffer.from(JSON.stringify(json)), ' ');
  const body = chunk('BIN\0', Buffer.concat(parts), 0);
  const head = Buffer.from('glTF\x02\0\0\0\0\0\0\0', 'latin1');
  head.writeUInt32LE(12 + text.length + body.length, 8);
  return Buffer.concat([head, text, body]);
}
