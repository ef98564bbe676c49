# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""The public interface is uniform. A function has at most five arguments, none of them a bool. Positions are vrm_dvec3
and not three doubles. Options are in structs named _def or _params. Queries begin with get_, is_, has_ or find_, or are
verbs.

The interface can also grow (docs/abi.md). A struct that a call reads or fills through a pointer begins with its size
and has a line in src/base/abi.h, unless it is in PLAIN, whose structs never grow. A _default function gets the size of
the program's struct. No array has one element per enumerator of an enum, unless that enum is closed."""

import re

import rule

MOST = 5
QUERY = re.compile(r"_(?:get|is|has|find)_|_(?:name|sentence)$")
# Verbs of calls that return a value although they are not queries.
VERBS = set("append build check clone create decode drive from import init load make map mirror open pack pick read reduce "
            "repair resample retain reverse run sample save set to trim validate write".split())
# Exceptions: the library's version number, a constant of the humanoid, and a formula that has the field's name.
NAMED = {"vrm_version", "vrm_human_bone_parent", "vrm_two_bone_ik"}
# An element of an array to which its def points.
ELEMENTS = {"vrm_look_bone"}

# Structs without struct_size: plain values, elements of arrays, and parts of other structs. They must never grow.
PLAIN = set("""
allocator box basis bytes changes clip_marker curve_key debug_line dvec3 expression_weight finding finding_info
first_person_range limits lod_view look_bone look_link mat34 material_params material_values meshopt_request quat draco_attribute draco_request image_request ragdoll_body
ragdoll_contact ragdoll_impulse ragdoll_joint ragdoll_joint_drive ragdoll_joint_row ragdoll_shape ragdoll_state ragdoll_target
ragdoll_velocity ragdoll_weights ragdoll_wrench range_map read_request render_extent render_image render_item
render_rectangle root scratch spring_joint_params spring_limit string tasks texture texture_transform trace_engine
trace_ragdoll transform two_bone_limb validate_resource vec3 vec4 vertex_attribute""".split())
# Enums that the specification or the humanoid makes complete.
CLOSED = {"VRM_HUMAN_BONE_COUNT", "VRM_MATERIAL_COLOR_COUNT", "VRM_TEXTURE_SLOT_COUNT"}

DECLARED = re.compile(r"^VRM_API\s+([^;(]*?)\b(vrm_\w+)\s*\(([^;]*)\)\s*;", re.M)
DOUBLES = re.compile(r"\bdouble\s*\*|\bdouble\s+\w+\[3\]")


def line_of(text, at):
    return text.count("\n", 0, at) + 1


def check_function(place, given, name, arguments):
    if len(arguments) > MOST:
        yield "%s: %s has %d arguments, more than %d: use a params struct" % (place, name, len(arguments), MOST)
    if any(re.match(r"bool\b", argument) for argument in arguments):
        yield "%s: %s has a bool argument: make it two calls or an enum" % (place, name)
    gives = given.strip() not in ("void", "vrm_result") or any(
        re.search(r"\bout(?:_\w+)?(?:\[\w*\])?$", argument) for argument in arguments)
    if gives and not QUERY.search(name) and name not in NAMED and not VERBS & set(name.split("_")):
        yield "%s: %s gives something and is neither get_, is_, has_, find_ nor a known verb" % (place, name)


def check_header(root, path):
    text, name = rule.without_comments(path.read_text(encoding="utf-8")), path.relative_to(root)
    for match in DECLARED.finditer(text):
        place = "%s:%d" % (name, line_of(text, match.start()))
        arguments = [argument.strip() for argument in match.group(3).split(",")]
        yield from check_function(place, match.group(1), match.group(2), arguments)
        options = re.fullmatch(r"(vrm_\w+)_default", match.group(2))
        if options and not re.search(r"_(?:def|params)$", options.group(1)) and options.group(1) not in ELEMENTS:
            yield "%s: options are called _def or _params: %s" % (place, options.group(1))
    for match in DOUBLES.finditer(text):
        yield "%s:%d: a place is a vrm_dvec3" % (name, line_of(text, match.start()))


# --- structs and enums that may grow ---------------------------------------------------------------------------------

STRUCT = re.compile(r"^typedef struct (vrm_\w+) \{\n(.*?)^\} \1;", re.M | re.S)
COUNTED = re.compile(r"\w+\[(VRM_\w+_COUNT)\]")


def check_struct(place, name, members, least):
    sized = re.match(r"\s*uint32_t struct_size;", members)
    plain = name[len("vrm_"):] in PLAIN
    if plain and sized:
        yield "%s: %s is a plain value and has a size" % (place, name)
    if not plain and not sized:
        yield "%s: %s does not begin with struct_size: it cannot grow (or it is one of PLAIN)" % (place, name)
    if sized and name not in least:
        yield "%s: %s has no line in src/base/abi.h" % (place, name)
    if not sized:
        return
    for part in re.findall(r"^\s*(vrm_\w+) \w+(?:\[\w+\])?;", members, re.M):
        if part in least:
            yield "%s: %s, which grows, lies in the midst of %s" % (place, part, name)


def check_growth(root):
    least = set(re.findall(r"VRMI_LEAST_(vrm_\w+) ", (root / "src/base/abi.h").read_text(encoding="utf-8")))
    for path in rule.sources(root, ["include", "render/include", "adapters/ode/include"]):
        text, name = rule.without_comments(path.read_text(encoding="utf-8")), path.relative_to(root)
        for match in STRUCT.finditer(text):
            yield from check_struct("%s:%d" % (name, line_of(text, match.start())), match.group(1), match.group(2), least)
        for match in COUNTED.finditer(text):
            if match.group(1) not in CLOSED:
                yield "%s:%d: %s grows: pass the count, or give the array room" % (
                    name, line_of(text, match.start()), match.group(0))
        for match in DECLARED.finditer(text):
            options = re.fullmatch(r"(vrm_\w+)_default", match.group(2))
            macro = "#define %s(" % match.group(2)
            if options and options.group(1) in least and ("size_t size" not in match.group(3) or macro not in text):
                yield "%s:%d: %s does not know how large the program's struct is" % (
                    name, line_of(text, match.start()), match.group(2))


# Code that people copy. If a program's struct has neither its size nor its defaults, the call that should fill it does
# not change it.
LOCAL = re.compile(r"^[ \t]*(?:static )?(vrm_\w+) (\w+);", re.M)
# Members of a program's own struct, which are filled later.
MEMBERS = re.compile(r"^(typedef struct \w+ \{)\n(.*?)^(\} \w+;)", re.M | re.S)
NEAR = 800


def check_copied(root):
    least = set(re.findall(r"VRMI_LEAST_(vrm_\w+) ", (root / "src/base/abi.h").read_text(encoding="utf-8")))
    pages = [*root.glob("README.md"), *sorted((root / "docs").rglob("*.md")), *rule.sources(root, ["examples"], (".c", ".cpp"))]
    for path in pages:
        text = MEMBERS.sub(lambda match: match.group(1) + "\n" * (match.group(2).count("\n") + 1) + match.group(3),
                           path.read_text(encoding="utf-8"))
        for match in LOCAL.finditer(text):
            after = text[match.end():match.end() + NEAR]
            given = r"\b%s\.struct_size\b|_default\(&%s\b" % (match.group(2), match.group(2))
            if match.group(1) in least and not re.search(given, after):
                yield "%s:%d: %s %s has no size: give it one, or its defaults" % (
                    path.relative_to(root), line_of(text, match.start()), match.group(1), match.group(2))


# In the project's own programs and tests, the first statement that uses such a struct must not pass it to a call. (A
# helper may fill it; this rule does not follow helpers.)
PROGRAMS = ["cli", "render", "view", "scenes", "bench", "adapters", "tests"]


def check_unsized(root):
    least = set(re.findall(r"VRMI_LEAST_(vrm_\w+) ", (root / "src/base/abi.h").read_text(encoding="utf-8")))
    for path in rule.sources(root, [folder for folder in PROGRAMS if (root / folder).is_dir()], (".c", ".cpp")):
        text = path.read_text(encoding="utf-8")
        for match in LOCAL.finditer(text):
            name = re.escape(match.group(2))
            use = re.search(r"[^;{}]*\b%s\b[^;{}]*" % name, text[match.end():match.end() + NEAR])
            if match.group(1) in least and use and re.search(r"\bvrm_(?!\w+_default\()\w+\([^;]*&%s\b(?!\.)" % name, use.group()):
                yield "%s:%d: %s %s has no size: give it one, or its defaults" % (
                    path.relative_to(root), line_of(text, match.start()), match.group(1), match.group(2))


# Folders that use public functions: programs, the renderer, adapters, examples, bindings, and the solver, which uses
# the drives as an engine does. A definition begins at the start of its line.
USERS = ["cli", "render", "view", "adapters", "scenes", "examples", "bindings", "dynamics"]
# Functions that are not used in these folders, and why they exist.
UNUSED = {
    "vrm_assert_failed": "behind the renderer's VRM_ASSERT, a macro of src/base",
    "vrm_avatar_load_json": "for hosts that have the JSON alone, as pages do that stream the rest",
    "vrm_instance_get_requested_root": "for hosts that move their own characters instead of taking the root as asked",
    "vrm_ragdoll_drive_torques_explicit": "the article's own formula, to see why it is not used",
}


def check_used(root):
    text = "\n".join(path.read_text(encoding="utf-8") for path in rule.sources(
        root, [folder for folder in USERS if (root / folder).is_dir()], (".c", ".h", ".cpp", ".hpp", ".py"))
        if "/include/" not in str(path) or path.suffix == ".hpp")
    text += "\n".join(path.read_text(encoding="utf-8") for path in sorted((root / "include").rglob("*.hpp")))
    used = set(re.findall(r"(?<=[^\w])vrm_\w+", re.sub(r"^\w[^\n;]*\bvrm_\w+\([^;{]*\n\{", "", text, flags=re.M)))
    for path in rule.sources(root, ["include"]):
        for match in DECLARED.finditer(rule.without_comments(path.read_text(encoding="utf-8"))):
            name = match.group(2)
            if (name in used) == (name in UNUSED):
                yield "%s: %s %s" % (path.relative_to(root), name,
                    "is used and excused" if name in used else "is a promise that only tests use")


def check(root):
    complaints = [complaint for path in rule.sources(root, ["include"]) for complaint in check_header(root, path)]
    return complaints + list(check_growth(root)) + list(check_copied(root)) + list(check_unsized(root)) + list(check_used(root))


def declare(name, arguments, given="void"):
    return rule.append("include/vrm/base.h", "VRM_API %s %s(%s);\n" % (given, name, arguments))


rule.main(check, [
    ("six arguments", "include/vrm/base.h", declare("vrm_x_set", "int a, int b, int c, int d, int e, int f")),
    ("a bool argument", "include/vrm/base.h", declare("vrm_x_set", "int a, bool on")),
    ("a place of three doubles", "include/vrm/base.h", declare("vrm_x_set", "double place[3]")),
    ("a place behind a pointer", "include/vrm/base.h", declare("vrm_x_set", "const double *place")),
    ("options of another name", "include/vrm/base.h", declare("vrm_x_settings_default", "vrm_x_settings *settings")),
    ("a query without a word for it", "include/vrm/base.h", declare("vrm_x_height", "const vrm_x *x", "float")),
    ("a query through an out parameter", "include/vrm/base.h",
        declare("vrm_x_height", "const vrm_x *x, float *out_height", "vrm_result")),
    ("an output without its size", "vrm_x does not begin",
        rule.append("include/vrm/base.h", "typedef struct vrm_x {\n    float far;\n} vrm_x;\n")),
    ("a size that abi.h does not know", "vrm_x has no line",
        rule.append("include/vrm/base.h", "typedef struct vrm_x {\n    uint32_t struct_size;\n} vrm_x;\n")),
    ("a growing struct within another", "lies in the midst",
        rule.append("include/vrm/base.h", "typedef struct vrm_x {\n    uint32_t struct_size;\n    vrm_meta meta;\n} vrm_x;\n")),
    ("defaults without a size", "does not know how large",
        rule.append("include/vrm/base.h", "VRM_API void vrm_gltf_def_default(vrm_gltf_def *def);\n")),
    ("an example whose struct has no size", "has no size", rule.append("docs/abi.md", "\n    vrm_node node;\n    x(&node);\n")),
    ("a call whose struct has no size", "vrm_node node has no size",
        rule.append("cli/main.c", "static void x(const vrm_avatar *a)\n{\n    vrm_node node;\n    vrm_avatar_get_node(a, 0, &node);\n}\n")),
    ("a function that nothing uses", "only tests use", declare("vrm_x_set", "int a")),
    ("an array of as many as an enum has", "pass the count", declare("vrm_x_set", "float weights[VRM_VISEME_COUNT]")),
])
