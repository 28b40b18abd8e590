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
 * @WELKIN_STAGE_SSH: until it can be logged in to
 * @WELKIN_STAGE_AGENT: until its agent answers
 *
 * How far a bootstrap goes.
 *
 * Since: 0.1
 */

static WelkinBootstrapOptions *
options_copy (WelkinBootstrapOptions *self)
{
  WelkinBootstrapOptions *copy = welkin_bootstrap_options_new ();

  copy->until = self->until;
  copy->keep_broken = self->keep_broken;
  copy->save_credentials = self->save_credentials;
  copy->insecure_host_key = self->insecure_host_key;
  welkin_constraints_unref (copy->constraints);
  copy->constraints = welkin_constraints_ref (self->constraints);
  g_free (copy->placement);
  copy->placement = g_strdup (self->placement);
  copy->metadata_directory = g_strdup (self->metadata_directory);
  copy->agent_version = g_strdup (self->agent_version);
  copy->uploads_tools = self->uploads_tools;
  copy->agent_directory = g_strdup (self->agent_directory);
  copy->upload_series = g_strdupv (self->upload_series);
  return copy;
}

/**
 * welkin_bootstrap_options_new:
 *
 * Makes options: no constraints, anywhere, until its agent answers, what fails is removed, and
 * credentials of the surroundings are not saved.
 *
 * Returns: (transfer full): new options
 *
 * Since: 0.1
 */
WelkinBootstrapOptions *
welkin_bootstrap_options_new (void)
{
  WelkinBootstrapOptions *self = g_new0 (WelkinBootstrapOptions, 1);

  g_atomic_ref_count_init (&self->references);
  self->until = WELKIN_STAGE_AGENT;
  self->constraints = welkin_constraints_new ();
  self->placement = g_strdup ("");
  return self;
}

/**
 * welkin_bootstrap_options_with_until:
 * @self: options
 * @until: how far to go
 *
 * Makes options that differ in how far the bootstrap goes.
 *
 * Returns: (transfer full): new options
 *
 * Since: 0.1
 */
WelkinBootstrapOptions *
welkin_bootstrap_options_with_until (WelkinBootstrapOptions *self,
                                     WelkinStage             until)
{
  WelkinBootstrapOptions *copy = options_copy (self);

  copy->until = until;
  return copy;
}

/**
 * welkin_bootstrap_options_with_constraints:
 * @self: options
 * @constraints: what the first machine must have
 *
 * Makes options that differ in the constraints, which become those of the environment as well.
 *
 * Returns: (transfer full): new options
 *
 * Since: 0.1
 */
WelkinBootstrapOptions *
welkin_bootstrap_options_with_constraints (WelkinBootstrapOptions *self,
                                           WelkinConstraints      *constraints)
{
  WelkinBootstrapOptions *copy = options_copy (self);

  welkin_constraints_unref (copy->constraints);
  copy->constraints = welkin_constraints_ref (constraints);
  return copy;
}

/**
 * welkin_bootstrap_options_with_placement:
 * @self: options
 * @placement: where the first machine is to be, as in "zone=az1", or ""
 *
 * Makes options that differ in the placement.
 *
 * Returns: (transfer full): new options
 *
 * Since: 0.1
 */
WelkinBootstrapOptions *
welkin_bootstrap_options_with_placement (WelkinBootstrapOptions *self,
                                         const char             *placement)
{
  WelkinBootstrapOptions *copy = options_copy (self);

  g_free (copy->placement);
  copy->placement = g_strdup (placement);
  return copy;
}

/**
 * welkin_bootstrap_options_with_metadata_directory:
 * @self: options
 * @directory: (nullable) (type filename): a directory with metadata below "images" and "tools"
 *
 * Makes options that differ in the metadata that the environment gets: images are looked up in them
 * first, and they are put into its storage; of tools they take the place of what is public.
 *
 * Returns: (transfer full): new options
 *
 * Since: 0.1
 */
WelkinBootstrapOptions *
welkin_bootstrap_options_with_metadata_directory (WelkinBootstrapOptions *self,
                                                  const char             *directory)
{
  WelkinBootstrapOptions *copy = options_copy (self);

  g_free (copy->metadata_directory);
  copy->metadata_directory = g_strdup (directory);
  return copy;
}

/**
 * welkin_bootstrap_options_with_agent_version:
 * @self: options
 * @version: (nullable): the version of the tools that the machines run, as in
 *   "1.2.3"; %NULL for what the configuration says, or else the newest
 *
 * Makes options that differ in the version of the tools. Where these are not to be found, the
 * bootstrap fails.
 *
 * Returns: (transfer full): new options
 *
 * Since: 0.1
 */
WelkinBootstrapOptions *
welkin_bootstrap_options_with_agent_version (WelkinBootstrapOptions *self,
                                             const char             *version)
{
  WelkinBootstrapOptions *copy = options_copy (self);

  g_free (copy->agent_version);
  copy->agent_version = g_strdup (version);
  return copy;
}

/**
 * welkin_bootstrap_options_with_uploaded_tools:
 * @self: options
 * @directory: (nullable) (type filename): a directory that holds `welkin-agent`,
 *   and whatever else goes with it; %NULL for the one of the surroundings, or
 *   else the one that is installed with Welkin
 * @series: (nullable) (array zero-terminated=1): the series that the tools are
 *   for, as in "noble"; %NULL for those of this machine and of the environment
 *
 * Makes options that differ in where the tools come from: they are made of a directory of this
 * machine, and put into the environment's storage. A version that is asked for may be a binary one
 * then, as in "1.2.3-noble-amd64"; if none is, it is one behind that of this Welkin.
 *
 * Returns: (transfer full): new options
 *
 * Since: 0.1
 */
WelkinBootstrapOptions *
welkin_bootstrap_options_with_uploaded_tools (WelkinBootstrapOptions *self,
                                              const char             *directory,
                                              const char *const      *series)
{
  WelkinBootstrapOptions *copy = options_copy (self);

  copy->uploads_tools = TRUE;
  g_free (copy->agent_directory);
  copy->agent_directory = g_strdup (directory);
  g_strfreev (copy->upload_series);
  copy->upload_series = g_strdupv ((char **) series);
  return copy;
}

/**
 * welkin_bootstrap_options_with_keep_broken:
 * @self: options
 * @keep_broken: whether what is remembered and stored stays when the bootstrap fails
 *
 * Makes options that differ in what is left for a look after a failure. A machine whose start
 * failed is removed in either case: that is the provider's part.
 *
 * Returns: (transfer full): new options
 *
 * Since: 0.1
 */
WelkinBootstrapOptions *
welkin_bootstrap_options_with_keep_broken (WelkinBootstrapOptions *self,
                                           gboolean                keep_broken)
{
  WelkinBootstrapOptions *copy = options_copy (self);

  copy->keep_broken = keep_broken;
  return copy;
}

/**
 * welkin_bootstrap_options_with_insecure_host_key:
 * @self: options
 * @insecure: whether any host key will do
 *
 * Makes options that differ in whether the first machine has to show the SSH host key that it was
 * given. Without, whoever answers at its address is believed to be it.
 *
 * Returns: (transfer full): new options
 *
 * Since: 0.1
 */
WelkinBootstrapOptions *
welkin_bootstrap_options_with_insecure_host_key (WelkinBootstrapOptions *self,
                                                 gboolean                insecure)
{
  WelkinBootstrapOptions *copy = options_copy (self);

  copy->insecure_host_key = insecure;
  return copy;
}

/**
 * welkin_bootstrap_options_with_save_credentials:
 * @self: options
 * @save_credentials: whether what variables and files of clouds give to log in with is remembered
 *
 * Makes options that differ in what is remembered of an environment that was not before.
 *
 * Returns: (transfer full): new options
 *
 * Since: 0.1
 */
WelkinBootstrapOptions *
welkin_bootstrap_options_with_save_credentials (WelkinBootstrapOptions *self,
                                                gboolean                save_credentials)
{
  WelkinBootstrapOptions *copy = options_copy (self);

  copy->save_credentials = save_credentials;
  return copy;
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
  g_strfreev (self->upload_series);
  g_free (self->agent_directory);
  g_free (self->agent_version);
  g_free (self->metadata_directory);
  g_free (self);
}
