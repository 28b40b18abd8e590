/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-record.h"

G_BEGIN_DECLS

typedef struct
{
  char *id;
  char *address;
  char *description; /* (nullable) */
  char *network_id;  /* the external one that it comes from */
  char *port_id;     /* (nullable) */
} OsFloatingIp;

OS_DECLARE_RECORD (OsFloatingIp, os_floating_ip)

G_END_DECLS
