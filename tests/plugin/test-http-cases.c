/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <json-glib/json-glib.h>

#include "environ-fixture.h"
#include "http-peer.h"
#include "http-proxy.h"
#include "services/os-compute.h"
#include "services/os-object-store.h"
#include "values/welkin-error.h"

/* What clouds, and what stands in front of them, did to clients in the field: HTTP. */

/* How fast time goes where a test waits for minutes. */
#define TIME_SCALE "100"

#define HTTP_OK(type, length, body) \
  "HTTP/1.1 200 OK\r\nContent-Type: " type "\r\nContent-Length: " length "\r\n\r\n" body

/* The names that the fake has for its endpoints, of those services that have one. */
static const struct
{
  const char *name;
  const char *type;
  const char *path; /* of its base */
} services[OS_N_SERVICES] = {
  [OS_SERVICE_COMPUTE] = { "nova", "compute", "/v2.1" },
  [OS_SERVICE_NETWORK] = { "neutron", "network", "" },
  [OS_SERVICE_IMAGE] = { "glance", "image", "" },
  [OS_SERVICE_OBJECT_STORE] = { "swift", "object-store", "/v1/AUTH_p1" },
  [OS_SERVICE_BLOCK_STORAGE] = { "cinder", "block-storage", "/v3" },
};

/* From now on the catalog has the service there. */
static void
move_service (ProviderFixture *fixture,
              OsServiceKind    service,
              const char      *origin)
{
  g_autofree char *json =
      g_strdup_printf ("{'type': '%s', 'name': '%s', 'url': '%s%s'}", services[service].type,
                       services[service].name, origin, services[service].path);

  fake_cloud_remove (fixture->fake, "endpoint", services[service].name);
  fake_cloud_add (fixture->fake, "endpoint", json);
}

static HttpPeer *
move_to_peer (ProviderFixture *fixture,
              OsServiceKind    service,
              HttpPeerAnswer   answer,
              gpointer         data)
{
  HttpPeer *peer = http_peer_new (answer, data, NULL);
  g_autofree char *origin = http_peer_get_uri (peer, "");

  move_service (fixture, service, origin);
  return peer;
}

static gboolean
answer_text (HttpPeer              *peer,
             const HttpPeerRequest *request,
             GOutputStream         *output,
             gpointer               data)
{
  const char *text = data;

  g_output_stream_write_all (output, text, strlen (text), NULL, NULL, NULL);
  return FALSE;
}

static const char *
get_time_scale (void)
{
  const char *scale = g_getenv ("WELKIN_TEST_TIME_SCALE");

  return scale != NULL ? scale : TIME_SCALE;
}

/* The client of demo on the fake cloud, in a hurry. */
static OsClient *
make_client (ProviderFixture *fixture)
{
  g_auto(GStrv) variables = fake_cloud_dup_environment (fixture->fake, "demo", "demo");

  variables = g_environ_setenv (variables, "WELKIN_TIME_SCALE", get_time_scale (), TRUE);
  g_clear_pointer (&fixture->surroundings, welkin_surroundings_unref);
  fixture->surroundings = welkin_surroundings_new ((const char *const *) variables, "/");
  return provider_fixture_make_client (fixture, NULL);
}

/* Sends a request, whose service has the path; NULL with an error. */
static WkHttpResponse *
send (ProviderFixture *fixture,
      OsClient        *client,
      OsServiceKind    service,
      const char      *method,
      const char      *path,
      GError         **error)
{
  g_autoptr(OsRequest) request = os_request_new (service, method, path, NULL);

  if (g_str_equal (method, "POST"))
    os_request_set_json_object (request, "thing", json_object_new ());
  os_client_send_async (client, client, request, NULL, provider_fixture_done_cb, fixture);
  return os_client_send_finish (client, provider_fixture_wait (fixture), error);
}

/* G15: rate limits */

static const struct
{
  OsServiceKind service;
  const char   *path;
  int           status;
  const char   *header;
  int           times;
  double        wait; /* at least so many seconds */
} limits[] = {
  { OS_SERVICE_COMPUTE, "servers", 413, "Retry-After: 6", 3, 18 },
  { OS_SERVICE_COMPUTE, "servers", 429, "Retry-After: 6", 3, 18 },
  { OS_SERVICE_COMPUTE, "servers", 429, NULL, 3, 0.8 * (1 + 2 + 4) },
  { OS_SERVICE_NETWORK, "ports", 413, "Retry-After: 2.5", 2, 5 },
  { OS_SERVICE_NETWORK, "ports", 429, "retry-after: 6", 3, 18 },
  { OS_SERVICE_OBJECT_STORE, "c", 498, NULL, 3, 0.8 * (1 + 2 + 4) },
  { OS_SERVICE_NETWORK, "ports", 429, "Retry-After: soon", 2, 0.8 * (1 + 2) },
  /* just before the window opens is not the time to give up */
  { OS_SERVICE_COMPUTE, "servers", 429, "Retry-After: 6", 25, 150 },
};

static void
count_hold_cb (const char    *domain,
               GLogLevelFlags level,
               const char    *message,
               gpointer       user_data)
{
  guint *n_messages = user_data;

  if (strstr (message, "holding requests back") != NULL)
    (*n_messages)++;
}

static void
test_rate_limits (EnvironFixture *fixture,
                  gconstpointer   data)
{
  ProviderFixture *provider = &fixture->provider;
  g_autoptr(OsClient) client = make_client (provider);

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    {
      const char *const headers[] = { limits[i].header, NULL };
      g_autofree char *path = g_strdup_printf ("*/%s", limits[i].path);
      const FakeRule limited = {
        .method = "POST", .path = path, .times = limits[i].times, .action = FAKE_FAIL,
        .status = limits[i].status, .headers = headers,
        .body = "{\"overLimit\": {\"code\": 413, \"message\": \"M\", \"retryAfter\": \"6\"}}",
      };
      const FakeRule made = {
        .method = "POST", .path = path, .times = -1, .action = FAKE_FAIL, .status = 202,
        .body = "{}",
      };
      WkClock *clock = os_client_get_clock (client);
      double begin = wk_clock_get_seconds (clock);
      g_autoptr(WkHttpResponse) response = NULL;
      g_autoptr(GError) error = NULL;
      guint n_messages = 0;
      guint handler = g_log_set_handler ("welkin-base", G_LOG_LEVEL_INFO, count_hold_cb,
                                         &n_messages);

      fake_cloud_clear_rules (provider->fake);
      fake_log_clear (provider->fake);
      fake_cloud_add_rule (provider->fake, &limited);
      fake_cloud_add_rule (provider->fake, &made);
      response = send (provider, client, limits[i].service, "POST", limits[i].path, &error);
      g_log_remove_handler ("welkin-base", handler);
      g_assert_no_error (error);
      g_assert_cmpfloat (wk_clock_get_seconds (clock) - begin, >=, limits[i].wait);
      g_assert_cmpuint (fake_log_count (provider->fake, "POST", path), ==, limits[i].times + 1);
      g_assert_cmpuint (n_messages, ==, 1);
    }
}

static void
test_rate_limit_is_bounded (EnvironFixture *fixture,
                            gconstpointer   data)
{
  static const char *const headers[] = { "Retry-After: 70", NULL };
  static const FakeRule rule = {
    .method = "POST", .path = "*/servers", .times = -1, .action = FAKE_FAIL, .status = 429,
    .headers = headers,
  };
  ProviderFixture *provider = &fixture->provider;
  g_autoptr(OsClient) client = make_client (provider);
  double begin = wk_clock_get_seconds (os_client_get_clock (client));
  g_autoptr(GError) error = NULL;

  fake_cloud_add_rule (provider->fake, &rule);
  g_assert_null (send (provider, client, OS_SERVICE_COMPUTE, "POST", "servers", &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_RATE_LIMITED);
  g_assert_cmpuint (welkin_error_get_status (error), ==, 429);
  g_assert_nonnull (strstr (error->message, "asks to wait 70 s"));
  /* The third wait would be too long. */
  g_assert_cmpuint (fake_log_count (provider->fake, "POST", "*/servers"), ==, 3);
  g_assert_cmpfloat (wk_clock_get_seconds (os_client_get_clock (client)) - begin, <, 180);
}

static void
test_rate_limit_wait_is_cancelled (EnvironFixture *fixture,
                                   gconstpointer   data)
{
  static const char *const headers[] = { "Retry-After: 170", NULL };
  static const FakeRule rule = {
    .method = "POST", .path = "*/servers", .times = -1, .action = FAKE_FAIL, .status = 429,
    .headers = headers,
  };
  ProviderFixture *provider = &fixture->provider;
  g_autoptr(OsClient) client = make_client (provider);
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_COMPUTE, "POST", "servers", NULL);
  g_autoptr(GError) error = NULL;
  gint64 begin;

  fake_cloud_add_rule (provider->fake, &rule);
  os_client_send_async (client, client, request, cancellable, provider_fixture_done_cb, provider);
  while (fake_log_count (provider->fake, "POST", "*/servers") == 0)
    g_main_context_iteration (NULL, TRUE);
  begin = g_get_monotonic_time ();
  g_cancellable_cancel (cancellable);
  g_assert_null (os_client_send_finish (client, provider_fixture_wait (provider), &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 5 * G_USEC_PER_SEC);
}

/* G16: a balancer answers */

#define BALANCER "HTTP/1.0 503 Service Unavailable\r\nContent-Type: text/html\r\n" \
                 "Connection: close\r\n\r\n"

static const struct
{
  const char *answer;
  guint       n_requests;
  WelkinError code;
  const char *words; /* at the end */
} balancers[] = {
  { BALANCER "<html><body><h1>503 Service Unavailable</h1>\nNo server is available to handle this "
             "request.\n</body></html>\n",
    4, WELKIN_ERROR_UNAVAILABLE,
    ": 503 Service Unavailable No server is available to handle this request. (HTTP 503)" },
  { BALANCER "<HTML><HEAD><TITLE>Busy &amp; full</TITLE></HEAD><BODY></BODY></HTML>", 4,
    WELKIN_ERROR_UNAVAILABLE, ": Busy & full (HTTP 503)" },
  { BALANCER, 4, WELKIN_ERROR_UNAVAILABLE, " (HTTP 503)" },
  { "HTTP/1.0 503 Busy\r\n\r\n<html><p>no type</p></html>", 4, WELKIN_ERROR_UNAVAILABLE,
    "no type (HTTP 503)" },
  { "HTTP/1.0 503 Busy\r\nContent-Type: application/json\r\n\r\n<html><p>wrong type</p></html>", 4,
    WELKIN_ERROR_UNAVAILABLE, "wrong type (HTTP 503)" },
  { "HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 25\r\n\r\n"
    "<html><h1>Bad</h1></html>",
    4, WELKIN_ERROR_UNAVAILABLE, ": Bad (HTTP 502)" },
  { "HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\n\r\n<html><h1>Cut</h1></htm", 4,
    WELKIN_ERROR_UNAVAILABLE, ": Cut (HTTP 502)" },
  /* as swift */
  { "HTTP/1.1 403 Forbidden\r\nContent-Type: text/html; charset=UTF-8\r\nContent-Length: 72\r\n\r\n"
    "<html><h1>Forbidden</h1><p>Access was denied to this resource</p></html>",
    1, WELKIN_ERROR_FORBIDDEN, ": Forbidden Access was denied to this resource (HTTP 403)" },
};

static void
test_balancers (EnvironFixture *fixture,
                gconstpointer   data)
{
  ProviderFixture *provider = &fixture->provider;

  for (guint service = 0; service < OS_N_SERVICES && services[service].name != NULL; service++)
    for (guint i = 0; i < G_N_ELEMENTS (balancers); i++)
      {
        g_autoptr(HttpPeer) peer = move_to_peer (provider, service, answer_text,
                                                 (gpointer) balancers[i].answer);
        g_autoptr(OsClient) client = make_client (provider);
        g_autofree char *origin = http_peer_get_uri (peer, "");
        g_autofree char *host = NULL;
        g_autoptr(GError) error = NULL;

        g_assert_null (send (provider, client, service, "GET", "things", &error));
        g_test_message ("%s", error->message);
        g_assert_error (error, WELKIN_ERROR, (int) balancers[i].code);
        g_assert_true (g_str_has_suffix (error->message, balancers[i].words));
        g_assert_nonnull (strstr (error->message, "GET http://127.0.0.1:"));
        g_assert_nonnull (strstr (error->message, origin));
        g_assert_nonnull (strstr (error->message, "/things"));
        g_assert_null (strpbrk (error->message, "<>\n"));
        g_assert_null (strstr (error->message, "JSON"));
        g_assert_cmpstr (welkin_error_get_service (error), ==, services[service].type);
        g_assert_cmpuint (http_peer_get_n_requests (peer), ==, balancers[i].n_requests);
        host = http_peer_request_dup_header (http_peer_get_request (peer, 0), "Host");
        g_assert_cmpstr (host, ==, origin + strlen ("http://"));
      }
}

/* G17: Content-Type without a body */

static void
test_no_content_type_without_body (EnvironFixture *fixture,
                                   gconstpointer   data)
{
  g_autoptr(WelkinStartResult) result = NULL;
  g_autoptr(GError) error = NULL;
  GPtrArray *entries;
  guint n_empty = 0;

  result = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  g_assert_no_error (error);
  g_assert_true (environ_fixture_destroy (fixture, fixture->environ, &error));

  entries = fake_log_get_entries (fixture->provider.fake);
  g_assert_cmpuint (entries->len, >, 10);
  for (guint i = 0; i < entries->len; i++)
    {
      const FakeLogEntry *entry = g_ptr_array_index (entries, i);
      const char *type = fake_log_entry_get_header (entry, "Content-Type");
      const char *length = fake_log_entry_get_header (entry, "Content-Length");
      gboolean may_have_body = *entry->method == 'P';

      g_test_message ("%s %s: %s, %s", entry->method, entry->path, type, length);
      g_assert_nonnull (fake_log_entry_get_header (entry, "Host"));
      if (entry->request_size > 0)
        {
          g_assert_nonnull (type);
          continue;
        }
      n_empty++;
      g_assert_null (type);
      g_assert_cmpstr (length, ==, may_have_body ? "0" : NULL);
    }
  g_assert_cmpuint (n_empty, >, 5);
}

/* G18: connections that are closed */

#define SERVERS "{\"servers\": [{\"id\": \"s1\", \"name\": \"a\", \"status\": \"ACTIVE\"}]}"

typedef enum
{
  CLOSED_AFTER_ANSWER, /* without a word */
  CLOSED_AFTER_NEXT,   /* when the next request was read, before it is answered */
} Closing;

static gboolean
answer_and_close (HttpPeer              *peer,
                  const HttpPeerRequest *request,
                  GOutputStream         *output,
                  gpointer               data)
{
  g_autofree char *answer =
      g_strdup_printf (HTTP_OK ("application/json", "%u", "%s"), (guint) strlen (SERVERS), SERVERS);
  gboolean is_second = request->number > 1;

  /* The connections count from 1 and each has one whole answer. */
  if (GPOINTER_TO_UINT (data) == CLOSED_AFTER_NEXT && is_second
      && request->number - request->connection >= request->connection)
    return FALSE;
  g_output_stream_write_all (output, answer, strlen (answer), NULL, NULL, NULL);
  return GPOINTER_TO_UINT (data) == CLOSED_AFTER_NEXT;
}

static void
test_closed_connections (EnvironFixture *fixture,
                         gconstpointer   data)
{
  ProviderFixture *provider = &fixture->provider;
  g_autoptr(HttpPeer) peer = move_to_peer (provider, OS_SERVICE_COMPUTE, answer_and_close,
                                           (gpointer) data);
  g_autoptr(OsClient) client = make_client (provider);
  double begin = wk_clock_get_seconds (os_client_get_clock (client));

  for (guint i = 0; i < 20; i++)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(WkHttpResponse) response = send (provider, client, OS_SERVICE_COMPUTE, "GET",
                                                 "servers", &error);

      g_assert_no_error (error);
    }
  if (GPOINTER_TO_UINT (data) == CLOSED_AFTER_NEXT)
    g_assert_cmpuint (http_peer_get_n_requests (peer), >, 30);
  /* Sent again at once, and not after a pause; the clock runs twenty times as fast. */
  g_assert_cmpfloat (wk_clock_get_seconds (os_client_get_clock (client)) - begin, <, 20 * 3.0);
}

/* G19: shades of success */

static const struct
{
  int         status;
  const char *body;
} successes[] = {
  { 200, "" }, { 202, "" }, { 204, NULL }, { 200, "{}" }, { 202, "{}" }, { 201, "{}" },
  { 203, "" }, { 200, "null" }, { 202, "deleted" },
};

static void
test_deletions_succeed (EnvironFixture *fixture,
                        gconstpointer   data)
{
  static const OsServiceKind kinds[] = {
    OS_SERVICE_COMPUTE, OS_SERVICE_NETWORK, OS_SERVICE_OBJECT_STORE,
  };
  ProviderFixture *provider = &fixture->provider;
  g_autoptr(OsClient) client = make_client (provider);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    for (guint j = 0; j < G_N_ELEMENTS (successes); j++)
      {
        const FakeRule rule = {
          .method = "DELETE", .path = "*/things/t1", .action = FAKE_FAIL,
          .status = successes[j].status, .body = successes[j].body,
        };
        g_autoptr(OsRequest) request =
            os_request_new (kinds[i], "DELETE", "things", "t1", NULL);
        g_autoptr(GError) error = NULL;

        fake_cloud_add_rule (provider->fake, &rule);
        os_client_send_async (client, client, request, NULL, provider_fixture_done_cb, provider);
        g_assert_true (os_client_delete_finish (client, provider_fixture_wait (provider), &error));
        g_assert_no_error (error);
      }
}

static void
test_creations_succeed (EnvironFixture *fixture,
                        gconstpointer   data)
{
  static const int statuses[] = { 200, 201, 202, 203 };
  static const OsServiceKind kinds[] = { OS_SERVICE_COMPUTE, OS_SERVICE_NETWORK };
  static const WkJsonField fields[] = { { "id", WK_JSON_ID, 0, WK_JSON_REQUIRED } };
  static const WkJsonTable table = { sizeof (char *), fields, 1 };
  ProviderFixture *provider = &fixture->provider;
  g_autoptr(OsClient) client = make_client (provider);

  for (guint i = 0; i < G_N_ELEMENTS (kinds) * G_N_ELEMENTS (statuses); i++)
    {
      const FakeRule rule = {
        .method = "POST", .path = "*/things", .action = FAKE_FAIL, .status = statuses[i / 2],
        .body = "{\"thing\": {\"id\": \"t1\"}}",
      };
      g_autoptr(OsRequest) request = os_request_new (kinds[i % 2], "POST", "things", NULL);
      g_autoptr(GError) error = NULL;
      char **record;

      fake_cloud_add_rule (provider->fake, &rule);
      os_request_set_json_object (request, "thing", json_object_new ());
      os_client_load_async (client, client, request, &table, "thing", NULL,
                            provider_fixture_done_cb, provider);
      record = os_client_load_finish (client, provider_fixture_wait (provider), &error);
      g_assert_no_error (error);
      g_assert_cmpstr (*record, ==, "t1");
      wk_json_record_free (&table, record);
    }
}

/* G20: an appliance that spoils Content-Length */

#define OBJECT_SIZE 102400

static gboolean
answer_object (HttpPeer              *peer,
               const HttpPeerRequest *request,
               GOutputStream         *output,
               gpointer               data)
{
  g_autofree char *object = g_strnfill (OBJECT_SIZE, 'o');
  const char *md5 = data;
  g_autofree char *head = g_strdup_printf (
      "HTTP/1.1 200 OK\r\nCteonnt-Length: %d\r\nX-Cnection: close\r\nConnection: close\r\n"
      "Etag: %s\r\n\r\n",
      OBJECT_SIZE, md5);

  g_output_stream_write_all (output, head, strlen (head), NULL, NULL, NULL);
  g_output_stream_write_all (output, object, OBJECT_SIZE, NULL, NULL, NULL);
  return FALSE;
}

static gssize
read_some (ProviderFixture *fixture,
           GInputStream    *stream,
           char            *buffer,
           gsize            size,
           GError         **error)
{
  g_input_stream_read_async (stream, buffer, size, G_PRIORITY_DEFAULT, NULL,
                             provider_fixture_done_cb, fixture);
  return g_input_stream_read_finish (stream, provider_fixture_wait (fixture), error);
}

static void
test_spoilt_length (EnvironFixture *fixture,
                    gconstpointer   data)
{
  ProviderFixture *provider = &fixture->provider;
  g_autofree char *object = g_strnfill (OBJECT_SIZE, 'o');
  g_autofree char *good = g_compute_checksum_for_data (G_CHECKSUM_MD5, (const guchar *) object,
                                                       OBJECT_SIZE);
  g_autofree char *bad = g_compute_checksum_for_string (G_CHECKSUM_MD5, "", 0);
  const char *const sums[] = { good, bad };

  for (guint i = 0; i < G_N_ELEMENTS (sums); i++)
    {
      g_autoptr(HttpPeer) peer = move_to_peer (provider, OS_SERVICE_OBJECT_STORE, answer_object,
                                               (gpointer) sums[i]);
      g_autoptr(OsClient) client = make_client (provider);
      g_autoptr(OsObjectStore) store = os_object_store_new (client);
      g_autoptr(GInputStream) stream = NULL;
      g_autoptr(GError) error = NULL;
      g_autofree char *buffer = g_malloc (OBJECT_SIZE);
      gsize total = 0;
      gssize n;

      os_object_store_get_object_async (store, "c", "o", NULL, provider_fixture_done_cb, provider);
      stream = os_object_store_get_object_finish (store, provider_fixture_wait (provider), &error);
      g_assert_no_error (error);
      while ((n = read_some (provider, stream, buffer, OBJECT_SIZE, &error)) > 0)
        total += n;
      g_assert_cmpuint (total, ==, OBJECT_SIZE);
      if (i == 0)
        g_assert_no_error (error);
      else
        g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
    }
}

/* G21: names in certificates */

static char *
find_file (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "data", "tls", name, NULL);
}

static HttpPeer *
make_tls_peer (const char *certificate_name)
{
  g_autofree char *path = find_file (certificate_name);
  g_autoptr(GError) error = NULL;
  g_autoptr(GTlsCertificate) certificate = g_tls_certificate_new_from_file (path, &error);

  g_assert_no_error (error);
  return http_peer_new (answer_text,
                        (gpointer) HTTP_OK ("application/json", "20", "{\"answer\": \"secret\"}"),
                        certificate);
}

/* A cloud with TLS, by the name of localhost. More variables: as in "NAME=value". */
static void
begin_tls (ProviderFixture   *fixture,
           const char *const *more)
{
  g_autofree char *certificate = find_file ("server.pem");
  g_autofree char *authority = find_file ("authority.pem");
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) variables = NULL;
  g_auto(GStrv) all = NULL;
  const char *port;

  g_clear_pointer (&fixture->fake, fake_cloud_free);
  fixture->fake = fake_cloud_new_full (0, TRUE, certificate, &error);
  g_assert_no_error (error);
  port = strrchr (fake_cloud_get_url (fixture->fake), ':') + 1;
  variables = fake_cloud_dup_environment (fixture->fake, "demo", "demo");
  variables = g_environ_unsetenv (variables, "no_proxy");
  variables = g_environ_setenv (variables, "OS_CACERT", authority, TRUE);
  variables = g_environ_setenv (variables, "WELKIN_TIME_SCALE", get_time_scale (), TRUE);
  g_strv_builder_addv (builder, (const char **) variables);
  g_strv_builder_addv (builder, (const char **) more);
  {
    g_autofree char *url = g_strdup_printf ("OS_AUTH_URL=https://localhost:%s/identity/v3", port);

    g_strv_builder_add (builder, url);
  }
  all = g_strv_builder_end (builder);
  g_clear_pointer (&fixture->surroundings, welkin_surroundings_unref);
  fixture->surroundings = welkin_surroundings_new ((const char *const *) all, "/");
}

static void
test_wrong_certificates (EnvironFixture *fixture,
                         gconstpointer   data)
{
  static const struct
  {
    const char *certificate;
    const char *words[3];
  } cases[] = {
    { "elsewhere.pem",
      { "not for 127.0.0.1 but for \"id.cloud.test, 192.0.2.10\"", "ca-certificates",
        "ssl-hostname-verification" } },
    { "stranger.pem",
      { "the issuer of the certificate is unknown: \"CN=Another authority\"", "ca-certificates",
        "ssl-hostname-verification" } },
  };
  static const char *const nothing[] = { NULL };
  ProviderFixture *provider = &fixture->provider;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(HttpPeer) peer = make_tls_peer (cases[i].certificate);
      g_autofree char *origin = http_peer_get_uri (peer, "");
      g_autofree char *shown = g_strconcat ("GET ", origin, "/v2.1/things: ", NULL);
      g_autoptr(OsClient) client = NULL;
      g_autoptr(GError) error = NULL;
      g_autoptr(WkHttpResponse) response = NULL;

      begin_tls (provider, nothing);
      move_service (provider, OS_SERVICE_COMPUTE, origin);
      client = provider_fixture_make_client (provider, NULL);
      /* The login is good, and so are the other services. */
      response = send (provider, client, OS_SERVICE_NETWORK, "GET", "networks", &error);
      g_assert_no_error (error);

      g_assert_null (send (provider, client, OS_SERVICE_COMPUTE, "GET", "things", &error));
      g_test_message ("%s", error->message);
      g_assert_error (error, G_TLS_ERROR, G_TLS_ERROR_BAD_CERTIFICATE);
      g_assert_true (g_str_has_prefix (error->message, shown));
      for (guint j = 0; j < G_N_ELEMENTS (cases[i].words); j++)
        g_assert_nonnull (strstr (error->message, cases[i].words[j]));
      /* Once is enough, and nothing was told to whoever it is. */
      g_assert_cmpuint (http_peer_get_n_connections (peer), ==, 1);
      g_assert_cmpuint (http_peer_get_n_requests (peer), ==, 0);
    }
}

/* G22: proxies */

/* The service by the name that is in its certificate, which no resolver knows. */
static void
move_behind_proxy (ProviderFixture *fixture,
                   OsServiceKind    service,
                   HttpPeer        *peer)
{
  g_autofree char *here = http_peer_get_uri (peer, "");
  g_autofree char *origin = g_strdup_printf ("https://id.cloud.test%s", strrchr (here, ':'));

  move_service (fixture, service, origin);
}

static void
test_proxies (EnvironFixture *fixture,
              gconstpointer   data)
{
  const char *names = data;
  g_auto(GStrv) pair = g_strsplit (names, " ", 2);
  ProviderFixture *provider = &fixture->provider;
  g_autoptr(HttpPeer) peer = make_tls_peer ("elsewhere.pem");
  g_autoptr(HttpProxy) proxy = http_proxy_new ();
  g_autofree char *proxy_uri = http_proxy_get_uri (proxy, "me:the-password@");
  g_autofree char *proxy_variable = g_strdup_printf ("%s=%s", pair[0], proxy_uri);
  g_autofree char *no_proxy = g_strdup_printf ("%s=localhost,127.0.0.1,192.0.2.10", pair[1]);
  const char *const variables[] = { proxy_variable, no_proxy, NULL };
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(WkHttpResponse) direct = NULL;
  g_autoptr(OsClient) client = NULL;
  g_autoptr(GError) error = NULL;

  begin_tls (provider, variables);
  move_behind_proxy (provider, OS_SERVICE_COMPUTE, peer);
  client = provider_fixture_make_client (provider, NULL);
  response = send (provider, client, OS_SERVICE_COMPUTE, "GET", "things", &error);
  g_assert_no_error (error);
  direct = send (provider, client, OS_SERVICE_NETWORK, "GET", "networks", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (http_peer_get_n_requests (peer), >, 0);
  g_assert_cmpuint (http_proxy_get_n_requests (proxy), >, 0);
  for (guint i = 0; i < http_proxy_get_n_requests (proxy); i++)
    g_assert_true (g_str_has_prefix (http_proxy_get_head (proxy, i), "CONNECT id.cloud.test:"));

  /* A refusal is the proxy's own, whatever service was meant. */
  http_proxy_refuse (proxy, "HTTP/1.1 503 Busy\r\nContent-Type: text/html\r\nContent-Length: 13"
                            "\r\n\r\n<h1>Busy</h1>");
  g_clear_object (&client);
  client = provider_fixture_make_client (provider, NULL);
  g_assert_null (send (provider, client, OS_SERVICE_COMPUTE, "GET", "things", &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, "through proxy http://127.0.0.1:"));
  g_assert_nonnull (strstr (error->message, "(HTTP 503)"));
  g_assert_null (strstr (error->message, "the-password"));
}

/* A client of a cloud with the proxy in its variables, NULL for none. */
static OsClient *
make_client_with_proxy (ProviderFixture *fixture,
                        HttpProxy       *proxy,
                        HttpPeer        *compute)
{
  g_autofree char *uri = proxy != NULL ? http_proxy_get_uri (proxy, "") : g_strdup ("");
  g_autofree char *variable = g_strconcat ("https_proxy=", uri, NULL);
  const char *const variables[] = { variable, "no_proxy=localhost", NULL };
  g_autoptr(GError) error = NULL;
  OsClient *client;

  begin_tls (fixture, variables);
  move_behind_proxy (fixture, OS_SERVICE_COMPUTE, compute);
  client = provider_fixture_make_client (fixture, NULL);
  os_client_login_async (client, NULL, provider_fixture_done_cb, fixture);
  g_assert_true (os_client_login_finish (client, provider_fixture_wait (fixture), &error));
  g_assert_no_error (error);
  return client;
}

/* Environments of one process: the one's way out is not the other's. */
static void
test_proxies_are_not_shared (EnvironFixture *fixture,
                             gconstpointer   data)
{
  ProviderFixture *provider = &fixture->provider;
  g_autoptr(HttpPeer) peer = make_tls_peer ("elsewhere.pem");
  g_autoptr(HttpProxy) one = http_proxy_new ();
  g_autoptr(HttpProxy) two = http_proxy_new ();
  g_autoptr(OsClient) by_one = make_client_with_proxy (provider, one, peer);
  g_autoptr(OsClient) by_two = make_client_with_proxy (provider, two, peer);
  g_autoptr(OsClient) by_none = make_client_with_proxy (provider, NULL, peer);
  g_autoptr(WkHttpResponse) first = NULL;
  g_autoptr(WkHttpResponse) second = NULL;
  g_autoptr(GError) error = NULL;
  guint n_one = http_proxy_get_n_requests (one);
  guint n_two = http_proxy_get_n_requests (two);

  g_assert_null (send (provider, by_none, OS_SERVICE_COMPUTE, "GET", "things", &error));
  g_assert_null (strstr (error->message, "proxy"));
  g_clear_error (&error);
  g_assert_cmpuint (http_proxy_get_n_requests (one), ==, n_one);
  g_assert_cmpuint (http_proxy_get_n_requests (two), ==, n_two);

  first = send (provider, by_one, OS_SERVICE_COMPUTE, "GET", "things", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (http_proxy_get_n_requests (one), >, n_one);
  g_assert_cmpuint (http_proxy_get_n_requests (two), ==, n_two);
  n_one = http_proxy_get_n_requests (one);
  second = send (provider, by_two, OS_SERVICE_COMPUTE, "GET", "things", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (http_proxy_get_n_requests (one), ==, n_one);
  g_assert_cmpuint (http_proxy_get_n_requests (two), >, n_two);
}

static void
add (const char   *path,
     gconstpointer data,
     void        (*test) (EnvironFixture *, gconstpointer))
{
  g_test_add (path, EnvironFixture, data, environ_fixture_set_up, test, environ_fixture_tear_down);
}

int
main (int    argc,
      char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);

  add ("/cases/G15/rate-limits", NULL, test_rate_limits);
  add ("/cases/G15/all-waits-are-bounded", NULL, test_rate_limit_is_bounded);
  add ("/cases/G15/each-wait-can-be-cancelled", NULL, test_rate_limit_wait_is_cancelled);
  add ("/cases/G16/balancers-of-all-services", NULL, test_balancers);
  add ("/cases/G17/no-content-type-without-body", NULL, test_no_content_type_without_body);
  add ("/cases/G18/closed-after-the-answer", GUINT_TO_POINTER (CLOSED_AFTER_ANSWER),
       test_closed_connections);
  add ("/cases/G18/closed-after-the-next-request", GUINT_TO_POINTER (CLOSED_AFTER_NEXT),
       test_closed_connections);
  add ("/cases/G19/deletions", NULL, test_deletions_succeed);
  add ("/cases/G19/creations", NULL, test_creations_succeed);
  add ("/cases/G20/spoilt-length", NULL, test_spoilt_length);
  add ("/cases/G21/wrong-certificates", NULL, test_wrong_certificates);
  add ("/cases/G22/lower-case", "https_proxy no_proxy", test_proxies);
  add ("/cases/G22/upper-case", "HTTPS_PROXY NO_PROXY", test_proxies);
  add ("/cases/G22/mixed-case", "https_proxy NO_PROXY", test_proxies);
  add ("/cases/G22/of-all", "all_proxy no_proxy", test_proxies);
  add ("/cases/G22/not-shared", NULL, test_proxies_are_not_shared);

  status = provider_fixture_run ();

  /* As in test-http-tls.c: the leak sanitizer stumbles over threads that shook hands. */
  g_thread_pool_set_max_unused_threads (0);
  g_usleep (G_USEC_PER_SEC);
  return status;
}
