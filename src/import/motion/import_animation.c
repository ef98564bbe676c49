// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Converts a humanoid's glTF animation to a clip. The file is a VRMC_vrm_animation-1.0, an avatar of any dialect with
// an animation of its own, or glTF whose bones are recognized by their names.

#include <string.h>

#include "base/checks.h"
#include "base/text.h"
#include "import/avatar/import_parts.h"
#include "import/import.h"
#include "import/motion/import_clip.h"
#include "import/motion/motion_rig.h"
#include "import/motion/motion_weave.h"
#include "import/upgrade/upgrade.h"
#include "math/mat34.h"
#include "model/names.h"

enum {
    NAME_SIZE = 64,
    BLOCK = 1024,
    MARKERS_MAX = 4096 // more markers than anyone sets by hand; limits the cost, since each marker is inserted in order
};

// What the animation of a node moves: a bone, an expression or the gaze.
typedef struct node_role {
    int32_t bone;       // or -1
    int32_t expression; // index in the builder, or -1
    bool gaze;
} node_role;

typedef struct clip_import {
    const vrm_clip_def *def;
    const vrm_gltf *gltf;
    vrmi_reader reader;
    vrmi_clip_builder builder;
    vrmi_arena scratch;
    vrm_result result;
    node_role *roles; // indexed by glTF node
    int32_t bone_node[VRM_HUMAN_BONE_COUNT];
    vrmi_weave weave;
    bool is_vrma;
    vrmi_rig rig; // basis and corrections; identities if the file states a T-pose
} clip_import;

static void stop(clip_import *import, vrm_result result)
{
    import->result = import->result == VRM_SUCCESS ? result : import->result;
}

static void rest_of(const vrm_gltf *gltf, int32_t node, vrm_quat *out_rotation, vrm_mat34 *out_matrix)
{
    *out_rotation = vrmi_quat_identity();
    vrmi_mat34_identity(out_matrix);
    for (; node >= 0; node = gltf->nodes[node].parent) {
        const vrm_transform *local = &gltf->nodes[node].local;
        vrm_mat34 own, product;
        vrmi_mat34_from_transform(local, &own);
        vrmi_mat34_mul(&own, out_matrix, &product);
        *out_matrix = product;
        *out_rotation = vrmi_quat_normalize(vrmi_quat_mul(local->rotation, *out_rotation));
    }
}

// --- roles -----------------------------------------------------------------------------------------------------------

// Assigns a node to a bone. `value` is the JSON that names the bone. If the bone was recognized by name or shape, it is
// the node's JSON.
static void set_bone(clip_import *import, int32_t bone, uint32_t node, uint32_t value)
{
    const int32_t other = import->roles[node].bone;
    if (other >= 0) {
        const uint32_t json = import->gltf->nodes[node].json;
        char name[64], found[160];
        vrmi_json_unescape(import->reader.json, vrmi_json_member(import->reader.json, json, "name"), name, sizeof name);
        vrmi_format(found, sizeof found, "%s is both %s and %s", name[0] != '\0' ? name : "a joint without a name",
            vrm_human_bone_name((vrm_human_bone)other), vrm_human_bone_name((vrm_human_bone)bone));
        vrmi_reader_report(&import->reader, VRM_FINDING_VRM1_BONE_NOT_UNIQUE, value, value != json ? "node" : NULL,
            found, "a node that no other bone uses");
        return;
    }
    import->roles[node].bone = bone;
    import->bone_node[bone] = (int32_t)node;
}

static void read_bones(clip_import *import, uint32_t bones, bool animation, const bool old_thumbs[2])
{
    const vrmi_json *json = import->reader.json;
    for (uint32_t key = vrmi_json_first(json, bones); key != VRMI_JSON_NONE; key = vrmi_json_next(json, key)) {
        uint32_t node = 0;
        const uint32_t value = vrmi_json_value(json, key);
        const int32_t bone = vrmi_bone_of_key(json, key, old_thumbs);
        if (bone < 0) {
            vrmi_reader_report(&import->reader, VRM_FINDING_VRM1_UNKNOWN_BONE, value, NULL, NULL, NULL);
        } else if (animation && (bone == VRM_HUMAN_BONE_LEFT_EYE || bone == VRM_HUMAN_BONE_RIGHT_EYE)) {
            vrmi_reader_report(&import->reader, VRM_FINDING_VRMA_EYE_BONE, value, NULL, NULL, NULL);
        } else if (vrmi_read_index(
                       &import->reader, value, "node", VRMI_REQUIRED, import->gltf->counts[VRM_GLTF_NODES], &node)) {
            set_bone(import, bone, node, value);
        }
    }
}

static void read_expressions(clip_import *import, uint32_t expressions, bool preset)
{
    const vrmi_json *json = import->reader.json;
    for (uint32_t key = vrmi_json_first(json, expressions); key != VRMI_JSON_NONE; key = vrmi_json_next(json, key)) {
        char name[256];
        uint32_t node = 0;
        const size_t length = vrmi_json_unescape(json, key, name, sizeof name);
        const uint32_t value = vrmi_json_value(json, key);
        const int32_t known = preset ? vrmi_preset_from_name(name, strlen(name)) : -1;
        if ((preset && known < 0) || length >= sizeof name) {
            vrmi_reader_report(&import->reader, VRM_FINDING_VRM1_UNKNOWN_PRESET, value, NULL, NULL, NULL);
        } else if (known >= 0 && vrmi_preset_group((vrm_expression_preset)known) == VRM_EXPRESSION_GROUP_LOOK_AT) {
            vrmi_reader_report(&import->reader, VRM_FINDING_VRMA_LOOK_EXPRESSION, value, NULL, NULL, NULL);
        } else if (vrmi_read_index(
                       &import->reader, value, "node", VRMI_REQUIRED, import->gltf->counts[VRM_GLTF_NODES], &node)) {
            import->roles[node].expression =
                (int32_t)vrmi_clip_builder_expression(&import->builder, name, length, known);
        }
    }
}

static void read_vrma(clip_import *import, uint32_t extension)
{
    vrmi_reader *reader = &import->reader;
    const vrmi_json *json = reader->json;
    const uint32_t version = vrmi_json_member(json, extension, "specVersion");
    if (!vrmi_json_string_equal(json, version, "1.0") && !vrmi_json_string_equal(json, version, "1.0-draft")) {
        // Files from before 1.0 have no specVersion; they are read like 1.0.
        vrmi_reader_report(reader, VRM_FINDING_VRM1_SPEC_VERSION, extension, "specVersion", NULL, "\"1.0\"");
    }
    const uint32_t humanoid = vrmi_read_object(reader, extension, "humanoid", VRMI_OPTIONAL);
    if (humanoid != VRMI_JSON_NONE) {
        const bool old_thumbs[2] = {false, false};
        read_bones(import, vrmi_read_object(reader, humanoid, "humanBones", VRMI_REQUIRED), true, old_thumbs);
    }
    const uint32_t expressions = vrmi_read_object(reader, extension, "expressions", VRMI_OPTIONAL);
    read_expressions(import, vrmi_read_object(reader, expressions, "preset", VRMI_OPTIONAL), true);
    read_expressions(import, vrmi_read_object(reader, expressions, "custom", VRMI_OPTIONAL), false);
    const uint32_t look_at = vrmi_read_object(reader, extension, "lookAt", VRMI_OPTIONAL);
    uint32_t node = 0;
    float offset[3];
    if (look_at != VRMI_JSON_NONE &&
        vrmi_read_index(reader, look_at, "node", VRMI_OPTIONAL, import->gltf->counts[VRM_GLTF_NODES], &node)) {
        import->roles[node].gaze = true;
    }
    if (vrmi_read_floats(reader, look_at, "offsetFromHeadBone", VRMI_OPTIONAL, 3, offset)) {
        import->builder.head.look_offset = vrmi_vec3(offset[0], offset[1], offset[2]);
    }
}

// Lists the nodes breadth-first, so that parents come before children in any file.
static uint32_t list_joints(clip_import *import, vrmi_rig_joint *joints, uint32_t *nodes, int32_t *order, char *names)
{
    const vrm_gltf *gltf = import->gltf;
    const uint32_t count = gltf->counts[VRM_GLTF_NODES];
    uint32_t listed = 0;
    for (uint32_t root = 0; root < count; ++root) {
        if (gltf->nodes[root].parent < 0) {
            nodes[listed++] = root;
        }
    }
    for (uint32_t i = 0; i < listed; ++i) { // breadth-first from the roots
        const vrmi_gltf_node *node = &gltf->nodes[nodes[i]];
        for (uint32_t c = 0; c < node->children.count && listed < count; ++c) {
            const uint32_t child = gltf->indices[node->children.first + c];
            if (gltf->nodes[child].parent == (int32_t)nodes[i]) {
                nodes[listed++] = child;
            }
        }
    }
    for (uint32_t i = 0; i < listed; ++i) {
        const vrmi_gltf_node *node = &gltf->nodes[nodes[i]];
        char *name = names + (size_t)i * NAME_SIZE;
        order[nodes[i]] = (int32_t)i;
        const uint32_t text = vrmi_json_member(import->reader.json, node->json, "name");
        if (vrmi_json_is(import->reader.json, text, VRMI_JSON_STRING)) {
            vrmi_json_unescape(import->reader.json, text, name, NAME_SIZE);
        }
        vrm_quat rotation;
        vrm_mat34 matrix;
        rest_of(gltf, (int32_t)nodes[i], &rotation, &matrix);
        joints[i] = (vrmi_rig_joint){node->parent >= 0 ? order[node->parent] : -1, node->mesh >= 0,
            {name, (uint32_t)strlen(name)}, vrmi_mat34_translation(&matrix)};
    }
    return listed;
}

static void map_by_names(clip_import *import)
{
    const uint32_t count = import->gltf->counts[VRM_GLTF_NODES];
    if (count > 4096) { // not a real skeleton, and the work grows with the depth of each node
        return;
    }
    vrmi_rig_joint *joints = vrmi_arena_alloc(&import->scratch, count, sizeof *joints);
    uint32_t *nodes = vrmi_arena_alloc(&import->scratch, count, sizeof *nodes);
    int32_t *order = vrmi_arena_alloc(&import->scratch, count, sizeof *order);
    char *names = vrmi_arena_alloc(&import->scratch, count, NAME_SIZE);
    if (joints == NULL || nodes == NULL || order == NULL || names == NULL) {
        stop(import, VRM_ERROR_OUT_OF_MEMORY);
        return;
    }
    const uint32_t listed = list_joints(import, joints, nodes, order, names);
    vrmi_rig_map(&import->rig, joints, listed, import->def->bone_map, import->reader.report);
    vrmi_rig_align(&import->rig, joints, listed);
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if (import->rig.joint[bone] >= 0) {
            const uint32_t node = nodes[import->rig.joint[bone]];
            set_bone(import, bone, node, import->gltf->nodes[node].json);
        }
    }
    vrmi_reader_report(&import->reader,
        import->rig.by_shape ? VRM_FINDING_MOTION_BONES_BY_SHAPE : VRM_FINDING_MOTION_BONES_BY_NAME, 0, NULL, NULL,
        NULL);
    if (import->rig.corrected) {
        vrmi_reader_report(&import->reader, VRM_FINDING_MOTION_REST_GUESSED, 0, NULL, NULL, NULL);
    }
}

static void read_avatar(clip_import *import, uint32_t vrm, uint32_t bones)
{
    const vrmi_json *json = import->reader.json;
    bool old_thumbs[2];
    vrmi_find_old_thumbs(json, bones, vrmi_dialect_of(json, vrm) == VRMI_DIALECT_1_0_DRAFT, old_thumbs);
    read_bones(import, bones, false, old_thumbs);
}

// Reads an array of bones from an avatar that faces -Z.
static void read_vrm0(clip_import *import, uint32_t bones)
{
    const vrmi_json *json = import->reader.json;
    import->rig.basis = (vrm_quat){0.0f, 1.0f, 0.0f, 0.0f};
    for (uint32_t item = vrmi_json_first(json, bones); item != VRMI_JSON_NONE; item = vrmi_json_next(json, item)) {
        const uint32_t name = vrmi_json_member(json, item, "bone");
        uint32_t node = 0;
        const int32_t bone = vrmi_json_is(json, name, VRMI_JSON_STRING) ? vrmi_vrm0_bone(json, name) : -1;
        if (bone < 0) {
            vrmi_reader_report(&import->reader, VRM_FINDING_VRM1_UNKNOWN_BONE, item, NULL, NULL, NULL);
        } else if (import->bone_node[bone] < 0 && vrmi_read_index_or_none(&import->reader, item, "node",
                                                      import->gltf->counts[VRM_GLTF_NODES], &node)) {
            set_bone(import, bone, node, item);
        }
    }
}

static void find_roles(clip_import *import)
{
    const vrmi_json *json = import->reader.json;
    const uint32_t count = import->gltf->counts[VRM_GLTF_NODES];
    import->roles = vrmi_arena_alloc(&import->scratch, count, sizeof *import->roles);
    if (import->roles == NULL) {
        stop(import, VRM_ERROR_OUT_OF_MEMORY);
        return;
    }
    for (uint32_t i = 0; i < count; ++i) {
        import->roles[i] = (node_role){-1, -1, false};
    }
    import->rig.basis = vrmi_quat_identity();
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        import->bone_node[bone] = -1;
        import->rig.correction[bone] = vrmi_quat_identity();
    }
    const uint32_t vrma = vrmi_root_extension(json, "VRMC_vrm_animation");
    const uint32_t vrm = vrmi_root_extension(json, "VRMC_vrm"), old = vrmi_root_extension(json, "VRM");
    const uint32_t bones = vrmi_json_member(json, vrmi_json_member(json, vrm, "humanoid"), "humanBones");
    const uint32_t old_bones = vrmi_json_member(json, vrmi_json_member(json, old, "humanoid"), "humanBones");
    import->is_vrma = vrmi_json_is(json, vrma, VRMI_JSON_OBJECT);
    if (import->is_vrma) {
        read_vrma(import, vrma);
    } else if (vrmi_json_is(json, bones, VRMI_JSON_OBJECT)) {
        read_avatar(import, vrm, bones);
    } else if (vrmi_json_is(json, old_bones, VRMI_JSON_ARRAY)) {
        read_vrm0(import, old_bones);
    } else {
        map_by_names(import);
    }
}

// --- skeleton --------------------------------------------------------------------------------------------------------

static void read_skeleton(clip_import *import)
{
    vrmi_clip_head *head = &import->builder.head;
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if (import->bone_node[bone] < 0) {
            continue;
        }
        vrm_quat rotation;
        vrm_mat34 matrix;
        rest_of(import->gltf, import->bone_node[bone], &rotation, &matrix);
        head->skeleton |= UINT64_C(1) << bone;
        head->rest[bone] = import->rig.corrected ? import->rig.rest[bone]
                                                 : vrmi_quat_rotate(import->rig.basis, vrmi_mat34_translation(&matrix));
    }
    const int32_t hips = import->bone_node[VRM_HUMAN_BONE_HIPS];
    if (hips >= 0) {
        vrm_quat rotation;
        vrm_mat34 matrix;
        rest_of(import->gltf, hips, &rotation, &matrix);
        head->hips_rest = vrmi_quat_rotate(import->rig.basis, vrmi_mat34_translation(&matrix));
        if (head->hips_rest.y < 1e-3f) {
            char found[32];
            vrmi_reader_report(&import->reader, VRM_FINDING_MOTION_HIPS_HEIGHT, import->gltf->nodes[hips].json, NULL,
                vrmi_format(found, sizeof found, "%g", (double)head->hips_rest.y), NULL);
        }
    }
}

static int32_t parent_bone(const clip_import *import, int32_t bone)
{
    do {
        bone = vrm_human_bone_parent((vrm_human_bone)bone);
    } while (bone >= 0 && import->bone_node[bone] < 0);
    return bone;
}

// --- channels --------------------------------------------------------------------------------------------------------

typedef struct channel {
    uint32_t json, node;
    uint32_t input, output; // accessors
    uint32_t interpolation;
} channel;

// The conversion from a value in the file to a value of the clip. Its factors are constant, so tangents are converted
// in the same way.
typedef struct conversion {
    vrm_quat before, after; // rotation: before * q * after
    vrm_mat34 matrix;       // position
    vrm_quat basis;
} conversion;

static void convert(uint32_t kind, const conversion *c, bool tangent, const float *in, float *out)
{
    if (kind == VRMI_TRACK_EXPRESSION) {
        out[0] = in[0];
    } else if (kind == VRMI_TRACK_HIPS) {
        const vrm_vec3 v = {in[0], in[1], in[2]};
        const vrm_vec3 placed =
            vrmi_quat_rotate(c->basis, tangent ? vrmi_mat34_vector(&c->matrix, v) : vrmi_mat34_point(&c->matrix, v));
        memcpy(out, &placed, sizeof placed);
    } else {
        const vrm_quat q = {in[0], in[1], in[2], in[3]};
        const vrm_quat turned = vrmi_quat_mul(vrmi_quat_mul(c->before, q), c->after);
        memcpy(out, &turned, sizeof turned);
    }
}

static void read_keys(clip_import *import, const channel *from, const vrmi_clip_track *track, const conversion *c,
    float *times, float *values)
{
    const uint32_t in_width = vrmi_track_is_quat(track->kind) ? 4 : 3, out_width = vrmi_track_width(track->kind);
    const uint32_t parts = track->interpolation == VRMI_CUBIC ? 3 : 1;
    vrm_result result = vrm_gltf_read_floats(import->gltf, from->input, 0, track->key_count, times);
    const uint32_t total = track->key_count * parts;
    float block[BLOCK * 4];
    for (uint32_t first = 0; first < total && result == VRM_SUCCESS; first += BLOCK) {
        const uint32_t count = total - first < BLOCK ? total - first : BLOCK;
        result = vrm_gltf_read_floats(import->gltf, from->output, first, count, block);
        for (uint32_t i = 0; i < count && result == VRM_SUCCESS; ++i) {
            const bool tangent = parts == 3 && (first + i) % 3 != 1;
            convert(track->kind, c, tangent, block + (size_t)i * in_width, values + (size_t)(first + i) * out_width);
        }
    }
    if (result != VRM_SUCCESS) {
        stop(import, result);
    }
}

static void add_track_to(clip_import *import, vrmi_clip_builder *builder, const channel *from,
    const vrmi_clip_track *as, const conversion *c)
{
    const uint32_t kind = as->kind;
    vrm_gltf_accessor input = {.struct_size = sizeof input}, output = {.struct_size = sizeof output};
    (void)vrm_gltf_get_accessor(import->gltf, from->input, &input);
    (void)vrm_gltf_get_accessor(import->gltf, from->output, &output);
    const uint32_t parts = from->interpolation == VRMI_CUBIC ? 3 : 1;
    if (input.count == 0 || input.components != 1 || output.components != (vrmi_track_is_quat(kind) ? 4u : 3u) ||
        (uint64_t)input.count * parts != output.count) {
        return; // loading has already reported the reason
    }
    vrm_result readable = vrm_gltf_read_floats(import->gltf, from->input, 0, 0, NULL);
    readable = readable == VRM_SUCCESS ? vrm_gltf_read_floats(import->gltf, from->output, 0, 0, NULL) : readable;
    if (readable != VRM_SUCCESS) {
        vrmi_reader_report(&import->reader, VRM_FINDING_MOTION_KEYS_MISSING, from->json, NULL, NULL, NULL);
        stop(import, readable);
        return;
    }
    const vrmi_clip_track track = {
        .kind = kind, .target = as->target, .interpolation = from->interpolation, .key_count = input.count};
    float *times, *values;
    if (!vrmi_clip_builder_track(builder, &track, &times, &values)) {
        stop(import, VRM_ERROR_OUT_OF_MEMORY);
        return;
    }
    read_keys(import, from, &track, c, times, values);
    const uint32_t dropped = vrmi_clip_builder_finish(builder);
    if (dropped != 0 && builder == &import->builder) {
        char found[32];
        vrmi_reader_report(&import->reader, VRM_FINDING_MOTION_KEYS_DROPPED, from->json, NULL,
            vrmi_format(found, sizeof found, "%u", dropped), NULL);
    }
}

static void add_track(clip_import *import, const channel *from, uint32_t kind, uint32_t target, const conversion *c)
{
    add_track_to(import, &import->builder, from, &(vrmi_clip_track){.kind = kind, .target = target}, c);
}

static void add_bone(clip_import *import, const channel *from, int32_t bone, bool position)
{
    const vrmi_gltf_node *node = &import->gltf->nodes[from->node];
    vrm_quat parent, own;
    vrm_mat34 parent_matrix, matrix;
    rest_of(import->gltf, node->parent, &parent, &parent_matrix);
    rest_of(import->gltf, (int32_t)from->node, &own, &matrix);
    const vrmi_rig *rig = &import->rig;
    const int32_t above = parent_bone(import, bone);
    const vrm_quat turned = above >= 0 ? rig->correction[above] : vrmi_quat_identity();
    const conversion c = {
        .before = vrmi_quat_mul(vrmi_quat_mul(turned, rig->basis), parent),
        .after = vrmi_quat_mul(vrmi_quat_mul(vrmi_quat_conjugate(own), vrmi_quat_conjugate(rig->basis)),
            vrmi_quat_conjugate(rig->correction[bone])),
        .matrix = parent_matrix,
        .basis = rig->basis,
    };
    add_track(import, from, position ? VRMI_TRACK_HIPS : VRMI_TRACK_ROTATION, (uint32_t)bone, &c);
}

static void add_channel(clip_import *import, const channel *from, uint32_t path)
{
    const node_role *role = &import->roles[from->node];
    const conversion identity = {vrmi_quat_identity(), vrmi_quat_identity(), {{{0}}}, vrmi_quat_identity()};
    const bool hips = role->bone == VRM_HUMAN_BONE_HIPS, position = path == VRMI_PATH_TRANSLATION;
    if (role->bone >= 0 && (path == VRMI_PATH_ROTATION || (position && hips))) {
        if (!vrmi_weave_is_moved(&import->weave, role->bone, position)) { // otherwise weave_bones() adds the track
            add_bone(import, from, role->bone, position);
        }
    } else if (role->expression >= 0 && position) {
        add_track(import, from, VRMI_TRACK_EXPRESSION, (uint32_t)role->expression, &identity);
    } else if (role->gaze && path == VRMI_PATH_ROTATION) {
        add_track(import, from, VRMI_TRACK_GAZE, 0, &identity);
    } else if (role->bone >= 0 || role->expression >= 0 || role->gaze) {
        vrmi_reader_report(&import->reader, VRM_FINDING_MOTION_CHANNEL_IGNORED, from->json, NULL, NULL, NULL);
    }
}

// Reads a channel's target and sampler. Returns false if the channel is incomplete.
static bool read_channel(
    const clip_import *import, uint32_t animation, uint32_t json_channel, channel *from, uint32_t *out_path)
{
    static const char *const paths[VRMI_PATH_COUNT] = {"translation", "rotation", "scale"};
    static const char *const interpolations[] = {"STEP", "LINEAR", "CUBICSPLINE"};
    const vrmi_json *json = import->reader.json;
    *from = (channel){.json = json_channel, .interpolation = VRMI_LINEAR};
    uint32_t sampler = 0;
    const uint32_t target = vrmi_json_member(json, json_channel, "target");
    const uint32_t path_name = vrmi_json_member(json, target, "path");
    *out_path = UINT32_MAX;
    for (uint32_t path = 0; path < VRMI_PATH_COUNT; ++path) {
        *out_path = vrmi_json_string_equal(json, path_name, paths[path]) ? path : *out_path;
    }
    if (!vrmi_json_uint(json, vrmi_json_member(json, target, "node"), &from->node) ||
        from->node >= import->gltf->counts[VRM_GLTF_NODES] ||
        !vrmi_json_uint(json, vrmi_json_member(json, json_channel, "sampler"), &sampler)) {
        return false;
    }
    const uint32_t samplers = vrmi_json_member(json, animation, "samplers");
    const uint32_t object = vrmi_json_element(json, samplers, sampler);
    for (uint32_t k = 0; k < VRMI_COUNT_OF(interpolations); ++k) {
        if (vrmi_json_string_equal(json, vrmi_json_member(json, object, "interpolation"), interpolations[k])) {
            from->interpolation = k;
        }
    }
    return vrmi_json_uint(json, vrmi_json_member(json, object, "input"), &from->input) &&
           vrmi_json_uint(json, vrmi_json_member(json, object, "output"), &from->output);
}

// --- nodes above bones -----------------------------------------------------------------------------------------------

// Marks the nodes above bones, up to the next bone or the root. Returns false if there are none. In a VRMA, animated
// nodes between bones are ignored: according to VRMC_vrm_animation-1.0 a bone's rotation comes from its own node only,
// and three-vrm does the same.
static bool mark_nodes_above(const clip_import *import, bool *above)
{
    bool any = false;
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if (import->is_vrma && bone != VRM_HUMAN_BONE_HIPS) {
            continue;
        }
        int32_t node = import->bone_node[bone] >= 0 ? import->gltf->nodes[import->bone_node[bone]].parent : -1;
        for (; node >= 0 && import->roles[node].bone < 0 && !above[node]; node = import->gltf->nodes[node].parent) {
            above[node] = any = true;
        }
    }
    return any;
}

// Whether a track ever leaves the node's rest pose. Many files have tracks for all nodes, including those that do not
// move.
static bool leaves_rest(const vrmi_clip_builder *file, const vrmi_clip_track *track, const float *rest)
{
    const uint32_t width = vrmi_track_width(track->kind), stride = vrmi_track_stride(track);
    const float *values = (const float *)file->floats.items + track->values;
    const bool cubic = track->interpolation == VRMI_CUBIC;
    for (uint32_t key = 0; key < track->key_count; ++key) {
        const float *at = values + (size_t)key * stride, *value = at + (cubic ? width : 0);
        float off = 0.0f, other = 0.0f,
              slope = 0.0f; // other: distance to the negated quaternion, which is the same rotation
        for (uint32_t i = 0; i < width; ++i) {
            off = vrmi_max(off, vrmi_abs(value[i] - rest[i]));
            other = vrmi_max(other, vrmi_abs(value[i] + rest[i]));
            slope = cubic ? vrmi_max(slope, vrmi_max(vrmi_abs(at[i]), vrmi_abs(at[2 * width + i]))) : 0.0f;
        }
        off = vrmi_track_is_quat(track->kind) ? vrmi_min(off, other) : off;
        if (off > 1e-5f || slope > 1e-5f) {
            return true;
        }
    }
    return false;
}

// Keeps the track of a bone, or of a node above a bone, with the file's values.
static void keep_track(clip_import *import, const channel *from, uint32_t path, bool is_bone)
{
    conversion identity = {vrmi_quat_identity(), vrmi_quat_identity(), {{{0}}}, vrmi_quat_identity()};
    vrmi_mat34_identity(&identity.matrix);
    vrmi_clip_builder *file = &import->weave.file;
    int32_t *slot = &import->weave.track[(size_t)from->node * VRMI_PATH_COUNT + path];
    const uint32_t before = file->tracks.count;
    if (*slot < 0) {
        const uint32_t kind = path == VRMI_PATH_ROTATION ? VRMI_TRACK_ROTATION : VRMI_TRACK_HIPS;
        add_track_to(import, file, from, &(vrmi_clip_track){.kind = kind}, &identity);
    }
    if (file->tracks.count > before) {
        const vrm_transform *local = &import->gltf->nodes[from->node].local;
        const float *rests[VRMI_PATH_COUNT] = {&local->translation.x, &local->rotation.x, &local->scale.x};
        const vrmi_clip_track *track = (const vrmi_clip_track *)file->tracks.items + before;
        *slot = is_bone || leaves_rest(file, track, rests[path]) ? (int32_t)before : -1;
    }
}

static void keep_tracks(clip_import *import, uint32_t animation)
{
    const uint32_t count = import->gltf->counts[VRM_GLTF_NODES];
    bool *above = vrmi_arena_alloc(&import->scratch, count, sizeof *above);
    import->weave.track = vrmi_arena_alloc(&import->scratch, (size_t)count * VRMI_PATH_COUNT, sizeof(int32_t));
    if (above == NULL || import->weave.track == NULL) {
        stop(import, VRM_ERROR_OUT_OF_MEMORY);
        return;
    }
    for (uint32_t i = 0; i < count * VRMI_PATH_COUNT; ++i) {
        import->weave.track[i] = -1;
    }
    if (!mark_nodes_above(import, above)) {
        return;
    }
    const vrmi_json *json = import->reader.json;
    for (int bones = 0; bones < 2;
         ++bones) { // the second pass is for bones, and runs only if a node above a bone moves
        if (bones == 1 && import->weave.file.tracks.count == 0) {
            return;
        }
        uint32_t json_channel = vrmi_json_first(json, vrmi_json_member(json, animation, "channels"));
        for (; json_channel != VRMI_JSON_NONE; json_channel = vrmi_json_next(json, json_channel)) {
            channel from;
            uint32_t path;
            if (!read_channel(import, animation, json_channel, &from, &path) || path == UINT32_MAX) {
                continue;
            }
            const int32_t bone = import->roles[from.node].bone;
            if (bones == 0 ? above[from.node]
                           : bone >= 0 && vrmi_weave_is_moved(&import->weave, bone, bone == VRM_HUMAN_BONE_HIPS)) {
                keep_track(import, &from, path, bones == 1);
            }
        }
    }
}

static void weave_bones(clip_import *import)
{
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT && import->result == VRM_SUCCESS; ++bone) {
        for (int position = 0; position < (bone == VRM_HUMAN_BONE_HIPS ? 2 : 1); ++position) {
            if (import->bone_node[bone] < 0 || !vrmi_weave_is_moved(&import->weave, bone, position == 1)) {
                continue;
            }
            vrm_quat held, own;
            vrm_mat34 matrix;
            const int32_t above = vrmi_weave_above(&import->weave, bone), parent = parent_bone(import, bone);
            rest_of(import->gltf, above >= 0 ? import->bone_node[above] : -1, &held, &matrix);
            rest_of(import->gltf, import->bone_node[bone], &own, &matrix);
            const vrmi_rig *rig = &import->rig;
            const vrm_quat turned = parent >= 0 ? rig->correction[parent] : vrmi_quat_identity();
            const vrmi_weave_bone woven = {
                .bone = (uint32_t)bone,
                .position = position == 1,
                .before = vrmi_quat_mul(vrmi_quat_mul(turned, rig->basis), held),
                .after = vrmi_quat_mul(vrmi_quat_mul(vrmi_quat_conjugate(own), vrmi_quat_conjugate(rig->basis)),
                    vrmi_quat_conjugate(rig->correction[bone])),
                .basis = rig->basis,
            };
            const vrm_result result = vrmi_weave_add(&import->weave, &woven, &import->builder);
            if (result != VRM_SUCCESS) {
                stop(import, result);
            }
        }
    }
}

static void read_channels(clip_import *import, uint32_t animation)
{
    const vrmi_json *json = import->reader.json;
    uint32_t json_channel = vrmi_json_first(json, vrmi_json_member(json, animation, "channels"));
    const uint32_t count = vrmi_json_count(json, vrmi_json_member(json, animation, "channels"));
    keep_tracks(import, animation);
    for (uint32_t i = 0; import->result == VRM_SUCCESS && json_channel != VRMI_JSON_NONE;
         ++i, json_channel = vrmi_json_next(json, json_channel)) {
        channel from;
        uint32_t path;
        if (read_channel(import, animation, json_channel, &from, &path)) {
            add_channel(import, &from, path);
        }
        if (import->result == VRM_SUCCESS && import->def->progress != NULL &&
            !import->def->progress((float)(i + 1) / (float)count, "animation", import->def->progress_user)) {
            stop(import, VRM_ERROR_CANCELLED);
        }
    }
    weave_bones(import);
}

// Reads extras.markers. Other extras belong to the exporter.
static void read_markers(clip_import *import, uint32_t animation)
{
    const vrmi_json *json = import->reader.json;
    const uint32_t markers = vrmi_json_member(json, vrmi_json_member(json, animation, "extras"), "markers");
    if (!vrmi_json_is(json, markers, VRMI_JSON_ARRAY)) {
        return;
    }
    uint32_t left = MARKERS_MAX;
    for (uint32_t row = vrmi_json_first(json, markers); row != VRMI_JSON_NONE && left > 0;
         row = vrmi_json_next(json, row)) {
        char name[256] = "";
        double time;
        const uint32_t text = vrmi_json_member(json, row, "name");
        if (!vrmi_json_number(json, vrmi_json_member(json, row, "time"), &time) || !(time >= 0.0 && time < 1e9)) {
            continue;
        }
        if (vrmi_json_is(json, text, VRMI_JSON_STRING)) {
            vrmi_json_unescape(json, text, name, sizeof name);
        }
        if (!vrmi_clip_builder_marker(&import->builder, (float)time, name, strlen(name))) {
            stop(import, VRM_ERROR_OUT_OF_MEMORY);
            return;
        }
        --left;
    }
}

static void read_animation(clip_import *import)
{
    const vrmi_json *json = import->reader.json;
    const uint32_t animation = vrmi_gltf_element(import->gltf, VRM_GLTF_ANIMATIONS, import->def->animation);
    if (import->def->animation >= import->gltf->counts[VRM_GLTF_ANIMATIONS] || animation == VRMI_JSON_NONE) {
        char found[64], expected[64];
        vrmi_format(found, sizeof found, "%u animations", import->gltf->counts[VRM_GLTF_ANIMATIONS]);
        vrmi_format(expected, sizeof expected, "animation %u, counted from 0", import->def->animation);
        vrmi_reader_report(&import->reader, VRM_FINDING_MOTION_NO_ANIMATION, 0, "animations", found, expected);
        stop(import, VRM_ERROR_INVALID_ASSET);
        return;
    }
    char name[256] = "";
    const uint32_t text = vrmi_json_member(json, animation, "name");
    if (vrmi_json_is(json, text, VRMI_JSON_STRING)) {
        vrmi_json_unescape(json, text, name, sizeof name);
    }
    import->builder.head.name_length = (uint32_t)strlen(name);
    import->builder.head.name = vrmi_clip_builder_name(&import->builder, name, strlen(name));
    read_markers(import, animation);
    read_skeleton(import);
    read_channels(import, animation);
    if (import->result == VRM_SUCCESS && import->builder.tracks.count == 0) {
        vrmi_reader_report(&import->reader, VRM_FINDING_MOTION_NOTHING_HUMANOID, animation, NULL, NULL, NULL);
        stop(import, VRM_ERROR_INVALID_ASSET);
    }
}

vrm_result vrm_clip_import(const vrm_clip_def *def, const vrm_gltf *gltf, vrm_report *report, vrm_clip **out_clip)
{
    if (out_clip == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    *out_clip = NULL;
    vrm_clip_def chosen;
    if (gltf == NULL || !vrmi_clip_choose_def(def, &chosen)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    clip_import import;
    memset(&import, 0, sizeof import);
    import.def = &chosen;
    import.gltf = gltf;
    import.reader = (vrmi_reader){.json = &gltf->json, .report = report};
    vrmi_clip_builder_init(&import.builder, &chosen.allocator);
    vrmi_clip_builder_init(&import.weave.file, &import.builder.allocator);
    import.weave.gltf = gltf;
    import.weave.bone_node = import.bone_node;
    vrmi_arena_init(&import.scratch, &import.builder.allocator, chosen.limits.max_memory);
    find_roles(&import);
    if (import.result == VRM_SUCCESS) {
        read_animation(&import);
    }
    if (import.result == VRM_SUCCESS && import.reader.errors != 0) {
        stop(&import, VRM_ERROR_INVALID_ASSET);
    }
    if (import.result == VRM_SUCCESS) {
        import.result = vrmi_clip_pack(&import.builder, out_clip);
    }
    vrmi_arena_free(&import.scratch);
    vrmi_clip_builder_free(&import.weave.file);
    vrmi_clip_builder_free(&import.builder);
    return import.result;
}
