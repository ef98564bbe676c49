// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_EXPORT_MIGRATE_H
#define VRMI_EXPORT_MIGRATE_H

// One migration: the document as loaded, the model imported from it, and the new document. The model is written in the
// terms of 1.0; the older JSON is used only for things that the model does not keep (names of collider groups and the
// like) or that 1.0 cannot express.

#include <vrm/migrate.h>

#include "export/writer.h"
#include "format/gltf/gltf_document.h"
#include "model/model.h"

typedef struct vrmi_migration {
    vrmi_writer out;
    const vrm_gltf *gltf; // as loaded
    const vrmi_json *json;
    const vrmi_model *model;
    vrmi_reader reader; // reports at the places of the loaded file
    uint32_t vrm;       // extensions.VRM or VRMC_vrm as loaded
    bool is_vrm0;
    bool data_turned;    // vectors in the space of a node turn with it
    uint32_t node_count; // of the document as it becomes
    uint32_t losses;     // of what 1.0 cannot say
    float *emission;     // by material: what its emission was divided by, to be a factor of glTF
    uint32_t uses;       // bits of vrmi_migrate_extension
} vrmi_migration;

typedef enum vrmi_migrate_extension {
    VRMI_USES_VRM,
    VRMI_USES_SPRING_BONE,
    VRMI_USES_NODE_CONSTRAINT,
    VRMI_USES_MTOON,
    VRMI_USES_UNLIT,
    VRMI_USES_TEXTURE_TRANSFORM,
    VRMI_USES_EMISSIVE_STRENGTH,
    VRMI_USES_COUNT
} vrmi_migrate_extension;

static inline void vrmi_migrate_use(vrmi_migration *m, vrmi_migrate_extension extension)
{
    m->uses |= 1u << extension;
}

// The parts, in their order (migrate.c).
void vrmi_migrate_turn(vrmi_migration *m, vrm_half_turn turn); // sets data_turned
void vrmi_migrate_meta(vrmi_migration *m, vrmi_text *text);
void vrmi_migrate_look_at(vrmi_migration *m, vrmi_text *text);
void vrmi_migrate_expressions(vrmi_migration *m, vrmi_text *text); // after the materials
void vrmi_migrate_materials(vrmi_migration *m);
void vrmi_migrate_springs(vrmi_migration *m);
void vrmi_migrate_constraints(vrmi_migration *m);
// 1.0-beta differs from 1.0 in few places; the rest of it is not changed.
void vrmi_migrate_beta(vrmi_migration *m);
// The same for springs: those of a draft that were later ones already.
void vrmi_migrate_spring_words(vrmi_migration *m);

// migrate_values.c.

// A finding: what 1.0 cannot say is counted. As vrmi_reader_report().
void vrmi_migrate_report(
    vrmi_migration *m, vrm_finding_id id, uint32_t value, const char *key, const char *found, const char *expected);
// A vector of the file's space in that of the output.
static inline vrm_vec3 vrmi_migrate_vector(const vrmi_migration *m, vrm_vec3 v)
{
    return m->data_turned ? (vrm_vec3){0.0f - v.x, v.y, 0.0f - v.z} : v; // no negative zeros
}
// glTF index of a node in node order.
static inline uint32_t vrmi_migrate_node(const vrmi_migration *m, uint32_t node)
{
    return vrmi_model_node_gltf(m->model)[node];
}
// "[1,2,3]"
void vrmi_migrate_add_floats(vrmi_text *text, const float *values, uint32_t count);
void vrmi_migrate_add_vector(vrmi_text *text, vrm_vec3 v);
// `,"key":"text"`, if there is a text.
void vrmi_migrate_add_name(vrmi_text *text, const char *key, vrm_string value);

#endif
