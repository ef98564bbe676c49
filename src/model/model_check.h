// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MODEL_MODEL_CHECK_H
#define VRMI_MODEL_MODEL_CHECK_H

#include "model/model.h"

// Whether every access that the library makes to a model stays inside the model's bytes. `size` bytes must be readable,
// with any content. Takes time linear in the size.
bool vrmi_model_check(const vrmi_model *model);

#endif
