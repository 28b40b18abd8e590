/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "contracts/welkin-contract-private.h"

#include <glib/gi18n-lib.h>

#include "values/welkin-error.h"

void
welkin_contract_set_refused (GError    **error,
                             const char *operation)
{
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED,
               _("the provider does not support \"%s\""), operation);
}

void
welkin_contract_refuse (gpointer            self,
                        const char         *operation,
                        GAsyncReadyCallback callback,
                        gpointer            user_data,
                        gpointer            tag)
{
  GError *error = NULL;

  welkin_contract_set_refused (&error, operation);
  g_task_report_error (self, callback, user_data, tag, error);
}
