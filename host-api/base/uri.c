/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "base/uri.h"

/* What a query may hold as it is; a percent sign there is one that was encoded before. */
#define QUERY_CHARACTERS "!$&'()*+,;=:@/?%"

#define PARSE_FLAGS \
  (G_URI_FLAGS_HAS_PASSWORD | G_URI_FLAGS_ENCODED_PATH | G_URI_FLAGS_ENCODED_QUERY \
   | G_URI_FLAGS_ENCODED_FRAGMENT | G_URI_FLAGS_SCHEME_NORMALIZE)

/* Dots alone would be taken for a way up, by a server or by a proxy in front of it. */
static void
append_segment (GString    *uri,
                const char *segment)
{
  g_autofree char *encoded = g_uri_escape_string (segment, NULL, FALSE);

  if (g_str_equal (segment, "."))
    g_string_append (uri, "%2E");
  else if (g_str_equal (segment, ".."))
    g_string_append (uri, "%2E%2E");
  else
    g_string_append (uri, encoded);
}

/* The part of a base in front of its query, ready for one more slash. */
static GString *
begin_join (const char *base)
{
  gsize length = strcspn (base, "?#");

  while (length > 0 && base[length - 1] == '/')
    length--;
  return g_string_new_len (base, length);
}

static char *
end_join (GString    *uri,
          const char *base)
{
  gsize length = strcspn (base, "?#");

  if (base[length] == '?')
    g_string_append_len (uri, base + length, strcspn (base + length, "#"));
  return g_string_free (uri, FALSE);
}

char *
wk_uri_join (const char *base,
             ...)
{
  const char *segment;
  GString *uri;
  va_list args;

  g_return_val_if_fail (base != NULL, NULL);

  uri = begin_join (base);
  va_start (args, base);
  while ((segment = va_arg (args, const char *)) != NULL)
    {
      g_string_append_c (uri, '/');
      append_segment (uri, segment);
    }
  va_end (args);
  return end_join (uri, base);
}

char *
wk_uri_join_path (const char *base,
                  const char *path)
{
  g_auto(GStrv) segments = NULL;
  GString *uri;

  g_return_val_if_fail (base != NULL, NULL);
  g_return_val_if_fail (path != NULL, NULL);

  uri = begin_join (base);
  segments = g_strsplit (path, "/", -1);
  /* Nothing has no segments, and still is not the base. */
  if (segments[0] == NULL)
    g_string_append_c (uri, '/');
  for (guint i = 0; segments[i] != NULL; i++)
    {
      g_string_append_c (uri, '/');
      append_segment (uri, segments[i]);
    }
  return end_join (uri, base);
}

char *
wk_uri_add_query (const char *uri,
                  ...)
{
  GString *string;
  const char *key;
  char separator;
  va_list args;

  g_return_val_if_fail (uri != NULL, NULL);

  string = g_string_new_len (uri, strcspn (uri, "#"));
  separator = strchr (string->str, '?') != NULL ? '&' : '?';
  va_start (args, uri);
  while ((key = va_arg (args, const char *)) != NULL)
    {
      const char *value = va_arg (args, const char *);
      g_autofree char *encoded_key = g_uri_escape_string (key, NULL, FALSE);
      g_autofree char *encoded_value = NULL;

      if (value == NULL)
        continue;
      encoded_value = g_uri_escape_string (value, NULL, FALSE);
      g_string_append_printf (string, "%c%s=%s", separator, encoded_key, encoded_value);
      separator = '&';
    }
  va_end (args);
  return g_string_free (string, FALSE);
}

char *
wk_uri_with_query_of (const char *uri,
                      const char *link)
{
  GString *string;
  const char *query;

  g_return_val_if_fail (uri != NULL, NULL);
  g_return_val_if_fail (link != NULL, NULL);

  string = g_string_new_len (uri, strcspn (uri, "?#"));
  query = strchr (link, '?');
  if (query != NULL)
    {
      g_autofree char *text = g_strndup (query + 1, strcspn (query + 1, "#"));
      g_autofree char *safe = g_uri_escape_string (text, QUERY_CHARACTERS, FALSE);

      g_string_append_printf (string, "?%s", safe);
    }
  return g_string_free (string, FALSE);
}

/* The host as it stands in a URL, or NULL when it cannot be one: what was percent-encoded there
 * comes out of the parser as anything. */
static char *
dup_host (const char *host)
{
  static const char name_characters[] = "abcdefghijklmnopqrstuvwxyz0123456789-._";
  g_autofree char *ascii = g_hostname_to_ascii (host);
  g_autofree char *lower = ascii != NULL ? g_ascii_strdown (ascii, -1) : NULL;
  g_auto(GStrv) zone = NULL;

  if (lower == NULL || *lower == '\0')
    return NULL;
  if (lower[strspn (lower, name_characters)] == '\0')
    return g_steal_pointer (&lower);

  /* The zone of a link-local address is written with an encoded percent sign. */
  zone = g_strsplit (lower, "%", 2);
  if (!g_hostname_is_ip_address (zone[0]))
    return NULL;
  if (zone[1] == NULL)
    return g_strdup_printf ("[%s]", zone[0]);
  if (*zone[1] == '\0' || zone[1][strspn (zone[1], name_characters)] != '\0')
    return NULL;
  return g_strdup_printf ("[%s%%25%s]", zone[0], zone[1]);
}

static char *
get_origin (GUri *uri)
{
  const char *scheme = g_uri_get_scheme (uri);
  gboolean is_https = g_str_equal (scheme, "https");
  int port = g_uri_get_port (uri);
  g_autofree char *host = NULL;

  if (!is_https && !g_str_equal (scheme, "http"))
    return NULL;
  host = dup_host (g_uri_get_host (uri) != NULL ? g_uri_get_host (uri) : "");
  if (host == NULL)
    return NULL;
  if (port <= 0 || port == (is_https ? 443 : 80))
    return g_strdup_printf ("%s://%s", scheme, host);
  return g_strdup_printf ("%s://%s:%d", scheme, host, port);
}

char *
wk_uri_get_origin (const char *uri)
{
  g_autoptr(GUri) parsed = NULL;

  g_return_val_if_fail (uri != NULL, NULL);

  parsed = g_uri_parse (uri, PARSE_FLAGS, NULL);
  return parsed != NULL ? get_origin (parsed) : NULL;
}

char *
wk_uri_for_display (const char *uri)
{
  g_autoptr(GUri) parsed = NULL;
  g_autofree char *origin = NULL;
  g_autofree char *text = NULL;

  g_return_val_if_fail (uri != NULL, NULL);

  parsed = g_uri_parse (uri, PARSE_FLAGS, NULL);
  if (parsed != NULL)
    origin = get_origin (parsed);
  if (origin != NULL)
    return g_strconcat (origin, g_uri_get_path (parsed), NULL);

  /* What cannot be taken apart may hide a password anywhere before its last "@". */
  text = g_strndup (uri, strcspn (uri, "?#"));
  return g_strdup (strrchr (text, '@') != NULL ? strrchr (text, '@') + 1 : text);
}
