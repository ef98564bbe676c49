// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "import/motion/bvh_parse.h"

#include <string.h>

#include "base/checks.h"
#include "base/report.h"
#include "base/text.h"
#include "math/scalar.h"

enum { MAX_JOINTS = 16384, MAX_DEPTH = 1024 };

typedef struct parser {
    const char *text;
    size_t size, at;
    // The token that was read last.
    const char *token;
    size_t token_size;
    const vrm_allocator *allocator;
    vrm_report *report;
    vrmi_bvh *out;
    vrm_result result;
} parser;

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

// Fails and reports the line and column of the token that was read last.
static bool fail(parser *p, const char *expected)
{
    if (p->result != VRM_SUCCESS) {
        return false;
    }
    const size_t place = (size_t)(p->token - p->text);
    uint32_t line = 1, column = 1;
    for (size_t i = 0; i < place; ++i) {
        column = p->text[i] == '\n' ? 1 : column + ((p->text[i] & 0xC0) != 0x80 ? 1u : 0u);
        line += p->text[i] == '\n' ? 1u : 0u;
    }
    char found[160];
    const int shown = p->token_size < 40 ? (int)p->token_size : 40;
    if (p->token_size == 0) {
        vrmi_format(found, sizeof found, "the end of the file at line %u, column %u", line, column);
    } else {
        vrmi_format(found, sizeof found, "%.*s at line %u, column %u", shown, p->token, line, column);
    }
    vrmi_report_offset(p->report, VRM_FINDING_BVH_SYNTAX, (int64_t)place, found, expected);
    p->result = VRM_ERROR_INVALID_ASSET;
    return false;
}

static bool stop(parser *p, vrm_result result)
{
    p->result = p->result == VRM_SUCCESS ? result : p->result;
    return false;
}

// Reads the next word, which is empty at the end of the text.
static void next(parser *p)
{
    while (p->at < p->size && is_space(p->text[p->at])) {
        ++p->at;
    }
    const size_t start = p->at;
    while (p->at < p->size && !is_space(p->text[p->at])) {
        ++p->at;
    }
    p->token = p->text + start;
    p->token_size = p->at - start;
}

static bool is_word(const parser *p, const char *word)
{
    const size_t length = strlen(word);
    if (p->token_size != length) {
        return false;
    }
    for (size_t i = 0; i < length; ++i) {
        const char c = p->token[i];
        if ((c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c) != word[i]) {
            return false;
        }
    }
    return true;
}

static bool expect(parser *p, const char *word)
{
    next(p);
    return is_word(p, word) || fail(p, word);
}

// Reads a label. The colon may be part of the word ("Frames:") or follow after spaces ("Frames :").
static bool expect_label(parser *p, const char *word, const char *with_colon)
{
    next(p);
    return is_word(p, with_colon) || (is_word(p, word) && expect(p, ":")) || fail(p, with_colon);
}

static bool read_number(parser *p, double *out)
{
    next(p);
    const char *text = p->token;
    size_t size = p->token_size;
    bool negative = false;
    if (size > 1 && (*text == '+' || *text == '-')) { // JSON numbers have no plus
        negative = *text == '-';
        ++text;
        --size;
    }
    char padded[64];
    if (size > 1 && *text == '.' && size < sizeof padded - 1) { // JSON numbers do not begin with a point
        padded[0] = '0';
        memcpy(padded + 1, text, size);
        text = padded;
        ++size;
    }
    size_t used = size > 0 && *text >= '0' && *text <= '9' ? vrmi_parse_double(text, size, out) : 0;
    used += used != 0 && used + 1 == size && text[used] == '.' ? 1u : 0u; // "5."
    // Skips leading zeros, which JSON numbers do not have.
    for (size_t skip = 1; used != size && skip < size && text[skip - 1] == '0' && used != 0; ++skip) {
        used = skip + vrmi_parse_double(text + skip, size - skip, out);
    }
    *out = negative ? -*out : *out;
    if (used == 0 || used != size || !vrmi_finite_double(*out) || !(*out < 3e38 && *out > -3e38)) {
        return fail(p, "a number");
    }
    return true;
}

static bool read_vector(parser *p, vrm_vec3 *out)
{
    double v[3];
    for (int i = 0; i < 3; ++i) {
        if (!read_number(p, &v[i])) {
            return false;
        }
    }
    *out = (vrm_vec3){(float)v[0], (float)v[1], (float)v[2]};
    return true;
}

static bool read_channels(parser *p, vrmi_bvh_joint *joint)
{
    static const char *const names[] = {"xposition", "yposition", "zposition", "xrotation", "yrotation", "zrotation"};
    double count;
    if (!read_number(p, &count)) {
        return false;
    }
    if (count != 0.0 && count != 1.0 && count != 2.0 && count != 3.0 && count != 4.0 && count != 5.0 && count != 6.0) {
        return fail(p, "0 to 6 channels");
    }
    joint->first_channel = p->out->channel_count;
    joint->channel_count = (uint32_t)count;
    uint32_t seen = 0;
    for (uint32_t i = 0; i < joint->channel_count; ++i) {
        uint32_t channel = 0;
        next(p);
        while (channel < VRMI_COUNT_OF(names) && !is_word(p, names[channel])) {
            ++channel;
        }
        if (channel == VRMI_COUNT_OF(names)) {
            return fail(p, "Xposition, Yposition, Zposition, Xrotation, Yrotation or Zrotation");
        }
        if ((seen >> channel & 1u) != 0) {
            return fail(p, "each channel once");
        }
        seen |= 1u << channel;
        joint->channels[i] = (uint8_t)channel;
    }
    p->out->channel_count += joint->channel_count;
    return true;
}

static vrmi_bvh_joint *add_joint(parser *p, int32_t parent, bool end)
{
    if (p->out->joints.count >= MAX_JOINTS) {
        vrmi_report(p->report, VRM_FINDING_LIMIT_EXCEEDED, "", NULL, "at most 16384 joints");
        stop(p, VRM_ERROR_LIMIT);
        return NULL;
    }
    vrmi_bvh_joint *joint = vrmi_array_push(&p->out->joints, p->allocator);
    if (joint == NULL) {
        stop(p, VRM_ERROR_OUT_OF_MEMORY);
        return NULL;
    }
    joint->parent = parent;
    joint->end = end;
    return joint;
}

// Reads a name, which ends at the end of the line: some tools write spaces in names.
static void read_name(parser *p, vrmi_bvh_joint *joint)
{
    while (p->at < p->size && (p->text[p->at] == ' ' || p->text[p->at] == '\t')) {
        ++p->at;
    }
    size_t end = p->at;
    while (end < p->size && p->text[end] != '\n' && p->text[end] != '\r' && p->text[end] != '{') {
        ++end;
    }
    size_t length = end - p->at;
    while (length > 0 && is_space(p->text[p->at + length - 1])) {
        --length;
    }
    joint->name = p->text + p->at;
    joint->name_length = (uint32_t)length;
    p->at = end;
}

// Reads "{ OFFSET x y z [CHANNELS ...]" of the joint added last. End sites have no channels.
static bool open_joint(parser *p)
{
    if (!expect(p, "{") || !expect(p, "offset")) {
        return false;
    }
    vrm_vec3 offset;
    if (!read_vector(p, &offset)) {
        return false;
    }
    vrmi_bvh_joint *joint = (vrmi_bvh_joint *)p->out->joints.items + p->out->joints.count - 1;
    joint->offset = offset;
    joint->first_channel = p->out->channel_count;
    return joint->end || (expect(p, "channels") && read_channels(p, joint));
}

static bool parse_hierarchy(parser *p)
{
    if (!expect(p, "hierarchy")) {
        return false;
    }
    int32_t above = -1; // the joint whose block is open
    uint32_t depth = 0;
    for (;;) {
        next(p);
        const bool root = is_word(p, "root"), joint = is_word(p, "joint"), end = is_word(p, "end");
        if (depth == 0 && p->out->joints.count > 0 && is_word(p, "motion")) {
            return true;
        }
        if (above >= 0 && is_word(p, "}")) {
            const vrmi_bvh_joint *joints = p->out->joints.items;
            above = joints[above].parent;
            --depth;
            continue;
        }
        if (depth == 0 ? !root : !(joint || end)) {
            return fail(p, depth == 0 ? (p->out->joints.count == 0 ? "root" : "motion") : "joint, end site or }");
        }
        if (depth >= MAX_DEPTH) {
            vrmi_report(p->report, VRM_FINDING_LIMIT_EXCEEDED, "", NULL, "at most 1024 levels of joints");
            return stop(p, VRM_ERROR_LIMIT);
        }
        vrmi_bvh_joint *added = add_joint(p, above, end);
        if (added == NULL) {
            return false;
        }
        if (end) {
            if (!expect(p, "site") || !open_joint(p) || !expect(p, "}")) {
                return false;
            }
            continue;
        }
        read_name(p, added);
        if (!open_joint(p)) {
            return false;
        }
        above = (int32_t)p->out->joints.count - 1;
        ++depth;
    }
}

// Returns the end of the line that contains the next word.
static size_t line_end(const parser *p)
{
    size_t at = p->at;
    while (at < p->size && is_space(p->text[at])) {
        ++at;
    }
    while (at < p->size && p->text[at] != '\n') {
        ++at;
    }
    return at;
}

static bool parse_frames(parser *p)
{
    const uint32_t width = p->out->channel_count;
    for (uint32_t frame = 0; frame < p->out->frame_count; ++frame) {
        if (!vrmi_array_reserve(&p->out->values, p->allocator, width)) {
            return stop(p, VRM_ERROR_OUT_OF_MEMORY);
        }
        const size_t end = width != 0 ? line_end(p) : p->size;
        for (uint32_t i = 0; i < width; ++i) {
            double value;
            if (!read_number(p, &value)) {
                return false;
            }
            if ((size_t)(p->token - p->text) > end) {
                return fail(p, "as many numbers in each line as there are channels");
            }
            ((float *)p->out->values.items)[p->out->values.count++] = (float)value;
        }
        if (width != 0 && line_end(p) == end && p->at < end) {
            next(p);
            if (p->token_size != 0 && (size_t)(p->token - p->text) < end) {
                return fail(p, "as many numbers in each line as there are channels");
            }
        }
    }
    next(p);
    return p->token_size == 0 || fail(p, "the end of the file: there are more frames than declared");
}

static bool parse_motion(parser *p)
{
    double frames, time;
    if (!expect_label(p, "frames", "frames:") || !read_number(p, &frames)) {
        return false;
    }
    if (!(frames >= 0.0 && frames <= 1e8) || frames != (double)(uint32_t)frames) {
        return fail(p, "a number of frames");
    }
    p->out->frame_count = (uint32_t)frames;
    if (!expect(p, "frame") || !expect_label(p, "time", "time:") || !read_number(p, &time)) {
        return false;
    }
    // A single frame needs no frame time.
    if (!(time > 0.0 && time <= 3600.0) && !(time == 0.0 && p->out->frame_count <= 1)) {
        return fail(p, "a time above 0");
    }
    p->out->frame_time = (float)time;
    if (p->out->channel_count == 0 && p->out->frame_count > 1) {
        p->out->frame_count = 1; // without channels all frames are the same
    }
    return parse_frames(p);
}

vrm_result vrmi_bvh_parse(
    vrmi_bvh *out, const char *text, size_t size, const vrm_allocator *allocator, vrm_report *report)
{
    memset(out, 0, sizeof *out);
    out->joints.item_size = sizeof(vrmi_bvh_joint);
    out->values.item_size = sizeof(float);
    parser p = {.text = text, .size = size, .token = text, .allocator = allocator, .report = report, .out = out};
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        p.at = 3;
    }
    if (parse_hierarchy(&p)) {
        parse_motion(&p);
    }
    if (p.result != VRM_SUCCESS) {
        vrmi_bvh_free(out, allocator);
    }
    return p.result;
}

void vrmi_bvh_free(vrmi_bvh *bvh, const vrm_allocator *allocator)
{
    vrmi_array_free(&bvh->joints, allocator);
    vrmi_array_free(&bvh->values, allocator);
}
