// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "base/text.h"
#include "sample/minimal/minimal.h"
#include "sample/surface.h"

// A pleated skirt on twelve chains of four springs. Every second column of the surface lies on a chain. The columns in
// between are the folds, which follow both neighbouring chains.

#define CHAINS 12
#define COLUMNS 24
#define LINKS 5 // nodes of a chain, the last one only a tail

static vrm_vec3 skirt_point(const vrmi_sample_figure *figure, float turn, float t, float radius)
{
    // Columns: position along the skirt, half width, half depth.
    static const float shape[][3] = {{0.0f, 0.076f, 0.055f}, {0.15f, 0.102f, 0.086f}, {0.4f, 0.138f, 0.124f},
        {0.7f, 0.166f, 0.152f}, {1.0f, 0.190f, 0.176f}};
    float sine, cosine;
    vrmi_sincos(turn * 2.0f * VRMI_PI, &sine, &cosine);
    const int count = (int)VRMI_COUNT_OF(shape);
    const float wide = vrmi_sample_curve(&shape[0][0], count, 3, 1, t) * radius;
    const float deep = vrmi_sample_curve(&shape[0][0], count, 3, 2, t) * radius;
    return vrmi_vec3(wide * sine, 0.962f - 0.292f * figure->style.skirt_length * t, deep * cosine - 0.004f);
}

static float link_t(int link)
{
    return 0.38f + 0.62f * (float)link / (float)(LINKS - 1);
}

static void add_chains(vrmi_sample_figure *figure, int nodes[CHAINS][LINKS])
{
    for (int k = 0; k < CHAINS; ++k) {
        vrmi_sample_chain *chain = &figure->chains[figure->chain_count++];
        const float turn = ((float)k + 0.5f) / (float)CHAINS;
        const bool front = turn < 0.25f || turn > 0.75f;
        *chain = (vrmi_sample_chain){.kind = front ? VRMI_MINIMAL_CHAIN_SKIRT_FRONT : VRMI_MINIMAL_CHAIN_SKIRT_BACK,
            .side = turn < 0.5f ? 1 : -1,
            .count = LINKS,
            .radius = 0.024f};
        vrmi_format(chain->name, sizeof(chain->name), "skirt%d", k);
        const int thigh =
            vrmi_sample_bone(turn < 0.5f ? VRM_HUMAN_BONE_LEFT_UPPER_LEG : VRM_HUMAN_BONE_RIGHT_UPPER_LEG);
        int parent = front ? thigh : vrmi_sample_bone(VRM_HUMAN_BONE_HIPS);
        for (int link = 0; link < LINKS; ++link) {
            char name[32];
            vrmi_format(name, sizeof(name), "skirt%d_%d", k, link);
            // The right half is computed from the left half, so that both are exactly symmetric.
            vrm_vec3 p = skirt_point(figure, k < CHAINS / 2 ? turn : 1.0f - turn, link_t(link), 1.0f);
            p.x = k < CHAINS / 2 ? p.x : -p.x;
            parent = vrmi_sample_add_node(figure, name, parent, p, vrmi_quat_identity());
            nodes[k][link] = chain->nodes[link] = parent;
        }
    }
    for (int k = 0; k < CHAINS / 2; ++k) {
        for (int link = 0; link < LINKS; ++link) {
            vrmi_sample_pair_nodes(figure, nodes[k][link], nodes[CHAINS - 1 - k][link]);
        }
    }
}

// Returns the skin weights of one chain at a row. Row 0 is the waistband, row i + 1 the chain's node i.
static vrmi_sample_influence chain_skin(const int nodes[LINKS], int row)
{
    const vrmi_sample_influence hips = vrmi_sample_one(vrmi_sample_bone(VRM_HUMAN_BONE_HIPS));
    if (row == 0) {
        return hips;
    }
    if (row == 1) {
        return vrmi_sample_one(nodes[0]);
    }
    const vrmi_sample_influence above = vrmi_sample_one(nodes[row - 2]);
    return row == LINKS ? above : vrmi_sample_mix(above, vrmi_sample_one(nodes[row - 1]), 0.5f);
}

void vrmi_minimal_add_skirt(vrmi_sample_figure *figure)
{
    int nodes[CHAINS][LINKS];
    add_chains(figure, nodes);
    vrmi_sample_grid_begin(figure, LINKS + 1, COLUMNS, true);
    for (int r = 0; r <= LINKS; ++r) {
        const float t = r == 0 ? 0.0f : link_t(r - 1);
        for (uint32_t c = 0; c <= COLUMNS; ++c) {
            // Columns go from the front to the left. Because rows go down, the outer side then faces outwards.
            const uint32_t column = (COLUMNS - c) % COLUMNS;
            const bool fold = column % 2 == 0;
            vrmi_sample_vertex *p = &figure->grid.points[r][c];
            const uint32_t half = column <= COLUMNS / 2 ? column : COLUMNS - column;
            p->position =
                skirt_point(figure, (float)half / COLUMNS, t, fold ? 1.0f - 0.15f * vrmi_sqrt(t) : 1.0f + 0.02f * t);
            p->position.x = column <= COLUMNS / 2 ? p->position.x : -p->position.x;
            p->u = (float)c / COLUMNS; // KHR_texture_transform repeats the texture
            p->v = t;
            const uint32_t next = column / 2 % CHAINS, previous = (next + CHAINS - 1) % CHAINS;
            p->skin = chain_skin(nodes[next], r);
            if (fold) {
                p->skin = vrmi_sample_mix(chain_skin(nodes[previous], r), p->skin, 0.5f);
            }
        }
    }
    vrmi_sample_grid_emit(figure, VRMI_MINIMAL_SKIRT, 0);
}
