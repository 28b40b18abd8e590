/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * A stack of ways to unmake what an operation has made. It runs backwards, each entry after
 * the former one has ended, within one deadline of its own. An entry that fails does not stop
 * the ones below it. What it could not remove is added to the operation's error ("…; left
 * behind: port 17ab, server 3c4d"), unless it failed with WELKIN_ERROR_NOT_FOUND: it is gone.
 * Such an error is marked as zone-independent: no other zone is to be tried as long as something
 * is left in this one.
 */
typedef struct _WkUndo WkUndo;

/* Has the shape of "delete this thing by its id". */
typedef void     (*WkUndoAsync)  (gpointer            target,
                                  const char         *id,
                                  GCancellable       *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer            user_data);
typedef gboolean (*WkUndoFinish) (gpointer            target,
                                  GAsyncResult       *result,
                                  GError            **error);

WkUndo  *wk_undo_new        (void);
WkUndo  *wk_undo_ref        (WkUndo             *undo);
void     wk_undo_unref      (WkUndo             *undo);
gboolean wk_undo_is_empty   (WkUndo             *undo);
/* what: a word for people, as in "port"; target: a GObject, or NULL where neither function needs
 * one. */
void     wk_undo_push       (WkUndo             *undo,
                             const char         *what,
                             gpointer            target,
                             const char         *id,
                             WkUndoAsync         undo_async,
                             WkUndoFinish        undo_finish);
/* Takes back the newest entry for this id: the thing is gone, or is somebody else's to remove. */
void     wk_undo_forget     (WkUndo             *undo,
                             const char         *id);
void     wk_undo_run_async  (WkUndo             *undo,
                             double              seconds,
                             GAsyncReadyCallback callback,
                             gpointer            user_data);
/* Adds to *error (which is the reason for undoing, and stays) what was left behind. */
gboolean wk_undo_run_finish (WkUndo             *undo,
                             GAsyncResult       *result,
                             GError            **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WkUndo, wk_undo_unref)

G_END_DECLS
