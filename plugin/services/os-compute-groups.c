/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "services/os-compute-private.h"

/* Server groups. */

#define SOFT_ANTI_AFFINITY "soft-anti-affinity"

void
os_compute_list_server_groups_async (OsCompute           *self,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_COMPUTE, "GET", "os-server-groups",
                                                 NULL);

  os_client_list_async (self->client, self, request, &os_server_group_table, "server_groups", NULL,
                        NULL, cancellable, callback, user_data);
}

GPtrArray *
os_compute_list_server_groups_finish (OsCompute     *self,
                                      GAsyncResult  *result,
                                      GError       **error)
{
  return os_client_list_finish (self, result, error);
}

/* Until 2.63 nova wants a list of policies, and after that a single one. */
void
os_compute_create_server_group_async (OsCompute           *self,
                                      const char          *name,
                                      GCancellable        *cancellable,
                                      GAsyncReadyCallback  callback,
                                      gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_COMPUTE, "POST", "os-server-groups",
                                                 NULL);
  JsonObject *group = json_object_new ();
  JsonArray *policies = json_array_new ();

  json_array_add_string_element (policies, SOFT_ANTI_AFFINITY);
  json_object_set_string_member (group, "name", name);
  json_object_set_array_member (group, "policies", policies);
  os_request_set_json_object (request, "server_group", group);
  os_request_set_microversion (request, OS_COMPUTE_SOFT_POLICIES);
  os_client_load_async (self->client, self, request, &os_server_group_table, "server_group",
                        cancellable, callback, user_data);
}

OsServerGroup *
os_compute_create_server_group_finish (OsCompute     *self,
                                       GAsyncResult  *result,
                                       GError       **error)
{
  return os_client_load_finish (self, result, error);
}

void
os_compute_delete_server_group_async (OsCompute           *self,
                                      const char          *id,
                                      GCancellable        *cancellable,
                                      GAsyncReadyCallback  callback,
                                      gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_COMPUTE, "DELETE", "os-server-groups",
                                                 id, NULL);

  os_client_send_async (self->client, self, request, cancellable, callback, user_data);
}

gboolean
os_compute_delete_server_group_finish (OsCompute     *self,
                                       GAsyncResult  *result,
                                       GError       **error)
{
  return os_client_delete_finish (self, result, error);
}
