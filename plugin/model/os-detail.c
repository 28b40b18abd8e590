/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "model/os-detail.h"

/* Bytes of a fault that are kept: nova sends whole tracebacks. */
#define MAX_FAULT 1000

enum
{
  TEXT_ID,
  TEXT_STATUS,
  TEXT_FAULT,
  TEXT_CREATED,
  TEXT_ZONE,
  TEXT_FLAVOR_ID,
  TEXT_MACHINE_ID,
  TEXT_START,
  TEXT_FLOATING_IP,
  N_TEXTS
};

struct _OsDetail
{
  grefcount           ref_count;
  WelkinInstanceState state;
  gboolean            is_on_volume;
  guint               n_addresses;
  guint32             offsets[N_TEXTS]; /* into texts; 0: none */
  guint32             addresses;        /* the first one's offset */
  char                texts[];          /* an empty one, those above, and two for each address */
};

static void
add_text (OsDetail   *self,
          GString    *texts,
          guint       which,
          const char *text)
{
  if (text == NULL)
    return;
  self->offsets[which] = texts->len;
  g_string_append_len (texts, text, strlen (text) + 1);
}

/* The network, with what the type of the address makes of it in front, and the address. */
static void
add_address (OsDetail   *self,
             GString    *texts,
             gboolean    is_floating,
             const char *network,
             const char *address)
{
  if (address == NULL || *address == '\0')
    return;
  g_string_append_c (texts, is_floating ? 'f' : '-');
  if (network != NULL)
    g_string_append (texts, network);
  g_string_append_c (texts, '\0');
  g_string_append_len (texts, address, strlen (address) + 1);
  self->n_addresses++;
}

static void
add_addresses (OsDetail       *self,
               GString        *texts,
               const OsServer *server)
{
  self->addresses = texts->len;
  for (guint i = 0; server->addresses != NULL && i < server->addresses->len; i++)
    {
      const OsServerAddress *address = g_ptr_array_index (server->addresses, i);

      add_address (self, texts, g_strcmp0 (address->type, "floating") == 0, address->network,
                   address->address);
    }
  add_address (self, texts, FALSE, NULL, server->access_ipv4);
  add_address (self, texts, FALSE, NULL, server->access_ipv6);
}

static void
add_texts (OsDetail       *self,
           GString        *texts,
           const OsServer *server)
{
  g_autofree char *fault = NULL;

  if (server->fault != NULL && server->fault->message != NULL)
    fault = g_utf8_make_valid (server->fault->message,
                               MIN (strlen (server->fault->message), MAX_FAULT));
  add_text (self, texts, TEXT_ID, server->id);
  add_text (self, texts, TEXT_STATUS, server->status);
  add_text (self, texts, TEXT_FAULT, fault);
  add_text (self, texts, TEXT_CREATED, server->created);
  add_text (self, texts, TEXT_ZONE, server->zone);
  add_text (self, texts, TEXT_FLAVOR_ID, server->flavor != NULL ? server->flavor->id : NULL);
  add_text (self, texts, TEXT_MACHINE_ID, os_server_get_metadata (server, OS_METADATA_MACHINE_ID));
  add_text (self, texts, TEXT_START, os_server_get_metadata (server, OS_METADATA_START));
  add_text (self, texts, TEXT_FLOATING_IP,
            os_server_get_metadata (server, OS_METADATA_FLOATING_IP));
}

OsDetail *
os_detail_new (const OsServer *server)
{
  OsDetail header = {
    .state = os_server_get_state (server),
    .is_on_volume = os_server_is_on_volume (server),
  };
  g_autoptr(GString) texts = g_string_sized_new (512);
  OsDetail *self;

  g_string_append_c (texts, '\0');
  add_texts (&header, texts, server);
  add_addresses (&header, texts, server);

  self = g_malloc (sizeof (OsDetail) + texts->len);
  *self = header;
  memcpy (self->texts, texts->str, texts->len);
  g_ref_count_init (&self->ref_count);
  return self;
}

OsDetail *
os_detail_ref (OsDetail *self)
{
  g_ref_count_inc (&self->ref_count);
  return self;
}

void
os_detail_unref (OsDetail *self)
{
  if (g_ref_count_dec (&self->ref_count))
    g_free (self);
}

static const char *
get_text (const OsDetail *self,
          guint           which)
{
  return self->offsets[which] != 0 ? self->texts + self->offsets[which] : NULL;
}

const char *
os_detail_get_id (const OsDetail *self)
{
  return get_text (self, TEXT_ID);
}

const char *
os_detail_get_status (const OsDetail *self)
{
  return get_text (self, TEXT_STATUS);
}

WelkinInstanceState
os_detail_get_state (const OsDetail *self)
{
  return self->state;
}

const char *
os_detail_get_fault (const OsDetail *self)
{
  return get_text (self, TEXT_FAULT);
}

const char *
os_detail_get_created (const OsDetail *self)
{
  return get_text (self, TEXT_CREATED);
}

const char *
os_detail_get_zone (const OsDetail *self)
{
  return get_text (self, TEXT_ZONE);
}

const char *
os_detail_get_flavor_id (const OsDetail *self)
{
  return get_text (self, TEXT_FLAVOR_ID);
}

gboolean
os_detail_is_on_volume (const OsDetail *self)
{
  return self->is_on_volume;
}

const char *
os_detail_get_machine_id (const OsDetail *self)
{
  return get_text (self, TEXT_MACHINE_ID);
}

const char *
os_detail_get_start (const OsDetail *self)
{
  return get_text (self, TEXT_START);
}

const char *
os_detail_get_floating_ip (const OsDetail *self)
{
  return get_text (self, TEXT_FLOATING_IP);
}

static gboolean
has_address (GPtrArray  *addresses,
             const char *value)
{
  for (guint i = 0; i < addresses->len; i++)
    if (g_str_equal (welkin_address_get_value (g_ptr_array_index (addresses, i)), value))
      return TRUE;
  return FALSE;
}

/* Addresses of a network that is external may look like private ones. */
static gboolean
is_outside (const char *network,
            const char *external)
{
  return g_str_equal (network, "public") || (*network != '\0' && g_str_equal (network, external));
}

GPtrArray *
os_detail_dup_addresses (const OsDetail *self,
                         const char     *external)
{
  GPtrArray *addresses = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_address_unref);
  const char *text = self->texts + self->addresses;

  for (guint i = 0; i < self->n_addresses; i++)
    {
      const char *network = text + 1;
      gboolean is_public = *text == 'f' || is_outside (network, external);
      const char *value = network + strlen (network) + 1;

      if (!has_address (addresses, value))
        g_ptr_array_add (addresses,
                         welkin_address_new (value,
                                             is_public ? WELKIN_SCOPE_PUBLIC : WELKIN_SCOPE_UNKNOWN,
                                             *network != '\0' ? network : NULL));
      text = value + strlen (value) + 1;
    }
  return addresses;
}
