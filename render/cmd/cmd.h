// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef RENDER_CMD_CMD_H
#define RENDER_CMD_CMD_H

// Shared by `render` and `thumbnail`: a stage with one avatar on it (stage.c), the avatar's pose (pose.c) and gaze
// (gaze.c), cameras (camera.c, framing.c), and the check for empty pictures (empty.c).

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
    int pose;                  // index of a built-in pose in pose.c, or their count for a pose file
    bool moves;                // true with a motion instead of a pose
    scene_stage_motion motion; // the built-in motion
    scene_glb_motion *own;     // animation of the model's own file: it moves all nodes, and nothing is simulated
    vrm_clip *clip;            // clip of the pose or motion file
    vrm_clip_player *player;
    look_path gaze;
    vrm_dvec3 target; // current target of `gaze`
    float around_up[VRM_LOOK_CHAIN_PRESET_BONES];
    uint32_t around_up_count;
    vrm_ragdoll_def *ragdoll; // created when the ragdoll's lines are drawn
} stage;

// Loads the model, creates context and renderer (`how` NULL: with the defaults) and uploads the model. Prints failures.
// Call stage_end() even after a failure.
int stage_begin(stage *s, cli_job *job, const char *path, const render_figure *figure, const vrm_renderer_def *how);
void stage_end(stage *s);
// The expressions to show. `text` is the text of one --expression. If it is NULL, `expression` is the index of one
// expression, or -1 for none.
typedef struct stage_face {
    const char *text;
    int32_t expression;
} stage_face;
// Sets rest pose, pose, gaze and expressions, and lets the hair come to rest.
int stage_pose(stage *s, const stage_face *face);
// Sets the motion's pose at `seconds`, and advances hair and clothes by `dt`.
void stage_move(stage *s, double seconds, double dt);
// Draws a picture and reads it into `pixels`, which must have room for the scene's size.
int stage_draw(stage *s, const vrm_render_scene *scene, bool first_person, uint8_t *pixels);
// Returns the reason why the figure is not visible in a picture of it; NULL if it is visible.
const char *stage_find_empty(stage *s, const vrm_render_scene *scene, bool first_person, const uint8_t *pixels);
// Warns of empty pictures. With --strict this is an error.
int stage_say_empty(stage *s, const char *what);
// failure.c: prints a renderer's failure to stderr and returns the exit code.
int stage_failed(stage *s, vrm_result result);

// --- pose.c --------------------------------------------------------------------------------------------------------

// Finds the built-in poses and motions of --pose and --motion by name, or loads their files.
int pose_begin(stage *s);
void pose_end(stage *s);
void pose_start(stage *s);
void pose_move(stage *s, double seconds);
// Returns the seconds of one cycle of the motion: a clip's length; one second for other motions.
double pose_round(const stage *s);
// Returns the length of the motion file in seconds; 5 without a file.
double pose_duration(const stage *s);

// --- gaze.c --------------------------------------------------------------------------------------------------------

int gaze_begin(stage *s);
// Sets up the look chain. The target must be known.
vrm_result gaze_start(stage *s);
void gaze_follow(stage *s, double seconds);
enum { GAZE_BALL_LINES = 24 * 24 };
// Writes the target as a sphere of lines, for --debug gaze. Returns their count; 0 without a target.
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

// Returns true for names that end in .mp4, .webm, .gif, .webp or .apng.
bool video_is_name(const char *path);
// Starts ffmpeg for RGBA pictures of this size.
int video_begin(video *v, cli_job *job, const char *path, const vrm_render_scene *scene, double fps);
int video_add(video *v, const uint8_t *pixels);
// Ends ffmpeg. `code` is the exit code so far; an incomplete video is deleted.
int video_end(video *v, int code);

// --- camera.c ------------------------------------------------------------------------------------------------------

typedef struct camera {
    bool first_person;
    int part; // camera_part
    double yaw, pitch, distance;
    double eye[3], target[3];
    bool framed;   // for body, bust and face: true once the part was visible
    framing frame; // relative to the anchor, which is the head for bust and face
} camera;

typedef enum camera_part {
    CAMERA_BODY,
    CAMERA_BUST,
    CAMERA_FACE,
    CAMERA_FIRST_PERSON,
    CAMERA_ORBIT,
    CAMERA_POINT
} camera_part;

// Returns false if the text does not describe a camera.
bool camera_parse(const char *text, camera *out);
// Returns true for body, bust and face cameras, which are placed around the drawn extent of their part. Other cameras
// do not depend on the figure.
bool camera_is_framed(const camera *c);
// Fits the frame around the figure's current pose. A further call extends the frame to include that call's pose.
void camera_frame(camera *c, const stage *s);
// Gives cameras around one figure the same height and distance.
void camera_join(camera *cameras, uint32_t count);
// Fills view and projection, and the light over the camera's shoulder.
void camera_apply(const camera *c, const stage *s, vrm_render_scene *scene);
// With a background, adds a far-reaching ground to a first-person view, which is otherwise empty when the wearer looks
// ahead.
void camera_add_ground(const camera *c, vrm_render_scene *scene);
// Converts "#rrggbb", "#rrggbbaa" or "transparent" to a linear colour. Returns false for any other text.
bool color_parse(const char *text, vrm_vec4 *out);

#endif
