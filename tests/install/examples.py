# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""The programs of examples/ that need nothing but the library: compiled without a warning, run on the sample avatar, and what
they print is looked at. A new example.c needs a check here."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

BUILD = pathlib.Path(os.environ["VRM_BUILD_DIR"])
# examples/draw_gl.c opens a window and is tested by itself.
ELSEWHERE = {"draw_gl"}


def numbers(text):
    return [float(number) for number in re.findall(r"[-+]?\d+\.?\d*", text)]


def speaks(lines):
    """Happiness at the 80 % of its layer, an O, a blink; and all of it is over in the end."""
    names = lines[0].split(",")
    rows = [[float(cell) for cell in line.split(",")] for line in lines[1:]]
    peak = {name: max(row[i] for row in rows) for i, name in enumerate(names)}
    assert len(rows) == 360 and abs(peak["happy"] - 0.8) < 0.001, peak
    assert peak["oh"] > 0.3 and peak["blink"] > 0.9 and peak["angry"] == 0.0, peak
    assert all(value == 0.0 for name, value in zip(names, rows[-1]) if name not in ("seconds", "blink")), rows[-1]


def walks(lines):
    """Left and right in turn, each step as far as the speed says."""
    steps = [line for line in lines if "foot" in line]
    speed = numbers(lines[0])[0]
    assert len(steps) > 15 and "has waved" in "\n".join(lines), lines
    for before, after in zip(steps, steps[1:]):
        assert ("left" in before) != ("left" in after), (before, after)
    first, last = numbers(steps[0]), numbers(steps[-1])
    assert abs((last[1] - first[1]) / (last[0] - first[0]) - speed) < 0.05 * speed, (first, last, speed)


def gazes(lines):
    """With the whole chain the eyes meet a target that stands before them, and look past it when they are let go."""
    assert len(lines) == 30, lines
    assert min(numbers(line)[3] for line in lines if "weight 1.00" in line) <= 2, lines
    assert any("changing" in line for line in lines) and any("weight 0.00" in line for line in lines), lines


def reaches(lines):
    """Unreal's axes: the wrist comes to the handle, which is ahead (+X) and to the right (+Y)."""
    handle, wrist = numbers(lines[0]), numbers(lines[-1])[1:]
    assert handle[0] > 10 and handle[1] > 5, handle
    assert max(abs(a - b) for a, b in zip(handle, wrist)) < 0.3, (handle, wrist)


def hair_moves(lines):
    moved = [numbers(line)[-1] for line in lines if "hair is moved" in line]
    assert moved[0] > 3 and max(moved[2:]) < 0.5, moved
    assert [numbers(line)[-1] for line in lines if "screen" in line] == [0.0, 0.033, 0.1], lines
    assert lines[-1] == "level sleep: asleep", lines


def is_knocked_down(lines):
    assert any("figure 2 is lying" in line for line in lines), lines
    assert not any("figure 0 is limp" in line or "status" in line for line in lines), lines


CHECKS = {
    "gaze": gazes, "hair_in_the_world": hair_moves, "knock_down": is_knocked_down, "reach": reaches,
    "rollback": lambda lines: sys.exit("rollback: " + lines[0]) if "the same bits" not in lines[0] else None,
    "speak": speaks, "walk": walks,
}

found = {path.stem for path in pathlib.Path("examples").glob("*.c")} - ELSEWHERE
if found != set(CHECKS):
    sys.exit("examples without a check, or the other way round: %s" % sorted(found ^ set(CHECKS)))
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    subprocess.run([os.environ["VRM_COMMAND"], "sample", "--minimal", "-o", str(folder / "avatar.vrm")], check=True)
    for example in sorted(found):
        subprocess.run([os.environ.get("CC", "cc"), "-std=c17", "-Wall", "-Wextra", "-pedantic", "-Werror", "-Iinclude",
                        "examples/%s.c" % example, str(BUILD / "libvrm.a"), "-lm",
                        "-lpthread", "-o", str(folder / example)], check=True)
        good = subprocess.run([str(folder / example), "avatar.vrm"], cwd=folder, capture_output=True, text=True)
        bad = subprocess.run([str(folder / example), "nothing.vrm"], cwd=folder, capture_output=True, text=True)
        if good.returncode != 0:
            sys.exit("%s fails on the sample: %s" % (example, good.stderr))
        if bad.returncode != 1 or not bad.stderr.startswith("usage: " + example):
            sys.exit("%s does not notice a missing file: %s" % (example, bad.stderr))
        CHECKS[example](good.stdout.splitlines())
        print("%s: %d lines" % (example, len(good.stdout.splitlines())))
