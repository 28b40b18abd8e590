/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-config.h"
#include "values/welkin-surroundings.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_INFO (welkin_info_get_type ())

/* What is remembered of one environment, in DATA_DIR/environments/NAME.yaml.
 * Keys that this version does not know are kept. */
WELKIN_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (WelkinInfo, welkin_info, WELKIN, INFO, GObject)

/* A new, empty file: WELKIN_ERROR_ALREADY_EXISTS when there is one.
 * surroundings: nullable */
WELKIN_AVAILABLE_IN_0_1
WelkinInfo   *welkin_info_create              (WelkinSurroundings *surroundings,
                                               const char         *name,
                                               GError            **error);
/* WELKIN_ERROR_NOT_FOUND when there is none. */
WELKIN_AVAILABLE_IN_0_1
WelkinInfo   *welkin_info_load                (WelkinSurroundings *surroundings,
                                               const char         *name,
                                               GError            **error);
WELKIN_AVAILABLE_IN_0_1
const char   *welkin_info_get_name            (WelkinInfo         *self);
/* file "PATH" */
WELKIN_AVAILABLE_IN_0_1
const char   *welkin_info_get_location        (WelkinInfo         *self);
/* Whether anything was written into it yet. */
WELKIN_AVAILABLE_IN_0_1
gboolean      welkin_info_get_initialized     (WelkinInfo         *self);
/* (transfer none) (nullable) */
WELKIN_AVAILABLE_IN_0_1
WelkinConfig *welkin_info_get_config          (WelkinInfo         *self);
/* Any top-level key, as in "constraints", "until", "machines". (transfer none)
 * (nullable) */
WELKIN_AVAILABLE_IN_0_1
WelkinValue  *welkin_info_lookup              (WelkinInfo         *self,
                                               const char         *key);

/* An edit: takes a short lock, reads the file again, changes what was set since
 * the last write, writes by temporary, fsync and rename. */
WELKIN_AVAILABLE_IN_0_1
void          welkin_info_set_config          (WelkinInfo         *self,
                                               WelkinConfig       *config);
/* value: nullable: removes */
WELKIN_AVAILABLE_IN_0_1
void          welkin_info_set                 (WelkinInfo         *self,
                                               const char         *key,
                                               WelkinValue        *value);
/* One entry of a mapping below a key, as in ("machines", "0"). */
WELKIN_AVAILABLE_IN_0_1
void          welkin_info_set_entry           (WelkinInfo         *self,
                                               const char         *key,
                                               const char         *entry,
                                               WelkinValue        *value);
WELKIN_AVAILABLE_IN_0_1
gboolean      welkin_info_write               (WelkinInfo         *self,
                                               GError            **error);
/* The same, trying again for some seconds while another process edits it. */
WELKIN_AVAILABLE_IN_0_1
void          welkin_info_write_async         (WelkinInfo         *self,
                                               GCancellable       *cancellable,
                                               GAsyncReadyCallback callback,
                                               gpointer            user_data);
WELKIN_AVAILABLE_IN_0_1
gboolean      welkin_info_write_finish        (WelkinInfo         *self,
                                               GAsyncResult       *result,
                                               GError            **error);
WELKIN_AVAILABLE_IN_0_1
gboolean      welkin_info_destroy             (WelkinInfo         *self,
                                               GError            **error);

/* The second lock, held through bootstrap, destroy and each pass of the
 * provisioner: WELKIN_ERROR_IN_USE, naming the process, when another one has
 * it. Released with the last reference, and by the end of the process. */
WELKIN_AVAILABLE_IN_0_1
GObject      *welkin_info_lock_environment    (WelkinSurroundings *surroundings,
                                               const char         *name,
                                               GError            **error);

G_END_DECLS
