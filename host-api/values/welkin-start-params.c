/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "values/welkin-start-params.h"

/**
 * WelkinStartParams:
 *
 * All that a provider is told to start one machine.
 *
 * Status goes to the progress of the call and its cancellable ends it, so this
 * is a plain value: immutable, and it may be shared between threads.
 *
 * Since: 0.1
 */
struct _WelkinStartParams
{
  char                *start_id;
  WelkinMachineConfig *machine_config;     /* (owned) */
  WelkinConstraints   *constraints;        /* (owned) */
  GPtrArray           *tools;              /* (owned) (nullable) */
  char                *placement;
  char               **distribution_group;
  GPtrArray           *images;             /* (owned) (nullable) */
  gboolean             waits;
};

G_DEFINE_BOXED_TYPE (WelkinStartParams,
                     welkin_start_params,
                     welkin_start_params_ref,
                     welkin_start_params_unref)

static void
start_params_clear (gpointer data)
{
  WelkinStartParams *self = data;

  g_free (self->start_id);
  welkin_machine_config_unref (self->machine_config);
  welkin_constraints_unref (self->constraints);
  g_clear_pointer (&self->tools, g_ptr_array_unref);
  g_free (self->placement);
  g_strfreev (self->distribution_group);
  g_clear_pointer (&self->images, g_ptr_array_unref);
}

/* Arrays are not immutable, so each holder has its own. */
static GPtrArray *
dup_tools (GPtrArray *tools)
{
  GPtrArray *copy;

  if (tools == NULL)
    return NULL;
  copy = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_tools_unref);
  for (guint i = 0; i < tools->len; i++)
    g_ptr_array_add (copy, welkin_tools_ref (tools->pdata[i]));
  return copy;
}

static GPtrArray *
dup_images (GPtrArray *images)
{
  GPtrArray *copy;

  if (images == NULL)
    return NULL;
  copy = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_image_unref);
  for (guint i = 0; i < images->len; i++)
    g_ptr_array_add (copy, welkin_image_ref (images->pdata[i]));
  return copy;
}

static WelkinStartParams *
start_params_copy (WelkinStartParams *self)
{
  WelkinStartParams *copy = g_atomic_rc_box_new0 (WelkinStartParams);

  copy->start_id = g_strdup (self->start_id);
  copy->machine_config = welkin_machine_config_ref (self->machine_config);
  copy->constraints = welkin_constraints_ref (self->constraints);
  copy->tools = dup_tools (self->tools);
  copy->placement = g_strdup (self->placement);
  copy->distribution_group = g_strdupv (self->distribution_group);
  copy->images = dup_images (self->images);
  copy->waits = self->waits;
  return copy;
}

/**
 * welkin_start_params_new:
 * @start_id: a UUID, made once per start
 * @machine_config: what the machine is to become, unfinished
 *
 * Makes parameters that demand nothing and leave every choice to the provider.
 *
 * The host writes @start_id down before it calls the provider, which marks
 * every resource with it, so that what was made can be found again after a
 * crash.
 *
 * Returns: (transfer full): new parameters
 *
 * Since: 0.1
 */
WelkinStartParams *
welkin_start_params_new (const char          *start_id,
                         WelkinMachineConfig *machine_config)
{
  WelkinStartParams *self;

  g_return_val_if_fail (start_id != NULL && machine_config != NULL, NULL);

  self = g_atomic_rc_box_new0 (WelkinStartParams);
  self->start_id = g_strdup (start_id);
  self->machine_config = welkin_machine_config_ref (machine_config);
  self->constraints = welkin_constraints_new ();
  self->placement = g_strdup ("");
  self->distribution_group = g_new0 (char *, 1);
  self->waits = TRUE;
  return self;
}

/**
 * welkin_start_params_ref:
 * @self: parameters
 *
 * Takes another reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
WelkinStartParams *
welkin_start_params_ref (WelkinStartParams *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

/**
 * welkin_start_params_unref:
 * @self: (transfer full): parameters
 *
 * Drops a reference; the last one frees the parameters.
 *
 * Since: 0.1
 */
void
welkin_start_params_unref (WelkinStartParams *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, start_params_clear);
}

/**
 * welkin_start_params_get_start_id:
 * @self: parameters
 *
 * Gets the mark of everything that is made for this start.
 *
 * Returns: (transfer none): a UUID
 *
 * Since: 0.1
 */
const char *
welkin_start_params_get_start_id (WelkinStartParams *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->start_id;
}

/**
 * welkin_start_params_get_machine_config:
 * @self: parameters
 *
 * Gets what the machine is to become; the provider finishes it.
 *
 * Returns: (transfer none): the machine config
 *
 * Since: 0.1
 */
WelkinMachineConfig *
welkin_start_params_get_machine_config (WelkinStartParams *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->machine_config;
}

/**
 * welkin_start_params_get_constraints:
 * @self: parameters
 *
 * Gets what the machine must have.
 *
 * Returns: (transfer none): the constraints, of which perhaps none is present
 *
 * Since: 0.1
 */
WelkinConstraints *
welkin_start_params_get_constraints (WelkinStartParams *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->constraints;
}

/**
 * welkin_start_params_get_tools:
 * @self: parameters
 *
 * Gets the agent binaries to choose from.
 *
 * Returns: (transfer none) (nullable) (element-type WelkinTools): the tools;
 *   with %NULL only the basic user data is made
 *
 * Since: 0.1
 */
GPtrArray *
welkin_start_params_get_tools (WelkinStartParams *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->tools;
}

/**
 * welkin_start_params_get_placement:
 * @self: parameters
 *
 * Gets where the machine is to be.
 *
 * Returns: (transfer none): a directive as in "zone=az1", or ""
 *
 * Since: 0.1
 */
const char *
welkin_start_params_get_placement (WelkinStartParams *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->placement;
}

/**
 * welkin_start_params_get_distribution_group:
 * @self: parameters
 *
 * Gets the instances that this one should be apart from.
 *
 * Returns: (transfer none) (array zero-terminated=1): their ids
 *
 * Since: 0.1
 */
const char * const *
welkin_start_params_get_distribution_group (WelkinStartParams *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return (const char * const *) self->distribution_group;
}

/**
 * welkin_start_params_get_images:
 * @self: parameters
 *
 * Gets the images to choose from.
 *
 * Returns: (transfer none) (nullable) (element-type WelkinImage): the images;
 *   with %NULL the provider looks images up itself
 *
 * Since: 0.1
 */
GPtrArray *
welkin_start_params_get_images (WelkinStartParams *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->images;
}

/**
 * welkin_start_params_get_waits:
 * @self: parameters
 *
 * Gets whether the start ends when the machine runs.
 *
 * Returns: %TRUE unless [method@StartParams.with_waits] said otherwise
 *
 * Since: 0.1
 */
gboolean
welkin_start_params_get_waits (WelkinStartParams *self)
{
  g_return_val_if_fail (self != NULL, TRUE);

  return self->waits;
}

/**
 * welkin_start_params_with_constraints:
 * @self: parameters
 * @constraints: what the machine must have
 *
 * Makes parameters that differ in the constraints.
 *
 * Returns: (transfer full): new parameters
 *
 * Since: 0.1
 */
WelkinStartParams *
welkin_start_params_with_constraints (WelkinStartParams *self,
                                      WelkinConstraints *constraints)
{
  WelkinStartParams *copy;

  g_return_val_if_fail (self != NULL && constraints != NULL, NULL);

  copy = start_params_copy (self);
  welkin_constraints_unref (copy->constraints);
  copy->constraints = welkin_constraints_ref (constraints);
  return copy;
}

/**
 * welkin_start_params_with_tools:
 * @self: parameters
 * @tools: (nullable) (element-type WelkinTools): the agent binaries to choose
 *   from
 *
 * Makes parameters that differ in the tools.
 *
 * Returns: (transfer full): new parameters
 *
 * Since: 0.1
 */
WelkinStartParams *
welkin_start_params_with_tools (WelkinStartParams *self,
                                GPtrArray         *tools)
{
  WelkinStartParams *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = start_params_copy (self);
  g_clear_pointer (&copy->tools, g_ptr_array_unref);
  copy->tools = dup_tools (tools);
  return copy;
}

/**
 * welkin_start_params_with_placement:
 * @self: parameters
 * @placement: (nullable): a directive as in "zone=az1"
 *
 * Makes parameters that differ in the placement.
 *
 * Returns: (transfer full): new parameters
 *
 * Since: 0.1
 */
WelkinStartParams *
welkin_start_params_with_placement (WelkinStartParams *self,
                                    const char        *placement)
{
  WelkinStartParams *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = start_params_copy (self);
  g_free (copy->placement);
  copy->placement = g_strdup (placement != NULL ? placement : "");
  return copy;
}

/**
 * welkin_start_params_with_distribution_group:
 * @self: parameters
 * @ids: (nullable) (array zero-terminated=1): ids of instances
 *
 * Makes parameters that differ in the instances to be apart from.
 *
 * Returns: (transfer full): new parameters
 *
 * Since: 0.1
 */
WelkinStartParams *
welkin_start_params_with_distribution_group (WelkinStartParams  *self,
                                             const char * const *ids)
{
  WelkinStartParams *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = start_params_copy (self);
  g_strfreev (copy->distribution_group);
  copy->distribution_group = ids != NULL ? g_strdupv ((char **) ids) : g_new0 (char *, 1);
  return copy;
}

/**
 * welkin_start_params_with_images:
 * @self: parameters
 * @images: (nullable) (element-type WelkinImage): the images to choose from
 *
 * Makes parameters that differ in the images.
 *
 * Returns: (transfer full): new parameters
 *
 * Since: 0.1
 */
WelkinStartParams *
welkin_start_params_with_images (WelkinStartParams *self,
                                 GPtrArray         *images)
{
  WelkinStartParams *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = start_params_copy (self);
  g_clear_pointer (&copy->images, g_ptr_array_unref);
  copy->images = dup_images (images);
  return copy;
}

/**
 * welkin_start_params_with_waits:
 * @self: parameters
 * @waits: whether the start ends when the machine runs
 *
 * Makes parameters that differ in what is waited for.
 *
 * A start that does not wait ends as soon as the cloud is seen to build the
 * machine. Whether it will run is for the caller to see then, and no other zone
 * is tried when it does not. A provider may wait all the same where it has
 * things to do that take a machine which runs.
 *
 * Returns: (transfer full): new parameters
 *
 * Since: 0.1
 */
WelkinStartParams *
welkin_start_params_with_waits (WelkinStartParams *self,
                                gboolean           waits)
{
  WelkinStartParams *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = start_params_copy (self);
  copy->waits = waits;
  return copy;
}
