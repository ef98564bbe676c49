// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compares boxes and heights of random meshes with plain sums in double. Meshes have several primitives, some of which
// share vertices, several sets of influences, and morph targets in every layout that a file may use.

#include <math.h>

#include "avatar_file.h"
#include "model/model.h"
#include "reference_math.h"
#include "test_random.h"

enum { JOINTS = 5, MAX_VERTICES = 300, MAX_TARGETS = 11, MAX_SETS = 2 };

// The values of an attribute, and the accessor that holds them.
typedef struct column {
    uint32_t accessor;
    double v[MAX_VERTICES * 4];
} column;

typedef struct primitive {
    uint32_t vertices, targets, sets;
    column position, deltas[MAX_TARGETS], weights[MAX_SETS];
    uint32_t joint_accessors[MAX_SETS], joints[MAX_SETS][MAX_VERTICES * 4];
} primitive;

typedef struct number_format {
    uint32_t type, size;
    double scale; // divisor of normalized integers, 0 for floats
} number_format;

static const number_format floats = {5126, 4, 0};
static const number_format signed_formats[3] = {{5126, 4, 0}, {5122, 2, 32767}, {5120, 1, 127}};
static const number_format unsigned_formats[3] = {{5126, 4, 0}, {5123, 2, 65535}, {5121, 1, 255}};

// Writes one number; returns the value that a reader must get.
static double put_number(uint8_t *out, const number_format *format, double value)
{
    if (format->scale == 0) {
        const float stored = (float)value;
        memcpy(out, &stored, 4);
        return isfinite(stored) ? (double)stored : 0; // infinity is read as 0
    }
    const long raw = lround(value * format->scale);
    for (uint32_t i = 0; i < format->size; ++i) {
        out[i] = (uint8_t)((unsigned long)raw >> (8 * i));
    }
    return (double)raw / format->scale;
}

// Adds an accessor with `components` numbers per vertex, packed or with padding after each element. Sets `numbers` to
// the stored values.
static uint32_t add_numbers(
    gltf_builder *b, const number_format *format, bool packed, uint32_t count, uint32_t components, double *numbers)
{
    static uint8_t bytes[MAX_VERTICES * 32];
    const uint32_t tight = format->size * components, stride = packed ? tight : (tight + 3) / 4 * 4 + 4;
    for (uint32_t i = 0; i < count * components; ++i) {
        uint8_t *at = bytes + i / components * stride + i % components * format->size;
        numbers[i] = put_number(at, format, numbers[i]);
    }
    char extra[32] = "";
    if (!packed) {
        snprintf(extra, sizeof extra, ",\"byteStride\":%u", stride);
    }
    const uint32_t view = gltf_builder_view(b, bytes, (size_t)stride * count, extra);
    return gltf_builder_add(b, "accessors",
        "{\"bufferView\":%u,\"componentType\":%u,\"normalized\":%s,\"count\":%u,\"type\":\"VEC%u\"}", view,
        format->type, format->scale != 0 ? "true" : "false", count, components);
}

// Adds a sparse accessor of floats over `base`, or over zeros (-1).
static uint32_t add_sparse(gltf_builder *b, test_random *random, int base, uint32_t count, double *numbers)
{
    uint16_t indices[MAX_VERTICES];
    float values[MAX_VERTICES * 3];
    uint32_t entries = 0;
    const uint32_t first = test_random_below(random, count), gap = 1 + test_random_below(random, 40);
    for (uint32_t vertex = first; vertex < count; vertex += gap, ++entries) {
        indices[entries] = (uint16_t)vertex;
        for (uint32_t i = 0; i < 3; ++i) {
            values[entries * 3 + i] = test_random_float(random, -0.5f, 0.5f);
            numbers[vertex * 3 + i] = (double)values[entries * 3 + i];
        }
    }
    const uint32_t index_view = gltf_builder_view(b, indices, entries * 2, "");
    const uint32_t value_view = gltf_builder_view(b, values, entries * 12, "");
    char view[32] = "";
    if (base >= 0) {
        snprintf(view, sizeof view, "\"bufferView\":%d,", base);
    }
    return gltf_builder_add(b, "accessors",
        "{%s\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\",\"sparse\":{\"count\":%u,\"indices\":{\"bufferView\":"
        "%u,"
        "\"componentType\":5123},\"values\":{\"bufferView\":%u}}}",
        view, count, entries, index_view, value_view);
}

static void add_target(gltf_builder *b, test_random *random, uint32_t count, column *out)
{
    const uint32_t layout = test_random_below(random, 8);
    const bool zero = layout == 0 || layout == 1;
    for (uint32_t i = 0; i < count * 3; ++i) {
        const bool still = zero || test_random_below(random, 2) != 0; // half of the deltas are 0
        out->v[i] = still ? 0 : (double)test_random_float(random, -0.5f, 0.5f);
    }
    if (layout == 0) { // only a count
        out->accessor =
            gltf_builder_add(b, "accessors", "{\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\"}", count);
    } else if (layout == 1) {
        out->accessor = add_sparse(b, random, -1, count, out->v);
    } else if (layout == 2) {
        (void)add_numbers(b, &floats, true, count, 3, out->v);
        const int view = gltf_builder_find(b, "bufferViews")->count - 1;
        out->accessor = add_sparse(b, random, view, count, out->v);
    } else {
        if (layout == 3) {
            out->v[test_random_below(random, count * 3)] = (double)INFINITY;
        }
        const bool packed = layout < 6 ? layout != 4 : test_random_below(random, 2) != 0;
        const number_format *format = layout < 6 ? &floats : &signed_formats[layout - 5];
        out->accessor = add_numbers(b, format, packed, count, 3, out->v);
    }
}

// Adds weights that need not add up to 1.
static void add_weights(gltf_builder *b, test_random *random, uint32_t set, primitive *p)
{
    for (uint32_t i = 0; i < p->vertices * 4; ++i) {
        p->weights[set].v[i] = test_random_below(random, 3) != 0 ? 0 : (double)test_random_float(random, 0.01f, 1.0f);
    }
    const number_format *format = &unsigned_formats[test_random_below(random, 3)];
    const bool packed = test_random_below(random, 2) != 0;
    p->weights[set].accessor = add_numbers(b, format, packed, p->vertices, 4, p->weights[set].v);
}

static void add_set(gltf_builder *b, test_random *random, uint32_t set, primitive *p)
{
    uint8_t bytes[MAX_VERTICES * 16] = {0};
    const uint32_t size = 1 + test_random_below(random, 2), stride = 4 * size + 4 * test_random_below(random, 2);
    for (uint32_t i = 0; i < p->vertices * 4; ++i) {
        p->joints[set][i] = test_random_below(random, JOINTS);
        bytes[i / 4 * stride + i % 4 * size] = (uint8_t)p->joints[set][i]; // little-endian
    }
    char extra[32];
    snprintf(extra, sizeof extra, ",\"byteStride\":%u", stride);
    const uint32_t view = gltf_builder_view(b, bytes, (size_t)stride * p->vertices, extra);
    p->joint_accessors[set] =
        gltf_builder_add(b, "accessors", "{\"bufferView\":%u,\"componentType\":%u,\"count\":%u,\"type\":\"VEC4\"}",
            view, size == 1 ? 5121u : 5123u, p->vertices);
    add_weights(b, random, set, p);
}

static void add_vertices(gltf_builder *b, test_random *random, bool skinned, uint32_t targets, primitive *p)
{
    p->vertices = 1 + test_random_below(random, MAX_VERTICES);
    p->targets = targets;
    p->sets = skinned ? 1 + test_random_below(random, MAX_SETS) : 0;
    for (uint32_t i = 0; i < p->vertices * 3; ++i) {
        p->position.v[i] = (double)test_random_float(random, -1.0f, 1.0f);
    }
    const number_format *format = &signed_formats[test_random_below(random, 3)];
    p->position.accessor = add_numbers(b, format, test_random_below(random, 2) != 0, p->vertices, 3, p->position.v);
    for (uint32_t i = 0; i < targets; ++i) {
        add_target(b, random, p->vertices, &p->deltas[i]);
    }
    for (uint32_t set = 0; set < p->sets; ++set) {
        add_set(b, random, set, p);
    }
}

static void append_primitive(gltf_builder_member_text *text, const primitive *p)
{
    file_append(text, "%s{\"attributes\":{\"POSITION\":%u", text->size != 0 ? "," : "", p->position.accessor);
    for (uint32_t set = 0; set < p->sets; ++set) {
        file_append(
            text, ",\"JOINTS_%u\":%u,\"WEIGHTS_%u\":%u", set, p->joint_accessors[set], set, p->weights[set].accessor);
    }
    file_append(text, "}");
    for (uint32_t i = 0; i < p->targets; ++i) {
        file_append(text, "%s{\"POSITION\":%u}", i == 0 ? ",\"targets\":[" : ",", p->deltas[i].accessor);
    }
    file_append(text, p->targets != 0 ? "]}" : "}");
}

// --- the reference ---------------------------------------------------------------------------------------------------

typedef struct expectation {
    double low[JOINTS][3], high[JOINTS][3], top;
} expectation;

static double at_row(const double row[4], const double p[3])
{
    return row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3];
}

// Extends the joint's box by every corner that the vertex can reach, in the joint's space.
static void expect_corners(
    const primitive *p, uint32_t vertex, const ref_mat *from_vertex, uint32_t joint, expectation *e)
{
    double ends[2][3];
    for (uint32_t axis = 0; axis < 3; ++axis) {
        ends[0][axis] = ends[1][axis] = p->position.v[vertex * 3 + axis];
        for (uint32_t i = 0; i < p->targets; ++i) {
            const double delta = p->deltas[i].v[vertex * 3 + axis];
            ends[delta > 0][axis] += delta;
        }
    }
    for (int corner = 0; corner < 8; ++corner) {
        const double point[3] = {ends[corner & 1][0], ends[corner >> 1 & 1][1], ends[corner >> 2][2]};
        for (int axis = 0; axis < 3; ++axis) {
            const double at = at_row(from_vertex->m[axis], point);
            e->low[joint][axis] = fmin(e->low[joint][axis], at);
            e->high[joint][axis] = fmax(e->high[joint][axis], at);
        }
    }
}

// Computes the boxes of a primitive whose joints have these matrices. A mesh without a skin follows joint 0 with weight
// 1.
static void expect_primitive(const primitive *p, const ref_mat joint_from_vertex[JOINTS],
    const ref_mat model_from_vertex[JOINTS], expectation *e)
{
    for (uint32_t vertex = 0; vertex < p->vertices; ++vertex) {
        double height = 0;
        for (uint32_t i = 0; i < (p->sets == 0 ? 1 : p->sets * 4); ++i) {
            const uint32_t set = i / 4, at = vertex * 4 + i % 4;
            const uint32_t joint = p->sets == 0 ? 0 : p->joints[set][at];
            const double weight = p->sets == 0 ? 1 : p->weights[set].v[at];
            if (weight > 0) {
                expect_corners(p, vertex, &joint_from_vertex[joint], joint, e);
                height += weight * at_row(model_from_vertex[joint].m[1], &p->position.v[vertex * 3]);
            }
        }
        e->top = fmax(e->top, height);
    }
}

// --- files -----------------------------------------------------------------------------------------------------------

static double random_number(test_random *random)
{
    return (double)test_random_float(random, -1.0f, 1.0f);
}

// Adds the nodes: node 0 has the mesh, the other nodes are joints beside it.
static void add_nodes(gltf_builder *b, test_random *random, bool skinned, ref_mat world[JOINTS + 1])
{
    for (int i = 0; i <= JOINTS; ++i) {
        const ref_vec at = ref_v(random_number(random), random_number(random), random_number(random));
        const ref_vec axis = ref_v(random_number(random), random_number(random), 1.5);
        const ref_quat q = ref_axis_angle(axis, 3 * random_number(random));
        world[i] = ref_trs(at, q, ref_v(1, 1, 1));
        gltf_builder_add(b, "nodes", "{%s\"translation\":[%.17g,%.17g,%.17g],\"rotation\":[%.17g,%.17g,%.17g,%.17g]}",
            i != 0    ? ""
            : skinned ? "\"mesh\":0,\"skin\":0,"
                      : "\"mesh\":0,",
            at.v[0], at.v[1], at.v[2], q.q[0], q.q[1], q.q[2], q.q[3]);
    }
    gltf_builder_member(b, "scenes", "[{\"nodes\":[0,1,2,3,4,5]}]");
    gltf_builder_member(b, "scene", "0");
}

static void add_skin(gltf_builder *b, test_random *random, ref_mat inverse_binds[JOINTS])
{
    float columns[JOINTS * 16] = {0};
    for (int joint = 0; joint < JOINTS; ++joint) {
        columns[joint * 16 + 15] = 1;
        for (int i = 0; i < 12; ++i) {
            const float value = test_random_float(random, -1.0f, 1.0f);
            columns[joint * 16 + i % 4 * 4 + i / 4] = value;
            inverse_binds[joint].m[i / 4][i % 4] = (double)value;
        }
    }
    const uint32_t accessor = gltf_builder_floats(b, columns, JOINTS * 16, JOINTS, "MAT4");
    gltf_builder_add(b, "skins", "{\"joints\":[1,2,3,4,5],\"inverseBindMatrices\":%u}", accessor);
}

static vrm_avatar *load(gltf_builder *b)
{
    size_t size;
    uint8_t *glb = gltf_builder_glb(b, &size);
    vrm_avatar_def def;
    vrm_avatar_def_default(&def);
    def.allow_plain_gltf = true;
    vrm_report *report;
    vrm_report_create(NULL, &report);
    vrm_avatar *avatar = NULL;
    CHECK_INT(vrm_avatar_load(&def, glb, size, report, &avatar), VRM_SUCCESS);
    if (avatar == NULL) {
        print_report(report);
    }
    vrm_report_destroy(report);
    free(glb);
    return avatar;
}

static void check_boxes(const vrm_avatar *avatar, bool skinned, const expectation *expected)
{
    const vrmi_model *model = avatar->model;
    const vrmi_range range = vrmi_model_mesh_bounds(model)[0];
    uint32_t met = 0;
    for (uint32_t joint = 0; joint < JOINTS; ++joint) {
        const int32_t node = vrm_avatar_find_gltf_node(avatar, skinned ? joint + 1 : 0);
        const bool carries = expected->low[joint][0] <= expected->high[joint][0];
        met += carries;
        for (uint32_t i = 0; carries && i < range.count; ++i) {
            const vrmi_bound_row *row = &vrmi_model_bound(model)[range.first + i];
            if (row->node == (uint32_t)node) {
                const double *low = expected->low[joint], *high = expected->high[joint];
                const ref_vec min = ref_vec_of(row->box.min), max = ref_vec_of(row->box.max);
                for (int axis = 0; axis < 3; ++axis) {
                    CHECK_NEAR(min.v[axis], low[axis], 5e-6);
                    CHECK_NEAR(max.v[axis], high[axis], 5e-6);
                }
            }
        }
    }
    CHECK_INT(range.count, met);
    vrm_avatar_body body = {.struct_size = sizeof body};
    vrm_avatar_get_body(avatar, &body);
    CHECK_NEAR(body.height, expected->top, 2e-5);
}

static void random_meshes(void)
{
    static primitive parts[3];
    for (uint32_t seed = 0; seed < 200; ++seed) {
        test_random random = test_random_make(seed);
        gltf_builder b = {0};
        ref_mat world[JOINTS + 1], from_vertex[JOINTS] = {{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}};
        ref_mat model_from_vertex[JOINTS];
        expectation expected = {.top = -INFINITY};
        const bool skinned = test_random_below(&random, 4) != 0;
        const uint32_t targets = test_random_below(&random, 2) * test_random_below(&random, MAX_TARGETS + 1);
        add_nodes(&b, &random, skinned, world);
        model_from_vertex[0] = world[0];
        if (skinned) {
            add_skin(&b, &random, from_vertex);
        }
        for (int joint = 0; joint < JOINTS; ++joint) {
            for (int axis = 0; axis < 3; ++axis) {
                expected.low[joint][axis] = INFINITY;
                expected.high[joint][axis] = -INFINITY;
            }
            if (skinned) {
                model_from_vertex[joint] = ref_mat_mul(world[joint + 1], from_vertex[joint]);
            }
        }
        gltf_builder_member_text primitives = {0};
        for (uint32_t i = 0, count = 1 + test_random_below(&random, 3); i < count; ++i) {
            // Sometimes uses the vertices of the previous primitive, with its influences or with others.
            if (i != 0 && test_random_below(&random, 3) == 0) {
                parts[i] = parts[i - 1];
                const uint32_t change = test_random_below(&random, 3);
                if (change == 0 && skinned && parts[i].sets < MAX_SETS) {
                    add_set(&b, &random, parts[i].sets++, &parts[i]);
                } else if (change == 1 && skinned) {
                    add_weights(&b, &random, 0, &parts[i]);
                }
            } else {
                add_vertices(&b, &random, skinned, targets, &parts[i]);
            }
            append_primitive(&primitives, &parts[i]);
            expect_primitive(&parts[i], from_vertex, model_from_vertex, &expected);
        }
        gltf_builder_add(&b, "meshes", "{\"primitives\":[%s]}", primitives.text);
        gltf_builder_member(&b, "extensionsUsed", "[\"KHR_mesh_quantization\"]");
        gltf_builder_member(&b, "extensionsRequired", "[\"KHR_mesh_quantization\"]");
        vrm_avatar *avatar = load(&b);
        const int failures = test_failures;
        if (avatar != NULL) {
            check_boxes(avatar, skinned, &expected);
        }
        if (test_failures != failures) {
            printf("  seed %u\n", seed);
        }
        vrm_avatar_release(avatar);
        free(primitives.text);
        gltf_builder_free(&b);
    }
}

static const test_case cases[] = {{"random_meshes", random_meshes}};

RUN_TESTS(cases)
