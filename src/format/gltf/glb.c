// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "format/gltf/glb.h"
#include "base/cooked_magic.h"
#include "base/text.h"
#include "format/gltf/gltf_private.h"
#include "format/image_header.h"

static bool fail(vrmi_load *load, vrm_finding_id id, size_t offset, const char *found, const char *expected)
{
    vrmi_load_report_offset(load, id, offset, found, expected);
    load->not_gltf = true;
    return false;
}

static bool fail_size(vrmi_load *load, vrm_finding_id id, size_t offset, uint64_t found, uint64_t expected)
{
    char there[32], wanted[32];
    return fail(load, id, offset, vrmi_format(there, sizeof(there), "%llu bytes", (unsigned long long)found),
        vrmi_format(wanted, sizeof(wanted), "%llu bytes", (unsigned long long)expected));
}

typedef struct chunk {
    size_t start, size; // of the data
    uint32_t type;
} chunk;

typedef enum chunk_step { CHUNK_READ, CHUNK_END, CHUNK_BROKEN } chunk_step;

static chunk_step next_chunk(vrmi_load *load, size_t *at, size_t end, chunk *out)
{
    const uint8_t *bytes = load->gltf->bytes;
    char found[64];
    if (*at == end) {
        return CHUNK_END;
    }
    if (end - *at < VRMI_GLB_CHUNK_HEADER) {
        fail_size(load, VRM_FINDING_GLB_UNEXPECTED_END_OF_CHUNK_HEADER, *at, end - *at, VRMI_GLB_CHUNK_HEADER);
        return CHUNK_BROKEN;
    }
    out->size = vrmi_load32(bytes + *at);
    out->type = vrmi_load32(bytes + *at + 4);
    out->start = *at + VRMI_GLB_CHUNK_HEADER;
    if (out->size % 4 != 0) {
        vrmi_load_report_offset(load, VRM_FINDING_GLB_CHUNK_LENGTH_UNALIGNED, *at,
            vrmi_format(found, sizeof(found), "%llu bytes", (unsigned long long)out->size), NULL);
    }
    if (out->size > end - out->start) {
        fail_size(load, VRM_FINDING_GLB_CHUNK_TOO_BIG, *at, end - out->start, out->size);
        return CHUNK_BROKEN;
    }
    *at = out->start + out->size;
    return CHUNK_READ;
}

static void take_later_chunk(vrmi_load *load, const chunk *later, uint32_t number)
{
    vrmi_gltf_private *data = load->data;
    const size_t header = later->start - VRMI_GLB_CHUNK_HEADER;
    char found[16];
    if (later->type == VRMI_GLB_CHUNK_JSON || (later->type == VRMI_GLB_CHUNK_BIN && data->has_bin)) {
        vrmi_load_report_offset(load, VRM_FINDING_GLB_DUPLICATE_CHUNK, header, NULL, NULL);
    } else if (later->type == VRMI_GLB_CHUNK_BIN) {
        if (number != 1) {
            vrmi_load_report_offset(load, VRM_FINDING_GLB_UNEXPECTED_BIN_CHUNK, header, NULL, NULL);
        }
        data->has_bin = true;
        data->bin_start = later->start;
        data->bin_size = later->size;
    } else {
        vrmi_load_report_offset(load, VRM_FINDING_GLB_UNKNOWN_CHUNK_TYPE, header,
            vrmi_format(found, sizeof(found), "0x%x", later->type), NULL);
    }
}

static bool read_chunks(vrmi_load *load, size_t end)
{
    vrmi_gltf_private *data = load->data;
    size_t at = VRMI_GLB_HEADER;
    chunk next = {0};
    for (uint32_t number = 0;; ++number) {
        const chunk_step step = next_chunk(load, &at, end, &next);
        if (step == CHUNK_BROKEN && number == 0 && end - VRMI_GLB_HEADER >= VRMI_GLB_CHUNK_HEADER &&
            next.type != VRMI_GLB_CHUNK_JSON) {
            return fail(load, VRM_FINDING_GLB_UNEXPECTED_FIRST_CHUNK, VRMI_GLB_HEADER, NULL, NULL);
        }
        if (step == CHUNK_BROKEN) {
            return number != 0; // already reported; the JSON may still be readable
        }
        if (number == 0) {
            if (step == CHUNK_END) {
                return fail_size(load, VRM_FINDING_GLB_UNEXPECTED_END_OF_CHUNK_HEADER, at, 0, VRMI_GLB_CHUNK_HEADER);
            }
            if (next.type != VRMI_GLB_CHUNK_JSON) {
                return fail(load, VRM_FINDING_GLB_UNEXPECTED_FIRST_CHUNK, VRMI_GLB_HEADER, NULL, NULL);
            }
            if (next.size == 0) {
                return fail(load, VRM_FINDING_GLB_EMPTY_CHUNK, VRMI_GLB_HEADER, NULL, NULL);
            }
            data->json_start = next.start;
            data->json_size = next.size;
            continue;
        }
        if (step == CHUNK_END) {
            return true;
        }
        take_later_chunk(load, &next, number);
        if (!vrmi_load_work(load, VRMI_ELEMENT_WORK)) {
            return false;
        }
    }
}

static bool read_glb(vrmi_load *load)
{
    const uint8_t *bytes = load->gltf->bytes;
    const size_t size = load->gltf->size;
    char there[32], declared[32];
    load->gltf->flags |= VRM_GLTF_BINARY;
    if (size < VRMI_GLB_HEADER) {
        return fail_size(load, VRM_FINDING_GLB_UNEXPECTED_END_OF_HEADER, size, size, VRMI_GLB_HEADER);
    }
    const uint32_t version = vrmi_load32(bytes + 4), length = vrmi_load32(bytes + 8);
    if (version != 2) {
        return fail(load, VRM_FINDING_GLB_INVALID_VERSION, 4, vrmi_format(there, sizeof(there), "%u", version), "2");
    }
    if (length < VRMI_GLB_HEADER + VRMI_GLB_CHUNK_HEADER) {
        return fail_size(load, VRM_FINDING_GLB_LENGTH_TOO_SMALL, 8, length, size);
    }
    if (length > size) {
        // Reported, but reading continues, so that the report also contains the other errors.
        fail_size(load, VRM_FINDING_GLB_LENGTH_MISMATCH, 8, size, length);
    }
    if (length < size) {
        vrmi_load_report_offset(load, VRM_FINDING_GLB_EXTRA_DATA, length,
            vrmi_format(there, sizeof(there), "%llu bytes", (unsigned long long)size),
            vrmi_format(declared, sizeof(declared), "%u bytes", length));
    }
    return read_chunks(load, length < size ? length : size);
}

// Names what else the bytes are. A picture, an archive or a page of a web server under the name of an avatar is common.
static const char *other_format(const uint8_t *bytes, size_t size)
{
    static const struct {
        const char *start, *name;
    } formats[] = {{"PK\x03\x04", "a ZIP archive"}, {"\x1F\x8B", "a gzip archive, like a .unitypackage"},
        {"UnityFS", "a Unity asset bundle"}, {"Kaydara FBX Binary", "FBX"},
        {"version https://git-lfs", "a Git LFS pointer"}, {"<", "XML or HTML"}};
    if (size == 0) {
        return "0 bytes";
    }
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); ++i) {
        const size_t length = strlen(formats[i].start);
        if (size >= length && memcmp(bytes, formats[i].start, length) == 0) {
            return formats[i].name;
        }
    }
    vrmi_image_header image;
    vrmi_image_header_read(bytes, size, &image);
    return image.mime_type[0] != '\0' ? image.mime_type : NULL;
}

bool vrmi_load_container(vrmi_load *load)
{
    const uint8_t *bytes = load->gltf->bytes;
    const size_t size = load->gltf->size;
    vrmi_gltf_private *data = load->data;
    if (size >= 4 && vrmi_load32(bytes) == VRMI_GLB_MAGIC) {
        return read_glb(load);
    }
    size_t at = size >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0;
    while (at < size && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r' || bytes[at] == '\n')) {
        ++at;
    }
    if (vrmi_is_cooked(bytes, size)) {
        return fail(load, VRM_FINDING_COOKED_AVATAR, 0, NULL, NULL);
    }
    if (at == size || bytes[at] != '{') {
        return fail(
            load, VRM_FINDING_GLB_INVALID_MAGIC, 0, other_format(bytes, size), "\"glTF\" or \"{\" at the beginning");
    }
    data->json_size = size;
    return true;
}
