// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/write.h"

// Writes VRMC_springBone.

static void put_vector(vrmi_text *text, const char *name, vrm_vec3 v, float scale)
{
    // Adding 0 turns -0 into 0.
    const float values[3] = {v.x * scale + 0.0f, v.y * scale + 0.0f, v.z * scale + 0.0f};
    vrmi_text_format(text, "\"%s\":", name);
    vrmi_sample_put_floats(text, values, 3);
}

static void put_ball(vrmi_text *text, const vrmi_sample_collider *c, float scale)
{
    vrmi_text_add_string(text,
        c->kind == VRMI_SAMPLE_CAPSULE || c->kind == VRMI_SAMPLE_INSIDE_CAPSULE ? "{\"capsule\":{" : "{\"sphere\":{");
    put_vector(text, "offset", c->offset, scale);
    vrmi_text_add_string(text, ",\"radius\":");
    vrmi_text_add_float(text, c->radius * scale);
    if (c->kind == VRMI_SAMPLE_CAPSULE || c->kind == VRMI_SAMPLE_INSIDE_CAPSULE) {
        vrmi_text_add_string(text, ",");
        put_vector(text, "tail", c->tail, scale);
    }
    vrmi_text_add_string(text, c->kind >= VRMI_SAMPLE_INSIDE_SPHERE ? ",\"inside\":true}}" : "}}");
}

// Writes the extended shape, and the fallback that its specification recommends for readers without the extension.
static void put_extended(vrmi_text *text, const vrmi_sample_collider *c, float scale)
{
    if (c->kind == VRMI_SAMPLE_PLANE) {
        const vrm_vec3 center = vrmi_vec3_sub(vrmi_vec3_scale(c->offset, scale), vrmi_vec3_scale(c->tail, 1000.0f));
        vrmi_text_add_string(text, "{\"sphere\":{");
        put_vector(text, "offset", center, 1.0f);
        vrmi_text_add_string(text, ",\"radius\":1000}}");
    } else {
        vrmi_text_add_string(text, "{\"sphere\":{\"offset\":[0,-10000,0],\"radius\":0}}");
    }
    vrmi_text_add_string(
        text, ",\"extensions\":{\"VRMC_springBone_extended_collider\":{\"specVersion\":\"1.0\",\"shape\":");
    if (c->kind == VRMI_SAMPLE_PLANE) {
        vrmi_text_add_string(text, "{\"plane\":{");
        put_vector(text, "offset", c->offset, scale);
        vrmi_text_add_string(text, ",");
        put_vector(text, "normal", c->tail, 1.0f);
        vrmi_text_add_string(text, "}}");
    } else {
        put_ball(text, c, scale);
    }
    vrmi_text_add_string(text, "}}");
}

static void put_colliders(vrmi_text *text, const vrmi_sample_plan *plan, float scale)
{
    vrmi_text_add_string(text, "\"colliders\":[");
    for (int i = 0; i < plan->collider_count; ++i) {
        const vrmi_sample_collider *c = &plan->colliders[i];
        vrmi_text_format(text, "%s{\"node\":%d,\"shape\":", i > 0 ? "," : "", vrmi_sample_bone(c->bone));
        if (c->kind <= VRMI_SAMPLE_CAPSULE) {
            put_ball(text, c, scale);
        } else {
            put_extended(text, c, scale);
        }
        vrmi_text_add_string(text, "}");
    }
    vrmi_text_add_string(text, "]");
}

static bool same_group(const vrmi_sample_plan *plan, int a, int b)
{
    return vrmi_string_equal(vrmi_string(plan->colliders[a].group), plan->colliders[b].group);
}

static void put_groups(vrmi_text *text, const vrmi_sample_plan *plan)
{
    vrmi_text_add_string(text, ",\"colliderGroups\":[");
    for (int i = 0; i < plan->collider_count; ++i) {
        if (i > 0 && same_group(plan, i - 1, i)) {
            continue;
        }
        vrmi_text_format(text, "%s{\"name\":\"%s\",\"colliders\":[%d", i > 0 ? "," : "", plan->colliders[i].group, i);
        for (int k = i + 1; k < plan->collider_count && same_group(plan, i, k); ++k) {
            vrmi_text_format(text, ",%d", k);
        }
        vrmi_text_add_string(text, "]}");
    }
    vrmi_text_add_string(text, "]");
}

static int group_index(const vrmi_sample_plan *plan, const char *name)
{
    int index = -1;
    for (int i = 0; i < plan->collider_count; ++i) {
        index += i == 0 || !same_group(plan, i - 1, i) ? 1 : 0;
        if (vrmi_string_equal(vrmi_string(name), plan->colliders[i].group)) {
            return index;
        }
    }
    VRM_VALIDATE(false); // chains only name existing groups
    return -1;
}

static void put_spring(vrmi_text *text, const vrmi_sample_figure *figure, const vrmi_sample_chain *chain)
{
    vrmi_text_format(text, "{\"name\":\"%s\"", chain->name);
    if (chain->center >= 0) {
        vrmi_text_format(text, ",\"center\":%d", chain->center);
    }
    vrmi_text_add_string(text, ",\"joints\":[");
    for (int k = 0; k < chain->count; ++k) {
        vrmi_text_format(text, "%s{\"node\":%d", k > 0 ? "," : "", chain->nodes[k]);
        if (k + 1 < chain->count) {
            vrmi_text_add_string(text, ",\"hitRadius\":");
            vrmi_text_add_float(text, chain->radius * figure->style.height);
            vrmi_text_add_string(text, ",\"stiffness\":");
            vrmi_text_add_float(text, chain->stiffness);
            vrmi_text_add_string(text, ",\"gravityPower\":");
            vrmi_text_add_float(text, chain->gravity);
            vrmi_text_add_string(text, ",\"gravityDir\":[0,-1,0],\"dragForce\":");
            vrmi_text_add_float(text, chain->drag);
        }
        vrmi_text_add_string(text, "}");
    }
    vrmi_text_add_string(text, "],\"colliderGroups\":[");
    for (int g = 0; g < 4 && chain->groups[g] != NULL; ++g) {
        vrmi_text_format(text, "%s%d", g > 0 ? "," : "", group_index(figure->plan, chain->groups[g]));
    }
    vrmi_text_add_string(text, "]}");
}

void vrmi_sample_put_springs(vrmi_text *text, const vrmi_sample_figure *figure)
{
    vrmi_text_add_string(text, "\"VRMC_springBone\":{\"specVersion\":\"1.0\",");
    put_colliders(text, figure->plan, figure->style.height);
    put_groups(text, figure->plan);
    vrmi_text_add_string(text, ",\"springs\":[");
    for (int i = 0; i < figure->chain_count; ++i) {
        vrmi_text_add_string(text, i > 0 ? "," : "");
        put_spring(text, figure, &figure->chains[i]);
    }
    vrmi_text_add_string(text, "]}");
}
