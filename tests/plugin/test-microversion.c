/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "provider-fixture.h"

#include "values/welkin-error.h"

#define DOCUMENT "/compute/v2.1/"
#define SERVERS "/compute/v2.1/servers"

static gboolean
has_version (ProviderFixture *fixture,
             OsClient        *client,
             const char      *version)
{
  os_client_has_microversion_async (client, version, NULL, provider_fixture_done_cb, fixture);
  return os_client_has_microversion_finish (client, provider_fixture_wait (fixture));
}

/* Lists servers in a microversion; whether compute did as it was asked. */
static gboolean
is_honoured (ProviderFixture *fixture,
             OsClient        *client,
             const char      *version)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_COMPUTE, "GET", "servers", NULL);
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(GError) error = NULL;

  os_request_set_microversion (request, version);
  os_client_send_async (client, client, request, NULL, provider_fixture_done_cb, fixture);
  response = os_client_send_finish (client, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
  return os_request_is_honoured (request);
}

static void
assert_asked_for (ProviderFixture *fixture,
                  const char      *version)
{
  const FakeLogEntry *entry = fake_log_find (fixture->fake, "GET", SERVERS);
  g_autofree char *with_service =
    version != NULL ? g_strconcat ("compute ", version, NULL) : NULL;

  g_assert_cmpstr (fake_log_entry_get_header (entry, "OpenStack-API-Version"), ==, with_service);
  g_assert_cmpstr (fake_log_entry_get_header (entry, "X-OpenStack-Nova-API-Version"), ==, version);
}

static void
test_versions_are_looked_up_once (ProviderFixture *fixture,
                                  gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);

  g_assert_true (has_version (fixture, client, "2.1"));
  g_assert_true (has_version (fixture, client, "2.67"));
  if (provider_fixture_needs_fake (fixture))
    return;
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", DOCUMENT), ==, 1);
}

static void
test_later_versions_than_known_are_never_taken (ProviderFixture *fixture,
                                                gconstpointer    data)
{
  static const char *const versions[] = { "2.68", "2.93", "2.94", "3.1", "latest", "2.", "", "x" };
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (versions); i++)
    g_assert_false (has_version (fixture, client, versions[i]));
}

static void
test_both_headers_are_sent (ProviderFixture *fixture,
                            gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);

  g_assert_true (has_version (fixture, client, "2.26"));
  g_assert_true (is_honoured (fixture, client, "2.26"));
  if (fixture->fake != NULL)
    assert_asked_for (fixture, "2.26");
  g_assert_false (is_honoured (fixture, client, NULL));
  if (fixture->fake != NULL)
    assert_asked_for (fixture, NULL);
}

static void
test_old_compute_has_few_or_none (ProviderFixture *fixture,
                                  gconstpointer    data)
{
  g_autoptr(OsClient) early = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsClient) earliest = provider_fixture_make_client (fixture, NULL);

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_set (fixture->fake, "nova-max-microversion", 38);
  g_assert_true (has_version (fixture, early, "2.38"));
  g_assert_false (has_version (fixture, early, "2.52"));
  fake_cloud_set (fixture->fake, "nova-max-microversion", 0);
  g_assert_false (has_version (fixture, earliest, "2.1"));
  /* Asked all the same, it ignores the headers; and is not believed to have heeded them. */
  g_assert_false (is_honoured (fixture, earliest, "2.26"));
}

static void
test_attribute_bounds_them (ProviderFixture *fixture,
                            gconstpointer    data)
{
  static const struct { const char *bound; gboolean has_26; gboolean has_67; } cases[] = {
    { "2.25", FALSE, FALSE }, { "2.26", TRUE, FALSE }, { "2.90", TRUE, TRUE },
    { "2.1", FALSE, FALSE },  { "2", TRUE, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(OsClient) client =
        provider_fixture_make_client (fixture, "compute-api-version", cases[i].bound, NULL);

      g_assert_cmpint (has_version (fixture, client, "2.26"), ==, cases[i].has_26);
      g_assert_cmpint (has_version (fixture, client, "2.67"), ==, cases[i].has_67);
    }
}

static void
test_refused_version_is_done_without (ProviderFixture *fixture,
                                      gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);

  if (provider_fixture_needs_fake (fixture))
    return;
  g_assert_true (has_version (fixture, client, "2.67"));
  /* Behind a balancer there may be an older one as well. */
  fake_cloud_set (fixture->fake, "nova-max-microversion", 60);
  g_assert_false (is_honoured (fixture, client, "2.67"));
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", SERVERS), ==, 2);
  assert_asked_for (fixture, NULL);

  g_assert_false (has_version (fixture, client, "2.26"));
  g_assert_false (is_honoured (fixture, client, "2.26"));
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", SERVERS), ==, 3);
}

static void
test_refusal_of_what_was_not_asked_for_is_an_error (ProviderFixture *fixture,
                                                    gconstpointer    data)
{
  static const FakeRule rule = {
    .method = "GET", .path = SERVERS, .times = -1, .action = FAKE_FAIL, .status = 406,
    .body = "{\"computeFault\": {\"code\": 406, \"message\": \"M\"}}",
  };
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_COMPUTE, "GET", "servers", NULL);
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_add_rule (fixture->fake, &rule);
  os_request_set_microversion (request, "2.26");
  os_client_send_async (client, client, request, NULL, provider_fixture_done_cb, fixture);
  response = os_client_send_finish (client, provider_fixture_wait (fixture), &error);
  g_assert_null (response);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED);
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", SERVERS), ==, 2);
}

/* As portals answer that stand in front of a cloud. */
static void
test_useless_document_means_none (ProviderFixture *fixture,
                                  gconstpointer    data)
{
  static const FakeRule rules[] = {
    { .path = DOCUMENT, .action = FAKE_FAIL, .status = 200, .content_type = "text/html",
      .body = "<html><body>Welcome to the portal</body></html>" },
    { .path = DOCUMENT, .action = FAKE_FAIL, .status = 404 },
    { .path = DOCUMENT, .action = FAKE_FAIL, .status = 200, .body = "{\"version\": 7}" },
    { .path = DOCUMENT, .action = FAKE_FAIL, .status = 300,
      .body = "{\"choices\": [{\"id\": \"v2.1\", \"status\": \"CURRENT\"}]}" },
  };

  if (provider_fixture_needs_fake (fixture))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);

      fake_cloud_add_rule (fixture->fake, &rules[i]);
      g_assert_false (has_version (fixture, client, "2.1"));
      g_assert_false (is_honoured (fixture, client, NULL));
    }
}

static void
test_lookup_that_fails_is_tried_anew (ProviderFixture *fixture,
                                      gconstpointer    data)
{
  static const FakeRule rule = {
    .path = DOCUMENT, .times = 5, .action = FAKE_DROP_BEFORE,
  };
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_add_rule (fixture->fake, &rule);
  g_assert_false (has_version (fixture, client, "2.26"));
  fake_cloud_clear_rules (fixture->fake);
  g_assert_true (has_version (fixture, client, "2.26"));
}

static void
test_version_two_has_a_sibling_with_them (ProviderFixture *fixture,
                                          gconstpointer    data)
{
  g_autoptr(OsClient) client = NULL;
  const FakeLogEntry *entry;

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_add (fixture->fake, "endpoint",
                  "{'type': 'compute', 'name': 'nova', 'region': 'RegionTwo',"
                  " 'url': '$(cloud)/compute/v2/$(project_id)'}");
  client = provider_fixture_make_client (fixture, "region", "RegionTwo", NULL);
  g_assert_true (has_version (fixture, client, "2.26"));
  g_assert_true (is_honoured (fixture, client, "2.26"));
  entry = fake_log_find (fixture->fake, "GET", "/compute/*/servers");
  g_assert_true (g_str_has_prefix (entry->path, "/compute/v2.1/"));
  g_assert_false (is_honoured (fixture, client, NULL));
  entry = fake_log_find (fixture->fake, "GET", "/compute/*/servers");
  g_assert_true (g_str_has_prefix (entry->path, "/compute/v2/"));
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

  add ("/microversion/looked-up-once", test_versions_are_looked_up_once);
  add ("/microversion/later-than-known-never-taken",
       test_later_versions_than_known_are_never_taken);
  add ("/microversion/both-headers-are-sent", test_both_headers_are_sent);
  add ("/microversion/old-compute-has-few-or-none", test_old_compute_has_few_or_none);
  add ("/microversion/attribute-bounds-them", test_attribute_bounds_them);
  add ("/microversion/refused-is-done-without", test_refused_version_is_done_without);
  add ("/microversion/refused-without-asking-is-an-error",
       test_refusal_of_what_was_not_asked_for_is_an_error);
  add ("/microversion/useless-document-means-none", test_useless_document_means_none);
  add ("/microversion/failed-lookup-is-tried-anew", test_lookup_that_fails_is_tried_anew);
  add ("/microversion/version-two-has-a-sibling", test_version_two_has_a_sibling_with_them);

  return provider_fixture_run ();
}
