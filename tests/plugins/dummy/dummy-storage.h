/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "dummy-cloud.h"

G_BEGIN_DECLS

#define DUMMY_TYPE_STORAGE (dummy_storage_get_type ())
G_DECLARE_FINAL_TYPE (DummyStorage, dummy_storage, DUMMY, STORAGE, GObject)

WelkinStorage *dummy_storage_new (WelkinConfig *config);

G_END_DECLS
