/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "operations/inventory-private.h"
#include "values/welkin-error.h"

static void
thing_free (gpointer user_data)
{
  OsThing *self = user_data;

  g_free (self->changed);
  g_free (self->reserved);
  g_free (self->holder_id);
  g_free (self->mark);
  g_free (self->name);
  g_free (self->id);
  g_free (self);
}

void
os_thing_remove_async (const OsThing      *self,
                       OsSnapshot         *snapshot,
                       GCancellable       *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer            user_data)
{
  os_kinds[self->kind].remove_async (self, snapshot, cancellable, callback, user_data);
}

gboolean
os_thing_remove_finish (const OsThing *self,
                        OsSnapshot    *snapshot,
                        GAsyncResult  *result,
                        GError       **error)
{
  return os_kinds[self->kind].remove_finish (snapshot, result, error);
}

/* The inventory. */

struct _OsInventory
{
  OsSnapshot *snapshot;        /* (owned) */
  GPtrArray  *things[OS_N_KINDS]; /* (owned) of OsThing */
};

/* A list that is under way. */
typedef struct
{
  OsInventory       *inventory;
  WelkinLeftoverKind kind;
  WkJoin            *join;      /* (owned) */
} ListCall;

OsInventory *
os_inventory_new (OsSnapshot *snapshot)
{
  OsInventory *self = g_new0 (OsInventory, 1);

  self->snapshot = g_object_ref (snapshot);
  for (guint i = 0; i < OS_N_KINDS; i++)
    self->things[i] = g_ptr_array_new_with_free_func (thing_free);
  return self;
}

void
os_inventory_free (OsInventory *self)
{
  for (guint i = 0; i < OS_N_KINDS; i++)
    g_ptr_array_unref (self->things[i]);
  g_object_unref (self->snapshot);
  g_free (self);
}

static void
take_records (OsInventory       *self,
              WelkinLeftoverKind kind,
              GPtrArray         *records)
{
  for (guint i = 0; i < records->len; i++)
    {
      OsThing *thing = g_new0 (OsThing, 1);

      thing->kind = kind;
      if (os_kinds[kind].read (self->snapshot, g_ptr_array_index (records, i), thing))
        g_ptr_array_add (self->things[kind], thing);
      else
        thing_free (thing);
    }
}

static void
listed_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autofree ListCall *call = user_data;
  const OsKind *kind = &os_kinds[call->kind];
  g_autoptr(WkJoin) join = call->join;
  GError *error = NULL;
  g_autoptr(GPtrArray) records =
    kind->list_finish (call->inventory->snapshot, result, &error);

  if (records != NULL)
    take_records (call->inventory, call->kind, records);
  else if (kind->is_optional
           && (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN)
               || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND)))
    g_clear_error (&error);
  wk_join_end_with_context (join, error, _(kind->failure));
}

void
os_inventory_begin (OsInventory       *self,
                    WelkinLeftoverKind kind,
                    const char *const *query,
                    WkJoin            *join)
{
  ListCall *call;

  if (os_kinds[kind].exists != NULL && !os_kinds[kind].exists (self->snapshot))
    return;
  call = g_new0 (ListCall, 1);
  call->inventory = self;
  call->kind = kind;
  call->join = wk_join_ref (join);
  os_kinds[kind].list_async (self->snapshot, query, wk_join_begin (join), listed_cb, call);
}

GPtrArray *
os_inventory_get (OsInventory       *self,
                  WelkinLeftoverKind kind)
{
  return self->things[kind];
}

const OsThing *
os_inventory_find (OsInventory       *self,
                   WelkinLeftoverKind kind,
                   const char        *id)
{
  for (guint i = 0; i < self->things[kind]->len; i++)
    {
      const OsThing *thing = g_ptr_array_index (self->things[kind], i);

      if (g_strcmp0 (thing->id, id) == 0)
        return thing;
    }
  return NULL;
}
