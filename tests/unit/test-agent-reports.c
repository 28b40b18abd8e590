/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "agent-fixture.h"
#include "bootstrap/welkin-machines.h"
#include "environments/welkin-info.h"
#include "values/welkin-error.h"

/* What the agent of the first machine tells of all. */

typedef struct
{
  AgentFixture  agent;
  WelkinInfo   *info;   /* (owned) */
  GAsyncResult *result; /* (owned) (nullable) */
} Fixture;

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  g_autoptr(WelkinConfig) config = NULL;
  g_autoptr(GError) error = NULL;

  agent_prepare (&fixture->agent, "1");
  config = agent_make_config (&fixture->agent);
  fixture->info = welkin_info_create (fixture->agent.home->surroundings, "lab", &error);
  g_assert_no_error (error);
  welkin_info_set_config (fixture->info, config);
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  g_clear_object (&fixture->result);
  g_object_unref (fixture->info);
  agent_tear_down (&fixture->agent, data);
}

static void
set_addresses (Fixture     *fixture,
               WelkinValue *item)
{
  g_autoptr(WelkinValue) list = welkin_value_new_list (&item, 1, NULL);

  welkin_info_set (fixture->info, "api-addresses", list);
}

static void
done_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  Fixture *fixture = user_data;

  g_set_object (&fixture->result, result);
}

static WelkinValue *
find_reports (Fixture *fixture,
              GError **error)
{
  welkin_find_reports_async (fixture->info, NULL, done_cb, fixture);
  while (fixture->result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return welkin_find_reports_finish (fixture->info, fixture->result, error);
}

static void
assert_report (WelkinValue *reports,
               const char  *machine_id,
               const char  *field,
               const char  *expected)
{
  WelkinValue *report = welkin_value_lookup (reports, machine_id);

  g_assert_nonnull (report);
  g_assert_nonnull (welkin_value_lookup (report, field));
  g_assert_cmpstr (welkin_value_get_text (welkin_value_lookup (report, field)), ==, expected);
}

static void
test_all_of_a_report_is_told (Fixture      *fixture,
                              gconstpointer data)
{
  g_autofree char *host_port = g_strdup_printf ("localhost:%u", fixture->agent.port);
  g_autoptr(WelkinValue) address = welkin_value_new_text (host_port, TRUE, NULL);
  g_autoptr(WelkinValue) reports = NULL;
  g_autoptr(GError) error = NULL;

  home_write (fixture->agent.home, "agents/state.json",
              "{\"environment\": {}, \"machines\": ["
              "{\"id\": \"7\", \"status\": \"started\", \"version\": \"1.2.3-noble-amd64\","
              " \"reported\": \"2014-04-17T12:00:00Z\"},"
              "{\"id\": \"8\", \"status\": \"started\", \"version\": \"1.2.4-noble-amd64\","
              " \"reported\": \"2999-04-17T12:00:00Z\"}]}");
  fixture->agent.agent = agent_start (&fixture->agent, "0");
  agent_wait_for_health (&fixture->agent);
  set_addresses (fixture, address);

  reports = find_reports (fixture, &error);
  g_assert_no_error (error);
  assert_report (reports, "7", "status", "down");
  assert_report (reports, "7", "version", "1.2.3-noble-amd64");
  assert_report (reports, "7", "reported", "2014-04-17T12:00:00Z");
  assert_report (reports, "8", "status", "started");
  assert_report (reports, "8", "version", "1.2.4-noble-amd64");
  assert_report (reports, "8", "reported", "2999-04-17T12:00:00Z");
}

static void
test_nobody_is_asked_where_no_address_is_one (Fixture      *fixture,
                                              gconstpointer data)
{
  g_autoptr(WelkinConfig) none = welkin_config_new ();
  g_autoptr(WelkinValue) map = welkin_config_to_value (none);
  g_autoptr(GError) error = NULL;

  set_addresses (fixture, map);
  g_assert_null (find_reports (fixture, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/agent-reports/tell-all", Fixture, NULL, set_up, test_all_of_a_report_is_told,
              tear_down);
  g_test_add ("/agent-reports/no-address", Fixture, NULL, set_up,
              test_nobody_is_asked_where_no_address_is_one, tear_down);

  return g_test_run ();
}
