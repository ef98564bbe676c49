// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Ragdolls built for other people's files and for the sample, read only through the public interface. Numbers are
// compared with the sources named in docs/ragdoll.md.

#include "compare.h"
#include "motion_act.h"
#include "ragdoll_avatar.h"
#include "test_random.h"

#include <stdio.h>
#include <stdlib.h>

#if !defined(_WIN32)
#include <dirent.h>
#endif

enum { PATH_SIZE = 1024, NOBODY = 255, MAX_FILES = 64, AROUND = 200 };

// --- how shapes fit --------------------------------------------------------------------------------------------------

typedef struct fit {
    uint32_t count[VRM_RAGDOLL_MAX_BODIES], covered[VRM_RAGDOLL_MAX_BODIES];
    double air[VRM_RAGDOLL_MAX_BODIES]; // sum of the distances from covered vertices out to the surface
    // Extents of the head's and the hips' vertices in directions all around, metres.
    float extents[2][AROUND];
} fit;

// Returns direction `i` of AROUND, evenly distributed on a sphere.
static vrm_vec3 around(int i)
{
    const double y = 1.0 - (2.0 * i + 1.0) / AROUND, turn = 2.399963229728653 * i, r = sqrt(1.0 - y * y);
    return (vrm_vec3){(float)(r * cos(turn)), (float)y, (float)(r * sin(turn))};
}

static float dot(vrm_vec3 a, vrm_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// Keeps the extents of a vertex of the head or the hips.
static void measure_extents(vrm_human_bone bone, vrm_vec3 p, fit *out)
{
    for (int i = 0; (bone == VRM_HUMAN_BONE_HEAD || bone == VRM_HUMAN_BONE_HIPS) && i < AROUND; ++i) {
        float *extent = &out->extents[bone == VRM_HUMAN_BONE_HEAD][i];
        *extent = fmaxf(*extent, dot(p, around(i)));
    }
}

// For each node, finds the body that moves it. NOBODY for nodes of springs and nodes below them.
static void list_owners(const loaded *l, const vrm_ragdoll_def *def, uint8_t *owner)
{
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(l->avatar, &counts);
    for (uint32_t node = 0; node < counts.nodes; ++node) {
        vrm_node info = {.struct_size = sizeof info};
        CHECK_INT(vrm_avatar_get_node(l->avatar, node, &info), VRM_SUCCESS);
        owner[node] = info.parent >= 0 ? owner[info.parent] : NOBODY;
        for (uint32_t i = 0; i < counts.spring_joints; ++i) {
            vrm_spring_joint joint = {.struct_size = sizeof joint};
            CHECK_INT(vrm_avatar_get_spring_joint(l->avatar, i, &joint), VRM_SUCCESS);
            owner[node] = joint.node == node ? NOBODY : owner[node];
        }
        int32_t bone = info.human_bone;
        if (bone == VRM_HUMAN_BONE_NECK && ragdoll_body_of(def, VRM_HUMAN_BONE_NECK) < 0) {
            bone = VRM_HUMAN_BONE_HEAD;
        }
        while (bone >= 0 && ragdoll_body_of(def, (vrm_human_bone)bone) < 0) {
            bone = vrm_avatar_get_bone_parent(l->avatar, (vrm_human_bone)bone);
        }
        owner[node] = bone >= 0 ? (uint8_t)ragdoll_body_of(def, (vrm_human_bone)bone) : owner[node];
    }
}

static int32_t attribute(const vrm_gltf *gltf, uint32_t mesh, uint32_t primitive, const char *name)
{
    char path[128];
    vrm_string text;
    snprintf(path, sizeof path, "/meshes/%u/primitives/%u/attributes/%s", mesh, primitive, name);
    return vrm_gltf_get_json(gltf, path, &text) == VRM_SUCCESS ? atoi(text.data) : -1;
}

static vrm_vec3 through(const vrm_mat34 *m, const float *p)
{
    const float(*r)[4] = m->m;
    return (vrm_vec3){r[0][0] * p[0] + r[0][1] * p[1] + r[0][2] * p[2] + r[0][3],
        r[1][0] * p[0] + r[1][1] * p[1] + r[1][2] * p[2] + r[1][3],
        r[2][0] * p[0] + r[2][1] * p[1] + r[2][2] * p[2] + r[2][3]};
}

static void measure_vertex(const loaded *l, const vrm_ragdoll_def *def, const float *share, vrm_vec3 p, fit *out)
{
    uint32_t best = 0;
    float total = share[VRM_RAGDOLL_MAX_BODIES];
    for (uint32_t i = 0; i < def->body_count; ++i) {
        best = share[i] > share[best] ? i : best;
        total += share[i];
    }
    if (share[best] >= 0.5f * total && share[best] > 0) {
        const vrm_vec3 origin = rest_place(l, def->bodies[best].node);
        const vrm_vec3 place = minus((vrm_vec3){p.x / total, p.y / total, p.z / total}, origin);
        const float distance = surface_distance(&def->bodies[best].shape, place);
        measure_extents(def->bodies[best].bone, place, out);
        ++out->count[best];
        out->covered[best] += distance <= 0.0f;
        out->air[best] += distance < 0.0f ? (double)-distance : 0.0;
    }
}

static void measure_primitive(const loaded *l, const vrm_ragdoll_def *def, const uint8_t *owner,
    const vrm_mesh_node *mesh, uint32_t primitive, fit *out)
{
    const int32_t position = attribute(l->gltf, mesh->gltf_mesh, primitive, "POSITION");
    const int32_t joints = attribute(l->gltf, mesh->gltf_mesh, primitive, "JOINTS_0");
    const int32_t weights = attribute(l->gltf, mesh->gltf_mesh, primitive, "WEIGHTS_0");
    vrm_gltf_accessor info = {.struct_size = sizeof info};
    if (position < 0 || vrm_gltf_get_accessor(l->gltf, (uint32_t)position, &info) != VRM_SUCCESS) {
        return;
    }
    vrm_palette palette = {.struct_size = sizeof palette};
    if (mesh->palette >= 0 && joints >= 0) {
        CHECK_INT(vrm_avatar_get_palette(l->avatar, (uint32_t)mesh->palette, &palette), VRM_SUCCESS);
    }
    for (uint32_t v = 0; v < info.count; ++v) {
        float p[3], w[4] = {1, 0, 0, 0}, share[VRM_RAGDOLL_MAX_BODIES + 1] = {0};
        uint32_t j[4] = {0};
        vrm_vec3 sum = {0, 0, 0};
        if (vrm_gltf_read_floats(l->gltf, (uint32_t)position, v, 1, p) != VRM_SUCCESS) {
            return;
        }
        if (palette.joint_count != 0) {
            CHECK_INT(vrm_gltf_read_uints(l->gltf, (uint32_t)joints, v, 1, j), VRM_SUCCESS);
            CHECK_INT(vrm_gltf_read_floats(l->gltf, (uint32_t)weights, v, 1, w), VRM_SUCCESS);
        }
        for (int i = 0; i < 4; ++i) {
            if (w[i] > 0) {
                const uint32_t node = palette.joint_count != 0 ? palette.nodes[j[i]] : mesh->node;
                const vrm_mat34 *m = palette.joint_count != 0 ? &l->rest.palette[palette.first_joint + j[i]]
                                                              : &l->rest.world[mesh->node];
                const vrm_vec3 moved = through(m, p);
                sum = (vrm_vec3){sum.x + w[i] * moved.x, sum.y + w[i] * moved.y, sum.z + w[i] * moved.z};
                share[owner[node] != NOBODY ? owner[node] : VRM_RAGDOLL_MAX_BODIES] += w[i];
            }
        }
        measure_vertex(l, def, share, sum, out);
    }
}

static fit measure_fit(const loaded *l, const vrm_ragdoll_def *def)
{
    fit out = {{0}, {0}, {0}, {{0}}};
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(l->avatar, &counts);
    uint8_t *owner = malloc(counts.nodes);
    list_owners(l, def, owner);
    for (uint32_t i = 0; i < counts.meshes; ++i) {
        vrm_mesh_node mesh = {.struct_size = sizeof mesh};
        CHECK_INT(vrm_avatar_get_mesh_node(l->avatar, i, &mesh), VRM_SUCCESS);
        char path[64];
        vrm_string text;
        for (uint32_t primitive = 0;; ++primitive) {
            snprintf(path, sizeof path, "/meshes/%u/primitives/%u", mesh.gltf_mesh, primitive);
            if (vrm_gltf_get_json(l->gltf, path, &text) != VRM_SUCCESS) {
                break;
            }
            // Primitives may share their vertices, which are then read once.
            const int32_t position = attribute(l->gltf, mesh.gltf_mesh, primitive, "POSITION");
            bool seen = false;
            for (uint32_t before = 0; before < primitive && !seen; ++before) {
                seen = attribute(l->gltf, mesh.gltf_mesh, before, "POSITION") == position;
            }
            if (!seen) {
                measure_primitive(l, def, owner, &mesh, primitive, &out);
            }
        }
    }
    free(owner);
    return out;
}

// The bodies of two files have no expected fit: a monkey's head of 2 m, and a robot whose blocks are to the left of its
// bones on both sides.
static bool is_figure(const char *name)
{
    return strcmp(name, "custom_normal.vrm") != 0 && strcmp(name, "debug_robot.vrm") != 0;
}

// Heads and hips lie on the ground like their skin: in no direction do vertices extend beyond the shape by more than 2 cm
// (for a figure of 1.6 m), except towards the body next to it. A bug once let Godette's head sink 33 mm into the ground.
static void check_extents(const char *name, const vrm_ragdoll_def *def, const fit *f)
{
    for (int head = 0; head < 2; ++head) {
        const int32_t body = ragdoll_body_of(def, head == 1 ? VRM_HUMAN_BONE_HEAD : VRM_HUMAN_BONE_HIPS);
        const vrm_ragdoll_shape *s = &def->bodies[body >= 0 ? body : 0].shape;
        const bool known = body >= 0 && f->count[body] >= 12; // fewer vertices are not a shape
        float deepest = 0.0f;
        for (int i = 0; known && s->type == VRM_RAGDOLL_SHAPE_CAPSULE && i < AROUND; ++i) {
            const vrm_vec3 way = around(i), axis = rotate(s->rotation, (vrm_vec3){0.0f, s->half_length, 0.0f});
            const bool joined = head == 1 ? way.y < -0.5f : way.y > 0.5f;
            const float shown = f->extents[head][i] - dot(s->center, way) - fabsf(dot(axis, way)) - s->radius;
            deepest = joined ? deepest : fmaxf(deepest, shown);
        }
        printf("  %s, %s: vertices extend %.0f mm beyond its shape\n", name, head == 1 ? "head" : "hips",
            1000.0 * (double)deepest);
        CHECK((double)deepest < 0.02 * fmax(1.0, (double)def->height / 1.6));
    }
}

// At least 90 per cent of each body's vertices are covered. For a figure of 1.6 m the surface is outside the covered
// vertices by at most 2 cm on average (2.25 cm on Godette, who wears a backpack and several shirts), and by at most 4
// cm on the worst body.
static void check_fit(const char *name, const loaded *l, const vrm_ragdoll_def *def)
{
    const fit f = measure_fit(l, def);
    const double size = fmax(1.0, (double)def->height / 1.6);
    double sum = 0.0, count = 0.0, worst = 0.0;
    for (uint32_t i = 0; i < def->body_count; ++i) {
        const double covered = f.count[i] != 0 ? (double)f.covered[i] / f.count[i] : 1.0;
        const double air = f.covered[i] != 0 ? f.air[i] / f.covered[i] : 0.0;
        if (f.count[i] >= 12) { // fewer vertices are not a shape
            CHECK(covered >= 0.9);
            sum += f.air[i];
            count += f.covered[i];
            worst = fmax(worst, air);
        }
        if (covered < 0.9 && f.count[i] >= 12) {
            printf("  %s, %s: %.1f %% covered\n", name, vrm_human_bone_name(def->bodies[i].bone), 100 * covered);
        }
    }
    if (is_figure(name)) {
        check_extents(name, def, &f);
        const double allowed = strncmp(name, "Godette", 7) == 0 ? 0.0225 : 0.02;
        CHECK_NEAR(sum / fmax(count, 1.0), 0.5 * allowed * size, 0.5 * allowed * size);
        CHECK_NEAR(worst, 0.02 * size, 0.02 * size);
    }
}

static void the_sample_fits(void)
{
    loaded l;
    load_sample(&l);
    const vrm_ragdoll_def def = build(&l, VRM_RAGDOLL_DETAIL_16);
    check_fit("sample", &l, &def);
    unload(&l);
}

// --- strange skins ---------------------------------------------------------------------------------------------------

static uint32_t number_at(const vrm_gltf *gltf, const char *form, uint32_t i, uint32_t k)
{
    char path[96];
    vrm_string text;
    (void)snprintf(path, sizeof path, form, i, k);
    return vrm_gltf_get_json(gltf, path, &text) == VRM_SUCCESS ? (uint32_t)strtoul(text.data, NULL, 10) : UINT32_MAX;
}

// Replaces an accessor's values by `values`, which are vectors of four components of this type.
static void replace(vrm_gltf *gltf, uint32_t accessor, uint32_t type, const void *values, size_t size, uint32_t count)
{
    char path[64], json[160];
    uint32_t view = 0;
    CHECK_INT(vrm_gltf_append_buffer_view(gltf, values, size, &view), VRM_SUCCESS);
    (void)snprintf(path, sizeof path, "/accessors/%u", accessor);
    const int length = snprintf(json, sizeof json,
        "{\"bufferView\":%u,\"componentType\":%u,\"count\":%u,\"type\":\"VEC4\"}", view, type, count);
    CHECK_INT(vrm_gltf_set_json(gltf, path, json, (size_t)length), VRM_SUCCESS);
}

// Returns the sample's file with each vertex weighted to a random joint.
static vrm_bytes sample_with_random_weights(uint64_t seed)
{
    vrm_gltf *gltf = sample_document(0);
    test_random random = test_random_make(seed);
    uint32_t joints = 0;
    while (number_at(gltf, "/skins/%u/joints/%u", 0, joints) != UINT32_MAX) {
        ++joints;
    }
    const uint32_t meshes = vrm_gltf_get_count(gltf, VRM_GLTF_MESHES);
    for (uint32_t mesh = 0; mesh < meshes; ++mesh) {
        uint32_t of_joints, of_weights, primitive = 0;
        while ((of_joints = number_at(gltf, "/meshes/%u/primitives/%u/attributes/JOINTS_0", mesh, primitive)) !=
               UINT32_MAX) {
            of_weights = number_at(gltf, "/meshes/%u/primitives/%u/attributes/WEIGHTS_0", mesh, primitive++);
            const uint32_t count = number_at(gltf, "/accessors/%u/count", of_joints, 0);
            uint16_t *on = calloc(count, 4 * sizeof *on);
            float *weights = calloc(count, 4 * sizeof *weights);
            for (uint32_t i = 0; i < count; ++i) {
                on[4 * i] = (uint16_t)test_random_below(&random, joints);
                weights[4 * i] = 1.0f;
            }
            replace(gltf, of_joints, 5123, on, count * 4 * sizeof *on, count);
            replace(gltf, of_weights, 5126, weights, count * 4 * sizeof *weights, count);
            free(on);
            free(weights);
        }
    }
    vrm_bytes bytes = {0};
    CHECK_INT(vrm_gltf_save(gltf, &bytes), VRM_SUCCESS);
    vrm_gltf_destroy(gltf);
    return bytes;
}

// Returns the length of the longest bone at a bone's joint: to its children and to its parent.
static float longest_at(const loaded *l, vrm_human_bone bone)
{
    const vrm_world *at = &l->rest.world[vrm_avatar_get_bone_node(l->avatar, bone)];
    float longest = 0.0f;
    for (int other = 0; other < VRM_HUMAN_BONE_COUNT; ++other) {
        const int32_t node = vrm_avatar_get_bone_node(l->avatar, (vrm_human_bone)other);
        if (node >= 0 &&
            (vrm_human_bone_parent((vrm_human_bone)other) == (int32_t)bone || vrm_human_bone_parent(bone) == other)) {
            float sum = 0.0f;
            for (int i = 0; i < 3; ++i) {
                const float d = l->rest.world[node].m[i][3] - at->m[i][3];
                sum += d * d;
            }
            longest = fmaxf(longest, sqrtf(sum));
        }
    }
    return longest;
}

// Returns the distance of a shape's farthest point from its joint.
static float reach_of(const vrm_ragdoll_shape *s)
{
    const bool box = s->type == VRM_RAGDOLL_SHAPE_BOX;
    const vrm_vec3 h = box ? s->half_extents : (vrm_vec3){0.0f, s->half_length, 0.0f};
    float farthest = 0.0f;
    for (uint32_t corner = 0; corner < 8; ++corner) {
        const vrm_vec3 from_center = {
            (corner & 1u) != 0 ? h.x : -h.x, (corner & 2u) != 0 ? h.y : -h.y, (corner & 4u) != 0 ? h.z : -h.z};
        const vrm_vec3 opposite = rotate(s->rotation, from_center);
        farthest = fmaxf(farthest, length(minus(s->center, opposite)) + (box ? 0.0f : s->radius));
    }
    return farthest;
}

// The largest rotations of a body in a frame, and the largest cut of a joint, degrees.
typedef struct unrest {
    float step, late_step; // mean of all quarters of a second; in the last second
    float cut;
} unrest;

// Drops a figure with a body for every bone. Shapes that are longer than their bones overlap their neighbours and throw
// the body about.
static unrest drop(const loaded *l, const vrm_ragdoll_def *def, double rate, double most_way)
{
    const scene_act act = {.avatar = l->avatar,
        .def = def,
        .motion = "none",
        .event = SCENE_EVENT_DROP,
        .when = 0.1,
        .duration = 2.5,
        .rate = rate,
        .drive = VRM_RAGDOLL_DRIVE_TORQUE};
    const scene_meter_def meter_def = {.avatar = l->avatar, .def = def, .rate = act.rate};
    scene_meter *meter = scene_meter_create(&meter_def);
    CHECK_INT(scene_act_run(&act, meter), VRM_SUCCESS);
    scene_meter_report report;
    scene_meter_read(meter, &(scene_meter_question){.event = act.when}, &report);
    const scene_reading fastest = report.figures[SCENE_FIGURE_BODY_STEP], head = report.figures[SCENE_FIGURE_HEAD_WAY];
    const scene_reading cut = report.figures[SCENE_FIGURE_OTHER_CUT_TURN];
    scene_meter_read(meter, &(scene_meter_question){.event = act.when, .from = 1.5}, &report);
    const scene_reading late = report.figures[SCENE_FIGURE_BODY_STEP];
    double sum = 0.0, quarters = 0.0;
    for (double from = act.when; from + 0.25 <= act.duration; from += 0.25, quarters += 1.0) {
        scene_meter_read(meter, &(scene_meter_question){.event = act.when, .from = from, .to = from + 0.25}, &report);
        sum += report.figures[SCENE_FIGURE_BODY_STEP].value;
    }
    printf("%u bodies dropped, %g frames/s: a body turns by %.1f degrees in a frame (%s at %.2f s), in the last second "
           "by %.1f (%s), in each quarter of a second by %.1f on average; cut %.1f; the head moves by %.0f mm\n",
        def->body_count, rate, fastest.value, vrm_human_bone_name((vrm_human_bone)fastest.bone), fastest.frame / rate,
        late.value, vrm_human_bone_name((vrm_human_bone)late.bone), sum / quarters, cut.value, head.value);
    CHECK(late.known);
    CHECK(head.value < most_way);
    scene_meter_destroy(meter);
    return (unrest){(float)(sum / quarters), (float)late.value, (float)cut.value};
}

// Fingers are so light that they would swing by 80 degrees in a frame, if friction did not brake them like real ones, and
// that the ground would turn them by up to 49, if they had only their own moments of inertia.
static void a_body_for_every_bone_falls_calmly(void)
{
    loaded l;
    load_sample(&l);
    const vrm_ragdoll_def def = build(&l, VRM_RAGDOLL_DETAIL_ALL);
    // Fingers between a body and the ground are chaotic, so that rounding decides about a single fall.
    enum { FALLS = 5 };
    float step[FALLS], late_step[FALLS], cut[FALLS];
    for (int i = 0; i < FALLS; ++i) {
        const unrest fall = drop(&l, &def, 58.0 + i, 2000.0);
        step[i] = fall.step;
        late_step[i] = fall.late_step;
        cut[i] = fall.cut;
    }
    qsort(step, FALLS, sizeof *step, compare_floats);
    qsort(late_step, FALLS, sizeof *late_step, compare_floats);
    qsort(cut, FALLS, sizeof *cut, compare_floats);
    CHECK(step[FALLS / 2] < 10.0f);
    CHECK(late_step[FALLS / 2] < 8.0f);
    CHECK(cut[FALLS / 2] < 11.0f);
    unload(&l);
}

// Limbs stay around their bones, whatever the weights are. A bug once made hands 1.3 m long.
static void random_weights_make_hands_of_their_bones_size(void)
{
    for (uint64_t seed = 1; seed <= 2; ++seed) {
        vrm_bytes bytes = sample_with_random_weights(seed);
        loaded l = {0};
        CHECK_INT(vrm_gltf_load(NULL, bytes.data, bytes.size, NULL, &l.gltf), VRM_SUCCESS);
        CHECK(finish_load(&l));
        for (int detail = 0; detail < VRM_RAGDOLL_DETAIL_COUNT; ++detail) {
            const vrm_ragdoll_def def = build(&l, (vrm_ragdoll_detail)detail);
            float largest = 0.0f;
            for (uint32_t i = 0; i < def.body_count; ++i) {
                // The builder uses vertices within 2.5 times the longest bone at the joint. A box around them has its
                // corners farther out, at most by the square root of 3.
                const float reach = reach_of(&def.bodies[i].shape), longest = longest_at(&l, def.bodies[i].bone);
                const bool limb = def.bodies[i].group >= VRM_RAGDOLL_GROUP_LEFT_ARM;
                largest = limb ? fmaxf(largest, reach / longest) : largest;
                CHECK(!limb || detail != VRM_RAGDOLL_DETAIL_ALL || reach < 4.0f * longest);
            }
            printf("detail %d: a limb reaches at most %.2f times its longest bone\n", detail, (double)largest);
            if (detail == VRM_RAGDOLL_DETAIL_ALL) {
                const unrest fall = drop(&l, &def, 60.0, 300.0);
                CHECK(fall.step < 9.0f);
                CHECK(fall.late_step < 6.0f);
            }
        }
        unload(&l);
        vrm_bytes_free(&bytes);
    }
}

// --- bodies and joints -----------------------------------------------------------------------------------------------

static void levels_of_detail(void)
{
    static const uint32_t counts[VRM_RAGDOLL_DETAIL_COUNT] = {16, 11, 7, 52};
    loaded l;
    load_sample(&l);
    vrm_avatar_counts all = {.struct_size = sizeof all};
    vrm_avatar_get_counts(l.avatar, &all);
    for (int detail = 0; detail < VRM_RAGDOLL_DETAIL_COUNT; ++detail) {
        const vrm_ragdoll_def def = build(&l, (vrm_ragdoll_detail)detail);
        uint32_t expected = counts[detail];
        if (detail == VRM_RAGDOLL_DETAIL_ALL) { // all bones that the sample has
            expected = 0;
            for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
                const bool none =
                    bone == VRM_HUMAN_BONE_LEFT_EYE || bone == VRM_HUMAN_BONE_RIGHT_EYE || bone == VRM_HUMAN_BONE_JAW;
                expected += !none && vrm_avatar_get_bone_node(l.avatar, (vrm_human_bone)bone) >= 0;
            }
        }
        CHECK_INT(def.body_count, expected);
        CHECK_INT(def.bodies[0].bone, VRM_HUMAN_BONE_HIPS);
        CHECK(detail == VRM_RAGDOLL_DETAIL_16 || detail == VRM_RAGDOLL_DETAIL_ALL ||
              ragdoll_body_of(&def, VRM_HUMAN_BONE_SPINE) < 0);
        // At every level of detail the joints from the hips to the head allow the same twist in total.
        double twist = 0.0;
        for (int32_t i = ragdoll_body_of(&def, VRM_HUMAN_BONE_HEAD); i > 0; i = def.bodies[i].parent) {
            twist += (double)def.bodies[i].joint.max_angle;
        }
        CHECK_NEAR(twist * 57.29578, 105.0, 0.01); // 45 for the trunk and 60 for the neck (AAOS 1965)
    }
    unload(&l);
}

static vrm_vec3 mirror(vrm_vec3 v)
{
    return (vrm_vec3){-v.x, v.y, v.z};
}

static vrm_human_bone other_side(vrm_human_bone bone)
{
    char name[64];
    const char *own = vrm_human_bone_name(bone);
    if (strncmp(own, "left", 4) != 0) {
        return bone;
    }
    snprintf(name, sizeof name, "right%s", own + 4);
    return (vrm_human_bone)vrm_human_bone_from_name(name, strlen(name));
}

static uint32_t asserted;

static void count_assert(const char *expression, const char *file, int line)
{
    (void)expression, (void)file, (void)line;
    ++asserted;
}

// vrm_ragdoll_get_joint_angles(NULL) once was undefined behaviour.
static void angles_of_no_joint_are_zero(void)
{
    const vrm_quat identity = {0, 0, 0, 1};
    const vrm_ragdoll_joint joint = {.frame = identity};
    float angles[3] = {7, 8, 9};
    asserted = 0;
    vrm_set_assert_hook(count_assert);
    vrm_ragdoll_get_joint_angles(NULL, identity, identity, angles);
    vrm_ragdoll_get_joint_angles(&joint, identity, identity, NULL);
    vrm_ragdoll_get_joint_angles(NULL, identity, identity, NULL);
    vrm_set_assert_hook(NULL);
    CHECK_INT(asserted, 3);
    CHECK(angles[0] == 0 && angles[1] == 0 && angles[2] == 0);
}

// vrm_ragdoll_get_joint_rows(NULL) once was undefined behaviour, too; tests/bindings/nothing.py found it.
static void rows_of_no_joint_are_none(void)
{
    const vrm_quat rotations[2] = {{0, 0, 0, 1}, {0, 0, 0, 1}};
    const vrm_ragdoll_joint joint = {.frame = rotations[0]};
    vrm_ragdoll_joint_row rows[VRM_RAGDOLL_JOINT_ROWS] = {{.gap = 7.0f}};
    asserted = 0;
    vrm_set_assert_hook(count_assert);
    CHECK_INT(vrm_ragdoll_get_joint_rows(NULL, rotations, NULL, rows), 0);
    CHECK_INT(vrm_ragdoll_get_joint_rows(&joint, NULL, NULL, rows), 0);
    CHECK_INT(vrm_ragdoll_get_joint_rows(&joint, rotations, NULL, NULL), 0);
    vrm_set_assert_hook(NULL);
    CHECK_INT(asserted, 3);
    CHECK_NEAR(rows[0].gap, 7.0, 0);
}

// Returns the child's rotation relative to the joint's limits: 1 is on the limit, above 1 outside.
static float outside(const vrm_ragdoll_joint *joint, vrm_quat child)
{
    const vrm_quat identity = {0, 0, 0, 1};
    float angles[3];
    vrm_ragdoll_get_joint_angles(joint, identity, child, angles);
    const float middle = 0.5f * (joint->max_angle + joint->min_angle),
                half = 0.5f * (joint->max_angle - joint->min_angle);
    float most = fabsf(angles[0] - middle) / half;
    if (joint->type == VRM_RAGDOLL_JOINT_CONE) {
        const float y = (angles[1] - joint->center_y) / joint->swing_y,
                    z = (angles[2] - joint->center_z) / joint->swing_z;
        most = fmaxf(most, sqrtf(y * y + z * z));
    }
    return most;
}

// A mirrored rotation is equally far from the limits of the other side's joint, whatever the joint's frame is.
static void check_symmetry(const vrm_ragdoll_def *def)
{
    for (uint32_t i = 0; i < def->body_count; ++i) {
        const vrm_ragdoll_body *a = &def->bodies[i];
        const int32_t twin = other_side(a->bone) != a->bone ? ragdoll_body_of(def, other_side(a->bone)) : -1;
        if (twin < 0) {
            continue;
        }
        const vrm_ragdoll_body *b = &def->bodies[twin];
        CHECK_NEAR(a->mass, b->mass, 1e-4f * a->mass);
        near_vector(a->center_of_mass, mirror(b->center_of_mass), 0.01 * (double)def->height);
        near_vector(a->inertia, b->inertia, 0.1 * (double)length(a->inertia));
        CHECK_INT(a->shape.type, b->shape.type);
        CHECK_NEAR(a->shape.radius, b->shape.radius, 0.005f * def->height);
        for (int k = 0; k < 24; ++k) {
            const vrm_vec3 axis = {sinf((float)k), cosf(1.7f * (float)k), sinf(2.3f * (float)k + 1.0f)};
            const float size = length(axis), angle = 0.1f * (float)k;
            const vrm_vec3 unit = {axis.x / size, axis.y / size, axis.z / size};
            const vrm_vec3 mirrored = {unit.x, -unit.y, -unit.z};
            if (a->joint.type == VRM_RAGDOLL_JOINT_CONE) {
                const float here = outside(&a->joint, turn_about(unit, angle));
                const float there = outside(&b->joint, turn_about(mirrored, angle));
                CHECK(fabsf(here - there) < 0.05f * here + 0.05f || angle > 1.8f);
            }
        }
    }
}

// Hinges rotate from the smallest angle to the largest: the lower arm forward, the shin back, and never the other way.
static void check_bends(const loaded *l, const vrm_ragdoll_def *def)
{
    static const vrm_human_bone bones[4][3] = {
        {VRM_HUMAN_BONE_LEFT_UPPER_ARM, VRM_HUMAN_BONE_LEFT_LOWER_ARM, VRM_HUMAN_BONE_LEFT_HAND},
        {VRM_HUMAN_BONE_RIGHT_UPPER_ARM, VRM_HUMAN_BONE_RIGHT_LOWER_ARM, VRM_HUMAN_BONE_RIGHT_HAND},
        {VRM_HUMAN_BONE_LEFT_UPPER_LEG, VRM_HUMAN_BONE_LEFT_LOWER_LEG, VRM_HUMAN_BONE_LEFT_FOOT},
        {VRM_HUMAN_BONE_RIGHT_UPPER_LEG, VRM_HUMAN_BONE_RIGHT_LOWER_LEG, VRM_HUMAN_BONE_RIGHT_FOOT}};
    for (int i = 0; i < 4; ++i) {
        const int32_t body = ragdoll_body_of(def, bones[i][1]);
        CHECK(body > 0 && def->bodies[body].joint.type == VRM_RAGDOLL_JOINT_HINGE);
        vrm_vec3 place[3];
        for (int k = 0; k < 3; ++k) {
            place[k] = rest_place(l, (uint32_t)vrm_avatar_get_bone_node(l->avatar, bones[i][k]));
        }
        const vrm_ragdoll_joint *joint = &def->bodies[body].joint;
        const vrm_vec3 upper = minus(place[1], place[0]), lower = minus(place[2], place[1]);
        if (length(upper) < 1e-4f || length(lower) < 1e-4f) {
            continue; // some test files have several bones at the same position
        }
        const vrm_vec3 axis = rotate(joint->frame, (vrm_vec3){1, 0, 0});
        const vrm_vec3 forward = {0, 0, i < 2 ? 1.0f : -1.0f};
        CHECK(joint->min_angle <= 0.0f && joint->max_angle > 1.5f);
        const vrm_vec3 far = rotate(turn_about(axis, 1.5f), lower),
                       least = rotate(turn_about(axis, joint->min_angle), lower);
        CHECK(far.z * forward.z > 0.5f * length(lower));
        // At its smallest angle the limb is straight. Seen along the axis, it never bends to the other side, unless the
        // rest pose does. In that case the rest pose is the limit.
        const vrm_vec3 cross = {upper.y * least.z - upper.z * least.y, upper.z * least.x - upper.x * least.z,
            upper.x * least.y - upper.y * least.x};
        const float bent = (cross.x * axis.x + cross.y * axis.y + cross.z * axis.z) / (length(upper) * length(lower));
        CHECK(bent > -0.005f || joint->min_angle == 0.0f);
    }
}

// Returns point `i` of 400 on a shape's surface. In the T-pose, no point of a body may be inside another body that can
// collide with it.
static vrm_vec3 surface_point(const vrm_ragdoll_shape *shape, uint32_t i)
{
    const float turn = 2.399963f * (float)i, up = 1.0f - (2.0f * (float)i + 1.0f) / 400.0f,
                flat = sqrtf(1.0f - up * up);
    vrm_vec3 p = {flat * cosf(turn), up, flat * sinf(turn)};
    if (shape->type == VRM_RAGDOLL_SHAPE_CAPSULE) {
        const float stretch = 2.0f * ((float)(i * 7 % 400) / 400.0f) - 1.0f;
        p = (vrm_vec3){p.x * shape->radius, p.y * shape->radius, p.z * shape->radius};
        p.y += i % 2 == 0 ? stretch * shape->half_length : (p.y > 0 ? shape->half_length : -shape->half_length);
    } else {
        const float most = fmaxf(fabsf(p.x), fmaxf(fabsf(p.y), fabsf(p.z)));
        p = (vrm_vec3){
            p.x / most * shape->half_extents.x, p.y / most * shape->half_extents.y, p.z / most * shape->half_extents.z};
    }
    const vrm_vec3 turned = rotate(shape->rotation, p);
    return (vrm_vec3){turned.x + shape->center.x, turned.y + shape->center.y, turned.z + shape->center.z};
}

static void check_overlaps(const loaded *l, const vrm_ragdoll_def *def)
{
    for (uint32_t i = 0; i < def->body_count; ++i) {
        const vrm_vec3 own = rest_place(l, def->bodies[i].node);
        for (uint32_t j = 0; j < def->body_count; ++j) {
            if (i == j || (def->bodies[i].no_contact >> j & 1u) != 0) {
                continue;
            }
            CHECK(def->bodies[i].parent != (int32_t)j);
            const vrm_vec3 other = rest_place(l, def->bodies[j].node);
            float least = 1.0f;
            for (uint32_t k = 0; k < 400; ++k) {
                const vrm_vec3 p = surface_point(&def->bodies[i].shape, k);
                const vrm_vec3 there = {p.x + own.x - other.x, p.y + own.y - other.y, p.z + own.z - other.z};
                least = fminf(least, surface_distance(&def->bodies[j].shape, there));
            }
            CHECK(least > 0.0f);
        }
    }
}

static void check_rest(const vrm_ragdoll_def *def)
{
    const vrm_quat identity = {0, 0, 0, 1};
    for (uint32_t i = 1; i < def->body_count; ++i) {
        CHECK(outside(&def->bodies[i].joint, identity) <= 1.0f);
    }
}

static void check_avatar(const char *name, const loaded *l)
{
    const vrm_ragdoll_def def = build(l, VRM_RAGDOLL_DETAIL_16);
    const int before = test_failures;
    CHECK_NEAR(total_mass(&def) / (21.5 * (double)def.height * (double)def.height), 1.0, 1e-4);
    check_fit(name, l, &def);
    if (is_figure(name)) {
        check_symmetry(&def);
    }
    check_bends(l, &def);
    check_overlaps(l, &def);
    check_rest(&def);
    for (int detail = 1; detail < VRM_RAGDOLL_DETAIL_COUNT; ++detail) {
        const vrm_ragdoll_def other = build(l, (vrm_ragdoll_detail)detail);
        check_overlaps(l, &other);
        check_rest(&other);
    }
    if (test_failures != before) {
        printf("  in %s\n", name);
    }
}

static void the_sample_is_whole(void)
{
    loaded l;
    load_sample(&l);
    check_avatar("sample", &l);
    unload(&l);
}

// Poses that people can reach are within the limits, and others are not.
static void limits_are_peoples(void)
{
    static const struct {
        vrm_human_bone bone;
        vrm_vec3 axis;
        float degrees;
        int possible;
    } cases_of[] = {
        {VRM_HUMAN_BONE_LEFT_UPPER_ARM, {0, 0, 1}, -85, 1}, // hangs down
        {VRM_HUMAN_BONE_RIGHT_UPPER_ARM, {0, 0, 1}, 85, 1},
        {VRM_HUMAN_BONE_LEFT_UPPER_ARM, {0, 0, 1}, 60, 1},  // up
        {VRM_HUMAN_BONE_LEFT_UPPER_ARM, {0, 1, 0}, -90, 1}, // forward
        {VRM_HUMAN_BONE_RIGHT_UPPER_ARM, {0, 1, 0}, 90, 1},
        {VRM_HUMAN_BONE_LEFT_UPPER_ARM, {0, 1, 0}, 80, 0}, // back
        {VRM_HUMAN_BONE_RIGHT_UPPER_ARM, {0, 1, 0}, -80, 0},
        {VRM_HUMAN_BONE_LEFT_UPPER_LEG, {1, 0, 0}, -90, 1}, // sits
        {VRM_HUMAN_BONE_RIGHT_UPPER_LEG, {1, 0, 0}, -90, 1},
        {VRM_HUMAN_BONE_LEFT_UPPER_LEG, {1, 0, 0}, 50, 0}, // too far back
        {VRM_HUMAN_BONE_LEFT_UPPER_LEG, {0, 0, 1}, 35, 1}, // apart
        {VRM_HUMAN_BONE_RIGHT_UPPER_LEG, {0, 0, 1}, -35, 1},
        {VRM_HUMAN_BONE_LEFT_UPPER_LEG, {0, 0, 1}, -45, 0}, // across
        {VRM_HUMAN_BONE_RIGHT_UPPER_LEG, {0, 0, 1}, 45, 0},
        {VRM_HUMAN_BONE_LEFT_FOOT, {1, 0, 0}, 40, 1}, // on tiptoe
        {VRM_HUMAN_BONE_RIGHT_FOOT, {1, 0, 0}, -40, 0},
        {VRM_HUMAN_BONE_HEAD, {0, 1, 0}, 55, 1},
        {VRM_HUMAN_BONE_HEAD, {0, 1, 0}, 75, 0},
        {VRM_HUMAN_BONE_CHEST, {1, 0, 0}, 35, 1}, // bows
        {VRM_HUMAN_BONE_CHEST, {1, 0, 0}, -20, 0},
        {VRM_HUMAN_BONE_LEFT_HAND, {1, 0, 0}, -90, 1}, // palm forward
        {VRM_HUMAN_BONE_RIGHT_HAND, {1, 0, 0}, -90, 1},
        {VRM_HUMAN_BONE_LEFT_HAND, {1, 0, 0}, 60, 0},
        {VRM_HUMAN_BONE_LEFT_LOWER_ARM, {0, 1, 0}, -120, 1},
        {VRM_HUMAN_BONE_LEFT_LOWER_ARM, {0, 1, 0}, 20, 0},
        {VRM_HUMAN_BONE_RIGHT_LOWER_ARM, {0, 1, 0}, 120, 1},
        {VRM_HUMAN_BONE_RIGHT_LOWER_LEG, {1, 0, 0}, 110, 1},
        {VRM_HUMAN_BONE_RIGHT_LOWER_LEG, {1, 0, 0}, -20, 0},
    };
    loaded l;
    load_sample(&l);
    const vrm_ragdoll_def def = build(&l, VRM_RAGDOLL_DETAIL_16);
    for (size_t i = 0; i < sizeof cases_of / sizeof *cases_of; ++i) {
        const vrm_ragdoll_joint *joint = &def.bodies[ragdoll_body_of(&def, cases_of[i].bone)].joint;
        const float most = outside(joint, turn_about(cases_of[i].axis, cases_of[i].degrees / 57.29578f));
        CHECK_INT(most <= 1.0f, cases_of[i].possible);
        if ((most <= 1.0f) != cases_of[i].possible) {
            printf("  %s by %g degrees: %g\n", vrm_human_bone_name(cases_of[i].bone), (double)cases_of[i].degrees,
                (double)most);
        }
    }
    unload(&l);
}

// Composes rotations of swing and twist as the header describes, and reads the angles back.
static void joint_angles_are_read_back(void)
{
    for (int k = 0; k < 200; ++k) {
        const float twist = 3.0f * sinf(0.7f * (float)k), y = 1.4f * cosf(1.3f * (float)k),
                    z = 1.4f * sinf(2.1f * (float)k);
        const float size = sqrtf(y * y + z * z);
        const vrm_quat swing = turn_about((vrm_vec3){0, y / size, z / size}, size);
        const vrm_quat q = times(swing, turn_about((vrm_vec3){1, 0, 0}, twist));
        const vrm_ragdoll_joint joint = {.frame = turn_about((vrm_vec3){0.6f, 0.0f, 0.8f}, 0.3f * (float)k)};
        const vrm_quat parent = turn_about((vrm_vec3){0.0f, 0.8f, 0.6f}, 0.5f * (float)k);
        const vrm_quat in_body = times(times(joint.frame, q), inverse(joint.frame));
        float angles[3];
        vrm_ragdoll_get_joint_angles(&joint, parent, times(parent, in_body), angles);
        CHECK_NEAR(angles[0], twist, 1e-4);
        CHECK_NEAR(angles[1], y, 1e-4);
        CHECK_NEAR(angles[2], z, 1e-4);
    }
}

// Computes the distances to the limits: for the twist the angles to both ends, for the swing 1 - its fraction of the
// rim.
static void angles_left(const vrm_ragdoll_joint *joint, const vrm_quat rotations[2], float out[3])
{
    float angles[3];
    vrm_ragdoll_get_joint_angles(joint, rotations[0], rotations[1], angles);
    out[0] = joint->max_angle - angles[0];
    out[1] = angles[0] - joint->min_angle;
    out[2] =
        1.0f - hypotf((angles[1] - joint->center_y) / joint->swing_y, (angles[2] - joint->center_z) / joint->swing_z);
}

// Writes an arbitrary rotation of a parent, and a child's rotation with the given joint angles.
static void turn_joint(const vrm_ragdoll_joint *joint, float twist, const float swing[2], vrm_quat out[2])
{
    const float size = hypotf(swing[0], swing[1]);
    const vrm_vec3 axis = size > 0.0f ? (vrm_vec3){0, swing[0] / size, swing[1] / size} : (vrm_vec3){0, 1, 0};
    const vrm_quat q = times(turn_about(axis, size), turn_about((vrm_vec3){1, 0, 0}, twist));
    out[0] = turn_about((vrm_vec3){0.0f, 0.8f, 0.6f}, 0.7f);
    out[1] = times(out[0], times(times(joint->frame, q), inverse(joint->frame)));
}

// A small rotation of the child changes the angle as the row predicts.
static void check_row(const vrm_ragdoll_joint *joint, const vrm_quat rotations[2], int which, float per_gap)
{
    vrm_ragdoll_joint_row rows[VRM_RAGDOLL_JOINT_ROWS];
    vrm_ragdoll_get_joint_rows(joint, rotations, NULL, rows);
    const float step = 1e-2f;
    for (int k = 0; k < 3; ++k) {
        const vrm_vec3 axis = {k == 0, k == 1, k == 2};
        const float along = k == 0 ? rows[which].axis.x : k == 1 ? rows[which].axis.y : rows[which].axis.z;
        const vrm_quat less[2] = {rotations[0], times(turn_about(axis, -step), rotations[1])};
        const vrm_quat more[2] = {rotations[0], times(turn_about(axis, step), rotations[1])};
        float before[3], after[3];
        angles_left(joint, less, before);
        angles_left(joint, more, after);
        CHECK_NEAR((before[which] - after[which]) / (2.0f * step) * per_gap, along, 5e-3);
    }
}

static void joint_rows_are_what_changes_the_angles(void)
{
    vrm_ragdoll_joint joint = {.type = VRM_RAGDOLL_JOINT_CONE,
        .frame = turn_about((vrm_vec3){0.6f, 0.0f, 0.8f}, 0.4f),
        .swing_y = 0.5f,
        .swing_z = 1.2f,
        .center_y = 0.1f,
        .center_z = -0.2f,
        .min_angle = -1.0f,
        .max_angle = 0.7f};
    vrm_ragdoll_joint_row rows[VRM_RAGDOLL_JOINT_ROWS];
    vrm_quat now[2];
    for (int k = 0; k < 24; ++k) {
        const float way = 0.2618f * (float)k;
        const float rim[2] = {joint.center_y + joint.swing_y * cosf(way), joint.center_z + joint.swing_z * sinf(way)};
        turn_joint(&joint, 0.3f, rim, now);
        CHECK_INT(vrm_ragdoll_get_joint_rows(&joint, now, NULL, rows), 3);
        CHECK_NEAR(rows[0].gap, 0.4, 1e-4);
        CHECK_NEAR(rows[1].gap, 1.3, 1e-4);
        CHECK_NEAR(rows[2].gap, 0.0, 1e-4);
        CHECK(!rows[0].both && !rows[1].both && !rows[2].both);
        // On the rim, a radian of gap is this fraction of the ellipse's size.
        const float slope = hypotf(cosf(way) / joint.swing_y, sinf(way) / joint.swing_z);
        check_row(&joint, now, 0, 1.0f);
        check_row(&joint, now, 1, 1.0f);
        check_row(&joint, now, 2, 1.0f / slope);
    }
    const float beyond[2] = {joint.center_y, joint.center_z + 1.1f * joint.swing_z};
    turn_joint(&joint, 0.9f, beyond, now);
    vrm_ragdoll_get_joint_rows(&joint, now, NULL, rows);
    CHECK_NEAR(rows[0].gap, -0.2, 1e-4);
    CHECK_NEAR(rows[2].gap, -0.12, 1e-3);
    vrm_ragdoll_get_joint_rows(&joint, now, now, rows); // the animation's pose widens the limits
    CHECK_NEAR(rows[0].gap, 0.0, 1e-6);
    CHECK_NEAR(rows[2].gap, 0.0, 1e-6);
    joint.type = VRM_RAGDOLL_JOINT_FREE;
    CHECK_INT(vrm_ragdoll_get_joint_rows(&joint, now, NULL, rows), 0);
}

static void hinge_rows_bring_its_axes_together(void)
{
    const vrm_ragdoll_joint joint = {.type = VRM_RAGDOLL_JOINT_HINGE,
        .frame = turn_about((vrm_vec3){0.6f, 0.0f, 0.8f}, 0.4f),
        .min_angle = 0.0f,
        .max_angle = 2.0f};
    const float off[2] = {0.05f, -0.03f};
    vrm_ragdoll_joint_row rows[VRM_RAGDOLL_JOINT_ROWS];
    vrm_quat now[2];
    float angles[3];
    turn_joint(&joint, 2.1f, off, now);
    CHECK_INT(vrm_ragdoll_get_joint_rows(&joint, now, NULL, rows), 4);
    CHECK(!rows[0].both && !rows[1].both && rows[2].both && rows[3].both);
    CHECK_NEAR(rows[0].gap, -0.1, 1e-4);
    CHECK_NEAR(rows[1].gap, 2.1, 1e-4);
    // After rotations by the gaps, the child has no swing left.
    for (int k = 2; k < 4; ++k) {
        now[1] = times(turn_about(rows[k].axis, rows[k].gap), now[1]);
    }
    vrm_ragdoll_get_joint_angles(&joint, now[0], now[1], angles);
    CHECK_NEAR(angles[1], 0.0, 3e-3);
    CHECK_NEAR(angles[2], 0.0, 3e-3);
    turn_joint(&joint, 2.1f, off, now);
    vrm_ragdoll_get_joint_rows(&joint, now, now, rows);
    CHECK_NEAR(rows[0].gap, 0.0, 1e-5);
    CHECK_NEAR(rows[2].gap, 0.0, 1e-5);
    CHECK_NEAR(rows[3].gap, 0.0, 1e-5);
}

// --- other people's files
// ---------------------------------------------------------------------------------------------

#if !defined(_WIN32)
static void other_peoples_files(void)
{
    static const char *const folders[] = {"models/conformance", "models/blender", "models/avatars"};
    int found = 0;
    for (size_t f = 0; f < sizeof folders / sizeof *folders; f += TEST_SHARE) {
        char folder[PATH_SIZE / 2], path[PATH_SIZE];
        DIR *dir = opendir(shared_path(folders[f], folder, sizeof folder));
        for (struct dirent *entry = dir != NULL ? readdir(dir) : NULL; entry != NULL; entry = readdir(dir)) {
            loaded l;
            CHECK(snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path);
            if (entry->d_name[0] != '.' && load_path(path, &l)) {
                check_avatar(entry->d_name, &l);
                unload(&l);
                ++found;
            }
        }
        if (dir != NULL) {
            closedir(dir);
        }
    }
    if (found == 0) {
        SKIP("no models");
    }
    CHECK(found >= 20 / TEST_SHARE);
}
#else
static void other_peoples_files(void)
{
    SKIP("lists folders the POSIX way");
}
#endif

static const test_case cases[] = {
    {"angles_of_no_joint_are_zero", angles_of_no_joint_are_zero},
    {"rows_of_no_joint_are_none", rows_of_no_joint_are_none},

    {"the_sample_fits", the_sample_fits},
    {"the_sample_is_whole", the_sample_is_whole},
    {"a_body_for_every_bone_falls_calmly", a_body_for_every_bone_falls_calmly},
    {"random_weights_make_hands_of_their_bones_size", random_weights_make_hands_of_their_bones_size},
    {"levels_of_detail", levels_of_detail},
    {"limits_are_peoples", limits_are_peoples},
    {"joint_angles_are_read_back", joint_angles_are_read_back},
    {"joint_rows_are_what_changes_the_angles", joint_rows_are_what_changes_the_angles},
    {"hinge_rows_bring_its_axes_together", hinge_rows_bring_its_axes_together},
    {"other_peoples_files", other_peoples_files},
};

RUN_TESTS(cases)
