# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Tests the limits of the rest pose's hints. The sample is posed by known angles and lengths, slightly inside and
slightly beyond each limit. The bones of its arms point along their own Y, because they are rotated at rest by -90
degrees about Z (the left arm)."""

import copy
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "fixtures"))
from glb_files import make_glb, split_glb  # noqa: E402

VRM = str(pathlib.Path(os.environ.get("VRM_COMMAND", "build/release/bin/vrm")).resolve())


def read_sample(folder):
    path = pathlib.Path(folder, "sample.vrm")
    subprocess.run([VRM, "sample", "--minimal", "-q", "-o", str(path)], check=True)
    return split_glb(path.read_bytes())


def about(axis, degrees):
    half = math.radians(degrees) / 2
    return [*(math.sin(half) * (k == axis) for k in range(3)), math.cos(half)]


def times(a, b):
    (ax, ay, az, aw), (bx, by, bz, bw) = a, b
    return [aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz]


def main():
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        document, binary = read_sample(folder)
        bones = {name: bone["node"] for name, bone in document["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"].items()}
        nodes = document["nodes"]
        hips = nodes[bones["hips"]]["translation"][1]

        def turned(bone, axis, degrees):
            node = nodes[bones[bone]]
            return {bones[bone]: {"rotation": times(node.get("rotation", [0, 0, 0, 1]), about(axis, degrees))}}

        def moved(node, *by):
            return {node: {"translation": [a + b for a, b in zip(nodes[node].get("translation", [0, 0, 0]), by)]}}

        def elbow(off):
            """Moves the middle of the arm off the arm's line, by a fraction of the arm's length. In the elbow's own
            space Z is the world's Z."""
            y = nodes[bones["leftLowerArm"]]["translation"][1]
            length = y + nodes[bones["leftHand"]]["translation"][1]
            hand = nodes[bones["leftHand"]]["translation"]
            z = off * length
            return {bones["leftLowerArm"]: {"translation": [0, y, z]}, bones["leftHand"]: {"translation": [hand[0], hand[1], -z]}}

        # code, a pose within the limit, a pose beyond it
        cases = [
            ("VRM1_TPOSE_ARM", turned("leftUpperArm", 2, 9), turned("leftUpperArm", 2, 11)),
            ("VRM1_TPOSE_ARM", turned("rightUpperArm", 0, 9), turned("rightUpperArm", 0, 11)),
            ("VRM1_TPOSE_LEG", turned("leftUpperLeg", 2, 13), turned("leftUpperLeg", 2, 17)),
            ("VRM1_TPOSE_FINGER", turned("leftMiddleProximal", 2, 24), turned("leftMiddleProximal", 2, 26)),
            ("VRM1_TPOSE_FACING", {0: {"rotation": about(1, 19)}}, {0: {"rotation": about(1, 21)}}),
            ("VRM1_TPOSE_GROUND", moved(0, 0, 0.019 * hips, 0), moved(0, 0, 0.022 * hips, 0)),
            ("VRM1_TPOSE_GROUND", moved(0, 0, -0.018 * hips, 0), moved(0, 0, -0.021 * hips, 0)),
            ("VRM1_TPOSE_ROOT", moved(0, 0, 0, 0.019 * hips), moved(0, 0, 0, 0.021 * hips)),
            ("VRM1_TPOSE_SYMMETRY", moved(0, 0.024 * hips, 0, 0), moved(0, 0.026 * hips, 0, 0)),
            ("VRM1_TPOSE_BEND", elbow(0.018), elbow(0.022)),
            ("VRM1_TPOSE_BEND", elbow(-0.05), elbow(0.05)), # an elbow behind the arm is right
            ("VRM1_NODE_SCALE", {64: {"scale": [2, 2, 2]}}, {64: {"scale": [2, 2, 2.001]}}),
        ]
        paths = []
        for i, (_, *poses) in enumerate(cases):
            for k, pose in enumerate(poses):
                changed = copy.deepcopy(document)
                for node, members in pose.items():
                    changed["nodes"][node].update(members)
                path = pathlib.Path(folder, "%02d-%d.vrm" % (i, k))
                path.write_bytes(make_glb(changed, binary))
                paths.append(str(path))
        out = subprocess.run([VRM, "validate", "-q", "--format", "ndjson", *paths], capture_output=True)
        reports = [[m["code"] for m in json.loads(line)["issues"]["messages"]] for line in out.stdout.splitlines()]
        for i, (code, *_) in enumerate(cases):
            within, beyond = reports[2 * i:2 * i + 2]
            if code in within:
                failures.append("case %d: %s within the limit: %s" % (i, code, within))
            if code not in beyond:
                failures.append("case %d: no %s beyond the limit: %s" % (i, code, beyond))
    print("%d limits\n%s" % (len(cases), "\n".join(failures)))
    sys.exit(1 if failures else 0)


main()
