/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <string.h>
#include <unistd.h>
#include <welkin.h>

#include "home.h"
#include "result.h"

#define FILE_NAME ".config/welkin/environments.yaml"
#define INFO_NAME ".local/share/welkin/environments/e1.yaml"
#define KEYS "authorized-keys: ssh-rsa AAAA x"

#define GOOD \
  "environments:\n" \
  "  e1:\n" \
  "    type: dummy\n" \
  "    " KEYS "\n"

static WelkinEnvironments *
make_environments (Home *home)
{
  g_autofree char *directory = g_test_build_filename (G_TEST_BUILT, "plugins", "dummy", NULL);
  const char *const directories[] = { directory, NULL };
  g_autoptr(WelkinRegistry) registry = welkin_registry_new (directories);

  return welkin_environments_new (registry, home->surroundings);
}

static void
expect_warning (const char *pattern)
{
  g_test_expect_message ("welkin", G_LOG_LEVEL_WARNING, pattern);
}

/* pattern: with * for what differs */
static void
assert_message (GError     *error,
                const char *pattern)
{
  g_assert_nonnull (error);
  g_test_message ("%s", error->message);
  g_assert_true (g_pattern_match_simple (pattern, error->message));
}

static WelkinEnviron *
prepare (WelkinEnvironments *environments,
         gboolean           *is_new,
         GError            **error)
{
  g_autoptr(GAsyncResult) result = NULL;

  welkin_environments_prepare_async (environments, "e1", WELKIN_PREPARE_NONE, NULL,
                                     result_cb, &result);
  return welkin_environments_prepare_finish (environments, result_wait (&result), is_new, error);
}

static void
test_names (void)
{
  const struct
  {
    const char *text;
    const char *names;
  } vectors[] = {
    { "", "" },
    { "default:\nenvironments:\n", "" },
    { "other: [1]\nenvironments: {}\n", "" },
    { "environments: {b: {type: x}, a: , c: [bad]}\n", "a b c" },
    { "environments:\r\n  a:\r\n    type: x\r\n", "a" },
  };
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinEnvironments) environments = make_environments (home);

  expect_warning ("*environments.yaml:1: unknown key \"other\"");
  for (gsize i = 0; i < G_N_ELEMENTS (vectors); i++)
    {
      g_autoptr(GError) error = NULL;
      g_auto(GStrv) names = NULL;
      g_autofree char *joined = NULL;

      home_write (home, FILE_NAME, vectors[i].text);
      names = welkin_environments_list_names (environments, &error);
      g_assert_no_error (error);
      joined = g_strjoinv (" ", names);
      g_assert_cmpstr (joined, ==, vectors[i].names);
    }
  g_test_assert_expected_messages ();
}

static void
test_bad_files (void)
{
  const struct
  {
    const char *text;
    const char *message;
  } vectors[] = {
    { "environments: [\n", ":2: cannot parse: *" },
    { "just text\n", ":1: cannot parse: expected a mapping" },
    { "environments: text\n", ":1: environments: expected a mapping *" },
    { "default: [a]\nenvironments: {a: }\n", ":1: default: expected the name *" },
    { "environments: {a: }\ndefault: b\n", ":2: default environment \"b\" does not exist" },
    { "default: b\n", ":1: default environment \"b\" does not exist" },
    { "environments:\n\ta: b\n", ":2: cannot parse: there is a tab *" },
    { "environments:\n  a: {type: x}\n  a: {type: y}\n",
      ":3: cannot parse: duplicate key \"a\", which is also on line 2" },
  };
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinEnvironments) environments = make_environments (home);
  g_autofree char *path = home_get_path (home, FILE_NAME);

  for (gsize i = 0; i < G_N_ELEMENTS (vectors); i++)
    {
      g_autoptr(GError) error = NULL;
      g_autofree char *pattern = g_strconcat (path, vectors[i].message, NULL);

      home_write (home, FILE_NAME, vectors[i].text);
      g_assert_null (welkin_environments_list_names (environments, &error));
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG);
      assert_message (error, pattern);
    }
}

static void
test_no_file (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinEnvironments) environments = make_environments (home);
  g_autofree char *path = home_get_path (home, FILE_NAME);
  g_autoptr(GError) error = NULL;

  g_assert_null (welkin_environments_list_names (environments, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NO_ENVIRONS_FILE);
  g_assert_nonnull (strstr (error->message, path));
  g_assert_nonnull (strstr (error->message, "welkin init"));
}

static void
test_permissions (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinEnvironments) environments = make_environments (home);
  g_autofree char *path = home_get_path (home, FILE_NAME);
  g_auto(GStrv) names = NULL;
  g_auto(GStrv) again = NULL;

  home_write (home, FILE_NAME, GOOD);
  g_assert_cmpint (g_chmod (path, 0640), ==, 0);
  expect_warning ("*environments.yaml: its permissions (0640) let others *");
  names = welkin_environments_list_names (environments, NULL);
  g_test_assert_expected_messages ();
  g_assert_nonnull (names);

  /* Said once. */
  again = welkin_environments_list_names (environments, NULL);
  g_assert_nonnull (again);
}

static void
test_choose (void)
{
  const struct
  {
    const char *wanted;
    const char *variable;
    const char *current;
    const char *text;
    const char *chosen;
  } vectors[] = {
    { "w", "WELKIN_ENV=v", "c\n", "default: d\nenvironments: {d: , e: }\n", "w" },
    { NULL, "WELKIN_ENV=v", "c\n", "default: d\nenvironments: {d: , e: }\n", "v" },
    { "", "WELKIN_ENV=", " c \n\n", "default: d\nenvironments: {d: , e: }\n", "c" },
    { NULL, NULL, " \n", "default: d\nenvironments: {d: , e: }\n", "d" },
    { NULL, NULL, NULL, "environments: {e: }\n", "e" },
    { NULL, NULL, NULL, "default: ''\nenvironments: {e: }\n", "e" },
    { NULL, NULL, NULL, "environments: {d: , e: }\n", NULL },
    { NULL, NULL, NULL, "", NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (vectors); i++)
    {
      g_autoptr(Home) home = home_new (vectors[i].variable);
      g_autoptr(WelkinEnvironments) environments = make_environments (home);
      g_autoptr(GError) error = NULL;
      g_autofree char *chosen = NULL;
      g_autofree char *current = NULL;

      home_write (home, FILE_NAME, vectors[i].text);
      if (vectors[i].current != NULL)
        home_write (home, ".config/welkin/current-environment", vectors[i].current);
      chosen = welkin_environments_choose (environments, vectors[i].wanted, &error);
      g_assert_cmpstr (chosen, ==, vectors[i].chosen);
      if (chosen == NULL)
        assert_message (error, "no default environment found*environments.yaml*");

      current = welkin_environments_get_current (environments);
      if (vectors[i].wanted == NULL)
        g_assert_cmpstr (current, ==, vectors[i].chosen);
    }
}

static void
test_set_current (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinEnvironments) environments = make_environments (home);
  g_autofree char *text = NULL;
  g_autofree char *current = NULL;
  g_autoptr(GError) error = NULL;

  g_assert_null (welkin_environments_get_current (environments));
  home_write (home, FILE_NAME, "environments: {a: , b: }\n");
  welkin_environments_set_current (environments, "b", &error);
  g_assert_no_error (error);
  text = home_read (home, ".config/welkin/current-environment");
  g_assert_cmpstr (text, ==, "b\n");
  current = welkin_environments_get_current (environments);
  g_assert_cmpstr (current, ==, "b");

  g_assert_false (welkin_environments_set_current (environments, "c", &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  assert_message (error, "\"c\" is not a name of an existing defined environment*");
}

static void
test_boilerplate (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinEnvironments) environments = make_environments (home);
  g_autofree char *text = NULL;
  g_autofree char *path = NULL;
  g_autoptr(WelkinConfig) config = NULL;
  g_autoptr(GError) error = NULL;

  text = welkin_environments_make_boilerplate (environments, &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (text, "# "));
  g_assert_nonnull (strstr (text, "\ndefault: dummy\n\nenvironments:\n    dummy:\n"
                                  "      type: dummy\n"));
  g_assert_nonnull (strstr (text, "\n      # machines: 3\n"));

  path = welkin_environments_write (environments, text, FALSE, &error);
  g_assert_no_error (error);
  config = welkin_environments_load_config (environments, "dummy", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (strlen (welkin_config_get_string (config, "secret")), ==, 32);
}

static void
test_no_provider (void)
{
  g_autoptr(Home) home = home_new (NULL);
  const char *const directories[] = { home->path, NULL };
  g_autoptr(WelkinRegistry) registry = welkin_registry_new (directories);
  g_autoptr(WelkinEnvironments) environments = NULL;
  g_autoptr(GError) error = NULL;

  environments = welkin_environments_new (registry, home->surroundings);
  g_assert_null (welkin_environments_make_boilerplate (environments, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
}

static void
test_write (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinEnvironments) environments = make_environments (home);
  g_autofree char *wanted_path = home_get_path (home, FILE_NAME);
  g_autofree char *first_path = NULL;
  g_autofree char *second_path = NULL;
  g_autofree char *text = NULL;
  g_autoptr(GError) error = NULL;

  first_path = welkin_environments_write (environments, "environments: {a: }\n", FALSE, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (first_path, ==, wanted_path);
  g_assert_cmphex (home_get_mode (home, FILE_NAME), ==, 0600);
  g_assert_cmphex (home_get_mode (home, ".config/welkin"), ==, 0700);

  g_assert_null (welkin_environments_write (environments, "", FALSE, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_EXISTS);
  g_assert_nonnull (strstr (error->message, "already exists"));
  g_clear_error (&error);

  g_assert_cmpint (g_chmod (wanted_path, 0644), ==, 0);
  second_path = welkin_environments_write (environments, "environments: {b: }\n", TRUE, &error);
  g_assert_no_error (error);
  g_assert_cmphex (home_get_mode (home, FILE_NAME), ==, 0600);
  text = home_read (home, FILE_NAME);
  g_assert_cmpstr (text, ==, "environments: {b: }\n");
}

static void
test_write_keeps_what_it_cannot_read (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinEnvironments) environments = make_environments (home);
  g_autofree char *text = NULL;
  g_autoptr(GError) error = NULL;

  home_write (home, FILE_NAME, "environments: [\n");
  g_assert_null (welkin_environments_write (environments, "", TRUE, &error));
  assert_message (error, "*environments.yaml:2: cannot parse: *");
  text = home_read (home, FILE_NAME);
  g_assert_cmpstr (text, ==, "environments: [\n");
}

static void
test_write_warns_of_the_directory (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinEnvironments) environments = make_environments (home);
  g_autofree char *directory = home_get_path (home, ".config/welkin");
  g_autofree char *path = NULL;

  g_assert_cmpint (g_mkdir_with_parents (directory, 0700), ==, 0);
  g_assert_cmpint (g_chmod (directory, 0755), ==, 0);
  expect_warning ("directory \"*/.config/welkin\" has permissions 0755: *");
  path = welkin_environments_write (environments, "", FALSE, NULL);
  g_test_assert_expected_messages ();
  g_assert_nonnull (path);
  g_assert_cmphex (home_get_mode (home, ".config/welkin"), ==, 0755);
}

static void
test_write_through_links (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinEnvironments) environments = make_environments (home);
  g_autofree char *link_path = home_get_path (home, FILE_NAME);
  g_autofree char *written = NULL;
  g_autofree char *inside = NULL;
  g_autofree char *outside = NULL;
  g_autoptr(GError) error = NULL;

  home_write (home, ".config/welkin/mine.yaml", "environments: {a: }\n");
  g_assert_cmpint (symlink ("mine.yaml", link_path), ==, 0);
  written = welkin_environments_write (environments, "environments: {b: }\n", TRUE, &error);
  g_assert_no_error (error);
  inside = home_read (home, ".config/welkin/mine.yaml");
  g_assert_cmpstr (inside, ==, "environments: {b: }\n");
  g_assert_true (g_file_test (link_path, G_FILE_TEST_IS_SYMLINK));

  home_write (home, "elsewhere.yaml", "environments: {c: }\n");
  g_assert_cmpint (g_unlink (link_path), ==, 0);
  g_assert_cmpint (symlink ("../../elsewhere.yaml", link_path), ==, 0);
  g_assert_null (welkin_environments_write (environments, "", TRUE, &error));
  assert_message (error, "file \"*environments.yaml\" is a link that leads out of its directory*");
  outside = home_read (home, "elsewhere.yaml");
  g_assert_cmpstr (outside, ==, "environments: {c: }\n");
}

static void
test_load (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinEnvironments) environments = make_environments (home);
  g_autoptr(WelkinConfig) config = NULL;
  g_autoptr(GError) error = NULL;

  home_write (home, FILE_NAME,
              "environments:\n"
              "  e1:\n"
              "    name: other\n"
              "    type: dummy_two\n"
              "    machines: 2\n"
              "  bad: [1]\n");
  config = welkin_environments_load_config (environments, "e1", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (welkin_config_get_name (config), ==, "e1");
  g_assert_cmpint (welkin_config_get_int (config, "machines"), ==, 2);
  g_assert_cmpstr (welkin_config_get_string (config, "default-series"), ==, "noble");
  g_assert_false (welkin_config_has (config, "bucket"));

  /* A home without ~/.ssh: there are keys of the client's own now. */
  g_assert_true (g_str_has_suffix (welkin_config_get_string (config, "authorized-keys"),
                                   " welkin-client-key\n"));
  g_assert_cmphex (home_get_mode (home, ".local/share/welkin/ssh/welkin_id_ed25519"), ==, 0600);
}

/* As on a full disk: what could not be written is the error, unless there are
 * other keys. */
static void
test_client_keys_cannot_be_written (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinEnvironments) environments = make_environments (home);
  g_autoptr(WelkinConfig) config = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *obstacle = home_get_path (home, ".local/share/welkin/ssh/welkin_id_ed25519");

  home_write (home, FILE_NAME, "environments: {e1: {type: dummy}}\n");
  g_assert_cmpint (g_mkdir_with_parents (obstacle, 0700), ==, 0);
  g_assert_null (welkin_environments_load_config (environments, "e1", &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_ISDIR);
  assert_message (error, "cannot make the client's SSH keys: *welkin_id_ed25519*");
  g_clear_error (&error);

  home_write (home, ".ssh/id_rsa.pub", "ssh-rsa AAAA x\n");
  expect_warning ("cannot make the client's SSH keys: *welkin_id_ed25519*");
  config = welkin_environments_load_config (environments, "e1", &error);
  g_test_assert_expected_messages ();
  g_assert_no_error (error);
  g_assert_cmpstr (welkin_config_get_string (config, "authorized-keys"), ==, "ssh-rsa AAAA x\n");
}

static void
test_bad_entries (void)
{
  const struct
  {
    const char *entry;
    const char *message;
  } vectors[] = {
    { "e1:", ":2: environment \"e1\" has no type: *indented deeper*" },
    { "e1:\n  type: dummy", ":2: environment \"e1\" has no type: *indented deeper*" },
    { "e1: {type: }", ":2: environment \"e1\" has no type" },
    { "e1: {type: ''}", ":2: environment \"e1\" has no type" },
    { "e1: {type: [dummy]}", ":2: environment \"e1\" has no type" },
    { "e1: text", ":2: environment \"e1\": expected a mapping of attributes: *indented deeper*" },
    { "e1: {type: other}",
      ":2: environment \"e1\" has an unknown provider type \"other\": there is no provider *" },
    { "e1: {type: ../dummy}",
      ":2: environment \"e1\" has an unknown provider type \"../dummy\": *" },
    { "e1: {type: dummy, state-port: x, " KEYS "}", ":2: state-port: expected number, got *" },
    { "e1: {type: dummy, machines: x, " KEYS "}", ":2: machines: expected number, got *" },
    { "e1: {type: dummy, machines: 1001, " KEYS "}", ":2: machines: *1000*1001*" },
    { "'a/b': {type: dummy, " KEYS "}", NULL },
  };
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinEnvironments) environments = make_environments (home);
  g_autofree char *path = home_get_path (home, FILE_NAME);
  g_autoptr(GError) error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (vectors); i++)
    {
      g_autofree char *text = g_strconcat ("environments:\n  ", vectors[i].entry, "\n", NULL);
      g_autofree char *pattern = NULL;

      home_write (home, FILE_NAME, text);
      if (vectors[i].message == NULL)
        break;
      pattern = g_strconcat (path, vectors[i].message, NULL);
      g_assert_null (welkin_environments_load_config (environments, "e1", &error));
      assert_message (error, pattern);
      g_clear_error (&error);
    }

  g_assert_null (welkin_environments_load_config (environments, "a/b", &error));
  assert_message (error, "*:2: environment name contains unsafe characters: \"a/b\" *");
  g_clear_error (&error);
  g_assert_null (welkin_environments_load_config (environments, "e2", &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  assert_message (error, "environment \"e2\" not found in file *");
}

static void
test_warnings (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinEnvironments) environments = make_environments (home);
  g_autoptr(WelkinConfig) config = NULL;
  g_autoptr(WelkinConfig) again = NULL;
  g_autoptr(GError) error = NULL;

  home_write (home, FILE_NAME, GOOD
              "    tools-url: u\n"
              "    unheard-of: 3\n"
              "  e2:\n"
              "    also-unheard-of: 3\n");
  expect_warning ("*environments.yaml:5: \"tools-url\" (\"u\") is deprecated: *");
  expect_warning ("*environments.yaml:6: unknown config field \"unheard-of\"");
  config = welkin_environments_load_config (environments, "e1", &error);
  g_test_assert_expected_messages ();
  g_assert_no_error (error);
  g_assert_cmpint (welkin_config_get_int (config, "unheard-of"), ==, 3);

  again = welkin_environments_load_config (environments, "e1", &error);
  g_assert_no_error (error);
}

static void
test_unused (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinEnvironments) environments = make_environments (home);
  g_autoptr(WelkinConfig) config = NULL;
  g_autoptr(WelkinConfig) defaults = NULL;
  g_autoptr(GError) error = NULL;

  /* What has the value of its default changes nothing, however it is written. */
  home_write (home, FILE_NAME, GOOD
              "    http-proxy: ''\n"
              "    enable-os-upgrade: yes\n"
              "    paint: YES\n"
              "    bootstrap-timeout: 600\n"
              "    api-port: 17071\n");
  defaults = welkin_environments_load_config (environments, "e1", &error);
  g_assert_no_error (error);

  home_write (home, FILE_NAME, GOOD
              "    bootstrap-timeout: 601\n"
              "    enable-os-upgrade: no\n"
              "    http-proxy: http://proxy:3128\n"
              "    logging-config: <root>=DEBUG\n"
              "    provisioner-harvest-mode: all\n"
              "    paint: no\n");
  expect_warning ("*environments.yaml:8: not used by this version: logging-config");
  expect_warning ("*environments.yaml:10: not used by this version: paint");
  config = welkin_environments_load_config (environments, "e1", &error);
  g_test_assert_expected_messages ();
  g_assert_no_error (error);
  g_assert_cmpstr (welkin_config_get_string (config, "http-proxy"), ==, "http://proxy:3128");
}

static void
test_null_type (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinEnvironments) environments = make_environments (home);
  g_autoptr(GError) error = NULL;

  home_write (home, FILE_NAME, "environments: {e1: {type: 'null'}}\n");
  expect_warning ("*:1: provider type \"null\" is deprecated: it is called \"manual\"");
  g_assert_null (welkin_environments_load_config (environments, "e1", &error));
  g_test_assert_expected_messages ();
  assert_message (error, "*:1: environment \"e1\" has an unknown provider type \"manual\": *");
}

static void
test_prepare (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinEnvironments) environments = make_environments (home);
  g_autoptr(WelkinEnviron) environment = NULL;
  g_autoptr(WelkinEnviron) opened = NULL;
  g_autoptr(WelkinEnviron) again = NULL;
  g_autoptr(WelkinInfo) info = NULL;
  g_autoptr(GError) error = NULL;
  WelkinConfig *config = NULL;
  gboolean is_new = FALSE;

  home_write (home, FILE_NAME, GOOD);
  environment = prepare (environments, &is_new, &error);
  g_assert_no_error (error);
  g_assert_true (is_new);
  config = welkin_environ_get_config (environment);
  g_assert_cmpstr (welkin_environ_get_name (environment), ==, "e1");
  g_assert_cmpstr (welkin_config_get_string (config, "bucket"), ==, "dummy-bucket");
  g_assert_cmpuint (strlen (welkin_config_get_string (config, "admin-secret")), ==, 32);
  g_assert_true (g_uuid_string_is_valid (welkin_config_get_uuid (config)));
  g_assert_true (g_str_has_prefix (welkin_config_get_string (config, "ca-cert"), "-----BEGIN"));

  info = welkin_info_load (home->surroundings, "e1", &error);
  g_assert_no_error (error);
  g_assert_true (welkin_config_equal (welkin_info_get_config (info), config));

  /* What is remembered wins from now on, and is enough. */
  home_write (home, FILE_NAME, "environments: {e1: {type: other}}\n");
  opened = welkin_environments_open (environments, "e1", &error);
  g_assert_no_error (error);
  g_assert_true (welkin_config_equal (welkin_environ_get_config (opened), config));

  expect_warning ("ignoring environments.yaml: using bootstrap config in file \"*/e1.yaml\"");
  again = prepare (environments, &is_new, &error);
  g_test_assert_expected_messages ();
  g_assert_no_error (error);
  g_assert_false (is_new);
  g_assert_true (welkin_config_equal (welkin_environ_get_config (again), config));
}

static void
test_prepare_leaves_nothing (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinEnvironments) environments = make_environments (home);
  g_autofree char *obstacle = home_get_path (home, ".local/share/welkin/environments/e1.new");
  g_autofree char *path = home_get_path (home, INFO_NAME);
  g_autoptr(WelkinEnviron) environment = NULL;
  g_autoptr(GError) error = NULL;
  gboolean is_new = TRUE;

  home_write (home, FILE_NAME, "environments: {e1: {type: dummy, machines: x, " KEYS "}}\n");
  g_assert_null (prepare (environments, &is_new, &error));
  assert_message (error, "*:1: machines: expected number, got *");
  g_assert_false (is_new);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_clear_error (&error);

  /* A directory where the file is to be written. */
  home_write (home, FILE_NAME, GOOD);
  g_assert_cmpint (g_mkdir_with_parents (obstacle, 0700), ==, 0);
  g_assert_null (prepare (environments, &is_new, &error));
  assert_message (error, "cannot write file *");
  g_assert_false (is_new);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_clear_error (&error);

  g_assert_cmpint (g_rmdir (obstacle), ==, 0);
  environment = prepare (environments, &is_new, &error);
  g_assert_no_error (error);
  g_assert_true (is_new);
}

static gboolean
count_cb (gpointer user_data)
{
  guint *count = user_data;

  (*count)++;
  return G_SOURCE_CONTINUE;
}

/* The key of the authority takes long: an idle loop turns meanwhile. */
static void
test_prepare_lets_the_loop_run (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinEnvironments) environments = make_environments (home);
  g_autoptr(WelkinEnviron) environment = NULL;
  g_autoptr(GError) error = NULL;
  guint count = 0;
  guint source = g_idle_add (count_cb, &count);

  home_write (home, FILE_NAME, GOOD);
  environment = prepare (environments, NULL, &error);
  g_source_remove (source);
  g_assert_no_error (error);
  g_assert_nonnull (environment);
  g_assert_cmpuint (count, >, 0);
}

static void
test_prepare_cancelled (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinEnvironments) environments = make_environments (home);
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GAsyncResult) result = NULL;
  g_autofree char *path = home_get_path (home, INFO_NAME);
  g_autoptr(GError) error = NULL;
  gboolean is_new = TRUE;

  home_write (home, FILE_NAME, GOOD);
  welkin_environments_prepare_async (environments, "e1", WELKIN_PREPARE_NONE, cancellable,
                                     result_cb, &result);
  g_cancellable_cancel (cancellable);
  result_wait (&result);

  g_assert_null (welkin_environments_prepare_finish (environments, result, &is_new, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_false (is_new);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

static void
test_open_unknown (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinEnvironments) environments = make_environments (home);
  g_autoptr(GError) error = NULL;

  g_assert_null (welkin_environments_open (environments, "e1", &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_BOOTSTRAPPED);
  g_clear_error (&error);

  home_write (home, FILE_NAME, GOOD);
  g_assert_null (welkin_environments_open (environments, "e1", &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_BOOTSTRAPPED);
  assert_message (error, "environment \"e1\" is not bootstrapped: run \"welkin bootstrap -e e1\"*");
  g_clear_error (&error);

  g_assert_null (welkin_environments_open (environments, "e2", &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_BOOTSTRAPPED);
  assert_message (error, "environment \"e2\" not found in file *");
}

static void
test_interrupted (void)
{
  const struct
  {
    const char *info;
    const char *message;
  } vectors[] = {
    { "", "uninitialized environment info for \"e1\" in file \"*/e1.yaml\": *interrupted*" },
    { "format: 1\n", "no bootstrap config *\"e1\"*" },
    { "bootstrap-config:\n  name: e1\n", "*/e1.yaml:1: type: expected string, got nothing" },
    { "bootstrap-config: {name: e1, type: other, default-series: noble, firewall-mode: none,\n"
      "  development: no, ssl-hostname-verification: yes, " KEYS ",\n"
      "  uuid: 5e6ab1e4-6c0c-4b4f-9b1b-0f4c8e8f3b5d}\n",
      "*/e1.yaml:1: environment \"e1\" has an unknown provider type \"other\": *" },
    { "bootstrap-config: {name: e1, type: dummy, default-series: noble, firewall-mode: none,\n"
      "  development: no, ssl-hostname-verification: yes, " KEYS "}\n",
      "the uuid of environment \"e1\" is missing in file \"*/e1.yaml\": *" },
  };
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinEnvironments) environments = make_environments (home);

  home_write (home, FILE_NAME, GOOD);
  for (gsize i = 0; i < G_N_ELEMENTS (vectors); i++)
    {
      g_autoptr(GError) error = NULL;
      g_autofree char *text = NULL;
      gboolean is_new = TRUE;

      home_write (home, INFO_NAME, vectors[i].info);
      g_assert_null (welkin_environments_open (environments, "e1", &error));
      assert_message (error, vectors[i].message);
      g_clear_error (&error);
      g_assert_null (prepare (environments, &is_new, &error));
      assert_message (error, vectors[i].message);
      g_assert_false (is_new);
      text = home_read (home, INFO_NAME);
      g_assert_cmpstr (text, ==, vectors[i].info);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/environments/file/lists-names", test_names);
  g_test_add_func ("/environments/file/is-refused-with-path-and-line", test_bad_files);
  g_test_add_func ("/environments/file/may-be-missing", test_no_file);
  g_test_add_func ("/environments/file/should-be-private", test_permissions);
  g_test_add_func ("/environments/choose/in-order", test_choose);
  g_test_add_func ("/environments/choose/is-remembered", test_set_current);
  g_test_add_func ("/environments/boilerplate/is-an-environment", test_boilerplate);
  g_test_add_func ("/environments/boilerplate/needs-a-provider", test_no_provider);
  g_test_add_func ("/environments/write/is-private", test_write);
  g_test_add_func ("/environments/write/keeps-what-it-cannot-read",
                   test_write_keeps_what_it_cannot_read);
  g_test_add_func ("/environments/write/warns-of-an-open-directory",
                   test_write_warns_of_the_directory);
  g_test_add_func ("/environments/write/follows-links-with-care", test_write_through_links);
  g_test_add_func ("/environments/load/completes-the-entry", test_load);
  g_test_add_func ("/environments/load/needs-keys-that-can-be-written",
                   test_client_keys_cannot_be_written);
  g_test_add_func ("/environments/load/refuses-with-the-line", test_bad_entries);
  g_test_add_func ("/environments/load/warns-once", test_warnings);
  g_test_add_func ("/environments/load/tells-what-is-not-used", test_unused);
  g_test_add_func ("/environments/load/knows-the-old-name-of-manual", test_null_type);
  g_test_add_func ("/environments/prepare/writes-down-and-opens", test_prepare);
  g_test_add_func ("/environments/prepare/leaves-nothing-on-failure",
                   test_prepare_leaves_nothing);
  g_test_add_func ("/environments/prepare/lets-the-loop-run", test_prepare_lets_the_loop_run);
  g_test_add_func ("/environments/prepare/writes-nothing-when-cancelled", test_prepare_cancelled);
  g_test_add_func ("/environments/open/needs-bootstrap", test_open_unknown);
  g_test_add_func ("/environments/open/tells-of-an-interrupted-bootstrap", test_interrupted);
  return g_test_run ();
}
