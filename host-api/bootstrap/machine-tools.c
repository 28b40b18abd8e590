/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "bootstrap/machine-tools.h"

#include "base/memo.h"
#include "bootstrap/machine-key.h"
#include "metadata/welkin-tools-metadata.h"

#define GOOD_SECONDS 300.0

struct _WelkinMachineTools
{
  WelkinEnviron      *environment;  /* (owned) */
  WelkinSurroundings *surroundings; /* (owned) */
  WkMemo             *lookups;      /* (owned) of arrays of WelkinTools, by their key */
};

static const char *
get_version (WelkinMachineTools *self)
{
  return welkin_config_get_string (welkin_environ_get_config (self->environment),
                                   "agent-version");
}

static void
load_tools (gpointer            owner,
            const char         *key,
            GCancellable       *cancellable,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  WelkinMachineTools *self = owner;
  g_autofree char *series = NULL;
  g_autoptr(WelkinConstraints) constraints = welkin_machine_key_parse (key, &series);

  welkin_environ_find_tools_async (self->environment, series, constraints, get_version (self),
                                   NULL, self->surroundings, cancellable, callback, user_data);
}

static gpointer
load_tools_finish (gpointer      owner,
                   GAsyncResult *result,
                   GError      **error)
{
  WelkinMachineTools *self = owner;

  return welkin_environ_find_tools_finish (self->environment, result, error);
}

WelkinMachineTools *
welkin_machine_tools_new (WelkinEnviron      *environment,
                          WelkinSurroundings *surroundings)
{
  WelkinMachineTools *self = g_new0 (WelkinMachineTools, 1);

  self->environment = g_object_ref (environment);
  self->surroundings = welkin_surroundings_ref (surroundings);
  self->lookups = wk_memo_new (self, GOOD_SECONDS, load_tools, load_tools_finish,
                               (WkMemoCopy) g_ptr_array_ref, (GDestroyNotify) g_ptr_array_unref);
  return self;
}

void
welkin_machine_tools_free (WelkinMachineTools *self)
{
  wk_memo_close (self->lookups);
  wk_memo_unref (self->lookups);
  welkin_surroundings_unref (self->surroundings);
  g_object_unref (self->environment);
  g_free (self);
}

gboolean
welkin_machine_tools_are_wanted (WelkinMachineTools *self)
{
  return *get_version (self) != '\0';
}

void
welkin_machine_tools_find_async (WelkinMachineTools *self,
                                 const char         *series,
                                 WelkinConstraints  *constraints,
                                 GCancellable       *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer            user_data)
{
  g_autofree char *key = welkin_machine_key_new (series, constraints);

  wk_memo_get_async (self->lookups, key, cancellable, callback, user_data);
}

GPtrArray *
welkin_machine_tools_find_finish (WelkinMachineTools *self,
                                  GAsyncResult       *result,
                                  GError            **error)
{
  return wk_memo_get_finish (self->lookups, result, error);
}
