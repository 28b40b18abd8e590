/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "metadata/tools-find.h"
#include "metadata/tools-known.h"
#include "metadata/tools-spool.h"
#include "metadata/tools-survey.h"
#include "metadata/tools-write.h"
#include "metadata/welkin-tools-metadata.h"

typedef struct
{
  /* inputs */
  GPtrArray          *sources;      /* (owned) of WelkinDataSource */
  WelkinStorage      *storage;      /* (owned) */
  WelkinToolsFilter   filter;
  WelkinToolsFlags    flags;
  WelkinSurroundings *surroundings; /* (owned) (nullable) */
  WelkinProgress     *progress;     /* (owned) (nullable) */
  GError             *error;        /* (owned) (nullable) what is wrong with the question */

  /* while running */
  WelkinStreamsFound *found;        /* (owned) (nullable) */
  GPtrArray          *known;        /* (owned) (nullable) what metadata of the storage tell of */
  GPtrArray          *present;      /* (owned) (nullable) of WelkinStreamsItem: what lies there */
  GPtrArray          *items;        /* (owned) of WelkinStreamsItem: the same as found, as ours */
  guint               index;        /* of the item that is copied */
  char               *name;         /* (owned) (nullable) of its archive in the storage */
  WelkinProgress     *part;         /* (owned) (nullable) of that */
  WelkinToolsSpool   *spool;        /* (owned) (nullable) what came of that */
  GStrvBuilder       *copied;       /* (owned) */
  guint               n_copied;
  GPtrArray          *failures;     /* (owned) of GError: why archives are left out */
} Sync;

static void
sync_free (gpointer user_data)
{
  Sync *self = user_data;

  welkin_progress_finish (self->progress);
  g_clear_object (&self->part);
  g_clear_object (&self->progress);
  g_clear_pointer (&self->spool, welkin_tools_spool_free);
  g_ptr_array_unref (self->failures);
  g_strv_builder_unref (self->copied);
  g_free (self->name);
  g_ptr_array_unref (self->items);
  g_clear_pointer (&self->present, g_ptr_array_unref);
  g_clear_pointer (&self->known, g_ptr_array_unref);
  g_clear_pointer (&self->found, welkin_streams_found_free);
  g_clear_error (&self->error);
  g_clear_pointer (&self->surroundings, welkin_surroundings_unref);
  welkin_tools_filter_clear (&self->filter);
  g_object_unref (self->storage);
  g_ptr_array_unref (self->sources);
  g_free (self);
}

/* Lines that stay, as against how far an archive is. */
static void
say_found (Sync *self)
{
  const guint n_found = self->found->records->len;
  g_autofree char *line = NULL;

  line = g_strdup_printf (ngettext ("Found %u archive of tools", "Found %u archives of tools",
                                    n_found), n_found);
  welkin_progress_say (self->progress, line);
}

static void
say_done (Sync *self)
{
  g_autofree char *line = NULL;

  line = g_strdup_printf (ngettext ("Copied %u archive, and wrote the metadata",
                                    "Copied %u archives, and wrote the metadata", self->n_copied),
                          self->n_copied);
  welkin_progress_say (self->progress, line);
}

static void
begin_search (Sync               *self,
              GCancellable       *cancellable,
              GAsyncReadyCallback callback,
              gpointer            user_data)
{
  g_autoptr(WelkinStreamsQuery) query = welkin_tools_filter_query (&self->filter,
                                                                   self->surroundings);

  welkin_streams_search_async (self->sources, query, cancellable, callback, user_data);
}

/* Of the versions that matter; -1 for all. */
static int
get_major (Sync *self)
{
  return self->filter.is_exact ? (int) self->filter.number.major : self->filter.major;
}

static const WelkinStreamsItem *
get_item (Sync *self)
{
  return g_ptr_array_index (self->found->records, self->index);
}

/* Ours goes by our name, whatever its publisher calls it. */
static gboolean
add_item (Sync       *self,
          const char *sha256,
          gint64      size,
          GError    **error)
{
  g_autofree char *binary = welkin_tools_item_binary (get_item (self));
  WelkinStreamsItem *item = welkin_tools_item_new (self->filter.stream->directory, binary, sha256,
                                                   size, error);

  if (item == NULL)
    return FALSE;
  g_ptr_array_add (self->items, item);
  g_free (self->name);
  self->name = g_strconcat (WELKIN_TOOLS_PREFIX,
                            welkin_streams_item_get (item, WELKIN_STREAMS_PATH), NULL);
  return TRUE;
}

/* By what the source says of it. */
static gboolean
take_item (Sync    *self,
           GError **error)
{
  const char *sha256 = welkin_streams_item_get (get_item (self), WELKIN_STREAMS_SHA256);

  return add_item (self, *sha256 != '\0' ? sha256 : NULL,
                   welkin_tools_item_size (get_item (self)), error);
}

static void
replace_item (Sync              *self,
              WelkinStreamsItem *item)
{
  g_ptr_array_remove_index (self->items, self->items->len - 1);
  g_ptr_array_add (self->items, item);
}

static const WelkinStreamsItem *
find_present (Sync *self)
{
  g_autofree char *binary = welkin_tools_item_binary (get_item (self));

  return welkin_tools_find_binary (self->present, binary);
}

/* What lies there under its name and is another file is copied anew: somebody has begun that, or
 * has put it there by hand. If metadata tell of it, it may be in use, and stays: they do not go
 * together with those of the source then. */
static gboolean
is_present (Sync *self)
{
  const WelkinStreamsItem *present = find_present (self);

  if (present == NULL)
    return FALSE;
  if (!welkin_tools_item_check (get_item (self),
                                welkin_streams_item_get (present, WELKIN_STREAMS_SHA256),
                                welkin_tools_item_size (present), NULL))
    return present->build != NULL;
  replace_item (self, welkin_tools_item_copy (present));
  return TRUE;
}

/* By what has come, if that is what the source says. */
static gboolean
take_archive (Sync    *self,
              GError **error)
{
  if (!welkin_tools_item_check (get_item (self), self->spool->sha256, self->spool->size, error)
      || !welkin_tools_spool_check (self->spool, error))
    return FALSE;
  g_ptr_array_remove_index (self->items, self->items->len - 1);
  g_ptr_array_remove (self->present, (gpointer) find_present (self));
  return add_item (self, self->spool->sha256, self->spool->size, error);
}

/* One archive that is bad does not keep the others away. What lies there under its name has come
 * from elsewhere, and is not told of either. */
static void
leave_out (Sync    *self,
           GError **error)
{
  g_autofree char *binary = welkin_tools_item_binary (get_item (self));
  const WelkinStreamsItem *item = welkin_tools_find_binary (self->items, binary);
  const WelkinStreamsItem *present = find_present (self);

  g_prefix_error (error, "%s: ", item != NULL ? self->name : binary);
  g_ptr_array_add (self->failures, g_steal_pointer (error));
  if (item != NULL)
    g_ptr_array_remove (self->items, (gpointer) item);
  if (present != NULL)
    g_ptr_array_remove (self->present, (gpointer) present);
  g_clear_pointer (&self->spool, welkin_tools_spool_free);
  welkin_progress_finish (self->part);
}

/* Returns the one that there is, or one that tells of all of them. */
static GError *
make_failure (Sync *self)
{
  const GError *first = g_ptr_array_index (self->failures, 0);
  const guint n_found = self->found->records->len;
  GString *text;
  GError *failure;

  if (self->failures->len == 1)
    return g_error_copy (first);
  text = g_string_new (NULL);
  g_string_append_printf (text, ngettext ("Cannot copy %u of %u archive of tools:",
                                          "Cannot copy %u of %u archives of tools:", n_found),
                          self->failures->len, n_found);
  for (guint i = 0; i < self->failures->len; i++)
    g_string_append_printf (text, "\n%s",
                            ((GError *) g_ptr_array_index (self->failures, i))->message);
  failure = g_error_new_literal (first->domain, first->code, text->str);
  g_string_free (text, TRUE);
  return failure;
}

static void
begin_part (Sync *self)
{
  gint64 size = welkin_tools_item_size (get_item (self));
  g_autofree char *formatted = g_format_size ((guint64) MAX (size, 0));
  g_autofree char *message = NULL;

  if (size >= 0)
    /* TRANSLATORS: the name of an archive, and its size, as in "12.5 MB" */
    message = g_strdup_printf (_("Copying %s (%s)"), self->name, formatted);
  else
    message = g_strdup_printf (_("Copying %s"), self->name);
  welkin_progress_set_message (self->progress, message);
  g_clear_object (&self->part);
  self->part = welkin_progress_add_child (self->progress, (double) MAX (size, 1));
}

static void
begin_fetching (Sync               *self,
                GCancellable       *cancellable,
                GAsyncReadyCallback callback,
                gpointer            user_data)
{
  begin_part (self);
  welkin_tools_spool_async (self->found->source,
                            welkin_streams_item_get (get_item (self), WELKIN_STREAMS_PATH),
                            welkin_tools_item_size (get_item (self)), self->part, cancellable,
                            callback, user_data);
}

static void
begin_writing (Sync               *self,
               GCancellable       *cancellable,
               GAsyncReadyCallback callback,
               gpointer            user_data)
{
  welkin_tools_write_async (self->items, NULL, self->storage, self->filter.stream,
                            (self->flags & WELKIN_TOOLS_PUBLIC) != 0, cancellable, callback,
                            user_data);
}

static void
sync_run (WkFlow  *flow,
          gpointer user_data)
{
  Sync *self = user_data;
  g_auto(GStrv) written = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (self->error != NULL)
    WK_FAIL (flow, &self->error, NULL);
  welkin_progress_set_message (self->progress, _("Looking for tools"));
  WK_AWAIT (flow, begin_search (self, WK_RESUME (flow)));
  self->found = welkin_streams_search_finish (WK_RESULT (flow), &error);
  if (self->found != NULL && self->found->records == NULL)
    welkin_tools_fail_to_find (self->found, &self->filter, &error);
  if (error != NULL)
    WK_FAIL (flow, &error, NULL);
  if ((self->flags & WELKIN_TOOLS_ALL_VERSIONS) == 0)
    welkin_tools_keep_newest (self->found->records);
  say_found (self);

  WK_AWAIT (flow, welkin_tools_known_async (self->storage, self->filter.stream,
                                            WK_RESUME (flow)));
  self->known = welkin_tools_known_finish (WK_RESULT (flow), &error);
  if (self->known == NULL)
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, welkin_tools_survey_async (self->storage, self->filter.stream, self->known,
                                             get_major (self), NULL, WK_RESUME (flow)));
  self->present = welkin_tools_survey_finish (WK_RESULT (flow), &error);
  if (self->present == NULL)
    WK_FAIL (flow, &error, NULL);

  for (; self->index < self->found->records->len; self->index++)
    {
      if (!take_item (self, &error))
        {
          leave_out (self, &error);
          continue;
        }
      if (is_present (self))
        continue;
      if ((self->flags & WELKIN_TOOLS_DRY_RUN) == 0)
        {
          WK_AWAIT (flow, begin_fetching (self, WK_RESUME (flow)));
          self->spool = welkin_tools_spool_finish (self->found->source, WK_RESULT (flow), &error);
          if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
            WK_FAIL (flow, &error, self->name);
          if (self->spool == NULL || !take_archive (self, &error))
            {
              leave_out (self, &error);
              continue;
            }
          WK_AWAIT (flow, welkin_storage_put_async (self->storage, self->name,
                                                    self->spool->contents, self->spool->size,
                                                    WELKIN_STORAGE_NONE, WK_RESUME (flow)));
          if (!welkin_storage_put_finish (self->storage, WK_RESULT (flow), &error))
            WK_FAIL (flow, &error, self->name);
          g_clear_pointer (&self->spool, welkin_tools_spool_free);
          welkin_progress_finish (self->part);
        }
      g_strv_builder_add (self->copied, self->name);
      self->n_copied++;
    }

  if ((self->flags & WELKIN_TOOLS_DRY_RUN) == 0
      && (self->items->len > 0 || self->failures->len == 0))
    {
      if (!welkin_tools_merge (self->items, self->present, &error))
        WK_FAIL (flow, &error, NULL);
      WK_AWAIT (flow, begin_writing (self, WK_RESUME (flow)));
      written = welkin_tools_write_finish (WK_RESULT (flow), &error);
      if (written == NULL)
        WK_FAIL (flow, &error, NULL);
      say_done (self);
    }
  if (self->failures->len > 0)
    {
      error = make_failure (self);
      WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_pointer (flow, g_strv_builder_end (self->copied), (GDestroyNotify) g_strfreev);

  WK_FLOW_END (flow);
}

/**
 * welkin_tools_sync_async:
 * @sources: (element-type WelkinDataSource): where to look, in this order
 * @storage: where they are to be
 * @stream: (nullable): their stream, as in "devel"; %NULL for what is released
 * @version: (nullable): which ones, as in "1", "1.2" or "1.2.3", and then those
 *   that are tried out as well; %NULL for those of this Welkin: of the same minor
 *   version, or, if all are wanted, of the same major version
 * @flags: what else is wanted
 * @surroundings: (nullable): where proxies and the key come from; %NULL for
 *   those of the process
 * @progress: (nullable): where to report
 * @cancellable: (nullable): ends the call
 * @callback: (scope async) (closure user_data): called in the thread-default
 *   main context of the call
 * @user_data: data for @callback
 *
 * Copies the tools of the first source that has any to a storage that lacks them,
 * and adds them to the metadata there.
 *
 * An archive of which the size or the checksum is not what its metadata tell, or
 * that is none, is not stored: the others are, and the error tells of each that
 * is not. The metadata are written when all the archives are there: of those
 * as well that lay there without any.
 *
 * Since: 0.1
 */
void
welkin_tools_sync_async (GPtrArray           *sources,
                         WelkinStorage       *storage,
                         const char          *stream,
                         const char          *version,
                         WelkinToolsFlags     flags,
                         WelkinSurroundings  *surroundings,
                         WelkinProgress      *progress,
                         GCancellable        *cancellable,
                         GAsyncReadyCallback  callback,
                         gpointer             user_data)
{
  Sync *self;

  g_return_if_fail (sources != NULL);
  g_return_if_fail (WELKIN_IS_STORAGE (storage));

  self = g_new0 (Sync, 1);
  self->sources = g_ptr_array_ref (sources);
  self->storage = g_object_ref (storage);
  self->flags = flags;
  if (surroundings != NULL)
    self->surroundings = welkin_surroundings_ref (surroundings);
  g_set_object (&self->progress, progress);
  self->items = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_streams_item_free);
  self->copied = g_strv_builder_new ();
  self->failures = g_ptr_array_new_with_free_func ((GDestroyNotify) g_error_free);
  if (welkin_tools_filter_init (&self->filter, stream, NULL, NULL, version,
                                version == NULL && (flags & WELKIN_TOOLS_DEVELOPMENT) == 0,
                                &self->error)
      && version == NULL)
    welkin_tools_filter_take_host_version (&self->filter,
                                           (flags & WELKIN_TOOLS_ALL_VERSIONS) != 0);
  wk_flow_start (NULL, cancellable, callback, user_data, welkin_tools_sync_async, sync_run, self,
                 sync_free);
}

/**
 * welkin_tools_sync_finish:
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [func@Tools.sync_async].
 *
 * Returns: (transfer full) (array zero-terminated=1): the names of the archives
 *   that were copied, or would have been, or %NULL on error
 *
 * Since: 0.1
 */
char **
welkin_tools_sync_finish (GAsyncResult  *result,
                          GError       **error)
{
  return wk_flow_finish_pointer (result, NULL, welkin_tools_sync_async, error);
}
