# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Every call of the interface survives NULL: once for its objects and inputs with valid outputs, once for all of
its pointers. A call whose object is NULL does not succeed, and what it writes stays within its outputs. The calls are
those of api.json, in the shared library, each with numbers that are 0."""

import ctypes
import json
import os
import pathlib
import subprocess
import sys

BUILD = pathlib.Path(os.environ.get("VRM_BUILD_DIR", "build/release")).resolve()
NUMBERS = {"uint8": ctypes.c_uint8, "uint32": ctypes.c_uint32, "uint64": ctypes.c_uint64, "int32": ctypes.c_int32, "int64": ctypes.c_int64,
           "int": ctypes.c_int, "size": ctypes.c_size_t, "float": ctypes.c_float, "double": ctypes.c_double, "bool": ctypes.c_bool,
           "enum": ctypes.c_int, "pointer": ctypes.c_void_p, "callback": ctypes.c_void_p, "handle": ctypes.c_void_p}
ROOM = 1 << 18
PATTERN = 0xA5


def structs_of(api):
    """Returns a function that gives the ctypes type of a type that is passed by value."""
    described = {entry["name"]: entry for entry in api["structs"]}
    known = {}

    def type_of(kind):
        if kind["kind"] == "struct":
            if kind["name"] not in known:
                members = [(m["name"], type_of(m["type"])) for m in described[kind["name"]]["members"]]
                known[kind["name"]] = type(kind["name"], (ctypes.Structure,), {"_fields_": members})
            return known[kind["name"]]
        return NUMBERS[kind["kind"]]
    return type_of, described


def call(library, api, entry, nowhere):
    """Makes one call and returns a complaint, or None. With `nowhere` the outputs are NULL, too."""
    type_of, described = structs_of(api)
    function = getattr(library, entry["name"])
    function.restype = None if entry["returns"]["kind"] == "void" else type_of(entry["returns"])
    outputs, values, types = [], [], []
    for argument in entry["arguments"]:
        kind = type_of(argument["type"])
        value = kind() if kind is not ctypes.c_void_p else None
        to = argument["type"].get("to", {})
        if argument.get("out") and not nowhere:
            room = (ctypes.c_uint8 * ROOM)(*[0])
            ctypes.memset(room, PATTERN, ROOM)
            size = described[to["name"]]["size"] if to.get("kind") == "struct" else 8
            if to.get("kind") == "struct" and described[to["name"]]["members"][0]["name"] == "struct_size":
                ctypes.memmove(room, ctypes.byref(ctypes.c_uint32(size)), 4)
            if argument["name"] != "out_angles":  # this output is three numbers, not a struct
                outputs.append((argument["name"], room, size))
            value = ctypes.cast(room, ctypes.c_void_p)
        values.append(value)
        types.append(kind)
    function.argtypes = types
    result = function(*values)
    first = entry["arguments"][0]["type"] if entry["arguments"] else {}
    on_object = first.get("kind") == "pointer" and first.get("to", {}).get("kind") == "handle" and not entry["arguments"][0].get("out")
    if on_object and entry["returns"].get("name") == "vrm_result" and result == 0 and entry["name"] not in FINE:
        return "succeeds without an object"
    for name, room, size in outputs:
        if any(byte != PATTERN for byte in bytes(room[size:size + 4096])):
            return "writes beyond %s" % name
    return None


# Calls to which NULL is a valid object, and why.
FINE = {}


def main():
    api = json.loads((BUILD / "api.json").read_text())
    entries = [entry for entry in api["functions"] if entry["library"] == "vrm"]
    if len(sys.argv) > 1:  # the child: makes the calls from number N on, and prints each before it is made
        library = ctypes.CDLL(str(BUILD / "libvrm.so"))
        for number in range(int(sys.argv[1]), 2 * len(entries)):
            entry, nowhere = entries[number // 2], number % 2 == 1
            print("call %d" % number, flush=True)
            complaint = call(library, api, entry, nowhere)
            if complaint:
                print("complaint %s%s: %s" % (entry["name"], " (outputs are NULL)" if nowhere else "", complaint), flush=True)
        return 0
    if not (BUILD / "libvrm.so").exists():
        print("skipped: no shared library")
        return 77
    failures, number = [], 0
    while number < 2 * len(entries):
        child = subprocess.run([sys.executable, "-B", __file__, str(number)], capture_output=True, text=True, timeout=300)
        lines = child.stdout.splitlines()
        failures += [line for line in lines if line.startswith("complaint")]
        if child.returncode == 0:
            break
        number = int([line for line in lines if line.startswith("call")][-1].split()[1])
        failures.append("%s%s ends with %d %s" % (entries[number // 2]["name"], " (outputs are NULL)" if number % 2 else "",
                                                  child.returncode, child.stderr[-200:]))
        number += 1
    print("%d functions, each called twice; %d failures" % (len(entries), len(failures)))
    print("\n".join(failures))
    return 1 if failures else 0


sys.exit(main())
