#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
# Runs the static executable (presets `bits-musl`, `bits`, `musl` and `static`) in an empty root: no libraries, no
# /proc, no /dev, no HOME, no locale, an unprivileged user. It must write the same bytes as the usual build.
set -eu

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
mkdir -m 777 "$root/out"

# Programs need their full paths below, since env -i leaves no PATH.
PATH=$PATH:/usr/sbin:/sbin
chroot=$(command -v chroot)
unshare=$(command -v unshare || true)
if [ "$(id -u)" -eq 0 ]; then
    inside() { env -i "$chroot" --userspec=65534:65534 "$root" "$@"; }
elif [ -n "$unshare" ] && "$unshare" --user --map-root-user true 2>/dev/null; then
    inside() { env -i "$unshare" --user --map-root-user "$chroot" "$root" "$@"; }
else
    echo "skipped: neither root nor user namespaces"
    exit 77
fi

tried=""
for vrm in build/bits-musl/bin/vrm build/bits/bin/vrm build/musl/bin/vrm build/static/bin/vrm; do
    [ -x "$vrm" ] || continue
    if readelf -d "$vrm" 2>/dev/null | grep -q NEEDED; then
        echo "$vrm needs shared libraries"
        exit 1
    fi
    cp "$vrm" "$root/vrm"
    if ! inside /vrm --version; then
        echo "skipped: the empty root cannot be entered here"
        exit 77
    fi
    inside /vrm sample -o /out/avatar.vrm
    inside /vrm inspect --format json /out/avatar.vrm >"$root/report.json"
    grep -q '"result":"SUCCESS"' "$root/report.json"
    inside /vrm simulate /out/avatar.vrm -o /out/moved.glb --duration 0.5 --motion walk
    code=0
    inside /vrm sample -o /nowhere/avatar.vrm 2>/dev/null || code=$?
    [ "$code" -eq 4 ] || { echo "an unwritable output gave code $code, expected 4"; exit 1; }
    "$VRM_COMMAND" sample -o "$root/usual.vrm"
    "$VRM_COMMAND" simulate "$root/usual.vrm" -o "$root/usual.glb" --duration 0.5 --motion walk
    cmp "$root/usual.vrm" "$root/out/avatar.vrm"
    cmp "$root/usual.glb" "$root/out/moved.glb"
    tried="$tried $vrm"
    rm "$root/out"/*
done
if [ -z "$tried" ]; then
    echo "skipped: build the preset 'bits-musl', 'bits', 'musl' or 'static' first"
    exit 77
fi
echo "in an empty root:$tried"
