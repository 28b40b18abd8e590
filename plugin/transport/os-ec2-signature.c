/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "transport/os-ec2-signature.h"
#include "transport/os-signature.h"

JsonObject *
os_ec2_sign (const char *access,
             const char *secret,
             const char *host,
             const char *region,
             GDateTime  *time)
{
  g_autoptr(GDateTime) utc = g_date_time_to_utc (time);
  OsSigner signer = { access, secret, region, "ec2", utc };
  g_autofree char *date = os_signer_format_time (&signer);
  const char *const signed_headers[] = { "host", host, "x-amz-date", date, NULL };
  g_autofree char *uri = g_strconcat ("https://", host, "/", NULL);
  g_autofree char *body_hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, "", 0);
  g_autofree char *signature = os_signer_sign (&signer, "GET", uri, signed_headers, body_hash);
  g_autofree char *authorization =
    os_signer_authorize (&signer, "GET", uri, signed_headers, body_hash);
  JsonObject *headers = json_object_new ();
  JsonObject *self = json_object_new ();

  json_object_set_string_member (headers, "Host", host);
  json_object_set_string_member (headers, "X-Amz-Date", date);
  json_object_set_string_member (headers, "Authorization", authorization);
  json_object_set_string_member (self, "access", access);
  json_object_set_string_member (self, "host", host);
  json_object_set_string_member (self, "verb", "GET");
  json_object_set_string_member (self, "path", "/");
  json_object_set_object_member (self, "params", json_object_new ());
  json_object_set_object_member (self, "headers", headers);
  json_object_set_string_member (self, "body_hash", body_hash);
  json_object_set_string_member (self, "signature", signature);
  return self;
}
