// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "ragdoll/build.h"

#include "base/abi.h"
#include "base/checks.h"
#include "base/report.h"
#include "base/text.h"

void(vrm_ragdoll_build_params_default)(vrm_ragdoll_build_params *params, size_t size)
{
    const vrm_ragdoll_build_params own = {.struct_size = sizeof own, .max_mass_ratio = 6.0f};
    vrmi_write_defaults(params, size, &own, sizeof own);
}

static int32_t parent_bone(const vrmi_ragdoll_build *build, int32_t bone)
{
    return build->model->head.bone_parent[bone];
}

static bool has_body(const vrmi_ragdoll_build *build, int32_t bone)
{
    const int32_t *nodes = build->model->head.bone_node;
    const bool named = (vrmi_anatomy_of((vrm_human_bone)bone)->details >> build->params->detail & 1u) != 0;
    // Without a chest the spine is the trunk at every level of detail.
    const bool trunk = bone == VRM_HUMAN_BONE_SPINE && nodes[VRM_HUMAN_BONE_CHEST] < 0;
    return nodes[bone] >= 0 && (named || trunk);
}

static void choose_bodies(vrmi_ragdoll_build *build)
{
    vrm_ragdoll_def *def = build->def;
    // Bones are listed parents first, but the avatar's nodes may have the spine bones in another order. The order of
    // the nodes is used.
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        const int32_t node = build->model->head.bone_node[bone];
        build->body_of_bone[bone] = -1;
        if (!has_body(build, bone)) {
            continue;
        }
        const vrm_ragdoll_group group = vrmi_anatomy_of((vrm_human_bone)bone)->group;
        const bool other_side = vrmi_anatomy_is_right((vrm_human_bone)bone) && group >= VRM_RAGDOLL_GROUP_LEFT_ARM;
        build->body_of_bone[bone] = (int32_t)def->body_count;
        def->bodies[def->body_count++] = (vrm_ragdoll_body){.bone = (vrm_human_bone)bone,
            .node = (uint32_t)node,
            .parent = -1,
            .group = other_side ? (vrm_ragdoll_group)(group + 1) : group,
            .shape = {.rotation = {0, 0, 0, 1}},
            .inertia_rotation = {0, 0, 0, 1},
            .joint = {.frame = {0, 0, 0, 1}}};
    }
    for (uint32_t i = 1; i < def->body_count; ++i) {
        int32_t bone = parent_bone(build, (int32_t)def->bodies[i].bone);
        while (bone >= 0 && build->body_of_bone[bone] < 0) {
            bone = parent_bone(build, bone);
        }
        def->bodies[i].parent = bone >= 0 ? build->body_of_bone[bone] : 0;
    }
    // A bone without a body belongs to the body of its parent bone, except that the neck belongs to the head.
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        const int32_t *nodes = build->model->head.bone_node;
        if (build->body_of_bone[bone] < 0 && nodes[bone] >= 0) {
            build->body_of_bone[bone] = bone == VRM_HUMAN_BONE_NECK && nodes[VRM_HUMAN_BONE_HEAD] >= 0
                                            ? build->body_of_bone[VRM_HUMAN_BONE_HEAD]
                                            : build->body_of_bone[parent_bone(build, bone)];
        }
    }
}

static void measure_height(vrmi_ragdoll_build *build)
{
    const int32_t head = build->model->head.bone_node[VRM_HUMAN_BONE_HEAD];
    if (build->high > build->low) {
        build->def->height = build->high - build->low;
        return;
    }
    // The head's joint is assumed at seven eighths of the figure's height.
    const float joint = head >= 0 ? vrmi_ragdoll_place(build, VRM_HUMAN_BONE_HEAD).y : 0.0f;
    build->def->height = joint > 0.05f ? joint * (8.0f / 7.0f) : 1.6f;
}

// Masses scale with the square of lengths, and moments of inertia with the fourth power. So very small and very large
// avatars exceed the range of floats.
static vrm_result check_result(const vrmi_ragdoll_build *build, const vrm_avatar *avatar)
{
    vrm_ragdoll_error error = {.struct_size = sizeof error};
    if (vrm_ragdoll_def_check_avatar(build->def, avatar, &error) == VRM_SUCCESS) {
        return VRM_SUCCESS;
    }
    char found[160];
    const char *body = error.body >= 0 ? vrm_human_bone_name(build->def->bodies[error.body].bone) : "ragdoll";
    vrmi_format(
        found, sizeof found, "%g m tall, where %s.%s is not possible", (double)build->def->height, body, error.field);
    vrmi_report(build->report, VRM_FINDING_RAGDOLL_NOT_OF_SIZE, "", found, "an avatar of 0.02 m to 200 m");
    return VRM_ERROR_INVALID_ASSET;
}

static bool usable(const vrm_ragdoll_build_params *params)
{
    return (uint32_t)params->detail < VRM_RAGDOLL_DETAIL_COUNT && params->mass >= 0.0f && params->mass <= 1e6f &&
           (params->max_mass_ratio == 0.0f || (params->max_mass_ratio >= 1.5f && params->max_mass_ratio <= 1e6f));
}

vrm_result vrmi_ragdoll_gather(vrmi_ragdoll_build *build, const vrm_avatar *avatar, const vrm_gltf *gltf,
    const vrm_ragdoll_build_params *params, vrm_ragdoll_def *def)
{
    vrm_ragdoll_def_default(def);
    *build = (vrmi_ragdoll_build){.model = avatar->model,
        .gltf = gltf,
        .params = params,
        .report = build->report,
        .watcher = build->watcher,
        .def = def,
        .low = 3.4e38f,
        .high = -3.4e38f};
    vrmi_resolve_allocator(&params->allocator, &build->allocator);
    choose_bodies(build);
    build->points = vrmi_allocate(&build->allocator, 2 * def->body_count * sizeof *build->points, 16);
    if (build->points == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    build->bent = build->points + def->body_count;
    for (uint32_t i = 0; i < 2 * def->body_count; ++i) {
        build->points[i].count = build->points[i].seen = 0;
        build->points[i].stride = 1;
        build->points[i].reach = vrmi_ragdoll_reach(build, i % def->body_count);
    }
    const vrm_result result = gltf != NULL ? vrmi_ragdoll_read_vertices(build) : VRM_SUCCESS;
    measure_height(build);
    return result;
}

void vrmi_ragdoll_release(vrmi_ragdoll_build *build)
{
    vrmi_release(&build->allocator, build->points, 2 * build->def->body_count * sizeof *build->points);
}

vrm_result vrm_ragdoll_def_build(const vrm_avatar *avatar, const vrm_gltf *gltf, const vrm_ragdoll_build_params *params,
    vrm_report *report, vrm_ragdoll_def *out_def)
{
    vrm_ragdoll_build_params own;
    vrm_ragdoll_build_params_default(&own);
    if (!VRM_ASSERT(avatar != NULL && out_def != NULL) || !VRMI_READ_OPTIONS(vrm_ragdoll_build_params, &own, params) ||
        !usable(&own) || avatar->model->head.bone_node[VRM_HUMAN_BONE_HIPS] < 0 ||
        (gltf != NULL && !vrm_avatar_is_from(avatar, gltf))) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    params = &own;
    vrm_ragdoll_def def = {.struct_size = sizeof def};
    vrmi_ragdoll_build build = {.report = report};
    vrm_result result = vrmi_ragdoll_gather(&build, avatar, gltf, params, &def);
    if (result == VRM_SUCCESS) {
        vrmi_ragdoll_fit_shapes(&build);
        vrmi_ragdoll_share_mass(&build);
        vrmi_ragdoll_place_joints(&build);
        vrmi_ragdoll_find_contacts(&build);
        result = check_result(&build, avatar);
    }
    if (result == VRM_SUCCESS) {
        result = VRMI_ANSWER(vrm_ragdoll_def, out_def, &def);
    }
    vrmi_ragdoll_release(&build);
    return result;
}
