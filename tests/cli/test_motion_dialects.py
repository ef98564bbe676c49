# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""The animation of an avatar can be used as a motion in any dialect. Bones are those that the file names, not those
that the nodes' names suggest, with the dialect's names of the thumbs. An avatar of VRM 0.x moves in the direction
that it faces in its file. The same walk is recorded on avatars of one shape in three dialects and must become the
same VRM animation."""

import copy
import math
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "fixtures"))
from command_fixture import check, failures, old_avatar, strict_avatar, vrm  # noqa: E402
from glb_files import make_glb, read_floats, split_glb  # noqa: E402

THUMB = ["leftThumbMetacarpal", "leftThumbProximal", "leftThumbDistal"]
OLD_THUMB = ["leftThumbProximal", "leftThumbIntermediate", "leftThumbDistal"]


def avatars():
    """Returns dialect -> document. The names of the nodes do not identify bones, or are misleading."""
    new, old = strict_avatar(), old_avatar()
    hand = new["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"]["leftHand"]["node"]
    for document in (new, old):
        first = len(document["nodes"])
        document["nodes"][hand]["children"] = [first]
        for i in range(3):
            document["nodes"].append({"translation": [0, 0.02, 0], **({"children": [first + i + 1]} if i < 2 else {})})
        for i, node in enumerate(document["nodes"]):
            node["name"] = "node %d" % i
        document["nodes"][2]["name"] = "Hips"  # the head
    for i in range(3):
        new["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"][THUMB[i]] = {"node": first + i}
        old["extensions"]["VRM"]["humanoid"]["humanBones"].append({"bone": OLD_THUMB[i], "node": first + i})
    old["extensions"]["VRM"]["humanoid"]["humanBones"].append({"bone": "jaw", "node": -1})
    beta = copy.deepcopy(new)  # with the thumb names from before 2022
    bones = beta["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"]
    nodes = [bones.pop(name)["node"] for name in THUMB]
    bones.update({name: {"node": node} for name, node in zip(OLD_THUMB, nodes)})
    return {"1.0": new, "old thumbs": beta, "0.x": old}


def turn_thumb(path):
    """Gives the thumb's last two bones the rotation of another bone in the recording, because no generated motion
    moves them."""
    document, binary = split_glb(path.read_bytes())
    animation = document["animations"][-1]
    source = next(c for c in animation["channels"] if c["target"]["path"] == "rotation")
    for node in (len(document["nodes"]) - 2, len(document["nodes"]) - 1):
        animation["channels"].append({"sampler": source["sampler"], "target": {"node": node, "path": "rotation"}})
    path.write_bytes(make_glb(document, binary))


def motion(dialect, document):
    """Makes a VRM animation from a walk of this avatar. Returns its bones, and the keys of its tracks by (bone,
    path)."""
    source, moved, vrma = (pathlib.Path(dialect.replace(" ", "-") + suffix) for suffix in (".vrm", "-walk.glb", ".vrma"))
    source.write_bytes(make_glb(document))
    made = vrm("simulate", "-q", str(source), "--motion", "walk", "--duration", "1", "-o", str(moved))
    check(dialect, made.returncode == 0, made.stderr)
    turn_thumb(moved)
    converted = vrm("convert-motion", str(moved), "-o", str(vrma))
    check(dialect, converted.returncode == 0 and b"MOTION_" not in converted.stderr, converted.stderr)
    made, binary = split_glb(vrma.read_bytes())
    bones = made["extensions"]["VRMC_vrm_animation"]["humanoid"]["humanBones"]
    names = {value["node"]: bone for bone, value in bones.items()}
    found = {}
    for channel in made["animations"][0]["channels"]:
        sampler = made["animations"][0]["samplers"][channel["sampler"]]
        key = names.get(channel["target"]["node"]), channel["target"]["path"]
        found[key] = read_floats(made, binary, sampler["output"])
    return set(bones), found


def apart(a, b):
    return max(min(math.dist(x, y), math.dist(x, [-v for v in y])) if len(x) == 4 else math.dist(x, y) for x, y in zip(a, b))


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        found = {dialect: motion(dialect, document) for dialect, document in avatars().items()}
    bones, wanted = found["1.0"]
    check("bones", len(bones) == 18 and ("hips", "translation") in wanted and len(wanted) > 8, sorted(wanted))
    worst = 0.0
    for dialect, (own, keys) in found.items():
        check(dialect, own == bones, "bones %s instead of %s" % (sorted(own), sorted(bones)))
        both = set(keys) & set(wanted)
        check(dialect, set(keys) == set(wanted), "moved: %s instead of %s" % (sorted(keys), sorted(wanted)))
        for key in both - {(THUMB[1], "rotation"), (THUMB[2], "rotation")}:  # the file's axes affect these rotations
            check(dialect, len(keys[key]) == len(wanted[key]), "%s: another number of keys" % (key,))
            worst = max(worst, apart(keys[key], wanted[key]))
    check("walk", worst < 1e-5, "the walk differs by %g" % worst)
    print("%d tracks in %d dialects, apart by %.1e at most; %d failed checks" % (len(wanted), len(found), worst, len(failures)))
    sys.exit(1 if failures else 0)


main()
