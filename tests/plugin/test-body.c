/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <malloc.h>
#include <string.h>

#include "tests/unit/odd-stream.h"
#include "tests/unit/result.h"
#include "transport/os-body.h"
#include "transport/os-digest.h"

/* What a request sends, and its checksums. */

#define LENGTH (3 * 256 * 1024 + 5)

static GBytes *
make_data (void)
{
  guint8 *data = g_malloc (LENGTH);

  for (guint i = 0; i < LENGTH; i++)
    data[i] = (guint8) (i * 7 + i / 251);
  return g_bytes_new_take (data, LENGTH);
}

static gssize
read_some (GInputStream *stream,
           guint8       *buffer,
           gsize         count,
           GError      **error)
{
  g_autoptr(GAsyncResult) result = NULL;

  g_input_stream_read_async (stream, buffer, count, G_PRIORITY_DEFAULT, NULL, result_cb,
                             &result);
  return g_input_stream_read_finish (stream, result_wait (&result), error);
}

/* All that comes, or NULL. (transfer full) */
static GBytes *
read_all (GInputStream *stream,
          GError      **error)
{
  g_autoptr(GByteArray) all = g_byte_array_new ();
  guint8 buffer[8192];
  gssize size;

  while ((size = read_some (stream, buffer, sizeof buffer, error)) > 0)
    g_byte_array_append (all, buffer, (guint) size);
  return size == 0 ? g_byte_array_free_to_bytes (g_steal_pointer (&all)) : NULL;
}

static OsBody *
make_body (GBytes     *data,
           goffset     length,
           const char *md5)
{
  g_autoptr(GInputStream) source = g_memory_input_stream_new_from_bytes (data);

  return os_body_new (source, length, md5);
}

static void
test_digests (void)
{
  static const struct
  {
    OsDigestKind kind;
    const char  *text;
    const char  *hex;
  } rows[] = {
    { OS_DIGEST_MD5, "", "d41d8cd98f00b204e9800998ecf8427e" },
    { OS_DIGEST_MD5, "abc", "900150983cd24fb0d6963f7d28e17f72" },
    { OS_DIGEST_SHA256, "",
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
    { OS_DIGEST_SHA256, "abc",
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr(OsDigest) digest = os_digest_new (rows[i].kind);
      g_autofree char *hex = NULL;
      g_autofree char *again = NULL;

      os_digest_update (digest, rows[i].text, strlen (rows[i].text));
      hex = os_digest_end (digest);
      g_assert_cmpstr (hex, ==, rows[i].hex);
      os_digest_update_hex (digest, "616263");
      again = os_digest_end (digest);
      g_assert_cmpstr (again, ==, rows[i | 1].hex);
    }
}

static void
test_all_is_read_and_its_checksum_made (void)
{
  g_autoptr(GBytes) data = make_data ();
  g_autoptr(OsBody) body = make_body (data, LENGTH, NULL);
  g_autofree char *expected = g_compute_checksum_for_bytes (G_CHECKSUM_MD5, data);

  for (guint send = 0; send < 2; send++)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(GInputStream) stream = os_body_open (body, &error);
      g_autoptr(GBytes) read = NULL;
      g_autofree char *early = NULL;
      g_autofree char *md5 = NULL;

      g_assert_no_error (error);
      early = os_body_dup_md5 (body);
      g_assert_null (early);
      read = read_all (stream, &error);
      g_assert_no_error (error);
      g_assert_true (g_bytes_equal (read, data));
      md5 = os_body_dup_md5 (body);
      g_assert_cmpstr (md5, ==, expected);
    }
}

static void
test_only_its_part_is_read (void)
{
  g_autoptr(GBytes) data = make_data ();
  g_autoptr(GInputStream) source = g_memory_input_stream_new_from_bytes (data);
  g_autoptr(GBytes) expected = g_bytes_new_from_bytes (data, 1000, 300000);
  g_autoptr(OsBody) body = NULL;
  g_autoptr(GInputStream) stream = NULL;
  g_autoptr(GBytes) read = NULL;
  g_autoptr(GError) error = NULL;

  g_seekable_seek (G_SEEKABLE (source), 1000, G_SEEK_SET, NULL, &error);
  g_assert_no_error (error);
  body = os_body_new (source, 300000, NULL);
  stream = os_body_open (body, &error);
  g_assert_no_error (error);
  read = read_all (stream, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (read, expected));
  g_assert_cmpint (g_seekable_tell (G_SEEKABLE (source)), ==, 301000);
}

static void
test_a_known_checksum_is_kept (void)
{
  g_autoptr(GBytes) data = make_data ();
  g_autoptr(OsBody) body = make_body (data, LENGTH, "known");
  g_autoptr(GError) error = NULL;
  g_autoptr(GInputStream) stream = os_body_open (body, &error);
  g_autofree char *before = os_body_dup_md5 (body);
  g_autofree char *md5 = NULL;
  g_autoptr(GBytes) read = read_all (stream, &error);

  g_assert_no_error (error);
  md5 = os_body_dup_md5 (body);
  g_assert_cmpstr (before, ==, "known");
  g_assert_cmpstr (md5, ==, "known");
}

/* The first send ends in its middle. */
static void
test_sent_anew_it_begins_anew (void)
{
  g_autoptr(GBytes) data = make_data ();
  g_autoptr(OsBody) body = make_body (data, LENGTH, NULL);
  g_autofree char *expected = g_compute_checksum_for_bytes (G_CHECKSUM_MD5, data);

  for (guint i = 0; i < 50; i++)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(GInputStream) first = os_body_open (body, &error);
      g_autoptr(GInputStream) second = NULL;
      g_autoptr(GBytes) read = NULL;
      g_autofree char *md5 = NULL;
      guint8 buffer[16];

      g_assert_cmpint (read_some (first, buffer, sizeof buffer, &error), ==, sizeof buffer);
      second = os_body_open (body, &error);
      g_assert_no_error (error);
      if (i % 2 == 0)
        g_clear_object (&first);
      read = read_all (second, &error);
      g_assert_no_error (error);
      g_assert_true (g_bytes_equal (read, data));
      md5 = os_body_dup_md5 (body);
      g_assert_cmpstr (md5, ==, expected);
    }
}

static void
test_a_former_send_gives_no_more (void)
{
  g_autoptr(GBytes) data = make_data ();
  g_autoptr(OsBody) body = make_body (data, LENGTH, NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(GInputStream) first = os_body_open (body, &error);
  g_autoptr(GInputStream) second = os_body_open (body, &error);
  g_autoptr(GBytes) read = read_all (first, &error);

  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (read);
}

static void
test_a_source_that_is_short_ends (void)
{
  g_autoptr(GBytes) data = make_data ();
  g_autoptr(OsBody) body = make_body (data, LENGTH + 1, NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(GInputStream) stream = os_body_open (body, &error);
  g_autoptr(GBytes) read = read_all (stream, &error);
  g_autofree char *md5 = os_body_dup_md5 (body);

  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (read, data));
  g_assert_null (md5);
}

static void
test_a_source_that_fails_is_told_of (void)
{
  g_autoptr(GBytes) data = make_data ();
  g_autoptr(GInputStream) source = g_memory_input_stream_new_from_bytes (data);
  g_autoptr(OsBody) body = os_body_new (source, LENGTH, NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(GInputStream) stream = os_body_open (body, &error);
  g_autoptr(GBytes) read = NULL;

  g_input_stream_close (source, NULL, &error);
  g_assert_no_error (error);
  read = read_all (stream, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CLOSED);
  g_assert_null (read);
}

/* Bodies behind one another in one stream. */
typedef struct
{
  OddStream *stream;
  OsBody    *bodies[5];
} Row;

/* So that they end within a block, or with one. */
static const goffset lengths[] = { LENGTH, 512 * 1024, 1, LENGTH, 4 << 20 };

static void
row_init (Row *self)
{
  OsBody *last = NULL;

  self->stream = odd_stream_new (16 << 20);
  for (guint i = 0; i < G_N_ELEMENTS (self->bodies); i++)
    {
      last = last == NULL ? os_body_new (G_INPUT_STREAM (self->stream), lengths[i], NULL)
                          : os_body_new_behind (last, lengths[i]);
      self->bodies[i] = last;
    }
}

static void
row_clear (Row *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->bodies); i++)
    os_body_unref (self->bodies[i]);
  g_clear_object (&self->stream);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Row, row_clear)

static void
row_assert (Row    *self,
            guint   i,
            GBytes *read)
{
  goffset begin = 0;
  g_autoptr(GBytes) expected = NULL;
  g_autofree char *checksum = NULL;
  g_autofree char *md5 = os_body_dup_md5 (self->bodies[i]);

  for (guint former = 0; former < i; former++)
    begin += lengths[former];
  expected = odd_stream_make_bytes (begin, (gsize) lengths[i]);
  checksum = g_compute_checksum_for_bytes (G_CHECKSUM_MD5, expected);
  g_assert_true (g_bytes_equal (read, expected));
  g_assert_cmpstr (md5, ==, checksum);
}

static gpointer
read_in_thread (gpointer body)
{
  g_autoptr(GInputStream) stream = os_body_open (body, NULL);
  g_autoptr(GByteArray) all = g_byte_array_new ();
  guint8 buffer[8192];
  gssize size;

  while ((size = g_input_stream_read (stream, buffer, sizeof buffer, NULL, NULL)) > 0)
    g_byte_array_append (all, buffer, (guint) size);
  return g_byte_array_free_to_bytes (g_steal_pointer (&all));
}

static void
test_read_in_threads (void)
{
  g_auto(Row) row = { NULL };

  row_init (&row);
  for (guint send = 0; send < 2; send++)
    {
      GThread *threads[G_N_ELEMENTS (row.bodies)];

      for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
        threads[i] = g_thread_new ("reader", read_in_thread, row.bodies[i]);
      for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
        {
          g_autoptr(GBytes) read = g_thread_join (threads[i]);

          row_assert (&row, i, read);
        }
    }
}

static void
test_read_in_turns (void)
{
  g_auto(Row) row = { NULL };
  GInputStream *streams[2];
  GByteArray *read[2] = { g_byte_array_new (), g_byte_array_new () };
  guint8 buffer[10000];
  gssize size = 1;

  row_init (&row);
  for (guint i = 0; i < 2; i++)
    streams[i] = os_body_open (row.bodies[i], NULL);
  while (size > 0)
    {
      size = 0;
      for (guint i = 0; i < 2; i++)
        {
          gssize n = read_some (streams[i], buffer, sizeof buffer, NULL);

          g_assert_cmpint (n, >=, 0);
          g_byte_array_append (read[i], buffer, (guint) n);
          size += n;
        }
    }
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr(GBytes) bytes = g_byte_array_free_to_bytes (read[i]);

      row_assert (&row, i, bytes);
      g_object_unref (streams[i]);
    }
}

static goffset
get_memory (void)
{
  struct mallinfo2 info = mallinfo2 ();

  return (goffset) (info.uordblks + info.hblkhd);
}

static gpointer
read_and_forget (gpointer body)
{
  g_autoptr(GInputStream) stream = os_body_open (body, NULL);
  guint8 buffer[8192];
  goffset all = 0;
  gssize size;

  while ((size = g_input_stream_read (stream, buffer, sizeof buffer, NULL, NULL)) > 0)
    all += size;
  return GSIZE_TO_POINTER (all);
}

/* However long they are. */
static void
test_little_is_kept_of_them (void)
{
  const goffset length = 16 << 20;
  g_autoptr(OddStream) source = odd_stream_new (5 * length);
  OsBody *bodies[5];
  GThread *threads[5];
  goffset before;
  goffset most = 0;

  bodies[0] = os_body_new (G_INPUT_STREAM (source), length, NULL);
  for (guint i = 1; i < 5; i++)
    bodies[i] = os_body_new_behind (bodies[i - 1], length);
  before = get_memory ();
  for (guint i = 0; i < 5; i++)
    threads[i] = g_thread_new ("reader", read_and_forget, bodies[i]);
  while (TRUE)
    {
      guint n_done = 0;

      for (guint i = 0; i < 5; i++)
        {
          g_autofree char *md5 = os_body_dup_md5 (bodies[i]);

          n_done += md5 != NULL;
        }
      most = MAX (most, get_memory () - before);
      if (n_done == 5)
        break;
      g_usleep (1000);
    }
  for (guint i = 0; i < 5; i++)
    {
      g_assert_cmpint (GPOINTER_TO_SIZE (g_thread_join (threads[i])), ==, length);
      os_body_unref (bodies[i]);
    }
  g_test_message ("%" G_GOFFSET_FORMAT " bytes", most);
  g_assert_cmpint (most, <, 16 << 20);
}

/* Whom the watch has told, and how often. */
typedef struct
{
  GThread *thread;
  guint    n_calls;
} Watch;

static void
watch_cb (gpointer data)
{
  Watch *watch = data;

  watch->thread = g_thread_self ();
  watch->n_calls++;
}

static void
turn_loop (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    continue;
}

/* All, or all but the last byte. */
static void
send_body (OsBody   *body,
           gboolean  is_whole)
{
  g_autoptr(GInputStream) stream = os_body_open (body, NULL);
  g_autofree guint8 *buffer = g_malloc (LENGTH);
  gsize wanted = is_whole ? LENGTH : LENGTH - 1;
  gsize size;

  g_input_stream_read_all (stream, buffer, wanted, &size, NULL, NULL);
  g_assert_cmpuint (size, ==, wanted);
}

static gpointer
send_thread (gpointer body)
{
  send_body (body, TRUE);
  return NULL;
}

static void
test_watch_is_called_once_in_its_context (void)
{
  g_autoptr(GBytes) data = make_data ();
  g_autoptr(OsBody) body = make_body (data, LENGTH, NULL);
  Watch watch = { NULL };

  os_body_watch (body, watch_cb, &watch);
  send_body (body, FALSE);
  turn_loop ();
  g_assert_cmpuint (watch.n_calls, ==, 0);

  g_thread_join (g_thread_new ("sender", send_thread, body));
  g_assert_cmpuint (watch.n_calls, ==, 0);
  turn_loop ();
  g_assert_cmpuint (watch.n_calls, ==, 1);
  g_assert_true (watch.thread == g_thread_self ());

  /* It has let the next one read already. */
  send_body (body, TRUE);
  turn_loop ();
  g_assert_cmpuint (watch.n_calls, ==, 1);
}

static void
test_watch_that_was_taken_away (void)
{
  g_autoptr(GBytes) data = make_data ();
  g_autoptr(OsBody) body = make_body (data, LENGTH, NULL);
  Watch watch = { NULL };

  os_body_watch (body, watch_cb, &watch);
  os_body_watch (body, NULL, NULL);
  send_body (body, TRUE);
  turn_loop ();
  g_assert_cmpuint (watch.n_calls, ==, 0);

  /* When it was about to be called. */
  os_body_watch (body, watch_cb, &watch);
  send_body (body, TRUE);
  os_body_watch (body, NULL, NULL);
  turn_loop ();
  g_assert_cmpuint (watch.n_calls, ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/body/digests", test_digests);
  g_test_add_func ("/body/all-is-read-and-its-checksum-made",
                   test_all_is_read_and_its_checksum_made);
  g_test_add_func ("/body/only-its-part-is-read", test_only_its_part_is_read);
  g_test_add_func ("/body/a-known-checksum-is-kept", test_a_known_checksum_is_kept);
  g_test_add_func ("/body/sent-anew-it-begins-anew", test_sent_anew_it_begins_anew);
  g_test_add_func ("/body/a-former-send-gives-no-more", test_a_former_send_gives_no_more);
  g_test_add_func ("/body/a-source-that-is-short-ends", test_a_source_that_is_short_ends);
  g_test_add_func ("/body/a-source-that-fails-is-told-of", test_a_source_that_fails_is_told_of);
  g_test_add_func ("/body/row/read-in-threads", test_read_in_threads);
  g_test_add_func ("/body/row/read-in-turns", test_read_in_turns);
  g_test_add_func ("/body/row/little-is-kept", test_little_is_kept_of_them);
  g_test_add_func ("/body/watch/once-in-its-context", test_watch_is_called_once_in_its_context);
  g_test_add_func ("/body/watch/taken-away", test_watch_that_was_taken_away);

  return g_test_run ();
}
