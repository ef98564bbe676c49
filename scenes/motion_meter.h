// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_MOTION_METER_H
#define SCENES_MOTION_METER_H

// Measures the visible faults of a motion: it takes frame after frame (world matrices, palettes and, if an engine moves
// the body, its bodies), and returns a row of figures. docs/motion-meter.md explains each of them.

#include <vrm/active_ragdoll.h>
#include <vrm/avatar.h>
#include <vrm/output.h>

// X(NAME, "word", unit, "sentence"). Units: the stored value times SCENE_UNIT_* for display.
#define SCENE_FIGURES(X) \
    X(CUT_TURN, "cut", DEGREES, "a joint turns in one frame beyond what it turns in the frames beside it") \
    X(CUT_WAY, "cut way", MILLIMETRES, "a joint goes in one frame beyond what it goes in the frames beside it") \
    X(BEYOND_TURN, "beyond", DEGREES, "a bone turns in a frame though no body has turned that far") \
    X(BEYOND_WAY, "beyond way", MILLIMETRES, "a bone goes in a frame otherwise than its body") \
    X(OFF_TURN, "off", DEGREES, "a bone is shown turned away from its body") \
    X(OFF_WAY, "off way", MILLIMETRES, "a bone is shown away from its body") \
    X(BODY_STEP, "body step", DEGREES, "a body turns in one frame") \
    X(UNEVEN_TURN, "uneven", DEGREES, "a left joint is turned otherwise than the right one, mirrored") \
    X(UNEVEN_WAY, "uneven way", MILLIMETRES, "a left joint is elsewhere than the right one, mirrored") \
    X(LOWEST, "lowest", MILLIMETRES, "height of the lowest vertex of the body above the ground") \
    X(LOWEST_HAIR, "low hair", MILLIMETRES, "height of the lowest vertex that springs move above the ground") \
    X(SLIDE, "slide", MILLIMETRES, "a point of a sole goes over the ground while it stands on it") \
    X(LIMIT, "limit", DEGREES, "a joint is turned beyond its limit") \
    X(SPEED, "speed", DEGREES, "a joint turns in a second") \
    X(UNSUPPORTED, "unsupported", SECONDS, "nothing bears the figure, and yet it does not fall") \
    X(ARM_POKE, "arm poke", MILLIMETRES, "an arm or hand is in the trunk or a thigh") \
    X(SKIRT_POKE, "skirt poke", MILLIMETRES, "a leg is outside of the skirt") \
    X(HEAD_WAY, "head", MILLIMETRES, "how far the head is moved") \
    X(HAND_WAY, "hands", MILLIMETRES, "how far the hand that moves less is moved against the chest") \
    X(CHEST_TURN, "chest", DEGREES, "how far the chest is turned") \
    X(HEAD_LAG, "head lag", SECONDS, "when the head bends most on the chest, behind the event") \
    X(HEAD_SWING, "head swing", DEGREES, "how far the head bends on the chest") \
    X(HEAD_OVER, "head over", DEGREES, "how far it then bends the other way") \
    X(ARM_LAG, "arm lag", SECONDS, "when an arm swings most against the chest, behind the event") \
    X(ARM_SWING, "arm swing", DEGREES, "how far an arm swings against the chest") \
    X(ARM_OVER, "arm over", DEGREES, "how far it then swings the other way") \
    X(QUIET, "quiet", SECONDS, "behind the event, until nothing is moved any more")

typedef enum scene_figure {
#define SCENE_FIGURE_ENUM(name, word, unit, sentence) SCENE_FIGURE_##name,
    SCENE_FIGURES(SCENE_FIGURE_ENUM)
#undef SCENE_FIGURE_ENUM
        SCENE_FIGURE_COUNT
} scene_figure;

// The figure's word, its unit ("degrees") and its sentence. Static.
const char *scene_figure_word(scene_figure figure);
const char *scene_figure_unit(scene_figure figure);
const char *scene_figure_sentence(scene_figure figure);

// A figure: the largest of its kind (of LOWEST and LOWEST_HAIR the least), and where it occurred.
typedef struct scene_reading {
    double value;   // degrees, millimetres or seconds; of SPEED degrees per second
    int32_t bone;   // vrm_human_bone, or -1
    uint32_t frame; // the first is 0
    bool known;     // false: this motion has no such figure (no bodies, no skirt, no event)
} scene_reading;

typedef struct scene_meter_report {
    scene_reading figures[SCENE_FIGURE_COUNT];
    uint32_t frames;
} scene_meter_report;

// The avatar and the options of a measurement.
typedef struct scene_meter_def {
    const vrm_avatar *avatar;   // required; must live as long as the meter
    const vrm_gltf *gltf;       // its document, for vertices; NULL: unknown. Only needed by scene_meter_create()
    const vrm_ragdoll_def *def; // for masses, limits and bodies; NULL: none. Must live as long as the meter
    double rate;                // frames per second
    double ground;              // height, metres
    double ground_speed;        // of the ground under a walk on the spot: the m/s that the walk would advance
    bool pokes;                 // check whether limbs penetrate each other and clothes: takes a millisecond per frame
} scene_meter_def;

typedef struct scene_meter scene_meter;

// NULL: out of memory.
scene_meter *scene_meter_create(const scene_meter_def *def);
void scene_meter_destroy(scene_meter *meter);

// Further data of a frame.
typedef struct scene_meter_bodies {
    const vrm_ragdoll_state *states; // of the definition's bodies, as the engine gave them
    vrm_dvec3 origin;                // of their positions
    uint64_t shown;                  // bit i: body i is shown exactly, not mixed with the animation
} scene_meter_bodies;

// Bodies that the instance shows exactly (simulated, mapping 1), for scene_meter_bodies.shown.
uint64_t scene_meter_shown_bodies(const vrm_instance *instance);
// A frame, as the outputs show it; `bodies` NULL: nothing is simulated. False: out of memory.
bool scene_meter_add(scene_meter *meter, const vrm_instance *instance, const scene_meter_bodies *bodies);

// Options of the evaluation of all frames.
typedef struct scene_meter_question {
    double event;                 // seconds at which the event happens to the figure; negative: none
    const scene_meter *reference; // frames of the same motion without the event; NULL: compare with the frame before it
    bool symmetric;               // left and right should be symmetric
    double from, to;              // range of seconds to examine; to 0: all
} scene_meter_question;

void scene_meter_read(const scene_meter *meter, const scene_meter_question *question, scene_meter_report *out);

// The largest differences between two meters' frames of the same avatar: rotations of joints (degrees; feet and their
// children separately) and their positions (millimetres).
typedef struct scene_meter_difference {
    double turn, foot_turn, way;
    int32_t turn_bone, foot_bone, way_bone;
    uint32_t turn_frame, foot_frame, way_frame;
} scene_meter_difference;

void scene_meter_compare(const scene_meter *a, const scene_meter *b, scene_meter_difference *out);

// Whether a loop closes: a joint's largest rotation (degrees) and displacement (millimetres, without travel over the
// ground) between the first and the last frame, and the largest change of its speed across the seam (degrees per
// second).
typedef struct scene_meter_seam {
    double turn, way, speed;
    int32_t turn_bone, way_bone, speed_bone;
} scene_meter_seam;

void scene_meter_close(const scene_meter *meter, scene_meter_seam *out);

// Header and a row of a Markdown table of the chosen figures (ended by SCENE_FIGURE_COUNT); NULL: of the most useful
// ones. To stdout.
void scene_meter_print_head(const scene_figure *figures);
void scene_meter_print_row(const char *name, const scene_meter_report *report, const scene_figure *figures);
// All known figures with the place of each. To stdout.
void scene_meter_print(const scene_meter_report *report, double rate);

#endif
