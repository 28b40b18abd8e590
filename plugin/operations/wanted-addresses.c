/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/wanted-addresses.h"

G_LOCK_DEFINE_STATIC (wanted);
static GHashTable *wanted; /* set of keys of addresses */
static GHashTable *turns;  /* by key of a project: GQueue of GTask, whose turn it is first */

/* Ids of nova are small numbers, the same on each cloud. */
static char *
make_key (OsClient   *client,
          const char *id)
{
  const char *region = os_client_get_region (client);
  const char *project_id = os_client_get_project_id (client);

  return g_strjoin ("\n", os_client_get_auth_url (client), region != NULL ? region : "",
                    project_id != NULL ? project_id : "", id, NULL);
}

gboolean
os_want_address (OsClient   *client,
                 const char *id)
{
  gboolean is_new;

  G_LOCK (wanted);
  if (wanted == NULL)
    wanted = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  is_new = g_hash_table_add (wanted, make_key (client, id));
  G_UNLOCK (wanted);
  return is_new;
}

void
os_let_go_of_address (OsClient   *client,
                      const char *id)
{
  g_autofree char *key = make_key (client, id);

  G_LOCK (wanted);
  if (wanted != NULL)
    g_hash_table_remove (wanted, key);
  G_UNLOCK (wanted);
}

static GQueue *
ensure_queue (const char *key)
{
  GQueue *queue;

  if (turns == NULL)
    turns = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                   (GDestroyNotify) g_queue_free);
  queue = g_hash_table_lookup (turns, key);
  if (queue == NULL)
    {
      queue = g_queue_new ();
      g_hash_table_insert (turns, g_strdup (key), queue);
    }
  return queue;
}

void
os_take_address_turn_async (OsClient           *client,
                            GAsyncReadyCallback callback,
                            gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, NULL, callback, user_data);
  g_autofree char *key = make_key (client, "");
  GQueue *queue;
  gboolean is_first;

  g_task_set_source_tag (task, os_take_address_turn_async);
  G_LOCK (wanted);
  queue = ensure_queue (key);
  is_first = g_queue_is_empty (queue);
  g_queue_push_tail (queue, g_object_ref (task));
  G_UNLOCK (wanted);
  if (is_first)
    g_task_return_boolean (task, TRUE);
}

void
os_take_address_turn_finish (GAsyncResult *result)
{
  g_return_if_fail (g_async_result_is_tagged (result, os_take_address_turn_async));

  g_task_propagate_boolean (G_TASK (result), NULL);
}

static gboolean
begin_turn_cb (gpointer task)
{
  g_task_return_boolean (task, TRUE);
  return G_SOURCE_REMOVE;
}

void
os_end_address_turn (OsClient *client)
{
  g_autofree char *key = make_key (client, "");
  g_autoptr(GTask) ended = NULL;
  g_autoptr(GTask) next = NULL;
  g_autoptr(GSource) source = NULL;
  GQueue *queue;

  G_LOCK (wanted);
  queue = g_hash_table_lookup (turns, key);
  ended = g_queue_pop_head (queue);
  next = g_queue_peek_head (queue);
  if (next != NULL)
    g_object_ref (next);
  else
    g_hash_table_remove (turns, key);
  G_UNLOCK (wanted);

  if (next == NULL)
    return;
  /* It goes on in the thread that waits for it, and never on top of us. */
  source = g_idle_source_new ();
  g_task_attach_source (next, source, begin_turn_cb);
}
