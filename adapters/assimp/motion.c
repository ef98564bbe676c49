// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "motion.h"

#include <assimp/cimport.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHAIN_MAX = 32 };

static bool is_pivot(const struct aiNode *node)
{
    return node->mParent != NULL && strstr(node->mName.data, "_$AssimpFbx$_") != NULL;
}

// A queue entry: a node on the path to a bone, and that bone.
typedef struct visit {
    const struct aiNode *node;
    int32_t parent;
} visit;

// Lists the bones breadth first. There is no recursion, because an untrusted file may nest nodes to any depth.
static void list_bones(skeleton *s, visit *queue)
{
    for (uint32_t first = 0, last = 1; first < last; ++first) {
        const struct aiNode *node = queue[first].node;
        int32_t parent = queue[first].parent;
        if (!is_pivot(node)) {
            s->bones[s->count] = (bone){node, parent};
            parent = (int32_t)s->count++;
        }
        for (unsigned i = 0; i < node->mNumChildren; ++i) {
            queue[last++] = (visit){node->mChildren[i], parent};
        }
    }
}

// Counts the scene's nodes by following child and parent pointers, without recursion.
static uint32_t count_nodes(const struct aiNode *root)
{
    uint32_t count = 1;
    const struct aiNode *node = root;
    unsigned next = 0; // index of the next child
    for (;;) {
        if (next < node->mNumChildren) {
            node = node->mChildren[next];
            next = 0;
            ++count;
        } else if (node == root) {
            return count;
        } else {
            const struct aiNode *above = node->mParent;
            for (next = 0; above->mChildren[next] != node;) {
                ++next;
            }
            ++next;
            node = above;
        }
    }
}

// FBX states the unit's size in centimetres, and assimp leaves coordinates in that unit. For COLLADA, the root node's
// transform already contains the unit.
static float unit_of(const struct aiScene *scene)
{
    const struct aiMetadata *data = scene->mMetaData;
    for (unsigned i = 0; data != NULL && i < data->mNumProperties; ++i) {
        if (strcmp(data->mKeys[i].data, "UnitScaleFactor") != 0) {
            continue;
        }
        double factor = 0.0;
        if (data->mValues[i].mType == AI_FLOAT) {
            float value;
            memcpy(&value, data->mValues[i].mData, sizeof value);
            factor = (double)value;
        } else if (data->mValues[i].mType == AI_DOUBLE) {
            memcpy(&factor, data->mValues[i].mData, sizeof factor);
        }
        if (factor > 1e-4 && factor < 1e4) {
            return (float)(factor * 0.01);
        }
    }
    return 1.0f;
}

bool skeleton_of(const struct aiScene *scene, skeleton *out)
{
    const uint32_t count = count_nodes(scene->mRootNode);
    *out = (skeleton){.unit = unit_of(scene), .bones = calloc(count, sizeof *out->bones)};
    visit *queue = calloc(count, sizeof *queue);
    const bool enough = out->bones != NULL && queue != NULL;
    if (enough) {
        queue[0] = (visit){scene->mRootNode, -1};
        list_bones(out, queue);
    }
    free(queue);
    return enough;
}

void skeleton_free(skeleton *s)
{
    free(s->bones);
    *s = (skeleton){0};
}

// Collects the bone's node and the pivot nodes above it, outermost first. A chain longer than any in FBX is truncated.
static uint32_t chain_of(const bone *b, const struct aiNode *chain[CHAIN_MAX])
{
    uint32_t count = 1;
    for (const struct aiNode *n = b->node->mParent; n != NULL && is_pivot(n) && count < CHAIN_MAX; n = n->mParent) {
        ++count;
    }
    const struct aiNode *node = b->node;
    for (uint32_t i = count; i-- > 0; node = node->mParent) {
        chain[i] = node;
    }
    return count;
}

static void decompose(const struct aiMatrix4x4 *matrix, bone_key *out)
{
    aiDecomposeMatrix(matrix, &out->scale, &out->rotation, &out->position);
}

void bone_rest(const bone *b, bone_key *out)
{
    const struct aiNode *chain[CHAIN_MAX];
    const uint32_t count = chain_of(b, chain);
    struct aiMatrix4x4 matrix = chain[0]->mTransformation;
    for (uint32_t i = 1; i < count; ++i) {
        aiMultiplyMatrix4(&matrix, &chain[i]->mTransformation);
    }
    out->time = 0.0f;
    decompose(&matrix, out);
}

// --- sampling --------------------------------------------------------------------------------------------------------

// Finds the last key at or before the time, and the fraction of the way to the next key, 0 to 1. The first member of
// each key is its time.
static uint32_t find_key(const void *keys, size_t stride, uint32_t count, double time, float *out_part)
{
    uint32_t low = 0, high = count;
    const char *bytes = keys;
    double at = 0.0, next = 0.0;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        memcpy(&at, bytes + stride * middle, sizeof at);
        if (at <= time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *out_part = 0.0f;
    const uint32_t found = low > 0 ? low - 1 : 0;
    memcpy(&at, bytes + stride * found, sizeof at);
    if (low > 0 && found + 1 < count) {
        memcpy(&next, bytes + stride * (found + 1), sizeof next);
        *out_part = next > at ? (float)((time - at) / (next - at)) : 0.0f;
    }
    return found;
}

static struct aiVector3D sample_vector(
    const struct aiVectorKey *keys, uint32_t count, double time, struct aiVector3D otherwise)
{
    float part;
    if (count == 0) {
        return otherwise;
    }
    const uint32_t at = find_key(keys, sizeof *keys, count, time, &part);
    const struct aiVector3D a = keys[at].mValue, b = keys[at + (part > 0.0f ? 1u : 0u)].mValue;
    return (struct aiVector3D){a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part, a.z + (b.z - a.z) * part};
}

static void sample_node(const struct aiNode *node, const struct aiNodeAnim *keys, double time, struct aiMatrix4x4 *out)
{
    if (keys == NULL) {
        *out = node->mTransformation;
        return;
    }
    bone_key rest;
    decompose(&node->mTransformation, &rest);
    const struct aiVector3D scale = sample_vector(keys->mScalingKeys, keys->mNumScalingKeys, time, rest.scale);
    const struct aiVector3D place = sample_vector(keys->mPositionKeys, keys->mNumPositionKeys, time, rest.position);
    struct aiQuaternion rotation = rest.rotation;
    if (keys->mNumRotationKeys > 0) {
        float part;
        const uint32_t at =
            find_key(keys->mRotationKeys, sizeof *keys->mRotationKeys, keys->mNumRotationKeys, time, &part);
        rotation = keys->mRotationKeys[at].mValue;
        if (part > 0.0f) {
            aiQuaternionInterpolate(
                &rotation, &keys->mRotationKeys[at].mValue, &keys->mRotationKeys[at + 1].mValue, part);
        }
    }
    aiMatrix4FromScalingQuaternionPosition(out, &scale, &rotation, &place);
}

static int compare_times(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : (x > y ? 1 : 0);
}

// A take starts at time 0, and earlier keys are not part of the motion: many files have a T-pose there. The pose at
// time 0 is then interpolated between two keys.
static uint32_t cut_to_take(double *times, uint32_t count)
{
    uint32_t before = 0;
    while (before < count && times[before] <= 0.0) {
        ++before;
    }
    if (before == 0) {
        return count;
    }
    times[before - 1] = 0.0;
    memmove(times, times + before - 1, (count - before + 1) * sizeof *times);
    return count - before + 1;
}

// Returns the sorted times of all keys in the chain's channels, from the start of the take on, without duplicates.
static double *collect_times(const struct aiNodeAnim *const *channels, uint32_t count, uint32_t *out_count)
{
    size_t total = 0, kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (channels[i] != NULL) {
            total +=
                (size_t)channels[i]->mNumPositionKeys + channels[i]->mNumRotationKeys + channels[i]->mNumScalingKeys;
        }
    }
    *out_count = total > 0 ? 1 : 0;
    double *times = total > 0 && total < UINT32_MAX ? malloc(total * sizeof *times) : NULL;
    if (times == NULL) {
        return NULL;
    }
    size_t at = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const struct aiNodeAnim *c = channels[i];
        for (unsigned k = 0; c != NULL && k < c->mNumPositionKeys; ++k) {
            times[at++] = c->mPositionKeys[k].mTime;
        }
        for (unsigned k = 0; c != NULL && k < c->mNumRotationKeys; ++k) {
            times[at++] = c->mRotationKeys[k].mTime;
        }
        for (unsigned k = 0; c != NULL && k < c->mNumScalingKeys; ++k) {
            times[at++] = c->mScalingKeys[k].mTime;
        }
    }
    qsort(times, total, sizeof *times, compare_times);
    for (size_t i = 0; i < total; ++i) {
        // Curves of one bone may round equal times differently, so times within 1e-4 ticks become one key.
        if (kept == 0 || times[i] > times[kept - 1] + 1e-4) {
            times[kept++] = times[i];
        }
    }
    *out_count = cut_to_take(times, (uint32_t)kept);
    return times;
}

bone_key *bone_keys(const bone *b, const struct aiAnimation *animation, uint32_t *out_count)
{
    const struct aiNode *chain[CHAIN_MAX];
    const struct aiNodeAnim *channels[CHAIN_MAX] = {0};
    const uint32_t length = chain_of(b, chain);
    for (uint32_t i = 0; i < length; ++i) {
        for (unsigned c = 0; c < animation->mNumChannels; ++c) {
            if (strcmp(animation->mChannels[c]->mNodeName.data, chain[i]->mName.data) == 0) {
                channels[i] = animation->mChannels[c];
            }
        }
    }
    // If a node has only pre- and post-rotations above it, assimp's channel for the node already contains the whole
    // chain.
    const uint32_t whole = channels[length - 1] != NULL ? length - 1 : 0;
    double *times = collect_times(channels + whole, length - whole, out_count);
    bone_key *keys = times != NULL ? calloc(*out_count, sizeof *keys) : NULL;
    const double rate = animation->mTicksPerSecond > 0.0 ? animation->mTicksPerSecond : 25.0;
    for (uint32_t k = 0; keys != NULL && k < *out_count; ++k) {
        struct aiMatrix4x4 matrix, own;
        sample_node(chain[whole], channels[whole], times[k], &matrix);
        for (uint32_t i = whole + 1; i < length; ++i) {
            sample_node(chain[i], channels[i], times[k], &own);
            aiMultiplyMatrix4(&matrix, &own);
        }
        keys[k].time = (float)(times[k] / rate);
        decompose(&matrix, &keys[k]);
    }
    free(times);
    return keys;
}
