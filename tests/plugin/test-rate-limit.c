/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <malloc.h>

#include "provider-fixture.h"

#include "values/welkin-error.h"

/*
 * A thousand requests at a time when a service takes none for ten seconds: all succeed in the end,
 * one at a time asks whether it goes on, and waiting costs nothing. By default the ten seconds pass
 * as fast as the clock runs; with "-m slow" they are ten seconds.
 */

#define N_REQUESTS 1000
#define LIMITED_SECONDS 10
/* So long is a question under way, so that two of them would be seen at once. */
#define ANSWER_MS 40
/* Of the session: how many requests it lets out at once, and how long it waits at least. */
#define GATE_WIDTH 32
#define MIN_PAUSE_SECONDS 0.8

typedef struct
{
  ProviderFixture *fixture;
  OsClient        *client;
  guint            n_done;
  guint            n_ok;

  /* bytes of the heap while all wait */
  gsize            least;
  gsize            most;
} Crowd;

static void
sent_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  Crowd *crowd = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(WkHttpResponse) response = os_client_send_finish (crowd->client, result, &error);

  g_assert_no_error (error);
  crowd->n_done++;
  if (wk_http_response_get_status (response) == 200)
    crowd->n_ok++;
}

static gboolean
look_at_heap_cb (gpointer user_data)
{
  Crowd *crowd = user_data;
  gsize bytes = mallinfo2 ().uordblks;

  crowd->least = crowd->least == 0 ? bytes : MIN (crowd->least, bytes);
  crowd->most = MAX (crowd->most, bytes);
  return G_SOURCE_CONTINUE;
}

static OsClient *
make_client (ProviderFixture *fixture,
             double           scale)
{
  g_auto(GStrv) variables = fake_cloud_dup_environment (fixture->fake, "demo", "demo");
  g_autofree char *text = g_strdup_printf ("%g", scale);

  variables = g_environ_setenv (variables, "WELKIN_TIME_SCALE", text, TRUE);
  g_clear_pointer (&fixture->surroundings, welkin_surroundings_unref);
  fixture->surroundings = welkin_surroundings_new ((const char *const *) variables, "/");
  return provider_fixture_make_client (fixture, NULL);
}

static void
send_one (Crowd         *crowd,
          OsServiceKind  service,
          const char    *path)
{
  g_autoptr(OsRequest) request = os_request_new (service, "GET", path, NULL);

  os_client_send_async (crowd->client, crowd->client, request, NULL, sent_cb, crowd);
}

static void
run_until (Crowd *crowd,
           guint  n_done)
{
  while (crowd->n_done < n_done)
    g_main_context_iteration (NULL, TRUE);
}

/* From the first refusal that came back on, only one request at a time was under way until one was
 * let through. What was on its way by then arrives when it does; nothing new goes out before the
 * first pause, of which there are at least so many seconds, is over. */
static void
assert_one_probe_at_a_time (FakeCloud *fake,
                            double     pause)
{
  GPtrArray *entries = fake_log_get_entries (fake);
  gint64 closed = G_MAXINT64;
  gint64 opened = G_MAXINT64;
  gint64 last_end = 0;
  guint n_early = 0;
  guint n_probes = 0;

  for (guint i = 0; i < entries->len; i++)
    {
      const FakeLogEntry *entry = g_ptr_array_index (entries, i);

      if (!g_str_equal (entry->service, "compute"))
        continue;
      if (entry->status == 429)
        closed = MIN (closed, entry->end_us);
      else
        opened = MIN (opened, entry->end_us);
    }
  for (guint i = 0; i < entries->len; i++)
    {
      const FakeLogEntry *entry = g_ptr_array_index (entries, i);

      if (!g_str_equal (entry->service, "compute") || entry->start_us >= opened)
        continue;
      if (entry->start_us < closed + pause * G_USEC_PER_SEC)
        {
          n_early++;
          continue;
        }
      g_test_message ("probe from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT " ms",
                      (entry->start_us - closed) / 1000, (entry->end_us - closed) / 1000);
      g_assert_cmpint (entry->start_us, >=, last_end);
      last_end = entry->end_us;
      n_probes++;
    }
  g_assert_cmpuint (n_early, <=, GATE_WIDTH);
  g_assert_cmpuint (n_probes, >=, 2);
}

static void
test_storm (ProviderFixture *fixture,
            double           scale,
            const char      *retry_after)
{
  const char *const headers[] = { retry_after, NULL };
  const FakeRule limited = {
    .service = "compute", .times = -1, .for_ms = (int) (LIMITED_SECONDS * 1000 / scale),
    .action = FAKE_FAIL, .status = 429, .headers = headers, .delay_ms = ANSWER_MS,
  };
  const FakeRule rest = {
    .service = "compute", .times = -1, .action = FAKE_FAIL, .status = 200, .body = "{}",
  };
  g_autoptr(OsClient) client = make_client (fixture, scale);
  Crowd crowd = { fixture, client };
  Crowd others = { fixture, client };
  WkClock *clock = os_client_get_clock (client);
  g_autoptr(GError) error = NULL;
  gsize before;
  guint look;
  double begin;

  os_client_login_async (client, NULL, provider_fixture_done_cb, fixture);
  g_assert_true (os_client_login_finish (client, provider_fixture_wait (fixture), &error));
  fake_log_clear (fixture->fake);
  fake_cloud_add_rule (fixture->fake, &limited);
  fake_cloud_add_rule (fixture->fake, &rest);

  begin = wk_clock_get_seconds (clock);
  before = mallinfo2 ().uordblks;
  for (guint i = 0; i < N_REQUESTS; i++)
    send_one (&crowd, OS_SERVICE_COMPUTE, "things");
  /* What is another service's matter goes on meanwhile. */
  for (guint i = 0; i < 10; i++)
    send_one (&others, OS_SERVICE_NETWORK, "networks");
  run_until (&others, 10);
  g_assert_cmpuint (others.n_ok, ==, 10);
  g_assert_cmpuint (crowd.n_done, ==, 0);

  look = g_timeout_add (10, look_at_heap_cb, &crowd);
  run_until (&crowd, 1);
  g_source_remove (look);
  g_test_message ("%" G_GSIZE_FORMAT " KiB for all requests, between %" G_GSIZE_FORMAT
                  " and %" G_GSIZE_FORMAT " KiB more while they wait",
                  (crowd.least - before) / 1024, crowd.least / 1024, crowd.most / 1024);
  g_assert_cmpuint (crowd.most - crowd.least, <, 512 * 1024);

  run_until (&crowd, N_REQUESTS);
  g_test_message ("%.1f s", wk_clock_get_seconds (clock) - begin);
  g_assert_cmpuint (crowd.n_ok, ==, N_REQUESTS);
  g_assert_cmpfloat (wk_clock_get_seconds (clock) - begin, >=, LIMITED_SECONDS);
  assert_one_probe_at_a_time (fixture->fake, MIN_PAUSE_SECONDS / scale);
}

static double
get_scale (void)
{
  const char *scale = g_getenv ("WELKIN_TEST_TIME_SCALE");

  if (g_test_slow ())
    return 1;
  return scale != NULL ? g_ascii_strtod (scale, NULL) : 5;
}

static void
test_storm_with_a_time (ProviderFixture *fixture,
                        gconstpointer    data)
{
  test_storm (fixture, get_scale (), "Retry-After: 2");
}

/* The pauses grow, so that it takes fifteen seconds. */
static void
test_storm_without_a_time (ProviderFixture *fixture,
                           gconstpointer    data)
{
  if (g_test_slow ())
    g_test_skip ("not in real time");
  else
    test_storm (fixture, get_scale (), NULL);
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

  add ("/rate-limit/thousand-requests-are-told-when", test_storm_with_a_time);
  add ("/rate-limit/thousand-requests-are-not-told-when", test_storm_without_a_time);

  return g_test_run ();
}
