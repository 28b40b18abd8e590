/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "values/welkin-constraints-private.h"
#include "values/welkin-error.h"

/* Constraints as a mapping, for YAML and JSON. */

static gboolean
refuse (GError    **error,
        const char *name,
        const char *reason)
{
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
               _("bad \"%s\" constraint: %s"), name, reason);
  return FALSE;
}

/* With commas, as a list is written on the command line. (transfer full) */
static char *
join_items (const char  *name,
            WelkinValue *list,
            GError     **error)
{
  g_autoptr(GString) joined = g_string_new (NULL);

  for (guint i = 0; i < welkin_value_get_length (list); i++)
    {
      WelkinValue *item = welkin_value_get_item (list, i);

      if (welkin_value_get_kind (item) != WELKIN_VALUE_TEXT
          || strchr (welkin_value_get_text (item), ',') != NULL)
        {
          refuse (error, name, _("its items must be texts without commas"));
          return NULL;
        }
      g_string_append_printf (joined, "%s%s", i > 0 ? "," : "", welkin_value_get_text (item));
    }
  return g_string_free (g_steal_pointer (&joined), FALSE);
}

/* (transfer full) */
static char *
read_value (const char          *name,
            WelkinConstraintKind kind,
            WelkinValue         *value,
            GError             **error)
{
  WelkinValueKind wanted = kind == WELKIN_CONSTRAINT_LIST ? WELKIN_VALUE_LIST : WELKIN_VALUE_TEXT;

  if (welkin_value_get_kind (value) != wanted)
    {
      refuse (error, name,
              wanted == WELKIN_VALUE_LIST ? _("it must be a list") : _("it must be one value"));
      return NULL;
    }
  if (wanted == WELKIN_VALUE_LIST)
    return join_items (name, value, error);
  return g_strdup (welkin_value_get_text (value));
}

static gboolean
read_entry (WelkinConstraints *self,
            const char        *key,
            WelkinValue       *value,
            GError           **error)
{
  WelkinConstraintKind kind = WELKIN_CONSTRAINT_TEXT;
  const char *name = welkin_constraints_get_canonical_name (key, &kind);
  g_autofree char *text = NULL;

  if (name == NULL)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                   _("unknown constraint \"%s\""), key);
      return FALSE;
    }
  if (welkin_value_get_kind (value) == WELKIN_VALUE_UNSET)
    return TRUE;
  if (welkin_constraints_has (self, name))
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                   _("constraint \"%s\" duplicates one of another spelling"), key);
      return FALSE;
    }
  text = read_value (key, kind, value, error);
  return text != NULL && welkin_constraints_set (self, key, text, error);
}

/**
 * welkin_constraints_new_from_value:
 * @value: a mapping, as in [method@Constraints.to_value]
 * @error: return location for an error
 *
 * Makes constraints of a mapping that was read from YAML or JSON.
 *
 * Both "cores" and "cpu-cores" are read, but not both of them in one mapping;
 * an entry that is null is absent. All errors are
 * %WELKIN_ERROR_INVALID_ARGUMENT and name the entry.
 *
 * Returns: (transfer full): new constraints, or %NULL on error
 *
 * Since: 0.1
 */
WelkinConstraints *
welkin_constraints_new_from_value (WelkinValue *value,
                                   GError     **error)
{
  g_autoptr(WelkinConstraints) self = NULL;

  g_return_val_if_fail (value != NULL, NULL);

  self = welkin_constraints_new ();
  if (welkin_value_get_kind (value) == WELKIN_VALUE_UNSET)
    return g_steal_pointer (&self);
  if (welkin_value_get_kind (value) != WELKIN_VALUE_MAP)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                   _("constraints must be a mapping of names to values"));
      return NULL;
    }
  for (guint i = 0; i < welkin_value_get_length (value); i++)
    {
      const char *key = welkin_value_get_key (value, i);

      if (!read_entry (self, key, welkin_value_lookup (value, key), error))
        return NULL;
    }
  return g_steal_pointer (&self);
}

static WelkinValue *
make_list (const char *const *items)
{
  g_autoptr(GPtrArray) values =
    g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_value_unref);

  for (guint i = 0; items[i] != NULL; i++)
    g_ptr_array_add (values, welkin_value_new_text (items[i], TRUE, NULL));
  return welkin_value_new_list ((WelkinValue **) values->pdata, values->len, NULL);
}

static WelkinValue *
make_value (WelkinConstraints *self,
            const char        *name)
{
  WelkinConstraintKind kind = WELKIN_CONSTRAINT_TEXT;
  g_autofree char *number = NULL;

  welkin_constraints_get_canonical_name (name, &kind);
  switch (kind)
    {
    case WELKIN_CONSTRAINT_TEXT:
      return welkin_value_new_text (welkin_constraints_get_text (self, name), TRUE, NULL);
    case WELKIN_CONSTRAINT_LIST:
      return make_list (welkin_constraints_get_list (self, name));
    case WELKIN_CONSTRAINT_BOOLEAN:
      return welkin_value_new_text (welkin_constraints_get_boolean (self, name) ? "true" : "false",
                                    FALSE, NULL);
    case WELKIN_CONSTRAINT_NUMBER:
    case WELKIN_CONSTRAINT_SIZE:
      number = g_strdup_printf ("%" G_GUINT64_FORMAT, welkin_constraints_get_number (self, name));
      return welkin_value_new_text (number, FALSE, NULL);
    }
  g_assert_not_reached ();
}

/**
 * welkin_constraints_to_value:
 * @self: constraints
 *
 * Makes a mapping of the constraints, to be written as YAML or JSON.
 *
 * It has the names that [method@Constraints.to_string] writes; sizes are whole
 * numbers of MiB, lists are sequences; what is present but empty is kept, and
 * what is absent is left out.
 *
 * Returns: (transfer full): a mapping
 *
 * Since: 0.1
 */
WelkinValue *
welkin_constraints_to_value (WelkinConstraints *self)
{
  g_autofree const char **names = NULL;
  g_autoptr(GPtrArray) values =
    g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_value_unref);

  g_return_val_if_fail (self != NULL, NULL);

  names = welkin_constraints_list_names (self);
  for (guint i = 0; names[i] != NULL; i++)
    g_ptr_array_add (values, make_value (self, names[i]));
  return welkin_value_new_map (names, (WelkinValue **) values->pdata, values->len, NULL);
}
