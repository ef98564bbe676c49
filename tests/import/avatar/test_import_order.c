// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The order of springs, constraints and node rows. Random trees are compared with plain, slow implementations of the
// specification's rules; other trees are at the limits of what a file may contain.

#include "avatar_file.h"
#include "base/platform.h"
#include "model/model.h"
#include "test_random.h"

enum { MAX_NODES = 64, MAX_SPRINGS = 16, MAX_JOINTS = 6 };

typedef struct tree {
    int count;
    int parents[MAX_NODES]; // smaller than the node's own index
} tree;

static tree random_tree(test_random *random)
{
    tree t = {.count = 8 + (int)test_random_below(random, MAX_NODES - 8)};
    t.parents[0] = -1;
    for (int i = 1; i < t.count; ++i) { // long strands: the parent is usually the previous node
        t.parents[i] = test_random_below(random, 4) != 0 ? i - 1 : (int)test_random_below(random, (uint32_t)i);
    }
    return t;
}

static int is_above(const tree *t, int above, int node) // or the same
{
    while (node > above) {
        node = t->parents[node];
    }
    return node == above;
}

static void add_tree(gltf_builder *b, const tree *t, const char *const extensions[MAX_NODES])
{
    for (int i = 0; i < t->count; ++i) {
        char children[512] = "";
        for (int c = i + 1; c < t->count; ++c) {
            if (t->parents[c] == i) {
                const size_t at = strlen(children);
                snprintf(children + at, sizeof children - at, "%s%d", at == 0 ? ",\"children\":[" : ",", c);
            }
        }
        gltf_builder_add(b, "nodes", "{\"translation\":[0,0.1,0]%s%s%s}", children, children[0] != '\0' ? "]" : "",
            extensions != NULL && extensions[i] != NULL ? extensions[i] : "");
    }
}

static vrm_avatar *import_plain(gltf_builder *b, vrm_report *report, vrm_result *out_result)
{
    size_t size;
    char *json = gltf_builder_json(b, 0, &size);
    vrm_avatar_def def;
    vrm_avatar_def_default(&def);
    def.allow_plain_gltf = true;
    vrm_avatar *avatar = NULL;
    *out_result = vrm_avatar_load(&def, json, size, report, &avatar);
    free(json);
    gltf_builder_free(b);
    return avatar;
}

// --- springs ---------------------------------------------------------------------------------------------------------

typedef struct spring {
    int joint_count;
    int joints[MAX_JOINTS];
    int collider;     // node of the spring's only collider, or -1
    int whole, first; // if this is a piece of a spring: the spring's index in the file and the piece's first joint
} spring;

// Picks joints from a node downwards, and sometimes skips a node.
static spring random_spring(test_random *random, const tree *t)
{
    spring s = {.collider = -1};
    int node = (int)test_random_below(random, (uint32_t)t->count);
    while (node >= 0 && s.joint_count < MAX_JOINTS) {
        if (s.joint_count == 0 || test_random_below(random, 5) != 0) {
            s.joints[s.joint_count++] = node;
        }
        int next = -1;
        for (int c = node + 1; c < t->count && next < 0; ++c) {
            next = t->parents[c] == node && test_random_below(random, 3) != 0 ? c : -1;
        }
        node = next;
    }
    if (test_random_below(random, 2) != 0) {
        s.collider = (int)test_random_below(random, (uint32_t)t->count);
    }
    return s;
}

// Returns true if the spring owns the node: from its first joint down to the node above its last joint.
static int owns(const tree *t, const spring *s, int node)
{
    const int tail = s->joints[s->joint_count - 1];
    return node != tail && is_above(t, s->joints[0], node) && is_above(t, node, tail);
}

// Returns true if the spring moves the node: its first joint rotates, and all nodes below rotate with it.
static int moves(const tree *t, const spring *s, int node)
{
    return is_above(t, s->joints[0], node);
}

static void write_springs(gltf_builder *b, const spring *springs, int count)
{
    gltf_builder_member_text text = {0};
    file_append(&text, "{\"VRMC_springBone\":{\"specVersion\":\"1.0\",\"colliders\":[");
    for (int i = 0; i < count; ++i) {
        file_append(&text, "%s{\"node\":%d,\"shape\":{\"sphere\":{\"radius\":0.1}}}", i != 0 ? "," : "",
            springs[i].collider >= 0 ? springs[i].collider : 0);
    }
    file_append(&text, "],\"colliderGroups\":[");
    for (int i = 0; i < count; ++i) {
        file_append(&text, "%s{\"colliders\":[%d]}", i != 0 ? "," : "", i);
    }
    file_append(&text, "],\"springs\":[");
    for (int i = 0; i < count; ++i) {
        file_append(&text, "%s{\"joints\":[", i != 0 ? "," : "");
        for (int j = 0; j < springs[i].joint_count; ++j) {
            file_append(&text, "%s{\"node\":%d}", j != 0 ? "," : "", springs[i].joints[j]);
        }
        file_append(&text, "]");
        if (springs[i].collider >= 0) {
            file_append(&text, ",\"colliderGroups\":[%d]", i);
        }
        file_append(&text, "}");
    }
    file_append(&text, "]}}");
    gltf_builder_member(b, "extensions", text.text);
    free(text.text);
}

// Checks that each node has one row, below its parent's row, and that hair rows are the nodes of chains.
static void check_rows(const vrmi_model *m)
{
    const uint32_t *rows = vrmi_model_node_row(m);
    const int32_t *parents = vrmi_model_node_parent(m);
    uint32_t place[MAX_NODES], found = 0;
    memset(place, 0xff, sizeof place);
    for (uint32_t i = 0; i < m->node_row.count; ++i) {
        const uint32_t node = rows[i], row = i / VRMI_LANES;
        found += place[node] == UINT32_MAX;
        CHECK(place[node] == UINT32_MAX || place[node] == row);
        place[node] = row;
        CHECK(parents[node] < 0 || place[parents[node]] < row);
        bool on_chain = false;
        for (int32_t n = (int32_t)node; n >= 0; n = parents[n]) {
            for (uint32_t c = 0; c < m->spring_chain.count; ++c) {
                const vrmi_chain_row *chain = &vrmi_model_spring_chain(m)[c];
                on_chain |= vrmi_model_spring_joint(m)[chain->first_joint].node == (uint32_t)n;
            }
        }
        CHECK((i >= m->head.first_hair) == on_chain);
    }
    CHECK_INT(found, m->node_parent.count);
}

// Cuts springs into the pieces that they keep when they are read in order: runs of joints without a node that an
// earlier spring owns.
static int cut_springs(const tree *t, const spring *springs, int count, spring *pieces)
{
    bool taken[MAX_NODES] = {false};
    int made = 0;
    for (int i = 0; i < count; ++i) {
        bool mine[MAX_NODES] = {false};
        spring *open = NULL;
        for (int j = 0; j + 1 < springs[i].joint_count; ++j) {
            const spring stretch = {.joint_count = 2, .joints = {springs[i].joints[j], springs[i].joints[j + 1]}};
            bool is_free = true;
            for (int node = 0; node < t->count; ++node) {
                is_free = is_free && !(owns(t, &stretch, node) && taken[node]);
            }
            for (int node = 0; node < t->count; ++node) {
                mine[node] = mine[node] || (is_free && owns(t, &stretch, node));
            }
            if (is_free && open == NULL) {
                open = &pieces[made++];
                *open = (spring){.collider = springs[i].collider, .whole = i, .first = j, .joint_count = 1};
                open->joints[0] = springs[i].joints[j];
            }
            if (is_free) {
                open->joints[open->joint_count++] = springs[i].joints[j + 1];
            } else {
                open = NULL;
            }
        }
        for (int node = 0; node < t->count; ++node) {
            taken[node] = taken[node] || mine[node];
        }
    }
    return made;
}

static int piece_of(const vrm_avatar *avatar, uint32_t chain_index, const spring *pieces, int count)
{
    vrm_spring_chain chain = {.struct_size = sizeof chain};
    vrm_spring_joint joint = {.struct_size = sizeof joint};
    vrm_avatar_get_spring_chain(avatar, chain_index, &chain);
    vrm_avatar_get_spring_joint(avatar, chain.first_joint, &joint);
    for (int i = 0; i < count; ++i) {
        if (pieces[i].whole == (int)chain.spring && pieces[i].first == (int)joint.joint) {
            CHECK_INT(chain.joint_count, pieces[i].joint_count - 1);
            return i;
        }
    }
    return -1;
}

static void check_springs(const tree *t, const spring *file, int file_count)
{
    spring springs[MAX_SPRINGS * MAX_JOINTS];
    const int count = cut_springs(t, file, file_count, springs);
    gltf_builder b = {0};
    add_tree(&b, t, NULL);
    write_springs(&b, file, file_count);
    vrm_report *report;
    vrm_report_create(NULL, &report);
    vrm_result result;
    vrm_avatar *avatar = import_plain(&b, report, &result);
    CHECK_INT(result, VRM_SUCCESS);
    int place[MAX_SPRINGS * MAX_JOINTS];
    for (int i = 0; i < count; ++i) {
        place[i] = -1;
    }
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    if (avatar != NULL) {
        check_rows(avatar->model);
        vrm_avatar_get_counts(avatar, &counts);
    }
    CHECK_INT(counts.spring_chains, count);
    for (uint32_t c = 0; c < counts.spring_chains; ++c) {
        const int piece = piece_of(avatar, c, springs, count);
        CHECK(piece >= 0 && place[piece] == -1);
        if (piece >= 0) {
            place[piece] = (int)c;
        }
    }
    for (int i = 0; i < count && avatar != NULL; ++i) {
        char path[96];
        snprintf(path, sizeof path, "/extensions/VRMC_springBone/springs/%d/colliderGroups", springs[i].whole);
        const int cut = has_finding(report, VRM_FINDING_VRM1_SPRING_CYCLE, path);
        for (int k = 0; k < count; ++k) {
            if (k == i) {
                continue;
            }
            const int parent = t->parents[springs[i].joints[0]];
            const int on_root = parent >= 0 && moves(t, &springs[k], parent);
            if (on_root) {
                CHECK(place[k] < place[i]); // this order holds even in a cycle
            } else if (springs[i].collider >= 0 && moves(t, &springs[k], springs[i].collider) && !cut) {
                // The nearest chain above the collider must run first. The chains above that one run before it, unless
                // one of them was cut out of a cycle.
                int nearest = 1;
                for (int o = 0; o < count; ++o) {
                    nearest = nearest && (o == k || !moves(t, &springs[o], springs[i].collider) ||
                                             springs[o].joints[0] < springs[k].joints[0]);
                }
                CHECK(!nearest || place[k] < place[i]);
            }
        }
    }
    vrm_avatar_release(avatar);
    vrm_report_destroy(report);
}

static void springs_wait_for_what_moves_them(void)
{
    for (uint64_t seed = 0; seed < 400; ++seed) {
        test_random random = test_random_make(seed);
        const tree t = random_tree(&random);
        spring springs[MAX_SPRINGS];
        const int count = 1 + (int)test_random_below(&random, MAX_SPRINGS);
        for (int i = 0; i < count; ++i) {
            springs[i] = random_spring(&random, &t);
        }
        const int before = test_failures;
        check_springs(&t, springs, count);
        if (test_failures != before) {
            printf("    seed %llu\n", (unsigned long long)seed);
            return;
        }
    }
}

// --- constraints -----------------------------------------------------------------------------------------------------

typedef struct link {
    int type; // vrm_constraint_type, or -1 if this node has no constraint
    int source;
} link;

// Returns true if the constraint on `a` reads what the constraint on `b` writes. Roll and rotation read the source's
// own rotation. An aim reads the origins of both nodes and the frame above the destination.
static int reads(const tree *t, const link *links, int a, int b)
{
    if (links[a].type != VRM_CONSTRAINT_AIM) {
        return links[a].source == b;
    }
    return (b != links[a].source && is_above(t, b, links[a].source)) || (b != a && is_above(t, b, a)) ||
           (b == a && links[a].source != a && is_above(t, a, links[a].source));
}

static void check_constraints(const tree *t, const link *links)
{
    static const char *const formats[3] = {"{\"roll\":{\"source\":%d,\"rollAxis\":\"X\"}}",
        "{\"aim\":{\"source\":%d,\"aimAxis\":\"PositiveY\"}}", "{\"rotation\":{\"source\":%d}}"};
    static char texts[MAX_NODES][192];
    const char *extensions[MAX_NODES] = {0};
    static bool reach[MAX_NODES][MAX_NODES];
    int circle = 0, total = 0;
    for (int i = 0; i < t->count; ++i) {
        if (links[i].type >= 0) {
            char constraint[96];
            snprintf(constraint, sizeof constraint,
                links[i].type == 0   ? formats[0]
                : links[i].type == 1 ? formats[1]
                                     : formats[2],
                links[i].source);
            snprintf(texts[i], sizeof texts[i],
                ",\"extensions\":{\"VRMC_node_constraint\":{\"specVersion\":\"1.0\",\"constraint\":%s}}", constraint);
            extensions[i] = texts[i];
            ++total;
        }
        for (int k = 0; k < t->count; ++k) {
            reach[i][k] = links[i].type >= 0 && links[k].type >= 0 && reads(t, links, i, k);
        }
    }
    for (int via = 0; via < t->count; ++via) {
        for (int i = 0; i < t->count; ++i) {
            for (int k = 0; k < t->count; ++k) {
                reach[i][k] = reach[i][k] || (reach[i][via] && reach[via][k]);
            }
        }
    }
    for (int i = 0; i < t->count; ++i) {
        circle = circle || reach[i][i];
    }
    gltf_builder b = {0};
    add_tree(&b, t, extensions);
    vrm_report *report;
    vrm_report_create(NULL, &report);
    vrm_result result;
    vrm_avatar *avatar = import_plain(&b, report, &result);
    CHECK_INT(result, VRM_SUCCESS);
    CHECK_INT(has_finding(report, VRM_FINDING_VRM1_CONSTRAINT_CYCLE, NULL), circle);
    if (avatar != NULL) {
        vrm_avatar_counts counts = {.struct_size = sizeof counts};
        vrm_avatar_get_counts(avatar, &counts);
        // Every removed constraint is in a cycle and is reported; no cycle remains.
        bool done[MAX_NODES] = {0}, kept[MAX_NODES] = {0};
        uint32_t gone = 0;
        for (uint32_t c = 0; c < counts.constraints; ++c) {
            vrm_constraint constraint = {.struct_size = sizeof constraint};
            vrm_node node = {.struct_size = sizeof node};
            vrm_avatar_get_constraint(avatar, c, &constraint);
            vrm_avatar_get_node(avatar, constraint.node, &node);
            kept[node.gltf_node] = true;
        }
        for (int i = 0; i < t->count; ++i) {
            const bool is_gone = links[i].type >= 0 && !kept[i];
            gone += is_gone;
            CHECK(!is_gone || reach[i][i]);
        }
        CHECK_INT(counts.constraints + gone, total);
        CHECK_INT(vrm_report_get_severity_count(report, VRM_SEVERITY_WARNING), gone + 1); // no VRM
        for (uint32_t c = 0; c < counts.constraints; ++c) {
            vrm_constraint constraint = {.struct_size = sizeof constraint};
            vrm_node node = {.struct_size = sizeof node};
            vrm_avatar_get_constraint(avatar, c, &constraint);
            vrm_avatar_get_node(avatar, constraint.node, &node);
            for (int k = 0; k < t->count; ++k) {
                CHECK(!kept[k] || !reads(t, links, (int)node.gltf_node, k) || done[k]);
            }
            done[node.gltf_node] = true;
        }
    }
    vrm_avatar_release(avatar);
    vrm_report_destroy(report);
}

static void constraints_follow_what_they_read(void)
{
    for (uint64_t seed = 0; seed < 400; ++seed) {
        test_random random = test_random_make(seed + 1000);
        const tree t = random_tree(&random);
        link links[MAX_NODES];
        const uint32_t one_of = 2 + test_random_below(&random, 12);
        for (int i = 0; i < t.count; ++i) {
            links[i] = (link){-1, 0};
            if (test_random_below(&random, one_of) == 0) {
                links[i].type = (int)test_random_below(&random, 3);
                links[i].source = (int)test_random_below(&random, (uint32_t)t.count);
                links[i].source = links[i].source == i ? (i + 1) % t.count : links[i].source;
            }
        }
        const int before = test_failures;
        check_constraints(&t, links);
        if (test_failures != before) {
            printf("    seed %llu\n", (unsigned long long)(seed + 1000));
            return;
        }
    }
}

// --- at the limits ---------------------------------------------------------------------------------------------------

// A line of 65,536 nodes with 10,000 springs. The lowest spring is first in the file, so each spring waits for the one
// above it.
static void deep_trees_are_no_trouble(void)
{
    enum { NODES = 65536, SPRINGS = 10000 };
    gltf_builder_member_text nodes = {0}, springs = {0};
    char text[128];
    for (int i = 0; i < NODES; ++i) {
        const int length = i + 1 < NODES
                               ? snprintf(text, sizeof text, "%s{\"children\":[%d]}", i != 0 ? "," : "[", i + 1)
                               : snprintf(text, sizeof text, ",{}]");
        gltf_builder_append(&nodes, text, (size_t)length);
    }
    const char *head = "{\"VRMC_springBone\":{\"specVersion\":\"1.0\",\"springs\":[";
    gltf_builder_append(&springs, head, strlen(head));
    for (int i = 0; i < SPRINGS; ++i) {
        const int at = (SPRINGS - 1 - i) * 6;
        const int length =
            snprintf(text, sizeof text, "%s{\"joints\":[{\"node\":%d},{\"node\":%d}]}", i != 0 ? "," : "", at, at + 5);
        gltf_builder_append(&springs, text, (size_t)length);
    }
    gltf_builder_append(&springs, "]}}", 3);
    gltf_builder b = {0};
    gltf_builder_member(&b, "nodes", nodes.text);
    gltf_builder_member(&b, "extensions", springs.text);
    free(nodes.text);
    free(springs.text);
    vrm_result result;
    vrm_avatar *avatar = import_plain(&b, NULL, &result);
    CHECK_INT(result, VRM_SUCCESS);
    for (uint32_t i = 0; i < SPRINGS && avatar != NULL; ++i) {
        vrm_spring_chain chain = {.struct_size = sizeof chain};
        CHECK_INT(vrm_avatar_get_spring_chain(avatar, i, &chain), VRM_SUCCESS);
        if (chain.spring != SPRINGS - 1 - i) {
            CHECK_INT(chain.spring, SPRINGS - 1 - i);
            break;
        }
    }
    vrm_avatar_release(avatar);
}

// A line of nodes below one spring. Each node is slightly rotated and has a collider; 4,000 nodes have a branch with a
// spring.
enum { LINE = 20000, BRANCHES = 4000 };

static vrm_avatar *line_below_hair(void)
{
    gltf_builder_member_text nodes = {0}, springs = {0};
    file_append(&nodes, "[");
    for (int i = 0; i < LINE; ++i) { // each branch has two nodes
        file_append(&nodes, "%s{\"translation\":[0,0.01,0],\"rotation\":[0,0,%.2f,%.2f]", i != 0 ? "," : "",
            i % 2 == 0 ? 0.28 : 0.0, i % 2 == 0 ? 0.96 : 1.0);
        if (i + 1 < LINE && i < BRANCHES) {
            file_append(&nodes, ",\"children\":[%d,%d]", i + 1, LINE + 2 * i);
        } else if (i + 1 < LINE) {
            file_append(&nodes, ",\"children\":[%d]", i + 1);
        }
        file_append(&nodes, "}");
    }
    for (int i = 0; i < BRANCHES; ++i) {
        file_append(&nodes, ",{\"children\":[%d]},{\"translation\":[0.1,0,0]}", LINE + 2 * i + 1);
    }
    file_append(&nodes, "]");
    file_append(&springs, "{\"VRMC_springBone\":{\"specVersion\":\"1.0\",\"colliders\":[");
    for (int i = 0; i < LINE; ++i) {
        file_append(&springs, "%s{\"node\":%d,\"shape\":{\"sphere\":{\"radius\":0.1}}}", i != 0 ? "," : "", i);
    }
    file_append(&springs, "],\"springs\":[{\"joints\":[{\"node\":0},{\"node\":1}]}");
    for (int i = 2; i < BRANCHES; ++i) {
        file_append(&springs, ",{\"joints\":[{\"node\":%d},{\"node\":%d}]}", LINE + 2 * i, LINE + 2 * i + 1);
    }
    file_append(&springs, "]}}");
    gltf_builder b = {0};
    gltf_builder_member(&b, "nodes", nodes.text);
    gltf_builder_member(&b, "extensions", springs.text);
    free(nodes.text);
    free(springs.text);
    vrm_result result;
    const double start = vrmi_platform_seconds();
    vrm_avatar *avatar = import_plain(&b, NULL, &result);
    const double seconds = vrmi_platform_seconds() - start;
    printf("%d nodes below one spring: %.0f ms\n", LINE + 2 * BRANCHES, seconds * 1e3);
    CHECK(seconds < 2); // quadratic time took 8 s
    CHECK_INT(result, VRM_SUCCESS);
    return avatar;
}

// Compares each anchor's pose, in the space of the spring joint above it, with a product of rest transforms in double.
static void lines_below_hair_are_no_trouble(void)
{
    vrm_avatar *avatar = line_below_hair();
    if (avatar == NULL) {
        return;
    }
    const vrmi_model *m = avatar->model;
    const vrm_transform *rest = vrmi_model_node_rest(m);
    double along[3] = {0, 0, 0}, angle = 0, worst = 0;
    uint32_t seen = 0;
    CHECK(m->spring_anchor.count >= LINE);
    for (uint32_t i = 0; i < m->spring_anchor.count; ++i) { // anchors are in order from the top down
        const vrmi_spring_anchor_row *anchor = &vrmi_model_spring_anchor(m)[i];
        const uint32_t node = (uint32_t)anchor->node;
        if (anchor->node < 0 || anchor->carrier < 0) {
            continue;
        }
        if (vrmi_model_node_parent(m)[node] == (int32_t)seen) {
            const double y = (double)rest[node].translation.y;
            along[0] -= sin(angle) * y;
            along[1] += cos(angle) * y;
            angle += 2 * atan2((double)rest[node].rotation.z, (double)rest[node].rotation.w);
            seen = node;
        }
        CHECK(seen == node);
        for (int k = 0; k < 2; ++k) {
            const double off = (double)anchor->relative.m[k][3] - along[k];
            worst = fmax(worst, fabs(off));
        }
        worst = fmax(worst, fabs((double)anchor->relative.m[0][0] - cos(angle)));
    }
    printf("%u anchors, off by %.1e\n", m->spring_anchor.count, worst);
    CHECK(seen > 19000 && worst < 1e-3);
    vrm_avatar_release(avatar);
}

static vrm_result import_with(uint32_t max_elements, uint64_t max_memory, vrm_report *report)
{
    size_t size;
    uint8_t *glb = avatar_file_make(&size);
    vrm_gltf *gltf = NULL;
    vrm_avatar *avatar = NULL;
    CHECK_INT(vrm_gltf_load(NULL, glb, size, NULL, &gltf), VRM_SUCCESS);
    vrm_avatar_def def;
    vrm_avatar_def_default(&def);
    def.limits.max_elements = max_elements;
    def.limits.max_memory = max_memory;
    const vrm_result result = vrm_avatar_import(&def, gltf, report, &avatar);
    vrm_avatar_release(avatar);
    vrm_gltf_destroy(gltf);
    free(glb);
    return result;
}

static void limits_hold(void)
{
    vrm_report *report;
    vrm_report_create(NULL, &report);
    // The file needs 6 elements of morph weights, and 9 (2 + 6 + 1) pairs of springs and colliders before duplicates
    // are removed.
    CHECK_INT(import_with(5, UINT64_MAX, report), VRM_ERROR_LIMIT);
    CHECK(has_finding(report, VRM_FINDING_LIMIT_EXCEEDED, "/nodes/72/mesh"));
    CHECK_INT(import_with(8, UINT64_MAX, report), VRM_ERROR_LIMIT);
    CHECK(has_finding(report, VRM_FINDING_LIMIT_EXCEEDED, "/extensions/VRMC_springBone/springs"));
    CHECK_INT(import_with(9, UINT64_MAX, report), VRM_SUCCESS);
    CHECK_INT(import_with(9, 100, NULL), VRM_ERROR_LIMIT);
    vrm_report_destroy(report);
}

static const test_case cases[] = {
    {"springs_wait_for_what_moves_them", springs_wait_for_what_moves_them},
    {"constraints_follow_what_they_read", constraints_follow_what_they_read},
    {"deep_trees_are_no_trouble", deep_trees_are_no_trouble},
    {"lines_below_hair_are_no_trouble", lines_below_hair_are_no_trouble},
    {"limits_hold", limits_hold},
};

RUN_TESTS(cases)
