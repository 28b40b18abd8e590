/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "bootstrap/machine-record.h"

struct _WelkinMachineRecord
{
  char       *machine_id; /* (owned) */
  GHashTable *fields;     /* (owned): text to text */
};

static void
set_field (WelkinMachineRecord *self,
           const char          *key,
           const char          *text)
{
  if (text == NULL || *text == '\0')
    g_hash_table_remove (self->fields, key);
  else
    g_hash_table_insert (self->fields, g_strdup (key), g_strdup (text));
}

WelkinMachineRecord *
welkin_machine_record_new (const char *machine_id,
                           const char *series,
                           const char *start_id,
                           const char *nonce)
{
  WelkinMachineRecord *self = g_new0 (WelkinMachineRecord, 1);

  self->machine_id = g_strdup (machine_id);
  self->fields = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  set_field (self, "life", "alive");
  set_field (self, "status", "pending");
  set_field (self, "series", series);
  set_field (self, "start-id", start_id);
  set_field (self, "nonce", nonce);
  return self;
}

void
welkin_machine_record_free (WelkinMachineRecord *self)
{
  g_free (self->machine_id);
  g_hash_table_unref (self->fields);
  g_free (self);
}

void
welkin_machine_record_set_constraints (WelkinMachineRecord *self,
                                       WelkinConstraints   *constraints)
{
  g_autofree char *text = welkin_constraints_to_string (constraints);

  set_field (self, "constraints", text);
}

void
welkin_machine_record_set_host_key (WelkinMachineRecord *self,
                                    const char          *public_key)
{
  set_field (self, "host-key", public_key);
}

void
welkin_machine_record_set_status (WelkinMachineRecord *self,
                                  const char          *status,
                                  const char          *message)
{
  set_field (self, "status", status);
  set_field (self, "status-info", message);
}

void
welkin_machine_record_set_started (WelkinMachineRecord *self,
                                   WelkinStartResult   *result)
{
  WelkinHardware *hardware = welkin_start_result_get_hardware (result);

  set_field (self, "instance-id",
             welkin_instance_get_id (welkin_start_result_get_instance (result)));
  welkin_machine_record_set_status (self, "started", NULL);
  if (hardware != NULL)
    {
      g_autofree char *text = welkin_hardware_to_string (hardware);

      set_field (self, "hardware", text);
      set_field (self, "availability-zone", welkin_hardware_get_availability_zone (hardware));
    }
}

void
welkin_machine_record_store (WelkinMachineRecord *self,
                             WelkinInfo          *info)
{
  g_autoptr(GPtrArray) keys = g_ptr_array_new ();
  g_autoptr(GPtrArray) values = NULL;
  g_autoptr(WelkinValue) map = NULL;
  GHashTableIter iter;
  gpointer key;
  gpointer text;

  values = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_value_unref);
  g_hash_table_iter_init (&iter, self->fields);
  while (g_hash_table_iter_next (&iter, &key, &text))
    {
      g_ptr_array_add (keys, key);
      g_ptr_array_add (values, welkin_value_new_text (text, FALSE, NULL));
    }
  map = welkin_value_new_map ((const char *const *) keys->pdata, (WelkinValue **) values->pdata,
                              values->len, NULL);
  welkin_info_set_entry (info, "machines", self->machine_id, map);
}
