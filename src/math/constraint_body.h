// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Rotations of VRMC_node_constraint-1.0 over `real`. Include this file after real_one.h or real_eight.h and
// real_vector.h. The results are local rotations of a node, before the weight is applied.

// Returns the rotation of the source from its rest pose, in the rest axes of the source.
VRMI_SIMD_INLINE q4 turn_of_source(q4 source_rest, q4 source)
{
    return q4_mul(q4_conjugate(source_rest), source);
}

VRMI_SIMD_INLINE q4 rotation_constraint(q4 rest, q4 delta)
{
    return q4_mul(rest, delta);
}

// Returns the component of the source's rotation about the axis. The parents of source and destination are assumed to
// have the same axes, as in the specification.
VRMI_SIMD_INLINE q4 roll_constraint(q4 rest, q4 source_rest, q4 delta, v3 axis)
{
    const q4 in_parent = q4_mul(q4_mul(source_rest, delta), q4_conjugate(source_rest));
    const q4 turn = q4_mul(q4_mul(q4_conjugate(rest), in_parent), rest);
    // If the axis is rotated by half a turn, there is no shortest way back; q4_from_to() always chooses the same axis
    // then.
    const q4 swing = q4_from_to(axis, v3_normalize_or(q4_rotate(turn, axis), axis));
    return q4_mul(rest, q4_mul(q4_conjugate(swing), turn));
}

// Returns the rotation that aims the node at the source. If both are at the same position, returns the rest rotation
// and sets `lost`.
VRMI_SIMD_INLINE q4 aim_constraint(q4 rest, q4 parent, v3 axis, v3 way, mask *lost)
{
    const v3 to = v3_normalize_or(way, v3_all((vrm_vec3){0.0f, 0.0f, 0.0f}));
    const v3 from = v3_normalize_or(q4_rotate(parent, q4_rotate(rest, axis)), axis);
    const q4 turn = q4_from_to(from, to);
    *lost = EQ(v3_dot(to, to), ALL(0.0f));
    return q4_select(*lost, rest, q4_mul(q4_mul(q4_mul(q4_conjugate(parent), turn), parent), rest));
}
