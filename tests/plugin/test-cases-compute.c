/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environ-fixture.h"

#include "model/os-detail.h"
#include "services/os-compute.h"
#include "values/welkin-error.h"

/* What clouds did to clients in the field: machines. On the fake cloud alone. */

#define SERVERS "/compute/v2.1/servers"

/* Helpers. */

static WelkinStartResult *
start (EnvironFixture *fixture,
       const char     *machine_id,
       const char     *constraints)
{
  g_autoptr(GError) error = NULL;
  WelkinStartResult *result =
    environ_fixture_start (fixture, fixture->environ, machine_id, constraints, &error);

  g_assert_no_error (error);
  return result;
}

static const char *
get_id (WelkinStartResult *result)
{
  return welkin_instance_get_id (welkin_start_result_get_instance (result));
}

static GPtrArray *
list (EnvironFixture *fixture)
{
  g_autoptr(GError) error = NULL;
  GPtrArray *instances = environ_fixture_list (fixture, fixture->environ, &error);

  g_assert_no_error (error);
  return instances;
}

static gboolean
refresh (EnvironFixture *fixture,
         WelkinInstance *instance,
         GError        **error)
{
  welkin_instance_refresh_async (instance, NULL, provider_fixture_done_cb, &fixture->provider);
  return welkin_instance_refresh_finish (instance, provider_fixture_wait (&fixture->provider),
                                         error);
}

static guint
count_creates (EnvironFixture *fixture)
{
  return fake_log_count (fixture->provider.fake, "POST", SERVERS);
}

/* G23 */
static void
test_server_on_a_volume_spoils_no_list (EnvironFixture *fixture)
{
  g_autoptr(WelkinStartResult) first = start (fixture, "0", NULL);
  g_autoptr(WelkinStartResult) second = start (fixture, "1", "root-disk-source=volume");
  g_autoptr(WelkinStartResult) third = start (fixture, "2", NULL);
  g_autoptr(GPtrArray) instances = list (fixture);

  g_assert_cmpuint (instances->len, ==, 3);
  for (guint i = 0; i < instances->len; i++)
    {
      WelkinInstance *instance = g_ptr_array_index (instances, i);
      gint64 root_disk = welkin_hardware_get_root_disk (welkin_instance_get_hardware (instance));
      gboolean is_second = g_str_equal (welkin_instance_get_id (instance), get_id (second));

      /* The flavor's, and of a volume the list does not tell. */
      g_assert_cmpint (root_disk, ==, is_second ? -1 : 20 * 1024);
    }
  environ_fixture_assert_goes (fixture);
}

/* G24 */
static void
test_odd_flavors_are_read_as_meant (EnvironFixture *fixture)
{
  FakeCloud *fake = fixture->provider.fake;
  g_autofree char *body = g_strdup_printf (
    "{\"flavors\": ["
    "{\"id\": \"huge\", \"name\": \"huge\", \"swap\": \"\", \"disk\": 10, \"ram\": 3000000000, "
    "\"vcpus\": 1, \"rxtx_factor\": 1.0, \"OS-FLV-EXT-DATA:ephemeral\": 0}, "
    "{\"id\": %s, \"name\": \"image-sized\", \"swap\": \"\", \"disk\": 0, \"ram\": 2048, "
    "\"vcpus\": 2, \"rxtx_factor\": 1.0, \"OS-FLV-EXT-DATA:ephemeral\": 0}]}",
    fake_cloud_find (fake, "flavor", "m1.diskless"));
  FakeRule odd = { .method = "GET", .path = "/compute/v2.1/flavors/detail", .times = -1,
                   .action = FAKE_FAIL, .status = 200, .body = body };
  g_autoptr(WelkinStartResult) result = NULL;
  WelkinHardware *hardware;

  fake_cloud_add_rule (fake, &odd);
  result = start (fixture, "0", "cores=2 root-disk-source=volume");
  hardware = welkin_start_result_get_hardware (result);
  g_assert_cmpint (welkin_hardware_get_mem (hardware), ==, 2048);
  environ_fixture_assert_goes (fixture);
}

/* G25 */
static void
test_ids_may_be_numbers (EnvironFixture *fixture)
{
  FakeCloud *fake = fixture->provider.fake;
  FakeRule listed = { .method = "GET", .path = SERVERS "/detail", .times = -1, .action = FAKE_FAIL,
                      .status = 200,
                      .body = "{\"servers\": [{\"id\": 1234, \"name\": \"a\", \"status\": "
                              "\"ACTIVE\", \"flavor\": {\"id\": 5}}]}" };
  FakeRule deleted = { .method = "DELETE", .path = SERVERS "/1234", .action = FAKE_FAIL,
                       .status = 204, .body = "" };
  g_autoptr(OsClient) client = provider_fixture_make_client (&fixture->provider, NULL);
  g_autoptr(OsCompute) compute = os_compute_new (client);
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) servers = NULL;
  const OsServer *server;

  fake_cloud_add_rule (fake, &listed);
  fake_cloud_add_rule (fake, &deleted);
  os_compute_list_servers_async (compute, NULL, NULL, NULL, NULL, provider_fixture_done_cb,
                                 &fixture->provider);
  servers =
    os_compute_list_servers_finish (compute, provider_fixture_wait (&fixture->provider), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (servers->len, ==, 1);
  server = g_ptr_array_index (servers, 0);
  g_assert_cmpstr (server->id, ==, "1234");
  g_assert_cmpstr (server->flavor->id, ==, "5");
  os_compute_delete_server_async (compute, server->id, NULL, provider_fixture_done_cb,
                                  &fixture->provider);
  g_assert_true (os_compute_delete_server_finish (
    compute, provider_fixture_wait (&fixture->provider), &error));
  g_assert_cmpuint (fake_log_count (fake, "DELETE", SERVERS "/1234"), ==, 1);
}

/* G26 */
static void
test_address_without_a_type_is_one (EnvironFixture *fixture)
{
  static const struct
  {
    const char *addresses;
    const char *dns_name; /* NULL: none yet */
    guint       n;
  } cases[] = {
    { "{\"private\": [{\"version\": 4, \"addr\": \"10.181.64.154\"}], \"public\": [{\"version\": "
      "6, \"addr\": \"2001:db8::487\"}, {\"version\": 4, \"addr\": \"198.51.100.184\"}]}",
      "198.51.100.184", 3 },
    { "{\"private\": [{\"version\": 4, \"addr\": \"10.0.0.3\", \"OS-EXT-IPS-MAC:mac_addr\": "
      "\"fa:16:3e:00:00:01\"}]}",
      "10.0.0.3", 1 },
    { "{}", NULL, 0 },
    { "null", NULL, 0 },
  };
  g_autoptr(WelkinStartResult) result = start (fixture, "0", NULL);
  WelkinInstance *instance = welkin_start_result_get_instance (result);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *body = g_strdup_printf (
        "{\"server\": {\"id\": \"%s\", \"status\": \"ACTIVE\", \"addresses\": %s}}",
        get_id (result), cases[i].addresses);
      FakeRule told = { .method = "GET", .path = SERVERS "/*", .action = FAKE_FAIL, .status = 200,
                        .body = body };
      g_autoptr(GError) error = NULL;
      g_autofree char *name = NULL;

      fake_cloud_add_rule (fixture->provider.fake, &told);
      g_assert_true (refresh (fixture, instance, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (welkin_instance_get_addresses (instance)->len, ==, cases[i].n);
      name = welkin_instance_get_dns_name (instance, &error);
      g_assert_cmpstr (name, ==, cases[i].dns_name);
      if (name == NULL)
        g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NO_ADDRESS_YET);
    }
}

/* G27 */
static void
test_stopped_machines_do_not_vanish (EnvironFixture *fixture)
{
  static const struct
  {
    const char         *status;
    WelkinInstanceState state;
  } states[] = {
    { "SHUTOFF", WELKIN_INSTANCE_STOPPED }, { "SUSPENDED", WELKIN_INSTANCE_STOPPED },
    { "PAUSED", WELKIN_INSTANCE_STOPPED },  { "ACTIVE", WELKIN_INSTANCE_RUNNING },
  };
  g_autoptr(GPtrArray) instances = NULL;
  g_autoptr(GHashTable) ids = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);

  for (gsize i = 0; i < G_N_ELEMENTS (states); i++)
    {
      g_autofree char *machine_id = g_strdup_printf ("%u", (guint) i);
      g_autofree char *script = g_strdup_printf ("BUILD,ACTIVE,%s", states[i].status);
      g_autoptr(WelkinStartResult) result = NULL;

      fake_cloud_script_server (fixture->provider.fake, NULL, NULL, 1, script, 0, NULL);
      result = start (fixture, machine_id, NULL);
      g_hash_table_insert (ids, (gpointer) states[i].status, g_strdup (get_id (result)));
    }
  for (guint round = 0; round < 100; round++)
    g_main_context_iteration (NULL, FALSE);
  g_usleep (100 * 1000);

  instances = list (fixture);
  g_assert_cmpuint (instances->len, ==, G_N_ELEMENTS (states));
  for (gsize i = 0; i < G_N_ELEMENTS (states); i++)
    {
      const char *id = g_hash_table_lookup (ids, states[i].status);
      const char *wanted[] = { id, NULL };
      g_autoptr(GError) error = NULL;
      g_autoptr(WelkinInstances) found = NULL;
      WelkinInstance *instance;

      welkin_environ_find_instances_async (fixture->environ, wanted, NULL,
                                           provider_fixture_done_cb, &fixture->provider);
      found = welkin_environ_find_instances_finish (
        fixture->environ, provider_fixture_wait (&fixture->provider), &error);
      g_assert_no_error (error);
      instance = welkin_instances_lookup (found, id);
      g_assert_nonnull (instance);
      g_assert_cmpstr (welkin_instance_get_status (instance), ==, states[i].status);
      g_assert_cmpint (welkin_instance_get_state (instance), ==, states[i].state);
      environ_fixture_assert_stops (fixture, id);
    }
  environ_fixture_assert_goes (fixture);
}

/* G28 */
static void
test_server_in_error_ends_the_wait (EnvironFixture *fixture)
{
  FakeCloud *fake = fixture->provider.fake;
  g_autoptr(WelkinStartResult) second = NULL;
  g_autoptr(WelkinStartResult) none = NULL;
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) instances = NULL;

  environ_fixture_reopen (fixture, "availability-zones", "az1,az2", NULL);
  fake_cloud_script_server (fake, NULL, "az1", -1, "BUILD,BUILD,ERROR", 500,
                            "No valid host was found. M");
  second = start (fixture, "0", NULL);
  g_assert_cmpstr (
    welkin_hardware_get_availability_zone (welkin_start_result_get_hardware (second)), ==, "az2");
  instances = list (fixture);
  g_assert_cmpuint (instances->len, ==, 1);

  fake_cloud_script_server (fake, NULL, "az2", -1, "BUILD,BUILD,ERROR", 500, "M");
  none = environ_fixture_start (fixture, fixture->environ, "1", NULL, &error);
  g_assert_null (none);
  g_assert_true (g_str_has_prefix (error->message,
                                   "Cannot start machine 1: cannot create server: M (server "));
  g_assert_nonnull (strstr (error->message, "in zone az1: No valid host was found. M"));
  g_assert_nonnull (strstr (error->message, "in zone az2: M"));
  g_clear_pointer (&instances, g_ptr_array_unref);
  instances = list (fixture);
  g_assert_cmpuint (instances->len, ==, 1);
  environ_fixture_assert_goes (fixture);
}

/* G29 */
static void
test_name_filter_is_a_pattern (EnvironFixture *fixture)
{
  static const char *const strangers[] = {
    "welkin-prod2-machine-1", "old-welkin-prod-machine-1", "welkin-prod-machine-11",
    "welkin-prod-machine-1",
  };
  FakeCloud *fake = fixture->provider.fake;
  g_autoptr(WelkinStartResult) ours = NULL;
  g_autoptr(GPtrArray) instances = NULL;

  environ_fixture_reopen (fixture, "name", "prod", NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (strangers); i++)
    {
      g_autofree char *json =
        g_strdup_printf ("{'name': '%s', 'project': 'demo', 'network': 'private',"
                         " 'metadata': {'welkin-env-uuid': 'somebody', 'welkin-env': 'prod'}}",
                         strangers[i]);

      fake_cloud_add (fake, "server", json);
    }
  g_free (fixture->before);
  fixture->before = environ_fixture_take_inventory (fixture);
  ours = start (fixture, "1", NULL);
  instances = list (fixture);
  g_assert_cmpuint (instances->len, ==, 1);
  g_assert_cmpstr (welkin_instance_get_id (g_ptr_array_index (instances, 0)), ==, get_id (ours));
  environ_fixture_assert_goes (fixture);
}

/* G30 */
static void
test_next_link_is_only_a_query (EnvironFixture *fixture)
{
  FakeCloud *fake = fixture->provider.fake;
  g_autoptr(WelkinStartResult) first = start (fixture, "0", NULL);
  g_autoptr(WelkinStartResult) second = start (fixture, "1", NULL);
  g_autofree char *body = g_strdup_printf (
    "{\"servers\": [{\"id\": \"s1\", \"status\": \"ACTIVE\"}, {\"id\": \"s2\", \"status\": "
    "\"ACTIVE\"}], \"servers_links\": [{\"rel\": \"next\", \"href\": "
    "\"https://nova.cloud.invalid:1/v9/servers/detail?limit=2&marker=%s\"}]}",
    get_id (second));
  FakeRule page = { .method = "GET", .path = SERVERS "/detail", .action = FAKE_FAIL, .status = 200,
                    .body = body };
  g_autoptr(OsClient) client = provider_fixture_make_client (&fixture->provider, NULL);
  g_autoptr(OsCompute) compute = os_compute_new (client);
  g_autoptr(GPtrArray) servers = NULL;
  g_autoptr(GError) error = NULL;
  const FakeLogEntry *entry;

  fake_cloud_add_rule (fake, &page);
  os_compute_list_servers_async (compute, NULL, NULL, NULL, NULL, provider_fixture_done_cb,
                                 &fixture->provider);
  servers =
    os_compute_list_servers_finish (compute, provider_fixture_wait (&fixture->provider), &error);
  g_assert_no_error (error);
  /* Newest first: behind the second one there is the first. */
  g_assert_cmpuint (servers->len, ==, 3);
  entry = fake_log_find (fake, "GET", SERVERS "/detail");
  g_assert_nonnull (strstr (entry->query, "limit=2"));
  g_assert_nonnull (strstr (entry->query, "marker="));
  environ_fixture_assert_goes (fixture);
}

/* G31 */
static void
test_slow_build_leaves_one_server (EnvironFixture *fixture)
{
  FakeCloud *fake = fixture->provider.fake;
  FakeRule undeletable = { .method = "DELETE", .path = SERVERS "/*", .times = -1,
                           .action = FAKE_FAIL, .status = 403,
                           .body = "{\"forbidden\": {\"code\": 403, \"message\": \"No.\"}}" };
  g_autoptr(WelkinStartResult) none = NULL;
  g_autoptr(WelkinStartResult) result = NULL;
  g_autoptr(WelkinStartResult) kept = NULL;
  g_autoptr(GError) error = NULL;
  g_autoptr(GError) second_error = NULL;
  g_autoptr(GPtrArray) instances = NULL;

  environ_fixture_reopen (fixture, "availability-zones", "az1", "start-timeout", "20", NULL);
  fake_cloud_script_server (fake, NULL, NULL, 1, "BUILD", 0, NULL);
  none = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  g_assert_null (none);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT);
  environ_fixture_assert_clean (fixture);

  result = start (fixture, "0", NULL);
  instances = list (fixture);
  g_assert_cmpuint (instances->len, ==, 1);
  environ_fixture_assert_stops (fixture, get_id (result));

  /* What cannot be deleted is named beside the reason, which still counts. */
  fake_cloud_script_server (fake, NULL, NULL, 1, "BUILD", 0, NULL);
  fake_cloud_add_rule (fake, &undeletable);
  kept = environ_fixture_start (fixture, fixture->environ, "0", NULL, &second_error);
  g_assert_null (kept);
  g_assert_error (second_error, WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT);
  g_assert_nonnull (strstr (second_error->message, "left behind: server "));
}

/* G32 */
static void
test_server_deleted_behind_our_back (EnvironFixture *fixture)
{
  FakeCloud *fake = fixture->provider.fake;
  g_autoptr(WelkinStartResult) first = start (fixture, "0", NULL);
  g_autoptr(WelkinStartResult) second = start (fixture, "1", NULL);
  g_autoptr(GPtrArray) instances = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *expected =
    g_strdup_printf ("Cannot look at instance %s: ", get_id (first));

  fake_cloud_remove (fake, "server", get_id (first));
  g_assert_false (refresh (fixture, welkin_start_result_get_instance (first), &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  g_assert_true (g_str_has_prefix (error->message, expected));
  instances = list (fixture);
  g_assert_cmpuint (instances->len, ==, 1);
  environ_fixture_assert_stops (fixture, get_id (first));
  environ_fixture_assert_goes (fixture);
}

/* G33 */
static void
test_key_pairs_are_none_of_our_business (EnvironFixture *fixture)
{
  FakeCloud *fake = fixture->provider.fake;
  g_autoptr(WelkinStartResult) none = NULL;
  g_autoptr(WelkinStartResult) result = NULL;
  g_autoptr(GError) error = NULL;

  fake_cloud_add (fake, "keypair", "{'name': 'team-key'}");
  fake_cloud_script_server (fake, NULL, NULL, 1, "BUILD,ERROR", 500, "M");
  none = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  g_assert_null (none);
  result = start (fixture, "0", NULL);
  environ_fixture_assert_stops (fixture, get_id (result));
  g_assert_nonnull (fake_cloud_find (fake, "keypair", "team-key"));
  g_assert_cmpuint (fake_log_count (fake, NULL, "*keypairs*"), ==, 0);
}

static void
add_key (GString *keys)
{
  guint8 blob[4 + 11 + 4 + 32] = { 0, 0, 0, 11, 's', 's', 'h', '-', 'e', 'd', '2', '5', '5', '1',
                                   '9', 0, 0, 0, 32 };
  g_autofree char *text = NULL;

  for (gsize i = 19; i < sizeof blob; i++)
    blob[i] = (guint8) g_test_rand_int_range (0, 256);
  text = g_base64_encode (blob, sizeof blob);
  g_string_append_printf (keys, "ssh-ed25519 %s\n", text);
}

/* G34 */
static void
test_user_data_is_measured_first (EnvironFixture *fixture)
{
  FakeCloud *fake = fixture->provider.fake;
  g_autoptr(WelkinStartResult) result = start (fixture, "0", NULL);
  g_autoptr(WelkinStartResult) none = NULL;
  g_autoptr(GError) error = NULL;
  g_autoptr(GString) keys = g_string_new (NULL);
  const FakeLogEntry *entry = fake_log_find (fake, "POST", SERVERS);
  g_autoptr(JsonNode) root = wk_json_parse (entry->body, NULL);
  JsonObject *server = json_object_get_object_member (json_node_get_object (root), "server");
  g_autofree guchar *data = NULL;
  gsize length;

  data = g_base64_decode (json_object_get_string_member (server, "user_data"), &length);
  g_assert_cmpuint (length, >, 16);
  g_assert_true (data[0] == 0x1f || g_str_has_prefix ((char *) data, "#cloud-config"));

  /* Hardly anything that could be compressed. */
  for (guint i = 0; i < 2000; i++)
    add_key (keys);
  environ_fixture_reopen (fixture, "authorized-keys", keys->str, NULL);
  fake_log_clear (fake);
  none = environ_fixture_start (fixture, fixture->environ, "1", NULL, &error);
  g_assert_null (none);
  g_assert_nonnull (strstr (error->message, "the user data is too large: "));
  g_assert_nonnull (strstr (error->message, "49149"));
  g_assert_null (strstr (error->message, "ssh-ed25519"));
  g_assert_cmpuint (count_creates (fixture), ==, 0);
  g_assert_cmpuint (fake_log_count (fake, "POST", "/network/*"), ==, 0);
}

/* G35 */
static void
test_metadata_is_such_as_nova_takes (EnvironFixture *fixture)
{
  g_autoptr(GString) long_name = g_string_new (NULL);
  g_autoptr(WelkinStartResult) result = NULL;
  const FakeLogEntry *entry;
  g_autoptr(JsonNode) root = NULL;
  JsonObject *metadata;
  JsonObjectIter iter;
  const char *key;
  JsonNode *value;

  for (guint i = 0; i < 200; i++)
    g_string_append (long_name, "\303\251");
  environ_fixture_reopen (fixture, "name", long_name->str, NULL);
  result = start (fixture, "0", NULL);
  entry = fake_log_find (fixture->provider.fake, "POST", SERVERS);
  root = wk_json_parse (entry->body, NULL);
  metadata = json_object_get_object_member (
    json_object_get_object_member (json_node_get_object (root), "server"), "metadata");
  json_object_iter_init (&iter, metadata);
  while (json_object_iter_next (&iter, &key, &value))
    {
      g_assert_cmpint (json_node_get_value_type (value), ==, G_TYPE_STRING);
      g_assert_cmpint (g_utf8_strlen (json_node_get_string (value), -1), <=, 255);
      g_assert_true (g_regex_match_simple ("^[a-zA-Z0-9-_:. ]{1,255}$", key, 0, 0));
    }
  g_assert_cmpuint (json_object_get_size (metadata), ==, 5);
  environ_fixture_assert_goes (fixture);
}

/* G36 */
static void
test_several_networks_are_listed (EnvironFixture *fixture)
{
  FakeCloud *fake = fixture->provider.fake;
  const char *id = fake_cloud_add (fake, "network", "{'name': 'n2', 'project': 'demo'}");
  g_autoptr(WelkinStartResult) none = NULL;
  g_autoptr(WelkinStartResult) result = NULL;
  g_autoptr(GError) error = NULL;

  fake_cloud_add (fake, "subnet", "{'network': 'n2', 'cidr': '10.78.0.0/24'}");
  fake_cloud_update (fake, "network", "public", "{'availability_zones': []}");
  environ_fixture_reopen (fixture, "network", "", NULL);
  none = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  g_assert_null (none);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_AMBIGUOUS);
  g_assert_nonnull (strstr (error->message, "private"));
  g_assert_nonnull (strstr (error->message, "n2"));
  g_assert_nonnull (strstr (error->message, id));
  g_assert_true (strstr (error->message, "\"network\"") != NULL
                 || strstr (welkin_error_get_hint (error), "\"network\"") != NULL);
  g_assert_cmpuint (count_creates (fixture), ==, 0);

  environ_fixture_reopen (fixture, "network", "private", "external-network", "public", NULL);
  result = start (fixture, "0", NULL);
  g_assert_nonnull (
    welkin_address_select_public (welkin_instance_get_addresses (
      welkin_start_result_get_instance (result))));
}

/* What older designs got wrong. */

/* Each instance has a detail of its own. */
static void
test_refreshing_one_leaves_the_others (EnvironFixture *fixture)
{
  g_autoptr(WelkinStartResult) first = start (fixture, "0", NULL);
  g_autoptr(WelkinStartResult) second = start (fixture, "1", NULL);
  g_autofree char *body = g_strdup_printf (
    "{\"server\": {\"id\": \"%s\", \"status\": \"PAUSED\"}}", get_id (first));
  g_autofree char *path = g_strdup_printf (SERVERS "/%s", get_id (first));
  FakeRule paused = { .method = "GET", .path = path, .action = FAKE_FAIL, .status = 200,
                      .body = body };
  g_autoptr(GPtrArray) instances = list (fixture);
  WelkinInstance *one = g_ptr_array_index (instances, 0);
  WelkinInstance *other = g_ptr_array_index (instances, 1);
  g_autoptr(GError) error = NULL;

  if (!g_str_equal (welkin_instance_get_id (one), get_id (first)))
    {
      one = other;
      other = g_ptr_array_index (instances, 0);
    }
  fake_cloud_add_rule (fixture->provider.fake, &paused);
  g_assert_true (refresh (fixture, one, &error));
  g_assert_cmpstr (welkin_instance_get_status (one), ==, "PAUSED");
  g_assert_cmpstr (welkin_instance_get_status (other), ==, "ACTIVE");
  g_assert_cmpstr (welkin_instance_get_id (other), ==, get_id (second));
}

static void
message_changed_cb (WelkinProgress *progress,
                    GParamSpec     *pspec,
                    gpointer        user_data)
{
  g_string_append_printf (user_data, "%s\n", welkin_progress_get_message (progress));
}

/* Nobody is left to wonder what is waited for. */
static void
test_start_tells_what_it_is_at (EnvironFixture *fixture)
{
  g_autoptr(WelkinStartParams) params = environ_fixture_make_params ("0", NULL);
  g_autoptr(WelkinProgress) progress = welkin_progress_new ();
  g_autoptr(GString) messages = g_string_new (NULL);
  g_autoptr(WelkinStartResult) result = NULL;
  g_autoptr(GError) error = NULL;

  /* Slow enough for each message to be told. */
  fake_cloud_set (fixture->provider.fake, "latency", 250);
  fake_cloud_script_server (fixture->provider.fake, NULL, "az1", -1, "BUILD,ERROR", 500,
                            "No valid host was found.");
  g_signal_connect (progress, "notify::message", G_CALLBACK (message_changed_cb), messages);
  welkin_environ_start_instance_async (fixture->environ, params, progress, NULL,
                                       provider_fixture_done_cb, &fixture->provider);
  result = welkin_environ_start_instance_finish (
    fixture->environ, provider_fixture_wait (&fixture->provider), &error);
  g_assert_no_error (error);
  g_assert_cmpstr (messages->str, ==,
                   "Choosing image, flavor and networks\n"
                   "Setting up security groups\n"
                   "Creating ports\n"
                   "Waiting for the server in zone az1\n"
                   "Waiting for the server in zone az2, at try 2\n");
  g_assert_true (welkin_progress_get_finished (progress));
}

typedef void (*Test) (EnvironFixture *fixture);

static void
run_test (EnvironFixture *fixture,
          gconstpointer   data)
{
  Test test = (Test) data;

  if (!provider_fixture_needs_fake (&fixture->provider))
    test (fixture);
}

static void
add_test (const char *path,
          Test        test)
{
  g_test_add (path, EnvironFixture, test, environ_fixture_set_up, run_test,
              environ_fixture_tear_down);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add_test ("/cases/G23/server-on-a-volume", test_server_on_a_volume_spoils_no_list);
  add_test ("/cases/G24/odd-flavors", test_odd_flavors_are_read_as_meant);
  add_test ("/cases/G25/ids-as-numbers", test_ids_may_be_numbers);
  add_test ("/defects/43/ids-as-numbers", test_ids_may_be_numbers);
  add_test ("/cases/G26/address-without-type", test_address_without_a_type_is_one);
  add_test ("/cases/G27/stopped-machines", test_stopped_machines_do_not_vanish);
  add_test ("/cases/G28/server-in-error", test_server_in_error_ends_the_wait);
  add_test ("/cases/G29/name-filter", test_name_filter_is_a_pattern);
  add_test ("/cases/G30/next-link", test_next_link_is_only_a_query);
  add_test ("/cases/G31/slow-build", test_slow_build_leaves_one_server);
  add_test ("/cases/G32/deleted-behind-our-back", test_server_deleted_behind_our_back);
  add_test ("/cases/G33/key-pairs", test_key_pairs_are_none_of_our_business);
  add_test ("/cases/G34/user-data", test_user_data_is_measured_first);
  add_test ("/cases/G35/metadata", test_metadata_is_such_as_nova_takes);
  add_test ("/cases/G36/several-networks", test_several_networks_are_listed);
  add_test ("/defects/04/each-its-own-detail", test_refreshing_one_leaves_the_others);
  add_test ("/defects/44/progress", test_start_tells_what_it_is_at);

  return provider_fixture_run ();
}
