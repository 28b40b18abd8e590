/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/tools-bundle.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "base/flow.h"
#include "base/text.h"
#include "base/work.h"
#include "machine/child-process.h"
#include "metadata/agent-libraries.h"
#include "metadata/tools-copy.h"
#include "metadata/tools-pack.h"
#include "metadata/tools-version.h"
#include "values/surroundings-clock.h"
#include "values/welkin-error.h"

#define COPY "agent"
/* A program that only tells what it is takes no time. */
#define MAX_SECONDS 30.0
#define MIN_SECONDS 3.0

typedef struct
{
  /* inputs */
  char              *source;     /* (owned) the directory */
  char              *number;     /* (owned) (nullable) that the agent is made to be */
  gint64             epoch;      /* below 0: the files' own times */
  double             seconds;    /* of the wall: how long the agent may take to answer */
  GError            *error;      /* (owned) (nullable) what is wrong with the inputs */

  /* while running */
  char              *copy;       /* (owned) (nullable) of the directory */
  GPtrArray         *members;    /* (owned) (nullable) of WelkinToolsMember: what is packed */
  GHashTable        *libraries;  /* (owned) (nullable) paths, by the name in the copy */
  WelkinToolsBundle *bundle;     /* (owned) (nullable) */
} Bundling;

void
welkin_tools_bundle_free (WelkinToolsBundle *self)
{
  if (self->directory != NULL)
    {
      g_autofree char *copy = g_build_filename (self->directory, COPY, NULL);

      welkin_tools_copy_remove (copy);
      if (self->path != NULL)
        g_unlink (self->path);
      if (g_rmdir (self->directory) != 0)
        g_warning (_("Cannot remove \"%s\": %s"), self->directory, g_strerror (errno));
    }
  g_free (self->directory);
  g_free (self->path);
  g_free (self->binary);
  g_free (self->sha256);
  g_free (self);
}

static void
bundling_free (gpointer user_data)
{
  Bundling *self = user_data;

  g_clear_pointer (&self->bundle, welkin_tools_bundle_free);
  g_clear_pointer (&self->libraries, g_hash_table_unref);
  g_clear_pointer (&self->members, g_ptr_array_unref);
  g_free (self->copy);
  g_clear_error (&self->error);
  g_free (self->number);
  g_free (self->source);
  g_free (self);
}

static gboolean
copy_all (gpointer      data,
          GCancellable *cancellable,
          GError      **error)
{
  Bundling *self = data;

  self->bundle->directory = g_dir_make_tmp ("welkin-tools-XXXXXX", error);
  if (self->bundle->directory == NULL)
    return FALSE;
  self->copy = g_build_filename (self->bundle->directory, COPY, NULL);
  self->members = welkin_tools_copy_directory (self->source, self->number, self->epoch, self->copy,
                                               cancellable, error);
  return self->members != NULL;
}

static void
begin_asking (Bundling           *self,
              GCancellable       *cancellable,
              GAsyncReadyCallback callback,
              gpointer            user_data)
{
  g_autofree char *path = g_build_filename (self->copy, WELKIN_TOOLS_AGENT, NULL);
  const char *const arguments[] = { path, "version", NULL };

  welkin_child_process_run_async (arguments, "", self->seconds, NULL, cancellable, callback,
                                  user_data);
}

static gboolean
take_version (Bundling     *self,
              GAsyncResult *result,
              GError      **error)
{
  g_autofree char *output = welkin_child_process_run_finish (result, error);
  g_autofree char *quoted = NULL;
  g_autofree char *series = NULL;
  g_autofree char *arch = NULL;
  WelkinToolsVersion version;

  if (output == NULL)
    {
      g_prefix_error (error, _("cannot get version from \"%s\": \"%s\" failed: "), self->source,
                      WELKIN_TOOLS_AGENT " version");
      return FALSE;
    }
  g_strstrip (output);
  if (!welkin_tools_binary_parse (output, &version, &series, &arch, NULL))
    {
      quoted = wk_quote (output);
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                   _("invalid version %s from \"%s\": expected NUMBER-SERIES-ARCH"), quoted,
                   self->source);
      return FALSE;
    }
  self->bundle->binary = g_steal_pointer (&output);
  return TRUE;
}

static gboolean
copy_libraries (gpointer      data,
                GCancellable *cancellable,
                GError      **error)
{
  Bundling *self = data;

  return welkin_tools_copy_files (self->libraries, self->epoch, self->copy, self->members,
                                  cancellable, error);
}

static gboolean
pack (gpointer      data,
      GCancellable *cancellable,
      GError      **error)
{
  Bundling *self = data;
  WelkinToolsBundle *bundle = self->bundle;

  bundle->path = g_build_filename (bundle->directory, "tools.tgz", NULL);
  return welkin_tools_pack (self->copy, self->members, bundle->path, &bundle->sha256,
                            &bundle->size, cancellable, error);
}

/* The record is not freed before a thread has come back: nothing else waits meanwhile. */
static void
bundling_run (WkFlow  *flow,
              gpointer user_data)
{
  Bundling *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (self->error != NULL)
    WK_FAIL (flow, &self->error, NULL);
  WK_AWAIT (flow, wk_work_async (copy_all, self, NULL, WK_RESUME (flow)));
  if (!wk_work_finish (WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  if (self->bundle->binary == NULL)
    {
      WK_AWAIT (flow, begin_asking (self, WK_RESUME (flow)));
      if (!take_version (self, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  WK_AWAIT (flow, welkin_agent_libraries_async (self->copy, WK_RESUME (flow)));
  self->libraries = welkin_agent_libraries_finish (WK_RESULT (flow), &error);
  if (self->libraries == NULL)
    WK_FAIL (flow, &error, NULL);
  self->bundle->has_libraries = g_hash_table_size (self->libraries) > 0;
  WK_AWAIT (flow, wk_work_async (copy_libraries, self, NULL, WK_RESUME (flow)));
  if (!wk_work_finish (WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, wk_work_async (pack, self, NULL, WK_RESUME (flow)));
  if (!wk_work_finish (WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, g_steal_pointer (&self->bundle),
                          (GDestroyNotify) welkin_tools_bundle_free);

  WK_FLOW_END (flow);
}

static gboolean
take_forced_version (Bundling   *self,
                     const char *version,
                     GError    **error)
{
  g_autofree char *series = NULL;
  g_autofree char *arch = NULL;
  WelkinToolsVersion number;

  if (welkin_tools_binary_parse (version, &number, &series, &arch, NULL))
    self->bundle->binary = g_strdup (version);
  else if (!welkin_tools_version_parse (version, &number, error))
    return FALSE;
  self->number = welkin_tools_version_format (&number);
  return TRUE;
}

/* A clock that runs faster must not leave a slow machine too little. */
static double
get_seconds (WelkinSurroundings *surroundings)
{
  g_autoptr(WkClock) clock = welkin_surroundings_make_clock (surroundings);

  return MAX (wk_clock_get_interval (clock, MAX_SECONDS) / 1000.0, MIN_SECONDS);
}

/* As others do who make the same thing twice: https://reproducible-builds.org */
static gint64
get_epoch (WelkinSurroundings *surroundings)
{
  const char *text = welkin_surroundings_get_variable (surroundings, "SOURCE_DATE_EPOCH");
  gint64 epoch;

  return text != NULL && g_ascii_string_to_signed (text, 10, 0, G_MAXINT64, &epoch, NULL) ? epoch
                                                                                          : -1;
}

void
welkin_tools_bundle_async (const char         *directory,
                           const char         *version,
                           WelkinSurroundings *surroundings,
                           GCancellable       *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer            user_data)
{
  Bundling *self = g_new0 (Bundling, 1);

  self->source = g_strdup (directory);
  self->epoch = get_epoch (surroundings);
  self->seconds = get_seconds (surroundings);
  self->bundle = g_new0 (WelkinToolsBundle, 1);
  if (welkin_tools_check_agent_directory (directory, &self->error) && version != NULL)
    take_forced_version (self, version, &self->error);
  wk_flow_start (NULL, cancellable, callback, user_data, welkin_tools_bundle_async, bundling_run,
                 self, bundling_free);
}

WelkinToolsBundle *
welkin_tools_bundle_finish (GAsyncResult *result,
                            GError      **error)
{
  return wk_flow_finish_pointer (result, NULL, welkin_tools_bundle_async, error);
}

char *
welkin_tools_get_agent_directory (WelkinSurroundings *surroundings)
{
  const char *directory = welkin_surroundings_get_variable (surroundings, "WELKIN_AGENT_DIR");

  return g_strdup (directory != NULL && *directory != '\0' ? directory : AGENT_DIR);
}

gboolean
welkin_tools_check_agent_directory (const char *directory,
                                    GError    **error)
{
  g_autofree char *path = g_build_filename (directory, WELKIN_TOOLS_AGENT, NULL);

  if (g_file_test (path, G_FILE_TEST_IS_EXECUTABLE) && !g_file_test (path, G_FILE_TEST_IS_DIR))
    return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND,
               _("there is no executable \"%s\" in directory \"%s\""), WELKIN_TOOLS_AGENT,
               directory);
  return FALSE;
}
