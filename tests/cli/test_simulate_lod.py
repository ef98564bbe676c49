# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Tests the file that `vrm simulate --lod` writes. An avatar that moves does not sleep: its file has the same bytes
as with `full`. If the avatar is still, the last motion of its hair continues at `full`, but ends at `sleep`, within
one degree of it."""

import math
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "fixtures"))
from command_fixture import check, failures, vrm  # noqa: E402
from glb_files import read_floats, split_glb  # noqa: E402


def recorded(level, motion, seconds):
    """Returns the bytes of the recorded file."""
    output = "%s_%s.glb" % (motion, level)
    result = vrm("simulate", "-q", "avatar.vrm", "--motion", motion, "--duration", seconds, "--lod", level, "-o", output)
    check(level, result.returncode == 0, result.stderr)
    return pathlib.Path(output).read_bytes()


def last_second(data):
    """Returns node -> its rotations in the last sixty frames, for all nodes whose rotation is animated."""
    document, binary = split_glb(data)
    animation = document["animations"][-1]
    return {channel["target"]["node"]:
            read_floats(document, binary, animation["samplers"][channel["sampler"]]["output"])[-60:]
            for channel in animation["channels"] if channel["target"]["path"] == "rotation"}


def moving(keys):
    return [node for node, values in keys.items() if any(a != b for a, b in zip(values, values[1:]))]


def degrees(a, b):
    return math.degrees(2 * math.acos(min(1.0, abs(sum(x * y for x, y in zip(a, b))))))


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        check("sample", vrm("sample", "--minimal", "-q", "-o", "avatar.vrm").returncode == 0, "no sample")
        check("walk", recorded("full", "walk", "1.5") == recorded("sleep", "walk", "1.5"), "not what full writes")
        full, sleep = (last_second(recorded(level, "none", "8")) for level in ("full", "sleep"))
    check("full", len(moving(full)) > 10, "only %s move" % moving(full))
    check("sleep", not moving(sleep), "%s move" % moving(sleep))
    check("sleep", full.keys() == sleep.keys(), "other nodes are animated")
    apart = max(degrees(full[node][-1], sleep[node][-1]) for node in full)
    check("sleep", apart < 1.0, "%.3f degrees apart" % apart)
    print("%d nodes move at full, %d at sleep, %.4f degrees apart; %d failed checks" %
          (len(moving(full)), len(moving(sleep)), apart, len(failures)))
    sys.exit(1 if failures else 0)


main()
