/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "agent-fixture.h"

#include <signal.h>
#include <string.h>

#include "machine/agent-conf.h"
#include "machine/certificates.h"

/* Of which all passwords are made; it takes some time. */
static const char *
get_secret (void)
{
  static char *secret;

  if (secret == NULL)
    secret = welkin_agent_secret_derive (AGENT_ADMIN_SECRET, AGENT_UUID, NULL);
  return secret;
}

WelkinConfig *
agent_make_config (AgentFixture *self)
{
  g_autofree char *port = g_strdup_printf ("%u", self->port);
  const char *const pairs[][2] = {
    { "uuid", AGENT_UUID }, { "admin-secret", AGENT_ADMIN_SECRET },
    { "ca-cert", self->authority }, { "api-port", port },
  };
  WelkinConfig *config = welkin_config_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      WelkinConfig *larger = welkin_config_with_text (config, pairs[i][0], pairs[i][1], NULL);

      welkin_config_unref (config);
      config = larger;
    }
  return config;
}

/* (transfer full) */
static char *
indent (const char *pem)
{
  g_auto(GStrv) lines = g_strsplit (pem, "\n", -1);

  return g_strjoinv ("\n  ", lines);
}

void
agent_write_conf (AgentFixture *self,
                  const char   *tag,
                  const char   *password,
                  gboolean      serves)
{
  g_autofree char *name = g_strdup_printf ("agents/%s/agent.conf", tag);
  g_autofree char *authority = indent (self->authority);
  g_autofree char *server = g_strdup_printf ("apisecret: %s\napiport: %u\n", get_secret (),
                                             self->port);
  g_autofree char *text = NULL;

  text = g_strdup_printf ("# format 1.18\ntag: %s\ncacert: |\n  %s\n"
                          "apiaddresses: ['localhost:%u']\napipassword: %s\n%s", tag, authority,
                          self->port, password, serves ? server : "");
  home_write (self->home, name, text);
}

char *
agent_get_password (const char *name)
{
  return welkin_agent_password_derive (get_secret (), name);
}

GSubprocess *
agent_spawn (AgentFixture      *self,
             const char *const *program,
             const char        *data_directory,
             const char        *machine_id)
{
  const char *const arguments[] = { "machine", "--data-dir", data_directory, "--machine-id",
                                    machine_id, "--debug" };
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();
  g_auto(GStrv) line = NULL;
  g_autoptr(GSubprocessLauncher) launcher = NULL;
  g_autoptr(GError) error = NULL;
  GSubprocess *agent;

  g_strv_builder_addv (builder, (const char **) program);
  for (gsize i = 0; i < G_N_ELEMENTS (arguments); i++)
    g_strv_builder_add (builder, arguments[i]);
  line = g_strv_builder_end (builder);
  launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDERR_PIPE |
                                        G_SUBPROCESS_FLAGS_STDOUT_SILENCE);
  g_subprocess_launcher_setenv (launcher, "WELKIN_TIME_SCALE", self->time_scale, TRUE);
  agent = g_subprocess_launcher_spawnv (launcher, (const char *const *) line, &error);
  g_assert_no_error (error);
  return agent;
}

GSubprocess *
agent_start (AgentFixture *self,
             const char   *machine_id)
{
  const char *const program[] = { g_getenv ("WELKIN_TEST_AGENT"), NULL };

  return agent_spawn (self, program, self->home->path, machine_id);
}

static gboolean
accept_certificate_cb (SoupMessage         *message,
                       GTlsCertificate     *certificate,
                       GTlsCertificateFlags flags,
                       gpointer             user_data)
{
  AgentFixture *self = user_data;
  g_autoptr(GTlsCertificate) authority = NULL;

  authority = g_tls_certificate_new_from_pem (self->authority, -1, NULL);
  return g_tls_certificate_verify (certificate, NULL, authority) == 0;
}

/* name: (nullable) logs in with this password. (transfer full) */
static SoupMessage *
make_message (AgentFixture *self,
              const char   *method,
              const char   *path,
              const char   *name,
              const char   *password,
              const char   *body)
{
  g_autofree char *uri = g_strdup_printf ("https://localhost:%u%s", self->port, path);
  SoupMessage *message = soup_message_new (method, uri);
  g_autoptr(GBytes) bytes = body != NULL ? g_bytes_new (body, strlen (body)) : NULL;

  if (name != NULL)
    {
      g_autofree char *plain = g_strconcat (name, ":", password, NULL);
      g_autofree char *encoded = g_base64_encode ((const guchar *) plain, strlen (plain));
      g_autofree char *login = g_strconcat ("Basic ", encoded, NULL);

      soup_message_headers_replace (soup_message_get_request_headers (message), "Authorization",
                                    login);
    }
  if (bytes != NULL)
    soup_message_set_request_body_from_bytes (message, "application/json", bytes);
  soup_message_headers_replace (soup_message_get_request_headers (message), "Connection", "close");
  g_signal_connect (message, "accept-certificate", G_CALLBACK (accept_certificate_cb), self);
  return message;
}

guint
agent_ask_with (AgentFixture *self,
                const char   *method,
                const char   *path,
                const char   *name,
                const char   *password,
                const char   *body,
                char        **answer)
{
  g_autoptr(SoupMessage) message = make_message (self, method, path, name, password, body);
  g_autoptr(GBytes) bytes = NULL;

  bytes = soup_session_send_and_read (self->session, message, NULL, NULL);
  if (bytes != NULL && answer != NULL)
    *answer = g_strdup_printf ("%.*s", (int) g_bytes_get_size (bytes),
                               (const char *) g_bytes_get_data (bytes, NULL));
  return bytes != NULL ? soup_message_get_status (message) : 0;
}

guint
agent_ask_as (AgentFixture *self,
              const char   *method,
              const char   *path,
              const char   *name,
              const char   *body,
              char        **answer)
{
  g_autofree char *password = agent_get_password (name);

  return agent_ask_with (self, method, path, name, password, body, answer);
}

void
agent_wait_for_health (AgentFixture *self)
{
  gint64 deadline = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;

  while (agent_ask_with (self, "GET", "/v1/health", NULL, NULL, NULL, NULL) != 200)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      g_usleep (20000);
    }
}

void
agent_wait_for_machine (AgentFixture *self,
                        const char   *path)
{
  gint64 deadline = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;

  while (agent_ask_as (self, "GET", path, "user-admin", NULL, NULL) != 200)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      g_usleep (20000);
    }
}

static guint16
find_port (void)
{
  g_autoptr(GSocketListener) listener = g_socket_listener_new ();
  guint16 port = g_socket_listener_add_any_inet_port (listener, NULL, NULL);

  g_socket_listener_close (listener);
  return port;
}

static void
write_certificate (AgentFixture *self)
{
  g_autofree char *certificate = NULL;
  g_autofree char *private_key = NULL;
  g_autofree char *both = NULL;
  g_autoptr(GError) error = NULL;

  welkin_certificates_make_authority ("lab", &self->authority, &self->authority_key, &error);
  g_assert_no_error (error);
  welkin_certificates_make_server (self->authority, self->authority_key, &certificate,
                                   &private_key, &error);
  g_assert_no_error (error);
  both = g_strconcat (certificate, private_key, NULL);
  home_write (self->home, "server.pem", both);
}

void
agent_prepare (AgentFixture *self,
               const char   *time_scale)
{
  g_autofree char *password = agent_get_password ("machine-0");

  self->time_scale = time_scale;
  self->home = home_new (NULL);
  self->port = find_port ();
  write_certificate (self);
  agent_write_conf (self, "machine-0", password, TRUE);
  self->session = soup_session_new_with_options ("timeout", 20, NULL);
  soup_session_set_tls_database (self->session, NULL);
  self->others = g_ptr_array_new_with_free_func (g_object_unref);
}

void
agent_set_up (AgentFixture *self,
              gconstpointer data)
{
  agent_prepare (self, data);
  self->agent = agent_start (self, "0");
  agent_wait_for_health (self);
}

char *
agent_stop (GSubprocess *agent,
            int          number)
{
  g_autoptr(GError) error = NULL;
  char *said = NULL;

  g_subprocess_send_signal (agent, number);
  g_subprocess_communicate_utf8 (agent, NULL, NULL, NULL, &said, &error);
  g_assert_no_error (error);
  return said;
}

static void
end_well (GSubprocess *agent)
{
  g_autofree char *said = agent_stop (agent, SIGTERM);

  g_assert_true (g_subprocess_get_if_exited (agent));
  g_assert_cmpint (g_subprocess_get_exit_status (agent), ==, 0);
  if (strstr (said, "CRITICAL") != NULL)
    g_test_message ("%s", said);
  g_assert_null (strstr (said, "CRITICAL"));
  g_assert_null (strstr (said, get_secret ()));
}

void
agent_tear_down (AgentFixture *self,
                 gconstpointer data)
{
  for (guint i = 0; i < self->others->len; i++)
    {
      GSubprocess *other = g_ptr_array_index (self->others, i);

      g_subprocess_send_signal (other, SIGTERM);
      g_subprocess_wait (other, NULL, NULL);
    }
  if (self->agent != NULL)
    end_well (self->agent);
  g_ptr_array_unref (self->others);
  g_clear_object (&self->agent);
  g_object_unref (self->session);
  g_free (self->authority_key);
  g_free (self->authority);
  home_free (self->home);
}
