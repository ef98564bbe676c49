# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""R2, the runtime cannot fail, allocate, log or do I/O: libvrm-runtime has no undefined symbols except memcpy and
similar functions. Also: the shared library exports only vrm_*, and no object of either library contains a fused
multiply-add."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import fused
import rule

ALLOWED = {"memcpy", "memmove", "memset", "memcmp"}
# Not a function but a symbol of the linker, which any position-independent object needs.
LINKER = {"_GLOBAL_OFFSET_TABLE_"}


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def undefined(*archives):
    """Returns the symbols that no member of the archives defines, with the members that need them."""
    defined, wanted, member = set(), {}, ""
    for line in "".join(run("nm", str(archive)) for archive in archives).splitlines():
        if line.endswith(":"):
            member = line[:-1]
            continue
        fields = line.split()
        if len(fields) < 2:
            continue
        kind, name = fields[-2], fields[-1]
        if kind in ("U", "w"):
            wanted.setdefault(name, set()).add(member)
        else:
            defined.add(name)
    return {name: members for name, members in wanted.items() if name not in defined}


def check_runtime(archive):
    return ["libvrm-runtime needs %s (in %s)" % (name, ", ".join(sorted(members)))
            for name, members in sorted(undefined(archive).items()) if name not in ALLOWED | LINKER]


def check_dynamics(archive, runtime):
    """The light solver follows the same rule. Only solver_create.c, which is not used in a frame, calls the default
    allocator."""
    return ["libvrm-dynamics needs %s (in %s)" % (name, ", ".join(sorted(members)))
            for name, members in sorted(undefined(archive, runtime).items())
            if name not in ALLOWED | LINKER and not (name == "vrmi_default_allocator"
                                                     and all("solver_create" in member for member in members))]


def check_exports(library):
    names = [line.split()[-1] for line in run("nm", "-D", "--defined-only", str(library)).splitlines()]
    return ["%s exports %s" % (library.name, name) for name in names if not name.startswith("vrm_")]


def with_object(archive, source, *flags):
    """Returns a copy of the archive with another member, compiled from `source`."""
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "mutation.c").write_text(source, encoding="utf-8")
    compiler = os.environ.get("CC", "cc")
    run(compiler, "-std=c17", "-O2", *flags, "-c", str(folder / "mutation.c"), "-o", str(folder / "mutation.o"))
    copy = folder / archive.name
    shutil.copy(archive, copy)
    run("ar", "r", str(copy), str(folder / "mutation.o"))
    return folder, copy


def expect(name, complaints):
    print("mutation %s: %s" % (name, complaints[0] if complaints else "NOT NOTICED"))
    return bool(complaints)


def mutations(archive):
    good = True
    for name, source, flags, check in (
        ("a call of malloc", "void *malloc(unsigned long); void *vrmi_m(void) { return malloc(8); }", [], check_runtime),
        ("a call of sinf", "float sinf(float); float vrmi_m(float x) { return sinf(x); }", [], check_runtime),
        ("a call of printf", "int puts(const char *); int vrmi_m(void) { return puts(\"x\"); }", [], check_runtime),
        ("a stack protector", "void vrmi_use(char *); void vrmi_m(void) { char a[64]; vrmi_use(a); } "
                              "void vrmi_use(char *a) { a[0] = 1; }", ["-fstack-protector-all"], check_runtime),
    ):
        folder, copy = with_object(archive, source, *flags)
        good = expect(name, check(copy)) and good
        shutil.rmtree(folder)
    return good


def fused_mutation(archive):
    source = "double vrmi_m(double a, double b, double c) { return __builtin_fma(a, b, c); }"
    flags = ["-mfma"] if os.uname().machine == "x86_64" else []
    folder, copy = with_object(archive, source, *flags)
    good = expect("a fused multiply-add", fused.complaints("objdump", copy))
    shutil.rmtree(folder)
    return good


def export_mutation():
    with tempfile.TemporaryDirectory() as folder:
        source, library = pathlib.Path(folder) / "m.c", pathlib.Path(folder) / "libm.so"
        source.write_text("int vrmi_inner(void); int vrmi_inner(void) { return 1; }\n", encoding="utf-8")
        run(os.environ.get("CC", "cc"), "-shared", "-fPIC", str(source), "-o", str(library))
        return expect("an exported inner function", check_exports(library))


def main():
    if not all(shutil.which(tool) for tool in ("nm", "ar", "objdump")):
        print("skipped: binutils (nm, ar, objdump) are not installed")
        sys.exit(rule.SKIPPED)
    build = rule.build_dir()
    runtime, whole, shared = build / "libvrm-runtime.a", build / "libvrm.a", build / "libvrm.so"
    dynamics = build / "libvrm-dynamics.a"
    complaints = check_runtime(runtime) + check_dynamics(dynamics, runtime) + fused.complaints("objdump", runtime)
    complaints += fused.complaints("objdump", whole)
    if shared.exists():
        complaints += check_exports(shared)
    for complaint in complaints:
        print(complaint)
    good = mutations(runtime)
    good = fused_mutation(runtime) and good
    good = export_mutation() and good
    sys.exit(0 if good and not complaints else 1)


main()
