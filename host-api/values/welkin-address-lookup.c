/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "values/welkin-address.h"

#include <glib/gi18n-lib.h>

static void
add_address (GPtrArray  *addresses,
             const char *value)
{
  g_ptr_array_add (addresses, welkin_address_new (value, WELKIN_SCOPE_UNKNOWN, NULL));
}

/* The name itself comes last: where it is asked for, it may lead elsewhere. */
static void
looked_up_cb (GObject      *source,
              GAsyncResult *result,
              gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  const char *name = g_task_get_task_data (task);
  GError *error = NULL;
  GList *found = g_resolver_lookup_by_name_finish (G_RESOLVER (source), result, &error);
  GPtrArray *addresses;

  if (found == NULL)
    {
      g_prefix_error (&error, _("cannot look up %s: "), name);
      g_task_return_error (task, error);
      return;
    }
  addresses = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_address_unref);
  for (GList *l = found; l != NULL; l = l->next)
    {
      g_autofree char *value = g_inet_address_to_string (l->data);

      add_address (addresses, value);
    }
  g_resolver_free_addresses (found);
  add_address (addresses, name);
  g_task_return_pointer (task, addresses, (GDestroyNotify) g_ptr_array_unref);
}

/**
 * welkin_address_lookup_async:
 * @name: a host name or an IP address
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Looks up by which addresses a host can be reached.
 *
 * The callback runs in the thread-default main context of the caller.
 *
 * Since: 0.1
 */
void
welkin_address_lookup_async (const char         *name,
                             GCancellable       *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer            user_data)
{
  g_autoptr(GTask) task = NULL;
  g_autoptr(WelkinAddress) address = NULL;
  g_autoptr(GResolver) resolver = NULL;

  g_return_if_fail (name != NULL);

  task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, welkin_address_lookup_async);
  g_task_set_task_data (task, g_strdup (name), g_free);

  address = welkin_address_new (name, WELKIN_SCOPE_UNKNOWN, NULL);
  if (welkin_address_get_kind (address) != WELKIN_ADDRESS_HOSTNAME)
    {
      GPtrArray *itself =
        g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_address_unref);

      add_address (itself, name);
      g_task_return_pointer (task, itself, (GDestroyNotify) g_ptr_array_unref);
      return;
    }
  resolver = g_resolver_get_default ();
  g_resolver_lookup_by_name_async (resolver, name, cancellable, looked_up_cb,
                                   g_steal_pointer (&task));
}

/**
 * welkin_address_lookup_finish:
 * @result: the result that the callback was given
 * @error: return location for an error
 *
 * Ends [func@Address.lookup_async].
 *
 * The error is one of [error@Gio.ResolverError], or
 * %G_IO_ERROR_CANCELLED.
 *
 * Returns: (transfer full) (element-type WelkinAddress): an IP address alone,
 *   or all that the name stands for and the name behind them; %NULL on error
 *
 * Since: 0.1
 */
GPtrArray *
welkin_address_lookup_finish (GAsyncResult *result,
                              GError      **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, welkin_address_lookup_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
