/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/memo.h"

#include <glib/gi18n-lib.h>

/* Values that live longer live for ever. */
#define MAX_SECONDS 1e9

typedef struct _MemoEntry MemoEntry;
typedef struct _MemoLoad MemoLoad;
typedef struct _MemoWaiter MemoWaiter;

struct _WkMemo
{
  grefcount        ref_count; /* each load under way holds one, too */
  gpointer         owner;
  double           seconds;
  WkMemoLoad       load;
  WkMemoLoadFinish load_finish;
  WkMemoCopy       copy;
  GDestroyNotify   free_value;

  gboolean         is_closed;
  GHashTable      *entries;   /* (owned) of MemoEntry by their keys */
  GQueue           loads;     /* of MemoLoad: all that are under way */
};

/* What is known of a key: its value, or that it is being loaded. */
struct _MemoEntry
{
  WkMemo   *memo;
  char     *key;
  gpointer  value; /* (owned) (nullable) */
  gint64    end;   /* of the value's life, on the monotonic clock */
  MemoLoad *load;  /* (nullable) */
};

/* A load that lost its entry serves those who wait for it already, and nobody else. */
struct _MemoLoad
{
  WkMemo       *memo;        /* (owned) */
  MemoEntry    *entry;       /* (nullable) where the value is going to be kept */
  GCancellable *cancellable; /* (owned) */
  GQueue        waiters;     /* of MemoWaiter */
  GList         link;        /* in the memo's loads */
};

struct _MemoWaiter
{
  MemoLoad *load;
  GTask    *task;      /* (owned) */
  GSource  *cancelled; /* (owned) (nullable) */
};

/* What is under way for the entry is not going to be kept in it. */
static void
memo_entry_detach_load (MemoEntry *entry)
{
  if (entry->load == NULL)
    return;

  entry->load->entry = NULL;
  entry->load = NULL;
}

static void
memo_entry_free (MemoEntry *entry)
{
  memo_entry_detach_load (entry);
  if (entry->value != NULL)
    entry->memo->free_value (entry->value);
  g_free (entry->key);
  g_free (entry);
}

static gboolean
memo_entry_is_fresh (MemoEntry *entry)
{
  return entry->value != NULL && g_get_monotonic_time () < entry->end;
}

/* Takes the value. */
static void
memo_entry_set_value (MemoEntry *entry,
                      gpointer   value)
{
  double seconds = entry->memo->seconds;

  if (entry->value != NULL)
    entry->memo->free_value (entry->value);
  entry->value = value;
  entry->end = G_MAXINT64;
  if (seconds >= 0.0 && seconds < MAX_SECONDS)
    entry->end = g_get_monotonic_time () + (gint64) (seconds * G_USEC_PER_SEC);
}

static MemoEntry *
memo_ensure_entry (WkMemo     *memo,
                   const char *key)
{
  MemoEntry *entry = g_hash_table_lookup (memo->entries, key);

  if (entry == NULL)
    {
      entry = g_new0 (MemoEntry, 1);
      entry->memo = memo;
      entry->key = g_strdup (key);
      g_hash_table_insert (memo->entries, entry->key, entry);
    }
  return entry;
}

static void
memo_waiter_free (MemoWaiter *waiter)
{
  if (waiter->cancelled != NULL)
    g_source_destroy (waiter->cancelled);
  g_clear_pointer (&waiter->cancelled, g_source_unref);
  g_object_unref (waiter->task);
  g_free (waiter);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemoWaiter, memo_waiter_free)

static MemoLoad *
memo_load_new (MemoEntry *entry)
{
  MemoLoad *load = g_new0 (MemoLoad, 1);

  load->memo = wk_memo_ref (entry->memo);
  load->entry = entry;
  load->cancellable = g_cancellable_new ();
  load->link.data = load;
  g_queue_init (&load->waiters);
  g_queue_push_tail_link (&load->memo->loads, &load->link);
  entry->load = load;
  return load;
}

static void
memo_load_free (MemoLoad *load)
{
  g_assert (g_queue_is_empty (&load->waiters));

  if (load->entry != NULL)
    memo_entry_detach_load (load->entry);
  g_queue_unlink (&load->memo->loads, &load->link);
  wk_memo_unref (load->memo);
  g_object_unref (load->cancellable);
  g_free (load);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemoLoad, memo_load_free)

static gboolean
waiter_cancelled_cb (GCancellable *cancellable,
                     gpointer      user_data)
{
  g_autoptr(MemoWaiter) waiter = user_data;
  MemoLoad *load = waiter->load;

  g_queue_remove (&load->waiters, waiter);
  if (g_queue_is_empty (&load->waiters))
    {
      /* Whoever asks from now on must not join a load that is about to fail. */
      if (load->entry != NULL)
        memo_entry_detach_load (load->entry);
      g_cancellable_cancel (load->cancellable);
    }
  g_task_return_error_if_cancelled (waiter->task);
  return G_SOURCE_REMOVE;
}

static void
memo_load_add_waiter (MemoLoad *load,
                      GTask    *task)
{
  GCancellable *cancellable = g_task_get_cancellable (task);
  MemoWaiter *waiter = g_new0 (MemoWaiter, 1);

  waiter->load = load;
  waiter->task = g_object_ref (task);
  if (cancellable != NULL)
    {
      waiter->cancelled = g_cancellable_source_new (cancellable);
      g_source_set_callback (waiter->cancelled, G_SOURCE_FUNC (waiter_cancelled_cb), waiter,
                             NULL);
      g_source_attach (waiter->cancelled, g_main_context_get_thread_default ());
    }
  g_queue_push_tail (&load->waiters, waiter);
}

static void
memo_load_return_value (MemoLoad *load,
                        gpointer  value)
{
  WkMemo *memo = load->memo;

  while (!g_queue_is_empty (&load->waiters))
    {
      g_autoptr(MemoWaiter) waiter = g_queue_pop_head (&load->waiters);

      g_task_return_pointer (waiter->task, memo->copy (value), memo->free_value);
    }
}

static void
memo_load_return_error (MemoLoad     *load,
                        const GError *error)
{
  while (!g_queue_is_empty (&load->waiters))
    {
      g_autoptr(MemoWaiter) waiter = g_queue_pop_head (&load->waiters);

      g_task_return_error (waiter->task, g_error_copy (error));
    }
}

static void
loaded_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr(MemoLoad) load = user_data;
  g_autoptr(GError) error = NULL;
  WkMemo *memo = load->memo;
  MemoEntry *entry = load->entry;
  gpointer value;

  if (memo->is_closed)
    return;

  /* What is known is put in order before the waiters are told: they may ask again at once. */
  value = memo->load_finish (memo->owner, result, &error);
  g_assert ((value != NULL) == (error == NULL));
  if (entry != NULL)
    memo_entry_detach_load (entry);

  if (value == NULL)
    {
      if (entry != NULL)
        g_hash_table_remove (memo->entries, entry->key);
      memo_load_return_error (load, error);
      return;
    }

  if (entry != NULL)
    memo_entry_set_value (entry, memo->copy (value));
  memo_load_return_value (load, value);
  memo->free_value (value);
}

WkMemo *
wk_memo_new (gpointer         owner,
             double           seconds,
             WkMemoLoad       load,
             WkMemoLoadFinish load_finish,
             WkMemoCopy       copy,
             GDestroyNotify   free_value)
{
  WkMemo *memo = g_new0 (WkMemo, 1);

  g_ref_count_init (&memo->ref_count);
  memo->owner = owner;
  memo->seconds = seconds;
  memo->load = load;
  memo->load_finish = load_finish;
  memo->copy = copy;
  memo->free_value = free_value;
  memo->entries = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                         (GDestroyNotify) memo_entry_free);
  g_queue_init (&memo->loads);
  return memo;
}

WkMemo *
wk_memo_ref (WkMemo *memo)
{
  g_ref_count_inc (&memo->ref_count);
  return memo;
}

void
wk_memo_unref (WkMemo *memo)
{
  if (!g_ref_count_dec (&memo->ref_count))
    return;

  g_hash_table_unref (memo->entries);
  g_free (memo);
}

static GError *
closed_error_new (void)
{
  return g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, _("Closed while loading"));
}

void
wk_memo_close (WkMemo *memo)
{
  g_autoptr(GPtrArray) cancellables = g_ptr_array_new_with_free_func (g_object_unref);
  GQueue waiters = G_QUEUE_INIT;

  memo->is_closed = TRUE;
  memo->owner = NULL;
  g_hash_table_remove_all (memo->entries);

  /* Both cancelling and telling the waiters may end loads and bring callbacks back here. */
  for (GList *link = memo->loads.head; link != NULL; link = link->next)
    {
      MemoLoad *load = link->data;
      MemoWaiter *waiter;

      g_ptr_array_add (cancellables, g_object_ref (load->cancellable));
      while ((waiter = g_queue_pop_head (&load->waiters)) != NULL)
        g_queue_push_tail (&waiters, waiter);
    }
  for (guint i = 0; i < cancellables->len; i++)
    g_cancellable_cancel (g_ptr_array_index (cancellables, i));
  while (!g_queue_is_empty (&waiters))
    {
      g_autoptr(MemoWaiter) waiter = g_queue_pop_head (&waiters);

      g_task_return_error (waiter->task, closed_error_new ());
    }
}

void
wk_memo_invalidate (WkMemo     *memo,
                    const char *key)
{
  g_hash_table_remove (memo->entries, key);
}

gpointer
wk_memo_peek (WkMemo     *memo,
              const char *key)
{
  MemoEntry *entry = g_hash_table_lookup (memo->entries, key);

  if (entry == NULL || !memo_entry_is_fresh (entry))
    return NULL;

  return memo->copy (entry->value);
}

void
wk_memo_get_async (WkMemo             *memo,
                   const char         *key,
                   GCancellable       *cancellable,
                   GAsyncReadyCallback callback,
                   gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  MemoEntry *entry;
  MemoLoad *load;

  g_task_set_source_tag (task, wk_memo_get_async);
  g_task_set_task_data (task, wk_memo_ref (memo), (GDestroyNotify) wk_memo_unref);

  if (g_task_return_error_if_cancelled (task))
    return;
  if (memo->is_closed)
    {
      g_task_return_error (task, closed_error_new ());
      return;
    }

  entry = memo_ensure_entry (memo, key);
  if (memo_entry_is_fresh (entry))
    {
      g_task_return_pointer (task, memo->copy (entry->value), memo->free_value);
      return;
    }
  if (entry->load != NULL)
    {
      memo_load_add_waiter (entry->load, task);
      return;
    }

  load = memo_load_new (entry);
  memo_load_add_waiter (load, task);
  memo->load (memo->owner, key, load->cancellable, loaded_cb, load);
}

gpointer
wk_memo_get_finish (WkMemo       *memo,
                    GAsyncResult *result,
                    GError      **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, wk_memo_get_async), NULL);
  g_return_val_if_fail (g_task_get_task_data (G_TASK (result)) == memo, NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
