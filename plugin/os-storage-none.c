/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "os-storage-none.h"

struct _OsStorageNone
{
  GObject parent;
};

/* A call that is not implemented is refused by the contract itself. */
static void
os_storage_none_storage_init (WelkinStorageInterface *iface)
{
}

G_DEFINE_FINAL_TYPE_WITH_CODE (OsStorageNone, os_storage_none, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_STORAGE,
                                                      os_storage_none_storage_init))

WelkinStorage *
os_storage_none_new (void)
{
  return g_object_new (OS_TYPE_STORAGE_NONE, NULL);
}

static void
os_storage_none_class_init (OsStorageNoneClass *class)
{
}

static void
os_storage_none_init (OsStorageNone *self)
{
}
