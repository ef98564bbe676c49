// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The fields of the defs for traces and recordings.

#include "clip_fixture.h"

static bool stop_in_frames(float fraction, const char *phase, void *user)
{
    *(float *)user = fraction;
    return strcmp(phase, "frames") != 0 || fraction < 0.5f;
}

// A trace has the file's name and hash, plays the motion, and can be stopped. A recording has its name.
static void defs_of_traces_and_recordings_count(void)
{
    vrm_bytes bytes = sample_bytes(0);
    vrm_gltf *gltf = NULL;
    CHECK_INT(vrm_gltf_load(NULL, bytes.data, bytes.size, NULL, &gltf), VRM_SUCCESS);
    stage s;
    set_stage(&s, 1);
    static const char script[] = "{\"dt\":0.25,\"frames\":4}";
    vrm_trace_params def;
    vrm_bytes out = {0};
    float reached = 0.0f;
    vrm_trace_params_default(&def);
    def.file = "some name.vrm";
    def.model = "abc";
    def.model_size = 3;
    CHECK_INT(vrm_trace_run(&def, s.avatar, (vrm_string){script, sizeof script - 1}, NULL, &out), VRM_SUCCESS);
    const char head[] =
        "{\"schemaVersion\":1,\"model\":{\"file\":\"some name.vrm\",\"sha256\":\"ba7816bf8f01cfea414140de5dae2223"
        "b00361a396177a9cb410ff61f20015ad\"}";
    CHECK(out.size > sizeof head && memcmp(out.data, head, sizeof head - 1) == 0);
    // The motion changes the trace.
    vrm_clip *clip = make_clip(1);
    vrm_bytes moved_out = {0};
    def.motion = clip;
    CHECK_INT(vrm_trace_run(&def, s.avatar, (vrm_string){script, sizeof script - 1}, NULL, &moved_out), VRM_SUCCESS);
    CHECK(moved_out.size != out.size || memcmp(moved_out.data, out.data, out.size) != 0);
    vrm_bytes_free(&moved_out);
    vrm_clip_release(clip);
    vrm_bytes_free(&out);
    def.motion = NULL;
    def.progress = stop_in_frames;
    def.progress_user = &reached;
    CHECK_INT(vrm_trace_run(&def, s.avatar, (vrm_string){script, sizeof script - 1}, NULL, &out), VRM_ERROR_CANCELLED);
    CHECK_NEAR(reached, 0.5f, 0);
    vrm_recorder_def recording;
    vrm_recorder *recorder = NULL;
    vrm_string name = {0};
    vrm_recorder_def_default(&recording);
    recording.name = "a dance";
    CHECK_INT(vrm_recorder_create(&recording, s.avatar, &recorder), VRM_SUCCESS);
    for (int i = 0; i < 2; ++i) {
        vrm_update_dt(s.instance, 0.1f);
        CHECK_INT(vrm_recorder_add(recorder, s.instance, 0.1 * i), VRM_SUCCESS);
    }
    CHECK_INT(vrm_recorder_write(recorder, gltf, NULL), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_get_json(gltf, "/animations/0/name", &name), VRM_SUCCESS);
    CHECK(name.length == 9 && memcmp(name.data, "\"a dance\"", 9) == 0);
    vrm_recorder_destroy(recorder);
    strike(&s);
    vrm_gltf_destroy(gltf);
    vrm_bytes_free(&bytes);
}

static const test_case cases[] = {
    {"defs_of_traces_and_recordings_count", defs_of_traces_and_recordings_count},
};

RUN_TESTS(cases)
