/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "machine/cloud-init.h"

#include <glib/gi18n-lib.h>
#include <stdarg.h>
#include <string.h>

#include "base/text.h"
#include "base/yaml.h"
#include "values/welkin-config.h"
#include "values/welkin-error.h"

/* The size is limited, the time is not: there is little to compress. */
#define COMPRESSION_LEVEL 9

/* Progress has a file descriptor of its own, since all other output is a log's. */
#define OPEN_PROGRESS "test -e /proc/self/fd/9 || exec 9>&2"

/* The program of a new machine may still be at work on its packages. */
#define APT_GET "apt-get --option Dpkg::Options::=--force-confold " \
                "--option DPkg::Lock::Timeout=300 --assume-yes "

/* The log of the first boot, and the console of the cloud with it, shows each command that is run.
 * That of a script over SSH shows none. */
#define TRACE "set -xe"

typedef struct
{
  char    *text;      /* (owned) */
  gboolean is_secret;
} Command;

struct _WelkinCloudInit
{
  WelkinConfig *document;      /* (owned) all but what follows */
  GPtrArray    *boot_commands; /* (owned) of texts */
  GPtrArray    *commands;      /* (owned) of Command */
  char        **packages;      /* (owned) (nullable) */
  gboolean      update;
  gboolean      upgrade;
};

static void
command_free (gpointer data)
{
  Command *self = data;

  g_free (self->text);
  g_free (self);
}

WelkinCloudInit *
welkin_cloud_init_new (void)
{
  WelkinCloudInit *self = g_new0 (WelkinCloudInit, 1);

  self->document = welkin_config_new ();
  self->boot_commands = g_ptr_array_new_with_free_func (g_free);
  self->commands = g_ptr_array_new_with_free_func (command_free);
  return self;
}

void
welkin_cloud_init_free (WelkinCloudInit *self)
{
  welkin_config_unref (self->document);
  g_ptr_array_unref (self->boot_commands);
  g_ptr_array_unref (self->commands);
  g_strfreev (self->packages);
  g_free (self);
}

void
welkin_cloud_init_set (WelkinCloudInit *self,
                       const char      *key,
                       WelkinValue     *value)
{
  WelkinConfig *document = welkin_config_with (self->document, key, value);

  welkin_config_unref (self->document);
  self->document = document;
}

WelkinValue *
welkin_cloud_init_make_list (const char *const *strings)
{
  g_autoptr(GPtrArray) items = NULL;

  items = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_value_unref);
  for (gsize i = 0; strings[i] != NULL; i++)
    g_ptr_array_add (items, welkin_value_new_text (strings[i], TRUE, NULL));
  return welkin_value_new_list ((WelkinValue **) items->pdata, items->len, NULL);
}

void
welkin_cloud_init_set_strings (WelkinCloudInit   *self,
                               const char        *key,
                               const char *const *strings)
{
  g_autoptr(WelkinValue) list = welkin_cloud_init_make_list (strings);

  welkin_cloud_init_set (self, key, list);
}

void
welkin_cloud_init_set_map (WelkinCloudInit *self,
                           const char      *key,
                           ...)
{
  WelkinConfig *map = welkin_config_new ();
  g_autoptr(WelkinValue) value = NULL;
  const char *entry = NULL;
  va_list arguments;

  va_start (arguments, key);
  while ((entry = va_arg (arguments, const char *)) != NULL)
    {
      WelkinConfig *larger = NULL;

      larger = welkin_config_with_text (map, entry, va_arg (arguments, const char *), NULL);
      welkin_config_unref (map);
      map = larger;
    }
  va_end (arguments);

  value = welkin_config_to_value (map);
  welkin_config_unref (map);
  welkin_cloud_init_set (self, key, value);
}

void
welkin_cloud_init_set_packages (WelkinCloudInit   *self,
                                const char *const *packages,
                                gboolean           update,
                                gboolean           upgrade)
{
  g_strfreev (self->packages);
  self->packages = g_strdupv ((char **) packages);
  self->update = update;
  self->upgrade = upgrade;
}

void
welkin_cloud_init_add_boot_command (WelkinCloudInit *self,
                                    const char      *command)
{
  g_ptr_array_add (self->boot_commands, g_strdup (command));
}

static void
take_command (WelkinCloudInit *self,
              char            *text,
              gboolean         is_secret)
{
  Command *command = g_new (Command, 1);

  command->text = text;
  command->is_secret = is_secret;
  g_ptr_array_add (self->commands, command);
}

void
welkin_cloud_init_add_command (WelkinCloudInit *self,
                               const char      *command)
{
  take_command (self, g_strdup (command), FALSE);
}

void
welkin_cloud_init_add_secret_command (WelkinCloudInit *self,
                                      const char      *command)
{
  take_command (self, g_strdup (command), TRUE);
}

static char *
make_progress (const char *text)
{
  g_autofree char *quoted = wk_shell_quote (text);

  return g_strconcat (OPEN_PROGRESS "; echo ", quoted, " >&9", NULL);
}

void
welkin_cloud_init_add_progress (WelkinCloudInit *self,
                                const char      *text)
{
  take_command (self, make_progress (text), FALSE);
}

void
welkin_cloud_init_add_file (WelkinCloudInit *self,
                            const char      *path,
                            guint            mode,
                            const char      *contents)
{
  g_autofree char *quoted_path = wk_shell_quote (path);
  g_autofree char *quoted_contents = wk_shell_quote (contents);
  g_autofree char *make = NULL;
  g_autofree char *fill = NULL;

  make = g_strdup_printf ("install -D -m %o /dev/null %s", mode, quoted_path);
  fill = g_strdup_printf ("printf '%%s\\n' %s > %s", quoted_contents, quoted_path);
  welkin_cloud_init_add_command (self, make);
  if ((mode & 0077) == 0)
    welkin_cloud_init_add_secret_command (self, fill);
  else
    welkin_cloud_init_add_command (self, fill);
}

static void
set_flag (WelkinCloudInit *self,
          const char      *key,
          gboolean         flag)
{
  g_autoptr(WelkinValue) value = welkin_value_new_text (flag ? "true" : "false", FALSE, NULL);

  welkin_cloud_init_set (self, key, value);
}

static void
set_boot_commands (WelkinCloudInit *self)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();
  g_auto(GStrv) texts = NULL;

  if (self->boot_commands->len == 0)
    return;
  for (guint i = 0; i < self->boot_commands->len; i++)
    g_strv_builder_add (builder, g_ptr_array_index (self->boot_commands, i));
  texts = g_strv_builder_end (builder);
  welkin_cloud_init_set_strings (self, "bootcmd", (const char *const *) texts);
}

/* Secret ones run in the same shell as the others, because they may set variables. */
static void
set_commands (WelkinCloudInit *self)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();
  g_auto(GStrv) texts = NULL;

  g_strv_builder_add (builder, TRACE);
  for (guint i = 0; i < self->commands->len; i++)
    {
      const Command *command = g_ptr_array_index (self->commands, i);
      g_autofree char *silent = NULL;

      if (command->is_secret)
        silent = g_strconcat ("set +x; ", command->text, "; set -x", NULL);
      g_strv_builder_add (builder, silent != NULL ? silent : command->text);
    }
  texts = g_strv_builder_end (builder);
  welkin_cloud_init_set_strings (self, "runcmd", (const char *const *) texts);
}

char *
welkin_cloud_init_print (WelkinCloudInit *self)
{
  g_autoptr(WelkinValue) map = NULL;
  g_autofree char *yaml = NULL;

  set_boot_commands (self);
  if (self->packages != NULL)
    {
      welkin_cloud_init_set_strings (self, "packages", (const char *const *) self->packages);
      set_flag (self, "package_update", self->update);
      set_flag (self, "package_upgrade", self->upgrade);
    }
  set_commands (self);

  map = welkin_config_to_value (self->document);
  yaml = wk_yaml_print (map);
  return g_strconcat ("#cloud-config\n", yaml, NULL);
}

static void
add_line (GString    *script,
          const char *line)
{
  g_string_append (script, line);
  g_string_append_c (script, '\n');
}

static void
add_step (GString    *script,
          const char *progress,
          const char *command)
{
  g_autofree char *tell = make_progress (progress);

  add_line (script, tell);
  add_line (script, command);
}

static void
add_packages (WelkinCloudInit *self,
              GString         *script)
{
  add_line (script, "export DEBIAN_FRONTEND=noninteractive");
  if (self->update)
    add_step (script, "Running apt-get update", APT_GET "update");
  if (self->upgrade)
    add_step (script, "Running apt-get upgrade", APT_GET "upgrade");
  for (gsize i = 0; self->packages[i] != NULL; i++)
    {
      g_autofree char *progress = g_strconcat ("Installing package: ", self->packages[i], NULL);
      g_autofree char *quoted = wk_shell_quote (self->packages[i]);
      g_autofree char *command = g_strconcat (APT_GET "install ", quoted, NULL);

      add_step (script, progress, command);
    }
}

/* All commands are in one pair of parentheses: bash reads them to the end before it
 * runs the first, so that a connection that breaks meanwhile makes it run none. */
char *
welkin_cloud_init_print_script (WelkinCloudInit *self,
                                const char      *log)
{
  g_autofree char *quoted_log = wk_shell_quote (log);
  GString *script = g_string_new ("#!/bin/bash\n" OPEN_PROGRESS "\nexec 8>&1\n(\nset -e\n");

  for (guint i = 0; i < self->boot_commands->len; i++)
    add_line (script, g_ptr_array_index (self->boot_commands, i));
  if (self->packages != NULL)
    add_packages (self, script);
  for (guint i = 0; i < self->commands->len; i++)
    {
      const Command *command = g_ptr_array_index (self->commands, i);

      add_line (script, command->text);
    }

  /* What a command reads must not be the rest of the script; and with "||" behind
   * the parentheses, set -e would not count in them. */
  g_string_append_printf (script, ") < /dev/null >> %s 2>&1\n", quoted_log);
  add_line (script, "status=$?");
  g_string_append_printf (script, "[ $status = 0 ] || tail -n 20 %s >&9\n", quoted_log);
  add_line (script, "exit $status");
  return g_string_free (script, FALSE);
}

GBytes *
welkin_cloud_init_compress (const char *text,
                            GError    **error)
{
  g_autoptr(GZlibCompressor) compressor = NULL;
  g_autoptr(GOutputStream) memory = g_memory_output_stream_new_resizable ();
  g_autoptr(GOutputStream) stream = NULL;
  g_autoptr(GBytes) bytes = NULL;

  /* Without a file to describe, its header holds no time. */
  compressor = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, COMPRESSION_LEVEL);
  stream = g_converter_output_stream_new (memory, G_CONVERTER (compressor));
  if (!g_output_stream_write_all (stream, text, strlen (text), NULL, NULL, error) ||
      !g_output_stream_close (stream, NULL, error))
    return NULL;

  bytes = g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (memory));
  g_debug ("user data; %" G_GSIZE_FORMAT " bytes", g_bytes_get_size (bytes));
  if (g_bytes_get_size (bytes) <= WELKIN_CLOUD_INIT_MAX_BYTES)
    return g_steal_pointer (&bytes);

  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
               _("the user data is too large: %u bytes when compressed, and clouds take at most "
                 "%u; are there very many authorized-keys?"),
               (guint) g_bytes_get_size (bytes), (guint) WELKIN_CLOUD_INIT_MAX_BYTES);
  return NULL;
}
