# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""Checks that the numbers of the public enums never change. Each enumerator states its number, no two enumerators of an
enum have the same number, and all numbers are those of tests/abi/1/enums.txt. Enumerators may be added. Then only the
last enumerator of an enum may grow: its _COUNT, or the _ALL of its bits.

VRM_RENEW=1 writes the list again, which is right only after enumerators were added."""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FROZEN = ROOT / "tests/abi/1/enums.txt"


def preprocessed(text, folder=None):
    """Returns the compiler's view of a text that includes our headers."""
    command = [os.environ.get("CC", "cc"), "-std=c17", "-E", "-P", "-I", str(folder or ROOT / "include"), "-x", "c", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def enumerators(text):
    """Returns ({name: (number, true if it may grow)}, complaints) of the preprocessed text."""
    numbers, complaints = {}, []
    for body in re.findall(r"\benum\b[^;{}]*\{([^}]*)\}", text):
        of_enum = {}
        items = [part.strip() for part in body.split(",") if part.strip()]
        for item in items:
            name, _, value = (part.strip() for part in item.partition("="))
            if not name.startswith("VRM_"):
                continue
            if not re.fullmatch(r"[-()0-9<\s]+", value):
                complaints.append(f"{name}: its number is not written out")
                continue
            number = eval(value)  # only digits, brackets and shifts, as checked above
            used = of_enum.values()
            if item == items[-1] and name.endswith("_COUNT"):
                if number != next(free for free in range(len(used) + 1) if free not in used):
                    complaints.append(f"{name}: {number} is not the first number that is free")
                numbers[name] = (number, True)
                continue
            grows = item == items[-1] and name.endswith("_ALL") and number == sum(used)
            if number in used:
                complaints.append(f"{name}: {number} is already another's")
            of_enum[name] = number
            numbers[name] = (number, grows)
    return numbers, complaints


def compared(numbers, frozen):
    """Returns complaints about numbers that differ from the list."""
    for name, (number, grows) in frozen.items():
        now = numbers.get(name, (None, False))[0]
        if now is None:
            yield f"{name}: it is gone"
        elif now != number and not (grows and now > number):
            yield f"{name}: {now}, and it was {number}"


def self_test():
    """Checks that each way of breaking the rule is detected."""
    assert enumerators("enum { VRM_A = 0, VRM_B };")[1]
    assert enumerators("enum { VRM_A = 0, VRM_B = 0 };")[1]
    assert enumerators("enum { VRM_A = 0, VRM_A_COUNT = 2 };")[1]
    bits = enumerators("enum vrm_bits { VRM_A = 1 << 0, VRM_B = (2), VRM_ALL = (1 << 2) - 1, };")
    assert bits == ({"VRM_A": (1, False), "VRM_B": (2, False), "VRM_ALL": (3, True)}, [])
    one = {"VRM_A": (0, False), "VRM_COUNT": (1, True)}
    assert list(compared({**one, "VRM_A": (1, False)}, one)) and list(compared({}, one))
    assert not list(compared({**one, "VRM_B": (1, False), "VRM_COUNT": (2, True)}, one))
    assert list(compared({**one, "VRM_COUNT": (0, True)}, one))


def main():
    self_test()
    headers = sorted((ROOT / "include/vrm").glob("*.h"))
    numbers, complaints = enumerators(preprocessed("".join(f"#include <vrm/{header.name}>\n" for header in headers)))
    if os.environ.get("VRM_RENEW") == "1":
        FROZEN.write_text("".join(f"{name} {number}{' grows' * grows}\n" for name, (number, grows) in sorted(numbers.items())))
    frozen = {name: (int(number), bool(grows)) for name, number, *grows in map(str.split, FROZEN.read_text().splitlines())}
    complaints += compared(numbers, frozen)
    for complaint in complaints:
        print(complaint)
    print(f"{len(numbers)} enumerators, {len(frozen)} frozen")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
