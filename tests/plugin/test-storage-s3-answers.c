/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "os-storage-s3-private.h"
#include "storage-fixture.h"
#include "values/welkin-error.h"

/* Answers of an S3 server that mean no good: each is one error, soon, and costs little. */

#define LIST_BEGIN "<ListBucketResult><IsTruncated>false</IsTruncated>"
#define LIST_END "</ListBucketResult>"
#define MEGABYTE ((gsize) 1024 * 1024)

/* Of what the whole of an answer may take, that of the fake included. */
#define MAX_SECONDS 5.0

/* What is between begin and end, so often that it is as long as that. (transfer full) */
static char *
repeat (const char *begin,
        const char *text,
        const char *end,
        gsize       length)
{
  GString *body = g_string_sized_new (length + 1024);

  g_string_append (body, begin);
  while (body->len < length)
    g_string_append (body, text);
  g_string_append (body, end);
  return g_string_free (body, FALSE);
}

static void
answer (ProviderFixture *fixture,
        StoragePlace    *place,
        const char      *method,
        const char      *body)
{
  g_autofree char *path = g_strconcat ("/s3/", place->bucket, NULL);
  const FakeRule rule = {
    .method = method, .path = path, .times = -1, .action = FAKE_FAIL, .status = 200,
    .content_type = "application/xml", .body = body,
  };

  fake_cloud_clear_rules (fixture->fake);
  fake_cloud_add_rule (fixture->fake, &rule);
  fake_log_clear (fixture->fake);
}

/* words: what the error says among other things. Takes body. */
static void
assert_refused (ProviderFixture *fixture,
                StoragePlace    *place,
                const char      *words,
                char            *body)
{
  g_autofree char *taken = body;
  g_autoptr(GTimer) timer = NULL;
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) names = NULL;

  answer (fixture, place, "GET", taken);
  timer = g_timer_new ();
  names = storage_list (fixture, place->storage, "", &error);
  g_assert_cmpfloat (g_timer_elapsed (timer, NULL), <, MAX_SECONDS);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, words));
  g_assert_nonnull (strstr (error->message, place->bucket));
  g_assert_cmpuint (strlen (error->message), <, 1000);
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", "/s3/*"), ==, 1);
}

static void
test_entities_are_not_expanded (ProviderFixture *fixture,
                                gconstpointer    data)
{
  static const char *const documents[] = {
    "<!DOCTYPE l [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\">"
    "<!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;\"><!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;&c;&c;\">]>"
    LIST_BEGIN "<Contents><Key>&d;</Key></Contents>" LIST_END,
    "<!DOCTYPE l [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>"
    LIST_BEGIN "<Contents><Key>&x;</Key></Contents>" LIST_END,
    "<!DOCTYPE l [<!ENTITY % x SYSTEM \"http://127.0.0.1:1/x\">%x;]>"
    LIST_BEGIN "<Contents><Key>&y;</Key></Contents>" LIST_END,
  };
  g_auto(StoragePlace) place = { NULL };

  if (!storage_place_init_kind (&place, fixture, "s3"))
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (documents); i++)
    assert_refused (fixture, &place, "not XML", g_strdup (documents[i]));
}

static void
test_nesting_has_an_end (ProviderFixture *fixture,
                         gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };

  if (!storage_place_init_kind (&place, fixture, "s3"))
    return;
  assert_refused (fixture, &place, "nested too deeply",
                  repeat (LIST_BEGIN, "<a>", "", 3 * 10000));
  assert_refused (fixture, &place, "nested too deeply",
                  repeat (LIST_BEGIN, "<a>", "</a></a>", 7 * MEGABYTE));
}

static void
test_length_has_an_end (ProviderFixture *fixture,
                        gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_autofree char *name = NULL;
  g_autofree char *begin_long = NULL;

  if (!storage_place_init_kind (&place, fixture, "s3"))
    return;
  assert_refused (fixture, &place, "an element that is too long",
                  repeat (LIST_BEGIN "<Contents><Key>", "key", "</Key></Contents>" LIST_END,
                          7 * MEGABYTE));
  /* One name that is long, and all that is below it. */
  name = g_strnfill (MEGABYTE / 2, 'n');
  begin_long = g_strdup_printf (LIST_BEGIN "<%s>", name);
  assert_refused (fixture, &place, "an element that is too long",
                  repeat (begin_long, "<a/>", LIST_END, 7 * MEGABYTE));
  assert_refused (fixture, &place, "Too many attributes",
                  repeat (LIST_BEGIN "<a", " b=''", "/>", 7 * MEGABYTE));
}

static void
test_size_has_an_end (ProviderFixture *fixture,
                      gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };

  if (!storage_place_init_kind (&place, fixture, "s3"))
    return;
  assert_refused (fixture, &place, "longer than 8388608 bytes",
                  repeat (LIST_BEGIN, "<Contents><Key>a</Key></Contents>", LIST_END,
                          100 * MEGABYTE));
}

/* Much that says nothing is no reason to refuse it. */
static void
test_noise_takes_little_time (ProviderFixture *fixture,
                              gconstpointer    data)
{
  static const char *const noise[] = {
    "<!-- > -->", "<?p > ?>", "<![CDATA[x]]>", " \n", "&amp;", "<a>&#x41;</a>", "<a/>",
    "<!-- -- > -- > -->",
  };
  g_auto(StoragePlace) place = { NULL };

  if (!storage_place_init_kind (&place, fixture, "s3"))
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (noise); i++)
    {
      g_autofree char *body = repeat (LIST_BEGIN, noise[i], LIST_END, 2 * MEGABYTE);
      g_autoptr(GTimer) timer = NULL;
      g_autoptr(GError) error = NULL;
      g_auto(GStrv) names = NULL;

      answer (fixture, &place, "GET", body);
      timer = g_timer_new ();
      names = storage_list (fixture, place.storage, "", &error);
      g_test_message ("%s: %.2f s, %s", noise[i], g_timer_elapsed (timer, NULL),
                      error != NULL ? error->message : "");
      g_assert_cmpfloat (g_timer_elapsed (timer, NULL), <, MAX_SECONDS);
      g_assert_true (error == NULL || error->code == WELKIN_ERROR_PROTOCOL);
    }
}

/* The mark is what makes the rest ours: it goes last, whatever an answer says. */
static void
test_only_what_was_asked_for_is_deleted (ProviderFixture *fixture,
                                         gconstpointer    data)
{
  static const char *const keys[] = { OS_BUCKET_MARK, "of-nobody", "n000000</Key><Key>n000000" };

  if (provider_fixture_needs_fake (fixture))
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_auto(StoragePlace) place = { NULL };
      g_autofree char *json = NULL;
      g_autofree char *body = g_strdup_printf ("<DeleteResult><Error><Key>%s</Key></Error>"
                                               "</DeleteResult>", keys[i]);

      storage_place_init_kind (&place, fixture, "s3");
      storage_save_well (fixture, place.storage, "n", "x");
      json = g_strdup_printf ("{'project': 'demo', 'container': '%s', 'prefix': 'n', 'count': 2}",
                              place.bucket);
      fake_cloud_add (fixture->fake, "objects", json);
      answer (fixture, &place, "POST", body);
      storage_remove_all_well (fixture, place.storage);
      g_assert_cmpuint (fake_log_count (fixture->fake, "DELETE", "/s3/*/n*"), ==, 3);
      g_assert_cmpuint (fake_log_count (fixture->fake, "DELETE", "/s3/*/" OS_BUCKET_MARK), ==, 1);
      g_assert_cmpuint (fake_log_count (fixture->fake, "DELETE", "/s3/*"), ==, 3 + 2);
    }
}

static void
test_giant_answer_to_a_deletion (ProviderFixture *fixture,
                                 gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_autofree char *body = repeat ("<DeleteResult>", "<Error><Key>n</Key></Error>",
                                  "</DeleteResult>", 7 * MEGABYTE);
  g_autoptr(GTimer) timer = NULL;

  if (!storage_place_init_kind (&place, fixture, "s3"))
    return;
  storage_save_well (fixture, place.storage, "n", "x");
  answer (fixture, &place, "POST", body);
  timer = g_timer_new ();
  storage_remove_all_well (fixture, place.storage);
  g_assert_cmpfloat (g_timer_elapsed (timer, NULL), <, MAX_SECONDS);
  g_assert_cmpuint (fake_log_count (fixture->fake, "DELETE", "/s3/*/n"), ==, 1);
}

static void
add (const char *path,
     void      (*test) (ProviderFixture *, gconstpointer))
{
  g_test_add (path, ProviderFixture, NULL, provider_fixture_set_up, test,
              provider_fixture_tear_down);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add ("/s3/answers/entities-are-not-expanded", test_entities_are_not_expanded);
  add ("/s3/answers/nesting-has-an-end", test_nesting_has_an_end);
  add ("/s3/answers/length-has-an-end", test_length_has_an_end);
  add ("/s3/answers/size-has-an-end", test_size_has_an_end);
  add ("/s3/answers/only-what-was-asked-for-is-deleted", test_only_what_was_asked_for_is_deleted);
  add ("/s3/answers/giant-answer-to-a-deletion", test_giant_answer_to_a_deletion);
  add ("/s3/answers/noise-takes-little-time", test_noise_takes_little_time);

  return provider_fixture_run ();
}
