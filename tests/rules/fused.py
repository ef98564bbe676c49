# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""No object contains a fused multiply-add, which rounds once where other processors round twice. Usage: fused.py
OBJDUMP FILE...

OBJDUMP is the program of binutils for the files' processor, or wabt's wasm-objdump."""

import re
import subprocess
import sys

# x86's vfmadd and similar; ARM's fmadd, fmla and similar; WebAssembly's relaxed_madd, formerly qfma.
FUSED = re.compile(r"\t(?:vfn?m(?:add|sub)\w*|fn?m(?:add|sub|la|ls)\b)|\bf(?:32x4|64x2)\.(?:relaxed_n?madd|qfm[as])")
# Instructions that must occur. If none occurs, the disassembler has not read the file.
PLAIN = re.compile(r"\t(?:v?mul[ps][sd]|fmul)\b|\bf(?:32|64|32x4)\.mul\b")


def disassembled(objdump, path):
    flags = ["-d"] if "wasm" in objdump else ["-d", "--no-show-raw-insn"]
    return subprocess.run([objdump, *flags, str(path)], check=True, capture_output=True, text=True).stdout


def complaints_in(text, path):
    return ["%s holds a fused multiply-add: %s" % (path, line.strip()) for line in text.splitlines() if FUSED.search(line)][:5]


def complaints(objdump, path):
    return complaints_in(disassembled(objdump, path), path)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    objdump, files = sys.argv[1], sys.argv[2:]
    found, count = [], 0
    for path in files:
        text = disassembled(objdump, path)
        found += complaints_in(text, path)
        count += len(PLAIN.findall(text))
    for complaint in found:
        print(complaint)
    print("%s: %d files, %d products, %d fused multiply-adds" % (objdump, len(files), count, len(found)))
    sys.exit(1 if found or count == 0 else 0)


if __name__ == "__main__":
    main()
