# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Tests the effects of commands on files. An output never replaces an input unless this is requested. If writing a
file is interrupted, the old file remains whole. A .gltf becomes a GLB if a GLB is requested."""

import base64
import json
import os
import pathlib
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "fixtures"))
from command_fixture import CLEAN, VRM, check, failures, old_avatar, strict_avatar, vrm  # noqa: E402
from glb_files import make_glb  # noqa: E402

MOTION = """HIERARCHY
ROOT Hips
{
 OFFSET 0 90 0
 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
 JOINT LeftUpLeg
 {
  OFFSET 10 0 0
  CHANNELS 3 Zrotation Xrotation Yrotation
  End Site
  {
   OFFSET 0 -50 0
  }
 }
}
MOTION
Frames: %d
Frame Time: 0.01
%s"""


def prepare():
    made = vrm("sample", "--minimal", "-o", "avatar.vrm")
    if made.returncode != 0:
        sys.exit("vrm sample failed: %s" % made.stderr.decode())
    pathlib.Path("script.json").write_text(json.dumps({"frames": 2, "dt": 0.1, "events": []}))
    old = old_avatar()  # larger than the smallest disk that is tested
    old["extras"] = ["much"] * 20000
    pathlib.Path("old.vrm").write_bytes(make_glb(old))
    pathlib.Path("motion.bvh").write_text(MOTION % (400, "".join("0 90 0 0 0 %d %d 0 0\n" % (i, i) for i in range(400))))


def verbs():
    """Returns all commands that write: name -> (arguments before the output, its suffix). Commands that draw are
    included if pictures can be drawn."""
    found = {
        "bake": (["bake", "-q", "avatar.vrm", "-o"], "vrm"),
        "convert-motion": (["convert-motion", "-q", "motion.bvh", "-o"], "vrma"),
        "convert-motion --avatar": (["convert-motion", "-q", "motion.bvh", "--avatar", "avatar.vrm", "-o"], "glb"),
        "cook": (["cook", "-q", "avatar.vrm", "-o"], "vrmc"),
        "migrate": (["migrate", "-q", "old.vrm", "-o"], "vrm"),
        "ragdoll": (["ragdoll", "-q", "avatar.vrm", "-o"], "json"),
        "sample": (["sample", "--minimal", "-q", "-o"], "vrm"),
        "simulate": (["simulate", "-q", "avatar.vrm", "--duration", "0.1", "-o"], "glb"),
        "split": (["split", "-q", "avatar.vrm", "-o"], "vrm"),
        "trace": (["trace", "-q", "avatar.vrm", "script.json", "-o"], "json"),
        "validate --fix": (["validate", "-q", "--fix", "avatar.vrm", "-o"], "vrm"),
    }
    pictures = {
        "render": (["render", "-q", "avatar.vrm", "--size", "64", "--settle", "0", "-o"], "png"),
        "render a video": (["render", "-q", "avatar.vrm", "--size", "64", "--settle", "0", "--frames", "3", "-o"], "webm"),
        "thumbnail": (["thumbnail", "-q", "avatar.vrm", "--size", "64", "-o"], "png"),
        "thumbnail --embed": (["thumbnail", "-q", "avatar.vrm", "--size", "64", "--embed"], "vrm"),
    }
    for name, (arguments, suffix) in pictures.items():
        result = vrm(*arguments, "tried." + suffix)
        if result.returncode == 0:
            found[name] = arguments, suffix
        else:
            print("skipped: %s: %s" % (name, result.stderr.decode().strip()))
    return found


# --- an output that is an input --------------------------------------------------------------------------------------------

def refuses(name, arguments, path, **options):
    before = path.read_bytes()
    result = vrm(*arguments, **options)
    check(name, result.returncode == 2 and b"-f (--force)" in result.stderr and path.read_bytes() == before,
          "code %d, %s" % (result.returncode, result.stderr))


def test_output_is_input(found):
    inputs = {"convert-motion": "motion.bvh", "convert-motion --avatar": "avatar.vrm", "migrate": "old.vrm"}
    os.mkdir("guard")
    for name, (arguments, suffix) in found.items():
        if name == "sample":
            continue  # this command reads no file
        original = inputs.get(name, "avatar.vrm")
        suffix = "bvh" if name == "convert-motion" else suffix  # this command recognises formats by extension
        own = pathlib.Path("guard/own." + suffix)
        shutil.copy(original, own)
        same = [str(own) if a == original else a for a in arguments]
        os.link(own, "guard/hard." + suffix)
        os.symlink("own." + suffix, "guard/soft." + suffix)
        os.symlink(".", "guard/folder")
        for output in (str(own), "./guard/../guard/own." + suffix, "guard/hard." + suffix, "guard/soft." + suffix,
                       "guard/folder/own." + suffix):
            refuses("own output, " + name, [*same, output], own)
        result = vrm(same[0], "-f", *same[1:], str(own))
        # --fix finds nothing to repair.
        changed = own.read_bytes() != pathlib.Path(original).read_bytes() or name == "validate --fix"
        check("own output, " + name, result.returncode == 0 and changed, "-f: %s" % result.stderr)
        for path in pathlib.Path("guard").iterdir():
            path.unlink()


def test_other_inputs_are_inputs():
    shutil.copy("script.json", "own.json")
    refuses("the script", ["trace", "avatar.vrm", "own.json", "-o", "own.json"], pathlib.Path("own.json"))
    refuses("the avatar of a motion", ["convert-motion", "motion.bvh", "--avatar", "avatar.vrm", "--to", "glb", "-o", "avatar.vrm"],
            pathlib.Path("avatar.vrm"))
    vrm("convert-motion", "-q", "motion.bvh", "--avatar", "avatar.vrm", "-o", "moving.glb")
    refuses("the motion", ["simulate", "avatar.vrm", "--motion", "moving.glb", "-o", "moving.glb"], pathlib.Path("moving.glb"))
    with open("old.vrm", "rb") as file:
        refuses("a file on stdin", ["migrate", "-", "-o", "old.vrm"], pathlib.Path("old.vrm"), stdin=file)
    # The output goes into a folder, where the motion's output would replace the avatar.
    os.mkdir("moved")
    shutil.copy("avatar.vrm", "moved/motion.glb")
    refuses("the avatar, in a folder", ["convert-motion", "motion.bvh", "--avatar", "moved/motion.glb", "--to", "glb", "-o", "moved/"],
            pathlib.Path("moved/motion.glb"))
    os.mkdir("beside")
    write_parts("beside")
    text = pathlib.Path("beside/parts.gltf").read_text(encoding="utf-8")
    pathlib.Path("beside/parts.gltf").write_text(text.replace("parts.bin", "parts.glb"), encoding="utf-8")
    pathlib.Path("beside/parts.bin").rename("beside/parts.glb")
    refuses("a file beside the document", ["bake", "beside/parts.gltf", "-o", "beside/parts.glb"], pathlib.Path("beside/parts.glb"))


# --- interrupted, refused ----------------------------------------------------------------------------------------------

def small_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


def leftovers():
    return [name for name in os.listdir(".") if name.startswith(".vrm-") or name.endswith((".tmp", ".part"))]


def leaves_nothing():
    """Whether this system has files without a name. If so, even a killed command leaves no incomplete file."""
    try:
        os.close(os.open(".", os.O_TMPFILE | os.O_WRONLY))
        return os.path.exists("/proc/self/fd")
    except (OSError, AttributeError):
        return False


def interrupt(name, arguments, suffix):
    """If a command is killed at any moment, or the disk is full, its output is either the old file or the new one."""
    name = "interrupted " + name
    started = time.monotonic()
    made = vrm(*arguments, "made." + suffix)
    seconds = time.monotonic() - started
    whole = pathlib.Path("made." + suffix).read_bytes()
    check(name, made.returncode == 0 and len(whole) > 1000, "nothing was written: %s" % made.stderr)
    output = pathlib.Path("stopped." + suffix)
    # Long commands spend most of their time before they write, so they are stopped late.
    steps = [i / 6 for i in range(7)] if seconds < 0.2 else [0.9]
    killed = []
    # A killed process cannot report what a sanitizer found.
    sanitized = bool(os.environ.get("VRM_SANITIZE"))
    for number in (signal.SIGTERM,) if sanitized else (signal.SIGKILL, signal.SIGTERM):
        for step in steps[::3] if sanitized else steps:
            output.write_bytes(b"old")
            process = subprocess.Popen([VRM, *arguments, str(output)], env=CLEAN, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            time.sleep(seconds * step)
            process.send_signal(number)
            process.wait()
            killed.append(str(process.pid))
            have = output.read_bytes()
            check(name, have == b"old" or have == whole or (len(have) == len(whole) and "video" in name),
                  "damaged by %s after %.3f s" % (number.name, seconds * step))
            # Ignores the files of earlier runs, whose ffmpeg may still write although its reader was killed.
            left = [path for path in leftovers() if killed[-1] in path]
            if number == signal.SIGTERM:
                check(name, not left, "left: %s" % left)
            elif "video" not in name and leaves_nothing():
                # The file is already complete before it gets its final name.
                check(name, all(pathlib.Path(path).read_bytes() == whole for path in left), "left by a kill: %s" % left)
        for path in leftovers():  # ffmpeg may still be running
            pathlib.Path(path).unlink(missing_ok=True)
    output.write_bytes(b"old")
    result = vrm(*arguments, str(output), preexec_fn=small_files)
    small = len(whole) <= 4096
    check(name, result.returncode in ((0,) if small else (4,) if "video" in name else (75,)) and
          output.read_bytes() == (whole if small else b"old"), "a full disk: code %d, %s" % (result.returncode, result.stderr))
    left = [path for path in leftovers() if not any(process in path for process in killed)]
    check(name, not left, "left by a full disk: %s" % left)


def test_interrupted(found):
    for name, (arguments, suffix) in found.items():
        interrupt(name, arguments, suffix)


def test_full_disk():
    with open("/dev/full", "wb") as full:
        for arguments in (["inspect", "avatar.vrm"], ["validate", "avatar.vrm"], ["ragdoll", "avatar.vrm"], ["sample", "--minimal", "-o", "-"],
                          ["migrate", "old.vrm", "-o", "-"], ["--help"], ["--version"]):
            result = subprocess.run([VRM, *arguments], stdout=full, stderr=subprocess.PIPE, env=CLEAN)
            check("full disk", result.returncode == 75, "%s: code %d" % (arguments, result.returncode))
            check("full disk", result.stderr.startswith(b"vrm") or b"\nvrm" in result.stderr, "%s: nothing said" % arguments)


def test_full_device(found):
    for name, (arguments, _) in found.items():
        if name in ("convert-motion", "convert-motion --avatar"):
            arguments = [*arguments[:-1], "--to", "glb" if "--avatar" in name else "vrma", "-o"]
        result = vrm(*arguments, "/dev/full")
        # These commands recognise picture formats by extension.
        wanted = 2 if name in ("render", "render a video", "thumbnail") else 75
        check("full device", name == "render a video" or result.returncode in (wanted, 75),
              "%s: code %d, %s" % (name, result.returncode, result.stderr))


def test_noticed_early(found):
    """An output that is not possible is reported before the work starts, and before faults of the input."""
    pathlib.Path("a-folder.vrm").mkdir()
    for name, (arguments, suffix) in found.items():
        missing = ["nothing.vrm" if a in ("avatar.vrm", "old.vrm", "motion.bvh") else a for a in arguments]
        for output in ("no/such/folder/out." + suffix, "avatar.vrm/out." + suffix):
            result = vrm(*missing, output)
            check("noticed early", result.returncode == 4 and output.encode() in result.stderr,
                  "%s: code %d, %s" % (name, result.returncode, result.stderr))
    result = vrm("bake", "avatar.vrm", "-o", "a-folder.vrm")
    check("noticed early", result.returncode == 4, "a folder: code %d, %s" % (result.returncode, result.stderr))


def test_unwritable():
    os.makedirs("locked")
    pathlib.Path("locked/old.vrm").write_bytes(b"old")
    os.chmod("locked", 0o555)
    if os.geteuid() != 0:  # root can write everywhere; a missing folder gives the same error
        result = vrm("sample", "--minimal", "-o", "locked/new.vrm")
        check("unwritable", result.returncode == 4, "code %d" % result.returncode)
    os.chmod("locked", 0o755)


def test_closed_stdout():
    result = subprocess.run(["sh", "-c", 'exec "$0" inspect avatar.vrm >&-', VRM], capture_output=True)
    check("closed stdout", result.returncode == 4, "code %d" % result.returncode)


# --- odd files ---------------------------------------------------------------------------------------------------------

READERS = {
    "inspect": ["inspect", "-q", "IN"], "validate": ["validate", "IN"], "bench": ["bench", "IN"],
    "migrate": ["migrate", "IN", "-o", "never.vrm"], "bake": ["bake", "IN", "-o", "never.vrm"],
    "split": ["split", "IN", "-o", "never.vrm"], "cook": ["cook", "IN", "-o", "never.vrmc"],
    "ragdoll": ["ragdoll", "IN"], "ragdoll --edit": ["ragdoll", "avatar.vrm", "--edit", "IN"],
    "simulate": ["simulate", "IN", "-o", "never.glb"],
    "simulate --motion": ["simulate", "avatar.vrm", "--motion", "IN", "-o", "never.glb"],
    "simulate --look-at": ["simulate", "avatar.vrm", "--look-at", "IN", "-o", "never.glb"],
    "trace": ["trace", "IN", "script.json", "-o", "never.json"], "trace a script": ["trace", "avatar.vrm", "IN", "-o", "never.json"],
    "convert-motion": ["convert-motion", "IN", "-o", "never.vrma"],
    "convert-motion --avatar": ["convert-motion", "motion.bvh", "--avatar", "IN", "-o", "never.glb"],
    "convert-motion --map": ["convert-motion", "motion.bvh", "--map", "IN", "-o", "never.vrma"],
    "validate --fix": ["validate", "--fix", "IN", "-o", "never.vrm"],
}


def test_odd_inputs():
    os.mkdir("odd")
    pathlib.Path("odd/one.gltf").write_text('{"asset":{"version":"2.0"}}')
    pathlib.Path("odd-empty").write_bytes(b"")
    with open("odd-4-gigabytes", "wb") as file:
        file.truncate(1 << 32)  # sparse
    for name, arguments in READERS.items():
        takes_folders = name in ("inspect", "validate", "ragdoll")
        # These commands take a folder only together with an output folder.
        into_one = arguments[1] == "IN" and "-o" in arguments and name not in ("trace", "convert-motion")
        for odd, code in (("./odd", 0 if takes_folders else 2 if into_one or name == "validate --fix" else 3), ("./odd-4-gigabytes", 6), ("./nothing.vrm", 3),
                          ("/dev/null", 3), ("./odd-empty", 0 if name == "convert-motion --map" else None)):
            result = vrm(*[odd if a == "IN" else a for a in arguments])
            # ./nothing.vrm could also be a malformed X,Y,Z.
            look_at = name == "simulate --look-at" and odd == "./nothing.vrm"
            if name in ("inspect", "ragdoll") and odd == "./odd":
                code = result.returncode  # any code: the folder's glTF has no avatar
            check("odd input", result.returncode == (2 if look_at else code) if code is not None else result.returncode in (1, 2, 3),
                  "%s %s: code %d, %s" % (name, odd, result.returncode, result.stderr[-300:]))
            told = result.stdout + result.stderr
            words = {"./odd": b"folder", "./odd-4-gigabytes": b"2 GiB"}.get(odd, b"")
            check("odd input", result.returncode == 0 or ((odd.encode() in told or (into_one and odd == "./odd")) and (takes_folders or words in told)),
                  "%s %s: %s" % (name, odd, told[-300:]))
        if os.path.exists("never.vrma"):  # an empty map is valid
            os.unlink("never.vrma")
        check("odd input", not [path for path in os.listdir(".") if path.startswith("never.")], "%s: an output" % name)


def test_cooked():
    """Commands that need no document open a cooked avatar. All other commands report that the file is a cooked
    avatar."""
    check("cooked", vrm("cook", "-q", "avatar.vrm", "-o", "good.vrmc").returncode == 0, "not cooked")
    good = pathlib.Path("good.vrmc").read_bytes()
    pathlib.Path("other.vrmc").write_bytes(good[:8] + b"\xff" + good[9:])  # its version
    pathlib.Path("bad.vrmc").write_bytes(good[:-100] + bytes([good[-100] ^ 1]) + good[-99:])
    pathlib.Path("cut.vrmc").write_bytes(good[:30])
    for name, arguments in READERS.items():
        if name in ("ragdoll --edit", "trace a script", "convert-motion --map", "simulate --look-at"):
            continue  # these read other kinds of files
        opens = name in ("bench", "ragdoll", "trace")
        for file, code, words in (("good", 0, b""), ("other", 5, b"another version"), ("bad", 1, b"damaged"), ("cut", 1, b"damaged")):
            result = vrm(*[file + ".vrmc" if a == "IN" else a for a in arguments])
            told = result.stdout + result.stderr
            if opens:
                check("cooked", result.returncode == code and words in told, "%s %s: code %d, %s" % (name, file, result.returncode, told))
            else:
                check("cooked", result.returncode == 3 and b"COOKED_AVATAR" in told and b"Use the model" in told,
                      "%s %s: code %d, %s" % (name, file, result.returncode, told))
            check("cooked", os.path.exists("never.json") == (name == "trace" and file == "good"), "%s: an output" % name)
            for path in pathlib.Path(".").glob("never.*"):
                check("cooked", path.suffix == ".json", "%s: %s" % (name, path))
                path.unlink()
    figures = json.loads(vrm("bench", "good.vrmc", "-n", "2", "--format", "json").stdout)
    check("cooked", figures["joints"] == 136 and figures["usPerUpdate"] > 0 and "loadMs" not in figures, figures)
    pathlib.Path("nod.json").write_text(json.dumps({"frames": 90, "dt": 1 / 60, "events": [
        {"frame": 3, "humanBoneRotation": {"head": [0.3, 0.2, 0, 0.93]}}, {"frame": 5, "expression": {"happy": 1}}]}))
    traces = []
    for file in ("avatar.vrm", "good.vrmc"):
        result = vrm("trace", file, "nod.json", "-o", "-")
        check("cooked", result.returncode == 0, "trace %s: %s" % (file, result.stderr))
        traces.append(json.loads(result.stdout))
        del traces[-1]["model"]  # the name and checksum of the file
    check("cooked", traces[0] == traces[1] and len(traces[0]["frames"]) == 90, "the cooked avatar moves otherwise")


def test_pipes():
    os.mkfifo("pipe")
    for name, source in (("migrate", "old.vrm"), ("ragdoll", "avatar.vrm"), ("trace a script", "script.json"),
                         ("convert-motion", "motion.bvh"), ("convert-motion --avatar", "avatar.vrm"), ("simulate --motion", "motion.bvh")):
        with subprocess.Popen(["sh", "-c", 'cat "$0" > pipe', source]) as writer:
            arguments = ["./pipe" if a == "IN" else a.replace("never", "piped") for a in READERS[name]]
            result = vrm(*arguments, *(["--duration", "0.1"] if name.startswith("simulate") else []))
            writer.kill()
        check("pipe", result.returncode == 0, "%s: code %d, %s" % (name, result.returncode, result.stderr[-300:]))
    with subprocess.Popen(["sh", "-c", "cat pipe > read-from-pipe"]):
        result = vrm("split", "-q", "avatar.vrm", "-o", "pipe")
    check("pipe", result.returncode == 0 and read_glb("read-from-pipe")[0]["meshes"], "to a pipe: %s" % result.stderr)


def test_names():
    """File names may contain any characters, but never move the terminal's cursor."""
    name = "a\n\x1b[2J\u00e9 \"b\".vrm"
    shutil.copy("avatar.vrm", name)
    result = vrm("inspect", "--format", "ndjson", name)
    check("names", result.returncode == 0 and json.loads(result.stdout)["file"] == name, result.stderr)
    for arguments in (["validate", name], ["bench", "-n", "1", name], ["migrate", name, "-o", "x\x1b/y"],
                      ["convert-motion", name, "motion.bvh", "--to", "vrma", "-o", "./"]):
        told = vrm(*arguments)
        check("names", b"\x1b" not in told.stdout + told.stderr, "%s: %s" % (arguments[0], told.stdout + told.stderr))
    check("names", vrm("split", "-q", name, "-o", name + ".glb").returncode == 0 and os.path.exists(name + ".glb"), "not written")


def test_outputs_that_make_no_sense(found):
    for name, (arguments, _) in found.items():
        result = vrm(*arguments, "")
        check("no name", result.returncode in (2, 4), "%s: code %d, %s" % (name, result.returncode, result.stderr))
    check("one name twice", vrm("thumbnail", "avatar.vrm", "-o", "t.png", "--embed", "t.png").returncode == 2 or
          "thumbnail" not in found, "a picture and a model")
    check("misnamed", "thumbnail" not in found or vrm("thumbnail", "avatar.vrm", "-o", "t.vrm").returncode == 2, "a picture as .vrm")


# --- containers --------------------------------------------------------------------------------------------------------------

PNG = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000002000000040802000000")


def write_parts(folder):
    """Writes a .gltf with a buffer in a file and one in a data URI, and a picture of each kind. Returns the
    positions of its bytes by name."""
    document = strict_avatar()
    triangle = struct.pack("<9f", 0, 1, 0, 1, 1, 0, 0, 2, 0)
    moved = struct.pack("<9f", 0, 0, 1, 0, 0, 1, 0, 0, 2)
    document["buffers"] = [{"uri": "parts.bin", "byteLength": 38, "name": "first"},
                           {"uri": "data:application/octet-stream;base64," + base64.b64encode(moved).decode(), "byteLength": 36}]
    document["bufferViews"] = [{"buffer": 0, "byteLength": 36}, {"buffer": 1, "byteLength": 36}]
    document["accessors"] = [{"bufferView": i, "componentType": 5126, "count": 3, "type": "VEC3",
                              "min": [0, (1, 0)[i], (0, 1)[i]], "max": [(1, 0)[i], (2, 0)[i], (0, 2)[i]]} for i in range(2)]
    document["meshes"] = [{"primitives": [{"attributes": {"POSITION": 0}, "targets": [{"POSITION": 1}]}]}]
    document["nodes"].append({"mesh": 0, "name": "triangle"})
    document["scenes"][0]["nodes"].append(len(document["nodes"]) - 1)
    document["images"] = [{"uri": "picture%201.png"}, {"uri": "data:image/png;base64," + base64.b64encode(PNG).decode()},
                          {"uri": "missing.png"}]
    document["textures"] = [{"source": i} for i in range(3)]
    document["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}, "emissiveTexture": {"index": 1},
                              "normalTexture": {"index": 2}}]
    folder = pathlib.Path(folder)
    (folder / "parts.bin").write_bytes(triangle + b"ab")
    (folder / "picture 1.png").write_bytes(PNG)
    (folder / "parts.gltf").write_text("\ufeff" + json.dumps(document, indent=1) + "\n\n", encoding="utf-8")
    return triangle, moved


def read_glb(path):
    data = pathlib.Path(path).read_bytes()
    magic, version, length, size, kind = struct.unpack_from("<4sIIII", data)
    check("container", (magic, version, length, kind) == (b"glTF", 2, len(data), 0x4E4F534A) and size % 4 == 0, "header of %s" % path)
    document, rest = json.loads(data[20:20 + size]), data[20 + size:]
    chunk, kind = struct.unpack_from("<II", rest)
    check("container", kind == 0x4E4942 and chunk == len(rest) - 8 and chunk % 4 == 0, "binary chunk of %s" % path)
    return document, rest[8:]


def view_bytes(document, chunk, view):
    view = document["bufferViews"][view]
    check("container", view["buffer"] == 0, "a view of another buffer: %s" % view)
    return chunk[view.get("byteOffset", 0):view.get("byteOffset", 0) + view["byteLength"]]


def test_containers():
    os.mkdir("parts")
    os.mkdir("elsewhere")
    triangle, moved = write_parts("parts")
    for verb, name in (("migrate", "out.vrm"), ("bake", "out.glb"), ("split", "split.vrm"), ("simulate", "moved.glb"),
                       ("validate", "fixed.vrm")):
        more = {"simulate": ["--duration", "0.1"], "validate": ["--fix"]}.get(verb, [])
        path = "elsewhere/" + name
        result = vrm(verb, "parts/parts.gltf", *more, "-o", path)
        check("container", result.returncode == (1 if verb == "validate" else 0), "%s: %s" % (verb, result.stderr))
        document, chunk = read_glb(path)
        check("container", len(document["buffers"]) == 1 and "uri" not in document["buffers"][0] and
              document["buffers"][0]["name"] == "first", "%s: %s" % (verb, document["buffers"]))
        primitive = document["meshes"][0]["primitives"][0]
        positions = document["accessors"][primitive["attributes"]["POSITION"]]
        targets = document["accessors"][primitive["targets"][0]["POSITION"]]
        for accessor, wanted in ((positions, triangle), (targets, moved)):
            have = view_bytes(document, chunk, accessor["bufferView"])[accessor.get("byteOffset", 0):][:36]
            check("container", have == wanted, "%s: vertices" % verb)
        for image in document["images"][:2]:
            check("container", "uri" not in image and image["mimeType"] == "image/png" and
                  view_bytes(document, chunk, image["bufferView"]) == PNG, "%s: %s" % (verb, image))
        check("container", document["images"][2] == {"uri": "missing.png"}, "%s: %s" % (verb, document["images"][2]))
        check("container", verb == "validate" or b"missing.png" in result.stderr.splitlines()[-1] + result.stderr.splitlines()[-2],
              result.stderr)
        checked = vrm("validate", "-q", "--format", "json", path)
        check("container", json.loads(checked.stdout)["issues"]["numErrors"] == 1, "%s: more than the missing picture: %s" % (verb, checked.stdout))
    # The output is JSON text if its name ends in .gltf, and the other files stay beside it.
    for verb in ("migrate", "bake", "split"):
        result = vrm(verb, "parts/parts.gltf", "-o", "elsewhere/out.gltf")
        check("container", result.returncode == 0 and b"needs the files beside" in result.stderr, "%s: %s" % (verb, result.stderr))
        json.loads(pathlib.Path("elsewhere/out.gltf").read_text(encoding="utf-8-sig"))
        result = vrm(verb, "parts/parts.gltf", "-o", "parts/out.gltf")
        check("container", b"needs the files" not in result.stderr, result.stderr)
        result = vrm(verb, "avatar.vrm", "-o", "out.gltf")
        check("container", result.returncode == 2 and b".vrm or .glb" in result.stderr, "%s: %s" % (verb, result.stderr))


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        prepare()
        found = verbs()
        for name, test in sorted(globals().items()):
            if name.startswith("test_"):
                test(found) if test.__code__.co_argcount else test()
        os.chdir("/")
    print("%d verbs, %d failed checks" % (len(found), len(failures)))
    sys.exit(1 if failures else 0)


main()
