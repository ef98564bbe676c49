// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "framing.h"

#include <math.h>

#include "matrix.h"

static const double air = 1.1; // ratio of the picture to its content, which leaves a margin

typedef struct axes {
    double right[3], up[3], back[3];
} axes;

static axes axes_of(const framing_view *v)
{
    const double sy = sin(v->yaw), cy = cos(v->yaw), sp = sin(v->pitch), cp = cos(v->pitch);
    return (axes){{cy, 0.0, -sy}, {-sp * sy, cp, -sp * cy}, {cp * sy, sp, cp * cy}};
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void move(double point[3], const double direction[3], double by)
{
    for (int i = 0; i < 3; ++i) {
        point[i] += by * direction[i];
    }
}

static double half_angle(double field_of_view)
{
    return tan(field_of_view * 3.14159265358979323846 / 360.0);
}

double framing_distance(const framing *f, double field_of_view, double aspect)
{
    return 0.5 * air * fmax(f->height, f->width / aspect) / half_angle(field_of_view);
}

// Returns a square picture that shows `shown` metres at the centre.
static vrm_render_scene scene_of(const framing_view *v, const axes *a, const double centre[3], double shown)
{
    vrm_render_scene scene;
    vrm_render_scene_default(&scene);
    const double distance = 0.5 * shown / half_angle(v->field_of_view);
    double eye[3] = {centre[0], centre[1], centre[2]};
    move(eye, a->back, distance);
    matrix_look(scene.view, eye, centre, a->up);
    matrix_perspective(scene.projection, v->field_of_view, 1.0, 0.01 * distance, 100.0 * distance);
    return scene;
}

static bool is_empty(const vrm_render_rectangle *r)
{
    return r->left > r->right;
}

static bool find_bone(const framing_view *v, vrm_human_bone bone, double out_world[3])
{
    const int32_t node = vrm_avatar_get_bone_node(vrm_instance_get_avatar(v->item.instance), bone);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(v->item.instance, &out);
    const double origin[3] = {out.origin.x, out.origin.y, out.origin.z};
    for (int i = 0; i < 3 && node >= 0; ++i) {
        out_world[i] = origin[i] + (double)out.world[node].m[i][3];
    }
    return node >= 0;
}

// Returns the height of the chest in the picture, in clip coordinates; the bottom if there is no chest.
static double chest_of(const framing_view *v, const vrm_render_scene *scene)
{
    double at[3];
    if (!find_bone(v, VRM_HUMAN_BONE_CHEST, at) && !find_bone(v, VRM_HUMAN_BONE_SPINE, at)) {
        return -1.0;
    }
    const double *m = scene->view;
    const double y = m[1] * at[0] + m[5] * at[1] + m[9] * at[2] + m[13];
    const double z = m[2] * at[0] + m[6] * at[1] + m[10] * at[2] + m[14];
    return z < 0.0 ? -(double)scene->projection[5] * y / z : -1.0;
}

// Returns the face's rectangle, without long hair that is too far from the head.
static vrm_render_rectangle face_of(const vrm_render_extent *extent)
{
    const vrm_render_rectangle *head = &extent->head, *all = &extent->head_and_hair;
    if (is_empty(head)) {
        return is_empty(all) ? extent->whole : *all;
    }
    const float size = fmaxf(head->top - head->bottom, head->right - head->left);
    return (vrm_render_rectangle){fmaxf(all->left, head->left - 0.35f * size),
        fminf(all->right, head->right + 0.35f * size), fmaxf(all->bottom, head->bottom - 0.15f * size),
        fminf(all->top, head->top + 0.6f * size)};
}

static vrm_render_rectangle part_of(
    const framing_view *v, framing_part part, const vrm_render_scene *scene, const vrm_render_extent *extent)
{
    if (part == FRAMING_BODY) {
        return extent->whole;
    }
    vrm_render_rectangle r = face_of(extent);
    const vrm_render_rectangle *head = is_empty(&extent->head) ? &r : &extent->head;
    const float size = head->top - head->bottom;
    if (part == FRAMING_BUST) {
        r.bottom = fminf(fmaxf((float)chest_of(v, scene), head->bottom - 1.2f * size), head->bottom - 0.3f * size);
    } else {
        r.bottom = fminf(r.bottom, head->bottom - 0.12f * size); // include some of the neck
    }
    r.bottom = fmaxf(r.bottom, extent->whole.bottom);
    return r;
}

// Finds the box of the meshes that the camera may see. Returns false if their vertices have no bounds.
static bool find_box(const framing_view *v, double low[3], double high[3])
{
    const vrm_avatar *avatar = vrm_instance_get_avatar(v->item.instance);
    const vrm_view view = v->item.first_person ? VRM_VIEW_FIRST_PERSON : VRM_VIEW_THIRD_PERSON;
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(v->item.instance, &out);
    const double origin[3] = {out.origin.x, out.origin.y, out.origin.z};
    bool found = false;
    for (uint32_t m = 0; m < out.mesh_count; ++m) {
        const vrm_box *box = &out.mesh_boxes[m];
        vrm_mesh_node mesh = {.struct_size = sizeof mesh};
        (void)vrm_avatar_get_mesh_node(avatar, m, &mesh);
        if (!vrm_first_person_is_visible(mesh.first_person, VRM_WEARER_SELF, view) || !(box->min.x <= box->max.x)) {
            continue;
        }
        for (int i = 0; i < 3; ++i) {
            const double from = origin[i] + (double)(&box->min.x)[i], to = origin[i] + (double)(&box->max.x)[i];
            low[i] = found ? fmin(low[i], from) : from;
            high[i] = found ? fmax(high[i], to) : to;
        }
        found = true;
    }
    return found;
}

// Makes a first guess, in metres, which is large enough to cover everything.
static double begin(const framing_view *v, const axes *a, framing_part part, framing *out)
{
    double low[3], high[3], middle[3], size = 0.0, front = 0.0;
    vrm_root root;
    vrm_instance_get_root(v->item.instance, &root);
    const bool boxed = find_box(v, low, high);
    *out = (framing){{root.translation.x, root.translation.y + 0.8, root.translation.z}, 0.0, 0.0, 0.0};
    for (int i = 0; i < 3 && boxed; ++i) {
        out->centre[i] = 0.5 * (low[i] + high[i]);
        size += (high[i] - low[i]) * (high[i] - low[i]);
        front += 0.5 * (high[i] - low[i]) * fabs(a->back[i]);
    }
    move(out->centre, a->back, front);
    out->behind = front;
    if (part != FRAMING_BODY && find_bone(v, VRM_HUMAN_BONE_HEAD, middle)) {
        out->behind = fmax(0.0, dot(out->centre, a->back) - dot(middle, a->back));
    }
    return boxed ? fmax(1.2 * sqrt(size), 1e-4) : 4.0;
}

bool framing_find(const framing_view *v, framing_part part, framing *out)
{
    const axes a = axes_of(v);
    double shown = begin(v, &a, part, out);
    // Each picture gives a closer frame for the next one. Because of perspective, several steps are needed.
    bool found = false;
    for (int step = 0; step < 8 && isfinite(shown); ++step) {
        vrm_render_extent extent;
        const vrm_render_scene scene = scene_of(v, &a, out->centre, shown);
        if (vrm_renderer_measure(v->renderer, &scene, &v->item, 1, &extent) != VRM_SUCCESS) {
            return false;
        }
        const vrm_render_rectangle r = part_of(v, part, &scene, &extent);
        if (is_empty(&r)) {
            shown *= 3.0;
            continue;
        }
        const double x = 0.5 * ((double)r.right + (double)r.left), y = 0.5 * ((double)r.top + (double)r.bottom);
        const double size = 0.5 * fmax((double)r.right - (double)r.left, (double)r.top - (double)r.bottom);
        const bool cut = r.left < -0.985f || r.right > 0.985f || r.bottom < -0.985f || r.top > 0.985f;
        move(out->centre, a.right, 0.5 * x * shown);
        move(out->centre, a.up, 0.5 * y * shown);
        out->width = 0.5 * ((double)r.right - (double)r.left) * shown;
        out->height = 0.5 * ((double)r.top - (double)r.bottom) * shown;
        found = true;
        if (!cut && fabs(x) < 0.02 && fabs(y) < 0.02 && size > 0.75 && size < 0.95) {
            break;
        }
        shown *= cut ? fmax(2.0 * size, 1.5) : size / 0.87;
    }
    return found;
}

void framing_add(const framing_view *v, framing *f, const framing *other)
{
    const axes a = axes_of(v);
    const double *const across[2] = {a.right, a.up};
    double *const sizes[2] = {&f->width, &f->height};
    const double more[2] = {other->width, other->height};
    for (int i = 0; i < 2; ++i) {
        const double at = dot(f->centre, across[i]), there = dot(other->centre, across[i]);
        const double low = fmin(at - 0.5 * *sizes[i], there - 0.5 * more[i]);
        const double high = fmax(at + 0.5 * *sizes[i], there + 0.5 * more[i]);
        move(f->centre, across[i], 0.5 * (low + high) - at);
        *sizes[i] = high - low;
    }
    // The frame moves to the nearer one of the two planes.
    move(f->centre, a.back, fmax(0.0, dot(other->centre, a.back) - dot(f->centre, a.back)));
}
