# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""If the program that reads FBX for vrm crashes, hangs, takes too much memory, returns nonsense or is missing, vrm
reports it and continues. The test puts a copy of vrm beside programs named vrm-assimp that do these things."""

import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

command = pathlib.Path(os.environ.get("VRM_COMMAND", "build/release/bin/vrm")).resolve()
sanitized = os.environ.get("VRM_SANITIZE", "") != ""
failures = 0


def check(good, text):
    global failures
    failures += 0 if good else 1
    print(("" if good else "FAILED ") + text)


FAULTS = {
    # name: (shell commands of the child program, exit code of vrm, words of the message)
    "crash": ("kill -SEGV $$", 1, "crashed while reading the file (signal 11)"),
    "abort": ("kill -ABRT $$", 1, "crashed while reading the file (signal 6)"),
    "complaint": ("echo 'line 3: no such curve' >&2; exit 1", 1, "line 3: no such curve"),
    "silence": ("exit 1", 1, "no reason given"),
    "control characters": ("printf 'a\\033[2Jb' >&2; exit 1", 1, "a [2Jb"),
    "nothing": ("exit 0", 1, "found no motion in the file"),
    "nonsense": ("head -c 100000 /dev/zero", 3, ""),
    "half a file": ("printf 'glTF\\002\\000\\000\\000\\377\\000\\000\\000'", 3, ""),
    "an endless answer": ("exec cat /dev/zero", 6, "needs more memory or time than allowed"),
    "no memory": ("echo 'not enough memory' >&2; exit 6", 6, "needs more memory or time than allowed"),
}

with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    vrm = folder / "vrm"
    child = folder / "vrm-assimp"
    fbx = folder / "motion.fbx"
    shutil.copy(command, vrm)
    fbx.write_bytes(b"Kaydara FBX Binary  \x00\x1a\x00" + b"\x00" * 100)

    def convert(*options):
        started = time.monotonic()
        done = subprocess.run([vrm, "convert-motion", *options, fbx, "-o", folder / "out.vrma"], capture_output=True,
                              env={**os.environ, "PATH": "/usr/bin:/bin"}, timeout=120)
        check(not (folder / "out.vrma").exists(), "nothing is written")
        return done.returncode, done.stderr.decode(errors="replace"), time.monotonic() - started

    code, text, _ = convert()
    check(code == 5 and "libassimp-dev" in text and "vrm-assimp" in text, "missing: %d %s" % (code, text.strip()))

    for name, (script, expected, words) in FAULTS.items():
        child.write_text("#!/bin/sh\n%s\n" % script)
        child.chmod(0o755)
        code, text, _ = convert("--max-memory", "100M")
        check(code == expected and words in text and "\x1b" not in text, "%s: %d %s" % (name, code, text.strip()[-200:]))

    child.write_text("#!/bin/sh\nwhile :; do sleep 1; done\n")
    code, text, seconds = convert("--timeout", "1")
    check(code == 6 and seconds < 8, "hangs: %d after %.1f s: %s" % (code, seconds, text.strip()))

    if not sanitized:
        # Allocates a million bytes at a time until it is stopped; the system counts its memory.
        child.write_text("#!%s\nb = []\nwhile True:\n    b.append('x' * 1000000)\n" % sys.executable)
        code, text, seconds = convert("--max-memory", "200M")
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        check(code == 1 and peak < 400 << 10 and seconds < 60, "eats memory: %d, peak %d kB: %s" % (code, peak, text.strip()))

    reader = command.parent / "vrm-assimp"
    if reader.exists():
        # Files that only begin like FBX and COLLADA files.
        shutil.copy(reader, child)
        code, text, _ = convert()
        check(code == 1 and "motion.fbx: " in text, "a broken binary file: %d %s" % (code, text.strip()))
        for text_file in ("; FBX 7.4.0\nFBXHeaderExtension:  {\n", "; FBX\nFBXHeaderExtension:  {\n}\nObjects:  {\n}\n",
                          "<?xml version='1.0'?><COLLADA version='1.4.1'></COLLADA>", "<COLLADA"):
            fbx.write_text(text_file)
            code, text, _ = convert()
            check(code in (1, 3, 6), "%r: %d %s" % (text_file, code, text.strip()))

print("%d failures" % failures)
sys.exit(1 if failures else 0)
