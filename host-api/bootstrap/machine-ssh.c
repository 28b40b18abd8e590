/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * How to log in to machines, and to copy files from and to them: a command line, for whoever has
 * the terminal. The host key is the one that is remembered of the machine, whatever its address is.
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/attempt.h"
#include "base/flow.h"
#include "bootstrap/known-hosts.h"
#include "bootstrap/machine-record.h"
#include "bootstrap/open-remembered.h"
#include "bootstrap/welkin-machines.h"
#include "contracts/welkin-environ.h"
#include "machine/keys.h"
#include "machine/ssh.h"
#include "values/surroundings-clock.h"
#include "values/welkin-error.h"

#define FILE_PATTERN "^((?:0|[1-9][0-9]*)(?:/[a-z]+/[0-9]+)*):(.*)$"

/* Just started, a machine may have no address yet. */
static const WkAttemptStrategy patience = { .total = 5, .delay = 0.5 };

typedef struct
{
  /* inputs */
  WelkinEnvironments  *environments; /* (owned) */
  char                *name;         /* (owned) */
  char               **arguments;    /* (owned) */
  WelkinSshFlags       flags;

  /* while running */
  WelkinEnviron       *environment;  /* (owned) (nullable) */
  WelkinInfo          *info;         /* (owned) (nullable) */
  WelkinSsh           *ssh;          /* (owned) (nullable) */
  GHashTable          *machines;     /* (owned) ids to ids of instances */
  GHashTable          *addresses;    /* (owned) ids to addresses */
  WkAttempt            attempt;
  gboolean             is_over;
} Login;

static void
login_free (gpointer data)
{
  Login *self = data;

  wk_attempt_clear (&self->attempt);
  g_hash_table_unref (self->addresses);
  g_hash_table_unref (self->machines);
  g_clear_pointer (&self->ssh, welkin_ssh_unref);
  g_clear_object (&self->info);
  g_clear_object (&self->environment);
  g_strfreev (self->arguments);
  g_free (self->name);
  g_object_unref (self->environments);
  g_free (self);
}

static gboolean
add_machine (Login      *self,
             const char *id,
             GError    **error)
{
  g_autoptr(WelkinMachineRecord) record = welkin_machine_record_load (self->info, id);
  const char *instance_id;

  if (record == NULL)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND, _("unknown machine \"%s\""), id);
      return FALSE;
    }
  instance_id = welkin_machine_record_get (record, "instance-id");
  if (instance_id == NULL)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND, _("machine %s is not started"),
                   id);
      return FALSE;
    }
  g_hash_table_insert (self->machines, g_strdup (id), g_strdup (instance_id));
  return TRUE;
}

/* "7:/etc/motd": the file of a machine. */
static gboolean
split_file (const char *argument,
            char      **id,
            char      **path)
{
  g_autoptr(GRegex) pattern = g_regex_new (FILE_PATTERN, G_REGEX_DOTALL, 0, NULL);
  g_autoptr(GMatchInfo) match = NULL;

  if (!g_regex_match (pattern, argument, 0, &match))
    return FALSE;
  *id = g_match_info_fetch (match, 1);
  *path = g_match_info_fetch (match, 2);
  return TRUE;
}

static gboolean
add_machines (Login   *self,
              GError **error)
{
  if ((self->flags & WELKIN_SSH_COPY) == 0)
    return add_machine (self, self->arguments[0], error);
  for (gsize i = 0; self->arguments[i] != NULL; i++)
    {
      g_autofree char *id = NULL;
      g_autofree char *path = NULL;

      if (split_file (self->arguments[i], &id, &path) && !add_machine (self, id, error))
        return FALSE;
    }
  return TRUE;
}

/* With several machines at once there is one rule for all of them: the user's own. */
static gboolean
choose_host_key (Login   *self,
                 GError **error)
{
  g_autofree const char **ids = (const char **) g_hash_table_get_keys_as_array (self->machines,
                                                                                NULL);
  g_autoptr(WelkinMachineRecord) record = NULL;
  g_autofree char *alias = NULL;
  g_autofree char *path = NULL;

  if (g_hash_table_size (self->machines) != 1)
    return TRUE;
  record = welkin_machine_record_load (self->info, ids[0]);
  alias = welkin_known_hosts_make_alias (welkin_info_get_config (self->info), ids[0]);
  path = welkin_known_hosts_write (self->info, record, alias, error);
  if (path == NULL)
    return FALSE;
  welkin_ssh_take_first_key (self->ssh, alias, path);
  return TRUE;
}

/* A pair that were made now, no machine would know. */
static gboolean
warn_of_lost_keys (WelkinSurroundings *surroundings,
                   GError            **error)
{
  g_auto(GStrv) keys = welkin_client_keys_list (surroundings, error);
  g_autofree char *directory = NULL;

  if (keys == NULL)
    return FALSE;
  if (keys[0] != NULL)
    return TRUE;
  directory = welkin_client_keys_get_directory (surroundings, error);
  if (directory == NULL)
    return FALSE;
  g_warning (_("there is no key of ours in \"%s\": machines that were started with one may refuse "
               "others; bring it back, or use one of authorized-keys"), directory);
  return TRUE;
}

static gboolean
login_open (Login   *self,
            GError **error)
{
  WelkinSurroundings *surroundings = welkin_environments_get_surroundings (self->environments);
  WelkinConfig *config;

  if (!welkin_open_remembered (self->environments, self->name, &self->environment, &self->info,
                               error)
      || !add_machines (self, error))
    return FALSE;
  config = welkin_environ_get_config (self->environment);
  self->ssh = welkin_ssh_new (surroundings, welkin_config_get_string (config, "ssh-user"), error);
  return self->ssh != NULL && warn_of_lost_keys (surroundings, error)
         && choose_host_key (self, error);
}

static void
begin_find (Login              *self,
            GCancellable       *cancellable,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();
  g_auto(GStrv) ids = NULL;
  GHashTableIter iter;
  gpointer instance_id;

  g_hash_table_iter_init (&iter, self->machines);
  while (g_hash_table_iter_next (&iter, NULL, &instance_id))
    g_strv_builder_add (builder, instance_id);
  ids = g_strv_builder_end (builder);
  welkin_environ_find_instances_async (self->environment, (const char *const *) ids, cancellable,
                                       callback, user_data);
}

/* What the user has named, or else an address; NULL when there is none. (transfer full) */
static char *
choose_host (Login          *self,
             const char     *id,
             WelkinInstance *instance)
{
  const char *host = welkin_config_get_string (welkin_environ_get_config (self->environment),
                                               "ssh-host");
  WelkinAddress *address = welkin_instance_select_address (instance);

  if (*host != '\0' && g_str_equal (id, WELKIN_BOOTSTRAP_MACHINE))
    return g_strdup (host);
  return address != NULL ? g_strdup (welkin_address_get_value (address)) : NULL;
}

/* Whether all have an address by now. FALSE with an error: one is gone, or the question failed. */
static gboolean
finish_find (Login        *self,
             GAsyncResult *result,
             GError      **error)
{
  g_autoptr(WelkinInstances) instances = NULL;
  GHashTableIter iter;
  gpointer id;
  gpointer instance_id;

  instances = welkin_environ_find_instances_finish (self->environment, result, error);
  if (instances == NULL)
    return FALSE;
  g_hash_table_iter_init (&iter, self->machines);
  while (g_hash_table_iter_next (&iter, &id, &instance_id))
    {
      WelkinInstance *instance = welkin_instances_lookup (instances, instance_id);
      g_autofree char *host = NULL;

      if (instance == NULL)
        {
          g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND,
                       _("the instance of machine %s is gone"), (const char *) id);
          return FALSE;
        }
      host = choose_host (self, id, instance);
      if (host == NULL)
        {
          if (self->is_over)
            g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NO_ADDRESS_YET,
                         _("machine \"%s\" has no public address"), (const char *) id);
          return FALSE;
        }
      g_hash_table_insert (self->addresses, g_strdup (id), g_steal_pointer (&host));
    }
  return TRUE;
}

static void
add_login (Login        *self,
           GStrvBuilder *command)
{
  const char *address = g_hash_table_lookup (self->addresses, self->arguments[0]);
  g_autofree char *target = g_strdup_printf ("%s@%s", welkin_ssh_get_user (self->ssh), address);

  if ((self->flags & WELKIN_SSH_TERMINAL) != 0)
    g_strv_builder_add_many (command, "-t", "-t", NULL);
  g_strv_builder_add (command, target);
  g_strv_builder_addv (command, (const char **) self->arguments + 1);
}

static void
add_files (Login        *self,
           GStrvBuilder *command)
{
  for (gsize i = 0; self->arguments[i] != NULL; i++)
    {
      g_autofree char *id = NULL;
      g_autofree char *path = NULL;
      g_autofree char *file = NULL;
      const char *address;

      if (split_file (self->arguments[i], &id, &path))
        {
          address = g_hash_table_lookup (self->addresses, id);
          file = g_strdup_printf (strchr (address, ':') != NULL ? "%s@[%s]:%s" : "%s@%s:%s",
                                  welkin_ssh_get_user (self->ssh), address, path);
        }
      g_strv_builder_add (command, file != NULL ? file : self->arguments[i]);
    }
}

/* Known only now whether there is a copier: it comes with the client. */
static char **
make_command (Login   *self,
              GError **error)
{
  WelkinSurroundings *surroundings = welkin_environments_get_surroundings (self->environments);
  gboolean copies = (self->flags & WELKIN_SSH_COPY) != 0;
  g_autofree char *program = welkin_ssh_find_program (surroundings, copies, error);
  g_auto(GStrv) options = welkin_ssh_make_options (self->ssh);
  g_autoptr(GStrvBuilder) command = g_strv_builder_new ();

  if (program == NULL)
    return NULL;
  g_strv_builder_add (command, program);
  g_strv_builder_addv (command, (const char **) options);
  if (copies)
    add_files (self, command);
  else
    add_login (self, command);
  return g_strv_builder_end (command);
}

static void
login_run (WkFlow  *flow,
           gpointer user_data)
{
  Login *self = user_data;
  char **command;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!login_open (self, &error))
    WK_FAIL (flow, &error, NULL);
  while (TRUE)
    {
      WK_AWAIT (flow, begin_find (self, WK_RESUME (flow)));
      if (finish_find (self, WK_RESULT (flow), &error))
        break;
      if (error != NULL)
        WK_FAIL (flow, &error, NULL);
      WK_AWAIT (flow, wk_attempt_next_async (&self->attempt, WK_RESUME (flow)));
      self->is_over = !wk_attempt_next_finish (&self->attempt, WK_RESULT (flow), &error);
      if (error != NULL)
        WK_FAIL (flow, &error, NULL);
    }

  command = make_command (self, &error);
  if (command == NULL)
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, command, (GDestroyNotify) g_strfreev);

  WK_FLOW_END (flow);
}

/**
 * WelkinSshFlags:
 * @WELKIN_SSH_NONE: to run something on a machine
 * @WELKIN_SSH_TERMINAL: to log in from a terminal
 * @WELKIN_SSH_COPY: to copy files
 *
 * What the command line is for.
 *
 * Since: 0.1
 */

/**
 * welkin_ssh_command_async:
 * @environments: where the environment is remembered
 * @name: which one
 * @arguments: (array zero-terminated=1): the id of a machine, and what is to be run there; or with
 *   %WELKIN_SSH_COPY what scp is to be given, with "7:PATH" for a file of machine 7
 * @flags: what the command is for
 * @cancellable: (nullable): gives up
 * @callback: (scope async): called in the thread-default main context of the call
 * @user_data: for @callback
 *
 * Asks the cloud how machines are reached, for up to five seconds while they have no address, and
 * makes the command line that logs in to them with the user's own client.
 *
 * Since: 0.1
 */
void
welkin_ssh_command_async (WelkinEnvironments *environments,
                          const char         *name,
                          const char *const  *arguments,
                          WelkinSshFlags      flags,
                          GCancellable       *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer            user_data)
{
  Login *self;
  g_autoptr(WkClock) clock = NULL;

  g_return_if_fail (WELKIN_IS_ENVIRONMENTS (environments));
  g_return_if_fail (name != NULL);
  g_return_if_fail (arguments != NULL && arguments[0] != NULL);

  self = g_new0 (Login, 1);
  self->environments = g_object_ref (environments);
  self->name = g_strdup (name);
  self->arguments = g_strdupv ((char **) arguments);
  self->flags = flags;
  self->machines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->addresses = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  clock = welkin_surroundings_make_clock (welkin_environments_get_surroundings (environments));
  wk_attempt_init (&self->attempt, &patience, clock);

  wk_flow_start (environments, cancellable, callback, user_data, welkin_ssh_command_async,
                 login_run, self, login_free);
}

/**
 * welkin_ssh_command_finish:
 * @environments: the environments
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends welkin_ssh_command_async(). Errors to expect beside those of the provider:
 * %WELKIN_ERROR_NOT_FOUND (no such machine, or no client) and %WELKIN_ERROR_NO_ADDRESS_YET.
 *
 * Returns: (transfer full) (array zero-terminated=1): the program and its arguments
 *
 * Since: 0.1
 */
char **
welkin_ssh_command_finish (WelkinEnvironments *environments,
                           GAsyncResult       *result,
                           GError            **error)
{
  return wk_flow_finish_pointer (result, environments, welkin_ssh_command_async, error);
}
