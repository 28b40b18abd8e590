/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <archive.h>
#include <archive_entry.h>
#include <string.h>

#include "home.h"
#include "metadata/welkin-tools-metadata.h"
#include "result.h"
#include "values/welkin-error.h"

/* What an agent unpacks that is to become another version. */

#define BINARY "1.2.3-noble-amd64"
#define DIRECTORY "data/tools/" BINARY
#define TAR_SIZE ((gsize) 64 * 1024)
#define LONG_SIZE ((gsize) 1024 * 1024)
#define RECORD DIRECTORY "/downloaded-tools.txt"

/* What lies in an archive. */
typedef struct
{
  const char  *name;
  const char  *contents;
  unsigned int type; /* 0: a file */
  int          mode;
  const char  *link;
} Member;

static const Member good[] = {
  { "welkin-agent", "a program", 0, 0700 },
  { "settings", "what it reads", 0, 0666 },
  { "gio-modules/libgiotls.so", "what it loads", 0, 0600 },
};

typedef struct
{
  Home         *home;
  char         *archive; /* (owned) its path */
  GAsyncResult *result;
} Fixture;

static void
fixture_begin (Fixture *fixture)
{
  fixture->home = home_new (NULL);
  fixture->archive = home_get_path (fixture->home, "tools.tgz");
}

static void
fixture_end (Fixture *fixture)
{
  g_clear_object (&fixture->result);
  g_free (fixture->archive);
  home_free (fixture->home);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, fixture_end)

static void
pack (Fixture      *fixture,
      const Member *members,
      gsize         n_members)
{
  struct archive *archive = archive_write_new ();

  archive_write_set_format_ustar (archive);
  archive_write_add_filter_gzip (archive);
  g_assert_cmpint (archive_write_open_filename (archive, fixture->archive), ==, ARCHIVE_OK);
  for (gsize i = 0; i < n_members; i++)
    {
      const Member *member = &members[i];
      struct archive_entry *entry = archive_entry_new ();
      const size_t size = member->contents != NULL ? strlen (member->contents) : 0;

      archive_entry_set_pathname (entry, member->name);
      archive_entry_set_filetype (entry, member->type != 0 ? member->type : AE_IFREG);
      archive_entry_set_perm (entry, (mode_t) member->mode);
      archive_entry_set_size (entry, (gint64) size);
      if (member->type == AE_IFLNK)
        archive_entry_set_symlink (entry, member->link);
      else if (member->link != NULL)
        archive_entry_set_hardlink (entry, member->link);
      g_assert_cmpint (archive_write_header (archive, entry), ==, ARCHIVE_OK);
      if (size > 0)
        g_assert_cmpint (archive_write_data (archive, member->contents, size), ==, size);
      archive_entry_free (entry);
    }
  g_assert_cmpint (archive_write_free (archive), ==, ARCHIVE_OK);
}

/* (transfer full) */
static char *
get_sha256 (Fixture *fixture)
{
  g_autofree char *contents = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (fixture->archive, &contents, &length, NULL));
  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, (guchar *) contents, length);
}

/* sha256: (nullable); (transfer full) (nullable) */
static char *
unpack (Fixture      *fixture,
        const char   *sha256,
        GCancellable *cancellable,
        GError      **error)
{
  g_autofree char *data = home_get_path (fixture->home, "data");
  g_autoptr(WelkinTools) tools = welkin_tools_new ("1.2.3", "noble", "amd64",
                                                   "http://a.test/t.tgz?sig=x", sha256, 10);

  g_clear_object (&fixture->result);
  welkin_tools_unpack_async (tools, fixture->archive, data, cancellable, result_cb,
                             &fixture->result);
  result_wait (&fixture->result);
  return welkin_tools_unpack_finish (tools, fixture->result, error);
}

/* names of what is in the directory of tools; (transfer full) */
static char *
list_tools (Fixture *fixture)
{
  g_autofree char *path = home_get_path (fixture->home, "data/tools");
  g_autoptr(GDir) directory = g_dir_open (path, 0, NULL);
  g_autoptr(GString) names = g_string_new (NULL);
  const char *name;

  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL)
    g_string_append_printf (names, "%s;", name);
  return g_string_free (g_steal_pointer (&names), FALSE);
}

static void
assert_file (Fixture    *fixture,
             const char *name,
             const char *contents,
             guint       mode)
{
  g_autofree char *path = g_build_filename (DIRECTORY, name, NULL);
  g_autofree char *found = home_read (fixture->home, path);

  g_assert_cmpstr (found, ==, contents);
  g_assert_cmphex (home_get_mode (fixture->home, path), ==, mode);
}

static void
test_an_archive_is_unpacked (void)
{
  g_auto(Fixture) fixture = { NULL };
  g_autofree char *sha256 = NULL;
  g_autofree char *found = NULL;
  g_autofree char *wanted = NULL;
  g_autofree char *record = NULL;
  g_autofree char *expected = NULL;
  g_autofree char *names = NULL;
  g_autoptr(GError) error = NULL;

  fixture_begin (&fixture);
  pack (&fixture, good, G_N_ELEMENTS (good));
  sha256 = get_sha256 (&fixture);
  found = unpack (&fixture, sha256, NULL, &error);
  g_assert_no_error (error);
  wanted = home_get_path (fixture.home, DIRECTORY);
  g_assert_cmpstr (found, ==, wanted);
  assert_file (&fixture, "welkin-agent", "a program", 0755);
  assert_file (&fixture, "settings", "what it reads", 0644);
  assert_file (&fixture, "gio-modules/libgiotls.so", "what it loads", 0644);
  expected = g_strdup_printf ("{\"version\":\"" BINARY "\",\"url\":\"http://a.test/t.tgz?sig=x\","
                              "\"sha256\":\"%s\",\"size\":10}", sha256);
  record = home_read (fixture.home, RECORD);
  g_assert_cmpstr (record, ==, expected);
  g_assert_cmphex (home_get_mode (fixture.home, RECORD), ==, 0600);
  names = list_tools (&fixture);
  g_assert_cmpstr (names, ==, BINARY ";");
}

static void
test_another_archive_is_refused (void)
{
  g_auto(Fixture) fixture = { NULL };
  g_autofree char *sha256 = NULL;
  g_autofree char *message = NULL;
  g_autofree char *names = NULL;
  g_autoptr(GError) error = NULL;

  fixture_begin (&fixture);
  pack (&fixture, good, G_N_ELEMENTS (good));
  sha256 = get_sha256 (&fixture);
  g_assert_null (unpack (&fixture, "1234", NULL, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  message = g_strconcat ("tarball sha256 mismatch, expected 1234, got ", sha256, NULL);
  g_assert_cmpstr (error->message, ==, message);
  names = list_tools (&fixture);
  g_assert_cmpstr (names, ==, "");
}

static void
test_what_is_no_plain_file_is_refused (void)
{
  static const struct
  {
    Member      member;
    const char *told;
  } vectors[] = {
    { { "/etc/passwd", "x", 0, 0600 }, "bad name: \"/etc/passwd\"" },
    { { "../x", "x", 0, 0600 }, "bad name: \"../x\"" },
    { { "..", "x", 0, 0600 }, "bad name: \"..\"" },
    { { "a\\b", "x", 0, 0600 }, "bad name: " },
    { { "below/x", "x", 0, 0600 }, "bad name: \"below/x\"" },
    { { "gio-modules/../x", "x", 0, 0600 }, "bad name: \"gio-modules/../x\"" },
    { { "gio-modules/..", "x", 0, 0600 }, "bad name: \"gio-modules/..\"" },
    { { "gio-modules", NULL, AE_IFLNK, 0600, "/etc" }, "bad file type: \"gio-modules\"" },
    { { "x", NULL, AE_IFLNK, 0600, "/etc/passwd" }, "bad file type: \"x\"" },
    { { "x", NULL, 0, 0600, "welkin-agent" }, "bad file type: \"x\"" },
    { { "x", NULL, AE_IFIFO, 0600 }, "bad file type: \"x\"" },
    { { "x", NULL, AE_IFCHR, 0600 }, "bad file type: \"x\"" },
    { { "welkin-agent", "twice", 0, 0600 }, "welkin-agent" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (vectors); i++)
    {
      const Member members[] = { good[0], vectors[i].member };
      g_auto(Fixture) fixture = { NULL };
      g_autofree char *names = NULL;
      g_autoptr(GError) error = NULL;

      g_test_message ("%s", vectors[i].member.name);
      fixture_begin (&fixture);
      pack (&fixture, members, G_N_ELEMENTS (members));
      g_assert_null (unpack (&fixture, NULL, NULL, &error));
      g_assert_nonnull (error);
      g_assert_nonnull (strstr (error->message, vectors[i].told));
      names = list_tools (&fixture);
      g_assert_cmpstr (names, ==, "");
    }
}

/* As none of the usual programs makes one: a link that has contents, which would be written through
 * it. */
static void
test_a_link_with_contents_is_refused (void)
{
  g_auto(Fixture) fixture = { NULL };
  g_autofree char *packed = NULL;
  g_autofree char *text = NULL;
  g_autoptr(GZlibDecompressor) converter = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  g_autoptr(GError) error = NULL;
  gsize length;
  gsize n_read;
  gsize n_written;
  guint sum = 8 * ' ';
  char *header;

  fixture_begin (&fixture);
  pack (&fixture, good, 2);
  g_assert_true (g_file_get_contents (fixture.archive, &packed, &length, NULL));
  text = g_malloc0 (TAR_SIZE);
  g_converter_convert (G_CONVERTER (converter), packed, length, text, TAR_SIZE,
                       G_CONVERTER_INPUT_AT_END, &n_read, &n_written, &error);
  g_assert_no_error (error);
  /* Behind the header and the contents of the first one; the sum takes itself for spaces. */
  header = text + 2 * 512;
  header[156] = '1';
  strcpy (header + 157, "welkin-agent");
  for (guint i = 0; i < 512; i++)
    sum += i >= 148 && i < 156 ? 0 : (guchar) header[i];
  g_snprintf (header + 148, 8, "%06o", sum);
  g_assert_true (g_file_set_contents (fixture.archive, text, (gssize) n_written, &error));

  g_assert_null (unpack (&fixture, NULL, NULL, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  g_assert_nonnull (strstr (error->message, "bad file type: \"settings\""));
}

static void
test_what_is_there_already_stays (void)
{
  g_auto(Fixture) fixture = { NULL };
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *names = NULL;
  g_autoptr(GError) error = NULL;

  fixture_begin (&fixture);
  pack (&fixture, good, G_N_ELEMENTS (good));
  first = unpack (&fixture, NULL, NULL, &error);
  g_assert_no_error (error);
  home_write (fixture.home, DIRECTORY "/settings", "as they were");
  second = unpack (&fixture, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (second, ==, first);
  assert_file (&fixture, "settings", "as they were", 0600);
  names = list_tools (&fixture);
  g_assert_cmpstr (names, ==, BINARY ";");
}

static void
test_what_is_there_and_is_something_else_is_told (void)
{
  static const char *const records[] = { NULL, "", "[]", "{\"version\":\"1.2.4-noble-amd64\"}" };

  for (gsize i = 0; i < G_N_ELEMENTS (records); i++)
    {
      g_auto(Fixture) fixture = { NULL };
      g_autofree char *names = NULL;
      g_autoptr(GError) error = NULL;

      fixture_begin (&fixture);
      pack (&fixture, good, G_N_ELEMENTS (good));
      home_write (fixture.home, DIRECTORY "/kept", "by somebody");
      if (records[i] != NULL)
        home_write (fixture.home, RECORD, records[i]);
      g_assert_null (unpack (&fixture, NULL, NULL, &error));
      g_assert_nonnull (error);
      g_assert_nonnull (strstr (error->message, BINARY));
      assert_file (&fixture, "kept", "by somebody", 0600);
      names = list_tools (&fixture);
      g_assert_cmpstr (names, ==, BINARY ";");
    }
}

static void
test_a_broken_archive_leaves_nothing (void)
{
  g_auto(Fixture) fixture = { NULL };
  g_autofree char *names = NULL;
  g_autofree char *contents = NULL;
  gsize length;

  fixture_begin (&fixture);
  pack (&fixture, good, G_N_ELEMENTS (good));
  g_assert_true (g_file_get_contents (fixture.archive, &contents, &length, NULL));
  for (gsize i = 1; i < length - 16; i += 7)
    {
      g_autofree char *found = NULL;
      g_autoptr(GError) error = NULL;

      g_assert_true (g_file_set_contents (fixture.archive, contents, (gssize) i, &error));
      found = unpack (&fixture, NULL, NULL, &error);
      g_assert_null (found);
      g_assert_nonnull (error);
    }
  names = list_tools (&fixture);
  g_assert_cmpstr (names, ==, "");
}

/* What is read of a file has come before what is broken. */
static void
test_an_archive_that_ends_in_a_file_is_told_of (void)
{
  g_auto(Fixture) fixture = { NULL };
  g_autofree char *random = g_malloc0 (LONG_SIZE + 1);
  const Member members[] = { good[0], { "settings", random, 0, 0600 } };
  g_autofree char *contents = NULL;
  g_autofree char *names = NULL;
  g_autoptr(GError) error = NULL;
  gsize length;

  for (gsize i = 0; i < LONG_SIZE; i++)
    random[i] = (char) g_test_rand_int_range (1, 128);
  fixture_begin (&fixture);
  pack (&fixture, members, G_N_ELEMENTS (members));
  g_assert_true (g_file_get_contents (fixture.archive, &contents, &length, NULL));
  g_assert_true (g_file_set_contents (fixture.archive, contents, (gssize) length / 2, &error));
  g_assert_null (unpack (&fixture, NULL, NULL, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  g_assert_nonnull (strstr (error->message, fixture.archive));
  names = list_tools (&fixture);
  g_assert_cmpstr (names, ==, "");
}

static void
test_one_that_is_cancelled_leaves_nothing (void)
{
  g_auto(Fixture) fixture = { NULL };
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *names = NULL;
  g_autoptr(GError) error = NULL;

  fixture_begin (&fixture);
  pack (&fixture, good, G_N_ELEMENTS (good));
  g_cancellable_cancel (cancellable);
  g_assert_null (unpack (&fixture, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  names = list_tools (&fixture);
  g_assert_cmpstr (names, ==, "");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/tools/unpack/an-archive", test_an_archive_is_unpacked);
  g_test_add_func ("/tools/unpack/another-archive-is-refused", test_another_archive_is_refused);
  g_test_add_func ("/tools/unpack/what-is-no-plain-file-is-refused",
                   test_what_is_no_plain_file_is_refused);
  g_test_add_func ("/tools/unpack/a-link-with-contents-is-refused",
                   test_a_link_with_contents_is_refused);
  g_test_add_func ("/tools/unpack/what-is-there-already-stays", test_what_is_there_already_stays);
  g_test_add_func ("/tools/unpack/what-is-there-and-is-something-else-is-told",
                   test_what_is_there_and_is_something_else_is_told);
  g_test_add_func ("/tools/unpack/a-broken-archive-leaves-nothing",
                   test_a_broken_archive_leaves_nothing);
  g_test_add_func ("/tools/unpack/an-archive-that-ends-in-a-file-is-told-of",
                   test_an_archive_that_ends_in_a_file_is_told_of);
  g_test_add_func ("/tools/unpack/one-that-is-cancelled-leaves-nothing",
                   test_one_that_is_cancelled_leaves_nothing);

  return g_test_run ();
}
