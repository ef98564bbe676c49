// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// campaign_staggers [--assist A] [--svg FILE] [FIGURE...]: pushes on the chest during a walk. The figures (figures.h;
// default: the sample and a tall one) walk at 1.2 m/s (for a height of 1.6 m, in proportion to the root of the height).
// They are pushed in eight directions by 0.05 to 3 N s per kg at eight moments of a step. Prints a table in Markdown of
// the pushes after which they walk on, and a chart.

#include "figures.h"
#include "stagger/stagger.h"
#include "stagger/stagger_limits.h"

#include <math.h>
#include <stdio.h>

enum { SIDES = 8, PUSHES = 60, MOMENTS = 8, FIGURES = 8 };

static const double grid = 0.05;
static const char *const sides[SIDES] = {
    "ahead", "ahead-left", "left", "back-left", "back", "back-right", "right", "ahead-right"};

typedef struct chart {
    const char *name;
    float height;
    char outcome[SIDES][MOMENTS][PUSHES];
    // The largest push after which the figure walks on: at the weakest moment of a step, and as a mean over all
    // moments.
    double limits[SIDES][2];
    double expected[SIDES][2]; // computed from the figure's proportions (stagger_limits.h), with the assist
    uint32_t out_of_order, uneven, slow;
    double aside, slowest, fastest;
} chart;

static bool expect(chart *c, const campaign_figure *figure, float speed, double assist)
{
    scene_stagger_body body;
    scene_stagger_gait gait;
    if (scene_stagger_measure(figure->avatar, figure->gltf, &figure->def, &body) != VRM_SUCCESS ||
        scene_stagger_measure_gait(figure->avatar, &figure->def, speed, &gait) != VRM_SUCCESS) {
        return false;
    }
    printf("steps %.3f m long and %.3f wide in %.3f s, legs %.3f m, hip joints %.3f apart, soles %.3f wide and %.3f "
           "long\n\n",
        gait.length, gait.width, gait.time, body.leg, body.hips, 2.0 * body.half_width, 2.0 * body.half_length);
    for (int side = 0; side < SIDES; ++side) {
        double least = 1e30, sum = 0.0;
        for (int moment = 0; moment < MOMENTS; ++moment) {
            const double limit = scene_stagger_walk_limit(&body, &gait, side * 0.785398163, (double)moment / MOMENTS);
            least = fmin(least, limit);
            sum += limit / MOMENTS;
        }
        c->expected[side][0] = assist * least;
        c->expected[side][1] = assist * sum;
    }
    return true;
}

static bool push_once(chart *c, scene_stagger_push push, int side, int moment, int i, char *out)
{
    scene_stagger s;
    push.angle = (float)side * 0.785398163f;
    push.speed = (float)(grid * (i + 1));
    push.part = 0.5f * (float)moment / MOMENTS;
    if (scene_stagger_run(&push, &s) != VRM_SUCCESS) {
        return false;
    }
    *out = ".1nF"[s.outcome];
    if (s.outcome != SCENE_STAGGER_FALLS) {
        const double part = (double)s.speed / (double)push.walk;
        c->aside = fmax(c->aside, fabs((double)s.went.x));
        c->slowest = fmin(c->slowest, part);
        c->fastest = fmax(c->fastest, part);
    }
    return true;
}

static bool fill(chart *c, scene_stagger_push push)
{
    c->slowest = 1.0;
    c->fastest = 1.0;
    for (int side = 0; side < SIDES; ++side) {
        double least = grid * PUSHES, sum = 0.0;
        for (int moment = 0; moment < MOMENTS; ++moment) {
            double limit = 0.0;
            bool fell = false;
            for (int i = 0; i < PUSHES; ++i) {
                char *at = &c->outcome[side][moment][i];
                if (!push_once(c, push, side, moment, i, at)) {
                    return false;
                }
                c->out_of_order += fell && *at != 'F' ? 1 : 0;
                fell = fell || *at == 'F';
                limit = fell ? limit : grid * (i + 1);
            }
            least = fmin(least, limit);
            sum += limit;
        }
        c->limits[side][0] = least;
        c->limits[side][1] = sum / MOMENTS;
    }
    return true;
}

// Pushes from the other side, half a stride later.
static bool mirror(chart *c, scene_stagger_push push)
{
    static const double some[3] = {0.3, 0.6, 0.9};
    for (int side = 0; side < SIDES; ++side) {
        for (int moment = 0; moment < MOMENTS; ++moment) {
            for (int k = 0; k < 3; ++k) {
                scene_stagger a;
                const int i = (int)(some[k] / grid + 0.5) - 1;
                push.angle = (float)((SIDES - side) % SIDES) * 0.785398163f;
                push.speed = (float)(grid * (i + 1));
                push.part = 0.5f * (float)moment / MOMENTS + 0.5f;
                if (scene_stagger_run(&push, &a) != VRM_SUCCESS) {
                    return false;
                }
                const bool fell = c->outcome[side][moment][i] == 'F';
                c->uneven += (a.outcome == SCENE_STAGGER_FALLS) != fell ? 1 : 0;
            }
        }
    }
    return true;
}

static void print(const chart *c)
{
    double worst = 0.0;
    printf("| %s, %.2f m | walks on from up to, N s/kg: any moment, mean | expected |\n| --- | --- | --- |\n", c->name,
        (double)c->height);
    for (int side = 0; side < SIDES; ++side) {
        const double *l = c->limits[side], *e = c->expected[side];
        printf("| %s | %.2f, %.2f | %.2f, %.2f |\n", sides[side], l[0], l[1], e[0], e[1]);
        worst = fmax(worst, (fabs(l[0] - e[0]) - 0.5 * grid) / e[0]);
    }
    printf("\nOutcomes out of order: %u of %d. Mirrored pushes differ in %u of %d outcomes. Limits are off by at most "
           "%.0f %%. After a push the figure walks on at %.2f to %.2f of its speed, up to %.2f m beside its path.\n\n",
        c->out_of_order, SIDES * MOMENTS * PUSHES, c->uneven, SIDES * MOMENTS * 3, 100.0 * worst, c->slowest,
        c->fastest, c->aside);
    for (int side = 0; side < SIDES; ++side) {
        for (int moment = 0; moment < MOMENTS; ++moment) {
            printf("    %-12s %.*s\n", moment == 0 ? sides[side] : "", PUSHES, c->outcome[side][moment]);
        }
    }
    printf("\n");
    fflush(stdout);
}

// Draws a cell for each side and push: the fraction of moments at which the figure falls.
static void draw(FILE *file, const chart *charts, int count)
{
    const int cell = 10, left = 90, head = 22, block = SIDES * cell + 44;
    const int width = left + PUSHES * cell + 20, height = count * block + 34;
    fprintf(file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
        "font-size=\"10\">\n<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n",
        width, height, width, height);
    for (int f = 0; f < count; ++f) {
        const int top = f * block + head;
        fprintf(file, "<text x=\"4\" y=\"%d\" font-weight=\"bold\">%s, %.2f m</text>\n", top - 8, charts[f].name,
            (double)charts[f].height);
        for (int side = 0; side < SIDES; ++side) {
            const int y = top + side * cell;
            fprintf(file, "<text x=\"4\" y=\"%d\">%s</text>\n", y + cell - 2, sides[side]);
            for (int i = 0; i < PUSHES; ++i) {
                int falls = 0;
                for (int moment = 0; moment < MOMENTS; ++moment) {
                    falls += charts[f].outcome[side][moment][i] == 'F' ? 1 : 0;
                }
                const double part = (double)falls / MOMENTS;
                fprintf(file, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"rgb(%d,%d,%d)\"/>\n",
                    left + i * cell, y, cell - 1, cell - 1, (int)(183 + 21 * part), (int)(215 - 113 * part),
                    (int)(168 - 66 * part));
            }
            for (int which = 0; which < 2; ++which) {
                const double at = charts[f].expected[side][which] / grid;
                fprintf(file, "<rect x=\"%.1f\" y=\"%d\" width=\"2\" height=\"%d\"/>\n", left + at * cell - 1.0, y,
                    cell - 1);
            }
        }
        for (int i = 9; i < PUSHES; i += 10) {
            fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.1f</text>\n", left + (i + 1) * cell,
                top + SIDES * cell + 11, grid * (i + 1));
        }
    }
    fprintf(file,
        "<text x=\"%d\" y=\"%d\">green: walks on in all moments of a step; red: falls in all</text>\n</svg>\n", left,
        height - 11);
}

int main(int argc, char **argv)
{
    static chart charts[FIGURES];
    const char *svg = NULL, *words[FIGURES];
    double assist = 1.5;
    int count = 0;
    for (int i = 1; i < argc && count < FIGURES; ++i) {
        const bool more = i + 1 < argc;
        if (strcmp(argv[i], "--svg") == 0 && more) {
            svg = argv[++i];
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
            const scene_stagger_push push = {.avatar = figure.avatar,
                .def = &figure.def,
                .assist = (float)assist,
                .rate = 60.0,
                .walk = 1.2f * sqrtf(figure.def.height / 1.6f)};
            good = expect(&charts[i], &figure, push.walk, assist) && fill(&charts[i], push) && mirror(&charts[i], push);
        }
        campaign_figure_free(&figure);
        if (!good) {
            fprintf(stderr, "campaign_staggers: %s cannot be used\n", words[i]);
            return 1;
        }
        print(&charts[i]);
    }
    FILE *file = svg != NULL ? fopen(svg, "w") : NULL;
    if (file != NULL) {
        draw(file, charts, count);
        fclose(file);
    }
    return svg != NULL && file == NULL ? 1 : 0;
}
