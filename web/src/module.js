// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

import { needBytes } from './check.js';
import { VRMError } from './error.js';
import { enumOf, layoutOf, read, write } from './struct.js';

const decoder = /* @__PURE__ */ new TextDecoder();
const encoder = /* @__PURE__ */ new TextEncoder();
const LARGEST = 2 ** 31; // bytes of one allocation; above 2 ** 32, a size would lose its upper bits

/** A running copy of the library, with its own memory. Created by init(). */
export class Module {
  #exports;
  #scratch = 0;

  constructor(simd) {
    /** True for the build with SIMD. */
    this.simd = simd;
    /** The error of the trap after which the module can no longer be used, or null. */
    this.dead = null;
    /** Whether an avatar was updated, so that the code of updates is compiled. @internal */
    this.isWarm = false;
    /** The library's functions. Each throws once the module is dead. @internal */
    this.c = {};
  }

  /** Takes over a WebAssembly instance. @internal */
  attach(exports) {
    this.#exports = exports;
    this.refresh();
    exports._initialize?.();
    for (const [name, call] of Object.entries(exports)) {
      if (typeof call === 'function') this.c[name] = this.#guarded(name, call);
    }
    this.#scratch = this.allocate(256);
  }

  // Wraps a function of the library: after a trap the memory is in an unknown state, so all later calls throw. Engines
  // report a stack overflow by a RangeError or an InternalError. Other errors come from arguments that the engine could
  // not convert to numbers, before the call.
  #guarded(name, call) {
    // Eight parameters, as many as any function takes. A rest parameter would create an array in each call.
    return (a, b, c, d, e, f, g, h) => {
      if (this.dead) throw this.dead;
      try {
        return call(a, b, c, d, e, f, g, h);
      } catch (cause) {
        if (!(cause instanceof WebAssembly.RuntimeError || cause instanceof RangeError || cause?.name === 'InternalError')) throw cause;
        this.dead = new VRMError('TRAP', `libvrm stopped in ${name} (${cause.message}); load a new module`);
        this.dead.cause = cause;
        throw this.dead;
      }
    };
  }

  /** Size of the module's memory, bytes. It grows and never shrinks. */
  get memoryBytes() {
    return this.#exports.memory.buffer.byteLength;
  }

  /** Numbers of the humanoid bones by name. @internal */
  get bones() {
    return enumOf('vrm_human_bone').byWord;
  }

  /** Version of the library, "0.1.0". */
  get version() {
    const number = this.c.vrm_version();
    return `${Math.floor(number / 1e6)}.${Math.floor(number / 1e3) % 1e3}.${number % 1e3}`;
  }

  /** Creates the views again. Called when the memory grows, before anything else can use them. @internal */
  refresh() {
    const { buffer } = this.#exports.memory;
    this.data = new DataView(buffer);
    this.u8 = new Uint8Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.f32 = new Float32Array(buffer);
    this.f64 = new Float64Array(buffer);
  }

  /** Returns a view of the memory. `last` is the previous view, which is reused unless the memory has grown. @internal */
  view(last, Type, at, length) {
    return last && last.buffer === this.u8.buffer ? last : new Type(this.u8.buffer, at, length);
  }

  // --- memory ---

  /** Address of 256 bytes, aligned to 64, for the arguments of one call. @internal */
  get scratch() {
    if (this.dead) throw this.dead;
    return this.#scratch;
  }

  /** Allocates bytes, aligned to 64, to be freed with free(). @internal */
  allocate(size) {
    const at = size <= LARGEST && this.c.aligned_alloc(64, Math.ceil(Math.max(size, 1) / 64) * 64) >>> 0;
    if (!at) throw new VRMError('ERROR_OUT_OF_MEMORY', `no ${size} bytes are left`);
    return at;
  }

  /** Copies bytes into the module's memory, to be freed with free(). @internal */
  copyIn(source) {
    const bytes = needBytes(source);
    const at = this.allocate(bytes.length);
    this.u8.set(bytes, at);
    return at;
  }

  /** Returns a copy of bytes of the module's memory. @internal */
  copyOut(at, size) {
    return this.u8.slice(at, at + size);
  }

  /** Runs `job(take)`. take(size) returns zeroed bytes of the stack, which are valid until the job ends. @internal */
  scope(job) {
    const top = this.c.stackSave();
    try {
      return job((size) => {
        const at = this.c.stackAlloc(size) >>> 0;
        this.u8.fill(0, at, at + size);
        return at;
      });
    } finally {
      if (!this.dead) this.c.stackRestore(top);
    }
  }

  /** Throws unless the module has ragdolls and built-in motions. @internal */
  needRagdolls() {
    // With its first letters, describe.py would link the function into each module.
    if (!Object.keys(this.c).some((name) => name.endsWith('_web_puppet_create'))) throw new VRMError('ERROR_UNSUPPORTED', 'ragdolls and built-in motions need the module of init() of libvrm/ragdoll');
  }

  // --- text ---

  /** A vrm_string. @internal */
  string(at) {
    const data = this.data.getUint32(at, true), length = this.data.getUint32(at + 4, true);
    return length ? decoder.decode(this.u8.subarray(data, data + length)) : '';
  }

  /** Reads a zero-terminated text; "" for NULL. @internal */
  text(at) {
    return at ? decoder.decode(this.u8.subarray(at, this.u8.indexOf(0, at))) : '';
  }

  /** Runs `job(address, length)` with a text in memory, zero-terminated. @internal */
  withText(text, job) {
    const bytes = encoder.encode(text);
    const at = this.allocate(bytes.length + 1);
    try {
      this.u8.set(bytes, at);
      this.u8[at + bytes.length] = 0;
      return job(at, bytes.length);
    } finally {
      if (!this.dead) this.c.free(at);
    }
  }

  // --- calls ---

  /** Throws a VRMError unless the vrm_result is SUCCESS. @internal */
  check(result, findings = []) {
    if (result === 0) return;
    const first = findings.find((finding) => finding.severity === 'error');
    const sentence = this.text(this.c.vrm_result_sentence(result));
    throw new VRMError(this.text(this.c.vrm_result_name(result)),
      first ? `${sentence}: ${first.sentence} ${first.path}`.trim() : sentence, findings);
  }

  /** Calls a function that fills a struct. Returns the struct as an object. @internal */
  describe(struct, call, ...args) {
    return this.scope((take) => {
      const at = this.sized(take, struct);
      this.check(this.c[call](...args, at) ?? 0);
      return read(this, struct, at);
    });
  }

  /** Writes a struct with its defaults and the members of `values`. Returns its address. @internal */
  params(take, struct, values = {}, what = struct) {
    const { size } = layoutOf(struct);
    const at = take(size);
    this.c[`${struct}_default`](at, size);
    write(this, struct, at, values, what);
    return at;
  }

  /**
   * Writes a struct that has no defaults, with its struct_size and the members of `values`. Returns its address.
   * @internal
   */
  sized(take, struct, values = {}) {
    const { size } = layoutOf(struct);
    const at = take(size);
    this.u32[at >> 2] = size;
    write(this, struct, at, values, struct, true);
    return at;
  }

  /** Returns the pointer that `call(address)` writes to the address. @internal */
  made(call, findings) {
    return this.scope((take) => {
      const place = take(8);
      this.check(call(place), findings?.());
      return this.u32[place >> 2];
    });
  }
}

// --- owners ------------------------------------------------------------------------------------------------------------------

// Frees what the program has not disposed of: some time after an owner has become unreachable, its pointer is freed.
const forgotten = /* @__PURE__ */ new FinalizationRegistry(({ module, release, pointer }) => {
  if (!module.dead) module.c[release](pointer);
});

/** Base of the objects that own an object of the library. */
export class Owned {
  #pointer;
  #release;

  constructor(module, pointer, release) {
    /** The module that contains the object. */
    this.module = module;
    this.#pointer = pointer;
    this.#release = release;
    forgotten.register(this, { module, release, pointer }, this);
  }

  /** The object's address. Throws after dispose(). @internal */
  get pointer() {
    if (!this.#pointer) throw new VRMError('DISPOSED', `this ${this.constructor.name} was disposed of`);
    if (this.module.dead) throw this.module.dead;
    return this.#pointer;
  }

  /** Address of an object that `release` frees; throws unless it is one of this module. @internal */
  static address(module, object, release, what) {
    if (!(#release in Object(object)) || object.#release !== release) throw new TypeError(`expected ${what}`);
    if (object.module !== module) throw new VRMError('ERROR_INVALID_ARGUMENT', `${what} of another module: pass the same option module to each load function`);
    return object.pointer;
  }

  get disposed() {
    return this.#pointer === 0;
  }

  /** Frees the object. A second call does nothing. */
  dispose() {
    if (!this.#pointer) return;
    const pointer = this.#pointer;
    this.#pointer = 0;
    forgotten.unregister(this);
    if (!this.module.dead) this.module.c[this.#release](pointer);
  }
}
if (Symbol.dispose) {
  Object.defineProperty(Owned.prototype, Symbol.dispose, { value() { this.dispose(); }, configurable: true, writable: true });
}
