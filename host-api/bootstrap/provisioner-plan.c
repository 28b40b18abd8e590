/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "bootstrap/provisioner-plan.h"

/* What a record alone says of its machine. */
typedef enum
{
  MACHINE_IDLE,    /* nothing is to be done */
  MACHINE_DEAD,
  MACHINE_PENDING,
  MACHINE_RUNNING,
} MachineClass;

/* All that the functions below look at. */
typedef struct
{
  WelkinProvisionerPlan *plan;
  GHashTable            *by_id;       /* instance id to WelkinInstance (unowned) */
  GHashTable            *by_start;    /* start-id to WelkinInstance (unowned) */
  GHashTable            *known;       /* (owned char *) ids of instances that are some machine's */
  gboolean               stops_dead;
} Judge;

static MachineClass
classify (WelkinMachineRecord *record)
{
  gboolean has_instance = welkin_machine_record_get (record, "instance-id") != NULL;

  if (welkin_machine_record_is (record, "life", "dead"))
    return MACHINE_DEAD;
  if (welkin_machine_record_is (record, "life", "dying"))
    return has_instance ? MACHINE_IDLE : MACHINE_DEAD;
  if (has_instance)
    return MACHINE_RUNNING;
  if (welkin_machine_record_is (record, "status", "pending")
      || welkin_machine_record_is (record, "status", "provisioning")
      || (welkin_machine_record_is (record, "status", "error")
          && welkin_machine_record_is (record, "transient", "true")))
    return MACHINE_PENDING;
  return MACHINE_IDLE;
}

/* The instance of a machine: by the record's word, or by the start that the record tells of. */
static WelkinInstance *
find_instance (Judge               *judge,
               WelkinMachineRecord *record)
{
  const char *id = welkin_machine_record_get (record, "instance-id");
  const char *start_id = welkin_machine_record_get (record, "start-id");

  if (id != NULL)
    return g_hash_table_lookup (judge->by_id, id);
  return start_id != NULL ? g_hash_table_lookup (judge->by_start, start_id) : NULL;
}

static void
add (GPtrArray  *ids,
     const char *id)
{
  g_ptr_array_add (ids, g_strdup (id));
}

static void
add_interrupted (WelkinProvisionerPlan *plan,
                 WelkinMachineRecord   *record)
{
  const char *start_id = welkin_machine_record_get (record, "start-id");

  if (start_id != NULL)
    add (plan->interrupted, start_id);
}

void
welkin_provisioner_plan_start_anew (WelkinProvisionerPlan *self,
                                    WelkinMachineRecord   *record,
                                    WelkinInstance        *instance)
{
  if (instance != NULL)
    add (self->stopping, welkin_instance_get_id (instance));
  add_interrupted (self, record);
  add (self->pending, welkin_machine_record_get_machine_id (record));
}

static void
judge_dead (Judge               *judge,
            WelkinMachineRecord *record,
            WelkinInstance      *instance)
{
  add (judge->plan->dead, welkin_machine_record_get_machine_id (record));
  if (instance == NULL && welkin_machine_record_get (record, "instance-id") == NULL)
    add_interrupted (judge->plan, record);
  if (instance != NULL && judge->stops_dead
      && !welkin_machine_record_is (record, "keep-instance", "true"))
    add (judge->plan->stopping, welkin_instance_get_id (instance));
}

/* What a start that was cut off has made is taken when it runs; anything else is undone, and the
 * machine started anew. */
static void
judge_pending (Judge               *judge,
               WelkinMachineRecord *record,
               WelkinInstance      *instance)
{
  if (instance != NULL && welkin_instance_get_state (instance) == WELKIN_INSTANCE_RUNNING)
    add (judge->plan->adopted, welkin_machine_record_get_machine_id (record));
  else
    welkin_provisioner_plan_start_anew (judge->plan, record, instance);
}

static void
judge_record (Judge               *judge,
              WelkinMachineRecord *record)
{
  const char *machine_id = welkin_machine_record_get_machine_id (record);
  WelkinInstance *instance = find_instance (judge, record);

  if (instance != NULL)
    {
      g_hash_table_add (judge->known, g_strdup (welkin_instance_get_id (instance)));
      g_hash_table_insert (judge->plan->instances, g_strdup (machine_id),
                           g_object_ref (instance));
    }
  /* The first machine is made and removed by bootstrap and destroy alone. */
  if (g_str_equal (machine_id, WELKIN_BOOTSTRAP_MACHINE)
      && classify (record) != MACHINE_RUNNING)
    return;

  switch (classify (record))
    {
    case MACHINE_DEAD:
      judge_dead (judge, record, instance);
      break;
    case MACHINE_PENDING:
      judge_pending (judge, record, instance);
      break;
    case MACHINE_RUNNING:
      add (instance != NULL ? judge->plan->maintained : judge->plan->missing, machine_id);
      break;
    case MACHINE_IDLE:
      break;
    }
}

static void
judge_unknown (Judge       *judge,
               GPtrArray   *instances,
               WelkinValue *kept,
               gboolean     stops_unknown)
{
  for (guint i = 0; i < instances->len; i++)
    {
      const char *id = welkin_instance_get_id (g_ptr_array_index (instances, i));

      if (g_hash_table_contains (judge->known, id)
          || (kept != NULL && welkin_value_lookup (kept, id) != NULL))
        continue;
      add (stops_unknown ? judge->plan->stopping : judge->plan->unknown, id);
    }
}

static WelkinProvisionerPlan *
plan_new (void)
{
  WelkinProvisionerPlan *plan = g_new0 (WelkinProvisionerPlan, 1);

  plan->dead = g_ptr_array_new_with_free_func (g_free);
  plan->pending = g_ptr_array_new_with_free_func (g_free);
  plan->adopted = g_ptr_array_new_with_free_func (g_free);
  plan->maintained = g_ptr_array_new_with_free_func (g_free);
  plan->missing = g_ptr_array_new_with_free_func (g_free);
  plan->stopping = g_ptr_array_new_with_free_func (g_free);
  plan->unknown = g_ptr_array_new_with_free_func (g_free);
  plan->interrupted = g_ptr_array_new_with_free_func (g_free);
  plan->instances = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  return plan;
}

WelkinProvisionerPlan *
welkin_provisioner_plan_new (GPtrArray        *records,
                             GPtrArray        *instances,
                             WelkinValue      *kept,
                             WelkinHarvestMode harvest_mode)
{
  g_autoptr(GHashTable) by_id = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr(GHashTable) by_start = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr(GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gboolean stops_all = harvest_mode == WELKIN_HARVEST_ALL;
  gboolean stops_unknown = stops_all || harvest_mode == WELKIN_HARVEST_UNKNOWN;
  Judge judge = {
    .plan = plan_new (),
    .by_id = by_id,
    .by_start = by_start,
    .known = known,
    .stops_dead = stops_all || harvest_mode == WELKIN_HARVEST_DESTROYED,
  };

  for (guint i = 0; i < instances->len; i++)
    {
      WelkinInstance *instance = g_ptr_array_index (instances, i);
      const char *start_id = welkin_instance_get_start_id (instance);

      g_hash_table_insert (by_id, (gpointer) welkin_instance_get_id (instance), instance);
      if (start_id != NULL)
        g_hash_table_insert (by_start, (gpointer) start_id, instance);
    }
  for (guint i = 0; i < records->len; i++)
    judge_record (&judge, g_ptr_array_index (records, i));
  judge_unknown (&judge, instances, kept, stops_unknown);
  return judge.plan;
}

void
welkin_provisioner_plan_free (WelkinProvisionerPlan *plan)
{
  g_ptr_array_unref (plan->dead);
  g_ptr_array_unref (plan->pending);
  g_ptr_array_unref (plan->adopted);
  g_ptr_array_unref (plan->maintained);
  g_ptr_array_unref (plan->missing);
  g_ptr_array_unref (plan->stopping);
  g_ptr_array_unref (plan->unknown);
  g_ptr_array_unref (plan->interrupted);
  g_hash_table_unref (plan->instances);
  g_free (plan);
}
