/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <libsoup/soup.h>

#include "transport/os-token.h"

/* How long before its end a token is renewed: seconds, and a part of its whole life. */
#define RENEW_SECONDS 300.0
#define RENEW_PART 0.1

struct _OsToken
{
  grefcount  references;
  char      *text;
  char      *project_id;
  OsCatalog *catalog;  /* (owned) */
  gint64     renew_at; /* monotonic microseconds; G_MAXINT64: its end is not known */
};

/* Seconds of life left, by the server's own clock; negative when it does not say. */
static double
get_life (const OsTokenBody *body,
          WkHttpResponse    *response)
{
  const char *date = wk_http_response_get_header (response, "Date");
  g_autoptr(GTimeZone) utc = g_time_zone_new_utc ();
  g_autoptr(GDateTime) expires = NULL;
  g_autoptr(GDateTime) now = NULL;

  if (body->expires != NULL)
    expires = g_date_time_new_from_iso8601 (body->expires, utc);
  if (expires == NULL)
    return -1;
  if (date != NULL)
    now = soup_date_time_new_from_http_string (date);
  if (now == NULL)
    now = g_date_time_new_now_utc ();
  return MAX (g_date_time_difference (expires, now) / (double) G_TIME_SPAN_SECOND, 0);
}

OsToken *
os_token_new (const char        *text,
              const OsTokenBody *body,
              WkHttpResponse    *response,
              OsCatalog         *catalog)
{
  OsToken *self = g_new0 (OsToken, 1);
  double life = get_life (body, response);

  g_ref_count_init (&self->references);
  self->text = g_strdup (text);
  self->project_id = g_strdup (body->project->id);
  self->catalog = catalog;
  self->renew_at = G_MAXINT64;
  if (life >= 0)
    self->renew_at = g_get_monotonic_time ()
                     + (life - MIN (RENEW_SECONDS, life * RENEW_PART)) * G_USEC_PER_SEC;
  return self;
}

OsToken *
os_token_ref (OsToken *self)
{
  g_ref_count_inc (&self->references);
  return self;
}

void
os_token_unref (OsToken *self)
{
  if (!g_ref_count_dec (&self->references))
    return;
  g_free (self->text);
  g_free (self->project_id);
  os_catalog_free (self->catalog);
  g_free (self);
}

const char *
os_token_get_text (OsToken *self)
{
  return self->text;
}

const char *
os_token_get_project_id (OsToken *self)
{
  return self->project_id;
}

OsCatalog *
os_token_get_catalog (OsToken *self)
{
  return self->catalog;
}

gboolean
os_token_is_fresh (OsToken *self)
{
  return g_get_monotonic_time () < self->renew_at;
}
