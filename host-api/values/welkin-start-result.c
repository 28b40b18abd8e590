/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "values/welkin-start-result.h"

/**
 * WelkinStartResult:
 *
 * What came of starting a machine.
 *
 * It is immutable, and belongs to the main context of its instance.
 *
 * Since: 0.1
 */
struct _WelkinStartResult
{
  WelkinInstance *instance;           /* (owned) */
  WelkinHardware *hardware;           /* (owned) (nullable) */
  WelkinTools    *tools;              /* (owned) (nullable) */
  GPtrArray      *network_interfaces; /* (owned) of WelkinNetworkInterface */
};

G_DEFINE_BOXED_TYPE (WelkinStartResult,
                     welkin_start_result,
                     welkin_start_result_ref,
                     welkin_start_result_unref)

static void
start_result_clear (gpointer data)
{
  WelkinStartResult *self = data;

  g_ptr_array_unref (self->network_interfaces);
  g_object_unref (self->instance);
  g_clear_pointer (&self->hardware, welkin_hardware_unref);
  g_clear_pointer (&self->tools, welkin_tools_unref);
}

/**
 * welkin_start_result_new:
 * @instance: the machine
 * @hardware: (nullable): what it has
 * @tools: (nullable): the agent binaries that were chosen for it
 *
 * Makes a result. This is for providers.
 *
 * Returns: (transfer full): a new result
 *
 * Since: 0.1
 */
WelkinStartResult *
welkin_start_result_new (WelkinInstance *instance,
                         WelkinHardware *hardware,
                         WelkinTools    *tools)
{
  WelkinStartResult *self;

  g_return_val_if_fail (WELKIN_IS_INSTANCE (instance), NULL);

  self = g_atomic_rc_box_new0 (WelkinStartResult);
  self->instance = g_object_ref (instance);
  self->hardware = hardware != NULL ? welkin_hardware_ref (hardware) : NULL;
  self->tools = tools != NULL ? welkin_tools_ref (tools) : NULL;
  self->network_interfaces =
    g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_network_interface_unref);
  return self;
}

/**
 * welkin_start_result_ref:
 * @self: a result
 *
 * Takes another reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
WelkinStartResult *
welkin_start_result_ref (WelkinStartResult *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

/**
 * welkin_start_result_unref:
 * @self: (transfer full): a result
 *
 * Drops a reference; the last one frees the result.
 *
 * Since: 0.1
 */
void
welkin_start_result_unref (WelkinStartResult *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, start_result_clear);
}

/**
 * welkin_start_result_get_instance:
 * @self: a result
 *
 * Gets the machine that was started.
 *
 * Returns: (transfer none): the instance
 *
 * Since: 0.1
 */
WelkinInstance *
welkin_start_result_get_instance (WelkinStartResult *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->instance;
}

/**
 * welkin_start_result_get_hardware:
 * @self: a result
 *
 * Gets what the machine has.
 *
 * Returns: (transfer none) (nullable): its hardware
 *
 * Since: 0.1
 */
WelkinHardware *
welkin_start_result_get_hardware (WelkinStartResult *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->hardware;
}

/**
 * welkin_start_result_get_tools:
 * @self: a result
 *
 * Gets the agent binaries that were chosen for the machine.
 *
 * Returns: (transfer none) (nullable): the tools
 *
 * Since: 0.1
 */
WelkinTools *
welkin_start_result_get_tools (WelkinStartResult *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->tools;
}

/**
 * welkin_start_result_get_network_interfaces:
 * @self: a result
 *
 * Gets what connects the machine to its networks.
 *
 * Returns: (transfer none) (element-type WelkinNetworkInterface): the network
 *   interfaces, the primary one first; none when the provider does not tell
 *
 * Since: 0.1
 */
GPtrArray *
welkin_start_result_get_network_interfaces (WelkinStartResult *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->network_interfaces;
}

/**
 * welkin_start_result_with_network_interfaces:
 * @self: a result
 * @interfaces: (element-type WelkinNetworkInterface): what connects the machine
 *   to its networks, the primary one first
 *
 * Makes a result that differs in the network interfaces. This is for
 * providers.
 *
 * Returns: (transfer full): a new result
 *
 * Since: 0.1
 */
WelkinStartResult *
welkin_start_result_with_network_interfaces (WelkinStartResult *self,
                                             GPtrArray         *interfaces)
{
  WelkinStartResult *copy;

  g_return_val_if_fail (self != NULL && interfaces != NULL, NULL);

  copy = welkin_start_result_new (self->instance, self->hardware, self->tools);
  for (guint i = 0; i < interfaces->len; i++)
    g_ptr_array_add (copy->network_interfaces,
                     welkin_network_interface_ref (g_ptr_array_index (interfaces, i)));
  return copy;
}
