// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Linked with libvrm-runtime alone: what needs no file.
#include <stdio.h>
#include <string.h>
#include <vrm/vrm.h>

int main(void)
{
    vrm_update_params params;
    vrm_instance_def def;
    vrm_update_params_default(&params);
    vrm_instance_def_default(&def);
    printf("%s, stages %u, an instance of nothing takes %u bytes\n", vrm_human_bone_name(VRM_HUMAN_BONE_LEFT_UPPER_ARM),
        (unsigned)params.stages, (unsigned)vrm_instance_size(&def));
    return strcmp(vrm_human_bone_name(VRM_HUMAN_BONE_LEFT_UPPER_ARM), "leftUpperArm") == 0 &&
            params.stages == VRM_STAGE_ALL && vrm_instance_size(&def) == 0
        ? 0
        : 1;
}
