/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environments/environment-files.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "machine/keys.h"
#include "values/welkin-error.h"

/* Public keys as they are found. */
typedef struct
{
  GString *text;
  GString *origin; /* the files that they are from */
} Keys;

static void
replace_config (WelkinConfig **config,
                WelkinConfig  *other)
{
  welkin_config_unref (*config);
  *config = other;
}

/* Says which attribute of which line led to an error with a file. */
static void
prefix_error (WelkinConfig *config,
              const char   *key,
              GError      **error)
{
  WelkinValue *value = welkin_config_lookup (config, key);
  const char *origin = value != NULL ? welkin_value_get_origin (value) : NULL;

  g_prefix_error (error, "%s%s%s: ", origin != NULL ? origin : "", origin != NULL ? ": " : "", key);
}

/* Adds the content of a file of public keys. A missing one is no error:
 * keys stay as they were. */
static gboolean
append_keys (Keys       *keys,
             const char *path,
             GError    **error)
{
  g_autofree char *contents = NULL;
  g_autofree char *valid = NULL;
  g_autoptr(GError) local_error = NULL;
  const char *begin = NULL;
  gsize length = 0;

  if (!g_file_get_contents (path, &contents, NULL, &local_error))
    {
      if (g_error_matches (local_error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
        return TRUE;
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }

  /* Comments of keys may be in any old encoding. */
  valid = g_utf8_make_valid (contents, -1);
  begin = valid + strspn (valid, "\r\n");
  for (length = strlen (begin); length > 0 && strchr ("\r\n", begin[length - 1]) != NULL;)
    length--;
  if (length == 0)
    return TRUE;
  g_string_append_printf (keys->text, "%.*s\n", (int) length, begin);
  g_string_append_printf (keys->origin, "%s%s", keys->origin->len > 0 ? ", " : "", path);
  return TRUE;
}

static char *
get_ssh_directory (WelkinSurroundings *surroundings)
{
  const char *home = welkin_surroundings_get_home (surroundings);

  return home != NULL ? g_build_filename (home, ".ssh", NULL) : NULL;
}

/* Which files to look for, after the client's own keys. */
static char **
list_candidates (const char *ssh_directory)
{
  const char *const names[] = { "id_ed25519.pub", "id_ecdsa.pub", "id_dsa.pub", "id_rsa.pub",
                                "identity.pub" };
  g_autoptr(GStrvBuilder) paths = g_strv_builder_new ();

  for (gsize i = 0; ssh_directory != NULL && i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (ssh_directory, names[i], NULL);

      g_strv_builder_add (paths, path);
    }
  return g_strv_builder_end (paths);
}

/* The file that the user named must be there: a slip in its name must not go
 * unseen. */
static gboolean
append_named_keys (Keys               *keys,
                   const char         *path,
                   const char         *ssh_directory,
                   WelkinSurroundings *surroundings,
                   GError            **error)
{
  g_autofree char *absolute = NULL;
  gsize length_before = keys->text->len;

  absolute = welkin_surroundings_resolve_path (surroundings, path, ssh_directory, error);
  if (absolute == NULL || !append_keys (keys, absolute, error))
    return FALSE;
  if (keys->text->len > length_before)
    return TRUE;

  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
               _("file \"%s\" does not exist or is empty"), absolute);
  return FALSE;
}

/* Own client keys, then what is in ~/.ssh; the first failure counts only when
 * nothing else is there. */
static gboolean
append_found_keys (Keys         *keys,
                   char        **paths,
                   const GError *keys_error,
                   GError      **error)
{
  g_autoptr(GError) first_error = keys_error != NULL ? g_error_copy (keys_error) : NULL;

  for (gsize i = 0; paths[i] != NULL; i++)
    append_keys (keys, paths[i], first_error == NULL ? &first_error : NULL);
  if (keys->text->len > 0)
    return TRUE;
  if (first_error != NULL)
    g_propagate_error (error, g_steal_pointer (&first_error));
  else
    g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                         _("no public ssh keys found: set authorized-keys or "
                           "authorized-keys-path"));
  return FALSE;
}

static gboolean
append_client_keys (Keys               *keys,
                    WelkinSurroundings *surroundings,
                    GError            **error)
{
  g_auto(GStrv) private_keys = welkin_client_keys_list (surroundings, error);

  if (private_keys == NULL)
    return FALSE;
  for (gsize i = 0; private_keys[i] != NULL; i++)
    {
      g_autofree char *path = g_strconcat (private_keys[i], ".pub", NULL);

      if (!append_keys (keys, path, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_authorized_keys (WelkinConfig      **config,
                      WelkinSurroundings *surroundings,
                      const GError       *keys_error,
                      GError            **error)
{
  const char *path = welkin_config_get_string (*config, "authorized-keys-path");
  g_autofree char *ssh_directory = get_ssh_directory (surroundings);
  g_auto(GStrv) candidates = list_candidates (ssh_directory);
  g_autoptr(GString) text = g_string_new (NULL);
  g_autoptr(GString) origin = g_string_new (NULL);
  Keys keys = { text, origin };

  if (*path == '\0' && *welkin_config_get_string (*config, "authorized-keys") != '\0')
    return TRUE;

  if (!append_client_keys (&keys, surroundings, error))
    return FALSE;
  if (*path != '\0' && !append_named_keys (&keys, path, ssh_directory, surroundings, error))
    {
      prefix_error (*config, "authorized-keys-path", error);
      return FALSE;
    }
  if (*path == '\0' && !append_found_keys (&keys, candidates, keys_error, error))
    return FALSE;

  replace_config (config, welkin_config_with_text (*config, "authorized-keys", text->str,
                                                   origin->str));
  return TRUE;
}

/* Which file an attribute comes from: the one of its "-path", or the one that
 * has always been looked at. FALSE with *path NULL: from none. */
static gboolean
find_pem_file (WelkinConfig       *config,
               WelkinSurroundings *surroundings,
               const char         *key,
               const char         *path_key,
               const char         *suffix,
               char              **path,
               GError            **error)
{
  const char *name = welkin_config_get_string (config, path_key);
  g_autofree char *directory = NULL;
  g_autofree char *default_name = NULL;
  g_autofree char *default_path = NULL;

  *path = NULL;
  if (*name == '\0' && *welkin_config_get_string (config, key) != '\0')
    return TRUE;

  directory = welkin_surroundings_get_config_directory (surroundings, error);
  if (directory == NULL)
    return FALSE;
  if (*name != '\0')
    {
      *path = welkin_surroundings_resolve_path (surroundings, name, directory, error);
      return *path != NULL;
    }

  default_name = g_strconcat (welkin_config_get_name (config), suffix, NULL);
  default_path = g_build_filename (directory, default_name, NULL);
  /* The name has not been checked yet, and must not lead elsewhere. */
  if (strchr (default_name, '/') == NULL && g_file_test (default_path, G_FILE_TEST_EXISTS))
    *path = g_steal_pointer (&default_path);
  return TRUE;
}

static gboolean
read_pem (WelkinConfig      **config,
          WelkinSurroundings *surroundings,
          const char         *key,
          const char         *suffix,
          GError            **error)
{
  g_autofree char *path_key = g_strconcat (key, "-path", NULL);
  g_autofree char *path = NULL;
  g_autofree char *contents = NULL;
  g_autofree char *valid = NULL;
  gsize length = 0;

  if (!find_pem_file (*config, surroundings, key, path_key, suffix, &path, error))
    return FALSE;
  if (path == NULL)
    return TRUE;

  if (!g_file_get_contents (path, &contents, &length, error))
    {
      prefix_error (*config, welkin_config_has (*config, path_key) ? path_key : key, error);
      return FALSE;
    }
  if (length == 0)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG, _("file \"%s\" is empty"),
                   path);
      return FALSE;
    }
  valid = g_utf8_make_valid (contents, (gssize) length);
  replace_config (config, welkin_config_with_text (*config, key, valid, path));
  return TRUE;
}

gboolean
welkin_environment_files_read (WelkinConfig      **config,
                               WelkinSurroundings *surroundings,
                               const GError       *keys_error,
                               GError            **error)
{
  const char *const path_keys[] = { "authorized-keys-path", "ca-cert-path",
                                    "ca-private-key-path" };

  if (!read_authorized_keys (config, surroundings, keys_error, error) ||
      !read_pem (config, surroundings, "ca-cert", "-cert.pem", error) ||
      !read_pem (config, surroundings, "ca-private-key", "-private-key.pem", error))
    return FALSE;

  for (gsize i = 0; i < G_N_ELEMENTS (path_keys); i++)
    replace_config (config, welkin_config_without (*config, path_keys[i]));
  return TRUE;
}
