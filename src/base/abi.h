// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_BASE_ABI_H
#define VRMI_BASE_ABI_H

#include <string.h>

#include "base/checks.h"

// A program lays out its structs by the headers that it was compiled with. Those may be older or newer than the
// library's headers. docs/abi.md explains how a struct can still grow.

enum { VRMI_LARGEST_STRUCT = 65536 }; // a larger size means that the program did not initialise the struct

// The size of a struct whose last member is `member`.
#define VRMI_UP_TO(type, member) \
    ((offsetof(type, member) + sizeof(((type *)0)->member) + _Alignof(type) - 1) / _Alignof(type) * _Alignof(type))

// The size of each def in ABI 1, given by its last member at that time. New members are appended, so these lines never
// change.
#define VRMI_LEAST_vrm_avatar_def VRMI_UP_TO(vrm_avatar_def, look_at_range)
#define VRMI_LEAST_vrm_bake_params VRMI_UP_TO(vrm_bake_params, progress_user)
#define VRMI_LEAST_vrm_blink_params VRMI_UP_TO(vrm_blink_params, double_chance)
#define VRMI_LEAST_vrm_clip_def VRMI_UP_TO(vrm_clip_def, bone_map)
#define VRMI_LEAST_vrm_clip_layer_params VRMI_UP_TO(vrm_clip_layer_params, foot_weight)
#define VRMI_LEAST_vrm_clip_play_params VRMI_UP_TO(vrm_clip_play_params, align)
#define VRMI_LEAST_vrm_clip_player_def VRMI_UP_TO(vrm_clip_player_def, allocator)
#define VRMI_LEAST_vrm_clip_write_params VRMI_UP_TO(vrm_clip_write_params, allocator)
#define VRMI_LEAST_vrm_fall_params VRMI_UP_TO(vrm_fall_params, seed)
#define VRMI_LEAST_vrm_first_person_split_def VRMI_UP_TO(vrm_first_person_split_def, progress_user)
#define VRMI_LEAST_vrm_geometry_def VRMI_UP_TO(vrm_geometry_def, basis)
#define VRMI_LEAST_vrm_get_up_body_def VRMI_UP_TO(vrm_get_up_body_def, gltf)
#define VRMI_LEAST_vrm_get_up_params VRMI_UP_TO(vrm_get_up_params, pace)
#define VRMI_LEAST_vrm_gltf_def VRMI_UP_TO(vrm_gltf_def, decode_draco)
#define VRMI_LEAST_vrm_host_collider_def VRMI_UP_TO(vrm_host_collider_def, chain)
#define VRMI_LEAST_vrm_instance_def VRMI_UP_TO(vrm_instance_def, ragdoll_bodies)
#define VRMI_LEAST_vrm_lip_sync_params VRMI_UP_TO(vrm_lip_sync_params, gain)
#define VRMI_LEAST_vrm_lod_params VRMI_UP_TO(vrm_lod_params, budget)
#define VRMI_LEAST_vrm_look_chain_def VRMI_UP_TO(vrm_look_chain_def, turn_acceleration)
#define VRMI_LEAST_vrm_migrate_params VRMI_UP_TO(vrm_migrate_params, strict)
#define VRMI_LEAST_vrm_motion_def VRMI_UP_TO(vrm_motion_def, allocator)
#define VRMI_LEAST_vrm_ragdoll_build_params VRMI_UP_TO(vrm_ragdoll_build_params, allocator)
#define VRMI_LEAST_vrm_ragdoll_def VRMI_UP_TO(vrm_ragdoll_def, bodies)
#define VRMI_LEAST_vrm_ragdoll_drive_params VRMI_UP_TO(vrm_ragdoll_drive_params, velocity_mode)
#define VRMI_LEAST_vrm_ragdoll_exchange_params VRMI_UP_TO(vrm_ragdoll_exchange_params, contacts)
#define VRMI_LEAST_vrm_ragdoll_lines_params VRMI_UP_TO(vrm_ragdoll_lines_params, scale)
#define VRMI_LEAST_vrm_ragdoll_params VRMI_UP_TO(vrm_ragdoll_params, step_reaction)
#define VRMI_LEAST_vrm_ragdoll_solver_def VRMI_UP_TO(vrm_ragdoll_solver_def, ground_height)
#define VRMI_LEAST_vrm_ragdoll_world_shape_def VRMI_UP_TO(vrm_ragdoll_world_shape_def, angular_velocity)
#define VRMI_LEAST_vrm_recorder_def VRMI_UP_TO(vrm_recorder_def, name)
#define VRMI_LEAST_vrm_report_def VRMI_UP_TO(vrm_report_def, allocator)
#define VRMI_LEAST_vrm_sample_params VRMI_UP_TO(vrm_sample_params, height)
#define VRMI_LEAST_vrm_spring_params VRMI_UP_TO(vrm_spring_params, hanging)
#define VRMI_LEAST_vrm_trace_params VRMI_UP_TO(vrm_trace_params, profile)
#define VRMI_LEAST_vrm_update_params VRMI_UP_TO(vrm_update_params, spring_time)
#define VRMI_LEAST_vrm_validate_params VRMI_UP_TO(vrm_validate_params, severity_count)
#define VRMI_LEAST_vrm_ode_prop_def VRMI_UP_TO(vrm_ode_prop_def, angular_velocity)
#define VRMI_LEAST_vrm_ode_world_params VRMI_UP_TO(vrm_ode_world_params, joint_friction)
#define VRMI_LEAST_vrm_render_scene VRMI_UP_TO(vrm_render_scene, environment)
#define VRMI_LEAST_vrm_renderer_def VRMI_UP_TO(vrm_renderer_def, tangents)

// The sizes in ABI 1 of structs that the library's functions fill, also given by their last members.
#define VRMI_LEAST_vrm_avatar_body VRMI_UP_TO(vrm_avatar_body, height)
#define VRMI_LEAST_vrm_avatar_counts VRMI_UP_TO(vrm_avatar_counts, bytes)
#define VRMI_LEAST_vrm_clip_info VRMI_UP_TO(vrm_clip_info, markers)
#define VRMI_LEAST_vrm_clip_pose VRMI_UP_TO(vrm_clip_pose, pitch)
#define VRMI_LEAST_vrm_collider VRMI_UP_TO(vrm_collider, radius)
#define VRMI_LEAST_vrm_constraint VRMI_UP_TO(vrm_constraint, up)
#define VRMI_LEAST_vrm_expression VRMI_UP_TO(vrm_expression, texture_bind_count)
#define VRMI_LEAST_vrm_fall VRMI_UP_TO(vrm_fall, joints)
#define VRMI_LEAST_vrm_first_person_primitive VRMI_UP_TO(vrm_first_person_primitive, ranges)
#define VRMI_LEAST_vrm_geometry_info VRMI_UP_TO(vrm_geometry_info, joint_sets)
#define VRMI_LEAST_vrm_gltf_accessor VRMI_UP_TO(vrm_gltf_accessor, normalized)
#define VRMI_LEAST_vrm_gltf_image VRMI_UP_TO(vrm_gltf_image, name)
#define VRMI_LEAST_vrm_gltf_mesh VRMI_UP_TO(vrm_gltf_mesh, target_count)
#define VRMI_LEAST_vrm_gltf_primitive VRMI_UP_TO(vrm_gltf_primitive, joint_sets)
#define VRMI_LEAST_vrm_gltf_target VRMI_UP_TO(vrm_gltf_target, has_tangents)
#define VRMI_LEAST_vrm_gltf_texture VRMI_UP_TO(vrm_gltf_texture, min_filter)
#define VRMI_LEAST_vrm_local_array VRMI_UP_TO(vrm_local_array, basis)
#define VRMI_LEAST_vrm_look_at VRMI_UP_TO(vrm_look_at, vertical_up)
#define VRMI_LEAST_vrm_look_chain_error VRMI_UP_TO(vrm_look_chain_error, link)
#define VRMI_LEAST_vrm_look_chain_state VRMI_UP_TO(vrm_look_chain_state, map_error)
#define VRMI_LEAST_vrm_material VRMI_UP_TO(vrm_material, params)
#define VRMI_LEAST_vrm_matrix_target VRMI_UP_TO(vrm_matrix_target, basis)
#define VRMI_LEAST_vrm_mesh_node VRMI_UP_TO(vrm_mesh_node, first_person)
#define VRMI_LEAST_vrm_meta VRMI_UP_TO(vrm_meta, old_term_count)
#define VRMI_LEAST_vrm_morph_deltas VRMI_UP_TO(vrm_morph_deltas, count)
#define VRMI_LEAST_vrm_node VRMI_UP_TO(vrm_node, rest_position)
#define VRMI_LEAST_vrm_ode_measure VRMI_UP_TO(vrm_ode_measure, potential)
#define VRMI_LEAST_vrm_outputs VRMI_UP_TO(vrm_outputs, debug_lines)
#define VRMI_LEAST_vrm_palette VRMI_UP_TO(vrm_palette, nodes)
#define VRMI_LEAST_vrm_peek_info VRMI_UP_TO(vrm_peek_info, texture_memory)
#define VRMI_LEAST_vrm_ragdoll_energy VRMI_UP_TO(vrm_ragdoll_energy, center_of_mass)
#define VRMI_LEAST_vrm_ragdoll_error VRMI_UP_TO(vrm_ragdoll_error, field)
#define VRMI_LEAST_vrm_ragdoll_info VRMI_UP_TO(vrm_ragdoll_info, step_count)
#define VRMI_LEAST_vrm_ragdoll_targets VRMI_UP_TO(vrm_ragdoll_targets, anchors)
#define VRMI_LEAST_vrm_render_statistics VRMI_UP_TO(vrm_render_statistics, buffer_bytes)
#define VRMI_LEAST_vrm_spring_chain VRMI_UP_TO(vrm_spring_chain, spring)
#define VRMI_LEAST_vrm_spring_joint VRMI_UP_TO(vrm_spring_joint, limit)
#define VRMI_LEAST_vrm_vertex_target VRMI_UP_TO(vrm_vertex_target, attribute_count)
#define VRMI_LEAST_vrm_validate_info VRMI_UP_TO(vrm_validate_info, dialect)

// Whether a program's struct has a plausible size, at least the `least` bytes of ABI 1. The first member of the struct
// is its size.
static inline bool vrmi_options_fit(const void *given, size_t least)
{
    uint32_t size;
    memcpy(&size, given, sizeof size);
    return size >= least && size <= VRMI_LARGEST_STRUCT && size % 4 == 0;
}

// Reads a program's def into `out`, which has `size` bytes and already contains the defaults. Members that an older
// program's def lacks keep their defaults; members that only a newer program's def has are ignored. NULL gives the
// defaults. Returns false for an invalid def.
static inline bool vrmi_read_options(void *out, size_t size, const void *given, size_t least)
{
    if (given == NULL) {
        return true;
    }
    if (!vrmi_options_fit(given, least)) {
        return false;
    }
    const uint32_t own_size = (uint32_t)size;
    uint32_t their_size;
    memcpy(&their_size, given, sizeof their_size);
    memcpy(out, given, their_size < own_size ? their_size : own_size);
    memcpy(out, &own_size, sizeof own_size);
    return true;
}

// Copies the defaults to a program's struct. `size` is the struct's size in the program's headers. Members that only a
// newer program's struct has become 0.
static inline void vrmi_write_defaults(void *out, size_t size, const void *own, size_t own_size)
{
    if (VRM_ASSERT(out != NULL && size >= sizeof(uint32_t))) {
        const uint32_t their_size = (uint32_t)size;
        memset(out, 0, size);
        memcpy(out, own, size < own_size ? size : own_size);
        memcpy(out, &their_size, sizeof their_size);
    }
}

#define VRMI_READ_OPTIONS(type, out, given) vrmi_read_options(out, sizeof(type), given, VRMI_LEAST_##type)

// Copies a result to a program's struct, up to that struct's size. Members that only a newer program's struct has
// become 0. The first member, which the program has set, is not changed. Returns false and writes nothing for an
// invalid struct.
static inline bool vrmi_write_output(void *out, const void *found, size_t size, size_t least)
{
    if (!vrmi_options_fit(out, least)) {
        return false;
    }
    uint32_t their_size;
    memcpy(&their_size, out, sizeof their_size);
    const size_t known = their_size < size ? their_size : size;
    memcpy((char *)out + sizeof their_size, (const char *)found + sizeof their_size, known - sizeof their_size);
    memset((char *)out + known, 0, their_size - known);
    return true;
}

#define VRMI_WRITE_OUTPUT(type, out, found) vrmi_write_output(out, found, sizeof(type), VRMI_LEAST_##type)
#define VRMI_ANSWER(type, out, found) \
    (VRM_ASSERT(VRMI_WRITE_OUTPUT(type, out, found)) ? VRM_SUCCESS : VRM_ERROR_INVALID_ARGUMENT)
#define VRMI_OPTIONS_FIT(type, given) vrmi_options_fit(given, VRMI_LEAST_##type)

#endif
