// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The page's objects for those in a worker.

import { number } from './check.js';
import { VRMError } from './error.js';
import { ARRAYS, CHANGES, COMMANDS, DOCUMENT_QUESTIONS, QUESTIONS, SETTERS } from './worker_calls.js';

const DEGREES = 180 / Math.PI;

const forgotten = /* @__PURE__ */ new FinalizationRegistry(({ worker, handle }) => worker.forget(handle));

/** An object in the worker, with its number there. */
class Remote {
  #handle;
  #uses = 0;
  #forgotten = 0; // number of an object that was disposed of, until the commands that name it are sent

  constructor(worker, handle) {
    /** The VRMWorker with the object. */
    this.worker = worker;
    this.#handle = handle;
    forgotten.register(this, { worker, handle }, this);
  }

  /** The object's number. Throws after dispose(). @internal */
  get handle() {
    if (this.worker.dead) throw this.worker.dead;
    if (!this.#handle) throw new VRMError('DISPOSED', `this ${this.constructor.name} was disposed of`);
    return this.#handle;
  }

  get disposed() {
    return this.#handle === 0;
  }

  /** Frees the object. A second call does nothing. */
  dispose() {
    if (!this.#handle) return;
    forgotten.unregister(this);
    this.#forgotten = this.#handle;
    this.#handle = 0;
    this.use(0);
  }

  /** Counts commands that name the object and have not been sent yet. The worker keeps it for them. @internal */
  use(count) {
    this.#uses += count;
    if (!this.#forgotten || this.#uses > 0) return;
    this.worker.forget(this.#forgotten);
    this.#forgotten = 0;
  }
}
if (Symbol.dispose) {
  Object.defineProperty(Remote.prototype, Symbol.dispose, { value() { this.dispose(); }, configurable: true, writable: true });
}

/** A motion that avatars of the same worker can play. */
export class WorkerClip extends Remote {
  constructor(worker, { handle, clip }) {
    super(worker, handle);
    Object.assign(this, clip);
  }
}

// Converts vectors and quaternions to lists, because their numbers may be behind getters, which are not copied. Values
// are copied at once, so that the program may change its own objects afterwards.
function plain(value) {
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof WorkerClip) return value.handle;
  if (ArrayBuffer.isView(value)) return value.slice();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value.x === 'number') return typeof value.w === 'number' ? [value.x, value.y, value.z, value.w] : [value.x, value.y, value.z];
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

/**
 * The file of an avatar that was loaded with keepDocument. Each method returns a promise of the result of Document's
 * method.
 */
class WorkerDocument {
  constructor(vrm) {
    for (const name of [...DOCUMENT_QUESTIONS, 'firstPerson', 'geometry']) {
      this[name] = (...args) => vrm.worker.request('document', { handle: vrm.handle, name, args });
    }
  }
}

/** Returns an error that the worker has sent. @internal */
export function errorOf({ name, code, message, findings }) {
  if (code) return new VRMError(code, message, findings);
  const Type = { TypeError, RangeError }[name] ?? Error;
  return new Type(message);
}

/** Adds the members of `target` that are sent to the worker: commands, setters, and questions. */
function addCalls(target, part, command, ask) {
  for (const name of COMMANDS[part]) target[name] = (...args) => command(part, name, args);
  for (const name of QUESTIONS[part] ?? []) target[name] = (...args) => ask(part, name, args);
  for (const name of SETTERS[part] ?? []) {
    let last = null;
    Object.defineProperty(target, name, { get: () => last, configurable: true, set(value) {
      command(part, name, [value]);
      last = value;
    } });
  }
  return target;
}

/** Returns views of a frame's arrays in its buffer. */
function viewsOf(buffer, lengths) {
  let at = 0;
  return Object.fromEntries([...ARRAYS, ...CHANGES].map((name, i) => {
    const view = new (i < ARRAYS.length ? Float32Array : Uint32Array)(buffer, at, lengths[i]);
    at += view.byteLength;
    return [name, view];
  }));
}

/**
 * An avatar that moves in the worker. Values that are set are applied with the next frame. Values that are read are those
 * of the last frame that has arrived. Views are valid until the next frame arrives; read the properties again in each
 * frame.
 */
export class WorkerVRM extends Remote {
  #commands = [];
  #clips = []; // clips that the commands name
  #frame;
  #free; // the second buffer, while the worker does not have it
  #isUnderway = false;
  #waiting = null; // {dt, promise, done, failed} of the frame after the requested one
  #isNew = false; // true if a frame has arrived since the page last called update()

  constructor(worker, { handle, avatar, hasDocument, ...rest }) {
    super(worker, handle);
    this.#frame = { ...rest, views: viewsOf(rest.buffer, rest.lengths) };
    this.#free = new ArrayBuffer(rest.buffer.byteLength);
    /** The avatar as loaded from the file. */
    this.avatar = { ...avatar,
      document: hasDocument ? new WorkerDocument(this) : null,
      cook: () => worker.request('cook', { handle: this.handle }),
      createInstance: async (instance) => new WorkerVRM(worker, { ...await worker.request('instance', { handle: this.handle, instance }), avatar, hasDocument }) };
    /** Number of frames that have arrived. */
    this.frames = 0;
    const command = (part, name, args) => {
      void this.handle;
      const [clip] = args;
      const plays = part === 'clips' && name === 'play';
      if (plays && !(clip instanceof WorkerClip)) throw new TypeError('expected a clip');
      if (plays && clip.worker !== worker) throw new VRMError('ERROR_INVALID_ARGUMENT', 'the clip is of another worker');
      this.#commands.push([part, name, ...plain(args)]);
      if (!plays) return;
      clip.use(1);
      this.#clips.push(clip);
    };
    const ask = (part, name, args) => worker.request('ask', { handle: this.handle, commands: this.#taken(), part, name, args: plain(args) });
    addCalls(this, '', command, ask);
    this.humanoid = addCalls({ humanBones: avatar.humanBones }, 'humanoid', command, ask);
    this.expressionManager = addCalls(this.#expressions(), 'expressionManager', command, ask);
    this.lookAt = addCalls({}, 'lookAt', command, ask);
    for (const angle of ['yaw', 'pitch']) {
      const { set } = Object.getOwnPropertyDescriptor(this.lookAt, angle);
      Object.defineProperty(this.lookAt, angle, { get: () => this.gaze[angle] * DEGREES, set });
    }
    const { reset } = this.lookAt;
    this.lookAt.reset = () => {
      this.lookAt.target = null;
      reset();
    };
    this.springBoneManager = addCalls({ joints: avatar.springJoints, colliders: avatar.colliders }, 'springBoneManager', command, ask);
    this.clips = addCalls({}, 'clips', command, ask);
  }

  // Returns the waiting commands, for a request of this task.
  #taken() {
    const clips = this.#clips.splice(0);
    if (clips.length) queueMicrotask(() => clips.forEach((clip) => clip.use(-1))); // after that request
    return this.#commands.splice(0);
  }

  dispose() {
    super.dispose();
    this.#taken();
  }

  #expressions() {
    const { expressions } = this.avatar;
    const of = (group) => expressions.filter((expression) => expression.group === group).map(({ name }) => name);
    const find = (name) => expressions.findIndex((expression) => expression.name === name);
    const weight = (name, which) => (find(name) < 0 ? null : this.expressionWeights[2 * find(name) + which]);
    return { names: expressions.map(({ name }) => name), mouthExpressionNames: of('mouth'), blinkExpressionNames: of('blink'),
      lookAtExpressionNames: of('lookAt'), getExpression: (name) => expressions[find(name)] ?? null, getValue: (name) => weight(name, 0),
      getAppliedValue: (name) => weight(name, 1) };
  }

  get meta() {
    return this.avatar.meta;
  }

  /**
   * Requests the frame `dt` seconds later. The promise is fulfilled when the frame has arrived. While a frame is being
   * computed, the seconds are added up for the next one, so that a page may call this method in each of its own frames
   * without waiting.
   */
  update(dt) {
    void this.handle;
    number(dt, 'dt');
    this.#isNew = false; // a page that draws after this call has seen the last frame
    if (!this.#isUnderway) return this.#send(dt);
    if (!this.#waiting) {
      this.#waiting = { dt: 0 };
      this.#waiting.promise = new Promise((done, failed) => { Object.assign(this.#waiting, { done, failed }); });
    }
    this.#waiting.dt += dt;
    return this.#waiting.promise;
  }

  async #send(dt) {
    const buffer = this.#free;
    this.#free = null;
    this.#isUnderway = true;
    try {
      const { error, ...frame } = await this.worker.request('frame', { handle: this.handle, dt, commands: this.#taken(), buffer },
        buffer ? [buffer] : []);
      this.#show(frame);
      if (error) throw errorOf(error);
    } catch (error) {
      if (error.code !== 'DISPOSED') throw error; // the VRM was disposed of, so nobody waits for the frame
    } finally {
      this.#isUnderway = false;
      const next = this.#waiting;
      this.#waiting = null;
      if (next) this.#send(next.dt).then(next.done, next.failed);
    }
  }

  #show(frame) {
    const views = viewsOf(frame.buffer, frame.lengths);
    // If two frames arrive between two calls of the page, the changes of both are reported.
    if (this.#isNew) for (const name of CHANGES) views[name].forEach((word, i) => { views[name][i] = word | this.#frame.views[name][i]; });
    this.#free = this.#frame.buffer;
    this.#frame = { ...frame, views };
    this.#isNew = true;
    ++this.frames;
  }

  get world() { return this.#frame.views.world; }
  get palette() { return this.#frame.views.palette; }
  get morphs() { return this.#frame.views.morphs; }
  get materials() { return this.#frame.views.materials; }
  get expressionWeights() { return this.#frame.views.expressionWeights; }
  get meshBoxes() { return this.#frame.views.meshBoxes; }
  get nodeChanges() { return this.#frame.views.nodeChanges; }
  get paletteChanges() { return this.#frame.views.paletteChanges; }
  get morphChanges() { return this.#frame.views.morphChanges; }
  get materialChanges() { return this.#frame.views.materialChanges; }
  get origin() { return this.#frame.state.origin; }
  get box() { return this.#frame.state.box; }
  get viewpoint() { return this.#frame.state.viewpoint; }
  /** Radians. */
  get gaze() { return this.#frame.state.gaze; }
  get status() { return this.#frame.state.status; }
}
