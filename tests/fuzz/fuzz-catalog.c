/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/uri.h"
#include "fuzz-driver.h"
#include "model/os-token.h"
#include "transport/os-catalog.h"
#include "transport/os-discovery.h"
#include "transport/os-microversion.h"

#define BASE "https://id.test:5000/identity"

static void
use_services (GPtrArray *services)
{
  static const char *const regions[] = { NULL, "R1", "x.a.R1", "" };

  for (guint i = 0; services != NULL && i < G_N_ELEMENTS (regions); i++)
    {
      const OsCatalogOptions options = { "public", regions[i], 0 };
      g_autoptr(GError) error = NULL;
      g_autoptr(OsCatalog) catalog = os_catalog_new (services, &options, &error);

      g_assert_true ((catalog == NULL) == (error != NULL));
      for (guint kind = 0; catalog != NULL && kind < OS_N_SERVICES; kind++)
        if (os_catalog_get_endpoint (catalog, kind) != NULL)
          g_assert_false (g_str_has_suffix (os_catalog_get_endpoint (catalog, kind), "/"));
    }
}

/* Whatever a document says, it leads to nobody else. */
static void
use_versions (GPtrArray *versions)
{
  OsMicroversions *microversions = os_microversions_new (NULL);

  for (guint major = 0; major < 5; major++)
    {
      g_autofree char *url = os_discovery_choose (versions, BASE, major);
      g_autofree char *origin = url != NULL ? wk_uri_get_origin (url) : NULL;

      if (url != NULL)
        g_assert_cmpstr (origin, ==, "https://id.test:5000");
    }
  g_assert_false (os_microversions_has (microversions, versions, "2.68"));
  os_microversions_free (microversions);
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autoptr(GBytes) bytes = g_bytes_new (data, size);
  g_autoptr(OsTokenBody) three = wk_json_decode_record (&os_token_body_table, "token", bytes, NULL);
  g_autofree char *text = NULL;
  g_autoptr(OsTokenBody) two = os_token_body_new_from_v2 (bytes, &text, NULL);
  g_autoptr(GPtrArray) versions = os_discovery_read (bytes);

  if (three != NULL)
    use_services (three->services);
  if (two != NULL)
    use_services (two->services);
  use_versions (versions);
  return 0;
}
