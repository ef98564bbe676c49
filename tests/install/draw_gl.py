# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""examples/draw_gl.c compiles without a warning and draws the sample on a display of its own (Xvfb). The figure has
the same outline and colours as with `vrm render`. `draw_gl.py FILE... FOLDER` only draws files, for a person to look
at."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "fixtures"))
from png_files import read_png  # noqa: E402

BUILD = pathlib.Path(os.environ.get("VRM_BUILD_DIR", "build/release")).resolve()
VRM = os.environ.get("VRM_COMMAND", str(BUILD / "bin/vrm"))
CELLS = 48


def packages():
    # The package file names the libraries that the renderer's archive needs, which depend on this build.
    private = next(line for line in (BUILD / "vrm-render.pc").read_text().splitlines() if line.startswith("Requires.private:"))
    found = subprocess.run(["pkg-config", "--cflags", "--libs", "glfw3", *private.split()[1:]], capture_output=True, text=True)
    return found.stdout.split() if found.returncode == 0 else None


def read_ppm(data):
    """Returns (width, height, rows of (r, g, b))."""
    head, size, _, pixels = data.split(b"\n", 3)
    width, height = map(int, size.split())
    assert head == b"P6" and len(pixels) == width * height * 3, (head, size, len(pixels))
    return [[tuple(pixels[3 * (y * width + x):][:3]) for x in range(width)] for y in range(height)]


def outline(covered):
    """Returns the covered fraction of each cell of a grid over the figure's rectangle."""
    rows = [y for y, row in enumerate(covered) if any(row)]
    columns = [x for x in range(len(covered[0])) if any(row[x] for row in covered)]
    top, bottom, left, right = rows[0], rows[-1] + 1, columns[0], columns[-1] + 1
    grid = []
    for cy in range(CELLS):
        for cx in range(CELLS):
            ys = range(top + (bottom - top) * cy // CELLS, max(top + (bottom - top) * (cy + 1) // CELLS, top + 1))
            xs = range(left + (right - left) * cx // CELLS, max(left + (right - left) * (cx + 1) // CELLS, left + 1))
            cells = [covered[y][x] for y in ys for x in xs]
            grid.append(sum(cells) / max(len(cells), 1))
    return grid, (right - left) / (bottom - top)


def draw(folder, program, avatar, picture):
    with open(os.devnull, "wb") as nothing:
        read, write = os.pipe()
        display = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "800x800x24", "-nolisten", "tcp"],
                                   pass_fds=[write], stdout=nothing, stderr=nothing)
        os.close(write)
        with os.fdopen(read) as answer:
            environment = dict(os.environ, DISPLAY=":" + answer.readline().strip(), LP_NUM_THREADS="2")
    try:
        subprocess.run([str(program), str(avatar), str(picture)], cwd=folder, env=environment, check=True)
    finally:
        display.terminate()
        display.wait()


def compare(folder, program):
    subprocess.run([VRM, "sample", "--minimal", "-q", "-o", "avatar.vrm"], cwd=folder, check=True)
    subprocess.run([VRM, "render", "avatar.vrm", "-o", "wanted.png", "--pose", "t", "-s", "480x640", "--settle", "1"], cwd=folder, check=True,
                   capture_output=True)
    draw(folder, program, "avatar.vrm", "picture.ppm")
    rows = read_ppm((folder / "picture.ppm").read_bytes())
    back = rows[0][0]
    ours, our_shape = outline([[pixel != back for pixel in row] for row in rows])
    _, _, wanted = read_png((folder / "wanted.png").read_bytes())
    theirs, their_shape = outline([[pixel != wanted[0][0] for pixel in row] for row in wanted])
    difference = sum(abs(a - b) for a, b in zip(ours, theirs)) / len(ours)
    colors = {pixel for row in rows for pixel in row}
    print("shape %.3f, %.3f as vrm render; outlines differ by %.3f; %d colours" % (our_shape, their_shape, difference, len(colors)))
    assert abs(our_shape / their_shape - 1.0) < 0.04 and difference < 0.05, "another figure than vrm render draws"
    assert len(colors) > 500, "the figure is not textured and lit"
    bad = subprocess.run([str(program), "nothing.vrm"], cwd=folder, capture_output=True, text=True)
    assert bad.returncode == 1 and bad.stderr.startswith("usage: draw_gl"), bad


def main():
    libraries = packages() if (BUILD / "render/libvrm-render.a").exists() else None
    if libraries is None or not shutil.which("Xvfb"):
        print("skipped: GLFW, Xvfb or the renderer is missing")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([os.environ.get("CC", "cc"), "-std=c17", "-Wall", "-Wextra", "-pedantic", "-Werror", "-Iinclude", "-Irender/include",
                        "examples/draw_gl.c", str(BUILD / "render/libvrm-render.a"), str(BUILD / "libvrm.a"), *libraries, "-lm",
                        "-lpthread", "-o", str(folder / "draw_gl")], check=True)
        if len(sys.argv) > 2:
            for path in map(pathlib.Path, sys.argv[1:-1]):
                draw(pathlib.Path.cwd(), folder / "draw_gl", path, pathlib.Path(sys.argv[-1], path.stem + ".ppm"))
        else:
            compare(folder, folder / "draw_gl")
    return 0


sys.exit(main())
