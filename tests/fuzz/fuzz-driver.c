/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "fuzz-driver.h"

/* Feeds a target with damaged seeds. Whatever it makes of them, it must not crash; the sanitizers
 * and valgrind see the rest. A file that a fuzzer has found is given as an argument. */

#define ROUNDS 5000
#define MAX_CHANGES 4

static void
damage (GByteArray *text)
{
  static const char telling[] = "{}[],:\"'\\/%#?&*!|>-@0 \n\t\r\xEF\xBB\xBF\xFF";
  guint place = g_test_rand_int_range (0, (int) text->len);
  guint length;

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

static void
test_damage (void)
{
  for (guint i = 0; fuzz_seeds[i] != NULL; i++)
    for (guint round = 0; round < ROUNDS; round++)
      {
        g_autoptr(GByteArray) text = g_byte_array_new ();

        g_byte_array_append (text, (const guint8 *) fuzz_seeds[i], strlen (fuzz_seeds[i]));
        for (int changes = g_test_rand_int_range (0, MAX_CHANGES + 1); changes > 0; changes--)
          damage (text);
        LLVMFuzzerTestOneInput (text->data, text->len);
      }
}

static void
test_file (gconstpointer path)
{
  g_autofree char *data = NULL;
  g_autoptr(GError) error = NULL;
  gsize length;

  g_file_get_contents (path, &data, &length, &error);
  g_assert_no_error (error);
  LLVMFuzzerTestOneInput ((const guint8 *) data, length);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/fuzz/damaged-seeds-are-survived", test_damage);
  for (int i = 1; i < argc; i++)
    {
      g_autofree char *name = g_strdup_printf ("/fuzz/file/%d", i);

      g_test_add_data_func (name, argv[i], test_file);
    }
  return g_test_run ();
}
