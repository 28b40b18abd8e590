/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <welkin.h>

static const WelkinAttribute attributes[] = {
  { "name", WELKIN_ATTRIBUTE_STRING, NULL, WELKIN_ATTRIBUTE_REQUIRED | WELKIN_ATTRIBUTE_IMMUTABLE },
  { "development", WELKIN_ATTRIBUTE_BOOLEAN, "false", WELKIN_ATTRIBUTE_NONE },
  { "state-port", WELKIN_ATTRIBUTE_INT, "37017", WELKIN_ATTRIBUTE_IMMUTABLE, 1, 65535 },
  { "retries", WELKIN_ATTRIBUTE_INT, NULL, WELKIN_ATTRIBUTE_MAY_BE_EMPTY },
  { "mode", WELKIN_ATTRIBUTE_STRING, "instance", WELKIN_ATTRIBUTE_NONE, 0, 0,
    "instance global none" },
  { "region", WELKIN_ATTRIBUTE_STRING, "", WELKIN_ATTRIBUTE_MAY_BE_EMPTY },
  { "networks", WELKIN_ATTRIBUTE_STRINGS, "a,b", WELKIN_ATTRIBUTE_IMMUTABLE },
  { "image-ids", WELKIN_ATTRIBUTE_MAP, NULL, WELKIN_ATTRIBUTE_MAY_BE_EMPTY },
  { "password", WELKIN_ATTRIBUTE_STRING, NULL,
    WELKIN_ATTRIBUTE_SECRET | WELKIN_ATTRIBUTE_IMMUTABLE, 0, 0, NULL, "how to log in" },
  { "pin", WELKIN_ATTRIBUTE_INT, NULL, WELKIN_ATTRIBUTE_SECRET, 1, 9999 },
  { "area", WELKIN_ATTRIBUTE_STRING, NULL, WELKIN_ATTRIBUTE_MAY_BE_EMPTY, .alias_of = "region" },
  { "passphrase", WELKIN_ATTRIBUTE_STRING, NULL, WELKIN_ATTRIBUTE_SECRET, .alias_of = "password" },
};

static WelkinSchema *
make_schema (void)
{
  return welkin_schema_new (attributes, G_N_ELEMENTS (attributes));
}

/* A config with a name and one more attribute. */
static WelkinConfig *
make_config (const char  *key,
             WelkinValue *value)
{
  g_autoptr(WelkinConfig) empty = welkin_config_new ();
  g_autoptr(WelkinConfig) named = welkin_config_with_text (empty, "name", "e", NULL);

  return value != NULL ? welkin_config_with (named, key, value) : g_steal_pointer (&named);
}

static WelkinConfig *
make_text_config (const char *key,
                  const char *text,
                  gboolean    is_quoted)
{
  g_autoptr(WelkinValue) value = welkin_value_new_text (text, is_quoted, "a.yaml:7");

  return make_config (key, value);
}

static void
assert_coerces (const char *key,
                const char *text,
                const char *expected)
{
  g_autoptr(WelkinSchema) schema = make_schema ();
  g_autoptr(WelkinConfig) config = make_text_config (key, text, FALSE);
  g_autoptr(WelkinConfig) result = NULL;
  g_autoptr(GError) error = NULL;

  result = welkin_schema_coerce (schema, config, FALSE, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (welkin_config_get_string (result, key), ==, expected);
  g_assert_cmpstr (welkin_value_get_origin (welkin_config_lookup (result, key)), ==, "a.yaml:7");
}

static void
assert_config_refused (WelkinConfig *config,
                       const char   *expected)
{
  g_autoptr(WelkinSchema) schema = make_schema ();
  g_autoptr(WelkinConfig) result = NULL;
  g_autoptr(GError) error = NULL;

  result = welkin_schema_coerce (schema, config, TRUE, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG);
  g_assert_cmpstr (error->message, ==, expected);
  g_assert_null (result);
}

static void
assert_refused (const char *key,
                const char *text,
                const char *expected)
{
  g_autoptr(WelkinConfig) config = make_text_config (key, text, FALSE);

  assert_config_refused (config, expected);
}

static void
assert_value_refused (const char  *key,
                      WelkinValue *value,
                      const char  *expected)
{
  g_autoptr(WelkinConfig) config = make_config (key, value);

  assert_config_refused (config, expected);
}

static void
test_strings_are_the_text_as_written (void)
{
  const char *texts[] = { "0123", "yes", "1e5", "42", " x ", "null" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    assert_coerces ("password", texts[i], texts[i]);
}

static void
test_booleans_have_many_spellings (void)
{
  const char *yes[] = { "true", "True", "YES", "on", "t", "T", "1" };
  const char *no[] = { "false", "FALSE", "no", "Off", "f", "F", "0" };

  for (guint i = 0; i < G_N_ELEMENTS (yes); i++)
    assert_coerces ("development", yes[i], "true");
  for (guint i = 0; i < G_N_ELEMENTS (no); i++)
    assert_coerces ("development", no[i], "false");
}

static void
test_numbers_become_decimal (void)
{
  assert_coerces ("state-port", "42", "42");
  assert_coerces ("state-port", "0x1F", "31");
  assert_coerces ("state-port", "010", "8");
  assert_coerces ("state-port", "09", "9");
  assert_coerces ("state-port", "7.9", "7");
  assert_coerces ("state-port", "1e3", "1000");
  assert_coerces ("retries", "-7.9", "-7");
  assert_coerces ("retries", "0", "0");
  assert_coerces ("retries", "9223372036854775807", "9223372036854775807");
}

static void
test_what_does_not_fit_is_named_with_its_place (void)
{
  g_autoptr(WelkinConfig) quoted = make_text_config ("development", "7", TRUE);

  assert_refused ("development", "invalid",
                  "a.yaml:7: development: expected bool, got string(\"invalid\")");
  assert_refused ("development", "7", "a.yaml:7: development: expected bool, got int(7)");
  assert_config_refused (quoted, "a.yaml:7: development: expected bool, got string(\"7\")");
  assert_refused ("state-port", "illegal",
                  "a.yaml:7: state-port: expected number, got string(\"illegal\")");
  assert_refused ("state-port", "true", "a.yaml:7: state-port: expected number, got bool(true)");
  assert_refused ("state-port", "1e30",
                  "a.yaml:7: state-port: expected number, got string(\"1e30\")");
  assert_refused ("state-port", "nan",
                  "a.yaml:7: state-port: expected number, got string(\"nan\")");
  assert_refused ("state-port", "70000",
                  "a.yaml:7: state-port: expected number from 1 to 65535, got int(70000)");
  assert_refused ("mode", "loose",
                  "a.yaml:7: mode: expected one of instance global none, got string(\"loose\")");
}

static void
test_empty_values_need_permission (void)
{
  assert_refused ("mode", "", "a.yaml:7: empty mode in environment configuration");
  assert_refused ("state-port", "0", "a.yaml:7: empty state-port in environment configuration");
  assert_refused ("networks", " ,", "a.yaml:7: empty networks in environment configuration");
  assert_coerces ("region", "", "");
}

static void
test_required_attributes_must_be_set (void)
{
  g_autoptr(WelkinConfig) empty = welkin_config_new ();
  g_autoptr(WelkinValue) map = welkin_value_new_map (NULL, NULL, 0, "a.yaml:3");
  g_autoptr(WelkinConfig) written = welkin_config_new_from_value (map);
  g_autoptr(WelkinValue) unset = welkin_value_new_unset ("a.yaml:4");
  g_autoptr(WelkinConfig) nothing = welkin_config_with (empty, "name", unset);

  assert_config_refused (empty, "name: expected string, got nothing");
  assert_config_refused (written, "a.yaml:3: name: expected string, got nothing");
  assert_config_refused (nothing, "a.yaml:4: name: expected string, got nothing");
}

static void
test_secrets_are_never_shown (void)
{
  g_autoptr(WelkinValue) word = welkin_value_new_text ("hidden", FALSE, NULL);
  g_autoptr(WelkinValue) list = welkin_value_new_list (&word, 1, "a.yaml:7");

  assert_value_refused ("password", list, "a.yaml:7: password: expected string, got list");
  assert_refused ("pin", "hidden", "a.yaml:7: pin: expected number, got string");
  assert_refused ("pin", "12345", "a.yaml:7: pin: expected number from 1 to 9999, got int");
}

static void
test_lists_hold_texts (void)
{
  g_autoptr(WelkinSchema) schema = make_schema ();
  g_autoptr(WelkinConfig) config = make_text_config ("networks", "a, b", FALSE);
  g_autoptr(WelkinConfig) result = welkin_schema_coerce (schema, config, FALSE, NULL);
  g_autoptr(WelkinValue) word = welkin_value_new_text ("a", FALSE, NULL);
  g_autoptr(WelkinValue) inner = welkin_value_new_list (&word, 1, "a.yaml:8");
  g_autoptr(WelkinValue) outer = welkin_value_new_list (&inner, 1, "a.yaml:7");
  WelkinValue *networks = welkin_config_lookup (result, "networks");

  g_assert_cmpint (welkin_value_get_kind (networks), ==, WELKIN_VALUE_LIST);
  g_assert_cmpuint (welkin_value_get_length (networks), ==, 2);
  assert_value_refused ("networks", outer,
                        "a.yaml:8: networks: expected list of strings, got list(a)");
}

static void
test_maps_hold_texts (void)
{
  const char *keys[] = { "noble" };
  g_autoptr(WelkinValue) word = welkin_value_new_text ("a", FALSE, NULL);
  g_autoptr(WelkinValue) list = welkin_value_new_list (&word, 1, "a.yaml:8");
  g_autoptr(WelkinValue) map = welkin_value_new_map (keys, &list, 1, "a.yaml:7");

  assert_value_refused ("image-ids", map,
                        "a.yaml:8: image-ids: noble: expected string, got list(a)");
  assert_value_refused ("image-ids", list, "a.yaml:8: image-ids: expected map, got list(a)");
  assert_value_refused ("mode", map, "a.yaml:7: mode: expected string, got map(noble)");
  assert_refused ("image-ids", "x", "a.yaml:7: image-ids: expected map, got string(\"x\")");
}

static void
test_defaults_are_filled_in_when_asked_for (void)
{
  g_autoptr(WelkinSchema) schema = make_schema ();
  g_autoptr(WelkinValue) unset = welkin_value_new_unset ("a.yaml:7");
  g_autoptr(WelkinConfig) config = make_config ("development", unset);
  g_autoptr(WelkinConfig) with = welkin_schema_coerce (schema, config, TRUE, NULL);
  g_autoptr(WelkinConfig) without = welkin_schema_coerce (schema, config, FALSE, NULL);
  g_auto(GStrv) networks = welkin_config_get_strings (with, "networks");
  const char *expected[] = { "a", "b", NULL };

  g_assert_cmpstr (welkin_config_get_string (with, "development"), ==, "false");
  g_assert_cmpint (welkin_config_get_int (with, "state-port"), ==, 37017);
  g_assert_true (welkin_config_has (with, "region"));
  g_assert_cmpstrv (networks, expected);
  g_assert_false (welkin_config_has (with, "password"));

  g_assert_null (welkin_config_lookup (without, "development"));
  g_assert_false (welkin_config_has (without, "state-port"));
}

static void
test_unknown_attributes_are_kept (void)
{
  assert_coerces ("colour", "yes", "yes");
}

static void
assert_change (const char *key,
               const char *old_text,
               const char *new_text,
               const char *expected)
{
  g_autoptr(WelkinSchema) schema = make_schema ();
  g_autoptr(WelkinConfig) base = make_config (NULL, NULL);
  g_autoptr(WelkinConfig) old_written = NULL;
  g_autoptr(WelkinConfig) new_written = NULL;
  g_autoptr(WelkinConfig) old_config = NULL;
  g_autoptr(WelkinConfig) new_config = NULL;
  g_autoptr(GError) error = NULL;

  old_written = old_text != NULL ? make_text_config (key, old_text, FALSE)
                                 : welkin_config_ref (base);
  new_written = new_text != NULL ? make_text_config (key, new_text, FALSE)
                                 : welkin_config_ref (base);
  old_config = welkin_schema_coerce (schema, old_written, FALSE, NULL);
  new_config = welkin_schema_coerce (schema, new_written, FALSE, NULL);

  if (expected == NULL)
    {
      g_assert_true (welkin_schema_check_change (schema, old_config, new_config, &error));
      g_assert_no_error (error);
      return;
    }
  g_assert_false (welkin_schema_check_change (schema, old_config, new_config, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG);
  g_assert_cmpstr (error->message, ==, expected);
}

static void
test_immutable_attributes_keep_their_value (void)
{
  assert_change ("state-port", "37017", "42",
                 "a.yaml:7: cannot change state-port from 37017 to 42");
  assert_change ("state-port", NULL, "42", "a.yaml:7: cannot change state-port from 37017 to 42");
  assert_change ("state-port", NULL, "37017", NULL);
  assert_change ("state-port", "0x2A", "42", NULL);
  assert_change ("name", "a", "b", "a.yaml:7: cannot change name from \"a\" to \"b\"");
  assert_change ("networks", "a,b", NULL, NULL);
  assert_change ("networks", "a", NULL, "cannot change networks from [a] to [a, b]");
  assert_change ("password", "old", "new", "a.yaml:7: cannot change password");
  assert_change ("password", "old", NULL, "cannot change password");
  assert_change ("region", "a", "b", NULL);
}

/* Two attributes; what becomes of region, or why nothing does. */
static char *
fold (const char  *key,
      const char  *text,
      const char  *other_key,
      const char  *other_text,
      GError     **error)
{
  g_autoptr(WelkinSchema) schema = make_schema ();
  g_autoptr(WelkinConfig) config = make_text_config (key, text, TRUE);
  g_autoptr(WelkinConfig) both = welkin_config_with_text (config, other_key, other_text,
                                                          "a.yaml:8");
  g_autoptr(WelkinConfig) result = welkin_schema_coerce (schema, both, TRUE, error);

  if (result == NULL)
    return NULL;
  g_assert_null (welkin_config_lookup (result, "area"));
  return g_strdup_printf ("%s (%s)", welkin_config_get_string (result, "region"),
                          welkin_value_get_origin (welkin_config_lookup (result, "region")));
}

static void
test_other_words_move_to_their_attribute (void)
{
  static const struct
  {
    const char *key;
    const char *text;
    const char *other_key;
    const char *other_text;
    const char *region; /* NULL: refused */
    const char *message;
  } cases[] = {
    { "area", "north", "x", "y", "north (a.yaml:7)" },
    { "area", "north", "region", "", "north (a.yaml:7)" },
    { "area", "north", "region", "north", "north (a.yaml:7)" },
    { "area", "", "region", "north", "north (a.yaml:8)" },
    { "area", "south", "region", "north", NULL,
      "a.yaml:7: area and region differ: give one of them" },
    { "passphrase", "hush", "password", "still", NULL,
      "a.yaml:7: passphrase and password differ: give one of them" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GError) error = NULL;
      g_autofree char *region = fold (cases[i].key, cases[i].text, cases[i].other_key,
                                      cases[i].other_text, &error);

      g_assert_cmpstr (region, ==, cases[i].region);
      g_assert_cmpstr (error != NULL ? error->message : NULL, ==, cases[i].message);
    }
}

static void
assert_shown (const char *key,
              const char *text,
              const char *expected)
{
  static const WelkinAttribute theirs[] = {
    { "auth-url", WELKIN_ATTRIBUTE_STRING },
    { "http-proxy", WELKIN_ATTRIBUTE_STRING },
    { "trust", WELKIN_ATTRIBUTE_STRING, NULL, WELKIN_ATTRIBUTE_SECRET },
    { "user", WELKIN_ATTRIBUTE_STRING, NULL, WELKIN_ATTRIBUTE_IDENTITY },
  };
  g_autoptr(WelkinSchema) schema = make_schema ();
  g_autoptr(WelkinSchema) provider = welkin_schema_new (theirs, G_N_ELEMENTS (theirs));
  g_autoptr(WelkinConfig) config = make_text_config (key, text, TRUE);
  g_autoptr(WelkinConfig) masked = welkin_schema_mask (schema, provider, config);
  WelkinValue *value = welkin_config_lookup (masked, key);

  g_assert_cmpstr (welkin_config_get_string (masked, "name"), ==, "e");
  g_assert_cmpstr (welkin_value_get_text (value), ==, expected);
  g_assert_cmpstr (welkin_value_get_origin (value), ==, "a.yaml:7");
}

static void
test_what_is_shown_has_no_secrets (void)
{
  g_autoptr(WelkinSchema) schema = make_schema ();
  g_autoptr(WelkinConfig) config = make_text_config ("user", "ada", TRUE);
  g_autoptr(WelkinConfig) masked = welkin_schema_mask (schema, NULL, config);

  assert_shown ("password", "hush", "********");
  assert_shown ("pin", "1234", "********");
  assert_shown ("trust", "hush", "********");
  assert_shown ("region", "north", "north");
  assert_shown ("user", "ada", "ada");
  /* Of the provider, nobody knows. */
  g_assert_cmpstr (welkin_config_get_string (masked, "user"), ==, "********");
  /* That there is none is no secret. */
  assert_shown ("password", "", "");
  g_assert_false (welkin_config_has (masked, "pin"));
}

static void
test_a_misspelt_secret_is_one (void)
{
  g_autoptr(WelkinSchema) schema = make_schema ();
  g_autoptr(WelkinValue) hush = welkin_value_new_text ("hush", FALSE, NULL);
  g_autoptr(WelkinValue) list = welkin_value_new_list (&hush, 1, NULL);
  g_autoptr(WelkinValue) unset = welkin_value_new_unset (NULL);
  g_autoptr(WelkinConfig) listed = make_config ("pw", list);
  g_autoptr(WelkinConfig) config = welkin_config_with (listed, "tokn", unset);
  g_autoptr(WelkinConfig) masked = welkin_schema_mask (schema, NULL, config);

  assert_shown ("passwrd", "hush", "********");
  assert_shown ("passwrd", "", "");
  g_assert_cmpstr (welkin_config_get_string (masked, "pw"), ==, "********");
  g_assert_cmpint (welkin_value_get_kind (welkin_config_lookup (masked, "tokn")), ==,
                   WELKIN_VALUE_UNSET);
}

static void
test_urls_are_shown_without_passwords (void)
{
  const char *key = "k";
  g_autoptr(WelkinSchema) schema = make_schema ();
  g_autoptr(WelkinValue) url = welkin_value_new_text ("http://u:hush@h/", FALSE, "a.yaml:8");
  g_autoptr(WelkinValue) list = welkin_value_new_list (&url, 1, "a.yaml:7");
  g_autoptr(WelkinValue) map = welkin_value_new_map (&key, &url, 1, "a.yaml:7");
  g_autoptr(WelkinConfig) listed = make_config ("networks", list);
  g_autoptr(WelkinConfig) config = welkin_config_with (listed, "image-ids", map);
  g_autoptr(WelkinConfig) masked = welkin_schema_mask (schema, NULL, config);
  WelkinValue *shown = welkin_config_lookup (masked, "networks");

  assert_shown ("auth-url", "http://h/v3?token=hush", "http://h/v3?token=***");
  assert_shown ("http-proxy", "http://u:hush@h:3128", "http://***@h:3128");
  assert_shown ("http-proxy", "u:hush@h:3128", "***@h:3128");
  assert_shown ("http-proxy", "http://u:a'#/\"b@h:3128", "http://***@h:3128");
  assert_shown ("http-proxy", "u://a@h:3128", "u://***@h:3128");
  assert_shown ("http-proxy", "u:a@h://b", "***@h://b");
  assert_shown ("http-proxy", "h:3128", "h:3128");
  assert_shown ("region", "u@h", "u@h");
  g_assert_cmpstr (welkin_value_get_text (welkin_value_get_item (shown, 0)), ==, "http://***@h/");
  shown = welkin_config_lookup (masked, "image-ids");
  g_assert_cmpstr (welkin_value_get_text (welkin_value_lookup (shown, "k")), ==, "http://***@h/");
  g_assert_cmpstr (welkin_value_get_origin (welkin_value_lookup (shown, "k")), ==, "a.yaml:8");
}

static void
test_another_word_has_the_kind_of_its_own (void)
{
  g_autoptr(WelkinValue) list = welkin_value_new_list (NULL, 0, "a.yaml:9");
  g_autoptr(WelkinValue) unset = welkin_value_new_unset ("a.yaml:9");
  g_autoptr(WelkinConfig) config = make_config ("area", unset);
  g_autoptr(WelkinConfig) listed = make_config ("region", list);
  g_autoptr(WelkinConfig) both = welkin_config_with_text (listed, "area", "north", NULL);
  g_autoptr(WelkinSchema) schema = make_schema ();
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinConfig) result = welkin_schema_coerce (schema, config, TRUE, &error);

  assert_value_refused ("area", list, "a.yaml:9: area: expected string, got list()");
  assert_config_refused (both, "a.yaml:9: region: expected string, got list()");
  g_assert_no_error (error);
  g_assert_null (welkin_config_lookup (result, "area"));
  g_assert_cmpstr (welkin_config_get_string (result, "region"), ==, "");
}

static void
test_attributes_can_be_asked_about (void)
{
  g_autoptr(WelkinSchema) schema = make_schema ();
  g_autofree const char **names = welkin_schema_get_names (schema);

  g_assert_cmpuint (g_strv_length ((char **) names), ==, G_N_ELEMENTS (attributes));
  g_assert_cmpstr (names[1], ==, "development");
  g_assert_true (welkin_schema_has (schema, "password"));
  g_assert_false (welkin_schema_has (schema, "colour"));
  g_assert_cmpint (welkin_schema_get_kind (schema, "state-port"), ==, WELKIN_ATTRIBUTE_INT);
  g_assert_cmpint (welkin_schema_get_flags (schema, "pin"), ==, WELKIN_ATTRIBUTE_SECRET);
  g_assert_cmpint (welkin_schema_get_flags (schema, "colour"), ==, WELKIN_ATTRIBUTE_NONE);
  g_assert_cmpstr (welkin_schema_get_default (schema, "mode"), ==, "instance");
  g_assert_null (welkin_schema_get_default (schema, "password"));
  g_assert_cmpstr (welkin_schema_get_description (schema, "password"), ==, "how to log in");
  g_assert_cmpstr (welkin_schema_get_alias_of (schema, "area"), ==, "region");
  g_assert_null (welkin_schema_get_alias_of (schema, "region"));
  g_assert_null (welkin_schema_get_alias_of (schema, "colour"));
  g_assert_cmpstr (welkin_schema_get_choices (schema, "mode"), ==, "instance global none");
  g_assert_null (welkin_schema_get_choices (schema, "region"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/schema/strings-are-the-text-as-written", test_strings_are_the_text_as_written);
  g_test_add_func ("/schema/booleans-have-many-spellings", test_booleans_have_many_spellings);
  g_test_add_func ("/schema/numbers-become-decimal", test_numbers_become_decimal);
  g_test_add_func ("/schema/what-does-not-fit-is-named-with-its-place",
                   test_what_does_not_fit_is_named_with_its_place);
  g_test_add_func ("/schema/empty-values-need-permission", test_empty_values_need_permission);
  g_test_add_func ("/schema/required-attributes-must-be-set", test_required_attributes_must_be_set);
  g_test_add_func ("/schema/secrets-are-never-shown", test_secrets_are_never_shown);
  g_test_add_func ("/schema/lists-hold-texts", test_lists_hold_texts);
  g_test_add_func ("/schema/maps-hold-texts", test_maps_hold_texts);
  g_test_add_func ("/schema/defaults-are-filled-in-when-asked-for",
                   test_defaults_are_filled_in_when_asked_for);
  g_test_add_func ("/schema/unknown-attributes-are-kept", test_unknown_attributes_are_kept);
  g_test_add_func ("/schema/immutable-attributes-keep-their-value",
                   test_immutable_attributes_keep_their_value);
  g_test_add_func ("/schema/other-words-move-to-their-attribute",
                   test_other_words_move_to_their_attribute);
  g_test_add_func ("/schema/what-is-shown-has-no-secrets", test_what_is_shown_has_no_secrets);
  g_test_add_func ("/schema/a-misspelt-secret-is-one", test_a_misspelt_secret_is_one);
  g_test_add_func ("/schema/urls-are-shown-without-passwords",
                   test_urls_are_shown_without_passwords);
  g_test_add_func ("/schema/another-word-has-the-kind-of-its-own",
                   test_another_word_has_the_kind_of_its_own);
  g_test_add_func ("/schema/attributes-can-be-asked-about", test_attributes_can_be_asked_about);
  return g_test_run ();
}
