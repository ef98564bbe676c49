// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "import/avatar/import_spring.h"

#include <string.h>

#include "import/avatar/import_collider.h"
#include "import/table_hash.h"
#include "math/mat34.h"

// The collider groups, as ranges of one list of colliders.
typedef struct group_list {
    vrmi_array groups;     // vrmi_range
    vrmi_array colliders;  // uint32_t
    const bool *usable;    // indexed by collider
    uint32_t *marks;       // indexed by collider: 1 + the last spring that lists it
    vrmi_table_hash equal; // springs by a hash of their colliderGroups text
} group_list;

// --- joints ----------------------------------------------------------------------------------------------------------

static void read_limit_rotation(vrmi_import *import, uint32_t limit, vrm_spring_limit *out)
{
    float q[4];
    if (vrmi_read_floats(&import->reader, limit, "rotation", VRMI_OPTIONAL, 4, q)) {
        out->rotation = vrmi_quat_normalize((vrm_quat){q[0], q[1], q[2], q[3]});
    }
}

// Reads an angle of at least 0. Values above `high` are clamped, as the draft says.
static void read_angle(vrmi_import *import, uint32_t limit, const char *key, float high, float *out)
{
    float angle = high;
    if (vrmi_json_member(import->json, limit, key) == VRMI_JSON_NONE) {
        vrmi_reader_report(&import->reader, VRM_FINDING_UNDEFINED_PROPERTY, limit, key, NULL, "a number");
    }
    (void)vrmi_read_float_range(&import->reader, limit, key, 0.0f, 3.0e38f, &angle);
    *out = vrmi_min(angle, high);
}

static void read_limit(vrmi_import *import, uint32_t joint, vrm_spring_limit *out)
{
    vrmi_reader *reader = &import->reader;
    *out = (vrm_spring_limit){VRM_SPRING_LIMIT_NONE, 0.0f, 0.0f, {0.0f, 0.0f, 0.0f, 1.0f}};
    const uint32_t extensions = vrmi_json_member(import->json, joint, "extensions");
    const uint32_t extension = vrmi_read_object(reader, extensions, "VRMC_springBone_limit", VRMI_OPTIONAL);
    if (extension == VRMI_JSON_NONE) {
        return;
    }
    vrmi_import_spec_version(import, extension, "1.0-draft");
    const uint32_t limit = vrmi_read_object(reader, extension, "limit", VRMI_REQUIRED);
    if (limit == VRMI_JSON_NONE) {
        return;
    }
    const uint32_t cone = vrmi_read_object(reader, limit, "cone", VRMI_OPTIONAL);
    const uint32_t hinge = vrmi_read_object(reader, limit, "hinge", VRMI_OPTIONAL);
    const uint32_t spherical = vrmi_read_object(reader, limit, "spherical", VRMI_OPTIONAL);
    if ((cone != VRMI_JSON_NONE) + (hinge != VRMI_JSON_NONE) + (spherical != VRMI_JSON_NONE) != 1) {
        vrmi_reader_report(reader, VRM_FINDING_VRM1_SPRING_LIMIT, limit, NULL, NULL, "one of cone, hinge, spherical");
    }
    if (cone != VRMI_JSON_NONE) {
        out->type = VRM_SPRING_LIMIT_CONE;
        read_angle(import, cone, "angle", VRMI_PI, &out->angle);
        read_limit_rotation(import, cone, out);
    } else if (hinge != VRMI_JSON_NONE) {
        out->type = VRM_SPRING_LIMIT_HINGE;
        read_angle(import, hinge, "angle", VRMI_PI, &out->angle);
        read_limit_rotation(import, hinge, out);
    } else if (spherical != VRMI_JSON_NONE) {
        out->type = VRM_SPRING_LIMIT_SPHERICAL;
        read_angle(import, spherical, "pitch", VRMI_PI, &out->angle);
        read_angle(import, spherical, "yaw", VRMI_PI * 0.5f, &out->yaw);
        read_limit_rotation(import, spherical, out);
    }
}

static bool read_joint(vrmi_import *import, uint32_t joint, vrmi_read_joint *out)
{
    vrmi_reader *reader = &import->reader;
    // The default of dragForce is that of the schema and of UniVRM; three-vrm uses 0.4.
    out->json = joint;
    out->params = (vrm_spring_joint_params){0.0f, 1.0f, 0.0f, {0.0f, -1.0f, 0.0f}, 0.5f};
    (void)vrmi_read_float_range(reader, joint, "hitRadius", 0.0f, 3.0e38f, &out->params.hit_radius);
    (void)vrmi_read_float_range(reader, joint, "stiffness", 0.0f, 3.0e38f, &out->params.stiffness);
    (void)vrmi_read_float_range(reader, joint, "gravityPower", 0.0f, 3.0e38f, &out->params.gravity_power);
    (void)vrmi_read_float_range(reader, joint, "dragForce", 0.0f, 1.0f, &out->params.drag_force);
    float direction[3];
    if (vrmi_read_floats(reader, joint, "gravityDir", VRMI_OPTIONAL, 3, direction)) {
        out->params.gravity_dir = (vrm_vec3){direction[0], direction[1], direction[2]};
    }
    read_limit(import, joint, &out->limit);
    return vrmi_import_node_index(import, joint, "node", VRMI_REQUIRED, &out->node);
}

// Removes a limit on a spring's last joint. That joint is only the end of the chain, so a limit has no effect there.
static void drop_last_limit(vrmi_spring_reading *reading, const vrmi_read_spring *spring)
{
    if (spring->joint_count == 0) {
        return;
    }
    vrmi_read_joint *last = (vrmi_read_joint *)reading->joints.items + spring->first_joint + spring->joint_count - 1;
    if (last->limit.type != VRM_SPRING_LIMIT_NONE) {
        const vrmi_json *json = reading->import->json;
        const uint32_t limit =
            vrmi_json_member(json, vrmi_json_member(json, last->json, "extensions"), "VRMC_springBone_limit");
        vrmi_reader_report(&reading->import->reader, VRM_FINDING_VRM1_SPRING_LIMIT_LAST, limit, NULL, NULL,
            "a joint that is not the last of its spring");
        last->limit.type = VRM_SPRING_LIMIT_NONE;
    }
}

void vrmi_read_spring_joints(vrmi_spring_reading *reading, vrmi_read_spring *spring)
{
    vrmi_import *import = reading->import;
    const vrmi_json *json = import->json;
    const uint32_t array = vrmi_read_array(&import->reader, spring->json, "joints", VRMI_REQUIRED);
    uint32_t index = 0;
    spring->first_joint = reading->joints.count;
    for (uint32_t item = vrmi_json_first(json, array); item != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         item = vrmi_json_next(json, item), ++index) {
        vrmi_read_joint joint;
        memset(&joint, 0, sizeof joint);
        joint.index = index;
        const uint32_t errors = import->reader.errors;
        if (!vrmi_json_is(json, item, VRMI_JSON_OBJECT)) {
            vrmi_reader_report_value(&import->reader, VRM_FINDING_TYPE_MISMATCH, item, "an object");
        } else if (read_joint(import, item, &joint)) {
            vrmi_read_joint *row = vrmi_import_push(import, &reading->joints);
            if (row == NULL) {
                return;
            }
            *row = joint;
            ++spring->joint_count;
            continue;
        }
        spring->dropped =
            spring->dropped || import->reader.errors != errors; // later errors would only follow from this one
    }
    spring->dropped = spring->dropped || array == VRMI_JSON_NONE;
    drop_last_limit(reading, spring);
}

// --- collider groups -------------------------------------------------------------------------------------------------

static void read_group(vrmi_import *import, group_list *list, uint32_t group)
{
    const vrmi_json *json = import->json;
    const uint32_t array = vrmi_read_array(&import->reader, group, "colliders", VRMI_REQUIRED);
    if (array != VRMI_JSON_NONE && vrmi_json_count(json, array) == 0) {
        vrmi_reader_report(&import->reader, VRM_FINDING_VRM1_EMPTY_ARRAY, array, NULL, NULL, NULL);
    }
    for (uint32_t item = vrmi_json_first(json, array); item != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         item = vrmi_json_next(json, item)) {
        uint32_t index = 0;
        if (!vrmi_read_index_element(&import->reader, item, import->model.collider.count, &index)) {
            continue;
        }
        uint32_t *row = list->usable[index] ? vrmi_import_push(import, &list->colliders) : NULL;
        if (row != NULL) {
            *row = index;
        }
    }
}

static void read_groups(vrmi_import *import, group_list *list)
{
    const vrmi_json *json = import->json;
    const uint32_t array = vrmi_read_array(&import->reader, import->spring_bone, "colliderGroups", VRMI_OPTIONAL);
    for (uint32_t item = vrmi_json_first(json, array); item != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         item = vrmi_json_next(json, item)) {
        const uint32_t first = list->colliders.count;
        if (vrmi_json_is(json, item, VRMI_JSON_OBJECT)) {
            read_group(import, list, item);
        } else {
            vrmi_reader_report_value(&import->reader, VRM_FINDING_TYPE_MISMATCH, item, "an object");
        }
        vrmi_range *row = vrmi_import_push(import, &list->groups);
        if (row == NULL) {
            return;
        }
        *row = (vrmi_range){first, list->colliders.count - first};
    }
}

// Adds a group's colliders to the chain's own list, each once and in order.
static void add_group(vrmi_spring_reading *reading, group_list *list, uint32_t group, uint32_t mark)
{
    vrmi_import *import = reading->import;
    const vrmi_range range = ((const vrmi_range *)list->groups.items)[group];
    for (uint32_t i = 0; i < range.count && vrmi_spring_count_pairs(reading, import->spring_bone, "springs", 1); ++i) {
        const uint32_t collider = ((const uint32_t *)list->colliders.items)[range.first + i];
        if (list->marks[collider] == mark) {
            continue;
        }
        list->marks[collider] = mark;
        uint32_t *row = vrmi_import_push(import, &import->model.chain_collider);
        if (row == NULL) {
            return;
        }
        *row = collider;
    }
}

static bool same_groups(const vrmi_json *json, uint32_t a, uint32_t b)
{
    const vrm_string text_a = vrmi_json_text(json, a), text_b = vrmi_json_text(json, b);
    return text_a.length == text_b.length && memcmp(text_a.data, text_b.data, text_a.length) == 0;
}

// Reads the colliders of a spring. Springs with the same groups, such as all hair of a head, share one list.
static void read_spring_colliders(vrmi_spring_reading *reading, group_list *list, vrmi_read_spring *spring)
{
    vrmi_import *import = reading->import;
    const vrmi_json *json = import->json;
    const uint32_t array = vrmi_read_array(&import->reader, spring->json, "colliderGroups", VRMI_OPTIONAL);
    if (vrmi_json_count(json, array) == 0) {
        return;
    }
    const vrm_string text = vrmi_json_text(json, array);
    const uint32_t hash = vrmi_hash_bytes(text.data, text.length, 0);
    uint32_t slot = 0;
    for (uint32_t i = vrmi_table_hash_first(&list->equal, hash, &slot); i != VRMI_HASH_NONE;
         i = vrmi_table_hash_next(&list->equal, hash, &slot)) {
        const vrmi_read_spring *other = (const vrmi_read_spring *)reading->springs.items + i;
        if (same_groups(json, vrmi_json_member(json, other->json, "colliderGroups"), array)) {
            spring->first_collider = other->first_collider;
            spring->collider_count = other->collider_count;
            (void)vrmi_spring_count_pairs(reading, import->spring_bone, "springs", spring->collider_count);
            return;
        }
    }
    const uint32_t wrong = import->reader.errors + import->reader.repairs;
    spring->first_collider = import->model.chain_collider.count;
    for (uint32_t item = vrmi_json_first(json, array); item != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         item = vrmi_json_next(json, item)) {
        uint32_t group = 0;
        if (vrmi_read_index_element(&import->reader, item, list->groups.count, &group)) {
            add_group(reading, list, group, spring->index + 1);
        }
    }
    spring->collider_count = import->model.chain_collider.count - spring->first_collider;
    if (import->reader.errors + import->reader.repairs ==
        wrong) { // springs with invalid groups do not share a list, so that each is reported
        vrmi_table_hash_add(&list->equal, hash, reading->springs.count - 1);
    }
}

// --- tables ----------------------------------------------------------------------------------------------------------

// Returns the tail's rest position in the head's space. Nodes between head and tail keep their rest pose, so all their
// transforms are applied (three-vrm uses the tail's local position, which is right only for a direct child).
static vrm_vec3 tail_in_head(const vrmi_import *import, uint32_t head, uint32_t tail)
{
    const vrm_transform *rest = VRMI_ROWS(import, node_rest, vrm_transform);
    const int32_t *parents = VRMI_ROWS(import, node_parent, int32_t);
    vrm_vec3 point = rest[tail].translation;
    for (uint32_t node = (uint32_t)parents[tail]; node != head; node = (uint32_t)parents[node]) {
        const vrm_vec3 scaled = vrmi_vec3_mul(rest[node].scale, point);
        point = vrmi_vec3_add(rest[node].translation, vrmi_quat_rotate(rest[node].rotation, scaled));
    }
    return point;
}

static void write_chain(vrmi_spring_reading *reading, const vrmi_read_spring *spring)
{
    vrmi_import *import = reading->import;
    vrmi_model_builder *model = &import->model;
    const vrmi_name name = vrmi_import_object_name(import, spring->json);
    vrmi_chain_row *chain = vrmi_import_push(import, &model->spring_chain);
    const uint32_t first = model->spring_joint.count, count = spring->joint_count - 1;
    vrmi_joint_row *rows = chain != NULL ? vrmi_import_extend(import, &model->spring_joint, count) : NULL;
    if (rows == NULL) {
        return;
    }
    *chain = (vrmi_chain_row){
        name, first, count, spring->first_collider, spring->collider_count, spring->center, spring->index};
    const vrmi_read_joint *joints = (const vrmi_read_joint *)reading->joints.items + spring->first_joint;
    for (uint32_t i = 0; i < count; ++i) {
        rows[i] = (vrmi_joint_row){
            .node = joints[i].node,
            .tail_node = (int32_t)joints[i + 1].node,
            .spring = spring->index,
            .joint = joints[i].index,
            .params = joints[i].params,
            .limit = joints[i].limit,
        };
        if (spring->virtual_tail && i + 1 == count) {
            rows[i].tail_node = -1;
            rows[i].tail = spring->tail;
        } else {
            rows[i].tail = tail_in_head(import, joints[i].node, joints[i + 1].node);
        }
    }
}

static void write_tables(vrmi_spring_reading *reading, const uint32_t *order, uint32_t count)
{
    vrmi_import *import = reading->import;
    const vrmi_read_spring *springs = reading->springs.items;
    uint32_t *first_rows = vrmi_import_scratch(import, reading->springs.count, sizeof *first_rows);
    for (uint32_t i = 0; i < count && vrmi_import_tick(import, springs[order[i]].joint_count); ++i) {
        first_rows[order[i]] = import->model.spring_joint.count;
        write_chain(reading, &springs[order[i]]);
    }
    if (!vrmi_import_runs(import)) {
        return;
    }
    uint32_t *file_order =
        vrmi_import_extend(import, &import->model.spring_file_order, import->model.spring_joint.count);
    for (uint32_t s = 0; s < reading->file_count && file_order != NULL; ++s) {
        for (uint32_t piece = s;; piece = springs[piece].next_piece) {
            for (uint32_t i = 0; !springs[piece].dropped && i + 1 < springs[piece].joint_count; ++i) {
                *file_order++ = first_rows[piece] + i;
            }
            if (springs[piece].next_piece == 0) {
                break;
            }
        }
    }
}

static void read_springs(vrmi_spring_reading *reading, group_list *list)
{
    vrmi_import *import = reading->import;
    const vrmi_json *json = import->json;
    const uint32_t array = vrmi_read_array(&import->reader, import->spring_bone, "springs", VRMI_OPTIONAL);
    uint32_t index = 0;
    if (!vrmi_table_hash_init(&list->equal, import, vrmi_json_count(json, array))) {
        return;
    }
    for (uint32_t item = vrmi_json_first(json, array); item != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         item = vrmi_json_next(json, item), ++index) {
        if (!vrmi_json_is(json, item, VRMI_JSON_OBJECT)) {
            vrmi_reader_report_value(&import->reader, VRM_FINDING_TYPE_MISMATCH, item, "an object");
            continue;
        }
        vrmi_read_spring *spring = vrmi_import_push(import, &reading->springs);
        if (spring == NULL) {
            return;
        }
        *spring = (vrmi_read_spring){.json = item, .index = index, .center = -1};
        uint32_t center = 0;
        if (vrmi_import_node_index(import, item, "center", VRMI_OPTIONAL, &center)) {
            spring->center = (int32_t)center;
        }
        vrmi_read_spring_joints(reading, spring);
        read_spring_colliders(reading, list, spring);
    }
}

void vrmi_spring_reading_init(vrmi_spring_reading *reading, vrmi_import *import)
{
    *reading = (vrmi_spring_reading){
        .import = import,
        .springs = {.item_size = sizeof(vrmi_read_spring)},
        .joints = {.item_size = sizeof(vrmi_read_joint)},
    };
}

void vrmi_spring_reading_finish(vrmi_spring_reading *reading)
{
    vrmi_import *import = reading->import;
    uint32_t count = 0;
    reading->file_count = reading->springs.count;
    const uint32_t *order = vrmi_import_runs(import) ? vrmi_sort_springs(reading, &count) : NULL;
    if (order != NULL && vrmi_import_runs(import)) {
        write_tables(reading, order, count);
    }
    vrmi_array_free(&reading->springs, &import->model.allocator);
    vrmi_array_free(&reading->joints, &import->model.allocator);
}

void vrmi_import_springs(vrmi_import *import)
{
    if (import->spring_bone == VRMI_JSON_NONE) {
        return;
    }
    vrmi_spring_reading reading;
    vrmi_spring_reading_init(&reading, import);
    group_list list = {
        .groups = {.item_size = sizeof(vrmi_range)},
        .colliders = {.item_size = sizeof(uint32_t)},
    };
    vrmi_import_spec_version(import, import->spring_bone, NULL);
    list.usable = vrmi_import_colliders(
        import, vrmi_read_array(&import->reader, import->spring_bone, "colliders", VRMI_OPTIONAL));
    list.marks = vrmi_import_scratch(import, import->model.collider.count, sizeof *list.marks);
    if (vrmi_import_runs(import)) {
        read_groups(import, &list);
        read_springs(&reading, &list);
    }
    vrmi_spring_reading_finish(&reading);
    const vrm_allocator *allocator = &import->model.allocator;
    vrmi_array_free(&list.groups, allocator);
    vrmi_array_free(&list.colliders, allocator);
}
