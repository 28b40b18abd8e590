/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <welkin.h>

G_BEGIN_DECLS

/*
 * What the user sees: results on standard output, everything else on standard error. On
 * a terminal progress is one line that redraws itself, with the time that has passed; in
 * a pipe each new message is a line.
 */
typedef struct _Console Console;

Console  *console_new            (void);
void      console_free           (Console        *self);
/* How much to show: without progress; with what --verbose and --debug add. */
void      console_set_levels     (Console        *self,
                                  gboolean        quiet,
                                  gboolean        verbose,
                                  gboolean        debug);
/* Also writes every log message there. */
gboolean  console_open_log       (Console        *self,
                                  const char     *path,
                                  GError        **error);

/* A result, as it is. */
void      console_print          (Console        *self,
                                  const char     *text);
/* Rows of as many columns each, NULL behind the last one, in columns. (element-type GStrv) */
void      console_print_table    (Console        *self,
                                  GPtrArray      *rows);
/* That all results got where they were to go. */
gboolean  console_finish         (Console        *self,
                                  GError        **error);
/* One line for the user's eyes: not a result. */
void      console_say            (Console        *self,
                                  const char     *format,
                                  ...) G_GNUC_PRINTF (2, 3);
/* "error: …", and what to do about it when the error knows. */
void      console_print_error    (Console        *self,
                                  const GError   *error);
/* Shows a question, behind which the answer is typed. */
void      console_ask            (Console        *self,
                                  const char     *question);

/* Shows this progress until it is told to stop, or to show another. (nullable) */
void      console_watch_progress (Console        *self,
                                  WelkinProgress *progress);

G_END_DECLS
