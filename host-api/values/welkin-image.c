/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "values/welkin-image.h"

/**
 * WelkinImage:
 *
 * An image that a machine may be started from.
 *
 * Images are immutable and may be shared between threads.
 *
 * Since: 0.1
 */
struct _WelkinImage
{
  char  *id;
  char  *series; /* (nullable) */
  char  *arch; /* (nullable) */
  char  *virt_type; /* (nullable) */
  char  *region; /* (nullable) */
  char  *endpoint; /* (nullable) */
};

G_DEFINE_BOXED_TYPE (WelkinImage, welkin_image, welkin_image_ref, welkin_image_unref)

static void
image_clear (gpointer data)
{
  WelkinImage *self = data;

  g_free (self->id);
  g_free (self->series);
  g_free (self->arch);
  g_free (self->virt_type);
  g_free (self->region);
  g_free (self->endpoint);
}

/**
 * welkin_image_new:
 * @id: what the cloud calls it
 * @series: (nullable): the series that it holds, as in "noble"
 * @arch: (nullable): the architecture in Welkin's words, as in "amd64"
 * @virt_type: (nullable): the kind of virtualization that it needs, as in "kvm"
 * @region: (nullable): the region that has it
 * @endpoint: (nullable): the identity URL of the cloud that has it
 *
 * Makes a record of an image.
 *
 * Returns: (transfer full): a new image
 *
 * Since: 0.1
 */
WelkinImage *
welkin_image_new (const char *id,
                  const char *series,
                  const char *arch,
                  const char *virt_type,
                  const char *region,
                  const char *endpoint)
{
  WelkinImage *self;

  g_return_val_if_fail (id != NULL, NULL);

  self = g_atomic_rc_box_new0 (WelkinImage);
  self->id = g_strdup (id);
  self->series = g_strdup (series);
  self->arch = g_strdup (arch);
  self->virt_type = g_strdup (virt_type);
  self->region = g_strdup (region);
  self->endpoint = g_strdup (endpoint);
  return self;
}

/**
 * welkin_image_ref:
 * @self: an image
 *
 * Takes another reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
WelkinImage *
welkin_image_ref (WelkinImage *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

/**
 * welkin_image_unref:
 * @self: (transfer full): an image
 *
 * Drops a reference; the last one frees it.
 *
 * Since: 0.1
 */
void
welkin_image_unref (WelkinImage *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, image_clear);
}

/**
 * welkin_image_get_id:
 * @self: an image
 *
 * Gets what the cloud calls the image.
 *
 * Returns: (transfer none): its id
 *
 * Since: 0.1
 */
const char *
welkin_image_get_id (WelkinImage *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->id;
}

/**
 * welkin_image_get_series:
 * @self: an image
 *
 * Gets the series that the image holds.
 *
 * Returns: (transfer none) (nullable): as in "noble"
 *
 * Since: 0.1
 */
const char *
welkin_image_get_series (WelkinImage *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->series;
}

/**
 * welkin_image_get_arch:
 * @self: an image
 *
 * Gets the architecture that the image is for.
 *
 * Returns: (transfer none) (nullable): as in "amd64"
 *
 * Since: 0.1
 */
const char *
welkin_image_get_arch (WelkinImage *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->arch;
}

/**
 * welkin_image_get_virt_type:
 * @self: an image
 *
 * Gets the kind of virtualization that the image needs.
 *
 * Returns: (transfer none) (nullable): as in "kvm"
 *
 * Since: 0.1
 */
const char *
welkin_image_get_virt_type (WelkinImage *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->virt_type;
}

/**
 * welkin_image_get_region:
 * @self: an image
 *
 * Gets the region that has the image.
 *
 * Returns: (transfer none) (nullable): the name of the region
 *
 * Since: 0.1
 */
const char *
welkin_image_get_region (WelkinImage *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->region;
}

/**
 * welkin_image_get_endpoint:
 * @self: an image
 *
 * Gets the cloud that has the image.
 *
 * Returns: (transfer none) (nullable): its identity URL
 *
 * Since: 0.1
 */
const char *
welkin_image_get_endpoint (WelkinImage *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->endpoint;
}
