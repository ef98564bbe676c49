// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The skin of an avatar for getting up: only the points that can be the lowest one, with the same weights as in a
// renderer. A vertex at a knee or a hip has two bones, and is far from where either bone alone would move it.
//
// Vertices with equal weights move by the same linear map in every pose, so the vertex that is farthest in a direction
// stays the farthest. So the vertices are divided into patches of nearly equal weights, and each patch keeps its
// farthest points in many directions.

#include <string.h>

#include "ragdoll/build.h"
#include "ragdoll/get_up.h"

enum { DIRECTIONS = VRMI_RAGDOLL_DIRECTIONS, BLENDS = 5, NONE = UINT16_MAX };

typedef struct draft_patch {
    int32_t bone;
    float reach[DIRECTIONS];
    vrmi_get_up_point points[DIRECTIONS];
} draft_patch;

typedef struct skin_draft {
    vrm_get_up_body *body;
    const uint8_t *joint_of_node;
    vrmi_array patches;
    vrm_vec3 directions[DIRECTIONS];
    uint16_t index[VRMI_GET_UP_JOINTS][VRMI_GET_UP_JOINTS][BLENDS]; // index of a patch, by two joints and their weights
    bool failed;
} skin_draft;

// --- gathering -------------------------------------------------------------------------------------------------------

// Returns a point's position in the T-pose.
static vrm_vec3 rest_of(const vrm_get_up_body *body, const vrmi_get_up_point *point)
{
    vrm_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (uint32_t i = 0; i < point->count; ++i) {
        const vrmi_get_up_share *s = &point->shares[i];
        const vrm_vec3 joint = vrmi_vec3_scale(vrmi_get_up_rest(body, s->joint), s->weight);
        sum = vrmi_vec3_add(sum, vrmi_vec3_add(joint, s->part));
    }
    return sum;
}

static int32_t bone_of(const vrm_get_up_body *body, int32_t joint)
{
    return joint < VRM_HUMAN_BONE_COUNT ? joint : body->skin.helpers[joint - VRM_HUMAN_BONE_COUNT].bone;
}

static draft_patch *patch_of(skin_draft *draft, const vrmi_get_up_point *point)
{
    const vrmi_get_up_share *s = point->shares;
    const float part = point->count > 1 ? 2.0f * s[1].weight / (s[0].weight + s[1].weight) : 0.0f;
    // Fingers are thin and numerous, so each finger joint has only one patch.
    const int32_t bone = bone_of(draft->body, s[0].joint);
    const bool finger = bone >= VRM_HUMAN_BONE_LEFT_THUMB_METACARPAL;
    const uint32_t blend = finger ? 0 : (uint32_t)(vrmi_min(part, 1.0f) * ((float)BLENDS - 0.01f));
    uint16_t *index = &draft->index[s[0].joint][blend == 0 ? s[0].joint : s[1].joint][blend];
    if (*index == NONE) {
        draft_patch *made = vrmi_array_push(&draft->patches, &draft->body->allocator);
        draft->failed = draft->failed || made == NULL;
        if (made == NULL) {
            return NULL;
        }
        made->bone = bone;
        for (uint32_t d = 0; d < DIRECTIONS; ++d) {
            made->reach[d] = -1e30f;
        }
        *index = (uint16_t)(draft->patches.count - 1);
    }
    return &((draft_patch *)draft->patches.items)[*index];
}

static void keep(skin_draft *draft, const vrmi_get_up_point *point)
{
    draft_patch *patch = patch_of(draft, point);
    const vrm_vec3 place = patch != NULL ? vrmi_vec3_sub(rest_of(draft->body, point), draft->body->rest[patch->bone])
                                         : vrmi_vec3(0.0f, 0.0f, 0.0f);
    for (uint32_t d = 0; patch != NULL && d < DIRECTIONS; ++d) {
        const float reach = vrmi_vec3_dot(place, draft->directions[d]);
        if (reach > patch->reach[d]) {
            patch->reach[d] = reach;
            patch->points[d] = *point;
        }
    }
}

// Adds a node's share of a vertex to the joint that moves the node.
static void add_share(const skin_draft *draft, const vrmi_ragdoll_share *from, int32_t joint, vrmi_get_up_point *point)
{
    uint32_t at = 0;
    while (at < point->count && point->shares[at].joint != joint) {
        ++at;
    }
    if (at == VRMI_GET_UP_SHARES) {
        return;
    }
    vrmi_get_up_share *to = &point->shares[at];
    if (at == point->count) {
        *to = (vrmi_get_up_share){.joint = joint};
        ++point->count;
    }
    const vrm_vec3 place = vrmi_vec3_sub(from->place, vrmi_get_up_rest(draft->body, joint));
    to->part = vrmi_vec3_add(to->part, vrmi_vec3_scale(place, from->weight));
    to->weight += from->weight;
}

static void sort_shares(vrmi_get_up_point *point)
{
    for (uint32_t i = 1; i < point->count; ++i) {
        for (uint32_t k = i; k > 0 && point->shares[k].weight > point->shares[k - 1].weight; --k) {
            const vrmi_get_up_share swapped = point->shares[k];
            point->shares[k] = point->shares[k - 1];
            point->shares[k - 1] = swapped;
        }
    }
}

static void see(void *context, const vrmi_ragdoll_vertex *vertex)
{
    skin_draft *draft = context;
    vrmi_get_up_point point = {.count = 0};
    float springs = 0.0f, total = 0.0f;
    for (uint32_t i = 0; i < vertex->count; ++i) {
        const int32_t joint = draft->joint_of_node[vertex->shares[i].node];
        if (joint == VRMI_GET_UP_JOINTS) {
            springs += vertex->shares[i].weight;
        } else {
            add_share(draft, &vertex->shares[i], joint, &point);
        }
    }
    sort_shares(&point);
    bool finite = true;
    for (uint32_t i = 0; i < point.count; ++i) {
        total += point.shares[i].weight;
    }
    for (uint32_t i = 0; i < point.count && total > 0.0f; ++i) {
        point.shares[i].part = vrmi_vec3_scale(point.shares[i].part, 1.0f / total);
        point.shares[i].weight /= total;
        finite = finite && vrmi_vec3_finite(point.shares[i].part);
    }
    if (!draft->failed && total > 0.0f && finite && point.shares[0].weight * total >= springs) {
        keep(draft, &point);
    }
}

// Estimates a skin without vertices as a ball around each joint.
static void guess(skin_draft *draft)
{
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        const float radius = vrmi_anatomy_of((vrm_human_bone)bone)->girth * draft->body->height;
        for (uint32_t d = 0; d < DIRECTIONS && !draft->failed && draft->body->parent[bone] > -2; ++d) {
            const vrmi_get_up_point point = {1, {{bone, 1.0f, vrmi_vec3_scale(draft->directions[d], radius)}}};
            keep(draft, &point);
        }
    }
}

// --- keeping ---------------------------------------------------------------------------------------------------------

static bool is_same(const vrmi_get_up_point *a, const vrmi_get_up_point *b)
{
    bool same = a->count == b->count;
    for (uint32_t i = 0; same && i < a->count; ++i) {
        same = a->shares[i].joint == b->shares[i].joint && vrmi_vec3_same(a->shares[i].part, b->shares[i].part);
    }
    return same;
}

static bool add_balls(vrm_get_up_body *body, vrmi_get_up_patch *patch)
{
    const vrmi_get_up_point *points = (const vrmi_get_up_point *)body->skin.points.items + patch->first_point;
    const uint32_t all = patch->points * VRMI_GET_UP_SHARES;
    patch->first_ball = body->skin.balls.count;
    for (int32_t joint = 0; joint < VRMI_GET_UP_JOINTS; ++joint) {
        vrmi_get_up_ball ball = {.joint = joint};
        float count = 0.0f;
        for (int pass = 0; pass < 2; ++pass) { // first the mean, then the largest distance from it
            for (uint32_t i = 0; i < all; ++i) {
                const vrmi_get_up_point *p = &points[i / VRMI_GET_UP_SHARES];
                const vrmi_get_up_share *s = &p->shares[i % VRMI_GET_UP_SHARES];
                if (i % VRMI_GET_UP_SHARES >= p->count || s->joint != joint) {
                    continue;
                }
                const vrm_vec3 place = vrmi_vec3_scale(s->part, 1.0f / s->weight);
                if (pass == 0) {
                    count += 1.0f;
                    ball.middle = vrmi_vec3_lerp(ball.middle, place, 1.0f / count);
                } else {
                    ball.radius = vrmi_max(ball.radius, vrmi_vec3_length(vrmi_vec3_sub(place, ball.middle)));
                }
            }
        }
        if (count > 0.0f) {
            vrmi_get_up_ball *kept = vrmi_array_push(&body->skin.balls, &body->allocator);
            if (kept == NULL) {
                return false;
            }
            *kept = ball;
            ++patch->balls;
        }
    }
    return true;
}

static bool keep_patch(vrm_get_up_body *body, const draft_patch *draft)
{
    vrmi_get_up_patch *patch = vrmi_array_push(&body->skin.patches, &body->allocator);
    if (patch == NULL) {
        return false;
    }
    patch->bone = draft->bone;
    patch->first_point = body->skin.points.count;
    for (uint32_t d = 0; d < DIRECTIONS; ++d) {
        const vrmi_get_up_point *all = body->skin.points.items; // NULL before the first
        bool there = false;
        for (uint32_t i = 0; i < patch->points && !there; ++i) {
            there = is_same(&all[patch->first_point + i], &draft->points[d]);
        }
        vrmi_get_up_point *point = there ? NULL : vrmi_array_push(&body->skin.points, &body->allocator);
        if (!there && point == NULL) {
            return false;
        }
        if (point != NULL) {
            *point = draft->points[d];
            ++patch->points;
        }
    }
    return add_balls(body, patch);
}

static vrm_result read_skin(skin_draft *draft, const vrm_gltf *gltf)
{
    vrm_get_up_body *body = draft->body;
    vrm_ragdoll_build_params params;
    vrm_ragdoll_build_params_default(&params);
    params.detail = VRM_RAGDOLL_DETAIL_ALL;
    params.allocator = body->allocator;
    vrm_ragdoll_def def = {.struct_size = sizeof def};
    vrmi_ragdoll_build build = {.report = NULL, .watcher = {see, draft}};
    const vrm_result result = vrmi_ragdoll_gather(&build, body->avatar, gltf, &params, &def);
    body->height = def.height;
    vrmi_ragdoll_release(&build);
    if (result == VRM_SUCCESS && gltf == NULL) {
        guess(draft);
    }
    for (uint32_t i = 0; i < draft->patches.count && !draft->failed && result == VRM_SUCCESS; ++i) {
        draft->failed = !keep_patch(body, &((const draft_patch *)draft->patches.items)[i]);
    }
    return draft->failed ? VRM_ERROR_OUT_OF_MEMORY : result;
}

vrm_result vrmi_get_up_read_skin(vrm_get_up_body *body, const vrm_gltf *gltf)
{
    const size_t nodes = body->model->node_parent.count, size = sizeof(skin_draft) + nodes;
    skin_draft *draft = vrmi_allocate(&body->allocator, size, 16);
    if (draft == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    memset(draft, 0, sizeof *draft);
    memset(draft->index, 0xff, sizeof draft->index); // NONE
    uint8_t *joint_of_node = (uint8_t *)(draft + 1);
    draft->joint_of_node = joint_of_node;
    draft->body = body;
    draft->patches.item_size = sizeof(draft_patch);
    vrmi_ragdoll_directions(draft->directions);
    body->skin.patches.item_size = sizeof(vrmi_get_up_patch);
    body->skin.points.item_size = sizeof(vrmi_get_up_point);
    body->skin.balls.item_size = sizeof(vrmi_get_up_ball);
    vrmi_get_up_find_helpers(body, joint_of_node);
    const vrm_result result = read_skin(draft, gltf);
    vrmi_array_free(&draft->patches, &body->allocator);
    vrmi_release(&body->allocator, draft, size);
    return result;
}

void vrmi_get_up_free_skin(vrm_get_up_body *body)
{
    vrmi_array_free(&body->skin.patches, &body->allocator);
    vrmi_array_free(&body->skin.points, &body->allocator);
    vrmi_array_free(&body->skin.balls, &body->allocator);
}

// --- asking ----------------------------------------------------------------------------------------------------------

// Returns the distance by which a bone's points extend in a direction from its joint at rest; 0 without points.
static float reach_of(const vrm_get_up_body *body, int32_t bone, vrm_vec3 direction)
{
    const vrmi_get_up_patch *patches = body->skin.patches.items;
    float far = 0.0f;
    for (uint32_t i = 0; i < body->skin.patches.count; ++i) {
        const vrmi_get_up_point *points = (const vrmi_get_up_point *)body->skin.points.items + patches[i].first_point;
        for (uint32_t k = 0; k < patches[i].points && patches[i].bone == bone; ++k) {
            const vrm_vec3 place = vrmi_vec3_sub(rest_of(body, &points[k]), body->rest[bone]);
            far = vrmi_max(far, vrmi_vec3_dot(place, direction));
        }
    }
    return far;
}

float vrmi_get_up_depth(const vrm_get_up_body *body, int32_t bone, vrm_quat turn)
{
    return reach_of(body, bone, vrmi_quat_rotate(vrmi_quat_conjugate(turn), vrmi_vec3(0.0f, -1.0f, 0.0f)));
}

float vrmi_get_up_ahead(const vrm_get_up_body *body, int32_t bone)
{
    return reach_of(body, bone, vrmi_vec3(0.0f, 0.0f, 1.0f));
}

bool vrmi_get_up_lowest(
    const vrm_get_up_body *body, const vrmi_get_up_joints *joints, uint32_t index, float under, vrmi_get_up_low *out)
{
    const vrmi_get_up_patch *patch = &((const vrmi_get_up_patch *)body->skin.patches.items)[index];
    const vrmi_get_up_ball *balls = (const vrmi_get_up_ball *)body->skin.balls.items + patch->first_ball;
    const vrmi_get_up_point *points = (const vrmi_get_up_point *)body->skin.points.items + patch->first_point;
    bool may_be = false;
    for (uint32_t i = 0; i < patch->balls && !may_be; ++i) {
        const vrmi_get_up_ball *b = &balls[i];
        may_be = joints->place[b->joint].y + vrmi_quat_rotate(joints->turn[b->joint], b->middle).y - b->radius < under;
    }
    const vrmi_get_up_point *lowest = NULL;
    out->height = under;
    for (uint32_t i = 0; i < patch->points && may_be; ++i) {
        float height = 0.0f;
        for (uint32_t k = 0; k < points[i].count; ++k) {
            const vrmi_get_up_share *s = &points[i].shares[k];
            height += s->weight * joints->place[s->joint].y + vrmi_quat_rotate(joints->turn[s->joint], s->part).y;
        }
        if (height < out->height) {
            out->height = height;
            lowest = &points[i];
        }
    }
    if (lowest == NULL) {
        return false;
    }
    out->bone = patch->bone;
    out->place = vrmi_vec3_sub(rest_of(body, lowest), body->rest[patch->bone]);
    return true;
}
