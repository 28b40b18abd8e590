/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/map-builder.h"
#include "base/yaml.h"
#include "bootstrap/machine-record.h"
#include "bootstrap/provider-state.h"
#include "bootstrap/storage-check.h"
#include "values/welkin-error.h"

struct _WelkinProviderState
{
  gatomicrefcount references;
  WelkinValue    *map;          /* (owned) all that the file says, known or not */
  char           *start_id;     /* (owned) (nullable) */
  char          **instance_ids; /* (owned) */
};

static WelkinValue *
map_with (WelkinValue *map,
          const char  *key,
          WelkinValue *value)
{
  WkMapBuilder builder;

  wk_map_begin (&builder);
  for (guint i = 0; i < welkin_value_get_length (map); i++)
    {
      const char *present = welkin_value_get_key (map, i);

      if (!g_str_equal (present, key))
        wk_map_take (&builder, present, welkin_value_ref (welkin_value_get_item (map, i)));
    }
  wk_map_take (&builder, key, welkin_value_ref (value));
  return wk_map_end (&builder);
}

static char **
read_ids (WelkinValue *map)
{
  g_autoptr(GStrvBuilder) ids = g_strv_builder_new ();
  WelkinValue *list = welkin_value_lookup (map, "state-instances");

  for (guint i = 0; list != NULL && i < welkin_value_get_length (list); i++)
    {
      const char *id = welkin_value_get_text (welkin_value_get_item (list, i));

      if (id != NULL && *id != '\0')
        g_strv_builder_add (ids, id);
    }
  return g_strv_builder_end (ids);
}

/* Takes the map. */
static WelkinProviderState *
state_new_from_map (WelkinValue *map)
{
  WelkinProviderState *self = g_new0 (WelkinProviderState, 1);
  WelkinValue *start_id = welkin_value_lookup (map, "start-id");

  g_atomic_ref_count_init (&self->references);
  self->map = map;
  self->start_id = start_id != NULL ? g_strdup (welkin_value_get_text (start_id)) : NULL;
  self->instance_ids = read_ids (map);
  return self;
}

WelkinProviderState *
welkin_provider_state_new (const char *start_id)
{
  g_autoptr(WelkinValue) empty = welkin_value_new_map (NULL, NULL, 0, NULL);
  g_autoptr(WelkinValue) none = welkin_value_new_list (NULL, 0, NULL);
  g_autoptr(WelkinValue) id = welkin_value_new_text (start_id, FALSE, NULL);
  g_autoptr(WelkinValue) map = map_with (empty, "start-id", id);

  return state_new_from_map (map_with (map, "state-instances", none));
}

WelkinProviderState *
welkin_provider_state_ref (WelkinProviderState *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

void
welkin_provider_state_unref (WelkinProviderState *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;

  welkin_value_unref (self->map);
  g_free (self->start_id);
  g_strfreev (self->instance_ids);
  g_free (self);
}

const char *
welkin_provider_state_get_start_id (WelkinProviderState *self)
{
  return self->start_id;
}

const char *const *
welkin_provider_state_get_instance_ids (WelkinProviderState *self)
{
  return (const char *const *) self->instance_ids;
}

static void
add_number (WkMapBuilder *map,
            const char   *key,
            gint64        number)
{
  g_autofree char *text = NULL;

  if (number < 0)
    return;
  text = g_strdup_printf ("%" G_GINT64_FORMAT, number);
  wk_map_add_text (map, key, text);
}

/* The spellings without dashes are the file format's own. */
static WelkinValue *
characteristics_new (WelkinHardware *hardware)
{
  g_autoptr(WelkinValue) characteristics = NULL;
  WkMapBuilder map;

  wk_map_begin (&map);
  wk_map_add_text (&map, "arch", welkin_hardware_get_arch (hardware));
  add_number (&map, "mem", welkin_hardware_get_mem (hardware));
  add_number (&map, "rootdisk", welkin_hardware_get_root_disk (hardware));
  add_number (&map, "cpucores", welkin_hardware_get_cores (hardware));
  wk_map_add_text (&map, "availability-zone", welkin_hardware_get_availability_zone (hardware));
  characteristics = wk_map_end (&map);
  return welkin_value_new_list (&characteristics, 1, NULL);
}

WelkinProviderState *
welkin_provider_state_with_instance (WelkinProviderState *self,
                                     const char          *instance_id,
                                     WelkinHardware      *hardware)
{
  WelkinValue *id = welkin_value_new_text (instance_id, FALSE, NULL);
  g_autoptr(WelkinValue) ids = welkin_value_new_list (&id, 1, NULL);
  g_autoptr(WelkinValue) map = map_with (self->map, "state-instances", ids);
  g_autoptr(WelkinValue) characteristics = NULL;

  welkin_value_unref (id);
  if (hardware == NULL)
    return state_new_from_map (g_steal_pointer (&map));

  characteristics = characteristics_new (hardware);
  return state_new_from_map (map_with (map, "characteristics", characteristics));
}

static WelkinProviderState *
state_parse (GBytes  *contents,
             GError **error)
{
  gsize length;
  const char *text = g_bytes_get_data (contents, &length);
  g_autoptr(WelkinValue) value = NULL;

  /* The data of an empty GBytes is NULL. */
  value = wk_yaml_parse (text != NULL ? text : "", (gssize) length, WELKIN_STATE_FILE, error);
  if (value == NULL)
    return NULL;

  if (welkin_value_get_kind (value) == WELKIN_VALUE_UNSET)
    return state_new_from_map (welkin_value_new_map (NULL, NULL, 0, NULL));

  if (welkin_value_get_kind (value) != WELKIN_VALUE_MAP)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                   _("%s in the environment's storage is not a mapping: "
                     "it was not written by Welkin"),
                   WELKIN_STATE_FILE);
      return NULL;
    }
  return state_new_from_map (g_steal_pointer (&value));
}

/* instances: (nullable) all that the environment has */
static WelkinProviderState *
state_new_from_instances (GPtrArray  *instances,
                          GError    **error)
{
  g_autoptr(WelkinProviderState) state = NULL;
  WelkinInstance *first = NULL;
  gboolean is_disputed = FALSE;

  if (instances == NULL)
    return NULL;
  for (guint i = 0; i < instances->len; i++)
    {
      WelkinInstance *instance = g_ptr_array_index (instances, i);

      if (g_strcmp0 (welkin_instance_get_machine_id (instance), WELKIN_BOOTSTRAP_MACHINE) != 0)
        continue;
      is_disputed = first != NULL;
      first = instance;
    }
  if (first == NULL)
    {
      g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_NOT_BOOTSTRAPPED,
                           _("The environment is not bootstrapped"));
      return NULL;
    }
  /* Of two that began at once, neither can know that the other one gives way: both do. */
  state = welkin_provider_state_new (is_disputed ? "" : welkin_instance_get_start_id (first));
  return welkin_provider_state_with_instance (state, welkin_instance_get_id (first), NULL);
}

static void
load_run (WkFlow  *flow,
          gpointer user_data)
{
  WelkinStorage *storage = user_data;
  WelkinEnviron *environment = wk_flow_get_source (flow);
  g_autoptr(GBytes) contents = NULL;
  g_autoptr(GPtrArray) instances = NULL;
  g_autoptr(GError) error = NULL;
  WelkinProviderState *state;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, welkin_storage_load_async (storage, WELKIN_STATE_FILE, WELKIN_STORAGE_NONE,
                                             WK_RESUME (flow)));
  contents = welkin_storage_load_finish (storage, WK_RESULT (flow), &error);
  if (welkin_storage_check_is_missing (error))
    {
      g_clear_error (&error);
      WK_AWAIT (flow, welkin_environ_list_instances_async (environment, WK_RESUME (flow)));
      instances = welkin_environ_list_instances_finish (environment, WK_RESULT (flow), &error);
      state = state_new_from_instances (instances, &error);
    }
  else if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    {
      g_clear_error (&error);
      g_set_error_literal (&error, WELKIN_ERROR, WELKIN_ERROR_NOT_BOOTSTRAPPED,
                           _("The environment is not bootstrapped"));
      state = NULL;
    }
  else
    state = contents != NULL ? state_parse (contents, &error) : NULL;
  if (state == NULL)
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, state, (GDestroyNotify) welkin_provider_state_unref);

  WK_FLOW_END (flow);
}

void
welkin_provider_state_load_async (WelkinEnviron      *environment,
                                  GCancellable       *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer            user_data)
{
  wk_flow_start (environment, cancellable, callback, user_data, welkin_provider_state_load_async,
                 load_run, welkin_environ_get_storage (environment), g_object_unref);
}

WelkinProviderState *
welkin_provider_state_load_finish (WelkinEnviron *environment,
                                   GAsyncResult  *result,
                                   GError       **error)
{
  return wk_flow_finish_pointer (result, environment, welkin_provider_state_load_async, error);
}

void
welkin_provider_state_save_async (WelkinProviderState *self,
                                  WelkinStorage       *storage,
                                  WelkinStorageFlags   flags,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data)
{
  char *text = wk_yaml_print (self->map);
  g_autoptr(GBytes) contents = g_bytes_new_take (text, strlen (text));

  welkin_storage_save_async (storage, WELKIN_STATE_FILE, contents, flags, cancellable, callback,
                             user_data);
}

gboolean
welkin_provider_state_save_finish (WelkinStorage *storage,
                                   GAsyncResult  *result,
                                   GError       **error)
{
  g_autoptr(GError) local_error = NULL;

  if (welkin_storage_save_finish (storage, result, &local_error)
      || welkin_storage_check_is_missing (local_error))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

void
welkin_provider_state_remove_async (WelkinStorage      *storage,
                                    GCancellable       *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer            user_data)
{
  welkin_storage_remove_async (storage, WELKIN_STATE_FILE, cancellable, callback, user_data);
}

gboolean
welkin_provider_state_remove_finish (WelkinStorage *storage,
                                     GAsyncResult  *result,
                                     GError       **error)
{
  g_autoptr(GError) local_error = NULL;

  if (welkin_storage_remove_finish (storage, result, &local_error)
      || welkin_storage_check_is_missing (local_error))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}
