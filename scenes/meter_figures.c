// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Computes the measured numbers of a motion, called figures, from the frames that motion_meter.c has kept.

#include <math.h>

#include "meter_frames.h"
#include "ragdoll_scene.h"

static const float none = 1e29f;
// A hand, a foot or the head that has been off the ground for the first time, seconds, lands when it touches it. Its
// cuts up to the second time before and after count as those of a landing.
static const double landing_aloft = 0.1, landing_time = 0.05;

// The range of frames to examine.
typedef struct reading {
    const scene_meter *meter;
    const scene_meter_question *question;
    scene_meter_report *out;
    uint32_t first, last; // inclusive
} reading;

static const meter_frame *frame_at(const reading *r, uint32_t frame)
{
    return &r->meter->frames[frame];
}

// Keeps a value that is larger than the one kept so far.
static void keep(const reading *r, scene_figure figure, double value, int32_t bone, uint32_t frame)
{
    scene_reading *at = &r->out->figures[figure];
    if (!at->known || value > at->value) {
        *at = (scene_reading){value, bone, frame, true};
    }
}

// Facial bones are ignored: look-at and expressions move them, and they may jump.
static bool is_of_body(int bone)
{
    return bone != VRM_HUMAN_BONE_LEFT_EYE && bone != VRM_HUMAN_BONE_RIGHT_EYE && bone != VRM_HUMAN_BONE_JAW;
}

static double length_between(vrm_vec3 a, vrm_vec3 b)
{
    return (double)vrmi_vec3_length(vrmi_vec3_sub(b, a));
}

// --- cuts ----------------------------------------------------------------------------------------------------------

// Returns the size of a cut in four consecutive steps of a joint. A cut is either one large step, steps[1], or a jump
// in steps[1] that steps[2] reverses.
static double cut_of(const double steps[4], double across)
{
    const double beside = fmax(steps[0], steps[2]);
    const double there = steps[1] - beside;
    // A jump and its reversal: both steps are large, but together they change little.
    const double back = fmin(steps[1], steps[2]) - fmax(fmax(steps[0], steps[3]), across);
    return fmax(there, back);
}

// Returns the body of a hand, a foot or the head that moves the bone; -1 for all other bones.
static int32_t end_above(const scene_meter *meter, int bone)
{
    const vrm_ragdoll_def *def = meter->def.def;
    const int32_t body = def != NULL ? scene_ragdoll_body_above(def, bone) : -1;
    const vrm_human_bone own = body >= 0 ? def->bodies[body].bone : VRM_HUMAN_BONE_HIPS;
    const bool is_end = own == VRM_HUMAN_BONE_HEAD || own == VRM_HUMAN_BONE_LEFT_HAND ||
                        own == VRM_HUMAN_BONE_RIGHT_HAND || own == VRM_HUMAN_BONE_LEFT_FOOT ||
                        own == VRM_HUMAN_BONE_RIGHT_FOOT;
    return is_end ? body : -1;
}

// Whether a body lands in a frame: it touches the ground after it has been off the ground.
static bool lands_in(const reading *r, int32_t body, uint32_t frame)
{
    const uint32_t aloft = (uint32_t)(landing_aloft * r->meter->def.rate + 0.5);
    bool lands = frame >= r->first + aloft && frame <= r->last && (frame_at(r, frame)->touching >> body & 1) != 0;
    for (uint32_t i = 1; lands && i <= aloft; ++i) {
        lands = (frame_at(r, frame - i)->touching >> body & 1) == 0;
    }
    return lands;
}

// Whether a frame is near the landing of a body.
static bool lands_about(const reading *r, int32_t body, uint32_t frame)
{
    const uint32_t around = (uint32_t)(landing_time * r->meter->def.rate + 0.5);
    bool lands = false;
    for (uint32_t i = frame > around ? frame - around : 0; body >= 0 && i <= frame + around && !lands; ++i) {
        lands = lands_in(r, body, i);
    }
    return lands;
}

static void keep_cuts(const reading *r, double turn, double way, int bone, int32_t end, uint32_t frame)
{
    keep(r, SCENE_FIGURE_CUT_TURN, turn, bone, frame);
    keep(r, SCENE_FIGURE_CUT_WAY, way, bone, frame);
    // Most cuts are small, and a landing takes long to look for.
    const bool small = turn <= 0.0 && way <= 0.0;
    const bool lands = !small && lands_about(r, end, frame);
    keep(r, lands ? SCENE_FIGURE_LANDING_CUT_TURN : SCENE_FIGURE_OTHER_CUT_TURN, turn, bone, frame);
    keep(r, lands ? SCENE_FIGURE_LANDING_CUT_WAY : SCENE_FIGURE_OTHER_CUT_WAY, way, bone, frame);
}

static void read_cuts(const reading *r)
{
    for (int bone = 0; bone < METER_BONES; ++bone) {
        if (!r->meter->there[bone] || !is_of_body(bone)) {
            continue;
        }
        const int32_t end = end_above(r->meter, bone);
        for (uint32_t i = r->first + 2; i + 2 <= r->last; ++i) { // a cut is a jump in the step from i - 1 to i
            double turns[4], ways[4];
            vrm_quat locals[5];
            for (uint32_t k = 0; k < 5; ++k) {
                locals[k] = meter_local(r->meter, frame_at(r, i + k - 2), bone);
            }
            for (uint32_t k = 0; k < 4; ++k) {
                turns[k] = meter_degrees(meter_turn_between(locals[k], locals[k + 1]));
                ways[k] = length_between(frame_at(r, i + k - 2)->places[bone], frame_at(r, i + k - 1)->places[bone]);
            }
            const double turn_across = meter_degrees(meter_turn_between(locals[1], locals[3]));
            const double way_across =
                length_between(frame_at(r, i - 1)->places[bone], frame_at(r, i + 1)->places[bone]);
            keep_cuts(r, cut_of(turns, turn_across), 1000.0 * cut_of(ways, way_across), bone, end, i);
        }
        for (uint32_t i = r->first + 1; i <= r->last; ++i) {
            const vrm_quat step = meter_turn_between(
                meter_local(r->meter, frame_at(r, i - 1), bone), meter_local(r->meter, frame_at(r, i), bone));
            keep(r, SCENE_FIGURE_SPEED, meter_degrees(step) * r->meter->def.rate, bone, i);
        }
    }
}

// Returns the rotation of a bone in a frame of the reference; 0 if there is none.
static double reference_step(const reading *r, uint32_t i, int bone)
{
    const scene_meter *reference = r->question->reference;
    if (reference == NULL || i >= reference->count) {
        return 0.0;
    }
    return meter_degrees(meter_turn_between(
        meter_local(reference, &reference->frames[i - 1], bone), meter_local(reference, &reference->frames[i], bone)));
}

// Bones without a body may continue to move with the animation, but must not start to move, unless they do so in the
// same motion without the event.
static void read_bodiless(const reading *r, uint32_t i, double body_step)
{
    for (int bone = 0; bone < METER_BONES; ++bone) {
        if (!r->meter->there[bone] || !is_of_body(bone) ||
            scene_ragdoll_body(r->meter->def.def, (vrm_human_bone)bone) >= 0 || i < r->first + 2) {
            continue;
        }
        double steps[2];
        for (uint32_t k = 0; k < 2; ++k) {
            steps[k] = meter_degrees(meter_turn_between(meter_local(r->meter, frame_at(r, i - 2 + k), bone),
                meter_local(r->meter, frame_at(r, i - 1 + k), bone)));
        }
        const double animated = reference_step(r, i, bone);
        keep(r, SCENE_FIGURE_BEYOND_TURN, steps[1] - fmax(fmax(steps[0], body_step), animated), bone, i);
    }
}

static void read_bodies(const reading *r)
{
    const vrm_ragdoll_def *def = r->meter->def.def;
    for (uint32_t i = r->first; i <= r->last && def != NULL; ++i) {
        const meter_frame *now = frame_at(r, i);
        double largest = 0.0;
        for (uint32_t b = 0; b < def->body_count && now->simulated; ++b) {
            const bool shown = (now->shown >> b & 1) != 0;
            if (shown) {
                keep(r, SCENE_FIGURE_OFF_TURN,
                    meter_degrees(meter_turn_between(now->body_turns[b], now->shown_turns[b])),
                    (int32_t)def->bodies[b].bone, i);
                keep(r, SCENE_FIGURE_OFF_WAY, 1000.0 * length_between(now->body_places[b], now->shown_places[b]),
                    (int32_t)def->bodies[b].bone, i);
            }
            const meter_frame *before = i > r->first ? frame_at(r, i - 1) : now;
            if (!before->simulated || !shown || (before->shown >> b & 1) == 0) {
                continue;
            }
            const vrm_quat step = meter_turn_between(before->body_turns[b], now->body_turns[b]);
            const vrm_quat seen = meter_turn_between(before->shown_turns[b], now->shown_turns[b]);
            const vrm_vec3 way = vrmi_vec3_sub(now->body_places[b], before->body_places[b]);
            const vrm_vec3 seen_way = vrmi_vec3_sub(now->shown_places[b], before->shown_places[b]);
            largest = fmax(largest, meter_degrees(step));
            keep(r, SCENE_FIGURE_BODY_STEP, meter_degrees(step), (int32_t)def->bodies[b].bone, i);
            keep(r, SCENE_FIGURE_BEYOND_TURN, meter_degrees(meter_turn_between(step, seen)),
                (int32_t)def->bodies[b].bone, i);
            keep(r, SCENE_FIGURE_BEYOND_WAY, 1000.0 * length_between(way, seen_way), (int32_t)def->bodies[b].bone, i);
        }
        if (now->simulated && now->shown != 0) {
            read_bodiless(r, i, largest);
        }
    }
}

static void read_limits(const reading *r)
{
    const vrm_ragdoll_def *def = r->meter->def.def;
    for (uint32_t i = r->first; i <= r->last && def != NULL; ++i) {
        const meter_frame *frame = frame_at(r, i);
        for (uint32_t b = 1; b < def->body_count; ++b) {
            const vrm_ragdoll_body *body = &def->bodies[b];
            const double beyond =
                scene_ragdoll_beyond_limit(&body->joint, frame->shown_turns[body->parent], frame->shown_turns[b]);
            keep(r, SCENE_FIGURE_LIMIT, beyond, (int32_t)body->bone, i);
        }
    }
}

// --- symmetry ------------------------------------------------------------------------------------------------------

static vrm_human_bone mirrored(int bone)
{
    if (bone >= VRM_HUMAN_BONE_LEFT_UPPER_LEG && bone <= VRM_HUMAN_BONE_LEFT_TOES) {
        return (vrm_human_bone)(bone + VRM_HUMAN_BONE_RIGHT_UPPER_LEG - VRM_HUMAN_BONE_LEFT_UPPER_LEG);
    }
    if (bone >= VRM_HUMAN_BONE_LEFT_SHOULDER && bone <= VRM_HUMAN_BONE_LEFT_HAND) {
        return (vrm_human_bone)(bone + VRM_HUMAN_BONE_RIGHT_SHOULDER - VRM_HUMAN_BONE_LEFT_SHOULDER);
    }
    return (vrm_human_bone)bone; // for bones in the middle; fingers are ignored
}

static bool has_mirror(int bone)
{
    return bone <= VRM_HUMAN_BONE_HEAD || mirrored(bone) != (vrm_human_bone)bone;
}

static vrm_quat mirror_turn(vrm_quat q)
{
    return (vrm_quat){q.x, -q.y, -q.z, q.w};
}

// Returns a bone's position in the root's axes, which define left and right.
static vrm_vec3 place_in_root(const meter_frame *frame, int bone)
{
    return vrmi_quat_rotate(vrmi_quat_conjugate(frame->root_turn), vrmi_vec3_sub(frame->places[bone], frame->root));
}

static void read_symmetry(const reading *r)
{
    const scene_meter *mirror = r->question->mirrored != NULL ? r->question->mirrored : r->meter;
    for (int bone = 0; bone < METER_BONES && r->question->symmetric; ++bone) {
        const vrm_human_bone other = mirrored(bone);
        if (!has_mirror(bone) || !r->meter->there[bone] || !r->meter->there[other]) {
            continue;
        }
        for (uint32_t i = r->first; i <= r->last && i < mirror->count; ++i) {
            const meter_frame *frame = frame_at(r, i), *beside = &mirror->frames[i];
            vrm_quat turn = meter_local(r->meter, frame, bone), other_turn = meter_local(mirror, beside, (int)other);
            if (bone == VRM_HUMAN_BONE_HIPS) {
                turn = vrmi_quat_mul(vrmi_quat_conjugate(frame->root_turn), turn);
                other_turn = vrmi_quat_mul(vrmi_quat_conjugate(beside->root_turn), other_turn);
            }
            vrm_vec3 place = place_in_root(beside, (int)other);
            place.x = -place.x;
            keep(
                r, SCENE_FIGURE_UNEVEN_TURN, meter_degrees(meter_turn_between(mirror_turn(other_turn), turn)), bone, i);
            keep(r, SCENE_FIGURE_UNEVEN_WAY, 1000.0 * length_between(place_in_root(frame, bone), place), bone, i);
        }
    }
}

static void read_heights(const reading *r)
{
    for (uint32_t i = r->first; i <= r->last; ++i) {
        const meter_frame *f = frame_at(r, i);
        scene_reading *low = &r->out->figures[SCENE_FIGURE_LOWEST], *hair = &r->out->figures[SCENE_FIGURE_LOWEST_HAIR];
        const double lowest = 1000.0 * (double)f->lowest, lowest_hair = 1000.0 * (double)f->lowest_hair;
        if (f->lowest < none && (!low->known || lowest < low->value)) {
            *low = (scene_reading){lowest, f->lowest_bone, i, true};
        }
        if (f->lowest_hair < none && (!hair->known || lowest_hair < hair->value)) {
            *hair = (scene_reading){lowest_hair, -1, i, true};
        }
        if (f->arm_poke >= 0.0f) {
            keep(r, SCENE_FIGURE_ARM_POKE, 1000.0 * (double)f->arm_poke, f->arm_bone, i);
        }
        if (f->skirt_poke >= 0.0f) {
            keep(r, SCENE_FIGURE_SKIRT_POKE, 1000.0 * (double)f->skirt_poke, f->skirt_bone, i);
        }
    }
}

// --- feet and support ----------------------------------------------------------------------------------------------

// Velocity and acceleration of the mass centre, from three frames before and after. Returns false at the ends.
static bool read_centre(const reading *r, uint32_t frame, vrm_vec3 *out_speed, vrm_vec3 *out_acceleration)
{
    if (frame < r->first + 3 || frame + 3 > r->last) {
        return false;
    }
    const float rate = (float)r->meter->def.rate / 3.0f;
    const vrm_vec3 here = frame_at(r, frame)->mass_centre;
    const vrm_vec3 before = vrmi_vec3_scale(vrmi_vec3_sub(here, frame_at(r, frame - 3)->mass_centre), rate);
    const vrm_vec3 after = vrmi_vec3_scale(vrmi_vec3_sub(frame_at(r, frame + 3)->mass_centre, here), rate);
    *out_speed = vrmi_vec3_lerp(before, after, 0.5f);
    *out_acceleration = vrmi_vec3_scale(vrmi_vec3_sub(after, before), rate);
    return true;
}

static bool falls(const reading *r, uint32_t frame)
{
    vrm_vec3 speed, acceleration;
    return read_centre(r, frame, &speed, &acceleration) && (speed.y < -0.3f || acceleration.y < -5.0f);
}

// Whether a fall begins in a frame or has begun: the mass centre sinks from this frame on until it falls.
static bool begins_to_fall(const reading *r, uint32_t frame)
{
    uint32_t i = frame;
    while (i < r->last && !falls(r, i) && frame_at(r, i + 1)->mass_centre.y < frame_at(r, i)->mass_centre.y) {
        ++i;
    }
    return falls(r, i);
}

// Whether the figure is hit or thrown: no foot on the ground can give it such an acceleration, or hold against it.
static bool is_thrown(const reading *r, uint32_t frame)
{
    vrm_vec3 speed, acceleration;
    return read_centre(r, frame, &speed, &acceleration) && vrmi_vec3_length(acceleration) > 5.0f;
}

// Whether the mass centre is so far beside the support area that nothing explains why the figure stands.
static bool is_beside_support(const reading *r, uint32_t frame)
{
    return frame_at(r, frame)->outside > 0.16f * r->meter->size;
}

// Whether a point of a sole touches the ground. It touches the ground if it is on it, or if it is one of the lowest
// points and nearly on the ground, since a figure may float a little.
static bool touches(const reading *r, uint32_t frame, int sole)
{
    const meter_frame *f = frame_at(r, frame);
    const float ground = (float)(r->meter->def.ground - r->meter->origin.y), close = 0.004f * r->meter->size;
    float lowest = none;
    for (int i = 0; i < METER_SOLES; ++i) {
        lowest = fminf(lowest, f->soles[i].y - ground);
    }
    const float height = f->soles[sole].y - ground;
    const float hips = f->places[VRM_HUMAN_BONE_HIPS].y - ground;
    // The height of the hips excludes figures that lie or kneel.
    return hips > 0.5f * r->meter->size && lowest < 0.02f * r->meter->size &&
           (height < close || height < lowest + close);
}

// Whether the figure stands on its feet.
static bool is_carried(const reading *r, uint32_t frame)
{
    return !is_beside_support(r, frame) && !begins_to_fall(r, frame) && !is_thrown(r, frame);
}

// Returns the position of a sole's point in the axes of the ground, which moves below a walk on the spot.
static vrm_vec3 on_ground(const reading *r, uint32_t frame, int sole)
{
    const meter_frame *f = frame_at(r, frame);
    const double went = r->meter->def.ground_speed * (double)frame / r->meter->def.rate;
    const vrm_vec3 ahead = vrmi_quat_rotate(f->root_turn, vrmi_vec3(0.0f, 0.0f, (float)went));
    vrm_vec3 place = vrmi_vec3_add(f->soles[sole], ahead);
    place.y = 0.0f;
    return place;
}

// Keeps the farthest ways of a sole's point from a frame since `since` to this frame.
static void keep_slide(const reading *r, scene_figure figure, int sole, uint32_t since, uint32_t frame)
{
    const vrm_vec3 here = on_ground(r, frame, sole);
    for (uint32_t k = since; k <= frame; ++k) {
        keep(r, figure, 1000.0 * length_between(on_ground(r, k, sole), here), (int32_t)r->meter->soles[sole].bone,
            frame);
    }
}

static void read_slides(const reading *r)
{
    for (int sole = 0; sole < METER_SOLES; ++sole) {
        uint32_t since = r->first, carried = r->first;
        for (uint32_t i = r->first; i <= r->last; ++i) {
            // The foot may still be moving in the first and the last frame of a contact.
            const bool inside = touches(r, i, sole) && i > r->first && touches(r, i - 1, sole) && i < r->last &&
                                touches(r, i + 1, sole);
            if (!inside) {
                since = carried = i + 1;
                continue;
            }
            keep_slide(r, SCENE_FIGURE_ANY_SLIDE, sole, since, i);
            if (is_carried(r, i)) {
                keep_slide(r, SCENE_FIGURE_SLIDE, sole, carried, i);
            } else {
                carried = i + 1;
            }
        }
    }
}

// Sums the time for which the mass centre is not above the support area although the figure does not fall. No physical
// cause explains such a motion.
static void read_support(const reading *r)
{
    double total = 0.0;
    uint32_t last = r->first;
    for (uint32_t i = r->first + 3; r->meter->skin != NULL && i + 3 <= r->last; ++i) {
        if (is_beside_support(r, i) && !falls(r, i)) {
            total += 1.0 / r->meter->def.rate;
            last = i;
        }
    }
    if (r->meter->skin != NULL) {
        keep(r, SCENE_FIGURE_UNSUPPORTED, total, -1, last);
    }
}

// --- what moves ----------------------------------------------------------------------------------------------------

static int chest_of(const scene_meter *meter)
{
    return meter->there[VRM_HUMAN_BONE_CHEST] ? VRM_HUMAN_BONE_CHEST : VRM_HUMAN_BONE_SPINE;
}

// Returns the frame to compare with: the frame of the reference if there is one, otherwise the frame before the event,
// otherwise the first frame.
static const meter_frame *compared(const reading *r, uint32_t frame)
{
    const scene_meter *reference = r->question->reference;
    if (reference != NULL && frame < reference->count) {
        return &reference->frames[frame];
    }
    const double event = r->question->event * r->meter->def.rate;
    const uint32_t at = event > 0.0 && event < (double)r->last ? (uint32_t)event : r->first;
    return frame_at(r, at);
}

static vrm_quat against_chest(const reading *r, const meter_frame *frame, int bone)
{
    return vrmi_quat_mul(vrmi_quat_conjugate(frame->turns[chest_of(r->meter)]), frame->turns[bone]);
}

// Returns the position of a bone in the chest's axes.
static vrm_vec3 place_on_chest(const reading *r, const meter_frame *frame, int bone)
{
    const int chest = chest_of(r->meter);
    return vrmi_quat_rotate(
        vrmi_quat_conjugate(frame->turns[chest]), vrmi_vec3_sub(frame->places[bone], frame->places[chest]));
}

static void read_ways(const reading *r, uint32_t from)
{
    const int chest = chest_of(r->meter);
    double hands[2] = {0.0, 0.0};
    for (uint32_t i = from; i <= r->last; ++i) {
        const meter_frame *now = frame_at(r, i), *then = compared(r, i);
        const int head = VRM_HUMAN_BONE_HEAD;
        keep(r, SCENE_FIGURE_HEAD_WAY, 1000.0 * length_between(then->places[head], now->places[head]), head, i);
        keep(r, SCENE_FIGURE_CHEST_TURN, meter_degrees(meter_turn_between(then->turns[chest], now->turns[chest])),
            chest, i);
        for (int side = 0; side < 2; ++side) {
            const int hand = side == 0 ? VRM_HUMAN_BONE_LEFT_HAND : VRM_HUMAN_BONE_RIGHT_HAND;
            hands[side] =
                fmax(hands[side], length_between(place_on_chest(r, then, hand), place_on_chest(r, now, hand)));
        }
    }
    keep(r, SCENE_FIGURE_HAND_WAY, 1000.0 * fmin(hands[0], hands[1]),
        hands[0] < hands[1] ? VRM_HUMAN_BONE_LEFT_HAND : VRM_HUMAN_BONE_RIGHT_HAND, r->last);
}

// Returns the rotation of a bone relative to the chest, as a rotation vector, beyond that of the frame to compare with.
static vrm_vec3 swing_at(const reading *r, uint32_t frame, int bone)
{
    return vrmi_quat_to_vector(
        meter_turn_between(against_chest(r, compared(r, frame), bone), against_chest(r, frame_at(r, frame), bone)));
}

// The figures of the swing of a bone relative to the chest.
typedef struct swing_figures {
    scene_figure lag, swing, over, again;
} swing_figures;

// Measures a swing. Swing is the largest rotation and lag is its time; over is the largest rotation in the other
// direction after it; again is the largest rotation in the first direction after that.
static void read_swing(const reading *r, uint32_t from, int bone, const swing_figures *figures)
{
    double most = 0.0, over = 0.0, again = 0.0;
    uint32_t at = from, back = from;
    vrm_vec3 direction = {0.0f, 0.0f, 0.0f};
    for (uint32_t i = from; i <= r->last; ++i) {
        const vrm_vec3 swing = swing_at(r, i, bone);
        const double size = (double)vrmi_vec3_length(swing) * 57.29577951308232;
        if (size > most) {
            most = size;
            direction = vrmi_vec3_normalize_or(swing, direction);
            at = back = i;
        }
    }
    for (uint32_t i = at; i <= r->last; ++i) {
        const double other = -(double)vrmi_vec3_dot(swing_at(r, i, bone), direction) * 57.29577951308232;
        back = other > over ? i : back;
        over = fmax(over, other);
    }
    for (uint32_t i = back; i <= r->last && over > 0.0; ++i) {
        again = fmax(again, (double)vrmi_vec3_dot(swing_at(r, i, bone), direction) * 57.29577951308232);
    }
    scene_reading *out = r->out->figures;
    if (!out[figures->swing].known || most > out[figures->swing].value) {
        out[figures->lag] = (scene_reading){((double)at + 1.0 - from) / r->meter->def.rate, bone, at, true};
        out[figures->swing] = (scene_reading){most, bone, at, true};
        out[figures->over] = (scene_reading){over, bone, back, true};
        out[figures->again] = (scene_reading){again, bone, r->last, true};
    }
}

// Finds the last time at which the distance of a joint from its reference changes by more than 5 cm per second.
static void read_quiet(const reading *r, uint32_t from)
{
    uint32_t last = from;
    int32_t by = -1;
    for (uint32_t i = from; i <= r->last && i > 0; ++i) {
        for (int bone = 0; bone < METER_BONES; ++bone) {
            if (!r->meter->there[bone] || !is_of_body(bone)) {
                continue;
            }
            const vrm_vec3 now = vrmi_vec3_sub(frame_at(r, i)->places[bone], compared(r, i)->places[bone]);
            const vrm_vec3 then = vrmi_vec3_sub(frame_at(r, i - 1)->places[bone], compared(r, i - 1)->places[bone]);
            if (length_between(then, now) * r->meter->def.rate > 0.05 * (double)r->meter->size) {
                last = i;
                by = bone;
            }
        }
    }
    keep(r, SCENE_FIGURE_QUIET, (double)(last - from) / r->meter->def.rate, by, last);
}

static void read_motion(const reading *r)
{
    static const swing_figures head = {
        SCENE_FIGURE_HEAD_LAG, SCENE_FIGURE_HEAD_SWING, SCENE_FIGURE_HEAD_OVER, SCENE_FIGURE_HEAD_AGAIN};
    static const swing_figures arm = {
        SCENE_FIGURE_ARM_LAG, SCENE_FIGURE_ARM_SWING, SCENE_FIGURE_ARM_OVER, SCENE_FIGURE_ARM_AGAIN};
    const double event = r->question->event * r->meter->def.rate;
    const bool happens = r->question->event >= 0.0 && event < (double)r->last;
    const uint32_t from = happens && event > (double)r->first ? (uint32_t)event + 1 : r->first;
    read_ways(r, from);
    if (happens) {
        read_swing(r, from, VRM_HUMAN_BONE_HEAD, &head);
        read_swing(r, from, VRM_HUMAN_BONE_LEFT_UPPER_ARM, &arm);
        read_swing(r, from, VRM_HUMAN_BONE_RIGHT_UPPER_ARM, &arm);
        read_quiet(r, from);
    }
}

void scene_meter_read(const scene_meter *meter, const scene_meter_question *question, scene_meter_report *out)
{
    *out = (scene_meter_report){.frames = meter->count};
    for (int i = 0; i < SCENE_FIGURE_COUNT; ++i) {
        out->figures[i].bone = -1;
    }
    if (meter->count == 0) {
        return;
    }
    reading r = {meter, question, out, 0, meter->count - 1};
    const double rate = meter->def.rate;
    if (question->from > 0.0) {
        r.first = (uint32_t)fmin(question->from * rate + 0.5, (double)r.last);
    }
    if (question->to > 0.0) {
        r.last = (uint32_t)fmax(fmin(question->to * rate + 0.5, (double)r.last), (double)r.first);
    }
    read_cuts(&r);
    read_bodies(&r);
    read_limits(&r);
    read_symmetry(&r);
    read_heights(&r);
    read_slides(&r);
    read_support(&r);
    read_motion(&r);
}

// --- two motions, and the seam of a loop
// ------------------------------------------------------------------------------

static bool is_foot(int bone)
{
    return bone == VRM_HUMAN_BONE_LEFT_FOOT || bone == VRM_HUMAN_BONE_LEFT_TOES || bone == VRM_HUMAN_BONE_RIGHT_FOOT ||
           bone == VRM_HUMAN_BONE_RIGHT_TOES;
}

static void keep_largest(double value, int bone, uint32_t frame, double *most, int32_t *at, uint32_t *when)
{
    if (value > *most) {
        *most = value;
        *at = bone;
        *when = frame;
    }
}

void scene_meter_compare(const scene_meter *a, const scene_meter *b, scene_meter_difference *out)
{
    *out = (scene_meter_difference){.turn_bone = -1, .foot_bone = -1, .way_bone = -1};
    for (uint32_t i = 0; i < a->count && i < b->count; ++i) {
        for (int bone = 0; bone < METER_BONES; ++bone) {
            if (!a->there[bone] || !is_of_body(bone)) {
                continue;
            }
            const double turn = meter_degrees(
                meter_turn_between(meter_local(a, &a->frames[i], bone), meter_local(b, &b->frames[i], bone)));
            if (is_foot(bone)) {
                keep_largest(turn, bone, i, &out->foot_turn, &out->foot_bone, &out->foot_frame);
            } else {
                keep_largest(turn, bone, i, &out->turn, &out->turn_bone, &out->turn_frame);
            }
            keep_largest(1000.0 * length_between(a->frames[i].places[bone], b->frames[i].places[bone]), bone, i,
                &out->way, &out->way_bone, &out->way_frame);
        }
    }
}

void scene_meter_close(const scene_meter *meter, scene_meter_seam *out)
{
    *out = (scene_meter_seam){.turn_bone = -1, .way_bone = -1, .speed_bone = -1};
    if (meter->count < 3) {
        return;
    }
    const meter_frame *first = &meter->frames[0], *second = &meter->frames[1], *last = &meter->frames[meter->count - 1],
                      *before = &meter->frames[meter->count - 2];
    vrm_vec3 went = vrmi_vec3_sub(last->places[VRM_HUMAN_BONE_HIPS], first->places[VRM_HUMAN_BONE_HIPS]);
    went.y = 0.0f;
    uint32_t unused;
    for (int bone = 0; bone < METER_BONES; ++bone) {
        if (!meter->there[bone] || !is_of_body(bone)) {
            continue;
        }
        const vrm_quat begin = meter_local(meter, first, bone), end = meter_local(meter, last, bone);
        const vrm_vec3 on = vrmi_quat_to_vector(meter_turn_between(begin, meter_local(meter, second, bone)));
        const vrm_vec3 off = vrmi_quat_to_vector(meter_turn_between(meter_local(meter, before, bone), end));
        keep_largest(meter_degrees(meter_turn_between(begin, end)), bone, 0, &out->turn, &out->turn_bone, &unused);
        keep_largest(1000.0 * length_between(vrmi_vec3_add(first->places[bone], went), last->places[bone]), bone, 0,
            &out->way, &out->way_bone, &unused);
        keep_largest(length_between(on, off) * 57.29577951308232 * meter->def.rate, bone, 0, &out->speed,
            &out->speed_bone, &unused);
    }
}
