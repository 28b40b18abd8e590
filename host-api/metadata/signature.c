/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/signature.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "base/flow.h"
#include "values/welkin-error.h"

#define MESSAGE_MARK "-----BEGIN PGP SIGNED MESSAGE-----"
#define KEY_MARK "-----BEGIN PGP PUBLIC KEY BLOCK-----"

/* What gpgv says by its exit status. */
#define STATUS_GOOD 0
#define STATUS_BAD 1

typedef struct
{
  /* inputs */
  char        *key_path; /* (owned) */
  GBytes      *text;     /* (owned) */

  /* while running */
  char        *keyring;  /* (owned) (nullable) a file of ours, removed in the end */
  GSubprocess *process;  /* (owned) (nullable) */
  GBytes      *plain;    /* (owned) (nullable) what gpgv has written: not believed yet */
  char        *words;    /* (owned) (nullable) what it has said */
} Verify;

static void
verify_free (gpointer user_data)
{
  Verify *self = user_data;

  if (self->process != NULL)
    g_subprocess_force_exit (self->process);
  g_clear_object (&self->process);
  if (self->keyring != NULL)
    g_unlink (self->keyring);
  g_clear_pointer (&self->keyring, g_free);
  g_clear_pointer (&self->plain, g_bytes_unref);
  g_clear_pointer (&self->words, g_free);
  g_bytes_unref (self->text);
  g_free (self->key_path);
  g_free (self);
}

static gboolean
is_clear_signed (GBytes *bytes)
{
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);

  return g_strstr_len (text, (gssize) length, MESSAGE_MARK) != NULL;
}

/* The lines between the headers of the armour and its checksum, decoded; NULL when it is not
 * whole. */
static guchar *
remove_armour (const char *armour,
               gsize      *length)
{
  g_auto(GStrv) lines = g_strsplit (armour, "\n", -1);
  g_autoptr(GString) base64 = g_string_new (NULL);
  gsize i = 1;

  while (lines[i] != NULL && *g_strstrip (lines[i]) != '\0')
    i++;
  for (; lines[i] != NULL && *g_strstrip (lines[i]) != '=' && *lines[i] != '-'; i++)
    g_string_append (base64, lines[i]);
  if (lines[i] == NULL || base64->len == 0)
    return NULL;
  return g_base64_decode (base64->str, length);
}

/* gpgv reads keys that are not armoured: the others are written for it without. */
static gboolean
prepare_keyring (Verify  *self,
                 GError **error)
{
  g_autoptr(GError) local_error = NULL;
  g_autofree char *contents = NULL;
  g_autofree guchar *key = NULL;
  const char *armour;
  gsize length;
  int file;

  if (!g_file_get_contents (self->key_path, &contents, &length, &local_error))
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                   _("failed to parse public key: %s"), local_error->message);
      return FALSE;
    }
  armour = g_strstr_len (contents, (gssize) length, KEY_MARK);
  if (armour == NULL && length > 0 && ((guchar) contents[0] & 0x80) != 0)
    return TRUE;
  if (armour != NULL)
    key = remove_armour (armour, &length);
  if (key == NULL)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                   _("failed to parse public key: file \"%s\" holds none"), self->key_path);
      return FALSE;
    }

  file = g_file_open_tmp ("welkin-key-XXXXXX", &self->keyring, error);
  if (file < 0)
    return FALSE;
  close (file);
  return g_file_set_contents (self->keyring, (const char *) key, (gssize) length, error);
}

/* The user's own keys and settings have no part in it. */
static gboolean
start_gpgv (Verify  *self,
            GError **error)
{
  g_autoptr(GSubprocessLauncher) launcher = NULL;
  g_autoptr(GError) local_error = NULL;
  g_autofree char *path = NULL;

  path = g_canonicalize_filename (self->keyring != NULL ? self->keyring : self->key_path, NULL);
  launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDIN_PIPE
                                        | G_SUBPROCESS_FLAGS_STDOUT_PIPE
                                        | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_subprocess_launcher_setenv (launcher, "LC_ALL", "C.UTF-8", TRUE);
  self->process = g_subprocess_launcher_spawn (launcher, &local_error, "gpgv", "--homedir",
                                               "/nonexistent", "--keyring", path, "--output", "-",
                                               NULL);
  if (self->process != NULL)
    return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED,
               _("signatures cannot be verified without gpgv: %s"), local_error->message);
  return FALSE;
}

static gboolean
read_outcome (Verify       *self,
              GAsyncResult *result,
              GError      **error)
{
  g_autoptr(GBytes) bytes = NULL;
  g_autoptr(GString) words = NULL;

  if (!g_subprocess_communicate_finish (self->process, result, &self->plain, &bytes, error))
    return FALSE;
  words = g_string_new_len (g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes));
  if (g_str_has_suffix (words->str, "\n"))
    g_string_truncate (words, words->len - 1);
  g_string_replace (words, "gpgv: ", "", 0);
  g_string_replace (words, "\n", "; ", 0);
  self->words = g_utf8_make_valid (words->str, (gssize) words->len);
  return TRUE;
}

static GError *
make_error (Verify *self)
{
  gboolean has_exited = g_subprocess_get_if_exited (self->process);

  if (has_exited && g_subprocess_get_exit_status (self->process) == STATUS_BAD)
    return g_error_new (WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN,
                        /* TRANSLATORS: what gpgv has said, in English, comes at the end */
                        _("the signature is bad, so somebody has changed the text: %s"),
                        self->words);
  return g_error_new (WELKIN_ERROR, WELKIN_ERROR_FAILED,
                      /* TRANSLATORS: what gpgv has said, in English, comes at the end */
                      _("the signature is not one of the expected key: %s"), self->words);
}

static void
verify_run (WkFlow  *flow,
            gpointer user_data)
{
  Verify *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!is_clear_signed (self->text))
    {
      g_set_error_literal (&error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                           _("no PGP signature embedded in plain text data"));
      WK_FAIL (flow, &error, NULL);
    }
  if (!prepare_keyring (self, &error) || !start_gpgv (self, &error))
    WK_FAIL (flow, &error, NULL);

  WK_AWAIT (flow, g_subprocess_communicate_async (self->process, self->text, WK_RESUME (flow)));
  if (!read_outcome (self, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, _("Cannot verify a signature"));
  if (!g_subprocess_get_if_exited (self->process)
      || g_subprocess_get_exit_status (self->process) != STATUS_GOOD)
    {
      error = make_error (self);
      WK_FAIL (flow, &error, NULL);
    }

  wk_flow_return_pointer (flow, g_steal_pointer (&self->plain), (GDestroyNotify) g_bytes_unref);

  WK_FLOW_END (flow);
}

void
welkin_signature_verify_async (const char         *key_path,
                               GBytes             *text,
                               GCancellable       *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer            user_data)
{
  Verify *self = g_new0 (Verify, 1);

  self->key_path = g_strdup (key_path);
  self->text = g_bytes_ref (text);
  wk_flow_start (NULL, cancellable, callback, user_data, welkin_signature_verify_async, verify_run,
                 self, verify_free);
}

GBytes *
welkin_signature_verify_finish (GAsyncResult *result,
                                GError      **error)
{
  return wk_flow_finish_pointer (result, NULL, welkin_signature_verify_async, error);
}
