// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Many falls in the light solver: campaign_ragdoll_falls [COUNT [MODEL...]]. The sample and the models fall, limp and
// driven, small and tall, with and without impulses. Prints a row in Markdown for each kind. ragdoll_fall.h defines a
// fall.

#include "compare.h"
#include "minimal_sample.h"
#include "ragdoll_fall.h"

#include <vrm/vrm.h>

#include <stdio.h>
#include <stdlib.h>

static void run(const char *name, const vrm_ragdoll_def *def, fall_case kind, uint32_t count)
{
    uint32_t early = 0, asleep = 0, broken = 0, deep = 0;
    float *limits = malloc(count * sizeof(float));
    fall worst = {0};
    for (uint32_t i = 0; limits != NULL && i < count; ++i) {
        kind.seed = i + 1;
        kind.blow = (fall_blow)(i % 3);
        const fall f = let_fall(def, &kind);
        early += f.slept >= 0 && f.slept <= 5 ? 1 : 0;
        asleep += f.slept >= 0 ? 1 : 0;
        broken += f.status != 0 ? 1 : 0;
        deep += f.penetration > 0.005f ? 1 : 0;
        limits[i] = f.limit;
        worst.peak = fmaxf(worst.peak, f.peak);
        worst.penetration = fmaxf(worst.penetration, f.penetration);
        worst.kinetic = fmaxf(worst.kinetic, f.kinetic);
        worst.rise = fmaxf(worst.rise, f.rise);
    }
    if (limits == NULL) {
        return;
    }
    qsort(limits, count, sizeof(float), compare_floats);
    const double degrees = 57.29578;
    printf("| %s | %.2f | %.0f | %.0f | %.1f %% | %.1f %% | %.0f | %.2f (%u) | %.1g | %.2f %% | %.2f, %.1f | %u |\n",
        name, (double)(def->height * kind.scale), (double)kind.hertz, (double)kind.frequency, 100.0 * early / count,
        100.0 * asleep / count, (double)worst.peak * 1000, (double)worst.penetration * 1000, deep,
        (double)worst.kinetic, (double)worst.rise * 100, (double)limits[count / 2] * degrees,
        (double)limits[count - 1] * degrees, broken);
    fflush(stdout);
    free(limits);
}

static bool build(const char *path, vrm_ragdoll_def *out)
{
    vrm_bytes bytes = {0};
    vrm_gltf *gltf = NULL;
    vrm_avatar *avatar = NULL;
    bool good = false;
    if (path == NULL ? scene_minimal_sample(0, &bytes) == VRM_SUCCESS &&
                           vrm_gltf_load(NULL, bytes.data, bytes.size, NULL, &gltf) == VRM_SUCCESS
                     : vrm_gltf_load_file(NULL, path, NULL, &gltf) == VRM_SUCCESS) {
        good = vrm_avatar_import(NULL, gltf, NULL, &avatar) == VRM_SUCCESS &&
               vrm_ragdoll_def_build(avatar, gltf, NULL, NULL, out) == VRM_SUCCESS;
    }
    vrm_avatar_release(avatar);
    vrm_gltf_destroy(gltf);
    vrm_bytes_free(&bytes);
    return good;
}

int main(int argc, char **argv)
{
    static const fall_case kinds[] = {{.hertz = 120, .scale = 1}, {.hertz = 60, .scale = 1}, {.hertz = 240, .scale = 1},
        {.hertz = 120, .scale = 1, .frequency = 2}, {.hertz = 120, .scale = 1, .frequency = 4},
        {.hertz = 120, .scale = 1, .frequency = 20}, {.hertz = 120, .scale = 0.2f}, {.hertz = 120, .scale = 1.9f}};
    const uint32_t count = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000;
    if (count == 0) {
        return 2;
    }
    printf("| avatar | height m | steps/s | drive Hz | asleep in 5 s | in 10 s | peak mm | end mm (above 5) | end J | "
           "energy | "
           "limits median, max deg | broken |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- "
           "|\n");
    for (int i = 1; i < (argc > 2 ? argc : 2); ++i) {
        vrm_ragdoll_def def = {.struct_size = sizeof def};
        const char *path = i == 1 ? NULL : argv[i];
        if (!build(path, &def)) {
            printf("| %s | no humanoid |\n", path != NULL ? path : "the sample");
            continue;
        }
        const char *name = path == NULL ? "the sample" : strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
        for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); ++k) {
            run(name, &def, kinds[k], count);
        }
    }
    return 0;
}
