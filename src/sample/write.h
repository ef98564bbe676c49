// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_SAMPLE_WRITE_H
#define VRMI_SAMPLE_WRITE_H

// Writers of the figure's JSON. Indices in the file: the nodes of the figure, then the mesh nodes; one material and one
// primitive per part, in order; the images of the plan; one texture per image except the thumbnail.

#include "base/text.h"
#include "sample/figure.h"

// Returns the node of a mesh: the pin's own node for a rigid mesh, a separate root for a skinned mesh.
static inline int vrmi_sample_mesh_node(const vrmi_sample_figure *figure, int mesh)
{
    return figure->plan->meshes[mesh].is_rigid ? figure->helpers.pin : figure->node_count + mesh;
}
// Returns the texture of an image.
static inline int vrmi_sample_texture(int image)
{
    return image - 1;
}

// Writes [a,b,c] with the shortest numbers.
void vrmi_sample_put_floats(vrmi_text *text, const float *values, int count);
// Writes the linear [r,g,b] of an sRGB colour.
void vrmi_sample_put_color(vrmi_text *text, vrm_vec3 color);
float vrmi_sample_linear(float srgb);

void vrmi_sample_put_vrm(vrmi_text *text, const vrmi_sample_figure *figure);
void vrmi_sample_put_springs(vrmi_text *text, const vrmi_sample_figure *figure);
void vrmi_sample_put_materials(vrmi_text *text, const vrmi_sample_figure *figure);
// Writes `,"extensions":{...}` for a node with a constraint, nothing for other nodes.
void vrmi_sample_put_constraint(vrmi_text *text, const vrmi_sample_figure *figure, int node);

#endif
