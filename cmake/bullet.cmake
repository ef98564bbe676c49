# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT

# The example of a host with another physics engine needs Bullet and a C++ compiler. It is not installed, so it is built
# together with the tests if both are found.
set(VRM_HAVE_BULLET FALSE)
if(VRM_BUILD_TESTS AND NOT VRM_STATIC_EXECUTABLE AND NOT CMAKE_CROSSCOMPILING)
  find_package(PkgConfig QUIET)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(VRM_BULLET QUIET IMPORTED_TARGET bullet)
  endif()
  include(CheckLanguage)
  if(NOT CMAKE_CXX_COMPILER)
    unset(CMAKE_CXX_COMPILER CACHE)
  endif()
  check_language(CXX)
  if(VRM_BULLET_FOUND AND CMAKE_CXX_COMPILER)
    enable_language(CXX)
    set(VRM_HAVE_BULLET TRUE)
    add_subdirectory(examples/ragdoll_host)
  else()
    message(STATUS "examples/ragdoll_host is left out; it needs the Debian packages libbullet-dev and g++")
  endif()
endif()
