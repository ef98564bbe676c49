// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/text.h"
#include "format/gltf/gltf_private.h"
#include "format/image_header.h"

static const char *const readable_types[] = {"image/png", "image/jpeg"};

static bool is_readable(const char *mime_type)
{
    return strcmp(mime_type, readable_types[0]) == 0 || strcmp(mime_type, readable_types[1]) == 0;
}

// Finds an image's bytes. Returns false if the load must end.
static bool find_bytes(vrmi_load *load, uint32_t object, vrmi_gltf_image_data *image)
{
    vrmi_reader *reader = &load->reader;
    uint32_t view_index = 0;
    if (load->part == VRMI_GLTF_JSON) {
        return true;
    }
    if (vrmi_json_member(reader->json, object, "bufferView") == VRMI_JSON_NONE) {
        vrmi_resource resource;
        if (!vrmi_load_uri(load, object, VRM_FINDING_IMAGE_MISSING, &resource)) {
            return false;
        }
        image->owned = resource.owned;
        image->data = resource.data;
        image->size = resource.size;
        return true;
    }
    if (vrmi_read_index(
            reader, object, "bufferView", VRMI_REQUIRED, load->gltf->counts[VRM_GLTF_BUFFER_VIEWS], &view_index)) {
        const vrmi_gltf_view *view = &load->data->views[view_index];
        image->data = view->compressed ? NULL : view->data;
        image->size = image->data != NULL ? (size_t)view->size : 0;
    }
    return true;
}

static void read_header(vrmi_load *load, uint32_t object, vrmi_gltf_image_data *image)
{
    vrmi_reader *reader = &load->reader;
    vrmi_image_header header;
    vrmi_image_header_read(image->data, image->size, &header);
    image->mime_type = header.mime_type;
    image->width = header.width;
    image->height = header.height;
    if (header.mime_type[0] == '\0') {
        vrmi_reader_report(reader, VRM_FINDING_IMAGE_UNRECOGNIZED_FORMAT, object, NULL, NULL, NULL);
        return;
    }
    if (header.width == 0) {
        char found[64];
        vrmi_reader_report(reader, VRM_FINDING_IMAGE_DATA_INVALID, object, NULL,
            vrmi_format(found, sizeof(found), "%s of %zu bytes", header.mime_type, image->size),
            "a header that states the image's size");
    }
    const uint32_t declared = vrmi_read_string(reader, object, "mimeType", VRMI_OPTIONAL);
    if (declared != VRMI_JSON_NONE && !vrmi_json_string_equal(reader->json, declared, header.mime_type)) {
        vrmi_reader_report_value(reader, VRM_FINDING_IMAGE_MIME_TYPE_INVALID, declared, header.mime_type);
    }
}

bool vrmi_load_images(vrmi_load *load)
{
    const uint32_t count = load->gltf->counts[VRM_GLTF_IMAGES];
    load->data->images = vrmi_load_alloc(load, count, sizeof(*load->data->images));
    if (load->data->images == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t object = vrmi_load_element(load, VRM_GLTF_IMAGES, i);
        vrmi_gltf_image_data *image = &load->data->images[i];
        image->mime_type = "";
        if (!find_bytes(load, object, image) ||
            !vrmi_load_string(load, vrmi_json_member(load->reader.json, object, "name"), &image->name) ||
            !vrmi_load_work(load, VRMI_ELEMENT_WORK)) {
            return false;
        }
        if (image->data != NULL) {
            read_header(load, object, image);
        }
        if (!is_readable(image->mime_type)) {
            load->gltf->flags |= VRM_GLTF_IMAGES_UNREADABLE;
        }
    }
    return true;
}
