/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/zone-tally.h"

#include "base/memo.h"
#include "operations/ownership.h"

#define KEPT_SECONDS 60.0

struct _OsZoneTally
{
  OsCompute *compute;       /* (owned) */
  char      *server_filter; /* (owned) */
  char      *environ_uuid;  /* (owned) */
  WkMemo    *zones;         /* (owned) of GHashTable */
};

static void
load_async (gpointer            owner,
            const char         *key,
            GCancellable       *cancellable,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  OsZoneTally *self = owner;

  os_compute_list_servers_async (self->compute, self->server_filter, NULL, NULL, cancellable,
                                 callback, user_data);
}

static gpointer
load_finish (gpointer      owner,
             GAsyncResult *result,
             GError      **error)
{
  OsZoneTally *self = owner;
  g_autoptr(GPtrArray) servers = os_compute_list_servers_finish (self->compute, result, error);
  GHashTable *zones;

  if (servers == NULL)
    return NULL;

  zones = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 0; i < servers->len; i++)
    {
      const OsServer *server = g_ptr_array_index (servers, i);
      const char *uuid = os_server_get_metadata (server, OS_METADATA_ENVIRON_UUID);

      if (g_strcmp0 (uuid, self->environ_uuid) == 0 && server->zone != NULL)
        os_zone_tally_add (zones, server->id, server->zone);
    }
  return zones;
}

OsZoneTally *
os_zone_tally_new (OsCompute  *compute,
                   const char *server_filter,
                   const char *environ_uuid)
{
  OsZoneTally *self = g_new0 (OsZoneTally, 1);

  self->compute = g_object_ref (compute);
  self->server_filter = g_strdup (server_filter);
  self->environ_uuid = g_strdup (environ_uuid);
  self->zones = wk_memo_new (self, KEPT_SECONDS, load_async, load_finish,
                             (WkMemoCopy) g_hash_table_ref, (GDestroyNotify) g_hash_table_unref);
  return self;
}

void
os_zone_tally_free (OsZoneTally *self)
{
  wk_memo_close (self->zones);
  wk_memo_unref (self->zones);
  g_free (self->environ_uuid);
  g_free (self->server_filter);
  g_object_unref (self->compute);
  g_free (self);
}

void
os_zone_tally_load_async (OsZoneTally        *self,
                          GCancellable       *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer            user_data)
{
  wk_memo_get_async (self->zones, "", cancellable, callback, user_data);
}

GHashTable *
os_zone_tally_load_finish (OsZoneTally  *self,
                           GAsyncResult *result,
                           GError      **error)
{
  return wk_memo_get_finish (self->zones, result, error);
}

void
os_zone_tally_add (GHashTable *zones,
                   const char *start,
                   const char *zone)
{
  g_hash_table_insert (zones, g_strdup (start), g_strdup (zone));
}
