// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_VALIDATE_SCHEMA_H
#define VRMI_VALIDATE_SCHEMA_H

// JSON schemas as tables: the members of an object, their types and ranges. The tables are schema_gltf.c, schema_khr.c,
// schema_vrm1.c, schema_draft.c and schema_vrm0.c; schema.c checks an object against one.

#include <vrm/gltf.h>

typedef enum vrmi_schema_type {
    VRMI_SCHEMA_ANY,
    VRMI_SCHEMA_BOOL,
    VRMI_SCHEMA_NUMBER,
    VRMI_SCHEMA_INTEGER,
    VRMI_SCHEMA_INDEX, // in the top-level array `of`, which it marks as used; VRM_GLTF_ARRAY_COUNT: other
    VRMI_SCHEMA_STRING,
    VRMI_SCHEMA_OBJECT
} vrmi_schema_type;

typedef struct vrmi_schema vrmi_schema;

// A member. A `list` is an array of such values, a `map` an object whose members are such values.
typedef struct vrmi_schema_rule {
    const char *name; // NULL ends the table
    vrmi_schema_type type;
    bool required, list, map;
    bool has_min, has_max, above; // `above`: the value must be greater than min
    bool unique;                  // elements of the list must differ
    bool not_empty;               // string or map must not be empty
    bool absent_if_empty;         // an empty list counts as absent: VRM1_EMPTY_ARRAY
    bool any_case;                // words are compared without case, as in older dialects: OLD_WORD_UNKNOWN
    double min, max;
    uint32_t min_items, max_items; // number of elements; max 0: no limit
    const char *words;             // allowed words, separated by spaces; NULL: any
    const vrmi_schema *object;
    const vrmi_schema *instead; // an object of this kind is allowed, too
    const char *needs;          // another member that must be present as well
    uint8_t of;                 // vrm_gltf_array
} vrmi_schema_rule;

struct vrmi_schema {
    const char *name; // a single word such as "node", used in the `on` of extensions
    const vrmi_schema_rule *rules;
    const char *one_of; // members separated by spaces, of which exactly one must be present; NULL: none
    const char *later;  // for a draft's extension: members that show that it is one of 1.0; NULL: none
};

// An extension: its allowed places and its content.
typedef struct vrmi_schema_extension {
    const char *name;
    const char *on;            // names of schemas, separated by spaces; "*": anywhere
    const vrmi_schema *object; // NULL: content is not checked
} vrmi_schema_extension;

extern const vrmi_schema vrmi_schema_gltf;
extern const vrmi_schema vrmi_schema_texture_info; // for the extensions of materials
// Each ends with a NULL name. The drafts' list includes extensions that are read in any file.
extern const vrmi_schema_extension vrmi_schema_khr[], vrmi_schema_vrm1[], vrmi_schema_draft[], vrmi_schema_vrm0[];

#endif
