# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Simulates that memory runs out, that the disk is full and that no process can be started, at every possible place.
Each command is run once to count the calls of tests/fixtures/faults.c. Then it is run again and again with one call
failing, or with one call and all later ones failing. It must either end with a code that is documented for this and
give the reason, or have done all of its work. The output is the old file or the whole new one, and no other file is
left.

The suite tests some calls of each command, which vary with VRM_SEED. VRM_FAULTS=all tests every call."""

import concurrent.futures
import difflib
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "fixtures"))
from command_fixture import CLEAN, HIPS_BVH, VRM, check, failures, old_avatar, rich_avatar, strict_avatar, vrm  # noqa: E402
from glb_files import make_glb  # noqa: E402

SOURCE = pathlib.Path(__file__).parents[1] / "fixtures/faults.c"
RENDER = str(pathlib.Path(VRM).with_name("vrm-render"))
ALL = os.environ.get("VRM_FAULTS") == "all"
SANITIZED = bool(os.environ.get("VRM_SANITIZE"))
# Calls of each kind in the suite; each fails alone, and together with all later ones.
PICKS = 2 if SANITIZED else 6
KINDS = ("memory", "write", "process")
# Exit codes that a command may give: 4 output not possible, 5 something is missing (a program does not start), 6 a
# limit, 75 try again.
CODES = {"memory": (75,), "write": (4, 75), "process": (4, 5, 75)}

REASONS = {"memory": (b"memory", b"no process could be started"), "process": (b"process", b"started", b"could not")}

# The report's words if findings were lost.
TRUNCATED = (b"(the report is full; there are more findings)", b'"truncated":true')


def damaged_avatar():
    """Returns the document of rich_avatar() with faults that --fix and --repair correct."""
    document = rich_avatar()
    springs = document["extensions"]["VRMC_springBone"]
    springs["springs"][0]["joints"][0]["dragForce"] = 1.5
    springs["springs"][0]["joints"].append({"node": 1})
    document["extensions"]["VRMC_vrm"]["meta"]["modification"] = "AllowModification"
    document["extensions"]["VRMC_vrm"]["expressions"]["preset"]["happy"]["morphTargetBinds"] = [{"node": 99, "index": 0, "weight": 1}]
    document["nodes"][3]["rotation"] = [0, 0, 0, 2]
    return document


def write_inputs(folder):
    """Writes the inputs of all commands into a folder that contains nothing else."""
    (folder / "in").mkdir()
    (folder / "avatar.vrm").write_bytes(make_glb(rich_avatar()))
    (folder / "bad.vrm").write_bytes(make_glb(damaged_avatar()))
    (folder / "old.vrm").write_bytes(make_glb(old_avatar()))
    (folder / "in/a.vrm").write_bytes(make_glb(old_avatar()))
    (folder / "in/b.vrm").write_bytes(make_glb(strict_avatar())[:500])
    (folder / "motion.bvh").write_text(HIPS_BVH)
    (folder / "script.json").write_text(json.dumps({"frames": 2, "dt": 0.1, "events": []}))
    head = {"manifest_version": 1, "output_dir": "OUT", "renderer_name": "libvrm", "renderer_version": None}
    tests = [{"test_id": "lost", "vrm_path": "/nothing.vrm"}, {"test_id": "bare"}]
    (folder / "batch.json").write_text(json.dumps({**head, "tests": tests}))
    records = [{"schemaVersion": 1, "input": "in/%d.vrm" % i} for i in range(3)]
    (folder / "records.ndjson").write_text("".join(json.dumps(record) + "\n" for record in records))


def requests():
    here = {"session_id": "libvrm-1"}
    calls = [("load_vrm", {"path": "avatar.vrm"}), ("reset_physics", {**here, "settle_steps": 2}), ("step_physics", {**here, "dt_seconds": 0.02, "count": 2}),
             ("dump_bone_positions", here), ("dump_humanoid_pose", here), ("dump_expression_weights", here), ("dump_look_at_state", here),
             ("load_vrma", {"vrma_path": "nothing.vrma"}), ("load_vrm", {"path": "bad.vrm"}), ("dispose", here), ("nothing", {})]
    bodies = [json.dumps({"jsonrpc": "2.0", "id": i, "method": name, "params": params}).encode() for i, (name, params) in enumerate(calls)]
    return b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in [*bodies, b"{"])


# name: (arguments, stdin); OUT is replaced by the output's name
COMMANDS = {
    "validate": (["validate", "bad.vrm"], b""),
    "validate --record": (["validate", "--record", "OUT.json", "bad.vrm"], b""),
    "validate --fix": (["validate", "--fix", "bad.vrm", "-o", "OUT.vrm"], b""),
    "bake --repair": (["bake", "--repair", "bad.vrm", "-o", "OUT.vrm"], b""),
    "migrate --repair": (["migrate", "--repair", "old.vrm", "-o", "OUT.vrm"], b""),
    "split --repair": (["split", "--repair", "bad.vrm", "-o", "OUT.vrm"], b""),
    "simulate --repair": (["simulate", "--repair", "bad.vrm", "--duration", "0.05", "-o", "OUT.glb"], b""),
    "simulate --profile": (["simulate", "avatar.vrm", "--profile", "three-vrm", "--duration", "0.05", "-o", "OUT.glb"], b""),
    "trace --profile": (["trace", "avatar.vrm", "script.json", "--profile", "univrm", "-o", "OUT.json"], b""),
    "compare-runtimes": (["compare-runtimes", "avatar.vrm", "--duration", "0.1"], b""),
    "compare-runtimes a file": (["compare-runtimes", "avatar.vrm", "--motion", "motion.bvh"], b""),
    "inspect many": (["inspect", "--format", "ndjson", "in", "avatar.vrm"], b""),
    "migrate many": (["migrate", "in", "-o", "OUT/", "--manifest", "OUT.ndjson"], b""),
    "stats": (["stats", "records.ndjson"], b""),
    "cook": (["cook", "avatar.vrm", "-o", "OUT.vrmc"], b""),
    "ragdoll": (["ragdoll", "avatar.vrm", "-o", "OUT.json"], b""),
    "rpc batch": (["rpc", "batch.json", "OUT.ndjson"], b""),
    "rpc": (["rpc"], requests()),
}


def start(arguments, given, folder, fault, library):
    program = RENDER if arguments[0] == "rpc" else VRM
    environment = {**CLEAN, "LD_PRELOAD": library, "VRM_FAULT_COUNTS": str(folder) + ".counts"}
    if fault:
        environment["VRM_FAULT"] = fault
    if SANITIZED:  # an error or a leak ends with a code that no command gives
        environment["ASAN_OPTIONS"] = "verify_asan_link_order=0:exitcode=99"
        environment["UBSAN_OPTIONS"] = "exitcode=99"
    result = subprocess.run([program, *arguments], input=given, capture_output=True, timeout=120, cwd=folder, env=environment)
    return result, {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def without_times(files):
    """Returns the files, with manifests as sorted records without times and memory, which differ in each run."""
    def records(data):
        found = [json.loads(line) for line in data.splitlines()]
        return sorted(([{k: v for k, v in record.items() if k not in ("seconds", "memory", "said")} for record in found]), key=str)
    return {name: records(data) if name.endswith(".ndjson") else data for name, data in files.items()}


def responses(stream):
    """Returns the bodies of framed messages; None if a message is incomplete."""
    found = []
    while stream:
        head, _, stream = stream.partition(b"\r\n\r\n")
        size = int(head.split(b": ")[1])
        if len(stream) < size:
            return None
        found.append(json.loads(stream[:size]))
        stream = stream[size:]
    return found


def judge_responses(fault, result, clean):
    """Checks that every message has its response, or an error that gives the reason. A server that cannot continue
    ends with a code."""
    if result.returncode != 0:
        return None if fault.startswith("write") or b"vrm rpc: " in result.stderr else "%s: code %d without a word" % (fault, result.returncode)
    wanted, got = responses(clean.stdout), responses(result.stdout)
    if got is None or len(got) != len(wanted):
        return "%s: code 0, but not all responses: %s" % (fault, result.stdout[-300:])
    for one, other in zip(wanted, got):
        if one != other and not fault.startswith("memory"):
            return "%s: %s" % (fault, other)
    return None


def differences(wanted, got):
    return [line[:200] for line in difflib.ndiff(wanted.decode().splitlines(), got.decode().splitlines()) if line[0] in "-+"]


def judge(name, kind, fault, result, files, whole, inputs):
    """Returns a complaint, or None."""
    clean, made = whole
    if name == "validate --record" and "OUT.json" in files: # the number of findings depends on the fault
        json.loads(files["OUT.json"])
        files = {**files, "OUT.json": made["OUT.json"]}
    # The results report the test that ran out of memory.
    if name == "rpc batch" and kind == "memory" and b"memory" in files.get("OUT.ndjson", b""):
        files = {**files, "OUT.ndjson": made["OUT.ndjson"]}
    said = (result.stdout + result.stderr)[-300:]
    if result.returncode < 0 or result.returncode not in (clean.returncode, *CODES[kind]):
        return "%s: code %d, %s" % (fault, result.returncode, said)
    if name == "rpc":
        return judge_responses(fault, result, clean)
    if result.returncode == clean.returncode:
        if without_times(files) != without_times(made):
            return "%s: code %d, but the files are not all there: %s" % (fault, result.returncode, sorted(set(made) ^ set(files)))
        if result.stdout != clean.stdout and not any(mark in result.stdout for mark in TRUNCATED):
            return "%s: code %d, but not all is said: %s" % (fault, result.returncode, differences(clean.stdout, result.stdout))
    elif kind != "write" and not any(word in result.stdout + result.stderr for word in REASONS[kind]):
        return "%s: code %d without a word: %s" % (fault, result.returncode, said)
    for path, data in files.items():
        if path in inputs and inputs[path] != data:
            return "%s: the input %s has changed" % (fault, path)
        if path not in inputs and path not in made:
            return "%s: left %s" % (fault, path)
        if path not in inputs and not path.endswith(".ndjson") and data != made[path]:
            return "%s: half of %s" % (fault, path)
    return None


def faults_of(name, counts):
    seed = random.Random("%s %s" % (name, os.environ.get("VRM_SEED", "0")))
    for kind, count in zip(KINDS, counts):
        for rest in ("", "+"):
            picked = range(count) if ALL or count <= PICKS else sorted(seed.sample(range(count), PICKS))
            yield from ((kind, "%s:%d%s" % (kind, i, rest)) for i in picked)


def run_command(name, library, pool):
    arguments, given = COMMANDS[name]
    top = pathlib.Path(tempfile.mkdtemp(prefix="vrm-fault-", dir="."))

    def once(number, fault):
        folder = (top / str(number)).resolve()
        folder.mkdir()
        write_inputs(folder)
        result, files = start(arguments, given, folder, fault, library)
        shutil.rmtree(folder)
        return result, files

    (top / "inputs").mkdir()
    write_inputs(top / "inputs")
    inputs = {str(path.relative_to(top / "inputs")): path.read_bytes() for path in (top / "inputs").rglob("*") if path.is_file()}
    whole = once("whole", None)
    counts = [int(word) for word in (top / "whole.counts").read_text().split()]
    check(name, whole[0].returncode in (0, 1, 3) and counts[0] > 0 and counts[1] > 0, "%s %s" % (counts, whole[0]))
    faults = list(faults_of(name, counts))
    for (kind, fault), (result, files) in zip(faults, pool.map(lambda f: once(f[0], f[1][1]), enumerate(faults))):
        complaint = judge(name, kind, fault, result, files, whole, inputs)
        check(name, complaint is None, complaint)
    print("%s: %d calls for memory, %d that write, %d of processes; %d made to fail" % (name, *counts, len(faults)))
    shutil.rmtree(top, ignore_errors=True)


def main():
    if sys.platform != "linux":
        print("SKIPPED: a library before the program is Linux's")
        return 77
    with tempfile.TemporaryDirectory(prefix="vrm-faults-") as folder:
        library = str(pathlib.Path(folder, "faults.so"))
        subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1", "-o", library, str(SOURCE), "-ldl"], check=True)
        os.chdir(folder)
        pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
        wanted = os.environ.get("VRM_FAULTS_OF", "")
        for name in (name for name in COMMANDS if wanted in name):
            if name.startswith("rpc") and vrm("rpc", "describe").returncode == 5:
                print("skipped: rpc: vrm-render is not built")
                continue
            run_command(name, library, pool)
    print("%d failures" % len(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
