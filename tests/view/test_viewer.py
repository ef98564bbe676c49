# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Tests the viewer on a display of its own (Xvfb). xdotool moves the mouse and presses keys like a user. Files are
dropped through the window's own callback, and the viewer reports the positions of its widgets. VRM_SHOTS names a
folder in which pictures are kept for inspection."""

import hashlib
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "fixtures"))
from glb_files import split_glb  # noqa: E402
from json_schema import Schema  # noqa: E402

ROOT = pathlib.Path.cwd()
BUILD = pathlib.Path(os.environ.get("VRM_BUILD_DIR", "build/release"))
VRM = str(pathlib.Path(os.environ.get("VRM_COMMAND", BUILD / "bin/vrm")).resolve())
SHARED = pathlib.Path(os.environ.get("VRM_SHARED", ROOT.parent / "shared")) / "models"
STATE = Schema(json.loads((ROOT / "cli/schemas/view.schema.json").read_text(encoding="utf-8")))
SANITIZE = os.environ.get("VRM_SANITIZE", "")
PANELS = ["Conditions", "Expressions", "Gaze", "Springs", "Motion", "Bones", "Ragdoll", "Materials", "Drawing",
          "Messages", "Statistics"]
failures = []

# Allocations that drivers and window libraries keep. No function of the project is listed here.
SUPPRESSIONS = "".join("leak:%s\n" % library for library in (
    "libGLX_mesa", "swrast_dri", "libgallium", "libEGL_mesa", "libLLVM", "libX11", "libglapi"))


def check(good, what):
    if not good:
        line = sys._getframe(1).f_lineno
        failures.append(what)
        print("%s:%d: %s" % (__file__, line, what), flush=True)


class Display:
    def __init__(self):
        read, write = os.pipe()
        self.process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x900x24", "-nolisten", "tcp"], pass_fds=[write],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as answer:
            self.name = ":" + answer.readline().strip()

    def close(self):
        self.process.terminate()
        self.process.wait()


class Viewer:
    """A running `vrm view --control`."""

    def __init__(self, display, folder, *arguments):
        self.folder = folder
        self.environment = dict(os.environ, DISPLAY=display.name, XDG_STATE_HOME=str(folder / "state"),
                                LIBGL_ALWAYS_SOFTWARE="1", LP_NUM_THREADS="1")
        self.environment.pop("WAYLAND_DISPLAY", None)
        if SANITIZE:
            self.environment.update(sanitizer_environment(folder))
        self.errors = open(folder / "stderr.txt", "w+")
        self.process = subprocess.Popen(
            [VRM, "view", "--control", "--quiet", "--samples", "1", "--width", "1120", "--height", "760",
             "--screenshots", str(folder), *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True,
            env=self.environment, cwd=folder)

    def ask(self, line):
        """Returns the answer without its "ok", None for an error."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        self.answer = answer
        if not answer:
            raise SystemExit("the viewer ended after: %s\n%s" % (line, self.stderr()))
        return answer[3:] if answer.startswith("ok") else None

    def state(self):
        state = json.loads(self.ask("state"))
        errors = STATE.errors(state)
        if errors:
            raise SystemExit("the state is not as view.schema.json says: %s" % "; ".join(errors[:5]))
        return state

    def wait(self, member, value):
        for _ in range(300):
            if self.state()[member] == value:
                return
            self.ask("frames 1")
            time.sleep(0.01)
        check(False, "%s is %s, not %s" % (member, self.state()[member], value))

    def stderr(self):
        self.errors.flush()
        return (self.folder / "stderr.txt").read_text()

    def hand(self, *arguments):
        subprocess.run(["xdotool", *map(str, arguments)], check=True, env=self.environment)

    def key(self, name):
        self.hand("key", name)
        self.ask("frames 3")

    def chord(self, modifier, key):
        for action, name in (("keydown", modifier), ("keydown", key), ("keyup", key), ("keyup", modifier)):
            self.hand(action, name)
            self.ask("frames 2")

    def place(self, label):
        answer = self.ask("where " + label)
        if answer is None:  # the label is not visible: search from the top of the panel, by its scrollbar
            self.hand("mousemove", 1102, 400, "click", "--repeat", 60, "--delay", 1, 4)
            self.ask("frames 3")
            answer = self.ask("where " + label)
        for _ in range(40):
            if answer is not None:
                break
            self.hand("click", "--repeat", 3, "--delay", 1, 5)
            self.ask("frames 3")
            answer = self.ask("where " + label)
        check(answer is not None, "where %s: %s" % (label, self.answer))
        return tuple(map(int, answer.split())) if answer else (5, 5)

    def click(self, label):
        x, y = self.place(label)
        self.hand("mousemove", x, y)
        self.ask("frames 2")
        self.hand("mousedown", 1)
        self.ask("frames 2")
        self.hand("mouseup", 1)
        self.ask("frames 3")

    def drag(self, start, end, button=1):
        self.hand("mousemove", *start)
        self.ask("frames 2")
        self.hand("mousedown", button)
        self.ask("frames 2")
        for part in (0.3, 0.7, 1.0):
            self.hand("mousemove", *(round(a + part * (b - a)) for a, b in zip(start, end)))
            self.ask("frames 2")
        self.hand("mouseup", button)
        self.ask("frames 2")

    def slide(self, label, way):
        x, y = self.place(label)
        self.drag((x, y), (x + way, y))

    def choose(self, label, word):
        self.click(label)
        self.click(word)

    def picture(self, name):
        path = self.folder / name
        check(self.ask("window %s" % path) is not None, self.answer)
        data = path.read_bytes()
        check(data[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", data[16:24]) == (1120, 760),
              "a PNG of the window")
        check(len(data) > 20000, "%s shows something" % name)
        if os.environ.get("VRM_SHOTS"):
            shutil.copy(path, os.environ["VRM_SHOTS"])
        return hashlib.sha256(data).hexdigest()

    def quit(self):
        check(self.ask("quit") is not None, self.answer)
        code = self.process.wait(timeout=60)
        said = self.stderr()
        if "LeakSanitizer has encountered a fatal error" in said and "ERROR: " not in said:
            # The leak checker itself failed, because a driver's thread was just ending. It has checked the other
            # sessions.
            print("the leak checker failed: " + said.splitlines()[0])
            return
        check(code == 0, "exit code %s" % code)
        check(said == "", "stderr: " + said[:4000])


def sanitizer_environment(folder):
    """Drivers are normally unloaded at the end, and their leaks then have no names. So this environment keeps
    libraries loaded."""
    keep = folder / "keep.so"
    if not keep.exists():
        subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-x", "c", "-", "-o", str(keep)],
                       input="int dlclose(void *handle) { (void)handle; return 0; }", text=True, check=True)
        (folder / "suppressions.txt").write_text(SUPPRESSIONS)
    return {"LD_PRELOAD": str(keep), "ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=1",
            "LSAN_OPTIONS": "suppressions=%s:print_suppressions=0" % (folder / "suppressions.txt")}


def sample(folder):
    path = folder / "avatar.vrm"
    if not path.exists():
        subprocess.run([VRM, "sample", "--minimal", "-o", str(path)], check=True)
    return path


# --- cases -----------------------------------------------------------------------------------------------------------

def every_panel_opens(display, folder):
    v = Viewer(display, folder)
    check(v.state()["file"] == "", "an empty stage")
    v.picture("empty.png")
    check(v.ask("open %s" % sample(folder)) is not None, v.answer)
    check(v.state()["panel"] == PANELS.index("Conditions"), "the conditions come first")
    seen = set()
    for panel in PANELS:
        v.click(panel)
        check(v.state()["panel"] == PANELS.index(panel), "%s: clicked" % panel)
        v.ask("frames 12")
        seen.add(v.picture("panel-%s.png" % panel.lower()))
    check(len(seen) == len(PANELS), "every panel looks different")
    v.quit()


def hands_move_camera_and_time(display, folder):
    v = Viewer(display, folder, str(sample(folder)))
    v.wait("file", str(sample(folder)))
    before = v.state()
    v.click("Pause")
    at = v.state()
    check(at["paused"] and at["time"] > 0, "Pause")
    v.ask("frames 5")
    check(v.state()["time"] == at["time"], "time stands still")
    v.click("Step")
    check(abs(v.state()["time"] - at["time"] - 1 / 60) < 1e-4, "one step")
    v.key("period")
    check(abs(v.state()["time"] - at["time"] - 2 / 60) < 1e-4, "one step by key")
    v.key("space")
    check(not v.state()["paused"], "space goes on")
    v.key("bracketleft")
    check(v.state()["speed"] == 0.5, "half as fast")
    v.drag((300, 400), (400, 440))
    turned = v.state()
    check(abs(turned["orbit"][0] - before["orbit"][0] + 0.8) < 0.02, "100 pixels turn by 0.8: %s" % turned["orbit"])
    check(abs(turned["orbit"][1] - before["orbit"][1] - 0.32) < 0.02, "and 40 by 0.32")
    v.hand("click", 4)
    v.ask("frames 3")
    check(v.state()["orbit"][2] < turned["orbit"][2], "the wheel comes nearer")
    v.drag((300, 400), (340, 400), 3)
    check(v.state()["orbit"][:2] == turned["orbit"][:2], "the right button does not turn")
    panned = v.state()["orbit"]
    v.hand("mousemove", 900, 400, "click", 4)  # the click comes before the next frame
    v.ask("frames 3")
    check(v.state()["orbit"] == panned, "the wheel over a panel leaves the camera alone")
    v.hand("mousemove", 300, 400)
    v.ask("frames 2")
    v.click("Face")
    check(v.state()["orbit"][0] == 0 and v.state()["orbit"][2] < 2, "the face from the front")
    v.key("Tab")
    check(v.state()["panelsHidden"], "Tab hides the panels")
    v.picture("hidden.png")
    v.key("Tab")
    v.key("F12")
    shot = pathlib.Path(v.state()["screenshot"])
    check(shot.name == "avatar-001.png" and shot.read_bytes()[:4] == b"\x89PNG", "screenshot %s" % shot)
    v.click("Screenshot")
    check(v.state()["screenshot"].endswith("avatar-002.png"), "the first one is not written over")
    outside = v.picture("outside.png")
    v.click("Eyes")
    check(v.state()["wearing"] and v.state()["wearer"] == [0, 0], "through the wearer's eyes")
    ahead = v.picture("eyes.png")
    before = v.state()["orbit"]
    v.drag((300, 400), (200, 450))
    v.hand("click", 4)
    v.ask("frames 3")
    turned = v.state()
    check(abs(turned["wearer"][0] - 0.4) < 0.02 and abs(turned["wearer"][1] - 0.2) < 0.02, "looks about: %s" % turned["wearer"])
    check(turned["orbit"] == before, "the camera outside stays where it was")
    check(len({outside, ahead, v.picture("aside.png")}) == 3, "three pictures")
    v.key("3")
    check(not v.state()["wearing"], "and out again")
    v.key("4")
    check(v.state()["wearing"], "by key")
    v.click("Reset")
    check(not v.state()["wearing"] and v.state()["speed"] == 1 and v.state()["orbit"][0] == 0, "Reset")
    v.quit()


def faces_and_gaze(display, folder):
    v = Viewer(display, folder)
    v.ask("open %s" % sample(folder))
    v.ask("panel Expressions")
    v.click("Blink by itself")
    v.slide("happy", 45)
    state = v.state()
    check(state["weights"][0] > 0.8, "happy by hand: %s" % state["weights"][0])
    check(abs(state["applied"][0] - state["weights"][0]) < 1e-6, "and it is applied")
    v.picture("happy.png")
    v.click("Clear all")
    v.ask("frames 2")
    check(v.state()["weights"][0] == -1 and v.state()["applied"][0] == 0, "Clear all")
    v.ask("frames 20")
    v.click("Blink now")
    check(max(v.state()["applied"][10:13]) > 0, "a blink: %s" % v.state()["applied"])
    v.choose("voice", "talks by itself")
    v.ask("frames 25")
    check(max(v.state()["applied"][5:10]) > 0.05, "the mouth moves")
    v.ask("panel Gaze")
    v.choose("looks at", "the mouse")
    check(v.state()["gaze"] == 2, "gaze by mouse")
    v.choose("chain", "upper body")
    check(v.state()["chain"] == 3, "a look chain")
    v.hand("mousemove", 60, 200)
    v.ask("frames 40")
    v.picture("gaze.png")
    v.choose("looks at", "angles")
    v.slide("yaw, left", 30)
    v.quit()


def springs_are_tuned_and_kept(display, folder):
    v = Viewer(display, folder)
    model = sample(folder)
    before = hashlib.sha256(model.read_bytes()).hexdigest()
    v.ask("open %s" % model)
    v.ask("panel Springs")
    v.slide("wind", 60)
    v.ask("frames 30")
    v.picture("wind.png")
    v.slide("stiffness", 50)
    v.click("Write patch")
    patch = folder / "avatar.vrm.springs.json"
    check(patch.exists(), v.state()["message"])
    operations = json.loads(patch.read_text())
    check(len(operations) > 0 and all(o["op"] == "add" and o["path"].endswith("/stiffness") for o in operations),
          "a patch of stiffness: %s" % operations[:1])
    check(len({o["value"] for o in operations}) == 1, "one number for the chain")
    v.click("Write patch")
    check("not overwritten" in v.state()["message"], v.state()["message"])
    v.click("new model")
    v.chord("ctrl", "a")
    v.hand("type", "tuned.vrm")
    v.ask("frames 4")
    v.click("Save as new model")
    tuned = folder / "tuned.vrm"
    check(tuned.exists(), v.state()["message"])
    check(hashlib.sha256(model.read_bytes()).hexdigest() == before, "the original is as it was")
    chunk, _ = split_glb(tuned.read_bytes())
    springs = chunk["extensions"]["VRMC_springBone"]["springs"]
    for operation in operations:
        _, _, _, _, spring, _, joint, member = operation["path"].split("/")
        check(abs(springs[int(spring)]["joints"][int(joint)][member] - operation["value"]) < 1e-6, operation["path"])
    v.click("Revert")
    check(v.ask("where Write patch") is not None, v.answer)
    check(v.ask("open %s" % tuned) is not None, v.answer)
    v.quit()


def poses_are_set_undone_and_kept(display, folder):
    v = Viewer(display, folder)
    v.ask("open %s" % sample(folder))
    v.ask("panel Bones")
    v.click("head")
    v.slide("about y (turn)", 30)
    state = v.state()
    check(state["undo"] == 1 and state["motion"] == 0, "one step, and the motion has stopped: %s" % state)
    v.click("Save pose")
    pose_file = folder / "avatar.vrm.pose.json"
    kept = json.loads(pose_file.read_text())
    x, y, z, w = kept["head"]["rotation"]
    check(abs(x * x + y * y + z * z + w * w - 1) < 1e-5 and y > 0.1, "the head has turned: %s" % kept["head"])
    v.click("Copy")
    v.click("All to rest")
    v.click("Save pose")
    check("head" not in json.loads(pose_file.read_text()), "all at rest")
    v.click("Paste")
    v.click("Save pose")
    again = json.loads(pose_file.read_text())
    check(abs(again["head"]["rotation"][1] - y) < 1e-5, "pasted: %s" % again.get("head"))
    v.click("Undo")
    v.click("Save pose")
    check("head" not in json.loads(pose_file.read_text()), "undone")
    v.chord("ctrl", "y")
    v.click("Save pose")
    check("head" in json.loads(pose_file.read_text()), "done again")
    bad = folder / "bad.json"
    bad.write_text('{"head": {"rotation": [1, 2]}}')
    check(v.ask("drop %s" % bad) is None and "/head/rotation" in v.answer, v.answer)
    good = folder / "good.json"
    good.write_text(json.dumps({"leftUpperArm": {"rotation": [0, 0, 0.5, 0.8660254]},
                                "hips": {"rotation": [0, 0, 0, 1], "position": [0, 0.1, 0]}}))
    check(v.ask("drop %s" % good) is not None, v.answer)
    v.click("Save pose")
    read = json.loads(pose_file.read_text())
    check(set(read) == {"leftUpperArm", "hips"} and abs(read["hips"]["position"][1] - 0.1) < 1e-5, "%s" % read)
    v.picture("pose.png")
    v.quit()


def the_body_is_hit_and_dragged(display, folder):
    v = Viewer(display, folder)
    v.ask("open %s" % sample(folder))
    v.ask("panel Ragdoll")
    check(v.state()["ragdoll"] == "animated", "nothing is simulated yet")
    v.click("Give it a body")
    v.choose("left button", "hits")
    v.hand("mousemove", 334, 290)
    v.ask("frames 2")
    before = v.state()["orbit"]
    v.hand("mousedown", 1)
    v.ask("frames 2")
    v.hand("mouseup", 1)
    v.ask("frames 4")
    check(v.state()["ragdoll"] != "animated", "hit in the chest: %s" % v.state()["ragdoll"])
    check(v.state()["orbit"] == before, "the camera stays")
    v.ask("frames 10")
    v.picture("hit.png")
    v.ask("frames 600")
    check(v.state()["ragdoll"] == "animated", "back in its animation: %s" % v.state()["ragdoll"])
    v.choose("left button", "drags")
    v.hand("mousemove", 334, 290)
    v.ask("frames 2")
    v.hand("mousedown", 1)
    v.ask("frames 2")
    check(v.state()["held"] >= 0, "a body is held")
    v.hand("mousemove", 450, 260)
    v.ask("frames 40")
    v.picture("drag.png")
    v.hand("mouseup", 1)
    v.ask("frames 2")
    check(v.state()["held"] == -1, "and let go")
    v.click("Drop")
    v.ask("frames 60")
    v.picture("drop.png")
    check(v.state()["ragdoll"] in ("limp", "lying"), "it falls: %s" % v.state()["ragdoll"])
    v.click("Reset")
    check(v.state()["ragdoll"] == "animated", "Reset")
    v.click("Give it a body")
    v.click("Drop")  # with nothing else chosen, the figure gets up by itself
    phases = []
    for _ in range(60):
        v.ask("frames 10")
        phases.append(v.state()["ragdoll"])
    check("recovering" in phases and phases[-1] == "animated", "it gets up: %s" % phases)
    v.choose("what happens", "explosion, gets up")
    v.click("Draw bodies, targets, contacts")
    v.ask("frames 80")
    v.picture("thrown.png")
    check(v.state()["ragdoll"] == "limp", "thrown over: %s" % v.state()["ragdoll"])
    v.ask("frames 400")
    check(v.state()["ragdoll"] == "animated", "up again: %s" % v.state()["ragdoll"])
    v.quit()


def files_come_and_go(display, folder):
    v = Viewer(display, folder)
    check(v.ask("open %s" % (folder / "missing.vrm")) is None and "missing.vrm" in v.answer, v.answer)
    v.ask("open %s" % sample(folder))
    broken = folder / "broken.vrm"
    broken.write_bytes(sample(folder).read_bytes()[:20000])
    check(v.ask("drop %s" % broken) is None and "broken.vrm" in v.answer, v.answer)
    check("found 20000 bytes; expected" in v.answer, v.answer)
    check(v.state()["file"].endswith("avatar.vrm"), "the last avatar stands")
    v.picture("broken.png")
    text = folder / "text.vrm"
    text.write_text("no model")
    check(v.ask("drop %s" % text) is None, v.answer)
    clip = folder / "still.bvh"
    clip.write_text(BVH)
    check(v.ask("drop %s" % clip) is not None, v.answer)
    check(v.state()["clip"] == 0 and v.state()["clips"] == 1, "it plays")
    at = v.state()["clipTime"]
    v.ask("frames 6")
    check(v.state()["clipTime"] != at, "and goes on")
    v.slide("Timeline", 60)
    second = folder / "other.bvh"
    second.write_text(BVH)
    v.ask("drop %s" % second)
    check(v.state()["clip"] == 1, "the second one takes over")
    v.ask("frames 30")
    v.picture("clip.png")
    v.click("Stop")
    check(v.state()["clip"] == -1, "Stop")
    v.ask("drop %s" % second)
    check(v.state()["clip"] >= 0, "it plays again")
    v.click("Reset")
    check(v.state()["clip"] == -1, "Reset ends clips")
    models = folder / "models"
    models.mkdir()
    for name in "abc":
        shutil.copy(sample(folder), models / (name + ".vrm"))
    (models / "broken.vrm").write_bytes(broken.read_bytes())
    check(v.ask("drop %s" % models) is not None, v.answer)
    check(v.state()["files"] == 4 and v.state()["file"].endswith("a.vrm"), "a list")
    v.ask("frames 20")
    v.picture("folder.png")
    v.hand("mousemove", 400, 300)
    v.key("Next")  # Page Down
    v.wait("file", str(models / "b.vrm"))
    v.click("Previous")
    v.wait("file", str(models / "a.vrm"))
    v.key("p")  # from the first file to the last one
    v.wait("file", str(models / "c.vrm"))
    v.key("p")
    v.wait("file", str(models / "c.vrm"))  # the previous file is broken
    recent = (folder / "state/vrm/recent").read_text().splitlines()
    check(recent[0].endswith(".vrm") and any(line.endswith("avatar.vrm") for line in recent),
          "recent files: %s" % recent)
    v.quit()


BVH = """HIERARCHY
ROOT Hips
{
  OFFSET 0 90 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Spine
  {
    OFFSET 0 20 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT Head
    {
      OFFSET 0 30 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      End Site
      {
        OFFSET 0 10 0
      }
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.5
0 90 0 0 0 0 0 0 0 0 0 0
0 90 0 0 0 0 0 0 20 0 0 30
0 90 0 0 0 0 0 0 0 0 0 0
"""


def loading_is_cancelled(display, folder):
    v = Viewer(display, folder)
    v.ask("open %s" % sample(folder))
    long = folder / "long.gltf"
    long.write_text('{"asset": {"version": "2.0"}, "extras": [' + "1," * 12_000_000 + "1]}")
    v.ask("begin %s" % long)
    v.ask("frames 1")
    check(v.state()["loading"], "it takes its time")
    check(v.ask("where Cancel") is not None, "a bar with a button")
    v.hand("key", "Escape")
    v.wait("loading", False)
    check("cancelled" in v.state()["message"], v.state()["message"])
    check(v.state()["file"].endswith("avatar.vrm"), "the avatar stands")
    v.quit()


def letters_are_found_or_their_font_is_named(display, folder):
    v = Viewer(display, folder)
    named = folder / "\u30a2\u30d0\u30bf\u30fc.vrm"
    shutil.copy(sample(folder), named)
    check(v.ask("open %s" % named) is not None, v.answer)
    v.ask("frames 3")
    missing = v.state()["missingFont"]
    check(missing == "" or "Install the Debian package fonts-" in missing, missing)
    check(v.state()["message"] == missing, "and it is said: " + v.state()["message"])
    v.quit()


def real_files_open(display, folder):
    if not SHARED.is_dir():
        return
    v = Viewer(display, folder)
    good = [p for f in ("avatars", "blender", "conformance", "gltf") for p in sorted((SHARED / f).rglob("*"))
            if p.suffix in (".vrm", ".glb", ".gltf")]
    if SANITIZE:
        good = good[::9]
    else:
        good = good[::2]
    for path in good:
        if v.ask("open %s" % path) is None:
            check(path.name in v.answer, "%s: %s" % (path.name, v.answer))
        else:
            # An animated glTF file is a motion for the displayed avatar.
            check(v.state()["file"] == str(path) or path.suffix == ".glb", path.name)
    stands = v.state()["file"]
    for path in sorted((SHARED / "negative").glob("*.vrm")):
        # Some of these files are read with a warning. A refused file leaves the displayed avatar unchanged.
        if v.ask("open %s" % path) is None:
            check(v.state()["file"] == stands, "%s left %s" % (path.name, v.state()["file"]))
        stands = v.state()["file"]
    for path in sorted((SHARED / "animations").glob("*.vrma")):
        check(v.ask("drop %s" % path) is not None, v.answer)
        v.ask("frames 5")
    v.quit()


def no_display_is_said(display, folder):
    environment = {k: x for k, x in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    if SANITIZE:
        environment["ASAN_OPTIONS"] = "detect_leaks=0"
    result = subprocess.run([VRM, "view"], capture_output=True, text=True, env=environment)
    check(result.returncode == 5 and "vrm render" in result.stderr, "%s %s" % (result.returncode, result.stderr))


CASES = [every_panel_opens, hands_move_camera_and_time, faces_and_gaze, springs_are_tuned_and_kept,
         poses_are_set_undone_and_kept, the_body_is_hit_and_dragged, files_come_and_go, loading_is_cancelled,
         letters_are_found_or_their_font_is_named, real_files_open, no_display_is_said]


def main():
    if not (pathlib.Path(VRM).parent / "vrm-view").exists():
        print("skipped: vrm-view is not built")
        return 77
    if not shutil.which("Xvfb") or not shutil.which("xdotool"):
        print("skipped: Xvfb or xdotool is missing")
        return 77
    display = Display()
    try:
        for case in CASES:
            if len(sys.argv) > 1 and case.__name__ not in sys.argv[1:]:
                continue
            start = time.monotonic()
            with tempfile.TemporaryDirectory() as folder:
                case(display, pathlib.Path(folder))
            print("%s: %.1f s" % (case.__name__, time.monotonic() - start), flush=True)
    finally:
        display.close()
    print("%d cases, %d failed checks" % (len(CASES), len(failures)))
    return 1 if failures else 0


sys.exit(main())
