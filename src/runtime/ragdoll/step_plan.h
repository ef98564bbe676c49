// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_STEP_PLAN_H
#define VRMI_RUNTIME_STEP_PLAN_H

// Recovery steps: the motion of a standing body's feet after a push. A small model with a fixed time step: the linear
// inverted pendulum with feet of finite size, a trunk as a flywheel, and a centre of pressure with a lag. It decides
// with the capture point and returns positions of feet and hips, to which the bodies are driven (step_pose.c). On the
// ground plane: x to the figure's left, z ahead, metres of the world in the root's axes, from the root's position.

#include "runtime/ragdoll/step_flat.h"

// Seconds of a step of the model, and the weight of a kilogram.
static const float vrmi_step_time = 1.0f / 240.0f, vrmi_step_gravity = 9.81f;
static const float vrmi_step_lag = 0.04f;   // seconds, of the centre of pressure
static const float vrmi_step_pelvis = 0.3f; // fraction of the trunk's lean that the pelvis takes

// Data of a body for the plan, measured when it begins. Feet: left, right.
typedef struct vrmi_step_body {
    float height, center, leg;     // center: height of the mass centre at rest; leg: hip to ankle
    float hip, ankle;              // heights of the hip joints and of the ankles at rest
    float joints[2];               // height of a hip joint above its ankle
    vrmi_flat half;                // of a sole
    vrmi_flat ahead[2];            // where the feet point, unit
    vrmi_flat sole[2];             // middle of the soles at rest
    vrmi_flat ankles[2];           // from the soles' middles to the ankles
    vrmi_flat hips[2];             // the hip joints, from the middle of both soles
    float ball[2], ball_height[2]; // the axis of a foot with its heel up: ahead of the ankle, above the ground
    float lever;                   // motion of the mass centre, per radian of the trunk's lean
} vrmi_step_body;

typedef enum vrmi_step_phase {
    VRMI_STEP_OFF = 0,
    VRMI_STEP_STAND,  // on both feet
    VRMI_STEP_SWING,  // a recovery step
    VRMI_STEP_GATHER, // the other foot comes beside the leading one
    VRMI_STEP_DONE,   // stands quietly
    VRMI_STEP_FALL,   // has failed
    VRMI_STEP_WALK,   // continues to walk, with other footholds
    VRMI_STEP_PHASE_COUNT
} vrmi_step_phase;

typedef struct vrmi_step_foot {
    vrmi_flat place, velocity, acceleration; // of the sole's middle
    float height;                            // above its place on the ground
    float pitch, pitch_rate;                 // of the heel over the ball, radians
    vrmi_flat shift;                         // of a walk: from the animated place
} vrmi_step_foot;

typedef struct vrmi_step_plan {
    vrmi_step_body body;
    vrmi_step_phase phase;
    uint32_t foot;             // the foot that swings, or that has swung last
    uint32_t steps;            // number of steps, without gathering
    vrmi_flat center, drive;   // the mass centre; its velocity from the angular momentum about the ground
    vrmi_flat lean, lean_rate; // of the trunk, radians towards x and z
    vrmi_flat pressure;        // the centre of pressure
    vrmi_step_foot feet[2];
    vrmi_flat target, from; // of the foot that swings
    float duration;         // of the swing
    float time;             // in this phase
    float wait;             // time out of balance
    float calm;             // time in which it could continue
    float drop, drop_rate;  // how much lower the hips are
    float hold;             // how much the plan controls the legs, 0 to 1
    float spread;           // how far the arms spread, 0 to 1
    float rest;             // seconds of a frame that remain for the next one
    float free;             // of a walk: seconds before a touch-down in which nothing holds the capture point
    bool home;              // no host moves the root: it steps back to the root
} vrmi_step_plan;

typedef struct vrmi_step_settings {
    float reaction; // seconds
} vrmi_step_settings;

// A push at a height, as changes of the whole mass's velocity, m/s.
typedef struct vrmi_step_shove {
    vrmi_flat now;   // in this frame
    vrmi_flat later; // the rest of it, in later frames
    float height;
} vrmi_step_shove;

// The pendulum's rate, 1/s.
static inline float vrmi_step_rate(const vrmi_step_plan *plan)
{
    return vrmi_sqrt(vrmi_step_gravity / plan->body.center);
}

// The factor of times: 1 for a figure with its mass centre at 0.9 m.
static inline float vrmi_step_time_scale(const vrmi_step_plan *plan)
{
    return vrmi_sqrt(plan->body.center / 0.9f);
}

static inline vrmi_flat vrmi_step_ankle(const vrmi_step_plan *plan, uint32_t foot)
{
    return vrmi_flat_add(plan->feet[foot].place, plan->body.ankles[foot]);
}

// The foot's position at which the pendulum comes to rest over it.
static inline vrmi_flat vrmi_step_capture(const vrmi_step_plan *plan)
{
    return vrmi_flat_more(plan->center, plan->drive, 1.0f / vrmi_step_rate(plan));
}

// The widest step, between the ankles.
static inline float vrmi_step_widest(const vrmi_step_plan *plan)
{
    const float squat = 0.88f; // of the leg's length
    return 2.0f * plan->body.leg * vrmi_sqrt(1.0f - squat * squat);
}

// The middle of the hips, relative to its position at rest.
static inline vrmi_flat vrmi_step_hips(const vrmi_step_plan *plan)
{
    const vrmi_flat both = vrmi_flat_scale(vrmi_flat_add(plan->body.sole[0], plan->body.sole[1]), 0.5f);
    const vrmi_flat rest = plan->phase == VRMI_STEP_WALK ? vrmi_flat_of(0.0f, 0.0f) : both;
    return vrmi_flat_more(vrmi_flat_sub(plan->center, rest), plan->lean, -plan->body.lever);
}

// How much higher a hip joint is because the pelvis leans.
static inline float vrmi_step_raised(const vrmi_step_plan *plan, uint32_t foot)
{
    const vrmi_flat apart = vrmi_flat_sub(plan->body.hips[foot], plan->body.hips[1 - foot]);
    return -0.5f * vrmi_step_pelvis * vrmi_flat_dot(plan->lean, apart);
}

// Begins standing, at rest.
void vrmi_step_begin(vrmi_step_plan *plan, const vrmi_step_body *body);
// Advances by dt seconds, during which a push acts.
void vrmi_step_advance(
    vrmi_step_plan *plan, const vrmi_step_settings *settings, const vrmi_step_shove *shove, float dt);
// A push changes the whole mass's velocity (m/s), at a height.
void vrmi_step_push(vrmi_step_plan *plan, vrmi_flat push, float push_height);
// A step of the pendulum: the centre of pressure follows `wanted`, and the trunk bows into `fall` if that is not 0. For
// a walk all values are differences from the animation.
void vrmi_step_move_center(vrmi_step_plan *plan, vrmi_flat wanted, vrmi_flat fall);
// The displacement of the figure when its feet are together or it walks evenly again; the root moves by it.
vrmi_flat vrmi_step_way(const vrmi_step_plan *plan);
void vrmi_step_shift(vrmi_step_plan *plan, vrmi_flat way);
// Whether there is nothing left to show.
bool vrmi_step_over(const vrmi_step_plan *plan);

#endif
