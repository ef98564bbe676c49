# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""The suite's scripts run with Debian 12's Node 18: no package that scripts/test installs excludes it, and no script
uses a feature of a later Node."""

import json
import pathlib
import re
import sys

FLOOR = (18, 20, 0)
# The suite's tools and tests. bench/ and scripts/campaign are started by hand and may need a later version.
SUITE = ("tests", "tools")
LATER = re.compile(
    r"\.(?:toSorted|toSpliced|toReversed|isWellFormed|toWellFormed|isSubsetOf|isSupersetOf|isDisjointFrom)\("
    r"|\b(?:Object|Map)\.groupBy\b|\bPromise\.(?:withResolvers|try)\b|\bArray\.fromAsync\b|\bIterator\.from\b"
    r"|\bimport\.meta\.(?:dirname|filename)\b|\bnew (?:File|CustomEvent|WebSocket)\(|\bnavigator\.|\bnode:sqlite\b"
    r"|\bglobSync\b|\bstyleText\b|\bRegExp\.escape\b|\.with\(\w+, ")


def version(text):
    """Returns the numbers of 18.2.1, v18 or 18.x as a tuple, without wildcards."""
    return [int(part) for part in re.match(r"v?([\d.]*)", text).group(1).split(".") if part]


def holds(comparator, at):
    """Whether one comparator of an npm range, such as >=18.2, ^20.9.0 or 18.x, admits the version `at`."""
    operator, text = re.match(r"(>=|<=|>|<|\^|~|=)?(.*)", comparator).groups()
    given = version(text)
    full = tuple(given + [0] * (3 - len(given)))
    here = at[:len(given)]
    return {">=": at >= full, "<": at < full, ">": here > tuple(given), "<=": here <= tuple(given),
            "^": at >= full and at[:1] == full[:1],
            "~": at >= full and at[:min(2, len(given))] == full[:min(2, len(given))],
            }.get(operator, here == tuple(given))


def admits(wanted, at):
    """Whether an npm range admits the version."""
    for alternative in wanted.split("||"):
        alternative = re.sub(r"(\S+)\s+-\s+(\S+)", r">=\1 <=\2", alternative)
        if all(holds(comparator, at) for comparator in re.sub(r"([<>=^~])\s+", r"\1", alternative).split()):
            return True
    return False


def check_lock(name, text):
    for path, package in json.loads(text)["packages"].items():
        engines = package.get("engines") or {}
        wanted = engines.get("node", "*") if isinstance(engines, dict) else "*"
        # npm skips an optional package that does not support this version.
        if not package.get("optional") and not admits(wanted, FLOOR):
            yield "%s: %s needs Node %s" % (name, path or "the tool itself", wanted)


def check_script(name, text):
    for number, line in enumerate(text.splitlines(), 1):
        for word in LATER.findall(line):
            yield "%s:%d: Node 18 has no %s" % (name, number, word)


def files(pattern):
    return [path for folder in SUITE for path in sorted(pathlib.Path(folder).rglob(pattern))
            if "node_modules" not in path.parts]


def notice(name, complaints):
    print("mutation %s: %s" % (name, complaints[0] if complaints else "NOT NOTICED"))
    return bool(complaints)


def main():
    for wanted, expected in ((">=18", True), (">=20.9.0", False), ("^20.9.0", False), ("10.* || >= 12.*", True),
                             ("*", True), ("^16 || ^18.12", True), ("16 - 18", True), (">=14 <18", False),
                             ("18.x", True), ("~18.19", False), ("^14.18.0 || ^16.14.0 || >=18.21", False), ("", True),
                             (">18", False), ("<=18", True)):
        if admits(wanted, FLOOR) != expected:
            sys.exit("%r is read wrongly" % wanted)
    locks, scripts = files("package-lock.json"), files("*.mjs")
    complaints = [text for path in locks for text in check_lock(path, path.read_text(encoding="utf-8"))]
    complaints += [text for path in scripts for text in check_script(path, path.read_text(encoding="utf-8"))]
    print("%d lock files, %d scripts\n%s" % (len(locks), len(scripts), "\n".join(complaints)))
    later = '{"packages": {"a": {"engines": {"node": ">=20"}}}}'
    good = notice("a package for Node 20", list(check_lock("lock", later)))
    good = notice("a call of toSorted", list(check_script("script", "list.toSorted()"))) and good
    sys.exit(0 if good and locks and scripts and not complaints else 1)


main()
