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

struct _WelkinCloudInit
{
  WelkinConfig *document; /* (owned) all but the commands */
  GStrvBuilder *commands; /* (owned) */
};

WelkinCloudInit *
welkin_cloud_init_new (void)
{
  WelkinCloudInit *self = g_new0 (WelkinCloudInit, 1);

  self->document = welkin_config_new ();
  self->commands = g_strv_builder_new ();
  return self;
}

void
welkin_cloud_init_free (WelkinCloudInit *self)
{
  welkin_config_unref (self->document);
  g_strv_builder_unref (self->commands);
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

void
welkin_cloud_init_set_strings (WelkinCloudInit   *self,
                               const char        *key,
                               const char *const *strings)
{
  g_autoptr(GPtrArray) items = NULL;
  g_autoptr(WelkinValue) list = NULL;

  items = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_value_unref);
  for (gsize i = 0; strings[i] != NULL; i++)
    g_ptr_array_add (items, welkin_value_new_text (strings[i], TRUE, NULL));
  list = welkin_value_new_list ((WelkinValue **) items->pdata, items->len, NULL);
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
welkin_cloud_init_add_command (WelkinCloudInit *self,
                               const char      *command)
{
  g_strv_builder_add (self->commands, command);
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
  welkin_cloud_init_add_command (self, fill);
}

char *
welkin_cloud_init_print (WelkinCloudInit *self)
{
  g_auto(GStrv) commands = g_strv_builder_end (self->commands);
  g_autoptr(WelkinValue) map = NULL;
  g_autofree char *yaml = NULL;

  /* Taking the commands emptied the builder. */
  g_strv_builder_addv (self->commands, (const char **) commands);
  welkin_cloud_init_set_strings (self, "runcmd", (const char *const *) commands);

  map = welkin_config_to_value (self->document);
  yaml = wk_yaml_print (map);
  return g_strconcat ("#cloud-config\n", yaml, NULL);
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
