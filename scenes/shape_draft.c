// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "shape_draft.h"
#include "minimal_sample.h"

#include <vrm/sample.h>

#include "base/text.h"

// --- reading ----------------------------------------------------------------------------------------------------

static void read_nodes(shape_draft *d, const vrm_avatar *avatar)
{
    for (int i = 0; i < d->node_count; ++i) {
        vrm_node node = {.struct_size = sizeof node}, parent = {.struct_size = sizeof parent};
        (void)vrm_avatar_get_node(avatar, (uint32_t)i, &node);
        shape_node *out = &d->nodes[node.gltf_node];
        *out = (shape_node){-1, node.rest, node.rest_position, node.rest_rotation};
        if (node.parent >= 0) {
            (void)vrm_avatar_get_node(avatar, (uint32_t)node.parent, &parent);
            out->parent = (int)parent.gltf_node;
        }
    }
}

static int file_node(const vrm_avatar *avatar, int32_t node)
{
    vrm_node row = {.struct_size = sizeof row};
    return vrm_avatar_get_node(avatar, (uint32_t)node, &row) == VRM_SUCCESS ? (int)row.gltf_node : -1;
}

static void read_chains(shape_draft *d, const vrm_avatar *avatar)
{
    for (int i = 0; i < d->chain_count; ++i) {
        vrm_spring_chain row = {.struct_size = sizeof row};
        vrm_spring_joint joint = {.struct_size = sizeof joint};
        (void)vrm_avatar_get_spring_chain(avatar, (uint32_t)i, &row);
        shape_chain *out = &d->chains[row.spring];
        *out = (shape_chain){.skipped = -1, .center = row.center < 0 ? -1 : file_node(avatar, row.center)};
        for (uint32_t k = 0; k < row.joint_count; ++k) {
            (void)vrm_avatar_get_spring_joint(avatar, row.first_joint + k, &joint);
            out->nodes[out->count++] = file_node(avatar, (int32_t)joint.node);
        }
        out->nodes[out->count++] = file_node(avatar, joint.tail_node);
        out->params = joint.params;
        char pointer[96];
        vrmi_format(pointer, sizeof pointer, "/extensions/VRMC_springBone/springs/%u/colliderGroups", row.spring);
        d->failed |= vrm_gltf_get_json(d->gltf, pointer, &out->groups) != VRM_SUCCESS;
    }
}

void shape_draft_begin(shape_draft *d)
{
    vrm_bytes bytes = {0};
    vrm_avatar *avatar = NULL;
    if (scene_minimal_sample(0, &bytes) != VRM_SUCCESS ||
        vrm_gltf_load(NULL, bytes.data, bytes.size, NULL, &d->gltf) != VRM_SUCCESS ||
        vrm_avatar_import(NULL, d->gltf, NULL, &avatar) != VRM_SUCCESS) {
        vrm_bytes_free(&bytes);
        d->failed = true;
        return;
    }
    vrm_bytes_free(&bytes);
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    d->node_count = d->sample_nodes = (int)counts.nodes;
    d->chain_count = (int)counts.spring_chains;
    d->collider_count = (int)counts.colliders;
    read_nodes(d, avatar);
    read_chains(d, avatar);
    for (int i = 0; i < d->collider_count; ++i) {
        d->colliders[i].struct_size = sizeof d->colliders[i];
        (void)vrm_avatar_get_collider(avatar, (uint32_t)i, &d->colliders[i]);
        d->colliders[i].node = (uint32_t)file_node(avatar, (int32_t)d->colliders[i].node);
    }
    d->head = file_node(avatar, vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_HEAD));
    d->hips = file_node(avatar, vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_HIPS));
    vrm_look_at look_at = {.struct_size = sizeof look_at};
    vrm_avatar_get_look_at(avatar, &look_at);
    d->eyes = look_at.offset_from_head_bone;
    vrm_avatar_release(avatar);
}

// --- writing -------------------------------------------------------------------------------------------------------

static void put_floats(vrmi_text *text, const float *values, int count)
{
    for (int i = 0; i < count; ++i) {
        vrmi_text_add_string(text, i > 0 ? "," : "[");
        vrmi_text_add_float(text, values[i]);
    }
    vrmi_text_add_string(text, "]");
}

static void put_vector(vrmi_text *text, const char *name, vrm_vec3 v)
{
    vrmi_text_format(text, "\"%s\":", name);
    put_floats(text, (const float[3]){v.x, v.y, v.z}, 3);
}

static void put_float(vrmi_text *text, const char *name, float value)
{
    vrmi_text_format(text, ",\"%s\":", name);
    vrmi_text_add_float(text, value);
}

// Sets the written text in the document, and starts a new text.
static void set(shape_draft *d, const char *pointer, vrmi_text *text)
{
    d->failed |= text->failed || vrm_gltf_set_json(d->gltf, pointer, text->data, text->size) != VRM_SUCCESS;
    vrmi_text_free(text);
    vrmi_text_init(text, NULL);
}

static void write_node(shape_draft *d, int node, vrmi_text *text)
{
    const shape_node *n = &d->nodes[node];
    char pointer[48];
    if (node >= d->sample_nodes) {
        vrmi_text_format(text, "{\"name\":\"shape%d\"}", node);
        set(d, "/nodes/-", text);
    }
    const vrm_vec3 t = n->local.translation, scale = n->local.scale;
    const vrm_quat q = n->local.rotation;
    const struct {
        const char *name;
        float values[4];
        int count;
    } parts[] = {{"translation", {t.x, t.y, t.z}, 3}, {"rotation", {q.x, q.y, q.z, q.w}, 4},
        {"scale", {scale.x, scale.y, scale.z}, 3}};
    for (int i = 0; i < 3; ++i) {
        vrmi_format(pointer, sizeof pointer, "/nodes/%d/%s", node, parts[i].name);
        put_floats(text, parts[i].values, parts[i].count);
        set(d, pointer, text);
    }
}

// Writes the children of a node, or of the scene if `node` is -1.
static void write_children(shape_draft *d, int node, vrmi_text *text)
{
    char pointer[48];
    int count = 0;
    vrmi_format(pointer, sizeof pointer, node < 0 ? "/scenes/0/nodes" : "/nodes/%d/children", node);
    for (int i = 0; i < d->node_count; ++i) {
        if (d->nodes[i].parent == node) {
            vrmi_text_format(text, "%s%d", count++ > 0 ? "," : "[", i);
        }
    }
    vrmi_text_add_string(text, "]");
    if (count > 0) {
        set(d, pointer, text);
        return;
    }
    (void)vrm_gltf_remove_json(d->gltf, pointer); // fails harmlessly if there is no such member
    vrmi_text_free(text);
}

static void put_ball(vrmi_text *text, const vrm_collider *c)
{
    const bool capsule = c->shape == VRM_COLLIDER_CAPSULE || c->shape == VRM_COLLIDER_INSIDE_CAPSULE;
    vrmi_text_add_string(text, capsule ? "{\"capsule\":{" : "{\"sphere\":{");
    put_vector(text, "offset", c->offset);
    put_float(text, "radius", c->radius);
    if (capsule) {
        vrmi_text_add_string(text, ",");
        put_vector(text, "tail", c->tail);
    }
    vrmi_text_add_string(text, c->shape >= VRM_COLLIDER_INSIDE_SPHERE ? ",\"inside\":true}}" : "}}");
}

static void put_collider(vrmi_text *text, const vrm_collider *c)
{
    vrmi_text_format(text, "{\"node\":%u,\"shape\":", c->node);
    if (c->shape <= VRM_COLLIDER_CAPSULE) {
        put_ball(text, c);
        vrmi_text_add_string(text, "}");
        return;
    }
    vrmi_text_add_string(text, "{\"sphere\":{\"offset\":[0,-10000,0],\"radius\":0}},\"extensions\":{"
                               "\"VRMC_springBone_extended_collider\":{\"specVersion\":\"1.0\",\"shape\":");
    if (c->shape == VRM_COLLIDER_PLANE) {
        vrmi_text_add_string(text, "{\"plane\":{");
        put_vector(text, "offset", c->offset);
        vrmi_text_add_string(text, ",");
        put_vector(text, "normal", c->tail);
        vrmi_text_add_string(text, "}}");
    } else {
        put_ball(text, c);
    }
    vrmi_text_add_string(text, "}}}");
}

static void put_limit(vrmi_text *text, vrm_spring_limit_type type)
{
    static const char *const limits[] = {
        "", "\"cone\":{\"angle\":0.6}", "\"hinge\":{\"angle\":0.6}", "\"spherical\":{\"pitch\":0.7,\"yaw\":0.5}"};
    if (type != VRM_SPRING_LIMIT_NONE) {
        vrmi_text_format(text,
            ",\"extensions\":{\"VRMC_springBone_limit\":{\"specVersion\":\"1.0-draft\",\"limit\":{%s}}}", limits[type]);
    }
}

static void put_chain(vrmi_text *text, const shape_chain *chain, bool carrier)
{
    const vrm_spring_joint_params *p = &chain->params;
    vrmi_text_add_string(text, "{");
    if (chain->center >= 0) {
        vrmi_text_format(text, "\"center\":%d,", chain->center);
    }
    vrmi_text_add_string(text, "\"joints\":[");
    for (int k = 0; k < chain->count; ++k) {
        if (k == chain->skipped) {
            continue;
        }
        vrmi_text_format(text, "%s{\"node\":%d", k > 0 ? "," : "", chain->nodes[k]);
        if (k + 1 < chain->count) {
            put_float(text, "hitRadius", p->hit_radius);
            put_float(text, "stiffness", p->stiffness);
            put_float(text, "gravityPower", p->gravity_power);
            put_float(text, "dragForce", p->drag_force);
            put_limit(text, chain->limit);
        }
        vrmi_text_add_string(text, "}");
    }
    // The carried collider is in group 0, which replaces the first group of each chain. The chain that has the collider
    // loses its first group.
    size_t first = 1;
    while (chain->carried && chain->groups.data[first - 1] != ',') {
        ++first;
    }
    vrmi_text_format(text, "],\"colliderGroups\":[%s%.*s}", chain->carried && !carrier ? "0," : "",
        (int)(chain->groups.length - first), chain->groups.data + first);
}

void shape_draft_write(shape_draft *d)
{
    vrmi_text text;
    vrmi_text_init(&text, NULL);
    // Springs are written first: the texts of their groups are only valid until the first edit.
    for (int c = 0; c < d->chain_count; ++c) {
        vrmi_text_add_string(&text, c > 0 ? "," : "[");
        put_chain(&text, &d->chains[c], c == 0);
    }
    vrmi_text_add_string(&text, "]");
    set(d, "/extensions/VRMC_springBone/springs", &text);
    for (int i = 0; i < d->collider_count; ++i) {
        vrmi_text_add_string(&text, i > 0 ? "," : "[");
        put_collider(&text, &d->colliders[i]);
    }
    vrmi_text_add_string(&text, "]");
    set(d, "/extensions/VRMC_springBone/colliders", &text);
    put_floats(&text, (const float[3]){d->eyes.x, d->eyes.y, d->eyes.z}, 3);
    set(d, "/extensions/VRMC_vrm/lookAt/offsetFromHeadBone", &text);
    if (d->chains[0].limit != VRM_SPRING_LIMIT_NONE) {
        vrmi_text_add_string(&text, "\"VRMC_springBone_limit\"");
        set(d, "/extensionsUsed/-", &text);
    }
    for (int i = 0; i < d->node_count; ++i) {
        write_node(d, i, &text);
    }
    for (int i = -1; i < d->node_count; ++i) {
        write_children(d, i, &text);
    }
    vrmi_text_free(&text);
}

void shape_draft_end(shape_draft *d)
{
    vrm_gltf_destroy(d->gltf);
}
