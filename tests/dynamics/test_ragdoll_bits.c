// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// What a pushed figure does is the same with every compiler, at every optimisation level and in every vector path. The
// hashes are of all shown matrices and roots. When the motion changes, state the reason and renew them:
//
//     build/release/test_ragdoll_bits | sed -n 's/.* is \(0x.*\), was \(0x.*\)/s,\2,\1,/p' |
//         sed -i -f - tests/dynamics/test_ragdoll_bits.c

#include "ragdoll_story.h"

typedef struct scenario {
    uint32_t figure;
    const char *motion;
    int push_at, frames;
    float speed, angle; // of the push, N s/kg and radians
    uint32_t balances;  // what must occur, so that the hash is of what its case says
    uint32_t phases;
    uint64_t known;
} scenario;

static void play(const scenario *t)
{
    figure f = figure_number(t->figure);
    story s;
    story_begin(&s, &f, t->motion, (vrm_allocator){0});
    uint64_t hash = HASH_OF_NOTHING;
    while (s.frame < t->frames) {
        if (s.frame == t->push_at) {
            story_push(&s, t->speed, t->angle);
        }
        story_frame(&s);
        vrm_outputs outputs = {.struct_size = sizeof outputs};
        vrm_instance_get_outputs(s.instance, &outputs);
        hash = hash_more(hash, &outputs.origin, sizeof outputs.origin);
        hash = hash_more(hash, outputs.world, outputs.node_count * sizeof *outputs.world);
    }
    CHECK_INT(s.balances & t->balances, t->balances);
    CHECK_INT(s.phases & t->phases, t->phases);
    CHECK_INT(story_phase(&s), VRM_RAGDOLL_PHASE_OFF); // the story is over
    if (hash != t->known) {
        printf("the hash is 0x%016llx, was 0x%016llx\n", (unsigned long long)hash, (unsigned long long)t->known);
    }
    CHECK(hash == t->known);
    story_end(&s);
    figure_free(&f);
}

static void recovery_steps(void)
{
    const scenario t = {.figure = 0,
        .motion = "idle",
        .push_at = 30,
        .frames = 300,
        .speed = 1.1f,
        .angle = 0.7f,
        .balances = 1u << VRM_RAGDOLL_BALANCE_STEPS | 1u << VRM_RAGDOLL_BALANCE_STANDS,
        .phases = 1u << VRM_RAGDOLL_PHASE_BLENDING,
        .known = UINT64_C(0x3b70f55b3b3e119b)};
    play(&t);
}

static void a_stagger_in_a_walk(void)
{
    const scenario t = {.figure = 1,
        .motion = "walk-ahead",
        .push_at = 100,
        .frames = 500,
        .speed = 0.4f,
        .angle = 1.5f,
        .balances = 1u << VRM_RAGDOLL_BALANCE_STAGGERS,
        .known = UINT64_C(0x44fda40be288efb2)};
    play(&t);
}

// The figure gives up, falls with a protective motion, lies and gets up.
static void a_protective_fall(void)
{
    const scenario t = {.figure = 3,
        .motion = "idle",
        .push_at = 30,
        .frames = 660,
        .speed = 3.0f,
        .angle = 2.5f,
        .balances = 1u << VRM_RAGDOLL_BALANCE_GAVE_UP,
        .phases = 1u << VRM_RAGDOLL_PHASE_LIMP | 1u << VRM_RAGDOLL_PHASE_LYING | 1u << VRM_RAGDOLL_PHASE_RECOVERING,
        .known = UINT64_C(0x2171e0bd1e6c4a09)};
    play(&t);
}

static const test_case cases[] = {
    {"recovery_steps", recovery_steps},
    {"a_stagger_in_a_walk", a_stagger_in_a_walk},
    {"a_protective_fall", a_protective_fall},
};

RUN_TESTS(cases)
