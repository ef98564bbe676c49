# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Installs the build into an empty folder and moves that folder. Then builds small programs with it: by find_package,
by pkg-config (with the shared and the static library), and by add_subdirectory on the sources, also without
optimisation. Each installed file belongs to one component."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BUILD = pathlib.Path(os.environ["VRM_BUILD_DIR"])
CMAKE = os.environ.get("VRM_CMAKE", "cmake")
HERE = pathlib.Path("tests/install").resolve()
ROOT = pathlib.Path.cwd()


def run(*command, **options):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if result.returncode != 0:
        print("failed: %s\n%s%s" % (" ".join(map(str, command)), result.stdout, result.stderr))
        sys.exit(1)
    return result.stdout


def check_tree(prefix):
    files = {str(path.relative_to(prefix)) for path in prefix.rglob("*") if not path.is_dir()}
    wanted = ["include/vrm/vrm.h", "bin/vrm", "share/man/man1/vrm.1", "share/vrm/schemas/inspect.schema.json",
              "share/vrm/schemas/validate.schema.json", "share/vrm/schemas/bench.schema.json", "share/vrm/schemas/ragdoll.schema.json",
              "share/vrm/api.json", "include/vrm/vrm.hpp",
              "share/bash-completion/completions/vrm"]
    for name in wanted:
        if name not in files:
            sys.exit("not installed: " + name)
    package = next(prefix.rglob("vrm.pc")).read_text(encoding="utf-8")
    if "Libs.private: -pthread -lm" not in package:
        sys.exit("vrm.pc does not name pthread and libm to those who link statically")
    for name in sorted(files):
        if name.endswith((".cmake", ".pc")) and str(ROOT) in (prefix / name).read_text(encoding="utf-8"):
            sys.exit("%s knows where it was built" % name)
    return files


# A pattern that a file of the component must match, and a pattern that none of its files may match.
COMPONENTS = {"runtime": (r"^lib.*libvrm\.so\.\d", r"\.(h|hpp|a|pc|cmake|json)$|^bin|^share/|render"),
              "tools": (r"bin/vrm$", r"^lib/|^include/"),
              "dev": (r"include/vrm/vrm\.h$", r"^bin/|\.so\.")}
WITH_RENDER = (BUILD / "render/libvrm-render.a").exists()
if WITH_RENDER:
    COMPONENTS["render"] = (r"libvrm-render\.so\.\d", r"libvrm\.so|^bin/|^include/")


def check_components(folder, whole):
    """Checks that the components together are the whole installation."""
    found = set()
    for name, (wanted, unwanted) in COMPONENTS.items():
        run(CMAKE, "--install", BUILD, "--prefix", folder / name, "--component", name)
        files = {str(path.relative_to(folder / name)) for path in (folder / name).rglob("*") if not path.is_dir()}
        if not any(re.search(wanted, file) for file in files) or any(re.search(unwanted, file) for file in files):
            sys.exit("component %s: %s" % (name, sorted(files)))
        if found & files:
            sys.exit("in two components: %s" % sorted(found & files))
        found |= files
    if found != whole:
        sys.exit("in no component, or there alone: %s" % sorted(found ^ whole))


def cook(folder):
    """Cooks the sample by the installed command, as the input of minimal_runtime."""
    command = folder / "moved/bin/vrm"
    run(command, "sample", "--minimal", "-o", folder / "sample.vrm")
    run(command, "cook", folder / "sample.vrm", "-o", folder / "sample.vrmc")
    return folder / "sample.vrmc"


def build_with_cmake(folder, target, build_type, *options):
    build = folder / (target + build_type)
    run(CMAKE, "-S", HERE, "-B", build, "-DCMAKE_BUILD_TYPE=" + build_type, *options)
    run(CMAKE, "--build", build, "--parallel", os.cpu_count() or 1)
    for program in sorted(build.glob("minimal_*")):
        if program.is_file():
            arguments = {"minimal_runtime": [folder / "sample.vrmc"], "minimal_hair": [folder / "sample.vrm"]}.get(program.name, [])
            print("%s %s: %s" % (program.name, build_type or "without a build type", run(program, *arguments).strip()))


def build_with_pkg_config(folder, prefix):
    if not shutil.which("pkg-config"):
        print("skipped: pkg-config is not installed")
        return
    places = [str(path.parent) for path in prefix.rglob("*.pc")]
    environment = dict(os.environ, PKG_CONFIG_PATH=":".join(places))
    libraries = str(next(prefix.rglob("libvrm.a")).parent)
    programs = [("vrm", "minimal.c", []), ("vrm", "minimal.c", ["--static"]), ("vrm-runtime", "runtime.c", []),
                ("vrm-dynamics", "dynamics.c", [])] + [("vrm-render", "render.c", [])] * WITH_RENDER
    for package, source, static in programs:
        flags = run("pkg-config", *static, "--cflags", "--libs", package, env=environment).split()
        program = folder / ("with_" + package + "".join(static))
        run(os.environ.get("CC", "cc"), "-std=c17", *(["-static"] if static else []), HERE / source, "-o", program, *flags)
        arguments = [folder / "sample.vrmc"] if package == "vrm-runtime" else []
        output = run(program, *arguments, env=dict(os.environ, LD_LIBRARY_PATH=libraries))
        print("pkg-config %s: %s" % (" ".join(static + [package]), output.strip()))


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    run(CMAKE, "--install", BUILD, "--prefix", folder / "first")
    (folder / "first").rename(folder / "moved")
    check_components(folder, check_tree(folder / "moved"))
    cook(folder)
    build_with_cmake(folder, "installed", "Release", "-DCMAKE_PREFIX_PATH=%s" % (folder / "moved"),
                     "-DWITH_RENDER=%s" % ("ON" if WITH_RENDER else "OFF"))
    build_with_pkg_config(folder, folder / "moved")
    # Without optimisation a square root is a function call, so libm must be linked. scripts/fresh tests the build types
    # Debug and Release, too.
    build_with_cmake(folder, "added", "", "-DVRM_SOURCE_DIR=%s" % ROOT)
