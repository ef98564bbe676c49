// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "export/migrate.h"

void vrmi_migrate_report(
    vrmi_migration *m, vrm_finding_id id, uint32_t value, const char *key, const char *found, const char *expected)
{
    vrmi_reader_report(&m->reader, id, value, key, found, expected);
    m->losses += vrm_finding_get_info(id)->severity == VRM_SEVERITY_WARNING;
}

void vrmi_migrate_add_floats(vrmi_text *text, const float *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        vrmi_text_add_string(text, i == 0 ? "[" : ",");
        vrmi_text_add_float(text, values[i]);
    }
    vrmi_text_add_string(text, "]");
}

void vrmi_migrate_add_vector(vrmi_text *text, vrm_vec3 v)
{
    const float values[3] = {v.x, v.y, v.z};
    vrmi_migrate_add_floats(text, values, 3);
}

void vrmi_migrate_add_name(vrmi_text *text, const char *key, vrm_string value)
{
    if (value.length != 0) {
        vrmi_text_format(text, ",\"%s\":", key);
        vrmi_text_add_json_string(text, value.data, value.length);
    }
}
