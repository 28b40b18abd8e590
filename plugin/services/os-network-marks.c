/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/flow.h"
#include "model/os-tags.h"
#include "services/os-network-service-private.h"

static gboolean
has_descriptions (GHashTable *extensions)
{
  return g_hash_table_contains (extensions, OS_DESCRIPTION_EXTENSION);
}

/* Writing them. */

typedef struct
{
  OsRequest  *request; /* (owned) */
  char       *member;  /* (owned) */
  JsonObject *thing;   /* (owned) */
  char       *mark;    /* (owned) */
} Send;

static gboolean
is_port (Send *self)
{
  return g_str_equal (self->member, "port");
}

static void
set_mark (Send       *self,
          GHashTable *extensions)
{
  if (has_descriptions (extensions))
    json_object_set_string_member (self->thing, "description", self->mark);
  else if (is_port (self))
    json_object_set_string_member (self->thing, "name", self->mark);
}

static void
send_run (WkFlow  *flow,
          gpointer user_data)
{
  Send *self = user_data;
  OsNetworkService *service = wk_flow_get_source (flow);
  const WkJsonTable *table = is_port (self) ? &os_port_table : &os_floating_ip_table;
  g_autoptr(GHashTable) extensions = NULL;
  g_autoptr(GError) error = NULL;
  gpointer record;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_network_service_list_extensions_async (service, WK_RESUME (flow)));
  extensions = os_network_service_list_extensions_finish (service, WK_RESULT (flow), &error);
  if (extensions == NULL)
    WK_FAIL (flow, &error, NULL);

  set_mark (self, extensions);
  os_request_set_json_object (self->request, self->member, json_object_ref (self->thing));
  WK_AWAIT (flow, os_client_load_async (service->client, service, self->request, table,
                                        self->member, WK_RESUME (flow)));
  record = os_client_load_finish (service, WK_RESULT (flow), &error);
  if (record == NULL)
    WK_FAIL (flow, &error, NULL);
  if (is_port (self))
    os_network_service_read_port_mark (record);
  wk_flow_return_pointer (flow, record,
                          is_port (self) ? (GDestroyNotify) os_port_free
                                         : (GDestroyNotify) os_floating_ip_free);

  WK_FLOW_END (flow);
}

static void
send_free (gpointer user_data)
{
  Send *self = user_data;

  g_free (self->mark);
  json_object_unref (self->thing);
  g_free (self->member);
  os_request_unref (self->request);
  g_free (self);
}

void
os_network_service_send_marked_async (OsNetworkService    *self,
                                      OsRequest           *request,
                                      const char          *member,
                                      JsonObject          *thing,
                                      const char          *mark,
                                      GCancellable        *cancellable,
                                      GAsyncReadyCallback  callback,
                                      gpointer             user_data)
{
  Send *marked = g_new0 (Send, 1);

  marked->request = os_request_ref (request);
  marked->member = g_strdup (member);
  marked->thing = thing;
  marked->mark = g_strdup (mark);
  wk_flow_start (self, cancellable, callback, user_data, os_network_service_send_marked_async,
                 send_run, marked, send_free);
}

gpointer
os_network_service_send_marked_finish (OsNetworkService  *self,
                                       GAsyncResult      *result,
                                       GError           **error)
{
  return wk_flow_finish_pointer (result, self, os_network_service_send_marked_async, error);
}

/* All tags at once, in the body: no path can have a mark in it, which has a slash. */
void
os_network_service_tag_floating_ip_async (OsNetworkService    *self,
                                          const char          *id,
                                          const char          *mark,
                                          GCancellable        *cancellable,
                                          GAsyncReadyCallback  callback,
                                          gpointer             user_data)
{
  g_autoptr(OsRequest) request =
    os_request_new (OS_SERVICE_NETWORK, "PUT", "floatingips", id, "tags", NULL);
  g_auto(GStrv) tags = os_tags_split (mark);
  JsonNode *node = json_node_new (JSON_NODE_ARRAY);
  JsonArray *array = json_array_new ();

  for (guint i = 0; tags[i] != NULL; i++)
    json_array_add_string_element (array, tags[i]);
  json_node_take_array (node, array);
  os_request_set_json (request, "tags", node);
  os_client_send_async (self->client, self, request, cancellable, callback, user_data);
}

gboolean
os_network_service_tag_floating_ip_finish (OsNetworkService  *self,
                                           GAsyncResult      *result,
                                           GError           **error)
{
  return os_client_done_finish (self, result, error);
}

/* Reading them. */

gboolean
os_network_service_asks_for_marks (const char *member,
                                   char      **query)
{
  if (!g_str_equal (member, "ports") && !g_str_equal (member, "floatingips"))
    return FALSE;
  for (guint i = 0; query[i] != NULL; i += 2)
    if (g_str_equal (query[i], "description"))
      return TRUE;
  return FALSE;
}

/* Of several marks, one tag of each is enough to ask for few: the last one says most. */
static void
add_last_tag (GString    *any,
              const char *mark)
{
  g_auto(GStrv) tags = os_tags_split (mark);

  if (any->len > 0)
    g_string_append_c (any, ',');
  g_string_append (any, tags[g_strv_length (tags) - 1]);
}

void
os_network_service_translate_query (GHashTable *extensions,
                                    const char *member,
                                    char     ***query)
{
  g_auto(GStrv) given = NULL;
  g_autoptr(GStrvBuilder) translated = g_strv_builder_new ();
  g_autoptr(GString) any = g_string_new (NULL);

  if (has_descriptions (extensions))
    return;
  given = g_steal_pointer (query);
  for (guint i = 0; given[i] != NULL; i += 2)
    if (!g_str_equal (given[i], "description"))
      g_strv_builder_add_many (translated, given[i], given[i + 1], NULL);
    else if (g_str_equal (member, "ports"))
      g_strv_builder_add_many (translated, "name", given[i + 1], NULL);
    else
      add_last_tag (any, given[i + 1]);
  if (any->len > 0)
    g_strv_builder_add_many (translated, "tags-any", any->str, NULL);
  *query = g_strv_builder_end (translated);
}

void
os_network_service_read_port_mark (OsPort *port)
{
  if (port->description == NULL)
    port->description = g_strdup (port->name);
}

void
os_network_service_read_floating_ip_mark (OsFloatingIp *ip)
{
  if (ip->description == NULL)
    ip->description = os_tags_join (ip->tags);
}
