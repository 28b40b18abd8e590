/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "bootstrap/machine-key.h"

#define ARCH "arch"

/* "ARCH/SERIES" */
char *
welkin_machine_key_new (const char        *series,
                        WelkinConstraints *constraints)
{
  const char *arch = welkin_constraints_demands (constraints, ARCH)
                       ? welkin_constraints_get_text (constraints, ARCH)
                       : "";

  return g_strconcat (arch, "/", series, NULL);
}

/* What a series is called is not checked yet: it may hold anything. */
WelkinConstraints *
welkin_machine_key_parse (const char *key,
                          char      **series)
{
  g_auto(GStrv) parts = g_strsplit (key, "/", 2);
  g_autofree char *text = g_strconcat (ARCH "=", parts[0], NULL);

  *series = g_strdup (parts[1]);
  return welkin_constraints_new_parsed (text, NULL);
}
