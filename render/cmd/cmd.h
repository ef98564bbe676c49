// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef RENDER_CMD_CMD_H
#define RENDER_CMD_CMD_H

// Shared by `render` and `thumbnail`: a stage with one avatar on it (stage.c), its pose (pose.c) and gaze (gaze.c),
// cameras (camera.c, framing.c), and the check for empty pictures (empty.c).

#include <vrm_render/render.h>

#include "framing.h"
#include "glb_motion.h"
#include "look.h"
#include "platform.h"
#include "png.h"
#include "render_options.h"

int run_render(const cli_inputs *inputs, const void *options, cli_job *job);
int run_thumbnail(const cli_inputs *inputs, const void *options, cli_job *job);

// --- stage.c -------------------------------------------------------------------------------------------------------

typedef struct stage {
    cli_job *job;
    const render_figure *figure;
    cli_model model;
    vrm_instance *instance;
    vrm_render_context *context;
    vrm_renderer *renderer;
    vrm_render_model *meshes;
    int pose;                  // pose.c: index of a built-in pose; one past the last is a pose file
    bool moves;                // there is a motion instead of a pose
    scene_stage_motion motion; // built-in, by its name
    scene_glb_motion *own;     // from the model's file: it moves all nodes, and nothing is simulated
    vrm_clip *clip;            // of a pose or motion from a file
    vrm_clip_player *player;
    look_path gaze;
    vrm_dvec3 target; // current target of `gaze`
    float around_up[VRM_LOOK_CHAIN_PRESET_BONES];
    uint32_t around_up_count;
    vrm_ragdoll_def *ragdoll; // created when its lines are drawn
} stage;

// Loads, creates context and renderer (NULL: its defaults), uploads. Reports failures; call stage_end() in any case.
int stage_begin(stage *s, cli_job *job, const char *path, const render_figure *figure, const vrm_renderer_def *how);
void stage_end(stage *s);
// The expressions to show: the text of one --expression (NULL: none), else one expression by its index (-1: none).
typedef struct stage_face {
    const char *text;
    int32_t expression;
} stage_face;
// Sets rest, pose, gaze and face; lets hair come to rest.
int stage_pose(stage *s, const stage_face *face);
// Sets the motion's pose at `seconds`, and advances hair and clothes by `dt`.
void stage_move(stage *s, double seconds, double dt);
// Draws and reads the picture; `pixels` must hold the scene's size.
int stage_draw(stage *s, const vrm_render_scene *scene, bool first_person, uint8_t *pixels);
// The reason why the figure is not visible in a picture drawn of it; NULL when it is visible.
const char *stage_find_empty(stage *s, const vrm_render_scene *scene, bool first_person, const uint8_t *pixels);
// Warns of empty pictures; an error with --strict.
int stage_say_empty(stage *s, const char *what);
// failure.c: prints a renderer's failure to stderr and returns the exit code.
int stage_failed(stage *s, vrm_result result);

// --- pose.c --------------------------------------------------------------------------------------------------------

// Finds the built-in names or loads the files of --pose and --motion.
int pose_begin(stage *s);
void pose_end(stage *s);
void pose_start(stage *s);
void pose_move(stage *s, double seconds);
// Seconds for one round of the motion: a clip's length, else one second.
double pose_round(const stage *s);
// The length of the motion's file, else 5 seconds.
double pose_duration(const stage *s);

// --- gaze.c --------------------------------------------------------------------------------------------------------

int gaze_begin(stage *s);
// Sets up the look chain; the target must be known.
vrm_result gaze_start(stage *s);
void gaze_follow(stage *s, double seconds);
enum { GAZE_BALL_LINES = 24 * 24 };
// The target as a sphere of lines, for --debug gaze; returns their count, 0 without a target.
uint32_t gaze_draw_ball(const stage *s, vrm_debug_line lines[GAZE_BALL_LINES]);

// --- video.c -------------------------------------------------------------------------------------------------------

typedef struct video {
    cli_job *job;
    const char *path;
    char *part;     // the temporary file that ffmpeg writes
    size_t picture; // bytes of one picture
    cli_pipe pipe;
} video;

// Loads a model for drawing: like cli_load(), but images that the renderer can decode are not reported.
int load_drawn(cli_job *job, const char *path, uint32_t flags, cli_model *out_model);

// True for names that end in .mp4, .webm, .gif, .webp or .apng.
bool video_is_name(const char *path);
// Starts ffmpeg for RGBA pictures of this size.
int video_begin(video *v, cli_job *job, const char *path, const vrm_render_scene *scene, double fps);
int video_add(video *v, const uint8_t *pixels);
// Ends ffmpeg; `code` is the exit code so far: an incomplete video is deleted.
int video_end(video *v, int code);

// --- camera.c ------------------------------------------------------------------------------------------------------

typedef struct camera {
    bool first_person;
    int part; // camera_part
    double yaw, pitch, distance;
    double eye[3], target[3];
    bool framed;   // body, bust, face: set after the part was visible once
    framing frame; // relative to its anchor: bust and face follow the head
} camera;

typedef enum camera_part {
    CAMERA_BODY,
    CAMERA_BUST,
    CAMERA_FACE,
    CAMERA_FIRST_PERSON,
    CAMERA_ORBIT,
    CAMERA_POINT
} camera_part;

// False if the text is no camera.
bool camera_parse(const char *text, camera *out);
// True for body, bust and face cameras, which are placed around the drawn extent of their part; others keep their
// place.
bool camera_is_framed(const camera *c);
// Fits the frame around the figure's current pose; a further call extends it to that pose.
void camera_frame(camera *c, const stage *s);
// Gives cameras around one figure the same height and distance.
void camera_join(camera *cameras, uint32_t count);
// Fills view and projection, and the light over the camera's shoulder.
void camera_apply(const camera *c, const stage *s, vrm_render_scene *scene);
// Seen from the wearer's eyes, the view without a ground is empty: with a background a far-reaching ground is drawn.
void camera_add_ground(const camera *c, vrm_render_scene *scene);
// "#rrggbb", "#rrggbbaa" or "transparent" to linear; false for anything else.
bool color_parse(const char *text, vrm_vec4 *out);

#endif
