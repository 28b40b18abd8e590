/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environ-fixture.h"

#include "operations/failure-text.h"
#include "values/welkin-error.h"

#define FULL "No valid host was found. There are not enough hosts available."

static const char *
get_zone (WelkinStartResult *result)
{
  return welkin_hardware_get_availability_zone (welkin_start_result_get_hardware (result));
}

static const char *
get_id (WelkinStartResult *result)
{
  return welkin_instance_get_id (welkin_start_result_get_instance (result));
}

static WelkinStartResult *
start_placed (EnvironFixture *fixture,
              const char     *machine_id,
              const char     *placement,
              GError        **error)
{
  g_autoptr(WelkinStartParams) bare = environ_fixture_make_params (machine_id, NULL);
  g_autoptr(WelkinStartParams) params = welkin_start_params_with_placement (bare, placement);

  return environ_fixture_start_params (fixture, fixture->environ, params, error);
}

/* Zones and flavors. */

static void
test_next_zone_is_tried_when_one_is_full (EnvironFixture *fixture,
                                          gconstpointer   data)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) result = NULL;
  g_autoptr(GPtrArray) instances = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_script_server (fixture->provider.fake, NULL, "az1", -1, "BUILD,ERROR", 500, FULL);
  result = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (get_zone (result), ==, "az2");
  /* The server of the first zone is gone. */
  instances = environ_fixture_list (fixture, fixture->environ, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (instances->len, ==, 1);
}

/* The text without what is different each time. */
static char *
drop_server_ids (const char *text)
{
  g_autoptr(GRegex) regex = g_regex_new ("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", 0, 0, NULL);

  return g_regex_replace_literal (regex, text, -1, 0, "ID", 0, NULL);
}

static void
test_no_zone_with_room_tells_all_reasons (EnvironFixture *fixture,
                                          gconstpointer   data)
{
  FakeCloud *fake = fixture->provider.fake;
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) result = NULL;
  g_autofree char *text = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_script_server (fake, NULL, "az1", -1, "ERROR", 500, "No valid host was found. a");
  fake_cloud_script_server (fake, NULL, "az2", -1, "ERROR", 500, "Exhausted all hosts. b");
  fake_cloud_script_server (fake, NULL, "az3", -1, "ERROR", 500, "No valid host was found. c");
  result = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  g_assert_null (result);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NO_VALID_HOST);
  text = drop_server_ids (error->message);
  g_assert_cmpstr (text, ==,
                   "Cannot start machine 0: cannot create server: No valid host was found. c "
                   "(server ID)\n"
                   "What was tried:\n"
                   "  flavor m1.small in zone az1: No valid host was found. a (server ID)\n"
                   "  flavor m1.small in zone az2: Exhausted all hosts. b (server ID)\n"
                   "  flavor m1.small in zone az3: No valid host was found. c (server ID)");
  g_assert_false (welkin_error_is_zone_independent (error));
  g_assert_nonnull (welkin_error_get_hint (error));
  environ_fixture_assert_clean (fixture);
}

static void
test_flavors_just_alike_are_tried_in_each_zone (EnvironFixture *fixture,
                                                gconstpointer   data)
{
  FakeCloud *fake = fixture->provider.fake;
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) result = NULL;
  const char *seen[4];
  guint n_seen = 0;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  /* As clouds with hosts of two makes have them. */
  fake_cloud_add (fake, "flavor", "{'name': 'm1.small.amd', 'ram': 2048, 'vcpus': 1, 'disk': 20}");
  fake_cloud_add (fake, "flavor", "{'name': 'm1.small.fat', 'ram': 2048, 'vcpus': 1, 'disk': 21}");
  fake_cloud_script_server (fake, NULL, NULL, 3, "BUILD,ERROR", 500, FULL);
  result = environ_fixture_start (fixture, fixture->environ, "0", "zones=az1,az2", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (get_zone (result), ==, "az2");

  for (guint i = 0; i < fake_log_get_entries (fake)->len; i++)
    {
      const FakeLogEntry *entry = g_ptr_array_index (fake_log_get_entries (fake), i);
      const char *body;

      if (!g_str_equal (entry->method, "POST") || !g_str_has_suffix (entry->path, "/servers"))
        continue;
      body = g_bytes_get_data (entry->body, NULL);
      g_assert_cmpuint (n_seen, <, G_N_ELEMENTS (seen));
      seen[n_seen++] = g_strstr_len (body, g_bytes_get_size (entry->body), "\"flavorRef\"");
    }
  g_assert_cmpuint (n_seen, ==, 4);
  g_assert_true (strncmp (seen[0], seen[1], 20) != 0);
  g_assert_true (strncmp (seen[0], seen[2], 20) == 0);
  g_assert_true (strncmp (seen[1], seen[3], 20) == 0);
}

static void
test_zone_that_is_slow_is_left_once (EnvironFixture *fixture,
                                     gconstpointer   data)
{
  FakeCloud *fake = fixture->provider.fake;
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) second = NULL;
  g_autoptr(WelkinStartResult) none = NULL;
  g_autoptr(GPtrArray) instances = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  environ_fixture_reopen (fixture, "start-timeout", "20", NULL);
  fake_cloud_script_server (fake, NULL, "az1", -1, "BUILD", 0, NULL);
  second = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (get_zone (second), ==, "az2");
  instances = environ_fixture_list (fixture, fixture->environ, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (instances->len, ==, 1);

  /* Nobody waits a third time. */
  fake_cloud_script_server (fake, NULL, NULL, -1, "BUILD", 0, NULL);
  none = environ_fixture_start (fixture, fixture->environ, "1", NULL, &error);
  g_assert_null (none);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT);
  g_assert_nonnull (strstr (error->message, "is still in state BUILD after 20 seconds"));
  g_assert_nonnull (strstr (error->message, "  flavor m1.small in zone az1: server "));
  g_assert_nonnull (strstr (error->message, "  flavor m1.small in zone az3: server "));
  g_assert_null (strstr (error->message, "in zone az2"));
  g_assert_nonnull (strstr (welkin_error_get_hint (error), "start-timeout"));
}

static void
test_placement_takes_one_zone_alone (EnvironFixture *fixture,
                                     gconstpointer   data)
{
  static const struct
  {
    const char *placement;
    int         code; /* WelkinError */
    const char *message;
  } cases[] = {
    { "rack=7", WELKIN_ERROR_INVALID_ARGUMENT,
      "Cannot start machine 1: unknown placement directive \"rack=7\"" },
    { "zone=az9", WELKIN_ERROR_NOT_FOUND,
      "Cannot start machine 1: no availability zone \"az9\"; there are: az1, az2, az3, az4" },
    { "zone=az4", WELKIN_ERROR_UNAVAILABLE,
      "Cannot start machine 1: availability zone \"az4\" is unavailable" },
  };
  FakeCloud *fake = fixture->provider.fake;
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) placed = NULL;
  g_autoptr(WelkinStartResult) full = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_add (fake, "zone", "{'name': 'az4', 'available': false}");
  placed = start_placed (fixture, "0", "zone=az3", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (get_zone (placed), ==, "az3");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GError) refusal = NULL;
      g_autoptr(WelkinStartResult) none = start_placed (fixture, "1", cases[i].placement, &refusal);

      g_assert_null (none);
      g_assert_error (refusal, WELKIN_ERROR, cases[i].code);
      g_assert_cmpstr (refusal->message, ==, cases[i].message);
    }

  fake_cloud_script_server (fake, NULL, "az3", -1, "ERROR", 500, FULL);
  full = start_placed (fixture, "1", "zone=az3", &error);
  g_assert_null (full);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NO_VALID_HOST);
  g_assert_true (g_str_has_prefix (error->message,
                                   "Cannot start machine 1: cannot create server of flavor "
                                   "m1.small in zone az3: " FULL));
}

static void
test_senseless_placement_asks_nothing (EnvironFixture *fixture,
                                       gconstpointer   data)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) none = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  none = start_placed (fixture, "0", "rack=7", &error);
  g_assert_null (none);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
  g_assert_cmpuint (fake_log_get_entries (fixture->provider.fake)->len, ==, 0);
}

/* Spread. */

static void
test_order_of_zones_is_none_where_there_are_none (EnvironFixture *fixture,
                                                  gconstpointer   data)
{
  static const FakeRule rule = {
    .method = "GET", .path = "*/os-availability-zone", .action = FAKE_FAIL, .status = 404,
    .body = "{\"itemNotFound\": {\"code\": 404, \"message\": \"M\"}}",
  };
  g_autoptr(WelkinStartResult) result = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;
  fake_cloud_add_rule (fixture->provider.fake, &rule);
  environ_fixture_reopen (fixture, "availability-zones", "az2,az1", NULL);
  g_assert_null (environ_fixture_start (fixture, fixture->environ, "0", "zones=az1", &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  g_clear_error (&error);
  result = environ_fixture_start (fixture, fixture->environ, "0", "", &error);
  g_assert_no_error (error);
  g_assert_nonnull (result);
}

static void
test_machines_are_spread_over_zones (EnvironFixture *fixture,
                                     gconstpointer   data)
{
  static const char *const zones[] = { "az1", "az2", "az3", "az1" };
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  for (guint i = 0; i < G_N_ELEMENTS (zones); i++)
    {
      g_autofree char *machine_id = g_strdup_printf ("%u", i);
      g_autoptr(WelkinStartResult) result =
        environ_fixture_start (fixture, fixture->environ, machine_id, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (get_zone (result), ==, zones[i]);
    }
}

/* How many of those that were started together are in each zone. */
typedef struct
{
  guint       n_left;
  GHashTable *zones; /* zone → GUINT_TO_POINTER of how many */
} Crowd;

static void
one_started_cb (GObject      *source,
                GAsyncResult *result,
                gpointer      user_data)
{
  Crowd *crowd = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) started =
    welkin_environ_start_instance_finish (WELKIN_ENVIRON (source), result, &error);
  const char *zone;
  guint n;

  g_assert_no_error (error);
  zone = get_zone (started);
  n = GPOINTER_TO_UINT (g_hash_table_lookup (crowd->zones, zone));
  g_hash_table_insert (crowd->zones, g_strdup (zone), GUINT_TO_POINTER (n + 1));
  crowd->n_left--;
}

static GHashTable *
start_crowd (EnvironFixture     *fixture,
             guint               first,
             guint               n,
             const char * const *group)
{
  Crowd crowd = { .n_left = n };

  crowd.zones = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *machine_id = g_strdup_printf ("%u", first + i);
      g_autoptr(WelkinStartParams) bare = environ_fixture_make_params (machine_id, NULL);
      g_autoptr(WelkinStartParams) params =
        welkin_start_params_with_distribution_group (bare, group);

      welkin_environ_start_instance_async (fixture->environ, params, NULL, NULL, one_started_cb,
                                           &crowd);
    }
  while (crowd.n_left > 0)
    g_main_context_iteration (NULL, TRUE);
  return crowd.zones;
}

static guint
count (GHashTable *zones,
       const char *zone)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (zones, zone));
}

static void
test_machines_that_start_together_are_spread (EnvironFixture *fixture,
                                              gconstpointer   data)
{
  static const char *const nobody[] = { NULL };
  const char *group[] = { NULL, NULL };
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) lonely = NULL;
  g_autoptr(GHashTable) all = NULL;
  g_autoptr(GHashTable) apart = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  lonely = start_placed (fixture, "0", "zone=az3", &error);
  g_assert_no_error (error);
  all = start_crowd (fixture, 1, 11, nobody);
  g_assert_cmpuint (count (all, "az1"), ==, 4);
  g_assert_cmpuint (count (all, "az2"), ==, 4);
  g_assert_cmpuint (count (all, "az3"), ==, 3);

  /* To be apart from the lonely one, and from each other. */
  group[0] = get_id (lonely);
  apart = start_crowd (fixture, 20, 5, group);
  g_assert_cmpuint (count (apart, "az1"), ==, 2);
  g_assert_cmpuint (count (apart, "az2"), ==, 2);
  g_assert_cmpuint (count (apart, "az3"), ==, 1);
}

/* So many are waited for by lists, in which nova does not tell what is wrong with a server that no
 * host ever had. */
static void
test_crowd_leaves_a_zone_that_is_full (EnvironFixture *fixture,
                                       gconstpointer   data)
{
  static const char *const nobody[] = { NULL };
  g_autoptr(GHashTable) all = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_script_server (fixture->provider.fake, NULL, "az1", -1, "BUILD,ERROR", 500, FULL);
  all = start_crowd (fixture, 0, 9, nobody);
  g_assert_cmpuint (count (all, "az1"), ==, 0);
  g_assert_cmpuint (count (all, "az2") + count (all, "az3"), ==, 9);
}

static void
test_start_that_failed_does_not_count (EnvironFixture *fixture,
                                       gconstpointer   data)
{
  FakeRule rule = { .method = "POST", .path = "/compute/v2.1/servers", .action = FAKE_FAIL,
                    .status = 400,
                    .body = "{\"badRequest\": {\"code\": 400, \"message\": \"No.\"}}" };
  g_autoptr(GError) failure = NULL;
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) none = NULL;
  g_autoptr(WelkinStartResult) result = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_add_rule (fixture->provider.fake, &rule);
  none = environ_fixture_start (fixture, fixture->environ, "0", NULL, &failure);
  g_assert_null (none);
  g_assert_nonnull (failure);
  result = environ_fixture_start (fixture, fixture->environ, "1", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (get_zone (result), ==, "az1");
}

/* What is said of a failure. */

static const FakeRule console = {
  .method = "POST", .path = "/compute/v2.1/servers/*/action", .times = -1,
  .action = FAKE_FAIL, .status = 200,
  .body = "{\"output\": \"[    1.0] Booting\\n"
          "\\u001b[31mKernel panic\\u001b[0m\\r\\n"
          "\\u0007root password: hunter2\\n\\n\"}",
};

static void
test_console_comes_last (EnvironFixture *fixture,
                         gconstpointer   data)
{
  FakeCloud *fake = fixture->provider.fake;
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) none = NULL;
  g_autofree char *text = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_add_rule (fake, &console);
  fake_cloud_script_server (fake, NULL, "az1", -1, "BUILD,ERROR", 500, FULL);
  fake_cloud_script_server (fake, NULL, "az2", -1, "BUILD,ERROR", 500, "The disk caught fire.");
  none = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  g_assert_null (none);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INSTANCE_FAILED);
  text = drop_server_ids (error->message);
  g_assert_cmpstr (text, ==,
                   "Cannot start machine 0: cannot create server: The disk caught fire. (server "
                   "ID)\n"
                   "What was tried:\n"
                   "  flavor m1.small in zone az1: " FULL " (server ID)\n"
                   "  flavor m1.small in zone az2: The disk caught fire. (server ID)\n"
                   "The last lines of its console:\n"
                   "  [    1.0] Booting\n"
                   "  Kernel panic\n"
                   "  (a line that may hold a secret)");
}

static void
test_every_flavor_and_zone_has_its_reason (EnvironFixture *fixture,
                                           gconstpointer   data)
{
  FakeCloud *fake = fixture->provider.fake;
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) none = NULL;
  g_autofree char *text = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_add (fake, "flavor", "{'name': 'm1.small.amd', 'ram': 2048, 'vcpus': 1, 'disk': 20}");
  fake_cloud_add_rule (fake, &console);
  fake_cloud_script_server (fake, NULL, "az1", 1, "BUILD,ERROR", 500, "No valid host was found. a");
  fake_cloud_script_server (fake, NULL, "az1", 1, "BUILD,ERROR", 500, "Exhausted all hosts. b");
  fake_cloud_script_server (fake, NULL, "az2", 1, "BUILD,ERROR", 500, "No valid host was found. c");
  fake_cloud_script_server (fake, NULL, "az2", 1, "BUILD,ERROR", 500, "The disk caught fire.");
  none = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  g_assert_null (none);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INSTANCE_FAILED);
  text = drop_server_ids (error->message);
  g_assert_cmpstr (text, ==,
                   "Cannot start machine 0: cannot create server: The disk caught fire. (server "
                   "ID)\n"
                   "What was tried:\n"
                   "  flavor m1.small in zone az1: No valid host was found. a (server ID)\n"
                   "  flavor m1.small.amd in zone az1: Exhausted all hosts. b (server ID)\n"
                   "  flavor m1.small in zone az2: No valid host was found. c (server ID)\n"
                   "  flavor m1.small.amd in zone az2: The disk caught fire. (server ID)\n"
                   "The last lines of its console:\n"
                   "  [    1.0] Booting\n"
                   "  Kernel panic\n"
                   "  (a line that may hold a secret)");
  environ_fixture_assert_clean (fixture);
}

static void
test_console_is_made_fit_to_be_seen (void)
{
  static const struct
  {
    const char *text;
    const char *tidy;
  } cases[] = {
    { NULL, NULL },
    { "", NULL },
    { "\n\n \r\n", NULL },
    { "a\n", "a" },
    { "a\n\n\nb  \n", "a\nb" },
    { "\033[1;31mred\033[0m \033]x \033", "red x" },
    { "bell\a back\b tab\tend\x7f", "bell back tab end" },
    { "caf\xc3\xa9 \xff\xfe", "caf\xc3\xa9 \xef\xbf\xbd\xef\xbf\xbd" },
    { "Password: hunter2", "(a line that may hold a secret)" },
    { "-----BEGIN OPENSSH PRIVATE KEY-----", "(a line that may hold a secret)" },
  };
  g_autoptr(GString) many = g_string_new (NULL);
  g_autofree char *last = NULL;
  g_auto(GStrv) lines = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *tidy = os_tidy_console (cases[i].text);

      g_assert_cmpstr (tidy, ==, cases[i].tidy);
    }

  for (guint i = 0; i < 100; i++)
    g_string_append_printf (many, "%u %0300u\n", i, i);
  last = os_tidy_console (many->str);
  lines = g_strsplit (last, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 20);
  g_assert_true (g_str_has_prefix (lines[0], "80 "));
  g_assert_true (g_str_has_prefix (lines[19], "99 "));
  g_assert_cmpuint (strlen (lines[19]), ==, 160);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  environ_fixture_add_test ("/placement/zone/next-is-tried",
                            test_next_zone_is_tried_when_one_is_full);
  environ_fixture_add_test ("/placement/zone/none-has-room",
                            test_no_zone_with_room_tells_all_reasons);
  environ_fixture_add_test ("/placement/zone/slow", test_zone_that_is_slow_is_left_once);
  environ_fixture_add_test ("/placement/flavors-just-alike",
                            test_flavors_just_alike_are_tried_in_each_zone);
  environ_fixture_add_test ("/placement/directive/one-zone", test_placement_takes_one_zone_alone);
  environ_fixture_add_test ("/placement/directive/senseless",
                            test_senseless_placement_asks_nothing);
  environ_fixture_add_test ("/placement/zone/none-to-order",
                            test_order_of_zones_is_none_where_there_are_none);
  environ_fixture_add_test ("/placement/spread/one-by-one", test_machines_are_spread_over_zones);
  environ_fixture_add_test ("/placement/spread/together",
                            test_machines_that_start_together_are_spread);
  environ_fixture_add_test ("/placement/spread/full-zone", test_crowd_leaves_a_zone_that_is_full);
  environ_fixture_add_test ("/placement/spread/failed-start",
                            test_start_that_failed_does_not_count);
  environ_fixture_add_test ("/placement/failure/console", test_console_comes_last);
  environ_fixture_add_test ("/placement/failure/every-reason",
                            test_every_flavor_and_zone_has_its_reason);
  g_test_add_func ("/placement/failure/tidy-console", test_console_is_made_fit_to_be_seen);

  return provider_fixture_run ();
}
