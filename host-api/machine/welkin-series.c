/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "machine/series-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/text.h"
#include "values/welkin-error.h"

/* Package distro-info-data keeps this one up to date: it knows what came out
 * after us. */
#define DISTRO_INFO_DIRECTORY "/usr/share/distro-info"

typedef struct
{
  const char *series;
  const char *version;
} Release;

typedef struct
{
  const char    *name;
  const char    *file; /* in the directory above */
  const Release *releases;
  gsize          n_releases;
} Distro;

static const Release ubuntu_releases[] = {
  { "precise", "12.04" }, { "quantal", "12.10" },  { "raring", "13.04" },   { "saucy", "13.10" },
  { "trusty", "14.04" },  { "utopic", "14.10" },   { "vivid", "15.04" },    { "wily", "15.10" },
  { "xenial", "16.04" },  { "yakkety", "16.10" },  { "zesty", "17.04" },    { "artful", "17.10" },
  { "bionic", "18.04" },  { "cosmic", "18.10" },   { "disco", "19.04" },    { "eoan", "19.10" },
  { "focal", "20.04" },   { "groovy", "20.10" },   { "hirsute", "21.04" },  { "impish", "21.10" },
  { "jammy", "22.04" },   { "kinetic", "22.10" },  { "lunar", "23.04" },    { "mantic", "23.10" },
  { "noble", "24.04" },   { "oracular", "24.10" }, { "plucky", "25.04" },   { "questing", "25.10" },
};

static const Release debian_releases[] = {
  { "wheezy", "7" },    { "jessie", "8" },    { "stretch", "9" }, { "buster", "10" },
  { "bullseye", "11" }, { "bookworm", "12" }, { "trixie", "13" },
};

static const Distro distros[] = {
  { "ubuntu", "ubuntu.csv", ubuntu_releases, G_N_ELEMENTS (ubuntu_releases) },
  { "debian", "debian.csv", debian_releases, G_N_ELEMENTS (debian_releases) },
};

static char *
find_known_version (const Distro *distro,
                    const char   *series)
{
  for (gsize i = 0; i < distro->n_releases; i++)
    {
      if (g_str_equal (distro->releases[i].series, series))
        return g_strdup (distro->releases[i].version);
    }
  return NULL;
}

/* Lines are "VERSION[ LTS],Code Name,series,…"; what is older than our own
 * first is not meant. */
static char *
find_version_in_lines (const Distro *distro,
                       char        **lines,
                       const char   *series)
{
  gboolean is_old = TRUE;

  for (gsize i = 0; lines[i] != NULL; i++)
    {
      g_auto(GStrv) fields = g_strsplit (lines[i], ",", 4);

      if (g_strv_length (fields) < 3)
        continue;
      if (g_str_equal (fields[2], distro->releases[0].series))
        is_old = FALSE;
      if (is_old || fields[0][0] == '\0' || !g_str_equal (fields[2], series))
        continue;
      return g_strndup (fields[0], strcspn (fields[0], " "));
    }
  return NULL;
}

static char *
find_new_version (const Distro *distro,
                  const char   *directory,
                  const char   *series)
{
  g_autofree char *path = g_build_filename (directory, distro->file, NULL);
  g_autofree char *contents = NULL;
  g_auto(GStrv) lines = NULL;

  /* Systems without the package know what we know. */
  if (!g_file_get_contents (path, &contents, NULL, NULL))
    return NULL;

  lines = g_strsplit (contents, "\n", -1);
  return find_version_in_lines (distro, lines, series);
}

gboolean
welkin_series_lookup_in (const char *directory,
                         const char *series,
                         char      **os_distro,
                         char      **os_version,
                         GError    **error)
{
  g_autofree char *quoted = NULL;

  for (gsize i = 0; i < 2 * G_N_ELEMENTS (distros); i++)
    {
      const Distro *distro = &distros[i % G_N_ELEMENTS (distros)];
      g_autofree char *version = NULL;

      /* First all that we know, then all that the files know. */
      if (i < G_N_ELEMENTS (distros))
        version = find_known_version (distro, series);
      else
        version = find_new_version (distro, directory, series);
      if (version == NULL)
        continue;

      if (os_distro != NULL)
        *os_distro = g_strdup (distro->name);
      if (os_version != NULL)
        *os_version = g_steal_pointer (&version);
      return TRUE;
    }

  quoted = wk_quote (series);
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
               _("invalid series %s: expected the code name of an Ubuntu or Debian release, as in "
                 "\"noble\" or \"bookworm\""),
               quoted);
  return FALSE;
}

/**
 * welkin_series_lookup:
 * @series: the code name of a release, as in "noble" or "bookworm"
 * @os_distro: (out) (optional) (transfer full): the distribution, as in
 *   "ubuntu"
 * @os_version: (out) (optional) (transfer full): its version, as in "24.04"
 * @error: return location for an error
 *
 * Tells which release of which distribution a series is.
 *
 * Images carry both as properties `os_distro` and `os_version`. Ubuntu is known
 * from precise on, Debian from wheezy on; a series that came out later is
 * looked up in the files of package distro-info- data, where that is installed.
 * An unknown series is %WELKIN_ERROR_INVALID_ARGUMENT.
 *
 * Returns: whether there is such a series
 *
 * Since: 0.1
 */
gboolean
welkin_series_lookup (const char *series,
                      char      **os_distro,
                      char      **os_version,
                      GError    **error)
{
  g_return_val_if_fail (series != NULL, FALSE);

  return welkin_series_lookup_in (DISTRO_INFO_DIRECTORY, series, os_distro, os_version, error);
}

gboolean
welkin_series_is_older (const char *series,
                        const char *than)
{
  g_autofree char *distro = NULL;
  g_autofree char *other_distro = NULL;
  g_autofree char *version = NULL;
  g_autofree char *other_version = NULL;

  return welkin_series_lookup (series, &distro, &version, NULL)
         && welkin_series_lookup (than, &other_distro, &other_version, NULL)
         && g_str_equal (distro, other_distro) && strverscmp (version, other_version) < 0;
}
