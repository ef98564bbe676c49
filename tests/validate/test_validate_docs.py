# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Checks docs/validation.md. Every rule of glTF has an existing code. Every code stands for a rule there or in
docs/rules.md, and names specification and section. The list of codes is the same as in the catalogue. VRM_RENEW=1
writes the list again."""

import os
import pathlib
import re
import sys

ROOT = pathlib.Path.cwd()
PAGE = ROOT / "docs/validation.md"
SEVERITIES = {"ERROR": "error", "WARNING": "warning", "INFO": "info", "HINT": "hint"}
OTHERS = ("TRACE_", "MIGRATE_", "RAGDOLL_", "BAKE_", "ANIMATION_NOT_BAKED", "BVH_", "VRM1_NO_VRM_EXTENSION")
MARK = "## The codes\n"
# Codes that mrxz' vrm-validator has with the same meaning.
MRXZ = ("VRM0_VRM_EXTENSION VRM1_NO_VRM_EXTENSION VRM1_BONE_NOT_UNIQUE VRM1_INVALID_THUMBNAIL_IMAGE_MIME_TYPE "
        "VRM1_NON_RECOMMENDED_THUMBNAIL_RESOLUTION VRM1_TEXTURE_TRANSFORM_ROTATION VRM1_TEXTURE_TRANSFORM_TEXCOORD "
        "VRM1_MORPH_TARGET_NODE_WITHOUT_MESH VRM1_MESH_PRIMITIVE_TANGENTS").split()


def catalogue():
    # Joins each row into one line.
    text = re.sub(r" \\\n {8,}", " ", (ROOT / "include/vrm/findings.h").read_text()).replace('" "', "")
    rows = re.findall(r'^    X\((\w+), \d+, (\w+), "((?:[^"\\]|\\.)*)", "(?:[^"\\]|\\.)*", "((?:[^"\\]|\\.)*)"\)', text, re.M)
    changes = dict(re.findall(r"\{VRM_FINDING_(\w+), VRM_SEVERITY_(\w+)\}", (ROOT / "src/validate/severities.c").read_text()))
    return {name: (SEVERITIES[changes.get(name, severity)], sentence, section) for name, severity, sentence, section in rows}


def code_list(codes):
    rows = ["| `%s` | %s | %s |" % (name, severity, sentence) for name, (severity, sentence, _) in sorted(codes.items())
            if not name.startswith(OTHERS)]
    return "\n".join(["| code | severity | |", "| --- | --- | --- |"] + rows) + "\n"


# Cells of the table of repairs in which another runtime reads nothing, or reads what libvrm reads.
ALIKE = ("", "the same", "refused", "loads no avatar", "limits are not read", "Unity refuses the humanoid", "read", "see below")
# Codes that all runtimes read alike, although a row of the table also stands for other codes.
READ_ALIKE = ("VRM1_UNKNOWN_PRESET", "VRM1_MODEL_SIZE")


def check_readings(page, codes):
    """If another runtime reads a defect differently, the finding's sentence names that runtime."""
    table = page.split("| code, or fault | here | UniVRM | three-vrm |")[1].split("\n\n")[0]
    rows = 0
    for fault, ours, *others in re.findall(r"^\| (VRM1_.*?) \| (.*?) \| (.*?) \| (.*?) \|$", table, re.M):
        differ = [other for other in others if other not in ALIKE and other not in ours and not other.startswith(ours)]
        for code in re.findall(r"VRM1_\w+", fault):
            rows += 1
            if differ and code not in READ_ALIKE and not re.search("UniVRM|three-vrm", codes[code][1]):
                yield "%s: another runtime reads it differently (%s), and the finding does not say so" % (code, differ)
    if rows < 20:
        yield "the table of repairs has %d codes" % rows


def main():
    codes = catalogue()
    page = PAGE.read_text()
    head, rest = page.split(MARK)
    introduction = rest.split("| code |")[0]
    wanted = head + MARK + introduction.rstrip("\n") + "\n\n" + code_list(codes)
    if os.environ.get("VRM_RENEW") == "1":
        PAGE.write_text(wanted)
        page = wanted
    failures = [] if page == wanted else ["the list of codes is not the catalogue's (VRM_RENEW=1)"]
    failures += check_readings(page, codes)
    rules = re.findall(r"^\| (.*?) \| (.*?) \|$", head.split("## The rules")[1], re.M)
    rules = [(rule, named) for rule, named in rules if rule not in ("rule", "---")]
    for rule, named in rules:
        failures += ["%s: there is no code %s" % (rule, code) for code in named.split(", ") if code not in codes]
    covered = {code for _, named in rules for code in named.split(", ")}
    covered |= set(re.findall(r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b", (ROOT / "docs/rules.md").read_text()))
    failures += ["%s: no such code any more" % code for code in MRXZ if code not in codes]
    # These codes do not stand for rules of a specification. They report what a reader did.
    remarks = {"LIMIT_EXCEEDED", "PRIMITIVE_UNREADABLE", "UNUSED_OBJECT", "VRM1_NO_BOUNDS"}
    failures += ["%s stands for no rule" % code for code in codes
                 if not code.startswith(OTHERS + ("MOTION_",)) and code not in covered | remarks]
    failures += ["%s: section \"%s\" names no section of a specification" % (code, section) for code, (_, _, section) in codes.items()
                 if not code.startswith(OTHERS + ("MOTION_",)) and code not in remarks and not re.search(r"[ ,]", section.replace("glTF 2.0", "glTF"))]
    print("%d rules, %d codes" % (len(rules), len([code for code in codes if not code.startswith(OTHERS)])))
    print("\n".join(failures))
    sys.exit(1 if failures or len(rules) < 25 else 0)


main()
