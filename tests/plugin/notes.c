/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "notes.h"

#include "contracts/welkin-intents.h"
#include "contracts/welkin-optional.h"

struct _Notes
{
  GObject     parent;

  GHashTable *lines;     /* (owned) */
  gboolean    is_broken;
};

static GHashTable *
notes_load (WelkinIntents *intents,
            GError       **error)
{
  GHashTable *copy = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GHashTableIter iter;
  gpointer key, text;

  g_hash_table_iter_init (&iter, TEST_NOTES (intents)->lines);
  while (g_hash_table_iter_next (&iter, &key, &text))
    g_hash_table_insert (copy, g_strdup (key), g_strdup (text));
  return copy;
}

static void
notes_record_async (WelkinIntents      *intents,
                    const char         *key,
                    const char         *text,
                    GCancellable       *cancellable,
                    GAsyncReadyCallback callback,
                    gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (intents, cancellable, callback, user_data);
  GHashTable *lines = TEST_NOTES (intents)->lines;

  if (TEST_NOTES (intents)->is_broken)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NO_SPACE, "the disk is full");
      return;
    }
  if (text != NULL)
    g_hash_table_insert (lines, g_strdup (key), g_strdup (text));
  else
    g_hash_table_remove (lines, key);
  g_task_return_boolean (task, TRUE);
}

static gboolean
notes_record_finish (WelkinIntents *intents,
                     GAsyncResult  *result,
                     GError       **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
notes_intents_init (WelkinIntentsInterface *iface)
{
  iface->load = notes_load;
  iface->record_async = notes_record_async;
  iface->record_finish = notes_record_finish;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (Notes, notes, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_INTENTS, notes_intents_init))

static void
notes_finalize (GObject *object)
{
  g_hash_table_unref (TEST_NOTES (object)->lines);

  G_OBJECT_CLASS (notes_parent_class)->finalize (object);
}

static void
notes_class_init (NotesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = notes_finalize;
}

static void
notes_init (Notes *self)
{
  self->lines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

Notes *
notes_new_for (WelkinEnviron *environ)
{
  Notes *self = g_object_new (TYPE_NOTES, NULL);

  welkin_reconciler_set_intents (WELKIN_RECONCILER (environ), WELKIN_INTENTS (self));
  return self;
}

GHashTable *
notes_get_lines (Notes *self)
{
  return self->lines;
}

void
notes_break (Notes *self)
{
  self->is_broken = TRUE;
}
