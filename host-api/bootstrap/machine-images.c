/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "bootstrap/machine-images.h"

#include <glib/gi18n-lib.h>

#include "base/memo.h"
#include "bootstrap/machine-key.h"
#include "values/welkin-error.h"

#define GOOD_SECONDS 300.0

struct _WelkinMachineImages
{
  WelkinEnviron      *environment;  /* (owned) */
  char               *directory;    /* (owned) (nullable) */
  WelkinSurroundings *surroundings; /* (owned) */
  WkMemo             *lookups;      /* (owned) of WelkinImageLookup, by their key */
};

static void
load_images (gpointer            owner,
             const char         *key,
             GCancellable       *cancellable,
             GAsyncReadyCallback callback,
             gpointer            user_data)
{
  WelkinMachineImages *self = owner;
  g_autofree char *series = NULL;
  g_autoptr(WelkinConstraints) constraints = welkin_machine_key_parse (key, &series);

  welkin_environ_find_images_async (self->environment, series, constraints, self->directory,
                                    self->surroundings, cancellable, callback, user_data);
}

static gpointer
load_images_finish (gpointer      owner,
                    GAsyncResult *result,
                    GError      **error)
{
  WelkinMachineImages *self = owner;

  return welkin_environ_find_images_finish (self->environment, result, error);
}

WelkinMachineImages *
welkin_machine_images_new (WelkinEnviron      *environment,
                           const char         *directory,
                           WelkinSurroundings *surroundings)
{
  WelkinMachineImages *self = g_new0 (WelkinMachineImages, 1);

  self->environment = g_object_ref (environment);
  self->directory = g_strdup (directory);
  self->surroundings = welkin_surroundings_ref (surroundings);
  self->lookups = wk_memo_new (self, GOOD_SECONDS, load_images, load_images_finish,
                               (WkMemoCopy) welkin_image_lookup_ref,
                               (GDestroyNotify) welkin_image_lookup_unref);
  return self;
}

void
welkin_machine_images_free (WelkinMachineImages *self)
{
  wk_memo_close (self->lookups);
  wk_memo_unref (self->lookups);
  welkin_surroundings_unref (self->surroundings);
  g_free (self->directory);
  g_object_unref (self->environment);
  g_free (self);
}

WelkinEnviron *
welkin_machine_images_get_environment (WelkinMachineImages *self)
{
  return self->environment;
}

void
welkin_machine_images_find_async (WelkinMachineImages *self,
                                  const char          *series,
                                  WelkinConstraints   *constraints,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data)
{
  g_autofree char *key = welkin_machine_key_new (series, constraints);

  wk_memo_get_async (self->lookups, key, cancellable, callback, user_data);
}

WelkinImageLookup *
welkin_machine_images_find_finish (WelkinMachineImages *self,
                                   GAsyncResult        *result,
                                   GError             **error)
{
  return wk_memo_get_finish (self->lookups, result, error);
}

GPtrArray *
welkin_image_lookup_peek_images (WelkinImageLookup *lookup)
{
  GPtrArray *images = lookup != NULL ? welkin_image_lookup_get_images (lookup) : NULL;

  return images != NULL && images->len > 0 ? images : NULL;
}

void
welkin_image_lookup_explain (WelkinImageLookup *lookup,
                             GError            *error)
{
  g_auto(GStrv) lines = NULL;
  g_autofree char *reasons = NULL;
  char *message;

  if (lookup == NULL || welkin_image_lookup_peek_images (lookup) != NULL
      || !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NO_MATCH)
      || g_strcmp0 (welkin_error_get_service (error), "image") != 0)
    return;
  lines = g_strsplit (welkin_image_lookup_get_explanation (lookup), "\n", -1);
  if (*lines == NULL)
    return;
  reasons = g_strjoinv ("; ", lines);
  /* TRANSLATORS: why no image was found, and what each source of metadata had to say */
  message = g_strdup_printf (_("%s; metadata name none: %s"), error->message, reasons);
  g_free (error->message);
  error->message = message;
}
