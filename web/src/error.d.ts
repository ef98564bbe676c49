// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

export type Severity = 'error' | 'warning' | 'info' | 'hint';

/** A problem that was found in a file. */
export interface Finding {
  /** Code of libvrm's catalogue, such as "NODE_LOOP". */
  readonly id: string;
  readonly severity: Severity;
  /** JSON pointer, "" for the whole document. */
  readonly path: string;
  /** The problem. */
  readonly sentence: string;
  /** Value in the file; may be "". */
  readonly found: string;
  /** Expected value; may be "". */
  readonly expected: string;
  /** Name of the object at `path`; may be "". */
  readonly name: string;
  /** How to repair it; may be "". */
  readonly hint: string;
  /** Section of the specification with the rule; may be "". */
  readonly section: string;
  /** Offset in the file in bytes, for findings outside the JSON. */
  readonly offset: number | null;
}

export type ErrorCode =
  | 'ERROR_INVALID_ARGUMENT' | 'ERROR_OUT_OF_MEMORY' | 'ERROR_NOT_FOUND' | 'ERROR_NOT_GLTF' | 'ERROR_INVALID_ASSET'
  | 'ERROR_UNSUPPORTED' | 'ERROR_LIMIT'
  /** The object was disposed of. */
  | 'DISPOSED'
  /** The library has stopped after a trap; its module can no longer be used. */
  | 'TRAP'
  /** A URL could not be fetched. */
  | 'LOAD'
  | (string & {});

/** The error that libvrm throws. */
export class VRMError extends Error {
  constructor(code: ErrorCode, message: string, findings?: readonly Finding[]);
  readonly code: ErrorCode;
  /** Findings of the file, if a file was refused. */
  readonly findings: readonly Finding[];
}
