# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Takes the adapter from docs/ragdoll-adapter.md, compiles it and runs it: the sample falls over. Skipped without
ODE."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

BUILD = pathlib.Path(os.environ["VRM_BUILD_DIR"])

if not any(pathlib.Path(path).exists() for path in ("/usr/include/ode/ode.h", "/usr/local/include/ode/ode.h")):
    print("skipped: no ODE")
    sys.exit(77)
sanitizer = ["-fsanitize=" + os.environ["VRM_SANITIZE"]] if os.environ.get("VRM_SANITIZE") else []
programs = re.findall(r"```c\n(.*?)```", pathlib.Path("docs/ragdoll-adapter.md").read_text(encoding="utf-8"), re.S)
if len(programs) != 1:
    sys.exit("the page holds %d C programs" % len(programs))
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "adapter.c").write_text(programs[0], encoding="utf-8")
    subprocess.run([os.environ.get("CC", "cc"), *sanitizer, "-std=c17", "-Wall", "-Wextra", "-pedantic", "-Werror", "-Iinclude",
                    str(folder / "adapter.c"), str(BUILD / "libvrm.a"), "-lode", "-lm", "-lpthread", "-o",
                    str(folder / "adapter")], check=True)
    subprocess.run([os.environ["VRM_COMMAND"], "sample", "--minimal", "-o", str(folder / "avatar.vrm")], check=True)
    # The page's program does not close ODE, so leaks are ignored.
    environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")
    run = subprocess.run([str(folder / "adapter"), "avatar.vrm"], cwd=folder, capture_output=True, text=True, env=environment)
print(run.stdout + run.stderr)
heights = re.search(r"was at ([\d.]+) m and is at (-?[\d.]+) m", run.stdout)
if run.returncode != 0 or heights is None:
    sys.exit("the page's program fails on the sample")
if not float(heights.group(1)) > 1.0 or not -0.1 < float(heights.group(2)) < 0.6:
    sys.exit("the head does not fall")
