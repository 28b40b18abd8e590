/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "services/os-compute.h"

G_BEGIN_DECLS

#define OS_TYPE_APART_GROUP (os_apart_group_get_type ())

/*
 * The server group in which nova keeps the machines of an environment apart, as far as it can. A
 * server group carries nothing but its name, so the environment's UUID in it is what makes it ours.
 * It is looked after once for all starts, and goes when the only starts that it was made for fail.
 */
G_DECLARE_FINAL_TYPE (OsApartGroup, os_apart_group, OS, APART_GROUP, GObject)

OsApartGroup *os_apart_group_new            (OsCompute           *compute,
                                             OsClient            *client,
                                             const char          *name);
/* Whose group it is depends on its name alone. */
gboolean      os_apart_group_is_ours        (OsApartGroup        *self,
                                             const OsServerGroup *group);
void          os_apart_group_ensure_async   (OsApartGroup        *self,
                                             GCancellable        *cancellable,
                                             GAsyncReadyCallback  callback,
                                             gpointer             user_data);
/* The id (transfer full); "" when the cloud has no such groups, or no more of them. Whoever got it
 * says keep() or release() when he has done. */
char         *os_apart_group_ensure_finish  (OsApartGroup        *self,
                                             GAsyncResult        *result,
                                             GError             **error);
/* A machine is in it now: it stays. */
void          os_apart_group_keep           (OsApartGroup        *self);
/* In the shape of an undo; id is ignored. */
void          os_apart_group_release_async  (OsApartGroup        *self,
                                             const char          *id,
                                             GCancellable        *cancellable,
                                             GAsyncReadyCallback  callback,
                                             gpointer             user_data);
gboolean      os_apart_group_release_finish (OsApartGroup        *self,
                                             GAsyncResult        *result,
                                             GError             **error);
/* Deletes it, and others of its name: that of an environment whose machines are gone. */
void          os_apart_group_remove_async   (OsApartGroup        *self,
                                             GCancellable        *cancellable,
                                             GAsyncReadyCallback  callback,
                                             gpointer             user_data);
gboolean      os_apart_group_remove_finish  (OsApartGroup        *self,
                                             GAsyncResult        *result,
                                             GError             **error);

G_END_DECLS
