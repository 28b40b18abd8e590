/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "values/welkin-error.h"

#include <glib/gi18n-lib.h>

/**
 * WelkinError:
 * @WELKIN_ERROR_FAILED: something failed in a way that has no code of its own
 * @WELKIN_ERROR_INVALID_CONFIG: an attribute of an environment is missing or
 *   wrong
 * @WELKIN_ERROR_NO_ENVIRONS_FILE: there is no environments.yaml
 * @WELKIN_ERROR_NOT_FOUND: the named thing does not exist
 * @WELKIN_ERROR_ALREADY_EXISTS: the thing to be made exists
 * @WELKIN_ERROR_NOT_BOOTSTRAPPED: the environment has no first machine
 * @WELKIN_ERROR_ALREADY_BOOTSTRAPPED: the environment has its first machine
 * @WELKIN_ERROR_FOREIGN_ENVIRONMENT: what is stored there was written by
 *   something else
 * @WELKIN_ERROR_STORAGE_NOT_WRITABLE: the environment's storage refuses to be
 *   written
 * @WELKIN_ERROR_AMBIGUOUS: a name means more than one thing
 * @WELKIN_ERROR_UNAUTHORIZED: the cloud does not accept the credentials
 * @WELKIN_ERROR_FORBIDDEN: the credentials do not permit it
 * @WELKIN_ERROR_QUOTA_EXCEEDED: the project may have no more of it
 * @WELKIN_ERROR_NO_ADDRESSES: the pool of addresses is empty
 * @WELKIN_ERROR_NO_ADDRESS_YET: the machine has no address so far
 * @WELKIN_ERROR_RATE_LIMITED: the cloud asked for fewer requests for too long
 * @WELKIN_ERROR_NO_VALID_HOST: the cloud found no place for the machine
 * @WELKIN_ERROR_INSTANCE_FAILED: the machine came up broken
 * @WELKIN_ERROR_NO_MATCH: no image or instance type fits what was asked for
 * @WELKIN_ERROR_NO_TOOLS: there are no agent binaries that fit
 * @WELKIN_ERROR_IN_USE: something else holds it
 * @WELKIN_ERROR_CONFLICT: it was changed meanwhile
 * @WELKIN_ERROR_INVALID_ARGUMENT: what the caller gave makes no sense
 * @WELKIN_ERROR_UNAVAILABLE: the service does not answer, or says that it
 *   cannot
 * @WELKIN_ERROR_TIMED_OUT: it took longer than is allowed
 * @WELKIN_ERROR_NOT_SUPPORTED: the provider or the cloud cannot do it
 * @WELKIN_ERROR_PROTOCOL: the answer of a service makes no sense
 *
 * Errors of Welkin and of its providers.
 *
 * Each code exists because a caller may do something different about it; the
 * message is for people. Cancellation is %G_IO_ERROR_CANCELLED, and errors of
 * TLS and of name resolution keep their own domains.
 *
 * Since: 0.1
 */

typedef struct
{
  guint    status;           /* of the HTTP answer; 0 when there was none */
  char    *request_id;       /* (nullable) */
  char    *service;          /* (nullable) */
  char    *hint;             /* (nullable) */
  gboolean zone_independent;
  gboolean has_leftovers;
} WelkinErrorPrivate;

static void
welkin_error_private_init (WelkinErrorPrivate *priv)
{
}

static void
welkin_error_private_copy (const WelkinErrorPrivate *source,
                           WelkinErrorPrivate       *copy)
{
  copy->status = source->status;
  copy->request_id = g_strdup (source->request_id);
  copy->service = g_strdup (source->service);
  copy->hint = g_strdup (source->hint);
  copy->zone_independent = source->zone_independent;
  copy->has_leftovers = source->has_leftovers;
}

static void
welkin_error_private_clear (WelkinErrorPrivate *priv)
{
  g_free (priv->request_id);
  g_free (priv->service);
  g_free (priv->hint);
}

/**
 * welkin_error_quark:
 *
 * Gets the domain of Welkin's errors.
 *
 * Returns: the quark
 *
 * Since: 0.1
 */
G_DEFINE_EXTENDED_ERROR (WelkinError, welkin_error)

/* NULL for errors of other domains, which know none of this. */
static WelkinErrorPrivate *
get_private (const GError *error)
{
  if (error == NULL || error->domain != WELKIN_ERROR)
    return NULL;
  return welkin_error_get_private (error);
}

/**
 * welkin_error_get_status:
 * @error: an error of any domain
 *
 * Gets the HTTP status that a service answered with.
 *
 * Returns: the status, or 0 when the error did not come from an answer
 *
 * Since: 0.1
 */
guint
welkin_error_get_status (const GError *error)
{
  const WelkinErrorPrivate *priv = get_private (error);

  return priv != NULL ? priv->status : 0;
}

/**
 * welkin_error_get_request_id:
 * @error: an error of any domain
 *
 * Gets the id under which the operators of the cloud find the request in their
 * logs.
 *
 * Returns: (transfer none) (nullable): the id, owned by @error
 *
 * Since: 0.1
 */
const char *
welkin_error_get_request_id (const GError *error)
{
  const WelkinErrorPrivate *priv = get_private (error);

  return priv != NULL ? priv->request_id : NULL;
}

/**
 * welkin_error_get_service:
 * @error: an error of any domain
 *
 * Gets the name of the service that refused or failed, as in "compute".
 *
 * Returns: (transfer none) (nullable): the name, owned by @error
 *
 * Since: 0.1
 */
const char *
welkin_error_get_service (const GError *error)
{
  const WelkinErrorPrivate *priv = get_private (error);

  return priv != NULL ? priv->service : NULL;
}

/**
 * welkin_error_get_hint:
 * @error: an error of any domain
 *
 * Gets a sentence that tells the user what to do about the error.
 *
 * Returns: (transfer none) (nullable): the translated sentence, owned by @error
 *
 * Since: 0.1
 */
const char *
welkin_error_get_hint (const GError *error)
{
  const WelkinErrorPrivate *priv = get_private (error);

  return priv != NULL ? priv->hint : NULL;
}

/**
 * welkin_error_is_zone_independent:
 * @error: an error of any domain
 *
 * Tells whether starting the machine in another zone would fail just so.
 *
 * Returns: %TRUE if another zone cannot help
 *
 * Since: 0.1
 */
gboolean
welkin_error_is_zone_independent (const GError *error)
{
  const WelkinErrorPrivate *priv = get_private (error);

  return priv != NULL && priv->zone_independent;
}

/**
 * welkin_error_has_leftovers:
 * @error: an error of any domain
 *
 * Tells whether what had been made before could not all be unmade. The text
 * says what is left, and who tries again had better look for it first.
 *
 * Returns: %TRUE if something was left behind
 *
 * Since: 0.1
 */
gboolean
welkin_error_has_leftovers (const GError *error)
{
  const WelkinErrorPrivate *priv = get_private (error);

  return priv != NULL && priv->has_leftovers;
}

/* Bindings that rebuild an exception from its text still show what an
 * operator asks for. */
static char *
format_message (const char *message,
                guint       status,
                const char *request_id)
{
  if (status != 0 && request_id != NULL)
    return g_strdup_printf (_("%s (HTTP %u, request %s)"), message, status, request_id);
  if (status != 0)
    return g_strdup_printf (_("%s (HTTP %u)"), message, status);
  if (request_id != NULL)
    return g_strdup_printf (_("%s (request %s)"), message, request_id);
  return g_strdup (message);
}

/**
 * welkin_error_new_from_service: (skip)
 * @code: which error
 * @message: what failed, and what the service said about it
 * @service: (nullable): the name of the service, as in "compute"
 * @status: the HTTP status, or 0
 * @request_id: (nullable): the id of the request
 *
 * Makes an error about the answer of a service.
 *
 * The status and the id of the request are appended to the message. This is for
 * providers.
 *
 * Returns: (transfer full): a new error
 *
 * Since: 0.1
 */
GError *
welkin_error_new_from_service (WelkinError code,
                               const char *message,
                               const char *service,
                               guint       status,
                               const char *request_id)
{
  g_autofree char *text = NULL;
  WelkinErrorPrivate *priv;
  GError *error;

  g_return_val_if_fail (message != NULL, NULL);

  text = format_message (message, status, request_id);
  error = g_error_new_literal (WELKIN_ERROR, code, text);
  priv = get_private (error);
  priv->status = status;
  priv->request_id = g_strdup (request_id);
  priv->service = g_strdup (service);
  return error;
}

/**
 * welkin_error_set_hint: (skip)
 * @error: an error; of another domain than %WELKIN_ERROR it is left alone
 * @hint: (nullable): a translated sentence
 *
 * Says what the user can do about an error.
 *
 * Since: 0.1
 */
void
welkin_error_set_hint (GError     *error,
                       const char *hint)
{
  WelkinErrorPrivate *priv = get_private (error);
  char *copy;

  if (priv == NULL)
    return;
  copy = g_strdup (hint);
  g_free (priv->hint);
  priv->hint = copy;
}

/**
 * welkin_error_set_zone_independent: (skip)
 * @error: an error; of another domain than %WELKIN_ERROR it is left alone
 * @zone_independent: whether another zone cannot help
 *
 * Says whether starting the machine in another zone would fail just so.
 *
 * Since: 0.1
 */
void
welkin_error_set_zone_independent (GError   *error,
                                   gboolean  zone_independent)
{
  WelkinErrorPrivate *priv = get_private (error);

  if (priv != NULL)
    priv->zone_independent = zone_independent;
}

/**
 * welkin_error_set_leftovers: (skip)
 * @error: an error; of another domain than %WELKIN_ERROR it is left alone
 * @has_leftovers: whether something was left behind
 *
 * Says whether what had been made before could not all be unmade.
 *
 * Since: 0.1
 */
void
welkin_error_set_leftovers (GError   *error,
                            gboolean  has_leftovers)
{
  WelkinErrorPrivate *priv = get_private (error);

  if (priv != NULL)
    priv->has_leftovers = has_leftovers;
}
