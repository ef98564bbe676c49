// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// campaign_motion [STRIDE [MODEL...]]: measures motions by the motion meter (docs/motion-meter.md). First the built-in
// motions on samples, models and ten generated figures. Then impulses in combinations of figure, motion, bone,
// direction, impulse, drive and engine. Only every STRIDE-th combination (default 1) is measured, and the selection
// differs from figure to figure. Then explosions, drops, a pinned hand and a limp arm. Prints the largest value of each
// measured number in Markdown, and the share of scenes within each bound. With VERBOSE=1 in the environment it also
// prints each scene to stderr, with LIGHT=1 it leaves ODE out. With ONLY=TEXT it measures only the hits and events whose
// line contains TEXT ("figure 7, 250:", "sample 1: drop"), and no motions.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vrm/vrm.h>

#include "figure_shapes.h"
#include "motion_cover.h"
#ifdef CAMPAIGN_ODE
#include "scene_ode.h"
#endif

enum { SAMPLES = 3, SHAPES = 10 };

typedef struct figure {
    char name[64];
    vrm_gltf *gltf;
    vrm_avatar *avatar;
    vrm_ragdoll_def *def;
} figure;

static bool take(vrm_bytes *bytes, const char *name, figure *out)
{
    *out = (figure){.def = malloc(sizeof(vrm_ragdoll_def))};
    snprintf(out->name, sizeof out->name, "%s", name);
    if (out->def != NULL) {
        vrm_ragdoll_def_default(out->def);
    }
    const bool done = out->def != NULL &&
                      vrm_gltf_load(NULL, bytes->data, bytes->size, NULL, &out->gltf) == VRM_SUCCESS &&
                      vrm_avatar_import(NULL, out->gltf, NULL, &out->avatar) == VRM_SUCCESS &&
                      vrm_ragdoll_def_build(out->avatar, out->gltf, NULL, NULL, out->def) == VRM_SUCCESS;
    vrm_bytes_free(bytes);
    return done;
}

static void drop(figure *f)
{
    free(f->def);
    vrm_avatar_release(f->avatar);
    vrm_gltf_destroy(f->gltf);
}

// Makes a figure: first the samples, then the files, then the generated figures. Returns false if there is no figure of
// that index or if it is not a humanoid.
static bool make_figure(uint32_t index, int files, char **paths, figure *out)
{
    vrm_bytes bytes = {0};
    char name[64];
    vrm_result result;
    if (index < SAMPLES) {
        vrm_sample_params params;
        vrm_sample_params_default(&params);
        params.seed = index;
        snprintf(name, sizeof name, "sample %u", index);
        result = vrm_sample_create(&params, &bytes);
    } else if (index < SAMPLES + (uint32_t)files) {
        const char *path = paths[index - SAMPLES], *slash = strrchr(path, '/');
        snprintf(name, sizeof name, "%s", slash != NULL ? slash + 1 : path);
        result = vrm_read_file(path, UINT64_MAX, NULL, &bytes);
    } else {
        snprintf(name, sizeof name, "figure %u", index - SAMPLES - (uint32_t)files + 1);
        result = scene_figure_create(index - SAMPLES - (uint32_t)files + 1, &bytes);
    }
    return result == VRM_SUCCESS && take(&bytes, name, out);
}

// A bound for an angle, degrees, and a way, millimetres, or for one of both. A negative bound is the lowest height.
typedef struct bound {
    const char *name;
    scene_figure turn, way; // SCENE_FIGURE_COUNT: not bounded
    double most_turn, most_way;
    bool with_next; // a scene is within it only if it is within the next bound, too
} bound;

static const bound bounds[] = {
    {"cut", SCENE_FIGURE_OTHER_CUT_TURN, SCENE_FIGURE_OTHER_CUT_WAY, 6.0, 15.0, true},
    {"cut of a hand, a foot or the head that lands", SCENE_FIGURE_LANDING_CUT_TURN, SCENE_FIGURE_LANDING_CUT_WAY, 20.0,
        25.0, false},
    {"shown beyond the bodies' motion", SCENE_FIGURE_BEYOND_TURN, SCENE_FIGURE_BEYOND_WAY, 1.0, 5.0, false},
    {"shown bones off their bodies", SCENE_FIGURE_OFF_TURN, SCENE_FIGURE_OFF_WAY, 0.1, 1.0, false},
    {"lowest vertex", SCENE_FIGURE_COUNT, SCENE_FIGURE_LOWEST, 0.0, -10.0, false},
    {"slide of planted feet", SCENE_FIGURE_COUNT, SCENE_FIGURE_SLIDE, 0.0, 10.0, false},
    {"slide of any foot on the ground", SCENE_FIGURE_COUNT, SCENE_FIGURE_ANY_SLIDE, 0.0, 10.0, false},
};
enum { BOUNDS = sizeof bounds / sizeof bounds[0] };

// The largest value of each measured number over many scenes; for heights the smallest.
typedef struct worst {
    scene_meter_report report;
    uint32_t scenes;
    uint32_t within[BOUNDS]; // number of scenes
} worst;

static bool is_within(const scene_meter_report *report, scene_figure of, double most)
{
    const scene_reading *r = &report->figures[of == SCENE_FIGURE_COUNT ? 0 : of];
    return of == SCENE_FIGURE_COUNT || !r->known || (most < 0.0 ? r->value >= most : r->value <= most);
}

static bool holds(int which, const scene_meter_report *report)
{
    const bound *b = &bounds[which];
    return is_within(report, b->turn, b->most_turn) && is_within(report, b->way, b->most_way) &&
           (!b->with_next || holds(which + 1, report));
}

static bool is_height(int of)
{
    return of == SCENE_FIGURE_LOWEST || of == SCENE_FIGURE_LOWEST_HAIR;
}

static void keep_largest(scene_meter_report *all, const scene_meter_report *report)
{
    for (int i = 0; i < SCENE_FIGURE_COUNT; ++i) {
        const scene_reading *r = &report->figures[i];
        scene_reading *at = &all->figures[i];
        if (r->known && (!at->known || (is_height(i) ? r->value < at->value : r->value > at->value))) {
            *at = *r;
        }
    }
}

static void keep_worst(worst *w, const scene_meter_report *report)
{
    keep_largest(&w->report, report);
    ++w->scenes;
    for (int i = 0; i < BOUNDS; ++i) {
        w->within[i] += holds(i, report) ? 1u : 0u;
    }
}

static void keep_all(worst *total, const worst *w)
{
    keep_largest(&total->report, &w->report);
    total->scenes += w->scenes;
    for (int i = 0; i < BOUNDS; ++i) {
        total->within[i] += w->within[i];
    }
}

// Writes the angle and the way of a bound, or the way alone.
static void describe(const bound *b, double turn, double way, char out[64])
{
    if (b->turn != SCENE_FIGURE_COUNT) {
        snprintf(out, 64, "%.2f degrees, %.1f mm", turn, way);
    } else {
        snprintf(out, 64, "%.1f mm", way);
    }
}

static void print_bounds(const char *title, const worst by_engine[SCENE_COVER_ENGINES])
{
    printf("\n### Bounds: %s\n\n", title);
    printf("| | bound | light, %u: within | worst | ODE, %u: within | worst |\n| --- | --- | --- | --- | --- | --- |\n",
        by_engine[0].scenes, by_engine[1].scenes);
    for (int i = 0; i < BOUNDS; ++i) {
        const bound *b = &bounds[i];
        char text[64];
        describe(b, b->most_turn, b->most_way, text);
        printf("| %s | %s |", b->name, text);
        for (int engine = 0; engine < SCENE_COVER_ENGINES; ++engine) {
            const worst *w = &by_engine[engine];
            const double turn = b->turn != SCENE_FIGURE_COUNT ? w->report.figures[b->turn].value : 0.0;
            describe(b, turn, w->report.figures[b->way].value, text);
            printf(" %.1f %% | %s |", w->scenes > 0 ? 100.0 * w->within[i] / w->scenes : 0.0, text);
        }
        printf("\n");
    }
}

// Measures a motion in which nothing happens. `pokes`: also limbs in clothes.
static bool measure_motion(const figure *f, const scene_act *act, bool pokes, scene_meter_report *out)
{
    const scene_meter_def def = {
        .avatar = f->avatar, .gltf = f->gltf, .def = f->def, .rate = act->rate, .pokes = pokes};
    scene_meter *meter = scene_meter_create(&def);
    const bool done = meter != NULL && scene_act_run(act, meter) == VRM_SUCCESS;
    if (done) {
        scene_meter_read(meter, &(scene_meter_question){.event = -1.0}, out);
    }
    scene_meter_destroy(meter);
    return done;
}

// Measures an event, beside the same act without it.
static bool measure_event(const figure *f, scene_act *act, scene_meter_report *out)
{
    act->gltf = f->gltf;
    return scene_act_measure(act, f->gltf, true, out) == VRM_SUCCESS;
}

static void run_motions(int files, char **paths)
{
    static const char *const words[] = {
        "idle", "walk-ahead", "run-ahead", "wave", "bow", "sit-down", "stand-up", "sway", "plain-idle", "plain-walk"};
    static const scene_figure figures[] = {SCENE_FIGURE_CUT_TURN, SCENE_FIGURE_CUT_WAY, SCENE_FIGURE_LIMIT,
        SCENE_FIGURE_SPEED, SCENE_FIGURE_SLIDE, SCENE_FIGURE_LOWEST, SCENE_FIGURE_UNSUPPORTED, SCENE_FIGURE_ARM_POKE,
        SCENE_FIGURE_SKIRT_POKE, SCENE_FIGURE_HEAD_WAY, SCENE_FIGURE_HAND_WAY, SCENE_FIGURE_CHEST_TURN,
        SCENE_FIGURE_COUNT};
    printf("### Motions\n\n");
    scene_meter_print_head(figures);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
        worst all = {0};
        for (uint32_t index = 0; index < SAMPLES + (uint32_t)files + SHAPES; ++index) {
            figure f;
            scene_act act = {.motion = words[i], .event = SCENE_EVENT_NONE, .duration = 4.0, .rate = 60.0};
            scene_meter_report report;
            if (make_figure(index, files, paths, &f)) {
                act.avatar = f.avatar;
                act.def = f.def;
                // Limbs are compared with clothes only on avatars with their original proportions.
                if (measure_motion(&f, &act, index < SAMPLES + (uint32_t)files, &report)) {
                    keep_worst(&all, &report);
                }
            }
            drop(&f);
        }
        scene_meter_print_row(words[i], &all.report, figures);
    }
}

static const scene_figure of_events[] = {SCENE_FIGURE_CUT_TURN, SCENE_FIGURE_CUT_WAY, SCENE_FIGURE_OFF_TURN,
    SCENE_FIGURE_OFF_WAY, SCENE_FIGURE_BEYOND_TURN, SCENE_FIGURE_BEYOND_WAY, SCENE_FIGURE_BODY_STEP, SCENE_FIGURE_LIMIT,
    SCENE_FIGURE_LOWEST, SCENE_FIGURE_UNSUPPORTED, SCENE_FIGURE_HEAD_WAY, SCENE_FIGURE_CHEST_TURN,
    SCENE_FIGURE_HEAD_SWING, SCENE_FIGURE_ARM_SWING, SCENE_FIGURE_QUIET, SCENE_FIGURE_COUNT};

static scene_engine_make *engine_of(uint32_t which)
{
#ifdef CAMPAIGN_ODE
    return which == 0 ? scene_light_engine : getenv("LIGHT") == NULL ? scene_ode_engine : NULL;
#else
    return which == 0 ? scene_light_engine : NULL;
#endif
}

// Returns the combination of factors that has this number; the figure is not set.
static scene_cover_row row_of(uint32_t number)
{
    scene_cover_row row = {{0}};
    for (int factor = SCENE_FACTOR_BONE; factor < SCENE_FACTORS; ++factor) {
        row.values[factor] = number % scene_cover_count((scene_factor)factor);
        number /= scene_cover_count((scene_factor)factor);
    }
    return row;
}

static bool is_chosen(const char *scene)
{
    const char *only = getenv("ONLY");
    return only == NULL || strstr(scene, only) != NULL;
}

// Prints a scene, with the bone and the time of each of its largest values.
static void tell(const char *scene, const scene_meter_report *report, double rate)
{
    static const scene_figure figures[] = {SCENE_FIGURE_OTHER_CUT_TURN, SCENE_FIGURE_OTHER_CUT_WAY,
        SCENE_FIGURE_LANDING_CUT_TURN, SCENE_FIGURE_LANDING_CUT_WAY, SCENE_FIGURE_BODY_STEP, SCENE_FIGURE_LIMIT,
        SCENE_FIGURE_LOWEST, SCENE_FIGURE_BEYOND_TURN, SCENE_FIGURE_OFF_TURN, SCENE_FIGURE_OFF_WAY, SCENE_FIGURE_SLIDE,
        SCENE_FIGURE_ANY_SLIDE, SCENE_FIGURE_UNSUPPORTED};
    if (getenv("VERBOSE") == NULL) {
        return;
    }
    fprintf(stderr, "%s;", scene);
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; ++i) {
        const scene_reading *r = &report->figures[figures[i]];
        const char *bone = r->bone >= 0 ? vrm_human_bone_name((vrm_human_bone)r->bone) : "-";
        fprintf(stderr, " %s %.2f (%s, %.2f s);", scene_figure_word(figures[i]), r->value, bone, r->frame / rate);
    }
    fprintf(stderr, "\n");
}

static void run_hits(const figure *f, uint32_t first, uint32_t stride, worst by_engine[SCENE_COVER_ENGINES])
{
    uint32_t all = 1;
    for (int factor = SCENE_FACTOR_BONE; factor < SCENE_FACTORS; ++factor) {
        all *= scene_cover_count((scene_factor)factor);
    }
    for (uint32_t number = first; number < all; number += stride) {
        const scene_cover_row row = row_of(number);
        const uint32_t engine = row.values[SCENE_FACTOR_ENGINE];
        scene_act act;
        scene_meter_report report;
        scene_cover_act(&row, f->avatar, f->def, &act);
        act.engine = engine_of(engine);
        scene_cover_words words;
        char scene[192];
        snprintf(scene, sizeof scene, "%s, %u: %s", f->name, number, scene_cover_describe(&row, &words));
        if (act.engine != NULL && is_chosen(scene) && measure_event(f, &act, &report)) {
            keep_worst(&by_engine[engine], &report);
            tell(scene, &report, act.rate);
        }
    }
}

static void run_events(int files, char **paths, worst total[SCENE_COVER_ENGINES])
{
    static const struct {
        scene_event event;
        const char *name;
        double duration;
    } events[] = {{SCENE_EVENT_EXPLOSION, "explosion", 9.0}, {SCENE_EVENT_DROP, "drop", 9.0},
        {SCENE_EVENT_PIN, "limp, hand pinned", 4.0}, {SCENE_EVENT_LIMP_ARM, "limp arm", 4.0}};
    printf("\n### Events (idle, torque; the largest over all figures)\n\n");
    scene_meter_print_head(of_events);
    for (int i = 0; i < 4; ++i) {
        for (uint32_t engine = 0; engine < SCENE_COVER_ENGINES && engine_of(engine) != NULL; ++engine) {
            worst all = {0};
            for (uint32_t index = 0; index < SAMPLES + (uint32_t)files + SHAPES; ++index) {
                figure f;
                scene_meter_report report;
                if (make_figure(index, files, paths, &f)) {
                    scene_act act = {.avatar = f.avatar,
                        .def = f.def,
                        .motion = "idle",
                        .event = events[i].event,
                        .when = 0.5,
                        .duration = events[i].duration,
                        .rate = 60.0,
                        .drive = VRM_RAGDOLL_DRIVE_TORQUE,
                        .engine = engine_of(engine)};
                    char scene[192];
                    snprintf(scene, sizeof scene, "%s: %s, %s", f.name, events[i].name, engine == 0 ? "light" : "ODE");
                    if (is_chosen(scene) && measure_event(&f, &act, &report)) {
                        keep_worst(&all, &report);
                        tell(scene, &report, act.rate);
                    }
                }
                drop(&f);
            }
            char name[64];
            snprintf(name, sizeof name, "%s, %s", events[i].name, engine == 0 ? "light" : "ODE");
            scene_meter_print_row(name, &all.report, of_events);
            keep_all(&total[engine], &all);
        }
    }
}

int main(int argc, char **argv)
{
    const int given = argc > 1 ? atoi(argv[1]) : 1;
    const uint32_t stride = given > 0 ? (uint32_t)given : 1;
    const int files = argc > 2 ? argc - 2 : 0;
    if (getenv("ONLY") == NULL) {
        run_motions(files, argv + 2);
    }
    printf("\n### Hits\n\n");
    scene_meter_print_head(of_events);
    worst hits[SCENE_COVER_ENGINES] = {0}, events[SCENE_COVER_ENGINES] = {0};
    for (uint32_t index = 0; index < SAMPLES + (uint32_t)files + SHAPES; ++index) {
        figure f;
        worst own[SCENE_COVER_ENGINES] = {0};
        if (make_figure(index, files, argv + 2, &f)) {
            run_hits(&f, index % stride, stride, own);
        }
        for (int engine = 0; engine < SCENE_COVER_ENGINES; ++engine) {
            char name[96];
            snprintf(name, sizeof name, "%s, %s, %u", f.name, engine == 0 ? "light" : "ODE", own[engine].scenes);
            if (own[engine].scenes > 0) {
                scene_meter_print_row(name, &own[engine].report, of_events);
            }
            keep_all(&hits[engine], &own[engine]);
        }
        drop(&f);
    }
    run_events(files, argv + 2, events);
    print_bounds("hits", hits);
    print_bounds("events", events);
    return 0;
}
