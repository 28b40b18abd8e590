/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-environ.h"
#include "metadata/welkin-resolve-info.h"
#include "values/welkin-surroundings.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_IMAGE_LOOKUP (welkin_image_lookup_get_type ())

/* What was found in image metadata, or why nothing was: immutable, refcounted. */
typedef struct _WelkinImageLookup WelkinImageLookup;

WELKIN_AVAILABLE_IN_0_1
GType              welkin_image_lookup_get_type   (void) G_GNUC_CONST;
WELKIN_AVAILABLE_IN_0_1
WelkinImageLookup *welkin_image_lookup_ref        (WelkinImageLookup   *self);
WELKIN_AVAILABLE_IN_0_1
void               welkin_image_lookup_unref      (WelkinImageLookup   *self);
/* (element-type WelkinImage) (transfer none): of the first source that has any, the newest of each
 * kind; perhaps empty */
WELKIN_AVAILABLE_IN_0_1
GPtrArray         *welkin_image_lookup_get_images (WelkinImageLookup   *self);
/* NULL when there was no source at all. */
WELKIN_AVAILABLE_IN_0_1
WelkinResolveInfo *welkin_image_lookup_get_info   (WelkinImageLookup   *self);
/* What each source had to say that had nothing, a line for each. */
WELKIN_AVAILABLE_IN_0_1
const char        *welkin_image_lookup_get_explanation (WelkinImageLookup *self);

/* Looks for images of a series in sources. sources: (element-type WelkinDataSource); arches:
 * (nullable) any; stream: (nullable) "released"; region, endpoint: (nullable) any cloud */
WELKIN_AVAILABLE_IN_0_1
void               welkin_image_lookup_async      (GPtrArray           *sources,
                                                   const char          *series,
                                                   const char * const  *arches,
                                                   const char          *stream,
                                                   const char          *region,
                                                   const char          *endpoint,
                                                   WelkinSurroundings  *surroundings,
                                                   GCancellable        *cancellable,
                                                   GAsyncReadyCallback  callback,
                                                   gpointer             user_data);
/* (transfer full): that nothing was found is no error */
WELKIN_AVAILABLE_IN_0_1
WelkinImageLookup *welkin_image_lookup_finish     (GAsyncResult        *result,
                                                   GError             **error);

/* The sources of an environment, in order: directory (nullable), "image-metadata-url", its own
 * storage, what the cloud offers, the public ones. */
WELKIN_AVAILABLE_IN_0_1
void               welkin_environ_list_image_sources_async  (WelkinEnviron       *environment,
                                                   const char          *directory,
                                                   WelkinSurroundings  *surroundings,
                                                   GCancellable        *cancellable,
                                                   GAsyncReadyCallback  callback,
                                                   gpointer             user_data);
/* (element-type WelkinDataSource) (transfer container) */
WELKIN_AVAILABLE_IN_0_1
GPtrArray         *welkin_environ_list_image_sources_finish (WelkinEnviron       *environment,
                                                   GAsyncResult        *result,
                                                   GError             **error);
/* Both of the above: images for a machine of an environment. */
WELKIN_AVAILABLE_IN_0_1
void               welkin_environ_find_images_async (WelkinEnviron     *environment,
                                                   const char          *series,
                                                   WelkinConstraints   *constraints,
                                                   const char          *directory,
                                                   WelkinSurroundings  *surroundings,
                                                   GCancellable        *cancellable,
                                                   GAsyncReadyCallback  callback,
                                                   gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
WelkinImageLookup *welkin_environ_find_images_finish (WelkinEnviron    *environment,
                                                   GAsyncResult        *result,
                                                   GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinImageLookup, welkin_image_lookup_unref)

G_END_DECLS
