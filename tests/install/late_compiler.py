# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""A build folder that was configured without a C++ compiler (scripts/demo installs none) finds a compiler that was
installed later, so that scripts/test in the same tree builds the viewer. Nothing is compiled, so empty packages can
replace the viewer's packages."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

CMAKE = os.environ.get("VRM_CMAKE", "cmake")
PACKAGES = ("epoxy", "spng", "libjpeg", "glfw3", "imgui")


def configure(folder, compiler):
    """Returns the line that gives the reason for leaving the viewer out; None if the viewer will be built."""
    environment = {name: value for name, value in os.environ.items() if name != "CXX"}
    environment.update({"PKG_CONFIG_PATH": str(folder / "packages")}, **({"CXX": compiler} if compiler else {}))
    run = subprocess.run([CMAKE, "-S", ".", "-B", folder / "build", "-DVRM_BUILD_TESTS=OFF", "-DVRM_BUILD_BENCH=OFF"],
                         env=environment, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(run.stdout + run.stderr)
    return next((line for line in run.stdout.splitlines() if "left out" in line and "vrm view" in line), None)


if not shutil.which("c++") or not shutil.which("pkg-config"):
    print("skipped: no C++ compiler or no pkg-config")
    sys.exit(77)
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "packages").mkdir()
    for package in PACKAGES:
        (folder / "packages" / (package + ".pc")).write_text("Name: %s\nDescription: empty\nVersion: 1\n" % package)
    before = configure(folder, "/no-such-compiler")
    after = configure(folder, None)
print("without a compiler: %s\nwith one: %s" % (before, after))
if before is None or "g++" not in before:
    sys.exit("a missing C++ compiler is not named")
if after is not None:
    sys.exit("the C++ compiler that is there now is not found")
