# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""R4, the core knows no physics engine, no GPU and no window. Only the platform files know the operating system:
src/base/platform.c for the library, cli/platform*.c for the programs. Checked by lists of allowed includes, so that
an unknown engine is noticed, too."""

import re

import rule

INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]+<([^>]+)>", re.M)

# Forbidden calls: the library uses the caller's allocator, and no C locale, files or environment.
CALL = re.compile(r"\b(malloc|calloc|realloc|free|aligned_alloc|getenv|system|exit|abort|strto[dfl]\w*|ato[fil]|setlocale|"
                  r"s?n?printf|fopen|fwrite|fread|puts|rand|time)\s*\(")

# Standard headers without I/O, and headers of vector instructions.
PLAIN = {"float.h", "limits.h", "stdarg.h", "stdbool.h", "stddef.h", "stdint.h", "string.h"}
VECTOR = {"arm_neon.h", "emmintrin.h", "immintrin.h", "intrin.h", "wasm_simd128.h", "xmmintrin.h"}
# The whole standard library, which programs may use.
LANGUAGE = PLAIN | {"errno.h", "math.h", "setjmp.h", "stdatomic.h", "stdio.h", "stdlib.h", "time.h"}
# Headers that the operating system adds.
SYSTEM = LANGUAGE | {"dirent.h", "fcntl.h", "io.h", "malloc.h", "poll.h", "process.h", "pthread.h", "sched.h", "shellapi.h", "signal.h",
                     "sys/mman.h", "sys/resource.h", "sys/stat.h", "sys/time.h", "sys/utsname.h", "sys/types.h", "sys/wait.h", "unistd.h",
                     "windows.h"}
PLATFORM = {"src/base/platform.c", "src/base/platform_bare.c", "cli/platform.c", "cli/platform_files.c", "cli/platform_process.c"}
# Words by which a source tests for its system or asks for features beyond the language. base.h exports from a DLL.
ASKS = re.compile(r"\b(_WIN32|__linux__|__unix__|__APPLE__|_(?:POSIX_C|XOPEN|GNU|DEFAULT|DARWIN_C)_SOURCE)\b")
ASKING = PLATFORM | {"include/vrm/base.h"}

# Further headers that programs and adapters may use, by folder.
WORLDS = {
    "cli": set(), "scenes": set(),
    "render": {"epoxy/egl.h", "epoxy/gl.h", "jpeglib.h", "spng.h", "webp/decode.h"},
    "view": {"GLFW/glfw3.h", "epoxy/gl.h"},
    "adapters/assimp": {"assimp/cimport.h", "assimp/config.h", "assimp/scene.h"},
    "adapters/ode": {"ode/ode.h"},
}
# The headers of the only C++ file.
IMGUI = {"GLFW/glfw3.h", "backends/imgui_impl_glfw.h", "backends/imgui_impl_opengl3.h", "cmath", "cstdarg", "cstdio", "cstring",
         "imgui.h", "string", "unordered_map"}

# These files may use sqrt, fabs and isfinite, which are exact everywhere. Other functions of <math.h> give different
# bits on other machines.
MATH = {"src/math/scalar.h", "src/format/gltf/decompose.c", "src/format/gltf/gltf_load_node.c"}
INEXACT = re.compile(r"\b((?:sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|pow|exp|exp2|expm1|log|log2|log10|log1p|cbrt|"
                     r"hypot|fma|tgamma|erf)f?)\s*\(")


def allowed(name):
    if name in PLATFORM:
        return SYSTEM
    if name == "view/gui.cpp":
        return IMGUI
    for folder, world in WORLDS.items():
        if name.startswith(folder + "/"):
            return LANGUAGE | world
    if name in MATH:
        return PLAIN | {"math.h"}
    if name in ("src/base/atomic.h", "src/math/cpu.h", "src/base/float_environment.h"):
        return PLAIN | VECTOR
    if re.match(r"src/(format/|import/|export/|ragdoll/|record/|model/spring_builder)", name):
        return PLAIN | {"stdlib.h"}  # for qsort; CALL forbids the other functions
    if re.match(r"src/(math/simd\.h|.*/kernel_)|dynamics/kernel_", name):
        return PLAIN | VECTOR
    return PLAIN


def check_core(name, text):
    """Checks for calls that a frame or an import must not make."""
    if name not in PLATFORM:
        yield from ("%s: calls %s" % (name, call) for call in sorted(set(rule.findall(CALL, text))))
    yield from ("%s: calls %s" % (name, call) for call in sorted(set(rule.findall(INEXACT, text))))


def check(root):
    complaints = []
    core = ["src", "dynamics", "include"]
    for path in rule.sources(root, core + [folder for folder in WORLDS if (root / folder).is_dir()], (".c", ".h", ".cpp")):
        name = str(path.relative_to(root))
        text = rule.without_comments(path.read_text(encoding="utf-8"))
        if path.relative_to(root).parts[0] in core:
            complaints.extend(check_core(name, text))
        if name not in ASKING:
            complaints.extend("%s: asks for %s, which platform.c may" % (name, word) for word in sorted(set(rule.findall(ASKS, text))))
        for header in rule.findall(INCLUDE, text):
            if not header.startswith(("vrm/", "vrm_render/", "vrm_ode/")) and header not in allowed(name):
                complaints.append("%s: includes <%s>" % (name, header))
    return complaints


rule.main(check, [
    ("a physics engine", "src/runtime/update.c", rule.append("src/runtime/update.c", "#include <ode/ode.h>\n")),
    ("a GPU", "include/vrm/output.h", rule.append("include/vrm/output.h", "#include <GLES3/gl3.h>\n")),
    ("a window", "src/sample/window.c", rule.append("src/sample/window.c", "#include <GLFW/glfw3.h>\n")),
    ("the system, behind the platform's back", "src/format/gltf/glb.c",
        rule.append("src/format/gltf/glb.c", "#include <unistd.h>\n")),
    ("threads behind the platform's back", "src/base/task_pool.c",
        rule.append("src/base/task_pool.c", "#include <pthread.h>\n")),
    ("a program that asks where it runs", "cli/paths.c",
        rule.append("cli/paths.c", "#if defined(_WIN32)\nint cli_x;\n#endif\n")),
    ("a signal in the viewer", "view/loader.c", rule.append("view/loader.c", "#include <signal.h>\n")),
    ("a window in the renderer", "render/draw.c", rule.append("render/draw.c", "#include <GLFW/glfw3.h>\n")),
    ("memory behind the allocator's back", "src/import/x.c",
        rule.append("src/import/x.c", "#include <stdlib.h>\nvoid *vrmi_x(void) { return malloc(1); }\n")),
    ("the C library's cosine", "src/sample/x.c",
        rule.append("src/sample/x.c", "float cosf(float);\nfloat vrmi_x(float x) { return cosf(x); }\n")),
    ("vector instructions outside a kernel", "src/runtime/core/pose.c",
        rule.append("src/runtime/core/pose.c", "#include <immintrin.h>\n")),
])
