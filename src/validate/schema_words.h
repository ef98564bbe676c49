// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_VALIDATE_SCHEMA_WORDS_H
#define VRMI_VALIDATE_SCHEMA_WORDS_H

// Macros for the rows of schema tables. Only schema_*.c use them.

#include "validate/schema.h"

#define ANYTHING .type = VRMI_SCHEMA_ANY
#define BOOL .type = VRMI_SCHEMA_BOOL
#define NUMBER .type = VRMI_SCHEMA_NUMBER
#define INTEGER .type = VRMI_SCHEMA_INTEGER
#define STRING .type = VRMI_SCHEMA_STRING
#define OBJECT(schema) .type = VRMI_SCHEMA_OBJECT, .object = &(schema)
#define INDEX(array) .type = VRMI_SCHEMA_INDEX, .of = (array)
#define OTHER_INDEX .type = VRMI_SCHEMA_INDEX, .of = VRM_GLTF_ARRAY_COUNT
#define REQUIRED .required = true
#define FROM(low) .has_min = true, .min = (low)
#define ABOVE(low) .has_min = true, .above = true, .min = (low)
#define TO(high) .has_max = true, .max = (high)
#define WORDS(list) .type = VRMI_SCHEMA_STRING, .words = (list)
#define ANY_CASE(list) WORDS(list), .any_case = true
#define LIST .list = true, .min_items = 1
#define ITEMS .list = true, .absent_if_empty = true // importing ignores empty lists; the specification forbids them
#define ANY_LIST .list = true
#define VECTOR(count) .type = VRMI_SCHEMA_NUMBER, .list = true, .min_items = (count), .max_items = (count)
#define MAP .map = true
#define SET .unique = true
#define NOT_EMPTY .not_empty = true
#define NEEDS(member) .needs = (member)
#define OR_OBJECT(schema) .instead = &(schema)
#define END \
    { \
        .name = NULL \
    }

#endif
