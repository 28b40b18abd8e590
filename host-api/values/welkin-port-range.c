/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "values/welkin-port-range.h"

#include <glib/gi18n-lib.h>

#include "values/welkin-error.h"

/**
 * WelkinPortRange:
 *
 * Ports that are open, and to whom.
 *
 * The protocols that a host asks for are "tcp", "udp" and "icmp". What a cloud
 * tells of may have other protocols, by name or number, and "any" for all of
 * them; only some of them have ports.
 *
 * Port ranges are immutable and may be shared between threads.
 *
 * Since: 0.1
 */
struct _WelkinPortRange
{
  char  *protocol;
  guint  from_port; /* 0 for icmp, which has no ports */
  guint  to_port;
  char **sources;   /* (nullable): from everywhere */
};

G_DEFINE_BOXED_TYPE (WelkinPortRange,
                     welkin_port_range,
                     welkin_port_range_ref,
                     welkin_port_range_unref)

static void
port_range_clear (gpointer data)
{
  WelkinPortRange *self = data;

  g_free (self->protocol);
  g_strfreev (self->sources);
}

/**
 * welkin_port_range_new:
 * @protocol: "tcp", "udp", "icmp" or another
 * @from_port: the first port; 0 for a protocol without ports, as icmp is
 * @to_port: the last port, at most 65535; 0 for a protocol without ports
 * @sources: (nullable) (array zero-terminated=1): from where they are open, as
 *   CIDRs; %NULL for everywhere
 *
 * Makes a range of ports.
 *
 * Returns: (transfer full): a new range
 *
 * Since: 0.1
 */
WelkinPortRange *
welkin_port_range_new (const char         *protocol,
                       guint               from_port,
                       guint               to_port,
                       const char * const *sources)
{
  WelkinPortRange *self;

  g_return_val_if_fail (protocol != NULL, NULL);
  g_return_val_if_fail (from_port <= to_port && to_port <= G_MAXUINT16, NULL);

  self = g_atomic_rc_box_new0 (WelkinPortRange);
  self->protocol = g_strdup (protocol);
  self->from_port = from_port;
  self->to_port = to_port;
  self->sources = g_strdupv ((char **) sources);
  return self;
}

static gboolean
parse_port (const char *text,
            guint      *port)
{
  guint64 number;

  if (!g_ascii_string_to_unsigned (text, 10, 1, G_MAXUINT16, &number, NULL))
    return FALSE;
  *port = number;
  return TRUE;
}

/* "FROM-TO/PROTOCOL" or "PORT/PROTOCOL" */
static gboolean
parse_ports (const char *text,
             char      **protocol,
             guint      *from_port,
             guint      *to_port)
{
  const char *slash = strchr (text, '/');
  g_autofree char *from = NULL;
  char *to;

  if (slash == NULL || !(g_str_equal (slash, "/tcp") || g_str_equal (slash, "/udp")))
    return FALSE;

  from = g_strndup (text, slash - text);
  to = strchr (from, '-');
  if (to != NULL)
    *to++ = '\0';
  if (!parse_port (from, from_port) || !parse_port (to != NULL ? to : from, to_port))
    return FALSE;
  *protocol = g_strdup (slash + 1);
  return *from_port <= *to_port;
}

/**
 * welkin_port_range_new_parsed:
 * @text: as in "80/tcp", "8000-8080/udp" or "icmp"
 * @error: return location for an error
 *
 * Makes a range of ports, open to everybody, of what a user wrote.
 *
 * Anything else is %WELKIN_ERROR_INVALID_ARGUMENT.
 *
 * Returns: (transfer full): a new range, or %NULL on error
 *
 * Since: 0.1
 */
WelkinPortRange *
welkin_port_range_new_parsed (const char *text,
                              GError    **error)
{
  g_autofree char *protocol = NULL;
  guint from_port;
  guint to_port;

  g_return_val_if_fail (text != NULL, NULL);

  if (g_str_equal (text, "icmp"))
    return welkin_port_range_new ("icmp", 0, 0, NULL);
  if (!parse_ports (text, &protocol, &from_port, &to_port))
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                   _("bad port range \"%s\": expected PORT/PROTOCOL, FROM-TO/PROTOCOL or icmp"),
                   text);
      return NULL;
    }
  return welkin_port_range_new (protocol, from_port, to_port, NULL);
}

/**
 * welkin_port_range_ref:
 * @self: a range
 *
 * Takes another reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
WelkinPortRange *
welkin_port_range_ref (WelkinPortRange *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

/**
 * welkin_port_range_unref:
 * @self: (transfer full): a range
 *
 * Drops a reference; the last one frees the range.
 *
 * Since: 0.1
 */
void
welkin_port_range_unref (WelkinPortRange *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, port_range_clear);
}

/**
 * welkin_port_range_get_protocol:
 * @self: a range
 *
 * Gets the protocol of the ports.
 *
 * Returns: (transfer none): "tcp", "udp", "icmp" or another
 *
 * Since: 0.1
 */
const char *
welkin_port_range_get_protocol (WelkinPortRange *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->protocol;
}

/**
 * welkin_port_range_get_from:
 * @self: a range
 *
 * Gets the first port of the range.
 *
 * Returns: the port; 0 for a protocol without ports
 *
 * Since: 0.1
 */
guint
welkin_port_range_get_from (WelkinPortRange *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->from_port;
}

/**
 * welkin_port_range_get_to:
 * @self: a range
 *
 * Gets the last port of the range.
 *
 * Returns: the port; 0 for a protocol without ports
 *
 * Since: 0.1
 */
guint
welkin_port_range_get_to (WelkinPortRange *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->to_port;
}

/**
 * welkin_port_range_get_sources:
 * @self: a range
 *
 * Gets from where the ports are open.
 *
 * Returns: (transfer none) (nullable) (array zero-terminated=1): CIDRs, or
 *   %NULL for everywhere
 *
 * Since: 0.1
 */
const char * const *
welkin_port_range_get_sources (WelkinPortRange *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return (const char * const *) self->sources;
}

/**
 * welkin_port_range_compare:
 * @self: a range
 * @other: another range
 *
 * Orders ranges by protocol, then by first port, then by last port.
 *
 * Returns: less than 0, 0, or more than 0
 *
 * Since: 0.1
 */
int
welkin_port_range_compare (WelkinPortRange *self,
                           WelkinPortRange *other)
{
  int order;

  g_return_val_if_fail (self != NULL && other != NULL, 0);

  order = strcmp (self->protocol, other->protocol);
  if (order == 0)
    order = (int) self->from_port - (int) other->from_port;
  if (order == 0)
    order = (int) self->to_port - (int) other->to_port;
  return order;
}

/**
 * welkin_port_range_to_string:
 * @self: a range
 *
 * Formats the range as [ctor@PortRange.new_parsed] reads it, if its protocol
 * is one that a host asks for.
 *
 * Returns: (transfer full): the text, without the sources
 *
 * Since: 0.1
 */
char *
welkin_port_range_to_string (WelkinPortRange *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  if (self->to_port == 0)
    return g_strdup (self->protocol);
  if (self->from_port == self->to_port)
    return g_strdup_printf ("%u/%s", self->from_port, self->protocol);
  return g_strdup_printf ("%u-%u/%s", self->from_port, self->to_port, self->protocol);
}
