/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* Flavors, zones, limits and server groups. */

#include "fake-nova.h"

/* flavors */

JsonObject *
fake_nova_add_flavor (FakeCloud *cloud, JsonObject *content)
{
  FakeStore *store = fake_cloud_get_store (cloud, "flavor");
  const char *name = fake_json_get_string (content, "name");
  g_autofree char *id = g_strdup (fake_json_get_string (content, "id"));
  JsonObject *specs = fake_json_get_object (content, "extra_specs");
  g_autoptr (JsonObject) none = json_object_new ();

  if (name == NULL)
    return NULL;
  if (id == NULL)
    id = g_strdup_printf ("%u", fake_store_get_length (store) + 1);
  return fake_store_add (
    store,
    fake_json_object_new ("{'id': %s, 'name': %s, 'ram': %l, 'disk': %l, 'vcpus': %l,"
                          " 'ephemeral': %l, 'extra_specs': %o}",
                          id, name, fake_json_get_int (content, "ram", 512),
                          fake_json_get_int (content, "disk", 1),
                          fake_json_get_int (content, "vcpus", 1),
                          fake_json_get_int (content, "ephemeral", 0),
                          specs != NULL ? specs : none));
}

static void
append_links (GString *out, FakeRequest *request, const char *kind, const char *id)
{
  g_autofree char *versioned = fake_nova_get_base (request, TRUE);
  g_autofree char *base = fake_nova_get_base (request, FALSE);

  fake_json_append (out, "'links': [{'rel': 'self', 'href': '%r/%r/%r'},"
                         " {'rel': 'bookmark', 'href': '%r/%r/%r'}]",
                    versioned, kind, id, base, kind, id);
}

static void
append_flavor (GString *out, FakeRequest *request, JsonObject *flavor, gboolean is_detailed)
{
  const char *id = fake_json_get_string (flavor, "id");

  fake_json_append (out, "{'id': %s, 'name': %s, ", id, fake_json_get_string (flavor, "name"));
  if (is_detailed)
    {
      fake_json_append (out, "'ram': %l, 'disk': %l, 'swap': %r,"
                             " 'OS-FLV-EXT-DATA:ephemeral': %l,"
                             " 'OS-FLV-DISABLED:disabled': false, 'vcpus': %l,"
                             " 'os-flavor-access:is_public': true, 'rxtx_factor': 1.0, ",
                        fake_json_get_int (flavor, "ram", 0),
                        fake_json_get_int (flavor, "disk", 0),
                        request->microversion >= 75 ? "0" : "\"\"",
                        fake_json_get_int (flavor, "ephemeral", 0),
                        fake_json_get_int (flavor, "vcpus", 0));
      if (request->microversion >= 61)
        fake_json_append (out, "'extra_specs': %o, ",
                          fake_json_get_object (flavor, "extra_specs"));
    }
  if (request->microversion >= 55)
    g_string_append (out, "\"description\": null, ");
  append_links (out, request, "flavors", id);
  g_string_append_c (out, '}');
}

static void
list_flavors (FakeRequest *request, gboolean is_detailed)
{
  FakeStore *store = fake_cloud_get_store (request->cloud, "flavor");
  const char *marker = fake_request_get_parameter (request, "marker");
  GList *from = fake_store_get_first (store);
  const char *last = NULL;
  GString *out;
  guint limit, n = 0;

  if (!fake_nova_get_limit (request, &limit))
    return;
  if (marker != NULL && *marker != '\0')
    {
      from = fake_store_get_link (store, marker);
      if (from == NULL)
        return fake_nova_fail (request, 400, "marker [%s] not found", marker);
      from = from->next;
    }
  out = g_string_new ("{\"flavors\": [");
  for (GList *l = from; l != NULL && n < limit; l = l->next)
    {
      if (n++ > 0)
        g_string_append (out, ", ");
      append_flavor (out, request, l->data, is_detailed);
      last = fake_json_get_string (l->data, "id");
    }
  g_string_append_c (out, ']');
  if (n == limit && n > 0)
    fake_nova_append_next (request, out, "flavors", last);
  g_string_append_c (out, '}');
  fake_request_reply_json (request, 200, g_string_free (out, FALSE));
}

void
fake_nova_list_flavors (FakeRequest *request)
{
  list_flavors (request, FALSE);
}

void
fake_nova_detail_flavors (FakeRequest *request)
{
  list_flavors (request, TRUE);
}

void
fake_nova_get_flavor (FakeRequest *request)
{
  const char *id = g_ptr_array_index (request->args, 0);
  JsonObject *flavor = fake_store_get (fake_cloud_get_store (request->cloud, "flavor"), id);
  GString *out;

  if (flavor == NULL)
    return fake_nova_fail (request, 404, "Flavor %s could not be found.", id);
  out = g_string_new ("{\"flavor\": ");
  append_flavor (out, request, flavor, TRUE);
  g_string_append_c (out, '}');
  fake_request_reply_json (request, 200, g_string_free (out, FALSE));
}

/* zones */

JsonObject *
fake_nova_add_zone (FakeCloud *cloud, JsonObject *content)
{
  const char *name = fake_json_get_string (content, "name");
  JsonObject *zone;

  if (name == NULL)
    return NULL;
  zone = fake_json_object_new ("{'id': %s, 'name': %s, 'available': true,"
                               " 'architectures': ['x86_64']}",
                               name, name);
  fake_json_merge (zone, content);
  return fake_store_add (fake_cloud_get_store (cloud, "zone"), zone);
}

void
fake_nova_list_zones (FakeRequest *request)
{
  GString *out = g_string_new ("{\"availabilityZoneInfo\": [");
  const char *separator = "";

  for (GList *l = fake_store_get_first (fake_cloud_get_store (request->cloud, "zone")); l != NULL;
       l = l->next)
    {
      fake_json_append (out, "%r{'zoneName': %s, 'zoneState': {'available': %b}, 'hosts': null}",
                        separator, fake_json_get_string (l->data, "name"),
                        fake_json_get_bool (l->data, "available", TRUE));
      separator = ", ";
    }
  g_string_append (out, "]}");
  fake_request_reply_json (request, 200, g_string_free (out, FALSE));
}

/* With the hosts of each zone, for admins. */
void
fake_nova_detail_zones (FakeRequest *request)
{
  if (!request->token->is_admin)
    return fake_nova_fail (request, 403,
                           "Policy doesn't allow os_compute_api:os-availability-zone:detail to be "
                           "performed.");
  fake_nova_list_zones (request);
}

JsonObject *
fake_nova_add_keypair (FakeCloud *cloud, JsonObject *content)
{
  const char *name = fake_json_get_string (content, "name");

  if (name == NULL)
    return NULL;
  return fake_store_add (fake_cloud_get_store (cloud, "keypair"),
                         fake_json_object_new ("{'id': %s, 'name': %s}", name, name));
}

/* limits */

static guint
count_owned (FakeRequest *request, const char *kind)
{
  guint n = 0;

  for (GList *l = fake_store_get_first (fake_cloud_get_store (request->cloud, kind)); l != NULL;
       l = l->next)
    if (g_strcmp0 (fake_json_get_string (l->data, "project_id"), request->token->project_id) == 0)
      n++;
  return n;
}

void
fake_nova_get_limits (FakeRequest *request)
{
  static const struct
  {
    const char *name;
    const char *resource;
    const char *own; /* (nullable) where there is no neutron */
  } shown[] = {
    { "maxTotalInstances", "instances" },       { "maxTotalCores", "cores" },
    { "maxTotalRAMSize", "ram" },               { "maxServerMeta", "metadata_items" },
    { "maxImageMeta", "metadata_items" },       { "maxTotalKeypairs", "key_pairs" },
    { "maxServerGroups", "server_groups" },     { "maxServerGroupMembers", "server_group_members" },
    { "maxTotalFloatingIps", "nova-network", "floatingip" },
    { "maxSecurityGroups", "nova-network", "security_group" },
    { "maxSecurityGroupRules", "nova-network", "security_group_rule" },
  };
  const char *project_id = request->token->project_id;
  gboolean has_networks = request->cloud->settings.nova_network;
  GString *out = g_string_new ("{\"limits\": {\"rate\": [], \"absolute\": {");
  gint64 ram = 0, cores = 0;
  guint instances = 0;

  for (guint i = 0; i < G_N_ELEMENTS (shown); i++)
    fake_json_append (out, "'%r': %d, ", shown[i].name,
                      fake_cloud_get_quota (request->cloud, project_id,
                                            has_networks && shown[i].own != NULL
                                              ? shown[i].own : shown[i].resource));
  for (GList *l = request->cloud->nova->servers.head; l != NULL; l = l->next)
    {
      FakeServer *server = l->data;

      if (g_strcmp0 (server->project_id, project_id) != 0)
        continue;
      instances++;
      ram += fake_json_get_int (server->flavor, "ram", 0);
      cores += fake_json_get_int (server->flavor, "vcpus", 0);
    }
  fake_json_append (out, "'maxPersonality': 5, 'maxPersonalitySize': 10240, 'totalRAMUsed': %l,"
                         " 'totalCoresUsed': %l, 'totalInstancesUsed': %d,"
                         " 'totalFloatingIpsUsed': %d, 'totalSecurityGroupsUsed': %d,"
                         " 'totalServerGroupsUsed': %d}}}",
                    ram, cores, instances,
                    has_networks ? count_owned (request, "floatingip") : 0,
                    has_networks ? count_owned (request, "security_group") : 0,
                    count_owned (request, "server_group"));
  fake_request_reply_json (request, 200, g_string_free (out, FALSE));
}

/* server groups */

static void
append_group (GString *out, FakeRequest *request, JsonObject *group)
{
  const char *policy = fake_json_get_string (group, "policy");

  fake_json_append (out, "{'id': %s, 'name': %s, ", fake_json_get_string (group, "id"),
                    fake_json_get_string (group, "name"));
  if (request->microversion >= 64)
    fake_json_append (out, "'policy': %s, 'rules': {}, ", policy);
  else
    fake_json_append (out, "'policies': [%s], 'metadata': {}, ", policy);
  fake_json_append (out, "'members': %j", json_object_get_member (group, "members"));
  if (request->microversion >= 13)
    fake_json_append (out, ", 'project_id': %s, 'user_id': %s",
                      fake_json_get_string (group, "project_id"),
                      fake_json_get_string (group, "user_id"));
  g_string_append_c (out, '}');
}

void
fake_nova_list_groups (FakeRequest *request)
{
  GString *out = g_string_new ("{\"server_groups\": [");
  const char *separator = "";

  for (GList *l = fake_store_get_first (fake_cloud_get_store (request->cloud, "server_group"));
       l != NULL; l = l->next)
    {
      if (g_strcmp0 (fake_json_get_string (l->data, "project_id"), request->token->project_id) != 0)
        continue;
      g_string_append (out, separator);
      append_group (out, request, l->data);
      separator = ", ";
    }
  g_string_append (out, "]}");
  fake_request_reply_json (request, 200, g_string_free (out, FALSE));
}

static void
refuse_missing (FakeRequest *request, JsonObject *body, const char *name)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), body);
  g_autofree char *shown = fake_json_node_to_python (node);

  fake_nova_fail (request, 400,
                  "Invalid input for field/attribute server_group. Value: %s. '%s' is a required "
                  "property",
                  shown, name);
}

/* The policy that the body asks for, in the form of the microversion; NULL after an answer. */
static const char *
get_policy (FakeRequest *request, JsonObject *body)
{
  static const char *const policies[] = {
    "anti-affinity", "affinity", "soft-anti-affinity", "soft-affinity",
  };
  guint n_known = request->microversion >= 15 ? 4 : 2;
  gboolean is_single = request->microversion >= 64;
  const char *wanted = is_single ? "policy" : "policies";
  JsonArray *list = fake_json_get_array (body, "policies");
  const char *policy = NULL;

  if (is_single)
    policy = fake_json_get_string (body, "policy");
  else if (list != NULL && json_array_get_length (list) > 0
           && fake_json_node_is_string (json_array_get_element (list, 0)))
    policy = json_array_get_string_element (list, 0);
  if (policy == NULL)
    {
      refuse_missing (request, body, wanted);
      return NULL;
    }
  for (guint i = 0; i < n_known; i++)
    if (g_str_equal (policies[i], policy))
      return policies[i];
  fake_nova_fail (request, 400,
                  "Invalid input for field/attribute %s. Value: %s. '%s' is not one of "
                  "['anti-affinity', 'affinity'%s]",
                  is_single ? "policy" : "0", policy, policy,
                  n_known > 2 ? ", 'soft-anti-affinity', 'soft-affinity'" : "");
  return NULL;
}

void
fake_nova_create_group (FakeRequest *request)
{
  JsonObject *body = fake_nova_get_body (request, "server_group");
  int limit = fake_cloud_get_quota (request->cloud, request->token->project_id, "server_groups");
  JsonObject *group;
  const char *policy, *name;
  GString *out;

  if (body == NULL)
    return;
  name = fake_json_get_string (body, "name");
  if (name == NULL)
    return refuse_missing (request, body, "name");
  policy = get_policy (request, body);
  if (policy == NULL)
    return;
  if (limit >= 0 && count_owned (request, "server_group") >= (guint) limit)
    return fake_nova_fail (request, 403, "Quota exceeded, too many server groups.");
  group = fake_store_add (
    fake_cloud_get_store (request->cloud, "server_group"),
    fake_json_object_new ("{'name': %s, 'policy': %s, 'members': [], 'project_id': %s,"
                          " 'user_id': %s}",
                          name, policy, request->token->project_id, request->token->user_id));
  out = g_string_new ("{\"server_group\": ");
  append_group (out, request, group);
  g_string_append_c (out, '}');
  fake_request_reply_json (request, 200, g_string_free (out, FALSE));
}

static JsonObject *
need_group (FakeRequest *request)
{
  const char *id = g_ptr_array_index (request->args, 0);
  JsonObject *group = fake_store_get (fake_cloud_get_store (request->cloud, "server_group"), id);

  if (group == NULL
      || (!request->token->is_admin
          && g_strcmp0 (fake_json_get_string (group, "project_id"), request->token->project_id)
               != 0))
    {
      fake_nova_fail (request, 404, "Instance group %s could not be found.", id);
      return NULL;
    }
  return group;
}

void
fake_nova_get_group (FakeRequest *request)
{
  JsonObject *group = need_group (request);
  GString *out;

  if (group == NULL)
    return;
  out = g_string_new ("{\"server_group\": ");
  append_group (out, request, group);
  g_string_append_c (out, '}');
  fake_request_reply_json (request, 200, g_string_free (out, FALSE));
}

void
fake_nova_delete_group (FakeRequest *request)
{
  if (need_group (request) == NULL)
    return;
  fake_store_remove (fake_cloud_get_store (request->cloud, "server_group"),
                     g_ptr_array_index (request->args, 0));
  fake_request_reply (request, 204, "application/json", NULL);
}
