/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "model/os-token.h"
#include "transport/os-catalog.h"
#include "values/welkin-error.h"

#define COMPUTE (1u << OS_SERVICE_COMPUTE)
#define OBJECT_STORE (1u << OS_SERVICE_OBJECT_STORE)

/* spec: "REGION TYPE URL", one on each line; an interface in front with a slash, else public. */
static GPtrArray *
make_services (const char *spec)
{
  g_auto(GStrv) lines = g_strsplit (spec, "\n", -1);
  g_autoptr(GString) json = g_string_new ("{\"catalog\": [");
  g_autoptr(GBytes) bytes = NULL;
  g_autoptr(GError) error = NULL;
  GPtrArray *services;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto(GStrv) words = g_strsplit (lines[i], " ", 3);
      g_auto(GStrv) region = g_strsplit (words[0], "/", 2);
      const char *name = region[1] != NULL ? region[1] : region[0];

      g_string_append_printf (json,
                              "%s{\"type\": \"%s\", \"name\": \"x\", \"endpoints\": [{"
                              "\"interface\": \"%s\", \"region_id\": \"%s\", \"region\": \"%s\", "
                              "\"id\": %u, \"url\": \"%s\"}]}",
                              i > 0 ? ", " : "", words[1],
                              region[1] != NULL ? region[0] : "public", name, name, i,
                              words[2] != NULL ? words[2] : "http://host.test/v2.1");
    }
  g_string_append (json, "]}");
  bytes = g_bytes_new (json->str, json->len);
  services = wk_json_decode_records (&os_service_table, "catalog", bytes, &error);
  g_assert_no_error (error);
  return services;
}

static void
assert_error (const char *spec,
              const char *region,
              guint       required,
              const char *message)
{
  g_autoptr(GPtrArray) services = make_services (spec);
  g_autoptr(GError) error = NULL;
  const OsCatalogOptions options = { "public", region, required };
  g_autoptr(OsCatalog) catalog = os_catalog_new (services, &options, &error);

  g_assert_null (catalog);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG);
  g_assert_cmpstr (error->message, ==, message);
}

static void
assert_endpoint (const char *spec,
                 const char *region,
                 const char *url)
{
  g_autoptr(GPtrArray) services = make_services (spec);
  g_autoptr(GError) error = NULL;
  const OsCatalogOptions options = { "public", region, COMPUTE };
  g_autoptr(OsCatalog) catalog = os_catalog_new (services, &options, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (os_catalog_get_endpoint (catalog, OS_SERVICE_COMPUTE), ==, url);
}

static void
test_region_that_lacks_services_proposes_others (void)
{
  assert_error ("a.region.1 compute", "a.region.1", COMPUTE | OBJECT_STORE,
                "region \"a.region.1\" lacks what is needed: object-store");
  assert_error ("a.region.1 compute", "b.region.1", COMPUTE | OBJECT_STORE,
                "this cloud has no region \"b.region.1\": set attribute region to one of: "
                "a.region.1");
  assert_error ("a.region.1 compute\nregion.1 object-store", "b.region.1", COMPUTE | OBJECT_STORE,
                "region \"b.region.1\" lacks what is needed: compute; set attribute region to "
                "one of: a.region.1");
  assert_error ("a.region.1 compute\nregion.1 object-store", "region.1", COMPUTE | OBJECT_STORE,
                "region \"region.1\" lacks what is needed: compute; set attribute region to one "
                "of: a.region.1");
}

static void
test_unknown_region_lists_all (void)
{
  assert_error ("R2 compute\nR1 compute\nR4 compute\nR3 compute", "R9", COMPUTE,
                "this cloud has no region \"R9\": set attribute region to one of: R1, R2, R3, R4");
  assert_error ("R1 compute\nR2 compute", "r1", COMPUTE,
                "this cloud has no region \"r1\": set attribute region to \"R1\"");
  assert_error ("* identity\nR1 compute", "R9", COMPUTE,
                "this cloud has no region \"R9\": set attribute region to one of: R1");
}

static void
test_no_region_takes_the_only_one (void)
{
  g_autoptr(GPtrArray) services = make_services ("R1 compute\n* identity\nR1 network");
  g_autoptr(GError) error = NULL;
  const OsCatalogOptions options = { "public", NULL, COMPUTE };
  g_autoptr(OsCatalog) catalog = os_catalog_new (services, &options, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (os_catalog_get_region (catalog), ==, "R1");
  g_assert_null (os_catalog_get_endpoint (catalog, OS_SERVICE_IMAGE));

  assert_error ("R2 compute\nR1 compute", NULL, COMPUTE,
                "no region given: set attribute region or environment variable OS_REGION_NAME to "
                "one of: R1, R2");
}

static void
test_other_interfaces_do_not_count (void)
{
  assert_endpoint ("internal/R1 compute http://inner.test/v2.1\nR1 compute http://outer.test/v2.1",
                   "R1", "http://outer.test/v2.1");
  assert_error ("internal/R1 compute", "R1", COMPUTE,
                "the catalog of this cloud has no region with public endpoints");
}

static void
test_best_region_wins (void)
{
  assert_endpoint ("* compute http://any.test/v2.1\nR1 compute http://one.test/v2.1", "R1",
                   "http://one.test/v2.1");
  assert_endpoint ("region.1 compute http://short.test/v2.1\n"
                   "a.region.1 compute http://long.test/v2.1",
                   "x.a.region.1", "http://long.test/v2.1");
  /* A part of a word is no part of a region. */
  assert_error ("region-a compute", "myregion-a", COMPUTE,
                "this cloud has no region \"myregion-a\": set attribute region to one of: "
                "region-a");
}

static void
test_same_endpoint_twice_is_one (void)
{
  assert_endpoint ("R1 compute http://host.test/v2.1\nR1 compute http://host.test/v2.1", "R1",
                   "http://host.test/v2.1");
  assert_endpoint ("R1 compute http://first.test/v2.1\nR1 compute http://second.test/v2.1", "R1",
                   "http://first.test/v2.1");
}

static void
test_better_type_wins (void)
{
  assert_endpoint ("R1 compute_legacy http://old.test/v2\nR1 compute http://new.test/v2.1", "R1",
                   "http://new.test/v2.1");
  assert_endpoint ("R1 computev3 http://never.test/v3\nR1 compute_legacy http://old.test/v2", "R1",
                   "http://old.test/v2");
}

static void
test_endpoints_get_their_normal_form (void)
{
  static const struct { OsServiceKind kind; const char *url; const char *base; } cases[] = {
    { OS_SERVICE_COMPUTE, "http://h.test/v2.1", "http://h.test/v2.1" },
    { OS_SERVICE_COMPUTE, "http://h.test/v2.1/", "http://h.test/v2.1" },
    { OS_SERVICE_COMPUTE, "http://h.test/v2.1/p1", "http://h.test/v2.1/p1" },
    { OS_SERVICE_COMPUTE, "http://h.test/v2/p1", "http://h.test/v2/p1" },
    { OS_SERVICE_COMPUTE, "http://h.test/cloud/v2.1/", "http://h.test/cloud/v2.1" },
    { OS_SERVICE_COMPUTE, "http://h.test/compute", "http://h.test/compute" },
    { OS_SERVICE_NETWORK, "http://h.test:9696", "http://h.test:9696/v2.0" },
    { OS_SERVICE_NETWORK, "http://h.test:9696/", "http://h.test:9696/v2.0" },
    { OS_SERVICE_NETWORK, "https://h.test:9696", "https://h.test:9696/v2.0" },
    { OS_SERVICE_NETWORK, "http://h.test:9696/v2.0/", "http://h.test:9696/v2.0" },
    { OS_SERVICE_NETWORK, "http://h.test/networking", "http://h.test/networking/v2.0" },
    { OS_SERVICE_IMAGE, "http://h.test:9292", "http://h.test:9292/v2" },
    { OS_SERVICE_IMAGE, "http://h.test/v1", "http://h.test/v2" },
    { OS_SERVICE_IMAGE, "http://h.test/image/v2.15/", "http://h.test/image/v2" },
    { OS_SERVICE_IMAGE, "http://h.test/image", "http://h.test/image/v2" },
    { OS_SERVICE_OBJECT_STORE, "http://h.test/v1/AUTH_x/", "http://h.test/v1/AUTH_x" },
    { OS_SERVICE_OBJECT_STORE, "http://h.test/swift/v1", "http://h.test/swift/v1" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *base = os_service_normalize_endpoint (cases[i].kind, cases[i].url);

      g_assert_cmpstr (base, ==, cases[i].base);
    }
}

static void
test_version_is_looked_for_from_the_right (void)
{
  static const char *const cases[][2] = {
    { "http://h.test/v1/AUTH_x", "http://h.test" },
    { "http://h.test/object-store/v1/AUTH_x", "http://h.test/object-store" },
    { "http://h.test/v2/swift/v1/AUTH_x", "http://h.test/v2/swift" },
    { "http://h.test/swift", "http://h.test/swift" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *prefix = os_service_strip_version (cases[i][0]);

      g_assert_cmpstr (prefix, ==, cases[i][1]);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/catalog/region/lacking-services-proposes-others",
                   test_region_that_lacks_services_proposes_others);
  g_test_add_func ("/catalog/region/unknown-lists-all", test_unknown_region_lists_all);
  g_test_add_func ("/catalog/region/none-takes-the-only-one", test_no_region_takes_the_only_one);
  g_test_add_func ("/catalog/region/best-wins", test_best_region_wins);
  g_test_add_func ("/catalog/other-interfaces-do-not-count", test_other_interfaces_do_not_count);
  g_test_add_func ("/catalog/same-endpoint-twice-is-one", test_same_endpoint_twice_is_one);
  g_test_add_func ("/catalog/better-type-wins", test_better_type_wins);
  g_test_add_func ("/catalog/endpoints-get-their-normal-form",
                   test_endpoints_get_their_normal_form);
  g_test_add_func ("/catalog/version-is-looked-for-from-the-right",
                   test_version_is_looked_for_from_the_right);

  return g_test_run ();
}
