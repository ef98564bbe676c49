# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""R3, the order is on one screen: src/runtime/update.c is the only caller of the stages, and the whole file fits on
a screen. The enumerators of vrm_stage are in the same order."""

import re

import rule

STAGE = re.compile(r"\bvrmi_stage_\w+")
DEFINITION = re.compile(r"^void vrmi_stage_\w+\(")
ENUMERATOR = re.compile(r"^ +VRM_STAGE_(\w+) = 1 << (\d+),", re.MULTILINE)
SCREEN = 150


def check_enumerators(root, update):
    """Checks that the bits ascend, and that each stage begins after the previous one."""
    last = -1
    rows = ENUMERATOR.findall((root / "include/vrm/update.h").read_text(encoding="utf-8"))
    for bit, (name, value) in enumerate(rows):
        # For the profile of another runtime, update.c may also run a stage earlier.
        at = update.find("vrmi_stage_" + name.lower(), last + 1)
        if int(value) != bit or at < 0:
            yield "include/vrm/update.h: VRM_STAGE_%s does not stand where update.c runs it" % name
        last = max(at, last)


def check(root):
    complaints = []
    declared = set(STAGE.findall(rule.without_comments((root / "src/runtime/stages.h").read_text(encoding="utf-8"))))
    for path in rule.sources(root, ["src", "cli", "include"]):
        name = str(path.relative_to(root))
        if name in ("src/runtime/update.c", "src/runtime/stages.h"):
            continue
        for number, line in enumerate(rule.without_comments(path.read_text(encoding="utf-8")).splitlines(), 1):
            if STAGE.search(line) and not (path.name.startswith("stage_") and DEFINITION.match(line)):
                complaints.append("%s:%d: names a stage, which only update.c may" % (name, number))
    update = (root / "src/runtime/update.c").read_text(encoding="utf-8")
    called = set(STAGE.findall(rule.without_comments(update)))
    complaints.extend("src/runtime/update.c: does not call %s" % stage for stage in sorted(declared - called))
    complaints.extend("src/runtime/update.c: calls %s, which stages.h lacks" % stage for stage in called - declared)
    complaints.extend(check_enumerators(root, update))
    if update.count("\n") > SCREEN:
        complaints.append("src/runtime/update.c: has more than %d lines" % SCREEN)
    return complaints


def drop_a_stage(root):
    path = root / "src/runtime/update.c"
    path.write_text(path.read_text(encoding="utf-8").replace("vrmi_stage_constraint", "vrmi_other"), encoding="utf-8")


def swap_enumerators(root):
    path = root / "include/vrm/update.h"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("STAGE_SPRING =", "STAGE_X =").replace("STAGE_CONSTRAINT =", "STAGE_SPRING =")
                    .replace("STAGE_X =", "STAGE_CONSTRAINT ="), encoding="utf-8")


rule.main(check, [
    ("a stage calls another", "src/runtime/clip/stage_pose.c",
        rule.append("src/runtime/clip/stage_pose.c", "void vrmi_x(vrm_instance *i);\nvoid vrmi_x(vrm_instance *i)\n{\n"
                    "    vrmi_stage_look_at(i);\n}\n")),
    ("a pointer to a stage", "src/runtime/instance.c",
        rule.append("src/runtime/instance.c", "static void (*later)(vrm_instance *) = vrmi_stage_pose;\n")),
    ("enumerators in another order", "include/vrm/update.h", swap_enumerators),
    ("a stage is left out", "src/runtime/update.c", drop_a_stage),
])
