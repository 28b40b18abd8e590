/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "values/welkin-address.h"

/**
 * WelkinAddress:
 *
 * An address of a machine.
 *
 * Addresses are immutable and may be shared between threads.
 *
 * Since: 0.1
 */
struct _WelkinAddress
{
  char             *value;
  char             *network; /* (nullable) */
  WelkinAddressKind kind;
  WelkinScope       scope;
};

/**
 * WelkinAddressKind:
 * @WELKIN_ADDRESS_HOSTNAME: a name that has to be resolved
 * @WELKIN_ADDRESS_IPV4: an IPv4 address
 * @WELKIN_ADDRESS_IPV6: an IPv6 address
 *
 * What an address is.
 *
 * Since: 0.1
 */

/**
 * WelkinScope:
 * @WELKIN_SCOPE_UNKNOWN: nobody knows
 * @WELKIN_SCOPE_PUBLIC: from everywhere
 * @WELKIN_SCOPE_LOCAL_CLOUD: from the machines of the same cloud
 * @WELKIN_SCOPE_LOCAL_MACHINE: from the machine itself
 * @WELKIN_SCOPE_LINK_LOCAL: from the same link
 *
 * From where an address can be reached.
 *
 * Since: 0.1
 */

G_DEFINE_BOXED_TYPE (WelkinAddress, welkin_address, welkin_address_ref, welkin_address_unref)

/* The first range that holds an address says its scope; outside of all of
 * them it is public. The size of an address in bytes tells the families
 * apart. */
static const struct
{
  gsize       size;
  guint8      prefix[16];
  guint       n_bits;
  WelkinScope scope;
} ranges[] = {
  { 4, { 127 }, 8, WELKIN_SCOPE_LOCAL_MACHINE },
  { 4, { 10 }, 8, WELKIN_SCOPE_LOCAL_CLOUD },
  { 4, { 172, 16 }, 12, WELKIN_SCOPE_LOCAL_CLOUD },
  { 4, { 192, 168 }, 16, WELKIN_SCOPE_LOCAL_CLOUD },
  { 4, { 100, 64 }, 10, WELKIN_SCOPE_LOCAL_CLOUD },
  { 4, { 169, 254 }, 16, WELKIN_SCOPE_LINK_LOCAL },
  { 4, { 224 }, 24, WELKIN_SCOPE_LINK_LOCAL },
  { 4, { 224 }, 4, WELKIN_SCOPE_UNKNOWN },
  { 4, { 255, 255, 255, 255 }, 32, WELKIN_SCOPE_UNKNOWN },
  { 4, { 0 }, 32, WELKIN_SCOPE_UNKNOWN },
  { 16, { [15] = 1 }, 128, WELKIN_SCOPE_LOCAL_MACHINE },
  { 16, { 0xfc }, 7, WELKIN_SCOPE_LOCAL_CLOUD },
  { 16, { 0xfe, 0x80 }, 10, WELKIN_SCOPE_LINK_LOCAL },
  { 16, { 0xff }, 8, WELKIN_SCOPE_UNKNOWN },
  { 16, { 0 }, 128, WELKIN_SCOPE_UNKNOWN },
};

static gboolean
has_prefix (const guint8 *bytes,
            const guint8 *prefix,
            guint         n_bits)
{
  guint n_bytes = n_bits / 8;
  guint8 mask = 0xff << (8 - n_bits % 8);

  return memcmp (bytes, prefix, n_bytes) == 0 &&
         (n_bits % 8 == 0 || (bytes[n_bytes] & mask) == prefix[n_bytes]);
}

static WelkinScope
derive_scope (GInetAddress *address)
{
  const guint8 *bytes = g_inet_address_to_bytes (address);
  gsize size = g_inet_address_get_native_size (address);

  if (g_inet_address_get_is_mc_link_local (address) ||
      g_inet_address_get_is_mc_node_local (address))
    return WELKIN_SCOPE_LINK_LOCAL;

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    {
      if (ranges[i].size == size && has_prefix (bytes, ranges[i].prefix, ranges[i].n_bits))
        return ranges[i].scope;
    }
  return WELKIN_SCOPE_PUBLIC;
}

/* NULL for a host name. An IPv4 address in IPv6's clothes is an IPv4
 * address. */
static GInetAddress *
parse_value (const char *value)
{
  static const guint8 mapped[12] = { [10] = 0xff, [11] = 0xff };
  g_autofree char *without_zone = g_strndup (value, strcspn (value, "%"));
  g_autoptr(GInetAddress) address = g_inet_address_new_from_string (without_zone);
  const guint8 *bytes;

  if (address == NULL || g_inet_address_get_family (address) != G_SOCKET_FAMILY_IPV6)
    return g_steal_pointer (&address);

  bytes = g_inet_address_to_bytes (address);
  if (!has_prefix (bytes, mapped, 96))
    return g_steal_pointer (&address);
  return g_inet_address_new_from_bytes (bytes + sizeof mapped, G_SOCKET_FAMILY_IPV4);
}

static void
address_clear (gpointer data)
{
  WelkinAddress *self = data;

  g_free (self->value);
  g_free (self->network);
}

/**
 * welkin_address_new:
 * @value: an IP address or a host name
 * @scope: from where it can be reached; %WELKIN_SCOPE_UNKNOWN to tell by the
 *   address
 * @network: (nullable): the name of the network that it is on
 *
 * Makes an address.
 *
 * Returns: (transfer full): a new address
 *
 * Since: 0.1
 */
WelkinAddress *
welkin_address_new (const char *value,
                    WelkinScope scope,
                    const char *network)
{
  g_autoptr(GInetAddress) address = NULL;
  WelkinAddress *self;

  g_return_val_if_fail (value != NULL, NULL);

  self = g_atomic_rc_box_new0 (WelkinAddress);
  self->value = g_strdup (value);
  self->network = g_strdup (network);
  self->scope = scope;

  address = parse_value (value);
  if (address == NULL)
    return self;
  self->kind = g_inet_address_get_family (address) == G_SOCKET_FAMILY_IPV4 ? WELKIN_ADDRESS_IPV4
                                                                           : WELKIN_ADDRESS_IPV6;
  if (scope == WELKIN_SCOPE_UNKNOWN)
    self->scope = derive_scope (address);
  return self;
}

/**
 * welkin_address_ref:
 * @self: an address
 *
 * Takes another reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
WelkinAddress *
welkin_address_ref (WelkinAddress *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

/**
 * welkin_address_unref:
 * @self: (transfer full): an address
 *
 * Drops a reference; the last one frees the address.
 *
 * Since: 0.1
 */
void
welkin_address_unref (WelkinAddress *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, address_clear);
}

/**
 * welkin_address_equal:
 * @self: an address
 * @other: another address
 *
 * Compares two addresses in all that they say.
 *
 * Returns: whether they are equal
 *
 * Since: 0.1
 */
gboolean
welkin_address_equal (WelkinAddress *self,
                      WelkinAddress *other)
{
  g_return_val_if_fail (self != NULL && other != NULL, FALSE);

  return self->scope == other->scope && g_str_equal (self->value, other->value) &&
         g_strcmp0 (self->network, other->network) == 0;
}

/**
 * welkin_address_get_value:
 * @self: an address
 *
 * Gets the IP address or host name.
 *
 * Returns: (transfer none): the text as it was given
 *
 * Since: 0.1
 */
const char *
welkin_address_get_value (WelkinAddress *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->value;
}

/**
 * welkin_address_get_kind:
 * @self: an address
 *
 * Gets what the address is.
 *
 * Returns: its kind
 *
 * Since: 0.1
 */
WelkinAddressKind
welkin_address_get_kind (WelkinAddress *self)
{
  g_return_val_if_fail (self != NULL, WELKIN_ADDRESS_HOSTNAME);

  return self->kind;
}

/**
 * welkin_address_get_scope:
 * @self: an address
 *
 * Gets from where the address can be reached.
 *
 * Returns: its scope
 *
 * Since: 0.1
 */
WelkinScope
welkin_address_get_scope (WelkinAddress *self)
{
  g_return_val_if_fail (self != NULL, WELKIN_SCOPE_UNKNOWN);

  return self->scope;
}

/**
 * welkin_address_get_network:
 * @self: an address
 *
 * Gets the name of the network that the address is on.
 *
 * Returns: (transfer none) (nullable): its name
 *
 * Since: 0.1
 */
const char *
welkin_address_get_network (WelkinAddress *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->network;
}

/**
 * welkin_address_to_string:
 * @self: an address
 *
 * Formats the address for people, as in "public:10.0.0.1(net)".
 *
 * Returns: (transfer full): the text, without what is not known
 *
 * Since: 0.1
 */
char *
welkin_address_to_string (WelkinAddress *self)
{
  static const char * const prefixes[] = {
    "", "public:", "local-cloud:", "local-machine:", "link-local:",
  };

  g_return_val_if_fail (self != NULL, NULL);

  if (self->network == NULL || *self->network == '\0')
    return g_strconcat (prefixes[self->scope], self->value, NULL);
  return g_strconcat (prefixes[self->scope], self->value, "(", self->network, ")", NULL);
}

/**
 * welkin_address_to_host_port:
 * @self: an address
 * @port: a port
 *
 * Formats the address and a port as "VALUE:PORT", with brackets around IPv6.
 *
 * Returns: (transfer full): the text
 *
 * Since: 0.1
 */
char *
welkin_address_to_host_port (WelkinAddress *self,
                             guint16        port)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_strdup_printf (self->kind == WELKIN_ADDRESS_IPV6 ? "[%s]:%u" : "%s:%u", self->value,
                          port);
}

/* Where it comes in a list for people: by scope, and in each IPv6 last. */
static int
get_place (WelkinAddress *self)
{
  static const int places[] = {
    [WELKIN_SCOPE_PUBLIC] = 0,
    [WELKIN_SCOPE_LOCAL_CLOUD] = 30,
    [WELKIN_SCOPE_LOCAL_MACHINE] = 70,
    [WELKIN_SCOPE_LINK_LOCAL] = 90,
    [WELKIN_SCOPE_UNKNOWN] = 100,
  };

  if (self->kind == WELKIN_ADDRESS_HOSTNAME)
    return g_str_equal (self->value, "localhost") ? 20 : 10;
  return places[self->scope] + (self->kind == WELKIN_ADDRESS_IPV6);
}

/**
 * welkin_address_compare:
 * @self: an address
 * @other: another address
 *
 * Compares two addresses by the order in which to show them to people.
 *
 * Public ones come first, then names, then those from which fewer can be
 * reached; in each IPv4 comes before IPv6.
 *
 * Returns: less than 0, 0 or more than 0 where @self comes before @other, at
 *   the same place or after it
 *
 * Since: 0.1
 */
int
welkin_address_compare (WelkinAddress *self,
                        WelkinAddress *other)
{
  int difference;

  g_return_val_if_fail (self != NULL && other != NULL, 0);

  difference = get_place (self) - get_place (other);
  return difference != 0 ? difference : strcmp (self->value, other->value);
}

/* The first of the best rank: ranks are by scope (-1: never), and in each
 * the preferred kind comes first. */
static WelkinAddress *
select_best (GPtrArray        *addresses,
             const int        *rank_of_scope,
             WelkinAddressKind preferred)
{
  WelkinAddress *best = NULL;
  int best_rank = G_MAXINT;

  for (guint i = 0; i < addresses->len; i++)
    {
      WelkinAddress *address = addresses->pdata[i];
      int rank = rank_of_scope[address->scope] * 2 + (address->kind != preferred);

      if (rank_of_scope[address->scope] >= 0 && rank < best_rank)
        {
          best = address;
          best_rank = rank;
        }
    }
  return best;
}

/**
 * welkin_address_select_public:
 * @addresses: (element-type WelkinAddress): the addresses of a machine
 *
 * Chooses the address by which to reach a machine from outside of its cloud.
 *
 * A public one is best, then one of the cloud, then one of which nothing is
 * known; among equals IPv4 comes first, then the order in the list counts.
 *
 * Returns: (transfer none) (nullable): one of @addresses, or %NULL if none will
 *   do
 *
 * Since: 0.1
 */
WelkinAddress *
welkin_address_select_public (GPtrArray *addresses)
{
  return welkin_address_select_public_of_kind (addresses, WELKIN_ADDRESS_IPV4);
}

/**
 * welkin_address_select_public_of_kind:
 * @addresses: (element-type WelkinAddress): the addresses of a machine
 * @preferred: what comes first among equals
 *
 * Chooses as [func@Address.select_public] does, but with another preference
 * among equals. An address of another kind is chosen where it is better, or
 * there is no other.
 *
 * Returns: (transfer none) (nullable): one of @addresses, or %NULL if none will
 *   do
 *
 * Since: 0.1
 */
WelkinAddress *
welkin_address_select_public_of_kind (GPtrArray        *addresses,
                                      WelkinAddressKind preferred)
{
  static const int ranks[] = {
    [WELKIN_SCOPE_PUBLIC] = 0,
    [WELKIN_SCOPE_LOCAL_CLOUD] = 1,
    [WELKIN_SCOPE_UNKNOWN] = 2,
    [WELKIN_SCOPE_LOCAL_MACHINE] = -1,
    [WELKIN_SCOPE_LINK_LOCAL] = -1,
  };

  g_return_val_if_fail (addresses != NULL, NULL);

  return select_best (addresses, ranks, preferred);
}

/**
 * welkin_address_select_internal:
 * @addresses: (element-type WelkinAddress): the addresses of a machine
 * @machine_local: whether who asks is on the machine itself
 *
 * Chooses the address by which to reach a machine from inside of its cloud.
 *
 * One of the cloud is best, with @machine_local also one of the machine, then
 * any other; among equals IPv4 comes first, then the order in the list counts.
 *
 * Returns: (transfer none) (nullable): one of @addresses, or %NULL if none will
 *   do
 *
 * Since: 0.1
 */
WelkinAddress *
welkin_address_select_internal (GPtrArray *addresses,
                                gboolean   machine_local)
{
  const int ranks[] = {
    [WELKIN_SCOPE_LOCAL_CLOUD] = 0,
    [WELKIN_SCOPE_LOCAL_MACHINE] = machine_local ? 0 : -1,
    [WELKIN_SCOPE_PUBLIC] = 1,
    [WELKIN_SCOPE_UNKNOWN] = 1,
    [WELKIN_SCOPE_LINK_LOCAL] = -1,
  };

  g_return_val_if_fail (addresses != NULL, NULL);

  return select_best (addresses, ranks, WELKIN_ADDRESS_IPV4);
}
