/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/inventory.h"

G_BEGIN_DECLS

#define OS_N_KINDS (WELKIN_LEFTOVER_VOLUME + 1)

/*
 * One kind of thing: how it is listed, what is read of each, and how one is removed. The service of
 * each comes from the snapshot.
 */
typedef struct
{
  const char *failure;     /* to list them (translatable) */
  gboolean    is_optional; /* who may not see such things has made none */

  gboolean   (*exists)        (OsSnapshot          *snapshot); /* (nullable) always */
  void       (*list_async)    (OsSnapshot          *snapshot,
                               const char *const   *query,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data);
  GPtrArray *(*list_finish)   (OsSnapshot          *snapshot,
                               GAsyncResult        *result,
                               GError             **error);
  /* FALSE: it is on its way out. */
  gboolean   (*read)          (OsSnapshot          *snapshot,
                               gconstpointer        record,
                               OsThing             *thing);
  void       (*remove_async)  (const OsThing       *thing,
                               OsSnapshot          *snapshot,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data);
  gboolean   (*remove_finish) (OsSnapshot          *snapshot,
                               GAsyncResult        *result,
                               GError             **error);
} OsKind;

/* By WelkinLeftoverKind. */
extern const OsKind os_kinds[OS_N_KINDS];

G_END_DECLS
