/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <welkin.h>

static void
test_text_carries_status_and_request (void)
{
  g_autoptr(GError) error = NULL;

  error = welkin_error_new_from_service (WELKIN_ERROR_NO_VALID_HOST, "No valid host was found",
                                         "compute", 500, "req-1");
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NO_VALID_HOST);
  g_assert_cmpstr (error->message, ==, "No valid host was found (HTTP 500, request req-1)");
  g_assert_cmpuint (welkin_error_get_status (error), ==, 500);
  g_assert_cmpstr (welkin_error_get_request_id (error), ==, "req-1");
  g_assert_cmpstr (welkin_error_get_service (error), ==, "compute");
}

static void
test_text_leaves_out_what_is_not_known (void)
{
  g_autoptr(GError) only_status = NULL;
  g_autoptr(GError) only_request = NULL;
  g_autoptr(GError) neither = NULL;

  only_status = welkin_error_new_from_service (WELKIN_ERROR_FAILED, "No", NULL, 404, NULL);
  only_request = welkin_error_new_from_service (WELKIN_ERROR_FAILED, "No", NULL, 0, "req-2");
  neither = welkin_error_new_from_service (WELKIN_ERROR_FAILED, "No", NULL, 0, NULL);

  g_assert_cmpstr (only_status->message, ==, "No (HTTP 404)");
  g_assert_cmpstr (only_request->message, ==, "No (request req-2)");
  g_assert_cmpstr (neither->message, ==, "No");
}

static void
test_copies_know_as_much (void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GError) copy = NULL;

  error = welkin_error_new_from_service (WELKIN_ERROR_FORBIDDEN, "No", "network", 403, "req-3");
  welkin_error_set_hint (error, "first");
  welkin_error_set_hint (error, "Ask the operator.");
  welkin_error_set_zone_independent (error, TRUE);
  g_assert_false (welkin_error_has_leftovers (error));
  welkin_error_set_leftovers (error, TRUE);
  copy = g_error_copy (error);
  g_clear_error (&error);
  g_prefix_error (&copy, "Cannot start machine 3: ");

  g_assert_cmpstr (copy->message, ==, "Cannot start machine 3: No (HTTP 403, request req-3)");
  g_assert_cmpstr (welkin_error_get_hint (copy), ==, "Ask the operator.");
  g_assert_true (welkin_error_is_zone_independent (copy));
  g_assert_true (welkin_error_has_leftovers (copy));
  g_assert_cmpuint (welkin_error_get_status (copy), ==, 403);
}

static void
test_errors_of_other_domains_know_nothing (void)
{
  g_autoptr(GError) error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");

  welkin_error_set_hint (error, "Try again.");
  welkin_error_set_zone_independent (error, TRUE);

  g_assert_cmpuint (welkin_error_get_status (error), ==, 0);
  g_assert_null (welkin_error_get_request_id (error));
  g_assert_null (welkin_error_get_service (error));
  g_assert_null (welkin_error_get_hint (error));
  g_assert_false (welkin_error_is_zone_independent (error));
  welkin_error_set_leftovers (error, TRUE);
  g_assert_false (welkin_error_has_leftovers (error));
  g_assert_null (welkin_error_get_hint (NULL));
}

static void
test_plain_errors_of_the_domain_know_nothing (void)
{
  g_autoptr(GError) error = g_error_new_literal (WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND, "none");

  g_assert_cmpuint (welkin_error_get_status (error), ==, 0);
  g_assert_null (welkin_error_get_hint (error));
  g_assert_false (welkin_error_is_zone_independent (error));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/error/text-carries-status-and-request", test_text_carries_status_and_request);
  g_test_add_func ("/error/text-leaves-out-what-is-not-known",
                   test_text_leaves_out_what_is_not_known);
  g_test_add_func ("/error/copies-know-as-much", test_copies_know_as_much);
  g_test_add_func ("/error/errors-of-other-domains-know-nothing",
                   test_errors_of_other_domains_know_nothing);
  g_test_add_func ("/error/plain-errors-of-the-domain-know-nothing",
                   test_plain_errors_of_the_domain_know_nothing);
  return g_test_run ();
}
