// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// campaign_steps [--motion WORD] [--assist A] [--svg FILE] [FIGURE...]: pushes on the chest and their outcomes. The
// figures (figures.h; default: the sample and a tall one) are pushed in eight directions by 0.05 to 2 N s per kg.
// Prints a table in Markdown of the limits of the outcomes, and a chart.

#include "figures.h"
#include "stagger/stagger.h"
#include "stagger/stagger_limits.h"

#include <math.h>
#include <stdio.h>

enum { SIDES = 8, PUSHES = 40, FIGURES = 8 };

static const double grid = 0.05;
static const uint32_t most_steps[3] = {0, 1, 5}; // largest number of steps in the outcomes sway, one step, several
static const char *const sides[SIDES] = {
    "ahead", "ahead-left", "left", "back-left", "back", "back-right", "right", "ahead-right"};

typedef struct chart {
    const char *name;
    float height;
    char outcome[SIDES][PUSHES + 1];
    double limits[SIDES][3];
    double expected[SIDES][3]; // computed from the figure's proportions (stagger_limits.h), with the assist
    uint32_t out_of_order, uneven, restless;
    double drift, outside, way, touch_down;
    double share[3], largest_share[3]; // measured shares of the assist, by outcome: sum and maximum
    uint32_t pushes[3];
} chart;

static void judge(chart *c, const scene_stagger *s)
{
    if (s->outcome == SCENE_STAGGER_FALLS) {
        return;
    }
    c->share[s->outcome] += (double)s->share;
    c->largest_share[s->outcome] = fmax(c->largest_share[s->outcome], (double)s->share);
    ++c->pushes[s->outcome];
    c->drift = fmax(c->drift, (double)s->drift);
    c->outside = fmax(c->outside, (double)s->outside);
    c->way = fmax(c->way, hypot((double)s->went.x, (double)s->went.z));
    c->touch_down = fmax(c->touch_down, s->touch_down);
    c->restless += s->drift > 0.01f || s->outside > 0.0f ? 1 : 0;
}

static bool expect(chart *c, const campaign_figure *figure, double assist)
{
    scene_stagger_body body;
    if (scene_stagger_measure(figure->avatar, figure->gltf, &figure->def, &body) != VRM_SUCCESS) {
        return false;
    }
    printf(
        "mass centre at %.3f m, push at %.3f, legs %.3f, soles %.3f wide and %.3f long, %.3f apart, ankles %.3f behind "
        "their middles\n\n",
        body.center, body.push, body.leg, 2.0 * body.half_width, 2.0 * body.half_length, body.apart, body.behind);
    for (int side = 0; side < SIDES; ++side) {
        for (int k = 0; k < 3; ++k) {
            c->expected[side][k] = assist * scene_stagger_limit(&body, side * 0.785398163, most_steps[k]);
        }
    }
    return true;
}

static bool fill(chart *c, scene_stagger_push push)
{
    for (int side = 0; side < SIDES; ++side) {
        int most = 0;
        for (int i = 0; i < PUSHES; ++i) {
            scene_stagger s;
            push.angle = (float)side * 0.785398163f;
            push.speed = (float)(grid * (i + 1));
            if (scene_stagger_run(&push, &s) != VRM_SUCCESS) {
                return false;
            }
            c->outcome[side][i] = ".1nF"[s.outcome];
            c->out_of_order += (int)s.outcome < most ? 1 : 0;
            most = (int)s.outcome > most ? (int)s.outcome : most;
            for (int k = (int)s.outcome; k < 3; ++k) {
                c->limits[side][k] = grid * (i + 1);
            }
            judge(c, &s);
        }
    }
    for (int side = 1; side < 4; ++side) {
        for (int i = 0; i < PUSHES; ++i) {
            c->uneven += c->outcome[side][i] != c->outcome[SIDES - side][i] ? 1 : 0;
        }
    }
    return true;
}

static void print(const chart *c, double assist)
{
    double worst = 0.0;
    printf("| %s, %.2f m | limits, N s/kg: sway, one step, several | expected |\n| --- | --- | --- |\n", c->name,
        (double)c->height);
    for (int side = 0; side < SIDES; ++side) {
        const double *l = c->limits[side], *e = c->expected[side];
        printf("| %s | %.2f, %.2f, %.2f | %.2f, %.2f, %.2f |\n", sides[side], l[0], l[1], l[2], e[0], e[1], e[2]);
        for (int k = 0; k < 3; ++k) {
            worst = fmax(worst, (fabs(l[k] - e[k]) - 0.5 * grid) / e[k]); // half a step of the grid is allowed
        }
    }
    printf("\nThe assist is set to %.0f %% of each push. Measured:", 100.0 - 100.0 / assist);
    static const char *const outcomes[3] = {"sway", "one step", "several steps"};
    for (int k = 0; k < 3; ++k) {
        const double mean = c->pushes[k] > 0 ? c->share[k] / c->pushes[k] : 0.0;
        printf(" %s %.0f %%, at most %.0f %%%s", outcomes[k], 100.0 * mean, 100.0 * c->largest_share[k],
            k < 2 ? ";" : ". ");
    }
    printf(
        "Outcomes out of order: %u of %d. Mirrored sides differ in %u of %d outcomes. Limits are off by at most "
        "%.0f %%. After the last touch-down (at most %.1f s after the push) the mass centre moves by at most %.1f mm "
        "and stays at least %.0f mm inside of the soles (%u cases beyond the bounds). The root moves by at most "
        "%.2f m.\n\n",
        c->out_of_order, SIDES * PUSHES, c->uneven, 3 * PUSHES, 100.0 * worst, c->touch_down, 1000.0 * c->drift,
        -1000.0 * c->outside, c->restless, c->way);
    for (int side = 0; side < SIDES; ++side) {
        printf("    %-12s %s\n", sides[side], c->outcome[side]);
    }
    printf("\n");
    fflush(stdout);
}

// Draws a row of cells for each side, one figure below the other. A mark shows each expected limit.
static void draw(FILE *file, const chart *charts, int count)
{
    static const char *const colors[4] = {"#b7d7a8", "#ffe599", "#f6b26b", "#cc6666"};
    static const char *const words[4] = {"sways", "one step", "several steps", "falls"};
    const int cell = 12, left = 90, head = 22, block = SIDES * cell + 44;
    const int width = left + PUSHES * cell + 20, height = count * block + 34;
    fprintf(file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
        "font-size=\"10\">\n"
        "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n",
        width, height, width, height);
    for (int f = 0; f < count; ++f) {
        const int top = f * block + head;
        fprintf(file, "<text x=\"4\" y=\"%d\" font-weight=\"bold\">%s, %.2f m</text>\n", top - 8, charts[f].name,
            (double)charts[f].height);
        for (int side = 0; side < SIDES; ++side) {
            const int y = top + side * cell;
            fprintf(file, "<text x=\"4\" y=\"%d\">%s</text>\n", y + cell - 3, sides[side]);
            for (int i = 0; i < PUSHES; ++i) {
                const char *kind = strchr(".1nF", charts[f].outcome[side][i]);
                fprintf(file, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n", left + i * cell, y,
                    cell - 1, cell - 1, colors[kind != NULL ? kind - ".1nF" : 3]);
            }
            for (int k = 0; k < 3; ++k) {
                const double at = charts[f].expected[side][k] / grid;
                fprintf(file, "<rect x=\"%.1f\" y=\"%d\" width=\"2\" height=\"%d\"/>\n", left + at * cell - 1.0, y,
                    cell - 1);
            }
        }
        for (int i = 9; i < PUSHES; i += 10) {
            fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.1f</text>\n", left + (i + 1) * cell,
                top + SIDES * cell + 11, grid * (i + 1));
        }
    }
    for (int k = 0; k < 4; ++k) {
        fprintf(file,
            "<rect x=\"%d\" y=\"%d\" width=\"10\" height=\"10\" fill=\"%s\"/><text x=\"%d\" y=\"%d\">%s</text>\n",
            left + 110 * k, height - 20, colors[k], left + 110 * k + 14, height - 11, words[k]);
    }
    fprintf(file, "</svg>\n");
}

int main(int argc, char **argv)
{
    static chart charts[FIGURES];
    const char *svg = NULL, *motion = "none", *words[FIGURES];
    double assist = 1.5;
    int count = 0;
    for (int i = 1; i < argc && count < FIGURES; ++i) {
        const bool more = i + 1 < argc;
        if (strcmp(argv[i], "--svg") == 0 && more) {
            svg = argv[++i];
        } else if (strcmp(argv[i], "--motion") == 0 && more) {
            motion = argv[++i];
        } else if (strcmp(argv[i], "--assist") == 0 && more) {
            assist = atof(argv[++i]);
        } else {
            words[count++] = argv[i];
        }
    }
    if (count == 0) {
        words[count++] = "sample";
        words[count++] = "tall";
    }
    for (int i = 0; i < count; ++i) {
        static campaign_figure figure;
        bool good = campaign_figure_load(words[i], &figure);
        if (good) {
            charts[i].name = figure.name;
            charts[i].height = figure.def.height;
            charts[i].outside = -1.0;
            good = expect(&charts[i], &figure, assist) && fill(&charts[i], (scene_stagger_push){.avatar = figure.avatar,
                                                                               .def = &figure.def,
                                                                               .motion = motion,
                                                                               .assist = (float)assist,
                                                                               .rate = 60.0});
        }
        campaign_figure_free(&figure);
        if (!good) {
            fprintf(stderr, "campaign_steps: %s cannot be used\n", words[i]);
            return 1;
        }
        print(&charts[i], assist);
    }
    FILE *file = svg != NULL ? fopen(svg, "w") : NULL;
    if (file != NULL) {
        draw(file, charts, count);
        fclose(file);
    }
    return svg != NULL && file == NULL ? 1 : 0;
}
