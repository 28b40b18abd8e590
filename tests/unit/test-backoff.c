/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/backoff.h"

#define NOW "Sun, 06 Nov 1994 08:49:37 GMT"

static void
test_backoff_doubles_up_to_its_limit (void)
{
  const double expected[] = { 1.0, 2.0, 4.0, 8.0, 10.0, 10.0 };
  WkBackoff backoff;

  wk_backoff_init (&backoff, 1.0, 10.0);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      double seconds = wk_backoff_next (&backoff);

      g_assert_cmpfloat (seconds, >=, expected[i] * 0.8);
      g_assert_cmpfloat (seconds, <=, expected[i] * 1.2);
    }
  g_assert_cmpuint (backoff.tries, ==, G_N_ELEMENTS (expected));
}

static void
test_backoff_is_spread_by_chance (void)
{
  double least = G_MAXDOUBLE;
  double most = 0.0;

  for (guint i = 0; i < 1000; i++)
    {
      WkBackoff backoff;
      double seconds;

      wk_backoff_init (&backoff, 1.0, 60.0);
      seconds = wk_backoff_next (&backoff);
      least = MIN (least, seconds);
      most = MAX (most, seconds);
    }
  g_assert_cmpfloat (least, >=, 0.8);
  g_assert_cmpfloat (least, <, 0.9);
  g_assert_cmpfloat (most, >, 1.1);
  g_assert_cmpfloat (most, <=, 1.2);
}

static void
test_backoff_does_not_overflow (void)
{
  WkBackoff backoff;

  wk_backoff_init (&backoff, 1.0, 60.0);
  backoff.tries = G_MAXUINT - 1;
  g_assert_cmpfloat (wk_backoff_next (&backoff), <=, 72.0);
}

static void
test_backoff_reads_retry_after (void)
{
  const struct
  {
    const char *retry_after;
    const char *date;
    double      seconds;
  } cases[] = {
    { "120", NULL, 120.0 },
    { " 7 ", NULL, 7.0 },
    { "0.75", NULL, 0.75 },
    { "3.", NULL, 3.0 },
    { "007", NULL, 7.0 },
    { "0", NULL, 0.0 },
    { "0.0", NULL, 0.0 },
    { "0.001", NULL, 0.001 },
    { ".5", NULL, 0.5 },
    { "-5", NULL, 0.0 },
    { "86400000", NULL, 86400000.0 },
    { "Sun, 06 Nov 1994 08:50:07 GMT", NOW, 30.0 },
    { "Sunday, 06-Nov-94 08:50:07 GMT", NOW, 30.0 },
    { "Sun Nov  6 08:50:07 1994", NOW, 30.0 },
    { NOW, NOW, 0.0 },
    { "Sun, 06 Nov 1994 08:49:07 GMT", NOW, 0.0 },
    { "Sun, 06 Nov 1994 08:49:07 GMT", NULL, 0.0 },
    { "Sun, 06 Nov 1994 08:49:07 GMT", "nonsense", 0.0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      double seconds = -1.0;

      g_test_message ("%s at %s", cases[i].retry_after, cases[i].date);
      g_assert_true (wk_backoff_parse_after (cases[i].retry_after, cases[i].date, &seconds));
      g_assert_cmpfloat_with_epsilon (seconds, cases[i].seconds, 1e-9);
    }
}

/* Each way in which a date may be written: RFC 1123, RFC 850 and asctime. */
static char *
format_date (GDateTime *time,
             guint      way)
{
  g_autofree char *format = NULL;

  if (way == 0)
    return g_date_time_format (time, "%a, %d %b %Y %H:%M:%S GMT");
  if (way == 1)
    return g_date_time_format (time, "%A, %d-%b-%y %H:%M:%S GMT");
  /* GLib pads a day with a space that is none of ASCII. */
  format = g_strdup_printf ("%%a %%b %2d %%H:%%M:%%S %%Y", g_date_time_get_day_of_month (time));
  return g_date_time_format (time, format);
}

static void
test_backoff_reads_dates_of_all_kinds (void)
{
  g_autoptr(GDateTime) begin = g_date_time_new_utc (1970, 1, 2, 0, 0, 0);

  for (guint i = 0; i < 1000; i++)
    {
      /* The years that two digits can tell. */
      gint64 from = g_test_rand_int_range (0, G_MAXINT32 - 1000000);
      int difference = g_test_rand_int_range (-86400, 86400);
      g_autoptr(GDateTime) now = g_date_time_add_seconds (begin, (double) from);
      g_autoptr(GDateTime) then = g_date_time_add_seconds (now, difference);
      g_autofree char *date = format_date (now, i % 3);
      g_autofree char *plain = format_date (then, i / 3 % 3);
      g_autofree char *padded = g_strdup_printf ("%*s%s%*s", i % 4, "", plain, i % 5, "");
      double seconds = -1.0;

      g_test_message ("%s at %s", padded, date);
      g_assert_true (wk_backoff_parse_after (padded, date, &seconds));
      g_assert_cmpfloat (seconds, ==, MAX (difference, 0));
    }
}

static void
test_backoff_reads_numbers_of_all_kinds (void)
{
  static const char *const forms[] = {
    "%.0f", "%.1f", "%.3f", "%.9f", "%08.3f", "  %.2f", "%.2f\t", "%.0f.", "-%.3f", "000%.0f",
  };

  for (guint i = 0; i < 1000; i++)
    {
      const char *form = forms[i % G_N_ELEMENTS (forms)];
      double whole = g_test_rand_int_range (1, 100000);
      double value = strstr (form, ".0f") != NULL ? whole : whole / 8;
      g_autofree char *text = g_strdup_printf (form, value);
      double seconds = -1.0;

      g_test_message ("%s", text);
      g_assert_true (wk_backoff_parse_after (text, NULL, &seconds));
      g_assert_cmpfloat_with_epsilon (seconds, *form == '-' ? 0.0 : value, 0.051);
    }
}

static void
test_backoff_reads_a_huge_retry_after (void)
{
  double seconds = -1.0;

  g_assert_true (wk_backoff_parse_after ("99999999999999999999999999", NULL, &seconds));
  g_assert_cmpfloat (seconds, >, 1e9);
  g_assert_true (wk_backoff_parse_after ("Fri, 31 Dec 9999 23:59:59 GMT", NOW, &seconds));
  g_assert_cmpfloat (seconds, >, 1e9);
}

static void
test_backoff_counts_dates_from_here_without_date (void)
{
  g_autoptr(GDateTime) now = g_date_time_new_now_utc ();
  g_autoptr(GDateTime) then = g_date_time_add_seconds (now, 100.0);
  g_autofree char *text = g_date_time_format (then, "%a, %d %b %Y %H:%M:%S GMT");
  double seconds = -1.0;

  g_assert_true (wk_backoff_parse_after (text, NULL, &seconds));
  g_assert_cmpfloat (seconds, >, 90.0);
  g_assert_cmpfloat (seconds, <=, 100.0);
}

static void
test_backoff_cannot_read_garbage (void)
{
  const char *cases[] = {
    NULL, "", "   ", "soon", "5 minutes", "5s", "1,5", "1.2.3", ".", "-", "--5", "+5", "inf",
    "nan", "-inf", "0x10", "1e3", "Sun, 99 Nov 1994 08:50:07 GMT",
    "Sun, 06 Foo 1994 08:50:07 GMT", "\xff\xfe",
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      double seconds = -1.0;

      g_test_message ("%u", i);
      g_assert_false (wk_backoff_parse_after (cases[i], NOW, &seconds));
      g_assert_cmpfloat (seconds, ==, -1.0);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/backoff/doubles-up-to-its-limit", test_backoff_doubles_up_to_its_limit);
  g_test_add_func ("/backoff/is-spread-by-chance", test_backoff_is_spread_by_chance);
  g_test_add_func ("/backoff/does-not-overflow", test_backoff_does_not_overflow);
  g_test_add_func ("/backoff/reads-retry-after", test_backoff_reads_retry_after);
  g_test_add_func ("/backoff/reads-dates-of-all-kinds", test_backoff_reads_dates_of_all_kinds);
  g_test_add_func ("/backoff/reads-numbers-of-all-kinds", test_backoff_reads_numbers_of_all_kinds);
  g_test_add_func ("/backoff/reads-a-huge-retry-after", test_backoff_reads_a_huge_retry_after);
  g_test_add_func ("/backoff/counts-dates-from-here-without-date",
                   test_backoff_counts_dates_from_here_without_date);
  g_test_add_func ("/backoff/cannot-read-garbage", test_backoff_cannot_read_garbage);

  return g_test_run ();
}
