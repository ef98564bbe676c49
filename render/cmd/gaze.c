// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Where the figure looks, and what turns with its eyes.

#include "cmd.h"

#include <string.h>

static int read_around_up(stage *s, const char *text)
{
    const char *end = text + strlen(text);
    for (;;) {
        double value = -1.0;
        const size_t used = vrmi_parse_double(text, (size_t)(end - text), &value);
        if (s->around_up_count == VRM_LOOK_CHAIN_PRESET_BONES || used == 0 || !(value >= 0.0 && value <= 1.0)) {
            return cli_fail(s->job, CLI_EXIT_USAGE,
                "--look-around-up: expected up to %d numbers from 0 to 1, with commas between",
                VRM_LOOK_CHAIN_PRESET_BONES);
        }
        s->around_up[s->around_up_count++] = (float)value;
        text += used;
        if (text == end) {
            return CLI_EXIT_DONE;
        }
        text += *text == ',' ? 1 : 0;
    }
}

int gaze_begin(stage *s)
{
    if (s->figure->around_up != NULL && s->figure->look_chain == 0) {
        return cli_fail(s->job, CLI_EXIT_USAGE, "--look-around-up needs --look-chain");
    }
    const int code = s->figure->look_at != NULL ? look_path_read(s->job, s->figure->look_at, &s->gaze) : CLI_EXIT_DONE;
    return code == CLI_EXIT_DONE && s->figure->around_up != NULL ? read_around_up(s, s->figure->around_up) : code;
}

vrm_result gaze_start(stage *s)
{
    vrm_look_chain_def def = {.struct_size = sizeof def};
    vrm_look_bone bones[VRM_LOOK_CHAIN_PRESET_BONES];
    const vrm_look_chain_preset preset = (vrm_look_chain_preset)(s->figure->look_chain - 1);
    if (s->figure->look_chain == 0) {
        return VRM_SUCCESS;
    }
    const vrm_result result = vrm_look_chain_preset_def(s->model.avatar, preset, &def, bones);
    if (result == VRM_ERROR_NOT_FOUND) {
        cli_say(s->job, "--look-chain: the avatar has none of its bones");
        return VRM_SUCCESS;
    }
    for (uint32_t i = 0; i < s->around_up_count && i < def.bone_count; ++i) {
        bones[i].around_up = s->around_up[i];
    }
    def.draw_debug = true; // seen only with --debug lines
    return result == VRM_SUCCESS ? vrm_instance_set_look_chain(s->instance, &def, NULL) : result;
}

void gaze_follow(stage *s, double seconds)
{
    vrm_dvec3 target;
    // Without a target the eyes stay as they are: straight on is a gaze too, for which a curve of VRM 0.x may have an angle.
    if (s->gaze.count != 0) {
        look_path_at(&s->gaze, seconds, &target);
        (void)vrm_instance_set_look_at_target(s->instance, &target);
    }
}
