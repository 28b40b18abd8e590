/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "values/welkin-value.h"

/**
 * WelkinValue:
 *
 * One value of a configuration, as it was written.
 *
 * A scalar is the text that stands in the file, whatever a YAML parser would
 * make of it, together with where it stands; what it means is for a
 * [struct@Schema] to say. Values are immutable and may be shared between
 * threads.
 *
 * Since: 0.1
 */
struct _WelkinValue
{
  WelkinValueKind kind;
  char           *origin;    /* (nullable) */
  char           *text;      /* of a text */
  gboolean        is_quoted; /* of a text */
  char          **keys;      /* of a map, as many as items; else NULL */
  WelkinValue   **items;     /* (owned) of a list or a map */
  gsize           n_items;
};

/**
 * WelkinValueKind:
 * @WELKIN_VALUE_UNSET: nothing: `null`, `~` or no text at all
 * @WELKIN_VALUE_TEXT: a scalar
 * @WELKIN_VALUE_LIST: a sequence of values
 * @WELKIN_VALUE_MAP: values with keys
 *
 * What a [struct@Value] is.
 *
 * Since: 0.1
 */

G_DEFINE_BOXED_TYPE (WelkinValue, welkin_value, welkin_value_ref, welkin_value_unref)

static WelkinValue *
value_new (WelkinValueKind kind,
           const char     *origin)
{
  WelkinValue *self = g_atomic_rc_box_new0 (WelkinValue);

  self->kind = kind;
  self->origin = g_strdup (origin);
  return self;
}

static void
value_take_items (WelkinValue  *self,
                  WelkinValue **items,
                  gsize         n_items)
{
  self->items = g_new (WelkinValue *, n_items);
  self->n_items = n_items;
  for (gsize i = 0; i < n_items; i++)
    self->items[i] = welkin_value_ref (items[i]);
}

static void
value_clear (gpointer data)
{
  WelkinValue *self = data;

  g_free (self->origin);
  g_free (self->text);
  g_strfreev (self->keys);
  for (gsize i = 0; i < self->n_items; i++)
    welkin_value_unref (self->items[i]);
  g_free (self->items);
}

/**
 * welkin_value_new_unset:
 * @origin: (nullable): where it was written, as in "environments.yaml:7"
 *
 * Makes a value that stands for nothing.
 *
 * Returns: (transfer full): a new value
 *
 * Since: 0.1
 */
WelkinValue *
welkin_value_new_unset (const char *origin)
{
  return value_new (WELKIN_VALUE_UNSET, origin);
}

/**
 * welkin_value_new_text:
 * @text: the text as it was written, without quotation marks
 * @is_quoted: whether it stood between quotation marks
 * @origin: (nullable): where it was written, as in "environments.yaml:7" or
 *   "OS_USERNAME"
 *
 * Makes a scalar.
 *
 * Returns: (transfer full): a new value
 *
 * Since: 0.1
 */
WelkinValue *
welkin_value_new_text (const char *text,
                       gboolean    is_quoted,
                       const char *origin)
{
  WelkinValue *self;

  g_return_val_if_fail (text != NULL, NULL);

  self = value_new (WELKIN_VALUE_TEXT, origin);
  self->text = g_strdup (text);
  self->is_quoted = is_quoted;
  return self;
}

/**
 * welkin_value_new_list:
 * @items: (array length=n_items) (transfer none): the items
 * @n_items: how many there are
 * @origin: (nullable): where it was written, as in "environments.yaml:7"
 *
 * Makes a list.
 *
 * Returns: (transfer full): a new value
 *
 * Since: 0.1
 */
WelkinValue *
welkin_value_new_list (WelkinValue **items,
                       gsize         n_items,
                       const char   *origin)
{
  WelkinValue *self;

  g_return_val_if_fail (items != NULL || n_items == 0, NULL);

  self = value_new (WELKIN_VALUE_LIST, origin);
  value_take_items (self, items, n_items);
  return self;
}

/**
 * welkin_value_new_map:
 * @keys: (array length=n_values): the keys, each once
 * @values: (array length=n_values) (transfer none): as many values
 * @n_values: how many there are
 * @origin: (nullable): where it was written, as in "environments.yaml:7"
 *
 * Makes a map, which keeps the order of its keys.
 *
 * Returns: (transfer full): a new value
 *
 * Since: 0.1
 */
WelkinValue *
welkin_value_new_map (const char * const *keys,
                      WelkinValue       **values,
                      gsize               n_values,
                      const char         *origin)
{
  WelkinValue *self;

  g_return_val_if_fail ((keys != NULL && values != NULL) || n_values == 0, NULL);

  self = value_new (WELKIN_VALUE_MAP, origin);
  value_take_items (self, values, n_values);
  self->keys = g_new0 (char *, n_values + 1);
  for (gsize i = 0; i < n_values; i++)
    self->keys[i] = g_strdup (keys[i]);
  return self;
}

/**
 * welkin_value_ref:
 * @self: a value
 *
 * Takes another reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
WelkinValue *
welkin_value_ref (WelkinValue *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

/**
 * welkin_value_unref:
 * @self: (transfer full): a value
 *
 * Drops a reference; the last one frees the value.
 *
 * Since: 0.1
 */
void
welkin_value_unref (WelkinValue *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, value_clear);
}

/**
 * welkin_value_equal:
 * @self: a value
 * @other: another value
 *
 * Compares two values by what they hold.
 *
 * Where they were written, whether they were quoted, and the order of the keys
 * of a map do not matter.
 *
 * Returns: whether they are equal
 *
 * Since: 0.1
 */
gboolean
welkin_value_equal (WelkinValue *self,
                    WelkinValue *other)
{
  g_return_val_if_fail (self != NULL && other != NULL, FALSE);

  if (self == other)
    return TRUE;
  if (self->kind != other->kind || self->n_items != other->n_items)
    return FALSE;
  if (g_strcmp0 (self->text, other->text) != 0)
    return FALSE;

  for (gsize i = 0; i < self->n_items; i++)
    {
      WelkinValue *counterpart = other->items[i];

      if (self->kind == WELKIN_VALUE_MAP)
        counterpart = welkin_value_lookup (other, self->keys[i]);
      if (counterpart == NULL || !welkin_value_equal (self->items[i], counterpart))
        return FALSE;
    }
  return TRUE;
}

/**
 * welkin_value_get_kind:
 * @self: a value
 *
 * Gets what the value is.
 *
 * Returns: its kind
 *
 * Since: 0.1
 */
WelkinValueKind
welkin_value_get_kind (WelkinValue *self)
{
  g_return_val_if_fail (self != NULL, WELKIN_VALUE_UNSET);

  return self->kind;
}

/**
 * welkin_value_get_origin:
 * @self: a value
 *
 * Gets where the value was written, for error messages.
 *
 * Returns: (transfer none) (nullable): a file and line, a variable, or the
 *   command line
 *
 * Since: 0.1
 */
const char *
welkin_value_get_origin (WelkinValue *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->origin;
}

/**
 * welkin_value_get_text:
 * @self: a value
 *
 * Gets the text of a scalar, as it was written.
 *
 * Returns: (transfer none) (nullable): the text; %NULL for other kinds
 *
 * Since: 0.1
 */
const char *
welkin_value_get_text (WelkinValue *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->text;
}

/**
 * welkin_value_is_quoted:
 * @self: a value
 *
 * Tells whether a scalar was written between quotation marks.
 *
 * Returns: whether it was
 *
 * Since: 0.1
 */
gboolean
welkin_value_is_quoted (WelkinValue *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->is_quoted;
}

/**
 * welkin_value_get_length:
 * @self: a value
 *
 * Counts the items of a list or the entries of a map.
 *
 * Returns: how many there are; 0 for other kinds
 *
 * Since: 0.1
 */
guint
welkin_value_get_length (WelkinValue *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_items;
}

/**
 * welkin_value_get_item:
 * @self: a value
 * @index: less than its length
 *
 * Gets an item of a list, or the value of an entry of a map.
 *
 * Returns: (transfer none): the item
 *
 * Since: 0.1
 */
WelkinValue *
welkin_value_get_item (WelkinValue *self,
                       guint        index)
{
  g_return_val_if_fail (self != NULL && index < self->n_items, NULL);

  return self->items[index];
}

/**
 * welkin_value_get_key:
 * @self: a map
 * @index: less than its length
 *
 * Gets the key of an entry of a map.
 *
 * Returns: (transfer none): the key
 *
 * Since: 0.1
 */
const char *
welkin_value_get_key (WelkinValue *self,
                      guint        index)
{
  g_return_val_if_fail (self != NULL && self->kind == WELKIN_VALUE_MAP, NULL);
  g_return_val_if_fail (index < self->n_items, NULL);

  return self->keys[index];
}

/**
 * welkin_value_lookup:
 * @self: a value
 * @key: a key
 *
 * Finds an entry of a map.
 *
 * Returns: (transfer none) (nullable): its value; %NULL when the map has none,
 *   and for other kinds
 *
 * Since: 0.1
 */
WelkinValue *
welkin_value_lookup (WelkinValue *self,
                     const char  *key)
{
  g_return_val_if_fail (self != NULL && key != NULL, NULL);

  if (self->kind != WELKIN_VALUE_MAP)
    return NULL;
  for (gsize i = 0; i < self->n_items; i++)
    {
      if (g_str_equal (self->keys[i], key))
        return self->items[i];
    }
  return NULL;
}
