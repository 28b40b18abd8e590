/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * Looks which libraries of this machine an agent needs where there is nothing but the C library,
 * which fits to no other release of a distribution. directory: where the agent is; what already
 * lies there is not named. An agent that is no program of this machine needs none.
 */
void        welkin_agent_libraries_async  (const char          *directory,
                                           GCancellable        *cancellable,
                                           GAsyncReadyCallback  callback,
                                           gpointer             user_data);
/* (element-type filename filename) (transfer full): the path of each, by its name below the
 * directory of the agent: "libsoup-3.0.so.0", "gio-modules/libgiognutls.so" */
GHashTable *welkin_agent_libraries_finish (GAsyncResult        *result,
                                           GError             **error);

G_END_DECLS
