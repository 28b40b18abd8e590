/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/remove-leftover.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "operations/inventory.h"
#include "operations/ownership.h"
#include "values/welkin-error.h"

typedef struct
{
  OsSnapshot     *snapshot;  /* (owned) */
  WelkinLeftover *leftover;  /* (owned) */

  OsInventory    *inventory; /* (owned) */
  WkJoin         *join;      /* (owned) (nullable) */
  OsThing         server;    /* what is known of one */
  const OsThing  *thing;     /* (nullable) */
} Remove;

static gboolean
is_server (Remove *self)
{
  return welkin_leftover_get_kind (self->leftover) == WELKIN_LEFTOVER_SERVER;
}

/* Whoever stops servers looks at them himself. */
static void
begin_look (Remove *self)
{
  const char *query[] = { "id", welkin_leftover_get_id (self->leftover), NULL };

  if (!is_server (self))
    os_inventory_begin (self->inventory, welkin_leftover_get_kind (self->leftover), query,
                        self->join);
}

/* What is to be removed; NULL without an error: it is gone. */
static const OsThing *
find_thing (Remove  *self,
            GError **error)
{
  const char *uuid = os_snapshot_get_environ_uuid (self->snapshot);
  const char *id = welkin_leftover_get_id (self->leftover);
  const OsThing *thing;

  if (is_server (self))
    {
      self->server = (OsThing) { .kind = WELKIN_LEFTOVER_SERVER, .id = (char *) id };
      return &self->server;
    }
  thing = os_inventory_find (self->inventory, welkin_leftover_get_kind (self->leftover), id);
  if (thing == NULL)
    return NULL;
  if (!os_mark_is_ours (thing->mark, uuid, NULL))
    g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN,
                         _("it does not carry the mark of the environment"));
  else if (thing->is_used)
    g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_IN_USE, _("it has come into use"));
  else
    return thing;
  return NULL;
}

static void
remove_run (WkFlow  *flow,
            gpointer user_data)
{
  Remove *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  self->join = wk_join_new (WK_JOIN_CANCEL_OTHERS, wk_flow_get_cancellable (flow));
  begin_look (self);
  WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
  if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  self->thing = find_thing (self, &error);
  if (error != NULL)
    WK_FAIL (flow, &error, NULL);
  if (self->thing == NULL)
    {
      wk_flow_return_boolean (flow, TRUE);
      return;
    }

  WK_AWAIT (flow, os_thing_remove_async (self->thing, self->snapshot, WK_RESUME (flow)));
  if (!os_thing_remove_finish (self->thing, self->snapshot, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
remove_free (gpointer user_data)
{
  Remove *self = user_data;

  g_clear_pointer (&self->join, wk_join_unref);
  os_inventory_free (self->inventory);
  welkin_leftover_unref (self->leftover);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_remove_leftover_async (OsSnapshot         *snapshot,
                          WelkinLeftover     *leftover,
                          GCancellable       *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer            user_data)
{
  Remove *self = g_new0 (Remove, 1);

  self->snapshot = g_object_ref (snapshot);
  self->leftover = welkin_leftover_ref (leftover);
  self->inventory = os_inventory_new (snapshot);
  wk_flow_start (snapshot, cancellable, callback, user_data, os_remove_leftover_async, remove_run,
                 self, remove_free);
}

gboolean
os_remove_leftover_finish (OsSnapshot   *snapshot,
                           GAsyncResult *result,
                           GError      **error)
{
  return wk_flow_finish_boolean (result, snapshot, os_remove_leftover_async, error);
}
