# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Takes the C program from the README, compiles it without a warning and runs it on the sample avatar."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

BUILD = pathlib.Path(os.environ["VRM_BUILD_DIR"])

program = re.search(r"```c\n(.*?)```", pathlib.Path("README.md").read_text(encoding="utf-8"), re.S)
if program is None:
    sys.exit("README.md holds no C program")
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "readme.c").write_text(program.group(1), encoding="utf-8")
    subprocess.run([os.environ.get("CC", "cc"), "-std=c17", "-Wall", "-Wextra", "-pedantic", "-Werror", "-Iinclude",
                    str(folder / "readme.c"), str(BUILD / "libvrm.a"), "-lm", "-o", str(folder / "readme")], check=True)
    subprocess.run([os.environ["VRM_COMMAND"], "sample", "--minimal", "-o", str(folder / "avatar.vrm")], check=True)
    good = subprocess.run([str(folder / "readme"), "avatar.vrm"], cwd=folder, capture_output=True, text=True)
    bad = subprocess.run([str(folder / "readme"), "nothing.vrm"], cwd=folder, capture_output=True, text=True)
print(good.stdout + good.stderr)
if good.returncode != 0 or not good.stdout:
    sys.exit("the README's program fails on the sample")
if bad.returncode == 0:
    sys.exit("the README's program does not notice a missing file")
