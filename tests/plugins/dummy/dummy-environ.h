/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <welkin.h>

G_BEGIN_DECLS

#define DUMMY_TYPE_ENVIRON (dummy_environ_get_type ())
G_DECLARE_FINAL_TYPE (DummyEnviron, dummy_environ, DUMMY, ENVIRON, GObject)

WelkinEnviron *dummy_environ_new (WelkinConfig *config);

G_END_DECLS
