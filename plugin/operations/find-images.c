/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/find-images.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/join.h"
#include "machine/welkin-series.h"
#include "operations/choose-image.h"
#include "values/welkin-error.h"
#include "values/welkin-image.h"

#define DEFAULT_ARCH "amd64"

/* An image that is wanted by its id. */
typedef struct
{
  char    *id;   /* (owned) */
  char    *arch; /* (owned) what it is for when it does not say itself */
  gpointer find; /* the operation */
} Wanted;

typedef struct
{
  /* inputs */
  OsSnapshot        *snapshot;    /* (owned) */
  WelkinConstraints *constraints; /* (owned) */
  char              *series;      /* (owned) */
  GPtrArray         *known;       /* (owned) (nullable) of WelkinImage */
  const char       **arches;      /* (owned container) */

  /* while running */
  char              *os_distro;   /* (owned) */
  char              *os_version;  /* (owned) */
  GPtrArray         *wanted;      /* (owned) of Wanted */
  gboolean           may_miss;    /* ids that are not there are passed over */
  WkJoin            *join;        /* (owned) (nullable) */

  OsFoundImages     *found;       /* (owned) */
} Find;

void
os_found_images_free (OsFoundImages *self)
{
  g_ptr_array_unref (self->images);
  g_ptr_array_unref (self->lists);
  g_free (self);
}

static void
wanted_free (gpointer user_data)
{
  Wanted *self = user_data;

  g_free (self->arch);
  g_free (self->id);
  g_free (self);
}

const char **
os_list_wanted_arches (WelkinConstraints *constraints)
{
  const char *only[] = { welkin_constraints_get_text (constraints, "arch"), NULL };
  guint n = g_strv_length ((char **) os_all_arches) + 1;

  if (welkin_constraints_demands (constraints, "arch"))
    return g_memdup2 (only, sizeof only);
  return g_memdup2 (os_all_arches, n * sizeof (char *));
}

static void
want_image (Find       *self,
            const char *id,
            const char *arch)
{
  Wanted *wanted = g_new0 (Wanted, 1);

  wanted->id = g_strdup (id);
  wanted->arch = g_strdup (arch != NULL ? arch : DEFAULT_ARCH);
  wanted->find = self;
  g_ptr_array_add (self->wanted, wanted);
}

static void
want_configured (Find *self)
{
  WelkinConfig *config = os_snapshot_get_config (self->snapshot);

  for (gsize i = 0; self->arches[i] != NULL; i++)
    {
      g_autofree char *key = g_strdup_printf ("%s/%s", self->series, self->arches[i]);
      const char *id = welkin_config_get_entry (config, "image-ids", key);

      if (id != NULL && *id != '\0')
        want_image (self, id, self->arches[i]);
    }
}

static void
want_known (Find *self)
{
  for (guint i = 0; i < self->known->len; i++)
    {
      WelkinImage *image = g_ptr_array_index (self->known, i);
      const char *arch = welkin_image_get_arch (image);

      if (g_strv_contains (self->arches, arch != NULL ? arch : DEFAULT_ARCH))
        want_image (self, welkin_image_get_id (image), arch);
    }
  self->may_miss = TRUE;
}

/* Which images are given by their ids. */
static void
want_images (Find *self)
{
  if (welkin_constraints_demands (self->constraints, "image-id"))
    {
      want_image (self, welkin_constraints_get_text (self->constraints, "image-id"),
                  self->arches[0]);
      self->found->reason = _("which the constraint \"image-id\" names");
      return;
    }
  want_configured (self);
  self->found->reason = _("which \"image-ids\" names");
  if (self->wanted->len > 0)
    return;
  self->found->reason = _("the best by its properties");
  if (self->known == NULL)
    return;
  want_known (self);
  self->found->reason = _("which image metadata names");
}

static GError *
make_missing_error (const char *id)
{
  GError *error = g_error_new (WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND, _("there is no image %s"), id);

  welkin_error_set_hint (error, _("The images that there are: openstack image list"));
  welkin_error_set_zone_independent (error, TRUE);
  return error;
}

static void
image_found_cb (GObject      *source,
                GAsyncResult *result,
                gpointer      user_data)
{
  Wanted *wanted = user_data;
  Find *self = wanted->find;
  OsImageService *service = os_snapshot_get_image_service (self->snapshot);
  GError *error = NULL;
  GPtrArray *images = os_image_service_find_image_finish (service, result, &error);

  if (images != NULL)
    g_ptr_array_add (self->found->lists, images);
  if (images != NULL && images->len == 0 && !self->may_miss)
    error = make_missing_error (wanted->id);
  if (images != NULL && images->len > 0)
    {
      os_image_ensure_arch (g_ptr_array_index (images, 0), wanted->arch);
      g_ptr_array_add (self->found->images, g_ptr_array_index (images, 0));
    }
  wk_join_end (self->join, error);
}

/* Asks for each image that is wanted by its id, side by side. */
static void
begin_verifying (Find               *self,
                 GCancellable       *cancellable,
                 GAsyncReadyCallback callback,
                 gpointer            user_data)
{
  OsImageService *service = os_snapshot_get_image_service (self->snapshot);

  self->join = wk_join_new (WK_JOIN_CANCEL_OTHERS, cancellable);
  for (guint i = 0; i < self->wanted->len; i++)
    {
      Wanted *wanted = g_ptr_array_index (self->wanted, i);

      os_image_service_find_image_async (service, wanted->id, wk_join_begin (self->join),
                                         image_found_cb, wanted);
    }
  wk_join_wait_async (self->join, callback, user_data);
}

static gboolean
finish_verifying (Find         *self,
                  GAsyncResult *result,
                  GError      **error)
{
  g_autoptr(WkJoin) join = g_steal_pointer (&self->join);

  return wk_join_wait_finish (join, result, error);
}

/* TRUE: there is nothing better than the image that the environment falls back on. */
static gboolean
want_default (Find *self)
{
  WelkinConfig *config = os_snapshot_get_config (self->snapshot);
  const char *id = welkin_config_get_string (config, "default-image-id");

  if (self->found->images->len > 0 || *id == '\0')
    return FALSE;
  g_message ("no image for \"%s\" was found, so \"default-image-id\" is used; \"image-ids\" is the "
             "better way to say which",
             self->series);
  g_ptr_array_set_size (self->wanted, 0);
  want_image (self, id, self->arches[0]);
  self->found->reason = _("which \"default-image-id\" names");
  self->may_miss = FALSE;
  return TRUE;
}

static void
find_run (WkFlow  *flow,
          gpointer user_data)
{
  Find *self = user_data;
  OsImageService *service = os_snapshot_get_image_service (self->snapshot);
  OsClient *client = os_snapshot_get_client (self->snapshot);
  GPtrArray *images;
  g_autoptr(GPtrArray) chosen = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  want_images (self);
  WK_AWAIT (flow, begin_verifying (self, WK_RESUME (flow)));
  if (!finish_verifying (self, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);

  /* What metadata name need not be there. */
  if (self->found->images->len == 0)
    {
      if (!welkin_series_lookup (self->series, &self->os_distro, &self->os_version, &error))
        WK_FAIL (flow, &error, NULL);
      WK_AWAIT (flow, os_image_service_list_images_async (service, self->os_distro,
                                                          self->os_version, WK_RESUME (flow)));
      images = os_image_service_list_images_finish (service, WK_RESULT (flow), &error);
      if (images == NULL)
        WK_FAIL (flow, &error, _("cannot list images"));
      g_ptr_array_add (self->found->lists, images);
      chosen = os_choose_images (images, self->arches, os_client_get_project_id (client));
      g_ptr_array_extend (self->found->images, chosen, NULL, NULL);
    }

  if (want_default (self))
    {
      WK_AWAIT (flow, begin_verifying (self, WK_RESUME (flow)));
      if (!finish_verifying (self, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }

  wk_flow_return_pointer (flow, g_steal_pointer (&self->found),
                          (GDestroyNotify) os_found_images_free);

  WK_FLOW_END (flow);
}

static void
find_free (gpointer user_data)
{
  Find *self = user_data;

  g_clear_pointer (&self->found, os_found_images_free);
  g_clear_pointer (&self->join, wk_join_unref);
  g_ptr_array_unref (self->wanted);
  g_free (self->os_version);
  g_free (self->os_distro);
  g_free (self->arches);
  g_clear_pointer (&self->known, g_ptr_array_unref);
  g_free (self->series);
  welkin_constraints_unref (self->constraints);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_find_images_async (OsSnapshot         *snapshot,
                      WelkinConstraints  *constraints,
                      const char         *series,
                      GPtrArray          *known,
                      GCancellable       *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer            user_data)
{
  Find *self = g_new0 (Find, 1);

  self->snapshot = g_object_ref (snapshot);
  self->constraints = welkin_constraints_ref (constraints);
  self->series = g_strdup (series);
  if (known != NULL)
    self->known = g_ptr_array_ref (known);
  self->arches = os_list_wanted_arches (self->constraints);
  self->wanted = g_ptr_array_new_with_free_func (wanted_free);
  self->found = g_new0 (OsFoundImages, 1);
  self->found->images = g_ptr_array_new ();
  self->found->lists = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  wk_flow_start (snapshot, cancellable, callback, user_data, os_find_images_async, find_run, self,
                 find_free);
}

OsFoundImages *
os_find_images_finish (OsSnapshot   *snapshot,
                       GAsyncResult *result,
                       GError      **error)
{
  return wk_flow_finish_pointer (result, snapshot, os_find_images_async, error);
}
