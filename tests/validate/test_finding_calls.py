# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Codes of findings that `vrm validate` never gives: each has a call of another command here whose record has the code,
or a test in C that asserts it. tests/validate/test_validate_codes.py has a file for every other code."""

import copy
import json
import os
import pathlib
import re
import struct
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "fixtures"))
from command_fixture import HIPS_BVH, check, failures, old_avatar, strict_avatar, vrm  # noqa: E402
from glb_files import make_glb, split_glb  # noqa: E402

ROOT = pathlib.Path.cwd()

# Asserted at the interface in C, on documents that the test builds.
IN_C = {
    "PRIMITIVE_UNREADABLE": "format/gltf/test_decode.c", "EXTENSION_IMAGE_UNREADABLE": "format/gltf/test_gltf_broken.c",
    "IMAGE_MISSING": "format/gltf/test_gltf_broken.c", "ANIMATION_NOT_BAKED": "record/test_record.c",
    "MIGRATE_BINARY_THRESHOLD": "export/test_migrate_draft.c", "MIGRATE_CONSTRAINT": "export/test_migrate_draft.c",
    "MIGRATE_CONSTRAINT_DROPPED": "export/test_migrate_draft.c", "MIGRATE_MESH_SHARED": "export/test_migrate.c",
    "MIGRATE_TANGENTS_REMOVED": "export/test_migrate.c", "MIGRATE_ROOT_TURNED": "export/test_migrate.c",
    "MIGRATE_EXTENSION_KEPT": "export/test_migrate.c", "RAGDOLL_UNKNOWN_KEY": "ragdoll/test_ragdoll_json.c",
    "RAGDOLL_UNKNOWN_BODY": "ragdoll/test_ragdoll_json.c", "RAGDOLL_INVALID": "ragdoll/test_ragdoll_json.c",
    "BAKE_REST_NOT_BIND": "export/test_bake.c", "BAKE_SCALE_UNEVEN": "export/test_bake_refused.c",
    "BAKE_UNWEIGHTED": "export/test_bake.c", "BAKE_TANGENTS": "export/test_bake.c", "BAKE_DIRECTION": "export/test_bake.c",
    "BAKE_CONSTRAINT_AXIS": "export/test_bake_refused.c", "BAKE_CONSTRAINT_FRAMES": "export/test_bake_refused.c",
}

# A BVH motion with only some of the bones, and with a joint that is not a bone.
LONG_BVH = """HIERARCHY
ROOT Hips
{
 OFFSET 0 90 0
 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
 JOINT Spine
 {
  OFFSET 0 10 0
  CHANNELS 3 Zrotation Xrotation Yrotation
  JOINT Antenna
  {
   OFFSET 20 10 0
   CHANNELS 3 Zrotation Xrotation Yrotation
   End Site
   {
    OFFSET 0 9 0
   }
  }
  JOINT Head
  {
   OFFSET 0 40 0
   CHANNELS 3 Zrotation Xrotation Yrotation
   End Site
   {
    OFFSET 0 9 0
   }
  }
 }
}
MOTION
Frames: 1
Frame Time: 0.1
0 90 0 0 0 0 0 0 0 0 0 0 0 0 0
"""


def animated():
    """A walk of the small avatar, as (document, chunk)."""
    pathlib.Path("plain.vrm").write_bytes(make_glb(strict_avatar()))
    made = vrm("simulate", "-q", "plain.vrm", "--motion", "walk", "--duration", "0.5", "-o", "walk.glb")
    check("walk", made.returncode == 0, made.stderr)
    return split_glb(pathlib.Path("walk.glb").read_bytes())


def bare(document, names):
    """Returns the document without VRM, so that bones are found by names or by the skeleton's shape."""
    document = copy.deepcopy(document)
    del document["extensions"], document["extensionsUsed"]
    for i, node in enumerate(document["nodes"]):
        if not names:
            node["name"] = "node%d" % i
    return document


def without_keys(document):
    """The values of a rotation are compressed."""
    document = copy.deepcopy(document)
    channel = next(c for c in document["animations"][0]["channels"] if c["target"]["path"] == "rotation")
    sampler = document["animations"][0]["samplers"][channel["sampler"]]
    view = document["bufferViews"][document["accessors"][sampler["output"]]["bufferView"]]
    view["extensions"] = {"EXT_meshopt_compression": {"buffer": 0, "byteLength": 16, "byteStride": 16, "count": 1,
                                                      "mode": "ATTRIBUTES", "filter": "QUATERNION"}}
    document["buffers"].append({"byteLength": view["byteLength"], "extensions": {"EXT_meshopt_compression": {"fallback": True}}})
    view.update(buffer=len(document["buffers"]) - 1, byteOffset=0)
    document["extensionsUsed"] = [*document.get("extensionsUsed", []), "EXT_meshopt_compression"]
    document["extensionsRequired"] = ["EXT_meshopt_compression"]
    return document


def odd_old_avatar():
    """A file of VRM 0.x with features that 1.0 cannot express: limits of muscles, a material's light, no author, a tail
    on a scaled leaf."""
    document = old_avatar()
    old = document["extensions"]["VRM"]
    old["humanoid"]["humanBones"][0].update(useDefaultValues=False, min={"x": -10, "y": -10, "z": -10})
    old["meta"].update(author="", licenseName="Other")
    document["materials"] = [{"name": "m"}]
    old["materialProperties"] = [{"name": "m", "shader": "VRM/MToon", "floatProperties": {"_LightColorAttenuation": 0.5},
                                  "vectorProperties": {}, "textureProperties": {}, "keywordMap": {}, "tagMap": {}}]
    leaf = len(document["nodes"])
    document["nodes"][2]["children"] = [leaf]
    document["nodes"].append({"name": "hair", "translation": [0, 0.1, 0], "scale": [2, 2, 2]})
    old["secondaryAnimation"] = {"boneGroups": [{"stiffiness": 1, "gravityPower": 0, "gravityDir": {"x": 0, "y": -1, "z": 0},
                                                 "dragForce": 0.4, "center": -1, "hitRadius": 0.02, "bones": [leaf],
                                                 "colliderGroups": []}], "colliderGroups": []}
    return document


def growing_prop():
    """A turned prop on the hips that an animation stretches along its own axis."""
    document = strict_avatar()
    prop = len(document["nodes"])
    document["nodes"][0]["children"].append(prop)
    document["nodes"].append({"name": "prop", "rotation": [0, 0, 0.3826834, 0.9238795], "translation": [0, 0, 0.1]})
    data = struct.pack("<2f", 0, 1) + struct.pack("<6f", 1, 1, 1, 2, 1, 1)
    document["buffers"] = [{"byteLength": len(data)}]
    document["bufferViews"] = [{"buffer": 0, "byteLength": 8}, {"buffer": 0, "byteOffset": 8, "byteLength": 24}]
    document["accessors"] = [{"bufferView": 0, "componentType": 5126, "type": "SCALAR", "count": 2, "min": [0], "max": [1]},
                             {"bufferView": 1, "componentType": 5126, "type": "VEC3", "count": 2}]
    document["animations"] = [{"samplers": [{"input": 0, "output": 1}],
                               "channels": [{"sampler": 0, "target": {"node": prop, "path": "scale"}}]}]
    return make_glb(document, data)


def many_vertices():
    """Far more vertices than a ragdoll needs. All are at the origin, and the file has no bytes for them."""
    document = strict_avatar()
    document["accessors"] = [{"componentType": 5126, "type": "VEC3", "count": 1 << 20, "min": [0, 0, 0], "max": [0, 0, 0]}] * 12
    document["meshes"] = [{"primitives": [{"attributes": {"POSITION": i}, "mode": 0} for i in range(12)]}]
    document["nodes"][0]["mesh"] = 0
    return make_glb(document)


def write_inputs():
    document, chunk = animated()
    files = {"named.glb": make_glb(bare(document, True), chunk), "nameless.glb": make_glb(bare(document, False), chunk),
             "keyless.glb": make_glb(without_keys(document), chunk), "old.vrm": make_glb(odd_old_avatar()),
             "growing.vrm": growing_prop(), "many.vrm": many_vertices(), "long.bvh": LONG_BVH.encode(),
             "hips.bvh": HIPS_BVH.encode(), "cut.bvh": b"HIERARCHY\nROOT", "map.txt": b"Nobody = head\n", "plain.glb": make_glb({"asset": {"version": "2.0"}}),
             "unknown-key.json": json.dumps({"frames": 1, "dt": 0.1, "events": [], "more": 1}).encode(),
             "unknown-name.json": json.dumps({"frames": 1, "dt": 0.1, "events": [{"frame": 0, "expression": {"nobody": 1}}]}).encode(),
             "free.vrm": make_glb(old_avatar())}
    large = strict_avatar()
    large["nodes"][0]["scale"] = [5000, 5000, 5000]
    files["large.vrm"] = make_glb(large)
    for name, data in files.items():
        pathlib.Path(name).write_bytes(data)


# arguments -> the codes of findings that the call must give
CALLS = {
    ("convert-motion", "plain.vrm", "-o", "x.vrma"): ["MOTION_NO_ANIMATION"],
    ("convert-motion", "keyless.glb", "-o", "x.vrma"): ["MOTION_KEYS_MISSING"],
    ("convert-motion", "named.glb", "-o", "x.vrma"): ["MOTION_BONES_BY_NAME", "MOTION_REST_GUESSED"],
    ("convert-motion", "nameless.glb", "-o", "x.vrma"): ["MOTION_BONES_BY_SHAPE"],
    ("convert-motion", "long.bvh", "-o", "x.vrma"): ["MOTION_BONES_BY_NAME", "MOTION_JOINT_UNMAPPED", "MOTION_UNIT_GUESSED", "MOTION_BONE_MISSING"],
    ("convert-motion", "hips.bvh", "--map", "map.txt", "-o", "x.vrma"): ["MOTION_MAP_STRAY"],
    ("convert-motion", "cut.bvh", "-o", "x.vrma"): ["BVH_SYNTAX"],
    ("trace", "plain.vrm", "unknown-key.json", "-o", "x.json"): ["TRACE_UNKNOWN_KEY"],
    ("trace", "plain.vrm", "unknown-name.json", "-o", "x.json"): ["TRACE_UNKNOWN_NAME"],
    ("migrate", "old.vrm", "-o", "x.vrm"): ["MIGRATE_MATERIAL", "MIGRATE_MUSCLE_LIMITS", "MIGRATE_META_UNKNOWN", "MIGRATE_LOOK_AT_CURVE",
                                            "MIGRATE_EXPRESSION_RENAMED", "MIGRATE_THUMBNAIL_MISSING"],
    ("migrate", "free.vrm", "-o", "x.vrm"): ["MIGRATE_LICENSE_NOT_GRANTED"],
    ("ragdoll", "plain.vrm", "-o", "x.json"): ["RAGDOLL_BODY_GUESSED"],
    ("ragdoll", "many.vrm", "-o", "x.json"): ["RAGDOLL_VERTICES_LEFT_OUT"],
    ("ragdoll", "large.vrm", "-o", "x.json"): ["RAGDOLL_NOT_OF_SIZE"],
    ("bake", "growing.vrm", "-o", "x.vrm"): ["BAKE_SCALE_ANIMATION"],
    ("bake", "old.vrm", "-o", "x.vrm"): ["BAKE_VIRTUAL_TAIL"],
    ("bake", "--t-pose", "plain.vrm", "-o", "x.vrm"): ["BAKE_POSED"],
    ("inspect", "plain.glb"): ["VRM1_NO_VRM_EXTENSION"],
}


def main():
    catalogue = re.findall(r"^    X\((\w+),", (ROOT / "include/vrm/findings.h").read_text(), re.M)
    with_file = {line.split()[0] for found in json.loads((ROOT / "tests/validate/expected.json").read_text()).values() for line in found}
    with tempfile.TemporaryDirectory(prefix="vrm-calls-") as folder:
        os.chdir(folder)
        write_inputs()
        for arguments, codes in CALLS.items():
            result = vrm(*arguments, "--record", "record.json", "-q")
            given = {finding["code"] for finding in json.loads(pathlib.Path("record.json").read_text())}
            for code in codes:
                check(code, code in given, "%s: code %d, %s, %s" % (" ".join(arguments), result.returncode, sorted(given), result.stderr[-300:]))
        os.chdir(ROOT)
    called = {code for codes in CALLS.values() for code in codes}
    for code, name in IN_C.items():
        check(code, re.search(r"\bVRM_FINDING_%s\b|\"%s\"" % (code, code), (ROOT / "tests" / name).read_text()), "%s does not name it" % name)
    for code in catalogue:
        check(code, code in with_file or code in called or code in IN_C, "no file, no call and no test gives it")
    print("%d codes: %d by a file of vrm validate, %d more by calls, %d more by tests in C; %d failures" % (
        len(catalogue), len(with_file & set(catalogue)), len(called - with_file), len(set(IN_C) - called - with_file), len(failures)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
