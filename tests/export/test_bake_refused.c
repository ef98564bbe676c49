// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Reports and refusals of a bake: models beyond the range of floats, without their bytes, and without memory.

#include "bake_fixture.h"

static void reported(void)
{
    model m;
    document f, baked;
    begin(&m, false, "", "");
    snprintf(m.roots, sizeof m.roots, ",15,17,19,20");
    // A node with children and an uneven scale; a node without children may have any scale.
    gltf_builder_add(&m.b, "nodes", "{\"scale\":[1,2,1],\"children\":[16]}");
    gltf_builder_add(&m.b, "nodes", "{\"translation\":[0,1,0]}");
    gltf_builder_add(&m.b, "nodes",
        "{\"scale\":[-1,2,1],\"rotation\":[0,0,0.38268343,0.92387953],\"children\":[18],"
        "\"extensions\":{\"VRMC_node_constraint\":{\"specVersion\":\"1.0\",\"constraint\":{\"aim\":{\"source\":0,"
        "\"aimAxis\":"
        "\"PositiveX\"}}}}}");
    gltf_builder_add(&m.b, "nodes",
        "{\"extensions\":{\"VRMC_node_constraint\":{\"specVersion\":\"1.0\",\"constraint\":{"
        "\"rotation\":{\"source\":1}}}}}");
    gltf_builder_add(&m.b, "nodes",
        "{\"rotation\":[0,0.70710678,0,0.70710678],\"scale\":[4,5,6],\"extensions\":{"
        "\"VRMC_node_constraint\":{\"specVersion\":\"1.0\",\"constraint\":{\"roll\":{\"source\":1,\"rollAxis\":\"X\"}}}"
        "}}");
    gltf_builder_add(&m.b, "nodes",
        "{\"rotation\":[0,0.70710678,0,0.70710678],\"extensions\":{\"VRMC_node_constraint\":{"
        "\"specVersion\":\"1.0\",\"constraint\":{\"aim\":{\"source\":1,\"aimAxis\":\"NegativeX\"}}}}}");
    finish(&m, &f);
    vrm_report *report = bake(&f, &baked);
    CHECK(has_finding(report, VRM_FINDING_BAKE_SCALE_UNEVEN, "/nodes/15/scale"));
    CHECK(has_finding(report, VRM_FINDING_BAKE_SCALE_UNEVEN, "/nodes/17/scale"));
    CHECK(has_finding(
        report, VRM_FINDING_BAKE_CONSTRAINT_AXIS, "/nodes/17/extensions/VRMC_node_constraint/constraint/aim"));
    CHECK(has_finding(
        report, VRM_FINDING_BAKE_CONSTRAINT_FRAMES, "/nodes/18/extensions/VRMC_node_constraint/constraint/rotation"));
    CHECK_INT(vrm_report_get_count(report), 4);
    CHECK_STRING(vrm_report_get_finding(report, 2)->found, "45 degrees");
    CHECK(text_is(baked.gltf, "/nodes/19/extensions/VRMC_node_constraint/constraint/roll/rollAxis", "\"Z\""));
    CHECK(text_is(baked.gltf, "/nodes/20/extensions/VRMC_node_constraint/constraint/aim/aimAxis", "\"PositiveZ\""));
    vrm_report_destroy(report);
    document_close(&baked);
    document_close(&f);
}

static void make_skinned(document *f)
{
    model m;
    begin(&m, false, "", ",\"rotation\":[0,0.70710678,0,0.70710678],\"scale\":[2,2,2]");
    snprintf(m.roots, sizeof m.roots, ",%d", BONES);
    add_skin(&m, "{\"joints\":[2,1]}", true);
    gltf_builder_add(&m.b, "nodes", "{\"mesh\":0,\"skin\":0}");
    finish(&m, f);
}

static void refused(void)
{
    document f, other;
    model m;
    make_skinned(&f);
    begin(&m, false, "", "");
    finish(&m, &other);
    CHECK_INT(vrm_bake(NULL, other.gltf, f.avatar, NULL), VRM_ERROR_INVALID_ARGUMENT);
    vrm_bake_params def;
    vrm_bake_params_default(&def);
    def.progress = document_cancel;
    CHECK_INT(vrm_bake(&def, other.gltf, other.avatar, NULL), VRM_ERROR_CANCELLED);
    def.struct_size = 0;
    CHECK_INT(vrm_bake(&def, f.gltf, f.avatar, NULL), VRM_ERROR_INVALID_ARGUMENT);
    // The document is edited after the avatar was loaded.
    CHECK_INT(vrm_gltf_set_json(f.gltf, "/nodes/-", "{}", 2), VRM_SUCCESS);
    CHECK_INT(vrm_bake(NULL, f.gltf, f.avatar, NULL), VRM_ERROR_INVALID_ARGUMENT);
    document_close(&f);
    document_close(&other);
}

// A position that overflows when the bake multiplies it.
static void beyond_floats(void)
{
    model m;
    document f;
    begin(&m, false, "", "");
    snprintf(m.roots, sizeof m.roots, ",%d", BONES);
    const float positions[3] = {3e38f, 0, 0};
    gltf_builder_accessor(&m.b, positions, 12, 5126, 1, "VEC3", ",\"min\":[3e38,0,0],\"max\":[3e38,0,0]");
    gltf_builder_add(&m.b, "meshes", "{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":0}]}");
    gltf_builder_add(&m.b, "nodes", "{\"mesh\":0,\"scale\":[10,10,10]}");
    finish(&m, &f);
    CHECK_INT(vrm_bake(NULL, f.gltf, f.avatar, NULL), VRM_ERROR_INVALID_ASSET);
    document_close(&f);
}

// The BIN chunk, and so the vertices, are missing.
static void without_bytes(void)
{
    model m;
    document f;
    begin(&m, false, "", "");
    snprintf(m.roots, sizeof m.roots, ",%d", BONES);
    gltf_builder_add(&m.b, "buffers", "{\"byteLength\":12}");
    gltf_builder_add(&m.b, "bufferViews", "{\"buffer\":0,\"byteLength\":12}");
    gltf_builder_add(&m.b, "accessors",
        "{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"VEC3\",\"min\":[0,0,0],"
        "\"max\":[0,0,0]}");
    gltf_builder_add(&m.b, "meshes", "{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":0}]}");
    gltf_builder_add(&m.b, "nodes", "{\"mesh\":0,\"scale\":[10,10,10]}");
    finish(&m, &f);
    CHECK_INT(vrm_bake(NULL, f.gltf, f.avatar, NULL), VRM_ERROR_NOT_FOUND);
    document_close(&f);
}

static vrm_result bake_with(const document *d, vrm_gltf *gltf, const vrm_allocator *allocator)
{
    vrm_bake_params def;
    vrm_bake_params_default(&def);
    def.allocator = *allocator;
    return vrm_bake(&def, gltf, d->avatar, NULL);
}

static void without_memory(void)
{
    document d;
    make_skinned(&d);
    document_without_memory(&d, bake_with);
    document_close(&d);
}

static const test_case cases[] = {
    {"reported", reported},
    {"refused", refused},
    {"beyond_floats", beyond_floats},
    {"without_bytes", without_bytes},
    {"without_memory", without_memory},
};

RUN_TESTS(cases)
