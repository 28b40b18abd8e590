/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-record.h"

G_BEGIN_DECLS

typedef struct
{
  char *address;
} OsFixedIp;

typedef struct
{
  char      *id;
  char      *name;
  char      *description; /* (nullable) */
  char      *device_id;   /* "" when nothing is plugged into it */
  char      *network_id;  /* (nullable) */
  char      *mac_address; /* (nullable) */
  GPtrArray *fixed_ips;   /* (nullable) of OsFixedIp */
  GPtrArray *group_ids;   /* (nullable) of the security groups that it is in */
  gboolean   is_guarded;  /* by them: it has port security; -1 when neutron does not say */
  char      *created;     /* (nullable) ISO 8601, as the next one */
  char      *updated;     /* (nullable) */
  gboolean   may_be_two;  /* it was asked for twice, as neutron does not tell */
} OsPort;

OS_DECLARE_RECORD (OsPort, os_port)

/* The first IPv4 address, or NULL: what a floating IP is put on. */
const char *os_port_get_ipv4 (const OsPort *self);

G_END_DECLS
