/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-storage.h"
#include "transport/os-client.h"
#include "values/welkin-config.h"

G_BEGIN_DECLS

#define OS_TYPE_STORAGE_AUTO (os_storage_auto_get_type ())

/*
 * A storage that is chosen when it is used first, for only a login tells what a cloud has: swift,
 * else S3 if there are keys for it, else a directory of this machine.
 */
G_DECLARE_FINAL_TYPE (OsStorageAuto, os_storage_auto, OS, STORAGE_AUTO, GObject)

/* directory: where files on this machine would be (nullable) */
WelkinStorage *os_storage_auto_new (OsClient     *client,
                                    WelkinConfig *config,
                                    const char   *directory);
/* What was chosen, once it was used (transfer none); NULL before. */
WelkinStorage *os_storage_auto_get_chosen (OsStorageAuto *self);

G_END_DECLS
