/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What nova asks of block storage. */

#include "fake-private.h"

G_BEGIN_DECLS

/* a volume for a server of the project; NULL if the quota is used up */
JsonObject *fake_cinder_create (FakeCloud *cloud, const char *project_id, gint64 size,
                                const char *type, const char *image_id);
void fake_cinder_attach (FakeCloud *cloud, const char *id, const char *server_id);
void fake_cinder_detach (FakeCloud *cloud, const char *id);
void fake_cinder_delete (FakeCloud *cloud, const char *id);

G_END_DECLS
