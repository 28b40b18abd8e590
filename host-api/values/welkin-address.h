/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-types.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_ADDRESS (welkin_address_get_type ())

/* An address of a machine: immutable, refcounted. */
typedef struct _WelkinAddress WelkinAddress;

typedef enum
{
  WELKIN_ADDRESS_HOSTNAME,
  WELKIN_ADDRESS_IPV4,
  WELKIN_ADDRESS_IPV6,
} WelkinAddressKind;

typedef enum
{
  WELKIN_SCOPE_UNKNOWN,
  WELKIN_SCOPE_PUBLIC,
  WELKIN_SCOPE_LOCAL_CLOUD,
  WELKIN_SCOPE_LOCAL_MACHINE,
  WELKIN_SCOPE_LINK_LOCAL,
} WelkinScope;

WELKIN_AVAILABLE_IN_0_1
GType             welkin_address_get_type    (void) G_GNUC_CONST;
/* scope UNKNOWN: derived from the value; network: nullable */
WELKIN_AVAILABLE_IN_0_1
WelkinAddress    *welkin_address_new         (const char    *value,
                                              WelkinScope    scope,
                                              const char    *network);
WELKIN_AVAILABLE_IN_0_1
WelkinAddress    *welkin_address_ref         (WelkinAddress *self);
WELKIN_AVAILABLE_IN_0_1
void              welkin_address_unref       (WelkinAddress *self);
WELKIN_AVAILABLE_IN_0_1
gboolean          welkin_address_equal       (WelkinAddress *self,
                                              WelkinAddress *other);
WELKIN_AVAILABLE_IN_0_1
const char       *welkin_address_get_value   (WelkinAddress *self);
WELKIN_AVAILABLE_IN_0_1
WelkinAddressKind welkin_address_get_kind    (WelkinAddress *self);
WELKIN_AVAILABLE_IN_0_1
WelkinScope       welkin_address_get_scope   (WelkinAddress *self);
WELKIN_AVAILABLE_IN_0_1
const char       *welkin_address_get_network (WelkinAddress *self);
/* The order in which to show them to people. */
WELKIN_AVAILABLE_IN_0_1
int               welkin_address_compare     (WelkinAddress *self,
                                              WelkinAddress *other);
/* "SCOPE:VALUE(NETWORK)" (transfer full) */
WELKIN_AVAILABLE_IN_0_1
char             *welkin_address_to_string   (WelkinAddress *self);
/* "VALUE:PORT", with brackets around IPv6 (transfer full) */
WELKIN_AVAILABLE_IN_0_1
char             *welkin_address_to_host_port (WelkinAddress *self,
                                              guint16        port);
/* The one to reach the machine by from outside, or from inside its cloud; NULL if none will do.
 * addresses: (element-type WelkinAddress); (transfer none) */
WELKIN_AVAILABLE_IN_0_1
WelkinAddress    *welkin_address_select_public   (GPtrArray *addresses);
WELKIN_AVAILABLE_IN_0_1
WelkinAddress    *welkin_address_select_public_of_kind (GPtrArray        *addresses,
                                                        WelkinAddressKind preferred);
WELKIN_AVAILABLE_IN_0_1
WelkinAddress    *welkin_address_select_internal (GPtrArray *addresses,
                                                  gboolean   machine_local);
/* An IP address is itself; a name is every answer of the resolver, and the name behind them. */
WELKIN_AVAILABLE_IN_0_1
void              welkin_address_lookup_async  (const char         *name,
                                                GCancellable       *cancellable,
                                                GAsyncReadyCallback callback,
                                                gpointer            user_data);
/* (element-type WelkinAddress) (transfer full) */
WELKIN_AVAILABLE_IN_0_1
GPtrArray        *welkin_address_lookup_finish (GAsyncResult       *result,
                                                GError            **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinAddress, welkin_address_unref)

G_END_DECLS
