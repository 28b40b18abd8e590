/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/apart-group.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/memo.h"
#include "operations/outcome.h"
#include "values/welkin-error.h"

/* How long the group is believed to be there. */
#define ENSURE_SECONDS 600.0

struct _OsApartGroup
{
  GObject parent;

  OsCompute *compute;   /* (owned) */
  OsClient  *client;    /* (owned) */
  char      *name;      /* (owned) */

  WkMemo    *id;        /* (owned) of a text */
  char      *made_id;   /* (owned) (nullable) until a machine is in it */
  guint      n_holders; /* starts that got the id and are not over */
};

G_DEFINE_FINAL_TYPE (OsApartGroup, os_apart_group, G_TYPE_OBJECT)

gboolean
os_apart_group_is_ours (OsApartGroup        *self,
                        const OsServerGroup *group)
{
  return g_strcmp0 (group->name, self->name) == 0;
}

/* Where two processes have made one each, both choose the same. */
static char *
dup_id_of_ours (OsApartGroup *self,
                GPtrArray    *groups)
{
  const char *id = NULL;

  for (guint i = 0; i < groups->len; i++)
    {
      const OsServerGroup *group = g_ptr_array_index (groups, i);

      if (os_apart_group_is_ours (self, group) && (id == NULL || strcmp (group->id, id) < 0))
        id = group->id;
    }
  return g_strdup (id);
}

/* Making it once. */

static void
make_async (gpointer            data,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  OsApartGroup *self = data;

  os_compute_create_server_group_async (self->compute, self->name, NULL, callback, user_data);
}

static gpointer
make_finish (gpointer      data,
             GAsyncResult *result,
             GError      **error)
{
  OsApartGroup *self = data;
  g_autoptr(OsServerGroup) group =
    os_compute_create_server_group_finish (self->compute, result, error);

  return group != NULL ? g_steal_pointer (&group->id) : NULL;
}

static void
find_async (gpointer            data,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  OsApartGroup *self = data;

  os_compute_list_server_groups_async (self->compute, NULL, callback, user_data);
}

static gpointer
find_finish (gpointer      data,
             GAsyncResult *result,
             GError      **error)
{
  OsApartGroup *self = data;
  g_autoptr(GPtrArray) groups =
    os_compute_list_server_groups_finish (self->compute, result, error);

  return groups != NULL ? dup_id_of_ours (self, groups) : NULL;
}

static const OsMaker group_maker = { make_async, make_finish, find_async, find_finish };

/* What is only wished for may be missing. */
static gboolean
is_refusal (const GError *error)
{
  return g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_QUOTA_EXCEEDED)
         || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN)
         || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND)
         || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
}

static void
ensure_run (WkFlow  *flow,
            gpointer user_data)
{
  OsApartGroup *self = user_data;
  char *id;
  g_autoptr(GPtrArray) groups = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_client_has_microversion_async (self->client, OS_COMPUTE_SOFT_POLICIES,
                                                    WK_RESUME (flow)));
  if (!os_client_has_microversion_finish (self->client, WK_RESULT (flow)))
    {
      g_message ("machines are not kept apart: compute does not have version %s",
                 OS_COMPUTE_SOFT_POLICIES);
      wk_flow_return_pointer (flow, g_strdup (""), g_free);
      return;
    }
  WK_AWAIT (flow, os_compute_list_server_groups_async (self->compute, WK_RESUME (flow)));
  groups = os_compute_list_server_groups_finish (self->compute, WK_RESULT (flow), &error);
  id = groups != NULL ? dup_id_of_ours (self, groups) : NULL;
  if (groups != NULL && id == NULL)
    {
      WK_AWAIT (flow, os_make_async (&group_maker, self, os_client_get_clock (self->client),
                                     wk_flow_get_cancellable (flow), wk_flow_resume_cb, flow));
      id = os_make_finish (WK_RESULT (flow), &error);
      self->made_id = g_strdup (id);
    }
  if (is_refusal (error))
    {
      g_message ("machines are not kept apart: %s", error->message);
      g_clear_error (&error);
      id = g_strdup ("");
    }
  if (id == NULL)
    WK_FAIL (flow, &error, _("cannot ensure the server group"));
  wk_flow_return_pointer (flow, id, g_free);

  WK_FLOW_END (flow);
}

static void
load_async (gpointer            owner,
            const char         *key,
            GCancellable       *cancellable,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  wk_flow_start (owner, cancellable, callback, user_data, load_async, ensure_run,
                 g_object_ref (owner), g_object_unref);
}

static gpointer
load_finish (gpointer      owner,
             GAsyncResult *result,
             GError      **error)
{
  return wk_flow_finish_pointer (result, owner, load_async, error);
}

void
os_apart_group_ensure_async (OsApartGroup       *self,
                             GCancellable       *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer            user_data)
{
  wk_memo_get_async (self->id, "", cancellable, callback, user_data);
}

char *
os_apart_group_ensure_finish (OsApartGroup *self,
                              GAsyncResult *result,
                              GError      **error)
{
  char *id = wk_memo_get_finish (self->id, result, error);

  if (id != NULL)
    self->n_holders++;
  return id;
}

/* Letting go of it. */

void
os_apart_group_keep (OsApartGroup *self)
{
  g_return_if_fail (self->n_holders > 0);

  self->n_holders--;
  g_clear_pointer (&self->made_id, g_free);
}

static void
release_run (WkFlow  *flow,
             gpointer user_data)
{
  const char *id = user_data;
  OsApartGroup *self = wk_flow_get_source (flow);
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (id != NULL)
    {
      WK_AWAIT (flow, os_compute_delete_server_group_async (self->compute, id, WK_RESUME (flow)));
      if (!os_compute_delete_server_group_finish (self->compute, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_apart_group_release_async (OsApartGroup       *self,
                              const char         *id,
                              GCancellable       *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer            user_data)
{
  char *made_id = NULL;

  self->n_holders--;
  /* It may be that it is not there any more: the next start looks. */
  if (self->n_holders == 0)
    {
      wk_memo_invalidate (self->id, "");
      made_id = g_steal_pointer (&self->made_id);
    }
  wk_flow_start (self, cancellable, callback, user_data, os_apart_group_release_async, release_run,
                 made_id, g_free);
}

gboolean
os_apart_group_release_finish (OsApartGroup *self,
                               GAsyncResult *result,
                               GError      **error)
{
  return wk_flow_finish_boolean (result, self, os_apart_group_release_async, error);
}

/* Removing it for good. */

static void
remove_run (WkFlow  *flow,
            gpointer user_data)
{
  OsApartGroup *self = user_data;
  g_autofree char *id = NULL;
  g_autoptr(GPtrArray) groups = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  wk_memo_invalidate (self->id, "");
  while (TRUE)
    {
      WK_AWAIT (flow, os_compute_list_server_groups_async (self->compute, WK_RESUME (flow)));
      groups = os_compute_list_server_groups_finish (self->compute, WK_RESULT (flow), &error);
      if (is_refusal (error))
        break;
      if (groups == NULL)
        WK_FAIL (flow, &error, _("cannot list server groups"));
      id = dup_id_of_ours (self, groups);
      if (id == NULL)
        break;
      WK_AWAIT (flow, os_compute_delete_server_group_async (self->compute, id, WK_RESUME (flow)));
      if (!os_compute_delete_server_group_finish (self->compute, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, _("cannot delete server group"));
    }
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_apart_group_remove_async (OsApartGroup       *self,
                             GCancellable       *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer            user_data)
{
  wk_flow_start (self, cancellable, callback, user_data, os_apart_group_remove_async, remove_run,
                 g_object_ref (self), g_object_unref);
}

gboolean
os_apart_group_remove_finish (OsApartGroup *self,
                              GAsyncResult *result,
                              GError      **error)
{
  return wk_flow_finish_boolean (result, self, os_apart_group_remove_async, error);
}

OsApartGroup *
os_apart_group_new (OsCompute  *compute,
                    OsClient   *client,
                    const char *name)
{
  OsApartGroup *self = g_object_new (OS_TYPE_APART_GROUP, NULL);

  self->compute = g_object_ref (compute);
  self->client = g_object_ref (client);
  self->name = g_strdup (name);
  return self;
}

static void
os_apart_group_dispose (GObject *object)
{
  OsApartGroup *self = OS_APART_GROUP (object);

  wk_memo_close (self->id);

  G_OBJECT_CLASS (os_apart_group_parent_class)->dispose (object);
}

static void
os_apart_group_finalize (GObject *object)
{
  OsApartGroup *self = OS_APART_GROUP (object);

  g_free (self->made_id);
  wk_memo_unref (self->id);
  g_free (self->name);
  g_clear_object (&self->client);
  g_clear_object (&self->compute);

  G_OBJECT_CLASS (os_apart_group_parent_class)->finalize (object);
}

static void
os_apart_group_class_init (OsApartGroupClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = os_apart_group_dispose;
  object_class->finalize = os_apart_group_finalize;
}

static void
os_apart_group_init (OsApartGroup *self)
{
  self->id = wk_memo_new (self, ENSURE_SECONDS, load_async, load_finish, (WkMemoCopy) g_strdup,
                          g_free);
}
