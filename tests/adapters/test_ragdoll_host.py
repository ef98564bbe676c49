# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Compiles examples/ragdoll_host by the command in its first comment. The sample sways when it is hit, falls in the
explosion, and stands up again. The example has fewer than 400 lines. Skipped without Bullet."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

BUILD = pathlib.Path(os.environ["VRM_BUILD_DIR"])
EXAMPLE = pathlib.Path("examples/ragdoll_host")

if subprocess.run(["pkg-config", "--exists", "bullet"], check=False).returncode != 0:
    print("skipped: no Bullet")
    sys.exit(77)
flags = subprocess.run(["pkg-config", "--cflags", "--libs", "bullet"], check=True, capture_output=True, text=True).stdout.split()
sanitizer = ["-fsanitize=" + os.environ["VRM_SANITIZE"]] if os.environ.get("VRM_SANITIZE") else []
line = re.search(r"//     c\+\+ (main\.cpp bullet_ragdoll\.cpp) \$\(pkg-config --cflags --libs vrm bullet\) -o ragdoll_host",
                 (EXAMPLE / "main.cpp").read_text(encoding="utf-8"))
if line is None:
    sys.exit("the head of main.cpp does not say how to build it")
lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in EXAMPLE.glob("*.[ch]*"))
if lines >= 400:
    sys.exit("the example has %d lines" % lines)
with tempfile.TemporaryDirectory() as name:
    host, avatar = pathlib.Path(name) / "ragdoll_host", pathlib.Path(name) / "avatar.vrm"
    subprocess.run(["c++", *sanitizer, *(str(EXAMPLE / source) for source in line.group(1).split()), "-Iinclude", "-DNDEBUG", "-O1",
                    str(BUILD / "libvrm.a"), *flags, "-lpthread", "-o", str(host)], check=True)
    subprocess.run([os.environ["VRM_COMMAND"], "sample", "--minimal", "-o", str(avatar)], check=True)
    printed = subprocess.run([str(host), str(avatar)], check=True, capture_output=True, text=True).stdout
print(printed)
heights = {float(time): float(height) for time, height in re.findall(r"([\d.]+) s: the head is +(-?[\d.]+) m high", printed)}
standing = heights[0.5]
if not 0.005 < standing - heights[1.25] < 0.3:
    sys.exit("the blow does not bend it")
if abs(standing - heights[2.75]) > 0.01 or abs(standing - heights[10.0]) > 0.001:
    sys.exit("it does not stand again")
if min(heights.values()) > 0.3 * standing:
    sys.exit("it does not fall")
