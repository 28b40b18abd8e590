/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/flow.h"
#include "transport/os-client-private.h"
#include "transport/os-discovery.h"

/* Endpoints */

char *
os_client_dup_versions_url (OsClient      *self,
                            OsToken       *token,
                            OsServiceKind  service)
{
  OsCatalog *catalog = os_token_get_catalog (token);
  g_autoptr(GPtrArray) versions = NULL;
  g_autofree char *url = NULL;

  if (!os_catalog_lacks_version (catalog, service))
    return NULL;
  url = g_strconcat (os_catalog_get_endpoint (catalog, service), "/", NULL);
  versions = os_versions_peek (self->versions, url);
  return versions == NULL ? g_steal_pointer (&url) : NULL;
}

char *
os_client_dup_endpoint (OsClient      *self,
                        OsToken       *token,
                        OsServiceKind  service)
{
  OsCatalog *catalog = os_token_get_catalog (token);
  const char *endpoint = os_catalog_get_endpoint (catalog, service);
  g_autofree char *url = g_strconcat (endpoint, "/", NULL);
  g_autoptr(GPtrArray) versions = NULL;
  char *chosen = NULL;

  if (os_catalog_lacks_version (catalog, service))
    versions = os_versions_peek (self->versions, url);
  if (versions != NULL)
    chosen = os_discovery_choose (versions, endpoint, 2);
  return chosen != NULL ? chosen : g_strdup (endpoint);
}

/* Microversions */

typedef struct
{
  char    *version;
  OsToken *token;    /* (owned) */
  char    *document; /* (owned) URL */
} HasMicroversion;

static void
has_microversion_free (HasMicroversion *self)
{
  g_clear_pointer (&self->token, os_token_unref);
  g_free (self->version);
  g_free (self->document);
  g_free (self);
}

static void
has_microversion_run (WkFlow *flow,
                      gpointer user_data)
{
  HasMicroversion *self = user_data;
  OsClient *client = wk_flow_get_source (flow);
  g_autoptr(GPtrArray) versions = NULL;
  g_autofree char *endpoint = NULL;
  g_autofree char *versions_url = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!os_client_prepare_login (client, &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, wk_memo_get_async (client->tokens, "", WK_RESUME (flow)));
  self->token = wk_memo_get_finish (client->tokens, WK_RESULT (flow), &error);
  if (self->token == NULL)
    WK_FAIL (flow, &error, NULL);

  versions_url = os_client_dup_versions_url (client, self->token, OS_SERVICE_COMPUTE);
  if (versions_url != NULL)
    {
      WK_AWAIT (flow, os_versions_load_async (client->versions, versions_url,
                                              os_token_get_text (self->token), WK_RESUME (flow)));
      if (!os_versions_load_finish (client->versions, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }

  endpoint = os_client_dup_endpoint (client, self->token, OS_SERVICE_COMPUTE);
  self->document = os_microversion_get_document (endpoint);
  WK_AWAIT (flow, os_versions_load_async (client->versions, self->document,
                                          os_token_get_text (self->token), WK_RESUME (flow)));
  if (!os_versions_load_finish (client->versions, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  versions = os_versions_peek (client->versions, self->document);
  wk_flow_return_boolean (flow, versions != NULL
                                  && os_microversions_has (client->microversions, versions,
                                                           self->version));

  WK_FLOW_END (flow);
}

void
os_client_has_microversion_async (OsClient            *self,
                                  const char          *version,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data)
{
  HasMicroversion *has = g_new0 (HasMicroversion, 1);

  has->version = g_strdup (version);
  wk_flow_start (self, cancellable, callback, user_data, os_client_has_microversion_async,
                 has_microversion_run, has, (GDestroyNotify) has_microversion_free);
}

gboolean
os_client_has_microversion_finish (OsClient     *self,
                                   GAsyncResult *result)
{
  g_autoptr(GError) error = NULL;
  gboolean has = wk_flow_finish_boolean (result, self, os_client_has_microversion_async, &error);

  if (error != NULL)
    g_debug ("nothing is known of microversions: %s", error->message);
  return has;
}
