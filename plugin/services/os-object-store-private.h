/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/memo.h"
#include "services/os-object-store.h"

G_BEGIN_DECLS

struct _OsObjectStore
{
  GObject parent;

  OsClient *client; /* (owned) */
  WkMemo   *info;   /* (owned) OsObjectStoreInfo, under "" */
  gboolean  refuses_bulk; /* it did not delete many objects at once: they go one by one */
};

WkMemo    *os_object_store_new_info_memo (OsObjectStore *self);

G_END_DECLS
