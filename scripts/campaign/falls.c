// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// campaign_falls [COUNT [FIRST [MODEL...]]]: falls with a protective motion, and getting up after them
// (docs/active-ragdoll.md). Samples, the models and generated figures of 0.9 to 2.1 m fall in turn, pushed on the chest
// in eight directions by 0 to 2 N s/kg. Prints rows in Markdown. VERBOSE=1 in the environment prints each fall.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vrm/vrm.h>

#include "fall_act.h"
#include "figure_shapes.h"
#include "ragdoll_scene.h"

enum { SAMPLES = 4, SHAPES = 14, SIDES = 3 };

typedef struct figure {
    char name[64];
    vrm_gltf *gltf;
    vrm_avatar *avatar;
    vrm_ragdoll_def *def;
    float mass;
} figure;

static bool make_figure(uint32_t index, int files, char **paths, figure *out)
{
    vrm_bytes bytes = {0};
    vrm_result result;
    *out = (figure){.def = malloc(sizeof(vrm_ragdoll_def))};
    if (out->def == NULL) {
        return false;
    }
    vrm_ragdoll_def_default(out->def);
    if (index < SAMPLES) {
        vrm_sample_params params;
        vrm_sample_params_default(&params);
        params.seed = index;
        params.detail = VRM_SAMPLE_DETAIL_MINIMAL;
        snprintf(out->name, sizeof out->name, "sample %u", index);
        result = vrm_sample_create(&params, &bytes);
    } else if (index < SAMPLES + (uint32_t)files) {
        const char *path = paths[index - SAMPLES], *slash = strrchr(path, '/');
        snprintf(out->name, sizeof out->name, "%s", slash != NULL ? slash + 1 : path);
        result = vrm_read_file(path, UINT64_MAX, NULL, &bytes);
    } else {
        const uint32_t seed = index - SAMPLES - (uint32_t)files + 1;
        snprintf(out->name, sizeof out->name, "figure %u", seed);
        result = scene_figure_create(seed, &bytes);
    }
    const bool done = result == VRM_SUCCESS &&
                      vrm_gltf_load(NULL, bytes.data, bytes.size, NULL, &out->gltf) == VRM_SUCCESS &&
                      vrm_avatar_import(NULL, out->gltf, NULL, &out->avatar) == VRM_SUCCESS &&
                      vrm_ragdoll_def_build(out->avatar, out->gltf, NULL, NULL, out->def) == VRM_SUCCESS;
    vrm_bytes_free(&bytes);
    out->mass = done ? scene_def_mass(out->def) : 0.0f;
    return done;
}

static void drop(figure *f)
{
    free(f->def);
    vrm_avatar_release(f->avatar);
    vrm_gltf_destroy(f->gltf);
}

// --- many falls ------------------------------------------------------------------------------------------------------

enum {
    KNEES,
    PLANK,
    ORDER,
    HANDS,
    HEAD,
    CUT,
    LIMB_CUT,
    ASLEEP,
    FLAT,
    STANDS,
    RISE_CUT,
    RISE_LOW,
    RISE_SLIDE,
    RISE_SPEED,
    RISE_ALL,
    BOUNDS
};
static const char *const bound_words[BOUNDS] = {"knees bent by 30 degrees", "no plank of 0.2 s", "order of contacts",
    "hands at the ground", "head at most 4 m/s", "cut 6 degrees, 15 mm", "hand, foot, head landing: 20 degrees, 25 mm",
    "asleep in 5 s", "hands and feet at most 100 mm above the ground", "stands", "getting up: cut 6 degrees, 15 mm",
    "lowest vertex -10 mm", "soles slide 10 mm", "joints 700 degrees/s", "gets up within all bounds"};

typedef struct tally {
    uint32_t falls, landed, kept[BOUNDS];
    double *cuts, *ways, *limb_cuts, *limb_ways, *heads, *rise_cuts, *rise_ways, *rise_low, *rise_slide, *hands, *feet,
        *knees, *downs;
    double fastest;
} tally;

static bool in_order(const scene_fall_report *r)
{
    const double *at = r->landed, never = 99.0;
    double t[SCENE_FALL_PARTS];
    for (int i = 0; i < SCENE_FALL_PARTS; ++i) {
        t[i] = at[i] < 0.0 ? never : at[i];
    }
    const double soft = fmin(t[SCENE_FALL_HAND], fmin(t[SCENE_FALL_KNEE], t[SCENE_FALL_SEAT]));
    return soft <= t[SCENE_FALL_TRUNK] && soft <= t[SCENE_FALL_HEAD] &&
           fmin(soft, t[SCENE_FALL_TRUNK]) <= t[SCENE_FALL_HEAD];
}

static void judge(const scene_fall_report *r, double height, bool kept[BOUNDS])
{
    const scene_reading *f = r->rise.figures;
    const bool landed = r->landed[SCENE_FALL_TRUNK] >= 0.0;
    kept[KNEES] = !landed || r->knees >= 30.0;
    kept[PLANK] = r->plank < 0.2;
    kept[ORDER] = in_order(r);
    kept[HANDS] = !landed || (r->landed[SCENE_FALL_HAND] >= 0.0 &&
                                 r->landed[SCENE_FALL_HAND] <= r->landed[SCENE_FALL_TRUNK] + 0.001);
    kept[HEAD] = r->head_speed <= 4.0 * sqrt(height / 1.6);
    kept[CUT] = r->cut <= 6.0 && r->cut_way <= 15.0;
    kept[LIMB_CUT] = r->limb_cut <= 20.0 && r->limb_cut_way <= 25.0;
    kept[ASLEEP] = r->asleep >= 0.0 && r->asleep <= 5.0;
    kept[FLAT] = fmax(r->hand_aloft, r->foot_aloft) <= 100.0;
    kept[STANDS] = r->stands;
    kept[RISE_CUT] = r->stands && f[SCENE_FIGURE_CUT_TURN].value <= 6.0 && f[SCENE_FIGURE_CUT_WAY].value <= 15.0;
    kept[RISE_LOW] = r->stands && f[SCENE_FIGURE_LOWEST].value >= -10.0;
    kept[RISE_SLIDE] = r->stands && f[SCENE_FIGURE_ANY_SLIDE].value <= 10.0;
    kept[RISE_SPEED] = r->stands && f[SCENE_FIGURE_SPEED].value <= 707.0;
    kept[RISE_ALL] = kept[STANDS] && kept[RISE_CUT] && kept[RISE_LOW] && kept[RISE_SLIDE] && kept[RISE_SPEED];
}

static void tell(
    const figure *f, uint32_t number, double angle, double size, const scene_fall_report *r, const bool kept[BOUNDS])
{
    static const char *const ways[] = {"back", "front", "left", "right", "sitting", "kneeling"};
    const scene_reading *u = r->rise.figures;
    printf("%u %s %.0f deg %.2f: hand %.2f knee %.2f seat %.2f trunk %.2f head %.2f | side %.0f knees %.0f plank %.2f "
           "head "
           "%.1f cut %.1f@%s/%.2f %.0f limb %.1f/%.0f fast %.0f asleep %.1f aloft %.0f/%.0f knee %.2f | up %d from %s "
           "%.1f s cut "
           "%.1f@%s/%.1f "
           "%.0f@%s low "
           "%.0f@%s/%.2f slide %.0f@%.2f speed %.0f@%s/%.2f |",
        number, f->name, angle, size, r->landed[0], r->landed[1], r->landed[2], r->landed[3], r->landed[4],
        r->direction, r->knees, r->plank, r->head_speed, r->cut, vrm_human_bone_name((vrm_human_bone)r->cut_bone),
        r->cut_at, r->cut_way, r->limb_cut, r->limb_cut_way, r->fastest, r->asleep, r->hand_aloft, r->foot_aloft,
        r->knee_aloft, r->stands, ways[r->way], r->seconds, u[SCENE_FIGURE_CUT_TURN].value,
        vrm_human_bone_name((vrm_human_bone)u[SCENE_FIGURE_CUT_TURN].bone),
        u[SCENE_FIGURE_CUT_TURN].frame / 60.0 - r->settled_at, u[SCENE_FIGURE_CUT_WAY].value,
        vrm_human_bone_name((vrm_human_bone)u[SCENE_FIGURE_CUT_WAY].bone), u[SCENE_FIGURE_LOWEST].value,
        vrm_human_bone_name((vrm_human_bone)u[SCENE_FIGURE_LOWEST].bone),
        u[SCENE_FIGURE_LOWEST].frame / 60.0 - r->settled_at, u[SCENE_FIGURE_ANY_SLIDE].value,
        u[SCENE_FIGURE_ANY_SLIDE].frame / 60.0 - r->settled_at, u[SCENE_FIGURE_SPEED].value,
        vrm_human_bone_name((vrm_human_bone)u[SCENE_FIGURE_SPEED].bone),
        u[SCENE_FIGURE_SPEED].frame / 60.0 - r->settled_at);
    for (int i = 0; i < BOUNDS; ++i) {
        if (!kept[i]) {
            printf(" !%s;", bound_words[i]);
        }
    }
    printf("\n");
    fflush(stdout);
}

static const char *const side_words[SIDES + 1] = {"ahead", "back", "side", "all"};

static int side_of(double angle)
{
    return fabs(angle) <= 46.0 ? 0 : fabs(angle) >= 134.0 ? 1 : 2;
}

static void add(tally *t, const scene_fall_report *r, const bool kept[BOUNDS])
{
    const scene_reading *f = r->rise.figures;
    t->cuts[t->falls] = r->cut;
    t->ways[t->falls] = r->cut_way;
    t->limb_cuts[t->falls] = r->limb_cut;
    t->limb_ways[t->falls] = r->limb_cut_way;
    t->heads[t->falls] = r->head_speed;
    t->rise_cuts[t->falls] = f[SCENE_FIGURE_CUT_TURN].value;
    t->rise_ways[t->falls] = f[SCENE_FIGURE_CUT_WAY].value;
    t->rise_low[t->falls] = -f[SCENE_FIGURE_LOWEST].value;
    t->rise_slide[t->falls] = f[SCENE_FIGURE_ANY_SLIDE].value;
    t->hands[t->falls] = r->hand_aloft;
    t->feet[t->falls] = r->foot_aloft;
    t->knees[t->falls] = 100.0 * r->knee_aloft;
    if (r->landed[SCENE_FALL_TRUNK] >= 0.0) {
        t->downs[t->landed++] = r->feet_down;
    }
    t->fastest = fmax(t->fastest, r->fastest);
    ++t->falls;
    for (int i = 0; i < BOUNDS; ++i) {
        t->kept[i] += kept[i] ? 1 : 0;
    }
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void print_spread(const char *word, double *values, uint32_t count)
{
    qsort(values, count, sizeof *values, compare);
    printf("| %s | %.1f | %.1f | %.1f |\n", word, values[count / 2], values[(uint32_t)(0.98 * (count - 1))],
        values[count - 1]);
}

int main(int argc, char **argv)
{
    const uint32_t count = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000;
    const uint32_t first = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
    const int files = argc > 3 ? argc - 3 : 0;
    const uint32_t figures = SAMPLES + (uint32_t)files + SHAPES;
    const bool verbose = getenv("VERBOSE") != NULL;
    tally t[SIDES + 1] = {0};
    for (int i = 0; i <= SIDES; ++i) {
        double **columns[] = {&t[i].cuts, &t[i].ways, &t[i].limb_cuts, &t[i].limb_ways, &t[i].heads, &t[i].rise_cuts,
            &t[i].rise_ways, &t[i].rise_low, &t[i].rise_slide, &t[i].hands, &t[i].feet, &t[i].knees, &t[i].downs};
        for (size_t k = 0; k < sizeof columns / sizeof columns[0]; ++k) {
            *columns[k] = calloc(count + 1, sizeof(double));
        }
    }
    for (uint32_t index = 0; index < figures; ++index) {
        figure f;
        const bool made = make_figure(index, files, argv + 3, &f);
        for (uint32_t i = first; made && i < first + count; ++i) {
            if (i % figures != index) {
                continue;
            }
            // Each figure gets pushes of every direction and strength, whatever the number of figures is.
            const uint32_t round = i / figures;
            const double angle = 45.0 * (double)((round + index) % 8),
                         size = 0.25 * (double)((round / 8 + 3 * index) % 8 + 1);
            const double speed = size * (double)f.mass * sqrt((double)f.def->height / 1.6);
            scene_fall_act act = {.avatar = f.avatar,
                .gltf = f.gltf,
                .def = f.def,
                .gets_up = true,
                .when = 0.3 + 0.37 * (double)(i % 7),
                .seed = i,
                .thrown = getenv("THROWN") != NULL,
                .limp = getenv("LIMP") != NULL};
            act.push = (vrm_vec3){(float)(speed * sin(angle / 57.29578)), 0.0f, (float)(speed * cos(angle / 57.29578))};
            scene_fall_report report;
            if (scene_fall_act_run(&act, &report) != VRM_SUCCESS) {
                printf("| %s | cannot be simulated |\n", f.name);
                continue;
            }
            bool kept[BOUNDS];
            judge(&report, (double)f.def->height, kept);
            add(&t[side_of(report.direction)], &report, kept);
            add(&t[SIDES], &report, kept);
            if (verbose) {
                tell(&f, i, angle, size, &report, kept);
            }
        }
        drop(&f);
    }
    printf("| within the bound |");
    for (int side = 0; side <= SIDES; ++side) {
        printf(" %s, %u |", side_words[side], t[side].falls);
    }
    printf("\n| --- | --- | --- | --- | --- |\n");
    for (int i = 0; i < BOUNDS; ++i) {
        printf("| %s |", bound_words[i]);
        for (int side = 0; side <= SIDES; ++side) {
            printf(" %.1f %% |", t[side].falls > 0 ? 100.0 * t[side].kept[i] / t[side].falls : 0.0);
        }
        printf("\n");
    }
    tally *all = &t[SIDES];
    printf("\n| all falls | median | 98 %% | largest |\n| --- | --- | --- | --- |\n");
    print_spread("head when it lands, m/s", all->heads, all->falls);
    print_spread("cut, degrees", all->cuts, all->falls);
    print_spread("cut, mm", all->ways, all->falls);
    print_spread("hand, foot, head landing, degrees", all->limb_cuts, all->falls);
    print_spread("hand, foot, head landing, mm", all->limb_ways, all->falls);
    print_spread("as it lies: a hand above the ground, mm", all->hands, all->falls);
    print_spread("a foot, mm", all->feet, all->falls);
    print_spread("a knee, % of the height", all->knees, all->falls);
    print_spread("getting up: cut, degrees", all->rise_cuts, all->falls);
    print_spread("getting up: cut, mm", all->rise_ways, all->falls);
    print_spread("getting up: under the ground, mm", all->rise_low, all->falls);
    print_spread("getting up: soles slide, mm", all->rise_slide, all->falls);
    if (all->landed > 0) {
        qsort(all->downs, all->landed, sizeof *all->downs, compare);
        printf("| feet at most 100 mm up after the trunk's landing, s | %.2f | 95 %%: %.2f | %.2f |\n",
            all->downs[all->landed / 2], all->downs[(uint32_t)(0.95 * (all->landed - 1))], all->downs[all->landed - 1]);
    }
    printf("\nfastest body %.0f rad/s\n", all->fastest);
    return 0;
}
