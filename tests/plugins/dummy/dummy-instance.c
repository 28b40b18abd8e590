/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "dummy-instance.h"

/* A machine that runs from the beginning to the end. */
struct _DummyInstance
{
  GObject         parent_instance;

  char           *id;
  char           *machine_id;
  char           *start_id;   /* (nullable) */
  GPtrArray      *addresses;
  WelkinHardware *hardware;   /* (owned) (nullable) */
  GPtrArray      *ports;      /* of WelkinPortRange */
};

static void dummy_instance_iface_init (WelkinInstanceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (DummyInstance, dummy_instance, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_INSTANCE,
                                                      dummy_instance_iface_init))

static void
add_address (DummyInstance *self,
             const char    *format,
             guint          number,
             WelkinScope    scope)
{
  g_autofree char *value = g_strdup_printf ("%s%u", format, number % 256);

  g_ptr_array_add (self->addresses, welkin_address_new (value, scope, "dummy"));
}

WelkinInstance *
dummy_instance_new (guint           number,
                    const char     *machine_id,
                    const char     *start_id,
                    WelkinHardware *hardware)
{
  DummyInstance *self = g_object_new (DUMMY_TYPE_INSTANCE, NULL);

  self->id = g_strdup_printf ("dummy-%u", number);
  self->machine_id = g_strdup (machine_id);
  self->start_id = g_strdup (start_id);
  self->hardware = hardware != NULL ? welkin_hardware_ref (hardware) : NULL;
  add_address (self, "10.0.0.", number, WELKIN_SCOPE_LOCAL_CLOUD);
  add_address (self, "198.51.100.", number, WELKIN_SCOPE_PUBLIC);
  return WELKIN_INSTANCE (self);
}

static const char *
dummy_instance_get_id (WelkinInstance *instance)
{
  return DUMMY_INSTANCE (instance)->id;
}

static WelkinInstanceState
dummy_instance_get_state (WelkinInstance *instance)
{
  return WELKIN_INSTANCE_RUNNING;
}

static const char *
dummy_instance_get_status (WelkinInstance *instance)
{
  return "ACTIVE";
}

static const char *
dummy_instance_get_machine_id (WelkinInstance *instance)
{
  return DUMMY_INSTANCE (instance)->machine_id;
}

static const char *
dummy_instance_get_start_id (WelkinInstance *instance)
{
  return DUMMY_INSTANCE (instance)->start_id;
}

static GPtrArray *
dummy_instance_get_addresses (WelkinInstance *instance)
{
  return DUMMY_INSTANCE (instance)->addresses;
}

static WelkinHardware *
dummy_instance_get_hardware (WelkinInstance *instance)
{
  return DUMMY_INSTANCE (instance)->hardware;
}

static gboolean
finish_boolean (WelkinInstance *instance,
                GAsyncResult   *result,
                GError        **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
dummy_instance_refresh_async (WelkinInstance     *instance,
                              GCancellable       *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (instance, cancellable, callback, user_data);

  g_task_return_boolean (task, TRUE);
}

static gboolean
find_port (DummyInstance   *self,
           WelkinPortRange *range,
           guint           *index)
{
  for (guint i = 0; i < self->ports->len; i++)
    {
      if (welkin_port_range_compare (self->ports->pdata[i], range) == 0)
        {
          *index = i;
          return TRUE;
        }
    }
  return FALSE;
}

static int
compare_ranges (gconstpointer a,
                gconstpointer b)
{
  return welkin_port_range_compare (*(WelkinPortRange * const *) a,
                                    *(WelkinPortRange * const *) b);
}

static void
dummy_instance_open_ports_async (WelkinInstance     *instance,
                                 GPtrArray          *ranges,
                                 GCancellable       *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (instance, cancellable, callback, user_data);
  DummyInstance *self = DUMMY_INSTANCE (instance);
  guint index;

  for (guint i = 0; i < ranges->len; i++)
    {
      if (!find_port (self, ranges->pdata[i], &index))
        g_ptr_array_add (self->ports, welkin_port_range_ref (ranges->pdata[i]));
    }
  g_ptr_array_sort (self->ports, compare_ranges);
  g_task_return_boolean (task, TRUE);
}

static void
dummy_instance_close_ports_async (WelkinInstance     *instance,
                                  GPtrArray          *ranges,
                                  GCancellable       *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (instance, cancellable, callback, user_data);
  DummyInstance *self = DUMMY_INSTANCE (instance);
  guint index;

  for (guint i = 0; i < ranges->len; i++)
    {
      if (find_port (self, ranges->pdata[i], &index))
        g_ptr_array_remove_index (self->ports, index);
    }
  g_task_return_boolean (task, TRUE);
}

static void
dummy_instance_list_ports_async (WelkinInstance     *instance,
                                 GCancellable       *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (instance, cancellable, callback, user_data);
  DummyInstance *self = DUMMY_INSTANCE (instance);
  GPtrArray *ports = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_port_range_unref);

  for (guint i = 0; i < self->ports->len; i++)
    g_ptr_array_add (ports, welkin_port_range_ref (self->ports->pdata[i]));
  g_task_return_pointer (task, ports, (GDestroyNotify) g_ptr_array_unref);
}

static GPtrArray *
dummy_instance_list_ports_finish (WelkinInstance *instance,
                                  GAsyncResult   *result,
                                  GError        **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
dummy_instance_iface_init (WelkinInstanceInterface *iface)
{
  iface->get_id = dummy_instance_get_id;
  iface->get_state = dummy_instance_get_state;
  iface->get_status = dummy_instance_get_status;
  iface->get_machine_id = dummy_instance_get_machine_id;
  iface->get_start_id = dummy_instance_get_start_id;
  iface->get_addresses = dummy_instance_get_addresses;
  iface->get_hardware = dummy_instance_get_hardware;
  iface->refresh_async = dummy_instance_refresh_async;
  iface->refresh_finish = finish_boolean;
  iface->open_ports_async = dummy_instance_open_ports_async;
  iface->open_ports_finish = finish_boolean;
  iface->close_ports_async = dummy_instance_close_ports_async;
  iface->close_ports_finish = finish_boolean;
  iface->list_ports_async = dummy_instance_list_ports_async;
  iface->list_ports_finish = dummy_instance_list_ports_finish;
}

static void
dummy_instance_finalize (GObject *object)
{
  DummyInstance *self = DUMMY_INSTANCE (object);

  g_free (self->id);
  g_free (self->machine_id);
  g_free (self->start_id);
  g_ptr_array_unref (self->addresses);
  g_clear_pointer (&self->hardware, welkin_hardware_unref);
  g_ptr_array_unref (self->ports);

  G_OBJECT_CLASS (dummy_instance_parent_class)->finalize (object);
}

static void
dummy_instance_class_init (DummyInstanceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dummy_instance_finalize;
}

static void
dummy_instance_init (DummyInstance *self)
{
  self->addresses = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_address_unref);
  self->ports = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_port_range_unref);
}
