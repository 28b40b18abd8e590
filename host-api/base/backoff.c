/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/backoff.h"

#include <libsoup/soup.h>

/* "For ever", as a number that can be counted with. */
#define MAX_SECONDS 1e12

void
wk_backoff_init (WkBackoff *backoff,
                 double     base,
                 double     limit)
{
  backoff->base = base;
  backoff->limit = limit;
  backoff->tries = 0;
}

double
wk_backoff_next (WkBackoff *backoff)
{
  double seconds = backoff->base;

  for (guint i = 0; i < backoff->tries && seconds < backoff->limit; i++)
    seconds *= 2.0;
  backoff->tries++;

  return MIN (seconds, backoff->limit) * g_random_double_range (0.8, 1.2);
}

static gboolean
parse_seconds (const char *text,
               double     *seconds)
{
  const char *digits = *text == '-' ? text + 1 : text;
  gsize length = strspn (digits, "0123456789.");

  /* g_ascii_strtod() alone reads "inf", "0x10" and "1e9" as well. */
  if (digits[length] != '\0' || digits[strcspn (digits, "0123456789")] == '\0'
      || strchr (digits, '.') != strrchr (digits, '.'))
    return FALSE;

  *seconds = g_ascii_strtod (text, NULL);
  return TRUE;
}

static gboolean
parse_date (const char *text,
            const char *date,
            double     *seconds)
{
  g_autoptr(GDateTime) until = NULL;
  g_autoptr(GDateTime) from = NULL;

  if (g_str_is_ascii (text))
    until = soup_date_time_new_from_http_string (text);
  if (until == NULL)
    return FALSE;

  if (date != NULL && g_str_is_ascii (date))
    from = soup_date_time_new_from_http_string (date);
  if (from == NULL)
    from = g_date_time_new_now_utc ();

  *seconds = (double) g_date_time_difference (until, from) / G_USEC_PER_SEC;
  return TRUE;
}

gboolean
wk_backoff_parse_after (const char *retry_after,
                        const char *date,
                        double     *seconds)
{
  g_autofree char *text = g_strstrip (g_strdup (retry_after != NULL ? retry_after : ""));
  double parsed = 0.0;

  if (!parse_seconds (text, &parsed) && !parse_date (text, date, &parsed))
    return FALSE;

  *seconds = CLAMP (parsed, 0.0, MAX_SECONDS);
  return TRUE;
}
