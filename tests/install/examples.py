# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Compiles the programs of examples/ that need only the library, without a warning, runs them on the sample avatar,
and checks their output. A new example.c needs a check here."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

BUILD = pathlib.Path(os.environ["VRM_BUILD_DIR"])
# Another test runs examples/draw_gl.c, which opens a window.
ELSEWHERE = {"draw_gl"}


def numbers(text):
    return [float(number) for number in re.findall(r"[-+]?\d+\.?\d*", text)]


def speaks(lines):
    """Happiness reaches 80 %, the limit of its layer; the mouth forms an O; the eyes blink. In the end all weights
    are 0 again."""
    names = lines[0].split(",")
    rows = [[float(cell) for cell in line.split(",")] for line in lines[1:]]
    peak = {name: max(row[i] for row in rows) for i, name in enumerate(names)}
    assert len(rows) == 360 and abs(peak["happy"] - 0.8) < 0.001, peak
    assert peak["oh"] > 0.3 and peak["blink"] > 0.9 and peak["angry"] == 0.0, peak
    assert all(value == 0.0 for name, value in zip(names, rows[-1]) if name not in ("seconds", "blink")), rows[-1]


def walks(lines):
    """Left and right feet alternate, and the length of each step agrees with the speed."""
    steps = [line for line in lines if "foot" in line]
    speed = numbers(lines[0])[0]
    assert len(steps) > 15 and "has waved" in "\n".join(lines), lines
    for before, after in zip(steps, steps[1:]):
        assert ("left" in before) != ("left" in after), (before, after)
    first, last = numbers(steps[0]), numbers(steps[-1])
    assert abs((last[1] - first[1]) / (last[0] - first[0]) - speed) < 0.05 * speed, (first, last, speed)


def gazes(lines):
    """With the whole chain the eyes meet a target in front of the figure. After the chain is released they miss it."""
    assert len(lines) == 30, lines
    assert min(numbers(line)[3] for line in lines if line.endswith("weight 1.00")) <= 2, lines
    assert any("changing" in line for line in lines) and any("weight 0.00" in line for line in lines), lines


def reaches(lines):
    """In Unreal's axes the wrist reaches the handle, which is ahead (+X) and to the right (+Y)."""
    handle, wrist = numbers(lines[0]), numbers(lines[-1])[1:]
    assert handle[0] > 10 and handle[1] > 5, handle
    assert max(abs(a - b) for a, b in zip(handle, wrist)) < 0.3, (handle, wrist)


def lists_contents(lines):
    """Checks the sample's own values: version 1.0, a chain that collides with the head, a linear gaze, all presets."""
    version = re.search(r'VRM_VERSION_STRING "([^"]*)"', pathlib.Path("include/vrm/base.h").read_text(encoding="utf-8"))
    assert lines[0] == "libvrm " + version.group(1) and lines[1].startswith("1.0, "), lines[:2]
    assert any(line.startswith("chain 0: ") and "collides with " in line for line in lines), lines
    assert sum(line.startswith("gaze ") and line.endswith("linear") for line in lines) == 4, lines
    assert sum(line.startswith("expression ") for line in lines) >= 18, lines


def is_a_puppet(lines):
    assert numbers(lines[0])[3] == 0.5 and numbers(lines[1])[-1] == 1.2, lines
    assert numbers(lines[0])[1] > 1.0, lines  # the waving hand is about as high as the shoulder or higher
    assert numbers(lines[2])[0] < 1e-5, lines


def hair_moves(lines):
    moved = [numbers(line)[-1] for line in lines if "hair is moved" in line]
    # The phases are wind, wall, calm, teleport, portal in the wind, lift.
    assert moved[0] > 3 and moved[4] > 3 and max(moved[2], moved[3], moved[5]) < 0.5, moved
    assert [numbers(line)[-1] for line in lines if "screen" in line] == [0.0, 0.033, 0.1], lines
    assert lines[-1] == "level sleep: asleep", lines


def is_knocked_down(lines):
    assert any("figure 2 is lying" in line for line in lines), lines
    assert not any("figure 0 is limp" in line or "status" in line for line in lines), lines


def plays(lines):
    """Plays three seconds of a walk on the spot with a marker at each second; the ankle moves back and forth."""
    seconds = [numbers(line) for line in lines if "second: left ankle" in line]
    assert abs(numbers(lines[0])[0] - 3.0) < 0.02 and len(seconds) in (3, 4), lines
    assert len({place[2] for place in seconds}) > 1 and all(0.0 < place[1] < 0.3 for place in seconds), lines


def falls_again(lines):
    lies, fell, restored, again, upright = lines
    assert "asleep" in lies and numbers(lies)[0] < 0.5 and numbers(restored) == numbers(lies)[:1], lines
    assert -3.0 < numbers(fell)[0] < -2.5 and "the same bits" in again and numbers(upright)[0] > 0.7, lines


def has_what_to_draw(lines):
    """Checks for a mesh with vertices and morph targets, and for the height of the head."""
    meshes = [line for line in lines if line.startswith("mesh ")]
    assert meshes and any('the first is "' in line for line in meshes), lines
    assert all(re.search(r": [1-9]\d* vertices, [1-9]\d* indices", line) for line in meshes), lines
    assert 1.0 < numbers(lines[-1])[1] < 1.8 and numbers(lines[-2])[0] > 20, lines


def is_a_crowd(lines):
    assert len(lines) == 3 and lines[2] == "the same bits", lines


CHECKS = {
    "contents": lists_contents, "crowd": is_a_crowd, "minimal": has_what_to_draw,
    "gaze": gazes, "hair_in_the_world": hair_moves, "knock_down": is_knocked_down, "play": plays, "puppet": is_a_puppet, "reach": reaches,
    "rollback": lambda lines: sys.exit("rollback: " + lines[0]) if "the same bits" not in lines[0] else None,
    "speak": speaks, "trapdoor": falls_again, "walk": walks,
}

found = {path.stem for path in pathlib.Path("examples").glob("*.c")} - ELSEWHERE
if found != set(CHECKS):
    sys.exit("examples without a check, or the other way round: %s" % sorted(found ^ set(CHECKS)))
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    subprocess.run([os.environ["VRM_COMMAND"], "sample", "--minimal", "-o", str(folder / "avatar.vrm")], check=True)
    subprocess.run([os.environ["VRM_COMMAND"], "simulate", "avatar.vrm", "-o", "motion.glb", "--duration", "3", "--motion", "walk"],
                   cwd=folder, check=True, capture_output=True)
    for example in sorted(found):
        subprocess.run([os.environ.get("CC", "cc"), "-std=c17", "-Wall", "-Wextra", "-pedantic", "-Werror", "-Iinclude",
                        "examples/%s.c" % example, str(BUILD / "libvrm.a"), "-lm",
                        "-lpthread", "-o", str(folder / example)], check=True)
        good = subprocess.run([str(folder / example), "avatar.vrm", "motion.glb"], cwd=folder, capture_output=True, text=True)
        bad = subprocess.run([str(folder / example), "nothing.vrm", "motion.glb"], cwd=folder, capture_output=True, text=True)
        if good.returncode != 0:
            sys.exit("%s fails on the sample: %s" % (example, good.stderr))
        if bad.returncode != 1 or not bad.stderr.startswith("usage: " + example):
            sys.exit("%s does not notice a missing file: %s" % (example, bad.stderr))
        CHECKS[example](good.stdout.splitlines())
        print("%s: %d lines" % (example, len(good.stdout.splitlines())))
