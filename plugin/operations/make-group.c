/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/make-group.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "operations/outcome.h"

static gboolean
is_older (const OsSecurityGroup *group,
          const OsSecurityGroup *other)
{
  int order = 0;

  if (group->created != NULL && other->created != NULL)
    order = g_strcmp0 (group->created, other->created);
  return order != 0 ? order < 0 : g_strcmp0 (group->id, other->id) < 0;
}

const OsSecurityGroup *
os_choose_group (GPtrArray  *groups,
                 const char *name,
                 const char *description)
{
  const OsSecurityGroup *chosen = NULL;

  for (guint i = 0; i < groups->len; i++)
    {
      const OsSecurityGroup *group = g_ptr_array_index (groups, i);

      if (g_strcmp0 (group->name, name) != 0)
        continue;
      if (g_strcmp0 (group->description, description) != 0)
        {
          g_debug ("security group %s is called \"%s\" but is not ours", group->id, name);
          continue;
        }
      if (chosen == NULL || is_older (group, chosen))
        chosen = group;
    }
  return chosen;
}

typedef struct
{
  OsFirewall   *firewall;    /* (owned) */
  char         *name;        /* (owned) */
  char         *description; /* (owned) */
  GCancellable *cancellable; /* (owned) (nullable) the caller's */
} MakeGroup;

static void
make_async (gpointer            data,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  MakeGroup *self = data;

  os_firewall_create_group_async (self->firewall, self->name, self->description, NULL, callback,
                                  user_data);
}

static gpointer
make_finish (gpointer      data,
             GAsyncResult *result,
             GError      **error)
{
  MakeGroup *self = data;

  return os_firewall_create_group_finish (self->firewall, result, error);
}

static void
find_async (gpointer            data,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  MakeGroup *self = data;
  const char *query[] = { "name", self->name, NULL };

  os_firewall_list_groups_async (self->firewall, query, NULL, callback, user_data);
}

static gpointer
find_finish (gpointer      data,
             GAsyncResult *result,
             GError      **error)
{
  MakeGroup *self = data;
  g_autoptr(GPtrArray) groups = os_firewall_list_groups_finish (self->firewall, result, error);
  const OsSecurityGroup *group;

  if (groups == NULL)
    return NULL;
  group = os_choose_group (groups, self->name, self->description);
  for (guint i = 0; i < groups->len; i++)
    {
      if (g_ptr_array_index (groups, i) == group)
        return g_ptr_array_steal_index (groups, i);
    }
  return NULL;
}

static const OsMaker group_maker = { make_async, make_finish, find_async, find_finish };

static void
make_group_run (WkFlow  *flow,
                gpointer user_data)
{
  MakeGroup *self = user_data;
  OsSecurityGroup *group;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_make_async (&group_maker, self, os_firewall_get_clock (self->firewall),
                                 self->cancellable, wk_flow_resume_cb, flow));
  group = os_make_finish (WK_RESULT (flow), &error);
  if (group == NULL)
    WK_FAIL (flow, &error, _("cannot create security group"));
  wk_flow_return_pointer (flow, group, (GDestroyNotify) os_security_group_free);

  WK_FLOW_END (flow);
}

static void
make_group_free (gpointer user_data)
{
  MakeGroup *self = user_data;

  g_clear_object (&self->cancellable);
  g_free (self->description);
  g_free (self->name);
  g_object_unref (self->firewall);
  g_free (self);
}

void
os_make_group_async (OsFirewall         *firewall,
                     const char         *name,
                     const char         *description,
                     GCancellable       *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer            user_data)
{
  MakeGroup *self = g_new0 (MakeGroup, 1);

  self->firewall = g_object_ref (firewall);
  self->name = g_strdup (name);
  self->description = g_strdup (description);
  g_set_object (&self->cancellable, cancellable);
  wk_flow_start (NULL, NULL, callback, user_data, os_make_group_async, make_group_run, self,
                 make_group_free);
}

OsSecurityGroup *
os_make_group_finish (GAsyncResult *result,
                      GError      **error)
{
  return wk_flow_finish_pointer (result, NULL, os_make_group_async, error);
}
