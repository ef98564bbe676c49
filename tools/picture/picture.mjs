// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// node picture.mjs IN.vrm OUT.png [--camera LIST] [--size WxH] [--pose t|relaxed|wave|hello] [--expression NAME=W,...]
//     [--look-at x,y,z] [--time SECONDS] [--background #rrggbb|transparent] [--yaw DEGREES]
//
// Draws an avatar with three.js and @pixiv/three-vrm in headless Chromium, as an independent view of libvrm's files.
// LIST names views separated by commas, which are drawn side by side: front quarter face face-quarter side back
// back-quarter hands feet bust. CHROMIUM names the browser if it is not `chromium`.

import { writeFile } from 'node:fs/promises';
import { openPage } from './browser.mjs';

function parse(argv) {
  const options = { camera: 'front', size: '600x800', pose: 'relaxed', background: '#dfe4ee', time: '1.5' };
  const files = [];
  for (let i = 0; i < argv.length; ++i) {
    if (argv[i].startsWith('--')) options[argv[i].slice(2)] = argv[++i];
    else files.push(argv[i]);
  }
  if (files.length !== 2) {
    console.error('usage: node picture.mjs IN.vrm OUT.png [options]; see the head of this file');
    process.exit(2);
  }
  return { input: files[0], output: files[1], options };
}

const { input, output, options } = parse(process.argv.slice(2));
const { page, close } = await openPage('page.mjs', 'window.draw', () => input);
try {
  page.on('console', (message) => console.log(`page: ${message.text()}`));
  const data = await page.evaluate((o) => window.draw(o), options);
  await writeFile(output, Buffer.from(data.split(',')[1], 'base64'));
} finally {
  await close();
}
