# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""vrm.hpp compiles as C++17 and C++20, with and without exceptions, without a warning. It behaves as vrm_hpp.cpp
checks, without a leak, and has an owner for every handle. The C++ example runs, and the documentation page's program
compiles."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("VRM_BUILD_DIR", "build/release")).resolve()
VRM = os.environ.get("VRM_COMMAND", BUILD / "bin/vrm")
FLAGS = ["-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-pedantic", "-Werror", "-I", ROOT / "include", "-I", ROOT / "render/include"]
HEADERS = {"vrm": ROOT / "include/vrm/vrm.hpp", "vrm-render": ROOT / "render/include/vrm_render/render.hpp"}
failures = []


def check(what, good):
    if not good:
        failures.append(what)
        print("failed: " + what)


def run(*command, **options):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    return result.returncode, result.stdout + result.stderr


def compiles(what, *command):
    code, text = run(*command)
    check("%s: %s" % (what, text[:2000]), code == 0)
    return code == 0


def check_handles():
    """Checks that each handle that can be destroyed has an owner in the header of its library."""
    api = json.loads((BUILD / "api.json").read_text(encoding="utf-8"))
    functions = {entry["name"] for entry in api["functions"]}
    for entry in api["handles"]:
        ends = [entry["name"] + end for end in ("_destroy", "_release") if entry["name"] + end in functions]
        if entry["library"] in HEADERS and ends:
            text = HEADERS[entry["library"]].read_text(encoding="utf-8")
            check("%s: add `using %s = owner<%s, %s>;`" % (
                HEADERS[entry["library"]].name, entry["name"][4:], entry["name"], ends[0]),
                re.search(r"owner<%s, %s\b" % (entry["name"], ends[0]), text))


def check_headers(folder):
    source = folder / "headers.cpp"
    source.write_text("#include <vrm/vrm.hpp>\n#include <vrm_render/render.hpp>\n")
    plain = ["-fno-exceptions", "-fno-rtti"]
    for compiler, standard, more in (("c++", "17", []), ("c++", "20", plain), ("clang++", "20", []), ("clang++", "17", plain)):
        if shutil.which(compiler):
            compiles("the headers by %s as C++%s %s" % (compiler, standard, more), compiler, "-std=c++" + standard, *FLAGS, *more,
                     "-fsyntax-only", source)


def main():
    if not shutil.which("c++") or not (BUILD / "api.json").exists():
        print("skipped: there is no C++ compiler, or no api.json")
        sys.exit(77)
    check_handles()
    libraries = [BUILD / "libvrm.a", "-pthread", "-lm"]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_headers(folder)
        if compiles("vrm_hpp.cpp", "c++", "-std=c++17", "-g", "-fsanitize=address,undefined", *FLAGS,
                    ROOT / "tests/bindings/vrm_hpp.cpp", "-o", folder / "owners", *libraries):
            code, text = run(folder / "owners")
            check("vrm_hpp: %s" % text, code == 0)
        page = re.search(r"```cpp\n(.*?)```", (ROOT / "docs/cpp.md").read_text(encoding="utf-8"), re.S).group(1)
        (folder / "page.cpp").write_text(page, encoding="utf-8")
        compiles("docs/cpp.md", "c++", "-std=c++17", *FLAGS, "-fsyntax-only", folder / "page.cpp")
        if compiles("hair.cpp", "c++", "-std=c++17", "-O1", *FLAGS, ROOT / "examples/cpp/hair.cpp", "-o", folder / "hair",
                    *libraries):
            run(VRM, "sample", "--minimal", "-o", folder / "avatar.vrm")
            code, text = run(folder / "hair", folder / "avatar.vrm")
            print(text, end="")
            found = re.match(r"tails move at up to (\d+\.\d+) m/s\n\d+ nodes, \d+ matrices of skins, the strongest expression at 1.0\n", text)
            check("hair: %s" % text, code == 0 and found and 0.1 < float(found[1]) < 10.0)
            (folder / "broken.vrm").write_bytes((folder / "avatar.vrm").read_bytes()[:1000])
            code, text = run(folder / "hair", folder / "broken.vrm")
            check("hair says what is wrong: %s" % text, code == 1 and "GLB_LENGTH_MISMATCH" in text)
    sys.exit(1 if failures else 0)


main()
