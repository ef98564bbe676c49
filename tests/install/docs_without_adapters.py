# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""If only the command is installed, without the programs that need a package (those for ODE and for rendering), the
test of the documentation passes and lists the lines that it does not run."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory() as name:
    build = pathlib.Path(name)
    (build / "bin").mkdir()
    shutil.copy(os.environ["VRM_COMMAND"], build / "bin/vrm")
    for word in ("--engine ode", "vrm thumbnail"):
        run = subprocess.run([sys.executable, "-B", "tests/install/docs.py", word], capture_output=True, text=True,
                             env=dict(os.environ, VRM_BUILD_DIR=name, VRM_COMMAND=str(build / "bin/vrm")))
        lines = [line for line in run.stdout.splitlines() if word in line]
        print(run.stdout + run.stderr)
        if run.returncode != 0 or not lines or not all("(not run: " in line for line in lines):
            sys.exit("%s without its program: exit code %d" % (word, run.returncode))
