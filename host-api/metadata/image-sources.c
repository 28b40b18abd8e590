/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "contracts/welkin-optional.h"
#include "metadata/metadata-keys.h"
#include "metadata/metadata-names.h"
#include "metadata/welkin-data-sources.h"
#include "metadata/welkin-image-lookup.h"

/* Where public images are published, for all clouds that have them. */
#define PUBLIC_IMAGES "https://cloud-images.ubuntu.com"
#define NO_PUBLIC_IMAGES "none"

typedef struct
{
  /* inputs */
  WelkinEnviron      *environment;  /* (owned) */
  char               *directory;    /* (owned) (nullable) */
  WelkinSurroundings *surroundings; /* (owned) */

  GPtrArray          *sources;      /* (owned) of WelkinDataSource */
} Listing;

static void
listing_free (gpointer user_data)
{
  Listing *self = user_data;

  g_clear_pointer (&self->sources, g_ptr_array_unref);
  welkin_surroundings_unref (self->surroundings);
  g_free (self->directory);
  g_object_unref (self->environment);
  g_free (self);
}

static gboolean
add_location (Listing              *self,
              const char           *location,
              const char           *description,
              WelkinDataSourceFlags flags,
              GError              **error)
{
  WelkinDataSource *source;

  source = welkin_data_source_new_for_location (location, description, flags, self->surroundings,
                                                error);
  if (source == NULL)
    return FALSE;
  g_ptr_array_add (self->sources, source);
  return TRUE;
}

/* A path means the directory of images below it, unless it is that already; a URL is that of
 * images. */
static gboolean
add_images_of (Listing    *self,
               const char *location,
               const char *description,
               GError    **error)
{
  WelkinConfig *config = welkin_environ_get_config (self->environment);
  gboolean checks = welkin_config_get_boolean (config, "ssl-hostname-verification");
  g_autofree char *below = NULL;
  g_autofree char *name = g_path_get_basename (location);

  if (strstr (location, "://") == NULL && !g_str_equal (name, WELKIN_IMAGES_DIRECTORY))
    below = g_build_filename (location, WELKIN_IMAGES_DIRECTORY, NULL);
  return add_location (self, below != NULL ? below : location, description,
                       checks ? WELKIN_DATA_SOURCE_NONE
                              : WELKIN_DATA_SOURCE_ACCEPT_ANY_CERTIFICATE,
                       error);
}

static gboolean
add_chosen (Listing *self,
            GError **error)
{
  WelkinConfig *config = welkin_environ_get_config (self->environment);
  const char *location = welkin_config_get_string (config, "image-metadata-url");

  if (self->directory != NULL
      && !add_images_of (self, self->directory, "local metadata directory", error))
    return FALSE;
  return *location == '\0' || add_images_of (self, location, "image-metadata-url", error);
}

/* An environment that was never used has no storage of its own yet. */
static void
add_storage (Listing *self)
{
  WelkinConfig *config = welkin_environ_get_config (self->environment);
  g_autoptr(WelkinStorage) storage = NULL;

  if (*welkin_config_get_string (config, "uuid") != '\0')
    storage = welkin_environ_get_storage (self->environment);
  if (storage != NULL)
    g_ptr_array_add (self->sources,
                     welkin_data_source_new_for_storage (storage, WELKIN_IMAGES_DIRECTORY "/",
                                                         "cloud storage"));
}

/* What comes from anywhere is believed if it is signed; without a key it comes by TLS at least. */
static gboolean
add_public (Listing *self,
            GError **error)
{
  WelkinConfig *config = welkin_environ_get_config (self->environment);
  const char *stream = welkin_config_get_string (config, "image-stream");
  const char *base = welkin_surroundings_get_variable (self->surroundings, "WELKIN_PUBLIC_IMAGES");
  g_autofree char *key = welkin_image_key_find (self->surroundings);
  g_autofree char *location = NULL;

  if (base == NULL)
    base = PUBLIC_IMAGES;
  if (g_str_equal (base, NO_PUBLIC_IMAGES))
    return TRUE;
  if (*stream == '\0' || g_str_equal (stream, WELKIN_METADATA_RELEASED))
    stream = "releases";
  if (key == NULL)
    g_info ("there is no key to verify public image metadata with: see WELKIN_IMAGE_KEY");
  location = g_strconcat (base, "/", stream, NULL);
  return add_location (self, location, "default cloud images",
                       key != NULL ? WELKIN_DATA_SOURCE_REQUIRE_SIGNED : WELKIN_DATA_SOURCE_NONE,
                       error);
}

static void
list_run (WkFlow  *flow,
          gpointer user_data)
{
  Listing *self = user_data;
  g_autoptr(GPtrArray) offered = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!add_chosen (self, &error))
    WK_FAIL (flow, &error, NULL);
  add_storage (self);
  if (WELKIN_IS_IMAGE_SOURCES (self->environment))
    {
      WK_AWAIT (flow, welkin_image_sources_get_async (WELKIN_IMAGE_SOURCES (self->environment),
                                                      WK_RESUME (flow)));
      offered = welkin_image_sources_get_finish (WELKIN_IMAGE_SOURCES (self->environment),
                                                 WK_RESULT (flow), &error);
      if (offered == NULL)
        WK_FAIL (flow, &error, _("cannot find out where the cloud keeps image metadata"));
      g_ptr_array_extend (self->sources, offered, (GCopyFunc) (void *) g_object_ref, NULL);
    }
  if (!add_public (self, &error))
    WK_FAIL (flow, &error, NULL);

  wk_flow_return_pointer (flow, g_steal_pointer (&self->sources),
                          (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

/**
 * welkin_environ_list_image_sources_async:
 * @environment: an environment
 * @directory: (nullable) (type filename): a directory to look in first
 * @surroundings: (nullable): where proxies and keys come from; %NULL for those
 *   of the process
 * @cancellable: (nullable): ends the call
 * @callback: (scope async) (closure user_data): called in the main context of
 *   @environment
 * @user_data: data for @callback
 *
 * Lists where an environment's image metadata is looked up, in order: the
 * directory, the attribute `image-metadata-url`, the environment's storage, what
 * the cloud itself offers, and the public place.
 *
 * Since: 0.1
 */
void
welkin_environ_list_image_sources_async (WelkinEnviron       *environment,
                                         const char          *directory,
                                         WelkinSurroundings  *surroundings,
                                         GCancellable        *cancellable,
                                         GAsyncReadyCallback  callback,
                                         gpointer             user_data)
{
  Listing *self;

  g_return_if_fail (WELKIN_IS_ENVIRON (environment));

  self = g_new0 (Listing, 1);
  self->environment = g_object_ref (environment);
  self->directory = g_strdup (directory);
  self->surroundings = surroundings != NULL ? welkin_surroundings_ref (surroundings)
                                            : welkin_surroundings_new_for_process ();
  self->sources = g_ptr_array_new_with_free_func (g_object_unref);
  wk_flow_start (environment, cancellable, callback, user_data,
                 welkin_environ_list_image_sources_async, list_run, self, listing_free);
}

/**
 * welkin_environ_list_image_sources_finish:
 * @environment: an environment
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Environ.list_image_sources_async].
 *
 * Returns: (transfer container) (element-type WelkinDataSource): the sources, or
 *   %NULL on error
 *
 * Since: 0.1
 */
GPtrArray *
welkin_environ_list_image_sources_finish (WelkinEnviron  *environment,
                                          GAsyncResult   *result,
                                          GError        **error)
{
  return wk_flow_finish_pointer (result, environment, welkin_environ_list_image_sources_async,
                                 error);
}
