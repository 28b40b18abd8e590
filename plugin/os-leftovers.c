/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "os-leftovers.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "operations/fetch-instances.h"
#include "operations/remove-leftover.h"
#include "os-storage-container.h"
#include "values/welkin-error.h"

/* The host's: it is there from the beginning of a bootstrap to the end of the environment. */
#define STATE_FILE "provider-state"

/* Whether the container is left over. */

/* What cannot be looked into is not ours to remove. */
static gboolean
is_closed (const GError *error)
{
  return g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED)
         || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN)
         || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT);
}

/* names, machines: (nullable) what there is of the environment */
static gboolean
check_unused (char     **names,
              OsFetched *machines,
              GError   **error)
{
  if ((names == NULL || !g_strv_contains ((const char *const *) names, STATE_FILE))
      && (machines == NULL || machines->details->len == 0))
    return TRUE;
  g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_IN_USE,
                       _("the environment is there, and keeps its files in it"));
  return FALSE;
}

static void
find_abandoned_run (WkFlow  *flow,
                    gpointer user_data)
{
  WelkinStorage *storage = user_data;
  OsSnapshot *snapshot = OS_SNAPSHOT (wk_flow_get_source (flow));
  g_auto(GStrv) names = NULL;
  g_autoptr(OsFetched) machines = NULL;
  g_autoptr(OsStorageContainer) container = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, welkin_storage_list_async (storage, STATE_FILE, WK_RESUME (flow)));
  names = welkin_storage_list_finish (storage, WK_RESULT (flow), &error);
  if (is_closed (error))
    {
      wk_flow_return_pointer (flow, NULL, NULL);
      return;
    }
  if (names == NULL || !check_unused (names, NULL, &error))
    WK_FAIL (flow, &error, NULL);

  WK_AWAIT (flow, os_list_instances_async (snapshot, WK_RESUME (flow)));
  machines = os_list_instances_finish (snapshot, WK_RESULT (flow), &error);
  if (machines == NULL || !check_unused (NULL, machines, &error))
    WK_FAIL (flow, &error, NULL);

  WK_AWAIT (flow, os_storage_find_container_async (storage, WK_RESUME (flow)));
  container = os_storage_find_container_finish (storage, WK_RESULT (flow), &error);
  if (error != NULL)
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, g_steal_pointer (&container),
                          (GDestroyNotify) os_storage_container_free);

  WK_FLOW_END (flow);
}

/* NULL without an error: there is none. */
static void
find_abandoned_async (OsSnapshot         *snapshot,
                      WelkinStorage      *storage,
                      GCancellable       *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer            user_data)
{
  wk_flow_start (snapshot, cancellable, callback, user_data, find_abandoned_async,
                 find_abandoned_run, g_object_ref (storage), g_object_unref);
}

static OsStorageContainer *
find_abandoned_finish (OsSnapshot   *snapshot,
                       GAsyncResult *result,
                       GError      **error)
{
  return wk_flow_finish_pointer (result, snapshot, find_abandoned_async, error);
}

/* Listing and removing. */

typedef struct
{
  WelkinStorage  *storage;   /* (owned) */
  char          **live;      /* (owned) (nullable) start-ids */
  WelkinLeftover *leftover;  /* (owned) (nullable) that is removed */

  GPtrArray      *leftovers; /* (owned) (nullable) that were found */
} Leftovers;

static void
leftovers_free (gpointer user_data)
{
  Leftovers *self = user_data;

  g_clear_pointer (&self->leftovers, g_ptr_array_unref);
  g_clear_pointer (&self->leftover, welkin_leftover_unref);
  g_strfreev (self->live);
  g_object_unref (self->storage);
  g_free (self);
}

static WelkinLeftover *
describe (OsSnapshot               *snapshot,
          const OsStorageContainer *container)
{
  WelkinLeftover *leftover =
    welkin_leftover_new (WELKIN_LEFTOVER_CONTAINER, container->name, container->name, NULL, NULL,
                         container->created, container->is_ours,
                         container->is_ours
                           ? _("of an environment without machines and state")
                           : _("named like this environment's, without its mark"));

  return container->created != NULL ? os_date_leftover (snapshot, leftover, container->created)
                                    : leftover;
}

static void
list_run (WkFlow  *flow,
          gpointer user_data)
{
  Leftovers *self = user_data;
  OsSnapshot *snapshot = OS_SNAPSHOT (wk_flow_get_source (flow));
  g_autoptr(OsStorageContainer) container = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_list_leftovers_async (snapshot, (const char *const *) self->live,
                                           WK_RESUME (flow)));
  self->leftovers = os_list_leftovers_finish (snapshot, WK_RESULT (flow), &error);
  if (self->leftovers == NULL)
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, find_abandoned_async (snapshot, self->storage, WK_RESUME (flow)));
  container = find_abandoned_finish (snapshot, WK_RESULT (flow), &error);
  if (error != NULL && !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_IN_USE))
    WK_FAIL (flow, &error, _("cannot look for the container"));
  if (container != NULL)
    g_ptr_array_add (self->leftovers, describe (snapshot, container));
  wk_flow_return_pointer (flow, g_steal_pointer (&self->leftovers),
                          (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

void
os_list_all_leftovers_async (OsSnapshot         *snapshot,
                             WelkinStorage      *storage,
                             const char *const  *live_start_ids,
                             GCancellable       *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer            user_data)
{
  Leftovers *self = g_new0 (Leftovers, 1);

  self->storage = g_object_ref (storage);
  self->live = g_strdupv ((char **) live_start_ids);
  wk_flow_start (snapshot, cancellable, callback, user_data, os_list_all_leftovers_async, list_run,
                 self, leftovers_free);
}

GPtrArray *
os_list_all_leftovers_finish (OsSnapshot   *snapshot,
                              GAsyncResult *result,
                              GError      **error)
{
  return wk_flow_finish_pointer (result, snapshot, os_list_all_leftovers_async, error);
}

static void
remove_run (WkFlow  *flow,
            gpointer user_data)
{
  Leftovers *self = user_data;
  OsSnapshot *snapshot = OS_SNAPSHOT (wk_flow_get_source (flow));
  g_autoptr(OsStorageContainer) container = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (welkin_leftover_get_kind (self->leftover) != WELKIN_LEFTOVER_CONTAINER)
    {
      WK_AWAIT (flow, os_remove_leftover_async (snapshot, self->leftover, WK_RESUME (flow)));
      if (!os_remove_leftover_finish (snapshot, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
      wk_flow_return_boolean (flow, TRUE);
      return;
    }
  WK_AWAIT (flow, find_abandoned_async (snapshot, self->storage, WK_RESUME (flow)));
  container = find_abandoned_finish (snapshot, WK_RESULT (flow), &error);
  if (error == NULL && container != NULL && !container->is_ours)
    g_set_error_literal (&error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN,
                         _("it does not carry the mark of the environment"));
  if (error != NULL)
    WK_FAIL (flow, &error, NULL);
  if (container == NULL)
    {
      wk_flow_return_boolean (flow, TRUE);
      return;
    }
  WK_AWAIT (flow, welkin_storage_remove_all_async (self->storage, WK_RESUME (flow)));
  if (!welkin_storage_remove_all_finish (self->storage, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_remove_any_leftover_async (OsSnapshot         *snapshot,
                              WelkinStorage      *storage,
                              WelkinLeftover     *leftover,
                              GCancellable       *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer            user_data)
{
  Leftovers *self = g_new0 (Leftovers, 1);

  self->storage = g_object_ref (storage);
  self->leftover = welkin_leftover_ref (leftover);
  wk_flow_start (snapshot, cancellable, callback, user_data, os_remove_any_leftover_async,
                 remove_run, self, leftovers_free);
}

gboolean
os_remove_any_leftover_finish (OsSnapshot   *snapshot,
                               GAsyncResult *result,
                               GError      **error)
{
  return wk_flow_finish_boolean (result, snapshot, os_remove_any_leftover_async, error);
}
