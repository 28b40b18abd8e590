/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What would hold up the main loop, and is done in a thread instead. */
typedef gboolean (*WkWork) (gpointer      data,
                            GCancellable *cancellable,
                            GError      **error);

/* free_data: nullable, when data outlives it anyway, as that of a flow that waits for it does */
void     wk_work_async  (WkWork              work,
                         gpointer            data,
                         GDestroyNotify      free_data,
                         GCancellable       *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer            user_data);
gboolean wk_work_finish (GAsyncResult       *result,
                         GError            **error);

G_END_DECLS
