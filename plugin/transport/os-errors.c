/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/uri.h"
#include "transport/os-complaint.h"
#include "transport/os-errors.h"
#include "values/welkin-error.h"

/* What the answer means. The first row that fits counts; status 0 is any, a NULL type and a NULL
 * text are any. */
static const struct
{
  guint       status;
  const char *type;
  const char *text; /* somewhere in the words, without case */
  WelkinError code;
} meanings[] = {
  { 0, "IpAddressGenerationFailure", NULL, WELKIN_ERROR_NO_ADDRESSES },
  { 0, "ExternalIpAddressExhausted", NULL, WELKIN_ERROR_NO_ADDRESSES },
  { 0, "ExternalGatewayForFloatingIPNotFound", NULL, WELKIN_ERROR_INVALID_ARGUMENT },
  { 0, "OverQuota", NULL, WELKIN_ERROR_QUOTA_EXCEEDED },
  { 0, "SecurityGroupRuleExists", NULL, WELKIN_ERROR_ALREADY_EXISTS },
  { 0, "DuplicateSecurityGroupRuleInPost", NULL, WELKIN_ERROR_ALREADY_EXISTS },
  { 0, "SecurityGroupInUse", NULL, WELKIN_ERROR_IN_USE },
  { 0, "PortInUse", NULL, WELKIN_ERROR_IN_USE },
  { 0, "ServicePortInUse", NULL, WELKIN_ERROR_IN_USE },
  { 0, "NetworkInUse", NULL, WELKIN_ERROR_IN_USE },
  { 0, "SecurityGroupDefaultAlreadyExists", NULL, WELKIN_ERROR_ALREADY_EXISTS },
  { 0, "NoSuchKey", NULL, WELKIN_ERROR_NOT_FOUND },
  { 0, "NoSuchBucket", NULL, WELKIN_ERROR_NOT_FOUND },
  { 0, "BucketAlreadyOwnedByYou", NULL, WELKIN_ERROR_ALREADY_EXISTS },
  { 0, "BucketAlreadyExists", NULL, WELKIN_ERROR_CONFLICT },
  { 0, "InvalidAccessKeyId", NULL, WELKIN_ERROR_UNAUTHORIZED },
  { 0, "SignatureDoesNotMatch", NULL, WELKIN_ERROR_UNAUTHORIZED },
  { 0, "RequestTimeTooSkewed", NULL, WELKIN_ERROR_UNAUTHORIZED },
  { 0, "BadDigest", NULL, WELKIN_ERROR_PROTOCOL },
  { 0, "XAmzContentSHA256Mismatch", NULL, WELKIN_ERROR_PROTOCOL },
  { 0, NULL, "no valid host was found", WELKIN_ERROR_NO_VALID_HOST },
  { 0, NULL, "exhausted all hosts", WELKIN_ERROR_NO_VALID_HOST },
  { 0, NULL, "exceeded maximum number of retries", WELKIN_ERROR_NO_VALID_HOST },
  { 0, NULL, "exceeded max scheduling attempts", WELKIN_ERROR_NO_VALID_HOST },
  { 0, NULL, "requested availability zone is not available", WELKIN_ERROR_NO_VALID_HOST },
  { 0, NULL, "no fixed ip addresses available", WELKIN_ERROR_NO_ADDRESSES },
  { 0, NULL, "zero fixed ips", WELKIN_ERROR_NO_ADDRESSES },
  { 400, NULL, "already exists", WELKIN_ERROR_ALREADY_EXISTS },
  { 400, NULL, "in use", WELKIN_ERROR_IN_USE },
  { 400, NULL, NULL, WELKIN_ERROR_INVALID_ARGUMENT },
  { 401, NULL, NULL, WELKIN_ERROR_UNAUTHORIZED },
  { 403, NULL, "quota", WELKIN_ERROR_QUOTA_EXCEEDED },
  { 403, NULL, "is over the limit", WELKIN_ERROR_QUOTA_EXCEEDED },
  { 403, NULL, "maximum number of", WELKIN_ERROR_QUOTA_EXCEEDED },
  { 403, NULL, NULL, WELKIN_ERROR_FORBIDDEN },
  { 404, NULL, "no more floating ips", WELKIN_ERROR_NO_ADDRESSES },
  { 404, NULL, NULL, WELKIN_ERROR_NOT_FOUND },
  { 405, NULL, NULL, WELKIN_ERROR_NOT_SUPPORTED },
  { 406, NULL, NULL, WELKIN_ERROR_NOT_SUPPORTED },
  { 408, NULL, NULL, WELKIN_ERROR_TIMED_OUT },
  { 409, NULL, "already exists", WELKIN_ERROR_ALREADY_EXISTS },
  { 409, NULL, "in use", WELKIN_ERROR_IN_USE },
  { 409, NULL, NULL, WELKIN_ERROR_CONFLICT },
  { 410, NULL, NULL, WELKIN_ERROR_NOT_FOUND },
  { 412, NULL, "bad url", WELKIN_ERROR_NOT_FOUND },
  { 412, NULL, "invalid utf8", WELKIN_ERROR_NOT_FOUND },
  { 412, NULL, "maximum limit", WELKIN_ERROR_INVALID_ARGUMENT },
  { 412, NULL, NULL, WELKIN_ERROR_CONFLICT },
  { 413, NULL, NULL, WELKIN_ERROR_QUOTA_EXCEEDED },
  { 422, NULL, NULL, WELKIN_ERROR_INVALID_ARGUMENT },
  { 429, NULL, NULL, WELKIN_ERROR_RATE_LIMITED },
  { 498, NULL, NULL, WELKIN_ERROR_RATE_LIMITED },
  { 501, NULL, NULL, WELKIN_ERROR_NOT_SUPPORTED },
};

/* Of a chain of causes, which nova tells of with the last one behind, that one counts. */
static char *
fold_words (const OsComplaint *complaint)
{
  g_autofree char *words = g_ascii_strdown (complaint->text != NULL ? complaint->text : "", -1);
  const char *cause = strstr (words, "last exception:");

  return g_strdup (cause != NULL ? cause : words);
}

static WelkinError
find_meaning (guint              status,
              const OsComplaint *complaint)
{
  g_autofree char *words = fold_words (complaint);

  for (guint i = 0; i < G_N_ELEMENTS (meanings); i++)
    if ((meanings[i].status == 0 || meanings[i].status == status)
        && (meanings[i].type == NULL || g_strcmp0 (meanings[i].type, complaint->type) == 0)
        && (meanings[i].text == NULL || strstr (words, meanings[i].text) != NULL))
      return meanings[i].code;
  if (status >= 500)
    return WELKIN_ERROR_UNAVAILABLE;
  return status >= 400 ? WELKIN_ERROR_FAILED : WELKIN_ERROR_PROTOCOL;
}

static const char *
find_request_id (WkHttpResponse *response)
{
  static const char *const names[] = {
    "x-openstack-request-id", "x-compute-request-id", "x-trans-id", "x-amz-request-id",
    "openstack-request-id",
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const char *id = wk_http_response_get_header (response, names[i]);

      if (id != NULL && *id != '\0')
        return id;
    }
  return NULL;
}

GError *
os_error_new_from_response (const char     *service,
                            WkHttpRequest  *request,
                            WkHttpResponse *response)
{
  guint status = wk_http_response_get_status (response);
  const char *request_id = find_request_id (response);
  g_autofree char *uri = wk_uri_for_display (wk_http_request_get_uri (request));
  g_auto(OsComplaint) complaint = { NULL };
  g_autofree char *words = NULL;
  GError *error;

  os_complaint_read (&complaint, wk_http_response_get_body (response),
                     wk_http_response_get_header (response, "Content-Type"), request);
  g_debug ("%s %s: HTTP %u, request %s", wk_http_request_get_method (request),
           uri, status, request_id != NULL ? request_id : "-");

  if (complaint.text != NULL && wk_http_response_get_proxy (response) != NULL)
    /* TRANSLATORS: method and URL of a request, URL of a proxy, what a web page says */
    words = g_strdup_printf (_("%s %s through proxy %s: %s"), wk_http_request_get_method (request),
                             uri, wk_http_response_get_proxy (response), complaint.text);
  else if (complaint.text != NULL && complaint.is_page)
    words = g_strdup_printf ("%s %s: %s", wk_http_request_get_method (request), uri,
                             complaint.text);
  else if (complaint.text != NULL)
    words = g_strdup (complaint.text);
  else if (status < 400)
    /* TRANSLATORS: URL, service */
    words = g_strdup_printf (_("%s is not where the %s service is: check the catalog of the cloud"),
                             uri, service);
  else
    /* TRANSLATORS: service, method and URL of a request */
    words = g_strdup_printf (_("the %s service refused %s %s"), service,
                             wk_http_request_get_method (request), uri);
  error = welkin_error_new_from_service (find_meaning (status, &complaint), words, service, status,
                                         request_id);
  os_error_explain_shortage (error);
  return error;
}

void
os_error_explain_shortage (GError *error)
{
  if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_QUOTA_EXCEEDED))
    welkin_error_set_hint (error, _("The project may have no more: remove what is not needed, or "
                                    "ask for a larger quota."));
  else if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NO_ADDRESSES))
    welkin_error_set_hint (error, _("The network has no free address: remove what is not needed, "
                                    "or name another network."));
}

void
os_error_explain (GError *error)
{
  if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT))
    welkin_error_set_hint (error,
                           _("Check that the address is right (auth-url in environments.yaml, or "
                             "the catalog of the cloud), and that this machine reaches it: "
                             "directly, or by the proxy of http_proxy and https_proxy."));
}
