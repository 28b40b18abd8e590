/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-types.h"

G_BEGIN_DECLS

#define WELKIN_ERROR (welkin_error_quark ())

typedef enum
{
  WELKIN_ERROR_FAILED,
  WELKIN_ERROR_INVALID_CONFIG,
  WELKIN_ERROR_NO_ENVIRONS_FILE,
  WELKIN_ERROR_NOT_FOUND,
  WELKIN_ERROR_ALREADY_EXISTS,
  WELKIN_ERROR_NOT_BOOTSTRAPPED,
  WELKIN_ERROR_ALREADY_BOOTSTRAPPED,
  WELKIN_ERROR_FOREIGN_ENVIRONMENT,
  WELKIN_ERROR_STORAGE_NOT_WRITABLE,
  WELKIN_ERROR_AMBIGUOUS,
  WELKIN_ERROR_UNAUTHORIZED,
  WELKIN_ERROR_FORBIDDEN,
  WELKIN_ERROR_QUOTA_EXCEEDED,
  WELKIN_ERROR_NO_ADDRESSES,
  WELKIN_ERROR_NO_ADDRESS_YET,
  WELKIN_ERROR_RATE_LIMITED,
  WELKIN_ERROR_NO_VALID_HOST,
  WELKIN_ERROR_INSTANCE_FAILED,
  WELKIN_ERROR_NO_MATCH,
  WELKIN_ERROR_NO_TOOLS,
  WELKIN_ERROR_IN_USE,
  WELKIN_ERROR_CONFLICT,
  WELKIN_ERROR_INVALID_ARGUMENT,
  WELKIN_ERROR_UNAVAILABLE,
  WELKIN_ERROR_TIMED_OUT,
  WELKIN_ERROR_NOT_SUPPORTED,
  WELKIN_ERROR_PROTOCOL,
} WelkinError;

WELKIN_AVAILABLE_IN_0_1
GQuark      welkin_error_quark            (void);

/* What a GError of this domain knows beside its text; each copes with any GError. */
WELKIN_AVAILABLE_IN_0_1
guint       welkin_error_get_status       (const GError *error);
WELKIN_AVAILABLE_IN_0_1
const char *welkin_error_get_request_id   (const GError *error);
WELKIN_AVAILABLE_IN_0_1
const char *welkin_error_get_service      (const GError *error);
WELKIN_AVAILABLE_IN_0_1
const char *welkin_error_get_hint         (const GError *error);
WELKIN_AVAILABLE_IN_0_1
gboolean    welkin_error_is_zone_independent (const GError *error);
WELKIN_AVAILABLE_IN_0_1
gboolean    welkin_error_has_leftovers    (const GError *error);

/* For providers. */
WELKIN_AVAILABLE_IN_0_1
GError     *welkin_error_new_from_service (WelkinError  code,
                                           const char  *message,
                                           const char  *service,
                                           guint        status,
                                           const char  *request_id);
WELKIN_AVAILABLE_IN_0_1
void        welkin_error_set_hint         (GError      *error,
                                           const char  *hint);
WELKIN_AVAILABLE_IN_0_1
void        welkin_error_set_zone_independent (GError  *error,
                                           gboolean     zone_independent);
WELKIN_AVAILABLE_IN_0_1
void        welkin_error_set_leftovers    (GError      *error,
                                           gboolean     has_leftovers);

G_END_DECLS
