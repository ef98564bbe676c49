// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Prints the meter's figures as text.

#include <stdio.h>

#include "motion_meter.h"

#define DEGREES "degrees"
#define MILLIMETRES "mm"
#define SECONDS "s"

static const struct {
    const char *word, *unit, *sentence;
} rows[SCENE_FIGURE_COUNT] = {
#define SCENE_FIGURE_ROW(name, word, unit, sentence) {word, unit, sentence},
    SCENE_FIGURES(SCENE_FIGURE_ROW)
#undef SCENE_FIGURE_ROW
};

static const scene_figure usual[] = {SCENE_FIGURE_CUT_TURN, SCENE_FIGURE_CUT_WAY, SCENE_FIGURE_OFF_TURN,
    SCENE_FIGURE_OFF_WAY, SCENE_FIGURE_BEYOND_TURN, SCENE_FIGURE_LIMIT, SCENE_FIGURE_LOWEST, SCENE_FIGURE_LOWEST_HAIR,
    SCENE_FIGURE_SLIDE, SCENE_FIGURE_UNSUPPORTED, SCENE_FIGURE_HEAD_WAY, SCENE_FIGURE_CHEST_TURN,
    SCENE_FIGURE_HEAD_SWING, SCENE_FIGURE_HEAD_OVER, SCENE_FIGURE_ARM_SWING, SCENE_FIGURE_QUIET, SCENE_FIGURE_COUNT};

static const char *word_at(scene_figure figure, int what)
{
    if ((unsigned)figure >= SCENE_FIGURE_COUNT) {
        return "";
    }
    return what == 0 ? rows[figure].word : (what == 1 ? rows[figure].unit : rows[figure].sentence);
}

const char *scene_figure_word(scene_figure figure)
{
    return word_at(figure, 0);
}

const char *scene_figure_unit(scene_figure figure)
{
    return word_at(figure, 1);
}

const char *scene_figure_sentence(scene_figure figure)
{
    return word_at(figure, 2);
}

void scene_meter_print_head(const scene_figure *figures)
{
    const scene_figure *list = figures != NULL ? figures : usual;
    printf("| scene |");
    for (int i = 0; list[i] != SCENE_FIGURE_COUNT; ++i) {
        printf(" %s, %s |", rows[list[i]].word, rows[list[i]].unit);
    }
    printf("\n| --- |");
    for (int i = 0; list[i] != SCENE_FIGURE_COUNT; ++i) {
        printf(" --- |");
    }
    printf("\n");
}

static void print_value(scene_figure figure, double value)
{
    const bool seconds = rows[figure].unit[0] == 's';
    printf("%.*f", seconds ? 2 : (value < 99.95 && value > -99.95 ? 1 : 0), value);
}

void scene_meter_print_row(const char *name, const scene_meter_report *report, const scene_figure *figures)
{
    const scene_figure *list = figures != NULL ? figures : usual;
    printf("| %s |", name);
    for (int i = 0; list[i] != SCENE_FIGURE_COUNT; ++i) {
        printf(" ");
        if (report->figures[list[i]].known) {
            print_value(list[i], report->figures[list[i]].value);
        }
        printf(" |");
    }
    printf("\n");
    fflush(stdout);
}

void scene_meter_print(const scene_meter_report *report, double rate)
{
    for (int i = 0; i < SCENE_FIGURE_COUNT; ++i) {
        const scene_reading *r = &report->figures[i];
        if (!r->known) {
            continue;
        }
        printf("%-12s", rows[i].word);
        print_value((scene_figure)i, r->value);
        printf(" %s", rows[i].unit);
        if (r->bone >= 0) {
            printf(", %s", vrm_human_bone_name((vrm_human_bone)r->bone));
        }
        printf(", at %.3f s: %s\n", (double)r->frame / rate, rows[i].sentence);
    }
}
