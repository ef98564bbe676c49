# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""`vrm simulate --ragdoll` and `vrm trace` with both engines. A body that is thrown over comes to lie, gets up and
stands where it stood. Head and hair follow the simulated head. A recording of ODE's states replays in vrm without
ODE. If vrm-ode is missing, vrm reports it. A body that is pushed takes a step."""

import json
import math
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "fixtures"))
from glb_files import read_floats, split_glb  # noqa: E402

command = pathlib.Path(os.environ.get("VRM_COMMAND", "build/release/bin/vrm")).resolve()
with_ode = (command.parent / "vrm-ode").exists()
engines = ["light", "ode"] if with_ode else ["light"]
failures = 0


def check(good, text):
    global failures
    failures += 0 if good else 1
    if not good:
        print("FAILED " + text)


def run(*words, program=command, env=None, stdin=None, code=0):
    done = subprocess.run([program, *map(str, words)], capture_output=True, env=env, input=stdin, timeout=300)
    text = done.stderr.decode(errors="replace")
    check(done.returncode == code, "%s: exit %d: %s" % (words, done.returncode, text.strip()[:300]))
    return done.stdout, text


# --- a written animation --------------------------------------------------------------------------------------------


class Animation:
    def __init__(self, path):
        self.gltf, self.binary = split_glb(path.read_bytes())

    def numbers(self, accessor):
        return read_floats(self.gltf, self.binary, accessor)

    def keys(self, bone, path):
        """Returns the keys of a bone, or of the scene's root if the bone is None."""
        bones = self.gltf["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"]
        node = bones[bone]["node"] if bone else self.gltf["scenes"][0]["nodes"][0]
        animation = self.gltf["animations"][-1]
        for channel in animation["channels"]:
            if channel["target"].get("node") == node and channel["target"]["path"] == path:
                sampler = animation["samplers"][channel["sampler"]]
                return self.numbers(sampler["input"]), self.numbers(sampler["output"])
        return [], []


def fastest_hips(hips, dt, after):
    """Returns the highest speed of the hips from a time on, metres per second. In a recording the root's motion is
    in the hips."""
    first = round(after / dt)
    return max((math.dist(a, b) / dt for a, b in zip(hips[first:], hips[first + 1:])), default=1e9)


def falls_and_gets_up(folder, sample, engine, fps, drive, get_up=("--get-up", "auto")):
    out = folder / ("%s%g%s.glb" % (engine, fps, drive))
    run("simulate", sample, "-o", out, "-q", "--duration", 12, "--fps", fps, "--motion", "idle", "--ragdoll", "--engine",
        engine, "--drive", drive, "--explode", "1,0.1,0.2,0.5,160,3", *get_up)
    times, hips = Animation(out).keys("hips", "translation")
    name = "%s at %g frames a second, %s" % (engine, fps, drive)
    check(len(hips) > 20, name + ": hips move")
    if not hips:
        return None
    heights = [(t[0], p[1]) for t, p in zip(times, hips)]
    start = heights[0][1]
    low = [t for t, y in heights if y < 0.35 * start]
    check(low and 1.0 < low[0] < 2.9, name + ": lies from %s s on" % (low[:1] or "never"))
    check(low and low[-1] - low[0] > 0.5, name + ": stays down for a while")
    check(abs(heights[-1][1] - start) < 0.05 * start, name + ": stands at %g of %g m" % (heights[-1][1], start))
    speed = fastest_hips(hips, 1.0 / fps, low[-1] if low else 0.0)
    check(speed < 3.0, name + ": on the way up and after it the hips jump: %.1f m/s" % speed)
    back = [t for t, y in heights if y > 0.95 * start and low and t > low[-1]]
    print("%s: down at %.2f s, last low at %.2f s, up at %.2f s" %
          (name, low[0] if low else -1, low[-1] if low else -1, back[0] if back else -1))
    return out.read_bytes()


def steps_ahead(folder, sample):
    """Tests a push that is too strong for standing feet. With steps the hips move ahead and the figure ends upright
    there; without steps the figure stays in place."""
    way = {}
    for steps in ((), ("--steps", "off")):
        out = folder / "steps.glb"
        run("simulate", sample, "-o", out, "-q", "--duration", 5, "--motion", "idle", "--ragdoll", "--hit", "1,chest,0,0,45", *steps)
        _, hips = Animation(out).keys("hips", "translation")
        if not hips:
            check(False, "hips move")
            return
        way[steps] = hips[-1][2] - hips[0][2]
        check(abs(hips[-1][1] - hips[0][1]) < 0.05, "stands after a push, %s" % (steps,))
    check(way[()] > 0.1, "by default it steps ahead: %g m" % way[()])
    check(abs(way[("--steps", "off")]) < 0.05, "without steps it stays: %g m" % way[("--steps", "off")])


# --- traces ---------------------------------------------------------------------------------------------------------


def times(a, b):
    x, y, z, w = a
    i, j, k, r = b
    return (w * i + x * r + y * k - z * j, w * j - x * k + y * r + z * i, w * k + x * j - y * i + z * r,
            w * r - x * i - y * j - z * k)


def rotation(w):
    """Returns the rotation's columns of a column-major matrix. The sample has no scale."""
    return [w[0:3], w[4:7], w[8:11]]


def columns(q):
    def turn(v):
        p = times(times(q, (*v, 0.0)), (-q[0], -q[1], -q[2], q[3]))
        return p[:3]
    return [turn((1, 0, 0)), turn((0, 1, 0)), turn((0, 0, 1))]


def product(a, b):
    """Returns the product of two matrices given by columns."""
    return [[sum(a[k][i] * column[k] for k in range(3)) for i in range(3)] for column in b]


def transposed(a):
    return [[a[k][i] for k in range(3)] for i in range(3)]


SCRIPT = {
    "frames": 265, "mode": "normalized", "ragdoll": {"recovery": "manual"},
    "events": [{"frame": 20, "explode": {"center": [0.1, 0.2, 0.5], "impulse": 160, "radius": 3}},
               {"frame": 205, "recover": True}],
}


def trace(folder, sample, engine, extra=()):
    script = {**SCRIPT, "ragdoll": {**SCRIPT["ragdoll"], "engine": engine}, "events": SCRIPT["events"] + list(extra)}
    (folder / "script.json").write_text(json.dumps(script))
    run("trace", sample, folder / "script.json", "-o", folder / "trace.json")
    return (folder / "trace.json").read_text()


def follows(text, engine):
    record = json.loads(text)
    frames = record["frames"]
    node = record["humanBones"]["head"]
    body = record["ragdoll"]["bodies"].index("head")
    rest = rotation(frames[0]["nodes"]["w"][16 * node:16 * node + 16])
    worst, reach, swing = 0.0, 0.0, 0.0
    for frame in frames[21:150]:
        states = frame["ragdoll"]["states"]
        check(len(states) == 13 * len(record["ragdoll"]["bodies"]), engine + ": states while it falls")
        shown = rotation(frame["nodes"]["w"][16 * node:16 * node + 16])
        simulated = product(columns(states[13 * body + 3:13 * body + 7]), rest)
        worst = max(worst, max(abs(shown[i][k] - simulated[i][k]) for i in range(3) for k in range(3)))
        place = frame["nodes"]["w"][16 * node + 12:16 * node + 15]
        reach = max(reach, math.dist(place, states[13 * body:13 * body + 3]))
    tails = [f["springTails"] for f in frames]
    heads = [f["nodes"]["w"][16 * node + 12:16 * node + 15] for f in frames]
    for i in range(20):
        a = [math.dist(t[3 * i:3 * i + 3], h) for t, h in zip(tails, heads)]
        swing = max(swing, max(abs(x - a[19]) for x in a[20:60]))
    check(worst < 2e-3, "%s: the shown head is the simulated one: %g" % (engine, worst))
    check(swing > 0.01, "%s: hair swings when the head is thrown: %g m" % (engine, swing))
    # The neck has no body and bends with the head, so the shown head may be off the simulated one by that bend.
    check(reach < 0.15, "%s: the shown head is where the simulated one is: %g m" % (engine, reach))
    check(frames[200]["ragdoll"]["phase"] == "lying", "%s lies: %s" % (engine, frames[200]["ragdoll"]["phase"]))
    check(frames[205]["ragdoll"]["phase"] == "recovering", engine + " recovers")
    print("%s: head %.1e, place %.0f mm, hair %.0f mm" % (engine, worst, 1000 * reach, 1000 * swing))
    return record


def replays(folder, sample, text, record, engine):
    events = [{"frame": f["frame"], "ragdollStates": f["ragdoll"]["states"]} for f in record["frames"]
              if f["ragdoll"]["states"]]
    again = trace(folder, sample, "none", events)
    check(again.split('"frames":', 1)[1] == text.split('"frames":', 1)[1], engine + ": the record replays")


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    sample = folder / "sample.vrm"
    run("sample", "--minimal", "-o", sample)
    for engine in engines:
        first = falls_and_gets_up(folder, sample, engine, 60, "torque")
        check(first == falls_and_gets_up(folder, sample, engine, 60, "torque", ()),
              engine + ": the same bytes again, and getting up is the default")
        if not os.environ.get("VRM_SANITIZE"):
            falls_and_gets_up(folder, sample, engine, 30, "velocity")
            falls_and_gets_up(folder, sample, engine, 144, "torque")
        text = trace(folder, sample, engine)
        replays(folder, sample, text, follows(text, engine), engine)

    steps_ahead(folder, sample)
    run("simulate", sample, "-o", folder / "no.glb", "--engine", "ode", code=2)
    alone = folder / "alone"
    alone.mkdir()
    shutil.copy(command, alone / "vrm")
    env = {**os.environ, "PATH": "/usr/bin:/bin"}
    _, said = run("simulate", sample, "-o", folder / "no.glb", "--ragdoll", "--engine", "ode", program=alone / "vrm", env=env,
                  code=5)
    check("vrm-ode" in said and "libode-dev" in said, "what is missing is named: " + said)
    script = json.dumps({"frames": 1, "ragdoll": {"engine": "ode"}}).encode()
    (folder / "ode.json").write_bytes(script)
    _, said = run("trace", sample, folder / "ode.json", "-o", "-", program=alone / "vrm", env=env, code=5)
    check("vrm-ode" in said and "libode-dev" in said, "what is missing is named: " + said)
    _, said = run("trace", sample, "-", "-o", "-", stdin=script, code=2)
    check("the input cannot be stdin (-)" in said, "ODE and stdin: " + said)
    (folder / "wrong.json").write_text('{"frames": 1, "ragdoll": {"engine": "bullet"}}')
    _, said = run("trace", sample, folder / "wrong.json", "-o", "-", code=2)
    check("/ragdoll/engine" in said and "bullet" in said, "an unknown engine: " + said)
    check(not (folder / "no.glb").exists(), "nothing is written")

if not with_ode:
    print("skipped: ODE, which this build does not have")
sys.exit(1 if failures else 0)
