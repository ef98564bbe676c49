// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include <string.h>

#include <GLFW/glfw3.h>

#include "view.h"

static void copy_pose(view *v)
{
    vrmi_text text;
    pose now;
    vrmi_text_init(&text, NULL);
    pose_take(v->figure->instance, &now);
    pose_write(v->figure->avatar, &now, &text);
    if (text.data != NULL && !text.failed) {
        glfwSetClipboardString(v->window, text.data);
        view_say(v, false, "the pose is in the clipboard");
    }
    vrmi_text_free(&text);
}

static void paste_pose(view *v)
{
    char why[256] = "";
    pose read;
    const char *text = glfwGetClipboardString(v->window);
    if (text == NULL || pose_read(text, strlen(text), &read, why, sizeof why) != VRM_SUCCESS) {
        view_say(v, true, "the clipboard contains no pose%s%s", why[0] != '\0' ? ": " : "", why);
        return;
    }
    view_touch_pose(v);
    pose_put(v->figure->instance, &read);
    v->angles_known = false;
}

static void save_pose(view *v)
{
    vrmi_text text;
    pose now;
    vrmi_text_init(&text, NULL);
    pose_take(v->figure->instance, &now);
    pose_write(v->figure->avatar, &now, &text);
    const vrm_result result =
        text.failed ? VRM_ERROR_OUT_OF_MEMORY : vrm_write_file(v->pose_path, text.data, text.size);
    view_say(v, result != VRM_SUCCESS, "%s%s%s", result == VRM_SUCCESS ? "wrote " : "", v->pose_path,
        result == VRM_SUCCESS ? "" : ": could not be written");
    vrmi_text_free(&text);
}

static void show_files(view *v)
{
    if (gui_button("Copy")) {
        copy_pose(v);
    }
    gui_same_line();
    if (gui_button("Paste")) {
        paste_pose(v);
    }
    gui_same_line();
    gui_begin_disabled(v->history.undo == 0);
    if (gui_button("Undo")) {
        (void)pose_history_undo(&v->history, v->figure->instance);
        v->motion = 0;
        v->angles_known = false;
    }
    gui_end_disabled();
    gui_same_line();
    gui_begin_disabled(v->history.redo == 0);
    if (gui_button("Redo")) {
        (void)pose_history_redo(&v->history, v->figure->instance);
        v->angles_known = false;
    }
    gui_end_disabled();
    gui_input("pose file", v->pose_path, sizeof v->pose_path);
    if (gui_button("Save pose")) {
        save_pose(v);
    }
    gui_same_line();
    if (gui_button("Load pose")) {
        (void)view_load_pose(v, v->pose_path);
    }
}

static int depth_of(vrm_human_bone bone)
{
    int depth = 0;
    for (int32_t parent = vrm_human_bone_parent(bone); parent >= 0;
         parent = vrm_human_bone_parent((vrm_human_bone)parent)) {
        ++depth;
    }
    return depth;
}

static void choose_bone(view *v, float height)
{
    gui_begin_child("bones", 0.0f, height);
    for (int i = 0; i < VRM_HUMAN_BONE_COUNT; ++i) {
        if (vrm_avatar_get_bone_node(v->figure->avatar, (vrm_human_bone)i) < 0) {
            continue;
        }
        const float indent = 8.0f * (float)depth_of((vrm_human_bone)i);
        if (gui_selectable(vrm_human_bone_name((vrm_human_bone)i), v->bone == i, indent)) {
            v->bone = i;
            v->angles_known = false;
        }
    }
    gui_end_child();
}

static void set_bone(view *v)
{
    vrm_quat q;
    pose_from_angles(v->angles, &q);
    (void)vrm_instance_set_normalized_rotation(v->figure->instance, (vrm_human_bone)v->bone, &q);
}

static void show_angles(view *v)
{
    static const char *const labels[] = {"about x (nod)", "about y (turn)", "about z (lean)"};
    vrm_quat q;
    if (vrm_instance_get_normalized_rotation(v->figure->instance, (vrm_human_bone)v->bone, &q) != VRM_SUCCESS) {
        gui_text(GUI_DIM, "The avatar has no humanoid bones.");
        return;
    }
    // The angles of a quaternion jump at 90 degrees. While a bone is edited, the sliders' values are therefore used.
    if (!v->angles_known || v->motion != 0) {
        pose_angles(&q, v->angles);
        v->angles_known = true;
    }
    for (int i = 0; i < 3; ++i) {
        const bool changed = gui_slider(labels[i], &v->angles[i], -180.0f, 180.0f);
        if (gui_activated()) {
            view_touch_pose(v);
        }
        if (changed) {
            set_bone(v);
        }
    }
    if (gui_button("Bone to rest")) {
        view_touch_pose(v);
        v->angles[0] = v->angles[1] = v->angles[2] = 0.0f;
        set_bone(v);
    }
    gui_same_line();
    if (gui_button("All to rest")) {
        view_touch_pose(v);
        vrm_instance_reset_pose(v->figure->instance);
        v->angles_known = false;
    }
}

static void show_hips(view *v)
{
    static const char *const labels[] = {"hips x, m", "hips y, m", "hips z, m"};
    pose now;
    pose_take(v->figure->instance, &now);
    float *way = &now.hips.x;
    for (int i = 0; i < 3; ++i) {
        const bool changed = gui_slider(labels[i], &way[i], -1.5f, 1.5f);
        if (gui_activated()) {
            view_touch_pose(v);
        }
        if (changed) {
            pose_put(v->figure->instance, &now);
        }
    }
}

void panel_bones(view *v)
{
    gui_heading("Pose");
    show_files(v);
    if (v->repertoire.playing >= 0) {
        gui_text(GUI_WARN, "A clip plays: bones that it moves do not show the values set here.");
    } else if (v->motion != 0) {
        gui_text(GUI_DIM, "Moving a bone stops the motion \"%s\".", scene_stage_word((uint32_t)v->motion));
    }
    gui_heading("Bones");
    choose_bone(v, 240.0f);
    gui_heading(vrm_human_bone_name((vrm_human_bone)v->bone));
    show_angles(v);
    if (v->bone == VRM_HUMAN_BONE_HIPS) {
        show_hips(v);
    }
}
