// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "base/checks.h"
#include "import/upgrade/upgrade_constraint.h"

static const char *const roll_axes[] = {"X", "Y", "Z"};
static const char *const aim_axes[] = {"PositiveX", "NegativeX", "PositiveY", "NegativeY", "PositiveZ", "NegativeZ"};

#define NO_CONSTRAINT UINT32_MAX

enum { MAX_EDGES = 4, MOST_AGAIN = 64 };

static vrm_vec3 axis_vector(uint32_t axis, float sign)
{
    return (vrm_vec3){axis == 0 ? sign : 0.0f, axis == 1 ? sign : 0.0f, axis == 2 ? sign : 0.0f};
}

// --- reading -------------------------------------------------------------------------------------------------------

// Reads an axis by its name. A missing axis means the first in the list, as in three-vrm. Returns false for an unknown
// name.
static bool read_axis(
    vrmi_reader *reader, uint32_t object, const char *key, const char *const *names, uint32_t count, uint32_t *out)
{
    return vrmi_read_enum(reader, object, key, VRMI_REQUIRED, names, count, out) ||
           vrmi_json_member(reader->json, object, key) == VRMI_JSON_NONE;
}

// Reads a roll, aim or rotation constraint. If several are given, the first in this order is used, as in other readers.
// Returns false if the constraint cannot be used (reported).
static bool read_constraint(vrmi_import *import, uint32_t constraint, uint32_t node, vrmi_constraint_row *out)
{
    vrmi_reader *reader = &import->reader;
    const uint32_t roll = vrmi_read_object(reader, constraint, "roll", VRMI_OPTIONAL);
    const uint32_t aim = vrmi_read_object(reader, constraint, "aim", VRMI_OPTIONAL);
    const uint32_t rotation = vrmi_read_object(reader, constraint, "rotation", VRMI_OPTIONAL);
    if ((roll != VRMI_JSON_NONE) + (aim != VRMI_JSON_NONE) + (rotation != VRMI_JSON_NONE) != 1) {
        vrmi_reader_report(
            reader, VRM_FINDING_VRM1_CONSTRAINT_TYPE, constraint, NULL, NULL, "one of roll, aim, rotation");
    }
    if (roll == VRMI_JSON_NONE && aim == VRMI_JSON_NONE && rotation == VRMI_JSON_NONE) {
        return false;
    }
    *out = (vrmi_constraint_row){.type = VRM_CONSTRAINT_ROTATION, .node = node, .weight = 1.0f};
    uint32_t object = rotation, axis = 0;
    bool good = true;
    if (roll != VRMI_JSON_NONE) {
        object = roll;
        out->type = VRM_CONSTRAINT_ROLL;
        good = read_axis(reader, roll, "rollAxis", roll_axes, VRMI_COUNT_OF(roll_axes), &axis);
        out->axis = axis_vector(axis, 1.0f);
    } else if (aim != VRMI_JSON_NONE) {
        object = aim;
        out->type = VRM_CONSTRAINT_AIM;
        good = read_axis(reader, aim, "aimAxis", aim_axes, VRMI_COUNT_OF(aim_axes), &axis);
        out->axis = axis_vector(axis / 2, axis % 2 == 0 ? 1.0f : -1.0f);
    }
    (void)vrmi_read_float_range(reader, object, "weight", 0.0f, 1.0f, &out->weight);
    if (!vrmi_import_node_index(import, object, "source", VRMI_REQUIRED, &out->source)) {
        return false;
    }
    if (out->source == node) {
        vrmi_reader_report(reader, VRM_FINDING_VRM1_CONSTRAINT_SELF, object, "source", NULL, "another node");
        return false;
    }
    return good;
}

typedef struct constraint_sort {
    vrmi_import *import;
    vrmi_constraint_row *rows; // as read, in node order of their destination nodes
    uint32_t *json;            // JSON of each row
    uint32_t count;
    // Indexed by node: first row with this destination, or NO_CONSTRAINT. A draft's second row follows the first.
    uint32_t *at_node;
    uint8_t *state;     // indexed by vertex of the graph: 0 new, 1 on the stack, 2 done
    uint8_t *next_edge; // indexed by vertex of the graph: the first edge not followed yet
    uint32_t *stack;
    uint64_t again; // number of vertices that were reset to new
} constraint_sort;

// Reads a draft's constraints of a node: at most one position and either a rotation or an aim.
static void read_draft(constraint_sort *sort, uint32_t json, uint32_t node)
{
    const uint32_t count = vrmi_read_draft_constraints(sort->import, json, node, &sort->rows[sort->count]);
    if (count != 0) {
        sort->at_node[node] = sort->count;
    }
    for (uint32_t i = 0; i < count; ++i) {
        sort->json[sort->count++] = json;
    }
}

static void read_all(constraint_sort *sort)
{
    vrmi_import *import = sort->import;
    const uint32_t nodes = import->model.node_gltf.count;
    const uint32_t *to_gltf = VRMI_ROWS(import, node_gltf, uint32_t);
    for (uint32_t node = 0; node < nodes && vrmi_import_tick(import, 1); ++node) {
        const uint32_t extension =
            vrmi_gltf_extension(import->gltf, import->gltf->nodes[to_gltf[node]].json, "VRMC_node_constraint");
        const uint32_t draft = vrmi_draft_constraints_of(import, import->gltf->nodes[to_gltf[node]].json);
        sort->at_node[node] = NO_CONSTRAINT;
        if (extension == VRMI_JSON_NONE) {
            if (draft != VRMI_JSON_NONE) {
                read_draft(sort, draft, node);
            }
            continue;
        }
        if (!vrmi_json_is(import->json, extension, VRMI_JSON_OBJECT)) {
            vrmi_reader_report_value(&import->reader, VRM_FINDING_TYPE_MISMATCH, extension, "an object");
            continue;
        }
        vrmi_import_spec_version(import, extension, "1.0-draft");
        const uint32_t constraint = vrmi_read_object(&import->reader, extension, "constraint", VRMI_REQUIRED);
        if (vrmi_is_draft_constraint(import->json, constraint)) {
            read_draft(sort, constraint, node);
        } else if (constraint != VRMI_JSON_NONE &&
                   read_constraint(import, constraint, node, &sort->rows[sort->count])) {
            sort->json[sort->count] = constraint;
            sort->at_node[node] = sort->count++;
        }
    }
}

// --- order ---------------------------------------------------------------------------------------------------------

// Lists the edges of a vertex in the graph of dependencies. Each node has two vertices: `2 * node` is its constraint,
// and `2 * node + 1` represents its final world pose, which depends on the node's own constraint and on its parent's
// pose. So an aim, which reads world poses, has two edges instead of one to every constraint above it, and the sort is
// linear. A constraint depends on:
// - roll, rotation: the source's own constraint, because only the source's local rotation is read.
// - aim: the poses of the source's parent and of the destination's parent. Rotating the source does not move its
//   origin.
// - a draft's constraint: the source's pose, which may also be moved, if the source's space is the model's; otherwise
//   the source's own constraint. If the destination's space is the model's, also the pose of the destination's parent.
static uint32_t edges_of(const constraint_sort *sort, uint32_t vertex, uint32_t out[MAX_EDGES])
{
    const int32_t *parents = VRMI_ROWS(sort->import, node_parent, int32_t);
    const uint32_t node = vertex / 2;
    uint32_t count = 0;
    if (vertex % 2 != 0) {
        out[count++] = 2 * node;
        if (parents[node] >= 0) {
            out[count++] = 2 * (uint32_t)parents[node] + 1;
        }
    } else if (sort->at_node[node] != NO_CONSTRAINT) {
        const vrmi_constraint_row *row = &sort->rows[sort->at_node[node]];
        if (vrmi_is_draft_type(row->type)) {
            for (; row < sort->rows + sort->count && row->node == node; ++row) {
                out[count++] = 2 * row->source + (row->source_space == VRM_CONSTRAINT_SPACE_MODEL ? 1u : 0u);
                if (row->destination_space == VRM_CONSTRAINT_SPACE_MODEL && parents[node] >= 0) {
                    out[count++] = 2 * (uint32_t)parents[node] + 1;
                }
            }
            return count;
        }
        if (row->type != VRM_CONSTRAINT_AIM) {
            out[count++] = 2 * row->source;
            return count;
        }
        if (parents[row->source] >= 0) {
            out[count++] = 2 * (uint32_t)parents[row->source] + 1;
        }
        if (parents[node] >= 0) {
            out[count++] = 2 * (uint32_t)parents[node] + 1;
        }
    }
    return count;
}

// Cuts a cycle that the vertex at the top of the stack closes. The constraint nearest to the top is removed and
// reported. The vertices above it start again. A file may have many long cycles, so the total number of restarts is
// limited to a multiple of the number of nodes.
static void cut_cycle(constraint_sort *sort, uint32_t *depth)
{
    while (*depth > 0) {
        const uint32_t vertex = sort->stack[--*depth];
        const uint32_t row = vertex % 2 == 0 ? sort->at_node[vertex / 2] : NO_CONSTRAINT;
        if (row != NO_CONSTRAINT) {
            vrmi_reader_report(
                &sort->import->reader, VRM_FINDING_VRM1_CONSTRAINT_CYCLE, sort->json[row], NULL, NULL, NULL);
            sort->at_node[vertex / 2] = NO_CONSTRAINT;
            sort->state[vertex] = 2;
            return;
        }
        sort->state[vertex] = 0;
        sort->next_edge[vertex] = 0;
        if (++sort->again > MOST_AGAIN * (uint64_t)sort->import->model.node_gltf.count) {
            vrmi_reader_report(&sort->import->reader, VRM_FINDING_LIMIT_EXCEEDED, 0, "nodes", NULL,
                "fewer constraints that depend on each other in circles");
            vrmi_import_stop(sort->import, VRM_ERROR_LIMIT);
            return;
        }
    }
}

static void emit(constraint_sort *sort, uint32_t vertex)
{
    if (vertex % 2 == 0 && sort->at_node[vertex / 2] != NO_CONSTRAINT) {
        for (uint32_t i = sort->at_node[vertex / 2]; i < sort->count && sort->rows[i].node == vertex / 2; ++i) {
            vrmi_constraint_row *row = vrmi_import_push(sort->import, &sort->import->model.constraint);
            if (row != NULL) {
                *row = sort->rows[i];
            }
        }
    }
}

// Visits the graph depth-first, so that dependencies come first. A vertex is on the stack at most once, because only
// new vertices are pushed.
static void visit(constraint_sort *sort, uint32_t start)
{
    uint32_t depth = 0;
    if (sort->state[start] != 0) {
        return;
    }
    sort->state[start] = 1;
    sort->stack[depth++] = start;
    while (depth != 0 && vrmi_import_tick(sort->import, 1)) {
        const uint32_t vertex = sort->stack[depth - 1];
        uint32_t edges[MAX_EDGES], next = NO_CONSTRAINT;
        const uint32_t count = edges_of(sort, vertex, edges);
        bool is_cycle = false;
        while (sort->next_edge[vertex] < count && next == NO_CONSTRAINT && !is_cycle) {
            const uint32_t edge = edges[sort->next_edge[vertex]++];
            next = sort->state[edge] == 0 ? edge : NO_CONSTRAINT;
            is_cycle = sort->state[edge] == 1;
        }
        if (is_cycle) {
            cut_cycle(sort, &depth);
        } else if (next != NO_CONSTRAINT) {
            sort->state[next] = 1;
            sort->stack[depth++] = next;
        } else {
            sort->state[vertex] = 2;
            emit(sort, vertex);
            --depth;
        }
    }
}

void vrmi_import_constraints(vrmi_import *import)
{
    const uint32_t nodes = import->model.node_gltf.count;
    constraint_sort sort = {.import = import};
    sort.rows = vrmi_import_scratch(import, (size_t)nodes * 2, sizeof *sort.rows);
    sort.json = vrmi_import_scratch(import, (size_t)nodes * 2, sizeof *sort.json);
    sort.at_node = vrmi_import_scratch(import, nodes, sizeof *sort.at_node);
    sort.state = vrmi_import_scratch(import, (size_t)nodes * 2, sizeof *sort.state);
    sort.next_edge = vrmi_import_scratch(import, (size_t)nodes * 2, sizeof *sort.next_edge);
    sort.stack = vrmi_import_scratch(import, (size_t)nodes * 2, sizeof *sort.stack);
    if (!vrmi_import_runs(import)) {
        return;
    }
    read_all(&sort);
    for (uint32_t i = 0; i < sort.count && vrmi_import_runs(import); ++i) {
        visit(&sort, 2 * sort.rows[i].node);
    }
}
