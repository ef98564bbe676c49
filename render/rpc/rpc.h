// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef RENDER_RPC_RPC_H
#define RENDER_RPC_RPC_H

// `vrm rpc`: the operations of arkavo-org/vrm-conformance (docs/conformance.md). rpc_serve.c: the loop and the
// responses; rpc_frame.c: message framing; rpc_params.c: reading parameters; rpc_methods.c: the table of operations; a
// file for each kind of operation; rpc_batch.c: the tests of a manifest, run by the same functions.

#include <vrm_render/render.h>

#include "cmd/png.h"
#include "format/json/json.h"
#include "platform.h"
#include "render_options.h"

int run_rpc(const cli_inputs *inputs, const void *options, cli_job *job);

typedef enum rpc_code {
    RPC_PARSE = -32700,
    RPC_INVALID_REQUEST = -32600,
    RPC_UNKNOWN_METHOD = -32601,
    RPC_PARAMS = -32602,
    RPC_INTERNAL = -32603,
    RPC_UNIMPLEMENTED = -32000,
    RPC_LOAD = -32001,
    RPC_RENDER = -32002
} rpc_code;

// A model in a session of the suite.
typedef struct rpc_session {
    uint64_t id; // "libvrm-<id>"; 0: the entry is free
    char *path;
    cli_model model;
    vrm_instance *instance;
    vrm_clip_player *player;  // for apply_vrma_at_time; NULL before its first call
    vrm_render_model *meshes; // NULL until the first picture
    bool old;                 // the file is VRM 0.x: the model faces -Z here, as in the file
    vrm_dvec3 root;
    double load_ms, first_frame_ms; // first_frame_ms is negative before the first picture
    double eye[3], target[3], up[3], fov;
    vrm_vec3 light_direction, light_color, ambient; // light_direction points towards the light
    int tone_mapping;                               // rpc_tone
    double exposure;
} rpc_session;

typedef struct rpc_server {
    cli_job *job;
    const rpc_options *options;
    rpc_session *sessions;
    uint32_t session_count;
    uint64_t next_session;
    vrm_clip **clips; // handle h is clips[h - 1]
    uint32_t clip_count;
    vrm_render_context *context;
    vrm_renderer *renderer;
    uint8_t *pixels; // pixels of the last picture
    size_t pixels_size;
} rpc_server;

// One request: its parameters and its result or error.
typedef struct rpc_call {
    rpc_server *server;
    rpc_session *session; // set for operations that need a session
    const vrmi_json *json;
    uint32_t params;  // token of a JSON object, or VRMI_JSON_NONE
    cli_json *result; // an object that is open for the result's members
    int code;         // rpc_code; 0: no error
    char message[300];
    const char *data_name; // name of the only member of the error's data, or NULL
    vrmi_text data;        // its text
} rpc_call;

typedef bool rpc_operation(rpc_call *call);

typedef enum rpc_type { RPC_STRING, RPC_NUMBER, RPC_UINT, RPC_BOOL, RPC_VEC3, RPC_OBJECT } rpc_type;

typedef struct rpc_parameter {
    const char *name;
    rpc_type type;
    bool required;
    const char *words; // for RPC_STRING: allowed words, separated by spaces; NULL: any text
} rpc_parameter;

enum { RPC_MAX_PARAMETERS = 18 };

typedef struct rpc_method {
    const char *name;
    const char *phase;  // for a declared operation that is not implemented: its phase; otherwise NULL
    rpc_operation *run; // NULL for an operation with a phase
    bool sessionless;
    rpc_parameter parameters[RPC_MAX_PARAMETERS];
} rpc_method;

extern const rpc_method rpc_methods[];
extern const uint32_t rpc_method_count;

// --- rpc_frame.c ---------------------------------------------------------------------------------------------------

typedef struct rpc_reader {
    char buffer[16384];
    size_t at, end;
    char *body; // body of the message, zero-terminated
    size_t capacity;
    const char *fault; // reason for RPC_FRAME_WRONG and RPC_FRAME_LAST
} rpc_reader;

typedef enum rpc_frame {
    RPC_FRAME_MESSAGE,
    RPC_FRAME_WRONG, // to be answered with an error; reading continues
    RPC_FRAME_LAST,  // to be answered with an error; the input has ended
    RPC_FRAME_END,
    RPC_FRAME_STOPPED,
    RPC_FRAME_NO_MEMORY
} rpc_frame;

rpc_frame rpc_read_frame(rpc_reader *reader, size_t *out_size);
void rpc_reader_free(rpc_reader *reader);
bool rpc_write_frame(const vrmi_text *body);

// --- rpc_serve.c ---------------------------------------------------------------------------------------------------

int rpc_serve(rpc_server *server);
// Runs a method. First checks all of the call's parameters, then the session.
bool rpc_run(rpc_call *call, const rpc_method *method);

// --- rpc_params.c --------------------------------------------------------------------------------------------------

// These functions set the call's error and return false. `format` is a format of vrmi_text_format().
bool rpc_fail(rpc_call *call, int code, const char *format, ...);
bool rpc_fail_memory(rpc_call *call);
// Sets the member `name` of the error's data.
void rpc_fail_data(rpc_call *call, const char *name, const char *text);
// Checks the parameters of an object against the table. `where` is a prefix for the names in messages.
bool rpc_check(rpc_call *call, const rpc_parameter *parameters, uint32_t object, const char *where);

// These functions read a parameter that rpc_check() has checked. For a missing or null parameter they return the
// default.
bool rpc_has(const rpc_call *call, uint32_t object, const char *name);
double rpc_number(const rpc_call *call, uint32_t object, const char *name, double without);
uint32_t rpc_uint(const rpc_call *call, uint32_t object, const char *name, uint32_t without);
bool rpc_flag(const rpc_call *call, uint32_t object, const char *name, bool without);
void rpc_vector(const rpc_call *call, uint32_t object, const char *name, double out[3]);
// Returns the index of the parameter's word in `words`, compared without case; `without` if the parameter is missing.
int rpc_word(const rpc_call *call, uint32_t object, const char *name, const char *words, int without);
// Returns a text from malloc(). Returns NULL and sets the error if memory runs out, or if the text is empty or contains
// a zero byte.
char *rpc_text(rpc_call *call, uint32_t object, const char *name);

// --- rpc_session.c -------------------------------------------------------------------------------------------------

bool rpc_load_vrm(rpc_call *call);
// Like rpc_load_vrm(), for a path from malloc(), which this function frees. Sets call->session.
bool rpc_open(rpc_call *call, char *path);
bool rpc_dispose(rpc_call *call);
// Returns NULL and sets the error if there is no such session.
rpc_session *rpc_find_session(rpc_call *call);
void rpc_close_session(rpc_session *session);
void rpc_server_free(rpc_server *server);
// Sets the model's position; springs react to the motion.
void rpc_place(rpc_session *session, const double root[3]);
// Updates the session by `dt` seconds; springs advance by one step of the specification.
void rpc_update(rpc_session *session, double dt);
vrm_dvec3 rpc_node_place(const rpc_session *session, uint32_t node);

// --- rpc_scene.c, rpc_picture.c ------------------------------------------------------------------------------------

bool rpc_set_camera(rpc_call *call);
bool rpc_set_lighting(rpc_call *call);
bool rpc_set_post_processing(rpc_call *call);
bool rpc_render(rpc_call *call);

typedef struct rpc_picture {
    uint32_t width, height;
    bool linear;
    const char *path; // file of the picture; NULL: only draw and read it
} rpc_picture;

// Reads width, height and color_space.
bool rpc_read_picture(rpc_call *call, rpc_picture *out);
bool rpc_draw(rpc_call *call, const rpc_picture *picture);
void rpc_add_color_space(rpc_call *call, const rpc_picture *picture);

// --- rpc_springs.c, rpc_motion.c, rpc_sequence.c, rpc_benchmark.c -----------------------------------------------------

bool rpc_step_physics(rpc_call *call);
bool rpc_reset_physics(rpc_call *call);
bool rpc_animate_root(rpc_call *call);
bool rpc_dump_positions(rpc_call *call);
// Adds the member `name` with the joints of one spring, or of all springs if `wanted` is -1.
bool rpc_add_springs(rpc_call *call, const char *name, int64_t wanted);

bool rpc_load_vrma(rpc_call *call);
// Like rpc_load_vrma(), for a path. The clip becomes the last one in the server's list.
bool rpc_open_clip(rpc_call *call, const char *path);
bool rpc_apply_vrma(rpc_call *call);
bool rpc_dump_pose(rpc_call *call);
bool rpc_dump_expressions(rpc_call *call);
bool rpc_dump_look_at(rpc_call *call);
// Returns NULL and sets the error if there is no such clip.
vrm_clip *rpc_find_clip(rpc_call *call, uint32_t handle);
bool rpc_apply_clip(rpc_call *call, vrm_clip *clip, double time);

bool rpc_render_sequence(rpc_call *call);
bool rpc_benchmark_plan(rpc_call *call);
bool rpc_benchmark_execute(rpc_call *call);

// --- rpc_batch.c, rpc_describe.c ------------------------------------------------------------------------------------

int rpc_batch(rpc_server *server, const char *manifest, const char *results);
int rpc_describe(cli_job *job, bool json);

#endif
