# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Tests the commands `vrm render` and `vrm thumbnail`: the same bytes in each run, several pictures in one run,
motion from files, videos, and input that is damaged or made to break a renderer."""

import base64
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "fixtures"))
from glb_files import make_glb, split_glb  # noqa: E402
from png_files import chunks_of, read_png  # noqa: E402

VRM = pathlib.Path(os.environ.get("VRM_COMMAND", "build/release/bin/vrm")).resolve()
SHARED = pathlib.Path(os.environ.get("VRM_SHARED", "../shared")).resolve()
if not (VRM.parent / "vrm-render").exists():
    print("skipped: no vrm-render in this build")
    sys.exit(77)
# Mesa's driver leaks a little with each context. It is unloaded before the leak check, so its leaks cannot be named.
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
failures = []


def check(good, what):
    if not good:
        failures.append(what)
        print("FAILED " + what)


def run(*arguments, code=0, says="", environment=ENVIRONMENT):
    done = subprocess.run([str(VRM), *map(str, arguments)], env=environment, capture_output=True, text=True, timeout=120)
    what = " ".join(map(str, arguments)) + ": " + done.stderr.strip()[-400:]
    check(done.returncode == code, "%d instead of %d: %s" % (done.returncode, code, what))
    check(says in done.stderr, "should say '%s': %s" % (says, what))
    return done


def picture(*arguments):
    run("render", *arguments, "-o", "picture.png")
    return pathlib.Path("picture.png").read_bytes()


def size_of(png):
    return struct.unpack(">II", png[16:24])


def same_bytes_and_one_run():
    small = ["sample.vrm", "-s", "60x80", "--samples", "1"]
    happy = picture(*small, "-c", "face", "--expression", "happy=0.7", "--ground")
    check(happy == picture(*small, "-c", "face", "--expression", "happy=0.7", "--ground"), "two runs differ")
    run("render", *small, "-o", "several", "-c", "body", "-c", "face", "--expression", "blink", "--expression", "happy=0.7", "--ground")
    files = sorted(pathlib.Path("several").iterdir())
    check([f.name for f in files] == ["0001.png", "0002.png", "0003.png", "0004.png"], "names: %s" % files)
    check(files[3].read_bytes() == happy, "the face of several differs from the face alone")
    run("render", *small, "-o", "strip.png", "--motion", "walk", "--frames", "5", "--strip")
    check(size_of(pathlib.Path("strip.png").read_bytes()) == (300, 80), "size of the strip")
    run("thumbnail", "sample.vrm", "-o", "thumbnail.png", "--embed", "embedded.vrm", "-s", "64")
    run("thumbnail", "embedded.vrm", "-o", "taken.png", "--embedded")
    check(pathlib.Path("taken.png").read_bytes() == pathlib.Path("thumbnail.png").read_bytes(), "the embedded thumbnail")
    # The content decides, not the name: a web page is not an image.
    model, png = pathlib.Path("embedded.vrm").read_bytes(), pathlib.Path("taken.png").read_bytes()
    pathlib.Path("page.vrm").write_bytes(model.replace(png, b"<html></html>".ljust(len(png))))
    run("thumbnail", "page.vrm", "-o", "page.png", "--embedded", code=1, says="expected PNG or JPEG")
    check(not pathlib.Path("page.png").exists(), "a page was copied as a thumbnail")
    pathlib.Path("cut.vrm").write_bytes(model.replace(png, png[:len(png) // 2].ljust(len(png), b"\0")))
    run("thumbnail", "cut.vrm", "-o", "cut.png", "--embedded", says="cannot be shown")


def the_ground_and_the_shadow_are_asked_for():
    small = ["sample.vrm", "-s", "60x80", "--samples", "1"]
    pictures = {picture(*small, *more) for more in ([], ["--ground"], ["--shadow"], ["--ground", "--shadow"],
                                                    ["--shadow", "--light", "30,60,0.9"])}
    check(len(pictures) == 5, "%d different pictures of 5" % len(pictures))
    check(picture(*small, "--shadow", "--light", "30,-60,0.9") == picture(*small, "--light", "30,-60,0.9"), "light from below")


def cells_of(name, width, height):
    """Returns the pictures of a sheet, row by row, each as a list of rows."""
    wide, high, rows = read_png(pathlib.Path(name).read_bytes())
    check(wide % width == 0 and high % height == 0, "%s: %d x %d" % (name, wide, high))
    return [[row[x:x + width] for row in rows[y:y + height]] for y in range(0, high, height) for x in range(0, wide, width)]


def sheets_have_their_pictures_in_order():
    small = ["sample.vrm", "-s", "40x50", "--samples", "1", "--settle", "0"]
    alone = lambda *arguments: read_png(picture(*small, *arguments))[2]  # noqa: E731
    said = run("render", *small, "-o", "faces.png", "--sheet", "expressions").stderr
    names = [name.strip() for name in said.split("at rest, ")[1].split(",")]
    document, _ = split_glb(pathlib.Path("sample.vrm").read_bytes())
    told = document["extensions"]["VRMC_vrm"]["expressions"]
    check(set(names) == set(told["preset"]) | set(told.get("custom", {})), "names: %s" % names)
    cells = cells_of("faces.png", 40, 50)
    columns = int(said.split(" in a row")[0].split()[-1])
    check(len(cells) % columns == 0 and 0 <= len(cells) - len(names) - 1 < columns, "%d cells, %d in a row" % (len(cells), columns))
    check(all(pixel == cells[0][0][0] for cell in cells[len(names) + 1:] for row in cell for pixel in row), "the rest is background")
    # All cells have the same camera, so only the face differs.
    for i, name in enumerate(names):
        if name in ("happy", "blink", "aa"):
            differ = [(x, y) for y in range(50) for x in range(40) if cells[i + 1][y][x] != cells[0][y][x]]
            check(3 < len(differ) < 600, "%s differs from rest in %d pixels" % (name, len(differ)))
    run("render", *small, "-o", "sides.png", "--sheet", "turntable")
    sides = cells_of("sides.png", 40, 50)
    check(len(sides) == 12, "%d sides" % len(sides))
    # A turn by 180 degrees mirrors the silhouette, except for perspective. Sides that are 90 degrees apart do not look
    # alike.
    shapes = [[[pixel != sides[0][0][0] for pixel in row] for row in side] for side in sides]
    alike = lambda a, b: sum(p == q for x, y in zip(a, b) for p, q in zip(x, y)) / 2000  # noqa: E731
    mirrored = [list(reversed(row)) for row in shapes[6]]
    check(alike(shapes[0], mirrored) > 0.93, "the back is the front's mirror image: %.3f" % alike(shapes[0], mirrored))
    check(alike(shapes[0], shapes[3]) < 0.93, "the left side is not the front: %.3f" % alike(shapes[0], shapes[3]))
    tops = {next(y for y, row in enumerate(shape) if any(row)) for shape in shapes}
    check(max(tops) - min(tops) <= 1, "all sides have one scale: tops at %s" % sorted(tops))
    check(alone("-c", "body:90") != alone("-c", "body:270"), "cameras tell left from right")
    run("simulate", "sample.vrm", "-o", "turn.glb", "-f", "--motion", "walk", "--duration", "1")
    run("render", *small, "-o", "moments.png", "--sheet", "motion", "--motion", "turn.glb", "--frames", "4")
    run("render", *small, "-o", "moments-4.png", "--strip", "--motion", "turn.glb", "--frames", "4", "--fps", "4")
    check(cells_of("moments.png", 40, 50)[:4] == cells_of("moments-4.png", 40, 50), "moments are a motion's length apart")
    check(len(cells_of("moments.png", 40, 50)) == 4, "four moments")
    for wrong, says in [(["--sheet", "motion"], "--motion"), (["--sheet", "turntable", "-c", "first-person"], "the camera of a turntable"),
                        (["--sheet", "expressions", "--expression", "happy"], "every expression"), (["--sheet", "turntable", "--strip"], "use only one"),
                        (["--sheet", "turntable", "-c", "face", "-c", "body"], "one --camera")]:
        run("render", *small, "-o", "x.png", *wrong, code=2, says=says)
    run("render", *small, "-o", "x.gif", "--sheet", "turntable", code=2, says="a sheet is a PNG file")


def the_wearer_looks_down_at_the_body():
    small = ["sample.vrm", "-s", "60x80", "--samples", "1", "--pose", "t"]
    ahead = picture(*small, "-c", "first-person")
    check(ahead == picture(*small, "-c", "first-person:0,0"), "straight on is the default")
    check(ahead == picture(*small, "-c", "first-person:360"), "a whole turn")
    clear = [*small, "-b", "transparent"]  # without the ground
    ahead, down = picture(*clear, "-c", "first-person"), picture(*clear, "-c", "first-person:0,70")
    check(len(down) > 2 * len(ahead), "looking down, one sees the body: %d, %d bytes" % (len(down), len(ahead)))
    run("render", *small, "-o", "x.png", "-c", "first-person:0,0,1", code=2, says="--camera first-person:0,0,1")


def thumbnails_in_older_files():
    older = SHARED / "models/avatars/Godette_vrm_v4.vrm"
    if not older.exists():
        print("skipped: %s is not there" % older)
        return
    run("thumbnail", older, "-o", "older.png", "--embed", "older.vrm", "-s", "64")
    run("thumbnail", "older.vrm", "-o", "taken.png", "--embedded")
    check(pathlib.Path("taken.png").read_bytes() == pathlib.Path("older.png").read_bytes(), "a thumbnail of VRM 0.x")


def motion_from_files():
    small = ["sample.vrm", "-s", "60x80", "--samples", "1", "--settle", "0"]
    run("simulate", "sample.vrm", "-o", "walk.glb", "--motion", "walk", "--duration", "1")
    pose, begin = picture(*small, "--pose", "walk.glb"), picture(*small, "--motion", "walk.glb")
    check(pose == begin, "a pose is how its file begins")
    check(pose != picture(*small, "--pose", "t"), "a pose from a file is seen")
    check(begin != picture(*small, "--motion", "walk.glb", "--time", "0.3"), "a motion from a file goes on")
    # A model's own motion is shown as the file has it, with the hair that was simulated on the ground. Earlier pictures
    # have no effect, and springs on the moving bones would give other hair.
    run("simulate", "sample.vrm", "-o", "fall.glb", "--motion", "idle", "--duration", "2", "--ragdoll", "--explode", "1,0.1,0.2,0.5,160,3")
    fall = ["fall.glb", *small[1:], "-c", "0,0.8,3:0,0.6,0"]
    own = picture(*fall, "--motion", "own", "--time", "1.5")
    check(own == picture(*fall, "--motion", "own", "--time", "1.5", "--fps", "2"), "nothing is simulated besides")
    check(own != picture(*fall, "--motion", "fall.glb", "--time", "1.5"), "hair as it stands in the file")
    check(own != picture(*fall, "--motion", "own"), "a model's own motion goes on")
    run("render", *small, "-o", "x.png", "--motion", "own", code=1, says="--motion own: the model's file has no animation")
    pathlib.Path("path.txt").write_text("0 0 1.4 2\n1 2 1.4 0\n")
    ahead = picture(*small, "-c", "face", "--look-at", "path.txt", "--look-chain", "eyes-head")
    aside = picture(*small, "-c", "face", "--look-at", "path.txt", "--look-chain", "eyes-head", "--time", "1")
    check(ahead != aside, "the gaze follows its path")
    # The ball is half a metre to the right of the camera's axis, two metres away. With a field of view of 90 degrees,
    # its centre is a quarter of the picture's height to the right of the picture's centre.
    pathlib.Path("view.json").write_text(str([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1.2, -2, 1]))
    pathlib.Path("projection.json").write_text(str([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -0.2, 0]))
    straight = ["sample.vrm", "-s", "480x480", "--view-matrix", "view.json", "--projection", "projection.json", "--background", "#ffffff"]
    ball = read_png(picture(*straight, "--look-at", "0.5,1.2,0", "--debug", "gaze"))[2]
    none = read_png(picture(*straight, "--debug", "gaze"))[2]
    check(none[240][300] == (255, 255, 255) and ball[240][300][0] > 150 > 120 > ball[240][300][2], f"a ball at the target: {ball[240][300]}")
    check(ball[240][312] == ball[228][300] == (255, 255, 255), "no larger than it is")
    run("render", *small, "-o", "x.png", "--pose", "sit", code=2, says="expected relaxed, t, a, wave or a file")
    run("render", *small, "-o", "x.png", "--motion", "fly", code=2, says="expected none, idle, sway, walk, run, wave, bow, sit-down, stand-up, walk-ahead")
    run("render", *small, "-o", "x.png", "--motion", "nothing.vrma", code=3, says="nothing.vrma")
    run("render", *small, "-o", "x.png", "--look-at", "1,2", code=2, says="--look-at 1,2")
    run("render", *small, "-o", "x.png", "--look-around-up", "0,2", code=2, says="--look-around-up")


def videos():
    small = ["sample.vrm", "-s", "61x81", "--motion", "walk", "--frames", "6", "--fps", "12"]
    nowhere = {**ENVIRONMENT, "PATH": "/nonexistent"}
    run("render", *small, "-o", "none.mp4", code=5, says="Debian: ffmpeg", environment=nowhere)
    run("render", *small, "-o", "none.mp4", "-c", "face", "-c", "body", code=2, says="one camera")
    if shutil.which("ffmpeg") is None:
        print("ffmpeg is not installed: no videos")
        return

    def decode(name, filters):
        return subprocess.run(["ffmpeg", "-loglevel", "error", "-i", name, *filters, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
                              capture_output=True, check=True).stdout

    run("render", *small, "-o", "frames")
    for name, size in [("walk.mp4", (62, 82)), ("walk.gif", (61, 81))]:
        run("render", *small, "-o", name)
        raw, one = decode(name, []), size[0] * size[1] * 3
        check(len(raw) == 6 * one, "%s: %d bytes instead of 6 pictures" % (name, len(raw)))
        last = decode("frames/0006.png", ["-vf", "pad=%d:%d" % size])
        mean = sum(abs(a - b) for a, b in zip(raw[-one:], last)) / one
        check(mean < 6, "%s: its last picture is %.1f levels away from the one alone" % (name, mean))
    # Animated pictures repeat forever.
    run("render", *small, "-o", "walk.apng")
    chunks = chunks_of(pathlib.Path("walk.apng").read_bytes())
    check([c[1] for c in chunks if c[0] == b"acTL"] == [struct.pack(">II", 6, 0)], "6 pictures, again and again")
    raw, one = decode("walk.apng", []), 61 * 81 * 3
    check(raw[-one:] == decode("frames/0006.png", []), "the last of an animated PNG is the picture alone")
    run("render", *small, "-o", "walk.webp")
    webp = pathlib.Path("walk.webp").read_bytes()
    check(webp[8:16] == b"WEBPVP8X" and webp.count(b"ANMF") == 6, "6 pictures in a WebP")
    check(webp[24:30] == bytes([60, 0, 0, 80, 0, 0]) and webp[webp.index(b"ANIM") + 12:][:2] == b"\0\0", "its size, and for ever")
    run("render", *small, "-o", "nowhere/walk.mp4", code=4, says="nowhere/walk.mp4")
    check(not list(pathlib.Path(".").rglob("*.part")), "parts are left behind")


# --- damaged and hostile files ----------------------------------------------------------------------------------------


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(width, height, rows=None):
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = zlib.compress(rows if rows is not None else b"\0" * (height * (1 + 3 * width)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


JPEG = bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffdb004300" + "01" * 64 + "ffc0000b08")


def glb(image=b"", attributes=None, materials=1, primitive=None):
    triangle = struct.pack("<9f", -1, 0, 0, 1, 0, 0, 0, 1, 0)
    image += b"\0" * (-len(image) % 4)
    views = [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": max(len(image), 1)}]
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0} if attributes is None else attributes, "material": 0,
                                    **(primitive or {})}]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}} if image else {}}] * materials,
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [-1, 0, 0], "max": [1, 1, 0]}],
        "bufferViews": views[:2 if image else 1], "buffers": [{"byteLength": 36 + len(image)}]}
    if image:
        document["images"] = [{"bufferView": 1, "mimeType": "image/jpeg" if image[:2] == b"\xff\xd8" else "image/png"}]
        document["textures"] = [{"source": 0}]
    return make_glb(document, triangle + image)


def many(count):
    """Returns a GLB of images that are too large together, though not individually. None of them can be decoded."""
    document, data = split_glb(glb(png(8192, 8192, b"\0" * 50)))
    document["images"] *= count
    document["textures"] = [{"source": i} for i in range(count)]
    document["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": i}}} for i in range(count)]
    return make_glb(document, data)


WHOLE = png(64, 64, bytes(i * i % 251 * (i % 193 != 0) for i in range(64 * 193)))

# name: (file, exit code, words of the message)
HOSTILE = {
    "bomb.glb": (glb(png(60000, 60000, zlib.compress(b"\0" * 1000000))), 6, "exceeds the limit"),
    "many.glb": (many(12), 6, "exceeds the limit"),
    "few.glb": (many(2), 0, "image"),
    "wide.glb": (glb(png(65535, 1)), 6, "exceeds the limit"),
    "cut.glb": (glb(WHOLE[:len(WHOLE) // 2]), 0, "image"),
    "whole.glb": (glb(WHOLE), 0, ""),
    "short.glb": (glb(png(64, 64, b"\0" * 50)), 0, "image"),
    "noise.glb": (glb(b"\x89PNG" + bytes(range(200))), 0, "image"),
    "jpeg.glb": (glb(JPEG), 0, "image"),
    "jpeg_wide.glb": (glb(JPEG + bytes.fromhex("ffffffff01011100ffda0008010100003f00ffd9")), None, "image"),
    "no_positions.glb": (glb(attributes={"NORMAL": 0}), 0, "no mesh"),
    "no_attributes.glb": (glb(attributes={}), None, ""),
    "materials.glb": (glb(materials=10000), 0, ""),
    "mode.glb": (glb(primitive={"mode": 9}), None, ""),
}


def tangents_are_the_files_or_made():
    """If stored tangents differ from MikkTSpace's, the file's tangents are used unless generated ones are requested.
    With generated tangents the picture equals that of the file without tangents."""
    bumps = png(8, 8, b"".join(b"\0" + bytes([200, 128, 200] * 8) for _ in range(8)))  # normals lean along the tangent
    square = struct.pack("<12f", -1, 0, 0, 1, 0, 0, -1, 2, 0, 1, 2, 0) + struct.pack("<12f", *[0, 0, 1] * 4)
    square += struct.pack("<8f", 0, 1, 1, 1, 0, 0, 1, 0) + struct.pack("<16f", *[0, 1, 0, 1] * 4) + struct.pack("<6H", 0, 1, 2, 2, 1, 3)
    views, accessors = [], []
    for offset, size, kind, component, count in ((0, 48, "VEC3", 5126, 4), (48, 48, "VEC3", 5126, 4), (96, 32, "VEC2", 5126, 4),
                                                 (128, 64, "VEC4", 5126, 4), (192, 12, "SCALAR", 5123, 6)):
        views.append({"buffer": 0, "byteOffset": offset, "byteLength": size})
        accessors.append({"bufferView": len(views) - 1, "componentType": component, "type": kind, "count": count})
    accessors[0].update(min=[-1, 0, 0], max=[1, 2, 0])
    views.append({"buffer": 0, "byteOffset": 204, "byteLength": len(bumps)})
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2, "TANGENT": 3}, "indices": 4, "material": 0}]}],
        "materials": [{"normalTexture": {"index": 0}, "pbrMetallicRoughness": {"metallicFactor": 0}}], "textures": [{"source": 0}],
        "images": [{"bufferView": 5, "mimeType": "image/png"}], "accessors": accessors, "bufferViews": views,
        "buffers": [{"byteLength": 204 + len(bumps)}]}
    pathlib.Path("stored.glb").write_bytes(make_glb(document, square + bumps))
    del document["meshes"][0]["primitives"][0]["attributes"]["TANGENT"]
    pathlib.Path("none.glb").write_bytes(make_glb(document, square + bumps))
    small = ["-s", "40", "--samples", "1", "--pose", "t"]
    stored, made = picture("stored.glb", *small), picture("stored.glb", *small, "--tangents", "made")
    check(stored == picture("stored.glb", *small, "--tangents", "file"), "the file's are the default")
    check(stored != made, "stored tangents are taken")
    check(made == picture("none.glb", *small) == picture("none.glb", *small, "--tangents", "made"), "made ones are those of a file without")


def broken_pictures_are_called_what_they_are():
    """A bug once called cut-off data, KTX2, WebP and GIF damaged headers."""
    for data, words in ((WHOLE[:len(WHOLE) // 2], "the PNG is cut off"), (b"\xabKTX 20\xbb\r\n\x1a\n" + bytes(80), "the image is KTX2"),
                        (b"GIF89a\x10\0\x10\0\0\0\0", "the image is GIF"), (b"RIFF\x24\0\0\0WEBPVP8 " + bytes(30), "WebP"),
                        (b"<html><body>", "the image is not PNG")):
        pathlib.Path("broken.glb").write_bytes(glb(data))
        run("render", "broken.glb", "-o", "broken.png", "-s", "32", "--settle", "0", says=words)


WEBP = base64.b64decode("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")  # a pixel


def webp_that_is_read_is_no_warning():
    """The library does not read WebP and reports this. If the renderer reads an image, there is no report. Images
    that the renderer cannot read either are reported."""
    document, data = split_glb(glb(WEBP))
    document["images"][0]["mimeType"] = "image/webp"
    for extension in ("EXT_texture_webp", "KHR_texture_basisu"):
        document["textures"] = [{"extensions": {extension: {"source": 0}}}]
        document["extensionsUsed"] = document["extensionsRequired"] = [extension]
        pathlib.Path("webp.glb").write_bytes(make_glb(document, data))
        said = run("render", "webp.glb", "-s", "32", "-o", "webp.png").stderr
        if "which this build does not decode" in said:
            print("no libwebp: its warning is right")
            return
        check(("EXTENSION_IMAGE_UNREADABLE" in said) == (extension != "EXT_texture_webp"), "%s: %s" % (extension, said))


def hostile_files():
    for name, (data, code, says) in HOSTILE.items():
        pathlib.Path(name).write_bytes(data)
        done = subprocess.run([str(VRM), "render", name, "-s", "32", "-o", "hostile.png"], env=ENVIRONMENT, capture_output=True,
                              text=True, timeout=60)
        what = "%s: %d: %s" % (name, done.returncode, done.stderr.strip()[-500:])
        check(0 <= done.returncode < 64, what)
        check(code is None or done.returncode == code, what)
        check(says in done.stderr and (done.returncode == 0 or name in done.stderr), what)
    run("render", "sample.vrm", "-o", "x.png", "-s", "65536", code=2, says="from 1 to 16384")
    run("render", "sample.vrm", "-o", "x.png", "-s", "0x5", code=2, says="from 1 to 16384")
    run("render", "sample.vrm", "-o", "x.png", "--debug", "bones,hair", code=2, says="--debug bones,hair")
    run("render", "sample.vrm", "-o", "x.png", "-c", "orbit:1", "--light", "1,2", code=2, says="--light 1,2")
    run("render", "sample.vrm", "-o", "x.png", "--view-matrix", "path.txt", code=2, says="given together")
    pathlib.Path("flat.json").write_text(str([1, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1]))
    pathlib.Path("far.json").write_text("[1e300, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]")
    for name in ("flat.json", "far.json"):
        run("render", "sample.vrm", "-o", "x.png", "--view-matrix", name, "--projection", name, code=2, says="no inverse")
    run("render", "sample.vrm", "-o", "x.JPG", code=2, says="PNG")
    run("render", "sample.vrm", "-o", "x.png", "--max-memory", "1M", code=6, says="--max-memory")
    # 4 MB are enough for the document but not for its images.
    run("render", "sample.vrm", "-o", "x.png", "--max-memory", "4M", code=6, says="--max-memory")
    run("thumbnail", "sample.vrm", "-o", "x.webp", code=2, says="PNG")
    run("render", "sample.vrm", "-o", "x.png", "-c", "face", "--view-matrix", "a", "--projection", "b", code=2, says="use only one of them")
    check(not pathlib.Path("x.png").exists(), "an error leaves a picture")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    run("sample", "--minimal", "-o", "sample.vrm")
    for case in (same_bytes_and_one_run, the_ground_and_the_shadow_are_asked_for, sheets_have_their_pictures_in_order, the_wearer_looks_down_at_the_body, thumbnails_in_older_files, motion_from_files, videos, tangents_are_the_files_or_made, broken_pictures_are_called_what_they_are, webp_that_is_read_is_no_warning, hostile_files):
        case()
print("%d failures" % len(failures))
sys.exit(1 if failures else 0)
