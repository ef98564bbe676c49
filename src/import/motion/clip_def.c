// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "base/abi.h"
#include "base/checks.h"
#include "import/motion/import_clip.h"

void(vrm_clip_def_default)(vrm_clip_def *def, size_t size)
{
    vrm_gltf_def gltf;
    vrm_gltf_def_default(&gltf);
    const vrm_clip_def own = {.struct_size = sizeof own, .limits = gltf.limits};
    vrmi_write_defaults(def, size, &own, sizeof own);
}

bool vrmi_clip_choose_def(const vrm_clip_def *def, vrm_clip_def *out)
{
    vrm_clip_def_default(out);
    return VRMI_READ_OPTIONS(vrm_clip_def, out, def) && (out->bone_map.data != NULL || out->bone_map.length == 0);
}
