// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "inspect.h"

#include <string.h>

typedef struct writer {
    vrmi_text *out;
    bool color;
} writer;

static void add_heading(const writer *w, const char *heading)
{
    vrmi_text_format(w->out, "\n%s%s%s\n", cli_styled(w->color, CLI_BOLD), heading, cli_styled(w->color, CLI_PLAIN));
}

static void add_view(vrmi_text *out, vrm_string text)
{
    cli_add_file_text(out, text.data, text.length);
}

// Pads a column to a width in characters: it does not count the bytes that continue a UTF-8 sequence.
static void pad(vrmi_text *out, size_t start, size_t width)
{
    size_t shown = 0;
    for (size_t i = start; i < out->size; ++i) {
        shown += ((unsigned char)out->data[i] & 0xc0) != 0x80;
    }
    for (; shown < width; ++shown) {
        vrmi_text_add_string(out, " ");
    }
}

static void add_label(const writer *w, const char *label)
{
    const size_t start = w->out->size;
    vrmi_text_format(w->out, "  %s", label);
    pad(w->out, start, 18);
}

static void add_field(const writer *w, const char *label, vrm_string value)
{
    if (value.length != 0) {
        add_label(w, label);
        add_view(w->out, value);
        vrmi_text_add_string(w->out, "\n");
    }
}

static void add_name_column(const writer *w, vrm_string name, size_t width)
{
    const size_t start = w->out->size;
    vrmi_text_add_string(w->out, "  ");
    add_view(w->out, name.length != 0 ? name : vrmi_string("(no name)"));
    pad(w->out, start, width);
    vrmi_text_add_string(w->out, " ");
}

static void add_bytes(vrmi_text *out, uint64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB"};
    double value = (double)bytes;
    int unit = 0;
    for (; value >= 1024 && unit < 3; ++unit) {
        value /= 1024;
    }
    // Three digits are enough, but four avoid a form such as 1.02e+03.
    vrmi_text_add_digits(out, value, value >= 1000 ? 4 : 3);
    vrmi_text_format(out, " %s", units[unit]);
}

static void add_metres(vrmi_text *out, float metres)
{
    vrmi_text_add_digits(out, (double)metres, 3);
    vrmi_text_add_string(out, " m");
}

static void add_header(const writer *w, const inspection *file)
{
    vrmi_text_add_string(w->out, cli_styled(w->color, CLI_BOLD));
    add_view(w->out, vrmi_string(file->path));
    vrmi_text_format(w->out, "%s\n", cli_styled(w->color, CLI_PLAIN));
    if (file->peek == NULL) {
        return;
    }
    add_label(w, "format");
    vrmi_text_format(
        w->out, "%s%s", file->info.dialect[0] != '\0' ? "VRM " : "glTF 2.0 without VRM", file->info.dialect);
    if (file->info.spec_version.length != 0 && !vrmi_string_equal(file->info.spec_version, file->info.dialect)) {
        vrmi_text_add_string(w->out, " (specVersion ");
        add_view(w->out, file->info.spec_version);
        vrmi_text_add_string(w->out, ")");
    }
    vrmi_text_add_string(w->out, ", ");
    add_bytes(w->out, file->size);
    vrmi_text_add_string(w->out, "\n");
    add_field(w, "generator", file->info.generator);
}

static void add_meta(const writer *w, const inspection *file)
{
    const vrm_meta *meta = &file->meta;
    const char *terms = vrmi_string_equal(vrmi_string(file->info.dialect), "1.0") ? "as written" : "older terms";
    add_field(w, "name", meta->name);
    add_field(w, "version", meta->version);
    for (uint32_t i = 0; i < meta->author_count; ++i) {
        add_field(w, i == 0 ? "author" : "", meta->authors[i]);
    }
    add_field(w, "copyright", meta->copyright_information);
    add_field(w, "contact", meta->contact_information);
    for (uint32_t i = 0; i < meta->reference_count; ++i) {
        add_field(w, i == 0 ? "reference" : "", meta->references[i]);
    }
    add_field(w, "licence", meta->license_url);
    add_field(w, "other licence", meta->other_license_url);
    for (uint32_t i = 0; i < meta->old_term_count; ++i) { // permissions in the words of the file
        if (meta->old_terms[2 * i + 1].length == 0) {
            continue;
        }
        add_label(w, i == 0 ? terms : "");
        add_view(w->out, meta->old_terms[2 * i]);
        vrmi_text_add_string(w->out, " ");
        add_view(w->out, meta->old_terms[2 * i + 1]);
        vrmi_text_add_string(w->out, "\n");
    }
    add_field(w, "third parties", meta->third_party_licenses);
}

static void add_permissions(const writer *w, const inspection *file)
{
    static const cli_style styles[] = {CLI_GREEN, CLI_GREEN, CLI_RED, CLI_YELLOW};
    add_heading(w, "conditions of use for everyone");
    for (int use = 0; use < VRM_USE_COUNT; ++use) {
        const char *field = "";
        const vrm_permission permission = vrm_meta_get_permission(&file->meta, (vrm_use)use, VRM_USER_EVERYONE, &field);
        add_name_column(w, vrmi_string(vrm_use_name((vrm_use)use)), 24);
        const size_t start = w->out->size;
        vrmi_text_format(w->out, "%s%s%s", cli_styled(w->color, styles[permission]),
            inspect_permission_word(permission), cli_styled(w->color, CLI_PLAIN));
        pad(w->out, start, w->color ? 29 : 20);
        vrmi_text_format(w->out, " %s\n", field);
    }
    vrmi_text_add_string(w->out, "  A permission that is not stated is not granted.\n");
}

static void add_required(const writer *w, const inspection *file)
{
    if (!inspect_is_required(file->require)) {
        return;
    }
    add_heading(w, "required");
    for (int use = 0; use < VRM_USE_COUNT; ++use) {
        if (!file->require->wanted[use]) {
            continue;
        }
        const char *field = "";
        const vrm_permission permission =
            file->has_meta ? vrm_meta_get_permission(&file->meta, (vrm_use)use, file->require->who, &field)
                           : VRM_PERMISSION_NOT_STATED;
        add_name_column(w, vrmi_string(vrm_use_name((vrm_use)use)), 24);
        vrmi_text_format(w->out, "%s for %s: %s%s%s\n", inspect_is_granted(permission) ? "granted" : "NOT granted",
            inspect_user_word(file->require->who), inspect_permission_word(permission), field[0] != '\0' ? ", by " : "",
            field);
    }
}

static void add_contents(const writer *w, const inspection *file)
{
    const vrm_peek_info *info = &file->info;
    add_heading(w, "contents");
    if (file->model.avatar != NULL) {
        add_label(w, "height");
        add_metres(w->out, file->body.height);
        vrmi_text_add_string(w->out, ", eyes at ");
        add_metres(w->out, file->body.eye_height);
        vrmi_text_add_string(w->out, ", hips at ");
        add_metres(w->out, file->body.hips_height);
        vrmi_text_add_string(w->out, "\n");
    }
    if (file->box.min.x <= file->box.max.x) {
        add_label(w, "bounds");
        add_metres(w->out, file->box.max.x - file->box.min.x);
        vrmi_text_add_string(w->out, " wide, ");
        add_metres(w->out, file->box.max.y - file->box.min.y);
        vrmi_text_add_string(w->out, " high, ");
        add_metres(w->out, file->box.max.z - file->box.min.z);
        vrmi_text_add_string(w->out, " deep\n");
    }
    add_label(w, "geometry");
    const cli_count geometry[] = {{info->triangle_count, "triangle", NULL}, {info->vertex_count, "vertex", "vertices"},
        {info->mesh_count, "mesh", "meshes"}, {info->skin_count, "skin", NULL}, {info->node_count, "node", NULL}};
    cli_add_counts(w->out, geometry, 5);
    vrmi_text_add_string(w->out, "\n");
    add_label(w, "surface");
    const cli_count surface[] = {{info->material_count, "material", NULL}, {info->texture_count, "texture", NULL},
        {info->image_count, "image", NULL}};
    cli_add_counts(w->out, surface, 3);
    vrmi_text_add_string(w->out, ", about ");
    add_bytes(w->out, info->texture_memory);
    vrmi_text_add_string(w->out, " of texture memory\n");
    add_label(w, "motion");
    const cli_count springs[] = {{info->expression_count, "expression", NULL}, {info->spring_count, "spring", NULL}};
    const cli_count others[] = {{inspect_spring_joints(file), "joint", NULL}, {info->collider_count, "collider", NULL},
        {info->constraint_count, "constraint", NULL}, {info->animation_count, "animation", NULL}};
    cli_add_counts(w->out, springs, 2);
    vrmi_text_add_string(w->out, " with ");
    cli_add_counts(w->out, others, 4);
    vrmi_text_add_string(w->out, "\n");
}

static void add_bones(const writer *w, const vrm_avatar *avatar)
{
    uint32_t present = 0;
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        present += vrm_avatar_get_bone_node(avatar, (vrm_human_bone)bone) >= 0;
    }
    add_label(w, "bones");
    vrmi_text_format(w->out, "%u of %d", present, (int)VRM_HUMAN_BONE_COUNT);
    const char *separator = "; missing: ";
    size_t column = 40;
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if (vrm_avatar_get_bone_node(avatar, (vrm_human_bone)bone) < 0) {
            const char *name = vrm_human_bone_name((vrm_human_bone)bone);
            column += strlen(name) + 2;
            vrmi_text_format(w->out, "%s%s", separator, name);
            separator = column > 100 ? ",\n                    " : ", ";
            column = column > 100 ? 20 : column;
        }
    }
    vrmi_text_add_string(w->out, "\n");
}

static void add_override(vrmi_text *out, const char *what, vrm_expression_override override)
{
    if (override != VRM_EXPRESSION_OVERRIDE_NONE) {
        vrmi_text_format(out, ", %ss %s", inspect_override_word(override), what);
    }
}

static void add_binds(vrmi_text *out, const char **separator, uint32_t count, const char *what)
{
    if (count != 0) {
        const cli_count binds = {count, what, NULL};
        vrmi_text_add_string(out, *separator);
        cli_add_counts(out, &binds, 1);
        *separator = ", ";
    }
}

static void add_expressions(const writer *w, const vrm_avatar *avatar, uint32_t count)
{
    if (count != 0) {
        add_heading(w, "expressions");
    }
    for (uint32_t i = 0; i < count; ++i) {
        vrm_expression e = {.struct_size = sizeof e};
        if (vrm_avatar_get_expression(avatar, i, &e) != VRM_SUCCESS) {
            continue;
        }
        add_name_column(w, e.name, 24);
        const char *separator = "";
        add_binds(w->out, &separator, e.morph_bind_count, "morph");
        add_binds(w->out, &separator, e.color_bind_count, "colour");
        add_binds(w->out, &separator, e.texture_bind_count, "texture transform");
        vrmi_text_format(w->out, "%s%s%s", separator[0] == '\0' ? "moves nothing" : "", e.is_binary ? ", binary" : "",
            e.preset == VRM_EXPRESSION_CUSTOM ? ", custom" : "");
        add_override(w->out, "blink", e.override_blink);
        add_override(w->out, "gaze", e.override_look_at);
        add_override(w->out, "mouth", e.override_mouth);
        vrmi_text_add_string(w->out, "\n");
    }
}

static vrm_string node_name(const vrm_avatar *avatar, uint32_t index)
{
    vrm_node node = {.struct_size = sizeof node};
    return vrm_avatar_get_node(avatar, index, &node) == VRM_SUCCESS ? node.name : vrmi_string("");
}

static void add_springs(const writer *w, const vrm_avatar *avatar, const vrm_avatar_counts *counts)
{
    if (counts->spring_chains != 0) {
        add_heading(w, "springs, in simulation order");
    }
    for (uint32_t i = 0; i < counts->spring_chains; ++i) {
        vrm_spring_chain chain = {.struct_size = sizeof chain};
        vrm_spring_joint joint = {.struct_size = sizeof joint};
        if (vrm_avatar_get_spring_chain(avatar, i, &chain) != VRM_SUCCESS) {
            continue;
        }
        add_name_column(w, chain.name, 24);
        const cli_count of_chain[] = {{chain.joint_count, "joint", NULL}, {chain.collider_count, "collider", NULL}};
        cli_add_counts(w->out, of_chain, 2);
        if (vrm_avatar_get_spring_joint(avatar, chain.first_joint, &joint) == VRM_SUCCESS) {
            vrmi_text_add_string(w->out, ", from ");
            add_view(w->out, node_name(avatar, joint.node));
        }
        if (chain.center >= 0) {
            vrmi_text_add_string(w->out, ", centre ");
            add_view(w->out, node_name(avatar, (uint32_t)chain.center));
        }
        vrmi_text_add_string(w->out, "\n");
    }
    uint32_t shapes[VRM_COLLIDER_PLANE + 1] = {0};
    for (uint32_t i = 0; i < counts->colliders; ++i) {
        vrm_collider collider = {.struct_size = sizeof collider};
        if (vrm_avatar_get_collider(avatar, i, &collider) == VRM_SUCCESS) {
            ++shapes[collider.shape];
        }
    }
    if (counts->colliders != 0) {
        const char *separator = "  colliders: ";
        for (int shape = 0; shape <= VRM_COLLIDER_PLANE; ++shape) {
            if (shapes[shape] != 0) {
                vrmi_text_format(
                    w->out, "%s%u %s", separator, shapes[shape], inspect_collider_word((vrm_collider_shape)shape));
                separator = ", ";
            }
        }
        vrmi_text_add_string(w->out, "\n");
    }
}

static void add_constraints(const writer *w, const vrm_avatar *avatar, uint32_t count)
{
    if (count != 0) {
        add_heading(w, "constraints, in evaluation order");
    }
    for (uint32_t i = 0; i < count; ++i) {
        vrm_constraint constraint = {.struct_size = sizeof constraint};
        if (vrm_avatar_get_constraint(avatar, i, &constraint) != VRM_SUCCESS) {
            continue;
        }
        add_name_column(w, node_name(avatar, constraint.node), 24);
        vrmi_text_format(w->out, "%s, from ", inspect_constraint_word(constraint.type));
        add_view(w->out, node_name(avatar, constraint.source));
        vrmi_text_add_string(w->out, ", weight ");
        vrmi_text_add_float(w->out, constraint.weight);
        vrmi_text_add_string(w->out, "\n");
    }
}

static void add_materials(const writer *w, const vrm_avatar *avatar, uint32_t count)
{
    if (count != 0) {
        add_heading(w, "materials");
    }
    for (uint32_t i = 0; i < count; ++i) {
        static const char *const alpha_words[] = {"opaque", "mask", "blend"};
        vrm_material material = {.struct_size = sizeof material};
        if (vrm_avatar_get_material(avatar, i, &material) != VRM_SUCCESS) {
            continue;
        }
        const vrm_material_params *params = &material.params;
        add_name_column(w, material.name, 24);
        vrmi_text_format(w->out, "%s, %s%s%s", inspect_material_word(params->type), alpha_words[params->alpha_mode],
            params->double_sided ? ", double sided" : "", params->outline_mode != VRM_OUTLINE_NONE ? ", outline" : "");
        const char *separator = "; textures ";
        for (int slot = 0; slot < VRM_TEXTURE_SLOT_COUNT; ++slot) {
            if (params->textures[slot].index >= 0) {
                vrmi_text_format(w->out, "%s%s %d", separator, inspect_texture_word((vrm_texture_slot)slot),
                    params->textures[slot].index);
                separator = ", ";
            }
        }
        vrmi_text_add_string(w->out, "\n");
    }
}

static void add_images(const writer *w, const vrm_gltf *gltf)
{
    const uint32_t count = vrm_gltf_get_count(gltf, VRM_GLTF_IMAGES);
    if (count != 0) {
        add_heading(w, "images");
    }
    for (uint32_t i = 0; i < count; ++i) {
        vrm_gltf_image image = {.struct_size = sizeof image};
        if (vrm_gltf_get_image(gltf, i, &image) != VRM_SUCCESS) {
            continue;
        }
        add_name_column(w, image.name, 24);
        vrmi_text_format(w->out, "%ux%u %s, ", image.width, image.height,
            image.mime_type[0] != '\0' ? image.mime_type : "unknown format");
        add_bytes(w->out, image.size);
        vrmi_text_add_string(w->out, ", in memory ");
        add_bytes(w->out, inspect_image_memory(&image));
        vrmi_text_add_string(w->out, "\n");
    }
}

static void add_findings(const writer *w, const inspection *file, const vrm_report *report)
{
    if (vrm_report_get_count(report) == 0) {
        // A file that could not be read must not be reported as free of findings.
        vrmi_text_add_string(w->out, file->result == VRM_SUCCESS ? "\nno findings\n" : "");
        return;
    }
    add_heading(w, "findings");
    cli_findings_text(w->out, report, VRM_SEVERITY_HINT, w->color);
    cli_finding_counts_text(w->out, report);
    vrmi_text_add_string(w->out, (file->counts.flags & VRM_AVATAR_REPAIRED) != 0
                                     ? "\nrepaired while reading: the warnings say how; --strict refuses the file\n"
                                     : "\n");
}

void inspect_text(vrmi_text *out, const inspection *file, const vrm_report *report, bool color)
{
    const writer w = {out, color};
    add_header(&w, file);
    if (file->has_meta) {
        add_meta(&w, file);
        add_permissions(&w, file);
    }
    add_required(&w, file);
    if (file->peek != NULL) {
        add_contents(&w, file);
    }
    if (file->model.avatar != NULL) {
        const vrm_avatar *avatar = file->model.avatar;
        add_bones(&w, avatar);
        add_expressions(&w, avatar, file->counts.expressions);
        add_springs(&w, avatar, &file->counts);
        add_constraints(&w, avatar, file->counts.constraints);
        add_materials(&w, avatar, file->counts.materials);
    }
    if (file->model.gltf != NULL) {
        add_images(&w, file->model.gltf);
    }
    add_findings(&w, file, report);
}
