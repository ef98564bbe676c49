// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_VRM_H
#define VRM_VRM_H

/// @file vrm.h
/// Includes all public C headers of libvrm. Start with avatar.h, instance.h, update.h and output.h.

#include <vrm/active_ragdoll.h>
#include <vrm/avatar.h>
#include <vrm/bake.h>
#include <vrm/base.h>
#include <vrm/basis.h>
#include <vrm/clip.h>
#include <vrm/constraint.h>
#include <vrm/expression.h>
#include <vrm/fall.h>
#include <vrm/first_person.h>
#include <vrm/get_up.h>
#include <vrm/gltf.h>
#include <vrm/humanoid.h>
#include <vrm/instance.h>
#include <vrm/lod.h>
#include <vrm/look_at.h>
#include <vrm/look_chain.h>
#include <vrm/material.h>
#include <vrm/math.h>
#include <vrm/mesh.h>
#include <vrm/meta.h>
#include <vrm/migrate.h>
#include <vrm/motion.h>
#include <vrm/output.h>
#include <vrm/ragdoll.h>
#include <vrm/ragdoll_build.h>
#include <vrm/ragdoll_drive.h>
#include <vrm/ragdoll_solver.h>
#include <vrm/record.h>
#include <vrm/result.h>
#include <vrm/sample.h>
#include <vrm/spring.h>
#include <vrm/task_pool.h>
#include <vrm/update.h>
#include <vrm/update_many.h>
#include <vrm/validate.h>

#endif
