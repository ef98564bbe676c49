# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""The interface is of one grain: at most five arguments, none of them a bool, places as vrm_dvec3 and not as three doubles,
options in structs that are called _def or _params, queries that begin with get_, is_, has_ or find_, or are verbs."""

import re

import rule

MOST = 5
QUERY = re.compile(r"_(?:get|is|has|find)_|_(?:name|sentence)$")
# What a call does that gives something without being a query.
VERBS = set("append build check clone create decode drive from import init load make map mirror open pack pick read reduce "
            "repair resample retain reverse run sample save set to trim validate write".split())
# A number about the library, a constant of the humanoid, and a formula by its name in the field.
NAMED = {"vrm_version", "vrm_human_bone_parent", "vrm_two_bone_ik"}
# An element of an array that its def points to.
ELEMENTS = {"vrm_look_bone"}

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


def check(root):
    return [complaint for path in rule.sources(root, ["include"]) for complaint in check_header(root, path)]


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
])
