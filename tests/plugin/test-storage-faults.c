/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "os-storage-s3-private.h"
#include "storage-fixture.h"
#include "values/welkin-error.h"

/* What goes wrong while files are listed and removed: it is tried again, or is one clear error, and
 * nothing is waited for without an end. */

/* Minutes of waiting go by in seconds. */
#define TIME_SCALE "60"

#define MANY 2001

/* With a code below zero, all is well. */
#define WELL (-1)

typedef enum
{
  LIST,
  REMOVE,     /* a file */
  REMOVE_ALL, /* where the container is what cannot be removed */
  N_CALLS
} Call;

static const struct
{
  FakeAction action;
  int        status;
  int        once[N_CALLS];   /* the code of the error when it happens once */
  int        always[N_CALLS]; /* and when it happens each time */
} faults[] = {
  /* Servers fail now and then, and looking twice costs nobody. What changes something does not. */
  { FAKE_FAIL, 500, { WELL, WELKIN_ERROR_UNAVAILABLE, WELKIN_ERROR_UNAVAILABLE },
    { WELKIN_ERROR_UNAVAILABLE, WELKIN_ERROR_UNAVAILABLE, WELKIN_ERROR_UNAVAILABLE } },
  { FAKE_FAIL, 503, { WELL, WELL, WELL },
    { WELKIN_ERROR_UNAVAILABLE, WELKIN_ERROR_UNAVAILABLE, WELKIN_ERROR_UNAVAILABLE } },
  { FAKE_FAIL, 429, { WELL, WELL, WELL },
    { WELKIN_ERROR_RATE_LIMITED, WELKIN_ERROR_RATE_LIMITED, WELKIN_ERROR_RATE_LIMITED } },
  { FAKE_FAIL, 403, { WELKIN_ERROR_FORBIDDEN, WELKIN_ERROR_FORBIDDEN, WELKIN_ERROR_FORBIDDEN },
    { WELKIN_ERROR_FORBIDDEN, WELKIN_ERROR_FORBIDDEN, WELKIN_ERROR_FORBIDDEN } },
  /* There is nothing, or nothing any more. */
  { FAKE_FAIL, 404, { WELL, WELL, WELL }, { WELL, WELL, WELL } },
  /* An answer to a removal has no body that could be cut off. */
  { FAKE_CUT, 0, { WELL, WELL, WELL }, { WELKIN_ERROR_PROTOCOL, WELL, WELL } },
  { FAKE_DROP_BEFORE, 0, { WELL, WELL, WELL },
    { WELKIN_ERROR_UNAVAILABLE, WELKIN_ERROR_UNAVAILABLE, WELKIN_ERROR_UNAVAILABLE } },
  { FAKE_DROP_AFTER, 0, { WELL, WELL, WELL },
    { WELKIN_ERROR_UNAVAILABLE, WELKIN_ERROR_UNAVAILABLE, WELKIN_ERROR_UNAVAILABLE } },
  { FAKE_HANG, 0, { WELL, WELL, WELL },
    { WELKIN_ERROR_TIMED_OUT, WELKIN_ERROR_TIMED_OUT, WELKIN_ERROR_TIMED_OUT } },
};

static void
begin (StoragePlace    *place,
       ProviderFixture *fixture,
       const char      *kind,
       guint            n)
{
  g_autoptr(WelkinConfig) config =
    provider_fixture_make_config (fixture, "storage", kind, NULL);
  g_autofree char *json = NULL;

  storage_place_init_for (place, fixture, config);
  storage_save_well (fixture, place->storage, "n", "x");
  json = g_strdup_printf ("{'project': 'demo', 'container': '%s', 'prefix': 'n', 'count': %u}",
                          place->bucket, n - 1);
  fake_cloud_add (fixture->fake, "objects", json);
}

/* One call at a place of its own, beside all others: most of them wait. */
typedef struct
{
  StoragePlace  place;
  Call          call;
  gsize         fault;
  gboolean      is_always;
  guint        *n_running;
  char        **names;   /* (owned) (nullable) that were listed */
  GError       *error;   /* (owned) (nullable) */
} Trial;

static void
trial_free (gpointer data)
{
  Trial *self = data;

  g_clear_error (&self->error);
  g_strfreev (self->names);
  storage_place_clear (&self->place);
  g_free (self);
}

static void
trial_done_cb (GObject      *source,
               GAsyncResult *result,
               gpointer      user_data)
{
  Trial *self = user_data;
  WelkinStorage *storage = WELKIN_STORAGE (source);

  if (self->call == LIST)
    self->names = welkin_storage_list_finish (storage, result, &self->error);
  else if (self->call == REMOVE)
    welkin_storage_remove_finish (storage, result, &self->error);
  else
    welkin_storage_remove_all_finish (storage, result, &self->error);
  (*self->n_running)--;
}

static void
trial_add_rule (Trial           *self,
                ProviderFixture *fixture,
                const char      *kind)
{
  const char *root = g_str_equal (kind, "s3") ? "/s3/" : "/object-store/v1/AUTH_*/";
  g_autofree char *path =
    g_strconcat (root, self->place.bucket, self->call == REMOVE ? "/n" : NULL, NULL);
  const FakeRule rule = {
    .method = self->call == LIST ? "GET" : "DELETE", .path = path,
    .times = self->is_always ? -1 : 0,
    .action = faults[self->fault].action, .status = faults[self->fault].status,
  };

  fake_cloud_add_rule (fixture->fake, &rule);
}

static void
trial_start (Trial *self)
{
  if (self->call == LIST)
    welkin_storage_list_async (self->place.storage, "", NULL, trial_done_cb, self);
  else if (self->call == REMOVE)
    welkin_storage_remove_async (self->place.storage, "n", NULL, trial_done_cb, self);
  else
    welkin_storage_remove_all_async (self->place.storage, NULL, trial_done_cb, self);
}

static void
trial_check (Trial *self)
{
  int expected = self->is_always ? faults[self->fault].always[self->call]
                                 : faults[self->fault].once[self->call];

  g_test_message ("action %d, status %d, call %d, always: %d", faults[self->fault].action,
                  faults[self->fault].status, self->call, self->is_always);
  if (expected == WELL)
    {
      g_assert_no_error (self->error);
      return;
    }
  g_assert_error (self->error, WELKIN_ERROR, expected);
  g_test_message ("%s", self->error->message);
  g_assert_null (strchr (self->error->message, '\n'));
  g_assert_nonnull (strstr (self->error->message, self->place.bucket));
  g_assert_nonnull (strstr (self->error->message, self->call == LIST ? "GET " : "DELETE "));
}

static void
test_each_is_tried_again_or_told (ProviderFixture *fixture,
                                  gconstpointer    kind)
{
  g_autoptr(GPtrArray) trials = g_ptr_array_new_with_free_func (trial_free);
  guint n_running = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (faults) * N_CALLS * 2; i++)
    {
      Trial *trial = g_new0 (Trial, 1);

      trial->fault = i / 2 / N_CALLS;
      trial->call = (Call) (i / 2 % N_CALLS);
      trial->is_always = i % 2 == 0;
      trial->n_running = &n_running;
      begin (&trial->place, fixture, kind, 3);
      trial_add_rule (trial, fixture, kind);
      g_ptr_array_add (trials, trial);
    }
  n_running = trials->len;
  for (guint i = 0; i < trials->len; i++)
    trial_start (g_ptr_array_index (trials, i));
  while (n_running > 0)
    g_main_context_iteration (NULL, TRUE);

  for (guint i = 0; i < trials->len; i++)
    trial_check (g_ptr_array_index (trials, i));
}

/* Requests that delete many: their path in Swift is that of the account. */

static const struct
{
  FakeAction action;
  int        status;
} bulk_faults[] = {
  { FAKE_FAIL, 500 }, { FAKE_FAIL, 503 },      { FAKE_FAIL, 403 },       { FAKE_FAIL, 404 },
  { FAKE_CUT, 0 },    { FAKE_DROP_BEFORE, 0 }, { FAKE_DROP_AFTER, 0 }, { FAKE_HANG, 0 },
};

/* One by one all go that many at once do not, and that is found out once: not for each thousand. */
static void
test_without_bulk_each_goes_alone (ProviderFixture *fixture,
                                   gconstpointer    kind)
{
  for (gsize i = 0; i < G_N_ELEMENTS (bulk_faults); i++)
    {
      g_auto(StoragePlace) place = { NULL };
      const FakeRule rule = {
        .method = "POST", .path = g_str_equal (kind, "s3") ? "/s3/*" : "/object-store/v1/AUTH_*",
        .times = -1, .action = bulk_faults[i].action, .status = bulk_faults[i].status,
      };
      guint n_posts;

      begin (&place, fixture, kind, i + 1 == G_N_ELEMENTS (bulk_faults) ? MANY : 30);
      fake_cloud_add_rule (fixture->fake, &rule);
      fake_log_clear (fixture->fake);
      storage_remove_all_well (fixture, place.storage);
      storage_assert_names (fixture, place.storage, "", "");
      n_posts = fake_log_count (fixture->fake, "POST", rule.path);
      g_test_message ("action %d, status %d: %u requests", rule.action, rule.status, n_posts);
      g_assert_cmpuint (n_posts, >, 0);
      /* In Swift, four of them go out at once; each is sent twice. */
      if (rule.action == FAKE_HANG)
        g_assert_cmpuint (n_posts, ==, g_str_equal (kind, "swift") ? 2 * 3 : 2);
      fake_cloud_clear_rules (fixture->fake);
    }
}

/* A server that stops to answer at all is not asked for each file. */
static void
test_server_that_answers_no_more_ends_it (ProviderFixture *fixture,
                                          gconstpointer    kind)
{
  g_auto(StoragePlace) place = { NULL };
  const char *path = g_str_equal (kind, "s3") ? "/s3/*/n*" : "/object-store/v1/AUTH_*/n*";
  const FakeRule bulk = {
    .method = "POST", .path = g_str_equal (kind, "s3") ? "/s3/*" : "/object-store/v1/AUTH_*",
    .times = -1, .action = FAKE_FAIL, .status = 404,
  };
  const FakeRule rule = { .method = "DELETE", .path = path, .times = -1, .action = FAKE_HANG };
  g_autoptr(GError) error = NULL;

  begin (&place, fixture, kind, 500);
  fake_cloud_add_rule (fixture->fake, &bulk);
  fake_cloud_add_rule (fixture->fake, &rule);
  fake_log_clear (fixture->fake);
  g_assert_false (storage_remove_all (fixture, place.storage, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT);
  /* As many as there are connections, and then one once more. */
  g_assert_cmpuint (fake_log_count (fixture->fake, "DELETE", "*"), <=, 32 + 1);
}

static void
add (const char *path,
     const char *kind,
     void      (*test) (ProviderFixture *, gconstpointer))
{
  g_autofree char *full = g_strdup_printf ("/storage/faults/%s/%s", kind, path);

  g_test_add (full, ProviderFixture, kind, provider_fixture_set_up, test,
              provider_fixture_tear_down);
}

int
main (int    argc,
      char **argv)
{
  static const char *const kinds[] = { "swift", "s3" };

  g_test_init (&argc, &argv, NULL);
  g_setenv ("WELKIN_TEST_TIME_SCALE", TIME_SCALE, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      add ("each-is-tried-again-or-told", kinds[i], test_each_is_tried_again_or_told);
      add ("without-bulk-each-goes-alone", kinds[i], test_without_bulk_each_goes_alone);
      add ("server-that-answers-no-more", kinds[i], test_server_that_answers_no_more_ends_it);
    }

  return provider_fixture_run ();
}
