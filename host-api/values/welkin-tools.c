/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "values/welkin-tools.h"

#include <glib/gi18n-lib.h>

#include "values/welkin-error.h"

/**
 * WelkinTools:
 *
 * An archive of agent binaries.
 *
 * Tools are immutable and may be shared between threads.
 *
 * Since: 0.1
 */
struct _WelkinTools
{
  char  *version;
  char  *series;
  char  *arch;
  char  *uri;
  char  *sha256; /* (nullable) */
  gint64 size;
};

G_DEFINE_BOXED_TYPE (WelkinTools, welkin_tools, welkin_tools_ref, welkin_tools_unref)

static void
tools_clear (gpointer data)
{
  WelkinTools *self = data;

  g_free (self->version);
  g_free (self->series);
  g_free (self->arch);
  g_free (self->uri);
  g_free (self->sha256);
}

/**
 * welkin_tools_new:
 * @version: the version, as in "1.2.3"
 * @series: the series that they are for
 * @arch: the architecture that they are for
 * @uri: where the archive is
 * @sha256: (nullable): its checksum in hexadecimal digits
 * @size: its size in bytes; -1 when it is not known
 *
 * Makes a record of an archive.
 *
 * Returns: (transfer full): new tools
 *
 * Since: 0.1
 */
WelkinTools *
welkin_tools_new (const char *version,
                  const char *series,
                  const char *arch,
                  const char *uri,
                  const char *sha256,
                  gint64      size)
{
  WelkinTools *self;

  g_return_val_if_fail (version != NULL && series != NULL && arch != NULL && uri != NULL, NULL);

  self = g_atomic_rc_box_new0 (WelkinTools);
  self->version = g_strdup (version);
  self->series = g_strdup (series);
  self->arch = g_strdup (arch);
  self->uri = g_strdup (uri);
  self->sha256 = g_strdup (sha256);
  self->size = size;
  return self;
}

/**
 * welkin_tools_ref:
 * @self: tools
 *
 * Takes another reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
WelkinTools *
welkin_tools_ref (WelkinTools *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

/**
 * welkin_tools_unref:
 * @self: (transfer full): tools
 *
 * Drops a reference; the last one frees it.
 *
 * Since: 0.1
 */
void
welkin_tools_unref (WelkinTools *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, tools_clear);
}

/**
 * welkin_tools_get_version:
 * @self: tools
 *
 * Gets the version of the binaries.
 *
 * Returns: (transfer none): as in "1.2.3"
 *
 * Since: 0.1
 */
const char *
welkin_tools_get_version (WelkinTools *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->version;
}

/**
 * welkin_tools_get_series:
 * @self: tools
 *
 * Gets the series that the binaries are for.
 *
 * Returns: (transfer none): as in "noble"
 *
 * Since: 0.1
 */
const char *
welkin_tools_get_series (WelkinTools *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->series;
}

/**
 * welkin_tools_get_arch:
 * @self: tools
 *
 * Gets the architecture that the binaries are for.
 *
 * Returns: (transfer none): as in "amd64"
 *
 * Since: 0.1
 */
const char *
welkin_tools_get_arch (WelkinTools *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->arch;
}

/**
 * welkin_tools_get_uri:
 * @self: tools
 *
 * Gets where the archive is.
 *
 * Returns: (transfer none): its URI
 *
 * Since: 0.1
 */
const char *
welkin_tools_get_uri (WelkinTools *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->uri;
}

/**
 * welkin_tools_get_sha256:
 * @self: tools
 *
 * Gets the checksum of the archive.
 *
 * Returns: (transfer none) (nullable): in hexadecimal digits; %NULL when it is
 *   not known
 *
 * Since: 0.1
 */
const char *
welkin_tools_get_sha256 (WelkinTools *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->sha256;
}

/**
 * welkin_tools_get_size:
 * @self: tools
 *
 * Gets the size of the archive.
 *
 * Returns: its size in bytes; -1 when it is not known
 *
 * Since: 0.1
 */
gint64
welkin_tools_get_size (WelkinTools *self)
{
  g_return_val_if_fail (self != NULL, -1);

  return self->size;
}

/**
 * welkin_tools_choose:
 * @tools: (element-type WelkinTools): several, the best ones first
 * @arch: (nullable): an architecture; %NULL and "" when any will do
 * @error: return location for an error
 *
 * Chooses the first tools that are for an architecture.
 *
 * That there are none is %WELKIN_ERROR_NO_TOOLS, with the architectures that there are.
 *
 * Returns: (transfer none): one of @tools, or %NULL on error
 *
 * Since: 0.1
 */
WelkinTools *
welkin_tools_choose (GPtrArray  *tools,
                     const char *arch,
                     GError    **error)
{
  gboolean is_any = arch == NULL || *arch == '\0';
  g_autoptr(GString) arches = g_string_new (NULL);

  g_return_val_if_fail (tools != NULL, NULL);

  for (guint i = 0; i < tools->len; i++)
    {
      WelkinTools *candidate = g_ptr_array_index (tools, i);

      if (is_any || g_str_equal (candidate->arch, arch))
        return candidate;
      g_string_append_printf (arches, "%s%s", i > 0 ? " " : "", candidate->arch);
    }
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NO_TOOLS,
               _("chosen architecture %s not present in [%s]"), is_any ? "\"\"" : arch,
               arches->str);
  return NULL;
}
