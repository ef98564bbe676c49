// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Tests vrm.hpp: owners free an object once and share it, results give their reason, spans have the arrays' lengths.
// cpp.py runs it under the address sanitizer, which detects double frees and leaks.
#include <cstdio>
#include <cstring>
#include <type_traits>

#include <vrm/vrm.hpp>

static int failures;

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            std::printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
            ++failures; \
        } \
    } while (0)

static_assert(std::is_nothrow_move_constructible_v<vrm::instance> && std::is_nothrow_move_assignable_v<vrm::instance>);
static_assert(!std::is_copy_constructible_v<vrm::instance> && !std::is_copy_constructible_v<vrm::gltf>);
static_assert(std::is_copy_constructible_v<vrm::avatar> && std::is_copy_assignable_v<vrm::clip>);
static_assert(sizeof(vrm::instance) == sizeof(void *));

static vrm::bytes sample()
{
    auto params = vrm::defaults(vrm_sample_params_default);
    params.detail = VRM_SAMPLE_DETAIL_MINIMAL;
    return vrm::make_bytes(vrm_sample_create, &params).value();
}

static void owners(const vrm::avatar &avatar)
{
    vrm::avatar copy = avatar;
    CHECK(copy.get() == avatar.get());
    vrm::avatar moved = std::move(copy);
    CHECK(copy.get() == nullptr && moved.get() == avatar.get());
    copy = moved;
    copy = vrm::avatar();
    CHECK(copy.get() == nullptr);

    vrm::instance first = vrm::instance::create(avatar).value();
    vrm::instance second = first.clone().value();
    CHECK(second.get() != first.get() && vrm_instance_get_avatar(second) == avatar.get());
    second = std::move(first);
    CHECK(first.get() == nullptr && second.get() != nullptr);
    vrm_instance *given = second.release();
    CHECK(second.get() == nullptr);
    vrm_instance_destroy(given);
    auto recorder = vrm::make<vrm::recorder>(vrm_recorder_create, nullptr, avatar.get());
    CHECK(recorder && recorder->get() != nullptr);
}

static void values(const vrm::avatar &avatar)
{
    const auto counts = avatar.counts();
    CHECK(counts.nodes > 20 && counts.struct_size == sizeof counts);
    CHECK(vrm::text(avatar.node(static_cast<std::uint32_t>(avatar.bone(VRM_HUMAN_BONE_HEAD))).name).size() > 0);
    const auto happy = avatar.find_expression("happy");
    CHECK(happy >= 0 && vrm::text(avatar.expression(static_cast<std::uint32_t>(happy)).name) == "happy");
    CHECK(avatar.find_expression("happily") == -1);
    CHECK(vrm::text(vrm_string{nullptr, 0}).empty());

    vrm::instance instance = vrm::instance::create(avatar).value();
    CHECK(instance.set_expression(static_cast<std::uint32_t>(happy), 0.5f) == VRM_SUCCESS);
    CHECK(instance.look_at({1.0, 1.5, 2.0}) == VRM_SUCCESS);
    instance.update(1.0f / 60.0f);
    auto params = vrm::defaults(vrm_update_params_default);
    params.dt = 1.0f / 60.0f;
    instance.update(params);
    const auto out = instance.outputs();
    CHECK(out.world.size() == counts.nodes && out.palette.size() == counts.palette_joints &&
          out.morphs.size() == counts.morphs);
    CHECK(out.materials.size() == counts.materials && out.mesh_boxes.size() == counts.meshes);
    CHECK(
        out.expressions.size() == counts.expressions && out.expressions[static_cast<std::size_t>(happy)].input == 0.5f);
    CHECK(out.world.end() - out.world.begin() == static_cast<std::ptrdiff_t>(counts.nodes) &&
          out.world.data() == out.all.world);
    CHECK(vrm::span<const float>().empty());
}

static void refusals(const vrm::bytes &file)
{
    const char broken[] = "glTF and nothing behind it";
    auto bad = vrm::avatar::load(broken, sizeof broken);
    CHECK(!bad && bad.code() == VRM_ERROR_NOT_GLTF && bad.sentence()[0] != '\0' && bad->get() == nullptr);
    CHECK(bad.findings().size() > 0);
    std::uint32_t count = 0;
    for (const vrm_finding &finding : bad.findings()) {
        count += finding.severity == VRM_SEVERITY_ERROR;
    }
    CHECK(count > 0);
    CHECK(!vrm::instance::create(vrm::avatar()));
    auto good = vrm::avatar::load(file.data(), file.size());
    CHECK(good && good.code() == VRM_SUCCESS && good->get() != nullptr);
#if defined(__cpp_exceptions)
    try {
        (void)vrm::avatar::load_file("nothing.vrm").value();
        CHECK(!"it throws");
    } catch (const vrm::error &error) {
        const vrm::error copy = error;
        CHECK(copy.code() == VRM_ERROR_NOT_FOUND && std::strlen(copy.what()) > 5);
    }
    try {
        (void)std::move(bad).value();
        CHECK(!"it throws");
    } catch (const vrm::error &error) {
        CHECK(error.findings().size() > 0 && std::strchr(error.what(), ':') != nullptr);
    }
#endif
}

int main()
{
    const vrm::bytes file = sample();
    vrm::bytes moved = sample();
    moved = sample();
    CHECK(moved.size() == file.size() && std::memcmp(moved.data(), file.data(), file.size()) == 0);
    const vrm::avatar avatar = vrm::avatar::load(file.data(), file.size()).value();
    owners(avatar);
    values(avatar);
    refusals(file);
    return failures != 0;
}
