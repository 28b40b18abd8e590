/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <libsoup/soup.h>

#include "provider-fixture.h"

#include "values/welkin-error.h"

/* All the ways in that there are, and have been. */

#define V3 "/identity/v3/auth/tokens"
#define V2 "/identity/v2.0/tokens"

static char *
make_url (ProviderFixture *fixture,
          const char      *path)
{
  return g_strconcat (fake_cloud_get_url (fixture->fake), "/identity", path, NULL);
}

/* Nothing but attributes says who logs in. */
static void
forget_variables (ProviderFixture *fixture)
{
  const char *scale = welkin_surroundings_get_variable (fixture->surroundings,
                                                        "WELKIN_TIME_SCALE");
  g_autofree char *variable = g_strconcat ("WELKIN_TIME_SCALE=", scale, NULL);
  const char *const variables[] = { variable, NULL };
  g_autoptr(WelkinSurroundings) former = fixture->surroundings;

  fixture->surroundings = welkin_surroundings_new (variables, "/");
}

static gboolean
login (ProviderFixture  *fixture,
       OsClient         *client,
       GError          **error)
{
  os_client_login_async (client, NULL, provider_fixture_done_cb, fixture);
  return os_client_login_finish (client, provider_fixture_wait (fixture), error);
}

/* Logged in, with a token that compute takes. */
static void
assert_works (ProviderFixture *fixture,
              OsClient        *client)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_COMPUTE, "GET", "servers", NULL);
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(GError) error = NULL;

  os_client_send_async (client, client, request, NULL, provider_fixture_done_cb, fixture);
  response = os_client_send_finish (client, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
}

static void
assert_fails (ProviderFixture *fixture,
              OsClient        *client,
              WelkinError      code,
              const char      *words)
{
  g_autoptr(GError) error = NULL;

  g_assert_false (login (fixture, client, &error));
  g_assert_error (error, WELKIN_ERROR, (int) code);
  g_assert_true (g_str_has_prefix (error->message, "Cannot log in as "));
  if (strstr (error->message, words) == NULL)
    g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, words));
}

static guint
count_logins (ProviderFixture *fixture,
              const char      *path)
{
  return fake_log_count (fixture->fake, "POST", path);
}

/* What the last login sent, as text. */
static char *
dup_login (ProviderFixture *fixture,
           const char      *path)
{
  const FakeLogEntry *entry = fake_log_find (fixture->fake, "POST", path);
  gsize size;
  const char *data = g_bytes_get_data (entry->body, &size);

  return g_strndup (data, size);
}

/* Application credentials */

static void
test_application_credential_by_id (ProviderFixture *fixture,
                                   gconstpointer    data)
{
  g_autoptr(OsClient) client = NULL;
  g_autofree char *body = NULL;
  const char *id;

  if (provider_fixture_needs_fake (fixture))
    return;
  id = fake_cloud_add (fixture->fake, "credential",
                       "{'name': 'ac', 'secret': 'canary', 'user': 'demo', 'project': 'demo'}");
  client = provider_fixture_make_client (fixture, "application-credential-id", id,
                                         "application-credential-secret", "canary", NULL);
  assert_works (fixture, client);
  g_assert_cmpstr (os_client_get_project_id (client), ==,
                   fake_cloud_find (fixture->fake, "project", "demo"));
  g_assert_cmpstr (os_client_get_roles (client)[0], ==, "member");
  body = dup_login (fixture, V3);
  g_assert_null (strstr (body, "scope"));
  g_assert_null (strstr (body, "password"));
}

static void
test_application_credential_by_name (ProviderFixture *fixture,
                                     gconstpointer    data)
{
  g_autoptr(OsClient) client = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_add (fixture->fake, "credential",
                  "{'name': 'ac', 'secret': 's', 'user': 'demo', 'project': 'demo'}");
  client = provider_fixture_make_client (fixture, "application-credential-name", "ac", "username",
                                         "demo", "application-credential-secret", "s", NULL);
  assert_works (fixture, client);
}

static void
test_wrong_application_credential_says_so (ProviderFixture *fixture,
                                           gconstpointer    data)
{
  g_autoptr(OsClient) unknown =
    provider_fixture_make_client (fixture, "application-credential-id", "none",
                                  "application-credential-secret", "canary", NULL);
  g_autoptr(OsClient) wrong = NULL;
  g_autoptr(GError) error = NULL;
  const char *id;

  if (provider_fixture_needs_fake (fixture))
    return;
  id = fake_cloud_add (fixture->fake, "credential",
                       "{'name': 'ac', 'secret': 's', 'user': 'demo', 'project': 'demo'}");
  assert_fails (fixture, unknown, WELKIN_ERROR_NOT_FOUND,
                "Could not find Application Credential: none");
  wrong = provider_fixture_make_client (fixture, "application-credential-id", id,
                                        "application-credential-secret", "canary", NULL);
  g_assert_false (login (fixture, wrong, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAUTHORIZED);
  g_assert_null (strstr (error->message, "canary"));
  g_assert_nonnull (strstr (welkin_error_get_hint (error), "application credential"));
}

static void
test_application_credential_of_another_project_is_an_error (ProviderFixture *fixture,
                                                            gconstpointer    data)
{
  g_autoptr(OsClient) client = NULL;
  g_autoptr(OsClient) same = NULL;
  const char *id;

  if (provider_fixture_needs_fake (fixture))
    return;
  id = fake_cloud_add (fixture->fake, "credential",
                       "{'name': 'ac', 'secret': 's', 'user': 'demo', 'project': 'demo'}");
  client = provider_fixture_make_client (fixture, "application-credential-id", id,
                                         "application-credential-secret", "s", "tenant-name",
                                         "other", NULL);
  assert_fails (fixture, client, WELKIN_ERROR_INVALID_CONFIG, "it is for project \"demo\"");
  same = provider_fixture_make_client (fixture, "application-credential-id", id,
                                       "application-credential-secret", "s", "tenant-name",
                                       "Demo", NULL);
  assert_works (fixture, same);
}

/* Tokens */

/* A token that somebody else got. */
static char *
get_token (ProviderFixture *fixture,
           const char      *user)
{
  g_autoptr(SoupSession) session = soup_session_new ();
  g_autofree char *uri = make_url (fixture, "/v3/auth/tokens");
  g_autofree char *body =
    g_strdup_printf ("{\"auth\": {\"identity\": {\"methods\": [\"password\"], \"password\": "
                     "{\"user\": {\"name\": \"%s\", \"domain\": {\"id\": \"default\"}, "
                     "\"password\": \"secret\"}}}, \"scope\": {\"project\": {\"name\": \"%s\", "
                     "\"domain\": {\"id\": \"default\"}}}}}",
                     user, user);
  g_autoptr(GBytes) bytes = g_bytes_new (body, strlen (body));
  g_autoptr(SoupMessage) message = soup_message_new ("POST", uri);
  g_autoptr(GBytes) answer = NULL;

  soup_message_set_request_body_from_bytes (message, "application/json", bytes);
  soup_session_send_and_read_async (session, message, 0, NULL, provider_fixture_done_cb, fixture);
  answer = soup_session_send_and_read_finish (session, provider_fixture_wait (fixture), NULL);
  g_assert_cmpuint (soup_message_get_status (message), ==, 201);
  fake_log_clear (fixture->fake);
  return g_strdup (soup_message_headers_get_one (soup_message_get_response_headers (message),
                                                 "X-Subject-Token"));
}

static void
test_token_is_used_as_it_is (ProviderFixture *fixture,
                             gconstpointer    data)
{
  g_autofree char *token = NULL;
  g_autoptr(OsClient) client = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  token = get_token (fixture, "demo");
  client = provider_fixture_make_client (fixture, "token", token, "auth-mode", "v3token",
                                         "tenant-name", "demo", NULL);
  assert_works (fixture, client);
  g_assert_cmpuint (count_logins (fixture, "*"), ==, 0);
}

static void
test_token_is_exchanged_for_another_project (ProviderFixture *fixture,
                                             gconstpointer    data)
{
  g_autofree char *token = NULL;
  g_autoptr(OsClient) client = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_add (fixture->fake, "project", "{'name': 'both'}");
  fake_cloud_remove (fixture->fake, "user", "demo");
  fake_cloud_add (fixture->fake, "user",
                  "{'name': 'demo', 'password': 'secret', 'roles': {'demo': ['member'],"
                  " 'both': ['member']}}");
  token = get_token (fixture, "demo");
  client = provider_fixture_make_client (fixture, "token", token, "auth-mode", "v3token",
                                         "tenant-name", "both", NULL);
  assert_works (fixture, client);
  g_assert_cmpuint (count_logins (fixture, V3), ==, 1);
  g_assert_cmpstr (os_client_get_project_id (client), ==,
                   fake_cloud_find (fixture->fake, "project", "both"));
}

static void
test_revoked_token_is_told (ProviderFixture *fixture,
                            gconstpointer    data)
{
  g_autofree char *token = NULL;
  g_autoptr(OsClient) client = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  token = get_token (fixture, "demo");
  fake_cloud_expire_tokens (fixture->fake);
  client = provider_fixture_make_client (fixture, "token", token, "auth-mode", "v3token", NULL);
  g_assert_false (login (fixture, client, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAUTHORIZED);
  g_assert_null (strstr (error->message, token));
  g_assert_nonnull (strstr (welkin_error_get_hint (error), "expired or was revoked"));
}

static void
test_token_ends_at_its_end (ProviderFixture *fixture,
                            gconstpointer    data)
{
  g_autofree char *token = NULL;
  g_autoptr(OsClient) client = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_set (fixture->fake, "token-life", 2);
  token = get_token (fixture, "demo");
  client = provider_fixture_make_client (fixture, "token", token, "auth-mode", "v3token", NULL);
  assert_works (fixture, client);
  /* In its last second, too: there is nothing to renew it with. */
  g_usleep (G_USEC_PER_SEC / 2);
  assert_works (fixture, client);
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", V3), ==, 1);
  g_usleep (2 * G_USEC_PER_SEC);
  assert_fails (fixture, client, WELKIN_ERROR_UNAUTHORIZED, "the supplied token expired at 20");
}

/* Trusts */

static void
test_trust_gives_the_project_of_another (ProviderFixture *fixture,
                                         gconstpointer    data)
{
  g_autoptr(OsClient) client = NULL;
  const char *id;

  if (provider_fixture_needs_fake (fixture))
    return;
  id = fake_cloud_add (fixture->fake, "trust",
                       "{'trustor': 'other', 'trustee': 'demo', 'project': 'other'}");
  client = provider_fixture_make_client (fixture, "username", "demo", "password", "secret",
                                         "trust-id", id, NULL);
  assert_works (fixture, client);
  g_assert_cmpstr (os_client_get_project_id (client), ==,
                   fake_cloud_find (fixture->fake, "project", "other"));
}

/* Version 2.0 */

static void
test_version_two_works (ProviderFixture *fixture,
                        gconstpointer    data)
{
  static const char *const paths[] = { "/v2.0", "/v2.0/", "/v2.0/tokens" };

  if (provider_fixture_needs_fake (fixture))
    return;
  forget_variables (fixture);
  fake_cloud_set (fixture->fake, "keystone-has-v2", TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autofree char *url = make_url (fixture, paths[i]);
      g_autoptr(OsClient) client =
        provider_fixture_make_client (fixture, "auth-url", url, "tenant-name", "demo", "username",
                                      "demo", "password", "secret", NULL);

      assert_works (fixture, client);
      g_assert_cmpuint (count_logins (fixture, V2), ==, i + 1);
      g_assert_cmpstr (os_client_get_project_id (client), ==,
                       fake_cloud_find (fixture->fake, "project", "demo"));
      g_assert_cmpstr (os_client_get_roles (client)[0], ==, "member");
    }
  g_assert_cmpuint (count_logins (fixture, V3), ==, 0);
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", "/identity*"), ==, 0);
}

static void
test_version_two_tells_ids_from_names (ProviderFixture *fixture,
                                       gconstpointer    data)
{
  g_autofree char *url = NULL;
  g_autofree char *body = NULL;
  g_autoptr(OsClient) client = NULL;
  const char *id;

  if (provider_fixture_needs_fake (fixture))
    return;
  forget_variables (fixture);
  id = fake_cloud_find (fixture->fake, "project", "demo");
  url = make_url (fixture, "/v2.0");
  fake_cloud_set (fixture->fake, "keystone-has-v2", TRUE);
  client = provider_fixture_make_client (fixture, "auth-url", url, "tenant-id", id, "username",
                                         "demo", "password", "secret", NULL);
  assert_works (fixture, client);
  body = dup_login (fixture, V2);
  g_assert_nonnull (strstr (body, "\"tenantId\""));
  g_assert_null (strstr (body, "tenantName"));
}

static void
test_version_two_that_is_gone_leads_to_three (ProviderFixture *fixture,
                                              gconstpointer    data)
{
  static const int statuses[] = { 404, 405, 410 };
  g_autofree char *url = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  forget_variables (fixture);
  url = make_url (fixture, "/v2.0");
  for (guint i = 0; i < G_N_ELEMENTS (statuses); i++)
    {
      FakeRule rule = {
        .method = "POST", .path = V2, .action = FAKE_FAIL, .status = statuses[i],
        .body = "<html><h1>Not here</h1></html>", .content_type = "text/html",
      };
      g_autoptr(OsClient) client =
        provider_fixture_make_client (fixture, "auth-url", url, "tenant-name", "demo", "username",
                                      "demo", "password", "secret", NULL);

      fake_cloud_add_rule (fixture->fake, &rule);
      assert_works (fixture, client);
      g_assert_cmpuint (count_logins (fixture, V2), ==, i + 1);
      g_assert_cmpuint (count_logins (fixture, V3), ==, i + 1);
    }
}

static void
test_domain_and_version_lead_away_from_two (ProviderFixture *fixture,
                                            gconstpointer    data)
{
  g_autofree char *url = NULL;
  g_autoptr(OsClient) by_domain = NULL;
  g_autoptr(OsClient) by_version = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  forget_variables (fixture);
  url = make_url (fixture, "/v2.0");
  fake_cloud_set (fixture->fake, "keystone-has-v2", TRUE);
  by_domain = provider_fixture_make_client (fixture, "auth-url", url, "tenant-name", "demo",
                                            "username", "demo", "password", "secret",
                                            "domain-name", "Default", NULL);
  assert_works (fixture, by_domain);
  by_version = provider_fixture_make_client (fixture, "auth-url", url, "tenant-name", "demo",
                                             "username", "demo", "password", "secret",
                                             "identity-api-version", "3", NULL);
  assert_works (fixture, by_version);
  g_assert_cmpuint (count_logins (fixture, V2), ==, 0);
  g_assert_cmpuint (count_logins (fixture, V3), ==, 2);
}

static void
test_version_two_may_be_wanted (ProviderFixture *fixture,
                                gconstpointer    data)
{
  static const char *const paths[] = { "", "/v3" };

  if (provider_fixture_needs_fake (fixture))
    return;
  forget_variables (fixture);
  fake_cloud_set (fixture->fake, "keystone-has-v2", TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autofree char *url = make_url (fixture, paths[i]);
      g_autoptr(OsClient) client =
        provider_fixture_make_client (fixture, "auth-url", url, "tenant-name", "demo", "username",
                                      "demo", "password", "secret", "identity-api-version", "2.0",
                                      NULL);

      assert_works (fixture, client);
    }
  g_assert_cmpuint (count_logins (fixture, V2), ==, 2);
  g_assert_cmpuint (count_logins (fixture, V3), ==, 0);
}

/* Whether it tells its versions or not. */
static void
test_cloud_without_version_three_works (ProviderFixture *fixture,
                                        gconstpointer    data)
{
  static const FakeRule page = {
    .method = "GET", .path = "/identity/", .action = FAKE_FAIL, .status = 200,
    .body = "<html>Welcome</html>", .content_type = "text/html",
  };
  g_autofree char *url = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  forget_variables (fixture);
  fake_cloud_set (fixture->fake, "keystone-has-v2", TRUE);
  fake_cloud_set (fixture->fake, "keystone-has-v3", FALSE);
  url = make_url (fixture, "");
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr(OsClient) client =
        provider_fixture_make_client (fixture, "auth-url", url, "tenant-name", "demo", "username",
                                      "demo", "password", "secret", NULL);

      if (i == 1)
        fake_cloud_add_rule (fixture->fake, &page);
      assert_works (fixture, client);
      g_assert_cmpuint (count_logins (fixture, V2), ==, i + 1);
      g_assert_cmpuint (count_logins (fixture, V3), ==, i);
    }
}

/* Key pairs */

static OsClient *
make_key_client (ProviderFixture *fixture,
                 const char      *path,
                 const char      *access,
                 const char      *secret)
{
  g_autofree char *url = make_url (fixture, path);

  return provider_fixture_make_client (fixture, "auth-url", url, "access-key", access, "secret-key",
                                       secret, "auth-mode", "keypair", "tenant-name", "demo", NULL);
}

static void
add_key (ProviderFixture *fixture)
{
  forget_variables (fixture);
  fake_cloud_add (fixture->fake, "ec2-key",
                  "{'access': 'AK', 'secret': 'canary', 'user': 'demo', 'project': 'demo'}");
}

static void
test_key_pair_of_version_two (ProviderFixture *fixture,
                              gconstpointer    data)
{
  g_autoptr(OsClient) client = NULL;
  g_autoptr(OsClient) signing = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  add_key (fixture);
  fake_cloud_set (fixture->fake, "keystone-has-v2", TRUE);
  fake_cloud_set (fixture->fake, "keystone-has-key-pair", TRUE);
  client = make_key_client (fixture, "/v2.0", "AK", "canary");
  assert_works (fixture, client);
  g_assert_cmpuint (count_logins (fixture, V2), ==, 1);

  /* Where nobody takes the keys themselves, they sign. */
  fake_cloud_set (fixture->fake, "keystone-has-key-pair", FALSE);
  fake_cloud_set (fixture->fake, "keystone-has-ec2", TRUE);
  signing = make_key_client (fixture, "/v2.0", "AK", "canary");
  assert_works (fixture, signing);
  g_assert_cmpuint (count_logins (fixture, "/identity/v2.0/ec2tokens"), ==, 1);
}

static void
test_key_pair_signs_for_version_three (ProviderFixture *fixture,
                                       gconstpointer    data)
{
  g_autoptr(OsClient) client = NULL;
  g_autofree char *body = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  add_key (fixture);
  fake_cloud_set (fixture->fake, "keystone-has-ec2", TRUE);
  client = make_key_client (fixture, "/v3", "AK", "canary");
  assert_works (fixture, client);
  body = dup_login (fixture, "/identity/v3/ec2tokens");
  g_assert_null (strstr (body, "canary"));
}

static void
test_key_pair_that_is_refused_recommends_better (ProviderFixture *fixture,
                                                 gconstpointer    data)
{
  g_autoptr(OsClient) dead = NULL;
  g_autoptr(OsClient) unknown = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  add_key (fixture);
  dead = make_key_client (fixture, "/v3", "AK", "canary");
  g_assert_false (login (fixture, dead, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAUTHORIZED);
  g_assert_nonnull (strstr (error->message, "does not exchange EC2 keys"));
  g_assert_null (strstr (error->message, "canary"));
  g_assert_nonnull (strstr (welkin_error_get_hint (error), "application credential"));

  fake_cloud_set (fixture->fake, "keystone-has-ec2", TRUE);
  unknown = make_key_client (fixture, "/v3", "none", "canary");
  assert_fails (fixture, unknown, WELKIN_ERROR_NOT_FOUND, "does not know the access key");
}

static void
test_key_pair_fails_where_clocks_differ (ProviderFixture *fixture,
                                         gconstpointer    data)
{
  g_autoptr(OsClient) ahead = NULL;
  g_autoptr(OsClient) behind = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  add_key (fixture);
  fake_cloud_set (fixture->fake, "keystone-has-ec2", TRUE);
  fake_cloud_set (fixture->fake, "clock-skew", 20 * 60 + 30);
  behind = make_key_client (fixture, "/v3", "AK", "canary");
  assert_fails (fixture, behind, WELKIN_ERROR_UNAUTHORIZED, "20 minutes apart");
  /* A signature of the future is good. */
  fake_cloud_set (fixture->fake, "clock-skew", -20 * 60);
  ahead = make_key_client (fixture, "/v3", "AK", "canary");
  assert_works (fixture, ahead);
}

/* Before there was an identity service */

static void
test_legacy_login_speaks_in_headers (ProviderFixture *fixture,
                                     gconstpointer    data)
{
  g_autofree char *url = NULL;
  g_autoptr(OsClient) client = NULL;
  g_autoptr(OsClient) wrong = NULL;
  g_autofree char *project = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_set (fixture->fake, "keystone-has-v1", TRUE);
  url = make_url (fixture, "/v1.0/");
  client = provider_fixture_make_client (fixture, "auth-url", url, "username", "demo", "password",
                                         "secret", NULL);
  assert_works (fixture, client);
  project = g_strdup (fake_cloud_find (fixture->fake, "project", "demo"));
  g_assert_cmpstr (os_client_get_project_id (client), ==, project);
  g_assert_true (g_str_has_suffix (os_client_get_endpoint (client, OS_SERVICE_OBJECT_STORE),
                                   project));
  g_assert_null (os_client_get_endpoint (client, OS_SERVICE_NETWORK));

  wrong = provider_fixture_make_client (fixture, "auth-url", url, "username", "demo", "password",
                                        "canary", "region", "anywhere", NULL);
  assert_fails (fixture, wrong, WELKIN_ERROR_UNAUTHORIZED, "HTTP 401");
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

  add ("/login/application-credential/by-id", test_application_credential_by_id);
  add ("/login/application-credential/by-name", test_application_credential_by_name);
  add ("/login/application-credential/wrong-says-so", test_wrong_application_credential_says_so);
  add ("/login/application-credential/of-another-project",
       test_application_credential_of_another_project_is_an_error);
  add ("/login/token/used-as-it-is", test_token_is_used_as_it_is);
  add ("/login/token/exchanged-for-another-project", test_token_is_exchanged_for_another_project);
  add ("/login/token/revoked-is-told", test_revoked_token_is_told);
  add ("/login/token/ends-at-its-end", test_token_ends_at_its_end);
  add ("/login/trust", test_trust_gives_the_project_of_another);
  add ("/login/v2/works", test_version_two_works);
  add ("/login/v2/tells-ids-from-names", test_version_two_tells_ids_from_names);
  add ("/login/v2/gone-leads-to-three", test_version_two_that_is_gone_leads_to_three);
  add ("/login/v2/domain-and-version-lead-away", test_domain_and_version_lead_away_from_two);
  add ("/login/v2/may-be-wanted", test_version_two_may_be_wanted);
  add ("/login/v2/alone", test_cloud_without_version_three_works);
  add ("/login/key-pair/v2", test_key_pair_of_version_two);
  add ("/login/key-pair/signs-for-v3", test_key_pair_signs_for_version_three);
  add ("/login/key-pair/refused-recommends-better",
       test_key_pair_that_is_refused_recommends_better);
  add ("/login/key-pair/clocks-differ", test_key_pair_fails_where_clocks_differ);
  add ("/defects/32/legacy", test_legacy_login_speaks_in_headers);

  return provider_fixture_run ();
}
