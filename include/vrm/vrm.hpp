// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_VRM_HPP
#define VRM_VRM_HPP

/// @file vrm.hpp
/// libvrm for C++17: an owner for every handle, results that contain a value or the reason why there is none, and
/// arrays as spans.
///
/// Header only; neither exceptions nor RTTI are needed. An owner converts to its pointer, so that every function of the
/// C headers accepts it: `vrm_instance_set_look_at_target(instance, &target)`. This header saves the lines that C needs
/// for creating, freeing and setting sizes; docs/cpp.md shows how.

#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <vrm/vrm.h>

namespace vrm {

// --- views ----------------------------------------------------------------------------------------------------------

/// A view of `size()` values that another object owns. A C++20 std::span can be constructed from it.
template <class T> class span {
  public:
    constexpr span() noexcept = default;
    constexpr span(T *first, std::size_t count) noexcept : first_(first), count_(count) {}
    constexpr T *data() const noexcept { return first_; }
    constexpr std::size_t size() const noexcept { return count_; }
    constexpr bool empty() const noexcept { return count_ == 0; }
    constexpr T *begin() const noexcept { return first_; }
    constexpr T *end() const noexcept { return first_ + count_; }
    constexpr T &operator[](std::size_t index) const noexcept { return first_[index]; }

  private:
    T *first_ = nullptr;
    std::size_t count_ = 0;
};

/// Returns the text of a vrm_string. Valid as long as the object from which the string was read.
inline std::string_view text(const vrm_string &string) noexcept
{
    return {string.data != nullptr ? string.data : "", string.length};
}

// --- structs of the C headers ---------------------------------------------------------------------------------------

/// Returns a def or params struct with its defaults: `auto def = vrm::defaults(vrm_instance_def_default);`.
template <class Def> Def defaults(void (*fill)(Def *, std::size_t)) noexcept
{
    Def def;
    fill(&def, sizeof def);
    return def;
}

/// Returns an empty struct with its `struct_size` set: `auto array = vrm::sized<vrm_local_array>();`.
template <class Struct> Struct sized() noexcept
{
    Struct made{};
    made.struct_size = static_cast<std::uint32_t>(sizeof made);
    return made;
}

/// Calls a function that fills a struct through its last argument, and returns the struct: `auto counts =
/// vrm::get<vrm_avatar_counts>(vrm_avatar_get_counts, avatar);`. If the call fails, all members are zero.
template <class Struct, class Call, class... Arguments> Struct get(Call call, const Arguments &...arguments) noexcept
{
    Struct found = sized<Struct>();
    call(arguments..., &found);
    return found;
}

// --- owners ---------------------------------------------------------------------------------------------------------

/// The only owner of an object, like std::unique_ptr. `Destroy` is never called with a null pointer.
template <class Object, void (*Destroy)(Object *)> class owner {
  public:
    using object = Object;

    constexpr owner() noexcept = default;
    /// Takes ownership of an object.
    explicit constexpr owner(Object *made) noexcept : object_(made) {}
    owner(owner &&other) noexcept : object_(other.release()) {}
    owner &operator=(owner &&other) noexcept
    {
        reset(other.release());
        return *this;
    }
    ~owner() { reset(); }
    constexpr Object *get() const noexcept { return object_; }
    /// Converts to the pointer, for every function of the C headers. Null for an empty owner.
    constexpr operator Object *() const noexcept { return object_; }
    /// Gives up ownership and returns the object.
    [[nodiscard]] Object *release() noexcept { return std::exchange(object_, nullptr); }
    void reset(Object *made = nullptr) noexcept
    {
        Object *const before = std::exchange(object_, made);
        if (before != nullptr) {
            Destroy(before);
        }
    }

  private:
    Object *object_ = nullptr;
};

/// A shared owner: a copy adds a reference.
template <class Object, void (*Release)(Object *), Object *(*Retain)(Object *)>
class shared_owner : public owner<Object, Release> {
  public:
    using owner<Object, Release>::owner;
    shared_owner() noexcept = default;
    shared_owner(shared_owner &&) noexcept = default;
    shared_owner &operator=(shared_owner &&) noexcept = default;
    shared_owner(const shared_owner &other) noexcept
        : owner<Object, Release>(other.get() != nullptr ? Retain(other.get()) : nullptr)
    {
    }
    shared_owner &operator=(const shared_owner &other) noexcept
    {
        this->reset(other.get() != nullptr ? Retain(other.get()) : nullptr);
        return *this;
    }
    ~shared_owner() = default;
};

using clip = shared_owner<vrm_clip, vrm_clip_release, vrm_clip_retain>;
using clip_player = owner<vrm_clip_player, vrm_clip_player_destroy>;
using first_person_split = owner<vrm_first_person_split, vrm_first_person_split_destroy>;
using geometry = owner<vrm_geometry, vrm_geometry_destroy>;
using get_up_body = owner<vrm_get_up_body, vrm_get_up_body_destroy>;
using gltf = owner<vrm_gltf, vrm_gltf_destroy>;
using peek = owner<vrm_peek, vrm_peek_destroy>;
using ragdoll_solver = owner<vrm_ragdoll_solver, vrm_ragdoll_solver_destroy>;
using recorder = owner<vrm_recorder, vrm_recorder_destroy>;
using task_pool = owner<vrm_task_pool, vrm_task_pool_destroy>;
using validation = owner<vrm_validation, vrm_validation_destroy>;

/// The findings of a call, in order: `for (const vrm_finding &finding : report)`. Empty if none were requested.
class report : public owner<vrm_report, vrm_report_destroy> {
  public:
    using owner::owner;
    /// Creates an empty report. If memory runs out, it is null, which every call accepts.
    static report create() noexcept
    {
        vrm_report *made = nullptr;
        return report(vrm_report_create(nullptr, &made) == VRM_SUCCESS ? made : nullptr);
    }

    std::uint32_t size() const noexcept { return get() != nullptr ? vrm_report_get_count(get()) : 0; }
    const vrm_finding &operator[](std::uint32_t index) const noexcept { return *vrm_report_get_finding(get(), index); }

    /// Iterates over the findings of the report.
    class iterator {
      public:
        iterator(const report *findings, std::uint32_t at) noexcept : findings_(findings), at_(at) {}
        const vrm_finding &operator*() const noexcept { return (*findings_)[at_]; }
        iterator &operator++() noexcept
        {
            ++at_;
            return *this;
        }
        bool operator!=(const iterator &other) const noexcept { return at_ != other.at_; }

      private:
        const report *findings_;
        std::uint32_t at_;
    };
    iterator begin() const noexcept { return {this, 0}; }
    iterator end() const noexcept { return {this, size()}; }
};

/// Owner of bytes that a call returned.
class bytes {
  public:
    bytes() noexcept = default;
    explicit bytes(const vrm_bytes &made) noexcept : bytes_(made) {}
    bytes(bytes &&other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
    bytes &operator=(bytes &&other) noexcept
    {
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~bytes() { vrm_bytes_free(&bytes_); }
    const unsigned char *data() const noexcept { return static_cast<const unsigned char *>(bytes_.data); }
    std::size_t size() const noexcept { return bytes_.size; }
    const unsigned char *begin() const noexcept { return data(); }
    const unsigned char *end() const noexcept { return data() + size(); }

  private:
    vrm_bytes bytes_{};
};

// --- results --------------------------------------------------------------------------------------------------------

#if defined(__cpp_exceptions)
/// Exception that result::value() throws, with the findings of the call that failed.
class error : public std::exception {
  public:
    error(vrm_result code, report findings) : code_(code), findings_(std::make_shared<report>(std::move(findings)))
    {
        text_ = vrm_result_sentence(code);
        for (const vrm_finding &finding : *findings_) {
            if (finding.severity == VRM_SEVERITY_ERROR) {
                text_ += ": " + std::string(vrm_finding_get_info(finding.id)->sentence) + " " + finding.path;
                break;
            }
        }
    }
    vrm_result code() const noexcept { return code_; }
    const report &findings() const noexcept { return *findings_; }
    const char *what() const noexcept override { return text_.c_str(); }

  private:
    vrm_result code_;
    std::shared_ptr<report> findings_;
    std::string text_;
};
#endif

/// The value of a call, or the vrm_result if the call failed; in both cases with the findings.
template <class T> class [[nodiscard]] result {
  public:
    result(vrm_result code, T made, report findings = report()) noexcept
        : code_(code), value_(std::move(made)), findings_(std::move(findings))
    {
    }
    explicit operator bool() const noexcept { return code_ == VRM_SUCCESS; }
    vrm_result code() const noexcept { return code_; }
    /// Returns the sentence of the call's vrm_result. The string is static.
    const char *sentence() const noexcept { return vrm_result_sentence(code_); }
    const report &findings() const noexcept { return findings_; }
    /// Returns the value. If the call failed, throws vrm::error, or ends the program if exceptions are disabled.
    T value() &&
    {
        if (code_ != VRM_SUCCESS) {
#if defined(__cpp_exceptions)
            throw error(code_, std::move(findings_));
#else
            std::abort();
#endif
        }
        return std::move(value_);
    }
    /// Returns the value. Use it only if the call succeeded.
    T &operator*() noexcept
    {
        return value_;
    }
    T *operator->() noexcept
    {
        return &value_;
    }

  private:
    vrm_result code_;
    T value_;
    report findings_;
};

/// Creates an owner with any call of the C headers whose last argument receives the object:
/// `vrm::make<vrm::recorder>(vrm_recorder_create, nullptr, avatar)`.
template <class Owner, class Call, class... Arguments>
result<Owner> make(Call call, const Arguments &...arguments) noexcept
{
    typename Owner::object *made = nullptr;
    const vrm_result code = call(arguments..., &made);
    return {code, Owner(made)};
}

/// Creates an owner with any call whose last two arguments are a report and the destination of the object.
template <class Owner, class Call, class... Arguments>
result<Owner> make_reported(Call call, const Arguments &...arguments) noexcept
{
    typename Owner::object *made = nullptr;
    report findings = report::create();
    const vrm_result code = call(arguments..., findings.get(), &made);
    return {code, Owner(made), std::move(findings)};
}

/// Returns the bytes of a call whose last argument receives bytes: `vrm::make_bytes(vrm_clip_write_vrma, nullptr,
/// clip)`.
template <class Call, class... Arguments> result<bytes> make_bytes(Call call, const Arguments &...arguments) noexcept
{
    vrm_bytes made{};
    const vrm_result code = call(arguments..., &made);
    return {code, bytes(made)};
}

// --- avatar and instance --------------------------------------------------------------------------------------------

/// A shared owner of an avatar; copies refer to the same avatar.
class avatar : public shared_owner<vrm_avatar, vrm_avatar_release, vrm_avatar_retain> {
  public:
    using shared_owner::shared_owner;

    /// Calls vrm_avatar_load_file(); `def` may be null for the defaults.
    static result<avatar> load_file(const char *path, const vrm_avatar_def *def = nullptr) noexcept
    {
        return make_reported<avatar>(vrm_avatar_load_file, def, path);
    }
    /// Calls vrm_avatar_load(); `def` may be null for the defaults.
    static result<avatar> load(const void *data, std::size_t size, const vrm_avatar_def *def = nullptr) noexcept
    {
        return make_reported<avatar>(vrm_avatar_load, def, data, size);
    }
    /// Calls vrm_avatar_import(); `def` may be null for the defaults.
    static result<avatar> import(const gltf &document, const vrm_avatar_def *def = nullptr) noexcept
    {
        return make_reported<avatar>(vrm_avatar_import, def, document.get());
    }

    vrm_avatar_counts counts() const noexcept { return vrm::get<vrm_avatar_counts>(vrm_avatar_get_counts, get()); }
    vrm_node node(std::uint32_t index) const noexcept { return vrm::get<vrm_node>(vrm_avatar_get_node, get(), index); }
    /// Returns the node of a humanoid bone, or -1.
    std::int32_t bone(vrm_human_bone bone) const noexcept { return vrm_avatar_get_bone_node(get(), bone); }
    vrm_expression expression(std::uint32_t index) const noexcept
    {
        return vrm::get<vrm_expression>(vrm_avatar_get_expression, get(), index);
    }
    /// Returns the index of the expression with this name, or -1.
    std::int32_t find_expression(std::string_view name) const noexcept
    {
        return vrm_avatar_find_expression(get(), name.data(), name.size());
    }
};

/// The outputs of an update, as spans; valid until the next update of the instance.
struct outputs {
    vrm_outputs all; ///< All outputs, as from vrm_instance_get_outputs().
    span<const vrm_world> world;
    span<const vrm_mat34> palette;
    span<const float> morphs;
    span<const vrm_material_values> materials;
    span<const vrm_expression_weight> expressions;
    span<const vrm_box> mesh_boxes;
};

/// An instance of an avatar. Owned by one thread at a time.
class instance : public owner<vrm_instance, vrm_instance_destroy> {
  public:
    using owner::owner;

    static result<instance> create(const vrm_instance_def &def) noexcept
    {
        return make<instance>(vrm_instance_create, &def);
    }
    static result<instance> create(const avatar &of) noexcept
    {
        auto def = defaults(vrm_instance_def_default);
        def.avatar = of;
        return create(def);
    }
    result<instance> clone() const noexcept { return make<instance>(vrm_instance_clone, get()); }

    /// Runs all stages; `dt` is in seconds.
    void update(float dt) noexcept { vrm_update_dt(get(), dt); }
    void update(const vrm_update_params &params) noexcept { vrm_update(get(), &params); }
    vrm_result set_expression(std::uint32_t expression, float weight) noexcept
    {
        return vrm_instance_set_expression(get(), VRM_EXPRESSION_LAYER_HOST, expression, weight);
    }
    vrm_result look_at(const vrm_dvec3 &target_world) noexcept
    {
        return vrm_instance_set_look_at_target(get(), &target_world);
    }
    vrm::outputs outputs() const noexcept
    {
        const vrm_outputs all = vrm::get<vrm_outputs>(vrm_instance_get_outputs, get());
        return {all, {all.world, all.node_count}, {all.palette, all.palette_joint_count}, {all.morphs, all.morph_count},
            {all.materials, all.material_count}, {all.expressions, all.expression_count},
            {all.mesh_boxes, all.mesh_count}};
    }
};

} // namespace vrm

#endif
