/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "cli/cmd-storage.h"

#define SHOW_MICROSECONDS (200 * 1000)

WelkinEnviron *
cli_open_remembered (Cli        *cli,
                     const char *option,
                     GError    **error)
{
  g_autofree char *name = cli_choose_environment (cli, option, error);

  return name != NULL ? welkin_environments_open (cli->environments, name, error) : NULL;
}

WelkinStorage *
cli_open_storage (Cli        *cli,
                  const char *option,
                  GError    **error)
{
  g_autoptr(WelkinEnviron) environment = cli_open_remembered (cli, option, error);

  return environment != NULL ? welkin_environ_get_storage (environment) : NULL;
}

gboolean
cli_check_storage_name (const char *name,
                        gboolean    is_forced,
                        GError    **error)
{
  if (is_forced || (!g_str_equal (name, "provider-state") && !g_str_equal (name,
                                                                           "bootstrap-verify")))
    return TRUE;
  return cli_usage_error (error, _("the environment itself lives by \"%s\": use --force if you "
                                   "know what you are doing"),
                          name);
}

void
cli_transfer_begin (CliTransfer *self,
                    Cli         *cli,
                    const char  *what,
                    goffset      total)
{
  self->cli = cli;
  self->progress = welkin_progress_new ();
  self->what = g_strdup (what);
  self->total = total;
  self->shown_at = 0;
  console_watch_progress (cli->console, self->progress);
  welkin_progress_set_message (self->progress, what);
}

/* In a pipe each message would be a line. */
void
cli_transfer_update (CliTransfer *self,
                     goffset      done)
{
  gint64 now = g_get_monotonic_time ();
  g_autofree char *size = NULL;
  g_autofree char *text = NULL;

  if (!isatty (STDERR_FILENO) || now - self->shown_at < SHOW_MICROSECONDS)
    return;
  self->shown_at = now;
  size = g_format_size ((guint64) done);
  if (self->total > 0)
    {
      g_autofree char *total = g_format_size ((guint64) self->total);

      /* TRANSLATORS: what is done, as in "Putting x"; bytes that went; bytes that go in all */
      text = g_strdup_printf (_("%s: %s of %s"), self->what, size, total);
    }
  else
    text = g_strdup_printf ("%s: %s", self->what, size);
  welkin_progress_set_message (self->progress, text);
}

void
cli_transfer_end (CliTransfer *self)
{
  console_watch_progress (self->cli->console, NULL);
  g_clear_object (&self->progress);
  g_clear_pointer (&self->what, g_free);
}
