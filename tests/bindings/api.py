# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Checks that api.json describes the interface correctly. Its functions must be those that the libraries export. Its
structs, the members' offsets and the enums' numbers must agree with another reading of the headers (tests/abi) and
with a program that prints offsetof. A header that the generator does not understand must be refused and not left
out."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/abi"))
import test_enums  # noqa: E402
import test_frozen  # noqa: E402

BUILD = pathlib.Path(os.environ.get("VRM_BUILD_DIR", "build/release")).resolve()
CC = os.environ.get("CC", "cc")
FOLDERS = {"vrm": ROOT / "include", "vrm-render": ROOT / "render/include",
           **{"vrm-" + path.parent.name: path for path in (ROOT / "adapters").glob("*/include")}}
failures = []


def check(what, good):
    if not good:
        failures.append(what)
        print("failed: " + what)


def same(what, described, found):
    check("%s: %d described, %d found; only described %s, only found %s" % (
        what, len(described), len(found), sorted(set(described) - set(found))[:5], sorted(set(found) - set(described))[:5]),
        described == found)


def exported(library):
    """Returns the public functions that a library defines."""
    names = {"vrm": (["-D"], "libvrm.so"), "vrm-render": ([], "render/libvrm-render.a"), "vrm-ode": ([], "adapters/ode/libvrm-ode.a")}
    options, file = names.get(library, ([], ""))
    if not file or not (BUILD / file).exists():
        return None
    listed = subprocess.run(["nm", *options, "--defined-only", BUILD / file], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r" T (vrm_\w+)$", listed, re.M))


def check_functions(api):
    for library in FOLDERS:
        found = exported(library)
        if found is not None:
            same("functions of lib" + library, {entry["name"] for entry in api["functions"] if entry["library"] == library}, found)
    check("every function and struct has a comment", all(entry["comment"] for entry in api["functions"] + api["structs"]))


def check_structs(api, folder):
    """Checks all structs: their text by regular expressions, their numbers by a program."""
    headers = [path for include in FOLDERS.values() for path in sorted(include.rglob("*.h"))]
    text = re.sub(r"//[^\n]*", "", "".join(path.read_text(encoding="utf-8") for path in headers))
    include = folder / "include"
    for source in FOLDERS.values():
        subprocess.run(["cp", "-r", "%s/." % source, include], check=True)
    # test_frozen's program includes only vrm/vrm.h, so vrm/vrm.h must include all headers.
    with open(include / "vrm/vrm.h", "a", encoding="utf-8") as file:
        file.writelines("#include <%s>\n" % path.relative_to(include).as_posix() for path in include.rglob("*.h")
                        if path.name != "vrm.h")
    found, errors = test_frozen.layout(include, dict(test_frozen.STRUCT.findall(text)), folder)
    check("the program of offsetof compiles: %s" % errors[:3], found is not None)
    described = {entry["name"]: (0, entry["size"]) for entry in api["structs"]}
    described.update({"%s.%s" % (entry["name"], member["name"]): (member["offset"], member["size"])
                      for entry in api["structs"] for member in entry["members"]})
    same("structs and members", described, found or {})


def check_enums(api, folder):
    """Compares the enums with the numbers after the preprocessor, which also expands the tables of X(...)."""
    headers = "".join("#include <%s>\n" % entry["name"] for entry in api["headers"])
    found = {}
    for body in re.findall(r"\benum\b[^;{}]*\{([^}]*)\}", test_enums.preprocessed(headers, folder / "include")):
        number = -1
        for item in filter(None, (part.strip() for part in body.split(","))):
            name, _, value = (part.strip() for part in item.partition("="))
            number = eval(value) if re.fullmatch(r"[-()0-9<\s]+", value) else number + 1
            found[name] = number
    described = {value["name"]: value["value"] for entry in api["enums"] for value in entry["values"]}
    described.update({entry["name"]: entry["value"] for entry in api["constants"] if entry["name"] in found})
    same("enumerators", described, {name: number for name, number in found.items() if name.startswith("VRM_")})


def entry_of(api, kind, name):
    return next(entry for entry in api[kind] if entry["name"] == name)


def check_texts(api):
    """Checks comments, units, tables and constants by examples of each form."""
    outputs = {member["name"]: member for member in entry_of(api, "structs", "vrm_outputs")["members"]}
    check("a comment beside two members is both", outputs["look_yaw"]["comment"] == outputs["look_pitch"]["comment"] != "")
    check("and so is its unit", outputs["look_pitch"].get("unit") == "radians")
    check("a pointer", outputs["world"]["type"] == {
        "kind": "pointer", "to": {"kind": "alias", "name": "vrm_world", "const": True}})
    target = entry_of(api, "functions", "vrm_instance_set_look_at_target")["arguments"]
    check("an argument's unit", [argument.get("unit") for argument in target] == [None, "metres"])
    check("an argument that is written", entry_of(api, "functions", "vrm_instance_get_root")["arguments"][1].get("out"))
    check("a default is no unit", "unit" not in next(
        member for member in entry_of(api, "structs", "vrm_look_chain_def")["members"] if member["name"] == "expression_pitch"))
    head = entry_of(api, "enums", "vrm_human_bone")["values"][5]
    check("a row of a table", (head["name"], head["row"]["json"], head["row"]["parent"]) == ("VRM_HUMAN_BONE_HEAD", "head", "NECK"))
    check("texts in several pieces", entry_of(api, "enums", "vrm_finding_id")["values"][1]["row"]["hint"].endswith(
        "read cooked avatars."))
    check("a 64-bit constant", entry_of(api, "constants", "VRM_CLIP_ALL_BONES")["value"] == (1 << 55) - 1)
    check("handles are told once", [entry["name"] for entry in api["handles"]].count("vrm_avatar") == 1
          and "vrm_instance" in [entry["name"] for entry in api["handles"]])
    check("headers say what they are for", all(entry["comment"] for entry in api["headers"] if entry["name"] != "vrm/vrm.h"))


def check_refusals(folder):
    """Checks that the generator refuses text that it does not understand, and names the header."""
    for number, text in enumerate(["typedef union vrm_u { int a; } vrm_u;", "static int vrm_x;", "VRM_API int vrm_x(vrm_unknown u);",
                                   "typedef struct vrm_x { int a : 3; } vrm_x;", "VRM_API int vrm_x(int (*f)(int)"]):
        include = folder / ("refused%d" % number)
        include.mkdir()
        (include / "x.h").write_text("%s\n" % text, encoding="utf-8")
        result = subprocess.run([sys.executable, "-B", ROOT / "bindings/describe_api.py", "layout", "vrm=%s" % include, "-o",
                                 include / "layout.c"], capture_output=True, text=True)
        check("%r is refused: %s" % (text, result.stderr), result.returncode != 0 and result.stderr.startswith("describe_api.py: "))


def main():
    if not (BUILD / "api.json").exists():
        print("skipped: there is no api.json")
        sys.exit(77)
    api = json.loads((BUILD / "api.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "include").mkdir()
        check_functions(api)
        check_structs(api, folder)
        check_enums(api, folder)
        check_texts(api)
        check_refusals(folder)
    print("%d functions, %d structs, %d enums" % tuple(len(api[kind]) for kind in ("functions", "structs", "enums")))
    sys.exit(1 if failures else 0)


main()
