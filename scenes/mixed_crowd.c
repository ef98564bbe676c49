// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "mixed_crowd.h"

vrm_lod scene_mixed_level(uint32_t index)
{
    const uint32_t part = index % 20;
    return part < 4 ? VRM_LOD_FULL : (part < 10 ? VRM_LOD_RIGID : VRM_LOD_SLEEP);
}

float scene_mixed_phase(uint32_t index)
{
    return 0.25f * (float)(index / 20 % 4);
}
