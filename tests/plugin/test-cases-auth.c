/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The field cases of logins, of version documents and of catalogs, and their kind. */

#include "config.h"

#include "provider-fixture.h"

#include "services/os-compute.h"
#include "transport/os-discovery.h"
#include "values/welkin-error.h"

#define V3 "/identity/v3/auth/tokens"
#define V2 "/identity/v2.0/tokens"
#define SERVERS "/compute/v2.1/servers/detail"

static const char *const services[] = { "keystone", "nova", "neutron", "glance", "swift" };

/* A cloud with TLS, whose certificate is of an authority of its own. */
static void
set_up (ProviderFixture *fixture,
        gconstpointer    data)
{
  const char *certificate = g_test_get_filename (G_TEST_DIST, "data", "tls", "server.pem", NULL);
  const char *authority = g_test_get_filename (G_TEST_DIST, "data", "tls", "authority.pem", NULL);
  g_autoptr(WelkinSurroundings) plain = NULL;
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) variables = NULL;

  provider_fixture_set_up (fixture, data);
  fake_cloud_free (fixture->fake);
  fixture->fake = fake_cloud_new_full (0, TRUE, certificate, &error);
  g_assert_no_error (error);

  plain = g_steal_pointer (&fixture->surroundings);
  variables = fake_cloud_dup_environment (fixture->fake, "demo", "demo");
  variables = g_environ_setenv (variables, "OS_CACERT", authority, TRUE);
  variables = g_environ_setenv (variables, "WELKIN_TIME_SCALE",
                                welkin_surroundings_get_variable (plain, "WELKIN_TIME_SCALE"),
                                TRUE);
  fixture->surroundings = welkin_surroundings_new ((const char *const *) variables, "/");
}

static char *
make_url (ProviderFixture *fixture,
          const char      *path)
{
  return g_strconcat (fake_cloud_get_url (fixture->fake), "/identity", path, NULL);
}

/* Without the domains that lead to version 3. */
static OsClient *
make_bare_client (ProviderFixture *fixture,
                  const char      *auth_url)
{
  g_autoptr(WelkinSurroundings) former = g_steal_pointer (&fixture->surroundings);
  static const char *const names[] = { "OS_CACERT", "WELKIN_TIME_SCALE" };
  g_auto(GStrv) variables = NULL;
  OsClient *client;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const char *value = welkin_surroundings_get_variable (former, names[i]);

      if (value != NULL)
        variables = g_environ_setenv (variables, names[i], value, TRUE);
    }
  fixture->surroundings = welkin_surroundings_new ((const char *const *) variables, "/");
  client = provider_fixture_make_client (fixture, "auth-url", auth_url, "username", "demo",
                                         "password", "secret", "tenant-name", "demo", NULL);
  welkin_surroundings_unref (fixture->surroundings);
  fixture->surroundings = g_steal_pointer (&former);
  return client;
}

static gboolean
login (ProviderFixture  *fixture,
       OsClient         *client,
       GError          **error)
{
  os_client_login_async (client, NULL, provider_fixture_done_cb, fixture);
  return os_client_login_finish (client, provider_fixture_wait (fixture), error);
}

static void
assert_logs_in (ProviderFixture *fixture,
                OsClient        *client)
{
  g_autoptr(GError) error = NULL;

  login (fixture, client, &error);
  g_assert_no_error (error);
}

/* GET of a list. */
static gboolean
list (ProviderFixture  *fixture,
      OsClient         *client,
      OsServiceKind     service,
      const char       *what,
      GError          **error)
{
  g_autoptr(OsRequest) request = os_request_new (service, "GET", what, NULL);
  g_autoptr(WkHttpResponse) response = NULL;

  os_client_send_async (client, client, request, NULL, provider_fixture_done_cb, fixture);
  response = os_client_send_finish (client, provider_fixture_wait (fixture), error);
  return response != NULL;
}

static void
assert_lists (ProviderFixture *fixture,
              OsClient        *client,
              OsServiceKind    service,
              const char      *what)
{
  g_autoptr(GError) error = NULL;

  list (fixture, client, service, what, &error);
  g_assert_no_error (error);
}

static guint
count (ProviderFixture *fixture,
       const char      *method,
       const char      *path)
{
  return fake_log_count (fixture->fake, method, path);
}

static void
add_endpoint (ProviderFixture *fixture,
              const char      *type,
              const char      *region,
              const char      *path)
{
  g_autofree char *json =
    g_strdup_printf ("{'type': '%s', 'name': '%s-%s', 'region': '%s', 'url': '$(cloud)%s'}", type,
                     type, region, region, path);

  fake_cloud_add (fixture->fake, "endpoint", json);
}

static void
remove_endpoints (ProviderFixture *fixture)
{
  for (guint i = 0; i < G_N_ELEMENTS (services); i++)
    fake_cloud_remove (fixture->fake, "endpoint", services[i]);
}

/* G01 */

static void
test_network_endpoint_without_version (ProviderFixture *fixture,
                                       gconstpointer    data)
{
  static const char *const paths[] = {
    "/network", "/network/", "/network//", "/network/v2.0", "/network/v2.0/",
  };

  fake_cloud_remove (fixture->fake, "endpoint", "neutron");
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autofree char *region = g_strdup_printf ("R%u", i);
      g_autoptr(OsClient) client = provider_fixture_make_client (fixture, "region", region, NULL);

      add_endpoint (fixture, "network", region, paths[i]);
      add_endpoint (fixture, "compute", region, "/compute/v2.1");
      assert_lists (fixture, client, OS_SERVICE_NETWORK, "networks");
      g_assert_cmpuint (count (fixture, "GET", "/network/v2.0/networks"), ==, i + 1);
      g_assert_cmpuint (count (fixture, NULL, "/network*"), ==, i + 1);
    }
}

/* G02 */

static void
test_star_is_any_region (ProviderFixture *fixture,
                         gconstpointer    data)
{
  g_autoptr(OsClient) first = provider_fixture_make_client (fixture, "region", "R1", NULL);
  g_autoptr(OsClient) second = provider_fixture_make_client (fixture, "region", "R1", NULL);
  g_autoptr(OsClient) elsewhere = provider_fixture_make_client (fixture, "region", "R2", NULL);

  remove_endpoints (fixture);
  add_endpoint (fixture, "identity", "*", "/identity/v3");
  add_endpoint (fixture, "network", "*", "/network");
  add_endpoint (fixture, "compute", "R1", "/compute/v2.1");
  assert_lists (fixture, first, OS_SERVICE_COMPUTE, "servers");
  assert_lists (fixture, first, OS_SERVICE_NETWORK, "networks");

  fake_cloud_remove (fixture->fake, "endpoint", "compute-R1");
  add_endpoint (fixture, "compute", "*", "/compute/v2");
  add_endpoint (fixture, "compute", "R1", "/compute/v2.1");
  add_endpoint (fixture, "image", "R2", "/image");
  assert_logs_in (fixture, second);
  g_assert_true (g_str_has_suffix (os_client_get_endpoint (second, OS_SERVICE_COMPUTE), "/v2.1"));
  assert_logs_in (fixture, elsewhere);
  g_assert_true (g_str_has_suffix (os_client_get_endpoint (elsewhere, OS_SERVICE_COMPUTE), "/v2"));
}

/* G03 */

static void
test_endpoint_that_is_listed_twice_is_one (ProviderFixture *fixture,
                                           gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);

  add_endpoint (fixture, "object-store", "RegionOne", "/object-store/v1/AUTH_$(project_id)");
  add_endpoint (fixture, "compute", "RegionOne", "/compute/v2.1");
  assert_lists (fixture, client, OS_SERVICE_COMPUTE, "servers");
  g_assert_nonnull (os_client_get_endpoint (client, OS_SERVICE_OBJECT_STORE));
}

/* G04 */

static void
test_region_must_be_chosen_among_several (ProviderFixture *fixture,
                                          gconstpointer    data)
{
  static const char *const regions[] = { "R4", "R2", "R1", "R3" };
  g_autofree char *url = make_url (fixture, "/v3");
  g_autoptr(OsClient) none = make_bare_client (fixture, url);
  g_autoptr(OsClient) unknown = provider_fixture_make_client (fixture, "region", "R9", NULL);
  g_autoptr(OsClient) only = make_bare_client (fixture, url);
  g_autoptr(GError) error = NULL;
  g_autoptr(GError) unknown_error = NULL;

  remove_endpoints (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (regions); i++)
    add_endpoint (fixture, "compute", regions[i], "/compute/v2.1");

  g_assert_false (list (fixture, none, OS_SERVICE_COMPUTE, "servers", &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG);
  g_assert_cmpstr (error->message, ==,
                   "no region given: set attribute region or environment variable OS_REGION_NAME "
                   "to one of: R1, R2, R3, R4");
  g_assert_false (list (fixture, unknown, OS_SERVICE_COMPUTE, "servers", &unknown_error));
  g_assert_error (unknown_error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG);
  g_assert_cmpstr (unknown_error->message, ==,
                   "this cloud has no region \"R9\": set attribute region to one of: R1, R2, R3, "
                   "R4");
  g_assert_cmpuint (count (fixture, NULL, "/compute*"), ==, 0);

  for (guint i = 1; i < G_N_ELEMENTS (regions); i++)
    {
      g_autofree char *name = g_strconcat ("compute-", regions[i], NULL);

      fake_cloud_remove (fixture->fake, "endpoint", name);
    }
  assert_logs_in (fixture, only);
  g_assert_cmpstr (os_client_get_region (only), ==, "R4");
}

/* G05 */

static void
test_token_without_catalog_is_not_for_a_project (ProviderFixture *fixture,
                                                 gconstpointer    data)
{
#define HEAD "{\"token\": {\"methods\": [\"password\"], \"expires_at\": " \
             "\"2036-01-01T00:00:00.000000Z\", \"user\": {\"id\": \"u\"}"
  static const struct { const char *path; const char *body; } cases[] = {
    { "/v3", HEAD "}}" },
    { "/v3", HEAD ", \"catalog\": []}}" },
    { "/v3", HEAD ", \"catalog\": null}}" },
    { "/v3", HEAD ", \"catalog\": null, \"project\": null}}" },
    { "/v3", HEAD ", \"project\": {}, \"roles\": []}}" },
    { "/v2.0", "{\"access\": {\"token\": {\"id\": \"t\"}, \"serviceCatalog\": []}}" },
    { "/v2.0", "{\"access\": {\"token\": {\"id\": \"t\", \"tenant\": {\"id\": \"p1\"}}, "
               "\"serviceCatalog\": []}}" },
    { "/v2.0", "{\"access\": {\"token\": {\"id\": \"t\", \"tenant\": null}}}" },
  };

  fake_cloud_set (fixture->fake, "keystone-has-v2", TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const FakeRule rule = {
        .method = "POST", .action = FAKE_FAIL, .status = 201, .body = cases[i].body,
        .headers = (const char *const[]) { "x-subject-token: t", NULL },
      };
      g_autofree char *url = make_url (fixture, cases[i].path);
      g_autoptr(OsClient) client = make_bare_client (fixture, url);
      g_autoptr(GError) error = NULL;

      fake_cloud_add_rule (fixture->fake, &rule);
      g_assert_false (list (fixture, client, OS_SERVICE_COMPUTE, "servers", &error));
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAUTHORIZED);
      g_assert_nonnull (strstr (error->message, "the login is right"));
      g_assert_nonnull (strstr (error->message, "tenant-name"));
      g_assert_nonnull (strstr (error->message, "project_name"));
    }
  g_assert_cmpuint (count (fixture, NULL, "/compute*"), ==, 0);
}

/* G06 */

#define LINKS(url) "\"links\": [{\"rel\": \"describedby\", \"href\": \"x\"}, " \
                   "{\"rel\": \"self\", \"href\": \"" url "\"}]"

static void
test_root_that_answers_300_is_read (ProviderFixture *fixture,
                                    gconstpointer    data)
{
#define VALUES "{\"id\": \"v2.0\", \"status\": \"deprecated\", \"links\": []}, " \
               "{\"id\": \"v3.4\", \"status\": \"supported\", \"links\": 7}, " \
               "{\"id\": \"v3.14\", \"status\": \"stable\", " \
               LINKS ("http://x/identity/v3/") "}, " \
               "{\"id\": \"v4.0\", \"status\": \"experimental\", \"links\": []}"
  static const struct { int status; const char *body; } cases[] = {
    { 300, "{\"versions\": {\"values\": [" VALUES "]}}" },
    { 300, "{\"versions\": [" VALUES "]}" },
    { 200, "{\"versions\": {\"values\": [" VALUES "]}}" },
    { 300, "\xef\xbb\xbf{\"versions\": [" VALUES "]}" },
    { 200, "{\"version\": {\"id\": \"v3.14\", \"status\": \"STABLE\"}}" },
  };
  static const char *const headers[] = { "Location: http://localhost:5000/v3/", NULL };
  static const char *const paths[] = { "", "/" };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const FakeRule rule = {
        .method = "GET", .path = "/identity/", .action = FAKE_FAIL, .status = cases[i].status,
        .body = cases[i].body, .headers = headers, .content_type = "application/json",
      };
      g_autofree char *url = make_url (fixture, paths[i % 2]);
      g_autoptr(OsClient) client = make_bare_client (fixture, url);

      fake_cloud_add_rule (fixture->fake, &rule);
      assert_lists (fixture, client, OS_SERVICE_COMPUTE, "servers");
      g_assert_cmpuint (count (fixture, "POST", V3), ==, i + 1);
    }
}

/* Any order, any words in any case: the newest of version 3 that may be used is taken. */
static void
test_newest_usable_version_wins (void)
{
  static const char *const good[] = { "stable", "Current", "SUPPORTED" };
  static const char *const bad[] = { "experimental", "removed", "", "deprecated" };

  for (guint run = 0; run < 200; run++)
    {
      g_autoptr(GString) text = g_string_new ("{\"versions\": [");
      g_autoptr(GBytes) bytes = NULL;
      g_autoptr(GPtrArray) versions = NULL;
      g_autofree char *chosen = NULL;
      g_autofree char *expected = NULL;
      int n = g_test_rand_int_range (1, 8);
      int newest = -1;

      for (int i = 0; i < n; i++)
        {
          gboolean is_good = g_test_rand_int_range (0, 2) == 0;
          int minor = g_test_rand_int_range (0, 30);

          if (is_good)
            newest = MAX (newest, minor);
          g_string_append_printf (text,
                                  "%s{\"id\": \"v3.%d\", \"status\": \"%s\", \"links\": [{"
                                  "\"rel\": \"self\", \"href\": \"http://in:1/v3.%d/\"}]}",
                                  i > 0 ? ", " : "", minor,
                                  is_good ? good[i % G_N_ELEMENTS (good)]
                                          : bad[i % (G_N_ELEMENTS (bad) - 1)],
                                  minor);
        }
      g_string_append (text, ", {\"id\": \"v3.99\", \"status\": \"deprecated\"}]}");
      bytes = g_bytes_new (text->str, text->len);
      versions = os_discovery_read (bytes);
      chosen = os_discovery_choose (versions, "https://h.test", 3);
      expected = newest >= 0 ? g_strdup_printf ("https://h.test/v3.%d", newest)
                             : g_strdup ("https://h.test/v3");
      g_assert_cmpstr (chosen, ==, expected);
    }
}

/* G07 */

static void
test_links_to_inner_hosts_are_not_followed (ProviderFixture *fixture,
                                            gconstpointer    data)
{
  static const char *const links[] = {
    "http://localhost:5000/v3/", "http://localhost:5000/identity/v3/", "http://10.0.0.1/v3",
    "https://id.inner.test:5000/v3/", "http://[fe80::1]/v3/", "//localhost/v3/", "/v3/", "v3/",
    "ftp://localhost/v3/", "", "http://", "http://localhost:5000/",
  };
  g_autofree char *url = make_url (fixture, "/");

  for (guint i = 0; i < G_N_ELEMENTS (links); i++)
    {
      g_autofree char *body =
        g_strdup_printf ("{\"versions\": {\"values\": [{\"id\": \"v3.14\", \"status\": "
                         "\"stable\", \"links\": [{\"rel\": \"self\", \"href\": \"%s\"}]}]}}",
                         links[i]);
      const FakeRule rule = {
        .method = "GET", .path = "/identity/", .action = FAKE_FAIL, .status = 300, .body = body,
      };
      g_autoptr(OsClient) client = make_bare_client (fixture, url);

      fake_cloud_add_rule (fixture->fake, &rule);
      assert_logs_in (fixture, client);
      g_assert_cmpuint (count (fixture, "POST", V3), ==, i + 1);
    }
}

static void
test_links_in_lists_are_followed_by_their_query_alone (ProviderFixture *fixture,
                                                       gconstpointer    data)
{
#define SERVER(id) "{\"id\": \"" id "\", \"name\": \"n\", \"status\": \"ACTIVE\", \"links\": [" \
                   "{\"rel\": \"self\", \"href\": \"http://nova.cloud.test/v2/p1/servers/s1\"}]}"
  static const FakeRule first = {
    .method = "GET", .path = SERVERS, .action = FAKE_FAIL, .status = 200,
    .body = "{\"servers\": [" SERVER ("s1") "], \"servers_links\": [{\"rel\": \"next\", \"href\": "
            "\"http://nova.cloud.test/v2/p1/servers/detail?marker=s1\"}]}",
  };
  static const FakeRule second = {
    .method = "GET", .path = SERVERS, .action = FAKE_FAIL, .status = 200,
    .body = "{\"servers\": [" SERVER ("s2") "]}",
  };
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsCompute) compute = os_compute_new (client);
  g_autoptr(GPtrArray) servers = NULL;
  g_autoptr(GError) error = NULL;

  fake_cloud_add_rule (fixture->fake, &first);
  fake_cloud_add_rule (fixture->fake, &second);
  os_compute_list_servers_async (compute, NULL, NULL, NULL, NULL, provider_fixture_done_cb,
                                 fixture);
  servers = os_compute_list_servers_finish (compute, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (servers->len, ==, 2);
  g_assert_cmpuint (count (fixture, "GET", SERVERS), ==, 2);
  g_assert_cmpstr (fake_log_find (fixture->fake, "GET", SERVERS)->query, ==, "marker=s1");
}

/* Whatever a link says, who is asked next is the one who was asked before. */
static void
test_no_link_leads_to_another_origin (void)
{
  static const char *const schemes[] = { "http", "https", "HTTPS", "ftp", "" };
  static const char *const hosts[] = {
    "localhost", "id.test", "ID.test", "[::1]", "a@id.test", "",
  };
  static const char *const ports[] = { "", ":5000", ":443", ":0" };
  static const char *const paths[] = {
    "", "/", "/v3", "/v3/", "/id/v3/", "/id/v3/auth", "/idx/v3", "/../v3", "//evil.test/v3",
  };
  static const char *const bases[] = { "https://id.test", "https://id.test:5000/id" };

  for (guint run = 0; run < 1000; run++)
    {
      const char *base = bases[run % G_N_ELEMENTS (bases)];
      g_autofree char *text =
        g_strdup_printf ("{\"versions\": [{\"id\": \"v3.1\", \"status\": \"stable\", \"links\": [{"
                         "\"rel\": \"self\", \"href\": \"%s://%s%s%s\"}]}]}",
                         schemes[g_test_rand_int_range (0, G_N_ELEMENTS (schemes))],
                         hosts[g_test_rand_int_range (0, G_N_ELEMENTS (hosts))],
                         ports[g_test_rand_int_range (0, G_N_ELEMENTS (ports))],
                         paths[g_test_rand_int_range (0, G_N_ELEMENTS (paths))]);
      g_autoptr(GBytes) bytes = g_bytes_new (text, strlen (text));
      g_autoptr(GPtrArray) versions = os_discovery_read (bytes);
      g_autofree char *chosen = os_discovery_choose (versions, base, 3);
      g_autoptr(GUri) uri = g_uri_parse (chosen, 0, NULL);

      g_assert_cmpstr (g_uri_get_scheme (uri), ==, "https");
      g_assert_cmpstr (g_uri_get_host (uri), ==, "id.test");
      g_assert_cmpint (g_uri_get_port (uri), ==, run % 2 == 0 ? -1 : 5000);
      g_assert_true (g_str_has_suffix (chosen, "/v3"));
    }
}

/* G08 */

static void
test_version_document_may_be_a_web_page (ProviderFixture *fixture,
                                         gconstpointer    data)
{
  static const FakeRule page = {
    .method = "GET", .path = "/compute/", .times = -1, .action = FAKE_FAIL, .status = 200,
    .content_type = "text/html", .body = "<!DOCTYPE html><html><body>Portal</body></html>",
  };
  static const FakeRule refusal = {
    .method = "GET", .path = "/compute/v2.1/", .times = -1, .action = FAKE_FAIL, .status = 401,
    .body = "{\"error\": {\"code\": 401, \"title\": \"Unauthorized\", \"message\": \"M\"}}",
  };
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsClient) unversioned = provider_fixture_make_client (fixture, "region", "R2", NULL);
  g_autoptr(GError) error = NULL;

  fake_cloud_add_rule (fixture->fake, &page);
  fake_cloud_add_rule (fixture->fake, &refusal);
  os_client_has_microversion_async (client, "2.26", NULL, provider_fixture_done_cb, fixture);
  g_assert_false (os_client_has_microversion_finish (client, provider_fixture_wait (fixture)));
  assert_lists (fixture, client, OS_SERVICE_COMPUTE, "servers");
  g_assert_cmpuint (count (fixture, "POST", V3), ==, 1);

  /* Where the catalog has no version, and the page tells none, the catalog is believed. */
  add_endpoint (fixture, "compute", "R2", "/compute");
  list (fixture, unversioned, OS_SERVICE_COMPUTE, "servers", &error);
  g_assert_cmpuint (count (fixture, "GET", "/compute/servers"), ==, 1);
}

static void
test_compute_without_version_is_asked_once (ProviderFixture *fixture,
                                            gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, "region", "R2", NULL);

  add_endpoint (fixture, "compute", "R2", "/compute/");
  assert_lists (fixture, client, OS_SERVICE_COMPUTE, "servers");
  assert_lists (fixture, client, OS_SERVICE_COMPUTE, "flavors");
  g_assert_cmpuint (count (fixture, "GET", "/compute/"), ==, 1);
  g_assert_cmpuint (count (fixture, "GET", "/compute/v2.1/servers"), ==, 1);
  os_client_has_microversion_async (client, "2.26", NULL, provider_fixture_done_cb, fixture);
  g_assert_true (os_client_has_microversion_finish (client, provider_fixture_wait (fixture)));
}

/* G09 */

static void
test_auth_url_in_any_spelling (ProviderFixture *fixture,
                               gconstpointer    data)
{
  static const struct { const char *path; gboolean is_v2; } paths[] = {
    { "/v3" }, { "/v3/auth/tokens" }, { "" }, { "/v2.0", TRUE }, { "/v2.0/tokens", TRUE },
  };
  static const char *const slashes[] = { "", "/", "//" };
  static const char *const ends[] = { "", " ", "\t \n", "?x=1", "#top" };
  guint n_v2 = 0;
  guint n_v3 = 0;

  fake_cloud_set (fixture->fake, "keystone-has-v2", TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    for (guint j = 0; j < G_N_ELEMENTS (slashes) * G_N_ELEMENTS (ends); j++)
      {
        g_autofree char *path = g_strconcat (paths[i].path, slashes[j % G_N_ELEMENTS (slashes)],
                                             ends[j / G_N_ELEMENTS (slashes)], NULL);
        g_autofree char *url = make_url (fixture, path);
        g_autofree char *padded = g_strconcat (j % 2 == 0 ? " " : "", url, NULL);
        g_autoptr(OsClient) client = make_bare_client (fixture, padded);

        assert_logs_in (fixture, client);
        if (paths[i].is_v2)
          n_v2++;
        else
          n_v3++;
        g_assert_cmpuint (count (fixture, "POST", V2), ==, n_v2);
        g_assert_cmpuint (count (fixture, "POST", V3), ==, n_v3);
      }
  g_assert_cmpuint (count (fixture, "POST", "*"), ==, n_v2 + n_v3);
}

/* G10 */

/* Two seconds from now, in all ways of telling it that there are. */
static char *
format_expiry (guint way)
{
  static const char *const formats[] = {
    "\"%Y-%m-%dT%H:%M:%SZ\"", "\"%Y-%m-%dT%H:%M:%S.%fZ\"", "\"%Y-%m-%dT%H:%M:%S.000Z\"",
    "\"%Y-%m-%dT%H:%M:%S\"", "\"%Y-%m-%dT%H:%M:%S+00:00\"", "\"%Y-%m-%d %H:%M:%SZ\"",
    "\"%Y%m%dT%H%M%SZ\"",
  };
  g_autoptr(GDateTime) now = g_date_time_new_now_utc ();
  g_autoptr(GDateTime) end = g_date_time_add_seconds (now, 2);

  if (way < G_N_ELEMENTS (formats))
    return g_date_time_format (end, formats[way]);
  return NULL;
}

static void
serve_expiry (ProviderFixture *fixture,
              const char      *expiry)
{
  g_autofree char *member = g_strdup_printf (", \"expires_at\": %s", expiry);
  g_autofree char *body =
    g_strdup_printf ("{\"token\": {\"project\": {\"id\": \"p\"}, \"catalog\": [{\"type\": "
                     "\"compute\", \"endpoints\": [{\"interface\": \"public\", \"region\": "
                     "\"RegionOne\", \"url\": \"%s/compute/v2.1\"}]}]%s}}",
                     fake_cloud_get_url (fixture->fake), expiry != NULL ? member : "");
  const FakeRule rule = {
    .method = "POST", .path = V3, .action = FAKE_FAIL, .status = 201, .body = body,
    .headers = (const char *const[]) { "X-SUBJECT-TOKEN: t", NULL },
  };

  fake_cloud_add_rule (fixture->fake, &rule);
}

static void
test_expiry_in_any_spelling_is_heeded (ProviderFixture *fixture,
                                       gconstpointer    data)
{
  g_autoptr(GPtrArray) clients = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *expiry = NULL;

  while ((expiry = format_expiry (clients->len)) != NULL)
    {
      OsClient *client = provider_fixture_make_client (fixture, NULL);

      g_test_message ("%s", expiry);
      serve_expiry (fixture, expiry);
      g_ptr_array_add (clients, client);
      assert_logs_in (fixture, client);
      g_clear_pointer (&expiry, g_free);
    }
  g_assert_cmpuint (count (fixture, "POST", V3), ==, clients->len);
  /* The date of an answer has no fractions: that second counts as well. */
  g_usleep (3 * G_USEC_PER_SEC);
  for (guint i = 0; i < clients->len; i++)
    {
      assert_logs_in (fixture, g_ptr_array_index (clients, i));
      g_assert_cmpuint (count (fixture, "POST", V3), ==, clients->len + i + 1);
    }
}

static void
test_unknown_expiry_means_to_wait_for_a_refusal (ProviderFixture *fixture,
                                                 gconstpointer    data)
{
  static const char *const expiries[] = {
    NULL, "null", "\"\"", "\"never\"", "\"2010-06-28T05:01:12Z\"", "\"2030-06-28T05:01:12Z\"",
    "\"2030-06-28T05:01:12.403672Z\"",
  };

  for (guint i = 0; i < G_N_ELEMENTS (expiries); i++)
    {
      g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);

      serve_expiry (fixture, expiries[i]);
      assert_logs_in (fixture, client);
      assert_logs_in (fixture, client);
      g_assert_cmpuint (count (fixture, "POST", V3), ==, 2 * i + 1);
      /* That token is none, which compute finds out. */
      assert_lists (fixture, client, OS_SERVICE_COMPUTE, "servers");
      g_assert_cmpuint (count (fixture, "POST", V3), ==, 2 * i + 2);
    }
}

/* However wrong the clock of this machine is, or that of the cloud. */
static void
test_expiry_is_by_the_clock_of_the_cloud (ProviderFixture *fixture,
                                          gconstpointer    data)
{
  static const int skews[] = { 0, -86400, 86400 };
  g_autoptr(GPtrArray) clients = g_ptr_array_new_with_free_func (g_object_unref);

  fake_cloud_set (fixture->fake, "token-life", 2);
  for (guint i = 0; i < G_N_ELEMENTS (skews); i++)
    {
      OsClient *client = provider_fixture_make_client (fixture, NULL);

      g_ptr_array_add (clients, client);
      fake_cloud_set (fixture->fake, "clock-skew", skews[i]);
      assert_logs_in (fixture, client);
      assert_logs_in (fixture, client);
      g_assert_cmpuint (count (fixture, "POST", V3), ==, i + 1);
    }
  g_usleep (2 * G_USEC_PER_SEC);
  for (guint i = 0; i < clients->len; i++)
    {
      assert_logs_in (fixture, g_ptr_array_index (clients, i));
      g_assert_cmpuint (count (fixture, "POST", V3), ==, clients->len + i + 1);
    }
}

/* G11 */

static void
test_refused_for_ever_ends_soon (ProviderFixture *fixture,
                                 gconstpointer    data)
{
  static const FakeRule rule = {
    .method = "GET", .path = "/compute/v2.1/servers", .times = -1, .action = FAKE_FAIL,
    .status = 401, .body = "{\"error\": {\"code\": 401, \"message\": \"M\"}}",
  };
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(GError) error = NULL;
  const char *again;

  fake_cloud_add_rule (fixture->fake, &rule);
  g_assert_false (list (fixture, client, OS_SERVICE_COMPUTE, "servers", &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAUTHORIZED);
  g_assert_nonnull (strstr (error->message, "/compute/v2.1/servers"));
  again = strstr (error->message, "401");
  g_assert_nonnull (again);
  g_assert_null (strstr (again + 1, "401"));
  g_assert_cmpuint (count (fixture, "POST", V3), ==, 2);
  g_assert_cmpuint (count (fixture, "GET", "/compute/v2.1/servers"), ==, 2);
}

/* G12 */

static void
test_forbidden_is_no_bad_login (ProviderFixture *fixture,
                                gconstpointer    data)
{
  static const FakeRule rule = {
    .method = "POST", .path = "/compute/v2.1/servers", .times = -1, .action = FAKE_FAIL,
    .status = 403, .body = "{\"forbidden\": {\"code\": 403, \"message\": \"M\"}}",
  };
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_COMPUTE, "POST", "servers", NULL);
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(GError) error = NULL;

  fake_cloud_add_rule (fixture->fake, &rule);
  os_request_set_json_object (request, "server", json_object_new ());
  os_client_send_async (client, client, request, NULL, provider_fixture_done_cb, fixture);
  response = os_client_send_finish (client, provider_fixture_wait (fixture), &error);
  g_assert_null (response);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN);
  g_assert_cmpuint (welkin_error_get_status (error), ==, 403);
  g_assert_nonnull (strstr (error->message, ": M (HTTP 403"));
  g_assert_nonnull (strstr (error->message, "POST https://127.0.0.1:"));
  g_assert_nonnull (strstr (error->message, "/compute/v2.1/servers"));
  g_assert_cmpuint (count (fixture, "POST", V3), ==, 1);
  g_assert_cmpuint (count (fixture, "POST", "/compute/v2.1/servers"), ==, 1);
}

/* G13 */

static void
test_user_and_project_live_in_different_domains (ProviderFixture *fixture,
                                                 gconstpointer    data)
{
  g_autofree char *url = make_url (fixture, "/v3");
  g_autoptr(OsClient) client =
    provider_fixture_make_client (fixture, "auth-url", url, "username", "demo", "password",
                                  "secret", "user-domain-name", "Default", "tenant-name", "p1",
                                  "project-domain-name", "other", NULL);
  g_autoptr(OsClient) wrong =
    provider_fixture_make_client (fixture, "auth-url", url, "username", "demo", "password",
                                  "secret", "domain-name", "Default", "tenant-name", "p1", NULL);
  g_autoptr(GError) error = NULL;

  fake_cloud_add (fixture->fake, "domain", "{'name': 'other', 'id': 'd2'}");
  fake_cloud_add (fixture->fake, "project", "{'name': 'p1', 'id': 'p1', 'domain': 'other'}");
  fake_cloud_remove (fixture->fake, "user", "demo");
  fake_cloud_add (fixture->fake, "user",
                  "{'name': 'demo', 'password': 'secret', 'roles': {'p1': ['member']}}");
  assert_logs_in (fixture, client);
  g_assert_cmpstr (os_client_get_project_id (client), ==, "p1");
  g_assert_false (login (fixture, wrong, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAUTHORIZED);
  g_assert_nonnull (strstr (error->message, "project \"p1\" (domain \"Default\")"));
}

/* Fifty callers, one login */

typedef struct
{
  guint left;
  guint failed;
} Many;

static void
sent_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  Many *many = user_data;
  g_autoptr(WkHttpResponse) response = os_client_send_finish (source, result, NULL);

  many->left--;
  many->failed += response == NULL;
}

static void
list_fifty (OsClient *client)
{
  Many many = { 50, 0 };

  for (guint i = 0; i < 50; i++)
    {
      g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_COMPUTE, "GET", "servers", NULL);

      os_client_send_async (client, client, request, NULL, sent_cb, &many);
    }
  while (many.left > 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (many.failed, ==, 0);
}

static void
test_fifty_callers_and_one_refusal_log_in_once (ProviderFixture *fixture,
                                                gconstpointer    data)
{
  static const FakeRule rule = {
    .method = "GET", .path = "/compute/v2.1/servers", .skip = 20, .times = 1, .action = FAKE_FAIL,
    .status = 401,
  };
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);

  list_fifty (client);
  g_assert_cmpuint (count (fixture, "POST", V3), ==, 1);

  /* One of them is refused: */
  fake_log_clear (fixture->fake);
  fake_cloud_add_rule (fixture->fake, &rule);
  list_fifty (client);
  g_assert_cmpuint (count (fixture, "POST", V3), ==, 1);
  g_assert_cmpuint (count (fixture, "GET", "/compute/v2.1/servers"), ==, 51);

  /* and all of them, at slightly different times. */
  fake_log_clear (fixture->fake);
  fake_cloud_set (fixture->fake, "latency", 20);
  fake_cloud_expire_tokens (fixture->fake);
  list_fifty (client);
  g_assert_cmpuint (count (fixture, "POST", V3), ==, 1);
  g_assert_cmpuint (count (fixture, "GET", "/compute/v2.1/servers"), >, 50);
  g_assert_cmpuint (count (fixture, "GET", "/compute/v2.1/servers"), <=, 100);
}

static void
add (const char *path,
     void      (*test) (ProviderFixture *, gconstpointer))
{
  g_test_add (path, ProviderFixture, NULL, set_up, test, provider_fixture_tear_down);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/cases/G01/network-endpoint-without-version/http", ProviderFixture, NULL,
              provider_fixture_set_up, test_network_endpoint_without_version,
              provider_fixture_tear_down);
  add ("/cases/G01/network-endpoint-without-version/https", test_network_endpoint_without_version);
  add ("/cases/G02/star-is-any-region", test_star_is_any_region);
  add ("/cases/G03/listed-twice-is-one", test_endpoint_that_is_listed_twice_is_one);
  add ("/cases/G04/region-must-be-chosen", test_region_must_be_chosen_among_several);
  add ("/cases/G05/token-without-catalog", test_token_without_catalog_is_not_for_a_project);
  add ("/cases/G06/root-answers-300", test_root_that_answers_300_is_read);
  g_test_add_func ("/cases/G06/newest-usable-version-wins", test_newest_usable_version_wins);
  add ("/cases/G07/links-to-inner-hosts", test_links_to_inner_hosts_are_not_followed);
  add ("/cases/G07/links-in-lists", test_links_in_lists_are_followed_by_their_query_alone);
  g_test_add_func ("/cases/G07/no-link-leads-away", test_no_link_leads_to_another_origin);
  add ("/cases/G08/version-document-is-a-web-page", test_version_document_may_be_a_web_page);
  add ("/cases/G08/compute-without-version", test_compute_without_version_is_asked_once);
  add ("/cases/G09/auth-url-in-any-spelling", test_auth_url_in_any_spelling);
  add ("/cases/G10/expiry-in-any-spelling", test_expiry_in_any_spelling_is_heeded);
  add ("/cases/G10/expiry-unknown", test_unknown_expiry_means_to_wait_for_a_refusal);
  add ("/cases/G10/expiry-by-the-clock-of-the-cloud", test_expiry_is_by_the_clock_of_the_cloud);
  add ("/cases/G11/refused-for-ever", test_refused_for_ever_ends_soon);
  add ("/cases/G12/forbidden-is-no-bad-login", test_forbidden_is_no_bad_login);
  add ("/cases/G13/different-domains", test_user_and_project_live_in_different_domains);
  add ("/cases/fifty-callers-log-in-once", test_fifty_callers_and_one_refusal_log_in_once);

  return g_test_run ();
}
