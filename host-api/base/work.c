/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/work.h"

typedef struct
{
  WkWork         work;
  gpointer       data;      /* (owned) when there is free_data */
  GDestroyNotify free_data; /* (nullable) */
} Job;

static void
job_free (gpointer user_data)
{
  Job *self = user_data;

  if (self->free_data != NULL)
    self->free_data (self->data);
  g_free (self);
}

static void
work_in_thread (GTask        *task,
                gpointer      source,
                gpointer      task_data,
                GCancellable *cancellable)
{
  const Job *job = task_data;
  GError *error = NULL;

  if (job->work (job->data, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
wk_work_async (WkWork              work,
               gpointer            data,
               GDestroyNotify      free_data,
               GCancellable       *cancellable,
               GAsyncReadyCallback callback,
               gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  job->work = work;
  job->data = data;
  job->free_data = free_data;
  g_task_set_source_tag (task, wk_work_async);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, work_in_thread);
}

gboolean
wk_work_finish (GAsyncResult *result,
                GError      **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, wk_work_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
