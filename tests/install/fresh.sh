#!/bin/sh
# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
# scripts/fresh runs this in the new system, with the README's own lines: the demonstration, the suite in the same tree
# (arguments go to scripts/test), the installation, and the README's program built by pkg-config, find_package and
# add_subdirectory. Installs into /usr/local, so it is only for a temporary system.
set -eu
cd "$(dirname "$0")/../.."
if [ ! -e /etc/vrm-fresh ]; then
    echo "fresh: scripts/fresh starts this, in a system of its own" >&2
    exit 1
fi
checkout=$(pwd)
begin=$(date +%s)
step() { printf '\n=== fresh, %d s: %s\n' "$(($(date +%s) - begin))" "$*"; }
fail() {
    echo "fresh: $*" >&2
    exit 1
}

step "scripts/demo"
scripts/demo
for file in avatar.vrm avatar.txt walk.glb sway.glb body.png bust.png inside.png strip.png; do
    [ -s "demo/$file" ] || fail "scripts/demo made no $file"
done

step "scripts/test $*"
scripts/test "$@"
[ -x build/release/bin/vrm-view ] || fail "scripts/test after scripts/demo did not build the viewer"

step "the README's lines that install"
work=$(mktemp -d)
section=$(sed -n '/^## The shortest program/,/^## The command/p' README.md)
printf '%s\n' "$section" | sed '/^```c$/,/^```$/d' | sed -n 's/^    //p' >"$work/install"
grep -q '^sudo cmake --install' "$work/install" || fail "the README does not install"
sudo() { "$@"; } # there is no sudo, and this is root
set -x
. "$work/install"
{ set +x; } 2>/dev/null

step "the README's program by pkg-config"
printf '%s\n' "$section" | sed -n '/^```c$/,/^```$/p' | sed '1d;$d' >"$work/program.c"
cd "$work"
vrm sample -o avatar.vrm
line=$(printf '%s\n' "$section" | sed -n 's/.*`\(cc program\.c [^`]*\)`.*/\1/p')
echo "$line"
eval "$line"
./a.out avatar.vrm

# The README must contain these CMake lines. The rest of the CMake file is the same in any project.
for words in 'find_package(vrm)' 'target_link_libraries(program PRIVATE vrm::vrm)' 'add_subdirectory(libvrm)'; do
    printf '%s' "$section" | grep -qF "\`$words\`" || fail "the README does not say $words"
done
with_cmake() { # the line that adds libvrm, the build type
    step "the README's program by $1, ${2:-without a build type}"
    rm -rf project
    mkdir project
    ln -s "$checkout" project/libvrm
    cp program.c project/
    cat >project/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.21)
project(program LANGUAGES C)
$1
add_executable(program program.c)
target_link_libraries(program PRIVATE vrm::vrm)
END
    if ! { cmake -S project -B project/build ${2:+"-DCMAKE_BUILD_TYPE=$2"} &&
        cmake --build project/build --parallel "$(nproc)"; } >project/log 2>&1; then
        tail -n 40 project/log >&2
        fail "$1 does not build"
    fi
    project/build/program avatar.vrm
}
with_cmake 'find_package(vrm)' ""
for build_type in "" Debug Release; do
    with_cmake 'add_subdirectory(libvrm)' "$build_type"
done
step "done"
