# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""What strangers' files did to the command once: links out of their folder."""

import base64
import json
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "fixtures"))
from command_fixture import VRM, check, failures, vrm  # noqa: E402


def write_model(folder, buffer_uri, image_uri):
    """A .gltf whose buffer and image lie in files."""
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
    """Issue: symbolic links beside a .gltf were followed out of the folder."""
    picture = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
    os.makedirs("links/inner/deep")
    os.makedirs("links/inner-secret")
    for folder in ("links/inner/deep", "links/inner-secret"):
        pathlib.Path(folder, "data.bin").write_bytes(bytes(12))
        pathlib.Path(folder, "picture.png").write_bytes(picture)
    os.symlink("deep", "links/inner/folder")  # stays within
    os.symlink("deep/data.bin", "links/inner/near.bin")
    os.symlink("../inner-secret/data.bin", "links/inner/far.bin")  # the folder's name begins as ours does
    os.symlink(str(pathlib.Path("links/inner-secret/picture.png").resolve()), "links/inner/far.png")
    os.symlink("..", "links/inner/up")
    os.symlink("inner", "links/alias")  # the document's folder by another name
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
