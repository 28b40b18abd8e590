/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "contracts/welkin-progress.h"

/* Nobody reads faster, and drawing costs more than what is drawn. */
#define NOTIFY_INTERVAL_US (G_USEC_PER_SEC / 5)

/* What a parent knows of a child. */
typedef struct
{
  double weight;
  double fraction; /* -1: unknown */
} Share;

/**
 * WelkinProgress:
 *
 * How far long work has come.
 *
 * Whoever starts the work makes one and passes it along; whoever works reports
 * to it, and gives parts of the work a child each. Its properties notify at
 * most five times a second, and always of the last state, so that an
 * application can bind them to a progress bar. It belongs to the main context
 * that it was made in.
 *
 * Since: 0.1
 */
struct _WelkinProgress
{
  GObject         parent_instance;

  WelkinProgress *parent;   /* (owned) (nullable) */
  guint           index;    /* among the parent's shares */
  GMainContext   *context;  /* (owned) */

  /* state */
  GArray         *shares;   /* of Share, one for each child */
  double          own;      /* what was set; -1: unknown */
  double          fraction; /* what is told, children and all; -1: unknown */
  char           *message;  /* (nullable) */
  gboolean        is_finished;

  /* telling others */
  guint           news;     /* a bit for each property that has not been notified */
  gint64          notified_at;
  GSource        *source;   /* (owned) (nullable) waits for the next moment to notify */
};

enum
{
  PROP_FRACTION = 1,
  PROP_MESSAGE,
  PROP_FINISHED,
  N_PROPERTIES,
};

#define NEWS(property) (1u << (property))

static GParamSpec *properties[N_PROPERTIES];

enum
{
  SIGNAL_SAID,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WelkinProgress, welkin_progress, G_TYPE_OBJECT)

static void
stop_waiting (WelkinProgress *self)
{
  if (self->source == NULL)
    return;
  g_source_destroy (self->source);
  g_clear_pointer (&self->source, g_source_unref);
}

static void
notify_news (WelkinProgress *self)
{
  guint news = self->news;

  stop_waiting (self);
  self->news = 0;
  self->notified_at = g_get_monotonic_time ();

  g_object_freeze_notify (G_OBJECT (self));
  for (guint property = PROP_FRACTION; property < N_PROPERTIES; property++)
    {
      if ((news & NEWS (property)) != 0)
        g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
    }
  g_object_thaw_notify (G_OBJECT (self));
}

static gboolean
moment_come_cb (gpointer data)
{
  notify_news (data);
  return G_SOURCE_REMOVE;
}

/* Now, if the last time is long enough ago or there will be no other; else
 * when it is. */
static void
schedule_notify (WelkinProgress *self)
{
  gint64 wait = self->notified_at + NOTIFY_INTERVAL_US - g_get_monotonic_time ();

  if (wait <= 0 || (self->news & NEWS (PROP_FINISHED)) != 0)
    {
      notify_news (self);
      return;
    }
  if (self->source != NULL)
    return;
  self->source = g_timeout_source_new (wait / 1000 + 1);
  g_source_set_callback (self->source, moment_come_cb, self, NULL);
  g_source_set_static_name (self->source, "welkin progress");
  g_source_attach (self->source, self->context);
}

static void
replace_message (WelkinProgress *self,
                 const char     *message)
{
  g_free (self->message);
  self->message = g_strdup (message);
}

static double
compute_fraction (WelkinProgress *self)
{
  double total = 0;
  double done = 0;
  gboolean is_known = FALSE;

  if (self->is_finished)
    return 1;
  if (self->shares->len == 0)
    return self->own;

  for (guint i = 0; i < self->shares->len; i++)
    {
      const Share *share = &g_array_index (self->shares, Share, i);

      total += share->weight;
      done += share->weight * MAX (share->fraction, 0);
      is_known = is_known || share->fraction >= 0;
    }
  return is_known ? MIN (done / MAX (total, 1), 1) : -1;
}

/* Takes what has changed on to the parent, whose fraction changes and whose
 * message it is too. */
static void
progress_changed (WelkinProgress *self,
                  guint           news)
{
  double fraction = compute_fraction (self);

  if (fraction != self->fraction)
    news |= NEWS (PROP_FRACTION);
  if (news == 0)
    return;
  self->fraction = fraction;
  self->news |= news;

  if (self->parent != NULL && !self->parent->is_finished)
    {
      g_array_index (self->parent->shares, Share, self->index).fraction = fraction;
      if ((news & NEWS (PROP_MESSAGE)) != 0)
        replace_message (self->parent, self->message);
      progress_changed (self->parent, news & NEWS (PROP_MESSAGE));
    }
  schedule_notify (self);
}

/**
 * welkin_progress_new:
 *
 * Makes the root of a tree.
 *
 * Returns: (transfer full): a new progress, of which nothing is known
 *
 * Since: 0.1
 */
WelkinProgress *
welkin_progress_new (void)
{
  return g_object_new (WELKIN_TYPE_PROGRESS, NULL);
}

/**
 * welkin_progress_add_child:
 * @self: (nullable): a progress
 * @weight: its share, more than 0
 *
 * Gives a part of the work a progress of its own.
 *
 * Weights are shares of 1 as long as their sum is less, so that the parts can
 * be added one after another; else they are shares of their sum. What the child
 * says, its parent says as well. A %NULL @self gives %NULL: whoever works
 * reports without asking whether anybody looks.
 *
 * Returns: (transfer full) (nullable): a new progress
 *
 * Since: 0.1
 */
WelkinProgress *
welkin_progress_add_child (WelkinProgress *self,
                           double          weight)
{
  const Share share = { weight, -1 };
  WelkinProgress *child;

  g_return_val_if_fail (self == NULL || WELKIN_IS_PROGRESS (self), NULL);
  g_return_val_if_fail (weight > 0, NULL);

  if (self == NULL)
    return NULL;

  child = welkin_progress_new ();
  child->parent = g_object_ref (self);
  child->index = self->shares->len;
  g_array_append_val (self->shares, share);
  progress_changed (self, 0);
  return child;
}

/**
 * welkin_progress_get_fraction: (attributes org.gtk.Method.get_property=fraction)
 * @self: a progress
 *
 * Gets how much of the work is done.
 *
 * Returns: from 0 to 1; -1 when it is not known
 *
 * Since: 0.1
 */
double
welkin_progress_get_fraction (WelkinProgress *self)
{
  g_return_val_if_fail (WELKIN_IS_PROGRESS (self), -1);

  return self->fraction;
}

/**
 * welkin_progress_get_message: (attributes org.gtk.Method.get_property=message)
 * @self: a progress
 *
 * Gets what is being done.
 *
 * Returns: (transfer none) (nullable): a translated text; %NULL when nothing
 *   was said
 *
 * Since: 0.1
 */
const char *
welkin_progress_get_message (WelkinProgress *self)
{
  g_return_val_if_fail (WELKIN_IS_PROGRESS (self), NULL);

  return self->message;
}

/**
 * welkin_progress_get_finished: (attributes org.gtk.Method.get_property=finished)
 * @self: a progress
 *
 * Tells whether the work is done.
 *
 * Returns: whether it is
 *
 * Since: 0.1
 */
gboolean
welkin_progress_get_finished (WelkinProgress *self)
{
  g_return_val_if_fail (WELKIN_IS_PROGRESS (self), FALSE);

  return self->is_finished;
}

/**
 * welkin_progress_set_fraction:
 * @self: (nullable): a progress; with %NULL nothing happens
 * @fraction: from 0 to 1; -1 when it is not known
 *
 * Says how much of the work is done.
 *
 * What children say counts instead, when there are some. This is for who works.
 *
 * Since: 0.1
 */
void
welkin_progress_set_fraction (WelkinProgress *self,
                              double          fraction)
{
  g_return_if_fail (self == NULL || WELKIN_IS_PROGRESS (self));

  if (self == NULL || self->is_finished)
    return;
  self->own = fraction < 0 ? -1 : MIN (fraction, 1);
  progress_changed (self, 0);
}

/**
 * welkin_progress_set_message:
 * @self: (nullable): a progress; with %NULL nothing happens
 * @message: a translated text
 *
 * Says what is being done.
 *
 * This is for who works.
 *
 * Since: 0.1
 */
void
welkin_progress_set_message (WelkinProgress *self,
                             const char     *message)
{
  g_return_if_fail (self == NULL || WELKIN_IS_PROGRESS (self));
  g_return_if_fail (message != NULL);

  if (self == NULL || self->is_finished || g_strcmp0 (self->message, message) == 0)
    return;
  replace_message (self, message);
  progress_changed (self, NEWS (PROP_MESSAGE));
}

/**
 * welkin_progress_say:
 * @self: (nullable): a progress; with %NULL nothing happens
 * @line: a line of text
 *
 * Tells something that is to be kept, as what a script on a machine writes.
 *
 * It comes from outside: whoever shows it makes sure that it is harmless there.
 * This is for who works.
 *
 * Since: 0.1
 */
void
welkin_progress_say (WelkinProgress *self,
                     const char     *line)
{
  g_return_if_fail (self == NULL || WELKIN_IS_PROGRESS (self));
  g_return_if_fail (line != NULL);

  for (; self != NULL; self = self->parent)
    g_signal_emit (self, signals[SIGNAL_SAID], 0, line);
}

/**
 * welkin_progress_finish:
 * @self: (nullable): a progress; with %NULL nothing happens
 *
 * Says that the work is done.
 *
 * What is said later does not count any more. This is for who works.
 *
 * Since: 0.1
 */
void
welkin_progress_finish (WelkinProgress *self)
{
  g_return_if_fail (self == NULL || WELKIN_IS_PROGRESS (self));

  if (self == NULL || self->is_finished)
    return;
  self->is_finished = TRUE;
  progress_changed (self, NEWS (PROP_FINISHED));
}

static void
welkin_progress_get_property (GObject    *object,
                              guint       property_id,
                              GValue     *value,
                              GParamSpec *pspec)
{
  WelkinProgress *self = WELKIN_PROGRESS (object);

  switch (property_id)
    {
    case PROP_FRACTION:
      g_value_set_double (value, self->fraction);
      break;
    case PROP_MESSAGE:
      g_value_set_string (value, self->message);
      break;
    case PROP_FINISHED:
      g_value_set_boolean (value, self->is_finished);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
welkin_progress_dispose (GObject *object)
{
  WelkinProgress *self = WELKIN_PROGRESS (object);

  stop_waiting (self);
  g_clear_object (&self->parent);

  G_OBJECT_CLASS (welkin_progress_parent_class)->dispose (object);
}

static void
welkin_progress_finalize (GObject *object)
{
  WelkinProgress *self = WELKIN_PROGRESS (object);

  g_array_unref (self->shares);
  g_free (self->message);
  g_main_context_unref (self->context);

  G_OBJECT_CLASS (welkin_progress_parent_class)->finalize (object);
}

static void
welkin_progress_class_init (WelkinProgressClass *klass)
{
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = welkin_progress_get_property;
  object_class->dispose = welkin_progress_dispose;
  object_class->finalize = welkin_progress_finalize;

  /**
   * WelkinProgress:fraction: (attributes org.gtk.Property.get=welkin_progress_get_fraction)
   *
   * How much of the work is done, from 0 to 1; -1 when it is not known.
   *
   * Since: 0.1
   */
  properties[PROP_FRACTION] = g_param_spec_double ("fraction", NULL, NULL, -1, 1, -1, flags);

  /**
   * WelkinProgress:message: (attributes org.gtk.Property.get=welkin_progress_get_message)
   *
   * What is being done, translated.
   *
   * Since: 0.1
   */
  properties[PROP_MESSAGE] = g_param_spec_string ("message", NULL, NULL, NULL, flags);

  /**
   * WelkinProgress:finished: (attributes org.gtk.Property.get=welkin_progress_get_finished)
   *
   * Whether the work is done.
   *
   * Since: 0.1
   */
  properties[PROP_FINISHED] = g_param_spec_boolean ("finished", NULL, NULL, FALSE, flags);

  g_object_class_install_properties (object_class, N_PROPERTIES, properties);

  /**
   * WelkinProgress::said:
   * @self: a progress
   * @line: a line of text
   *
   * Emitted for each line that is to be kept, in order, by the progress that it was said to and by
   * those above it.
   *
   * Since: 0.1
   */
  signals[SIGNAL_SAID] = g_signal_new ("said", WELKIN_TYPE_PROGRESS, G_SIGNAL_RUN_LAST, 0, NULL,
                                       NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
welkin_progress_init (WelkinProgress *self)
{
  self->context = g_main_context_ref_thread_default ();
  self->shares = g_array_new (FALSE, FALSE, sizeof (Share));
  self->own = -1;
  self->fraction = -1;
  self->notified_at = g_get_monotonic_time () - NOTIFY_INTERVAL_US;
}
