// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// node picture.mjs IN.vrm OUT.png [--camera LIST] [--size WxH] [--pose t|relaxed|wave|hello] [--expression NAME=W,...]
//     [--look-at x,y,z] [--time SECONDS] [--background #rrggbb|transparent] [--yaw DEGREES]
//
// Draws an avatar with three and @pixiv/three-vrm in headless Chromium: an eye on libvrm's files from outside.
// LIST names views separated by commas, drawn side by side: front quarter face face-quarter side back back-quarter
// hands feet bust. CHROMIUM names the browser if it is not `chromium`.

import { createServer } from 'node:http';
import { readFile, writeFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import puppeteer from 'puppeteer-core';

const here = fileURLToPath(new URL('.', import.meta.url));

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

// A page cannot import modules from file:// addresses, so a server on this machine hands them out.
function serve(input) {
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript' };
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(request.url.split('?')[0]));
    try {
      const file = path === '/avatar' ? input : join(here, path);
      const bytes = await readFile(file);
      response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
      response.end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

const { input, output, options } = parse(process.argv.slice(2));
const server = await serve(input);
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
    '--force-color-profile=srgb', '--no-proxy-server', '--disable-background-networking', '--disable-component-update',
    '--disable-sync', '--no-first-run'],
});
try {
  const page = await browser.newPage();
  page.on('console', (message) => console.log(`page: ${message.text()}`));
  page.on('pageerror', (error) => console.log(`page: ${error}`));
  await page.goto(`http://127.0.0.1:${server.address().port}/page.html`);
  const data = await page.evaluate((o) => window.draw(o), options);
  await writeFile(output, Buffer.from(data.split(',')[1], 'base64'));
} finally {
  await browser.close();
  server.close();
}
