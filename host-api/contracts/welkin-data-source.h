/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-types.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_DATA_SOURCE (welkin_data_source_get_type ())

/* A place that metadata about images or tools is read from. */
WELKIN_AVAILABLE_IN_0_1
G_DECLARE_INTERFACE (WelkinDataSource, welkin_data_source, WELKIN, DATA_SOURCE, GObject)

struct _WelkinDataSourceInterface
{
  GTypeInterface parent;

  const char *(*get_description)     (WelkinDataSource    *self);
  gboolean    (*get_requires_signed) (WelkinDataSource    *self);
  char       *(*get_uri)             (WelkinDataSource    *self,
                                      const char          *path);
  void        (*fetch_async)         (WelkinDataSource    *self,
                                      const char          *path,
                                      GCancellable        *cancellable,
                                      GAsyncReadyCallback  callback,
                                      gpointer             user_data);
  GBytes     *(*fetch_finish)        (WelkinDataSource    *self,
                                      GAsyncResult        *result,
                                      GError             **error);

  void        (*open_async)          (WelkinDataSource    *self,
                                      const char          *path,
                                      GCancellable        *cancellable,
                                      GAsyncReadyCallback  callback,
                                      gpointer             user_data);
  GInputStream *(*open_finish)       (WelkinDataSource    *self,
                                      GAsyncResult        *result,
                                      GError             **error);

  gpointer reserved[2];
};

WELKIN_AVAILABLE_IN_0_1
const char *welkin_data_source_get_description     (WelkinDataSource    *self);
WELKIN_AVAILABLE_IN_0_1
gboolean    welkin_data_source_get_requires_signed (WelkinDataSource    *self);
/* Where a path is, for messages: a URL, or the path where there is none. (transfer full) */
WELKIN_AVAILABLE_IN_0_1
char       *welkin_data_source_get_uri             (WelkinDataSource    *self,
                                                    const char          *path);
WELKIN_AVAILABLE_IN_0_1
void        welkin_data_source_fetch_async         (WelkinDataSource    *self,
                                                    const char          *path,
                                                    GCancellable        *cancellable,
                                                    GAsyncReadyCallback  callback,
                                                    gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
GBytes     *welkin_data_source_fetch_finish        (WelkinDataSource    *self,
                                                    GAsyncResult        *result,
                                                    GError             **error);
/* What is too large to be read as a whole. */
WELKIN_AVAILABLE_IN_0_1
void        welkin_data_source_open_async          (WelkinDataSource    *self,
                                                    const char          *path,
                                                    GCancellable        *cancellable,
                                                    GAsyncReadyCallback  callback,
                                                    gpointer             user_data);
/* (transfer full) */
WELKIN_AVAILABLE_IN_0_1
GInputStream *welkin_data_source_open_finish       (WelkinDataSource    *self,
                                                    GAsyncResult        *result,
                                                    GError             **error);

G_END_DECLS
