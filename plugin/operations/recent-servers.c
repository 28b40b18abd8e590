/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/recent-servers.h"

#define RECENT_SECONDS 60.0

G_LOCK_DEFINE_STATIC (servers);
static GHashTable *servers; /* id → when it was started */

static gboolean
is_old (gpointer key,
        gpointer value,
        gpointer user_data)
{
  const double *now = user_data;

  return *now - *(double *) value >= RECENT_SECONDS;
}

void
os_recent_servers_add (const char *id,
                       double      now)
{
  G_LOCK (servers);
  if (servers == NULL)
    servers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_hash_table_foreach_remove (servers, is_old, &now);
  g_hash_table_replace (servers, g_strdup (id), g_memdup2 (&now, sizeof now));
  G_UNLOCK (servers);
}

void
os_recent_servers_remove (const char *id)
{
  G_LOCK (servers);
  if (servers != NULL)
    g_hash_table_remove (servers, id);
  G_UNLOCK (servers);
}

gboolean
os_recent_servers_has (const char *id,
                       double      now)
{
  gpointer begin;
  gboolean is_recent;

  G_LOCK (servers);
  begin = servers != NULL ? g_hash_table_lookup (servers, id) : NULL;
  is_recent = begin != NULL && !is_old (NULL, begin, &now);
  G_UNLOCK (servers);
  return is_recent;
}
