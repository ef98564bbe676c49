// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
// Hair in a moving world: wind, a wall of the host's, a lift, changes of scene, and fewer updates when the figure is
// small on the screen.
//
//     cc hair_in_the_world.c $(pkg-config --cflags --libs vrm) -o hair_in_the_world
//     ./hair_in_the_world avatar.vrm
//
// After each event, prints the distance of the hair from its rest position.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vrm/vrm.h>

typedef struct hair {
    uint32_t count;
    vrm_dvec3 *rest, *now; // tails relative to the root
} hair;

static bool read_tails(const vrm_instance *instance, vrm_dvec3 *out, uint32_t count)
{
    vrm_root root;
    vrm_instance_get_root(instance, &root);
    const bool good = vrm_instance_get_spring_tails(instance, out, NULL, count) == VRM_SUCCESS;
    for (uint32_t i = 0; good && i < count; ++i) {
        out[i].x -= root.translation.x;
        out[i].y -= root.translation.y;
        out[i].z -= root.translation.z;
    }
    return good;
}

static void report(const vrm_instance *instance, const hair *h, const char *event)
{
    double farthest = 0.0;
    read_tails(instance, h->now, h->count);
    for (uint32_t i = 0; i < h->count; ++i) {
        const double x = h->now[i].x - h->rest[i].x, y = h->now[i].y - h->rest[i].y, z = h->now[i].z - h->rest[i].z;
        farthest = fmax(farthest, sqrt(x * x + y * y + z * z));
    }
    printf("%-32s hair is moved by %5.1f cm\n", event, 100.0 * farthest);
}

static void run(vrm_instance *instance, uint32_t frames)
{
    for (uint32_t i = 0; i < frames; ++i) {
        vrm_update_dt(instance, 1.0f / 60.0f);
    }
}

static void set_wind(vrm_instance *instance, float strength)
{
    vrm_spring_params springs = {.struct_size = sizeof springs};
    vrm_instance_get_spring_params(instance, &springs);
    springs.external = (vrm_vec3){strength, 0.0f, 0.0f};
    vrm_instance_set_spring_params(instance, &springs);
}

static void act(vrm_instance *instance, const hair *h)
{
    run(instance, 60);
    read_tails(instance, h->rest, h->count);

    set_wind(instance, 1.0f);
    run(instance, 60);
    report(instance, h, "wind from the right:");
    vrm_host_collider_def wall;
    vrm_host_collider_def_default(&wall);
    wall.shape = VRM_COLLIDER_PLANE;
    wall.offset = (vrm_dvec3){0.0, 0.0, -0.05}; // close behind the back
    wall.tail = (vrm_dvec3){0.0, 0.0, 1.0};     // its normal
    vrm_instance_set_host_collider(instance, 0, &wall);
    run(instance, 60);
    report(instance, h, "and a wall behind the back:");
    vrm_instance_set_host_collider(instance, 0, NULL);
    set_wind(instance, 0.0f);
    run(instance, 240);
    report(instance, h, "calm:");

    vrm_root root;
    vrm_instance_get_root(instance, &root);
    root.translation.x += 100.0;
    vrm_instance_teleport(instance, &root); // without this call, hair would feel a motion of 100 m in one frame
    run(instance, 1);
    report(instance, h, "teleported by 100 m:");
    set_wind(instance, 1.0f);
    run(instance, 20);
    root.translation.z -= 50.0;
    vrm_instance_warp(instance, &root); // moves through a portal: hair keeps its motion
    run(instance, 1);
    report(instance, h, "through a portal, in the wind:");
    // The tails of the last two ticks, as another machine would send them, so that this figure starts from the same
    // state.
    vrm_instance_get_spring_tails(instance, h->now, NULL, h->count);
    vrm_instance_set_spring_tails(instance, h->now, h->now, h->count);
    set_wind(instance, 0.0f);
    run(instance, 240);
    vrm_root lift = root;
    for (uint32_t i = 0; i < 60; ++i) {
        lift.translation.y += 0.05;
        root.translation.y += 0.05;
        vrm_instance_set_platform(instance, &lift); // hair moves with the lift and does not feel its speed
        vrm_instance_set_root(instance, &root);
        run(instance, 1);
    }
    report(instance, h, "in a lift at 3 m/s:");
    vrm_instance_set_platform(instance, NULL);
    vrm_instance_set_chain_weight(instance, 0, 0.0f); // the first chain follows the animation alone
    run(instance, 60);
}

// Three avatars at different distances. Avatars that are small on the screen are updated less often.
static void thin_out(vrm_instance *instance)
{
    static const float intervals[3] = {0.0f, 1.0f / 30.0f, 1.0f / 10.0f};
    const vrm_lod_view views[3] = {{0.6f, 0}, {0.1f, 0}, {0.02f, 0}};
    uint32_t order[3], steps[3];
    vrm_lod_params params;
    vrm_lod_params_default(&params);
    if (vrm_lod_pick(&params, views, 3, order, steps) == VRM_SUCCESS) {
        for (int i = 0; i < 3; ++i) {
            printf("an avatar of %2.0f %% of the screen's height: an update every %.3f s\n",
                100.0 * (double)views[i].size, (double)intervals[steps[i]]);
        }
        vrm_instance_set_update_interval(instance, intervals[steps[2]], 0.5f);
    }
    vrm_instance_set_lod(instance, VRM_LOD_SLEEP); // no updates at all while the figure stands still
    run(instance, 600);
    printf("level %s: %s\n", vrm_lod_name(vrm_instance_get_lod(instance)),
        vrm_instance_is_asleep(instance) ? "asleep" : "awake");
}

int main(int argc, char **argv)
{
    vrm_avatar *avatar;
    if (argc < 2 || vrm_avatar_load_file(NULL, argv[1], NULL, &avatar) != VRM_SUCCESS) {
        fprintf(stderr, "usage: hair_in_the_world avatar.vrm\n");
        return 1;
    }
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    vrm_instance *instance;
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    def.host_colliders = 1; // the instance reserves memory for one host collider
    hair h = {.count = counts.spring_joints};
    h.rest = calloc(h.count + 1, sizeof *h.rest);
    h.now = calloc(h.count + 1, sizeof *h.now);
    if (h.rest == NULL || h.now == NULL || vrm_instance_create(&def, &instance) != VRM_SUCCESS) {
        return 1;
    }
    act(instance, &h);
    thin_out(instance);
    const uint32_t status = vrm_instance_get_status(instance);
    if (status != 0) {
        printf("status bits: 0x%x\n", (unsigned)status);
        vrm_instance_clear_status(instance);
    }
    free(h.now);
    free(h.rest);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
    return 0;
}
