# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""R5, no circles: no two object files depend on each other, directly or indirectly, in any program. Checked by the
linker's symbols, so that a call through a header of another folder counts like a call within a folder."""

import collections
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import rule

FOLDERS = ("src", "dynamics", "scenes", "cli", "render", "view", "adapters")


def source_of(build, path):
    """Returns the source of an object, relative to the checkout; None for generated sources and those of tests.
    CMake writes <folder>/CMakeFiles/<target>.dir/<source>.o, with __ for .. in the source."""
    parts = path.relative_to(build).parts
    at = parts.index("CMakeFiles")
    name = [".." if part == "__" else part for part in parts[at + 2:]]
    source = pathlib.PurePath(os.path.normpath(pathlib.PurePath(*parts[:at], *name).with_suffix("")))
    return str(source) if source.parts[0] in FOLDERS and pathlib.Path(source).is_file() else None


def read_symbols(paths):
    """Returns {path: (symbols that it defines, symbols that it needs)}."""
    found = {path: (set(), set()) for path in paths}
    lines = subprocess.run(["nm", "-A", "-g", *map(str, paths)], check=True, capture_output=True, text=True).stdout
    for line in lines.splitlines():
        path, _, fields = line.rpartition(":")
        kind, name = fields.split()[-2:]
        found[pathlib.Path(path)][kind in "Uwv"].add(name)
    return found


def read_build(build):
    """Returns {target: {source: symbols}} of the build. Objects of deleted sources may still be in it."""
    sources = {path: source_of(build, path) for path in sorted(build.glob("**/CMakeFiles/*.dir/**/*.o"))}
    symbols = read_symbols([path for path in sources if sources[path]])
    targets = collections.defaultdict(dict)
    for path, found in symbols.items():
        parts = path.relative_to(build).parts
        targets[parts[parts.index("CMakeFiles") + 1]][sources[path]] = found
    return targets


def programs(targets):
    """Returns the groups of objects that are linked together: each program with all libraries."""
    is_program = {name: any("main" in defined for defined, _ in objects.values()) for name, objects in targets.items()}
    libraries = {source: found for name in targets if not is_program[name] for source, found in targets[name].items()}
    yield libraries
    for name, objects in targets.items():
        if is_program[name]:
            yield {**libraries, **objects}


def needs(objects):
    """Returns {source: {source that it needs: symbols}}."""
    home = {name: source for source, (defined, _) in objects.items() for name in defined}
    graph = {source: collections.defaultdict(set) for source in objects}
    for source, (_, undefined) in objects.items():
        for name in undefined:
            if home.get(name, source) != source:
                graph[source][home[name]].add(name)
    return graph


def circles(graph):
    """Returns the strongly connected components with more than one file (Tarjan's algorithm, without recursion)."""
    index, low, stack, found = {}, {}, [], []
    for start in sorted(graph):
        work = [] if start in index else [(start, iter(sorted(graph[start])))]
        while work:
            node, rest = work[-1]
            if node not in index:
                index[node] = low[node] = len(index)
                stack.append(node)
            for other in rest:
                if other not in index:
                    work.append((other, iter(sorted(graph[other]))))
                    break
                if other in stack:
                    low[node] = min(low[node], low[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    at = stack.index(node)
                    if len(stack) - at > 1:
                        found.append(set(stack[at:]))
                    del stack[at:]
    return found


def shortest(graph, start, members):
    """Returns the shortest circle from a file back to itself, as [source, ...]."""
    came, queue = {}, collections.deque([start])
    while queue:
        node = queue.popleft()
        for other in sorted(graph[node]):
            if other == start:
                way = [node]
                while way[-1] != start:
                    way.append(came[way[-1]])
                return way[::-1]
            if other in members and other not in came:
                came[other] = node
                queue.append(other)


def check(targets):
    complaints = []
    for objects in programs(targets):
        graph = needs(objects)
        for members in circles(graph):
            unknown = sorted(members)
            if unknown:
                way = shortest(graph, unknown[0], members)
                steps = ["%s needs %s of %s" % (a, ", ".join(sorted(graph[a][b])), b) for a, b in zip(way, way[1:] + way[:1])]
                complaints.append("a circle (of %d files): %s" % (len(members), "; ".join(steps)))
    return list(dict.fromkeys(complaints))


def compiled(source, text):
    """Returns the symbols of a source with text added at its end."""
    with tempfile.TemporaryDirectory() as folder:
        copy, out = pathlib.Path(folder) / "mutation.c", pathlib.Path(folder) / "mutation.o"
        copy.write_text(pathlib.Path(source).read_text(encoding="utf-8") + text, encoding="utf-8")
        subprocess.run([os.environ.get("CC", "cc"), "-std=c17", "-O2", "-I", "include", "-I", "src", "-I", "cli", "-I", "scenes",
                        "-I", str(pathlib.Path(source).parent), "-c", str(copy), "-o", str(out)], check=True)
        return read_symbols([out])[out]


MUTATIONS = [
    ("a pass calls its conductor", "src/import/avatar/import_mesh.c",
        "void vrmi_x(vrm_avatar_def *def);\nvoid vrmi_x(vrm_avatar_def *def)\n{\n    vrm_avatar_def_default(def);\n}\n"),
    ("what lies below calls what lies above", "src/base/text.c",
        "struct vrm_gltf;\nvoid vrm_gltf_destroy(struct vrm_gltf *);\nvoid vrmi_x(struct vrm_gltf *);\n"
        "void vrmi_x(struct vrm_gltf *gltf)\n{\n    vrm_gltf_destroy(gltf);\n}\n"),
    ("a table instead of a call", "src/format/json/json.c",
        "extern const char vrm_gltf_load[];\nconst void *const vrmi_x[1];\nconst void *const vrmi_x[1] = {vrm_gltf_load};\n"),
    ("what verbs share knows a verb", "cli/print.c",
        "extern const cli_command cli_cook;\nconst char *cli_x(void);\nconst char *cli_x(void)\n{\n    return cli_cook.name;\n}\n"),
]


def main():
    if not shutil.which("nm"):
        print("skipped: binutils (nm) are not installed")
        sys.exit(rule.SKIPPED)
    targets = read_build(rule.build_dir())
    complaints = check(targets)
    for complaint in complaints:
        print(complaint)
    built = {source for objects in targets.values() for source in objects}
    failed = bool(complaints) or "src/import/import_avatar.c" not in built
    for name, source, text in MUTATIONS:
        if source not in built:
            print("mutation %s: %s is not built here" % (name, source))
            continue
        found = compiled(source, text)
        mutated = {target: {path: found if path == source else symbols for path, symbols in objects.items()}
                   for target, objects in targets.items()}
        noticed = [complaint for complaint in check(mutated) if source in complaint]
        print("mutation %s: %s" % (name, noticed[0] if noticed else "NOT NOTICED"))
        failed = failed or not noticed
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
