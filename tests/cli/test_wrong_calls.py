# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Wrong calls and wrong files for all commands. Each ends with the code that docs/commands.md specifies, names the
file or the option, and states what was expected or found. No existing file is changed, and no file is left behind."""

import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "fixtures"))
from command_fixture import CLEAN, HIPS_BVH, VRM, check, failures, rich_avatar, vrm  # noqa: E402
from glb_files import make_glb  # noqa: E402

# exit code, call, words of the message
CALLS = [
    (2, "inspect", "inspect", "FILE"),
    (3, "inspect nothing.vrm", "nothing.vrm", "no such file"),
    (3, "inspect '二 つ/ない.vrm'", "二 つ/ない.vrm", "no such file"),
    (3, "inspect empty.vrm", "empty.vrm", "the file is empty"),
    (3, "validate empty.vrm", "empty.vrm", "the file is empty"),
    (3, "bake empty.vrm -o x.vrm", "empty.vrm", "the file is empty"),
    (3, "inspect cut.vrm", "cut.vrm", "cut off: ", "1000 bytes found"),
    (3, "validate cut.vrm", "cut.vrm", "cut off: ", "1000 bytes found"),
    (3, "cook cut.vrm -o x.vrmc", "cut.vrm", "cut off: "),
    (3, "split cut.vrm -o x.glb", "cut.vrm", "cut off: "),
    (3, "trace cut.vrm script.json -o x.json", "cut.vrm", "cut off: "),
    (3, "convert-motion motion.bvh --avatar cut.vrm -o x.glb", "cut.vrm", "cut off: "),
    (3, "inspect noise.vrm", "noise.vrm", "GLB_INVALID_MAGIC", 'Expected "glTF" or "{" at the beginning'),
    (3, "inspect picture.vrm", "picture.vrm: the file is image/png, not glTF 2.0", "Found image/png"),
    (3, "bake archive.vrm -o x.vrm", "archive.vrm: the file is a ZIP archive, not glTF 2.0"),
    (3, "validate page.vrm", "page.vrm: the file is XML or HTML, not glTF 2.0"),
    (3, "validate dangling.vrm", "dangling.vrm", "no such file"),
    (3, "inspect loop", "loop"),
    (3, "inspect folder.vrm", "folder.vrm", "no .vrm"),
    (3, "inspect - -", "stdin can be read only once"),
    (2, "inspect a.vrm --require nothing", "--require", "nothing"),
    (2, "inspect --format xml a.vrm", "--format", "text json ndjson", "xml"),
    (2, "inspect a.vrm --max-memory 5x", "--max-memory", "512M", "5x"),
    (6, "inspect a.vrm --max-memory 1K", "a.vrm", "--max-memory"),
    (2, "inspect a.vrm --timeout soon", "--timeout", "soon"),
    (2, "inspect a.vrm --color red", "--color", "auto always never", "red"),
    (4, "inspect a.vrm --record folder.vrm", "folder.vrm", "a folder"),
    (4, "inspect a.vrm --record nowhere/x.json", "nowhere/x.json", "its folder does not exist"),
    (2, "validate --only NOPE a.vrm", "--only", "NOPE"),
    (2, "validate --override VRM1_SPEC_VERSION=fatal a.vrm", "--override", "VRM1_SPEC_VERSION", "warning"),
    (2, "validate --fix a.vrm", "--fix", "--output"),
    (2, "validate --fix a.vrm -o a.vrm", "a.vrm", "--force"),
    (2, "validate --fix a.vrm cut.vrm -o x.vrm", "--fix", "one file"),
    (2, "validate --threads many a.vrm", "--threads", "0 to 64", "many"),
    (2, "bake a.vrm", "-o OUT.vrm"),
    (2, "bake a.vrm -o", "--output", "OUT.vrm"),
    (4, "bake a.vrm -o folder.vrm", "folder.vrm", "is a folder; name a file"),
    (4, "bake a.vrm -o nowhere/x.vrm", "nowhere/x.vrm", "its folder does not exist"),
    (4, "bake a.vrm -o a.vrm/x.vrm", "a.vrm/x.vrm", "its folder is a file"),
    (75, "bake a.vrm -o /dev/full", "/dev/full", "full"),
    (4, "bake a.vrm -o /proc/x.vrm", "/proc/x.vrm", "could not be written"),
    (2, "bake a.vrm -o x.gltf", "x.gltf", "a.vrm", ".vrm or .glb"),
    (2, "bake a.vrm cut.vrm -o x.vrm", "x.vrm", "folder"),
    (2, "bake a.vrm -o 'out/{nothing}.vrm'", "{nothing}", "stem"),
    (2, "bake --t-pose=yes a.vrm -o x.vrm", "--t-pose", "no value"),
    (2, "bake a.vrm -o x.txt", "--output x.txt", ".vrm .glb .gltf"),
    (2, "migrate a.vrm -o x.json", "--output x.json", ".vrm .glb .gltf"),
    (2, "split a.vrm -o x.png", "--output x.png", ".vrm .glb .gltf"),
    (2, "simulate a.vrm -o x.txt", "--output x.txt", ".vrm .glb .gltf"),
    (2, "simulate a.vrm -o x.vrm.bak", "--output x.vrm.bak", ".vrm .glb .gltf"),
    (2, "sample -o x.gltf", "--output x.gltf", ".vrm .glb"),
    (2, "validate --fix a.vrm -o x.txt", "--output x.txt", ".vrm .vrma .glb .gltf"),
    (2, "trace a.vrm script.json -o x.vrm", "--output x.vrm", ".json"),
    (2, "ragdoll a.vrm -o x.vrm", "--output x.vrm", ".json"),
    (2, "bake a.vrm a.vrm -o 'out/{stem}.txt'", ".txt", ".vrm .glb .gltf"),
    (2, "cook a.vrm -o x.vrm", "--output x.vrm", ".vrmc"),
    (2, "split a.vrm -o a.vrm", "a.vrm", "--force"),
    (2, "migrate a.vrm -o x.vrm --prefer 2", "--prefer", "1 0", "2"),
    (2, "migrate a.vrm -o out/ --manifest text.txt", "--manifest text.txt", "not a manifest"),
    (2, "migrate a.vrm -o out/ --manifest a.vrm", "--manifest a.vrm", "not a manifest"),
    (3, "migrate a.vrm -o out/ --manifest folder.vrm", "folder.vrm", "a folder"),
    (2, "migrate a.vrm -o out/ --shard 3/2", "--shard", "I/N", "3/2"),
    (2, "migrate a.vrm -o out/ --jobs -1", "--jobs", "0 to 256", "-1"),
    (3, "migrate --files-from nothing.txt -o out/", "nothing.txt", "no such file"),
    (2, "migrate - -o 'out/{stem}.vrm'", "stdin"),
    (2, "simulate a.vrm -o x.glb --duration nan", "--duration", "0 to 3600", "nan"),
    (2, "simulate a.vrm -o x.glb --motion dance", "--motion dance", "idle", ".vrma"),
    (3, "simulate a.vrm -o x.glb --motion nothing.bvh", "nothing.bvh", "no such file"),
    (1, "simulate a.vrm -o x.glb --motion cut.bvh", "cut.bvh", "the end of the file at line 2", "expected {"),
    (2, "simulate a.vrm -o x.glb --look-at 1,2", "--look-at 1,2", "X,Y,Z"),
    (3, "simulate a.vrm -o x.glb --look-at text.txt", "text.txt", "line 1", "time, x, y, z"),
    (2, "simulate a.vrm -o x.glb --profile blender", "--profile", "univrm", "blender"),
    (2, "simulate a.vrm -o x.glb --hit 1,chest,0,0,1", "--hit", "--ragdoll"),
    (2, "simulate a.vrm --ragdoll --hit nobody,1,2 -o x.glb", "--hit nobody,1,2", "T,BONE,X,Y,Z"),
    (2, "trace a.vrm script.json", "-o"),
    (2, "trace a.vrm text.txt -o x.json", "text.txt", "line 1, column 1"),
    (2, "trace a.vrm script.json -o script.json", "script.json", "--force"),
    (3, "ragdoll a.vrm --edit nothing.json", "nothing.json", "no such file"),
    (2, "ragdoll a.vrm --mass -5", "--mass", "-5"),
    (1, "convert-motion text.txt -o x.vrma", "text.txt", "nonsense at line 1", "expected hierarchy"),
    (2, "convert-motion motion.bvh -o x.xyz", ".vrma, .bvh or .glb"),
    (2, "convert-motion motion.bvh --map text.txt -o x.vrma", "text.txt", "line 1", "joint = boneName"),
    (2, "convert-motion motion.bvh --trim 3,1 -o x.vrma", "--trim 3,1", "START:END"),
    (3, "stats text.txt", "text.txt", "no records", "--manifest"),
    (3, "stats folder.vrm", "folder.vrm", "a folder"),
    (3, "compare-runtimes folder.vrm", "folder.vrm", "a folder"),
    (3, "compare-runtimes a.vrm --motion nothing.bvh", "nothing.bvh", "no such file"),
    (2, "compare-runtimes a.vrm --motion dance", "--motion dance", "idle", ".vrma"),
    (2, "compare-runtimes a.vrm --duration 0", "--duration", "0.1 to 600"),
    (2, "bench a.vrm --instances 0", "--instances", "1 to 1000000"),
    (2, "sample --height 9 -o x.vrm", "--height", "1.2 to 2.1", "9"),
    (4, "sample -o 'ない/x.vrm'", "ない/x.vrm", "its folder does not exist"),
    (75, "sample --minimal -o /dev/full", "/dev/full", "full"),
    (2, "nothing", "nothing", "help"),
    (2, "--nothing", "--nothing", "--help"),
    (2, "inspekt a.vrm", "inspekt", "inspect"),
    (2, "render a.vrm -o x.jpg", "--output x.jpg", "OUT.png"),
    (2, "render a.vrm -o x.png --size 10x", "--size 10x", "WIDTHxHEIGHT"),
    (2, "render a.vrm -o x.png --camera nowhere", "--camera nowhere", "orbit"),
    (2, "render a.vrm -o x.png --expression nothing", "--expression", "nothing", "happy"),
    (2, "render a.vrm -o x.png --sheet turntable --frames 3", "--sheet turntable", "--frames"),
    (3, "render cut.vrm -o x.png", "cut.vrm", "cut off: "),
    (2, "thumbnail a.vrm -o x.vrm", "--output x.vrm", "OUT.png"),
    (2, "thumbnail a.vrm --embed x.png", "--embed x.png", "OUT.vrm"),
    (2, "thumbnail a.vrm --embedded --embed x.vrm", "--embedded", "--embed"),
    (2, "rpc text.txt x.ndjson", "text.txt", "not JSON"),
    (2, "rpc nothing", "nothing", "describe", "MANIFEST.json"),
]
RENDERED = ("render", "thumbnail", "rpc")


def prepare():
    os.makedirs("二 つ")
    os.mkdir("folder.vrm")
    whole = make_glb(rich_avatar())
    pathlib.Path("a.vrm").write_bytes(whole)
    pathlib.Path("cut.vrm").write_bytes(whole[:1000])
    pathlib.Path("empty.vrm").write_bytes(b"")
    pathlib.Path("noise.vrm").write_bytes(bytes(range(7, 200)))
    pathlib.Path("picture.vrm").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(40))
    pathlib.Path("archive.vrm").write_bytes(b"PK\x03\x04" + bytes(40))
    pathlib.Path("page.vrm").write_bytes(b"<!DOCTYPE html><title>404</title>")
    pathlib.Path("text.txt").write_text("nonsense")
    pathlib.Path("script.json").write_text('{"frames":2,"dt":0.1,"events":[]}')
    pathlib.Path("cut.bvh").write_text("HIERARCHY\nROOT")
    pathlib.Path("motion.bvh").write_text(HIPS_BVH)
    os.symlink("loop", "other")
    os.symlink("other", "loop")
    os.symlink("nowhere.vrm", "dangling.vrm")


def tree():
    return {str(path): path.read_bytes() if path.is_file() else None for path in sorted(pathlib.Path(".").rglob("*"))}


def without_rights():
    """Tests calls by a user who may not write to a folder. (The user root may.)"""
    os.mkdir("locked")
    pathlib.Path("locked/a.vrm").write_bytes(b"old")
    os.chmod("locked", 0o555)
    os.chmod(".", 0o755)

    def become_nobody():
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
    for output in ("locked/a.vrm", "locked/new.vrm"):
        result = subprocess.run([VRM, "bake", "a.vrm", "-o", output], capture_output=True, env=CLEAN, preexec_fn=become_nobody)
        check("read-only folder", result.returncode == 4 and output.encode() in result.stderr and b"permission" in result.stderr, result)
    os.chmod("locked", 0o755)
    check("read-only folder", pathlib.Path("locked/a.vrm").read_bytes() == b"old", "changed")


def main():
    with tempfile.TemporaryDirectory(prefix="vrm-wrong-") as folder:
        os.chdir(folder)
        prepare()
        draws = vrm("rpc", "describe").returncode != 5
        before = tree()
        for code, call, *words in CALLS:
            arguments = shlex.split(call)
            if arguments[0] in RENDERED and not draws:
                continue
            result = vrm(*arguments, stdin=subprocess.DEVNULL)
            said = (result.stderr + result.stdout).decode(errors="replace")
            check(call, result.returncode == code, "code %d, not %d: %s" % (result.returncode, code, said[-300:]))
            check(call, all(word in said for word in words), "not said: %s, but %s" % ([word for word in words if word not in said], said[-300:]))
            after = tree()
            check(call, after == before, "changed: %s" % sorted(name for name in {*after, *before} if after.get(name, 0) != before.get(name, 0)))
        try:
            without_rights()
        except PermissionError: # the user "nobody" may not even start the command
            print("skipped: a folder without rights")
    print("%d calls, %d failures" % (len(CALLS), len(failures)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
