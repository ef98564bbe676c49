# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Faults that files of strangers once caused in the command: links that lead out of the folder, and absurd sizes."""

import base64
import json
import os
import pathlib
import struct
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "fixtures"))
from command_fixture import VRM, check, failures, vrm  # noqa: E402
from glb_files import make_glb, split_glb  # noqa: E402


def write_model(folder, buffer_uri, image_uri):
    """Writes a .gltf whose buffer and image are in separate files."""
    pathlib.Path(folder, "model.gltf").write_text(json.dumps({
        "asset": {"version": "2.0"}, "buffers": [{"byteLength": 12, "uri": buffer_uri}],
        "bufferViews": [{"buffer": 0, "byteLength": 12}], "images": [{"uri": image_uri}]}))


def codes(path):
    result = vrm("validate", "--format", "json", str(path))
    report = json.loads(result.stdout)
    return sorted({(finding["code"], finding["pointer"]) for finding in report["issues"]["messages"]}
                  & {(code, pointer) for code in ("URI_LEAVES_FOLDER", "IO_ERROR", "IMAGE_MISSING")
                     for pointer in ("/buffers/0/uri", "/images/0/uri")})


OUTSIDE = [("IMAGE_MISSING", "/images/0/uri"), ("IO_ERROR", "/buffers/0/uri"),
           ("URI_LEAVES_FOLDER", "/buffers/0/uri"), ("URI_LEAVES_FOLDER", "/images/0/uri")]


def test_links_never_leave_the_folder():
    """A bug once followed symbolic links beside a .gltf out of its folder."""
    picture = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
    os.makedirs("links/inner/deep")
    os.makedirs("links/inner-secret")
    for folder in ("links/inner/deep", "links/inner-secret"):
        pathlib.Path(folder, "data.bin").write_bytes(bytes(12))
        pathlib.Path(folder, "picture.png").write_bytes(picture)
    os.symlink("deep", "links/inner/folder")  # stays inside
    os.symlink("deep/data.bin", "links/inner/near.bin")
    # The target's folder has a name that begins with the document's folder's.
    os.symlink("../inner-secret/data.bin", "links/inner/far.bin")
    os.symlink(str(pathlib.Path("links/inner-secret/picture.png").resolve()), "links/inner/far.png")
    os.symlink("..", "links/inner/up")
    os.symlink("inner", "links/alias")  # another name of the document's folder
    model = pathlib.Path("links/inner/model.gltf")

    write_model("links/inner", "near.bin", "folder/picture.png")
    check("links within", codes(model) == [] and codes("links/alias/model.gltf") == [], codes(model))
    here = os.getcwd()
    os.chdir("links/inner")
    check("links within, from there", codes("model.gltf") == [], codes("model.gltf"))
    os.chdir(here)
    for uris in (("far.bin", "far.png"), ("up/inner-secret/data.bin", "up/inner-secret/picture.png")):
        write_model("links/inner", *uris)
        check("links out: %s" % uris[0], codes(model) == OUTSIDE, codes(model))
        result = vrm("bake", str(model), "-o", "links/out.gltf")
        check("links out, bake: %s" % uris[0], result.returncode == 1 and b"URI_LEAVES_FOLDER" in result.stderr,
              "%d %s" % (result.returncode, result.stderr))
    write_model("links/inner", "up/inner/deep/data.bin", "deep/picture.png")
    check("links out and back", codes(model) == [], codes(model))


# --- sizes -----------------------------------------------------------------------------------------------------------


def read_glb(path):
    document, data = split_glb(pathlib.Path(path).read_bytes())
    return document, bytearray(data)


def write_scaled(path, scale):
    document, data = read_glb("avatar.vrm")
    for root in document["scenes"][0]["nodes"]:
        document["nodes"][root]["scale"] = [scale] * 3
    pathlib.Path(path).write_bytes(make_glb(document, bytes(data)))


def write_large_vertices(path, factor):
    document, data = read_glb("avatar.vrm")
    for mesh in document["meshes"]:
        for primitive in mesh["primitives"]:
            accessor = document["accessors"][primitive["attributes"]["POSITION"]]
            view = document["bufferViews"][accessor["bufferView"]]
            first = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
            for i in range(accessor["count"]):
                at = first + i * view.get("byteStride", 12)
                struct.pack_into("<3f", data, at, *(factor * x for x in struct.unpack_from("<3f", data, at)))
            for bound in ("min", "max"):
                del accessor[bound]
    pathlib.Path(path).write_bytes(make_glb(document, bytes(data)))


def test_absurd_sizes_are_refused_by_ragdoll():
    """A bug once ended with code 70, "a fault of the program itself", for these files, or reported a mass of "null
    kg"."""
    vrm("sample", "--minimal", "-o", "avatar.vrm")
    scales = ["500", "1e-6", "1e10", "1e30", "1e-20", "1e-38"]
    for scale in scales:
        write_scaled("scale%s.vrm" % scale, float(scale))
    write_large_vertices("vertices.vrm", 1e6)
    pathlib.Path("fall.json").write_text(json.dumps(
        {"frames": 3, "dt": 0.02, "ragdoll": {}, "events": []}))
    for name in ["scale%s.vrm" % scale for scale in scales] + ["vertices.vrm"]:
        for arguments in (["ragdoll", name], ["ragdoll", "--detail", "all", "--format", "json", name],
                          ["ragdoll", "--mass", "60", name], ["simulate", name, "--ragdoll", "--duration", "0.1", "-o", "out.glb"],
                          ["trace", name, "fall.json", "-o", "out.json"]):
            result = vrm(*arguments)
            beyond = b"VRM1_REST_POSE_OVERFLOW" in result.stderr and "e30" in name  # the file has no avatar at all
            told = name.encode() in result.stderr and (
                beyond or b"RAGDOLL_NOT_OF_SIZE" in result.stderr and b" m tall" in result.stderr)
            possible = arguments[:2] == ["ragdoll", "--mass"] and result.returncode == 0
            check("absurd size", result.returncode == 1 and told or possible,
                  "%s: %d %s" % (arguments, result.returncode, result.stderr))
            check("absurd size", b"null" not in result.stdout, "%s: %s" % (arguments, result.stdout[:200]))
    for scale in ("100", "0.02"):  # within the range that the message states
        write_scaled("possible.vrm", float(scale))
        for detail in ("16", "all"):
            result = vrm("ragdoll", "--detail", detail, "possible.vrm")
            check("possible size", result.returncode == 0, "%s, %s: %s" % (scale, detail, result.stderr))


def numbers_of(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from numbers_of(item)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield value


def test_absurd_sizes_through_every_command():
    """A bug once let validate and inspect accept sizes that no figure has, and --motion reported that these figures
    have no arms."""
    pathlib.Path("plain.json").write_text(json.dumps({"frames": 3, "dt": 0.02, "events": []}))
    scales, factors = ("100", "500", "1e-6", "1e10", "1e37"), ("1e6", "1e30")
    for scale in scales:
        write_scaled("scale%s.vrm" % scale, float(scale))
    for factor in factors:
        write_large_vertices("vertices%s.vrm" % factor, float(factor))
    names = ["scale%s.vrm" % scale for scale in scales] + ["vertices%s.vrm" % factor for factor in factors]
    for name in names:
        told = b"VRM1_REST_POSE_OVERFLOW" if name == "scale1e37.vrm" else b"VRM1_MODEL_SIZE"
        loads = told == b"VRM1_MODEL_SIZE"
        for arguments in (
                ["validate", name], ["validate", "--fix", name, "-o", "out.vrm", "--force"], ["inspect", name],
                ["inspect", "--format", "json", name], ["bake", name, "-o", "out.vrm", "--force"],
                ["bench", "-n", "1", "--format", "json", name], ["cook", name, "-o", "out.vrmc", "--force"],
                ["migrate", name, "-o", "out.vrm", "--force"], ["split", name, "-o", "out.vrm", "--force"],
                ["simulate", name, "--duration", "0.05", "-o", "out.glb", "--force"],
                ["simulate", name, "--motion", "walk", "--duration", "0.05", "-o", "out.glb", "--force"],
                ["trace", name, "plain.json", "-o", "out.json", "--force"]):
            if arguments[0] == "bench" and name not in ("scale500.vrm", "scale1e37.vrm"):
                continue  # bench takes a second for each file
            result = vrm(*arguments)
            case = "%s: %d %s" % (arguments, result.returncode, result.stderr)
            check("absurd size", result.returncode in (0, 1), case)
            check("absurd size", result.returncode == 0 or name.encode() in result.stderr + result.stdout, case)
            if arguments[0] in ("validate", "inspect"):
                said = told in result.stdout + result.stderr
                check("absurd size, " + arguments[0], said == (name != "scale100.vrm"), case)
            if "json" in arguments and result.returncode == 0:
                sizes = [abs(number) for number in numbers_of(json.loads(result.stdout))]
                check("absurd numbers", max(sizes) < 1e31, "%s: %g" % (arguments, max(sizes)))
            if arguments[0] == "trace" and loads:
                sizes = [abs(number) for number in numbers_of(json.loads(pathlib.Path("out.json").read_text()))]
                check("absurd trace", result.returncode == 0 and max(sizes) < 1e31, "%s: %s" % (name, max(sizes)))


def test_baking_absurd_scales_is_read_again():
    """A bug once baked a scale of 1e10 into plane colliders without a direction, which libvrm itself refuses to
    load."""
    vrm("sample", "--minimal", "-o", "avatar.vrm")
    normals = [collider["extensions"]["VRMC_springBone_extended_collider"]["shape"]["plane"].get("normal", [0, 0, 1])
               for collider in read_glb("avatar.vrm")[0]["extensions"]["VRMC_springBone"]["colliders"]
               if "plane" in collider.get("extensions", {}).get("VRMC_springBone_extended_collider", {}).get("shape", {})]
    check("bake", len(normals) > 0, "the sample has no planes")
    for scale in ("1e10", "1e20", "1e30", "1e-10", "1e-20", "1e-30"):
        write_scaled("large.vrm", float(scale))
        result = vrm("bake", "-q", "large.vrm", "-o", "baked.vrm", "--force")
        if result.returncode != 0:
            check("bake", result.returncode == 1 and b"large.vrm" in result.stderr, "%s: %s" % (scale, result.stderr))
            continue
        again = vrm("inspect", "baked.vrm")
        check("bake", again.returncode == 0, "%s: %d %s" % (scale, again.returncode, again.stderr))
        baked = [collider["extensions"]["VRMC_springBone_extended_collider"]["shape"]["plane"].get("normal", [0, 0, 1])
                 for collider in read_glb("baked.vrm")[0]["extensions"]["VRMC_springBone"]["colliders"]
                 if "plane" in collider.get("extensions", {}).get("VRMC_springBone_extended_collider", {}).get("shape", {})]
        off = max(abs(a - b) for old, new in zip(normals, baked) for a, b in zip(old, new))
        check("bake", off < 1e-5, "%s: planes are turned by %g: %s" % (scale, off, baked))


def main():
    with tempfile.TemporaryDirectory(prefix="vrm-strange-") as folder:
        os.chdir(folder)
        for name, test in list(globals().items()):
            if name.startswith("test_"):
                test()
    print("%s: %d failures" % (pathlib.Path(VRM).name, len(failures)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
