/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-record.h"

G_BEGIN_DECLS

typedef struct
{
  char *id;   /* (nullable) */
  char *name; /* (nullable) */
} OsDomain;

/* The project that a token is for. */
typedef struct
{
  char     *id;
  char     *name;   /* (nullable) */
  OsDomain *domain; /* (nullable) */
} OsProject;

typedef struct
{
  char *name;
} OsRole;

/* Whose token it is. */
typedef struct
{
  char *id; /* (nullable) */
} OsUser;

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

/* What a login says of the token that it gives: the body of identity v3, which has the token itself
 * in a header. The answers of other versions are translated to it. */
typedef struct
{
  char      *expires;  /* (nullable) ISO 8601 */
  OsProject *project;  /* (nullable): the token is for no project */
  OsUser    *user;     /* (nullable) */
  GPtrArray *roles;    /* (nullable) of OsRole: in the project */
  GPtrArray *services; /* (nullable) the catalog: OsService */
} OsTokenBody;

OS_DECLARE_RECORD (OsTokenBody, os_token_body)

extern const WkJsonTable os_service_table;

/* The region it is in; NULL when it does not say. */
const char  *os_endpoint_get_region  (const OsEndpoint *self);
/* A service with one endpoint. (transfer full) */
OsService   *os_service_new          (const char       *type,
                                      const char       *interface,
                                      const char       *region,
                                      const char       *url);
/* For an array of services (transfer full) */
GPtrArray   *os_services_new         (void);
/* One that nothing but its id is known of. (transfer full) */
OsProject   *os_project_new          (const char       *id);

/* The body of identity v2.0. text: set to the token itself, or NULL. (transfer full) */
OsTokenBody *os_token_body_new_from_v2 (GBytes         *bytes,
                                        char          **text,
                                        GError        **error);

G_END_DECLS
