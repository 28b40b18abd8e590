/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/floating-pool.h"

#include "base/flow.h"
#include "base/memo.h"
#include "operations/ownership.h"
#include "operations/wanted-addresses.h"

#define LIST_SECONDS 60.0
#define SWEEP_SECONDS 3600.0

struct _OsFloatingPool
{
  OsClient         *client;     /* (owned) */
  OsNetworkService *service;    /* (owned) */
  WelkinConfig     *config;     /* (owned) */

  WkMemo           *spare;      /* (owned) GPtrArray of OsFloatingIp that were not taken yet */
  double            last_sweep; /* seconds of the clock; negative: never */
};

static gboolean
is_reuse (OsFloatingPool *self,
          const char     *word)
{
  return g_str_equal (welkin_config_get_string (self->config, "floating-ip-reuse"), word);
}

static void
load_spare (gpointer             owner,
            const char          *key,
            GCancellable        *cancellable,
            GAsyncReadyCallback  callback,
            gpointer             user_data)
{
  OsFloatingPool *self = owner;

  os_network_service_list_floating_ips_async (self->service, NULL, cancellable, callback,
                                              user_data);
}

static gboolean
is_ours (OsFloatingPool     *self,
         const OsFloatingIp *ip)
{
  return os_mark_is_ours (ip->description, welkin_config_get_uuid (self->config), NULL);
}

/* What another environment has marked is its own to keep or to give back. */
static gboolean
may_be_taken (OsFloatingPool     *self,
              const OsFloatingIp *ip)
{
  g_autofree char *environ_uuid = os_mark_get_word (ip->description, "env");

  if (!os_floating_ip_is_free (ip))
    return FALSE;
  return is_ours (self, ip) || (is_reuse (self, "any") && environ_uuid == NULL);
}

static gpointer
load_spare_finish (gpointer       owner,
                   GAsyncResult  *result,
                   GError       **error)
{
  OsFloatingPool *self = owner;
  GPtrArray *ips = os_network_service_list_floating_ips_finish (self->service, result, error);

  for (guint i = ips != NULL ? ips->len : 0; i > 0; i--)
    if (!may_be_taken (self, g_ptr_array_index (ips, i - 1)))
      g_ptr_array_remove_index (ips, i - 1);
  return ips;
}

OsFloatingPool *
os_floating_pool_new (OsClient         *client,
                      OsNetworkService *service,
                      WelkinConfig     *config)
{
  OsFloatingPool *self = g_new0 (OsFloatingPool, 1);

  self->client = g_object_ref (client);
  self->service = g_object_ref (service);
  self->config = welkin_config_ref (config);
  self->spare = wk_memo_new (self, LIST_SECONDS, load_spare, load_spare_finish,
                             (WkMemoCopy) g_ptr_array_ref, (GDestroyNotify) g_ptr_array_unref);
  self->last_sweep = -1;
  return self;
}

void
os_floating_pool_free (OsFloatingPool *self)
{
  wk_memo_close (self->spare);
  wk_memo_unref (self->spare);
  welkin_config_unref (self->config);
  g_object_unref (self->service);
  g_object_unref (self->client);
  g_free (self);
}

void
os_floating_pool_load_async (OsFloatingPool      *self,
                             GCancellable        *cancellable,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data)
{
  if (is_reuse (self, "never"))
    {
      g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);

      g_task_return_boolean (task, TRUE);
      return;
    }
  wk_memo_get_async (self->spare, "", cancellable, callback, user_data);
}

gboolean
os_floating_pool_load_finish (OsFloatingPool  *self,
                              GAsyncResult    *result,
                              GError         **error)
{
  g_autoptr(GPtrArray) spare = NULL;

  if (is_reuse (self, "never"))
    return g_task_propagate_boolean (G_TASK (result), error);
  spare = wk_memo_get_finish (self->spare, result, error);
  return spare != NULL;
}

static OsFloatingIp *
take (OsFloatingPool *self,
      GPtrArray      *spare,
      const char     *network_id,
      gboolean        ours_only)
{
  for (guint i = 0; i < spare->len; i++)
    {
      const OsFloatingIp *ip = g_ptr_array_index (spare, i);

      if (g_strcmp0 (ip->network_id, network_id) == 0 && (is_ours (self, ip) || !ours_only)
          && os_want_address (self->client, ip->id))
        return g_ptr_array_steal_index (spare, i);
    }
  return NULL;
}

OsFloatingIp *
os_floating_pool_take (OsFloatingPool *self,
                       const char     *network_id)
{
  g_autoptr(GPtrArray) spare = wk_memo_peek (self->spare, "");
  OsFloatingIp *ip;

  if (spare == NULL)
    return NULL;
  ip = take (self, spare, network_id, TRUE);
  return ip != NULL ? ip : take (self, spare, network_id, FALSE);
}

void
os_floating_pool_let_go (OsFloatingPool     *self,
                         const OsFloatingIp *ip)
{
  os_let_go_of_address (self->client, ip->id);
}

gboolean
os_floating_pool_may_sweep (OsFloatingPool *self,
                            WkClock        *clock)
{
  double now = wk_clock_get_seconds (clock);

  if (self->last_sweep >= 0 && now - self->last_sweep < SWEEP_SECONDS)
    return FALSE;
  self->last_sweep = now;
  return TRUE;
}
