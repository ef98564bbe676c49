// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_EXPORT_BAKE_H
#define VRMI_EXPORT_BAKE_H

// The state of a bake: the document, the pose that becomes its rest pose, and the functions of the passes (bake.c).
// Values are read from the loaded document and written as edits.

#include <vrm/bake.h>

#include "base/array.h"
#include "export/bake_matrix.h"
#include "export/writer.h"
#include "format/gltf/gltf_document.h"
#include "model/model.h"

// Differences up to this are ignored: the file's own floats are rounded.
#define VRMI_BAKE_SAME 2e-6

enum { VRMI_BAKE_PATH = 4096 }; // longest JSON pointer

// A node, by glTF index. "World" is the space of the scene's root.
typedef struct vrmi_bake_node {
    double local_rotation[4]; // in the baked pose
    double rotation[4];       // world rotation, without scale
    vrmi_matrix world;        // transform from the node to the world
    double place[3];          // position after the bake: the sum of the written translations
    float translation[3];     // translation written to the file
    float scale;              // the largest scale along any axis
    bool turned;              // the linear part of `world` is not the identity
    bool even;                // the scale of `world` is uniform and positive
    uint32_t shape;           // 1 + the shape of the node's mesh (bake_mesh.c)
} vrmi_bake_node;

// A claim: the conversion that a user of an accessor needs. An accessor with two different claims becomes two
// accessors.
typedef enum vrmi_bake_claim_kind {
    VRMI_BAKE_AS_IS,
    VRMI_BAKE_POSITION, // this and the next three kinds are claimed by vertex buffer
    VRMI_BAKE_NORMAL,
    VRMI_BAKE_MORPH_POSITION,
    VRMI_BAKE_MORPH_NORMAL,
    VRMI_BAKE_INVERSE_BIND, // claimed by skin
    VRMI_BAKE_TRANSLATION,  // claimed by node
    VRMI_BAKE_ROTATION,
    VRMI_BAKE_SCALE
} vrmi_bake_claim_kind;

typedef struct vrmi_bake_claim {
    vrmi_bake_claim_kind kind;
    uint32_t index;
} vrmi_bake_claim;

typedef struct vrmi_bake {
    const vrm_bake_params *def;
    const vrm_gltf *gltf;
    const vrmi_json *json;
    const vrmi_model *model;
    vrmi_reader reader; // reports
    vrmi_writer out;
    vrmi_array nodes; // vrmi_bake_node
    // bake_accessor.c
    vrmi_array claimed; // indexed by accessor
    vrmi_array made;    // accessors that claims have produced
    // see bake_vertex.c, bake_mesh.c
    vrmi_array skins;           // indexed by skin
    vrmi_array skin_matrices;   // vrmi_matrix, indexed by joint of all skins: from vertex to world
    vrmi_array buffers;         // vertex buffers
    vrmi_array buffers_at;      // indexed by accessor of positions: 1 + the index of its newest buffer; 0: none
    vrmi_array shapes;          // shapes of meshes
    vrmi_array shapes_of;       // indexed by mesh: 1 + the index of its newest shape; 0: none
    vrmi_array parts;           // buffers of the primitives of all shapes
    uint32_t steps, steps_done; // for progress reports
} vrmi_bake;

static inline const vrmi_bake_node *vrmi_bake_node_at(const vrmi_bake *bake, uint32_t gltf_node)
{
    return (const vrmi_bake_node *)bake->nodes.items + gltf_node;
}

// --- accessors (bake_accessor.c) -------------------------------------------------------------------------------------

// Registers a conversion of an accessor. Register all claims before the first write.
void vrmi_bake_claim_accessor(vrmi_bake *bake, uint32_t accessor, vrmi_bake_claim claim);
// Finds the accessor that a claim has already produced. Returns false if there is none.
bool vrmi_bake_find(const vrmi_bake *bake, uint32_t accessor, vrmi_bake_claim claim, uint32_t *out_accessor);
// Reads an accessor's floats, which the caller frees with vrmi_release(). Returns NULL if the bake has ended.
float *vrmi_bake_read(vrmi_bake *bake, uint32_t accessor, size_t *out_size);
// Writes the values of a claim and returns the index of their accessor. If no other claim needs the old values, they
// are overwritten; otherwise a new accessor is added.
uint32_t vrmi_bake_write(vrmi_bake *bake, uint32_t accessor, vrmi_bake_claim claim, const float *values);

// --- values (bake_values.c) ------------------------------------------------------------------------------------------

// Calls the progress callback. Returns false if the bake has ended.
bool vrmi_bake_tick(vrmi_bake *bake);
// Adds a finding at a value, or at its member `key` if key is not NULL.
void vrmi_bake_report(vrmi_bake *bake, vrm_finding_id id, uint32_t value, const char *key, const char *found);

static inline bool vrmi_bake_same(double a, double b)
{
    const double size = a < 0.0 ? -a : a, limit = VRMI_BAKE_SAME * (size > 1.0 ? size : 1.0);
    return a - b <= limit && b - a <= limit;
}

// Sets a member to an array of numbers unless it already has these values. `missing` is the member's default, or NULL.
void vrmi_bake_set_floats(
    vrmi_bake *bake, uint32_t object, const char *key, const double *values, uint32_t count, const double *missing);
// Sets a member to a number unless it already has this value. `missing` is the member's default.
void vrmi_bake_set_float(vrmi_bake *bake, uint32_t object, const char *key, double value, double missing);
// Converts a vector from a node's old axes to the new ones.
void vrmi_bake_turn_vector(const vrmi_bake *bake, uint32_t node, double v[3]);
// Converts an {x, y, z} of 0.x, which is left-handed, from a node's old axes to the new ones.
void vrmi_bake_set_xyz(vrmi_bake *bake, uint32_t object, const char *key, uint32_t node);
// Reads an array of `count` numbers. Gives `missing` if there is no such array.
void vrmi_bake_get_floats(
    const vrmi_bake *bake, uint32_t object, const char *key, uint32_t count, const double *missing, double *out);
// Reads the glTF index of a node. Returns false if it is missing or invalid.
bool vrmi_bake_get_node(const vrmi_bake *bake, uint32_t object, const char *key, uint32_t *out_node);

// --- passes ----------------------------------------------------------------------------------------------------------

void vrmi_bake_pose(vrmi_bake *bake);         // fills `nodes` (bake_pose.c)
void vrmi_bake_claim_meshes(vrmi_bake *bake); // bake_mesh.c
void vrmi_bake_claim_animations(vrmi_bake *bake);
void vrmi_bake_meshes(vrmi_bake *bake);      // vertices and skins (bake_mesh.c)
void vrmi_bake_animations(vrmi_bake *bake);  // bake_animation.c
void vrmi_bake_springs(vrmi_bake *bake);     // bake_spring.c
void vrmi_bake_constraints(vrmi_bake *bake); // bake_constraint.c

#endif
