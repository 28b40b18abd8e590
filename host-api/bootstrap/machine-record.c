/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "bootstrap/machine-record.h"

#include <glib/gi18n-lib.h>

#include "values/welkin-error.h"

/* No cloud starts more in a day: it is a slip of a finger, and each has to be destroyed again. */
#define MAX_MACHINES_AT_ONCE 1000u

#define KEY_MACHINES "machines"
#define KEY_NEXT "next-machine-id"

struct _WelkinMachineRecord
{
  char         *machine_id; /* (owned) */
  WelkinConfig *fields;     /* (owned) */
};

static void
take_fields (WelkinMachineRecord *self,
             WelkinConfig        *fields)
{
  welkin_config_unref (self->fields);
  self->fields = fields;
}

static WelkinMachineRecord *
record_new (const char   *machine_id,
            WelkinConfig *fields)
{
  WelkinMachineRecord *self = g_new0 (WelkinMachineRecord, 1);

  self->machine_id = g_strdup (machine_id);
  self->fields = fields;
  return self;
}

WelkinMachineRecord *
welkin_machine_record_new (const char *machine_id,
                           const char *series,
                           const char *start_id,
                           const char *nonce)
{
  WelkinMachineRecord *self = record_new (machine_id, welkin_config_new ());

  welkin_machine_record_set (self, "life", "alive");
  welkin_machine_record_set (self, "status", "pending");
  welkin_machine_record_set (self, "series", series);
  welkin_machine_record_set (self, "start-id", start_id);
  welkin_machine_record_set (self, "nonce", nonce);
  return self;
}

WelkinMachineRecord *
welkin_machine_record_load (WelkinInfo *info,
                            const char *machine_id)
{
  WelkinValue *machines = welkin_info_lookup (info, KEY_MACHINES);
  WelkinValue *fields = NULL;

  if (machines != NULL && welkin_value_get_kind (machines) == WELKIN_VALUE_MAP)
    fields = welkin_value_lookup (machines, machine_id);
  if (fields == NULL || welkin_value_get_kind (fields) != WELKIN_VALUE_MAP)
    return NULL;
  return record_new (machine_id, welkin_config_new_from_value (fields));
}

static guint64
get_number (const char *machine_id)
{
  guint64 number = 0;

  g_ascii_string_to_unsigned (machine_id, 10, 0, G_MAXUINT32, &number, NULL);
  return number;
}

static int
compare_records (gconstpointer a,
                 gconstpointer b)
{
  guint64 left = get_number ((*(WelkinMachineRecord *const *) a)->machine_id);
  guint64 right = get_number ((*(WelkinMachineRecord *const *) b)->machine_id);

  return (left > right) - (left < right);
}

GPtrArray *
welkin_machine_record_load_all (WelkinInfo *info)
{
  GPtrArray *records = NULL;
  WelkinValue *machines = welkin_info_lookup (info, KEY_MACHINES);
  guint length = 0;

  if (machines != NULL && welkin_value_get_kind (machines) == WELKIN_VALUE_MAP)
    length = welkin_value_get_length (machines);
  records = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_machine_record_free);
  for (guint i = 0; i < length; i++)
    {
      WelkinMachineRecord *record;

      record = welkin_machine_record_load (info, welkin_value_get_key (machines, i));
      if (record != NULL)
        g_ptr_array_add (records, record);
    }
  g_ptr_array_sort (records, compare_records);
  return records;
}

void
welkin_machine_record_free (WelkinMachineRecord *self)
{
  g_free (self->machine_id);
  welkin_config_unref (self->fields);
  g_free (self);
}

const char *
welkin_machine_record_get_machine_id (WelkinMachineRecord *self)
{
  return self->machine_id;
}

const char *
welkin_machine_record_get (WelkinMachineRecord *self,
                           const char          *field)
{
  WelkinValue *value = welkin_config_lookup (self->fields, field);

  return value != NULL ? welkin_value_get_text (value) : NULL;
}

gboolean
welkin_machine_record_is (WelkinMachineRecord *self,
                          const char          *field,
                          const char          *text)
{
  return g_strcmp0 (welkin_machine_record_get (self, field), text) == 0;
}

void
welkin_machine_record_set (WelkinMachineRecord *self,
                           const char          *field,
                           const char          *text)
{
  if (text == NULL || *text == '\0')
    take_fields (self, welkin_config_without (self->fields, field));
  else
    take_fields (self, welkin_config_with_text (self->fields, field, text, NULL));
}

void
welkin_machine_record_set_value (WelkinMachineRecord *self,
                                 const char          *field,
                                 WelkinValue         *value)
{
  take_fields (self, welkin_config_with (self->fields, field, value));
}

void
welkin_machine_record_set_constraints (WelkinMachineRecord *self,
                                       WelkinConstraints   *constraints)
{
  g_autofree char *text = welkin_constraints_to_string (constraints);

  welkin_machine_record_set (self, "constraints", text);
}

void
welkin_machine_record_set_status (WelkinMachineRecord *self,
                                  const char          *status,
                                  const char          *message)
{
  welkin_machine_record_set (self, "status", status);
  welkin_machine_record_set (self, "status-info", message);
  welkin_machine_record_set (self, "transient", NULL);
}

void
welkin_machine_record_set_started (WelkinMachineRecord *self,
                                   WelkinInstance      *instance,
                                   WelkinHardware      *hardware)
{
  welkin_machine_record_set (self, "instance-id", welkin_instance_get_id (instance));
  welkin_machine_record_set_status (self, "started", NULL);
  if (hardware != NULL)
    {
      g_autofree char *text = welkin_hardware_to_string (hardware);

      welkin_machine_record_set (self, "hardware", text);
      welkin_machine_record_set (self, "availability-zone",
                                 welkin_hardware_get_availability_zone (hardware));
    }
}

WelkinStartParams *
welkin_machine_record_make_params (WelkinMachineRecord *self,
                                   GError             **error)
{
  const char *text = welkin_machine_record_get (self, "constraints");
  const char *nonce = welkin_machine_record_get (self, "nonce");
  gboolean is_first = g_str_equal (self->machine_id, WELKIN_BOOTSTRAP_MACHINE);
  g_autoptr(WelkinConstraints) constraints = NULL;
  g_autoptr(WelkinMachineConfig) machine_config = NULL;
  g_autoptr(WelkinStartParams) bare = NULL;

  constraints = welkin_constraints_new_parsed (text != NULL ? text : "", error);
  if (constraints == NULL)
    return NULL;
  machine_config = welkin_machine_config_new (self->machine_id, nonce != NULL ? nonce : "",
                                              welkin_machine_record_get (self, "series"), is_first,
                                              error);
  if (machine_config == NULL)
    return NULL;
  bare = welkin_start_params_new (welkin_machine_record_get (self, "start-id"), machine_config);
  return welkin_start_params_with_constraints (bare, constraints);
}

void
welkin_machine_record_end_start (WelkinMachineRecord *self,
                                 WelkinInfo          *info)
{
  const char *start_id = welkin_machine_record_get (self, "start-id");
  g_autoptr(WelkinValue) machine = welkin_value_new_text (self->machine_id, TRUE, NULL);

  if (start_id == NULL)
    return;
  welkin_info_set_entry (info, WELKIN_KEY_ENDED_STARTS, start_id, machine);
  welkin_machine_record_set (self, "start-id", NULL);
}

void
welkin_machine_record_store (WelkinMachineRecord *self,
                             WelkinInfo          *info)
{
  g_autoptr(WelkinValue) map = welkin_config_to_value (self->fields);

  welkin_info_set_entry (info, KEY_MACHINES, self->machine_id, map);
}

/* The first of some numbers that follow each other. */
static guint64
allocate (WelkinInfo *info,
          guint       n_machines)
{
  g_autoptr(GPtrArray) records = welkin_machine_record_load_all (info);
  g_autoptr(WelkinValue) next = NULL;
  g_autofree char *text = NULL;
  WelkinValue *value = welkin_info_lookup (info, KEY_NEXT);
  const char *stored = value != NULL ? welkin_value_get_text (value) : NULL;
  guint64 first = MAX (1, stored != NULL ? get_number (stored) : 0);

  if (records->len > 0)
    {
      WelkinMachineRecord *last = g_ptr_array_index (records, records->len - 1);

      first = MAX (first, get_number (last->machine_id) + 1);
    }
  text = g_strdup_printf ("%" G_GUINT64_FORMAT, first + n_machines);
  next = welkin_value_new_text (text, FALSE, NULL);
  welkin_info_set (info, KEY_NEXT, next);
  return first;
}

gboolean
welkin_machine_record_check_number (guint    n_machines,
                                    GError **error)
{
  if (n_machines <= MAX_MACHINES_AT_ONCE)
    return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
               _("%u machines are too many at once: at most %u can be added in one go"),
               n_machines, MAX_MACHINES_AT_ONCE);
  return FALSE;
}

GPtrArray *
welkin_machine_record_allocate_ids (WelkinInfo *info,
                                    guint       n_machines)
{
  GPtrArray *ids = g_ptr_array_new_with_free_func (g_free);
  guint64 first = allocate (info, n_machines);

  for (guint i = 0; i < n_machines; i++)
    g_ptr_array_add (ids, g_strdup_printf ("%" G_GUINT64_FORMAT, first + i));
  return ids;
}

char *
welkin_machine_record_allocate_id (WelkinInfo *info)
{
  return g_strdup_printf ("%" G_GUINT64_FORMAT, allocate (info, 1));
}
