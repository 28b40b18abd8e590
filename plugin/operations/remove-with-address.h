/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/remove-with-volume.h"

G_BEGIN_DECLS

/* What removes a server of which this is known. floating_ip: (nullable) what its metadata name: it
 * has no other mark, and goes before the server, because nothing tells afterwards whose it was. */
const OsServerRemover *os_choose_server_remover (OsSnapshot *snapshot,
                                                 gboolean    is_on_volume,
                                                 const char *floating_ip);

G_END_DECLS
