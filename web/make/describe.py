# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Writes the parts of the C interface that the JavaScript sources use, from the api.json of the wasm32 build.

    describe.py layout API.json LAYOUT.js=ENTRY.js[,ENTRY.js]...   the structs and enums named by entries and their imports,
                                                                without those of the layouts before
    describe.py exports API.json ENTRY.js...                    the functions named by entries and their imports

A source names functions and structs as `vrm_instance_create` or 'vrm_outputs'. Others are neither described nor linked."""

import argparse
import json
import pathlib
import re
import sys

NAME = re.compile(r"\bvrm_\w+\b")
IMPORT = re.compile(r"""(?:import|export)\s[^;'"]*?from\s+'(\.{1,2}/[\w./-]+)'""")
CODES = {"float": "f", "double": "d", "bool": "b", "char": "c", "int": "i", "size": "u", "int32": "i", "uint32": "u",
         "uint8": "c", "int64": "l", "uint64": "l", "uint16": "h", "int16": "h"}
# Structs that consist of numbers of one kind become arrays of numbers.
NUMBERS = {"vrm_vec3": "f3", "vrm_vec4": "f4", "vrm_quat": "f4", "vrm_dvec3": "d3", "vrm_mat34": "f12"}

WORDS = {"VRM_PREFER_1_0": "1.0", "VRM_PREFER_0_X": "0.x"}


def camel(name):
    """Returns leftUpperArm for left_upper_arm or LEFT_UPPER_ARM."""
    first, *others = name.lower().split("_")
    return first + "".join(part.capitalize() for part in others)


SIZES = {"f": 4, "d": 8, "u": 4, "i": 4, "l": 8, "h": 2, "c": 1, "b": 1, "p": 4, "s": 8, "z": 4, "e": 4}
COUNT = re.compile(r"^(.*?)(?:\*|(?<=^[fduilhcb]))(\d+)$")


class Describer:
    def __init__(self, api, words):
        self.structs = {entry["name"]: entry for entry in api["structs"]}
        self.enums = {entry["name"]: entry for entry in api["enums"]}
        self.aliases = {entry["name"]: entry["type"] for entry in api["aliases"]}
        self.functions = {entry["name"] for entry in api["functions"]}
        self.words = words  # pointers are described only if a source names them
        self.made, self.alignments = {}, {}

    def code(self, kind):
        """Returns a member's type as a short text; None if JavaScript does not need it."""
        what = kind["kind"]
        if what in CODES:
            return CODES[what]
        if what == "alias":
            return self.code(self.aliases[kind["name"]])
        if what == "enum" and kind["name"] == "vrm_finding_id":  # the catalogue's rows have its words
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

    def shape(self, code):
        """Returns (size, alignment) by the rules of struct.js."""
        several = COUNT.match(code)
        if several:
            size, alignment = self.shape(several[1])
            return size * int(several[2]), alignment
        if code[0] == "S":
            return self.structs[code[1:]]["size"], self.alignments[code[1:]]
        return SIZES[code[0]], 4 if code[0] == "s" else SIZES[code[0]]

    def struct(self, name):
        """Returns members by type, in order. A member that does not follow the last one by C's alignment has its offset."""
        if name in self.made:
            return
        self.made[name] = ""  # a struct refers to itself only by pointers
        entry, rows, end, largest = self.structs[name], [], 0, 1
        begins = entry["members"][0]["name"] == "struct_size"
        if begins:
            end = largest = 4
        for member in entry["members"]:
            if member["name"] in ("struct_size", "allocator"):
                continue
            code, word = self.code(member["type"]), camel(member["name"])
            if code is None or (code == "p" and word not in self.words):
                continue
            size, alignment = self.shape(code)
            text = word if -(-end // alignment) * alignment == member["offset"] else "%s@%d" % (word, member["offset"])
            if rows and rows[-1][0] == code:
                rows[-1].append(text)
            else:
                rows.append([code, text])
            end, largest = member["offset"] + size, max(largest, alignment)
        self.alignments[name] = largest
        self.made[name] = ";".join(["%d%s" % (entry["size"], "s" if begins else "")] + [" ".join(row) for row in rows])

    def enum(self, name):
        """Returns an enum's words: the enumerators without their common prefix, and a number if it is not one more than the last."""
        if name in self.made:
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
        texts, last = [], -1
        for word, value in zip(words, values):
            texts.append(word if value["value"] == last + 1 else "%s=%d" % (word, value["value"]))
            last = value["value"]
        self.made[name] = ",".join(texts)

    def layout(self, names):
        for name in sorted(names):
            if name in self.structs:
                self.struct(name)
            elif name in self.enums:
                self.enum(name)
            elif name not in self.functions:
                yield name


def sources_of(entry):
    """Returns an entry and all files that it imports."""
    found, open_ones = [], [entry.resolve()]
    while open_ones:
        path = open_ones.pop()
        if path in found or path.name.startswith("layout"):
            continue
        found.append(path)
        open_ones += [(path.parent / name).resolve() for name in IMPORT.findall(path.read_text(encoding="utf-8"))]
    return found


def code_of(path):
    """Returns the source without comments."""
    return re.sub(r"/\*.*?\*/|(?<![:'\"])//[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.S)


def named(entries, pattern):
    """Returns all names in the entries and their imports."""
    return {name for entry in entries for path in sources_of(pathlib.Path(entry)) for name in pattern.findall(code_of(path))}


def layouts(api, wanted):
    """Returns (file, text) for each LAYOUT=ENTRIES."""
    before = set()
    for text in wanted:
        path, entries = text.split("=")
        entries = entries.split(",")
        describer = Describer(api, named(entries, re.compile(r"\w+")))
        unknown = [name for name in describer.layout(named(entries, NAME)) if not name.startswith("vrm_web_")]
        if unknown:
            sys.exit("describe.py: no header declares %s" % ", ".join(unknown))
        rows = ["  %s: '%s',\n" % (name, describer.made[name]) for name in sorted(set(describer.made) - before)]
        yield pathlib.Path(path), (
            "// Generated by web/make/describe.py: sizes, offsets and words from the compiler of the .wasm files.\n"
            "// struct.js explains the texts.\nexport const layout = {\n%s};\n" % "".join(rows))
        before |= set(describer.made)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["layout", "exports"])
    parser.add_argument("api", type=pathlib.Path)
    parser.add_argument("arguments", nargs="+")
    arguments = parser.parse_args()
    api = json.loads(arguments.api.read_text(encoding="utf-8"))
    if api["pointerSize"] != 4:
        sys.exit("describe.py: %s describes a target with pointers of %d bytes, not wasm32" % (arguments.api, api["pointerSize"]))
    if arguments.what == "layout":
        for path, text in layouts(api, arguments.arguments):
            path.write_text(text, encoding="utf-8")
        return
    names = named(arguments.arguments, NAME)
    own = {name for name in names if name.startswith("vrm_web_")}  # functions of web/make/*.c, which no header declares
    names |= {name + "_default" for name in names}  # Module.params() calls these functions
    print(",".join("_" + name for name in sorted(names & {entry["name"] for entry in api["functions"]} | own)))


if __name__ == "__main__":
    main()
