/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Deletes an object of a store. */
typedef void     (*OsDelete)       (gpointer             store,
                                    const char          *container,
                                    const char          *name,
                                    GCancellable        *cancellable,
                                    GAsyncReadyCallback  callback,
                                    gpointer             user_data);
typedef gboolean (*OsDeleteFinish) (gpointer             store,
                                    GAsyncResult        *result,
                                    GError             **error);

/* Whether what an answer says has failed is what was asked for: among so many names from a place
 * on, and each of them once. It is deleted alone next, and nothing else may be. (element-type
 * utf8) */
gboolean os_delete_is_answer   (GPtrArray           *failed,
                                GPtrArray           *names,
                                guint                from,
                                guint                n_names);

/* Deletes objects one by one, many at a time. The error is that of the first that fails, after a
 * round of them, or at once when it is the server that fails. names: (element-type utf8) */
void     os_delete_each_async  (gpointer             store,
                                const char          *container,
                                GPtrArray           *names,
                                OsDelete             delete,
                                OsDeleteFinish       delete_finish,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             user_data);
gboolean os_delete_each_finish (gpointer             store,
                                GAsyncResult        *result,
                                GError             **error);

G_END_DECLS
