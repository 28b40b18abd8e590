/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-image.h"

G_BEGIN_DECLS

/* Every architecture that a machine can have, in Welkin's words. */
extern const char *const os_all_arches[];

/* Those of glance's images that a machine may be started from, best first: the project's own
 * before public ones before what others share, and the newest of each. An image that does not
 * tell its architecture counts as amd64 when no other image will do; its record is completed.
 * (element-type OsImage) (transfer container): the records stay those of images. */
GPtrArray *os_choose_images (GPtrArray         *images,
                             const char *const *arches,
                             const char        *project_id);
/* Gives an image that does not tell its architecture this one. */
void       os_image_ensure_arch (OsImage      *image,
                                 const char   *arch);

G_END_DECLS
