/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "model/os-zone.h"
#include "operations/choose-flavor.h"
#include "operations/choose-image.h"
#include "operations/choose-network.h"
#include "operations/choose-root-disk.h"
#include "operations/choose-zone.h"
#include "os-config.h"
#include "values/welkin-error.h"

static const char *const amd64[] = { "amd64", NULL };
static const char *const nobody[] = { NULL };

/* Flavors. */

static GPtrArray *
make_flavors (const OsFlavor *flavors,
              gsize           n)
{
  GPtrArray *array = g_ptr_array_new ();

  for (gsize i = 0; i < n; i++)
    g_ptr_array_add (array, (gpointer) &flavors[i]);
  return array;
}

static char *
join_names (GPtrArray *flavors)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < flavors->len; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? " " : "",
                            ((const OsFlavor *) g_ptr_array_index (flavors, i))->name);
  return g_string_free (names, FALSE);
}

/* Which flavors the constraints choose, with an image that fits all; "-" and the error when none
 * does. */
static char *
choose_flavor (const OsFlavor *flavors,
               gsize           n,
               const char     *constraints_text,
               const char     *default_flavor,
               GError        **error)
{
  OsImage image = { .id = (char *) "i",
                    .name = (char *) "noble",
                    .architecture = (char *) "x86_64" };
  g_autoptr(GPtrArray) flavor_array = make_flavors (flavors, n);
  g_autoptr(GPtrArray) images = g_ptr_array_new ();
  g_autoptr(WelkinConstraints) constraints = welkin_constraints_new_parsed (constraints_text, NULL);
  OsOffer offer = {
    .flavors = flavor_array,
    .images = images,
    .constraints = constraints,
    .default_flavor = default_flavor,
    .region = "RegionOne",
    .series = "noble",
    .arches = amd64,
  };
  g_autoptr(GPtrArray) alike = NULL;
  const OsImage *chosen = NULL;

  g_ptr_array_add (images, &image);
  if (!os_choose_flavor (&offer, &alike, &chosen, error))
    return g_strdup ("-");
  g_assert_true (chosen == &image);
  return join_names (alike);
}

#define FLAVOR(name_, ram_, vcpus_, disk_)                                                         \
  {                                                                                                \
    .id = (char *) "id-" name_, .name = (char *) name_, .ram = ram_, .vcpus = vcpus_,              \
    .disk = disk_                                                                                  \
  }

static void
test_flavor_is_the_smallest_that_satisfies (void)
{
  const OsFlavor many[] = {
    FLAVOR ("it-5", 1024, 2, 10), FLAVOR ("it-4", 2048, 4, 10), FLAVOR ("it-3", 1024, 4, 10),
    FLAVOR ("it-2", 256, 4, 10),  FLAVOR ("it-1", 512, 4, 10),
  };
  const OsFlavor small[] = {
    FLAVOR ("it-3", 1024, 2, 10), FLAVOR ("it-2", 256, 4, 10), FLAVOR ("it-1", 512, 4, 10),
  };
  const OsFlavor by_mem[] = {
    FLAVOR ("it-3", 2048, 1, 10), FLAVOR ("it-2", 256, 1, 10), FLAVOR ("it-1", 512, 1, 10),
  };
  const OsFlavor alike[] = { FLAVOR ("b", 2048, 1, 10), FLAVOR ("a", 2048, 1, 10) };
  g_autofree char *of_many = choose_flavor (many, G_N_ELEMENTS (many), "cores=4", NULL, NULL);
  g_autofree char *of_small = choose_flavor (small, G_N_ELEMENTS (small), "cores=4", NULL, NULL);
  g_autofree char *of_mem = choose_flavor (by_mem, G_N_ELEMENTS (by_mem), "mem=300M", NULL, NULL);
  g_autofree char *of_alike = choose_flavor (alike, G_N_ELEMENTS (alike), "", NULL, NULL);

  g_assert_cmpstr (of_many, ==, "it-3");
  /* Nothing has the 1024 MiB that nobody asked for: the one with most memory. */
  g_assert_cmpstr (of_small, ==, "it-1");
  g_assert_cmpstr (of_mem, ==, "it-1");
  /* The other one is for when there is no room for the first. */
  g_assert_cmpstr (of_alike, ==, "a b");
}

static void
test_flavor_of_odd_numbers_is_read_as_meant (void)
{
  const OsFlavor flavors[] = {
    FLAVOR ("image-sized", 2048, 1, 0),
    { .id = (char *) "d", .name = (char *) "disabled", .ram = 1024, .vcpus = 1, .disk = 100,
      .is_disabled = TRUE },
    FLAVOR ("huge", 3000000000, 1, 100),
  };
  g_autofree char *by_disk =
    choose_flavor (flavors, G_N_ELEMENTS (flavors), "root-disk=20G", NULL, NULL);
  g_autofree char *by_mem =
      choose_flavor (flavors, G_N_ELEMENTS (flavors), "mem=2000G", NULL, NULL);

  g_assert_cmpstr (by_disk, ==, "huge");
  g_assert_cmpstr (by_mem, ==, "huge");
}

/* Which the constraints choose among those of a real cloud. */
static const struct
{
  const char *constraints;
  const char *flavor; /* "-": none */
} disk_choices[] = {
  { "", "m1.small" },
  { "cores=2", "m1.medium" },
  { "cores=3", "m2.diskless" },
  { "mem=2G cores=2", "m1.medium" },
  { "mem=20G", "m2.diskless" },
  { "root-disk=1G", "m1.small" },
  { "root-disk=20G", "m1.small" },
  { "root-disk=30G", "m1.medium" },
  { "root-disk=50G", "-" },
  { "root-disk=1000T", "-" },
  { "cores=3 root-disk=1M", "-" },
};

static void
test_flavor_without_disk_is_the_last_resort (void)
{
  const OsFlavor flavors[] = {
    FLAVOR ("m1.diskless", 2048, 2, 0), FLAVOR ("m1.small", 2048, 1, 20),
    FLAVOR ("m1.medium", 4096, 2, 40), FLAVOR ("m2.diskless", 65536, 4, 0),
  };
  const OsFlavor tiny[] = { FLAVOR ("diskless", 900, 1, 0), FLAVOR ("tiny", 512, 1, 1) };
  g_autofree char *largest = choose_flavor (tiny, G_N_ELEMENTS (tiny), "", NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (disk_choices); i++)
    {
      g_autoptr(GError) error = NULL;
      g_autofree char *chosen = choose_flavor (flavors, G_N_ELEMENTS (flavors),
                                               disk_choices[i].constraints, NULL, &error);

      g_test_message ("%s", disk_choices[i].constraints);
      g_assert_cmpstr (chosen, ==, disk_choices[i].flavor);
      if (error != NULL)
        g_assert_nonnull (strstr (error->message,
                                  "no instance types in RegionOne matching constraints"));
    }
  g_assert_cmpstr (largest, ==, "tiny");
}

static void
test_named_flavor_must_have_the_root_disk (void)
{
  const OsFlavor flavors[] = { FLAVOR ("m1.small", 2048, 1, 20), FLAVOR ("m1.none", 2048, 1, 0) };
  g_autoptr(GError) error = NULL;
  g_autofree char *enough = choose_flavor (flavors, G_N_ELEMENTS (flavors),
                                           "instance-type=m1.small root-disk=20G", NULL, NULL);
  g_autofree char *too_small = choose_flavor (flavors, G_N_ELEMENTS (flavors),
                                              "instance-type=m1.small root-disk=21G", NULL, &error);

  g_assert_cmpstr (enough, ==, "m1.small");
  g_assert_cmpstr (too_small, ==, "-");
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NO_MATCH);
  g_assert_cmpstr (error->message, ==,
                   "flavor \"m1.small\" has a root disk of 20 GiB, which is less than "
                   "root-disk=21504M");
}

/* The disk is the volume's, whatever the flavor has. */
static void
test_flavor_for_a_volume_needs_no_disk (void)
{
  const OsFlavor flavors[] = { FLAVOR ("m1.none", 2048, 1, 0), FLAVOR ("m1.small", 2048, 1, 20) };
  OsImage image = { .id = (char *) "i", .architecture = (char *) "x86_64", .min_disk = 30 };
  g_autoptr(GPtrArray) flavor_array = make_flavors (flavors, G_N_ELEMENTS (flavors));
  g_autoptr(GPtrArray) images = g_ptr_array_new ();
  g_autoptr(WelkinConstraints) constraints =
    welkin_constraints_new_parsed ("root-disk=500G root-disk-source=volume", NULL);
  OsOffer offer = {
    .flavors = flavor_array,
    .images = images,
    .constraints = constraints,
    .is_on_volume = TRUE,
    .region = "RegionOne",
    .series = "noble",
    .arches = amd64,
  };
  g_autoptr(GPtrArray) alike = NULL;
  const OsImage *chosen = NULL;
  g_autoptr(GError) error = NULL;

  g_ptr_array_add (images, &image);
  os_choose_flavor (&offer, &alike, &chosen, &error);
  g_assert_no_error (error);
  g_assert_true (g_ptr_array_index (alike, 0) == &flavors[0]);
}

/* Root volumes. */

static WelkinConfig *
make_config (const char *source,
             const char *size,
             const char *type)
{
  g_autoptr(WelkinSchema) schema = os_config_new_schema ();
  g_autoptr(WelkinConfig) empty = welkin_config_new ();
  g_autoptr(WelkinConfig) with_source =
    welkin_config_with_text (empty, "root-disk-source", source, NULL);
  g_autoptr(WelkinConfig) with_size =
    welkin_config_with_text (with_source, "root-disk-size", size, NULL);
  g_autoptr(WelkinConfig) with_type =
    welkin_config_with_text (with_size, "root-disk-volume-type", type, NULL);
  g_autoptr(GError) error = NULL;
  WelkinConfig *config = welkin_schema_coerce (schema, with_type, TRUE, &error);

  g_assert_no_error (error);
  return config;
}

static void
test_root_volume_has_the_size_that_is_wanted (void)
{
  static const struct
  {
    const char *size;        /* attribute root-disk-size */
    const char *constraints;
    gint64      min_disk;    /* GiB, of the image */
    gint64      virtual_size;
    guint64     gib;
  } cases[] = {
    { "", "", 0, 0, 30 },
    { "", "root-disk=", 0, 0, 30 },
    { "50G", "", 0, 0, 50 },
    { "50G", "root-disk=8G", 0, 0, 8 },
    /* up to whole GiB */
    { "", "root-disk=1.5G", 0, 0, 2 },
    { "", "root-disk=1", 0, 0, 1 },
    { "", "root-disk=1024M", 0, 0, 1 },
    { "", "root-disk=1025M", 0, 0, 2 },
    /* never less than the image needs */
    { "", "root-disk=2G", 5, 0, 5 },
    { "", "root-disk=2G", 0, G_GINT64_CONSTANT (3221225473), 4 },
    { "", "root-disk=2G", 5, G_GINT64_CONSTANT (3221225472), 5 },
    { "", "", 40, 0, 40 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(WelkinConfig) config = make_config ("volume", cases[i].size, "ssd");
      g_autoptr(WelkinConstraints) constraints =
        welkin_constraints_new_parsed (cases[i].constraints, NULL);
      OsImage image = { .min_disk = cases[i].min_disk, .virtual_size = cases[i].virtual_size };
      OsRootVolume volume;

      os_describe_root_volume (config, constraints, &image, &volume);
      g_assert_cmpuint (volume.gib, ==, cases[i].gib);
      g_assert_cmpstr (volume.type, ==, "ssd");
    }
}

static void
test_constraint_decides_what_to_boot_from (void)
{
  static const struct
  {
    const char *source; /* attribute root-disk-source */
    const char *constraints;
    gboolean    is_volume;
  } cases[] = {
    { "local", "", FALSE },
    { "volume", "", TRUE },
    { "local", "root-disk-source=volume", TRUE },
    { "volume", "root-disk-source=local", FALSE },
    { "volume", "root-disk-source=", TRUE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(WelkinConfig) config = make_config (cases[i].source, "", "");
      g_autoptr(WelkinConstraints) constraints =
        welkin_constraints_new_parsed (cases[i].constraints, NULL);

      g_assert_cmpint (os_wants_root_volume (config, constraints), ==, cases[i].is_volume);
    }
}

static void
test_constraint_that_no_flavor_can_meet_is_warned_of (void)
{
  const OsFlavor flavors[] = { FLAVOR ("m1.small", 2048, 1, 20) };
  g_autofree char *chosen = NULL;

  g_test_expect_message ("welkin-openstack", G_LOG_LEVEL_WARNING,
                         "constraint \"tags\" is ignored on openstack");
  chosen = choose_flavor (flavors, G_N_ELEMENTS (flavors), "tags=fast", NULL, NULL);
  g_test_assert_expected_messages ();
  g_assert_cmpstr (chosen, ==, "m1.small");
}

static void
test_flavor_by_name (void)
{
  const OsFlavor flavors[] = {
    FLAVOR ("m1.small", 2048, 1, 20),
    FLAVOR ("m1.large", 8192, 4, 80),
    FLAVOR ("id-m1.small", 1, 1, 1),
  };
  gsize n = G_N_ELEMENTS (flavors);
  g_autofree char *by_name = choose_flavor (flavors, n, "instance-type=m1.large", NULL, NULL);
  g_autofree char *name_wins = choose_flavor (flavors, n, "instance-type=id-m1.small", NULL, NULL);
  g_autofree char *by_id = choose_flavor (flavors, n, "instance-type=id-m1.large", NULL, NULL);
  g_autofree char *by_default = choose_flavor (flavors, n, "", "m1.large", NULL);
  g_autofree char *not_default = choose_flavor (flavors, n, "cores=1", "m1.large", NULL);
  g_autoptr(GError) unknown = NULL;
  g_autoptr(GError) ambiguous = NULL;
  g_autofree char *none = choose_flavor (flavors, n, "instance-type=m9", NULL, &unknown);
  g_autofree char *both =
      choose_flavor (flavors, n, "instance-type=m1.small mem=1G", NULL, &ambiguous);

  g_assert_cmpstr (by_name, ==, "m1.large");
  g_assert_cmpstr (name_wins, ==, "id-m1.small");
  g_assert_cmpstr (by_id, ==, "m1.large");
  g_assert_cmpstr (by_default, ==, "m1.large");
  g_assert_cmpstr (not_default, ==, "m1.small");
  g_assert_cmpstr (none, ==, "-");
  g_assert_error (unknown, WELKIN_ERROR, WELKIN_ERROR_NO_MATCH);
  g_assert_cmpstr (unknown->message, ==,
                   "no flavor named \"m9\"; there are: id-m1.small, m1.large, m1.small");
  g_assert_cmpstr (both, ==, "-");
  g_assert_error (ambiguous, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
  g_assert_cmpstr (ambiguous->message, ==,
                   "ambiguous constraints: \"instance-type\" overlaps with \"mem\"");
}

static void
test_flavor_that_nobody_has_names_the_constraints (void)
{
  const OsFlavor flavors[] = { FLAVOR ("m1.small", 2048, 1, 20) };
  g_autoptr(GError) error = NULL;
  g_autofree char *none =
    choose_flavor (flavors, G_N_ELEMENTS (flavors), "mem=64G cores=2", NULL, &error);

  g_assert_cmpstr (none, ==, "-");
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NO_MATCH);
  g_assert_nonnull (strstr (error->message,
                            "no instance types in RegionOne matching constraints \""));
  g_assert_nonnull (strstr (error->message, "mem=65536M"));
  g_assert_nonnull (welkin_error_get_hint (error));
}

static gboolean
choose_image (OsImage    *images,
              gsize       n,
              OsFlavor   *flavors,
              gsize       n_flavors,
              const char *constraints_text,
              char      **chosen,
              GError    **error)
{
  g_autoptr(GPtrArray) flavor_array = make_flavors (flavors, n_flavors);
  g_autoptr(GPtrArray) image_array = g_ptr_array_new ();
  g_autoptr(WelkinConstraints) constraints = welkin_constraints_new_parsed (constraints_text, NULL);
  OsOffer offer = {
    .flavors = flavor_array,
    .images = image_array,
    .constraints = constraints,
    .region = "RegionOne",
    .series = "noble",
    .arches = os_all_arches,
  };
  g_autoptr(GPtrArray) alike = NULL;
  g_autofree char *names = NULL;
  const OsImage *image;

  for (gsize i = 0; i < n; i++)
    g_ptr_array_add (image_array, &images[i]);
  if (!os_choose_flavor (&offer, &alike, &image, error))
    return FALSE;
  names = join_names (alike);
  *chosen = g_strdup_printf ("%s on %s", image->id, names);
  return TRUE;
}

static void
test_image_and_flavor_go_together (void)
{
  OsFlavor flavors[] = { FLAVOR ("small", 2048, 1, 10), FLAVOR ("large", 8192, 4, 80) };
  OsImage images[] = {
    { .id = (char *) "arm", .architecture = (char *) "aarch64" },
    { .id = (char *) "old", .architecture = (char *) "i686" },
    { .id = (char *) "big", .architecture = (char *) "x86_64", .min_disk = 20 },
    { .id = (char *) "hungry", .architecture = (char *) "x86_64", .min_ram = 16384 },
  };
  g_autofree char *chosen = NULL;
  g_autoptr(GError) none = NULL;
  g_autoptr(GError) no_fit = NULL;

  /* Word size, then the name of the architecture, then the smaller flavor. */
  g_assert_true (choose_image (images, 3, flavors, 2, "", &chosen, NULL));
  g_assert_cmpstr (chosen, ==, "big on large");
  g_assert_false (choose_image (images, 0, flavors, 2, "", &chosen, &none));
  g_assert_error (none, WELKIN_ERROR, WELKIN_ERROR_NO_MATCH);
  g_assert_nonnull (strstr (none->message, "no \"noble\" images in RegionOne with arches [amd64 "));
  g_assert_false (choose_image (&images[3], 1, flavors, 2, "", &chosen, &no_fit));
  g_assert_error (no_fit, WELKIN_ERROR, WELKIN_ERROR_NO_MATCH);
  g_assert_nonnull (strstr (
      no_fit->message, "no \"noble\" images in RegionOne matching instance types [large small]"));
}

static void
test_disk_of_no_size_is_that_of_the_image (void)
{
  OsFlavor flavors[] = { FLAVOR ("zero", 2048, 1, 0) };
  OsImage small[] = { { .id = (char *) "small", .architecture = (char *) "x86_64",
                        .virtual_size = G_GINT64_CONSTANT (2) << 30 } };
  OsImage large[] = { { .id = (char *) "large", .architecture = (char *) "x86_64",
                        .virtual_size = G_GINT64_CONSTANT (40) << 30 } };
  g_autofree char *chosen = NULL;
  g_autoptr(GError) error = NULL;

  g_assert_false (choose_image (small, 1, flavors, 1, "root-disk=20G", &chosen, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NO_MATCH);
  g_assert_true (choose_image (large, 1, flavors, 1, "root-disk=20G", &chosen, NULL));
  g_assert_cmpstr (chosen, ==, "large on zero");
}

/* Images. */

static OsImage *
add_image (GPtrArray  *images,
           const char *id,
           const char *owner,
           const char *visibility,
           const char *created)
{
  OsImage *image = wk_json_record_new (&os_image_table);

  image->id = g_strdup (id);
  image->name = g_strdup (id);
  image->status = g_strdup ("active");
  image->owner = g_strdup (owner);
  image->visibility = g_strdup (visibility);
  image->created = g_strdup (created);
  image->architecture = g_strdup ("x86_64");
  g_ptr_array_add (images, image);
  return image;
}

static char *
join_ids (GPtrArray *images)
{
  GString *ids = g_string_new (NULL);

  for (guint i = 0; i < images->len; i++)
    g_string_append_printf (ids, "%s%s", i > 0 ? " " : "",
                            ((OsImage *) g_ptr_array_index (images, i))->id);
  return g_string_free (ids, FALSE);
}

static void
test_images_are_own_before_public_before_shared_and_newest_first (void)
{
  g_autoptr(GPtrArray) images =
    g_ptr_array_new_with_free_func ((GDestroyNotify) os_image_free);
  g_autoptr(GPtrArray) chosen = NULL;
  g_autofree char *ids = NULL;

  add_image (images, "shared-new", "them", "shared", "2026-03-01");
  add_image (images, "public-old", "them", "public", "2024-01-01");
  add_image (images, "public-new", "them", "public", "2026-01-01");
  add_image (images, "own-old", "us", "private", "2020-01-01");
  add_image (images, "hidden", "us", "private", "2026-01-01")->is_hidden = TRUE;
  add_image (images, "snapshot", "us", "private", "2026-01-01")->image_type = g_strdup ("snapshot");
  g_free (add_image (images, "queued", "us", "private", "2026-01-01")->status);
  ((OsImage *) g_ptr_array_index (images, images->len - 1))->status = g_strdup ("queued");

  chosen = os_choose_images (images, amd64, "us");
  ids = join_ids (chosen);
  g_assert_cmpstr (ids, ==, "own-old public-new public-old shared-new");
}

static void
test_image_without_architecture_is_the_last_resort (void)
{
  static const char *const arm64[] = { "arm64", NULL };
  g_autoptr(GPtrArray) images =
    g_ptr_array_new_with_free_func ((GDestroyNotify) os_image_free);
  OsImage *nameless = add_image (images, "nameless", "us", "private", "2026-01-01");
  OsImage *named = add_image (images, "named", "us", "private", "2020-01-01");
  g_autoptr(GPtrArray) with_both = NULL;
  g_autoptr(GPtrArray) for_arm = NULL;
  g_autoptr(GPtrArray) alone = NULL;

  g_clear_pointer (&nameless->architecture, g_free);
  with_both = os_choose_images (images, amd64, "us");
  g_assert_cmpuint (with_both->len, ==, 1);
  g_assert_true (g_ptr_array_index (with_both, 0) == named);

  for_arm = os_choose_images (images, arm64, "us");
  g_assert_cmpuint (for_arm->len, ==, 0);

  g_ptr_array_remove (images, named);
  alone = os_choose_images (images, amd64, "us");
  g_assert_cmpuint (alone->len, ==, 1);
  g_assert_cmpstr (os_image_get_arch (nameless), ==, "amd64");
}

/* Networks. */

#define NETWORK(name_, project_, ...) \
  { .id = (char *) "id-" name_, .name = (char *) name_, .project_id = (char *) project_, \
    .status = (char *) "ACTIVE", .is_up = TRUE, .has_port_security = -1, __VA_ARGS__ }

static GPtrArray *
make_networks (OsNetwork *networks,
               gsize      n)
{
  GPtrArray *array = g_ptr_array_new ();

  for (gsize i = 0; i < n; i++)
    g_ptr_array_add (array, &networks[i]);
  return array;
}

static void
test_network_id_in_any_form (void)
{
  g_autofree char *dashed = os_network_parse_id ("2A47F8D0-1111-4222-8333-444455556666");
  g_autofree char *bare = os_network_parse_id ("2a47f8d0111142228333444455556666");
  g_autofree char *old = os_network_parse_id ("2a47f8d0-1111-0222-0333-444455556666");

  g_assert_cmpstr (dashed, ==, "2a47f8d0-1111-4222-8333-444455556666");
  g_assert_cmpstr (bare, ==, "2a47f8d0-1111-4222-8333-444455556666");
  g_assert_cmpstr (old, ==, "2a47f8d0-1111-0222-0333-444455556666");
  g_assert_null (os_network_parse_id ("private"));
  g_assert_null (os_network_parse_id (""));
  g_assert_null (os_network_parse_id ("2a47f8d0-1111-4222-8333-44445555666"));
  g_assert_null (os_network_parse_id ("2a47f8d0-1111-4222-8333-44445555666G"));
}

static void
test_only_network_of_the_project_is_taken (void)
{
  OsNetwork records[] = {
    NETWORK ("private", "us"),
    NETWORK ("shared", "them", .is_shared = TRUE),
    NETWORK ("public", "them", .is_external = TRUE),
    NETWORK ("down", "us"),
  };
  g_autoptr(GPtrArray) networks = make_networks (records, G_N_ELEMENTS (records));
  g_autoptr(GPtrArray) others = make_networks (&records[1], 2);

  records[3].is_up = FALSE;
  g_assert_true (os_choose_network (networks, "us", NULL) == &records[0]);
  g_assert_true (os_choose_network (others, "us", NULL) == &records[1]);
}

static void
test_several_networks_are_listed (void)
{
  OsNetwork records[] = {
    NETWORK ("n1", "us"), NETWORK ("n2", "us"), NETWORK ("ext", "them", .is_external = TRUE),
  };
  g_autoptr(GPtrArray) networks = make_networks (records, G_N_ELEMENTS (records));
  g_autoptr(GPtrArray) none = make_networks (&records[2], 1);
  g_autoptr(GError) several_error = NULL;
  g_autoptr(GError) none_error = NULL;

  g_assert_null (os_choose_network (networks, "us", &several_error));
  g_assert_error (several_error, WELKIN_ERROR, WELKIN_ERROR_AMBIGUOUS);
  g_assert_cmpstr (several_error->message, ==,
                   "several networks could be used: n1 (id-n1), n2 (id-n2)");
  g_assert_nonnull (strstr (welkin_error_get_hint (several_error), "\"network\""));

  g_assert_null (os_choose_network (none, "us", &none_error));
  g_assert_error (none_error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
}

static void
test_network_by_name (void)
{
  OsNetwork records[] = {
    NETWORK ("private", "us"), NETWORK ("PRIVATE", "us"), NETWORK ("private", "them"),
    NETWORK ("twin", "us"), NETWORK ("twin", "us"), NETWORK ("ext", "them", .is_external = TRUE),
  };
  g_autoptr(GPtrArray) networks = make_networks (records, G_N_ELEMENTS (records));
  g_autoptr(GError) unknown = NULL;
  g_autoptr(GError) ambiguous = NULL;
  g_autoptr(GError) internal = NULL;

  g_assert_true (os_choose_network_by_name (networks, "private", "us", OS_NETWORK_FOR_MACHINES,
                                            NULL) == &records[0]);
  g_assert_true (os_choose_network_by_name (networks, "ext", "us", OS_NETWORK_FOR_FLOATING_IPS,
                                            NULL) == &records[5]);
  g_assert_null (os_choose_network_by_name (networks, "nosuch", "us", OS_NETWORK_FOR_MACHINES,
                                            &unknown));
  g_assert_error (unknown, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  g_assert_cmpstr (unknown->message, ==,
                   "no network named \"nosuch\"; there are: PRIVATE, ext, private, twin");
  g_assert_null (os_choose_network_by_name (networks, "twin", "us", OS_NETWORK_FOR_MACHINES,
                                            &ambiguous));
  g_assert_error (ambiguous, WELKIN_ERROR, WELKIN_ERROR_AMBIGUOUS);
  g_assert_null (os_choose_network_by_name (networks, "private", "us", OS_NETWORK_FOR_FLOATING_IPS,
                                            &internal));
  g_assert_error (internal, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
}

static void
test_network_that_cannot_be_used_is_refused (void)
{
  g_autoptr(GPtrArray) subnets = g_ptr_array_new ();
  OsNetwork no_subnet = NETWORK ("bare", "us");
  OsNetwork external = NETWORK ("ext", "them", .is_external = TRUE, .subnets = subnets);
  OsNetwork usable = NETWORK ("private", "us", .subnets = subnets);
  g_autoptr(GError) bare_error = NULL;
  g_autoptr(GError) external_error = NULL;
  g_autoptr(GError) internal_error = NULL;

  g_ptr_array_add (subnets, (gpointer) "s");
  g_assert_true (os_check_network (&usable, "us", OS_NETWORK_FOR_MACHINES, NULL));
  g_assert_true (os_check_network (&external, "us", OS_NETWORK_FOR_FLOATING_IPS, NULL));
  g_assert_false (os_check_network (&no_subnet, "us", OS_NETWORK_FOR_MACHINES, &bare_error));
  g_assert_cmpstr (bare_error->message, ==, "network \"bare\" (id-bare) has no subnet");
  g_assert_false (os_check_network (&external, "us", OS_NETWORK_FOR_MACHINES, &external_error));
  g_assert_nonnull (strstr (external_error->message, "is external"));
  g_assert_false (os_check_network (&usable, "us", OS_NETWORK_FOR_FLOATING_IPS, &internal_error));
  g_assert_nonnull (strstr (internal_error->message, "is not external"));
}

static void
test_external_network_is_the_one_that_routers_lead_to (void)
{
  OsNetwork records[] = {
    NETWORK ("one", "them", .is_external = TRUE), NETWORK ("two", "them", .is_external = TRUE),
    NETWORK ("private", "us"),
  };
  OsGateway gateway = { .network_id = (char *) "id-two" };
  OsRouter router = { .id = (char *) "r", .gateway = &gateway };
  OsRouter idle_router = { .id = (char *) "r2" };
  g_autoptr(GPtrArray) networks = make_networks (records, G_N_ELEMENTS (records));
  g_autoptr(GPtrArray) one = make_networks (records, 1);
  g_autoptr(GPtrArray) routers = g_ptr_array_new ();
  g_autoptr(GError) error = NULL;

  g_assert_true (os_choose_external_network (one, NULL, NULL) == &records[0]);
  g_assert_null (os_choose_external_network (networks, NULL, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_AMBIGUOUS);
  g_ptr_array_add (routers, &idle_router);
  g_ptr_array_add (routers, &router);
  g_assert_true (os_choose_external_network (networks, routers, NULL) == &records[1]);
}

/* Zones. */

static OsZoneState up = { .is_available = TRUE };
static OsZoneState down = { .is_available = FALSE };

static OsZone zone_records[] = {
  { .name = (char *) "az2", .state = &up },      { .name = (char *) "az1", .state = &up },
  { .name = (char *) "az3", .state = &down },    { .name = (char *) "internal", .state = &up },
};

/* Zones in the order they would be tried, or the error's text. populations: "zone:n zone:n" */
static char *
choose_zones (const char *placement,
              const char *configured_text,
              const char *constrained_text,
              const char *populations_text)
{
  g_autoptr(GPtrArray) zones = g_ptr_array_new ();
  g_autoptr(GHashTable) populations =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_auto(GStrv) configured = g_strsplit (configured_text, ",", -1);
  g_auto(GStrv) constrained = g_strsplit (constrained_text, ",", -1);
  g_auto(GStrv) pairs = g_strsplit (populations_text, " ", -1);
  g_auto(GStrv) chosen = NULL;
  g_autoptr(GError) error = NULL;
  OsZoneWishes wishes = {
    .zones = zones,
    .placement = placement,
    .configured = (const char *const *) configured,
    .constrained = (const char *const *) constrained,
    .populations = populations,
  };

  for (gsize i = 0; i < G_N_ELEMENTS (zone_records); i++)
    g_ptr_array_add (zones, &zone_records[i]);
  for (gsize i = 0; pairs[i] != NULL; i++)
    {
      g_auto(GStrv) pair = g_strsplit (pairs[i], ":", 2);

      g_hash_table_insert (populations, g_strdup (pair[0]),
                           GUINT_TO_POINTER (g_ascii_strtoull (pair[1], NULL, 10)));
    }
  chosen = os_choose_zones (&wishes, &error);
  return chosen != NULL ? g_strjoinv (" ", chosen) : g_strdup (error->message);
}

static void
test_zones_with_fewest_servers_come_first (void)
{
  static const struct
  {
    const char *placement;
    const char *configured;
    const char *constrained;
    const char *populations;
    const char *expected;
  } cases[] = {
    { "", "", "", "", "az1 az2" },
    { "", "", "", "az1:2 az2:1", "az2 az1" },
    { "", "", "", "az2:1 az3:0", "az1 az2" },
    { "", "az2,az1", "", "", "az2 az1" },
    { "", "az2,az1", "", "az2:1", "az1 az2" },
    { "", "az2", "", "az2:1", "az2" },
    { "", "", "az2", "az2:1", "az2" },
    { "", "az2,az1", "az1", "", "az1" },
    { "zone=az2", "az1", "az1", "az2:1", "az2" },
    { "zone=az3", "", "", "", "availability zone \"az3\" is unavailable" },
    { "zone=az9", "", "", "",
      "no availability zone \"az9\"; there are: az2, az1, az3, internal" },
    { "rack=7", "", "", "", "unknown placement directive \"rack=7\"" },
    { "zone=", "", "", "", "unknown placement directive \"zone=\"" },
    { "az1", "", "", "", "unknown placement directive \"az1\"" },
    { "", "az3", "", "", "no availability zone is available of those wanted: az3" },
    { "", "az1", "az2", "", "no availability zone is available of those wanted: az1, az2" },
    { "", "az9", "", "", "no availability zone \"az9\"; there are: az2, az1, az3, internal" },
    { "", "", "az9", "", "no availability zone \"az9\"; there are: az2, az1, az3, internal" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *chosen = choose_zones (cases[i].placement, cases[i].configured,
                                              cases[i].constrained, cases[i].populations);

      g_assert_cmpstr (chosen, ==, cases[i].expected);
    }
}

static void
test_cloud_without_zones_is_left_to_choose (void)
{
  OsZoneWishes wishes = { .placement = "", .configured = nobody };
  g_auto(GStrv) chosen = os_choose_zones (&wishes, NULL);

  g_assert_cmpuint (g_strv_length (chosen), ==, 1);
  g_assert_cmpstr (chosen[0], ==, "");
}

static void
test_cloud_without_zones_has_no_order_of_them (void)
{
  static const char *const ordered[] = { "az2", "az1", NULL };
  g_autoptr(GPtrArray) none = g_ptr_array_new ();
  OsZoneWishes hidden = { .placement = "", .configured = ordered };
  OsZoneWishes empty = { .zones = none, .placement = "", .configured = ordered };
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) chosen = os_choose_zones (&hidden, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (chosen), ==, 1);
  g_assert_cmpstr (chosen[0], ==, "");
  g_assert_null (os_choose_zones (&empty, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
}

static void
test_cloud_without_zones_refuses_one_by_name (void)
{
  static const char *const constrained[] = { "az1", NULL };
  const OsZoneWishes wishes[] = {
    { .placement = "zone=az1", .configured = nobody },
    { .placement = "", .configured = nobody, .constrained = constrained },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (wishes); i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_null (os_choose_zones (&wishes[i], &error));
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
      g_assert_cmpstr (error->message, ==,
                       "no availability zone \"az1\": the cloud tells of none");
    }
}

static void
test_listed_zones_are_available_ones (void)
{
  g_autoptr(GPtrArray) zones = g_ptr_array_new ();
  g_auto(GStrv) names = NULL;
  g_autofree char *joined = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (zone_records); i++)
    g_ptr_array_add (zones, &zone_records[i]);
  names = os_list_available_zones (zones);
  joined = g_strjoinv (" ", names);
  g_assert_cmpstr (joined, ==, "az1 az2");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/choose/flavor/smallest-that-satisfies",
                   test_flavor_is_the_smallest_that_satisfies);
  g_test_add_func ("/choose/flavor/odd-numbers", test_flavor_of_odd_numbers_is_read_as_meant);
  g_test_add_func ("/choose/flavor/unmet-constraint-is-warned-of",
                   test_constraint_that_no_flavor_can_meet_is_warned_of);
  g_test_add_func ("/defects/42/flavor-without-disk",
                   test_flavor_without_disk_is_the_last_resort);
  g_test_add_func ("/choose/flavor/by-name", test_flavor_by_name);
  g_test_add_func ("/choose/flavor/by-name-and-disk", test_named_flavor_must_have_the_root_disk);
  g_test_add_func ("/choose/flavor/for-a-volume", test_flavor_for_a_volume_needs_no_disk);
  g_test_add_func ("/defects/36/root-disk-size", test_root_volume_has_the_size_that_is_wanted);
  g_test_add_func ("/choose/root-disk/source", test_constraint_decides_what_to_boot_from);
  g_test_add_func ("/choose/flavor/none-names-the-constraints",
                   test_flavor_that_nobody_has_names_the_constraints);
  g_test_add_func ("/choose/flavor/goes-with-image", test_image_and_flavor_go_together);
  g_test_add_func ("/defects/42/disk-of-no-size", test_disk_of_no_size_is_that_of_the_image);
  g_test_add_func ("/choose/image/order",
                   test_images_are_own_before_public_before_shared_and_newest_first);
  g_test_add_func ("/choose/image/without-architecture",
                   test_image_without_architecture_is_the_last_resort);
  g_test_add_func ("/defects/10/id-in-any-form", test_network_id_in_any_form);
  g_test_add_func ("/choose/network/only-one", test_only_network_of_the_project_is_taken);
  g_test_add_func ("/choose/network/several-are-listed", test_several_networks_are_listed);
  g_test_add_func ("/choose/network/by-name", test_network_by_name);
  g_test_add_func ("/choose/network/unusable-is-refused",
                   test_network_that_cannot_be_used_is_refused);
  g_test_add_func ("/choose/network/external-by-routers",
                   test_external_network_is_the_one_that_routers_lead_to);
  g_test_add_func ("/choose/zone/fewest-servers-first", test_zones_with_fewest_servers_come_first);
  g_test_add_func ("/choose/zone/none", test_cloud_without_zones_is_left_to_choose);
  g_test_add_func ("/choose/zone/none-to-order", test_cloud_without_zones_has_no_order_of_them);
  g_test_add_func ("/choose/zone/none-by-name", test_cloud_without_zones_refuses_one_by_name);
  g_test_add_func ("/choose/zone/listed", test_listed_zones_are_available_ones);

  return g_test_run ();
}
