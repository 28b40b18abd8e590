/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "bootstrap/clean-up.h"
#include "bootstrap/provider-state.h"

struct _WelkinCleanUp
{
  GObject parent;

  WelkinEnviron  *environment;  /* (owned) */
  WelkinInfo     *info;         /* (owned) */
  WelkinStorage  *storage;      /* (owned) */
  WelkinInstance *instance;     /* (owned) (nullable) */
  gboolean        is_new;
  gboolean        keep_broken;
  gboolean        owns_storage; /* and so something in the cloud */
};

G_DEFINE_FINAL_TYPE (WelkinCleanUp, welkin_clean_up, G_TYPE_OBJECT)

static const char *const *
instance_ids (WelkinCleanUp *self,
              const char   **buffer)
{
  buffer[0] = welkin_instance_get_id (self->instance);
  buffer[1] = NULL;
  return buffer;
}

static void
clean_up_run (WkFlow  *flow,
              gpointer user_data)
{
  WelkinCleanUp *self = user_data;
  const char *ids[2];
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (self->owns_storage && !self->keep_broken)
    g_message (_("cleaning up after the failed bootstrap"));

  if (self->keep_broken && self->owns_storage)
    {
      wk_flow_return_boolean (flow, TRUE);
      return;
    }

  if (self->instance != NULL && !(self->is_new && self->owns_storage))
    {
      WK_AWAIT (flow, welkin_environ_stop_instances_async (self->environment,
                                                           instance_ids (self, ids), NULL,
                                                           WK_RESUME (flow)));
      if (!welkin_environ_stop_instances_finish (self->environment, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, _("Cannot stop failed bootstrap instance"));
    }

  if (self->is_new && self->owns_storage)
    {
      WK_AWAIT (flow, welkin_environ_destroy_async (self->environment, NULL, WK_RESUME (flow)));
      if (!welkin_environ_destroy_finish (self->environment, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  else if (self->owns_storage)
    {
      WK_AWAIT (flow, welkin_provider_state_remove_async (self->storage, WK_RESUME (flow)));
      if (!welkin_provider_state_remove_finish (self->storage, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }

  if (self->is_new && !welkin_info_destroy (self->info, &error))
    WK_FAIL (flow, &error, NULL);

  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
clean_up_async (gpointer            target,
                const char         *id,
                GCancellable       *cancellable,
                GAsyncReadyCallback callback,
                gpointer            user_data)
{
  wk_flow_start (target, cancellable, callback, user_data, clean_up_async, clean_up_run,
                 g_object_ref (target), g_object_unref);
}

static gboolean
clean_up_finish (gpointer      target,
                 GAsyncResult *result,
                 GError      **error)
{
  return wk_flow_finish_boolean (result, target, clean_up_async, error);
}

WelkinCleanUp *
welkin_clean_up_new (WelkinEnviron *environment,
                     WelkinInfo    *info,
                     gboolean       is_new,
                     gboolean       keep_broken)
{
  WelkinCleanUp *self = g_object_new (WELKIN_TYPE_CLEAN_UP, NULL);

  self->environment = g_object_ref (environment);
  self->info = g_object_ref (info);
  self->storage = welkin_environ_get_storage (environment);
  self->is_new = is_new;
  self->keep_broken = keep_broken;
  return self;
}

void
welkin_clean_up_set_owns_storage (WelkinCleanUp *self,
                                  gboolean       owns_storage)
{
  self->owns_storage = owns_storage;
}

void
welkin_clean_up_set_instance (WelkinCleanUp  *self,
                              WelkinInstance *instance)
{
  g_set_object (&self->instance, instance);
}

void
welkin_clean_up_push (WelkinCleanUp *self,
                      WkUndo        *undo)
{
  wk_undo_push (undo, _("environment"), self, welkin_info_get_name (self->info), clean_up_async,
                clean_up_finish);
}

static void
welkin_clean_up_dispose (GObject *object)
{
  WelkinCleanUp *self = WELKIN_CLEAN_UP (object);

  g_clear_object (&self->environment);
  g_clear_object (&self->info);
  g_clear_object (&self->storage);
  g_clear_object (&self->instance);

  G_OBJECT_CLASS (welkin_clean_up_parent_class)->dispose (object);
}

static void
welkin_clean_up_class_init (WelkinCleanUpClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = welkin_clean_up_dispose;
}

static void
welkin_clean_up_init (WelkinCleanUp *self)
{
}
