/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-data-source.h"
#include "transport/os-client.h"

G_BEGIN_DECLS

#define OS_TYPE_METADATA_SOURCE (os_metadata_source_get_type ())

/*
 * Metadata at a place that the cloud's catalog names. It is read with the certificates and by the
 * proxy of the cloud, but without a token: the place may be anybody's.
 */
G_DECLARE_FINAL_TYPE (OsMetadataSource, os_metadata_source, OS, METADATA_SOURCE, GObject)

/* client: logged in; its catalog has the service. (transfer full) */
WelkinDataSource *os_metadata_source_new (OsClient      *client,
                                          OsServiceKind  service);

G_END_DECLS
