/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "environments/welkin-info.h"

G_BEGIN_DECLS

/* Sets something in an info in view of what its file holds at that moment: it is called under the
 * lock, so no other process changes the file meanwhile. It may be called again when writing failed.
 * FALSE with an error leaves all as it was. */
typedef gboolean (*WelkinInfoEdit) (WelkinInfo *info,
                                    gpointer    user_data,
                                    GError    **error);

/* Keeps other processes from changing and removing what is remembered, in the file and beside it.
 * To be held for milliseconds. An error when somebody has removed it. (transfer full) */
GObject *welkin_info_lock_files  (WelkinInfo          *self,
                                  GError             **error);
/* DATA_DIR/ssh/known_hosts-NAME: the host keys, which are forgotten with the environment.
 * (transfer full) */
char    *welkin_info_build_known_hosts_path (WelkinInfo *self);

/* edit: nullable */
gboolean welkin_info_edit        (WelkinInfo          *self,
                                  WelkinInfoEdit       edit,
                                  gpointer             edit_data,
                                  GError             **error);
/* Tries again while another process has the lock. edit_data has to live until the end. */
void     welkin_info_edit_async  (WelkinInfo          *self,
                                  WelkinInfoEdit       edit,
                                  gpointer             edit_data,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data);
gboolean welkin_info_edit_finish (WelkinInfo          *self,
                                  GAsyncResult        *result,
                                  GError             **error);

G_END_DECLS
