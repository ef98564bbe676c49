// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// BVH text: accepted and refused texts, with line and column; skeletons by joint names and by a map.

#include <math.h>
#include <stdlib.h>

#include <vrm/vrm.h>

#include "base/allocator.h"
#include "import/motion/bvh_parse.h"
#include "shared_path.h"
#include "test.h"

static vrm_result load(const char *text, vrm_string map, vrm_report *report, vrm_clip **out_clip)
{
    vrm_clip_def def;
    vrm_clip_def_default(&def);
    def.bone_map = map;
    return vrm_clip_load(&def, text, strlen(text), report, out_clip);
}

static const char good[] =
    "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
    "Yrotation\n JOINT Twig\n {\n  OFFSET 0 5 0\n  CHANNELS 3 Yrotation Xrotation Zrotation\n  End Site\n"
    "  {\n   OFFSET 0 1 0\n  }\n }\n}\nMOTION\nFrames: 2\nFrame Time: 0.5\n"
    "1 2 3 90 0 0 0 0 0\n+1.5 -.25 3. 0 0 0 007 1e1 0\n";

static void numbers(void)
{
    vrm_allocator allocator;
    vrmi_default_allocator(&allocator);
    vrmi_bvh bvh;
    CHECK_INT(vrmi_bvh_parse(&bvh, good, sizeof good - 1, &allocator, NULL), VRM_SUCCESS);
    CHECK_INT(bvh.joints.count, 3);
    CHECK_INT(bvh.frame_count, 2);
    CHECK_INT(bvh.channel_count, 9);
    const float *v = (const float *)bvh.values.items + 9;
    const double want[9] = {1.5, -0.25, 3, 0, 0, 0, 7, 10, 0};
    for (int i = 0; i < 9; ++i) {
        CHECK_NEAR(v[i], want[i], 0);
    }
    const vrmi_bvh_joint *joints = bvh.joints.items;
    CHECK_INT(joints[1].parent, 0);
    CHECK_INT(joints[1].first_channel, 6);
    CHECK_INT(joints[1].channels[0], VRMI_BVH_Y_ROTATION);
    CHECK(joints[2].end && joints[2].parent == 1);
    vrmi_bvh_free(&bvh, &allocator);
    vrm_clip *clip = NULL;
    CHECK_INT(load(good, (vrm_string){NULL, 3}, NULL, &clip), VRM_ERROR_INVALID_ARGUMENT);
    // The finding names every missing bone.
    vrm_report *report = NULL;
    CHECK_INT(vrm_report_create(NULL, &report), VRM_SUCCESS);
    const char nothing[] = "Twig =\nHips=\n#Leaf = head\n = head\nTwigg = head\n";
    CHECK_INT(load(good, (vrm_string){nothing, sizeof nothing - 1}, report, &clip), VRM_SUCCESS);
    vrm_clip_release(clip);
    bool named = false;
    int strays = 0;
    for (uint32_t i = 0; i < vrm_report_get_count(report); ++i) {
        const vrm_finding *finding = vrm_report_get_finding(report, i);
        const char *last =
            finding->id == VRM_FINDING_MOTION_BONE_MISSING ? strstr(finding->expected, ", rightHand") : NULL;
        if (finding->id == VRM_FINDING_MOTION_MAP_STRAY) {
            CHECK_STRING(finding->found, "Twigg");
            ++strays;
        }
        named = named || (last != NULL && strlen(last) == strlen(", rightHand"));
    }
    CHECK(named);
    CHECK_INT(strays, 1); // a comment or a line without a joint is not reported
    vrm_report_destroy(report);
    const char map[] = "# a comment\nTwig = head\nHips=hips\n";
    CHECK_INT(load(good, (vrm_string){map, sizeof map - 1}, NULL, &clip), VRM_SUCCESS);
    vrm_clip_info info = {.struct_size = sizeof info};
    vrm_clip_get_info(clip, &info);
    CHECK_NEAR(info.duration, 0.5, 1e-7);
    CHECK(info.bones == ((UINT64_C(1) << VRM_HUMAN_BONE_HIPS) | (UINT64_C(1) << VRM_HUMAN_BONE_HEAD)));
    vrm_clip_pose pose = {.struct_size = sizeof pose};
    vrm_clip_sample(clip, 0.0f, &pose);
    CHECK_NEAR(pose.rotations[0].z, 0.70710678, 1e-6); // 90 degrees about Z
    CHECK_NEAR(pose.rotations[0].w, 0.70710678, 1e-6);
    vrm_clip_release(clip);
}

typedef struct broken {
    const char *cut; // part of the good text that is replaced
    const char *replaced;
    const char *where; // beginning of the expected finding
} broken;

static void refused(void)
{
    static const broken rows[] = {{"HIERARCHY", "HIERARCH", "HIERARCH at line 1, column 1"},
        {"ROOT", "JOINT", "JOINT at line 2, column 1"},
        {" OFFSET 0 0 0", " OFFSET 0 0", "CHANNELS at line 5, column 2"},
        {"CHANNELS 6", "CHANNELS 7", "7 at line 5, column 11"},
        {"Xposition", "Xposition2", "Xposition2 at line 5, column 13"},
        {"Yposition", "Xposition", "Xposition at line 5, column 23"},
        {"Frames: 2", "Frames: -2", "-2 at line 17, column 9"},
        {"Frames: 2", "Frames: 3", "the end of the file at line 21, column 1"},
        {"Frames: 2", "Frames: 1", "+1.5 at line 20, column 1"},
        {"Frame Time: 0.5", "Frame Time: 0", "0 at line 18, column 13"}, {"007", "0x7", "0x7 at line 20, column 20"},
        {"1e1", "inf", "inf at line 20, column 24"}, {"1e1", "1e999", "1e999 at line 20, column 24"},
        {"0 0 0\n+1.5", "0 0\n+1.5", "+1.5 at line 20, column 1"}, {" }\n}\n", " }\n", "MOTION at line 15, column 1"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char text[1024];
        const char *at = strstr(good, rows[i].cut);
        CHECK(at != NULL);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, rows[i].replaced, at + strlen(rows[i].cut));
        vrm_report *report = NULL;
        CHECK_INT(vrm_report_create(NULL, &report), VRM_SUCCESS);
        vrm_clip *clip = NULL;
        CHECK_INT(load(text, (vrm_string){0}, report, &clip), VRM_ERROR_INVALID_ASSET);
        CHECK(clip == NULL);
        CHECK_INT(vrm_report_get_count(report), 1);
        const vrm_finding *finding = vrm_report_get_finding(report, 0);
        CHECK(finding != NULL && finding->id == VRM_FINDING_BVH_SYNTAX);
        if (finding == NULL || strncmp(finding->found, rows[i].where, strlen(rows[i].where)) != 0) {
            ++test_failures;
            printf("%zu: found \"%s\", expected \"%s\"\n", i, finding != NULL ? finding->found : "", rows[i].where);
        }
        vrm_report_destroy(report);
    }
}

// A text that is truncated or has a changed byte, anywhere, is either read or refused.
static void damaged(void)
{
    char text[sizeof good];
    vrm_clip *clip = NULL;
    for (size_t size = 0; size < sizeof good; ++size) {
        if (vrm_clip_load(NULL, good, size, NULL, &clip) == VRM_SUCCESS) {
            vrm_clip_release(clip);
        }
        static const char bytes[] = {'{', '}', '9', '-', ' ', '\0', (char)0xFF};
        for (size_t b = 0; b < sizeof bytes && size + 1 < sizeof good; ++b) {
            memcpy(text, good, sizeof good);
            text[size] = bytes[b];
            if (vrm_clip_load(NULL, text, sizeof good - 1, NULL, &clip) == VRM_SUCCESS) {
                vrm_clip_release(clip);
            }
        }
    }
    CHECK_INT(vrm_clip_load(NULL, NULL, 0, NULL, &clip), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_clip_load_file(NULL, "no such file.bvh", NULL, &clip), VRM_ERROR_NOT_FOUND);
    CHECK_INT(vrm_clip_load(NULL, "\x01\x02", 2, NULL, &clip), VRM_ERROR_NOT_GLTF);
}

static void files(void)
{
    static const char *const valid[] = {"channel-order-yxz", "duplicate-joint-names", "empty-motion",
        "lowercase-and-padding", "minimal-root", "nested-joints", "position-on-joint", "single-frame-zero-time",
        "static-joint"};
    static const char *const malformed[] = {"channel-count", "frame-count", "frame-time", "frame-width",
        "missing-hierarchy", "missing-offset", "no-motion", "non-finite", "unclosed-joint", "unsupported-channel"};
    const char *shared = shared_folder();
    char path[512];
    vrm_clip *clip = NULL;
    snprintf(path, sizeof path, "%s/models/bvh/valid-minimal-root.bvh", shared);
    if (vrm_clip_load_file(NULL, path, NULL, &clip) == VRM_ERROR_NOT_FOUND) {
        SKIP("other people's BVH files are not there");
    }
    vrm_clip_release(clip);
    for (size_t i = 0; i < sizeof valid / sizeof *valid; ++i) {
        snprintf(path, sizeof path, "%s/models/bvh/valid-%s.bvh", shared, valid[i]);
        CHECK_INT(vrm_clip_load_file(NULL, path, NULL, &clip), VRM_SUCCESS);
        vrm_clip_release(clip);
    }
    for (size_t i = 0; i < sizeof malformed / sizeof *malformed; ++i) {
        vrm_report *report = NULL;
        CHECK_INT(vrm_report_create(NULL, &report), VRM_SUCCESS);
        snprintf(path, sizeof path, "%s/models/bvh/malformed-%s.bvh", shared, malformed[i]);
        CHECK_INT(vrm_clip_load_file(NULL, path, report, &clip), VRM_ERROR_INVALID_ASSET);
        const vrm_finding *finding = vrm_report_get_finding(report, 0);
        CHECK(finding != NULL && finding->id == VRM_FINDING_BVH_SYNTAX && strstr(finding->found, " at line ") != NULL);
        vrm_report_destroy(report);
    }
}

// A skeleton whose highest joint belongs to the trunk: names decide which joints above the hips are the spine.
static void trunk_alone(void)
{
    static const struct {
        const char *names[3];
        vrm_human_bone bones[3];
        uint64_t known; // bones besides the hips
    } rows[] = {
        {{"Spine", "Tail", "Tip"}, {VRM_HUMAN_BONE_SPINE}, UINT64_C(1) << VRM_HUMAN_BONE_SPINE},
        {{"LowerBack", "Spine", "Spine1"}, {VRM_HUMAN_BONE_SPINE, VRM_HUMAN_BONE_CHEST, VRM_HUMAN_BONE_UPPER_CHEST},
            UINT64_C(1) << VRM_HUMAN_BONE_SPINE | UINT64_C(1) << VRM_HUMAN_BONE_CHEST |
                UINT64_C(1) << VRM_HUMAN_BONE_UPPER_CHEST},
        {{"Tail", "Spine", "Chest"}, {VRM_HUMAN_BONE_HIPS}, 0}, // the spine is not on the hips
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        char text[1024];
        const int length = snprintf(text, sizeof text,
            "HIERARCHY\nROOT Hips\n{\nOFFSET 0 90 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
            "JOINT %s\n{\nOFFSET 0 10 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
            "JOINT %s\n{\nOFFSET 0 10 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
            "JOINT %s\n{\nOFFSET 0 10 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
            "End Site\n{\nOFFSET 0 20 0\n}\n}\n}\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0 10 0 0 20 0 0 30 0 "
            "0\n",
            rows[i].names[0], rows[i].names[1], rows[i].names[2]);
        vrm_clip *clip = NULL;
        vrm_clip_def def;
        vrm_clip_def_default(&def);
        CHECK_INT(vrm_clip_load(&def, text, (size_t)length, NULL, &clip), VRM_SUCCESS);
        vrm_clip_info info = {.struct_size = sizeof info};
        vrm_clip_pose pose = {.struct_size = sizeof pose};
        vrm_clip_get_info(clip, &info);
        vrm_clip_sample(clip, 0.0f, &pose);
        CHECK(info.bones == (rows[i].known | UINT64_C(1) << VRM_HUMAN_BONE_HIPS));
        for (int joint = 0; joint < 3 && (rows[i].known >> rows[i].bones[joint] & 1u) != 0; ++joint) {
            CHECK_NEAR(pose.rotations[rows[i].bones[joint]].z, sin((joint + 1) * 5 * 3.14159265358979 / 180), 1e-6);
        }
        vrm_clip_release(clip);
    }
}

// In 3ds Max' Biped the shoulders are children of the neck. This does not make the neck an upperChest, and a rotation
// of the neck rotates both neck and arms.
static void shoulders_below_the_neck(void)
{
#define JOINT(name, offset) "JOINT " name "\n{\nOFFSET " offset "\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
#define ARM(side, x) \
    JOINT("Bip01_" side "_Clavicle", "0 0 0") \
    JOINT("Bip01_" side "_UpperArm", x " 0 0") \
    JOINT("Bip01_" side "_Forearm", x " 0 0") "End Site\n{\nOFFSET " x " 0 0\n}\n}\n}\n}\n"
    static const char text[] =
        "HIERARCHY\nROOT Bip01_Pelvis\n{\nOFFSET 0 90 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n" JOINT(
            "Bip01_Spine", "0 10 0") JOINT("Bip01_Spine1", "0 10 0") JOINT("Bip01_Neck", "0 10 0")
            JOINT("Bip01_Head", "0 10 0") "End Site\n{\nOFFSET 0 20 0\n}\n}\n" ARM("L", "10")
                ARM("R", "-10") "}\n}\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n"
                                "0 0 0 0 0 0 0 0 0 20 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n";
#undef ARM
#undef JOINT
    vrm_clip *clip = NULL;
    CHECK_INT(load(text, (vrm_string){0}, NULL, &clip), VRM_SUCCESS);
    vrm_clip_info info = {.struct_size = sizeof info};
    vrm_clip_get_info(clip, &info);
    CHECK((info.bones >> VRM_HUMAN_BONE_SPINE & 1u) != 0 && (info.bones >> VRM_HUMAN_BONE_CHEST & 1u) != 0);
    CHECK((info.bones >> VRM_HUMAN_BONE_UPPER_CHEST & 1u) == 0);
    CHECK((info.bones >> VRM_HUMAN_BONE_NECK & 1u) != 0 && (info.bones >> VRM_HUMAN_BONE_LEFT_SHOULDER & 1u) != 0);
    vrm_clip_pose pose = {.struct_size = sizeof pose};
    vrm_clip_sample(clip, 0.0f, &pose);
    const double half = sin(10 * 3.14159265358979 / 180);
    CHECK_NEAR(pose.rotations[VRM_HUMAN_BONE_CHEST].z, 0, 1e-6);
    CHECK_NEAR(pose.rotations[VRM_HUMAN_BONE_NECK].z, half, 1e-6);
    CHECK_NEAR(pose.rotations[VRM_HUMAN_BONE_LEFT_SHOULDER].z, half, 1e-6); // relative to the chest
    CHECK_NEAR(pose.rotations[VRM_HUMAN_BONE_RIGHT_SHOULDER].z, half, 1e-6);
    CHECK_NEAR(pose.rotations[VRM_HUMAN_BONE_HEAD].z, 0, 1e-6);
    vrm_clip_release(clip);
}

// Any number of degrees is a valid angle. These are full turns.
static void huge_angles(void)
{
    char huge[sizeof good + 32], *at = NULL;
    snprintf(huge, sizeof huge, "%s", good);
    at = strstr(huge, "1 2 3 90 ");
    CHECK(at != NULL);
    snprintf(at, sizeof huge - (size_t)(at - huge), "1 2 3 5e22 0 0 0 0 0\n+1.5 -.25 3. 0 0 0 007 -5e22 0\n");
    const char map[] = "Twig = head\nHips=hips\n";
    vrm_clip *clip = NULL;
    CHECK_INT(load(huge, (vrm_string){map, sizeof map - 1}, NULL, &clip), VRM_SUCCESS);
    vrm_clip_release(clip);
}

static const test_case cases[] = {{"numbers", numbers}, {"huge_angles", huge_angles}, {"refused", refused},
    {"damaged", damaged}, {"files", files}, {"trunk_alone", trunk_alone},
    {"shoulders_below_the_neck", shoulders_below_the_neck}};
RUN_TESTS(cases)
