/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-record.h"

G_BEGIN_DECLS

/* A rule as neutron tells it; also what is sent to make one, without its id. */
typedef struct
{
  char  *id;
  char  *group_id;
  char  *direction;        /* "ingress" or "egress" */
  char  *ethertype;        /* "IPv4" or "IPv6" */
  char  *protocol;         /* (nullable) a name or a number; NULL: any */
  gint64 port_min;         /* 0: any */
  gint64 port_max;         /* 0: any */
  char  *remote_ip_prefix; /* (nullable) */
  char  *remote_group_id;  /* (nullable) */
} OsSecurityGroupRule;

OS_DECLARE_RECORD (OsSecurityGroupRule, os_security_group_rule)

/* An ingress rule that is still to be made: one of the two remotes, ports 0 for any. */
OsSecurityGroupRule *os_security_group_rule_new   (const char                *group_id,
                                                   const char                *ethertype,
                                                   const char                *protocol,
                                                   guint                      port_min,
                                                   guint                      port_max,
                                                   const char                *remote_ip_prefix,
                                                   const char                *remote_group_id);
/* Whether the two let the same packets through, however they are written: neutron stores ports
 * 1-65535 as none, takes numbers for names, and no prefix for everywhere. */
gboolean             os_security_group_rule_equal (const OsSecurityGroupRule *self,
                                                   const OsSecurityGroupRule *other);

typedef struct
{
  char      *id;
  char      *name;
  char      *description; /* (nullable) */
  char      *created;     /* (nullable) ISO 8601 */
  GPtrArray *rules;       /* (nullable) of OsSecurityGroupRule */
} OsSecurityGroup;

OS_DECLARE_RECORD (OsSecurityGroup, os_security_group)

G_END_DECLS
