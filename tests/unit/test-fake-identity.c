/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* The fake's identity service, and the tokens that all services check. */

#include "fake-client.h"

#define TOKENS "/identity/v3/auth/tokens"
#define PASSWORD                                                                                  \
  "'methods': ['password'], 'password': {'user': {'name': 'demo',"                                \
  " 'domain': {'id': 'default'}, 'password': 'secret'}}"

static void
test_root_offers_choices (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *location = g_strconcat (fake_cloud_get_auth_url (client->cloud), "/", NULL);

  fake_client_send (client, "GET", "/identity/", NULL, NULL);
  fake_client_assert_status (client, 300);
  g_assert_cmpstr (fake_client_get_header (client, "Location"), ==, location);
  g_assert_cmpstr (fake_client_get (client, "versions.values.0.id"), ==, "v3.14");
  fake_client_send (client, "GET", "/identity/v3", NULL, NULL);
  fake_client_assert_status (client, 200);
  g_assert_cmpstr (fake_client_get (client, "version.status"), ==, "stable");
  fake_client_send (client, "POST", "/identity/v2.0/tokens", "{}", NULL);
  fake_client_assert_status (client, 404);
}

static void
test_login_gives_a_catalog (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();

  fake_client_log_in (client, "demo", "secret", "demo");
  g_assert_cmpint (fake_client_count (client, "token.catalog"), ==, 7);
  g_assert_cmpint (fake_client_count (client, "token.catalog.0.endpoints"), ==, 3);
  g_assert_cmpstr (fake_client_get (client, "token.catalog.1.type"), ==, "compute");
  g_assert_true (
    g_str_has_suffix (fake_client_get (client, "token.catalog.1.endpoints.0.url"), "/v2.1"));
  g_assert_true (g_str_has_suffix (fake_client_get (client, "token.catalog.4.endpoints.0.url"),
                                   client->project_id));
  fake_client_send (client, "POST", TOKENS "?nocatalog",
                    "{'auth': {'identity': {" PASSWORD "}}}", NULL);
  fake_client_assert_status (client, 201);
  g_assert_null (fake_client_get (client, "token.catalog"));
  g_assert_cmpstr (fake_client_get (client, "token.project.name"), ==, "demo");
  fake_client_send (client, "GET", "/identity/v3/auth/catalog", NULL, NULL);
  g_assert_cmpint (fake_client_count (client, "catalog"), ==, 7);
}

static void
test_wrong_logins_look_all_the_same (void)
{
  static const char *const bodies[] = {
    "{'auth': {'identity': {'methods': ['password'], 'password': {'user': {'name': 'demo',"
    " 'domain': {'id': 'default'}, 'password': 'wrong'}}}}}",
    "{'auth': {'identity': {" PASSWORD "}, 'scope': {'project': {'name': 'none',"
    " 'domain': {'id': 'default'}}}}}",
    "{'auth': {'identity': {" PASSWORD "}, 'scope': {'project': {'name': 'other',"
    " 'domain': {'id': 'default'}}}}}",
  };
  g_autoptr (FakeClient) client = fake_client_new ();

  for (guint i = 0; i < G_N_ELEMENTS (bodies); i++)
    {
      fake_client_send (client, "POST", TOKENS, bodies[i], NULL);
      fake_client_assert_status (client, 401);
      g_assert_cmpstr (fake_client_get (client, "error.message"), ==,
                       "The request you have made requires authentication.");
    }
  fake_client_send (client, "POST", TOKENS,
                    "{'auth': {'identity': {'methods': ['password'], 'password': {'user':"
                    " {'name': 'demo', 'password': 'secret'}}}}}",
                    NULL);
  fake_client_assert_status (client, 400);
}

static void
test_unscoped_token_has_no_project (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();

  fake_client_send (client, "POST", TOKENS,
                    "{'auth': {'identity': {" PASSWORD "}, 'scope': 'unscoped'}}", NULL);
  fake_client_assert_status (client, 201);
  g_assert_null (fake_client_get (client, "token.project"));
  g_assert_null (fake_client_get (client, "token.roles"));
  g_free (client->token);
  client->token = g_strdup (fake_client_get_header (client, "X-Subject-Token"));
  fake_client_send (client, "GET", "/identity/v3/auth/catalog", NULL, NULL);
  fake_client_assert_status (client, 403);
  fake_client_send (client, "GET", "/compute/v2.1/servers", NULL, NULL);
  fake_client_assert_status (client, 200);
  g_assert_cmpint (fake_client_count (client, "servers"), ==, 0);
}

static void
test_application_credential_takes_no_scope (void)
{
#define CREDENTIAL                                                                                \
  "'methods': ['application_credential'], 'application_credential': {'name': 'ac',"               \
  " 'user': {'name': 'demo', 'domain': {'id': 'default'}}, 'secret': 's'}"
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *body = NULL;

  fake_cloud_add (client->cloud, "credential",
                  "{'name': 'ac', 'secret': 's', 'user': 'demo', 'project': 'demo'}");
  fake_client_send (client, "POST", TOKENS,
                    "{'auth': {'identity': {" CREDENTIAL "}, 'scope': {'project': {'name': 'demo',"
                    " 'domain': {'id': 'default'}}}}}",
                    NULL);
  fake_client_assert_status (client, 401);
  g_assert_nonnull (strstr (client->text, "cannot request a scope"));
  fake_client_send (client, "POST", TOKENS, "{'auth': {'identity': {" CREDENTIAL "}}}", NULL);
  fake_client_assert_status (client, 201);
  g_assert_cmpstr (fake_client_get (client, "token.application_credential.name"), ==, "ac");

  body = fake_client_format ("{'auth': {'identity': {'methods': ['token'],"
                             " 'token': {'id': '%s'}}}}",
                             fake_client_get_header (client, "X-Subject-Token"));
  fake_client_send (client, "POST", TOKENS, body, NULL);
  fake_client_assert_status (client, 403);
}

static void
test_token_for_token_lives_no_longer (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *expires = NULL;
  g_autofree char *body = NULL;

  fake_client_log_in (client, "demo", "secret", "demo");
  expires = g_strdup (fake_client_get (client, "token.expires_at"));
  fake_cloud_set (client->cloud, "token-life", 7200);
  body = fake_client_format ("{'auth': {'identity': {'methods': ['token'],"
                             " 'token': {'id': '%s'}}}}",
                             client->token);
  fake_client_send (client, "POST", TOKENS, body, NULL);
  fake_client_assert_status (client, 201);
  g_assert_cmpstr (fake_client_get (client, "token.expires_at"), ==, expires);
}

static void
test_expired_token_is_refused_by_all (void)
{
  static const char *const paths[] = {
    "/compute/v2.1/servers", "/network/v2.0/networks", "/image/v2/images",
  };
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *store = fake_client_format ("/object-store/v1/AUTH_%s", client->project_id);

  fake_cloud_expire_tokens (client->cloud);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      fake_client_send (client, "GET", paths[i], NULL, NULL);
      fake_client_assert_status (client, 401);
    }
  g_assert_cmpstr (fake_client_get (client, "code"), ==, "401 Unauthorized");
  fake_client_send (client, "GET", store, NULL, NULL);
  fake_client_assert_status (client, 401);

  fake_cloud_set (client->cloud, "token-life", 0);
  fake_client_log_in (client, "demo", "secret", "demo");
  fake_client_send (client, "GET", paths[0], NULL, NULL);
  fake_client_assert_status (client, 401);
  g_assert_cmpstr (fake_client_get (client, "error.title"), ==, "Unauthorized");
}

static void
test_token_can_be_revoked (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *subject = g_strconcat ("X-Subject-Token: ", client->token, NULL);

  fake_client_send (client, "GET", TOKENS, NULL, subject, NULL);
  fake_client_assert_status (client, 200);
  fake_client_send (client, "DELETE", TOKENS, NULL, subject, NULL);
  fake_client_assert_status (client, 204);
  fake_client_send (client, "GET", "/compute/v2.1/servers", NULL, NULL);
  fake_client_assert_status (client, 401);
}

static void
test_names_belong_to_a_domain (void)
{
#define IN_DOMAIN(domain)                                                                         \
  "{'auth': {'identity': {" PASSWORD "}, 'scope': {'project': {'name': 'far', 'domain': {'name': " \
  "'" domain "'}}}}}"
  g_autoptr (FakeClient) client = fake_client_new ();

  fake_cloud_add (client->cloud, "domain", "{'name': 'Other'}");
  fake_cloud_add (client->cloud, "project", "{'name': 'far', 'domain': 'Other'}");
  fake_cloud_remove (client->cloud, "user", "demo");
  fake_cloud_add (client->cloud, "user",
                  "{'name': 'demo', 'password': 'secret', 'roles': {'far': ['member']}}");
  fake_client_send (client, "POST", TOKENS, IN_DOMAIN ("default"), NULL);
  fake_client_assert_status (client, 401);
  fake_client_send (client, "POST", TOKENS, IN_DOMAIN ("other"), NULL);
  fake_client_assert_status (client, 201);
  g_assert_cmpstr (fake_client_get (client, "token.project.domain.name"), ==, "Other");
  g_assert_cmpstr (fake_client_get (client, "token.user.domain.name"), ==, "Default");
}

static void
test_version_two_is_there_if_wanted (void)
{
#define PASSWORD_TWO "'passwordCredentials': {'username': 'demo', 'password': 'secret'}"
  g_autoptr (FakeClient) client = fake_client_new ();

  fake_cloud_set (client->cloud, "keystone-has-v2", TRUE);
  fake_client_send (client, "GET", "/identity/", NULL, NULL);
  g_assert_cmpstr (fake_client_get (client, "versions.values.1.status"), ==, "deprecated");
  fake_client_send (client, "POST", "/identity/v2.0/tokens",
                    "{'auth': {" PASSWORD_TWO ", 'tenantName': 'demo'}}", NULL);
  fake_client_assert_status (client, 200);
  g_assert_cmpstr (fake_client_get (client, "access.token.tenant.name"), ==, "demo");
  g_assert_cmpint (fake_client_count (client, "access.serviceCatalog"), ==, 7);
  g_assert_nonnull (fake_client_get (client, "access.serviceCatalog.1.endpoints.0.publicURL"));
  g_free (client->token);
  client->token = g_strdup (fake_client_get (client, "access.token.id"));
  fake_client_send (client, "GET", "/compute/v2.1/servers", NULL, NULL);
  fake_client_assert_status (client, 200);

  fake_client_send (client, "POST", "/identity/v2.0/tokens",
                    "{'auth': {" PASSWORD_TWO ", 'tenantName': 'other'}}", NULL);
  fake_client_assert_status (client, 401);
  fake_client_send (client, "POST", "/identity/v2.0/tokens", "{'auth': {" PASSWORD_TWO "}}", NULL);
  g_assert_cmpint (fake_client_count (client, "access.serviceCatalog"), ==, 0);
}

static void
test_login_before_identity_speaks_in_headers (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();

  fake_cloud_set (client->cloud, "keystone-has-v1", TRUE);
  fake_client_send (client, "GET", "/identity/v1.0", NULL, "X-Auth-User: demo",
                    "X-Auth-Key: secret", NULL);
  fake_client_assert_status (client, 204);
  g_assert_nonnull (fake_client_get_header (client, "X-Auth-Token"));
  g_assert_nonnull (fake_client_get_header (client, "X-Storage-Url"));
  fake_client_send (client, "GET", "/identity/v1.0", NULL, "X-Auth-User: demo", "X-Auth-Key: x",
                    NULL);
  fake_client_assert_status (client, 401);
}

static void
test_trust_lends_the_rights_of_another (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *body = NULL;

  body = fake_client_format ("{'auth': {'identity': {" PASSWORD "}, 'scope': {'OS-TRUST:trust':"
                             " {'id': '%s'}}}}",
                             fake_cloud_add (client->cloud, "trust",
                                             "{'trustor': 'other', 'trustee': 'demo',"
                                             " 'project': 'other'}"));
  fake_client_send (client, "POST", TOKENS, body, NULL);
  fake_client_assert_status (client, 201);
  g_assert_cmpstr (fake_client_get (client, "token.project.name"), ==, "other");
  g_assert_cmpstr (fake_client_get (client, "token.user.name"), ==, "other");
}

static void
test_clock_of_identity_may_be_wrong (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autoptr (GDateTime) date = NULL;
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();

  fake_cloud_set (client->cloud, "clock-skew", -7200);
  fake_client_log_in (client, "demo", "secret", "demo");
  date = soup_date_time_new_from_http_string (fake_client_get_header (client, "Date"));
  g_assert_cmpint (g_date_time_difference (now, date) / G_TIME_SPAN_MINUTE, >, 100);
  fake_client_send (client, "GET", "/compute/v2.1/servers", NULL, NULL);
  fake_client_assert_status (client, 200);
}

static void
test_images_are_filtered_sorted_and_paged (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *next = NULL;

  fake_client_send (client, "GET",
                    "/image/v2/images?status=active&os_distro=ubuntu&architecture=aarch64", NULL,
                    NULL);
  g_assert_cmpint (fake_client_count (client, "images"), ==, 1);
  g_assert_cmpstr (fake_client_get (client, "images.0.name"), ==, "ubuntu-22.04-arm64");
  g_assert_null (fake_client_get (client, "next"));
  fake_client_send (client, "GET", "/image/v2/images?sort=name:asc&limit=3", NULL, NULL);
  g_assert_cmpstr (fake_client_get (client, "images.0.name"), ==, "debian-12");
  next = g_strconcat ("/image", fake_client_get (client, "next"), NULL);
  fake_client_send (client, "GET", next, NULL, NULL);
  g_assert_cmpint (fake_client_count (client, "images"), ==, 1);
  g_assert_cmpstr (fake_client_get (client, "images.0.name"), ==, "ubuntu-24.04");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/fake/identity/root-offers-choices", test_root_offers_choices);
  g_test_add_func ("/fake/identity/login-gives-a-catalog", test_login_gives_a_catalog);
  g_test_add_func ("/fake/identity/wrong-logins-look-all-the-same",
                   test_wrong_logins_look_all_the_same);
  g_test_add_func ("/fake/identity/unscoped-token-has-no-project",
                   test_unscoped_token_has_no_project);
  g_test_add_func ("/fake/identity/application-credential-takes-no-scope",
                   test_application_credential_takes_no_scope);
  g_test_add_func ("/fake/identity/token-for-token-lives-no-longer",
                   test_token_for_token_lives_no_longer);
  g_test_add_func ("/fake/identity/expired-token-is-refused-by-all",
                   test_expired_token_is_refused_by_all);
  g_test_add_func ("/fake/identity/token-can-be-revoked", test_token_can_be_revoked);
  g_test_add_func ("/fake/identity/domains", test_names_belong_to_a_domain);
  g_test_add_func ("/fake/identity/version-two", test_version_two_is_there_if_wanted);
  g_test_add_func ("/fake/identity/version-one", test_login_before_identity_speaks_in_headers);
  g_test_add_func ("/fake/identity/trust", test_trust_lends_the_rights_of_another);
  g_test_add_func ("/fake/identity/clock", test_clock_of_identity_may_be_wrong);
  g_test_add_func ("/fake/image/lists-are-filtered-sorted-and-paged",
                   test_images_are_filtered_sorted_and_paged);

  return g_test_run ();
}
