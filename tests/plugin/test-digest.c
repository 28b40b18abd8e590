/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "transport/os-digest.h"

/* More than are on their way at once. */
#define MANY (3 * 1024 * 1024 + 17)

static const struct
{
  OsDigestKind  kind;
  GChecksumType type;
} kinds[] = {
  { OS_DIGEST_MD5, G_CHECKSUM_MD5 },
  { OS_DIGEST_SHA256, G_CHECKSUM_SHA256 },
};

/* (transfer full) */
static guint8 *
make_data (gsize size)
{
  guint8 *data = g_malloc (size);

  for (gsize i = 0; i < size; i++)
    data[i] = (guint8) g_test_rand_int ();
  return data;
}

/* In pieces of any size, with and without a copy. */
static void
update (OsDigest     *digest,
        const guint8 *data,
        gsize         size)
{
  while (size > 0)
    {
      gsize most = (gsize) g_test_rand_int_range (0, 300 * 1024);
      gsize piece = MIN (size, most);

      g_autoptr(GBytes) bytes = g_bytes_new (data, piece);

      if (g_test_rand_bit ())
        os_digest_update (digest, data, piece);
      else
        os_digest_update_bytes (digest, bytes);
      data += piece;
      size -= piece;
    }
}

static void
test_sums_are_those_of_the_whole (void)
{
  static const gsize sizes[] = { 0, 1, 256 * 1024 - 1, 256 * 1024, 256 * 1024 + 1, MANY, 5, 0 };
  g_autofree guint8 *data = make_data (MANY);

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr(OsDigest) digest = os_digest_new (kinds[i].kind);

      /* Each begins anew where the last one has ended. */
      for (gsize j = 0; j < G_N_ELEMENTS (sizes); j++)
        {
          g_autofree char *wanted = g_compute_checksum_for_data (kinds[i].type, data, sizes[j]);
          g_autofree char *sum = NULL;

          update (digest, data, sizes[j]);
          sum = os_digest_end (digest);
          g_assert_cmpstr (sum, ==, wanted);
        }
    }
}

static void
test_sums_of_sums_are_those_of_their_bytes (void)
{
  g_autoptr(OsDigest) digest = os_digest_new (OS_DIGEST_MD5);
  g_autofree char *wanted = g_compute_checksum_for_string (G_CHECKSUM_MD5, "Az", -1);
  g_autofree char *sum = NULL;

  os_digest_update_hex (digest, "417a");
  sum = os_digest_end (digest);
  g_assert_cmpstr (sum, ==, wanted);
}

static void
test_one_that_is_not_ended_goes (void)
{
  g_autofree guint8 *data = make_data (MANY);

  for (gsize size = 256 * 1024; size <= MANY; size += 256 * 1024 + 1)
    {
      g_autoptr(OsDigest) digest = os_digest_new (OS_DIGEST_MD5);

      os_digest_update (digest, data, size);
    }
}

static void
let_go (gpointer n_kept)
{
  g_atomic_int_add ((int *) n_kept, -1);
}

/* Who is faster than the sum waits for it. */
static void
test_few_blocks_are_kept (void)
{
  g_autofree guint8 *data = g_malloc0 (MANY);
  g_autoptr(OsDigest) digest = os_digest_new (OS_DIGEST_SHA256);
  g_autofree char *sum = NULL;
  int n_kept = 0;

  for (guint i = 0; i < 20; i++)
    {
      g_autoptr(GBytes) block = g_bytes_new_with_free_func (data, MANY, let_go, &n_kept);

      g_atomic_int_inc (&n_kept);
      os_digest_update_bytes (digest, block);
      g_assert_cmpint (g_atomic_int_get (&n_kept), <=, 4);
    }
  sum = os_digest_end (digest);
  g_assert_cmpint (g_atomic_int_get (&n_kept), ==, 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/digest/sums-are-those-of-the-whole", test_sums_are_those_of_the_whole);
  g_test_add_func ("/digest/sums-of-sums-are-those-of-their-bytes",
                   test_sums_of_sums_are_those_of_their_bytes);
  g_test_add_func ("/digest/one-that-is-not-ended-goes", test_one_that_is_not_ended_goes);
  g_test_add_func ("/digest/few-blocks-are-kept", test_few_blocks_are_kept);
  return g_test_run ();
}
