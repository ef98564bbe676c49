// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_VALIDATE_SCHEMA_H
#define VRMI_VALIDATE_SCHEMA_H

// JSON schemas as tables: which members an object has, of which type, from where to where. The tables are
// schema_gltf.c, schema_khr.c, schema_vrm1.c, schema_draft.c and schema_vrm0.c; schema.c holds an object against one.

#include <vrm/gltf.h>

typedef enum vrmi_schema_type {
    VRMI_SCHEMA_ANY,
    VRMI_SCHEMA_BOOL,
    VRMI_SCHEMA_NUMBER,
    VRMI_SCHEMA_INTEGER,
    VRMI_SCHEMA_INDEX, // of the top-level array `of`, which is then used; VRM_GLTF_ARRAY_COUNT: of something else
    VRMI_SCHEMA_STRING,
    VRMI_SCHEMA_OBJECT
} vrmi_schema_type;

typedef struct vrmi_schema vrmi_schema;

// A member. A `list` is an array of such values, a `map` an object whose members are such values.
typedef struct vrmi_schema_rule {
    const char *name; // NULL ends the table
    vrmi_schema_type type;
    bool required, list, map;
    bool has_min, has_max, above; // `above`: min itself is excluded
    bool unique;                  // elements of the list
    bool not_empty;               // a string or map
    bool absent_if_empty;         // an empty list counts as left out: VRM1_EMPTY_ARRAY
    bool any_case;                // of the words, as older dialects have it: OLD_WORD_UNKNOWN
    double min, max;
    uint32_t min_items, max_items; // of a list; max 0: any
    const char *words;             // of a string, separated by spaces; NULL: any
    const vrmi_schema *object;
    const vrmi_schema *instead; // an object of this kind may stand there too
    const char *needs;          // another member that must stand beside it
    uint8_t of;                 // vrm_gltf_array
} vrmi_schema_rule;

struct vrmi_schema {
    const char *name; // "node", one word: where extensions may stand is said by these
    const vrmi_schema_rule *rules;
    const char *one_of; // members separated by spaces of which there must be exactly one; NULL: none
    const char *later;  // of an extension of the drafts: members by which it is one of 1.0 after all; NULL: none
};

// An extension: where it may stand and what it holds.
typedef struct vrmi_schema_extension {
    const char *name;
    const char *on;            // names of schemas, separated by spaces; "*": anywhere
    const vrmi_schema *object; // NULL: not looked into
} vrmi_schema_extension;

extern const vrmi_schema vrmi_schema_gltf;
extern const vrmi_schema vrmi_schema_texture_info; // for the extensions of materials
// They end with a NULL name. That of the drafts has also what is read in any file.
extern const vrmi_schema_extension vrmi_schema_khr[], vrmi_schema_vrm1[], vrmi_schema_draft[], vrmi_schema_vrm0[];

#endif
