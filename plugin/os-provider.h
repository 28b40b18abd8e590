/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-provider.h"

G_BEGIN_DECLS

#define OS_TYPE_PROVIDER (os_provider_get_type ())

/* The kind of cloud that speaks OpenStack. */
G_DECLARE_FINAL_TYPE (OsProvider, os_provider, OS, PROVIDER, GObject)

G_END_DECLS
