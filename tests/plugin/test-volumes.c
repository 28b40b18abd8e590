/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environ-fixture.h"

#include "services/os-block-storage.h"
#include "values/welkin-error.h"

#define SERVERS "/compute/v2.1/servers"
#define VOLUMES "/volume/v3/volumes"

/* On the fake cloud alone: the real one's block storage has no devices. */

static void
set_up (EnvironFixture *fixture,
        gconstpointer   data)
{
  environ_fixture_set_up (fixture, data);
  environ_fixture_reopen (fixture, "root-disk-source", "volume", NULL);
}

/* The call that made a server. */
static JsonObject *
get_server_body (EnvironFixture *fixture)
{
  const FakeLogEntry *entry = fake_log_find (fixture->provider.fake, "POST", SERVERS);
  g_autoptr(JsonNode) root = NULL;

  g_assert_nonnull (entry);
  root = wk_json_parse (entry->body, NULL);
  g_assert_nonnull (root);
  return json_object_ref (json_object_get_object_member (json_node_get_object (root), "server"));
}

static JsonObject *
get_mapping (JsonObject *server)
{
  JsonArray *mappings = json_object_get_array_member (server, "block_device_mapping_v2");

  g_assert_cmpuint (json_array_get_length (mappings), ==, 1);
  return json_array_get_object_element (mappings, 0);
}

/* Those with the mark of the environment. */
static GPtrArray *
list_marked (EnvironFixture *fixture)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (&fixture->provider, NULL);
  g_autoptr(OsBlockStorage) block_storage = os_block_storage_new (client);
  g_autoptr(GError) error = NULL;
  GPtrArray *volumes;

  os_block_storage_list_volumes_async (block_storage, "welkin-env-uuid", fixture->provider.uuid,
                                       NULL, provider_fixture_done_cb, &fixture->provider);
  volumes = os_block_storage_list_volumes_finish (
    block_storage, provider_fixture_wait (&fixture->provider), &error);
  g_assert_no_error (error);
  return volumes;
}

static void
stop (EnvironFixture    *fixture,
      WelkinStartResult *result)
{
  const char *ids[] = { welkin_instance_get_id (welkin_start_result_get_instance (result)), NULL };
  g_autoptr(GError) error = NULL;

  environ_fixture_stop (fixture, fixture->environ, ids, &error);
  g_assert_no_error (error);
}

static void
test_machine_boots_from_a_volume (EnvironFixture *fixture)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) result =
    environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  g_autoptr(JsonObject) server = NULL;
  g_autoptr(GPtrArray) volumes = NULL;
  JsonObject *mapping;
  const OsVolume *volume;

  g_assert_no_error (error);
  g_assert_cmpint (
    welkin_hardware_get_root_disk (welkin_start_result_get_hardware (result)), ==, 30 * 1024);
  server = get_server_body (fixture);
  g_assert_false (json_object_has_member (server, "imageRef"));
  mapping = get_mapping (server);
  g_assert_cmpint (json_object_get_int_member (mapping, "volume_size"), ==, 30);
  g_assert_cmpint (json_object_get_int_member (mapping, "boot_index"), ==, 0);
  g_assert_cmpstr (json_object_get_string_member (mapping, "source_type"), ==, "image");
  g_assert_cmpstr (json_object_get_string_member (mapping, "destination_type"), ==, "volume");
  g_assert_true (json_object_get_boolean_member (mapping, "delete_on_termination"));
  g_assert_false (json_object_has_member (mapping, "volume_type"));
  /* Nova 2.1 is enough. */
  g_assert_null (fake_log_entry_get_header (fake_log_find (fixture->provider.fake, "POST", SERVERS),
                                            "OpenStack-API-Version"));

  /* It is marked like its server. */
  volumes = list_marked (fixture);
  g_assert_cmpuint (volumes->len, ==, 1);
  volume = g_ptr_array_index (volumes, 0);
  g_assert_cmpint (volume->size, ==, 30);
  g_assert_cmpstr (os_volume_get_metadata (volume, "welkin-machine"), ==, "0");
  g_assert_nonnull (os_volume_get_metadata (volume, "welkin-start"));

  stop (fixture, result);
  g_assert_null (fake_cloud_find (fixture->provider.fake, "volume", ""));
  environ_fixture_assert_goes (fixture);
}

static void
test_size_and_type_go_along (EnvironFixture *fixture)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) result = NULL;
  g_autoptr(JsonObject) server = NULL;
  const FakeLogEntry *entry;

  environ_fixture_reopen (fixture, "root-disk-volume-type", "ssd", "root-disk-size", "20G", NULL);
  result = environ_fixture_start (fixture, fixture->environ, "0",
                                  "root-disk-source=volume root-disk=70.5G cores=2", &error);
  g_assert_no_error (error);
  server = get_server_body (fixture);
  g_assert_cmpint (json_object_get_int_member (get_mapping (server), "volume_size"), ==, 71);
  g_assert_cmpstr (json_object_get_string_member (get_mapping (server), "volume_type"), ==, "ssd");
  entry = fake_log_find (fixture->provider.fake, "POST", SERVERS);
  g_assert_cmpstr (fake_log_entry_get_header (entry, "OpenStack-API-Version"), ==, "compute 2.67");
  /* The smallest flavor with two cores has no such disk, and needs none. */
  g_assert_cmpint (
    welkin_hardware_get_root_disk (welkin_start_result_get_hardware (result)), ==, 71 * 1024);
  g_assert_cmpint (welkin_hardware_get_mem (welkin_start_result_get_hardware (result)), ==, 2048);
  stop (fixture, result);
  environ_fixture_assert_goes (fixture);
}

static void
assert_refused_early (EnvironFixture *fixture,
                      const char     *message)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) none =
    environ_fixture_start (fixture, fixture->environ, "0", "root-disk-source=volume", &error);

  g_assert_null (none);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED);
  g_assert_cmpstr (error->message, ==, message);
  g_assert_nonnull (welkin_error_get_hint (error));
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "POST", "/compute/*"), ==, 0);
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "POST", "/network/*"), ==, 0);
}

static void
test_cloud_without_block_storage (EnvironFixture *fixture)
{
  fake_cloud_remove (fixture->provider.fake, "endpoint", "cinder");
  assert_refused_early (fixture, "Cannot start machine 0: RegionOne has no block storage, so that "
                                 "no machine can boot from a volume");
}

static void
test_old_compute_knows_no_types (EnvironFixture *fixture)
{
  fake_cloud_set (fixture->provider.fake, "nova-max-microversion", 66);
  environ_fixture_reopen (fixture, "root-disk-volume-type", "ssd", NULL);
  assert_refused_early (fixture, "Cannot start machine 0: the compute service of RegionOne takes "
                                 "no type of volume to boot from, which needs its API version "
                                 "2.67");
}

static void
test_volume_that_nova_leaves_is_deleted (EnvironFixture *fixture)
{
  static const int microversions[] = { 93, 0 };
  FakeCloud *fake = fixture->provider.fake;

  fake_cloud_set (fake, "nova-leaves-volumes", TRUE);
  fake_cloud_add (fake, "volume", "{'name': 'data', 'project': 'demo'}");
  for (gsize i = 0; i < G_N_ELEMENTS (microversions); i++)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(WelkinStartResult) result = NULL;

      fake_cloud_set (fake, "nova-max-microversion", microversions[i]);
      environ_fixture_reopen (fixture, "root-disk-source", "volume", NULL);
      result = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
      g_assert_no_error (error);
      g_assert_nonnull (fake_cloud_find (fake, "volume", ""));
      stop (fixture, result);
    }
  g_assert_cmpuint (fake_log_count (fake, "DELETE", VOLUMES "/*"), ==, 2);
  /* What is somebody else's stays. */
  g_assert_nonnull (fake_cloud_find (fake, "volume", "data"));
  fake_cloud_remove (fake, "volume", "data");
  environ_fixture_assert_goes (fixture);
}

/* Its volumes are known through the server alone. */
static void
test_server_that_cannot_be_looked_at_stays (EnvironFixture *fixture)
{
  FakeCloud *fake = fixture->provider.fake;
  FakeRule busy = { .method = "GET", .path = SERVERS "/*", .skip = 1, .times = -1,
                    .action = FAKE_FAIL, .status = 503, .body = "Service Unavailable" };
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) result =
    environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  const char *ids[2] = { NULL };

  g_assert_no_error (error);
  fake_cloud_set (fake, "nova-leaves-volumes", TRUE);
  ids[0] = welkin_instance_get_id (welkin_start_result_get_instance (result));
  fake_cloud_add_rule (fake, &busy);
  g_assert_false (environ_fixture_stop (fixture, fixture->environ, ids, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAVAILABLE);
  g_assert_cmpuint (fake_log_count (fake, "DELETE", SERVERS "/*"), ==, 0);

  fake_cloud_clear_rules (fake);
  stop (fixture, result);
  g_assert_cmpuint (fake_log_count (fake, "DELETE", VOLUMES "/*"), ==, 1);
  environ_fixture_assert_goes (fixture);
}

static void
test_failed_start_leaves_no_volume (EnvironFixture *fixture)
{
  FakeCloud *fake = fixture->provider.fake;
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) none = NULL;

  fake_cloud_set (fake, "nova-leaves-volumes", TRUE);
  fake_cloud_script_server (fake, NULL, NULL, 1, "BUILD,ERROR", 500, "The disk caught fire.");
  none = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  g_assert_null (none);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INSTANCE_FAILED);
  g_assert_cmpuint (fake_log_count (fake, "DELETE", VOLUMES "/*"), ==, 1);
  environ_fixture_assert_clean (fixture);
}

static void
test_lost_answer_leaves_one_volume (EnvironFixture *fixture)
{
  FakeCloud *fake = fixture->provider.fake;
  FakeRule lost = { .method = "POST", .path = SERVERS, .action = FAKE_DROP_AFTER };
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) result = NULL;
  g_autoptr(GPtrArray) volumes = NULL;

  fake_cloud_add_rule (fake, &lost);
  result = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  g_assert_no_error (error);
  volumes = list_marked (fixture);
  g_assert_cmpuint (volumes->len, ==, 1);
  stop (fixture, result);
  environ_fixture_assert_goes (fixture);
}

static void
test_used_up_quota_of_volumes (EnvironFixture *fixture)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) none = NULL;

  fake_cloud_set_quota (fixture->provider.fake, "demo", "volumes", 0);
  none = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  g_assert_null (none);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_QUOTA_EXCEEDED);
  g_assert_true (welkin_error_is_zone_independent (error));
  g_assert_nonnull (strstr (error->message, "Maximum number of volumes allowed (0) exceeded"));
  environ_fixture_assert_clean (fixture);
}

/* Whoever stopped it did not live to see its volume gone. */
static void
test_destroy_takes_what_is_marked (EnvironFixture *fixture)
{
  FakeCloud *fake = fixture->provider.fake;
  g_autofree char *ours =
    g_strdup_printf ("{'name': 'ours', 'project': 'demo', 'metadata': {'welkin-env-uuid': '%s'}}",
                     fixture->provider.uuid);
  g_autoptr(GError) error = NULL;

  fake_cloud_add (fake, "volume", ours);
  fake_cloud_add (fake, "volume", "{'name': 'theirs', 'project': 'demo', 'metadata': "
                                  "{'welkin-env-uuid': 'somebody'}}");
  environ_fixture_destroy (fixture, fixture->environ, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fake_log_count (fake, "DELETE", VOLUMES "/*"), ==, 1);
  g_assert_nonnull (fake_cloud_find (fake, "volume", "theirs"));
}

static void
test_volume_in_use_is_named (EnvironFixture *fixture)
{
  FakeCloud *fake = fixture->provider.fake;
  g_autofree char *ours = g_strdup_printf (
    "{'name': 'ours', 'project': 'demo', 'status': 'in-use',"
    " 'metadata': {'welkin-env-uuid': '%s'}}",
    fixture->provider.uuid);
  const char *id = fake_cloud_add (fake, "volume", ours);
  g_autofree char *prefix =
    g_strdup_printf ("Cannot destroy environment test: cannot delete volume %s: ", id);
  g_autoptr(GError) error = NULL;

  environ_fixture_destroy (fixture, fixture->environ, &error);
  g_assert_nonnull (error);
  g_test_message ("%s", error->message);
  g_assert_true (g_str_has_prefix (error->message, prefix));
  g_assert_nonnull (fake_cloud_find (fake, "volume", "ours"));
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
  g_test_add (path, EnvironFixture, test, set_up, run_test, environ_fixture_tear_down);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add_test ("/volumes/boot", test_machine_boots_from_a_volume);
  add_test ("/volumes/size-and-type", test_size_and_type_go_along);
  add_test ("/volumes/no-block-storage", test_cloud_without_block_storage);
  add_test ("/volumes/old-compute", test_old_compute_knows_no_types);
  add_test ("/volumes/left-behind/stop", test_volume_that_nova_leaves_is_deleted);
  add_test ("/volumes/left-behind/unseen", test_server_that_cannot_be_looked_at_stays);
  add_test ("/volumes/left-behind/failed-start", test_failed_start_leaves_no_volume);
  add_test ("/volumes/left-behind/destroy", test_destroy_takes_what_is_marked);
  add_test ("/volumes/left-behind/in-use", test_volume_in_use_is_named);
  add_test ("/volumes/lost-answer", test_lost_answer_leaves_one_volume);
  add_test ("/volumes/quota", test_used_up_quota_of_volumes);

  return provider_fixture_run ();
}
