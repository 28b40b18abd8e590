/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <string.h>

#include "base/yaml.h"
#include "values/welkin-error.h"
#include "values/welkin-schema.h"

/*
 * What holds for every attribute of every schema, however its value is written in YAML: texts are
 * the text as written, truths have their spellings, what does not fit is told with its line, and
 * secrets are never told.
 */

#define CANARY "Canary"
#define N_RANDOM_TEXTS 8

/* What YAML 1.1 would make other things of. */
static const char *const scalar_texts[] = {
  "0123", "yes",  "no",    "on",        "1e5",      "42",  "-7", "3.14", "0x1F", "0b1", "1_000",
  "2001-01-01",   "12:30:45", "True", "FALSE", "t", "0",  "1",    ".inf", "NaN", "a b",
  "5.0",  "+1",   "1e999", "12345678901234567890", "=",  "nUll", "none",
};

/* KEY: WRITTEN on the third line, and what else must be there behind it. (transfer full) */
static inline WelkinConfig *
scalars_coerce (WelkinSchema *schema,
                const char   *key,
                const char   *written,
                GError      **error)
{
  g_autofree const char **names = welkin_schema_get_names (schema);
  g_autoptr(GString) text = g_string_new ("# two lines\n# of words\n");
  g_autoptr(WelkinValue) map = NULL;
  g_autoptr(WelkinConfig) config = NULL;

  g_string_append_printf (text, "%s: %s\n", key, written);
  for (gsize i = 0; names[i] != NULL; i++)
    {
      gboolean is_required =
        (welkin_schema_get_flags (schema, names[i]) & WELKIN_ATTRIBUTE_REQUIRED) != 0;

      if (is_required && !g_str_equal (names[i], key))
        g_string_append_printf (text, "%s: x\n", names[i]);
    }
  map = wk_yaml_parse (text->str, -1, "e.yaml", error);
  if (map == NULL)
    return NULL;
  config = welkin_config_new_from_value (map);
  return welkin_schema_coerce (schema, config, TRUE, error);
}

/* The name under which a coerced config has it. */
static inline const char *
scalars_name (WelkinSchema *schema,
              const char   *key)
{
  const char *name = welkin_schema_get_alias_of (schema, key);

  return name != NULL ? name : key;
}

static inline void
scalars_assert_text (WelkinSchema *schema,
                     const char   *key,
                     const char   *written,
                     const char   *text)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinConfig) config = scalars_coerce (schema, key, written, &error);
  const char *name = scalars_name (schema, key);

  g_test_message ("%s: %s", key, written);
  g_assert_no_error (error);
  g_assert_cmpstr (welkin_config_get_string (config, name), ==, text);
  if (*text != '\0')
    g_assert_cmpstr (welkin_value_get_origin (welkin_config_lookup (config, name)), ==, "e.yaml:3");
}

/* pattern: what stands behind the place */
static inline void
scalars_assert_refused (WelkinSchema *schema,
                        const char   *key,
                        const char   *written,
                        const char   *pattern)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinConfig) config = scalars_coerce (schema, key, written, &error);
  g_autofree char *whole = g_strconcat ("e.yaml:3: ", pattern, NULL);

  g_test_message ("%s: %s", key, written);
  g_assert_null (config);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG);
  g_test_message ("%s", error->message);
  g_assert_true (g_pattern_match_simple (whole, error->message));
  if ((welkin_schema_get_flags (schema, key) & WELKIN_ATTRIBUTE_SECRET) != 0)
    g_assert_null (strstr (error->message, CANARY));
}

/* null, ~ and nothing leave the attribute as if it were not there. */
static inline void
scalars_check_unset (WelkinSchema *schema,
                     const char   *key)
{
  static const char *const unset[] = { "null", "~", "", "Null", "NULL", "# a comment" };
  gboolean is_required =
    (welkin_schema_get_flags (schema, key) & WELKIN_ATTRIBUTE_REQUIRED) != 0;
  const char *name = scalars_name (schema, key);
  g_autofree char *missing = g_strdup_printf ("%s: expected *, got nothing", key);

  for (gsize i = 0; i < G_N_ELEMENTS (unset); i++)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(WelkinConfig) config = NULL;
      g_autoptr(WelkinConfig) without = NULL;

      if (is_required)
        {
          scalars_assert_refused (schema, key, unset[i], missing);
          continue;
        }
      config = scalars_coerce (schema, key, unset[i], &error);
      g_assert_no_error (error);
      without = scalars_coerce (schema, "future", "x", &error);
      g_assert_no_error (error);
      g_assert_cmpint (welkin_config_has (config, name), ==, welkin_config_has (without, name));
      g_assert_cmpstr (welkin_config_get_string (config, name), ==,
                       welkin_config_get_string (without, name));
    }
}

/* Lists and maps where one value is wanted. */
static inline void
scalars_check_collections (WelkinSchema *schema,
                           const char   *key,
                           const char   *wanted)
{
  static const char *const collections[][2] = {
    { "[" CANARY ", 2]", "list" }, { "{" CANARY ": 1}", "map" }, { "[]", "list" }, { "{}", "map" },
    { "\n- " CANARY, "list" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (collections); i++)
    {
      g_autofree char *pattern =
        g_strdup_printf ("%s: expected %s, got %s*", key, wanted, collections[i][1]);

      scalars_assert_refused (schema, key, collections[i][0], pattern);
    }
}

/* All ways to write one text. */
static inline void
scalars_assert_all_forms (WelkinSchema *schema,
                          const char   *key,
                          const char   *text)
{
  g_autofree char *escaped = g_strescape (text, NULL);
  g_autofree char *twice = g_strdup (text);
  g_auto(GStrv) parts = g_strsplit (text, "'", -1);
  g_autofree char *doubled = g_strjoinv ("''", parts);
  g_autofree char *single_quoted = g_strdup_printf ("'%s'", doubled);
  g_autofree char *double_quoted = g_strdup_printf ("\"%s\"", escaped);

  scalars_assert_text (schema, key, single_quoted, text);
  scalars_assert_text (schema, key, double_quoted, text);
}

static inline char *
scalars_make_random_text (void)
{
  static const char characters[] = "abzAZ019 %@`!&*#:?-{}[],>|\"'\\~=<.;$/_";
  char text[13] = "";

  for (guint i = 0; i + 1 < sizeof text; i++)
    text[i] = characters[g_test_rand_int_range (0, sizeof characters - 1)];
  return g_strdup (text);
}

static inline void
scalars_check_free_text (WelkinSchema *schema,
                         const char   *key)
{
  static const char *const only_quoted[] = { "null", "~", "a: b", "a #b", "%abc", "@abc", "it's",
                                             "a{b}c#d: e", " x ", "- a" };

  for (gsize i = 0; i < G_N_ELEMENTS (scalar_texts); i++)
    {
      scalars_assert_text (schema, key, scalar_texts[i], scalar_texts[i]);
      scalars_assert_all_forms (schema, key, scalar_texts[i]);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (only_quoted); i++)
    scalars_assert_all_forms (schema, key, only_quoted[i]);
  for (guint i = 0; i < N_RANDOM_TEXTS; i++)
    {
      g_autofree char *text = scalars_make_random_text ();

      scalars_assert_all_forms (schema, key, text);
    }
}

static inline void
scalars_check_string (WelkinSchema *schema,
                      const char   *key)
{
  WelkinAttributeFlags flags = welkin_schema_get_flags (schema, key);
  const char *choices = welkin_schema_get_choices (schema, key);
  g_auto(GStrv) words = g_strsplit (choices != NULL ? choices : "", " ", -1);
  g_autofree char *empty = g_strdup_printf ("empty %s in environment configuration", key);

  if (choices == NULL)
    scalars_check_free_text (schema, key);
  for (gsize i = 0; words[i] != NULL; i++)
    {
      scalars_assert_text (schema, key, words[i], words[i]);
      scalars_assert_all_forms (schema, key, words[i]);
    }
  if (choices != NULL)
    {
      g_autofree char *pattern = g_strdup_printf ("%s: expected one of %s, got *", key, choices);

      scalars_assert_refused (schema, key, CANARY, pattern);
      scalars_assert_refused (schema, key, "0123", pattern);
    }

  if ((flags & WELKIN_ATTRIBUTE_MAY_BE_EMPTY) == 0)
    scalars_assert_refused (schema, key, "''", empty);
  scalars_check_collections (schema, key, "string");
}

static inline void
scalars_check_boolean (WelkinSchema *schema,
                       const char   *key)
{
  static const char *const words[][2] = {
    { "true", "false" }, { "yes", "no" }, { "on", "off" }, { "t", "f" }, { "1", "0" },
  };
  static const char *const others[] = { "maybe", "2", "-1", "y", "n", "'tru'", "0x1", "1.0", "01",
                                        "''", "' true'", "enabled" };
  g_autofree char *pattern = g_strdup_printf ("%s: expected bool, got *", key);

  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    for (gsize j = 0; j < 2; j++)
      {
        const char *word = words[i][j];
        g_autofree char *upper = g_ascii_strup (word, -1);
        g_autofree char *title = g_strdup_printf ("%c%s", g_ascii_toupper (*word), word + 1);
        const char *text = j == 0 ? "true" : "false";

        scalars_assert_text (schema, key, word, text);
        scalars_assert_text (schema, key, upper, text);
        scalars_assert_text (schema, key, title, text);
        for (gsize k = 0; k < 3; k++)
          {
            const char *spellings[] = { word, upper, title };
            g_autofree char *single_quoted = g_strdup_printf ("'%s'", spellings[k]);
            g_autofree char *double_quoted = g_strdup_printf ("\"%s\"", spellings[k]);

            scalars_assert_text (schema, key, single_quoted, text);
            scalars_assert_text (schema, key, double_quoted, text);
          }
      }
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    scalars_assert_refused (schema, key, others[i], pattern);
  scalars_check_collections (schema, key, "bool");
}

static inline void
scalars_check_int (WelkinSchema *schema,
                   const char   *key)
{
  static const char *const good[][2] = {
    { "42", "42" },    { "'42'", "42" },  { "42.9", "42" }, { "0x2A", "42" },
    { "052", "42" },   { "4.2e1", "42" }, { "+42", "42" },  { "\"42.5\"", "42" },
  };
  static const char *const others[] = { "true", "yes", "many", "4 2", "1e", "''", "0x", "--1",
                                        "1e999", "nan" };
  g_autofree char *pattern = g_strdup_printf ("%s: expected number, got *", key);
  g_autofree char *empty = g_strdup_printf ("empty %s in environment configuration", key);
  g_autofree char *range = g_strdup_printf ("%s: expected number from *", key);

  for (gsize i = 0; i < G_N_ELEMENTS (good); i++)
    scalars_assert_text (schema, key, good[i][0], good[i][1]);
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    scalars_assert_refused (schema, key, others[i], pattern);
  if ((welkin_schema_get_flags (schema, key) & WELKIN_ATTRIBUTE_MAY_BE_EMPTY) == 0)
    scalars_assert_refused (schema, key, "0", empty);
  scalars_assert_refused (schema, key, "-1", range);
  scalars_assert_refused (schema, key, "99999999999", range);
  scalars_check_collections (schema, key, "number");
}

static inline void
scalars_check_map (WelkinSchema *schema,
                   const char   *key)
{
  static const char *const others[] = { "x", "42", "yes", "[a]", "''" };
  g_autofree char *pattern = g_strdup_printf ("%s: expected map, got *", key);
  g_autofree char *inner = g_strdup_printf ("%s: a: expected string, got list*", key);
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinConfig) config = scalars_coerce (schema, key, "{a: 0123, b: yes}", &error);

  g_assert_no_error (error);
  g_assert_cmpstr (welkin_config_get_entry (config, key, "a"), ==, "0123");
  g_assert_cmpstr (welkin_config_get_entry (config, key, "b"), ==, "yes");
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    scalars_assert_refused (schema, key, others[i], pattern);
  scalars_assert_refused (schema, key, "{a: [b]}", inner);
}

/* Each attribute of the schema with each kind of scalar. Returns how many there were. */
static inline guint
scalars_check_schema (WelkinSchema *schema)
{
  g_autofree const char **names = welkin_schema_get_names (schema);
  guint i;

  for (i = 0; names[i] != NULL; i++)
    {
      WelkinAttributeKind kind = welkin_schema_get_kind (schema, names[i]);

      scalars_check_unset (schema, names[i]);
      if (kind == WELKIN_ATTRIBUTE_STRING)
        scalars_check_string (schema, names[i]);
      else if (kind == WELKIN_ATTRIBUTE_BOOLEAN)
        scalars_check_boolean (schema, names[i]);
      else if (kind == WELKIN_ATTRIBUTE_INT)
        scalars_check_int (schema, names[i]);
      else
        {
          g_assert_cmpint (kind, ==, WELKIN_ATTRIBUTE_MAP);
          scalars_check_map (schema, names[i]);
        }
    }
  return i;
}
