/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "values/welkin-hardware.h"

#include <glib/gi18n-lib.h>

#include "values/welkin-error.h"
#include "values/welkin-words-private.h"

/**
 * WelkinHardware:
 *
 * What a machine has.
 *
 * What is not known is absent. Hardware is immutable and may be shared between
 * threads.
 *
 * Since: 0.1
 */
struct _WelkinHardware
{
  char  *arch;              /* (nullable) */
  gint64 cores;             /* -1: unknown, as with the other numbers */
  gint64 mem;               /* MiB */
  gint64 root_disk;         /* MiB */
  gint64 cpu_power;         /* 100 is about one core of 2007 */
  char  *root_disk_source;  /* (nullable) */
  char **tags;              /* (nullable) */
  char  *availability_zone; /* (nullable) */
  char  *virt_type;         /* (nullable) */
};

G_DEFINE_BOXED_TYPE (WelkinHardware, welkin_hardware, welkin_hardware_ref, welkin_hardware_unref)

static void
hardware_clear (gpointer data)
{
  WelkinHardware *self = data;

  g_free (self->arch);
  g_free (self->root_disk_source);
  g_strfreev (self->tags);
  g_free (self->availability_zone);
  g_free (self->virt_type);
}

/**
 * welkin_hardware_new:
 * @arch: (nullable): the architecture, as in "amd64"
 * @mem_mib: the memory in MiB; negative when it is not known
 * @cores: how many cores; negative when it is not known
 * @root_disk_mib: the size of the root disk in MiB; negative when it is not
 *   known
 * @availability_zone: (nullable): the zone that the machine is in
 *
 * Makes a description of what a machine has.
 *
 * What else there may be to tell, as its tags, [ctor@Hardware.new_parsed]
 * takes.
 *
 * Returns: (transfer full): new hardware
 *
 * Since: 0.1
 */
WelkinHardware *
welkin_hardware_new (const char *arch,
                     gint64      mem_mib,
                     gint64      cores,
                     gint64      root_disk_mib,
                     const char *availability_zone)
{
  WelkinHardware *self = g_atomic_rc_box_new0 (WelkinHardware);

  self->arch = g_strdup (arch);
  self->mem = MAX (mem_mib, -1);
  self->cores = MAX (cores, -1);
  self->root_disk = MAX (root_disk_mib, -1);
  self->cpu_power = -1;
  self->availability_zone = g_strdup (availability_zone);
  return self;
}

static char *
set_number (gint64     *field,
            const char *value,
            const char *(*parse) (const char *, guint64 *))
{
  const char *reason;
  guint64 number = 0;

  if (*field >= 0)
    return g_strdup (_("already set"));
  reason = parse (value, &number);
  *field = MIN (number, G_MAXINT64);
  return g_strdup (reason);
}

static char *
set_text (char      **field,
          const char *value)
{
  if (*field != NULL)
    return g_strdup (_("already set"));
  *field = g_strdup (value);
  return NULL;
}

static char *
set_list (char     ***field,
          const char *value)
{
  if (*field != NULL)
    return g_strdup (_("already set"));
  *field = g_strsplit (value, ",", -1);
  return NULL;
}

/* What is wrong with the word; NULL if it was taken. */
static char *
set_word (WelkinHardware *self,
          WelkinWord     *word)
{
  if (g_str_equal (word->name, "cpu-cores") || g_str_equal (word->name, "cores"))
    return set_number (&self->cores, word->value, welkin_words_parse_number);
  if (g_str_equal (word->name, "mem"))
    return set_number (&self->mem, word->value, welkin_words_parse_size);
  if (g_str_equal (word->name, "root-disk"))
    return set_number (&self->root_disk, word->value, welkin_words_parse_size);
  if (g_str_equal (word->name, "cpu-power"))
    return set_number (&self->cpu_power, word->value, welkin_words_parse_number);
  if (g_str_equal (word->name, "root-disk-source"))
    return set_text (&self->root_disk_source, word->value);
  if (g_str_equal (word->name, "tags"))
    return set_list (&self->tags, word->value);
  if (g_str_equal (word->name, "availability-zone"))
    return set_text (&self->availability_zone, word->value);
  if (g_str_equal (word->name, "virt-type"))
    return set_text (&self->virt_type, word->value);
  if (!welkin_words_is_arch (word->value) && *word->value != '\0')
    return g_strdup_printf (_("\"%s\" not recognized"), word->value);
  return set_text (&self->arch, word->value);
}

static gboolean
is_known (const char *name)
{
  static const char * const names[] = {
    "arch", "cpu-cores", "cores", "cpu-power", "mem", "root-disk", "root-disk-source",
    "tags", "availability-zone", "virt-type", NULL,
  };

  return g_strv_contains (names, name);
}

/**
 * welkin_hardware_new_parsed:
 * @text: as in "arch=amd64 cpu-cores=2 mem=2048M root-disk=20480M
 *   availability-zone=az1"
 * @error: return location for an error
 *
 * Makes a description of what [method@Hardware.to_string] wrote.
 *
 * All errors are %WELKIN_ERROR_INVALID_ARGUMENT.
 *
 * Returns: (transfer full): new hardware, or %NULL on error
 *
 * Since: 0.1
 */
WelkinHardware *
welkin_hardware_new_parsed (const char *text,
                            GError    **error)
{
  g_autoptr(WelkinHardware) self = NULL;
  g_autoptr(GPtrArray) words = NULL;

  g_return_val_if_fail (text != NULL, NULL);

  words = welkin_words_split (text, _("characteristic"), error);
  if (words == NULL)
    return NULL;

  self = welkin_hardware_new (NULL, -1, -1, -1, NULL);
  for (guint i = 0; i < words->len; i++)
    {
      WelkinWord *word = words->pdata[i];
      g_autofree char *reason = NULL;

      if (!is_known (word->name))
        {
          g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                       _("unknown characteristic \"%s\""), word->name);
          return NULL;
        }
      reason = set_word (self, word);
      if (reason != NULL)
        {
          g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                       _("bad \"%s\" characteristic: %s"), word->name, reason);
          return NULL;
        }
    }
  return g_steal_pointer (&self);
}

/**
 * welkin_hardware_ref:
 * @self: hardware
 *
 * Takes another reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
WelkinHardware *
welkin_hardware_ref (WelkinHardware *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

/**
 * welkin_hardware_unref:
 * @self: (transfer full): hardware
 *
 * Drops a reference; the last one frees the hardware.
 *
 * Since: 0.1
 */
void
welkin_hardware_unref (WelkinHardware *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, hardware_clear);
}

/**
 * welkin_hardware_get_arch:
 * @self: hardware
 *
 * Gets the architecture of the machine.
 *
 * Returns: (transfer none) (nullable): as in "amd64"; %NULL when it is not
 *   known
 *
 * Since: 0.1
 */
const char *
welkin_hardware_get_arch (WelkinHardware *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->arch;
}

/**
 * welkin_hardware_get_mem:
 * @self: hardware
 *
 * Gets the memory of the machine.
 *
 * Returns: its size in MiB; -1 when it is not known
 *
 * Since: 0.1
 */
gint64
welkin_hardware_get_mem (WelkinHardware *self)
{
  g_return_val_if_fail (self != NULL, -1);

  return self->mem;
}

/**
 * welkin_hardware_get_cores:
 * @self: hardware
 *
 * Gets how many cores the machine has.
 *
 * Returns: how many; -1 when it is not known
 *
 * Since: 0.1
 */
gint64
welkin_hardware_get_cores (WelkinHardware *self)
{
  g_return_val_if_fail (self != NULL, -1);

  return self->cores;
}

/**
 * welkin_hardware_get_root_disk:
 * @self: hardware
 *
 * Gets the size of the root disk.
 *
 * Returns: its size in MiB; -1 when it is not known
 *
 * Since: 0.1
 */
gint64
welkin_hardware_get_root_disk (WelkinHardware *self)
{
  g_return_val_if_fail (self != NULL, -1);

  return self->root_disk;
}

/**
 * welkin_hardware_get_availability_zone:
 * @self: hardware
 *
 * Gets the zone that the machine is in.
 *
 * Returns: (transfer none) (nullable): its name; %NULL when it is not known
 *
 * Since: 0.1
 */
const char *
welkin_hardware_get_availability_zone (WelkinHardware *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->availability_zone;
}

/**
 * welkin_hardware_get_cpu_power:
 * @self: hardware
 *
 * Gets how fast the processor of the machine is.
 *
 * Returns: its power, where 100 is about one core of 2007; -1 when it is not
 *   known
 *
 * Since: 0.1
 */
gint64
welkin_hardware_get_cpu_power (WelkinHardware *self)
{
  g_return_val_if_fail (self != NULL, -1);

  return self->cpu_power;
}

/**
 * welkin_hardware_get_root_disk_source:
 * @self: hardware
 *
 * Gets where the root disk comes from.
 *
 * Returns: (transfer none) (nullable): as in "volume"; %NULL when it is not
 *   known
 *
 * Since: 0.1
 */
const char *
welkin_hardware_get_root_disk_source (WelkinHardware *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->root_disk_source;
}

/**
 * welkin_hardware_get_tags:
 * @self: hardware
 *
 * Gets the tags by which the cloud tells machines apart.
 *
 * Returns: (transfer none) (nullable) (array zero-terminated=1): the tags;
 *   %NULL when they are not known
 *
 * Since: 0.1
 */
const char *const *
welkin_hardware_get_tags (WelkinHardware *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return (const char *const *) self->tags;
}

/**
 * welkin_hardware_get_virt_type:
 * @self: hardware
 *
 * Gets how the machine is virtualized.
 *
 * Returns: (transfer none) (nullable): as in "kvm"; %NULL when it is not known
 *
 * Since: 0.1
 */
const char *
welkin_hardware_get_virt_type (WelkinHardware *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->virt_type;
}

static void
append_text (GString    *string,
             const char *name,
             const char *text)
{
  if (text != NULL)
    welkin_words_append (string, name, text);
}

static void
append_list (GString    *string,
             const char *name,
             char      **list)
{
  g_autofree char *value = NULL;

  if (list == NULL || *list == NULL)
    return;
  value = g_strjoinv (",", list);
  welkin_words_append (string, name, value);
}

static void
append_number (GString    *string,
               const char *name,
               gint64      number,
               const char *unit)
{
  g_autofree char *value = NULL;

  if (number < 0)
    return;
  value = g_strdup_printf ("%" G_GINT64_FORMAT "%s", number, unit);
  welkin_words_append (string, name, value);
}

/**
 * welkin_hardware_to_string:
 * @self: hardware
 *
 * Formats the hardware as [ctor@Hardware.new_parsed] reads it.
 *
 * Returns: (transfer full): the text, without what is not known
 *
 * Since: 0.1
 */
char *
welkin_hardware_to_string (WelkinHardware *self)
{
  GString *string;

  g_return_val_if_fail (self != NULL, NULL);

  string = g_string_new (NULL);
  append_text (string, "arch", self->arch);
  append_number (string, "cpu-cores", self->cores, "");
  append_number (string, "cpu-power", self->cpu_power, "");
  append_number (string, "mem", self->mem, "M");
  append_number (string, "root-disk", self->root_disk, "M");
  append_text (string, "root-disk-source", self->root_disk_source);
  append_list (string, "tags", self->tags);
  append_text (string, "availability-zone", self->availability_zone);
  append_text (string, "virt-type", self->virt_type);
  return g_string_free (string, FALSE);
}
