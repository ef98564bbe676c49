// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// A limb of two bones: the positions of its end and its middle, computed by plain geometry.

#include <vrm/clip.h>

#include "math/quat.h"
#include "test.h"
#include "test_random.h"

#include <math.h>

static vrm_vec3 any(test_random *random, float size)
{
    return vrmi_vec3(test_random_float(random, -size, size), test_random_float(random, -size, size),
        test_random_float(random, -size, size));
}

// Returns a bent limb with bones of 0.25 to 0.35 m and a target within reach.
static vrm_two_bone_limb limb_of(test_random *random)
{
    vrm_two_bone_limb limb = {.root = any(random, 1.0f), .weight = 1.0f};
    limb.middle = vrmi_vec3_add(limb.root, vrmi_vec3_add(vrmi_vec3(0.3f, 0, 0), any(random, 0.03f)));
    limb.end = vrmi_vec3_add(limb.middle, vrmi_vec3_add(vrmi_vec3(0.28f, 0.1f, 0), any(random, 0.03f)));
    const vrm_vec3 way = vrmi_vec3_normalize_or(any(random, 1.0f), vrmi_vec3(0, 1, 0));
    limb.target = vrmi_vec3_add(limb.root, vrmi_vec3_scale(way, test_random_float(random, 0.2f, 0.5f)));
    limb.pole = vrmi_vec3_add(limb.root, any(random, 1.0f));
    return limb;
}

// Computes both joints after the rotations. The upper rotation moves the whole limb, the lower one only the end.
static void place(const vrm_two_bone_limb *limb, vrm_vec3 *out_middle, vrm_vec3 *out_end)
{
    vrm_quat upper, lower;
    vrm_two_bone_ik(limb, &upper, &lower);
    const vrm_vec3 a = vrmi_vec3_sub(limb->middle, limb->root), b = vrmi_vec3_sub(limb->end, limb->middle);
    *out_middle = vrmi_vec3_add(limb->root, vrmi_quat_rotate(upper, a));
    *out_end = vrmi_vec3_add(*out_middle, vrmi_quat_rotate(lower, b));
}

static void the_end_meets_the_target_and_the_middle_the_pole(void)
{
    test_random random = test_random_make(4);
    for (int i = 0; i < 300; ++i) {
        const vrm_two_bone_limb limb = limb_of(&random);
        vrm_vec3 middle, end;
        place(&limb, &middle, &end);
        CHECK_NEAR(vrmi_vec3_length(vrmi_vec3_sub(end, limb.target)), 0, 2e-4);
        // The middle is in the plane of root, target and pole, on the pole's side.
        const vrm_vec3 way = vrmi_vec3_sub(limb.target, limb.root), pole = vrmi_vec3_sub(limb.pole, limb.root);
        const vrm_vec3 normal = vrmi_vec3_cross(way, pole), bent = vrmi_vec3_sub(middle, limb.root);
        const float size = vrmi_vec3_length(normal);
        if (size > 0.02f) {
            CHECK_NEAR(vrmi_vec3_dot(bent, normal) / size, 0, 2e-3);
            CHECK(vrmi_vec3_dot(vrmi_vec3_cross(way, bent), normal) > 0.0f);
        }
    }
}

// In the soft last part of its length, a limb approaches the full length exponentially and never exceeds it.
static void a_soft_limb_never_stretches(void)
{
    const float softs[3] = {0.0f, 0.1f, 0.3f};
    vrm_two_bone_limb limb = {.middle = {0.3f, 0, 0}, .end = {0.55f, 0.05f, 0}, .pole = {0.3f, -1, 0}, .weight = 1.0f};
    const float length = 0.3f + sqrtf(0.25f * 0.25f + 0.05f * 0.05f);
    for (int k = 0; k < 3; ++k) {
        limb.soft = softs[k];
        for (int i = 4; i <= 20; ++i) {
            const float wanted = 0.1f * (float)i * length, margin = softs[k] * length, start = length - margin;
            const float reach = wanted <= start ? wanted
                                : margin > 0.0f ? start + margin * (1.0f - expf((start - wanted) / margin))
                                                : length;
            limb.target = (vrm_vec3){0, wanted, 0};
            vrm_vec3 middle, end;
            place(&limb, &middle, &end);
            CHECK_NEAR(vrmi_vec3_length(end), reach, 2e-4);
        }
    }
}

// With a partial weight, each rotation is reduced to that fraction of its angle.
static void the_weight_is_the_part_of_the_way(void)
{
    test_random random = test_random_make(5);
    for (int i = 0; i < 100; ++i) {
        vrm_two_bone_limb limb = limb_of(&random);
        vrm_quat whole[2], part[2];
        vrm_two_bone_ik(&limb, &whole[0], &whole[1]);
        limb.weight = 0.25f * (float)(i % 5);
        vrm_two_bone_ik(&limb, &part[0], &part[1]);
        for (int k = 0; k < 2; ++k) {
            const vrm_vec3 expected = vrmi_vec3_scale(vrmi_quat_to_vector(whole[k]), limb.weight);
            CHECK_NEAR(vrmi_vec3_length(vrmi_vec3_sub(vrmi_quat_to_vector(part[k]), expected)), 0, 1e-3);
        }
    }
}

static const test_case cases[] = {
    {"the_end_meets_the_target_and_the_middle_the_pole", the_end_meets_the_target_and_the_middle_the_pole},
    {"a_soft_limb_never_stretches", a_soft_limb_never_stretches},
    {"the_weight_is_the_part_of_the_way", the_weight_is_the_part_of_the_way},
};

RUN_TESTS(cases)
