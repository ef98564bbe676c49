# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT

# Options of small builds (docs/install.md).

if(NOT VRM_LANES MATCHES "^(ALL|FOUR|ONE|SCALAR)$")
  message(FATAL_ERROR "VRM_LANES is ${VRM_LANES}, and must be ALL, FOUR, ONE or SCALAR")
endif()
if(NOT VRM_RAGDOLL)
  message(STATUS "Without ragdolls only the libraries are built: the renderer and all programs use them")
  foreach(part CLI TESTS BENCH CAMPAIGN RENDER ASSIMP ODE)
    set(VRM_BUILD_${part} OFF)
  endforeach()
endif()

# Without VRM_RAGDOLL one file replaces the folder. Instances then have no ragdoll, and their snapshots equal those of
# other builds.
function(vrm_without_ragdoll)
  foreach(list ${ARGN})
    if(VRM_RAGDOLL)
      list(FILTER ${list} EXCLUDE REGEX "/stage_ragdoll_none\\.c$")
    else()
      set(stand_in ${${list}})
      list(FILTER stand_in INCLUDE REGEX "/runtime/ragdoll/stage_ragdoll_none\\.c$")
      list(FILTER ${list} EXCLUDE REGEX
        "/dynamics/|/src/(ragdoll/|record/trace|(math|model)/ragdoll_|runtime/ragdoll/)")
      list(APPEND ${list} ${stand_in})
    endif()
    set(${list} ${${list}} PARENT_SCOPE)
  endforeach()
endfunction()
