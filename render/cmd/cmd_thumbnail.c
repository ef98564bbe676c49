// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "cmd.h"

#include <stdlib.h>
#include <string.h>

static int out_of_memory(cli_job *job)
{
    return cli_fail(job, CLI_EXIT_AGAIN, "%s", vrm_result_sentence(VRM_ERROR_OUT_OF_MEMORY));
}

// The largest size of a thumbnail's decoded pixels, bytes.
#define LARGEST_THUMBNAIL (UINT64_C(1) << 28)

// Copies the image that the file names as its thumbnail, byte by byte. An image that cannot be decoded is copied with a
// remark.
static int copy_embedded(const char *path, const thumbnail_options *options, cli_job *job)
{
    cli_model model;
    int code = load_drawn(job, path, CLI_LOAD_AVATAR, &model);
    if (code == CLI_EXIT_DONE) {
        vrm_meta meta = {.struct_size = sizeof meta};
        vrm_gltf_image image = {.struct_size = sizeof image};
        vrm_avatar_get_meta(model.avatar, &meta);
        if (meta.thumbnail_image < 0 ||
            vrm_gltf_get_image(model.gltf, (uint32_t)meta.thumbnail_image, &image) != VRM_SUCCESS ||
            image.bytes == NULL) {
            code = cli_fail(job, CLI_EXIT_ASSET, "%s: the file has no thumbnail", path);
        } else if (strcmp(image.mime_type, "image/png") != 0 && strcmp(image.mime_type, "image/jpeg") != 0) {
            code = cli_fail(job, CLI_EXIT_ASSET, "%s: the thumbnail (image %d) is %s; expected PNG or JPEG", path,
                (int)meta.thumbnail_image,
                image.mime_type[0] != '\0' ? image.mime_type : "not in a known image format");
        } else {
            vrm_render_image decoded;
            const char *why = "";
            if (vrm_render_image_decode(image.bytes, image.size, LARGEST_THUMBNAIL, &decoded, &why) != VRM_SUCCESS) {
                cli_say(job, "%s: the thumbnail (image %d) is copied as it is, but cannot be shown: %s", path,
                    (int)meta.thumbnail_image, why);
            }
            vrm_render_image_free(&decoded);
            code = cli_write_output(job, options->output, image.bytes, image.size);
        }
    }
    cli_model_free(&model);
    return code;
}

static vrm_result set_number(vrm_gltf *gltf, const char *pointer, uint32_t number)
{
    char text[16];
    vrmi_format(text, sizeof text, "%u", number);
    return vrm_gltf_set_json(gltf, pointer, text, strlen(text));
}

static bool has_json(const vrm_gltf *gltf, const char *pointer)
{
    vrm_string found;
    return vrm_gltf_get_json(gltf, pointer, &found) == VRM_SUCCESS;
}

// Adds the picture as an image and names it as the thumbnail. VRM 1.0 names an image, 0.x a texture.
static vrm_result embed(vrm_gltf *gltf, const void *png, size_t size)
{
    uint32_t view = 0;
    vrm_result result = vrm_gltf_append_buffer_view(gltf, png, size, &view);
    const uint32_t image = vrm_gltf_get_count(gltf, VRM_GLTF_IMAGES),
                   texture = vrm_gltf_get_count(gltf, VRM_GLTF_TEXTURES);
    char text[96];
    if (result == VRM_SUCCESS) {
        vrmi_format(text, sizeof text, "{\"name\":\"thumbnail\",\"bufferView\":%u,\"mimeType\":\"image/png\"}", view);
        result = vrm_gltf_set_json(gltf, "/images/-", text, strlen(text));
    }
    if (result == VRM_SUCCESS && has_json(gltf, "/extensions/VRMC_vrm/meta")) {
        result = set_number(gltf, "/extensions/VRMC_vrm/meta/thumbnailImage", image);
    }
    if (result == VRM_SUCCESS && has_json(gltf, "/extensions/VRM/meta")) {
        vrmi_format(text, sizeof text, "{\"name\":\"thumbnail\",\"source\":%u}", image);
        result = vrm_gltf_set_json(gltf, "/textures/-", text, strlen(text));
        result = result == VRM_SUCCESS ? set_number(gltf, "/extensions/VRM/meta/texture", texture) : result;
    }
    return result;
}

static int write_model(stage *s, const char *path, const void *png, size_t size)
{
    if (!has_json(s->model.gltf, "/extensions/VRMC_vrm/meta") && !has_json(s->model.gltf, "/extensions/VRM/meta")) {
        return cli_fail(s->job, CLI_EXIT_UNSUPPORTED, "%s: only VRM files can have a thumbnail", s->model.path);
    }
    vrm_bytes bytes = {0};
    vrm_result result = embed(s->model.gltf, png, size);
    result = result == VRM_SUCCESS ? vrm_gltf_save(s->model.gltf, &bytes) : result;
    if (result != VRM_SUCCESS) {
        return cli_fail(s->job, cli_exit_of(s->job, result), "%s: %s", path, vrm_result_sentence(result));
    }
    const int code = cli_write_model(s->job, &s->model, path, &bytes);
    vrm_bytes_free(&bytes);
    return code;
}

static int draw_and_write(stage *s, const thumbnail_options *options, vrm_render_scene *scene, uint8_t *pixels)
{
    const cli_list *expressions = &options->figure.expressions;
    camera face;
    camera_parse("face", &face);
    int code = stage_pose(s, &(stage_face){expressions->count != 0 ? expressions->items[0] : NULL, -1});
    if (code != CLI_EXIT_DONE) {
        return code;
    }
    camera_frame(&face, s);
    camera_apply(&face, s, scene);
    code = stage_draw(s, scene, false, pixels);
    if (code != CLI_EXIT_DONE) {
        return code;
    }
    const char *why_empty = stage_find_empty(s, scene, false, pixels);
    size_t size = 0;
    void *png = png_encode(pixels, scene->width, scene->height, &size);
    if (png == NULL) {
        return out_of_memory(s->job);
    }
    cli_progress_clear(s->job);
    if (options->output != NULL) {
        code = cli_write_output(s->job, options->output, png, size);
    }
    if (code == CLI_EXIT_DONE && options->embed != NULL) {
        code = write_model(s, options->embed, png, size);
    }
    free(png);
    if (code == CLI_EXIT_DONE && why_empty != NULL) {
        char what[160];
        vrmi_format(what, sizeof what, "the picture is empty: %s", why_empty);
        code = stage_say_empty(s, what);
    }
    return code;
}

int run_thumbnail(const cli_inputs *inputs, const void *options_in, cli_job *job)
{
    const thumbnail_options *options = options_in;
    vrm_render_scene scene;
    vrm_render_scene_default(&scene);
    scene.width = scene.height = (uint32_t)options->size;
    if (options->figure.expressions.count > 1) {
        return cli_fail(
            job, CLI_EXIT_USAGE, "--expression: a thumbnail is a single picture; separate several names by commas");
    }
    if (options->embedded && options->embed != NULL) {
        return cli_fail(job, CLI_EXIT_USAGE, "--embedded extracts a picture, --embed adds one; use only one of them");
    }
    if (options->output == NULL && options->embed == NULL) {
        return cli_fail(job, CLI_EXIT_USAGE, "no output: name a picture with -o OUT.png");
    }
    if (!color_parse(options->background != NULL ? options->background : "#dfe4ee", &scene.background)) {
        return cli_fail(
            job, CLI_EXIT_USAGE, "--background %s: expected #rrggbb, #rrggbbaa or transparent", options->background);
    }
    if (options->output != NULL && options->embed != NULL && strcmp(options->output, options->embed) == 0) {
        return cli_fail(job, CLI_EXIT_USAGE, "%s: is named by both -o and --embed; name two files", options->embed);
    }
    const char *const outputs[] = {options->output, options->embed};
    for (int i = 0; i < 2; ++i) {
        const int begun = outputs[i] != NULL ? cli_begin_output(job, outputs[i], options->force) : CLI_EXIT_DONE;
        if (begun != CLI_EXIT_DONE) {
            return begun;
        }
    }
    if (options->embedded) {
        return copy_embedded(inputs->items[0], options, job);
    }
    if (options->output != NULL && png_is_misnamed(options->output)) {
        return cli_fail(
            job, CLI_EXIT_USAGE, "--output %s: the picture is a PNG file; name it OUT.png", options->output);
    }
    if (options->embed != NULL && cli_has_suffix(options->embed, ".png", false)) {
        return cli_fail(
            job, CLI_EXIT_USAGE, "--embed %s: the model is not a PNG file; name it OUT.vrm", options->embed);
    }
    stage s;
    int code = stage_begin(&s, job, inputs->items[0], &options->figure, NULL);
    if (code == CLI_EXIT_DONE) {
        uint8_t *pixels = malloc((size_t)scene.width * scene.height * 4);
        code = pixels != NULL ? draw_and_write(&s, options, &scene, pixels) : out_of_memory(job);
        free(pixels);
    }
    stage_end(&s);
    return code;
}
