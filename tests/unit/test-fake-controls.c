/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* The fake's control points: rules, log, inventory, the same over HTTP. */

#include "fake-client.h"

#define VERSION "/identity/v3"

static void
test_rule_fails_with_status_body_and_headers (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  const char *const headers[] = { "Retry-After: 7", "X-Odd: a: b", NULL };
  guint rule = fake_cloud_add_rule (client->cloud, &(FakeRule) {
                                                     .method = "GET",
                                                     .path = "/identity/*",
                                                     .action = FAKE_FAIL,
                                                     .status = 503,
                                                     .body = "<html>busy</html>",
                                                     .content_type = "text/html",
                                                     .headers = headers,
                                                   });

  fake_client_send (client, "GET", VERSION, NULL, NULL);
  fake_client_assert_status (client, 503);
  g_assert_cmpstr (client->text, ==, "<html>busy</html>");
  g_assert_cmpstr (fake_client_get_header (client, "Content-Type"), ==, "text/html");
  g_assert_cmpstr (fake_client_get_header (client, "Retry-After"), ==, "7");
  g_assert_cmpstr (fake_client_get_header (client, "X-Odd"), ==, "a: b");
  fake_client_send (client, "GET", VERSION, NULL, NULL);
  fake_client_assert_status (client, 200);
  g_assert_cmpuint (fake_cloud_get_rule_hits (client->cloud, rule), ==, 1);
}

static void
test_connection_is_kept (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  guint64 connection;

  fake_client_send (client, "GET", VERSION, NULL, NULL);
  connection = soup_message_get_connection_id (client->message);
  fake_client_send (client, "GET", VERSION, NULL, NULL);
  fake_client_assert_status (client, 200);
  g_assert_cmpuint (soup_message_get_connection_id (client->message), ==, connection);
}

static guint
count_open_files (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static void
test_connection_ends_with_its_client (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  guint before = count_open_files ();

  for (guint i = 0; i < 20; i++)
    {
      soup_session_abort (client->session);
      fake_client_send (client, "GET", VERSION, NULL, NULL);
      fake_client_assert_status (client, 200);
    }
  fake_client_pause (50);
  g_assert_cmpuint (count_open_files (), <=, before + 2);
}

static void
test_rule_ends_after_its_time (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  guint rule = fake_cloud_add_rule (client->cloud, &(FakeRule) {
                                                     .action = FAKE_FAIL,
                                                     .status = 429,
                                                     .times = -1,
                                                     .for_ms = 200,
                                                   });

  for (guint i = 0; i < 3; i++)
    {
      fake_client_send (client, "GET", VERSION, NULL, NULL);
      fake_client_assert_status (client, 429);
    }
  fake_client_pause (250);
  fake_client_send (client, "GET", VERSION, NULL, NULL);
  fake_client_assert_status (client, 200);
  g_assert_cmpuint (fake_cloud_get_rule_hits (client->cloud, rule), ==, 3);
}

static void
test_rule_sticks_to_its_first_request (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  guint rule = fake_cloud_add_rule (client->cloud, &(FakeRule) {
                                                     .action = FAKE_FAIL,
                                                     .status = 500,
                                                     .skip = 1,
                                                     .times = -1,
                                                     .sticks = TRUE,
                                                   });

  fake_client_send (client, "GET", "/identity/v3", NULL, NULL);
  fake_client_assert_status (client, 200);
  fake_client_send (client, "GET", "/identity/v3", NULL, NULL);
  fake_client_assert_status (client, 500);
  fake_client_send (client, "GET", "/identity", NULL, NULL);
  fake_client_assert_status (client, 300);
  fake_client_send (client, "GET", "/identity/v3", NULL, NULL);
  fake_client_assert_status (client, 500);
  g_assert_cmpuint (fake_cloud_get_rule_hits (client->cloud, rule), ==, 2);
}

static gboolean
accept_certificate_cb (SoupMessage *message, GTlsCertificate *certificate,
                       GTlsCertificateFlags flags, gpointer user_data)
{
  guint *n_handshakes = user_data;

  g_assert_cmpuint (flags, ==, G_TLS_CERTIFICATE_UNKNOWN_CA);
  (*n_handshakes)++;
  return TRUE;
}

static void
test_tls_is_spoken_with_a_certificate (void)
{
  const char *file = g_test_get_filename (G_TEST_DIST, "data", "tls", "server.pem", NULL);
  g_autoptr (FakeCloud) cloud = fake_cloud_new_full (0, TRUE, file, NULL);
  g_autoptr (SoupSession) session = soup_session_new ();
  g_autoptr (SoupMessage) message = NULL;
  guint n_handshakes = 0;

  g_assert_true (g_str_has_prefix (fake_cloud_get_auth_url (cloud), "https://127.0.0.1:"));
  message = soup_message_new ("GET", fake_cloud_get_auth_url (cloud));
  g_signal_connect (message, "accept-certificate", G_CALLBACK (accept_certificate_cb),
                    &n_handshakes);
  soup_session_send_async (session, message, G_PRIORITY_DEFAULT, NULL, NULL, NULL);
  while (soup_message_get_status (message) == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (soup_message_get_status (message), ==, 200);
  g_assert_cmpuint (n_handshakes, ==, 1);
}

static void
test_rule_skips_and_repeats (void)
{
  static const guint expected[] = { 200, 500, 500, 200 };
  g_autoptr (FakeClient) client = fake_client_new ();

  fake_cloud_add_rule (client->cloud, &(FakeRule) { .path = VERSION,
                                                    .skip = 1,
                                                    .times = 2,
                                                    .action = FAKE_FAIL,
                                                    .status = 500 });
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      fake_client_send (client, "GET", VERSION, NULL, NULL);
      fake_client_assert_status (client, expected[i]);
    }
  fake_cloud_add_rule (client->cloud, &(FakeRule) { .service = "compute",
                                                    .times = -1,
                                                    .action = FAKE_FAIL,
                                                    .status = 500 });
  fake_client_send (client, "GET", VERSION, NULL, NULL);
  fake_client_assert_status (client, 200);
  for (guint i = 0; i < 3; i++)
    {
      fake_client_send (client, "GET", "/compute/v2.1/flavors", NULL, NULL);
      fake_client_assert_status (client, 500);
    }
  fake_cloud_clear_rules (client->cloud);
  fake_client_send (client, "GET", "/compute/v2.1/flavors", NULL, NULL);
  fake_client_assert_status (client, 200);
}

static guint
count_containers (FakeClient *client)
{
  g_autofree char *path = fake_client_format ("/object-store/v1/AUTH_%s", client->project_id);

  fake_client_send (client, "GET", path, NULL, NULL);
  fake_client_assert_status (client, 200);
  return json_array_get_length (json_node_get_array (client->json));
}

static void
put_container (FakeClient *client, FakeAction action)
{
  g_autofree char *path = fake_client_format ("/object-store/v1/AUTH_%s/c", client->project_id);

  fake_cloud_add_rule (client->cloud, &(FakeRule) { .method = "PUT",
                                                    .path = path,
                                                    .times = -1,
                                                    .action = action });
  fake_client_send (client, "PUT", path, NULL, "Content-Length: 0", NULL);
  g_assert_cmpuint (client->status, ==, 0);
}

static void
test_connection_is_dropped_before_executing (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();

  put_container (client, FAKE_DROP_BEFORE);
  g_assert_cmpuint (count_containers (client), ==, 0);
}

static void
test_connection_is_dropped_after_executing (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();

  put_container (client, FAKE_DROP_AFTER);
  g_assert_cmpuint (count_containers (client), ==, 1);
}

static void
test_answer_is_cut (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();

  fake_cloud_add_rule (client->cloud, &(FakeRule) { .path = "*/flavors",
                                                    .times = -1,
                                                    .action = FAKE_CUT });
  fake_client_send (client, "GET", "/compute/v2.1/flavors", NULL, NULL);
  g_assert_cmpuint (client->status, ==, 0);
  g_assert_cmpuint (soup_message_get_status (client->message), ==, 200);
  g_assert_cmpuint (fake_log_find (client->cloud, NULL, "*/flavors")->status, ==, 200);
}

static void
test_hanging_request_gets_no_answer (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  FakePending *pending;

  fake_cloud_add_rule (client->cloud, &(FakeRule) { .path = VERSION, .action = FAKE_HANG });
  pending = fake_client_start (client, "GET", VERSION, NULL, NULL);
  fake_client_pause (50);
  fake_client_send (client, "GET", VERSION, NULL, NULL);
  fake_client_assert_status (client, 200);
  g_assert_cmpint (fake_log_find (client->cloud, NULL, VERSION)->in_flight, ==, 1);
  soup_session_abort (client->session);
  fake_client_wait (client, pending);
  g_assert_cmpuint (client->status, ==, 0);
}

static void
test_delay_holds_the_answer_not_the_execution (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *path = fake_client_format ("/object-store/v1/AUTH_%s/c", client->project_id);
  gint64 start = g_get_monotonic_time ();
  FakePending *pending;

  fake_cloud_add_rule (client->cloud, &(FakeRule) { .method = "PUT", .delay_ms = 100 });
  pending = fake_client_start (client, "PUT", path, NULL, "Content-Length: 0", NULL);
  fake_client_pause (20);
  g_assert_cmpuint (count_containers (client), ==, 1);
  fake_client_wait (client, pending);
  fake_client_assert_status (client, 201);
  g_assert_cmpint (g_get_monotonic_time () - start, >=, 100 * 1000);
}

static void
test_log_tells_round_trips_from_requests (void)
{
  static const char *const ignore[] = { "GET /compute/*", NULL };
  g_autoptr (FakeClient) client = fake_client_new ();
  FakePending *pending[4];

  fake_cloud_set (client->cloud, "latency", 150);
  fake_log_clear (client->cloud);
  for (guint i = 0; i < G_N_ELEMENTS (pending); i++)
    pending[i] = fake_client_start (client, "GET", VERSION, NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (pending); i++)
    fake_client_wait (client, pending[i]);
  g_assert_cmpuint (fake_log_count (client->cloud, "GET", "/identity/*"), ==, 4);
  g_assert_cmpuint (fake_log_round_trips (client->cloud, NULL), ==, 1);

  fake_client_send (client, "GET", VERSION, NULL, NULL);
  fake_client_send (client, "GET", "/compute/v2.1/flavors", NULL, NULL);
  g_assert_cmpuint (fake_log_round_trips (client->cloud, NULL), ==, 3);
  g_assert_cmpuint (fake_log_round_trips (client->cloud, ignore), ==, 2);
  g_assert_cmpuint (fake_log_count (client->cloud, NULL, NULL), ==, 6);
  g_assert_cmpuint (fake_log_count (client->cloud, "POST", NULL), ==, 0);
}

static void
test_log_has_no_secrets (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *dump = NULL;
  const FakeLogEntry *entry;

  fake_client_send (client, "GET", "/compute/v2.1/flavors?limit=1", NULL, NULL);
  dump = fake_log_dump (client->cloud);
  g_assert_null (strstr (dump, client->token));
  g_assert_null (strstr (dump, "secret"));
  entry = fake_log_find (client->cloud, "GET", "*/flavors");
  g_assert_cmpstr (fake_log_entry_get_header (entry, "x-auth-token"), ==, "***");
  g_assert_cmpstr (fake_log_entry_get_header (entry, "Accept"), ==, "application/json");
  g_assert_null (fake_log_entry_get_header (entry, "Content-Type"));
  g_assert_cmpstr (entry->query, ==, "limit=1");
  g_assert_cmpstr (entry->request_id, ==,
                   fake_client_get_header (client, "X-Openstack-Request-Id"));
  g_assert_cmpuint (entry->response_size, ==, strlen (client->text));
}

static void
test_inventory_is_equal_when_nothing_is_left (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *before = fake_cloud_dump_inventory (client->cloud, "demo");
  g_autofree char *between = NULL;
  g_autofree char *after = NULL;
  g_autofree char *path = NULL;

  fake_client_send (client, "POST", "/network/v2.0/security-groups",
                    "{'security_group': {'name': 'sg', 'description': 'mine'}}", NULL);
  fake_client_assert_status (client, 201);
  path = fake_client_format ("/network/v2.0/security-groups/%s",
                             fake_client_get (client, "security_group.id"));
  between = fake_cloud_dump_inventory (client->cloud, "demo");
  g_assert_nonnull (strstr (between, "security_group demo/sg \"mine\""));
  fake_client_send (client, "DELETE", path, NULL, NULL);
  after = fake_cloud_dump_inventory (client->cloud, "demo");
  g_assert_cmpstr (before, ==, after);
  g_assert_nonnull (strstr (before, "network demo/private"));
  g_assert_null (strstr (before, "other-private"));
}

static void
test_control_points_work_over_http (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();

  fake_client_send (client, "POST", "/_fake/rules",
                    "{'path': '*/flavors', 'action': 'fail', 'status': 418,"
                    " 'headers': ['X-A: b']}",
                    NULL);
  fake_client_assert_status (client, 201);
  fake_client_send (client, "GET", "/compute/v2.1/flavors", NULL, NULL);
  fake_client_assert_status (client, 418);
  g_assert_cmpstr (fake_client_get_header (client, "X-A"), ==, "b");
  fake_client_send (client, "GET", "/_fake/rules/1", NULL, NULL);
  g_assert_cmpstr (fake_client_get (client, "hits"), ==, "1");
  fake_client_send (client, "DELETE", "/_fake/rules", NULL, NULL);
  fake_client_assert_status (client, 204);

  fake_client_send (client, "POST", "/_fake/settings", "{'nova-max-limit': 2}", NULL);
  fake_client_assert_status (client, 204);
  fake_client_send (client, "GET", "/compute/v2.1/flavors", NULL, NULL);
  g_assert_cmpint (fake_client_count (client, "flavors"), ==, 2);
  fake_client_send (client, "POST", "/_fake/settings", "{'no-such': 2}", NULL);
  fake_client_assert_status (client, 400);
  fake_client_send (client, "POST", "/_fake/rules", "{'action': 'explode'}", NULL);
  fake_client_assert_status (client, 400);

  fake_client_send (client, "POST", "/_fake/flavor", "{'name': 'own', 'vcpus': 3}", NULL);
  fake_client_assert_status (client, 201);
  g_assert_nonnull (fake_cloud_find (client->cloud, "flavor", "own"));
  fake_client_send (client, "DELETE", "/_fake/flavor/own", NULL, NULL);
  fake_client_assert_status (client, 204);
  g_assert_null (fake_cloud_find (client->cloud, "flavor", "own"));

  fake_client_send (client, "GET", "/_fake/log", NULL, NULL);
  g_assert_cmpstr (fake_client_get (client, "1.status"), ==, "418");
  fake_client_send (client, "DELETE", "/_fake/log", NULL, NULL);
  g_assert_cmpuint (fake_log_count (client->cloud, NULL, NULL), ==, 0);
  fake_client_send (client, "GET", "/_fake/inventory?project=demo", NULL, NULL);
  g_assert_nonnull (strstr (client->text, "network demo/private"));
  fake_client_send (client, "POST", "/_fake/expire-tokens", NULL, NULL);
  fake_client_send (client, "GET", "/compute/v2.1/flavors", NULL, NULL);
  fake_client_assert_status (client, 401);
}

static void
test_contents_can_be_added_changed_and_removed (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();

  fake_cloud_add (client->cloud, "project", "{'name': 'third'}");
  fake_cloud_add (client->cloud, "user", "{'name': 'ann', 'password': 'pw', 'roles': {'third': "
                                         "['member']}}");
  fake_cloud_add (client->cloud, "network", "{'name': 'n', 'project': 'third',"
                                            " 'port_security_enabled': false}");
  fake_cloud_add (client->cloud, "subnet", "{'network': 'n', 'cidr': '10.9.0.0/24'}");
  fake_cloud_update (client->cloud, "network", "n", "{'shared': true}");
  fake_cloud_remove (client->cloud, "network", "public");
  fake_client_send (client, "GET", "/network/v2.0/networks?fields=name&sort_key=name", NULL, NULL);
  g_assert_cmpint (fake_client_count (client, "networks"), ==, 2);
  g_assert_cmpstr (fake_client_get (client, "networks.0.name"), ==, "n");
  fake_client_log_in (client, "ann", "pw", "third");
  fake_client_send (client, "GET", "/network/v2.0/subnets", NULL, NULL);
  g_assert_cmpstr (fake_client_get (client, "subnets.0.gateway_ip"), ==, "10.9.0.1");
}

static void
test_unknown_paths_and_garbage_are_answered (void)
{
  static const char *const bodies[] = { "", "[", "{", "null", "[[[[", "\xff\xfe", "{'a': {}}" };
  static const char *const paths[] = {
    "/",
    "/x",
    "/_fake",
    "/_fake/x/y/z",
    "/identity/v3/auth/tokens",
    "/compute/v2.1/servers",
    "/compute/v2.1/servers/x/action",
    "/compute/v2.1/os-server-groups",
    "/network/v2.0/ports",
    "/network/v2.0/security-group-rules",
    "/image/v2/images",
    "/object-store/v1/AUTH_x/c?multipart-manifest=put",
    "/_fake/rules",
    "/_fake/server",
  };
  static const char *const methods[] = { "POST", "PUT", "PATCH", "DELETE" };
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *deep = g_strnfill (100000, '[');

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    for (guint j = 0; j < G_N_ELEMENTS (methods); j++)
      {
        for (guint k = 0; k < G_N_ELEMENTS (bodies); k++)
          {
            fake_client_send (client, methods[j], paths[i], bodies[k], NULL);
            g_assert_cmpuint (client->status, >=, 200);
          }
        fake_client_send (client, methods[j], paths[i], deep, NULL);
        g_assert_cmpuint (client->status, >=, 200);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/fake/rules/fail-with-status-body-and-headers",
                   test_rule_fails_with_status_body_and_headers);
  g_test_add_func ("/fake/connection-is-kept", test_connection_is_kept);
  g_test_add_func ("/fake/connection-ends-with-its-client",
                   test_connection_ends_with_its_client);
  g_test_add_func ("/fake/rules/skip-and-repeat", test_rule_skips_and_repeats);
  g_test_add_func ("/fake/rules/drop-the-connection-before-executing",
                   test_connection_is_dropped_before_executing);
  g_test_add_func ("/fake/rules/drop-the-connection-after-executing",
                   test_connection_is_dropped_after_executing);
  g_test_add_func ("/fake/rules/cut-the-answer", test_answer_is_cut);
  g_test_add_func ("/fake/rules/hang", test_hanging_request_gets_no_answer);
  g_test_add_func ("/fake/rules/delay-the-answer-not-the-execution",
                   test_delay_holds_the_answer_not_the_execution);
  g_test_add_func ("/fake/log/tells-round-trips-from-requests",
                   test_log_tells_round_trips_from_requests);
  g_test_add_func ("/fake/rules/end-after-their-time", test_rule_ends_after_its_time);
  g_test_add_func ("/fake/rules/stick-to-their-first-request",
                   test_rule_sticks_to_its_first_request);
  g_test_add_func ("/fake/tls", test_tls_is_spoken_with_a_certificate);
  g_test_add_func ("/fake/log/has-no-secrets", test_log_has_no_secrets);
  g_test_add_func ("/fake/inventory/is-equal-when-nothing-is-left",
                   test_inventory_is_equal_when_nothing_is_left);
  g_test_add_func ("/fake/control/works-over-http", test_control_points_work_over_http);
  g_test_add_func ("/fake/contents/can-be-added-changed-and-removed",
                   test_contents_can_be_added_changed_and_removed);
  g_test_add_func ("/fake/garbage-is-answered", test_unknown_paths_and_garbage_are_answered);

  return g_test_run ();
}
