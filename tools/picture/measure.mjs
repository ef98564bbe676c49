// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Measures the difference of two pictures, in a page: SSIM, differences and overlap, over the pixels that are not
// background in at least one picture. Pictures are data URLs.

async function pixels(url) {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, image.width, image.height);
}

const luma = (p) => Float64Array.from({ length: p.length / 4 }, (_, i) => 0.299 * p[4 * i] + 0.587 * p[4 * i + 1] + 0.114 * p[4 * i + 2]);

// A separable Gaussian of 11 x 11, sigma 1.5.
function blur(x, width, height) {
  const weights = Array.from({ length: 11 }, (_, i) => Math.exp(-((i - 5) ** 2) / 4.5));
  const sum = weights.reduce((a, b) => a + b);
  const pass = (from, dx, dy) => {
    const to = new Float64Array(width * height);
    for (let y = 0; y < height; ++y) {
      for (let i = 0; i < width; ++i) {
        let v = 0;
        for (let k = 0; k < 11; ++k) {
          const px = Math.min(width - 1, Math.max(0, i + (k - 5) * dx)), py = Math.min(height - 1, Math.max(0, y + (k - 5) * dy));
          v += weights[k] / sum * from[py * width + px];
        }
        to[y * width + i] = v;
      }
    }
    return to;
  };
  return pass(pass(x, 1, 0), 0, 1);
}

export async function measure(a, b, background) {
  const { data: p, width, height } = await pixels(a), second = await pixels(b), q = second.data;
  if (second.width !== width || second.height !== height) throw new Error('the pictures have different sizes');
  const back = [1, 3, 5].map((i) => parseInt(background.slice(i, i + 2), 16));
  const isFigure = (d, i) => Math.max(...back.map((c, k) => Math.abs(d[4 * i + k] - c))) > 8;
  const x = luma(p), y = luma(q), mean2 = (u, v) => blur(u.map((c, i) => c * v[i]), width, height);
  const mx = blur(x, width, height), my = blur(y, width, height), xx = mean2(x, x), yy = mean2(y, y), xy = mean2(x, y);
  let both = 0, either = 0, ssim = 0, off = 0, difference = 0, mean = 0, worst = 0;
  for (let i = 0; i < width * height; ++i) {
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
}
