/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/resolve-info-private.h"

/**
 * WelkinResolveInfo:
 *
 * Tells where metadata was looked up.
 *
 * When nothing was found, it tells where it was looked for last. It is immutable
 * and may be shared between threads.
 *
 * Since: 0.1
 */
struct _WelkinResolveInfo
{
  char    *source;
  gboolean is_signed;
  char    *index_uri;
  char    *mirror_uri; /* (nullable) */
};

G_DEFINE_BOXED_TYPE (WelkinResolveInfo,
                     welkin_resolve_info,
                     welkin_resolve_info_ref,
                     welkin_resolve_info_unref)

static void
resolve_info_clear (gpointer data)
{
  WelkinResolveInfo *self = data;

  g_free (self->source);
  g_free (self->index_uri);
  g_free (self->mirror_uri);
}

WelkinResolveInfo *
welkin_resolve_info_new (const char *source,
                         gboolean    is_signed,
                         const char *index_uri,
                         const char *mirror_uri)
{
  WelkinResolveInfo *self = g_atomic_rc_box_new0 (WelkinResolveInfo);

  self->source = g_strdup (source);
  self->is_signed = is_signed;
  self->index_uri = g_strdup (index_uri);
  self->mirror_uri = g_strdup (mirror_uri);
  return self;
}

/**
 * welkin_resolve_info_ref:
 * @self: where it was looked up
 *
 * Takes another reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
WelkinResolveInfo *
welkin_resolve_info_ref (WelkinResolveInfo *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

/**
 * welkin_resolve_info_unref:
 * @self: (transfer full): where it was looked up
 *
 * Drops a reference; the last one frees it.
 *
 * Since: 0.1
 */
void
welkin_resolve_info_unref (WelkinResolveInfo *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, resolve_info_clear);
}

/**
 * welkin_resolve_info_get_source:
 * @self: where it was looked up
 *
 * Gets what the source is called.
 *
 * Returns: (transfer none): as in "default cloud images"
 *
 * Since: 0.1
 */
const char *
welkin_resolve_info_get_source (WelkinResolveInfo *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->source;
}

/**
 * welkin_resolve_info_is_signed:
 * @self: where it was looked up
 *
 * Tells whether a signature of the expected key was verified.
 *
 * Returns: whether the metadata were signed
 *
 * Since: 0.1
 */
gboolean
welkin_resolve_info_is_signed (WelkinResolveInfo *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->is_signed;
}

/**
 * welkin_resolve_info_get_index_uri:
 * @self: where it was looked up
 *
 * Gets where the index is.
 *
 * Returns: (transfer none): a URL, or a path where the source has no URLs
 *
 * Since: 0.1
 */
const char *
welkin_resolve_info_get_index_uri (WelkinResolveInfo *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->index_uri;
}

/**
 * welkin_resolve_info_get_mirror_uri:
 * @self: where it was looked up
 *
 * Gets the mirror that was used in place of the source.
 *
 * Returns: (transfer none) (nullable): its URL; %NULL when there was none
 *
 * Since: 0.1
 */
const char *
welkin_resolve_info_get_mirror_uri (WelkinResolveInfo *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->mirror_uri;
}
