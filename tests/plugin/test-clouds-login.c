/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Clouds of clouds.yaml, and what is done with them on the wire. */

#include "config.h"

#include <libsoup/soup.h>

#include "cloud-files-fixture.h"
#include "contracts/welkin-environ.h"
#include "os-config.h"
#include "os-environ.h"
#include "provider-fixture.h"
#include "values/welkin-error.h"

/* A fake cloud, and the files of a user of it. Unless the test is a plain one, it speaks TLS with a
 * certificate that only ca.pem vouches for. */
#define PLAIN "plain"

typedef struct
{
  ProviderFixture   provider;
  CloudFilesFixture files;
} Fixture;

static void
set_up (Fixture       *fixture,
        gconstpointer  data)
{
  const char *server = g_test_get_filename (G_TEST_DIST, "data", "tls", "server.pem", NULL);
  const char *authority = g_test_get_filename (G_TEST_DIST, "data", "tls", "authority.pem", NULL);
  g_autofree char *text = NULL;
  g_autoptr(GError) error = NULL;

  fixture->provider.fake = fake_cloud_new_full (0, TRUE, data == NULL ? server : NULL, &error);
  g_assert_no_error (error);
  fixture->provider.uuid = g_uuid_string_random ();
  cloud_files_fixture_set_up (&fixture->files, data);
  cloud_files_fixture_set (&fixture->files, "WELKIN_TIME_SCALE", "20");
  g_assert_true (g_file_get_contents (authority, &text, NULL, NULL));
  cloud_files_fixture_write (&fixture->files, "home/.config/openstack/ca.pem", text);
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  provider_fixture_tear_down (&fixture->provider, data);
  cloud_files_fixture_tear_down (&fixture->files, data);
}

/* The clouds a and b are the same one, each with something of its own. */
static void
write_clouds (Fixture    *fixture,
              const char *more_of_a,
              const char *more_of_b)
{
  const char *url = fake_cloud_get_auth_url (fixture->provider.fake);
  g_autofree char *text =
    g_strdup_printf ("clouds:\n"
                     "  a: {auth: &auth {auth_url: '%s', username: demo, password: secret,\n"
                     "      project_name: demo}, %s}\n"
                     "  b: {auth: *auth, %s}\n",
                     url, more_of_a, more_of_b);

  cloud_files_fixture_write (&fixture->files, CLOUDS, text);
}

static WelkinConfig *
make_config (Fixture            *fixture,
             const char         *cloud,
             WelkinSurroundings *surroundings)
{
  const char *attributes[][2] = {
    { "name", "test" }, { "type", "openstack" }, { "uuid", fixture->provider.uuid },
    { "cloud", cloud }, { "default-series", "noble" }, { "api-port", "17070" },
    { "firewall-mode", "instance" },
  };
  g_autoptr(WelkinConfig) config = welkin_config_new ();
  g_autoptr(GError) error = NULL;
  WelkinConfig *prepared;

  for (guint i = 0; i < G_N_ELEMENTS (attributes); i++)
    {
      g_autoptr(WelkinConfig) former = g_steal_pointer (&config);

      config = welkin_config_with_text (former, attributes[i][0], attributes[i][1], NULL);
    }
  prepared = os_config_prepare (config, WELKIN_PREPARE_NONE, surroundings, &error);
  g_assert_no_error (error);
  return prepared;
}

static WelkinEnviron *
open_cloud (Fixture     *fixture,
            const char  *cloud,
            GError     **error)
{
  g_autoptr(WelkinSurroundings) surroundings =
    cloud_files_fixture_make_surroundings (&fixture->files);
  g_autoptr(WelkinConfig) config = make_config (fixture, cloud, surroundings);

  return os_environ_new (config, surroundings, error);
}

static gboolean
verify (Fixture        *fixture,
        WelkinEnviron  *environ,
        GError        **error)
{
  welkin_environ_verify_async (environ, NULL, NULL, provider_fixture_done_cb, &fixture->provider);
  return welkin_environ_verify_finish (environ, provider_fixture_wait (&fixture->provider), error);
}

static gboolean
destroy (Fixture        *fixture,
         WelkinEnviron  *environ,
         GError        **error)
{
  welkin_environ_destroy_async (environ, NULL, NULL, provider_fixture_done_cb, &fixture->provider);
  return welkin_environ_destroy_finish (environ, provider_fixture_wait (&fixture->provider), error);
}

static void
test_g51_that_cloud_alone_is_not_verified (Fixture       *fixture,
                                           gconstpointer  data)
{
  g_autoptr(WelkinEnviron) a = NULL;
  g_autoptr(WelkinEnviron) b = NULL;
  g_autoptr(GError) error = NULL;

  write_clouds (fixture, "verify: \"False\"", "verify: true");
  g_test_expect_message ("welkin-openstack", G_LOG_LEVEL_WARNING, "*not checked*");
  a = open_cloud (fixture, "a", &error);
  g_test_assert_expected_messages ();
  g_assert_no_error (error);
  b = open_cloud (fixture, "b", &error);
  g_assert_no_error (error);

  for (guint i = 0; i < 2; i++)
    {
      verify (fixture, a, &error);
      g_assert_no_error (error);
      g_assert_false (verify (fixture, b, &error));
      g_assert_error (error, G_TLS_ERROR, G_TLS_ERROR_BAD_CERTIFICATE);
      g_clear_error (&error);
    }
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "GET", "/compute/*"), >, 0);
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "GET", "/network/*"), >, 0);
}

static void
test_g54_1_own_authority_vouches_to_the_end (Fixture       *fixture,
                                             gconstpointer  data)
{
  g_autoptr(WelkinEnviron) a = NULL;
  g_autoptr(GError) error = NULL;

  write_clouds (fixture, "cacert: ca.pem", "x: y");
  a = open_cloud (fixture, "a", &error);
  g_assert_no_error (error);
  verify (fixture, a, &error);
  g_assert_no_error (error);
  destroy (fixture, a, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, NULL, "/object-store/*"), >, 0);
}

static void
test_g54_1_a_missing_authority_is_named_before_all_else (Fixture       *fixture,
                                                         gconstpointer  data)
{
  g_autofree char *path = cloud_files_fixture_path (&fixture->files, "home/nosuch.pem");
  g_autofree char *words = g_strdup_printf ("clouds.yaml:3: ca-certificates: cannot use %s: ",
                                            path);
  g_autoptr(WelkinEnviron) a = NULL;
  g_autoptr(GError) error = NULL;

  write_clouds (fixture, "cacert: ~/nosuch.pem", "x: y");
  a = open_cloud (fixture, "a", &error);
  g_assert_null (a);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, words));
  g_assert_cmpuint (fake_log_get_entries (fixture->provider.fake)->len, ==, 0);
}

static void
test_networks_are_those_of_the_cloud (Fixture       *fixture,
                                      gconstpointer  data)
{
  g_autoptr(WelkinEnviron) a = NULL;
  g_autoptr(WelkinEnviron) b = NULL;
  g_autoptr(GError) error = NULL;

  fake_cloud_add (fixture->provider.fake, "network", "{'name': 'second', 'project': 'demo'}");
  write_clouds (fixture, "cacert: ca.pem, networks: [{name: private, nat_destination: true}]",
                "cacert: ca.pem");
  a = open_cloud (fixture, "a", &error);
  g_assert_no_error (error);
  b = open_cloud (fixture, "b", &error);
  g_assert_no_error (error);

  verify (fixture, a, &error);
  g_assert_no_error (error);
  g_assert_false (verify (fixture, b, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_AMBIGUOUS);
}

/* A service of that type, and one whose answers do not come. */
static void
test_services_are_as_the_cloud_says (Fixture       *fixture,
                                     gconstpointer  data)
{
  FakeCloud *fake = fixture->provider.fake;
  const FakeRule hanging = { .path = "/next/*", .times = -1, .action = FAKE_HANG };
  g_autofree char *endpoint = g_strdup_printf ("{'type': 'neutron-next', 'region': 'RegionOne', "
                                               "'interface': 'public', 'url': '%s/next'}",
                                               fake_cloud_get_url (fake));
  g_autoptr(WelkinEnviron) a = NULL;
  g_autoptr(WelkinEnviron) b = NULL;
  g_autoptr(GError) error = NULL;
  gint64 begin;

  fake_cloud_add (fake, "endpoint", endpoint);
  fake_cloud_add_rule (fake, &hanging);
  write_clouds (fixture, "cacert: ca.pem, network_service_type: neutron-next, api_timeout: 4",
                "cacert: ca.pem");
  a = open_cloud (fixture, "a", &error);
  g_assert_no_error (error);
  b = open_cloud (fixture, "b", &error);
  g_assert_no_error (error);
  verify (fixture, b, &error);
  g_assert_no_error (error);

  begin = g_get_monotonic_time ();
  g_assert_false (verify (fixture, a, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT);
  /* In the time of the test that is a fraction of a second, and six seconds without. */
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 5 * G_USEC_PER_SEC);
  g_assert_cmpuint (fake_log_count (fake, NULL, "/next/*"), >, 0);
}

/* What the files give is not the environment's own: whoever stores it stores no secret. */
static void
test_the_environment_keeps_its_own_config (Fixture       *fixture,
                                           gconstpointer  data)
{
  g_autoptr(WelkinEnviron) a = NULL;
  g_autoptr(GError) error = NULL;
  WelkinConfig *config;

  write_clouds (fixture, "cacert: ca.pem, networks: [{name: private}]", "x: y");
  a = open_cloud (fixture, "a", &error);
  g_assert_no_error (error);
  config = welkin_environ_get_config (a);
  g_assert_cmpstr (welkin_config_get_string (config, "cloud"), ==, "a");
  g_assert_cmpstr (welkin_config_get_string (config, "password"), ==, "");
  g_assert_cmpstr (welkin_config_get_string (config, "username"), ==, "");
  g_assert_cmpstr (welkin_config_get_string (config, "network"), ==, "");
}

static void
host_seen_cb (SoupServer        *server,
              SoupServerMessage *message,
              const char        *path,
              GHashTable        *query,
              gpointer           user_data)
{
  char **host = user_data;

  g_free (*host);
  *host = g_strdup (soup_message_headers_get_one (
    soup_server_message_get_request_headers (message), "Host"));
  soup_server_message_set_status (message, 401, NULL);
}

static void
test_g54_7_an_ipv6_address_is_connected_to (Fixture       *fixture,
                                            gconstpointer  data)
{
  g_autoptr(SoupServer) server = soup_server_new (NULL, NULL);
  g_autofree char *host = NULL;
  g_autofree char *expected = NULL;
  g_autofree char *text = NULL;
  g_autoptr(WelkinEnviron) a = NULL;
  g_autoptr(GError) error = NULL;
  GSList *uris;

  soup_server_add_handler (server, NULL, host_seen_cb, &host, NULL);
  if (!soup_server_listen_local (server, 0, SOUP_SERVER_LISTEN_IPV6_ONLY, NULL))
    {
      g_test_skip ("no IPv6 here");
      return;
    }
  uris = soup_server_get_uris (server);
  expected = g_strdup_printf ("[::1]:%d", g_uri_get_port (uris->data));
  g_slist_free_full (uris, (GDestroyNotify) g_uri_unref);
  text = g_strdup_printf ("clouds: {a: {auth: {auth_url: 'http://%s/v3', username: u, "
                          "password: " CANARY ", project_name: p}}}\n",
                          expected);
  cloud_files_fixture_write (&fixture->files, CLOUDS, text);

  a = open_cloud (fixture, "a", &error);
  g_assert_no_error (error);
  g_assert_false (verify (fixture, a, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAUTHORIZED);
  g_assert_nonnull (strstr (error->message, expected));
  g_assert_null (strstr (error->message, CANARY));
  g_assert_cmpstr (host, ==, expected);
}

#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("/cases/G51/that-cloud-alone-is-not-verified", test_g51_that_cloud_alone_is_not_verified);
  ADD ("/cases/G54.1/own-authority-vouches-to-the-end",
       test_g54_1_own_authority_vouches_to_the_end);
  ADD ("/cases/G54.1/a-missing-authority-is-named-before-all-else",
       test_g54_1_a_missing_authority_is_named_before_all_else);
  ADD ("/cases/G54.7/an-ipv6-address-is-connected-to", test_g54_7_an_ipv6_address_is_connected_to);
  ADD ("/clouds/networks-are-those-of-the-cloud", test_networks_are_those_of_the_cloud);
  /* The end of a TLS connection would wait for the answers that never come. */
  g_test_add ("/clouds/services-are-as-the-cloud-says", Fixture, PLAIN, set_up,
              test_services_are_as_the_cloud_says, tear_down);
  ADD ("/clouds/the-environment-keeps-its-own-config", test_the_environment_keeps_its_own_config);

  return g_test_run ();
}
