// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Runs in the page: draws with three-vrm, with given matrices and light, and measures the difference from another
// picture.

import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import * as MikkTSpace from 'three/addons/libs/mikktspace.module.js';
import { computeMikkTSpaceTangents } from 'three/addons/utils/BufferGeometryUtils.js';
import { measure } from './measure.mjs';
import { VRMLoaderPlugin, VRMUtils } from '@pixiv/three-vrm';

const size = 512;
let renderer;

function apply(gltf, options) {
  const { vrm } = gltf.userData;
  for (const [name, weight] of Object.entries(options.expressions ?? {})) vrm.expressionManager.setValue(name, weight);
  vrm?.update(0);
}

// Departures of three-vrm from the specification that can be reverted, so that everything else can be compared. Each is
// [three-vrm's shader code, code that follows the specification]. VRM 0.x has its own screen coordinates.
const departures = {
  vertexShader: [
    // The ratio is relative to the screen's height, which is 2 in clip space. Tangents, if there are any, are declared
    // here: three-vrm's fragment shader needs them, but its vertex shader does not pass them on.
    ['varying vec3 vNormal;\n', 'varying vec3 vNormal;\n#ifdef USE_TANGENT\nvarying vec3 vTangent, vBitangent;\n#endif\n'],
    ['vNormal = normalize( transformedNormal );\n', `vNormal = normalize( transformedNormal );
      #ifdef USE_TANGENT
        vTangent = normalize( transformedTangent );
        vBitangent = normalize( cross( vNormal, vTangent ) * tangent.w );
      #endif\n`],
    ['outlineOffset *= vViewPosition.z / projectionMatrix[ 1 ].y;', 'outlineOffset *= 2.0 * vViewPosition.z / projectionMatrix[ 1 ].y;'],
  ],
  fragmentShader: [
    ['0.5 + 0.5 * vec2( dot( x, normal ), -dot( y, normal ) )', '0.5 + 0.495 * vec2( dot( x, normal ), -dot( y, normal ) )'],
  ],
};

export function mend(material, options) {
  if (!material.isMToonMaterial) return;
  for (const [shader, changes] of Object.entries(departures)) {
    for (const [theirs, ours] of options.older ? [] : changes) {
      if (!material[shader].includes(theirs) && !material[shader].includes(ours)) throw new Error(`three-vrm has no "${theirs}" any more`);
      material[shader] = material[shader].replace(theirs, ours);
    }
  }
  if (options.noOutline && material.isOutline) material.visible = false;
  const data = material.uniforms.shadingShiftTexture?.value;
  if (data) { data.colorSpace = THREE.NoColorSpace; data.needsUpdate = true; }
  if (options.doubleSided && !material.isOutline) material.side = THREE.DoubleSide;
  material.update(options.time ?? 0); // also passes its own values to the shader
}

/** Adds tangents for normal maps if the file has none. three.js would use derivatives; the specification requires MikkTSpace. */
export function giveTangents(object) {
  const mapped = [object.material ?? []].flat().filter((m) => m.normalMap);
  if (mapped.length) object.geometry = computeMikkTSpaceTangents(object.geometry, MikkTSpace);
  for (const m of mapped) m.normalScale.y *= -1; // undoes the loader's negation for meshes without tangents
}

window.drawThree = async (options) => {
  const loader = new GLTFLoader();
  loader.register((parser) => new VRMLoaderPlugin(parser));
  const gltf = await loader.loadAsync(options.url);
  if (gltf.userData.vrm) VRMUtils.rotateVRM0(gltf.userData.vrm);
  const scene = new THREE.Scene();
  scene.add(gltf.scene);
  gltf.scene.traverse((o) => {
    o.frustumCulled = false;
    for (const m of [o.material ?? []].flat()) mend(m, options);
    giveTangents(o);
  });
  apply(gltf, options);
  const sun = new THREE.DirectionalLight(0xffffff, Math.PI * options.light);
  sun.position.fromArray(options.direction);
  scene.add(sun, new THREE.AmbientLight(0xffffff, Math.PI * options.ambient));
  renderer ??= new THREE.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
  if (options.environment) { // an environment that is the same in all directions
    const room = new THREE.Scene(), maker = new THREE.PMREMGenerator(renderer);
    room.background = new THREE.Color().setScalar(options.environment);
    scene.environment = maker.fromScene(room).texture;
  }
  renderer.setPixelRatio(1);
  renderer.setSize(size, size);
  renderer.toneMapping = THREE.NoToneMapping;
  renderer.setClearColor(new THREE.Color(options.background), 1);
  const camera = new THREE.PerspectiveCamera();
  camera.matrixAutoUpdate = false;
  camera.matrixWorldAutoUpdate = false;
  camera.matrixWorldInverse.fromArray(options.view);
  camera.matrixWorld.copy(camera.matrixWorldInverse).invert();
  camera.projectionMatrix.fromArray(options.projection);
  camera.projectionMatrixInverse.copy(camera.projectionMatrix).invert();
  if (options.firstPerson) {
    gltf.userData.vrm.firstPerson.setup();
    camera.layers.enable(gltf.userData.vrm.firstPerson.firstPersonOnlyLayer);
  }
  renderer.render(scene, camera);
  VRMUtils.deepDispose(gltf.scene);
  return renderer.domElement.toDataURL('image/png');
};

window.measure = measure;
