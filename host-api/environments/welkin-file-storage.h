/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-storage.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_FILE_STORAGE (welkin_file_storage_get_type ())

/* A directory of this machine as a storage. What is put is there at once or not at all. */
WELKIN_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (WelkinFileStorage, welkin_file_storage, WELKIN, FILE_STORAGE, GObject)

/* path: of a directory that is there (transfer full) */
WELKIN_AVAILABLE_IN_0_1
WelkinStorage *welkin_file_storage_new         (const char  *path,
                                                GError     **error);
/* path: of one that is made when something is put, and is for its owner alone (transfer full) */
WELKIN_AVAILABLE_IN_0_1
WelkinStorage *welkin_file_storage_new_private (const char  *path);

G_END_DECLS
