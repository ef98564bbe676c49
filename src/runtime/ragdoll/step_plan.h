// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_STEP_PLAN_H
#define VRMI_RUNTIME_STEP_PLAN_H

// Recovery steps: the motion of a standing body's feet after a push. The model is small and has a fixed time step: a
// linear inverted pendulum with feet of finite size, the trunk as a flywheel, and a centre of pressure with a lag. The
// capture point decides about steps. The results are positions of feet and hips, to which the bodies are driven
// (step_pose.c). Vectors are on the ground plane, x to the avatar's left, z ahead, in metres of the world, in the
// root's axes, relative to the root's position.

#include "runtime/ragdoll/step_flat.h"

// Time step of the model in seconds, and acceleration of gravity in m/s^2.
static const float vrmi_step_time = 1.0f / 240.0f, vrmi_step_gravity = 9.81f;
static const float vrmi_step_lag = 0.04f;   // seconds; lag of the centre of pressure
static const float vrmi_step_pelvis = 0.3f; // the pelvis's fraction of the trunk's lean
// Fractions of the height. The avatar moves its root, or steps back to it, if its feet are farther from the root than
// the first. It is at rest if feet and hips are nearer than the second. The first is less than the second: else the
// avatar would neither move nor rest at distances between them.
static const float vrmi_step_away = 2.5e-4f, vrmi_step_near = 5e-4f;

// A body's measurements for the plan, taken when the plan begins. Feet: left, right.
typedef struct vrmi_step_body {
    float height, center, leg; // center: height of the centre of mass at rest; leg: length from hip to ankle
    float hip, ankle;          // heights of the hip joints and of the ankles at rest
    float joints[2];           // height of a hip joint above its ankle
    vrmi_flat half;            // half the size of a sole
    vrmi_flat ahead[2];        // directions of the feet, unit
    vrmi_flat sole[2];         // positions of the soles' middles at rest
    vrmi_flat ankles[2];       // vectors from the middles of the soles to the ankles
    vrmi_flat hips[2];         // positions of the hip joints, relative to the middle between both soles
    // `ball`: distance of the foot's ball ahead of the ankle; `ball_height`: its height. A foot with its heel up
    // rotates about the ball.
    float ball[2], ball_height[2];
    float lever; // displacement of the centre of mass per radian of the trunk's lean
} vrmi_step_body;

typedef enum vrmi_step_phase {
    VRMI_STEP_OFF = 0,
    VRMI_STEP_STAND,  // on both feet
    VRMI_STEP_SWING,  // a recovery step
    VRMI_STEP_GATHER, // the other foot moves beside the leading foot
    VRMI_STEP_DONE,   // stands still and balanced
    VRMI_STEP_FALL,   // the plan has failed
    VRMI_STEP_WALK,   // walks on, with other footholds than the animation
    VRMI_STEP_PHASE_COUNT
} vrmi_step_phase;

// Rotation of a foot, radians. `pitch`: about the ball, heel up, or (negative) about the heel, toes up. `roll`: about
// the right edge of the sole, left edge up, or (negative) about the left edge. `yaw`: about the ankle, toes to the left.
typedef struct vrmi_step_tilt {
    float pitch, roll, yaw;
} vrmi_step_tilt;

typedef struct vrmi_step_foot {
    vrmi_flat place, velocity, acceleration; // position and motion of the middle of the sole
    float height;                            // height above `place` on the ground
    float pitch, pitch_rate;                 // rotation of the heel over the ball, radians
    vrmi_step_tilt tilt, tilt_rate;          // rotation that the ankle's limits require beyond `pitch`
    vrmi_flat shift;                         // in a walk: distance from the animated position
} vrmi_step_foot;

typedef struct vrmi_step_plan {
    vrmi_step_body body;
    vrmi_step_phase phase;
    uint32_t foot;  // index of the foot that swings, or that swung last
    uint32_t steps; // number of steps so far, without gathering steps
    // `center`: position of the centre of mass; `drive`: its velocity, computed from the angular momentum about the
    // point on the ground below it.
    vrmi_flat center, drive;
    vrmi_flat lean, lean_rate; // lean of the trunk, radians towards x and z
    vrmi_flat pressure;        // the centre of pressure
    vrmi_step_foot feet[2];
    vrmi_flat target, from; // positions of the swinging foot
    float duration;         // seconds of the swing
    float time;             // seconds in the current phase
    float wait;             // seconds for which the body has been out of balance
    float calm;             // seconds for which the condition for the next phase has been met
    float drop, drop_rate;  // distance by which the hips are lowered, and its rate of change
    float drop_change;      // in a walk: rate of change of `drop_rate`
    float hold;             // weight of the ankles' tilt, 0 to 1
    float spread;           // fraction by which the arms are spread to the sides, 0 to 1
    float rest;             // seconds of a frame that are left for the next frame
    float free;             // in a walk: seconds before a touch-down in which nothing holds the capture point
    bool home;              // no host moves the root, so the avatar steps back to the root
} vrmi_step_plan;

typedef struct vrmi_step_settings {
    float reaction; // seconds
} vrmi_step_settings;

// A push at a height. It changes the velocity of the whole mass, m/s.
typedef struct vrmi_step_shove {
    vrmi_flat now;   // push of this frame
    vrmi_flat later; // remaining push, of later frames
    float height;
} vrmi_step_shove;

// Returns the rate of the pendulum, 1/s.
static inline float vrmi_step_rate(const vrmi_step_plan *plan)
{
    return vrmi_sqrt(vrmi_step_gravity / plan->body.center);
}

// Returns the factor on times: 1 for an avatar whose centre of mass is at 0.9 m.
static inline float vrmi_step_time_scale(const vrmi_step_plan *plan)
{
    return vrmi_sqrt(plan->body.center / 0.9f);
}

// Whether a distance of the feet from the root is large enough for a move of the root.
static inline bool vrmi_step_is_away(const vrmi_step_plan *plan, vrmi_flat way)
{
    return vrmi_flat_length(way) > vrmi_step_away * plan->body.height;
}

static inline vrmi_flat vrmi_step_ankle(const vrmi_step_plan *plan, uint32_t foot)
{
    return vrmi_flat_add(plan->feet[foot].place, plan->body.ankles[foot]);
}

// Returns the capture point: with the foot at this position, the pendulum comes to rest over it.
static inline vrmi_flat vrmi_step_capture(const vrmi_step_plan *plan)
{
    return vrmi_flat_more(plan->center, plan->drive, 1.0f / vrmi_step_rate(plan));
}

// Returns the widest step, measured between the ankles.
static inline float vrmi_step_widest(const vrmi_step_plan *plan)
{
    const float squat = 0.88f; // hip height in a wide step, as a fraction of the leg's length
    return 2.0f * plan->body.leg * vrmi_sqrt(1.0f - squat * squat);
}

// Returns the middle of the hips, relative to its position at rest.
static inline vrmi_flat vrmi_step_hips(const vrmi_step_plan *plan)
{
    const vrmi_flat both = vrmi_flat_scale(vrmi_flat_add(plan->body.sole[0], plan->body.sole[1]), 0.5f);
    const vrmi_flat rest = plan->phase == VRMI_STEP_WALK ? vrmi_flat_of(0.0f, 0.0f) : both;
    return vrmi_flat_more(vrmi_flat_sub(plan->center, rest), plan->lean, -plan->body.lever);
}

// Returns the height by which the lean of the pelvis raises a hip joint.
static inline float vrmi_step_raised(const vrmi_step_plan *plan, uint32_t foot)
{
    const vrmi_flat apart = vrmi_flat_sub(plan->body.hips[foot], plan->body.hips[1 - foot]);
    return -0.5f * vrmi_step_pelvis * vrmi_flat_dot(plan->lean, apart);
}

// Begins a plan for an avatar that stands at rest.
void vrmi_step_begin(vrmi_step_plan *plan, const vrmi_step_body *body);
// Advances by dt seconds, during which the push acts.
void vrmi_step_advance(
    vrmi_step_plan *plan, const vrmi_step_settings *settings, const vrmi_step_shove *shove, float dt);
// Applies a push at a height; `push` is the change of the whole mass's velocity, m/s.
void vrmi_step_push(vrmi_step_plan *plan, vrmi_flat push, float push_height);
// Advances the pendulum by one step: the centre of pressure follows `wanted`, and the trunk bows towards `fall` unless
// `fall` is 0. In a walk all values are differences from the animation.
void vrmi_step_move_center(vrmi_step_plan *plan, vrmi_flat wanted, vrmi_flat fall);
// Returns the displacement of the avatar when its feet are together, or when it walks evenly again. The root may move
// by this distance.
vrmi_flat vrmi_step_way(const vrmi_step_plan *plan);
void vrmi_step_shift(vrmi_step_plan *plan, vrmi_flat way);
// Whether nothing is left to show.
bool vrmi_step_over(const vrmi_step_plan *plan);

#endif
