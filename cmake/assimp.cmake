# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT

# FBX and COLLADA motions need assimp. AUTO builds the program vrm-assimp if assimp is found, ON requires assimp, OFF
# does not build the program.
set(VRM_HAVE_ASSIMP FALSE)
if(VRM_BUILD_CLI AND NOT VRM_BUILD_ASSIMP STREQUAL "OFF" AND NOT VRM_STATIC_EXECUTABLE)
  find_package(PkgConfig QUIET)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(VRM_ASSIMP QUIET IMPORTED_TARGET assimp)
  endif()
  if(VRM_ASSIMP_FOUND)
    set(VRM_HAVE_ASSIMP TRUE)
    add_subdirectory(adapters/assimp)
  elseif(VRM_BUILD_ASSIMP STREQUAL "ON")
    message(FATAL_ERROR "VRM_BUILD_ASSIMP is ON, but the Debian package libassimp-dev (or its like) is missing")
  else()
    message(STATUS "FBX and COLLADA motions are left out; they need the Debian package libassimp-dev")
  endif()
endif()
