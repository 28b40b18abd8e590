/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/undo.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "values/welkin-error.h"

typedef struct
{
  char        *what;
  gpointer     target; /* (owned) (nullable) */
  char        *id;
  WkUndoAsync  undo_async;
  WkUndoFinish undo_finish;
} UndoEntry;

struct _WkUndo
{
  grefcount  ref_count;
  GPtrArray *entries; /* (owned) of UndoEntry, the newest last */
};

static void
undo_entry_free (UndoEntry *entry)
{
  g_free (entry->what);
  g_clear_object (&entry->target);
  g_free (entry->id);
  g_free (entry);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (UndoEntry, undo_entry_free)

WkUndo *
wk_undo_new (void)
{
  WkUndo *undo = g_new0 (WkUndo, 1);

  g_ref_count_init (&undo->ref_count);
  undo->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) undo_entry_free);
  return undo;
}

WkUndo *
wk_undo_ref (WkUndo *undo)
{
  g_ref_count_inc (&undo->ref_count);
  return undo;
}

void
wk_undo_unref (WkUndo *undo)
{
  if (!g_ref_count_dec (&undo->ref_count))
    return;

  g_ptr_array_unref (undo->entries);
  g_free (undo);
}

gboolean
wk_undo_is_empty (WkUndo *undo)
{
  return undo->entries->len == 0;
}

void
wk_undo_push (WkUndo      *undo,
              const char  *what,
              gpointer     target,
              const char  *id,
              WkUndoAsync  undo_async,
              WkUndoFinish undo_finish)
{
  UndoEntry *entry;

  g_return_if_fail (what != NULL && id != NULL);
  g_return_if_fail (undo_async != NULL && undo_finish != NULL);

  entry = g_new0 (UndoEntry, 1);
  entry->what = g_strdup (what);
  entry->target = target != NULL ? g_object_ref (target) : NULL;
  entry->id = g_strdup (id);
  entry->undo_async = undo_async;
  entry->undo_finish = undo_finish;
  g_ptr_array_add (undo->entries, entry);
}

void
wk_undo_forget (WkUndo     *undo,
                const char *id)
{
  for (guint i = undo->entries->len; i > 0; i--)
    {
      UndoEntry *entry = g_ptr_array_index (undo->entries, i - 1);

      if (g_str_equal (entry->id, id))
        {
          g_ptr_array_remove_index (undo->entries, i - 1);
          return;
        }
    }
}

static UndoEntry *
undo_pop (WkUndo *undo)
{
  if (wk_undo_is_empty (undo))
    return NULL;

  return g_ptr_array_steal_index (undo->entries, undo->entries->len - 1);
}

typedef struct
{
  /* inputs */
  WkUndo       *undo;        /* (owned) */

  /* while running */
  GCancellable *cancellable; /* (owned) cancelled when the time is over */
  GSource      *deadline;    /* (owned) */
  UndoEntry    *entry;       /* (owned) (nullable) the one that is being undone */

  /* results */
  GString      *left;        /* (owned) (nullable) what was left behind */
} UndoRun;

static void
undo_run_free (UndoRun *self)
{
  wk_undo_unref (self->undo);
  g_object_unref (self->cancellable);
  g_source_destroy (self->deadline);
  g_source_unref (self->deadline);
  g_clear_pointer (&self->entry, undo_entry_free);
  if (self->left != NULL)
    g_string_free (self->left, TRUE);
  g_free (self);
}

static gboolean
time_over_cb (gpointer user_data)
{
  UndoRun *self = user_data;

  g_cancellable_cancel (self->cancellable);
  return G_SOURCE_REMOVE;
}

static UndoRun *
undo_run_new (WkUndo *undo,
              double  seconds)
{
  UndoRun *self = g_new0 (UndoRun, 1);

  self->undo = wk_undo_ref (undo);
  self->cancellable = g_cancellable_new ();
  self->deadline = g_timeout_source_new ((guint) (CLAMP (seconds, 0.0, 86400.0) * 1000.0));
  g_source_set_callback (self->deadline, time_over_cb, self, NULL);
  g_source_attach (self->deadline, g_main_context_get_thread_default ());
  return self;
}

static void
undo_run_leave (UndoRun      *self,
                UndoEntry    *entry,
                const GError *error)
{
  /* Somebody else was faster: that leaves nothing behind. */
  if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    return;

  g_info ("cannot undo %s %s: %s", entry->what, entry->id, error->message);

  if (self->left == NULL)
    self->left = g_string_new (NULL);
  else
    g_string_append (self->left, ", ");
  g_string_append_printf (self->left, "%s %s", entry->what, entry->id);
}

/* Without time, nothing more is tried, but everything is named. */
static void
undo_run_leave_rest (UndoRun      *self,
                     const GError *error)
{
  UndoEntry *entry;

  while ((entry = undo_pop (self->undo)) != NULL)
    {
      undo_run_leave (self, entry, error);
      undo_entry_free (entry);
    }
}

static void
undo_run (WkFlow  *flow,
          gpointer user_data)
{
  UndoRun *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  while ((self->entry = undo_pop (self->undo)) != NULL)
    {
      WK_AWAIT (flow, self->entry->undo_async (self->entry->target, self->entry->id,
                                               self->cancellable, wk_flow_resume_cb, flow));
      if (!self->entry->undo_finish (self->entry->target, WK_RESULT (flow), &error))
        undo_run_leave (self, self->entry, error);
      g_clear_error (&error);
      g_clear_pointer (&self->entry, undo_entry_free);

      if (g_cancellable_set_error_if_cancelled (self->cancellable, &error))
        undo_run_leave_rest (self, error);
    }

  if (self->left == NULL)
    wk_flow_return_pointer (flow, NULL, NULL);
  else
    wk_flow_return_pointer (flow, g_string_free (g_steal_pointer (&self->left), FALSE), g_free);

  WK_FLOW_END (flow);
}

void
wk_undo_run_async (WkUndo             *undo,
                   double              seconds,
                   GAsyncReadyCallback callback,
                   gpointer            user_data)
{
  wk_flow_start (NULL, NULL, callback, user_data, wk_undo_run_async, undo_run,
                 undo_run_new (undo, seconds), (GDestroyNotify) undo_run_free);
}

gboolean
wk_undo_run_finish (WkUndo       *undo,
                    GAsyncResult *result,
                    GError      **error)
{
  g_autofree char *left = wk_flow_finish_pointer (result, NULL, wk_undo_run_async, NULL);
  g_autofree char *reason = NULL;

  if (left == NULL)
    return TRUE;

  if (error != NULL && *error != NULL)
    {
      reason = g_steal_pointer (&(*error)->message);
      (*error)->message = g_strdup_printf (_("%s; left behind: %s"), reason, left);
    }
  else
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _("Left behind: %s"), left);
    }
  /* To try the same elsewhere would be to forget about it. */
  if (error != NULL)
    {
      welkin_error_set_zone_independent (*error, TRUE);
      welkin_error_set_leftovers (*error, TRUE);
    }
  return FALSE;
}
