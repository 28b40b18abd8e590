/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/undo.h"
#include "operations/snapshot.h"

G_BEGIN_DECLS

/*
 * How to remove a server together with what it alone has, in the shape of an undo whose target is
 * an OsSnapshot. The volume that it boots from is deleted by nova, and where it is not, by this; a
 * floating IP of nova goes before the server, because only its metadata tell whose that is.
 */
typedef struct
{
  WkUndoAsync  remove_async;
  WkUndoFinish remove_finish;
} OsServerRemover;

/* For a server of which this is known. floating_ip: (nullable) what its metadata name */
const OsServerRemover *os_choose_server_remover (OsSnapshot *snapshot,
                                                 gboolean    is_on_volume,
                                                 const char *floating_ip);
/* The same, but the floating IP stays: the next try at the machine takes it. */
const OsServerRemover *os_get_server_remover    (gboolean    is_on_volume);

G_END_DECLS
