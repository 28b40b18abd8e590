/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/agent-listener.h"
#include "agent/agent-server.h"
#include "fuzz-driver.h"
#include "machine/agent-conf.h"

/* What comes to the agent when hands are shaken. Whoever does not log in learns how it is, and
 * nothing else. */

#define SECRET "secret of the fuzzer"
#define OK "HTTP/1.1 2"
/* Any of them goes between the words of a header. */
#define SPACES " \t\r\n\v\f"

/* Names that the corpus logs in with. */
static const char *const names[] = { "machine-7", "user-admin" };

typedef struct
{
  char         *directory; /* (owned) */
  AgentSettings settings;
  AgentState   *state;     /* (owned) */
  AgentServer  *server;    /* (owned) */
} World;

static World world;

static void
remove_directory (void)
{
  g_autofree char *agents = g_build_filename (world.directory, "agents", NULL);
  g_autofree char *file = g_build_filename (agents, "state.json", NULL);

  agent_server_free (world.server);
  while (agent_state_is_saving (world.state))
    g_main_context_iteration (NULL, TRUE);
  agent_state_free (world.state);
  g_remove (file);
  g_rmdir (agents);
  g_rmdir (world.directory);
  g_free (world.directory);
}

/* Where writing it to the end takes no time, if there is such a place. */
static char *
make_directory (void)
{
  g_autofree char *quick = g_strdup ("/dev/shm/welkin-fuzz-XXXXXX");

  if (g_mkdtemp (quick) != NULL)
    return g_steal_pointer (&quick);
  return g_dir_make_tmp ("welkin-fuzz-XXXXXX", NULL);
}

/* libsoup takes a body whose length is below 0 for one that goes to the end, and GObject complains
 * of that. */
static gboolean
is_fatal_cb (const char     *domain,
             GLogLevelFlags  level,
             const char     *message,
             gpointer        user_data)
{
  return strstr (message, "'content-length'") == NULL;
}

static void
log_cb (const char     *domain,
        GLogLevelFlags  level,
        const char     *message,
        gpointer        user_data)
{
  if (is_fatal_cb (domain, level, message, user_data))
    g_log_default_handler (domain, level, message, user_data);
}

static void
make_world (void)
{
  g_autofree char *agents = NULL;

  g_log_set_handler ("GLib-GObject", G_LOG_LEVEL_WARNING | G_LOG_FLAG_FATAL, log_cb, NULL);
  signal (SIGPIPE, SIG_IGN);
  world.directory = make_directory ();
  agents = g_build_filename (world.directory, "agents", NULL);
  g_mkdir (agents, 0700);
  world.settings.secret = (char *) SECRET;
  world.state = agent_state_load (world.directory, NULL);
  agent_state_set_environment (world.state, "lab", "openstack", "of-the-fuzzer");
  world.server = agent_server_new (&world.settings, world.state);
  atexit (remove_directory);
}

/* However it is folded or spelt: what decodes to a name and its password logs in. */
static gboolean
has_login (const char *text)
{
  for (const char *place = strpbrk (text, SPACES); place != NULL;
       place = strpbrk (place + 1, SPACES))
    {
      gsize length;
      g_autofree guchar *decoded = g_base64_decode (place, &length);

      for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
        {
          g_autofree char *password = welkin_agent_password_derive (SECRET, names[i]);
          g_autofree char *login = g_strconcat (names[i], ":", password, NULL);

          if (length >= strlen (login) && memcmp (decoded, login, strlen (login)) == 0)
            return TRUE;
        }
    }
  return FALSE;
}

/* All that comes back to the end. (transfer full) */
static char *
read_answer (int fd)
{
  g_autoptr(GString) answer = g_string_new (NULL);
  gint64 deadline = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;
  char buffer[4096];
  gssize length;

  while ((length = recv (fd, buffer, sizeof buffer, MSG_DONTWAIT)) != 0)
    {
      if (length > 0)
        g_string_append_len (answer, buffer, length);
      else if (errno != EAGAIN)
        break;
      else
        g_main_context_iteration (NULL, FALSE);
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
    }
  return g_string_free (g_steal_pointer (&answer), FALSE);
}

/* The agent closes it when it has the last hold of it. */
static int
connect_to_agent (void)
{
  g_autoptr(GSocketConnection) connection = NULL;
  g_autoptr(GSocketAddress) address = g_inet_socket_address_new_from_string ("192.0.2.1", 1);
  g_autoptr(GSocket) socket = NULL;
  int fds[2];

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), ==, 0);
  socket = g_socket_new_from_fd (fds[0], NULL);
  connection = g_socket_connection_factory_create_connection (socket);
  agent_listener_let_in (agent_server_get_http (world.server), G_IO_STREAM (connection), address,
                         address);
  return fds[1];
}

/* (transfer full) what the agent answers */
static char *
tell (const guint8 *data,
      gsize         size)
{
  int fd = connect_to_agent ();
  char *answer;

  /* The buffer of the socket takes all that the agent would. */
  while (size > 0)
    {
      gssize length = send (fd, data, size, MSG_DONTWAIT);

      if (length < 0)
        break;
      data += length;
      size -= (gsize) length;
    }
  shutdown (fd, SHUT_WR);
  answer = read_answer (fd);
  close (fd);
  return answer;
}

/* libsoup 3.2 forgets the path of a request whose headers are none. The sanitizer, whose name this
 * is, cannot tell whose it was, because GLib has no frame pointers; test-agent looks for what we
 * forget. */
const char *__asan_default_options (void);

const char *
__asan_default_options (void)
{
  return "detect_leaks=0";
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autofree char *text = g_strnfill (size, ' ');
  g_autofree char *answer = NULL;

  for (gsize i = 0; i < size; i++)
    if (data[i] != '\0')
      text[i] = (char) data[i];
  if (world.directory == NULL)
    make_world ();
  /* Each test forgets it. */
  g_test_log_set_fatal_handler (is_fatal_cb, NULL);
  answer = tell (data, size);
  g_assert_null (strstr (answer, SECRET));
  if (has_login (text))
    return 0;
  g_assert_null (strstr (answer, "of-the-fuzzer"));
  if (strstr (text, "health") == NULL && strchr (text, '%') == NULL)
    g_assert_null (strstr (answer, OK));
  return 0;
}
