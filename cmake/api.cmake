# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT

# api.json: the public headers as data, for bindings (docs/bindings.md). Without Python it is not built.
set(VRM_HAVE_API FALSE)
find_program(VRM_PYTHON NAMES python3)
if(NOT VRM_PYTHON)
  message(STATUS "api.json and the Python package are left out; they need the Debian package python3")
  return()
endif()
set(VRM_HAVE_API TRUE)

set(libraries vrm=${PROJECT_SOURCE_DIR}/include vrm-render=${PROJECT_SOURCE_DIR}/render/include)
file(GLOB adapters ${PROJECT_SOURCE_DIR}/adapters/*/include)
foreach(folder ${adapters})
  string(REGEX REPLACE ".*/adapters/([^/]*)/include" "vrm-\\1=${folder}" library ${folder})
  list(APPEND libraries ${library})
endforeach()
list(TRANSFORM libraries REPLACE "^[^=]*=" "" OUTPUT_VARIABLE folders)
list(TRANSFORM folders APPEND "/*.h" OUTPUT_VARIABLE patterns)
file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${patterns})

# The compiler writes sizes and offsets into an object file, which does not have to run on this machine.
set(describe ${VRM_PYTHON} -B ${PROJECT_SOURCE_DIR}/bindings/describe_api.py)
set(layout ${PROJECT_BINARY_DIR}/api_layout.c)
set(VRM_API_JSON ${PROJECT_BINARY_DIR}/api.json)
add_custom_command(OUTPUT ${layout} COMMAND ${describe} layout ${libraries} -o ${layout}
  DEPENDS ${headers} bindings/describe_api.py VERBATIM)
add_library(vrm_api_layout OBJECT ${layout})
set_target_properties(vrm_api_layout PROPERTIES C_STANDARD 17 C_EXTENSIONS OFF INTERPROCEDURAL_OPTIMIZATION OFF)
target_include_directories(vrm_api_layout PRIVATE ${folders})
if(VRM_IS_GNU_LIKE)
  target_compile_options(vrm_api_layout PRIVATE -fno-lto)
endif()
add_custom_command(OUTPUT ${VRM_API_JSON}
  COMMAND ${describe} json ${libraries} --object $<TARGET_OBJECTS:vrm_api_layout> -o ${VRM_API_JSON}
  DEPENDS vrm_api_layout $<TARGET_OBJECTS:vrm_api_layout> ${headers} bindings/describe_api.py VERBATIM)
add_custom_target(vrm_api ALL DEPENDS ${VRM_API_JSON})
