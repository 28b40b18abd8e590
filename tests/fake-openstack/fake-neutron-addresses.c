/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* Addresses: prefixes, and which of a subnet's pool are taken. */

#include <stdio.h>

#include "fake-neutron.h"

/* One subnet; IPv4 addresses as numbers in host order. */
typedef struct
{
  guint32 first;
  guint32 last;
  guint32 next;      /* where to look for a free one */
  GHashTable *taken; /* of address text */
} Pool;

struct _FakeAddresses
{
  GHashTable *pools; /* subnet id → Pool */
};

static void
pool_free (gpointer data)
{
  Pool *pool = data;

  g_hash_table_unref (pool->taken);
  g_free (pool);
}

FakeAddresses *
fake_addresses_new (void)
{
  FakeAddresses *addresses = g_new0 (FakeAddresses, 1);

  addresses->pools = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, pool_free);
  return addresses;
}

void
fake_addresses_free (FakeAddresses *addresses)
{
  g_hash_table_unref (addresses->pools);
  g_free (addresses);
}

static guint32
to_number (const char *text)
{
  g_autoptr (GInetAddress) address = g_inet_address_new_from_string (text);
  const guint8 *bytes;

  if (address == NULL || g_inet_address_get_family (address) != G_SOCKET_FAMILY_IPV4)
    return 0;
  bytes = g_inet_address_to_bytes (address);
  return (guint32) bytes[0] << 24 | (guint32) bytes[1] << 16 | (guint32) bytes[2] << 8 | bytes[3];
}

static char *
to_text (guint32 number)
{
  return g_strdup_printf ("%u.%u.%u.%u", number >> 24, (number >> 16) & 255, (number >> 8) & 255,
                          number & 255);
}

static Pool *
get_pool (FakeAddresses *addresses, JsonObject *subnet)
{
  const char *id = fake_json_get_string (subnet, "id");
  Pool *pool = g_hash_table_lookup (addresses->pools, id);
  JsonArray *ranges = fake_json_get_array (subnet, "allocation_pools");

  if (pool != NULL)
    return pool;

  pool = g_new0 (Pool, 1);
  pool->taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (ranges != NULL && json_array_get_length (ranges) > 0)
    {
      JsonObject *range = json_array_get_object_element (ranges, 0);

      pool->first = to_number (fake_json_get_string (range, "start"));
      pool->last = to_number (fake_json_get_string (range, "end"));
    }
  pool->next = pool->first;
  g_hash_table_insert (addresses->pools, g_strdup (id), pool);
  return pool;
}

char *
fake_addresses_take (FakeAddresses *addresses, JsonObject *subnet, const char *wanted)
{
  Pool *pool = get_pool (addresses, subnet);

  if (wanted != NULL)
    return g_hash_table_add (pool->taken, g_strdup (wanted)) ? g_strdup (wanted) : NULL;

  for (guint64 i = 0; i <= (guint64) pool->last - pool->first && pool->first != 0; i++)
    {
      char *text = to_text (pool->next);

      pool->next = pool->next >= pool->last ? pool->first : pool->next + 1;
      if (!g_hash_table_contains (pool->taken, text))
        {
          g_hash_table_add (pool->taken, g_strdup (text));
          return text;
        }
      g_free (text);
    }
  return NULL;
}

void
fake_addresses_give_back (FakeAddresses *addresses, const char *subnet_id, const char *address)
{
  Pool *pool = g_hash_table_lookup (addresses->pools, subnet_id);

  if (pool != NULL)
    g_hash_table_remove (pool->taken, address);
}

char *
fake_addresses_make_slaac (JsonObject *subnet, const char *mac)
{
  g_auto (FakePrefix) prefix = { NULL };
  g_autoptr (GInetAddress) address = NULL;
  guint8 bytes[16];
  guint m[6];

  if (!fake_prefix_parse (fake_json_get_string (subnet, "cidr"), &prefix)
      || sscanf (mac, "%x:%x:%x:%x:%x:%x", &m[0], &m[1], &m[2], &m[3], &m[4], &m[5]) != 6)
    return NULL;
  memcpy (bytes, g_inet_address_to_bytes (prefix.masked), 8);
  bytes[8] = (guint8) (m[0] ^ 2);
  bytes[9] = (guint8) m[1];
  bytes[10] = (guint8) m[2];
  bytes[11] = 0xff;
  bytes[12] = 0xfe;
  bytes[13] = (guint8) m[3];
  bytes[14] = (guint8) m[4];
  bytes[15] = (guint8) m[5];
  address = g_inet_address_new_from_bytes (bytes, G_SOCKET_FAMILY_IPV6);
  return g_inet_address_to_string (address);
}

/* prefixes */

void
fake_prefix_clear (FakePrefix *prefix)
{
  g_clear_object (&prefix->address);
  g_clear_object (&prefix->masked);
}

static GInetAddress *
mask (GInetAddress *address, guint length)
{
  gsize size = g_inet_address_get_native_size (address);
  guint8 bytes[16];

  memcpy (bytes, g_inet_address_to_bytes (address), size);
  for (guint i = 0; i < size; i++)
    {
      guint kept = length > i * 8 ? MIN (length - i * 8, 8) : 0;

      bytes[i] &= (guint8) (0xff00 >> kept);
    }
  return g_inet_address_new_from_bytes (bytes, g_inet_address_get_family (address));
}

gboolean
fake_prefix_parse (const char *text, FakePrefix *prefix)
{
  g_auto (GStrv) parts = g_strsplit (text != NULL ? text : "", "/", 2);
  guint64 length;
  guint bits;

  if (parts[0] == NULL)
    return FALSE;
  prefix->address = g_inet_address_new_from_string (parts[0]);
  if (prefix->address == NULL)
    return FALSE;
  bits = (guint) g_inet_address_get_native_size (prefix->address) * 8;
  length = bits;
  if (parts[1] != NULL && !g_ascii_string_to_unsigned (parts[1], 10, 0, bits, &length, NULL))
    return FALSE;
  prefix->length = (guint) length;
  prefix->masked = mask (prefix->address, prefix->length);
  return TRUE;
}

gboolean
fake_prefix_has (const FakePrefix *prefix, const char *text)
{
  g_autoptr (GInetAddress) address = g_inet_address_new_from_string (text);
  g_autoptr (GInetAddress) masked = NULL;

  if (address == NULL
      || g_inet_address_get_family (address) != g_inet_address_get_family (prefix->address))
    return FALSE;
  masked = mask (address, prefix->length);
  return g_inet_address_equal (masked, prefix->masked);
}
