# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Tests the command as a user runs it. The file tests/cli/expected/<case>.txt contains exit code, stdout and stderr of
each case. After an intended change, write these files again with

    VRM_RENEW=1 VRM_COMMAND=build/release/bin/vrm python3 tests/cli/run.py

and review the difference. Cases that cannot be a text file (signals, limits, full disks, terminals) are functions
below."""

import json
import os
import pathlib
import pty
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "fixtures"))
from command_fixture import CLEAN, VRM, check, fail, failures, old_avatar, rich_avatar, strict_avatar, vrm  # noqa: E402
from glb_files import make_glb, split_glb  # noqa: E402

ROOT = pathlib.Path.cwd()
EXPECTED = ROOT / "tests/cli/expected"
RENEW = os.environ.get("VRM_RENEW") == "1"

# name: (arguments, the file on stdin or None)
CASES = {
    "no_arguments": ([], None),
    "help": (["--help"], None),
    "help_bench": (["help", "bench"], None),
    "help_inspect": (["help", "inspect"], None),
    "help_sample": (["sample", "--help"], None),
    "help_simulate": (["simulate", "-h"], None),
    "help_trace": (["trace", "-h"], None),
    "help_unknown": (["help", "fly"], None),
    "help_foo": (["help", "foo"], None),  # differs from "cook" by two letters, so it is not suggested
    "help_beginning": (["help", "rag"], None),
    "help_beginnings": (["help", "s"], None),  # several commands begin with "s"
    "version": (["--version"], None),
    "option_before_command": (["-q", "inspect", "plain.gltf"], None),
    "unknown_command": (["inspekt", "avatar.vrm"], None),
    "unknown_option": (["inspect", "--fromat", "json", "avatar.vrm"], None),
    "unknown_letter": (["inspect", "-z", "avatar.vrm"], None),
    "missing_value": (["inspect", "avatar.vrm", "--format"], None),
    "wrong_choice": (["inspect", "--format", "xml", "avatar.vrm"], None),
    "wrong_number": (["sample", "--seed", "many", "-o", "x.vrm"], None),
    "number_outside": (["sample", "--seed=-1", "-o", "x.vrm"], None),
    "not_whole": (["sample", "--seed=1.5", "-o", "x.vrm"], None),
    "wrong_size": (["inspect", "--max-memory", "12Q", "avatar.vrm"], None),
    "flag_with_value": (["inspect", "--quiet=yes", "avatar.vrm"], None),
    "missing_input": (["inspect"], None),
    "sample_no_output": (["sample"], None),
    "trace_no_output": (["trace", "avatar.vrm", "nod.json"], None),
    "too_many_inputs": (["sample", "--minimal", "-o", "a.vrm", "b.vrm"], None),
    "wrong_use": (["inspect", "--require", "modify,fly", "avatar.vrm"], None),
    "inspect_text": (["inspect", "rich.vrm"], None),
    "inspect_json": (["inspect", "--format", "json", "rich.vrm"], None),
    "inspect_stdin": (["inspect", "--format", "ndjson", "-"], "rich.vrm"),
    "inspect_require_granted": (["inspect", "--require", "modify,redistribute", "--require=sell", "--format", "ndjson",
                                 "strict.vrm"], None),
    "inspect_require_author": (["inspect", "--require", "sell", "--who", "author", "strict.vrm"], None),
    "inspect_require_refused": (["inspect", "--require", "sell", "strict.vrm"], None),
    "inspect_not_there": (["inspect", "nothing.vrm"], None),
    "inspect_not_gltf": (["inspect", "noise.vrm"], None),
    "inspect_empty": (["inspect", "empty.vrm"], None),
    "inspect_truncated": (["inspect", "truncated.vrm"], None),
    "inspect_bad_json": (["inspect", "bad.gltf"], None),
    "inspect_plain_gltf": (["inspect", "plain.gltf"], None),
    "inspect_twice_stdin": (["inspect", "-q", "-", "-"], "plain.gltf"),
    "inspect_goes_on": (["inspect", "--format", "ndjson", "nothing.vrm", "plain.gltf", "noise.vrm"], None),
    "inspect_folder": (["inspect", "--format", "ndjson", "folder"], None),
    "inspect_folder_without": (["inspect", "hollow"], None),
    "dash_dash": (["inspect", "--", "--help"], None),
    "sample_nowhere": (["sample", "--minimal", "-o", "no/such/folder/x.vrm"], None),
    "sample_on_folder": (["sample", "--minimal", "-o", "folder"], None),
    "help_cook": (["cook", "--help"], None),
    "cook_no_output": (["cook", "avatar.vrm"], None),
    "cook_not_there": (["cook", "nothing.vrm", "-o", "out.vrmc"], None),
    "cook_not_gltf": (["cook", "noise.vrm", "-o", "out.vrmc"], None),
    "cook_nowhere": (["cook", "-q", "avatar.vrm", "-o", "no/such/folder/out.vrmc"], None),
    "help_bake": (["bake", "--help"], None),
    "bake_no_output": (["bake", "rich.vrm"], None),
    "bake_not_there": (["bake", "nothing.vrm", "-o", "out.vrm"], None),
    "bake_not_gltf": (["bake", "noise.vrm", "-o", "out.vrm"], None),
    "bake_truncated": (["bake", "truncated.vrm", "-o", "out.vrm"], None),
    "bake_plain_gltf": (["bake", "plain.gltf", "-o", "out.vrm"], None),
    "bake_nowhere": (["bake", "-q", "avatar.vrm", "-o", "no/such/folder/out.vrm"], None),
    "bake_on_folder": (["bake", "-q", "avatar.vrm", "-o", "folder"], None),
    "help_validate": (["validate", "--help"], None),
    "validate_text": (["validate", "rich.vrm", "plain.gltf"], None),
    "validate_json": (["validate", "--format", "json", "rich.vrm"], None),
    "validate_stdin": (["validate", "--format", "ndjson", "-"], "rich.vrm"),
    "validate_goes_on": (["validate", "--format", "ndjson", "nothing.vrm", "plain.gltf", "noise.vrm", "truncated.vrm"], None),
    "validate_folder": (["validate", "--format", "json", "--severity", "error", "folder"], None),
    "validate_unknown_code": (["validate", "--ignore", "UNUSED_OBJECT,FLY", "plain.gltf"], None),
    "validate_wrong_override": (["validate", "--override", "UNUSED_OBJECT=loud", "plain.gltf"], None),
    "validate_override": (["validate", "--override", "VRM1_PLAIN_GLTF=error", "plain.gltf"], None),
    "validate_only": (["validate", "--only", "UNUSED_OBJECT", "plain.gltf"], None),
    "validate_fail_on": (["validate", "--fail-on", "warning", "plain.gltf"], None),
    "validate_folder_without": (["validate", "hollow"], None),
    "validate_fix_no_output": (["validate", "--fix", "plain.gltf"], None),
    "validate_twice_stdin": (["validate", "-", "-"], "plain.gltf"),
    "help_split": (["split", "--help"], None),
    "split_no_output": (["split", "rich.vrm"], None),
    "split_not_there": (["split", "nothing.vrm", "-o", "out.glb"], None),
    "split_not_gltf": (["split", "noise.vrm", "-o", "out.glb"], None),
    "split_truncated": (["split", "truncated.vrm", "-o", "out.glb"], None),
    "split_plain_gltf": (["split", "plain.gltf", "-o", "out.glb"], None),
    "split_nowhere": (["split", "-q", "avatar.vrm", "-o", "no/such/folder/out.glb"], None),
    "split_on_folder": (["split", "-q", "avatar.vrm", "-o", "folder"], None),
    "help_migrate": (["migrate", "--help"], None),
    "migrate": (["migrate", "vrm0.vrm", "-o", "new.vrm"], None),
    "migrate_strict": (["migrate", "--strict", "vrm0.vrm", "-o", "new.vrm"], None),
    "migrate_new": (["migrate", "strict.vrm", "-o", "new.vrm"], None),
    # Findings of reading and of migrating have one heading.
    "migrate_tail": (["migrate", "tail.vrm", "-o", "new.vrm"], None),
    "migrate_no_output": (["migrate", "vrm0.vrm"], None),
    "migrate_not_there": (["migrate", "nothing.vrm", "-o", "out.vrm"], None),
    "migrate_not_gltf": (["migrate", "noise.vrm", "-o", "out.vrm"], None),
    "migrate_truncated": (["migrate", "truncated.vrm", "-o", "out.vrm"], None),
    "migrate_plain_gltf": (["migrate", "plain.gltf", "-o", "out.vrm"], None),
    "migrate_nowhere": (["migrate", "-q", "vrm0.vrm", "-o", "no/such/folder/out.vrm"], None),
    "migrate_on_folder": (["migrate", "-q", "vrm0.vrm", "-o", "folder"], None),
    "help_ragdoll": (["ragdoll", "--help"], None),
    "ragdoll_text": (["ragdoll", "-q", "strict.vrm"], None),
    "ragdoll_edit": (["ragdoll", "strict.vrm", "--detail", "7", "--edit", "heavy.json", "--format", "json"], None),
    "ragdoll_edit_wrong": (["ragdoll", "strict.vrm", "--edit", "wrong.json"], None),
    "ragdoll_edit_not_there": (["ragdoll", "strict.vrm", "--edit", "nothing.json"], None),
    "ragdoll_not_there": (["ragdoll", "nothing.vrm"], None),
    "ragdoll_plain_gltf": (["ragdoll", "plain.gltf"], None),
    "ragdoll_nowhere": (["ragdoll", "strict.vrm", "-o", "no/such/folder/out.json"], None),
    "simulate_not_there": (["simulate", "nothing.vrm", "-o", "out.glb"], None),
    "simulate_no_output": (["simulate", "avatar.vrm"], None),
    "simulate_drive_alone": (["simulate", "avatar.vrm", "--drive", "velocity", "-o", "out.glb"], None),
    "simulate_hit_late": (["simulate", "avatar.vrm", "--duration", "1", "--ragdoll", "--hit", "9,chest,1,0,0", "-o",
                           "out.glb"], None),
    "simulate_nowhere": (["simulate", "avatar.vrm", "--duration", "0.1", "-o", "no/such/folder/out.glb"], None),
}


def prepare():
    """Writes the inputs into the current (temporary) folder. Exact output is only compared for small files written
    here, because the sample avatar may change its look although the command does not change."""
    made = vrm("sample", "--minimal", "-o", "avatar.vrm")
    if made.returncode != 0:
        sys.exit("vrm sample failed: %s" % made.stderr.decode())
    pathlib.Path("noise.vrm").write_bytes(bytes(range(1, 200)))
    pathlib.Path("empty.vrm").write_bytes(b"")
    pathlib.Path("strict.vrm").write_bytes(make_glb(strict_avatar()))
    pathlib.Path("rich.vrm").write_bytes(make_glb(rich_avatar()))
    pathlib.Path("vrm0.vrm").write_bytes(make_glb(old_avatar()))
    tail = old_avatar()
    tail["extensions"]["VRM"]["humanoid"]["humanBones"].append({"bone": "tail", "node": 0})
    pathlib.Path("tail.vrm").write_bytes(make_glb(tail))
    pathlib.Path("heavy.json").write_text('{"totalMass": 80, "bodies": [{"bone": "head", "mass": 6}]}')
    pathlib.Path("wrong.json").write_text('{"bodies": [{"bone": "head", "mass": -6, "wieght": 1}]}')
    pathlib.Path("truncated.vrm").write_bytes(make_glb(rich_avatar())[:1000])
    pathlib.Path("bad.gltf").write_text('{"asset": {"version": "2.0"}, }')
    plain = '{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"name":"root"}]}'
    pathlib.Path("plain.gltf").write_text(plain)
    os.makedirs("folder/inner")
    os.makedirs("hollow")
    pathlib.Path("folder/b.gltf").write_text(plain)
    pathlib.Path("folder/inner/A.GLTF").write_text(plain)
    pathlib.Path("folder/notes.txt").write_text("not a model")
    pathlib.Path("folder/c.vrma").write_text(plain)


def as_text(result):
    text = "exit code %d\n--- stdout\n%s--- stderr\n%s" % (
        result.returncode, result.stdout.decode("utf-8"), result.stderr.decode("utf-8"))
    # The size of the library's tables, which the command does not promise.
    return re.sub(r'"avatarBytes":[1-9]\d*', '"avatarBytes":N', text)


def run_case(name, arguments, stdin):
    with open(stdin or os.devnull, "rb") as file:
        text = as_text(vrm(*arguments, stdin=file))
    path = EXPECTED / (name + ".txt")
    if RENEW:
        path.write_text(text, encoding="utf-8")
        return
    wanted = path.read_text(encoding="utf-8") if path.exists() else "(no such file)"
    if text != wanted:
        fail(name, "vrm %s gave\n%s\ninstead of %s:\n%s" % (" ".join(arguments), text, path.name, wanted))


def test_expected_files_have_cases():
    for path in EXPECTED.glob("*.txt"):
        check("expected", path.stem in CASES, "%s belongs to no case" % path.name)


def test_bench():
    figures = json.loads(vrm("bench", "avatar.vrm", "-n", "9", "-t", "2", "--format", "json").stdout)
    for name in ("instances", "threads", "joints", "nsPerSpringJoint", "usPerUpdate", "bytesPerInstance", "loadMs"):
        check("bench", figures[name] > 0, "%s is %r" % (name, figures[name]))
    check("bench", figures["instances"] == 9 and figures["threads"] == 2 and "spring" in figures["stages"], figures)
    page = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
    for name in set(names_in(figures)) - set(names_in(figures["stages"])) - set(figures["loadPhasesMs"]):
        check("bench", "`%s`" % name in page, "docs/commands.md does not describe `%s`" % name)
    rates = figures["nsPerSpringJointByRate"]
    check("bench", list(rates) == ["60", "90", "144"] and min(rates.values()) > 0, rates)
    check("bench", rates["60"] == figures["nsPerSpringJoint"], "two figures for springs at 60 Hz")
    check("bench", abs(2 * figures["avatarsAt60HzPerThread"] / figures["avatarsAt60Hz"] - 1) < 1e-5, figures)
    text = vrm("bench", "avatar.vrm", "-n", "3").stdout.decode()
    check("bench", "3 avatars, 1 thread, level of detail full\n" in text and "per spring joint" in text, text)
    text = vrm("bench", "plain.gltf", "-n", "3").stdout.decode()
    check("bench", ", 0 spring joints\n" in text and "per spring joint" not in text, "a model without springs: " + text)


def test_bench_levels():
    """In a mixed crowd half of the avatars sleep, whatever motion the others have. A sleeping crowd costs almost no
    time."""
    clip = "clip.glb"
    check("levels", vrm("simulate", "-q", "avatar.vrm", "--duration", "0.5", "-o", clip).returncode == 0, "no clip")
    cost = {}
    for lod in ("full", "mixed", "sleep"):
        for motion in ("walk", clip):
            result = vrm("bench", "avatar.vrm", "-q", "-n", "40", "--lod", lod, "--motion", motion, "--format", "json")
            figures = json.loads(result.stdout or "{}")
            check("levels", (figures.get("lod"), figures.get("motion")) == (lod, motion), result.stderr)
            cost[lod, motion] = figures["crowdUsPerUpdate"]
    for motion in ("walk", clip):
        check("levels", cost["mixed", motion] < 0.9 * cost["full", motion], "half of a mixed crowd is awake: %s" % cost)
        check("levels", cost["sleep", motion] < 0.1 * cost["full", motion], "the crowd does not sleep: %s" % cost)
    result = vrm("bench", "avatar.vrm", "--motion", "fly")
    check("levels", result.returncode == 2 and b"--motion fly" in result.stderr, result.stderr)


def test_json_is_json():
    document = json.loads(vrm("inspect", "--format", "json", "avatar.vrm", "nothing.vrm").stdout)
    check("json", document["schemaVersion"] == 1 and len(document["files"]) == 2, "wrong document")
    check("json", document["files"][0]["exitCode"] == 0 and document["files"][1]["exitCode"] == 3, "wrong codes")
    for line in vrm("inspect", "--format", "ndjson", "folder", "avatar.vrm").stdout.decode().splitlines():
        check("ndjson", json.loads(line)["schemaVersion"] == 1, "wrong line")


def names_in(value):
    """Returns all member names of a JSON value."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from names_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from names_in(inner)


def test_json_is_documented():
    document = json.loads(vrm("inspect", "--format", "json", "--require", "modify", "avatar.vrm", "noise.vrm").stdout)
    file = document["files"][0]
    # Names of bones and uses belong to the command, not to this document.
    own = {name: {} if name in ("bones", "permissions") else value for name, value in file.items()}
    page = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
    for name in sorted(set(names_in(own)) | set(names_in(document["files"][1]))):
        check("documented", "`%s`" % name in page, "docs/commands.md does not describe `%s`" % name)


def test_exit_codes_are_documented():
    page = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
    for line in vrm("--help").stdout.decode().split("exit codes:\n")[1].splitlines():
        code, sentence = line.split(None, 1)
        check("documented", "| %s | %s |" % (code, sentence) in page, "docs/commands.md lacks code " + code)


def test_locale_does_not_matter():
    plain = vrm("inspect", "--format", "json", "avatar.vrm").stdout
    german = vrm("inspect", "--format", "json", "avatar.vrm", env=dict(CLEAN, LC_ALL="de_DE.UTF-8", LANG="de_DE.UTF-8")).stdout
    check("locale", plain == german, "the output depends on the locale")


def test_compressed():
    """If an operation needs vertices that cannot be read, its message names the extension that prevents it."""
    document = strict_avatar()
    document["bufferViews"] = [{"buffer": 0, "byteLength": 4}]
    document["buffers"] = [{"uri": "data:application/octet-stream;base64,AAAAAA==", "byteLength": 4}]
    document["accessors"] = [{"componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0]}]
    draco = {"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {"POSITION": 0}}}
    document["meshes"] = [{"primitives": [{"attributes": {"POSITION": 0}, "extensions": draco}]}]
    document["nodes"][4].update(mesh=0, rotation=[0, 0.6, 0, 0.8])
    document["extensionsUsed"] += list(draco)
    document["extensionsRequired"] = list(draco)
    pathlib.Path("draco.vrm").write_bytes(make_glb(document))
    result = vrm("bake", "-q", "draco.vrm", "-o", "never.vrm")
    check("compressed", result.returncode == 5 and b"KHR_draco_mesh_compression" in result.stderr, result.stderr)
    check("compressed", not os.path.exists("never.vrm"), "an output all the same")
    for verb in ("migrate", "simulate", "cook"):  # these commands need no vertices
        result = vrm(verb, "-q", "draco.vrm", "-o", "made.vrm" if verb != "cook" else "made.vrmc")
        check("compressed", result.returncode == 0, "%s: %s" % (verb, result.stderr))


def test_streams():
    sample = vrm("sample", "--minimal", "-o", "-").stdout
    check("streams", sample == pathlib.Path("avatar.vrm").read_bytes(), "sample - differs from the file")
    moved = vrm("simulate", "-", "-o", "-", "--duration", "0.2", input=sample)
    check("streams", moved.returncode == 0 and moved.stdout[:4] == b"glTF", "simulate - -o -: %s" % moved.stderr)
    piped = subprocess.run(["sh", "-c", 'cat avatar.vrm | "$0" inspect --format ndjson /dev/stdin', VRM], capture_output=True)
    check("streams", piped.returncode == 0, "a pipe under its path: %s" % piped.stderr)


def test_look_chain():
    pathlib.Path("path.txt").write_text("# time, x, y, z\n0, 0, 1.4, 2\n0.5; 2 1.4 0.2\n", encoding="utf-8")
    look = ["simulate", "avatar.vrm", "-o", "look.glb", "--duration", "0.5", "--look-at", "path.txt"]
    result = vrm(*look, "--look-chain", "whole-spine", "--look-debug")
    check("look_chain", result.returncode == 0, "look chain: %s" % result.stderr)
    document, _ = split_glb(pathlib.Path("look.glb").read_bytes())
    lines = [i for i, node in enumerate(document["nodes"]) if node.get("name", "").startswith("look ")]
    moved = {c["target"]["node"] for a in document["animations"] for c in a["channels"]}
    check("look_chain", len(lines) == 12 and set(lines) <= moved, "6 bones have 12 lines that move: %s" % lines)
    check("look_chain", len(document["animations"]) == 1, "the lines are in the recording's own animation")
    names = {document["nodes"][node].get("name") for node in moved}
    check("look_chain", {"head", "neck", "spine"} <= {str(n).lower() for n in names}, "head, neck, spine: %s" % names)
    pathlib.Path("path.txt").write_text("0, 0, 1.4, 2\n0, 1, 1, 1\n", encoding="utf-8")
    check("look_chain", vrm(*look).returncode == 3, "a path whose times do not grow is refused")
    check("look_chain", vrm("simulate", "avatar.vrm", "-o", "look.glb", "--look-at", "1,2").returncode == 2, "1,2")
    for idle in (["--look-debug"], ["--look-weight", "0.5"], ["--look-chain", "eyes", "--no-look-at"],
                 ["--look-at", "0,1,2", "--no-look-at"]):
        result = vrm("simulate", "avatar.vrm", "-o", "look.glb", *idle)
        check("look_chain", result.returncode == 2, "options that do nothing are refused: %s" % idle)


LEGS = """HIERARCHY
ROOT Hips
{
 OFFSET 0 90 0
 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
 JOINT LeftUpLeg
 {
  OFFSET 10 0 0
  CHANNELS 3 Zrotation Xrotation Yrotation
  JOINT LeftLeg
  {
   OFFSET 0 -30 0
   CHANNELS 3 Zrotation Xrotation Yrotation
   JOINT LeftFoot
   {
    OFFSET 0 -55 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
     OFFSET 0 -5 10
    }
   }
  }
 }
}
MOTION
Frames: 3
Frame Time: 0.5
0 0 0 0 0 0 0 -30 0 0 60 0 0 -30 0
0 0 0 0 5 0 0 -20 0 0 40 0 0 -20 0
0 0 0 0 9 0 0 0 0 0 0 0 0 0 0
"""


def animation_of(path):
    """Returns (document, values of an animation's output by node name and path)."""
    document, binary = split_glb(pathlib.Path(path).read_bytes())
    values = {}
    for channel in document["animations"][0]["channels"]:
        accessor = document["accessors"][document["animations"][0]["samplers"][channel["sampler"]]["output"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        start = document["bufferViews"][accessor["bufferView"]].get("byteOffset", 0) + accessor.get("byteOffset", 0)
        floats = struct.unpack_from("<%df" % (accessor["count"] * width), binary, start)
        name = document["nodes"][channel["target"]["node"]].get("name")
        values[name, channel["target"]["path"]] = [floats[i:i + width] for i in range(0, len(floats), width)]
    return document, values


def test_convert_motion():
    pathlib.Path("legs.bvh").write_text(LEGS, encoding="utf-8")
    pathlib.Path("bad.bvh").write_text("HIERARCHY\nROOT Hips {\n", encoding="utf-8")
    convert = ["convert-motion", "-q", "legs.bvh", "-o"]
    check("motion", vrm(*convert, "legs.vrma").returncode == 0, "to .vrma")
    _, plain = animation_of("legs.vrma")
    upper = plain["leftUpperLeg", "rotation"]
    check("motion", len(upper) == 3 and abs(upper[0][0] + 0.258819) < 1e-5, "-30 degrees about X: %s" % (upper[0],))
    check("motion", vrm(*convert, "loop.vrma", "--loop").returncode == 0, "--loop")
    _, loop = animation_of("loop.vrma")
    for key, values in loop.items():
        if key[1] == "rotation":
            apart = max(abs(a - b) for a, b in zip(values[0], values[-1]))
            check("motion", apart < 1e-5, "--loop: %s ends where it began: %g" % (key[0], apart))
    check("motion", vrm(*convert, "part.vrma", "--trim", "0.25:0.5").returncode == 0, "--trim")
    check("motion", vrm(*convert, "part.vrma", "--trim", "9:10").returncode == 2, "--trim behind the end")
    check("motion", vrm(*convert, "part.vrma", "--trim", "1").returncode == 2, "--trim without an end")
    check("motion", vrm(*convert, "part.txt").returncode == 2, "an unknown format")
    check("motion", vrm(*convert, "part.glb").returncode == 2, ".glb without an avatar")
    check("motion", vrm(*convert, "back.bvh").returncode == 0, "to .bvh")
    moved = [vrm(*convert, name, "--avatar", "avatar.vrm", *more).returncode for name, more in
             (("slides.glb", ()), ("stands.glb", ("--feet",)))]
    check("motion", moved == [0, 0], "to .glb: %s" % moved)
    bones = [animation_of(name)[1] for name in ("slides.glb", "stands.glb")]
    changed = {key[0] for key in bones[0] if bones[0][key] != bones[1].get(key)}
    check("motion", any("eft" in str(name) for name in changed), "--feet bends the left leg: %s" % changed)
    # A motion beyond the ragdoll's limits is told once, with the joint, the angle and the moment.
    flat = LEGS.replace("60 0 0 -30", "60 0 0 0")
    pathlib.Path("flat.bvh").write_text(flat, encoding="utf-8")
    pathlib.Path("knee.bvh").write_text(flat.replace("-20 0 0 40", "-20 0 0 -40"), encoding="utf-8")
    told = [vrm("simulate", "avatar.vrm", "--motion", name, "--ragdoll", "--duration", "1", "-o", name + ".glb").stderr
            for name in ("flat.bvh", "knee.bvh")]
    told = [re.findall(rb"bends (\w+) by (\d+) degrees beyond the ragdoll's limit at ([0-9.]+) s", text) for text in told]
    check("motion", told[0] == [] and len(told[1]) == 1 and told[1][0][0::2] == (b"leftLowerLeg", b"0.5") and
          30 <= int(told[1][0][1]) <= 42, "beyond the limits: %s" % told)
    os.mkdir("several")
    result = vrm("convert-motion", "-q", "legs.bvh", "bad.bvh", "loop.vrma", "-o", "several/", "--to", "vrma")
    lines = result.stdout.decode().splitlines()
    check("motion", result.returncode == 1 and [line.rsplit(": ", 1)[1] for line in lines] ==
          ["several/legs.vrma", "failed", "several/loop.vrma"], "one line each: %s" % lines)
    # Two outputs with the same name: no input is overwritten, and neither of the two is written.
    before = pathlib.Path("legs.vrma").read_bytes()
    result = vrm("convert-motion", "-q", "legs.bvh", "legs.vrma", "loop.vrma", "-o", "several/", "--to", "vrma")
    lines = result.stdout.decode().splitlines()
    check("motion", result.returncode == 2 and [line.rsplit(": ", 1)[1] for line in lines] == ["failed", "failed", "several/loop.vrma"] and
          b"would also be the output of legs.vrma" in result.stderr and pathlib.Path("legs.vrma").read_bytes() == before, "twins: %s" % result.stderr)
    check("motion", vrm(*convert, "feet.vrma", "--feet").returncode == 2, "--feet without an avatar")
    maps = {"Hips = hips\n\n# a remark\nLeftUpLeg = leftUperLeg\n": b"line 4: \"leftUperLeg\" is not a humanoid bone; did you mean \"leftUpperLeg\"?",
            "Hips hips\n": b"line 1: \"Hips hips\" does not have the form", "LeftFoot =\r\nLeftLeg = \0\n": b"line 2: "}
    for text, wanted in maps.items():
        pathlib.Path("map.txt").write_text(text, encoding="utf-8", newline="")
        result = vrm(*convert, "mapped.vrma", "--map", "map.txt")
        check("motion", result.returncode == 2 and b"map.txt, " + wanted in result.stderr, "--map: %s" % result.stderr)
    pathlib.Path("map.txt").write_text("LeftFoot =\r\n  Hips=hips  ", encoding="utf-8", newline="")
    check("motion", vrm(*convert, "mapped.vrma", "--map", "map.txt").returncode == 0, "a good map")
    result = vrm(*convert, "part.vrma", "--trim", "9:10")
    check("motion", b"after the end of the motion (1 s)" in result.stderr, "--trim: %s" % result.stderr)
    pathlib.Path("still.bvh").write_text(LEGS[:LEGS.index("Frames:")] + "Frames: 0\nFrame Time: 0.1\n", encoding="utf-8")
    result = vrm("convert-motion", "-q", "still.bvh", "-o", "still.vrma")
    check("motion", result.returncode == 1 and b"has no frame" in result.stderr, "no frames: %s" % result.stderr)


def test_unreadable_folder():
    """A folder or file that cannot be read does not stop the work on the others."""
    os.makedirs("half/locked")
    shutil.copy("plain.gltf", "half/plain.gltf")
    os.chmod("half/locked", 0)
    if os.geteuid() != 0:  # root can read every file
        result = vrm("validate", "-q", "half")
        check("unreadable folder", result.returncode == 3 and b"half/plain.gltf: " in result.stdout, result.stderr)
    os.chmod("half/locked", 0o755)


def stopped(arguments, number, seconds=0.5, **options):
    process = subprocess.Popen([VRM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=CLEAN, **options)
    time.sleep(seconds)
    process.send_signal(number)
    try:
        out, err = process.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
    return process.returncode, out, err


def test_signals():
    for number in (signal.SIGTERM, signal.SIGINT):
        code, _, err = stopped(["inspect", "-"], number, stdin=subprocess.PIPE)
        check("signal", code == 75, "waiting for stdin: code %d, %s" % (code, err))
        check("signal", b"interrupted" in err, "waiting for stdin: %s" % err)
        code, _, err = stopped(["simulate", "avatar.vrm", "-o", "never.glb", "--duration", "3600", "--fps", "1000"], number)
        check("signal", code == 75, "working: code %d, %s" % (code, err))
        check("signal", not os.path.exists("never.glb"), "an output of a stopped run")


def test_limits():
    started = time.monotonic()
    with subprocess.Popen(["sleep", "20"], stdout=subprocess.PIPE) as silent:
        result = vrm("inspect", "--timeout", "0.3", "-", stdin=silent.stdout)
        silent.kill()
    check("timeout", result.returncode == 6, "code %d, %s" % (result.returncode, result.stderr))
    check("timeout", time.monotonic() - started < 5, "it took too long")
    check("timeout", b"--timeout" in result.stderr, "the option is not named: %s" % result.stderr)
    result = vrm("simulate", "avatar.vrm", "-o", "never.glb", "--duration", "3600", "--fps", "1000", "--timeout", "0.3")
    check("timeout", result.returncode == 6, "code %d, %s" % (result.returncode, result.stderr))
    result = vrm("bench", "avatar.vrm", "-n", "50000", "--timeout", "0.2")
    check("timeout", result.returncode == 6 and b"--timeout" in result.stderr, "a crowd: code %d, %s" % (
        result.returncode, result.stderr))
    for verb in (["inspect"], ["validate", "--threads", "1"], ["validate", "--threads", "3"]):
        with subprocess.Popen(["sleep", "20"], stdout=subprocess.PIPE) as silent:
            result = vrm(*verb, "--timeout", "0.3", "plain.gltf", "-", "plain.gltf", "folder", stdin=silent.stdout)
            silent.kill()
        count = 5 if verb == ["inspect"] else 6  # the folder adds a .vrma, which inspect does not read
        left = 1 if verb[-1] == "3" else count - 1  # with three threads the others continue
        check("timeout", result.returncode == 6 and b"--timeout is over: %d of %d files were not processed\n" % (left, count) in result.stderr,
              "%s: code %d, %s" % (verb, result.returncode, result.stderr))
    result = vrm("inspect", "--timeout", "60", "plain.gltf", "plain.gltf")
    check("timeout", b"left" not in result.stderr, result.stderr)
    for size in ("1K", "20K", "200K", "600K"):
        result = vrm("inspect", "--max-memory", size, "avatar.vrm")
        check("memory", result.returncode == 6, "%s: code %d, %s" % (size, result.returncode, result.stderr))
        check("memory", b"--max-memory" in result.stderr, "%s: the option is not named: %s" % (size, result.stderr))


def on_terminal(arguments, seconds, environment):
    """Returns (exit code, bytes) of a command run on a terminal. It is stopped by SIGTERM after the given time."""
    pid, file = pty.fork()
    if pid == 0:
        os.execve(VRM, [VRM, *arguments], environment)
    seen, ended = b"", time.monotonic() + seconds
    while True:
        if time.monotonic() > ended:
            os.kill(pid, signal.SIGTERM)
            ended = time.monotonic() + 1000
        os.set_blocking(file, False)
        try:
            chunk = os.read(file, 65536)
            if not chunk:
                break
            seen += chunk
        except BlockingIOError:
            time.sleep(0.02)
        except OSError:
            break
    os.close(file)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), seen


def test_terminal():
    try:
        for file in os.openpty():
            os.close(file)
    except OSError:
        print("skipped: test_terminal: no pseudo-terminals here")
        return
    environment = dict(CLEAN, TERM="xterm")
    _, seen = on_terminal(["inspect", "plain.gltf"], 20, environment)
    check("terminal", b"\x1b[1m" in seen, "no colours on a terminal")
    _, seen = on_terminal(["inspect", "plain.gltf"], 20, dict(environment, NO_COLOR="1"))
    check("terminal", b"\x1b" not in seen, "colours in spite of NO_COLOR")
    check("terminal", b"\x1b[1m" in vrm("inspect", "--color", "always", "plain.gltf").stdout, "--color always")
    arguments = ["simulate", "avatar.vrm", "-o", "never.glb", "--duration", "3600", "--fps", "1000"]
    code, seen = on_terminal(arguments, 3, environment)
    check("terminal", code == 75 and b" %" in seen, "no progress: code %d, %r" % (code, seen[-200:]))
    code, seen = on_terminal([*arguments, "--quiet"], 2.5, environment)
    check("terminal", code == 75 and b" %" not in seen, "progress in spite of --quiet: %r" % seen[-200:])
    os.makedirs("many")
    for i in range(3000):
        os.link("avatar.vrm", "many/%04d.vrm" % i)
    for verb in (["inspect"], ["validate", "--threads", "1"], ["validate", "--threads", "2"]):
        code, seen = on_terminal([*verb, "many"], 3.5, environment)
        counts = [int(n) for n in re.findall(rb"\r\x1b\[K(\d+) of 3000, about \d+ (?:s|min) left", seen)]
        check("terminal", len(counts) > 2 and counts == sorted(counts) and counts[0] < counts[-1], "%s: no batch: code %d, %s %r" % (
            verb, code, counts, seen[-300:]))
        check("terminal", code != 75 or re.search(rb"interrupted: \d+ of 3000 files were not processed", seen), "%s: %r" % (verb, seen[-300:]))
        result = vrm(*verb, "--timeout", "2", "many")
        check("terminal", b"about" not in result.stderr and b"\r" not in result.stderr, "progress without a terminal: %r" % result.stderr[-300:])
    shutil.rmtree("many")
    code, _ = on_terminal(["sample", "--minimal", "-o", "-"], 20, environment)
    check("terminal", code == 2, "a model written to a terminal: code %d" % code)


def compare_generated(path, *arguments):
    text = vrm("help", *arguments).stdout
    path = ROOT / "docs" / path
    if RENEW:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    check("generated", path.exists() and path.read_bytes() == text,
          "%s is not what vrm help %s says" % (path.relative_to(ROOT), " ".join(arguments)))


def commands():
    lines = vrm("--help").stdout.decode().split("commands:\n")[1].split("\n\n")[0].splitlines()
    return [line.split()[0] for line in lines if line[2] != " "]


def test_generated_documents():
    compare_generated("man/vrm.1", "--man")
    for command in commands():
        compare_generated("man/vrm-%s.1" % command, "--man", command)
    pages = {"vrm.1"} | {"vrm-%s.1" % command for command in commands()}
    stray = {path.name for path in (ROOT / "docs/man").iterdir()} - pages
    check("generated", not stray, "docs/man has pages of no command: %s" % sorted(stray))
    compare_generated("completion/vrm.bash", "--completion", "bash")
    compare_generated("completion/_vrm", "--completion", "zsh")


def test_messages_say_found_and_expected():
    """Messages say "found" for what the file has and "expected" for what is declared or needed. Formats have their
    usual names."""
    whole = pathlib.Path("avatar.vrm").read_bytes()
    pathlib.Path("cut.vrm").write_bytes(whole[:200000])
    pathlib.Path("header.vrm").write_bytes(whole[:7])
    for verb in (["inspect"], ["bake", "-o", "never.vrm"], ["ragdoll"], ["convert-motion", "-o", "never.bvh"], ["validate"]):
        for file, reason in (("cut.vrm", b"%d bytes declared, 200000 bytes found" % len(whole)),
                             ("header.vrm", b"a GLB header has 12 bytes, 7 bytes found")):
            result = vrm(*verb, file)
            lines = (result.stdout if verb == ["validate"] else result.stderr).split(b"\n")
            check("cut off", any(line.endswith(b": cut off: " + reason) and file.encode() in line for line in lines), "%s: %s" % (verb, lines))
            check("cut off", b"is not a glTF" not in result.stdout + result.stderr, "%s: %s" % (verb, lines))
    said = vrm("validate", "cut.vrm").stdout
    check("cut off", b"Found 200000 bytes, expected %d bytes." % len(whole) in said, said)
    check("cut off", "cut off: " in json.loads(vrm("validate", "--format", "json", "cut.vrm").stdout)["error"], "the report's error")
    for extension, name in (("KHR_draco_mesh_compression", "Draco"), ("EXT_meshopt_compression", "meshopt"),
                            ("KHR_meshopt_compression", "meshopt"), ("KHR_texture_basisu", "KTX2")):
        document, binary = split_glb(whole)
        document["extensionsUsed"].append(extension)
        document["extensionsRequired"] = [extension]
        if extension.startswith("KHR_draco"):  # written as Draco exporters do: vertices without a buffer view
            for mesh in document["meshes"]:
                for primitive in mesh["primitives"]:
                    for accessor in (primitive["attributes"]["POSITION"], primitive["indices"]):
                        document["accessors"][accessor].pop("bufferView", None)
        pathlib.Path("packed.vrm").write_bytes(make_glb(document, binary))
        result = vrm("inspect", "packed.vrm")
        check("formats", ("Found %s (%s)." % (name, extension)).encode() in result.stdout + result.stderr,
              "%s: %s %s" % (extension, result.stdout[-400:], result.stderr))
        report = json.loads(vrm("inspect", "--format", "ndjson", "packed.vrm").stdout)
        check("formats", extension in [finding["found"] for finding in report["findings"]], "%s: JSON" % extension)
    joints = json.loads(vrm("inspect", "--format", "ndjson", "avatar.vrm").stdout)["counts"]["simulatedJoints"]
    pathlib.Path("tails.json").write_text(json.dumps({"frames": 1, "dt": 0.1, "events": [
        {"frame": 0, "springTails": {"current": [0] * 7, "previous": [0] * 3 * joints}}]}))
    said = vrm("trace", "avatar.vrm", "tails.json", "-o", "never.json").stderr
    check("springTails", b"Found 7 elements, expected %d numbers: three for each of %d spring joints." % (3 * joints, joints) in said, said)
    for verb in (["simulate", "-o", "never.glb", "--duration", "0.1"], ["bench", "-n", "1"]):
        result = vrm(*verb, "avatar.vrm", "--motion", "avatar.vrm")
        check("no animations", result.returncode == 1 and b"Found 0 animations, expected animation 0, counted from 0." in result.stderr,
              "%s: %s" % (verb, result.stderr))


def test_near_commands():
    """A suggested command differs from the typed word by at most two letters, or begins with it."""
    for typed, wanted in (("bak", "bake"), ("sampel", "sample"), ("conv", "convert-motion"), ("valdate", "validate"),
                          ("thumb", "thumbnail"), ("insp", "inspect"), ("vew", "view"), ("migraet", "migrate"),
                          ("inspector", "inspect")):
        said = vrm("help", typed).stderr.decode()
        check("near", '"%s"?' % wanted in said, "%s: %s" % (typed, said))
    for typed in ("foo", "fly", "inspectorate", "simulation", "x", "", "converter", "render-all", "ob"):
        result = vrm("help", typed)
        check("near", result.returncode == 2 and b"did you mean" not in result.stderr and b"unknown command" in result.stderr and
              b"vrm help" in result.stderr, "%s: %s" % (typed, result.stderr))


def test_links_in_folders():
    """Each real file is listed once: by its own name if it is in the folder, otherwise by the name of the first
    link."""
    os.makedirs("linked/real/deep")
    os.makedirs("outside/more")
    for name in ("linked/real/a.gltf", "linked/real/deep/b.gltf", "outside/c.gltf", "outside/more/d.gltf"):
        shutil.copy("plain.gltf", name)
    for target, name in (("..", "linked/real/deep/up"), (".", "linked/0-itself"), ("real", "linked/0-again"),
                         ("real/a.gltf", "linked/0-file.gltf"), ("nothing.gltf", "linked/broken.gltf"), ("round", "linked/round"),
                         ("../outside", "linked/far"), ("../outside/c.gltf", "linked/near.gltf"), ("../../linked", "outside/more/back"),
                         ("../outside/more", "linked/z-more"), ("../plain.gltf", "linked/plain.txt"), ("/dev/null", "linked/null.gltf")):
        os.symlink(target, name)
    os.link("linked/real/a.gltf", "linked/hard.gltf")
    for verb, member in ((["inspect"], "file"), (["validate"], "uri")):
        result = vrm(*verb, "--format", "ndjson", "linked")
        names = [json.loads(line)[member] for line in result.stdout.decode().splitlines()]
        check("links", result.returncode < 2 and names == ["linked/far/c.gltf", "linked/far/more/d.gltf", "linked/hard.gltf",
              "linked/real/a.gltf", "linked/real/deep/b.gltf"], "%s: %s %s" % (verb, names, result.stderr))
    os.symlink("linked/real/deep", "deep-link")
    result = vrm("inspect", "--format", "ndjson", "deep-link")  # the link "up" leads to a.gltf and back to the start
    names = [json.loads(line)["file"] for line in result.stdout.decode().splitlines()]
    check("links", names == ["deep-link/b.gltf", "deep-link/up/a.gltf"], names)


def test_output_options():
    """All commands spell the options for the output and for overwriting in the same way, with the same words."""
    for command in commands():
        text = " ".join(vrm("help", command).stdout.decode().split())
        writes = command not in ("bench", "compare-runtimes", "inspect", "rpc", "stats", "view")
        check("output options", ("--output" in text) == writes, "%s: --output: %s" % (command, text))
        check("output options", (re.search(r" -o, --output \S+ Where to write the output[;.]", text) is not None) == writes,
              "%s: -o: %s" % (command, text))
        check("output options", (" -f, --force Allow an output to overwrite a file that was read as input." in text) ==
              (writes and command != "sample"), "%s: -f: %s" % (command, text))
    for old in (["sample", "old.vrm"], ["trace", "avatar.vrm", "nod.json", "old.json"], ["inspect", "-f", "json", "plain.gltf"],
                ["bench", "-f", "json", "plain.gltf"]):
        result = vrm(*old)
        check("output options", result.returncode == 2 and not os.path.exists(old[-1].replace("plain.gltf", "json")),
              "%s: code %d, %s" % (old, result.returncode, result.stderr))


def test_bash_completion():
    script = ('source "%s/docs/completion/vrm.bash"; COMP_WORDS=(%%s); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _vrm; '
              'echo "${COMPREPLY[@]}"' % ROOT)
    for words, wanted in (("vrm insp", "inspect"), ("vrm inspect --form", "--format"),
                          ("vrm inspect --format nd", "ndjson"), ("vrm sample -o avat", "avatar.vrm")):
        answer = subprocess.run(["bash", "-c", script % words], capture_output=True, text=True).stdout.strip()
        check("completion", answer == wanted, "%s completes to %r, expected %r" % (words, answer, wanted))


def main():
    EXPECTED.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        prepare()
        for name, (arguments, stdin) in CASES.items():
            run_case(name, arguments, stdin)
        tests = [value for name, value in sorted(globals().items()) if name.startswith("test_")]
        for test in tests:
            test()
        os.chdir(ROOT)
    print("%d cases and %d functions, %d failed checks" % (len(CASES), len(tests), len(failures)))
    sys.exit(1 if failures else 0)


main()
