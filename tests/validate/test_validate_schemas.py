# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""`vrm validate` must report every violation of VRM's JSON schemas, as an error or warning at its place. For each
schema of ../shared/spec/schema a valid value is made, in a document that fits it. Then every keyword is violated once
(type, required, enum, minimum, maximum, minItems, maxItems, minLength, oneOf, an index beyond its array). The report
must have a finding at that value, below it or at the object that contains it, and the valid file must not have this
finding.

Values and violations are kept in tests/validate/broken.json, which is used if ../shared is missing. If ../shared is
available, both must agree; VRM_RENEW=1 writes the file again."""

import base64
import copy
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

VRM = str(pathlib.Path(os.environ.get("VRM_COMMAND", "build/release/bin/vrm")).resolve())
KEPT = pathlib.Path(__file__).with_name("broken.json")
SCHEMAS = pathlib.Path(os.environ.get("VRM_SHARED", "../shared")) / "spec/schema"

# --- a document that every object fits into --------------------------------------------------------------------------

SIDES = ("left", "right")
FINGERS = ("Index", "Middle", "Ring", "Little")


def bone_parents(thumbs):
    """Returns bone -> parent bone, in the order of the nodes."""
    bones = {"hips": None, "spine": "hips", "chest": "spine", "upperChest": "chest", "neck": "upperChest", "head": "neck",
        "leftEye": "head", "rightEye": "head", "jaw": "head"}
    for side in SIDES:
        chains = [(None, "UpperLeg", "LowerLeg", "Foot", "Toes"), ("upperChest", "Shoulder", "UpperArm", "LowerArm", "Hand")]
        chains += [("Hand", *("Thumb" + part for part in thumbs))]
        chains += [("Hand", *(finger + part for part in ("Proximal", "Intermediate", "Distal"))) for finger in FINGERS]
        for first, *chain in chains:
            above = "hips" if first is None else first if first == "upperChest" else side + first
            for part in chain:
                bones[side + part], above = above, side + part
    return bones


THUMBS, OLD_THUMBS = ("Metacarpal", "Proximal", "Distal"), ("Proximal", "Intermediate", "Distal")
BONE_NODES, OLD_BONE_NODES = ({name: i for i, name in enumerate(bone_parents(thumbs))} for thumbs in (THUMBS, OLD_THUMBS))
# Further nodes: the face, a strand of hair on the head, the source of a constraint.
MESH, STRAND, SOURCE = 55, (56, 57, 58), 59
PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sIIBBBBB", 13, b"IHDR", 16, 16, 8, 2, 0, 0, 0) + b"\0" * 16


def carrier():
    parents = bone_parents(THUMBS)
    nodes = [{"name": name, "translation": [0, 1 if parent is None else 0.1, 0]} for name, parent in parents.items()]
    nodes += [{"name": "face", "mesh": 0}] + [{"name": "strand %d" % i, "translation": [0, -0.1, 0]} for i in range(3)] + [{"name": "source"}]
    for name, parent in parents.items():
        if parent is not None:
            nodes[BONE_NODES[parent]].setdefault("children", []).append(BONE_NODES[name])
    for child, parent in zip(STRAND, (BONE_NODES["head"], *STRAND)):
        nodes[parent].setdefault("children", []).append(child)
    data = struct.pack("<9f2f8f6f", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1)
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    return {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, MESH, SOURCE]}], "nodes": nodes,
        "extensionsUsed": [], "extensions": {},
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "targets": [{"POSITION": 0}], "material": 0}]}],
        "materials": [{"name": "skin"}], "textures": [{"source": 0}],
        "images": [{"uri": "data:image/png;base64," + base64.b64encode(PNG).decode()}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
            {"bufferView": 3, "componentType": 5126, "count": 3, "type": "VEC2"},
            {"bufferView": 1, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
            {"bufferView": 2, "componentType": 5126, "count": 2, "type": "VEC4"}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 8},
            {"buffer": 0, "byteOffset": 44, "byteLength": 32}, {"buffer": 0, "byteOffset": 76, "byteLength": 24}],
        "animations": [{"samplers": [{"input": 2, "output": 3}], "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}]}],
        "buffers": [{"byteLength": len(data), "uri": uri}]}


# --- values by schema ------------------------------------------------------------------------------------------------

INDEX = {"type": "integer", "minimum": 0, "index": True}
FOREIGN = {"glTFid.schema.json": INDEX, "glTFProperty.schema.json": {}, "glTFChildOfRootProperty.schema.json": {},
    "textureInfo.schema.json": {"type": "object", "properties": {"index": INDEX, "texCoord": {"type": "integer", "minimum": 0}},
        "required": ["index"]}}


KINDS = {"string": str, "integer": int, "number": (int, float), "array": list}


class Schemas:
    """The schemas of one folder, which refer to each other by file name. Inherited schemas are merged."""

    def __init__(self, folder):
        self.files = {path.name: json.loads(path.read_text()) for path in folder.rglob("*.json")}

    def resolve(self, schema):
        parts = [schema.get("$ref")] if "$ref" in schema else []
        parts = [self.resolve(self.files.get(name, FOREIGN.get(name, {}))) for name in parts]
        parts += [self.resolve(part) for part in schema.get("allOf", [])]
        merged = {}
        for part in parts + [{k: v for k, v in schema.items() if k not in ("$ref", "allOf")}]:
            merged.update({k: v for k, v in part.items() if k != "properties"})
            known = merged.setdefault("properties", {})
            known.update({k: v for k, v in part.get("properties", {}).items() if v or k not in known})
        return merged

    def make(self, schema, choice, fit, path=()):
        """Returns a value that follows the schema and has every member. If members exclude each other, `choice`
        selects one."""
        schema = self.resolve(schema)
        kind = schema.get("type", "object" if schema["properties"] else None)
        fitting = fit(path)
        if isinstance(fitting, KINDS.get(kind, ())):
            return copy.deepcopy(fitting)
        if schema.get("index"):
            return 0
        if "enum" in schema:
            return schema["enum"][0]
        if kind == "object":
            names = [name for name in schema["properties"] if name not in ("extensions", "extras")]
            if "oneOf" in schema:
                picked = schema["oneOf"][choice % len(schema["oneOf"])]["required"][0]
                others = {name for one in schema["oneOf"] for name in one["required"]} - {picked}
                names = [name for name in names if name not in others]
            return {name: self.make(schema["properties"][name], choice, fit, path + (name,)) for name in names}
        if kind == "array":
            if isinstance(schema.get("default"), list) and schema["default"]:
                return copy.deepcopy(schema["default"])
            return [self.make(schema.get("items", {}), choice, fit, path + (i,)) for i in range(max(1, schema.get("minItems", 1)))]
        if kind in ("number", "integer"):
            return schema.get("default", max(schema.get("minimum", 0), min(1, schema.get("maximum", 1))))
        return {"boolean": False, "string": "word"}.get(kind)

    def broken(self, schema, value, path=()):
        """Yields (path, keyword, invalid value or DROP) for every keyword that restricts the value."""
        schema = self.resolve(schema)
        kind = schema.get("type", "object" if schema["properties"] else None)
        wrong = {"string": 5, "number": "1", "integer": "1", "boolean": "true", "array": {}, "object": []}
        if kind in wrong:
            yield path, "type", wrong[kind]
        if kind == "integer":
            yield path, "integer", 0.5
        if schema.get("index"):
            yield path, "index", 9999
        if "enum" in schema:
            yield path, "enum", "no such word"
        for keyword, step in (("minimum", -1), ("maximum", 1)):
            if keyword in schema:
                yield path, keyword, schema[keyword] + step
        if kind == "string" and schema.get("minLength", 0) > 0:
            yield path, "minLength", ""
        if kind == "array":
            if schema.get("minItems", 0) > 0:
                yield path, "minItems", value[:schema["minItems"] - 1]
            if "maxItems" in schema:
                yield path, "maxItems", (value * 2)[:schema["maxItems"] + 1]
            for i, item in enumerate(value):
                # An object is tested only if it has a member that the first object lacks.
                if i == 0 or (isinstance(item, dict) and item.keys() - value[0].keys()):
                    yield from self.broken(schema.get("items", {}), item, path + (i,))
        if kind == "object":
            for name in schema.get("required", []):
                yield path + (name,), "required", DROP
            if "oneOf" in schema:
                yield path, "oneOf", {}
                yield path, "oneOf", {one["required"][0]: self.make(schema["properties"][one["required"][0]], 0, lambda _: None)
                    for one in schema["oneOf"][:2]}
            if schema.get("additionalProperties") is False:
                yield path + ("no such member",), "additionalProperties", 0
            inner = schema.get("additionalProperties")
            for name, item in value.items():
                of = schema["properties"].get(name, inner if isinstance(inner, dict) else None)
                if of is not None:
                    yield from self.broken(of, item, path + (name,))


DROP = object()

# --- places of the schemas -------------------------------------------------------------------------------------------

BONES = {name: {"node": BONE_NODES[name]} for name in ("hips", "spine", "chest", "neck", "head", *(side + part for side in SIDES
    for part in ("UpperLeg", "LowerLeg", "Foot", "UpperArm", "LowerArm", "Hand")))}
LICENSE = "https://vrm.dev/licenses/1.0/"
VRM1 = {"VRMC_vrm": {"specVersion": "1.0", "meta": {"name": "a", "authors": ["b"], "licenseUrl": LICENSE}, "humanoid": {"humanBones": BONES}}}
DRAFT = {"VRMC_vrm": {"specVersion": "1.0-draft", "meta": {"name": "a", "authors": ["b"]}, "humanoid": {"humanBones": BONES}}}
BALL = {"VRMC_springBone": {"specVersion": "1.0", "colliders": [{"node": 5, "shape": {"sphere": {"radius": 0.1}}}]}}
HAIR = {"VRMC_springBone": {"specVersion": "1.0", "springs": [{"joints": [{"node": node} for node in STRAND]}]}}
ROOT, NODE, MATERIAL = (), ("nodes", STRAND[2]), ("materials", 0)
COLLIDER = ("extensions", "VRMC_springBone", "colliders", 0)
JOINT = ("extensions", "VRMC_springBone", "springs", 0, "joints", 0)
SEED = "drafts/seed-dialect@4f382ff/"

# folder: schema, extension, its specVersion, its position in the document, further members of the document
CASES = {
    "VRMC_vrm-1.0": ("VRMC_vrm.schema.json", "VRMC_vrm", "1.0", ROOT, {}),
    "VRMC_springBone-1.0": ("VRMC_springBone.schema.json", "VRMC_springBone", "1.0", ROOT, VRM1),
    "VRMC_springBone_extended_collider-1.0": ("VRMC_springBone_extended_collider.schema.json", "VRMC_springBone_extended_collider",
        "1.0", COLLIDER, {**VRM1, **BALL}),
    "VRMC_node_constraint-1.0": ("VRMC_node_constraint.schema.json", "VRMC_node_constraint", "1.0", NODE, VRM1),
    "VRMC_materials_mtoon-1.0": ("VRMC_materials_mtoon.schema.json", "VRMC_materials_mtoon", "1.0", MATERIAL, VRM1),
    "VRMC_materials_hdr_emissiveMultiplier-1.0": ("VRMC_materials_hdr_emissiveMultiplier.json",
        "VRMC_materials_hdr_emissiveMultiplier", None, MATERIAL, VRM1),
    "VRMC_vrm_animation-1.0": ("VRMC_vrm_animation.schema.json", "VRMC_vrm_animation", "1.0", ROOT, {}),
    "0.0": ("vrm.schema.json", "VRM", "0.0", ROOT, {}),
    "drafts/VRMC_springBone_limit-1.0-draft@75fbd48": ("VRMC_springBone_limit.schema.json", "VRMC_springBone_limit", "1.0-draft", JOINT,
        {**VRM1, **HAIR}),
    "drafts/VRMC_springBone-1.0_draft@2331103parent": ("VRMC_springBone.schema.json", "VRMC_springBone", "1.0-beta", ROOT, VRM1),
    "drafts/VRMC_node_constraint-1.0_draft@066d816parent": ("VRMC_node_constraint.schema.json", "VRMC_node_constraint", "1.0-draft",
        NODE, VRM1),
    SEED + "VRMC_vrm-1.0_draft": ("VRMC_vrm.schema.json", "VRMC_vrm", "1.0-draft", ROOT, {}),
    SEED + "VRMC_springBone-1.0_draft": ("VRMC_springBone.schema.json", "VRMC_springBone", None, ROOT, DRAFT),
    SEED + "VRMC_node_collider_1.0_draft": ("VRMC_node_collider.json", "VRMC_node_collider", None, NODE, DRAFT),
    SEED + "VRMC_constraints-1.0_draft": ("VRMC_constraints.schema.json", "VRMC_constraints", None, NODE, DRAFT),
    SEED + "VRMC_materials_mtoon-1.0_draft": ("VRMC_materials_mtoon.schema.json", "VRMC_materials_mtoon", None, MATERIAL, DRAFT),
    "drafts/VRMC_springBone-1.0_draft@ed82b2d": ("VRMC_springBone.schema.json", "VRMC_springBone", None, ROOT, DRAFT),
}
# Folders whose schema is the same as another folder's.
OTHERS = {"drafts/VRMC_node_collider_1.0_draft": SEED + "VRMC_node_collider_1.0_draft"}

FITTING = {"source": SOURCE, "center": BONE_NODES["head"], "springRoot": STRAND[0], "bones": STRAND[0], "licenseUrl": LICENSE,
    "curve": [0, 0, 0, 1, 1, 1, 1, 0], "targetValue": [1, 1, 1, 1], "shader": "VRM/MToon", "offsetFromHeadBone": [0, 0.06, 0],
    "shadeFactor": [1, 1, 1], "rimFactor": [1, 1, 1], "outlineFactor": [1, 1, 1], "texCoord": 0, "texture": 0, "mesh": 0, "setting": 0,
    "colliderGroups": 0, "firstPersonFlag": "Auto", "lookAtTypeName": "Bone", "allowedUserName": "Everyone", "licenseName": "CC0",
    "violentUssageName": "Allow", "sexualUssageName": "Allow", "commercialUssageName": "Allow", "index": 0, "node": SOURCE}


def fit(path, version, draft):
    """Returns a value that depends on other parts of the document, by its path; None if the schema alone determines
    the value."""
    names = [part for part in path if isinstance(part, str)][::-1]
    if path == ("specVersion",):
        return version
    if names[:1] == ["node"] and names[2:3] == ["humanBones"]:
        return (OLD_BONE_NODES if draft else BONE_NODES).get(names[1])
    if names[:1] == ["node"] and names[1] in ("joints", "morphTargetBinds", "meshAnnotations", "humanBones"):
        return STRAND[0] if names[1] == "joints" else BONE_NODES["hips"] if names[1] == "humanBones" else MESH
    if names[:1] == ["colliders"]:
        return SOURCE if draft else 0
    return FITTING.get(names[0], 0 if names[0].endswith("Texture") else None) if names else None


def finish(value, extension, choice):
    """Completes a value by requirements that are in the specification's text but not in the schema."""
    if extension == "VRM":
        value["humanoid"]["humanBones"] += [{"bone": name, **bone} for name, bone in BONES.items() if name != "hips"]
    elif extension == "VRMC_node_collider": # a shape is a sphere or a capsule
        value["shapes"] = [{kind: value["shapes"][0][kind]} for kind in ("sphere", "capsule")]
    elif extension == "VRMC_constraints": # a node may have only one of these two
        del value[("aim", "rotation")[choice % 2]]


# Invalid values that are read anyway.
ALLOWED = {
    SEED + "VRMC_vrm-1.0_draft expressions type": "the betas have an object there, and some call themselves 1.0-draft",
}
# Findings that valid files may have.
DOUBTS = {"VRM1_LOOK_AT_UNIT"}


def names_of(value):
    """Yields the names of all extensions anywhere in the document."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from item if key == "extensions" else ()
            yield from names_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from names_of(item)


def place(value, extension, where, beside):
    """Returns the document with the value at its place, and the pointer to that place."""
    document = carrier()
    owner = document
    document["extensions"] = copy.deepcopy(beside)
    if "VRMC_springBone" == extension and beside is DRAFT: # the draft's springs collide with nodes
        document["nodes"][SOURCE]["extensions"] = {"VRMC_node_collider": {"shapes": [{"sphere": {"radius": 0.1}}]}}
    for key in where:
        owner = owner[key]
    owner.setdefault("extensions", {})[extension] = value
    document["extensionsUsed"] = sorted(set(names_of(document)))
    return document, "".join("/%s" % key for key in (*where, "extensions", extension))


def break_at(value, path, new):
    value = copy.deepcopy(value)
    owner = value
    for key in path[:-1]:
        owner = owner[key]
    if new is DROP:
        del owner[path[-1]]
    else:
        owner[path[-1]] = new
    return value


def by_schemas(folder, case):
    """Returns values that follow the schema, each with its possible violations: (path, keyword, invalid value or
    DROP)."""
    name, extension, version, _, beside = case
    schemas = Schemas(SCHEMAS / folder)
    draft = "seed" in folder or beside is DRAFT
    seen, made = set(), []
    for choice in range(3):
        value = schemas.make(schemas.files[name], choice, lambda path: fit(path, version, draft))
        finish(value, extension, choice)
        if value in [earlier for earlier, _ in made]:
            break
        made.append((value, []))
        for path, keyword, new in schemas.broken(schemas.files[name], value):
            key = (path, keyword, repr(new))
            if path != () and key not in seen:
                seen.add(key)
                made[-1][1].append((path, keyword, new))
    return made


def held_by(value, path):
    for key in path:
        value = value[key]
    return value


def fold(value, broken):
    """Returns the violations as {keyword: {invalid value: [path]}}. If all members of an object have the same
    violation, they share a row, in which * stands for their names."""
    left = {(path, keyword, "" if new is DROP else json.dumps(new)): None for path, keyword, new in broken}
    rows = {}
    while left:
        path, keyword, new = next(iter(left))
        same = [(path, keyword, new)]
        for i in range(len(path)):
            holder = held_by(value, path[:i])
            siblings = [(path[:i] + (key,) + path[i + 1:], keyword, new) for key in holder] if isinstance(holder, dict) else []
            if len(siblings) > 3 and all(sibling in left for sibling in siblings):
                same, path = siblings, path[:i] + ("*",) + path[i + 1:]
                break
        for one in same:
            del left[one]
        rows.setdefault(keyword, {}).setdefault(new, []).append("/".join(map(str, path)))
    return rows


def unfold(value, rows):
    def paths(holder, parts):
        if not parts:
            yield ()
            return
        keys = holder if parts[0] == "*" else [int(parts[0])] if isinstance(holder, list) else [parts[0]]
        for key in keys:
            inner = holder[key] if len(parts) > 1 else None
            yield from ((key, *rest) for rest in paths(inner, parts[1:]))
    return [(path, keyword, DROP if new == "" else json.loads(new)) for keyword, of in rows.items() for new, wanted in of.items()
            for text in wanted for path in paths(value, text.split("/"))]


def kept():
    return {folder: [(value, unfold(value, rows)) for value, rows in made] for folder, made in json.loads(KEPT.read_text()).items()}


def read_schemas(failures):
    """Reads the violations from the schemas. They must agree with the kept file."""
    made = {folder: by_schemas(folder, case) for folder, case in CASES.items()}
    folded = {folder: [(value, fold(value, broken)) for value, broken in values] for folder, values in made.items()}
    if os.environ.get("VRM_RENEW") == "1":
        rows = ("%s: %s" % (json.dumps(folder), json.dumps(values, separators=(",", ":"))) for folder, values in folded.items())
        KEPT.write_text("{\n%s\n}\n" % ",\n".join(rows))
    plain = {folder: [(value, sorted(map(repr, broken))) for value, broken in values] for folder, values in made.items()}
    if plain != {folder: [(value, sorted(map(repr, broken))) for value, broken in values] for folder, values in kept().items()}:
        failures.append("broken.json is not what the schemas say (VRM_RENEW=1)")
    folders = {str(path.parent.relative_to(SCHEMAS)) for path in SCHEMAS.rglob("*.json")}
    failures += ["%s has no case" % folder for folder in sorted(folders - CASES.keys() - OTHERS.keys())]
    return made


def documents(folder, case, made):
    """Yields (label, pointer to the invalid value or None, document)."""
    _, extension, _, where, beside = case
    for choice, (value, broken) in enumerate(made):
        yield "%s %d" % (folder, choice), None, place(value, extension, where, beside)[0]
        for path, keyword, new in broken:
            document, pointer = place(break_at(value, path, new), extension, where, beside)
            pointer += "".join("/%s" % part for part in path)
            yield "%s %s %s" % (folder, "/".join(map(str, path)), keyword), pointer, document


def reports(files):
    with tempfile.TemporaryDirectory() as folder:
        for i, document in enumerate(files):
            pathlib.Path(folder, "%05d.gltf" % i).write_text(json.dumps(document))
        out = subprocess.run([VRM, "validate", "-q", "--format", "ndjson", folder], capture_output=True)
        lines = [json.loads(line) for line in out.stdout.decode().splitlines()]
    if len(lines) != len(files):
        sys.exit("vrm validate told of %d of %d files: %s" % (len(lines), len(files), out.stderr.decode()[:500]))
    return [[(m["code"], m["severity"], m.get("pointer", "")) for m in line["issues"]["messages"]] for line in lines]


def is_told(pointer, found, label):
    """Whether a finding is at the value, below it or at its owner. A missing member may also be reported at the
    place that needs it."""
    owner = pointer.rsplit("/", 1)[0]
    return found in (pointer, owner) or found.startswith((owner if label.endswith("required") else pointer) + "/")


def main():
    failures, total = [], 0
    made = read_schemas(failures) if SCHEMAS.is_dir() else kept()
    for folder, case in CASES.items():
        cases = list(documents(folder, case, made[folder]))
        base, missing, count = [], [], 0
        for (label, pointer, _), found in zip(cases, reports([document for _, _, document in cases])):
            serious = [finding for finding in found if finding[1] < 2]
            if pointer is None:
                base = found
                failures += ["%s: the unbroken file has %s at %s" % (label, code, where) for code, _, where in serious if code not in DOUBTS]
            elif label not in ALLOWED:
                count += 1
                if not any(finding not in base and is_told(pointer, finding[2], label) for finding in serious):
                    missing.append("%s: not told; instead %s" % (label, [finding for finding in found if finding not in base][:3]))
        total += count
        print("%s: %d of %d told" % (folder, count - len(missing), count))
        failures += missing
    print("\n".join(failures[:40]))
    print("%d violations, %d failures" % (total, len(failures)))
    sys.exit(1 if failures or total < 2000 else 0)


main()
