# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT

# Below tests/, test_*.c are programs and test_*.py, .sh and .mjs scripts. All run at the checkout's root; exit code 77 means
# skipped. Scripts find the build in VRM_BUILD_DIR, the command in VRM_COMMAND and the compiler in CC.

find_package(Threads REQUIRED)
find_program(VRM_PYTHON NAMES python3)
find_program(VRM_NODE NAMES node nodejs)
find_program(VRM_BASH NAMES bash)

set(VRM_TEST_ENVIRONMENT "VRM_BUILD_DIR=${PROJECT_BINARY_DIR};VRM_COMMAND=${PROJECT_BINARY_DIR}/bin/vrm"
  "CC=${CMAKE_C_COMPILER}" "VRM_SANITIZE=${VRM_SANITIZE}" "VRM_CMAKE=${CMAKE_COMMAND}")

# Another processor, emulated: test_sample takes seven minutes of a machine that has other work.
set(VRM_TEST_TIMEOUT 600)
if(CMAKE_CROSSCOMPILING_EMULATOR)
  set(VRM_TEST_TIMEOUT 3600)
endif()

function(vrm_add_test name)
  add_test(NAME ${VRM_TEST_PREFIX}${name} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${VRM_TEST_PREFIX}${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${VRM_TEST_TIMEOUT}
    ENVIRONMENT "${VRM_TEST_ENVIRONMENT}")
endfunction()

file(GLOB_RECURSE programs CONFIGURE_DEPENDS tests/test_*.c)
foreach(source ${programs})
  if(VRM_SANITIZE MATCHES "thread")
    # The thread sanitizer is slow and says nothing about a single thread.
    file(STRINGS ${source} threads REGEX "#include <(pthread|threads)\\.h>")
    if(NOT threads)
      continue()
    endif()
  endif()
  get_filename_component(name ${source} NAME_WE)
  if(VRM_TEST_ONLY AND NOT name MATCHES "${VRM_TEST_ONLY}")
    continue()
  endif()
  if(name MATCHES "^test_render" AND NOT VRM_HAVE_RENDER)
    continue()
  endif()
  if(name MATCHES "^test_ode" AND NOT VRM_HAVE_ODE)
    continue()
  endif()
  if(name MATCHES "^test_bullet" AND NOT VRM_HAVE_BULLET)
    continue()
  endif()
  add_executable(${name} ${source})
  vrm_executable_flags(${name})
  if(name MATCHES "^test_render")
    target_link_libraries(${name} PRIVATE vrm_render PkgConfig::VRM_SPNG PkgConfig::VRM_EPOXY)
    target_include_directories(${name} PRIVATE render)
  endif()
  if(name MATCHES "^test_ode")
    target_link_libraries(${name} PRIVATE vrm_scene_ode)
  endif()
  if(name MATCHES "^test_bullet")
    target_link_libraries(${name} PRIVATE vrm_example_bullet)
    if(VRM_HAVE_ODE)
      target_compile_definitions(${name} PRIVATE BESIDE_ODE)
      target_link_libraries(${name} PRIVATE vrm_scene_ode)
    endif()
  endif()
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    # GCC guesses at what a test prints into a short buffer; being cut off is what snprintf is for.
    target_compile_options(${name} PRIVATE -Wno-format-truncation)
  endif()
  target_include_directories(${name} PRIVATE src tests/fixtures)
  target_link_libraries(${name} PRIVATE vrm_scenes vrm Threads::Threads m)
  vrm_add_test(${name} ${name})
  if(name MATCHES "^test_render" AND VRM_SANITIZE)
    # Mesa's driver leaks a little with each context and is unloaded by then, so that it cannot be named.
    set_tests_properties(${VRM_TEST_PREFIX}${name} PROPERTIES
      ENVIRONMENT "${VRM_TEST_ENVIRONMENT};ASAN_OPTIONS=detect_leaks=0")
  endif()
endforeach()

# What is not a C program runs in the plain build and, where it starts the command, under the sanitizers too: all but the
# longest two, whose times under sanitizers say nothing. Leaks of commands are found by test_command_files.
if(VRM_TEST_ONLY OR VRM_SANITIZE MATCHES "thread")
  return()
endif()
file(GLOB_RECURSE scripts CONFIGURE_DEPENDS tests/test_*.py tests/test_*.sh tests/test_*.mjs)
foreach(source ${scripts})
  get_filename_component(name ${source} NAME_WE)
  get_filename_component(suffix ${source} LAST_EXT)
  if(name STREQUAL "test_viewer" AND VRM_SANITIZE)
    continue()
  endif()
  if(suffix STREQUAL ".py" AND VRM_PYTHON)
    vrm_add_test(${name} ${VRM_PYTHON} -B ${source})
  elseif(suffix STREQUAL ".sh" AND VRM_BASH)
    vrm_add_test(${name} ${VRM_BASH} ${source})
  elseif(suffix STREQUAL ".mjs" AND VRM_NODE AND NOT VRM_SANITIZE)
    # Comparisons of numbers: sanitizers do not change them.
    vrm_add_test(${name} ${VRM_NODE} ${source})
  endif()
endforeach()

if(VRM_PYTHON AND VRM_BUILD_CLI AND NOT VRM_SANITIZE)
  vrm_add_test(cli ${VRM_PYTHON} -B tests/cli/run.py)
endif()

# What looks at the sources, the release objects or an installed tree needs to run once, in a plain build.
if(VRM_PYTHON AND NOT VRM_SANITIZE AND NOT VRM_STATIC_EXECUTABLE)
  foreach(rule includes symbols stages worlds circles format style node effects api)
    vrm_add_test(rule_${rule} ${VRM_PYTHON} -B tests/rules/${rule}.py)
  endforeach()
  vrm_add_test(api_json ${VRM_PYTHON} -B tests/bindings/api.py)
  vrm_add_test(install ${VRM_PYTHON} -B tests/install/run.py)
  vrm_add_test(readme ${VRM_PYTHON} -B tests/install/readme.py)
  vrm_add_test(examples ${VRM_PYTHON} -B tests/install/examples.py)
  vrm_add_test(example_draw_gl ${VRM_PYTHON} -B tests/install/draw_gl.py)
  vrm_add_test(integrate ${VRM_PYTHON} -B tests/install/integrate.py)
  vrm_add_test(docs ${VRM_PYTHON} -B tests/install/docs.py)
  vrm_add_test(docs_without_adapters ${VRM_PYTHON} -B tests/install/docs_without_adapters.py)
  vrm_add_test(late_compiler ${VRM_PYTHON} -B tests/install/late_compiler.py)
endif()
if(VRM_BASH AND NOT VRM_SANITIZE AND NOT VRM_STATIC_EXECUTABLE)
  vrm_add_test(static_executable ${VRM_BASH} tests/static/run.sh)
  vrm_add_test(slowest ${VRM_BASH} tests/install/slowest.sh)
  vrm_add_test(fresh_refused ${VRM_BASH} tests/install/fresh_refused.sh)
endif()
