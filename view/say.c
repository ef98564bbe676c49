// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "view.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "platform.h"

void view_say(view *v, bool bad, const char *format, ...)
{
    va_list arguments;
    if (v->log_count == VIEW_LOG) {
        memmove(v->log[0], v->log[1], sizeof v->log - sizeof v->log[0]);
        memmove(v->log_bad, v->log_bad + 1, sizeof v->log_bad - sizeof v->log_bad[0]);
        --v->log_count;
    }
    va_start(arguments, format);
    vsnprintf(v->log[v->log_count], FIGURE_MESSAGE, format, arguments);
    va_end(arguments);
    v->log_bad[v->log_count++] = bad;
    v->message_until = cli_platform_seconds() + (bad ? 12.0 : 4.0);
}
