/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/http.h"

G_BEGIN_DECLS

/* One question to the metadata service of the machine that we are on. It is asked again for a
 * while, as the service and the network may be younger than we are. WELKIN_ERROR_NOT_FOUND: the
 * service does not know it. */
void    os_fetch_own_metadata_async  (WkHttp              *http,
                                      const char          *uri,
                                      GCancellable        *cancellable,
                                      GAsyncReadyCallback  callback,
                                      gpointer             user_data);
/* (transfer full) */
GBytes *os_fetch_own_metadata_finish (GAsyncResult        *result,
                                      GError             **error);

G_END_DECLS
