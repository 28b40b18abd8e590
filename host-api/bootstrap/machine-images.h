/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "metadata/welkin-image-lookup.h"

G_BEGIN_DECLS

/*
 * Images in metadata for many machines of one environment: what is asked for one series and
 * architecture is asked once, however many machines want it.
 */
typedef struct _WelkinMachineImages WelkinMachineImages;

/* directory: (nullable): where to look first */
WelkinMachineImages *welkin_machine_images_new         (WelkinEnviron       *environment,
                                                        const char          *directory,
                                                        WelkinSurroundings  *surroundings);
/* Nothing may be under way. */
void                 welkin_machine_images_free        (WelkinMachineImages *self);
WelkinEnviron       *welkin_machine_images_get_environment (WelkinMachineImages *self);
void                 welkin_machine_images_find_async  (WelkinMachineImages *self,
                                                        const char          *series,
                                                        WelkinConstraints   *constraints,
                                                        GCancellable        *cancellable,
                                                        GAsyncReadyCallback  callback,
                                                        gpointer             user_data);
/* (transfer full) */
WelkinImageLookup   *welkin_machine_images_find_finish (WelkinMachineImages *self,
                                                        GAsyncResult        *result,
                                                        GError             **error);

/* As a start is to be given them; NULL: the provider is to look itself. (element-type WelkinImage)
 * (transfer none); lookup: nullable */
GPtrArray           *welkin_image_lookup_peek_images   (WelkinImageLookup   *lookup);
/* Where the cloud has no image either, adds to the error what each source had to say.
 * lookup: nullable */
void                 welkin_image_lookup_explain       (WelkinImageLookup   *lookup,
                                                        GError              *error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinMachineImages, welkin_machine_images_free)

G_END_DECLS
