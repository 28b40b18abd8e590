/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/load-validator.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/join.h"
#include "operations/find-images.h"

/* No flavor, image or network can promise these. */
static const char *const unsupported[] = {
  "cpu-power", "instance-role", "nested-virtualization", "networks", "spaces", "tags", "virt-type",
  NULL,
};

/* A flavor that is asked for by its name has the memory and the cores that it has. */
static const char *const named[] = { "instance-type", NULL };
static const char *const sized[] = { "mem", "cores", NULL };

static const char *const root_disk_sources[] = { "local", "volume", NULL };

typedef struct
{
  OsSnapshot        *snapshot;    /* (owned) */
  WelkinConstraints *constraints; /* (owned) none */
  char              *series;      /* (owned) (nullable) NULL: no image says what will do */
  GPtrArray         *known;       /* (owned) (nullable) of WelkinImage */
  WkJoin            *join;        /* (owned) (nullable) */
  GPtrArray         *flavors;     /* (owned) (nullable) */
  OsFoundImages     *images;      /* (owned) (nullable) when there are none that will do */
} Load;

WelkinConstraintsValidator *
os_make_validator (void)
{
  WelkinConstraintsValidator *validator = welkin_constraints_validator_new ();

  welkin_constraints_validator_register_unsupported (validator, unsupported);
  welkin_constraints_validator_register_conflicts (validator, named, sized);
  welkin_constraints_validator_register_vocabulary (validator, "root-disk-source",
                                                    root_disk_sources);
  return validator;
}

static void
flavors_listed_cb (GObject      *source,
                   GAsyncResult *result,
                   gpointer      user_data)
{
  Load *self = user_data;
  GError *error = NULL;

  self->flavors =
    os_compute_list_flavors_finish (os_snapshot_get_compute (self->snapshot), result, &error);
  wk_join_end_with_context (self->join, error, _("cannot list flavors"));
}

/* Whether there are images is not asked here: their lack is no matter of constraints. */
static void
images_found_cb (GObject      *source,
                 GAsyncResult *result,
                 gpointer      user_data)
{
  Load *self = user_data;
  g_autoptr(GError) error = NULL;

  self->images = os_find_images_finish (self->snapshot, result, &error);
  if (error != NULL)
    g_debug ("constraints are judged without images: %s", error->message);
  wk_join_end (self->join, NULL);
}

static void
begin_questions (Load *self)
{
  os_compute_list_flavors_async (os_snapshot_get_compute (self->snapshot),
                                 wk_join_begin (self->join), flavors_listed_cb, self);
  if (self->series != NULL)
    os_find_images_async (self->snapshot, self->constraints, self->series, self->known,
                          wk_join_begin (self->join), images_found_cb, self);
}

static void
add_vocabularies (Load                       *self,
                  WelkinConstraintsValidator *validator)
{
  g_autoptr(GStrvBuilder) names = g_strv_builder_new ();
  g_autoptr(GStrvBuilder) arches = g_strv_builder_new ();
  g_auto(GStrv) flavors = NULL;
  g_auto(GStrv) known = NULL;

  for (guint i = 0; i < self->flavors->len; i++)
    {
      const OsFlavor *flavor = g_ptr_array_index (self->flavors, i);

      if (flavor->name != NULL && !flavor->is_disabled)
        g_strv_builder_add (names, flavor->name);
    }
  flavors = g_strv_builder_end (names);
  welkin_constraints_validator_register_vocabulary (validator, "instance-type",
                                                    (const char * const *) flavors);

  if (self->images == NULL || self->images->images->len == 0)
    return;
  for (guint i = 0; i < self->images->images->len; i++)
    g_strv_builder_add (arches, os_image_get_arch (g_ptr_array_index (self->images->images, i)));
  known = g_strv_builder_end (arches);
  welkin_constraints_validator_register_vocabulary (validator, "arch",
                                                    (const char * const *) known);
}

static void
load_run (WkFlow  *flow,
          gpointer user_data)
{
  Load *self = user_data;
  OsClient *client = os_snapshot_get_client (self->snapshot);
  WelkinConstraintsValidator *validator;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_client_login_async (client, WK_RESUME (flow)));
  if (!os_client_login_finish (client, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);

  self->join = wk_join_new (WK_JOIN_CANCEL_OTHERS, wk_flow_get_cancellable (flow));
  begin_questions (self);
  WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
  if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);

  validator = os_make_validator ();
  add_vocabularies (self, validator);
  wk_flow_return_pointer (flow, validator, (GDestroyNotify) welkin_constraints_validator_unref);

  WK_FLOW_END (flow);
}

static void
load_free (gpointer user_data)
{
  Load *self = user_data;

  g_clear_pointer (&self->images, os_found_images_free);
  g_clear_pointer (&self->flavors, g_ptr_array_unref);
  g_clear_pointer (&self->join, wk_join_unref);
  g_clear_pointer (&self->known, g_ptr_array_unref);
  g_free (self->series);
  welkin_constraints_unref (self->constraints);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_load_validator_async (OsSnapshot         *snapshot,
                         const char         *series,
                         GPtrArray          *images,
                         GCancellable       *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer            user_data)
{
  Load *self = g_new0 (Load, 1);

  self->snapshot = g_object_ref (snapshot);
  self->constraints = welkin_constraints_new ();
  self->series = g_strdup (series);
  if (images != NULL)
    self->known = g_ptr_array_ref (images);
  wk_flow_start (snapshot, cancellable, callback, user_data, os_load_validator_async, load_run,
                 self, load_free);
}

WelkinConstraintsValidator *
os_load_validator_finish (OsSnapshot   *snapshot,
                          GAsyncResult *result,
                          GError      **error)
{
  return wk_flow_finish_pointer (result, snapshot, os_load_validator_async, error);
}
