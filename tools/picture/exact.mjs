// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// In the page: draws with three-vrm by given matrices and light, and measures how far another picture is from it.

import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import * as MikkTSpace from 'three/addons/libs/mikktspace.module.js';
import { computeMikkTSpaceTangents } from 'three/addons/utils/BufferGeometryUtils.js';
import { VRMLoaderPlugin, VRMUtils } from '@pixiv/three-vrm';

const size = 512;
let renderer;

function apply(gltf, options) {
  const { vrm } = gltf.userData;
  for (const [name, weight] of Object.entries(options.expressions ?? {})) vrm.expressionManager.setValue(name, weight);
  vrm?.update(0);
}

// Departures from the specification that can be taken back, so that the rest can be compared: [what three-vrm says,
// what the specification says]. VRM 0.x has screen coordinates of its own.
const departures = {
  vertexShader: [
    // A ratio of the screen's height, which is 2 in clip space.
    // Tangents, where there are some: three-vrm's fragments ask for them, its vertices do not hand them on.
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

function mend(material, options) {
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
  material.update(options.time ?? 0); // also hands its own values to the shader
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
    const mapped = [o.material ?? []].flat().filter((m) => m.normalMap);
    if (mapped.length) o.geometry = computeMikkTSpaceTangents(o.geometry, MikkTSpace);
    for (const m of mapped) m.normalScale.y *= -1; // the loader turned it over for want of tangents
  });
  apply(gltf, options);
  const sun = new THREE.DirectionalLight(0xffffff, Math.PI * options.light);
  sun.position.fromArray(options.direction);
  scene.add(sun, new THREE.AmbientLight(0xffffff, Math.PI * options.ambient));
  renderer ??= new THREE.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
  if (options.environment) { // the same from everywhere
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

async function pixels(url) {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = new OffscreenCanvas(size, size);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, size, size).data;
}

const luma = (p) => Float64Array.from({ length: size * size }, (_, i) => 0.299 * p[4 * i] + 0.587 * p[4 * i + 1] + 0.114 * p[4 * i + 2]);

// 11 x 11 gaussian, sigma 1.5, separable.
function blur(x) {
  const weights = Array.from({ length: 11 }, (_, i) => Math.exp(-((i - 5) ** 2) / 4.5));
  const sum = weights.reduce((a, b) => a + b);
  const pass = (from, dx, dy) => {
    const to = new Float64Array(size * size);
    for (let y = 0; y < size; ++y) {
      for (let i = 0; i < size; ++i) {
        let v = 0;
        for (let k = 0; k < 11; ++k) {
          const px = Math.min(size - 1, Math.max(0, i + (k - 5) * dx)), py = Math.min(size - 1, Math.max(0, y + (k - 5) * dy));
          v += weights[k] / sum * from[py * size + px];
        }
        to[y * size + i] = v;
      }
    }
    return to;
  };
  return pass(pass(x, 1, 0), 0, 1);
}

window.measure = async (a, b, background) => {
  const p = await pixels(a), q = await pixels(b);
  const back = [1, 3, 5].map((i) => parseInt(background.slice(i, i + 2), 16));
  const isFigure = (d, i) => Math.max(...back.map((c, k) => Math.abs(d[4 * i + k] - c))) > 8;
  const x = luma(p), y = luma(q), product = (u, v) => u.map((c, i) => c * v[i]);
  const mx = blur(x), my = blur(y), xx = blur(product(x, x)), yy = blur(product(y, y)), xy = blur(product(x, y));
  let both = 0, either = 0, ssim = 0, off = 0, difference = 0, mean = 0, worst = 0;
  for (let i = 0; i < size * size; ++i) {
    const f = isFigure(p, i), g = isFigure(q, i);
    both += f && g;
    if (!f && !g) continue;
    ++either;
    const vx = xx[i] - mx[i] ** 2, vy = yy[i] - my[i] ** 2, c = xy[i] - mx[i] * my[i], c1 = 6.5025, c2 = 58.5225;
    ssim += (2 * mx[i] * my[i] + c1) * (2 * c + c2) / ((mx[i] ** 2 + my[i] ** 2 + c1) * (vx + vy + c2));
    const d = Math.max(...[0, 1, 2].map((k) => Math.abs(p[4 * i + k] - q[4 * i + k])));
    off += d > 32;
    worst = Math.max(worst, d);
    difference += Math.abs(y[i] - x[i]);
    mean += y[i] - x[i];
  }
  return { figure: either, ssim: ssim / either, union: both / either, off: off / either, difference: difference / either, light: mean / either, worst };
};
