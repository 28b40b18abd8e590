/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define WELKIN_TYPE_INFO_LOCK (welkin_info_lock_get_type ())

/* A file that is locked as long as the object lives, and gone afterwards. It
 * holds the id of the process, for others to name. The kernel lets go of it
 * when the process ends, however that comes. */
G_DECLARE_FINAL_TYPE (WelkinInfoLock, welkin_info_lock, WELKIN, INFO_LOCK, GObject)

/* Tries for so many milliseconds at most, 0 for once. It blocks meanwhile, so they
 * have to be few. When another one has it:
 * NULL, without an error when holder is set to the process that has it (0 when
 * that is not known). */
WelkinInfoLock *welkin_info_lock_take (const char *path,
                                       guint       milliseconds,
                                       int        *holder,
                                       GError    **error);

G_END_DECLS
