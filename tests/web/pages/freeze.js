// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Runs in the page before any other script. Time advances only by requested frames of 1/60 s, and objects that the page
// logs are counted. (All of these pages log the avatar when it is loaded.) Of several requested frames only the last one
// is drawn, because nobody looks at the others.
{
  let now = 0, last = 0;
  const waiting = new Map();
  performance.now = () => now;
  Date.now = () => 1.7e12 + now;
  window.requestAnimationFrame = (call) => { waiting.set(++last, call); return last; };
  window.cancelAnimationFrame = (id) => waiting.delete(id);
  let drawn = true;
  for (const { prototype } of [WebGLRenderingContext, WebGL2RenderingContext]) {
    for (const name of Object.getOwnPropertyNames(prototype).filter((one) => /^draw(Arrays|Elements|RangeElements)/.test(one))) {
      const draw = prototype[name];
      prototype[name] = function (...values) { if (drawn) draw.apply(this, values); };
    }
  }
  window.frozen = {
    objects: 0,
    get runs() { return waiting.size > 0; },
    async step(count) {
      for (let i = 0; i < count; ++i) {
        now += 1000 / 60;
        drawn = i + 1 === count;
        const calls = [...waiting.values()];
        waiting.clear();
        for (const call of calls) call(now);
        await new Promise((done) => { setTimeout(done); });
      }
    },
    async drop(url, name) {
      const transfer = new DataTransfer();
      transfer.items.add(new File([await (await fetch(url)).blob()], name));
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true }));
    },
  };
  const { log } = console;
  console.log = (...values) => {
    if (values[0] && typeof values[0] === 'object') ++window.frozen.objects;
    log.call(console, ...values.map((value) => (typeof value === 'object' ? '[object]' : value)));
  };
}
