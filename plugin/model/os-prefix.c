/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "model/os-prefix.h"

#include <gio/gio.h>

static void
clear_host_bits (guint8 *bytes,
                 gsize   size,
                 guint   length)
{
  for (gsize i = length; i < size * 8; i++)
    bytes[i / 8] &= ~(0x80 >> (i % 8));
}

char *
os_prefix_normalise (const char *text)
{
  g_auto(GStrv) parts = g_strsplit (text, "/", 2);
  g_autoptr(GInetAddress) address = NULL;
  g_autoptr(GInetAddress) network = NULL;
  g_autofree guint8 *bytes = NULL;
  g_autofree char *network_text = NULL;
  guint64 length;
  gsize size;

  if (parts[0] == NULL)
    return NULL;
  address = g_inet_address_new_from_string (parts[0]);
  if (address == NULL)
    return NULL;
  size = g_inet_address_get_native_size (address);
  length = size * 8;
  if (parts[1] != NULL && !g_ascii_string_to_unsigned (parts[1], 10, 0, length, &length, NULL))
    return NULL;

  bytes = g_memdup2 (g_inet_address_to_bytes (address), size);
  clear_host_bits (bytes, size, length);
  network = g_inet_address_new_from_bytes (bytes, g_inet_address_get_family (address));
  network_text = g_inet_address_to_string (network);
  return g_strdup_printf ("%s/%u", network_text, (guint) length);
}
