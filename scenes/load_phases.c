// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "load_phases.h"

#include "base/platform.h"

#include <string.h>

// Adds the time since the last call to the phase that was last reported.
static void count_time(scene_load *load)
{
    const double now = vrmi_platform_seconds();
    if (load->count > 0) {
        load->seconds[load->count - 1] += now - load->last;
    }
    load->last = now;
}

// The progress callback. It never cancels the load, so it always returns true.
static bool tell(float fraction, const char *phase, void *user)
{
    (void)fraction;
    scene_load *load = user;
    count_time(load);
    if ((load->count == 0 || strcmp(load->names[load->count - 1], phase) != 0) && load->count < SCENE_MAX_PHASES) {
        load->names[load->count++] = phase;
    }
    return true;
}

// Returns the size of a GLB's first chunk, otherwise the size of the whole text.
static size_t json_size(const uint8_t *bytes, size_t size)
{
    if (size < 20 || memcmp(bytes, "glTF", 4) != 0) {
        return size;
    }
    return bytes[12] | (size_t)bytes[13] << 8 | (size_t)bytes[14] << 16 | (size_t)bytes[15] << 24;
}

vrm_result scene_load_run(
    scene_load *load, const void *bytes, size_t size, const vrm_allocator *allocator, const vrm_limits *limits)
{
    *load = (scene_load){.json = json_size(bytes, size)};
    vrm_gltf_def gltf_def;
    vrm_gltf_def_default(&gltf_def);
    gltf_def.allocator = *allocator;
    gltf_def.limits = *limits;
    gltf_def.borrow_bytes = true;
    gltf_def.progress = tell;
    gltf_def.progress_user = load;
    vrm_avatar_def avatar_def;
    vrm_avatar_def_default(&avatar_def);
    avatar_def.allocator = *allocator;
    avatar_def.limits = *limits;
    avatar_def.allow_plain_gltf = true;
    avatar_def.progress = tell;
    avatar_def.progress_user = load;
    vrm_gltf *gltf = NULL;
    const double start = load->last = vrmi_platform_seconds();
    vrm_result result = vrm_gltf_load(&gltf_def, bytes, size, NULL, &gltf);
    const double middle = vrmi_platform_seconds();
    if (result == VRM_SUCCESS) {
        result = vrm_avatar_import(&avatar_def, gltf, NULL, &load->avatar);
    }
    count_time(load); // counts the time of the last phase
    load->document = middle - start;
    load->import = load->last - middle;
    vrm_gltf_destroy(gltf);
    return result;
}

double scene_load_seconds(const scene_load *load)
{
    return load->document + load->import;
}

double scene_load_json_rate(const scene_load *load)
{
    for (int i = 0; i < load->count; ++i) {
        if (strcmp(load->names[i], "json") == 0 && load->seconds[i] > 0.0) {
            return (double)load->json / 1e6 / load->seconds[i];
        }
    }
    return 0.0;
}
