/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* The life of a server: BUILD, then what becomes of it, then its end. */

#include "fake-cinder.h"
#include "fake-guests.h"

void
fake_server_free (FakeServer *server)
{
  g_free (server->id);
  g_free (server->name);
  g_free (server->description);
  g_free (server->project_id);
  g_free (server->user_id);
  g_free (server->zone);
  g_free (server->image_id);
  g_free (server->root_image_id);
  g_free (server->root_type);
  g_free (server->volume_id);
  g_free (server->key_name);
  g_free (server->user_data);
  g_free (server->group_id);
  g_clear_pointer (&server->flavor, json_object_unref);
  g_clear_pointer (&server->metadata, json_object_unref);
  g_ptr_array_unref (server->tags);
  g_ptr_array_unref (server->cards);
  g_ptr_array_unref (server->groups);
  g_free (server->host);
  g_free (server->fault_message);
  g_strfreev (server->script);
  g_free (server->script_message);
  g_free (server);
}

FakeServer *
fake_nova_find_server (FakeCloud *cloud, const char *id)
{
  GList *link = id != NULL ? g_hash_table_lookup (cloud->nova->links, id) : NULL;

  return link != NULL ? link->data : NULL;
}

static const struct
{
  const char *status;
  const char *vm_state;
  int power_state;
} states[] = {
  { "BUILD", "building", 0 },        { "ACTIVE", "active", 1 },
  { "SHUTOFF", "stopped", 4 },       { "ERROR", "error", 0 },
  { "SUSPENDED", "suspended", 4 },   { "PAUSED", "paused", 3 },
  { "SOFT_DELETED", "soft-delete", 0 }, { "DELETED", "deleted", 0 },
  { "RESCUE", "rescued", 1 },        { "VERIFY_RESIZE", "resized", 1 },
  { "SHELVED", "shelved", 4 },       { "SHELVED_OFFLOADED", "shelved_offloaded", 4 },
};

const char *
fake_server_get_vm_state (const FakeServer *server)
{
  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    if (g_str_equal (states[i].status, server->status))
      return states[i].vm_state;
  return "active";
}

int
fake_server_get_power_state (const FakeServer *server)
{
  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    if (g_str_equal (states[i].status, server->status))
      return states[i].power_state;
  return 1;
}

void
fake_nova_set_status (FakeServer *server, const char *status)
{
  server->status = g_intern_string (status);
  server->updated_us = g_get_real_time ();
  if (server->launched_us == 0 && g_str_equal (status, "ACTIVE"))
    server->launched_us = server->updated_us;
}

static void
set_fault (FakeServer *server, int code, const char *message)
{
  fake_nova_set_status (server, "ERROR");
  server->task = NULL;
  server->fault_code = code;
  g_free (server->fault_message);
  server->fault_message = g_strdup (message);
  server->fault_us = g_get_real_time ();
}

/* networks */

static void
set_network_fault (FakeServer *server)
{
  g_autofree char *message =
    g_strdup_printf ("Build of instance %s aborted: Failed to allocate the network(s), not "
                     "rescheduling.",
                     server->id);

  set_fault (server, 500, message);
}

/* The port that nova makes for a card; NULL with a fault. */
static JsonObject *
make_port (FakeCloud *cloud, FakeServer *server, FakeCard *card)
{
  JsonObject *network = fake_store_get (fake_cloud_get_store (cloud, "network"),
                                        card->network_id);
  const FakeToken caller = { .project_id = server->project_id };
  g_auto (FakeFault) fault = { 0 };
  g_autoptr (JsonObject) body = NULL;
  gboolean has_security;
  JsonObject *port;

  if (network == NULL)
    {
      set_network_fault (server);
      return NULL;
    }
  has_security = fake_json_get_bool (network, "port_security_enabled", TRUE);
  if (!has_security && server->groups->len > 0)
    {
      g_autofree char *message = g_strdup_printf (
        "Exceeded maximum number of retries. Exceeded max scheduling attempts 3 for instance %s. "
        "Last exception: Network requires port_security_enabled and subnet associated in order "
        "to apply security groups.",
        server->id);

      set_fault (server, 500, message);
      return NULL;
    }
  body = fake_json_object_new ("{'network_id': %s, 'device_id': %s}", card->network_id, server->id);
  if (server->groups->len > 0)
    {
      JsonArray *groups = json_array_new ();

      for (guint i = 0; i < server->groups->len; i++)
        json_array_add_string_element (groups, g_ptr_array_index (server->groups, i));
      json_object_set_array_member (body, "security_groups", groups);
    }
  if (card->fixed_address != NULL)
    {
      g_autofree char *ips = fake_json ("[{'ip_address': %s}]", card->fixed_address);

      fake_json_set_text (body, "fixed_ips", ips);
    }
  port = fake_port_resource.create (cloud, &caller, body, &fault);
  if (port == NULL && g_str_equal (fault.type, "IpAddressGenerationFailure"))
    {
      g_autofree char *message =
        g_strdup_printf ("No fixed IP addresses available for network: %s", card->network_id);

      set_fault (server, 500, message);
    }
  else if (port == NULL)
    set_network_fault (server);
  return port;
}

static gboolean
plug_in (FakeCloud *cloud, FakeServer *server)
{
  for (guint i = 0; i < server->cards->len; i++)
    {
      FakeCard *card = g_ptr_array_index (server->cards, i);
      JsonObject *port;

      if (card->port_id != NULL)
        port = fake_store_get (fake_cloud_get_store (cloud, "port"), card->port_id);
      else
        {
          port = make_port (cloud, server, card);
          card->is_novas = TRUE;
        }
      if (port == NULL)
        {
          if (server->fault_message == NULL)
            set_network_fault (server);
          return FALSE;
        }
      if (card->port_id == NULL)
        card->port_id = g_strdup (fake_json_get_string (port, "id"));
      fake_neutron_bind_port (cloud, port, server->id, server->zone);
    }
  return TRUE;
}

/* Ports that were given are kept, those that nova made go. */
static void
unplug (FakeCloud *cloud, FakeServer *server)
{
  for (guint i = 0; i < server->cards->len; i++)
    {
      FakeCard *card = g_ptr_array_index (server->cards, i);
      JsonObject *port = card->port_id != NULL
                           ? fake_store_get (fake_cloud_get_store (cloud, "port"), card->port_id)
                           : NULL;

      if (port == NULL || g_strcmp0 (fake_json_get_string (port, "device_id"), server->id) != 0)
        continue;
      if (card->is_novas)
        fake_neutron_drop (cloud, &fake_port_resource, card->port_id);
      else
        fake_neutron_unbind_port (cloud, card->port_id);
    }
}

/* volumes */

/* The host has been chosen: it makes the volume that the server boots from. */
static gboolean
make_volume (FakeCloud *cloud, FakeServer *server)
{
  JsonObject *volume;

  if (server->root_image_id == NULL || server->volume_id != NULL)
    return TRUE;
  volume = fake_cinder_create (cloud, server->project_id, server->root_size, server->root_type,
                               server->root_image_id);
  if (volume == NULL)
    {
      g_autofree char *message =
        g_strdup_printf ("Build of instance %s aborted: VolumeLimitExceeded: Maximum number of "
                         "volumes allowed (%d) exceeded for quota 'volumes'.",
                         server->id, fake_cloud_get_quota (cloud, server->project_id, "volumes"));

      set_fault (server, 500, message);
      return FALSE;
    }
  server->volume_id = g_strdup (fake_json_get_string (volume, "id"));
  fake_cinder_attach (cloud, server->volume_id, server->id);
  return TRUE;
}

static void
let_volume_go (FakeCloud *cloud, FakeServer *server)
{
  if (server->volume_id == NULL)
    return;
  fake_cinder_detach (cloud, server->volume_id);
  if (!server->keeps_root && !cloud->settings.nova_leaves_volumes)
    fake_cinder_delete (cloud, server->volume_id);
}

/* scheduling */

static gboolean
fits_architecture (FakeCloud *cloud, FakeServer *server, JsonObject *zone)
{
  const char *image_id = server->image_id != NULL ? server->image_id : server->root_image_id;
  JsonObject *image = fake_cloud_find_object (cloud, "image", image_id);
  const char *architecture = image != NULL ? fake_json_get_string (image, "architecture") : NULL;

  return architecture == NULL
         || fake_json_array_has (fake_json_get_array (zone, "architectures"), architecture);
}

/* Largest machine of the test cloud's hosts: 1000 vCPUs, 800 GB. */
static gboolean
find_host (FakeCloud *cloud, FakeServer *server)
{
  FakeStore *zones = fake_cloud_get_store (cloud, "zone");
  guint n = fake_store_get_length (zones);
  guint skip = n > 0 ? g_random_int () % n : 0;
  GList *l = fake_store_get_first (zones);

  if (fake_json_get_int (server->flavor, "vcpus", 1) > 1000
      || fake_json_get_int (server->flavor, "ram", 512) > 800 * 1024)
    return FALSE;
  if (*server->zone != '\0')
    {
      JsonObject *zone = fake_store_get (zones, server->zone);

      return zone == NULL || fits_architecture (cloud, server, zone);
    }
  for (guint i = 0; i < 2 * n; i++, l = l->next)
    {
      if (l == NULL)
        l = fake_store_get_first (zones);
      if (i < skip || !fake_json_get_bool (l->data, "available", TRUE)
          || !fits_architecture (cloud, server, l->data))
        continue;
      g_free (server->zone);
      server->zone = g_strdup (fake_json_get_string (l->data, "name"));
      return TRUE;
    }
  return FALSE;
}

static void
finish_build (FakeCloud *cloud, FakeServer *server)
{
  g_autofree char *complaint = NULL;

  if (!find_host (cloud, server))
    {
      set_fault (server, 500, "No valid host was found. ");
      return;
    }
  server->was_scheduled = TRUE;
  if (!make_volume (cloud, server))
    return;
  if (!plug_in (cloud, server))
    {
      unplug (cloud, server);
      if (!server->has_zone)
        *server->zone = '\0';
      return;
    }
  server->host = g_strdup_printf ("compute-%s", server->zone);
  if (!fake_guests_start (cloud, server, &complaint))
    {
      set_fault (server, 500, complaint);
      return;
    }
  server->task = NULL;
  fake_nova_set_status (server, "ACTIVE");
}

/* The next state of the script. */
static void
follow_script (FakeCloud *cloud, FakeServer *server)
{
  const char *state = server->script[server->script_step];
  gboolean is_without_host = server->script_message == NULL
                             || g_str_has_prefix (server->script_message, "No valid host");

  if (g_str_equal (state, "ERROR") && !is_without_host && !make_volume (cloud, server))
    return;
  if (g_str_equal (state, "ERROR"))
    set_fault (server, server->script_code != 0 ? server->script_code : 500,
               server->script_message != NULL ? server->script_message
                                              : "No valid host was found. ");
  else if (g_str_equal (state, "ACTIVE") && server->host == NULL)
    finish_build (cloud, server);
  else
    fake_nova_set_status (server, state);
}

static void
build_step (FakeCloud *cloud, const char *id)
{
  FakeServer *server = fake_nova_find_server (cloud, id);

  if (server == NULL || g_strcmp0 (server->task, "deleting") == 0)
    return;
  if (server->script == NULL)
    return finish_build (cloud, server);

  follow_script (cloud, server);
  if (server->script[++server->script_step] != NULL)
    fake_cloud_schedule (cloud, MAX (cloud->settings.build_delay, 1), build_step, id);
}

/* The store of servers only holds their names, for fake_cloud_find(). */
void
fake_nova_rename (FakeCloud *cloud, FakeServer *server, const char *name)
{
  JsonObject *object = fake_store_get (fake_cloud_get_store (cloud, "server"), server->id);

  json_object_set_string_member (object, "name", name);
  g_free (server->name);
  server->name = g_strdup (name);
}

static void
store_server (FakeCloud *cloud, FakeServer *server)
{
  fake_store_add (fake_cloud_get_store (cloud, "server"),
                  fake_json_object_new ("{'id': %s, 'name': %s}", server->id, server->name));
  g_queue_push_head (&cloud->nova->servers, server);
  g_hash_table_insert (cloud->nova->links, server->id,
                       g_queue_peek_head_link (&cloud->nova->servers));
  if (server->group_id != NULL)
    {
      JsonObject *group = fake_cloud_find_object (cloud, "server_group", server->group_id);

      json_array_add_string_element (fake_json_get_array (group, "members"), server->id);
    }
}

void
fake_nova_launch (FakeCloud *cloud, FakeServer *server)
{
  store_server (cloud, server);
  fake_nova_set_status (server, "BUILD");
  server->created_us = server->updated_us;
  server->task = "scheduling";
  fake_nova_take_script (cloud, server);
  /* The first state of a script is there from the beginning. */
  if (server->script != NULL && !g_str_equal (server->script[0], "ERROR")
      && !g_str_equal (server->script[0], "ACTIVE"))
    {
      fake_nova_set_status (server, server->script[0]);
      server->script_step = 1;
      if (server->script[1] == NULL)
        return;
    }
  fake_cloud_schedule (cloud, cloud->settings.build_delay, build_step, server->id);
}

void
fake_nova_put_active (FakeCloud *cloud, FakeServer *server)
{
  store_server (cloud, server);
  fake_nova_set_status (server, "BUILD");
  server->created_us = server->updated_us;
  finish_build (cloud, server);
}

/* the end */

gboolean
fake_server_is_gone (const FakeServer *server)
{
  return g_str_equal (server->status, "SOFT_DELETED");
}

static void
leave_group (FakeCloud *cloud, FakeServer *server)
{
  JsonObject *group = server->group_id != NULL
                        ? fake_cloud_find_object (cloud, "server_group", server->group_id) : NULL;
  JsonArray *members = group != NULL ? fake_json_get_array (group, "members") : NULL;

  for (guint i = 0; members != NULL && i < json_array_get_length (members); i++)
    if (g_str_equal (json_array_get_string_element (members, i), server->id))
      {
        json_array_remove_element (members, i);
        return;
      }
}

void
fake_nova_finish_delete (FakeCloud *cloud, const char *id)
{
  GList *link = g_hash_table_lookup (cloud->nova->links, id);
  FakeServer *server;

  if (link == NULL)
    return;
  server = link->data;
  fake_guests_stop (cloud, id);
  unplug (cloud, server);
  let_volume_go (cloud, server);
  leave_group (cloud, server);
  fake_store_remove (fake_cloud_get_store (cloud, "server"), id);
  g_hash_table_remove (cloud->nova->links, id);
  g_queue_delete_link (&cloud->nova->servers, link);
  fake_server_free (server);
}

void
fake_nova_delete (FakeCloud *cloud, FakeServer *server)
{
  g_autofree char *id = g_strdup (server->id);

  if (g_strcmp0 (server->task, "deleting") == 0)
    return;
  server->task = "deleting";
  server->updated_us = g_get_real_time ();
  fake_cloud_schedule (cloud, cloud->settings.delete_delay, fake_nova_finish_delete, id);
}
