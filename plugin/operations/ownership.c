/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/ownership.h"

#include <string.h>

/* What every release of neutron keeps of a description. */
#define MAX_DESCRIPTION 255
/* A server's name becomes its host name: one label of DNS. */
#define MAX_NAME 63
#define MAX_PREFIX 16
#define MAX_MACHINE 10
#define HASH_DIGITS 6

#define MACHINE_INFIX "-machine-"
#define MARK_PREFIX "welkin "
#define BORROWED_SUFFIX " borrowed=1"

char *
os_mark_format_start (const char *start_id,
                      guint       attempt)
{
  return g_strdup_printf ("%s/%u", start_id, attempt);
}

char *
os_mark_get_start_id (const char *start)
{
  return g_strndup (start, strcspn (start, "/"));
}

char *
os_mark_format (const char *environ_uuid,
                const char *machine_id,
                const char *start)
{
  GString *text = g_string_new (MARK_PREFIX);

  g_string_append_printf (text, "env=%s", environ_uuid);
  if (machine_id != NULL)
    g_string_append_printf (text, " machine=%s", machine_id);
  if (start != NULL)
    g_string_append_printf (text, " start=%s", start);
  g_string_truncate (text, MIN (text->len, MAX_DESCRIPTION));
  return g_string_free (text, FALSE);
}

char *
os_mark_get_word (const char *description,
                  const char *name)
{
  g_auto(GStrv) words = NULL;
  gsize length = strlen (name);

  if (description == NULL || !g_str_has_prefix (description, MARK_PREFIX))
    return NULL;

  words = g_strsplit (description + strlen (MARK_PREFIX), " ", -1);
  for (gsize i = 0; words[i] != NULL; i++)
    {
      if (strncmp (words[i], name, length) == 0 && words[i][length] == '=')
        return g_strdup (words[i] + length + 1);
    }
  return NULL;
}

char *
os_mark_dup_start_id (const char *description)
{
  g_autofree char *start = os_mark_get_word (description, "start");

  return start != NULL ? os_mark_get_start_id (start) : NULL;
}

gboolean
os_mark_is_ours (const char *description,
                 const char *environ_uuid,
                 const char *machine_id)
{
  g_autofree char *their_environ = os_mark_get_word (description, "env");
  g_autofree char *their_machine = NULL;

  if (their_environ == NULL || !g_str_equal (their_environ, environ_uuid))
    return FALSE;
  if (machine_id == NULL)
    return TRUE;

  their_machine = os_mark_get_word (description, "machine");
  return g_strcmp0 (their_machine, machine_id) == 0;
}

char *
os_mark_format_borrowed (const char *mark)
{
  return g_strconcat (mark, BORROWED_SUFFIX, NULL);
}

gboolean
os_mark_is_borrowed (const char *description)
{
  return description != NULL && g_str_has_prefix (description, MARK_PREFIX)
         && g_str_has_suffix (description, BORROWED_SUFFIX);
}

char *
os_mark_strip_borrowed (const char *description)
{
  if (!os_mark_is_borrowed (description))
    return g_strdup (description);
  return g_strndup (description, strlen (description) - strlen (BORROWED_SUFFIX));
}

/* The environment's part of a server's name: one that is too long is cut in its middle, where a
 * digest keeps it apart from others. */
static char *
fit_environ_name (const char *prefix,
                  const char *environ_name)
{
  gsize rest = MAX_MACHINE + strlen (MACHINE_INFIX) + 1 + MIN (strlen (prefix), MAX_PREFIX);
  gsize room = MAX_NAME - rest;
  gsize kept = room - HASH_DIGITS - 2;
  g_autofree char *digest = NULL;
  const char *head_end;
  const char *tail;

  if (strlen (environ_name) <= room)
    return g_strdup (environ_name);

  digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, environ_name, -1);
  head_end = g_utf8_find_prev_char (environ_name, environ_name + kept / 2 + 1);
  tail = environ_name + strlen (environ_name) - (kept - kept / 2);
  while ((*tail & 0xc0) == 0x80)
    tail++;
  return g_strdup_printf ("%.*s-%.*s-%s", (int) (head_end - environ_name), environ_name,
                          HASH_DIGITS, digest, tail);
}

char *
os_name_server (const char *prefix,
                const char *environ_name,
                const char *machine_id)
{
  g_autofree char *machine = g_strdelimit (g_strdup (machine_id), "/", '-');
  g_autofree char *fitted = fit_environ_name (prefix, environ_name);

  return g_strconcat (prefix, "-", fitted, MACHINE_INFIX, machine, NULL);
}

char *
os_name_group (const char *prefix,
               const char *environ_name,
               const char *suffix)
{
  if (suffix == NULL)
    return g_strdup_printf ("%s-%s", prefix, environ_name);
  return g_strdup_printf ("%s-%s-%s", prefix, environ_name, suffix);
}

char *
os_name_server_group (const char *prefix,
                      const char *environ_name,
                      const char *environ_uuid)
{
  g_autofree char *fitted = fit_environ_name (prefix, environ_name);

  return g_strdup_printf ("%s-%s-%s", prefix, fitted, environ_uuid);
}

char *
os_name_port (const char *prefix,
              const char *environ_uuid,
              const char *machine_id,
              const char *start_id)
{
  g_autofree char *machine = g_strdelimit (g_strdup (machine_id), "/", '-');

  return g_strdup_printf ("%s-%s-%s-%.8s", prefix, environ_uuid, machine, start_id);
}

/* Nova reads the filter as a regular expression of its database's dialect, unanchored, and
 * checks it as one of Python's before: whatever could mean something is replaced by the dot. */
char *
os_name_server_filter (const char *prefix,
                       const char *environ_name)
{
  g_autofree char *fitted = fit_environ_name (prefix, environ_name);
  GString *filter = g_string_new ("^");
  gboolean was_foreign = FALSE;

  g_string_append_printf (filter, "%s-", prefix);
  for (const char *c = fitted; *c != '\0'; c++)
    {
      gboolean is_foreign = (*c & 0x80) != 0;

      if (g_ascii_isalnum (*c) || *c == '_' || *c == '-')
        g_string_append_c (filter, *c);
      else if (!is_foreign)
        g_string_append_c (filter, '.');
      else if (!was_foreign)
        g_string_append (filter, ".*");
      was_foreign = is_foreign;
    }
  g_string_append (filter, MACHINE_INFIX);
  return g_string_free (filter, FALSE);
}
