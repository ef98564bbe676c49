// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Finds pictures in which nothing is visible, and the reason.

#include "cmd.h"

#include <string.h>

static bool is_of_one_color(const uint8_t *pixels, size_t count)
{
    return memcmp(pixels, pixels + 4, 4 * (count - 1)) == 0;
}

static bool has_visible_mesh(const stage *s, bool first_person)
{
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(s->model.avatar, &counts);
    for (uint32_t i = 0; i < counts.meshes; ++i) {
        vrm_mesh_node mesh = {.struct_size = sizeof mesh};
        (void)vrm_avatar_get_mesh_node(s->model.avatar, i, &mesh);
        if (vrm_first_person_is_visible(
                mesh.first_person, VRM_WEARER_SELF, first_person ? VRM_VIEW_FIRST_PERSON : VRM_VIEW_THIRD_PERSON)) {
            return true;
        }
    }
    return false;
}

const char *stage_find_empty(stage *s, const vrm_render_scene *scene, bool first_person, const uint8_t *pixels)
{
    const bool plain = is_of_one_color(pixels, (size_t)scene->width * scene->height);
    const bool more = scene->ground || scene->shadow || scene->debug != 0;
    vrm_render_statistics statistics = {.struct_size = sizeof statistics};
    vrm_render_model_get_statistics(s->meshes, &statistics);
    // A wearer who looks straight ahead sees only the ground. With --debug the user may want only the lines.
    if (!plain && (!more || first_person || scene->debug != 0) && statistics.vertices != 0) {
        return NULL;
    }
    if (statistics.vertices == 0) {
        return "the file has no mesh to show";
    }
    const vrm_render_item item = {.model = s->meshes, .instance = s->instance, .first_person = first_person};
    vrm_render_extent extent;
    if (vrm_renderer_measure(s->renderer, scene, &item, 1, &extent) != VRM_SUCCESS || (!plain && extent.seen > 0.0f)) {
        return NULL;
    }
    if (!has_visible_mesh(s, first_person)) {
        return first_person ? "all meshes are hidden from the wearer (first person: thirdPersonOnly)"
                            : "only the wearer sees the meshes (first person: firstPersonOnly)";
    }
    return extent.seen > 0.0f      ? "the whole figure has the background's colour"
           : extent.covered > 0.0f ? "the materials that the camera sees are fully transparent"
                                   : "the camera sees no mesh, or only back faces that are not double-sided";
}

int stage_say_empty(stage *s, const char *what)
{
    if (s->job->common.strict) {
        return cli_fail(s->job, CLI_EXIT_ASSET, "%s: %s (--strict)", s->model.path, what);
    }
    cli_say(s->job, "%s: %s", s->model.path, what);
    return CLI_EXIT_DONE;
}
