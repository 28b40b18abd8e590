/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/clock.h"
#include "contracts/welkin-progress.h"
#include "values/welkin-surroundings.h"

G_BEGIN_DECLS

/*
 * The user's own OpenSSH client as a child process, with the user's own settings where ours do not
 * say otherwise.
 */
typedef struct _WelkinSsh WelkinSsh;

/* The client, or the program that copies files by it: WELKIN_ERROR_NOT_FOUND when there is none.
 * (transfer full) */
char       *welkin_ssh_find_program  (WelkinSurroundings *surroundings,
                                      gboolean            copies,
                                      GError            **error);
/* user: whom to log in as; WELKIN_ERROR_NOT_FOUND when there is no client */
WelkinSsh  *welkin_ssh_new           (WelkinSurroundings *surroundings,
                                      const char         *user,
                                      GError            **error);
WelkinSsh  *welkin_ssh_ref           (WelkinSsh          *self);
void        welkin_ssh_unref         (WelkinSsh          *self);

const char *welkin_ssh_get_user      (WelkinSsh          *self);

/* The machine must show one of these keys, whatever its address is. alias: what to call it;
 * public_keys: lines of .pub files. */
gboolean    welkin_ssh_expect_keys   (WelkinSsh          *self,
                                      const char         *alias,
                                      const char         *public_keys,
                                      GError            **error);
/* The same keys as a file of known hosts has them. (transfer full) */
char       *welkin_ssh_print_known   (const char         *alias,
                                      const char         *public_keys);
/* Whatever key it shows is good. */
void        welkin_ssh_take_any_key  (WelkinSsh          *self);
/* What is in this file under the alias; the key of an alias that is not there is added. */
void        welkin_ssh_take_first_key (WelkinSsh         *self,
                                      const char         *alias,
                                      const char         *known_hosts);

/* Options for the client or for scp, which one of them ends: (transfer full) */
char      **welkin_ssh_make_options  (WelkinSsh          *self);

/* Runs a command there with this input. Lines of its standard error are said as they come. The
 * error of a command that fails is what it said, and at least its status; a child that is cancelled
 * is killed. seconds: 0: no limit; progress: nullable */
void        welkin_ssh_run_async     (WelkinSsh          *self,
                                      const char         *address,
                                      const char         *command,
                                      const char         *input,
                                      double              seconds,
                                      WelkinProgress     *progress,
                                      GCancellable       *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer            user_data);
/* Its standard output. (transfer full) */
char       *welkin_ssh_run_finish    (WelkinSsh          *self,
                                      GAsyncResult       *result,
                                      GError            **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinSsh, welkin_ssh_unref)

G_END_DECLS
