// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Build: c++ -c draco_decoder.cpp $(pkg-config --cflags vrm draco); link with libdraco.

#include "draco_decoder.h"

#include <draco/compression/decode.h>

template <typename T>
static bool write_attribute(const draco::Mesh &mesh, const draco::PointAttribute &from, const vrm_draco_attribute &to)
{
    T *out = static_cast<T *>(to.out_elements);
    for (uint32_t i = 0; i < mesh.num_points(); ++i, out += to.components) {
        const draco::AttributeValueIndex at = from.mapped_index(draco::PointIndex(i));
        if (!from.ConvertValue<T>(at, static_cast<int8_t>(to.components), out)) {
            return false;
        }
    }
    return true;
}

static bool write_any(const draco::Mesh &mesh, const draco::PointAttribute &from, const vrm_draco_attribute &to)
{
    switch (to.component_type) {
    case 5120:
        return write_attribute<int8_t>(mesh, from, to);
    case 5121:
        return write_attribute<uint8_t>(mesh, from, to);
    case 5122:
        return write_attribute<int16_t>(mesh, from, to);
    case 5123:
        return write_attribute<uint16_t>(mesh, from, to);
    case 5125:
        return write_attribute<uint32_t>(mesh, from, to);
    default:
        return write_attribute<float>(mesh, from, to);
    }
}

template <typename T> static bool write_indices(const draco::Mesh &mesh, const vrm_draco_attribute &to)
{
    T *out = static_cast<T *>(to.out_elements);
    for (uint32_t i = 0; i < mesh.num_faces() * 3; ++i) {
        out[i] = static_cast<T>(mesh.face(draco::FaceIndex(i / 3))[i % 3].value());
    }
    return true;
}

extern "C" vrm_result draco_decode(const vrm_draco_request *request, void *user)
{
    (void)user;
    draco::DecoderBuffer buffer;
    draco::Decoder decoder;
    buffer.Init(static_cast<const char *>(request->bytes), request->size);
    auto decoded = decoder.DecodeMeshFromBuffer(&buffer);
    if (!decoded.ok()) {
        return VRM_ERROR_INVALID_ASSET;
    }
    const draco::Mesh &mesh = *decoded.value();
    if (mesh.num_points() != request->vertex_count ||
        (request->index_count != 0 && uint64_t(mesh.num_faces()) * 3 != request->index_count)) {
        return VRM_ERROR_INVALID_ASSET;
    }
    bool good = true;
    for (uint32_t i = 0; i < request->attribute_count && good; ++i) {
        const vrm_draco_attribute &to = request->attributes[i];
        const draco::PointAttribute *from = mesh.GetAttributeByUniqueId(to.id);
        good = from != nullptr && (to.out_elements == nullptr || write_any(mesh, *from, to));
    }
    const vrm_draco_attribute &indices = request->indices;
    if (good && indices.out_elements != nullptr) {
        good = indices.component_type == 5121   ? write_indices<uint8_t>(mesh, indices)
               : indices.component_type == 5123 ? write_indices<uint16_t>(mesh, indices)
                                                : write_indices<uint32_t>(mesh, indices);
    }
    return good ? VRM_SUCCESS : VRM_ERROR_INVALID_ASSET;
}
