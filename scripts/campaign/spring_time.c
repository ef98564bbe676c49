// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The whole grid of spring time: 864 motions at six frame rates, in default time and with one step of the published
// algorithm per frame. Prints a table in Markdown. If a path is given, writes the figure of docs/springs.md there.
//
//     cmake -S . -B build/campaign -DCMAKE_BUILD_TYPE=Release -DVRM_BUILD_CAMPAIGN=ON
//     make -C build/campaign campaign_spring_time
//     build/campaign/campaign/campaign_spring_time docs/springs.svg

#include "spring_motions.h"

#include <stdio.h>

static const int rates[] = {30, 45, 60, 72, 144, 240, 0};
enum { RATES = 7 };

typedef struct results {
    double rms[2][RATES][MOTION_GRID], jitter[2][MOTION_GRID];
    double calm_rms[RATES], calm_max[RATES], sphere_rms[RATES], common[RATES];
    int nods;
} results;

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static void run_all(results *out)
{
    static motion_stage stage;
    for (uint32_t i = 0; i < MOTION_GRID; ++i) {
        const motion_case c = motion_at(i);
        motion_stage_begin(&stage, &c);
        for (int r = 0; r < RATES; ++r) {
            for (int time = 0; time < 2; ++time) {
                const motion_error e = motion_run(&stage, &c, rates[r], (vrm_spring_time)time);
                out->rms[time][r][i] = e.rms;
                if (rates[r] == 144 && c.kind == MOTION_NOD_1) {
                    out->jitter[time][out->nods] = e.jitter;
                }
                if (time == VRM_SPRING_TIME_REFERENCE) {
                    continue;
                }
                out->common[r] = larger(out->common[r], e.common);
                if (c.drag >= 0.4f && c.stiffness >= 1.0f && c.collider) {
                    out->sphere_rms[r] = larger(out->sphere_rms[r], e.rms);
                } else if (c.drag >= 0.4f && c.stiffness >= 1.0f) {
                    out->calm_rms[r] = larger(out->calm_rms[r], e.rms);
                    out->calm_max[r] = larger(out->calm_max[r], e.max);
                }
            }
        }
        out->nods += c.kind == MOTION_NOD_1;
        motion_stage_end(&stage);
    }
}

static void print_rate(int rate)
{
    if (rate != 0) {
        printf("| %d Hz ", rate);
    } else {
        printf("| 4 to 40 ms ");
    }
}

static void print_table(results *all)
{
    printf("| frames | default: RMS median / 95 %% | one step a frame: median / 95 %% | worst RMS, drag >= .4, "
           "stiffness >= 1 | worst moment there | with a sphere | at ticks |\n| --- | --- | --- | --- | --- | --- | "
           "--- |\n");
    for (int r = 0; r < RATES; ++r) {
        print_rate(rates[r]);
        for (int time = 0; time < 2; ++time) {
            double *rms = all->rms[time][r];
            printf("| %.2f / %.2f ", 100 * motion_percentile(rms, MOTION_GRID, 0.5),
                100 * motion_percentile(rms, MOTION_GRID, 0.95));
        }
        printf("| %.2f | %.2f | %.2f ", 100 * all->calm_rms[r], 100 * all->calm_max[r], 100 * all->sphere_rms[r]);
        // At other rates few frames end on ticks, and between ticks the motions of limp chains differ.
        if (rates[r] == 60 || rates[r] == 240) {
            printf("| %.3f |\n", 100 * all->common[r]);
        } else {
            printf("| |\n");
        }
    }
    for (int time = 0; time < 2; ++time) {
        printf("\njitter at 144 Hz, 1 Hz nod, %s: median %.2f, 95 %% %.2f\n",
            time == 0 ? "default" : "one step a frame", motion_percentile(all->jitter[time], all->nods, 0.5),
            motion_percentile(all->jitter[time], all->nods, 0.95));
    }
}

// Prints features outside the grid: the largest error of 16 gentle motions for each.
static void print_extras(void)
{
    static motion_stage stage;
    printf("\n| with | default: worst RMS at 30, 72, 144 Hz, irregular | one step a frame |\n| --- | --- | --- |\n");
    for (int extra = 1; extra < MOTION_EXTRA_COUNT; ++extra) {
        double worst[2][RATES] = {{0}};
        for (uint32_t i = 0; i < 16; ++i) {
            const motion_case c = motion_with((motion_extra)extra, i);
            motion_stage_begin(&stage, &c);
            for (int r = 0; r < 2 * RATES; ++r) {
                const motion_error e = motion_run(&stage, &c, rates[r / 2], (vrm_spring_time)(r % 2));
                worst[r % 2][r / 2] = larger(worst[r % 2][r / 2], e.rms);
            }
            motion_stage_end(&stage);
        }
        printf("| %s ", motion_extra_names[extra]);
        for (int time = 0; time < 2; ++time) {
            printf("| %.2f, %.2f, %.2f, %.2f ", 100 * worst[time][0], 100 * worst[time][3], 100 * worst[time][4],
                100 * worst[time][6]);
        }
        printf("|\n");
    }
}

// Writes bars of the 95th percentile by frame rate, default time beside one step per frame, on a logarithmic scale.
static int write_figure(results *all, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return 1;
    }
    fprintf(file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 320\" font-family=\"sans-serif\" "
        "font-size=\"12\">\n"
        "<rect width=\"640\" height=\"320\" fill=\"#fff\"/>\n"
        "<text x=\"60\" y=\"20\">RMS error of the tip in %% of the chain, 95th percentile of 864 motions</text>\n");
    for (int decade = -2; decade <= 2; ++decade) {
        const double y = 160 - 56.0 * decade;
        fprintf(file,
            "<line x1=\"60\" x2=\"620\" y1=\"%.0f\" y2=\"%.0f\" stroke=\"#ddd\"/>"
            "<text x=\"52\" y=\"%.0f\" text-anchor=\"end\">%g</text>\n",
            y, y, y + 4, pow(10, decade));
    }
    for (int r = 0; r < RATES; ++r) {
        for (int time = 0; time < 2; ++time) {
            const double value = 100 * motion_percentile(all->rms[time][r], MOTION_GRID, 0.95);
            const double height = fmax(1, 56.0 * (log10(fmax(value, 1e-4)) + 2));
            fprintf(file, "<rect x=\"%d\" y=\"%.1f\" width=\"28\" height=\"%.1f\" fill=\"%s\"/>\n",
                74 + r * 78 + time * 30, 272 - height, height, time == 0 ? "#2a78b8" : "#d0884a");
        }
        fprintf(file, "<text x=\"%d\" y=\"290\" text-anchor=\"middle\">", 104 + r * 78);
        if (rates[r] != 0) {
            fprintf(file, "%d Hz</text>\n", rates[r]);
        } else {
            fprintf(file, "irregular</text>\n");
        }
    }
    fprintf(file,
        "<rect x=\"60\" y=\"300\" width=\"12\" height=\"12\" fill=\"#2a78b8\"/><text x=\"78\" y=\"311\">libvrm, "
        "default time</text>\n<rect x=\"240\" y=\"300\" width=\"12\" height=\"12\" fill=\"#d0884a\"/><text x=\"258\" "
        "y=\"311\">one step of the published algorithm a frame</text>\n</svg>\n");
    return fclose(file) != 0;
}

int main(int argc, char **argv)
{
    static results all;
    run_all(&all);
    print_table(&all);
    print_extras();
    return argc > 1 ? write_figure(&all, argv[1]) : 0;
}
