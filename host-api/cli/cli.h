/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <welkin.h>

#include "cli/console.h"

G_BEGIN_DECLS

/* What the command line got wrong, as against what went wrong: exit status 2. */
#define CLI_ERROR (cli_error_quark ())

typedef enum
{
  CLI_ERROR_USAGE,
} CliError;

GQuark cli_error_quark (void);

typedef struct _Cli Cli;
typedef struct _CliCommand CliCommand;

struct _CliCommand
{
  const char         *name;        /* "status", "metadata sign" */
  const char * const *aliases;     /* or NULL */
  const char         *usage;       /* behind the name: "[NAME]" */
  const char         *summary;     /* one line, translatable */
  const char         *description; /* paragraphs for --help, translatable; or NULL */
  const GOptionEntry *options;     /* or NULL */
  gboolean            ends_options; /* behind its first argument they are another program's */
  /* arguments: what is left behind the options, NULL-terminated */
  gboolean          (*run) (Cli     *cli,
                            char   **arguments,
                            GError **error);
};

struct _Cli
{
  Console            *console;      /* (owned) */
  WelkinTrace        *trace;        /* (owned) (nullable): --debug-http */
  WelkinSurroundings *surroundings; /* (owned): of all that is opened */
  WelkinRegistry     *registry;     /* (owned) */
  WelkinEnvironments *environments; /* (owned) */
  GCancellable       *cancellable;  /* (owned): Ctrl-C */
  GMainLoop          *loop;         /* (owned) */
  GAsyncResult       *result;       /* (owned) (nullable): of the call waited for */
  char              **plugin_directories; /* (owned) (nullable): --plugin-dir */
  guint               signals[3];   /* ids of the sources that wait for Ctrl-C and its like */
  gboolean            is_interrupted;
  const char         *ending;       /* (nullable) what goes on when it is interrupted twice */
};

extern const CliCommand cli_command_add_machine;
extern const CliCommand cli_command_bootstrap;
extern const CliCommand cli_command_close_port;
extern const CliCommand cli_command_clouds;
extern const CliCommand cli_command_config;
extern const CliCommand cli_command_destroy_environment;
extern const CliCommand cli_command_destroy_machine;
extern const CliCommand cli_command_doctor;
extern const CliCommand cli_command_gc;
extern const CliCommand cli_command_get_constraints;
extern const CliCommand cli_command_get_environment;
extern const CliCommand cli_command_help;
extern const CliCommand cli_command_init;
extern const CliCommand cli_command_metadata_generate_image;
extern const CliCommand cli_command_metadata_generate_tools;
extern const CliCommand cli_command_metadata_sign;
extern const CliCommand cli_command_metadata_validate_images;
extern const CliCommand cli_command_metadata_validate_tools;
extern const CliCommand cli_command_open_port;
extern const CliCommand cli_command_plan;
extern const CliCommand cli_command_ports;
extern const CliCommand cli_command_providers;
extern const CliCommand cli_command_provision;
extern const CliCommand cli_command_scp;
extern const CliCommand cli_command_set_constraints;
extern const CliCommand cli_command_set_environment;
extern const CliCommand cli_command_ssh;
extern const CliCommand cli_command_status;
extern const CliCommand cli_command_storage_get;
extern const CliCommand cli_command_storage_list;
extern const CliCommand cli_command_storage_put;
extern const CliCommand cli_command_storage_rm;
extern const CliCommand cli_command_switch;
extern const CliCommand cli_command_sync_tools;
extern const CliCommand cli_command_unset_environment;
extern const CliCommand cli_command_version;

/* All of them, sorted by name, NULL-terminated. */
const CliCommand * const *cli_get_commands (void);
/* The one that the words begin with, by name or alias; a name may be two words. n_words: (out) how
 * many it took. NULL with an error when there is none. */
const CliCommand         *cli_find_command (char               **words,
                                            guint               *n_words,
                                            GError             **error);
/* The text of --help. (transfer full) */
char                     *cli_make_help    (const CliCommand    *command);

/* An option's value, or what stands behind the options, was not understood. */
gboolean      cli_usage_error              (GError             **error,
                                            const char          *format,
                                            ...) G_GNUC_PRINTF (2, 3);
gboolean      cli_expect_no_arguments      (char               **arguments,
                                            GError             **error);
/* Each of them once, in the order in which they are first named. (transfer full) */
char        **cli_drop_repeats             (char               **arguments);

/* The environment that -e names, or else the one that is meant. (transfer full) */
char         *cli_choose_environment       (Cli                 *cli,
                                            const char          *option,
                                            GError             **error);

/* The callback and its data for an asynchronous call, and the wait for it. */
void          cli_done_cb                  (GObject             *source,
                                            GAsyncResult        *result,
                                            gpointer             cli);
/* (transfer none): good until the next wait */
GAsyncResult *cli_wait                     (Cli                 *cli);

/* Asks, and reads a line of standard input: TRUE for "y" and "yes", FALSE with an error when
 * interrupted, FALSE without one for anything else and at the end of input. */
gboolean      cli_confirm                  (Cli                 *cli,
                                            const char          *question,
                                            GError             **error);
/* From now on a signal ends the process as it does any other. */
void          cli_forget_signals           (Cli                 *cli);
/* The options of welkin itself, for its help; NULL-terminated. */
extern const GOptionEntry cli_global_options[];
/* Rows of a help text. */
void          cli_add_options              (GString             *text,
                                            const GOptionEntry  *options);

/* Values of --format. */
typedef enum
{
  CLI_FORMAT_YAML,
  CLI_FORMAT_JSON,
} CliFormat;

gboolean      cli_parse_format             (const char          *text,
                                            CliFormat           *format,
                                            GError             **error);
/* To the file, or to standard output when path is NULL. */
gboolean      cli_print_value              (Cli                 *cli,
                                            WelkinValue         *value,
                                            CliFormat            format,
                                            const char          *path,
                                            GError             **error);
/* A list, to standard output. items: of WelkinValue */
gboolean      cli_print_list               (Cli                 *cli,
                                            GPtrArray           *items,
                                            CliFormat            format,
                                            GError             **error);

G_END_DECLS
