/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "bootstrap/known-hosts.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "environments/info-edit.h"
#include "machine/ssh.h"

char *
welkin_known_hosts_make_alias (WelkinConfig *config,
                               const char   *machine_id)
{
  g_autofree char *id = g_strdelimit (g_strdup (machine_id), "/", '-');

  return g_strconcat (welkin_config_get_uuid (config), "-", id, NULL);
}

/* The lines with those of the machine anew, and without those of former environments of the
 * name. */
static char *
replace_lines (const char *lines,
               const char *uuid,
               const char *alias,
               const char *keys)
{
  g_auto(GStrv) former = g_strsplit (lines, "\n", -1);
  g_autofree char *start = g_strconcat (alias, " ", NULL);
  g_autofree char *known = keys != NULL ? welkin_ssh_print_known (alias, keys) : NULL;
  GString *text = g_string_new (NULL);

  for (gsize i = 0; former[i] != NULL; i++)
    {
      if (!g_str_has_prefix (former[i], uuid)
          || (keys != NULL && g_str_has_prefix (former[i], start)))
        continue;
      g_string_append_printf (text, "%s\n", former[i]);
    }
  if (keys != NULL)
    g_string_append (text, known);
  return g_string_free (text, FALSE);
}

/* What is to be in the file; is_new: whether that is not there yet. */
static char *
make_text (WelkinInfo          *info,
           WelkinMachineRecord *record,
           const char          *alias,
           const char          *path,
           gboolean            *is_new,
           GError             **error)
{
  const char *uuid = welkin_config_get_uuid (welkin_info_get_config (info));
  const char *keys = welkin_machine_record_get (record, "host-key");
  g_autofree char *lines = NULL;
  g_autoptr(GError) local_error = NULL;
  char *text;

  if (!g_file_get_contents (path, &lines, NULL, &local_error))
    {
      if (!g_error_matches (local_error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
        {
          g_propagate_prefixed_error (error, g_steal_pointer (&local_error), "%s: ",
                                      _("Cannot read the host keys"));
          return NULL;
        }
      lines = g_strdup ("");
    }
  text = replace_lines (lines, uuid, alias, keys);
  *is_new = strcmp (text, lines) != 0;
  return text;
}

/* Another process may have changed the file before we had the lock. */
static gboolean
change (WelkinInfo          *info,
        WelkinMachineRecord *record,
        const char          *alias,
        const char          *path,
        GError             **error)
{
  g_autoptr(GObject) lock = welkin_info_lock_files (info, error);
  g_autofree char *text = NULL;
  gboolean is_new;

  if (lock == NULL)
    return FALSE;
  text = make_text (info, record, alias, path, &is_new, error);
  if (text == NULL)
    return FALSE;
  if (!is_new || g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600,
                                           error))
    return TRUE;
  g_prefix_error (error, "%s: ", _("Cannot remember the host key"));
  return FALSE;
}

/* Mostly there is nothing to change, and nobody who logs in waits for anybody. */
char *
welkin_known_hosts_write (WelkinInfo          *info,
                          WelkinMachineRecord *record,
                          const char          *alias,
                          GError             **error)
{
  g_autofree char *path = welkin_info_build_known_hosts_path (info);
  g_autofree char *text = NULL;
  gboolean is_new;

  text = make_text (info, record, alias, path, &is_new, error);
  if (text == NULL || (is_new && !change (info, record, alias, path, error)))
    return NULL;
  return g_steal_pointer (&path);
}
