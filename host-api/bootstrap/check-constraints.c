/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "bootstrap/check-constraints.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "contracts/welkin-optional.h"

typedef struct
{
  /* inputs */
  WelkinMachineImages *images;      /* (unowned) outlives this */
  char                *series;      /* (owned) */
  WelkinConstraints   *constraints; /* (owned) */
  WelkinConstraints   *fallback;    /* (owned) */

  WelkinChecked       *checked;     /* (owned) */
} Check;

void
welkin_checked_free (WelkinChecked *self)
{
  g_strfreev (self->ignored);
  g_clear_pointer (&self->lookup, welkin_image_lookup_unref);
  welkin_constraints_unref (self->constraints);
  g_free (self);
}

void
welkin_checked_tell_ignored (WelkinChecked *self)
{
  g_autofree char *names = NULL;

  if (self->ignored == NULL || *self->ignored == NULL)
    return;
  names = g_strjoinv (", ", self->ignored);
  g_message (_("the cloud makes nothing of these constraints: %s"), names);
}

static void
check_free (gpointer data)
{
  Check *self = data;

  g_clear_pointer (&self->checked, welkin_checked_free);
  welkin_constraints_unref (self->fallback);
  welkin_constraints_unref (self->constraints);
  g_free (self->series);
  g_free (self);
}

/* An image that is named by its id need not be looked up. */
static gboolean
wants_images (Check *self)
{
  return !welkin_constraints_demands (self->checked->constraints, "image-id");
}

static void
begin_loading (Check              *self,
               GCancellable       *cancellable,
               GAsyncReadyCallback callback,
               gpointer            user_data)
{
  WelkinEnviron *environment = welkin_machine_images_get_environment (self->images);

  welkin_constrained_load_validator_async (
    WELKIN_CONSTRAINED (environment), wants_images (self) ? self->series : NULL,
    welkin_image_lookup_peek_images (self->checked->lookup), cancellable, callback, user_data);
}

static gboolean
judge (Check                      *self,
       WelkinConstraintsValidator *validator,
       GError                    **error)
{
  WelkinConstraints *merged;

  self->checked->ignored =
    welkin_constraints_validator_validate (validator, self->constraints, error);
  if (self->checked->ignored == NULL)
    return FALSE;
  merged = welkin_constraints_validator_merge (validator, self->constraints, self->fallback, error);
  if (merged == NULL)
    return FALSE;
  welkin_constraints_unref (self->checked->constraints);
  self->checked->constraints = merged;
  return TRUE;
}

static void
check_run (WkFlow  *flow,
           gpointer user_data)
{
  Check *self = user_data;
  WelkinEnviron *environment = welkin_machine_images_get_environment (self->images);
  g_autoptr(WelkinConstraintsValidator) validator = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (wants_images (self))
    {
      WK_AWAIT (flow, welkin_machine_images_find_async (self->images, self->series,
                                                        self->checked->constraints,
                                                        WK_RESUME (flow)));
      self->checked->lookup = welkin_machine_images_find_finish (self->images, WK_RESULT (flow),
                                                                 &error);
      if (self->checked->lookup == NULL)
        WK_FAIL (flow, &error, NULL);
    }
  if (WELKIN_IS_CONSTRAINED (environment))
    {
      WK_AWAIT (flow, begin_loading (self, WK_RESUME (flow)));
      validator = welkin_constrained_load_validator_finish (WELKIN_CONSTRAINED (environment),
                                                            WK_RESULT (flow), &error);
      if (validator == NULL || !judge (self, validator, &error))
        WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_pointer (flow, g_steal_pointer (&self->checked),
                          (GDestroyNotify) welkin_checked_free);

  WK_FLOW_END (flow);
}

void
welkin_check_constraints_async (WelkinMachineImages *images,
                                const char          *series,
                                WelkinConstraints   *constraints,
                                WelkinConstraints   *fallback,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             user_data)
{
  Check *self = g_new0 (Check, 1);

  self->images = images;
  self->series = g_strdup (series);
  self->constraints = welkin_constraints_ref (constraints);
  self->fallback = fallback != NULL ? welkin_constraints_ref (fallback) : welkin_constraints_new ();
  self->checked = g_new0 (WelkinChecked, 1);
  self->checked->constraints = welkin_constraints_with_fallback (constraints, self->fallback);
  wk_flow_start (welkin_machine_images_get_environment (images), cancellable, callback, user_data,
                 welkin_check_constraints_async, check_run, self, check_free);
}

WelkinChecked *
welkin_check_constraints_finish (WelkinMachineImages *images,
                                 GAsyncResult        *result,
                                 GError             **error)
{
  return wk_flow_finish_pointer (result, welkin_machine_images_get_environment (images),
                                 welkin_check_constraints_async, error);
}

WelkinConstraints *
welkin_info_parse_constraints (WelkinInfo *info,
                               GError    **error)
{
  WelkinValue *value = welkin_info_lookup (info, "constraints");
  const char *text = value != NULL ? welkin_value_get_text (value) : NULL;

  return welkin_constraints_new_parsed (text != NULL ? text : "", error);
}

void
welkin_info_set_constraints (WelkinInfo        *info,
                             WelkinConstraints *constraints)
{
  g_autofree char *text = welkin_constraints_to_string (constraints);
  g_autoptr(WelkinValue) value = welkin_value_new_text (text, TRUE, NULL);

  welkin_info_set (info, "constraints", value);
}
