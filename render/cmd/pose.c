// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The body's pose and motion: built-in ones by name, or from a motion file.

#include "cmd.h"

#include <math.h>
#include <string.h>

// Rotations about the model's axes in degrees, applied in the order X, Y, Z.
typedef struct joint_turn {
    vrm_human_bone bone;
    float x, y, z;
} joint_turn;

static const joint_turn a_pose[] = {
    {VRM_HUMAN_BONE_LEFT_UPPER_ARM, 0, 0, -45},
    {VRM_HUMAN_BONE_RIGHT_UPPER_ARM, 0, 0, 45},
};

static const joint_turn relaxed_pose[] = {
    {VRM_HUMAN_BONE_LEFT_UPPER_ARM, 0, 0, -68},
    {VRM_HUMAN_BONE_RIGHT_UPPER_ARM, 0, 0, 68},
    {VRM_HUMAN_BONE_LEFT_LOWER_ARM, 0, -14, 0},
    {VRM_HUMAN_BONE_RIGHT_LOWER_ARM, 0, 14, 0},
};

static const joint_turn wave_pose[] = {
    {VRM_HUMAN_BONE_LEFT_UPPER_ARM, 0, 0, -66},
    {VRM_HUMAN_BONE_LEFT_LOWER_ARM, 0, -20, 0},
    {VRM_HUMAN_BONE_RIGHT_UPPER_ARM, 0, 20, 42},
    {VRM_HUMAN_BONE_RIGHT_LOWER_ARM, 0, 10, -122},
    {VRM_HUMAN_BONE_RIGHT_HAND, 0, 0, 8},
    {VRM_HUMAN_BONE_HEAD, 0, 4, -6},
    {VRM_HUMAN_BONE_CHEST, 0, 4, 1},
};

static vrm_quat multiply(vrm_quat a, vrm_quat b)
{
    return (vrm_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static void turn(vrm_instance *instance, const joint_turn *joint)
{
    const float half = 3.14159265f / 360.0f;
    const vrm_quat x = {sinf(joint->x * half), 0, 0, cosf(joint->x * half)};
    const vrm_quat y = {0, sinf(joint->y * half), 0, cosf(joint->y * half)};
    const vrm_quat z = {0, 0, sinf(joint->z * half), cosf(joint->z * half)};
    const vrm_quat rotation = multiply(multiply(x, y), z);
    (void)vrm_instance_set_normalized_rotation(instance, joint->bone, &rotation); // the avatar may lack the bone
}

static void bend_fingers(vrm_instance *instance)
{
    for (int bone = VRM_HUMAN_BONE_LEFT_INDEX_PROXIMAL; bone <= VRM_HUMAN_BONE_RIGHT_LITTLE_DISTAL; ++bone) {
        const bool left = bone <= VRM_HUMAN_BONE_LEFT_LITTLE_DISTAL;
        if (left || bone >= VRM_HUMAN_BONE_RIGHT_INDEX_PROXIMAL) {
            turn(instance, &(joint_turn){(vrm_human_bone)bone, 0, 0, left ? -12.6f : 12.6f});
        }
    }
}

static const struct {
    const char *name;
    const joint_turn *joints;
    uint32_t count;
    bool bent_fingers;
} poses[] = {{"relaxed", relaxed_pose, sizeof relaxed_pose / sizeof relaxed_pose[0], true}, {"t", NULL, 0, false},
    {"a", a_pose, sizeof a_pose / sizeof a_pose[0], false},
    {"wave", wave_pose, sizeof wave_pose / sizeof wave_pose[0], true}};
enum { POSE_COUNT = sizeof poses / sizeof poses[0] };

static void set_pose(vrm_instance *instance, int pose)
{
    vrm_instance_reset_pose(instance);
    for (uint32_t i = 0; i < poses[pose].count; ++i) {
        turn(instance, &poses[pose].joints[i]);
    }
    if (poses[pose].bent_fingers) {
        bend_fingers(instance);
    }
}

// --- files -----------------------------------------------------------------------------------------------------------

static int load_clip(stage *s, const char *option, const char *wanted, const char *words)
{
    if (strchr(wanted, '.') == NULL && strchr(wanted, '/') == NULL) {
        return cli_fail(
            s->job, CLI_EXIT_USAGE, "--%s %s: expected %s or a file (.vrma, .bvh, .glb)", option, wanted, words);
    }
    return cli_load_clip(s->job, wanted, NULL, &s->clip);
}

static int make_player(stage *s, bool still)
{
    vrm_clip_play_params play;
    vrm_clip_play_params_default(&play);
    play.speed = still ? 0.0f : 1.0f;
    play.wrap = s->figure->loop ? VRM_CLIP_WRAP_LOOP : VRM_CLIP_WRAP_HOLD;
    const vrm_result result = cli_play_clip(s->job, s->instance, s->clip, &play, &s->player);
    return result == VRM_SUCCESS ? CLI_EXIT_DONE : stage_failed(s, result);
}

static int load_own(stage *s)
{
    const vrm_result result = scene_glb_motion_begin(s->model.gltf, s->model.avatar, &s->own);
    const char *why = result == VRM_ERROR_NOT_FOUND     ? "the model's file has no animation"
                      : result == VRM_ERROR_UNSUPPORTED ? "/animations/0 has samplers that are neither LINEAR nor STEP"
                                                        : "/animations/0 cannot be read";
    return result == VRM_SUCCESS               ? CLI_EXIT_DONE
           : result == VRM_ERROR_OUT_OF_MEMORY ? stage_failed(s, result)
                                               : cli_fail(s->job, CLI_EXIT_ASSET, "--motion own: %s", why);
}

int pose_begin(stage *s)
{
    const char *motion = s->figure->motion != NULL ? s->figure->motion : "none";
    const char *pose = s->figure->pose != NULL ? s->figure->pose : poses[0].name;
    while (s->pose < POSE_COUNT && strcmp(poses[s->pose].name, pose) != 0) {
        ++s->pose;
    }
    int code = CLI_EXIT_DONE;
    s->moves = strcmp(motion, "none") != 0;
    if (strcmp(motion, "own") == 0) {
        code = load_own(s);
    } else if (s->moves) {
        code = cli_begin_motion(s->job, &s->model, motion, &s->motion, &s->clip);
    } else if (s->pose == POSE_COUNT) {
        code = load_clip(s, "pose", pose, "relaxed, t, a, wave");
    }
    return code == CLI_EXIT_DONE && s->clip != NULL ? make_player(s, !s->moves) : code;
}

void pose_end(stage *s)
{
    scene_glb_motion_end(s->own);
    vrm_clip_player_destroy(s->player);
    vrm_clip_release(s->clip);
    scene_stage_motion_end(&s->motion);
}

void pose_start(stage *s)
{
    if (s->player != NULL) {
        (void)vrm_clip_player_set_time(s->player, 0, 0.0);
    } else if (!s->moves) {
        set_pose(s->instance, s->pose);
    }
    pose_move(s, 0.0);
}

void pose_move(stage *s, double seconds)
{
    if (s->own != NULL) {
        const double length = scene_glb_motion_duration(s->own);
        const double moment = s->figure->loop && length > 0.0 ? fmod(seconds, length) : seconds;
        (void)scene_glb_motion_apply(s->own, s->instance, moment);
    } else if (s->moves && s->player == NULL) {
        scene_stage_motion_apply(&s->motion, s->instance, seconds);
    }
}

double pose_round(const stage *s)
{
    if (s->clip == NULL && s->own == NULL) {
        return s->moves && s->motion.clip != NULL && s->motion.duration > 0.0f ? (double)s->motion.duration : 1.0;
    }
    return pose_duration(s);
}

double pose_duration(const stage *s)
{
    vrm_clip_info info = {.struct_size = sizeof info};
    if (s->own != NULL) {
        info.duration = (float)scene_glb_motion_duration(s->own);
    } else if (s->clip != NULL) {
        vrm_clip_get_info(s->clip, &info);
    }
    return info.duration > 0.0f && s->moves ? fmin((double)info.duration, 3600.0) : 5.0;
}
