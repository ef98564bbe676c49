# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Tests the framing of `vrm render` and `vrm thumbnail`: cameras move around the drawn objects, empty pictures are
reported, a first-person view shows the ground, and without a target the figure looks straight ahead."""

import copy
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "fixtures"))
from glb_files import make_glb, split_glb  # noqa: E402
from png_files import read_png, rectangle_of  # noqa: E402

VRM = pathlib.Path(os.environ.get("VRM_COMMAND", "build/release/bin/vrm")).resolve()
SHARED = pathlib.Path(os.environ.get("VRM_SHARED", "../shared")).resolve()
if not (VRM.parent / "vrm-render").exists():
    print("skipped: no vrm-render in this build")
    sys.exit(77)
# Mesa's driver leaks a little with each context. It is unloaded before the leak check, so its leaks cannot be named.
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
BACKGROUND = (255, 0, 255)
failures = []


def check(good, what):
    if not good:
        failures.append(what)
        print("FAILED " + what)


def run(*arguments, code=0):
    done = subprocess.run([str(VRM), *map(str, arguments)], env=ENVIRONMENT, capture_output=True, text=True, timeout=120)
    check(done.returncode == code, "%d instead of %d: %s: %s" % (done.returncode, code, arguments, done.stderr[-300:]))
    return done.stderr


def picture(name, *arguments, size="64"):
    run("render", name, "-o", "picture.png", "-s", size, "--samples", "1", "-b", "#ff00ff", *arguments)
    return pathlib.Path("picture.png").read_bytes()


def check_whole(data, what):
    """Checks that the whole figure is in the middle of the picture, as large as possible with a margin of a tenth."""
    place = rectangle_of(data, lambda pixel: pixel[:3] != BACKGROUND)
    check(place is not None, what + " is not there")
    if place is not None:
        left, right, top, bottom = place
        check(left > 0.01 and right < 0.99 and top > 0.01 and bottom < 0.99, "%s is cut off: %s" % (what, place))
        check(0.8 < max(right - left, bottom - top) < 0.96, "%s is not as large as it could be: %s" % (what, place))
        check(abs(left + right - 1) < 0.08 and abs(top + bottom - 1) < 0.08, "%s is not in the middle: %s" % (what, place))


# --- files ------------------------------------------------------------------------------------------------------------

SQUARE = [(-1, -1, 0), (1, -1, 0), (-1, 1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]


def square_file(name, nodes, materials=None, morph=None, extensions=None):
    """Writes a file of nodes that each show a square of 2 m. `nodes` are their transforms; each node has its own
    mesh and material."""
    data = b"".join(struct.pack("<3f", *p) for p in SQUARE)
    if morph is not None:
        data += struct.pack("<3f", *morph) * 6
    primitive = {"attributes": {"POSITION": 0}}
    if morph is not None:
        primitive["targets"] = [{"POSITION": 1}]
    meshes = [{"primitives": [{**copy.deepcopy(primitive), "material": i}]} for i in range(len(nodes))]
    if morph is not None:
        for mesh in meshes:
            mesh["weights"] = [1]
    accessor = {"componentType": 5126, "count": 6, "type": "VEC3"}
    box = {"min": [-1, -1, 0], "max": [1, 1, 0]}
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": list(range(len(nodes)))}],
        "nodes": [{"mesh": i, **node} for i, node in enumerate(nodes)], "meshes": meshes,
        "materials": materials or [{"doubleSided": True}] * len(nodes), "buffers": [{"byteLength": len(data)}],
        "accessors": [{"bufferView": 0, **accessor, **box}],
        "bufferViews": [{"buffer": 0, "byteLength": 72}]}
    if morph is not None:
        document["accessors"].append({"bufferView": 1, **accessor, "min": morph, "max": morph})
        document["bufferViews"].append({"buffer": 0, "byteOffset": 72, "byteLength": 72})
    if extensions:
        document["extensions"], document["extensionsUsed"] = extensions, list(extensions)
    pathlib.Path(name).write_bytes(make_glb(document, data))


def clear(alpha):
    return {"pbrMetallicRoughness": {"baseColorFactor": [1, 1, 1, alpha]}, "alphaMode": "BLEND"}


def what_is_drawn_is_framed_whole():
    square_file("aside.glb", [{"translation": [40, 7, -3], "scale": [0.1, 0.1, 1]}, {"translation": [41, 7.5, 2], "scale": [0.1, 0.1, 1]}])
    square_file("morph.glb", [{}], morph=[9, 5, 0])
    square_file("large.glb", [{"scale": [3000, 400, 1]}])
    # Two squares are not drawn: one is fully transparent and 40 m wide, the other is seen from behind.
    square_file("clear.glb", [{}, {"scale": [20, 20, 1]}, {"translation": [9, 0, 0], "rotation": [0, 1, 0, 0]}], [{}, clear(0), {}])
    for name in ("aside.glb", "morph.glb", "large.glb", "clear.glb"):
        for camera in ("body", "bust", "face"):
            check_whole(picture(name, "-c", camera), "%s, %s" % (name, camera))
        run("thumbnail", name, "-o", "thumbnail.png", "-s", "64", "-b", "#ff00ff", "-f")
        check_whole(pathlib.Path("thumbnail.png").read_bytes(), name + ", thumbnail")
    check_whole(picture("aside.glb", "-c", "body:50"), "aside.glb from the left")


def every_shape_of_the_sample_is_framed():
    for pose in ("relaxed", "t", "wave"):
        for size in ("40x80", "96x48"):
            place = rectangle_of(picture("sample.vrm", "--pose", pose, size=size), lambda pixel: pixel[:3] != BACKGROUND)
            check(min(place[0], place[2]) > 0.01 and max(place[1], place[3]) < 0.99, "%s, %s: %s" % (pose, size, place))
    # The camera keeps its position for a sequence of pictures, wherever the figure moves.
    run("simulate", "sample.vrm", "-o", "walk.glb", "--motion", "walk", "--duration", "1")
    run("render", "sample.vrm", "-o", "row", "-s", "40x80", "--motion", "walk.glb", "--frames", "4", "--fps", "4", "-b", "#ff00ff")
    places = [rectangle_of(f.read_bytes(), lambda pixel: pixel[:3] != BACKGROUND) for f in sorted(pathlib.Path("row").iterdir())]
    check(all(min(p[0], p[2]) > 0.01 and max(p[1], p[3]) < 0.99 for p in places), "a row: %s" % places)
    # Measures the height of the head in a face and in a bust of the same file. Hair extends beyond the head.
    document, binary = split_glb(pathlib.Path("sample.vrm").read_bytes())
    head = document["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"]["head"]["node"]
    check("rotation" not in document["nodes"][head], "the head's axes are the model's")
    document["nodes"][head]["scale"] = [2, 2, 2]
    pathlib.Path("big.vrm").write_bytes(make_glb(document, binary))
    faces = [read_png(picture(name, "-c", "face"))[2] for name in ("sample.vrm", "big.vrm")]
    same = sum(a == b for left, right in zip(*faces) for a, b in zip(left, right)) / 4096
    check(same > 0.4, "a head of twice the size fills a face just as well: %.2f" % same)


def files_of_others_are_framed_whole():
    folder = SHARED / "models"
    if not folder.exists():
        print("skipped: %s is not there" % folder)
        return
    for name in ("mtoon1_2_20_61_vrm1", "multi_uv_vrm1", "look_at_preview_enabled", "image_node_traverse"):
        for camera in ("body", "face"):
            check_whole(picture(folder / "blender" / (name + ".vrm"), "-c", camera), "%s, %s" % (name, camera))


# --- empty pictures ---------------------------------------------------------------------------------------------------


def empty_pictures_are_named():
    square_file("clear.glb", [{}], [clear(0)])
    square_file("behind.glb", [{"rotation": [0, 1, 0, 0]}], [{}])
    document, binary = split_glb(pathlib.Path("behind.glb").read_bytes())
    del document["nodes"][0]["mesh"]
    pathlib.Path("nothing.glb").write_bytes(make_glb(document, binary))
    document, binary = split_glb(pathlib.Path("sample.vrm").read_bytes())
    document["extensions"]["VRMC_vrm"]["firstPerson"]["meshAnnotations"] = [
        {"node": i, "type": "firstPersonOnly"} for i, node in enumerate(document["nodes"]) if "mesh" in node]
    pathlib.Path("own.vrm").write_bytes(make_glb(document, binary))
    for name, cause in [("clear.glb", "fully transparent"), ("behind.glb", "double-sided"), ("nothing.glb", "no mesh"),
                        ("own.vrm", "firstPersonOnly")]:
        for ground in ([], ["--ground"]):
            run("render", name, "-o", "empty.png", "-f", "-s", "32", "--strict", *ground, code=1)
            said = run("render", name, "-o", "empty.png", "-f", "-s", "32", *ground)
            check("the picture is empty: " in said and cause in said and name in said, "%s: %s" % (name, said))
        said = run("thumbnail", name, "-o", "empty.png", "-f", "-s", "32", "--strict", code=1)
        check("the picture is empty: " in said and cause in said, "thumbnail of %s: %s" % (name, said))
        run("thumbnail", name, "-o", "empty.png", "-f", "-s", "32")
    said = run("render", "sample.vrm", "-o", "away.png", "-s", "32", "--strict", "-c", "0,1,3:0,1,9", code=1)
    check("the camera sees no mesh" in said, "away: " + said)
    said = run("render", "sample.vrm", "-o", "some", "-s", "32", "--strict", "-c", "0,1,3:0,1,9", "-c", "body", code=1)
    check("1 of 2 pictures are empty, the first of them number 1" in said, "some: " + said)
    check("empty" not in run("render", "sample.vrm", "-o", "there.png", "-s", "32", "--strict"), "a picture that is not empty")


def the_wearer_sees_the_ground():
    rows = read_png(picture("sample.vrm", "-c", "first-person"))[2]
    near, far = ([p for row in rows[a:b] for p in row if p != BACKGROUND] for a, b in ((48, 64), (0, 16)))
    check(len(near) > 50, "lines before the feet: %d pixels" % len(near))
    check(not far, "lines in the sky: %d pixels" % len(far))
    run("render", "sample.vrm", "-o", "clear.png", "-s", "64", "-c", "first-person", "-b", "transparent")
    rows = read_png(pathlib.Path("clear.png").read_bytes())[2]
    check(all(p[3] == 0 for row in rows for p in row), "no ground without a background")


# --- gaze -------------------------------------------------------------------------------------------------------------


def older_file(name, curve):
    """Writes the sample as VRM 0.x whose eyes follow a curve."""
    document, binary = split_glb(pathlib.Path("sample.vrm").read_bytes())
    humanoid = document["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"]
    bones = [{"bone": bone, "node": entry["node"]} for bone, entry in humanoid.items() if "Thumb" not in bone]
    way = {"curve": curve, "xRange": 90, "yRange": 30}
    older = {"humanoid": {"humanBones": bones},
             "firstPerson": {"firstPersonBone": humanoid["head"]["node"], "lookAtTypeName": "Bone", "lookAtHorizontalInner": way,
                             "lookAtHorizontalOuter": way, "lookAtVerticalDown": way, "lookAtVerticalUp": way}}
    document["extensions"] = {"VRM": older}
    document["extensionsUsed"] = ["VRM"]
    for node in document["nodes"]:
        node.pop("extensions", None)
    for material in document["materials"]:
        material.pop("extensions", None)
    pathlib.Path(name).write_bytes(make_glb(document, binary))


def nobody_looks_aside_without_a_target():
    older_file("straight.vrm", [0, 0, 0, 1, 1, 1, 1, 0])
    older_file("high.vrm", [0, 1, 0, 0, 1, 1, 0, 0])  # the curve gives 30 degrees for any angle
    eyes = ["--settle", "0", "-c", "face:180"]  # in 0.x files the avatar faces the other way
    rest = [picture(name, *eyes) for name in ("straight.vrm", "high.vrm")]
    check(rest[0] == rest[1], "eyes at rest do not ask the curve")
    looks = [picture(name, *eyes, "--look-at", "0,1.3,-5") for name in ("straight.vrm", "high.vrm")]
    check(looks[0] != looks[1], "eyes that look straight on do")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    run("sample", "--minimal", "-o", "sample.vrm")
    for case in (what_is_drawn_is_framed_whole, every_shape_of_the_sample_is_framed, files_of_others_are_framed_whole,
                 empty_pictures_are_named, the_wearer_sees_the_ground, nobody_looks_aside_without_a_target):
        case()
print("%d failures" % len(failures))
sys.exit(1 if failures else 0)
