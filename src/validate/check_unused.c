// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "validate/run.h"

// Reports unused objects. If the file has an unknown extension, nothing is reported, because the extension may refer to
// any object.

void vrmi_validate_unused(vrmi_run *run)
{
    static const vrm_gltf_array arrays[] = {VRM_GLTF_ACCESSORS, VRM_GLTF_BUFFER_VIEWS, VRM_GLTF_BUFFERS,
        VRM_GLTF_CAMERAS, VRM_GLTF_IMAGES, VRM_GLTF_MATERIALS, VRM_GLTF_MESHES, VRM_GLTF_SAMPLERS, VRM_GLTF_SKINS,
        VRM_GLTF_TEXTURES};
    for (size_t a = 0; a < sizeof(arrays) / sizeof(arrays[0]) && !run->unknown; ++a) {
        for (uint32_t i = 0; i < run->gltf->counts[arrays[a]] && vrmi_run_tick(run); ++i) {
            if (run->used[arrays[a]][i] == 0) {
                vrmi_reader_report(&run->reader, VRM_FINDING_UNUSED_OBJECT, vrmi_gltf_element(run->gltf, arrays[a], i),
                    NULL, NULL, NULL);
            }
        }
    }
}
