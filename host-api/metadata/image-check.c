/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/image-check.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/text.h"
#include "base/uri.h"
#include "metadata/arch-names.h"
#include "values/welkin-error.h"

/* An id is part of a path where the cloud is asked for the image. */
#define ID_PATTERN "^[^\\s/[:cntrl:]]+\\z"
#define VIRT_TYPE_PATTERN "^[a-zA-Z0-9][a-zA-Z0-9._-]*\\z"
/* Clouds may call a region what they like. */
#define REGION_PATTERN "^[^\\s[:cntrl:]]([^[:cntrl:]]*[^\\s[:cntrl:]])?\\z"

/* format: with a place for the value. Returns FALSE. */
static gboolean
refuse (GError    **error,
        const char *format,
        const char *value)
{
  g_autofree char *quoted = wk_quote (value);

  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT, format, quoted);
  return FALSE;
}

static gboolean
check_arch (const char *arch,
            GError    **error)
{
  const char *const *known = welkin_arch_list ();
  g_autofree char *quoted = NULL;
  g_autofree char *list = NULL;

  if (g_strv_contains (known, welkin_arch_get_present (arch)))
    return TRUE;
  quoted = wk_quote (arch);
  list = g_strjoinv (", ", (char **) known);
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
               _("invalid architecture %s: expected one of %s"), quoted, list);
  return FALSE;
}

/* Whatever else it has is no part of what names a cloud, and may be secret. */
static gboolean
check_endpoint (const char *endpoint,
                GError    **error)
{
  g_autofree char *origin = wk_uri_get_origin (endpoint);
  g_autofree char *displayed = NULL;

  if (origin == NULL || strpbrk (endpoint, " \t\r\n") != NULL)
    {
      displayed = wk_uri_for_display (endpoint);
      return refuse (error,
                     _("invalid endpoint %s: expected a URL, as in \"https://cloud.example/v3\""),
                     displayed);
    }
  if (strpbrk (endpoint, "@?#") == NULL)
    return TRUE;
  displayed = wk_uri_for_display (endpoint);
  return refuse (error,
                 _("invalid endpoint %s: expected a URL without user and password, query and "
                   "fragment"),
                 displayed);
}

gboolean
welkin_image_check_cloud (const char *region,
                          const char *endpoint,
                          GError    **error)
{
  if (!g_regex_match_simple (REGION_PATTERN, region, 0, 0))
    return refuse (error,
                   _("invalid region %s: expected text without line breaks, and without spaces "
                     "around it"),
                   region);
  return check_endpoint (endpoint, error);
}

gboolean
welkin_image_check (WelkinImage *image,
                    GError     **error)
{
  const char *virt_type = welkin_image_get_virt_type (image);

  if (!g_regex_match_simple (ID_PATTERN, welkin_image_get_id (image), 0, 0))
    return refuse (error, _("invalid image id %s: expected text without spaces and slashes"),
                   welkin_image_get_id (image));
  if (virt_type != NULL && !g_regex_match_simple (VIRT_TYPE_PATTERN, virt_type, 0, 0))
    return refuse (error,
                   _("invalid virtualization type %s: expected a word, as in \"kvm\""), virt_type);
  return check_arch (welkin_image_get_arch (image), error);
}
