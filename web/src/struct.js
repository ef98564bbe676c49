// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Converts structs of the C interface to objects, by generated descriptions (layout.js, and those that other entries
// add).
// The description of a struct is its size, "s" if it begins with a struct_size, and its members by type: 'TYPE NAME
// NAME...;TYPE NAME...'. A member follows the last one by C's rules of alignment; NAME@OFFSET is at another offset. A
// type is a letter:
//   f float, d double, u uint32, i int32, l uint64, h uint16, c uint8, b bool, p pointer, s vrm_string, z
//   zero-terminated text,
//   eNAME a word of an enum, SNAME a struct; followed by a number: that many of them; *number: that many times the type
//   before.
// The description of an enum is its words, with '=NUMBER' for a word whose number is not one more than the last.

import { numbers } from './check.js';
import { layout } from './layout.js';

const SIZES = { f: 4, d: 8, u: 4, i: 4, l: 8, h: 2, c: 1, b: 1, p: 4, s: 8, z: 4, e: 4 };
const layouts = [layout];
const parsed = new Map();
const words = new Map();

/** Adds an entry's descriptions to those of layout.js. */
export function know(more) {
  for (const one of more) if (!layouts.includes(one)) layouts.push(one);
}

const textOf = (name) => layouts.find((one) => name in one)[name];

/** Returns {size, alignment, members: {name: {at, code}}} of a struct. */
export function layoutOf(name) {
  let made = parsed.get(name);
  if (!made) {
    const [head, ...rows] = textOf(name).split(';');
    let at = head.endsWith('s') ? 4 : 0;
    made = { size: parseInt(head, 10), alignment: at || 1, members: { __proto__: null } };
    for (const row of rows) {
      const [code, ...names] = row.split(' ');
      const step = alignmentOf(code);
      for (const text of names) {
        const [member, offset] = text.split('@');
        at = offset ? Number(offset) : Math.ceil(at / step) * step;
        made.members[member] = { at, code };
        at += sizeOf(code);
      }
      made.alignment = Math.max(made.alignment, step);
    }
    parsed.set(name, made);
  }
  return made;
}

/** Returns the offset of a member. */
export const offsetOf = (name, member) => layoutOf(name).members[member].at;

/** Returns {byNumber: Map, byWord: Map} of an enum. */
export function enumOf(name) {
  let made = words.get(name);
  if (!made) {
    let last = -1;
    const pairs = textOf(name).split(',').map((text) => {
      const [word, number] = text.split('=');
      return [word, last = Number(number ?? last + 1)];
    });
    words.set(name, made = { byWord: new Map(pairs), byNumber: new Map(pairs.map(([word, number]) => [number, word])) });
  }
  return made;
}

/** Returns the number of an enum's word; throws for an unknown word. */
export function numberOf(name, word, what = name) {
  const number = enumOf(name).byWord.get(word);
  if (number === undefined) {
    throw new RangeError(`${what} is ${typeof word === 'string' ? JSON.stringify(word) : String(word)}, expected one of ${[...enumOf(name).byWord.keys()].join(', ')}`);
  }
  return number;
}

function split(code) {
  const star = code.lastIndexOf('*');
  if (star > 0) return [code.slice(0, star), Number(code.slice(star + 1))];
  const plain = /^([fduilhcb])(\d+)$/.exec(code);
  return plain ? [plain[1], Number(plain[2])] : [code, 0];
}

function sizeOf(code) {
  const [one, count] = split(code);
  return count ? count * sizeOf(one) : code[0] === 'S' ? layoutOf(code.slice(1)).size : SIZES[code[0]];
}

function alignmentOf(code) {
  const [one, count] = split(code);
  return count ? alignmentOf(one) : code[0] === 'S' ? layoutOf(code.slice(1)).alignment : Math.min(sizeOf(code), code[0] === 's' ? 4 : 8);
}

const LETTERS = {
  f: ({ data }, at) => data.getFloat32(at, true),
  d: ({ data }, at) => data.getFloat64(at, true),
  i: ({ data }, at) => data.getInt32(at, true),
  l: ({ data }, at) => data.getBigUint64(at, true),
  h: ({ data }, at) => data.getUint16(at, true),
  c: ({ data }, at) => data.getUint8(at),
  b: ({ data }, at) => data.getUint8(at) !== 0,
  s: (m, at) => m.string(at),
  z: (m, at) => m.text(m.data.getUint32(at, true)),
};

// Returns the function that reads a value of this type.
function readerOf(code) {
  const [one, count] = split(code);
  const rest = code.slice(1);
  if (count) {
    const step = sizeOf(one), each = readerOf(one);
    return (m, at) => Array.from({ length: count }, (_, i) => each(m, at + i * step));
  }
  if (code[0] === 'S') return (m, at) => read(m, rest, at);
  if (code[0] === 'e') {
    return ({ data }, at) => {
      const number = data.getInt32(at, true);
      return enumOf(rest).byNumber.get(number) ?? number;
    };
  }
  return LETTERS[code[0]] ?? (({ data }, at) => data.getUint32(at, true));
}

/** Reads the struct at an address as an object. */
export function read(m, name, at) {
  const made = {};
  const known = layoutOf(name);
  known.readers ??= Object.entries(known.members).map(([member, { at: offset, code }]) => [member, offset, readerOf(code)]);
  for (const [member, offset, value] of known.readers) {
    made[member] = value(m, at + offset);
  }
  return made;
}

function put(m, code, at, value, what) {
  const [one, count] = split(code);
  if (count) {
    const values = numbers(value, count, what);
    const step = sizeOf(one);
    for (let i = 0; i < count; ++i) put(m, one, at + i * step, values[i], what);
    return;
  }
  const { data } = m;
  const letter = code[0];
  if (letter === 'S') {
    write(m, code.slice(1), at, value, what);
  } else if (letter === 'e') {
    data.setInt32(at, numberOf(code.slice(1), value, what), true);
  } else if (letter === 'b') {
    if (typeof value !== 'boolean') throw new TypeError(`${what} is no boolean`);
    data.setUint8(at, value ? 1 : 0);
  } else if (letter === 'l') {
    data.setBigUint64(at, BigInt(value), true);
  } else {
    if (typeof value !== 'number' || Number.isNaN(value)) throw new TypeError(`${what} is no number`);
    switch (letter) {
      case 'f': data.setFloat32(at, value, true); break;
      case 'd': data.setFloat64(at, value, true); break;
      case 'i': data.setInt32(at, value, true); break;
      case 'h': data.setUint16(at, value, true); break;
      case 'c': data.setUint8(at, value); break;
      default: data.setUint32(at, value, true);
    }
  }
}

/**
 * Writes the members that `values` has; the others stay. A name that the struct does not have is a TypeError. So is an
 * address, unless `own` is set for the package's own values.
 */
export function write(m, name, at, values, what = name, own = false) {
  const { members } = layoutOf(name);
  for (const [member, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const known = members[member];
    if (!known || (!own && 'psz'.includes(known.code[0]))) throw new TypeError(`${what} has no "${member}", only ${Object.keys(members).join(', ')}`);
    put(m, known.code, at + known.at, value, `${what}.${member}`);
  }
}
