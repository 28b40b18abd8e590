/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/*
 * What a server is told of itself. The real service knows who asks by the address that the question
 * comes from; here the path says it: /metadata/SERVER stands for http://169.254.169.254.
 */

#include "fake-nova.h"

static FakeServer *
need_server (FakeRequest *request)
{
  FakeServer *server = fake_nova_find_server (request->cloud,
                                              g_ptr_array_index (request->args, 0));

  if (server == NULL)
    fake_request_reply (request, 404, "text/html; charset=UTF-8",
                        "<html><head><title>404 Not Found</title></head></html>");
  return server;
}

/* The first IPv4 address of the server, and the port that has it; or NULL. */
static const char *
find_address (FakeRequest *request, FakeServer *server, const char **port_id)
{
  for (guint i = 0; i < server->cards->len; i++)
    {
      FakeCard *card = g_ptr_array_index (server->cards, i);
      JsonObject *port =
        card->port_id != NULL ? fake_cloud_find_object (request->cloud, "port", card->port_id)
                              : NULL;
      JsonArray *ips = port != NULL ? fake_json_get_array (port, "fixed_ips") : NULL;

      for (guint j = 0; ips != NULL && j < json_array_get_length (ips); j++)
        {
          const char *address =
            fake_json_get_string (json_array_get_object_element (ips, j), "ip_address");

          *port_id = card->port_id;
          if (strchr (address, ':') == NULL)
            return address;
        }
    }
  return NULL;
}

static void
get_local_address (FakeRequest *request)
{
  FakeServer *server = need_server (request);
  const char *port_id;
  const char *address;

  if (server == NULL)
    return;
  address = find_address (request, server, &port_id);
  fake_request_reply (request, 200, "text/plain; charset=UTF-8", address != NULL ? address : "");
}

static void
get_public_address (FakeRequest *request)
{
  FakeServer *server = need_server (request);
  JsonObject *floating = NULL;
  const char *port_id;
  const char *address;

  if (server == NULL)
    return;
  address = find_address (request, server, &port_id);
  if (address != NULL)
    floating = fake_neutron_find_floating (request->cloud, port_id, address);
  fake_request_reply (request, 200, "text/plain; charset=UTF-8",
                      floating != NULL ? fake_json_get_string (floating, "floating_ip_address")
                                       : "");
}

/* The form of EC2, which no other API knows. */
static void
get_instance_id (FakeRequest *request)
{
  if (need_server (request) != NULL)
    fake_request_reply (request, 200, "text/plain; charset=UTF-8", "i-0000001a");
}

static void
get_user_data (FakeRequest *request)
{
  FakeServer *server = need_server (request);
  g_autoptr(GBytes) bytes = NULL;
  guchar *data;
  gsize length = 0;

  if (server == NULL)
    return;
  if (server->user_data == NULL)
    {
      fake_request_reply (request, 404, "text/html; charset=UTF-8",
                          "<html><head><title>404 Not Found</title></head></html>");
      return;
    }
  data = g_base64_decode (server->user_data, &length);
  bytes = g_bytes_new_take (data, length);
  fake_request_reply_bytes (request, 200, "application/octet-stream", bytes);
}

char *
fake_server_print_meta_data (const FakeServer *server)
{
  return fake_json ("{'uuid': %s, 'meta': %o, 'hostname': %s, 'name': %s, 'launch_index': 0,"
                    " 'availability_zone': %s, 'random_seed': 'c2VlZA==', 'project_id': %s,"
                    " 'devices': [], 'dedicated_cpus': []}",
                    server->id, server->metadata, server->name, server->name, server->zone,
                    server->project_id);
}

static void
get_meta_data (FakeRequest *request)
{
  FakeServer *server = need_server (request);

  if (server != NULL)
    fake_request_reply_json (request, 200, fake_server_print_meta_data (server));
}

static const FakeRoute routes[] = {
  { "GET", "/*/latest/meta-data/local-ipv4", get_local_address },
  { "GET", "/*/latest/meta-data/public-ipv4", get_public_address },
  { "GET", "/*/latest/meta-data/instance-id", get_instance_id },
  { "GET", "/*/openstack/latest/meta_data.json", get_meta_data },
  { "GET", "/*/openstack/latest/user_data", get_user_data },
};

static void
handle (FakeRequest *request)
{
  if (fake_request_route (request, request->path, routes, G_N_ELEMENTS (routes))
      != FAKE_ROUTE_FOUND)
    fake_request_reply (request, 404, "text/plain", "404 Not Found");
}

static void
create (FakeCloud *cloud)
{
}

static void
destroy (FakeCloud *cloud)
{
}

const FakeService fake_metadata_service = {
  .type = "metadata",
  .prefix = "/metadata",
  .create = create,
  .destroy = destroy,
  .handle = handle,
};
