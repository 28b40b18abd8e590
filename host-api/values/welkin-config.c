/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "values/welkin-config.h"

/**
 * WelkinConfig:
 *
 * The attributes of one environment.
 *
 * A config is immutable, keeps its attributes in the order they came, and may
 * be shared between threads. After a [struct@Schema] has coerced it, every
 * known attribute is there in one canonical form, which the readers expect.
 *
 * Since: 0.1
 */
struct _WelkinConfig
{
  WelkinValue *map; /* (owned) of kind MAP */
};

G_DEFINE_BOXED_TYPE (WelkinConfig, welkin_config, welkin_config_ref, welkin_config_unref)

static void
config_clear (gpointer data)
{
  WelkinConfig *self = data;

  welkin_value_unref (self->map);
}

/**
 * welkin_config_new:
 *
 * Makes a config without attributes.
 *
 * Returns: (transfer full): a new config
 *
 * Since: 0.1
 */
WelkinConfig *
welkin_config_new (void)
{
  g_autoptr(WelkinValue) map = welkin_value_new_map (NULL, NULL, 0, NULL);

  return welkin_config_new_from_value (map);
}

/**
 * welkin_config_new_from_value:
 * @map: a map
 *
 * Makes a config of the entries of a map.
 *
 * Returns: (transfer full): a new config
 *
 * Since: 0.1
 */
WelkinConfig *
welkin_config_new_from_value (WelkinValue *map)
{
  WelkinConfig *self;

  g_return_val_if_fail (map != NULL, NULL);
  g_return_val_if_fail (welkin_value_get_kind (map) == WELKIN_VALUE_MAP, NULL);

  self = g_atomic_rc_box_new0 (WelkinConfig);
  self->map = welkin_value_ref (map);
  return self;
}

/**
 * welkin_config_ref:
 * @self: a config
 *
 * Takes another reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
WelkinConfig *
welkin_config_ref (WelkinConfig *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

/**
 * welkin_config_unref:
 * @self: (transfer full): a config
 *
 * Drops a reference; the last one frees the config.
 *
 * Since: 0.1
 */
void
welkin_config_unref (WelkinConfig *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, config_clear);
}

/**
 * welkin_config_equal:
 * @self: a config
 * @other: another config
 *
 * Compares the attributes of two configs, in whatever order they are.
 *
 * Returns: whether they are equal
 *
 * Since: 0.1
 */
gboolean
welkin_config_equal (WelkinConfig *self,
                     WelkinConfig *other)
{
  g_return_val_if_fail (self != NULL && other != NULL, FALSE);

  return welkin_value_equal (self->map, other->map);
}

/**
 * welkin_config_to_value:
 * @self: a config
 *
 * Gets the attributes as one value, to be written.
 *
 * Returns: (transfer full): a map
 *
 * Since: 0.1
 */
WelkinValue *
welkin_config_to_value (WelkinConfig *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return welkin_value_ref (self->map);
}

/**
 * welkin_config_get_keys:
 * @self: a config
 *
 * Lists the names of the attributes, in their order.
 *
 * Returns: (transfer container) (array zero-terminated=1): the names, which
 *   belong to @self
 *
 * Since: 0.1
 */
const char **
welkin_config_get_keys (WelkinConfig *self)
{
  const char **keys;
  guint n_keys;

  g_return_val_if_fail (self != NULL, NULL);

  n_keys = welkin_value_get_length (self->map);
  keys = g_new0 (const char *, n_keys + 1);
  for (guint i = 0; i < n_keys; i++)
    keys[i] = welkin_value_get_key (self->map, i);
  return keys;
}

/**
 * welkin_config_lookup:
 * @self: a config
 * @key: the name of an attribute
 *
 * Finds the value of an attribute.
 *
 * Returns: (transfer none) (nullable): the value, or %NULL when there is none;
 *   it may be of kind %WELKIN_VALUE_UNSET
 *
 * Since: 0.1
 */
WelkinValue *
welkin_config_lookup (WelkinConfig *self,
                      const char   *key)
{
  g_return_val_if_fail (self != NULL && key != NULL, NULL);

  return welkin_value_lookup (self->map, key);
}

/**
 * welkin_config_has:
 * @self: a config
 * @key: the name of an attribute
 *
 * Tells whether an attribute is there and set.
 *
 * Returns: whether it is; an empty text is set
 *
 * Since: 0.1
 */
gboolean
welkin_config_has (WelkinConfig *self,
                   const char   *key)
{
  WelkinValue *value = welkin_config_lookup (self, key);

  return value != NULL && welkin_value_get_kind (value) != WELKIN_VALUE_UNSET;
}

/* Attributes on their way into a new config. */
typedef struct
{
  GPtrArray *keys;   /* (unowned strings) */
  GPtrArray *values; /* (unowned) */
} Attributes;

static Attributes
attributes_begin (WelkinConfig *self)
{
  Attributes attributes = { g_ptr_array_new (), g_ptr_array_new () };

  for (guint i = 0; i < welkin_value_get_length (self->map); i++)
    {
      g_ptr_array_add (attributes.keys, (gpointer) welkin_value_get_key (self->map, i));
      g_ptr_array_add (attributes.values, welkin_value_get_item (self->map, i));
    }
  return attributes;
}

static void
attributes_set (Attributes  *attributes,
                const char  *key,
                WelkinValue *value)
{
  guint i;

  if (g_ptr_array_find_with_equal_func (attributes->keys, key, g_str_equal, &i))
    {
      attributes->values->pdata[i] = value;
      return;
    }
  g_ptr_array_add (attributes->keys, (gpointer) key);
  g_ptr_array_add (attributes->values, value);
}

static WelkinConfig *
attributes_end (Attributes   *attributes,
                WelkinConfig *self)
{
  g_autoptr(WelkinValue) map = NULL;

  map = welkin_value_new_map ((const char * const *) attributes->keys->pdata,
                              (WelkinValue **) attributes->values->pdata, attributes->keys->len,
                              welkin_value_get_origin (self->map));
  g_ptr_array_unref (attributes->keys);
  g_ptr_array_unref (attributes->values);
  return welkin_config_new_from_value (map);
}

/**
 * welkin_config_with:
 * @self: a config
 * @key: the name of an attribute
 * @value: its new value
 *
 * Makes a config that differs in one attribute.
 *
 * Returns: (transfer full): a new config
 *
 * Since: 0.1
 */
WelkinConfig *
welkin_config_with (WelkinConfig *self,
                    const char   *key,
                    WelkinValue  *value)
{
  Attributes attributes;

  g_return_val_if_fail (self != NULL && key != NULL && value != NULL, NULL);

  attributes = attributes_begin (self);
  attributes_set (&attributes, key, value);
  return attributes_end (&attributes, self);
}

/**
 * welkin_config_with_text:
 * @self: a config
 * @key: the name of an attribute
 * @text: its new value
 * @origin: (nullable): where the text comes from, as in "OS_USERNAME"
 *
 * Makes a config that differs in one attribute, which is a text.
 *
 * Returns: (transfer full): a new config
 *
 * Since: 0.1
 */
WelkinConfig *
welkin_config_with_text (WelkinConfig *self,
                         const char   *key,
                         const char   *text,
                         const char   *origin)
{
  g_autoptr(WelkinValue) value = NULL;

  g_return_val_if_fail (text != NULL, NULL);

  value = welkin_value_new_text (text, TRUE, origin);
  return welkin_config_with (self, key, value);
}

/**
 * welkin_config_without:
 * @self: a config
 * @key: the name of an attribute
 *
 * Makes a config that lacks one attribute.
 *
 * Returns: (transfer full): a new config, or @self if it lacks the attribute
 *
 * Since: 0.1
 */
WelkinConfig *
welkin_config_without (WelkinConfig *self,
                       const char   *key)
{
  Attributes attributes;
  guint i;

  g_return_val_if_fail (self != NULL && key != NULL, NULL);

  if (welkin_value_lookup (self->map, key) == NULL)
    return welkin_config_ref (self);

  attributes = attributes_begin (self);
  if (g_ptr_array_find_with_equal_func (attributes.keys, key, g_str_equal, &i))
    {
      g_ptr_array_remove_index (attributes.keys, i);
      g_ptr_array_remove_index (attributes.values, i);
    }
  return attributes_end (&attributes, self);
}

/**
 * welkin_config_with_all:
 * @self: a config
 * @other: another config
 *
 * Makes a config that has all attributes of another over its own.
 *
 * Returns: (transfer full): a new config
 *
 * Since: 0.1
 */
WelkinConfig *
welkin_config_with_all (WelkinConfig *self,
                        WelkinConfig *other)
{
  Attributes attributes;

  g_return_val_if_fail (self != NULL && other != NULL, NULL);

  attributes = attributes_begin (self);
  for (guint i = 0; i < welkin_value_get_length (other->map); i++)
    attributes_set (&attributes, welkin_value_get_key (other->map, i),
                    welkin_value_get_item (other->map, i));
  return attributes_end (&attributes, self);
}

/**
 * welkin_config_get_name:
 * @self: a config
 *
 * Gets the name of the environment.
 *
 * Returns: (transfer none): the attribute "name", or ""
 *
 * Since: 0.1
 */
const char *
welkin_config_get_name (WelkinConfig *self)
{
  return welkin_config_get_string (self, "name");
}

/**
 * welkin_config_get_uuid:
 * @self: a config
 *
 * Gets what tells the environment from all others that have its name.
 *
 * Returns: (transfer none): the attribute "uuid", or ""
 *
 * Since: 0.1
 */
const char *
welkin_config_get_uuid (WelkinConfig *self)
{
  return welkin_config_get_string (self, "uuid");
}

/**
 * welkin_config_get_provider_type:
 * @self: a config
 *
 * Gets the type of the provider that the environment is opened with.
 *
 * Returns: (transfer none): the attribute "type", or ""
 *
 * Since: 0.1
 */
const char *
welkin_config_get_provider_type (WelkinConfig *self)
{
  return welkin_config_get_string (self, "type");
}

/**
 * welkin_config_get_string:
 * @self: a config
 * @key: the name of an attribute
 *
 * Gets the text of an attribute.
 *
 * Returns: (transfer none): the text; "" when there is none
 *
 * Since: 0.1
 */
const char *
welkin_config_get_string (WelkinConfig *self,
                          const char   *key)
{
  WelkinValue *value = welkin_config_lookup (self, key);
  const char *text = value != NULL ? welkin_value_get_text (value) : NULL;

  return text != NULL ? text : "";
}

/**
 * welkin_config_get_boolean:
 * @self: a config that a schema has coerced
 * @key: the name of an attribute
 *
 * Gets whether an attribute is true.
 *
 * Returns: whether it is; %FALSE when there is none
 *
 * Since: 0.1
 */
gboolean
welkin_config_get_boolean (WelkinConfig *self,
                           const char   *key)
{
  return g_str_equal (welkin_config_get_string (self, key), "true");
}

/**
 * welkin_config_get_int:
 * @self: a config that a schema has coerced
 * @key: the name of an attribute
 *
 * Gets the number that an attribute is.
 *
 * Returns: the number; 0 when there is none
 *
 * Since: 0.1
 */
gint64
welkin_config_get_int (WelkinConfig *self,
                       const char   *key)
{
  return g_ascii_strtoll (welkin_config_get_string (self, key), NULL, 10);
}

static void
add_parts (GStrvBuilder *builder,
           const char   *text)
{
  g_auto(GStrv) parts = g_strsplit (text, ",", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (*g_strstrip (parts[i]) != '\0')
        g_strv_builder_add (builder, parts[i]);
    }
}

/**
 * welkin_config_get_strings:
 * @self: a config
 * @key: the name of an attribute
 *
 * Gets the texts of a list, or the parts of a text between its commas.
 *
 * Parts are trimmed, and empty ones dropped.
 *
 * Returns: (transfer full) (array zero-terminated=1): the texts
 *
 * Since: 0.1
 */
char **
welkin_config_get_strings (WelkinConfig *self,
                           const char   *key)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();
  WelkinValue *value = welkin_config_lookup (self, key);

  if (value != NULL && welkin_value_get_text (value) != NULL)
    add_parts (builder, welkin_value_get_text (value));
  else if (value != NULL && welkin_value_get_kind (value) == WELKIN_VALUE_LIST)
    {
      for (guint i = 0; i < welkin_value_get_length (value); i++)
        {
          const char *text = welkin_value_get_text (welkin_value_get_item (value, i));

          if (text != NULL)
            g_strv_builder_add (builder, text);
        }
    }
  return g_strv_builder_end (builder);
}

/**
 * welkin_config_get_entry:
 * @self: a config
 * @key: the name of an attribute that is a map
 * @entry: a key of that map
 *
 * Gets the text that stands in a map.
 *
 * Returns: (transfer none) (nullable): the text, or %NULL when there is none
 *
 * Since: 0.1
 */
const char *
welkin_config_get_entry (WelkinConfig *self,
                         const char   *key,
                         const char   *entry)
{
  WelkinValue *map = welkin_config_lookup (self, key);
  WelkinValue *value = map != NULL ? welkin_value_lookup (map, entry) : NULL;

  return value != NULL ? welkin_value_get_text (value) : NULL;
}
