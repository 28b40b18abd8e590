/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "values/welkin-schema-private.h"

/**
 * WelkinSchema:
 *
 * The attributes that there are: their kinds, defaults and rules.
 *
 * The host has one for what every environment has, each provider one for its
 * own. A schema is immutable and may be shared between threads.
 *
 * Since: 0.1
 */

/**
 * WelkinAttributeKind:
 * @WELKIN_ATTRIBUTE_STRING: a text, as it was written
 * @WELKIN_ATTRIBUTE_BOOLEAN: yes or no; canonical is "true" or "false"
 * @WELKIN_ATTRIBUTE_INT: a whole number; canonical is decimal
 * @WELKIN_ATTRIBUTE_STRINGS: a list of texts, or a text with commas; canonical
 *   is a list
 * @WELKIN_ATTRIBUTE_MAP: texts with keys
 *
 * What an attribute holds.
 *
 * Since: 0.1
 */

/**
 * WelkinAttributeFlags:
 * @WELKIN_ATTRIBUTE_NONE: no rule
 * @WELKIN_ATTRIBUTE_REQUIRED: it must be set
 * @WELKIN_ATTRIBUTE_MAY_BE_EMPTY: "" and 0 are values like others
 * @WELKIN_ATTRIBUTE_IMMUTABLE: it keeps its value as long as the environment
 *   lives
 * @WELKIN_ATTRIBUTE_SECRET: its value never leaves for a log, an error or a
 *   screen
 * @WELKIN_ATTRIBUTE_TRANSIENT: it is used when the config is made and never
 *   stored
 * @WELKIN_ATTRIBUTE_UNUSED: it is checked and stored for other readers, but has
 *   no effect in this version; whoever sets it is told
 * @WELKIN_ATTRIBUTE_IDENTITY: it tells who uses the cloud: no secret, but no
 *   machine gets it
 *
 * The rules of an attribute.
 *
 * Since: 0.1
 */

G_DEFINE_BOXED_TYPE (WelkinSchema, welkin_schema, welkin_schema_ref, welkin_schema_unref)

/**
 * welkin_schema_new: (skip)
 * @attributes: (array length=n_attributes): the rows, which outlive the schema
 * @n_attributes: how many there are
 *
 * Makes a schema of a static table.
 *
 * Returns: (transfer full): a new schema
 *
 * Since: 0.1
 */
WelkinSchema *
welkin_schema_new (const WelkinAttribute *attributes,
                   gsize                  n_attributes)
{
  WelkinSchema *self;

  g_return_val_if_fail (attributes != NULL || n_attributes == 0, NULL);

  self = g_atomic_rc_box_new0 (WelkinSchema);
  self->attributes = attributes;
  self->n_attributes = n_attributes;
  return self;
}

/**
 * welkin_schema_ref:
 * @self: a schema
 *
 * Takes another reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
WelkinSchema *
welkin_schema_ref (WelkinSchema *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

/**
 * welkin_schema_unref:
 * @self: (transfer full): a schema
 *
 * Drops a reference; the last one frees the schema.
 *
 * Since: 0.1
 */
void
welkin_schema_unref (WelkinSchema *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release (self);
}

/**
 * welkin_schema_get_names:
 * @self: a schema
 *
 * Lists the names of the attributes, in the order of the table.
 *
 * Returns: (transfer container) (array zero-terminated=1): the names, which
 *   belong to @self
 *
 * Since: 0.1
 */
const char **
welkin_schema_get_names (WelkinSchema *self)
{
  const char **names;

  g_return_val_if_fail (self != NULL, NULL);

  names = g_new0 (const char *, self->n_attributes + 1);
  for (gsize i = 0; i < self->n_attributes; i++)
    names[i] = self->attributes[i].name;
  return names;
}

const WelkinAttribute *
welkin_schema_find (WelkinSchema *self,
                    const char   *name)
{
  for (gsize i = 0; i < self->n_attributes; i++)
    {
      if (g_str_equal (self->attributes[i].name, name))
        return &self->attributes[i];
    }
  return NULL;
}

/**
 * welkin_schema_has:
 * @self: a schema
 * @name: the name of an attribute
 *
 * Tells whether the schema knows an attribute.
 *
 * Returns: whether it does
 *
 * Since: 0.1
 */
gboolean
welkin_schema_has (WelkinSchema *self,
                   const char   *name)
{
  g_return_val_if_fail (self != NULL && name != NULL, FALSE);

  return welkin_schema_find (self, name) != NULL;
}

/**
 * welkin_schema_get_kind:
 * @self: a schema
 * @name: the name of an attribute
 *
 * Gets what an attribute holds.
 *
 * Returns: its kind; %WELKIN_ATTRIBUTE_STRING when the schema does not know it
 *
 * Since: 0.1
 */
WelkinAttributeKind
welkin_schema_get_kind (WelkinSchema *self,
                        const char   *name)
{
  const WelkinAttribute *attribute;

  g_return_val_if_fail (self != NULL && name != NULL, WELKIN_ATTRIBUTE_STRING);

  attribute = welkin_schema_find (self, name);
  return attribute != NULL ? attribute->kind : WELKIN_ATTRIBUTE_STRING;
}

/**
 * welkin_schema_get_flags:
 * @self: a schema
 * @name: the name of an attribute
 *
 * Gets the rules of an attribute.
 *
 * Returns: its rules; none when the schema does not know it
 *
 * Since: 0.1
 */
WelkinAttributeFlags
welkin_schema_get_flags (WelkinSchema *self,
                         const char   *name)
{
  const WelkinAttribute *attribute;

  g_return_val_if_fail (self != NULL && name != NULL, WELKIN_ATTRIBUTE_NONE);

  attribute = welkin_schema_find (self, name);
  return attribute != NULL ? attribute->flags : WELKIN_ATTRIBUTE_NONE;
}

/**
 * welkin_schema_get_default:
 * @self: a schema
 * @name: the name of an attribute
 *
 * Gets the value of an attribute that is not set.
 *
 * Returns: (transfer none) (nullable): the text, or %NULL when it then stays
 *   absent
 *
 * Since: 0.1
 */
const char *
welkin_schema_get_default (WelkinSchema *self,
                           const char   *name)
{
  const WelkinAttribute *attribute;

  g_return_val_if_fail (self != NULL && name != NULL, NULL);

  attribute = welkin_schema_find (self, name);
  return attribute != NULL ? attribute->default_value : NULL;
}

/**
 * welkin_schema_get_choices:
 * @self: a schema
 * @name: the name of an attribute
 *
 * Gets the texts that an attribute may have.
 *
 * Returns: (transfer none) (nullable): the texts with spaces between them, or
 *   %NULL when it may have any
 *
 * Since: 0.1
 */
const char *
welkin_schema_get_choices (WelkinSchema *self,
                           const char   *name)
{
  const WelkinAttribute *attribute;

  g_return_val_if_fail (self != NULL && name != NULL, NULL);

  attribute = welkin_schema_find (self, name);
  return attribute != NULL ? attribute->choices : NULL;
}

/**
 * welkin_schema_get_description:
 * @self: a schema
 * @name: the name of an attribute
 *
 * Gets a description of an attribute for people.
 *
 * Returns: (transfer none) (nullable): the description, not translated
 *
 * Since: 0.1
 */
const char *
welkin_schema_get_description (WelkinSchema *self,
                               const char   *name)
{
  const WelkinAttribute *attribute;

  g_return_val_if_fail (self != NULL && name != NULL, NULL);

  attribute = welkin_schema_find (self, name);
  return attribute != NULL ? attribute->description : NULL;
}

/**
 * welkin_schema_get_alias_of:
 * @self: a schema
 * @name: the name of an attribute
 *
 * Gets the attribute that another word stands for.
 *
 * Returns: (transfer none) (nullable): the name of that attribute, or %NULL
 *   when @name is none but its own
 *
 * Since: 0.1
 */
const char *
welkin_schema_get_alias_of (WelkinSchema *self,
                            const char   *name)
{
  const WelkinAttribute *attribute;

  g_return_val_if_fail (self != NULL && name != NULL, NULL);

  attribute = welkin_schema_find (self, name);
  return attribute != NULL ? attribute->alias_of : NULL;
}
