/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-address.h"
#include "values/welkin-hardware.h"
#include "values/welkin-port-range.h"
#include "values/welkin-surroundings.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_INSTANCE (welkin_instance_get_type ())

typedef enum
{
  WELKIN_INSTANCE_UNKNOWN,
  WELKIN_INSTANCE_PENDING,
  WELKIN_INSTANCE_RUNNING,
  WELKIN_INSTANCE_REBOOTING,
  WELKIN_INSTANCE_STOPPING,
  WELKIN_INSTANCE_STOPPED,
  WELKIN_INSTANCE_TERMINATED,
  WELKIN_INSTANCE_FAILED,
} WelkinInstanceState;

/* A machine as the cloud knows it. What it tells is as of its last refresh. */
WELKIN_AVAILABLE_IN_0_1
G_DECLARE_INTERFACE (WelkinInstance, welkin_instance, WELKIN, INSTANCE, GObject)

struct _WelkinInstanceInterface
{
  GTypeInterface parent;

  const char          *(*get_id)             (WelkinInstance       *self);
  WelkinInstanceState  (*get_state)          (WelkinInstance       *self);
  const char          *(*get_status)         (WelkinInstance       *self);
  const char          *(*get_status_message) (WelkinInstance       *self);
  const char          *(*get_machine_id)     (WelkinInstance       *self);
  GPtrArray           *(*get_addresses)      (WelkinInstance       *self);
  WelkinHardware      *(*get_hardware)       (WelkinInstance       *self);

  void       (*refresh_async)      (WelkinInstance       *self,
                                    GCancellable         *cancellable,
                                    GAsyncReadyCallback   callback,
                                    gpointer              user_data);
  gboolean   (*refresh_finish)     (WelkinInstance       *self,
                                    GAsyncResult         *result,
                                    GError              **error);

  void       (*open_ports_async)   (WelkinInstance       *self,
                                    GPtrArray            *ranges,
                                    GCancellable         *cancellable,
                                    GAsyncReadyCallback   callback,
                                    gpointer              user_data);
  gboolean   (*open_ports_finish)  (WelkinInstance       *self,
                                    GAsyncResult         *result,
                                    GError              **error);
  void       (*close_ports_async)  (WelkinInstance       *self,
                                    GPtrArray            *ranges,
                                    GCancellable         *cancellable,
                                    GAsyncReadyCallback   callback,
                                    gpointer              user_data);
  gboolean   (*close_ports_finish) (WelkinInstance       *self,
                                    GAsyncResult         *result,
                                    GError              **error);
  void       (*list_ports_async)   (WelkinInstance       *self,
                                    GCancellable         *cancellable,
                                    GAsyncReadyCallback   callback,
                                    gpointer              user_data);
  GPtrArray *(*list_ports_finish)  (WelkinInstance       *self,
                                    GAsyncResult         *result,
                                    GError              **error);

  const char *(*get_start_id)      (WelkinInstance       *self);

  gboolean    (*prefers_ipv6)      (WelkinInstance       *self);

  gpointer reserved[6];
};

WELKIN_AVAILABLE_IN_0_1
const char         *welkin_instance_get_id             (WelkinInstance       *self);
WELKIN_AVAILABLE_IN_0_1
WelkinInstanceState welkin_instance_get_state          (WelkinInstance       *self);
/* The cloud's own word, as in "ACTIVE". */
WELKIN_AVAILABLE_IN_0_1
const char         *welkin_instance_get_status         (WelkinInstance       *self);
/* Why, when it failed; NULL otherwise. */
WELKIN_AVAILABLE_IN_0_1
const char         *welkin_instance_get_status_message (WelkinInstance       *self);
/* Which machine of the environment it was started for; NULL when that is not known. */
WELKIN_AVAILABLE_IN_0_1
const char         *welkin_instance_get_machine_id     (WelkinInstance       *self);
/* The start that made it, as in the StartParams of that time; NULL when that is not known. */
WELKIN_AVAILABLE_IN_0_1
const char         *welkin_instance_get_start_id       (WelkinInstance       *self);
/* (element-type WelkinAddress) (transfer none): never NULL */
WELKIN_AVAILABLE_IN_0_1
GPtrArray          *welkin_instance_get_addresses      (WelkinInstance       *self);
/* The one of them to reach it by from outside of its cloud. (transfer none) (nullable) */
WELKIN_AVAILABLE_IN_0_1
WelkinAddress      *welkin_instance_select_address     (WelkinInstance       *self);
/* (transfer none) (nullable) */
WELKIN_AVAILABLE_IN_0_1
WelkinHardware     *welkin_instance_get_hardware       (WelkinInstance       *self);
/* The name or address to reach it by: WELKIN_ERROR_NO_ADDRESS_YET when it has none. (transfer
 * full) */
WELKIN_AVAILABLE_IN_0_1
char               *welkin_instance_get_dns_name       (WelkinInstance       *self,
                                                        GError              **error);
WELKIN_AVAILABLE_IN_0_1
void                welkin_instance_refresh_async      (WelkinInstance       *self,
                                                        GCancellable         *cancellable,
                                                        GAsyncReadyCallback   callback,
                                                        gpointer              user_data);
WELKIN_AVAILABLE_IN_0_1
gboolean            welkin_instance_refresh_finish     (WelkinInstance       *self,
                                                        GAsyncResult         *result,
                                                        GError              **error);
/* The name or address to reach it by, as soon as it has one. (transfer full) */
WELKIN_AVAILABLE_IN_0_1
void                welkin_instance_wait_dns_name_async  (WelkinInstance      *self,
                                                          WelkinSurroundings  *surroundings,
                                                          GCancellable        *cancellable,
                                                          GAsyncReadyCallback  callback,
                                                          gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
char               *welkin_instance_wait_dns_name_finish (WelkinInstance      *self,
                                                          GAsyncResult        *result,
                                                          GError             **error);
/* ranges: (element-type WelkinPortRange) */
WELKIN_AVAILABLE_IN_0_1
void                welkin_instance_open_ports_async   (WelkinInstance       *self,
                                                        GPtrArray            *ranges,
                                                        GCancellable         *cancellable,
                                                        GAsyncReadyCallback   callback,
                                                        gpointer              user_data);
WELKIN_AVAILABLE_IN_0_1
gboolean            welkin_instance_open_ports_finish  (WelkinInstance       *self,
                                                        GAsyncResult         *result,
                                                        GError              **error);
WELKIN_AVAILABLE_IN_0_1
void                welkin_instance_close_ports_async  (WelkinInstance       *self,
                                                        GPtrArray            *ranges,
                                                        GCancellable         *cancellable,
                                                        GAsyncReadyCallback   callback,
                                                        gpointer              user_data);
WELKIN_AVAILABLE_IN_0_1
gboolean            welkin_instance_close_ports_finish (WelkinInstance       *self,
                                                        GAsyncResult         *result,
                                                        GError              **error);
WELKIN_AVAILABLE_IN_0_1
void                welkin_instance_list_ports_async   (WelkinInstance       *self,
                                                        GCancellable         *cancellable,
                                                        GAsyncReadyCallback   callback,
                                                        gpointer              user_data);
WELKIN_AVAILABLE_IN_0_1
GPtrArray          *welkin_instance_list_ports_finish  (WelkinInstance       *self,
                                                        GAsyncResult         *result,
                                                        GError              **error);

G_END_DECLS
