// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

export type Severity = 'error' | 'warning' | 'info' | 'hint';

/** Something that is wrong with a file. */
export interface Finding {
  /** "NODE_LOOP": a row of libvrm's catalogue. */
  readonly id: string;
  readonly severity: Severity;
  /** JSON pointer, "" for the whole document. */
  readonly path: string;
  /** What is wrong. */
  readonly sentence: string;
  /** What the file says; may be "". */
  readonly found: string;
  /** What was expected; may be "". */
  readonly expected: string;
  /** Name of what the path leads to; may be "". */
  readonly name: string;
  /** How to repair it; may be "". */
  readonly hint: string;
  /** Where the rule stands; may be "". */
  readonly section: string;
  /** Byte of the file, for findings below the JSON. */
  readonly offset: number | null;
}

export type ErrorCode =
  | 'ERROR_INVALID_ARGUMENT' | 'ERROR_OUT_OF_MEMORY' | 'ERROR_NOT_FOUND' | 'ERROR_NOT_GLTF' | 'ERROR_INVALID_ASSET'
  | 'ERROR_UNSUPPORTED' | 'ERROR_LIMIT'
  /** The object was disposed of. */
  | 'DISPOSED'
  /** The library has stopped; its module is dead. */
  | 'TRAP'
  /** A URL could not be fetched. */
  | 'LOAD'
  | (string & {});

/** What libvrm throws. */
export class VRMError extends Error {
  constructor(code: ErrorCode, message: string, findings?: readonly Finding[]);
  readonly code: ErrorCode;
  /** What was found in the file, when a file was refused. */
  readonly findings: readonly Finding[];
}
