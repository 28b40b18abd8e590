/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/simplestreams-keep.h"

/* Where records are in a file, from its root on: each is in a map, which is in a record. */
static const char *const index_maps[] = { "index", NULL };
static const char *const products_maps[] = { "products", "versions", "items", NULL };

typedef struct
{
  const char *const         *maps;   /* that are further down */
  const WelkinStreamsLayout *layout; /* (nullable) of the items */
} Keep;

static JsonObject *
get_object (JsonObject *object,
            const char *name)
{
  JsonNode *member = json_object_get_member (object, name);

  return member != NULL && JSON_NODE_HOLDS_OBJECT (member) ? json_node_get_object (member) : NULL;
}

/* Of what an item may say, all that is ours is said anew. */
static gboolean
is_ours (const Keep *self,
         const char *name)
{
  if (self->layout == NULL || self->maps[0] != NULL)
    return FALSE;
  for (gsize i = 0; i < self->layout->n_item_fields; i++)
    if (g_str_equal (welkin_streams_field_get_name (self->layout->item_fields[i]), name))
      return TRUE;
  return FALSE;
}

static void
keep_record (Keep        self,
             JsonObject *record,
             JsonObject *former)
{
  JsonObject *map = self.maps[0] != NULL ? get_object (record, self.maps[0]) : NULL;
  JsonObject *former_map = map != NULL ? get_object (former, self.maps[0]) : NULL;
  const Keep below = { self.maps + 1, self.layout };
  JsonObjectIter iter;
  const char *name;
  JsonNode *member;

  json_object_iter_init (&iter, former);
  while (json_object_iter_next (&iter, &name, &member))
    if (!json_object_has_member (record, name) && !is_ours (&self, name))
      json_object_set_member (record, name, json_node_copy (member));

  if (former_map == NULL)
    return;
  json_object_iter_init (&iter, map);
  while (json_object_iter_next (&iter, &name, &member))
    if (JSON_NODE_HOLDS_OBJECT (member) && get_object (former_map, name) != NULL)
      keep_record (below, json_node_get_object (member), get_object (former_map, name));
}

static void
keep (Keep      self,
      JsonNode *root,
      JsonNode *former)
{
  if (former != NULL && JSON_NODE_HOLDS_OBJECT (former))
    keep_record (self, json_node_get_object (root), json_node_get_object (former));
}

void
welkin_streams_keep_in_index (JsonNode *index,
                              JsonNode *former)
{
  keep ((Keep){ index_maps, NULL }, index, former);
}

void
welkin_streams_keep_in_products (JsonNode                  *products,
                                 JsonNode                  *former,
                                 const WelkinStreamsLayout *layout)
{
  keep ((Keep){ products_maps, layout }, products, former);
}
