// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include <stdio.h>

#include "spring_patch.h"
#include "view.h"

static void show_settings(view *v)
{
    gui_check("Paused", &v->springs.paused);
    gui_same_line_at(130.0f);
    if (gui_button("Start from rest")) {
        vrm_instance_reset_springs(v->figure->instance);
    }
    gui_slider("stiffness, all", &v->springs.stiffness_scale, 0.0f, 4.0f);
    gui_slider("gravity, all", &v->springs.gravity_scale, 0.0f, 4.0f);
    gui_slider("effect of root motion", &v->springs.root_motion, 0.0f, 1.0f);
    gui_slider("wind", &v->wind.strength, 0.0f, 2.0f);
    gui_slider("wind blows to", &v->wind.yaw, -180.0f, 180.0f);
    gui_slider("gusts", &v->wind.gusts, 0.0f, 1.0f);
}

static bool show_params(vrm_spring_joint_params *p)
{
    bool changed = gui_slider("stiffness", &p->stiffness, 0.0f, 4.0f);
    changed |= gui_slider("drag", &p->drag_force, 0.0f, 1.0f);
    changed |= gui_slider("gravity", &p->gravity_power, 0.0f, 2.0f);
    changed |= gui_slider("gravity x", &p->gravity_dir.x, -1.0f, 1.0f);
    changed |= gui_slider("gravity y", &p->gravity_dir.y, -1.0f, 1.0f);
    changed |= gui_slider("gravity z", &p->gravity_dir.z, -1.0f, 1.0f);
    changed |= gui_slider("hit radius, m", &p->hit_radius, 0.0f, 0.2f);
    return changed;
}

// Sets the changed value in every joint of the chain; the joints keep their other values.
static void apply_to_chain(
    view *v, const vrm_spring_chain *chain, const vrm_spring_joint_params *before, const vrm_spring_joint_params *after)
{
    for (uint32_t i = 0; i < chain->joint_count; ++i) {
        vrm_spring_joint_params p;
        (void)vrm_instance_get_spring_joint(v->figure->instance, chain->first_joint + i, &p);
        p.stiffness = after->stiffness != before->stiffness ? after->stiffness : p.stiffness;
        p.drag_force = after->drag_force != before->drag_force ? after->drag_force : p.drag_force;
        p.gravity_power = after->gravity_power != before->gravity_power ? after->gravity_power : p.gravity_power;
        p.hit_radius = after->hit_radius != before->hit_radius ? after->hit_radius : p.hit_radius;
        p.gravity_dir.x = after->gravity_dir.x != before->gravity_dir.x ? after->gravity_dir.x : p.gravity_dir.x;
        p.gravity_dir.y = after->gravity_dir.y != before->gravity_dir.y ? after->gravity_dir.y : p.gravity_dir.y;
        p.gravity_dir.z = after->gravity_dir.z != before->gravity_dir.z ? after->gravity_dir.z : p.gravity_dir.z;
        (void)vrm_instance_set_spring_joint(v->figure->instance, chain->first_joint + i, &p);
    }
}

// Shows a joint. Joint -1 stands for the whole chain and shows the values of the first joint.
static void show_joint(view *v, const vrm_spring_chain *chain)
{
    const uint32_t joint = chain->first_joint + (uint32_t)(v->joint < 0 ? 0 : v->joint);
    vrm_spring_joint_params before, after;
    if (chain->joint_count == 0 || vrm_instance_get_spring_joint(v->figure->instance, joint, &before) != VRM_SUCCESS) {
        return;
    }
    after = before;
    if (!show_params(&after)) {
        return;
    }
    if (v->joint < 0) {
        apply_to_chain(v, chain, &before, &after);
    } else {
        (void)vrm_instance_set_spring_joint(v->figure->instance, joint, &after);
    }
}

static void choose_joint(view *v, const vrm_spring_chain *chain)
{
    char label[128], name[96];
    if (gui_selectable("all joints of the chain", v->joint < 0, 12.0f)) {
        v->joint = -1;
    }
    for (uint32_t i = 0; i < chain->joint_count; ++i) {
        vrm_spring_joint joint = {.struct_size = sizeof joint};
        vrm_node node = {.struct_size = sizeof node};
        if (vrm_avatar_get_spring_joint(v->figure->avatar, chain->first_joint + i, &joint) != VRM_SUCCESS ||
            vrm_avatar_get_node(v->figure->avatar, joint.node, &node) != VRM_SUCCESS) {
            continue;
        }
        snprintf(label, sizeof label, "%u  %s", i, panel_name(name, sizeof name, node.name, "(no name)"));
        gui_push_id((int)i);
        if (gui_selectable(label, v->joint == (int)i, 12.0f)) {
            v->joint = (int)i;
        }
        gui_pop_id();
    }
}

static void show_chains(view *v)
{
    figure *f = v->figure;
    gui_begin_child("chains", 0.0f, 170.0f);
    for (uint32_t i = 0; i < f->counts.spring_chains; ++i) {
        vrm_spring_chain chain = {.struct_size = sizeof chain};
        char label[160], name[96];
        if (vrm_avatar_get_spring_chain(f->avatar, i, &chain) != VRM_SUCCESS) {
            continue;
        }
        snprintf(label, sizeof label, "%s, %u joint%s", panel_name(name, sizeof name, chain.name, "(no name)"),
            chain.joint_count, chain.joint_count == 1 ? "" : "s");
        gui_push_id((int)i);
        if (gui_selectable(label, v->chain == (int)i, 0.0f)) {
            v->chain = (int)i;
            v->joint = -1;
        }
        if (v->chain == (int)i) {
            choose_joint(v, &chain);
        }
        gui_pop_id();
    }
    gui_end_child();
}

static void show_files(view *v)
{
    const uint32_t changed = spring_patch_count(v->figure);
    char message[FIGURE_MESSAGE] = "";
    gui_heading("Keep the changes");
    gui_text(changed != 0 ? GUI_WARN : GUI_DIM, "%u joint%s from the file. The file itself is never changed.", changed,
        changed == 1 ? " differs" : "s differ");
    gui_input("patch (RFC 6902)", v->patch_path, sizeof v->patch_path);
    gui_input("new model", v->model_path, sizeof v->model_path);
    gui_begin_disabled(changed == 0);
    if (gui_button("Write patch")) {
        const bool good = spring_patch_write(v->figure, v->patch_path, message);
        view_say(v, !good, "%s", message);
    }
    gui_same_line();
    if (gui_button("Save as new model")) {
        const bool good = spring_patch_save_as(v->figure, v->model_path, message);
        view_say(v, !good, "%s", message);
    }
    gui_same_line();
    if (gui_button("Revert")) {
        spring_patch_revert(v->figure);
    }
    gui_end_disabled();
}

void panel_springs(view *v)
{
    gui_heading("Springs");
    if (v->figure->counts.spring_chains == 0) {
        gui_text(GUI_DIM, "The avatar has none.");
        return;
    }
    show_settings(v);
    gui_heading("Chains");
    show_chains(v);
    vrm_spring_chain chain = {.struct_size = sizeof chain};
    if (vrm_avatar_get_spring_chain(v->figure->avatar, (uint32_t)v->chain, &chain) == VRM_SUCCESS) {
        gui_heading(v->joint < 0 ? "All joints of the chain" : "The joint");
        show_joint(v, &chain);
    }
    show_files(v);
}
