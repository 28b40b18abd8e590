/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "values/welkin-instances.h"

/**
 * WelkinInstances:
 *
 * The answer to the question which of some instances exist.
 *
 * It is immutable, and belongs to the main context of its instances.
 *
 * Since: 0.1
 */
struct _WelkinInstances
{
  GHashTable *by_id;   /* id to (owned) instance */
  GPtrArray  *found;   /* (owned instances) each once, in the order asked for */
  char      **missing; /* ids, each once */
};

G_DEFINE_BOXED_TYPE (WelkinInstances,
                     welkin_instances,
                     welkin_instances_ref,
                     welkin_instances_unref)

static void
instances_clear (gpointer data)
{
  WelkinInstances *self = data;

  g_hash_table_unref (self->by_id);
  g_ptr_array_unref (self->found);
  g_strfreev (self->missing);
}

static GHashTable *
index_by_id (GPtrArray *instances)
{
  GHashTable *by_id = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);

  for (guint i = 0; i < instances->len; i++)
    {
      WelkinInstance *instance = instances->pdata[i];

      g_hash_table_replace (by_id, g_strdup (welkin_instance_get_id (instance)),
                            g_object_ref (instance));
    }
  return by_id;
}

/**
 * welkin_instances_new:
 * @ids: (array zero-terminated=1): the ids that were asked for
 * @found: (element-type WelkinInstance): the instances that exist, in any order
 *
 * Makes the answer to a question.
 *
 * Instances that were not asked for are left out.
 *
 * Returns: (transfer full): new instances
 *
 * Since: 0.1
 */
WelkinInstances *
welkin_instances_new (const char * const *ids,
                      GPtrArray          *found)
{
  g_autoptr(GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr(GHashTable) all = NULL;
  g_autoptr(GStrvBuilder) missing = g_strv_builder_new ();
  WelkinInstances *self;

  g_return_val_if_fail (ids != NULL && found != NULL, NULL);

  all = index_by_id (found);
  self = g_atomic_rc_box_new0 (WelkinInstances);
  self->found = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; ids[i] != NULL; i++)
    {
      WelkinInstance *instance = g_hash_table_lookup (all, ids[i]);

      if (!g_hash_table_add (seen, (gpointer) ids[i]))
        continue;
      if (instance != NULL)
        g_ptr_array_add (self->found, g_object_ref (instance));
      else
        g_strv_builder_add (missing, ids[i]);
    }
  self->by_id = index_by_id (self->found);
  self->missing = g_strv_builder_end (missing);
  return self;
}

/**
 * welkin_instances_ref:
 * @self: instances
 *
 * Takes another reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
WelkinInstances *
welkin_instances_ref (WelkinInstances *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

/**
 * welkin_instances_unref:
 * @self: (transfer full): instances
 *
 * Drops a reference; the last one frees the instances.
 *
 * Since: 0.1
 */
void
welkin_instances_unref (WelkinInstances *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, instances_clear);
}

/**
 * welkin_instances_lookup:
 * @self: instances
 * @id: an id
 *
 * Finds an instance by its id.
 *
 * Returns: (transfer none) (nullable): the instance, or %NULL if it does not
 *   exist
 *
 * Since: 0.1
 */
WelkinInstance *
welkin_instances_lookup (WelkinInstances *self,
                         const char      *id)
{
  g_return_val_if_fail (self != NULL && id != NULL, NULL);

  return g_hash_table_lookup (self->by_id, id);
}

/**
 * welkin_instances_get_found:
 * @self: instances
 *
 * Gets the instances that exist, each once, in the order they were asked for.
 *
 * Returns: (transfer none) (element-type WelkinInstance): the instances
 *
 * Since: 0.1
 */
GPtrArray *
welkin_instances_get_found (WelkinInstances *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->found;
}

/**
 * welkin_instances_get_missing_ids:
 * @self: instances
 *
 * Gets the ids of which there is no instance, each once, in the order asked
 * for.
 *
 * Returns: (transfer none) (array zero-terminated=1): the ids
 *
 * Since: 0.1
 */
const char * const *
welkin_instances_get_missing_ids (WelkinInstances *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return (const char * const *) self->missing;
}
