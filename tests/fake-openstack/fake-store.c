/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "fake-json.h"
#include "fake-store.h"

struct _FakeStore
{
  GHashTable *links; /* id (the object's own) → GList of items */
  GQueue items;      /* (owned) of JsonObject */
};

FakeStore *
fake_store_new (void)
{
  FakeStore *store = g_new0 (FakeStore, 1);

  store->links = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_queue_init (&store->items);
  return store;
}

void
fake_store_free (FakeStore *store)
{
  g_hash_table_unref (store->links);
  g_queue_clear_full (&store->items, (GDestroyNotify) json_object_unref);
  g_free (store);
}

JsonObject *
fake_store_add (FakeStore *store, JsonObject *object)
{
  if (fake_json_get_string (object, "id") == NULL)
    {
      g_autofree char *id = g_uuid_string_random ();

      json_object_set_string_member (object, "id", id);
    }
  g_queue_push_tail (&store->items, object);
  g_hash_table_insert (store->links, g_strdup (fake_json_get_string (object, "id")),
                       g_queue_peek_tail_link (&store->items));
  return object;
}

GList *
fake_store_get_link (FakeStore *store, const char *id)
{
  return id != NULL ? g_hash_table_lookup (store->links, id) : NULL;
}

JsonObject *
fake_store_get (FakeStore *store, const char *id)
{
  GList *link = fake_store_get_link (store, id);

  return link != NULL ? link->data : NULL;
}

JsonObject *
fake_store_find (FakeStore *store, const char *name)
{
  JsonObject *object = fake_store_get (store, name);

  for (GList *l = store->items.head; l != NULL && object == NULL; l = l->next)
    if (g_strcmp0 (fake_json_get_string (l->data, "name"), name) == 0)
      object = l->data;
  return object;
}

void
fake_store_remove (FakeStore *store, const char *id)
{
  GList *link = fake_store_get_link (store, id);

  if (link == NULL)
    return;
  g_hash_table_remove (store->links, id);
  json_object_unref (link->data);
  g_queue_delete_link (&store->items, link);
}

guint
fake_store_get_length (FakeStore *store)
{
  return store->items.length;
}

GList *
fake_store_get_first (FakeStore *store)
{
  return store->items.head;
}
