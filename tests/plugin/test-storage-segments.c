/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <unistd.h>

#include "storage-fixture.h"
#include "tests/unit/odd-stream.h"
#include "values/welkin-error.h"

/* The segments of a large file on their way: how many at once, and what is left when they end. */

#define SEGMENT (2 << 20)
#define N_SEGMENTS 5
/* The last one is a bit. */
#define LENGTH ((N_SEGMENTS - 1) * SEGMENT + 17)
#define AT_ONCE 3

#define SEGMENTS "*/.segments/*"

/* A stream on its way into a container. */
typedef struct
{
  ProviderFixture *fixture;
  StoragePlace     place;
  OddStream       *stream;
  goffset          length;
  GCancellable    *cancellable;

  /* What is looked at again and again, while it is put. */
  goffset          cancel_at; /* so much was read; 0: never */
  guint            max_files; /* temporary ones that were open at once */
  guint            max_sums;  /* threads that made a checksum */
  goffset          held_at;   /* what was read before the first segment was answered */
} Put;

static void
put_clear (Put *self)
{
  storage_place_clear (&self->place);
  g_clear_object (&self->stream);
  g_clear_object (&self->cancellable);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Put, put_clear)

static void
begin (Put             *self,
       ProviderFixture *fixture,
       goffset          length)
{
  self->fixture = fixture;
  self->length = length;
  self->stream = odd_stream_new (length);
  self->cancellable = g_cancellable_new ();
  fake_cloud_set (fixture->fake, "swift-max-file-size", SEGMENT);
  storage_place_init (&self->place, fixture, NULL, NULL);
  /* There already, so that nothing but segments is to come. */
  storage_save_well (fixture, self->place.storage, "small", "text");
}

/* Entries of a directory of /proc/self in which this is to be read. */
static guint
count_entries (const char *directory,
               const char *word)
{
  g_autoptr(GDir) entries = g_dir_open (directory, 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (entries)) != NULL)
    {
      g_autofree char *path = g_build_filename (directory, name, NULL);
      g_autofree char *text = g_file_read_link (path, NULL);

      if (text == NULL)
        {
          g_autofree char *comm = g_build_filename (path, "comm", NULL);

          g_file_get_contents (comm, &text, NULL, NULL);
        }
      if (text != NULL && strstr (text, word) != NULL)
        n++;
    }
  return n;
}

static guint
count_threads (const char *name)
{
  return count_entries ("/proc/self/task", name);
}

static gboolean
look_cb (gpointer data)
{
  Put *self = data;
  const FakeLogEntry *first = fake_log_find (self->fixture->fake, "PUT", SEGMENTS "0");

  self->max_files = MAX (self->max_files, count_entries ("/proc/self/fd", "/welkin-"));
  self->max_sums = MAX (self->max_sums, count_threads ("checksum"));
  if (first != NULL && first->end_us == 0)
    self->held_at = odd_stream_get_position (self->stream);
  if (self->cancel_at > 0 && odd_stream_get_position (self->stream) >= self->cancel_at)
    g_cancellable_cancel (self->cancellable);
  return G_SOURCE_CONTINUE;
}

static gboolean
put (Put     *self,
     GError **error)
{
  guint looking = g_timeout_add (1, look_cb, self);
  gboolean is_put = storage_put (self->fixture, self->place.storage, "large",
                                 G_INPUT_STREAM (self->stream), self->length, 0,
                                 self->cancellable, error);

  g_source_remove (looking);
  return is_put;
}

static void
assert_is_there (Put *self)
{
  g_autoptr(GBytes) expected = odd_stream_make_bytes (0, (gsize) self->length);
  g_autoptr(GError) error = NULL;
  g_autoptr(GBytes) bytes = storage_load (self->fixture, self->place.storage, "large", 0, &error);

  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (bytes, expected));
}

/* Neither there nor here. */
static void
assert_nothing_is_left (Put *self)
{
  guint n_ticks = 0;

  g_assert_cmpuint (storage_count_objects (self->fixture, ""), ==, 1);
  g_assert_cmpuint (count_entries ("/proc/self/fd", "/welkin-"), ==, 0);
  /* A thread is still there for a moment when it has said that it is done. */
  while (count_threads ("upload") + count_threads ("checksum") > 0 && n_ticks++ < 5000)
    g_usleep (1000);
  g_assert_cmpuint (n_ticks, <, 5000);
}

/* How many of the requests for segments were under way at the same time. */
static guint
find_most_at_once (ProviderFixture *fixture)
{
  GPtrArray *entries = fake_log_get_entries (fixture->fake);
  guint most = 0;

  for (guint i = 0; i < entries->len; i++)
    {
      FakeLogEntry *entry = entries->pdata[i];
      guint n = 0;

      for (guint j = 0; j <= i; j++)
        {
          FakeLogEntry *other = entries->pdata[j];

          if (g_pattern_match_simple ("*/.segments/*", other->path)
              && (other->end_us == 0 || other->end_us > entry->start_us))
            n++;
        }
      most = MAX (most, n);
    }
  return most;
}

/* Swift takes its time over each. */
static void
test_three_at_once (ProviderFixture *fixture,
                    gconstpointer    data)
{
  static const FakeRule late = { .method = "PUT", .path = SEGMENTS, .times = -1, .delay_ms = 500 };
  g_auto(Put) self = { NULL };
  g_autoptr(GError) error = NULL;

  begin (&self, fixture, LENGTH);
  fake_cloud_add_rule (fixture->fake, &late);
  put (&self, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fake_log_count (fixture->fake, "PUT", SEGMENTS), ==, N_SEGMENTS);
  g_assert_cmpuint (find_most_at_once (fixture), ==, AT_ONCE);
  /* Those that had a place were read while the first one was not kept yet. */
  g_assert_cmpint (self.held_at, ==, AT_ONCE * SEGMENT);
  g_assert_cmpuint (self.max_sums, <=, AT_ONCE + 1);
  assert_is_there (&self);
}

/* A pipe: the next is taken out of it while one is sent; what was sent needs no room any more. */
static void
test_three_in_temporary_files (ProviderFixture *fixture,
                               gconstpointer    data)
{
  static const FakeRule late = { .method = "PUT", .path = SEGMENTS, .times = -1, .delay_ms = 500 };
  g_auto(Put) self = { NULL };
  g_autoptr(GError) error = NULL;

  begin (&self, fixture, 6 * SEGMENT);
  odd_stream_set_one_way (self.stream);
  fake_cloud_add_rule (fixture->fake, &late);
  put (&self, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (find_most_at_once (fixture), ==, AT_ONCE);
  g_assert_cmpint (self.held_at, ==, AT_ONCE * SEGMENT);
  g_assert_cmpuint (self.max_files, ==, AT_ONCE);
  assert_is_there (&self);
}

static void
test_failure_stops_the_others (ProviderFixture *fixture,
                               gconstpointer    data)
{
  static const FakeRule fails = {
    .method = "PUT", .path = SEGMENTS "1", .action = FAKE_FAIL, .status = 507, .times = -1,
  };
  static const FakeRule hangs = {
    .method = "PUT", .path = SEGMENTS, .action = FAKE_HANG, .times = -1,
  };
  g_auto(Put) self = { NULL };
  g_autoptr(GError) error = NULL;

  begin (&self, fixture, LENGTH);
  fake_cloud_add_rule (fixture->fake, &fails);
  fake_cloud_add_rule (fixture->fake, &hangs);
  g_assert_false (put (&self, &error));
  g_assert_cmpuint (welkin_error_get_status (error), ==, 507);
  g_assert_cmpuint (fake_log_count (fixture->fake, "PUT", SEGMENTS "4"), ==, 0);
  assert_nothing_is_left (&self);
}

/* In the third segment. */
static void
test_source_with_a_flaw (ProviderFixture *fixture,
                         gconstpointer    data)
{
  static const struct
  {
    OddFlaw     flaw;
    gboolean    is_one_way;
    const char *message;
  } rows[] = {
    { ODD_STREAM_ENDS, FALSE, "shorter than announced" },
    { ODD_STREAM_ENDS, TRUE, "the data end after" },
    { ODD_STREAM_FAILS, FALSE, "the disk is broken" },
    { ODD_STREAM_FAILS, TRUE, "the disk is broken" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto(Put) self = { NULL };
      g_autoptr(GError) error = NULL;

      begin (&self, fixture, LENGTH);
      odd_stream_set_flaw (self.stream, rows[i].flaw, 2 * SEGMENT + 100000);
      if (rows[i].is_one_way)
        odd_stream_set_one_way (self.stream);
      g_assert_false (put (&self, &error));
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, rows[i].message));
      g_assert_cmpuint (fake_log_count (fixture->fake, "PUT", SEGMENTS "4"), ==, 0);
      storage_remove_all_well (fixture, self.place.storage);
      storage_save_well (fixture, self.place.storage, "small", "text");
      assert_nothing_is_left (&self);
      storage_remove_all_well (fixture, self.place.storage);
    }
}

/* However far it has come; and so often that a place that is forgotten is missed at the end. */
static void
test_cancelled_at_any_moment (ProviderFixture *fixture,
                              gconstpointer    data)
{
  static const FakeRule late = { .method = "PUT", .path = SEGMENTS, .times = -1, .delay_ms = 20 };
  gboolean is_one_way = GPOINTER_TO_INT (data);
  g_auto(Put) self = { NULL };
  g_autoptr(GError) error = NULL;

  begin (&self, fixture, LENGTH);
  fake_cloud_add_rule (fixture->fake, &late);
  for (guint i = 0; i < 11; i++)
    {
      self.cancel_at = MAX (LENGTH / 11 * i, 1);
      if (is_one_way)
        odd_stream_set_one_way (self.stream);
      g_assert_false (put (&self, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_clear_error (&error);
      assert_nothing_is_left (&self);
      g_object_unref (self.stream);
      self.stream = odd_stream_new (LENGTH);
      g_cancellable_reset (self.cancellable);
    }

  self.cancel_at = 0;
  put (&self, &error);
  g_assert_no_error (error);
  assert_is_there (&self);
}

/* Each goes out from its own start, whatever has been read of the others meanwhile. */
static void
test_sent_again_out_of_order (ProviderFixture *fixture,
                              gconstpointer    data)
{
  static const FakeRule again = {
    .method = "PUT", .path = SEGMENTS "0", .action = FAKE_FAIL, .status = 503, .times = 2,
    .delay_ms = 100,
  };
  static const FakeRule lost = {
    .method = "PUT", .path = SEGMENTS "2", .action = FAKE_DROP_AFTER, .delay_ms = 50,
  };
  g_auto(Put) self = { NULL };
  g_autoptr(GError) error = NULL;

  begin (&self, fixture, LENGTH);
  if (GPOINTER_TO_INT (data))
    odd_stream_set_one_way (self.stream);
  fake_cloud_add_rule (fixture->fake, &again);
  fake_cloud_add_rule (fixture->fake, &lost);
  put (&self, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fake_log_count (fixture->fake, "PUT", SEGMENTS "0"), ==, 3);
  g_assert_cmpuint (fake_log_count (fixture->fake, "PUT", SEGMENTS "2"), ==, 2);
  assert_is_there (&self);
}

static void
add (const char *path,
     gpointer    data,
     void      (*test) (ProviderFixture *, gconstpointer))
{
  g_test_add (path, ProviderFixture, data, provider_fixture_set_up, test,
              provider_fixture_tear_down);
}

int
main (int    argc,
      char **argv)
{
  gpointer one_way = GINT_TO_POINTER (TRUE);

  g_test_init (&argc, &argv, NULL);

  add ("/swift/segments/three-at-once", NULL, test_three_at_once);
  add ("/swift/segments/three-in-temporary-files", NULL, test_three_in_temporary_files);
  add ("/swift/segments/failure-stops-the-others", NULL, test_failure_stops_the_others);
  add ("/swift/segments/source-with-a-flaw", NULL, test_source_with_a_flaw);
  add ("/swift/segments/cancelled-at-any-moment", NULL, test_cancelled_at_any_moment);
  add ("/swift/segments/of-a-pipe-cancelled", one_way, test_cancelled_at_any_moment);
  add ("/swift/segments/sent-again-out-of-order", NULL, test_sent_again_out_of_order);
  add ("/swift/segments/of-a-pipe-sent-again", one_way, test_sent_again_out_of_order);

  return provider_fixture_run ();
}
