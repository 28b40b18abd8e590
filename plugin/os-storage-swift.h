/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-storage.h"
#include "transport/os-client.h"
#include "values/welkin-config.h"

G_BEGIN_DECLS

#define OS_TYPE_STORAGE_SWIFT (os_storage_swift_get_type ())

/*
 * An environment's files in a container of swift. It is private, made when the first file is put,
 * and marked with the environment's uuid: one that carries another mark is left alone.
 */
G_DECLARE_FINAL_TYPE (OsStorageSwift, os_storage_swift, OS, STORAGE_SWIFT, GObject)

/* config: of the snapshot that the client belongs to */
WelkinStorage *os_storage_swift_new (OsClient     *client,
                                     WelkinConfig *config);

G_END_DECLS
