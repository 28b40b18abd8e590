/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-progress.h"
#include "contracts/welkin-storage.h"
#include "values/welkin-config.h"
#include "values/welkin-instances.h"
#include "values/welkin-start-params.h"
#include "values/welkin-start-result.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_ENVIRON (welkin_environ_get_type ())

/* An open environment: the machines of one name on one cloud. It belongs to the main context
 * that it was made in, and so do its storage and instances. */
WELKIN_AVAILABLE_IN_0_1
G_DECLARE_INTERFACE (WelkinEnviron, welkin_environ, WELKIN, ENVIRON, GObject)

struct _WelkinEnvironInterface
{
  GTypeInterface parent;

  WelkinConfig      *(*get_config)            (WelkinEnviron       *self);
  gboolean           (*set_config)            (WelkinEnviron       *self,
                                               WelkinConfig        *config,
                                               GError             **error);
  WelkinStorage     *(*get_storage)           (WelkinEnviron       *self);

  void               (*verify_async)          (WelkinEnviron       *self,
                                               WelkinProgress      *progress,
                                               GCancellable        *cancellable,
                                               GAsyncReadyCallback  callback,
                                               gpointer             user_data);
  gboolean           (*verify_finish)         (WelkinEnviron       *self,
                                               GAsyncResult        *result,
                                               GError             **error);
  void               (*start_instance_async)  (WelkinEnviron       *self,
                                               WelkinStartParams   *params,
                                               WelkinProgress      *progress,
                                               GCancellable        *cancellable,
                                               GAsyncReadyCallback  callback,
                                               gpointer             user_data);
  WelkinStartResult *(*start_instance_finish) (WelkinEnviron       *self,
                                               GAsyncResult        *result,
                                               GError             **error);
  void               (*stop_instances_async)  (WelkinEnviron       *self,
                                               const char * const  *ids,
                                               WelkinProgress      *progress,
                                               GCancellable        *cancellable,
                                               GAsyncReadyCallback  callback,
                                               gpointer             user_data);
  gboolean           (*stop_instances_finish) (WelkinEnviron       *self,
                                               GAsyncResult        *result,
                                               GError             **error);
  void               (*find_instances_async)  (WelkinEnviron       *self,
                                               const char * const  *ids,
                                               GCancellable        *cancellable,
                                               GAsyncReadyCallback  callback,
                                               gpointer             user_data);
  WelkinInstances   *(*find_instances_finish) (WelkinEnviron       *self,
                                               GAsyncResult        *result,
                                               GError             **error);
  void               (*list_instances_async)  (WelkinEnviron       *self,
                                               GCancellable        *cancellable,
                                               GAsyncReadyCallback  callback,
                                               gpointer             user_data);
  GPtrArray         *(*list_instances_finish) (WelkinEnviron       *self,
                                               GAsyncResult        *result,
                                               GError             **error);
  void               (*destroy_async)         (WelkinEnviron       *self,
                                               WelkinProgress      *progress,
                                               GCancellable        *cancellable,
                                               GAsyncReadyCallback  callback,
                                               gpointer             user_data);
  gboolean           (*destroy_finish)        (WelkinEnviron       *self,
                                               GAsyncResult        *result,
                                               GError             **error);

  void               (*open_ports_async)      (WelkinEnviron       *self,
                                               GPtrArray           *ranges,
                                               GCancellable        *cancellable,
                                               GAsyncReadyCallback  callback,
                                               gpointer             user_data);
  gboolean           (*open_ports_finish)     (WelkinEnviron       *self,
                                               GAsyncResult        *result,
                                               GError             **error);
  void               (*close_ports_async)     (WelkinEnviron       *self,
                                               GPtrArray           *ranges,
                                               GCancellable        *cancellable,
                                               GAsyncReadyCallback  callback,
                                               gpointer             user_data);
  gboolean           (*close_ports_finish)    (WelkinEnviron       *self,
                                               GAsyncResult        *result,
                                               GError             **error);
  void               (*list_ports_async)      (WelkinEnviron       *self,
                                               GCancellable        *cancellable,
                                               GAsyncReadyCallback  callback,
                                               gpointer             user_data);
  GPtrArray         *(*list_ports_finish)     (WelkinEnviron       *self,
                                               GAsyncResult        *result,
                                               GError             **error);

  gpointer reserved[16];
};

/* The name in its config. */
WELKIN_AVAILABLE_IN_0_1
const char        *welkin_environ_get_name              (WelkinEnviron       *self);
/* (transfer none) */
WELKIN_AVAILABLE_IN_0_1
WelkinConfig      *welkin_environ_get_config            (WelkinEnviron       *self);
/* What was handed out before, and what runs, keeps the old one. */
WELKIN_AVAILABLE_IN_0_1
gboolean           welkin_environ_set_config            (WelkinEnviron       *self,
                                                         WelkinConfig        *config,
                                                         GError             **error);
/* (transfer full) */
WELKIN_AVAILABLE_IN_0_1
WelkinStorage     *welkin_environ_get_storage           (WelkinEnviron       *self);
/* Logs in and looks whether all that a start needs is there; makes nothing. */
WELKIN_AVAILABLE_IN_0_1
void               welkin_environ_verify_async          (WelkinEnviron       *self,
                                                         WelkinProgress      *progress,
                                                         GCancellable        *cancellable,
                                                         GAsyncReadyCallback  callback,
                                                         gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
gboolean           welkin_environ_verify_finish         (WelkinEnviron       *self,
                                                         GAsyncResult        *result,
                                                         GError             **error);
/* Returns when the machine runs; on any failure nothing that it made is left. */
WELKIN_AVAILABLE_IN_0_1
void               welkin_environ_start_instance_async  (WelkinEnviron       *self,
                                                         WelkinStartParams   *params,
                                                         WelkinProgress      *progress,
                                                         GCancellable        *cancellable,
                                                         GAsyncReadyCallback  callback,
                                                         gpointer             user_data);
/* (transfer full) */
WELKIN_AVAILABLE_IN_0_1
WelkinStartResult *welkin_environ_start_instance_finish (WelkinEnviron       *self,
                                                         GAsyncResult        *result,
                                                         GError             **error);
/* Ids that are not there are no error; all are tried before the first failure is returned. */
WELKIN_AVAILABLE_IN_0_1
void               welkin_environ_stop_instances_async  (WelkinEnviron       *self,
                                                         const char * const  *ids,
                                                         WelkinProgress      *progress,
                                                         GCancellable        *cancellable,
                                                         GAsyncReadyCallback  callback,
                                                         gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
gboolean           welkin_environ_stop_instances_finish (WelkinEnviron       *self,
                                                         GAsyncResult        *result,
                                                         GError             **error);
/* An error only when the question itself failed. */
WELKIN_AVAILABLE_IN_0_1
void               welkin_environ_find_instances_async  (WelkinEnviron       *self,
                                                         const char * const  *ids,
                                                         GCancellable        *cancellable,
                                                         GAsyncReadyCallback  callback,
                                                         gpointer             user_data);
/* (transfer full) */
WELKIN_AVAILABLE_IN_0_1
WelkinInstances   *welkin_environ_find_instances_finish (WelkinEnviron       *self,
                                                         GAsyncResult        *result,
                                                         GError             **error);
/* Every instance of the environment that is not gone, whatever its state, oldest first. */
WELKIN_AVAILABLE_IN_0_1
void               welkin_environ_list_instances_async  (WelkinEnviron       *self,
                                                         GCancellable        *cancellable,
                                                         GAsyncReadyCallback  callback,
                                                         gpointer             user_data);
/* (element-type WelkinInstance) (transfer container) */
WELKIN_AVAILABLE_IN_0_1
GPtrArray         *welkin_environ_list_instances_finish (WelkinEnviron       *self,
                                                         GAsyncResult        *result,
                                                         GError             **error);
/* Removes all that is the environment's, machines first, its storage last; may be repeated. */
WELKIN_AVAILABLE_IN_0_1
void               welkin_environ_destroy_async         (WelkinEnviron       *self,
                                                         WelkinProgress      *progress,
                                                         GCancellable        *cancellable,
                                                         GAsyncReadyCallback  callback,
                                                         gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
gboolean           welkin_environ_destroy_finish        (WelkinEnviron       *self,
                                                         GAsyncResult        *result,
                                                         GError             **error);
/* Ports of the whole environment, where firewall-mode is "global". ranges: (element-type
 * WelkinPortRange) */
WELKIN_AVAILABLE_IN_0_1
void               welkin_environ_open_ports_async      (WelkinEnviron       *self,
                                                         GPtrArray           *ranges,
                                                         GCancellable        *cancellable,
                                                         GAsyncReadyCallback  callback,
                                                         gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
gboolean           welkin_environ_open_ports_finish     (WelkinEnviron       *self,
                                                         GAsyncResult        *result,
                                                         GError             **error);
WELKIN_AVAILABLE_IN_0_1
void               welkin_environ_close_ports_async     (WelkinEnviron       *self,
                                                         GPtrArray           *ranges,
                                                         GCancellable        *cancellable,
                                                         GAsyncReadyCallback  callback,
                                                         gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
gboolean           welkin_environ_close_ports_finish    (WelkinEnviron       *self,
                                                         GAsyncResult        *result,
                                                         GError             **error);
WELKIN_AVAILABLE_IN_0_1
void               welkin_environ_list_ports_async      (WelkinEnviron       *self,
                                                         GCancellable        *cancellable,
                                                         GAsyncReadyCallback  callback,
                                                         gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
GPtrArray         *welkin_environ_list_ports_finish     (WelkinEnviron       *self,
                                                         GAsyncResult        *result,
                                                         GError             **error);

G_END_DECLS
