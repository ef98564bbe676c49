// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "meter_skin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <vrm/instance.h>
#include <vrm/update.h>

#include "base/text.h"
#include "math/mat34.h"

// The largest number of a limb's vertices to which rays are cast. The distance between these vertices is smaller than a
// hole in a skirt.
enum { PROBES = 320 };

static const float none = 1e30f;

typedef struct skin_vertex {
    vrm_vec3 position;  // in the bind pose
    uint32_t joints[4]; // indices into all palettes; for a rigid vertex, the node
    float weights[4];
    int16_t bone; // the nearest humanoid bone at or above the node with the largest weight, or -1
    bool hair;    // a spring moves the node with the largest weight
    bool rigid;   // not skinned: the vertex follows a node
} skin_vertex;

typedef struct triangle {
    uint32_t corners[3];
} triangle;

// Surfaces that limbs may penetrate.
typedef enum surface { TRUNK, LEFT_THIGH, RIGHT_THIGH, SKIRT, SURFACES } surface;

typedef struct triangles {
    triangle *items;
    uint32_t count, room;
} triangles;

// A vertex of a limb, and its depths inside other parts at rest, which belong to the figure's design.
typedef struct probe {
    uint32_t vertex;
    float rest[2]; // of an arm: depths in the trunk and in a thigh; of a leg: distance outside of the skirt
} probe;

typedef struct probes {
    probe items[PROBES];
    uint32_t count;
} probes;

// An axis-aligned box.
typedef struct extent {
    vrm_vec3 low, high;
} extent;

struct meter_skin {
    const vrm_avatar *avatar;
    skin_vertex *vertices;
    vrm_vec3 *places; // of the frame
    uint32_t count, room;
    triangles surfaces[SURFACES];
    extent extents[SURFACES]; // of the surfaces in this frame
    probes arms, legs;
    bool failed; // memory ran out
};

// --- reading -------------------------------------------------------------------------------------------------------

static void *grown(meter_skin *skin, void *items, uint32_t needed, uint32_t *room, size_t size)
{
    if (needed <= *room) {
        return items;
    }
    const uint32_t more = needed > 2 * *room ? needed : 2 * *room;
    void *moved = realloc(items, more * size);
    if (moved == NULL) {
        skin->failed = true;
        return items;
    }
    *room = more;
    return moved;
}

// Returns a number of the document's JSON, -1 if there is none.
static int64_t json_number(const vrm_gltf *gltf, const char *pointer)
{
    vrm_string text;
    double value;
    if (vrm_gltf_get_json(gltf, pointer, &text) != VRM_SUCCESS ||
        vrmi_parse_double(text.data, text.length, &value) == 0) {
        return -1;
    }
    return (int64_t)value;
}

static int64_t attribute(const vrm_gltf *gltf, uint32_t mesh, uint32_t primitive, const char *name)
{
    char pointer[96];
    return json_number(
        gltf, vrmi_format(pointer, sizeof pointer, "/meshes/%u/primitives/%u/%s", mesh, primitive, name));
}

// Returns an array that says for each node whether a spring moves the node or one of its ancestors.
static bool *find_hair(const vrm_avatar *avatar)
{
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    bool *hair = calloc((size_t)counts.nodes + 1, sizeof *hair);
    for (uint32_t i = 0; hair != NULL && i < counts.spring_joints; ++i) {
        vrm_spring_joint joint = {.struct_size = sizeof joint};
        (void)vrm_avatar_get_spring_joint(avatar, i, &joint);
        hair[joint.node] = true;
    }
    for (uint32_t i = 0; hair != NULL && i < counts.nodes; ++i) {
        vrm_node node = {.struct_size = sizeof node};
        (void)vrm_avatar_get_node(avatar, i, &node);
        hair[i] = node.human_bone < 0 && (hair[i] || (node.parent >= 0 && hair[node.parent]));
    }
    return hair;
}

static int16_t bone_above(const vrm_avatar *avatar, uint32_t at)
{
    vrm_node node = {.struct_size = sizeof node};
    for (int32_t i = (int32_t)at; i >= 0; i = node.parent) {
        (void)vrm_avatar_get_node(avatar, (uint32_t)i, &node);
        if (node.human_bone >= 0) {
            return (int16_t)node.human_bone;
        }
    }
    return -1;
}

// The data of a primitive's vertices.
typedef struct primitive_source {
    const vrm_gltf *gltf;
    const bool *hair;
    vrm_mesh_node mesh;
    vrm_palette palette;
    uint32_t position, count;
    int64_t joints, weights; // accessors; -1: not skinned
} primitive_source;

static bool read_vertices(meter_skin *skin, const primitive_source *s)
{
    float *positions = malloc((size_t)s->count * 3 * sizeof *positions);
    float *weights = calloc((size_t)s->count * 4, sizeof *weights);
    uint32_t *joints = calloc((size_t)s->count * 4, sizeof *joints);
    skin->vertices = grown(skin, skin->vertices, skin->count + s->count, &skin->room, sizeof *skin->vertices);
    bool done = positions != NULL && weights != NULL && joints != NULL && !skin->failed &&
                vrm_gltf_read_floats(s->gltf, s->position, 0, s->count, positions) == VRM_SUCCESS;
    const bool skinned = s->mesh.palette >= 0 && s->joints >= 0 && s->weights >= 0;
    if (done && skinned) {
        done = vrm_gltf_read_uints(s->gltf, (uint32_t)s->joints, 0, s->count, joints) == VRM_SUCCESS &&
               vrm_gltf_read_floats(s->gltf, (uint32_t)s->weights, 0, s->count, weights) == VRM_SUCCESS;
    }
    for (uint32_t i = 0; done && i < s->count; ++i) {
        skin_vertex *v = &skin->vertices[skin->count++];
        *v = (skin_vertex){
            .position = {positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]}, .rigid = !skinned};
        uint32_t strongest = 0;
        float sum = 0.0f;
        for (uint32_t k = 0; k < 4 && skinned; ++k) {
            const uint32_t joint = joints[4 * i + k];
            v->weights[k] = joint < s->palette.joint_count ? weights[4 * i + k] : 0.0f;
            v->joints[k] = joint < s->palette.joint_count ? s->palette.first_joint + joint : 0;
            strongest = v->weights[k] > v->weights[strongest] ? k : strongest;
            sum += v->weights[k];
        }
        for (uint32_t k = 0; k < 4 && sum > 0.0f; ++k) {
            v->weights[k] /= sum;
        }
        const uint32_t node =
            skinned
                ? s->palette.nodes[joints[4 * i + strongest] < s->palette.joint_count ? joints[4 * i + strongest] : 0]
                : s->mesh.node;
        v->joints[0] = skinned ? v->joints[0] : node;
        v->bone = bone_above(skin->avatar, node);
        v->hair = s->hair[node];
    }
    free(positions);
    free(weights);
    free(joints);
    return done;
}

static bool is_trunk(int16_t bone)
{
    return bone >= VRM_HUMAN_BONE_HIPS && bone <= VRM_HUMAN_BONE_UPPER_CHEST;
}

// Returns the surface to which a triangle belongs, or -1.
static int surface_of(const meter_skin *skin, const uint32_t corners[3])
{
    int found = -1;
    for (int i = 0; i < 3; ++i) {
        const skin_vertex *v = &skin->vertices[corners[i]];
        int is = -1;
        if (v->hair) {
            const bool below = v->bone == VRM_HUMAN_BONE_HIPS || v->bone == VRM_HUMAN_BONE_SPINE ||
                               v->bone == VRM_HUMAN_BONE_LEFT_UPPER_LEG || v->bone == VRM_HUMAN_BONE_RIGHT_UPPER_LEG;
            is = below ? SKIRT : -1;
        } else if (is_trunk(v->bone)) {
            is = TRUNK;
        } else if (v->bone == VRM_HUMAN_BONE_LEFT_UPPER_LEG || v->bone == VRM_HUMAN_BONE_RIGHT_UPPER_LEG) {
            is = v->bone == VRM_HUMAN_BONE_LEFT_UPPER_LEG ? LEFT_THIGH : RIGHT_THIGH;
        }
        if (is < 0 || (i > 0 && is != found)) {
            return -1;
        }
        found = is;
    }
    return found;
}

static void read_triangles(meter_skin *skin, const vrm_gltf *gltf, uint32_t accessor, uint32_t first)
{
    vrm_gltf_accessor info = {.struct_size = sizeof info};
    if (vrm_gltf_get_accessor(gltf, accessor, &info) != VRM_SUCCESS) {
        return;
    }
    uint32_t *indices = malloc((size_t)info.count * sizeof *indices + 1);
    if (indices == NULL || vrm_gltf_read_uints(gltf, accessor, 0, info.count, indices) != VRM_SUCCESS) {
        skin->failed |= indices == NULL;
        free(indices);
        return;
    }
    for (uint32_t i = 0; i + 2 < info.count; i += 3) {
        triangle t = {{first + indices[i], first + indices[i + 1], first + indices[i + 2]}};
        const bool inside = t.corners[0] < skin->count && t.corners[1] < skin->count && t.corners[2] < skin->count;
        const int found = inside ? surface_of(skin, t.corners) : -1;
        if (found >= 0) {
            triangles *list = &skin->surfaces[found];
            list->items = grown(skin, list->items, list->count + 1, &list->room, sizeof *list->items);
            if (!skin->failed) {
                list->items[list->count++] = t;
            }
        }
    }
    free(indices);
}

static void read_mesh(meter_skin *skin, const vrm_gltf *gltf, const bool *hair, uint32_t index)
{
    primitive_source s = {.gltf = gltf,
        .hair = hair,
        .mesh = {.struct_size = sizeof s.mesh},
        .palette = {.struct_size = sizeof s.palette}};
    (void)vrm_avatar_get_mesh_node(skin->avatar, index, &s.mesh);
    if (s.mesh.palette >= 0) {
        (void)vrm_avatar_get_palette(skin->avatar, (uint32_t)s.mesh.palette, &s.palette);
    }
    int64_t before = -1;
    uint32_t first = 0;
    for (uint32_t i = 0; !skin->failed; ++i) {
        const int64_t position = attribute(gltf, s.mesh.gltf_mesh, i, "attributes/POSITION");
        vrm_gltf_accessor info = {.struct_size = sizeof info};
        if (position < 0 || vrm_gltf_get_accessor(gltf, (uint32_t)position, &info) != VRM_SUCCESS) {
            return;
        }
        // Primitives often share vertices, which are read only once.
        if (position != before) {
            s.position = (uint32_t)position;
            s.count = info.count;
            s.joints = attribute(gltf, s.mesh.gltf_mesh, i, "attributes/JOINTS_0");
            s.weights = attribute(gltf, s.mesh.gltf_mesh, i, "attributes/WEIGHTS_0");
            first = skin->count;
            if (!read_vertices(skin, &s)) {
                return;
            }
            before = position;
        }
        const int64_t indices = attribute(gltf, s.mesh.gltf_mesh, i, "indices");
        const int64_t mode = attribute(gltf, s.mesh.gltf_mesh, i, "mode");
        if (indices >= 0 && (mode < 0 || mode == 4)) {
            read_triangles(skin, gltf, (uint32_t)indices, first);
        }
    }
}

// --- a frame -------------------------------------------------------------------------------------------------------

static void place_vertices(meter_skin *skin, const vrm_outputs *outputs)
{
    for (uint32_t i = 0; i < skin->count; ++i) {
        const skin_vertex *v = &skin->vertices[i];
        if (v->rigid) {
            skin->places[i] = vrmi_mat34_point(&outputs->world[v->joints[0]], v->position);
            continue;
        }
        vrm_vec3 sum = {0.0f, 0.0f, 0.0f};
        for (int k = 0; k < 4; ++k) {
            if (v->weights[k] > 0.0f) {
                const vrm_vec3 p = vrmi_mat34_point(&outputs->palette[v->joints[k]], v->position);
                sum = vrmi_vec3_add(sum, vrmi_vec3_scale(p, v->weights[k]));
            }
        }
        skin->places[i] = sum;
    }
}

static void enclose_surfaces(meter_skin *skin)
{
    for (int s = 0; s < SURFACES; ++s) {
        extent e = {{none, none, none}, {-none, -none, -none}};
        for (uint32_t i = 0; i < skin->surfaces[s].count; ++i) {
            for (int k = 0; k < 3; ++k) {
                const vrm_vec3 p = skin->places[skin->surfaces[s].items[i].corners[k]];
                e.low = (vrm_vec3){vrmi_min(e.low.x, p.x), vrmi_min(e.low.y, p.y), vrmi_min(e.low.z, p.z)};
                e.high = (vrm_vec3){vrmi_max(e.high.x, p.x), vrmi_max(e.high.y, p.y), vrmi_max(e.high.z, p.z)};
            }
        }
        skin->extents[s] = e;
    }
}

static bool overlap(float low, float high, float a, float b)
{
    const float margin = 1e-3f; // metres: rounding must not hide a crossing
    return vrmi_max(a, b) > low - margin && vrmi_min(a, b) < high + margin;
}

// Whether the line from a to b may cross the surface.
static bool may_cross(const extent *e, vrm_vec3 a, vrm_vec3 b)
{
    return overlap(e->low.x, e->high.x, a.x, b.x) && overlap(e->low.y, e->high.y, a.y, b.y) &&
           overlap(e->low.z, e->high.z, a.z, b.z);
}

// Returns the parameter, 0 at `from` and 1 at `to`, at which a line crosses a triangle; negative if it does not.
static float ray_meets(const meter_skin *skin, const triangle *t, vrm_vec3 from, vrm_vec3 to)
{
    const vrm_vec3 a = skin->places[t->corners[0]];
    const vrm_vec3 u = vrmi_vec3_sub(skin->places[t->corners[1]], a), v = vrmi_vec3_sub(skin->places[t->corners[2]], a);
    const vrm_vec3 way = vrmi_vec3_sub(to, from), p = vrmi_vec3_cross(way, v);
    const float det = vrmi_vec3_dot(u, p);
    if (fabsf(det) < 1e-12f) {
        return -1.0f;
    }
    const vrm_vec3 s = vrmi_vec3_sub(from, a), q = vrmi_vec3_cross(s, u);
    const float x = vrmi_vec3_dot(s, p) / det, y = vrmi_vec3_dot(way, q) / det;
    return x < 0.0f || y < 0.0f || x + y > 1.0f ? -1.0f : vrmi_vec3_dot(v, q) / det;
}

static bool bone_place(const meter_skin *skin, const vrm_outputs *outputs, vrm_human_bone bone, vrm_vec3 *out)
{
    const int32_t node = vrm_avatar_get_bone_node(skin->avatar, bone);
    if (node >= 0) {
        *out = vrmi_mat34_translation(&outputs->world[node]);
    }
    return node >= 0;
}

// The axis of a limb, or of the trunk.
typedef struct axis {
    vrm_vec3 from, to;
} axis;

static vrm_vec3 nearest_on(const axis *a, vrm_vec3 p)
{
    const vrm_vec3 way = vrmi_vec3_sub(a->to, a->from);
    const float length = vrmi_vec3_dot(way, way);
    const float t = length > 0.0f ? vrmi_vec3_dot(vrmi_vec3_sub(p, a->from), way) / length : 0.0f;
    return vrmi_vec3_add(a->from, vrmi_vec3_scale(way, vrmi_clamp01(t)));
}

// Returns the depth of a limb's point inside a surface, on the line from the nearest point of the limb's axis; 0 if it
// is outside.
static float depth_in(const meter_skin *skin, surface in, const axis *a, vrm_vec3 p)
{
    const vrm_vec3 from = nearest_on(a, p);
    const float radius = vrmi_vec3_length(vrmi_vec3_sub(p, from));
    float nearest = 3.0f; // beyond this, the surface belongs to another part of the body
    if (!may_cross(&skin->extents[in], p, vrmi_vec3_lerp(from, p, nearest))) {
        return 0.0f;
    }
    for (uint32_t i = 0; i < skin->surfaces[in].count; ++i) {
        const float t = ray_meets(skin, &skin->surfaces[in].items[i], from, p);
        nearest = t > 1.0f && t < nearest ? t : nearest;
    }
    return nearest < 3.0f ? (nearest - 1.0f) * radius : 0.0f;
}

// Returns the distance by which a limb's point is outside of cloth that lies between the limb's axis and its skin.
static float depth_out(const meter_skin *skin, const axis *a, vrm_vec3 p)
{
    const vrm_vec3 from = nearest_on(a, p);
    const float radius = vrmi_vec3_length(vrmi_vec3_sub(p, from));
    float farthest = 0.0f;
    if (!may_cross(&skin->extents[SKIRT], from, p)) {
        return 0.0f;
    }
    for (uint32_t i = 0; i < skin->surfaces[SKIRT].count; ++i) {
        const float t = ray_meets(skin, &skin->surfaces[SKIRT].items[i], from, p);
        farthest = t > farthest && t < 1.0f ? t : farthest;
    }
    return farthest > 0.0f ? (1.0f - farthest) * radius : 0.0f;
}

static axis axis_of(const meter_skin *skin, const vrm_outputs *outputs, vrm_human_bone from, vrm_human_bone to)
{
    axis a = {0};
    if (!bone_place(skin, outputs, from, &a.from) || !bone_place(skin, outputs, to, &a.to)) {
        a.to = a.from;
    }
    return a;
}

// Measures the depths of the arms. With `rest` the depths are stored as those at rest. Otherwise `out` gets the largest
// excess over the depths at rest.
static void probe_arms(meter_skin *skin, const vrm_outputs *outputs, bool rest, meter_skin_frame *out)
{
    const axis trunk = axis_of(skin, outputs, VRM_HUMAN_BONE_HIPS, VRM_HUMAN_BONE_HEAD);
    const axis thighs[2] = {axis_of(skin, outputs, VRM_HUMAN_BONE_LEFT_UPPER_LEG, VRM_HUMAN_BONE_LEFT_LOWER_LEG),
        axis_of(skin, outputs, VRM_HUMAN_BONE_RIGHT_UPPER_LEG, VRM_HUMAN_BONE_RIGHT_LOWER_LEG)};
    for (uint32_t i = 0; i < skin->arms.count; ++i) {
        probe *p = &skin->arms.items[i];
        const vrm_vec3 at = skin->places[p->vertex];
        const float in_trunk = depth_in(skin, TRUNK, &trunk, at);
        const float left = depth_in(skin, LEFT_THIGH, &thighs[0], at),
                    right = depth_in(skin, RIGHT_THIGH, &thighs[1], at);
        const float in_thigh = left > right ? left : right;
        if (rest) {
            p->rest[0] = in_trunk;
            p->rest[1] = in_thigh;
            continue;
        }
        const float depth = fmaxf(in_trunk - p->rest[0], in_thigh - p->rest[1]);
        if (depth > out->arm_poke) {
            out->arm_poke = depth;
            out->arm_bone = skin->vertices[p->vertex].bone;
        }
    }
}

static void probe_legs(meter_skin *skin, const vrm_outputs *outputs, bool rest, meter_skin_frame *out)
{
    const vrm_human_bone legs[4] = {VRM_HUMAN_BONE_LEFT_UPPER_LEG, VRM_HUMAN_BONE_LEFT_LOWER_LEG,
        VRM_HUMAN_BONE_RIGHT_UPPER_LEG, VRM_HUMAN_BONE_RIGHT_LOWER_LEG};
    axis axes[4];
    for (int i = 0; i < 4; ++i) {
        axes[i] = axis_of(skin, outputs, legs[i], (vrm_human_bone)(legs[i] + 1));
    }
    for (uint32_t i = 0; i < skin->legs.count; ++i) {
        probe *p = &skin->legs.items[i];
        const int16_t bone = skin->vertices[p->vertex].bone;
        const int which = (bone >= VRM_HUMAN_BONE_RIGHT_UPPER_LEG ? 2 : 0) +
                          (bone == VRM_HUMAN_BONE_LEFT_LOWER_LEG || bone == VRM_HUMAN_BONE_RIGHT_LOWER_LEG ? 1 : 0);
        const float depth = depth_out(skin, &axes[which], skin->places[p->vertex]);
        if (rest) {
            p->rest[0] = depth;
        } else if (depth - p->rest[0] > out->skirt_poke) {
            out->skirt_poke = depth - p->rest[0];
            out->skirt_bone = bone;
        }
    }
}

static void probe_limbs(meter_skin *skin, const vrm_outputs *outputs, bool rest, meter_skin_frame *out)
{
    enclose_surfaces(skin);
    probe_arms(skin, outputs, rest, out);
    probe_legs(skin, outputs, rest, out);
}

void meter_skin_read(meter_skin *skin, const meter_skin_look *look, meter_skin_frame *out)
{
    *out = (meter_skin_frame){.lowest = none,
        .lowest_hair = none,
        .lowest_bone = -1,
        .arm_poke = -1,
        .skirt_poke = -1,
        .arm_bone = -1,
        .skirt_bone = -1};
    float side[METER_DIRECTIONS], ahead[METER_DIRECTIONS];
    for (int d = 0; d < METER_DIRECTIONS; ++d) {
        vrmi_sincos((float)d * (2.0f * VRMI_PI / METER_DIRECTIONS), &side[d], &ahead[d]);
        out->reach[d] = -none;
    }
    place_vertices(skin, look->outputs);
    for (uint32_t i = 0; i < skin->count; ++i) {
        const vrm_vec3 p = skin->places[i];
        const skin_vertex *v = &skin->vertices[i];
        if (v->hair || v->bone < 0) {
            out->lowest_hair = v->hair && p.y < out->lowest_hair ? p.y : out->lowest_hair;
            continue;
        }
        if (p.y < out->lowest) {
            out->lowest = p.y;
            out->lowest_bone = v->bone;
        }
        for (int d = 0; d < METER_DIRECTIONS && p.y < look->ground + look->near; ++d) {
            out->reach[d] = fmaxf(out->reach[d], p.x * side[d] + p.z * ahead[d]);
        }
    }
    if (look->pokes) {
        out->arm_poke = skin->arms.count > 0 ? 0.0f : -1.0f;
        out->skirt_poke = skin->surfaces[SKIRT].count > 0 && skin->legs.count > 0 ? 0.0f : -1.0f;
        probe_limbs(skin, look->outputs, false, out);
    }
}

// --- making --------------------------------------------------------------------------------------------------------

static void choose(const meter_skin *skin, probes *out, bool (*is)(const meter_skin *, const vrm_outputs *, uint32_t),
    const vrm_outputs *outputs)
{
    uint32_t all = 0, taken = 0;
    for (uint32_t i = 0; i < skin->count; ++i) {
        all += is(skin, outputs, i) ? 1 : 0;
    }
    const uint32_t stride = all / PROBES + 1;
    for (uint32_t i = 0; i < skin->count && out->count < PROBES; ++i) {
        if (is(skin, outputs, i) && taken++ % stride == 0) {
            out->items[out->count++].vertex = i;
        }
    }
}

// Whether a vertex belongs to a hand, a forearm or the half of an upper arm that is nearer to the elbow. The other half
// is joined to the trunk.
static bool is_arm(const meter_skin *skin, const vrm_outputs *outputs, uint32_t vertex)
{
    const skin_vertex *v = &skin->vertices[vertex];
    if (v->hair || v->bone < VRM_HUMAN_BONE_LEFT_SHOULDER) {
        return false;
    }
    if (v->bone == VRM_HUMAN_BONE_LEFT_UPPER_ARM || v->bone == VRM_HUMAN_BONE_RIGHT_UPPER_ARM) {
        const axis arm = axis_of(skin, outputs, (vrm_human_bone)v->bone, (vrm_human_bone)(v->bone + 1));
        const vrm_vec3 p = skin->places[vertex];
        return vrmi_vec3_length(vrmi_vec3_sub(p, arm.to)) < vrmi_vec3_length(vrmi_vec3_sub(p, arm.from));
    }
    return v->bone != VRM_HUMAN_BONE_LEFT_SHOULDER && v->bone != VRM_HUMAN_BONE_RIGHT_SHOULDER;
}

static bool is_leg(const meter_skin *skin, const vrm_outputs *outputs, uint32_t vertex)
{
    (void)outputs;
    const skin_vertex *v = &skin->vertices[vertex];
    return !v->hair && (v->bone == VRM_HUMAN_BONE_LEFT_UPPER_LEG || v->bone == VRM_HUMAN_BONE_LEFT_LOWER_LEG ||
                           v->bone == VRM_HUMAN_BONE_RIGHT_UPPER_LEG || v->bone == VRM_HUMAN_BONE_RIGHT_LOWER_LEG);
}

// Measures the depths at rest, with an instance in the T-pose.
static void learn_rest(meter_skin *skin)
{
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = skin->avatar;
    vrm_instance *instance = NULL;
    if (vrm_instance_create(&def, &instance) != VRM_SUCCESS) {
        skin->failed = true;
        return;
    }
    vrm_update_dt(instance, 0.0f);
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(instance, &outputs);
    place_vertices(skin, &outputs);
    choose(skin, &skin->arms, is_arm, &outputs);
    choose(skin, &skin->legs, is_leg, &outputs);
    probe_limbs(skin, &outputs, true, NULL);
    vrm_instance_destroy(instance);
}

meter_skin *meter_skin_create(const vrm_avatar *avatar, const vrm_gltf *gltf)
{
    meter_skin *skin = calloc(1, sizeof *skin);
    bool *hair = find_hair(avatar);
    if (skin == NULL || hair == NULL) {
        free(skin);
        free(hair);
        return NULL;
    }
    skin->avatar = avatar;
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    for (uint32_t i = 0; i < counts.meshes && !skin->failed; ++i) {
        read_mesh(skin, gltf, hair, i);
    }
    free(hair);
    skin->places = malloc((skin->count + 1) * sizeof *skin->places);
    skin->failed |= skin->places == NULL;
    if (!skin->failed) {
        learn_rest(skin);
    }
    if (skin->failed) {
        meter_skin_destroy(skin);
        return NULL;
    }
    return skin;
}

void meter_skin_destroy(meter_skin *skin)
{
    if (skin != NULL) {
        for (int i = 0; i < SURFACES; ++i) {
            free(skin->surfaces[i].items);
        }
        free(skin->vertices);
        free(skin->places);
        free(skin);
    }
}

bool meter_skin_is_empty(const meter_skin *skin)
{
    return skin->count == 0;
}

// --- soles ---------------------------------------------------------------------------------------------------------

static bool rest_place(const vrm_avatar *avatar, vrm_human_bone bone, vrm_vec3 *out)
{
    vrm_node node = {.struct_size = sizeof node};
    const int32_t index = vrm_avatar_get_bone_node(avatar, bone);
    if (index < 0 || vrm_avatar_get_node(avatar, (uint32_t)index, &node) != VRM_SUCCESS) {
        return false;
    }
    *out = node.rest_position;
    return true;
}

// Returns the Z direction that the figure faces at rest: 1, or -1 in VRM 0.x.
static float facing(const vrm_avatar *avatar)
{
    vrm_vec3 left, right;
    return rest_place(avatar, VRM_HUMAN_BONE_LEFT_UPPER_LEG, &left) &&
                   rest_place(avatar, VRM_HUMAN_BONE_RIGHT_UPPER_LEG, &right) && left.x < right.x
               ? -1.0f
               : 1.0f;
}

// Finds the vertex of a foot or of the toes that is farthest along `ahead`, among those at the height of the lowest
// one. Positions are those at rest.
static bool find_sole(const meter_skin *skin, vrm_human_bone bone, float ahead, vrm_vec3 *out)
{
    float low = none;
    for (uint32_t i = 0; i < skin->count; ++i) {
        low = skin->vertices[i].bone == (int16_t)bone && !skin->vertices[i].hair ? fminf(low, skin->places[i].y) : low;
    }
    bool found = false;
    for (uint32_t i = 0; i < skin->count; ++i) {
        const vrm_vec3 p = skin->places[i];
        if (skin->vertices[i].bone == (int16_t)bone && !skin->vertices[i].hair && p.y < low + 0.012f &&
            (!found || (p.z - out->z) * ahead > 0.0f)) {
            *out = vrmi_vec3(p.x, low, p.z);
            found = true;
        }
    }
    return found;
}

void meter_skin_find_soles(const meter_skin *skin, const vrm_avatar *avatar, meter_sole out[METER_SOLES])
{
    const float ahead = facing(avatar);
    for (int side = 0; side < 2; ++side) {
        const vrm_human_bone foot = side == 0 ? VRM_HUMAN_BONE_LEFT_FOOT : VRM_HUMAN_BONE_RIGHT_FOOT;
        vrm_vec3 ankle = {0}, toes = {0};
        (void)rest_place(avatar, foot, &ankle);
        const bool has_toes = rest_place(avatar, (vrm_human_bone)(foot + 1), &toes);
        const vrm_human_bone front = has_toes ? (vrm_human_bone)(foot + 1) : foot;
        const vrm_vec3 *joint = has_toes ? &toes : &ankle;
        // Without vertices a foot is assumed to extend forward from the ankle by the ankle's height, and backward by a
        // third of that length.
        vrm_vec3 heel = {ankle.x, 0.0f, ankle.z - 0.3f * ankle.y * ahead};
        vrm_vec3 ball =
            has_toes ? vrmi_vec3(toes.x, 0.0f, toes.z) : vrmi_vec3(ankle.x, 0.0f, ankle.z + ankle.y * ahead);
        vrm_vec3 tip = {ball.x, 0.0f, ball.z + 0.3f * ankle.y * ahead};
        if (skin != NULL) {
            const bool whole = find_sole(skin, foot, -ahead, &heel);
            (void)find_sole(skin, foot, ahead, &ball);
            if (!find_sole(skin, front, ahead, &tip) && whole) {
                tip = ball;
            }
        }
        meter_sole *sole = &out[3 * side];
        sole[0] = (meter_sole){foot, vrmi_vec3_sub(heel, ankle)};
        sole[1] = (meter_sole){foot, vrmi_vec3_sub(ball, ankle)};
        sole[2] = (meter_sole){front, vrmi_vec3_sub(tip, *joint)};
    }
}

bool meter_skin_find_footprint(const meter_skin *skin, vrm_human_bone foot, vrm_vec3 *out_least, vrm_vec3 *out_most)
{
    float low = none;
    vrm_vec3 least = {none, none, none}, most = {-none, -none, -none};
    for (int pass = 0; pass < 2; ++pass) {
        for (uint32_t i = 0; i < skin->count; ++i) {
            const int16_t bone = skin->vertices[i].bone;
            const vrm_vec3 p = skin->places[i];
            if (skin->vertices[i].hair || (bone != (int16_t)foot && bone != (int16_t)(foot + 1))) {
                continue;
            }
            if (pass == 0) {
                low = fminf(low, p.y);
            } else if (p.y < low + 0.02f) {
                least = vrmi_vec3(fminf(least.x, p.x), fminf(least.y, p.y), fminf(least.z, p.z));
                most = vrmi_vec3(fmaxf(most.x, p.x), fmaxf(most.y, p.y), fmaxf(most.z, p.z));
            }
        }
    }
    if (low < none) {
        *out_least = least;
        *out_most = most;
    }
    return low < none;
}
