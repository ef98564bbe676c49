// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "base/text.h"
#include "sample/full/full.h"

// A pleated skirt on sixteen chains that begin at the height of the thighs' joints. Above them the skirt lies on the
// hips.
//
// The front chains are attached to helpers that rotate with the thighs, but about the groin. Three chains at each side
// are attached to a helper that rotates half as far. So a lifted thigh moves the cloth before its colliders have to push
// the cloth.

enum { CHAINS = 16, LINKS = 4, PLEATS = 24, STEPS = 3, COLUMNS = PLEATS * STEPS, ROWS = 8 };

static vrm_vec3 skirt_point(const vrmi_sample_figure *figure, float turn, float t, float radius)
{
    // Columns: position along the skirt, half width, half depth, depth of the middle.
    static const float shape[][4] = {{0.0f, 0.1105f, 0.0850f, 0.002f}, {0.10f, 0.1170f, 0.0920f, 0.000f},
        {0.25f, 0.1430f, 0.1080f, -0.003f}, {0.5f, 0.1650f, 0.1300f, -0.004f}, {0.75f, 0.1810f, 0.1510f, -0.005f},
        {1.0f, 0.1940f, 0.1690f, -0.006f}};
    float sine, cosine;
    vrmi_sincos(turn * 2.0f * VRMI_PI, &sine, &cosine);
    const int count = (int)VRMI_COUNT_OF(shape);
    // The skirt is wider at its corners, more so in front, where lifted thighs need room.
    const float corner = 1.0f + (cosine > 0.0f ? 0.6f : 0.3f) * cosine * cosine * sine * sine;
    radius *= corner;
    return vrmi_vec3(vrmi_sample_curve(&shape[0][0], count, 4, 1, t) * radius * sine,
        1.000f - 0.300f * figure->style.skirt_length * t,
        vrmi_sample_curve(&shape[0][0], count, 4, 2, t) * radius * cosine +
            vrmi_sample_curve(&shape[0][0], count, 4, 3, t));
}

// Places of the chains of the left half, as parts of a turn from the middle of the front. One is exactly at the side:
// a thigh that is lifted there would push two chains apart and come out between them.
static const float places[CHAINS / 2] = {0.0300f, 0.0900f, 0.1500f, 0.2050f, 0.2500f, 0.3050f, 0.3800f, 0.4600f};

static float link_t(int link)
{
    return 0.40f + 0.60f * (float)link / (float)(LINKS - 1);
}

// Finds the chains on both sides of a turn, and returns the part of the way from the first to the second.
static float between_chains(float turn, int *out_low, int *out_high)
{
    const bool left = turn < 0.5f;
    const float away = left ? turn : 1.0f - turn;
    int i = 0;
    while (i < CHAINS / 2 && places[i] <= away) {
        ++i;
    }
    // Beyond the first and the last place are those of the other half.
    const float from = i > 0 ? places[i - 1] : -places[0];
    const float to = i < CHAINS / 2 ? places[i] : 1.0f - places[CHAINS / 2 - 1];
    const int low = (i + CHAINS - 1) % CHAINS, high = i;
    *out_low = left ? low : CHAINS - 1 - low;
    *out_high = left ? high : CHAINS - 1 - high;
    return (away - from) / (to - from);
}

static void add_chains(vrmi_sample_figure *figure, int nodes[CHAINS][LINKS])
{
    for (int k = 0; k < CHAINS; ++k) {
        vrmi_sample_chain *chain = &figure->chains[figure->chain_count++];
        const bool left = k < CHAINS / 2;
        const float away = places[left ? k : CHAINS - 1 - k];
        // Wide joints keep the cloth between two chains off the thighs. At the back they would keep the skirt from hanging
        // down on hands and knees.
        *chain = (vrmi_sample_chain){.kind = away < 0.25f ? VRMI_FULL_CHAIN_SKIRT_FRONT : VRMI_FULL_CHAIN_SKIRT_BACK,
            .side = left ? 1 : -1,
            .count = LINKS,
            .radius = away < 0.35f ? 0.032f : 0.024f};
        vrmi_format(chain->name, sizeof(chain->name), "skirt%d", k);
        const int side = left ? 0 : 1;
        int parent = away < 0.20f   ? figure->helpers.lap[side]
                     : away < 0.36f ? figure->helpers.hip[side]
                                    : vrmi_sample_bone(VRM_HUMAN_BONE_HIPS);
        for (int link = 0; link < LINKS; ++link) {
            char name[32];
            vrmi_format(name, sizeof(name), "skirt%d_%d", k, link);
            // The right half is computed from the left half, so that both are exactly symmetric.
            vrm_vec3 p = skirt_point(figure, away, link_t(link), 1.0f);
            p.x = left ? p.x : -p.x;
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

static vrmi_sample_influence chain_skin(const int nodes[LINKS], float t)
{
    const int joints[LINKS] = {vrmi_sample_bone(VRM_HUMAN_BONE_HIPS), nodes[0], nodes[1], nodes[2]};
    const float starts[LINKS] = {-1.0f, 0.32f, link_t(1), link_t(2)};
    return vrmi_sample_along(joints, starts, LINKS, 0.10f, t);
}

void vrmi_full_add_skirt(vrmi_sample_figure *figure)
{
    int nodes[CHAINS][LINKS];
    add_chains(figure, nodes);
    // A knife pleat: factors for its ridge, its face, its fold.
    static const float pleat[STEPS] = {1.020f, 1.000f, 0.905f};
    vrmi_sample_grid_begin(figure, ROWS, COLUMNS, true);
    for (int r = 0; r < ROWS; ++r) {
        const float t = (float)r / (float)(ROWS - 1);
        for (uint32_t c = 0; c <= COLUMNS; ++c) {
            // Columns go from the front to the right. Because rows go down, the outer side then faces outwards.
            const uint32_t column = (COLUMNS - c) % COLUMNS;
            const float turn = (float)column / (float)COLUMNS;
            const float depth = vrmi_sample_smooth(0.0f, 0.35f, t);
            vrmi_sample_vertex *p = &figure->grid.points[r][c];
            p->position = skirt_point(figure, turn, t, vrmi_lerp(1.0f, pleat[column % STEPS], depth));
            p->u = (float)c / (float)COLUMNS; // KHR_texture_transform repeats the texture
            p->v = t;
            int low, high;
            const float part = between_chains(turn, &low, &high);
            p->skin = vrmi_sample_mix(chain_skin(nodes[low], t), chain_skin(nodes[high], t), part);
        }
    }
    vrmi_sample_grid_emit(figure, VRMI_FULL_BOTTOM, 0);
}
