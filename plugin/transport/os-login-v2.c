/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/uri.h"
#include "transport/os-login.h"
#include "values/welkin-error.h"

static void
add_pair (JsonBuilder   *builder,
          OsCredentials *credentials,
          const char    *first_member,
          OsCredential   first,
          const char    *second_member,
          OsCredential   second)
{
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, first_member);
  json_builder_add_string_value (builder, os_credentials_get (credentials, first));
  json_builder_set_member_name (builder, second_member);
  json_builder_add_string_value (builder, os_credentials_get (credentials, second));
  json_builder_end_object (builder);
}

static JsonNode *
make_body (OsCredentials *credentials)
{
  const char *id = os_credentials_get (credentials, OS_CREDENTIAL_PROJECT_ID);
  const char *name = os_credentials_get (credentials, OS_CREDENTIAL_PROJECT_NAME);
  g_autoptr(JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "auth");
  json_builder_begin_object (builder);
  if (os_credentials_get_mode (credentials) == OS_AUTH_KEY_PAIR)
    {
      json_builder_set_member_name (builder, "apiAccessKeyCredentials");
      add_pair (builder, credentials, "accessKey", OS_CREDENTIAL_ACCESS_KEY, "secretKey",
                OS_CREDENTIAL_SECRET_KEY);
    }
  else
    {
      json_builder_set_member_name (builder, "passwordCredentials");
      add_pair (builder, credentials, "username", OS_CREDENTIAL_USERNAME, "password",
                OS_CREDENTIAL_PASSWORD);
    }
  if (id != NULL || name != NULL)
    {
      json_builder_set_member_name (builder, id != NULL ? "tenantId" : "tenantName");
      json_builder_add_string_value (builder, id != NULL ? id : name);
    }
  json_builder_end_object (builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

static WkHttpRequest *
make_request (OsCredentials *credentials,
              const char    *url)
{
  g_autofree char *uri = wk_uri_join (url, "tokens", NULL);

  return os_login_make_post (uri, make_body (credentials));
}

static OsTokenBody *
read_answer (WkHttpResponse  *response,
             char           **text,
             GError         **error)
{
  return os_token_body_new_from_v2 (wk_http_response_get_body (response), text, error);
}

static void
explain (OsCredentials   *credentials,
         WkHttpResponse  *response,
         GError         **error)
{
  if (g_error_matches (*error, WELKIN_ERROR, WELKIN_ERROR_UNAUTHORIZED))
    welkin_error_set_hint (*error,
                           _("Check the user name, the password and the project: a wrong project "
                             "looks like a wrong password."));
}

const OsLogin os_login_v2 = { make_request, read_answer, explain };
