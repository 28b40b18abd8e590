/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-record.h"

G_BEGIN_DECLS

/* Security groups as nova tells them where there is no neutron. */

/* Where packets come from: one of the two is {}. */
typedef struct
{
  char *cidr;
} OsNovaRange;

typedef struct
{
  char *name;
} OsNovaSource;

typedef struct
{
  char         *id;
  char         *group_id;
  char         *protocol;
  gint64        port_min; /* -1: any */
  gint64        port_max; /* -1: any */
  OsNovaRange  *range;    /* (nullable) */
  OsNovaSource *source;   /* (nullable) */
} OsNovaRule;

typedef struct
{
  char      *id;
  char      *name;
  char      *description; /* (nullable) */
  char      *project_id;  /* (nullable) */
  GPtrArray *rules;       /* (nullable) of OsNovaRule */
} OsNovaGroup;

OS_DECLARE_RECORD (OsNovaGroup, os_nova_group)

/* The same as an OsSecurityGroup each. (element-type OsNovaGroup) → (element-type OsSecurityGroup)
 * (transfer full). Nova names the group that a rule lets in: it is known by its id where it is
 * one of them, and by its name where it is not. */
GPtrArray *os_nova_groups_convert (GPtrArray *groups);

/* A server, for its groups. */
typedef struct
{
  char      *id;
  GPtrArray *groups; /* (nullable) of OsNovaSource */
} OsNovaMember;

OS_DECLARE_RECORD (OsNovaMember, os_nova_member)

gboolean   os_nova_member_is_in   (const OsNovaMember *self,
                                   const char         *group_name);

/* Where floating IPs come from. */
typedef struct
{
  char *name;
} OsNovaPool;

OS_DECLARE_RECORD (OsNovaPool, os_nova_pool)

G_END_DECLS
