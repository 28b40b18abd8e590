/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* fake-openstack: the fake as a program. */

#include <glib-unix.h>
#include <locale.h>

#include "fake-cloud.h"

static int port = 0;
static char *port_file = NULL;
static int n_servers = 0;
static int build_delay = -1;
static int latency = 0;
static gboolean demo_env = FALSE;
static char *certificate = NULL;
static char *address = NULL;
static char *guests = NULL;

static const GOptionEntry entries[] = {
  { "port", 0, 0, G_OPTION_ARG_INT, &port, "Listen on this port", "N" },
  { "address", 0, 0, G_OPTION_ARG_STRING, &address, "Listen there and not on 127.0.0.1",
    "ADDRESS" },
  { "port-file", 0, 0, G_OPTION_ARG_FILENAME, &port_file,
    "Write the port to FILE when ready", "FILE" },
  { "servers", 0, 0, G_OPTION_ARG_INT, &n_servers, "Start with N servers in project demo", "N" },
  { "build-delay", 0, 0, G_OPTION_ARG_INT, &build_delay, "Servers are in BUILD for MS", "MS" },
  { "latency", 0, 0, G_OPTION_ARG_INT, &latency, "Answer after MS", "MS" },
  { "certificate", 0, 0, G_OPTION_ARG_FILENAME, &certificate,
    "Speak TLS with the certificate and key in FILE", "FILE" },
  { "guests", 0, 0, G_OPTION_ARG_FILENAME, &guests,
    "Boot a guest behind each server, by PROGRAM, which is tests/guest/guest", "PROGRAM" },
  { "demo-env", 0, 0, G_OPTION_ARG_NONE, &demo_env,
    "Print the variables of user demo for a shell", NULL },
  { NULL }
};

static gboolean
quit_cb (gpointer user_data)
{
  g_main_loop_quit (user_data);
  return G_SOURCE_CONTINUE;
}

static void
print_environment (FakeCloud *cloud)
{
  g_auto (GStrv) environment = fake_cloud_dup_environment (cloud, "demo", "demo");

  for (guint i = 0; environment[i] != NULL; i++)
    {
      g_auto (GStrv) pair = g_strsplit (environment[i], "=", 2);
      g_autofree char *quoted = g_shell_quote (pair[1]);

      g_print ("export %s=%s\n", pair[0], quoted);
    }
}

static gboolean
set_up (FakeCloud *cloud, GError **error)
{
  const char *url = fake_cloud_get_url (cloud);

  if (build_delay >= 0)
    fake_cloud_set (cloud, "build-delay", build_delay);
  fake_cloud_set (cloud, "latency", latency);
  if (guests != NULL)
    fake_cloud_boot_guests (cloud, guests);
  if (n_servers > 0)
    {
      g_autofree char *servers =
        g_strdup_printf ("{'name': 'server', 'project': 'demo', 'network': 'private',"
                         " 'metadata': {'made': 'for the benchmark'}, 'count': %d}",
                         n_servers);

      fake_cloud_add (cloud, "server", servers);
    }
  if (demo_env)
    print_environment (cloud);
  else
    g_print ("%s\n", url);

  return port_file == NULL
         || g_file_set_contents (port_file, strrchr (url, ':') + 1, -1, error);
}

int
main (int argc, char **argv)
{
  g_autoptr(GOptionContext) context = g_option_context_new ("- an OpenStack on loopback");
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GError) error = NULL;
  g_autoptr (FakeCloud) cloud = NULL;

  setlocale (LC_ALL, "");
  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      g_printerr ("fake-openstack: %s\n", error->message);
      return 2;
    }

  cloud = fake_cloud_new_at (address != NULL ? address : "127.0.0.1", (guint) port, certificate,
                             &error);
  if (cloud == NULL || !set_up (cloud, &error))
    {
      g_printerr ("fake-openstack: %s\n", error->message);
      return 1;
    }
  g_unix_signal_add (SIGTERM, quit_cb, loop);
  g_unix_signal_add (SIGINT, quit_cb, loop);
  g_main_loop_run (loop);
  g_free (port_file);
  g_free (certificate);
  g_free (address);
  g_free (guests);
  return 0;
}
