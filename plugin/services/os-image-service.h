/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-image.h"
#include "transport/os-client.h"

G_BEGIN_DECLS

#define OS_TYPE_IMAGE_SERVICE (os_image_service_get_type ())

/* Glance. What it answers is kept for five minutes. */
G_DECLARE_FINAL_TYPE (OsImageService, os_image_service, OS, IMAGE_SERVICE, GObject)

OsImageService *os_image_service_new                (OsClient             *client);

/* The active images (element-type OsImage) (transfer full) of a release of a system, newest first;
 * os_version: nullable, then all releases. */
void            os_image_service_list_images_async  (OsImageService       *self,
                                                     const char           *os_distro,
                                                     const char           *os_version,
                                                     GCancellable         *cancellable,
                                                     GAsyncReadyCallback   callback,
                                                     gpointer              user_data);
GPtrArray      *os_image_service_list_images_finish (OsImageService       *self,
                                                     GAsyncResult         *result,
                                                     GError              **error);
/* The image of this id: none or one (element-type OsImage) (transfer full). */
void            os_image_service_find_image_async   (OsImageService       *self,
                                                     const char           *id,
                                                     GCancellable         *cancellable,
                                                     GAsyncReadyCallback   callback,
                                                     gpointer              user_data);
GPtrArray      *os_image_service_find_image_finish  (OsImageService       *self,
                                                     GAsyncResult         *result,
                                                     GError              **error);

G_END_DECLS
