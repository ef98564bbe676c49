// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_FIRST_PERSON_H
#define VRM_FIRST_PERSON_H

/// @file first_person.h
/// Which meshes the wearer sees (VRMC_vrm-1.0 firstPerson).

#include <vrm/base.h>

typedef enum vrm_first_person {
    VRM_FIRST_PERSON_AUTO, ///< The default: triangles with a vertex weighted to the head count as THIRD_PERSON_ONLY.
    VRM_FIRST_PERSON_BOTH,
    VRM_FIRST_PERSON_THIRD_PERSON_ONLY,
    VRM_FIRST_PERSON_FIRST_PERSON_ONLY
} vrm_first_person;

#endif
