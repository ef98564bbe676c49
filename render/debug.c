// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Draws lines over the picture, always in front. All lines are computed from the instance's outputs, so they show the
// values that the host gets.

#include "internal.h"

#include <vrm/ragdoll_build.h>

#include <math.h>
#include <stddef.h>

static const uint8_t white[4] = {255, 255, 255, 255}, yellow[4] = {255, 220, 40, 255}, green[4] = {60, 230, 90, 255};
static const uint8_t magenta[4] = {240, 70, 230, 255}, cyan[4] = {60, 220, 240, 255}, orange[4] = {255, 150, 40, 255};
static const uint8_t red[4] = {250, 60, 50, 255}, grey[4] = {150, 150, 160, 255};

typedef struct lines {
    vrm_renderer *renderer;
    const vrm_outputs *out;
    const vrm_avatar *avatar;
} lines;

static void add_line(lines *l, vrm_vec3 a, vrm_vec3 b, const uint8_t color[4])
{
    vrm_renderer *r = l->renderer;
    if (!vrmr_reserve((void **)&r->lines, &r->line_capacity, r->line_count + 2, sizeof *r->lines)) {
        return; // without memory this line is missing, but the picture is still drawn
    }
    r->lines[r->line_count++] = (vrmr_line_vertex){{a.x, a.y, a.z}, {color[0], color[1], color[2], color[3]}};
    r->lines[r->line_count++] = (vrmr_line_vertex){{b.x, b.y, b.z}, {color[0], color[1], color[2], color[3]}};
}

static vrm_vec3 place(const vrm_outputs *out, uint32_t node)
{
    const vrm_mat34 *w = &out->world[node];
    return (vrm_vec3){w->m[0][3], w->m[1][3], w->m[2][3]};
}

static vrm_vec3 direction(const vrm_mat34 *w, vrm_vec3 v)
{
    return (vrm_vec3){w->m[0][0] * v.x + w->m[0][1] * v.y + w->m[0][2] * v.z,
        w->m[1][0] * v.x + w->m[1][1] * v.y + w->m[1][2] * v.z, w->m[2][0] * v.x + w->m[2][1] * v.y + w->m[2][2] * v.z};
}

static vrm_vec3 along(vrm_vec3 from, vrm_vec3 v, float t)
{
    return (vrm_vec3){from.x + v.x * t, from.y + v.y * t, from.z + v.z * t};
}

static vrm_vec3 point(const vrm_mat34 *w, vrm_vec3 p)
{
    return along((vrm_vec3){w->m[0][3], w->m[1][3], w->m[2][3]}, direction(w, p), 1.0f);
}

static float largest_scale(const vrm_mat34 *w)
{
    float largest = 0.0f;
    for (int c = 0; c < 3; ++c) {
        const float s = sqrtf(w->m[0][c] * w->m[0][c] + w->m[1][c] * w->m[1][c] + w->m[2][c] * w->m[2][c]);
        largest = s > largest ? s : largest;
    }
    return largest;
}

static void add_circle(lines *l, vrm_vec3 centre, vrm_vec3 x, vrm_vec3 y, const uint8_t color[4])
{
    enum { PARTS = 24 };
    vrm_vec3 last = along(centre, x, 1.0f);
    for (int i = 1; i <= PARTS; ++i) {
        const float angle = 6.2831853f * (float)i / PARTS;
        const vrm_vec3 next = along(along(centre, x, cosf(angle)), y, sinf(angle));
        add_line(l, last, next, color);
        last = next;
    }
}

static void add_sphere(lines *l, vrm_vec3 centre, float radius, const uint8_t color[4])
{
    const vrm_vec3 x = {radius, 0, 0}, y = {0, radius, 0}, z = {0, 0, radius};
    add_circle(l, centre, x, y, color);
    add_circle(l, centre, y, z, color);
    add_circle(l, centre, z, x, color);
}

// Computes two unit vectors perpendicular to a direction.
static void across(vrm_vec3 d, vrm_vec3 *out_x, vrm_vec3 *out_y)
{
    const float length = sqrtf(d.x * d.x + d.y * d.y + d.z * d.z);
    const vrm_vec3 n = length > 0.0f ? (vrm_vec3){d.x / length, d.y / length, d.z / length} : (vrm_vec3){0, 1, 0};
    const float sign = n.z < 0.0f ? -1.0f : 1.0f, a = -1.0f / (sign + n.z), b = n.x * n.y * a;
    *out_x = (vrm_vec3){1.0f + sign * n.x * n.x * a, sign * b, -sign * n.x};
    *out_y = (vrm_vec3){b, sign + n.y * n.y * a, -n.y};
}

static void add_capsule(lines *l, vrm_vec3 a, vrm_vec3 b, float radius, const uint8_t color[4])
{
    vrm_vec3 x, y;
    across((vrm_vec3){b.x - a.x, b.y - a.y, b.z - a.z}, &x, &y);
    add_sphere(l, a, radius, color);
    add_sphere(l, b, radius, color);
    for (int i = 0; i < 4; ++i) {
        const vrm_vec3 side = i < 2 ? x : y;
        const float r = i % 2 == 0 ? radius : -radius;
        add_line(l, along(a, side, r), along(b, side, r), color);
    }
}

static void add_plane(lines *l, vrm_vec3 at, vrm_vec3 normal)
{
    vrm_vec3 x, y;
    across(normal, &x, &y);
    for (int i = -2; i <= 2; ++i) {
        const float t = 0.05f * (float)i;
        add_line(l, along(along(at, x, t), y, -0.1f), along(along(at, x, t), y, 0.1f), cyan);
        add_line(l, along(along(at, y, t), x, -0.1f), along(along(at, y, t), x, 0.1f), cyan);
    }
    add_line(l, at, along(at, normal, 0.1f), cyan);
}

static void add_bones(lines *l)
{
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        const int32_t node = vrm_avatar_get_bone_node(l->avatar, (vrm_human_bone)bone);
        const int32_t parent = vrm_avatar_get_bone_parent(l->avatar, (vrm_human_bone)bone);
        const int32_t from = parent >= 0 ? vrm_avatar_get_bone_node(l->avatar, (vrm_human_bone)parent) : -1;
        if (node >= 0) {
            add_sphere(l, place(l->out, (uint32_t)node), 0.006f, white);
        }
        if (node >= 0 && from >= 0) {
            add_line(l, place(l->out, (uint32_t)from), place(l->out, (uint32_t)node), white);
        }
    }
}

static void add_springs(lines *l, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        vrm_spring_joint joint = {.struct_size = sizeof joint};
        (void)vrm_avatar_get_spring_joint(l->avatar, i, &joint);
        const vrm_mat34 *w = &l->out->world[joint.node];
        const vrm_vec3 tail = point(w, joint.tail);
        add_line(l, place(l->out, joint.node), tail, yellow);
        if (joint.params.hit_radius > 0.0f) {
            add_sphere(l, tail, joint.params.hit_radius * largest_scale(w), yellow);
        }
    }
}

static void add_colliders(lines *l, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        vrm_collider c = {.struct_size = sizeof c};
        (void)vrm_avatar_get_collider(l->avatar, i, &c);
        const vrm_mat34 *w = &l->out->world[c.node];
        const bool inside = c.shape == VRM_COLLIDER_INSIDE_SPHERE || c.shape == VRM_COLLIDER_INSIDE_CAPSULE;
        const uint8_t *color = inside ? magenta : green;
        const vrm_vec3 at = point(w, c.offset);
        if (c.shape == VRM_COLLIDER_PLANE) {
            add_plane(l, at, direction(w, c.tail));
        } else if (c.shape == VRM_COLLIDER_CAPSULE || c.shape == VRM_COLLIDER_INSIDE_CAPSULE) {
            add_capsule(l, at, point(w, c.tail), c.radius * largest_scale(w), color);
        } else {
            add_sphere(l, at, c.radius * largest_scale(w), color);
        }
    }
}

static void add_constraints(lines *l, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        vrm_constraint c = {.struct_size = sizeof c};
        (void)vrm_avatar_get_constraint(l->avatar, i, &c);
        const vrm_vec3 at = place(l->out, c.node);
        add_line(l, place(l->out, c.source), at, orange);
        if (c.type != VRM_CONSTRAINT_ROTATION) {
            add_line(l, at, along(at, direction(&l->out->world[c.node], c.axis), 0.08f), orange);
        }
    }
}

// Adds the viewpoint's axes and the direction of the gaze, which is in LookAt space: yaw towards +X, pitch down.
static void add_gaze(lines *l)
{
    const vrm_transform *v = &l->out->viewpoint;
    const float yaw = l->out->look_yaw, pitch = l->out->look_pitch;
    const vrm_vec3 gaze = {sinf(yaw) * cosf(pitch), -sinf(pitch), cosf(yaw) * cosf(pitch)};
    const vrm_quat q = v->rotation;
    const vrm_vec3 u = {q.y * gaze.z - q.z * gaze.y + q.w * gaze.x, q.z * gaze.x - q.x * gaze.z + q.w * gaze.y,
        q.x * gaze.y - q.y * gaze.x + q.w * gaze.z};
    const vrm_vec3 turned = {gaze.x + 2.0f * (q.y * u.z - q.z * u.y), gaze.y + 2.0f * (q.z * u.x - q.x * u.z),
        gaze.z + 2.0f * (q.x * u.y - q.y * u.x)};
    add_sphere(l, v->translation, 0.01f, red);
    add_line(l, v->translation, along(v->translation, turned, 0.5f), red);
}

static void add_box(lines *l, const vrm_box *box)
{
    for (int corner = 0; corner < 8; ++corner) {
        const vrm_vec3 a = {(corner & 1) != 0 ? box->max.x : box->min.x, (corner & 2) != 0 ? box->max.y : box->min.y,
            (corner & 4) != 0 ? box->max.z : box->min.z};
        if ((corner & 1) == 0) {
            add_line(l, a, (vrm_vec3){box->max.x, a.y, a.z}, grey);
        }
        if ((corner & 2) == 0) {
            add_line(l, a, (vrm_vec3){a.x, box->max.y, a.z}, grey);
        }
        if ((corner & 4) == 0) {
            add_line(l, a, (vrm_vec3){a.x, a.y, box->max.z}, grey);
        }
    }
}

static void add_list(lines *l, const vrm_debug_line *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        const vrm_debug_line *line = &list[i];
        const uint8_t color[4] = {(uint8_t)(line->color >> 24), (uint8_t)(line->color >> 16),
            (uint8_t)(line->color >> 8), (uint8_t)line->color};
        add_line(l, line->from, line->to, color);
    }
}

// The kinds of lines are requested one at a time: 55 bodies have fewer than 6,144 lines of each kind.
static void add_ragdoll(lines *l, const vrm_render_item *item)
{
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
    vrm_debug_line list[6144];
    vrm_root root;
    vrm_instance_get_root(item->instance, &root);
    vrm_ragdoll_get_pose_states(item->ragdoll, item->instance, states);
    vrm_ragdoll_lines_params params;
    vrm_ragdoll_lines_params_default(&params);
    params.def = item->ragdoll;
    params.states = states;
    params.scale = root.scale;
    for (params.what = VRM_RAGDOLL_LINE_SHAPES; params.what <= VRM_RAGDOLL_LINE_LIMITS; params.what *= 2) {
        const uint32_t most = sizeof list / sizeof *list;
        const uint32_t count = vrm_ragdoll_get_lines(&params, list, most);
        add_list(l, list, count < most ? count : most);
    }
}

void vrmr_add_debug_lines(vrm_renderer *renderer, const vrm_render_item *item, uint32_t debug)
{
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    lines l = {renderer, &out, vrm_instance_get_avatar(item->instance)};
    vrm_instance_get_outputs(item->instance, &out);
    vrm_avatar_get_counts(l.avatar, &counts);
    if ((debug & VRM_RENDER_DEBUG_BOXES) != 0) {
        for (uint32_t i = 0; i < out.mesh_count; ++i) {
            add_box(&l, &out.mesh_boxes[i]);
        }
    }
    if ((debug & VRM_RENDER_DEBUG_BONES) != 0) {
        add_bones(&l);
    }
    if ((debug & VRM_RENDER_DEBUG_COLLIDERS) != 0) {
        add_colliders(&l, counts.colliders);
    }
    if ((debug & VRM_RENDER_DEBUG_SPRINGS) != 0) {
        add_springs(&l, counts.spring_joints);
    }
    if ((debug & VRM_RENDER_DEBUG_CONSTRAINTS) != 0) {
        add_constraints(&l, counts.constraints);
    }
    if ((debug & VRM_RENDER_DEBUG_GAZE) != 0) {
        add_gaze(&l);
    }
    if ((debug & VRM_RENDER_DEBUG_LINES) != 0) {
        add_list(&l, out.debug_lines, out.debug_line_count);
    }
    if ((debug & VRM_RENDER_DEBUG_RAGDOLL) != 0 && item->ragdoll != NULL) {
        add_ragdoll(&l, item);
    }
    if (item->lines != NULL) {
        add_list(&l, item->lines, item->line_count);
    }
}

static void make_array(vrm_renderer *renderer)
{
    if (renderer->line_array != 0) {
        return;
    }
    glGenVertexArrays(1, &renderer->line_array);
    glGenBuffers(1, &renderer->line_buffer);
    glBindVertexArray(renderer->line_array);
    glBindBuffer(GL_ARRAY_BUFFER, renderer->line_buffer);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(vrmr_line_vertex), NULL);
    glVertexAttribPointer(
        1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(vrmr_line_vertex), (const void *)offsetof(vrmr_line_vertex, color));
}

void vrmr_draw_vertices(vrm_renderer *renderer, const vrmr_line_vertex *vertices, uint32_t count, GLenum mode)
{
    make_array(renderer);
    glBindVertexArray(renderer->line_array);
    glBindBuffer(GL_ARRAY_BUFFER, renderer->line_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof *vertices), vertices, GL_STREAM_DRAW);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    glDrawArrays(mode, 0, (GLsizei)count);
    glEnable(GL_DEPTH_TEST);
    glBindVertexArray(0);
}

vrm_result vrmr_draw_lines(vrm_renderer *renderer, const float clip[16])
{
    if (renderer->line_count == 0) {
        return VRM_SUCCESS;
    }
    const vrmr_program *program = vrmr_use_program(renderer, VRMR_PROGRAM_LINE, 0);
    if (program == NULL) {
        return VRM_ERROR_UNSUPPORTED;
    }
    glUniformMatrix4fv(program->clip, 1, GL_FALSE, clip);
    vrmr_draw_vertices(renderer, renderer->lines, renderer->line_count, GL_LINES);
    return VRM_SUCCESS;
}
