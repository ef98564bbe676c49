// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Headless Chromium with this folder as a website. All programs here use it to draw with three-vrm.

import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

export const here = fileURLToPath(new URL('.', import.meta.url));
const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';

// False if the browser or the npm packages are missing.
export const available = existsSync(chromium) && existsSync(join(here, 'node_modules/puppeteer-core'));

// A page cannot import modules from file:// addresses, so a local server provides them. `avatar(index)` returns the
// path of the file for /avatar/INDEX.
function serve(avatar) {
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript' };
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(request.url.split('?')[0]));
    const index = path.match(/^\/avatar\/(\d+)$/);
    try {
      const bytes = await readFile(index ? avatar(Number(index[1])) : join(here, path));
      response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' });
      response.end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}

// The system's own driver through ANGLE, which vrm-render also uses, and the browser's software driver.
const drivers = {
  system: ['--use-angle=gl-egl', '--ignore-gpu-blocklist', '--ozone-platform=headless'],
  swiftshader: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
};

// Launches a browser without a window, with one of the drivers.
export async function launch(driver, more = []) {
  const { default: puppeteer } = await import('puppeteer-core');
  return puppeteer.launch({
    executablePath: chromium,
    args: ['--headless', '--no-sandbox', '--use-gl=angle', ...drivers[driver], '--force-color-profile=srgb', '--no-proxy-server',
      '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run', ...more],
  });
}

// Opens the page that runs `module`, and waits for its globals `ready`. Returns { page, gpu, system, close }: `gpu` is
// the driver's name, `system` is true for the system's driver.
export async function openPage(module, ready, avatar) {
  const server = await serve(avatar);
  for (const name of Object.keys(drivers)) {
    const browser = await launch(name);
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.log(`page: ${error}`));
    await page.goto(`http://127.0.0.1:${server.address().port}/page.html?${module}`);
    await page.waitForFunction(ready);
    const gpu = await page.evaluate(() => {
      const gl = document.createElement('canvas').getContext('webgl2');
      const info = gl?.getExtension('WEBGL_debug_renderer_info');
      return gl && gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
    });
    if (gpu) {
      return { page, gpu, system: name === 'system', close: async () => { await browser.close(); server.close(); } };
    }
    await browser.close();
  }
  server.close();
  throw new Error('Chromium has no WebGL 2');
}
