# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(VRM_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/vrm)
install(TARGETS ${VRM_LIBRARIES} EXPORT vrm-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/vrm DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT vrm-targets NAMESPACE vrm:: DESTINATION ${VRM_CMAKE_DIR})
configure_package_config_file(cmake/vrm-config.cmake.in ${PROJECT_BINARY_DIR}/vrm-config.cmake
  INSTALL_DESTINATION ${VRM_CMAKE_DIR})
# While the major version is 0, a minor version may break the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/vrm-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/vrm-config.cmake ${PROJECT_BINARY_DIR}/vrm-config-version.cmake
  DESTINATION ${VRM_CMAKE_DIR})

# The package files find their prefix from where they lie, so that an installed tree can be moved.
file(RELATIVE_PATH VRM_PC_TO_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
foreach(package vrm vrm-runtime vrm-dynamics)
  set(VRM_PC_NAME ${package})
  set(VRM_PC_MORE "")
  set(VRM_PC_PRIVATE "")
  if(package STREQUAL "vrm")
    set(VRM_PC_DESCRIPTION "Reads, animates and writes VRM avatars")
  elseif(package STREQUAL "vrm-dynamics")
    set(VRM_PC_DESCRIPTION "The light ragdoll solver and the drives, beside the frame alone")
    set(VRM_PC_MORE " -lvrm-runtime")
  else()
    set(VRM_PC_DESCRIPTION "The frame of libvrm alone: no files, no allocation")
  endif()
  set(system "")
  if(VRM_PTHREAD AND package STREQUAL "vrm")
    string(APPEND system " -pthread")
  endif()
  if(VRM_LIBM)
    string(APPEND system " -l${VRM_LIBM}")
  endif()
  # pkg-config gives what is private to those who ask for --static. Without a shared library everybody needs it.
  if(package STREQUAL "vrm" AND VRM_BUILD_SHARED)
    set(VRM_PC_PRIVATE "${system}")
  else()
    string(APPEND VRM_PC_MORE "${system}")
  endif()
  configure_file(vrm.pc.in ${PROJECT_BINARY_DIR}/${package}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

if(VRM_HAVE_API)
  install(FILES ${VRM_API_JSON} DESTINATION ${CMAKE_INSTALL_DATADIR}/vrm)
endif()

if(VRM_HAVE_ODE)
  # Beside the packages, so that whoever asks for vrm needs no ODE: link vrm-ode, vrm, ode.
  install(TARGETS vrm_ode ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY adapters/ode/include/vrm_ode DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
endif()

if(VRM_BUILD_CLI)
  install(TARGETS vrm-cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  if(VRM_HAVE_RENDER)
    install(TARGETS vrm-render RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
  if(VRM_HAVE_VIEW)
    install(TARGETS vrm-view RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
  if(VRM_HAVE_ASSIMP)
    install(TARGETS vrm-assimp RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
  if(VRM_HAVE_ODE)
    install(TARGETS vrm-ode RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
  install(DIRECTORY cli/schemas/ DESTINATION ${CMAKE_INSTALL_DATADIR}/vrm/schemas FILES_MATCHING PATTERN "*.schema.json")
  install(DIRECTORY docs/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")
  install(FILES docs/completion/vrm.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME vrm)
  install(FILES docs/completion/_vrm DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
endif()
