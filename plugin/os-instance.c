/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "os-instance.h"

#include <glib/gi18n-lib.h>

#include "operations/change-ports.h"
#include "operations/list-ports.h"
#include "operations/ownership.h"
#include "values/welkin-error.h"

struct _OsInstance
{
  GObject parent;

  OsSnapshot     *snapshot;         /* (owned) */
  OsDetail       *detail;           /* (owned) replaced as a whole by a refresh */
  WelkinHardware *hardware;         /* (owned) (nullable) */
  char           *floating_address; /* (owned) (nullable) until the first refresh */
  GPtrArray      *addresses;        /* (owned) (nullable) of WelkinAddress, made when asked for */
  char           *start_id;         /* (owned) (nullable) the same */
};

static void os_instance_instance_init (WelkinInstanceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (OsInstance, os_instance, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_INSTANCE,
                                                      os_instance_instance_init))

static const char *
os_instance_get_id (WelkinInstance *instance)
{
  return os_detail_get_id (OS_INSTANCE (instance)->detail);
}

static WelkinInstanceState
os_instance_get_state (WelkinInstance *instance)
{
  return os_detail_get_state (OS_INSTANCE (instance)->detail);
}

static const char *
os_instance_get_status (WelkinInstance *instance)
{
  const char *status = os_detail_get_status (OS_INSTANCE (instance)->detail);

  return status != NULL ? status : "UNKNOWN";
}

static const char *
os_instance_get_status_message (WelkinInstance *instance)
{
  return os_detail_get_fault (OS_INSTANCE (instance)->detail);
}

static const char *
os_instance_get_machine_id (WelkinInstance *instance)
{
  return os_detail_get_machine_id (OS_INSTANCE (instance)->detail);
}

static const char *
os_instance_get_start_id (WelkinInstance *instance)
{
  OsInstance *self = OS_INSTANCE (instance);
  const char *start = os_detail_get_start (self->detail);

  if (self->start_id == NULL && start != NULL)
    self->start_id = os_mark_get_start_id (start);
  return self->start_id;
}

static gboolean
has_address (GPtrArray  *addresses,
             const char *value)
{
  for (guint i = 0; i < addresses->len; i++)
    {
      if (g_str_equal (welkin_address_get_value (g_ptr_array_index (addresses, i)), value))
        return TRUE;
    }
  return FALSE;
}

static GPtrArray *
os_instance_get_addresses (WelkinInstance *instance)
{
  OsInstance *self = OS_INSTANCE (instance);

  if (self->addresses != NULL)
    return self->addresses;

  self->addresses =
    os_detail_dup_addresses (self->detail,
                             welkin_config_get_string (os_snapshot_get_config (self->snapshot),
                                                       "external-network"));
  if (self->floating_address != NULL && !has_address (self->addresses, self->floating_address))
    g_ptr_array_add (self->addresses,
                     welkin_address_new (self->floating_address, WELKIN_SCOPE_PUBLIC, NULL));
  return self->addresses;
}

static gboolean
os_instance_prefers_ipv6 (WelkinInstance *instance)
{
  return welkin_config_get_boolean (os_snapshot_get_config (OS_INSTANCE (instance)->snapshot),
                                    "prefer-ipv6");
}

static WelkinHardware *
os_instance_get_hardware (WelkinInstance *instance)
{
  return OS_INSTANCE (instance)->hardware;
}

/* Takes what is known now; the flavor, and so the hardware, of a server of ours does not change. */
static void
server_got_cb (GObject      *source,
               GAsyncResult *result,
               gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  OsInstance *self = g_task_get_source_object (task);
  GError *error = NULL;
  g_autoptr(OsServer) server = os_compute_get_server_finish (OS_COMPUTE (source), result, &error);

  if (server == NULL)
    {
      g_prefix_error (&error, _("Cannot look at instance %s: "),
                      os_instance_get_id (WELKIN_INSTANCE (self)));
      g_task_return_error (task, error);
      return;
    }
  os_detail_unref (self->detail);
  self->detail = os_detail_new (server);
  g_clear_pointer (&self->floating_address, g_free);
  g_clear_pointer (&self->addresses, g_ptr_array_unref);
  g_task_return_boolean (task, TRUE);
}

static void
os_instance_refresh_async (WelkinInstance     *instance,
                           GCancellable       *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer            user_data)
{
  OsInstance *self = OS_INSTANCE (instance);
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, os_instance_refresh_async);
  os_compute_get_server_async (os_snapshot_get_compute (self->snapshot),
                               os_detail_get_id (self->detail), cancellable, server_got_cb, task);
}

static gboolean
os_instance_refresh_finish (WelkinInstance *instance,
                            GAsyncResult   *result,
                            GError        **error)
{
  g_return_val_if_fail (g_task_is_valid (result, instance), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, os_instance_refresh_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
os_instance_open_ports_async (WelkinInstance     *instance,
                              GPtrArray          *ranges,
                              GCancellable       *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer            user_data)
{
  OsInstance *self = OS_INSTANCE (instance);

  os_change_ports_async (self->snapshot, self->detail, OS_PORTS_OPEN, ranges, self, cancellable,
                         callback, user_data);
}

static gboolean
os_instance_open_ports_finish (WelkinInstance *instance,
                               GAsyncResult   *result,
                               GError        **error)
{
  return os_change_ports_finish (instance, result, error);
}

static void
os_instance_close_ports_async (WelkinInstance     *instance,
                               GPtrArray          *ranges,
                               GCancellable       *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer            user_data)
{
  OsInstance *self = OS_INSTANCE (instance);

  os_change_ports_async (self->snapshot, self->detail, OS_PORTS_CLOSE, ranges, self, cancellable,
                         callback, user_data);
}

static gboolean
os_instance_close_ports_finish (WelkinInstance *instance,
                                GAsyncResult   *result,
                                GError        **error)
{
  return os_change_ports_finish (instance, result, error);
}

static void
os_instance_list_ports_async (WelkinInstance     *instance,
                              GCancellable       *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer            user_data)
{
  OsInstance *self = OS_INSTANCE (instance);

  os_list_ports_async (self->snapshot, self->detail, self, cancellable, callback, user_data);
}

static GPtrArray *
os_instance_list_ports_finish (WelkinInstance *instance,
                               GAsyncResult   *result,
                               GError        **error)
{
  return os_list_ports_finish (instance, result, error);
}

WelkinInstance *
os_instance_new (OsSnapshot     *snapshot,
                 OsDetail       *detail,
                 WelkinHardware *hardware,
                 const char     *floating_address)
{
  OsInstance *self = g_object_new (OS_TYPE_INSTANCE, NULL);

  self->snapshot = g_object_ref (snapshot);
  self->detail = os_detail_ref (detail);
  if (hardware != NULL)
    self->hardware = welkin_hardware_ref (hardware);
  self->floating_address = g_strdup (floating_address);
  return WELKIN_INSTANCE (self);
}

static void
os_instance_finalize (GObject *object)
{
  OsInstance *self = OS_INSTANCE (object);

  g_clear_pointer (&self->addresses, g_ptr_array_unref);
  g_free (self->floating_address);
  g_free (self->start_id);
  g_clear_pointer (&self->hardware, welkin_hardware_unref);
  g_clear_pointer (&self->detail, os_detail_unref);
  g_clear_object (&self->snapshot);

  G_OBJECT_CLASS (os_instance_parent_class)->finalize (object);
}

static void
os_instance_instance_init (WelkinInstanceInterface *iface)
{
  iface->get_id = os_instance_get_id;
  iface->get_state = os_instance_get_state;
  iface->get_status = os_instance_get_status;
  iface->get_status_message = os_instance_get_status_message;
  iface->get_machine_id = os_instance_get_machine_id;
  iface->get_start_id = os_instance_get_start_id;
  iface->get_addresses = os_instance_get_addresses;
  iface->prefers_ipv6 = os_instance_prefers_ipv6;
  iface->get_hardware = os_instance_get_hardware;
  iface->refresh_async = os_instance_refresh_async;
  iface->refresh_finish = os_instance_refresh_finish;
  iface->open_ports_async = os_instance_open_ports_async;
  iface->open_ports_finish = os_instance_open_ports_finish;
  iface->close_ports_async = os_instance_close_ports_async;
  iface->close_ports_finish = os_instance_close_ports_finish;
  iface->list_ports_async = os_instance_list_ports_async;
  iface->list_ports_finish = os_instance_list_ports_finish;
}

static void
os_instance_class_init (OsInstanceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = os_instance_finalize;
}

static void
os_instance_init (OsInstance *self)
{
}
