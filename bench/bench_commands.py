# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Whole commands beside each other, as a shell sees them: wall time, megabytes per second and peak memory of the process.

    python3 bench/bench_commands.py FILE... [--verb validate --verb inspect] [--runs 5]

`vrm VERB FILE` for each verb (one that writes gets `-o` into a temporary folder), Khronos' glTF validator (npm ci in
tools/validate) and, where GLTF_TRANSFORM names its script, `gltf-transform inspect`. The best of the runs counts."""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

VRM = os.environ.get("VRM_COMMAND", "build/release/bin/vrm")
WRITES = {"migrate", "bake", "split", "cook", "convert-motion"}
VALIDATOR = """
const v = require('gltf-validator'), fs = require('fs');
v.validateBytes(new Uint8Array(fs.readFileSync(process.argv[1])), { maxIssues: 0 }).then((r) => process.stdout.write(JSON.stringify(r)));
"""


def run(command):
    """Seconds and peak bytes of one process."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=command_folder(command))
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return time.perf_counter() - started, usage.ru_maxrss * 1024, process.returncode


def command_folder(command):
    return "tools/validate" if command[:2] == ["node", "-e"] else None


def commands(path, verbs, folder):
    absolute = str(pathlib.Path(path).resolve())
    for verb in verbs:
        out = ["-o", os.path.join(folder, "out." + ("vrmc" if verb == "cook" else "vrm"))] if verb in WRITES else []
        yield "vrm " + verb, [VRM, verb, "-q", absolute] + out
    if pathlib.Path("tools/validate/node_modules/gltf-validator").is_dir():
        yield "gltf-validator", ["node", "-e", VALIDATOR, absolute]
    if os.environ.get("GLTF_TRANSFORM"):
        yield "gltf-transform inspect", ["node", os.environ["GLTF_TRANSFORM"], "inspect", absolute]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+")
    parser.add_argument("--verb", action="append")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    print("| file | MB | command | ms | MB/s | peak MB | peak / file |\n| --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for path in options.files:
            size = os.path.getsize(path)
            for name, command in commands(path, options.verb or ["validate", "inspect"], folder):
                results = [run(command) for _ in range(options.runs)]
                if any(code not in (0, 1) for _, _, code in results):
                    sys.exit("%s ended with %d" % (" ".join(command[:3]), results[0][2]))
                seconds, peak = min(r[0] for r in results), min(r[1] for r in results)
                print("| %s | %.1f | %s | %.1f | %.1f | %.1f | %.1f |" % (os.path.basename(path), size / 1e6, name, seconds * 1e3,
                    size / 1e6 / seconds, peak / 1e6, peak / size))


main()
