# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT

# Components, for `cmake --install build/release --component NAME`:
#   runtime  libvrm.so                       tools  commands, their man pages, completion and JSON schemas
#   render   libvrm-render.so                dev    headers, archives, api.json, files of CMake and pkg-config

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(VRM_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/vrm)

# --- libraries and headers -----------------------------------------------------------------------------------------

function(vrm_install_libraries export component)
  install(TARGETS ${ARGN} EXPORT ${export}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component} NAMELINK_COMPONENT dev
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${component})
  install(EXPORT ${export} NAMESPACE vrm:: DESTINATION ${VRM_CMAKE_DIR} COMPONENT dev)
endfunction()

function(vrm_install_headers folder)
  install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
endfunction()

vrm_install_libraries(vrm-targets runtime ${VRM_LIBRARIES})
vrm_install_headers(include/vrm)
if(VRM_HAVE_RENDER)
  # A separate export, so that projects that use only vrm need none of the renderer's packages.
  vrm_install_libraries(vrm-render-targets render ${VRM_RENDER_LIBRARIES})
  vrm_install_headers(render/include/vrm_render)
endif()
if(VRM_HAVE_ODE)
  # Not part of the packages, so that projects that use vrm need no ODE. To use it, link vrm-ode, vrm, ode.
  install(TARGETS vrm_ode ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
  vrm_install_headers(adapters/ode/include/vrm_ode)
endif()
if(VRM_HAVE_API)
  install(FILES ${VRM_API_JSON} DESTINATION ${CMAKE_INSTALL_DATADIR}/vrm COMPONENT dev)
endif()

# --- CMake and pkg-config ------------------------------------------------------------------------------------------

configure_package_config_file(cmake/vrm-config.cmake.in ${PROJECT_BINARY_DIR}/vrm-config.cmake
  INSTALL_DESTINATION ${VRM_CMAKE_DIR})
# While the major version is 0, a minor version may break the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/vrm-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/vrm-config.cmake ${PROJECT_BINARY_DIR}/vrm-config-version.cmake
  DESTINATION ${VRM_CMAKE_DIR} COMPONENT dev)

# The package files find their prefix from their own location, so that an installed tree can be moved.
file(RELATIVE_PATH VRM_PC_TO_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)

# vrm_install_package(NAME DESCRIPTION [LIBS -l...] [REQUIRES packages]). PRIVATE: a shared library loads these
# libraries itself, so pkg-config lists them only with --static.
function(vrm_install_package name description)
  cmake_parse_arguments(arg PRIVATE LIBS REQUIRES ${ARGN})
  set(VRM_PC_NAME ${name})
  set(VRM_PC_DESCRIPTION ${description})
  foreach(variable MORE PRIVATE REQUIRES REQUIRES_PRIVATE)
    set(VRM_PC_${variable} "")
  endforeach()
  if(arg_PRIVATE AND VRM_BUILD_SHARED)
    set(VRM_PC_PRIVATE "${arg_LIBS}")
    set(VRM_PC_REQUIRES_PRIVATE "${arg_REQUIRES}")
  else()
    set(VRM_PC_MORE "${arg_LIBS}")
    set(VRM_PC_REQUIRES "${arg_REQUIRES}")
  endif()
  if(name STREQUAL "vrm-render")
    string(PREPEND VRM_PC_REQUIRES "vrm ")
  endif()
  configure_file(vrm.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
endfunction()

set(math "")
if(VRM_LIBM)
  set(math " -l${VRM_LIBM}")
endif()
set(threads "")
if(VRM_PTHREAD)
  set(threads " -pthread")
endif()
vrm_install_package(vrm "Reads, animates and writes VRM avatars" PRIVATE LIBS "${threads}${math}")
vrm_install_package(vrm-runtime "The frame of libvrm alone: no files, no allocation" LIBS "${math}")
if(VRM_RAGDOLL)
  vrm_install_package(vrm-dynamics "The light ragdoll solver and the drives, beside the frame alone" LIBS " -lvrm-runtime${math}")
endif()
if(VRM_HAVE_RENDER)
  set(webp "")
  if(VRM_WEBP_LIBRARY)
    set(webp " libwebp")
  endif()
  vrm_install_package(vrm-render "Draws VRM avatars with OpenGL ES 3.0" PRIVATE LIBS "${math}" REQUIRES "epoxy spng libjpeg${webp}")
endif()

# --- commands ------------------------------------------------------------------------------------------------------

if(VRM_BUILD_CLI)
  set(programs vrm-cli)
  foreach(program RENDER VIEW ASSIMP ODE)
    if(VRM_HAVE_${program})
      string(TOLOWER vrm-${program} target)
      list(APPEND programs ${target})
    endif()
  endforeach()
  install(TARGETS ${programs} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
  install(DIRECTORY cli/schemas/ DESTINATION ${CMAKE_INSTALL_DATADIR}/vrm/schemas COMPONENT tools
    FILES_MATCHING PATTERN "*.schema.json")
  install(DIRECTORY docs/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tools FILES_MATCHING PATTERN "*.1")
  install(FILES docs/completion/vrm.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT tools
    RENAME vrm)
  install(FILES docs/completion/_vrm DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT tools)
endif()
