// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Reads files as another runtime does. Values that the runtime reads differently are written into a copy of the
// document, from which the avatar is created. vrm_profile covers the runtime's differences during a frame.

#include "cli.h"

#include <stdlib.h>
#include <string.h>

typedef struct reading {
    vrm_gltf *gltf;
    vrm_result result; // the first failure
} reading;

static bool has(const reading *r, const char *pointer, vrm_string *out_text)
{
    return vrm_gltf_get_json(r->gltf, pointer, out_text) == VRM_SUCCESS;
}

static void set(reading *r, const char *pointer, const char *json)
{
    if (r->result == VRM_SUCCESS) {
        r->result = vrm_gltf_set_json(r->gltf, pointer, json, strlen(json));
    }
}

static void drop(reading *r, const char *pointer)
{
    vrm_string unused;
    if (r->result == VRM_SUCCESS && has(r, pointer, &unused)) {
        r->result = vrm_gltf_remove_json(r->gltf, pointer);
    }
}

// three-vrm reads a missing dragForce as 0.4 and ignores limits.
static void read_joints(reading *r)
{
    char pointer[160];
    vrm_string unused;
    bool more = true;
    for (uint32_t spring = 0; more; ++spring) {
        more = has(
            r, vrmi_format(pointer, sizeof pointer, "/extensions/VRMC_springBone/springs/%u/joints", spring), &unused);
        for (uint32_t joint = 0; more; ++joint) {
            static const char place[] = "/extensions/VRMC_springBone/springs/%u/joints/%u%s";
            if (!has(r, vrmi_format(pointer, sizeof pointer, place, spring, joint, ""), &unused)) {
                break;
            }
            if (!has(r, vrmi_format(pointer, sizeof pointer, place, spring, joint, "/dragForce"), &unused)) {
                set(r, pointer, "0.4");
            }
            drop(r, vrmi_format(pointer, sizeof pointer, place, spring, joint, "/extensions/VRMC_springBone_limit"));
        }
    }
}

// three-vrm reads an extended collider without specVersion as its fallback shape.
static void read_colliders(reading *r)
{
    char pointer[160];
    vrm_string unused;
    for (uint32_t i = 0;; ++i) {
        if (!has(r, vrmi_format(pointer, sizeof pointer, "/extensions/VRMC_springBone/colliders/%u", i), &unused)) {
            return;
        }
        static const char place[] =
            "/extensions/VRMC_springBone/colliders/%u/extensions/VRMC_springBone_extended_collider%s";
        if (!has(r, vrmi_format(pointer, sizeof pointer, place, i, "/specVersion"), &unused)) {
            drop(r, vrmi_format(pointer, sizeof pointer, place, i, ""));
        }
    }
}

// three-vrm and VRM 0.x: gravity is used without conversion of axes, and curves of the gaze are straight lines.
static void read_old(reading *r)
{
    static const char *const maps[] = {"HorizontalInner", "HorizontalOuter", "VerticalDown", "VerticalUp"};
    char pointer[120], number[40];
    vrm_string text;
    for (uint32_t i = 0;; ++i) {
        if (!has(r, vrmi_format(pointer, sizeof pointer, "/extensions/VRM/secondaryAnimation/boneGroups/%u", i),
                &text)) {
            break;
        }
        double z = 0.0;
        (void)vrmi_format(pointer, sizeof pointer, "/extensions/VRM/secondaryAnimation/boneGroups/%u/gravityDir/z", i);
        if (has(r, pointer, &text) && vrmi_parse_double(text.data, text.length, &z) == text.length && z != 0.0) {
            set(r, pointer, vrmi_format(number, sizeof number, "%g", -z));
        }
    }
    for (int i = 0; i < 4; ++i) {
        drop(r, vrmi_format(pointer, sizeof pointer, "/extensions/VRM/firstPerson/lookAt%s/curve", maps[i]));
    }
}

int cli_read_as(cli_job *job, vrm_profile profile, cli_model *model)
{
    if (profile != VRM_PROFILE_THREE_VRM || model->gltf == NULL) {
        return CLI_EXIT_DONE; // no difference; a cooked avatar cannot be read again
    }
    cli_model copy = {.path = model->path, .bytes = model->bytes};
    reading r = {.result = cli_load_bytes(job, CLI_LOAD_GLTF, &copy)};
    r.gltf = copy.gltf;
    if (r.result == VRM_SUCCESS) {
        read_joints(&r);
        read_colliders(&r);
        read_old(&r);
    }
    cli_model as_read = {.path = model->path};
    if (r.result == VRM_SUCCESS) {
        r.result = vrm_gltf_save(copy.gltf, &as_read.bytes);
    }
    if (r.result == VRM_SUCCESS) {
        vrm_report_clear(job->report); // the findings of the file itself have been printed
        r.result = cli_load_bytes(job, CLI_LOAD_AVATAR | CLI_LOAD_PLAIN, &as_read);
    }
    if (r.result == VRM_SUCCESS) {
        vrm_avatar_release(model->avatar);
        model->avatar = as_read.avatar;
        as_read.avatar = NULL;
    }
    cli_model_free(&as_read);
    copy.bytes = (vrm_bytes){0}; // the model's
    cli_model_free(&copy);
    return r.result == VRM_SUCCESS
               ? CLI_EXIT_DONE
               : cli_fail(job, cli_exit_of(job, r.result), "%s: %s", model->path, cli_sentence_of(job, r.result));
}
