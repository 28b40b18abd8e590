/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-record.h"

G_BEGIN_DECLS

/* The project that a token is for. */
typedef struct
{
  char *id;
} OsProject;

typedef struct
{
  char *interface; /* public, internal, admin */
  char *region;    /* (nullable) the older name of region_id */
  char *region_id; /* (nullable) */
  char *url;
} OsEndpoint;

typedef struct
{
  char      *type;
  GPtrArray *endpoints; /* (nullable) of OsEndpoint */
} OsService;

/* The body of a token of identity v3; the token itself is in a header. */
typedef struct
{
  char      *expires;  /* (nullable) ISO 8601 */
  OsProject *project;  /* (nullable): the token is for no project */
  GPtrArray *services; /* (nullable) the catalog: OsService */
} OsTokenBody;

OS_DECLARE_RECORD (OsTokenBody, os_token_body)

extern const WkJsonTable os_service_table;

/* The region it is in; NULL when it does not say. */
const char *os_endpoint_get_region (const OsEndpoint *self);

G_END_DECLS
