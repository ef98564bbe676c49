// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Primitives compressed by Draco. The host's decoder writes their vertices and indices into the document's memory.

#include "format/gltf/gltf_private.h"

enum { MOST_ATTRIBUTES = 32 };

typedef struct draco_job {
    vrm_draco_request request;
    vrm_draco_attribute attributes[MOST_ATTRIBUTES];
    vrmi_gltf_accessor *accessors[MOST_ATTRIBUTES];
    vrmi_gltf_accessor *indices;
    uint32_t wanted;
    bool fits; // false: the accessors do not fit together
} draco_job;

// Requests an accessor's elements from the decoder if it has no buffer view. An accessor that was already decoded for
// an earlier primitive is not requested again.
static void want(vrmi_load *load, draco_job *job, vrmi_gltf_accessor *a, vrm_draco_attribute *out)
{
    out->components = a->components;
    out->component_type = a->component_type;
    if (a->view != UINT32_MAX || a->sparse_count != 0 || a->data != NULL || a->count == 0) {
        return;
    }
    const uint32_t size = (uint32_t)a->components * a->component_size;
    out->out_elements = vrmi_load_alloc(load, a->count, size);
    job->fits = job->fits && a->rows == a->components && out->out_elements != NULL;
    job->wanted += 1;
}

static void want_attributes(vrmi_load *load, uint32_t extension, const vrmi_gltf_primitive *primitive, draco_job *job)
{
    const vrmi_json *json = load->reader.json;
    const uint32_t ids = vrmi_json_member(json, extension, "attributes");
    const uint32_t names = vrmi_json_member(json, primitive->json, "attributes");
    for (uint32_t key = vrmi_json_first(json, names); key != VRMI_JSON_NONE; key = vrmi_json_next(json, key)) {
        char name[64];
        uint32_t id, index;
        vrmi_json_unescape(json, key, name, sizeof name);
        if (!vrmi_json_uint(json, vrmi_json_member(json, ids, name), &id) ||
            !vrmi_json_uint(json, vrmi_json_value(json, key), &index) ||
            index >= load->gltf->counts[VRM_GLTF_ACCESSORS] || job->request.attribute_count == MOST_ATTRIBUTES) {
            continue;
        }
        vrmi_gltf_accessor *a = vrmi_load_accessor(load, (int32_t)index);
        if (a == NULL) {
            continue;
        }
        const uint32_t at = job->request.attribute_count++;
        job->fits = job->fits && (at == 0 || a->count == job->request.vertex_count);
        job->request.vertex_count = a->count;
        job->attributes[at].id = id;
        job->accessors[at] = a;
        want(load, job, a, &job->attributes[at]);
    }
}

static void want_indices(vrmi_load *load, const vrmi_gltf_primitive *primitive, draco_job *job)
{
    uint32_t index;
    const vrmi_json *json = load->reader.json;
    if (vrmi_json_uint(json, vrmi_json_member(json, primitive->json, "indices"), &index) &&
        index < load->gltf->counts[VRM_GLTF_ACCESSORS]) {
        job->indices = vrmi_load_accessor(load, (int32_t)index);
    }
    if (job->indices != NULL) {
        job->request.index_count = job->indices->count;
        job->fits = job->fits && job->indices->components == 1;
        want(load, job, job->indices, &job->request.indices);
    }
}

static void give(vrmi_load *load, vrmi_gltf_accessor *a, const vrm_draco_attribute *from)
{
    if (from->out_elements != NULL) {
        a->data = from->out_elements;
        a->stride = (uint64_t)a->components * a->component_size;
        load->max_scan += 16 * a->stride * a->count;
    }
}

bool vrmi_load_draco(vrmi_load *load, uint32_t extension, const vrmi_gltf_primitive *primitive)
{
    uint32_t view = UINT32_MAX;
    draco_job job = {.fits = true};
    (void)vrmi_json_uint(load->reader.json, vrmi_json_member(load->reader.json, extension, "bufferView"), &view);
    const vrmi_gltf_view *from = view < load->gltf->counts[VRM_GLTF_BUFFER_VIEWS] ? &load->data->views[view] : NULL;
    if (from == NULL || from->data == NULL || from->compressed) {
        return true; // the view or its buffer was already reported
    }
    want_attributes(load, extension, primitive, &job);
    want_indices(load, primitive, &job);
    if (job.wanted == 0 || load->stopped != VRM_SUCCESS) {
        return load->stopped == VRM_SUCCESS;
    }
    job.request.bytes = from->data;
    job.request.size = (size_t)from->size;
    job.request.attributes = job.attributes;
    if (!job.fits || load->def->decode_draco(&job.request, load->def->decode_user) != VRM_SUCCESS) {
        vrmi_reader_report(&load->reader, VRM_FINDING_PRIMITIVE_UNREADABLE, extension, NULL,
            job.fits ? "bytes that the decoder refuses" : "accessors that do not fit together", NULL);
        return true;
    }
    for (uint32_t i = 0; i < job.request.attribute_count; ++i) {
        give(load, job.accessors[i], &job.attributes[i]);
    }
    if (job.indices != NULL) {
        give(load, job.indices, &job.request.indices);
    }
    return true;
}
