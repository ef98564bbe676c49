// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "avatar_shapes.h"
#include "minimal_sample.h"

#include <stdlib.h>
#include <string.h>

#include <vrm/sample.h>

#include "math/quat.h"
#include "shape_draft.h"

static const char *const names[SCENE_SHAPE_COUNT] = {"sample", "plain", "centers", "scaled", "armature", "branching",
    "skipped", "limits", "carried", "mirrored", "uneven", "few", "long", "short", "many", "strung", "row"};

// --- shapes --------------------------------------------------------------------------------------------------------

static int joint_count(const shape_chain *chain)
{
    return chain->count - 1;
}

// Changes a node's parent and keeps the node's position and rotation in the model.
static void put_under(shape_draft *d, int node, int parent)
{
    shape_node *n = &d->nodes[node];
    const shape_node *p = &d->nodes[parent];
    const vrm_quat back = vrmi_quat_conjugate(p->rotation);
    n->parent = parent;
    n->local.translation = vrmi_quat_rotate(back, vrmi_vec3_sub(n->position, p->position));
    n->local.rotation = vrmi_quat_mul(back, n->rotation);
}

// Connects chains into strings of `length` chains. Each chain of a string begins on the previous chain: on its last
// joint if `last_joint` is true, otherwise on its second node.
static void string_chains(shape_draft *d, int length, bool last_joint)
{
    for (int c = 0; c < d->chain_count; ++c) {
        if (c % length > 0) {
            const shape_chain *before = &d->chains[c - 1];
            put_under(d, d->chains[c].nodes[0], before->nodes[last_joint ? before->count - 2 : 1]);
        }
    }
}

// Rebuilds all nodes of the chains into chains of `joints` joints. The new chains begin where chains of the sample
// begin, and hang straight down.
static void regroup(shape_draft *d, int joints)
{
    static shape_chain old_chains[SHAPE_CHAINS];
    static shape_node old_nodes[SHAPE_NODES];
    int pool[SHAPE_NODES], size = 0;
    const int old_count = d->chain_count;
    memcpy(old_chains, d->chains, sizeof old_chains);
    memcpy(old_nodes, d->nodes, sizeof old_nodes);
    for (int c = 0; c < old_count; ++c) {
        for (int k = 0; k < old_chains[c].count; ++k) {
            pool[size++] = old_chains[c].nodes[k];
        }
    }
    d->chain_count = size / (joints + 1);
    for (int c = 0; c < d->chain_count; ++c) {
        shape_chain *chain = &d->chains[c];
        *chain = old_chains[c * old_count / d->chain_count];
        const shape_node *root = &old_nodes[chain->nodes[0]];
        chain->count = joints + 1;
        for (int k = 0; k <= joints; ++k) {
            const int node = chain->nodes[k] = pool[c * (joints + 1) + k];
            // The offset separates new chains that begin on the same node of the sample.
            const vrm_vec3 offset = {0.004f * (float)(c % 3), -0.03f * (float)k, 0.0f};
            d->nodes[node].position = vrmi_vec3_add(root->position, offset);
            d->nodes[node].rotation = vrmi_quat_identity();
            put_under(d, node, k == 0 ? root->parent : chain->nodes[k - 1]);
        }
    }
}

// Adds a copy of a chain, displaced a little to the side.
static void add_copy(shape_draft *d, const shape_chain *like, float beside)
{
    shape_chain *chain = &d->chains[d->chain_count++];
    *chain = *like;
    for (int k = 0; k < like->count; ++k) {
        const int node = chain->nodes[k] = d->node_count++;
        d->nodes[node] = d->nodes[like->nodes[k]];
        d->nodes[node].position.x += beside;
        put_under(d, node, k == 0 ? d->nodes[like->nodes[0]].parent : chain->nodes[k - 1]);
    }
}

// Adds `copies` copies of all the sample's chains, then `fives` copies of its chains with five joints.
static void copy_chains(shape_draft *d, int copies, int fives)
{
    const int sample = d->chain_count;
    for (int i = 0; i < copies * sample; ++i) {
        add_copy(d, &d->chains[i % sample], 0.003f * (float)(i / sample + 1));
    }
    for (int i = 0; fives > 0; ++i) {
        if (joint_count(&d->chains[i % sample]) == 5) {
            add_copy(d, &d->chains[i % sample], 0.003f * (float)(copies + i / sample + 1));
            --fives;
        }
    }
}

static void keep_few(shape_draft *d)
{
    int kept = 0;
    for (int c = 0; c < d->chain_count && kept < 4; ++c) {
        if (joint_count(&d->chains[c]) == 5) {
            d->chains[kept++] = d->chains[c];
        }
    }
    d->chain_count = kept;
}

// Moves the sphere around the head to the first joint of the first chain. That chain does not collide with it.
static void carry_collider(shape_draft *d)
{
    const int carrier = d->chains[0].nodes[0];
    vrm_collider *c = &d->colliders[0];
    const shape_node *from = &d->nodes[c->node], *to = &d->nodes[carrier];
    const vrm_vec3 center = vrmi_vec3_add(from->position, vrmi_quat_rotate(from->rotation, c->offset));
    c->offset = vrmi_quat_rotate(vrmi_quat_conjugate(to->rotation), vrmi_vec3_sub(center, to->position));
    c->node = (uint32_t)carrier;
    for (int i = 0; i < d->chain_count; ++i) {
        d->chains[i].carried = true;
    }
}

// Inserts a scaled node between the head and its chains. (A bone with a mirrored or uneven scale would violate the
// rules.)
static void scale_hair(shape_draft *d, vrm_vec3 scale)
{
    const int hair = d->node_count++;
    d->nodes[hair] = d->nodes[d->head];
    put_under(d, hair, d->head);
    d->nodes[hair].local.scale = scale;
    for (int c = 0; c < d->chain_count; ++c) {
        shape_node *root = &d->nodes[d->chains[c].nodes[0]];
        root->parent = root->parent == d->head ? hair : root->parent;
    }
}

static void add_armature(shape_draft *d)
{
    const float size = 100.0f;
    const int armature = d->node_count++;
    for (int i = 0; i < armature; ++i) {
        shape_node *n = &d->nodes[i];
        n->parent = n->parent < 0 ? armature : n->parent;
        n->local.translation = vrmi_vec3_scale(n->local.translation, size);
    }
    for (int i = 0; i < d->collider_count; ++i) {
        vrm_collider *c = &d->colliders[i];
        c->offset = vrmi_vec3_scale(c->offset, size);
        c->tail = c->shape == VRM_COLLIDER_PLANE ? c->tail : vrmi_vec3_scale(c->tail, size);
        c->radius *= size;
    }
    d->eyes = vrmi_vec3_scale(d->eyes, size);
    d->nodes[armature] = (shape_node){.parent = -1,
        .local = {.rotation = vrmi_quat_identity(), .scale = vrmi_vec3(0.01f, 0.01f, 0.01f)},
        .rotation = vrmi_quat_identity()};
}

static void set_centers(shape_draft *d, bool all)
{
    for (int c = 0; c < d->chain_count; ++c) {
        shape_chain *chain = &d->chains[c];
        chain->center = !all ? -1 : chain->center >= 0 ? chain->center : d->hips;
    }
}

static void set_chains(shape_draft *d, bool skip, bool limit)
{
    for (int c = 0; c < d->chain_count; ++c) {
        shape_chain *chain = &d->chains[c];
        const int joints = joint_count(chain);
        chain->skipped = skip ? 1 : -1;
        if (limit) {
            chain->limit = joints == 3   ? VRM_SPRING_LIMIT_HINGE
                           : joints == 4 ? VRM_SPRING_LIMIT_SPHERICAL
                                         : VRM_SPRING_LIMIT_CONE;
        }
    }
}

static void apply_shape(shape_draft *d, scene_shape shape)
{
    if (shape != SCENE_SHAPE_SAMPLE) {
        set_centers(d, shape == SCENE_SHAPE_CENTERS);
    }
    switch (shape) {
    case SCENE_SHAPE_SCALED:
        scale_hair(d, vrmi_vec3(1.1f, 1.1f, 1.1f));
        break;
    case SCENE_SHAPE_ARMATURE:
        add_armature(d);
        break;
    case SCENE_SHAPE_BRANCHING:
        string_chains(d, 2, false);
        break;
    case SCENE_SHAPE_SKIPPED:
        set_chains(d, true, false);
        break;
    case SCENE_SHAPE_LIMITS:
        set_chains(d, false, true);
        break;
    case SCENE_SHAPE_CARRIED:
        carry_collider(d);
        break;
    case SCENE_SHAPE_MIRRORED:
        scale_hair(d, vrmi_vec3(-1.0f, 1.0f, 1.0f));
        break;
    case SCENE_SHAPE_UNEVEN:
        scale_hair(d, vrmi_vec3(0.6f, 1.0f, 1.5f));
        break;
    case SCENE_SHAPE_FEW:
        keep_few(d);
        break;
    case SCENE_SHAPE_LONG:
        regroup(d, 20);
        break;
    case SCENE_SHAPE_SHORT:
        regroup(d, 3);
        break;
    case SCENE_SHAPE_MANY:
        copy_chains(d, 4, 16);
        break;
    case SCENE_SHAPE_STRUNG:
        string_chains(d, 8, true);
        break;
    case SCENE_SHAPE_ROW:
        string_chains(d, d->chain_count, true);
        break;
    default:
        break;
    }
}

// --- calls ---------------------------------------------------------------------------------------------------------

const char *scene_shape_name(scene_shape shape)
{
    return (unsigned)shape < SCENE_SHAPE_COUNT ? names[shape] : "";
}

vrm_result scene_shape_create(scene_shape shape, vrm_bytes *out_bytes)
{
    if ((unsigned)shape >= SCENE_SHAPE_COUNT) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (shape == SCENE_SHAPE_SAMPLE) {
        return scene_minimal_sample(0, out_bytes);
    }
    shape_draft *d = calloc(1, sizeof *d);
    if (d == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    shape_draft_begin(d);
    if (!d->failed) {
        apply_shape(d, shape);
        shape_draft_write(d);
    }
    const vrm_result result = d->failed ? VRM_ERROR_OUT_OF_MEMORY : vrm_gltf_save(d->gltf, out_bytes);
    shape_draft_end(d);
    free(d);
    return result;
}
