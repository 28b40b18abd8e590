/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-value.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_CONFIG (welkin_config_get_type ())

/* The attributes of one environment: immutable, refcounted, in the order they came. After a
 * schema has validated it every known attribute is present in canonical text. */
typedef struct _WelkinConfig WelkinConfig;

WELKIN_AVAILABLE_IN_0_1
GType         welkin_config_get_type    (void) G_GNUC_CONST;
WELKIN_AVAILABLE_IN_0_1
WelkinConfig *welkin_config_new         (void);
/* map: a value of kind MAP */
WELKIN_AVAILABLE_IN_0_1
WelkinConfig *welkin_config_new_from_value (WelkinValue *map);
WELKIN_AVAILABLE_IN_0_1
WelkinConfig *welkin_config_ref         (WelkinConfig  *self);
WELKIN_AVAILABLE_IN_0_1
void          welkin_config_unref       (WelkinConfig  *self);
WELKIN_AVAILABLE_IN_0_1
gboolean      welkin_config_equal       (WelkinConfig  *self,
                                         WelkinConfig  *other);
/* (transfer full) MAP, to be written */
WELKIN_AVAILABLE_IN_0_1
WelkinValue  *welkin_config_to_value    (WelkinConfig  *self);
/* (transfer container) (array zero-terminated=1) */
WELKIN_AVAILABLE_IN_0_1
const char  **welkin_config_get_keys    (WelkinConfig  *self);
WELKIN_AVAILABLE_IN_0_1
WelkinValue  *welkin_config_lookup      (WelkinConfig  *self,
                                         const char    *key);
WELKIN_AVAILABLE_IN_0_1
gboolean      welkin_config_has         (WelkinConfig  *self,
                                         const char    *key);

/* A new config that differs in one attribute, or that has all of another's over its own. */
WELKIN_AVAILABLE_IN_0_1
WelkinConfig *welkin_config_with        (WelkinConfig  *self,
                                         const char    *key,
                                         WelkinValue   *value);
WELKIN_AVAILABLE_IN_0_1
WelkinConfig *welkin_config_with_text   (WelkinConfig  *self,
                                         const char    *key,
                                         const char    *text,
                                         const char    *origin);
WELKIN_AVAILABLE_IN_0_1
WelkinConfig *welkin_config_without     (WelkinConfig  *self,
                                         const char    *key);
WELKIN_AVAILABLE_IN_0_1
WelkinConfig *welkin_config_with_all    (WelkinConfig  *self,
                                         WelkinConfig  *other);

/* Readers of a validated config: absent or unset is "", FALSE, 0, empty. */
WELKIN_AVAILABLE_IN_0_1
const char   *welkin_config_get_name    (WelkinConfig  *self);
WELKIN_AVAILABLE_IN_0_1
const char   *welkin_config_get_uuid    (WelkinConfig  *self);
WELKIN_AVAILABLE_IN_0_1
const char   *welkin_config_get_provider_type (WelkinConfig *self);
WELKIN_AVAILABLE_IN_0_1
const char   *welkin_config_get_string  (WelkinConfig  *self,
                                         const char    *key);
WELKIN_AVAILABLE_IN_0_1
gboolean      welkin_config_get_boolean (WelkinConfig  *self,
                                         const char    *key);
WELKIN_AVAILABLE_IN_0_1
gint64        welkin_config_get_int     (WelkinConfig  *self,
                                         const char    *key);
/* (transfer full): a list's items, or a text split at commas, trimmed, empty parts dropped */
WELKIN_AVAILABLE_IN_0_1
char        **welkin_config_get_strings (WelkinConfig  *self,
                                         const char    *key);
/* The text that stands under entry in the map under key, or NULL. */
WELKIN_AVAILABLE_IN_0_1
const char   *welkin_config_get_entry   (WelkinConfig  *self,
                                         const char    *key,
                                         const char    *entry);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinConfig, welkin_config_unref)

G_END_DECLS
