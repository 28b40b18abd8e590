/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "fuzz-driver.h"

/* Feeds a target with its corpus, and with what becomes of that when it is damaged. Whatever it
 * makes of them, it must not crash; the sanitizers and valgrind see the rest. The corpus is a
 * directory; a file that a fuzzer has found may be given behind it. */

/* Over all files. */
#define ROUNDS 20000
#define MAX_CHANGES 4

static void
damage (GByteArray *text)
{
  static const char telling[] = "{}[],:\"'\\/%#?&*!|>-@0 \n\t\r\xEF\xBB\xBF\xFF";
  guint place = text->len > 0 ? g_test_rand_int_range (0, (int) text->len) : 0;
  guint length;

  if (text->len == 0)
    return;
  switch (g_test_rand_int_range (0, 5))
    {
    case 0:
      text->data[place] = (guint8) g_test_rand_int_range (0, 256);
      break;
    case 1:
      text->data[place] = (guint8) telling[g_test_rand_int_range (0, sizeof (telling))];
      break;
    case 2:
      g_byte_array_set_size (text, place + 1);
      break;
    case 3:
      length = g_test_rand_int_range (1, 20);
      length = MIN (length, text->len - place);
      if (length < text->len)
        g_byte_array_remove_range (text, place, length);
      break;
    default:
      /* A piece of it once more, at the end. */
      {
        g_autofree guint8 *piece = g_memdup2 (text->data + place, text->len - place);

        g_byte_array_append (text, piece, text->len - place);
      }
      break;
    }
}

static GByteArray *
load (const char *path)
{
  g_autoptr(GError) error = NULL;
  char *data;
  gsize length;

  g_file_get_contents (path, &data, &length, &error);
  g_assert_no_error (error);
  return g_byte_array_new_take ((guint8 *) data, length);
}

static void
test_damage (gconstpointer data)
{
  const GPtrArray *paths = data;

  for (guint i = 0; i < paths->len; i++)
    {
      g_autoptr(GByteArray) seed = load (paths->pdata[i]);

      for (guint round = 0; round < ROUNDS / paths->len; round++)
        {
          g_autoptr(GByteArray) text = g_byte_array_new ();

          g_byte_array_append (text, seed->data, seed->len);
          for (int changes = g_test_rand_int_range (0, MAX_CHANGES + 1); changes > 0; changes--)
            damage (text);
          LLVMFuzzerTestOneInput (text->data, text->len);
        }
    }
}

static void
test_file (gconstpointer path)
{
  g_autoptr(GByteArray) text = load (path);

  LLVMFuzzerTestOneInput (text->data, text->len);
}

static int
compare_paths (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* The files of a directory, in an order that is always the same. */
static GPtrArray *
list_files (const char *directory)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(GError) error = NULL;
  g_autoptr(GDir) dir = g_dir_open (directory, 0, &error);
  const char *name;

  g_assert_no_error (error);
  while ((name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (paths, g_build_filename (directory, name, NULL));
  g_ptr_array_sort (paths, compare_paths);
  g_assert_cmpuint (paths->len, >, 0);
  return paths;
}

static void
add_file (const char *path)
{
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *name = g_strconcat ("/fuzz/file/", base, NULL);

  g_test_add_data_func (name, path, test_file);
}

int
main (int   argc,
      char *argv[])
{
  g_autoptr(GPtrArray) corpus = NULL;

  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, >, 1);
  corpus = list_files (argv[1]);

  for (guint i = 0; i < corpus->len; i++)
    add_file (corpus->pdata[i]);
  for (int i = 2; i < argc; i++)
    add_file (argv[i]);
  g_test_add_data_func ("/fuzz/damaged-files-are-survived", corpus, test_damage);

  return g_test_run ();
}
