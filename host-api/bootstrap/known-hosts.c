/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "bootstrap/known-hosts.h"

#include <glib/gi18n-lib.h>
#include <string.h>

char *
welkin_known_hosts_make_alias (WelkinConfig *config,
                               const char   *machine_id)
{
  g_autofree char *id = g_strdelimit (g_strdup (machine_id), "/", '-');

  return g_strconcat (welkin_config_get_uuid (config), "-", id, NULL);
}

/* The lines with that of the machine anew, and without those of former environments of the name. */
static char *
replace_line (const char *lines,
              const char *uuid,
              const char *alias,
              const char *key)
{
  g_auto(GStrv) former = g_strsplit (lines, "\n", -1);
  g_autofree char *start = g_strconcat (alias, " ", NULL);
  GString *text = g_string_new (NULL);

  for (gsize i = 0; former[i] != NULL; i++)
    {
      if (!g_str_has_prefix (former[i], uuid)
          || (key != NULL && g_str_has_prefix (former[i], start)))
        continue;
      g_string_append_printf (text, "%s\n", former[i]);
    }
  if (key != NULL)
    g_string_append_printf (text, "%s%s\n", start, key);
  return g_string_free (text, FALSE);
}

char *
welkin_known_hosts_write (WelkinSurroundings  *surroundings,
                          WelkinInfo          *info,
                          WelkinMachineRecord *record,
                          const char          *alias,
                          GError             **error)
{
  const char *key = welkin_machine_record_get (record, "host-key");
  g_autofree char *directory = welkin_surroundings_get_data_directory (surroundings, error);
  g_autofree char *name = g_strconcat ("known_hosts-", welkin_info_get_name (info), NULL);
  g_autofree char *path = NULL;
  g_autofree char *lines = NULL;
  g_autofree char *text = NULL;

  if (directory == NULL)
    return NULL;
  path = g_build_filename (directory, "ssh", name, NULL);
  if (!g_file_get_contents (path, &lines, NULL, NULL))
    lines = g_strdup ("");
  text = replace_line (lines, welkin_config_get_uuid (welkin_info_get_config (info)), alias, key);
  if (strcmp (text, lines) != 0
      && !g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, error))
    {
      g_prefix_error (error, "%s: ", _("Cannot remember the host key"));
      return NULL;
    }
  return g_steal_pointer (&path);
}
