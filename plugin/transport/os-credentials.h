/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>

#include "values/welkin-config.h"
#include "values/welkin-surroundings.h"

G_BEGIN_DECLS

/*
 * Who we are and where: what a login takes, from the attributes of the environment and, for what
 * they leave open, from the OS_… variables. Immutable, refcounted.
 */
typedef struct _OsCredentials OsCredentials;

typedef enum
{
  OS_CREDENTIAL_AUTH_URL, /* normal form: no slash at the end, no query */
  OS_CREDENTIAL_USER_ID,
  OS_CREDENTIAL_USERNAME,
  OS_CREDENTIAL_PASSWORD,
  OS_CREDENTIAL_PROJECT_ID,
  OS_CREDENTIAL_PROJECT_NAME,
  OS_CREDENTIAL_USER_DOMAIN_ID,
  OS_CREDENTIAL_USER_DOMAIN_NAME,
  OS_CREDENTIAL_PROJECT_DOMAIN_ID,
  OS_CREDENTIAL_PROJECT_DOMAIN_NAME,
  OS_CREDENTIAL_REGION,
  OS_CREDENTIAL_INTERFACE, /* public, internal or admin */
  OS_N_CREDENTIALS,
} OsCredential;

/* WELKIN_ERROR_INVALID_CONFIG when a part is missing or makes no sense. */
OsCredentials *os_credentials_new       (WelkinConfig        *config,
                                         WelkinSurroundings  *surroundings,
                                         GError             **error);
OsCredentials *os_credentials_ref       (OsCredentials       *self);
void           os_credentials_unref     (OsCredentials       *self);
gboolean       os_credentials_equal     (OsCredentials       *self,
                                         OsCredentials       *other);
/* NULL when it is not given. */
const char    *os_credentials_get       (OsCredentials       *self,
                                         OsCredential         credential);
/* The body of a login to identity v3 (transfer full). */
JsonNode      *os_credentials_to_login  (OsCredentials       *self);
/* For messages, as in: user "demo" and project "demo" at https://… (transfer full) */
char          *os_credentials_describe  (OsCredentials       *self);

/* The normal form of an auth-url, or WELKIN_ERROR_INVALID_CONFIG. (transfer full) */
char          *os_auth_url_normalize    (const char          *text,
                                         GError             **error);
/* The auth-url without its version. (transfer full) */
char          *os_auth_url_get_base     (const char          *auth_url);
/* The last segment when it is a version, as in "v3"; else NULL. */
const char    *os_auth_url_get_version  (const char          *auth_url);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsCredentials, os_credentials_unref)

G_END_DECLS
