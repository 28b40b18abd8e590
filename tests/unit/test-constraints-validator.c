/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <welkin.h>

static WelkinConstraints *
parse (const char *text)
{
  g_autoptr(GError) error = NULL;
  WelkinConstraints *constraints = welkin_constraints_new_parsed (text, &error);

  g_assert_no_error (error);
  return constraints;
}

/* What openstack registers. */
static WelkinConstraintsValidator *
make_validator (void)
{
  static const char *const unsupported[] = { "tags", "cpu-power", NULL };
  static const char *const reds[] = { "instance-type", NULL };
  static const char *const blues[] = { "mem", "cpu-cores", NULL };
  static const char *const arches[] = { "amd64", "arm64", NULL };
  WelkinConstraintsValidator *validator = welkin_constraints_validator_new ();

  welkin_constraints_validator_register_unsupported (validator, unsupported);
  welkin_constraints_validator_register_conflicts (validator, reds, blues);
  welkin_constraints_validator_register_vocabulary (validator, "arch", arches);
  return validator;
}

static void
assert_ignored (WelkinConstraintsValidator *validator,
                const char                 *text,
                const char                 *expected)
{
  g_autoptr(WelkinConstraints) constraints = parse (text);
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) names = welkin_constraints_validator_validate (validator, constraints, &error);
  g_autofree char *joined = NULL;

  g_assert_no_error (error);
  joined = g_strjoinv (" ", names);
  g_assert_cmpstr (joined, ==, expected);
}

static void
assert_refused (WelkinConstraintsValidator *validator,
                const char                 *text,
                const char                 *expected)
{
  g_autoptr(WelkinConstraints) constraints = parse (text);
  g_autoptr(GError) error = NULL;

  g_assert_null (welkin_constraints_validator_validate (validator, constraints, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
  g_assert_cmpstr (error->message, ==, expected);
}

static void
assert_merged (WelkinConstraintsValidator *validator,
               const char                 *text,
               const char                 *fallback_text,
               const char                 *expected)
{
  g_autoptr(WelkinConstraints) constraints = parse (text);
  g_autoptr(WelkinConstraints) fallback = parse (fallback_text);
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinConstraints) merged =
    welkin_constraints_validator_merge (validator, constraints, fallback, &error);
  g_autofree char *rendered = NULL;

  g_assert_no_error (error);
  rendered = welkin_constraints_to_string (merged);
  g_assert_cmpstr (rendered, ==, expected);
}

static void
test_empty_validator_takes_everything (void)
{
  g_autoptr(WelkinConstraintsValidator) validator = welkin_constraints_validator_new ();

  assert_ignored (validator, "", "");
  assert_ignored (validator, "instance-type=m1.large mem=4G tags=a arch=s390x", "");
  assert_merged (validator, "mem=4G", "instance-type=m1.large mem=2G",
                 "instance-type=m1.large mem=4096M");
}

static void
test_unsupported_ones_are_named_in_order (void)
{
  static const char *const others[] = { "spaces", NULL };
  g_autoptr(WelkinConstraintsValidator) validator = make_validator ();

  assert_ignored (validator, "tags=a cpu-power=100 mem=4G", "cpu-power tags");
  assert_ignored (validator, "mem=4G", "");
  welkin_constraints_validator_register_unsupported (validator, others);
  assert_ignored (validator, "tags=a spaces=dmz", "spaces");
}

static void
test_conflicts_are_symmetric (void)
{
  g_autoptr(WelkinConstraintsValidator) validator = make_validator ();

  assert_refused (validator, "instance-type=m1.large mem=4G",
                  "ambiguous constraints: \"instance-type\" overlaps with \"mem\"");
  assert_refused (validator, "mem=4G cores=2 instance-type=m1.large",
                  "ambiguous constraints: \"cores\" overlaps with \"instance-type\"");
  assert_ignored (validator, "mem=4G cores=2", "");
  /* What demands nothing stands in nobody's way. */
  assert_ignored (validator, "instance-type= mem=4G", "");
  assert_ignored (validator, "instance-type=m1.large mem=", "");
}

static gboolean
allow_small (WelkinConstraints *constraints,
             gpointer           user_data)
{
  const guint64 *limit = user_data;

  return welkin_constraints_get_number (constraints, "mem") < *limit;
}

static void
count_down (gpointer data)
{
  guint64 *limit = data;

  *limit = 0;
}

static void
test_resolver_decides_a_conflict (void)
{
  g_autoptr(WelkinConstraintsValidator) validator = make_validator ();
  guint64 small = 1024;
  guint64 large = 65536;

  welkin_constraints_validator_register_resolver (validator, "mem", "instance-type", allow_small,
                                                  &small, count_down);
  assert_ignored (validator, "instance-type=m1.large mem=512M", "");
  assert_refused (validator, "instance-type=m1.large mem=4G",
                  "ambiguous constraints: \"instance-type\" overlaps with \"mem\"");
  assert_refused (validator, "instance-type=m1.large cores=1",
                  "ambiguous constraints: \"cores\" overlaps with \"instance-type\"");
  /* The second one replaces the first, and what belongs to that is let go of. */
  welkin_constraints_validator_register_resolver (validator, "instance-type", "mem", allow_small,
                                                  &large, NULL);
  g_assert_cmpuint (small, ==, 0);
  assert_ignored (validator, "instance-type=m1.large mem=4G", "");
}

static void
test_vocabulary_lists_what_is_valid (void)
{
  static const char *const more[] = { "riscv64", "amd64", NULL };
  static const char *const zones[] = { "az1", "az2", NULL };
  static const char *const cores[] = { "1", "2", NULL };
  g_autoptr(WelkinConstraintsValidator) validator = make_validator ();

  assert_ignored (validator, "arch=arm64", "");
  assert_ignored (validator, "arch=", "");
  assert_refused (validator, "arch=riscv64",
                  "invalid constraint value: arch=riscv64\nvalid values are: amd64, arm64");
  welkin_constraints_validator_update_vocabulary (validator, "arch", more);
  assert_ignored (validator, "arch=riscv64", "");
  assert_refused (validator, "arch=i386",
                  "invalid constraint value: arch=i386\nvalid values are: amd64, arm64, riscv64");

  welkin_constraints_validator_register_vocabulary (validator, "zones", zones);
  assert_ignored (validator, "zones=az2,az1", "");
  assert_refused (validator, "zones=az1,az9",
                  "invalid constraint value: zones=az9\nvalid values are: az1, az2");

  welkin_constraints_validator_register_vocabulary (validator, "cpu-cores", cores);
  assert_refused (validator, "cores=3",
                  "invalid constraint value: cores=3\nvalid values are: 1, 2");
  welkin_constraints_validator_register_vocabulary (validator, "arch", zones);
  assert_refused (validator, "arch=amd64",
                  "invalid constraint value: arch=amd64\nvalid values are: az1, az2");
}

/* The first error does not depend on the order in which things were written or registered. */
static void
test_first_error_is_stable (void)
{
  g_autoptr(WelkinConstraintsValidator) validator = make_validator ();
  static const char *const roles[] = { "web", NULL };

  welkin_constraints_validator_register_vocabulary (validator, "instance-role", roles);
  assert_refused (validator, "instance-role=db instance-type=x mem=1 arch=i386",
                  "invalid constraint value: arch=i386\nvalid values are: amd64, arm64");
  assert_refused (validator, "mem=1 instance-type=x instance-role=db",
                  "invalid constraint value: instance-role=db\nvalid values are: web");
}

static void
test_merging_drops_fallbacks_that_conflict (void)
{
  g_autoptr(WelkinConstraintsValidator) validator = make_validator ();

  assert_merged (validator, "instance-type=m1.large", "mem=8G cores=2 arch=amd64",
                 "arch=amd64 instance-type=m1.large");
  assert_merged (validator, "mem=8G", "instance-type=m1.large root-disk=20G",
                 "mem=8192M root-disk=20480M");
  assert_merged (validator, "cpu-cores=2", "instance-type=m1.large tags=a", "cores=2 tags=a");
  assert_merged (validator, "mem=", "instance-type=m1.large", "mem=");
  assert_merged (validator, "tags=", "tags=foo,bar", "tags=");
  assert_merged (validator, "", "instance-type=m1.large", "instance-type=m1.large");
}

static void
test_merging_judges_both (void)
{
  g_autoptr(WelkinConstraintsValidator) validator = make_validator ();
  g_autoptr(WelkinConstraints) good = parse ("arch=amd64");
  g_autoptr(WelkinConstraints) bad = parse ("arch=i386");
  g_autoptr(GError) error = NULL;

  g_assert_null (welkin_constraints_validator_merge (validator, good, bad, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_null (welkin_constraints_validator_merge (validator, bad, good, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/constraints-validator/empty-takes-everything",
                   test_empty_validator_takes_everything);
  g_test_add_func ("/constraints-validator/unsupported-are-named",
                   test_unsupported_ones_are_named_in_order);
  g_test_add_func ("/constraints-validator/conflicts-are-symmetric", test_conflicts_are_symmetric);
  g_test_add_func ("/constraints-validator/resolver-decides", test_resolver_decides_a_conflict);
  g_test_add_func ("/constraints-validator/vocabulary", test_vocabulary_lists_what_is_valid);
  g_test_add_func ("/constraints-validator/first-error-is-stable", test_first_error_is_stable);
  g_test_add_func ("/constraints-validator/merge/drops-conflicting-fallbacks",
                   test_merging_drops_fallbacks_that_conflict);
  g_test_add_func ("/constraints-validator/merge/judges-both", test_merging_judges_both);
  return g_test_run ();
}
