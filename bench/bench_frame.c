// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Measures an avatar: loading by phase with peak memory, a frame by stage at 60, 90 and 144 Hz, bytes per instance.
// `bench_frame [MODEL] [--json] [--poses OUT.json]` measures the generated sample if there is no model. Each value is
// from many runs. A stage's time is the difference between a mask with this stage and the mask without it. --poses
// writes the motion at 60 Hz, so that other runtimes can be timed with the same motion.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vrm/vrm.h>

#include "base/platform.h"
#include "load_phases.h"
#include "minimal_sample.h"
#include "procedural_motion.h"
#include "timing.h"

// --- memory --------------------------------------------------------------------------------------------------------

typedef struct memory {
    size_t used, peak;
} memory;

static void *count_allocate(size_t size, size_t alignment, void *user)
{
    memory *m = user;
    const size_t rounded = (size + alignment - 1) / alignment * alignment;
    void *block = aligned_alloc(alignment < sizeof(void *) ? sizeof(void *) : alignment,
        alignment < sizeof(void *) ? (size + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *) : rounded);
    if (block != NULL) {
        m->used += size;
        m->peak = m->used > m->peak ? m->used : m->peak;
    }
    return block;
}

static void count_release(void *block, size_t size, void *user)
{
    ((memory *)user)->used -= size;
    free(block);
}

// --- frames --------------------------------------------------------------------------------------------------------

static const struct {
    const char *name;
    uint32_t mask;
} stages[] = {
    {"pose", VRM_STAGE_POSE},
    {"look_at", VRM_STAGE_LOOK_AT},
    {"expression", VRM_STAGE_EXPRESSION},
    {"constraint", VRM_STAGE_CONSTRAINT},
    {"spring", VRM_STAGE_SPRING},
    {"output", VRM_STAGE_OUTPUT},
};
enum { STAGES = sizeof stages / sizeof stages[0], FRAMES = 400, UPDATES = 9 * FRAMES, LOADS = 21 };

typedef void update_way(vrm_instance *instance, const vrm_update_params *params);

// An update without the spring stage also computes hair as part of the node tree. So leaving out the spring stage does
// not give its time. Instead, the springs are updated separately, after the update with `params`.
static void update_springs_apart(vrm_instance *instance, const vrm_update_params *params)
{
    vrm_update_params springs = *params;
    springs.stages = VRM_STAGE_SPRING;
    vrm_update(instance, params);
    vrm_update(instance, &springs);
}

// Returns the microseconds per update with a mask. It is a mean, because above 60 Hz springs tick only in some frames.
// Updates longer than three times the median are excluded, since other programs interrupted them.
static double time_updates(vrm_instance *instance, uint32_t mask, float dt, update_way *update)
{
    static double spent[UPDATES];
    for (int i = 0; i < UPDATES; ++i) {
        scene_motion_apply(instance, SCENE_MOTION_WALK, (double)(i % FRAMES) * (double)dt);
        const vrm_update_params params = {.struct_size = sizeof params, .dt = dt, .stages = mask};
        const double start = vrmi_platform_seconds();
        update(instance, &params);
        spent[i] = (vrmi_platform_seconds() - start) * 1e6;
    }
    const double most = 3.0 * median(spent, UPDATES);
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < UPDATES && spent[i] <= most; ++i) { // median() has sorted the values
        sum += spent[i];
        ++count;
    }
    return sum / count;
}

// Measures each stage. Returns the time of a whole update.
static double measure_stages(vrm_instance *instance, float dt, double out[STAGES])
{
    const double nothing = time_updates(instance, 0, dt, vrm_update);
    uint32_t mask = VRM_STAGE_SPRING, above = 0;
    double before = time_updates(instance, mask, dt, vrm_update);
    for (int i = 0; i < STAGES; ++i) {
        double own;
        if (stages[i].mask == VRM_STAGE_SPRING) {
            own =
                time_updates(instance, above, dt, update_springs_apart) - time_updates(instance, above, dt, vrm_update);
        } else {
            mask |= stages[i].mask;
            above |= stages[i].mask;
            const double with = time_updates(instance, mask, dt, vrm_update);
            own = with - before;
            before = with;
        }
        out[i] = own > 0.0 ? own : 0.0;
    }
    return time_updates(instance, mask, dt, vrm_update) - nothing;
}

// Writes the frames of the motion: normalized rotations of the avatar's bones, and the displacement of the hips from
// rest.
static bool write_poses(vrm_instance *instance, const char *path)
{
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        return false;
    }
    fprintf(out, "[");
    for (int i = 0; i < FRAMES; ++i) {
        scene_motion_apply(instance, SCENE_MOTION_WALK, (double)i / 60.0);
        const vrm_avatar *avatar = vrm_instance_get_avatar(instance);
        const uint32_t hips = (uint32_t)vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_HIPS);
        vrm_node node = {.struct_size = sizeof node};
        vrm_transform local;
        (void)vrm_avatar_get_node(avatar, hips, &node);
        (void)vrm_instance_get_local(instance, hips, &local);
        const vrm_vec3 a = node.rest.translation, b = local.translation;
        fprintf(out, "%s{\"way\":[%.9g,%.9g,%.9g]", i > 0 ? ",\n" : "", (double)(b.x - a.x), (double)(b.y - a.y),
            (double)(b.z - a.z));
        for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
            vrm_quat q;
            if (vrm_instance_get_normalized_rotation(instance, (vrm_human_bone)bone, &q) == VRM_SUCCESS) {
                fprintf(out, ",\"%s\":[%.9g,%.9g,%.9g,%.9g]", vrm_human_bone_name((vrm_human_bone)bone), (double)q.x,
                    (double)q.y, (double)q.z, (double)q.w);
            }
        }
        fprintf(out, "}");
    }
    fprintf(out, "]\n");
    return fclose(out) == 0;
}

static int fail(const char *what, vrm_result result)
{
    fprintf(stderr, "bench_frame: %s: %s\n", what, vrm_result_sentence(result));
    return 1;
}

// Prints the times of loading. `total` is the median of all loads, `first` the time of the first load. The phases are
// those of the fastest load.
static void print_loading(const scene_load *l, size_t peak, double total, double first, bool json)
{
    if (json) {
        printf("{\"load_ms\":%.3f,\"first_load_ms\":%.3f,\"document_ms\":%.3f,\"import_ms\":%.3f,"
               "\"load_peak_bytes\":%zu,\"phases_ms\":{",
            total * 1e3, first * 1e3, l->document * 1e3, l->import * 1e3, peak);
    } else {
        printf("load %.3f ms, the first time %.3f ms (document %.3f, import %.3f), peak %.2f MB besides the file\n",
            total * 1e3, first * 1e3, l->document * 1e3, l->import * 1e3, (double)peak / 1e6);
    }
    for (int i = 0; i < l->count; ++i) {
        printf(json ? "%s\"%s\":%.3f" : "%s  %s %.3f ms\n", json && i > 0 ? "," : "", l->names[i], l->seconds[i] * 1e3);
    }
    printf(json ? "}" : "");
}

static void print_frames(vrm_instance *instance, const vrm_avatar_counts *counts, bool json)
{
    static const int rates[] = {60, 90, 144};
    printf(json ? ",\"rates\":{" : "microseconds per update, by stage\n");
    for (int r = 0; r < 3; ++r) {
        double spent[STAGES];
        const double whole = measure_stages(instance, 1.0f / (float)rates[r], spent);
        printf(json ? "%s\"%d\":{" : "%s  %3d Hz", json && r > 0 ? "," : "", rates[r]);
        for (int i = 0; i < STAGES; ++i) {
            printf(json ? "\"%s\":%.3f," : "  %s %.2f", stages[i].name, spent[i]);
        }
        const double per_joint = counts->spring_joints > 0 ? spent[4] * 1e3 / counts->spring_joints : 0.0;
        printf(json ? "\"us_per_update\":%.3f,\"ns_per_spring_joint\":%.2f}"
                    : "  at once %.2f  (%.1f ns per spring joint)\n",
            whole, per_joint);
    }
    printf(json ? "}" : "");
}

int main(int argc, char **argv)
{
    const char *path = NULL, *poses = NULL;
    bool json = false;
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--json") == 0) {
            json = true;
        } else if (strcmp(argv[i], "--poses") == 0 && i + 1 < argc) {
            poses = argv[++i];
        } else {
            path = argv[i];
        }
    }
    vrm_bytes bytes;
    vrm_result result = path != NULL ? vrm_read_file(path, UINT32_MAX, NULL, &bytes) : scene_minimal_sample(0, &bytes);
    if (result != VRM_SUCCESS) {
        return fail(path != NULL ? path : "sample", result);
    }
    memory m = {0};
    const vrm_allocator allocator = {count_allocate, count_release, &m};
    vrm_gltf_def defaults;
    vrm_gltf_def_default(&defaults);
    scene_load l = {0}, best = {0};
    double totals[LOADS];
    size_t peak = 0;
    for (int i = 0; i < LOADS; ++i) {
        vrm_avatar_release(l.avatar);
        m.peak = m.used;
        result = scene_load_run(&l, bytes.data, bytes.size, &allocator, &defaults.limits);
        if (result != VRM_SUCCESS) {
            return fail("load", result);
        }
        totals[i] = scene_load_seconds(&l);
        if (i == 0 || totals[i] < scene_load_seconds(&best)) {
            best = l;
            peak = m.peak;
        }
    }
    vrm_avatar *avatar = l.avatar;
    const double first = totals[0];
    const double total = median(totals, LOADS);
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    vrm_instance *instance;
    result = vrm_instance_create(&def, &instance);
    if (result != VRM_SUCCESS) {
        return fail("instance", result);
    }
    if (poses != NULL && !write_poses(instance, poses)) {
        return fail(poses, VRM_ERROR_WRITE);
    }
    const vrm_dvec3 target = {0.4, 1.4, 2.0};
    (void)vrm_instance_set_look_at_target(instance, &target);
    print_loading(&best, peak, total, first, json);
    print_frames(instance, &counts, json);
    printf(json ? ",\"bytes_per_instance\":%zu,\"avatar_bytes\":%zu,\"nodes\":%u,\"joints\":%u}\n"
                : "%zu bytes per instance, %zu per avatar (%u nodes, %u spring joints)\n",
        vrm_instance_get_size(&def), counts.bytes, counts.nodes, counts.spring_joints);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
    vrm_bytes_free(&bytes);
    return 0;
}
