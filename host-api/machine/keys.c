/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "machine/keys.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <string.h>

#include "values/welkin-error.h"

#define CLIENT_KEY_NAME "welkin_id_ed25519"
#define CLIENT_KEY_COMMENT "welkin-client-key"

#define ED25519 "ssh-ed25519"
#define ED25519_BYTES 32
#define PRIVATE_KEY_COLUMNS 70
/* Without a cipher the private part is padded to a multiple of this. */
#define BLOCK_BYTES 8

G_DEFINE_AUTO_CLEANUP_FREE_FUNC (gnutls_privkey_t, gnutls_privkey_deinit, NULL)

static gboolean
set_gnutls_error (int         status,
                  const char *what,
                  GError    **error)
{
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_FAILED, "%s: %s", what,
               gnutls_strerror (status));
  return FALSE;
}

/* The two data types of the SSH protocol (RFC 4251, section 5) that keys are
 * made of. */
static void
append_uint32 (GByteArray *bytes,
               guint32     number)
{
  guint32 big_endian = GUINT32_TO_BE (number);

  g_byte_array_append (bytes, (const guint8 *) &big_endian, sizeof big_endian);
}

static void
append_string (GByteArray *bytes,
               const void *data,
               gsize       length)
{
  append_uint32 (bytes, (guint32) length);
  g_byte_array_append (bytes, data, (guint) length);
}

static gboolean
generate_raw (guint8   seed[ED25519_BYTES],
              guint8   point[ED25519_BYTES],
              GError **error)
{
  g_auto(gnutls_privkey_t) key = NULL;
  gnutls_datum_t x = { 0 };
  gnutls_datum_t k = { 0 };
  int status = gnutls_privkey_init (&key);

  if (status >= 0)
    status = gnutls_privkey_generate (key, GNUTLS_PK_EDDSA_ED25519,
                                      GNUTLS_CURVE_TO_BITS (GNUTLS_ECC_CURVE_ED25519), 0);
  if (status >= 0)
    status = gnutls_privkey_export_ecc_raw (key, NULL, &x, NULL, &k);
  if (status < 0)
    return set_gnutls_error (status, _("cannot make an SSH key"), error);

  g_assert (x.size == ED25519_BYTES && k.size == ED25519_BYTES);
  memcpy (point, x.data, ED25519_BYTES);
  memcpy (seed, k.data, ED25519_BYTES);
  gnutls_memset (k.data, 0, k.size);
  gnutls_free (x.data);
  gnutls_free (k.data);
  return TRUE;
}

static void
append_public_part (GByteArray  *bytes,
                    const guint8 point[ED25519_BYTES])
{
  append_string (bytes, ED25519, strlen (ED25519));
  append_string (bytes, point, ED25519_BYTES);
}

/* The part that a passphrase would encrypt. The check number, twice, is how a
 * reader would know that the passphrase was right. */
static gboolean
append_private_part (GByteArray   *bytes,
                     const guint8  seed[ED25519_BYTES],
                     const guint8  point[ED25519_BYTES],
                     const char   *comment,
                     GError      **error)
{
  g_autoptr(GByteArray) part = g_byte_array_new ();
  guint32 check = 0;
  int status = gnutls_rnd (GNUTLS_RND_NONCE, &check, sizeof check);

  if (status < 0)
    return set_gnutls_error (status, _("cannot make an SSH key"), error);

  append_uint32 (part, check);
  append_uint32 (part, check);
  append_public_part (part, point);
  append_uint32 (part, 2 * ED25519_BYTES);
  g_byte_array_append (part, seed, ED25519_BYTES);
  g_byte_array_append (part, point, ED25519_BYTES);
  append_string (part, comment, strlen (comment));
  for (guint8 i = 1; part->len % BLOCK_BYTES != 0; i++)
    g_byte_array_append (part, &i, 1);

  append_string (bytes, part->data, part->len);
  return TRUE;
}

/* The file that ssh-keygen writes: PROTOCOL.key in the source of OpenSSH. */
static char *
print_private_key (const guint8 seed[ED25519_BYTES],
                   const guint8 point[ED25519_BYTES],
                   const char  *comment,
                   GError     **error)
{
  static const char magic[] = "openssh-key-v1";
  g_autoptr(GByteArray) bytes = g_byte_array_new ();
  g_autoptr(GByteArray) public_part = g_byte_array_new ();
  g_autofree char *base64 = NULL;
  GString *text = NULL;

  g_byte_array_append (bytes, (const guint8 *) magic, sizeof magic);
  append_string (bytes, "none", 4); /* cipher */
  append_string (bytes, "none", 4); /* how the passphrase becomes its key */
  append_string (bytes, "", 0);     /* options of that */
  append_uint32 (bytes, 1);         /* keys */
  append_public_part (public_part, point);
  append_string (bytes, public_part->data, public_part->len);
  if (!append_private_part (bytes, seed, point, comment, error))
    return NULL;

  base64 = g_base64_encode (bytes->data, bytes->len);
  text = g_string_new ("-----BEGIN OPENSSH PRIVATE KEY-----\n");
  for (gsize i = 0; i < strlen (base64); i += PRIVATE_KEY_COLUMNS)
    g_string_append_printf (text, "%.*s\n", PRIVATE_KEY_COLUMNS, base64 + i);
  g_string_append (text, "-----END OPENSSH PRIVATE KEY-----\n");
  return g_string_free (text, FALSE);
}

gboolean
welkin_ssh_key_generate (const char *comment,
                         char      **private_key,
                         char      **public_key,
                         GError    **error)
{
  g_autoptr(GByteArray) public_part = g_byte_array_new ();
  g_autofree char *base64 = NULL;
  g_autofree char *private_text = NULL;
  guint8 seed[ED25519_BYTES];
  guint8 point[ED25519_BYTES];

  if (!generate_raw (seed, point, error))
    return FALSE;

  private_text = print_private_key (seed, point, comment, error);
  gnutls_memset (seed, 0, sizeof seed);
  if (private_text == NULL)
    return FALSE;

  append_public_part (public_part, point);
  base64 = g_base64_encode (public_part->data, public_part->len);
  *private_key = g_steal_pointer (&private_text);
  *public_key = g_strdup_printf (ED25519 " %s %s", base64, comment);
  return TRUE;
}

/* Whether text up to length is base64 of a key that says it is of this kind. */
static gboolean
is_key_of_kind (const char *text,
                gsize       length,
                const char *kind)
{
  g_autofree char *base64 = g_strndup (text, length);
  g_autofree guchar *data = NULL;
  gsize n_bytes = 0;
  guint32 kind_length = 0;

  data = g_base64_decode (base64, &n_bytes);
  if (n_bytes < sizeof kind_length + strlen (kind))
    return FALSE;
  memcpy (&kind_length, data, sizeof kind_length);
  return GUINT32_FROM_BE (kind_length) == strlen (kind) &&
         memcmp (data + sizeof kind_length, kind, strlen (kind)) == 0;
}

/* The end of the word that begins at text; blanks between quotes are part of
 * it, as in the options that may stand before a key. */
static const char *
skip_word (const char *text)
{
  gboolean is_quoted = FALSE;

  for (; *text != '\0' && (is_quoted || !g_ascii_isspace (*text)); text++)
    {
      if (*text == '\\' && text[1] == '"')
        text++;
      else if (*text == '"')
        is_quoted = !is_quoted;
    }
  return text;
}

static const char *
skip_blanks (const char *text)
{
  while (g_ascii_isspace (*text))
    text++;
  return text;
}

/* The end of the key in the line, where its comment begins. */
static const char *
find_end_of_key (const char *line)
{
  const char *word = line;

  /* "KIND KEY COMMENT" or "OPTIONS KIND KEY COMMENT" */
  for (int i = 0; i < 2; i++)
    {
      const char *end = skip_word (word);
      const char *key = skip_blanks (end);
      const char *end_of_key = skip_word (key);
      g_autofree char *kind = g_strndup (word, (gsize) (end - word));

      if (*kind != '\0' && is_key_of_kind (key, (gsize) (end_of_key - key), kind))
        return end_of_key;
      word = key;
    }
  return NULL;
}

char *
welkin_ssh_key_mark (const char *line,
                     const char *prefix)
{
  const char *end_of_key = find_end_of_key (line);
  const char *comment = NULL;

  if (end_of_key == NULL)
    return NULL;

  comment = skip_blanks (end_of_key);
  if (g_str_has_prefix (comment, prefix))
    return g_strdup (line);
  return g_strdup_printf ("%.*s %s%s", (int) (end_of_key - line), line, prefix,
                          *comment != '\0' ? comment : "sshkey");
}

char **
welkin_ssh_keys_split (const char *text)
{
  g_autoptr(GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr(GStrvBuilder) keys = g_strv_builder_new ();
  g_auto(GStrv) lines = g_strsplit (text, "\n", -1);

  for (gsize i = 0; lines[i] != NULL; i++)
    {
      const char *line = g_strstrip (lines[i]);

      if (*line != '\0' && *line != '#' && g_hash_table_add (seen, (gpointer) line))
        g_strv_builder_add (keys, line);
    }
  return g_strv_builder_end (keys);
}

char *
welkin_client_keys_get_directory (WelkinSurroundings *surroundings,
                                  GError            **error)
{
  g_autofree char *data_directory = NULL;

  data_directory = welkin_surroundings_get_data_directory (surroundings, error);
  if (data_directory == NULL)
    return NULL;
  return g_build_filename (data_directory, "ssh", NULL);
}

static int
compare_strings (gconstpointer a,
                 gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

char **
welkin_client_keys_list (WelkinSurroundings *surroundings,
                         GError            **error)
{
  g_autofree char *path = welkin_client_keys_get_directory (surroundings, error);
  g_autoptr(GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(GDir) directory = NULL;
  g_autoptr(GError) local_error = NULL;
  const char *name = NULL;

  if (path == NULL)
    return NULL;

  directory = g_dir_open (path, 0, &local_error);
  if (directory == NULL && !g_error_matches (local_error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }
  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL)
    {
      g_autofree char *private_path = g_build_filename (path, name, NULL);
      g_autofree char *public_path = g_strconcat (private_path, ".pub", NULL);

      if (g_file_test (public_path, G_FILE_TEST_IS_REGULAR))
        g_ptr_array_add (keys, g_steal_pointer (&private_path));
    }

  g_ptr_array_sort (keys, compare_strings);
  g_ptr_array_add (keys, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&keys), FALSE);
}

char *
welkin_client_keys_read (WelkinSurroundings *surroundings,
                         GError            **error)
{
  g_auto(GStrv) private_keys = welkin_client_keys_list (surroundings, error);
  g_autoptr(GString) text = g_string_new (NULL);

  if (private_keys == NULL)
    return NULL;
  for (gsize i = 0; private_keys[i] != NULL; i++)
    {
      g_autofree char *path = g_strconcat (private_keys[i], ".pub", NULL);
      g_autofree char *contents = NULL;
      g_autofree char *valid = NULL;

      if (!g_file_get_contents (path, &contents, NULL, error))
        return NULL;
      /* Comments of keys may be in any old encoding. */
      valid = g_utf8_make_valid (contents, -1);
      g_string_append_printf (text, "%s\n", valid);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

gboolean
welkin_client_keys_ensure (WelkinSurroundings *surroundings,
                           gboolean           *is_new,
                           GError            **error)
{
  g_auto(GStrv) keys = welkin_client_keys_list (surroundings, error);
  g_autofree char *directory = NULL;
  g_autofree char *private_path = NULL;
  g_autofree char *public_path = NULL;
  g_autofree char *private_key = NULL;
  g_autofree char *public_key = NULL;
  g_autofree char *public_line = NULL;

  if (keys == NULL)
    return FALSE;
  if (is_new != NULL)
    *is_new = keys[0] == NULL;
  if (keys[0] != NULL)
    return TRUE;

  directory = welkin_client_keys_get_directory (surroundings, error);
  if (directory == NULL ||
      !welkin_ssh_key_generate (CLIENT_KEY_COMMENT, &private_key, &public_key, error))
    return FALSE;
  if (g_mkdir_with_parents (directory, 0700) != 0)
    {
      int code = errno;

      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code),
                   _("cannot make directory \"%s\": %s"), directory, g_strerror (code));
      return FALSE;
    }

  /* The private half first: what has no public half counts as nothing, and is
   * written again. */
  private_path = g_build_filename (directory, CLIENT_KEY_NAME, NULL);
  public_path = g_strconcat (private_path, ".pub", NULL);
  public_line = g_strconcat (public_key, "\n", NULL);
  return g_file_set_contents_full (private_path, private_key, -1,
                                   G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE,
                                   0600, error) &&
         g_file_set_contents_full (public_path, public_line, -1,
                                   G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE,
                                   0600, error);
}
