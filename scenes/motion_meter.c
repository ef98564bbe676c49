// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Records frames; meter_figures.c evaluates them.

#include "motion_meter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <vrm/ragdoll_build.h>

#include "math/mat34.h"
#include "meter_frames.h"
#include "ragdoll_scene.h"

// A body touches the ground below this gap, metres at a height of 1.6 m.
static const double close_gap = 0.006;

double meter_degrees(vrm_quat turn)
{
    const double x = turn.x, y = turn.y, z = turn.z;
    return 2.0 * atan2(sqrt(x * x + y * y + z * z), fabs((double)turn.w)) * 57.29577951308232;
}

vrm_quat meter_turn_between(vrm_quat from, vrm_quat to)
{
    return vrmi_quat_mul(to, vrmi_quat_conjugate(from));
}

vrm_quat meter_local(const scene_meter *meter, const meter_frame *frame, int bone)
{
    const int32_t parent = meter->parent[bone];
    return parent < 0 ? frame->turns[bone]
                      : vrmi_quat_mul(vrmi_quat_conjugate(frame->turns[parent]), frame->turns[bone]);
}

// --- making --------------------------------------------------------------------------------------------------------

scene_meter *scene_meter_create(const scene_meter_def *def)
{
    scene_meter *meter = calloc(1, sizeof *meter);
    if (meter == NULL) {
        return NULL;
    }
    meter->def = *def;
    meter->def.gltf = NULL;
    for (int bone = 0; bone < METER_BONES; ++bone) {
        const int32_t node = vrm_avatar_get_bone_node(def->avatar, (vrm_human_bone)bone);
        vrm_node info = {.struct_size = sizeof info};
        meter->there[bone] = node >= 0 && vrm_avatar_get_node(def->avatar, (uint32_t)node, &info) == VRM_SUCCESS;
        meter->parent[bone] = vrm_avatar_get_bone_parent(def->avatar, (vrm_human_bone)bone);
        if (meter->there[bone]) {
            meter->nodes[bone] = (uint32_t)node;
            meter->rest[bone] = info.rest_rotation;
        }
    }
    vrm_avatar_body body = {.struct_size = sizeof body};
    vrm_avatar_get_body(def->avatar, &body);
    meter->size = body.height > 0.0f ? body.height / 1.6f : 1.0f;
    if (def->gltf != NULL) {
        meter->skin = meter_skin_create(def->avatar, def->gltf);
        if (meter->skin == NULL) {
            free(meter);
            return NULL;
        }
    }
    meter_skin_find_soles(meter->skin, def->avatar, meter->soles);
    if (meter->skin != NULL && meter_skin_is_empty(meter->skin)) {
        meter_skin_destroy(meter->skin);
        meter->skin = NULL;
    }
    return meter;
}

void scene_meter_destroy(scene_meter *meter)
{
    if (meter != NULL) {
        meter_skin_destroy(meter->skin);
        free(meter->frames);
        free(meter);
    }
}

uint64_t scene_meter_shown_bodies(const vrm_instance *instance)
{
    vrm_ragdoll_info info = {.struct_size = sizeof info};
    vrm_instance_get_ragdoll_info(instance, &info);
    // While the body returns to the animation, the shown pose is a mixture of both.
    if (info.phase == VRM_RAGDOLL_PHASE_OFF || info.phase == VRM_RAGDOLL_PHASE_BLENDING) {
        return 0;
    }
    uint64_t shown = 0;
    for (uint32_t i = 0; i < info.body_count; ++i) {
        vrm_ragdoll_weights weights;
        if (vrm_instance_get_ragdoll_body_weights(instance, i, &weights) == VRM_SUCCESS && weights.mapping >= 1.0f) {
            shown |= UINT64_C(1) << i;
        }
    }
    return shown;
}

// --- a frame -------------------------------------------------------------------------------------------------------

static vrm_quat rotation_of(const vrm_world *world)
{
    vrm_transform transform;
    (void)vrmi_mat34_decompose(world, &transform);
    return transform.rotation;
}

static void read_bones(const scene_meter *meter, const vrm_outputs *outputs, vrm_vec3 offset, meter_frame *out)
{
    for (int bone = 0; bone < METER_BONES; ++bone) {
        out->turns[bone] = vrmi_quat_identity();
        if (meter->there[bone]) {
            const vrm_world *world = &outputs->world[meter->nodes[bone]];
            out->places[bone] = vrmi_vec3_add(vrmi_mat34_translation(world), offset);
            out->turns[bone] = vrmi_quat_mul(rotation_of(world), vrmi_quat_conjugate(meter->rest[bone]));
        }
    }
}

static void read_bodies(const scene_meter *meter, const vrm_instance *instance, const scene_meter_bodies *bodies,
    vrm_vec3 offset, meter_frame *out)
{
    const vrm_ragdoll_def *def = meter->def.def;
    vrm_ragdoll_state shown[VRM_RAGDOLL_MAX_BODIES];
    vrm_ragdoll_get_pose_states(def, instance, shown);
    out->simulated = bodies != NULL;
    out->shown = bodies != NULL ? bodies->shown : 0;
    vrm_vec3 sum = {0.0f, 0.0f, 0.0f};
    float mass = 0.0f;
    for (uint32_t i = 0; i < def->body_count; ++i) {
        out->shown_turns[i] = shown[i].rotation;
        out->shown_places[i] = vrmi_vec3_add(shown[i].position, offset);
        const vrm_vec3 centre = vrmi_quat_rotate(shown[i].rotation, def->bodies[i].center_of_mass);
        sum = vrmi_vec3_add(sum, vrmi_vec3_scale(vrmi_vec3_add(out->shown_places[i], centre), def->bodies[i].mass));
        mass += def->bodies[i].mass;
        if (bodies != NULL) {
            const vrm_vec3 to_first = vrmi_vec3_between(meter->origin, bodies->origin);
            out->body_turns[i] = bodies->states[i].rotation;
            out->body_places[i] = vrmi_vec3_add(bodies->states[i].position, to_first);
        }
    }
    out->mass_centre = vrmi_vec3_scale(sum, 1.0f / mass);
}

// Returns one bit per body that touches the ground.
static uint64_t find_touching(const scene_meter *meter, const meter_frame *frame, float scale)
{
    const vrm_ragdoll_def *def = meter->def.def;
    uint64_t touching = 0;
    for (uint32_t i = 0; i < def->body_count; ++i) {
        const double bottom = scene_ragdoll_bottom(&def->bodies[i].shape, frame->shown_turns[i]) * (double)scale;
        const double gap = (double)frame->shown_places[i].y + bottom + meter->origin.y - meter->def.ground;
        touching |= gap < close_gap * (double)meter->size ? UINT64_C(1) << i : 0;
    }
    return touching;
}

// Returns the distance of a point from an area, 0 inside. The area is given by its extent in each direction from
// `origin`.
static float outside_of(const float reach[METER_DIRECTIONS], vrm_vec3 place, vrm_vec3 origin)
{
    float outside = 0.0f;
    for (int d = 0; d < METER_DIRECTIONS; ++d) {
        float side, ahead;
        vrmi_sincos((float)d * (2.0f * VRMI_PI / METER_DIRECTIONS), &side, &ahead);
        const float at = (place.x - origin.x) * side + (place.z - origin.z) * ahead;
        outside = fmaxf(outside, at - reach[d]);
    }
    return outside;
}

static void read_skin(scene_meter *meter, const vrm_outputs *outputs, vrm_vec3 offset, meter_frame *out)
{
    const float ground = (float)(meter->def.ground - outputs->origin.y);
    const meter_skin_look look = {outputs, ground, 0.02f * meter->size, meter->def.pokes};
    meter_skin_frame skin;
    meter_skin_read(meter->skin, &look, &skin);
    out->lowest = skin.lowest - ground;
    out->lowest_hair = skin.lowest_hair < 1e29f ? skin.lowest_hair - ground : skin.lowest_hair;
    out->lowest_bone = skin.lowest_bone;
    out->arm_poke = skin.arm_poke;
    out->skirt_poke = skin.skirt_poke;
    out->arm_bone = skin.arm_bone;
    out->skirt_bone = skin.skirt_bone;
    out->outside = outside_of(skin.reach, out->mass_centre, offset);
}

bool scene_meter_add(scene_meter *meter, const vrm_instance *instance, const scene_meter_bodies *bodies)
{
    if (meter->count == meter->room) {
        const uint32_t room = meter->room == 0 ? 128 : 2 * meter->room;
        meter_frame *frames = realloc(meter->frames, room * sizeof *frames);
        if (frames == NULL) {
            return false;
        }
        meter->frames = frames;
        meter->room = room;
    }
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(instance, &outputs);
    if (meter->count == 0) {
        meter->origin = outputs.origin;
    }
    const vrm_vec3 offset = vrmi_vec3_between(meter->origin, outputs.origin);
    meter_frame *frame = &meter->frames[meter->count++];
    *frame = (meter_frame){.lowest = 1e30f,
        .lowest_hair = 1e30f,
        .lowest_bone = -1,
        .arm_poke = -1.0f,
        .skirt_poke = -1.0f,
        .arm_bone = -1,
        .skirt_bone = -1};
    vrm_root root;
    vrm_instance_get_root(instance, &root);
    frame->root = vrmi_vec3_between(meter->origin, root.translation);
    frame->root_turn = root.rotation;
    read_bones(meter, &outputs, offset, frame);
    frame->mass_centre = frame->places[VRM_HUMAN_BONE_HIPS];
    if (meter->def.def != NULL) {
        read_bodies(meter, instance, bodies, offset, frame);
        frame->touching = find_touching(meter, frame, root.scale);
    }
    if (meter->skin != NULL) {
        read_skin(meter, &outputs, offset, frame);
    }
    for (int i = 0; i < METER_SOLES; ++i) {
        const meter_sole *sole = &meter->soles[i];
        const vrm_vec3 way = vrmi_vec3_scale(vrmi_quat_rotate(frame->turns[sole->bone], sole->offset), root.scale);
        frame->soles[i] = vrmi_vec3_add(frame->places[sole->bone], way);
    }
    return true;
}
