// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Writes motion files as text, for the assimp adapter. FBX as Mixamo writes it: a skeleton of limb nodes with
// pre-rotations and pivots in centimetres, and Euler curves at 30 frames a second; optionally a mesh bound to the
// skeleton.

const ticks = 46186158000n;

function curve(id, times, values) {
  const list = (name, items) => `\t\t${name}: *${items.length} {\n\t\t\ta: ${items.join(',')}\n\t\t}\n`;
  return `\tAnimationCurve: ${id}, "AnimCurve::", "" {\n\t\tDefault: 0\n\t\tKeyVer: 4008\n${list('KeyTime', times)}${
    list('KeyValueFloat', values.map((v) => v.toFixed(7)))}${list('KeyAttrFlags', [24836])}${list('KeyAttrDataFloat', [0, 0, 0, 0])}${
    list('KeyAttrRefCount', [times.length])}\t}\n`;
}

/** A mesh of one triangle, bound to the first joint. */
function skin(connections, joint) {
  const unit = '1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1';
  connections.push('C: "OO",900,0', 'C: "OO",901,900', 'C: "OO",902,901', 'C: "OO",903,902', `C: "OO",${joint},903`);
  return `\tModel: 900, "Model::Body", "Mesh" {\n\t\tVersion: 232\n\t}\n\tGeometry: 901, "Geometry::", "Mesh" {\n\t\tVertices: *9 {\n\t\t\ta: 0,0,0,1,0,0,0,1,0\n\t\t}\n`
    + `\t\tPolygonVertexIndex: *3 {\n\t\t\ta: 0,1,-3\n\t\t}\n\t\tGeometryVersion: 124\n\t}\n\tDeformer: 902, "Deformer::", "Skin" {\n\t\tVersion: 101\n\t\tLink_DeformAcuracy: 50\n\t}\n`
    + `\tDeformer: 903, "SubDeformer::", "Cluster" {\n\t\tVersion: 100\n\t\tIndexes: *3 {\n\t\t\ta: 0,1,2\n\t\t}\n\t\tWeights: *3 {\n\t\t\ta: 1,1,1\n\t\t}\n`
    + `\t\tTransform: *16 {\n\t\t\ta: ${unit}\n\t\t}\n\t\tTransformLink: *16 {\n\t\t\ta: ${unit}\n\t\t}\n\t}\n`;
}

/**
 * joints: name -> {parent, translation, rotation, preRotation, postRotation, rotationPivot, rotationOffset}, parents first.
 * frames: [{rotation: {name: degrees}, translation: {name: units}}]. start: the frame at which the take begins.
 */
export function writeFbx(joints, frames, { unit = 1, upAxis = 1, body = false, start = 0 } = {}) {
  const ids = Object.fromEntries(Object.keys(joints).map((name, i) => [name, 1000 + i]));
  const times = frames.map((_, f) => (BigInt(f) * ticks) / 30n);
  const connections = [];
  let objects = '';
  let next = 10000;
  for (const [name, joint] of Object.entries(joints)) {
    const property = (key, type, flags, value) => (value ? `\t\t\tP: "${key}", "${type}", "${flags[0]}", "${flags[1]}",${value.join(',')}\n` : '');
    objects += `\tModel: ${ids[name]}, "Model::${name}", "LimbNode" {\n\t\tVersion: 232\n\t\tProperties70:  {\n`
      + property('PreRotation', 'Vector3D', ['Vector', ''], joint.preRotation) + property('PostRotation', 'Vector3D', ['Vector', ''], joint.postRotation)
      + property('RotationPivot', 'Vector3D', ['Vector', ''], joint.rotationPivot) + property('RotationOffset', 'Vector3D', ['Vector', ''], joint.rotationOffset)
      + property('RotationActive', 'bool', ['', ''], [1]) + property('InheritType', 'enum', ['', ''], [1])
      + property('Lcl Translation', 'Lcl Translation', ['', 'A'], joint.translation) + property('Lcl Rotation', 'Lcl Rotation', ['', 'A'], joint.rotation)
      + '\t\t}\n\t\tShading: Y\n\t\tCulling: "CullingOff"\n\t}\n';
    connections.push(`C: "OO",${ids[name]},${joint.parent ? ids[joint.parent] : 0}`);
    for (const [letter, key, label] of [['R', 'rotation', 'Lcl Rotation'], ['T', 'translation', 'Lcl Translation']]) {
      if (!frames[0][key]?.[name]) continue;
      const node = next++;
      objects += `\tAnimationCurveNode: ${node}, "AnimCurveNode::${letter}", "" {\n\t\tProperties70:  {\n`
        + ['X', 'Y', 'Z'].map((axis, i) => `\t\t\tP: "d|${axis}", "Number", "", "A",${frames[0][key][name][i]}\n`).join('') + '\t\t}\n\t}\n';
      connections.push(`C: "OO",${node},5001`, `C: "OP",${node},${ids[name]}, "${label}"`);
      ['X', 'Y', 'Z'].forEach((axis, i) => {
        objects += curve(next, times, frames.map((frame) => frame[key][name][i]));
        connections.push(`C: "OP",${next++},${node}, "d|${axis}"`);
      });
    }
  }
  objects += body ? skin(connections, Object.values(ids)[0]) : '';
  const setting = (name, type, label, value) => `\t\tP: "${name}", "${type}", "${label}", "",${value}\n`;
  return `; FBX 7.4.0 project file\n; ----\n\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7400\n\tCreator: "made for a test"\n}\n`
    + `GlobalSettings:  {\n\tVersion: 1000\n\tProperties70:  {\n${setting('UpAxis', 'int', 'Integer', upAxis)}${setting('UpAxisSign', 'int', 'Integer', 1)}`
    + `${setting('FrontAxis', 'int', 'Integer', 2)}${setting('FrontAxisSign', 'int', 'Integer', 1)}${setting('CoordAxis', 'int', 'Integer', 0)}`
    + `${setting('CoordAxisSign', 'int', 'Integer', 1)}${setting('UnitScaleFactor', 'double', 'Number', unit)}${setting('TimeMode', 'enum', '', 6)}\t}\n}\n`
    + `Objects:  {\n${objects}\tAnimationStack: 5000, "AnimStack::mixamo.com", "" {\n\t\tProperties70:  {\n\t\t\tP: "LocalStart", "KTime", "Time", "",${times[start]}\n\t\t\tP: "LocalStop", "KTime", "Time", "",${times.at(-1)}\n\t\t}\n\t}\n`
    + `\tAnimationLayer: 5001, "AnimLayer::BaseLayer", "" {\n\t}\n}\nConnections:  {\n\t${['C: "OO",5001,5000', ...connections].join('\n\t')}\n}\n`;
}

/** Writes COLLADA from names, parents, and matrices (16 numbers by rows) at rest and for each frame. */
export function writeDae(parents, rest, frames) {
  const names = Object.keys(parents);
  const id = (name) => name.replace(/[^A-Za-z0-9]/g, '_');
  const nodes = (parent) => names.filter((name) => parents[name] === parent).map((name) => `<node id="${id(name)}" name="${name}" sid="${id(name)}" type="JOINT">`
    + `<matrix sid="transform">${rest[name].join(' ')}</matrix>${nodes(name)}</node>`).join('');
  const source = (key, values, stride, param, type) => `<source id="${key}"><float_array id="${key}-a" count="${values.length}">${values.join(' ')}</float_array>`
    + `<technique_common><accessor source="#${key}-a" count="${values.length / stride}" stride="${stride}"><param name="${param}" type="${type}"/></accessor></technique_common></source>`;
  const animations = names.map((name) => `<animation id="a-${id(name)}">${source(`i-${id(name)}`, frames.map((_, f) => f / 30), 1, 'TIME', 'float')}`
    + `${source(`o-${id(name)}`, frames.flatMap((frame) => frame[name]), 16, 'TRANSFORM', 'float4x4')}<source id="k-${id(name)}"><Name_array id="k-${id(name)}-a" count="${frames.length}">`
    + `${frames.map(() => 'LINEAR').join(' ')}</Name_array><technique_common><accessor source="#k-${id(name)}-a" count="${frames.length}" stride="1"><param name="INTERPOLATION" type="name"/>`
    + `</accessor></technique_common></source><sampler id="s-${id(name)}"><input semantic="INPUT" source="#i-${id(name)}"/><input semantic="OUTPUT" source="#o-${id(name)}"/>`
    + `<input semantic="INTERPOLATION" source="#k-${id(name)}"/></sampler><channel source="#s-${id(name)}" target="${id(name)}/transform"/></animation>`).join('');
  return `<?xml version="1.0" encoding="utf-8"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><unit name="centimeter" meter="0.01"/><up_axis>Y_UP</up_axis></asset>`
    + `<library_animations>${animations}</library_animations><library_visual_scenes><visual_scene id="scene">${nodes(null)}</visual_scene></library_visual_scenes>`
    + '<scene><instance_visual_scene url="#scene"/></scene></COLLADA>';
}
