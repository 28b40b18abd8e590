/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * A cache by key in which each key is loaded once however many ask for it at the same
 * time. Failures are not kept. A waiter that is cancelled leaves the load running for
 * the others; when the last one goes, the load is cancelled. Values are boxed or
 * refcounted: the memo hands out copies made with the copy function (a ref, as a rule).
 */
typedef struct _WkMemo WkMemo;

typedef void     (*WkMemoLoad)       (gpointer            owner,
                                      const char         *key,
                                      GCancellable       *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer            user_data);
typedef gpointer (*WkMemoLoadFinish) (gpointer            owner,
                                      GAsyncResult       *result,
                                      GError            **error);
typedef gpointer (*WkMemoCopy)       (gpointer            value);

/* owner is not referenced: it must close the memo (wk_memo_close) before it goes.
 * seconds: how long a value is good; negative for ever. */
WkMemo  *wk_memo_new        (gpointer            owner,
                             double              seconds,
                             WkMemoLoad          load,
                             WkMemoLoadFinish    load_finish,
                             WkMemoCopy          copy,
                             GDestroyNotify      free_value);
WkMemo  *wk_memo_ref        (WkMemo             *memo);
void     wk_memo_unref      (WkMemo             *memo);
/* Cancels the loads under way, whose waiters get G_IO_ERROR_CANCELLED, and forgets everything. */
void     wk_memo_close      (WkMemo             *memo);
void     wk_memo_invalidate (WkMemo             *memo,
                             const char         *key);
/* The value if it is there and fresh (transfer full), else NULL. */
gpointer wk_memo_peek       (WkMemo             *memo,
                             const char         *key);
/* key: "" where there is only one value. */
void     wk_memo_get_async  (WkMemo             *memo,
                             const char         *key,
                             GCancellable       *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer            user_data);
gpointer wk_memo_get_finish (WkMemo             *memo,
                             GAsyncResult       *result,
                             GError            **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WkMemo, wk_memo_unref)

G_END_DECLS
