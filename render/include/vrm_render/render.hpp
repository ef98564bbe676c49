// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_RENDER_RENDER_HPP
#define VRM_RENDER_RENDER_HPP

/// @file render.hpp
/// Owners of the renderer's handles. Destroy models before their renderer, and renderers before their context. Members
/// of a class that are declared in the order context, renderer, models are destroyed in the right order.

#include <vrm/vrm.hpp>
#include <vrm_render/render.h>

namespace vrm {

using render_context = owner<vrm_render_context, vrm_render_context_destroy>;
using renderer = owner<vrm_renderer, vrm_renderer_destroy>;
using render_model = owner<vrm_render_model, vrm_render_model_destroy>;

} // namespace vrm

#endif
