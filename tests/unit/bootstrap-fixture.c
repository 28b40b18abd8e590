/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "bootstrap-fixture.h"

#define KEY "ssh-ed25519 " \
            "AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA theirs"

static void
fixture_write (Fixture    *fixture,
               const char *broken)
{
  g_autofree char *text = NULL;

  text = g_strdup_printf ("environments:\n"
                          "  %s:\n"
                          "    type: dummy\n"
                          "    broken: [%s]\n",
                          fixture->name, broken);
  home_write (fixture->home, ".config/welkin/environments.yaml", text);
}

Fixture *
fixture_new (const char *name,
             const char *broken)
{
  Fixture *fixture = g_new0 (Fixture, 1);
  g_autofree char *directory = g_test_build_filename (G_TEST_BUILT, "plugins", "dummy", NULL);
  const char *directories[] = { directory, NULL };
  g_autoptr(WelkinRegistry) registry = welkin_registry_new (directories);

  fixture->home = home_new (NULL);
  fixture->name = name;
  fixture_write (fixture, broken);
  fixture->environments = welkin_environments_new (registry, fixture->home->surroundings);
  return fixture;
}

void
fixture_free (Fixture *fixture)
{
  g_clear_object (&fixture->result);
  g_object_unref (fixture->environments);
  home_free (fixture->home);
  g_free (fixture);
}

void
fixture_done_cb (GObject      *source,
                 GAsyncResult *result,
                 gpointer      user_data)
{
  Fixture *fixture = user_data;

  g_set_object (&fixture->result, result);
}

GAsyncResult *
fixture_wait (Fixture *fixture)
{
  while (fixture->result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return fixture->result;
}

void
fixture_begin_bootstrap (Fixture *fixture,
                         gboolean keep_broken)
{
  g_autoptr(WelkinConstraints) constraints = welkin_constraints_new_parsed ("mem=2G", NULL);
  g_autoptr(WelkinBootstrapOptions) defaults = welkin_bootstrap_options_new ();
  g_autoptr(WelkinBootstrapOptions) short_one = NULL;
  g_autoptr(WelkinBootstrapOptions) constrained = NULL;
  g_autoptr(WelkinBootstrapOptions) options = NULL;

  /* The machines of the dummy boot nothing. */
  short_one = welkin_bootstrap_options_with_until (defaults, WELKIN_STAGE_ACTIVE);
  constrained = welkin_bootstrap_options_with_constraints (short_one, constraints);
  options = welkin_bootstrap_options_with_keep_broken (constrained, keep_broken);
  g_clear_object (&fixture->result);
  welkin_bootstrap_async (fixture->environments, fixture->name, options, NULL, NULL,
                          fixture_done_cb, fixture);
}

WelkinEnviron *
fixture_finish_bootstrap (Fixture *fixture,
                          GError **error)
{
  return welkin_bootstrap_finish (fixture->environments, fixture_wait (fixture), error);
}

WelkinEnviron *
fixture_bootstrap (Fixture   *fixture,
                   gboolean   keep_broken,
                   GError   **error)
{
  fixture_begin_bootstrap (fixture, keep_broken);
  return fixture_finish_bootstrap (fixture, error);
}

WelkinEnviron *
fixture_bootstrap_again (Fixture     *fixture,
                         const char  *message,
                         GError     **error)
{
  WelkinEnviron *environment;

  g_test_expect_message ("welkin", G_LOG_LEVEL_WARNING, "*ignoring environments.yaml*");
  if (message != NULL)
    g_test_expect_message ("welkin", G_LOG_LEVEL_MESSAGE, message);
  environment = fixture_bootstrap (fixture, FALSE, error);
  g_test_assert_expected_messages ();
  return environment;
}

gboolean
fixture_destroy (Fixture  *fixture,
                 GError  **error)
{
  g_clear_object (&fixture->result);
  welkin_destroy_async (fixture->environments, fixture->name, NULL, NULL, fixture_done_cb, fixture);
  return welkin_destroy_finish (fixture->environments, fixture_wait (fixture), error);
}

char *
fixture_read_info (Fixture *fixture)
{
  g_autofree char *name = NULL;

  name = g_strdup_printf (".local/share/welkin/environments/%s.yaml", fixture->name);
  return home_read (fixture->home, name);
}

guint
fixture_count_instances (Fixture       *fixture,
                         WelkinEnviron *environment)
{
  g_autoptr(GPtrArray) instances = NULL;
  g_autoptr(GError) error = NULL;

  g_clear_object (&fixture->result);
  welkin_environ_list_instances_async (environment, NULL, fixture_done_cb, fixture);
  instances = welkin_environ_list_instances_finish (environment, fixture_wait (fixture), &error);
  g_assert_no_error (error);
  return instances->len;
}

static char **
list_storage (Fixture       *fixture,
              WelkinStorage *storage)
{
  char **names;
  g_autoptr(GError) error = NULL;

  g_clear_object (&fixture->result);
  welkin_storage_list_async (storage, "", NULL, fixture_done_cb, fixture);
  names = welkin_storage_list_finish (storage, fixture_wait (fixture), &error);
  g_assert_no_error (error);
  return names;
}

WelkinEnviron *
fixture_look_at_cloud (Fixture *fixture)
{
  g_autoptr(WelkinProvider) provider = NULL;
  g_autoptr(WelkinConfig) empty = welkin_config_new ();
  g_autoptr(WelkinConfig) named = NULL;
  g_autoptr(WelkinConfig) config = NULL;
  g_autoptr(GError) error = NULL;
  WelkinEnviron *environment;
  WelkinRegistry *registry = welkin_environments_get_registry (fixture->environments);

  provider = welkin_registry_get_provider (registry, "dummy", &error);
  g_assert_no_error (error);
  named = welkin_config_with_text (empty, "name", fixture->name, NULL);
  config = welkin_config_with_text (named, "authorized-keys", KEY, NULL);
  environment = welkin_provider_open (provider, config, NULL, &error);
  g_assert_no_error (error);
  return environment;
}

void
fixture_assert_nothing_is_left (Fixture *fixture)
{
  g_autoptr(WelkinEnviron) environment = fixture_look_at_cloud (fixture);
  g_autoptr(WelkinStorage) storage = welkin_environ_get_storage (environment);
  g_auto(GStrv) names = list_storage (fixture, storage);

  g_assert_null (names[0]);
  g_assert_cmpuint (fixture_count_instances (fixture, environment), ==, 0);
}

void
fixture_save (Fixture    *fixture,
              const char *name,
              const char *text)
{
  g_autoptr(WelkinEnviron) environment = fixture_look_at_cloud (fixture);
  g_autoptr(WelkinStorage) storage = welkin_environ_get_storage (environment);
  g_autoptr(GBytes) contents = g_bytes_new (text, strlen (text));
  g_autoptr(GError) error = NULL;

  g_clear_object (&fixture->result);
  welkin_storage_save_async (storage, name, contents, WELKIN_STORAGE_NONE, NULL, fixture_done_cb,
                             fixture);
  welkin_storage_save_finish (storage, fixture_wait (fixture), &error);
  g_assert_no_error (error);
}

char *
fixture_load (Fixture    *fixture,
              const char *name)
{
  g_autoptr(WelkinEnviron) environment = fixture_look_at_cloud (fixture);
  g_autoptr(WelkinStorage) storage = welkin_environ_get_storage (environment);
  g_autoptr(GBytes) contents = NULL;

  g_clear_object (&fixture->result);
  welkin_storage_load_async (storage, name, WELKIN_STORAGE_NONE, NULL, fixture_done_cb, fixture);
  contents = welkin_storage_load_finish (storage, fixture_wait (fixture), NULL);
  return contents != NULL
           ? g_strndup (g_bytes_get_data (contents, NULL), g_bytes_get_size (contents))
           : NULL;
}
