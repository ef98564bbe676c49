# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""`vrm simulate --lod`: what each level shows, in the file that comes out. The body is that of `full` at every level; what moves
does not sleep, and is that of `full` to the byte; at `rigid` all hair is at rest once half a second is over, and before that it is
on its way there."""

import math
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "fixtures"))
from command_fixture import check, failures, vrm  # noqa: E402
from glb_files import read_floats, split_glb  # noqa: E402


def rotations(document, binary):
    """Node -> its rotation of each frame, where the file animates it, and the times."""
    found, times = {}, []
    for channel in document["animations"][-1]["channels"]:
        if channel["target"]["path"] == "rotation":
            sampler = document["animations"][-1]["samplers"][channel["sampler"]]
            times = [t for t, in read_floats(document, binary, sampler["input"])]
            found[channel["target"]["node"]] = list(zip(times, read_floats(document, binary, sampler["output"])))
    return found


def recorded(level):
    """The document, rotations by node and the bytes of a second and a half of walking."""
    result = vrm("simulate", "-q", "avatar.vrm", "--motion", "walk", "--duration", "1.5", "--lod", level, "-o", level + ".glb")
    check(level, result.returncode == 0, result.stderr)
    data = pathlib.Path(level + ".glb").read_bytes()
    document, binary = split_glb(data)
    return document, rotations(document, binary), data


def degrees(a, b):
    return math.degrees(2 * math.acos(min(1.0, abs(sum(x * y for x, y in zip(a, b))))))


def still_at_rest(node, keys, after):
    """Not animated, or at its rest rotation from a time on."""
    rest = node.get("rotation", [0, 0, 0, 1])
    return all(degrees(rest, value) < 0.1 for time, value in keys if time >= after)


def at(keys, time):
    """Linear between keys, as a player does it."""
    for (t0, a), (t1, b) in zip(keys, keys[1:]):
        if t0 <= time <= t1:
            part = (time - t0) / (t1 - t0)
            sign = 1.0 if sum(x * y for x, y in zip(a, b)) >= 0 else -1.0
            value = [x + (sign * y - x) * part for x, y in zip(a, b)]
            length = math.hypot(*value)
            return [x / length for x in value]
    return keys[-1][1]


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        check("sample", vrm("sample", "--minimal", "-q", "-o", "avatar.vrm").returncode == 0, "no sample")
        full = recorded("full")
        levels = {level: recorded(level) for level in ("sleep", "rigid")}
    document, keys, data = full
    chains = [[joint["node"] for joint in spring["joints"]]
              for spring in document["extensions"]["VRMC_springBone"]["springs"]]
    hair = {node for chain in chains for node in chain}
    for level, (_, other, _) in levels.items():
        body = [node for node in keys if node not in hair]
        check(level, len(body) > 10 and all(other.get(node) == keys[node] for node in body), "the body moves otherwise")
    check("sleep", levels["sleep"][2] == data, "not what full writes")
    rigid = levels["rigid"][1]
    nodes = document["nodes"]
    joints = [node for chain in chains for node in chain[:-1]]  # the last node of a chain is its end
    moved = [node for node in joints if not still_at_rest(nodes[node], keys.get(node, []), 0.55)]
    check("full", 2 * len(moved) > len(joints), "%d of %d joints move" % (len(moved), len(joints)))
    restless = [node for node in joints if not still_at_rest(nodes[node], rigid.get(node, []), 0.55)]
    check("rigid", not restless, "%d of %d joints are not at rest" % (len(restless), len(joints)))
    # Half of the way there, half of the hair's angle off its rest.
    parts = []
    for node in joints:
        rest = nodes[node].get("rotation", [0, 0, 0, 1])
        off = degrees(rest, at(keys[node], 0.25)) if node in keys else 0.0
        if off > 2.0:
            parts.append(degrees(rest, at(rigid[node], 0.25)) / off)
    check("rigid", len(parts) > 10 and all(0.4 < part < 0.6 for part in parts), "%d joints, parts %s" % (len(parts), parts))
    print("rigid: %d joints of %d, which move at full, are at rest; half way %d are at %.2f to %.2f of their angle; %d failed checks" %
          (len(moved), len(joints), len(parts), min(parts, default=0), max(parts, default=0), len(failures)))
    sys.exit(1 if failures else 0)


main()
