// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_MOTION_METER_H
#define SCENES_MOTION_METER_H

// Measures the visible faults of a motion. The meter takes frame after frame (world matrices, palettes and, if an
// engine moves the body, its bodies) and returns a set of numbers, which this code calls figures. docs/motion-meter.md
// explains each of them.

#include <vrm/active_ragdoll.h>
#include <vrm/avatar.h>
#include <vrm/output.h>

// X(NAME, "word", unit, "sentence"). A unit is displayed as the stored value times SCENE_UNIT_*.
#define SCENE_FIGURES(X) \
    X(CUT_TURN, "cut", DEGREES, "a joint rotates more in one frame than in the frames next to it") \
    X(CUT_WAY, "cut way", MILLIMETRES, "a joint moves farther in one frame than in the frames next to it") \
    X(LANDING_CUT_TURN, "landing cut", DEGREES, \
        "a hand, a foot or the head rotates so in the moment in which it lands") \
    X(LANDING_CUT_WAY, "landing cut way", MILLIMETRES, "a hand, a foot or the head moves so when it lands") \
    X(OTHER_CUT_TURN, "other cut", DEGREES, "any other joint rotates so, or at any other time") \
    X(OTHER_CUT_WAY, "other cut way", MILLIMETRES, "any other joint moves so, or at any other time") \
    X(BEYOND_TURN, "beyond", DEGREES, "a bone rotates in one frame more than any body") \
    X(BEYOND_WAY, "beyond way", MILLIMETRES, "a bone and its body move differently in one frame") \
    X(OFF_TURN, "off", DEGREES, "a shown bone is rotated relative to its body") \
    X(OFF_WAY, "off way", MILLIMETRES, "a shown bone is displaced from its body") \
    X(BODY_STEP, "body step", DEGREES, "a body rotates in one frame") \
    X(UNEVEN_TURN, "uneven", DEGREES, "a left joint is rotated differently from the mirrored right joint") \
    X(UNEVEN_WAY, "uneven way", MILLIMETRES, "a left joint is displaced from the mirrored right joint") \
    X(LOWEST, "lowest", MILLIMETRES, "height of the lowest vertex of the body above the ground") \
    X(LOWEST_HAIR, "low hair", MILLIMETRES, "height of the lowest vertex that springs move above the ground") \
    X(SLIDE, "slide", MILLIMETRES, "a point of a sole slides while it stands on the ground and carries the figure") \
    X(ANY_SLIDE, "any slide", MILLIMETRES, "a point of a sole slides while it touches the ground") \
    X(LIMIT, "limit", DEGREES, "a joint is rotated beyond its limit") \
    X(SPEED, "speed", DEGREES, "a joint rotates in one second") \
    X(UNSUPPORTED, "unsupported", SECONDS, "the figure has no support but does not fall") \
    X(ARM_POKE, "arm poke", MILLIMETRES, "an arm or hand penetrates the trunk or a thigh") \
    X(SKIRT_POKE, "skirt poke", MILLIMETRES, "a leg is outside of the skirt") \
    X(HEAD_WAY, "head", MILLIMETRES, "displacement of the head") \
    X(HAND_WAY, "hands", MILLIMETRES, "displacement, relative to the chest, of the hand that moves less") \
    X(CHEST_TURN, "chest", DEGREES, "rotation of the chest") \
    X(HEAD_LAG, "head lag", SECONDS, "time from the event until the head bends most, relative to the chest") \
    X(HEAD_SWING, "head swing", DEGREES, "bend of the head relative to the chest") \
    X(HEAD_OVER, "head over", DEGREES, "how far the head swings back beyond the middle after its largest bend") \
    X(HEAD_AGAIN, "head again", DEGREES, "bend of the head in the first direction, after it has swung back") \
    X(ARM_LAG, "arm lag", SECONDS, "time from the event until an arm swings most, relative to the chest") \
    X(ARM_SWING, "arm swing", DEGREES, "swing of an arm relative to the chest") \
    X(ARM_OVER, "arm over", DEGREES, "swing of an arm in the other direction, after its largest swing") \
    X(ARM_AGAIN, "arm again", DEGREES, "swing of an arm in the first direction, after it has swung back") \
    X(QUIET, "quiet", SECONDS, "time from the event until nothing moves any more")

typedef enum scene_figure {
#define SCENE_FIGURE_ENUM(name, word, unit, sentence) SCENE_FIGURE_##name,
    SCENE_FIGURES(SCENE_FIGURE_ENUM)
#undef SCENE_FIGURE_ENUM
        SCENE_FIGURE_COUNT
} scene_figure;

// Return the measurement's short name, its unit (for example "degrees") and a sentence that describes it. The strings are static.
const char *scene_figure_word(scene_figure figure);
const char *scene_figure_unit(scene_figure figure);
const char *scene_figure_sentence(scene_figure figure);

// The result for one figure: its largest value (for LOWEST and LOWEST_HAIR the smallest), and the bone and frame at
// which this value occurred.
typedef struct scene_reading {
    double value;   // degrees, millimetres or seconds; for SPEED degrees per second
    int32_t bone;   // vrm_human_bone, or -1
    uint32_t frame; // index of the frame, from 0
    bool known;     // false: not measured, because bodies, a skirt or an event are missing
} scene_reading;

typedef struct scene_meter_report {
    scene_reading figures[SCENE_FIGURE_COUNT];
    uint32_t frames;
} scene_meter_report;

// The avatar and the options of a measurement.
typedef struct scene_meter_def {
    const vrm_avatar *avatar; // required; must live as long as the meter
    const vrm_gltf *gltf;     // the avatar's document, for vertices; NULL: unknown. Only needed by scene_meter_create()
    const vrm_ragdoll_def *def; // for masses, limits and bodies; NULL: none. Must live as long as the meter
    double rate;                // frames per second
    double ground;              // height, metres
    double ground_speed;        // speed of a walk on the spot, m/s; the ground moves at this speed
    bool pokes; // checks whether limbs penetrate each other and clothes, which takes a millisecond per frame
} scene_meter_def;

typedef struct scene_meter scene_meter;

// Returns NULL if memory runs out.
scene_meter *scene_meter_create(const scene_meter_def *def);
void scene_meter_destroy(scene_meter *meter);

// The engine's bodies in a frame.
typedef struct scene_meter_bodies {
    const vrm_ragdoll_state *states; // states of the definition's bodies, as the engine returned them
    vrm_dvec3 origin;                // origin of the positions
    uint64_t shown;                  // bit i: body i is shown exactly, not mixed with the animation
} scene_meter_bodies;

// Returns the bodies that the instance shows exactly (simulated, mapping 1), for scene_meter_bodies.shown.
uint64_t scene_meter_shown_bodies(const vrm_instance *instance);
// Adds a frame as the outputs show it. `bodies` is NULL if nothing is simulated. Returns false if memory runs out.
bool scene_meter_add(scene_meter *meter, const vrm_instance *instance, const scene_meter_bodies *bodies);

// Options of the evaluation of all frames.
typedef struct scene_meter_question {
    double event; // time of the event that happens to the figure, seconds; negative: none
    const scene_meter
        *reference; // frames of the same motion without the event; NULL: compare with the frame before the event
    bool symmetric; // left and right should be symmetric
    const scene_meter *mirrored; // frames of the mirrored motion, which `symmetric` compares with; NULL: this motion
    double from, to;             // range to examine, seconds; `to` 0: until the end
} scene_meter_question;

void scene_meter_read(const scene_meter *meter, const scene_meter_question *question, scene_meter_report *out);

// The support of a figure that moves on the ground without falling. Lengths are proportional to the figure's height.
typedef struct scene_meter_support {
    double outside; // fraction of frames in which the mass centre is 50 mm or more beside the support area, 0 to 1
    double longest; // longest such time, seconds
    double largest; // largest distance from the support area, millimetres, while anything touches the ground
    double hanging; // longest time in which a foot is 40 mm or more above the ground and does not travel, seconds
    uint32_t frames;
} scene_meter_support;

// Reads a range of seconds; `to` 0: until the end. Without vertices there are no frames.
scene_meter_support scene_meter_read_support(const scene_meter *meter, double from, double to);

// The largest differences between the frames of two meters of the same avatar: rotations of joints (degrees; feet and
// their children separately) and positions of joints (millimetres).
typedef struct scene_meter_difference {
    double turn, foot_turn, way;
    int32_t turn_bone, foot_bone, way_bone;
    uint32_t turn_frame, foot_frame, way_frame;
} scene_meter_difference;

void scene_meter_compare(const scene_meter *a, const scene_meter *b, scene_meter_difference *out);

// The differences at the seam of a loop: the largest rotation (degrees) and displacement (millimetres, without travel
// over the ground) of a joint between the last and the first frame, and the largest change of its speed (degrees per
// second).
typedef struct scene_meter_seam {
    double turn, way, speed;
    int32_t turn_bone, way_bone, speed_bone;
} scene_meter_seam;

void scene_meter_close(const scene_meter *meter, scene_meter_seam *out);

// Print the header and a row of a Markdown table to stdout. The table has the given figures, ended by
// SCENE_FIGURE_COUNT, or the most useful ones if `figures` is NULL.
void scene_meter_print_head(const scene_figure *figures);
void scene_meter_print_row(const char *name, const scene_meter_report *report, const scene_figure *figures);
// Prints all known figures, each with the bone and the frame where it occurred, to stdout.
void scene_meter_print(const scene_meter_report *report, double rate);

#endif
