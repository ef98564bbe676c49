// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "base/checks.h"
#include "import/upgrade/upgrade.h"

// In the order of vrm_first_person.
static const char *const types[] = {"auto", "both", "thirdPersonOnly", "firstPersonOnly"};

// The keys of 1.0, of the draft's prose and of its schema.
static const char *const draft_keys[] = {"type", "firstPersonFlag", "firstPersonType", NULL};
static const vrmi_word draft_types[] = {
    {"auto", VRM_FIRST_PERSON_AUTO},
    {"both", VRM_FIRST_PERSON_BOTH},
    {"thirdPersonOnly", VRM_FIRST_PERSON_THIRD_PERSON_ONLY},
    {"firstPersonOnly", VRM_FIRST_PERSON_FIRST_PERSON_ONLY},
};

static void read_annotation(vrmi_import *import, uint32_t annotation, bool *annotated)
{
    vrmi_reader *reader = &import->reader;
    uint32_t node = 0, type = VRM_FIRST_PERSON_AUTO;
    const bool has_node = vrmi_import_node_index(import, annotation, "node", VRMI_REQUIRED, &node);
    if (vrmi_import_is_draft(import)) {
        const char *key = vrmi_first_key(import->json, annotation, draft_keys);
        if (key != NULL) {
            (void)vrmi_read_word(reader, annotation, key, draft_types, VRMI_COUNT_OF(draft_types), &type);
        }
    } else if (vrmi_json_member(import->json, annotation, "type") != VRMI_JSON_NONE) {
        (void)vrmi_read_enum(reader, annotation, "type", VRMI_REQUIRED, types, VRMI_COUNT_OF(types), &type);
    } else { // "firstPersonFlag" is the name before 1.0; the prose of 1.0 still uses it
        (void)vrmi_read_enum(reader, annotation, "firstPersonFlag", VRMI_OPTIONAL, types, VRMI_COUNT_OF(types), &type);
        vrmi_reader_report(reader, VRM_FINDING_VRM1_FIRST_PERSON_DEFAULT, annotation, "type", NULL, NULL);
    }
    if (!has_node) {
        return;
    }
    const int32_t mesh = VRMI_ROWS(import, node_mesh, int32_t)[node];
    if (mesh < 0) {
        vrmi_reader_report(reader, VRM_FINDING_VRM1_FIRST_PERSON_NODE_WITHOUT_MESH, annotation, "node", NULL, NULL);
    } else if (annotated[mesh]) {
        vrmi_reader_report(reader, VRM_FINDING_VRM1_FIRST_PERSON_DUPLICATE, annotation, "node", NULL, NULL);
    } else {
        annotated[mesh] = true;
        VRMI_ROWS(import, mesh, vrmi_mesh_row)[mesh].first_person = (vrm_first_person)type;
    }
}

void vrmi_import_first_person(vrmi_import *import)
{
    const vrmi_json *json = import->json;
    const uint32_t first_person = vrmi_read_object(&import->reader, import->vrm, "firstPerson", VRMI_OPTIONAL);
    const uint32_t array = vrmi_read_array(&import->reader, first_person, "meshAnnotations", VRMI_OPTIONAL);
    bool *annotated = vrmi_import_scratch(import, import->model.mesh.count, sizeof *annotated);
    if (array == VRMI_JSON_NONE || annotated == NULL) {
        return;
    }
    if (vrmi_json_count(json, array) == 0) {
        vrmi_reader_report(&import->reader, VRM_FINDING_VRM1_EMPTY_ARRAY, array, NULL, NULL, NULL);
    }
    for (uint32_t item = vrmi_json_first(json, array); item != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         item = vrmi_json_next(json, item)) {
        if (vrmi_json_is(json, item, VRMI_JSON_OBJECT)) {
            read_annotation(import, item, annotated);
        } else {
            vrmi_reader_report_value(&import->reader, VRM_FINDING_TYPE_MISMATCH, item, "an object");
        }
    }
}
