/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-environ.h"
#include "contracts/welkin-intents.h"
#include "values/welkin-constraints-validator.h"
#include "values/welkin-leftover.h"

G_BEGIN_DECLS

/*
 * What an environ may offer beside the contract: interfaces that its type implements or not.
 * Whoever wants one asks with WELKIN_IS_…(), or calls and gets WELKIN_ERROR_NOT_SUPPORTED.
 */

#define WELKIN_TYPE_REGIONAL (welkin_regional_get_type ())
WELKIN_AVAILABLE_IN_0_1
G_DECLARE_INTERFACE (WelkinRegional, welkin_regional, WELKIN, REGIONAL, GObject)

struct _WelkinRegionalInterface
{
  GTypeInterface parent;

  char *(*get_region)   (WelkinRegional *self);
  char *(*get_endpoint) (WelkinRegional *self);

  gpointer reserved[4];
};

/* The region and the identity URL that image metadata is looked up under. (transfer full)
 * (nullable) */
WELKIN_AVAILABLE_IN_0_1
char *welkin_regional_get_region   (WelkinRegional *self);
WELKIN_AVAILABLE_IN_0_1
char *welkin_regional_get_endpoint (WelkinRegional *self);

#define WELKIN_TYPE_ZONED (welkin_zoned_get_type ())
WELKIN_AVAILABLE_IN_0_1
G_DECLARE_INTERFACE (WelkinZoned, welkin_zoned, WELKIN, ZONED, GObject)

struct _WelkinZonedInterface
{
  GTypeInterface parent;

  void   (*list_zones_async)  (WelkinZoned         *self,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data);
  char **(*list_zones_finish) (WelkinZoned         *self,
                               GAsyncResult        *result,
                               GError             **error);

  gpointer reserved[4];
};

/* The zones in which a machine can be started now, sorted. */
WELKIN_AVAILABLE_IN_0_1
void   welkin_zoned_list_zones_async  (WelkinZoned         *self,
                                       GCancellable        *cancellable,
                                       GAsyncReadyCallback  callback,
                                       gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
char **welkin_zoned_list_zones_finish (WelkinZoned         *self,
                                       GAsyncResult        *result,
                                       GError             **error);

#define WELKIN_TYPE_IMAGE_SOURCES (welkin_image_sources_get_type ())
WELKIN_AVAILABLE_IN_0_1
G_DECLARE_INTERFACE (WelkinImageSources, welkin_image_sources, WELKIN, IMAGE_SOURCES, GObject)

struct _WelkinImageSourcesInterface
{
  GTypeInterface parent;

  void       (*get_async)  (WelkinImageSources  *self,
                            GCancellable        *cancellable,
                            GAsyncReadyCallback  callback,
                            gpointer             user_data);
  GPtrArray *(*get_finish) (WelkinImageSources  *self,
                            GAsyncResult        *result,
                            GError             **error);

  gpointer reserved[4];
};

/* Where the cloud itself keeps image metadata. (element-type WelkinDataSource) (transfer
 * container) */
WELKIN_AVAILABLE_IN_0_1
void       welkin_image_sources_get_async  (WelkinImageSources  *self,
                                            GCancellable        *cancellable,
                                            GAsyncReadyCallback  callback,
                                            gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
GPtrArray *welkin_image_sources_get_finish (WelkinImageSources  *self,
                                            GAsyncResult        *result,
                                            GError             **error);

#define WELKIN_TYPE_TOOLS_SOURCES (welkin_tools_sources_get_type ())
WELKIN_AVAILABLE_IN_0_1
G_DECLARE_INTERFACE (WelkinToolsSources, welkin_tools_sources, WELKIN, TOOLS_SOURCES, GObject)

struct _WelkinToolsSourcesInterface
{
  GTypeInterface parent;

  void       (*get_async)  (WelkinToolsSources  *self,
                            GCancellable        *cancellable,
                            GAsyncReadyCallback  callback,
                            gpointer             user_data);
  GPtrArray *(*get_finish) (WelkinToolsSources  *self,
                            GAsyncResult        *result,
                            GError             **error);

  gpointer reserved[4];
};

/* Where the cloud itself keeps agent binaries. (element-type WelkinDataSource) (transfer
 * container) */
WELKIN_AVAILABLE_IN_0_1
void       welkin_tools_sources_get_async  (WelkinToolsSources  *self,
                                            GCancellable        *cancellable,
                                            GAsyncReadyCallback  callback,
                                            gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
GPtrArray *welkin_tools_sources_get_finish (WelkinToolsSources  *self,
                                            GAsyncResult        *result,
                                            GError             **error);

#define WELKIN_TYPE_PRECHECKER (welkin_prechecker_get_type ())
WELKIN_AVAILABLE_IN_0_1
G_DECLARE_INTERFACE (WelkinPrechecker, welkin_prechecker, WELKIN, PRECHECKER, GObject)

struct _WelkinPrecheckerInterface
{
  GTypeInterface parent;

  void     (*precheck_async)  (WelkinPrechecker    *self,
                               const char          *series,
                               WelkinConstraints   *constraints,
                               const char          *placement,
                               GPtrArray           *images,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data);
  gboolean (*precheck_finish) (WelkinPrechecker    *self,
                               GAsyncResult        *result,
                               GError             **error);

  gpointer reserved[4];
};

/* Whether such a machine could be asked for; success proves nothing. images: as in
 * WelkinStartParams */
WELKIN_AVAILABLE_IN_0_1
void     welkin_prechecker_precheck_async  (WelkinPrechecker    *self,
                                            const char          *series,
                                            WelkinConstraints   *constraints,
                                            const char          *placement,
                                            GPtrArray           *images,
                                            GCancellable        *cancellable,
                                            GAsyncReadyCallback  callback,
                                            gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
gboolean welkin_prechecker_precheck_finish (WelkinPrechecker    *self,
                                            GAsyncResult        *result,
                                            GError             **error);

#define WELKIN_TYPE_CONSTRAINED (welkin_constrained_get_type ())
WELKIN_AVAILABLE_IN_0_1
G_DECLARE_INTERFACE (WelkinConstrained, welkin_constrained, WELKIN, CONSTRAINED, GObject)

struct _WelkinConstrainedInterface
{
  GTypeInterface parent;

  void                        (*load_validator_async)  (WelkinConstrained   *self,
                                                        const char          *series,
                                                        GPtrArray           *images,
                                                        GCancellable        *cancellable,
                                                        GAsyncReadyCallback  callback,
                                                        gpointer             user_data);
  WelkinConstraintsValidator *(*load_validator_finish) (WelkinConstrained   *self,
                                                        GAsyncResult        *result,
                                                        GError             **error);

  gpointer reserved[4];
};

/* What the cloud can make of constraints. series: (nullable): what the machines run; NULL: their
 * image is given, so that none limits their architecture. images: (element-type WelkinImage)
 * (nullable): what metadata name for it. (transfer full) */
WELKIN_AVAILABLE_IN_0_1
void                        welkin_constrained_load_validator_async  (
                              WelkinConstrained   *self,
                              const char          *series,
                              GPtrArray           *images,
                              GCancellable        *cancellable,
                              GAsyncReadyCallback  callback,
                              gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
WelkinConstraintsValidator *welkin_constrained_load_validator_finish (
                              WelkinConstrained   *self,
                              GAsyncResult        *result,
                              GError             **error);

#define WELKIN_TYPE_MAINTAINER (welkin_maintainer_get_type ())
WELKIN_AVAILABLE_IN_0_1
G_DECLARE_INTERFACE (WelkinMaintainer, welkin_maintainer, WELKIN, MAINTAINER, GObject)

struct _WelkinMaintainerInterface
{
  GTypeInterface parent;

  void     (*maintain_async)  (WelkinMaintainer    *self,
                               const char          *machine_id,
                               WelkinInstance      *instance,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data);
  gboolean (*maintain_finish) (WelkinMaintainer    *self,
                               GAsyncResult        *result,
                               GError             **error);
  void     (*complete_async)  (WelkinMaintainer    *self,
                               WelkinStartParams   *params,
                               WelkinInstance      *instance,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data);
  gboolean (*complete_finish) (WelkinMaintainer    *self,
                               GAsyncResult        *result,
                               GError             **error);

  gpointer reserved[2];
};

/* Upkeep of a machine that has been started: cheap, and may be repeated. */
WELKIN_AVAILABLE_IN_0_1
void     welkin_maintainer_maintain_async  (WelkinMaintainer    *self,
                                            const char          *machine_id,
                                            WelkinInstance      *instance,
                                            GCancellable        *cancellable,
                                            GAsyncReadyCallback  callback,
                                            gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
gboolean welkin_maintainer_maintain_finish (WelkinMaintainer    *self,
                                            GAsyncResult        *result,
                                            GError             **error);
/* What a start that was cut off has not done yet to its instance, which runs; may be repeated. */
WELKIN_AVAILABLE_IN_0_1
void     welkin_maintainer_complete_async  (WelkinMaintainer    *self,
                                            WelkinStartParams   *params,
                                            WelkinInstance      *instance,
                                            GCancellable        *cancellable,
                                            GAsyncReadyCallback  callback,
                                            gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
gboolean welkin_maintainer_complete_finish (WelkinMaintainer    *self,
                                            GAsyncResult        *result,
                                            GError             **error);

#define WELKIN_TYPE_RECONCILER (welkin_reconciler_get_type ())
WELKIN_AVAILABLE_IN_0_1
G_DECLARE_INTERFACE (WelkinReconciler, welkin_reconciler, WELKIN, RECONCILER, GObject)

struct _WelkinReconcilerInterface
{
  GTypeInterface parent;

  void       (*list_leftovers_async)   (WelkinReconciler    *self,
                                        const char * const  *live_start_ids,
                                        GCancellable        *cancellable,
                                        GAsyncReadyCallback  callback,
                                        gpointer             user_data);
  GPtrArray *(*list_leftovers_finish)  (WelkinReconciler    *self,
                                        GAsyncResult        *result,
                                        GError             **error);
  void       (*remove_leftover_async)  (WelkinReconciler    *self,
                                        WelkinLeftover      *leftover,
                                        GCancellable        *cancellable,
                                        GAsyncReadyCallback  callback,
                                        gpointer             user_data);
  gboolean   (*remove_leftover_finish) (WelkinReconciler    *self,
                                        GAsyncResult        *result,
                                        GError             **error);
  void       (*set_intents)            (WelkinReconciler    *self,
                                        WelkinIntents       *intents);

  gpointer reserved[3];
};

/* What carries the environment's mark and belongs to none of these starts, and what looks like it
 * without a mark. (element-type WelkinLeftover) (transfer container) */
WELKIN_AVAILABLE_IN_0_1
void       welkin_reconciler_list_leftovers_async   (WelkinReconciler    *self,
                                                     const char * const  *live_start_ids,
                                                     GCancellable        *cancellable,
                                                     GAsyncReadyCallback  callback,
                                                     gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
GPtrArray *welkin_reconciler_list_leftovers_finish  (WelkinReconciler    *self,
                                                     GAsyncResult        *result,
                                                     GError             **error);
/* Removes one of them, if it carries the mark. */
WELKIN_AVAILABLE_IN_0_1
void       welkin_reconciler_remove_leftover_async  (WelkinReconciler    *self,
                                                     WelkinLeftover      *leftover,
                                                     GCancellable        *cancellable,
                                                     GAsyncReadyCallback  callback,
                                                     gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
gboolean   welkin_reconciler_remove_leftover_finish (WelkinReconciler    *self,
                                                     GAsyncResult        *result,
                                                     GError             **error);
/* Where to note what can carry no mark. */
WELKIN_AVAILABLE_IN_0_1
void       welkin_reconciler_set_intents            (WelkinReconciler    *self,
                                                     WelkinIntents       *intents);

G_END_DECLS
