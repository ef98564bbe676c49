# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""What tests of the command share: starting it, counting failures, small avatars."""

import base64
import os
import pathlib
import subprocess

VRM = str(pathlib.Path(os.environ.get("VRM_COMMAND", "build/release/bin/vrm")).resolve())
CLEAN = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "LC_ALL", "LANG")}
failures = []


def fail(name, why):
    failures.append(name)
    print("FAILED %s: %s" % (name, why))


def check(name, condition, why):
    if not condition:
        fail(name, why)


def vrm(*arguments, **options):
    options.setdefault("env", CLEAN)
    return subprocess.run([VRM, *arguments], capture_output=True, timeout=120, **options)


def strict_avatar():
    """The least that is a VRM 1.0 avatar, with rights of its own."""
    bones = ["hips", "spine", "head", "leftUpperLeg", "leftLowerLeg", "leftFoot", "rightUpperLeg", "rightLowerLeg",
             "rightFoot", "leftUpperArm", "leftLowerArm", "leftHand", "rightUpperArm", "rightLowerArm", "rightHand"]
    parents = {"spine": "hips", "head": "spine"}
    for side in ("left", "right"):
        parents.update({side + "UpperLeg": "hips", side + "LowerLeg": side + "UpperLeg", side + "Foot": side + "LowerLeg",
                        side + "UpperArm": "spine", side + "LowerArm": side + "UpperArm",
                        side + "Hand": side + "LowerArm"})
    nodes = [{"name": bone, "translation": [0.0, 0.5 if bone == "hips" else 0.25, 0.0],
              "children": [bones.index(child) for child in bones if parents.get(child) == bone]} for bone in bones]
    for node in nodes:
        if not node["children"]:
            del node["children"]
    return {
        "asset": {"version": "2.0", "generator": "the command's tests"},
        "extensionsUsed": ["VRMC_vrm"],
        "scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes,
        "extensions": {"VRMC_vrm": {
            "specVersion": "1.0",
            "meta": {"name": "Strict \u2713", "authors": ["Somebody"], "licenseUrl": "https://vrm.dev/licenses/1.0/",
                     "avatarPermission": "everyone", "allowRedistribution": True, "creditNotation": "required",
                     "modification": "allowModification"},
            "humanoid": {"humanBones": {bone: {"node": bones.index(bone)} for bone in bones}}}}}


def rich_avatar():
    """The same with one of everything that inspect prints, a doubtful name in it, and a warning."""
    document = strict_avatar()
    nodes, head = document["nodes"], 2
    first = len(nodes)
    nodes[head]["children"] = [first]
    for i in range(3):
        nodes.append({"name": "hair\x1b[31m\x9b%d" % i, "translation": [0.0, 0.125, 0.0]})
        if i < 2:
            nodes[-1]["children"] = [first + i + 1]
    nodes[5]["extensions"] = {"VRMC_node_constraint": {"specVersion": "1.0", "constraint": {
        "rotation": {"source": 8, "weight": 0.5}}}}
    png = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000002000000040802000000")
    document["images"] = [{"name": "skin", "uri": "data:image/png;base64," + base64.b64encode(png).decode()}]
    document["textures"] = [{"source": 0}]
    document["materials"] = [
        {"name": "Skin", "alphaMode": "MASK", "doubleSided": True,
         "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}},
         "extensions": {"VRMC_materials_mtoon": {"specVersion": "1.0", "outlineWidthMode": "worldCoordinates",
                                                  "outlineWidthFactor": 0.01, "shadeMultiplyTexture": {"index": 0}}}}]
    document["extensionsUsed"] += ["VRMC_springBone", "VRMC_node_constraint", "VRMC_materials_mtoon"]
    vrmc = document["extensions"]["VRMC_vrm"]
    vrmc["meta"].update({"name": "Rich", "version": "2", "authors": ["Somebody", "Somebody else"],
                         "copyrightInformation": "of the tests", "contactInformation": "nobody@example.org",
                         "references": ["a book"], "thirdPartyLicenses": "none", "commercialUsage": "corporation",
                         "otherLicenseUrl": "https://example.org/licence", "allowExcessivelyViolentUsage": False})
    vrmc["lookAt"] = {"type": "expression", "offsetFromHeadBone": [0.0, 0.0625, 0.0],
                      "rangeMapHorizontalInner": {"inputMaxValue": 90.0, "outputScale": 1.0}}
    color = {"material": 0, "type": "color", "targetValue": [1.0, 0.5, 0.5, 1.0]}
    vrmc["expressions"] = {
        "preset": {"happy": {"isBinary": True, "overrideBlink": "block", "overrideMouth": "blend",
                             "materialColorBinds": [color]}, "sad": {}},
        "custom": {"shy": {"textureTransformBinds": [{"material": 0, "offset": [0.5, 0.0]}]}}}
    document["extensions"]["VRMC_springBone"] = {
        "specVersion": "1.0",
        "colliders": [{"node": head, "shape": {"sphere": {"offset": [0.0, 0.0, 0.0], "radius": 0.125}}},
                      {"node": 1, "shape": {"capsule": {"offset": [0.0, 0.0, 0.0], "radius": 0.25,
                                                        "tail": [0.0, 0.25, 0.0]}}}],
        "colliderGroups": [{"name": "all", "colliders": [0, 1]}],
        "springs": [{"name": "hair", "center": 0, "colliderGroups": [0],
                     "joints": [{"node": first}, {"node": first + 1}, {"node": first + 2}]}]}
    return document


def old_avatar():
    """The least that is VRM 0.x, with a word that 1.0 does not have and a licence."""
    document = strict_avatar()
    bones = document["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"]
    straight, bent = [0, 0, 0, 1, 1, 1, 1, 0], [0, 0, 0, 0, 1, 1, 2, 0]
    maps = {"lookAt" + name: {"curve": straight, "xRange": 90, "yRange": 10}
            for name in ("HorizontalInner", "HorizontalOuter", "VerticalDown")}
    document["extensionsUsed"] = ["VRM"]
    document["extensions"] = {"VRM": {
        "specVersion": "0.0",
        "meta": {"title": "Old", "author": "Somebody", "texture": -1, "allowedUserName": "Everyone",
                 "commercialUssageName": "Allow", "licenseName": "CC_BY"},
        "humanoid": {"humanBones": [{"bone": bone, "node": value["node"]} for bone, value in bones.items()]},
        "firstPerson": {"firstPersonBoneOffset": {"x": 0, "y": 0.0625, "z": 0.125}, "lookAtTypeName": "Bone", **maps,
                        "lookAtVerticalUp": {"curve": bent, "xRange": 90, "yRange": 10}},
        "blendShapeMaster": {"blendShapeGroups": [{"name": "Shy", "presetName": "unknown", "binds": []},
                                                  {"name": "Shy", "presetName": "unknown", "binds": []}]}}}
    return document
