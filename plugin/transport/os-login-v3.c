/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/uri.h"
#include "transport/os-login.h"
#include "values/welkin-error.h"

/* Bodies */

static void
add_text (JsonBuilder *builder,
          const char  *member,
          const char  *value)
{
  json_builder_set_member_name (builder, member);
  json_builder_add_string_value (builder, value);
}

static void
begin_object (JsonBuilder *builder,
              const char  *member)
{
  json_builder_set_member_name (builder, member);
  json_builder_begin_object (builder);
}

/* The members of a user or a project: an id, or a name in a domain. A domain is an id or a name,
 * never both; its name would be "Default", but not all databases take it in any case. */
static void
add_principal (JsonBuilder   *builder,
               OsCredentials *credentials,
               OsCredential   id,
               OsCredential   name,
               OsCredential   domain_id,
               OsCredential   domain_name)
{
  const char *domain = os_credentials_get (credentials, domain_id);

  if (os_credentials_get (credentials, id) != NULL)
    {
      add_text (builder, "id", os_credentials_get (credentials, id));
      return;
    }
  add_text (builder, "name", os_credentials_get (credentials, name));
  begin_object (builder, "domain");
  if (domain == NULL && os_credentials_get (credentials, domain_name) != NULL)
    add_text (builder, "name", os_credentials_get (credentials, domain_name));
  else
    add_text (builder, "id", domain != NULL ? domain : "default");
  json_builder_end_object (builder);
}

static void
add_user (JsonBuilder   *builder,
          OsCredentials *credentials)
{
  begin_object (builder, "user");
  add_principal (builder, credentials, OS_CREDENTIAL_USER_ID, OS_CREDENTIAL_USERNAME,
                 OS_CREDENTIAL_USER_DOMAIN_ID, OS_CREDENTIAL_USER_DOMAIN_NAME);
}

static void
add_password (JsonBuilder   *builder,
              OsCredentials *credentials)
{
  add_user (builder, credentials);
  add_text (builder, "password", os_credentials_get (credentials, OS_CREDENTIAL_PASSWORD));
  json_builder_end_object (builder);
}

static void
add_application_credential (JsonBuilder   *builder,
                            OsCredentials *credentials)
{
  const char *id = os_credentials_get (credentials, OS_CREDENTIAL_APPLICATION_CREDENTIAL_ID);

  if (id != NULL)
    add_text (builder, "id", id);
  else
    {
      add_text (builder, "name",
                os_credentials_get (credentials, OS_CREDENTIAL_APPLICATION_CREDENTIAL_NAME));
      add_user (builder, credentials);
      json_builder_end_object (builder);
    }
  add_text (builder, "secret",
            os_credentials_get (credentials, OS_CREDENTIAL_APPLICATION_CREDENTIAL_SECRET));
}

static void
add_token (JsonBuilder   *builder,
           OsCredentials *credentials)
{
  add_text (builder, "id", os_credentials_get (credentials, OS_CREDENTIAL_TOKEN));
}

static const struct
{
  const char *name;
  void      (*add) (JsonBuilder   *builder,
                    OsCredentials *credentials);
} methods[] = {
  [OS_AUTH_PASSWORD] = { "password", add_password },
  [OS_AUTH_APPLICATION_CREDENTIAL] = { "application_credential", add_application_credential },
  [OS_AUTH_TOKEN] = { "token", add_token },
};

static void
add_scope (JsonBuilder   *builder,
           OsCredentials *credentials)
{
  const char *trust = os_credentials_get (credentials, OS_CREDENTIAL_TRUST_ID);

  begin_object (builder, "scope");
  if (trust != NULL)
    {
      begin_object (builder, "OS-TRUST:trust");
      add_text (builder, "id", trust);
    }
  else
    {
      begin_object (builder, "project");
      add_principal (builder, credentials, OS_CREDENTIAL_PROJECT_ID, OS_CREDENTIAL_PROJECT_NAME,
                     OS_CREDENTIAL_PROJECT_DOMAIN_ID, OS_CREDENTIAL_PROJECT_DOMAIN_NAME);
    }
  json_builder_end_object (builder);
  json_builder_end_object (builder);
}

JsonNode *
os_login_make_v3_body (OsCredentials *credentials)
{
  OsAuthMode mode = os_credentials_get_mode (credentials);
  g_autoptr(JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  begin_object (builder, "auth");

  begin_object (builder, "identity");
  json_builder_set_member_name (builder, "methods");
  json_builder_begin_array (builder);
  json_builder_add_string_value (builder, methods[mode].name);
  json_builder_end_array (builder);
  begin_object (builder, methods[mode].name);
  methods[mode].add (builder, credentials);
  json_builder_end_object (builder);
  json_builder_end_object (builder);

  /* An application credential is for one project, and is refused if it asks for it. */
  if (mode != OS_AUTH_APPLICATION_CREDENTIAL)
    add_scope (builder, credentials);

  json_builder_end_object (builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

WkHttpRequest *
os_login_make_post (const char *url,
                    JsonNode   *body)
{
  WkHttpRequest *request = wk_http_request_new ("POST", url);
  char *text = json_to_string (body, FALSE);
  g_autoptr(GBytes) bytes = g_bytes_new_take (text, strlen (text));

  json_node_unref (body);
  wk_http_request_set_body (request, bytes, "application/json");
  wk_http_request_set_repeatable (request, TRUE);
  return request;
}

static WkHttpRequest *
make_request (OsCredentials *credentials,
              const char    *url)
{
  g_autofree char *uri = wk_uri_join (url, "auth", "tokens", NULL);

  return os_login_make_post (uri, os_login_make_v3_body (credentials));
}

OsTokenBody *
os_login_read_v3 (WkHttpResponse  *response,
                  char           **text,
                  GError         **error)
{
  *text = g_strdup (wk_http_response_get_header (response, "X-Subject-Token"));
  return wk_json_decode_record (&os_token_body_table, "token",
                                wk_http_response_get_body (response), error);
}

static void
explain (OsCredentials   *credentials,
         WkHttpResponse  *response,
         GError         **error)
{
  guint status = wk_http_response_get_status (response);

  if (status != 401 && status != 404)
    return;
  if (os_credentials_get_mode (credentials) == OS_AUTH_APPLICATION_CREDENTIAL)
    welkin_error_set_hint (*error,
                           _("Check the id and the secret of the application credential, and "
                             "whether it has expired."));
  else if (status == 401)
    welkin_error_set_hint (*error,
                           _("Check the user name, the password, the project and their domains: a "
                             "wrong project looks like a wrong password."));
}

const OsLogin os_login_v3 = { make_request, os_login_read_v3, explain };

/* A token that is given: it tells itself what it is for. A token made from another one would be
 * nothing new, and is refused for those of application credentials. */

static WkHttpRequest *
make_token_request (OsCredentials *credentials,
                    const char    *url)
{
  const char *token = os_credentials_get (credentials, OS_CREDENTIAL_TOKEN);
  g_autofree char *uri = wk_uri_join (url, "auth", "tokens", NULL);
  WkHttpRequest *request = wk_http_request_new ("GET", uri);

  wk_http_request_set_header (request, "X-Auth-Token", token);
  wk_http_request_set_header (request, "X-Subject-Token", token);
  return request;
}

static void
explain_token (OsCredentials   *credentials,
               WkHttpResponse  *response,
               GError         **error)
{
  guint status = wk_http_response_get_status (response);

  if (status == 401 || status == 404)
    welkin_error_set_hint (*error,
                           _("The token has expired or was revoked: give a new one in attribute "
                             "token or environment variable OS_TOKEN, or a password."));
}

const OsLogin os_login_v3_token = { make_token_request, os_login_read_v3, explain_token };
