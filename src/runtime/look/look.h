// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_LOOK_H
#define VRMI_RUNTIME_LOOK_H

// The gaze and the look chain of an instance: their inputs and state. The stages are in stages.h.

#include <vrm/look_chain.h>
#include <vrm/output.h>

#include "math/look_solve.h"
#include "model/model.h"

struct vrmi_cursor;

// Sets no gaze and no look chain.
void vrmi_look_init(vrm_instance *instance);
// Whether everything is still except for rounding, and stays still until the host sets something.
bool vrmi_look_is_still(const vrm_instance *instance);
void vrmi_look_snapshot(vrm_instance *instance, struct vrmi_cursor *cursor);

// --- gaze ----------------------------------------------------------------------------------------------------------

typedef enum vrmi_gaze_mode { VRMI_GAZE_NONE, VRMI_GAZE_TARGET, VRMI_GAZE_ANGLES } vrmi_gaze_mode;

typedef struct vrmi_eye {
    bool active; // the eye is rotated by its own angles
    float yaw, pitch;
} vrmi_eye;

// The input of look-at.
typedef struct vrmi_gaze {
    uint32_t mode; // vrmi_gaze_mode
    vrm_dvec3 target;
    float yaw, pitch;
    vrmi_eye eyes[2]; // left, right
    // LookAt space in the world after the last frame, for profiles in which the gaze starts there.
    bool has_last;
    vrm_dvec3 last_origin;
    vrm_quat last_rotation;
} vrmi_gaze;

// The four weights with which expressions show the gaze.
enum { VRMI_LOOK_UP, VRMI_LOOK_DOWN, VRMI_LOOK_LEFT, VRMI_LOOK_RIGHT, VRMI_LOOK_COUNT };

// Return the range map of a direction, and the absolute value of its output (curve included) for an input v.
const vrm_range_map *vrmi_look_at_map(const vrmi_look_at_row *look, vrm_look_direction direction);
float vrmi_look_at_mapped(const vrmi_model *model, vrm_look_direction direction, float v);
// Returns the gaze's target in root-relative world.
vrm_vec3 vrmi_look_at_target(const vrm_instance *instance);

// --- look chain ----------------------------------------------------------------------------------------------------

typedef struct vrmi_look_bone {
    int32_t node; // index, or VRM_LOOK_CHAIN_EYES
    bool reset, asymmetric;
    float limit, around_up, limit_yaw, limit_up, limit_down, limit_roll, orientation_share;
    vrm_vec3 forward; // unit, in the bone's own axes
    vrm_quat frame;   // rotation from the limit frame to the parent
    uint32_t first_link, link_count;
    vrm_quat shown; // rotation in the look-at pose of the last update, before weight
    vrm_quat from;  // `shown` when the head's part of a saccade began
    vrm_vec3 speed; // velocity of `shown` in the parent's axes, radians per second; during a saccade its initial value
    // Used only within a frame, for bones that are solved again after bodies have moved their parents.
    vrm_quat animated; // rotation without the chain
    vrm_quat solved;
} vrmi_look_bone;

typedef struct vrmi_look_link_row {
    int32_t node;
    bool reset;
    vrm_quat animated; // rotation without the chain, used only within a frame
} vrmi_look_link_row;

// X(array, type, count), as in VRMI_INSTANCE_ARRAYS.
#define VRMI_LOOK_CHAIN_ARRAYS(X) \
    X(look_bones, vrmi_look_bone, d->look_chain_bones) \
    X(look_links, vrmi_look_link_row, d->look_chain_links) \
    X(debug_lines, vrm_debug_line, 2 * (size_t)d->look_chain_bones)

// X(field, min, max): the numbers of a definition in the order of a snapshot. idle_interval_min may also not exceed
// idle_interval_max.
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

// X(field, min, max): the numbers of a bone, both in the host's definition and in vrmi_look_bone.
#define VRMI_LOOK_BONE_RANGES(X) \
    X(limit, 0.0f, VRMI_PI) \
    X(around_up, 0.0f, 1.0f) \
    X(limit_yaw, 0.0f, VRMI_PI) \
    X(limit_up, 0.0f, VRMI_PI) \
    X(limit_down, 0.0f, VRMI_PI) \
    X(limit_roll, 0.0f, VRMI_PI) \
    X(orientation_share, 0.0f, 1e6f)

// The fields of a look chain that are not arrays: settings (except `bones`, which is unused), input, state, results.
typedef struct vrmi_look_chain {
    vrm_look_chain_def def;
    uint32_t bone_count, link_count; // 0: no chain
    // The weight and its transition.
    float weight, transition_from, transition_to;
    bool in_transition;
    double elapsed, duration;
    // The orientation of a tracker.
    bool oriented;
    float yaw, pitch, roll;
    // State.
    bool started;       // an update has run since the chain was set, or since its weight became positive
    float mix, eye_mix; // weights of the look-at pose and of the eyes, which fade when a target comes or goes
    float mix_speed;    // rate of change of `mix`, 1/s
    float eye_x, eye_y; // direction of the eyes, in the form of vrmi_look_log()
    int32_t side;       // side of the last target: 1 left, -1 right, 0 not set yet
    bool has_last;
    vrm_vec3 last; // direction to the last target, in the root's axes
    bool moving;   // the head's part of a saccade is running
    float move_time, move_duration;
    uint64_t random;
    int64_t idle_time; // nanoseconds until the next micro-saccade
    float idle_x, idle_y;
    // Results of the last update, for the look-at stage and the host.
    float way;          // largest rotation of a bone (half its angle) or of the eyes
    bool has_eye[2];    // left and right: the eye's node is a bone or link of the chain
    vrm_quat eye_to[2]; // the eyes' rotations at weight 1
    float has_eye_part; // weight of `eye_to`
    bool feeds_eyes;
    float feed_mix;
    float feed[2][2];     // left and right eye: yaw and pitch after the range maps; expressions use only the first
    float then_x, then_y; // direction from the eyes to the target after the solve, in the form of vrmi_look_log()
    vrm_look_chain_state state;
    uint32_t line_count;
} vrmi_look_chain;

// Sets no chain and the default weight.
void vrmi_look_chain_init(vrmi_look_chain *chain);
// Resets the results of the chain, for an update in which the chain does nothing.
void vrmi_look_chain_skip(vrmi_look_chain *chain);
// Advances the transition of the weight. Runs before the solver.
void vrmi_look_chain_advance(vrmi_look_chain *chain, float dt);
// Advances micro-saccades, which change `idle_x` and `idle_y`.
void vrmi_look_chain_idle(vrmi_look_chain *chain, float dt);
void vrmi_look_chain_snapshot(vrm_instance *instance, struct vrmi_cursor *cursor);

// --- its eyes (look_chain_eyes.c) ----------------------------------------------------------------------------------

// The range of the eyes, computed from the range maps.
typedef struct vrmi_eye_limits {
    vrmi_look_limits limits;
    uint32_t fixed_maps; // vrm_look_map
} vrmi_eye_limits;

void vrmi_eye_limits_of(const vrmi_model *model, const vrm_look_chain_def *def, vrmi_eye_limits *out);
// Whether the avatar has bones or expressions that move the eyes.
bool vrmi_has_eyes(const vrmi_model *model);
// Finds the eyes whose nodes are bones or links of the chain.
void vrmi_look_chain_find_eyes(vrm_instance *instance);
// Returns 0 for the left eye's node, 1 for the right eye's, -1 for other nodes.
int vrmi_look_side_of(const vrmi_model *model, int32_t node);
// Returns the middle between the eyes in root-relative world, or the look-at origin if there are no eye bones.
vrm_vec3 vrmi_eye_middle(const vrm_instance *instance);
// Computes the direction from `eye` to the target in LookAt space, in the form of vrmi_look_log().
void vrmi_eye_wanted(const vrm_instance *instance, vrm_vec3 eye, float *out_x, float *out_y);
// Clamps x and y separately.
void vrmi_eye_clamp(const vrmi_look_limits *limits, float *x, float *y);

// Computes `state.error`, the angle from the first bone's line of sight to the target in the final pose. Call it after
// the look-at stage.
void vrmi_look_chain_measure(vrm_instance *instance);
// Computes `feed` from the desired direction of the eyes and the current pose of the head. The angles of the gaze must
// be known.
void vrmi_look_chain_feed(vrm_instance *instance);

// --- its frame, and converting bones and target to the solver's input (look_chain_problem.c) ------------------------

typedef struct vrmi_look_frame {
    vrm_instance *instance;
    vrmi_look_chain *chain;
    bool aiming, driven; // `aiming`: there is a target; `driven`: there is a target or an orientation
    bool eyes;           // the first bone of the chain is VRM_LOOK_CHAIN_EYES
    // A bone or link is the node of an eye that expressions move: the node's rotation is converted to weights.
    bool expresses;
    uint32_t first; // index of the first bone that is a node
    uint32_t top;   // the topmost node that the chain rotates
    vrmi_eye_limits eye_limits;
    vrm_quat animated[VRM_LOOK_CHAIN_MAX_BONES]; // rotations without the chain
    vrm_quat base[VRM_LOOK_CHAIN_MAX_BONES];     // rotations that the chain starts from: animated or at rest
    vrmi_look_problem problem;
    vrm_vec3 target;           // the problem's own target may differ, see vrmi_look_keep_side()
    float speed, acceleration; // limits of the bones that rotate the head
} vrmi_look_frame;

// Returns a node's rotation at rest.
vrm_quat vrmi_look_rest(const vrm_instance *instance, int32_t node);
// Prepares the problem of the first `count` bones of the chain.
void vrmi_look_gather(vrmi_look_frame *f, uint32_t count);
// Keeps the chain on its side. A target that crosses behind the back would turn the chain from one shoulder to the
// other, so the chain stays on its old side until the target is beyond the middle by `behind_margin`. A target out of
// reach is moved back around the body, at its height, to a direction within reach. Otherwise the shortest way to it
// would lead over the top of the head, whereas people look over the shoulder.
void vrmi_look_keep_side(vrmi_look_frame *f);

// --- time (look_chain_time.c) --------------------------------------------------------------------------------------

// vrmi_look_blend_part() returns the fraction of the remaining rotation that the chain's blending covers in dt.
// vrmi_look_faded() returns a value after a fade by such a fraction.
float vrmi_look_blend_part(const vrmi_look_chain *chain, float dt);
float vrmi_look_faded(float now, float goal, float part);
// Begins the head's part of a saccade, a minimum-jerk movement during which the bones' initial speed fades out.
void vrmi_look_begin_move(vrmi_look_frame *f);
// Computes the look-at pose of this update, before weight.
void vrmi_look_show(vrmi_look_frame *f, float dt);
// Fades the look-at pose in or out with the target. A fade also rotates the head, so it obeys the limits of speed and
// acceleration.
void vrmi_look_fade(vrmi_look_frame *f, float dt);
// Moves the eyes to the goal. Eyes that make saccades are solved again with the current head, and move at their full
// speed.
void vrmi_look_move_eyes(vrmi_look_frame *f, float goal_x, float goal_y, float dt);

#endif
