#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
# Tests that scripts/run-ctest lists the ten slowest tests, ends with ctest's summary, and returns ctest's exit code. A
# small program replaces ctest.
set -eu

fake=$(mktemp -d)
trap 'rm -rf "$fake"' EXIT
cat >"$fake/ctest" <<'END'
#!/bin/sh
echo "        Start   1: test_1"
for i in 1 2 3 4 5 6 7 8 9 10 11; do
    printf '%3d/12 Test %4s: test_%s ......   Passed   %2d.50 sec\n' "$i" "#$i" "$i" "$i"
done
echo "12/12 Test  #12: tsan/slow ....***Failed  100.00 sec"
echo "what the test said"
printf '\n92%% tests passed, 1 tests failed out of 12\n\nThe following tests FAILED:\n\t 12 - tsan/slow (Failed)\n'
echo "arguments: $*"
exit 8
END
chmod +x "$fake/ctest"
code=0
said=$(PATH=$fake:$PATH scripts/run-ctest -R "two words") || code=$?
printf '%s\n' "$said"
[ "$code" -eq 8 ]
expected="The slowest tests, in seconds:
100.00 tsan/slow
11.50 test_11
10.50 test_10
9.50 test_9
8.50 test_8
7.50 test_7
6.50 test_6
5.50 test_5
4.50 test_4
3.50 test_3

92% tests passed, 1 tests failed out of 12

The following tests FAILED:
	 12 - tsan/slow (Failed)
arguments: -R two words"
case $said in
*"what the test said"*"$expected") ;;
*) echo "the list or the summary is not as it should be" && exit 1 ;;
esac
