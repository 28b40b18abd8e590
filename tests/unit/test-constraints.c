/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <welkin.h>

#include "base/yaml.h"

static WelkinConstraints *
parse (const char *text)
{
  g_autoptr(GError) error = NULL;
  WelkinConstraints *constraints = welkin_constraints_new_parsed (text, &error);

  g_assert_no_error (error);
  return constraints;
}

/* Whatever can be parsed is written such that it parses to the same. */
static void
assert_rendered (const char *text,
                 const char *expected)
{
  g_autoptr(WelkinConstraints) constraints = parse (text);
  g_autofree char *rendered = welkin_constraints_to_string (constraints);
  g_autoptr(WelkinConstraints) again = NULL;

  g_assert_cmpstr (rendered, ==, expected);
  again = parse (rendered);
  g_assert_true (welkin_constraints_equal (constraints, again));
}

static void
assert_refused (const char *text,
                const char *expected)
{
  g_autoptr(GError) error = NULL;

  g_assert_null (welkin_constraints_new_parsed (text, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
  g_assert_cmpstr (error->message, ==, expected);
}

static void
test_sizes_are_mebibytes_rounded_up (void)
{
  g_autoptr(WelkinConstraints) half = parse ("mem=1.5G root-disk=1.1");
  g_autoptr(WelkinConstraints) large = parse ("mem=36.2T root-disk=2P");
  g_autoptr(WelkinConstraints) exponent = parse ("mem=1e3G root-disk=+8M");

  g_assert_cmpuint (welkin_constraints_get_number (half, "mem"), ==, 1536);
  g_assert_cmpuint (welkin_constraints_get_number (half, "root-disk"), ==, 2);
  g_assert_cmpuint (welkin_constraints_get_number (large, "mem"), ==, 37958452);
  g_assert_cmpuint (welkin_constraints_get_number (large, "root-disk"), ==,
                    G_GUINT64_CONSTANT (2) << 30);
  g_assert_cmpuint (welkin_constraints_get_number (exponent, "mem"), ==, 1024000);
  g_assert_cmpuint (welkin_constraints_get_number (exponent, "root-disk"), ==, 8);
}

static void
test_bad_sizes_are_refused (void)
{
  const char *values[] = {
    "x", "-1", "-0", "1Y", "1g", "1GG", "1 G", "nan", "inf", "0x10", ".", "1e", "1e400", "1e20P",
    "G", "1,5G",
  };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autofree char *escaped = g_strdelimit (g_strdup (values[i]), " ", '_');
      g_autofree char *text = g_strconcat ("mem=", escaped, NULL);

      assert_refused (text, "bad \"mem\" constraint: must be a non-negative float with optional "
                            "M/G/T/P suffix");
    }
}

static void
test_numbers_are_unsigned_integers (void)
{
  g_autoptr(WelkinConstraints) constraints = parse ("cores=18446744073709551615 cpu-power=100");

  g_assert_cmpuint (welkin_constraints_get_number (constraints, "cores"), ==, G_MAXUINT64);
  g_assert_cmpuint (welkin_constraints_get_number (constraints, "cpu-cores"), ==, G_MAXUINT64);
  g_assert_cmpuint (welkin_constraints_get_number (constraints, "cpu-power"), ==, 100);
  assert_refused ("cores=-1", "bad \"cores\" constraint: must be a non-negative integer");
  assert_refused ("cpu-cores=1.5", "bad \"cpu-cores\" constraint: must be a non-negative integer");
  assert_refused ("cpu-power=18446744073709551616",
                  "bad \"cpu-power\" constraint: must be a non-negative integer");
}

static void
test_words_must_make_sense (void)
{
  assert_refused ("mem", "malformed constraint \"mem\"");
  assert_refused ("=4G", "malformed constraint \"=4G\"");
  assert_refused ("mem= 4G", "malformed constraint \"4G\"");
  assert_refused ("image-id=a\\", "malformed constraint \"image-id=a\\\"");
  assert_refused ("colour=blue", "unknown constraint \"colour\"");
  assert_refused ("mem=4G mem=4G", "bad \"mem\" constraint: already set");
  assert_refused ("cores=2 cpu-cores=2", "bad \"cpu-cores\" constraint: already set");
  assert_refused ("arch=sparc", "bad \"arch\" constraint: \"sparc\" not recognized");
  assert_refused ("container=jail",
                  "bad \"container\" constraint: invalid container type \"jail\"");
  assert_refused ("nested-virtualization=maybe",
                  "bad \"nested-virtualization\" constraint: must be 'true' or 'false'");
  assert_refused ("allocate-public-ip=yes",
                  "bad \"allocate-public-ip\" constraint: must be 'true' or 'false'");
}

static void
test_network_and_space_names_are_checked (void)
{
  assert_rendered ("spaces=a,^b-2 networks=^db", "networks=^db spaces=a,^b-2");
  assert_refused ("spaces=a,B", "bad \"spaces\" constraint: \"B\" is not a valid space name");
  assert_refused ("spaces=a,,b", "bad \"spaces\" constraint: \"\" is not a valid space name");
  assert_refused ("spaces=a-", "bad \"spaces\" constraint: \"a-\" is not a valid space name");
  assert_refused ("spaces=a--b", "bad \"spaces\" constraint: \"a--b\" is not a valid space name");
  assert_refused ("spaces=^^a", "bad \"spaces\" constraint: \"^^a\" is not a valid space name");
  assert_refused ("networks=-a", "bad \"networks\" constraint: \"-a\" is not a valid network name");
}

static void
test_several_texts_make_one_set (void)
{
  const char *texts[] = { "mem=4G", " cores=2  arch=amd64 ", "", NULL };
  const char *twice[] = { "mem=4G", "mem=2G", NULL };
  g_autoptr(WelkinConstraints) constraints = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *rendered = NULL;

  constraints = welkin_constraints_new_parsed_words (texts, &error);
  g_assert_no_error (error);
  rendered = welkin_constraints_to_string (constraints);
  g_assert_cmpstr (rendered, ==, "arch=amd64 cores=2 mem=4096M");
  g_assert_null (welkin_constraints_new_parsed_words (twice, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
}

static void
test_present_but_empty_differs_from_absent (void)
{
  g_autoptr(WelkinConstraints) none = welkin_constraints_new ();
  g_autoptr(WelkinConstraints) empty = parse ("mem= tags= arch= container=none cores=0");
  g_autoptr(WelkinConstraints) full = parse ("mem=1 tags=a arch=arm64 container=lxd cores=1");
  const char *names[] = { "mem", "tags", "arch", "container", "cores" };

  g_assert_true (welkin_constraints_is_empty (none));
  g_assert_false (welkin_constraints_is_empty (empty));
  g_assert_false (welkin_constraints_equal (none, empty));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_assert_false (welkin_constraints_has (none, names[i]));
      g_assert_false (welkin_constraints_demands (none, names[i]));
      g_assert_true (welkin_constraints_has (empty, names[i]));
      g_assert_false (welkin_constraints_demands (empty, names[i]));
      g_assert_true (welkin_constraints_demands (full, names[i]));
    }
  g_assert_null (welkin_constraints_get_list (none, "tags"));
  g_assert_null (welkin_constraints_get_list (empty, "tags")[0]);
  g_assert_cmpstr (welkin_constraints_get_text (empty, "arch"), ==, "");
}

static void
test_booleans_may_be_left_open (void)
{
  g_autoptr(WelkinConstraints) open = parse ("allocate-public-ip= nested-virtualization=");
  g_autoptr(WelkinConstraints) yes = parse ("allocate-public-ip=T nested-virtualization=1");
  g_autoptr(WelkinConstraints) no = parse ("allocate-public-ip=False");

  g_assert_false (welkin_constraints_has (open, "allocate-public-ip"));
  g_assert_true (welkin_constraints_has (open, "nested-virtualization"));
  g_assert_false (welkin_constraints_get_boolean (open, "nested-virtualization"));
  g_assert_true (welkin_constraints_get_boolean (yes, "allocate-public-ip"));
  g_assert_true (welkin_constraints_get_boolean (yes, "nested-virtualization"));
  g_assert_true (welkin_constraints_has (no, "allocate-public-ip"));
  g_assert_false (welkin_constraints_get_boolean (no, "allocate-public-ip"));
}

static void
test_what_is_written_can_be_read (void)
{
  assert_rendered ("", "");
  assert_rendered ("  \t ", "");
  assert_rendered ("image-id=i allocate-public-ip=true zones=z1,z2 virt-type=kvm spaces=s "
                   "networks=n tags=t root-disk-source=volume root-disk=8G mem=2G "
                   "instance-type=m1.small instance-role=r nested-virtualization=false "
                   "cpu-power=100 cpu-cores=2 container=kvm arch=amd64",
                   "arch=amd64 container=kvm cores=2 cpu-power=100 nested-virtualization=false "
                   "instance-role=r instance-type=m1.small mem=2048M root-disk=8192M "
                   "root-disk-source=volume tags=t networks=n spaces=s virt-type=kvm zones=z1,z2 "
                   "allocate-public-ip=true image-id=i");
  assert_rendered ("mem=0 cores=0 tags= arch=", "arch= cores= mem= tags=");
  assert_rendered ("tags=,", "tags=,");
  assert_rendered ("tags=a,,b,", "tags=a,,b,");
  assert_rendered ("instance-type=a=b", "instance-type=a=b");
  assert_rendered ("instance-type=big\\ one image-id=x\\ ",
                   "instance-type=big\\ one image-id=x\\ ");
  assert_rendered ("instance-type=a\\b\\\\ c", "instance-type=a\\b\\\\ c");
  assert_rendered ("image-id=\\  mem=1", "mem=1M image-id=\\ ");
  assert_rendered ("\timage-id=a\tb\t mem=1\n", "mem=1M image-id=a\tb");
  assert_rendered ("mem=9223372036854775808", "mem=9223372036854775808M");
}

static void
test_fallbacks_fill_what_is_absent (void)
{
  g_autoptr(WelkinConstraints) constraints = parse ("tags= cores=4");
  g_autoptr(WelkinConstraints) fallback = parse ("tags=foo,bar mem=2G cores=1 arch=amd64");
  g_autoptr(WelkinConstraints) result = NULL;
  g_autofree char *rendered = NULL;

  result = welkin_constraints_with_fallback (constraints, fallback);
  rendered = welkin_constraints_to_string (result);
  g_assert_cmpstr (rendered, ==, "arch=amd64 cores=4 mem=2048M tags=");
}

/* Random words of a hostile alphabet: either refused, or the law of writing
 * holds. */
static void
test_random_texts_obey_the_law (void)
{
  static const char * const pieces[] = {
    "mem=", "tags=", "image-id=", "spaces=", "cores=", "arch=", "amd64", " ", "\\", "\\ ", "=", ",",
    "\t", "\n", "a", "^", "-", "1", "0", ".5", "G", "e3", "container=", "none", "é",
  };

  for (guint round = 0; round < 20000; round++)
    {
      g_autoptr(GString) text = g_string_new (NULL);
      g_autoptr(WelkinConstraints) constraints = NULL;
      guint n_pieces = g_test_rand_int_range (1, 14);

      for (guint i = 0; i < n_pieces; i++)
        g_string_append (text, pieces[g_test_rand_int_range (0, G_N_ELEMENTS (pieces))]);
      constraints = welkin_constraints_new_parsed (text->str, NULL);
      if (constraints != NULL)
        {
          g_autofree char *rendered = welkin_constraints_to_string (constraints);
          g_autoptr(WelkinConstraints) again = parse (rendered);

          g_assert_true (welkin_constraints_equal (constraints, again));
        }
    }
}

static WelkinConstraints *
read_yaml (const char *yaml,
           GError    **error)
{
  g_autoptr(GError) local_error = NULL;
  g_autoptr(WelkinValue) value = wk_yaml_parse (yaml, -1, "test", &local_error);

  g_assert_no_error (local_error);
  return welkin_constraints_new_from_value (value, error);
}

/* The mapping that is written, and that it is read as the same constraints. */
static void
assert_mapping (const char *text,
                const char *expected)
{
  g_autoptr(WelkinConstraints) constraints = parse (text);
  g_autoptr(WelkinValue) value = welkin_constraints_to_value (constraints);
  g_autofree char *yaml = wk_yaml_print (value);
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinConstraints) again = NULL;

  g_assert_cmpstr (yaml, ==, expected);
  again = read_yaml (yaml, &error);
  g_assert_no_error (error);
  g_assert_true (welkin_constraints_equal (constraints, again));
}

static void
test_mapping_keeps_everything (void)
{
  assert_mapping ("", "{}\n");
  assert_mapping ("mem=1.5G cores=2 arch=amd64 allocate-public-ip=true",
                  "allocate-public-ip: true\narch: amd64\ncores: 2\nmem: 1536\n");
  assert_mapping ("tags=a,b zones=az1 spaces=^dmz",
                  "spaces:\n- '^dmz'\ntags:\n- a\n- b\nzones:\n- az1\n");
  assert_mapping ("arch= tags= mem= nested-virtualization=",
                  "arch: ''\nmem: 0\nnested-virtualization: false\ntags: []\n");
  assert_mapping ("instance-type=big\\ one image-id=007",
                  "image-id: '007'\ninstance-type: big one\n");
}

static void
test_mapping_is_read_in_other_words (void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinConstraints) constraints =
    read_yaml ("cpu-cores: 4\nmem: 2G\narch: ~\ntags: []\n", &error);
  g_autofree char *text = NULL;
  g_autoptr(WelkinConstraints) none = NULL;

  g_assert_no_error (error);
  text = welkin_constraints_to_string (constraints);
  g_assert_cmpstr (text, ==, "cores=4 mem=2048M tags=");
  none = read_yaml ("", &error);
  g_assert_no_error (error);
  g_assert_true (welkin_constraints_is_empty (none));
}

static void
test_bad_mappings_are_refused (void)
{
  static const struct
  {
    const char *yaml;
    const char *message;
  } cases[] = {
    { "- mem", "constraints must be a mapping of names to values" },
    { "colour: blue", "unknown constraint \"colour\"" },
    { "cores: 2\ncpu-cores: 2", "constraint \"cpu-cores\" duplicates one of another spelling" },
    { "cpu-cores: 2\ncores: 2", "constraint \"cores\" duplicates one of another spelling" },
    { "tags: a", "bad \"tags\" constraint: it must be a list" },
    { "tags: [[a]]", "bad \"tags\" constraint: its items must be texts without commas" },
    { "zones: [\"a,b\"]", "bad \"zones\" constraint: its items must be texts without commas" },
    { "mem: [1]", "bad \"mem\" constraint: it must be one value" },
    { "mem: {}", "bad \"mem\" constraint: it must be one value" },
    { "mem: x", "bad \"mem\" constraint: must be a non-negative float with optional M/G/T/P "
                "suffix" },
    { "spaces: [B]", "bad \"spaces\" constraint: \"B\" is not a valid space name" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_null (read_yaml (cases[i].yaml, &error));
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/constraints/sizes-are-mebibytes-rounded-up",
                   test_sizes_are_mebibytes_rounded_up);
  g_test_add_func ("/constraints/bad-sizes-are-refused", test_bad_sizes_are_refused);
  g_test_add_func ("/constraints/numbers-are-unsigned-integers",
                   test_numbers_are_unsigned_integers);
  g_test_add_func ("/constraints/words-must-make-sense", test_words_must_make_sense);
  g_test_add_func ("/constraints/network-and-space-names-are-checked",
                   test_network_and_space_names_are_checked);
  g_test_add_func ("/constraints/several-texts-make-one-set", test_several_texts_make_one_set);
  g_test_add_func ("/constraints/present-but-empty-differs-from-absent",
                   test_present_but_empty_differs_from_absent);
  g_test_add_func ("/constraints/booleans-may-be-left-open", test_booleans_may_be_left_open);
  g_test_add_func ("/constraints/what-is-written-can-be-read", test_what_is_written_can_be_read);
  g_test_add_func ("/constraints/fallbacks-fill-what-is-absent",
                   test_fallbacks_fill_what_is_absent);
  g_test_add_func ("/constraints/random-texts-obey-the-law", test_random_texts_obey_the_law);
  g_test_add_func ("/constraints/mapping/keeps-everything", test_mapping_keeps_everything);
  g_test_add_func ("/constraints/mapping/other-words", test_mapping_is_read_in_other_words);
  g_test_add_func ("/constraints/mapping/bad-ones-are-refused", test_bad_mappings_are_refused);
  return g_test_run ();
}
