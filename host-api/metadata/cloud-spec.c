/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/cloud-spec.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>

#include "base/text.h"
#include "base/uri.h"

WelkinCloudSpec *
welkin_cloud_spec_new (const char *region,
                       const char *endpoint)
{
  WelkinCloudSpec *self = g_new0 (WelkinCloudSpec, 1);

  self->region = g_strdup (region != NULL ? region : "");
  self->endpoint = g_strdup (endpoint != NULL ? endpoint : "");
  return self;
}

WelkinCloudSpec *
welkin_cloud_spec_copy (const WelkinCloudSpec *self)
{
  return welkin_cloud_spec_new (self->region, self->endpoint);
}

void
welkin_cloud_spec_free (WelkinCloudSpec *self)
{
  g_free (self->region);
  g_free (self->endpoint);
  g_free (self);
}

/* Two URLs are the same when these are. */
static char *
normalize_endpoint (const char *endpoint)
{
  g_autofree char *origin = wk_uri_get_origin (endpoint);
  g_autoptr(GUri) uri = NULL;
  char *normal;

  if (origin != NULL)
    uri = g_uri_parse (endpoint, G_URI_FLAGS_NONE, NULL);
  normal = uri != NULL ? g_strconcat (origin, g_uri_get_path (uri), NULL) : g_strdup (endpoint);
  while (g_str_has_suffix (normal, "/"))
    normal[strlen (normal) - 1] = '\0';
  return normal;
}

gboolean
welkin_cloud_spec_matches (const WelkinCloudSpec *wanted,
                           const WelkinCloudSpec *offered)
{
  g_autofree char *wanted_endpoint = NULL;
  g_autofree char *offered_endpoint = NULL;

  if (*wanted->region != '\0' && !g_str_equal (wanted->region, offered->region))
    return FALSE;
  if (*wanted->endpoint == '\0' || g_str_equal (wanted->endpoint, offered->endpoint))
    return TRUE;
  wanted_endpoint = normalize_endpoint (wanted->endpoint);
  offered_endpoint = normalize_endpoint (offered->endpoint);
  return g_str_equal (wanted_endpoint, offered_endpoint);
}

char *
welkin_cloud_spec_to_text (const WelkinCloudSpec *self)
{
  g_autofree char *region = wk_quote (self->region);
  g_autofree char *endpoint = wk_quote (self->endpoint);

  /* TRANSLATORS: the name of a region of a cloud, and the URL of that cloud */
  return g_strdup_printf (_("region %s at %s"), region, endpoint);
}
