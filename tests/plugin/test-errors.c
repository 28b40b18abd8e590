/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "provider-fixture.h"

#include "services/os-compute.h"
#include "values/welkin-error.h"

#define REQUEST_ID "req-00000000-1111-2222-3333-444444444444"

/* What a service answers to a question about a server, and what becomes of it. */
typedef struct
{
  guint       status;
  const char *content_type; /* NULL: JSON */
  const char *body;
  WelkinError code;
  const char *message;      /* NULL: only the code counts */
} Case;

static const Case cases[] = {
  /* nova */
  { 404, NULL,
    "{\"itemNotFound\": {\"code\": 404, \"message\": \"Instance x could not be found.\"}}",
    WELKIN_ERROR_NOT_FOUND, "Instance x could not be found. (HTTP 404, request " REQUEST_ID ")" },
  { 404, NULL,
    "{\"message\": \"The resource could not be found.<br /><br />\\n\\n\\n\", "
    "\"code\": \"404 Not Found\", \"title\": \"Not Found\"}",
    WELKIN_ERROR_NOT_FOUND,
    "The resource could not be found. (HTTP 404, request " REQUEST_ID ")" },
  { 400, NULL,
    "{\"badRequest\": {\"code\": 400, \"message\": \"Invalid input for field/attribute user_data. "
    "Value: c2VjcmV0. 'c2VjcmV0' is too long\"}}",
    WELKIN_ERROR_INVALID_ARGUMENT,
    "Invalid input for field/attribute user_data. (HTTP 400, request " REQUEST_ID ")" },
  { 403, NULL,
    "{\"forbidden\": {\"code\": 403, \"message\": \"Quota exceeded for cores: Requested 1\"}}",
    WELKIN_ERROR_QUOTA_EXCEEDED, NULL },
  { 403, NULL,
    "{\"forbidden\": {\"code\": 403, \"message\": \"Maximum number of metadata items exceeds\"}}",
    WELKIN_ERROR_QUOTA_EXCEEDED, NULL },
  { 403, NULL,
    "{\"forbidden\": {\"code\": 403, \"message\": \"The number of defined ports: 2 is over the "
    "limit: 0\"}}",
    WELKIN_ERROR_QUOTA_EXCEEDED, NULL },
  { 403, NULL, "{\"forbidden\": {\"code\": 403, \"message\": \"Policy doesn't allow it\"}}",
    WELKIN_ERROR_FORBIDDEN, NULL },
  { 413, NULL, "{\"overLimit\": {\"code\": 413, \"message\": \"M\", \"retryAfter\": \"0\"}}",
    WELKIN_ERROR_QUOTA_EXCEEDED, NULL },
  { 409, NULL, "{\"conflictingRequest\": {\"code\": 409, \"message\": \"Instance is locked\"}}",
    WELKIN_ERROR_CONFLICT, NULL },
  { 400, NULL,
    "{\"badRequest\": {\"code\": 400, \"message\": \"The requested availability zone is not "
    "available\"}}",
    WELKIN_ERROR_NO_VALID_HOST, NULL },
  { 500, NULL, "{\"computeFault\": {\"code\": 500, \"message\": \"No valid host was found. \"}}",
    WELKIN_ERROR_NO_VALID_HOST, NULL },
  { 500, NULL,
    "{\"computeFault\": {\"message\": \"Exceeded maximum number of retries. Exceeded max "
    "scheduling attempts 3\"}}",
    WELKIN_ERROR_NO_VALID_HOST, NULL },
  { 500, NULL,
    "{\"computeFault\": {\"message\": \"Exceeded maximum number of retries. Last exception: Zero "
    "fixed IPs\"}}",
    WELKIN_ERROR_NO_ADDRESSES, NULL },
  { 500, NULL,
    "{\"computeFault\": {\"message\": \"Exceeded max scheduling attempts. Last exception: odd\"}}",
    WELKIN_ERROR_UNAVAILABLE, NULL },
  { 404, NULL, "{\"itemNotFound\": {\"message\": \"No more floating IPs available.\"}}",
    WELKIN_ERROR_NO_ADDRESSES, NULL },
  { 400, NULL, "{\"badRequest\": {\"message\": \"This rule already exists in group g\"}}",
    WELKIN_ERROR_ALREADY_EXISTS, NULL },
  { 400, NULL, "{\"badRequest\": {\"message\": \"Security group is still in use\"}}",
    WELKIN_ERROR_IN_USE, NULL },
  { 409, NULL, "{\"conflictingRequest\": {\"message\": \"Port p is still in use.\"}}",
    WELKIN_ERROR_IN_USE, NULL },
  { 400, NULL, "{\"badMediaType\": {\"message\": \"M\"}}", WELKIN_ERROR_INVALID_ARGUMENT, NULL },
  { 410, NULL, "{\"itemNotFound\": {\"message\": \"M\"}}", WELKIN_ERROR_NOT_FOUND, NULL },
  { 406, NULL, "{\"computeFault\": {\"message\": \"M\"}}", WELKIN_ERROR_NOT_SUPPORTED, NULL },
  { 501, NULL, "{\"notImplemented\": {\"message\": \"M\"}}", WELKIN_ERROR_NOT_SUPPORTED, NULL },
  { 418, NULL, "{\"message\": \"M\"}", WELKIN_ERROR_FAILED, NULL },
  { 503, NULL, "{\"serviceUnavailable\": {\"message\": \"M\"}}", WELKIN_ERROR_UNAVAILABLE, NULL },
  { 405, NULL, "{\"message\": \"The method is not allowed\"}", WELKIN_ERROR_NOT_SUPPORTED, NULL },
  /* neutron */
  { 409, NULL,
    "{\"NeutronError\": {\"type\": \"OverQuota\", \"message\": \"M\", \"detail\": \"\"}}",
    WELKIN_ERROR_QUOTA_EXCEEDED, "M (HTTP 409, request " REQUEST_ID ")" },
  { 409, NULL,
    "{\"NeutronError\": {\"type\": \"IpAddressGenerationFailure\", \"message\": \"M\"}}",
    WELKIN_ERROR_NO_ADDRESSES, NULL },
  { 409, NULL, "{\"NeutronError\": {\"type\": \"SecurityGroupRuleExists\", \"message\": \"M\"}}",
    WELKIN_ERROR_ALREADY_EXISTS, NULL },
  { 503, NULL, "{\"NeutronError\": {\"type\": \"IpAddressGenerationFailure\", \"message\": \"\"}}",
    WELKIN_ERROR_NO_ADDRESSES,
    "IpAddressGenerationFailure (HTTP 503, request " REQUEST_ID ")" },
  { 503, NULL,
    "{\"NeutronError\": {\"type\": \"IpAddressGenerationFailure\", \"message\": \"M\"}}",
    WELKIN_ERROR_NO_ADDRESSES, NULL },
  { 400, NULL,
    "{\"NeutronError\": {\"type\": \"ExternalIpAddressExhausted\", \"message\": \"M\"}}",
    WELKIN_ERROR_NO_ADDRESSES, NULL },
  { 409, NULL,
    "{\"NeutronError\": {\"type\": \"SecurityGroupDefaultAlreadyExists\", \"message\": \"M\"}}",
    WELKIN_ERROR_ALREADY_EXISTS, NULL },
  { 409, NULL, "{\"NeutronError\": {\"type\": \"ServicePortInUse\", \"message\": \"M\"}}",
    WELKIN_ERROR_IN_USE, NULL },
  { 409, NULL, "{\"NeutronError\": {\"type\": \"Odd\", \"message\": \"M\"}}",
    WELKIN_ERROR_CONFLICT, NULL },
  { 409, NULL, "{\"NeutronError\": {\"type\": \"SecurityGroupInUse\", \"message\": \"M\"}}",
    WELKIN_ERROR_IN_USE, NULL },
  { 404, NULL, "{\"NeutronError\": \"plain text\"}", WELKIN_ERROR_NOT_FOUND,
    "plain text (HTTP 404, request " REQUEST_ID ")" },
  { 404, NULL, "{\"code\": 404, \"title\": \"Not Found\", \"description\": null}",
    WELKIN_ERROR_NOT_FOUND, "Not Found (HTTP 404, request " REQUEST_ID ")" },
  /* keystone, placement, lists */
  { 400, NULL, "{\"error\": {\"code\": 400, \"title\": \"Bad Request\", \"message\": \"M\"}}",
    WELKIN_ERROR_INVALID_ARGUMENT, "M (HTTP 400, request " REQUEST_ID ")" },
  { 404, NULL, "{\"errors\": [{\"status\": 404, \"title\": \"T\", \"detail\": \"D\"}]}",
    WELKIN_ERROR_NOT_FOUND, "D (HTTP 404, request " REQUEST_ID ")" },
  { 422, NULL, "{\"message\": [\"one\", \"two\"]}", WELKIN_ERROR_INVALID_ARGUMENT,
    "one; two (HTTP 422, request " REQUEST_ID ")" },
  /* swift and whatever stands in front */
  { 404, "text/html",
    "<html><h1>Not Found</h1><p>The resource could not be found.</p></html>",
    WELKIN_ERROR_NOT_FOUND,
    "Not Found The resource could not be found. (HTTP 404, request " REQUEST_ID ")" },
  { 413, "text/plain", "Upload exceeds quota.", WELKIN_ERROR_QUOTA_EXCEEDED,
    "Upload exceeds quota. (HTTP 413, request " REQUEST_ID ")" },
  { 412, "text/plain", "Bad URL", WELKIN_ERROR_NOT_FOUND, NULL },
  { 412, "text/plain", "Maximum limit is 10000", WELKIN_ERROR_INVALID_ARGUMENT, NULL },
  { 403, "text/html",
    "<html><head><title>Gate</title><style>p { color: red }</style></head><body>\n"
    "<script>alert ('no')</script><h1>Access &amp; denied</h1></body></html>",
    WELKIN_ERROR_FORBIDDEN, "Access & denied (HTTP 403, request " REQUEST_ID ")" },
  { 404, "text/html",
    "<html>\n <head>\n  <title>404 Not Found</title>\n </head>\n <body>\n  <h1>404 Not Found"
    "</h1>\n  No image found with ID i1<br /><br />\n\n\n\n </body>\n</html>",
    WELKIN_ERROR_NOT_FOUND,
    "404 Not Found No image found with ID i1 (HTTP 404, request " REQUEST_ID ")" },
  { 503, "text/html", "<html><head><title>503 No server is here</title></head></html>",
    WELKIN_ERROR_UNAVAILABLE, "503 No server is here (HTTP 503, request " REQUEST_ID ")" },
  { 404, "application/xml",
    "<?xml version='1.0' encoding='UTF-8'?>\n<Error><Code>NoSuchKey</Code><Message>The specified "
    "key does not exist.</Message><RequestId>tx1</RequestId></Error>",
    WELKIN_ERROR_NOT_FOUND,
    "The specified key does not exist. (HTTP 404, request " REQUEST_ID ")" },
  { 412, "text/plain", "Invalid UTF8 or contains NULL", WELKIN_ERROR_NOT_FOUND, NULL },
  { 412, NULL, "{\"message\": \"changed\"}", WELKIN_ERROR_CONFLICT, NULL },
  /* labels that are wrong, and shapes that are half right */
  { 404, "application/json", "<html><h1>Denied</h1></html>", WELKIN_ERROR_NOT_FOUND,
    "Denied (HTTP 404, request " REQUEST_ID ")" },
  { 404, "Application/JSON; charset=UTF-8", " {\"message\": \"M\"}", WELKIN_ERROR_NOT_FOUND,
    "M (HTTP 404, request " REQUEST_ID ")" },
  { 404, "text/plain", "\xEF\xBB\xBF{\"forbidden\": {\"message\": \"M\"}}",
    WELKIN_ERROR_NOT_FOUND, "M (HTTP 404, request " REQUEST_ID ")" },
  { 404, NULL, "{\"a\": 1, \"b\": [], \"forbidden\": {\"code\": 403, \"message\": \"M\"}}",
    WELKIN_ERROR_NOT_FOUND, "M (HTTP 404, request " REQUEST_ID ")" },
  { 404, NULL, "{\"QuantumError\": \"old text\"}", WELKIN_ERROR_NOT_FOUND,
    "old text (HTTP 404, request " REQUEST_ID ")" },
  { 404, NULL, "{\"message\": \"a\\u0000b\\u0007\\n  c\"}", WELKIN_ERROR_NOT_FOUND, NULL },
  /* nothing that says anything */
  { 404, "application/json", "{\"choices\": [", WELKIN_ERROR_NOT_FOUND, NULL },
  { 404, NULL, "{\"itemNotFound\": null, \"message\": {}}", WELKIN_ERROR_NOT_FOUND, NULL },
  { 300, NULL, "{\"choices\": []}", WELKIN_ERROR_PROTOCOL, NULL },
};

static OsServer *
get_server (ProviderFixture  *fixture,
            OsCompute        *compute,
            GError          **error)
{
  os_compute_get_server_async (compute, "s1", NULL, provider_fixture_done_cb, fixture);
  return os_compute_get_server_finish (compute, provider_fixture_wait (fixture), error);
}

static void
test_bodies_of_all_shapes (ProviderFixture *fixture,
                           gconstpointer    data)
{
  static const char *const headers[] = { "x-openstack-request-id: " REQUEST_ID, NULL };
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsCompute) compute = os_compute_new (client);

  if (provider_fixture_needs_fake (fixture))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      FakeRule rule = {
        .method = "GET", .path = "*/servers/s1", .times = -1, .action = FAKE_FAIL,
        .status = cases[i].status, .body = cases[i].body, .content_type = cases[i].content_type,
        .headers = headers,
      };
      g_autoptr(GError) error = NULL;
      g_autoptr(OsServer) server = NULL;

      g_test_message ("%u %s", cases[i].status, cases[i].body);
      fake_cloud_clear_rules (fixture->fake);
      fake_cloud_add_rule (fixture->fake, &rule);
      server = get_server (fixture, compute, &error);
      g_assert_null (server);
      g_assert_error (error, WELKIN_ERROR, (int) cases[i].code);
      g_assert_cmpuint (welkin_error_get_status (error), ==, cases[i].status);
      g_assert_cmpstr (welkin_error_get_service (error), ==, "compute");
      if (cases[i].message == NULL)
        continue;
      if (strstr (cases[i].body, "<html>") == NULL)
        {
          g_assert_cmpstr (error->message, ==, cases[i].message);
          continue;
        }
      /* It may be another server than was meant. */
      g_assert_true (g_str_has_prefix (error->message, "GET http://"));
      g_assert_nonnull (strstr (error->message, "/servers/s1: "));
      g_assert_true (g_str_has_suffix (error->message, cases[i].message));
    }
}

static void
test_long_texts_are_cut (ProviderFixture *fixture,
                         gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsCompute) compute = os_compute_new (client);
  g_autofree char *text = g_strnfill (100000, 'x');
  g_autoptr(OsServer) server = NULL;
  g_autoptr(GError) error = NULL;
  FakeRule rule = {
    .method = "GET", .path = "*/servers/s1", .action = FAKE_FAIL, .status = 404, .body = text,
  };

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_add_rule (fixture->fake, &rule);
  server = get_server (fixture, compute, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  g_assert_cmpuint (strlen (error->message), <, 600);
}

static GError *
post_user_data (ProviderFixture *fixture,
                OsClient        *client,
                const char      *user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_COMPUTE, "POST", "servers", NULL);
  JsonObject *server = json_object_new ();
  GError *error = NULL;

  json_object_set_string_member (server, "user_data", user_data);
  os_request_set_json_object (request, "server", server);
  os_client_send_async (client, client, request, NULL, provider_fixture_done_cb, fixture);
  g_assert_null (os_client_send_finish (client, provider_fixture_wait (fixture), &error));
  return error;
}

/* As nova does with user data that it does not like; the value may be longer than what is shown. */
static void
test_what_was_sent_is_not_repeated (ProviderFixture *fixture,
                                    gconstpointer    data)
{
  static const gsize lengths[] = { 8, 400, 600, 20000 };
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);

  if (provider_fixture_needs_fake (fixture))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      g_autofree char *secret = g_strnfill (lengths[i], 's');
      g_autofree char *body = g_strdup_printf (
          "{\"badRequest\": {\"message\": \"'%s' is too long; user_data: %s.\"}}", secret, secret);
      FakeRule rule = {
        .method = "POST", .path = "*/servers", .action = FAKE_FAIL, .status = 400, .body = body,
      };
      g_autoptr(GError) error = NULL;

      fake_cloud_add_rule (fixture->fake, &rule);
      error = post_user_data (fixture, client, secret);
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
      g_assert_true (g_str_has_prefix (error->message, "'***' is too long; user_data: ***. (HTTP"));
    }
}

static void
test_success_that_makes_no_sense (ProviderFixture *fixture,
                                  gconstpointer    data)
{
  static const char *const bodies[] = {
    "[]", "{}", "{\"server\": []}", "{\"server\": {\"name\": \"no id\"}}", "{\"server\": {",
    "<html></html>",
  };
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsCompute) compute = os_compute_new (client);

  if (provider_fixture_needs_fake (fixture))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (bodies); i++)
    {
      FakeRule rule = {
        .method = "GET", .path = "*/servers/s1", .action = FAKE_FAIL, .status = 200,
        .body = bodies[i],
      };
      g_autoptr(GError) error = NULL;
      g_autoptr(OsServer) server = NULL;

      g_test_message ("%s", bodies[i]);
      fake_cloud_add_rule (fixture->fake, &rule);
      server = get_server (fixture, compute, &error);
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
      g_assert_nonnull (strstr (error->message, "/servers/s1: "));
    }
}

static void
test_page_is_told_as_one (ProviderFixture *fixture,
                          gconstpointer    data)
{
  static const FakeRule rule = {
    .method = "GET", .path = "/compute/*", .times = -1, .action = FAKE_FAIL, .status = 200,
    .body = "<!DOCTYPE html><html></html>", .content_type = "text/html; charset=utf-8",
  };
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsCompute) compute = os_compute_new (client);
  g_autoptr(GError) of_one = NULL;
  g_autoptr(GError) of_all = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_add_rule (fixture->fake, &rule);
  g_assert_null (get_server (fixture, compute, &of_one));
  g_assert_error (of_one, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  g_assert_nonnull (strstr (of_one->message, "/servers/s1: the answer is a web page (text/html"));
  os_compute_list_servers_async (compute, NULL, NULL, NULL, NULL, provider_fixture_done_cb,
                                 fixture);
  g_assert_null (os_compute_list_servers_finish (compute, provider_fixture_wait (fixture),
                                                 &of_all));
  g_assert_error (of_all, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  g_assert_nonnull (strstr (of_all->message, "/servers/detail: the answer is a web page"));
}

static void
test_real_service_says_its_request_id (ProviderFixture *fixture,
                                       gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsCompute) compute = os_compute_new (client);
  g_autoptr(GError) error = NULL;
  g_autoptr(OsServer) server = get_server (fixture, compute, &error);

  g_assert_null (server);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  g_assert_cmpstr (welkin_error_get_service (error), ==, "compute");
  g_assert_nonnull (welkin_error_get_request_id (error));
  g_assert_nonnull (strstr (error->message, welkin_error_get_request_id (error)));
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

  add ("/defects/31/bodies-of-all-shapes", test_bodies_of_all_shapes);
  add ("/errors/long-texts-are-cut", test_long_texts_are_cut);
  add ("/errors/what-was-sent-is-not-repeated", test_what_was_sent_is_not_repeated);
  add ("/errors/success-that-makes-no-sense", test_success_that_makes_no_sense);
  add ("/errors/page-is-told-as-one", test_page_is_told_as_one);
  add ("/errors/service-says-its-request-id", test_real_service_says_its_request_id);

  return provider_fixture_run ();
}
