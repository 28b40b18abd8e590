/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "model/os-token.h"

static const WkJsonField domain_fields[] = {
  { "id", WK_JSON_ID, G_STRUCT_OFFSET (OsDomain, id) },
  { "name", WK_JSON_STRING, G_STRUCT_OFFSET (OsDomain, name) },
};
static const WkJsonTable domain_table = WK_JSON_TABLE (OsDomain, domain_fields);

static const WkJsonField project_fields[] = {
  { "id", WK_JSON_ID, G_STRUCT_OFFSET (OsProject, id) },
  { "name", WK_JSON_STRING, G_STRUCT_OFFSET (OsProject, name) },
  { "domain", WK_JSON_RECORD, G_STRUCT_OFFSET (OsProject, domain), 0, &domain_table },
};
static const WkJsonTable project_table = WK_JSON_TABLE (OsProject, project_fields);

static const WkJsonField role_fields[] = {
  { "name", WK_JSON_STRING, G_STRUCT_OFFSET (OsRole, name), WK_JSON_REQUIRED },
};
static const WkJsonTable role_table = WK_JSON_TABLE (OsRole, role_fields);

static const WkJsonField user_fields[] = {
  { "id", WK_JSON_ID, G_STRUCT_OFFSET (OsUser, id) },
};
static const WkJsonTable user_table = WK_JSON_TABLE (OsUser, user_fields);

static const WkJsonField endpoint_fields[] = {
  { "interface", WK_JSON_STRING, G_STRUCT_OFFSET (OsEndpoint, interface) },
  { "region", WK_JSON_STRING, G_STRUCT_OFFSET (OsEndpoint, region) },
  { "region_id", WK_JSON_STRING, G_STRUCT_OFFSET (OsEndpoint, region_id) },
  { "url", WK_JSON_STRING, G_STRUCT_OFFSET (OsEndpoint, url), WK_JSON_REQUIRED },
};
static const WkJsonTable endpoint_table = WK_JSON_TABLE (OsEndpoint, endpoint_fields);

static const WkJsonField service_fields[] = {
  { "type", WK_JSON_STRING, G_STRUCT_OFFSET (OsService, type), WK_JSON_REQUIRED },
  { "endpoints", WK_JSON_RECORDS, G_STRUCT_OFFSET (OsService, endpoints), 0, &endpoint_table },
};
const WkJsonTable os_service_table = WK_JSON_TABLE (OsService, service_fields);

static const WkJsonField token_fields[] = {
  { "expires_at", WK_JSON_STRING, G_STRUCT_OFFSET (OsTokenBody, expires) },
  { "project", WK_JSON_RECORD, G_STRUCT_OFFSET (OsTokenBody, project), 0, &project_table },
  { "user", WK_JSON_RECORD, G_STRUCT_OFFSET (OsTokenBody, user), 0, &user_table },
  { "roles", WK_JSON_RECORDS, G_STRUCT_OFFSET (OsTokenBody, roles), 0, &role_table },
  { "catalog", WK_JSON_RECORDS, G_STRUCT_OFFSET (OsTokenBody, services), 0, &os_service_table },
};

OS_DEFINE_RECORD (OsTokenBody, os_token_body, token_fields)

const char *
os_endpoint_get_region (const OsEndpoint *self)
{
  return self->region_id != NULL ? self->region_id : self->region;
}

static void
add_endpoint (OsService  *service,
              const char *interface,
              const char *region,
              const char *url)
{
  OsEndpoint *endpoint = wk_json_record_new (&endpoint_table);

  endpoint->interface = g_strdup (interface);
  endpoint->region = g_strdup (region);
  endpoint->url = g_strdup (url);
  g_ptr_array_add (service->endpoints, endpoint);
}

static void
endpoint_free (gpointer endpoint)
{
  wk_json_record_free (&endpoint_table, endpoint);
}

static OsService *
service_new (const char *type)
{
  OsService *self = wk_json_record_new (&os_service_table);

  self->type = g_strdup (type);
  self->endpoints = g_ptr_array_new_with_free_func (endpoint_free);
  return self;
}

OsService *
os_service_new (const char *type,
                const char *interface,
                const char *region,
                const char *url)
{
  OsService *self = service_new (type);

  add_endpoint (self, interface, region, url);
  return self;
}

static void
service_free (gpointer service)
{
  wk_json_record_free (&os_service_table, service);
}

GPtrArray *
os_services_new (void)
{
  return g_ptr_array_new_with_free_func (service_free);
}

OsProject *
os_project_new (const char *id)
{
  OsProject *self = wk_json_record_new (&project_table);

  self->id = g_strdup (id);
  return self;
}

/* Version 2.0 */

typedef struct
{
  char      *id;
  char      *expires; /* (nullable) */
  OsProject *tenant;  /* (nullable) */
} TokenTwo;

typedef struct
{
  GPtrArray *roles; /* (nullable) of OsRole */
} UserTwo;

typedef struct
{
  char *region;       /* (nullable) */
  char *public_url;   /* (nullable) */
  char *internal_url; /* (nullable) */
  char *admin_url;    /* (nullable) */
} EndpointTwo;

typedef struct
{
  char      *type;
  GPtrArray *endpoints; /* (nullable) of EndpointTwo */
} ServiceTwo;

typedef struct
{
  TokenTwo  *token;    /* (nullable) */
  UserTwo   *user;     /* (nullable) */
  GPtrArray *services; /* (nullable) of ServiceTwo */
} AccessTwo;

static const WkJsonField token_two_fields[] = {
  { "id", WK_JSON_STRING, G_STRUCT_OFFSET (TokenTwo, id) },
  { "expires", WK_JSON_STRING, G_STRUCT_OFFSET (TokenTwo, expires) },
  { "tenant", WK_JSON_RECORD, G_STRUCT_OFFSET (TokenTwo, tenant), 0, &project_table },
};
static const WkJsonTable token_two_table = WK_JSON_TABLE (TokenTwo, token_two_fields);

static const WkJsonField user_two_fields[] = {
  { "roles", WK_JSON_RECORDS, G_STRUCT_OFFSET (UserTwo, roles), 0, &role_table },
};
static const WkJsonTable user_two_table = WK_JSON_TABLE (UserTwo, user_two_fields);

static const WkJsonField endpoint_two_fields[] = {
  { "region", WK_JSON_STRING, G_STRUCT_OFFSET (EndpointTwo, region) },
  { "publicURL", WK_JSON_STRING, G_STRUCT_OFFSET (EndpointTwo, public_url) },
  { "internalURL", WK_JSON_STRING, G_STRUCT_OFFSET (EndpointTwo, internal_url) },
  { "adminURL", WK_JSON_STRING, G_STRUCT_OFFSET (EndpointTwo, admin_url) },
};
static const WkJsonTable endpoint_two_table = WK_JSON_TABLE (EndpointTwo, endpoint_two_fields);

static const WkJsonField service_two_fields[] = {
  { "type", WK_JSON_STRING, G_STRUCT_OFFSET (ServiceTwo, type), WK_JSON_REQUIRED },
  { "endpoints", WK_JSON_RECORDS, G_STRUCT_OFFSET (ServiceTwo, endpoints), 0,
    &endpoint_two_table },
};
static const WkJsonTable service_two_table = WK_JSON_TABLE (ServiceTwo, service_two_fields);

static const WkJsonField access_two_fields[] = {
  { "token", WK_JSON_RECORD, G_STRUCT_OFFSET (AccessTwo, token), 0, &token_two_table },
  { "user", WK_JSON_RECORD, G_STRUCT_OFFSET (AccessTwo, user), 0, &user_two_table },
  { "serviceCatalog", WK_JSON_RECORDS, G_STRUCT_OFFSET (AccessTwo, services), 0,
    &service_two_table },
};
static const WkJsonTable access_two_table = WK_JSON_TABLE (AccessTwo, access_two_fields);

/* An endpoint of v2.0 has the URLs of all interfaces. */
static OsService *
translate_service (const ServiceTwo *two)
{
  OsService *self = service_new (two->type);

  for (guint i = 0; two->endpoints != NULL && i < two->endpoints->len; i++)
    {
      const EndpointTwo *endpoint = g_ptr_array_index (two->endpoints, i);

      if (endpoint->public_url != NULL)
        add_endpoint (self, "public", endpoint->region, endpoint->public_url);
      if (endpoint->internal_url != NULL)
        add_endpoint (self, "internal", endpoint->region, endpoint->internal_url);
      if (endpoint->admin_url != NULL)
        add_endpoint (self, "admin", endpoint->region, endpoint->admin_url);
    }
  return self;
}

OsTokenBody *
os_token_body_new_from_v2 (GBytes  *bytes,
                           char   **text,
                           GError **error)
{
  AccessTwo *two = wk_json_decode_record (&access_two_table, "access", bytes, error);
  OsTokenBody *self;

  *text = NULL;
  if (two == NULL)
    return NULL;
  self = wk_json_record_new (&os_token_body_table);
  if (two->token != NULL)
    {
      *text = g_steal_pointer (&two->token->id);
      self->expires = g_steal_pointer (&two->token->expires);
      self->project = g_steal_pointer (&two->token->tenant);
    }
  if (two->user != NULL)
    self->roles = g_steal_pointer (&two->user->roles);
  self->services = os_services_new ();
  for (guint i = 0; two->services != NULL && i < two->services->len; i++)
    g_ptr_array_add (self->services, translate_service (g_ptr_array_index (two->services, i)));
  wk_json_record_free (&access_two_table, two);
  return self;
}
