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
  char      *user_id;  /* (nullable) */
  char     **roles;    /* (owned) */
  OsCatalog *catalog;  /* (owned) */
  gint64     end;      /* monotonic microseconds; G_MAXINT64: it is not known */
  gint64     renew_at; /* the same */
};

/* Seconds of life left, by the server's own clock; 0 when it does not say, or when what it says
 * makes no sense: then the token is used until it is refused. */
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
    return 0;
  if (date != NULL)
    now = soup_date_time_new_from_http_string (date);
  if (now == NULL)
    now = g_date_time_new_now_utc ();
  return MAX (g_date_time_difference (expires, now) / (double) G_TIME_SPAN_SECOND, 0);
}

static char **
dup_roles (const OsTokenBody *body)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; body->roles != NULL && i < body->roles->len; i++)
    g_strv_builder_add (builder, ((OsRole *) g_ptr_array_index (body->roles, i))->name);
  return g_strv_builder_end (builder);
}

OsToken *
os_token_new (const char        *text,
              const OsTokenBody *body,
              WkHttpResponse    *response,
              OsCatalog         *catalog,
              gboolean           is_given)
{
  OsToken *self = g_new0 (OsToken, 1);
  double life = get_life (body, response);
  double margin = is_given ? 0 : MIN (RENEW_SECONDS, life * RENEW_PART);

  g_ref_count_init (&self->references);
  self->text = g_strdup (text);
  self->project_id = g_strdup (body->project->id);
  self->user_id = body->user != NULL ? g_strdup (body->user->id) : NULL;
  self->roles = dup_roles (body);
  self->catalog = catalog;
  self->end = G_MAXINT64;
  self->renew_at = G_MAXINT64;
  if (life > 0)
    {
      self->end = g_get_monotonic_time () + life * G_USEC_PER_SEC;
      self->renew_at = self->end - margin * G_USEC_PER_SEC;
    }
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
  g_free (self->user_id);
  g_strfreev (self->roles);
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

const char *
os_token_get_user_id (OsToken *self)
{
  return self->user_id;
}

OsCatalog *
os_token_get_catalog (OsToken *self)
{
  return self->catalog;
}

gint64
os_token_get_end (OsToken *self)
{
  return self->end;
}

const char *const *
os_token_get_roles (OsToken *self)
{
  return (const char *const *) self->roles;
}

gboolean
os_token_is_fresh (OsToken *self)
{
  return g_get_monotonic_time () < self->renew_at;
}
