/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environ-fixture.h"

#include "operations/ownership.h"
#include "values/welkin-error.h"

/* One start, at one of whose requests something happens. */
typedef struct
{
  EnvironFixture *fixture;
  GCancellable   *cancellable;
  char           *port_name;
  gboolean        is_over;
  char           *id;    /* (nullable) of the machine, if it runs */
  GError         *error; /* (nullable) */
} Attempt;

static void
attempt_over_cb (GObject      *source,
                 GAsyncResult *result,
                 gpointer      user_data)
{
  Attempt *attempt = user_data;
  g_autoptr(WelkinStartResult) started =
    welkin_environ_start_instance_finish (WELKIN_ENVIRON (source), result, &attempt->error);

  if (started != NULL)
    attempt->id = g_strdup (welkin_instance_get_id (welkin_start_result_get_instance (started)));
  attempt->is_over = TRUE;
}

static void
begin_attempt (Attempt        *attempt,
               EnvironFixture *fixture)
{
  g_autoptr(WelkinStartParams) params = environ_fixture_make_params ("0", NULL);

  attempt->fixture = fixture;
  attempt->cancellable = g_cancellable_new ();
  attempt->port_name = os_name_port ("welkin", fixture->provider.uuid, "0",
                                     welkin_start_params_get_start_id (params));
  environ_fixture_reopen (fixture, NULL);
  welkin_environ_start_instance_async (fixture->environ, params, NULL, attempt->cancellable,
                                       attempt_over_cb, attempt);
}

static void
clear_attempt (Attempt *attempt)
{
  g_clear_error (&attempt->error);
  g_clear_pointer (&attempt->id, g_free);
  g_clear_pointer (&attempt->port_name, g_free);
  g_clear_object (&attempt->cancellable);
  attempt->is_over = FALSE;
}

/* Either the machine runs, once, or nothing is left; and whatever was made can be destroyed. */
static void
end_attempt (Attempt *attempt,
             guint    n)
{
  EnvironFixture *fixture = attempt->fixture;
  g_autoptr(GError) error = NULL;

  if (attempt->id != NULL)
    {
      g_autoptr(GPtrArray) instances = environ_fixture_list (fixture, fixture->environ, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (instances->len, ==, 1);
      g_assert_cmpstr (welkin_instance_get_id (g_ptr_array_index (instances, 0)), ==, attempt->id);
      environ_fixture_destroy (fixture, fixture->environ, &error);
      g_assert_no_error (error);
    }
  else
    {
      g_test_message ("at request %u: %s", n, attempt->error->message);
      g_assert_null (strstr (attempt->error->message, "left behind"));
    }
  environ_fixture_assert_clean (fixture);
  clear_attempt (attempt);
}

/* Where something was left behind on purpose. */
static void
clean_up (Attempt *attempt)
{
  EnvironFixture *fixture = attempt->fixture;

  fake_cloud_clear_rules (fixture->provider.fake);
  environ_fixture_assert_goes (fixture);
  clear_attempt (attempt);
}

static guint
count_requests (FakeCloud *fake)
{
  return fake_log_get_entries (fake)->len;
}

/* How many requests a start makes that nothing happens to. */
static guint
measure_start (EnvironFixture *fixture)
{
  Attempt attempt = { NULL };
  guint n;

  fake_log_clear (fixture->provider.fake);
  begin_attempt (&attempt, fixture);
  while (!attempt.is_over)
    g_main_context_iteration (NULL, TRUE);
  n = count_requests (fixture->provider.fake);
  g_assert_nonnull (attempt.id);
  end_attempt (&attempt, 0);
  return n;
}

static void
test_cancelled_at_any_request (EnvironFixture *fixture,
                               gconstpointer   data)
{
  FakeCloud *fake = fixture->provider.fake;
  Attempt attempt = { NULL };
  guint n_requests;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  n_requests = measure_start (fixture);
  for (guint n = 1; n <= n_requests; n++)
    {
      fake_log_clear (fake);
      begin_attempt (&attempt, fixture);
      while (!attempt.is_over)
        {
          g_main_context_iteration (NULL, TRUE);
          if (count_requests (fake) >= n)
            g_cancellable_cancel (attempt.cancellable);
        }
      if (attempt.id == NULL)
        g_assert_error (attempt.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      end_attempt (&attempt, n);
    }
}

static void
test_cancelled_before_it_begins (EnvironFixture *fixture,
                                 gconstpointer   data)
{
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(WelkinStartParams) params = environ_fixture_make_params ("0", NULL);
  Attempt attempt = { NULL };

  g_cancellable_cancel (cancellable);
  welkin_environ_start_instance_async (fixture->environ, params, NULL, cancellable, attempt_over_cb,
                                       &attempt);
  while (!attempt.is_over)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (attempt.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  environ_fixture_assert_clean (fixture);
  g_clear_error (&attempt.error);
}

/* Nova's floating IPs carry no mark: one whose answer is lost stays, see test-nova-addresses.c. */
static void
spare_addresses (FakeCloud *fake,
                 FakeAction action)
{
  FakeRule spared = { .method = "POST", .path = "/compute/v2.1/os-floating-ips", .times = -1,
                      .action = FAKE_ANSWER };

  if (action == FAKE_DROP_AFTER || action == FAKE_CUT)
    fake_cloud_add_rule (fake, &spared);
}

/* Whichever request it is, the same thing happens to it once, or to it and all that come later. */
static void
try_rule_everywhere (EnvironFixture *fixture,
                     FakeRule        rule)
{
  FakeCloud *fake = fixture->provider.fake;
  Attempt attempt = { NULL };
  guint n_requests = measure_start (fixture);

  for (guint n = 1; n <= n_requests; n++)
    {
      rule.skip = n - 1;
      spare_addresses (fake, rule.action);
      fake_cloud_add_rule (fake, &rule);
      begin_attempt (&attempt, fixture);
      while (!attempt.is_over)
        g_main_context_iteration (NULL, TRUE);
      fake_cloud_clear_rules (fake);
      end_attempt (&attempt, n);
    }
}

static void
test_failed_at_any_request (EnvironFixture *fixture,
                            gconstpointer   data)
{
  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  try_rule_everywhere (fixture, (FakeRule) { .action = FAKE_FAIL, .status = 500,
                                             .body = "{\"computeFault\":{\"message\":\"boom\"}}" });
  try_rule_everywhere (fixture, (FakeRule) { .action = FAKE_FAIL, .status = 409,
                                             .body = "{\"conflict\":{\"message\":\"no\"}}" });
}

static void
test_dropped_before_any_request (EnvironFixture *fixture,
                                 gconstpointer   data)
{
  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  try_rule_everywhere (fixture, (FakeRule) { .action = FAKE_DROP_BEFORE });
}

static void
test_dropped_after_any_request (EnvironFixture *fixture,
                                gconstpointer   data)
{
  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  try_rule_everywhere (fixture, (FakeRule) { .action = FAKE_DROP_AFTER });
  try_rule_everywhere (fixture, (FakeRule) { .action = FAKE_CUT });
}

/* Where the answer of a call that makes something is lost each time, it is found again. */
static void
test_lost_answers_make_nothing_twice (EnvironFixture *fixture,
                                      gconstpointer   data)
{
  static const char *const paths[] = {
    "/compute/v2.1/servers", "/network/v2.0/ports", "/network/v2.0/floatingips",
    "/network/v2.0/security-groups",
  };
  FakeCloud *fake = fixture->provider.fake;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      FakeRule rule = {
        .method = "POST", .path = paths[i], .times = -1, .action = FAKE_DROP_AFTER
      };
      Attempt attempt = { NULL };

      fake_cloud_add_rule (fake, &rule);
      begin_attempt (&attempt, fixture);
      while (!attempt.is_over)
        g_main_context_iteration (NULL, TRUE);
      fake_cloud_clear_rules (fake);
      g_assert_no_error (attempt.error);
      end_attempt (&attempt, 0);
    }
}

/* The answer to the first call is lost, and what it made cannot be seen for a while. */
static void
begin_unseen_attempt (Attempt        *attempt,
                      EnvironFixture *fixture)
{
  FakeRule lost = { .method = "POST", .path = "/compute/v2.1/servers", .action = FAKE_DROP_AFTER };
  /* The first list is that of the zones; the three looks that follow see nothing. */
  FakeRule unseen = { .method = "GET",
                      .path = "/compute/v2.1/servers/detail",
                      .skip = 1,
                      .times = 3,
                      .action = FAKE_FAIL,
                      .status = 200,
                      .body = "{\"servers\": []}" };

  fake_cloud_add_rule (fixture->provider.fake, &lost);
  fake_cloud_add_rule (fixture->provider.fake, &unseen);
  fake_log_clear (fixture->provider.fake);
  begin_attempt (attempt, fixture);
}

static void
test_server_that_was_unseen_is_found_by_its_port (EnvironFixture *fixture,
                                                  gconstpointer   data)
{
  Attempt attempt = { NULL };

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  begin_unseen_attempt (&attempt, fixture);
  while (!attempt.is_over)
    g_main_context_iteration (NULL, TRUE);
  fake_cloud_clear_rules (fixture->provider.fake);
  /* The second call was refused, because the server of the first has the port. */
  g_assert_no_error (attempt.error);
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "POST", "/compute/v2.1/servers"), ==,
                    2);
  end_attempt (&attempt, 0);
}

/* The port of the first server is not bound yet when the second one is asked for. */
static void
make_server_twice (Attempt        *attempt,
                   EnvironFixture *fixture)
{
  FakeCloud *fake = fixture->provider.fake;

  fake_cloud_set (fake, "build-delay", 1000);
  begin_unseen_attempt (attempt, fixture);
  while (!attempt->is_over)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (fake_log_count (fake, "POST", "/compute/v2.1/servers"), ==, 2);
  fake_cloud_clear_rules (fake);
}

static void
test_server_made_twice_is_made_one (EnvironFixture *fixture,
                                    gconstpointer   data)
{
  Attempt attempt = { NULL };

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  make_server_twice (&attempt, fixture);
  g_assert_no_error (attempt.error);
  end_attempt (&attempt, 0);

  /* The second one fails, so it is the first that stays. */
  fake_cloud_script_server (fixture->provider.fake, NULL, NULL, 1, "BUILD,ACTIVE", 0, NULL);
  fake_cloud_script_server (fixture->provider.fake, NULL, NULL, 1, "BUILD,ERROR", 500,
                            "Port in use");
  make_server_twice (&attempt, fixture);
  g_assert_no_error (attempt.error);
  end_attempt (&attempt, 0);
}

static void
test_server_made_twice_that_stays_is_named (EnvironFixture *fixture,
                                            gconstpointer   data)
{
  FakeRule rule = { .method = "DELETE", .path = "/compute/v2.1/servers/*", .times = -1,
                    .action = FAKE_FAIL, .status = 403,
                    .body = "{\"forbidden\": {\"message\": \"not you\"}}" };
  Attempt attempt = { NULL };
  g_autoptr(GPtrArray) left = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_add_rule (fixture->provider.fake, &rule);
  make_server_twice (&attempt, fixture);
  g_assert_error (attempt.error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN);
  left = environ_fixture_list (fixture, fixture->environ, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (left->len, ==, 2);
  for (guint i = 0; i < left->len; i++)
    {
      WelkinInstance *instance = g_ptr_array_index (left, i);
      g_autofree char *named = g_strdup_printf ("server %s", welkin_instance_get_id (instance));

      g_assert_nonnull (strstr (strstr (attempt.error->message, "left behind"), named));
    }
  clean_up (&attempt);
}

static void
test_server_perhaps_made_twice_fails (EnvironFixture *fixture,
                                      gconstpointer   data)
{
  /* Behind the list of the zones and the three that see nothing. */
  FakeRule rule = { .method = "GET", .path = "/compute/v2.1/servers/detail", .skip = 4,
                    .action = FAKE_FAIL, .status = 403,
                    .body = "{\"forbidden\": {\"message\": \"not you\"}}" };
  Attempt attempt = { NULL };

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_add_rule (fixture->provider.fake, &rule);
  make_server_twice (&attempt, fixture);
  g_assert_error (attempt.error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN);
  end_attempt (&attempt, 0);
}

/* What is made by one path and looked for by another. */
typedef struct
{
  const char *path;
  const char *look_path;
  const char *nothing; /* a list that is empty */
} LostThing;

static const LostThing lost_things[] = {
  { "/compute/v2.1/servers", "/compute/v2.1/servers/detail", "{\"servers\": []}" },
  { "/network/v2.0/ports", "/network/v2.0/ports", "{\"ports\": []}" },
  { "/network/v2.0/floatingips", "/network/v2.0/floatingips", "{\"floatingips\": []}" },
};

/* Loses so many answers; what looks for the thing from then on meets another rule. */
static void
lose_answers (Attempt         *attempt,
              EnvironFixture  *fixture,
              const LostThing *thing,
              int              n_lost,
              const FakeRule  *look,
              gboolean         is_cancelled)
{
  FakeCloud *fake = fixture->provider.fake;
  FakeRule lost = { .method = "POST", .path = thing->path, .times = n_lost,
                    .action = FAKE_DROP_AFTER };
  gboolean has_begun = FALSE;

  fake_cloud_add_rule (fake, &lost);
  fake_log_clear (fake);
  begin_attempt (attempt, fixture);
  while (!attempt->is_over)
    {
      g_main_context_iteration (NULL, TRUE);
      if (has_begun || fake_log_count (fake, "POST", thing->path) == 0)
        continue;
      has_begun = TRUE;
      fake_cloud_add_rule (fake, look);
      if (is_cancelled)
        g_cancellable_cancel (attempt->cancellable);
    }
  fake_cloud_clear_rules (fake);
}

/* What the first call made is seen only when the second has made another. */
static void
test_what_was_made_twice_is_there_once (EnvironFixture *fixture,
                                        gconstpointer   data)
{
  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  for (guint i = 1; i < G_N_ELEMENTS (lost_things); i++)
    {
      const LostThing *thing = &lost_things[i];
      FakeRule look = { .method = "GET", .path = thing->look_path, .times = 3,
                        .action = FAKE_FAIL, .status = 200, .body = thing->nothing };
      Attempt attempt = { NULL };

      lose_answers (&attempt, fixture, thing, 1, &look, FALSE);
      g_assert_no_error (attempt.error);
      g_assert_cmpuint (fake_log_count (fixture->provider.fake, "POST", thing->path), ==, 2);
      g_assert_cmpuint (environ_fixture_count_lines (fixture, "port demo/welkin-"), ==, 1);
      g_assert_cmpuint (environ_fixture_count_lines (fixture, "floatingip demo/"), ==, 1);
      end_attempt (&attempt, i);
    }
}

static void
test_call_is_not_repeated_blindly (EnvironFixture *fixture,
                                   gconstpointer   data)
{
  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  for (guint i = 0; i < G_N_ELEMENTS (lost_things); i++)
    {
      const LostThing *thing = &lost_things[i];
      FakeRule look = { .method = "GET", .path = thing->look_path, .times = 3,
                        .action = FAKE_FAIL, .status = 403,
                        .body = "{\"forbidden\": {\"message\": \"not you\"}}" };
      Attempt attempt = { NULL };

      lose_answers (&attempt, fixture, thing, 1, &look, FALSE);
      g_assert_null (attempt.id);
      g_assert_error (attempt.error, WELKIN_ERROR, WELKIN_ERROR_UNAVAILABLE);
      g_assert_cmpuint (fake_log_count (fixture->provider.fake, "POST", thing->path), ==, 1);
      end_attempt (&attempt, i);
    }
}

static void
test_what_was_never_seen_is_undone (EnvironFixture *fixture,
                                    gconstpointer   data)
{
  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  for (guint i = 0; i < G_N_ELEMENTS (lost_things); i++)
    {
      const LostThing *thing = &lost_things[i];
      FakeRule look = { .method = "GET", .path = thing->look_path, .times = 6,
                        .action = FAKE_FAIL, .status = 200, .body = thing->nothing };
      Attempt attempt = { NULL };

      lose_answers (&attempt, fixture, thing, -1, &look, FALSE);
      g_assert_null (attempt.id);
      g_assert_nonnull (attempt.error);
      g_assert_cmpuint (fake_log_count (fixture->provider.fake, "POST", thing->path), ==, 2);
      end_attempt (&attempt, i);
    }
}

static void
test_cancelled_in_doubt (EnvironFixture *fixture,
                         gconstpointer   data)
{
  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  for (guint i = 0; i < G_N_ELEMENTS (lost_things); i++)
    {
      const LostThing *thing = &lost_things[i];
      FakeRule look = { .method = "GET", .path = thing->look_path, .times = 3,
                        .action = FAKE_FAIL, .status = 200, .body = thing->nothing };
      Attempt attempt = { NULL };

      lose_answers (&attempt, fixture, thing, 1, &look, TRUE);
      g_assert_null (attempt.id);
      g_assert_error (attempt.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_assert_cmpuint (fake_log_count (fixture->provider.fake, "POST", thing->path), ==, 1);
      end_attempt (&attempt, i);
    }
}

/* A cloud that does not heed what is asked for tells of those of others, too. */
static void
test_address_of_others_is_not_the_lost_one (EnvironFixture *fixture,
                                            gconstpointer   data)
{
  FakeCloud *fake = fixture->provider.fake;
  FakeRule lost = { .method = "POST", .path = "/network/v2.0/floatingips",
                    .action = FAKE_DROP_BEFORE };
  FakeRule look = { .method = "GET", .path = "/network/v2.0/floatingips", .times = -1,
                    .action = FAKE_FAIL, .status = 200,
                    .body = "{\"floatingips\": [{\"id\": \"theirs\", \"port_id\": \"theirs\", "
                            "\"floating_ip_address\": \"203.0.113.9\", "
                            "\"description\": \"not yours\"}]}" };
  Attempt attempt = { NULL };

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_add_rule (fake, &lost);
  fake_cloud_add_rule (fake, &look);
  fake_log_clear (fake);
  begin_attempt (&attempt, fixture);
  while (!attempt.is_over)
    g_main_context_iteration (NULL, TRUE);
  fake_cloud_clear_rules (fake);
  g_assert_no_error (attempt.error);
  g_assert_cmpuint (fake_log_count (fake, "POST", "/network/v2.0/floatingips"), ==, 2);
  end_attempt (&attempt, 0);
}

static void
test_zone_with_a_server_left_is_the_last (EnvironFixture *fixture,
                                          gconstpointer   data)
{
  FakeCloud *fake = fixture->provider.fake;
  FakeRule rule = { .method = "DELETE", .path = "/compute/v2.1/servers/*", .times = -1,
                    .action = FAKE_FAIL, .status = 403,
                    .body = "{\"forbidden\": {\"message\": \"not you\"}}" };
  Attempt attempt = { NULL };

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_script_server (fake, NULL, "az1", 1, "BUILD,ERROR", 500, "No valid host was found.");
  fake_cloud_add_rule (fake, &rule);
  fake_log_clear (fake);
  begin_attempt (&attempt, fixture);
  while (!attempt.is_over)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (attempt.error, WELKIN_ERROR, WELKIN_ERROR_NO_VALID_HOST);
  g_assert_nonnull (strstr (attempt.error->message, "left behind: server "));
  g_assert_cmpuint (fake_log_count (fake, "POST", "/compute/v2.1/servers"), ==, 1);
  clean_up (&attempt);
}

static void
test_port_that_stays_bound_is_named (EnvironFixture *fixture,
                                     gconstpointer   data)
{
  FakeCloud *fake = fixture->provider.fake;
  Attempt attempt = { NULL };
  g_autofree char *port_id = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_script_server (fake, NULL, "az1", 1, "BUILD,ERROR", 500, "No valid host was found.");
  fake_log_clear (fake);
  begin_attempt (&attempt, fixture);
  while (!attempt.is_over)
    {
      g_main_context_iteration (NULL, TRUE);
      if (fake_log_count (fake, "DELETE", "/compute/v2.1/servers/*") == 0
          || fake_cloud_find (fake, "port", attempt.port_name) == NULL)
        continue;
      if (port_id == NULL)
        port_id = g_strdup (fake_cloud_find (fake, "port", attempt.port_name));
      fake_cloud_update (fake, "port", attempt.port_name, "{'device_id': 'a server'}");
    }
  g_assert_error (attempt.error, WELKIN_ERROR, WELKIN_ERROR_IN_USE);
  g_assert_nonnull (strstr (attempt.error->message, port_id));
  g_assert_cmpuint (fake_log_count (fake, "POST", "/compute/v2.1/servers"), ==, 1);
  end_attempt (&attempt, 0);
}

static gboolean
cancel_cb (gpointer user_data)
{
  Attempt *attempt = user_data;

  g_cancellable_cancel (attempt->cancellable);
  return G_SOURCE_REMOVE;
}

/* On a real cloud, too. */
static void
test_cancelled_at_random_moments (EnvironFixture *fixture,
                                  gconstpointer   data)
{
  int most = fixture->provider.fake != NULL ? 300 : 10000;

  for (guint i = 0; i < 10; i++)
    {
      Attempt attempt = { NULL };
      int moment = g_test_rand_int_range (0, most);
      guint source;

      begin_attempt (&attempt, fixture);
      source = g_timeout_add (moment, cancel_cb, &attempt);
      while (!attempt.is_over)
        g_main_context_iteration (NULL, TRUE);
      if (!g_cancellable_is_cancelled (attempt.cancellable))
        g_source_remove (source);
      end_attempt (&attempt, moment);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  environ_fixture_add_test ("/start-faults/cancelled/before-it-begins",
                            test_cancelled_before_it_begins);
  environ_fixture_add_test ("/start-faults/cancelled/at-any-request",
                            test_cancelled_at_any_request);
  environ_fixture_add_test ("/start-faults/cancelled/at-random-moments",
                            test_cancelled_at_random_moments);
  environ_fixture_add_test ("/start-faults/failed/at-any-request", test_failed_at_any_request);
  environ_fixture_add_test ("/start-faults/dropped/before-any-request",
                            test_dropped_before_any_request);
  environ_fixture_add_test ("/start-faults/dropped/after-any-request",
                            test_dropped_after_any_request);
  environ_fixture_add_nova_test ("/start-faults/nova-network/cancelled/at-any-request",
                                 test_cancelled_at_any_request);
  environ_fixture_add_nova_test ("/start-faults/nova-network/failed/at-any-request",
                                 test_failed_at_any_request);
  environ_fixture_add_nova_test ("/start-faults/nova-network/dropped/before-any-request",
                                 test_dropped_before_any_request);
  environ_fixture_add_nova_test ("/start-faults/nova-network/dropped/after-any-request",
                                 test_dropped_after_any_request);
  environ_fixture_add_test ("/defects/35/nothing-is-made-twice",
                            test_lost_answers_make_nothing_twice);
  environ_fixture_add_test ("/start-faults/lost/server-unseen",
                            test_server_that_was_unseen_is_found_by_its_port);
  environ_fixture_add_test ("/start-faults/lost/server-made-twice",
                            test_server_made_twice_is_made_one);
  environ_fixture_add_test ("/start-faults/lost/twin-stays",
                            test_server_made_twice_that_stays_is_named);
  environ_fixture_add_test ("/start-faults/lost/twin-unknown",
                            test_server_perhaps_made_twice_fails);
  environ_fixture_add_test ("/start-faults/lost/made-twice",
                            test_what_was_made_twice_is_there_once);
  environ_fixture_add_test ("/start-faults/lost/not-repeated-blindly",
                            test_call_is_not_repeated_blindly);
  environ_fixture_add_test ("/start-faults/lost/never-seen", test_what_was_never_seen_is_undone);
  environ_fixture_add_test ("/start-faults/lost/cancelled-in-doubt", test_cancelled_in_doubt);
  environ_fixture_add_test ("/start-faults/lost/address-of-others",
                            test_address_of_others_is_not_the_lost_one);
  environ_fixture_add_test ("/start-faults/zone/server-left",
                            test_zone_with_a_server_left_is_the_last);
  environ_fixture_add_test ("/start-faults/zone/port-stays-bound",
                            test_port_that_stays_bound_is_named);

  return provider_fixture_run ();
}
