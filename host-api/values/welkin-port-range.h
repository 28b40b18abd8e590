/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-types.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_PORT_RANGE (welkin_port_range_get_type ())

/* Ports that are open, and to whom: immutable, refcounted. */
typedef struct _WelkinPortRange WelkinPortRange;

WELKIN_AVAILABLE_IN_0_1
GType               welkin_port_range_get_type     (void) G_GNUC_CONST;
/* sources: CIDRs (nullable: from everywhere) */
WELKIN_AVAILABLE_IN_0_1
WelkinPortRange    *welkin_port_range_new          (const char         *protocol,
                                                    guint               from_port,
                                                    guint               to_port,
                                                    const char * const *sources);
/* "80/tcp", "8000-8080/udp", "icmp" */
WELKIN_AVAILABLE_IN_0_1
WelkinPortRange    *welkin_port_range_new_parsed   (const char         *text,
                                                    GError            **error);
WELKIN_AVAILABLE_IN_0_1
WelkinPortRange    *welkin_port_range_ref          (WelkinPortRange    *self);
WELKIN_AVAILABLE_IN_0_1
void                welkin_port_range_unref        (WelkinPortRange    *self);
WELKIN_AVAILABLE_IN_0_1
const char         *welkin_port_range_get_protocol (WelkinPortRange    *self);
WELKIN_AVAILABLE_IN_0_1
guint               welkin_port_range_get_from     (WelkinPortRange    *self);
WELKIN_AVAILABLE_IN_0_1
guint               welkin_port_range_get_to       (WelkinPortRange    *self);
WELKIN_AVAILABLE_IN_0_1
const char * const *welkin_port_range_get_sources  (WelkinPortRange    *self);
/* By protocol, then from, then to. */
WELKIN_AVAILABLE_IN_0_1
int                 welkin_port_range_compare      (WelkinPortRange    *self,
                                                    WelkinPortRange    *other);
WELKIN_AVAILABLE_IN_0_1
char               *welkin_port_range_to_string    (WelkinPortRange    *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinPortRange, welkin_port_range_unref)

G_END_DECLS
