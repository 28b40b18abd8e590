/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * What a schema makes of a config as it was written, and what it says of one that does not fit.
 */

#include "config.h"

#include "values/welkin-schema-private.h"

#include <errno.h>
#include <glib/gi18n-lib.h>

#include "values/welkin-error.h"

static gboolean
parse_boolean (const char *text,
               gboolean   *is_true)
{
  static const char * const words[] = {
    "false", "true", "no", "yes", "off", "on", "f", "t", "0", "1",
  };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      if (g_ascii_strcasecmp (text, words[i]) == 0)
        {
          *is_true = i % 2 == 1;
          return TRUE;
        }
    }
  return FALSE;
}

/* Decimal, 0x…, 0… for octal; else a float, whose fraction is cut off. */
static gboolean
parse_int (const char *text,
           gint64     *number)
{
  char *end = NULL;
  double real;

  if (g_ascii_isspace (*text) || *text == '\0')
    return FALSE;

  errno = 0;
  *number = g_ascii_strtoll (text, &end, 0);
  if (errno == 0 && *end == '\0')
    return TRUE;

  if (strspn (text, "0123456789.eE+-") != strlen (text))
    return FALSE;
  real = g_ascii_strtod (text, &end);
  if (*end != '\0' || !(real > -0x1p63 && real < 0x1p63))
    return FALSE;
  *number = (gint64) real;
  return TRUE;
}

static const char *
get_kind_of_text (WelkinValue *value)
{
  const char *text = welkin_value_get_text (value);
  gboolean is_true;
  gint64 number;

  if (welkin_value_is_quoted (value))
    return "string";
  if (parse_int (text, &number))
    return strpbrk (text, ".eE") == NULL || g_str_has_prefix (text, "0x") ? "int" : "float";
  if (strlen (text) > 1 && parse_boolean (text, &is_true))
    return "bool";
  return "string";
}

static void
append_items (GString     *string,
              WelkinValue *value)
{
  gboolean is_map = welkin_value_get_kind (value) == WELKIN_VALUE_MAP;

  for (guint i = 0; i < welkin_value_get_length (value); i++)
    {
      const char *item = is_map ? welkin_value_get_key (value, i)
                                : welkin_value_get_text (welkin_value_get_item (value, i));

      g_string_append_printf (string, "%s%s", i > 0 ? ", " : "", item != NULL ? item : "…");
    }
}

/* What was got, for an error: as in string("x"), int(7), list(a, b). */
static char *
describe_value (const WelkinAttribute *attribute,
                WelkinValue           *value)
{
  gboolean is_secret = (attribute->flags & WELKIN_ATTRIBUTE_SECRET) != 0;
  WelkinValueKind kind = welkin_value_get_kind (value);
  GString *string;
  const char *name;

  if (kind == WELKIN_VALUE_UNSET)
    return g_strdup (_("nothing"));
  if (kind == WELKIN_VALUE_TEXT)
    {
      name = get_kind_of_text (value);
      if (is_secret)
        return g_strdup (name);
      return g_strdup_printf (g_str_equal (name, "string") ? "%s(\"%s\")" : "%s(%s)", name,
                              welkin_value_get_text (value));
    }

  string = g_string_new (kind == WELKIN_VALUE_LIST ? "list" : "map");
  if (!is_secret)
    {
      g_string_append_c (string, '(');
      append_items (string, value);
      g_string_append_c (string, ')');
    }
  return g_string_free (string, FALSE);
}

/* Puts where the value was written in front of a message. */
static void
set_error (GError     **error,
           const char  *origin,
           const char  *message)
{
  if (origin != NULL)
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG, "%s: %s", origin, message);
  else
    g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG, message);
}

/* name: that of the attribute, or of an entry of it. Returns NULL, for its
 * callers' ease. */
static WelkinValue *
fail_kind (const WelkinAttribute *attribute,
           const char            *name,
           const char            *wanted,
           WelkinValue           *value,
           GError               **error)
{
  g_autofree char *got = describe_value (attribute, value);
  g_autofree char *message = NULL;

  message = g_strdup_printf (_("%s: expected %s, got %s"), name, wanted, got);
  set_error (error, welkin_value_get_origin (value), message);
  return NULL;
}

static WelkinValue *
fail_empty (const WelkinAttribute *attribute,
            WelkinValue           *value,
            GError               **error)
{
  g_autofree char *message = NULL;

  message = g_strdup_printf (_("empty %s in environment configuration"), attribute->name);
  set_error (error, welkin_value_get_origin (value), message);
  return NULL;
}

static gboolean
may_be_empty (const WelkinAttribute *attribute)
{
  return (attribute->flags & WELKIN_ATTRIBUTE_MAY_BE_EMPTY) != 0;
}

static gboolean
is_choice (const WelkinAttribute *attribute,
           const char            *text)
{
  g_auto(GStrv) choices = NULL;

  if (attribute->choices == NULL)
    return TRUE;
  choices = g_strsplit (attribute->choices, " ", -1);
  return g_strv_contains ((const char * const *) choices, text);
}

static WelkinValue *
coerce_string (const WelkinAttribute *attribute,
               WelkinValue           *value,
               GError               **error)
{
  const char *text = welkin_value_get_text (value);

  if (text == NULL)
    return fail_kind (attribute, attribute->name, "string", value, error);
  if (*text == '\0')
    return may_be_empty (attribute) ? welkin_value_ref (value)
                                    : fail_empty (attribute, value, error);
  if (!is_choice (attribute, text))
    {
      g_autofree char *wanted = NULL;

      wanted = g_strdup_printf (_("one of %s"), attribute->choices);
      return fail_kind (attribute, attribute->name, wanted, value, error);
    }
  return welkin_value_ref (value);
}

static WelkinValue *
coerce_boolean (const WelkinAttribute *attribute,
                WelkinValue           *value,
                GError               **error)
{
  const char *text = welkin_value_get_text (value);
  gboolean is_true;

  if (text == NULL || !parse_boolean (text, &is_true))
    return fail_kind (attribute, attribute->name, "bool", value, error);
  return welkin_value_new_text (is_true ? "true" : "false", FALSE, welkin_value_get_origin (value));
}

static WelkinValue *
coerce_int (const WelkinAttribute *attribute,
            WelkinValue           *value,
            GError               **error)
{
  const char *text = welkin_value_get_text (value);
  g_autofree char *canonical = NULL;
  gint64 number;

  if (text == NULL || !parse_int (text, &number))
    return fail_kind (attribute, attribute->name, "number", value, error);
  if (number == 0 && !may_be_empty (attribute))
    return fail_empty (attribute, value, error);
  if (attribute->minimum < attribute->maximum &&
      (number < attribute->minimum || number > attribute->maximum))
    {
      g_autofree char *wanted = NULL;

      wanted = g_strdup_printf (_("number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT),
                                attribute->minimum, attribute->maximum);
      return fail_kind (attribute, attribute->name, wanted, value, error);
    }

  canonical = g_strdup_printf ("%" G_GINT64_FORMAT, number);
  return welkin_value_new_text (canonical, FALSE, welkin_value_get_origin (value));
}

static WelkinValue *
split_text (WelkinValue *value)
{
  g_autoptr(GPtrArray) items = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_value_unref);
  g_auto(GStrv) parts = g_strsplit (welkin_value_get_text (value), ",", -1);
  const char *origin = welkin_value_get_origin (value);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (*g_strstrip (parts[i]) != '\0')
        g_ptr_array_add (items, welkin_value_new_text (parts[i], TRUE, origin));
    }
  return welkin_value_new_list ((WelkinValue **) items->pdata, items->len, origin);
}

static WelkinValue *
coerce_strings (const WelkinAttribute *attribute,
                WelkinValue           *value,
                GError               **error)
{
  g_autoptr(WelkinValue) list = NULL;

  if (welkin_value_get_kind (value) == WELKIN_VALUE_TEXT)
    list = split_text (value);
  else if (welkin_value_get_kind (value) == WELKIN_VALUE_LIST)
    list = welkin_value_ref (value);
  else
    return fail_kind (attribute, attribute->name, "list", value, error);

  for (guint i = 0; i < welkin_value_get_length (list); i++)
    {
      WelkinValue *item = welkin_value_get_item (list, i);

      if (welkin_value_get_text (item) == NULL)
        return fail_kind (attribute, attribute->name, "list of strings", item, error);
    }
  if (welkin_value_get_length (list) == 0 && !may_be_empty (attribute))
    return fail_empty (attribute, value, error);
  return g_steal_pointer (&list);
}

static WelkinValue *
coerce_map (const WelkinAttribute *attribute,
            WelkinValue           *value,
            GError               **error)
{
  if (welkin_value_get_kind (value) != WELKIN_VALUE_MAP)
    return fail_kind (attribute, attribute->name, "map", value, error);

  for (guint i = 0; i < welkin_value_get_length (value); i++)
    {
      WelkinValue *item = welkin_value_get_item (value, i);
      g_autofree char *name = NULL;

      if (welkin_value_get_text (item) != NULL)
        continue;
      name = g_strdup_printf ("%s: %s", attribute->name, welkin_value_get_key (value, i));
      return fail_kind (attribute, name, "string", item, error);
    }
  if (welkin_value_get_length (value) == 0 && !may_be_empty (attribute))
    return fail_empty (attribute, value, error);
  return welkin_value_ref (value);
}

/* The default of an attribute in its canonical form: not checked, for the
 * table is ours. */
static WelkinValue *
make_default (const WelkinAttribute *attribute)
{
  g_autoptr(WelkinValue) text = NULL;

  if (attribute->default_value == NULL)
    return NULL;
  if (attribute->kind == WELKIN_ATTRIBUTE_MAP)
    return welkin_value_new_map (NULL, NULL, 0, NULL);

  text = welkin_value_new_text (attribute->default_value,
                                attribute->kind == WELKIN_ATTRIBUTE_STRING, NULL);
  return attribute->kind == WELKIN_ATTRIBUTE_STRINGS ? split_text (text) : g_steal_pointer (&text);
}

static WelkinValue *
coerce_value (const WelkinAttribute *attribute,
              WelkinValue           *value,
              GError               **error)
{
  switch (attribute->kind)
    {
    case WELKIN_ATTRIBUTE_STRING:
      return coerce_string (attribute, value, error);
    case WELKIN_ATTRIBUTE_BOOLEAN:
      return coerce_boolean (attribute, value, error);
    case WELKIN_ATTRIBUTE_INT:
      return coerce_int (attribute, value, error);
    case WELKIN_ATTRIBUTE_STRINGS:
      return coerce_strings (attribute, value, error);
    case WELKIN_ATTRIBUTE_MAP:
      return coerce_map (attribute, value, error);
    }
  g_assert_not_reached ();
}

static const char *
get_word_for_kind (WelkinAttributeKind kind)
{
  static const char * const words[] = { "string", "bool", "number", "list", "map" };

  return words[kind];
}

static void
fail_missing (const WelkinAttribute *attribute,
              WelkinConfig          *config,
              GError               **error)
{
  WelkinValue *unset = welkin_config_lookup (config, attribute->name);
  g_autoptr(WelkinValue) map = welkin_config_to_value (config);
  g_autofree char *message = NULL;

  message = g_strdup_printf (_("%s: expected %s, got nothing"), attribute->name,
                             get_word_for_kind (attribute->kind));
  set_error (error, welkin_value_get_origin (unset != NULL ? unset : map), message);
}

/* The value that an attribute has from now on; NULL without an error when it
 * stays absent. */
static gboolean
coerce_attribute (const WelkinAttribute *attribute,
                  WelkinConfig          *config,
                  gboolean               fill_defaults,
                  WelkinValue          **coerced,
                  GError               **error)
{
  *coerced = NULL;
  if (welkin_config_has (config, attribute->name))
    {
      *coerced = coerce_value (attribute, welkin_config_lookup (config, attribute->name), error);
      return *coerced != NULL;
    }
  if (fill_defaults)
    *coerced = make_default (attribute);
  if (*coerced == NULL && (attribute->flags & WELKIN_ATTRIBUTE_REQUIRED) != 0)
    {
      fail_missing (attribute, config, error);
      return FALSE;
    }
  return TRUE;
}

static gboolean
is_unset_or_empty (WelkinConfig *config,
                   const char   *key)
{
  WelkinValue *value = welkin_config_lookup (config, key);

  return value == NULL || welkin_value_get_kind (value) == WELKIN_VALUE_UNSET ||
         g_strcmp0 (welkin_value_get_text (value), "") == 0;
}

/* Two words for one thing must not say different things. */
static gboolean
check_alias (WelkinSchema          *self,
             const WelkinAttribute *alias,
             WelkinConfig          *config,
             GError               **error)
{
  const WelkinAttribute *attribute = welkin_schema_find (self, alias->alias_of);
  WelkinValue *value = welkin_config_lookup (config, alias->name);
  g_autoptr(WelkinValue) coerced = coerce_value (alias, value, error);
  g_autoptr(WelkinValue) other = NULL;
  g_autofree char *message = NULL;

  if (coerced == NULL)
    return FALSE;
  if (is_unset_or_empty (config, attribute->name))
    return TRUE;
  other = coerce_value (attribute, welkin_config_lookup (config, attribute->name), error);
  if (other == NULL)
    return FALSE;
  if (welkin_value_equal (coerced, other))
    return TRUE;
  message = g_strdup_printf (_("%s and %s differ: give one of them"), alias->name, attribute->name);
  set_error (error, welkin_value_get_origin (value), message);
  return FALSE;
}

/* So that whatever reads the config needs to know one word for each thing. */
static WelkinConfig *
fold_aliases (WelkinSchema *self,
              WelkinConfig *config,
              GError      **error)
{
  g_autoptr(WelkinConfig) folded = welkin_config_ref (config);

  for (gsize i = 0; i < self->n_attributes; i++)
    {
      const WelkinAttribute *alias = &self->attributes[i];
      WelkinValue *value = welkin_config_lookup (config, alias->name);
      g_autoptr(WelkinConfig) former = NULL;
      g_autoptr(WelkinConfig) with = NULL;

      if (alias->alias_of == NULL || value == NULL)
        continue;
      former = g_steal_pointer (&folded);
      if (is_unset_or_empty (config, alias->name))
        with = welkin_config_ref (former);
      else if (check_alias (self, alias, former, error))
        with = welkin_config_with (former, alias->alias_of, value);
      else
        return NULL;
      folded = welkin_config_without (with, alias->name);
    }
  return g_steal_pointer (&folded);
}

/**
 * welkin_schema_coerce:
 * @self: a schema
 * @config: what was written
 * @fill_defaults: whether attributes that are not set get their defaults
 * @error: return location for an error
 *
 * Makes a config in which each attribute of the schema is in its canonical
 * form.
 *
 * An attribute that is written but unset is as one that is absent, and what
 * stands under another word for an attribute moves there. Attributes that the
 * schema does not know are kept as they are. What does not fit is
 * %WELKIN_ERROR_INVALID_CONFIG: its text names the place and the key, and the
 * value unless it is a secret.
 *
 * Returns: (transfer full): a new config, or %NULL on error
 *
 * Since: 0.1
 */
WelkinConfig *
welkin_schema_coerce (WelkinSchema *self,
                      WelkinConfig *config,
                      gboolean      fill_defaults,
                      GError      **error)
{
  g_autoptr(WelkinConfig) result = NULL;
  g_autoptr(WelkinConfig) coerced = NULL;
  g_autoptr(WelkinValue) map = NULL;
  g_autoptr(GPtrArray) keys = g_ptr_array_new ();
  g_autoptr(GPtrArray) values = NULL;

  g_return_val_if_fail (self != NULL && config != NULL, NULL);

  result = fold_aliases (self, config, error);
  if (result == NULL)
    return NULL;
  values = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_value_unref);
  for (gsize i = 0; i < self->n_attributes; i++)
    {
      const WelkinAttribute *attribute = &self->attributes[i];
      g_autoptr(WelkinConfig) former = NULL;
      WelkinValue *value = NULL;

      if (!coerce_attribute (attribute, result, fill_defaults, &value, error))
        return NULL;
      if (value != NULL)
        {
          g_ptr_array_add (keys, (gpointer) attribute->name);
          g_ptr_array_add (values, value);
          continue;
        }
      former = g_steal_pointer (&result);
      result = welkin_config_without (former, attribute->name);
    }
  map = welkin_value_new_map ((const char *const *) keys->pdata, (WelkinValue **) values->pdata,
                              values->len, NULL);
  coerced = welkin_config_new_from_value (map);
  return welkin_config_with_all (result, coerced);
}

static WelkinValue *
dup_value_or_default (const WelkinAttribute *attribute,
                      WelkinConfig          *config)
{
  if (welkin_config_has (config, attribute->name))
    return welkin_value_ref (welkin_config_lookup (config, attribute->name));
  return make_default (attribute);
}

static char *
format_value (const WelkinAttribute *attribute,
              WelkinValue           *value)
{
  const char *text = value != NULL ? welkin_value_get_text (value) : NULL;
  GString *string;

  if (value == NULL)
    return g_strdup (_("nothing"));
  if (text != NULL)
    return g_strdup_printf (attribute->kind == WELKIN_ATTRIBUTE_STRING ? "\"%s\"" : "%s", text);

  string = g_string_new ("[");
  append_items (string, value);
  g_string_append_c (string, ']');
  return g_string_free (string, FALSE);
}

static void
fail_change (const WelkinAttribute *attribute,
             WelkinValue           *old_value,
             WelkinValue           *new_value,
             GError               **error)
{
  const char *origin = new_value != NULL ? welkin_value_get_origin (new_value) : NULL;
  g_autofree char *old_text = format_value (attribute, old_value);
  g_autofree char *new_text = format_value (attribute, new_value);
  g_autofree char *message = NULL;

  if ((attribute->flags & WELKIN_ATTRIBUTE_SECRET) != 0)
    message = g_strdup_printf (_("cannot change %s"), attribute->name);
  else
    message = g_strdup_printf (_("cannot change %s from %s to %s"), attribute->name, old_text,
                               new_text);
  set_error (error, origin, message);
}

/**
 * welkin_schema_check_change:
 * @self: a schema
 * @old_config: the config before, coerced
 * @new_config: the config after, coerced
 * @error: return location for an error
 *
 * Checks that no attribute has changed that must keep its value.
 *
 * An attribute that is absent counts as its default. A change is
 * %WELKIN_ERROR_INVALID_CONFIG.
 *
 * Returns: whether the change is allowed
 *
 * Since: 0.1
 */
gboolean
welkin_schema_check_change (WelkinSchema *self,
                            WelkinConfig *old_config,
                            WelkinConfig *new_config,
                            GError      **error)
{
  g_return_val_if_fail (self != NULL && old_config != NULL && new_config != NULL, FALSE);

  for (gsize i = 0; i < self->n_attributes; i++)
    {
      const WelkinAttribute *attribute = &self->attributes[i];
      g_autoptr(WelkinValue) old_value = NULL;
      g_autoptr(WelkinValue) new_value = NULL;

      if ((attribute->flags & WELKIN_ATTRIBUTE_IMMUTABLE) == 0)
        continue;
      old_value = dup_value_or_default (attribute, old_config);
      new_value = dup_value_or_default (attribute, new_config);
      if (old_value == NULL && new_value == NULL)
        continue;
      if (old_value != NULL && new_value != NULL && welkin_value_equal (old_value, new_value))
        continue;
      fail_change (attribute, old_value, new_value, error);
      return FALSE;
    }
  return TRUE;
}
