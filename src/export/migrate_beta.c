// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Converts 1.0-beta to 1.0. Only the few places in which they differ are rewritten.

#include <string.h>

#include "base/checks.h"
#include "export/migrate.h"

#define DEGREES_PER_RADIAN (180.0 / 3.14159265358979323846)
#define LICENSE_URL "\"https://vrm.dev/licenses/1.0/\""

static void write_version(vrmi_migration *m, uint32_t object)
{
    char path[512];
    const uint32_t version = vrmi_json_member(m->json, object, "specVersion");
    if (vrmi_json_is(m->json, object, VRMI_JSON_OBJECT) && !vrmi_json_string_equal(m->json, version, "1.0")) {
        vrmi_write_json(&m->out, "\"1.0\"", 5, "%s/specVersion", vrmi_json_path(m->json, object, path, sizeof path));
    }
}

static void write_versions(vrmi_migration *m)
{
    write_version(m, m->vrm);
    for (uint32_t i = 0; i < m->gltf->counts[VRM_GLTF_MATERIALS]; ++i) {
        const uint32_t material = vrmi_gltf_element(m->gltf, VRM_GLTF_MATERIALS, i);
        write_version(m, vrmi_gltf_extension(m->gltf, material, "VRMC_materials_mtoon"));
    }
}

static void write_meta(vrmi_migration *m)
{
    const uint32_t meta = vrmi_json_member(m->json, m->vrm, "meta");
    if (vrmi_json_is(m->json, meta, VRMI_JSON_OBJECT) &&
        vrmi_json_member(m->json, meta, "licenseUrl") == VRMI_JSON_NONE) {
        vrmi_write_json(&m->out, LICENSE_URL, strlen(LICENSE_URL), "/extensions/VRMC_vrm/meta/licenseUrl");
    }
}

// Renames thumb bones. Before 2022 they were named like the bones of other fingers.
static void write_thumbs(vrmi_migration *m)
{
    static const char *const sides[] = {"left", "right"};
    const uint32_t bones = vrmi_json_at(m->json, "/extensions/VRMC_vrm/humanoid/humanBones");
    for (size_t i = 0; i < VRMI_COUNT_OF(sides); ++i) {
        char name[48];
        vrmi_format(name, sizeof name, "%sThumbIntermediate", sides[i]);
        const uint32_t middle = vrmi_json_member(m->json, bones, name);
        vrmi_format(name, sizeof name, "%sThumbMetacarpal", sides[i]);
        const uint32_t metacarpal = vrmi_json_member(m->json, bones, name);
        vrmi_format(name, sizeof name, "%sThumbProximal", sides[i]);
        const uint32_t proximal = vrmi_json_member(m->json, bones, name);
        if (middle == VRMI_JSON_NONE || metacarpal != VRMI_JSON_NONE) {
            continue;
        }
        const vrm_string first = vrmi_json_text(m->json, proximal), second = vrmi_json_text(m->json, middle);
        if (proximal != VRMI_JSON_NONE) {
            vrmi_write_json(&m->out, first.data, first.length,
                "/extensions/VRMC_vrm/humanoid/humanBones/%sThumbMetacarpal", sides[i]);
        }
        vrmi_write_json(
            &m->out, second.data, second.length, "/extensions/VRMC_vrm/humanoid/humanBones/%sThumbProximal", sides[i]);
        vrmi_write_removal(&m->out, "/extensions/VRMC_vrm/humanoid/humanBones/%sThumbIntermediate", sides[i]);
    }
}

// Writes look-at outputs in degrees if they were read as radians.
static void write_look_at(vrmi_migration *m)
{
    static const char *const keys[VRM_LOOK_DIRECTION_COUNT] = {
        "rangeMapHorizontalInner", "rangeMapHorizontalOuter", "rangeMapVerticalDown", "rangeMapVerticalUp"};
    const vrmi_look_at_row *look_at = &m->model->head.look_at;
    const float scales[VRM_LOOK_DIRECTION_COUNT] = {look_at->horizontal_inner.output_scale,
        look_at->horizontal_outer.output_scale, look_at->vertical_down.output_scale, look_at->vertical_up.output_scale};
    const uint32_t object = vrmi_json_member(m->json, m->vrm, "lookAt");
    for (int i = 0; i < VRM_LOOK_DIRECTION_COUNT && look_at->type == VRM_LOOK_AT_BONE; ++i) {
        double said = 0.0;
        const uint32_t map = vrmi_json_member(m->json, object, keys[i]);
        if (vrmi_json_number(m->json, vrmi_json_member(m->json, map, "outputScale"), &said) &&
            (float)said == scales[i]) {
            vrmi_text text;
            vrmi_text_init(&text, &m->out.allocator);
            vrmi_text_add_digits(&text, said * DEGREES_PER_RADIAN, 7);
            vrmi_write_text(&m->out, &text, "/extensions/VRMC_vrm/lookAt/%s/outputScale", keys[i]);
        }
    }
}

static void write_first_person(vrmi_migration *m)
{
    const uint32_t array = vrmi_json_at(m->json, "/extensions/VRMC_vrm/firstPerson/meshAnnotations");
    uint32_t index = 0;
    for (uint32_t item = vrmi_json_first(m->json, array); item != VRMI_JSON_NONE;
         item = vrmi_json_next(m->json, item), ++index) {
        const uint32_t flag = vrmi_json_member(m->json, item, "firstPersonFlag");
        if (flag != VRMI_JSON_NONE && vrmi_json_member(m->json, item, "type") == VRMI_JSON_NONE) {
            const vrm_string said = vrmi_json_text(m->json, flag);
            vrmi_write_json(
                &m->out, said.data, said.length, "/extensions/VRMC_vrm/firstPerson/meshAnnotations/%u/type", index);
            vrmi_write_removal(&m->out, "/extensions/VRMC_vrm/firstPerson/meshAnnotations/%u/firstPersonFlag", index);
        }
    }
}

// Adds a missing "capsule" key, which an early example omits, and updates versions.
void vrmi_migrate_spring_words(vrmi_migration *m)
{
    const uint32_t springs = vrmi_json_at(m->json, "/extensions/VRMC_springBone");
    const uint32_t array = vrmi_json_member(m->json, springs, "colliders");
    uint32_t index = 0;
    write_version(m, springs);
    for (uint32_t item = vrmi_json_first(m->json, array); item != VRMI_JSON_NONE;
         item = vrmi_json_next(m->json, item), ++index) {
        const uint32_t shape = vrmi_json_member(m->json, item, "shape");
        if (vrmi_json_member(m->json, shape, "tail") != VRMI_JSON_NONE &&
            vrmi_json_member(m->json, shape, "sphere") == VRMI_JSON_NONE &&
            vrmi_json_member(m->json, shape, "capsule") == VRMI_JSON_NONE) {
            const vrm_string said = vrmi_json_text(m->json, shape);
            vrmi_write_removal(&m->out, "/extensions/VRMC_springBone/colliders/%u/shape", index);
            vrmi_write_json(
                &m->out, said.data, said.length, "/extensions/VRMC_springBone/colliders/%u/shape/capsule", index);
        }
        write_version(m, vrmi_gltf_extension(m->gltf, item, "VRMC_springBone_extended_collider"));
    }
}

void vrmi_migrate_beta(vrmi_migration *m)
{
    write_versions(m);
    write_meta(m);
    write_thumbs(m);
    write_look_at(m);
    write_first_person(m);
    vrmi_migrate_spring_words(m);
    vrmi_migrate_constraints(m);
}
