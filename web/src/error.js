// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

/** The error that libvrm throws. `code` is the library's result ("ERROR_NOT_GLTF"), or "DISPOSED", "TRAP" or "LOAD". */
export class VRMError extends Error {
  constructor(code, message, findings = []) {
    super(message);
    this.name = 'VRMError';
    this.code = code;
    this.findings = findings;
  }
}
