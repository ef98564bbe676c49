// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Sets the figure's look-at target, and the bones that turn together with the eyes.

#include "cmd.h"

#include <math.h>
#include <string.h>

static int read_around_up(stage *s, const char *text)
{
    const char *end = text + strlen(text);
    for (;;) {
        double value = -1.0;
        const size_t used = vrmi_parse_double(text, (size_t)(end - text), &value);
        if (s->around_up_count == VRM_LOOK_CHAIN_PRESET_BONES || used == 0 || !(value >= 0.0 && value <= 1.0)) {
            return cli_fail(s->job, CLI_EXIT_USAGE,
                "--look-around-up: expected up to %d numbers from 0 to 1, separated by commas",
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
        cli_say(s->job, "--look-chain: the avatar has none of the bones of this chain");
        return VRM_SUCCESS;
    }
    for (uint32_t i = 0; i < s->around_up_count && i < def.bone_count; ++i) {
        bones[i].around_up = s->around_up[i];
    }
    def.draw_debug = true; // visible only with --debug lines
    return result == VRM_SUCCESS ? vrm_instance_set_look_chain(s->instance, &def, NULL) : result;
}

void gaze_follow(stage *s, double seconds)
{
    // Without a target the eyes keep their pose. Looking straight ahead would be a gaze as well, which a curve of VRM
    // 0.x may change.
    if (s->gaze.count != 0) {
        look_path_at(&s->gaze, seconds, &s->target);
        (void)vrm_instance_set_look_at_target(s->instance, &s->target);
    }
}

uint32_t gaze_draw_ball(const stage *s, vrm_debug_line lines[GAZE_BALL_LINES])
{
    enum { RINGS = 24, PARTS = GAZE_BALL_LINES / RINGS };
    const float radius = 0.045f, half_turn = 3.14159265f;
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(s->instance, &out);
    const vrm_vec3 centre = {
        (float)(s->target.x - out.origin.x), (float)(s->target.y - out.origin.y), (float)(s->target.z - out.origin.z)};
    uint32_t count = 0;
    // The sphere consists of horizontal rings from the bottom to the top, close enough to fill the disc, and brighter
    // towards the top.
    for (int ring = 0; ring < RINGS && s->gaze.count != 0; ++ring) {
        const float height = ((float)ring + 0.5f) * 2.0f / RINGS - 1.0f;
        const float wide = radius * sqrtf(1.0f - height * height);
        const float light = 0.6f + 0.4f * (height * 0.5f + 0.5f);
        const uint32_t color =
            (uint32_t)(255.0f * light) << 24 | (uint32_t)(130.0f * light) << 16 | (uint32_t)(40.0f * light) << 8 | 255u;
        vrm_vec3 last = {centre.x + wide, centre.y + radius * height, centre.z};
        for (int part = 1; part <= PARTS; ++part) {
            const float angle = 2.0f * half_turn * (float)part / PARTS;
            const vrm_vec3 next = {centre.x + wide * cosf(angle), last.y, centre.z + wide * sinf(angle)};
            lines[count++] = (vrm_debug_line){.from = last, .to = next, .color = color};
            last = next;
        }
    }
    return count;
}
