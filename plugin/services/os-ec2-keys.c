/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "services/os-ec2-keys.h"
#include "values/welkin-error.h"

static OsRequest *
make_request (OsClient   *client,
              const char *method)
{
  return os_request_new (OS_SERVICE_IDENTITY, method, "users", os_client_get_user_id (client),
                         "credentials", "OS-EC2", NULL);
}

/* The first of our project. (transfer full) (nullable) */
static OsEc2Key *
steal_key (GPtrArray  *keys,
           const char *project_id)
{
  for (guint i = 0; i < keys->len; i++)
    {
      OsEc2Key *key = g_ptr_array_index (keys, i);

      if (g_strcmp0 (key->tenant_id, project_id) == 0)
        return g_ptr_array_steal_index (keys, i);
    }
  return NULL;
}

/* A token of an application credential is not allowed to see any. */
static void
explain (GError **error)
{
  g_prefix_error (error, "%s: ",
                  _("Cannot get keys for S3: set attributes access-key and secret-key"));
}

static void
load_run (WkFlow *flow,
          gpointer user_data)
{
  OsClient *client = wk_flow_get_source (flow);
  g_autoptr(OsRequest) request = NULL;
  g_autoptr(GPtrArray) keys = NULL;
  g_autoptr(GError) error = NULL;
  OsEc2Key *key;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_client_login_async (client, WK_RESUME (flow)));
  if (!os_client_login_finish (client, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  if (os_client_get_user_id (client) == NULL)
    {
      g_set_error_literal (&error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED,
                           _("identity does not say who the user is"));
      explain (&error);
      WK_FAIL (flow, &error, NULL);
    }

  request = make_request (client, "GET");
  WK_AWAIT (flow, os_client_list_async (client, client, request, &os_ec2_key_table, "credentials",
                                        NULL, NULL, WK_RESUME (flow)));
  keys = os_client_list_finish (client, WK_RESULT (flow), &error);
  if (keys == NULL)
    {
      explain (&error);
      WK_FAIL (flow, &error, NULL);
    }
  key = steal_key (keys, os_client_get_project_id (client));
  if (key == NULL)
    {
      request = make_request (client, "POST");
      os_request_set_json (request, "tenant_id",
                           json_node_init_string (json_node_alloc (),
                                                  os_client_get_project_id (client)));
      WK_AWAIT (flow, os_client_load_async (client, client, request, &os_ec2_key_table,
                                            "credential", WK_RESUME (flow)));
      key = os_client_load_finish (client, WK_RESULT (flow), &error);
      if (key == NULL)
        {
          explain (&error);
          WK_FAIL (flow, &error, NULL);
        }
      g_message ("made a pair of EC2 keys for S3, which identity keeps for this user");
    }
  wk_flow_return_pointer (flow, key, (GDestroyNotify) os_ec2_key_free);

  WK_FLOW_END (flow);
}

void
os_ec2_keys_load_async (OsClient            *client,
                        GCancellable        *cancellable,
                        GAsyncReadyCallback  callback,
                        gpointer             user_data)
{
  wk_flow_start (client, cancellable, callback, user_data, os_ec2_keys_load_async, load_run, NULL,
                 NULL);
}

OsEc2Key *
os_ec2_keys_load_finish (OsClient      *client,
                         GAsyncResult  *result,
                         GError       **error)
{
  return wk_flow_finish_pointer (result, client, os_ec2_keys_load_async, error);
}
