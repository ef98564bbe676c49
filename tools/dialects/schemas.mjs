// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compiles VRM's JSON Schemas with the npm package of this folder.

import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';

/** Whether the npm package is installed (npm ci --prefix tools/dialects). */
export const installed = existsSync(new URL('node_modules/ajv-draft-04/package.json', import.meta.url));

function allFiles(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? allFiles(path) : [path];
  });
}

/** Returns the schemas of some folders as name => validate(value). A stub replaces glTF's own schemas, to which they refer. */
export function compileSchemas(...folders) {
  const Ajv = createRequire(import.meta.url)('ajv-draft-04').default;
  const ajv = new Ajv({ strict: false, logger: false, validateFormats: false });
  const stub = { 'glTFid.schema.json': { type: 'integer', minimum: 0 } };
  const known = new Map();
  for (const path of folders.flatMap(allFiles)) {
    if (path.endsWith('.json')) known.set(basename(path), JSON.parse(readFileSync(path)));
  }
  const names = new Set();
  JSON.stringify([...known.values()], (key, value) => { if (key === '$ref') names.add(value); return value; });
  for (const missing of names) if (!known.has(missing)) known.set(missing, stub[missing] ?? {});
  for (const [id, { $schema, $id, ...schema }] of known) ajv.addSchema({ ...schema, id }, id);
  return (name) => ajv.getSchema(name);
}
