/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "values/welkin-constraints.h"

#include <glib/gi18n-lib.h>

#include "values/welkin-constraints-private.h"
#include "values/welkin-error.h"
#include "values/welkin-words-private.h"

/* In the order in which they are written. */
typedef enum
{
  ARCH,
  CONTAINER,
  CORES,
  CPU_POWER,
  NESTED_VIRTUALIZATION,
  INSTANCE_ROLE,
  INSTANCE_TYPE,
  MEM,
  ROOT_DISK,
  ROOT_DISK_SOURCE,
  TAGS,
  NETWORKS,
  SPACES,
  VIRT_TYPE,
  ZONES,
  ALLOCATE_PUBLIC_IP,
  IMAGE_ID,
  N_FIELDS,
} FieldId;

static const struct
{
  const char          *name;
  WelkinConstraintKind kind;
} fields[N_FIELDS] = {
  [ARCH] = { "arch", WELKIN_CONSTRAINT_TEXT },
  [CONTAINER] = { "container", WELKIN_CONSTRAINT_TEXT },
  [CORES] = { "cores", WELKIN_CONSTRAINT_NUMBER },
  [CPU_POWER] = { "cpu-power", WELKIN_CONSTRAINT_NUMBER },
  [NESTED_VIRTUALIZATION] = { "nested-virtualization", WELKIN_CONSTRAINT_BOOLEAN },
  [INSTANCE_ROLE] = { "instance-role", WELKIN_CONSTRAINT_TEXT },
  [INSTANCE_TYPE] = { "instance-type", WELKIN_CONSTRAINT_TEXT },
  [MEM] = { "mem", WELKIN_CONSTRAINT_SIZE },
  [ROOT_DISK] = { "root-disk", WELKIN_CONSTRAINT_SIZE },
  [ROOT_DISK_SOURCE] = { "root-disk-source", WELKIN_CONSTRAINT_TEXT },
  [TAGS] = { "tags", WELKIN_CONSTRAINT_LIST },
  [NETWORKS] = { "networks", WELKIN_CONSTRAINT_LIST },
  [SPACES] = { "spaces", WELKIN_CONSTRAINT_LIST },
  [VIRT_TYPE] = { "virt-type", WELKIN_CONSTRAINT_TEXT },
  [ZONES] = { "zones", WELKIN_CONSTRAINT_LIST },
  [ALLOCATE_PUBLIC_IP] = { "allocate-public-ip", WELKIN_CONSTRAINT_BOOLEAN },
  [IMAGE_ID] = { "image-id", WELKIN_CONSTRAINT_TEXT },
};

/* One constraint: absent, or what its kind says. */
typedef struct
{
  gboolean is_present;
  char    *text;   /* (nullable) of a text */
  guint64  number; /* of a number, a size in MiB, a boolean */
  char   **list;   /* (nullable) of a list */
} Field;

/**
 * WelkinConstraints:
 *
 * What a machine must have at least.
 *
 * Every constraint is absent or present. One that is present but empty demands
 * nothing, and overrides a fallback. Constraints are immutable and may be
 * shared between threads.
 *
 * Since: 0.1
 */
struct _WelkinConstraints
{
  Field fields[N_FIELDS];
};

G_DEFINE_BOXED_TYPE (WelkinConstraints,
                     welkin_constraints,
                     welkin_constraints_ref,
                     welkin_constraints_unref)

static void
constraints_clear (gpointer data)
{
  WelkinConstraints *self = data;

  for (guint i = 0; i < N_FIELDS; i++)
    {
      g_free (self->fields[i].text);
      g_strfreev (self->fields[i].list);
    }
}

/* N_FIELDS when there is none of the name. */
static FieldId
find_field (const char *name)
{
  FieldId id = 0;

  if (g_str_equal (name, "cpu-cores"))
    return CORES;
  while (id < N_FIELDS && !g_str_equal (fields[id].name, name))
    id++;
  return id;
}

static char *
check_text (FieldId     id,
            const char *value)
{
  static const char * const containers[] = { "", "none", "lxc", "kvm", "lxd", NULL };

  if (id == ARCH && *value != '\0' && !welkin_words_is_arch (value))
    return g_strdup_printf (_("\"%s\" not recognized"), value);
  if (id == CONTAINER && !g_strv_contains (containers, value))
    return g_strdup_printf (_("invalid container type \"%s\""), value);
  return NULL;
}

/* [a-z0-9]+(-[a-z0-9]+)* after one "^", which means "not on this one" */
static gboolean
is_valid_name (const char *name)
{
  char previous = '-';

  if (*name == '^')
    name++;
  for (; *name != '\0'; name++)
    {
      gboolean is_alphanumeric = g_ascii_islower (*name) || g_ascii_isdigit (*name);

      if (!is_alphanumeric && (*name != '-' || previous == '-'))
        return FALSE;
      previous = *name;
    }
  return previous != '-';
}

static char *
check_list (FieldId id,
            char  **items)
{
  if (id != NETWORKS && id != SPACES)
    return NULL;
  for (guint i = 0; items[i] != NULL; i++)
    {
      if (!is_valid_name (items[i]))
        return g_strdup_printf (id == SPACES ? _("\"%s\" is not a valid space name")
                                             : _("\"%s\" is not a valid network name"), items[i]);
    }
  return NULL;
}

static char *
parse_boolean (const char *value,
               guint64    *is_true)
{
  static const char * const yes[] = { "1", "t", "T", "TRUE", "true", "True", NULL };
  static const char * const no[] = { "", "0", "f", "F", "FALSE", "false", "False", NULL };

  *is_true = g_strv_contains (yes, value);
  if (!*is_true && !g_strv_contains (no, value))
    return g_strdup (_("must be 'true' or 'false'"));
  return NULL;
}

/* What is wrong with the value; NULL if it was taken. */
static char *
set_field (Field      *field,
           FieldId     id,
           const char *value)
{
  if (field->is_present)
    return g_strdup (_("already set"));
  /* An empty answer to this question is none. */
  if (id == ALLOCATE_PUBLIC_IP && *value == '\0')
    return NULL;

  field->is_present = TRUE;
  switch (fields[id].kind)
    {
    case WELKIN_CONSTRAINT_TEXT:
      field->text = g_strdup (value);
      return check_text (id, value);
    case WELKIN_CONSTRAINT_NUMBER:
      return g_strdup (welkin_words_parse_number (value, &field->number));
    case WELKIN_CONSTRAINT_SIZE:
      return g_strdup (welkin_words_parse_size (value, &field->number));
    case WELKIN_CONSTRAINT_LIST:
      field->list = g_strsplit (value, ",", -1);
      return check_list (id, field->list);
    case WELKIN_CONSTRAINT_BOOLEAN:
      return parse_boolean (value, &field->number);
    }
  g_assert_not_reached ();
}

gboolean
welkin_constraints_set (WelkinConstraints *self,
                        const char        *name,
                        const char        *value,
                        GError           **error)
{
  FieldId id = find_field (name);
  g_autofree char *reason = NULL;

  if (id == N_FIELDS)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                   _("unknown constraint \"%s\""), name);
      return FALSE;
    }
  reason = set_field (&self->fields[id], id, value);
  if (reason != NULL)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                   _("bad \"%s\" constraint: %s"), name, reason);
      return FALSE;
    }
  return TRUE;
}

static gboolean
set_words (WelkinConstraints *self,
           const char        *text,
           GError           **error)
{
  g_autoptr(GPtrArray) words = welkin_words_split (text, _("constraint"), error);

  if (words == NULL)
    return FALSE;
  for (guint i = 0; i < words->len; i++)
    {
      WelkinWord *word = words->pdata[i];

      if (!welkin_constraints_set (self, word->name, word->value, error))
        return FALSE;
    }
  return TRUE;
}

/**
 * welkin_constraints_new:
 *
 * Makes constraints of which none is present.
 *
 * Returns: (transfer full): new constraints
 *
 * Since: 0.1
 */
WelkinConstraints *
welkin_constraints_new (void)
{
  return g_atomic_rc_box_new0 (WelkinConstraints);
}

/**
 * welkin_constraints_new_parsed:
 * @text: as in "mem=4G cores=2 arch=amd64"
 * @error: return location for an error
 *
 * Makes constraints of what a user wrote.
 *
 * A space in a value is written as "\ ". All errors are
 * %WELKIN_ERROR_INVALID_ARGUMENT and name the word that is wrong.
 *
 * Returns: (transfer full): new constraints, or %NULL on error
 *
 * Since: 0.1
 */
WelkinConstraints *
welkin_constraints_new_parsed (const char *text,
                               GError    **error)
{
  const char *texts[] = { text, NULL };

  g_return_val_if_fail (text != NULL, NULL);

  return welkin_constraints_new_parsed_words (texts, error);
}

/**
 * welkin_constraints_new_parsed_words:
 * @texts: (array zero-terminated=1): as in "mem=4G", "cores=2 arch=amd64"
 * @error: return location for an error
 *
 * Makes one set of constraints of several texts.
 *
 * All errors are %WELKIN_ERROR_INVALID_ARGUMENT and name the word that is
 * wrong.
 *
 * Returns: (transfer full): new constraints, or %NULL on error
 *
 * Since: 0.1
 */
WelkinConstraints *
welkin_constraints_new_parsed_words (const char * const *texts,
                                     GError            **error)
{
  g_autoptr(WelkinConstraints) self = NULL;

  g_return_val_if_fail (texts != NULL, NULL);

  self = welkin_constraints_new ();
  for (guint i = 0; texts[i] != NULL; i++)
    {
      if (!set_words (self, texts[i], error))
        return NULL;
    }
  return g_steal_pointer (&self);
}

/**
 * welkin_constraints_ref:
 * @self: constraints
 *
 * Takes another reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
WelkinConstraints *
welkin_constraints_ref (WelkinConstraints *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

/**
 * welkin_constraints_unref:
 * @self: (transfer full): constraints
 *
 * Drops a reference; the last one frees the constraints.
 *
 * Since: 0.1
 */
void
welkin_constraints_unref (WelkinConstraints *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, constraints_clear);
}

static gboolean
field_equal (const Field *field,
             const Field *other)
{
  if (field->is_present != other->is_present || field->number != other->number)
    return FALSE;
  if (g_strcmp0 (field->text, other->text) != 0)
    return FALSE;
  if (field->list == NULL || other->list == NULL)
    return field->list == other->list;
  return g_strv_equal ((const char * const *) field->list, (const char * const *) other->list);
}

/**
 * welkin_constraints_equal:
 * @self: constraints
 * @other: other constraints
 *
 * Compares two sets of constraints.
 *
 * One that is absent differs from one that is present but empty.
 *
 * Returns: whether they are equal
 *
 * Since: 0.1
 */
gboolean
welkin_constraints_equal (WelkinConstraints *self,
                          WelkinConstraints *other)
{
  g_return_val_if_fail (self != NULL && other != NULL, FALSE);

  for (guint i = 0; i < N_FIELDS; i++)
    {
      if (!field_equal (&self->fields[i], &other->fields[i]))
        return FALSE;
    }
  return TRUE;
}

/**
 * welkin_constraints_is_empty:
 * @self: constraints
 *
 * Tells whether no constraint is present.
 *
 * Returns: %TRUE if none is; "mem=" is one
 *
 * Since: 0.1
 */
gboolean
welkin_constraints_is_empty (WelkinConstraints *self)
{
  g_return_val_if_fail (self != NULL, TRUE);

  for (guint i = 0; i < N_FIELDS; i++)
    {
      if (self->fields[i].is_present)
        return FALSE;
    }
  return TRUE;
}

static char *
format_field (const Field *field,
              WelkinConstraintKind    kind)
{
  switch (kind)
    {
    case WELKIN_CONSTRAINT_TEXT:
      return g_strdup (field->text);
    case WELKIN_CONSTRAINT_LIST:
      return g_strjoinv (",", field->list);
    case WELKIN_CONSTRAINT_BOOLEAN:
      return g_strdup (field->number != 0 ? "true" : "false");
    case WELKIN_CONSTRAINT_NUMBER:
    case WELKIN_CONSTRAINT_SIZE:
      if (field->number == 0)
        return g_strdup ("");
      return g_strdup_printf ("%" G_GUINT64_FORMAT "%s", field->number,
                              kind == WELKIN_CONSTRAINT_SIZE ? "M" : "");
    }
  g_assert_not_reached ();
}

/**
 * welkin_constraints_to_string:
 * @self: constraints
 *
 * Formats the constraints as [ctor@Constraints.new_parsed] reads them.
 *
 * Returns: (transfer full): the text; "" when none is present
 *
 * Since: 0.1
 */
char *
welkin_constraints_to_string (WelkinConstraints *self)
{
  GString *string;

  g_return_val_if_fail (self != NULL, NULL);

  string = g_string_new (NULL);
  for (guint i = 0; i < N_FIELDS; i++)
    {
      g_autofree char *value = NULL;

      if (!self->fields[i].is_present)
        continue;
      value = format_field (&self->fields[i], fields[i].kind);
      welkin_words_append (string, fields[i].name, value);
    }
  return g_string_free (string, FALSE);
}

/* NULL when the constraint is absent; a caller who asks for one that does
 * not exist is mistaken. */
static const Field *
get_field (WelkinConstraints *self,
           const char        *name)
{
  FieldId id;

  g_return_val_if_fail (self != NULL && name != NULL, NULL);

  id = find_field (name);
  g_return_val_if_fail (id != N_FIELDS, NULL);

  return self->fields[id].is_present ? &self->fields[id] : NULL;
}

/**
 * welkin_constraints_has:
 * @self: constraints
 * @name: the name of a constraint, as in "mem"
 *
 * Tells whether a constraint is present, even if it is empty.
 *
 * Returns: whether it is
 *
 * Since: 0.1
 */
gboolean
welkin_constraints_has (WelkinConstraints *self,
                        const char        *name)
{
  return get_field (self, name) != NULL;
}

/**
 * welkin_constraints_demands:
 * @self: constraints
 * @name: the name of a constraint, as in "mem"
 *
 * Tells whether a constraint is present and demands something.
 *
 * Returns: whether it does; the container "none" demands none
 *
 * Since: 0.1
 */
gboolean
welkin_constraints_demands (WelkinConstraints *self,
                            const char        *name)
{
  const Field *field = get_field (self, name);

  if (field == NULL)
    return FALSE;
  if (field == &self->fields[CONTAINER] && g_str_equal (field->text, "none"))
    return FALSE;
  return field->number != 0 || (field->text != NULL && *field->text != '\0') ||
         (field->list != NULL && field->list[0] != NULL);
}

/**
 * welkin_constraints_get_text:
 * @self: constraints
 * @name: "arch", "container", "root-disk-source", "instance-type",
 *   "instance-role", "virt-type" or "image-id"
 *
 * Gets the text of a constraint.
 *
 * Returns: (transfer none) (nullable): the text, or %NULL when it is absent
 *
 * Since: 0.1
 */
const char *
welkin_constraints_get_text (WelkinConstraints *self,
                             const char        *name)
{
  const Field *field = get_field (self, name);

  return field != NULL ? field->text : NULL;
}

/**
 * welkin_constraints_get_number:
 * @self: constraints
 * @name: "cores", "cpu-power", "mem" or "root-disk"
 *
 * Gets the number of a constraint; sizes are in MiB.
 *
 * Returns: the number; 0 when it is absent
 *
 * Since: 0.1
 */
guint64
welkin_constraints_get_number (WelkinConstraints *self,
                               const char        *name)
{
  const Field *field = get_field (self, name);

  return field != NULL ? field->number : 0;
}

/**
 * welkin_constraints_get_list:
 * @self: constraints
 * @name: "tags", "networks", "spaces" or "zones"
 *
 * Gets the items of a constraint.
 *
 * Returns: (transfer none) (nullable) (array zero-terminated=1): the items, or
 *   %NULL when it is absent
 *
 * Since: 0.1
 */
const char * const *
welkin_constraints_get_list (WelkinConstraints *self,
                             const char        *name)
{
  const Field *field = get_field (self, name);

  return field != NULL ? (const char * const *) field->list : NULL;
}

/**
 * welkin_constraints_get_boolean:
 * @self: constraints
 * @name: "allocate-public-ip" or "nested-virtualization"
 *
 * Gets what a constraint says.
 *
 * Returns: whether it is true; %FALSE when it is absent
 *
 * Since: 0.1
 */
gboolean
welkin_constraints_get_boolean (WelkinConstraints *self,
                                const char        *name)
{
  return welkin_constraints_get_number (self, name) != 0;
}

static void
copy_field (const Field *field,
            Field       *copy)
{
  *copy = *field;
  copy->text = g_strdup (field->text);
  copy->list = g_strdupv (field->list);
}

/**
 * welkin_constraints_with_fallback:
 * @self: constraints
 * @fallback: what holds where @self says nothing
 *
 * Completes constraints by others.
 *
 * Returns: (transfer full): new constraints: those of @self where they are
 *   present, even if empty, and those of @fallback elsewhere
 *
 * Since: 0.1
 */
WelkinConstraints *
welkin_constraints_with_fallback (WelkinConstraints *self,
                                  WelkinConstraints *fallback)
{
  WelkinConstraints *result;

  g_return_val_if_fail (self != NULL && fallback != NULL, NULL);

  result = welkin_constraints_new ();
  for (guint i = 0; i < N_FIELDS; i++)
    {
      const Field *field = &self->fields[i];

      if (!field->is_present)
        field = &fallback->fields[i];
      copy_field (field, &result->fields[i]);
    }
  return result;
}

/* For those who need to know of any constraint. */

const char *
welkin_constraints_get_canonical_name (const char           *name,
                                       WelkinConstraintKind *kind)
{
  FieldId id = find_field (name);

  if (id == N_FIELDS)
    return NULL;
  if (kind != NULL)
    *kind = fields[id].kind;
  return fields[id].name;
}

const char **
welkin_constraints_list_names (WelkinConstraints *self)
{
  g_autoptr(GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < N_FIELDS; i++)
    {
      if (self->fields[i].is_present)
        g_ptr_array_add (names, (gpointer) fields[i].name);
    }
  g_ptr_array_add (names, NULL);
  return (const char **) g_ptr_array_steal (names, NULL);
}

char **
welkin_constraints_dup_values (WelkinConstraints *self,
                               const char        *name)
{
  g_autoptr(GStrvBuilder) values = g_strv_builder_new ();
  const Field *field = get_field (self, name);
  g_autofree char *value = NULL;

  if (field != NULL && field->list != NULL)
    g_strv_builder_addv (values, (const char **) field->list);
  else if (field != NULL)
    value = format_field (field, fields[find_field (name)].kind);
  if (value != NULL && *value != '\0')
    g_strv_builder_add (values, value);
  return g_strv_builder_end (values);
}

WelkinConstraints *
welkin_constraints_without (WelkinConstraints *self,
                            const char *const *names)
{
  WelkinConstraints *result = welkin_constraints_new ();

  for (guint i = 0; i < N_FIELDS; i++)
    {
      if (!g_strv_contains (names, fields[i].name))
        copy_field (&self->fields[i], &result->fields[i]);
    }
  return result;
}
