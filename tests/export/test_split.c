// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compares the first-person split with a plain implementation of its rule, on generated meshes. test_split_three.mjs
// tests other people's files and three-vrm.

#include <vrm/vrm.h>

#include <stdlib.h>

#include "document_fixture.h"
#include "skeleton_json.h"

enum { VERTICES = 40, HEAD = 2, HAIR = 15, MESH_NODE = 16, HAT = 17, NODES = 18, MODES = 7 };

typedef struct scene {
    const char *annotations; // firstPerson.meshAnnotations, or NULL
    const char *spec;        // VRMC_vrm's specVersion
    bool listed;             // expressions are an array, as in drafts
    bool vrm0;
    bool shared_mesh; // a second node uses the body's mesh
    uint32_t seed;
    uint32_t indices[MODES * 2][30];
    uint32_t sizes[MODES * 2];
    bool head_vertex[VERTICES]; // weighted to the head, by the generated weights
} scene;

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void add_nodes(gltf_builder *b, const scene *s)
{
    for (int i = 0; i < 15; ++i) {
        char children[64];
        gltf_builder_add(b, "nodes", "{\"translation\":[0,%g,0]%s}", i == 0 ? 0.5 : 0.25,
            i == HEAD ? ",\"children\":[15,17]" // hair and hat
                      : skeleton_children(children, sizeof children, skeleton_parents, SKELETON_BONES, i));
    }
    gltf_builder_add(b, "nodes", "{\"translation\":[0,0.1,0]}");
    gltf_builder_add(b, "nodes", "{\"name\":\"body\",\"mesh\":0,\"skin\":0,\"weights\":[0.25]}");
    gltf_builder_add(b, "nodes", "{\"mesh\":1}");
    if (s->shared_mesh) {
        gltf_builder_add(b, "nodes", "{\"mesh\":0,\"skin\":0}");
    }
    gltf_builder_add(b, "scenes", s->shared_mesh ? "{\"nodes\":[0,16,18]}" : "{\"nodes\":[0,16]}");
}

// Adds two sets of four joints: joint 0 is the spine, 1 the head, 2 the hair. Vertices are weighted to the head in
// every way, or not at all.
static void add_weights(gltf_builder *b, scene *s, uint32_t accessors[4])
{
    uint8_t joints[2][VERTICES * 4] = {{0}};
    float weights[2][VERTICES * 4] = {{0}};
    for (int v = 0; v < VERTICES; ++v) {
        const uint32_t kind = next_random(&s->seed) % 8;
        weights[0][v * 4] = 1.0f;
        joints[0][v * 4 + 3] = 1; // the head with weight 0, which the rule ignores
        if (kind == 0) {
            joints[0][v * 4 + 1] = 1;
            weights[0][v * 4 + 1] = 1e-4f;
        } else if (kind == 1) {
            joints[1][v * 4 + 2] = 2;
            weights[1][v * 4 + 2] = 0.5f;
        }
        s->head_vertex[v] = kind < 2;
    }
    for (int set = 0; set < 2; ++set) {
        accessors[set * 2] = gltf_builder_accessor(b, joints[set], VERTICES * 4, 5121, VERTICES, "VEC4", "");
        accessors[set * 2 + 1] = gltf_builder_floats(b, weights[set], VERTICES * 4, VERTICES, "VEC4");
    }
}

// Adds a primitive with indices and one without, for each mode.
static void add_meshes(gltf_builder *b, scene *s)
{
    float positions[VERTICES * 3];
    uint32_t sets[4];
    char primitives[MODES * 2 * 256] = "";
    for (int i = 0; i < VERTICES * 3; ++i) {
        positions[i] = (float)(next_random(&s->seed) % 1000) * 0.001f;
    }
    const uint32_t position = gltf_builder_accessor(
        b, positions, sizeof positions, 5126, VERTICES, "VEC3", ",\"min\":[0,0,0],\"max\":[1,1,1]");
    add_weights(b, s, sets);
    for (uint32_t i = 0; i < MODES * 2; ++i) {
        const bool indexed = i < MODES;
        s->sizes[i] = indexed ? 30 : VERTICES;
        char indices[32] = "";
        if (indexed) {
            for (int k = 0; k < 30; ++k) {
                s->indices[i][k] = next_random(&s->seed) % VERTICES;
            }
            snprintf(indices, sizeof indices, ",\"indices\":%u",
                gltf_builder_accessor(b, s->indices[i], sizeof s->indices[i], 5125, 30, "SCALAR", ""));
        }
        const size_t at = strlen(primitives);
        snprintf(primitives + at, sizeof primitives - at,
            "%s{\"attributes\":{\"POSITION\":%u,\"JOINTS_0\":%u,\"WEIGHTS_0\":%u,\"JOINTS_1\":%u,\"WEIGHTS_1\":%u},"
            "\"mode\":%u,\"targets\":[{\"POSITION\":%u}]%s}",
            i == 0 ? "" : ",", position, sets[0], sets[1], sets[2], sets[3], i % MODES, position, indices);
    }
    gltf_builder_add(b, "meshes", "{\"name\":\"b\\u00e9\",\"primitives\":[%s],\"weights\":[0]}", primitives);
    gltf_builder_add(b, "meshes", "{\"primitives\":[{\"attributes\":{\"POSITION\":%u}}]}", position);
    gltf_builder_add(b, "skins", "{\"joints\":[1,2,15]}");
}

static void make(scene *s, document *out)
{
    gltf_builder b = {0};
    add_nodes(&b, s);
    add_meshes(&b, s);
    char bones[2048], vrm[4096];
    skeleton_human_bones(bones, sizeof bones, skeleton_bones, SKELETON_BONES, s->vrm0);
    char first_person[512] = "";
    if (s->annotations != NULL) {
        snprintf(first_person, sizeof first_person, ",\"firstPerson\":{\"meshAnnotations\":[%s]}", s->annotations);
    }
    if (s->vrm0) {
        snprintf(vrm, sizeof vrm,
            "{\"VRM\":{\"specVersion\":\"0.0\",\"meta\":{\"title\":\"t\",\"author\":\"a\"},\"humanoid\":{"
            "\"humanBones\":"
            "[%s]},\"blendShapeMaster\":{\"blendShapeGroups\":[{\"name\":\"joy\",\"presetName\":\"joy\",\"binds\":"
            "[{\"mesh\":0,\"index\":0,\"weight\":100}]}]}%s}}",
            bones, first_person);
    } else {
        const char *expressions =
            s->listed ? "[{\"preset\":\"happy\",\"morphTargetBinds\":[{\"node\":16,\"index\":0,\"weight\":1}]},{"
                        "\"preset\":\"custom\","
                        "\"name\":\"a\",\"morphTargetBinds\":[{\"node\":16,\"index\":0,\"weight\":0.5}]}]"
                      : "{\"preset\":{\"happy\":{\"morphTargetBinds\":[{\"node\":16,\"index\":0,\"weight\":1}]}},"
                        "\"custom\":{\"a/b~\":"
                        "{\"morphTargetBinds\":[{\"node\":16,\"index\":0,\"weight\":0.5}]}}}";
        snprintf(vrm, sizeof vrm,
            "{\"VRMC_vrm\":{\"specVersion\":\"%s\",\"meta\":{\"name\":\"t\",\"authors\":[\"a\"],\"licenseUrl\":"
            "\"https://vrm.dev/licenses/1.0/\"},\"humanoid\":{\"humanBones\":{%s}},\"expressions\":%s%s}}",
            s->spec != NULL ? s->spec : "1.0", bones, expressions, first_person);
    }
    gltf_builder_member(&b, "extensions", vrm);
    gltf_builder_member(&b, "extensionsUsed", s->vrm0 ? "[\"VRM\"]" : "[\"VRMC_vrm\"]");
    document_make(&b, out);
}

// --- visible ---------------------------------------------------------------------------------------------------------

static void visible_to_whom(void)
{
    // Views: first person, third person, mirror, shadow. First the wearer's own avatar, then another player's.
    static const struct {
        vrm_first_person part;
        const char *seen;
    } rows[] = {{VRM_FIRST_PERSON_BOTH, "11111111"}, {VRM_FIRST_PERSON_AUTO, "11111111"},
        {VRM_FIRST_PERSON_THIRD_PERSON_ONLY, "01111111"}, {VRM_FIRST_PERSON_FIRST_PERSON_ONLY, "10000000"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        for (int wearer = 0; wearer < 2; ++wearer) {
            for (int view = 0; view < 4; ++view) {
                CHECK_INT(vrm_first_person_is_visible(rows[i].part, (vrm_wearer)wearer, (vrm_view)view),
                    rows[i].seen[wearer * 4 + view] == '1');
            }
        }
    }
}

// --- the rule --------------------------------------------------------------------------------------------------------

// Lists the elements of a primitive as glTF 2.0, 3.7.2.1 defines them.
static uint32_t reference_elements(uint32_t mode, uint32_t n, uint32_t out[][3], uint32_t *out_corners)
{
    uint32_t count = 0;
    *out_corners = mode == 0 ? 1 : mode <= 3 ? 2 : 3;
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t all[MODES][3] = {{i}, {2 * i, 2 * i + 1}, {i, (i + 1) % n}, {i, i + 1},
            {3 * i, 3 * i + 1, 3 * i + 2}, {i, i % 2 == 0 ? i + 1 : i + 2, i % 2 == 0 ? i + 2 : i + 1},
            {i + 1, i + 2, 0}};
        if (all[mode][0] < n && all[mode][1] < n && all[mode][2] < n) {
            memcpy(out[count++], all[mode], sizeof all[mode]);
        }
    }
    return count;
}

static void check_primitive(const scene *s, const vrm_first_person_primitive *p)
{
    uint32_t elements[64][3], corners, expected[2][64 * 3], sizes[2] = {0, 0};
    const uint32_t mode = p->primitive % MODES;
    const uint32_t count = reference_elements(mode, s->sizes[p->primitive], elements, &corners);
    for (uint32_t i = 0; i < count; ++i) {
        bool head = false;
        uint32_t vertices[3];
        for (uint32_t c = 0; c < corners; ++c) {
            const uint32_t at = elements[i][c];
            vertices[c] = p->primitive < MODES ? s->indices[p->primitive][at] : at;
            head = head || s->head_vertex[vertices[c]];
        }
        memcpy(&expected[head][sizes[head]], vertices, corners * sizeof(uint32_t));
        sizes[head] += corners;
    }
    if (sizes[0] == 0 || sizes[1] == 0) { // all elements are in one part, for example a fan around a vertex of the head
        CHECK(p->indices == NULL);
        CHECK_INT(p->mode, mode);
        CHECK_INT(p->ranges[0].part, sizes[0] == 0 ? VRM_FIRST_PERSON_THIRD_PERSON_ONLY : VRM_FIRST_PERSON_BOTH);
        CHECK_INT(p->ranges[0].count, s->sizes[p->primitive]);
        CHECK_INT(p->ranges[1].count, 0);
        return;
    }
    CHECK(p->indices != NULL);
    CHECK_INT(p->mode, corners == 3 ? 4 : corners - 1);
    CHECK_INT(p->ranges[0].part, VRM_FIRST_PERSON_BOTH);
    CHECK_INT(p->ranges[1].part, VRM_FIRST_PERSON_THIRD_PERSON_ONLY);
    for (int part = 0; part < 2 && p->indices != NULL; ++part) {
        CHECK_INT(p->ranges[part].count, sizes[part]);
        CHECK_INT(p->ranges[part].first, part == 0 ? 0 : sizes[0]);
        CHECK(memcmp(p->indices + p->ranges[part].first, expected[part], sizes[part] * sizeof(uint32_t)) == 0);
    }
}

static void every_mode(void)
{
    for (uint32_t seed = 1; seed <= 20; ++seed) {
        scene s = {.seed = seed, .vrm0 = seed % 2 == 0};
        document f;
        make(&s, &f);
        vrm_first_person_split *split = NULL;
        CHECK_INT(vrm_first_person_split_create(NULL, f.gltf, f.avatar, &split), VRM_SUCCESS);
        CHECK_INT(vrm_first_person_split_get_count(split), MODES * 2 + 1);
        for (uint32_t i = 0; i < vrm_first_person_split_get_count(split); ++i) {
            vrm_first_person_primitive p = {.struct_size = sizeof p};
            vrm_mesh_node mesh = {.struct_size = sizeof mesh};
            CHECK_INT(vrm_first_person_split_get_primitive(split, i, &p), VRM_SUCCESS);
            CHECK_INT(vrm_avatar_get_mesh_node(f.avatar, p.mesh, &mesh), VRM_SUCCESS);
            if (mesh.gltf_mesh == 0) {
                check_primitive(&s, &p);
            } else { // the hat: not skinned, below the head
                CHECK(p.indices == NULL);
                CHECK_INT(p.ranges[0].part, VRM_FIRST_PERSON_THIRD_PERSON_ONLY);
                CHECK_INT(p.ranges[0].count, VERTICES);
                CHECK_INT(p.ranges[1].count, 0);
            }
        }
        vrm_first_person_primitive p = {.struct_size = sizeof p};
        CHECK_INT(vrm_first_person_split_get_primitive(split, MODES * 2 + 1, &p), VRM_ERROR_INVALID_ARGUMENT);
        vrm_first_person_split_destroy(split);
        document_close(&f);
    }
}

static void annotations_decide(void)
{
    static const char *const types[] = {"both", "thirdPersonOnly", "firstPersonOnly"};
    for (int t = 0; t < 3; ++t) {
        char annotations[128];
        snprintf(annotations, sizeof annotations, "{\"node\":16,\"type\":\"%s\"},{\"node\":17,\"type\":\"%s\"}",
            types[t], types[t]);
        scene s = {.seed = 3, .annotations = annotations};
        document f;
        make(&s, &f);
        vrm_first_person_split *split = NULL;
        CHECK_INT(vrm_first_person_split_create(NULL, f.gltf, f.avatar, &split), VRM_SUCCESS);
        for (uint32_t i = 0; i < vrm_first_person_split_get_count(split); ++i) {
            vrm_first_person_primitive p = {.struct_size = sizeof p};
            (void)vrm_first_person_split_get_primitive(split, i, &p);
            CHECK(p.indices == NULL);
            CHECK_INT(p.ranges[0].part, VRM_FIRST_PERSON_BOTH + t);
            CHECK_INT(p.ranges[0].first, 0);
            CHECK(p.ranges[0].count == 30 || p.ranges[0].count == VERTICES);
            CHECK_INT(p.ranges[1].count, 0);
        }
        vrm_first_person_split_destroy(split);
        document_close(&f);
    }
}

// --- the file --------------------------------------------------------------------------------------------------------

static uint64_t drawn(const vrm_first_person_split *split, vrm_first_person part, uint32_t *out_taken_apart)
{
    uint64_t sum = 0;
    *out_taken_apart = 0;
    for (uint32_t i = 0; i < vrm_first_person_split_get_count(split); ++i) {
        vrm_first_person_primitive p = {.struct_size = sizeof p};
        (void)vrm_first_person_split_get_primitive(split, i, &p);
        *out_taken_apart += p.indices != NULL;
        for (int r = 0; r < 2; ++r) {
            sum += p.ranges[r].part == part ? p.ranges[r].count : 0;
        }
    }
    return sum;
}

static uint32_t bind_count(const vrm_gltf *gltf, const char *array)
{
    char pointer[160];
    vrm_string text;
    uint32_t count = 0;
    do {
        snprintf(pointer, sizeof pointer, "%s/%u", array, count);
    } while (vrm_gltf_get_json(gltf, pointer, &text) == VRM_SUCCESS && ++count < 100);
    return count;
}

// Writes the split file, reads it and splits it again: nothing is left to split, and nothing was lost.
static void check_written(scene *s, uint32_t mesh_nodes, uint32_t binds)
{
    document f, again = {0};
    make(s, &f);
    vrm_first_person_split *split = NULL, *second = NULL;
    vrm_bytes saved = {0}, saved_again = {0};
    uint32_t before = 0, after = 0;
    CHECK_INT(vrm_first_person_split_create(NULL, f.gltf, f.avatar, &split), VRM_SUCCESS);
    CHECK_INT(vrm_first_person_split_write(split, f.gltf), VRM_SUCCESS);
    // A split can be written only once.
    CHECK_INT(vrm_first_person_split_write(split, f.gltf), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_gltf_save(f.gltf, &saved), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_load(NULL, saved.data, saved.size, NULL, &again.gltf), VRM_SUCCESS);
    CHECK_INT(vrm_avatar_import(NULL, again.gltf, NULL, &again.avatar), VRM_SUCCESS);
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(again.avatar, &counts);
    CHECK_INT(counts.meshes, mesh_nodes);
    for (uint32_t i = 0; i < counts.meshes; ++i) {
        vrm_mesh_node mesh = {.struct_size = sizeof mesh};
        (void)vrm_avatar_get_mesh_node(again.avatar, i, &mesh);
        CHECK(mesh.first_person != VRM_FIRST_PERSON_AUTO);
    }
    CHECK_INT(vrm_first_person_split_create(NULL, again.gltf, again.avatar, &second), VRM_SUCCESS);
    CHECK_INT(drawn(second, VRM_FIRST_PERSON_BOTH, &after), drawn(split, VRM_FIRST_PERSON_BOTH, &before));
    CHECK_INT(drawn(second, VRM_FIRST_PERSON_THIRD_PERSON_ONLY, &after),
        drawn(split, VRM_FIRST_PERSON_THIRD_PERSON_ONLY, &before));
    CHECK(before > 0);
    CHECK_INT(after, 0);
    if (s->listed) {
        CHECK_INT(bind_count(again.gltf, "/extensions/VRMC_vrm/expressions/0/morphTargetBinds"), binds);
        CHECK_INT(bind_count(again.gltf, "/extensions/VRMC_vrm/expressions/1/morphTargetBinds"), binds);
    } else if (s->vrm0) {
        CHECK_INT(bind_count(again.gltf, "/extensions/VRM/blendShapeMaster/blendShapeGroups/0/binds"), binds);
    } else {
        CHECK_INT(bind_count(again.gltf, "/extensions/VRMC_vrm/expressions/preset/happy/morphTargetBinds"), binds);
        CHECK_INT(bind_count(again.gltf, "/extensions/VRMC_vrm/expressions/custom/a~1b~0/morphTargetBinds"), binds);
    }
    vrm_string name;
    CHECK_INT(vrm_gltf_get_json(again.gltf, s->shared_mesh ? "/nodes/19/name" : "/nodes/18/name", &name), VRM_SUCCESS);
    CHECK(name.length == 13 && memcmp(name.data, "\"body (head)\"", 13) == 0);
    // A second split has nothing to do, so the file keeps its bytes.
    CHECK_INT(vrm_first_person_split_write(second, again.gltf), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_save(again.gltf, &saved_again), VRM_SUCCESS);
    CHECK(saved.size == saved_again.size && memcmp(saved.data, saved_again.data, saved.size) == 0);
    vrm_bytes_free(&saved);
    vrm_bytes_free(&saved_again);
    vrm_first_person_split_destroy(split);
    vrm_first_person_split_destroy(second);
    document_close(&again);
    document_close(&f);
}

static void written_as_1_0(void)
{
    check_written(&(scene){.seed = 5}, 3, 2);
    check_written(&(scene){.seed = 6, .spec = "1.0-beta"}, 3, 2);
}

static void written_as_0_x(void)
{
    check_written(&(scene){.seed = 7, .vrm0 = true}, 3, 2);
}

// The draft's prose and schemas have different keys for an annotation's type. New annotations use the key that the file
// already uses.
static void written_as_drafts(void)
{
    static const struct {
        const char *spec, *annotations, *key;
    } rows[] = {{"1.0.0", NULL, "firstPersonFlag"}, {"1.0-draft", NULL, "firstPersonType"},
        {"1.0-draft", "{\"node\":17,\"firstPersonFlag\":\"both\"}", "firstPersonFlag"},
        {"1.0.0", "{\"node\":17,\"type\":\"both\"}", "type"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        scene s = {.seed = 5, .spec = rows[i].spec, .annotations = rows[i].annotations, .listed = true};
        document f;
        check_written(&s, 3, 2);
        make(&s, &f);
        CHECK_STRING(vrm_avatar_get_dialect(f.avatar), "1.0-draft");
        vrm_first_person_split *split = NULL;
        char pointer[128];
        vrm_string text;
        CHECK_INT(vrm_first_person_split_create(NULL, f.gltf, f.avatar, &split), VRM_SUCCESS);
        CHECK_INT(vrm_first_person_split_write(split, f.gltf), VRM_SUCCESS);
        for (int a = 0; a < 3; ++a) {
            snprintf(pointer, sizeof pointer, "/extensions/VRMC_vrm/firstPerson/meshAnnotations/%d/%s", a, rows[i].key);
            CHECK_INT(vrm_gltf_get_json(f.gltf, pointer, &text), VRM_SUCCESS);
        }
        vrm_first_person_split_destroy(split);
        document_close(&f);
    }
}

static void mesh_of_two_nodes(void)
{
    check_written(&(scene){.seed = 8, .shared_mesh = true}, 5, 2);
    // The old mesh and its bind stay in the file; the meshes of body and head are new.
    check_written(&(scene){.seed = 9, .shared_mesh = true, .vrm0 = true}, 5, 3);
}

// --- refused ---------------------------------------------------------------------------------------------------------

static void refused(void)
{
    scene s = {.seed = 5}, other_scene = {.seed = 5, .shared_mesh = true};
    document f, other;
    make(&s, &f);
    make(&other_scene, &other);
    vrm_first_person_split *split = NULL;
    CHECK_INT(vrm_first_person_split_create(NULL, other.gltf, f.avatar, &split), VRM_ERROR_INVALID_ARGUMENT);
    CHECK(split == NULL);
    vrm_first_person_split_def def;
    vrm_first_person_split_def_default(&def);
    def.progress = document_cancel;
    CHECK_INT(vrm_first_person_split_create(&def, f.gltf, f.avatar, &split), VRM_ERROR_CANCELLED);
    CHECK(split == NULL);
    def.struct_size = 0;
    CHECK_INT(vrm_first_person_split_create(&def, f.gltf, f.avatar, &split), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_first_person_split_create(NULL, f.gltf, f.avatar, &split), VRM_SUCCESS);
    CHECK_INT(vrm_first_person_split_write(split, other.gltf), VRM_ERROR_INVALID_ARGUMENT);
    vrm_first_person_split_destroy(split);
    vrm_first_person_split_destroy(NULL);
    document_close(&f);
    document_close(&other);
}

static vrm_result split_with(const document *d, vrm_gltf *gltf, const vrm_allocator *allocator)
{
    vrm_first_person_split *split = NULL;
    vrm_first_person_split_def def;
    vrm_first_person_split_def_default(&def);
    def.allocator = *allocator;
    vrm_result result = vrm_first_person_split_create(&def, gltf, d->avatar, &split);
    CHECK((split != NULL) == (result == VRM_SUCCESS));
    if (result == VRM_SUCCESS) {
        result = vrm_first_person_split_write(split, gltf);
    }
    vrm_first_person_split_destroy(split);
    return result;
}

static void without_memory(void)
{
    scene s = {.seed = 5};
    document d;
    make(&s, &d);
    document_without_memory(&d, split_with);
    document_close(&d);
}

static const test_case cases[] = {
    {"visible_to_whom", visible_to_whom},
    {"every_mode", every_mode},
    {"annotations_decide", annotations_decide},
    {"written_as_1_0", written_as_1_0},
    {"written_as_0_x", written_as_0_x},
    {"written_as_drafts", written_as_drafts},
    {"mesh_of_two_nodes", mesh_of_two_nodes},
    {"refused", refused},
    {"without_memory", without_memory},
};

RUN_TESTS(cases)
