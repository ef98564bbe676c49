# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""For every code that validation can give, a file is built here, whose report equals an expected list
(tests/validate/expected.json). The clean sample gives no finding. After an intended change run

    VRM_RENEW=1 VRM_COMMAND=build/release/bin/vrm python3 tests/validate/test_validate_codes.py

and review the difference. A case is an edit of a base: `sample` (the generated avatar), `old` (a similar avatar in VRM
0.x and in the draft, made by tools/dialects) or `small` (a skinned, animated triangle)."""

import base64
import copy
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "fixtures"))
from glb_files import make_glb, split_glb  # noqa: E402

ROOT = pathlib.Path.cwd()
VRM = str(pathlib.Path(os.environ.get("VRM_COMMAND", "build/release/bin/vrm")).resolve())
EXPECTED = ROOT / "tests/validate/expected.json"

# Codes that no file gets from `vrm validate`, and why. test_finding_calls.py has a call, or the name of a test, for each.
ELSEWHERE = {
    "VRM1_NO_VRM_EXTENSION": "other commands: validation checks plain glTF too and says VRM1_PLAIN_GLTF",
    "BVH_SYNTAX": "convert-motion, as most of MOTION_*",
    "IMAGE_MISSING": "told as IO_ERROR is", "EXTENSION_IMAGE_UNREADABLE": "as EXTENSION_GEOMETRY_UNREADABLE",
    "PRIMITIVE_UNREADABLE": "whoever reads vertices: vrm_geometry_create()",
}
ELSEWHERE_PREFIXES = ("MOTION_", "TRACE_", "MIGRATE_", "RAGDOLL_", "BAKE_", "ANIMATION_NOT_BAKED")

# --- bases ----------------------------------------------------------------------------------------------------------

def read_sample():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([VRM, "sample", "--minimal", "-q", "-o", folder + "/s.vrm"], check=True)
        return split_glb(pathlib.Path(folder, "s.vrm").read_bytes())


def read_old(dialect):
    script = "import('./tools/dialects/dialects.mjs').then(m => console.log(JSON.stringify(m.say('%s'))))" % dialect
    return json.loads(subprocess.run(["node", "-e", script], check=True, capture_output=True).stdout)


def small():
    """Returns a skinned, animated triangle with one morph target as .gltf: (document, list of (name, component,
    type, values))."""
    data = bytearray()
    document = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"mesh": 0, "skin": 0}, {"name": "joint", "children": [2]}, {"name": "tip", "translation": [0, 1, 0]}],
        "accessors": [], "bufferViews": [], "buffers": []}

    def add(component, kind, values, target=None, stride=None, bounds=False):
        letter = {5121: "B", 5123: "H", 5126: "f", 5125: "I"}[component]
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[kind]
        while len(data) % 4:
            data.append(0)
        view = {"buffer": 0, "byteOffset": len(data)}
        data.extend(struct.pack("<%d%s" % (len(values), letter), *values))
        view["byteLength"] = len(data) - view["byteOffset"]
        if target:
            view["target"] = target
        accessor = {"bufferView": len(document["bufferViews"]), "componentType": component, "type": kind,
            "count": len(values) // width}
        if bounds:
            accessor["min"] = [min(values[c::width]) for c in range(width)]
            accessor["max"] = [max(values[c::width]) for c in range(width)]
        document["bufferViews"].append(view)
        document["accessors"].append(accessor)
        return len(document["accessors"]) - 1

    position = add(5126, "VEC3", [0, 0, 0, 1, 0, 0, 0, 1, 0], 34962, bounds=True)               # 0
    normal = add(5126, "VEC3", [0, 0, 1] * 3, 34962)                                            # 1
    tangent = add(5126, "VEC4", [1, 0, 0, 1] * 3, 34962)                                        # 2
    uv = add(5126, "VEC2", [0, 0, 1, 0, 0, 1], 34962)                                           # 3
    color = add(5126, "VEC4", [1, 1, 1, 1] * 3, 34962)                                          # 4
    joints = add(5121, "VEC4", [0, 1, 0, 0] * 3, 34962)                                         # 5
    weights = add(5126, "VEC4", [0.5, 0.5, 0, 0] * 3, 34962)                                    # 6
    morph = add(5126, "VEC3", [0, 0, 1] * 3, 34962, bounds=True)                                # 7
    indices = add(5123, "SCALAR", [0, 1, 2], 34963)                                             # 8
    ibm = add(5126, "MAT4", [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] * 2)               # 9
    times = add(5126, "SCALAR", [0, 1, 2], bounds=True)                                         # 10
    turns = add(5126, "VEC4", [0, 0, 0, 1] * 3)                                                 # 11
    sizes = add(5126, "SCALAR", [0, 1, 0])                                                      # 12
    document["meshes"] = [{"weights": [0], "primitives": [{"attributes": {"POSITION": position, "NORMAL": normal, "TANGENT": tangent,
        "TEXCOORD_0": uv, "COLOR_0": color, "JOINTS_0": joints, "WEIGHTS_0": weights}, "indices": indices,
        "targets": [{"POSITION": morph}], "material": 0}]}]
    document["materials"] = [{"pbrMetallicRoughness": {"baseColorFactor": [1, 1, 1, 1]}}]
    document["skins"] = [{"joints": [1, 2], "inverseBindMatrices": ibm}]
    document["animations"] = [{"samplers": [{"input": times, "output": turns}, {"input": times, "output": sizes}],
        "channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}},
                     {"sampler": 1, "target": {"node": 0, "path": "weights"}}]}]
    return document, data


def as_gltf(document, data):
    document = copy.deepcopy(document)
    document["buffers"] = document["buffers"] or [{"byteLength": len(data),
        "uri": "data:application/octet-stream;base64," + base64.b64encode(bytes(data)).decode()}]
    return json.dumps(document).encode()


def png_chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


# A PNG whose pixels are twice as high as they are wide.
WIDE_PIXELS = (b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)) +
    png_chunk(b"pHYs", struct.pack(">IIB", 100, 200, 1)) + png_chunk(b"IDAT", zlib.compress(bytes(4))) + png_chunk(b"IEND", b""))


# --- edits ----------------------------------------------------------------------------------------------------------

def find(document, pointer):
    *parents, last = pointer.strip("/").split("/")
    for part in parents:
        document = document[int(part)] if isinstance(document, list) else document.setdefault(part, {})
    return document, int(last) if isinstance(document, list) and last != "-" else last


def put(pointer, value):
    def edit(document):
        container, key = find(document, pointer)
        if key == "-":
            container.append(value)
        else:
            container[key] = value
    return edit


def drop(pointer):
    def edit(document):
        container, key = find(document, pointer)
        del container[key]
    return edit


def floats(accessor, at, *values):
    """Returns an edit of the small base: it writes `values` into an accessor's data, from element `at` on."""
    return lambda document, data: struct.pack_into("<%df" % len(values), data,
        document["bufferViews"][accessor]["byteOffset"] + 4 * at, *values)


def numbers(accessor, at, letter, *values):
    size = struct.calcsize(letter)
    return lambda document, data: struct.pack_into("<%d%s" % (len(values), letter), data,
        document["bufferViews"][accessor]["byteOffset"] + size * at, *values)


V1, SPRING, OLD = "/extensions/VRMC_vrm", "/extensions/VRMC_springBone", "/extensions/VRM"
MOTION = "/extensions/VRMC_vrm_animation"
MTOON = "/materials/0/extensions/VRMC_materials_mtoon"
ROLL = "/nodes/56/extensions/VRMC_node_constraint"
BONES = V1 + "/humanoid/humanBones"
SPARSE = {"count": 1, "indices": {"bufferView": 8, "componentType": 5123}, "values": {"bufferView": 1}}
SPHERE = {"sphere": {"radius": 1}}
EXTENDED = {"node": 6, "shape": SPHERE, "extensions": {"VRMC_springBone_extended_collider": {"specVersion": "1.0",
    "shape": {"plane": {"normal": [0, 0, 2]}}}}}

# code: edits of the sample
SAMPLE = {
    "VRM1_SPEC_VERSION": [put(V1 + "/specVersion", "9")],
    "VRM1_META_MISSING": [drop(V1 + "/meta/authors")],
    "VRM1_LICENSE_URL": [put(V1 + "/meta/licenseUrl", "https://example.com")],
    "VRM1_NON_RECOMMENDED_THUMBNAIL_RESOLUTION": [put(V1 + "/meta/thumbnailImage", "WIDE")],
    "VRM1_INVALID_THUMBNAIL_IMAGE_MIME_TYPE": [put(V1 + "/meta/thumbnailImage", "GIF")],
    "VRM1_UNKNOWN_BONE": [put(BONES + "/tail", {"node": 64})],
    "VRM1_OLD_THUMB_NAMES": [put(BONES + "/leftThumbIntermediate", {"node": 27}), put(BONES + "/leftThumbProximal", {"node": 26}),
                             drop(BONES + "/leftThumbMetacarpal")],
    "VRM1_REQUIRED_BONE_MISSING": [drop(BONES + "/head")],
    "VRM1_BONE_NOT_UNIQUE": [put(BONES + "/jaw/node", 7)],
    "VRM1_BONE_HIERARCHY": [put(BONES + "/leftFoot/node", 16), put(BONES + "/rightFoot/node", 12)],
    "VRM1_BONE_PARENT_MISSING": [drop(BONES + "/chest")],
    "VRM1_BONE_SCALE_ZERO": [put("/nodes/21/scale", [0, 1, 1])],
    "VRM1_BONE_SCALE_NEGATIVE": [put("/nodes/21/scale", [-1, -1, -1])],
    "VRM1_BONE_SCALE_NOT_UNIFORM": [put("/nodes/21/scale", [1, 2, 1])],
    "VRM1_UNKNOWN_PRESET": [put(V1 + "/expressions/preset/joy", {})],
    "VRM1_CUSTOM_NAME_IS_PRESET": [put(V1 + "/expressions/custom/happy", {})],
    "VRM1_EMPTY_ARRAY": [put(V1 + "/expressions/preset/happy/morphTargetBinds", [])],
    "VRM1_MORPH_TARGET_NODE_WITHOUT_MESH": [put(V1 + "/expressions/preset/happy/morphTargetBinds/0/node", 0)],
    "VRM1_MORPH_TARGET_INDEX_OOB": [put(V1 + "/expressions/preset/happy/morphTargetBinds/0/index", 500)],
    "VRM1_MORPH_WEIGHT_RANGE": [put(V1 + "/expressions/preset/happy/morphTargetBinds/0/weight", 100)],
    "VRM1_COLOR_BIND_NO_TARGET": [drop("/materials/5/extensions"),
        put(V1 + "/expressions/preset/happy/materialColorBinds/0/type", "shadeColor")],
    "VRM1_LOOK_AT_DEFAULT": [drop(V1 + "/lookAt/rangeMapVerticalUp/outputScale")],
    "VRM1_LOOK_AT_RANGE": [put(V1 + "/lookAt/rangeMapVerticalUp/inputMaxValue", 200)],
    "VRM1_LOOK_AT_NO_EYES": [drop(BONES + "/leftEye"), drop(BONES + "/rightEye")],
    "VRM1_LOOK_AT_NO_EXPRESSIONS": [put(V1 + "/lookAt/type", "expression")] +
        [drop(V1 + "/expressions/preset/look" + way) for way in ("Up", "Down", "Left", "Right")],
    "VRM1_LOOK_AT_UNIT": [put(V1 + "/specVersion", "1.0-beta")],
    "VRM1_FIRST_PERSON_NODE_WITHOUT_MESH": [put(V1 + "/firstPerson/meshAnnotations/0/node", 0)],
    "VRM1_FIRST_PERSON_DUPLICATE": [put(V1 + "/firstPerson/meshAnnotations/0/node", 234)],
    "VRM1_FIRST_PERSON_DEFAULT": [drop(V1 + "/firstPerson/meshAnnotations/0/type")],
    "VRM1_TEXTURE_TRANSFORM_ROTATION": [put("/materials/0/pbrMetallicRoughness/baseColorTexture/extensions",
        {"KHR_texture_transform": {"rotation": 1}})],
    "VRM1_TEXTURE_TRANSFORM_TEXCOORD": [put("/materials/0/pbrMetallicRoughness/baseColorTexture/extensions",
        {"KHR_texture_transform": {"texCoord": 0}})],
    "VRM1_SPRING_TOO_SHORT": [put(SPRING + "/springs/-", {"joints": [{"node": 64}]})],
    "VRM1_SPRING_JOINT_NOT_DESCENDANT": [put(SPRING + "/springs/0/joints/1/node", 64)],
    "VRM1_SPRING_OVERLAP": [put(SPRING + "/springs/-", {"joints": [{"node": 65}, {"node": 66}]})],
    "VRM1_SPRING_TAIL_SHARED": [put("/nodes/64/children", [236]), put("/nodes/-", {"children": [237], "translation": [0, 1, 0]}),
        put("/nodes/-", {"translation": [0, 1, 0]}), put(SPRING + "/springs/-", {"joints": [{"node": 64}, {"node": 236}]}),
        put(SPRING + "/springs/-", {"joints": [{"node": 236}, {"node": 237}]})],
    "VRM1_SPRING_CENTER": [put(SPRING + "/springs/0/center", 64)],
    "VRM1_SPRING_CYCLE": [put(SPRING + "/colliders/-", {"node": 66, "shape": SPHERE}), put(SPRING + "/colliders/-", {"node": 71, "shape": SPHERE}),
        put(SPRING + "/colliderGroups/-", {"colliders": [13]}), put(SPRING + "/colliderGroups/-", {"colliders": [14]}),
        put(SPRING + "/springs/0/colliderGroups", [13]), put(SPRING + "/springs/1/colliderGroups", [12])],
    "VRM1_COLLIDER_SHAPE": [put(SPRING + "/colliders/0/shape", {})],
    "VRM1_COLLIDER_SHAPE_BETA": [put(SPRING + "/colliders/0/shape", {"offset": [0, 0, 0], "radius": 1, "tail": [0, 1, 0]})],
    "VRM1_COLLIDER_NO_FALLBACK": [put(SPRING + "/colliders/0", {k: v for k, v in EXTENDED.items() if k != "shape"})],
    "VRM1_COLLIDER_PLANE_NORMAL": [put(SPRING + "/colliders/0", copy.deepcopy(EXTENDED))],
    "VRM1_COLLIDER_PLANE_NORMAL_ZERO": [put(SPRING + "/colliders/0", copy.deepcopy(EXTENDED)),
        put(SPRING + "/colliders/0/extensions/VRMC_springBone_extended_collider/shape/plane/normal", [0, 0, 0])],
    "VRM1_SPRING_LIMIT": [put(SPRING + "/springs/0/joints/0/extensions", {"VRMC_springBone_limit": {"specVersion": "1.0-draft", "limit": {}}}),
        put("/extensionsUsed/-", "VRMC_springBone_limit")],
    "VRM1_SPRING_LIMIT_LAST": [put(SPRING + "/springs/0/joints/4/extensions",
        {"VRMC_springBone_limit": {"specVersion": "1.0-draft", "limit": {"cone": {"angle": 0.5}}}}), put("/extensionsUsed/-", "VRMC_springBone_limit")],
    "VRM1_CONSTRAINT_TYPE": [put(ROLL + "/constraint", {})],
    "VRM1_CONSTRAINT_SELF": [put(ROLL + "/constraint/roll/source", 56)],
    "VRM1_CONSTRAINT_CYCLE": [put(ROLL + "/constraint/roll/source", 58), put("/nodes/58/extensions/VRMC_node_constraint/constraint/roll/source", 56)],
    "VRM1_RENDER_QUEUE_OFFSET": [put(MTOON + "/renderQueueOffsetNumber", 5)],
    "VRM1_REST_POSE_OVERFLOW": [put("/nodes/0/scale", [1e30, 1e30, 1e30]), put("/nodes/1/scale", [1e30, 1e30, 1e30])],
    "VRM1_MODEL_SIZE": [put("/nodes/0/scale", [500, 500, 500])],
    "VRM1_TPOSE_FACING": [put("/nodes/0/rotation", [0, 1, 0, 0])],
    "VRM1_TPOSE_ARM": [put("/nodes/19/rotation", [0, 0, -0.3826834, 0.9238795])],
    "VRM1_TPOSE_LEG": [put("/nodes/10/rotation", [0, 0, 0.2588190, 0.9659258])],
    "VRM1_TPOSE_THUMB": [put("/nodes/27/rotation", [0, 0, 0.7071068, 0.7071068])],
    "VRM1_TPOSE_BEND": [put("/nodes/11/translation", [0, 0.38, 0.05])],
    "VRM1_TPOSE_GROUND": [put("/nodes/0/translation", [0, 1, 0])],
    "VRM1_TPOSE_FINGER": [put("/nodes/29/rotation", [0.3420201, 0, 0, 0.9396926])],
    "VRM1_TPOSE_PALM": [put("/nodes/21/rotation", [0, 0.7071068, 0, 0.7071068])],
    "VRM1_TPOSE_FOOT": [put("/nodes/13/translation", [0.07, -0.056, 0.02])],
    "VRM1_TPOSE_SYMMETRY": [put("/nodes/0/translation", [0.1, 0, 0])],
    "VRM1_TPOSE_ROOT": [put("/nodes/0/translation", [0, 0, 0.1])],
    "VRM1_INVERTED_PELVIS": [put("/nodes/-", {"name": "pelvis", "children": [10, 14]}), put("/nodes/1/children/1", 236), drop("/nodes/1/children/2")],
    "VRM1_NODE_SCALE": [put("/nodes/64/scale", [1, 2, 1]), put("/nodes/65/scale", [-1, -1, -1])],
    "VRM1_OVERRIDE_OWN_KIND": [put(V1 + "/expressions/preset/blink/overrideBlink", "block")],
    "VRM1_BETA_STIFFNESS": [put(SPRING + "/specVersion", "1.0-beta"), put(SPRING + "/springs/0/joints/0/stiffness", 2)],
    "VRM1_COLLIDER_FALLBACK": [put(SPRING + "/colliders/0", copy.deepcopy(EXTENDED)),
        put(SPRING + "/colliders/0/extensions/VRMC_springBone_extended_collider/shape/plane/normal", [0, 0, 1])],
    "VRM1_EXPRESSION_DUPLICATE": "draft", "VRM1_MISSPELT_EXTENSION": "draft", "VRM1_DRAFT": "draft",
    "VRM1_NOT_USED": [put("/cameras", [{"type": "perspective", "perspective": {"yfov": 1, "znear": 1}}]), put("/nodes/235/camera", 0)],
    "VRM1_DRAFT_EXTENSION": [put("/nodes/64/extensions", {"VRMC_node_collider": {"shapes": []}}), put("/extensionsUsed/-", "VRMC_node_collider")],
    "VRM_TWO_DIALECTS": [put(OLD, {"specVersion": "0.0"}), put("/extensionsUsed/-", "VRM")],
    "VRM1_NO_BOUNDS": [put("/meshes/3/primitives/0/extensions", {"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {}}}),
        put("/extensionsUsed/-", "KHR_draco_mesh_compression"), drop("/accessors/12/bufferView")],
    "EXTENSION_GEOMETRY_UNREADABLE": [put("/extensionsRequired", ["KHR_draco_mesh_compression"]), put("/extensionsUsed/-", "KHR_draco_mesh_compression")],
    "EXTENSION_IGNORED": [put("/extensionsRequired", ["KHR_materials_ior"]), put("/extensionsUsed/-", "KHR_materials_ior")],
    "UNSUPPORTED_EXTENSION": [put("/extensionsRequired", ["EXT_unknown"]), put("/extensionsUsed/-", "EXT_unknown")],
    "INCOMPLETE_EXTENSION_SUPPORT": [put("/extensionsUsed/-", "EXT_unknown")],
    "DATA_URI_GLB": [put("/images/0", {"uri": "data:image/png;base64,PNG"})],
    "IMAGE_BUFFER_VIEW_WITH_BYTESTRIDE": [put("/bufferViews/99/byteStride", 4)],
    "TEXTURE_INVALID_IMAGE_MIME_TYPE": [put("/textures/0/source", "GIF")],
    "IMAGE_MIME_TYPE_INVALID": [put("/images/0/mimeType", "image/jpeg")],
    "IMAGE_UNRECOGNIZED_FORMAT": [put("/images/0/bufferView", 0)],
    "IMAGE_DATA_INVALID": [put("/bufferViews/99/byteLength", 20)],
    "UNUSED_OBJECT": [put("/textures/-", {"source": 0})],
}

# code: edits of the draft
DRAFT = {
    "VRM1_DRAFT": [],
    "VRM1_LOOK_AT_INNER_IGNORED": [put(V1 + "/lookAt/lookAtType", "expression")],
    "VRM1_EXPRESSION_DUPLICATE": ["twice"],
    "VRM1_MISSPELT_EXTENSION": ["misspelt"],
    "VRM1_DRAFT_CONSTRAINTS": [put("/nodes/3/extensions/VRMC_constraints", {"specVersion": "1.0-draft",
        "rotation": {"source": 1}, "aim": {"source": 2}})],
    "VRM1_DRAFT_AIM_UP": [put("/nodes/3/extensions/VRMC_constraints", {"specVersion": "1.0-draft",
        "aim": {"source": 9, "aimVector": [0, 0, 1], "upVector": [0, 0, 1]}})],
    "VRM1_DRAFT_META_VERSION": ["no version"],
    "VRM1_DRAFT_PRESET_NAME": [put(V1 + "/expressions/0/name", "Mine")],
    "VRM1_NODE_COLLIDER_MISSING": ["collider"],
    "VRM1_DRAFT_INVERSE_BIND": ["turned skin"],
    "VRM1_DRAFT_TEXTURE_TRANSFORM": [put("/materials/0/emissiveTexture/extensions", {"KHR_texture_transform": {"offset": [0.5, 0]}})],
    "VRM1_DRAFT_VERSION": [put(V1 + "/specVersion", "1.0")],
}

# code: edits of VRM 0.x
ZERO = {
    "VRM0_VRM_EXTENSION": [],
    "VRM0_BONE_DUPLICATE": [put(OLD + "/humanoid/humanBones/-", {"bone": "hips", "node": 22})],
    "VRM0_REQUIRED_BONE_MISSING": [drop(OLD + "/humanoid/humanBones/3")],
    "VRM0_NODE_TURNED": [put("/nodes/7/rotation", [0, 1, 0, 0]), put("/nodes/9/scale", [2, 2, 2])],
    "VRM0_BIND_NO_TARGET": [lambda document: document["meshes"].append(document["meshes"][0]),
        put(OLD + "/blendShapeMaster/blendShapeGroups/0/binds/0/mesh", 1)],
    "VRM0_LOOK_AT_CURVE": [put(OLD + "/firstPerson/lookAtVerticalUp/curve", [0, 1])],
    "VRM0_UNKNOWN_SHADER": [put(OLD + "/materialProperties/0/shader", "Custom/Own")],
    "VRM0_MATERIAL_COUNT": [put(OLD + "/materialProperties/-", {"name": "m", "shader": "VRM/MToon"})],
    "OLD_WORD_UNKNOWN": [put(OLD + "/meta/licenseName", "WTFPL")],
}

# code: edits of the small base. Functions with two arguments change its data.
SMALL = {
    "VRM1_PLAIN_GLTF": [],
    "TYPE_MISMATCH": [put("/meshes/0/name", 5)],
    "UNDEFINED_PROPERTY": [drop("/accessors/0/count")],
    "VALUE_NOT_IN_RANGE": [put("/materials/0/pbrMetallicRoughness/metallicFactor", 2)],
    "VALUE_NOT_IN_LIST": [put("/materials/0/alphaMode", "GLASS")],
    "ARRAY_LENGTH_NOT_IN_LIST": [put("/nodes/2/translation", [0, 1])],
    "UNRESOLVED_REFERENCE": [put("/meshes/0/primitives/0/material", 7)],
    "ARRAY_TYPE_MISMATCH": [put("/nodes/2/translation", [0, 1, "x"])],
    "EMPTY_ENTITY": [put("/cameras", [])],
    "ONE_OF_MISMATCH": [put("/images", [{"name": "nothing"}])],
    "PATTERN_MISMATCH": [put("/asset/version", "2")],
    "UNEXPECTED_PROPERTY": [put("/nodes/2/speed", 1)],
    "UNSATISFIED_DEPENDENCY": [put("/nodes/2/weights", [1])],
    "VALUE_MULTIPLE_OF": [put("/bufferViews/0/byteStride", 14), put("/accessors/0/count", 2)],
    "UNKNOWN_ASSET_MAJOR_VERSION": [put("/asset/version", "3.0")],
    "UNKNOWN_ASSET_MINOR_VERSION": [put("/asset/version", "2.1")],
    "ASSET_MIN_VERSION_GREATER_THAN_VERSION": [put("/asset/minVersion", "2.1")],
    "UNDECLARED_EXTENSION": [put("/materials/0/extensions", {"KHR_materials_unlit": {}})],
    "UNEXPECTED_EXTENSION_OBJECT": [put("/nodes/2/extensions", {"KHR_materials_unlit": {}}), put("/extensionsUsed", ["KHR_materials_unlit"])],
    "UNUSED_EXTENSION_REQUIRED": [put("/extensionsRequired", ["KHR_materials_unlit"]), put("/extensionsUsed", ["KHR_texture_transform"])],
    "NON_REQUIRED_EXTENSION": [put("/extensionsUsed", ["KHR_mesh_quantization"])],
    "INVALID_INDEX": [put("/scenes/0/nodes", [-1])],
    "INVALID_GL_VALUE": [put("/accessors/0/componentType", 5124)],
    "DUPLICATE_ELEMENTS": [put("/skins/0/joints", [1, 2, 2])],
    "BUFFER_BYTE_LENGTH_MISMATCH": ["long buffer"],
    "BUFFER_DATA_URI_MIME_TYPE_INVALID": ["text buffer"],
    "IO_ERROR": ["file buffer"], "NON_RELATIVE_URI": ["http buffer"], "URI_LEAVES_FOLDER": ["outside buffer"], "INVALID_URI": ["broken buffer"],
    "BUFFER_VIEW_TOO_LONG": [put("/bufferViews/12/byteLength", 5000)],
    "BUFFER_VIEW_TOO_BIG_BYTE_STRIDE": [put("/bufferViews/6/byteStride", 252)],
    "BUFFER_VIEW_INVALID_BYTE_STRIDE": [put("/bufferViews/8/byteStride", 4)],
    "BUFFER_VIEW_TARGET_OVERRIDE": [put("/bufferViews/8/target", 34962)],
    "ACCESSOR_TOO_LONG": [put("/accessors/12/count", 50)],
    "ACCESSOR_TYPE_INVALID": [put("/accessors/12/type", "VEC5")],
    "ACCESSOR_NORMALIZED_INVALID": [put("/accessors/3/normalized", True)],
    "ACCESSOR_OFFSET_ALIGNMENT": [put("/accessors/8/byteOffset", 1), put("/accessors/8/count", 2)],
    "ACCESSOR_TOTAL_OFFSET_ALIGNMENT": [put("/bufferViews/8/byteOffset", 293), put("/bufferViews/8/byteLength", 6)],
    "ACCESSOR_MATRIX_ALIGNMENT": [put("/accessors/9/byteOffset", 2), put("/accessors/9/count", 1)],
    "ACCESSOR_SMALL_BYTESTRIDE": [put("/bufferViews/1/byteStride", 8)],
    "ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE": [put("/accessors/1/sparse", dict(SPARSE, count=9))],
    "ACCESSOR_SPARSE_INDEX_OOB": [put("/accessors/1/sparse", copy.deepcopy(SPARSE)), numbers(8, 0, "H", 9)],
    "ACCESSOR_SPARSE_INDICES_NON_INCREASING": [put("/accessors/1/sparse", dict(copy.deepcopy(SPARSE), count=2)), numbers(8, 0, "H", 1, 1)],
    "ACCESSOR_INVALID_FLOAT": [floats(3, 0, float("nan"))],
    "ACCESSOR_INDEX_OOB": [numbers(8, 0, "H", 77)],
    "ACCESSOR_INDEX_PRIMITIVE_RESTART": [numbers(8, 0, "H", 65535)],
    "ACCESSOR_JOINTS_INDEX_OOB": [numbers(5, 0, "B", 9)],
    "ACCESSOR_JOINTS_USED_ZERO_WEIGHT": [numbers(5, 2, "B", 1)],
    "NODE_SKINNED_MESH_NON_ROOT": [put("/nodes/1/children", [2, 0]), put("/scenes/0/nodes", [1])],
    "NODE_SKINNED_MESH_LOCAL_TRANSFORMS": [put("/nodes/0/translation", [0, 0, 1])],
    "MATERIAL_ALPHA_CUTOFF_INVALID_MODE": [put("/materials/0/alphaMode", "BLEND"), put("/materials/0/alphaCutoff", 0.5)],
    "MULTIPLE_EXTENSIONS": [put("/materials/0/extensions", {"KHR_materials_unlit": {}, "KHR_materials_ior": {}}),
        put("/extensionsUsed", ["KHR_materials_unlit", "KHR_materials_ior"])],
    "MESH_PRIMITIVE_GENERATED_TANGENT_SPACE": [drop("/meshes/0/primitives/0/attributes/TANGENT"), put("/textures", [{}]),
        put("/materials/0/normalTexture", {"index": 0})],
    "IMAGE_FEATURES_UNSUPPORTED": [put("/images", [{"uri": "data:image/png;base64," + base64.b64encode(WIDE_PIXELS).decode()}]),
        put("/textures", [{"source": 0}]), put("/materials/0/emissiveTexture", {"index": 0})],
    "ACCESSOR_JOINTS_INDEX_DUPLICATE": [numbers(5, 0, "B", 1)],
    "ACCESSOR_WEIGHTS_NEGATIVE": [floats(6, 0, -0.5)],
    "ACCESSOR_WEIGHTS_NON_NORMALIZED": [floats(6, 0, 0.25)],
    "ACCESSOR_INVALID_IBM": [floats(9, 3, 1)],
    "ACCESSOR_VECTOR3_NON_UNIT": [floats(1, 0, 3)],
    "ACCESSOR_INVALID_SIGN": [floats(2, 3, 0.5)],
    "ACCESSOR_NON_CLAMPED": [floats(4, 0, 2)],
    "ACCESSOR_MIN_MISMATCH": [put("/accessors/0/min", [-1, 0, 0])],
    "ACCESSOR_MAX_MISMATCH": [put("/accessors/0/max", [2, 1, 0])],
    "ACCESSOR_ELEMENT_OUT_OF_MIN_BOUND": [put("/accessors/0/min", [0.5, 0, 0])],
    "ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND": [put("/accessors/0/max", [0.5, 1, 0])],
    "ACCESSOR_USAGE_OVERRIDE": [put("/meshes/0/primitives/0/attributes/_OWN", 8)],
    "ACCESSOR_ANIMATION_INPUT_NEGATIVE": [floats(10, 0, -1)],
    "ACCESSOR_ANIMATION_INPUT_NON_INCREASING": [floats(10, 1, 0)],
    "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION": [floats(11, 0, 1)],
    "MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT": [put("/accessors/3/count", 2)],
    "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT": [put("/meshes/0/primitives/0/attributes/TEXCOORD_0", 1)],
    "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_UNSIGNED_INT": [put("/accessors/3/componentType", 5125), drop("/meshes/0/primitives/0/attributes/TEXCOORD_0"),
        put("/meshes/0/primitives/0/attributes/_OWN", 3)],
    "MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT": [put("/meshes/0/primitives/0/indices", 12), put("/animations/0/samplers/1/output", 8)],
    "MESH_PRIMITIVE_INDICES_ACCESSOR_WITH_BYTESTRIDE": [put("/bufferViews/8/byteStride", 4), put("/accessors/8/count", 2)],
    "MESH_PRIMITIVE_NO_POSITION": [drop("/meshes/0/primitives/0/attributes/POSITION"), drop("/meshes/0/primitives/0/targets"),
        drop("/meshes/0/weights"), drop("/animations/0/channels/1")],
    "MESH_PRIMITIVE_INVALID_ATTRIBUTE": [put("/meshes/0/primitives/0/attributes/OWN", 3)],
    "MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY": [put("/meshes/0/primitives/0/attributes/TEXCOORD_2", 3)],
    "MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH": [drop("/meshes/0/primitives/0/attributes/WEIGHTS_0")],
    "MESH_PRIMITIVE_TANGENT_WITHOUT_NORMAL": [drop("/meshes/0/primitives/0/attributes/NORMAL")],
    "MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS": [drop("/accessors/0/min")],
    "MESH_PRIMITIVE_ACCESSOR_UNALIGNED": [put("/accessors/5/byteOffset", 1), put("/accessors/5/count", 2)],
    "MESH_PRIMITIVE_ACCESSOR_WITHOUT_BYTESTRIDE": [put("/accessors/7/bufferView", 0), put("/accessors/7/max", [1, 1, 0])],
    "MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR": [put("/meshes/0/primitives/0/targets/0/TEXCOORD_1", 3)],
    "MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT": [put("/accessors/7/count", 2)],
    "MESH_PRIMITIVE_TOO_FEW_TEXCOORDS": [put("/materials/0/normalTexture", {"index": 0, "texCoord": 3}), put("/textures", [{}])],
    "MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT": [put("/meshes/0/primitives/-", {"attributes": {"POSITION": 0}})],
    "MESH_INVALID_WEIGHTS_COUNT": [put("/meshes/0/weights", [0, 0])],
    "NODE_WEIGHTS_INVALID": [put("/nodes/0/weights", [0, 0])],
    "NODE_LOOP": [put("/nodes/2/children", [1])],
    "NODE_PARENT_OVERRIDE": [put("/nodes/-", {"children": [2]})],
    "NODE_MATRIX_NON_TRS": [put("/nodes/1/matrix", [1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])],
    "NODE_MATRIX_TRS": [put("/nodes/1/matrix", [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]), put("/nodes/1/scale", [1, 1, 1])],
    "ROTATION_NON_UNIT": [put("/nodes/1/rotation", [0, 0, 0, 0.5])],
    "NODE_SKIN_WITH_NON_SKINNED_MESH": [drop("/meshes/0/primitives/0/attributes/JOINTS_0"), drop("/meshes/0/primitives/0/attributes/WEIGHTS_0")],
    "NODE_SKINNED_MESH_WITHOUT_SKIN": [drop("/nodes/0/skin")],
    "NODE_SKIN_NO_SCENE": [put("/scenes/0/nodes", [0])],
    "SCENE_NON_ROOT_NODE": [put("/scenes/0/nodes", [0, 1, 2])],
    "SKIN_NO_COMMON_ROOT": [put("/nodes/1/children", [3]), put("/nodes/-", {}), put("/scenes/0/nodes", [0, 1, 2])],
    "SKIN_SKELETON_INVALID": [put("/skins/0/skeleton", 2)],
    "SKIN_IBM_INVALID_FORMAT": [put("/skins/0/inverseBindMatrices", 11)],
    "SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE": [put("/bufferViews/9/byteStride", 64)],
    "INVALID_IBM_ACCESSOR_COUNT": [put("/accessors/9/count", 1)],
    "ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT": [put("/animations/0/samplers/0/input", 11), put("/animations/0/samplers/0/output", 10)],
    "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT": [put("/animations/0/samplers/0/output", 12)],
    "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT": [put("/accessors/11/count", 2)],
    "ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE": [put("/bufferViews/11/byteStride", 16)],
    "ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS": [put("/animations/0/samplers/0/interpolation", "CUBICSPLINE"),
        put("/accessors/-", {"bufferView": 10, "componentType": 5126, "type": "SCALAR", "count": 1, "min": [0], "max": [0]}),
        put("/animations/0/samplers/0/input", 13)],
    "ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS": [drop("/accessors/10/min")],
    "ANIMATION_CHANNEL_TARGET_NODE_MATRIX": [drop("/nodes/2/translation"), put("/nodes/2/matrix", [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1])],
    "ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS": [put("/animations/0/channels/1/target/node", 2)],
    "ANIMATION_DUPLICATE_TARGETS": [put("/animations/0/channels/-", {"sampler": 0, "target": {"node": 2, "path": "rotation"}})],
    "CAMERA_ZFAR_LEQUAL_ZNEAR": [put("/cameras", [{"type": "perspective", "perspective": {"yfov": 1, "znear": 2, "zfar": 1}}]), put("/nodes/2/camera", 0)],
    "CAMERA_XMAG_YMAG_ZERO": [put("/cameras", [{"type": "orthographic", "orthographic": {"xmag": 0, "ymag": 1, "znear": 0, "zfar": 1}}]), put("/nodes/2/camera", 0)],
    "KHR_LIGHTS_PUNCTUAL_LIGHT_SPOT_ANGLES": [put("/extensionsUsed", ["KHR_lights_punctual"]), put("/extensions/KHR_lights_punctual/lights",
        [{"type": "spot", "spot": {"innerConeAngle": 1, "outerConeAngle": 0.5}}])],
    "VRM1_MORPH_TARGET_TANGENTS": [put("/extensionsUsed", ["VRMC_vrm"]), put(V1, {"specVersion": "1.0"}),
        put("/meshes/0/primitives/0/targets/0/TANGENT", 7)],
    "VRM1_MESH_PRIMITIVE_TANGENTS": [put("/extensionsUsed", ["VRMC_vrm"]), put(V1, {"specVersion": "1.0"})],
}

def motion(**members):
    """Returns edits that turn the small base into a VRM animation in which two bones can move."""
    bones = ["hips", "spine", "head", *(side + part for side in ("left", "right")
        for part in ("UpperLeg", "LowerLeg", "Foot", "UpperArm", "LowerArm", "Hand"))]
    nodes = [put("/nodes/-", {"name": bone, "translation": [0, -1, 0]}) for bone in bones[2:]] + [put("/nodes/2/children", list(range(3, 16)))]
    humanoid = {"humanBones": {bone: {"node": 1 + i} for i, bone in enumerate(bones)}}
    return nodes + [put("/extensionsUsed", ["VRMC_vrm_animation"]), put(MOTION, dict({"specVersion": "1.0", "humanoid": humanoid}, **members))]


SMALL.update({
    "MOTION_NOTHING_HUMANOID": motion() + [drop("/animations/0/channels/0")],
    "MOTION_CHANNEL_IGNORED": motion() + [put("/animations/0/channels/-", {"sampler": 2, "target": {"node": 2, "path": "scale"}}),
        put("/animations/0/samplers/-", {"input": 10, "output": 7})],
    "MOTION_KEYS_DROPPED": motion() + [floats(10, 1, 0)],
    "MOTION_HIPS_HEIGHT": motion() + [put("/animations/0/channels/-", {"sampler": 2, "target": {"node": 1, "path": "translation"}}),
        put("/animations/0/samplers/-", {"input": 10, "output": 7})],
    "VRMA_EYE_BONE": motion() + [put(MOTION + "/humanoid/humanBones/leftEye", {"node": 2})],
    "VRMA_REQUIRED_BONE_MISSING": motion() + [drop(MOTION + "/humanoid/humanBones/leftHand")],
    "VRMA_NODE_SCALED": motion() + [put("/nodes/2/scale", [2, 2, 2])],
    "VRMA_WITH_AVATAR": motion() + [put("/extensionsUsed/-", "VRMC_vrm"), put(V1, {"specVersion": "1.0"})],
    "VRMA_LOOK_AT_WITHOUT_NODE": motion(lookAt={"offsetFromHeadBone": [0, 0, 0]}),
    "VRMA_LOOK_EXPRESSION": motion(expressions={"preset": {"lookUp": {"node": 2}}}),
})

# code: a function that changes the bytes of the small base, as text or GLB
RAW = {
    "INVALID_JSON": lambda text, _: text[:-1],
    "JSON_BYTE_ORDER_MARK": lambda text, _: b"\xef\xbb\xbf" + text,
    "JSON_INVALID_UTF8": lambda text, _: text.replace(b'"joint"', b'"jo\xffnt"'),
    "JSON_LONE_SURROGATE": lambda text, _: text.replace(b'"joint"', b'"jo\\ud800nt"'),
    "DUPLICATE_KEY": lambda text, _: text.replace(b'{"asset"', b'{"scene":0,"asset"'),
    "LIMIT_EXCEEDED": lambda text, _: text.replace(b'"joint"', b"[" * 200 + b"]" * 200),
    "GLB_INVALID_MAGIC": lambda _, data: b"glXX" + data[4:],
    "COOKED_AVATAR": lambda _, data: b"VRMCOOK\n" + data[8:],
    "GLB_INVALID_VERSION": lambda _, data: data[:4] + b"\x01\0\0\0" + data[8:],
    "GLB_LENGTH_TOO_SMALL": lambda _, data: data[:8] + b"\x0c\0\0\0" + data[12:],
    "GLB_LENGTH_MISMATCH": lambda _, data: data[:-8],
    "GLB_EXTRA_DATA": lambda _, data: data + b"extra",
    "GLB_CHUNK_LENGTH_UNALIGNED": lambda _, data: data[:8] + struct.pack("<I", len(data) + 9) + data[12:] + struct.pack("<II", 1, 9) + b"x",
    "GLB_CHUNK_TOO_BIG": lambda _, data: data[:12] + struct.pack("<I", len(data)) + data[16:],
    "GLB_EMPTY_CHUNK": lambda _, data: data[:8] + struct.pack("<II", 20, 0) + data[16:20],
    "GLB_DUPLICATE_CHUNK": lambda _, data: data[:8] + struct.pack("<I", len(data) + 12) + data[12:] + struct.pack("<II", 4, 0x4E4F534A) + b"{}  ",
    "GLB_UNEXPECTED_END_OF_HEADER": lambda _, data: data[:10],
    "GLB_UNEXPECTED_END_OF_CHUNK_HEADER": lambda _, data: data[:8] + struct.pack("<I", len(data) + 4) + data[12:] + b"abcd",
    "GLB_UNEXPECTED_FIRST_CHUNK": lambda _, data: data[:16] + b"BIN\0" + data[20:],
    "GLB_UNKNOWN_CHUNK_TYPE": lambda _, data: data[:8] + struct.pack("<I", len(data) + 12) + data[12:] + struct.pack("<II", 4, 77) + b"abcd",
    "GLB_UNEXPECTED_BIN_CHUNK": "late bin", "BUFFER_MISSING_GLB_DATA": "no bin", "BUFFER_GLB_CHUNK_TOO_BIG": "long bin",
}


# --- cases ----------------------------------------------------------------------------------------------------------

def apply(edits, document, data):
    for edit in edits:
        if edit.__code__.co_argcount == 2:
            edit(document, data)
        else:
            edit(document)


def png(width, height):
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sIIBBBBB", 13, b"IHDR", width, height, 8, 2, 0, 0, 0) + b"\0" * 16


def with_image(document, binary, data):
    """Adds an image at the end of the chunk. Returns the new chunk and the image's index."""
    binary += b"\0" * (-len(binary) % 4)
    document["bufferViews"].append({"buffer": 0, "byteOffset": len(binary), "byteLength": len(data)})
    document["images"].append({"bufferView": len(document["bufferViews"]) - 1, "mimeType": "image/png"})
    document["buffers"][0]["byteLength"] = len(binary) + len(data)
    return binary + data, len(document["images"]) - 1


IMAGES = {"WIDE": png(32, 16), "GIF": b"GIF89a\x10\x00\x10\x00\x00\x00\x00"}


def sample_case(sample, edits):
    document, binary = copy.deepcopy(sample)
    apply(edits, document, binary)
    meta, texture = document["extensions"]["VRMC_vrm"]["meta"], document["textures"][0]
    for owner, key in ((meta, "thumbnailImage"), (texture, "source")):
        if owner.get(key) in IMAGES:
            binary, owner[key] = with_image(document, binary, IMAGES[owner[key]])
    if document["images"][0].get("uri", "").endswith("PNG"):
        document["images"][0]["uri"] = "data:image/png;base64," + base64.b64encode(png(16, 16)).decode()
    return make_glb(document, binary)


def draft_case(draft, edits):
    document = copy.deepcopy(draft)
    vrm = document["extensions"]["VRMC_vrm"]
    for edit in edits:
        if edit == "twice":
            vrm["expressions"].append(vrm["expressions"][0])
        elif edit == "misspelt":
            document["materials"][0]["extensions"] = {"VMRC_materials_mtoon": {"version": "1.0-draft"}}
            document["extensionsUsed"].append("VMRC_materials_mtoon")
        elif edit == "no version":
            vrm["meta"].pop("version", None)
        elif edit == "collider":
            document["extensions"]["VRMC_springBone"]["springs"][0]["colliders"] = [1]
        elif edit == "turned skin":
            skin_face(document)
        else:
            edit(document)
    return json.dumps(document).encode()


def skin_face(document):
    """Binds the face to the hips by a matrix that rotates about Y."""
    data = struct.pack("<16f", 0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1) + struct.pack("<12f", *[1, 0, 0, 0] * 3)
    view, accessor = len(document["bufferViews"]), len(document["accessors"])
    document["buffers"].append({"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()})
    document["bufferViews"] += [{"buffer": 1, "byteLength": 64}, {"buffer": 1, "byteOffset": 64, "byteLength": 48}]
    document["accessors"] += [{"bufferView": view, "componentType": 5126, "type": "MAT4", "count": 1},
        {"bufferView": view + 1, "componentType": 5126, "type": "VEC4", "count": 3}, {"componentType": 5121, "type": "VEC4", "count": 3}]
    document["meshes"][0]["primitives"][0]["attributes"].update({"WEIGHTS_0": accessor + 1, "JOINTS_0": accessor + 2})
    document["skins"] = [{"joints": [0], "inverseBindMatrices": accessor}]
    next(node for node in document["nodes"] if "mesh" in node)["skin"] = 0


URIS = {"long buffer": None, "text buffer": "data:text/plain;base64,", "file buffer": "nothing.bin", "http buffer": "http://example.com/b.bin",
        "outside buffer": "../b.bin", "broken buffer": "data:application/octet-stream;base64,!!!"}


def small_case(edits):
    document, data = small()
    words = [edit for edit in edits if isinstance(edit, str)]
    apply([edit for edit in edits if not isinstance(edit, str)], document, data)
    encoded = base64.b64encode(bytes(data)).decode()
    for word in words:
        uri = URIS[word] or "data:application/octet-stream;base64," + encoded
        document["buffers"] = [{"byteLength": len(data) + (10 if word == "long buffer" else 0),
            "uri": uri + (encoded if word == "text buffer" else "")}]
    return as_gltf(document, data)


def raw_case(change):
    document, data = small()
    text = as_gltf(document, data)
    document["buffers"] = [{"byteLength": len(data)}]
    if change == "no bin":
        return make_glb(document, None)
    if change == "long bin":
        return make_glb(document, bytes(data) + b"\0" * 8)
    binary = make_glb(document, bytes(data))
    if change == "late bin":
        at = 20 + struct.unpack_from("<I", binary, 12)[0]
        extra = struct.pack("<II", 4, 77) + b"abcd"
        return binary[:8] + struct.pack("<I", len(binary) + 12) + binary[12:at] + extra + binary[at:]
    return change(text, binary)


def build_cases():
    sample = read_sample()
    cases = {"sample": make_glb(*sample), "small": small_case([])}
    for code, edits in SAMPLE.items():
        if edits != "draft":
            cases[code] = sample_case(sample, edits)
    for code, edits in SMALL.items():
        cases[code] = small_case(edits)
    for code, change in RAW.items():
        cases[code] = raw_case(change)
    if shutil.which("node"):
        draft, zero = read_old("draft-schema"), read_old("0.x")
        for code, edits in DRAFT.items():
            cases[code] = draft_case(draft, edits)
        for code, edits in ZERO.items():
            document = copy.deepcopy(zero)
            apply(edits, document, None)
            cases[code] = json.dumps(document).encode()
    return cases


def reports(cases):
    with tempfile.TemporaryDirectory() as folder:
        paths = {}
        for code, data in cases.items():
            paths[code] = str(pathlib.Path(folder, code))
            pathlib.Path(paths[code]).write_bytes(data)
        out = subprocess.run([VRM, "validate", "-q", "--format", "ndjson", *paths.values()], capture_output=True)
        if out.returncode not in (0, 1, 2, 3, 5, 6):
            sys.exit("vrm validate ended with %d: %s" % (out.returncode, out.stderr.decode()))
        found = [json.loads(line) for line in out.stdout.decode().splitlines()]
    return {code: [line_of(message) for message in report["issues"]["messages"]] for code, report in zip(paths, found)}


def line_of(message):
    """Returns a finding as a line: code, severity, path, found, expected."""
    place = message.get("pointer", "@%s" % message.get("offset"))
    texts = ["%s: %s" % (key, message[key]) for key in ("found", "expected") if message.get(key)]
    return "; ".join(["%s %d %s" % (message["code"], message["severity"], place), *texts])


# After `--fix` has repaired files with these codes, the report is the same as the base's.
REPAIRED = ["UNDECLARED_EXTENSION", "ACCESSOR_MIN_MISMATCH", "ACCESSOR_MAX_MISMATCH", "ACCESSOR_ELEMENT_OUT_OF_MIN_BOUND",
    "ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND", "ACCESSOR_NORMALIZED_INVALID", "NODE_MATRIX_TRS", "ROTATION_NON_UNIT",
    "SCENE_NON_ROOT_NODE", "SKIN_SKELETON_INVALID", "IMAGE_MIME_TYPE_INVALID", "VRM1_EMPTY_ARRAY",
    "VRM1_FIRST_PERSON_DEFAULT", "VRM1_FIRST_PERSON_DUPLICATE", "VRM1_LOOK_AT_RANGE", "VRM1_COLLIDER_PLANE_NORMAL",
    "VRM1_OVERRIDE_OWN_KIND", "VRM1_RENDER_QUEUE_OFFSET", "a collider without version", "an offset with a fraction"]


def more_to_repair(sample):
    """Returns files that --fix repairs, for codes whose file in the list it does not repair."""
    without = copy.deepcopy(EXTENDED)
    without["shape"] = {"sphere": {"radius": 1000, "offset": [0, 0, -1000]}}
    extension = without["extensions"]["VRMC_springBone_extended_collider"]
    del extension["specVersion"]
    extension["shape"]["plane"]["normal"] = [0, 0, 1]
    return {"a collider without version": sample_case(sample, [put(SPRING + "/colliders/0", without)]),
            "an offset with a fraction": sample_case(sample, [put(MTOON + "/renderQueueOffsetNumber", -3.5)])}


def check_repairs(cases):
    """After a repair no finding with its code is left, nothing else has changed, and a second repair writes the same
    bytes."""
    failures = []
    cases = {**cases, **more_to_repair(read_sample())}
    with tempfile.TemporaryDirectory() as folder:
        before, after, again = (str(pathlib.Path(folder, name)) for name in ("before", "after", "again"))
        for code in REPAIRED:
            pathlib.Path(before).write_bytes(cases[code])
            for source, target in ((before, after), (after, again)):
                out = subprocess.run([VRM, "validate", "-q", "--fix", source, "-o", target, "--format", "ndjson", "--severity", "info"],
                    capture_output=True)
                messages = json.loads(out.stdout)["issues"]["messages"]
            left = [m["code"] for m in messages if m["code"] != "VRM1_PLAIN_GLTF"]
            if left and left != ["UNEXPECTED_PROPERTY"]:
                failures.append("--fix of %s leaves %s" % (code, left))
            if pathlib.Path(after).read_bytes() != pathlib.Path(again).read_bytes():
                failures.append("--fix of %s is not finished the first time" % code)
        shutil.copy(before, again)
        other = folder + "/./again"
        for name in (again, other):
            out = subprocess.run([VRM, "validate", "--fix", again, "-o", name], capture_output=True)
            if out.returncode != 2 or out.stdout != b"" or out.stderr.count(b"\n") != 1:
                failures.append("--fix writes over its input unasked")
    return failures


def main():
    catalogue = re.findall(r"^    X\((\w+),", (ROOT / "include/vrm/findings.h").read_text(), re.M)
    cases = build_cases()
    got = reports(cases)
    failures = check_repairs(cases)
    if os.environ.get("VRM_RENEW") == "1":
        EXPECTED.write_text(json.dumps(got, indent=1, sort_keys=True) + "\n")
    expected = json.loads(EXPECTED.read_text())
    for code, found in got.items():
        if code in catalogue and not any(line.split()[0] == code for line in found):
            failures.append("%s: not found in its own file: %s" % (code, found[:6]))
        if expected.get(code) != found:
            failures.append("%s: expected %s, found %s" % (code, expected.get(code), found))
    if got["sample"]:
        failures.append("the clean sample: %s" % got["sample"])
    without = [code for code in catalogue if code not in expected and code not in ELSEWHERE and not code.startswith(ELSEWHERE_PREFIXES)]
    failures += ["%s: has no file" % code for code in without]
    print("%d codes with a file of their own, %d elsewhere" % (len(expected) - 2, len(ELSEWHERE)))
    print("\n".join(failures))
    sys.exit(1 if failures else 0)


main()
