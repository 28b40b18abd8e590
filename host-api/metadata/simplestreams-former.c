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

JsonObject *
welkin_streams_get_others (JsonNode          *former,
                           const char *const *content_ids)
{
  JsonObject *root = former != NULL && JSON_NODE_HOLDS_OBJECT (former)
                       ? json_node_get_object (former)
                       : NULL;
  JsonNode *member = root != NULL ? json_object_get_member (root, "index") : NULL;
  JsonObject *others = member != NULL && JSON_NODE_HOLDS_OBJECT (member)
                         ? json_node_get_object (member)
                         : NULL;

  for (gsize i = 0; others != NULL && content_ids[i] != NULL; i++)
    json_object_remove_member (others, content_ids[i]);
  return others;
}
