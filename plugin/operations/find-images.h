/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/snapshot.h"
#include "values/welkin-constraints.h"

G_BEGIN_DECLS

/* Images that a machine may be started from. */
typedef struct
{
  GPtrArray *images; /* of OsImage, best first, each with its architecture */
  GPtrArray *lists;  /* who the images belong to */
  const char *reason; /* why these, in words */
} OsFoundImages;

void           os_found_images_free   (OsFoundImages       *self);

/*
 * Images for a series, from the first of these that says something: the constraint "image-id", the
 * attribute "image-ids", what the host found in metadata (known: (nullable) of WelkinImage),
 * glance by the properties of its images, the attribute "default-image-id". Ids are verified.
 */
void           os_find_images_async   (OsSnapshot          *snapshot,
                                       WelkinConstraints   *constraints,
                                       const char          *series,
                                       GPtrArray           *known,
                                       GCancellable        *cancellable,
                                       GAsyncReadyCallback  callback,
                                       gpointer             user_data);
/* (transfer full): perhaps without any image */
OsFoundImages *os_find_images_finish  (OsSnapshot          *snapshot,
                                       GAsyncResult        *result,
                                       GError             **error);

/* The architectures that the constraints leave: NULL-terminated; constraints must stay. (transfer
 * container) */
const char   **os_list_wanted_arches  (WelkinConstraints   *constraints);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsFoundImages, os_found_images_free)

G_END_DECLS
