// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "puppet/puppet.h"

#include <math.h>
#include <string.h>

void scene_puppet_defaults(scene_puppet *p)
{
    *p = (scene_puppet){.strength = 25.0f, .held = -1, .gets_up = true, .fall = {.on = true}};
    vrm_ragdoll_build_params_default(&p->build);
    vrm_ragdoll_solver_def_default(&p->engine);
    vrm_ragdoll_params_default(&p->settings);
    p->settings.steps = true;
    scene_get_up_settings(&p->settings);
}

vrm_result scene_puppet_begin(scene_puppet *p, const scene_puppet_def *def)
{
    const bool lies = p->story == 0 || p->story == SCENE_RAGDOLL_EXPLOSION + 1;
    p->actor = *def;
    p->actor.report = NULL;
    p->actor.ragdoll = NULL;
    p->def.struct_size = sizeof p->def;
    vrm_result result = VRM_SUCCESS;
    if (def->ragdoll != NULL) {
        p->def = *def->ragdoll;
    } else {
        result =
            vrm_ragdoll_def_build(vrm_instance_get_avatar(def->instance), def->gltf, &p->build, def->report, &p->def);
    }
    p->engine.def = &p->def;
    result = result == VRM_SUCCESS ? vrm_ragdoll_solver_create(&p->engine, &p->solver) : result;
    result = result == VRM_SUCCESS ? vrm_instance_set_ragdoll(def->instance, &p->def, &p->settings) : result;
    p->on = result == VRM_SUCCESS;
    const scene_get_up_def get_up = {
        .instance = def->instance, .gltf = def->gltf, .player = def->player, .layer = def->layer, .fall = &p->fall};
    p->can_get_up = p->on && p->gets_up && lies && scene_get_up_begin(&p->get_up, &get_up) == VRM_SUCCESS;
    if (!p->on) {
        scene_puppet_end(p);
    }
    return result;
}

void scene_puppet_end(scene_puppet *p)
{
    if (p->can_get_up) {
        scene_get_up_hand_back(&p->get_up, 0.0f);
    }
    if (p->on) {
        vrm_instance_clear_ragdoll(p->actor.instance);
        scene_carried_hair_frame(&p->hair, p->actor.instance, &p->def, NULL, NULL, 0.0f);
    }
    scene_get_up_free(&p->get_up);
    p->can_get_up = false;
    vrm_ragdoll_solver_destroy(p->solver);
    p->solver = NULL;
    p->on = false;
    p->held = -1;
    p->line_count = 0;
}

static void rotate(const vrm_quat *q, const double v[3], double out[3])
{
    const double x = (double)q->x, y = (double)q->y, z = (double)q->z, w = (double)q->w;
    const double u[3] = {
        y * v[2] - z * v[1] + w * v[0], z * v[0] - x * v[2] + w * v[1], x * v[1] - y * v[0] + w * v[2]};
    out[0] = v[0] + 2.0 * (y * u[2] - z * u[1]);
    out[1] = v[1] + 2.0 * (z * u[0] - x * u[2]);
    out[2] = v[2] + 2.0 * (x * u[1] - y * u[0]);
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Approximates a body by a thick line: its middle, the vector to one end, and its radius.
static double body_line(const vrm_ragdoll_body *body, const vrm_ragdoll_state *state, vrm_dvec3 origin, double scale,
    double middle[3], double half[3])
{
    const vrm_ragdoll_shape *s = &body->shape;
    const double center[3] = {(double)s->center.x * scale, (double)s->center.y * scale, (double)s->center.z * scale};
    double along[3] = {0.0, (double)s->half_length * scale, 0.0}, thick = (double)s->radius * scale, turned[3];
    if (s->type == VRM_RAGDOLL_SHAPE_BOX) {
        const double e[3] = {(double)s->half_extents.x, (double)s->half_extents.y, (double)s->half_extents.z};
        const int longest = e[0] > e[1] ? (e[0] > e[2] ? 0 : 2) : (e[1] > e[2] ? 1 : 2);
        thick = fmax(e[(longest + 1) % 3], e[(longest + 2) % 3]) * scale;
        along[1] = 0.0;
        along[longest] = e[longest] * scale;
    }
    const float *position = &state->position.x;
    rotate(&state->rotation, center, middle);
    rotate(&s->rotation, along, turned);
    rotate(&state->rotation, turned, half);
    middle[0] += origin.x + (double)position[0];
    middle[1] += origin.y + (double)position[1];
    middle[2] += origin.z + (double)position[2];
    return thick;
}

void scene_puppet_touch_ray(const scene_puppet *p, const double eye[3], const double direction[3], scene_touch *out)
{
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_root root;
    *out = (scene_touch){.body = -1, .distance = 1e30};
    vrm_instance_get_outputs(p->actor.instance, &outputs);
    vrm_instance_get_root(p->actor.instance, &root);
    vrm_ragdoll_get_pose_states(&p->def, p->actor.instance, states);
    for (uint32_t i = 0; i < p->def.body_count; ++i) {
        double middle[3], half[3], to[3], gap[3];
        const double thick = body_line(&p->def.bodies[i], &states[i], outputs.origin, (double)root.scale, middle, half);
        for (int k = 0; k < 3; ++k) {
            to[k] = eye[k] - middle[k];
        }
        // Finds the parameters at which the ray (t) and the line (s, -1 to 1) are closest to each other.
        const double b = dot(direction, half), c = fmax(dot(half, half), 1e-12), d = dot(direction, to),
                     e = dot(half, to);
        const double denominator = fmax(c - b * b, 1e-12);
        const double s = fmax(-1.0, fmin(1.0, (e - b * d) / denominator)), t = b * s - d;
        for (int k = 0; k < 3; ++k) {
            gap[k] = to[k] + t * direction[k] - s * half[k];
        }
        if (t > 0.0 && dot(gap, gap) <= thick * thick && t < out->distance) {
            out->body = (int32_t)i;
            out->distance = t;
            for (int k = 0; k < 3; ++k) {
                out->point[k] = eye[k] + t * direction[k];
            }
        }
    }
}

void scene_puppet_hit(scene_puppet *p, const scene_touch *touch, const double direction[3])
{
    const double n = (double)p->strength;
    const vrm_vec3 impulse = {(float)(direction[0] * n), (float)(direction[1] * n), (float)(direction[2] * n)};
    const vrm_dvec3 point = {touch->point[0], touch->point[1], touch->point[2]};
    (void)vrm_instance_hit_ragdoll(p->actor.instance, touch->body, &point, &impulse);
}

void scene_puppet_hold(scene_puppet *p, const scene_touch *touch)
{
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(p->actor.instance, &out);
    vrm_ragdoll_get_pose_states(&p->def, p->actor.instance, states);
    const vrm_ragdoll_state *state = &states[touch->body];
    const vrm_quat back = {-state->rotation.x, -state->rotation.y, -state->rotation.z, state->rotation.w};
    const float *position = &state->position.x;
    const double way[3] = {touch->point[0] - out.origin.x - (double)position[0],
        touch->point[1] - out.origin.y - (double)position[1], touch->point[2] - out.origin.z - (double)position[2]};
    rotate(&back, way, p->grip);
    memcpy(p->hand, touch->point, sizeof p->hand);
    p->held = touch->body;
    p->depth = touch->distance;
    // A ragdoll that the hand holds is always simulated, whatever the panel's settings.
    vrm_ragdoll_params settings = p->settings;
    settings.always = true;
    (void)vrm_instance_set_ragdoll_params(p->actor.instance, &settings);
}

void scene_puppet_let_go(scene_puppet *p)
{
    if (p->held >= 0) {
        p->held = -1;
        (void)vrm_instance_set_ragdoll_params(p->actor.instance, &p->settings);
    }
}

// Pulls the body to the hand by a damped spring, sized for a fifth of the figure's mass.
static void pull(scene_puppet *p, const vrm_dvec3 *origin, float dt)
{
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
    double mass = 0.0, at[3];
    for (uint32_t i = 0; i < p->def.body_count; ++i) {
        mass += 0.2 * (double)p->def.bodies[i].mass;
    }
    vrm_ragdoll_solver_get_states(p->solver, origin, states, p->def.body_count);
    const vrm_ragdoll_state *state = &states[p->held];
    const float *position = &state->position.x, *velocity = &state->linear_velocity.x;
    rotate(&state->rotation, p->grip, at);
    const double base[3] = {origin->x, origin->y, origin->z};
    float push[3];
    for (int i = 0; i < 3; ++i) {
        at[i] += base[i] + (double)position[i];
        const double wanted = 8.0 * (p->hand[i] - at[i]);
        push[i] = (float)(mass * fmax(-6.0, fmin(6.0, wanted - (double)velocity[i])) * fmin(1.0, 12.0 * (double)dt));
    }
    const vrm_vec3 impulse = {push[0], push[1], push[2]};
    const vrm_dvec3 point = {at[0], at[1], at[2]};
    (void)vrm_ragdoll_solver_apply_impulse(p->solver, (uint32_t)p->held, &point, &impulse);
}

// A story restarts some time after its last event.
static const double story_seconds = 12.0;

void scene_puppet_choose_story(scene_puppet *p, int story)
{
    scene_puppet_end(p);
    p->settings.recovery = story == 0 || story == SCENE_RAGDOLL_EXPLOSION + 1 ? VRM_RAGDOLL_RECOVERY_MANUAL
                                                                              : VRM_RAGDOLL_RECOVERY_AUTOMATIC;
    p->story = story;
    p->story_time = 0.0;
    const scene_puppet_def actor = p->actor;
    (void)scene_puppet_begin(p, &actor); // cannot fail, as it succeeded before
}

bool scene_puppet_tell(scene_puppet *p, double dt)
{
    if (!p->on || p->story == 0) {
        return false;
    }
    if (p->story_time > story_seconds) {
        scene_puppet_choose_story(p, p->story);
    }
    scene_ragdoll scene = {.instance = p->actor.instance, .def = &p->def};
    if (dt > 0.0) {
        scene_ragdoll_tell(&scene, (scene_ragdoll_story)(p->story - 1), p->story_time, dt);
        p->story_time += dt;
    }
    return true;
}

static void keep_lines(scene_puppet *p, const vrm_ragdoll_targets *targets, const vrm_ragdoll_state *states, float dt)
{
    enum { MOST = 64 };
    vrm_ragdoll_contact contacts[MOST];
    vrm_ragdoll_wrench wrenches[VRM_RAGDOLL_MAX_BODIES];
    vrm_ragdoll_drive_params input;
    vrm_ragdoll_drive_params_default(&input);
    input.def = &p->def;
    input.states = states;
    input.targets = targets->bodies;
    input.scale = targets->root.scale;
    input.dt = dt > 0.0f ? dt : 1.0f / 60.0f;
    vrm_ragdoll_exchange_params exchange;
    vrm_ragdoll_exchange_params_default(&exchange);
    exchange.def = &p->def;
    exchange.targets = targets;
    exchange.states = states;
    if (targets->drive == VRM_RAGDOLL_DRIVE_TORQUE) {
        vrm_ragdoll_drive_torques(&input, wrenches);
        exchange.wrenches = wrenches;
    }
    exchange.contact_count = vrm_ragdoll_solver_get_contacts(p->solver, contacts, MOST);
    exchange.contact_count = exchange.contact_count < MOST ? exchange.contact_count : MOST;
    exchange.contacts = contacts;
    const uint32_t count = vrm_ragdoll_get_exchange_lines(&exchange, p->lines, SCENE_PUPPET_LINES);
    p->line_count = count < SCENE_PUPPET_LINES ? count : SCENE_PUPPET_LINES;
}

void scene_puppet_update(scene_puppet *p, float dt)
{
    vrm_update_params params;
    vrm_ragdoll_targets targets = {.struct_size = sizeof targets};
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
    vrm_update_params_default(&params);
    params.dt = dt;
    if (p->can_get_up && dt > 0.0f) {
        scene_get_up_frame(&p->get_up, p->engine.ground_height, (double)dt);
    }
    vrm_update_pose(p->actor.instance, &params);
    (void)vrm_instance_take_requested_root(p->actor.instance);
    p->line_count = 0;
    bool stepped = false;
    if (p->on && vrm_instance_get_ragdoll_targets(p->actor.instance, &targets) == VRM_SUCCESS && targets.active) {
        if (p->held >= 0 && dt > 0.0f) {
            pull(p, &targets.origin, dt);
        }
        vrm_fall_params fall;
        vrm_fall_params_default(&fall);
        fall.def = &p->def;
        fall.states = states;
        fall.dt = dt;
        p->fall.ground = p->engine.ground_height;
        vrm_ragdoll_solver_get_states(p->solver, &targets.origin, states, targets.body_count);
        scene_fall_frame(&p->fall, p->actor.instance, &fall, &targets.origin, &targets);
        vrm_ragdoll_solver_step(p->solver, &targets, dt);
        vrm_ragdoll_solver_get_states(p->solver, &targets.origin, states, targets.body_count);
        (void)vrm_instance_set_ragdoll_states(p->actor.instance, &targets.origin, states, targets.body_count);
        keep_lines(p, &targets, states, dt);
        stepped = true;
    }
    scene_carried_hair_frame(&p->hair, p->actor.instance, &p->def, &targets.origin, stepped ? states : NULL, dt);
    vrm_update_secondary(p->actor.instance, &params);
}
