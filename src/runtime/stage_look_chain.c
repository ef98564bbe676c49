// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The look chain in the frame: bones and target become a problem for the solver, its answer goes into the output pose by
// blend speed and weight, and what is left for the eyes goes to the look-at stage.

#include "base/checks.h"
#include "runtime/hierarchy.h"
#include "runtime/look_at_space.h"
#include "runtime/stages.h"

static const vrm_quat identity = {0.0f, 0.0f, 0.0f, 1.0f};

typedef struct look_frame {
    vrm_instance *instance;
    vrmi_look_chain *chain;
    bool aiming, driven; // there is a target; there is a target or an orientation
    bool eyes;           // the first bone is the avatar's eyes
    uint32_t first;      // first bone that is a node
    uint32_t top;        // node above which nothing turns
    vrmi_eye_limits eye_limits;
    vrm_quat animated[VRM_LOOK_CHAIN_MAX_BONES]; // the pose without the chain
    vrm_quat base[VRM_LOOK_CHAIN_MAX_BONES];     // where the chain starts: the pose or rest
    vrmi_look_problem problem;
    vrm_vec3 target; // the problem's may stand elsewhere, see keep_side()
} look_frame;

static vrm_quat rest_of(const vrm_instance *instance, int32_t node)
{
    return vrmi_model_node_rest(instance->model)[node].rotation;
}

// --- before the solver ---------------------------------------------------------------------------------------------

static void begin(look_frame *f)
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
        vrm_quat *rotation = &instance->local[bone->node].rotation;
        f->animated[i] = *rotation;
        if (bone->reset) {
            *rotation = rest_of(instance, bone->node);
            reset = true;
        }
        f->base[i] = *rotation;
    }
    if (reset) {
        vrmi_hierarchy_update_subtree(instance, f->top);
    }
}

static void place_above(const look_frame *f, uint32_t index, vrm_quat parent, vrm_vec3 position,
    vrmi_look_solve_bone *out)
{
    if (index + 1 == f->problem.count) {
        out->hold = parent;
        out->offset = position;
        return;
    }
    const int32_t above = f->instance->look_bones[index + 1].node;
    const vrm_quat inverse = vrmi_quat_conjugate(vrmi_quat_normalize(f->instance->world_rotation[above]));
    const vrm_vec3 arm = vrmi_vec3_sub(position, vrmi_mat34_translation(&f->instance->world[above]));
    out->hold = vrmi_quat_mul(inverse, parent);
    out->offset = vrmi_quat_rotate(inverse, arm);
}

static void gather_eyes(look_frame *f)
{
    vrmi_look_solve_bone *out = &f->problem.bones[0];
    vrm_vec3 origin;
    vrm_quat rotation;
    vrmi_look_at_space(f->instance, &origin, &rotation);
    *out = (vrmi_look_solve_bone){.local = identity,
        .forward = {0.0f, 0.0f, 1.0f},
        .frame = identity,
        .rest = identity,
        .limits = f->eye_limits.limits,
        .box = true};
    place_above(f, 0, rotation, vrmi_eye_middle(f->instance), out);
}

static void gather_bone(look_frame *f, uint32_t index)
{
    const vrm_instance *instance = f->instance;
    const vrmi_look_bone *bone = &instance->look_bones[index];
    vrmi_look_solve_bone *out = &f->problem.bones[index];
    const int32_t parent = vrmi_model_node_parent(instance->model)[bone->node];
    *out = (vrmi_look_solve_bone){.local = f->base[index],
        .forward = bone->forward,
        .frame = bone->frame,
        .rest = rest_of(instance, bone->node),
        .limits = {bone->limit, bone->limit, bone->limit},
        .asymmetric = bone->asymmetric,
        .roll = VRMI_PI,
        .around_up = bone->around_up};
    if (bone->asymmetric) {
        out->limits = (vrmi_look_limits){bone->limit_yaw, bone->limit_up, bone->limit_down};
        out->roll = bone->limit_roll;
    }
    const vrm_quat held = parent >= 0 ? instance->world_rotation[parent] : instance->root_rotation;
    place_above(f, index, vrmi_quat_normalize(held), vrmi_mat34_translation(&instance->world[bone->node]), out);
}

// The article's unit is a metre. By default it is the height of the head above the ground, so that size does not matter.
static float unit_of(const look_frame *f)
{
    const vrm_instance *instance = f->instance;
    if (f->chain->def.mode == VRM_LOOK_CHAIN_MODE_ARTICLE) {
        return 1.0f;
    }
    const int32_t head = instance->model->head.bone_node[VRM_HUMAN_BONE_HEAD];
    const int32_t node = head >= 0 ? head : instance->look_bones[0].node;
    const float height = vrmi_model_node_rest_matrix(instance->model)[node].m[1][3];
    return (height > 1e-3f ? height : 1.0f) * instance->root.scale;
}

// The problem of the first `count` bones of the chain.
static void gather(look_frame *f, uint32_t count)
{
    const vrmi_look_chain *chain = f->chain;
    const bool article = chain->def.mode == VRM_LOOK_CHAIN_MODE_ARTICLE;
    f->problem.count = count;
    f->problem.up = vrmi_quat_rotate(f->instance->root.rotation, chain->def.up);
    f->problem.unit = unit_of(f);
    f->problem.soft = article ? 0.0f : chain->def.soft_limit;
    f->problem.max_passes = article ? 1 : VRMI_LOOK_MAX_PASSES;
    f->problem.target = f->aiming ? vrmi_look_at_target(f->instance) : vrmi_vec3(0.0f, 0.0f, 0.0f);
    f->target = f->problem.target;
    if (f->eyes) {
        gather_eyes(f);
    }
    for (uint32_t i = f->first; i < count; ++i) {
        gather_bone(f, i);
    }
    vrmi_look_prepare(&f->problem);
}

// The axes of the model, as what holds the chain has turned them: where behind is.
static vrm_quat base_axes(const look_frame *f)
{
    const vrmi_look_solve_bone *last = &f->problem.bones[f->problem.count - 1];
    const int32_t node = f->instance->look_bones[f->problem.count - 1].node;
    const vrm_quat rest = node >= 0 ? vrmi_rest_parent_rotation(f->instance->model, (uint32_t)node) : identity;
    return vrmi_quat_mul(last->hold, vrmi_quat_conjugate(rest));
}

// No more than the chain can turn, of all its bones together.
static float reach_of(const vrmi_look_problem *problem)
{
    float sum = 0.0f;
    for (uint32_t i = 0; i < problem->count; ++i) {
        const vrmi_look_solve_bone *bone = &problem->bones[i];
        const vrmi_look_limits *l = &bone->limits;
        const float upright = vrmi_max(l->up, l->down);
        const float most = bone->box ? vrmi_sqrt(l->yaw * l->yaw + upright * upright)
                                     : (bone->asymmetric ? vrmi_max(l->yaw, upright) : l->yaw);
        sum += most * bone->slack;
    }
    return vrmi_min(sum, VRMI_PI);
}

// How far round a target at this height may be until it is out of reach; a quarter turn at least, straight behind never.
static float farthest_yaw(float reach, float cosine_of_height, float edge)
{
    float sine, cosine;
    vrmi_sincos(reach, &sine, &cosine);
    const float ratio = vrmi_clamp(cosine / vrmi_max(cosine_of_height, 1e-6f), -1.0f, 1.0f);
    return vrmi_clamp(vrmi_acos(ratio), 0.5f * VRMI_PI, edge);
}

// A target that crosses behind the back would throw the chain from one shoulder to the other. It counts as still on its
// old side until it is `behind_margin` across. Where it is out of reach it counts as no farther round than can be reached
// at its height: the shortest way there goes over the top of the head, and people look over the shoulder.
static void keep_side(look_frame *f)
{
    vrmi_look_chain *chain = f->chain;
    const float margin = chain->def.behind_margin;
    if (chain->def.mode == VRM_LOOK_CHAIN_MODE_ARTICLE || margin <= 0.0f) {
        return;
    }
    const vrm_quat axes = base_axes(f);
    const vrm_vec3 eye = f->problem.bones[0].position;
    const vrm_vec3 way =
        vrmi_quat_rotate(vrmi_quat_conjugate(axes), vrmi_vec3_sub(f->problem.target, eye));
    const float yaw = vrmi_atan2(way.x, way.z), size = vrmi_abs(yaw);
    const float ground = vrmi_sqrt(way.x * way.x + way.z * way.z);
    const float height = ground / vrmi_max(vrmi_vec3_length(way), 1e-12f); // its cosine
    const float edge = farthest_yaw(
        reach_of(&f->problem), height, VRMI_PI - vrmi_min(margin, 10.0f * VRMI_PI / 180.0f));
    if (chain->side == 0 || size < VRMI_PI - margin) {
        chain->side = yaw < 0.0f ? -1 : 1;
    }
    const bool crossed = (yaw < 0.0f ? -1 : 1) != chain->side;
    if (!crossed && size <= edge) {
        return;
    }
    float sine, cosine;
    vrmi_sincos((float)chain->side * edge, &sine, &cosine);
    const vrm_vec3 seen = {sine * ground, way.y, cosine * ground};
    f->problem.target = vrmi_vec3_add(eye, vrmi_quat_rotate(axes, seen));
}

// How far the target has jumped since the last update, in radians.
static float jump_of_target(look_frame *f)
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
static void solve_orientation(look_frame *f)
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
        const float most = bone->asymmetric ? vrmi_min(bone->limit_yaw, vrmi_min(bone->limit_up, bone->limit_down))
                                            : bone->limit;
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
static float error_of(const look_frame *f, vrm_vec3 forward)
{
    const vrm_vec3 way = vrmi_vec3_sub(f->target, f->problem.bones[0].position);
    return f->problem.degenerate ? 0.0f : angle_between(forward, vrmi_vec3_normalize_or(way, forward));
}

// Where the eyes should look when the other bones are where the solver wants them. By default the eyes are asked once more
// and with hard limits: the soft ones only say how much the others help.
static void solve_eyes(look_frame *f, float *out_x, float *out_y)
{
    const vrmi_look_solve_bone *eyes = &f->problem.bones[0];
    if (f->chain->def.mode == VRM_LOOK_CHAIN_MODE_ARTICLE) {
        vrmi_look_log(vrmi_quat_rotate(eyes->local, eyes->forward), out_x, out_y);
        return;
    }
    const vrm_vec3 ahead = {0.0f, 0.0f, 1.0f};
    const vrm_vec3 way = vrmi_vec3_sub(f->problem.target, eyes->position);
    const vrm_vec3 wanted =
        vrmi_vec3_normalize_or(vrmi_quat_rotate(vrmi_quat_conjugate(eyes->parent), way), ahead);
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

static void begin_move(look_frame *f)
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
static void show(look_frame *f, float dt)
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
static void move_eyes(look_frame *f, float goal_x, float goal_y, float dt)
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
static void turn_links(look_frame *f, uint32_t index)
{
    vrm_instance *instance = f->instance;
    const vrmi_look_bone *bone = &instance->look_bones[index];
    vrm_mat34 unused;
    vrm_quat parent;
    vrmi_hierarchy_parent(instance, (uint32_t)bone->node, &unused, &parent);
    const vrm_quat turned = vrmi_quat_mul(bone->shown, vrmi_quat_conjugate(f->base[index]));
    const vrm_quat in_world = vrmi_quat_mul(vrmi_quat_mul(parent, turned), vrmi_quat_conjugate(parent));
    for (uint32_t l = 0; l < bone->link_count; ++l) {
        const vrmi_look_link_row *link = &instance->look_links[bone->first_link + l];
        vrm_quat held;
        vrmi_hierarchy_parent(instance, (uint32_t)link->node, &unused, &held);
        const vrm_quat in_parent = vrmi_quat_mul(vrmi_quat_mul(vrmi_quat_conjugate(held), in_world), held);
        vrm_quat *rotation = &instance->local[link->node].rotation;
        const vrm_quat from = link->reset ? rest_of(instance, link->node) : *rotation;
        const vrm_quat to = vrmi_quat_normalize(vrmi_quat_mul(in_parent, from));
        *rotation = vrmi_quat_slerp(*rotation, to, f->chain->weight * f->chain->mix);
        vrmi_hierarchy_update_subtree(instance, (uint32_t)link->node);
    }
}

static void apply(look_frame *f)
{
    vrm_instance *instance = f->instance;
    const float weight = f->chain->weight * f->chain->mix;
    if (f->top == UINT32_MAX) {
        return;
    }
    for (uint32_t i = f->first; i < f->chain->bone_count; ++i) {
        const vrmi_look_bone *bone = &instance->look_bones[i];
        instance->local[bone->node].rotation =
            weight < 1.0f ? vrmi_quat_slerp(f->animated[i], bone->shown, weight) : bone->shown;
    }
    vrmi_hierarchy_update_subtree(instance, f->top);
    for (uint32_t i = f->chain->bone_count; i-- > f->first;) { // from above: links may hang on links
        if (instance->look_bones[i].link_count > 0 && weight > 0.0f) {
            turn_links(f, i);
        }
    }
}

static void draw(look_frame *f)
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

static void conclude(look_frame *f)
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
static float solve(look_frame *f, float *out_eye_x, float *out_eye_y)
{
    float jump = 0.0f;
    if (f->aiming) {
        keep_side(f);
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

static void beyond_the_article(look_frame *f, float jump, float dt)
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

static void keep_for_second_pass(look_frame *f)
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
    look_frame f = {.instance = instance, .chain = chain};
    const float mix = chain->mix, eye_mix = chain->eye_mix, eye_x = chain->eye_x, eye_y = chain->eye_y;
    chain->way = 0.0f;
    begin(&f);
    gather(&f, chain->bone_count);
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

// How many bones from the eyes on no body drives, before the first that one does; 0 when there is no such one, since
// then nothing that they hang on has moved.
static uint32_t bones_to_ask_again(const look_frame *f)
{
    for (uint32_t i = f->first; i < f->chain->bone_count; ++i) {
        if (vrmi_ragdoll_drives_node(f->instance, (uint32_t)f->instance->look_bones[i].node)) {
            return i - f->first;
        }
    }
    // The chain ends below what is driven, or nothing is.
    const uint32_t top = f->top;
    const int32_t *parents = vrmi_model_node_parent(f->instance->model);
    for (int32_t node = top != UINT32_MAX ? parents[top] : -1; node >= 0; node = parents[node]) {
        if (vrmi_ragdoll_drives_node(f->instance, (uint32_t)node)) {
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
    look_frame f = {.instance = instance, .chain = chain, .aiming = true, .driven = true};
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
        f.base[i] = bone->reset ? rest_of(instance, bone->node) : bone->animated;
        instance->local[bone->node].rotation = f.base[i];
    }
    vrmi_hierarchy_update_subtree(instance, f.top);
    gather(&f, f.first + count);
    vrmi_look_solve(&f.problem);
    // By as much as the answer has changed; time and blending are the first pass's.
    const float weight = chain->weight * chain->mix;
    for (uint32_t i = f.first; i < f.first + count; ++i) {
        const vrmi_look_bone *bone = &instance->look_bones[i];
        const vrm_quat change = vrmi_quat_mul(f.problem.bones[i].local, vrmi_quat_conjugate(bone->solved));
        const vrm_quat shown = vrmi_quat_normalize(vrmi_quat_mul(change, bone->shown));
        instance->local[bone->node].rotation = vrmi_quat_slerp(bone->animated, shown, weight);
    }
    vrmi_hierarchy_update_subtree(instance, f.top);
}
