# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""`vrm simulate --lod`: what each level shows, in the file that comes out. The body is that of `full` at every level; hair at
`half-rate` is near it; at `tips-frozen` the ends of chains are at rest; what moves does not sleep."""

import math
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "fixtures"))
from command_fixture import check, failures, vrm  # noqa: E402
from glb_files import read_floats, split_glb  # noqa: E402

FROZEN = 67  # docs/level-of-detail.md, of the sample


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
        check("sample", vrm("sample", "-q", "avatar.vrm").returncode == 0, "no sample")
        full = recorded("full")
        levels = {level: recorded(level) for level in ("half-rate", "tips-frozen", "sleep")}
    document, keys, data = full
    chains = [[joint["node"] for joint in spring["joints"]]
              for spring in document["extensions"]["VRMC_springBone"]["springs"]]
    hair = {node for chain in chains for node in chain}
    for level, (_, other, _) in levels.items():
        body = [node for node in keys if node not in hair]
        check(level, len(body) > 10 and all(other.get(node) == keys[node] for node in body), "the body moves otherwise")
    half = levels["half-rate"][1]
    apart = [degrees(at(keys[node], i / 20), at(half[node], i / 20)) for node in hair if node in keys and node in half
             for i in range(30)]
    mean = math.sqrt(sum(angle * angle for angle in apart) / len(apart))
    check("half-rate", 0.05 < mean < 2.0 and max(apart) < 15.0, "%g degrees RMS from full, at most %g" % (mean, max(apart)))
    frozen = levels["tips-frozen"][1]
    joints = [(chain, i) for chain in chains for i in range(len(chain) - 1)]  # the last node of a chain is its end
    still = {(chain[0], i) for chain, i in joints if still_at_rest(document["nodes"][chain[i]], frozen.get(chain[i], []), 0.7)}
    moved = {(chain[0], i) for chain, i in joints
             if not still_at_rest(document["nodes"][chain[i]], keys.get(chain[i], []), 0.7)}
    check("tips-frozen", len(still) == FROZEN and 2 * len(still & moved) > FROZEN,
          "%d joints at rest of %d, of which %d move at full" % (len(still), len(joints), len(still & moved)))
    check("tips-frozen", all((chain[0], i + 1) in still for chain, i in joints if (chain[0], i) in still and i + 2 < len(chain)),
          "a joint moves below one at rest")
    check("sleep", levels["sleep"][2] == levels["tips-frozen"][2] and levels["sleep"][2] != data, "awake it is otherwise")
    print("half-rate: %.2f degrees RMS from full, at most %.1f; tips-frozen: %d of %d joints at rest; %d failed checks" %
          (mean, max(apart), len(still), len(joints), len(failures)))
    sys.exit(1 if failures else 0)


main()
