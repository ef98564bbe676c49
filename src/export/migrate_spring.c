// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Converts springs. In 0.x, and in drafts whose springs have a root, each chain of the model becomes a spring. A leaf
// with a virtual tail gets a node at that point. Springs of the draft of March 2021 stay, but their colliders move from
// the nodes to VRMC_springBone. In 0.x the file's collider groups are kept; in drafts each node gets one group.

#include "export/migrate.h"

typedef struct spring_writer {
    vrmi_migration *m;
    uint32_t animation;   // secondaryAnimation of 0.x, or VRMC_springBone of a draft
    uint32_t group_count; // number of groups written
    // uint32_t, indexed by the file's group (in drafts by glTF node): 1 + the group's index in the output, 0 if it is
    // not written
    vrmi_array groups;
    // uint32_t, indexed by group in the output: 1 + the index of the file's last spring that lists the group
    vrmi_array marks;
    vrmi_array chain_at; // uint32_t, indexed by joint row: 1 + the chain that begins there; 0: none
    vrmi_array items;    // uint32_t, indexed by the file's spring: its JSON token
    uint32_t listed;     // 1 + the index of the file's spring to which `list` belongs; 0: none
    vrmi_text list;      // JSON list of that spring's groups, shared by its chains
} spring_writer;

// --- colliders -------------------------------------------------------------------------------------------------------

// Writes a collider's shape. Older dialects have only spheres and capsules.
static void add_shape(const vrmi_migration *m, vrmi_text *text, const vrmi_collider_row *c)
{
    const bool capsule = c->shape == VRM_COLLIDER_CAPSULE;
    vrmi_text_format(text, "\"shape\":{\"%s\":{\"offset\":", capsule ? "capsule" : "sphere");
    vrmi_migrate_add_vector(text, vrmi_migrate_vector(m, c->offset));
    vrmi_text_add_string(text, ",\"radius\":");
    vrmi_text_add_float(text, c->radius);
    if (capsule) {
        vrmi_text_add_string(text, ",\"tail\":");
        vrmi_migrate_add_vector(text, vrmi_migrate_vector(m, c->tail));
    }
    vrmi_text_add_string(text, "}}");
}

static void write_colliders(vrmi_migration *m)
{
    const vrmi_collider_row *colliders = vrmi_model_collider(m->model);
    vrmi_text text;
    vrmi_text_init(&text, &m->out.allocator);
    for (uint32_t i = 0; i < m->model->collider.count; ++i) {
        vrmi_text_format(&text, "%s{\"node\":%u,", i == 0 ? "[" : ",", vrmi_migrate_node(m, colliders[i].node));
        add_shape(m, &text, &colliders[i]);
        vrmi_text_add_string(&text, "}");
    }
    vrmi_text_add_string(&text, "]");
    vrmi_write_text(&m->out, &text, "/extensions/VRMC_springBone/colliders");
}

// Writes a group of the next `count` colliders unless it is empty.
static void add_group(spring_writer *s, vrmi_text *text, uint32_t *first, uint32_t count, uint32_t *out_written)
{
    if (count == 0) {
        return;
    }
    vrmi_text_format(text, "%s{\"colliders\":[", s->group_count == 0 ? "[" : ",");
    for (uint32_t i = 0; i < count; ++i) {
        vrmi_text_format(text, "%s%u", i == 0 ? "" : ",", (*first)++);
    }
    vrmi_text_add_string(text, "]}");
    *out_written = ++s->group_count;
}

static void add_groups0(spring_writer *s, vrmi_text *text)
{
    const vrmi_json *json = s->m->json;
    const uint32_t array = vrmi_json_member(json, s->animation, "colliderGroups");
    uint32_t *written = vrmi_writer_reserve(&s->m->out, &s->groups, vrmi_json_count(json, array));
    uint32_t first = 0, index = 0, node = 0;
    for (uint32_t group = vrmi_json_first(json, array); group != VRMI_JSON_NONE && written != NULL;
         group = vrmi_json_next(json, group), ++index) {
        if (vrmi_json_uint(
                json, vrmi_json_member(json, group, "node"), &node)) { // without a node, the colliders have no position
            add_group(
                s, text, &first, vrmi_json_count(json, vrmi_json_member(json, group, "colliders")), &written[index]);
        }
    }
}

static void add_draft_groups(spring_writer *s, vrmi_text *text)
{
    vrmi_migration *m = s->m;
    uint32_t *written = vrmi_writer_reserve(&m->out, &s->groups, m->gltf->counts[VRM_GLTF_NODES]);
    uint32_t first = 0;
    for (uint32_t i = 0; i < m->gltf->counts[VRM_GLTF_NODES] && written != NULL; ++i) {
        const uint32_t extension = vrmi_gltf_extension(m->gltf, m->gltf->nodes[i].json, "VRMC_node_collider");
        add_group(
            s, text, &first, vrmi_json_count(m->json, vrmi_json_member(m->json, extension, "shapes")), &written[i]);
        if (extension != VRMI_JSON_NONE) {
            vrmi_write_extension_removal(&m->out, "VRMC_node_collider", "/nodes/%u", i);
        }
    }
}

// --- chains ----------------------------------------------------------------------------------------------------------

static void add_joint(const spring_writer *s, vrmi_text *text, const vrmi_joint_row *joint, bool first)
{
    const vrm_spring_joint_params *p = &joint->params;
    vrmi_text_format(text, "%s{\"node\":%u,\"hitRadius\":", first ? "" : ",", vrmi_migrate_node(s->m, joint->node));
    vrmi_text_add_float(text, p->hit_radius);
    vrmi_text_add_string(text, ",\"stiffness\":");
    vrmi_text_add_float(text, p->stiffness);
    vrmi_text_add_string(text, ",\"gravityPower\":");
    vrmi_text_add_float(text, p->gravity_power);
    vrmi_text_add_string(text, ",\"gravityDir\":");
    vrmi_migrate_add_vector(text, p->gravity_dir); // not converted: in world axes
    vrmi_text_add_string(text, ",\"dragForce\":");
    vrmi_text_add_float(text, p->drag_force);
    vrmi_text_add_string(text, "}");
}

// Appends a node at the position of a virtual tail.
static uint32_t append_end(spring_writer *s, const vrmi_joint_row *last)
{
    vrmi_migration *m = s->m;
    const vrm_string name = vrmi_model_text(m->model, vrmi_model_node_name(m->model)[last->node]);
    vrmi_text text;
    vrmi_text_init(&text, &m->out.allocator);
    vrmi_text whole;
    vrmi_text_init(&whole, &m->out.allocator);
    vrmi_text_format(&whole, "%.*s_end", (int)name.length, name.data);
    vrmi_text_add_string(&text, "{\"name\":");
    vrmi_text_add_json_string(&text, whole.data, whole.size);
    vrmi_text_add_string(&text, ",\"translation\":");
    vrmi_migrate_add_vector(&text, vrmi_migrate_vector(m, last->tail));
    vrmi_text_add_string(&text, "}");
    text.failed = text.failed || whole.failed;
    vrmi_text_free(&whole);
    vrmi_write_text(&m->out, &text, "/nodes/-");
    vrmi_write_uint(&m->out, m->node_count, "/nodes/%u/children/-", vrmi_migrate_node(m, last->node));
    return m->node_count++;
}

// Lists the groups of a spring in s->list, each once, as "[0,1]". The list is empty if there are none.
static void list_groups(spring_writer *s, uint32_t spring)
{
    const vrmi_json *json = s->m->json;
    const uint32_t *written = s->groups.items;
    uint32_t *marks = s->marks.items;
    const uint32_t list = vrmi_json_member(
        json, ((const uint32_t *)s->items.items)[spring], s->m->is_vrm0 ? "colliderGroups" : "colliders");
    if (s->listed == spring + 1) {
        return;
    }
    s->listed = spring + 1;
    s->list.size = 0;
    for (uint32_t entry = vrmi_json_first(json, list); entry != VRMI_JSON_NONE; entry = vrmi_json_next(json, entry)) {
        uint32_t index = 0;
        if (!vrmi_json_uint(json, entry, &index) || index >= s->groups.count || written[index] == 0 ||
            marks[written[index] - 1] == spring + 1) {
            continue;
        }
        marks[written[index] - 1] = spring + 1;
        vrmi_text_format(&s->list, "%s%u", s->list.size == 0 ? "[" : ",", written[index] - 1);
    }
    if (s->list.size != 0) {
        vrmi_text_add_string(&s->list, "]");
    }
    if (s->list.failed) {
        vrmi_writer_fail(&s->m->out, VRM_ERROR_OUT_OF_MEMORY);
    }
}

// Whether the chain must end at its last node: a leaf at the same position as its parent cannot move.
static bool ends_with_leaf(const vrmi_joint_row *last)
{
    const vrm_vec3 t = last->tail;
    return last->tail_node < 0 && t.x == 0.0f && t.y == 0.0f && t.z == 0.0f;
}

// Writes a chain as a spring, unless none of its joints can move.
static void add_chain(spring_writer *s, vrmi_text *text, uint32_t index)
{
    vrmi_migration *m = s->m;
    const vrmi_chain_row *chain = &vrmi_model_spring_chain(m->model)[index];
    const vrmi_joint_row *joints = vrmi_model_spring_joint(m->model) + chain->first_joint;
    const vrmi_joint_row *last = &joints[chain->joint_count - 1];
    const uint32_t swinging = chain->joint_count - (ends_with_leaf(last) ? 1 : 0);
    const uint32_t name =
        vrmi_json_member(m->json, ((const uint32_t *)s->items.items)[chain->spring], m->is_vrm0 ? "comment" : "name");
    if (swinging == 0) {
        return;
    }
    vrmi_text_add_string(text, text->size == 0 ? "[{" : ",{");
    if (vrmi_json_is(m->json, name, VRMI_JSON_STRING)) {
        const vrm_string said = vrmi_json_text(m->json, name);
        vrmi_text_format(text, "\"name\":%.*s,", (int)said.length, said.data);
    }
    vrmi_text_add_string(text, "\"joints\":[");
    for (uint32_t i = 0; i < swinging; ++i) {
        add_joint(s, text, &joints[i], i == 0);
    }
    const uint32_t tail = last->tail_node >= 0            ? vrmi_migrate_node(m, (uint32_t)last->tail_node)
                          : swinging < chain->joint_count ? vrmi_migrate_node(m, last->node)
                                                          : append_end(s, last);
    vrmi_text_format(text, ",{\"node\":%u}]", tail);
    list_groups(s, chain->spring);
    if (s->list.size != 0 && !s->list.failed) {
        vrmi_text_format(text, ",\"colliderGroups\":%s", s->list.data);
    }
    if (chain->center >= 0) {
        vrmi_text_format(text, ",\"center\":%u", vrmi_migrate_node(m, (uint32_t)chain->center));
    }
    vrmi_text_add_string(text, "}");
}

// Writes the chains in the file's order, not in run order.
static void write_chains(spring_writer *s)
{
    vrmi_migration *m = s->m;
    const vrmi_chain_row *chains = vrmi_model_spring_chain(m->model);
    const uint32_t *order = vrmi_model_spring_file_order(m->model);
    uint32_t *chain_at = vrmi_writer_reserve(&m->out, &s->chain_at, m->model->spring_joint.count);
    for (uint32_t i = 0; i < m->model->spring_chain.count && chain_at != NULL; ++i) {
        chain_at[chains[i].first_joint] = i + 1; // each chain has at least one joint
    }
    vrmi_text text;
    vrmi_text_init(&text, &m->out.allocator);
    for (uint32_t i = 0; i < m->model->spring_file_order.count && vrmi_writer_runs(&m->out); ++i) {
        const uint32_t chain = chain_at[order[i]];
        if (chain != 0) {
            add_chain(s, &text, chain - 1);
        }
    }
    if (text.size != 0) {
        vrmi_text_add_string(&text, "]");
        vrmi_write_text(&m->out, &text, "/extensions/VRMC_springBone/springs");
    } else {
        vrmi_text_free(&text);
        vrmi_write_removal(&m->out, "/extensions/VRMC_springBone/springs");
    }
}

// Whether springs have a root node instead of a list of joints.
static bool are_rooted(const spring_writer *s)
{
    const uint32_t *items = s->items.items;
    return s->m->is_vrm0 || (s->items.count != 0 && vrmi_json_member(s->m->json, items[0], "joints") == VRMI_JSON_NONE);
}

// Converts a draft's colliders: its springs refer to nodes, but those of 1.0 to groups.
static void write_draft_springs(spring_writer *s)
{
    vrmi_migration *m = s->m;
    for (uint32_t i = 0; i < s->items.count && vrmi_writer_runs(&m->out); ++i) {
        list_groups(s, i);
        if (s->list.size != 0) {
            vrmi_write_json(
                &m->out, s->list.data, s->list.size, "/extensions/VRMC_springBone/springs/%u/colliderGroups", i);
        }
        vrmi_write_removal(&m->out, "/extensions/VRMC_springBone/springs/%u/colliders", i);
    }
}

// Lists the JSON of the file's springs.
static bool list_springs(spring_writer *s)
{
    const vrmi_json *json = s->m->json;
    const uint32_t array = vrmi_json_member(json, s->animation, s->m->is_vrm0 ? "boneGroups" : "springs");
    uint32_t *items = vrmi_writer_reserve(&s->m->out, &s->items, vrmi_json_count(json, array));
    for (uint32_t item = vrmi_json_first(json, array); item != VRMI_JSON_NONE && items != NULL;
         item = vrmi_json_next(json, item)) {
        *items++ = item;
    }
    return vrmi_writer_runs(&s->m->out);
}

static void write_groups(spring_writer *s)
{
    vrmi_text text;
    vrmi_text_init(&text, &s->m->out.allocator);
    if (s->m->is_vrm0) {
        add_groups0(s, &text);
    } else {
        add_draft_groups(s, &text);
    }
    if (s->group_count != 0) {
        vrmi_text_add_string(&text, "]");
        vrmi_write_text(&s->m->out, &text, "/extensions/VRMC_springBone/colliderGroups");
    } else {
        vrmi_text_free(&text);
    }
    (void)vrmi_writer_reserve(&s->m->out, &s->marks, s->group_count);
}

static void write_all(spring_writer *s)
{
    vrmi_migration *m = s->m;
    if (m->is_vrm0) {
        vrmi_write_removal(
            &m->out, "/extensions/VRMC_springBone"); // the springs of the 1.0 dialect in the same file, which was not
                                                     // chosen
    }
    if (m->model->spring_chain.count + m->model->collider.count == 0 && s->items.count == 0) {
        return;
    }
    vrmi_migrate_use(m, VRMI_USES_SPRING_BONE);
    vrmi_write_json(&m->out, "\"1.0\"", 5, "/extensions/VRMC_springBone/specVersion");
    if (m->model->collider.count != 0) {
        write_colliders(m);
    }
    write_groups(s);
    if (!vrmi_writer_runs(&m->out)) {
        return;
    }
    if (are_rooted(s)) {
        write_chains(s);
        vrmi_write_removal(&m->out, "/extensions/VRMC_springBone/settings");
    } else {
        write_draft_springs(s);
    }
}

void vrmi_migrate_springs(vrmi_migration *m)
{
    spring_writer s = {.m = m,
        .groups = {.item_size = sizeof(uint32_t)},
        .marks = {.item_size = sizeof(uint32_t)},
        .chain_at = {.item_size = sizeof(uint32_t)},
        .items = {.item_size = sizeof(uint32_t)}};
    s.animation = m->is_vrm0 ? vrmi_json_member(m->json, m->vrm, "secondaryAnimation")
                             : vrmi_json_at(m->json, "/extensions/VRMC_springBone");
    vrmi_text_init(&s.list, &m->out.allocator);
    if (list_springs(&s)) {
        write_all(&s);
    }
    vrmi_array *const arrays[] = {&s.groups, &s.marks, &s.chain_at, &s.items};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) {
        vrmi_array_free(arrays[i], &m->out.allocator);
    }
    vrmi_text_free(&s.list);
}
