// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "camera.h"

#include <math.h>
#include <string.h>

#include "framing.h"
#include "matrix.h"

static const double pi = 3.14159265358979323846;

// Moves the target towards the eye.
static void orbit_back(orbit *o, double metres)
{
    o->target[0] += metres * sin(o->yaw) * cos(o->pitch);
    o->target[1] += metres * sin(o->pitch);
    o->target[2] += metres * cos(o->yaw) * cos(o->pitch);
}

static double half_height(const orbit *o)
{
    return tan(o->field_of_view * pi / 360.0);
}

void orbit_frame(orbit *o, vrm_renderer *renderer, const figure *f, orbit_part part, double aspect)
{
    static const framing_part parts[ORBIT_PART_COUNT] = {FRAMING_BODY, FRAMING_BUST, FRAMING_FACE};
    *o = (orbit){{0.0, 0.8, 0.0}, 0.0, 0.05, 3.0, 26.0};
    if (f == NULL) {
        return;
    }
    const framing_view view = {.renderer = renderer,
        .item = {.model = f->meshes, .instance = f->instance},
        .yaw = o->yaw,
        .pitch = o->pitch,
        .field_of_view = o->field_of_view};
    framing seen;
    if (framing_find(&view, parts[part], &seen)) {
        memcpy(o->target, seen.centre, sizeof o->target);
        orbit_back(o, -seen.behind);
        o->distance = framing_distance(&seen, o->field_of_view, aspect) + seen.behind;
    }
}

void orbit_turn(orbit *o, double yaw, double pitch)
{
    o->yaw = remainder(o->yaw + yaw, 2.0 * pi);
    o->pitch = fmax(-1.5, fmin(1.5, o->pitch + pitch));
}

void orbit_pan(orbit *o, double right, double up)
{
    const double metres = 2.0 * half_height(o) * o->distance;
    o->target[0] += right * metres * cos(o->yaw) - up * metres * sin(o->pitch) * sin(o->yaw);
    o->target[1] += up * metres * cos(o->pitch);
    o->target[2] += -right * metres * sin(o->yaw) - up * metres * sin(o->pitch) * cos(o->yaw);
}

void orbit_zoom(orbit *o, double steps)
{
    o->distance = fmax(0.05, fmin(200.0, o->distance * pow(0.88, steps)));
}

void orbit_eye(const orbit *o, double eye[3])
{
    const double level = cos(o->pitch) * o->distance;
    eye[0] = o->target[0] + sin(o->yaw) * level;
    eye[1] = o->target[1] + sin(o->pitch) * o->distance;
    eye[2] = o->target[2] + cos(o->yaw) * level;
}

void orbit_apply(const orbit *o, vrm_render_scene *scene, double light_yaw, double light_pitch)
{
    const double up[3] = {0.0, 1.0, 0.0};
    double eye[3];
    orbit_eye(o, eye);
    matrix_look(scene->view, eye, o->target, up);
    matrix_perspective(scene->projection, o->field_of_view, (double)scene->width / scene->height, 0.02 * o->distance,
        50.0 * o->distance);
    const double yaw = o->yaw - 0.5 + light_yaw, level = cos(light_pitch);
    scene->light_direction = (vrm_vec3){(float)(sin(yaw) * level), (float)sin(light_pitch), (float)(cos(yaw) * level)};
}

void orbit_ray(const orbit *o, double aspect, double x, double y, double direction[3])
{
    const double right = (2.0 * x - 1.0) * half_height(o) * aspect, up = (1.0 - 2.0 * y) * half_height(o);
    const double sy = sin(o->yaw), cy = cos(o->yaw), sp = sin(o->pitch), cp = cos(o->pitch);
    // right = (cy, 0, -sy), up = (-sp sy, cp, -sp cy), forward = -(cp sy, sp, cp cy)
    direction[0] = right * cy - up * sp * sy - cp * sy;
    direction[1] = up * cp - sp;
    direction[2] = -right * sy - up * sp * cy - cp * cy;
    const double length = sqrt(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
    for (int i = 0; i < 3; ++i) {
        direction[i] /= length;
    }
}
