/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * Whether a file can be an archive of tools, which are unpacked by machines that nobody watches: a
 * tar in gzip, whole, and not too large. It is looked at as it comes, in little memory.
 */
typedef struct _WelkinToolsLook WelkinToolsLook;

WelkinToolsLook *welkin_tools_look_new    (void);
void             welkin_tools_look_free   (WelkinToolsLook *self);
void             welkin_tools_look_feed   (WelkinToolsLook *self,
                                           const char      *data,
                                           gsize            length);
/* When all of it has come: what is wrong with it, as part of a message, or NULL. */
const char      *welkin_tools_look_finish (WelkinToolsLook *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinToolsLook, welkin_tools_look_free)

G_END_DECLS
