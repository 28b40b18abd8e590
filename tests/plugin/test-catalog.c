/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "model/os-token.h"
#include "transport/os-catalog.h"
#include "transport/os-ec2-signature.h"
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
      const char *name = region[0] == NULL ? "" : region[1] != NULL ? region[1] : region[0];

      g_string_append_printf (json,
                              "%s{\"type\": \"%s\", \"name\": \"x\", \"endpoints\": [{"
                              "\"interface\": \"%s\", \"region_id\": \"%s\", \"region\": \"%s\", "
                              "\"id\": %u, \"url\": \"%s\"}]}",
                              i > 0 ? ", " : "", words[1],
                              g_strv_length (region) == 2 ? region[0] : "public", name, name, i,
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
#define ONE "a.region.1 compute"
#define TWO "a.region.1 compute\nregion.1 object-store"
  static const struct { const char *region; const char *spec; const char *message; } cases[] = {
    { "a.region.1", ONE, "region \"a.region.1\" lacks what is needed: object-store" },
    { "b.region.1", ONE,
      "this cloud has no region \"b.region.1\": set attribute region to one of: a.region.1" },
    { "b.region.1", TWO,
      "region \"b.region.1\" lacks what is needed: compute; set attribute region to one of: "
      "a.region.1" },
    { "region.1", TWO,
      "region \"region.1\" lacks what is needed: compute; set attribute region to one of: "
      "a.region.1" },
    { "", TWO, "this cloud has no region \"\": set attribute region to one of: a.region.1" },
    { "1", TWO, "this cloud has no region \"1\": set attribute region to one of: a.region.1" },
    { "xregion.1", TWO,
      "this cloud has no region \"xregion.1\": set attribute region to one of: a.region.1" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_error (cases[i].spec, cases[i].region, COMPUTE | OBJECT_STORE, cases[i].message);
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

/* As before there were any. */
static void
test_cloud_without_regions_has_all_in_each (void)
{
  assert_endpoint ("* compute http://h.test/v2/p", NULL, "http://h.test/v2/p");
  assert_endpoint ("* compute http://h.test/v2/p", "anywhere", "http://h.test/v2/p");
  assert_error ("* identity", "R1", COMPUTE, "region \"R1\" lacks what is needed: compute");
}

static void
test_region_without_a_name_is_none (void)
{
  assert_endpoint (" compute http://no.test/v2.1\nR1 compute http://one.test/v2.1", NULL,
                   "http://one.test/v2.1");
  assert_error (" compute http://no.test/v2.1", NULL, COMPUTE,
                "the catalog of this cloud has no region with public endpoints");
}

static void
test_region_in_other_letters_is_proposed_if_only_one (void)
{
  assert_error ("R1 compute\nr1 compute", "R1x", COMPUTE,
                "this cloud has no region \"R1x\": set attribute region to one of: R1, r1");
  assert_error ("Region compute\nREGION compute", "region", COMPUTE,
                "this cloud has no region \"region\": set attribute region to one of: REGION, "
                "Region");
}

static void
test_endpoints_may_be_given (void)
{
  g_autoptr(GPtrArray) services = make_services ("R1 network http://h.test:9696");
  const char *overrides[OS_N_SERVICES] = {
    [OS_SERVICE_COMPUTE] = " https://own.test/nova/ ",
    [OS_SERVICE_NETWORK] = "https://own.test/neutron",
  };
  const OsCatalogOptions options = { "public", "R1", COMPUTE, overrides };
  g_autoptr(GError) error = NULL;
  g_autoptr(OsCatalog) catalog = os_catalog_new (services, &options, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (os_catalog_get_endpoint (catalog, OS_SERVICE_COMPUTE), ==,
                   "https://own.test/nova");
  g_assert_cmpstr (os_catalog_get_endpoint (catalog, OS_SERVICE_NETWORK), ==,
                   "https://own.test/neutron");
  g_assert_null (os_catalog_get_endpoint (catalog, OS_SERVICE_IMAGE));
  g_assert_false (os_catalog_lacks_version (catalog, OS_SERVICE_COMPUTE));
}

static void
test_a_type_may_be_given (void)
{
  g_autoptr(GPtrArray) services =
    make_services ("R1 compute http://h.test/v2.1/old\nR1 nova-next http://h.test/v2.1/new\n"
                   "R1 network http://h.test:9696");
  const char *types[OS_N_SERVICES] = {
    [OS_SERVICE_COMPUTE] = "nova-next",
    [OS_SERVICE_NETWORK] = "neutron-next",
  };
  const OsCatalogOptions options = { "public", "R1", COMPUTE, NULL, types };
  g_autoptr(GError) error = NULL;
  g_autoptr(OsCatalog) catalog = os_catalog_new (services, &options, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (os_catalog_get_endpoint (catalog, OS_SERVICE_COMPUTE), ==,
                   "http://h.test/v2.1/new");
  g_assert_null (os_catalog_get_endpoint (catalog, OS_SERVICE_NETWORK));
}

static void
test_only_compute_is_asked_for_its_version (void)
{
  g_autoptr(GPtrArray) services =
    make_services ("R1 compute http://h.test/compute\nR1 object-store http://h.test/swift\n"
                   "R2 compute http://h.test/v2/p");
  const OsCatalogOptions first = { "public", "R1", COMPUTE };
  const OsCatalogOptions second = { "public", "R2", COMPUTE };
  g_autoptr(OsCatalog) unversioned = os_catalog_new (services, &first, NULL);
  g_autoptr(OsCatalog) versioned = os_catalog_new (services, &second, NULL);

  g_assert_true (os_catalog_lacks_version (unversioned, OS_SERVICE_COMPUTE));
  g_assert_false (os_catalog_lacks_version (unversioned, OS_SERVICE_OBJECT_STORE));
  g_assert_false (os_catalog_lacks_version (unversioned, OS_SERVICE_NETWORK));
  g_assert_false (os_catalog_lacks_version (versioned, OS_SERVICE_COMPUTE));
}

/* All interfaces of an endpoint of version 2.0, none of which need be there. */
static void
test_catalog_of_version_two_is_translated (void)
{
#define ENDPOINTS "[{\"region\": \"R1\", \"publicURL\": \"http://out.test/v2/p\", " \
                  "\"internalURL\": \"http://in.test/v2/p\", \"adminURL\": null}, " \
                  "{\"region\": \"R2\", \"adminURL\": \"http://admin.test/v2/p\"}]"
  static const char text[] =
    "{\"access\": {\"token\": {\"id\": \"t\", \"expires\": \"2030-01-01T00:00:00Z\", "
    "\"tenant\": {\"id\": \"p\", \"name\": \"n\", \"description\": null}}, \"user\": {"
    "\"roles\": [{\"name\": \"member\"}]}, \"serviceCatalog\": [{\"type\": \"compute\", "
    "\"name\": \"nova\", \"endpoints_links\": [], \"endpoints\": " ENDPOINTS "}]}}";
  static const struct { const char *interface; const char *region; const char *url; } cases[] = {
    { "public", "R1", "http://out.test/v2/p" },
    { "internal", "R1", "http://in.test/v2/p" },
    { "admin", "R2", "http://admin.test/v2/p" },
  };
  g_autoptr(GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autofree char *token = NULL;
  g_autoptr(GError) error = NULL;
  g_autoptr(OsTokenBody) body = os_token_body_new_from_v2 (bytes, &token, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (token, ==, "t");
  g_assert_cmpstr (body->expires, ==, "2030-01-01T00:00:00Z");
  g_assert_cmpstr (body->project->id, ==, "p");
  g_assert_cmpuint (body->roles->len, ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const OsCatalogOptions options = { cases[i].interface, cases[i].region, COMPUTE };
      g_autoptr(OsCatalog) catalog = os_catalog_new (body->services, &options, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (os_catalog_get_endpoint (catalog, OS_SERVICE_COMPUTE), ==, cases[i].url);
    }
}

/* Against what another implementation has signed. */
static void
test_ec2_signature (void)
{
  g_autoptr(GDateTime) time = g_date_time_new_utc (2015, 8, 30, 12, 36, 0);
  g_autoptr(GTimeZone) zone = g_time_zone_new_offset (2 * 3600);
  g_autoptr(GDateTime) local = g_date_time_to_timezone (time, zone);
  g_autoptr(JsonObject) body =
    os_ec2_sign ("AK", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "id.test:5000", "us-east-1",
                 local);
  JsonObject *headers = json_object_get_object_member (body, "headers");

  g_assert_cmpstr (json_object_get_string_member (body, "signature"), ==,
                   "de07aaac1e4fc8234311be6489742d68c8e51e1a9a6dab0226f7c3b6d9e3006f");
  g_assert_cmpstr (json_object_get_string_member (headers, "X-Amz-Date"), ==, "20150830T123600Z");
  g_assert_cmpstr (json_object_get_string_member (headers, "Authorization"), ==,
                   "AWS4-HMAC-SHA256 Credential=AK/20150830/us-east-1/ec2/aws4_request, "
                   "SignedHeaders=host;x-amz-date, Signature="
                   "de07aaac1e4fc8234311be6489742d68c8e51e1a9a6dab0226f7c3b6d9e3006f");
  g_assert_true (json_object_has_member (body, "params"));
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

  assert_endpoint ("R1 identity\nR2 compute http://two.test/v2.1\nR3 network", NULL,
                   "http://two.test/v2.1");
  assert_error ("R2 compute\nR1 compute\nR3 network", NULL, COMPUTE,
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
  /* In whichever order they come. */
  assert_endpoint ("R1 compute http://one.test/v2.1\n* compute http://any.test/v2.1", "R1",
                   "http://one.test/v2.1");
  assert_endpoint ("a.region.1 compute http://long.test/v2.1\n"
                   "region.1 compute http://short.test/v2.1",
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
  g_test_add_func ("/defects/33/none-takes-the-only-one", test_no_region_takes_the_only_one);
  g_test_add_func ("/catalog/region/none-at-all", test_cloud_without_regions_has_all_in_each);
  g_test_add_func ("/catalog/region/without-a-name", test_region_without_a_name_is_none);
  g_test_add_func ("/catalog/region/in-other-letters",
                   test_region_in_other_letters_is_proposed_if_only_one);
  g_test_add_func ("/catalog/endpoints-may-be-given", test_endpoints_may_be_given);
  g_test_add_func ("/catalog/endpoints/a-type-may-be-given", test_a_type_may_be_given);
  g_test_add_func ("/catalog/only-compute-is-asked", test_only_compute_is_asked_for_its_version);
  g_test_add_func ("/catalog/version-two-is-translated",
                   test_catalog_of_version_two_is_translated);
  g_test_add_func ("/catalog/ec2-signature", test_ec2_signature);
  g_test_add_func ("/defects/33/best-region-wins", test_best_region_wins);
  g_test_add_func ("/catalog/other-interfaces-do-not-count", test_other_interfaces_do_not_count);
  g_test_add_func ("/catalog/same-endpoint-twice-is-one", test_same_endpoint_twice_is_one);
  g_test_add_func ("/catalog/better-type-wins", test_better_type_wins);
  g_test_add_func ("/catalog/endpoints-get-their-normal-form",
                   test_endpoints_get_their_normal_form);
  g_test_add_func ("/defects/34/version-is-looked-for-from-the-right",
                   test_version_is_looked_for_from_the_right);

  return g_test_run ();
}
