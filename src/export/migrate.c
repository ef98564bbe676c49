// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "export/migrate.h"

#include "base/abi.h"
#include "base/checks.h"

// Names by vrmi_migrate_extension.
static const char *const extension_names[VRMI_USES_COUNT] = {"VRMC_vrm", "VRMC_springBone", "VRMC_node_constraint",
    "VRMC_materials_mtoon", "KHR_materials_unlit", "KHR_texture_transform", "KHR_materials_emissive_strength"};

// Extensions that are removed, because a migrated file does not use them.
static const char *const old_names[] = {
    "VRM", "VRMC_constraints", "VRMC_constraints-1.0", "VRMC_node_collider", "VMRC_materials_mtoon"};

// --- VRMC_vrm --------------------------------------------------------------------------------------------------------

static void add_humanoid(const vrmi_migration *m, vrmi_text *text)
{
    vrmi_text_add_string(text, ",\"humanoid\":{\"humanBones\":{");
    bool any = false;
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        const int32_t node = m->model->head.bone_node[bone];
        if (node >= 0) {
            vrmi_text_format(text, "%s\"%s\":{\"node\":%u}", any ? "," : "", vrm_human_bone_name((vrm_human_bone)bone),
                vrmi_migrate_node(m, (uint32_t)node));
            any = true;
        }
    }
    vrmi_text_add_string(text, "}}");
}

// Reports limits of Unity's muscles, which 1.0 cannot express.
static void report_muscles(vrmi_migration *m)
{
    const uint32_t humanoid = vrmi_json_member(m->json, m->vrm, "humanoid");
    const uint32_t bones = vrmi_json_member(m->json, humanoid, "humanBones");
    for (uint32_t bone = vrmi_json_first(m->json, bones); m->is_vrm0 && bone != VRMI_JSON_NONE;
         bone = vrmi_json_next(m->json, bone)) {
        const uint32_t value = vrmi_json_member(m->json, bone, "useDefaultValues");
        if (vrmi_json_is(m->json, value, VRMI_JSON_FALSE) && vrmi_json_member(m->json, bone, "min") != VRMI_JSON_NONE) {
            vrmi_migrate_report(m, VRM_FINDING_MIGRATE_MUSCLE_LIMITS, bone, NULL, NULL, NULL);
            return;
        }
    }
}

static void add_first_person(const vrmi_migration *m, vrmi_text *text)
{
    static const char *const types[] = {"auto", "both", "thirdPersonOnly", "firstPersonOnly"};
    const vrmi_mesh_row *meshes = vrmi_model_mesh(m->model);
    for (uint32_t i = 0; i < m->model->mesh.count; ++i) {
        vrmi_text_format(text, "%s{\"node\":%u,\"type\":\"%s\"}",
            i == 0 ? ",\"firstPerson\":{\"meshAnnotations\":[" : ",", vrmi_migrate_node(m, meshes[i].node),
            types[meshes[i].first_person]);
    }
    vrmi_text_add_string(text, m->model->mesh.count != 0 ? "]}" : "");
}

// Reports meshes with several nodes: 0.x annotates a mesh, but 1.0 annotates each node.
static void report_shared_meshes(vrmi_migration *m)
{
    const vrmi_mesh_row *rows = vrmi_model_mesh(m->model);
    const uint32_t count = m->gltf->counts[VRM_GLTF_MESHES];
    vrmi_array users = {.item_size = sizeof(uint32_t)};
    uint32_t *users_of = m->is_vrm0 ? vrmi_writer_reserve(&m->out, &users, count) : NULL;
    for (uint32_t i = 0; users_of != NULL && i < m->model->mesh.count; ++i) {
        if (++users_of[rows[i].gltf_mesh] == 2) {
            vrmi_migrate_report(
                m, VRM_FINDING_MIGRATE_MESH_SHARED, m->gltf->meshes[rows[i].gltf_mesh].json, NULL, NULL, NULL);
        }
    }
    vrmi_array_free(&users, &m->out.allocator);
}

// Moves the names of morph targets to their mesh.
static void move_target_names(vrmi_migration *m)
{
    for (uint32_t i = 0; i < m->gltf->counts[VRM_GLTF_MESHES]; ++i) {
        const vrmi_gltf_mesh *mesh = &m->gltf->meshes[i];
        const uint32_t extras = vrmi_json_member(m->json, mesh->json, "extras");
        if (mesh->target_names_json != VRMI_JSON_NONE &&
            vrmi_json_member(m->json, extras, "targetNames") == VRMI_JSON_NONE &&
            (extras == VRMI_JSON_NONE || vrmi_json_is(m->json, extras, VRMI_JSON_OBJECT))) {
            const vrm_string names = vrmi_json_text(m->json, mesh->target_names_json);
            vrmi_write_json(&m->out, names.data, names.length, "/meshes/%u/extras/targetNames", i);
        }
    }
}

static void remove_tangents(vrmi_migration *m)
{
    uint32_t removed = 0;
    for (uint32_t i = 0; i < m->gltf->counts[VRM_GLTF_MESHES]; ++i) {
        const vrmi_gltf_range range = m->gltf->meshes[i].primitives;
        for (uint32_t p = 0; p < range.count; ++p) {
            const vrmi_gltf_primitive *primitive = &m->gltf->primitives[range.first + p];
            if (vrmi_json_member(m->json, primitive->attributes_json, "TANGENT") != VRMI_JSON_NONE) {
                vrmi_write_removal(&m->out, "/meshes/%u/primitives/%u/attributes/TANGENT", i, p);
                ++removed;
            }
            uint32_t index = 0;
            for (uint32_t target = vrmi_json_first(m->json, primitive->targets_json); target != VRMI_JSON_NONE;
                 target = vrmi_json_next(m->json, target), ++index) {
                if (vrmi_json_member(m->json, target, "TANGENT") != VRMI_JSON_NONE) {
                    vrmi_write_removal(&m->out, "/meshes/%u/primitives/%u/targets/%u/TANGENT", i, p, index);
                    ++removed;
                }
            }
        }
    }
    if (removed != 0) {
        vrmi_migrate_report(
            m, VRM_FINDING_MIGRATE_TANGENTS_REMOVED, m->gltf->arrays[VRM_GLTF_MESHES], NULL, NULL, NULL);
    }
}

static void write_vrm(vrmi_migration *m)
{
    static const char *const kept[] = {"extensions", "extras"};
    vrmi_text text;
    vrmi_text_init(&text, &m->out.allocator);
    vrmi_text_add_string(&text, "{\"specVersion\":\"1.0\"");
    vrmi_migrate_meta(m, &text);
    add_humanoid(m, &text);
    report_muscles(m);
    add_first_person(m, &text);
    report_shared_meshes(m);
    vrmi_migrate_look_at(m, &text);
    vrmi_migrate_expressions(m, &text);
    for (size_t i = 0; i < VRMI_COUNT_OF(kept); ++i) {
        const uint32_t value = vrmi_json_member(m->json, m->vrm, kept[i]);
        if (value != VRMI_JSON_NONE) {
            const vrm_string others = vrmi_json_text(m->json, value);
            vrmi_text_format(&text, ",\"%s\":%.*s", kept[i], (int)others.length, others.data);
        }
    }
    vrmi_text_add_string(&text, "}");
    vrmi_migrate_use(m, VRMI_USES_VRM);
    vrmi_write_text(&m->out, &text, "/extensions/VRMC_vrm");
}

// --- extensionsUsed --------------------------------------------------------------------------------------------------

static bool is_old(const vrmi_migration *m, uint32_t name)
{
    bool found = false;
    for (size_t i = 0; i < VRMI_COUNT_OF(old_names); ++i) {
        found = found || vrmi_json_string_equal(m->json, name, old_names[i]);
    }
    return found;
}

// Writes a list of extensions without the removed names. `adds` are bits of extensions to append.
static void write_extension_list(vrmi_migration *m, const char *key, uint32_t adds)
{
    const uint32_t list = vrmi_json_member(m->json, 0, key);
    vrmi_text text;
    vrmi_text_init(&text, &m->out.allocator);
    for (uint32_t item = vrmi_json_first(m->json, list); item != VRMI_JSON_NONE; item = vrmi_json_next(m->json, item)) {
        for (int i = 0; i < VRMI_USES_COUNT; ++i) {
            adds &= vrmi_json_string_equal(m->json, item, extension_names[i]) ? ~(1u << i) : UINT32_MAX;
        }
        if (!is_old(m, item)) {
            const vrm_string name = vrmi_json_text(m->json, item);
            vrmi_text_format(&text, "%s%.*s", text.size == 0 ? "[" : ",", (int)name.length, name.data);
        }
    }
    for (int i = 0; i < VRMI_USES_COUNT; ++i) {
        if ((adds >> i & 1u) != 0) {
            vrmi_text_format(&text, "%s\"%s\"", text.size == 0 ? "[" : ",", extension_names[i]);
        }
    }
    if (text.size == 0 && !text.failed) {
        vrmi_write_removal(&m->out, "/%s", key);
        vrmi_text_free(&text);
        return;
    }
    vrmi_text_add_string(&text, "]");
    vrmi_write_text(&m->out, &text, "/%s", key);
}

// --- the whole migration ---------------------------------------------------------------------------------------------

// Writes new springs. If the springs already have the form of 1.0, only older words are replaced.
static void write_springs(vrmi_migration *m)
{
    const uint32_t springs = vrmi_json_at(m->json, "/extensions/VRMC_springBone");
    if (!m->is_vrm0 && (vrmi_json_member(m->json, springs, "colliders") != VRMI_JSON_NONE ||
                           vrmi_json_member(m->json, springs, "colliderGroups") != VRMI_JSON_NONE)) {
        vrmi_migrate_spring_words(m);
    } else {
        vrmi_migrate_springs(m);
    }
}

static void write_all(vrmi_migration *m, vrm_half_turn turn)
{
    vrmi_array emission = {.item_size = sizeof(float)};
    m->emission = vrmi_writer_reserve(&m->out, &emission, m->model->material.count);
    if (m->emission != NULL) {
        if (m->is_vrm0) {
            vrmi_migrate_turn(m, turn);
        }
        vrmi_migrate_materials(m);
        write_vrm(m);
        write_springs(m);
        vrmi_migrate_constraints(m);
        move_target_names(m);
        remove_tangents(m);
        if (m->is_vrm0) {
            vrmi_write_removal(&m->out, "/extensions/VRM");
        }
    }
    vrmi_array_free(&emission, &m->out.allocator);
}

void(vrm_migrate_params_default)(vrm_migrate_params *def, size_t size)
{
    const vrm_migrate_params own = {.struct_size = sizeof own};
    vrmi_write_defaults(def, size, &own, sizeof own);
}

vrm_result vrm_migrate(const vrm_migrate_params *def, vrm_gltf *gltf, const vrm_avatar *avatar, vrm_report *report)
{
    vrm_migrate_params own;
    vrm_migrate_params_default(&own);
    if (!VRM_ASSERT(avatar != NULL && gltf != NULL) || !VRMI_READ_OPTIONS(vrm_migrate_params, &own, def) ||
        (own.turn != VRM_HALF_TURN_DATA && own.turn != VRM_HALF_TURN_ROOT)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrmi_model *model = avatar->model;
    const vrmi_dialect dialect = (vrmi_dialect)model->head.dialect;
    vrmi_migration m = {.gltf = gltf,
        .json = &gltf->json,
        .model = model,
        .out = {.gltf = gltf},
        .reader = {.json = &gltf->json, .report = report},
        .is_vrm0 = dialect == VRMI_DIALECT_0_X,
        .node_count = gltf->counts[VRM_GLTF_NODES]};
    m.vrm = vrmi_json_at(m.json, m.is_vrm0 ? "/extensions/VRM" : "/extensions/VRMC_vrm");
    if (!vrm_avatar_is_from(avatar, gltf) || !vrmi_gltf_is_unedited(gltf) || dialect == VRMI_DIALECT_NONE ||
        m.vrm == VRMI_JSON_NONE) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrmi_resolve_allocator(&own.allocator, &m.out.allocator);
    if (dialect == VRMI_DIALECT_1_0_BETA) {
        vrmi_migrate_beta(&m);
    } else if (dialect != VRMI_DIALECT_1_0) {
        write_all(&m, own.turn);
    }
    if (dialect != VRMI_DIALECT_1_0) {
        write_extension_list(&m, "extensionsUsed", m.uses);
        write_extension_list(&m, "extensionsRequired", 0);
    }
    if (vrmi_writer_runs(&m.out) && own.strict && m.losses != 0) {
        return VRM_ERROR_UNSUPPORTED;
    }
    return m.out.result;
}
