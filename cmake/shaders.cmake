# SPDX-FileCopyrightText: 2026 The libvrm authors
# SPDX-License-Identifier: MIT

# cmake -DOUT=FILE.c -DIN="a.glsl;b.glsl" -P shaders.cmake: writes texts as zero-terminated arrays of bytes (string
# literals have a limit in C). avatar.vert.glsl becomes vrmr_avatar_vert.
set(text "// Made by cmake/shaders.cmake.\n#include \"internal.h\"\n")
foreach(file ${IN})
  get_filename_component(name ${file} NAME)
  string(REGEX REPLACE "\\.glsl$" "" name ${name})
  string(REPLACE "." "_" name ${name})
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes ${bytes})
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n    " bytes ${bytes})
  string(APPEND text "\nconst char vrmr_${name}[] = {\n    ${bytes}0};\n")
endforeach()
file(WRITE ${OUT} "${text}")
