/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-storage.h"

G_BEGIN_DECLS

#define OS_TYPE_STORAGE_NONE (os_storage_none_get_type ())

/* No storage: every call of it is WELKIN_ERROR_NOT_SUPPORTED. */
G_DECLARE_FINAL_TYPE (OsStorageNone, os_storage_none, OS, STORAGE_NONE, GObject)

WelkinStorage *os_storage_none_new (void);

G_END_DECLS
