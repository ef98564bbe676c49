// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// hair avatar.vrm: turns the head from side to side for two seconds and prints the highest speed of the spring bones.
#include <cmath>
#include <cstdio>
#include <vector>

#include <vrm/vrm.hpp>

namespace {

float length_between(const vrm_dvec3 &a, const vrm_dvec3 &b)
{
    return static_cast<float>(std::hypot(a.x - b.x, a.y - b.y, a.z - b.z));
}

// Returns the highest speed of any spring bone's tail while the head turns, metres per second.
float swing(const vrm::avatar &avatar, vrm::instance &instance)
{
    const auto joints = avatar.counts().spring_joints;
    std::vector<vrm_dvec3> now(joints), before(joints);
    float fastest = 0.0f;
    for (int frame = 0; frame < 120; ++frame) {
        const float angle = 0.6f * std::sin(static_cast<float>(frame) * 0.15f);
        const vrm_quat turn = {0.0f, std::sin(angle / 2), 0.0f, std::cos(angle / 2)};
        vrm_instance_set_normalized_rotation(instance, VRM_HUMAN_BONE_HEAD, &turn);
        instance.update(1.0f / 60.0f);
        vrm_instance_get_spring_tails(instance, now.data(), before.data(), joints);
        for (std::uint32_t joint = 0; joint < joints; ++joint) {
            fastest = std::fmax(fastest, length_between(now[joint], before[joint]) * 60.0f);
        }
    }
    return fastest;
}

} // namespace

int main(int argc, char **argv)
try {
    if (argc != 2) {
        std::fprintf(stderr, "usage: hair avatar.vrm\n");
        return 2;
    }
    const vrm::avatar avatar = vrm::avatar::load_file(argv[1]).value();
    vrm::instance instance = vrm::instance::create(avatar).value();
    if (const auto happy = avatar.find_expression("happy"); happy >= 0) {
        instance.set_expression(static_cast<std::uint32_t>(happy), 1.0f);
    }
    std::printf("tails move at up to %.2f m/s\n", static_cast<double>(swing(avatar, instance)));

    const auto out = instance.outputs();
    float smile = 0.0f;
    for (const vrm_expression_weight &weight : out.expressions) {
        smile = std::fmax(smile, weight.applied);
    }
    std::printf("%zu nodes, %zu matrices of skins, the strongest expression at %.1f\n", out.world.size(),
        out.palette.size(), static_cast<double>(smile));
    return 0;
} catch (const vrm::error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    for (const vrm_finding &finding : error.findings()) {
        std::fprintf(stderr, "  %s %s\n", vrm_finding_get_info(finding.id)->name, finding.path);
    }
    return 1;
}
