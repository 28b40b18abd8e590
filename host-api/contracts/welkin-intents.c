/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "contracts/welkin-intents.h"

/**
 * WelkinIntents:
 *
 * Where a provider notes what has to be known after a crash and can be noted
 * nowhere in the cloud: what it is about to make that can carry no mark.
 *
 * The host makes one for each environment and gives it to a [iface@Reconciler].
 * A line has a key that begins with the start-id of the start it is of, and a
 * slash; the rest of the key and the text are the provider's own. When nothing
 * is left of a start, the host removes its lines.
 *
 * Since: 0.1
 */
G_DEFINE_INTERFACE (WelkinIntents, welkin_intents, G_TYPE_OBJECT)

static void
welkin_intents_default_init (WelkinIntentsInterface *iface)
{
}

/**
 * welkin_intents_load:
 * @self: intents
 * @error: return location for an error
 *
 * Reads all that is noted at this moment.
 *
 * Returns: (transfer full) (element-type utf8 utf8): the lines by their keys,
 *   or %NULL on error
 *
 * Since: 0.1
 */
GHashTable *
welkin_intents_load (WelkinIntents *self,
                     GError       **error)
{
  g_return_val_if_fail (WELKIN_IS_INTENTS (self), NULL);

  return WELKIN_INTENTS_GET_IFACE (self)->load (self, error);
}

/**
 * welkin_intents_record_async:
 * @self: intents
 * @key: of the line: a start-id, a slash, and what tells it from the others
 * @text: (nullable): the line; %NULL removes it
 * @cancellable: (nullable): gives up
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Notes a line, in place of one with the same key. Once the callback was
 * called without an error, it outlives the process.
 *
 * The callback is called in the thread-default main context of the call.
 *
 * Since: 0.1
 */
void
welkin_intents_record_async (WelkinIntents       *self,
                             const char          *key,
                             const char          *text,
                             GCancellable        *cancellable,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data)
{
  g_return_if_fail (WELKIN_IS_INTENTS (self));
  g_return_if_fail (key != NULL);

  WELKIN_INTENTS_GET_IFACE (self)->record_async (self, key, text, cancellable, callback,
                                                 user_data);
}

/**
 * welkin_intents_record_finish:
 * @self: intents
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Intents.record_async].
 *
 * Returns: whether it is noted
 *
 * Since: 0.1
 */
gboolean
welkin_intents_record_finish (WelkinIntents *self,
                              GAsyncResult  *result,
                              GError       **error)
{
  g_return_val_if_fail (WELKIN_IS_INTENTS (self), FALSE);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), FALSE);

  return WELKIN_INTENTS_GET_IFACE (self)->record_finish (self, result, error);
}
