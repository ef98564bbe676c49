# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Tests the preset `small`. A program that opens a cooked avatar has at most 300 KB, moves the avatar with the same
bits as the usual build does, and finds no ragdoll."""

import os
import pathlib
import subprocess
import sys
import tempfile

MOST = 300_000
ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("VRM_BUILD_DIR", "build/release")).resolve()
SMALL = ROOT / "build/small/libvrm-runtime.a"
VRM = os.environ.get("VRM_COMMAND", BUILD / "bin/vrm")


def run(*command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=True).stdout


def build(source, archive, program):
    run(os.environ.get("CC", "cc"), "-std=c17", "-Os", "-s", "-Wl,--gc-sections", "-I", ROOT / "include", ROOT / "tests/install" / source,
        archive, "-lm", "-o", program)
    return program.stat().st_size


def by_object():
    """Prints the size of each object, for developers who want to reduce it."""
    rows = [line.split() for line in run("size", SMALL).splitlines()[1:]]
    for row in sorted(rows, key=lambda row: -int(row[0]) - int(row[1]))[:20]:
        print("%8d  %s" % (int(row[0]) + int(row[1]), row[5]))


if not SMALL.exists():
    print("skipped: build the preset 'small' first")
    sys.exit(77)
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    run(VRM, "sample", "--minimal", "-o", folder / "sample.vrm")
    run(VRM, "cook", folder / "sample.vrm", "-o", folder / "sample.vrmc")
    size = build("runtime.c", SMALL, folder / "runtime")
    print("%d bytes: %s" % (size, run(folder / "runtime", folder / "sample.vrmc").strip()))
    build("small.c", SMALL, folder / "small")
    build("small.c", BUILD / "libvrm-runtime.a", folder / "usual")
    small, usual = run(folder / "small", folder / "sample.vrmc", "small"), run(folder / "usual", folder / "sample.vrmc")
if size > MOST:
    by_object()
    sys.exit("a program with the small libvrm-runtime has %d bytes, more than %d" % (size, MOST))
if small != usual:
    sys.exit("the small build gives other bits: %s instead of %s" % (small.strip(), usual.strip()))
