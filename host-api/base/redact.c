/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/redact.h"

/* The name as it is compared: "X-Auth-Token", "adminPass" and "admin_pass" differ in nothing that
 * matters. */
static char *
fold_name (const char *name)
{
  GString *folded = g_string_new (NULL);

  for (; *name != '\0'; name++)
    if (g_ascii_isalnum (*name))
      g_string_append_c (folded, g_ascii_tolower (*name));
  return g_string_free (folded, FALSE);
}

gboolean
wk_redact_is_secret (const char *name)
{
  static const char *const whole[] = { "key", "blob", "contents", "pass", "sig", NULL };
  static const char *const ends[] = { "token", "pass" };
  static const char *const parts[] = {
    "password", "passwd", "passphrase", "passcode", "secret", "privatekey", "userdata", "authkey",
    "apikey", "tempurlkey", "tempurlsig", "signature", "authorization", "cookie",
  };
  g_autofree char *folded = fold_name (name);

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (strstr (folded, parts[i]) != NULL)
      return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    if (g_str_has_suffix (folded, ends[i]))
      return TRUE;
  return g_strv_contains (whole, folded);
}

/* Bytes that a value of a query has not, nor what stands before the path of a URL. A password may
 * have an apostrophe. */
#define VALUE_END "&#; \t\r\n\"'<>"
#define AUTHORITY_END "/?# \t\r\n\"<>"

/* At "://": skips the user and the password, of which neither need be anybody's business. */
static const char *
skip_userinfo (GString    *safe,
               const char *place)
{
  gsize length;
  g_autofree char *authority = NULL;
  const char *host;

  g_string_append (safe, "://");
  place += strlen ("://");
  length = strcspn (place, AUTHORITY_END);
  authority = g_strndup (place, length);
  host = strrchr (authority, '@');
  if (host == NULL)
    return place;
  g_string_append (safe, WK_REDACTED);
  return place + (host - authority);
}

/* At "?" or "&": skips the value of a parameter whose name is that of a secret. */
static const char *
skip_parameter (GString    *safe,
                const char *place)
{
  gsize length = strcspn (place + 1, "=" VALUE_END);
  g_autofree char *name = g_strndup (place + 1, length);
  g_autofree char *decoded = g_uri_unescape_string (name, NULL);
  const char *value = place + 1 + length;

  g_string_append_len (safe, place, value - place);
  if (*value != '=' || !wk_redact_is_secret (decoded != NULL ? decoded : name))
    return value;
  g_string_append (safe, "=" WK_REDACTED);
  return value + strcspn (value, VALUE_END);
}

char *
wk_redact_text (const char *text)
{
  GString *safe = g_string_new (NULL);

  while (*text != '\0')
    {
      if (g_str_has_prefix (text, "://"))
        text = skip_userinfo (safe, text);
      else if (*text == '?' || *text == '&')
        text = skip_parameter (safe, text);
      else
        g_string_append_c (safe, *text++);
    }
  return g_string_free (safe, FALSE);
}

char *
wk_redact_known (const char *text,
                 WkSecrets  *known,
                 gboolean    is_cut)
{
  g_autofree char *unknown = NULL;

  if (known == NULL)
    return wk_redact_text (text);
  /* They come first, while they are whole: what looks like a URL may be the inside of one. */
  unknown = wk_secrets_hide (known, text, is_cut);
  return wk_redact_text (unknown);
}
