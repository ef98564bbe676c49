# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Sizes of the package.

    sizes.py functions MODULE.wasm [LINES]     bytes by function, the largest first, of a module linked with --profiling-funcs
    sizes.py pack IN.wasm OUT.wasm             leaves out the names of functions, and joins the segments of data
    sizes.py table|json PACKAGE TOOLS          gzipped bytes of the files that a page fetches; TOOLS has esbuild in its node_modules"""

import gzip
import json
import pathlib
import subprocess
import sys

ENTRIES = {"index.js", "inline.js", "ragdoll.js", "runtime.js", "worker.js"}


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def number(self):
        """Unsigned LEB128."""
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def take(self, size):
        self.at += size
        return self.data[self.at - size:self.at]


def sections(data):
    """Yields (number, body) of each section."""
    reader = Reader(data)
    if reader.take(8) != b"\0asm\1\0\0\0":
        sys.exit("sizes: not a WebAssembly module of version 1")
    while reader.at < len(data):
        number = reader.number()
        yield number, reader.take(reader.number())


def imported(body):
    """Returns the number of imported functions, which have the first indices."""
    reader, found = Reader(body), 0
    for _ in range(reader.number()):
        reader.take(reader.number())
        reader.take(reader.number())
        kind = reader.number()
        if kind == 0:
            found += 1
            reader.number()
        else:  # a table or a memory: type, flags, limits; a global: type and mutability
            if kind in (1, 3):
                reader.take(1)
            flags = reader.number()
            if kind != 3:
                reader.number()
                if flags & 1:
                    reader.number()
    return found


def names_of(body):
    """Returns {function: name} from the custom section "name"."""
    reader, names = Reader(body), {}
    if reader.take(reader.number()) != b"name":
        return names
    while reader.at < len(body):
        kind, part = reader.number(), None
        part = Reader(reader.take(reader.number()))
        if kind == 1:
            for _ in range(part.number()):
                index = part.number()
                names[index] = part.take(part.number()).decode()
    return names


def sizes(data):
    """Returns [(bytes, name)] of all functions and of the data, the largest first."""
    found, names, first = [], {}, 0
    for number, body in sections(data):
        if number == 2:
            first = imported(body)
        elif number == 10:
            reader = Reader(body)
            for index in range(reader.number()):
                size = reader.number()
                reader.take(size)
                found.append((size, index))
        elif number == 0:
            names.update(names_of(body))
    rows = [(size, names.get(index + first, "function %d" % (index + first))) for size, index in found]
    rows += [(len(body), "(data)") for number, body in sections(data) if number == 11]
    return sorted(rows, reverse=True)


def leb128(value, end=0x80):
    """Returns a number, not negative, as LEB128. `end`: the last byte is smaller; 0x40 for a signed number."""
    text = bytearray()
    while value >= end:
        text.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(text + bytes([value]))


def segments(body):
    """Returns [(address, bytes)] of the data section. All segments have a constant address in the first memory."""
    reader, found = Reader(body), []
    for _ in range(reader.number()):
        if reader.take(2) != b"\0\x41":  # active, i32.const
            sys.exit("sizes: a segment of data without a constant address")
        address = reader.number()  # signed, but never as large as 2^31: the number's bits are those of an unsigned one
        if reader.take(1) != b"\x0b":
            sys.exit("sizes: the address of a segment is no constant")
        found.append((address, reader.take(reader.number())))
    return found


def joined(body):
    """Returns the data section as a single segment. binaryen splits data at each run of zeros, and the headers of a
    thousand segments are larger, once compressed, than the zeros between them. Memory begins as zeros."""
    found = segments(body)
    first = min(address for address, _ in found)
    whole = bytearray(max(address + len(part) for address, part in found) - first)
    for address, part in found:
        whole[address - first:address - first + len(part)] = part
    return b"\1\0\x41" + leb128(first, 0x40) + b"\x0b" + leb128(len(whole)) + whole


def pack(data):
    """Returns the module without names and with one segment of data."""
    kept = [data[:8]]
    for number, body in sections(data):
        if number == 0 and body[1:5] == b"name":
            continue
        body = joined(body) if number == 11 else body
        kept.append(bytes([number]) + leb128(len(body)) + body)
    return b"".join(kept)


def gzipped(data):
    return len(gzip.compress(data, 9, mtime=0))


def measured(package, tools):
    """Returns {file: bytes gzipped} of the files that a page fetches; for JavaScript, of esbuild's minified bundle of an entry."""
    found = {path.name: gzipped(path.read_bytes()) for path in sorted((package / "dist").glob("*.wasm"))}
    esbuild = tools / "node_modules/esbuild/bin/esbuild"
    for entry in sorted((package / "dist").glob("*.js")) if esbuild.exists() else []:
        if entry.name in ENTRIES:
            found[entry.name] = gzipped(subprocess.run([esbuild, entry, "--bundle", "--minify", "--format=esm"], capture_output=True,
                                                       check=True).stdout)
    return found


def main():
    command, *rest = sys.argv[1:]
    paths = [pathlib.Path(text) for text in rest]
    if command == "functions":
        for size, name in sizes(paths[0].read_bytes())[:int(rest[1]) if len(rest) > 1 else 40]:
            print("%8d  %s" % (size, name))
    elif command == "pack":
        paths[1].write_bytes(pack(paths[0].read_bytes()))
    elif command in ("table", "json"):
        found = measured(*paths)
        if command == "json":
            print(json.dumps(found, indent=1))
        else:
            print("".join("%8d bytes gzipped  %s\n" % (size, name) for name, size in found.items()), end="")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
