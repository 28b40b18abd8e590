/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <welkin.h>

static void
assert_parsed (const char *text,
               const char *protocol,
               guint       from_port,
               guint       to_port,
               const char *expected)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinPortRange) range = welkin_port_range_new_parsed (text, &error);
  g_autofree char *written = NULL;

  g_assert_no_error (error);
  g_assert_cmpstr (welkin_port_range_get_protocol (range), ==, protocol);
  g_assert_cmpuint (welkin_port_range_get_from (range), ==, from_port);
  g_assert_cmpuint (welkin_port_range_get_to (range), ==, to_port);
  g_assert_null (welkin_port_range_get_sources (range));
  written = welkin_port_range_to_string (range);
  g_assert_cmpstr (written, ==, expected);
}

static void
test_ports_ranges_and_icmp_are_read_and_written (void)
{
  assert_parsed ("80/tcp", "tcp", 80, 80, "80/tcp");
  assert_parsed ("8000-8080/udp", "udp", 8000, 8080, "8000-8080/udp");
  assert_parsed ("1-65535/tcp", "tcp", 1, 65535, "1-65535/tcp");
  assert_parsed ("22-22/tcp", "tcp", 22, 22, "22/tcp");
  assert_parsed ("icmp", "icmp", 0, 0, "icmp");
}

static void
test_everything_else_is_refused (void)
{
  const char *texts[] = {
    "", "80", "/tcp", "80/", "80/sctp", "80/TCP", "0/tcp", "65536/tcp", "-1/tcp", "90-80/tcp",
    "80-/tcp", "80-90-100/tcp", "80/tcp/x", "1.5/tcp", " 80/tcp", "icmp/1",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_null (welkin_port_range_new_parsed (texts[i], &error));
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
      g_assert_nonnull (strstr (error->message, texts[i]));
    }
}

static void
test_ranges_are_ordered (void)
{
  g_autoptr(WelkinPortRange) first = welkin_port_range_new ("tcp", 80, 80, NULL);
  g_autoptr(WelkinPortRange) longer = welkin_port_range_new ("tcp", 80, 90, NULL);
  g_autoptr(WelkinPortRange) later = welkin_port_range_new ("tcp", 443, 443, NULL);
  g_autoptr(WelkinPortRange) other = welkin_port_range_new ("udp", 1, 1, NULL);

  g_assert_cmpint (welkin_port_range_compare (first, first), ==, 0);
  g_assert_cmpint (welkin_port_range_compare (first, longer), <, 0);
  g_assert_cmpint (welkin_port_range_compare (longer, later), <, 0);
  g_assert_cmpint (welkin_port_range_compare (later, other), <, 0);
  g_assert_cmpint (welkin_port_range_compare (other, first), >, 0);
}

static void
test_sources_are_kept (void)
{
  const char *sources[] = { "10.0.0.0/8", "2001:db8::/32", NULL };
  g_autoptr(WelkinPortRange) range = welkin_port_range_new ("tcp", 22, 22, sources);

  g_assert_cmpstrv ((char **) welkin_port_range_get_sources (range), (char **) sources);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/port-range/ports-ranges-and-icmp-are-read-and-written",
                   test_ports_ranges_and_icmp_are_read_and_written);
  g_test_add_func ("/port-range/everything-else-is-refused", test_everything_else_is_refused);
  g_test_add_func ("/port-range/ranges-are-ordered", test_ranges_are_ordered);
  g_test_add_func ("/port-range/sources-are-kept", test_sources_are_kept);
  return g_test_run ();
}
