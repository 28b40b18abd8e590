/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <welkin.h>

static WelkinStartParams *
make_params (void)
{
  g_autoptr(WelkinMachineConfig) machine_config = NULL;
  g_autoptr(GError) error = NULL;

  machine_config = welkin_machine_config_new ("3", "nonce", "noble", FALSE, &error);
  g_assert_no_error (error);
  return welkin_start_params_new ("0b0e5a6e-8f43-4d0c-9a56-6a1b5f1d2c3e", machine_config);
}

static void
test_nothing_is_demanded_at_first (void)
{
  g_autoptr(WelkinStartParams) params = make_params ();
  WelkinMachineConfig *machine_config = welkin_start_params_get_machine_config (params);

  g_assert_cmpstr (welkin_start_params_get_start_id (params), ==,
                   "0b0e5a6e-8f43-4d0c-9a56-6a1b5f1d2c3e");
  g_assert_cmpstr (welkin_machine_config_get_machine_id (machine_config), ==, "3");
  g_assert_true (welkin_constraints_is_empty (welkin_start_params_get_constraints (params)));
  g_assert_null (welkin_start_params_get_tools (params));
  g_assert_null (welkin_start_params_get_images (params));
  g_assert_cmpstr (welkin_start_params_get_placement (params), ==, "");
  g_assert_null (welkin_start_params_get_distribution_group (params)[0]);
  g_assert_true (welkin_start_params_get_waits (params));
}

static void
test_each_change_keeps_the_others (void)
{
  const char *ids[] = { "a", "b", NULL };
  g_autoptr(WelkinStartParams) params = make_params ();
  g_autoptr(WelkinConstraints) constraints = welkin_constraints_new_parsed ("mem=2G", NULL);
  g_autoptr(WelkinStartParams) hasty = welkin_start_params_with_waits (params, FALSE);
  g_autoptr(WelkinStartParams) one = welkin_start_params_with_constraints (hasty, constraints);
  g_autoptr(WelkinStartParams) two = welkin_start_params_with_placement (one, "zone=az1");
  g_autoptr(WelkinStartParams) three = welkin_start_params_with_distribution_group (two, ids);

  g_assert_true (welkin_constraints_is_empty (welkin_start_params_get_constraints (params)));
  g_assert_true (welkin_start_params_get_constraints (three) == constraints);
  g_assert_cmpstr (welkin_start_params_get_placement (three), ==, "zone=az1");
  g_assert_cmpstrv ((char **) welkin_start_params_get_distribution_group (three), ids);
  g_assert_cmpstr (welkin_start_params_get_placement (one), ==, "");
  g_assert_false (welkin_start_params_get_waits (three));
  g_assert_true (welkin_start_params_get_waits (params));
}

static void
test_arrays_are_copied (void)
{
  g_autoptr(GPtrArray) images = NULL;
  g_autoptr(GPtrArray) tools = NULL;
  g_autoptr(WelkinStartParams) params = make_params ();
  g_autoptr(WelkinStartParams) with_images = NULL;
  g_autoptr(WelkinStartParams) with_both = NULL;
  g_autoptr(WelkinStartParams) without = NULL;

  images = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_image_unref);
  tools = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_tools_unref);
  g_ptr_array_add (images, welkin_image_new ("17ab", "noble", "amd64", NULL, NULL, NULL));
  g_ptr_array_add (tools, welkin_tools_new ("1.0.0", "noble", "amd64", "https://a", NULL, -1));
  with_images = welkin_start_params_with_images (params, images);
  with_both = welkin_start_params_with_tools (with_images, tools);
  without = welkin_start_params_with_images (with_both, NULL);
  g_ptr_array_set_size (images, 0);
  g_ptr_array_set_size (tools, 0);

  g_assert_cmpuint (welkin_start_params_get_images (with_both)->len, ==, 1);
  g_assert_cmpstr (welkin_image_get_id (welkin_start_params_get_images (with_both)->pdata[0]), ==,
                   "17ab");
  g_assert_cmpuint (welkin_start_params_get_tools (with_both)->len, ==, 1);
  g_assert_null (welkin_start_params_get_images (without));
  g_assert_cmpuint (welkin_start_params_get_tools (without)->len, ==, 1);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/start-params/nothing-is-demanded-at-first", test_nothing_is_demanded_at_first);
  g_test_add_func ("/start-params/each-change-keeps-the-others", test_each_change_keeps_the_others);
  g_test_add_func ("/start-params/arrays-are-copied", test_arrays_are_copied);
  return g_test_run ();
}
