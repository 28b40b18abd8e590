/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "machine/cloud-init.h"

#include <glib/gstdio.h>
#include <string.h>

#include "base/yaml.h"
#include "values/welkin-error.h"

static void
test_document (void)
{
  const char *const strings[] = { "one", "0644", "two words", NULL };
  g_autoptr(WelkinCloudInit) document = welkin_cloud_init_new ();
  g_autofree char *text = NULL;
  g_autofree char *again = NULL;

  welkin_cloud_init_set_strings (document, "b", strings);
  welkin_cloud_init_set_map (document, "a", "x", "yes", "z", "tab\there", NULL);
  welkin_cloud_init_add_file (document, "/a b/it's", 0600, "it's\n$HOME");
  text = welkin_cloud_init_print (document);
  g_assert_cmpstr (text, ==,
                   "#cloud-config\n"
                   "a:\n"
                   "  x: 'yes'\n"
                   "  z: \"tab\\there\"\n"
                   "b:\n"
                   "- one\n"
                   "- '0644'\n"
                   "- two words\n"
                   "runcmd:\n"
                   "- set -xe\n"
                   "- install -D -m 600 /dev/null '/a b/it'\"'\"'s'\n"
                   "- |-\n"
                   "  set +x; printf '%s\\n' 'it'\"'\"'s\n"
                   "  $HOME' > '/a b/it'\"'\"'s'; set -x\n");

  again = welkin_cloud_init_print (document);
  g_assert_cmpstr (again, ==, text);
}

/* A shell does with the commands what they are for. */
static void
test_file (void)
{
  g_autoptr(WelkinCloudInit) document = welkin_cloud_init_new ();
  g_autofree char *directory = g_dir_make_tmp ("welkin-test-XXXXXX", NULL);
  g_autofree char *subdirectory = g_build_filename (directory, "a 'b'", NULL);
  g_autofree char *path = g_build_filename (subdirectory, "file", NULL);
  g_autofree char *text = NULL;
  g_autofree char *contents = NULL;
  g_autoptr(WelkinValue) map = NULL;
  g_autoptr(GError) error = NULL;
  WelkinValue *commands = NULL;
  GStatBuf status;

  welkin_cloud_init_add_file (document, path, 0600, "a 'b' \"c\" \\ %s\n\n$(false)");
  text = welkin_cloud_init_print (document);
  map = wk_yaml_parse (text, -1, "user-data", &error);
  g_assert_no_error (error);
  commands = welkin_value_lookup (map, "runcmd");
  for (guint i = 0; i < welkin_value_get_length (commands); i++)
    {
      const char *command = welkin_value_get_text (welkin_value_get_item (commands, i));
      const char *const arguments[] = { "/bin/sh", "-c", command, NULL };
      int wait_status = 0;

      g_spawn_sync (NULL, (char **) arguments, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL,
                    &wait_status, &error);
      g_assert_no_error (error);
      g_assert_cmpint (wait_status, ==, 0);
    }

  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, "a 'b' \"c\" \\ %s\n\n$(false)\n");
  g_assert_cmpint (g_stat (path, &status), ==, 0);
  g_assert_cmphex (status.st_mode & 07777, ==, 0600);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (subdirectory), ==, 0);
  g_assert_cmpint (g_rmdir (directory), ==, 0);
}

static char *
decompress (GBytes *bytes)
{
  g_autoptr(GZlibDecompressor) decompressor = NULL;
  g_autoptr(GInputStream) memory = g_memory_input_stream_new_from_bytes (bytes);
  g_autoptr(GInputStream) stream = NULL;
  g_autoptr(GOutputStream) text = g_memory_output_stream_new_resizable ();
  g_autoptr(GError) error = NULL;

  decompressor = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  stream = g_converter_input_stream_new (memory, G_CONVERTER (decompressor));
  g_output_stream_splice (text, stream, G_OUTPUT_STREAM_SPLICE_NONE, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_output_stream_write_all (text, "", 1, NULL, NULL, NULL));
  g_assert_true (g_output_stream_close (text, NULL, NULL));
  return g_memory_output_stream_steal_data (G_MEMORY_OUTPUT_STREAM (text));
}

static void
test_compress (void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GBytes) bytes = welkin_cloud_init_compress ("#cloud-config\na: \xc3\xa4\n", &error);
  g_autoptr(GBytes) again = NULL;
  g_autofree char *text = NULL;
  const guint8 *data = NULL;

  g_assert_no_error (error);
  data = g_bytes_get_data (bytes, NULL);
  g_assert_cmphex (data[0], ==, 0x1f);
  g_assert_cmphex (data[1], ==, 0x8b);
  /* The time of the header. */
  g_assert_cmpmem (data + 4, 4, "\0\0\0\0", 4);

  text = decompress (bytes);
  g_assert_cmpstr (text, ==, "#cloud-config\na: \xc3\xa4\n");
  again = welkin_cloud_init_compress (text, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (again, bytes));
}

/* Text that does not compress well, of so many bytes. */
static char *
make_noise (gsize length)
{
  char *text = g_malloc (length + 1);

  for (gsize i = 0; i < length; i++)
    text[i] = (char) g_test_rand_int_range (33, 127);
  text[length] = '\0';
  return text;
}

static void
test_size (void)
{
  g_autofree char *small = make_noise (48000);
  g_autofree char *large = make_noise (70000);
  g_autoptr(GBytes) bytes = NULL;
  g_autofree char *base64 = NULL;
  g_autoptr(GError) error = NULL;

  bytes = welkin_cloud_init_compress (small, &error);
  g_assert_no_error (error);
  base64 = g_base64_encode (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_assert_cmpuint (strlen (base64), <=, 65535);

  g_assert_null (welkin_cloud_init_compress (large, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
  g_assert_true (g_pattern_match_simple ("the user data is too large: 5???? bytes when compressed, "
                                         "and clouds take at most 49149; *", error->message));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cloud-init/document/is-printed-with-quotes", test_document);
  g_test_add_func ("/cloud-init/file/is-what-a-shell-writes", test_file);
  g_test_add_func ("/cloud-init/compress/is-the-same-each-time", test_compress);
  g_test_add_func ("/cloud-init/compress/refuses-what-is-too-large", test_size);
  return g_test_run ();
}
