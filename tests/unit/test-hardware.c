/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <welkin.h>

static void
assert_rendered (const char *text,
                 const char *expected)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinHardware) hardware = welkin_hardware_new_parsed (text, &error);
  g_autofree char *rendered = NULL;

  g_assert_no_error (error);
  rendered = welkin_hardware_to_string (hardware);
  g_assert_cmpstr (rendered, ==, expected);
}

static void
assert_refused (const char *text,
                const char *expected)
{
  g_autoptr(GError) error = NULL;

  g_assert_null (welkin_hardware_new_parsed (text, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
  g_assert_cmpstr (error->message, ==, expected);
}

static void
test_what_is_written_can_be_read (void)
{
  assert_rendered ("", "");
  assert_rendered ("availability-zone=az\\ 1 root-disk=20G mem=2048M cpu-cores=2 arch=amd64",
                   "arch=amd64 cpu-cores=2 mem=2048M root-disk=20480M availability-zone=az\\ 1");
  assert_rendered ("cores=0 mem=0", "cpu-cores=0 mem=0M");
  assert_rendered ("virt-type=kvm tags=a,b\\ c root-disk-source=volume root-disk=1G mem=1M "
                   "cpu-power=100 cores=1 availability-zone=az1 arch=arm64",
                   "arch=arm64 cpu-cores=1 cpu-power=100 mem=1M root-disk=1024M "
                   "root-disk-source=volume tags=a,b\\ c availability-zone=az1 virt-type=kvm");
  assert_rendered ("cpu-power=0 tags=", "cpu-power=0");
}

static void
test_what_is_not_known_is_absent (void)
{
  g_autoptr(WelkinHardware) hardware = welkin_hardware_new (NULL, -5, 2, -1, NULL);

  g_assert_null (welkin_hardware_get_arch (hardware));
  g_assert_cmpint (welkin_hardware_get_mem (hardware), ==, -1);
  g_assert_cmpint (welkin_hardware_get_cores (hardware), ==, 2);
  g_assert_cmpint (welkin_hardware_get_root_disk (hardware), ==, -1);
  g_assert_null (welkin_hardware_get_availability_zone (hardware));
  g_assert_cmpint (welkin_hardware_get_cpu_power (hardware), ==, -1);
  g_assert_null (welkin_hardware_get_tags (hardware));
  g_assert_null (welkin_hardware_get_virt_type (hardware));
  g_assert_null (welkin_hardware_get_root_disk_source (hardware));
}

static void
test_what_few_clouds_tell_is_kept (void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinHardware) hardware =
    welkin_hardware_new_parsed ("cpu-power=250 tags=fast,,dmz virt-type=kvm root-disk-source=local",
                                &error);

  g_assert_no_error (error);
  g_assert_cmpint (welkin_hardware_get_cpu_power (hardware), ==, 250);
  g_assert_cmpstr (welkin_hardware_get_virt_type (hardware), ==, "kvm");
  g_assert_cmpstr (welkin_hardware_get_root_disk_source (hardware), ==, "local");
  g_assert_cmpstrv ((GStrv) welkin_hardware_get_tags (hardware),
                    ((const char *const[]){ "fast", "", "dmz", NULL }));
}

static void
test_bad_words_are_named (void)
{
  assert_refused ("arch", "malformed characteristic \"arch\"");
  assert_refused ("colour=blue", "unknown characteristic \"colour\"");
  assert_refused ("arch=sparc", "bad \"arch\" characteristic: \"sparc\" not recognized");
  assert_refused ("mem=x", "bad \"mem\" characteristic: must be a non-negative float with optional "
                           "M/G/T/P suffix");
  assert_refused ("cores=1 cpu-cores=1", "bad \"cpu-cores\" characteristic: already set");
  assert_refused ("cpu-power=fast", "bad \"cpu-power\" characteristic: must be a non-negative "
                                    "integer");
  assert_refused ("tags=a tags=b", "bad \"tags\" characteristic: already set");
  assert_refused ("arch=arm64 arch=arm64", "bad \"arch\" characteristic: already set");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hardware/what-is-written-can-be-read", test_what_is_written_can_be_read);
  g_test_add_func ("/hardware/what-is-not-known-is-absent", test_what_is_not_known_is_absent);
  g_test_add_func ("/hardware/what-few-clouds-tell-is-kept", test_what_few_clouds_tell_is_kept);
  g_test_add_func ("/hardware/bad-words-are-named", test_bad_words_are_named);
  return g_test_run ();
}
