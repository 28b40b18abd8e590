/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <gio/gunixinputstream.h>
#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <stdio.h>
#include <unistd.h>

#include "base/yaml.h"
#include "cli/cli.h"

#define HELP_COLUMNS 78

G_DEFINE_QUARK (cli-error-quark, cli_error)

static const CliCommand *const commands[] = {
  &cli_command_add_machine,
  &cli_command_bootstrap,
  &cli_command_close_port,
  &cli_command_clouds,
  &cli_command_config,
  &cli_command_destroy_environment,
  &cli_command_destroy_machine,
  &cli_command_doctor,
  &cli_command_gc,
  &cli_command_get_constraints,
  &cli_command_get_environment,
  &cli_command_help,
  &cli_command_init,
  &cli_command_metadata_generate_image,
  &cli_command_metadata_generate_tools,
  &cli_command_metadata_sign,
  &cli_command_metadata_validate_images,
  &cli_command_metadata_validate_tools,
  &cli_command_open_port,
  &cli_command_plan,
  &cli_command_ports,
  &cli_command_providers,
  &cli_command_provision,
  &cli_command_scp,
  &cli_command_set_constraints,
  &cli_command_set_environment,
  &cli_command_ssh,
  &cli_command_status,
  &cli_command_storage_get,
  &cli_command_storage_list,
  &cli_command_storage_put,
  &cli_command_storage_rm,
  &cli_command_switch,
  &cli_command_sync_tools,
  &cli_command_unset_environment,
  &cli_command_version,
  NULL,
};

const CliCommand *const *
cli_get_commands (void)
{
  return commands;
}

static gboolean
is_called (const CliCommand *command,
           const char       *name)
{
  return g_str_equal (command->name, name)
         || (command->aliases != NULL && g_strv_contains (command->aliases, name));
}

static const CliCommand *
find_name (const char *name)
{
  for (gsize i = 0; commands[i] != NULL; i++)
    if (is_called (commands[i], name))
      return commands[i];
  return NULL;
}

/* What may stand behind the first word of a name of two; NULL when it begins none. */
static char *
list_second_words (const char *first)
{
  g_autofree char *prefix = g_strconcat (first, " ", NULL);
  g_autoptr(GPtrArray) words = g_ptr_array_new ();

  for (gsize i = 0; commands[i] != NULL; i++)
    if (g_str_has_prefix (commands[i]->name, prefix))
      g_ptr_array_add (words, (gpointer) (commands[i]->name + strlen (prefix)));
  if (words->len == 0)
    return NULL;
  g_ptr_array_add (words, NULL);
  return g_strjoinv (", ", (char **) words->pdata);
}

const CliCommand *
cli_find_command (char   **words,
                  guint   *n_words,
                  GError **error)
{
  g_autofree char *two = words[1] != NULL ? g_strjoin (" ", words[0], words[1], NULL) : NULL;
  g_autofree char *second_words = NULL;
  const CliCommand *command = two != NULL ? find_name (two) : NULL;

  *n_words = command != NULL ? 2 : 1;
  if (command == NULL)
    command = find_name (words[0]);
  if (command != NULL)
    return command;

  second_words = list_second_words (words[0]);
  if (second_words != NULL)
    cli_usage_error (error, _("\"%s\" is to be followed by one of: %s"), words[0], second_words);
  else
    cli_usage_error (error, _("unrecognized command: \"%s\"; try \"welkin help\""), words[0]);
  return NULL;
}

void
cli_add_options (GString            *text,
                 const GOptionEntry *options)
{
  for (; options != NULL && options->long_name != NULL; options++)
    {
      g_autofree char *shown = NULL;
      g_autofree char *value = NULL;

      if (options->flags & G_OPTION_FLAG_HIDDEN)
        continue;
      value = options->arg_description != NULL
                ? g_strconcat ("=", _(options->arg_description), NULL)
                : g_strdup ("");
      shown = options->short_name != 0
                ? g_strdup_printf ("-%c, --%s%s", options->short_name, options->long_name, value)
                : g_strdup_printf ("--%s%s", options->long_name, value);
      g_string_append_printf (text, "  %-28s %s\n", shown, _(options->description));
    }
}

/* Breaks the text into lines for a narrow terminal. */
static void
add_paragraph (GString    *text,
               const char *paragraph)
{
  g_auto(GStrv) words = g_strsplit (paragraph, " ", -1);
  glong column = 0;

  for (gsize i = 0; words[i] != NULL; i++)
    {
      glong length = g_utf8_strlen (words[i], -1);

      if (column > 0 && column + 1 + length > HELP_COLUMNS)
        {
          g_string_append_c (text, '\n');
          column = 0;
        }
      else if (column > 0)
        {
          g_string_append_c (text, ' ');
          column++;
        }
      g_string_append (text, words[i]);
      column += length;
    }
  g_string_append_c (text, '\n');
}

char *
cli_make_help (const CliCommand *command)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, _("Usage: welkin %s [OPTION…]"), command->name);
  if (*command->usage != '\0')
    g_string_append_printf (text, " %s", command->usage);
  g_string_append_printf (text, "\n\n%s\n", _(command->summary));
  if (command->description != NULL)
    {
      g_string_append_c (text, '\n');
      add_paragraph (text, _(command->description));
    }
  if (command->aliases != NULL)
    {
      g_autofree char *aliases = g_strjoinv (", ", (char **) command->aliases);

      g_string_append (text, "\n");
      g_string_append_printf (text, _("Also called: %s"), aliases);
      g_string_append (text, "\n");
    }
  if (command->options != NULL)
    g_string_append_printf (text, "\n%s\n", _("Options:"));
  cli_add_options (text, command->options);
  g_string_append_printf (text, "\n%s\n", _("Global options:"));
  cli_add_options (text, cli_global_options);
  return g_string_free (text, FALSE);
}

gboolean
cli_usage_error (GError    **error,
                 const char *format,
                 ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (error != NULL)
    *error = g_error_new_valist (CLI_ERROR, CLI_ERROR_USAGE, format, arguments);
  va_end (arguments);
  return FALSE;
}

gboolean
cli_expect_no_arguments (char   **arguments,
                         GError **error)
{
  g_autofree char *joined = NULL;

  if (*arguments == NULL)
    return TRUE;
  joined = g_strjoinv ("\", \"", arguments);
  return cli_usage_error (error, _("unrecognized args: [\"%s\"]"), joined);
}

char **
cli_drop_repeats (char **arguments)
{
  g_autoptr(GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();

  for (gsize i = 0; arguments[i] != NULL; i++)
    {
      if (g_hash_table_add (seen, arguments[i]))
        g_strv_builder_add (builder, arguments[i]);
    }
  return g_strv_builder_end (builder);
}

char *
cli_choose_environment (Cli        *cli,
                        const char *option,
                        GError    **error)
{
  /* As from a variable of a script that was not set: the default would be the wrong one. */
  if (option != NULL && *option == '\0')
    {
      cli_usage_error (error, _("the name of the environment is empty"));
      return NULL;
    }
  return welkin_environments_choose (cli->environments, option, error);
}

void
cli_done_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      user_data)
{
  Cli *cli = user_data;

  g_set_object (&cli->result, result);
  g_main_loop_quit (cli->loop);
}

GAsyncResult *
cli_wait (Cli *cli)
{
  g_clear_object (&cli->result);
  g_main_loop_run (cli->loop);
  return cli->result;
}

gboolean
cli_confirm (Cli        *cli,
             const char *question,
             GError    **error)
{
  g_autoptr(GInputStream) input = g_unix_input_stream_new (STDIN_FILENO, FALSE);
  g_autoptr(GDataInputStream) lines = g_data_input_stream_new (input);
  g_autofree char *answer = NULL;

  console_ask (cli->console, question);
  g_data_input_stream_read_line_async (lines, G_PRIORITY_DEFAULT, cli->cancellable, cli_done_cb,
                                       cli);
  answer = g_data_input_stream_read_line_finish_utf8 (lines, cli_wait (cli), NULL, error);
  if (answer == NULL)
    {
      console_say (cli->console, "%s", "");
      return FALSE;
    }

  g_strstrip (answer);
  return g_ascii_strcasecmp (answer, "y") == 0 || g_ascii_strcasecmp (answer, "yes") == 0;
}

void
cli_forget_signals (Cli *cli)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cli->signals); i++)
    g_clear_handle_id (&cli->signals[i], g_source_remove);
}

gboolean
cli_parse_format (const char *text,
                  CliFormat  *format,
                  GError    **error)
{
  if (text == NULL || g_str_equal (text, "yaml"))
    *format = CLI_FORMAT_YAML;
  else if (g_str_equal (text, "json"))
    *format = CLI_FORMAT_JSON;
  else
    return cli_usage_error (error, _("invalid value \"%s\" for flag --format: %s"), text,
                            _("expected yaml or json"));
  return TRUE;
}

static void
build_json (JsonBuilder *builder,
            WelkinValue *value)
{
  switch (welkin_value_get_kind (value))
    {
    case WELKIN_VALUE_MAP:
      json_builder_begin_object (builder);
      for (guint i = 0; i < welkin_value_get_length (value); i++)
        {
          json_builder_set_member_name (builder, welkin_value_get_key (value, i));
          build_json (builder, welkin_value_get_item (value, i));
        }
      json_builder_end_object (builder);
      break;
    case WELKIN_VALUE_LIST:
      json_builder_begin_array (builder);
      for (guint i = 0; i < welkin_value_get_length (value); i++)
        build_json (builder, welkin_value_get_item (value, i));
      json_builder_end_array (builder);
      break;
    case WELKIN_VALUE_TEXT:
      json_builder_add_string_value (builder, welkin_value_get_text (value));
      break;
    case WELKIN_VALUE_UNSET:
    default:
      json_builder_add_null_value (builder);
      break;
    }
}

/* A builder begins with an object or an array. */
static JsonNode *
make_json_root (WelkinValue *value)
{
  g_autoptr(JsonBuilder) builder = json_builder_new ();
  const char *text = welkin_value_get_text (value);

  if (text != NULL)
    return json_node_init_string (json_node_alloc (), text);
  build_json (builder, value);
  return json_builder_get_root (builder);
}

static char *
print_json (WelkinValue *value)
{
  g_autoptr(JsonGenerator) generator = json_generator_new ();
  g_autoptr(JsonNode) root = make_json_root (value);
  g_autofree char *text = NULL;

  json_generator_set_root (generator, root);
  json_generator_set_pretty (generator, TRUE);
  text = json_generator_to_data (generator, NULL);
  return g_strconcat (text, "\n", NULL);
}

/* In place, as the shell's ">" does: it may be a pipe or a device, or lead elsewhere. */
static gboolean
write_file (const char *path,
            const char *text,
            GError    **error)
{
  FILE *file = fopen (path, "we");
  gboolean is_written = file != NULL && fputs (text, file) >= 0;
  int saved_errno = errno;

  if (file != NULL && fclose (file) != 0 && is_written)
    {
      is_written = FALSE;
      saved_errno = errno;
    }
  if (!is_written)
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved_errno),
                 _("Cannot write \"%s\": %s"), path, g_strerror (saved_errno));
  return is_written;
}

gboolean
cli_print_value (Cli         *cli,
                 WelkinValue *value,
                 CliFormat    format,
                 const char  *path,
                 GError     **error)
{
  g_autofree char *text = NULL;

  text = format == CLI_FORMAT_JSON ? print_json (value) : wk_yaml_print (value);
  if (path != NULL)
    return write_file (path, text, error);

  console_print (cli->console, text);
  return TRUE;
}

gboolean
cli_print_list (Cli        *cli,
                GPtrArray  *items,
                CliFormat   format,
                GError    **error)
{
  g_autoptr(WelkinValue) list = NULL;

  list = welkin_value_new_list ((WelkinValue **) items->pdata, items->len, NULL);
  return cli_print_value (cli, list, format, NULL, error);
}
