/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "machine/ssh.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "machine/child-process.h"
#include "machine/keys.h"
#include "values/welkin-error.h"

struct _WelkinSsh
{
  gatomicrefcount references;
  char           *program;     /* (owned) */
  char           *user;        /* (owned) */
  char          **identities;  /* (owned) paths of private keys */

  /* which host key is good */
  const char     *check;       /* for StrictHostKeyChecking */
  char           *alias;       /* (owned) (nullable) */
  char           *known_hosts; /* (owned) (nullable) */
  gboolean        owns_file;   /* known_hosts is removed in the end */
};

/* The client's default ones, which it forgets when it is given others. */
static const char *const default_identities[] = {
  "identity", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519",
};

static char **
list_identities (WelkinSurroundings *surroundings,
                 GError            **error)
{
  g_auto(GStrv) own = welkin_client_keys_list (surroundings, error);
  g_autoptr(GStrvBuilder) identities = g_strv_builder_new ();
  const char *home = welkin_surroundings_get_home (surroundings);

  if (own == NULL)
    return NULL;
  g_strv_builder_addv (identities, (const char **) own);
  for (gsize i = 0; home != NULL && i < G_N_ELEMENTS (default_identities); i++)
    {
      g_autofree char *path = g_build_filename (home, ".ssh", default_identities[i], NULL);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        g_strv_builder_add (identities, path);
    }
  return g_strv_builder_end (identities);
}

char *
welkin_ssh_find_program (WelkinSurroundings *surroundings,
                         gboolean            copies,
                         GError            **error)
{
  const char *variable = copies ? "WELKIN_SCP" : "WELKIN_SSH";
  const char *name = welkin_surroundings_get_variable (surroundings, variable);
  char *program = g_find_program_in_path (name != NULL ? name : copies ? "scp" : "ssh");

  if (program == NULL)
    g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND,
                         _("no SSH client available"));
  return program;
}

WelkinSsh *
welkin_ssh_new (WelkinSurroundings *surroundings,
                const char         *user,
                GError            **error)
{
  g_autofree char *program = welkin_ssh_find_program (surroundings, FALSE, error);
  g_auto(GStrv) identities = NULL;
  WelkinSsh *self;

  if (program == NULL)
    return NULL;
  identities = list_identities (surroundings, error);
  if (identities == NULL)
    return NULL;

  self = g_new0 (WelkinSsh, 1);
  g_atomic_ref_count_init (&self->references);
  self->program = g_steal_pointer (&program);
  self->user = g_strdup (user);
  self->identities = g_steal_pointer (&identities);
  self->check = "yes";
  return self;
}

WelkinSsh *
welkin_ssh_ref (WelkinSsh *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

const char *
welkin_ssh_get_user (WelkinSsh *self)
{
  return self->user;
}

static void
forget_keys (WelkinSsh *self)
{
  if (self->owns_file)
    g_unlink (self->known_hosts);
  self->owns_file = FALSE;
  g_clear_pointer (&self->known_hosts, g_free);
  g_clear_pointer (&self->alias, g_free);
}

void
welkin_ssh_unref (WelkinSsh *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  forget_keys (self);
  g_strfreev (self->identities);
  g_free (self->user);
  g_free (self->program);
  g_free (self);
}

char *
welkin_ssh_print_known (const char *alias,
                        const char *public_keys)
{
  g_auto(GStrv) keys = g_strsplit (public_keys, "\n", -1);
  GString *text = g_string_new (NULL);

  for (gsize i = 0; keys[i] != NULL; i++)
    g_string_append_printf (text, "%s %s\n", alias, keys[i]);
  return g_string_free (text, FALSE);
}

gboolean
welkin_ssh_expect_keys (WelkinSsh  *self,
                        const char *alias,
                        const char *public_keys,
                        GError    **error)
{
  g_autofree char *text = welkin_ssh_print_known (alias, public_keys);
  int file;

  forget_keys (self);
  file = g_file_open_tmp ("welkin-known-hosts-XXXXXX", &self->known_hosts, error);
  if (file < 0)
    return FALSE;
  close (file);
  self->owns_file = TRUE;
  self->alias = g_strdup (alias);
  self->check = "yes";
  return g_file_set_contents_full (self->known_hosts, text, -1, G_FILE_SET_CONTENTS_NONE, 0600,
                                   error);
}

void
welkin_ssh_take_any_key (WelkinSsh *self)
{
  forget_keys (self);
  self->known_hosts = g_strdup ("/dev/null");
  self->check = "no";
}

void
welkin_ssh_take_first_key (WelkinSsh  *self,
                           const char *alias,
                           const char *known_hosts)
{
  forget_keys (self);
  self->alias = g_strdup (alias);
  self->known_hosts = g_strdup (known_hosts);
  self->check = "accept-new";
}

static void
add_option (GStrvBuilder *arguments,
            const char   *name,
            const char   *value)
{
  g_autofree char *option = g_strdup_printf ("%s=%s", name, value);

  g_strv_builder_add_many (arguments, "-o", option, NULL);
}

/* A path in an option is read as words with escapes and tokens. */
static void
add_path (GStrvBuilder *arguments,
          const char   *name,
          const char   *path)
{
  g_autoptr(GString) quoted = g_string_new (path);
  g_autofree char *value = NULL;

  g_string_replace (quoted, "%", "%%", 0);
  g_string_replace (quoted, "\\", "\\\\", 0);
  g_string_replace (quoted, "\"", "\\\"", 0);
  value = g_strdup_printf ("\"%s\"", quoted->str);
  add_option (arguments, name, value);
}

static void
add_options (WelkinSsh    *self,
             GStrvBuilder *arguments)
{
  add_option (arguments, "PasswordAuthentication", "no");
  add_option (arguments, "StrictHostKeyChecking", self->check);
  if (self->alias != NULL)
    add_option (arguments, "HostKeyAlias", self->alias);
  if (self->known_hosts != NULL)
    {
      add_path (arguments, "UserKnownHostsFile", self->known_hosts);
      add_option (arguments, "GlobalKnownHostsFile", "/dev/null");
    }
  if (self->owns_file)
    add_option (arguments, "HostKeyAlgorithms", "ssh-ed25519");
  for (gsize i = 0; self->identities[i] != NULL; i++)
    g_strv_builder_add_many (arguments, "-i", self->identities[i], NULL);
}

char **
welkin_ssh_make_options (WelkinSsh *self)
{
  g_autoptr(GStrvBuilder) arguments = g_strv_builder_new ();

  add_options (self, arguments);
  return g_strv_builder_end (arguments);
}

/* Without anybody at a keyboard. An address where nobody answers costs ten seconds, a machine that
 * dies a minute. A connection of the user's own that is shared with others would not show the
 * host's key. (transfer full) */
static char **
make_command (WelkinSsh  *self,
              const char *address,
              const char *command)
{
  g_autoptr(GStrvBuilder) arguments = g_strv_builder_new ();

  g_strv_builder_add_many (arguments, self->program, "-T", NULL);
  add_option (arguments, "BatchMode", "yes");
  add_option (arguments, "ConnectTimeout", "10");
  add_option (arguments, "ServerAliveInterval", "15");
  add_option (arguments, "ServerAliveCountMax", "4");
  add_option (arguments, "ControlMaster", "no");
  add_option (arguments, "ControlPath", "none");
  add_option (arguments, "LogLevel", "ERROR");
  add_options (self, arguments);
  g_strv_builder_add_many (arguments, "-l", self->user, "--", address, command, NULL);
  return g_strv_builder_end (arguments);
}

void
welkin_ssh_run_async (WelkinSsh          *self,
                      const char         *address,
                      const char         *command,
                      const char         *input,
                      double              seconds,
                      WelkinProgress     *progress,
                      GCancellable       *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer            user_data)
{
  g_auto(GStrv) arguments = make_command (self, address, command);

  welkin_child_process_run_async ((const char *const *) arguments, input, seconds, progress,
                                  cancellable, callback, user_data);
}

char *
welkin_ssh_run_finish (WelkinSsh    *self,
                       GAsyncResult *result,
                       GError      **error)
{
  return welkin_child_process_run_finish (result, error);
}
