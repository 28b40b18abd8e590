/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/attempt.h"
#include "base/flow.h"
#include "base/text.h"
#include "os-storage-common.h"
#include "values/welkin-error.h"

#define MAX_NAME 1024

static gboolean
is_good (const char *name)
{
  g_auto(GStrv) parts = NULL;

  if (strlen (name) > MAX_NAME || !g_utf8_validate (name, -1, NULL))
    return FALSE;
  parts = g_strsplit (name, "/", -1);
  for (guint i = 0; parts[i] != NULL; i++)
    if (*parts[i] == '\0' || g_str_equal (parts[i], ".") || g_str_equal (parts[i], ".."))
      return FALSE;
  return parts[0] != NULL;
}

gboolean
os_storage_check_name (const char  *name,
                       GError     **error)
{
  g_autofree char *quoted = NULL;

  if (is_good (name))
    return TRUE;
  quoted = wk_quote (name);
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
               _("%s is not a name that a file in storage can have"), quoted);
  return FALSE;
}

void
os_storage_explain (GError     **error,
                    const char  *format,
                    ...)
{
  g_autoptr(GError) refusal = NULL;
  g_autofree char *words = NULL;
  va_list args;

  if (!g_error_matches (*error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN))
    return;
  va_start (args, format);
  words = g_strdup_vprintf (format, args);
  va_end (args);
  refusal = g_steal_pointer (error);
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_STORAGE_NOT_WRITABLE, "%s: %s", words,
               refusal->message);
}

OsAccess
os_storage_parse_access (const char *word)
{
  static const char *const words[] = {
    [OS_ACCESS_AUTO] = "auto",
    [OS_ACCESS_TEMPURL] = "tempurl",
    [OS_ACCESS_PUBLIC] = "public-read",
    [OS_ACCESS_PRIVATE] = "private",
  };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_equal (word, words[i]))
      return (OsAccess) i;
  return OS_ACCESS_AUTO;
}

gboolean
os_storage_is_not_empty (GError *error)
{
  return g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_CONFLICT);
}

int
os_storage_compare_names (gconstpointer a,
                          gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Reading */

typedef struct
{
  gpointer           store;       /* (owned) */
  char              *container;
  char              *name;
  WelkinStorageFlags flags;
  OsOpen             open;
  OsOpenFinish       open_finish;
  WkAttempt          attempt;
} Open;

static void
open_free (Open *self)
{
  wk_attempt_clear (&self->attempt);
  g_object_unref (self->store);
  g_free (self->container);
  g_free (self->name);
  g_free (self);
}

static void
open_run (WkFlow *flow,
          gpointer user_data)
{
  Open *self = user_data;
  GInputStream *stream = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!os_storage_check_name (self->name, &error))
    WK_FAIL (flow, &error, NULL);
  do
    {
      WK_AWAIT (flow, self->open (self->store, self->container, self->name, WK_RESUME (flow)));
      stream = self->open_finish (self->store, WK_RESULT (flow), &error);
      if (stream != NULL)
        {
          wk_flow_return_pointer (flow, stream, g_object_unref);
          return;
        }
      if ((self->flags & WELKIN_STORAGE_EXPECT_SOON) == 0
          || !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
        WK_FAIL (flow, &error, NULL);
      g_clear_error (&error);
      WK_AWAIT (flow, wk_attempt_next_async (&self->attempt, WK_RESUME (flow)));
    }
  while (wk_attempt_next_finish (&self->attempt, WK_RESULT (flow), &error));

  if (error == NULL)
    g_set_error (&error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND,
                 _("%s is not in storage, though it was written"), self->name);
  WK_FAIL (flow, &error, NULL);

  WK_FLOW_END (flow);
}

void
os_storage_open_async (WelkinStorage       *storage,
                       gpointer             store,
                       const char          *container,
                       const char          *name,
                       WelkinStorageFlags   flags,
                       WkClock             *clock,
                       OsOpen               open,
                       OsOpenFinish         open_finish,
                       GCancellable        *cancellable,
                       GAsyncReadyCallback  callback,
                       gpointer             user_data)
{
  Open *self = g_new0 (Open, 1);

  self->store = g_object_ref (store);
  self->container = g_strdup (container);
  self->name = g_strdup (name);
  self->flags = flags;
  self->open = open;
  self->open_finish = open_finish;
  wk_attempt_init (&self->attempt, &wk_attempt_storage, clock);
  wk_flow_start (storage, cancellable, callback, user_data, os_storage_open_async, open_run, self,
                 (GDestroyNotify) open_free);
}

GInputStream *
os_storage_open_finish (WelkinStorage  *storage,
                        GAsyncResult   *result,
                        GError        **error)
{
  return wk_flow_finish_pointer (result, storage, os_storage_open_async, error);
}
