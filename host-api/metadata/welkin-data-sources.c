/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/data-source-private.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>

#include "base/text.h"
#include "values/welkin-error.h"

static gboolean
refuse (const char *location,
        const char *reason,
        GError    **error)
{
  g_autofree char *quoted = wk_quote (location);

  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
               /* TRANSLATORS: a URL or a path, and what is wrong with it */
               _("invalid place of metadata %s: %s"), quoted, reason);
  return FALSE;
}

/**
 * welkin_data_source_new_for_location:
 * @location: a URL (http, https, file) or the path of a directory
 * @description: what to call it in messages, as in "image-metadata-url"
 * @flags: how to read it
 * @surroundings: (nullable): where proxies, the home and the working directory
 *   come from; %NULL for those of the process
 * @error: return location for an error
 *
 * Makes a source of metadata.
 *
 * Nothing is read yet. What is neither a URL nor a path is
 * %WELKIN_ERROR_INVALID_ARGUMENT; of a URL, proxies that are none are
 * %WELKIN_ERROR_INVALID_CONFIG. The source belongs to the thread-default main
 * context of the call.
 *
 * Returns: (transfer full): a new source, or %NULL on error
 *
 * Since: 0.1
 */
WelkinDataSource *
welkin_data_source_new_for_location (const char            *location,
                                     const char            *description,
                                     WelkinDataSourceFlags  flags,
                                     WelkinSurroundings    *surroundings,
                                     GError               **error)
{
  g_autoptr(WelkinSurroundings) own = NULL;
  g_autoptr(GUri) uri = NULL;
  g_autofree char *path = NULL;

  g_return_val_if_fail (location != NULL, NULL);
  g_return_val_if_fail (description != NULL, NULL);

  if (*location == '\0')
    {
      refuse (location, _("it is empty"), error);
      return NULL;
    }
  own = surroundings != NULL ? welkin_surroundings_ref (surroundings)
                             : welkin_surroundings_new_for_process ();
  if (strstr (location, "://") == NULL)
    {
      path = welkin_surroundings_resolve_path (own, location,
                                               welkin_surroundings_get_working_directory (own),
                                               error);
      if (path == NULL)
        return NULL;
      return welkin_data_source_new_for_directory (path, description, flags);
    }

  if (g_ascii_strncasecmp (location, "file://", strlen ("file://")) == 0)
    {
      path = g_filename_from_uri (location, NULL, NULL);
      if (path != NULL)
        return welkin_data_source_new_for_directory (path, description, flags);
    }
  uri = g_uri_parse (location, G_URI_FLAGS_NONE, NULL);
  if (uri == NULL || g_uri_get_host (uri) == NULL || *g_uri_get_host (uri) == '\0'
      || (!g_str_equal (g_uri_get_scheme (uri), "http")
          && !g_str_equal (g_uri_get_scheme (uri), "https")))
    {
      refuse (location, _("expected a URL with http, https or file, or a directory"), error);
      return NULL;
    }
  return welkin_data_source_new_for_uri (location, description, flags, own, error);
}
