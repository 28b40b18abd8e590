/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/simplestreams-former.h"

#include <glib/gi18n-lib.h>

#include "base/json.h"
#include "metadata/simplestreams-products.h"
#include "values/welkin-error.h"

JsonNode *
welkin_streams_take_former (WelkinDataSource *source,
                            GAsyncResult     *result,
                            GError          **error)
{
  g_autoptr(GError) local_error = NULL;
  g_autoptr(GBytes) bytes = welkin_data_source_fetch_finish (source, result, &local_error);
  JsonNode *former = bytes != NULL ? wk_json_parse (bytes, &local_error) : NULL;

  if (local_error != NULL && !g_error_matches (local_error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    g_propagate_prefixed_error (error, g_steal_pointer (&local_error), "%s: ",
                                _("Cannot read the metadata that there are"));
  return former;
}

GPtrArray *
welkin_streams_take_items (WelkinStreamsFound *found,
                           GError            **error)
{
  const WelkinStreamsFailure *failure;

  if (found->records != NULL)
    return g_steal_pointer (&found->records);
  failure = g_ptr_array_index (found->failures, 0);
  if (g_error_matches (failure->error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND)
      || g_error_matches (failure->error, WELKIN_ERROR, WELKIN_ERROR_NO_MATCH))
    return g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_streams_item_free);
  g_propagate_prefixed_error (error, g_error_copy (failure->error), "%s: ",
                              _("Cannot read the metadata that there are"));
  return NULL;
}

static JsonObject *
get_entries (JsonNode *former)
{
  JsonObject *root = former != NULL && JSON_NODE_HOLDS_OBJECT (former)
                       ? json_node_get_object (former)
                       : NULL;
  JsonNode *member = root != NULL ? json_object_get_member (root, "index") : NULL;

  return member != NULL && JSON_NODE_HOLDS_OBJECT (member) ? json_node_get_object (member) : NULL;
}

JsonObject *
welkin_streams_dup_others (JsonNode          *former,
                           const char *const *content_ids)
{
  JsonObject *entries = get_entries (former);
  JsonObject *others = json_object_new ();
  JsonObjectIter iter;
  const char *content_id;
  JsonNode *entry;

  if (entries == NULL)
    return others;
  json_object_iter_init_ordered (&iter, entries);
  while (json_object_iter_next_ordered (&iter, &content_id, &entry))
    if (!g_strv_contains (content_ids, content_id))
      json_object_set_member (others, content_id, json_node_copy (entry));
  return others;
}

const char *
welkin_streams_get_path (JsonNode   *former,
                         const char *content_id,
                         const char *path)
{
  JsonObject *entries = get_entries (former);
  JsonNode *entry = entries != NULL ? json_object_get_member (entries, content_id) : NULL;
  JsonNode *member = entry != NULL && JSON_NODE_HOLDS_OBJECT (entry)
                       ? json_object_get_member (json_node_get_object (entry), "path")
                       : NULL;

  return member != NULL && json_node_get_value_type (member) == G_TYPE_STRING
           ? json_node_get_string (member)
           : path;
}
