# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""The counts of vrm inspect are the same in every dialect. VRM 0.x lists only the roots of its springs; springJoints
counts the joints that result from them."""

import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "fixtures"))
from command_fixture import check, failures, old_avatar, vrm  # noqa: E402
from glb_files import make_glb  # noqa: E402


def springs_of_0_x_are_counted():
    document = old_avatar()
    head = next(bone["node"] for bone in document["extensions"]["VRM"]["humanoid"]["humanBones"] if bone["bone"] == "head")
    first = len(document["nodes"])
    document["nodes"][head].setdefault("children", []).append(first)
    for i in range(4):
        document["nodes"].append({"translation": [0, -0.1, 0], **({"children": [first + i + 1]} if i < 3 else {})})
    document["extensions"]["VRM"]["secondaryAnimation"] = {"boneGroups": [{"bones": [first], "stiffiness": 1,
        "gravityPower": 0, "gravityDir": {"x": 0, "y": -1, "z": 0}, "dragForce": 0.4, "center": -1, "hitRadius": 0.02,
        "colliderGroups": []}], "colliderGroups": []}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "old.vrm")
        path.write_bytes(make_glb(document, None))
        counts = json.loads(vrm("inspect", "--format", "ndjson", str(path)).stdout)["counts"]
    check("springJoints", counts["springJoints"] == 4, "%s of 4 in VRM 0.x" % counts["springJoints"])
    check("simulatedJoints", counts["simulatedJoints"] == 4, "%s of 4 in VRM 0.x" % counts["simulatedJoints"])


springs_of_0_x_are_counted()
sys.exit(1 if failures else 0)
