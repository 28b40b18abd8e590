/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "values/welkin-constraints-validator.h"

#include <glib/gi18n-lib.h>

#include "values/welkin-constraints-private.h"
#include "values/welkin-error.h"

/* Two constraints that exclude each other. */
typedef struct
{
  const char               *red;
  const char               *blue;
  WelkinConstraintsResolver resolver;  /* (nullable) */
  gpointer                  user_data;
  GDestroyNotify            notify;    /* (nullable) */
} Conflict;

/**
 * WelkinConstraintsValidator:
 *
 * What a cloud can make of constraints: which it ignores, which exclude each
 * other, and which values it knows.
 *
 * The provider that makes one fills it before it hands it out; after that it
 * does not change, and may be shared between threads.
 *
 * Since: 0.1
 */
struct _WelkinConstraintsValidator
{
  GHashTable *unsupported;  /* (owned) a set of names */
  GPtrArray  *conflicts;    /* (owned) of Conflict */
  GHashTable *vocabularies; /* (owned) name → GPtrArray of texts */
};

G_DEFINE_BOXED_TYPE (WelkinConstraintsValidator,
                     welkin_constraints_validator,
                     welkin_constraints_validator_ref,
                     welkin_constraints_validator_unref)

static void
drop_resolver (Conflict *self)
{
  if (self->notify != NULL)
    self->notify (self->user_data);
  self->resolver = NULL;
  self->user_data = NULL;
  self->notify = NULL;
}

static void
conflict_free (gpointer data)
{
  drop_resolver (data);
  g_free (data);
}

static void
validator_clear (gpointer data)
{
  WelkinConstraintsValidator *self = data;

  g_hash_table_unref (self->vocabularies);
  g_ptr_array_unref (self->conflicts);
  g_hash_table_unref (self->unsupported);
}

/**
 * welkin_constraints_validator_new:
 *
 * Makes a validator to which nothing is unsupported, nothing conflicts, and
 * every value will do.
 *
 * Returns: (transfer full): a new validator
 *
 * Since: 0.1
 */
WelkinConstraintsValidator *
welkin_constraints_validator_new (void)
{
  WelkinConstraintsValidator *self = g_atomic_rc_box_new0 (WelkinConstraintsValidator);

  self->unsupported = g_hash_table_new (g_str_hash, g_str_equal);
  self->conflicts = g_ptr_array_new_with_free_func (conflict_free);
  self->vocabularies = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                              (GDestroyNotify) g_ptr_array_unref);
  return self;
}

/**
 * welkin_constraints_validator_ref:
 * @self: a validator
 *
 * Takes another reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
WelkinConstraintsValidator *
welkin_constraints_validator_ref (WelkinConstraintsValidator *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

/**
 * welkin_constraints_validator_unref:
 * @self: (transfer full): a validator
 *
 * Drops a reference; the last one frees the validator.
 *
 * Since: 0.1
 */
void
welkin_constraints_validator_unref (WelkinConstraintsValidator *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, validator_clear);
}

/* Registering. */

/**
 * welkin_constraints_validator_register_unsupported:
 * @self: a validator
 * @names: (array zero-terminated=1): names of constraints
 *
 * Says which constraints the cloud ignores, instead of those that were said
 * before.
 *
 * Since: 0.1
 */
void
welkin_constraints_validator_register_unsupported (WelkinConstraintsValidator *self,
                                                   const char * const         *names)
{
  g_return_if_fail (self != NULL && names != NULL);

  g_hash_table_remove_all (self->unsupported);
  for (guint i = 0; names[i] != NULL; i++)
    {
      const char *name = welkin_constraints_get_canonical_name (names[i], NULL);

      g_return_if_fail (name != NULL);
      g_hash_table_add (self->unsupported, (gpointer) name);
    }
}

static Conflict *
find_conflict (WelkinConstraintsValidator *self,
               const char                 *red,
               const char                 *blue)
{
  for (guint i = 0; i < self->conflicts->len; i++)
    {
      Conflict *conflict = g_ptr_array_index (self->conflicts, i);

      if ((conflict->red == red && conflict->blue == blue)
          || (conflict->red == blue && conflict->blue == red))
        return conflict;
    }
  return NULL;
}

static void
add_conflict (WelkinConstraintsValidator *self,
              const char                 *red_name,
              const char                 *blue_name)
{
  const char *red = welkin_constraints_get_canonical_name (red_name, NULL);
  const char *blue = welkin_constraints_get_canonical_name (blue_name, NULL);
  Conflict *conflict;

  g_return_if_fail (red != NULL && blue != NULL && red != blue);

  if (find_conflict (self, red, blue) != NULL)
    return;
  conflict = g_new0 (Conflict, 1);
  /* In the order of their names, in which a message names them. */
  conflict->red = g_strcmp0 (red, blue) < 0 ? red : blue;
  conflict->blue = g_strcmp0 (red, blue) < 0 ? blue : red;
  g_ptr_array_add (self->conflicts, conflict);
}

static int
compare_conflicts (gconstpointer a,
                   gconstpointer b)
{
  const Conflict *left = *(const Conflict *const *) a;
  const Conflict *right = *(const Conflict *const *) b;
  int order = g_strcmp0 (left->red, right->red);

  return order != 0 ? order : g_strcmp0 (left->blue, right->blue);
}

/**
 * welkin_constraints_validator_register_conflicts:
 * @self: a validator
 * @reds: (array zero-terminated=1): names of constraints
 * @blues: (array zero-terminated=1): names of others
 *
 * Says that each of the @reds excludes each of the @blues, and the other way
 * round, beside what excludes each other already.
 *
 * Since: 0.1
 */
void
welkin_constraints_validator_register_conflicts (WelkinConstraintsValidator *self,
                                                 const char * const         *reds,
                                                 const char * const         *blues)
{
  g_return_if_fail (self != NULL && reds != NULL && blues != NULL);

  for (guint r = 0; reds[r] != NULL; r++)
    for (guint b = 0; blues[b] != NULL; b++)
      add_conflict (self, reds[r], blues[b]);
  g_ptr_array_sort (self->conflicts, compare_conflicts);
}

/**
 * welkin_constraints_validator_register_resolver:
 * @self: a validator
 * @red: the name of a constraint
 * @blue: the name of one that it conflicts with
 * @resolver: (scope notified) (closure user_data) (destroy notify): tells
 *   whether both may be there
 * @user_data: data for @resolver
 * @notify: (nullable): frees @user_data
 *
 * Makes a conflict depend on the other constraints, instead of what was
 * registered for it before.
 *
 * Since: 0.1
 */
void
welkin_constraints_validator_register_resolver (WelkinConstraintsValidator *self,
                                                const char                 *red,
                                                const char                 *blue,
                                                WelkinConstraintsResolver   resolver,
                                                gpointer                    user_data,
                                                GDestroyNotify              notify)
{
  Conflict *conflict;

  g_return_if_fail (self != NULL && red != NULL && blue != NULL && resolver != NULL);

  conflict = find_conflict (self, welkin_constraints_get_canonical_name (red, NULL),
                            welkin_constraints_get_canonical_name (blue, NULL));
  g_return_if_fail (conflict != NULL);

  drop_resolver (conflict);
  conflict->resolver = resolver;
  conflict->user_data = user_data;
  conflict->notify = notify;
}

/**
 * welkin_constraints_validator_register_vocabulary:
 * @self: a validator
 * @name: the name of a constraint
 * @values: (array zero-terminated=1): the only values that will do
 *
 * Says which values the cloud knows for a constraint, instead of those that
 * were said before.
 *
 * Each item of a list must be one of them; one that is empty always will do.
 *
 * Since: 0.1
 */
void
welkin_constraints_validator_register_vocabulary (WelkinConstraintsValidator *self,
                                                  const char                 *name,
                                                  const char * const         *values)
{
  const char *canonical;

  g_return_if_fail (self != NULL && name != NULL && values != NULL);

  canonical = welkin_constraints_get_canonical_name (name, NULL);
  g_return_if_fail (canonical != NULL);

  g_hash_table_remove (self->vocabularies, canonical);
  welkin_constraints_validator_update_vocabulary (self, canonical, values);
}

/**
 * welkin_constraints_validator_update_vocabulary:
 * @self: a validator
 * @name: the name of a constraint
 * @values: (array zero-terminated=1): more values that will do
 *
 * Adds to the values that the cloud knows for a constraint.
 *
 * Since: 0.1
 */
void
welkin_constraints_validator_update_vocabulary (WelkinConstraintsValidator *self,
                                                const char                 *name,
                                                const char * const         *values)
{
  const char *canonical;
  GPtrArray *vocabulary;

  g_return_if_fail (self != NULL && name != NULL && values != NULL);

  canonical = welkin_constraints_get_canonical_name (name, NULL);
  g_return_if_fail (canonical != NULL);

  vocabulary = g_hash_table_lookup (self->vocabularies, canonical);
  if (vocabulary == NULL)
    {
      vocabulary = g_ptr_array_new_with_free_func (g_free);
      g_hash_table_insert (self->vocabularies, (gpointer) canonical, vocabulary);
    }
  for (guint i = 0; values[i] != NULL; i++)
    {
      if (!g_ptr_array_find_with_equal_func (vocabulary, values[i], g_str_equal, NULL))
        g_ptr_array_add (vocabulary, g_strdup (values[i]));
    }
}

/* Judging. */

static int
compare_texts (gconstpointer a,
               gconstpointer b)
{
  return g_strcmp0 (*(const char *const *) a, *(const char *const *) b);
}

static char *
list_vocabulary (GPtrArray *vocabulary)
{
  g_autoptr(GPtrArray) sorted = g_ptr_array_copy (vocabulary, (GCopyFunc) g_strdup, NULL);

  g_ptr_array_sort (sorted, compare_texts);
  g_ptr_array_add (sorted, NULL);
  return g_strjoinv (", ", (char **) sorted->pdata);
}

static gboolean
check_value (GPtrArray  *vocabulary,
             const char *name,
             const char *value,
             GError    **error)
{
  g_autofree char *known = NULL;

  if (*value == '\0' || g_ptr_array_find_with_equal_func (vocabulary, value, g_str_equal, NULL))
    return TRUE;
  known = list_vocabulary (vocabulary);
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
               _("invalid constraint value: %s=%s\nvalid values are: %s"), name, value, known);
  return FALSE;
}

static gboolean
check_vocabulary (WelkinConstraintsValidator *self,
                  WelkinConstraints          *constraints,
                  const char                 *name,
                  GError                    **error)
{
  GPtrArray *vocabulary = g_hash_table_lookup (self->vocabularies, name);
  g_auto(GStrv) values = NULL;

  if (vocabulary == NULL)
    return TRUE;
  values = welkin_constraints_dup_values (constraints, name);
  for (guint i = 0; values[i] != NULL; i++)
    {
      if (!check_value (vocabulary, name, values[i], error))
        return FALSE;
    }
  return TRUE;
}

/* What is present but empty stands in nobody's way. */
static gboolean
check_conflicts (WelkinConstraintsValidator *self,
                 WelkinConstraints          *constraints,
                 GError                    **error)
{
  for (guint i = 0; i < self->conflicts->len; i++)
    {
      const Conflict *conflict = g_ptr_array_index (self->conflicts, i);

      if (!welkin_constraints_demands (constraints, conflict->red)
          || !welkin_constraints_demands (constraints, conflict->blue))
        continue;
      if (conflict->resolver != NULL && conflict->resolver (constraints, conflict->user_data))
        continue;
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                   _("ambiguous constraints: \"%s\" overlaps with \"%s\""), conflict->red,
                   conflict->blue);
      return FALSE;
    }
  return TRUE;
}

static GPtrArray *
list_sorted (WelkinConstraints *constraints)
{
  g_autofree const char **names = welkin_constraints_list_names (constraints);
  GPtrArray *sorted = g_ptr_array_new ();

  for (guint i = 0; names[i] != NULL; i++)
    g_ptr_array_add (sorted, (gpointer) names[i]);
  g_ptr_array_sort (sorted, compare_texts);
  return sorted;
}

/**
 * welkin_constraints_validator_validate:
 * @self: a validator
 * @constraints: what is wanted
 * @error: return location for an error
 *
 * Judges constraints.
 *
 * What the cloud ignores is worth a warning and no error. All errors are
 * %WELKIN_ERROR_INVALID_ARGUMENT: a value that the cloud does not know, or two
 * constraints that exclude each other.
 *
 * Returns: (transfer full) (array zero-terminated=1): the names of those that
 *   the cloud ignores, sorted, or %NULL on error
 *
 * Since: 0.1
 */
char **
welkin_constraints_validator_validate (WelkinConstraintsValidator *self,
                                       WelkinConstraints          *constraints,
                                       GError                    **error)
{
  g_autoptr(GStrvBuilder) unsupported = g_strv_builder_new ();
  g_autoptr(GPtrArray) names = NULL;

  g_return_val_if_fail (self != NULL && constraints != NULL, NULL);

  names = list_sorted (constraints);
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);

      if (!check_vocabulary (self, constraints, name, error))
        return NULL;
      if (g_hash_table_contains (self->unsupported, name))
        g_strv_builder_add (unsupported, name);
    }
  if (!check_conflicts (self, constraints, error))
    return NULL;
  return g_strv_builder_end (unsupported);
}

static void
add_loser (const char        *winner,
           const char        *loser,
           WelkinConstraints *constraints,
           GStrvBuilder      *losers)
{
  if (welkin_constraints_has (constraints, winner))
    g_strv_builder_add (losers, loser);
}

/**
 * welkin_constraints_validator_merge:
 * @self: a validator
 * @constraints: what is wanted
 * @fallback: what holds where @constraints say nothing
 * @error: return location for an error
 *
 * Completes constraints by others, as far as they go together.
 *
 * A fallback that excludes, or is excluded by, one of @constraints is dropped:
 * "instance-type=m1.large" over "mem=8G" leaves the memory to the type. Both
 * are judged first; all errors are %WELKIN_ERROR_INVALID_ARGUMENT.
 *
 * Returns: (transfer full): new constraints, or %NULL on error
 *
 * Since: 0.1
 */
WelkinConstraints *
welkin_constraints_validator_merge (WelkinConstraintsValidator *self,
                                    WelkinConstraints          *constraints,
                                    WelkinConstraints          *fallback,
                                    GError                    **error)
{
  g_autoptr(GStrvBuilder) losers = g_strv_builder_new ();
  g_autoptr(WelkinConstraints) rest = NULL;
  g_auto(GStrv) ignored = NULL;
  g_auto(GStrv) ignored_fallbacks = NULL;
  g_auto(GStrv) dropped = NULL;

  g_return_val_if_fail (self != NULL && constraints != NULL && fallback != NULL, NULL);

  ignored = welkin_constraints_validator_validate (self, constraints, error);
  if (ignored == NULL)
    return NULL;
  ignored_fallbacks = welkin_constraints_validator_validate (self, fallback, error);
  if (ignored_fallbacks == NULL)
    return NULL;
  for (guint i = 0; i < self->conflicts->len; i++)
    {
      const Conflict *conflict = g_ptr_array_index (self->conflicts, i);

      add_loser (conflict->red, conflict->blue, constraints, losers);
      add_loser (conflict->blue, conflict->red, constraints, losers);
    }
  dropped = g_strv_builder_end (losers);
  rest = welkin_constraints_without (fallback, (const char * const *) dropped);
  return welkin_constraints_with_fallback (constraints, rest);
}
