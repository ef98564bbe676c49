# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Compares libvrm's JSON reader with Python's on random documents and random damage, and libvrm's shortest numbers
with Python's repr. Both may differ for lone surrogates, ill-formed UTF-8 and a byte order mark. In these cases
Python's result is converted to the one that libvrm promises: U+FFFD."""

import decimal
import json
import math
import os
import pathlib
import random
import struct
import subprocess
import sys

COUNT = int(os.environ.get("VRM_JSON_DOCUMENTS", "20000"))


def find_program(name):
    build = pathlib.Path(os.environ.get("VRM_BUILD_DIR", "build/release"))
    for folder in ("", "tests", "bin"):
        path = build / folder / name
        if path.is_file():
            return path.resolve()
    print("skipped: %s is not built in %s" % (name, build))
    sys.exit(77)


def random_string(rng):
    plain = ["a", "b", "~", "/", " ", "é", "ア", "😀", "\u2028", "\x7f", "\ufeff"]
    raw = ['\\"', "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t", "\\u0041", "\\u00E9", "\\ud83d\\ude00", "\\ud800",
           "\\udc00", "\\u0000", "\\uFFFF"]
    parts = [rng.choice(plain if rng.random() < 0.7 else raw) for _ in range(rng.choice([0, 1, 3, 8, 20]))]
    return '"' + "".join(parts) + '"'


def random_number(rng):
    kind = rng.randrange(6)
    if kind == 0:
        return str(rng.randrange(-100, 100))
    if kind == 1:
        return repr(rng.uniform(-1000, 1000))
    if kind == 2:
        return repr(rng.uniform(-1, 1) * 10.0 ** rng.randrange(-320, 308))
    if kind == 3:
        return "%d.%de%d" % (rng.randrange(10 ** 20), rng.randrange(10 ** 20), rng.randrange(-340, 330))
    if kind == 4:
        return str(rng.randrange(-10 ** 30, 10 ** 30))
    return rng.choice(["0", "-0", "-0.0", "1E5", "1e-5", "1e+5", "0e0", "1e400", "5e-324", "4.9e-324", "1e-400"])


def random_space(rng):
    return "" if rng.random() < 0.8 else rng.choice([" ", "\n", "\r\n", "\t", "  "])


def random_value(rng, depth):
    kind = rng.randrange(8 if depth < 6 else 5)
    if kind == 0:
        return rng.choice(["null", "true", "false"])
    if kind in (1, 2):
        return random_number(rng)
    if kind in (3, 4):
        return random_string(rng)
    count = rng.choice([0, 1, 2, 3, 5, 20]) if depth < 3 else rng.randrange(4)
    items = []
    for _ in range(count):
        value = random_space(rng) + random_value(rng, depth + 1) + random_space(rng)
        if kind != 5:
            # The keys come from a small set, so that many of them are duplicates.
            key = rng.choice(['"a"', '"\\u0061"', '"b"', '"c"', '""', random_string(rng), random_string(rng)])
            value = random_space(rng) + key + random_space(rng) + ":" + value
        items.append(value)
    return ("[%s]" if kind == 5 else "{%s}") % (",".join(items) or random_space(rng))


def damage(rng, document):
    data = bytearray(document)
    for _ in range(rng.choice([1, 1, 1, 2, 5])):
        at = rng.randrange(len(data) + 1)
        kind = rng.randrange(5)
        if kind == 0:
            data[at:at + 1] = bytes([rng.randrange(256)])
        elif kind == 1:
            data[at:at] = rng.choice([b'"', b",", b"[", b"]", b"{", b"}", b":", b"0", b"-", b".", b"e", b"\\", b"\\u",
                                      b" ", b"\x00", b"\x80", b"\xe3", b"\xef\xbb\xbf", b"NaN", b"true", b"\n", b"\x0b"])
        elif kind == 2:
            del data[at:at + rng.choice([1, 1, 4])]
        elif kind == 3:
            other = rng.randrange(len(data) + 1)
            data[at:at] = data[other:other + rng.randrange(1, 9)]
        elif len(data) > 1:
            data = data[:at]
    return bytes(data)


def refuse(word):
    raise ValueError(word)


def repaired(value):
    """Replaces lone surrogates by U+FFFD."""
    if isinstance(value, str):
        return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in value)
    if isinstance(value, list):
        return [repaired(item) for item in value]
    if isinstance(value, tuple):
        return tuple(repaired(item) for item in value)
    return value


def last_wins(pairs):
    """Returns an object's members, sorted. Of keys that are equal after decoding, the last one is kept."""
    return ("object", tuple(sorted({repaired(key): repaired(value) for key, value in pairs}.items(),
                                   key=lambda member: member[0])))


def read_with_python(data):
    text = data.decode("utf-8", errors="replace")
    if text.startswith("\ufeff"):
        text = text[1:]
    return repaired(json.loads(text, parse_int=float, parse_constant=refuse, object_pairs_hook=last_wins))


def read_answer(line):
    """Returns the value that libvrm read. Its strings have one escape per byte of UTF-8."""
    def plain(value):
        if isinstance(value, str):
            return value.encode("latin-1").decode("utf-8")
        if isinstance(value, list):
            return [plain(item) for item in value]
        return value

    def members(pairs):
        assert len({key for key, _ in pairs}) == len(pairs), "a key twice"
        return ("object", tuple(sorted(((plain(key), plain(value)) for key, value in pairs),
                                       key=lambda member: member[0])))

    return plain(json.loads(line, parse_int=float, object_pairs_hook=members))


def compare_documents():
    rng = random.Random(20)
    documents = []
    while len(documents) < COUNT:
        document = random_value(rng, 0).encode("utf-8", errors="surrogatepass")
        documents.append(document)
        documents.extend(damage(rng, document) for _ in range(3))
    stream = b"".join(b"%d\n%s" % (len(document), document) for document in documents)
    answers = subprocess.run([find_program("test_json"), "--stream"], input=stream, stdout=subprocess.PIPE,
                             check=True).stdout.decode("ascii").split("\n")
    refused = 0
    for document, answer in zip(documents, answers):
        try:
            expected = repr(read_with_python(document))
        except ValueError:
            expected = "error"
            refused += 1
        found = "error" if answer.startswith("error") else repr(read_answer(answer))
        if found != expected:
            print("%r\nlibvrm: %s\nPython: %s" % (document, answer[:500], expected[:500]))
            return 1
    print("%d documents, %d of them refused by both" % (len(documents), refused))
    if len(answers) != len(documents) + 1 or not 0.1 < refused / len(documents) < 0.9:
        print("%d answers" % (len(answers) - 1))
        return 1
    return 0


def random_bits(rng):
    kind = rng.randrange(6)
    bits = rng.getrandbits(64)
    if kind == 0:
        return bits & ~(0x7FF << 52)  # subnormal
    if kind == 1:
        return bits & (0xFFF << 52)  # a power of two
    if kind == 2:
        return struct.unpack("<Q", struct.pack("<d", round(rng.uniform(-1000, 1000), rng.randrange(8))))[0]
    return bits


def compare_numbers():
    """Compares numbers with repr, which gives the shortest digits that read back, and of those the closest."""
    rng = random.Random(21)
    numbers = [random_bits(rng) for _ in range(100000)]
    answers = subprocess.run([find_program("test_json"), "--numbers"], input="".join("%x\n" % bits for bits in numbers),
                             stdout=subprocess.PIPE, check=True, text=True).stdout.split("\n")
    for bits, answer in zip(numbers, answers):
        value = struct.unpack("<d", struct.pack("<Q", bits))[0]
        same = answer == "null" if value != value or value in (math.inf, -math.inf) else (
            decimal.Decimal(answer).as_tuple().sign == decimal.Decimal(repr(value)).as_tuple().sign
            and decimal.Decimal(answer) == decimal.Decimal(repr(value)))
        if not same:
            print("%s: libvrm %s, Python %r" % (hex(bits), answer, value))
            return 1
    print("%d numbers" % len(numbers))
    return 0 if len(answers) == len(numbers) + 1 else 1


sys.exit(compare_documents() or compare_numbers())
