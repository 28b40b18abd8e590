/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/tools-stream.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>

#include "base/text.h"
#include "metadata/metadata-names.h"
#include "values/welkin-error.h"

/* What is released has names of its own: they are older than streams. */
#define RELEASES "releases/"
#define RELEASED_DIRECTORY WELKIN_METADATA_RELEASED "/"

/* It is part of paths and of names that colons part. */
static gboolean
check_name (const char *name,
            GError    **error)
{
  g_autofree char *quoted = NULL;

  if (g_regex_match_simple ("^[a-zA-Z0-9][a-zA-Z0-9.-]*\\z", name, 0, 0)
      && !g_str_equal (name, "streams"))
    return TRUE;
  quoted = wk_quote (name);
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT, _("invalid stream %s"), quoted);
  return FALSE;
}

static char **
list_content_ids (WelkinToolsStream *self)
{
  g_autoptr(GStrvBuilder) ids = g_strv_builder_new ();
  g_autofree char *tools =
    g_strconcat (WELKIN_TOOLS_FORMER_NAMESPACE ":", self->name, ":tools", NULL);
  g_autofree char *agents =
    g_strconcat (WELKIN_TOOLS_FORMER_NAMESPACE ":", self->name, ":agents", NULL);

  g_strv_builder_add_many (ids, self->content_id, tools, agents, NULL);
  return g_strv_builder_end (ids);
}

WelkinToolsStream *
welkin_tools_stream_new (const char *name,
                         GError    **error)
{
  const char *given = name != NULL && *name != '\0' ? name : WELKIN_METADATA_RELEASED;
  WelkinToolsStream *self;

  if (!check_name (given, error))
    return NULL;
  self = g_rc_box_new0 (WelkinToolsStream);
  self->name = g_strdup (given);
  self->is_released = g_str_equal (given, WELKIN_METADATA_RELEASED);
  self->directory = self->is_released ? g_strdup (RELEASES) : g_strconcat (given, "/", NULL);
  self->content_id = g_strconcat (WELKIN_TOOLS_NAMESPACE ":", given, ":tools", NULL);
  self->content_ids = list_content_ids (self);
  self->products_path =
    self->is_released
      ? g_strconcat (WELKIN_METADATA_DIRECTORY, self->content_id, ".json", NULL)
      : g_strconcat (WELKIN_METADATA_DIRECTORY WELKIN_TOOLS_NAMESPACE "-", given, "-tools.json",
                     NULL);
  return self;
}

WelkinToolsStream *
welkin_tools_stream_ref (WelkinToolsStream *self)
{
  return g_rc_box_acquire (self);
}

static void
stream_clear (gpointer data)
{
  WelkinToolsStream *self = data;

  g_free (self->products_path);
  g_strfreev (self->content_ids);
  g_free (self->content_id);
  g_free (self->directory);
  g_free (self->name);
}

void
welkin_tools_stream_unref (WelkinToolsStream *self)
{
  g_rc_box_release_full (self, stream_clear);
}

const char *
welkin_tools_stream_find_directory (const WelkinToolsStream *self,
                                    const char              *path)
{
  if (g_str_has_prefix (path, self->directory))
    return self->directory;
  return self->is_released && g_str_has_prefix (path, RELEASED_DIRECTORY) ? RELEASED_DIRECTORY
                                                                          : NULL;
}
