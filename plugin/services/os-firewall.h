/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/clock.h"
#include "model/os-security-group.h"

G_BEGIN_DECLS

#define OS_TYPE_FIREWALL (os_firewall_get_type ())

/*
 * Security groups and their rules, whichever service of the cloud has them. Groups are those of
 * our own project, whoever we are. To delete what is not there is a success.
 *
 * Where something is made, WELKIN_ERROR_UNAVAILABLE and _TIMED_OUT mean that it may have been made
 * all the same.
 */
G_DECLARE_INTERFACE (OsFirewall, os_firewall, OS, FIREWALL, GObject)

struct _OsFirewallInterface
{
  GTypeInterface parent;

  gboolean           has_ipv6;

  WkClock         *(*get_clock)                 (OsFirewall           *self);
  const char      *(*get_group_name)            (OsFirewall           *self,
                                                 const char           *id);
  void             (*list_groups_async)         (OsFirewall           *self,
                                                 const char * const   *query,
                                                 GCancellable         *cancellable,
                                                 GAsyncReadyCallback   callback,
                                                 gpointer              user_data);
  GPtrArray       *(*list_groups_finish)        (OsFirewall           *self,
                                                 GAsyncResult         *result,
                                                 GError              **error);
  void             (*list_server_groups_async)  (OsFirewall           *self,
                                                 const char           *server_id,
                                                 GCancellable         *cancellable,
                                                 GAsyncReadyCallback   callback,
                                                 gpointer              user_data);
  GPtrArray       *(*list_server_groups_finish) (OsFirewall           *self,
                                                 GAsyncResult         *result,
                                                 gboolean             *is_guarded,
                                                 GError              **error);
  void             (*list_users_async)          (OsFirewall           *self,
                                                 const char           *group_id,
                                                 GCancellable         *cancellable,
                                                 GAsyncReadyCallback   callback,
                                                 gpointer              user_data);
  char           **(*list_users_finish)         (OsFirewall           *self,
                                                 GAsyncResult         *result,
                                                 GError              **error);
  void             (*create_group_async)        (OsFirewall           *self,
                                                 const char           *name,
                                                 const char           *description,
                                                 GCancellable         *cancellable,
                                                 GAsyncReadyCallback   callback,
                                                 gpointer              user_data);
  OsSecurityGroup *(*create_group_finish)       (OsFirewall           *self,
                                                 GAsyncResult         *result,
                                                 GError              **error);
  void             (*delete_group_async)        (OsFirewall           *self,
                                                 const char           *id,
                                                 GCancellable         *cancellable,
                                                 GAsyncReadyCallback   callback,
                                                 gpointer              user_data);
  gboolean         (*delete_group_finish)       (OsFirewall           *self,
                                                 GAsyncResult         *result,
                                                 GError              **error);

  void             (*create_rules_async)        (OsFirewall           *self,
                                                 GPtrArray            *rules,
                                                 GCancellable         *cancellable,
                                                 GAsyncReadyCallback   callback,
                                                 gpointer              user_data);
  gboolean         (*create_rules_finish)       (OsFirewall           *self,
                                                 GAsyncResult         *result,
                                                 GError              **error);
  void             (*delete_rule_async)         (OsFirewall           *self,
                                                 const char           *id,
                                                 GCancellable         *cancellable,
                                                 GAsyncReadyCallback   callback,
                                                 gpointer              user_data);
  gboolean         (*delete_rule_finish)        (OsFirewall           *self,
                                                 GAsyncResult         *result,
                                                 GError              **error);
};

/* How time passes on this cloud. */
WkClock         *os_firewall_get_clock                 (OsFirewall           *self);
/* Whether there are rules for IPv6. */
gboolean         os_firewall_has_ipv6                  (OsFirewall           *self);
/* What nova calls the group when it is to connect a server: the group was listed or made before. */
const char      *os_firewall_get_group_name            (OsFirewall           *self,
                                                        const char           *id);

/* Groups with their rules (element-type OsSecurityGroup) (transfer full). query: (nullable) key,
 * value, …, NULL, of "id", "name" and "description": those that match one value of each key. */
void             os_firewall_list_groups_async         (OsFirewall           *self,
                                                        const char * const   *query,
                                                        GCancellable         *cancellable,
                                                        GAsyncReadyCallback   callback,
                                                        gpointer              user_data);
GPtrArray       *os_firewall_list_groups_finish        (OsFirewall           *self,
                                                        GAsyncResult         *result,
                                                        GError              **error);
/* Those that a server is in. is_guarded: whether any of them can keep packets from it; FALSE on
 * networks without port security. */
void             os_firewall_list_server_groups_async  (OsFirewall           *self,
                                                        const char           *server_id,
                                                        GCancellable         *cancellable,
                                                        GAsyncReadyCallback   callback,
                                                        gpointer              user_data);
GPtrArray       *os_firewall_list_server_groups_finish (OsFirewall           *self,
                                                        GAsyncResult         *result,
                                                        gboolean             *is_guarded,
                                                        GError              **error);
/* The ids of the ports or servers that are in a group (transfer full). */
void             os_firewall_list_users_async          (OsFirewall           *self,
                                                        const char           *group_id,
                                                        GCancellable         *cancellable,
                                                        GAsyncReadyCallback   callback,
                                                        gpointer              user_data);
char           **os_firewall_list_users_finish         (OsFirewall           *self,
                                                        GAsyncResult         *result,
                                                        GError              **error);
void             os_firewall_create_group_async        (OsFirewall           *self,
                                                        const char           *name,
                                                        const char           *description,
                                                        GCancellable         *cancellable,
                                                        GAsyncReadyCallback   callback,
                                                        gpointer              user_data);
OsSecurityGroup *os_firewall_create_group_finish       (OsFirewall           *self,
                                                        GAsyncResult         *result,
                                                        GError              **error);
/* WELKIN_ERROR_IN_USE: something is still in it. */
void             os_firewall_delete_group_async        (OsFirewall           *self,
                                                        const char           *id,
                                                        GCancellable         *cancellable,
                                                        GAsyncReadyCallback   callback,
                                                        gpointer              user_data);
gboolean         os_firewall_delete_group_finish       (OsFirewall           *self,
                                                        GAsyncResult         *result,
                                                        GError              **error);

/* rules: (element-type OsSecurityGroupRule), at least one, all of one group: all are made or none.
 * WELKIN_ERROR_ALREADY_EXISTS: one of them is there. A cloud that takes only one at a time says
 * WELKIN_ERROR_NOT_SUPPORTED to more. */
void             os_firewall_create_rules_async        (OsFirewall           *self,
                                                        GPtrArray            *rules,
                                                        GCancellable         *cancellable,
                                                        GAsyncReadyCallback   callback,
                                                        gpointer              user_data);
gboolean         os_firewall_create_rules_finish       (OsFirewall           *self,
                                                        GAsyncResult         *result,
                                                        GError              **error);
void             os_firewall_delete_rule_async         (OsFirewall           *self,
                                                        const char           *id,
                                                        GCancellable         *cancellable,
                                                        GAsyncReadyCallback   callback,
                                                        gpointer              user_data);
gboolean         os_firewall_delete_rule_finish        (OsFirewall           *self,
                                                        GAsyncResult         *result,
                                                        GError              **error);

/* For those who implement it: drops the groups that a query does not ask for. */
void             os_firewall_keep_matching             (GPtrArray            *groups,
                                                        const char * const   *query);

G_END_DECLS
