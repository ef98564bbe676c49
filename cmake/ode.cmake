# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT

# Ragdolls in ODE's worlds need ODE. AUTO builds libvrm-ode if ODE is found, ON requires ODE, OFF does not build
# libvrm-ode.
set(VRM_HAVE_ODE FALSE)
if(NOT VRM_BUILD_ODE STREQUAL "OFF" AND NOT VRM_STATIC_EXECUTABLE)
  find_package(PkgConfig QUIET)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(VRM_ODE QUIET IMPORTED_TARGET ode)
  endif()
  if(VRM_ODE_FOUND)
    set(VRM_HAVE_ODE TRUE)
    add_subdirectory(adapters/ode)
  elseif(VRM_BUILD_ODE STREQUAL "ON")
    message(FATAL_ERROR "VRM_BUILD_ODE is ON, but the Debian package libode-dev (or its like) is missing")
  else()
    message(STATUS "Ragdolls in ODE's worlds are left out; they need the Debian package libode-dev")
  endif()
endif()
