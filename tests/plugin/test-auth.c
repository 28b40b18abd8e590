/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "provider-fixture.h"

#include "services/os-compute.h"
#include "transport/os-discovery.h"
#include "values/welkin-error.h"

#define LOGINS "/identity/v3/auth/tokens"
#define SERVERS "/compute/v2.1/servers/detail"

static gboolean
login (ProviderFixture  *fixture,
       OsClient         *client,
       GError          **error)
{
  os_client_login_async (client, NULL, provider_fixture_done_cb, fixture);
  return os_client_login_finish (client, provider_fixture_wait (fixture), error);
}

static gboolean
list_servers (ProviderFixture  *fixture,
              OsCompute        *compute,
              GError          **error)
{
  g_autoptr(GPtrArray) servers = NULL;

  os_compute_list_servers_async (compute, NULL, NULL, NULL, NULL, provider_fixture_done_cb,
                                 fixture);
  servers = os_compute_list_servers_finish (compute, provider_fixture_wait (fixture), error);
  return servers != NULL;
}

static void
test_login_gives_project_and_catalog (ProviderFixture *fixture,
                                      gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(GError) error = NULL;

  g_assert_null (os_client_get_project_id (client));
  g_assert_null (os_client_get_endpoint (client, OS_SERVICE_COMPUTE));
  login (fixture, client, &error);
  g_assert_no_error (error);
  g_assert_nonnull (os_client_get_project_id (client));
  g_assert_cmpstr (os_client_get_region (client), ==, "RegionOne");
  g_assert_nonnull (os_client_get_endpoint (client, OS_SERVICE_COMPUTE));
  g_assert_true (g_str_has_suffix (os_client_get_endpoint (client, OS_SERVICE_NETWORK), "/v2.0"));
}

static void
test_wrong_password_names_who_and_where (ProviderFixture *fixture,
                                         gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, "password", "wrong", NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(GError) second = NULL;

  g_assert_false (login (fixture, client, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAUTHORIZED);
  g_assert_cmpuint (welkin_error_get_status (error), ==, 401);
  g_assert_nonnull (welkin_error_get_hint (error));
  g_assert_nonnull (strstr (error->message, "user \"demo\""));
  g_assert_nonnull (strstr (error->message, os_client_get_auth_url (client)));
  g_assert_null (strstr (error->message, "wrong"));

  /* Whoever asks at once gets the same answer, so that nobody locks the account. */
  g_assert_false (login (fixture, client, &second));
  g_assert_cmpstr (second->message, ==, error->message);
  if (fixture->fake != NULL)
    g_assert_cmpuint (fake_log_count (fixture->fake, "POST", LOGINS), ==, 1);
}

typedef struct
{
  guint left;
  guint failed;
} Many;

static void
listed_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  Many *many = user_data;
  g_autoptr(GPtrArray) servers =
    os_compute_list_servers_finish (OS_COMPUTE (source), result, NULL);

  many->left--;
  if (servers == NULL)
    many->failed++;
}

static void
list_many (OsCompute *compute,
           guint      n)
{
  Many many = { n, 0 };

  for (guint i = 0; i < n; i++)
    os_compute_list_servers_async (compute, NULL, NULL, NULL, NULL, listed_cb, &many);
  while (many.left > 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (many.failed, ==, 0);
}

static void
test_many_callers_log_in_once (ProviderFixture *fixture,
                               gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsCompute) compute = os_compute_new (client);

  if (provider_fixture_needs_fake (fixture))
    return;
  list_many (compute, 20);
  g_assert_cmpuint (fake_log_count (fixture->fake, "POST", LOGINS), ==, 1);
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", SERVERS), ==, 20);
}

static void
test_revoked_token_is_replaced_once (ProviderFixture *fixture,
                                     gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsCompute) compute = os_compute_new (client);

  if (provider_fixture_needs_fake (fixture))
    return;
  list_many (compute, 1);
  fake_cloud_expire_tokens (fixture->fake);
  list_many (compute, 20);
  g_assert_cmpuint (fake_log_count (fixture->fake, "POST", LOGINS), ==, 2);
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", SERVERS), ==, 41);
}

static void
test_service_that_refuses_every_token_is_asked_twice (ProviderFixture *fixture,
                                                      gconstpointer    data)
{
  static const FakeRule rule = {
    .method = "GET", .path = SERVERS, .times = -1, .action = FAKE_FAIL, .status = 401,
    .body = "{\"error\": {\"code\": 401, \"title\": \"Unauthorized\", \"message\": \"M\"}}",
  };
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsCompute) compute = os_compute_new (client);
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_add_rule (fixture->fake, &rule);
  g_assert_false (list_servers (fixture, compute, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAUTHORIZED);
  g_assert_nonnull (strstr (error->message, SERVERS));
  g_assert_cmpuint (fake_log_count (fixture->fake, "POST", LOGINS), ==, 2);
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", SERVERS), ==, 2);
}

static void
test_forbidden_is_no_reason_to_log_in (ProviderFixture *fixture,
                                       gconstpointer    data)
{
  static const FakeRule rule = {
    .method = "GET", .path = SERVERS, .action = FAKE_FAIL, .status = 403,
    .body = "{\"forbidden\": {\"code\": 403, \"message\": \"Policy says no\"}}",
  };
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsCompute) compute = os_compute_new (client);
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_add_rule (fixture->fake, &rule);
  g_assert_false (list_servers (fixture, compute, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN);
  g_assert_nonnull (strstr (error->message, SERVERS ": Policy says no (HTTP 403"));
  g_assert_cmpuint (fake_log_count (fixture->fake, "POST", LOGINS), ==, 1);
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", SERVERS), ==, 1);
}

static void
test_token_is_renewed_before_its_end (ProviderFixture *fixture,
                                      gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsCompute) compute = os_compute_new (client);
  const FakeLogEntry *entry;

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_set (fixture->fake, "token-life", 2);
  list_many (compute, 1);
  g_usleep (2 * G_USEC_PER_SEC);
  list_many (compute, 1);
  g_assert_cmpuint (fake_log_count (fixture->fake, "POST", LOGINS), ==, 2);
  entry = fake_log_find (fixture->fake, "GET", SERVERS);
  g_assert_cmpuint (entry->status, ==, 200);
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", SERVERS), ==, 2);
}

/* Or it would wait for those who perhaps wait for it. */
static void
test_login_waits_for_no_other_request (ProviderFixture *fixture,
                                       gconstpointer    data)
{
  static const FakeRule rule = {
    .method = "GET", .path = SERVERS, .times = -1, .action = FAKE_HANG,
  };
  const guint width = 32;
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsCompute) compute = os_compute_new (client);
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GError) error = NULL;
  Many many = { width, 0 };
  gint64 began;
  gint64 seconds;

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_set (fixture->fake, "token-life", 2);
  fake_cloud_add_rule (fixture->fake, &rule);
  for (guint i = 0; i < width; i++)
    os_compute_list_servers_async (compute, NULL, NULL, NULL, cancellable, listed_cb, &many);
  while (fake_log_count (fixture->fake, "GET", SERVERS) < width)
    g_main_context_iteration (NULL, TRUE);

  began = g_get_monotonic_time ();
  g_usleep (2 * G_USEC_PER_SEC);
  login (fixture, client, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fake_log_count (fixture->fake, "POST", LOGINS), ==, 2);
  /* Before the first of the others gives up, which is after 6 s of the wall's time. */
  seconds = (fake_log_find (fixture->fake, "POST", LOGINS)->start_us - began) / G_USEC_PER_SEC;
  g_assert_cmpint (seconds, <, 5);
  g_cancellable_cancel (cancellable);
  while (many.left > 0)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_auth_url_without_version_is_asked_for_one (ProviderFixture *fixture,
                                                gconstpointer    data)
{
  g_autofree char *url = NULL;
  g_autoptr(OsClient) client = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  url = g_strconcat (fake_cloud_get_url (fixture->fake), "/identity/", NULL);
  client = provider_fixture_make_client (fixture, "auth-url", url, NULL);
  login (fixture, client, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", "/identity/"), ==, 1);
  g_assert_cmpuint (fake_log_count (fixture->fake, "POST", LOGINS), ==, 1);

  /* Once is enough. */
  fake_cloud_expire_tokens (fixture->fake);
  g_clear_object (&client);
}

static void
test_useless_version_document_means_version_three (ProviderFixture *fixture,
                                                   gconstpointer    data)
{
  static const FakeRule rule = {
    .method = "GET", .path = "/identity/", .action = FAKE_FAIL, .status = 200,
    .body = "<html>Welcome to the portal</html>", .content_type = "text/html",
  };
  g_autofree char *url = NULL;
  g_autoptr(OsClient) client = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_add_rule (fixture->fake, &rule);
  url = g_strconcat (fake_cloud_get_url (fixture->fake), "/identity", NULL);
  client = provider_fixture_make_client (fixture, "auth-url", url, NULL);
  login (fixture, client, &error);
  g_assert_no_error (error);
}

static void
test_versions (void)
{
#define LINK(url) "\"links\": [{\"rel\": \"self\", \"href\": \"" url "\"}]"
  static const char *const cases[][3] = {
    { "https://id.test:5000",
      "{\"versions\": {\"values\": ["
      "{\"id\": \"v2.0\", \"status\": \"deprecated\", " LINK ("https://id.test:5000/v2.0/") "}, "
      "{\"id\": \"v3.14\", \"status\": \"stable\", " LINK ("http://localhost:5000/v3/") "}]}}",
      "https://id.test:5000/v3" },
    { "https://id.test/identity",
      "{\"versions\": [{\"id\": \"v3.8\", \"status\": \"CURRENT\", "
      LINK ("https://id.test/identity/v3/") "}]}",
      "https://id.test/identity/v3" },
    { "https://id.test/identity",
      "{\"version\": {\"id\": \"v3.8\", \"status\": \"stable\", " LINK ("http://inner/v3/") "}}",
      "https://id.test/identity/v3" },
    { "https://id.test",
      "{\"versions\": [{\"id\": \"v3.1\", \"status\": \"stable\", \"links\": 7}]}",
      "https://id.test/v3" },
    { "https://id.test", "{\"versions\": [{\"id\": \"v2.0\", \"status\": \"stable\"}]}", NULL },
    { "https://id.test", "{\"versions\": null}", NULL },
    { "https://id.test", "[]", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GBytes) document = g_bytes_new_static (cases[i][1], strlen (cases[i][1]));
      g_autoptr(GPtrArray) versions = os_discovery_read (document);
      g_autofree char *url = os_discovery_choose (versions, cases[i][0], 3);

      g_assert_cmpstr (url, ==, cases[i][2]);
    }
}

static void
assert_login_fails (ProviderFixture *fixture,
                    const char      *body,
                    WelkinError      code,
                    const char      *words)
{
  static const char *const headers[] = { "X-Subject-Token: t", NULL };
  FakeRule rule = {
    .method = "POST", .path = LOGINS, .action = FAKE_FAIL, .status = 201, .body = body,
    .headers = headers,
  };
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(GError) error = NULL;

  fake_cloud_add_rule (fixture->fake, &rule);
  g_assert_false (login (fixture, client, &error));
  g_assert_error (error, WELKIN_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, words));
}

static void
test_senseless_logins_fail (ProviderFixture *fixture,
                            gconstpointer    data)
{
  if (provider_fixture_needs_fake (fixture))
    return;
  assert_login_fails (fixture, "{\"token\": {\"methods\": [\"password\"], \"user\": {}}}",
                      WELKIN_ERROR_UNAUTHORIZED, "no project");
  assert_login_fails (fixture, "{\"token\": {\"project\": null, \"catalog\": []}}",
                      WELKIN_ERROR_UNAUTHORIZED, "no project");
  assert_login_fails (fixture, "{\"token\": 7}", WELKIN_ERROR_PROTOCOL, "Cannot log in");
  assert_login_fails (fixture, "{}", WELKIN_ERROR_PROTOCOL,
                      "/auth/tokens: the answer lacks “token”");
  assert_login_fails (fixture, "{\"token\": {\"project\": {\"id\": ", WELKIN_ERROR_PROTOCOL,
                      "Cannot log in");
}

static void
test_missing_catalog_is_asked_for (ProviderFixture *fixture,
                                   gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(GError) error = NULL;
  FakeRule with_none = {
    .method = "POST", .path = LOGINS, .action = FAKE_FAIL, .status = 201,
    .body = "{\"token\": {\"expires_at\": null, \"project\": {\"id\": \"p1\"}}}",
    .headers = (const char *const[]) { "x-subject-token: t", NULL },
  };
  FakeRule alone = {
    .method = "GET", .path = "/identity/v3/auth/catalog", .action = FAKE_FAIL, .status = 200,
    .body = "{\"catalog\": [{\"type\": \"compute\", \"name\": \"n\", \"endpoints\": [{"
            "\"interface\": \"public\", \"region\": \"RegionOne\", \"region_id\": null, "
            "\"url\": \"http://h.test/v2.1\"}]}], \"links\": {}}",
  };

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_add_rule (fixture->fake, &with_none);
  fake_cloud_add_rule (fixture->fake, &alone);
  login (fixture, client, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (os_client_get_project_id (client), ==, "p1");
  g_assert_cmpstr (os_client_get_endpoint (client, OS_SERVICE_COMPUTE), ==, "http://h.test/v2.1");
}

static void
test_login_is_tried_again_when_busy (ProviderFixture *fixture,
                                     gconstpointer    data)
{
  static const FakeRule busy = {
    .method = "POST", .path = LOGINS, .times = 2, .action = FAKE_FAIL, .status = 503,
  };
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_add_rule (fixture->fake, &busy);
  login (fixture, client, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fake_log_count (fixture->fake, "POST", LOGINS), ==, 3);
}

static void
test_same_settings_keep_the_client (ProviderFixture *fixture,
                                    gconstpointer    data)
{
  g_autoptr(WelkinConfig) config = provider_fixture_make_config (fixture, NULL);
  g_autoptr(WelkinConfig) other = provider_fixture_make_config (fixture, "network", "n", NULL);
  static const char *const changes[][2] = {
    { "region", "RegionTwo" }, { "max-connections", "3" }, { "compute-api-version", "2.1" },
  };
  g_autoptr(GError) error = NULL;
  g_autoptr(OsClient) client = os_client_new (config, fixture->surroundings, NULL, &error);
  g_autoptr(OsClient) same = os_client_new (other, fixture->surroundings, client, &error);

  g_assert_no_error (error);
  g_assert_true (same == client);
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autoptr(WelkinConfig) different =
        provider_fixture_make_config (fixture, changes[i][0], changes[i][1], NULL);
      g_autoptr(OsClient) new_one =
        os_client_new (different, fixture->surroundings, client, &error);

      g_test_message ("%s", changes[i][0]);
      g_assert_no_error (error);
      g_assert_false (new_one == client);
    }
}

static void
test_given_endpoints_are_taken_as_they_are (ProviderFixture *fixture,
                                            gconstpointer    data)
{
  g_autofree char *given = NULL;
  g_autofree char *other = NULL;
  g_autoptr(WelkinConfig) config = NULL;
  g_autoptr(WelkinConfig) different = NULL;
  g_autoptr(OsClient) client = NULL;
  g_autoptr(OsClient) new_one = NULL;
  g_autoptr(OsCompute) compute = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  given = g_strconcat (fake_cloud_get_url (fixture->fake), "/compute/v2.1/", NULL);
  other = g_strconcat (fake_cloud_get_url (fixture->fake), "/compute/v2", NULL);
  fake_cloud_remove (fixture->fake, "endpoint", "nova");
  config = provider_fixture_make_config (fixture, "compute-endpoint", given, NULL);
  client = os_client_new (config, fixture->surroundings, NULL, &error);
  g_assert_no_error (error);
  compute = os_compute_new (client);
  list_many (compute, 1);
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", SERVERS), ==, 1);

  /* Another one is for another client. */
  different = provider_fixture_make_config (fixture, "compute-endpoint", other, NULL);
  new_one = os_client_new (different, fixture->surroundings, client, &error);
  g_assert_no_error (error);
  g_assert_false (new_one == client);
}

static gboolean
list_volumes (ProviderFixture *fixture,
              OsClient        *client)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_BLOCK_STORAGE, "GET", "volumes", NULL);
  g_autoptr(WkHttpResponse) response = NULL;

  os_client_send_async (client, client, request, NULL, provider_fixture_done_cb, fixture);
  response = os_client_send_finish (client, provider_fixture_wait (fixture), NULL);
  return response != NULL;
}

/* As block storage was, and some of it is still. */
static void
test_project_is_put_into_urls_that_lack_it (ProviderFixture *fixture,
                                            gconstpointer    data)
{
  static const FakeRule none = {
    .path = "/volume/v3/volumes", .times = -1, .action = FAKE_FAIL, .status = 404,
  };
  static const FakeRule behind = {
    .path = "/volume/v3/*/volumes", .times = -1, .action = FAKE_FAIL, .status = 200,
    .body = "{\"volumes\": []}",
  };
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autofree char *path = NULL;
  guint rule;

  if (provider_fixture_needs_fake (fixture))
    return;
  path = g_strdup_printf ("/volume/v3/%s/volumes",
                          fake_cloud_find (fixture->fake, "project", "demo"));
  fake_cloud_add_rule (fixture->fake, &none);
  rule = fake_cloud_add_rule (fixture->fake, &behind);
  g_assert_true (list_volumes (fixture, client));
  g_assert_true (list_volumes (fixture, client));
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", "/volume/v3/volumes"), ==, 1);
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", path), ==, 2);
  g_assert_cmpuint (fake_cloud_get_rule_hits (fixture->fake, rule), ==, 2);
}

static void
test_what_is_not_found_is_no_reason_for_a_project (ProviderFixture *fixture,
                                                   gconstpointer    data)
{
  static const FakeRule none = {
    .path = "/volume/*", .times = 2, .action = FAKE_FAIL, .status = 404,
  };
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_add_rule (fixture->fake, &none);
  g_assert_false (list_volumes (fixture, client));
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", "/volume/*"), ==, 2);
  g_assert_true (list_volumes (fixture, client));
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", "/volume/v3/volumes"), ==, 2);
}

static void
test_cancelled_login_leaves_others_alone (ProviderFixture *fixture,
                                          gconstpointer    data)
{
  static const FakeRule rule = {
    .method = "POST", .path = LOGINS, .action = FAKE_ANSWER, .delay_ms = 200,
  };
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsCompute) compute = os_compute_new (client);
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GError) error = NULL;
  Many many = { 1, 0 };

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_add_rule (fixture->fake, &rule);
  os_client_login_async (client, cancellable, provider_fixture_done_cb, fixture);
  os_compute_list_servers_async (compute, NULL, NULL, NULL, NULL, listed_cb, &many);
  g_cancellable_cancel (cancellable);
  g_assert_false (os_client_login_finish (client, provider_fixture_wait (fixture), &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  while (many.left > 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (many.failed, ==, 0);
  g_assert_cmpuint (fake_log_count (fixture->fake, "POST", LOGINS), ==, 1);
}

static void
test_unreachable_cloud_names_its_url (ProviderFixture *fixture,
                                      gconstpointer    data)
{
  g_autoptr(OsClient) client = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  client = provider_fixture_make_client (fixture, "auth-url", "http://127.0.0.1:9/v3", "password",
                                         "secret", NULL);
  g_assert_false (login (fixture, client, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, "http://127.0.0.1:9/v3"));
  g_assert_null (strstr (error->message, "secret"));
}

static void
test_silent_cloud_is_given_up_after_a_minute (ProviderFixture *fixture,
                                              gconstpointer    data)
{
  g_autoptr(GSocketListener) listener = g_socket_listener_new ();
  guint16 port = g_socket_listener_add_any_inet_port (listener, NULL, NULL);
  g_autofree char *auth_url = g_strdup_printf ("http://127.0.0.1:%u", port);
  g_autoptr(OsClient) client = NULL;
  g_autoptr(GError) error = NULL;
  double begin;
  double seconds;

  if (provider_fixture_needs_fake (fixture))
    return;
  client = provider_fixture_make_client (fixture, "auth-url", auth_url, "password", "secret", NULL);
  begin = wk_clock_get_seconds (os_client_get_clock (client));
  g_assert_false (login (fixture, client, &error));
  seconds = wk_clock_get_seconds (os_client_get_clock (client)) - begin;
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT);
  g_assert_nonnull (strstr (error->message, auth_url));
  g_assert_nonnull (strstr (error->message, "60 seconds"));
  g_assert_nonnull (strstr (welkin_error_get_hint (error), "auth-url"));
  g_assert_nonnull (strstr (welkin_error_get_hint (error), "http_proxy"));
  g_assert_cmpfloat (seconds, <, 100.0);
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

  add ("/auth/login-gives-project-and-catalog", test_login_gives_project_and_catalog);
  add ("/auth/wrong-password-names-who-and-where", test_wrong_password_names_who_and_where);
  add ("/auth/many-callers-log-in-once", test_many_callers_log_in_once);
  add ("/defects/32/revoked-token-is-replaced-once", test_revoked_token_is_replaced_once);
  add ("/auth/refused-for-ever-asks-twice", test_service_that_refuses_every_token_is_asked_twice);
  add ("/auth/forbidden-is-no-reason-to-log-in", test_forbidden_is_no_reason_to_log_in);
  add ("/defects/32/token-is-renewed-before-its-end", test_token_is_renewed_before_its_end);
  add ("/auth/login-waits-for-no-other-request", test_login_waits_for_no_other_request);
  add ("/auth/no-version-asks-for-one", test_auth_url_without_version_is_asked_for_one);
  add ("/auth/useless-version-document-means-three",
       test_useless_version_document_means_version_three);
  g_test_add_func ("/auth/versions", test_versions);
  add ("/auth/senseless-logins-fail", test_senseless_logins_fail);
  add ("/auth/login-is-tried-again-when-busy", test_login_is_tried_again_when_busy);
  add ("/auth/missing-catalog-is-asked-for", test_missing_catalog_is_asked_for);
  add ("/auth/same-settings-keep-the-client", test_same_settings_keep_the_client);
  add ("/auth/given-endpoints-are-taken", test_given_endpoints_are_taken_as_they_are);
  add ("/auth/project-is-put-into-urls", test_project_is_put_into_urls_that_lack_it);
  add ("/auth/not-found-is-no-reason-for-a-project",
       test_what_is_not_found_is_no_reason_for_a_project);
  add ("/auth/cancelled-login-leaves-others-alone", test_cancelled_login_leaves_others_alone);
  add ("/auth/unreachable-cloud-names-its-url", test_unreachable_cloud_names_its_url);
  add ("/auth/silent-cloud-is-given-up-after-a-minute",
       test_silent_cloud_is_given_up_after_a_minute);

  return provider_fixture_run ();
}
