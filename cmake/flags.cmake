# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT

# Flags are set per target, never per directory, so that a project that adds libvrm keeps its own flags.

set(VRM_IS_GNU_LIKE FALSE)
if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
  set(VRM_IS_GNU_LIKE TRUE)
endif()

function(vrm_sanitizer_flags target)
  if(VRM_SANITIZE)
    target_link_options(${target} PUBLIC -fsanitize=${VRM_SANITIZE})
  endif()
endfunction()

function(vrm_common_flags target)
  set_target_properties(${target} PROPERTIES C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
    CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
  if(MINGW) # the C library of Windows does not know %zu
    target_compile_definitions(${target} PRIVATE __USE_MINGW_ANSI_STDIO=1)
  endif()
  if(VRM_IS_GNU_LIKE)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wconversion -pedantic
      $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>)
    # The same bits on every machine require code without fused multiply-add. GCC fuses vectorised code in spite of
    # -ffp-contract=off if the processor supports it, hence -mno-fma. AVX-512, which -march=native may add, has its own.
    target_compile_options(${target} PRIVATE -ffp-contract=off -fno-math-errno)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|i.86")
      target_compile_options(${target} PRIVATE -mno-fma -mno-avx512f)
    endif()
    if(EMSCRIPTEN AND VRM_WASM_SIMD AND NOT VRM_LANES STREQUAL "SCALAR")
      # Every browser engine has had SIMD since 2021 (Safari since 2023), and a module cannot choose at run time. LLVM
      # 14 must not vectorise loops by itself: such code may read a local variable after its place on the stack was
      # reused, and test_sample then fails.
      target_compile_options(${target} PRIVATE -msimd128 -fno-slp-vectorize)
    endif()
    if(VRM_WERROR)
      target_compile_options(${target} PRIVATE -Werror)
    endif()
    if(VRM_SANITIZE)
      target_compile_options(${target} PRIVATE -fsanitize=${VRM_SANITIZE} -fno-sanitize-recover=all
        -fno-omit-frame-pointer)
      if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
        # Without this flag, GCC tracks the locations of local variables for debuggers and needs ten times as long for
        # the instrumented kernels.
        target_compile_options(${target} PRIVATE -fno-var-tracking)
      endif()
    endif()
  elseif(MSVC)
    target_compile_options(${target} PRIVATE /W4 /utf-8 /fp:precise)
    if(VRM_WERROR)
      target_compile_options(${target} PRIVATE /WX)
    endif()
  endif()
  target_compile_definitions(${target} PRIVATE $<$<OR:$<CONFIG:Debug>,$<BOOL:${VRM_VALIDATE}>>:VRM_DEBUG>
    $<$<NOT:$<STREQUAL:${VRM_LANES},ALL>>:VRM_LANES_${VRM_LANES}>
    $<$<STREQUAL:${VRM_LANES},ONE>:VRM_LANES_FOUR> $<$<NOT:$<BOOL:${VRM_RAGDOLL}>>:VRM_NO_RAGDOLL>
    $<$<NOT:$<BOOL:${VRM_LOOK_CHAIN}>>:VRM_NO_LOOK_CHAIN> $<$<BOOL:${VRM_BARE}>:VRM_BARE>)
endfunction()

function(vrm_library_flags target)
  vrm_common_flags(${target})
  target_include_directories(${target} PRIVATE include src)
  target_compile_definitions(${target} PRIVATE VRM_BUILD)
  # The same objects go into the static and the shared library; a static library is often linked into a plugin, too.
  set(position_independent ON)
  if(VRM_BARE) # the code is linked once, into a module that is never relocated
    set(position_independent OFF)
  endif()
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ${position_independent} C_VISIBILITY_PRESET hidden)
  if(VRM_IS_GNU_LIKE AND NOT EMSCRIPTEN)
    # Public functions of the library call each other directly.
    target_compile_options(${target} PRIVATE -fno-semantic-interposition)
  endif()
endfunction()

# Files named *_avx2.c contain code that runs only on processors with AVX2.
function(vrm_instruction_set_flags)
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|i.86" OR NOT VRM_LANES STREQUAL "ALL")
    return()
  endif()
  set(sources ${ARGN})
  list(FILTER sources INCLUDE REGEX "_avx2\\.c$")
  if(VRM_IS_GNU_LIKE)
    # On Windows GCC does not align the stack to 32 bytes, but emits moves that require this alignment (GCC's bug
    # 54412).
    set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS
      "-mavx2$<$<BOOL:${MINGW}>:;-Wa,-muse-unaligned-vector-move>")
  elseif(MSVC)
    set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS "/arch:AVX2")
  endif()
endfunction()

# Under sanitizers, kernels of widths that few tests choose and code that reads or writes a file once are compiled without
# optimisation: an optimising compiler needs seven seconds for such a kernel with its checks.
#
# A package for the web is optimised for size, except its kernels, the steps of springs and the JSON reader, which must be
# fast. For the build's -Os emcc passes -fno-inline-functions, even if -O2 follows.
function(vrm_kernel_flags)
  if(VRM_BARE AND VRM_IS_GNU_LIKE)
    set(sources ${ARGN})
    list(FILTER sources INCLUDE REGEX "/(kernel_|spring_step|spring_place|stage_spring|json/json|base/number)[^/]*\\.c$")
    set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS "-O2;-finline-functions")
  elseif(VRM_SANITIZE AND VRM_IS_GNU_LIKE)
    set(sources ${ARGN})
    list(FILTER sources INCLUDE REGEX "/kernel_[^/]*_(scalar|four)\\.c$|/src/(export|import|record|validate)/")
    set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS -O0)
  endif()
endfunction()

function(vrm_executable_flags target)
  vrm_common_flags(${target})
  vrm_sanitizer_flags(${target})
  if(VRM_SANITIZE)
    target_compile_definitions(${target} PRIVATE VRM_SANITIZED)
  endif()
  if(EMSCRIPTEN)
    # Programs run under Node, with access to files, memory that grows, and the result of main() as exit code.
    target_link_options(${target} PRIVATE -sNODERAWFS=1 -sALLOW_MEMORY_GROWTH=1 -sEXIT_RUNTIME=1)
  endif()
endfunction()
