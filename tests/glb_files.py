# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""GLB files as the tests make and read them: a document, and the bytes of its binary chunk."""

import json
import struct

JSON, BIN = 0x4E4F534A, 0x004E4942


def make_glb(document, binary=None):
    """`binary` None: without such a chunk."""
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<II", len(text), JSON) + text
    if binary is not None:
        binary += b"\0" * (-len(binary) % 4)
        chunks += struct.pack("<II", len(binary), BIN) + binary
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def split_glb(data):
    size = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20:20 + size]), data[28 + size:]


def read_floats(document, binary, accessor):
    """The elements of an accessor of floats, each a tuple."""
    a = document["accessors"][accessor]
    view = document["bufferViews"][a["bufferView"]]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[a["type"]]
    at = view.get("byteOffset", 0) + a.get("byteOffset", 0)
    flat = struct.unpack_from("<%df" % (a["count"] * width), binary, at)
    return [flat[i:i + width] for i in range(0, len(flat), width)]
