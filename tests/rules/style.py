# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Checks the rules of style that are objective. Files have licence lines. All public names have a comment and a
test. Public headers compile alone as C17 and C++17. Files and folders have a limited size. No unfinished work is
left."""

import collections
import os
import pathlib
import re
import shutil
import subprocess

import rule

SPDX = ("SPDX-FileCopyrightText: 2026 The libvrm authors", "SPDX-License-Identifier: MIT")
LONGEST = 1000
FULLEST = 40
UNDONE = re.compile(r"\b(TODO|FIXME|XXX)\b")


def check_file(root, path):
    text = path.read_text(encoding="utf-8")
    name = path.relative_to(root)
    head = text[:300]
    if not all(line in head for line in SPDX):
        yield "%s: lacks the two SPDX lines" % name
    if text.count("\n") > LONGEST:
        yield "%s: has more than %d lines" % (name, LONGEST)
    if rule.findall(UNDONE, text) and path.name != "style.py":
        yield "%s: something is left to do" % name


def check_folders(root):
    """Checks the number of files in each folder: related files are together, and a folder can be surveyed at a
    glance."""
    counts = collections.Counter(path.parent for path in rule.sources(root, rule.folders(root), (".c", ".h", ".cpp")))
    for folder, count in sorted(counts.items()):
        if count > FULLEST:
            yield "%s/: has %d sources, more than %d" % (folder.relative_to(root), count, FULLEST)


TYPE = re.compile(r"typedef (?:struct|enum) \w+(?: \{|$)")
# Numbers, flags and addresses need a comment. Fields of the library's own types are described at their type.
NUMBER = re.compile(r"(?:const )?(?:float|double|bool|u?int\d+_t|size_t|char|void) ")
# Fields without a comment: names with a fixed meaning, counts next to their arrays, and coordinates.
USUAL = re.compile(r"\b(?:struct_size|\w*user|\w*counts?|[a-z](?:\[\d\])*)(?:, \w+)*;")


def check_documented(root, path):
    """Every public function and type has a comment above it. Every field that is a number, flag or address has one
    above or beside it."""
    above, inside, name = "", False, path.relative_to(root)
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        begins = TYPE.match(line) and ("{" in line or lines[number].startswith("{"))
        if (line.startswith("VRM_API") or begins) and not above.startswith("///"):
            yield "%s:%d: a public function or type without a /// comment" % (name, number)
        inside = (inside or begins) and not line.startswith("}")
        if (inside and line.endswith(";") and NUMBER.match(line.strip()) and not above.startswith("///")
                and not USUAL.search(line)):
            yield "%s:%d: a public field without a /// comment" % (name, number)
        if line.strip():
            above = line.strip()


def check_tested(root):
    """Every public function is named by a test of this checkout."""
    tests = pathlib.Path.cwd() / "tests"
    words = set()
    for path in rule.sources(tests.parent, ["tests"], (".c", ".h")):
        words.update(re.findall(r"\bvrm_\w+", path.read_text(encoding="utf-8")))
    for path in rule.sources(root, ["include"]):
        for declared in re.findall(r"^VRM_API [^;]*?\b(vrm_\w+)\(", path.read_text(encoding="utf-8"), re.M):
            if declared not in words:
                yield "%s: no test calls %s" % (path.relative_to(root), declared)


compiled = {}


def check_alone(root, path):
    """Each public header compiles alone. It is compiled once per content, since mutated copies differ in one file
    only."""
    key = (path.name, path.read_text(encoding="utf-8"))
    if key not in compiled:
        compiled[key] = list(compile_alone(root, path))
    return compiled[key]


def compile_alone(root, path):
    name = path.relative_to(root / "include")
    compilers = [(os.environ.get("CC", "cc"), "c", "c17")]
    if shutil.which("c++"):
        compilers.append(("c++", "c++", "c++17"))
    for compiler, language, standard in compilers:
        result = subprocess.run(
            [compiler, "-x", language, "-std=" + standard, "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only",
             "-I", str(root / "include"), "-"],
            input="#include <%s>\nint main(void);\n" % name if language == "c" else "#include <%s>\n" % name,
            capture_output=True, text=True)
        if result.returncode != 0:
            yield "include/%s: does not compile alone as %s: %s" % (name, standard, result.stderr.strip()[:300])


def check_lock(root, path):
    """Lock files name no registry, so that each user's own registry is used."""
    if '"resolved": "http' in path.read_text(encoding="utf-8"):
        yield "%s: names a registry (omit-lockfile-registry-resolved=true in .npmrc)" % path.relative_to(root)


def check(root):
    complaints = []
    for path in sorted(root.glob("tools/*/package-lock.json")):
        complaints.extend(check_lock(root, path))
    for path in rule.sources(root, rule.folders(root), (".c", ".h", ".cpp", ".py", ".sh", ".mjs", ".js", ".cmake")):
        complaints.extend(check_file(root, path))
    complaints.extend(check_folders(root))
    for path in rule.sources(root, ["include"]):
        complaints.extend(check_documented(root, path))
        complaints.extend(check_alone(root, path))
    complaints.extend(check_tested(root))
    return complaints


def fill_folder(root):
    for number in range(FULLEST + 1):
        rule.append("src/crowded/x%d.c" % number, "// %s\n// %s\n" % SPDX)(root)


rule.main(check, [
    ("a source without a licence", "src/base/x.c", rule.append("src/base/x.c", "int vrmi_x;\n")),
    ("a folder that holds everything", "src/crowded/: has", fill_folder),
    ("a public function without a comment", "include/vrm/base.h",
        rule.append("include/vrm/base.h", "\nVRM_API int vrm_secret(void);\n")),
    ("a public number without a comment", "include/vrm/base.h",
        rule.append("include/vrm/base.h", "\n/// X.\ntypedef struct vrm_x {\n    float secret;\n} vrm_x;\n")),
    ("a public function without a test", "no test calls vrm_nobody_",
        rule.append("include/vrm/base.h", "\n/// X.\nVRM_API int vrm_nobody_" "tests(void);\n")),
    ("a header that needs another", "include/vrm/lonely.h",
        rule.append("include/vrm/lonely.h", "// %s\n// %s\nvrm_vec3 vrm_lonely;\n" % SPDX)),
    ("a lock file that names a registry", "tools/x/package-lock.json",
        rule.append("tools/x/package-lock.json", '{"resolved": "https://registry.example/x.tgz"}\n')),
    ("C that is not C++", "include/vrm/words.h",
        rule.append("include/vrm/words.h", "// %s\n// %s\n/// W.\ntypedef struct vrm_w { int class; } vrm_w;\n" % SPDX)),
])
