/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <libsoup/soup.h>

#include "base/uri.h"
#include "transport/os-ec2-signature.h"
#include "transport/os-login.h"
#include "values/welkin-error.h"

/* Clocks that are further apart than this may be why a signature is refused. */
#define MAX_SKEW_SECONDS (5 * 60)

static WkHttpRequest *
make_request (OsCredentials *credentials,
              const char    *url)
{
  const char *region = os_credentials_get (credentials, OS_CREDENTIAL_REGION);
  const char *version = os_auth_url_get_version (url);
  gboolean is_v2 = version != NULL && version[1] == '2';
  g_autofree char *uri = wk_uri_join (url, "ec2tokens", NULL);
  g_autofree char *origin = wk_uri_get_origin (url);
  g_autoptr(GDateTime) now = g_date_time_new_now_utc ();
  JsonObject *body = json_object_new ();
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);

  json_object_set_object_member (
    body, is_v2 ? "ec2Credentials" : "credentials",
    os_ec2_sign (os_credentials_get (credentials, OS_CREDENTIAL_ACCESS_KEY),
                 os_credentials_get (credentials, OS_CREDENTIAL_SECRET_KEY),
                 strstr (origin, "://") + strlen ("://"),
                 region != NULL ? region : "regionOne", now));
  json_node_take_object (node, body);
  return os_login_make_post (uri, node);
}

static OsTokenBody *
read_answer (WkHttpResponse  *response,
             char           **text,
             GError         **error)
{
  if (wk_http_response_get_header (response, "X-Subject-Token") != NULL)
    return os_login_read_v3 (response, text, error);
  return os_token_body_new_from_v2 (wk_http_response_get_body (response), text, error);
}

/* Seconds by which the clock of the cloud is ahead of ours; 0 when it does not say. */
static gint64
get_skew (WkHttpResponse *response)
{
  const char *date = wk_http_response_get_header (response, "Date");
  g_autoptr(GDateTime) theirs = date != NULL ? soup_date_time_new_from_http_string (date) : NULL;
  g_autoptr(GDateTime) ours = g_date_time_new_now_utc ();

  return theirs != NULL ? g_date_time_difference (theirs, ours) / G_TIME_SPAN_SECOND : 0;
}

/* Since the end of 2025 identity exchanges a signature for a token only for services of the cloud
 * itself, not for users (CVE-2025-65073). */
static void
explain (OsCredentials   *credentials,
         WkHttpResponse  *response,
         GError         **error)
{
  guint status = wk_http_response_get_status (response);
  gint64 skew = get_skew (response);

  if (status != 401 && status != 403 && status != 404)
    return;
  if (status == 401 && ABS (skew) > MAX_SKEW_SECONDS)
    {
      int minutes = ABS (skew) / 60;

      g_prefix_error (error,
                      g_dngettext (GETTEXT_PACKAGE,
                                   "the clock of this machine and that of the cloud are %d minute "
                                   "apart, and a signature is good for a quarter of an hour: ",
                                   "the clock of this machine and that of the cloud are %d minutes "
                                   "apart, and a signature is good for a quarter of an hour: ",
                                   minutes),
                      minutes);
      return;
    }
  if (status == 404)
    g_prefix_error (error, "%s", _("this cloud does not know the access key: "));
  else
    g_prefix_error (error, "%s", _("this cloud does not exchange EC2 keys for tokens, or not these "
                                   "ones: "));
  welkin_error_set_hint (*error,
                         _("Make an application credential, and set attributes "
                           "application-credential-id and application-credential-secret: clouds of "
                           "today take no EC2 keys for a login."));
}

const OsLogin os_login_ec2 = { make_request, read_answer, explain };
