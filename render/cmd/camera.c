// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "cmd.h"
#include "matrix.h"
#include "viewpoint.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double field_of_view = 20.0; // vertical angle, degrees; small for little perspective

// Reads numbers separated by commas or colons. Returns their count, at most `most`; -1 if there is other text.
static int read_numbers(const char *text, double *out, int most)
{
    int count = 0;
    const char *end = text + strlen(text);
    for (;;) {
        const size_t used = count < most ? vrmi_parse_double(text, (size_t)(end - text), &out[count]) : 0;
        if (used == 0 || !isfinite(out[count])) {
            return -1;
        }
        ++count;
        text += used;
        if (text == end) {
            return count;
        }
        if (*text != ',' && *text != ':') {
            return -1;
        }
        ++text;
    }
}

bool camera_parse(const char *text, camera *out)
{
    static const char *const words[] = {"body", "bust", "face", "first-person", "orbit"};
    static const int most[] = {1, 1, 1, 2, 3};
    *out = (camera){.part = CAMERA_POINT};
    for (int i = 0; i < 5; ++i) {
        const size_t length = strlen(words[i]);
        if (strncmp(text, words[i], length) != 0 || (text[length] != '\0' && text[length] != ':')) {
            continue;
        }
        double numbers[3] = {0.0, 0.0, 3.0};
        const int count = text[length] == ':' ? read_numbers(text + length + 1, numbers, most[i]) : 0;
        out->part = i;
        out->first_person = i == CAMERA_FIRST_PERSON;
        out->yaw = numbers[0] * pi / 180.0;
        out->pitch = numbers[1] * pi / 180.0;
        out->distance = numbers[2];
        return count >= 0 && out->distance > 0.0 && (i != CAMERA_ORBIT || count > 0);
    }
    double numbers[6];
    if (read_numbers(text, numbers, 6) != 6) {
        return false;
    }
    memcpy(out->eye, numbers, sizeof out->eye);
    memcpy(out->target, numbers + 3, sizeof out->target);
    return memcmp(out->eye, out->target, sizeof out->eye) != 0;
}

// Finds the point that a framed camera follows: the head for bust and face, the origin for the body.
static void find_anchor(const camera *c, const stage *s, double out[3])
{
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(s->instance, &outputs);
    const int32_t head = vrm_avatar_get_bone_node(s->model.avatar, VRM_HUMAN_BONE_HEAD);
    const double origin[3] = {outputs.origin.x, outputs.origin.y, outputs.origin.z};
    for (int i = 0; i < 3; ++i) {
        const bool follows = c->part != CAMERA_BODY && head >= 0;
        out[i] = follows ? origin[i] + (double)outputs.world[head].m[i][3] : 0.0;
    }
}

bool camera_is_framed(const camera *c)
{
    return c->part == CAMERA_BODY || c->part == CAMERA_BUST || c->part == CAMERA_FACE;
}

void camera_frame(camera *c, const stage *s)
{
    static const framing_part parts[] = {FRAMING_BODY, FRAMING_BUST, FRAMING_FACE};
    const framing_view view = {.renderer = s->renderer,
        .item = {.model = s->meshes, .instance = s->instance},
        .yaw = c->yaw,
        .field_of_view = field_of_view};
    framing seen;
    double anchor[3];
    if (!camera_is_framed(c) || !framing_find(&view, parts[c->part], &seen)) {
        return;
    }
    find_anchor(c, s, anchor);
    for (int i = 0; i < 3; ++i) {
        seen.centre[i] -= anchor[i];
    }
    if (c->framed) {
        framing_add(&view, &c->frame, &seen);
    } else {
        c->frame = seen;
    }
    c->framed = true;
}

void camera_join(camera *cameras, uint32_t count)
{
    double low = 1e30, high = -1e30, half = 0.0, behind = 0.0, axis[3] = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < count; ++i) {
        const framing *f = &cameras[i].frame;
        if (!cameras[i].framed) {
            return; // an orbit camera does not move
        }
        low = fmin(low, f->centre[1] - 0.5 * f->height);
        high = fmax(high, f->centre[1] + 0.5 * f->height);
        behind = fmax(behind, f->behind);
        axis[0] += (f->centre[0] - f->behind * sin(cameras[i].yaw)) / count;
        axis[2] += (f->centre[2] - f->behind * cos(cameras[i].yaw)) / count;
    }
    for (uint32_t i = 0; i < count; ++i) {
        const framing *f = &cameras[i].frame;
        const double aside =
            (f->centre[0] - axis[0]) * cos(cameras[i].yaw) - (f->centre[2] - axis[2]) * sin(cameras[i].yaw);
        half = fmax(half, fabs(aside) + 0.5 * f->width);
    }
    for (uint32_t i = 0; i < count; ++i) {
        const double yaw = cameras[i].yaw;
        cameras[i].frame = (framing){{axis[0] + behind * sin(yaw), 0.5 * (low + high), axis[2] + behind * cos(yaw)},
            2.0 * half, high - low, behind};
    }
}

// Returns the height and the middle of the body at rest, for orbit cameras and for figures without anything visible.
static framing rest_frame(const stage *s)
{
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_avatar_body body = {.struct_size = sizeof body};
    vrm_instance_get_outputs(s->instance, &out);
    vrm_avatar_get_body(s->model.avatar, &body);
    const bool boxed =
        out.box.min.x <= out.box.max.x && vrm_avatar_get_bone_node(s->model.avatar, VRM_HUMAN_BONE_HEAD) < 0;
    const double low = boxed ? (double)out.box.min.y : 0.0;
    const double high = boxed ? (double)out.box.max.y : body.height > 0.01f ? (double)body.height : 1.0;
    return (framing){{0.0, 0.5 * (low + high), 0.0}, 0.0, high - low, 0.0};
}

void camera_apply(const camera *c, const stage *s, vrm_render_scene *scene)
{
    const double aspect = (double)scene->width / scene->height, up[3] = {0.0, 1.0, 0.0};
    double eye[3], yaw = c->yaw;
    if (c->part == CAMERA_FIRST_PERSON) {
        vrm_outputs out = {.struct_size = sizeof out};
        vrm_instance_get_outputs(s->instance, &out);
        viewpoint_apply(&out, c->yaw, c->pitch, scene);
    } else if (c->part == CAMERA_POINT) {
        matrix_look(scene->view, c->eye, c->target, up);
        matrix_perspective(scene->projection, field_of_view * 1.75, aspect, 0.05, 100.0);
        yaw = atan2(c->eye[0] - c->target[0], c->eye[2] - c->target[2]);
    } else {
        framing frame = c->framed ? c->frame : rest_frame(s);
        double anchor[3] = {0.0, 0.0, 0.0};
        if (c->framed) {
            find_anchor(c, s, anchor);
        }
        const bool orbits = c->part == CAMERA_ORBIT;
        const double distance = orbits ? c->distance : framing_distance(&frame, field_of_view, aspect);
        const double level = cos(c->pitch) * distance;
        for (int i = 0; i < 3; ++i) {
            frame.centre[i] += anchor[i];
        }
        eye[0] = frame.centre[0] + sin(yaw) * level;
        eye[1] = frame.centre[1] + sin(c->pitch) * distance;
        eye[2] = frame.centre[2] + cos(yaw) * level;
        matrix_look(scene->view, eye, frame.centre, up);
        matrix_perspective(scene->projection, orbits ? field_of_view * 1.75 : field_of_view, aspect, 0.01 * distance,
            100.0 * distance);
    }
    scene->light_direction = (vrm_vec3){(float)(2.0 * sin(yaw - 0.5)), 1.6f, (float)(2.0 * cos(yaw - 0.5))};
}

void camera_add_ground(const camera *c, vrm_render_scene *scene)
{
    if (c->first_person && scene->background.w > 0.0f) {
        scene->ground = true;
        scene->ground_radius = viewpoint_ground;
    }
}

static int hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

bool color_parse(const char *text, vrm_vec4 *out)
{
    if (strcmp(text, "transparent") == 0) {
        *out = (vrm_vec4){0};
        return true;
    }
    const size_t length = strlen(text);
    float values[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    if (text[0] != '#' || (length != 7 && length != 9)) {
        return false;
    }
    for (size_t i = 0; i < (length - 1) / 2; ++i) {
        const int high = hex(text[1 + 2 * i]), low = hex(text[2 + 2 * i]);
        if (high < 0 || low < 0) {
            return false;
        }
        const double value = (high * 16 + low) / 255.0;
        values[i] = (float)(i == 3 ? value : value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4));
    }
    *out = (vrm_vec4){values[0], values[1], values[2], values[3]};
    return true;
}
