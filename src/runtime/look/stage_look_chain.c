// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The look chain in a frame. Bones and target are the input of the solver. Its result is blended into the output pose
// by blend speed and weight, and the remaining rotation of the eyes is passed to the look-at stage.

#include "base/checks.h"
#include "runtime/core/hierarchy.h"
#include "runtime/core/output.h"
#include "runtime/stages.h"

// --- before the solver ---------------------------------------------------------------------------------------------

static vrmi_look_frame begin(vrm_instance *instance)
{
    vrmi_look_chain *chain = &instance->look;
    vrmi_look_frame f = {.instance = instance, .chain = chain};
    f.eyes = instance->look_bones[0].node == VRM_LOOK_CHAIN_EYES;
    f.expresses =
        (chain->has_eye[0] || chain->has_eye[1]) && instance->model->head.look_at.type == VRM_LOOK_AT_EXPRESSION;
    f.first = f.eyes ? 1 : 0;
    f.aiming = instance->gaze.mode == VRMI_GAZE_TARGET;
    f.driven = f.aiming || chain->oriented;
    vrmi_eye_limits_of(instance->model, &chain->def, &f.eye_limits);
    f.top = chain->bone_count > f.first ? (uint32_t)instance->look_bones[chain->bone_count - 1].node : UINT32_MAX;
    return f;
}

static void take_pose(vrmi_look_frame *f)
{
    vrm_instance *instance = f->instance;
    const vrmi_look_chain *chain = f->chain;
    for (uint32_t l = 0; l < chain->link_count; ++l) {
        instance->look_links[l].animated = vrmi_local(instance, instance->look_links[l].node)->rotation;
    }
    bool reset = false;
    for (uint32_t i = f->first; i < chain->bone_count; ++i) {
        const vrmi_look_bone *bone = &instance->look_bones[i];
        vrm_quat *rotation = &vrmi_local(instance, bone->node)->rotation;
        f->animated[i] = *rotation;
        if (bone->reset) {
            *rotation = vrmi_look_rest(instance, bone->node);
            reset = true;
        }
        f->base[i] = *rotation;
    }
    if (reset) {
        vrmi_hierarchy_update_subtree(instance, f->top);
    }
}

// Returns the angle in radians by which the target has moved since the last update.
static float jump_of_target(vrmi_look_frame *f)
{
    vrmi_look_chain *chain = f->chain;
    const vrm_vec3 ahead = {0.0f, 0.0f, 1.0f};
    const vrm_vec3 way = vrmi_quat_rotate(vrmi_quat_conjugate(f->instance->root.rotation),
        vrmi_vec3_sub(f->problem.target, f->problem.bones[0].position));
    const vrm_vec3 now = vrmi_vec3_normalize_or(way, ahead);
    const vrm_vec3 last = chain->has_last ? chain->last : now;
    chain->last = now;
    chain->has_last = true;
    return vrmi_atan2(vrmi_vec3_length(vrmi_vec3_cross(last, now)), vrmi_vec3_dot(last, now));
}

// --- the desired pose ------------------------------------------------------------------------------------------------

// Rotates each bone by a fraction of the orientation, in the model's axes as rotated by the bone's parent. The
// fractions add up to the whole rotation, because all have the same axis.
static void solve_orientation(vrmi_look_frame *f)
{
    const vrmi_look_chain *chain = f->chain;
    float shares = 0.0f;
    for (uint32_t i = f->first; i < chain->bone_count; ++i) {
        shares += f->instance->look_bones[i].orientation_share;
    }
    if (!(shares > 0.0f)) {
        return;
    }
    const vrm_quat roll = vrmi_quat_from_axis_angle(vrmi_vec3(0.0f, 0.0f, 1.0f), chain->roll);
    vrm_quat whole = vrmi_quat_mul(vrmi_quat_from_yaw_pitch(chain->yaw, chain->pitch), roll);
    whole = whole.w < 0.0f ? (vrm_quat){-whole.x, -whole.y, -whole.z, -whole.w} : whole;
    const vrm_vec3 v = {whole.x, whole.y, whole.z};
    const float angle = 2.0f * vrmi_atan2(vrmi_vec3_length(v), whole.w);
    const vrm_vec3 axis = vrmi_vec3_normalize_or(v, vrmi_vec3(0.0f, 1.0f, 0.0f));
    for (uint32_t i = f->first; i < chain->bone_count; ++i) {
        const vrmi_look_bone *bone = &f->instance->look_bones[i];
        vrmi_look_solve_bone *out = &f->problem.bones[i];
        const float most =
            bone->asymmetric ? vrmi_min(bone->limit_yaw, vrmi_min(bone->limit_up, bone->limit_down)) : bone->limit;
        const float part = vrmi_look_soften(angle * bone->orientation_share / shares, most, f->problem.soft);
        const vrm_quat turn = vrmi_quat_from_axis_angle(axis, part);
        const vrm_quat parent = vrmi_rest_parent_rotation(f->instance->model, (uint32_t)bone->node);
        const vrm_quat in_parent = vrmi_quat_mul(vrmi_quat_mul(vrmi_quat_conjugate(parent), turn), parent);
        out->local = vrmi_quat_normalize(vrmi_quat_mul(in_parent, f->base[i]));
    }
}

static float angle_between(vrm_vec3 a, vrm_vec3 b)
{
    return vrmi_atan2(vrmi_vec3_length(vrmi_vec3_cross(a, b)), vrmi_vec3_dot(a, b));
}

// Returns the angle between the first bone's line of sight and the target. All vectors are in the world.
static float error_of(const vrmi_look_frame *f, vrm_vec3 forward)
{
    const vrm_vec3 way = vrmi_vec3_sub(f->target, f->problem.bones[0].position);
    return f->problem.degenerate ? 0.0f : angle_between(forward, vrmi_vec3_normalize_or(way, forward));
}

// Computes the desired direction of the eyes, after the other bones have been solved. By default the eyes are solved
// again with hard limits, because the soft limits only decide how much the other bones help.
static void solve_eyes(vrmi_look_frame *f, float *out_x, float *out_y)
{
    const vrmi_look_solve_bone *eyes = &f->problem.bones[0];
    if (f->chain->def.mode == VRM_LOOK_CHAIN_MODE_ARTICLE) {
        vrmi_look_log(vrmi_quat_rotate(eyes->local, eyes->forward), out_x, out_y);
        return;
    }
    const vrm_vec3 ahead = {0.0f, 0.0f, 1.0f};
    const vrm_vec3 way = vrmi_vec3_sub(f->problem.target, eyes->position);
    const vrm_vec3 wanted = vrmi_vec3_normalize_or(vrmi_quat_rotate(vrmi_quat_conjugate(eyes->parent), way), ahead);
    vrmi_look_log(wanted, out_x, out_y);
    vrmi_eye_clamp(&f->eye_limits.limits, out_x, out_y);
    const vrm_vec3 there = vrmi_look_exp(*out_x, *out_y);
    f->problem.error = error_of(f, vrmi_quat_rotate(eyes->parent, there));
}

// --- after the solver ----------------------------------------------------------------------------------------------

// Sets a node's rotation, blended by weight. For an eye, also stores the full rotation: the look-at stage blends it
// with its own.
static void set_bone(vrmi_look_frame *f, int32_t node, vrm_quat animated, vrm_quat to)
{
    const float weight = f->chain->weight * f->chain->mix;
    const int side = vrmi_look_side_of(f->instance->model, node);
    if (side >= 0) {
        f->chain->eye_to[side] = to;
    }
    vrmi_local(f->instance, node)->rotation = side >= 0 && f->expresses ? animated
                                              : weight < 1.0f           ? vrmi_quat_slerp(animated, to, weight)
                                                                        : to;
}

// Rotates the linked bones in the world by the rotation of their bone relative to the bone's parent.
static void turn_links(vrmi_look_frame *f, uint32_t index, vrm_quat shown)
{
    vrm_instance *instance = f->instance;
    const vrmi_look_bone *bone = &instance->look_bones[index];
    const vrm_quat parent = vrmi_hierarchy_parent_rotation(instance, (uint32_t)bone->node);
    const vrm_quat turned = vrmi_quat_mul(shown, vrmi_quat_conjugate(f->base[index]));
    const vrm_quat in_world = vrmi_quat_mul(vrmi_quat_mul(parent, turned), vrmi_quat_conjugate(parent));
    for (uint32_t l = 0; l < bone->link_count; ++l) {
        const vrmi_look_link_row *link = &instance->look_links[bone->first_link + l];
        const vrm_quat held = vrmi_hierarchy_parent_rotation(instance, (uint32_t)link->node);
        const vrm_quat in_parent = vrmi_quat_mul(vrmi_quat_mul(vrmi_quat_conjugate(held), in_world), held);
        const vrm_quat from = link->reset ? vrmi_look_rest(instance, link->node) : link->animated;
        set_bone(f, link->node, link->animated, vrmi_quat_normalize(vrmi_quat_mul(in_parent, from)));
        vrmi_hierarchy_update_subtree(instance, (uint32_t)link->node);
    }
}

static void apply(vrmi_look_frame *f)
{
    vrm_instance *instance = f->instance;
    if (f->top == UINT32_MAX) {
        return;
    }
    for (uint32_t i = f->first; i < f->chain->bone_count; ++i) {
        const vrmi_look_bone *bone = &instance->look_bones[i];
        set_bone(f, bone->node, f->animated[i], bone->shown);
    }
    vrmi_hierarchy_update_subtree(instance, f->top);
    for (uint32_t i = f->chain->bone_count; i-- > f->first;) { // parents first: links may be nested
        if (instance->look_bones[i].link_count > 0 && f->chain->weight * f->chain->mix > 0.0f) {
            turn_links(f, i, instance->look_bones[i].shown);
        }
    }
}

// For an eye that expressions move: computes the direction that the eye's node would have.
static void take_eyes(vrmi_look_frame *f)
{
    vrm_instance *instance = f->instance;
    const vrmi_model *model = instance->model;
    vrm_vec3 origin;
    vrm_quat rotation;
    vrmi_look_at_space(instance, &origin, &rotation);
    const int first = vrmi_look_side_of(model, instance->look_bones[0].node);
    const int side = first >= 0 ? first : (f->chain->has_eye[0] ? 0 : 1);
    const uint32_t node =
        (uint32_t)model->head.bone_node[side == 0 ? VRM_HUMAN_BONE_LEFT_EYE : VRM_HUMAN_BONE_RIGHT_EYE];
    const vrm_quat world = vrmi_quat_mul(vrmi_hierarchy_parent_rotation(instance, node), f->chain->eye_to[side]);
    const vrm_vec3 ahead = {0.0f, 0.0f, 1.0f};
    const vrm_vec3 forward = vrmi_quat_rotate(vrmi_quat_conjugate(vrmi_model_node_rest_rotation(model)[node]), ahead);
    const vrm_vec3 seen = vrmi_quat_rotate(vrmi_quat_conjugate(rotation), vrmi_quat_rotate(world, forward));
    vrmi_look_log(vrmi_vec3_normalize_or(seen, ahead), &f->chain->eye_x, &f->chain->eye_y);
}

static void draw(vrmi_look_frame *f)
{
    f->chain->line_count = 0;
    if (!f->chain->def.draw_debug || !f->aiming || f->problem.degenerate) {
        return;
    }
    for (uint32_t i = 0; i < f->problem.count; ++i) {
        vrm_vec3 forward, target;
        vrmi_look_vectors(&f->problem, i, &forward, &target);
        const vrm_vec3 at = f->problem.bones[i].position;
        vrm_debug_line *lines = &f->instance->debug_lines[f->chain->line_count];
        lines[0] = (vrm_debug_line){at, vrmi_vec3_add(at, target), 0xff0000ffu};
        lines[1] = (vrm_debug_line){at, vrmi_vec3_add(at, forward), 0x00ff00ffu};
        f->chain->line_count += 2;
    }
}

static void conclude(vrmi_look_frame *f)
{
    vrmi_look_chain *chain = f->chain;
    vrm_look_chain_state *state = &chain->state;
    *state = (vrm_look_chain_state){.aiming = f->aiming,
        .error = f->aiming ? f->problem.error : 0.0f,
        .passes = f->problem.passes,
        .fixed_maps = f->eyes || f->expresses ? f->eye_limits.fixed_maps : 0};
    for (uint32_t i = 0; f->aiming && i < f->problem.count; ++i) {
        state->at_limit |= (f->problem.bones[i].at_limit ? 1u : 0u) << i;
    }
    if (f->problem.degenerate) {
        f->instance->status |= VRM_STATUS_DEGENERATE;
    }
    chain->has_eye_part = chain->weight * chain->mix;
    chain->feed_mix = chain->weight * (f->expresses ? chain->mix : chain->eye_mix);
    chain->feeds_eyes = (f->eyes || f->expresses) && chain->feed_mix > 0.0f;
}

// Solves the desired pose of bones and eyes. Returns the angle by which the target has jumped.
static float solve(vrmi_look_frame *f, float *out_eye_x, float *out_eye_y)
{
    float jump = 0.0f;
    if (f->aiming) {
        vrmi_look_keep_side(f);
        jump = jump_of_target(f);
        vrmi_look_solve(&f->problem);
        const vrmi_look_solve_bone *first = &f->problem.bones[0];
        f->problem.error = error_of(f, vrmi_quat_rotate(first->world, first->forward));
        if (f->eyes) {
            solve_eyes(f, out_eye_x, out_eye_y);
        }
        f->problem.target = f->target; // the debug lines then show the remaining error
    }
    if (f->chain->oriented) {
        solve_orientation(f);
    }
    return jump;
}

static void beyond_the_article(vrmi_look_frame *f, float jump, float dt)
{
    vrmi_look_chain *chain = f->chain;
    if (chain->def.mode == VRM_LOOK_CHAIN_MODE_ARTICLE || !f->aiming) {
        return;
    }
    if (chain->def.saccade && chain->started && jump > chain->def.saccade_threshold) {
        vrmi_look_begin_move(f);
    }
    if (chain->def.idle) {
        vrmi_look_chain_idle(chain, dt);
        if (chain->started && jump >= chain->def.blink_angle) {
            vrmi_blink_now(&f->instance->face.blink);
        }
    }
}

static void keep_for_second_pass(vrmi_look_frame *f)
{
    for (uint32_t i = f->first; i < f->chain->bone_count; ++i) {
        f->instance->look_bones[i].animated = f->animated[i];
        f->instance->look_bones[i].solved = f->problem.bones[i].local;
    }
}

void vrmi_stage_look_chain(vrm_instance *instance, float dt)
{
    vrmi_look_chain *chain = &instance->look;
    vrmi_look_chain_advance(chain, dt);
    if (chain->bone_count == 0 || (chain->weight <= 0.0f && !chain->in_transition)) {
        vrmi_look_chain_skip(chain);
        return;
    }
    if (instance->pose_changed) {
        vrmi_hierarchy_update(instance, 0, instance->model->node_parent.count);
        instance->pose_changed = false;
    }
    vrmi_look_frame f = begin(instance);
    const float mix = chain->mix, eye_mix = chain->eye_mix, eye_x = chain->eye_x, eye_y = chain->eye_y;
    chain->way = 0.0f;
    take_pose(&f);
    vrmi_look_gather(&f, chain->bone_count);
    float goal_x = 0.0f, goal_y = 0.0f;
    const float jump = solve(&f, &goal_x, &goal_y);
    beyond_the_article(&f, jump, dt);
    const float part = vrmi_look_blend_part(chain, dt);
    const bool nothing_there = chain->mix <= 0.0f;
    vrmi_look_fade(&f, dt);
    chain->eye_mix =
        chain->started ? vrmi_look_faded(chain->eye_mix, f.aiming ? 1.0f : 0.0f, part) : (f.aiming ? 1.0f : 0.0f);
    // A target that arrives while nothing is shown fades the pose in, so the pose itself need not start from an old
    // one.
    const bool fresh = chain->started && nothing_there;
    chain->started = chain->started && !fresh;
    vrmi_look_show(&f, dt);
    apply(&f);
    if (f.aiming && f.eyes) {
        vrmi_eye_wanted(instance, vrmi_eye_middle(instance), &chain->then_x, &chain->then_y);
        vrmi_look_move_eyes(&f, goal_x, goal_y, dt);
    } else if (f.expresses && chain->mix > 0.0f) {
        take_eyes(&f);
        if (f.aiming) {
            vrmi_eye_wanted(instance, vrmi_eye_middle(instance), &chain->then_x, &chain->then_y);
        }
    }
    chain->way = vrmi_max(chain->way, vrmi_max(vrmi_abs(chain->mix - mix), vrmi_abs(chain->eye_mix - eye_mix)));
    chain->way = vrmi_max(chain->way, vrmi_max(vrmi_abs(chain->eye_x - eye_x), vrmi_abs(chain->eye_y - eye_y)));
    chain->started = true;
    keep_for_second_pass(&f);
    draw(&f);
    conclude(&f);
}

// --- after bodies were read back -----------------------------------------------------------------------------------

// Returns true if a body drives the node in this frame.
static bool is_driven(const vrm_instance *instance, int32_t node)
{
    return (instance->ragdoll_drives[node / 32] >> (node % 32) & 1u) != 0;
}

// Returns the number of bones, from the eyes on, before the first bone that a body drives. If there is no such bone,
// returns all bones if a body drives an ancestor of the chain, else 0.
static uint32_t bones_to_ask_again(const vrmi_look_frame *f)
{
    for (uint32_t i = f->first; i < f->chain->bone_count; ++i) {
        if (is_driven(f->instance, f->instance->look_bones[i].node)) {
            return i - f->first;
        }
    }
    // No bone of the chain is driven; perhaps one of its ancestors is.
    const uint32_t top = f->top;
    const int32_t *parents = vrmi_model_node_parent(f->instance->model);
    for (int32_t node = top != UINT32_MAX ? parents[top] : -1; node >= 0; node = parents[node]) {
        if (is_driven(f->instance, node)) {
            return f->chain->bone_count - f->first;
        }
    }
    return 0;
}

void vrmi_stage_look_chain_again(vrm_instance *instance)
{
    vrmi_look_chain *chain = &instance->look;
    if (!vrmi_ragdoll_runs(&instance->ragdoll) || !instance->ragdoll.has_states || !chain->started ||
        chain->bone_count == 0 || instance->gaze.mode != VRMI_GAZE_TARGET) {
        return;
    }
    vrmi_look_frame f = begin(instance);
    const uint32_t count = bones_to_ask_again(&f);
    if (count == 0) {
        return;
    }
    f.top = (uint32_t)instance->look_bones[f.first + count - 1].node;
    for (uint32_t i = f.first; i < f.first + count; ++i) {
        const vrmi_look_bone *bone = &instance->look_bones[i];
        f.base[i] = bone->reset ? vrmi_look_rest(instance, bone->node) : bone->animated;
        vrmi_local(instance, bone->node)->rotation = f.base[i];
    }
    vrmi_hierarchy_update_subtree(instance, f.top);
    vrmi_look_gather(&f, f.first + count);
    vrmi_look_solve(&f.problem);
    // Applies only the change of the result, because the first pass has already applied time and blending.
    vrm_quat shown[VRM_LOOK_CHAIN_MAX_BONES];
    for (uint32_t i = f.first; i < f.first + count; ++i) {
        const vrmi_look_bone *bone = &instance->look_bones[i];
        const vrm_quat change = vrmi_quat_mul(f.problem.bones[i].local, vrmi_quat_conjugate(bone->solved));
        shown[i] = vrmi_quat_normalize(vrmi_quat_mul(change, bone->shown));
        set_bone(&f, bone->node, bone->animated, shown[i]);
    }
    vrmi_hierarchy_update_subtree(instance, f.top);
    for (uint32_t i = f.first + count; i-- > f.first;) {
        turn_links(&f, i, shown[i]);
    }
}
