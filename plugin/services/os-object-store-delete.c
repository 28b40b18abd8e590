/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/flow.h"
#include "base/join.h"
#include "services/os-delete-each.h"
#include "services/os-object-store-private.h"
#include "values/welkin-error.h"

/* Removes many objects: in bulk where the cloud can, and one by one what is then left. */

/* The object store works on a request with few hands: so many go out side by side. */
#define BULKS_AT_ONCE 4

typedef struct
{
  char              *container;
  GPtrArray         *names; /* (owned) all */
  guint              next;  /* of names */
  OsObjectStoreInfo *info;  /* (owned) (nullable) */
  WkJoin            *join;  /* (owned) (nullable) of requests that are under way */
  GPtrArray         *left;  /* (owned) names that bulk deletion did not remove */
} DeleteObjects;

/* Some of the names, in one request. */
typedef struct
{
  DeleteObjects *all;
  guint          from;        /* of names */
  guint          n_names;
  gboolean       is_repeated; /* after a new login */
} Bulk;

static void
delete_objects_free (DeleteObjects *self)
{
  g_free (self->container);
  g_ptr_array_unref (self->names);
  g_ptr_array_unref (self->left);
  g_clear_pointer (&self->info, os_object_store_info_unref);
  g_clear_pointer (&self->join, wk_join_unref);
  g_free (self);
}

static OsRequest *
make_bulk_request (Bulk *self)
{
  OsRequest *request = os_request_new (OS_SERVICE_OBJECT_STORE, "POST", NULL);
  GString *lines = g_string_new (NULL);
  g_autofree char *container = g_uri_escape_string (self->all->container, NULL, FALSE);
  g_autoptr(GBytes) body = NULL;

  for (guint i = 0; i < self->n_names; i++)
    {
      const char *name = g_ptr_array_index (self->all->names, self->from + i);
      g_autofree char *path = g_uri_escape_string (name, "/", FALSE);

      g_string_append_printf (lines, "/%s/%s\n", container, path);
    }
  body = g_string_free_to_bytes (lines);
  os_request_add_query (request, "bulk-delete", "true");
  os_request_set_body (request, body, "text/plain");
  os_request_set_repeatable (request);
  /* White space comes until it is done. */
  os_request_set_deadline (request, 0);
  return request;
}

static const char *
get_text (JsonArray *array,
          guint      index)
{
  JsonNode *node = json_array_get_element (array, index);

  return JSON_NODE_HOLDS_VALUE (node) ? json_node_get_string (node) : NULL;
}

static gint64
get_number (JsonObject *object,
            const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_int (node) : 0;
}

/* Of ["/CONTAINER/NAME", STATUS], with an encoded name. (transfer full) (nullable) */
static char *
read_failure (Bulk     *self,
              JsonNode *node,
              gboolean *is_refused)
{
  g_autofree char *prefix = g_strconcat ("/", self->all->container, "/", NULL);
  g_autofree char *path = NULL;
  JsonArray *pair;

  if (!JSON_NODE_HOLDS_ARRAY (node) || json_array_get_length (json_node_get_array (node)) != 2)
    return NULL;
  pair = json_node_get_array (node);
  if (get_text (pair, 1) != NULL && g_str_has_prefix (get_text (pair, 1), "401"))
    *is_refused = TRUE;
  path = g_uri_unescape_string (get_text (pair, 0), NULL);
  if (path == NULL || !g_str_has_prefix (path, prefix))
    return NULL;
  return g_strdup (path + strlen (prefix));
}

/* The names that an answer calls failed; NULL when it does not say of each name what came of it. */
static GPtrArray *
read_failures (Bulk       *self,
               JsonObject *answer,
               gboolean   *is_refused)
{
  g_autoptr(GPtrArray) failures = g_ptr_array_new_with_free_func (g_free);
  JsonNode *node = json_object_get_member (answer, "Errors");
  JsonArray *errors = NULL;

  if (node != NULL && JSON_NODE_HOLDS_ARRAY (node))
    errors = json_node_get_array (node);
  for (guint i = 0; errors != NULL && i < json_array_get_length (errors); i++)
    {
      char *name = read_failure (self, json_array_get_element (errors, i), is_refused);

      if (name != NULL)
        g_ptr_array_add (failures, name);
    }
  if (get_number (answer, "Number Deleted") + get_number (answer, "Number Not Found")
          + failures->len != self->n_names
      || !os_delete_is_answer (failures, self->all->names, self->from, self->n_names))
    return NULL;
  return g_steal_pointer (&failures);
}

/* The status is always 200: what came of it is in the body, a bad token included. What failed is
 * tried again one by one, and so is everything when the body does not tell. FALSE when a new login
 * may help. */
static gboolean
take_bulk_answer (Bulk           *self,
                  WkHttpResponse *response)
{
  g_autoptr(JsonNode) root = NULL;
  g_autoptr(GPtrArray) failures = NULL;
  gboolean is_refused = FALSE;

  if (response != NULL)
    root = wk_json_parse (wk_http_response_get_body (response), NULL);
  if (root != NULL && JSON_NODE_HOLDS_OBJECT (root))
    failures = read_failures (self, json_node_get_object (root), &is_refused);
  if (is_refused && !self->is_repeated)
    return FALSE;
  if (failures != NULL)
    g_ptr_array_extend_and_steal (self->all->left, g_steal_pointer (&failures));
  else
    for (guint i = 0; i < self->n_names; i++)
      g_ptr_array_add (self->all->left,
                       g_strdup (g_ptr_array_index (self->all->names, self->from + i)));
  return TRUE;
}

static void
bulk_run (WkFlow *flow,
          gpointer user_data)
{
  Bulk *self = user_data;
  OsObjectStore *store = wk_flow_get_source (flow);
  g_autoptr(OsRequest) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  while (TRUE)
    {
      request = make_bulk_request (self);
      WK_AWAIT (flow, os_client_send_async (store->client, store, request, WK_RESUME (flow)));
      response = os_client_send_finish (store, WK_RESULT (flow), &error);
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        WK_FAIL (flow, &error, NULL);
      store->refuses_bulk = store->refuses_bulk || response == NULL;
      g_clear_error (&error);
      if (take_bulk_answer (self, response))
        break;
      /* Any other request logs in again when its token is refused. */
      self->is_repeated = TRUE;
      WK_AWAIT (flow, os_object_store_head_container_async (store, self->all->container,
                                                            WK_RESUME (flow)));
      response = os_object_store_head_container_finish (store, WK_RESULT (flow), &error);
      if (response == NULL)
        WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
bulk_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  DeleteObjects *self = user_data;
  GError *error = NULL;

  wk_flow_finish_boolean (result, source, bulk_run, &error);
  wk_join_end (self->join, error);
}

static void
begin_bulks (DeleteObjects *self,
             WkFlow        *flow)
{
  g_clear_pointer (&self->join, wk_join_unref);
  self->join = wk_join_new (WK_JOIN_CANCEL_OTHERS, wk_flow_get_cancellable (flow));
  for (guint i = 0; i < BULKS_AT_ONCE && self->next < self->names->len; i++)
    {
      Bulk *bulk = g_new0 (Bulk, 1);

      bulk->all = self;
      bulk->from = self->next;
      bulk->n_names = MIN (self->info->max_bulk_deletes, self->names->len - self->next);
      self->next += bulk->n_names;
      wk_flow_start (wk_flow_get_source (flow), wk_join_begin (self->join), bulk_cb, self,
                     bulk_run, bulk_run, bulk, g_free);
    }
}

static void
delete_objects_run (WkFlow *flow,
                    gpointer user_data)
{
  DeleteObjects *self = user_data;
  OsObjectStore *store = wk_flow_get_source (flow);
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_object_store_load_info_async (store, WK_RESUME (flow)));
  self->info = os_object_store_load_info_finish (store, WK_RESULT (flow), &error);
  if (self->info == NULL)
    WK_FAIL (flow, &error, NULL);

  while (self->info->max_bulk_deletes > 0 && !store->refuses_bulk && self->next < self->names->len)
    {
      begin_bulks (self, flow);
      WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
      if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  for (; self->next < self->names->len; self->next++)
    g_ptr_array_add (self->left, g_strdup (g_ptr_array_index (self->names, self->next)));

  WK_AWAIT (flow, os_delete_each_async (store, self->container, self->left,
                                        (OsDelete) os_object_store_delete_object_async,
                                        (OsDeleteFinish) os_object_store_delete_object_finish,
                                        WK_RESUME (flow)));
  if (!os_delete_each_finish (store, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_object_store_delete_objects_async (OsObjectStore       *self,
                                      const char          *container,
                                      GPtrArray           *names,
                                      GCancellable        *cancellable,
                                      GAsyncReadyCallback  callback,
                                      gpointer             user_data)
{
  DeleteObjects *delete = g_new0 (DeleteObjects, 1);

  delete->container = g_strdup (container);
  delete->names = g_ptr_array_ref (names);
  delete->left = g_ptr_array_new_with_free_func (g_free);
  wk_flow_start (self, cancellable, callback, user_data, os_object_store_delete_objects_async,
                 delete_objects_run, delete, (GDestroyNotify) delete_objects_free);
}

gboolean
os_object_store_delete_objects_finish (OsObjectStore  *self,
                                       GAsyncResult   *result,
                                       GError        **error)
{
  return wk_flow_finish_boolean (result, self, os_object_store_delete_objects_async, error);
}
