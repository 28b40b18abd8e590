/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-record.h"

G_BEGIN_DECLS

typedef struct
{
  char      *id;
  char      *name;
  char      *status;
  char      *project_id;
  gboolean   is_external;
  gboolean   is_shared;
  gboolean   is_up;             /* -1 when neutron does not say */
  gboolean   has_port_security; /* -1 when neutron does not say */
  GPtrArray *subnets;           /* (nullable) ids */
} OsNetwork;

OS_DECLARE_RECORD (OsNetwork, os_network)

/* Where a router leads to. */
typedef struct
{
  char *network_id;
} OsGateway;

typedef struct
{
  char      *id;
  OsGateway *gateway; /* (nullable) */
} OsRouter;

OS_DECLARE_RECORD (OsRouter, os_router)

/* Something that neutron can do on this cloud. */
typedef struct
{
  char *alias;
} OsExtension;

OS_DECLARE_RECORD (OsExtension, os_extension)

G_END_DECLS
