/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * The agent itself, run as a machine runs it, and spoken to over TLS.
 */

#include "config.h"

#include <gnutls/gnutls.h>
#include <json-glib/json-glib.h>
#include <libsoup/soup.h>
#include <signal.h>
#include <string.h>

#include "machine/agent-conf.h"
#include "machine/certificates.h"
#include "metadata/tools-version.h"
#include "agent-fixture.h"

#define ENVIRONMENT "name: lab\ntype: openstack\nuuid: " AGENT_UUID "\n" \
                    "password: must-not-be-kept\n"
#define STARTED "{\"machine\": {\"status\": \"started\", \"version\": \"1.2.3-noble-amd64\"}}"
#define N_MACHINES 1000
#define N_THREADS 250

typedef AgentFixture Fixture;

/* (transfer full) what it printed */
static char *
run_agent (const char *const *arguments,
           int               *status)
{
  g_autoptr(GSubprocess) agent = NULL;
  g_autoptr(GError) error = NULL;
  char *output = NULL;

  agent = g_subprocess_newv (arguments, G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                                        G_SUBPROCESS_FLAGS_STDERR_MERGE, &error);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (agent, NULL, NULL, &output, NULL, &error);
  g_assert_no_error (error);
  *status = g_subprocess_get_exit_status (agent);
  return output;
}

static void
test_version (void)
{
  const char *const arguments[] = { g_getenv ("WELKIN_TEST_AGENT"), "version", NULL };
  WelkinToolsVersion version;
  g_autofree char *series = NULL;
  g_autofree char *arch = NULL;
  g_autofree char *output = NULL;
  g_autofree char *number = NULL;
  g_autoptr(GError) error = NULL;
  int status;

  output = run_agent (arguments, &status);
  g_assert_cmpint (status, ==, 0);
  g_assert_true (welkin_tools_binary_parse (g_strstrip (output), &version, &series, &arch,
                                            &error));
  g_assert_no_error (error);
  number = welkin_tools_version_format (&version);
  g_assert_cmpstr (number, ==, PACKAGE_VERSION);
}

static void
test_usage (void)
{
  static const char *const bad[][7] = {
    { NULL },
    { "fly", NULL },
    { "version", "7", NULL },
    { "machine", NULL },
    { "machine", "--data-dir", "/nowhere", "--machine-id", "../0", NULL },
    { "bootstrap-state", "--data-dir", "/nowhere", NULL },
  };
  const char *arguments[9] = { g_getenv ("WELKIN_TEST_AGENT"), NULL };

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *output = NULL;
      int status;

      memcpy (arguments + 1, bad[i], sizeof bad[i]);
      output = run_agent (arguments, &status);
      g_assert_cmpint (status, ==, 2);
      g_assert_cmpstr (output, !=, "");
    }
}

/* conf: NULL writes none. */
static void
check_refused_conf (const char *conf,
                    const char *complaint)
{
  g_autoptr(Home) home = home_new (NULL);
  const char *const arguments[] = { g_getenv ("WELKIN_TEST_AGENT"), "machine", "--data-dir",
                                    home->path, "--machine-id", "0", NULL };
  g_autofree char *output = NULL;
  int status;

  if (conf != NULL)
    home_write (home, "agents/machine-0/agent.conf", conf);
  output = run_agent (arguments, &status);
  g_assert_cmpint (status, ==, 1);
  g_assert_nonnull (strstr (output, complaint));
}

static void
test_bad_conf (void)
{
  check_refused_conf (NULL, "agent.conf");
  check_refused_conf ("tag: machine-0", "invalid agent config format");
  check_refused_conf ("tag: machine-0\n", "malformed agent config format");
  check_refused_conf ("# format 2.0\ntag: machine-0\n", "unknown agent config format \"2.0\"");
  check_refused_conf ("# format 1.18\n", "there is no tag");
  check_refused_conf ("# format 1.18\ntag: machine-0\ncacert: a\napipassword: b\n",
                      "there is no apiaddresses");
  check_refused_conf ("# format 1.18\ntag: machine-1\ncacert: a\napipassword: b\n"
                      "apiaddresses: ['a:1']\n", "it belongs to another machine");
  check_refused_conf ("# format 1.18\ntag: machine-0\ncacert: a\napipassword: b\n"
                      "apiaddresses: ['a:1']\napisecret: s\napiport: 70000\n", "70000");
  check_refused_conf ("# format 1.18\ntag: machine-0\ncacert: a\napipassword: b\n"
                      "apiaddresses: ['a:1']\n", "the certificate of the authority");
  check_refused_conf ("# format 1.18\ntag: machine-0\ncacert: a\napipassword: b\n"
                      "apiaddresses: ['a:1']\napisecret: s\napiport: 7000\n", "server.pem");
}

static void
test_health (Fixture      *fixture,
             gconstpointer data)
{
  g_autofree char *answer = NULL;

  g_assert_cmpuint (agent_ask_with (fixture, "GET", "/v1/health", NULL, NULL, NULL, &answer), ==,
                    200);
  g_assert_cmpstr (answer, ==, "{\"status\":\"ok\"}");
  g_assert_cmpuint (agent_ask_with (fixture, "PUT", "/v1/health", NULL, NULL, "{}", NULL), ==, 405);
}

static void
test_no_login (Fixture      *fixture,
               gconstpointer data)
{
  static const char *const paths[] = {
    "/", "/v1", "/v1/environment", "/v1/machines", "/v1/machines/0", "/v1/health/../machines",
    "/v1/health/%2e%2e/machines", "//v1/machines",
  };
  g_autofree char *other = welkin_agent_password_derive ("another secret", "machine-0");
  g_autofree char *seven = agent_get_password ("machine-7");

  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autofree char *answer = NULL;

      g_assert_cmpuint (agent_ask_with (fixture, "GET", paths[i], NULL, NULL, NULL, &answer), ==,
                        401);
      g_assert_null (strstr (answer, "started"));
      g_assert_cmpuint (agent_ask_with (fixture, "GET", paths[i], "machine-0", other, NULL, NULL),
                        ==, 401);
      g_assert_cmpuint (agent_ask_with (fixture, "GET", paths[i], "machine-0", seven, NULL, NULL),
                        ==, 401);
      g_assert_cmpuint (agent_ask_with (fixture, "GET", paths[i], "machine-0", "", NULL, NULL), ==,
                        401);
    }
  g_assert_cmpuint (agent_ask_with (fixture, "PUT", "/v1/machines/7", NULL, NULL, STARTED, NULL),
                    ==, 401);
  g_assert_cmpuint (agent_ask_with (fixture, "PUT", "/v1/machines/7", "machine-7", other, STARTED,
                                    NULL), ==, 401);
  g_assert_cmpuint (agent_ask_as (fixture, "GET", "/v1/machines/7", "user-admin", NULL, NULL), ==,
                    404);
}

static void
test_own_report (Fixture      *fixture,
                 gconstpointer data)
{
  g_autofree char *all = NULL;
  g_autofree char *own = NULL;

  agent_wait_for_machine (fixture, "/v1/machines/0");
  g_assert_cmpuint (agent_ask_as (fixture, "PUT", "/v1/machines/7", "machine-7", STARTED, NULL), ==,
                    204);
  g_assert_cmpuint (agent_ask_as (fixture, "POST", "/v1/machines/7/lxc/1", "machine-7-lxc-1",
                                  STARTED, NULL), ==, 204);
  g_assert_cmpuint (agent_ask_as (fixture, "GET", "/v1/machines", "user-admin", NULL, &all), ==,
                    200);
  g_assert_nonnull (strstr (all, "\"id\":\"0\",\"status\":\"started\""));
  g_assert_nonnull (strstr (all, "\"id\":\"7\",\"status\":\"started\""
                                 ",\"version\":\"1.2.3-noble-amd64\""));
  g_assert_nonnull (strstr (all, "\"id\":\"7/lxc/1\""));
  g_assert_cmpuint (agent_ask_as (fixture, "GET", "/v1/machines", "machine-7", NULL, &own), ==,
                    200);
  g_assert_nonnull (strstr (own, "\"id\":\"7\""));
  g_assert_null (strstr (own, "\"id\":\"0\""));
}

static void
test_wrong_machine (Fixture      *fixture,
                    gconstpointer data)
{
  g_assert_cmpuint (agent_ask_as (fixture, "PUT", "/v1/machines/8", "machine-7", STARTED, NULL), ==,
                    403);
  g_assert_cmpuint (agent_ask_as (fixture, "PUT", "/v1/machines/7", "user-admin", STARTED, NULL),
                    ==, 403);
  g_assert_cmpuint (agent_ask_as (fixture, "GET", "/v1/machines/8", "machine-7", NULL, NULL), ==,
                    403);
  g_assert_cmpuint (agent_ask_as (fixture, "GET", "/v1/machines/8", "user-admin", NULL, NULL), ==,
                    404);
}

static void
test_odd_reports (Fixture      *fixture,
                  gconstpointer data)
{
  static const char *const bodies[] = {
    "", "{", "[]", "null", "{}", "{\"machine\": []}", "{\"machine\": {}}",
    "{\"machine\": {\"status\": \"started\"}}",
    "{\"machine\": {\"status\": \"dead\", \"version\": \"1.2.3-noble-amd64\"}}",
    "{\"machine\": {\"status\": \"started\", \"version\": \"new\"}}",
    "{\"machine\": {\"status\": 7, \"version\": {}}}",
    "{\"machine\": {\"status\": \"started\", \"version\": \"1.2.3-noble-amd64\"}",
  };
  static const char *const ids[] = {
    "", "x", "-1", "7/", "7/lxc", "../7", "7%00", "7%0a", "7 ", "%2e%2e/%2e%2e/server.pem",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (bodies); i++)
    g_assert_cmpuint (agent_ask_as (fixture, "PUT", "/v1/machines/7", "machine-7", bodies[i], NULL),
                      ==, 400);
  for (gsize i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autofree char *path = g_strconcat ("/v1/machines/", ids[i], NULL);

      g_assert_cmpuint (agent_ask_as (fixture, "PUT", path, "machine-7", STARTED, NULL), >=, 400);
    }
  g_assert_cmpuint (agent_ask_as (fixture, "DELETE", "/v1/machines/7", "machine-7", NULL, NULL), ==,
                    405);
  g_assert_cmpuint (agent_ask_as (fixture, "GET", "/v1/machines/7", "user-admin", NULL, NULL), ==,
                    404);
}

static gboolean
accept_any_cb (GTlsConnection      *connection,
               GTlsCertificate     *certificate,
               GTlsCertificateFlags flags,
               gpointer             user_data)
{
  return TRUE;
}

/* (transfer full) a connection that speaks TLS when it is told to */
static GIOStream *
open_stream (Fixture *fixture,
             gboolean is_plain)
{
  g_autoptr(GSocketClient) client = g_socket_client_new ();
  g_autoptr(GSocketConnection) connection = NULL;
  g_autoptr(GError) error = NULL;
  GIOStream *stream;

  g_socket_client_set_timeout (client, 60);
  connection = g_socket_client_connect_to_host (client, "127.0.0.1", fixture->port, NULL, &error);
  g_assert_no_error (error);
  if (is_plain)
    return G_IO_STREAM (g_steal_pointer (&connection));
  stream = g_tls_client_connection_new (G_IO_STREAM (connection), NULL, &error);
  g_assert_no_error (error);
  g_tls_connection_set_database (G_TLS_CONNECTION (stream), NULL);
  g_signal_connect (stream, "accept-certificate", G_CALLBACK (accept_any_cb), NULL);
  g_tls_connection_handshake (G_TLS_CONNECTION (stream), NULL, &error);
  g_assert_no_error (error);
  return stream;
}

/* Sends the text so many times, and returns what comes back until the end. (transfer full) */
static char *
send_raw (Fixture    *fixture,
          gboolean    is_plain,
          const char *text,
          guint       times)
{
  g_autoptr(GIOStream) stream = open_stream (fixture, is_plain);
  g_autoptr(GString) answer = g_string_new (NULL);
  g_autoptr(GError) error = NULL;
  char buffer[4096];
  gssize length = 1;

  for (guint i = 0; i < times; i++)
    if (!g_output_stream_write_all (g_io_stream_get_output_stream (stream), text, strlen (text),
                                    NULL, NULL, NULL))
      break;
  while (length > 0)
    {
      length = g_input_stream_read (g_io_stream_get_input_stream (stream), buffer, sizeof buffer,
                                    NULL, &error);
      if (length > 0)
        g_string_append_len (answer, buffer, length);
    }
  g_assert_false (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT));
  return g_strdup (answer->str);
}

static void
test_odd_input (Fixture      *fixture,
                gconstpointer data)
{
  g_autofree char *nothing = send_raw (fixture, FALSE, "\r\n", 1);
  g_autofree char *slow = send_raw (fixture, FALSE, "GET /v1/machines HTTP/1.1\r\nHost: a\r\n", 1);
  g_autofree char *noise = send_raw (fixture, FALSE, "\x01\x02 \xff\xfe \r\n\r\n\r\n\r\n", 1);
  g_autofree char *head = send_raw (fixture, FALSE, "GET / HTTP/1.1\r\nX: yyyyyyyyyyyyyyyyyyy\r\n",
                                    4000);
  g_autofree char *plain = send_raw (fixture, TRUE, "GET /v1/health HTTP/1.1\r\n\r\n", 1);
  g_autofree char *silent = send_raw (fixture, TRUE, "", 1);

  g_assert_null (strstr (nothing, " 200 "));
  g_assert_null (strstr (slow, " 200 "));
  g_assert_null (strstr (noise, " 200 "));
  g_assert_null (strstr (head, " 200 "));
  g_assert_null (strstr (plain, "HTTP"));
  g_assert_cmpstr (silent, ==, "");
  g_assert_cmpuint (agent_ask_with (fixture, "GET", "/v1/health", NULL, NULL, NULL, NULL), ==, 200);
}

static void
test_long_body (Fixture      *fixture,
                gconstpointer data)
{
  g_autofree char *long_body = g_strnfill (100000, ' ');

  g_assert_cmpuint (agent_ask_as (fixture, "PUT", "/v1/machines/7", "machine-7", long_body, NULL),
                    !=, 204);
  g_assert_cmpuint (agent_ask_as (fixture, "PUT", "/v1/machines/7", "machine-7", STARTED, NULL), ==,
                    204);
}

/* Whether who speaks these versions has an answer. */
static gboolean
is_served (Fixture    *fixture,
           const char *priorities)
{
  static const char request[] = "GET /v1/health HTTP/1.1\r\nHost: a\r\n\r\n";
  g_autoptr(GIOStream) stream = open_stream (fixture, TRUE);
  GSocket *socket = g_socket_connection_get_socket (G_SOCKET_CONNECTION (stream));
  gnutls_certificate_credentials_t credentials;
  gnutls_session_t session;
  char answer[512];
  ssize_t length;

  gnutls_certificate_allocate_credentials (&credentials);
  gnutls_init (&session, GNUTLS_CLIENT);
  g_assert_cmpint (gnutls_priority_set_direct (session, priorities, NULL), ==, 0);
  gnutls_credentials_set (session, GNUTLS_CRD_CERTIFICATE, credentials);
  gnutls_transport_set_int (session, g_socket_get_fd (socket));
  while ((length = gnutls_handshake (session)) == GNUTLS_E_AGAIN)
    g_socket_condition_timed_wait (socket, G_IO_IN, G_USEC_PER_SEC, NULL, NULL);
  if (length == 0)
    {
      gnutls_record_send (session, request, sizeof request - 1);
      while ((length = gnutls_record_recv (session, answer, sizeof answer)) == GNUTLS_E_AGAIN)
        g_socket_condition_timed_wait (socket, G_IO_IN, G_USEC_PER_SEC, NULL, NULL);
    }
  gnutls_deinit (session);
  gnutls_certificate_free_credentials (credentials);
  return length > 0;
}

static void
test_old_tls (Fixture      *fixture,
              gconstpointer data)
{
  g_assert_true (is_served (fixture, "NORMAL:-VERS-ALL:+VERS-TLS1.2"));
  g_assert_true (is_served (fixture, "NORMAL:-VERS-ALL:+VERS-TLS1.3"));
  g_assert_false (is_served (fixture, "LEGACY:-VERS-ALL:+VERS-TLS1.1"));
  g_assert_false (is_served (fixture, "LEGACY:-VERS-ALL:+VERS-TLS1.0"));
}

static void
test_restart (Fixture      *fixture,
              gconstpointer data)
{
  g_autofree char *said = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  agent_wait_for_machine (fixture, "/v1/machines/0");
  g_assert_cmpuint (agent_ask_as (fixture, "PUT", "/v1/machines/7", "machine-7", STARTED, NULL), ==,
                    204);
  g_assert_cmpuint (agent_ask_as (fixture, "GET", "/v1/machines/7", "machine-7", NULL, &before), ==,
                    200);
  said = agent_stop (fixture->agent, SIGKILL);
  g_object_unref (fixture->agent);
  g_assert_cmphex (home_get_mode (fixture->home, "agents/state.json"), ==, 0600);

  fixture->agent = agent_start (fixture, "0");
  agent_wait_for_health (fixture);
  g_assert_cmpuint (agent_ask_as (fixture, "GET", "/v1/machines/7", "machine-7", NULL, &after), ==,
                    200);
  g_assert_cmpstr (after, ==, before);
}

/* Nothing was heard of the one for long; the other's clock has been set since. */
static void
test_silent_machine (Fixture      *fixture,
                     gconstpointer data)
{
  static const char state[] =
    "{\"environment\": {}, \"machines\": ["
    "{\"id\": \"7\", \"status\": \"started\", \"version\": \"1.2.3-noble-amd64\","
    " \"reported\": \"2014-04-17T12:00:00Z\"},"
    "{\"id\": \"8\", \"status\": \"started\", \"version\": \"1.2.3-noble-amd64\","
    " \"reported\": \"2999-04-17T12:00:00Z\"}]}";
  g_autofree char *said = agent_stop (fixture->agent, SIGTERM);
  g_autofree char *before = NULL;
  g_autofree char *other = NULL;
  g_autofree char *after = NULL;

  g_object_unref (fixture->agent);
  home_write (fixture->home, "agents/state.json", state);
  fixture->agent = agent_start (fixture, "0");
  agent_wait_for_health (fixture);
  agent_ask_as (fixture, "GET", "/v1/machines/7", "machine-7", NULL, &before);
  g_assert_nonnull (strstr (before, "\"status\":\"down\""));
  agent_ask_as (fixture, "GET", "/v1/machines/8", "machine-8", NULL, &other);
  g_assert_nonnull (strstr (other, "\"status\":\"started\""));
  g_assert_cmpuint (agent_ask_as (fixture, "PUT", "/v1/machines/7", "machine-7", STARTED, NULL), ==,
                    204);
  agent_ask_as (fixture, "GET", "/v1/machines", "user-admin", NULL, &after);
  g_assert_null (strstr (after, "\"status\":\"down\""));
}

static void
test_bad_state (Fixture      *fixture,
                gconstpointer data)
{
  g_autofree char *said = NULL;
  g_autofree char *aside = NULL;

  agent_wait_for_machine (fixture, "/v1/machines/0");
  said = agent_stop (fixture->agent, SIGTERM);
  g_object_unref (fixture->agent);
  home_write (fixture->home, "agents/state.json", "{\"environment\": {}, \"machines\": [{");

  fixture->agent = agent_start (fixture, "0");
  agent_wait_for_health (fixture);
  agent_wait_for_machine (fixture, "/v1/machines/0");
  aside = home_read (fixture->home, "agents/state.json.bad");
  g_assert_cmpstr (aside, ==, "{\"environment\": {}, \"machines\": [{");
}

/* Its exit status. output: (out) (transfer full) */
static int
run_bootstrap_state (Fixture    *fixture,
                     const char *yaml,
                     char      **output)
{
  g_autofree char *encoded = g_base64_encode ((const guchar *) yaml, strlen (yaml));
  const char *const arguments[] = {
    g_getenv ("WELKIN_TEST_AGENT"), "bootstrap-state", "--data-dir", fixture->home->path,
    "--env-config", encoded, "--constraints", "mem=2G", "--debug", NULL
  };
  int status;

  *output = run_agent (arguments, &status);
  return status;
}

static void
test_bootstrap_state (Fixture      *fixture,
                      gconstpointer data)
{
  g_autofree char *said = agent_stop (fixture->agent, SIGTERM);
  g_autofree char *output = NULL;
  g_autofree char *complaint = NULL;
  g_autofree char *state = NULL;
  g_autofree char *answer = NULL;

  g_object_unref (fixture->agent);
  g_assert_cmpint (run_bootstrap_state (fixture, ENVIRONMENT, &output), ==, 0);
  g_assert_cmpstr (output, ==, "");
  g_assert_cmpint (run_bootstrap_state (fixture, "[", &complaint), ==, 1);
  state = home_read (fixture->home, "agents/state.json");
  g_assert_null (strstr (state, "must-not-be-kept"));

  fixture->agent = agent_start (fixture, "0");
  agent_wait_for_health (fixture);
  g_assert_cmpuint (agent_ask_as (fixture, "GET", "/v1/environment", "machine-7", NULL, &answer),
                    ==, 200);
  g_assert_cmpstr (answer, ==,
                   "{\"environment\":{\"name\":\"lab\",\"type\":\"openstack\","
                   "\"uuid\":\"" AGENT_UUID "\"}}");
}

static void
test_not_needed (Fixture      *fixture,
                 gconstpointer data)
{
  g_autofree char *password = agent_get_password ("machine-0");
  g_autofree char *output = NULL;

  agent_write_conf (fixture, "machine-0", password, FALSE);
  g_assert_cmpint (run_bootstrap_state (fixture, ENVIRONMENT, &output), ==, 64);
}

static void
test_other_machine (Fixture      *fixture,
                    gconstpointer data)
{
  g_autofree char *said = agent_stop (fixture->agent, SIGTERM);
  g_autofree char *password = agent_get_password ("machine-3");

  /* It comes up first, and goes on until somebody answers. */
  g_object_unref (fixture->agent);
  agent_write_conf (fixture, "machine-3", password, FALSE);
  g_ptr_array_add (fixture->others, agent_start (fixture, "3"));
  g_usleep (200000);
  fixture->agent = agent_start (fixture, "0");
  agent_wait_for_health (fixture);
  agent_wait_for_machine (fixture, "/v1/machines/3");
}

/* A server of another authority gets no password. */
static void
test_foreign_server (Fixture      *fixture,
                     gconstpointer data)
{
  GSubprocess *other;
  g_autoptr(GDataInputStream) input = NULL;
  g_autofree char *password = agent_get_password ("machine-3");
  g_autofree char *real = g_steal_pointer (&fixture->authority);
  g_autofree char *key = NULL;
  g_autofree char *said = NULL;
  g_autoptr(GError) error = NULL;

  welkin_certificates_make_authority ("other", &fixture->authority, &key, &error);
  g_assert_no_error (error);
  agent_write_conf (fixture, "machine-3", password, FALSE);
  g_free (fixture->authority);
  fixture->authority = g_steal_pointer (&real);
  other = agent_start (fixture, "3");
  g_ptr_array_add (fixture->others, other);
  input = g_data_input_stream_new (g_subprocess_get_stderr_pipe (other));
  while (said == NULL || strstr (said, "cannot report to localhost") == NULL)
    {
      g_free (said);
      said = g_data_input_stream_read_line (input, NULL, NULL, &error);
      g_assert_no_error (error);
      g_assert_nonnull (said);
    }
  g_assert_nonnull (strstr (said, "certificate"));
  g_assert_cmpuint (agent_ask_as (fixture, "GET", "/v1/machines/3", "user-admin", NULL, NULL), ==,
                    404);
}

/* (transfer full): somebody else's connection that begins to shake hands, and does not go on */
static GSocketConnection *
begin_to_shake (Fixture *fixture)
{
  static const guint8 hello[] = { 22, 3, 1, 2 };
  g_autoptr(GSocketClient) client = g_socket_client_new ();
  g_autoptr(GSocketAddress) local = g_inet_socket_address_new_from_string ("127.0.0.2", 0);
  g_autoptr(GError) error = NULL;
  GSocketConnection *connection;
  gssize length;

  g_socket_client_set_local_address (client, local);
  connection = g_socket_client_connect_to_host (client, "127.0.0.1", fixture->port, NULL, &error);
  g_assert_no_error (error);
  length = g_output_stream_write (g_io_stream_get_output_stream (G_IO_STREAM (connection)), hello,
                                  sizeof hello, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (length, ==, sizeof hello);
  return connection;
}

/* More than there are threads to shake hands in; each keeps one until its time is over. */
static void
test_one_address (Fixture      *fixture,
                  gconstpointer data)
{
  g_autoptr(GPtrArray) connections = g_ptr_array_new_with_free_func (g_object_unref);
  gint64 begun = g_get_monotonic_time ();

  for (guint i = 0; i < 100; i++)
    g_ptr_array_add (connections, begin_to_shake (fixture));
  for (guint i = 0; i < 10; i++)
    g_assert_cmpuint (agent_ask_with (fixture, "GET", "/v1/health", NULL, NULL, NULL, NULL), ==,
                      200);
  g_assert_cmpint (g_get_monotonic_time () - begun, <, 15 * G_USEC_PER_SEC);
}

/* One machine of many. */
typedef struct
{
  Fixture *fixture;
  guint    number;
  double   seconds; /* out: until it had its answer */
} Reporter;

static void
report_in_thread (gpointer data,
                  gpointer user_data)
{
  Reporter *reporter = data;
  gint64 begun = g_get_monotonic_time ();
  g_autofree char *name = g_strdup_printf ("machine-%u", reporter->number);
  g_autofree char *password = agent_get_password (name);
  g_autofree char *login = g_strconcat (name, ":", password, NULL);
  g_autofree char *encoded = g_base64_encode ((const guchar *) login, strlen (login));
  g_autofree char *text = NULL;
  g_autofree char *answer = NULL;

  text = g_strdup_printf ("PUT /v1/machines/%u HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                          "Authorization: Basic %s\r\nContent-Length: %zu\r\n\r\n" STARTED,
                          reporter->number, encoded, strlen (STARTED));
  answer = send_raw (reporter->fixture, FALSE, text, 1);
  g_assert_true (g_str_has_prefix (answer, "HTTP/1.1 204 "));
  reporter->seconds = (double) (g_get_monotonic_time () - begun) / G_USEC_PER_SEC;
}

static int
compare_reporters (const void *a,
                   const void *b)
{
  double left = ((const Reporter *) a)->seconds;
  double right = ((const Reporter *) b)->seconds;

  return (left > right) - (left < right);
}

/* Its most so far, in KiB. */
static guint64
get_peak_memory (GSubprocess *agent)
{
  g_autofree char *path = g_strdup_printf ("/proc/%s/status",
                                           g_subprocess_get_identifier (agent));
  g_autofree char *text = NULL;
  const char *peak;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  peak = strstr (text, "VmHWM:");
  g_assert_nonnull (peak);
  return g_ascii_strtoull (peak + strlen ("VmHWM:"), NULL, 10);
}

static void
test_thousand (Fixture      *fixture,
               gconstpointer data)
{
  /* The sanitizers make memory and time mean nothing. */
  gboolean is_sanitized = g_getenv ("ASAN_OPTIONS") != NULL;
  guint n_machines = is_sanitized ? N_MACHINES / 10 : N_MACHINES;
  g_autofree Reporter *reporters = g_new0 (Reporter, n_machines);
  g_autoptr(JsonParser) parser = json_parser_new ();
  g_autofree char *answer = NULL;
  GThreadPool *pool = g_thread_pool_new (report_in_thread, NULL, N_THREADS, FALSE, NULL);
  JsonObject *root;
  guint64 peak;

  agent_wait_for_machine (fixture, "/v1/machines/0");
  for (guint i = 0; i < n_machines; i++)
    {
      reporters[i].fixture = fixture;
      reporters[i].number = i;
      g_thread_pool_push (pool, &reporters[i], NULL);
    }
  g_thread_pool_free (pool, FALSE, TRUE);

  qsort (reporters, n_machines, sizeof *reporters, compare_reporters);
  peak = get_peak_memory (fixture->agent);
  g_test_message ("%u machines, %u at once: median %.3f s, 99%% %.3f s, all %.3f s; agent's peak "
                  "%" G_GUINT64_FORMAT " KiB", n_machines, N_THREADS,
                  reporters[n_machines / 2].seconds, reporters[n_machines * 99 / 100].seconds,
                  reporters[n_machines - 1].seconds, peak);
  if (!is_sanitized)
    g_assert_cmpuint (peak, <, 200 * 1024);
  g_assert_cmpuint (agent_ask_as (fixture, "GET", "/v1/machines", "user-admin", NULL, &answer), ==,
                    200);
  g_assert_true (json_parser_load_from_data (parser, answer, -1, NULL));
  root = json_node_get_object (json_parser_get_root (parser));
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (root, "machines")), ==,
                    n_machines);
}

static void
add (const char *path,
     void      (*test) (Fixture      *fixture,
                        gconstpointer data))
{
  g_test_add (path, Fixture, "5", agent_set_up, test,
              agent_tear_down);
}

int
main (int   argc,
      char *argv[])
{
  signal (SIGPIPE, SIG_IGN);
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/agent/version/is-a-binary-version", test_version);
  g_test_add_func ("/agent/usage/says-what-is-wrong", test_usage);
  g_test_add_func ("/agent/conf/bad-ones-are-refused", test_bad_conf);
  add ("/agent/health/needs-no-login", test_health);
  add ("/agent/login/nothing-is-told-without", test_no_login);
  add ("/agent/report/is-seen-by-itself-and-the-admin", test_own_report);
  add ("/agent/report/is-refused-of-another-machine", test_wrong_machine);
  add ("/agent/report/odd-ones-are-refused", test_odd_reports);
  add ("/agent/report/of-another-machine-comes-when-the-first-is-up", test_other_machine);
  add ("/agent/report/goes-to-no-foreign-server", test_foreign_server);
  /* However slow the machine is. */
  g_test_add ("/agent/report/a-thousand-at-once", Fixture, "0.1", agent_set_up,
              test_thousand, agent_tear_down);
  g_test_add ("/agent/input/odd-ones-end", Fixture, "20", agent_set_up,
              test_odd_input, agent_tear_down);
  add ("/agent/input/long-bodies-end", test_long_body);
  /* Nothing is over in time. */
  g_test_add ("/agent/input/one-address-does-not-keep-others-out", Fixture, "0.1", agent_set_up,
              test_one_address, agent_tear_down);
  add ("/agent/tls/old-versions-are-refused", test_old_tls);
  add ("/agent/state/outlives-a-kill", test_restart);
  add ("/agent/state/who-is-silent-for-long-is-down", test_silent_machine);
  add ("/agent/state/bad-ones-are-put-aside", test_bad_state);
  add ("/agent/bootstrap-state/keeps-the-environment", test_bootstrap_state);
  add ("/agent/bootstrap-state/is-not-needed-elsewhere", test_not_needed);

  return g_test_run ();
}
