# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""inline.py DIST: the entry libvrm/inline, which is index.js with vrm.wasm inside.

The module is included as base64 of the gzipped file. That is a third of the size of the plain file in base64, and no larger than
vrm.wasm once a server has compressed both."""

import base64
import gzip
import pathlib
import sys

IMPORT = "from './files.js'"

INLINED = """\
// Made by web/make/inline.py.

import { VRMError } from './error.js';
import { hasSimd } from './wasm.js';

const TEXT = '%s';

/** What init() takes when it is given nothing: vrm.wasm, of which there is only the build with SIMD here. */
export async function ownWasm() {
  if (!hasSimd()) throw new VRMError('LOAD', 'libvrm/inline needs SIMD, which this engine lacks: use libvrm');
  const bytes = Uint8Array.from(atob(TEXT), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}
"""


def main():
    dist = pathlib.Path(sys.argv[1])
    entry = (dist / "index.js").read_text(encoding="utf-8")
    if entry.count(IMPORT) != 1:
        sys.exit("inline.py: index.js has no %s" % IMPORT)
    packed = gzip.compress((dist / "vrm.wasm").read_bytes(), 9, mtime=0)
    (dist / "inlined.js").write_text(INLINED % base64.b64encode(packed).decode(), encoding="utf-8")
    (dist / "inline.js").write_text(entry.replace(IMPORT, "from './inlined.js'"), encoding="utf-8")


if __name__ == "__main__":
    main()
