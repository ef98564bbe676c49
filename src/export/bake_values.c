// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "export/bake.h"

enum { MAX_FLOATS = 16 };

bool vrmi_bake_tick(vrmi_bake *bake)
{
    if (vrmi_writer_runs(&bake->out) && bake->def->progress != NULL) {
        const uint32_t done = bake->steps_done < bake->steps ? bake->steps_done : bake->steps;
        const float fraction = bake->steps != 0 ? (float)done / (float)bake->steps : 0.0f;
        if (!bake->def->progress(fraction, "bake", bake->def->progress_user)) {
            vrmi_writer_fail(&bake->out, VRM_ERROR_CANCELLED);
        }
    }
    return vrmi_writer_runs(&bake->out);
}

void vrmi_bake_report(vrmi_bake *bake, vrm_finding_id id, uint32_t value, const char *key, const char *found)
{
    vrmi_reader_report(&bake->reader, id, value, key, found, NULL);
}

void vrmi_bake_get_floats(
    const vrmi_bake *bake, uint32_t object, const char *key, uint32_t count, const double *missing, double *out)
{
    const vrmi_json *json = bake->json;
    const uint32_t array = vrmi_json_member(json, object, key);
    uint32_t item = vrmi_json_first(json, array);
    bool whole = vrmi_json_is(json, array, VRMI_JSON_ARRAY) && vrmi_json_count(json, array) == count;
    for (uint32_t i = 0; i < count && whole; ++i, item = vrmi_json_next(json, item)) {
        whole = vrmi_json_number(json, item, &out[i]);
    }
    for (uint32_t i = 0; i < count && !whole; ++i) {
        out[i] = missing[i];
    }
}

static void add_number(vrmi_bake *bake, vrmi_text *text, double value)
{
    const float number = (float)value;
    if (!(number - number == 0.0f)) { // JSON cannot express NaN or infinity
        vrmi_writer_fail(&bake->out, VRM_ERROR_INVALID_ASSET);
    }
    vrmi_text_add_float(text, number == 0.0f ? 0.0f : number); // avoids -0
}

void vrmi_bake_set_floats(
    vrmi_bake *bake, uint32_t object, const char *key, const double *values, uint32_t count, const double *missing)
{
    double old[MAX_FLOATS];
    const double none[MAX_FLOATS] = {0.0};
    bool same = missing != NULL || vrmi_json_member(bake->json, object, key) != VRMI_JSON_NONE;
    vrmi_bake_get_floats(bake, object, key, count, missing != NULL ? missing : none, old);
    for (uint32_t i = 0; i < count; ++i) {
        same = same && vrmi_bake_same(old[i], values[i]);
    }
    if (same) {
        return;
    }
    char path[VRMI_BAKE_PATH];
    vrmi_text text;
    vrmi_text_init(&text, &bake->out.allocator);
    for (uint32_t i = 0; i < count; ++i) {
        vrmi_text_add_string(&text, i == 0 ? "[" : ",");
        add_number(bake, &text, values[i]);
    }
    vrmi_text_add_string(&text, "]");
    vrmi_write_text(&bake->out, &text, "%s/%s", vrmi_json_path(bake->json, object, path, sizeof path), key);
}

void vrmi_bake_set_float(vrmi_bake *bake, uint32_t object, const char *key, double value, double missing)
{
    double old = missing;
    (void)vrmi_json_number(bake->json, vrmi_json_member(bake->json, object, key), &old);
    if (vrmi_bake_same(old, value)) {
        return;
    }
    char path[VRMI_BAKE_PATH];
    vrmi_text text;
    vrmi_text_init(&text, &bake->out.allocator);
    add_number(bake, &text, value);
    vrmi_write_text(&bake->out, &text, "%s/%s", vrmi_json_path(bake->json, object, path, sizeof path), key);
}

bool vrmi_bake_get_node(const vrmi_bake *bake, uint32_t object, const char *key, uint32_t *out_node)
{
    return vrmi_json_uint(bake->json, vrmi_json_member(bake->json, object, key), out_node) &&
           *out_node < bake->gltf->counts[VRM_GLTF_NODES];
}

void vrmi_bake_turn_vector(const vrmi_bake *bake, uint32_t node, double v[3])
{
    const double old[3] = {v[0], v[1], v[2]};
    vrmi_matrix_vector(&vrmi_bake_node_at(bake, node)->world, old, v);
}

void vrmi_bake_set_xyz(vrmi_bake *bake, uint32_t object, const char *key, uint32_t node)
{
    static const char *const axes[] = {"x", "y", "z"};
    const vrmi_json *json = bake->json;
    const uint32_t value = vrmi_json_member(json, object, key);
    double v[3] = {0.0, 0.0, 0.0};
    if (!vrmi_json_is(json, value, VRMI_JSON_OBJECT)) {
        return;
    }
    for (int i = 0; i < 3; ++i) {
        (void)vrmi_json_number(json, vrmi_json_member(json, value, axes[i]), &v[i]);
    }
    v[2] = -v[2]; // left-handed axes
    vrmi_bake_turn_vector(bake, node, v);
    v[2] = -v[2];
    for (int i = 0; i < 3; ++i) {
        vrmi_bake_set_float(bake, value, axes[i], v[i], 0.0);
    }
}
