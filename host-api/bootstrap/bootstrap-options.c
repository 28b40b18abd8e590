/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "bootstrap/bootstrap-options.h"

/**
 * WelkinBootstrapOptions:
 *
 * How an environment is to be bootstrapped.
 *
 * Since: 0.1
 */
G_DEFINE_BOXED_TYPE (WelkinBootstrapOptions, welkin_bootstrap_options, welkin_bootstrap_options_ref,
                     welkin_bootstrap_options_unref)

/**
 * WelkinStage:
 * @WELKIN_STAGE_ACTIVE: until the first machine runs
 *
 * How far a bootstrap goes.
 *
 * Since: 0.1
 */

/**
 * welkin_bootstrap_options_new:
 * @until: how far to go
 * @constraints: (nullable): what the first machine must have
 * @placement: (nullable): where it is to be, as in "zone=az1"
 * @keep_broken: whether a bootstrap that fails leaves everything for a look at it
 *
 * Makes options.
 *
 * Returns: (transfer full): new options
 *
 * Since: 0.1
 */
WelkinBootstrapOptions *
welkin_bootstrap_options_new (WelkinStage        until,
                              WelkinConstraints *constraints,
                              const char        *placement,
                              gboolean           keep_broken)
{
  WelkinBootstrapOptions *self = g_new0 (WelkinBootstrapOptions, 1);

  g_atomic_ref_count_init (&self->references);
  self->until = until;
  self->constraints = constraints != NULL ? welkin_constraints_ref (constraints)
                                          : welkin_constraints_new ();
  self->placement = g_strdup (placement != NULL ? placement : "");
  self->keep_broken = keep_broken;
  return self;
}

/**
 * welkin_bootstrap_options_ref: (skip)
 * @self: options
 *
 * Adds a reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
WelkinBootstrapOptions *
welkin_bootstrap_options_ref (WelkinBootstrapOptions *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

/**
 * welkin_bootstrap_options_unref: (skip)
 * @self: (transfer full): options
 *
 * Drops a reference.
 *
 * Since: 0.1
 */
void
welkin_bootstrap_options_unref (WelkinBootstrapOptions *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;

  welkin_constraints_unref (self->constraints);
  g_free (self->placement);
  g_free (self);
}
