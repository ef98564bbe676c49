# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""R6, one format: clang-format, in the version that .clang-format names, finds nothing to change."""

import pathlib
import re
import shutil
import subprocess
import sys

import rule

STYLE = pathlib.Path(".clang-format").resolve()
WARNING = re.compile(r"^(.+?):(\d+):\d+: (?:warning|error): ", re.M)


def version_named():
    """Returns the version of clang-format in the first line of .clang-format. Other versions format differently."""
    return re.match(r"# clang-format (\d+)\n", STYLE.read_text(encoding="utf-8")).group(1)


def find_formatter(version):
    for name in ("clang-format-" + version, "clang-format"):
        if shutil.which(name):
            words = subprocess.run([name, "--version"], check=True, capture_output=True, text=True).stdout
            if re.search(r"version %s\." % version, words):
                return name
    return None


VERSION = version_named()
FORMATTER = find_formatter(VERSION)
formatted = set()


def check(root):
    """Formats all files in one process. Files that have passed are not read again, since the mutated copies differ
    in one file only."""
    files = [path for path in rule.sources(root, rule.folders(root), (".c", ".h", ".cpp"))
             if path.read_text(encoding="utf-8") not in formatted]
    if not files:
        return []
    result = subprocess.run([FORMATTER, "--style=file:%s" % STYLE, "--dry-run", *map(str, files)],
                            check=True, capture_output=True, text=True)
    complaints, bad = [], set()
    for name, line in WARNING.findall(result.stderr):
        path = pathlib.Path(name)
        if path not in bad:
            bad.add(path)
            complaints.append("%s:%s: clang-format %s writes it otherwise" % (path.relative_to(root), line, VERSION))
    formatted.update(path.read_text(encoding="utf-8") for path in files if path not in bad)
    return complaints


if FORMATTER is None:
    print("skipped: clang-format %s is not installed" % VERSION)
    sys.exit(rule.SKIPPED)
rule.main(check, [
    ("a line that is too long", "src/base/checks.c",
        rule.append("src/base/checks.c", "int vrmi_x(int a, int b);\n".replace("int b", ", ".join(
            "int b%d" % number for number in range(20))))),
    ("two spaces instead of four", "cli/main.c", rule.append("cli/main.c", "int x(void)\n{\n  return 1;\n}\n")),
    ("includes out of order", "src/format/x.c",
        rule.append("src/format/x.c", '#include "format/uri.h"\n#include "format/gltf/glb.h"\n')),
    ("a pointer beside its type", "include/vrm/base.h",
        rule.append("include/vrm/base.h", "\nVRM_API int* vrm_x(void);\n")),
])
