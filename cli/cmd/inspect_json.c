// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "inspect.h"

// Each member has its own function; docs/commands.md describes the members. Angles are in degrees, as in the files.

#define DEGREES(radians) ((float)((double)(radians) * (180.0 / 3.14159265358979323846)))

static void add_strings(cli_json *json, const char *name, const vrm_string *items, uint32_t count)
{
    cli_json_open(json, name, '[');
    for (uint32_t i = 0; i < count; ++i) {
        cli_json_view(json, NULL, items[i]);
    }
    cli_json_close(json, ']');
}

static void add_meta(cli_json *json, const vrm_meta *meta)
{
    cli_json_open(json, "meta", '{');
    cli_json_view(json, "name", meta->name);
    cli_json_view(json, "version", meta->version);
    add_strings(json, "authors", meta->authors, meta->author_count);
    cli_json_view(json, "copyrightInformation", meta->copyright_information);
    cli_json_view(json, "contactInformation", meta->contact_information);
    add_strings(json, "references", meta->references, meta->reference_count);
    cli_json_view(json, "thirdPartyLicenses", meta->third_party_licenses);
    cli_json_view(json, "licenseUrl", meta->license_url);
    cli_json_view(json, "otherLicenseUrl", meta->other_license_url);
    if (meta->old_term_count != 0) {
        cli_json_open(json, "oldTerms", '{');
        for (uint32_t i = 0; i < meta->old_term_count; ++i) {
            cli_json_view(json, meta->old_terms[2 * i].data, meta->old_terms[2 * i + 1]); // keys are zero-terminated
        }
        cli_json_close(json, '}');
    }
    cli_json_int(json, "thumbnailImage", meta->thumbnail_image);
    cli_json_close(json, '}');
}

static void add_permissions(cli_json *json, const vrm_meta *meta)
{
    cli_json_open(json, "permissions", '{');
    for (int use = 0; use < VRM_USE_COUNT; ++use) {
        cli_json_open(json, cli_json_camel(vrm_use_name((vrm_use)use)).text, '{');
        const char *field = "";
        for (int who = VRM_USER_AUTHOR; who <= VRM_USER_EVERYONE; ++who) {
            const vrm_permission permission = vrm_meta_get_permission(meta, (vrm_use)use, (vrm_user)who, &field);
            cli_json_text(json, inspect_user_word((vrm_user)who), inspect_permission_word(permission));
        }
        // `field` comes from the last query, which is the strictest one: everyone.
        cli_json_text(json, "field", field);
        cli_json_close(json, '}');
    }
    cli_json_close(json, '}');
}

static void add_required(cli_json *json, const inspection *file)
{
    cli_json_open(json, "required", '[');
    for (int use = 0; use < VRM_USE_COUNT; ++use) {
        if (!file->require->wanted[use]) {
            continue;
        }
        const char *field = "";
        const vrm_permission permission =
            file->has_meta ? vrm_meta_get_permission(&file->meta, (vrm_use)use, file->require->who, &field)
                           : VRM_PERMISSION_NOT_STATED;
        cli_json_open(json, NULL, '{');
        cli_json_text(json, "use", cli_json_camel(vrm_use_name((vrm_use)use)).text);
        cli_json_text(json, "who", inspect_user_word(file->require->who));
        cli_json_bool(json, "granted", inspect_is_granted(permission));
        cli_json_text(json, "answer", inspect_permission_word(permission));
        cli_json_text(json, "field", field);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void add_counts(cli_json *json, const inspection *file)
{
    const vrm_peek_info *info = &file->info;
    cli_json_open(json, "counts", '{');
    cli_json_uint(json, "nodes", info->node_count);
    cli_json_uint(json, "meshes", info->mesh_count);
    cli_json_uint(json, "skins", info->skin_count);
    cli_json_uint(json, "triangles", info->triangle_count);
    cli_json_uint(json, "vertices", info->vertex_count);
    cli_json_uint(json, "materials", info->material_count);
    cli_json_uint(json, "textures", info->texture_count);
    cli_json_uint(json, "images", info->image_count);
    cli_json_uint(json, "animations", info->animation_count);
    cli_json_uint(json, "expressions", info->expression_count);
    cli_json_uint(json, "springs", info->spring_count);
    cli_json_uint(json, "springJoints", inspect_spring_joints(file));
    cli_json_uint(json, "colliders", info->collider_count);
    cli_json_uint(json, "constraints", info->constraint_count);
    if (file->model.avatar != NULL) {
        cli_json_uint(json, "simulatedJoints", file->counts.spring_joints);
        cli_json_uint(json, "morphWeights", file->counts.morphs);
        cli_json_uint(json, "avatarBytes", file->counts.bytes);
    }
    cli_json_close(json, '}');
}

static void add_body(cli_json *json, const inspection *file)
{
    cli_json_open(json, "body", '{');
    cli_json_float(json, "height", file->body.height);
    cli_json_float(json, "eyeHeight", file->body.eye_height);
    cli_json_float(json, "hipsHeight", file->body.hips_height);
    if (file->box.min.x <= file->box.max.x) {
        cli_json_floats(json, "min", &file->box.min.x, 3);
        cli_json_floats(json, "max", &file->box.max.x, 3);
    }
    cli_json_close(json, '}');
}

static void add_node(cli_json *json, const char *name, const vrm_avatar *avatar, int32_t index)
{
    vrm_node node = {.struct_size = sizeof node};
    if (index < 0 || vrm_avatar_get_node(avatar, (uint32_t)index, &node) != VRM_SUCCESS) {
        return;
    }
    cli_json_open(json, name, '{');
    cli_json_uint(json, "node", node.gltf_node);
    cli_json_view(json, "name", node.name);
    cli_json_close(json, '}');
}

static void add_humanoid(cli_json *json, const vrm_avatar *avatar)
{
    cli_json_open(json, "bones", '{');
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        add_node(json, vrm_human_bone_name((vrm_human_bone)bone), avatar,
            vrm_avatar_get_bone_node(avatar, (vrm_human_bone)bone));
    }
    cli_json_close(json, '}');
    cli_json_open(json, "missingBones", '[');
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if (vrm_avatar_get_bone_node(avatar, (vrm_human_bone)bone) < 0) {
            cli_json_text(json, NULL, vrm_human_bone_name((vrm_human_bone)bone));
        }
    }
    cli_json_close(json, ']');
}

static void add_expressions(cli_json *json, const vrm_avatar *avatar, uint32_t count)
{
    cli_json_open(json, "expressions", '[');
    for (uint32_t i = 0; i < count; ++i) {
        vrm_expression e = {.struct_size = sizeof e};
        if (vrm_avatar_get_expression(avatar, i, &e) != VRM_SUCCESS) {
            continue;
        }
        cli_json_open(json, NULL, '{');
        cli_json_view(json, "name", e.name);
        cli_json_bool(json, "custom", e.preset == VRM_EXPRESSION_CUSTOM);
        cli_json_bool(json, "isBinary", e.is_binary);
        cli_json_text(json, "overrideBlink", inspect_override_word(e.override_blink));
        cli_json_text(json, "overrideLookAt", inspect_override_word(e.override_look_at));
        cli_json_text(json, "overrideMouth", inspect_override_word(e.override_mouth));
        cli_json_uint(json, "morphTargetBinds", e.morph_bind_count);
        cli_json_uint(json, "materialColorBinds", e.color_bind_count);
        cli_json_uint(json, "textureTransformBinds", e.texture_bind_count);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void add_range(cli_json *json, const char *name, const vrm_range_map *map, vrm_look_at_type type)
{
    cli_json_open(json, name, '{');
    cli_json_float(json, "inputMaxValue", DEGREES(map->input_max));
    cli_json_float(json, "outputScale", type == VRM_LOOK_AT_BONE ? DEGREES(map->output_scale) : map->output_scale);
    cli_json_close(json, '}');
}

static void add_look_at(cli_json *json, const vrm_avatar *avatar)
{
    static const char *const words[] = {"none", "bone", "expression"};
    vrm_look_at look = {.struct_size = sizeof look};
    vrm_avatar_get_look_at(avatar, &look);
    cli_json_open(json, "lookAt", '{');
    cli_json_text(json, "type", words[look.type]);
    cli_json_floats(json, "offsetFromHeadBone", &look.offset_from_head_bone.x, 3);
    add_range(json, "rangeMapHorizontalInner", &look.horizontal_inner, look.type);
    add_range(json, "rangeMapHorizontalOuter", &look.horizontal_outer, look.type);
    add_range(json, "rangeMapVerticalDown", &look.vertical_down, look.type);
    add_range(json, "rangeMapVerticalUp", &look.vertical_up, look.type);
    cli_json_close(json, '}');
}

static void add_springs(cli_json *json, const vrm_avatar *avatar, const vrm_avatar_counts *counts)
{
    cli_json_open(json, "springChains", '[');
    for (uint32_t i = 0; i < counts->spring_chains; ++i) {
        vrm_spring_chain chain = {.struct_size = sizeof chain};
        vrm_spring_joint joint = {.struct_size = sizeof joint};
        if (vrm_avatar_get_spring_chain(avatar, i, &chain) != VRM_SUCCESS) {
            continue;
        }
        cli_json_open(json, NULL, '{');
        cli_json_view(json, "name", chain.name);
        cli_json_uint(json, "spring", chain.spring);
        cli_json_uint(json, "joints", chain.joint_count);
        cli_json_uint(json, "colliders", chain.collider_count);
        if (vrm_avatar_get_spring_joint(avatar, chain.first_joint, &joint) == VRM_SUCCESS) {
            add_node(json, "root", avatar, (int32_t)joint.node);
        }
        add_node(json, "center", avatar, chain.center);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
    cli_json_open(json, "colliders", '[');
    for (uint32_t i = 0; i < counts->colliders; ++i) {
        vrm_collider collider = {.struct_size = sizeof collider};
        if (vrm_avatar_get_collider(avatar, i, &collider) != VRM_SUCCESS) {
            continue;
        }
        cli_json_open(json, NULL, '{');
        cli_json_text(json, "shape", inspect_collider_word(collider.shape));
        cli_json_float(json, "radius", collider.radius);
        add_node(json, "on", avatar, (int32_t)collider.node);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void add_constraints(cli_json *json, const vrm_avatar *avatar, uint32_t count)
{
    cli_json_open(json, "constraints", '[');
    for (uint32_t i = 0; i < count; ++i) {
        vrm_constraint constraint = {.struct_size = sizeof constraint};
        if (vrm_avatar_get_constraint(avatar, i, &constraint) != VRM_SUCCESS) {
            continue;
        }
        cli_json_open(json, NULL, '{');
        cli_json_text(json, "type", inspect_constraint_word(constraint.type));
        add_node(json, "destination", avatar, (int32_t)constraint.node);
        add_node(json, "source", avatar, (int32_t)constraint.source);
        cli_json_float(json, "weight", constraint.weight);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void add_materials(cli_json *json, const vrm_avatar *avatar, uint32_t count)
{
    static const char *const alpha_words[] = {"OPAQUE", "MASK", "BLEND"};
    static const char *const outline_words[] = {"none", "worldCoordinates", "screenCoordinates"};
    cli_json_open(json, "materials", '[');
    for (uint32_t i = 0; i < count; ++i) {
        vrm_material material = {.struct_size = sizeof material};
        if (vrm_avatar_get_material(avatar, i, &material) != VRM_SUCCESS) {
            continue;
        }
        const vrm_material_params *params = &material.params;
        cli_json_open(json, NULL, '{');
        cli_json_view(json, "name", material.name);
        cli_json_text(json, "type", inspect_material_word(params->type));
        cli_json_text(json, "alphaMode", alpha_words[params->alpha_mode]);
        cli_json_bool(json, "doubleSided", params->double_sided);
        cli_json_text(json, "outlineWidthMode", outline_words[params->outline_mode]);
        cli_json_int(json, "renderQueueOffset", params->render_queue_offset);
        cli_json_open(json, "textures", '{');
        for (int slot = 0; slot < VRM_TEXTURE_SLOT_COUNT; ++slot) {
            if (params->textures[slot].index >= 0) {
                cli_json_int(json, inspect_texture_word((vrm_texture_slot)slot), params->textures[slot].index);
            }
        }
        cli_json_close(json, '}');
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void add_images(cli_json *json, const vrm_gltf *gltf)
{
    cli_json_open(json, "textures", '[');
    for (uint32_t i = 0; i < vrm_gltf_get_count(gltf, VRM_GLTF_TEXTURES); ++i) {
        cli_json_open(json, NULL, '{');
        cli_json_int(json, "image", inspect_texture_image(gltf, i));
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
    cli_json_open(json, "images", '[');
    for (uint32_t i = 0; i < vrm_gltf_get_count(gltf, VRM_GLTF_IMAGES); ++i) {
        vrm_gltf_image image = {.struct_size = sizeof image};
        if (vrm_gltf_get_image(gltf, i, &image) != VRM_SUCCESS) {
            continue;
        }
        cli_json_open(json, NULL, '{');
        cli_json_view(json, "name", image.name);
        cli_json_text(json, "mimeType", image.mime_type);
        cli_json_uint(json, "width", image.width);
        cli_json_uint(json, "height", image.height);
        cli_json_uint(json, "bytes", image.size);
        cli_json_uint(json, "memory", inspect_image_memory(&image));
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void add_avatar(cli_json *json, const inspection *file)
{
    const vrm_avatar *avatar = file->model.avatar;
    add_body(json, file);
    add_humanoid(json, avatar);
    add_expressions(json, avatar, file->counts.expressions);
    add_look_at(json, avatar);
    add_springs(json, avatar, &file->counts);
    add_constraints(json, avatar, file->counts.constraints);
    add_materials(json, avatar, file->counts.materials);
}

void inspect_json(cli_json *json, const inspection *file, const vrm_report *report)
{
    cli_json_text(json, "file", file->path);
    cli_json_uint(json, "size", file->size);
    cli_json_text(json, "result", vrm_result_name(file->result));
    cli_json_uint(json, "exitCode", (uint64_t)file->code);
    if (file->model.avatar != NULL) {
        cli_json_bool(json, "repaired", (file->counts.flags & VRM_AVATAR_REPAIRED) != 0);
    }
    if (file->peek != NULL) {
        cli_json_text(json, "dialect", file->info.dialect);
        cli_json_view(json, "specVersion", file->info.spec_version);
        cli_json_view(json, "generator", file->info.generator);
        add_counts(json, file);
        cli_json_uint(json, "textureMemory", file->info.texture_memory);
    }
    if (file->has_meta) {
        add_meta(json, &file->meta);
        add_permissions(json, &file->meta);
    }
    add_required(json, file);
    if (file->model.avatar != NULL) {
        add_avatar(json, file);
    }
    if (file->model.gltf != NULL) {
        add_images(json, file->model.gltf);
    }
    cli_findings_json(json, report);
}
