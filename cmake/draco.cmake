# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT

# The example of a Draco decoder needs libdraco and a C++ compiler. It is not installed, so it is built only for the
# tests, together with an encoder that makes their meshes.
set(VRM_HAVE_DRACO FALSE)
if(VRM_BUILD_TESTS AND NOT VRM_SANITIZE AND NOT VRM_STATIC_EXECUTABLE AND NOT CMAKE_CROSSCOMPILING)
  find_package(PkgConfig QUIET)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(VRM_DRACO QUIET IMPORTED_TARGET draco)
  endif()
  include(CheckLanguage)
  check_language(CXX)
  if(VRM_DRACO_FOUND AND CMAKE_CXX_COMPILER)
    enable_language(CXX)
    set(VRM_HAVE_DRACO TRUE)
    add_library(vrm_example_draco STATIC examples/decoders/draco_decoder.cpp tests/fixtures/draco_mesh.cpp)
    vrm_executable_flags(vrm_example_draco)
    # Silences GCC's warnings about Draco's own headers.
    target_compile_options(vrm_example_draco PRIVATE -Wno-conversion -Wno-shadow -Wno-unused-parameter -Wno-sign-conversion -Wno-pedantic)
    target_include_directories(vrm_example_draco PUBLIC examples/decoders tests/fixtures)
    target_link_libraries(vrm_example_draco PUBLIC vrm PkgConfig::VRM_DRACO)
  else()
    message(STATUS "examples/decoders/draco_decoder.cpp is left out; it needs the Debian packages libdraco-dev and g++")
  endif()
endif()
