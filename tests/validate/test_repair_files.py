# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""`vrm validate --fix`, and `--repair` of the commands that write, repair the same faults in the file that loading
repairs. The repaired file has no such finding, loads with --strict, and has the content and motion of the damaged
file as it was loaded. Without --repair the file's values stay. VRM_DEFECTS: number of random single defects (60);
VRM_SEED: the first seed (0)."""

import copy
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "fixtures"))
from command_fixture import VRM, check, failures, old_avatar  # noqa: E402
from glb_files import make_glb, split_glb  # noqa: E402

VRMC, SPRINGS = ["extensions", "VRMC_vrm"], ["extensions", "VRMC_springBone"]
PARTS = [VRMC + ["meta"], VRMC + ["humanoid"], VRMC + ["expressions"], VRMC + ["lookAt"], VRMC + ["firstPerson"],
         SPRINGS + ["springs"], SPRINGS + ["colliders"], SPRINGS + ["colliderGroups"], ["nodes"], ["materials"], ["textures"]]
# Findings that --fix does not repair: loading keeps the fault, too, or a person has to decide
# (docs/validation.md).
NOT_REPAIRED = {"VRM1_META_MISSING", "VRM1_LICENSE_URL", "VRM1_BONE_PARENT_MISSING", "VRM1_BONE_HIERARCHY", "VRM1_BONE_NOT_UNIQUE",
                "VRM0_REQUIRED_BONE_MISSING", "UNEXPECTED_PROPERTY"}
PERSONS = ("/meta/name", "/meta/authors", "/meta/licenseUrl", "/VRMC_vrm/specVersion", "/VRMC_vrm/meta")
SCRIPT = {"frames": 9, "sample": {"every": 4}, "mode": "normalized", "events": [
    {"frame": 0, "humanBoneRotation": {"head": [0.2, 0, 0, 0.98], "hips": [0, 0.3, 0, 0.954]}, "yawPitch": [10, 5]},
    {"frame": 4, "humanBoneRotation": {"head": [-0.2, 0.1, 0, 0.974], "spine": [0, 0.1, 0, 0.995]}}]}


def run(*arguments):
    return subprocess.run([VRM, *map(str, arguments)], capture_output=True, text=True)


def at(value, path):
    for key in path:
        value = value[key]
    return value


def below(value, path):
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield path + [key]
        yield from below(item, path + [key])


def wrong(chance, value):
    others = [None, "words", 7, True, [], {}, "nothing", "nothing"]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return chance.choice([-1, value + 0.5, -value - 0.25, value + 1, chance.randrange(40), 1e9, 1e39, str(value)]
                             if chance.random() < 0.7 else others)
    if isinstance(value, str):
        return chance.choice([value.upper(), value + "x", "", " " + value] if chance.random() < 0.6 else others)
    if isinstance(value, list) and chance.random() < 0.6:
        return chance.choice([value[:-1], value + value[-1:], value[::-1], [], value[:1] + value[2:]])
    return chance.choice(others)


def damage(document, seed):
    """Damages one value of the document in place. Returns its path, and its text before and after."""
    chance = random.Random(seed)
    while True:
        part = chance.choice(PARTS)
        paths = [path for path in below(at(document, part), part) if part != ["nodes"] or "VRMC_node_constraint" in path]
        path = chance.choice(paths)
        owner, key = at(document, path[:-1]), path[-1]
        was, now = owner[key], wrong(chance, owner[key])
        if json.dumps(now) == json.dumps(was):
            continue
        if now == "nothing":
            del owner[key]
        else:
            owner[key] = now
        return "/%s: %.40r -> %.40r" % ("/".join(map(str, path)), was, now)


def inspect(path):
    return json.loads(run("inspect", "--format", "ndjson", path).stdout)


def trace(folder, path):
    script, out = folder / "script.json", folder / "trace.json"
    script.write_text(json.dumps(SCRIPT))
    done = run("trace", path, script, "-o", out)
    if done.returncode != 0:
        return done.stderr
    # Tails are left out: they are in the order of the springs, whose number may have grown.
    return [{key: value for key, value in frame.items() if key != "springTails"} for frame in json.loads(out.read_text())["frames"]]


def seen(file, name):
    """Returns the content of an avatar without members that a repair must change, such as counts and indices of
    removed objects."""
    left_out = {"file", "size", "repaired", "findings", "findingCounts", "counts", "colliders", "exitCode", "textureMemory"}
    if "/meta" in name:
        left_out |= {"meta", "permissions"}
    kept = {key: value for key, value in file.items() if key not in left_out}
    kept["springChains"] = [{key: value for key, value in chain.items() if key != "spring"}
                            for chain in file.get("springChains", [])]
    kept["springChains"].sort(key=lambda chain: json.dumps(chain))
    return kept


def grants(file):
    return {(name, who) for name, row in file["permissions"].items() for who, word in row.items() if word == "allowed"}


def repairs_as_loaded(folder, name, document, binary, codes=()):
    """Returns False if the damaged file is refused, so that there is nothing to repair."""
    before, after = folder / "before.vrm", folder / "after.vrm"
    before.write_bytes(make_glb(document, binary))
    damaged = inspect(before)
    if damaged["result"] != "SUCCESS":
        return False
    done = run("validate", "--fix", before, "-o", after, "--format", "ndjson")
    if not after.exists() or not done.stdout:
        check("fix", False, "%s: %s" % (name, done.stderr))
        return True
    messages = json.loads(done.stdout)["issues"]["messages"]
    kept = [m for m in messages if m["severity"] == 0 and m["code"] not in NOT_REPAIRED and
            "Factor/" not in m.get("pointer", "") and not m.get("pointer", "").endswith(PERSONS)]
    check("no finding is left", not kept, "%s: %s" % (name, [(m["code"], m.get("pointer")) for m in kept]))
    again = {m["code"] for m in messages} & set(codes)
    check("the finding is gone", not again, "%s: %s" % (name, again))
    repaired = inspect(after)
    is_kept = any(m["code"] in NOT_REPAIRED or m.get("pointer", "").endswith(PERSONS) for m in messages if m["severity"] == 0)
    check("loads without repairs", is_kept or not repaired["repaired"], name)
    a, b = seen(damaged, name), seen(repaired, name)
    check("the same avatar", a == b, "%s: %s" % (name, [(key, str(a[key])[:300], str(b.get(key))[:300]) for key in a if a[key] != b.get(key)]))
    check("grants no more", grants(repaired) <= grants(damaged), name)
    check("moves as it was loaded", trace(folder, before) == trace(folder, after), name)
    after.unlink()
    return True


def random_defects(folder, sound, binary):
    first, count = int(os.environ.get("VRM_SEED", 0)), int(os.environ.get("VRM_DEFECTS", 60))
    tried = 0
    for seed in range(first, first + count):
        document = copy.deepcopy(sound)
        name = damage(document, seed)
        tried += repairs_as_loaded(folder, "%d %s" % (seed, name), document, binary)
    check("most defects load", tried * 10 >= count * 8, "%d of %d" % (tried, count))


def chosen_defects(folder, sound, binary):
    """Yields defects whose repair affects several places: indices change, or a spring becomes several springs."""
    def with_springs(change):
        document = copy.deepcopy(sound)
        change(document["extensions"]["VRMC_springBone"], document)
        return document

    def two_colliders(springs, _):
        springs["colliders"][2]["shape"] = {}
        del springs["colliders"][5]["node"]
        springs["colliders"][1]["shape"] = {"sphere": {"radius": 0.03}, "capsule": {"radius": 0.02, "tail": [0, 0.1, 0]}}

    def a_group(springs, _):
        springs["colliderGroups"][1] = 7
        springs["colliders"][0] = {}

    def a_shared_node(springs, _):
        springs["springs"][1]["joints"][1]["node"] = springs["springs"][0]["joints"][1]["node"]

    def the_same_twice(springs, _):
        springs["springs"].append(copy.deepcopy(springs["springs"][3]))

    def the_middle_of_another(springs, _):
        whole = springs["springs"][19]
        springs["springs"].insert(0, {"name": "middle", "joints": copy.deepcopy(whole["joints"][2:4])})

    def numbers(springs, _):
        for spring in springs["springs"]:
            for joint in spring["joints"]:
                joint.update(dragForce=1.5, stiffness=-1, hitRadius="wide")

    def limits(springs, document):
        document["extensionsUsed"].append("VRMC_springBone_limit")
        for i, limit in enumerate([{"cone": {"angle": 0.5}, "hinge": {"angle": 0.25}}, {"cone": {}}, {}, {"spherical": {"pitch": -1}}]):
            springs["springs"][0]["joints"][i]["extensions"] = {"VRMC_springBone_limit": {"specVersion": "1.0-draft", "limit": limit}}

    def a_normal_of_none(springs, _):
        plane = next(c for c in springs["colliders"] if "plane" in json.dumps(c))
        plane["extensions"]["VRMC_springBone_extended_collider"]["shape"]["plane"]["normal"] = [0, 0, 0]

    def constraints(_, document):
        nodes = [node["extensions"] for node in document["nodes"] if "VRMC_node_constraint" in node.get("extensions", {})]
        first = next(i for i, node in enumerate(document["nodes"]) if node.get("extensions") is nodes[0])
        list(nodes[0]["VRMC_node_constraint"]["constraint"].values())[0]["source"] = first
        nodes[1]["VRMC_node_constraint"]["constraint"] = {}
        nodes[2]["VRMC_node_constraint"]["constraint"]["rotation"] = {"source": 1}

    def places_and_deltas(_, document):
        nodes, primitives = document["nodes"], document["meshes"][0]["primitives"]
        nodes[12]["translation"][1], nodes[13]["name"], nodes[60]["children"] = None, 7, True
        nodes[14]["rotation"] = [0, 0, "0", 1, 5]
        primitives[0]["targets"][2]["POSITION"] = primitives[1]["attributes"]["POSITION"]
        primitives[1]["targets"][3], primitives[1]["targets"][5] = True, {"POSITION": "82"}

    def in_quotation_marks(_, document):
        document["nodes"][0]["children"] = [str(child) for child in document["nodes"][0]["children"]]
        document["skins"][0]["joints"] = [str(joint) for joint in document["skins"][0]["joints"]]
        primitive, face = document["meshes"][0]["primitives"][0], next(node for node in document["nodes"] if "mesh" in node)
        primitive["attributes"] = {name: str(accessor) for name, accessor in primitive["attributes"].items()}
        primitive["indices"], face["mesh"] = str(primitive["indices"]), str(face["mesh"])
        document["accessors"][0]["count"] = str(document["accessors"][0]["count"])
        document["bufferViews"][0]["byteLength"] = str(document["bufferViews"][0]["byteLength"])

    cases = {"TYPE_MISMATCH INVALID_INDEX": in_quotation_marks, "TYPE_MISMATCH INVALID_INDEX MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT": places_and_deltas,
             "VRM1_COLLIDER_SHAPE": two_colliders, "TYPE_MISMATCH": a_group, "VRM1_SPRING_JOINT_NOT_DESCENDANT": a_shared_node,
             "VRM1_SPRING_OVERLAP": the_same_twice, "VRM1_SPRING_OVERLAP middle": the_middle_of_another,
             "VALUE_NOT_IN_RANGE": numbers, "VRM1_SPRING_LIMIT": limits, "VRM1_COLLIDER_PLANE_NORMAL_ZERO": a_normal_of_none,
             "VRM1_CONSTRAINT_SELF VRM1_CONSTRAINT_TYPE": constraints}
    for codes, change in cases.items():
        codes = [code for code in codes.split() if code.isupper()]
        check("loads", repairs_as_loaded(folder, change.__name__, with_springs(change), binary, codes), change.__name__)


def old_document():
    """Returns a valid document of VRM 0.x with hair, colliders and an expression."""
    document = old_avatar()
    first, head = len(document["nodes"]), next(
        bone["node"] for bone in document["extensions"]["VRM"]["humanoid"]["humanBones"] if bone["bone"] == "head")
    document["nodes"] += [{"name": "hair%d" % i, "translation": [0, -0.125, 0], "children": [first + i + 1]} for i in range(3)]
    document["nodes"].append({"name": "hair3", "translation": [0, -0.125, 0]})
    document["nodes"][head].setdefault("children", []).append(first)
    spheres = [{"offset": {"x": 0, "y": 0, "z": 0.25 * i}, "radius": 0.125} for i in range(2)]
    document["extensions"]["VRM"]["secondaryAnimation"] = {
        "colliderGroups": [{"node": head, "colliders": spheres}, {"node": 1, "colliders": spheres[:1]}],
        "boneGroups": [{"stiffiness": 1, "gravityPower": 0.5, "gravityDir": {"x": 0, "y": -1, "z": 0}, "dragForce": 0.5,
                        "center": -1, "hitRadius": 0.0625, "bones": [first], "colliderGroups": [0, 1]}]}
    return document


def old_defects(folder):
    def group(document):
        return document["extensions"]["VRM"]["secondaryAnimation"]["boneGroups"][0]

    changes = {
        "drag": lambda d: group(d).update(dragForce=1.5),
        "a word for a number": lambda d: group(d).update(stiffiness="much"),
        "a bone that is none": lambda d: group(d)["bones"].append(999),
        "a group that is none": lambda d: group(d)["colliderGroups"].insert(0, 9),
        "a group without a node that is": lambda d: d["extensions"]["VRM"]["secondaryAnimation"]["colliderGroups"][0].update(node=999),
        "gravity": lambda d: group(d)["gravityDir"].update(y="down"),
        "a word of meta": lambda d: d["extensions"]["VRM"]["meta"].update(allowedUserName="EVERYONE"),
        "profit in meta": lambda d: d["extensions"]["VRM"]["meta"].update(commercialUssageName=7),
    }
    for name, change in changes.items():
        document = old_document()
        change(document)
        name += " /meta" if "meta" in name else ""
        check("0.x loads", repairs_as_loaded(folder, "0.x, " + name, document, b""), name)


def quoted(value):
    """Returns the value with every number in quotation marks."""
    if isinstance(value, dict):
        return {key: quoted(item) for key, item in value.items()}
    if isinstance(value, list):
        return [quoted(item) for item in value]
    return json.dumps(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def numbers_in_quotation_marks(folder, sound, binary):
    """JavaScript reads "1" as 1. If any number of VRM's extensions is in quotation marks, the avatar is the same,
    and --fix writes the number."""
    for name, plain, data in ("1.0", sound, binary), ("0.x", old_document(), b""):
        document = copy.deepcopy(plain)
        for extension in document["extensions"]:
            document["extensions"][extension] = quoted(document["extensions"][extension])
        for node in document["nodes"]:
            if "VRMC_node_constraint" in node.get("extensions", {}):
                node["extensions"]["VRMC_node_constraint"] = quoted(node["extensions"]["VRMC_node_constraint"])
        check("%s has numbers in quotation marks" % name, json.dumps(document) != json.dumps(plain), name)
        right, before, after = folder / "right.vrm", folder / "before.vrm", folder / "after.vrm"
        right.write_bytes(make_glb(plain, data))
        before.write_bytes(make_glb(document, data))
        after.unlink(missing_ok=True)
        read = inspect(before)
        check("%s loads" % name, read["result"] == "SUCCESS" and read["repaired"], read["result"])
        check("%s is the same" % name, seen(read, name) == seen(inspect(right), name), name)
        check("%s moves alike" % name, trace(folder, before) == trace(folder, right), name)
        check("%s is refused by --strict" % name, run("inspect", "--strict", before).returncode != 0, name)
        run("validate", "--fix", before, "-o", after, "--format", "ndjson")
        fixed = split_glb(after.read_bytes())[0]
        check("%s is repaired" % name, fixed["extensions"] == plain["extensions"] and fixed["nodes"] == plain["nodes"], name)


def writers(folder, sound, binary):
    """Tests the commands that write a model. Without --repair the file's values stay exactly as they are; with
    --repair the finding is gone."""
    document = copy.deepcopy(sound)
    joints = document["extensions"]["VRMC_springBone"]["springs"][0]["joints"]
    joints[0]["dragForce"], joints[1]["hitRadius"], joints[2]["stiffness"] = 1.50, -1, "stiff"
    document["extensions"]["VRMC_vrm"]["meta"]["commercialUsage"] = "Corporation"
    source = folder / "wrong.vrm"
    source.write_bytes(make_glb(document, binary))
    for verb in (["bake"], ["split"], ["simulate", "--duration", "0.1"]):
        for repair in (False, True):
            out = folder / "out.glb"
            done = run(verb[0], source, "-o", out, *verb[1:], *(["--repair"] if repair else []))
            check("%s works" % verb[0], done.returncode == 0, done.stderr)
            written = split_glb(out.read_bytes())[0]["extensions"]
            report = json.loads(run("validate", "--format", "ndjson", out).stdout)["issues"]["messages"]
            codes = {m["code"] for m in report if m["severity"] == 0}
            got = [json.dumps(joint) for joint in written["VRMC_springBone"]["springs"][0]["joints"][:3]]
            usage = written["VRMC_vrm"]["meta"]["commercialUsage"]
            if repair:
                check("%s --repair" % verb[0], not codes & {"VALUE_NOT_IN_RANGE", "TYPE_MISMATCH", "VALUE_NOT_IN_LIST"}, codes)
                check("%s --repair clamps" % verb[0], '"dragForce": 1}' in got[0] and usage == "personalNonProfit", got)
            else:
                check("%s keeps" % verb[0], got == [json.dumps(joint) for joint in joints[:3]] and usage == "Corporation", got)
            out.unlink()
    old = old_document()
    old["extensions"]["VRM"]["secondaryAnimation"]["boneGroups"][0]["dragForce"] = 1.5
    source.write_bytes(make_glb(old, b""))
    out = folder / "new.vrm"
    done = run("migrate", source, "-o", out, "--repair")
    check("migrate works", done.returncode == 0 and "1 repair" in done.stderr, done.stderr)
    springs = split_glb(out.read_bytes())[0]["extensions"]["VRMC_springBone"]["springs"]
    check("migrate repairs", springs[0]["joints"][0]["dragForce"] == 1, springs[0]["joints"][0])


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run("sample", "--minimal", "-o", folder / "sample.vrm")
        sound, binary = split_glb((folder / "sample.vrm").read_bytes())
        chosen_defects(folder, sound, binary)
        old_defects(folder)
        numbers_in_quotation_marks(folder, sound, binary)
        writers(folder, sound, binary)
        random_defects(folder, sound, binary)
    sys.exit(1 if failures else 0)


main()
