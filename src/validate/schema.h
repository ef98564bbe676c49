// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_VALIDATE_SCHEMA_H
#define VRMI_VALIDATE_SCHEMA_H

// JSON schemas as tables of an object's members with their types and ranges. The tables are in schema_gltf.c,
// schema_khr.c, schema_vrm1.c, schema_draft.c and schema_vrm0.c. schema.c checks an object against a table.

#include <vrm/gltf.h>

typedef enum vrmi_schema_type {
    VRMI_SCHEMA_ANY,
    VRMI_SCHEMA_BOOL,
    VRMI_SCHEMA_NUMBER,
    VRMI_SCHEMA_INTEGER,
    // Index of an element of the array `of`, which is marked as used. VRM_GLTF_ARRAY_COUNT: an index of another array.
    VRMI_SCHEMA_INDEX,
    VRMI_SCHEMA_STRING,
    VRMI_SCHEMA_OBJECT
} vrmi_schema_type;

typedef struct vrmi_schema vrmi_schema;

// The rule for a member. With `list` the member is an array of such values, with `map` an object whose members are such
// values. The tables have some 700 rules, so that the size of a rule counts in the packages for the web.
typedef struct vrmi_schema_rule {
    const char *name; // NULL ends the table
    uint8_t type;     // vrmi_schema_type
    uint8_t of;       // vrm_gltf_array
    bool required : 1, list : 1, map : 1;
    bool has_min : 1, has_max : 1, above : 1; // `above`: the value must be greater than min
    bool unique : 1;                          // elements of the list must differ
    bool not_empty : 1;                       // string or map must not be empty
    bool absent_if_empty : 1;                 // an empty list is treated as absent; finding VRM1_EMPTY_ARRAY
    bool any_case : 1;                        // words of older dialects may differ in case; finding OLD_WORD_UNKNOWN
    int16_t min, max;
    uint8_t min_items, max_items; // number of elements; max 0: no limit
    const char *words;            // allowed words, separated by spaces; NULL: any
    const vrmi_schema *object;
    const vrmi_schema *instead; // an object of this kind is also allowed
    const char *needs;          // another member that must also be present
} vrmi_schema_rule;

struct vrmi_schema {
    const char *name; // a single word such as "node", used in the `on` of extensions
    const vrmi_schema_rule *rules;
    const char *one_of; // exactly one of these members must be present, separated by spaces; NULL: none
    const char *later;  // for a draft's extension: members that exist only in 1.0; NULL: none
};

// An extension, with the places where it is allowed and its content.
typedef struct vrmi_schema_extension {
    const char *name;
    const char *on;            // names of schemas, separated by spaces; "*": anywhere
    const vrmi_schema *object; // NULL: content is not checked
} vrmi_schema_extension;

extern const vrmi_schema vrmi_schema_gltf;
extern const vrmi_schema vrmi_schema_texture_info; // for the extensions of materials
// Lists of extensions. Each ends with a NULL name. The drafts' list includes extensions that are read in any file.
extern const vrmi_schema_extension vrmi_schema_khr[], vrmi_schema_vrm1[], vrmi_schema_draft[], vrmi_schema_vrm0[];

#endif
