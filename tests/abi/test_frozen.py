# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Programs and libraries of different versions work together. tests/abi/1/include contains the headers of version 1.

- Everything that these headers declare still exists and means the same: functions, structs and the offsets of their
  members. Structs without a size have not grown.
- tests/abi/program.c, compiled with these headers, runs with today's library, and with a library in which a params
  struct, an output and an enum have grown. Compiled with the grown headers, it also runs with both.

VRM_RENEW=1 freezes the headers as they are now, which is right only before a release."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FROZEN = ROOT / "tests/abi/1/include"
BUILD = pathlib.Path(os.environ.get("VRM_BUILD_DIR", "build/release")).resolve()
CC = os.environ.get("CC", "cc")
ADVICE = """The binary interface of version 1 has changed. Before a release of that version nobody depends on it:
    VRM_RENEW=1 python3 tests/abi/test_frozen.py
freezes the headers as they are now. After the release restore what programs rely on; docs/abi.md says how structs grow."""

STRUCT = re.compile(r"^typedef struct (vrm_\w+) \{\n(.*?)^\} \1;", re.M | re.S)
FUNCTION = re.compile(r"^VRM_API\s+[^;(]*?\b(vrm_\w+)\s*\([^;]*\)\s*;", re.M)
# Possible changes of a later version: (file, old text, new text).
GROWTH = [
    ("include/vrm/lod.h", "    VRM_LOD_COUNT = 2\n", "    VRM_LOD_GROWN = 2,\n    VRM_LOD_COUNT = 3\n"),
    ("include/vrm/lod.h", "} vrm_lod_params;", "    float magnification; ///< Default 1.\n} vrm_lod_params;"),
    ("src/math/lod_pick.c", '"sleep"};', '"sleep", "grown"};'),
    ("src/math/lod_pick.c", "{0.15f, 0.04f, 0.0f}", "{0.15f, 0.04f, 0.0f}, .magnification = 1.0f"),
    ("src/math/lod_pick.c", "const float size = size_of(view);", "const float size = size_of(view) * rules->magnification;"),
    ("include/vrm/avatar.h", "} vrm_avatar_counts;", "    uint32_t twice_the_nodes;\n} vrm_avatar_counts;"),
    ("src/model/avatar.c", ".bytes = avatar->allocated,",
        ".bytes = avatar->allocated,\n        .twice_the_nodes = 2 * model->node_parent.count,"),
]


def run(*command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)


def text_of(include):
    """Returns all headers of a folder without comments."""
    text = "".join(path.read_text(encoding="utf-8") for path in sorted((include / "vrm").glob("*.h")))
    return re.sub(r"//[^\n]*", "", text)


# --- declarations ----------------------------------------------------------------------------------------------------

def members_of(body):
    """Returns the members' names in the struct's order, including those of function pointers."""
    names = []
    for member in re.sub(r"#[^\n]*", "", body).split(";"):
        function = re.search(r"\(\*(\w+)\)\(", member)
        if function:
            names.append(function.group(1))
        elif member.strip():
            names += re.findall(r"(\w+)(?:\[[^\]]*\])*\s*(?:,|$)", member.strip())
    return names


def layout(include, structs, folder):
    """Returns {"vrm_x" or "vrm_x.member": (offset, size)}, as the compiler computes them."""
    lines = []
    for name, body in structs.items():
        lines.append(f'    printf("{name} 0 %zu\\n", sizeof({name}));')
        lines += [f'    printf("{name}.{member} %zu %zu\\n", offsetof({name}, {member}), sizeof((({name} *)0)->{member}));'
                  for member in members_of(body)]
    source = folder / "layout.c"
    source.write_text("#include <stddef.h>\n#include <stdio.h>\n#include <vrm/vrm.h>\nint main(void)\n{\n%s\n}\n" % "\n".join(lines))
    compiled = run(CC, "-std=c17", "-I", include, source, "-o", folder / "layout")
    if compiled.returncode != 0:
        return None, re.findall(r"error: (.*)", compiled.stderr)
    rows = (line.split() for line in run(folder / "layout").stdout.splitlines())
    return {name: (int(offset), int(size)) for name, offset, size in rows}, []


def compare_structs(frozen, today, folder):
    structs = dict(STRUCT.findall(text_of(frozen)))
    before, _ = layout(frozen, structs, folder)
    now, errors = layout(today, structs, folder)
    if now is None:
        yield from errors
        return
    for name, (offset, size) in before.items():
        sized = "struct_size" in structs[name.partition(".")[0]]
        if "." in name and now[name] != (offset, size):
            yield f"{name}: offset {now[name][0]} and size {now[name][1]}, and they were {offset} and {size}"
        elif "." not in name and (now[name][1] < size or (now[name][1] != size and not sized)):
            yield f"{name}: {now[name][1]} bytes, and it had {size}"


def compare_functions(frozen, today, folder):
    before = {match.group(1): match.group(0) for match in FUNCTION.finditer(text_of(frozen))}
    now = {match.group(1) for match in FUNCTION.finditer(text_of(today))}
    yield from (f"{name}: it is gone" for name in sorted(set(before) - now))
    # Declares each function again as version 1 did: the compiler reports every difference.
    source = folder / "functions.c"
    again = "".join(f"#undef {name}\n{text}\n" for name, text in before.items() if name in now)
    source.write_text("#include <vrm/vrm.h>\n" + again)
    compiled = run(CC, "-std=c17", "-fsyntax-only", "-I", today, source)
    yield from sorted(set(re.findall(r"error: (.*)", compiled.stderr)))


def compare(frozen, today, folder):
    return list(compare_structs(frozen, today, folder)) + list(compare_functions(frozen, today, folder))


def changed(folder, path, old, new):
    """Writes today's headers with one change into a new folder. Returns that folder."""
    target = pathlib.Path(tempfile.mkdtemp(dir=folder))
    shutil.copytree(ROOT / "include/vrm", target / "vrm")
    file = target / path
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{path}: {old!r} is there {text.count(old)} times"
    file.write_text(text.replace(old, new), encoding="utf-8")
    return target


def notices(folder):
    """Checks that each way of breaking the interface is detected."""
    today = ROOT / "include"
    for path, old, new in [
        ("vrm/math.h", "typedef struct vrm_vec4 {\n    float x, y, z, w;", "typedef struct vrm_vec4 {\n    float x, y, z, w, v;"),
        ("vrm/lod.h", "    float hysteresis;", "    float between, hysteresis;"),
        ("vrm/lod.h", "    float budget;", "    float budgets;"),
        ("vrm/lod.h", "VRM_API vrm_lod vrm_instance_get_lod(", "VRM_API int64_t vrm_instance_get_lod("),
        ("vrm/lod.h", "VRM_API vrm_lod vrm_instance_get_lod(", "VRM_API vrm_lod vrm_instance_get_level("),
    ]:
        if not compare(today, changed(folder, path, old, new), folder):
            yield f"NOT NOTICED: {path}: {new!r}"
    larger = changed(folder, "vrm/lod.h", "} vrm_lod_params;", "    float more;\n} vrm_lod_params;")
    yield from compare(today, larger, folder)


# --- programs and libraries ------------------------------------------------------------------------------------------

def grow(folder):
    """Writes the sources of a later version, and builds its shared library: two files are compiled again, the others
    are as they are."""
    for name in ("include", "src"):
        shutil.copytree(ROOT / name, folder / name)
    for path, old, new in GROWTH:
        text = (folder / path).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{path}: {old!r} is there {text.count(old)} times"
        (folder / path).write_text(text.replace(old, new), encoding="utf-8")
    objects = []
    for path in sorted({path for path, _, _ in GROWTH if path.endswith(".c")}):
        objects.append(folder / (pathlib.Path(path).stem + ".o"))
        subprocess.run([CC, "-std=c17", "-O1", "-fPIC", "-fvisibility=hidden", "-ffp-contract=off", "-DVRM_BUILD", "-I",
                        folder / "include", "-I", folder / "src", "-c", folder / path, "-o", objects[-1]], check=True)
    library = folder / soname()
    # The linker takes the first definition of a function, which is the one of the changed files.
    subprocess.run([CC, "-shared", "-Wl,-soname," + soname(), "-Wl,-z,muldefs", *objects, "-Wl,--whole-archive",
                    BUILD / "libvrm.a", "-Wl,--no-whole-archive", "-pthread", "-lm", "-o", library], check=True)
    return folder / "include", library.parent


def soname():
    return re.search(r"SONAME\s+(\S+)", run("objdump", "-p", BUILD / "libvrm.so").stdout).group(1)


def programs(folder):
    """Returns complaints for each program with each library."""
    grown_headers, grown_library = grow(folder)
    for program, headers, flags in [("version 1's", FROZEN, []), ("grown", grown_headers, ["-DPROGRAM_GROWN"])]:
        binary = folder / "program"
        subprocess.run([CC, "-std=c17", "-Wall", "-Wextra", "-Werror", *flags, "-I", headers, ROOT / "tests/abi/program.c",
                        "-o", binary, BUILD / "libvrm.so"], check=True)
        for library, where in [("today's", BUILD), ("a grown", grown_library)]:
            result = run(binary, library.split()[-1], env=dict(os.environ, LD_LIBRARY_PATH=str(where)))
            print(f"a program of {program} headers with {library} library: {result.returncode}")
            if result.returncode != 0:
                yield f"a program of {program} headers with {library} library ends with {result.returncode}"
                yield from result.stdout.splitlines()


def main():
    if os.environ.get("VRM_RENEW") == "1":
        shutil.rmtree(FROZEN, ignore_errors=True)
        shutil.copytree(ROOT / "include/vrm", FROZEN / "vrm")
    if not (BUILD / "libvrm.so").exists() or not shutil.which("objdump"):
        print("skipped: there is no shared library, or no objdump")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        broken = compare(FROZEN, ROOT / "include", folder)
        complaints = list(notices(folder))
        if not broken:
            complaints += list(programs(folder))
    for complaint in broken + complaints:
        print(complaint)
    if broken:
        print(ADVICE)
    sys.exit(1 if broken or complaints else 0)


if __name__ == "__main__":
    main()
