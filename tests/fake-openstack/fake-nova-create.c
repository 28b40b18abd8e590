/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* POST /servers: what the schemas let through is looked up, checked, launched. */

#include "fake-nova.h"

static void
card_free (gpointer data)
{
  FakeCard *card = data;

  g_free (card->network_id);
  g_free (card->port_id);
  g_free (card->fixed_address);
  g_free (card);
}

static FakeServer *
server_new (const char *project_id, const char *user_id, const char *name)
{
  FakeServer *server = g_new0 (FakeServer, 1);

  server->id = fake_uuid ();
  server->name = g_strdup (name);
  server->project_id = g_strdup (project_id);
  server->user_id = g_strdup (user_id);
  server->zone = g_strdup ("");
  server->metadata = json_object_new ();
  server->tags = g_ptr_array_new_with_free_func (g_free);
  server->cards = g_ptr_array_new_with_free_func (card_free);
  server->groups = g_ptr_array_new_with_free_func (g_free);
  return server;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FakeServer, fake_server_free)

static FakeCard *
add_card (FakeServer *server, const char *network_id, const char *port_id)
{
  FakeCard *card = g_new0 (FakeCard, 1);

  card->network_id = g_strdup (network_id);
  card->port_id = g_strdup (port_id);
  g_ptr_array_add (server->cards, card);
  return card;
}

/* image and flavor */

/* The mapping that the server boots from, or NULL. */
static JsonObject *
find_root_mapping (JsonObject *body)
{
  JsonArray *mappings = fake_json_get_array (body, "block_device_mapping_v2");

  for (guint i = 0; mappings != NULL && i < json_array_get_length (mappings); i++)
    if (fake_json_get_int (json_array_get_object_element (mappings, i), "boot_index", -1) == 0)
      return json_array_get_object_element (mappings, i);
  return NULL;
}

/* Only what is made from an image is known here. */
static gboolean
take_volume (FakeRequest *request, FakeServer *server, JsonObject *mapping)
{
  const char *id = fake_json_get_string (mapping, "uuid");
  FakeStore *images = fake_cloud_get_store (request->cloud, "image");
  JsonObject *image = id != NULL ? fake_store_get (images, id) : NULL;
  gint64 size = fake_json_get_int (mapping, "volume_size", 0);
  gint64 min_disk = image != NULL ? fake_json_get_int (image, "min_disk", 0) : 0;

  if (g_strcmp0 (fake_json_get_string (mapping, "destination_type"), "volume") != 0
      || g_strcmp0 (fake_json_get_string (mapping, "source_type"), "image") != 0 || image == NULL)
    {
      fake_nova_fail (request, 400,
                      "Block Device Mapping is Invalid: failed to get image %s.", id);
      return FALSE;
    }
  if (size == 0)
    {
      fake_nova_fail (request, 400,
                      "Block Device Mapping is Invalid: Images with destination_type 'volume' "
                      "need to have a non-zero size specified");
      return FALSE;
    }
  if (size < min_disk)
    {
      fake_nova_fail (request, 400,
                      "Volume is smaller than the minimum size specified in image metadata. Volume "
                      "size is %" G_GINT64_FORMAT " bytes, minimum size is %" G_GINT64_FORMAT
                      " bytes.",
                      size << 30, min_disk << 30);
      return FALSE;
    }
  server->root_image_id = g_strdup (id);
  server->root_size = size;
  server->root_type = g_strdup (fake_json_get_string (mapping, "volume_type"));
  server->keeps_root = !fake_json_get_bool (mapping, "delete_on_termination", FALSE);
  return TRUE;
}

static gboolean
take_image (FakeRequest *request, FakeServer *server, JsonObject *body)
{
  const char *id = fake_json_get_string (body, "imageRef");
  JsonObject *mapping = find_root_mapping (body);

  if (mapping != NULL)
    return take_volume (request, server, mapping);
  if (id == NULL || *id == '\0')
    {
      fake_nova_fail (request, 400, "Missing imageRef attribute");
      return FALSE;
    }
  if (fake_store_get (fake_cloud_get_store (request->cloud, "image"), id) == NULL)
    {
      fake_nova_fail (request, 400, "Can not find requested image");
      return FALSE;
    }
  server->image_id = g_strdup (id);
  return TRUE;
}

static gboolean
take_flavor (FakeRequest *request, FakeServer *server, JsonObject *body)
{
  g_autofree char *id = fake_json_scalar_to_text (json_object_get_member (body, "flavorRef"));
  const char *last = id != NULL ? strrchr (id, '/') : NULL;
  JsonObject *flavor;

  flavor = fake_store_get (fake_cloud_get_store (request->cloud, "flavor"),
                           last != NULL ? last + 1 : id);
  if (flavor == NULL)
    {
      fake_nova_fail (request, 400, "Flavor %s could not be found.", id != NULL ? id : "None");
      return FALSE;
    }
  server->flavor = json_object_ref (flavor);
  return TRUE;
}

/* What the image wants of the flavor. */
static gboolean
check_size (FakeRequest *request, FakeServer *server)
{
  const char *image_id = server->image_id != NULL ? server->image_id : server->root_image_id;
  JsonObject *image = fake_cloud_find_object (request->cloud, "image", image_id);
  gint64 disk = server->image_id != NULL ? fake_json_get_int (server->flavor, "disk", 1) : 0;
  gint64 min_disk = image != NULL ? fake_json_get_int (image, "min_disk", 0) : 0;

  if (image != NULL
      && fake_json_get_int (server->flavor, "ram", 512) < fake_json_get_int (image, "min_ram", 0))
    {
      fake_nova_fail (request, 400, "Flavor's memory is too small for requested image.");
      return FALSE;
    }
  if (disk > 0 && disk < min_disk)
    {
      fake_nova_fail (request, 400,
                      "Flavor's disk is too small for requested image. Flavor disk is "
                      "%" G_GINT64_FORMAT " bytes, minimum size is %" G_GINT64_FORMAT " bytes.",
                      disk << 30, min_disk << 30);
      return FALSE;
    }
  return TRUE;
}

static gboolean
check_disk (FakeRequest *request, FakeServer *server)
{
  if (fake_json_get_int (server->flavor, "disk", 1) > 0 || server->image_id == NULL)
    return TRUE;
  fake_nova_fail (request, 403,
                  "Only volume-backed servers are allowed for flavors with zero disk.");
  return FALSE;
}

static gboolean
check_volume_type (FakeRequest *request, JsonObject *body)
{
  JsonArray *mappings = fake_json_get_array (body, "block_device_mapping_v2");

  for (guint i = 0; mappings != NULL && i < json_array_get_length (mappings); i++)
    {
      const char *type =
        fake_json_get_string (json_array_get_object_element (mappings, i), "volume_type");

      if (type != NULL && !g_str_equal (type, "__DEFAULT__") && !g_str_equal (type, "ssd"))
        {
          fake_nova_fail (request, 400, "Volume type %s could not be found.", type);
          return FALSE;
        }
    }
  return TRUE;
}

/* networks */

/* What another service made a moment ago. */
static gboolean
is_unseen (FakeRequest *request)
{
  int *left = &request->cloud->settings.nova_missing_reads;

  if (*left == 0)
    return FALSE;
  (*left)--;
  return TRUE;
}

static gboolean
take_port (FakeRequest *request, FakeServer *server, const char *id)
{
  g_auto (FakeFault) fault = { 0 };
  JsonObject *port = fake_neutron_get (request->cloud, &fake_port_resource, request->token, id,
                                       &fault);

  if (port == NULL || is_unseen (request))
    fake_nova_fail (request, 400, "Port id %s could not be found.", id);
  else if (*fake_json_get_string (port, "device_id") != '\0')
    fake_nova_fail (request, 409, "Port %s is still in use.", id);
  else if (json_array_get_length (fake_json_get_array (port, "fixed_ips")) == 0)
    fake_nova_fail (request, 400, "Port %s requires a FixedIP in order to be used.", id);
  else
    {
      add_card (server, fake_json_get_string (port, "network_id"), id);
      return TRUE;
    }
  return FALSE;
}

static gboolean
take_network (FakeRequest *request, FakeServer *server, const char *id, const char *fixed_address)
{
  g_auto (FakeFault) fault = { 0 };
  JsonObject *network = fake_neutron_get (request->cloud, &fake_network_resource, request->token,
                                          id, &fault);

  if (network == NULL)
    fake_nova_fail (request, 400, "Network %s could not be found.", id);
  else if (json_array_get_length (fake_json_get_array (network, "subnets")) == 0)
    fake_nova_fail (request, 400, "Network %s requires a subnet in order to boot instances on.",
                    id);
  else
    {
      add_card (server, id, NULL)->fixed_address = g_strdup (fixed_address);
      return TRUE;
    }
  return FALSE;
}

/* The networks that a server without any gets: the project's own, if there is one. */
static gboolean
choose_network (FakeRequest *request, FakeServer *server)
{
  const char *found = NULL;

  for (GList *l = fake_store_get_first (fake_cloud_get_store (request->cloud, "network"));
       l != NULL; l = l->next)
    {
      const char *owner = fake_json_get_string (l->data, "project_id");

      if (g_strcmp0 (owner, server->project_id) != 0
          && !fake_json_get_bool (l->data, "shared", FALSE))
        continue;
      if (json_array_get_length (fake_json_get_array (l->data, "subnets")) == 0)
        continue;
      if (found != NULL)
        {
          fake_nova_fail (request, 409,
                          "Multiple possible networks found, use a Network ID to be more "
                          "specific.");
          return FALSE;
        }
      found = fake_json_get_string (l->data, "id");
    }
  if (found != NULL)
    add_card (server, found, NULL);
  return TRUE;
}

static gboolean
take_networks (FakeRequest *request, FakeServer *server, JsonObject *body)
{
  const char *word = fake_json_get_string (body, "networks");
  JsonArray *networks = fake_json_get_array (body, "networks");

  if (g_strcmp0 (word, "none") == 0)
    return TRUE;
  if (networks == NULL || json_array_get_length (networks) == 0)
    return choose_network (request, server);
  for (guint i = 0; i < json_array_get_length (networks); i++)
    {
      JsonObject *network = json_array_get_object_element (networks, i);
      const char *port = fake_json_get_string (network, "port");
      const char *id = fake_json_get_string (network, "uuid");

      if (port == NULL && id == NULL)
        {
          fake_nova_fail (request, 400, "Bad network format: missing 'uuid'");
          return FALSE;
        }
      if (port == NULL && !fake_neutron_is_uuid (id))
        {
          fake_nova_fail (request, 400,
                          "Bad networks format: network uuid is not in proper format (%s)", id);
          return FALSE;
        }
      if (port != NULL ? !take_port (request, server, port)
                       : !take_network (request, server, id,
                                        fake_json_get_string (network, "fixed_ip")))
        return FALSE;
    }
  return TRUE;
}

static const char *
find_security_group (FakeRequest *request, const char *name)
{
  FakeStore *store = fake_cloud_get_store (request->cloud, "security_group");
  const char *found = NULL;

  for (GList *l = fake_store_get_first (store); l != NULL; l = l->next)
    {
      const char *id = fake_json_get_string (l->data, "id");

      if (g_strcmp0 (fake_json_get_string (l->data, "project_id"), request->token->project_id) != 0)
        continue;
      if (g_str_equal (id, name))
        {
          found = id;
          break;
        }
      if (g_strcmp0 (fake_json_get_string (l->data, "name"), name) != 0)
        continue;
      if (found != NULL)
        {
          fake_nova_fail (request, 409,
                          "Multiple security_group matches found for name '%s', use an ID to be "
                          "more specific.",
                          name);
          return NULL;
        }
      found = id;
    }
  if (found != NULL && !is_unseen (request))
    return found;
  fake_nova_fail (request, 400, "Unable to find security_group with name or id '%s'", name);
  return NULL;
}

static gboolean
take_security_groups (FakeRequest *request, FakeServer *server, JsonObject *body)
{
  JsonArray *groups = fake_json_get_array (body, "security_groups");

  for (guint i = 0; groups != NULL && i < json_array_get_length (groups); i++)
    {
      const char *name =
        fake_json_get_string (json_array_get_object_element (groups, i), "name");
      const char *id;

      if (name == NULL || g_str_equal (name, "default"))
        continue;
      id = find_security_group (request, name);
      if (id == NULL)
        return FALSE;
      g_ptr_array_add (server->groups, g_strdup (id));
    }
  return TRUE;
}

/* the rest */

static gboolean
take_zone (FakeRequest *request, FakeServer *server, JsonObject *body)
{
  const char *name = fake_json_get_string (body, "availability_zone");
  JsonObject *zone;

  if (name == NULL)
    return TRUE;
  zone = fake_store_get (fake_cloud_get_store (request->cloud, "zone"), name);
  if (zone == NULL || !fake_json_get_bool (zone, "available", TRUE))
    {
      fake_nova_fail (request, 400, "The requested availability zone is not available");
      return FALSE;
    }
  g_free (server->zone);
  server->zone = g_strdup (name);
  server->has_zone = TRUE;
  return TRUE;
}

static gboolean
take_key (FakeRequest *request, FakeServer *server, JsonObject *body)
{
  const char *name = fake_json_get_string (body, "key_name");

  if (name == NULL)
    return TRUE;
  if (fake_store_get (fake_cloud_get_store (request->cloud, "keypair"), name) == NULL)
    {
      fake_nova_fail (request, 400, "Invalid key_name provided.");
      return FALSE;
    }
  server->key_name = g_strdup (name);
  return TRUE;
}

static gboolean
take_hints (FakeRequest *request, FakeServer *server)
{
  JsonObject *whole = json_node_get_object (fake_request_get_json (request));
  JsonObject *hints = fake_json_get_object (whole, "os:scheduler_hints");
  int limit = fake_cloud_get_quota (request->cloud, server->project_id, "server_group_members");
  JsonObject *found;
  const char *group;

  if (hints == NULL)
    hints = fake_json_get_object (whole, "OS-SCH-HNT:scheduler_hints");
  group = fake_json_get_string (hints, "group");
  if (group == NULL)
    return TRUE;
  found = fake_store_get (fake_cloud_get_store (request->cloud, "server_group"), group);
  if (found == NULL)
    {
      fake_nova_fail (request, 400, "Instance group %s could not be found.", group);
      return FALSE;
    }
  if (limit >= 0 && json_array_get_length (fake_json_get_array (found, "members")) >= (guint) limit)
    {
      fake_nova_fail (request, 403, "Quota exceeded, too many servers in group");
      return FALSE;
    }
  server->group_id = g_strdup (group);
  return TRUE;
}

static gboolean
take_details (FakeRequest *request, FakeServer *server, JsonObject *body)
{
  JsonObject *metadata = fake_json_get_object (body, "metadata");
  JsonArray *tags = fake_json_get_array (body, "tags");
  g_autofree char *drive = NULL;
  int limit = fake_cloud_get_quota (request->cloud, server->project_id, "metadata_items");

  if (metadata != NULL && limit >= 0 && json_object_get_size (metadata) > (guint) limit)
    {
      fake_nova_fail (request, 403, "Maximum number of metadata items exceeds %d", limit);
      return FALSE;
    }
  if (metadata != NULL)
    fake_json_copy_members (server->metadata, metadata);
  for (guint i = 0; tags != NULL && i < json_array_get_length (tags); i++)
    {
      const char *tag = json_array_get_string_element (tags, i);

      if (!g_ptr_array_find_with_equal_func (server->tags, tag, g_str_equal, NULL))
        g_ptr_array_add (server->tags, g_strdup (tag));
    }
  server->user_data = g_strdup (fake_json_get_string (body, "user_data"));
  if (json_object_has_member (body, "config_drive"))
    drive = fake_json_scalar_to_text (json_object_get_member (body, "config_drive"));
  server->has_config_drive =
    drive != NULL && g_regex_match_simple ("^(true|1|on|yes)$", drive, G_REGEX_CASELESS, 0);
  /* Before there were descriptions, the name was one. */
  server->description = g_strdup (request->microversion < 19
                                    ? server->name : fake_json_get_string (body, "description"));
  return TRUE;
}

/* quotas */

typedef struct
{
  const char *resource;
  gint64 used;
  gint64 wanted;
} Use;

static gboolean
check_quotas (FakeRequest *request, FakeServer *server)
{
  Use uses[] = {
    { "instances", 0, 1 },
    { "cores", 0, fake_json_get_int (server->flavor, "vcpus", 1) },
    { "ram", 0, fake_json_get_int (server->flavor, "ram", 512) },
  };
  gboolean is_limited = FALSE;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (uses); i++)
    is_limited |= fake_cloud_get_quota (request->cloud, server->project_id, uses[i].resource) >= 0;
  if (!is_limited)
    return TRUE;

  for (GList *l = request->cloud->nova->servers.head; l != NULL; l = l->next)
    {
      FakeServer *other = l->data;

      if (!g_str_equal (other->project_id, server->project_id))
        continue;
      uses[0].used++;
      uses[1].used += fake_json_get_int (other->flavor, "vcpus", 1);
      uses[2].used += fake_json_get_int (other->flavor, "ram", 512);
    }
  for (i = 0; i < G_N_ELEMENTS (uses); i++)
    {
      int limit = fake_cloud_get_quota (request->cloud, server->project_id, uses[i].resource);

      if (limit < 0 || uses[i].used + uses[i].wanted <= limit)
        continue;
      fake_nova_fail (request, 403,
                      "Quota exceeded for %s: Requested %" G_GINT64_FORMAT
                      ", but already used %" G_GINT64_FORMAT " of %d %s",
                      uses[i].resource, uses[i].wanted, uses[i].used, limit, uses[i].resource);
      return FALSE;
    }
  return TRUE;
}

/* Ports that nova is going to make count, too. */
static gboolean
check_port_quota (FakeRequest *request, FakeServer *server)
{
  int limit = fake_cloud_get_quota (request->cloud, server->project_id, "port");
  guint used = 0, wanted = 0;

  if (limit < 0)
    return TRUE;
  for (guint i = 0; i < server->cards->len; i++)
    if (((FakeCard *) g_ptr_array_index (server->cards, i))->port_id == NULL)
      wanted++;
  for (GList *l = fake_store_get_first (fake_cloud_get_store (request->cloud, "port")); l != NULL;
       l = l->next)
    if (g_strcmp0 (fake_json_get_string (l->data, "project_id"), server->project_id) == 0)
      used++;
  if (wanted == 0 || used + wanted <= (guint) limit)
    return TRUE;
  fake_nova_fail (request, 403, "The number of defined ports: %u is over the limit: %d", used,
                  limit);
  return FALSE;
}

static char *
make_password (void)
{
  g_autofree char *id = fake_hex_id ();

  return g_strndup (id, 12);
}

static void
reply_created (FakeRequest *request, const FakeServer *server, JsonObject *body)
{
  g_autofree char *versioned = fake_nova_get_base (request, TRUE);
  g_autofree char *base = fake_nova_get_base (request, FALSE);
  g_autofree char *location = g_strdup_printf ("%s/servers/%s", versioned, server->id);
  g_autofree char *password = make_password ();
  JsonNode *groups = json_object_get_member (body, "security_groups");
  g_autofree char *shown = groups != NULL ? fake_json_node_to_text (groups)
                                          : g_strdup ("[{\"name\": \"default\"}]");

  fake_request_set_header (request, "Location", location);
  fake_request_reply_json (
    request, 202,
    fake_json ("{'server': {'id': %s, 'links': [{'rel': 'self', 'href': %s},"
               " {'rel': 'bookmark', 'href': '%r/servers/%r'}], 'OS-DCF:diskConfig': 'MANUAL',"
               " 'security_groups': %r, 'adminPass': %s}}",
               server->id, location, base, server->id, shown, password));
}

void
fake_nova_create_server (FakeRequest *request)
{
  JsonObject *body = fake_nova_get_body (request, "server");
  g_autoptr (FakeServer) server = NULL;
  FakeServer *launched;

  if (body == NULL || !fake_nova_validate_server (request, body))
    return;
  server = server_new (request->token->project_id, request->token->user_id,
                       fake_json_get_string (body, "name"));
  if (!take_image (request, server, body) || !take_flavor (request, server, body)
      || !take_zone (request, server, body) || !take_key (request, server, body)
      || !take_details (request, server, body) || !check_disk (request, server)
      || !check_size (request, server)
      || !check_volume_type (request, body) || !take_networks (request, server, body)
      || !take_security_groups (request, server, body) || !take_hints (request, server)
      || !check_port_quota (request, server) || !check_quotas (request, server))
    return;

  launched = g_steal_pointer (&server);
  fake_nova_launch (request->cloud, launched);
  reply_created (request, launched, body);
}

/* Servers that are just there, for tests and benchmarks. */
JsonObject *
fake_nova_add_server (FakeCloud *cloud, JsonObject *content)
{
  const char *name = fake_json_get_string (content, "name");
  const char *project = fake_json_get_string (content, "project");
  const char *network = fake_json_get_string (content, "network");
  JsonObject *metadata = fake_json_get_object (content, "metadata");
  GList *flavor = fake_store_get_first (fake_cloud_get_store (cloud, "flavor"));
  GList *image = fake_store_get_first (fake_cloud_get_store (cloud, "image"));
  gint64 count = fake_json_get_int (content, "count", 1);
  JsonObject *last = NULL;

  project = project != NULL ? fake_cloud_find (cloud, "project", project) : NULL;
  network = network != NULL ? fake_cloud_find (cloud, "network", network) : NULL;
  if (name == NULL || project == NULL || flavor == NULL)
    return NULL;
  for (gint64 i = 0; i < count; i++)
    {
      g_autofree char *numbered =
        count > 1 ? g_strdup_printf ("%s-%d", name, (int) i) : g_strdup (name);
      FakeServer *server = server_new (project, project, numbered);

      server->flavor = json_object_ref (flavor->data);
      if (image != NULL)
        server->image_id = g_strdup (fake_json_get_string (image->data, "id"));
      if (metadata != NULL)
        fake_json_copy_members (server->metadata, metadata);
      if (network != NULL)
        add_card (server, network, NULL);
      fake_nova_put_active (cloud, server);
      last = fake_store_get (fake_cloud_get_store (cloud, "server"), server->id);
    }
  return last;
}
