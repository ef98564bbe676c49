// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "cli.h"
#include "many/many.h"

#include <string.h>

// Help, man pages and completion are all generated from the tables of the verbs, so that each text exists only once.

static const char about[] = "vrm reads VRM avatars, reports what is in them, animates them and writes the result. The "
                            "file name - means stdin or stdout. Results go to stdout, messages and progress to stderr.";

static void add_spaces(vrmi_text *out, size_t count)
{
    for (; count > 0; --count) {
        vrmi_text_add_string(out, " ");
    }
}

// Adds text wrapped at 80 columns, with every line indented. "
// " in the text starts a new line; spaces after it indent that line further. `column` is the current column of the
// output; if it is 0, the first line is indented too.
static void add_wrapped(vrmi_text *out, const char *text, size_t indent, size_t column)
{
    const char *word = text;
    size_t margin = indent;
    while (*word != '\0') {
        if (*word == '\n') {
            vrmi_text_add_string(out, "\n");
            column = 0;
            margin = indent;
            ++word;
            continue;
        }
        if (column == 0) {
            const size_t further = strspn(word, " ");
            margin = indent + further;
            word += further;
            add_spaces(out, margin);
            column = margin;
        }
        const size_t length = strcspn(word, " \n");
        if (column > margin && column + 1 + length > 80) {
            vrmi_text_add_string(out, "\n");
            add_spaces(out, margin);
            column = margin;
        } else if (column > margin) {
            vrmi_text_add_string(out, " ");
            ++column;
        }
        vrmi_text_add(out, word, length);
        column += length;
        word += length;
        word += *word == ' ';
    }
    vrmi_text_add_string(out, "\n");
}

// Adds "text|json|ndjson" or the name of the value.
static void add_value(vrmi_text *out, const cli_option *option)
{
    if (option->type == CLI_CHOICE) {
        for (const char *c = option->choices; *c != '\0'; ++c) {
            vrmi_text_add(out, *c == ' ' ? "|" : c, 1);
        }
    } else if (option->value != NULL) {
        vrmi_text_add_string(out, option->value);
    }
}

static void add_option_name(vrmi_text *out, const cli_option *option)
{
    if (option->letter != 0) {
        vrmi_text_format(out, "-%c, ", option->letter);
    } else {
        vrmi_text_add_string(out, "    ");
    }
    vrmi_text_format(out, "--%s", option->name);
    if (option->type != CLI_FLAG) {
        vrmi_text_add_string(out, " ");
        add_value(out, option);
    }
}

static void add_options(vrmi_text *out, const cli_option *options, uint32_t count)
{
    enum { COLUMN = 28 };
    for (uint32_t i = 0; i < count; ++i) {
        vrmi_text_add_string(out, "  ");
        const size_t start = out->size - 2;
        add_option_name(out, &options[i]);
        size_t width = out->size - start;
        if (width + 2 > COLUMN) {
            vrmi_text_add_string(out, "\n");
            width = 0;
        }
        for (; width < COLUMN; ++width) {
            vrmi_text_add_string(out, " ");
        }
        add_wrapped(out, options[i].help, COLUMN, COLUMN);
    }
}

static void add_padded(vrmi_text *out, const char *text, size_t width)
{
    vrmi_text_add_string(out, text);
    for (size_t length = strlen(text); length < width; ++length) {
        vrmi_text_add_string(out, " ");
    }
}

void cli_help_usage(vrmi_text *out, const cli_program *program)
{
    vrmi_text_add_string(out, "usage: vrm COMMAND [OPTIONS] FILE...\ncommands:");
    for (uint32_t i = 0; i < program->command_count; ++i) {
        vrmi_text_format(out, " %s", program->commands[i]->name);
    }
    vrmi_text_add_string(out, "\nTry: vrm --help\n");
}

static void add_exits(vrmi_text *out)
{
    vrmi_text_add_string(out, "\nexit codes:\n");
#define ADD_EXIT(name, code, sentence) vrmi_text_format(out, "  %s%d  %s\n", (code) < 10 ? " " : "", code, sentence);
    CLI_EXITS(ADD_EXIT)
#undef ADD_EXIT
}

void cli_help_overview(vrmi_text *out, const cli_program *program)
{
    vrmi_text_add_string(
        out, "usage: vrm COMMAND [OPTIONS] FILE...\n       vrm help COMMAND\n       vrm --version\n\n");
    add_wrapped(out, about, 0, 0);
    vrmi_text_add_string(out, "\ncommands:\n");
    for (uint32_t i = 0; i < program->command_count; ++i) {
        vrmi_text_add_string(out, "  ");
        add_padded(out, program->commands[i]->name, 18);
        add_wrapped(out, program->commands[i]->summary, 18, 18);
    }
    vrmi_text_add_string(out, "\noptions of every command:\n");
    add_options(out, cli_common_options, cli_common_option_count);
    add_exits(out);
}

void cli_help_command(vrmi_text *out, const cli_command *command)
{
    vrmi_text_format(out, "usage: vrm %s [OPTIONS] %s\n\n", command->name, command->arguments);
    add_wrapped(out, command->summary, 0, 0);
    vrmi_text_add_string(out, "\n");
    add_wrapped(out, command->description, 0, 0);
    if (command->option_count != 0) {
        vrmi_text_add_string(out, "\noptions:\n");
        add_options(out, command->options, command->option_count);
    }
    if (command->many != NULL) {
        vrmi_text_add_string(out, "\noptions for many files:\n");
        add_options(out, cli_many_options, cli_many_option_count);
    }
    vrmi_text_add_string(out, "\noptions of every command:\n");
    add_options(out, cli_common_options, cli_common_option_count);
    if (command->examples != NULL) {
        vrmi_text_add_string(out, "\nexamples:\n");
        for (const char *line = command->examples; *line != '\0';) {
            const size_t length = strcspn(line, "\n");
            vrmi_text_add_string(out, "  ");
            vrmi_text_add(out, line, length);
            vrmi_text_add_string(out, "\n");
            line += length + (line[length] == '\n');
        }
    }
    add_exits(out);
}

// --- man pages -----------------------------------------------------------------------------------------------------

// Escapes text for roff: a hyphen becomes \-, a backslash \e, and a line must not begin with a dot or a quote.
static void add_roff(vrmi_text *out, const char *text)
{
    bool line_start = true;
    for (const char *c = text; *c != '\0'; ++c) {
        if (*c == '\n' && c[1] == '\n') {
            vrmi_text_add_string(out, "\n.PP\n");
            line_start = true;
            while (c[1] == '\n') {
                ++c;
            }
            continue;
        }
        if (line_start && (*c == '.' || *c == '\'')) {
            vrmi_text_add_string(out, "\\&");
        }
        if (*c == '-') {
            vrmi_text_add_string(out, "\\-");
        } else if (*c == '\\') {
            vrmi_text_add_string(out, "\\e");
        } else {
            vrmi_text_add(out, c, 1);
        }
        line_start = *c == '\n';
    }
}

static void add_man_options(vrmi_text *out, const cli_option *options, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        const cli_option *option = &options[i];
        vrmi_text_add_string(out, ".TP\n");
        if (option->letter != 0) {
            vrmi_text_format(out, "\\fB\\-%c\\fR, ", option->letter);
        }
        vrmi_text_add_string(out, "\\fB\\-\\-");
        add_roff(out, option->name);
        vrmi_text_add_string(out, "\\fR");
        if (option->type != CLI_FLAG) {
            vrmi_text_add_string(out, " \\fI");
            add_value(out, option);
            vrmi_text_add_string(out, "\\fR");
        }
        vrmi_text_add_string(out, "\n");
        add_roff(out, option->help);
        vrmi_text_add_string(out, "\n");
    }
}

static void add_man_title(vrmi_text *out, const char *page)
{
    vrmi_text_format(out, ".TH %s 1 \"\" \"libvrm %s\" \"User Commands\"\n", page, VRM_VERSION_STRING);
}

static void add_man_exits(vrmi_text *out)
{
    vrmi_text_add_string(out, ".SH EXIT STATUS\n");
#define ADD_EXIT(name, code, sentence) vrmi_text_format(out, ".TP\n\\fB%d\\fR\n%s\n", code, sentence);
    CLI_EXITS(ADD_EXIT)
#undef ADD_EXIT
}

void cli_man_overview(vrmi_text *out, const cli_program *program)
{
    add_man_title(out, "VRM");
    vrmi_text_add_string(out, ".SH NAME\nvrm \\- inspect and animate VRM avatars\n.SH SYNOPSIS\n"
                              "\\fBvrm\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR] \\fIFILE\\fR...\n.SH DESCRIPTION\n");
    add_roff(out, about);
    vrmi_text_add_string(out, "\n.SH COMMANDS\n");
    for (uint32_t i = 0; i < program->command_count; ++i) {
        vrmi_text_format(out, ".TP\n\\fBvrm\\-%s\\fR(1)\n", program->commands[i]->name);
        add_roff(out, program->commands[i]->summary);
        vrmi_text_add_string(out, "\n");
    }
    vrmi_text_add_string(out, ".SH OPTIONS\nEvery command has these:\n");
    add_man_options(out, cli_common_options, cli_common_option_count);
    add_man_exits(out);
    vrmi_text_add_string(out, ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nIf set and not empty, output has no colours.\n");
}

void cli_man_command(vrmi_text *out, const cli_command *command)
{
    char page[64], name[64];
    vrmi_format(name, sizeof(name), "%s", command->name);
    for (char *c = name; *c != '\0'; ++c) {
        *c = (char)(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
    }
    vrmi_format(page, sizeof(page), "VRM-%s", name);
    add_man_title(out, page);
    vrmi_text_format(out, ".SH NAME\nvrm\\-%s \\- ", command->name);
    add_roff(out, command->summary);
    vrmi_text_format(out, "\n.SH SYNOPSIS\n\\fBvrm %s\\fR [\\fIOPTIONS\\fR] \\fI%s\\fR\n.SH DESCRIPTION\n",
        command->name, command->arguments);
    add_roff(out, command->description);
    vrmi_text_add_string(out, "\n.SH OPTIONS\n");
    add_man_options(out, command->options, command->option_count);
    if (command->many != NULL) {
        add_man_options(out, cli_many_options, cli_many_option_count);
    }
    add_man_options(out, cli_common_options, cli_common_option_count);
    if (command->examples != NULL) {
        vrmi_text_add_string(out, ".SH EXAMPLES\n.nf\n");
        add_roff(out, command->examples);
        vrmi_text_add_string(out, ".fi\n");
    }
    add_man_exits(out);
    vrmi_text_add_string(out, ".SH SEE ALSO\n\\fBvrm\\fR(1)\n");
}

// --- completion ----------------------------------------------------------------------------------------------------

static void add_option_words(vrmi_text *out, const cli_option *options, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        vrmi_text_format(out, " --%s", options[i].name);
    }
}

// Adds cases by verb, since two verbs may have options of the same name with different choices.
static void add_choice_cases(vrmi_text *out, const char *verb, const cli_option *options, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        if (options[i].type == CLI_CHOICE) {
            vrmi_text_format(out, "    %s:--%s) words=\"%s\" ;;\n", verb, options[i].name, options[i].choices);
        }
    }
}

void cli_completion_bash(vrmi_text *out, const cli_program *program)
{
    vrmi_text_add_string(out,
        "# bash completion for vrm\n_vrm()\n{\n    local current=\"${COMP_WORDS[COMP_CWORD]}\" words=\"\"\n"
        "    local previous=\"${COMP_WORDS[COMP_CWORD-1]}\" verb=\"${COMP_WORDS[1]}\"\n"
        "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        words=\"help --help --version");
    for (uint32_t i = 0; i < program->command_count; ++i) {
        vrmi_text_format(out, " %s", program->commands[i]->name);
    }
    vrmi_text_add_string(out,
        "\"\n        COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n        return\n    fi\n"
        "    case \"$verb:$previous\" in\n");
    for (uint32_t i = 0; i < program->command_count; ++i) {
        add_choice_cases(
            out, program->commands[i]->name, program->commands[i]->options, program->commands[i]->option_count);
    }
    add_choice_cases(out, "*", cli_common_options, cli_common_option_count);
    vrmi_text_add_string(out, "    esac\n    if [ -z \"$words\" ] && [ \"${current#-}\" != \"$current\" ]; then\n"
                              "        case \"$verb\" in\n");
    for (uint32_t i = 0; i < program->command_count; ++i) {
        vrmi_text_format(out, "        %s) words=\"", program->commands[i]->name);
        add_option_words(out, program->commands[i]->options, program->commands[i]->option_count);
        if (program->commands[i]->many != NULL) {
            add_option_words(out, cli_many_options, cli_many_option_count);
        }
        add_option_words(out, cli_common_options, cli_common_option_count);
        vrmi_text_add_string(out, "\" ;;\n");
    }
    vrmi_text_add_string(out,
        "        esac\n    fi\n    if [ -n \"$words\" ]; then\n"
        "        COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n    else\n"
        "        COMPREPLY=($(compgen -f -- \"$current\"))\n    fi\n}\ncomplete -o filenames -F _vrm vrm\n");
}

// Escapes text for zsh's _arguments: '[', ']' and ':' would end the description, and a quote would end the word.
static void add_zsh_text(vrmi_text *out, const char *text)
{
    for (const char *c = text; *c != '\0'; ++c) {
        if (*c == '\'') {
            vrmi_text_add_string(out, "'\\''");
        } else if (*c == '[' || *c == ']' || *c == ':') {
            vrmi_text_format(out, "\\%c", *c);
        } else {
            vrmi_text_add(out, c, 1);
        }
    }
}

static void add_zsh_options(vrmi_text *out, const cli_option *options, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        vrmi_text_format(out, " \\\n            '%s--%s[", options[i].type == CLI_LIST ? "*" : "", options[i].name);
        add_zsh_text(out, options[i].help);
        vrmi_text_add_string(out, "]");
        if (options[i].type == CLI_CHOICE) {
            vrmi_text_format(out, ":value:(%s)", options[i].choices);
        } else if (options[i].type != CLI_FLAG) {
            vrmi_text_format(out, ":%s:%s", options[i].value, strcmp(options[i].value, "FILE") == 0 ? "_files" : "");
        }
        vrmi_text_add_string(out, "'");
    }
}

void cli_completion_zsh(vrmi_text *out, const cli_program *program)
{
    vrmi_text_add_string(out, "#compdef vrm\n_vrm()\n{\n    if (( CURRENT == 2 )); then\n        local -a verbs\n"
                              "        verbs=(\n");
    for (uint32_t i = 0; i < program->command_count; ++i) {
        vrmi_text_format(out, "            '%s:", program->commands[i]->name);
        add_zsh_text(out, program->commands[i]->summary);
        vrmi_text_add_string(out, "'\n");
    }
    vrmi_text_add_string(out, "        )\n        _describe command verbs\n        return\n    fi\n"
                              "    local verb=$words[2]\n    shift words\n    (( CURRENT-- ))\n    case $verb in\n");
    for (uint32_t i = 0; i < program->command_count; ++i) {
        vrmi_text_format(out, "        %s) _arguments", program->commands[i]->name);
        add_zsh_options(out, program->commands[i]->options, program->commands[i]->option_count);
        if (program->commands[i]->many != NULL) {
            add_zsh_options(out, cli_many_options, cli_many_option_count);
        }
        add_zsh_options(out, cli_common_options, cli_common_option_count);
        vrmi_text_add_string(out, " \\\n            '*:file:_files' ;;\n");
    }
    vrmi_text_add_string(out, "    esac\n}\n_vrm \"$@\"\n");
}
