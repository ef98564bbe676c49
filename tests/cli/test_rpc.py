# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Tests `vrm rpc` with a client written for the tests: the effect of every operation, the code of every error, and
invalid messages. Spring tails are compared with the algorithm of VRMC_springBone-1.0, which is written again below
in double precision."""

import json
import math
import os
import pathlib
import struct
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "fixtures"))
from command_fixture import check, failures, old_avatar, strict_avatar, vrm  # noqa: E402
from glb_files import make_glb  # noqa: E402
from png_files import read_png  # noqa: E402
from rpc_client import Client  # noqa: E402

if vrm("rpc", "describe").returncode == 5:
    print("skipped: vrm-render is not built")
    sys.exit(77)

# --- models ------------------------------------------------------------------------------------------------------------

CHAIN = {"stiffness": 0.5, "dragForce": 0.4, "gravityPower": 0.7, "gravityDir": [0.0, -1.0, 0.0], "hitRadius": 0.02}
SPHERE = {"center": [0.03, 0.85, 0.01], "radius": 0.05}  # in the world; the head is at a height of 1.0


def add_hair(document, way):
    """Adds four joints below the head (node 2), each displaced from the previous one by `way`. Returns the indices
    of their nodes."""
    first = len(document["nodes"])
    document["nodes"][2]["children"] = [first]
    for i in range(4):
        document["nodes"].append({"name": "hair%d" % i, "translation": way, **({"children": [first + i + 1]} if i < 3 else {})})
    return list(range(first, first + 4))


def new_model(path, way, collider=True):
    document = strict_avatar()
    joints = add_hair(document, way)
    vrmc = document["extensions"]["VRMC_vrm"]
    vrmc["lookAt"] = {"type": "bone", "offsetFromHeadBone": [0.0, 0.06, 0.01]}
    vrmc["expressions"] = {"preset": {"happy": {}}, "custom": {"shy": {}}}
    head = [0.0, 1.0, 0.0]
    document["extensionsUsed"] += ["VRMC_springBone"]
    document["extensions"]["VRMC_springBone"] = {
        "specVersion": "1.0", "colliders": [{"node": 2, "shape": {"sphere": {
            "offset": [c - h for c, h in zip(SPHERE["center"], head)], "radius": SPHERE["radius"]}}}],
        "colliderGroups": [{"colliders": [0]}],
        "springs": [{"name": "first", "joints": [{"node": node, **CHAIN} for node in joints],
                     **({"colliderGroups": [0]} if collider else {})}]}
    path.write_bytes(make_glb(document))


def old_model(path):
    document = old_avatar()
    joints = add_hair(document, [0.05, -0.01, 0.02])
    document["extensions"]["VRM"]["secondaryAnimation"] = {"colliderGroups": [], "boneGroups": [
        {"bones": [joints[0]], "stiffiness": 0.5, "gravityPower": 0.5, "gravityDir": {"x": 0, "y": -1, "z": 0},
         "dragForce": 0.4, "center": -1, "hitRadius": 0.02, "colliderGroups": []}]}
    path.write_bytes(make_glb(document))


def clip(path):
    """Writes a motion of two seconds: the left upper arm rotates to a right angle about Z, happy rises to 0.8, the
    gaze turns 40 degrees to the left, and the hips rise by 0.3."""
    nodes = [{"name": "hips", "translation": [0.0, 0.5, 0.0], "children": [1]},
             {"name": "spine", "translation": [0.0, 0.25, 0.0], "children": [2]},
             {"name": "leftUpperArm", "translation": [0.1, 0.1, 0.0]}, {"name": "happy"}, {"name": "gaze"}]
    half, gaze = math.sqrt(0.5), math.radians(20.0)
    values = [[0.0, 2.0], [0, 0, 0, 1, 0, 0, half, half], [0, 0, 0, 0.8, 0, 0],
              [0, 0, 0, 1, 0, math.sin(gaze), 0, math.cos(gaze)], [0, 0.5, 0, 0, 0.8, 0]]
    types = ["SCALAR", "VEC4", "VEC3", "VEC4", "VEC3"]
    targets = [(2, "rotation"), (3, "translation"), (4, "rotation"), (0, "translation")]
    binary, views, accessors = b"", [], []
    for i, flat in enumerate(values):
        views.append({"buffer": 0, "byteOffset": len(binary), "byteLength": 4 * len(flat)})
        binary += struct.pack("<%df" % len(flat), *flat)
        accessors.append({"bufferView": i, "componentType": 5126, "count": 2, "type": types[i],
                          **({"min": [0.0], "max": [2.0]} if i == 0 else {})})
    path.write_bytes(make_glb({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 3, 4]}], "nodes": nodes,
        "buffers": [{"byteLength": len(binary)}], "bufferViews": views, "accessors": accessors,
        "extensionsUsed": ["VRMC_vrm_animation"],
        "extensions": {"VRMC_vrm_animation": {
            "specVersion": "1.0", "humanoid": {"humanBones": {name: {"node": i} for i, name in
                                                              enumerate(["hips", "spine", "leftUpperArm"])}},
            "expressions": {"preset": {"happy": {"node": 3}}}, "lookAt": {"node": 4, "offsetFromHeadBone": [0, 0, 0]}}},
        "animations": [{"samplers": [{"input": 0, "output": i + 1} for i in range(4)],
                        "channels": [{"sampler": i, "target": {"node": node, "path": what}}
                                     for i, (node, what) in enumerate(targets)]}]}, binary))


# --- the specification's springs ---------------------------------------------------------------------------------------

def add(a, b, scale=1.0):
    return [x + scale * y for x, y in zip(a, b)]


def length(a):
    return math.sqrt(sum(x * x for x in a))


def unit(a):
    return [x / length(a) for x in a]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def times(m, v):
    return [dot(row, v) for row in m]


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def from_to(a, b):
    """Returns the shortest rotation from one unit vector to another."""
    axis = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    s, c = length(axis), dot(a, b)
    if s < 1e-12:
        return [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    x, y, z = (v / s for v in axis)
    return [[c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
            [y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s],
            [z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)]]


class Springs:
    """Simulates a chain whose joints have no rest rotations, below a head that moves without rotating."""

    def __init__(self, way, collider):
        self.way, self.collider, self.root = way, collider, [0.0, 0.0, 0.0]
        self.tails = [add([0.0, 1.0, 0.0], way, i + 2) for i in range(3)]
        self.before = [list(tail) for tail in self.tails]

    def step(self, dt):
        head, turn = add(add([0.0, 1.0, 0.0], self.way), self.root), [[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]]
        places, long = [head], length(self.way)
        for i in range(3):
            aim = unit(times(turn, self.way))
            tail = add(self.tails[i], add(self.tails[i], self.before[i], -1.0), 1.0 - CHAIN["dragForce"])
            tail = add(tail, aim, CHAIN["stiffness"] * dt)
            tail = add(tail, CHAIN["gravityDir"], CHAIN["gravityPower"] * dt)
            tail = add(head, unit(add(tail, head, -1.0)), long)
            center = add(SPHERE["center"], self.root)
            reach = SPHERE["radius"] + CHAIN["hitRadius"]
            off = add(tail, center, -1.0)
            if self.collider and length(off) < reach:
                tail = add(head, unit(add(add(center, unit(off), reach), head, -1.0)), long)
            self.before[i], self.tails[i] = self.tails[i], tail
            turn = product(from_to(aim, unit(add(tail, head, -1.0))), turn)
            head = add(head, times(turn, self.way))
            places.append(head)
        return places


def apart(name, found, wanted, limit=2e-5):
    worst = max(abs(x - y) for a, b in zip(found, wanted) for x, y in zip(a, b)) if len(found) == len(wanted) else math.inf
    check(name, worst <= limit, "%s, expected %s" % (found, wanted))


def positions(client, session, **more):
    return client.ask("dump_bone_positions", session_id=session, **more)["springs"]


# --- effects of operations -------------------------------------------------------------------------------------------

def test_springs(client):
    for way, collider in (([0.0, -0.05, 0.0], False), ([0.0, -0.05, 0.0], True), ([0.03, -0.04, 0.02], True)):
        name = "springs %s %s" % (way, collider)
        path = pathlib.Path("spring.vrm")
        new_model(path, way, collider)
        session = client.ask("load_vrm", path=str(path), augment_colliders=False)["session_id"]
        ours = Springs(way, collider)
        check(name, client.ask("reset_physics", session_id=session, settle_steps=30) == {}, "no empty result")
        for _ in range(30):
            wanted = ours.step(1.0 / 60.0)
        springs = positions(client, session)
        check(name, len(springs) == 1 and springs[0]["name"] == "first", springs)
        apart(name + " settled", springs[0]["joint_positions"], wanted)
        client.ask("animate_root_transform", session_id=session, translation_start=[0, 0, 0],
                   translation_end=[0.15, 0.02, 0], duration_seconds=0.25, fps=60)
        for i in range(1, 16):
            ours.root = [0.15 * i / 15, 0.02 * i / 15, 0.0]
            wanted = ours.step(1.0 / 60.0)
        apart(name + " swung", positions(client, session, spring_index=0)[0]["joint_positions"], wanted)
        client.ask("step_physics", session_id=session, dt_seconds=0.01, count=7)
        for _ in range(7):
            wanted = ours.step(0.01)
        apart(name + " stepped", positions(client, session, spring_index=None)[0]["joint_positions"], wanted)
        check(name, positions(client, session, spring_index=1) == [], "a spring beyond the last one")
        client.ask("reset_physics", session_id=session, settle_steps=0)
        rest = [add(add([0.15, 1.02, 0.0], way, i + 1), [0, 0, 0]) for i in range(4)]
        apart(name + " reset", positions(client, session)[0]["joint_positions"], rest)
        client.ask("dispose", session_id=session)


def test_old(client):
    """An avatar of VRM 0.x keeps the axes of its file: a node at +X in the file is at +X in the results, and moves
    to +X with the root."""
    path = pathlib.Path("old.vrm")
    old_model(path)
    session = client.ask("load_vrm", path=str(path))["session_id"]
    rest = [add([0.0, 1.0, 0.0], [0.05, -0.01, 0.02], i + 1) for i in range(4)]
    springs = positions(client, session)
    check("old", len(springs) == 1, springs)
    apart("old at rest", springs[0]["joint_positions"], rest)
    client.ask("animate_root_transform", session_id=session, translation_start=[0, 0, 0], translation_end=[1, 0, 0.5],
               duration_seconds=0, fps=60)
    apart("old moved", positions(client, session)[0]["joint_positions"][:1], [add(rest[0], [1, 0, 0.5])])
    pose = client.ask("dump_humanoid_pose", session_id=session, as_spec_version="1.0")
    check("old", pose["source_spec_version"] == "0.x", pose["source_spec_version"])
    apart("old hips", [pose["hips_translation"]], [[0.0, 0.5, 0.0]])
    handle = client.ask("load_vrma", vrma_path="clip.vrma")["vrma_handle"]
    client.ask("apply_vrma_at_time", session_id=session, vrma_handle=handle, vrm_handle=0, time_seconds=2.0)
    bones = {bone["name"]: bone["local_rotation_quat"] for bone in client.ask("dump_humanoid_pose", session_id=session)["bones"]}
    # The avatar's left arm goes up. In the file's axes the avatar faces the other way, so the rotation is the opposite.
    apart("old arm", [bones["leftUpperArm"]], [[0.0, 0.0, -math.sqrt(0.5), math.sqrt(0.5)]])
    client.ask("dispose", session_id=session)


def test_animation(client):
    new_model(pathlib.Path("avatar.vrm"), [0.0, -0.05, 0.0])
    clip(pathlib.Path("clip.vrma"))
    session = client.ask("load_vrm", path="avatar.vrm")["session_id"]
    loaded = client.ask("load_vrma", vrma_path="clip.vrma")
    check("load_vrma", loaded["channel_summary"] == {"humanoid_bones": 1, "expressions": 1, "has_look_at": True,
                                                      "duration_seconds": 2.0} or
          loaded["channel_summary"]["humanoid_bones"] in (1, 2, 3), loaded)
    for time, part in ((0.0, 0.0), (0.5, 0.25), (1.0, 0.5), (2.0, 1.0), (9.0, 1.0)):
        name = "at %g s" % time
        applied = client.ask("apply_vrma_at_time", session_id=session, vrma_handle=loaded["vrma_handle"], vrm_handle=0,
                             time_seconds=time)["channels_applied"]
        check(name, applied["expressions"] == 1 and applied["look_at"] is True and applied["humanoid_bones"] >= 1, applied)
        pose = client.ask("dump_humanoid_pose", session_id=session)
        check(name, pose["source_spec_version"] == "1.0", pose)
        bones = {bone["name"]: bone["local_rotation_quat"] for bone in pose["bones"]}
        check(name, len(bones) == 15 and sorted(pose["bones_missing"]) == ["chest", "leftShoulder", "neck", "rightShoulder"],
              pose["bones_missing"])
        angle = math.radians(45.0 * part)
        apart(name + " arm", [bones["leftUpperArm"]], [[0.0, 0.0, math.sin(angle), math.cos(angle)]])
        apart(name + " spine", [bones["spine"]], [[0.0, 0.0, 0.0, 1.0]])
        apart(name + " hips", [pose["hips_translation"]], [[0.0, 0.5 + 0.3 * part, 0.0]])
        faces = client.ask("dump_expression_weights", session_id=session)
        check(name, len(faces["presets"]) == 14 and "lookUp" not in faces["presets"], faces)
        apart(name + " face", [[faces["presets"]["happy"], faces["presets"]["sad"], faces["custom"]["shy"]]],
              [[0.8 * part, 0.0, 0.0]])
        gaze = client.ask("dump_look_at_state", session_id=session)
        # Between two keys, the gaze's angle is the angle of the interpolated rotation.
        apart(name + " gaze", [[gaze["yaw_deg"], gaze["pitch_deg"]]], [[40.0 * part, 0.0]], 1e-3)
        half = math.radians(20.0 * part)
        apart(name + " gaze", [gaze["gaze_direction_quat"]], [[0.0, math.sin(half), 0.0, math.cos(half)]])
        check(name, gaze["applied_via"] == "bone", gaze)
        apart(name, [gaze["offset_from_head_bone"]], [[0.0, 0.06, 0.01]])
    check("0.x of 1.0", client.code("dump_humanoid_pose", session_id=session, as_spec_version="0.x") == -32001, "no error")
    check("no version", client.code("dump_look_at_state", session_id=session, as_spec_version="2.0") == -32602, "no error")
    client.ask("dispose", session_id=session)


PICTURE = {"width": 96, "height": 64, "color_space": "Srgb", "msaa": 4, "output_type": "Color"}


def picture(client, session, path, **more):
    result = client.ask("render", session_id=session, output_path=path, **{**PICTURE, **more})
    check(path, result["output_path"] == path, result)
    width, height, rows = read_png(pathlib.Path(path).read_bytes())
    check(path, (width, height) == (more.get("width", 96), more.get("height", 64)), (width, height))
    return result["actual_color_space"], [pixel for row in rows for pixel in row]


def figure_of(pixels):
    return [pixel[:3] for pixel in pixels if pixel[:3] != (255, 0, 255)]


def look_at(client, session, position, target):
    client.ask("set_camera", session_id=session, position=position, target=target, up=[0, 1, 0], fov_degrees=30)


def light(client, session, way, intensity, ambient=0.0):
    client.ask("set_lighting", session_id=session, directional={"dir": way, "color": [1, 1, 1], "intensity": intensity},
               ambient={"color": [0.5, 0.5, 0.5], "intensity": ambient}, cast_shadows=False, receive_shadows=False)


def mean(pixels):
    return sum(sum(pixel) for pixel in pixels) / (3.0 * max(1, len(pixels)))


def decode(byte):
    value = byte / 255.0
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def encode(value):
    return value * 12.92 if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055


def test_pictures(client):
    check("sample", vrm("sample", "--minimal", "-q", "-o", "sample.vrm").returncode == 0, "no sample")
    session = client.ask("load_vrm", path="sample.vrm")["session_id"]
    look_at(client, session, [0, 1.0, 4.0], [0, 0.9, 0])
    light(client, session, [0, -0.3, -1.0], 1.0, 0.3)
    client.ask("set_post_processing", session_id=session, tone_mapping="None", exposure=1.0)
    space, front = picture(client, session, "front.png")
    check("background", front[0][:3] == (255, 0, 255), front[0])
    check("figure", 100 < len(figure_of(front)) < len(front) // 2 and space == "Srgb", len(figure_of(front)))
    check("same again", picture(client, session, "again.png")[1] == front, "another picture")
    # The light shines along `dir`.
    light(client, session, [0, -0.3, 1.0], 1.0, 0.3)
    check("light", mean(figure_of(picture(client, session, "behind.png")[1])) < 0.97 * mean(figure_of(front)), "as bright")
    light(client, session, [0, -0.3, -1.0], 0.0, 0.0)
    dark = mean(figure_of(picture(client, session, "dark.png")[1]))
    check("dark", dark < 0.6 * mean(figure_of(front)), "%.1f of %.1f" % (dark, mean(figure_of(front))))
    light(client, session, [0, -0.3, -1.0], 1.0, 0.3)
    space, linear = picture(client, session, "linear.png", color_space="Linear")
    wanted = [p if p[:3] == (255, 0, 255) else tuple(round(255 * decode(c)) for c in p[:3]) for p in front]
    check("linear", space == "Linear" and [p[:3] for p in linear] == [p[:3] for p in wanted], "not the curve")
    client.ask("set_post_processing", session_id=session, tone_mapping="Reinhard", exposure=2.0)
    _, mapped = picture(client, session, "reinhard.png")
    wanted = [p[:3] if p[:3] == (255, 0, 255) else
              tuple(round(255 * encode(2 * decode(c) / (1 + 2 * decode(c)))) for c in p[:3]) for p in front]
    check("reinhard", [p[:3] for p in mapped] == wanted, "not x / (1 + x)")
    client.ask("set_post_processing", session_id=session, tone_mapping="aces", exposure=1.0)
    check("aces", picture(client, session, "aces.png")[1] != front, "the same picture")
    client.ask("set_post_processing", session_id=session, tone_mapping="None", exposure=1.0)
    look_at(client, session, [0, 1.0, 8.0], [0, 0.9, 0])
    share = len(figure_of(picture(client, session, "far.png")[1])) / len(figure_of(front))
    check("far", 0.15 < share < 0.35, "twice as far, %.2f of the pixels" % share)
    _, wide = picture(client, session, "wide.png", width=128, height=32)
    check("wide", len(figure_of(wide)) > 0, "nothing to be seen")
    client.ask("dispose", session_id=session)


def test_sequence(client):
    new_model(pathlib.Path("avatar.vrm"), [0.0, -0.05, 0.0], False)
    session = client.ask("load_vrm", path="avatar.vrm")["session_id"]
    base = {**PICTURE, "session_id": session, "output_dir": "frames", "frame_count": 4, "frame_hz": 30,
            "physics_dt_seconds": struct.unpack("<f", struct.pack("<f", 1 / 60))[0], "output_format": "png_sequence"}
    result = client.ask("render_sequence", **base, capture_positions=True, capture_synthetic_colliders=True,
                        animate_root_transform={"translation_start": [0, 0, 0], "translation_end": [0.3, 0, 0]})
    ours = Springs([0.0, -0.05, 0.0], False)
    check("sequence", [f["path"] for f in result["frames"]] == ["frames/000%d.png" % i for i in range(4)], result)
    for i, frame in enumerate(result["frames"]):
        ours.root = [0.1 * i, 0.0, 0.0]
        ours.step(1 / 60)  # a frame of 1/30 s takes two steps of 1/60 s
        wanted = ours.step(1 / 60)
        apart("sequence frame %d" % i, frame["spring_positions"][0]["joint_positions"], wanted)
        check("sequence", frame["index"] == i and abs(frame["timestamp_seconds"] - i / 30) < 1e-6, frame)
        check("sequence", frame["synthetic_colliders"] == [] and frame["blake3"].startswith("blake3:"), frame)
        check("sequence", read_png(pathlib.Path(frame["path"]).read_bytes())[:2] == (96, 64), "not of that size")
    check("sequence", abs(result["duration_seconds"] - 4 / 30) < 1e-6 and result["frame_hz_achieved"] == 30 and
          result["actual_color_space"] == "Srgb" and "muxed_path" not in result, result)
    # After the sequence the root is back at its place.
    apart("sequence behind", positions(client, session)[0]["joint_positions"][:1], [[0.0, 0.95, 0.0]])
    clip(pathlib.Path("clip.vrma"))
    handle = client.ask("load_vrma", vrma_path="clip.vrma")["vrma_handle"]
    result = client.ask("render_sequence", **{**base, "output_format": "mp4", "frame_count": 2, "frame_hz": 1},
                        apply_vrma={"vrma_handle": handle, "start_seconds": 0.5})
    check("sequence clip", "spring_positions" not in result["frames"][0], result)
    happy = client.ask("dump_expression_weights", session_id=session)["presets"]["happy"]
    check("sequence clip", abs(happy - 0.8 * 1.5 / 2) < 1e-5, happy)
    way = {"translation_start": [0, 0, 0], "translation_end": [1, 0, 0]}
    for name, more in {"two sources": {"animate_root_transform": way, "apply_vrma": {"vrma_handle": handle, "start_seconds": 0}},
                       "long steps": {"physics_dt_seconds": 1 / 60 + 1e-4}, "no frames": {"frame_count": 0},
                       "no rate": {"frame_hz": 0}, "no clip": {"apply_vrma": {"vrma_handle": 99, "start_seconds": 0}},
                       "no format": {"output_format": "avi"}, "half a way": {"animate_root_transform": {}}}.items():
        check(name, client.code("render_sequence", **{**base, **more}) == -32602, "no error")
    check("no folder", client.code("render_sequence", **{**base, "output_dir": "no/such/folder"}) == -32002, "no error")
    client.ask("dispose", session_id=session)


def test_benchmark(client):
    session = client.ask("load_vrm", path="sample.vrm")["session_id"]
    plan = client.ask("benchmark_plan", session_id=session, **PICTURE)
    check("plan", plan["estimated_frames"] == 330 and plan["estimated_seconds"] > 0 and plan["scene_summary"], plan)
    result = client.ask("benchmark_execute", session_id=session, **PICTURE, warmup_frames=1, measured_frames=5,
                        animate_root_transform={"translation_start": [0, 0, 0], "translation_end": [1, 0, 0]})
    times_ms = result["timing"]["frame_time_ms"]
    check("benchmark", 0 < times_ms["p50"] <= times_ms["p95"] <= times_ms["p99"] and result["timing"]["fps_mean"] > 0, result)
    check("benchmark", result["protocol"] == {"warmup_frames": 1, "measured_frames": 5, "animated": True}, result)
    check("benchmark", result["geometry"]["triangles"] > 100 and result["resources"]["peak_memory_bytes"] > 1 << 20, result)
    check("benchmark", result["host"]["os"] and result["capabilities"] == ["timing", "geometry", "resources"], result)
    check("benchmark", client.code("benchmark_execute", session_id=session, **PICTURE, measured_frames=0) == -32602, "no error")
    client.ask("dispose", session_id=session)


# --- errors ------------------------------------------------------------------------------------------------------------

def test_errors(client):
    session = client.ask("load_vrm", path="avatar.vrm")["session_id"]
    for method, phase in {"set_environment": "v1.x", "set_expression": "Phase 3", "set_humanoid_pose": "Phase 2",
                          "set_root_transform": "Phase 2"}.items():
        error = client.call(method, session_id=session)["error"]
        check(method, error["code"] == -32000 and error["data"] == {"phase": phase}, error)
    check("method", client.code("fly", session_id=session) == -32601, "no error")
    pathlib.Path("noise.vrm").write_bytes(b"nothing at all")
    pathlib.Path("plain.glb").write_bytes(make_glb({"asset": {"version": "2.0"}}))
    for path in ("nothing.vrm", "noise.vrm", "plain.glb", "-", "."):
        error = client.call("load_vrm", path=path)["error"]
        check(path, error["code"] == -32001 and error["data"]["validator_report"], error)
        check(path, client.code("load_vrma", vrma_path=path) == -32001, "no error")
    error = client.call("render", session_id=session, output_path="no/such/folder/x.png", **PICTURE)["error"]
    check("render", error["code"] == -32002 and error["data"]["reason"], error)
    before = pathlib.Path("avatar.vrm").read_bytes()
    check("render over the model", client.code("render", session_id=session, output_path="avatar.vrm", **PICTURE) == -32002 and
          pathlib.Path("avatar.vrm").read_bytes() == before, "written over")
    camera = {"position": [0, 1, 2], "target": [0, 1, 0], "up": [0, 1, 0], "fov_degrees": 30}
    lamp = {"directional": {"dir": [0, 0, -1], "color": [1, 1, 1], "intensity": 1}, "ambient": {"color": [1, 1, 1], "intensity": 0}}
    root = {"translation_start": [0, 0, 0], "translation_end": [1, 0, 0], "duration_seconds": 1, "fps": 60}
    for method, good, wrong in (
            ("load_vrm", {"path": "avatar.vrm"}, [{"path": 3}, {"path": ""}, {"path": "a\0b"}, {"augment_colliders": "no"}]),
            ("load_vrma", {"vrma_path": "clip.vrma"}, [{"vrma_path": None}, {"vrma_path": ["clip.vrma"]}]),
            ("set_camera", camera, [{"position": [0, 1]}, {"position": [0, 1, "2"]}, {"target": [0, 1, 2]}, {"up": [0, 0, 0]},
                                    {"fov_degrees": 0}, {"fov_degrees": 180}, {"fov_degrees": None}, {"up": {"x": 1}}]),
            ("set_lighting", lamp, [{"directional": 1}, {"ambient": None}, {"directional": {"dir": [0, 0, 0], "color": [1, 1, 1],
                                                                                            "intensity": 1}},
                                    {"ambient": {"color": [1, 1, -1], "intensity": 1}}, {"cast_shadows": 0}]),
            ("set_post_processing", {"tone_mapping": "None", "exposure": 1}, [{"tone_mapping": "Filmic"}, {"tone_mapping": 0},
                                                                            {"exposure": -1}, {"exposure": 1e40}]),
            ("render", {**PICTURE, "output_path": "x.png"}, [{"width": 0}, {"height": 20000}, {"width": 1.5}, {"width": -1},
                                                             {"color_space": "P3"}, {"output_type": "Depth"}, {"msaa": "4"},
                                                             {"output_path": None}, {"msaa": 256}]),
            ("step_physics", {"dt_seconds": 0.01, "count": 1}, [{"dt_seconds": -1}, {"dt_seconds": "x"}, {"dt_seconds": 11},
                                                              {"count": 4294967295}, {"count": None}, {"count": 1e20}]),
            ("reset_physics", {"settle_steps": 1}, [{"settle_steps": -1}, {"settle_steps": None}, {"settle_steps": 2000000}]),
            ("animate_root_transform", root, [{"fps": 0}, {"duration_seconds": -1}, {"duration_seconds": 1e9},
                                              {"translation_end": 3}]),
            ("dump_bone_positions", {}, [{"spring_index": -1}, {"spring_index": "0"}]),
            ("apply_vrma_at_time", {"vrma_handle": 1, "vrm_handle": 0, "time_seconds": 0},
             [{"vrma_handle": 0}, {"vrma_handle": 99}, {"time_seconds": None}, {"vrma_handle": None}])):
        with_session = {} if method in ("load_vrm", "load_vrma") else {"session_id": session}
        check(method, client.code(method, **with_session, **good) == 0, "not as it should be called")
        for change in wrong:
            code = client.code(method, **with_session, **{**good, **change})
            check("%s %s" % (method, change), code == -32602, code)
        if with_session:
            for other in ("libvrm-99", "", 7, None, session + " ", "x" * 400):
                code = client.code(method, **{**good, "session_id": other})
                check("%s of session %r" % (method, other), code == -32602, code)
    client.ask("dispose", session_id=session)
    check("dispose twice", client.code("dispose", session_id=session) == -32602, "no error")


def test_messages():
    client = Client()
    for body in (b"", b"{", b"[1,2", b"{\"id\":1} x", b"\xff\xfe", b"nul", b"{" * 1000):
        client.send_body(body)
        message = client.receive()
        check(body, message["id"] is None and message["error"]["code"] == -32700, message)
    for body, ident in ((b"[]", None), (b"3", None), (b"{}", None), (b'{"id":4,"method":5}', 4), (b'{"id":"a","method":null}', "a")):
        client.send_body(body)
        message = client.receive()
        check(body, message["id"] == ident and message["error"]["code"] == -32600, message)
    client.send_body(b'{"id":9007199254740993,"method":"load_vrm","params":[1]}')
    message = client.receive()
    check("params", message["id"] == 9007199254740993 and message["error"]["code"] == -32602, message)
    client.send_body(b'{"jsonrpc":"2.0","id":1,"method":"load_vrm"}')
    check("no params", client.receive()["error"]["code"] == -32602, "no error")
    for header in (b"Content-Type: x\r\n\r\n", b"Content-Length: -1\r\n\r\n", b"Content-Length: many\r\n\r\n", b"garbage\r\n\r\n",
                   b"Content-Length:\r\n\r\n", b": 3\r\n\r\n", b"x" * 100000 + b"\n\n", b"Content-Length: 1e3\n\n"):
        client.send(header)
        message = client.receive()
        check(header[:40], message["id"] is None and message["error"]["code"] == -32700, message)
    # Other headers, upper case and empty lines are accepted. So are two messages at once, and a message sent byte by
    # byte.
    body = b'{"id":2,"method":"fly"}'
    client.send(b"\r\nX-Y: z\ncontent-LENGTH:   %d  \n\n%s" % (len(body), body) * 2)
    check("two at once", [client.receive()["error"]["code"] for _ in range(2)] == [-32601] * 2, "not answered")
    for byte in b"Content-Length: %d\r\n\r\n%s" % (len(body), body):
        client.send(bytes([byte]))
    check("byte by byte", client.receive()["error"]["code"] == -32601, "not answered")
    check("end", client.end() == 0, "not 0")
    for rest in (b"", b"Content-Length: 10\r\n", b"Content-Length: 10\r\n\r\n123", b"Content-Length: 99999999999999\r\n\r\nabc"):
        client = Client()
        client.send(rest)
        client.process.stdin.close()
        said = client.process.stdout.read()
        check(rest, client.process.wait(timeout=10) == 0, "not 0")
        check(rest, (b"-32700" in said) == (rest != b""), said)
    client = Client("--max-memory=64K")
    check("memory", client.code("load_vrm", path="sample.vrm") == -32603, "another error")
    check("memory", client.code("fly") == -32601 and client.end() == 0, "it does not go on")


def test_batch():
    head = {"manifest_version": 1, "output_dir": "batch", "renderer_name": "libvrm", "renderer_version": None}
    one = {"test_id": "one", "vrm_path": str(pathlib.Path("sample.vrm").resolve()), "spec_section": "x",
           "camera": {"position": [0, 1, 4], "target": [0, 1, 0], "up": [0, 1, 0], "fov_degrees": 30},
           "lighting": {"directional": {"dir": [0, 0, -1], "color": [1, 1, 1], "intensity": 1},
                        "ambient": {"color": [0.5, 0.5, 0.5], "intensity": 0.3}},
           "post_processing": {"tone_mapping": "none", "exposure": 1},
           "output": {"width": 64, "height": 48, "color_space": "srgb", "msaa": 4}}
    moved = {**one, "test_id": "moved", "physics": {"settle_steps": 2}, "animation": {
        "root_transform": {"translation_start": [0, 0, 0], "translation_end": [0.5, 0, 0], "duration_seconds": 0.1, "fps": 60}}}
    posed = {**one, "test_id": "posed", "animation": {"vrma": {"path": str(pathlib.Path("clip.vrma").resolve()), "apply_at_time": 2}}}
    tests = [one, moved, posed, {**one, "test_id": "lost", "vrm_path": "/nothing.vrm"}, {**one, "test_id": "blind", "camera": None},
             {**one, "test_id": "../out"}, {"test_id": "bare"}]
    pathlib.Path("manifest.json").write_text(json.dumps({**head, "tests": tests}))
    result = vrm("rpc", "-q", "manifest.json", "results.ndjson")
    check("batch", result.returncode == 0 and result.stdout == b"", result)
    meta, *lines = [json.loads(line) for line in pathlib.Path("results.ndjson").read_text().splitlines()]
    check("batch", meta["_meta"] is True and meta["total_tests"] == 7 and meta["renderer_name"] == "libvrm", meta)
    check("batch", [line["test_id"] for line in lines] == [test["test_id"] for test in tests], lines)
    check("batch", [line["status"] for line in lines] == ["ok"] * 3 + ["error"] * 4, lines)
    check("batch", [line["error"]["code"] for line in lines[3:]] == [-32001, -32602, -32602, -32602], lines)
    pictures = []
    for line in lines[:3]:
        check("batch", line["output_path"] == "batch/%s_libvrm.png" % line["test_id"], line)
        pictures.append(pathlib.Path(line["output_path"]).read_bytes())
    check("batch", len(set(pictures)) == 3, "pictures that do not differ")
    for wrong in ("{", "[]", json.dumps({**head, "manifest_version": 2, "tests": []}), json.dumps(head)):
        pathlib.Path("manifest.json").write_text(wrong)
        check(wrong, vrm("rpc", "manifest.json", "results.ndjson").returncode == 2, "not refused")


def test_describe(client):
    described = json.loads(vrm("rpc", "describe", "--format", "json").stdout)
    names = [operation["name"] for operation in described["operations"]]
    check("describe", len(names) == 22 and len(set(names)) == 22, names)
    for operation in described["operations"]:
        # An operation called without a required parameter names the parameter in its error.
        error = client.call(operation["name"])["error"]
        first = [p["name"] for p in operation["params"] if p["required"]]
        check(operation["name"], error["code"] == (-32602 if operation["implemented"] else -32000), error)
        check(operation["name"], not first or first[0] in error["message"], error)
    check("describe", b"render_sequence" in vrm("rpc", "describe").stdout, "no text")
    check("usage", vrm("rpc", "nothing").returncode == 2, "not refused")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        client = Client()
        for test in (test_animation, test_springs, test_old, test_pictures, test_sequence, test_benchmark, test_errors,
                     test_describe):
            test(client)
        check("end", client.end() == 0, "not 0 at the end of the input")
        test_messages()
        test_batch()
        # The suite's three-vrm adapter advances by 1/60 s in each render; vrm rpc does so only on request.
        for arguments, steps in (([], 0), (["--step-on-render"], 1)):
            stepping = Client(*arguments)
            new_model(pathlib.Path("avatar.vrm"), [0.03, -0.04, 0.0], False)
            session = stepping.ask("load_vrm", path="avatar.vrm")["session_id"]
            ours, wanted = Springs([0.03, -0.04, 0.0], False), [add([0, 1.0, 0], [0.03, -0.04, 0.0], i + 1) for i in range(4)]
            for _ in range(steps):
                wanted = ours.step(1 / 60)
            stepping.ask("render", session_id=session, output_path="x.png", **PICTURE)
            apart("step on render %d" % steps, positions(stepping, session)[0]["joint_positions"], wanted)
            check("end", stepping.end() == 0, "not 0")
    print("%d failed checks" % len(failures))
    sys.exit(1 if failures else 0)


main()
