// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "cli.h"
#include "many/many.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const cli_option cli_common_options[] = {
    {.name = "help",
        .letter = 'h',
        .type = CLI_FLAG,
        .offset = offsetof(cli_common, help),
        .help = "Show this help and exit."},
    {.name = "quiet",
        .letter = 'q',
        .type = CLI_FLAG,
        .offset = offsetof(cli_common, quiet),
        .help = "Print only errors on stderr: no warnings, remarks or progress."},
    {.name = "strict",
        .type = CLI_FLAG,
        .offset = offsetof(cli_common, strict),
        .help = "Fail on problems that are otherwise repaired or only reported: a model with errors, an empty picture, "
                "a migration that loses information."},
    {.name = "max-memory",
        .type = CLI_SIZE,
        .offset = offsetof(cli_common, max_memory),
        .value = "BYTES",
        .help = "Largest amount of memory to use, such as 512M (suffixes K, M and G). If the command needs more, it "
                "stops with code 6. 0 (default): the library's limit, 4G per file."},
    {.name = "timeout",
        .type = CLI_NUMBER,
        .offset = offsetof(cli_common, timeout),
        .value = "SECONDS",
        .min = 0,
        .max = 1e6,
        .help = "Stop with code 6 after this time; 0 (default): never."},
    {.name = "color",
        .type = CLI_CHOICE,
        .offset = offsetof(cli_common, color),
        .choices = "auto always never",
        .help = "Use colours on stdout; auto (default): only on a terminal, and not if NO_COLOR is set."},
    {.name = "record",
        .type = CLI_TEXT,
        .offset = offsetof(cli_common, record),
        .value = "FILE",
        .help = "Also write the findings to this file, as a JSON array of objects with code, severity and pointer."},
};
const uint32_t cli_common_option_count = sizeof(cli_common_options) / sizeof(cli_common_options[0]);

// --- near misses ---------------------------------------------------------------------------------------------------

static size_t smallest(size_t a, size_t b, size_t c)
{
    const size_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

// Returns the Levenshtein distance of two short words; for a long word it returns a large distance.
static size_t distance(const char *a, const char *b)
{
    enum { LONGEST = 40 };
    const size_t length_a = strlen(a), length_b = strlen(b);
    if (length_a > LONGEST || length_b > LONGEST) {
        return LONGEST;
    }
    size_t row[LONGEST + 1];
    for (size_t j = 0; j <= length_b; ++j) {
        row[j] = j;
    }
    for (size_t i = 1; i <= length_a; ++i) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= length_b; ++j) {
            const size_t above = row[j];
            row[j] = smallest(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[length_b];
}

const char *cli_nearest(const char *typed, const char *const *words, uint32_t count)
{
    const char *best = NULL, *begun = NULL;
    const size_t length = strlen(typed);
    size_t best_distance = length / 2 < 2 ? length / 2 + 1 : 3;
    uint32_t begun_count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (length > 0 && strncmp(words[i], typed, length) == 0) {
            begun = words[i];
            ++begun_count;
        }
        const size_t d = distance(typed, words[i]);
        if (d < best_distance) {
            best_distance = d;
            best = words[i];
        }
    }
    return begun_count == 1 ? begun : best;
}

// --- reading argv --------------------------------------------------------------------------------------------------

typedef struct parser {
    const cli_command *command;
    cli_parsed *parsed;
    int argc, next;
    char **argv;
} parser;

static int usage_error(const parser *p, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "vrm %s: ", p->command->name);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\nTry: vrm %s --help\n", p->command->name);
    va_end(arguments);
    return CLI_EXIT_USAGE;
}

int cli_fail_to_start(const cli_command *command)
{
    fprintf(stderr, "vrm %s: out of memory\n", command->name);
    return CLI_EXIT_AGAIN;
}

// Finds an option by its name or letter, and the struct that contains its field.
static const cli_option *find_option(const parser *p, const char *name, size_t length, char letter, char **out_base)
{
    const cli_option *const tables[] = {p->command->options, cli_common_options, cli_many_options};
    const uint32_t counts[] = {p->command->option_count, cli_common_option_count, cli_many_option_count};
    void *const bases[] = {p->parsed->options, &p->parsed->common, &p->parsed->many};
    for (int t = 0; t < (p->command->many != NULL ? 3 : 2); ++t) {
        for (uint32_t i = 0; i < counts[t]; ++i) {
            const cli_option *option = &tables[t][i];
            if (letter != 0 ? option->letter == letter
                            : strlen(option->name) == length && memcmp(option->name, name, length) == 0) {
                *out_base = bases[t];
                return option;
            }
        }
    }
    return NULL;
}

static int unknown_option(const parser *p, const char *typed)
{
    const char *words[64];
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->command->option_count && count < 64; ++i) {
        words[count++] = p->command->options[i].name;
    }
    for (uint32_t i = 0; i < cli_common_option_count && count < 64; ++i) {
        words[count++] = cli_common_options[i].name;
    }
    for (uint32_t i = 0; p->command->many != NULL && i < cli_many_option_count && count < 64; ++i) {
        words[count++] = cli_many_options[i].name;
    }
    const char *near = typed[1] == '-' ? cli_nearest(typed + 2, words, count) : NULL;
    return near != NULL ? usage_error(p, "unknown option %s; did you mean --%s?", typed, near)
                        : usage_error(p, "unknown option %s", typed);
}

static bool push(cli_list *list, const char *item)
{
    // The list grows at powers of two, so that its capacity does not have to be stored.
    if ((list->count & (list->count - 1)) == 0) {
        const size_t room = list->count == 0 ? 1 : (size_t)list->count * 2;
        const char **items = realloc((void *)list->items, room * sizeof(*items));
        if (items == NULL) {
            return false;
        }
        list->items = items;
    }
    list->items[list->count++] = item;
    return true;
}

static bool parse_number(const char *text, double *out)
{
    const size_t length = strlen(text);
    // The library parses numbers by JSON's grammar; people also type ".5" and "+1".
    char fixed[64];
    if (length == 0 || length > 60) {
        return false;
    }
    const char *digits = text[0] == '+' ? text + 1 : text;
    const char *sign = digits[0] == '-' ? "-" : "";
    digits += digits[0] == '-';
    vrmi_format(fixed, sizeof(fixed), "%s%s%s", sign, digits[0] == '.' ? "0" : "", digits);
    return vrmi_parse_double(fixed, strlen(fixed), out) == strlen(fixed);
}

static bool parse_size(const char *text, uint64_t *out)
{
    uint64_t value = 0;
    const char *c = text;
    for (; *c >= '0' && *c <= '9'; ++c) {
        if (value > (UINT64_MAX - 9) / 10) {
            return false;
        }
        value = value * 10 + (uint64_t)(*c - '0');
    }
    const int shift = *c == 'K' || *c == 'k' ? 10 : *c == 'M' || *c == 'm' ? 20 : *c == 'G' || *c == 'g' ? 30 : 0;
    if (c == text || c[shift != 0] != '\0' || value > UINT64_MAX >> shift) {
        return false;
    }
    *out = value << shift;
    return true;
}

static bool parse_vector(const char *text, double *out)
{
    for (int i = 0; i < 3; ++i) {
        char part[64];
        const size_t length = strcspn(text, ",");
        if (length >= sizeof(part) || text[length] != (i < 2 ? ',' : '\0')) {
            return false;
        }
        memcpy(part, text, length);
        part[length] = '\0';
        if (!parse_number(part, &out[i])) {
            return false;
        }
        text += length + (i < 2);
    }
    return true;
}

static int parse_choice(const char *words, const char *typed)
{
    const size_t length = strlen(typed);
    int index = 0;
    while (*words != '\0') {
        const size_t size = strcspn(words, " ");
        if (size == length && memcmp(words, typed, size) == 0) {
            return index;
        }
        words += size;
        words += *words == ' ';
        ++index;
    }
    return -1;
}

static int store_number(const parser *p, const cli_option *option, void *field, const char *value)
{
    double number;
    const bool bounded = option->min != 0 || option->max != 0;
    if (!parse_number(value, &number) || (bounded && !(number >= option->min && number <= option->max))) {
        char range[96] = "";
        if (bounded) {
            vrmi_format(range, sizeof(range), " from %g to %g", option->min, option->max);
        }
        return usage_error(p, "--%s expects a number%s, not \"%s\"", option->name, range, value);
    }
    if (option->type == CLI_NUMBER) {
        memcpy(field, &number, sizeof(number));
        return CLI_EXIT_DONE;
    }
    if (!(number > -9e15 && number < 9e15) || (double)(int64_t)number != number) {
        return usage_error(p, "--%s expects a whole number, not \"%s\"", option->name, value);
    }
    const int64_t whole = (int64_t)number;
    memcpy(field, &whole, sizeof(whole));
    return CLI_EXIT_DONE;
}

static int store(const parser *p, const cli_option *option, char *base, const char *value)
{
    void *field = base + option->offset;
    switch (option->type) {
    case CLI_FLAG:
        *(bool *)field = true;
        return CLI_EXIT_DONE;
    case CLI_TEXT:
        *(const char **)field = value;
        return CLI_EXIT_DONE;
    case CLI_LIST:
        return push(field, value) ? CLI_EXIT_DONE : cli_fail_to_start(p->command);
    case CLI_NUMBER:
    case CLI_INTEGER:
        return store_number(p, option, field, value);
    case CLI_SIZE:
        return parse_size(value, field)
                   ? CLI_EXIT_DONE
                   : usage_error(p, "--%s expects a size such as 512M, not \"%s\"", option->name, value);
    case CLI_CHOICE: {
        const int index = parse_choice(option->choices, value);
        if (index < 0) {
            return usage_error(p, "--%s expects one of: %s; not \"%s\"", option->name, option->choices, value);
        }
        *(int *)field = index;
        return CLI_EXIT_DONE;
    }
    case CLI_VECTOR:
        return parse_vector(value, field)
                   ? CLI_EXIT_DONE
                   : usage_error(p, "--%s expects three numbers x,y,z, not \"%s\"", option->name, value);
    }
    return CLI_EXIT_INTERNAL;
}

// Keeps an option as it was typed, for the processes that work on single files.
static bool keep(parser *p, const cli_option *option, const char *typed, const char *value)
{
    cli_many *many = &p->parsed->many;
    if (option >= cli_many_options && option < cli_many_options + cli_many_option_count) {
        many->named = true;
        return true;
    }
    return strcmp(option->name, "output") == 0 ||
           (push(&many->kept, typed) && (value == NULL || push(&many->kept, value)));
}

// Parses "--name", "--name=value", "--name value", "-n value" or "-nvalue".
static int parse_option(parser *p, const char *argument)
{
    const bool is_long = argument[1] == '-';
    const char *name = argument + (is_long ? 2 : 1);
    const size_t length = is_long ? strcspn(name, "=") : 1;
    const char *value = is_long ? (name[length] == '=' ? name + length + 1 : NULL) : name[1] != '\0' ? name + 1 : NULL;
    char *base = NULL;
    const cli_option *option = find_option(p, name, length, is_long ? 0 : name[0], &base);
    if (option == NULL) {
        return unknown_option(p, argument);
    }
    if (option->type == CLI_FLAG) {
        return value != NULL                     ? usage_error(p, "--%s takes no value", option->name)
               : keep(p, option, argument, NULL) ? store(p, option, base, NULL)
                                                 : cli_fail_to_start(p->command);
    }
    const char *next = NULL;
    if (value == NULL) {
        if (p->next >= p->argc) {
            return usage_error(p, "--%s needs a value: %s", option->name,
                option->type == CLI_CHOICE ? option->choices : option->value);
        }
        next = value = p->argv[p->next++];
    }
    if (strcmp(option->name, "output") == 0) {
        p->parsed->many.output = value;
    }
    return keep(p, option, argument, next) ? store(p, option, base, value) : cli_fail_to_start(p->command);
}

static int check_inputs(const parser *p)
{
    const cli_command *command = p->command;
    const cli_inputs *inputs = &p->parsed->inputs;
    if (inputs->count < command->min_inputs && p->parsed->many.files_from == NULL) {
        return usage_error(p, "missing argument: vrm %s %s", command->name, command->arguments);
    }
    if (inputs->count > command->max_inputs && command->many == NULL) {
        return usage_error(p, "too many arguments, beginning with \"%s\"", inputs->items[command->max_inputs]);
    }
    return CLI_EXIT_DONE;
}

int cli_parse_options(const cli_command *command, int argc, char **argv, cli_parsed *out)
{
    parser p = {command, out, argc, 0, argv};
    bool only_inputs = false;
    while (p.next < argc) {
        const char *argument = argv[p.next++];
        int code = CLI_EXIT_DONE;
        if (only_inputs || argument[0] != '-' || argument[1] == '\0') {
            code = push(&out->inputs, argument) ? CLI_EXIT_DONE : cli_fail_to_start(command);
        } else if (strcmp(argument, "--") == 0) {
            only_inputs = true;
        } else {
            code = parse_option(&p, argument);
        }
        if (code != CLI_EXIT_DONE) {
            return code;
        }
        if (out->common.help) {
            return CLI_EXIT_DONE;
        }
    }
    return check_inputs(&p);
}

static void free_list(cli_list *list)
{
    free((void *)list->items);
    *list = (cli_list){0};
}

void cli_free_options(const cli_command *command, cli_parsed *parsed)
{
    for (uint32_t i = 0; i < command->option_count; ++i) {
        if (command->options[i].type == CLI_LIST) {
            free_list((cli_list *)(void *)((char *)parsed->options + command->options[i].offset));
        }
    }
    free_list(&parsed->many.kept);
    free_list(&parsed->inputs);
}
