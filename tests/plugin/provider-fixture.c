/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "provider-fixture.h"

#include "os-config.h"

#define MAX_SECONDS 60
/* A real cloud takes its time, which other tests may want, too. */
#define MAX_REAL_SECONDS 900
/* How much faster than the wall's our time goes at the fake cloud, which is quick. Under valgrind,
 * where we are not, WELKIN_TEST_TIME_SCALE says otherwise. */
#define TIME_SCALE "20"

gboolean
provider_fixture_is_real (void)
{
  return g_strcmp0 (g_getenv ("WELKIN_TEST_REAL"), "1") == 0;
}

int
provider_fixture_run (void)
{
  if (provider_fixture_is_real () && g_getenv ("OS_AUTH_URL") == NULL)
    {
      g_print ("1..0 # SKIP OS_AUTH_URL names no cloud\n");
      return 0;
    }
  return g_test_run ();
}

void
provider_fixture_set_up (ProviderFixture *fixture,
                         gconstpointer    data)
{
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) variables = NULL;
  g_autoptr(GStrvBuilder) builder = NULL;
  g_autofree char *scale = NULL;
  g_auto(GStrv) all = NULL;

  fixture->uuid = g_uuid_string_random ();
  if (provider_fixture_is_real ())
    {
      fixture->surroundings = welkin_surroundings_new_for_process ();
      return;
    }
  fixture->fake = fake_cloud_new (&error);
  g_assert_no_error (error);
  variables = fake_cloud_dup_environment (fixture->fake, "demo", "demo");
  builder = g_strv_builder_new ();
  g_strv_builder_addv (builder, (const char **) variables);
  if (g_getenv ("WELKIN_TEST_TIME_SCALE") != NULL)
    scale = g_strconcat ("WELKIN_TIME_SCALE=", g_getenv ("WELKIN_TEST_TIME_SCALE"), NULL);
  g_strv_builder_add (builder, scale != NULL ? scale : "WELKIN_TIME_SCALE=" TIME_SCALE);
  g_strv_builder_add (builder, "WELKIN_PUBLIC_IMAGES=none");
  g_strv_builder_add (builder, "WELKIN_HOME=/nonexistent");
  all = g_strv_builder_end (builder);
  fixture->surroundings = welkin_surroundings_new ((const char *const *) all, "/");
}

void
provider_fixture_tear_down (ProviderFixture *fixture,
                            gconstpointer    data)
{
  g_clear_object (&fixture->result);
  g_clear_object (&fixture->last_result);
  /* What was just dropped may have something under way that is being cancelled. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_clear_pointer (&fixture->surroundings, welkin_surroundings_unref);
  g_clear_pointer (&fixture->fake, fake_cloud_free);
  g_clear_pointer (&fixture->uuid, g_free);
}

gboolean
provider_fixture_needs_fake (ProviderFixture *fixture)
{
  if (fixture->fake == NULL)
    g_test_skip ("not on a real cloud");
  return fixture->fake == NULL;
}

static WelkinConfig *
make_config (ProviderFixture *fixture,
             va_list          attributes)
{
  g_autoptr(WelkinConfig) config = welkin_config_new ();
  g_autoptr(GError) error = NULL;
  WelkinConfig *prepared;
  const char *key;
  const char *basics[] = {
    "name", "test", "type", "openstack", "uuid", fixture->uuid, "firewall-mode", "instance",
    "default-series", "noble", "api-port", "17070", NULL,
  };

  for (guint i = 0; basics[i] != NULL; i += 2)
    {
      g_autoptr(WelkinConfig) former = g_steal_pointer (&config);

      config = welkin_config_with_text (former, basics[i], basics[i + 1], NULL);
    }
  while ((key = va_arg (attributes, const char *)) != NULL)
    {
      g_autoptr(WelkinConfig) former = g_steal_pointer (&config);

      config = welkin_config_with_text (former, key, va_arg (attributes, const char *), NULL);
    }
  prepared = os_config_prepare (config, WELKIN_PREPARE_NONE, fixture->surroundings, &error);
  g_assert_no_error (error);
  return prepared;
}

WelkinConfig *
provider_fixture_make_config (ProviderFixture *fixture,
                              ...)
{
  WelkinConfig *config;
  va_list attributes;

  va_start (attributes, fixture);
  config = make_config (fixture, attributes);
  va_end (attributes);
  return config;
}

OsClient *
provider_fixture_make_client (ProviderFixture *fixture,
                              ...)
{
  g_autoptr(WelkinConfig) config = NULL;
  g_autoptr(GError) error = NULL;
  OsClient *client;
  va_list attributes;

  va_start (attributes, fixture);
  config = make_config (fixture, attributes);
  va_end (attributes);
  client = os_client_new (config, fixture->surroundings, NULL, &error);
  g_assert_no_error (error);
  return client;
}

void
provider_fixture_done_cb (GObject      *source,
                          GAsyncResult *result,
                          gpointer      user_data)
{
  ProviderFixture *fixture = user_data;

  g_assert_null (fixture->result);
  fixture->result = g_object_ref (result);
}

static gboolean
too_late_cb (gpointer user_data)
{
  g_assert_not_reached ();
  return G_SOURCE_REMOVE;
}

GAsyncResult *
provider_fixture_wait (ProviderFixture *fixture)
{
  guint seconds = fixture->fake != NULL ? MAX_SECONDS : MAX_REAL_SECONDS;
  guint too_late = g_timeout_add_seconds (seconds, too_late_cb, NULL);

  while (fixture->result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (too_late);
  g_clear_object (&fixture->last_result);
  fixture->last_result = g_steal_pointer (&fixture->result);
  return fixture->last_result;
}
