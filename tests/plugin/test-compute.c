/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "provider-fixture.h"

#include "model/os-detail.h"
#include "services/os-compute.h"
#include "services/os-image-service.h"
#include "services/os-network-service.h"
#include "values/welkin-error.h"

#define SERVERS "/compute/v2.1/servers/detail"

static GPtrArray *
list_flavors (ProviderFixture *fixture,
              OsCompute       *compute)
{
  g_autoptr(GError) error = NULL;
  GPtrArray *flavors;

  os_compute_list_flavors_async (compute, NULL, provider_fixture_done_cb, fixture);
  flavors = os_compute_list_flavors_finish (compute, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
  return flavors;
}

static GPtrArray *
list_servers (ProviderFixture *fixture,
              OsCompute       *compute,
              const char      *pattern)
{
  g_autoptr(GError) error = NULL;
  GPtrArray *servers;

  os_compute_list_servers_async (compute, pattern, NULL, NULL, NULL, provider_fixture_done_cb,
                                 fixture);
  servers = os_compute_list_servers_finish (compute, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
  return servers;
}

static const OsFlavor *
find_flavor (GPtrArray  *flavors,
             const char *name)
{
  for (guint i = 0; i < flavors->len; i++)
    if (g_str_equal (((OsFlavor *) g_ptr_array_index (flavors, i))->name, name))
      return g_ptr_array_index (flavors, i);
  return NULL;
}

static void
test_flavors_are_listed_once_a_minute (ProviderFixture *fixture,
                                       gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsCompute) compute = os_compute_new (client);
  g_autoptr(GPtrArray) flavors = list_flavors (fixture, compute);
  g_autoptr(GPtrArray) again = list_flavors (fixture, compute);
  const OsFlavor *small = find_flavor (flavors, "m1.small");

  g_assert_nonnull (small);
  g_assert_cmpint (small->ram, ==, 2048);
  g_assert_cmpint (small->vcpus, ==, 1);
  g_assert_cmpint (small->disk, ==, 20);
  g_assert_false (small->is_disabled);
  g_assert_true (flavors == again);
  if (fixture->fake != NULL)
    g_assert_cmpuint (fake_log_count (fixture->fake, "GET", "/compute/v2.1/flavors/detail"), ==, 1);
}

static void
test_odd_flavors_spoil_nothing (ProviderFixture *fixture,
                                gconstpointer    data)
{
  static const FakeRule rule = {
    .method = "GET", .path = "*/flavors/detail", .action = FAKE_FAIL, .status = 200,
    .body = "{\"flavors\": [{\"id\": 5, \"name\": \"a\", \"swap\": \"\", \"disk\": 0, "
            "\"ram\": 3000000000, \"vcpus\": 1, \"rxtx_factor\": 1.0, "
            "\"OS-FLV-EXT-DATA:ephemeral\": 0}, {\"id\": \"6\", \"name\": \"b\", \"ram\": 1, "
            "\"OS-FLV-DISABLED:disabled\": true}]}",
  };
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsCompute) compute = os_compute_new (client);
  g_autoptr(GPtrArray) flavors = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_add_rule (fixture->fake, &rule);
  flavors = list_flavors (fixture, compute);
  g_assert_cmpuint (flavors->len, ==, 2);
  g_assert_cmpstr (find_flavor (flavors, "a")->id, ==, "5");
  g_assert_cmpint (find_flavor (flavors, "a")->ram, ==, 3000000000);
  g_assert_true (find_flavor (flavors, "b")->is_disabled);
}

static void
test_zones_say_whether_they_are_available (ProviderFixture *fixture,
                                           gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsCompute) compute = os_compute_new (client);
  g_autoptr(GPtrArray) zones = NULL;
  g_autoptr(GError) error = NULL;

  os_compute_list_zones_async (compute, NULL, provider_fixture_done_cb, fixture);
  zones = os_compute_list_zones_finish (compute, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (zones->len, >, 0);
  for (guint i = 0; i < zones->len; i++)
    g_assert_true (os_zone_is_available (g_ptr_array_index (zones, i)));
}

static void
test_hidden_zones_are_not_supported (ProviderFixture *fixture,
                                     gconstpointer    data)
{
  static const FakeRule rule = {
    .method = "GET", .path = "*/os-availability-zone", .action = FAKE_FAIL, .status = 403,
    .body = "{\"forbidden\": {\"code\": 403, \"message\": \"M\"}}",
  };
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsCompute) compute = os_compute_new (client);
  g_autoptr(GPtrArray) zones = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_add_rule (fixture->fake, &rule);
  os_compute_list_zones_async (compute, NULL, provider_fixture_done_cb, fixture);
  zones = os_compute_list_zones_finish (compute, provider_fixture_wait (fixture), &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED);
  g_test_message ("%s", error->message);
  g_assert_true (g_str_has_prefix (error->message, "this cloud shows no availability zones: "));
  g_assert_nonnull (strstr (error->message, ": M (HTTP 403"));
}

/* Records of all kinds, without a cloud */

static OsServer *
decode_server (const char *text)
{
  g_autofree char *body = g_strdup_printf ("{\"server\": %s}", text);
  g_autoptr(GBytes) bytes = g_bytes_new (body, strlen (body));
  g_autoptr(GError) error = NULL;
  OsServer *server = wk_json_decode_record (&os_server_table, "server", bytes, &error);

  g_assert_no_error (error);
  return server;
}

static void
test_states_of_servers (void)
{
  static const struct
  {
    const char          *status;
    const char          *task;
    WelkinInstanceState  state;
  } states[] = {
    { "ACTIVE", NULL, WELKIN_INSTANCE_RUNNING },
    { "active", NULL, WELKIN_INSTANCE_RUNNING },
    { "BUILD", "spawning", WELKIN_INSTANCE_PENDING },
    { "BUILD(networking)", NULL, WELKIN_INSTANCE_PENDING },
    { "ACTIVE", "deleting", WELKIN_INSTANCE_STOPPING },
    { "ERROR", "soft-deleting", WELKIN_INSTANCE_STOPPING },
    { "ACTIVE", "force-deleting", WELKIN_INSTANCE_STOPPING },
    { "SHUTOFF", "powering-off", WELKIN_INSTANCE_STOPPED },
    { "SUSPENDED", NULL, WELKIN_INSTANCE_STOPPED },
    { "PAUSED", NULL, WELKIN_INSTANCE_STOPPED },
    { "SHELVED", NULL, WELKIN_INSTANCE_STOPPED },
    { "SHELVED_OFFLOADED", NULL, WELKIN_INSTANCE_STOPPED },
    { "REBOOT", NULL, WELKIN_INSTANCE_REBOOTING },
    { "HARD_REBOOT", NULL, WELKIN_INSTANCE_REBOOTING },
    { "REBUILD", NULL, WELKIN_INSTANCE_RUNNING },
    { "MIGRATING", NULL, WELKIN_INSTANCE_RUNNING },
    { "RESIZE", NULL, WELKIN_INSTANCE_RUNNING },
    { "VERIFY_RESIZE", NULL, WELKIN_INSTANCE_RUNNING },
    { "REVERT_RESIZE", NULL, WELKIN_INSTANCE_RUNNING },
    { "PASSWORD", NULL, WELKIN_INSTANCE_RUNNING },
    { "RESCUE", NULL, WELKIN_INSTANCE_RUNNING },
    { "ERROR", NULL, WELKIN_INSTANCE_FAILED },
    { "DELETED", "deleting", WELKIN_INSTANCE_TERMINATED },
    { "SOFT_DELETED", NULL, WELKIN_INSTANCE_TERMINATED },
    { "UNKNOWN", NULL, WELKIN_INSTANCE_UNKNOWN },
    { "SOMETHING_NEW", NULL, WELKIN_INSTANCE_UNKNOWN },
    { "", NULL, WELKIN_INSTANCE_UNKNOWN },
  };

  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    {
      OsServer server = {
        .status = (char *) states[i].status, .task_state = (char *) states[i].task,
      };

      g_test_message ("%s %s", states[i].status, states[i].task);
      g_assert_cmpint (os_server_get_state (&server), ==, states[i].state);
    }
}

static void
test_server_of_a_down_cell_lacks_most (void)
{
  g_autoptr(OsServer) server = decode_server ("{\"id\": 1234, \"status\": null}");
  g_autoptr(OsDetail) detail = os_detail_new (server);
  g_autoptr(GPtrArray) addresses = os_detail_dup_addresses (detail, "");

  g_assert_cmpstr (server->id, ==, "1234");
  g_assert_cmpint (os_server_get_state (server), ==, WELKIN_INSTANCE_UNKNOWN);
  g_assert_null (os_server_get_metadata (server, "welkin-env"));
  g_assert_cmpuint (addresses->len, ==, 0);
}

static void
test_server_on_a_volume_has_no_image (void)
{
  g_autoptr(OsServer) server =
    decode_server ("{\"id\": \"s1\", \"image\": \"\", \"flavor\": {\"id\": 5, \"links\": []}, "
                   "\"fault\": {\"code\": 500, \"message\": \"No valid host was found. \", "
                   "\"created\": \"x\"}, \"metadata\": {\"welkin-env\": \"e\"}}");

  g_assert_null (server->image);
  g_assert_cmpstr (server->flavor->id, ==, "5");
  g_assert_cmpint (server->fault->code, ==, 500);
  g_assert_cmpstr (os_server_get_metadata (server, "welkin-env"), ==, "e");
}

/* What leads in from outside is public, whatever its number: some clouds are behind others. */
static void
test_addresses_keep_their_order_and_scope (void)
{
  static const struct
  {
    const char  *value;
    WelkinScope  scope;
  } expected[] = {
    { "10.181.64.154", WELKIN_SCOPE_LOCAL_CLOUD },
    { "192.168.7.7", WELKIN_SCOPE_PUBLIC },
    { "2001:db8::487", WELKIN_SCOPE_PUBLIC },
    { "172.24.4.184", WELKIN_SCOPE_PUBLIC },
  };
  g_autoptr(OsServer) server =
    decode_server ("{\"id\": \"s1\", \"addresses\": {"
                   "\"private\": [{\"version\": 4, \"addr\": \"10.181.64.154\"}, "
                   "{\"version\": 4, \"addr\": \"192.168.7.7\", \"OS-EXT-IPS:type\": \"floating\", "
                   "\"OS-EXT-IPS-MAC:mac_addr\": \"fa:16:3e:00:00:01\"}], "
                   "\"public\": [{\"version\": 6, \"addr\": \"2001:db8::487\"}, "
                   "{\"version\": 4, \"addr\": \"172.24.4.184\"}, "
                   "{\"version\": 4, \"addr\": \"192.168.7.7\"}]}, \"accessIPv4\": \"\"}");
  g_autoptr(OsDetail) detail = os_detail_new (server);
  g_autoptr(GPtrArray) addresses = os_detail_dup_addresses (detail, "");

  g_assert_cmpuint (addresses->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < addresses->len; i++)
    {
      WelkinAddress *address = g_ptr_array_index (addresses, i);

      g_assert_cmpstr (welkin_address_get_value (address), ==, expected[i].value);
      g_assert_cmpint (welkin_address_get_scope (address), ==, expected[i].scope);
    }
}

/* Lists */

static void
count_page (GPtrArray *records,
            gpointer   data)
{
  guint *counts = data;

  counts[0]++;
  counts[1] += records->len;
}

static void
test_lists_go_through_all_pages (ProviderFixture *fixture,
                                 gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsCompute) compute = os_compute_new (client);
  g_autoptr(GPtrArray) servers = NULL;
  g_autoptr(GPtrArray) rest = NULL;
  g_autoptr(GError) error = NULL;
  guint counts[2] = { 0, 0 };

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_add (fixture->fake, "server", "{'name': 'x', 'project': 'demo', 'count': 25}");
  fake_cloud_set (fixture->fake, "nova-max-limit", 10);
  servers = list_servers (fixture, compute, NULL);
  g_assert_cmpuint (servers->len, ==, 25);

  os_compute_list_servers_async (compute, NULL, count_page, counts, NULL,
                                 provider_fixture_done_cb, fixture);
  rest = os_compute_list_servers_finish (compute, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (rest->len, ==, 0);
  g_assert_cmpuint (counts[0], ==, 3);
  g_assert_cmpuint (counts[1], ==, 25);
}

static void
test_endless_list_ends_with_an_error (ProviderFixture *fixture,
                                      gconstpointer    data)
{
  static const FakeRule rule = {
    .method = "GET", .path = SERVERS, .times = -1, .action = FAKE_FAIL, .status = 200,
    .body = "{\"servers\": [{\"id\": \"s1\"}], \"servers_links\": [{\"rel\": \"next\", "
            "\"href\": \"http://inner.test/v2.1/servers/detail?marker=s1\"}]}",
  };
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsCompute) compute = os_compute_new (client);
  g_autoptr(GPtrArray) servers = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_add_rule (fixture->fake, &rule);
  os_compute_list_servers_async (compute, NULL, NULL, NULL, NULL, provider_fixture_done_cb,
                                 fixture);
  servers = os_compute_list_servers_finish (compute, provider_fixture_wait (fixture), &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", SERVERS), ==, 2);
}

static void
test_cut_page_is_asked_for_again (ProviderFixture *fixture,
                                  gconstpointer    data)
{
  static const FakeRule rule = { .method = "GET", .path = SERVERS, .action = FAKE_CUT };
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsCompute) compute = os_compute_new (client);
  g_autoptr(GPtrArray) servers = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_add (fixture->fake, "server", "{'name': 'x', 'project': 'demo', 'count': 25}");
  fake_cloud_add_rule (fixture->fake, &rule);
  servers = list_servers (fixture, compute, NULL);
  g_assert_cmpuint (servers->len, ==, 25);
}

static void
test_refused_pattern_is_left_out (ProviderFixture *fixture,
                                  gconstpointer    data)
{
  static const FakeRule rule = {
    .method = "GET", .path = SERVERS, .action = FAKE_FAIL, .status = 400,
    .body = "{\"badRequest\": {\"code\": 400, \"message\": \"is not a 'regex'\"}}",
  };
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsCompute) compute = os_compute_new (client);
  g_autoptr(GPtrArray) servers = NULL;
  g_autoptr(GPtrArray) again = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_add_rule (fixture->fake, &rule);
  servers = list_servers (fixture, compute, "^welkin-");
  again = list_servers (fixture, compute, "^welkin-");
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", SERVERS), ==, 3);
  g_assert_null (fake_log_find (fixture->fake, "GET", SERVERS)->query);
}

/* Making and removing */

static char *
find_network (ProviderFixture  *fixture,
              OsNetworkService *network)
{
  g_autoptr(GPtrArray) networks = NULL;
  g_autoptr(GError) error = NULL;

  os_network_service_list_networks_async (network, "name", "private", NULL,
                                          provider_fixture_done_cb, fixture);
  networks = os_network_service_list_networks_finish (network, provider_fixture_wait (fixture),
                                                      &error);
  g_assert_no_error (error);
  g_assert_cmpuint (networks->len, ==, 1);
  return g_strdup (((OsNetwork *) g_ptr_array_index (networks, 0))->id);
}

static char *
find_image (ProviderFixture *fixture,
            OsImageService  *image)
{
  g_autoptr(GPtrArray) images = NULL;
  g_autoptr(GError) error = NULL;

  /* Of this one there is none for another architecture, which no host may have. */
  os_image_service_list_images_async (image, "ubuntu", "24.04", NULL, provider_fixture_done_cb,
                                      fixture);
  images = os_image_service_list_images_finish (image, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (images->len, >, 0);
  return g_strdup (((OsImage *) g_ptr_array_index (images, 0))->id);
}

static OsPort *
make_port (ProviderFixture  *fixture,
           OsNetworkService *network)
{
  static const char *const no_groups[] = { NULL };
  g_autofree char *network_id = find_network (fixture, network);
  OsPortRequest request = {
    .network_id = network_id, .name = "welkin-test", .description = "welkin test",
    .security_group_ids = no_groups,
  };
  g_autoptr(GError) error = NULL;
  OsPort *port;

  os_network_service_create_port_async (network, &request, NULL, provider_fixture_done_cb,
                                        fixture);
  port = os_network_service_create_port_finish (network, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
  return port;
}

static OsServer *
get_server (ProviderFixture  *fixture,
            OsCompute        *compute,
            const char       *id,
            GError          **error)
{
  os_compute_get_server_async (compute, id, NULL, provider_fixture_done_cb, fixture);
  return os_compute_get_server_finish (compute, provider_fixture_wait (fixture), error);
}

static void
sleep_a_while (void)
{
  gboolean is_over = FALSE;

  g_timeout_add_once (200, (GSourceOnceFunc) g_atomic_int_inc, &is_over);
  while (!is_over)
    g_main_context_iteration (NULL, TRUE);
}

static OsServer *
wait_until_built (ProviderFixture *fixture,
                  OsCompute       *compute,
                  const char      *id)
{
  g_autoptr(OsServer) server = NULL;
  g_autoptr(GError) error = NULL;

  for (;;)
    {
      server = get_server (fixture, compute, id, &error);
      g_assert_no_error (error);
      if (!os_server_is_building (server))
        return g_steal_pointer (&server);
      g_clear_pointer (&server, os_server_free);
      sleep_a_while ();
    }
}

static void
wait_until_gone (ProviderFixture *fixture,
                 OsCompute       *compute,
                 const char      *id)
{
  for (;;)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(OsServer) server = get_server (fixture, compute, id, &error);

      if (server == NULL)
        {
          g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
          return;
        }
      if (os_server_is_gone (server))
        return;
      sleep_a_while ();
    }
}

static void
delete_server (ProviderFixture *fixture,
               OsCompute       *compute,
               const char      *id)
{
  g_autoptr(GError) error = NULL;

  os_compute_delete_server_async (compute, id, NULL, provider_fixture_done_cb, fixture);
  os_compute_delete_server_finish (compute, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
}

static void
test_server_from_birth_to_end (ProviderFixture *fixture,
                               gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsCompute) compute = os_compute_new (client);
  g_autoptr(OsNetworkService) network = os_network_service_new (client);
  g_autoptr(OsImageService) image = os_image_service_new (client);
  g_autoptr(GPtrArray) flavors = list_flavors (fixture, compute);
  g_autofree char *image_id = find_image (fixture, image);
  g_autoptr(OsPort) port = make_port (fixture, network);
  const char *ports[] = { port->id, NULL };
  g_autoptr(GHashTable) metadata = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr(GBytes) user_data = g_bytes_new_static ("#cloud-config\n", 14);
  OsServerRequest request = {
    .name = "welkin-test", .flavor_id = find_flavor (flavors, "m1.tiny")->id,
    .image_id = image_id, .port_ids = ports, .user_data = user_data, .metadata = metadata,
    .config_drive = -1,
  };
  g_autoptr(GError) error = NULL;
  g_autofree char *id = NULL;
  g_autofree char *console = NULL;
  g_autoptr(OsServer) server = NULL;
  g_autoptr(OsDetail) detail = NULL;
  g_autoptr(GPtrArray) addresses = NULL;

  g_hash_table_insert (metadata, (gpointer) "welkin-env-uuid", fixture->uuid);
  os_compute_create_server_async (compute, &request, NULL, provider_fixture_done_cb, fixture);
  id = os_compute_create_server_finish (compute, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);

  server = wait_until_built (fixture, compute, id);
  g_assert_cmpstr (server->status, ==, "ACTIVE");
  g_assert_cmpstr (server->name, ==, "welkin-test");
  g_assert_cmpstr (server->image->id, ==, image_id);
  g_assert_cmpstr (os_server_get_metadata (server, "welkin-env-uuid"), ==, fixture->uuid);
  detail = os_detail_new (server);
  addresses = os_detail_dup_addresses (detail, "");
  g_assert_cmpuint (addresses->len, >, 0);

  os_compute_get_console_output_async (compute, id, 10, NULL, provider_fixture_done_cb, fixture);
  console = os_compute_get_console_output_finish (compute, provider_fixture_wait (fixture),
                                                  &error);
  g_assert_no_error (error);
  g_assert_nonnull (console);

  delete_server (fixture, compute, id);
  wait_until_gone (fixture, compute, id);
  delete_server (fixture, compute, id);

  os_network_service_delete_port_async (network, port->id, NULL, provider_fixture_done_cb,
                                        fixture);
  os_network_service_delete_port_finish (network, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
}

static void
add (const char *path,
     void      (*test) (ProviderFixture *, gconstpointer))
{
  g_test_add (path, ProviderFixture, NULL, provider_fixture_set_up, test,
              provider_fixture_tear_down);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add ("/nova/flavors/listed-once-a-minute", test_flavors_are_listed_once_a_minute);
  add ("/nova/flavors/odd-ones-spoil-nothing", test_odd_flavors_spoil_nothing);
  add ("/nova/zones/say-whether-available", test_zones_say_whether_they_are_available);
  add ("/nova/zones/hidden-are-not-supported", test_hidden_zones_are_not_supported);
  g_test_add_func ("/nova/server/states", test_states_of_servers);
  g_test_add_func ("/nova/server/of-a-down-cell-lacks-most", test_server_of_a_down_cell_lacks_most);
  g_test_add_func ("/nova/server/on-a-volume-has-no-image", test_server_on_a_volume_has_no_image);
  g_test_add_func ("/defects/40/addresses-keep-order", test_addresses_keep_their_order_and_scope);
  g_test_add_func ("/defects/41/scope-of-addresses", test_addresses_keep_their_order_and_scope);
  add ("/nova/list/goes-through-all-pages", test_lists_go_through_all_pages);
  add ("/nova/list/endless-ends-with-an-error", test_endless_list_ends_with_an_error);
  add ("/nova/list/cut-page-is-asked-for-again", test_cut_page_is_asked_for_again);
  add ("/nova/list/refused-pattern-is-left-out", test_refused_pattern_is_left_out);
  add ("/nova/server/from-birth-to-end", test_server_from_birth_to_end);

  return provider_fixture_run ();
}
