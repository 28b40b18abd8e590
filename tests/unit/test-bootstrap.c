/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "bootstrap-fixture.h"

#define MAX_LEAD 8

static void
test_makes_one_machine (void)
{
  g_autoptr(Fixture) fixture = fixture_new ("one", "");
  g_autoptr(WelkinEnviron) environment = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *info = NULL;
  g_autofree char *state = NULL;

  environment = fixture_bootstrap (fixture, FALSE, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fixture_count_instances (fixture, environment), ==, 1);

  info = fixture_read_info (fixture);
  g_assert_nonnull (strstr (info, "start-id: "));
  g_assert_nonnull (strstr (info, "nonce: bootstrap:"));
  g_assert_nonnull (strstr (info, "instance-id: dummy-1"));
  g_assert_nonnull (strstr (info, "status: started"));
  g_assert_nonnull (strstr (info, "host-key: ssh-ed25519 "));
  g_assert_nonnull (strstr (info, "constraints: mem=2048M"));
  g_assert_nonnull (strstr (info, "until: active"));

  state = fixture_load (fixture, "provider-state");
  g_assert_nonnull (strstr (state, "- dummy-1"));
  g_assert_nonnull (strstr (state, "mem: 2048"));
  g_assert_nonnull (strstr (state, "availability-zone: dummy-zone"));

  g_assert_true (fixture_destroy (fixture, &error));
  g_assert_no_error (error);
  fixture_assert_nothing_is_left (fixture);
  g_clear_pointer (&info, g_free);
  info = fixture_read_info (fixture);
  g_assert_null (info);
}

static void
test_refuses_a_second_one (void)
{
  g_autoptr(Fixture) fixture = fixture_new ("two", "");
  g_autoptr(WelkinEnviron) environment = NULL;
  g_autoptr(WelkinEnviron) second = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *info = NULL;

  environment = fixture_bootstrap (fixture, FALSE, &error);
  g_assert_no_error (error);

  second = fixture_bootstrap_again (fixture, NULL, &error);
  g_assert_null (second);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_BOOTSTRAPPED);

  /* The first one is none the worse for it. */
  info = fixture_read_info (fixture);
  g_assert_nonnull (strstr (info, "instance-id: dummy-1"));
  g_assert_cmpuint (fixture_count_instances (fixture, environment), ==, 1);
}

/* Of an environment that was remembered before, a failure takes back its own part alone. */
static void
test_failure_keeps_what_was_there (void)
{
  g_autoptr(Fixture) fixture = fixture_new ("kept-info", "");
  g_autoptr(WelkinEnviron) environment = NULL;
  g_autoptr(WelkinEnviron) second = NULL;
  g_autoptr(WelkinStorage) storage = NULL;
  g_autoptr(WelkinInfo) info = NULL;
  g_autoptr(WelkinConfig) broken = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *text = NULL;
  g_autofree char *state = NULL;

  /* As after a destroy that could not finish: remembered, without a state, and now broken. */
  environment = fixture_bootstrap (fixture, FALSE, &error);
  g_assert_no_error (error);
  storage = welkin_environ_get_storage (environment);
  g_clear_object (&fixture->result);
  welkin_storage_remove_async (storage, "provider-state", NULL, fixture_done_cb, fixture);
  g_assert_true (welkin_storage_remove_finish (storage, fixture_wait (fixture), &error));
  info = welkin_info_load (fixture->home->surroundings, "kept-info", &error);
  broken = welkin_config_with_text (welkin_info_get_config (info), "broken", "start-instance",
                                    NULL);
  welkin_info_set_config (info, broken);
  g_assert_true (welkin_info_write (info, &error));

  second = fixture_bootstrap_again (fixture, "*cleaning up*", &error);
  g_assert_null (second);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAVAILABLE);

  text = fixture_read_info (fixture);
  g_assert_nonnull (text);
  g_assert_null (strstr (text, "provisioning"));
  state = fixture_load (fixture, "provider-state");
  g_assert_null (state);
  g_assert_cmpuint (fixture_count_instances (fixture, environment), ==, 1);
}

static void
test_tells_one_that_was_cut_short (void)
{
  g_autoptr(Fixture) fixture = fixture_new ("short", "");
  g_autoptr(WelkinEnviron) environment = NULL;
  g_autoptr(GError) error = NULL;

  fixture_save (fixture, "provider-state", "");
  environment = fixture_bootstrap (fixture, FALSE, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_BOOTSTRAPPED);
  g_assert_nonnull (strstr (error->message, "destroy-environment"));
}

static void
test_leaves_a_foreign_environment_alone (void)
{
  g_autoptr(Fixture) fixture = fixture_new ("foreign", "");
  g_autoptr(WelkinEnviron) environment = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *info = NULL;
  g_autofree char *check = NULL;

  fixture_save (fixture, "bootstrap-verify", "something else\n");
  environment = fixture_bootstrap (fixture, FALSE, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT);

  check = fixture_load (fixture, "bootstrap-verify");
  g_assert_cmpstr (check, ==, "something else\n");
  info = fixture_read_info (fixture);
  g_assert_null (info);
}

/* operation: the one that fails */
static void
test_failure_leaves_nothing (gconstpointer data)
{
  const char *operation = data;
  g_autofree char *name = g_strconcat ("fails-at-", operation, NULL);
  g_autoptr(Fixture) fixture = fixture_new (name, operation);
  g_autoptr(WelkinEnviron) environment = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *info = NULL;

  environment = fixture_bootstrap (fixture, FALSE, &error);
  g_assert_null (environment);
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "the cloud is broken (HTTP 503, request req-dummy)"));

  info = fixture_read_info (fixture);
  g_assert_null (info);
  fixture_assert_nothing_is_left (fixture);
}

static void
test_keeps_what_is_broken_on_request (void)
{
  g_autoptr(Fixture) fixture = fixture_new ("kept", "start-instance");
  g_autoptr(WelkinEnviron) environment = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *info = NULL;
  g_autofree char *state = NULL;

  environment = fixture_bootstrap (fixture, TRUE, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAVAILABLE);

  info = fixture_read_info (fixture);
  g_assert_nonnull (strstr (info, "status: error"));
  state = fixture_load (fixture, "provider-state");
  g_assert_nonnull (strstr (state, "start-id: "));

  /* It is not undone without being asked, as what was cut off is. */
  g_clear_error (&error);
  environment = fixture_bootstrap_again (fixture, NULL, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_BOOTSTRAPPED);
}

/* What cannot be removed is named, and what is needed to remove it later is kept. */
static void
test_says_what_it_could_not_remove (void)
{
  g_autoptr(Fixture) fixture = fixture_new ("stuck", "start-instance, destroy");
  g_autoptr(WelkinEnviron) environment = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *info = NULL;

  environment = fixture_bootstrap (fixture, FALSE, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, "left behind: environment stuck"));
  info = fixture_read_info (fixture);
  g_assert_nonnull (info);
}

static void
test_gives_way_to_another_process (void)
{
  g_autoptr(Fixture) fixture = fixture_new ("busy", "");
  g_autoptr(WelkinEnviron) environment = NULL;
  g_autoptr(GObject) lock = NULL;
  g_autoptr(GError) error = NULL;

  lock = welkin_info_lock_environment (fixture->home->surroundings, "busy", &error);
  g_assert_no_error (error);
  environment = fixture_bootstrap (fixture, FALSE, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_IN_USE);
  g_clear_error (&error);
  g_assert_false (fixture_destroy (fixture, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_IN_USE);
}

/* Two people bootstrap the same, the second one so many turns of the main loop later: whatever it
 * finds, one of them has the environment and the other leaves it alone. Where both may write, the
 * second one may come between the first one's last look and its end, since a start takes no time
 * here: then nothing was raced for, and the answer is FALSE. */
static gboolean
race (const char *name,
      const char *broken,
      guint       lead)
{
  g_autoptr(Fixture) first = fixture_new (name, broken);
  g_autoptr(Fixture) second = fixture_new (name, broken);
  g_autoptr(WelkinEnviron) environment = NULL;
  g_autoptr(WelkinEnviron) other = NULL;
  g_autoptr(GError) error = NULL;
  g_autoptr(GError) other_error = NULL;
  g_autofree char *info = NULL;
  g_autofree char *state = NULL;
  WelkinEnviron *winner;
  const GError *refusal;

  fixture_begin_bootstrap (first, FALSE);
  for (guint i = 0; i < lead; i++)
    g_main_context_iteration (NULL, TRUE);
  fixture_begin_bootstrap (second, FALSE);
  environment = fixture_finish_bootstrap (first, &error);
  other = fixture_finish_bootstrap (second, &other_error);
  if (*broken != '\0' && environment != NULL && other != NULL)
    return FALSE;
  g_assert_true ((environment == NULL) != (other == NULL));

  winner = environment != NULL ? environment : other;
  refusal = environment != NULL ? other_error : error;
  g_assert_error (refusal, WELKIN_ERROR, WELKIN_ERROR_ALREADY_BOOTSTRAPPED);
  g_assert_cmpuint (fixture_count_instances (first, winner), ==, 1);
  state = fixture_load (first, "provider-state");
  g_assert_nonnull (state);
  g_assert_nonnull (strstr (state, "- dummy-"));
  info = fixture_read_info (environment != NULL ? first : second);
  g_assert_nonnull (info);
  return TRUE;
}

static void
test_two_at_once_make_one_machine (void)
{
  for (guint lead = 0; lead < MAX_LEAD; lead++)
    {
      g_autofree char *name = g_strdup_printf ("race-%u", lead);

      g_assert_true (race (name, "", lead));
    }
}

static void
test_two_at_once_where_both_may_write (void)
{
  gboolean was_raced = FALSE;

  for (guint i = 0; i < 20 && !was_raced; i++)
    {
      g_autofree char *name = g_strdup_printf ("overwritten-%u", i);

      was_raced = race (name, "no-replace", 0);
    }
  g_assert_true (was_raced);
}

/* Three minutes pass at once. */
static WelkinStateInfo *
load_state_info (Fixture       *fixture,
                 WelkinEnviron *environment,
                 GError       **error)
{
  const char *variables[] = { "WELKIN_TIME_SCALE=1000", NULL };
  g_autoptr(WelkinSurroundings) surroundings = welkin_surroundings_new (variables, "/");

  g_clear_object (&fixture->result);
  welkin_state_info_load_async (environment, surroundings, NULL, fixture_done_cb, fixture);
  return welkin_state_info_load_finish (environment, fixture_wait (fixture), error);
}

static void
assert_state_is_of (Fixture       *fixture,
                    WelkinEnviron *environment,
                    const char    *instance_id)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStateInfo) info = load_state_info (fixture, environment, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (welkin_state_info_get_instance_ids (info)[0], ==, instance_id);
  g_assert_null (welkin_state_info_get_instance_ids (info)[1]);
}

static void
test_does_without_a_storage (void)
{
  g_autoptr(Fixture) fixture = fixture_new ("bare", "no-storage");
  g_autoptr(WelkinEnviron) environment = NULL;
  g_autoptr(WelkinEnviron) second = NULL;
  g_autoptr(GError) error = NULL;

  environment = fixture_bootstrap (fixture, FALSE, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fixture_count_instances (fixture, environment), ==, 1);
  assert_state_is_of (fixture, environment, "dummy-1");

  second = fixture_bootstrap_again (fixture, NULL, &error);
  g_assert_null (second);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_BOOTSTRAPPED);
  g_clear_error (&error);
  g_assert_cmpuint (fixture_count_instances (fixture, environment), ==, 1);

  g_assert_true (fixture_destroy (fixture, &error));
  g_assert_no_error (error);
  fixture_assert_nothing_is_left (fixture);
}

static void
test_failure_without_a_storage_leaves_nothing (void)
{
  g_autoptr(Fixture) fixture = fixture_new ("bare-broken", "no-storage, start-instance");
  g_autoptr(WelkinEnviron) environment = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *info = NULL;

  g_test_expect_message ("welkin", G_LOG_LEVEL_MESSAGE, "cleaning up*");
  environment = fixture_bootstrap (fixture, FALSE, &error);
  g_test_assert_expected_messages ();
  g_assert_null (environment);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAVAILABLE);
  fixture_assert_nothing_is_left (fixture);
  info = fixture_read_info (fixture);
  g_assert_null (info);
}

/* Each may see the other's machine, and then gives way: there is never more than one. */
static void
test_two_at_once_without_a_storage_never_both_win (void)
{
  for (guint lead = 0; lead < 2 * MAX_LEAD; lead += MAX_LEAD)
    {
      g_autofree char *name = g_strdup_printf ("bare-race-%u", lead);
      g_autoptr(Fixture) first = fixture_new (name, "no-storage");
      g_autoptr(Fixture) second = fixture_new (name, "no-storage");
      g_autoptr(WelkinEnviron) environment = NULL;
      g_autoptr(WelkinEnviron) other = NULL;
      g_autoptr(WelkinEnviron) cloud = NULL;
      g_autoptr(GError) error = NULL;
      g_autoptr(GError) other_error = NULL;

      fixture_begin_bootstrap (first, FALSE);
      for (guint i = 0; i < lead; i++)
        g_main_context_iteration (NULL, TRUE);
      fixture_begin_bootstrap (second, FALSE);
      environment = fixture_finish_bootstrap (first, &error);
      other = fixture_finish_bootstrap (second, &other_error);
      g_assert_true (environment == NULL || other == NULL);
      if (environment == NULL)
        g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_BOOTSTRAPPED);
      if (other == NULL)
        g_assert_error (other_error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_BOOTSTRAPPED);
      cloud = fixture_look_at_cloud (first);
      g_assert_cmpuint (fixture_count_instances (first, cloud), ==,
                        environment != NULL || other != NULL ? 1 : 0);
    }
}

static void
started_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr(WelkinStartResult) started = NULL;
  g_autoptr(GError) error = NULL;

  started = welkin_environ_start_instance_finish (WELKIN_ENVIRON (source), result, &error);
  g_assert_no_error (error);
}

/* The first machine of somebody else, who did not look before. */
static void
start_theirs (WelkinEnviron *cloud)
{
  g_autoptr(WelkinMachineConfig) machine_config = NULL;
  g_autoptr(WelkinStartParams) params = NULL;
  g_autoptr(GError) error = NULL;

  machine_config = welkin_machine_config_new ("0", "nonce", "noble", FALSE, &error);
  g_assert_no_error (error);
  params = welkin_start_params_new ("theirs", machine_config);
  welkin_environ_start_instance_async (cloud, params, NULL, NULL, started_cb, NULL);
}

/* Their machine comes so many turns of the main loop later. As long as that is before the last
 * look, whichever machine was first, the bootstrap gives way, and only then does it end well. */
static void
test_gives_way_to_a_first_machine_of_another (void)
{
  gboolean was_disputed = FALSE;
  gboolean is_late = FALSE;
  gboolean has_ended_well = FALSE;

  for (guint lead = 0; lead < 100 && !is_late; lead++)
    {
      g_autofree char *name = g_strdup_printf ("theirs-%u", lead);
      g_autoptr(Fixture) fixture = fixture_new (name, "no-storage");
      g_autoptr(WelkinEnviron) cloud = fixture_look_at_cloud (fixture);
      g_autoptr(WelkinEnviron) environment = NULL;
      g_autoptr(GError) error = NULL;

      fixture_begin_bootstrap (fixture, FALSE);
      for (guint i = 0; i < lead && fixture->result == NULL; i++)
        g_main_context_iteration (NULL, TRUE);
      is_late = fixture->result != NULL;
      if (!is_late)
        start_theirs (cloud);
      environment = fixture_finish_bootstrap (fixture, &error);
      has_ended_well = has_ended_well || environment != NULL;
      g_assert_true (has_ended_well == (environment != NULL));
      if (environment != NULL)
        continue;
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_BOOTSTRAPPED);
      was_disputed = was_disputed || strstr (error->message, "Another bootstrap") != NULL;
      g_assert_cmpuint (fixture_count_instances (fixture, cloud), ==, 1);
    }
  g_assert_true (is_late);
  g_assert_true (was_disputed);
}

static void
test_destroy_wants_a_bootstrapped_one (void)
{
  g_autoptr(Fixture) fixture = fixture_new ("never", "");
  g_autoptr(GError) error = NULL;

  g_assert_false (fixture_destroy (fixture, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_BOOTSTRAPPED);
}

static void
test_state_info_wants_a_state (void)
{
  g_autoptr(Fixture) fixture = fixture_new ("stateless", "");
  g_autoptr(WelkinEnviron) environment = NULL;
  g_autoptr(WelkinStorage) storage = NULL;
  g_autoptr(WelkinStateInfo) info = NULL;
  g_autoptr(GError) error = NULL;

  environment = fixture_bootstrap (fixture, FALSE, &error);
  g_assert_no_error (error);
  storage = welkin_environ_get_storage (environment);
  g_clear_object (&fixture->result);
  welkin_storage_remove_async (storage, "provider-state", NULL, fixture_done_cb, fixture);
  g_assert_true (welkin_storage_remove_finish (storage, fixture_wait (fixture), &error));

  info = load_state_info (fixture, environment, &error);
  g_assert_null (info);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_BOOTSTRAPPED);
}

static void
test_state_info_waits_for_an_address (void)
{
  g_autoptr(Fixture) fixture = fixture_new ("unreachable", "");
  g_autoptr(WelkinEnviron) environment = NULL;
  g_autoptr(WelkinStateInfo) before = NULL;
  g_autoptr(WelkinStateInfo) after = NULL;
  g_autoptr(GError) error = NULL;
  const char *const *ids;

  environment = fixture_bootstrap (fixture, FALSE, &error);
  g_assert_no_error (error);
  before = load_state_info (fixture, environment, &error);
  g_assert_no_error (error);
  ids = welkin_state_info_get_instance_ids (before);
  g_assert_cmpstr (welkin_state_info_get_api_addresses (before)[0], !=, NULL);

  g_clear_object (&fixture->result);
  welkin_environ_stop_instances_async (environment, ids, NULL, NULL, fixture_done_cb, fixture);
  g_assert_true (welkin_environ_stop_instances_finish (environment, fixture_wait (fixture),
                                                       &error));
  after = load_state_info (fixture, environment, &error);
  g_assert_null (after);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NO_ADDRESS_YET);
  g_assert_nonnull (strstr (error->message, "timed out waiting for"));
  g_assert_true (g_str_has_suffix (error->message, ids[0]));
}

static void
test_state_info_wants_a_certificate (void)
{
  g_autoptr(Fixture) fixture = fixture_new ("uncertified", "");
  g_autoptr(WelkinEnviron) environment = NULL;
  g_autoptr(WelkinConfig) lacking = NULL;
  g_autoptr(WelkinStateInfo) info = NULL;
  g_autoptr(GError) error = NULL;

  environment = fixture_bootstrap (fixture, FALSE, &error);
  g_assert_no_error (error);
  lacking = welkin_config_without (welkin_environ_get_config (environment), "ca-cert");
  welkin_environ_set_config (environment, lacking, &error);
  g_assert_no_error (error);
  info = load_state_info (fixture, environment, &error);
  g_assert_null (info);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG);
  g_assert_nonnull (strstr (error->message, "no CA certificate"));
}

int
main (int    argc,
      char **argv)
{
  static const char *const operations[] = { "verify", "get", "put", "start-instance" };

  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/bootstrap/makes-one-machine", test_makes_one_machine);
  g_test_add_func ("/bootstrap/refuses-a-second-one", test_refuses_a_second_one);
  g_test_add_func ("/bootstrap/failure-keeps-what-was-there", test_failure_keeps_what_was_there);
  g_test_add_func ("/bootstrap/tells-one-that-was-cut-short", test_tells_one_that_was_cut_short);
  g_test_add_func ("/bootstrap/leaves-a-foreign-environment-alone",
                   test_leaves_a_foreign_environment_alone);
  for (gsize i = 0; i < G_N_ELEMENTS (operations); i++)
    {
      g_autofree char *path = NULL;

      path = g_strconcat ("/bootstrap/failure-leaves-nothing/", operations[i], NULL);
      g_test_add_data_func (path, operations[i], test_failure_leaves_nothing);
    }
  g_test_add_func ("/bootstrap/keeps-what-is-broken-on-request",
                   test_keeps_what_is_broken_on_request);
  g_test_add_func ("/bootstrap/says-what-it-could-not-remove", test_says_what_it_could_not_remove);
  g_test_add_func ("/bootstrap/gives-way-to-another-process", test_gives_way_to_another_process);
  g_test_add_func ("/bootstrap/two-at-once-make-one-machine", test_two_at_once_make_one_machine);
  g_test_add_func ("/bootstrap/two-at-once-where-both-may-write",
                   test_two_at_once_where_both_may_write);
  g_test_add_func ("/bootstrap/does-without-a-storage", test_does_without_a_storage);
  g_test_add_func ("/bootstrap/failure-without-a-storage-leaves-nothing",
                   test_failure_without_a_storage_leaves_nothing);
  g_test_add_func ("/bootstrap/two-at-once-without-a-storage-never-both-win",
                   test_two_at_once_without_a_storage_never_both_win);
  g_test_add_func ("/bootstrap/gives-way-to-a-first-machine-of-another",
                   test_gives_way_to_a_first_machine_of_another);
  g_test_add_func ("/bootstrap/destroy-wants-a-bootstrapped-one",
                   test_destroy_wants_a_bootstrapped_one);
  g_test_add_func ("/bootstrap/state-info-wants-a-state", test_state_info_wants_a_state);
  g_test_add_func ("/bootstrap/state-info-waits-for-an-address",
                   test_state_info_waits_for_an_address);
  g_test_add_func ("/bootstrap/state-info-wants-a-certificate",
                   test_state_info_wants_a_certificate);

  return g_test_run ();
}
