# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""The code fragments of docs/integrate.md form one program. It compiles without a warning and runs on the sample
with an engine that checks what it is given."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

BUILD = pathlib.Path(os.environ.get("VRM_BUILD_DIR", "build/release"))
VRM = os.environ.get("VRM_COMMAND", str(BUILD / "bin/vrm"))

ENGINE = """
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vrm/vrm.h>

static void *blocks[20000];
static unsigned block_count, morphs, moved, textures, materials, draws, colors, shown_morphs;

static void engine_log(const char *text) { puts(text); }
static void *engine_scratch(size_t size)
{
    if (block_count == sizeof blocks / sizeof blocks[0]) exit(2);
    return blocks[block_count++] = calloc(size + 1, 1);
}
static void *engine_map(size_t size) { return engine_scratch(size); }
static void engine_add_morph(unsigned mesh, unsigned primitive, unsigned morph, const vrm_morph_deltas *deltas)
{
    (void)mesh; (void)primitive; (void)morph;
    ++morphs;
    moved += deltas->count;
}
static void engine_add_texture(unsigned index, const void *bytes, size_t size, const char *type, unsigned wrap_s, unsigned wrap_t)
{
    textures += index < 1000 && bytes != NULL && size > 8 && strcmp(type, "image/png") == 0 && wrap_s > 9000 && wrap_t > 9000;
}
static void engine_add_material(unsigned index, int mtoon, int texture, int alpha)
{
    (void)index; (void)texture; (void)alpha;
    materials += mtoon != 0;
}
static void engine_set_morphs(const float *weights, unsigned count) { shown_morphs = weights != NULL ? count : 0; }
static void engine_set_color(unsigned material, vrm_vec4 color) { (void)material; colors += color.w > 0.0f; }
static void engine_draw(vrm_vec3 low, vrm_vec3 high) { draws += high.y - low.y > 1.0f; }

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "";
"""
END = """
    printf("%u morphs move %u vertices; %u textures, %u materials; %u frames, %u colours, %u weights\\n", morphs, moved, textures,
        materials, draws, colors, shown_morphs);
    while (block_count > 0) free(blocks[--block_count]);
    return 0;
}
"""

pieces = re.findall(r"```c\n(.*?)```", pathlib.Path("docs/integrate.md").read_text(encoding="utf-8"), re.S)
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "integrate.c").write_text(ENGINE + "\n".join(pieces) + END, encoding="utf-8")
    subprocess.run([os.environ.get("CC", "cc"), "-std=c17", "-Wall", "-Wextra", "-Werror", "-Iinclude", str(folder / "integrate.c"),
                    str(BUILD / "libvrm.a"), "-lm", "-lpthread", "-o", str(folder / "integrate")], check=True)
    subprocess.run([VRM, "sample", "--minimal", "-q", "-o", str(folder / "avatar.vrm")], check=True)
    good = subprocess.run([str(folder / "integrate"), str(folder / "avatar.vrm")], capture_output=True, text=True, check=True)
    print(good.stdout, end="")
    found = [int(number) for number in re.findall(r"\d+", good.stdout)]
    if len(found) != 7 or min(found) == 0 or found[4] != 60:
        sys.exit("the engine was not given everything")
    bad = subprocess.run([str(folder / "integrate"), str(folder / "nothing.vrm")], capture_output=True, text=True)
    if bad.returncode != 1 or bad.stdout != "no such file\n":
        sys.exit("a missing file is not noticed: %s" % bad)
