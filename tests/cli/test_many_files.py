# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Commands on many files: shards, a run that is killed and resumed, manifests, names of outputs, files whose faults
affect no other file, and the report of vrm stats. scripts/campaign/many does the same with 10,000 files."""

import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path.cwd()
sys.path.insert(0, str(ROOT / "tests/fixtures"))
from command_fixture import CLEAN, VRM, check, failures, strict_avatar, vrm  # noqa: E402
from glb_files import make_glb  # noqa: E402
from json_schema import Schema  # noqa: E402
from many_files import check_same, make_files, records, run_killed, tree  # noqa: E402

COUNT = 40
SCHEMA = Schema(json.loads((ROOT / "cli/schemas/manifest.schema.json").read_text(encoding="utf-8")))
STATS = Schema(json.loads((ROOT / "cli/schemas/stats.schema.json").read_text(encoding="utf-8")))


def test_whole():
    """The values in a manifest are correct: hashes as computed by Python, sizes, and exit codes as for each file
    alone."""
    result = vrm("migrate", "in", "-o", "whole", "--manifest", "whole.ndjson", "--jobs", "2")
    found = records("whole.ndjson")
    check("whole", result.returncode == 3, "exit code %d" % result.returncode)
    check("whole", len(found) == COUNT, "%d records" % len(found))
    check("whole", [r["input"] for r in found] == sorted(r["input"] for r in found), "not in their order")
    for record in found:
        check("whole", not SCHEMA.errors(record), "%s: %s" % (record["input"], SCHEMA.errors(record)[:3]))
        data = pathlib.Path(record["input"]).read_bytes()
        check("whole", record["inputHash"] == hashlib.sha256(data).hexdigest(), "hash of " + record["input"])
        check("whole", record["inputBytes"] == len(data), "size of " + record["input"])
        check("whole", record["memory"] > 500_000 or sys.platform != "linux", "memory of " + record["input"])
        if record["exitCode"] == 0:
            written = pathlib.Path(record["output"]).read_bytes()
            check("whole", record["outputHash"] == hashlib.sha256(written).hexdigest(), "hash of " + record["output"])
            check("whole", record["output"] == "whole/" + record["input"][len("in/"):], "name " + record["output"])
    alone = vrm("migrate", "in/2/a 2.vrm", "-o", "alone.vrm", "--record", "alone.json")
    record = next(r for r in found if r["input"] == "in/2/a 2.vrm")
    check("whole", alone.returncode == record["exitCode"] == 0, "another exit code alone")
    check("whole", json.loads(pathlib.Path("alone.json").read_text()) == record["findings"], "other findings alone")
    check("whole", record["findings"], "no findings of an older dialect")
    check("whole", pathlib.Path("alone.vrm").read_bytes() == pathlib.Path(record["output"]).read_bytes(), "other bytes alone")
    check("whole", {r["exitCode"] for r in found if "cut" in r["input"] or "noise" in r["input"]} == {3}, "bad files pass")


def test_killed():
    """Two shards are killed in the middle and resumed: the outputs are the same, and no file is missing or processed
    twice."""
    shards = {"1/2": "shard-1.ndjson", "2/2": "shard-2.ndjson"}
    for shard, name in shards.items():
        run_killed(["migrate", "in", "-o", "killed", "--manifest", name, "--shard", shard, "--jobs", "2", "-q"], name, COUNT // 4, 1)
    check_same("killed", "whole.ndjson", shards.values(), "killed", "whole")
    check("killed", 0.25 * COUNT < len(records("shard-1.ndjson")) < 0.75 * COUNT, "shards are of unlike size")


def test_going_on():
    before = records("whole.ndjson")
    result = vrm("migrate", "in", "-o", "whole", "--manifest", "whole.ndjson")
    check("on", b"0 processed" in result.stderr and records("whole.ndjson") == before, "processes again: %s" % result.stderr[-200:])
    pathlib.Path("in/0/a 0.vrm").write_bytes(make_glb(dict(strict_avatar(), extras={"number": "new"})))
    pathlib.Path("whole/1/a 1.vrm").unlink()
    result = vrm("migrate", "in", "-o", "whole", "--manifest", "whole.ndjson", "-j", "1")
    again = sorted(record["input"] for record in records("whole.ndjson")[len(before):])
    check("on", again == ["in/0/a 0.vrm", "in/1/a 1.vrm"], "processed %s" % again)
    vrm("migrate", "in/1", "-o", "whole", "--manifest", "whole.ndjson", "--turn", "root")
    check("on", len(records("whole.ndjson")) > len(before) + 2, "other options are the same run")


def test_stats():
    document = json.loads(vrm("stats", "--format", "json", "shard-1.ndjson", "shard-2.ndjson").stdout)
    found = [record for name in ("shard-1.ndjson", "shard-2.ndjson") for record in records(name)]
    check("stats", not STATS.errors(document), "; ".join(STATS.errors(document)[:5]))
    check("stats", document["files"] == COUNT and document["exitCodes"] == {"0": COUNT - 2, "3": 2}, "%s" % document)
    sizes = sorted(record["inputBytes"] / (1 << 20) for record in found)
    check("stats", abs(document["quantiles"]["inputMebibytes"]["median"] - sizes[(COUNT + 1) // 2 - 1]) < 1e-6, "median")
    check("stats", abs(document["quantiles"]["inputMebibytes"]["most"] - sizes[-1]) < 1e-6, "largest")
    codes = {}
    for record in found:
        for code in {finding["code"] for finding in record["findings"]}:
            codes[code] = codes.get(code, 0) + 1
    check("stats", {f["code"]: f["files"] for f in document["findings"]} == codes, "findings: %s" % codes)
    check("stats", document["duplicates"]["copies"] == 1 and document["duplicates"]["groups"] == 1, "duplicates")
    for use, counts in document["rights"].items():
        for word in counts:
            check("stats", counts[word] == sum(r.get("rights", {}).get(use) == word for r in found), use)
    text = vrm("stats", "shard-1.ndjson", "shard-2.ndjson").stdout.decode()
    check("stats", "%d files" % COUNT in text and "stream-for-profit" in text, text)
    check("stats", vrm("stats", "in/noise.vrm").returncode == 3, "noise is a manifest")


def test_memory():
    """For each record of about 1,000 bytes vrm stats needs about 100 bytes, and 8 bytes for each finding."""
    lines = b"".join(pathlib.Path("shard-%d.ndjson" % i).read_bytes() for i in (1, 2)).splitlines(keepends=True)
    most = []
    for times in (1, 500):
        with open("long.ndjson", "wb") as file:
            for i in range(times):
                file.writelines(line.replace(b'"input":"in/', b'"input":"in/%d/' % i, 1) for line in lines)
        process = subprocess.Popen([VRM, "stats", "long.ndjson"], stdout=subprocess.PIPE, env=CLEAN)
        said = process.stdout.read().decode()
        most.append(os.wait4(process.pid, 0)[2].ru_maxrss * 1024)
        check("memory", said.startswith("%d files" % (times * COUNT)), said[:40])
    check("memory", most[1] - most[0] < 500 * COUNT * 300 or sys.platform != "linux", "%d bytes more" % (most[1] - most[0]))


def test_names():
    result = vrm("cook", "in/1", "in/2", "-o", "flat/{stem}.vrmc", "-q")
    check("names", result.returncode == 0 and len(tree("flat")) == len(list(pathlib.Path("in").glob("[12]/*"))), "flat")
    result = vrm("cook", "in/0/a 0.vrm", "in/twin.vrm", "-o", "hashed/{hash}-{name}.vrmc")
    digest = hashlib.sha256(pathlib.Path("in/twin.vrm").read_bytes()).hexdigest()[:16]
    check("names", digest + "-twin.vrm.vrmc" in tree("hashed"), "%s" % list(tree("hashed")))
    pathlib.Path("again").mkdir()
    pathlib.Path("again/twin.vrm").write_bytes(b"old")
    pathlib.Path("list").write_text("in/twin.vrm\n\nin/3\r\n")
    result = vrm("migrate", "--files-from", "list", "-o", "again", "--skip-existing")
    check("names", pathlib.Path("again/twin.vrm").read_bytes() == b"old" and b"1 skipped" in result.stderr, "skip")
    lines = vrm("validate", "--files-from", "-", "--format", "ndjson", "-q", input=b"in/twin.vrm\nin/noise.vrm\n").stdout
    check("names", [json.loads(line)["uri"] for line in lines.splitlines()] == ["in/twin.vrm", "in/noise.vrm"], "order")


def test_wrong_calls():
    for arguments, word in (
            (["migrate", "in"], b"name a folder with -o DIR"),
            (["migrate", "in", "-o", "list"], b"list: many files need an output folder"),
            (["migrate", "in", "-o", "x.vrm"], b"x.vrm: many files need an output folder"),
            (["migrate", "in", "-o", "x/{what}.vrm"], b"only stem, name, path and hash are allowed in braces"),
            (["migrate", "in/twin.vrm", "in/twin.vrm", "-o", "x"], b"written to the same output"),
            (["migrate", "in", "-o", "x", "--shard", "3/2"], b"--shard expects I/N"),
            (["migrate", "in", "-o", "x", "--shard", "0/2"], b"--shard expects I/N"),
            (["migrate", "in", "-o", "x", "--jobs", "many"], b"--jobs"),
            (["migrate", "-", "in/twin.vrm", "-o", "x"], b"stdin cannot be one of many files"),
            (["inspect", "in", "--jobs", "2", "-o", "x"], b"unknown option"),
            (["sample", "--jobs", "2", "-o", "x.vrm"], b"unknown option")):
        result = vrm(*arguments)
        check("wrong", result.returncode == 2 and word in result.stderr, "%s: %s" % (arguments, result.stderr))
    check("wrong", not pathlib.Path("x").exists(), "a refused call made its folder")
    result = vrm("migrate", "in/twin.vrm", "nothing.vrm", "-o", "x", "--manifest", "no/folder.ndjson")
    check("wrong", result.returncode == 4 and b"no/folder.ndjson" in result.stderr, "%s" % result.stderr)
    result = vrm("migrate", "in/twin.vrm", "nothing.vrm", "-o", "x")
    check("wrong", result.returncode == 3 and pathlib.Path("x/twin.vrm").exists(), "a missing file stops the others")
    result = vrm("simulate", "in/twin.vrm", "in/1/a 1.vrm", "-o", "x", "--duration", "600", "--file-timeout", "0.01")
    check("wrong", result.returncode == 6 and result.stderr.count(b"longer than --file-timeout") == 2, "%s" % result.stderr)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        make_files(COUNT)
        for test in (test_whole, test_killed, test_going_on, test_stats, test_memory, test_names, test_wrong_calls):
            test()
        os.chdir("/")
    print("%d failures" % len(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
