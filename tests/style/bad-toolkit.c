/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* All that the toolkit must not do, for the test of check-toolkit. */

#include "config.h"

#include <glib-object.h>

#define BAD_TYPE_THING (bad_thing_get_type ())
G_DECLARE_FINAL_TYPE (BadThing, bad_thing, BAD, THING, GObject)

struct _BadThing
{
  GObject parent_instance;
};

G_DEFINE_FINAL_TYPE (BadThing, bad_thing, G_TYPE_OBJECT)

const char *const bad_constants[] = { "these", "may", "stay" };

int bad_count (void);

static void
bad_thing_class_init (BadThingClass *class)
{
}

static void
bad_thing_init (BadThing *self)
{
}

int
bad_count (void)
{
  static int counted;
  static int next = 1;

  counted += next++;
  return counted;
}
