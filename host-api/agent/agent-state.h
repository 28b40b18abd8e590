/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "machine/agent-records.h"

G_BEGIN_DECLS

/*
 * What the first machine knows: of which environment it is, and what machines have reported. It
 * is kept in one file, which is replaced as a whole.
 */
typedef struct _AgentState AgentState;

/* A file that is not there makes an empty state, and so does one that cannot be read, which is put
 * aside: machines report again. */
AgentState                    *agent_state_load            (const char          *data_directory,
                                                            GError             **error);
void                           agent_state_free            (AgentState          *self);

/* Never NULL; its fields are, until they are known. */
const WelkinAgentEnvironment  *agent_state_get_environment (AgentState          *self);
void                           agent_state_set_environment (AgentState          *self,
                                                            const char          *name,
                                                            const char          *type,
                                                            const char          *uuid);
/* (nullable) */
const WelkinAgentMachine      *agent_state_get_machine     (AgentState          *self,
                                                            const char          *id);
/* (element-type WelkinAgentMachine) (transfer container) sorted by id */
GPtrArray                     *agent_state_list_machines   (AgentState          *self);
void                           agent_state_take_report     (AgentState          *self,
                                                            const char          *id,
                                                            const char          *status,
                                                            const char          *version);

gboolean                       agent_state_save            (AgentState          *self,
                                                            GError             **error);
/* Done when all that was known at the call is in the file: many calls at once share one write.
 * The state must outlive it. */
void                           agent_state_save_async      (AgentState          *self,
                                                            GAsyncReadyCallback  callback,
                                                            gpointer             user_data);
gboolean                       agent_state_save_finish     (AgentState          *self,
                                                            GAsyncResult        *result,
                                                            GError             **error);
gboolean                       agent_state_is_saving       (AgentState          *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AgentState, agent_state_free)

G_END_DECLS
