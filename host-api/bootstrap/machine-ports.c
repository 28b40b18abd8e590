/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * Ports of machines: whatever is done with them, it ends with a look at which are open, and that is
 * what is written down.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "bootstrap/machine-record.h"
#include "bootstrap/open-remembered.h"
#include "bootstrap/welkin-machines.h"
#include "contracts/welkin-environ.h"
#include "environments/info-edit.h"
#include "values/welkin-error.h"

#define KEY_PORTS "opened-ports"

typedef enum
{
  VERB_OPEN,
  VERB_CLOSE,
  VERB_LIST,
} Verb;

typedef struct
{
  /* inputs */
  WelkinEnvironments *environments; /* (owned) */
  char               *name;         /* (owned) */
  char               *machine_id;   /* (owned) (nullable) */
  Verb                verb;
  GPtrArray          *ranges;       /* (owned) (nullable) of WelkinPortRange */

  /* while running */
  WelkinEnviron      *environment;  /* (owned) (nullable) */
  WelkinInfo         *info;         /* (owned) (nullable) */
  char               *instance_id;  /* (owned) (nullable) */
  WelkinInstance     *instance;     /* (owned) (nullable) */
  WelkinValue        *noted;        /* (owned) (nullable) what was written down before the look */
  GPtrArray          *opened;       /* (owned) (nullable) of WelkinPortRange */
  gboolean            is_written;
} Ports;

static void
ports_free (gpointer data)
{
  Ports *self = data;

  g_clear_pointer (&self->opened, g_ptr_array_unref);
  g_clear_pointer (&self->noted, welkin_value_unref);
  g_clear_object (&self->instance);
  g_free (self->instance_id);
  g_clear_object (&self->info);
  g_clear_object (&self->environment);
  g_clear_pointer (&self->ranges, g_ptr_array_unref);
  g_free (self->machine_id);
  g_free (self->name);
  g_object_unref (self->environments);
  g_free (self);
}

static gboolean
set_machine_error (Ports      *self,
                   const char *format,
                   GError    **error)
{
  g_autofree char *message = g_strdup_printf (format, self->machine_id);

  g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND, message);
  return FALSE;
}

static gboolean
ports_open (Ports   *self,
            GError **error)
{
  g_autoptr(WelkinMachineRecord) record = NULL;

  if (!welkin_open_remembered (self->environments, self->name, &self->environment, &self->info,
                               error))
    return FALSE;
  if (self->machine_id == NULL)
    return TRUE;

  record = welkin_machine_record_load (self->info, self->machine_id);
  if (record == NULL)
    return set_machine_error (self, _("there is no machine \"%s\""), error);
  self->instance_id = g_strdup (welkin_machine_record_get (record, "instance-id"));
  if (self->instance_id == NULL)
    return set_machine_error (self, _("machine %s is not started"), error);
  return TRUE;
}

static void
begin_find (Ports              *self,
            GCancellable       *cancellable,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  const char *ids[] = { self->instance_id, NULL };

  welkin_environ_find_instances_async (self->environment, ids, cancellable, callback, user_data);
}

static gboolean
finish_find (Ports        *self,
             GAsyncResult *result,
             GError      **error)
{
  g_autoptr(WelkinInstances) instances = NULL;
  WelkinInstance *instance;

  instances = welkin_environ_find_instances_finish (self->environment, result, error);
  if (instances == NULL)
    return FALSE;
  instance = welkin_instances_lookup (instances, self->instance_id);
  if (instance == NULL)
    return set_machine_error (self, _("the instance of machine %s is gone"), error);
  self->instance = g_object_ref (instance);
  return TRUE;
}

static void
begin_change (Ports              *self,
              GCancellable       *cancellable,
              GAsyncReadyCallback callback,
              gpointer            user_data)
{
  if (self->instance == NULL && self->verb == VERB_OPEN)
    welkin_environ_open_ports_async (self->environment, self->ranges, cancellable, callback,
                                     user_data);
  else if (self->instance == NULL)
    welkin_environ_close_ports_async (self->environment, self->ranges, cancellable, callback,
                                      user_data);
  else if (self->verb == VERB_OPEN)
    welkin_instance_open_ports_async (self->instance, self->ranges, cancellable, callback,
                                      user_data);
  else
    welkin_instance_close_ports_async (self->instance, self->ranges, cancellable, callback,
                                       user_data);
}

static gboolean
finish_change (Ports        *self,
               GAsyncResult *result,
               GError      **error)
{
  if (self->instance == NULL && self->verb == VERB_OPEN)
    return welkin_environ_open_ports_finish (self->environment, result, error);
  if (self->instance == NULL)
    return welkin_environ_close_ports_finish (self->environment, result, error);
  if (self->verb == VERB_OPEN)
    return welkin_instance_open_ports_finish (self->instance, result, error);
  return welkin_instance_close_ports_finish (self->instance, result, error);
}

static void
begin_list (Ports              *self,
            GCancellable       *cancellable,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  if (self->instance != NULL)
    welkin_instance_list_ports_async (self->instance, cancellable, callback, user_data);
  else
    welkin_environ_list_ports_async (self->environment, cancellable, callback, user_data);
}

static gboolean
finish_list (Ports        *self,
             GAsyncResult *result,
             GError      **error)
{
  g_clear_pointer (&self->opened, g_ptr_array_unref);
  if (self->instance != NULL)
    self->opened = welkin_instance_list_ports_finish (self->instance, result, error);
  else
    self->opened = welkin_environ_list_ports_finish (self->environment, result, error);
  return self->opened != NULL;
}

static WelkinValue *
make_list (GPtrArray *ranges)
{
  g_autoptr(GPtrArray) items = NULL;

  items = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_value_unref);
  for (guint i = 0; i < ranges->len; i++)
    {
      g_autofree char *text = welkin_port_range_to_string (g_ptr_array_index (ranges, i));

      g_ptr_array_add (items, welkin_value_new_text (text, FALSE, NULL));
    }
  return welkin_value_new_list ((WelkinValue **) items->pdata, items->len, NULL);
}

/* (transfer none) (nullable): what is written down */
static WelkinValue *
lookup_noted (Ports      *self,
              WelkinInfo *info)
{
  WelkinValue *machines = welkin_info_lookup (info, "machines");
  WelkinValue *record = NULL;

  if (self->machine_id == NULL)
    return welkin_info_lookup (info, KEY_PORTS);
  if (machines != NULL)
    record = welkin_value_lookup (machines, self->machine_id);
  return record != NULL ? welkin_value_lookup (record, KEY_PORTS) : NULL;
}

static gboolean
note_ports (Ports   *self,
            GError **error)
{
  WelkinSurroundings *surroundings = welkin_environments_get_surroundings (self->environments);
  WelkinInfo *info = welkin_info_load (surroundings, self->name, error);
  WelkinValue *noted;

  if (info == NULL)
    return FALSE;
  g_object_unref (self->info);
  self->info = info;
  noted = lookup_noted (self, info);
  g_clear_pointer (&self->noted, welkin_value_unref);
  if (noted != NULL)
    self->noted = welkin_value_ref (noted);
  return TRUE;
}

/* What another process wrote down meanwhile may be newer than our look. */
static gboolean
is_outdated (Ports      *self,
             WelkinInfo *info)
{
  WelkinValue *noted = lookup_noted (self, info);

  if (noted == NULL || self->noted == NULL)
    return noted != self->noted;
  return !welkin_value_equal (noted, self->noted);
}

static gboolean
edit_ports (WelkinInfo *info,
            gpointer    user_data,
            GError    **error)
{
  Ports *self = user_data;
  g_autoptr(WelkinValue) list = make_list (self->opened);
  g_autoptr(WelkinMachineRecord) record = NULL;

  self->is_written = !is_outdated (self, info);
  if (!self->is_written)
    return TRUE;
  if (self->machine_id == NULL)
    {
      welkin_info_set (info, KEY_PORTS, list);
      return TRUE;
    }
  record = welkin_machine_record_load (info, self->machine_id);
  if (record != NULL)
    {
      welkin_machine_record_set_value (record, KEY_PORTS, list);
      welkin_machine_record_store (record, info);
    }
  return TRUE;
}

static void
ports_run (WkFlow  *flow,
           gpointer user_data)
{
  Ports *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!ports_open (self, &error))
    WK_FAIL (flow, &error, NULL);
  if (self->instance_id != NULL)
    {
      WK_AWAIT (flow, begin_find (self, WK_RESUME (flow)));
      if (!finish_find (self, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  if (self->verb != VERB_LIST)
    {
      WK_AWAIT (flow, begin_change (self, WK_RESUME (flow)));
      if (!finish_change (self, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }

  do
    {
      if (!note_ports (self, &error))
        WK_FAIL (flow, &error, NULL);
      WK_AWAIT (flow, begin_list (self, WK_RESUME (flow)));
      if (!finish_list (self, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
      if (self->verb == VERB_LIST)
        break;
      WK_AWAIT (flow, welkin_info_edit_async (self->info, edit_ports, self,
                                              WK_RESUME_SHIELDED (flow)));
      if (!welkin_info_edit_finish (self->info, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  while (!self->is_written);

  wk_flow_return_pointer (flow, g_steal_pointer (&self->opened),
                          (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

static void
begin (WelkinEnvironments *environments,
       const char         *name,
       const char         *machine_id,
       Verb                verb,
       GPtrArray          *ranges,
       GCancellable       *cancellable,
       GAsyncReadyCallback callback,
       gpointer            user_data,
       gpointer            tag)
{
  Ports *self = g_new0 (Ports, 1);

  self->environments = g_object_ref (environments);
  self->name = g_strdup (name);
  self->machine_id = g_strdup (machine_id);
  self->verb = verb;
  self->ranges = ranges != NULL ? g_ptr_array_ref (ranges) : NULL;
  wk_flow_start (environments, cancellable, callback, user_data, tag, ports_run, self, ports_free);
}

/**
 * welkin_open_ports_async:
 * @environments: where the environment is remembered
 * @name: which one
 * @machine_id: (nullable): the machine, or %NULL for all of the environment
 * @ranges: (element-type WelkinPortRange): which ports, and for whom
 * @cancellable: (nullable): gives up
 * @callback: (scope async): called in the thread-default main context of the call
 * @user_data: for @callback
 *
 * Opens ports, and writes down which are open then. Those that are open already are no error.
 *
 * Since: 0.1
 */
void
welkin_open_ports_async (WelkinEnvironments *environments,
                         const char         *name,
                         const char         *machine_id,
                         GPtrArray          *ranges,
                         GCancellable       *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer            user_data)
{
  g_return_if_fail (WELKIN_IS_ENVIRONMENTS (environments));
  g_return_if_fail (name != NULL);
  g_return_if_fail (ranges != NULL);

  begin (environments, name, machine_id, VERB_OPEN, ranges, cancellable, callback, user_data,
         welkin_open_ports_async);
}

/**
 * welkin_open_ports_finish:
 * @environments: the environments
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends welkin_open_ports_async(). Without a machine where firewall-mode is "instance", and with one
 * where it is "global", it is an error, and both are where it is "none".
 *
 * Returns: %TRUE when they are open
 *
 * Since: 0.1
 */
gboolean
welkin_open_ports_finish (WelkinEnvironments *environments,
                          GAsyncResult       *result,
                          GError            **error)
{
  g_autoptr(GPtrArray) ports = NULL;

  ports = wk_flow_finish_pointer (result, environments, welkin_open_ports_async, error);
  return ports != NULL;
}

/**
 * welkin_close_ports_async:
 * @environments: where the environment is remembered
 * @name: which one
 * @machine_id: (nullable): the machine, or %NULL for all of the environment
 * @ranges: (element-type WelkinPortRange): which ports, and for whom
 * @cancellable: (nullable): gives up
 * @callback: (scope async): called in the thread-default main context of the call
 * @user_data: for @callback
 *
 * Closes ports, and writes down which are open then. Those that are closed already are no error.
 *
 * Since: 0.1
 */
void
welkin_close_ports_async (WelkinEnvironments *environments,
                          const char         *name,
                          const char         *machine_id,
                          GPtrArray          *ranges,
                          GCancellable       *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer            user_data)
{
  g_return_if_fail (WELKIN_IS_ENVIRONMENTS (environments));
  g_return_if_fail (name != NULL);
  g_return_if_fail (ranges != NULL);

  begin (environments, name, machine_id, VERB_CLOSE, ranges, cancellable, callback, user_data,
         welkin_close_ports_async);
}

/**
 * welkin_close_ports_finish:
 * @environments: the environments
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends welkin_close_ports_async(). Without a machine where firewall-mode is "instance", and with
 * one where it is "global", it is an error, and both are where it is "none".
 *
 * Returns: %TRUE when they are closed
 *
 * Since: 0.1
 */
gboolean
welkin_close_ports_finish (WelkinEnvironments *environments,
                           GAsyncResult       *result,
                           GError            **error)
{
  g_autoptr(GPtrArray) ports = NULL;

  ports = wk_flow_finish_pointer (result, environments, welkin_close_ports_async, error);
  return ports != NULL;
}

/**
 * welkin_list_ports_async:
 * @environments: where the environment is remembered
 * @name: which one
 * @machine_id: (nullable): the machine, or %NULL for all of the environment
 * @cancellable: (nullable): gives up
 * @callback: (scope async): called in the thread-default main context of the call
 * @user_data: for @callback
 *
 * Asks the cloud which ports are open.
 *
 * Since: 0.1
 */
void
welkin_list_ports_async (WelkinEnvironments *environments,
                         const char         *name,
                         const char         *machine_id,
                         GCancellable       *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer            user_data)
{
  g_return_if_fail (WELKIN_IS_ENVIRONMENTS (environments));
  g_return_if_fail (name != NULL);

  begin (environments, name, machine_id, VERB_LIST, NULL, cancellable, callback, user_data,
         welkin_list_ports_async);
}

/**
 * welkin_list_ports_finish:
 * @environments: the environments
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends welkin_list_ports_async(). The errors are those of welkin_open_ports_finish().
 *
 * Returns: (element-type WelkinPortRange) (transfer container): the open ports, sorted
 *
 * Since: 0.1
 */
GPtrArray *
welkin_list_ports_finish (WelkinEnvironments *environments,
                          GAsyncResult       *result,
                          GError            **error)
{
  return wk_flow_finish_pointer (result, environments, welkin_list_ports_async, error);
}
