// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
layout(location = 0) in vec3 a_position;
uniform mat4 u_clip;
out vec2 v_place;
void main()
{
    v_place = a_position.xz;
    gl_Position = u_clip * vec4(a_position, 1.0);
}
