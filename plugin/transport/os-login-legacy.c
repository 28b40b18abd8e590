/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "transport/os-catalog.h"
#include "transport/os-login.h"
#include "values/welkin-error.h"

/* Nothing says how long the token lives: a little less than a day, as it used to be. */
#define LIFE_SECONDS (23 * 3600)

static WkHttpRequest *
make_request (OsCredentials *credentials,
              const char    *url)
{
  WkHttpRequest *request = wk_http_request_new ("GET", url);

  wk_http_request_set_header (request, "X-Auth-User",
                              os_credentials_get (credentials, OS_CREDENTIAL_USERNAME));
  wk_http_request_set_header (request, "X-Auth-Key",
                              os_credentials_get (credentials, OS_CREDENTIAL_PASSWORD));
  return request;
}

/* The last segment of the URL of a service is the project's: alone for compute, behind "AUTH_" for
 * storage. */
static char *
dup_project_id (const char *compute,
                const char *storage)
{
  const char *url = compute != NULL ? compute : storage;
  g_autofree char *trimmed = g_strdup (url != NULL ? url : "");
  const char *segment;

  while (g_str_has_suffix (trimmed, "/"))
    trimmed[strlen (trimmed) - 1] = '\0';
  segment = strrchr (trimmed, '/');
  if (segment == NULL)
    return g_strdup ("");
  segment++;
  return g_strdup (g_str_has_prefix (segment, "AUTH_") ? segment + strlen ("AUTH_") : segment);
}

static OsTokenBody *
read_answer (WkHttpResponse  *response,
             char           **text,
             GError         **error)
{
  OsTokenBody *body = wk_json_record_new (&os_token_body_table);
  const char *compute = wk_http_response_get_header (response, "X-Server-Management-Url");
  const char *storage = wk_http_response_get_header (response, "X-Storage-Url");
  g_autofree char *project_id = dup_project_id (compute, storage);
  g_autoptr(GDateTime) now = g_date_time_new_now_utc ();
  g_autoptr(GDateTime) end = g_date_time_add_seconds (now, LIFE_SECONDS);

  *text = g_strdup (wk_http_response_get_header (response, "X-Auth-Token"));
  body->expires = g_date_time_format_iso8601 (end);
  body->project = os_project_new (project_id);
  /* There are no regions: what there is, is there for all of them. */
  body->services = os_services_new ();
  if (compute != NULL)
    g_ptr_array_add (body->services,
                     os_service_new ("compute", "public", OS_CATALOG_ANY_REGION, compute));
  if (storage != NULL)
    g_ptr_array_add (body->services,
                     os_service_new ("object-store", "public", OS_CATALOG_ANY_REGION, storage));
  return body;
}

static void
explain (OsCredentials   *credentials,
         WkHttpResponse  *response,
         GError         **error)
{
  if (g_error_matches (*error, WELKIN_ERROR, WELKIN_ERROR_UNAUTHORIZED))
    welkin_error_set_hint (*error, _("Check the user name and the password."));
}

const OsLogin os_login_legacy = { make_request, read_answer, explain };
