# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Functions that the rules share: they read the tree, and show that a rule fails if it is violated.

A rule is a function (root) -> list of complaints. `main` runs it on the checkout, which must give no complaint. For
each mutation `main` also runs it on a copy of the tree, which must give at least one complaint that names the mutated
file."""

import functools
import os
import pathlib
import re
import shutil
import sys
import tempfile

SKIPPED = 77


def folders(root):
    """Returns the folders of our sources that exist (a mutated copy has fewer)."""
    names = ("include", "src", "dynamics", "cli", "scenes", "tests", "tools", "cmake", "bench", "scripts", "render", "view",
             "adapters", "bindings", "examples")
    return [name for name in names if (root / name).is_dir()]


def sources(root, folders, suffixes=(".c", ".h")):
    """Returns all files below the folders, sorted, without those of installed packages."""
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in suffixes and "node_modules" not in path.parts and path.is_file():
                yield path


@functools.lru_cache(maxsize=None)
def without_comments(text):
    """Returns C text with comments replaced by blanks. Lines are kept."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group(0))
    return re.sub(r"/\*.*?\*/|//[^\n]*", blank, text, flags=re.S)


@functools.lru_cache(maxsize=None)
def findall(pattern, text):
    """Returns all matches. A text is searched once, since the mutated copies differ in one file only."""
    return pattern.findall(text)


def copy_tree(root, target):
    for name in ("include", "src", "dynamics", "scenes", "cli", "render", "view", "adapters", "examples", "bindings"):
        shutil.copytree(root / name, target / name, ignore=shutil.ignore_patterns("node_modules", "__pycache__"))


def stamps(root):
    """Returns the file times, sizes and inodes. They show that a file was written, without reading it."""
    found = {}
    for folder, _, names in os.walk(root):
        for name in names:
            path = os.path.join(folder, name)
            state = os.stat(path)
            found[path] = (state.st_mtime_ns, state.st_size, state.st_ino)
    return found


def restore(copy, root, clean):
    """Restores the copy to its state before a mutation, so that one copy is enough for all mutations."""
    now = stamps(copy)
    for path in now.keys() - clean.keys():
        os.remove(path)
    for path in clean:
        if now.get(path) != clean[path]:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            shutil.copy2(root / os.path.relpath(path, copy), path)
            state = os.stat(path)
            clean[path] = (state.st_mtime_ns, state.st_size, state.st_ino)


def main(rule, mutations):
    """Runs a rule. `mutations`: (name, file that complaints must mention, function(root) that breaks the rule)."""
    root = pathlib.Path.cwd()
    complaints = rule(root)
    for complaint in complaints:
        print(complaint)
    failed = bool(complaints)
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder)
        copy_tree(root, copy)
        clean = stamps(copy)
        for name, mentioned, mutate in mutations:
            mutate(copy)
            found = [complaint for complaint in rule(copy) if mentioned in complaint]
            print("mutation %s: %s" % (name, found[0] if found else "NOT NOTICED"))
            failed = failed or not found
            restore(copy, root, clean)
    sys.exit(1 if failed else 0)


def append(path, text):
    """Returns a mutation that adds text to a file, which is created if it does not exist."""
    def mutate(root):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        with open(root / path, "a", encoding="utf-8") as file:
            file.write(text)
    return mutate


def build_dir():
    return pathlib.Path(os.environ.get("VRM_BUILD_DIR", "build/release"))
