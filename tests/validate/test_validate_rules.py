# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Checks docs/rules.md. For every sentence of the specifications it names codes that exist and that some file gives,
or an existing test, or the reason for having neither. If the notes on the specifications are available
(../shared/spec/digest.md), each line of the notes has its rows, or a reason for needing none
(tests/validate/digest.json, by section and first words). Also checks docs/departures.md: its tests exist, and its
rows add up to the sums in its table."""

import json
import os
import pathlib
import re
import sys

ROOT = pathlib.Path.cwd()
DIGEST = pathlib.Path(os.environ.get("VRM_SHARED", "../shared")) / "spec/digest.md"
WORDS = {"must", "required", "should", "may", "schema"}
KEY_LENGTH = 40


def read_rows():
    rows = {}
    for line in (ROOT / "docs/rules.md").read_text().splitlines():
        cells = re.fullmatch(r"\| ([A-Z]\d+) \| (.*?) \| (.*?) \| (.*?) \|", line)
        if cells:
            number, sentence, word, told = cells.groups()
            if number in rows:
                sys.exit("%s stands twice" % number)
            rows[number] = (sentence, word, told)
    return rows


def check_player(number, text):
    """Checks that "file case, file case" names existing files that contain the cases."""
    for item in text.split(", "):
        file, *case = item.split(" ", 1)
        paths = list((ROOT / "tests").rglob(file))
        if len(paths) != 1:
            yield "%s: %d files %s below tests/" % (number, len(paths), file)
        elif case and not re.search(r"\b%s\b" % re.escape(case[0]), paths[0].read_text()):
            yield "%s: %s has no %s" % (number, paths[0].relative_to(ROOT), case[0])


def check_row(number, row, given):
    sentence, word, told = row
    if word not in WORDS or not sentence.endswith("."):
        yield "%s: not a sentence with one of %s" % (number, sorted(WORDS))
    if told.startswith("*player* "):
        yield from check_player(number, told[len("*player* "):])
    elif told.startswith("*open* "):
        if len(told) < 20:
            yield "%s: open, without a reason" % number
    else:
        yield from ("%s: no file of tests/validate/expected.json gives %s" % (number, code) for code in told.split(", ") if code not in given)


def digest_lines(text):
    """Yields section and first words of each line of sections 0 to 11, except formulas and table headers."""
    section, formula = None, False
    for line in text.splitlines():
        head = re.match(r"###? (\d+(?:\.\d+)?)", line)
        if head:
            section = head.group(1).rstrip(".")
        formula ^= line.startswith("```")
        body = line.strip("- `*|").strip()
        if (head or formula or line.startswith(("```", "#", "|---", "| field", "| topic")) or not body or section is None or
                float(section.split(".")[0]) > 11):
            continue
        yield "%s %s" % (section, body[:KEY_LENGTH])


def check_departures():
    text = (ROOT / "docs/departures.md").read_text()
    said = {int(document): [int(cell) for cell in cells.split(" | ")]
            for document, cells in re.findall(r"^\| (\d{3}) \| (\d+(?: \| \d+){5}) \|$", text, re.M)}
    counted = {document: {"mode": 0, "departed": 0, "not built": 0} for document in said}
    document = None
    for line in text.splitlines():
        head = re.match(r"## (\d{3}): ", line)
        document = int(head.group(1)) if head else document
        cells = re.fullmatch(r"\| (\d\.\d+) \| .+ \| .+ \| (.+) \| (\d+) \| (mode|departed|not built) \| (.+) \|", line)
        if cells:
            number, switch, count, kind, tests = cells.groups()
            counted[document][kind] += int(count)
            if (switch == "-") != (kind != "mode"):
                yield "%s: a mode has a switch, what departs has none" % number
            if tests != "none of its own":
                yield from check_player(number, tests)
        elif re.match(r"\| \d\.\d", line):
            yield "not a row: %s" % line
    for document, (read, nothing, followed, *kinds) in said.items():
        if read != nothing + followed + sum(kinds) or kinds != list(counted[document].values()):
            yield "%03d: %s, but the rows say %s" % (document, kinds, counted[document])
    total = [sum(column) for column in zip(*said.values())]
    if len(said) != 5 or "| all | %s |" % " | ".join(map(str, total)) not in text:
        yield "docs/departures.md: the five documents add up to %s" % total


def main():
    rows = read_rows()
    expected = json.loads((ROOT / "tests/validate/expected.json").read_text())
    given = {line.split()[0] for lines in expected.values() for line in lines}
    failures = [failure for number, row in rows.items() for failure in check_row(number, row, given)]
    known = json.loads((ROOT / "tests/validate/digest.json").read_text())
    for key, answer in known.items():
        failures += ["%s: there is no row %s" % (key, number) for number in (answer if isinstance(answer, list) else []) if number not in rows]
    failures += check_departures()
    named = {number for answer in known.values() if isinstance(answer, list) for number in answer}
    failures += ["%s answers no line of the notes" % number for number in rows if number not in named]
    if DIGEST.is_file():
        lines = list(digest_lines(DIGEST.read_text()))
        failures += ["no row for: %s" % line for line in lines if line not in known]
        failures += ["the notes have no such line any more: %s" % key for key in known if key not in lines]
        print("%d lines of the notes" % len(lines))
    else:
        print("%s is not there: only the rows are checked" % DIGEST)
    print("%d sentences" % len(rows))
    print("\n".join(failures))
    sys.exit(1 if failures or len(rows) < 150 else 0)


main()
