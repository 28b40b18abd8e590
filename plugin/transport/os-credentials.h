/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "transport/os-auth-url.h"
#include "values/welkin-config.h"

G_BEGIN_DECLS

/*
 * Who we are and where: what a login takes, read from the effective configuration. Immutable,
 * refcounted.
 */
typedef struct _OsCredentials OsCredentials;

/*
 * The way to log in. os_credentials_get_version() tells for which version of identity, and
 * os_credentials_new() has checked that each has what it takes:
 *
 *   PASSWORD v3       user id, or user name in the user's domain; password; a scope
 *   PASSWORD v2       user name; password; project
 *   PASSWORD unknown  as for v3; a scope that is a project fits v2 as well
 *   APPLICATION_CREDENTIAL
 *                     v3 alone: id, or name and user; secret. It implies its project: no scope is
 *                     sent, and a project that is given is compared with that of the token
 *   TOKEN             v3 alone: token; a scope if one is given
 *   KEY_PAIR v3       both keys, which sign an EC2 request; the scope is the key pair's own
 *   KEY_PAIR v2       both keys; project
 *   LEGACY            v1: user name, password; no project and no region
 *
 * A scope is a trust, else a project id, else a project name in the project's domain. A domain that
 * is not given is the one with the id "default".
 */
typedef enum
{
  OS_AUTH_PASSWORD,
  OS_AUTH_APPLICATION_CREDENTIAL,
  OS_AUTH_TOKEN,
  OS_AUTH_KEY_PAIR,
  OS_AUTH_LEGACY,
} OsAuthMode;

typedef enum
{
  OS_CREDENTIAL_AUTH_URL, /* normal form: no slash at the end, no query */
  OS_CREDENTIAL_USER_ID,
  OS_CREDENTIAL_USERNAME,
  OS_CREDENTIAL_PASSWORD,
  OS_CREDENTIAL_APPLICATION_CREDENTIAL_ID,
  OS_CREDENTIAL_APPLICATION_CREDENTIAL_NAME,
  OS_CREDENTIAL_APPLICATION_CREDENTIAL_SECRET,
  OS_CREDENTIAL_TOKEN,
  OS_CREDENTIAL_ACCESS_KEY,
  OS_CREDENTIAL_SECRET_KEY,
  OS_CREDENTIAL_TRUST_ID,
  OS_CREDENTIAL_PROJECT_ID,
  OS_CREDENTIAL_PROJECT_NAME,
  OS_CREDENTIAL_USER_DOMAIN_ID,
  OS_CREDENTIAL_USER_DOMAIN_NAME,
  OS_CREDENTIAL_PROJECT_DOMAIN_ID,
  OS_CREDENTIAL_PROJECT_DOMAIN_NAME,
  OS_CREDENTIAL_REGION,
  OS_CREDENTIAL_INTERFACE, /* public, internal or admin */

  /* How the servers are known to be the right ones, and we to them. */
  OS_CREDENTIAL_CA_CERTIFICATES,    /* an absolute path, or PEM text */
  OS_CREDENTIAL_CLIENT_CERTIFICATE, /* an absolute path */
  OS_CREDENTIAL_CLIENT_KEY,         /* an absolute path; NULL: with the certificate */
  OS_N_CREDENTIALS,
} OsCredential;

/* effective: as of os_clouds_fill(). WELKIN_ERROR_INVALID_CONFIG when a part is missing or makes no
 * sense. */
OsCredentials *os_credentials_new         (WelkinConfig   *effective,
                                           GError        **error);
OsCredentials *os_credentials_ref         (OsCredentials  *self);
void           os_credentials_unref       (OsCredentials  *self);
gboolean       os_credentials_equal       (OsCredentials  *self,
                                           OsCredentials  *other);
OsAuthMode     os_credentials_get_mode    (OsCredentials  *self);
/* 1, 2 or 3 where the mode, the attribute identity-api-version or the auth-url says so; 0: the
 * newest that the cloud has. An auth-url that ends in another version is left for its base. */
guint          os_credentials_get_version (OsCredentials  *self);
/* NULL when it is not given. */
const char    *os_credentials_get         (OsCredentials  *self,
                                           OsCredential    credential);
/* FALSE: certificates of servers are not checked. */
gboolean       os_credentials_verifies    (OsCredentials  *self);
/* For messages, as in: user "demo" and project "demo" at https://… (transfer full) */
char          *os_credentials_describe    (OsCredentials  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsCredentials, os_credentials_unref)

G_END_DECLS
