/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-storage.h"
#include "transport/os-client.h"
#include "values/welkin-config.h"

G_BEGIN_DECLS

/* The storage that attribute storage says, or else what the cloud has. surroundings: where files on
 * this machine would be (nullable). */
WelkinStorage *os_storage_new (OsClient           *client,
                               WelkinConfig       *config,
                               WelkinSurroundings *surroundings);

G_END_DECLS
