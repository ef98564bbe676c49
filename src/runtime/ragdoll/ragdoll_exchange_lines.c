// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The exchange as lines: where the bodies should be, what pulls them there, what they touch.

#include <vrm/ragdoll_def.h>

#include "base/checks.h"
#include "math/vec3.h"

#define BLUE 0x3c78faffu
#define RED 0xfa3c32ffu
#define MAGENTA 0xf046e6ffu
#define YELLOW 0xffdc28ffu
#define GREEN 0x3ce65affu

// Metres of line for an N m, an N and an N s; and the longest.
static const float PER_TORQUE = 0.01f, PER_FORCE = 0.001f, PER_IMPULSE = 0.05f, LONGEST = 0.5f;

typedef struct lines {
    vrm_debug_line *items;
    uint32_t capacity, count;
} lines;

// Nothing that is not finite, and nothing that is too short to be seen.
static void add(lines *out, vrm_vec3 from, vrm_vec3 way, uint32_t color)
{
    const float length = vrmi_vec3_length(way);
    if (!(length > 1e-4f) || !vrmi_vec3_finite(vrmi_vec3_add(from, way))) {
        return;
    }
    if (out->count < out->capacity) {
        out->items[out->count] = (vrm_debug_line){from, vrmi_vec3_add(from, way), color};
    }
    ++out->count;
}

static void add_arrow(lines *out, vrm_vec3 from, vrm_vec3 way, float per, uint32_t color)
{
    const vrm_vec3 sized = vrmi_vec3_scale(way, per);
    const float length = vrmi_vec3_length(sized);
    add(out, from, length > LONGEST ? vrmi_vec3_scale(sized, LONGEST / length) : sized, color);
}

uint32_t vrm_ragdoll_exchange_lines(const vrm_ragdoll_exchange *exchange, vrm_debug_line *out_lines, uint32_t capacity)
{
    if (!VRM_ASSERT(exchange != NULL && exchange->struct_size == sizeof *exchange && exchange->def != NULL &&
                    exchange->targets != NULL && exchange->states != NULL && (out_lines != NULL || capacity == 0))) {
        return 0;
    }
    lines out = {out_lines, capacity, 0};
    const vrm_ragdoll_def *def = exchange->def;
    const vrm_ragdoll_target *wanted = exchange->targets->bodies;
    const double *origin = exchange->targets->origin;
    for (uint32_t i = 0; i < def->body_count && i < exchange->targets->body_count; ++i) {
        const vrm_vec3 target = wanted[i].state.position, is = exchange->states[i].position;
        if (def->bodies[i].parent >= 0) {
            const vrm_vec3 above = wanted[def->bodies[i].parent].state.position;
            add(&out, above, vrmi_vec3_sub(target, above), BLUE);
        }
        add(&out, is, vrmi_vec3_sub(target, is), RED);
        if (exchange->wrenches != NULL) {
            add_arrow(&out, is, exchange->wrenches[i].torque, PER_TORQUE, MAGENTA);
            add_arrow(&out, is, exchange->wrenches[i].force, PER_FORCE, YELLOW);
        }
    }
    for (uint32_t i = 0; i < exchange->contact_count; ++i) {
        const vrm_ragdoll_contact *c = &exchange->contacts[i];
        const vrm_vec3 at = vrmi_vec3_between(origin, c->point);
        add_arrow(&out, at, vrmi_vec3_scale(c->normal, c->impulse), PER_IMPULSE, GREEN);
    }
    return out.count;
}

void vrm_ragdoll_exchange_default(vrm_ragdoll_exchange *exchange)
{
    if (VRM_ASSERT(exchange != NULL)) {
        *exchange = (vrm_ragdoll_exchange){.struct_size = sizeof *exchange};
    }
}
