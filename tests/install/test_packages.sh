#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
# Tests scripts/install-packages if a package is missing: as root, with sudo, with neither, and without apt-get. Small
# programs in a folder replace the system's programs; nothing is installed.
set -eu

fake=$(mktemp -d)
trap 'rm -rf "$fake"' EXIT
shell=$(command -v sh)
for tool in mktemp tail rm env; do
    ln -s "$(command -v "$tool")" "$fake/$tool"
done
program() { # name, body
    printf '#!%s\n%s\n' "$shell" "$2" >"$fake/$1"
    chmod +x "$fake/$1"
}
fail() {
    printf 'FAILED %s\n--- said:\n%s\n' "$1" "$said"
    exit 1
}
run() { # expected exit code, then the arguments
    expected=$1
    shift
    code=0
    said=$(PATH=$fake "$shell" scripts/install-packages "$@" 2>&1) || code=$?
    [ "$code" -eq "$expected" ] || fail "$*: exit code $code, expected $expected"
}
says() { case $said in *"$1"*) ;; *) fail "does not say: $1" ;; esac; }
missing="no-such-command:some-package /no/such/file:other-package"

run 0 "tail:coreutils" "/:base-files"
says "everything is there"

# shellcheck disable=SC2086 # a list of words
run 1 $missing
says "no apt-get"
says "some-package other-package"

program apt-get "echo \"\$@\" >>'$fake/log'"
program id "echo 1000"
# shellcheck disable=SC2086
run 1 $missing
says "neither root nor sudo"
says "apt-get install --no-install-recommends some-package other-package"
[ ! -e "$fake/log" ] || fail "apt-get was started without root"

program sudo 'exec "$@"'
# shellcheck disable=SC2086
run 0 $missing
says "installing some-package other-package"
grep -q "^update" "$fake/log" || fail "sudo: apt-get update"
grep -q "install.* some-package other-package\$" "$fake/log" || fail "sudo: apt-get install"

rm "$fake/sudo" "$fake/log"
program id "echo 0"
run 0 "no-such-command:same" "neither-this:same"
grep -q 'install.* same$' "$fake/log" || fail "a package that is missing twice is asked for once"

program apt-get "echo 'E: no network'; exit 100"
# shellcheck disable=SC2086
run 1 $missing
says "E: no network"
says "could not install some-package other-package"

# Continuous integration must run the same as any user: the first steps on a new machine, then the suite, whose summary
# comes last.
said=$(tail -n 4 .ci/run)
says "    scripts/fresh
fi
exec scripts/test \"\$@\""
echo "packages: five machines"
