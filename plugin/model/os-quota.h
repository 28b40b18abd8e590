/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-record.h"

G_BEGIN_DECLS

/* What nova tells of a project's limits: each name with its number. */
typedef struct
{
  GHashTable *absolute; /* (nullable) */
} OsLimits;

OS_DECLARE_RECORD (OsLimits, os_limits)

/* A quota of neutron; -1: no limit, or not known. */
typedef struct
{
  gint64 limit;
  gint64 used;
  gint64 reserved;
} OsQuotaDetail;

/* Neutron's quotas with what is used of them. */
typedef struct
{
  OsQuotaDetail *port;        /* (nullable), as the others */
  OsQuotaDetail *floating_ip;
  OsQuotaDetail *group;
  OsQuotaDetail *rule;
} OsQuotaDetails;

OS_DECLARE_RECORD (OsQuotaDetails, os_quota_details)

/* The same of a neutron that does not tell what is used. */
typedef struct
{
  gint64 port;
  gint64 floating_ip;
  gint64 group;
  gint64 rule;
} OsQuotaLimits;

OS_DECLARE_RECORD (OsQuotaLimits, os_quota_limits)

G_END_DECLS
