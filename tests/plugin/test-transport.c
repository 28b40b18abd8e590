/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <libsoup/soup.h>

#include "provider-fixture.h"

#include "transport/os-tls.h"
#include "values/welkin-error.h"

/* TLS */

static void
answer_cb (SoupServer        *server,
           SoupServerMessage *message,
           const char        *path,
           GHashTable        *query,
           gpointer           user_data)
{
  soup_server_message_set_status (message, 200, NULL);
}

/* A server whose certificate was signed by an authority that nobody else knows. */
static SoupServer *
make_server (guint *port)
{
  const char *path = g_test_get_filename (G_TEST_DIST, "data", "tls", "server.pem", NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(GTlsCertificate) certificate = g_tls_certificate_new_from_file (path, &error);
  SoupServer *server = soup_server_new ("tls-certificate", certificate, NULL);
  GSList *uris;

  g_assert_no_error (error);
  soup_server_add_handler (server, NULL, answer_cb, NULL, NULL);
  soup_server_listen_local (server, 0, SOUP_SERVER_LISTEN_HTTPS | SOUP_SERVER_LISTEN_IPV4_ONLY,
                            &error);
  g_assert_no_error (error);
  uris = soup_server_get_uris (server);
  *port = g_uri_get_port (uris->data);
  g_slist_free_full (uris, (GDestroyNotify) g_uri_unref);
  return server;
}

static gboolean
can_fetch (ProviderFixture  *fixture,
           guint             port,
           GTlsDatabase     *database,
           GError          **error)
{
  WkHttpOptions options = { .user_agent = "test", .tls_database = database };
  g_autoptr(WkHttp) http = wk_http_new (&options);
  g_autofree char *uri = g_strdup_printf ("https://127.0.0.1:%u/", port);
  g_autoptr(WkHttpRequest) request = wk_http_request_new ("GET", uri);
  g_autoptr(WkHttpResponse) response = NULL;

  wk_http_send_async (http, request, NULL, provider_fixture_done_cb, fixture);
  response = wk_http_send_finish (http, provider_fixture_wait (fixture), error);
  return response != NULL;
}

static void
test_own_authority_adds_to_the_system_s (ProviderFixture *fixture,
                                         gconstpointer    data)
{
  const char *path = g_test_get_filename (G_TEST_DIST, "data", "tls", "authority.pem", NULL);
  guint port = 0;
  g_autoptr(SoupServer) server = make_server (&port);
  g_autoptr(GError) error = NULL;
  g_autofree char *text = NULL;
  g_autoptr(GTlsDatabase) by_path = os_tls_database_new (path, &error);
  g_autoptr(GTlsDatabase) by_text = NULL;

  g_assert_nonnull (server);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  by_text = os_tls_database_new (text, &error);
  g_assert_no_error (error);

  g_assert_false (can_fetch (fixture, port, NULL, &error));
  g_assert_error (error, G_TLS_ERROR, G_TLS_ERROR_BAD_CERTIFICATE);
  g_clear_error (&error);
  can_fetch (fixture, port, by_path, &error);
  g_assert_no_error (error);
  can_fetch (fixture, port, by_text, &error);
  g_assert_no_error (error);
}

/* The server is no keystone: what matters is how far it comes. */
static void
assert_login_fails (ProviderFixture *fixture,
                    guint            port,
                    const char      *key,
                    const char      *value,
                    GQuark           domain,
                    int              code,
                    const char      *words)
{
  g_autofree char *url = g_strdup_printf ("https://127.0.0.1:%u/v3", port);
  g_autoptr(OsClient) client = NULL;
  g_autoptr(GError) error = NULL;

  client = provider_fixture_make_client (fixture, "auth-url", url, "username", "demo", "password",
                                         "secret", "tenant-name", "demo", key, value, NULL);
  os_client_login_async (client, NULL, provider_fixture_done_cb, fixture);
  g_assert_false (os_client_login_finish (client, provider_fixture_wait (fixture), &error));
  g_assert_error (error, domain, code);
  g_assert_nonnull (strstr (error->message, words));
}

static void
test_unknown_authority_says_what_to_do (ProviderFixture *fixture,
                                        gconstpointer    data)
{
  const char *path = g_test_get_filename (G_TEST_DIST, "data", "tls", "authority.pem", NULL);
  guint port = 0;
  g_autoptr(SoupServer) server = make_server (&port);

  g_assert_nonnull (server);
  /* Reading the system's authorities takes its time under a checker of memory. */
  g_clear_pointer (&fixture->surroundings, welkin_surroundings_unref);
  fixture->surroundings = welkin_surroundings_new (NULL, "/");
  assert_login_fails (fixture, port, "region", "", G_TLS_ERROR, G_TLS_ERROR_BAD_CERTIFICATE,
                      "ca-certificates");
  assert_login_fails (fixture, port, "ca-certificates", path, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                      "Cannot log in");
  g_test_expect_message ("welkin-openstack", G_LOG_LEVEL_WARNING, "*not checked*");
  assert_login_fails (fixture, port, "ssl-hostname-verification", "false", WELKIN_ERROR,
                      WELKIN_ERROR_PROTOCOL, "Cannot log in");
  g_test_assert_expected_messages ();
  /* Said once in a process is enough. */
  assert_login_fails (fixture, port, "ssl-hostname-verification", "false", WELKIN_ERROR,
                      WELKIN_ERROR_PROTOCOL, "Cannot log in");
}

static void
test_bad_authorities_are_refused (void)
{
  static const char *const cases[][2] = {
    { "/nowhere/ca.pem", "ca-certificates: cannot use /nowhere/ca.pem: " },
    { "-----BEGIN NOTHING-----\nx\n", "ca-certificates: cannot use the text as certificates: " },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(GTlsDatabase) database = os_tls_database_new (cases[i][0], &error);

      g_assert_null (database);
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG);
      g_assert_true (g_str_has_prefix (error->message, cases[i][1]));
    }
}

static void
test_client_certificates_are_files_or_text (void)
{
  const char *path = g_test_get_filename (G_TEST_DIST, "data", "tls", "client.pem", NULL);
  const char *keyless = g_test_get_filename (G_TEST_DIST, "data", "tls", "authority.pem", NULL);
  g_autofree char *text = NULL;
  g_autofree char *certificate = NULL;
  const char *key;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  key = strstr (text, "-----BEGIN PRIVATE KEY");
  certificate = g_strndup (text, key - text);
  {
    const struct
    {
      const char *certificate;
      const char *key;
      const char *complaint; /* NULL: it is good */
    } cases[] = {
      { path, NULL, NULL },
      { keyless, path, NULL },
      { keyless, key, NULL },
      { text, NULL, NULL },
      { certificate, key, NULL },
      { keyless, NULL, "authority.pem: name its file in client-key" },
      { certificate, NULL, "there is no key in the text" },
      { "/nowhere/client.pem", NULL, "client-cert: cannot read /nowhere/client.pem: No such" },
      { keyless, "/nowhere/key.pem", "client-key: cannot read its file: No such file" },
      { keyless, "/", "client-key: cannot read its file: " },
      { "-----BEGIN NOTHING-----\n", NULL, "client-cert: cannot use the text as a certificate" },
    };

    for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
      {
        g_autoptr(GError) error = NULL;
        g_autoptr(GTlsCertificate) made =
            os_tls_client_certificate_new (cases[i].certificate, cases[i].key, &error);

        g_test_message ("%u: %s", i, error != NULL ? error->message : "good");
        g_assert_cmpint (made != NULL, ==, cases[i].complaint == NULL);
        if (made != NULL)
          continue;
        g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG);
        g_assert_nonnull (strstr (error->message, cases[i].complaint));
      }
  }
}

/* Proxies */

static void
assert_proxy (GProxyResolver *resolver,
              const char     *uri,
              const char     *proxy)
{
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) proxies = g_proxy_resolver_lookup (resolver, uri, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (proxies[0], ==, proxy);
}

static void
test_proxies_come_from_variables (void)
{
  static const char *const variables[] = {
    "https_proxy=proxy.test:3128", "HTTP_PROXY=http://upper.test:8080/",
    "no_proxy=localhost, id.cloud.test,192.0.2.10", NULL,
  };
  g_autoptr(WelkinSurroundings) surroundings = welkin_surroundings_new (variables, "/");
  g_autoptr(GProxyResolver) resolver = welkin_surroundings_make_proxy_resolver (surroundings);

  assert_proxy (resolver, "https://nova.cloud.test:8774/v2.1", "http://proxy.test:3128");
  assert_proxy (resolver, "http://nova.cloud.test:8774/v2.1", "http://upper.test:8080/");
  assert_proxy (resolver, "https://id.cloud.test:5000/v3", "direct://");
  assert_proxy (resolver, "https://a.id.cloud.test:5000/v3", "direct://");
  assert_proxy (resolver, "https://192.0.2.10:8774/", "direct://");
  assert_proxy (resolver, "https://192.0.2.11:8774/", "http://proxy.test:3128");
  assert_proxy (resolver, "http://169.254.169.254/", "direct://");
  assert_proxy (resolver, "http://[fe80::a9fe:a9fe]/", "direct://");
}

/* What is left out, and whether this URL is among it. */
static const struct
{
  const char *no_proxy;
  const char *uri;
  gboolean    is_direct;
} direct_cases[] = {
  { "no_proxy=*", "http://nova.cloud.test/", TRUE },
  { "NO_PROXY=*", "http://nova.cloud.test/", TRUE },
  { "no_proxy= * ", "http://192.0.2.1/", TRUE },
  { "no_proxy=other.test,*", "http://nova.cloud.test/", TRUE },
  { "NO_PROXY=cloud.test", "http://nova.cloud.test/", TRUE },
  { "no_proxy=.cloud.test", "http://nova.cloud.test/", TRUE },
  { "no_proxy=.cloud.test", "http://cloud.test/", TRUE },
  { "no_proxy=*.cloud.test", "http://nova.cloud.test/", TRUE },
  { "no_proxy=other.test  cloud.test", "http://nova.cloud.test/", TRUE },
  { "no_proxy=other.test ,\tcloud.test", "http://nova.cloud.test/", TRUE },
  { "no_proxy=Cloud.Test", "http://nova.cloud.TEST/", TRUE },
  { "no_proxy=cloud.test:8774", "http://nova.cloud.test:8774/", TRUE },
  { "no_proxy=cloud.test:8774", "http://nova.cloud.test:5000/", FALSE },
  { "no_proxy=192.0.2.1:8774", "http://192.0.2.1:8774/", TRUE },
  { "no_proxy=192.0.2.1:8774", "http://192.0.2.1:5000/", FALSE },
  { "no_proxy=192.0.2.0/24", "http://192.0.2.1:5000/", TRUE },
  { "no_proxy=2001:db8::1", "http://[2001:db8::1]:5000/", TRUE },
  { "no_proxy=cloud.test", "http://notcloud.test/", FALSE },
  { "no_proxy=", "http://nova.cloud.test/", FALSE },
};

static void
test_no_proxy_names_hosts_in_many_ways (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (direct_cases); i++)
    {
      const char *variables[] = {
        "http_proxy=proxy.test:3128", direct_cases[i].no_proxy, NULL,
      };
      g_autoptr(WelkinSurroundings) surroundings = welkin_surroundings_new (variables, "/");
      g_autoptr(GProxyResolver) resolver = welkin_surroundings_make_proxy_resolver (surroundings);

      g_test_message ("%s: %s", direct_cases[i].no_proxy, direct_cases[i].uri);
      if (resolver != NULL)
        assert_proxy (resolver, direct_cases[i].uri,
                      direct_cases[i].is_direct ? "direct://" : "http://proxy.test:3128");
      else
        g_assert_true (direct_cases[i].is_direct);
    }
}

static void
test_no_variables_are_no_proxy (void)
{
  g_autoptr(WelkinSurroundings) surroundings = welkin_surroundings_new (NULL, "/");
  g_autoptr(GProxyResolver) resolver = welkin_surroundings_make_proxy_resolver (surroundings);

  g_assert_null (resolver);
}

/* Sessions that only read */

static void
count_cb (SoupServer        *server,
          SoupServerMessage *message,
          const char        *path,
          GHashTable        *query,
          gpointer           user_data)
{
  ++*(guint *) user_data;
  soup_server_message_set_status (message, 200, NULL);
}

static void
test_read_only_sessions_send_nothing_that_changes (ProviderFixture *fixture,
                                                   gconstpointer    data)
{
  static const char *const methods[] = { "POST", "PUT", "PATCH", "DELETE", "COPY", "GET", "HEAD" };
  g_autoptr(SoupServer) server = soup_server_new (NULL, NULL);
  WkHttpOptions options = { .user_agent = "test", .is_read_only = TRUE };
  g_autoptr(WkHttp) http = wk_http_new (&options);
  g_autofree char *uri = NULL;
  GSList *uris;
  guint n_requests = 0;

  soup_server_add_handler (server, NULL, count_cb, &n_requests, NULL);
  g_assert_true (soup_server_listen_local (server, 0, SOUP_SERVER_LISTEN_IPV4_ONLY, NULL));
  uris = soup_server_get_uris (server);
  uri = g_uri_to_string (uris->data);
  g_slist_free_full (uris, (GDestroyNotify) g_uri_unref);

  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    {
      g_autoptr(WkHttpRequest) request = wk_http_request_new (methods[i], uri);
      g_autoptr(WkHttpResponse) response = NULL;
      g_autoptr(GError) error = NULL;

      wk_http_send_async (http, request, NULL, provider_fixture_done_cb, fixture);
      response = wk_http_send_finish (http, provider_fixture_wait (fixture), &error);
      if (i >= 5)
        g_assert_no_error (error);
      else
        g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
    }
  g_assert_cmpuint (n_requests, ==, 2);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/tls/own-authority-adds-to-the-system-s", ProviderFixture, NULL,
              provider_fixture_set_up, test_own_authority_adds_to_the_system_s,
              provider_fixture_tear_down);
  g_test_add ("/tls/unknown-authority-says-what-to-do", ProviderFixture, NULL,
              provider_fixture_set_up, test_unknown_authority_says_what_to_do,
              provider_fixture_tear_down);
  g_test_add_func ("/tls/bad-authorities-are-refused", test_bad_authorities_are_refused);
  g_test_add_func ("/tls/client-certificates-are-files-or-text",
                   test_client_certificates_are_files_or_text);
  g_test_add ("/read-only/sends-nothing-that-changes", ProviderFixture, NULL,
              provider_fixture_set_up, test_read_only_sessions_send_nothing_that_changes,
              provider_fixture_tear_down);
  g_test_add_func ("/proxy/come-from-variables", test_proxies_come_from_variables);
  g_test_add_func ("/proxy/no-proxy-in-many-ways", test_no_proxy_names_hosts_in_many_ways);
  g_test_add_func ("/proxy/no-variables-are-none", test_no_variables_are_no_proxy);

  return provider_fixture_run ();
}
