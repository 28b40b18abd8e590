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
  WkMemo    *servers;       /* (owned) GPtrArray of Resident, as nova lists them */
  GPtrArray *claims;        /* of OsZoneClaim, of starts that are under way */
  GPtrArray *kept;          /* (owned) of OsZoneClaim, of starts that ended since the list */
};

/* A server in a zone. */
typedef struct
{
  char *id;       /* (owned) */
  char *zone;     /* (owned) */
  char *start_id; /* (owned) (nullable) */
} Resident;

struct _OsZoneClaim
{
  OsZoneTally *tally;
  char        *start_id;  /* (owned) */
  char        *zone;      /* (owned) */
  char       **group;     /* (owned) what it is to be apart from */
  char        *server_id; /* (owned) (nullable) before it has ended */
};

static void
resident_free (gpointer user_data)
{
  Resident *self = user_data;

  g_free (self->start_id);
  g_free (self->zone);
  g_free (self->id);
  g_free (self);
}

static Resident *
resident_new (const OsServer *server)
{
  const char *start = os_server_get_metadata (server, OS_METADATA_START);
  Resident *self = g_new0 (Resident, 1);

  self->id = g_strdup (server->id);
  self->zone = g_strdup (server->zone);
  if (start != NULL)
    self->start_id = os_mark_get_start_id (start);
  return self;
}

static void
claim_destroy (gpointer user_data)
{
  OsZoneClaim *self = user_data;

  g_free (self->server_id);
  g_strfreev (self->group);
  g_free (self->zone);
  g_free (self->start_id);
  g_free (self);
}

/* Who is there. */

static void
load_async (gpointer            owner,
            const char         *key,
            GCancellable       *cancellable,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  OsZoneTally *self = owner;

  /* The list will have them. */
  g_ptr_array_set_size (self->kept, 0);
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
  GPtrArray *residents;

  if (servers == NULL)
    return NULL;

  residents = g_ptr_array_new_with_free_func (resident_free);
  for (guint i = 0; i < servers->len; i++)
    {
      const OsServer *server = g_ptr_array_index (servers, i);
      const char *uuid = os_server_get_metadata (server, OS_METADATA_ENVIRON_UUID);

      if (g_strcmp0 (uuid, self->environ_uuid) == 0 && server->zone != NULL)
        g_ptr_array_add (residents, resident_new (server));
    }
  return residents;
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
  self->servers = wk_memo_new (self, KEPT_SECONDS, load_async, load_finish,
                               (WkMemoCopy) g_ptr_array_ref, (GDestroyNotify) g_ptr_array_unref);
  self->claims = g_ptr_array_new ();
  self->kept = g_ptr_array_new_with_free_func (claim_destroy);
  return self;
}

void
os_zone_tally_free (OsZoneTally *self)
{
  wk_memo_close (self->servers);
  wk_memo_unref (self->servers);
  g_ptr_array_unref (self->kept);
  g_ptr_array_unref (self->claims);
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
  wk_memo_get_async (self->servers, "", cancellable, callback, user_data);
}

gboolean
os_zone_tally_load_finish (OsZoneTally  *self,
                           GAsyncResult *result,
                           GError      **error)
{
  g_autoptr(GPtrArray) residents = wk_memo_get_finish (self->servers, result, error);

  return residents != NULL;
}

/* Counting. */

static void
count_one (GHashTable *zones,
           const char *zone)
{
  guint count = GPOINTER_TO_UINT (g_hash_table_lookup (zones, zone));

  if (*zone != '\0')
    g_hash_table_replace (zones, g_strdup (zone), GUINT_TO_POINTER (count + 1));
}

/* A start whose server is listed already is counted as that. */
static void
count_claims (GPtrArray         *claims,
              GHashTable        *listed,
              const char *const *group,
              GHashTable        *zones)
{
  for (guint i = 0; i < claims->len; i++)
    {
      const OsZoneClaim *claim = g_ptr_array_index (claims, i);

      if (g_hash_table_contains (listed, claim->start_id))
        continue;
      if (*group == NULL || g_strv_equal ((const char *const *) claim->group, group)
          || (claim->server_id != NULL && g_strv_contains (group, claim->server_id)))
        count_one (zones, claim->zone);
    }
}

GHashTable *
os_zone_tally_count (OsZoneTally       *self,
                     const char *const *group)
{
  g_autoptr(GPtrArray) residents = wk_memo_peek (self->servers, "");
  g_autoptr(GHashTable) listed = g_hash_table_new (g_str_hash, g_str_equal);
  GHashTable *zones = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; residents != NULL && i < residents->len; i++)
    {
      const Resident *resident = g_ptr_array_index (residents, i);

      if (*group == NULL || g_strv_contains (group, resident->id))
        count_one (zones, resident->zone);
      if (resident->start_id != NULL)
        g_hash_table_add (listed, resident->start_id);
    }
  count_claims (self->claims, listed, group, zones);
  count_claims (self->kept, listed, group, zones);
  return zones;
}

/* Claims. */

OsZoneClaim *
os_zone_tally_claim (OsZoneTally       *self,
                     const char        *start_id,
                     const char        *zone,
                     const char *const *group)
{
  OsZoneClaim *claim = g_new0 (OsZoneClaim, 1);

  claim->tally = self;
  claim->start_id = g_strdup (start_id);
  claim->zone = g_strdup (zone);
  claim->group = g_strdupv ((char **) group);
  g_ptr_array_add (self->claims, claim);
  return claim;
}

void
os_zone_claim_move (OsZoneClaim *self,
                    const char  *zone)
{
  g_free (self->zone);
  self->zone = g_strdup (zone);
}

void
os_zone_claim_keep (OsZoneClaim *self,
                    const char  *server_id)
{
  self->server_id = g_strdup (server_id);
  g_ptr_array_remove_fast (self->tally->claims, self);
  g_ptr_array_add (self->tally->kept, self);
}

void
os_zone_claim_free (OsZoneClaim *self)
{
  g_ptr_array_remove_fast (self->tally->claims, self);
  claim_destroy (self);
}
