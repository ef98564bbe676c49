// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The migration of drafts of March 2021: each constraint becomes the nearest constraint of 1.0.

#include "migrate_fixture.h"

// Migrates a draft with a binary expression and with constraints on the left hand (node 7), whose source is the right
// hand (10).
static vrm_result migrate_draft(const char *constraint, bool strict, model *out, vrm_report *report)
{
    gltf_builder b = {0};
    for (int i = 0; i < BONES; ++i) {
        char children[64];
        gltf_builder_add(&b, "nodes", "{\"translation\":[%g,0.1,0]%s%s%s%s}",
            i == 7    ? 0.1
            : i == 10 ? -0.1
                      : 0.0,
            skeleton_children(children, sizeof children, parents, BONES, i),
            i == 7 ? ",\"extensions\":{\"VRMC_constraints\":" : "", i == 7 ? constraint : "", i == 7 ? "}" : "");
    }
    gltf_builder_add(&b, "scenes", "{\"nodes\":[0]}");
    char text[4096];
    char humanoid[2048];
    snprintf(text, sizeof text,
        "{\"VRMC_vrm\":{\"specVersion\":\"1.0-draft\",\"meta\":{\"name\":\"N\",\"authors\":[\"A\"],"
        "\"extras\":{\"ours\":7}},\"extras\":{\"theirs\":8},"
        "\"expressions\":[{\"preset\":\"custom\",\"name\":\"on\",\"isBinary\":%s}],\"humanoid\":{\"humanBones\":{%s}}}"
        "}",
        strict ? "false" : "true", skeleton_human_bones(humanoid, sizeof humanoid, bones, BONES, 0));
    gltf_builder_member(&b, "extensions", text);
    gltf_builder_member(&b, "extensionsUsed", "[\"VRMC_vrm\",\"VRMC_constraints\"]");
    size_t size = 0;
    uint8_t *bytes = gltf_builder_glb(&b, &size);
    gltf_builder_free(&b);
    vrm_gltf *gltf = NULL;
    vrm_avatar *avatar = NULL;
    vrm_migrate_params def;
    vrm_migrate_params_default(&def);
    def.strict = strict;
    memset(out, 0, sizeof *out);
    CHECK_INT(vrm_gltf_load(NULL, bytes, size, NULL, &gltf), VRM_SUCCESS);
    CHECK_INT(vrm_avatar_import(NULL, gltf, NULL, &avatar), VRM_SUCCESS);
    vrm_report_clear(report);
    const vrm_result result = vrm_migrate(&def, gltf, avatar, report);
    if (result == VRM_SUCCESS) {
        CHECK_INT(vrm_gltf_save(gltf, &out->bytes), VRM_SUCCESS);
        open_model(out);
    }
    vrm_avatar_release(avatar);
    vrm_gltf_destroy(gltf);
    free(bytes);
    return result;
}

static void constraints_become_the_nearest(void)
{
    static const struct {
        const char *draft, *final; // final: NULL if no constraint remains
        vrm_finding_id finding;    // COUNT: exact
    } rows[] = {
        {"{\"rotation\":{\"source\":10,\"sourceSpace\":\"local\",\"destinationSpace\":\"local\",\"weight\":0.5}}",
            "{\"rotation\":{\"source\":10,\"weight\":0.5}}", VRM_FINDING_COUNT},
        // No node is rotated at rest, so the model's axes and the nodes' own are the same.
        {"{\"rotation\":{\"source\":10}}", "{\"rotation\":{\"source\":10,\"weight\":1}}", VRM_FINDING_COUNT},
        {"{\"rotation\":{\"source\":10,\"freezeAxes\":[true,false,false]}}",
            "{\"roll\":{\"rollAxis\":\"X\",\"source\":10,\"weight\":1}}", VRM_FINDING_MIGRATE_CONSTRAINT},
        {"{\"aim\":{\"source\":10,\"aimVector\":[-1,0.1,0],\"upVector\":[0,1,0]}}",
            "{\"aim\":{\"aimAxis\":\"NegativeX\",\"source\":10,\"weight\":1}}", VRM_FINDING_MIGRATE_CONSTRAINT},
        {"{\"position\":{\"source\":10}}", NULL, VRM_FINDING_MIGRATE_CONSTRAINT_DROPPED},
        {"{\"position\":{\"source\":10},\"rotation\":{\"source\":10}}", "{\"rotation\":{\"source\":10,\"weight\":1}}",
            VRM_FINDING_MIGRATE_CONSTRAINT_DROPPED},
    };
    vrm_report *report = NULL;
    vrm_report_create(NULL, &report);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        model m;
        CHECK_INT(migrate_draft(rows[i].draft, false, &m, report), VRM_SUCCESS);
        check_json(&m, "/nodes/7/extensions/VRMC_node_constraint/constraint",
            rows[i].final != NULL ? rows[i].final : "(nothing)");
        check_json(&m, "/nodes/7/extensions/VRMC_constraints", "(nothing)");
        if (rows[i].final == NULL) {
            check_json(&m, "/nodes/7/extensions", "(nothing)");
        }
        check_json(&m, "/extensionsUsed",
            rows[i].final != NULL ? "[\"VRMC_vrm\",\"VRMC_node_constraint\"]" : "[\"VRMC_vrm\"]");
        check_json(&m, "/extensions/VRMC_vrm/extras", "{\"theirs\":8}");
        check_json(&m, "/extensions/VRMC_vrm/meta/extras/ours", "7");
        CHECK(find_finding(report, VRM_FINDING_MIGRATE_BINARY_THRESHOLD, "/extensions/VRMC_vrm/expressions") != NULL);
        const vrm_finding *told =
            rows[i].finding != VRM_FINDING_COUNT ? find_finding(report, rows[i].finding, NULL) : NULL;
        CHECK((told != NULL) == (rows[i].finding != VRM_FINDING_COUNT));
        CHECK(
            rows[i].finding != VRM_FINDING_COUNT || find_finding(report, VRM_FINDING_MIGRATE_CONSTRAINT, NULL) == NULL);
        close_model(&m);
        CHECK_INT(migrate_draft(rows[i].draft, true, &m, report), told == NULL ? VRM_SUCCESS : VRM_ERROR_UNSUPPORTED);
        close_model(&m);
    }
    vrm_report_destroy(report);
}

static const test_case cases[] = {
    {"constraints_become_the_nearest", constraints_become_the_nearest},
};

RUN_TESTS(cases)
