/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/redact.h"
#include "fuzz-driver.h"

/* What was made safe is safe: doing it once more changes nothing. */
int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_autoptr(WkSecrets) known = wk_secrets_new ();
  g_autofree char *json = NULL;
  g_autofree char *json_again = NULL;
  g_autofree char *safe = wk_redact_text (text);
  g_autofree char *safe_again = wk_redact_text (safe);

  wk_secrets_add (known, "known-secret");
  g_assert_cmpstr (safe_again, ==, safe);

  json = wk_redact_json ((const char *) data, size, known, NULL);
  g_assert_true (g_utf8_validate (json, -1, NULL));
  g_assert_null (strstr (json, "known-secret"));
  json_again = wk_redact_json (json, strlen (json), known, NULL);
  g_assert_true (g_str_has_prefix (json, json_again));
  return 0;
}
