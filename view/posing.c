// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "view.h"

void view_touch_pose(view *v)
{
    pose_history_keep(&v->history, v->figure->instance);
    v->motion = 0;
}

bool view_load_pose(view *v, const char *path)
{
    char why[256] = "";
    vrm_bytes bytes = {0};
    pose read;
    vrm_result result = vrm_read_file(path, 1 << 24, NULL, &bytes);
    if (v->figure == NULL) {
        view_say(v, true, "%s: a pose needs an avatar; open an avatar first", path);
        vrm_bytes_free(&bytes);
        return false;
    }
    if (result != VRM_SUCCESS) {
        view_say(v, true, "%s: %s", path, vrm_result_sentence(result));
        return false;
    }
    result = pose_read(bytes.data, bytes.size, &read, why, sizeof why);
    vrm_bytes_free(&bytes);
    if (result != VRM_SUCCESS) {
        view_say(v, true, "%s: %s", path, why);
        return false;
    }
    view_touch_pose(v);
    pose_put(v->figure->instance, &read);
    v->angles_known = false;
    view_say(v, false, "pose of %s", path);
    return true;
}
