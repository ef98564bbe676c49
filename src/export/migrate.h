// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_EXPORT_MIGRATE_H
#define VRMI_EXPORT_MIGRATE_H

// The state of a migration: the loaded document, the model imported from it, and the edited document. The model is
// written in the terms of 1.0. The older JSON is used only for values that the model does not keep, such as names of
// collider groups, or that 1.0 cannot express.

#include <vrm/migrate.h>

#include "export/writer.h"
#include "format/gltf/gltf_document.h"
#include "model/model.h"

typedef struct vrmi_migration {
    vrmi_writer out;
    const vrm_gltf *gltf; // the loaded document
    const vrmi_json *json;
    const vrmi_model *model;
    vrmi_reader reader; // reports findings at places in the loaded file
    uint32_t vrm;       // extensions.VRM or VRMC_vrm as loaded
    bool is_vrm0;
    bool data_turned;    // vectors in a node's space must be rotated by half a turn
    uint32_t node_count; // number of nodes in the document, including added ones
    uint32_t losses;     // number of values that 1.0 cannot express
    float *emission;     // indexed by material: divisor that brings the emission into glTF's range
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

// The parts of a migration in their order (migrate.c).
void vrmi_migrate_turn(vrmi_migration *m, vrm_half_turn turn); // sets data_turned
void vrmi_migrate_meta(vrmi_migration *m, vrmi_text *text);
void vrmi_migrate_look_at(vrmi_migration *m, vrmi_text *text);
void vrmi_migrate_expressions(vrmi_migration *m, vrmi_text *text); // runs after the materials
void vrmi_migrate_materials(vrmi_migration *m);
void vrmi_migrate_springs(vrmi_migration *m);
void vrmi_migrate_constraints(vrmi_migration *m);
// Converts 1.0-beta, which differs from 1.0 in few places. Everything else stays unchanged.
void vrmi_migrate_beta(vrmi_migration *m);
// Replaces older words in springs that already have the form of 1.0.
void vrmi_migrate_spring_words(vrmi_migration *m);

// The following functions are in migrate_values.c.

// Adds a finding and counts it as a loss. The arguments are those of vrmi_reader_report().
void vrmi_migrate_report(
    vrmi_migration *m, vrm_finding_id id, uint32_t value, const char *key, const char *found, const char *expected);
// Converts a vector from the file's axes to those of the migrated file.
static inline vrm_vec3 vrmi_migrate_vector(const vrmi_migration *m, vrm_vec3 v)
{
    return m->data_turned ? (vrm_vec3){0.0f - v.x, v.y, 0.0f - v.z} : v; // 0 - x avoids negative zeros
}
// Returns the glTF index of a node that is given in node order.
static inline uint32_t vrmi_migrate_node(const vrmi_migration *m, uint32_t node)
{
    return vrmi_model_node_gltf(m->model)[node];
}
// "[1,2,3]"
void vrmi_migrate_add_floats(vrmi_text *text, const float *values, uint32_t count);
void vrmi_migrate_add_vector(vrmi_text *text, vrm_vec3 v);
// Adds `,"key":"value"` unless the value is empty.
void vrmi_migrate_add_name(vrmi_text *text, const char *key, vrm_string value);

#endif
