# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Tests the Python package `vrm` as a user installs it, in an environment with numpy and in one without. In both, a
file is loaded and updated. The numbers agree with the command's trace, arrays are views of the instance's memory,
and a file that cannot be loaded gives the reason."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("VRM_BUILD_DIR", "build/release")).resolve()
VRM = os.environ.get("VRM_COMMAND", BUILD / "bin/vrm")

# The program that runs in each environment. Arguments: the folder, and whether numpy is installed.
INSIDE = '''
import ctypes, gc, inspect, json, pathlib, sys
import vrm
from vrm import c

folder, with_numpy = pathlib.Path(sys.argv[1]), sys.argv[2] == "numpy"
assert (vrm._numpy is not None) == with_numpy, vrm._numpy
assert "site-packages" in vrm.__file__, vrm.__file__

# Loads the same file from a path, a Path, bytes and a memoryview.
data = (folder / "avatar.vrm").read_bytes()
sizes = [vrm.load(source).counts for source in (str(folder / "avatar.vrm"), folder / "avatar.vrm", data, memoryview(data))]
assert all(size == sizes[0] for size in sizes) and sizes[0]["spring_joints"] > 50

avatar = vrm.load(data)
assert avatar.dialect == "1.0" and avatar.findings == () and avatar.bones["hips"] == avatar.nodes.index("hips") > 0
assert "happy" in avatar.expressions and avatar.meta["authors"] == ["The libvrm authors"] and 1.0 < avatar.height < 2.5

# The numbers agree with the command's: a trace whose root moves aside in its fourth frame.
instance = avatar.instance()
for frame in range(30):
    if frame == 3:
        instance.root = (0.3, 0.0, 0.0)
    instance.update(1 / 60)
traced = json.loads((folder / "trace.json").read_text())["frames"][0]["springTails"]
tails = [value for tail in instance.spring_tails().tolist() for value in tail]
assert len(traced) == len(tails) and max(abs(a - b) for a, b in zip(traced, tails)) < 1e-6
assert max(tails) - min(tails) > 0.5

# Views: their shapes; they are no copies, are read-only and stay valid after close().
world, palette = instance.world, instance.palette
assert tuple(world.shape) == (avatar.counts["nodes"], 3, 4) and tuple(palette.shape) == (avatar.counts["palette_joints"], 3, 4)
address = ctypes.cast(instance._outputs().palette, ctypes.c_void_p).value
if with_numpy:
    assert palette.dtype == "float32" and palette.ctypes.data == address and not palette.flags.writeable
    assert palette.base is not None
else:
    assert type(palette) is memoryview and palette.readonly
head = avatar.bones["head"]
before = world[head, 1, 3]
assert abs(before - 1.0) < 0.8
instance.root = (0.0, 5.0, 0.0)
instance.update()
assert instance.root.position == (0.0, 5.0, 0.0) and instance.origin == (0.0, 5.0, 0.0)
tails = instance.spring_tails()
assert tuple(tails.shape) == (avatar.counts["spring_joints"], 3) and 3.0 < tails[0, 1] < 8.0

# Inputs.
instance.expressions["happy"] = 0.75
instance.look_at((1.0, 6.5, 2.0))
instance.rotate("leftUpperArm", (0.0, 0.0, 0.3826834, 0.9238795))
instance.update()
assert instance.expressions["happy"] == 0.75 and "happy" in instance.expressions and len(instance.expressions) == len(avatar.expressions)
assert max(instance.morphs) > 0.5
state = instance.snapshot()
instance.update()
moved = bytes(instance.world)
instance.update()
assert bytes(instance.world) != moved
instance.restore(state)
instance.update()
assert bytes(instance.world) == moved
with avatar.motion("walk") as walk:
    assert 0.5 < walk.duration < 2.0
    instance.play(walk, loop=True)
for frame in range(1000):
    instance.update()
assert bytes(instance.world) != moved
instance.look_at(None)
last = palette[0, 0, 0]
instance.close()
avatar.close()
gc.collect()
assert palette[0, 0, 0] == last
del world, palette
gc.collect()

# Errors.
for what, wanted in ((lambda: instance.update(), ValueError), (lambda: avatar.counts, ValueError),
                     (lambda: vrm.load(folder / "nothing.vrm"), vrm.Error), (lambda: vrm.load(data[:1000]), vrm.Error),
                     (lambda: vrm.load(data).motion("fly"), KeyError), (lambda: vrm.load(data).instance().rotate("tail", (0, 0, 0, 1)), KeyError),
                     (lambda: vrm.load(data).instance().restore(b"no snapshot"), vrm.Error)):
    try:
        what()
    except wanted as error:
        fault = error
    else:
        raise AssertionError("%s was expected: %s" % (wanted, inspect.getsource(what)))
try:
    vrm.load(data[:1000])
except vrm.Error as error:
    assert error.code == "ERROR_NOT_GLTF" or error.code == "ERROR_INVALID_ASSET", error.code
    first = error.findings[0]
    assert (first.id, first.severity, first.expected[-6:]) == ("GLB_LENGTH_MISMATCH", "error", " bytes"), first
    assert first.sentence in str(error)

# The C interface: docstrings, enums, structs, callbacks.
assert "metres" in c.vrm_instance_set_look_at_target.__doc__ and "metres" in vrm.Instance.look_at.__doc__
assert c.VRM_HUMAN_BONE_HEAD == 5 and c.vrm_human_bone.VRM_HUMAN_BONE_HEAD is c.VRM_HUMAN_BONE_HEAD
assert c.vrm_version() == c.VRM_VERSION_MAJOR * 1000000 + c.VRM_VERSION_MINOR * 1000 + c.VRM_VERSION_PATCH
phases = []

@c.vrm_progress_fn
def progress(fraction, phase, user):
    phases.append(phase)
    return len(phases) < 2

made = ctypes.POINTER(c.vrm_avatar)()
params = c.defaults(c.vrm_avatar_def, progress=progress)
assert c.vrm_avatar_load(ctypes.byref(params), data, len(data), None, ctypes.byref(made)) == c.VRM_ERROR_CANCELLED and len(phases) == 2
assert vrm.load(vrm.sample(detail=c.VRM_SAMPLE_DETAIL_MINIMAL, seed=2)).counts["nodes"] > 100
print("ok", sys.version.split()[0], "numpy" if with_numpy else "without numpy")
'''


def run(*command, **options):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if result.returncode != 0:
        sys.exit("failed: %s\n%s%s" % (" ".join(map(str, command[:4])), result.stdout, result.stderr))
    return result.stdout


def has(python, module):
    return subprocess.run([python, "-c", "import " + module], capture_output=True).returncode == 0


def environment(folder, name, python, *options):
    """Creates an environment with the package installed, and returns its interpreter."""
    run(python, "-m", "venv", *options, folder / name)
    inside = folder / name / "bin/python"
    run(inside, "-m", "pip", "install", "-q", "--no-index", "--no-build-isolation", "--disable-pip-version-check",
        ROOT / "bindings/python", env=dict(os.environ, VRM_BUILD_DIR=str(BUILD)))
    return inside


def main():
    pythons = [python for python in dict.fromkeys([sys.executable, "/usr/bin/python3"])
               if os.path.exists(python) and has(python, "ensurepip")]
    if not pythons or not (BUILD / "libvrm.so").exists() or not (BUILD / "api.json").exists():
        print("skipped: there is no libvrm.so, no api.json or no python3-venv")
        sys.exit(77)
    numpy = next((python for python in pythons if has(python, "numpy")), None)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run(VRM, "sample", "--minimal", "-o", folder / "avatar.vrm")
        (folder / "script.json").write_text(json.dumps({
            "frames": 30, "sample": {"frames": [29]}, "events": [{"frame": 3, "root": {"translation": [0.3, 0, 0]}}]}))
        run(VRM, "trace", folder / "avatar.vrm", folder / "script.json", "-o", folder / "trace.json")
        (folder / "inside.py").write_text(INSIDE, encoding="utf-8")
        bare = environment(folder, "bare", pythons[0])
        print(run(bare, folder / "inside.py", folder, "bare", cwd=folder).strip())
        if numpy:
            rich = environment(folder, "rich", numpy, "--system-site-packages")
            print(run(rich, folder / "inside.py", folder, "numpy", cwd=folder).strip())
        blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/python.md").read_text(encoding="utf-8"), re.S)
        page = "\ninstance = vrm.load('avatar.vrm').instance()\n".join(blocks)
        if not re.fullmatch(r"\(\d+, 3, 4\) 0\.80000\d*\n", run(bare, "-c", page, cwd=folder)):
            sys.exit("docs/python.md prints something else")
        for python in [bare] + [rich] * bool(numpy):
            text = run(python, ROOT / "examples/python/spring.py", folder / "avatar.vrm", folder / "spring.svg")
            if not re.fullmatch(r"palette \(\d+, 3, 4\) swings by [1-9]\d*\.\d cm\n", text):
                sys.exit("spring.py prints %r" % text)
            points = re.search(r'points="([^"]*)"', (folder / "spring.svg").read_text()).group(1).split()
            if len(points) != 1000 or len({point.split(",")[1] for point in points}) < 100:
                sys.exit("spring.svg shows no swing")


main()
