// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The look chain in the frame: bones and target become a problem for the solver, its answer goes into the output pose by
// blend speed and weight, and what is left for the eyes goes to the look-at stage.

#include "base/checks.h"
#include "runtime/core/hierarchy.h"
#include "runtime/stages.h"

// --- before the solver ---------------------------------------------------------------------------------------------

static void begin(vrmi_look_frame *f)
{
    vrm_instance *instance = f->instance;
    const vrmi_look_chain *chain = f->chain;
    f->eyes = instance->look_bones[0].node == VRM_LOOK_CHAIN_EYES;
    f->first = f->eyes ? 1 : 0;
    f->aiming = instance->gaze.mode == VRMI_GAZE_TARGET;
    f->driven = f->aiming || chain->oriented;
    vrmi_eye_limits_of(instance->model, &chain->def, &f->eye_limits);
    f->top = chain->bone_count > f->first ? (uint32_t)instance->look_bones[chain->bone_count - 1].node : UINT32_MAX;
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

// How far the target has jumped since the last update, in radians.
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

// --- the pose wanted -----------------------------------------------------------------------------------------------

// Bones turn by their shares of the orientation, each in the model's axes as its parent has them; the shares come
// together to the whole, because all turn about one axis.
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

// Of what the first bone looks at, from the target itself. All in the world.
static float error_of(const vrmi_look_frame *f, vrm_vec3 forward)
{
    const vrm_vec3 way = vrmi_vec3_sub(f->target, f->problem.bones[0].position);
    return f->problem.degenerate ? 0.0f : angle_between(forward, vrmi_vec3_normalize_or(way, forward));
}

// Where the eyes should look when the other bones are where the solver wants them. By default the eyes are asked once more
// and with hard limits: the soft ones only say how much the others help.
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

// --- time ----------------------------------------------------------------------------------------------------------

static float blend_part(const vrmi_look_chain *chain, float dt)
{
    return chain->def.blend_speed > 0.0f ? 1.0f - vrmi_exp(-chain->def.blend_speed * dt) : 1.0f;
}

static float faded(float now, float goal, float part)
{
    const float next = now + (goal - now) * part;
    return vrmi_abs(goal - next) < 1e-5f ? goal : next;
}

static void begin_move(vrmi_look_frame *f)
{
    vrmi_look_chain *chain = f->chain;
    float farthest = 0.0f;
    for (uint32_t i = f->first; i < chain->bone_count; ++i) {
        vrmi_look_bone *bone = &f->instance->look_bones[i];
        bone->from = bone->shown;
        const float cosine = vrmi_abs(vrmi_quat_dot(bone->from, f->problem.bones[i].local));
        farthest = vrmi_max(farthest, 2.0f * vrmi_acos(cosine));
    }
    chain->moving = true;
    chain->move_time = 0.0f;
    // A minimum-jerk movement is at its fastest 15/8 of its mean speed.
    chain->move_duration = vrmi_max(0.1f, 1.875f * farthest / chain->def.head_speed);
}

static float apart(vrm_quat a, vrm_quat b)
{
    const vrm_quat d = {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
    return vrmi_sqrt(vrmi_quat_dot(d, d));
}

// The look-at pose of this update, before weight.
static void show(vrmi_look_frame *f, float dt)
{
    vrmi_look_chain *chain = f->chain;
    const float part = blend_part(chain, dt);
    float way = part;
    const bool moves = chain->moving;
    if (moves) {
        chain->move_time += dt;
        const float t = vrmi_clamp((chain->move_time - chain->def.head_delay) / chain->move_duration, 0.0f, 1.0f);
        way = t * t * t * (10.0f + t * (6.0f * t - 15.0f));
        chain->moving = t < 1.0f;
    }
    for (uint32_t i = f->first; i < chain->bone_count; ++i) {
        vrmi_look_bone *bone = &f->instance->look_bones[i];
        const vrm_quat solved = f->problem.bones[i].local, before = bone->shown;
        if (!chain->started) {
            bone->shown = solved;
        } else if (moves || way > 0.0f) { // no time: not even rounding
            bone->shown = vrmi_quat_slerp(moves ? bone->from : bone->shown, solved, way);
        }
        chain->way = vrmi_max(chain->way, apart(before, bone->shown));
    }
}

// Eyes that make saccades are asked again with the head where it is now, and go there as fast as they may.
static void move_eyes(vrmi_look_frame *f, float goal_x, float goal_y, float dt)
{
    vrmi_look_chain *chain = f->chain;
    if (!chain->started) {
        chain->eye_x = goal_x;
        chain->eye_y = goal_y;
        return;
    }
    const bool saccade = chain->def.saccade && chain->def.mode == VRM_LOOK_CHAIN_MODE_DEFAULT;
    if (!saccade) {
        const float part = blend_part(chain, dt);
        chain->eye_x += (goal_x - chain->eye_x) * part;
        chain->eye_y += (goal_y - chain->eye_y) * part;
        return;
    }
    goal_x = chain->then_x;
    goal_y = chain->then_y;
    vrmi_eye_clamp(&f->eye_limits.limits, &goal_x, &goal_y);
    const float x = goal_x - chain->eye_x, y = goal_y - chain->eye_y;
    const float far = vrmi_sqrt(x * x + y * y), step = chain->def.saccade_speed * dt;
    const float part = far > step ? step / far : 1.0f;
    chain->eye_x += x * part;
    chain->eye_y += y * part;
}

// --- after the solver ----------------------------------------------------------------------------------------------

// A linked bone turns in the world by what its bone turns against its own parent.
static void turn_links(vrmi_look_frame *f, uint32_t index)
{
    vrm_instance *instance = f->instance;
    const vrmi_look_bone *bone = &instance->look_bones[index];
    const vrm_quat parent = vrmi_hierarchy_parent_rotation(instance, (uint32_t)bone->node);
    const vrm_quat turned = vrmi_quat_mul(bone->shown, vrmi_quat_conjugate(f->base[index]));
    const vrm_quat in_world = vrmi_quat_mul(vrmi_quat_mul(parent, turned), vrmi_quat_conjugate(parent));
    for (uint32_t l = 0; l < bone->link_count; ++l) {
        const vrmi_look_link_row *link = &instance->look_links[bone->first_link + l];
        const vrm_quat held = vrmi_hierarchy_parent_rotation(instance, (uint32_t)link->node);
        const vrm_quat in_parent = vrmi_quat_mul(vrmi_quat_mul(vrmi_quat_conjugate(held), in_world), held);
        vrm_quat *rotation = &vrmi_local(instance, link->node)->rotation;
        const vrm_quat from = link->reset ? vrmi_look_rest(instance, link->node) : *rotation;
        const vrm_quat to = vrmi_quat_normalize(vrmi_quat_mul(in_parent, from));
        *rotation = vrmi_quat_slerp(*rotation, to, f->chain->weight * f->chain->mix);
        vrmi_hierarchy_update_subtree(instance, (uint32_t)link->node);
    }
}

static void apply(vrmi_look_frame *f)
{
    vrm_instance *instance = f->instance;
    const float weight = f->chain->weight * f->chain->mix;
    if (f->top == UINT32_MAX) {
        return;
    }
    for (uint32_t i = f->first; i < f->chain->bone_count; ++i) {
        const vrmi_look_bone *bone = &instance->look_bones[i];
        vrmi_local(instance, bone->node)->rotation =
            weight < 1.0f ? vrmi_quat_slerp(f->animated[i], bone->shown, weight) : bone->shown;
    }
    vrmi_hierarchy_update_subtree(instance, f->top);
    for (uint32_t i = f->chain->bone_count; i-- > f->first;) { // from above: links may hang on links
        if (instance->look_bones[i].link_count > 0 && weight > 0.0f) {
            turn_links(f, i);
        }
    }
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
        .fixed_maps = f->eyes ? f->eye_limits.fixed_maps : 0};
    for (uint32_t i = 0; f->aiming && i < f->problem.count; ++i) {
        state->at_limit |= (f->problem.bones[i].at_limit ? 1u : 0u) << i;
    }
    if (f->problem.degenerate) {
        f->instance->status |= VRM_STATUS_DEGENERATE;
    }
    chain->feed_mix = chain->weight * chain->eye_mix;
    chain->feeds_eyes = f->eyes && chain->feed_mix > 0.0f;
}

// The wanted pose of bones and eyes; how far the target has jumped.
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
        f->problem.target = f->target; // for whoever draws what is missed
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
        begin_move(f);
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
    vrmi_look_frame f = {.instance = instance, .chain = chain};
    const float mix = chain->mix, eye_mix = chain->eye_mix, eye_x = chain->eye_x, eye_y = chain->eye_y;
    chain->way = 0.0f;
    begin(&f);
    vrmi_look_gather(&f, chain->bone_count);
    float goal_x = 0.0f, goal_y = 0.0f;
    const float jump = solve(&f, &goal_x, &goal_y);
    beyond_the_article(&f, jump, dt);
    const float part = blend_part(chain, dt);
    const bool nothing_there = chain->mix <= 0.0f;
    chain->mix = chain->started ? faded(chain->mix, f.driven ? 1.0f : 0.0f, part) : (f.driven ? 1.0f : 0.0f);
    chain->eye_mix = chain->started ? faded(chain->eye_mix, f.aiming ? 1.0f : 0.0f, part) : (f.aiming ? 1.0f : 0.0f);
    // A target that comes when nothing is shown fades the pose in; it need not come from an old pose as well.
    const bool fresh = chain->started && nothing_there;
    chain->started = chain->started && !fresh;
    if (f.driven) {
        show(&f, dt);
    }
    apply(&f);
    if (f.aiming && f.eyes) {
        vrmi_eye_wanted(instance, vrmi_eye_middle(instance), &chain->then_x, &chain->then_y);
        move_eyes(&f, goal_x, goal_y, dt);
    }
    chain->way = vrmi_max(chain->way, vrmi_max(vrmi_abs(chain->mix - mix), vrmi_abs(chain->eye_mix - eye_mix)));
    chain->way = vrmi_max(chain->way, vrmi_max(vrmi_abs(chain->eye_x - eye_x), vrmi_abs(chain->eye_y - eye_y)));
    chain->started = true;
    keep_for_second_pass(&f);
    draw(&f);
    conclude(&f);
}

// --- after bodies were read back -----------------------------------------------------------------------------------

// Does a body turn it in this frame?
static bool is_driven(const vrm_instance *instance, int32_t node)
{
    return (instance->ragdoll_drives[node / 32] >> (node % 32) & 1u) != 0;
}

// How many bones from the eyes on no body drives, before the first that one does; 0 when there is no such one, since
// then nothing that they hang on has moved.
static uint32_t bones_to_ask_again(const vrmi_look_frame *f)
{
    for (uint32_t i = f->first; i < f->chain->bone_count; ++i) {
        if (is_driven(f->instance, f->instance->look_bones[i].node)) {
            return i - f->first;
        }
    }
    // The chain ends below what is driven, or nothing is.
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
    vrmi_look_frame f = {.instance = instance, .chain = chain, .aiming = true, .driven = true};
    f.eyes = instance->look_bones[0].node == VRM_LOOK_CHAIN_EYES;
    f.first = f.eyes ? 1 : 0;
    f.top = chain->bone_count > f.first ? (uint32_t)instance->look_bones[chain->bone_count - 1].node : UINT32_MAX;
    const uint32_t count = bones_to_ask_again(&f);
    if (count == 0) {
        return;
    }
    vrmi_eye_limits_of(instance->model, &chain->def, &f.eye_limits);
    f.top = (uint32_t)instance->look_bones[f.first + count - 1].node;
    for (uint32_t i = f.first; i < f.first + count; ++i) {
        const vrmi_look_bone *bone = &instance->look_bones[i];
        f.base[i] = bone->reset ? vrmi_look_rest(instance, bone->node) : bone->animated;
        vrmi_local(instance, bone->node)->rotation = f.base[i];
    }
    vrmi_hierarchy_update_subtree(instance, f.top);
    vrmi_look_gather(&f, f.first + count);
    vrmi_look_solve(&f.problem);
    // By as much as the answer has changed; time and blending are the first pass's.
    const float weight = chain->weight * chain->mix;
    for (uint32_t i = f.first; i < f.first + count; ++i) {
        const vrmi_look_bone *bone = &instance->look_bones[i];
        const vrm_quat change = vrmi_quat_mul(f.problem.bones[i].local, vrmi_quat_conjugate(bone->solved));
        const vrm_quat shown = vrmi_quat_normalize(vrmi_quat_mul(change, bone->shown));
        vrmi_local(instance, bone->node)->rotation = vrmi_quat_slerp(bone->animated, shown, weight);
    }
    vrmi_hierarchy_update_subtree(instance, f.top);
}
