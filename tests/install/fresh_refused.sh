#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
# If a system cannot be created, scripts/fresh must fail and leave nothing behind: a failed debootstrap is an error, not
# a skip. Small programs replace the system's programs; nothing is installed.
set -eu

fake=$(mktemp -d)
trap 'rm -rf "$fake"' EXIT
mkdir "$fake/bin" "$fake/tmp"
program() { # name, body
    printf '#!/bin/sh\n%s\n' "$2" >"$fake/bin/$1"
    chmod +x "$fake/bin/$1"
}
refused() { # argument: the expected message
    code=0
    said=$(PATH=$fake/bin:$PATH TMPDIR=$fake/tmp scripts/fresh 2>&1) || code=$?
    printf '%s\n' "$said"
    case $said in *"no apt source of Debian 12"*) echo "skipped: another system's sources" && exit 77 ;; esac
    [ "$code" -eq 1 ]
    case $said in *"$1"*) ;; *) echo "does not say: $1" && exit 1 ;; esac
    [ -z "$(ls "$fake/tmp")" ] || { echo "something is left behind" && exit 1; }
}

program git :
program unshare 'while [ "${1#--}" != "$1" ] || [ "$1" = private ]; do shift; done; exec "$@"'
program debootstrap 'echo "E: no network"; exit 1'
program id "echo 0"
refused "E: no network
fresh: debootstrap failed"
program id "echo 1000"
refused "only root"
