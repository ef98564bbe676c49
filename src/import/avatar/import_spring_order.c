// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "import/avatar/import_spring.h"

#define NO_SPRING (-1)
// The number of conflicts that are reported with the other spring's name. Finding that name requires a walk up the
// tree, and a file may have thousands of conflicts.
#define NAMED_CONFLICTS 256u
// For springs with up to this many joints, the fewest possible joints are dropped to make a valid chain.
#define SORTED_JOINTS 1024u

enum { PATH_SIZE = 256 };

typedef struct spring_sort {
    vrmi_import *import;
    vrmi_spring_reading *reading;
    vrmi_read_spring *springs;
    vrmi_read_joint *joints;
    uint32_t count, node_count;
    const int32_t *parents; // indexed by node: parent
    const uint32_t *ends;   // indexed by node: end of its subtree
    int32_t *owner; // indexed by node: the spring with a head at the node or a path between joints through the node
    bool *is_head;  // indexed by node: some spring has a head at the node
    uint32_t *owned_above; // Fenwick tree in node order; a prefix sum counts the owned nodes from the root to a node
    int32_t *mover;        // indexed by node: the nearest spring that rotates it or an ancestor
    uint32_t conflicts;
    // The following members are used to order the springs.
    uint32_t *waiting;         // indexed by spring: number of unfinished springs that must run before it
    uint32_t *first_dependent; // indexed by spring: first entry in `dependents`; has one more entry for the end
    uint32_t *dependents;
    uint32_t *stamps; // indexed by spring: 1 + the spring whose dependencies last included it
    uint32_t *found;  // springs that one spring depends on
    bool *done;
} spring_sort;

static const vrmi_read_joint *joint_of(const spring_sort *sort, const vrmi_read_spring *spring, uint32_t i)
{
    return sort->joints + spring->first_joint + i;
}

bool vrmi_spring_count_pairs(vrmi_spring_reading *reading, uint32_t json, const char *key, uint32_t more)
{
    vrmi_import *import = reading->import;
    reading->pairs += more;
    if (reading->pairs > import->def->limits.max_elements && vrmi_import_runs(import)) {
        vrmi_reader_report(
            &import->reader, VRM_FINDING_LIMIT_EXCEEDED, json, key, NULL, "fewer pairs of springs and colliders");
        vrmi_import_stop(import, VRM_ERROR_LIMIT);
    }
    return vrmi_import_tick(import, more);
}

// --- joints that are not allowed -------------------------------------------------------------------------------------

static bool is_below(const spring_sort *sort, const vrmi_read_joint *joint, const vrmi_read_joint *above)
{
    return joint->node != above->node && vrmi_import_contains(sort->import, above->node, joint->node);
}

// Keeps the longest sequence of joints in which each is below the previous one. Of sequences of equal length, keeps the
// one with the earlier joints. If the import has ended, no joint is kept.
static void keep_longest_chain(spring_sort *sort, vrmi_read_spring *spring)
{
    vrmi_read_joint *joints = sort->joints + spring->first_joint;
    uint32_t *length = vrmi_import_scratch(sort->import, spring->joint_count, sizeof *length);
    // By joint: 1 + the index of the joint before it in the sequence; 0: none.
    uint32_t *before = vrmi_import_scratch(sort->import, spring->joint_count, sizeof *before);
    bool *kept = vrmi_import_scratch(sort->import, spring->joint_count, sizeof *kept);
    uint32_t last = 0, count = 0;
    for (uint32_t i = 0; i < spring->joint_count && vrmi_import_tick(sort->import, i); ++i) {
        for (uint32_t k = 0; k < i; ++k) {
            if (length[k] > length[i] && is_below(sort, &joints[i], &joints[k])) {
                length[i] = length[k];
                before[i] = k + 1;
            }
        }
        ++length[i];
        last = length[i] > length[last] ? i : last;
    }
    for (uint32_t at = vrmi_import_runs(sort->import) ? last + 1 : 0; at != 0; at = before[at - 1]) {
        kept[at - 1] = true;
    }
    for (uint32_t i = 0; i < spring->joint_count && vrmi_import_runs(sort->import); ++i) {
        if (kept[i]) {
            joints[count++] = joints[i];
        } else {
            vrmi_reader_report(&sort->import->reader, VRM_FINDING_VRM1_SPRING_JOINT_NOT_DESCENDANT, joints[i].json,
                "node", NULL, "a node below the joint before it");
        }
    }
    spring->joint_count = count;
}

// Reduces a spring to a valid chain. Returns false if fewer than two joints remain.
static bool make_chain(spring_sort *sort, vrmi_read_spring *spring)
{
    uint32_t wrong = 0; // index of the first joint that is not below the previous one; 0: none
    for (uint32_t i = 1; i < spring->joint_count - (spring->virtual_tail ? 1u : 0u) && wrong == 0; ++i) {
        wrong = is_below(sort, joint_of(sort, spring, i), joint_of(sort, spring, i - 1)) ? 0 : i;
    }
    if (wrong != 0 && (spring->virtual_tail || spring->joint_count > SORTED_JOINTS)) {
        vrmi_reader_report(&sort->import->reader, VRM_FINDING_VRM1_SPRING_JOINT_NOT_DESCENDANT,
            joint_of(sort, spring, wrong)->json, "node", NULL, "a node below the joint before it");
        spring->joint_count = spring->virtual_tail ? 0 : wrong;
    } else if (wrong != 0) {
        keep_longest_chain(sort, spring);
    }
    if (spring->joint_count < 2 && vrmi_import_runs(sort->import)) {
        vrmi_reader_report(&sort->import->reader, VRM_FINDING_VRM1_SPRING_TOO_SHORT, spring->json, "joints", NULL,
            "two joints or more");
    }
    return spring->joint_count >= 2;
}

static uint32_t count_owned(const spring_sort *sort, int32_t node)
{
    uint32_t sum = 0;
    for (uint32_t i = (uint32_t)(node + 1); i > 0; i &= i - 1) {
        sum += sort->owned_above[i];
    }
    return sum;
}

static void add_owned(spring_sort *sort, uint32_t node, uint32_t amount)
{
    for (uint32_t i = node + 1; i <= sort->node_count; i += i & (~i + 1u)) {
        sort->owned_above[i] += amount; // modulo 2^32, so that adding ~0u subtracts 1
    }
}

// Returns the JSON of the joint whose spring owns a node.
static uint32_t json_of_owner(const spring_sort *sort, uint32_t node)
{
    const vrmi_read_spring *spring = &sort->springs[sort->owner[node]];
    uint32_t json = spring->json;
    for (uint32_t i = 0; i + 1 < spring->joint_count; ++i) { // finds the last head at the node or above it
        if (vrmi_import_contains(sort->import, joint_of(sort, spring, i)->node, node)) {
            json = joint_of(sort, spring, i)->json;
        }
    }
    return json;
}

// Returns the last node that a chain owns: the parent of its tail, or the last head if the tail is virtual.
static int32_t last_owned(const spring_sort *sort, const vrmi_read_spring *spring)
{
    const uint32_t tail = joint_of(sort, spring, spring->joint_count - 1)->node;
    return spring->virtual_tail ? (int32_t)tail : sort->parents[tail];
}

static void report_overlap(spring_sort *sort, const vrmi_read_spring *spring)
{
    vrmi_import *import = sort->import;
    uint32_t at = spring->json;
    char other[PATH_SIZE] = "";
    if (sort->conflicts++ < NAMED_CONFLICTS) {
        uint32_t joint = spring->joint_count - 1;
        int32_t node = last_owned(sort, spring);
        while (node >= 0 && sort->owner[node] == NO_SPRING) {
            node = sort->parents[node];
        }
        while (joint > 0 && (int32_t)joint_of(sort, spring, joint)->node > node) {
            --joint; // finds the head whose path to the next joint contains the node
        }
        at = joint_of(sort, spring, joint)->json;
        vrmi_json_path(import->json, node >= 0 ? json_of_owner(sort, (uint32_t)node) : 0, other, sizeof other);
    }
    vrmi_reader_report(
        &import->reader, VRM_FINDING_VRM1_SPRING_OVERLAP, at, NULL, other, "nodes that no other spring uses");
}

static void own(spring_sort *sort, const vrmi_read_spring *spring, int32_t index)
{
    const uint32_t first = joint_of(sort, spring, 0)->node;
    for (int32_t node = last_owned(sort, spring); node >= (int32_t)first; node = sort->parents[node]) {
        sort->owner[node] = index;
        add_owned(sort, (uint32_t)node, 1u);
        if (sort->ends[node] < sort->node_count) {
            add_owned(sort, sort->ends[node], ~0u);
        }
    }
    for (uint32_t i = 0; i + 1 < spring->joint_count; ++i) {
        sort->is_head[joint_of(sort, spring, i)->node] = true;
    }
}

// Whether another spring owns the i-th joint, or a node between that joint and the next. A path connects the two
// joints, so the number of its owned nodes is a difference of two counts.
static bool is_taken(const spring_sort *sort, const vrmi_read_spring *spring, uint32_t i)
{
    const int32_t last = sort->parents[joint_of(sort, spring, i + 1)->node];
    return count_owned(sort, last) != count_owned(sort, sort->parents[joint_of(sort, spring, i)->node]);
}

// Splits a spring into runs of joints that no other spring has claimed. The first run replaces the spring; the other
// runs are appended after all springs. Returns false if no such joint is left.
static bool cut_out(spring_sort *sort, uint32_t index)
{
    vrmi_import *import = sort->import;
    const vrmi_read_spring whole = sort->springs[index];
    uint32_t last = index, pieces = 0;
    for (uint32_t i = 0; i + 1 < whole.joint_count && vrmi_import_tick(import, 1);) {
        uint32_t end = i;
        while (end + 1 < whole.joint_count && !is_taken(sort, &whole, end)) {
            ++end;
        }
        if (end == i) {
            ++i;
            continue;
        }
        const uint32_t at = pieces++ == 0 ? index : sort->reading->springs.count;
        if (at != index) {
            if (!vrmi_spring_count_pairs(sort->reading, whole.json, "joints", whole.collider_count) ||
                vrmi_import_push(import, &sort->reading->springs) == NULL) {
                return false;
            }
            sort->springs = sort->reading->springs.items;
            sort->springs[last].next_piece = at;
            last = at;
        }
        sort->springs[at] = whole;
        sort->springs[at].first_joint = whole.first_joint + i;
        sort->springs[at].joint_count = end - i + 1;
        own(sort, &sort->springs[at], (int32_t)at);
        i = end;
    }
    return pieces != 0;
}

// Claims the chain's heads and the nodes between its joints. Joints on nodes that another chain has claimed are
// dropped, as in UniVRM. In three-vrm both springs write such a node, and the later result is shown.
static bool claim_nodes(spring_sort *sort, uint32_t index)
{
    const vrmi_read_spring *spring = &sort->springs[index];
    const uint32_t first = joint_of(sort, spring, 0)->node;
    if (count_owned(sort, last_owned(sort, spring)) == count_owned(sort, sort->parents[first])) {
        own(sort, spring, (int32_t)index);
        return true;
    }
    report_overlap(sort, spring);
    return !spring->virtual_tail && sort->conflicts <= NAMED_CONFLICTS && cut_out(sort, index);
}

// --- dependencies ----------------------------------------------------------------------------------------------------

static void find_movers(spring_sort *sort)
{
    for (uint32_t node = 0; node < sort->node_count; ++node) {
        const int32_t parent = sort->parents[node];
        sort->mover[node] = sort->is_head[node] ? sort->owner[node] : (parent >= 0 ? sort->mover[parent] : NO_SPRING);
    }
}

static int32_t mover_above(const spring_sort *sort, uint32_t node)
{
    return sort->parents[node] >= 0 ? sort->mover[sort->parents[node]] : NO_SPRING;
}

// Removes an invalid center. A center must be the first joint or above it, and no spring may move it.
static void check_center(spring_sort *sort, vrmi_read_spring *spring)
{
    if (spring->center < 0) {
        return;
    }
    const uint32_t first = joint_of(sort, spring, 0)->node, center = (uint32_t)spring->center;
    if (!vrmi_import_contains(sort->import, center, first) ||
        (center == first ? mover_above(sort, first) : sort->mover[center]) != NO_SPRING) {
        vrmi_reader_report_value(&sort->import->reader, VRM_FINDING_VRM1_SPRING_CENTER,
            vrmi_json_member(sort->import->json, spring->json, "center"),
            "the first joint's node or one above it, not moved by any spring");
        spring->center = -1;
    }
}

static void check_tail(spring_sort *sort, const vrmi_read_spring *spring)
{
    const vrmi_read_joint *tail = joint_of(sort, spring, spring->joint_count - 1);
    if (!spring->virtual_tail && sort->is_head[tail->node]) {
        char other[PATH_SIZE];
        vrmi_json_path(sort->import->json, json_of_owner(sort, tail->node), other, sizeof other);
        vrmi_reader_report(&sort->import->reader, VRM_FINDING_VRM1_SPRING_TAIL_SHARED, tail->json, "node", other, NULL);
    }
}

// Returns the spring that moves the root of spring `s` and must run before it. That spring is higher in the tree, so
// such dependencies cannot form a cycle.
static int32_t parent_spring(const spring_sort *sort, uint32_t s)
{
    return mover_above(sort, joint_of(sort, &sort->springs[s], 0)->node);
}

// Collects in sort->found all springs that must run before spring `s`, each once. Returns their number.
static uint32_t find_dependencies(spring_sort *sort, uint32_t s, uint32_t stamp)
{
    const vrmi_import *import = sort->import;
    const vrmi_read_spring *spring = &sort->springs[s];
    const uint32_t *list = VRMI_ROWS(import, chain_collider, uint32_t);
    const vrmi_collider_row *colliders = VRMI_ROWS(import, collider, vrmi_collider_row);
    uint32_t count = 0;
    const int32_t above = parent_spring(sort, s);
    if (above >= 0) {
        sort->stamps[above] = stamp;
        sort->found[count++] = (uint32_t)above;
    }
    for (uint32_t i = 0; i < spring->collider_count; ++i) {
        const int32_t mover = sort->mover[colliders[list[spring->first_collider + i]].node];
        // A collider on the chain itself moves with the chain, so it needs no dependency.
        if (mover >= 0 && mover != (int32_t)s && sort->stamps[mover] != stamp) {
            sort->stamps[mover] = stamp;
            sort->found[count++] = (uint32_t)mover;
        }
    }
    return count;
}

static bool link_dependencies(spring_sort *sort)
{
    vrmi_import *import = sort->import;
    uint64_t total = 0;
    for (uint32_t s = 0; s < sort->count; ++s) {
        if (!sort->springs[s].dropped && vrmi_import_tick(import, sort->springs[s].collider_count + 1)) {
            sort->waiting[s] = find_dependencies(sort, s, s + 1);
            for (uint32_t i = 0; i < sort->waiting[s]; ++i) {
                ++sort->first_dependent[sort->found[i] + 1];
                ++total;
            }
        }
    }
    sort->dependents = vrmi_import_scratch(import, (size_t)total, sizeof *sort->dependents);
    uint32_t *next = vrmi_import_scratch(import, sort->count, sizeof *next);
    if (!vrmi_import_runs(import)) {
        return false;
    }
    for (uint32_t s = 0; s < sort->count; ++s) {
        sort->first_dependent[s + 1] += sort->first_dependent[s];
        next[s] = sort->first_dependent[s];
    }
    for (uint32_t s = 0; s < sort->count; ++s) {
        const uint32_t count = sort->springs[s].dropped ? 0 : find_dependencies(sort, s, sort->count + s + 1);
        for (uint32_t i = 0; i < count; ++i) {
            sort->dependents[next[sort->found[i]]++] = s;
        }
    }
    return true;
}

// --- the order -------------------------------------------------------------------------------------------------------

static void report_cycle(spring_sort *sort, uint32_t s)
{
    char other[PATH_SIZE] = "";
    const uint32_t count = find_dependencies(sort, s, 2 * sort->count + s + 1);
    for (uint32_t i = 0; i < count; ++i) {
        if (!sort->done[sort->found[i]]) {
            vrmi_json_path(sort->import->json, sort->springs[sort->found[i]].json, other, sizeof other);
            break;
        }
    }
    vrmi_reader_report(&sort->import->reader, VRM_FINDING_VRM1_SPRING_CYCLE, sort->springs[s].json, "colliderGroups",
        other, "colliders that this spring does not move");
}

static void finish(spring_sort *sort, uint32_t s, uint32_t *order, uint32_t *count)
{
    sort->done[s] = true;
    order[(*count)++] = s;
}

// Orders the springs. A spring becomes ready when all springs that it depends on are done. Springs run in the order in
// which they become ready, starting in the file's order. If none is ready, there is a cycle, and the oldest spring in
// `rooted` runs next. `rooted` is never empty then, because only dependencies on colliders can form a cycle, not those
// on a root.
static uint32_t order_springs(spring_sort *sort, uint32_t *order)
{
    uint32_t count = 0, next = 0, left = 0, oldest = 0;
    for (uint32_t s = 0; s < sort->count; ++s) {
        if (!sort->springs[s].dropped) {
            ++left;
            if (sort->waiting[s] == 0) {
                finish(sort, s, order, &count);
            }
        }
    }
    // `rooted` lists the springs whose parent spring is done, in the order in which the parent springs were done.
    // Springs without a parent spring are listed at the start.
    uint32_t *rooted = vrmi_import_scratch(sort->import, sort->count, sizeof *rooted);
    uint32_t rooted_count = 0;
    for (uint32_t s = 0; s < sort->count && rooted != NULL; ++s) {
        if (!sort->springs[s].dropped && parent_spring(sort, s) < 0) {
            rooted[rooted_count++] = s;
        }
    }
    while (count < left && rooted != NULL) {
        if (next == count) {
            while (oldest < rooted_count && sort->done[rooted[oldest]]) {
                ++oldest;
            }
            if (oldest == rooted_count) {
                break; // cannot happen
            }
            report_cycle(sort, rooted[oldest]);
            finish(sort, rooted[oldest], order, &count);
        }
        for (; next < count; ++next) {
            const uint32_t s = order[next];
            for (uint32_t i = sort->first_dependent[s]; i < sort->first_dependent[s + 1]; ++i) {
                const uint32_t dependent = sort->dependents[i];
                if (parent_spring(sort, dependent) == (int32_t)s && !sort->done[dependent]) {
                    rooted[rooted_count++] = dependent;
                }
                if (--sort->waiting[dependent] == 0 && !sort->done[dependent]) {
                    finish(sort, dependent, order, &count);
                }
            }
        }
    }
    return count;
}

static bool prepare_nodes(spring_sort *sort)
{
    vrmi_import *import = sort->import;
    sort->owner = vrmi_import_scratch(import, sort->node_count, sizeof *sort->owner);
    sort->is_head = vrmi_import_scratch(import, sort->node_count, sizeof *sort->is_head);
    sort->owned_above = vrmi_import_scratch(import, (size_t)sort->node_count + 1, sizeof *sort->owned_above);
    sort->mover = vrmi_import_scratch(import, sort->node_count, sizeof *sort->mover);
    for (uint32_t i = 0; i < sort->node_count && vrmi_import_runs(import); ++i) {
        sort->owner[i] = NO_SPRING;
    }
    return vrmi_import_runs(import);
}

static bool prepare_springs(spring_sort *sort)
{
    vrmi_import *import = sort->import;
    sort->count = sort->reading->springs.count;
    sort->waiting = vrmi_import_scratch(import, sort->count, sizeof *sort->waiting);
    sort->first_dependent = vrmi_import_scratch(import, (size_t)sort->count + 1, sizeof *sort->first_dependent);
    sort->stamps = vrmi_import_scratch(import, sort->count, sizeof *sort->stamps);
    sort->found = vrmi_import_scratch(import, sort->count, sizeof *sort->found);
    sort->done = vrmi_import_scratch(import, sort->count, sizeof *sort->done);
    return vrmi_import_runs(import);
}

const uint32_t *vrmi_sort_springs(vrmi_spring_reading *reading, uint32_t *out_count)
{
    spring_sort sort = {
        .import = reading->import,
        .reading = reading,
        .springs = reading->springs.items,
        .joints = reading->joints.items,
        .node_count = reading->import->model.node_parent.count,
        .parents = VRMI_ROWS(reading->import, node_parent, int32_t),
        .ends = VRMI_ROWS(reading->import, node_subtree_end, uint32_t),
    };
    if (!prepare_nodes(&sort)) {
        return NULL;
    }
    const uint32_t file_count = reading->springs.count; // pieces that are appended later already own their nodes
    for (uint32_t s = 0; s < file_count && vrmi_import_tick(sort.import, sort.springs[s].joint_count); ++s) {
        const bool kept = !sort.springs[s].dropped && make_chain(&sort, &sort.springs[s]) && claim_nodes(&sort, s);
        sort.springs[s].dropped = !kept;
    }
    if (!vrmi_import_runs(sort.import) || !prepare_springs(&sort)) {
        return NULL;
    }
    find_movers(&sort);
    for (uint32_t s = 0; s < sort.count; ++s) {
        if (!sort.springs[s].dropped) {
            check_center(&sort, &sort.springs[s]);
            check_tail(&sort, &sort.springs[s]);
        }
    }
    uint32_t *order = vrmi_import_scratch(sort.import, sort.count, sizeof *order);
    if (order == NULL || !link_dependencies(&sort)) {
        return NULL;
    }
    *out_count = order_springs(&sort, order);
    return order;
}
