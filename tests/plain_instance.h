// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_PLAIN_INSTANCE_H
#define TESTS_PLAIN_INSTANCE_H

// An instance by the defaults, with nothing reserved; the caller's to destroy.

#include <vrm/instance.h>

#include "test.h"

static inline vrm_instance *plain_instance(const vrm_avatar *avatar)
{
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    vrm_instance *instance = NULL;
    CHECK_INT(vrm_instance_create(&def, &instance), VRM_SUCCESS);
    return instance;
}

#endif
