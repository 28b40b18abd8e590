/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "fuzz-driver.h"
#include "transport/os-request.h"

#define ENDPOINT "https://nova.test:8774/v2.1"

/* Whatever the link to a next page says, it leads to the same list of the same service. */
int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autofree char *link = g_strndup ((const char *) data, size);
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_COMPUTE, "GET", "servers", "detail",
                                                 NULL);
  g_autoptr(WkHttpRequest) http_request = NULL;
  const char *uri;

  os_request_set_link (request, link);
  http_request = os_request_to_http (request, ENDPOINT, "token", 0);
  g_assert_nonnull (http_request);
  uri = wk_http_request_get_uri (http_request);
  g_assert_true (g_str_has_prefix (uri, ENDPOINT "/servers/detail"));
  uri += strlen (ENDPOINT "/servers/detail");
  g_assert_true (*uri == '?' || *uri == '\0');
  return 0;
}
