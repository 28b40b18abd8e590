/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "values/welkin-own-machine.h"

/**
 * WelkinOwnMachine:
 *
 * What a machine knows of itself.
 *
 * It is immutable and may be shared between threads.
 *
 * Since: 0.1
 */
struct _WelkinOwnMachine
{
  char          *instance_id;
  WelkinAddress *private_address; /* (owned) */
  WelkinAddress *public_address;  /* (owned) */
  char          *zone;            /* (nullable) */
};

G_DEFINE_BOXED_TYPE (WelkinOwnMachine,
                     welkin_own_machine,
                     welkin_own_machine_ref,
                     welkin_own_machine_unref)

static void
own_machine_clear (gpointer data)
{
  WelkinOwnMachine *self = data;

  g_free (self->zone);
  welkin_address_unref (self->public_address);
  welkin_address_unref (self->private_address);
  g_free (self->instance_id);
}

/**
 * welkin_own_machine_new:
 * @instance_id: the id by which the cloud's API knows the machine
 * @private_address: where it is reached from inside its cloud
 * @public_address: where it is reached from outside; @private_address when it
 *   has no other
 * @zone: (nullable): the zone that it is in
 *
 * Makes what a machine knows of itself. This is for providers.
 *
 * Returns: (transfer full): a new machine
 *
 * Since: 0.1
 */
WelkinOwnMachine *
welkin_own_machine_new (const char    *instance_id,
                        WelkinAddress *private_address,
                        WelkinAddress *public_address,
                        const char    *zone)
{
  WelkinOwnMachine *self;

  g_return_val_if_fail (instance_id != NULL, NULL);
  g_return_val_if_fail (private_address != NULL && public_address != NULL, NULL);

  self = g_atomic_rc_box_new0 (WelkinOwnMachine);
  self->instance_id = g_strdup (instance_id);
  self->private_address = welkin_address_ref (private_address);
  self->public_address = welkin_address_ref (public_address);
  self->zone = g_strdup (zone);
  return self;
}

/**
 * welkin_own_machine_ref:
 * @self: a machine
 *
 * Takes another reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
WelkinOwnMachine *
welkin_own_machine_ref (WelkinOwnMachine *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

/**
 * welkin_own_machine_unref:
 * @self: (transfer full): a machine
 *
 * Drops a reference; the last one frees the machine.
 *
 * Since: 0.1
 */
void
welkin_own_machine_unref (WelkinOwnMachine *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, own_machine_clear);
}

/**
 * welkin_own_machine_get_instance_id:
 * @self: a machine
 *
 * Gets the id by which the cloud's API knows the machine.
 *
 * Returns: (transfer none): the id
 *
 * Since: 0.1
 */
const char *
welkin_own_machine_get_instance_id (WelkinOwnMachine *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->instance_id;
}

/**
 * welkin_own_machine_get_private_address:
 * @self: a machine
 *
 * Gets where the machine is reached from inside its cloud.
 *
 * Returns: (transfer none): the address
 *
 * Since: 0.1
 */
WelkinAddress *
welkin_own_machine_get_private_address (WelkinOwnMachine *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->private_address;
}

/**
 * welkin_own_machine_get_public_address:
 * @self: a machine
 *
 * Gets where the machine is reached from outside. It is the private address
 * when the machine has no other.
 *
 * Returns: (transfer none): the address
 *
 * Since: 0.1
 */
WelkinAddress *
welkin_own_machine_get_public_address (WelkinOwnMachine *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->public_address;
}

/**
 * welkin_own_machine_get_zone:
 * @self: a machine
 *
 * Gets the zone that the machine is in.
 *
 * Returns: (transfer none) (nullable): the zone; %NULL when the cloud does not
 *   tell
 *
 * Since: 0.1
 */
const char *
welkin_own_machine_get_zone (WelkinOwnMachine *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->zone;
}
