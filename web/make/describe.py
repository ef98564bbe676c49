# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""What the JavaScript sources need to know of the C interface, out of the api.json of the wasm32 build.

    describe.py layout API.json SOURCE.js... -o layout.js       the structs and enums that the sources name
    describe.py exports API.json ENTRY.js...                    the functions that entries and what they import name

A source names `vrm_instance_create` or 'vrm_outputs' and nothing else: what it does not name is neither described nor linked."""

import argparse
import json
import pathlib
import re
import sys

NAME = re.compile(r"\bvrm_\w+\b")
IMPORT = re.compile(r"""(?:import|export)\s[^;'"]*?from\s+'(\.{1,2}/[\w./-]+)'""")
CODES = {"float": "f", "double": "d", "bool": "b", "char": "c", "int": "i", "size": "u", "int32": "i", "uint32": "u",
         "uint8": "c", "int64": "l", "uint64": "l", "uint16": "h", "int16": "h"}
# Structs that are nothing but numbers of one kind become arrays of numbers.
NUMBERS = {"vrm_vec3": "f3", "vrm_vec4": "f4", "vrm_quat": "f4", "vrm_dvec3": "d3", "vrm_mat34": "f12"}

WORDS = {"VRM_PREFER_1_0": "1.0", "VRM_PREFER_0_X": "0.x"}


def camel(name):
    """leftUpperArm of left_upper_arm or LEFT_UPPER_ARM."""
    first, *others = name.lower().split("_")
    return first + "".join(part.capitalize() for part in others)


class Describer:
    def __init__(self, api):
        self.structs = {entry["name"]: entry for entry in api["structs"]}
        self.enums = {entry["name"]: entry for entry in api["enums"]}
        self.aliases = {entry["name"]: entry["type"] for entry in api["aliases"]}
        self.functions = {entry["name"] for entry in api["functions"]}
        self.used_enums, self.made = {}, {}

    def code(self, kind):
        """A member's type as a short text, or None for what JavaScript has no use for."""
        what = kind["kind"]
        if what in CODES:
            return CODES[what]
        if what == "alias":
            return self.code(self.aliases[kind["name"]])
        if what == "enum" and kind["name"] == "vrm_finding_id":  # its words come with the catalogue's rows
            return "u"
        if what == "enum":
            self.enum(kind["name"])
            return "e" + kind["name"]
        if what == "struct":
            if kind["name"] in NUMBERS:
                return NUMBERS[kind["name"]]
            if kind["name"] == "vrm_string":
                return "s"
            self.struct(kind["name"])
            return "S" + kind["name"]
        if what == "array":
            inner = self.code(kind["of"])
            if kind["of"]["kind"] in ("struct", "array"):
                return "%s*%d" % (inner, kind["length"])
            return "%s%d" % (inner, kind["length"])
        if what == "pointer":
            return {"char": "z", "callback": None}.get(kind["to"]["kind"], "p")
        return None

    def struct(self, name):
        if name in self.made:
            return
        self.made[name] = ""  # a struct holds itself by pointers alone
        entry, members = self.structs[name], []
        for member in entry["members"]:
            code = self.code(member["type"])
            if code is not None and member["name"] not in ("struct_size", "allocator"):
                members.append("%s %d %s" % (camel(member["name"]), member["offset"], code))
        self.made[name] = "%d;%s" % (entry["size"], ";".join(members))

    def enum(self, name):
        """Its words: the enumerators without what all of them begin with, number by number."""
        if name in self.used_enums:
            return
        entry = self.enums[name]
        values = [value for value in entry["values"] if not value["name"].endswith("_COUNT")]
        table = [value["row"].get("json") for value in values if "row" in value]
        if len(table) == len(values) and all(table):
            words = table
        else:
            prefix = name.upper() + "_"
            while not all(value["name"].startswith(prefix) for value in values):
                prefix = prefix[:prefix[:-1].rindex("_") + 1]
            words = [WORDS.get(value["name"]) or camel(value["name"][len(prefix):]) for value in values]
        self.used_enums[name] = ",".join("%s=%d" % (word, value["value"]) for word, value in zip(words, values))

    def layout(self, names):
        for name in sorted(names):
            if name in self.structs:
                self.struct(name)
            elif name in self.enums:
                self.enum(name)
            elif name not in self.functions:
                yield name


def sources_of(entry):
    """An entry and all that it imports."""
    found, open_ones = [], [entry.resolve()]
    while open_ones:
        path = open_ones.pop()
        if path in found or path.name == "layout.js":
            continue
        found.append(path)
        open_ones += [(path.parent / name).resolve() for name in IMPORT.findall(path.read_text(encoding="utf-8"))]
    return found


def code_of(path):
    """The source without its comments."""
    return re.sub(r"/\*.*?\*/|(?<![:'\"])//[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.S)


def table(name, entries):
    return "export const %s = {\n%s};\n" % (name, "".join("  %s: '%s',\n" % (key, entries[key]) for key in sorted(entries)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["layout", "exports"])
    parser.add_argument("api", type=pathlib.Path)
    parser.add_argument("sources", nargs="+", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path)
    arguments = parser.parse_args()
    api = json.loads(arguments.api.read_text(encoding="utf-8"))
    if api["pointerSize"] != 4:
        sys.exit("describe.py: %s describes a target with pointers of %d bytes, not wasm32" % (arguments.api, api["pointerSize"]))
    describer = Describer(api)
    if arguments.what == "exports":
        names = {name for entry in arguments.sources for path in sources_of(entry) for name in NAME.findall(code_of(path))}
        names |= {name + "_default" for name in names}  # what Module.params() calls
        print(",".join("_" + name for name in sorted(names & (describer.functions | {"vrm_web_allocator"}))))
        return
    names = {name for path in arguments.sources for name in NAME.findall(code_of(path))}
    unknown = [name for name in describer.layout(names) if not name.startswith("vrm_web_")]
    if unknown:
        sys.exit("describe.py: no header declares %s" % ", ".join(unknown))
    arguments.output.write_text(
        "// Made by web/make/describe.py: sizes, offsets and words by the compiler that has made the .wasm files.\n"
        "// name: 'size;member offset type;...', types: see struct.js\n" + table("structs", describer.made) +
        table("enums", describer.used_enums), encoding="utf-8")


if __name__ == "__main__":
    main()
