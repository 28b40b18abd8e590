/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "values/welkin-error.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_INTENTS (welkin_intents_get_type ())
WELKIN_AVAILABLE_IN_0_1
G_DECLARE_INTERFACE (WelkinIntents, welkin_intents, WELKIN, INTENTS, GObject)

struct _WelkinIntentsInterface
{
  GTypeInterface parent;

  GHashTable *(*load)          (WelkinIntents       *self,
                                GError             **error);
  void        (*record_async)  (WelkinIntents       *self,
                                const char          *key,
                                const char          *text,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             user_data);
  gboolean    (*record_finish) (WelkinIntents       *self,
                                GAsyncResult        *result,
                                GError             **error);

  gpointer reserved[4];
};

/* All lines by their keys. (element-type utf8 utf8) (transfer full) */
WELKIN_AVAILABLE_IN_0_1
GHashTable *welkin_intents_load          (WelkinIntents       *self,
                                          GError             **error);
/* key: "START-ID/REST"; text: (nullable): removes the line */
WELKIN_AVAILABLE_IN_0_1
void        welkin_intents_record_async  (WelkinIntents       *self,
                                          const char          *key,
                                          const char          *text,
                                          GCancellable        *cancellable,
                                          GAsyncReadyCallback  callback,
                                          gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
gboolean    welkin_intents_record_finish (WelkinIntents       *self,
                                          GAsyncResult        *result,
                                          GError             **error);

G_END_DECLS
