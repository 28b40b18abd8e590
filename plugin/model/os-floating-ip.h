/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-record.h"

G_BEGIN_DECLS

typedef struct
{
  char  *id;
  char  *address;
  char  *description; /* (nullable) */
  GPtrArray *tags;    /* (nullable) of strings */
  char  *network_id;  /* the external one that it comes from; of nova the name of the pool */
  char  *port_id;     /* (nullable) */
  char  *server_id;   /* (nullable) what it is on, where nova has it */
  gint64 revision;    /* -1 when neutron does not say */
  char  *created;     /* (nullable) ISO 8601, as the next one */
  char  *updated;     /* (nullable) */

  gboolean was_there;  /* before it was ours, as neutron does not tell */
  gboolean may_be_two; /* it was asked for twice, nor that */
} OsFloatingIp;

OS_DECLARE_RECORD (OsFloatingIp, os_floating_ip)

OsFloatingIp *os_floating_ip_copy    (const OsFloatingIp *self);
/* Clouds say null or "" where there is no port. */
gboolean      os_floating_ip_is_free (const OsFloatingIp *self);

G_END_DECLS
