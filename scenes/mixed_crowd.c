// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "mixed_crowd.h"

vrm_lod scene_mixed_level(uint32_t index)
{
    return index % 20 < 10 ? VRM_LOD_FULL : VRM_LOD_SLEEP;
}

bool scene_mixed_is_far(uint32_t index)
{
    return index % 20 >= 4;
}

float scene_mixed_phase(uint32_t index)
{
    return 0.25f * (float)(index / 20 % 4);
}
