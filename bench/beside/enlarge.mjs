// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

/** Returns a GLB with the meshes of another one `times` times. Every copy has its own bytes, accessors and node. */
export function enlarge(bytes, times) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const size = view.getUint32(12, true);
  const document = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + size)));
  const bin = bytes.subarray(28 + size, 28 + size + view.getUint32(20 + size, true));
  const [views, accessors, meshes, nodes] = ['bufferViews', 'accessors', 'meshes', 'nodes'].map((name) => [...document[name]]);
  for (let copy = 1; copy < times; ++copy) {
    const moved = (list) => structuredClone(list);
    for (const v of moved(views)) {
      document.bufferViews.push({ ...v, byteOffset: (v.byteOffset ?? 0) + copy * bin.length });
    }
    for (const a of moved(accessors)) {
      for (const part of [a, a.sparse?.indices, a.sparse?.values]) {
        if (part?.bufferView !== undefined) part.bufferView += copy * views.length;
      }
      document.accessors.push(a);
    }
    for (const mesh of moved(meshes)) {
      for (const primitive of mesh.primitives) {
        if (primitive.indices !== undefined) primitive.indices += copy * accessors.length;
        for (const attributes of [primitive.attributes, ...(primitive.targets ?? [])]) {
          for (const name in attributes) attributes[name] += copy * accessors.length;
        }
      }
      document.meshes.push(mesh);
    }
    for (const node of nodes.filter((n) => n.mesh !== undefined)) {
      document.scenes[0].nodes.push(document.nodes.length);
      document.nodes.push({ name: `${node.name} ${copy}`, mesh: node.mesh + copy * meshes.length, skin: node.skin });
    }
  }
  document.buffers[0].byteLength = bin.length * times;
  let json = new TextEncoder().encode(JSON.stringify(document));
  json = new Uint8Array([...json, ...Array(-json.length & 3).fill(0x20)]);
  const out = new Uint8Array(28 + json.length + bin.length * times);
  const head = new DataView(out.buffer);
  [0x46546c67, 2, out.length, json.length, 0x4e4f534a].forEach((word, i) => head.setUint32(4 * i, word, true));
  out.set(json, 20);
  head.setUint32(20 + json.length, bin.length * times, true);
  head.setUint32(24 + json.length, 0x004e4942, true);
  for (let copy = 0; copy < times; ++copy) out.set(bin, 28 + json.length + copy * bin.length);
  return out;
}
