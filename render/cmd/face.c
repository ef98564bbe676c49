// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "face.h"

#include <math.h>

float face_height(const vrm_avatar *avatar)
{
    vrm_avatar_body body;
    vrm_node head;
    vrm_avatar_get_body(avatar, &body);
    const int32_t node = vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_HEAD);
    if (node < 0 || vrm_avatar_get_node(avatar, (uint32_t)node, &head) != VRM_SUCCESS) {
        return 0.25f;
    }
    const float size = body.height - head.rest_position.y;
    // Ears and hats are tall: never more than a third of the figure.
    return size > 0.02f ? fminf(size, 0.33f * body.height) : fmaxf(0.14f * body.height, 0.05f);
}
