// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_LOOK_H
#define VRMI_RUNTIME_LOOK_H

// The gaze and the look chain of an instance: inputs and state. The stages are in stages.h.

#include <vrm/look_chain.h>
#include <vrm/output.h>

#include "math/look_solve.h"
#include "model/model.h"

struct vrmi_cursor;

// No gaze, no chain.
void vrmi_look_init(vrm_instance *instance);
// Does nothing move but by rounding, and will not while nobody sets anything?
bool vrmi_look_is_still(const vrm_instance *instance);
void vrmi_look_snapshot(vrm_instance *instance, struct vrmi_cursor *cursor);

// --- gaze ----------------------------------------------------------------------------------------------------------

typedef enum vrmi_gaze_mode { VRMI_GAZE_NONE, VRMI_GAZE_TARGET, VRMI_GAZE_ANGLES } vrmi_gaze_mode;

typedef struct vrmi_eye {
    bool active; // turns by its own angles
    float yaw, pitch;
} vrmi_eye;

// Input of look-at.
typedef struct vrmi_gaze {
    uint32_t mode; // vrmi_gaze_mode
    vrm_dvec3 target;
    float yaw, pitch;
    vrmi_eye eyes[2]; // left, right
    // LookAt space in the world as a frame has left it, for profiles whose gaze starts from there.
    bool has_last;
    vrm_dvec3 last_origin;
    vrm_quat last_rotation;
} vrmi_gaze;

// The four weights of expression gaze.
enum { VRMI_LOOK_UP, VRMI_LOOK_DOWN, VRMI_LOOK_LEFT, VRMI_LOOK_RIGHT, VRMI_LOOK_COUNT };

// The range map of a direction, and what comes out of it (its curve included): the size of the output for an input v.
const vrm_range_map *vrmi_look_at_map(const vrmi_look_at_row *look, vrm_look_direction direction);
float vrmi_look_at_mapped(const vrmi_model *model, vrm_look_direction direction, float v);
// The gaze's target, root-relative world.
vrm_vec3 vrmi_look_at_target(const vrm_instance *instance);

// --- look chain ----------------------------------------------------------------------------------------------------

typedef struct vrmi_look_bone {
    int32_t node; // or VRM_LOOK_CHAIN_EYES
    bool reset, asymmetric;
    float limit, around_up, limit_yaw, limit_up, limit_down, limit_roll, orientation_share;
    vrm_vec3 forward; // unit, own axes
    vrm_quat frame;   // parent from limit frame
    uint32_t first_link, link_count;
    vrm_quat shown; // the look-at pose of the last update, before weight
    vrm_quat from;  // where the head's part of a saccade began
    vrm_vec3 speed; // of `shown` in the parent's axes, radians per second; in a saccade: when it began
    // Of this frame's first half only, for bones that are asked again once bodies have moved what they hang on.
    vrm_quat animated; // the pose without the chain
    vrm_quat solved;
} vrmi_look_bone;

typedef struct vrmi_look_link_row {
    int32_t node;
    bool reset;
    vrm_quat animated; // of this frame's first half only, as a bone's
} vrmi_look_link_row;

// X(array, type, count), as VRMI_INSTANCE_ARRAYS.
#define VRMI_LOOK_CHAIN_ARRAYS(X) \
    X(look_bones, vrmi_look_bone, d->look_chain_bones) \
    X(look_links, vrmi_look_link_row, d->look_chain_links) \
    X(debug_lines, vrm_debug_line, 2 * (size_t)d->look_chain_bones)

// X(field, min, max): the numbers of a definition, in the order in which a snapshot keeps them. Between themselves:
// idle_interval_min <= idle_interval_max.
#define VRMI_LOOK_CHAIN_RANGES(X) \
    X(blend_speed, 0.0f, 1e6f) \
    X(weight, 0.0f, 1.0f) \
    X(expression_yaw, 1e-4f, VRMI_PI) \
    X(expression_pitch, 1e-4f, VRMI_PI) \
    X(soft_limit, 0.0f, 0.9f) \
    X(behind_margin, 0.0f, VRMI_PI / 2.0f) \
    X(saccade_threshold, 0.0f, VRMI_PI) \
    X(saccade_speed, 1e-3f, 1e6f) \
    X(head_delay, 0.0f, 10.0f) \
    X(head_speed, 1e-3f, 1e6f) \
    X(idle_angle, 0.0f, 0.2f) \
    X(idle_interval_min, 0.05f, 3600.0f) \
    X(idle_interval_max, 0.05f, 3600.0f) \
    X(blink_angle, 0.0f, 4.0f) \
    X(turn_speed, 1e-3f, 1e6f) \
    X(turn_acceleration, 1e-3f, 1e6f)

// The same of a bone, as the host gives it and as the chain keeps it.
#define VRMI_LOOK_BONE_RANGES(X) \
    X(limit, 0.0f, VRMI_PI) \
    X(around_up, 0.0f, 1.0f) \
    X(limit_yaw, 0.0f, VRMI_PI) \
    X(limit_up, 0.0f, VRMI_PI) \
    X(limit_down, 0.0f, VRMI_PI) \
    X(limit_roll, 0.0f, VRMI_PI) \
    X(orientation_share, 0.0f, 1e6f)

// What is single about a look chain. Settings (but for `bones`, which counts nothing), input, state, outcome.
typedef struct vrmi_look_chain {
    vrm_look_chain_def def;
    uint32_t bone_count, link_count; // 0: no chain
    // Weight and its transition.
    float weight, transition_from, transition_to;
    bool in_transition;
    double elapsed, duration;
    // Orientation of a tracker.
    bool oriented;
    float yaw, pitch, roll;
    // State.
    bool started;       // an update has run since the chain was set or its weight left 0
    float mix, eye_mix; // how much of the look-at pose and of the eyes is there: fades with the target
    float mix_speed;    // of `mix`, 1/s
    float eye_x, eye_y; // where the eyes look, as vrmi_look_log
    int32_t side;       // of the last target: 1 left, -1 right, 0 none yet
    bool has_last;
    vrm_vec3 last; // direction to the last target in the root's axes
    bool moving;   // the head's part of a saccade
    float move_time, move_duration;
    uint64_t random;
    int64_t idle_time; // nanoseconds until the next micro-saccade
    float idle_x, idle_y;
    // Outcome of the last update, for the look-at stage and the host.
    float way;          // the farthest that a bone (half its angle) or the eyes went
    bool has_eye[2];    // left and right: their nodes are bones or links of the chain
    vrm_quat eye_to[2]; // where those would be with weight 1
    float has_eye_part; // how much of `eye_to` there is
    bool feeds_eyes;
    float feed_mix;
    float feed[2][2];     // left and right eye: yaw and pitch behind the range maps; of expressions the first
    float then_x, then_y; // the target from the eyes, as vrmi_look_log, when the chain had done
    vrm_look_chain_state state;
    uint32_t line_count;
} vrmi_look_chain;

// No chain, default weight.
void vrmi_look_chain_init(vrmi_look_chain *chain);
// The chain does nothing in this update.
void vrmi_look_chain_skip(vrmi_look_chain *chain);
// Transition, before the solver.
void vrmi_look_chain_advance(vrmi_look_chain *chain, float dt);
// Micro-saccades; `idle_x` and `idle_y` change.
void vrmi_look_chain_idle(vrmi_look_chain *chain, float dt);
void vrmi_look_chain_snapshot(vrm_instance *instance, struct vrmi_cursor *cursor);

// --- its eyes (look_chain_eyes.c) ----------------------------------------------------------------------------------

// What the eyes can do, from the range maps.
typedef struct vrmi_eye_limits {
    vrmi_look_limits limits;
    uint32_t fixed_maps; // vrm_look_map
} vrmi_eye_limits;

void vrmi_eye_limits_of(const vrmi_model *model, const vrm_look_chain_def *def, vrmi_eye_limits *out);
// Is there something that moves the eyes?
bool vrmi_has_eyes(const vrmi_model *model);
// Which eyes' nodes are bones or links of the chain.
void vrmi_look_chain_find_eyes(vrm_instance *instance);
// 0: the left eye, 1: the right one, -1: neither.
int vrmi_look_side_of(const vrmi_model *model, int32_t node);
// The middle between the eyes, root-relative world; the look-at origin for avatars without eye bones.
vrm_vec3 vrmi_eye_middle(const vrm_instance *instance);
// The target from `eye` in LookAt space, as vrmi_look_log.
void vrmi_eye_wanted(const vrm_instance *instance, vrm_vec3 eye, float *out_x, float *out_y);
// Limits x and y one by one.
void vrmi_eye_clamp(const vrmi_look_limits *limits, float *x, float *y);

// The angle from the first bone's line of sight to the target, as both stand now, into `state.error`. Needs the look-at
// stage's answer.
void vrmi_look_chain_measure(vrm_instance *instance);
// `feed` from where the eyes should look, with the head as it is now. Needs the gaze's own angles.
void vrmi_look_chain_feed(vrm_instance *instance);

// --- its frame, and how bones and target become a problem for the solver (look_chain_problem.c) ----------------------

typedef struct vrmi_look_frame {
    vrm_instance *instance;
    vrmi_look_chain *chain;
    bool aiming, driven; // there is a target; there is a target or an orientation
    bool eyes;           // the first bone is the avatar's eyes
    bool expresses;      // a bone or link is an eye, and expressions move the eyes: its turn becomes their weights
    uint32_t first;      // first bone that is a node
    uint32_t top;        // node above which nothing turns
    vrmi_eye_limits eye_limits;
    vrm_quat animated[VRM_LOOK_CHAIN_MAX_BONES]; // the pose without the chain
    vrm_quat base[VRM_LOOK_CHAIN_MAX_BONES];     // where the chain starts: the pose or rest
    vrmi_look_problem problem;
    vrm_vec3 target;    // the problem's may stand elsewhere, see vrmi_look_keep_side()
    float acceleration; // that bones and fade may have each
    float mix_way;      // how far the whole look-at pose is from the animated one, radians of all bones
} vrmi_look_frame;

// A node's rotation at rest.
vrm_quat vrmi_look_rest(const vrm_instance *instance, int32_t node);
// The problem of the first `count` bones of the chain.
void vrmi_look_gather(vrmi_look_frame *f, uint32_t count);
// A target that crosses behind the back would throw the chain from one shoulder to the other. It counts as still on its
// old side until it is `behind_margin` across. Where it is out of reach it counts as no farther round than can be reached
// at its height: the shortest way there goes over the top of the head, and people look over the shoulder.
void vrmi_look_keep_side(vrmi_look_frame *f);

// --- time (look_chain_time.c) --------------------------------------------------------------------------------------

// The part of the way that the chain's blending goes in dt, and a fade by such parts.
float vrmi_look_blend_part(const vrmi_look_chain *chain, float dt);
float vrmi_look_faded(float now, float goal, float part);
// The head's part of a saccade, by minimum jerk. What speed the bones have fades out within it.
void vrmi_look_begin_move(vrmi_look_frame *f);
// The look-at pose of this update, before weight.
void vrmi_look_show(vrmi_look_frame *f, float dt);
// How much of the look-at pose is there. It fades with the target, and as it turns the same head it keeps the same limits.
void vrmi_look_fade(vrmi_look_frame *f, float dt);
// Eyes that make saccades are asked again with the head where it is now, and go there as fast as they may.
void vrmi_look_move_eyes(vrmi_look_frame *f, float goal_x, float goal_y, float dt);

#endif
