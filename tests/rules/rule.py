# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""What the rules share: reading the tree, and showing that a rule fails where it is broken.

A rule is a function (root) -> list of complaints. `main` runs it on the checkout, which must give none, and on a copy
of the tree for each mutation, which must give at least one that names the mutated file."""

import functools
import os
import pathlib
import re
import shutil
import sys
import tempfile

SKIPPED = 77


def folders(root):
    """Where sources of ours lie, of those that are there (a mutation's copy has fewer)."""
    names = ("include", "src", "dynamics", "cli", "scenes", "tests", "tools", "cmake", "bench", "scripts", "render", "view",
             "adapters", "bindings", "examples")
    return [name for name in names if (root / name).is_dir()]


def sources(root, folders, suffixes=(".c", ".h")):
    """All files below the folders, sorted, without those of installed packages."""
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in suffixes and "node_modules" not in path.parts and path.is_file():
                yield path


@functools.lru_cache(maxsize=None)
def without_comments(text):
    """C text with comments blanked, lines kept."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group(0))
    return re.sub(r"/\*.*?\*/|//[^\n]*", blank, text, flags=re.S)


def copy_tree(root, target):
    for name in ("include", "src", "dynamics", "scenes", "cli", "render", "view", "adapters"):
        shutil.copytree(root / name, target / name)


def main(rule, mutations):
    """mutations: (name, file that complaints must mention, function(root) that breaks the rule)."""
    root = pathlib.Path.cwd()
    complaints = rule(root)
    for complaint in complaints:
        print(complaint)
    failed = bool(complaints)
    for name, mentioned, mutate in mutations:
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder)
            copy_tree(root, copy)
            mutate(copy)
            found = [complaint for complaint in rule(copy) if mentioned in complaint]
        print("mutation %s: %s" % (name, found[0] if found else "NOT NOTICED"))
        failed = failed or not found
    sys.exit(1 if failed else 0)


def append(path, text):
    """A mutation that adds text to a file (which is made when it is not there)."""
    def mutate(root):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        with open(root / path, "a", encoding="utf-8") as file:
            file.write(text)
    return mutate


def build_dir():
    return pathlib.Path(os.environ.get("VRM_BUILD_DIR", "build/release"))
