// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MODEL_MODEL_CHECK_H
#define VRMI_MODEL_MODEL_CHECK_H

#include "model/model.h"

// Whether nothing that the library does with a model can leave it: `size` bytes of it are there, and anything may stand in
// them. Linear in its size.
bool vrmi_model_check(const vrmi_model *model);

#endif
