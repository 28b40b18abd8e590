/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environments/info-intents.h"


struct _WelkinInfoIntents
{
  GObject parent;

  WelkinSurroundings *surroundings; /* (owned) (nullable) */
  char               *name;
};

static void welkin_info_intents_iface_init (WelkinIntentsInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (
  WelkinInfoIntents, welkin_info_intents, G_TYPE_OBJECT,
  G_IMPLEMENT_INTERFACE (WELKIN_TYPE_INTENTS, welkin_info_intents_iface_init))

static GHashTable *
info_intents_load (WelkinIntents *intents,
                   GError       **error)
{
  WelkinInfoIntents *self = WELKIN_INFO_INTENTS (intents);
  g_autoptr(WelkinInfo) info = welkin_info_load (self->surroundings, self->name, error);
  WelkinValue *lines;
  GHashTable *table;

  if (info == NULL)
    return NULL;
  table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  lines = welkin_info_lookup (info, WELKIN_KEY_INTENTS);
  if (lines == NULL || welkin_value_get_kind (lines) != WELKIN_VALUE_MAP)
    return table;
  for (guint i = 0; i < welkin_value_get_length (lines); i++)
    {
      const char *text = welkin_value_get_text (welkin_value_get_item (lines, i));

      if (text != NULL)
        g_hash_table_insert (table, g_strdup (welkin_value_get_key (lines, i)), g_strdup (text));
    }
  return table;
}

static void
written_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  GError *error = NULL;

  if (welkin_info_write_finish (WELKIN_INFO (source), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
info_intents_record_async (WelkinIntents      *intents,
                           const char         *key,
                           const char         *text,
                           GCancellable       *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer            user_data)
{
  WelkinInfoIntents *self = WELKIN_INFO_INTENTS (intents);
  g_autoptr(GTask) task = g_task_new (intents, cancellable, callback, user_data);
  g_autoptr(WelkinValue) value = NULL;
  g_autoptr(WelkinInfo) info = NULL;
  GError *error = NULL;

  g_task_set_source_tag (task, info_intents_record_async);
  info = welkin_info_load (self->surroundings, self->name, &error);
  if (info == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  value = text != NULL ? welkin_value_new_text (text, TRUE, NULL) : NULL;
  welkin_info_set_entry (info, WELKIN_KEY_INTENTS, key, value);
  welkin_info_write_async (info, cancellable, written_cb, g_steal_pointer (&task));
}

static gboolean
info_intents_record_finish (WelkinIntents *intents,
                            GAsyncResult  *result,
                            GError       **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

WelkinIntents *
welkin_info_intents_new (WelkinSurroundings *surroundings,
                         const char         *name)
{
  WelkinInfoIntents *self = g_object_new (WELKIN_TYPE_INFO_INTENTS, NULL);

  self->surroundings = surroundings != NULL ? welkin_surroundings_ref (surroundings) : NULL;
  self->name = g_strdup (name);
  return WELKIN_INTENTS (self);
}

void
welkin_info_intents_forget (WelkinInfo *info,
                            const char *start_id)
{
  WelkinValue *lines = welkin_info_lookup (info, WELKIN_KEY_INTENTS);
  g_autofree char *prefix = g_strconcat (start_id, "/", NULL);
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();
  g_auto(GStrv) keys = NULL;

  if (lines == NULL || welkin_value_get_kind (lines) != WELKIN_VALUE_MAP)
    return;
  for (guint i = 0; i < welkin_value_get_length (lines); i++)
    if (g_str_has_prefix (welkin_value_get_key (lines, i), prefix))
      g_strv_builder_add (builder, welkin_value_get_key (lines, i));
  keys = g_strv_builder_end (builder);
  for (gsize i = 0; keys[i] != NULL; i++)
    welkin_info_set_entry (info, WELKIN_KEY_INTENTS, keys[i], NULL);
}

static void
welkin_info_intents_finalize (GObject *object)
{
  WelkinInfoIntents *self = WELKIN_INFO_INTENTS (object);

  g_clear_pointer (&self->surroundings, welkin_surroundings_unref);
  g_free (self->name);

  G_OBJECT_CLASS (welkin_info_intents_parent_class)->finalize (object);
}

static void
welkin_info_intents_class_init (WelkinInfoIntentsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = welkin_info_intents_finalize;
}

static void
welkin_info_intents_iface_init (WelkinIntentsInterface *iface)
{
  iface->load = info_intents_load;
  iface->record_async = info_intents_record_async;
  iface->record_finish = info_intents_record_finish;
}

static void
welkin_info_intents_init (WelkinInfoIntents *self)
{
}
