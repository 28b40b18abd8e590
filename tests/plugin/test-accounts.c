/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <libsoup/soup.h>

#include "provider-fixture.h"

#include "base/json.h"
#include "values/welkin-error.h"

/* All ways in that identity of today has, for accounts that are made for it: on a real cloud, too,
 * where services believe a token for some seconds after its end. */

#define MAX_BELIEF_SECONDS 15

typedef struct
{
  ProviderFixture  provider;
  SoupSession     *session;    /* (owned) */
  char            *auth_url;   /* (owned) */
  char            *token;      /* (owned) of the user */
  char            *user_id;    /* (owned) */
  char            *project_id; /* (owned) */
} Fixture;

static const char *
get_variable (Fixture    *fixture,
              const char *name)
{
  const char *value = welkin_surroundings_get_variable (fixture->provider.surroundings, name);

  g_assert_nonnull (value);
  return value;
}

/* Asks identity, as nobody does who only logs in. (transfer full) (nullable) */
static JsonNode *
ask (Fixture     *fixture,
     const char  *method,
     const char  *path,
     const char  *body,
     char       **token)
{
  g_autofree char *uri = g_strconcat (fixture->auth_url, path, NULL);
  g_autoptr(SoupMessage) message = soup_message_new (method, uri);
  SoupMessageHeaders *headers = soup_message_get_request_headers (message);
  g_autoptr(GBytes) answer = NULL;
  g_autoptr(GError) error = NULL;

  if (fixture->token != NULL)
    {
      soup_message_headers_append (headers, "X-Auth-Token", fixture->token);
      soup_message_headers_append (headers, "X-Subject-Token", fixture->token);
    }
  if (body != NULL)
    {
      g_autoptr(GBytes) bytes = g_bytes_new (body, strlen (body));

      soup_message_set_request_body_from_bytes (message, "application/json", bytes);
    }
  soup_session_send_and_read_async (fixture->session, message, 0, NULL, provider_fixture_done_cb,
                                    &fixture->provider);
  answer = soup_session_send_and_read_finish (fixture->session,
                                              provider_fixture_wait (&fixture->provider), &error);
  g_assert_no_error (error);
  if (soup_message_get_status (message) / 100 != 2)
    g_test_message ("%s %s: %u", method, path, soup_message_get_status (message));
  g_assert_cmpuint (soup_message_get_status (message) / 100, ==, 2);
  if (token != NULL)
    *token = g_strdup (soup_message_headers_get_one (soup_message_get_response_headers (message),
                                                     "X-Subject-Token"));
  return wk_json_parse (answer, NULL);
}

static char *
dup_member (JsonNode   *node,
            const char *first,
            const char *second,
            const char *third)
{
  JsonObject *object = json_object_get_object_member (json_node_get_object (node), first);

  if (third != NULL)
    return g_strdup (json_object_get_string_member (json_object_get_object_member (object, second),
                                                    third));
  return g_strdup (json_object_get_string_member (object, second));
}

static void
set_up (Fixture       *fixture,
        gconstpointer  data)
{
  g_autofree char *body = NULL;
  g_autoptr(JsonNode) node = NULL;

  provider_fixture_set_up (&fixture->provider, data);
  fixture->session = soup_session_new ();
  fixture->auth_url = g_strdup (get_variable (fixture, "OS_AUTH_URL"));
  body = g_strdup_printf ("{\"auth\": {\"identity\": {\"methods\": [\"password\"], \"password\": {"
                          "\"user\": {\"name\": \"%s\", \"domain\": {\"id\": \"default\"}, "
                          "\"password\": \"%s\"}}}, \"scope\": {\"project\": {\"name\": \"%s\", "
                          "\"domain\": {\"id\": \"default\"}}}}}",
                          get_variable (fixture, "OS_USERNAME"),
                          get_variable (fixture, "OS_PASSWORD"),
                          get_variable (fixture, "OS_PROJECT_NAME"));
  node = ask (fixture, "POST", "/auth/tokens", body, &fixture->token);
  fixture->user_id = dup_member (node, "token", "user", "id");
  fixture->project_id = dup_member (node, "token", "project", "id");
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  g_free (fixture->auth_url);
  g_free (fixture->token);
  g_free (fixture->user_id);
  g_free (fixture->project_id);
  g_clear_object (&fixture->session);
  provider_fixture_tear_down (&fixture->provider, data);
}

static gboolean
list_servers (Fixture   *fixture,
              OsClient  *client,
              GError   **error)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_COMPUTE, "GET", "servers", NULL);
  g_autoptr(WkHttpResponse) response = NULL;

  os_client_send_async (client, client, request, NULL, provider_fixture_done_cb,
                        &fixture->provider);
  response = os_client_send_finish (client, provider_fixture_wait (&fixture->provider), error);
  return response != NULL;
}

static void
assert_works (Fixture  *fixture,
              OsClient *client)
{
  g_autoptr(GError) error = NULL;

  list_servers (fixture, client, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (os_client_get_project_id (client), ==, fixture->project_id);
}

/* That it fails so; what people read is shown, for them to judge. */
static void
assert_refused (Fixture     *fixture,
                OsClient    *client,
                WelkinError  code,
                const char  *words)
{
  g_autoptr(GError) error = NULL;

  g_assert_false (list_servers (fixture, client, &error));
  g_test_message ("%s", error->message);
  if (welkin_error_get_hint (error) != NULL)
    g_test_message ("%s", welkin_error_get_hint (error));
  g_assert_error (error, WELKIN_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, words));
}

static void
test_password (Fixture       *fixture,
               gconstpointer  data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (&fixture->provider, NULL);
  g_autoptr(OsClient) wrong =
    provider_fixture_make_client (&fixture->provider, "password", "wrong", NULL);

  assert_works (fixture, client);
  assert_refused (fixture, wrong, WELKIN_ERROR_UNAUTHORIZED, "HTTP 401");
}

static void
test_application_credential (Fixture       *fixture,
                             gconstpointer  data)
{
  g_autofree char *path = g_strdup_printf ("/users/%s/application_credentials", fixture->user_id);
  g_autofree char *name = g_strconcat ("welkin-test-", fixture->provider.uuid, NULL);
  g_autofree char *body =
    g_strdup_printf ("{\"application_credential\": {\"name\": \"%s\"}}", name);
  g_autoptr(JsonNode) node = ask (fixture, "POST", path, body, NULL);
  g_autofree char *id = dup_member (node, "application_credential", "id", NULL);
  g_autofree char *secret = dup_member (node, "application_credential", "secret", NULL);
  g_autofree char *own_path = g_strconcat (path, "/", id, NULL);
  g_autoptr(OsClient) by_id =
    provider_fixture_make_client (&fixture->provider, "application-credential-id", id,
                                  "application-credential-secret", secret, NULL);
  g_autoptr(OsClient) by_name =
    provider_fixture_make_client (&fixture->provider, "application-credential-name", name,
                                  "user-id", fixture->user_id, "application-credential-secret",
                                  secret, NULL);
  g_autoptr(OsClient) wrong =
    provider_fixture_make_client (&fixture->provider, "application-credential-id", id,
                                  "application-credential-secret", "wrong", NULL);
  g_autoptr(OsClient) elsewhere =
    provider_fixture_make_client (&fixture->provider, "application-credential-id", id,
                                  "application-credential-secret", secret, "tenant-name",
                                  "elsewhere", NULL);
  g_autoptr(OsClient) gone = NULL;
  g_autoptr(JsonNode) none = NULL;

  assert_works (fixture, by_id);
  assert_works (fixture, by_name);
  assert_refused (fixture, wrong, WELKIN_ERROR_UNAUTHORIZED, "HTTP 401");
  assert_refused (fixture, elsewhere, WELKIN_ERROR_INVALID_CONFIG, "it is for project");

  none = ask (fixture, "DELETE", own_path, NULL, NULL);
  gone = provider_fixture_make_client (&fixture->provider, "application-credential-id", id,
                                       "application-credential-secret", secret, NULL);
  assert_refused (fixture, gone, WELKIN_ERROR_NOT_FOUND, "HTTP 404");
}

static void
test_token_until_it_is_revoked (Fixture       *fixture,
                                gconstpointer  data)
{
  g_autoptr(OsClient) client =
    provider_fixture_make_client (&fixture->provider, "token", fixture->token, "auth-mode",
                                  "v3token", NULL);
  g_autoptr(OsClient) late = NULL;
  g_autoptr(JsonNode) none = NULL;
  gint64 end = g_get_monotonic_time () + MAX_BELIEF_SECONDS * G_USEC_PER_SEC;

  assert_works (fixture, client);
  none = ask (fixture, "DELETE", "/auth/tokens", NULL, NULL);
  while (list_servers (fixture, client, NULL) && g_get_monotonic_time () < end)
    g_usleep (G_USEC_PER_SEC / 2);
  assert_refused (fixture, client, WELKIN_ERROR_UNAUTHORIZED, "Cannot log in as the given token");

  late = provider_fixture_make_client (&fixture->provider, "token", fixture->token, "auth-mode",
                                       "v3token", NULL);
  assert_refused (fixture, late, WELKIN_ERROR_UNAUTHORIZED, "Cannot log in as the given token");
}

/* A cloud that keeps up with security fixes takes them no more; then that is said. */
static void
test_key_pair (Fixture       *fixture,
               gconstpointer  data)
{
  g_autofree char *path = g_strdup_printf ("/users/%s/credentials/OS-EC2", fixture->user_id);
  g_autofree char *body = g_strdup_printf ("{\"tenant_id\": \"%s\"}", fixture->project_id);
  g_autoptr(JsonNode) node = ask (fixture, "POST", path, body, NULL);
  g_autofree char *access = dup_member (node, "credential", "access", NULL);
  g_autofree char *secret = dup_member (node, "credential", "secret", NULL);
  g_autofree char *own_path = g_strconcat (path, "/", access, NULL);
  g_autoptr(OsClient) client =
    provider_fixture_make_client (&fixture->provider, "auth-mode", "keypair", "access-key", access,
                                  "secret-key", secret, NULL);
  g_autoptr(JsonNode) none = NULL;
  g_autoptr(GError) error = NULL;

  if (list_servers (fixture, client, &error))
    g_test_message ("this cloud exchanges EC2 keys for tokens");
  else
    assert_refused (fixture, client, WELKIN_ERROR_UNAUTHORIZED, "does not exchange EC2 keys");
  none = ask (fixture, "DELETE", own_path, NULL, NULL);
}

static void
test_wrong_project_and_wrong_region (Fixture       *fixture,
                                     gconstpointer  data)
{
  g_autoptr(OsClient) project =
    provider_fixture_make_client (&fixture->provider, "tenant-name", "nosuch", NULL);
  g_autoptr(OsClient) id =
    provider_fixture_make_client (&fixture->provider, "tenant-id", "nosuch", NULL);
  g_autoptr(OsClient) region =
    provider_fixture_make_client (&fixture->provider, "region", "regionone", NULL);
  g_autoptr(OsClient) unknown =
    provider_fixture_make_client (&fixture->provider, "region", "R9", NULL);

  assert_refused (fixture, project, WELKIN_ERROR_UNAUTHORIZED, "project \"nosuch\"");
  assert_refused (fixture, id, WELKIN_ERROR_UNAUTHORIZED, "project \"nosuch\"");
  assert_refused (fixture, region, WELKIN_ERROR_INVALID_CONFIG,
                  "set attribute region to \"RegionOne\"");
  assert_refused (fixture, unknown, WELKIN_ERROR_INVALID_CONFIG, "one of: RegionOne");
}

static void
test_two_projects_side_by_side (Fixture       *fixture,
                                gconstpointer  data)
{
  g_autoptr(OsClient) first = provider_fixture_make_client (&fixture->provider, NULL);
  g_autoptr(OsClient) second =
    provider_fixture_make_client (&fixture->provider, "username", "other", "password", "secret",
                                  "tenant-name", "other", NULL);
  g_autoptr(GError) error = NULL;

  assert_works (fixture, first);
  list_servers (fixture, second, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (os_client_get_project_id (first), !=, os_client_get_project_id (second));
  assert_works (fixture, first);
}

/* On a real cloud only when its tokens are made to live for a few seconds, and the variable says
 * for how many. */
static void
test_tokens_of_a_few_seconds_are_renewed (Fixture       *fixture,
                                          gconstpointer  data)
{
  const char *life = g_getenv ("WELKIN_TEST_TOKEN_LIFE");
  g_autoptr(OsClient) client = provider_fixture_make_client (&fixture->provider, NULL);
  int seconds = fixture->provider.fake != NULL ? 1 : life != NULL ? atoi (life) : 0;

  if (seconds == 0)
    {
      g_test_skip ("tokens live for too long");
      return;
    }
  if (fixture->provider.fake != NULL)
    fake_cloud_set (fixture->provider.fake, "token-life", seconds);
  for (guint i = 0; i < 4; i++)
    {
      assert_works (fixture, client);
      g_usleep (seconds * G_USEC_PER_SEC * 6 / 10);
    }
}

static void
add (const char *path,
     void      (*test) (Fixture *, gconstpointer))
{
  g_test_add (path, Fixture, NULL, set_up, test, tear_down);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add ("/accounts/password", test_password);
  add ("/accounts/application-credential", test_application_credential);
  add ("/accounts/token-until-revoked", test_token_until_it_is_revoked);
  add ("/accounts/key-pair", test_key_pair);
  add ("/accounts/wrong-project-and-region", test_wrong_project_and_wrong_region);
  add ("/accounts/two-projects", test_two_projects_side_by_side);
  add ("/accounts/short-lived-tokens", test_tokens_of_a_few_seconds_are_renewed);

  return provider_fixture_run ();
}
