/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/agent-libraries.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/flow.h"
#include "machine/child-process.h"
#include "machine/machine-paths.h"
#include "values/welkin-error.h"

#define LDD_SECONDS 30.0
#define ARROW " => "
#define GIO "libgio-2.0.so.0"
/* With which GIO speaks TLS. */
#define TLS_MODULE "libgiognutls.so"

typedef struct
{
  /* inputs */
  char        *directory; /* (owned) */

  /* while running */
  GQueue       programs;  /* of char (owned): paths of whose libraries we have not asked yet */
  gboolean     uses_gio;
  gboolean     has_modules;
  GHashTable  *libraries; /* (owned) (nullable) of paths, by name */
} Search;

static void
search_free (gpointer data)
{
  Search *self = data;

  g_clear_pointer (&self->libraries, g_hash_table_unref);
  g_queue_clear_full (&self->programs, g_free);
  g_free (self->directory);
  g_free (self);
}

/* It knows where the linker looks. */
static void
begin_asking (Search             *self,
              GCancellable       *cancellable,
              GAsyncReadyCallback callback,
              gpointer            user_data)
{
  const char *const arguments[] = { "ldd", g_queue_peek_head (&self->programs), NULL };

  welkin_child_process_run_async (arguments, "", LDD_SECONDS, NULL, cancellable, callback,
                                  user_data);
}

/* The parts of the C library go together, and with what the machine loads by itself. */
static gboolean
is_of_c_library (const char *name)
{
  static const char *const beginnings[] = {
    "ld-", "libanl.", "libc.", "libdl.", "libm.", "libmvec.", "libnss_", "libpthread.",
    "libresolv.", "librt.", "libutil.", "linux-",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (beginnings); i++)
    if (g_str_has_prefix (name, beginnings[i]))
      return TRUE;
  return FALSE;
}

/* line: "  libz.so.1 => /lib/libz.so.1 (0x00007f2e4c200000)" */
static gboolean
take_line (Search     *self,
           const char *program,
           char       *line,
           GError    **error)
{
  char *arrow = strstr (line, ARROW);
  char *path = arrow != NULL ? arrow + strlen (ARROW) : NULL;
  char *end;

  if (path == NULL)
    return TRUE;
  *arrow = '\0';
  g_strchug (line);
  if (g_str_has_prefix (path, "not found"))
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND,
                   _("%s needs the library \"%s\", which is not on this machine"), program, line);
      return FALSE;
    }
  if (g_str_equal (line, GIO))
    self->uses_gio = TRUE;
  end = strstr (path, " (");
  if (end != NULL)
    *end = '\0';
  if (!is_of_c_library (line) && g_path_is_absolute (path)
      && !g_str_has_prefix (path, self->directory))
    g_hash_table_replace (self->libraries, g_strdup (line), g_strdup (path));
  return TRUE;
}

static gboolean
take_libraries (Search       *self,
                GAsyncResult *result,
                GError      **error)
{
  g_autofree char *program = g_queue_pop_head (&self->programs);
  g_autoptr(GError) local_error = NULL;
  g_autofree char *output = welkin_child_process_run_finish (result, &local_error);
  g_auto(GStrv) lines = NULL;

  if (g_error_matches (local_error, WELKIN_ERROR, WELKIN_ERROR_FAILED))
    {
      g_debug ("%s has no libraries: %s", program, local_error->message);
      return TRUE;
    }
  if (output == NULL)
    {
      g_propagate_prefixed_error (error, g_steal_pointer (&local_error),
                                  _("Cannot look for the libraries of %s: "), program);
      return FALSE;
    }
  lines = g_strsplit (output, "\n", -1);
  for (gsize i = 0; lines[i] != NULL; i++)
    if (!take_line (self, program, lines[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
add_own_modules (Search     *self,
                 const char *directory)
{
  g_autoptr(GDir) modules = g_dir_open (directory, 0, NULL);
  const char *name;

  if (modules == NULL)
    return FALSE;
  while ((name = g_dir_read_name (modules)) != NULL)
    g_queue_push_tail (&self->programs, g_build_filename (directory, name, NULL));
  return TRUE;
}

/* No program names what it loads by itself. Whoever has modules of GIO beside his agent knows
 * better than we do. */
static gboolean
add_modules (Search  *self,
             GError **error)
{
  g_autofree char *directory = g_build_filename (self->directory, WELKIN_AGENT_MODULES, NULL);
  g_autofree char *name = g_build_filename (WELKIN_AGENT_MODULES, TLS_MODULE, NULL);
  g_autofree char *path = g_build_filename (GIO_MODULES_DIR, TLS_MODULE, NULL);

  self->has_modules = TRUE;
  if (add_own_modules (self, directory))
    return TRUE;
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND,
                   _("there is no \"%s\", with which the agent speaks TLS: it comes with "
                     "glib-networking"), path);
      return FALSE;
    }
  g_hash_table_replace (self->libraries, g_steal_pointer (&name), g_strdup (path));
  g_queue_push_tail (&self->programs, g_steal_pointer (&path));
  return TRUE;
}

static void
search_run (WkFlow  *flow,
            gpointer user_data)
{
  Search *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  while (!g_queue_is_empty (&self->programs))
    {
      WK_AWAIT (flow, begin_asking (self, WK_RESUME (flow)));
      if (!take_libraries (self, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
      if (self->uses_gio && !self->has_modules && !add_modules (self, &error))
        WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_pointer (flow, g_steal_pointer (&self->libraries),
                          (GDestroyNotify) g_hash_table_unref);

  WK_FLOW_END (flow);
}

void
welkin_agent_libraries_async (const char         *directory,
                              GCancellable       *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer            user_data)
{
  Search *self = g_new0 (Search, 1);

  self->directory = g_strdup (directory);
  g_queue_init (&self->programs);
  g_queue_push_tail (&self->programs, g_build_filename (directory, WELKIN_AGENT, NULL));
  self->libraries = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  wk_flow_start (NULL, cancellable, callback, user_data, welkin_agent_libraries_async, search_run,
                 self, search_free);
}

GHashTable *
welkin_agent_libraries_finish (GAsyncResult *result,
                               GError      **error)
{
  return wk_flow_finish_pointer (result, NULL, welkin_agent_libraries_async, error);
}
