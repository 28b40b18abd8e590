/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <welkin.h>

static WelkinValue *
make_map (const char *first_key,
          const char *first_text,
          const char *second_key,
          const char *second_text)
{
  const char *keys[] = { first_key, second_key };
  g_autoptr(WelkinValue) first = welkin_value_new_text (first_text, FALSE, "a.yaml:1");
  g_autoptr(WelkinValue) second = welkin_value_new_text (second_text, TRUE, "a.yaml:2");
  WelkinValue *values[] = { first, second };

  return welkin_value_new_map (keys, values, G_N_ELEMENTS (values), "a.yaml:1");
}

static void
test_scalars_keep_text_and_place (void)
{
  g_autoptr(WelkinValue) text = welkin_value_new_text ("0123", FALSE, "a.yaml:7");
  g_autoptr(WelkinValue) unset = welkin_value_new_unset (NULL);

  g_assert_cmpint (welkin_value_get_kind (text), ==, WELKIN_VALUE_TEXT);
  g_assert_cmpstr (welkin_value_get_text (text), ==, "0123");
  g_assert_false (welkin_value_is_quoted (text));
  g_assert_cmpstr (welkin_value_get_origin (text), ==, "a.yaml:7");
  g_assert_cmpuint (welkin_value_get_length (text), ==, 0);
  g_assert_null (welkin_value_lookup (text, "key"));

  g_assert_cmpint (welkin_value_get_kind (unset), ==, WELKIN_VALUE_UNSET);
  g_assert_null (welkin_value_get_text (unset));
  g_assert_null (welkin_value_get_origin (unset));
}

static void
test_maps_keep_the_order_of_their_keys (void)
{
  g_autoptr(WelkinValue) map = make_map ("b", "1", "a", "2");

  g_assert_cmpuint (welkin_value_get_length (map), ==, 2);
  g_assert_cmpstr (welkin_value_get_key (map, 0), ==, "b");
  g_assert_cmpstr (welkin_value_get_key (map, 1), ==, "a");
  g_assert_cmpstr (welkin_value_get_text (welkin_value_get_item (map, 1)), ==, "2");
  g_assert_cmpstr (welkin_value_get_text (welkin_value_lookup (map, "b")), ==, "1");
  g_assert_null (welkin_value_lookup (map, "c"));
}

static void
test_containers_may_be_empty (void)
{
  g_autoptr(WelkinValue) list = welkin_value_new_list (NULL, 0, NULL);
  g_autoptr(WelkinValue) map = welkin_value_new_map (NULL, NULL, 0, NULL);

  g_assert_cmpuint (welkin_value_get_length (list), ==, 0);
  g_assert_cmpuint (welkin_value_get_length (map), ==, 0);
  g_assert_null (welkin_value_lookup (map, "key"));
  g_assert_false (welkin_value_equal (list, map));
}

static void
test_maps_are_equal_in_any_order (void)
{
  g_autoptr(WelkinValue) one = make_map ("a", "1", "b", "2");
  g_autoptr(WelkinValue) turned = make_map ("b", "2", "a", "1");
  g_autoptr(WelkinValue) other_text = make_map ("a", "1", "b", "3");
  g_autoptr(WelkinValue) other_key = make_map ("a", "1", "c", "2");

  g_assert_true (welkin_value_equal (one, turned));
  g_assert_false (welkin_value_equal (one, other_text));
  g_assert_false (welkin_value_equal (one, other_key));
}

static void
test_lists_are_equal_in_order (void)
{
  g_autoptr(WelkinValue) one = welkin_value_new_text ("1", FALSE, NULL);
  g_autoptr(WelkinValue) two = welkin_value_new_text ("2", FALSE, NULL);
  WelkinValue *items[] = { one, two };
  WelkinValue *turned_items[] = { two, one };
  g_autoptr(WelkinValue) list = welkin_value_new_list (items, 2, NULL);
  g_autoptr(WelkinValue) same = welkin_value_new_list (items, 2, "elsewhere");
  g_autoptr(WelkinValue) turned = welkin_value_new_list (turned_items, 2, NULL);
  g_autoptr(WelkinValue) shorter = welkin_value_new_list (items, 1, NULL);

  g_assert_true (welkin_value_equal (list, same));
  g_assert_false (welkin_value_equal (list, turned));
  g_assert_false (welkin_value_equal (list, shorter));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/value/scalars-keep-text-and-place", test_scalars_keep_text_and_place);
  g_test_add_func ("/value/maps-keep-the-order-of-their-keys",
                   test_maps_keep_the_order_of_their_keys);
  g_test_add_func ("/value/containers-may-be-empty", test_containers_may_be_empty);
  g_test_add_func ("/value/maps-are-equal-in-any-order", test_maps_are_equal_in_any_order);
  g_test_add_func ("/value/lists-are-equal-in-order", test_lists_are_equal_in_order);
  return g_test_run ();
}
