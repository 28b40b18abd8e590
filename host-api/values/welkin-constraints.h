/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-value.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_CONSTRAINTS (welkin_constraints_get_type ())

/* What a machine must have at least: immutable, refcounted. Every constraint is absent or present;
 * present but empty demands nothing, and overrides a fallback. */
typedef struct _WelkinConstraints WelkinConstraints;

WELKIN_AVAILABLE_IN_0_1
GType               welkin_constraints_get_type   (void) G_GNUC_CONST;
/* None at all. */
WELKIN_AVAILABLE_IN_0_1
WelkinConstraints  *welkin_constraints_new        (void);
/* "mem=4G cores=2 arch=amd64"; all errors are WELKIN_ERROR_INVALID_ARGUMENT */
WELKIN_AVAILABLE_IN_0_1
WelkinConstraints  *welkin_constraints_new_parsed (const char         *text,
                                                   GError            **error);
WELKIN_AVAILABLE_IN_0_1
WelkinConstraints  *welkin_constraints_new_parsed_words (const char * const *texts,
                                                   GError            **error);
/* The mapping that to_value() makes. */
WELKIN_AVAILABLE_IN_0_1
WelkinConstraints  *welkin_constraints_new_from_value (WelkinValue        *value,
                                                   GError            **error);
WELKIN_AVAILABLE_IN_0_1
WelkinConstraints  *welkin_constraints_ref        (WelkinConstraints  *self);
WELKIN_AVAILABLE_IN_0_1
void                welkin_constraints_unref      (WelkinConstraints  *self);
WELKIN_AVAILABLE_IN_0_1
gboolean            welkin_constraints_equal      (WelkinConstraints  *self,
                                                   WelkinConstraints  *other);
WELKIN_AVAILABLE_IN_0_1
gboolean            welkin_constraints_is_empty   (WelkinConstraints  *self);
WELKIN_AVAILABLE_IN_0_1
char               *welkin_constraints_to_string  (WelkinConstraints  *self);
/* As it is written into YAML or JSON: sizes in MiB. (transfer full) */
WELKIN_AVAILABLE_IN_0_1
WelkinValue        *welkin_constraints_to_value   (WelkinConstraints  *self);
/* Is the constraint present, even if empty? name: canonical, as in "mem". */
WELKIN_AVAILABLE_IN_0_1
gboolean            welkin_constraints_has        (WelkinConstraints  *self,
                                                   const char         *name);
/* Is it present and does it demand something? */
WELKIN_AVAILABLE_IN_0_1
gboolean            welkin_constraints_demands    (WelkinConstraints  *self,
                                                   const char         *name);
/* For arch, container, root-disk-source, instance-type, instance-role, virt-type, image-id; NULL
 * when absent. */
WELKIN_AVAILABLE_IN_0_1
const char         *welkin_constraints_get_text   (WelkinConstraints  *self,
                                                   const char         *name);
/* For cores, cpu-power, mem (MiB), root-disk (MiB); 0 when absent. */
WELKIN_AVAILABLE_IN_0_1
guint64             welkin_constraints_get_number (WelkinConstraints  *self,
                                                   const char         *name);
/* For tags, networks, spaces, zones; NULL when absent. */
WELKIN_AVAILABLE_IN_0_1
const char * const *welkin_constraints_get_list   (WelkinConstraints  *self,
                                                   const char         *name);
/* For allocate-public-ip, nested-virtualization. */
WELKIN_AVAILABLE_IN_0_1
gboolean            welkin_constraints_get_boolean (WelkinConstraints *self,
                                                   const char         *name);
/* self, completed by fallback where self lacks a constraint. (transfer full) */
WELKIN_AVAILABLE_IN_0_1
WelkinConstraints  *welkin_constraints_with_fallback (WelkinConstraints *self,
                                                   WelkinConstraints  *fallback);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinConstraints, welkin_constraints_unref)

G_END_DECLS
