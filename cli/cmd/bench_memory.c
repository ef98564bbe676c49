// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "bench_memory.h"

bench_memory bench_memory_of(const vrm_instance *instance)
{
    bench_memory memory = {0};
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = vrm_instance_get_avatar(instance);
    memory.counts.struct_size = sizeof memory.counts;
    vrm_avatar_get_counts(def.avatar, &memory.counts);
    memory.instance = vrm_instance_get_size(&def);
    vrm_instance_get_memory(&def, memory.parts, VRM_INSTANCE_PART_COUNT);
    (void)vrm_instance_snapshot(instance, NULL, &memory.snapshot);
    vrm_clip_player_def player;
    vrm_clip_player_def_default(&player);
    player.avatar = def.avatar;
    memory.clip_player = vrm_clip_player_get_size(&player);
    return memory;
}

// Returns the number of elements that a part's bytes are divided by; 0 if they are not divided.
static uint32_t items_of(const bench_memory *memory, vrm_instance_part part, const char **out_what)
{
    switch (part) {
    case VRM_INSTANCE_PART_NODES:
        *out_what = "node";
        return memory->counts.nodes;
    case VRM_INSTANCE_PART_SPRINGS:
        *out_what = "spring joint, chains and colliders included";
        return memory->counts.spring_joints;
    case VRM_INSTANCE_PART_PALETTES:
        *out_what = "joint of a skin";
        return memory->counts.palette_joints;
    default:
        return 0;
    }
}

void bench_memory_text(const bench_memory *memory, vrmi_text *out)
{
    vrmi_text_format(out, "%zu bytes per instance\n", memory->instance);
    for (int i = 0; i < VRM_INSTANCE_PART_COUNT; ++i) {
        const vrm_instance_part part = (vrm_instance_part)i;
        if (memory->parts[i] == 0) {
            continue;
        }
        vrmi_text_format(out, "  %s %zu", vrm_instance_part_name(part), memory->parts[i]);
        const char *what = "";
        const uint32_t items = items_of(memory, part, &what);
        if (items != 0) {
            vrmi_text_add_string(out, " (");
            vrmi_text_add_digits(out, (double)memory->parts[i] / items, 4);
            vrmi_text_format(out, " a %s)", what);
        }
        vrmi_text_add_string(out, "\n");
    }
    vrmi_text_format(out, "  also, in bytes: the avatar %zu, shared; a snapshot %zu; a clip player %zu\n",
        memory->counts.bytes, memory->snapshot, memory->clip_player);
}

void bench_memory_json(const bench_memory *memory, cli_json *json)
{
    cli_json_uint(json, "bytesPerInstance", memory->instance);
    cli_json_open(json, "bytes", '{');
    for (int i = 0; i < VRM_INSTANCE_PART_COUNT; ++i) {
        const cli_json_name name = cli_json_camel(vrm_instance_part_name((vrm_instance_part)i));
        cli_json_uint(json, name.text, memory->parts[i]);
    }
    cli_json_uint(json, "avatar", memory->counts.bytes);
    cli_json_uint(json, "snapshot", memory->snapshot);
    cli_json_uint(json, "clipPlayer", memory->clip_player);
    cli_json_close(json, '}');
}
