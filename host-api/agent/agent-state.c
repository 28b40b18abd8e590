/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "agent/agent-state.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "agent/agent-json.h"
#include "agent/agent-settings.h"
#include "base/work.h"

#define MODE 0600

struct _AgentState
{
  char             *path;        /* (owned) */
  WelkinAgentEnvironment *environment; /* (owned) */
  GHashTable       *machines;    /* (owned) of WelkinAgentMachine, by its id */

  /* while it is saved */
  GPtrArray        *saving;      /* (owned) (nullable) of GTask: for the write that goes on */
  GPtrArray        *waiting;     /* (owned) of GTask: for the next one */
};

/* What a thread needs to write it. */
typedef struct
{
  char   *path;  /* (owned) */
  GBytes *bytes; /* (owned) */
} Write;

static void
write_free (gpointer data)
{
  Write *self = data;

  g_bytes_unref (self->bytes);
  g_free (self->path);
  g_free (self);
}

static void
machine_free (gpointer data)
{
  wk_json_record_free (&welkin_agent_machine_table, data);
}

void
agent_state_free (AgentState *self)
{
  g_assert (self->saving == NULL);
  g_ptr_array_unref (self->waiting);
  g_hash_table_unref (self->machines);
  wk_json_record_free (&welkin_agent_environment_table, self->environment);
  g_free (self->path);
  g_free (self);
}

static void
add_machine (AgentState         *self,
             WelkinAgentMachine *machine)
{
  g_hash_table_replace (self->machines, machine->id, machine);
}

static gboolean
read_state (AgentState *self,
            GBytes     *bytes,
            GError    **error)
{
  WelkinAgentEnvironment *environment;
  g_autoptr(GPtrArray) machines = NULL;

  environment = wk_json_decode_record (&welkin_agent_environment_table, "environment", bytes,
                                       error);
  if (environment == NULL)
    return FALSE;
  wk_json_record_free (&welkin_agent_environment_table, self->environment);
  self->environment = environment;
  machines = wk_json_decode_records (&welkin_agent_machine_table, "machines", bytes, error);
  if (machines == NULL)
    return FALSE;
  for (guint i = 0; i < machines->len; i++)
    {
      const WelkinAgentMachine *machine = g_ptr_array_index (machines, i);
      WelkinAgentMachine *copy = wk_json_record_new (&welkin_agent_machine_table);

      copy->id = g_strdup (machine->id != NULL ? machine->id : "");
      copy->status = g_strdup (machine->status);
      copy->version = g_strdup (machine->version);
      copy->reported = g_strdup (machine->reported);
      if (agent_machine_id_is_valid (copy->id))
        add_machine (self, copy);
      else
        machine_free (copy);
    }
  return TRUE;
}

/* So that somebody may look at it. */
static gboolean
put_aside (AgentState   *self,
           const GError *reason,
           GError      **error)
{
  g_autofree char *aside = g_strconcat (self->path, ".bad", NULL);

  g_warning (_("cannot read %s, which is now %s.bad: %s"), self->path, self->path,
             reason->message);
  if (g_rename (self->path, aside) == 0)
    return TRUE;
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, _("Cannot put \"%s\" aside"), self->path);
  return FALSE;
}

AgentState *
agent_state_load (const char *data_directory,
                  GError    **error)
{
  g_autoptr(AgentState) self = g_new0 (AgentState, 1);
  g_autoptr(GError) local_error = NULL;
  g_autoptr(GBytes) bytes = NULL;
  char *text = NULL;
  gsize length;

  self->path = g_build_filename (data_directory, "agents", "state.json", NULL);
  self->environment = wk_json_record_new (&welkin_agent_environment_table);
  self->machines = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, machine_free);
  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
  if (!g_file_get_contents (self->path, &text, &length, &local_error))
    {
      if (g_error_matches (local_error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
        return g_steal_pointer (&self);
      g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }
  bytes = g_bytes_new_take (text, length);
  if (!read_state (self, bytes, &local_error) && !put_aside (self, local_error, error))
    return NULL;
  return g_steal_pointer (&self);
}

const WelkinAgentEnvironment *
agent_state_get_environment (AgentState *self)
{
  return self->environment;
}

void
agent_state_set_environment (AgentState *self,
                             const char *name,
                             const char *type,
                             const char *uuid)
{
  WelkinAgentEnvironment *environment = wk_json_record_new (&welkin_agent_environment_table);

  environment->name = g_strdup (name);
  environment->type = g_strdup (type);
  environment->uuid = g_strdup (uuid);
  wk_json_record_free (&welkin_agent_environment_table, self->environment);
  self->environment = environment;
}

const WelkinAgentMachine *
agent_state_get_machine (AgentState *self,
                         const char *id)
{
  return g_hash_table_lookup (self->machines, id);
}

/* "10" behind "9". */
static int
compare_machines (gconstpointer a,
                  gconstpointer b)
{
  const WelkinAgentMachine *left = *(WelkinAgentMachine *const *) a;
  const WelkinAgentMachine *right = *(WelkinAgentMachine *const *) b;

  return strverscmp (left->id, right->id);
}

GPtrArray *
agent_state_list_machines (AgentState *self)
{
  g_autoptr(GPtrArray) machines = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer machine;

  g_hash_table_iter_init (&iter, self->machines);
  while (g_hash_table_iter_next (&iter, NULL, &machine))
    g_ptr_array_add (machines, machine);
  g_ptr_array_sort (machines, compare_machines);
  return g_steal_pointer (&machines);
}

void
agent_state_take_report (AgentState *self,
                         const char *id,
                         const char *status,
                         const char *version)
{
  g_autoptr(GDateTime) now = g_date_time_new_now_utc ();
  WelkinAgentMachine *machine = wk_json_record_new (&welkin_agent_machine_table);

  machine->id = g_strdup (id);
  machine->status = g_strdup (status);
  machine->version = g_strdup (version);
  machine->reported = g_date_time_format_iso8601 (now);
  add_machine (self, machine);
}

static GBytes *
print_state (AgentState *self)
{
  g_autoptr(JsonBuilder) builder = json_builder_new ();
  g_autoptr(GPtrArray) machines = agent_state_list_machines (self);

  json_builder_begin_object (builder);
  agent_json_add_environment (builder, self->environment);
  agent_json_add_machines (builder, machines);
  return agent_json_end (builder);
}

static gboolean
write_state (const char *path,
             GBytes     *bytes,
             GError    **error)
{
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);

  return g_file_set_contents_full (path, text, (gssize) length,
                                   G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE,
                                   MODE, error);
}

gboolean
agent_state_save (AgentState *self,
                  GError    **error)
{
  g_autoptr(GBytes) bytes = print_state (self);

  return write_state (self->path, bytes, error);
}

static gboolean
save_in_thread (gpointer      data,
                GCancellable *cancellable,
                GError      **error)
{
  const Write *write = data;

  return write_state (write->path, write->bytes, error);
}

static void saved_cb (GObject      *source,
                      GAsyncResult *result,
                      gpointer      user_data);

static void
start_saving (AgentState *self)
{
  Write *write = g_new0 (Write, 1);

  self->saving = g_steal_pointer (&self->waiting);
  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
  write->path = g_strdup (self->path);
  write->bytes = print_state (self);
  wk_work_async (save_in_thread, write, write_free, NULL, saved_cb, self);
}

static void
saved_cb (GObject      *source,
          GAsyncResult *result,
          gpointer      user_data)
{
  AgentState *self = user_data;
  g_autoptr(GPtrArray) saved = g_steal_pointer (&self->saving);
  g_autoptr(GError) error = NULL;

  if (!wk_work_finish (result, &error))
    g_warning (_("cannot keep what machines report: %s"), error->message);
  if (self->waiting->len > 0)
    start_saving (self);
  for (guint i = 0; i < saved->len; i++)
    {
      GTask *task = g_ptr_array_index (saved, i);

      if (error != NULL)
        g_task_return_error (task, g_error_copy (error));
      else
        g_task_return_boolean (task, TRUE);
    }
}

void
agent_state_save_async (AgentState         *self,
                        GAsyncReadyCallback callback,
                        gpointer            user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_source_tag (task, agent_state_save_async);
  g_ptr_array_add (self->waiting, task);
  if (self->saving == NULL)
    start_saving (self);
}

gboolean
agent_state_is_saving (AgentState *self)
{
  return self->saving != NULL;
}

gboolean
agent_state_save_finish (AgentState   *self,
                         GAsyncResult *result,
                         GError      **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, agent_state_save_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
