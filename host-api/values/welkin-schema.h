/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-config.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_SCHEMA (welkin_schema_get_type ())

/* What attributes there are: their types, defaults and rules. Immutable once made, refcounted. */
typedef struct _WelkinSchema WelkinSchema;

typedef enum
{
  WELKIN_ATTRIBUTE_STRING,
  WELKIN_ATTRIBUTE_BOOLEAN,
  WELKIN_ATTRIBUTE_INT,
  WELKIN_ATTRIBUTE_STRINGS, /* a list, or a text with commas */
  WELKIN_ATTRIBUTE_MAP,     /* of texts */
} WelkinAttributeKind;

typedef enum /*< flags >*/
{
  WELKIN_ATTRIBUTE_NONE = 0,
  WELKIN_ATTRIBUTE_REQUIRED = 1 << 0,
  WELKIN_ATTRIBUTE_MAY_BE_EMPTY = 1 << 1,
  WELKIN_ATTRIBUTE_IMMUTABLE = 1 << 2,
  WELKIN_ATTRIBUTE_SECRET = 1 << 3,     /* the value never leaves for a log, an error or a screen */
  WELKIN_ATTRIBUTE_TRANSIENT = 1 << 4,  /* consumed when the config is made, never stored */
  WELKIN_ATTRIBUTE_UNUSED = 1 << 5,     /* kept for other readers; users are told */
  WELKIN_ATTRIBUTE_IDENTITY = 1 << 6,   /* who uses the cloud: shown, but no machine gets it */
} WelkinAttributeFlags;

/**
 * WelkinAttribute: (skip)
 *
 * One row of the static table that a schema is made from.
 */
typedef struct
{
  const char          *name;
  WelkinAttributeKind  kind;
  const char          *default_value; /* text; NULL: stays absent */
  WelkinAttributeFlags flags;
  gint64               minimum;       /* for INT, where minimum < maximum */
  gint64               maximum;
  const char          *choices;       /* for STRING: "instance global none", or NULL */
  const char          *description;   /* for people, translatable; or NULL */
  const char          *alias_of;      /* the attribute that this is another word for, or NULL */
} WelkinAttribute;

WELKIN_AVAILABLE_IN_0_1
GType         welkin_schema_get_type      (void) G_GNUC_CONST;
/* (skip): for C; the rows must outlive the schema */
WELKIN_AVAILABLE_IN_0_1
WelkinSchema *welkin_schema_new           (const WelkinAttribute *attributes,
                                           gsize                  n_attributes);
WELKIN_AVAILABLE_IN_0_1
WelkinSchema *welkin_schema_ref           (WelkinSchema   *self);
WELKIN_AVAILABLE_IN_0_1
void          welkin_schema_unref         (WelkinSchema   *self);
/* (transfer container) (array zero-terminated=1) */
WELKIN_AVAILABLE_IN_0_1
const char  **welkin_schema_get_names     (WelkinSchema   *self);
WELKIN_AVAILABLE_IN_0_1
gboolean      welkin_schema_has           (WelkinSchema   *self,
                                           const char     *name);
WELKIN_AVAILABLE_IN_0_1
WelkinAttributeKind  welkin_schema_get_kind  (WelkinSchema *self,
                                           const char     *name);
WELKIN_AVAILABLE_IN_0_1
WelkinAttributeFlags welkin_schema_get_flags (WelkinSchema *self,
                                           const char     *name);
WELKIN_AVAILABLE_IN_0_1
const char   *welkin_schema_get_default   (WelkinSchema   *self,
                                           const char     *name);
/* "instance global none", or NULL */
WELKIN_AVAILABLE_IN_0_1
const char   *welkin_schema_get_choices   (WelkinSchema   *self,
                                           const char     *name);
WELKIN_AVAILABLE_IN_0_1
const char   *welkin_schema_get_description (WelkinSchema *self,
                                           const char     *name);
WELKIN_AVAILABLE_IN_0_1
const char   *welkin_schema_get_alias_of  (WelkinSchema   *self,
                                           const char     *name);
/* A config in which each attribute of the schema has its canonical text, stands under its own name
 * and, with fill_defaults, has its default; others are kept as they are. Errors: "ORIGIN: KEY:
 * expected bool, got string("x")". */
WELKIN_AVAILABLE_IN_0_1
WelkinConfig *welkin_schema_coerce        (WelkinSchema   *self,
                                           WelkinConfig   *config,
                                           gboolean        fill_defaults,
                                           GError        **error);
/* With stars in place of secrets, and of what neither schema knows. provider: (nullable);
 * (transfer full) */
WELKIN_AVAILABLE_IN_0_1
WelkinConfig *welkin_schema_mask          (WelkinSchema   *self,
                                           WelkinSchema   *provider,
                                           WelkinConfig   *config);
/* That no immutable attribute differs: "cannot change KEY from OLD to NEW". */
WELKIN_AVAILABLE_IN_0_1
gboolean      welkin_schema_check_change  (WelkinSchema   *self,
                                           WelkinConfig   *old_config,
                                           WelkinConfig   *new_config,
                                           GError        **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinSchema, welkin_schema_unref)

G_END_DECLS
