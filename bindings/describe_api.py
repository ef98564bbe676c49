# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Describes the public headers as JSON: functions, structs with the offsets of their members, enums, comments.

    describe_api.py layout LIBRARY=FOLDER... -o layout.c     numbers that only a compiler knows, as a C file
    describe_api.py json LIBRARY=FOLDER... --object layout.o -o api.json

The build compiles layout.c for its target and reads the numbers from the object file, which does not have to run on this machine.
A declaration in a form that this program does not understand is an error."""

import argparse
import json
import pathlib
import re
import struct
import sys

SCHEMA_VERSION = 1
MAGIC = (0x6D72762E6C61796F, 0x757400C0FFEE5EED)  # marks the beginning of the numbers in the object file
SCALARS = {"void": "void", "bool": "bool", "char": "char", "int": "int", "float": "float", "double": "double", "size_t": "size",
           **{"%sint%d_t" % (sign, bits): "%sint%d" % (sign, bits) for sign in ("", "u") for bits in (8, 16, 32, 64)}}
UNITS = [("metres per second squared", r"m/s\^2"), ("radians per second squared", r"radians per second squared|rad/s\^2"),
         ("metres per second", r"m/s|met(?:re|er)s (?:per|a) second"), ("radians per second", r"rad(?:ians)?(?:/s| (?:per|a) second)"),
         ("metres", r"met(?:re|er)s"), ("seconds", r"seconds"), ("radians", r"radians"), ("degrees", r"degrees"), ("hertz", r"hertz|Hz"),
         ("kilograms", r"kilograms|kg(?! m)"), ("newton metres", r"N m(?! s)"), ("newton seconds", r"N s"),
         ("kilogram square metres", r"kg m\^2"), ("pixels", r"pixels"), ("bytes", r"bytes")]
QUANTITIES = {"float", "double", "vrm_vec3", "vrm_dvec3"}
REMARK = re.compile(r"[;:]|\.(?:\s|$)|\bdefault\b|/ \w+ \w+", re.I)  # text that is not the unit of the quantity itself
TOKEN = re.compile(r"""(?P<space>\s+)|(?P<after>///<[^\n]*)|(?P<before>///[^\n]*)|(?P<other>//[^\n]*|/\*.*?\*/)
    |(?P<text>"(?:\\.|[^"\\])*")|(?P<word>[A-Za-z_]\w*)|(?P<number>\d[\w.]*)|(?P<sign><<|>>|.)""", re.S | re.X)


class Unknown(Exception):
    """A declaration that this program does not understand."""


# --- tokens ----------------------------------------------------------------------------------------------------------

class Token:
    def __init__(self, kind, text, line):
        self.kind, self.text, self.line = kind, text, line


def tokens_of(text):
    line, found = 1, []
    for match in TOKEN.finditer(text):
        if match.lastgroup not in ("space", "other"):
            found.append(Token(match.lastgroup, match.group(), line))
        line += match.group().count("\n")
    return found


class Macros:
    """Tables of X(...), the enumerators made from their rows, and constants. Other directives of the headers are ignored."""

    def __init__(self):
        self.functions = {}  # name: (parameters, body)
        self.constants = []  # (name, body, comment)

    def take(self, text):
        """Returns the text without directives, with the same number of lines."""
        def directive(match):
            whole = match.group().replace("\\\n", " ")
            function = re.match(r"#define (\w+)\(([^)]*)\)\s*(.*)", whole, re.S)
            constant = re.match(r"#define (VRM_(?!API\b|EXPORT\b)\w+(?<!_H)) (.*)", whole)
            if function and not function.group(1).endswith("_default"):
                parameters = [parameter.strip() for parameter in function.group(2).split(",")]
                self.functions[function.group(1)] = (parameters, re.sub(r"/\*.*?\*/", " ", function.group(3)))
            elif constant:
                body, _, comment = constant.group(2).partition("///<")
                self.constants.append((constant.group(1), body.strip(), comment.strip()))
            return "\n" * match.group().count("\n")
        return re.sub(r"^#(?:[^\n]*\\\n)*[^\n]*", directive, text, flags=re.M)

    def rows(self, table):
        """Returns the rows of a table of X(...) as lists of arguments; strings have no quotes."""
        rows, items = [], [token for token in tokens_of(self.functions[table][1]) if token.kind not in ("before", "after")]
        place = 0
        while place < len(items):
            if items[place].text != self.functions[table][0][0] or items[place + 1].text != "(":
                raise Unknown("the table %s has text that is not a row" % table)
            row, place = [""], place + 2
            while items[place].text != ")":
                item = items[place]
                if item.text == ",":
                    row.append("")
                else:
                    row[-1] += json.loads(item.text) if item.kind == "text" else item.text
                place += 1
            rows.append(row)
            place += 1
        return rows

    def enumerators(self, table, macro):
        parameters, body = self.functions[macro]
        pattern = re.fullmatch(r"\s*(\w+?)##(\w+) = \((\w+)\),\s*", body)
        if not pattern:
            raise Unknown("the macro %s does not define an enumerator" % macro)
        for row in self.rows(table):
            columns = dict(zip(parameters, row))
            comment = columns.get("sentence") or columns.get("json", "")
            yield {"name": pattern.group(1) + columns.pop(pattern.group(2)), "comment": comment,
                   "row": {key: value for key, value in columns.items() if key != pattern.group(3)}}


# --- declarations ----------------------------------------------------------------------------------------------------

def joined(comments):
    return " ".join(re.sub(r"^///<?\s?", "", token.text).strip() for token in comments).strip()


def unit_of(comment):
    """Returns the only unit that a comment names before its first remark, or None."""
    comment, found = REMARK.split(comment)[0], set()
    for unit, pattern in UNITS:
        comment, count = re.subn(r"(?<![\w^])(?<!\d )(?:%s)(?![\w^])" % pattern, "", comment, flags=re.I)
        if count:
            found.add(unit)
    return found.pop() if len(found) == 1 else None


class Header:
    """Parses the declarations of one header by recursive descent."""

    def __init__(self, api, library, name, text):
        self.api, self.library, self.name = api, library, name
        about = re.search(r"^/// @file [^\n]*\n((?:///[^\n]*\n)*)", text, re.M)
        self.comment = "" if not about else "\n".join(line[3:].strip() for line in about.group(1).splitlines())
        self.tokens = tokens_of(api.macros.take(text[:about.start()] + "\n" * about.group().count("\n") + text[about.end():]
                                                if about else text))
        self.at = 0

    # reading

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else Token("end", "", -1)

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1] if self.at <= len(self.tokens) else Token("end", "", -1)

    def expect(self, text):
        token = self.next()
        if token.text != text:
            raise Unknown("line %d: found %r, expected %r" % (token.line, token.text, text))
        return token

    def word(self):
        token = self.next()
        if token.kind != "word":
            raise Unknown("line %d: found %r, expected a name" % (token.line, token.text))
        return token.text

    def comments_before(self):
        """Returns the comments directly above the next declaration."""
        comments = []
        while self.peek().kind == "before":
            comments.append(self.next())
        keep, line = [], self.peek().line
        for token in reversed(comments):
            if token.line != line - 1:
                break
            keep.insert(0, token)
            line -= 1
        return keep

    def comments_after(self):
        comments = []
        while self.peek().kind == "after":
            comments.append(self.next())
        return comments

    # types

    def base_type(self):
        const, name = False, None
        while True:
            token = self.peek()
            if token.text == "const":
                const = True
            elif token.text == "struct":
                pass
            elif token.kind == "word" and name is None:
                name = token.text
            else:
                break
            self.next()
        if name is None:
            raise Unknown("line %d: found %r, expected a type" % (self.peek().line, self.peek().text))
        kind = {"kind": SCALARS[name]} if name in SCALARS else {"kind": "named", "name": name}
        return {**kind, "const": True} if const else kind

    def declarator(self, base):
        """Returns (name, type) of a declarator after its base type, such as `*const *name[3]` or `(*name)(arguments)`."""
        made = base
        while self.peek().text in ("*", "const"):
            if self.next().text == "*":
                made = {"kind": "pointer", "to": made}
        if self.peek().text == "(" and self.peek(1).text == "*":
            self.at += 2
            name = self.word()
            self.expect(")")
            return name, {"kind": "callback", "returns": made, "arguments": self.arguments()}
        name = self.word() if self.peek().kind == "word" else ""
        lengths = []
        while self.peek().text == "[":
            self.next()
            lengths.append(self.next().text)
            self.expect("]")
        for length in reversed(lengths):
            made = {"kind": "array", "of": made, "length": length}
        return name, made

    def arguments(self):
        self.expect("(")
        arguments = []
        if self.peek().text == "void" and self.peek(1).text == ")":
            self.next()
        while self.peek().text != ")":
            name, made = self.declarator(self.base_type())
            if made["kind"] == "array":
                made = {"kind": "pointer", "to": made["of"], "length": made["length"]}
            arguments.append({"name": name, "type": made})
            if self.peek().text == ",":
                self.next()
        self.expect(")")
        return arguments

    # declarations of a header

    def parse(self):
        while True:
            self.comments_after()
            comments = self.comments_before()
            if self.peek().kind == "end":
                return
            try:
                self.declaration(joined(comments))
            except Unknown as fault:
                raise Unknown("%s: %s" % (self.name, fault)) from None

    def declaration(self, comment):
        line = self.peek().line
        first, second, name, after = (self.peek(ahead).text for ahead in range(4))
        entry = {"name": None, "header": self.name, "library": self.library, "comment": comment}
        if first == "VRM_API":
            self.next()
            entry["name"], entry["returns"] = self.declarator(self.base_type())
            entry["arguments"] = self.arguments()
            self.expect(";")
            entry["comment"] = " ".join(filter(None, [comment, joined(self.comments_after())]))
            self.api.functions.append(entry)
        elif first == "enum" and second == "{":
            self.next()
            self.enumerators(entry)
            self.expect(";")
            after = joined(self.comments_after())
            for value in entry["values"]:
                self.api.constants.append({"name": value["name"], "header": self.name, "library": self.library,
                                           "comment": value["comment"] or after or comment, "value": value["name"]})
        elif (first, second, after) == ("typedef", "enum", "{"):
            self.at += 3
            self.enumerators(entry)
            entry["name"] = self.end_of(name)
            self.api.enums.append(entry)
        elif (first, second, after) == ("typedef", "struct", "{"):
            self.at += 3
            self.members(entry)
            entry["name"] = self.end_of(name)
            self.api.structs.append(entry)
        elif (first, second, after) == ("typedef", "struct", name):
            self.at += 4
            self.expect(";")
            self.api.handles.append({**entry, "name": name})
        elif first == "typedef":
            self.next()
            entry["name"], made = self.declarator(self.base_type())
            if self.peek().text == "(":
                self.api.callbacks.append({**entry, "returns": made, "arguments": self.arguments()})
            else:
                self.api.aliases.append({**entry, "type": made})
            self.expect(";")
        else:
            raise Unknown("line %d: found %r, expected a declaration" % (line, first))

    def end_of(self, name):
        self.expect(name)
        self.expect(";")
        self.comments_after()
        return name

    def enumerators(self, entry):
        self.expect("{")
        entry["values"] = []
        while self.peek().text != "}":
            comment = self.comments_before()
            name = self.word()
            if self.peek().text == "(":  # a table of X(...)
                self.next()
                entry["values"] += self.api.macros.enumerators(name, self.word())
                self.expect(")")
                continue
            while self.peek().text not in (",", "}") and self.peek().kind != "after":
                self.next()
            comment += self.comments_after()
            if self.peek().text == ",":
                self.next()
            comment += self.comments_after()
            entry["values"].append({"name": name, "comment": joined(comment)})
        self.expect("}")

    def members(self, entry):
        self.expect("{")
        entry["members"] = []
        while self.peek().text != "}":
            before, base, found = self.comments_before(), self.base_type(), []
            while True:
                found.append(self.declarator(base))
                if self.peek().text == ";":
                    break
                self.expect(",")
            self.expect(";")
            comment = joined(before + self.comments_after())
            entry["members"] += [{"name": name, "type": made, "comment": comment} for name, made in found]
        self.expect("}")


class Api:
    def __init__(self):
        self.macros = Macros()
        self.headers, self.constants, self.enums, self.handles = [], [], [], []
        self.callbacks, self.aliases, self.structs, self.functions = [], [], [], []

    def read(self, library, folder):
        for path in sorted(folder.rglob("*.h")):
            name = path.relative_to(folder).as_posix()
            header = Header(self, library, name, path.read_text(encoding="utf-8"))
            header.parse()
            self.headers.append({"name": name, "library": library, "comment": header.comment})
            self.constants += [{"name": constant, "header": name, "library": library, "comment": comment, "value": body}
                               for constant, body, comment in self.macros.constants]
            self.macros.constants = []

    def resolve(self):
        """Adds the kinds of named types, and removes handles that several headers declare or that are structs."""
        structs = {entry["name"] for entry in self.structs}
        handles = {}
        for entry in self.handles:
            known = handles.get(entry["name"])
            if entry["name"] not in structs and (known is None or len(known["comment"]) < len(entry["comment"])):
                handles[entry["name"]] = entry
        self.handles = list(handles.values())
        kinds = {name: kind for kind, entries in [("struct", structs), ("handle", handles)] for name in entries}
        kinds.update({entry["name"]: kind for kind, entries in [
            ("enum", self.enums), ("callback", self.callbacks), ("alias", self.aliases)] for entry in entries})

        def visit(made):
            if isinstance(made, dict):
                if made.get("kind") == "named":
                    if made["name"] not in kinds:
                        raise Unknown("%s is not a type that the headers declare" % made["name"])
                    made["kind"] = kinds[made["name"]]
                for value in made.values():
                    visit(value)
            elif isinstance(made, list):
                for value in made:
                    visit(value)
        for entries in (self.structs, self.functions, self.callbacks, self.aliases):
            visit(entries)

    # --- numbers that the compiler knows ---

    def questions(self):
        """Yields (object, key, constant expression) for each number that the compiler has to compute."""
        for entry in self.structs:
            name = entry["name"]
            yield entry, "size", "sizeof(%s)" % name
            yield entry, "alignment", "_Alignof(%s)" % name
            for member in entry["members"]:
                yield member, "offset", "offsetof(%s, %s)" % (name, member["name"])
                yield member, "size", "sizeof(((%s *)0)->%s)" % (name, member["name"])
        for entry in self.enums:
            for value in entry["values"]:
                yield value, "value", value["name"]
        for constant in self.constants:
            if not re.fullmatch(r'".*"|-?[\d.]+', constant["value"]):
                yield constant, "value", constant["value"]
        for holder in self.arrays([self.structs, self.functions, self.callbacks]):
            yield holder, "length", holder["length"]

    def arrays(self, made):
        if isinstance(made, dict):
            if made.get("kind") in ("array", "pointer") and "length" in made:
                yield made
            made = list(made.values())
        if isinstance(made, list):
            for value in made:
                yield from self.arrays(value)

    def layout(self):
        """Returns a C file whose object file contains these numbers."""
        includes = "".join("#include <%s>\n" % header["name"] for header in self.headers)
        asked = "".join("    (uint64_t)(%s),\n" % expression for _, _, expression in self.questions())
        return ("// Generated by bindings/describe_api.py.\n#include <stddef.h>\n#include <stdint.h>\n\n%s\n"
                "const uint64_t vrm_api_layout[];\nconst uint64_t vrm_api_layout[] = {\n    UINT64_C(%d),\n    UINT64_C(%d),\n"
                "    sizeof(void *),\n%s};\n" % (includes, *MAGIC, asked))

    def answer(self, data):
        """Fills in the numbers from the object file. Returns the size of a pointer."""
        for order in "<>":
            start = data.find(struct.pack(order + "QQ", *MAGIC))
            if start >= 0:
                break
        else:
            raise Unknown("the object file contains no layout")
        questions = list(self.questions())
        pointer, *numbers = struct.unpack_from("%s%dq" % (order, len(questions) + 1), data, start + 16)
        for (holder, key, _), number in zip(questions, numbers):
            holder[key] = number
        for constant in self.constants:
            if isinstance(constant["value"], str):
                constant["value"] = json.loads(constant["value"])
            elif constant["name"] == "VRM_CLIP_ALL_BONES":
                constant["value"] %= 1 << 64
        return pointer

    @staticmethod
    def is_quantity(made):
        target = made.get("to") or made.get("of") or made
        return target.get("name", target["kind"]) in QUANTITIES

    def finish(self):
        """Adds units, and marks the pointers through which a function writes."""
        for entry in self.structs:
            for member in entry["members"]:
                unit = unit_of(member["comment"])
                if unit and self.is_quantity(member["type"]):
                    member["unit"] = unit
        for entry in self.functions + self.callbacks:
            unit = unit_of(entry["comment"])
            quantities = []
            for argument in entry["arguments"]:
                if re.match(r"out(_|$)", argument["name"]):
                    argument["out"] = True
                if self.is_quantity(argument["type"]):
                    quantities.append(argument)
            if unit and len(quantities) == 1:
                quantities[0]["unit"] = unit
            elif unit and not quantities and entry["returns"]["kind"] in QUANTITIES:
                entry["unit"] = unit

    def document(self, pointer):
        constants = {constant["name"]: constant["value"] for constant in self.constants}
        return {"schemaVersion": SCHEMA_VERSION, "name": "libvrm", "version": constants["VRM_VERSION_STRING"],
                "pointerSize": pointer, "headers": self.headers, "constants": self.constants, "enums": self.enums,
                "handles": self.handles, "callbacks": self.callbacks, "aliases": self.aliases, "structs": self.structs,
                "functions": self.functions}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["layout", "json"])
    parser.add_argument("headers", nargs="+", metavar="LIBRARY=FOLDER")
    parser.add_argument("--object", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    try:
        api = Api()
        for pair in arguments.headers:
            library, _, folder = pair.partition("=")
            api.read(library, pathlib.Path(folder))
        api.resolve()
        if arguments.what == "layout":
            text = api.layout()
        else:
            pointer = api.answer(arguments.object.read_bytes())
            api.finish()
            text = json.dumps(api.document(pointer), indent=1, ensure_ascii=False) + "\n"
    except Unknown as fault:
        sys.exit("describe_api.py: %s" % fault)
    arguments.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
