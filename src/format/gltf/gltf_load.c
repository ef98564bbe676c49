// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/abi.h"
#include "base/platform.h"
#include "base/report.h"
#include "base/text.h"
#include "format/gltf/gltf_private.h"

// --- memory ----------------------------------------------------------------------------------------------------------

static void *budget_allocate(size_t size, size_t alignment, void *user)
{
    vrmi_budget *budget = user;
    if (size > budget->limit - budget->used) {
        budget->limit_hit = true;
        return NULL;
    }
    void *memory = vrmi_allocate(&budget->inner, size, alignment);
    if (memory != NULL) {
        budget->used += size;
    }
    return memory;
}

static void budget_release(void *memory, size_t size, void *user)
{
    vrmi_budget *budget = user;
    budget->used -= size;
    vrmi_release(&budget->inner, memory, size);
}

// --- passes that have no file of their own ---------------------------------------------------------------------------

// Copies the caller's bytes into the document, unless they are borrowed.
static bool take_bytes(vrmi_load *load, const uint8_t *bytes, size_t size)
{
    vrmi_gltf_private *data = load->data;
    load->gltf->bytes = bytes;
    load->gltf->size = size;
    if (!vrmi_load_enter(load, "copy", 0.0f, 0.05f, size)) {
        return false;
    }
    if (load->def->borrow_bytes || data->copy.data != NULL || size == 0) {
        return true;
    }
    uint8_t *copy = vrmi_allocate(&data->counted, size, 16);
    if (copy == NULL) {
        return vrmi_load_stop(load, vrmi_load_no_memory(load));
    }
    data->copy = (vrm_bytes){.data = copy, .size = size, .allocator = data->counted};
    load->gltf->bytes = copy;
    for (size_t at = 0; at < size;) {
        const size_t part = size - at < VRMI_PROGRESS_WORK ? size - at : VRMI_PROGRESS_WORK;
        memcpy(copy + at, bytes + at, part);
        at += part;
        if (!vrmi_load_work(load, part)) {
            return false;
        }
    }
    return true;
}

static bool json_progress(float fraction, void *user)
{
    vrmi_load *load = user;
    load->done = (uint64_t)((double)fraction * (double)load->phase_work);
    return vrmi_load_progress(load);
}

static bool read_json(vrmi_load *load)
{
    const vrmi_gltf_private *data = load->data;
    const char *text = (const char *)load->gltf->bytes + data->json_start;
    const vrmi_json_limits limits = {
        .max_depth = load->def->limits.max_depth,
        .max_memory = data->budget.limit - data->budget.used,
        .progress = json_progress,
        .progress_user = load,
    };
    load->phase_work = data->json_size;
    const vrm_result result =
        vrmi_json_parse(&load->gltf->json, text, data->json_size, &data->counted, &limits, load->report);
    if (result == VRM_ERROR_OUT_OF_MEMORY) {
        return vrmi_load_stop(load, vrmi_load_no_memory(load));
    }
    if (result == VRM_ERROR_LIMIT || result == VRM_ERROR_CANCELLED) {
        return vrmi_load_stop(load, result);
    }
    if (result != VRM_SUCCESS) {
        load->not_gltf = true;
        return false;
    }
    if (!vrmi_json_is(&load->gltf->json, 0, VRMI_JSON_OBJECT)) {
        vrmi_reader_report_value(&load->reader, VRM_FINDING_TYPE_MISMATCH, 0, "an object");
        load->not_gltf = true;
        return false;
    }
    return true;
}

// Whether a text is two numbers separated by a point, such as "2.0".
static bool is_version(const char *text)
{
    const size_t major = strspn(text, "0123456789");
    const size_t minor = text[major] == '.' ? strspn(text + major + 1, "0123456789") : 0;
    return major != 0 && minor != 0 && text[major + 1 + minor] == '\0';
}

static bool read_asset(vrmi_load *load)
{
    const vrmi_json *json = &load->gltf->json;
    const uint32_t asset = vrmi_read_object(&load->reader, 0, "asset", VRMI_REQUIRED);
    const uint32_t version =
        asset != VRMI_JSON_NONE ? vrmi_read_string(&load->reader, asset, "version", VRMI_REQUIRED) : VRMI_JSON_NONE;
    if (version == VRMI_JSON_NONE) {
        load->not_gltf = true;
        return true; // already reported; the rest may still be readable
    }
    char text[16];
    vrmi_json_unescape(json, version, text, sizeof(text));
    if (!is_version(text)) {
        vrmi_reader_report_value(&load->reader, VRM_FINDING_PATTERN_MISMATCH, version, "as in \"2.0\"");
    }
    if (strncmp(text, "2.", 2) != 0) {
        vrmi_reader_report_value(&load->reader, VRM_FINDING_UNKNOWN_ASSET_MAJOR_VERSION, version, "2.0");
        load->not_gltf = true;
        return false;
    }
    if (strcmp(text, "2.0") != 0) {
        vrmi_reader_report_value(&load->reader, VRM_FINDING_UNKNOWN_ASSET_MINOR_VERSION, version, "2.0");
    }
    return true;
}

// Checks one name in extensionsRequired.
static void require_extension(vrmi_load *load, uint32_t name)
{
    char text[256];
    vrmi_json_unescape(&load->gltf->json, name, text, sizeof(text));
    vrm_finding_id id = VRM_FINDING_UNSUPPORTED_EXTENSION;
    switch (vrmi_extension_lookup(vrmi_string(text))) {
    case VRMI_EXTENSION_SUPPORTED:
        return;
    case VRMI_EXTENSION_GEOMETRY_UNREADABLE:
        if (load->def->decode_meshopt != NULL &&
            (strcmp(text, vrmi_meshopt_names[0]) == 0 || strcmp(text, vrmi_meshopt_names[1]) == 0)) {
            return;
        }
        if (load->def->decode_draco != NULL && strcmp(text, "KHR_draco_mesh_compression") == 0) {
            return;
        }
        id = VRM_FINDING_EXTENSION_GEOMETRY_UNREADABLE;
        break;
    case VRMI_EXTENSION_IMAGE_UNREADABLE:
        id = VRM_FINDING_EXTENSION_IMAGE_UNREADABLE;
        break;
    case VRMI_EXTENSION_IGNORED:
        id = VRM_FINDING_EXTENSION_IGNORED;
        break;
    default:
        load->unsupported = true;
        break;
    }
    vrmi_reader_report(&load->reader, id, name, NULL, text, NULL);
}

static bool read_extensions(vrmi_load *load)
{
    const vrmi_json *json = &load->gltf->json;
    const uint32_t required = vrmi_read_array(&load->reader, 0, "extensionsRequired", VRMI_OPTIONAL);
    for (uint32_t name = vrmi_json_first(json, required); name != VRMI_JSON_NONE; name = vrmi_json_next(json, name)) {
        if (!vrmi_json_is(json, name, VRMI_JSON_STRING)) {
            vrmi_reader_report_value(&load->reader, VRM_FINDING_TYPE_MISMATCH, name, "a string");
        } else {
            require_extension(load, name);
        }
        if (!vrmi_load_work(load, VRMI_ELEMENT_WORK)) {
            return false;
        }
    }
    const uint32_t used = vrmi_read_array(&load->reader, 0, "extensionsUsed", VRMI_OPTIONAL);
    for (uint32_t name = vrmi_json_first(json, used); name != VRMI_JSON_NONE; name = vrmi_json_next(json, name)) {
        load->quantized = load->quantized || (vrmi_json_is(json, name, VRMI_JSON_STRING) &&
                                                 vrmi_json_string_equal(json, name, "KHR_mesh_quantization"));
    }
    return true;
}

static const char *const array_names[VRM_GLTF_ARRAY_COUNT] = {"accessors", "animations", "buffers", "bufferViews",
    "cameras", "images", "materials", "meshes", "nodes", "samplers", "scenes", "skins", "textures"};

static bool read_array(vrmi_load *load, vrm_gltf_array which)
{
    const vrmi_json *json = &load->gltf->json;
    const uint32_t array = vrmi_read_array(&load->reader, 0, array_names[which], VRMI_OPTIONAL);
    const uint32_t count = vrmi_json_count(json, array);
    const vrm_limits *limits = &load->def->limits;
    load->gltf->arrays[which] = array;
    if (count > (which == VRM_GLTF_NODES ? limits->max_nodes : limits->max_elements)) {
        char expected[48];
        return vrmi_load_limit(load, array,
            vrmi_format(expected, sizeof(expected), "at most %u elements",
                which == VRM_GLTF_NODES ? limits->max_nodes : limits->max_elements));
    }
    uint32_t *elements = vrmi_load_alloc(load, count, sizeof(*elements));
    if (elements == NULL) {
        return false;
    }
    uint32_t element = vrmi_json_first(json, array);
    for (uint32_t i = 0; i < count; ++i, element = vrmi_json_next(json, element)) {
        elements[i] = element;
        if (!vrmi_json_is(json, element, VRMI_JSON_OBJECT)) {
            vrmi_reader_report_value(&load->reader, VRM_FINDING_TYPE_MISMATCH, element, "an object");
        }
    }
    load->data->elements[which] = elements;
    load->gltf->counts[which] = count;
    return vrmi_load_work(load, (uint64_t)count * VRMI_ELEMENT_WORK / 16);
}

static bool read_arrays(vrmi_load *load)
{
    for (uint32_t which = 0; which < VRM_GLTF_ARRAY_COUNT; ++which) {
        if (!read_array(load, (vrm_gltf_array)which)) {
            return false;
        }
    }
    return true;
}

// --- the whole load --------------------------------------------------------------------------------------------------

// The work of the structure phase, in proportion to its number of array elements.
static uint64_t structure_work(const vrm_gltf *gltf)
{
    uint64_t elements = 0;
    for (uint32_t i = 0; i < VRM_GLTF_ARRAY_COUNT; ++i) {
        elements += gltf->counts[i];
    }
    return elements * VRMI_ELEMENT_WORK;
}

// A peek also shows the contents of damaged files, so it reports no findings outside the JSON.
static void peek(vrmi_load *load, size_t size)
{
    const uint32_t errors = load->reader.errors;
    load->reader.report = NULL;
    if (read_arrays(load) && vrmi_load_enter(load, "buffers", 0.25f, 1.0f, size) && vrmi_load_buffers(load) &&
        vrmi_load_images(load)) {
        vrmi_load_enter(load, "done", 1.0f, 1.0f, 0);
    }
    load->reader.errors = errors;
}

static void run(vrmi_load *load, const void *bytes, size_t size)
{
    if (!take_bytes(load, bytes, size) || !vrmi_load_enter(load, "json", 0.05f, 0.25f, size) ||
        !vrmi_load_container(load) || !read_json(load) || !read_asset(load)) {
        return;
    }
    if (load->part == VRMI_GLTF_PEEK) {
        peek(load, size);
        return;
    }
    if (!read_extensions(load) || !read_arrays(load)) {
        return;
    }
    vrmi_load_quoted(load);
    if (load->part == VRMI_GLTF_JSON) {
        load->gltf->flags |= VRM_GLTF_GEOMETRY_UNREADABLE | VRM_GLTF_IMAGES_UNREADABLE;
    }
    const uint64_t work = structure_work(load->gltf);
    if (!vrmi_load_enter(load, "buffers", 0.25f, 0.4f, size) || !vrmi_load_buffers(load) || !vrmi_load_images(load) ||
        !vrmi_load_enter(load, "structure", 0.4f, 0.6f, work) || !vrmi_load_accessors(load) ||
        !vrmi_load_meshes(load) || !vrmi_load_skins(load) || !vrmi_load_nodes(load) || !vrmi_load_links(load) ||
        !vrmi_load_enter(load, "data", 0.6f, 1.0f, load->max_scan / 16) || !vrmi_load_check_data(load)) {
        return;
    }
    load->complete = vrmi_load_enter(load, "done", 1.0f, 1.0f, 0);
}

static vrm_result outcome(const vrmi_load *load)
{
    if (load->stopped != VRM_SUCCESS) {
        return load->stopped;
    }
    if (load->not_gltf) {
        return VRM_ERROR_NOT_GLTF;
    }
    if (load->unsupported) {
        return VRM_ERROR_UNSUPPORTED;
    }
    return load->reader.errors != 0 ? VRM_ERROR_INVALID_ASSET : VRM_SUCCESS;
}

static vrm_gltf *create(const vrm_gltf_def *def)
{
    vrm_allocator allocator;
    vrmi_resolve_allocator(&def->allocator, &allocator);
    vrm_gltf *gltf = vrmi_allocate(&allocator, sizeof(*gltf), 16);
    vrmi_gltf_private *data = gltf != NULL ? vrmi_allocate(&allocator, sizeof(*data), 16) : NULL;
    if (data == NULL) {
        vrmi_release(&allocator, gltf, sizeof(*gltf));
        return NULL;
    }
    memset(gltf, 0, sizeof(*gltf));
    memset(data, 0, sizeof(*data));
    gltf->allocator = allocator;
    gltf->limits = def->limits;
    gltf->scene = -1;
    gltf->private_data = data;
    data->budget.inner = allocator;
    data->budget.limit = def->limits.max_memory;
    data->counted = (vrm_allocator){budget_allocate, budget_release, &data->budget};
    vrmi_arena_init(&gltf->arena, &data->counted, 0);
    vrmi_edit_init(&data->edit, &gltf->json, def->limits.max_depth, &allocator);
    return gltf;
}

// Loads a document from bytes. If `adopted` is not NULL, the document takes ownership of it; on failure it is freed.
static vrm_result load_bytes(const vrm_gltf_def *def, vrmi_gltf_part part, const void *bytes, size_t size,
    vrm_bytes *adopted, vrm_report *report, vrm_gltf **out_gltf)
{
    vrm_gltf *gltf = create(def);
    if (gltf == NULL) {
        if (adopted != NULL) {
            vrm_bytes_free(adopted);
        }
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    vrmi_load load = {.gltf = gltf, .data = gltf->private_data, .def = def, .part = part, .report = report};
    load.reader.json = &gltf->json;
    load.reader.report = report;
    load.max_scan = ((uint64_t)64 << 20) + 16 * (uint64_t)size;
    if (adopted != NULL) {
        load.data->copy = *adopted;
        load.data->budget.used = size;
    }
    run(&load, bytes, size);
    const vrm_result result = outcome(&load);
    const bool faulty = part == VRMI_GLTF_FAULTY && load.complete;
    if (result != VRM_SUCCESS && !faulty) {
        vrm_gltf_destroy(gltf);
        return result;
    }
    // The memory limit applies to loading only, not to later edits and reads.
    load.data->budget.limit = UINT64_MAX;
    *out_gltf = gltf;
    return result;
}

static bool read_def(const vrm_gltf_def *given, vrm_gltf_def *def)
{
    vrm_gltf_def_default(def);
    return VRM_ASSERT(VRMI_READ_OPTIONS(vrm_gltf_def, def, given));
}

static vrm_result too_large(const vrm_limits *limits, vrm_report *report)
{
    const uint64_t most = limits->max_file_size < limits->max_memory ? limits->max_file_size : limits->max_memory;
    char expected[64];
    vrmi_report(report, VRM_FINDING_LIMIT_EXCEEDED, NULL, NULL,
        vrmi_format(expected, sizeof(expected), "a file of at most %llu bytes", (unsigned long long)most));
    return VRM_ERROR_LIMIT;
}

vrm_result vrmi_gltf_load_part(const vrm_gltf_def *def, vrmi_gltf_part part, const void *bytes, size_t size,
    vrm_report *report, vrm_gltf **out_gltf)
{
    vrm_gltf_def own;
    if (!VRM_ASSERT(out_gltf != NULL)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    *out_gltf = NULL;
    if (!read_def(def, &own) || !VRM_ASSERT(bytes != NULL || size == 0)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    return size > own.limits.max_file_size ? too_large(&own.limits, report)
                                           : load_bytes(&own, part, bytes, size, NULL, report, out_gltf);
}

vrm_result vrm_gltf_load(
    const vrm_gltf_def *def, const void *bytes, size_t size, vrm_report *report, vrm_gltf **out_gltf)
{
    return vrmi_gltf_load_part(def, VRMI_GLTF_WHOLE, bytes, size, report, out_gltf);
}

// --- from a path -----------------------------------------------------------------------------------------------------

static vrm_result read_beside(const vrm_read_request *request, vrm_bytes *out_bytes, void *user)
{
    const char *document = user;
    return vrmi_platform_read_beside(document, request->uri, request->max_size, &request->allocator, out_bytes);
}

vrm_result vrm_gltf_load_file(const vrm_gltf_def *def, const char *path, vrm_report *report, vrm_gltf **out_gltf)
{
    vrm_gltf_def with_folder;
    if (!VRM_ASSERT(out_gltf != NULL)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    *out_gltf = NULL;
    if (!read_def(def, &with_folder) || !VRM_ASSERT(path != NULL)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrm_allocator allocator;
    vrmi_resolve_allocator(&with_folder.allocator, &allocator);
    if (with_folder.read == NULL) {
        with_folder.read = read_beside;
        with_folder.read_user = (void *)path; // the callback only reads the path
    }
    const vrm_limits *limits = &with_folder.limits;
    const uint64_t max_size = limits->max_file_size < limits->max_memory ? limits->max_file_size : limits->max_memory;
    vrm_bytes bytes = {0};
    const vrm_result result = vrmi_platform_read_file(path, max_size, &allocator, &bytes);
    if (result != VRM_SUCCESS) {
        return result == VRM_ERROR_LIMIT ? too_large(limits, report) : result;
    }
    return load_bytes(&with_folder, VRMI_GLTF_WHOLE, bytes.data, bytes.size, &bytes, report, out_gltf);
}
