/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "contracts/welkin-data-source.h"

#include "contracts/welkin-contract-private.h"

/**
 * WelkinDataSource:
 *
 * A place that metadata about images or tools is read from.
 *
 * It belongs to the main context that it was made in.
 *
 * Since: 0.1
 */
G_DEFINE_INTERFACE (WelkinDataSource, welkin_data_source, G_TYPE_OBJECT)

static void
welkin_data_source_default_init (WelkinDataSourceInterface *iface)
{
}

/**
 * welkin_data_source_get_description:
 * @self: a data source
 *
 * Gets what to call the place in messages.
 *
 * Returns: (transfer none): as in "default cloud images"
 *
 * Since: 0.1
 */
const char *
welkin_data_source_get_description (WelkinDataSource *self)
{
  g_return_val_if_fail (WELKIN_IS_DATA_SOURCE (self), NULL);

  return WELKIN_DATA_SOURCE_GET_IFACE (self)->get_description (self);
}

/**
 * welkin_data_source_get_requires_signed:
 * @self: a data source
 *
 * Tells whether only signed data may be believed.
 *
 * Returns: whether it must be signed
 *
 * Since: 0.1
 */
gboolean
welkin_data_source_get_requires_signed (WelkinDataSource *self)
{
  WelkinDataSourceInterface *iface;

  g_return_val_if_fail (WELKIN_IS_DATA_SOURCE (self), FALSE);

  iface = WELKIN_DATA_SOURCE_GET_IFACE (self);
  return iface->get_requires_signed != NULL && iface->get_requires_signed (self);
}

/**
 * welkin_data_source_get_uri:
 * @self: a data source
 * @path: a path below the place
 *
 * Tells where a file is, or would be.
 *
 * It is for messages: it may have left out what is secret.
 *
 * Returns: (transfer full): its URL, or @path where it has none
 *
 * Since: 0.1
 */
char *
welkin_data_source_get_uri (WelkinDataSource *self,
                            const char       *path)
{
  WelkinDataSourceInterface *iface;

  g_return_val_if_fail (WELKIN_IS_DATA_SOURCE (self), NULL);
  g_return_val_if_fail (path != NULL, NULL);

  iface = WELKIN_DATA_SOURCE_GET_IFACE (self);
  return iface->get_uri != NULL ? iface->get_uri (self, path) : g_strdup (path);
}

/**
 * welkin_data_source_fetch_async:
 * @self: a data source
 * @path: a path below the place
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Reads a file.
 *
 * The callback is called in the main context that @self belongs to.
 *
 * Since: 0.1
 */
void
welkin_data_source_fetch_async (WelkinDataSource    *self,
                                const char          *path,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             user_data)
{
  WelkinDataSourceInterface *iface;

  g_return_if_fail (WELKIN_IS_DATA_SOURCE (self));
  g_return_if_fail (path != NULL);

  iface = WELKIN_DATA_SOURCE_GET_IFACE (self);
  if (iface->fetch_async == NULL)
    {
      welkin_contract_refuse (self, "fetch", callback, user_data, welkin_data_source_fetch_async);
      return;
    }
  iface->fetch_async (self, path, cancellable, callback, user_data);
}

/**
 * welkin_data_source_fetch_finish:
 * @self: a data source
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@DataSource.fetch_async].
 *
 * A file that is not there is %WELKIN_ERROR_NOT_FOUND.
 *
 * Returns: (transfer full): its contents, or %NULL on error
 *
 * Since: 0.1
 */
GBytes *
welkin_data_source_fetch_finish (WelkinDataSource  *self,
                                 GAsyncResult      *result,
                                 GError           **error)
{
  g_return_val_if_fail (WELKIN_IS_DATA_SOURCE (self), NULL);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), NULL);

  if (g_async_result_is_tagged (result, welkin_data_source_fetch_async))
    return g_task_propagate_pointer (G_TASK (result), error);
  return WELKIN_DATA_SOURCE_GET_IFACE (self)->fetch_finish (self, result, error);
}

/**
 * welkin_data_source_open_async:
 * @self: a data source
 * @path: a path below the place
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Opens a file that is to be read bit by bit, however large it is.
 *
 * The callback is called in the main context that @self belongs to.
 *
 * Since: 0.1
 */
void
welkin_data_source_open_async (WelkinDataSource    *self,
                               const char          *path,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data)
{
  WelkinDataSourceInterface *iface;

  g_return_if_fail (WELKIN_IS_DATA_SOURCE (self));
  g_return_if_fail (path != NULL);

  iface = WELKIN_DATA_SOURCE_GET_IFACE (self);
  if (iface->open_async == NULL)
    {
      welkin_contract_refuse (self, "open", callback, user_data, welkin_data_source_open_async);
      return;
    }
  iface->open_async (self, path, cancellable, callback, user_data);
}

/**
 * welkin_data_source_open_finish:
 * @self: a data source
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@DataSource.open_async].
 *
 * A file that is not there is %WELKIN_ERROR_NOT_FOUND.
 *
 * Returns: (transfer full): its contents, or %NULL on error
 *
 * Since: 0.1
 */
GInputStream *
welkin_data_source_open_finish (WelkinDataSource  *self,
                                GAsyncResult      *result,
                                GError           **error)
{
  g_return_val_if_fail (WELKIN_IS_DATA_SOURCE (self), NULL);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), NULL);

  if (g_async_result_is_tagged (result, welkin_data_source_open_async))
    return g_task_propagate_pointer (G_TASK (result), error);
  return WELKIN_DATA_SOURCE_GET_IFACE (self)->open_finish (self, result, error);
}
