/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>

#include "contracts/welkin-introspector.h"
#include "environ-fixture.h"
#include "os-provider.h"
#include "values/welkin-error.h"

/* What a machine learns of itself, from a service that knows two of them. */
typedef struct
{
  EnvironFixture  environ;
  const char     *plain_id;  /* without a public address */
  const char     *marked_id; /* that has the address in its own mark alone */
  char           *drive;     /* (owned) an empty directory */
} Fixture;

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  g_autoptr(GError) error = NULL;
  FakeCloud *fake;

  environ_fixture_set_up (&fixture->environ, data);
  fake = fixture->environ.provider.fake;
  if (fake == NULL)
    return;
  fixture->plain_id = fake_cloud_add (fake, "server",
                                      "{'name': 'a', 'project': 'demo', 'network': 'private'}");
  fixture->marked_id = fake_cloud_add (
    fake, "server",
    "{'name': 'b', 'project': 'demo', 'network': 'private',"
    " 'metadata': {'welkin-fip': '203.0.113.9'}}");
  fixture->drive = g_dir_make_tmp ("welkin-drive-XXXXXX", &error);
  g_assert_no_error (error);
}

static void
remove_file (Fixture    *fixture,
             const char *name)
{
  g_autofree char *path = g_build_filename (fixture->drive, name, NULL);

  g_remove (path);
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  static const char *const names[] = {
    "openstack/latest/meta_data.json", "openstack/latest", "openstack",
    "ec2/latest/meta-data.json", "ec2/latest", "ec2", "",
  };

  for (guint i = 0; fixture->drive != NULL && i < G_N_ELEMENTS (names); i++)
    remove_file (fixture, names[i]);
  g_free (fixture->drive);
  environ_fixture_tear_down (&fixture->environ, data);
}

static void
write_file (Fixture    *fixture,
            const char *name,
            const char *text)
{
  g_autofree char *path = g_build_filename (fixture->drive, name, NULL);
  g_autofree char *directory = g_path_get_dirname (path);
  g_autoptr(GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (directory, 0700), ==, 0);
  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
}

/* (transfer full) */
static WelkinSurroundings *
make_surroundings (Fixture    *fixture,
                   const char *url,
                   gboolean    has_drive)
{
  const char *scale = welkin_surroundings_get_variable (fixture->environ.provider.surroundings,
                                                        "WELKIN_TIME_SCALE");
  g_auto(GStrv) variables = g_environ_setenv (NULL, "WELKIN_METADATA_URL", url, TRUE);

  variables = g_environ_setenv (variables, "WELKIN_TIME_SCALE", scale, TRUE);
  variables = g_environ_setenv (variables, "http_proxy", "http://127.0.0.1:1", TRUE);
  variables = g_environ_setenv (variables, "all_proxy", "http://127.0.0.1:1", TRUE);
  if (has_drive)
    variables = g_environ_setenv (variables, "WELKIN_CONFIG_DRIVE", fixture->drive, TRUE);
  return welkin_surroundings_new ((const char *const *) variables, "/");
}

static WelkinOwnMachine *
load_from (Fixture      *fixture,
           const char   *url,
           gboolean      has_drive,
           GCancellable *cancellable,
           GError      **error)
{
  g_autoptr(WelkinSurroundings) surroundings = make_surroundings (fixture, url, has_drive);
  g_autoptr(WelkinIntrospector) introspector = g_object_new (OS_TYPE_PROVIDER, NULL);

  welkin_introspector_load_own_machine_async (introspector, surroundings, cancellable,
                                              provider_fixture_done_cb, &fixture->environ.provider);
  return welkin_introspector_load_own_machine_finish (
    introspector, provider_fixture_wait (&fixture->environ.provider), error);
}

/* (transfer full) */
static char *
make_url (Fixture    *fixture,
          const char *server_id)
{
  return g_strdup_printf ("%s/metadata/%s", fake_cloud_get_url (fixture->environ.provider.fake),
                          server_id);
}

static WelkinOwnMachine *
load (Fixture    *fixture,
      const char *server_id,
      GError    **error)
{
  g_autofree char *url = make_url (fixture, server_id);

  return load_from (fixture, url, FALSE, NULL, error);
}

static const char *
get_private (WelkinOwnMachine *machine)
{
  return welkin_address_get_value (welkin_own_machine_get_private_address (machine));
}

static const char *
get_public (WelkinOwnMachine *machine)
{
  return welkin_address_get_value (welkin_own_machine_get_public_address (machine));
}

/* What the rule makes of one answer is an error of that kind, which names the URL. */
static void
assert_refused (Fixture        *fixture,
                const FakeRule *rule,
                WelkinError     code,
                const char     *cause)
{
  g_autofree char *url = make_url (fixture, fixture->plain_id);
  g_autoptr(WelkinOwnMachine) machine = NULL;
  g_autoptr(GError) error = NULL;

  fake_cloud_clear_rules (fixture->environ.provider.fake);
  fake_cloud_add_rule (fixture->environ.provider.fake, rule);
  machine = load (fixture, fixture->plain_id, &error);
  g_assert_error (error, WELKIN_ERROR, (int) code);
  g_assert_null (machine);
  g_assert_nonnull (strstr (error->message, url));
  g_assert_nonnull (strstr (error->message, cause));
}

static void
test_a_machine_learns_its_id_and_addresses (Fixture      *fixture,
                                            gconstpointer data)
{
  const FakeRule rule = {
    .path = "*/public-ipv4", .action = FAKE_FAIL, .status = 200, .body = " 203.0.113.7\n",
  };
  g_autoptr(WelkinOwnMachine) machine = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->environ.provider))
    return;
  fake_cloud_set (fixture->environ.provider.fake, "latency", 50);
  fake_cloud_add_rule (fixture->environ.provider.fake, &rule);
  machine = load (fixture, fixture->marked_id, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (welkin_own_machine_get_instance_id (machine), ==, fixture->marked_id);
  g_assert_true (g_str_has_prefix (get_private (machine), "10."));
  g_assert_cmpstr (get_public (machine), ==, "203.0.113.7");
  g_assert_true (g_str_has_prefix (welkin_own_machine_get_zone (machine), "az"));
  g_assert_cmpuint (fake_log_round_trips (fixture->environ.provider.fake, NULL), ==, 1);
  g_assert_cmpuint (fake_log_count (fixture->environ.provider.fake, NULL, "*"), ==, 3);
}

static void
test_a_started_machine_learns_its_floating_address (Fixture      *fixture,
                                                    gconstpointer data)
{
  g_autoptr(WelkinStartResult) result = NULL;
  g_autoptr(WelkinOwnMachine) machine = NULL;
  g_autoptr(GError) error = NULL;
  const char *id;

  if (provider_fixture_needs_fake (&fixture->environ.provider))
    return;
  result = environ_fixture_start (&fixture->environ, fixture->environ.environ, "1", NULL, &error);
  g_assert_no_error (error);
  id = welkin_instance_get_id (welkin_start_result_get_instance (result));
  machine = load (fixture, id, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (welkin_own_machine_get_instance_id (machine), ==, id);
  g_assert_true (g_str_has_prefix (get_private (machine), "10."));
  g_assert_true (g_str_has_prefix (get_public (machine), "203.0.113.")
                 || g_str_has_prefix (get_public (machine), "198.51.100."));
}

static void
test_a_missing_public_address_is_the_marked_one_or_the_private (Fixture      *fixture,
                                                                gconstpointer data)
{
  const FakeRule missing = {
    .path = "*/public-ipv4", .times = -1, .action = FAKE_FAIL, .status = 404,
  };
  g_autoptr(WelkinOwnMachine) marked = NULL;
  g_autoptr(WelkinOwnMachine) plain = NULL;
  g_autoptr(WelkinOwnMachine) unknown = NULL;
  g_autoptr(WelkinOwnMachine) of_nova = NULL;
  g_autoptr(GError) error = NULL;
  const char *id;

  if (provider_fixture_needs_fake (&fixture->environ.provider))
    return;
  id = fake_cloud_add (fixture->environ.provider.fake, "server",
                       "{'name': 'c', 'project': 'demo', 'network': 'private',"
                       " 'metadata': {'welkin-fip': '17'}}");
  of_nova = load (fixture, id, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (get_public (of_nova), ==, get_private (of_nova));
  marked = load (fixture, fixture->marked_id, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (get_public (marked), ==, "203.0.113.9");
  plain = load (fixture, fixture->plain_id, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (get_public (plain), ==, get_private (plain));
  fake_cloud_add_rule (fixture->environ.provider.fake, &missing);
  unknown = load (fixture, fixture->plain_id, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (get_public (unknown), ==, get_private (unknown));
}

static void
test_what_is_not_found_three_times_is_not_there (Fixture      *fixture,
                                                 gconstpointer data)
{
  const FakeRule rule = {
    .path = "*/local-ipv4", .times = -1, .action = FAKE_FAIL, .status = 404,
  };

  if (provider_fixture_needs_fake (&fixture->environ.provider))
    return;
  assert_refused (fixture, &rule, WELKIN_ERROR_NOT_FOUND, "404");
  g_assert_cmpuint (fake_log_count (fixture->environ.provider.fake, NULL, "*/local-ipv4"), ==, 3);
}

static void
test_a_service_that_fails_is_asked_again (Fixture      *fixture,
                                          gconstpointer data)
{
  const FakeRule failing = {
    .path = "/metadata/*", .times = 12, .action = FAKE_FAIL, .status = 500,
  };
  const FakeRule late = { .path = "*/local-ipv4", .times = 2, .action = FAKE_FAIL, .status = 404 };
  g_autoptr(WelkinOwnMachine) machine = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->environ.provider))
    return;
  fake_cloud_add_rule (fixture->environ.provider.fake, &failing);
  fake_cloud_add_rule (fixture->environ.provider.fake, &late);
  machine = load (fixture, fixture->plain_id, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (welkin_own_machine_get_instance_id (machine), ==, fixture->plain_id);
}

/* A try that nobody answers ends by itself, and there is time for another. */
static void
test_a_service_that_is_silent_is_asked_again (Fixture      *fixture,
                                              gconstpointer data)
{
  const FakeRule silent = { .path = "*/local-ipv4", .times = 1, .action = FAKE_HANG };
  g_autoptr(OsClient) client = provider_fixture_make_client (&fixture->environ.provider, NULL);
  WkClock *clock = os_client_get_clock (client);
  g_autoptr(WelkinOwnMachine) machine = NULL;
  g_autoptr(GError) error = NULL;
  double begin = wk_clock_get_seconds (clock);

  if (provider_fixture_needs_fake (&fixture->environ.provider))
    return;
  fake_cloud_add_rule (fixture->environ.provider.fake, &silent);
  machine = load (fixture, fixture->plain_id, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (welkin_own_machine_get_instance_id (machine), ==, fixture->plain_id);
  g_assert_cmpuint (fake_log_count (fixture->environ.provider.fake, NULL, "*/local-ipv4"), ==, 2);
  g_assert_cmpfloat (wk_clock_get_seconds (clock) - begin, <, 60);
}

static void
test_answers_that_make_no_sense_are_refused (Fixture      *fixture,
                                             gconstpointer data)
{
  g_autofree char *deep = g_strnfill (100000, '[');
  g_autofree char *huge = g_strnfill (3 * 1024 * 1024, ' ');
  const struct
  {
    FakeRule    rule;
    const char *cause;
  } answers[] = {
    { { .path = "*/local-ipv4", .body = "<html>", .content_type = "text/html" }, "web page" },
    { { .path = "*/local-ipv4", .body = "<html>" }, "not an IP address" },
    { { .path = "*/public-ipv4", .body = "nobody" }, "not an IP address" },
    { { .path = "*/meta_data.json", .body = huge }, "longer than" },
    { { .path = "*/meta_data.json", .body = deep }, "meta_data.json" },
    { { .path = "*/meta_data.json", .body = "[]" }, "expected an object" },
    { { .path = "*/meta_data.json", .body = "{}" }, "\"uuid\" is missing" },
    { { .path = "*/meta_data.json", .body = "{\"uuid\": 3, \"meta\": []}" },
      "\"uuid\" is missing" },
  };

  if (provider_fixture_needs_fake (&fixture->environ.provider))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      FakeRule rule = answers[i].rule;

      rule.times = -1;
      rule.action = FAKE_FAIL;
      rule.status = 200;
      assert_refused (fixture, &rule, WELKIN_ERROR_PROTOCOL, answers[i].cause);
    }
}

static void
test_a_machine_without_an_address_is_told_so (Fixture      *fixture,
                                              gconstpointer data)
{
  const FakeRule rule = {
    .path = "*/local-ipv4", .times = -1, .action = FAKE_FAIL, .status = 200, .body = "\n",
  };

  if (provider_fixture_needs_fake (&fixture->environ.provider))
    return;
  assert_refused (fixture, &rule, WELKIN_ERROR_NO_ADDRESSES, "no address");
}

static void
test_where_nobody_listens_the_search_ends (Fixture      *fixture,
                                           gconstpointer data)
{
  g_autoptr(WelkinOwnMachine) machine = NULL;
  g_autoptr(GError) error = NULL;
  gint64 begin = g_get_monotonic_time ();

  if (provider_fixture_needs_fake (&fixture->environ.provider))
    return;
  machine = load_from (fixture, "http://127.0.0.1:1", FALSE, NULL, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAVAILABLE);
  g_assert_null (machine);
  g_assert_nonnull (strstr (error->message, "http://127.0.0.1:1/"));
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 20 * G_USEC_PER_SEC);
}

static void
test_the_config_drive_comes_first (Fixture      *fixture,
                                   gconstpointer data)
{
  g_autoptr(WelkinOwnMachine) machine = NULL;
  g_autoptr(WelkinOwnMachine) other = NULL;
  g_autofree char *url = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->environ.provider))
    return;
  url = make_url (fixture, fixture->plain_id);
  other = load_from (fixture, url, TRUE, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (welkin_own_machine_get_instance_id (other), ==, fixture->plain_id);

  fake_log_clear (fixture->environ.provider.fake);
  write_file (fixture, "openstack/latest/meta_data.json",
              "{\"uuid\": \"of-the-drive\", \"availability_zone\": \"z\"}");
  write_file (fixture, "ec2/latest/meta-data.json",
              "{\"instance-id\": \"i-1\", \"local-ipv4\": \"10.9.9.9\", \"public-ipv4\": \"\"}");
  machine = load_from (fixture, url, TRUE, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (welkin_own_machine_get_instance_id (machine), ==, "of-the-drive");
  g_assert_cmpstr (get_private (machine), ==, "10.9.9.9");
  g_assert_cmpstr (get_public (machine), ==, "10.9.9.9");
  g_assert_cmpstr (welkin_own_machine_get_zone (machine), ==, "z");
  g_assert_cmpuint (fake_log_count (fixture->environ.provider.fake, NULL, "*"), ==, 0);
}

static void
test_the_service_tells_what_the_config_drive_lacks (Fixture      *fixture,
                                                    gconstpointer data)
{
  g_autoptr(WelkinOwnMachine) machine = NULL;
  g_autofree char *url = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->environ.provider))
    return;
  url = make_url (fixture, fixture->plain_id);
  write_file (fixture, "openstack/latest/meta_data.json", "{\"uuid\": \"of-the-drive\"}");
  machine = load_from (fixture, url, TRUE, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (welkin_own_machine_get_instance_id (machine), ==, "of-the-drive");
  g_assert_true (g_str_has_prefix (get_private (machine), "10."));
  g_assert_cmpuint (fake_log_count (fixture->environ.provider.fake, NULL, "*/meta_data.json"), ==,
                    0);
}

static void
test_a_broken_config_drive_is_named (Fixture      *fixture,
                                     gconstpointer data)
{
  g_autoptr(WelkinOwnMachine) machine = NULL;
  g_autofree char *url = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->environ.provider))
    return;
  url = make_url (fixture, fixture->plain_id);
  write_file (fixture, "openstack/latest/meta_data.json", "{\"uuid\": ");
  machine = load_from (fixture, url, TRUE, NULL, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  g_assert_null (machine);
  g_assert_nonnull (strstr (error->message, "/openstack/latest/meta_data.json: "));
}

static gboolean
cancel_cb (gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
  return G_SOURCE_REMOVE;
}

static void
test_the_search_can_be_cancelled (Fixture      *fixture,
                                  gconstpointer data)
{
  const FakeRule silent = { .path = "/metadata/*", .times = -1, .action = FAKE_HANG };
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(WelkinOwnMachine) machine = NULL;
  g_autofree char *url = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->environ.provider))
    return;
  url = make_url (fixture, fixture->plain_id);
  fake_cloud_add_rule (fixture->environ.provider.fake, &silent);
  g_timeout_add (50, cancel_cb, cancellable);
  machine = load_from (fixture, url, FALSE, cancellable, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (machine);
}

static void
add (const char *path,
     void      (*test) (Fixture *, gconstpointer))
{
  g_test_add (path, Fixture, NULL, set_up, test, tear_down);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  add ("/own-machine/learns-its-id-and-addresses", test_a_machine_learns_its_id_and_addresses);
  add ("/own-machine/floating-address", test_a_started_machine_learns_its_floating_address);
  add ("/own-machine/missing-public-address",
       test_a_missing_public_address_is_the_marked_one_or_the_private);
  add ("/defects/28/not-found-three-times", test_what_is_not_found_three_times_is_not_there);
  add ("/own-machine/failing-service-is-asked-again", test_a_service_that_fails_is_asked_again);
  add ("/defects/28/silent-service-is-asked-again", test_a_service_that_is_silent_is_asked_again);
  add ("/own-machine/senseless-answers", test_answers_that_make_no_sense_are_refused);
  add ("/own-machine/no-address", test_a_machine_without_an_address_is_told_so);
  add ("/own-machine/nobody-listens", test_where_nobody_listens_the_search_ends);
  add ("/own-machine/config-drive-comes-first", test_the_config_drive_comes_first);
  add ("/own-machine/config-drive-without-addresses",
       test_the_service_tells_what_the_config_drive_lacks);
  add ("/own-machine/broken-config-drive", test_a_broken_config_drive_is_named);
  add ("/own-machine/cancelled", test_the_search_can_be_cancelled);
  return provider_fixture_run ();
}
