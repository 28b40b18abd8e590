/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "values/welkin-cloud.h"

/**
 * WelkinCloud:
 *
 * A cloud that a user can log in to already.
 *
 * Other clients of the cloud have files and variables for that; a provider that
 * reads them tells what is there with
 * [method@Provider.list_clouds]. No secret is ever part of it. A cloud is
 * immutable and may be shared between threads.
 *
 * Since: 0.1
 */
struct _WelkinCloud
{
  char             *name;
  char             *origin;
  char             *endpoint; /* (nullable) */
  char            **regions;
  WelkinCloudFlags  flags;
  char             *problem; /* (nullable) */
};

/**
 * WelkinCloudFlags:
 * @WELKIN_CLOUD_NONE: nothing
 * @WELKIN_CLOUD_HAS_SECRET: a password or the like is there
 * @WELKIN_CLOUD_IS_DEFAULT: it is used where nothing else is said
 *
 * What is to be said of a cloud.
 *
 * Since: 0.1
 */

G_DEFINE_BOXED_TYPE (WelkinCloud, welkin_cloud, welkin_cloud_ref, welkin_cloud_unref)

static void
cloud_clear (gpointer data)
{
  WelkinCloud *self = data;

  g_free (self->name);
  g_free (self->origin);
  g_free (self->endpoint);
  g_strfreev (self->regions);
  g_free (self->problem);
}

/**
 * welkin_cloud_new:
 * @name: its name
 * @origin: where it is written, as in FILE:LINE
 * @endpoint: (nullable): the URL to log in at
 * @regions: (nullable) (array zero-terminated=1): the names of its regions, the
 *   default one first
 * @flags: what is to be said of it
 * @problem: (nullable): why it cannot be used
 *
 * Makes the description of a cloud.
 *
 * Returns: (transfer full): a new cloud
 *
 * Since: 0.1
 */
WelkinCloud *
welkin_cloud_new (const char         *name,
                  const char         *origin,
                  const char         *endpoint,
                  const char * const *regions,
                  WelkinCloudFlags    flags,
                  const char         *problem)
{
  WelkinCloud *self;

  g_return_val_if_fail (name != NULL && origin != NULL, NULL);

  self = g_atomic_rc_box_new0 (WelkinCloud);
  self->name = g_strdup (name);
  self->origin = g_strdup (origin);
  self->endpoint = g_strdup (endpoint);
  self->regions = regions != NULL ? g_strdupv ((char **) regions) : g_new0 (char *, 1);
  self->flags = flags;
  self->problem = g_strdup (problem);
  return self;
}

/**
 * welkin_cloud_ref:
 * @self: a cloud
 *
 * Takes another reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
WelkinCloud *
welkin_cloud_ref (WelkinCloud *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

/**
 * welkin_cloud_unref:
 * @self: (transfer full): a cloud
 *
 * Drops a reference; the last one frees the cloud.
 *
 * Since: 0.1
 */
void
welkin_cloud_unref (WelkinCloud *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, cloud_clear);
}

/**
 * welkin_cloud_get_name:
 * @self: a cloud
 *
 * Gets the name by which the cloud is chosen.
 *
 * Returns: (transfer none): its name
 *
 * Since: 0.1
 */
const char *
welkin_cloud_get_name (WelkinCloud *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->name;
}

/**
 * welkin_cloud_get_origin:
 * @self: a cloud
 *
 * Gets where the cloud is written.
 *
 * Returns: (transfer none): the place, as in FILE:LINE
 *
 * Since: 0.1
 */
const char *
welkin_cloud_get_origin (WelkinCloud *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->origin;
}

/**
 * welkin_cloud_get_endpoint:
 * @self: a cloud
 *
 * Gets the URL to log in at.
 *
 * Returns: (transfer none) (nullable): the URL, or %NULL when none is given
 *
 * Since: 0.1
 */
const char *
welkin_cloud_get_endpoint (WelkinCloud *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->endpoint;
}

/**
 * welkin_cloud_get_regions:
 * @self: a cloud
 *
 * Lists the regions that the cloud offers, the default one first.
 *
 * Returns: (transfer none) (array zero-terminated=1): their names; none when that is for
 *   the cloud itself to say
 *
 * Since: 0.1
 */
const char * const *
welkin_cloud_get_regions (WelkinCloud *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return (const char * const *) self->regions;
}

/**
 * welkin_cloud_get_flags:
 * @self: a cloud
 *
 * Gets what is to be said of the cloud.
 *
 * Returns: the flags
 *
 * Since: 0.1
 */
WelkinCloudFlags
welkin_cloud_get_flags (WelkinCloud *self)
{
  g_return_val_if_fail (self != NULL, WELKIN_CLOUD_NONE);

  return self->flags;
}

/**
 * welkin_cloud_get_problem:
 * @self: a cloud
 *
 * Gets why the cloud cannot be used.
 *
 * Returns: (transfer none) (nullable): a text for people, or %NULL when it can
 *
 * Since: 0.1
 */
const char *
welkin_cloud_get_problem (WelkinCloud *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->problem;
}
