/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * welkin-agent: runs on each machine and reports it to the first one, where it also serves what
 * is known of all of them. It knows its environment's secrets, but none of the cloud's.
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <locale.h>
#include <stdlib.h>
#include <sys/utsname.h>

#include "agent/agent.h"
#include "metadata/tools-version.h"

static const char *
get_arch (const struct utsname *names)
{
  static const struct
  {
    const char *kernel;
    const char *ours;
  } arches[] = {
    { "x86_64", "amd64" },
    { "aarch64", "arm64" },
    { "armv7l", "armhf" },
    { "i686", "i386" },
    { "ppc64le", "ppc64el" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (arches); i++)
    if (g_str_equal (arches[i].kernel, names->machine))
      return arches[i].ours;
  return names->machine;
}

char *
agent_get_version (void)
{
  g_autofree char *series = g_get_os_info (G_OS_INFO_KEY_VERSION_CODENAME);
  g_autofree char *number = NULL;
  WelkinToolsVersion version;
  struct utsname names;

  uname (&names);
  welkin_tools_version_get_host (NULL, &version);
  number = welkin_tools_version_format (&version);
  return g_strdup_printf ("%s-%s-%s", number, series != NULL ? series : "unknown",
                          get_arch (&names));
}

gboolean
agent_parse_options (const GOptionEntry *entries,
                     int                *argc,
                     char             ***argv)
{
  g_autoptr(GOptionContext) context = g_option_context_new (NULL);
  g_autoptr(GError) error = NULL;

  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (!g_option_context_parse (context, argc, argv, &error))
    {
      g_printerr ("welkin-agent: %s\n", error->message);
      return FALSE;
    }
  if (*argc == 1)
    return TRUE;
  g_printerr (_("welkin-agent: unexpected argument \"%s\"\n"), (*argv)[1]);
  return FALSE;
}

int
agent_fail (const GError *error)
{
  g_printerr ("welkin-agent: %s\n", error->message);
  return EXIT_FAILURE;
}

static int
print_version (int    *argc,
               char ***argv)
{
  const GOptionEntry entries[] = { G_OPTION_ENTRY_NULL };
  g_autofree char *version = NULL;

  if (!agent_parse_options (entries, argc, argv))
    return AGENT_EXIT_USAGE;
  version = agent_get_version ();
  g_print ("%s\n", version);
  return EXIT_SUCCESS;
}

int
main (int    argc,
      char **argv)
{
  static const struct
  {
    const char *name;
    int       (*run) (int    *argc,
                      char ***argv);
  } commands[] = {
    { "version", print_version },
    { "machine", agent_run_machine },
    { "bootstrap-state", agent_run_bootstrap_state },
  };

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  argc--;
  argv++;
  for (gsize i = 0; argc > 0 && i < G_N_ELEMENTS (commands); i++)
    if (g_str_equal (commands[i].name, argv[0]))
      return commands[i].run (&argc, &argv);
  g_printerr (_("Usage: welkin-agent version\n"
                "       welkin-agent machine --data-dir DIR --machine-id ID [--debug]\n"
                "       welkin-agent bootstrap-state --data-dir DIR --env-config BASE64"
                " [--constraints C] [--debug]\n"));
  return AGENT_EXIT_USAGE;
}
