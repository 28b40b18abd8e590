/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-provider.h"

G_BEGIN_DECLS

#define WELKIN_PLUGIN_ERROR (welkin_plugin_error_quark ())

typedef enum
{
  WELKIN_PLUGIN_ERROR_NOT_FOUND,
  WELKIN_PLUGIN_ERROR_BAD_NAME,
  WELKIN_PLUGIN_ERROR_CANNOT_OPEN,
  WELKIN_PLUGIN_ERROR_NO_ENTRY_POINT,
  WELKIN_PLUGIN_ERROR_WRONG_ABI,
  WELKIN_PLUGIN_ERROR_INVALID_INFO,
  WELKIN_PLUGIN_ERROR_NAME_MISMATCH,
  WELKIN_PLUGIN_ERROR_WRONG_TYPE,
  WELKIN_PLUGIN_ERROR_SHADOWED,
  WELKIN_PLUGIN_ERROR_DUPLICATE,
} WelkinPluginError;

WELKIN_AVAILABLE_IN_0_1
GQuark welkin_plugin_error_quark (void);

#define WELKIN_TYPE_PLUGIN (welkin_plugin_get_type ())

/* What the registry knows of one plugin file. */
WELKIN_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (WelkinPlugin, welkin_plugin, WELKIN, PLUGIN, GObject)

/* From its file name until it was opened. */
WELKIN_AVAILABLE_IN_0_1
const char         *welkin_plugin_get_provider_type (WelkinPlugin *self);
WELKIN_AVAILABLE_IN_0_1
const char         *welkin_plugin_get_path          (WelkinPlugin *self);
WELKIN_AVAILABLE_IN_0_1
gboolean            welkin_plugin_get_opened        (WelkinPlugin *self);
/* Why it cannot be used, or NULL. (transfer none) */
WELKIN_AVAILABLE_IN_0_1
const GError       *welkin_plugin_get_error         (WelkinPlugin *self);
/* The rest is NULL until it was opened well. */
WELKIN_AVAILABLE_IN_0_1
const char         *welkin_plugin_get_summary       (WelkinPlugin *self);
WELKIN_AVAILABLE_IN_0_1
const char         *welkin_plugin_get_version       (WelkinPlugin *self);
WELKIN_AVAILABLE_IN_0_1
const char         *welkin_plugin_get_license       (WelkinPlugin *self);
WELKIN_AVAILABLE_IN_0_1
const char * const *welkin_plugin_get_aliases       (WelkinPlugin *self);

#define WELKIN_TYPE_REGISTRY (welkin_registry_get_type ())

/* Finds, checks and opens provider plugins: a GListModel of WelkinPlugin, in search order. It
 * belongs to the main context that it was made in. */
WELKIN_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (WelkinRegistry, welkin_registry, WELKIN, REGISTRY, GObject)

/* directories: searched before $WELKIN_PLUGIN_PATH (ignored in a process with raised rights) and
 * the built-in one; nullable. Nothing is opened yet. */
WELKIN_AVAILABLE_IN_0_1
WelkinRegistry *welkin_registry_new           (const char * const *directories);
/* The provider of a type or alias, opened if it was not. (transfer full) */
WELKIN_AVAILABLE_IN_0_1
WelkinProvider *welkin_registry_get_provider  (WelkinRegistry     *self,
                                               const char         *type,
                                               GError            **error);
/* Opens every plugin there is; what fails is told by its record. */
WELKIN_AVAILABLE_IN_0_1
void            welkin_registry_open_all      (WelkinRegistry     *self);
/* The types of the plugins that opened well, sorted. (transfer full) */
WELKIN_AVAILABLE_IN_0_1
char          **welkin_registry_get_types     (WelkinRegistry     *self);

G_END_DECLS
