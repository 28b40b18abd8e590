/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environ-fixture.h"

#include "values/welkin-error.h"

static gboolean
verify (EnvironFixture *fixture,
        GError        **error)
{
  welkin_environ_verify_async (fixture->environ, NULL, NULL, provider_fixture_done_cb,
                               &fixture->provider);
  return welkin_environ_verify_finish (fixture->environ, provider_fixture_wait (&fixture->provider),
                                       error);
}

static gboolean
set_attribute (EnvironFixture *fixture,
               const char     *key,
               const char     *value,
               GError        **error)
{
  g_autoptr(WelkinConfig) config =
    welkin_config_with_text (welkin_environ_get_config (fixture->environ), key, value, NULL);

  return welkin_environ_set_config (fixture->environ, config, error);
}

static void
test_verifying_only_reads (EnvironFixture *fixture,
                           gconstpointer   data)
{
  g_autoptr(GError) error = NULL;

  verify (fixture, &error);
  g_assert_no_error (error);
  environ_fixture_assert_clean (fixture);
  if (fixture->provider.fake == NULL)
    return;
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "POST", "*"), ==, 1);
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "PUT", "*"), ==, 0);
}

static void
message_changed_cb (WelkinProgress *progress,
                    GParamSpec     *param,
                    GString        *messages)
{
  g_string_append_printf (messages, "%s\n", welkin_progress_get_message (progress));
}

static void
test_verifying_says_what_is_waited_for (EnvironFixture *fixture,
                                        gconstpointer   data)
{
  g_autoptr(WelkinProgress) progress = welkin_progress_new ();
  g_autoptr(GString) messages = g_string_new (NULL);
  g_autoptr(GError) error = NULL;

  g_signal_connect (progress, "notify::message", G_CALLBACK (message_changed_cb), messages);
  welkin_environ_verify_async (fixture->environ, progress, NULL, provider_fixture_done_cb,
                               &fixture->provider);
  welkin_environ_verify_finish (fixture->environ, provider_fixture_wait (&fixture->provider),
                                &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (messages->str, "Logging in at http"));
  g_assert_cmpstr (welkin_progress_get_message (progress), ==,
                   "Looking for image, flavor and networks");
}

static void
test_verifying_finds_what_is_wrong (EnvironFixture *fixture,
                                    gconstpointer   data)
{
  struct
  {
    const char *key;
    const char *value;
    WelkinError code;
  } cases[] = {
    { "network", "nosuch", WELKIN_ERROR_NOT_FOUND },
    { "external-network", "nosuch", WELKIN_ERROR_NOT_FOUND },
    { "password", "wrong", WELKIN_ERROR_UNAUTHORIZED },
    { "availability-zones", "az9", WELKIN_ERROR_NOT_FOUND },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GError) error = NULL;

      environ_fixture_reopen (fixture, cases[i].key, cases[i].value, NULL);
      g_assert_false (verify (fixture, &error));
      g_assert_error (error, WELKIN_ERROR, (int) cases[i].code);
    }
}

static void
test_changed_config_keeps_the_token (EnvironFixture *fixture,
                                     gconstpointer   data)
{
  FakeCloud *fake = fixture->provider.fake;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  verify (fixture, &error);
  g_assert_no_error (error);
  set_attribute (fixture, "network", "nosuch", &error);
  g_assert_no_error (error);
  g_assert_false (verify (fixture, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_cmpuint (fake_log_count (fake, "POST", "/identity/*"), ==, 1);

  set_attribute (fixture, "network", "private", &error);
  g_assert_no_error (error);
  set_attribute (fixture, "password", "wrong", &error);
  g_assert_no_error (error);
  g_assert_false (verify (fixture, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAUTHORIZED);
}

static void
test_config_that_makes_no_sense_changes_nothing (EnvironFixture *fixture,
                                                 gconstpointer   data)
{
  g_autoptr(WelkinConfig) before = welkin_config_ref (welkin_environ_get_config (fixture->environ));
  g_autoptr(GError) error = NULL;

  g_assert_false (set_attribute (fixture, "use-floating-ip", "perhaps", &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG);
  g_assert_true (welkin_environ_get_config (fixture->environ) == before);
}

static void
test_what_is_fixed_stays (EnvironFixture *fixture,
                          gconstpointer   data)
{
  static const char *const fixed[] = { "control-bucket", "resource-prefix", "region" };
  g_autoptr(WelkinConfig) before = welkin_config_ref (welkin_environ_get_config (fixture->environ));

  for (gsize i = 0; i < G_N_ELEMENTS (fixed); i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_false (set_attribute (fixture, fixed[i], "another", &error));
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG);
      g_assert_nonnull (strstr (error->message, fixed[i]));
      g_assert_true (welkin_environ_get_config (fixture->environ) == before);
    }
}

/* What runs goes on with the configuration that it began with. */
static void
test_running_start_keeps_its_config (EnvironFixture *fixture,
                                     gconstpointer   data)
{
  g_autoptr(WelkinStartParams) params = environ_fixture_make_params ("0", NULL);
  g_autoptr(WelkinStartResult) result = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  welkin_environ_start_instance_async (fixture->environ, params, NULL, NULL,
                                       provider_fixture_done_cb, &fixture->provider);
  set_attribute (fixture, "network", "nosuch", &error);
  g_assert_no_error (error);
  result = welkin_environ_start_instance_finish (
    fixture->environ, provider_fixture_wait (&fixture->provider), &error);
  g_assert_no_error (error);
  g_assert_nonnull (welkin_start_result_get_instance (result));
}

static gboolean
save (EnvironFixture *fixture,
      WelkinStorage  *storage,
      GError        **error)
{
  g_autoptr(GBytes) contents = g_bytes_new_static ("x", 1);

  welkin_storage_save_async (storage, "name", contents, WELKIN_STORAGE_NONE, NULL,
                             provider_fixture_done_cb, &fixture->provider);
  return welkin_storage_save_finish (storage, provider_fixture_wait (&fixture->provider), error);
}

/* A storage goes on with the configuration that it was made from. */
static void
test_storage_keeps_its_config (EnvironFixture *fixture,
                               gconstpointer   data)
{
  g_autoptr(WelkinStorage) storage = welkin_environ_get_storage (fixture->environ);
  g_autoptr(WelkinStorage) none = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  set_attribute (fixture, "storage", "none", &error);
  g_assert_no_error (error);
  none = welkin_environ_get_storage (fixture->environ);
  g_assert_false (save (fixture, none, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED);
  g_clear_error (&error);
  save (fixture, storage, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "PUT", "*/name"), ==, 1);
}

/* An environ may go while it is at work: the work ends, and nothing is touched that is gone. */
static void
test_environ_that_is_dropped_finishes_its_work (EnvironFixture *fixture,
                                                gconstpointer   data)
{
  g_autoptr(WelkinStartParams) params = environ_fixture_make_params ("0", NULL);
  g_autoptr(WelkinStartResult) result = NULL;
  g_autoptr(GError) error = NULL;
  WelkinEnviron *environ = fixture->environ;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  welkin_environ_start_instance_async (environ, params, NULL, NULL, provider_fixture_done_cb,
                                       &fixture->provider);
  g_clear_object (&fixture->environ);
  result = welkin_environ_start_instance_finish (
    environ, provider_fixture_wait (&fixture->provider), &error);
  g_assert_no_error (error);
  g_assert_nonnull (result);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  environ_fixture_add_test ("/environ/verify/only-reads", test_verifying_only_reads);
  environ_fixture_add_test ("/environ/verify/says-what-is-waited-for",
                            test_verifying_says_what_is_waited_for);
  environ_fixture_add_test ("/environ/verify/finds-what-is-wrong",
                            test_verifying_finds_what_is_wrong);
  environ_fixture_add_test ("/defects/25/keeps-the-token",
                            test_changed_config_keeps_the_token);
  environ_fixture_add_test ("/environ/set-config/senseless",
                            test_config_that_makes_no_sense_changes_nothing);
  environ_fixture_add_test ("/defects/24/what-is-fixed-stays", test_what_is_fixed_stays);
  environ_fixture_add_test ("/defects/26/running-start",
                            test_running_start_keeps_its_config);
  environ_fixture_add_test ("/environ/set-config/storage-goes-on", test_storage_keeps_its_config);
  environ_fixture_add_test ("/environ/dropped", test_environ_that_is_dropped_finishes_its_work);

  return provider_fixture_run ();
}
