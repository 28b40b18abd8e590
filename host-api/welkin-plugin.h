/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <welkin.h>

G_BEGIN_DECLS

#define WELKIN_PLUGIN_ABI_MAJOR 1
#define WELKIN_PLUGIN_ABI_MINOR 0

/**
 * WelkinPluginInfo: (skip)
 *
 * What a provider plugin says of itself: static data, read before anything of it runs.
 */
typedef struct
{
  guint               abi_major;
  guint               abi_minor;
  gsize               size;           /* of this struct as the plugin knew it */
  const char         *type;           /* what "type:" in environments.yaml says */
  const char         *summary;        /* one line for people */
  const char         *version;
  const char         *license;
  const char         *gettext_domain;
  const char * const *aliases;        /* NULL-terminated; or NULL */
  GType             (*get_type) (void);
  gpointer            reserved[8];
} WelkinPluginInfo;

/* Defines the one symbol that a plugin exports, `welkin_plugin_TYPE_info`:
 *
 *   WELKIN_PLUGIN_DEFINE (openstack,
 *                         .summary = "OpenStack clouds",
 *                         .version = "1.0",
 *                         .license = "LGPL-2.1-or-later",
 *                         .get_type = os_provider_get_type)
 */
#define WELKIN_PLUGIN_DEFINE(type_name, ...) \
  WELKIN_EXTERN const WelkinPluginInfo *welkin_plugin_##type_name##_info (void); \
  const WelkinPluginInfo * \
  welkin_plugin_##type_name##_info (void) \
  { \
    static const WelkinPluginInfo info = { \
      .abi_major = WELKIN_PLUGIN_ABI_MAJOR, \
      .abi_minor = WELKIN_PLUGIN_ABI_MINOR, \
      .size = sizeof (WelkinPluginInfo), \
      .type = #type_name, \
      __VA_ARGS__ \
    }; \
    return &info; \
  }

G_END_DECLS
