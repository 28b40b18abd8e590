/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

/* What a test waits for: a place for the result of a call, which is NULL until that ends. */

/* user_data: the place */
static inline void
result_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  GAsyncResult **place = user_data;

  g_assert_null (*place);
  *place = g_object_ref (result);
}

/* (transfer none) */
static inline GAsyncResult *
result_wait (GAsyncResult **place)
{
  while (*place == NULL)
    g_main_context_iteration (NULL, TRUE);
  return *place;
}

/* Reads to the end, as an application does: asynchronously. */
static inline GBytes *
result_read_all (GInputStream *stream,
                 GError      **error)
{
  g_autoptr(GByteArray) data = g_byte_array_new ();

  while (TRUE)
    {
      g_autoptr(GAsyncResult) result = NULL;
      g_autoptr(GBytes) piece = NULL;

      g_input_stream_read_bytes_async (stream, 1000, G_PRIORITY_DEFAULT, NULL, result_cb, &result);
      piece = g_input_stream_read_bytes_finish (stream, result_wait (&result), error);
      if (piece == NULL)
        return NULL;
      if (g_bytes_get_size (piece) == 0)
        return g_byte_array_free_to_bytes (g_steal_pointer (&data));
      g_byte_array_append (data, g_bytes_get_data (piece, NULL), (guint) g_bytes_get_size (piece));
    }
}
