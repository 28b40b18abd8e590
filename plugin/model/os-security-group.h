/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-record.h"

G_BEGIN_DECLS

/* A rule as the cloud tells it; also what is sent to make one, without its id. */
typedef struct
{
  char  *id;
  char  *group_id;
  char  *direction;               /* "ingress" or "egress" */
  char  *ethertype;               /* (nullable) "IPv4" or "IPv6" */
  char  *protocol;                /* (nullable) a name or a number; NULL: any */
  gint64 port_min;                /* -1: any; of ICMP it is the type */
  gint64 port_max;                /* -1: any; of ICMP it is the code */
  char  *remote_ip_prefix;        /* (nullable) */
  char  *remote_group_id;         /* (nullable) */
  char  *remote_address_group_id; /* (nullable) */
} OsSecurityGroupRule;

OS_DECLARE_RECORD (OsSecurityGroupRule, os_security_group_rule)

/* An ingress rule that is still to be made: one of the two remotes, ports 0 for any. The prefix is
 * sent in its one right form: neutron takes 10.1.2.3/8 for another rule than 10.0.0.0/8. */
OsSecurityGroupRule *os_security_group_rule_new          (const char                *group_id,
                                                          const char                *ethertype,
                                                          const char                *protocol,
                                                          guint                      port_min,
                                                          guint                      port_max,
                                                          const char                *prefix,
                                                          const char                *remote_group);
/* Whether the two let the same packets through, however they are written: neutron stores ports
 * 1-65535 as none, takes numbers for names, and no prefix for everywhere. */
gboolean             os_security_group_rule_equal        (const OsSecurityGroupRule *self,
                                                          const OsSecurityGroupRule *other);
/* That of some rules (nullable) (element-type OsSecurityGroupRule) which is equal, or NULL. */
const OsSecurityGroupRule *
                     os_security_group_rule_find         (GPtrArray                 *rules,
                                                          const OsSecurityGroupRule *wanted);
/* Whether it lets packets in from addresses, not from other machines in a group. */
gboolean             os_security_group_rule_is_open      (const OsSecurityGroupRule *self);
gboolean             os_security_group_rule_is_ipv6      (const OsSecurityGroupRule *self);
/* As os_protocol_normalise() gives it. */
char                *os_security_group_rule_dup_protocol (const OsSecurityGroupRule *self);
/* The ports, 1 to 65535 where there is no limit; 0 and 0 of a protocol that has none. */
void                 os_security_group_rule_get_ports    (const OsSecurityGroupRule *self,
                                                          guint                     *from,
                                                          guint                     *to);
/* From where, in the form that os_prefix_normalise() gives. */
char                *os_security_group_rule_dup_prefix   (const OsSecurityGroupRule *self);

typedef struct
{
  char      *id;
  char      *name;
  char      *description; /* (nullable) */
  char      *project_id;  /* (nullable) */
  char      *created;     /* (nullable) ISO 8601 */
  GPtrArray *rules;       /* (nullable) of OsSecurityGroupRule */
} OsSecurityGroup;

OS_DECLARE_RECORD (OsSecurityGroup, os_security_group)

G_END_DECLS
