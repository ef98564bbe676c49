# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT
"""R4, the core knows no physics engine, no GPU, no window; and only base/platform.c knows the operating system.
By lists of what may be included, so that an unheard-of engine is noticed too."""

import re

import rule

INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]+<([^>]+)>", re.M)

# The caller's allocator, no C locale, no files, no environment.
CALL = re.compile(r"\b(malloc|calloc|realloc|free|aligned_alloc|getenv|system|exit|abort|strto[dfl]\w*|ato[fil]|setlocale|"
                  r"s?n?printf|fopen|fwrite|fread|puts|rand|time)\s*\(")

# Headers of the language that hold no I/O, and vector instructions.
PLAIN = {"float.h", "limits.h", "stdarg.h", "stdbool.h", "stddef.h", "stdint.h", "string.h"}
VECTOR = {"arm_neon.h", "emmintrin.h", "immintrin.h", "intrin.h", "wasm_simd128.h", "xmmintrin.h"}
SYSTEM = PLAIN | {"errno.h", "fcntl.h", "intrin.h", "malloc.h", "stdio.h", "stdlib.h", "sys/mman.h", "sys/stat.h",
                  "sys/types.h", "time.h", "unistd.h", "windows.h", "io.h"}

# For sqrt, fabs and isfinite, which are exact everywhere; the rest of <math.h> gives other bits on other machines.
MATH = {"src/math/scalar.h", "src/format/gltf/decompose.c", "src/format/gltf/gltf_load_node.c"}
INEXACT = re.compile(r"\b((?:sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|pow|exp|exp2|expm1|log|log2|log10|log1p|cbrt|"
                     r"hypot|fma|tgamma|erf)f?)\s*\(")


def allowed(name):
    if name == "src/base/platform.c":
        return SYSTEM
    if name in MATH:
        return PLAIN | {"math.h"}
    if name == "src/base/task_pool.c":
        return PLAIN | {"pthread.h", "sched.h", "unistd.h", "windows.h"}
    if name in ("src/base/atomic.h", "src/math/cpu.h", "src/base/float_environment.h"):
        return PLAIN | VECTOR
    if re.match(r"src/(format|import|export|ragdoll|record)/", name):
        return PLAIN | {"stdlib.h"}  # for qsort; what else is in it is forbidden below
    if re.match(r"src/(math/simd\.h|.*/kernel_)|dynamics/kernel_", name):
        return PLAIN | VECTOR
    return PLAIN


def check(root):
    complaints = []
    for path in rule.sources(root, ["src", "dynamics", "include"]):
        name = str(path.relative_to(root))
        text = rule.without_comments(path.read_text(encoding="utf-8"))
        if name != "src/base/platform.c":
            complaints.extend("%s: calls %s" % (name, call) for call in sorted(set(CALL.findall(text))))
        complaints.extend("%s: calls %s" % (name, call) for call in sorted(set(INEXACT.findall(text))))
        for header in INCLUDE.findall(text):
            if not header.startswith("vrm/") and header not in allowed(name):
                complaints.append("%s: includes <%s>" % (name, header))
    return complaints


rule.main(check, [
    ("a physics engine", "src/runtime/update.c", rule.append("src/runtime/update.c", "#include <ode/ode.h>\n")),
    ("a GPU", "include/vrm/output.h", rule.append("include/vrm/output.h", "#include <GLES3/gl3.h>\n")),
    ("a window", "src/sample/window.c", rule.append("src/sample/window.c", "#include <GLFW/glfw3.h>\n")),
    ("the system, behind the platform's back", "src/format/gltf/glb.c",
        rule.append("src/format/gltf/glb.c", "#include <unistd.h>\n")),
    ("memory behind the allocator's back", "src/import/x.c",
        rule.append("src/import/x.c", "#include <stdlib.h>\nvoid *vrmi_x(void) { return malloc(1); }\n")),
    ("the C library's cosine", "src/sample/x.c",
        rule.append("src/sample/x.c", "float cosf(float);\nfloat vrmi_x(float x) { return cosf(x); }\n")),
    ("vector instructions outside a kernel", "src/runtime/core/pose.c",
        rule.append("src/runtime/core/pose.c", "#include <immintrin.h>\n")),
])
