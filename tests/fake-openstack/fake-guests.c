/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* What boots behind the servers, with the config drive that nova would make. */

#include "fake-guests.h"

#include <glib/gstdio.h>

#define EVENTS_MS 100

struct _FakeGuests
{
  char *program;
  GHashTable *running; /* ids of servers */
  GSource *timer;      /* (owned) */
};

/* Where guests are, and lead from the external network: see tests/guest/in-namespace. */
static const struct
{
  const char *kind;
  const char *json;
} contents[] = {
  { "network", "{'name': 'guests', 'project': 'demo'}" },
  { "subnet", "{'name': 'guests-v4', 'network': 'guests', 'cidr': '192.0.2.0/24'}" },
  { "router", "{'name': 'guests-router', 'project': 'demo', 'external': 'public',"
              " 'subnets': ['guests-v4']}" },
};

/* Guests go also when nobody asks any more. */
static gboolean
run_events_cb (gpointer user_data)
{
  fake_cloud_run_events (user_data);
  return G_SOURCE_CONTINUE;
}

void
fake_cloud_boot_guests (FakeCloud *self, const char *program)
{
  g_return_if_fail (self->guests == NULL);
  self->guests = g_new0 (FakeGuests, 1);
  self->guests->program = g_strdup (program);
  self->guests->running = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->guests->timer = g_timeout_source_new (EVENTS_MS);
  g_source_set_callback (self->guests->timer, run_events_cb, self, NULL);
  g_source_attach (self->guests->timer, self->context);
  for (guint i = 0; i < G_N_ELEMENTS (contents); i++)
    fake_cloud_add (self, contents[i].kind, contents[i].json);
}

/* Returns what the program complains of, or NULL when all is well (transfer full). */
static char *
call (FakeGuests *guests, GPtrArray *arguments)
{
  g_autofree char *errors = NULL;
  g_autoptr (GError) error = NULL;
  int status;

  g_ptr_array_insert (arguments, 0, guests->program);
  g_ptr_array_add (arguments, NULL);
  if (g_spawn_sync (NULL, (char **) arguments->pdata, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL,
                    NULL, &errors, &status, &error)
      && g_spawn_check_wait_status (status, &error))
    return NULL;
  g_printerr ("fake-openstack: %s: %s\n", error->message, errors != NULL ? errors : "");
  return g_strdup (errors != NULL && *errors != '\0' ? g_strchomp (errors) : error->message);
}

static void
call_about (FakeGuests *guests, const char *verb, const char *what, const char *address)
{
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();
  g_autofree char *complaint = NULL;

  g_ptr_array_add (arguments, (char *) verb);
  g_ptr_array_add (arguments, (char *) what);
  if (address != NULL)
    g_ptr_array_add (arguments, (char *) address);
  complaint = call (guests, arguments);
}

void
fake_guests_free (FakeGuests *guests)
{
  GHashTableIter iter;
  gpointer id;

  if (guests == NULL)
    return;
  g_hash_table_iter_init (&iter, guests->running);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    call_about (guests, "stop", id, NULL);
  g_source_destroy (guests->timer);
  g_source_unref (guests->timer);
  g_hash_table_unref (guests->running);
  g_free (guests->program);
  g_free (guests);
}

/* the config drive */

static char *
make_netmask (JsonObject *subnet)
{
  const char *slash = strchr (fake_json_get_string (subnet, "cidr"), '/');
  guint length = (guint) g_ascii_strtoull (slash + 1, NULL, 10);
  guint32 bits = length == 0 ? 0 : 0xffffffffu << (32 - length);

  return g_strdup_printf ("%u.%u.%u.%u", bits >> 24, bits >> 16 & 0xff, bits >> 8 & 0xff,
                          bits & 0xff);
}

static char *
make_network_data (FakeCloud *cloud, JsonObject *port)
{
  JsonArray *ips = fake_json_get_array (port, "fixed_ips");
  g_autofree char *link =
    fake_json ("{'id': 'tap0', 'vif_id': %s, 'type': 'ovs', 'mtu': null,"
               " 'ethernet_mac_address': %s}",
               fake_json_get_string (port, "id"), fake_json_get_string (port, "mac_address"));
  g_autoptr (GString) networks = g_string_new (NULL);

  for (guint i = 0; i < json_array_get_length (ips); i++)
    {
      JsonObject *ip = json_array_get_object_element (ips, i);
      JsonObject *subnet = fake_store_get (fake_cloud_get_store (cloud, "subnet"),
                                           fake_json_get_string (ip, "subnet_id"));
      g_autofree char *netmask = NULL;

      if (fake_json_get_int (subnet, "ip_version", 4) != 4)
        continue;
      netmask = make_netmask (subnet);
      fake_json_append (networks,
                        "%r{'id': 'network%d', 'type': 'ipv4', 'link': 'tap0', 'ip_address': %s,"
                        " 'netmask': %s, 'network_id': %s, 'routes': [{'network': '0.0.0.0',"
                        " 'netmask': '0.0.0.0', 'gateway': %s}]}",
                        networks->len > 0 ? ", " : "", (int) i,
                        fake_json_get_string (ip, "ip_address"), netmask,
                        fake_json_get_string (port, "network_id"),
                        fake_json_get_string (subnet, "gateway_ip"));
    }
  return fake_json ("{'links': [%r], 'networks': [%r], 'services': []}", link, networks->str);
}

static gboolean
write_drive (FakeCloud *cloud, FakeServer *server, JsonObject *port, const char *directory,
             GError **error)
{
  g_autofree char *latest = g_build_filename (directory, "openstack", "latest", NULL);
  g_autofree char *about = g_build_filename (latest, "meta_data.json", NULL);
  g_autofree char *network = g_build_filename (latest, "network_data.json", NULL);
  g_autofree char *given = g_build_filename (latest, "user_data", NULL);
  g_autofree char *meta_data = fake_server_print_meta_data (server);
  g_autofree char *network_data = make_network_data (cloud, port);
  g_autofree guchar *user_data = NULL;
  gsize length = 0;

  if (g_mkdir_with_parents (latest, 0700) != 0)
    {
      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s", latest);
      return FALSE;
    }
  if (server->user_data != NULL)
    user_data = g_base64_decode (server->user_data, &length);
  return g_file_set_contents (about, meta_data, -1, error)
         && g_file_set_contents (network, network_data, -1, error)
         && (user_data == NULL
             || g_file_set_contents (given, (const char *) user_data, (gssize) length, error));
}

static void
remove_drive (const char *directory)
{
  static const char *const names[] = {
    "openstack/latest/meta_data.json", "openstack/latest/network_data.json",
    "openstack/latest/user_data", "openstack/latest", "openstack", "",
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (directory, names[i], NULL);

      g_remove (path);
    }
}

/* life */

/* A guest has one card. */
static JsonObject *
find_port (FakeCloud *cloud, FakeServer *server)
{
  const FakeCard *card = server->cards->len > 0 ? g_ptr_array_index (server->cards, 0) : NULL;

  return card != NULL && card->port_id != NULL
           ? fake_store_get (fake_cloud_get_store (cloud, "port"), card->port_id) : NULL;
}

gboolean
fake_guests_start (FakeCloud *cloud, FakeServer *server, char **complaint)
{
  JsonObject *port = cloud->guests != NULL ? find_port (cloud, server) : NULL;
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();
  g_autofree char *directory = NULL;
  g_autoptr (GError) error = NULL;

  *complaint = NULL;
  if (port == NULL)
    return TRUE;
  directory = g_dir_make_tmp ("fake-openstack-XXXXXX", &error);
  if (directory == NULL || !write_drive (cloud, server, port, directory, &error))
    *complaint = g_strdup (error->message);
  else
    {
      g_ptr_array_add (arguments, (char *) "start");
      g_ptr_array_add (arguments, server->id);
      g_ptr_array_add (arguments, directory);
      g_ptr_array_add (arguments, (char *) fake_json_get_string (port, "mac_address"));
      *complaint = call (cloud->guests, arguments);
      g_hash_table_add (cloud->guests->running, g_strdup (server->id));
    }
  if (directory != NULL)
    remove_drive (directory);
  return *complaint == NULL;
}

void
fake_guests_stop (FakeCloud *cloud, const char *server_id)
{
  if (cloud->guests == NULL || !g_hash_table_contains (cloud->guests->running, server_id))
    return;
  call_about (cloud->guests, "stop", server_id, NULL);
  g_hash_table_remove (cloud->guests->running, server_id);
}

static void
change_address (FakeCloud *cloud, JsonObject *floating, const char *verb)
{
  const char *port_id = fake_json_get_string (floating, "port_id");
  JsonObject *port = cloud->guests != NULL && port_id != NULL
                       ? fake_store_get (fake_cloud_get_store (cloud, "port"), port_id) : NULL;

  if (port != NULL)
    call_about (cloud->guests, verb, fake_json_get_string (port, "mac_address"),
                fake_json_get_string (floating, "floating_ip_address"));
}

void
fake_guests_add_address (FakeCloud *cloud, JsonObject *floating)
{
  change_address (cloud, floating, "add-address");
}

void
fake_guests_remove_address (FakeCloud *cloud, JsonObject *floating)
{
  change_address (cloud, floating, "remove-address");
}

char *
fake_guests_read_console (FakeCloud *cloud, const char *server_id)
{
  const char *directory = g_getenv ("WELKIN_GUESTS");
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;
  gsize length;

  if (cloud->guests == NULL || directory == NULL
      || !g_hash_table_contains (cloud->guests->running, server_id))
    return NULL;
  path = g_build_filename (directory, server_id, "console", NULL);
  return g_file_get_contents (path, &text, &length, NULL)
           ? g_utf8_make_valid (text, (gssize) length) : NULL;
}
