/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "ssh-server.h"

#include <sys/prctl.h>
#include <unistd.h>

#include "machine/keys.h"

#define SSHD "/usr/sbin/sshd"

gboolean
ssh_server_is_there (void)
{
  g_autofree char *client = g_find_program_in_path ("ssh");

  if (client != NULL && g_file_test (SSHD, G_FILE_TEST_IS_EXECUTABLE))
    return TRUE;
  g_test_skip ("openssh-server or openssh-client is not installed");
  return FALSE;
}

guint16
ssh_server_find_port (void)
{
  g_autoptr(GSocketListener) listener = g_socket_listener_new ();
  guint16 port = g_socket_listener_add_any_inet_port (listener, NULL, NULL);

  g_assert_cmpuint (port, !=, 0);
  g_socket_listener_close (listener);
  return port;
}

static void
make_authorized_keys (SshServer *self)
{
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) keys = NULL;
  g_autofree char *path = NULL;
  g_autofree char *public_key = NULL;

  welkin_client_keys_ensure (self->home->surroundings, NULL, &error);
  g_assert_no_error (error);
  keys = welkin_client_keys_list (self->home->surroundings, &error);
  g_assert_no_error (error);
  path = g_strconcat (keys[0], ".pub", NULL);
  g_assert_true (g_file_get_contents (path, &public_key, NULL, NULL));
  home_write (self->home, "authorized_keys", public_key);
}

/* sshd wants it when it runs as root, and the package makes it at boot. */
static void
ensure_separation_directory (void)
{
  if (getuid () == 0)
    g_assert_cmpint (g_mkdir_with_parents ("/run/sshd", 0755), ==, 0);
}

SshServer *
ssh_server_new (Home       *home,
                const char *address,
                guint16     port,
                const char *command)
{
  SshServer *self = g_new0 (SshServer, 1);
  g_autofree char *config = NULL;
  g_autofree char *config_name = g_strconcat ("sshd_config-", address, NULL);
  g_autofree char *key_name = g_strconcat ("host-key-", address, NULL);
  g_autofree char *private_key = NULL;
  g_autofree char *force = NULL;

  self->home = home;
  self->address = g_strdup (address);
  self->port = port;
  g_assert_true (welkin_ssh_key_generate ("host", &private_key, &self->public_key, NULL));
  home_write (home, key_name, private_key);
  make_authorized_keys (self);
  ensure_separation_directory ();
  force = command != NULL ? g_strdup_printf ("ForceCommand %s\n", command) : g_strdup ("");
  config = g_strdup_printf ("ListenAddress %s:%u\n"
                            "HostKey %s/%s\n"
                            "AuthorizedKeysFile %s/authorized_keys\n"
                            "PidFile none\n"
                            "StrictModes no\n"
                            "UsePAM no\n"
                            "PermitRootLogin yes\n"
                            "PasswordAuthentication no\n"
                            "KbdInteractiveAuthentication no\n"
                            "SetEnv PATH=%s/bin:/usr/bin:/bin\n"
                            "%s",
                            address, port, home->path, key_name, home->path, home->path, force);
  home_write (home, config_name, config);
  return self;
}

/* Whether anybody listens there by now. */
static gboolean
is_up (SshServer *self)
{
  g_autoptr(GSocketClient) client = g_socket_client_new ();
  g_autoptr(GSocketConnection) connection = NULL;

  connection = g_socket_client_connect_to_host (client, self->address, self->port, NULL, NULL);
  return connection != NULL;
}

/* It ends with the test, however that ends. */
static void
prepare_child (gpointer data)
{
  prctl (PR_SET_PDEATHSIG, SIGTERM);
}

void
ssh_server_start (SshServer *self)
{
  g_autofree char *name = g_strconcat ("sshd_config-", self->address, NULL);
  g_autofree char *path = home_get_path (self->home, name);
  g_autofree char *log = home_get_path (self->home, "sshd.log");
  g_autoptr(GSubprocessLauncher) launcher = NULL;
  g_autoptr(GError) error = NULL;

  launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE
                                        | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_subprocess_launcher_set_child_setup (launcher, prepare_child, NULL, NULL);
  self->process = g_subprocess_launcher_spawn (launcher, &error, SSHD, "-D", "-f", path, "-E", log,
                                               NULL);
  g_assert_no_error (error);
  for (guint i = 0; i < 500 && !is_up (self); i++)
    g_usleep (10000);
  g_assert_true (is_up (self));
}

void
ssh_server_free (SshServer *self)
{
  if (self->process != NULL)
    {
      g_subprocess_send_signal (self->process, SIGTERM);
      g_subprocess_wait (self->process, NULL, NULL);
    }
  g_clear_object (&self->process);
  g_free (self->public_key);
  g_free (self->address);
  g_free (self);
}

WelkinSurroundings *
ssh_server_make_surroundings (Home   *home,
                              guint16 port)
{
  g_autofree char *wrapper = NULL;
  g_autofree char *path = home_get_path (home, "ssh");
  g_autofree char *home_variable = g_strconcat ("HOME=", home->path, NULL);
  g_autofree char *ssh_variable = g_strconcat ("WELKIN_SSH=", path, NULL);
  const char *variables[] = { home_variable, ssh_variable, NULL };

  wrapper = g_strdup_printf ("#!/bin/sh\nexec ssh -F none -p %u \"$@\"\n", port);
  home_write (home, "ssh", wrapper);
  g_assert_cmpint (g_chmod (path, 0700), ==, 0);
  return welkin_surroundings_new (variables, "/");
}
