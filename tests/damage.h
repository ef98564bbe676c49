// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_DAMAGE_H
#define TESTS_DAMAGE_H

// Random damage to a .glb, and what must come of it: a report, or an avatar that runs. The suite takes a few hundred
// seeds, scripts/campaign/mutations.c ten thousand for each file.

#include <stdlib.h>
#include <vrm/vrm.h>

#include "model/cook.h"
#include "plain_instance.h"
#include "test.h"
#include "test_random.h"

enum { DAMAGE_JSON = 20 }; // where the JSON of a .glb begins

// The end of the JSON chunk; 0 when the bytes are no .glb with something in it.
static inline size_t damage_json_end(const uint8_t *bytes, size_t size)
{
    if (size < DAMAGE_JSON + 2 || memcmp(bytes, "glTF", 4) != 0) {
        return 0;
    }
    const size_t end =
        DAMAGE_JSON + ((size_t)bytes[12] | (size_t)bytes[13] << 8 | (size_t)bytes[14] << 16 | (size_t)bytes[15] << 24);
    return end <= size && end > DAMAGE_JSON + 1 ? end : 0;
}

// Any number of the JSON at or after a random place: first byte, *length 0 when there is none.
static inline size_t damage_find_number(test_random *random, const uint8_t *bytes, size_t end, size_t *length)
{
    size_t at = DAMAGE_JSON + test_random_below(random, (uint32_t)(end - DAMAGE_JSON));
    while (at < end && (bytes[at] < '0' || bytes[at] > '9')) {
        ++at;
    }
    size_t stop = at;
    while (stop < end && ((bytes[stop] >= '0' && bytes[stop] <= '9') || bytes[stop] == '.')) {
        ++stop;
    }
    *length = stop - at;
    return at;
}

// Two numbers change places; the text between them moves, and the chunk keeps its length.
static inline void damage_swap_numbers(test_random *random, uint8_t *bytes, size_t end)
{
    size_t a_length, b_length, a = damage_find_number(random, bytes, end, &a_length);
    size_t b = damage_find_number(random, bytes, end, &b_length);
    if (a > b) {
        const size_t at = a, length = a_length;
        a = b, a_length = b_length;
        b = at, b_length = length;
    }
    uint8_t first[32], second[32];
    if (a_length == 0 || b_length == 0 || a + a_length > b || a_length > sizeof first || b_length > sizeof second) {
        return;
    }
    memcpy(first, bytes + a, a_length);
    memcpy(second, bytes + b, b_length);
    memmove(bytes + a + b_length, bytes + a + a_length, b - a - a_length);
    memcpy(bytes + a, second, b_length);
    memcpy(bytes + b + b_length - a_length, first, a_length);
}

// Returns the new size, <= size.
static inline size_t damage(test_random *random, uint8_t *bytes, size_t size, size_t json_end)
{
    static const char *const hostile[] = {
        "-1", "1e9", "4294967295", "1e39", "0", "9", "1e-45", "99", "0.5", "2147483648"};
    const uint32_t times = test_random_below(random, 8) + 1;
    switch (test_random_below(random, 7)) {
    case 0:
        return test_random_below(random, (uint32_t)size + 1); // cut off
    case 1:                                                   // bits anywhere
        for (uint32_t i = 0; i < times; ++i) {
            bytes[test_random_below(random, (uint32_t)size)] ^= (uint8_t)(1u << test_random_below(random, 8));
        }
        return size;
    case 2: // digits of the JSON: indices, counts and numbers change, the text stays JSON
        for (uint32_t i = 0; i < times; ++i) {
            size_t length;
            const size_t at = damage_find_number(random, bytes, json_end, &length);
            if (length != 0) {
                bytes[at] = (uint8_t)('0' + test_random_below(random, 10));
            }
        }
        return size;
    case 3: // indices and numbers change places
        for (uint32_t i = 0; i < times; ++i) {
            damage_swap_numbers(random, bytes, json_end);
        }
        return size;
    case 4: // numbers that nobody means
        for (uint32_t i = 0; i < times; ++i) {
            size_t length;
            const size_t at = damage_find_number(random, bytes, json_end, &length);
            const char *text = hostile[test_random_below(random, sizeof hostile / sizeof *hostile)];
            if (length >= strlen(text)) {
                memset(bytes + at, ' ', length);
                memcpy(bytes + at, text, strlen(text));
            }
        }
        return size;
    case 5: // values of the buffer: not finite, huge, all bits
        for (uint32_t i = 0; i < times && size > json_end + 16; ++i) {
            static const uint32_t values[] = {0x7FC00000u, 0xFF800000u, 0x7F7FFFFFu, 0xFFFFFFFFu, 1u};
            const size_t at =
                json_end + 8 + (size_t)test_random_below(random, (uint32_t)(size - json_end - 12)) / 4 * 4;
            memcpy(bytes + at, &values[test_random_below(random, 5)], at + 4 <= size ? 4 : size - at);
        }
        return size;
    default: // bytes change places
        for (uint32_t i = 0; i < 16; ++i) {
            const size_t a = DAMAGE_JSON + test_random_below(random, (uint32_t)(size - DAMAGE_JSON));
            const size_t b = DAMAGE_JSON + test_random_below(random, (uint32_t)(size - DAMAGE_JSON));
            const uint8_t swap = bytes[a];
            bytes[a] = bytes[b];
            bytes[b] = swap;
        }
        return size;
    }
}

// 60 frames in which everything that damage could have made wrong is used: every bone moves, the eyes follow a point,
// each expression has its turn.
static inline void damage_run(const vrm_avatar *avatar)
{
    vrm_instance *instance = plain_instance(avatar);
    if (instance == NULL) {
        return;
    }
    vrm_avatar_counts counts;
    vrm_avatar_get_counts(avatar, &counts);
    for (int frame = 0; frame < 60; ++frame) {
        const float swing = 0.02f * (float)(frame % 30);
        const vrm_quat rotation = {swing, 0.3f, 0.0f, 1.0f};
        const double target[3] = {0.5, 1.0 + (double)swing, 1.0};
        for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
            (void)vrm_instance_set_normalized_rotation(instance, (vrm_human_bone)bone, &rotation);
        }
        (void)vrm_instance_set_look_at_target(instance, target);
        if (counts.expressions != 0) {
            (void)vrm_instance_set_expression(
                instance, VRM_EXPRESSION_LAYER_HOST, (uint32_t)frame % counts.expressions, 0.7f);
        }
        vrm_update_dt(instance, 1.0f / 60.0f);
    }
    // What damage left of the avatar may be absurd, but it is never beyond reading.
    vrm_outputs out;
    vrm_instance_get_outputs(instance, &out);
    CHECK_INT(out.node_count, counts.nodes);
    vrm_instance_destroy(instance);
}

// What writes a file anew: it may refuse one, and what it writes loads again.
static inline void damage_rewrite(const uint8_t *bytes, size_t size, const vrm_avatar *avatar, int how)
{
    vrm_gltf *gltf = NULL, *again = NULL;
    vrm_gltf_def def;
    vrm_gltf_def_default(&def);
    def.borrow_bytes = true;
    CHECK_INT(vrm_gltf_load(&def, bytes, size, NULL, &gltf), VRM_SUCCESS);
    vrm_first_person_split *split = NULL;
    vrm_bake_def bake;
    vrm_bake_def_default(&bake);
    bake.t_pose = how == 1;
    vrm_result result;
    if (how == 2) {
        result = vrm_migrate(NULL, gltf, avatar, NULL);
    } else if (how == 3) {
        result = vrm_first_person_split_create(NULL, gltf, avatar, &split);
        result = result == VRM_SUCCESS ? vrm_first_person_split_write(split, gltf) : result;
    } else {
        result = vrm_bake(&bake, gltf, avatar, NULL);
    }
    vrm_bytes saved = {0};
    if (result == VRM_SUCCESS) {
        CHECK_INT(vrm_gltf_save(gltf, &saved), VRM_SUCCESS);
        CHECK_INT(vrm_gltf_load(NULL, saved.data, saved.size, NULL, &again), VRM_SUCCESS);
    } else { // migration: INVALID_ARGUMENT where damage has left no VRM
        CHECK(result == VRM_ERROR_UNSUPPORTED || result == VRM_ERROR_NOT_FOUND || result == VRM_ERROR_INVALID_ASSET ||
              result == VRM_ERROR_LIMIT || (how == 2 && result == VRM_ERROR_INVALID_ARGUMENT));
    }
    vrm_bytes_free(&saved);
    vrm_first_person_split_destroy(split);
    vrm_gltf_destroy(again);
    vrm_gltf_destroy(gltf);
}

// Loads, runs or finds, writes anew, peeks and inspects. Returns the load's result.
static inline vrm_result damage_survive(const uint8_t *bytes, size_t size)
{
    vrm_report *report;
    vrm_report_create(NULL, &report);
    vrm_avatar *avatar = NULL;
    vrm_avatar_def def;
    vrm_avatar_def_default(&def);
    def.allow_plain_gltf = true; // where damage hits the extension's name, the rest is still to be survived
    const vrm_result result = vrm_avatar_load(&def, bytes, size, report, &avatar);
    if (result == VRM_SUCCESS) {
        damage_run(avatar);
        for (int how = 0; how < 4; ++how) {
            damage_rewrite(bytes, size, avatar, how);
        }
    } else {
        CHECK(vrm_report_count_severity(report, VRM_SEVERITY_ERROR) != 0);
        CHECK(avatar == NULL);
    }
    vrm_avatar_release(avatar);
    vrm_peek *peek = NULL;
    (void)vrm_peek_create(NULL, bytes, size, NULL, &peek);
    vrm_peek_destroy(peek);
    vrm_report_destroy(report);
    return result;
}

// Changes 32-bit words of a cooked avatar's model and makes its checksum right: refused, or an avatar that runs.
static inline vrm_result damage_cooked(uint64_t seed, uint8_t *bytes, size_t size, const vrm_allocator *allocator)
{
    static const uint32_t hostile[] = {
        0, 1, 0xFFFFFFFFu, 0x7FFFFFFFu, 0x80000000u, 0x7F800000u, 0x7FC00000u, 0xFF7FFFFFu};
    test_random random = test_random_make(seed);
    const size_t head = sizeof(vrmi_cooked_head);
    // Spans and head's numbers stand at the beginning: half of the changes go there.
    const uint32_t words = (uint32_t)((size - head) / 4), front = 400 < words ? 400 : words;
    for (uint32_t changes = 1 + test_random_below(&random, 3); changes > 0; --changes) {
        const uint32_t word = test_random_below(&random, test_random_below(&random, 2) == 0 ? front : words);
        uint32_t value;
        memcpy(&value, bytes + head + 4 * (size_t)word, 4);
        switch (test_random_below(&random, 3)) {
        case 0:
            value = hostile[test_random_below(&random, sizeof(hostile) / sizeof(hostile[0]))];
            break;
        case 1:
            value += test_random_below(&random, 64) - 32;
            break;
        default:
            value ^= 1u << test_random_below(&random, 32);
            break;
        }
        memcpy(bytes + head + 4 * (size_t)word, &value, 4);
    }
    vrmi_cooked_head front_matter;
    memcpy(&front_matter, bytes, head);
    front_matter.checksum = vrmi_cooked_checksum(bytes + head, size - head);
    memcpy(bytes, &front_matter, head);
    vrm_avatar *avatar = NULL;
    const vrm_result result = vrm_avatar_open(bytes, size, allocator, &avatar);
    if (result == VRM_SUCCESS) {
        damage_run(avatar);
        vrm_meta meta;
        vrm_avatar_get_meta(avatar, &meta);
        for (uint32_t i = 0; i < meta.author_count; ++i) {
            CHECK(meta.authors[i].length == 0 || meta.authors[i].data[meta.authors[i].length] == 0);
        }
    }
    vrm_avatar_release(avatar);
    return result;
}

#endif
