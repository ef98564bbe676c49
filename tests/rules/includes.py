# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""R1, one direction: the files that each layer may include, also through other files. The wings of the runtime
include core/ and never each other."""

import functools
import os
import pathlib
import re

import rule

ALLOWED = {
    "base": {"base"},
    "math": {"math", "base"},
    "format": {"format", "base"},
    "model": {"model", "math", "base"},
    "import": {"import", "format", "model", "math", "base"},
    "validate": {"validate", "import", "format", "model", "math", "base"},
    "export": {"export", "format", "model", "math", "base"},
    "runtime": {"runtime", "model", "math", "base"},
    "record": {"record", "format", "model", "runtime", "math", "base"},
    "motion": {"motion", "model", "math", "base"},
    "ragdoll": {"ragdoll", "format", "model", "math", "base"},
    "sample": {"sample", "format", "math", "base"},
}
# The light solver exchanges targets and states with the ragdoll as any engine does, and uses no avatar.
DYNAMICS = {"math", "base"}
DYNAMICS_PUBLIC = {"vrm/fall.h", "vrm/ragdoll.h", "vrm/ragdoll_drive.h", "vrm/ragdoll_solver.h", "vrm/math.h", "vrm/result.h", "vrm/base.h"}
# Tools use the public headers, and of the library's internals only text functions that ignore the C locale. (The
# program vrm-render also reads JSON with the library's own parser, for vrm rpc; render/ is not checked here.)
TOOLS = {"cli": {"base"}, "adapters": {"base"}}

# Folders of src/runtime, and the other folders that each may include. The instance, in core/, contains parts of the
# other folders, so core/ may include one header of each.
WINGS = {"clip": {"core"}, "look": {"core"}, "expression": {"core"}, "spring": {"core"}, "ragdoll": {"core"}}
CORE = {"runtime/%s/%s.h" % (wing, wing) for wing in WINGS}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.M)

PUBLIC = re.compile(r"^[ \t]*#[ \t]*include[ \t]+<(vrm/[^>]+)>", re.M)


@functools.lru_cache(maxsize=None)
def included(root, path):
    """Returns (name, file) of each direct include of a file; the file is None if it does not exist."""
    found = []
    for name in rule.findall(INCLUDE, rule.without_comments(path.read_text(encoding="utf-8"))):
        files = [folder / name for folder in (path.parent, root / "src") if (folder / name).is_file()]
        found.append((name, pathlib.Path(os.path.normpath(files[0])) if files else None))
    return found


def reachable(root, path):
    """Returns (file, the chain of names that leads to it) of all direct and indirect includes."""
    seen, stack = set(), [(path, [])]
    while stack:
        current, chain = stack.pop()
        for name, target in included(root, current):
            if target is None or target not in seen:
                seen.add(target)
                yield target, chain + [name]
                if target is not None:
                    stack.append((target, chain + [name]))


def check_file(root, path, allowed, own):
    for target, chain in reachable(root, path):
        if target is None:
            # Programs share these folders besides their own folder. The shared folders are checked separately.
            shared = [root / folder / chain[-1] for folder in ("scenes", "cli")]
            if "vrm/" not in chain[-1] and not any(path.is_file() for path in shared):
                yield "%s: includes %s, which is not there" % (path.relative_to(root), " -> ".join(chain))
            continue
        below = str(target).partition("%s/src/" % root)[2]
        layer = below.split("/")[0] if below else own
        if layer != own and layer not in allowed:
            yield "%s: %s/ may not include %s/ (%s)" % (path.relative_to(root), own, layer, " -> ".join(chain))


def check_wings(root):
    """Checks the direct includes of a wing's files. Files that core/ includes are allowed."""
    for path in rule.sources(root, ["src/runtime"]):
        folders = path.relative_to(root / "src/runtime").parts[:-1]
        if not folders:
            continue # the frame uses all of them
        if folders[0] not in WINGS and folders[0] != "core":
            yield "%s: the wing %s is not in the table of this rule" % (path.relative_to(root), folders[0])
            continue
        for name, target in included(root, path):
            parts = target.relative_to(root / "src").parts if target else tuple(name.split("/"))
            if parts[0] != "runtime" or parts[1] in (folders[0], "stages.h"):
                continue # stages.h declares what the frame calls
            allowed = name in CORE if folders[0] == "core" else parts[1] in WINGS[folders[0]]
            if not allowed:
                yield "%s: %s/ may not include %s" % (path.relative_to(root), folders[0], name)


def check(root):
    root = root.resolve()
    included.cache_clear()  # the mutation has changed files
    complaints = list(check_wings(root))
    for path in rule.sources(root, ["src"]):
        layer = path.relative_to(root / "src").parts[0]
        if layer not in ALLOWED:
            complaints.append("%s: the layer %s is not in the table of this rule" % (path.relative_to(root), layer))
            continue
        complaints.extend(check_file(root, path, ALLOWED[layer], layer))
    for folder, allowed in TOOLS.items():
        for path in rule.sources(root, [folder]):
            complaints.extend(check_file(root, path, allowed, folder))
    for path in rule.sources(root, ["dynamics"]):
        complaints.extend(check_file(root, path, DYNAMICS, "dynamics"))
        for name in rule.findall(PUBLIC, rule.without_comments(path.read_text(encoding="utf-8"))):
            if name not in DYNAMICS_PUBLIC:
                complaints.append("%s: dynamics/ may not include <%s>" % (path.relative_to(root), name))
    for path in rule.sources(root, ["include"]):
        for name in rule.findall(INCLUDE, rule.without_comments(path.read_text(encoding="utf-8"))):
            complaints.append("%s: a public header includes \"%s\"" % (path.relative_to(root), name))
    return complaints


def through_base(root):
    rule.append("src/math/quat.c", '#include "base/checks.h"\n')(root)
    rule.append("src/base/checks.h", '#include "model/model.h"\n')(root)


rule.main(check, [
    ("runtime includes format", "src/runtime/update.c",
        rule.append("src/runtime/update.c", '#include "format/json/json.h"\n')),
    ("model includes runtime", "src/model/model.h",
        rule.append("src/model/model.h", '#include "runtime/core/instance.h"\n')),
    ("math reaches model through base", "src/math/quat.c",
        through_base),
    ("a wing includes another", "src/runtime/look/stage_look_at.c",
        rule.append("src/runtime/look/stage_look_at.c", '#include "runtime/expression/expression.h"\n')),
    ("a wing includes another's header by the short name", "src/runtime/spring/spring_state.c",
        rule.append("src/runtime/spring/spring_state.c", '#include "../ragdoll/ragdoll.h"\n')),
    ("a wing includes the frame", "src/runtime/clip/clip_mix.c",
        rule.append("src/runtime/clip/clip_mix.c", '#include "runtime/frame.h"\n')),
    ("core includes a wing's inside", "src/runtime/core/output.c",
        rule.append("src/runtime/core/output.c", '#include "runtime/spring/spring_step.h"\n')),
    ("a new wing", "src/runtime/cloth/cloth.c", rule.append("src/runtime/cloth/cloth.c", "int vrmi_cloth;\n")),
    ("a new layer", "src/gpu/draw.c", rule.append("src/gpu/draw.c", "int vrmi_draw;\n")),
    ("the command includes the inside", "cli/main.c", rule.append("cli/main.c", '#include "runtime/core/instance.h"\n')),
    ("dynamics includes runtime", "dynamics/solver_step.c",
        rule.append("dynamics/solver_step.c", '#include "runtime/core/instance.h"\n')),
    ("dynamics knows avatars", "dynamics/solver.c", rule.append("dynamics/solver.c", "#include <vrm/avatar.h>\n")),
    ("a public header includes the inside", "include/vrm/output.h",
        rule.append("include/vrm/output.h", '#include "model/model.h"\n')),
])
