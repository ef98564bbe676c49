# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Checks the documentation. Its commands run, and so do the examples of the help; its C compiles; its links lead to
existing places; the files that it names exist; every page and picture is linked. docs.py WORD only runs the commands
that contain the word."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "fixtures"))
from glb_files import make_glb  # noqa: E402

ROOT = pathlib.Path.cwd()
BUILD = pathlib.Path(os.environ.get("VRM_BUILD_DIR", "build/release")).resolve()
VRM = pathlib.Path(os.environ.get("VRM_COMMAND", BUILD / "bin/vrm")).resolve()
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "PLATFORMS.md", "CHANGELOG.md")]
PAGES += sorted((ROOT / "docs").glob("*.md")) + sorted((ROOT / "scripts").rglob("*.md"))
failures = []

# Patterns of lines that are not run, with the reason.
LEFT_OUT = {
    r"^vrm view": "a window",
    r"^vrm rpc$": "waits for requests",
    r"\.fbx": "no FBX file can be made here",
    r"-n 1000": "takes long; the line without is run",
}
# If a line contains the word, it needs this file or program besides the library.
NEEDS = [("render", BUILD / "bin/vrm-render"), ("thumbnail", BUILD / "bin/vrm-render"),
         ("vrm rpc", BUILD / "bin/vrm-render"), ("--engine ode", BUILD / "bin/vrm-ode"), ("| jq", "jq")]
NEEDS += [(film, "ffmpeg") for film in (".mp4", ".webm", ".webp", ".apng", ".gif")]
# Options that make pictures fast enough for a test.
SMALLER = [("vrm render", "-s ", " -s 96x96"), (".mp4", "--frames", " --frames 4")]
# Commands whose exit code is an answer, with the allowed codes.
ANSWERS = {r"^vrm inspect --require": (0, 1)}


def fail(text):
    failures.append(text)
    print(text, flush=True)


def text_of(page):
    return page.read_text(encoding="utf-8")


# --- commands --------------------------------------------------------------------------------------------------------

def commands():
    """Returns the shell lines of indented blocks without their comments: (place, command)."""
    for page in PAGES:
        fenced = False
        for number, line in enumerate(text_of(page).split("\n"), 1):
            fenced = fenced != line.startswith("```")
            if not fenced and line.startswith("    ") and not line.startswith("     "):
                yield "%s:%d" % (page.relative_to(ROOT), number), re.split(r" {2,}", line.strip())[0]
    for verb in re.findall(r"^  ([a-z-]+)  ", run("vrm help")[1], re.M):
        examples = run("vrm help " + verb)[1].partition("\nexamples:\n")[2].partition("\n\n")[0]
        for line in re.findall(r"^  (vrm .*)$", examples, re.M):
            yield "vrm help " + verb, line


def run(line, folder=None):
    environment = dict(os.environ, PATH="%s%s%s" % (VRM.parent, os.pathsep, os.environ["PATH"]), LP_NUM_THREADS="1")
    result = subprocess.run(["bash", "-o", "pipefail", "-c", line], cwd=folder, env=environment, capture_output=True, text=True)
    return result.returncode, result.stdout, result.stderr


def vrm0(path):
    """Writes a file of VRM 0.x that has the required bones and nothing else."""
    bones = ["hips", "spine", "chest", "neck", "head"]
    bones += [side + part for part in ("UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot") for side in ("left", "right")]
    parents = {"spine": "hips", "chest": "spine", "neck": "chest", "head": "neck"}
    for side in ("left", "right"):
        for chain in (("chest", "UpperArm", "LowerArm", "Hand"), ("hips", "UpperLeg", "LowerLeg", "Foot")):
            for above, below in zip(chain, chain[1:]):
                parents[side + below] = above if above in bones else side + above
    nodes = [{"name": bone, "translation": [0.1 if bone.startswith("right") else -0.1, 0.2, 0]} for bone in bones]
    for i, node in enumerate(nodes):
        children = [c for c, bone in enumerate(bones) if parents.get(bone) == bones[i]]
        node.update({"children": children} if children else {})
    vrm = {"exporterVersion": "docs.py", "specVersion": "0.0",
           "meta": {"title": "old", "version": "1", "author": "nobody", "allowedUserName": "Everyone", "licenseName": "CC0"},
           "humanoid": {"humanBones": [{"bone": bone, "node": i} for i, bone in enumerate(bones)]}}
    path.write_bytes(make_glb({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes,
                               "extensionsUsed": ["VRM"], "extensions": {"VRM": vrm}}))


def json_of(page, index=0):
    return re.findall(r"```json\n(.*?)```", text_of(ROOT / "docs" / page), re.S)[index]


def prepare(folder):
    """Writes the files that the pages use, by the pages' names."""
    for line in ("vrm sample --minimal -o avatar.vrm", "vrm sample --minimal --seed 3 -o a-pose.vrm", "mkdir models folder bvh",
                 "cp avatar.vrm a-pose.vrm models/", "vrm simulate avatar.vrm -q -o moving.glb --motion walk --duration 2",
                 "vrm validate -q models/ --manifest manifest.ndjson",
                 "cp manifest.ndjson shard-1.ndjson", "vrm convert-motion -q moving.glb -o dance.vrma", "vrm convert-motion -q moving.glb -o walk.bvh",
                 "cp dance.vrma a.vrma", "cp dance.vrma b.vrma", "cp dance.vrma sitting.vrma"):
        code, _, errors = run(line, folder)
        if code != 0:
            sys.exit("%s: %s" % (line, errors))
    vrm0(folder / "old.vrm")
    vrm0(folder / "older.vrm")
    (folder / "path.txt").write_text("0 1 1.4 2\n2 -1 1.6 2\n")
    (folder / "heavy.json").write_text(json_of("ragdoll.md"))
    (folder / "manifest.json").write_text(json_of("conformance.md"))
    for name in ("script.json", "nod.json"):
        (folder / name).write_text(json_of("trace.md"))


def missing(line):
    for word, needed in NEEDS:
        there = needed.exists() if isinstance(needed, pathlib.Path) else shutil.which(needed)
        if word in line and not there:
            return needed
    return next((why for pattern, why in LEFT_OUT.items() if re.search(pattern, line)), None)


def try_commands(wanted):
    done = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prepare(folder)
        for place, line in commands():
            if not line.startswith("vrm ") or line in done or wanted not in line:
                continue
            why = missing(line)
            start = time.monotonic()
            if why is None:
                more = "".join(add for word, but, add in SMALLER if word in line and but not in line)
                code, _, errors = run(line + more, folder)
                allowed = next((codes for pattern, codes in ANSWERS.items() if re.search(pattern, line)), (0,))
                if code not in allowed:
                    fail("%s: %s: exit code %d\n%s" % (place, line, code, errors[:2000]))
            done[line] = why
            print("%5.1f s  %s%s" % (time.monotonic() - start, line, " (not run: %s)" % why if why else ""), flush=True)
    if wanted == "" and sum(why is None for why in done.values()) < 30:
        fail("only %d commands were found" % len(done))


def check_options():
    """Checks that every command in the text, whether it is run or not, has the options that the text uses."""
    helps = {}
    for page in PAGES:
        for line in re.findall(r"(?:`|^    )(vrm [a-z-]+[^`\n]*)", text_of(page), re.M):
            verb = line.split()[1]
            if verb in ("help", "COMMAND") or not re.fullmatch(r"[a-z][a-z-]+", verb):
                continue
            if verb not in helps:
                code, helps[verb], _ = run("vrm help " + verb)
                if code != 0:
                    fail("%s: there is no vrm %s" % (page.name, verb))
            for option in re.findall(r" (--[a-z][a-z-]*)", re.split(r" {2,}", line)[0]):
                if not re.search(re.escape(option) + r"(?![a-z-])", helps[verb]):
                    fail("%s: vrm %s has no %s" % (page.name, verb, option))


def check_programs():
    """Checks that every program that the text names besides `vrm` exists."""
    for place, line in commands():
        for word in re.findall(r"(?:^| )((?:scripts|build/release|tools|tests|bench)/[\w./-]+)", line):
            source = re.sub(r"^build/release/(bench_\w+)$", r"bench/\1.c", word)
            test = re.match(r"build/release/(test_\w+)$", word)
            if test and not any((ROOT / "tests").rglob(test[1] + ".c")):
                fail("%s: %s is not there" % (place, word))
            if not source.startswith("build/") and not (ROOT / source).exists():
                fail("%s: %s is not there" % (place, word))
        for preset in re.findall(r"--preset (\w+)", line):
            if '"name": "%s"' % preset not in text_of(ROOT / "CMakePresets.json"):
                fail("%s: no preset %s" % (place, preset))


# --- C ---------------------------------------------------------------------------------------------------------------

# Declarations that the fragments of C need.
GIVEN = """
#include <vrm/vrm.h>
// Outside, because pages also make some of them.
extern vrm_clip_player *player;
extern vrm_ragdoll_def body;
extern vrm_ragdoll_solver_def solver_def;
extern vrm_ragdoll_target bodies[VRM_RAGDOLL_MAX_BODIES];
extern vrm_ragdoll_targets targets;
extern vrm_fall fall;
void fragment(vrm_avatar *avatar, vrm_instance *instance, vrm_gltf *gltf, vrm_report *report, float dt, vrm_dvec3 target,
    vrm_dvec3 point, vrm_vec3 impulse, vrm_update_params update, vrm_ragdoll_solver *solver, vrm_ragdoll_state *states,
    vrm_ragdoll_error error, float *matrices, uint32_t node_count, vrm_transform *transforms, vrm_vec3 *positions,
    vrm_vec3 *normals, uint32_t vertex_count, vrm_dvec3 target_place)
{
"""


def compile_fragments():
    for page in sorted((ROOT / "docs").glob("*.md")):
        for number, code in enumerate(re.findall(r"```c\n(.*?)```", text_of(page), re.S), 1):
            if "#include" in code or page.name == "integrate.md":
                continue  # a whole program, which its own test builds and runs
            # If a fragment skips code by "...", it also gets the declarations of that code.
            given = GIVEN.replace("vrm_ragdoll_error error,", "vrm_ragdoll_error error, vrm_ragdoll_def def, vrm_ragdoll_targets targets,") \
                if "\n...\n" in code else GIVEN
            result = subprocess.run([os.environ.get("CC", "cc"), "-std=c17", "-fsyntax-only", "-Werror", "-Iinclude", "-x", "c", "-"],
                                    input=given + code.replace("\n...\n", "\n") + "}\n", capture_output=True, text=True)
            if result.returncode != 0:
                fail("%s, %d. piece of C:\n%s" % (page.name, number, result.stderr[:2000]))


# --- links -----------------------------------------------------------------------------------------------------------

def anchors(page):
    titles = re.findall(r"^#+ (.*)$", text_of(page), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def check_links():
    linked = set()
    for page in PAGES:
        text = re.sub(r"```.*?```", "", text_of(page), flags=re.S)
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            path = (page.parent / name).resolve() if name else page
            linked.add(path)
            if not path.exists():
                fail("%s: %s leads nowhere" % (page.name, target))
            elif anchor and path.suffix == ".md" and anchor not in anchors(path):
                fail("%s: %s has no such heading" % (page.name, target))
    index = ROOT / "docs/README.md"
    listed = set(re.findall(r"\]\(([^)#]+\.md)", text_of(index)))
    for page in sorted((ROOT / "docs").rglob("*.md")):
        if page != index and str(page.relative_to(ROOT / "docs")) not in listed:
            fail("docs/README.md does not list " + str(page.relative_to(ROOT / "docs")))
    for picture in sorted((ROOT / "docs/images").iterdir()) + sorted((ROOT / "docs").glob("*.svg")):
        if picture not in linked:
            fail("no page shows " + str(picture.relative_to(ROOT)))
        if picture.stat().st_size > 1_500_000:
            fail("%s has %d bytes, above 1.5 MB" % (picture.relative_to(ROOT), picture.stat().st_size))


def check_files():
    """Checks that files which a page names by a path are in the repository. Otherwise the page would describe
    something that no longer exists."""
    path = re.compile(r"`((?:src|include|tests|dynamics|scenes|bench|cli|render|view|adapters|scripts|tools|docs)/[\w./*-]+)(?=[`\s])")
    for page in PAGES + sorted((ROOT / "docs/notes").glob("*.md")):
        for name in sorted(set(path.findall(text_of(page)))):
            if not any(ROOT.glob(name.rstrip("./"))):
                fail("%s: %s is not there" % (page.name, name))


def main():
    check_links()
    check_files()
    check_options()
    check_programs()
    compile_fragments()
    try_commands(sys.argv[1] if len(sys.argv) > 1 else "")
    print("%d failures" % len(failures))
    return 1 if failures else 0


sys.exit(main())
