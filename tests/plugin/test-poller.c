/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "provider-fixture.h"

#include "operations/poller.h"
#include "values/welkin-error.h"

#define LISTS "/compute/v2.1/servers/detail"

typedef struct
{
  ProviderFixture provider;
  OsClient       *client;
  OsCompute      *compute;
  OsPoller       *poller;
  guint           n_left;
  guint           n_reached;
  GError         *error; /* the last one */
} PollerFixture;

static void
set_up (PollerFixture *fixture,
        gconstpointer  data)
{
  provider_fixture_set_up (&fixture->provider, data);
  if (fixture->provider.fake == NULL)
    return;
  fixture->client = provider_fixture_make_client (&fixture->provider, NULL);
  fixture->compute = os_compute_new (fixture->client);
  fixture->poller = os_poller_new (fixture->compute, os_client_get_clock (fixture->client), "^s");
}

static void
tear_down (PollerFixture *fixture,
           gconstpointer  data)
{
  g_clear_pointer (&fixture->poller, os_poller_unref);
  g_clear_object (&fixture->compute);
  g_clear_object (&fixture->client);
  g_clear_error (&fixture->error);
  provider_fixture_tear_down (&fixture->provider, data);
}

/* A server that was made outside; script: (nullable) its states */
static const char *
add_server (PollerFixture *fixture,
            guint          n)
{
  g_autofree char *json = g_strdup_printf ("{'name': 's%u', 'project': 'demo'}", n);

  return fake_cloud_add (fixture->provider.fake, "server", json);
}

static void
waited_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  PollerFixture *fixture = user_data;
  g_autoptr(OsServer) server = NULL;

  g_clear_error (&fixture->error);
  if (os_poller_wait_finish (fixture->poller, result, &server, &fixture->error))
    fixture->n_reached++;
  fixture->n_left--;
}

static void
begin_wait (PollerFixture *fixture,
            const char    *id,
            OsPollGoal     goal,
            double         seconds,
            GCancellable  *cancellable)
{
  fixture->n_left++;
  os_poller_wait_async (fixture->poller, id, goal, seconds, cancellable, waited_cb, fixture);
}

static void
wait_for_all (PollerFixture *fixture)
{
  while (fixture->n_left > 0)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_few_are_asked_for_by_id (PollerFixture *fixture,
                              gconstpointer  data)
{
  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  for (guint i = 0; i < 2; i++)
    begin_wait (fixture, add_server (fixture, i), OS_POLL_UNTIL_BUILT, 100, NULL);
  wait_for_all (fixture);
  g_assert_no_error (fixture->error);
  g_assert_cmpuint (fixture->n_reached, ==, 2);
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "GET", LISTS), ==, 0);
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "GET", "/compute/*"), ==, 2);
}

static void
test_many_are_served_by_one_list (PollerFixture *fixture,
                                  gconstpointer  data)
{
  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  for (guint i = 0; i < 50; i++)
    begin_wait (fixture, add_server (fixture, i), OS_POLL_UNTIL_BUILT, 100, NULL);
  wait_for_all (fixture);
  g_assert_cmpuint (fixture->n_reached, ==, 50);
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "GET", "/compute/*"), ==, 1);
}

static void
test_few_of_a_long_list_are_asked_for_by_id (PollerFixture *fixture,
                                             gconstpointer  data)
{
  const char *ids[100];

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    ids[i] = add_server (fixture, i);
  /* The first list tells how long lists are. */
  for (guint i = 0; i < 3; i++)
    begin_wait (fixture, ids[i], OS_POLL_UNTIL_BUILT, 100, NULL);
  wait_for_all (fixture);
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "GET", LISTS), ==, 1);
  for (guint i = 0; i < 5; i++)
    begin_wait (fixture, ids[i], OS_POLL_UNTIL_BUILT, 100, NULL);
  wait_for_all (fixture);
  g_assert_cmpuint (fixture->n_reached, ==, 8);
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "GET", LISTS), ==, 1);
}

static void
test_server_that_a_list_lacks_is_asked_for (PollerFixture *fixture,
                                            gconstpointer  data)
{
  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  /* Not of our names. */
  begin_wait (fixture, fake_cloud_add (fixture->provider.fake, "server",
                                       "{'name': 'renamed', 'project': 'demo'}"),
              OS_POLL_UNTIL_BUILT, 100, NULL);
  for (guint i = 0; i < 3; i++)
    begin_wait (fixture, add_server (fixture, i), OS_POLL_UNTIL_BUILT, 100, NULL);
  wait_for_all (fixture);
  g_assert_no_error (fixture->error);
  g_assert_cmpuint (fixture->n_reached, ==, 4);
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "GET", LISTS), ==, 1);
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "GET", "/compute/*"), ==, 2);
}

static void
test_missing_server_is_gone_but_not_built (PollerFixture *fixture,
                                           gconstpointer  data)
{
  const char *id = "00000000-0000-4000-8000-000000000000";

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  begin_wait (fixture, id, OS_POLL_UNTIL_GONE, 100, NULL);
  wait_for_all (fixture);
  g_assert_no_error (fixture->error);
  begin_wait (fixture, id, OS_POLL_UNTIL_BUILT, 100, NULL);
  wait_for_all (fixture);
  g_assert_error (fixture->error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
}

static void
test_cloud_that_fails_for_a_while_is_waited_for (PollerFixture *fixture,
                                                 gconstpointer  data)
{
  FakeRule rule = { .method = "GET", .path = "/compute/*", .times = 10, .action = FAKE_FAIL,
                    .status = 500, .body = "{\"computeFault\": {\"message\": \"no\"}}" };

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_add_rule (fixture->provider.fake, &rule);
  for (guint i = 0; i < 4; i++)
    begin_wait (fixture, add_server (fixture, i), OS_POLL_UNTIL_BUILT, 300, NULL);
  wait_for_all (fixture);
  g_assert_no_error (fixture->error);
  g_assert_cmpuint (fixture->n_reached, ==, 4);
}

static void
test_refusal_ends_every_wait (PollerFixture *fixture,
                              gconstpointer  data)
{
  FakeRule rule = { .method = "GET", .path = "/compute/*", .times = -1, .action = FAKE_FAIL,
                    .status = 403, .body = "{\"forbidden\": {\"message\": \"not you\"}}" };

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_add_rule (fixture->provider.fake, &rule);
  for (guint i = 0; i < 4; i++)
    begin_wait (fixture, add_server (fixture, i), OS_POLL_UNTIL_BUILT, 300, NULL);
  wait_for_all (fixture);
  g_assert_error (fixture->error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN);
  g_assert_cmpuint (fixture->n_reached, ==, 0);
}

static void
test_cancelled_waiter_leaves_the_others (PollerFixture *fixture,
                                         gconstpointer  data)
{
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GCancellable) cancelled = g_cancellable_new ();
  const char *id;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  id = add_server (fixture, 0);
  begin_wait (fixture, id, OS_POLL_UNTIL_GONE, 100, cancellable);
  begin_wait (fixture, id, OS_POLL_UNTIL_BUILT, 100, NULL);
  g_cancellable_cancel (cancellable);
  g_cancellable_cancel (cancelled);
  begin_wait (fixture, id, OS_POLL_UNTIL_BUILT, 100, cancelled);
  while (fixture->n_left > 1)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  wait_for_all (fixture);
  g_assert_cmpuint (fixture->n_reached, ==, 1);
}

/* Waits until the cloud works at a question, takes all waiters away, and comes with new ones before
 * the question has ended. */
static void
replace_waiters (PollerFixture     *fixture,
                 const char *const *ids,
                 guint              n_ids,
                 const char        *path)
{
  FakeRule rule = { .method = "GET", .path = path, .action = FAKE_ANSWER, .delay_ms = 1000 };
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();

  fake_cloud_add_rule (fixture->provider.fake, &rule);
  for (guint i = 0; i < n_ids; i++)
    begin_wait (fixture, ids[i], OS_POLL_UNTIL_BUILT, 100, cancellable);
  while (fake_log_count (fixture->provider.fake, "GET", path) == 0)
    g_main_context_iteration (NULL, TRUE);
  g_cancellable_cancel (cancellable);
  while (fixture->n_left > 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  for (guint i = 0; i < n_ids; i++)
    begin_wait (fixture, ids[i], OS_POLL_UNTIL_BUILT, 100, NULL);
  wait_for_all (fixture);
  g_assert_no_error (fixture->error);
  g_assert_cmpuint (fixture->n_reached, ==, n_ids);
}

static void
test_new_waiters_do_not_inherit_a_cancelled_list (PollerFixture *fixture,
                                                  gconstpointer  data)
{
  const char *ids[4];

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    ids[i] = add_server (fixture, i);
  replace_waiters (fixture, ids, G_N_ELEMENTS (ids), LISTS);
}

static void
test_new_waiter_does_not_inherit_a_cancelled_look (PollerFixture *fixture,
                                                   gconstpointer  data)
{
  const char *id;
  g_autofree char *path = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  id = add_server (fixture, 0);
  path = g_strdup_printf ("/compute/v2.1/servers/%s", id);
  replace_waiters (fixture, &id, 1, path);
}

static void
test_waiters_for_one_server_are_all_served (PollerFixture *fixture,
                                            gconstpointer  data)
{
  const char *id;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  /* The first one waits for what does not happen: the second one is to be told all the same. */
  id = add_server (fixture, 0);
  begin_wait (fixture, id, OS_POLL_UNTIL_GONE, 60, NULL);
  begin_wait (fixture, id, OS_POLL_UNTIL_BUILT, 30, NULL);
  wait_for_all (fixture);
  g_assert_cmpuint (fixture->n_reached, ==, 1);

  /* The same by lists. */
  for (guint i = 0; i < 3; i++)
    begin_wait (fixture, id, OS_POLL_UNTIL_GONE, 60, NULL);
  begin_wait (fixture, id, OS_POLL_UNTIL_BUILT, 30, NULL);
  wait_for_all (fixture);
  g_assert_cmpuint (fixture->n_reached, ==, 2);
}

static void
test_wait_has_an_end (PollerFixture *fixture,
                      gconstpointer  data)
{
  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  begin_wait (fixture, add_server (fixture, 0), OS_POLL_UNTIL_GONE, 10, NULL);
  wait_for_all (fixture);
  g_assert_error (fixture->error, WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT);
  g_assert_nonnull (strstr (fixture->error->message, "is still in state ACTIVE after 10 seconds"));
}

static void
add_test (const char *path,
          void      (*test) (PollerFixture *, gconstpointer))
{
  g_test_add (path, PollerFixture, NULL, set_up, test, tear_down);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add_test ("/poller/few-by-id", test_few_are_asked_for_by_id);
  add_test ("/poller/many-by-list", test_many_are_served_by_one_list);
  add_test ("/poller/few-of-a-long-list", test_few_of_a_long_list_are_asked_for_by_id);
  add_test ("/poller/not-in-the-list", test_server_that_a_list_lacks_is_asked_for);
  add_test ("/poller/missing", test_missing_server_is_gone_but_not_built);
  add_test ("/poller/cloud-fails-for-a-while", test_cloud_that_fails_for_a_while_is_waited_for);
  add_test ("/poller/refusal", test_refusal_ends_every_wait);
  add_test ("/poller/cancelled/others", test_cancelled_waiter_leaves_the_others);
  add_test ("/poller/cancelled/list", test_new_waiters_do_not_inherit_a_cancelled_list);
  add_test ("/poller/cancelled/look", test_new_waiter_does_not_inherit_a_cancelled_look);
  add_test ("/poller/one-server", test_waiters_for_one_server_are_all_served);
  add_test ("/poller/end", test_wait_has_an_end);

  return provider_fixture_run ();
}
