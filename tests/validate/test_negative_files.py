# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Makes the kinds of broken files that tests/import/test_negative.c takes from other projects. Each has its finding,
and is refused or loads as docs/validation.md states."""

import copy
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "fixtures"))
from command_fixture import check, failures, old_avatar, strict_avatar, vrm  # noqa: E402
from glb_files import make_glb, split_glb  # noqa: E402

BONES, OLD_BONES = "/extensions/VRMC_vrm/humanoid/humanBones", "/extensions/VRM/humanoid/humanBones"
HAPPY = "/extensions/VRMC_vrm/expressions/preset/happy"


def put(document, pointer, value):
    *path, last = pointer.strip("/").split("/")
    for key in path:
        document = document[int(key) if isinstance(document, list) else key]
    if last == "-":
        document.append(value)
    else:
        document[int(last) if isinstance(document, list) else last] = value


def cases(sample, binary):
    """Returns (name, bytes, true if it loads, code, pointer) of each file."""
    def of(document, data, *changes):
        document = copy.deepcopy(document)
        for pointer, value in changes:
            put(document, pointer, value)
        return make_glb(document, data)

    skinned = next(p for p in sample["meshes"][0]["primitives"] if "JOINTS_0" in p["attributes"])["attributes"]["JOINTS_0"]
    joints = bytearray(binary)
    joints[sample["bufferViews"][sample["accessors"][skinned]["bufferView"]]["byteOffset"]] = 255
    texture = next(i for i, m in enumerate(sample["materials"]) if "baseColorTexture" in m.get("pbrMetallicRoughness", {}))
    happy = sample["extensions"]["VRMC_vrm"]["expressions"]["preset"]["happy"]["morphTargetBinds"]
    nodes = len(sample["nodes"])
    text = json.dumps(strict_avatar())
    yield ("a texture that is none", of(sample, binary, ("/materials/%d/pbrMetallicRoughness/baseColorTexture/index" % texture, 999)), True,
           "UNRESOLVED_REFERENCE", "/materials/%d/pbrMetallicRoughness/baseColorTexture/index" % texture)
    yield ("draco", of(strict_avatar(), None, ("/extensionsRequired", ["KHR_draco_mesh_compression"]),
                       ("/extensionsUsed/-", "KHR_draco_mesh_compression")), True, "EXTENSION_GEOMETRY_UNREADABLE", "/extensionsRequired/0")
    yield "a bone twice", of(old_avatar(), None, (OLD_BONES + "/-", {"bone": "hips", "node": 1})), True, "VRM0_BONE_DUPLICATE", OLD_BONES + "/15/bone"
    yield "nothing of VRM", make_glb({"asset": {"version": "2.0"}}), False, "VRM1_NO_VRM_EXTENSION", ""
    yield "0.x that is required", of(old_avatar(), None, ("/extensionsRequired", ["VRM"])), True, "VRM0_VRM_EXTENSION", "/extensions/VRM"
    yield "a bone of 0.x on no node", of(old_avatar(), None, (OLD_BONES + "/0/node", 999)), False, "UNRESOLVED_REFERENCE", OLD_BONES + "/0/node"
    yield "JSON that ends", text[:-1].encode(), False, "INVALID_JSON", None
    yield ("a group that is none", of(sample, binary, ("/extensions/VRMC_springBone/springs/0/colliderGroups", [999])), True,
           "UNRESOLVED_REFERENCE", "/extensions/VRMC_springBone/springs/0/colliderGroups/0")
    yield "a number that JSON has not", text.replace('"translation": [0.0,', '"translation": [NaN,', 1).encode(), False, "INVALID_JSON", None
    yield "an extension that is no object", of(strict_avatar(), None, ("/extensions/VRMC_vrm", 7)), False, "TYPE_MISMATCH", "/extensions/VRMC_vrm"
    yield ("a morph target that is none", of(sample, binary, (HAPPY + "/morphTargetBinds/0", {**happy[0], "index": 999})), True,
           "VRM1_MORPH_TARGET_INDEX_OOB", HAPPY + "/morphTargetBinds/0/index")
    yield "a joint that is none", make_glb(sample, bytes(joints)), False, "ACCESSOR_JOINTS_INDEX_OOB", "/accessors/%d" % skinned
    yield "a bone on no node", of(sample, binary, (BONES + "/spine/node", nodes)), False, "UNRESOLVED_REFERENCE", BONES + "/spine/node"


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder, "model.vrm"))
        vrm("sample", "--minimal", "-o", path)
        sample, binary = split_glb(pathlib.Path(path).read_bytes())
        path = str(pathlib.Path(folder, "broken.vrm"))
        for name, data, loads, code, pointer in cases(sample, binary):
            pathlib.Path(path).write_bytes(data)
            file = json.loads(vrm("inspect", "--format", "ndjson", path).stdout)
            found = [(f["code"], f.get("pointer", "")) for f in file["findings"]]
            check(name, (file["result"] == "SUCCESS") == loads, "%s: %s" % (file["result"], found))
            check(name, any(c == code and pointer in (None, p) for c, p in found), "%s at %s: %s" % (code, pointer, found))
    sys.exit(1 if failures else 0)


main()
