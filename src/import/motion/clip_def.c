// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "base/abi.h"
#include "base/checks.h"
#include "import/motion/import_clip.h"

void vrm_clip_def_default(vrm_clip_def *def)
{
    if (!VRM_ASSERT(def != NULL)) {
        return;
    }
    vrm_gltf_def gltf;
    vrm_gltf_def_default(&gltf);
    *def = (vrm_clip_def){.struct_size = (uint32_t)sizeof *def, .limits = gltf.limits};
}

bool vrmi_clip_choose_def(const vrm_clip_def *def, vrm_clip_def *out)
{
    vrm_clip_def_default(out);
    return VRMI_READ_OPTIONS(vrm_clip_def, out, def) && (out->bone_map.data != NULL || out->bone_map.length == 0);
}
