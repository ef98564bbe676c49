// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { add, cross, look, normalize, perspective, subtract } from './matrix.js';

const FIELD_OF_VIEW = 35; // vertical, degrees, as in `vrm render -c X,Y,Z:TX,TY,TZ`
const clamp = (x, low, high) => Math.min(high, Math.max(low, x));

/** A camera around a point, moved by pointer, fingers, wheel and keys. */
export class Orbit {
  #pointers = new Map();
  #home = null;
  #hand = null; // id of the pointer that holds something in the picture

  /**
   * `hand` receives pointed(x, y) when a pointer moves, and taken(x, y, event) when it is pressed. If taken() returns
   * true, the pointer does not move the camera, and dragged(x, y) and released() follow. Positions are from -1 to 1.
   */
  constructor(canvas, hand) {
    this.canvas = canvas;
    this.hand = hand;
    this.place([0, 0.8, 0], 0, 0, 3);
    canvas.addEventListener('pointerdown', (event) => this.#down(event));
    canvas.addEventListener('pointermove', (event) => this.#move(event));
    for (const name of ['pointerup', 'pointercancel']) canvas.addEventListener(name, (event) => this.#up(event));
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.#zoom(Math.exp(clamp(event.deltaY, -200, 200) * 0.0015));
    }, { passive: false });
    canvas.addEventListener('keydown', (event) => this.#key(event));
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  }

  /**
   * Places the camera at `yaw` and `pitch` (radians; 0, 0: in front, level) from the target. The Home key returns it to
   * this place.
   */
  place(target, yaw, pitch, distance) {
    this.#home = { target, yaw, pitch, distance };
    Object.assign(this, this.#home);
  }

  goHome() {
    Object.assign(this, this.#home);
  }

  /** Moves the camera together with its home. */
  shift(way) {
    this.target = add(this.target, way);
    this.#home = { ...this.#home, target: add(this.#home.target, way) };
  }

  get eye() {
    const level = Math.cos(this.pitch) * this.distance;
    return add(this.target, [Math.sin(this.yaw) * level, Math.sin(this.pitch) * this.distance, Math.cos(this.yaw) * level]);
  }

  get view() {
    return look(this.eye, this.target);
  }

  /** The camera as an argument of `vrm render -c`. */
  get text() {
    const words = (point) => point.map((x) => Number(x.toFixed(5))).join(',');
    return `${words(this.eye)}:${words(this.target)}`;
  }

  projection(aspect) {
    return perspective(FIELD_OF_VIEW, aspect, 0.02 * this.distance, 50 * this.distance);
  }

  /** Direction to the light: beside the camera, as in the pictures of vrm render. */
  get light() {
    return [2 * Math.sin(this.yaw - 0.5), 1.6, 2 * Math.cos(this.yaw - 0.5)];
  }

  /** Returns the point under a pointer at (x, y), on the plane at the fraction `depth` of the distance to the target. */
  pointAt(x, y, depth) {
    const forward = normalize(subtract(this.target, this.eye));
    const right = normalize(cross(forward, [0, 1, 0]));
    const up = cross(right, forward);
    const height = Math.tan(FIELD_OF_VIEW * Math.PI / 360) * this.distance * depth;
    const width = height * this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight);
    return add(add(add(this.eye, forward, this.distance * depth), right, x * width), up, y * height);
  }

  /** Returns the ray from the eye through a point of the picture; its direction has unit length. */
  ray(x, y) {
    return { origin: this.eye, direction: normalize(subtract(this.pointAt(x, y, 1), this.eye)) };
  }

  #turn(yaw, pitch) {
    this.yaw -= yaw;
    this.pitch = clamp(this.pitch + pitch, -1.5, 1.5);
  }

  #pan(x, y) {
    const step = this.distance * 0.0012;
    const right = [Math.cos(this.yaw), 0, -Math.sin(this.yaw)];
    this.target = add(add(this.target, right, -x * step), [0, 1, 0], y * step);
  }

  #zoom(factor) {
    this.distance = clamp(this.distance * factor, 0.05, 1000);
  }

  #place(event) {
    const box = this.canvas.getBoundingClientRect();
    return [2 * (event.clientX - box.left) / Math.max(1, box.width) - 1, 1 - 2 * (event.clientY - box.top) / Math.max(1, box.height)];
  }

  #down(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.focus({ preventScroll: true });
    if (this.#pointers.size === 0 && this.#hand === null && this.hand.taken(...this.#place(event), event)) this.#hand = event.pointerId;
    else this.#pointers.set(event.pointerId, event);
  }

  #up({ pointerId }) {
    this.#pointers.delete(pointerId);
    if (pointerId !== this.#hand) return;
    this.#hand = null;
    this.hand.released();
  }

  #move(event) {
    const place = this.#place(event);
    this.hand.pointed(...place);
    if (event.pointerId === this.#hand) this.hand.dragged(...place);
    const last = this.#pointers.get(event.pointerId);
    if (!last) return;
    const x = event.clientX - last.clientX;
    const y = event.clientY - last.clientY;
    if (this.#pointers.size >= 2) {
      const other = [...this.#pointers.values()].find(({ pointerId }) => pointerId !== event.pointerId);
      const far = (a) => Math.hypot(a.clientX - other.clientX, a.clientY - other.clientY) + 1;
      this.#zoom(far(last) / far(event));
      this.#pan(x / 2, y / 2);
    } else if (event.buttons === 2 || event.buttons === 4 || event.shiftKey) {
      this.#pan(x, y);
    } else {
      this.#turn(x * 0.008, y * 0.008);
    }
    this.#pointers.set(event.pointerId, event);
  }

  #key(event) {
    const step = 0.1;
    const moves = {
      ArrowLeft: () => this.#turn(step, 0), ArrowRight: () => this.#turn(-step, 0),
      ArrowUp: () => this.#turn(0, step), ArrowDown: () => this.#turn(0, -step),
      '+': () => this.#zoom(0.9), '=': () => this.#zoom(0.9), '-': () => this.#zoom(1 / 0.9),
      PageUp: () => this.#pan(0, 40), PageDown: () => this.#pan(0, -40),
      Home: () => this.goHome(),
    };
    if (!event.ctrlKey && !event.metaKey && !event.altKey && moves[event.key]) {
      event.preventDefault();
      moves[event.key]();
    }
  }
}
