# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""What can be said about style without argument: licence lines, a comment on every public function, public headers
that stand alone in C17 and C++17, files that are not endless, nothing left to do."""

import os
import re
import shutil
import subprocess

import rule

SPDX = ("SPDX-FileCopyrightText: 2026 The libvrm authors", "SPDX-License-Identifier: MIT")
LONGEST = 1000
UNDONE = re.compile(r"\b(TODO|FIXME|XXX)\b")


def check_file(root, path):
    text = path.read_text(encoding="utf-8")
    name = path.relative_to(root)
    head = text[:300]
    if not all(line in head for line in SPDX):
        yield "%s: lacks the two SPDX lines" % name
    if text.count("\n") > LONGEST:
        yield "%s: has more than %d lines" % (name, LONGEST)
    if UNDONE.search(text) and path.name != "style.py":
        yield "%s: something is left to do" % name


def check_documented(root, path):
    above = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("VRM_API") and not above.startswith("///"):
            yield "%s:%d: a public function without a /// comment" % (path.relative_to(root), number)
        if line.strip():
            above = line.strip()


compiled = {}


def check_alone(root, path):
    """Each public header compiles by itself. Compiled once per text: the mutations' copies differ in one file."""
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
    """Lock files name no registry: everybody's own is used."""
    if '"resolved": "http' in path.read_text(encoding="utf-8"):
        yield "%s: names a registry (omit-lockfile-registry-resolved=true in .npmrc)" % path.relative_to(root)


def check(root):
    complaints = []
    for path in sorted(root.glob("tools/*/package-lock.json")):
        complaints.extend(check_lock(root, path))
    folders = [folder for folder in ("include", "src", "dynamics", "cli", "scenes", "tests", "tools", "cmake", "bench", "scripts",
                                  "render", "view")
               if (root / folder).is_dir()]
    for path in rule.sources(root, folders, (".c", ".h", ".cpp", ".py", ".sh", ".mjs", ".js", ".cmake")):
        if "node_modules" not in path.parts:
            complaints.extend(check_file(root, path))
    for path in rule.sources(root, ["include"]):
        complaints.extend(check_documented(root, path))
        complaints.extend(check_alone(root, path))
    return complaints


rule.main(check, [
    ("a source without a licence", "src/base/x.c", rule.append("src/base/x.c", "int vrmi_x;\n")),
    ("a public function without a comment", "include/vrm/base.h",
        rule.append("include/vrm/base.h", "\nVRM_API int vrm_secret(void);\n")),
    ("a header that needs another", "include/vrm/lonely.h",
        rule.append("include/vrm/lonely.h", "// %s\n// %s\nvrm_vec3 vrm_lonely;\n" % SPDX)),
    ("a lock file that names a registry", "tools/x/package-lock.json",
        rule.append("tools/x/package-lock.json", '{"resolved": "https://registry.example/x.tgz"}\n')),
    ("C that is not C++", "include/vrm/words.h",
        rule.append("include/vrm/words.h", "// %s\n// %s\ntypedef struct vrm_w { int class; } vrm_w;\n" % SPDX)),
])
