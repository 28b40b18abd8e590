/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What the public calls do when a type does not implement their virtual function. */

void welkin_contract_set_refused (GError            **error,
                                  const char         *operation);
/* tag: the public call, whose finish then takes the error out of the GTask. */
void welkin_contract_refuse      (gpointer            self,
                                  const char         *operation,
                                  GAsyncReadyCallback callback,
                                  gpointer            user_data,
                                  gpointer            tag);

G_END_DECLS
