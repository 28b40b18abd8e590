/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "fuzz-driver.h"
#include "transport/os-complaint.h"

/* Characters that are shown at most, and the mark that there was more. */
#define MAX_CHARACTERS 501

/* The first byte says what the answer claims to be. */
int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  static const char *const types[] = {
    NULL, "application/json", "text/html", "text/plain", "Application/JSON; charset=UTF-8",
  };
  static const char secret[] = "{\"password\":\"known-secret\"}";
  g_autoptr(WkHttpRequest) request = wk_http_request_new ("POST", "http://cloud.test/v3");
  g_autoptr(GBytes) sent = g_bytes_new_static (secret, strlen (secret));
  g_autoptr(GBytes) body = NULL;
  g_auto(OsComplaint) complaint = { NULL };

  if (size == 0)
    return 0;
  wk_http_request_set_body (request, sent, "application/json");
  body = g_bytes_new (data + 1, size - 1);
  os_complaint_read (&complaint, body, types[data[0] % G_N_ELEMENTS (types)], request);
  if (complaint.text == NULL)
    return 0;

  g_assert_true (g_utf8_validate (complaint.text, -1, NULL));
  g_assert_cmpint (g_utf8_strlen (complaint.text, -1), <=, MAX_CHARACTERS);
  g_assert_cmpstr (complaint.text, !=, "");
  for (const char *place = complaint.text; *place != '\0'; place++)
    g_assert_false (g_ascii_iscntrl (*place));
  g_assert_null (strstr (complaint.text, "known-secret"));
  return 0;
}
