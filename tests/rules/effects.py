# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Each public option has a record in scripts/campaign/effects.txt, whose changes can still be made.
scripts/campaign/effects, which is started by hand, finds out if tests notice these changes."""

import importlib.machinery
import importlib.util
import pathlib

import rule

SCRIPT = str(pathlib.Path("scripts/campaign/effects").resolve())
loader = importlib.machinery.SourceFileLoader("effects", SCRIPT)
effects = importlib.util.module_from_spec(importlib.util.spec_from_loader("effects", loader))
loader.exec_module(effects)


def check(root):
    effects.sources.cache_clear()  # the mutation has changed files
    return effects.check_list(effects.read_records(), root)


def rewrite(root):
    path = root / "dynamics/solver_sleep.c"
    path.write_text(path.read_text(encoding="utf-8").replace("params.joint_friction", "params.other"), encoding="utf-8")


rule.main(check, [
    ("an option without a record", "vrm_x.secret",
        rule.append("include/vrm/base.h", "\ntypedef struct vrm_x {\n    float secret;\n} vrm_x;\n"
                    "void vrm_x_default(vrm_x *x);\n")),
    ("a change that cannot be made", "vrm_ragdoll_solver_def.joint_friction", rewrite),
])
