/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "bootstrap/agent-client.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/flow.h"
#include "base/http.h"
#include "machine/agent-authority.h"
#include "machine/agent-conf.h"
#include "machine/agent-records.h"
#include "values/welkin-error.h"

#define STATUS_OK 200
#define STATUS_UNAUTHORIZED 401

struct _WelkinAgentClient
{
  WkHttp *http;  /* (owned) */
  char   *login; /* (owned) the header */
};

typedef struct
{
  WelkinAgentClient *client;
  char              *address;  /* (owned) */
  WkHttpRequest     *request;  /* (owned) */
  WkHttpResponse    *response; /* (owned) (nullable) */
} Get;

static void
get_free (gpointer data)
{
  Get *self = data;

  g_clear_pointer (&self->response, wk_http_response_unref);
  wk_http_request_unref (self->request);
  g_free (self->address);
  g_free (self);
}

char **
welkin_agent_list_addresses (WelkinInfo *info)
{
  WelkinValue *list = welkin_info_lookup (info, "api-addresses");
  guint length = list != NULL ? welkin_value_get_length (list) : 0;
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();
  g_auto(GStrv) addresses = NULL;

  for (guint i = 0; i < length; i++)
    {
      const char *address = welkin_value_get_text (welkin_value_get_item (list, i));

      if (address != NULL)
        g_strv_builder_add (builder, address);
    }
  addresses = g_strv_builder_end (builder);
  return *addresses != NULL ? g_steal_pointer (&addresses) : NULL;
}

static char *
make_login (WelkinConfig *config,
            GError      **error)
{
  g_autofree char *secret = NULL;
  g_autofree char *password = NULL;
  g_autofree char *plain = NULL;
  g_autofree char *encoded = NULL;

  secret = welkin_agent_secret_derive (welkin_config_get_string (config, "admin-secret"),
                                       welkin_config_get_uuid (config), error);
  if (secret == NULL)
    return NULL;
  password = welkin_agent_password_derive (secret, WELKIN_AGENT_ADMIN);
  plain = g_strconcat (WELKIN_AGENT_ADMIN, ":", password, NULL);
  encoded = g_base64_encode ((const guchar *) plain, strlen (plain));
  return g_strconcat ("Basic ", encoded, NULL);
}

WelkinAgentClient *
welkin_agent_client_new (WelkinConfig *config,
                         GError      **error)
{
  g_autoptr(WelkinAgentClient) self = g_new0 (WelkinAgentClient, 1);
  g_autoptr(GTlsDatabase) authority = NULL;
  WkHttpOptions options = { .user_agent = "welkin/" PACKAGE_VERSION, .is_read_only = TRUE };

  authority = welkin_agent_authority_new (welkin_config_get_string (config, "ca-cert"), error);
  if (authority == NULL)
    return NULL;
  self->login = make_login (config, error);
  if (self->login == NULL)
    return NULL;
  options.tls_database = authority;
  options.certificate_advice = _("it is not that of the environment's agent: see whether another "
                                 "machine has got its address");
  self->http = wk_http_new (&options);
  return g_steal_pointer (&self);
}

void
welkin_agent_client_free (WelkinAgentClient *self)
{
  g_clear_pointer (&self->http, wk_http_unref);
  g_free (self->login);
  g_free (self);
}

static gboolean
check_answer (Get     *self,
              GError **error)
{
  guint status = wk_http_response_get_status (self->response);

  if (status == STATUS_OK)
    return TRUE;
  if (status == STATUS_UNAUTHORIZED)
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAUTHORIZED,
                 _("the agent at %s does not know the environment's secret"), self->address);
  else
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                 _("the agent at %s answers with HTTP status %u"), self->address, status);
  return FALSE;
}

static void
get_run (WkFlow  *flow,
         gpointer user_data)
{
  Get *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, wk_http_send_async (self->client->http, self->request, WK_RESUME (flow)));
  self->response = wk_http_send_finish (self->client->http, WK_RESULT (flow), &error);
  if (self->response == NULL || !check_answer (self, &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, g_bytes_ref (wk_http_response_get_body (self->response)),
                          (GDestroyNotify) g_bytes_unref);

  WK_FLOW_END (flow);
}

void
welkin_agent_client_get_async (WelkinAgentClient  *client,
                               const char         *address,
                               const char         *path,
                               double              seconds,
                               GCancellable       *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer            user_data)
{
  Get *self = g_new0 (Get, 1);
  g_autofree char *uri = g_strconcat ("https://", address, path, NULL);

  self->client = client;
  self->address = g_strdup (address);
  self->request = wk_http_request_new ("GET", uri);
  wk_http_request_set_header (self->request, "Authorization", client->login);
  wk_http_request_set_deadline (self->request, seconds);
  wk_http_request_set_total (self->request, seconds);
  wk_flow_start (NULL, cancellable, callback, user_data, welkin_agent_client_get_async, get_run,
                 self, get_free);
}

GBytes *
welkin_agent_client_get_finish (WelkinAgentClient *client,
                                GAsyncResult      *result,
                                GError           **error)
{
  return wk_flow_finish_pointer (result, NULL, welkin_agent_client_get_async, error);
}
