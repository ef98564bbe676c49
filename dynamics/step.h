// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_DYNAMICS_STEP_H
#define VRMI_DYNAMICS_STEP_H

// The data of a step as rows, for one ragdoll or for eight ragdolls in lanes; used by kernel_step_body.h. Row k
// consists of `lanes` floats, one per ragdoll, and the rows are consecutive in memory. A solver's state is loaded into
// its lane once per call and stored once (step_rows.c). All kernels are compiled from the same source.

#include "math/articulated.h"

#include <vrm/ragdoll.h>

enum {
    VRMI_STEP_LANES = 8,
    VRMI_STEP_SHAPES = 64 // largest number of the host's shapes
};

// Rows with values of the whole ragdoll.
enum {
    VRMI_FIGURE_STEP = 0,     // seconds
    VRMI_FIGURE_RATE = 1,     // 1 / VRMI_FIGURE_STEP
    VRMI_FIGURE_LATER = 2,    // time from this step's end to the time of the targets, seconds
    VRMI_FIGURE_GRAVITY = 3,  // [3]
    VRMI_FIGURE_FRICTION = 6, // damping of joints, 1/s
    VRMI_FIGURE_SCALE = 7,
    VRMI_FIGURE_MASS = 8,      // mass of all bodies, kg
    VRMI_FIGURE_GROUND = 9,    // 1: the world has a ground
    VRMI_FIGURE_HEIGHT = 10,   // the ground's
    VRMI_FIGURE_HARDNESS = 11, // hardness of contacts, kg
    VRMI_FIGURE_LIMIT = 12,    // hardness of limits, kg m^2
    VRMI_FIGURE_OPEN = 13,     // 1: the lane is being solved
    VRMI_FIGURE_CHANGED = 14,  // output: a pass has switched a limit or contact
    VRMI_FIGURE_LEANING = 15,  // 1: the ragdoll pushed against the world in the last step
    VRMI_FIGURE_SPEED = 16,    // output: largest square of a body's speed
    VRMI_FIGURE_TURN = 17,     // output: largest square of an angular velocity
    VRMI_FIGURE_SUM = 18,      // output: sum of the state, to detect values that are not finite
    VRMI_FIGURE_ROWS = 19
};

// Rows of a body in addition to the rows of the articulated-body algorithm (VRMI_ART_ROWS). The first rows are the
// members of vrmi_solver_constant in their order.
enum {
    // Values from the definition and the scale.
    VRMI_STEP_INERTIA = 0, // [6] about the centre of mass, in the body's axes
    VRMI_STEP_CENTER = 6,  // [3] centre of mass
    VRMI_STEP_ANCHOR =
        9,               // [3] the joint's position in the parent's axes: from the targets, or else from the definition
    VRMI_STEP_AXIS = 12, // [3] the joint's X axis in the parent's frame
    VRMI_STEP_FRAME = 15,        // [4] the joint's axes as a rotation
    VRMI_STEP_SWING = 19,        // [2] half axes of the cone
    VRMI_STEP_MIDDLE = 21,       // [2] centre of the cone
    VRMI_STEP_ANGLES = 23,       // [2] smallest and largest angle
    VRMI_STEP_SHAPE_CENTER = 25, // [3]
    VRMI_STEP_SHAPE_AXIS = 28,   // [3]
    VRMI_STEP_SHAPE_RADIUS = 31,
    VRMI_STEP_SPHERE = 32, // radius of the sphere around the shape's capsule
    VRMI_STEP_SIDES = 33,  // [9] half edges of a box as vectors
    VRMI_STEP_BOX = 42,    // 1: the shape is a box
    VRMI_STEP_REACH = 43,
    VRMI_STEP_OWN_MASS = 44,
    VRMI_STEP_OWN_FRICTION = 45,
    VRMI_STEP_HELD_INERTIA = 46,
    VRMI_STEP_CONSTANTS = 47,
    // State.
    VRMI_STEP_POSITION = VRMI_STEP_CONSTANTS,    // [3]
    VRMI_STEP_ROTATION = VRMI_STEP_POSITION + 3, // [4]
    VRMI_STEP_LINEAR = VRMI_STEP_ROTATION + 4,   // [3]
    VRMI_STEP_ANGULAR = VRMI_STEP_LINEAR + 3,    // [3]
    VRMI_STEP_SPIN = VRMI_STEP_ANGULAR + 3,      // [3]
    VRMI_STEP_BLOW = VRMI_STEP_SPIN + 3,         // [6] impulse and its moment about the centre of mass
    VRMI_STEP_LAST = VRMI_STEP_BLOW + 6,         // [12] the last step's contacts: feature, push and drag of each
    VRMI_STEP_LIMITED = VRMI_STEP_LAST + 3 * VRMI_ART_CONTACTS, // [2] 1: the limit pushed in the last step
    // The target at the frame's end.
    VRMI_STEP_TARGET = VRMI_STEP_LIMITED + VRMI_ART_LIMITS, // [3] position
    VRMI_STEP_TARGET_ROTATION = VRMI_STEP_TARGET + 3,       // [4]
    VRMI_STEP_TARGET_LINEAR = VRMI_STEP_TARGET + 7,         // [3]
    VRMI_STEP_TARGET_ANGULAR = VRMI_STEP_TARGET + 10,       // [3]
    VRMI_STEP_FREQUENCY = VRMI_STEP_TARGET + 13,            // rad/s
    VRMI_STEP_RATIO = VRMI_STEP_FREQUENCY + 1,              // twice the damping ratio
    VRMI_STEP_STRENGTH = VRMI_STEP_FREQUENCY + 2,           // N m
    VRMI_STEP_PIN = VRMI_STEP_FREQUENCY + 3,                // rad/s
    VRMI_STEP_BORNE = VRMI_STEP_PIN + 1,                    // fraction of the load that the drive carries
    VRMI_STEP_LED = VRMI_STEP_BORNE + 1,  // 0 to 1: degree to which limits and contacts are widened for the target pose
    VRMI_STEP_CHANGE = VRMI_STEP_LED + 1, // [6] change of the target's velocity in this step: linear, of the centre of
                                          // mass, and angular
    VRMI_STEP_OWED = VRMI_STEP_CHANGE + 6,  // [6] the same in the next step
    VRMI_STEP_SLIDE = VRMI_STEP_OWED + 6,   // [3] velocity of the joint's position in the parent's frame
    VRMI_STEP_BEND = VRMI_STEP_SLIDE + 3,   // [4] for a hinge: the part of the child's rotation that is not about its
                                            // axis
    VRMI_STEP_BENDING = VRMI_STEP_BEND + 4, // [3] angular velocity, in the parent's frame, with which BEND is reached
    // Values from the frame's target, computed by `admit`.
    VRMI_STEP_TARGET_MIDST = VRMI_STEP_BENDING + 3,      // [3] centre of the shape
    VRMI_STEP_TARGET_ALONG = VRMI_STEP_TARGET_MIDST + 3, // [3] its axis
    VRMI_STEP_DEPTH = VRMI_STEP_TARGET_ALONG + 3,        // allowed depth in the ground, metres
    // The target at the step's end.
    VRMI_STEP_WANTED = VRMI_STEP_DEPTH + 1,           // [3] position
    VRMI_STEP_WANTED_ROTATION = VRMI_STEP_WANTED + 3, // [4]
    // Values that follow from the rotation.
    VRMI_STEP_MATRIX = VRMI_STEP_WANTED_ROTATION + 4, // [9]
    VRMI_STEP_ARM = VRMI_STEP_MATRIX + 9,             // [3] centre of mass from the origin, in the world's axes
    VRMI_STEP_TURNED = VRMI_STEP_ARM + 3,             // [6] inertia about the centre of mass, in the world's axes
    VRMI_STEP_MIDST = VRMI_STEP_TURNED + 6,           // [3] centre of the shape
    VRMI_STEP_ALONG = VRMI_STEP_MIDST + 3,            // [3] axis of the shape
    VRMI_STEP_PLACE = VRMI_STEP_ALONG + 3,            // [3] position at the step's beginning
    VRMI_STEP_HOLD = VRMI_STEP_PLACE + 3, // [8] springs to the world: mass, inertia, impulses (linear, angular)
    VRMI_STEP_CARRY = VRMI_STEP_HOLD + 8, // [6] the root's load: force, moment
    VRMI_STEP_ROWS = VRMI_STEP_CARRY + 6
};

// Numbers of a body's contacts. Contacts with the ground have numbers below VRMI_FEATURES; those with shape k begin at
// (k + 1) * VRMI_FEATURES.
enum {
    VRMI_FEATURE_NONE = 0,
    VRMI_FEATURE_END = 1,    // 1 and 2: the ends of a capsule
    VRMI_FEATURE_MIDDLE = 3, // nearest point of a capsule
    VRMI_FEATURE_CORNER = 4, // 4 to 11: the corners of a box
    VRMI_FEATURES = 16,
    VRMI_FEATURE_LAST = VRMI_FEATURES * (VRMI_STEP_SHAPES + 1) - 1
};

// A contact is skipped if its gap is larger than this distance, metres at scale 1, and larger than the body can move in
// the step.
#define VRMI_CONTACT_MARGIN 0.02f
// The fraction of a penetration that a step corrects, the highest speed of the correction, m/s, and the allowed
// penetration, metres.
#define VRMI_CONTACT_RETURN 0.1f
#define VRMI_CONTACT_RETURN_SPEED 0.5f
#define VRMI_CONTACT_SLOP 0.0005f
// Soft landing: the speed of an approaching body without drive is at most its distance divided by this time, seconds.
// The last VRMI_BRAKE_GAP metres are exempt, so that slow contacts are not delayed. Without this brake a landing limb
// stops within one step and rotates by 20 to 50 degrees in a frame.
#define VRMI_BRAKE_TIME 0.045f
#define VRMI_BRAKE_GAP 0.002f

// Rows of a self-contact: normal, the two points from their bodies' origins, gap.
enum { VRMI_MEET_NORMAL = 0, VRMI_MEET_A = 3, VRMI_MEET_B = 6, VRMI_MEET_GAP = 9, VRMI_MEET_ROWS = 10 };

// The data of a step.
typedef struct vrmi_step {
    const vrmi_art_tree *tree;
    vrmi_art_settings settings;
    vrmi_art_changes changes; // `settings` point to this member, so a step must not be moved in memory
    uint32_t lanes;
    float *figure;   // VRMI_FIGURE_ROWS rows
    float *bodies;   // VRMI_STEP_ROWS rows for each body
    float *rows;     // VRMI_ART_ROWS rows for each body
    float *contacts; // VRMI_ART_CONTACTS * VRMI_ART_CONTACT_ROWS rows for each body; NULL for drives
} vrmi_step;

// The functions of a step in one kernel, in the order of their calls.
typedef struct vrmi_step_kernel {
    uint32_t lanes;
    // Called once per frame after the targets are loaded: widens limits and lowers the ground for target poses beyond
    // them.
    void (*admit)(const vrmi_step *step);
    // Computes the targets at the step's end, and values that follow from the bodies' rotations.
    void (*aim)(const vrmi_step *step);
    // For bodies of another engine: computes angular momenta from angular velocities.
    void (*spin)(const vrmi_step *step);
    // Writes the algorithm's rows of bodies, joints and drives; no limits, no contacts.
    void (*prepare)(const vrmi_step *step);
    // Adds limits and contacts with the ground.
    void (*bound)(const vrmi_step *step);
    // Starts contacts with the last step's impulses.
    void (*remember)(const vrmi_step *step);
    // Returns one bit per lane: whether bodies a and b are near enough to collide in this step. Writes VRMI_MEET_ROWS
    // for these lanes.
    uint32_t (*meet)(const vrmi_step *step, uint32_t a, uint32_t b, float *out);
    // Writes the depth of the overlap of two bodies' shapes in the target pose, metres, one per lane. Negative: a gap.
    void (*overlap)(const vrmi_step *step, uint32_t a, uint32_t b, float *out);
    vrmi_articulated_kernel *solve;
    // Moves the bodies.
    void (*integrate)(const vrmi_step *step);
} vrmi_step_kernel;

extern const vrmi_step_kernel vrmi_step_one; // one ragdoll
extern const vrmi_step_kernel
    vrmi_step_scalar_lanes; // eight lanes as arrays; results are bit-identical to the other kernels'
extern const vrmi_step_kernel vrmi_step_four, vrmi_step_avx2; // empty if the build does not contain this kernel

typedef enum vrmi_step_path {
    VRMI_STEP_PATH_SCALAR,
    VRMI_STEP_PATH_FOUR,
    VRMI_STEP_PATH_AVX2,
    VRMI_STEP_PATH_BEST // the fastest kernel of this processor; none if only the scalar kernel is left, which is slower
                        // than single steps
} vrmi_step_path;

// Returns the kernel, NULL if the build or the processor does not have it.
const vrmi_step_kernel *vrmi_step_lanes(vrmi_step_path path);

// Whether a lane is in a set that has one bit per lane.
static inline bool vrmi_step_has(uint32_t lanes, uint32_t lane)
{
    return (lanes >> lane & 1u) != 0;
}

static inline float *vrmi_step_figure(const vrmi_step *step, uint32_t row)
{
    return step->figure + (size_t)row * step->lanes;
}
static inline float *vrmi_step_body(const vrmi_step *step, uint32_t body, uint32_t row)
{
    return step->bodies + ((size_t)body * VRMI_STEP_ROWS + row) * step->lanes;
}

// These functions read and write vectors and rotations of one lane, in consecutive rows.
static inline vrm_vec3 vrmi_step_get3(const float *row, uint32_t lanes, uint32_t lane)
{
    return (vrm_vec3){row[lane], row[lanes + lane], row[2 * lanes + lane]};
}
static inline void vrmi_step_set3(float *row, uint32_t lanes, uint32_t lane, vrm_vec3 v)
{
    row[lane] = v.x;
    row[lanes + lane] = v.y;
    row[2 * lanes + lane] = v.z;
}
static inline vrm_quat vrmi_step_get4(const float *row, uint32_t lanes, uint32_t lane)
{
    return (vrm_quat){row[lane], row[lanes + lane], row[2 * lanes + lane], row[3 * lanes + lane]};
}
static inline void vrmi_step_set4(float *row, uint32_t lanes, uint32_t lane, vrm_quat q)
{
    row[lane] = q.x;
    row[lanes + lane] = q.y;
    row[2 * lanes + lane] = q.z;
    row[3 * lanes + lane] = q.w;
}

// step_rows.c: returns the number of floats that a step of this many bodies needs. vrmi_step_lay_out() sets the
// pointers to the rows in this memory.
size_t vrmi_step_floats(uint32_t bodies, uint32_t lanes, bool contacts);
void vrmi_step_lay_out(vrmi_step *step, const vrmi_art_tree *tree, uint32_t lanes, bool contacts, float *memory);
// Sets a target that has been checked; its position is relative to the solver's origin.
void vrmi_step_set_target(const vrmi_step *step, uint32_t lane, uint32_t body, const vrm_ragdoll_target *target);
void vrmi_step_set_state(const vrmi_step *step, uint32_t lane, uint32_t body, const vrm_ragdoll_state *state);
void vrmi_step_get_state(const vrmi_step *step, uint32_t lane, uint32_t body, vrm_ragdoll_state *out);

#endif
