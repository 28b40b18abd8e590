/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "faults.h"

/* How long a command waits for the answer behind which it is killed. */
#define NEVER_MS (60 * 1000)

#define ALWAYS .times = -1, .sticks = TRUE
#define FAIL(code, text) .action = FAKE_FAIL, .status = code, .body = text
#define NOVA(member, code, text) \
  FAIL (code, "{\"" member "\": {\"code\": " #code ", \"message\": \"" text "\"}}")
#define NEUTRON(type, code, text) \
  FAIL (code, "{\"NeutronError\": {\"type\": \"" type "\", \"message\": \"" text \
              "\", \"detail\": \"\"}}")

const Fault faults[] = {
  { "cancel", FAULT_CANCEL, { .action = FAKE_ANSWER }, TRUE },
  { "drop-before", FAULT_REQUEST, { .action = FAKE_DROP_BEFORE } },
  { "drop-before-always", FAULT_REQUEST, { .action = FAKE_DROP_BEFORE, ALWAYS } },
  { "drop-after", FAULT_REQUEST, { .action = FAKE_DROP_AFTER } },
  { "drop-after-always", FAULT_REQUEST, { .action = FAKE_DROP_AFTER, ALWAYS }, TRUE },
  { "cut", FAULT_REQUEST, { .action = FAKE_CUT } },
  { "garbage", FAULT_REQUEST, { .method = "GET", FAIL (200, "<html>busy</html>") } },
  { "garbage-of-post", FAULT_REQUEST, { .method = "POST", FAIL (200, "<html>busy</html>") },
    .is_of_start = TRUE },
  { "hang", FAULT_REQUEST, { .action = FAKE_HANG } },
  { "400", FAULT_REQUEST, { NOVA ("badRequest", 400, "Invalid input") } },
  { "401", FAULT_REQUEST, { FAIL (401, "Unauthorized") } },
  { "401-always", FAULT_REQUEST, { FAIL (401, "Unauthorized"), ALWAYS } },
  { "403", FAULT_REQUEST, { NEUTRON ("PolicyNotAuthorized", 403, "disallowed by policy") } },
  /* Not of a thing by its id, for that says of itself that it is gone. */
  { "404-of-list", FAULT_REQUEST,
    { .method = "GET", .path = "*s", NOVA ("itemNotFound", 404, "It could not be found") } },
  { "404-of-post", FAULT_REQUEST,
    { .method = "POST", NOVA ("itemNotFound", 404, "It could not be found") } },
  { "409", FAULT_REQUEST, { NOVA ("conflictingRequest", 409, "It is in another state") }, TRUE },
  { "413", FAULT_REQUEST, { NOVA ("overLimit", 413, "This request was rate-limited") } },
  { "429-always", FAULT_REQUEST, { NOVA ("overLimit", 429, "Too many requests"), ALWAYS } },
  { "500", FAULT_REQUEST, { NOVA ("computeFault", 500, "Unexpected API Error") } },
  { "500-always", FAULT_REQUEST, { NOVA ("computeFault", 500, "Unexpected API Error"), ALWAYS } },
  { "503", FAULT_REQUEST, { FAIL (503, "Service Unavailable") } },
  { "503-always", FAULT_REQUEST, { FAIL (503, "Service Unavailable"), ALWAYS } },
  { "quota-of-nova", FAULT_REQUEST,
    { .method = "POST",
      NOVA ("forbidden", 403, "Quota exceeded for instances: Requested 1, but already used 10 of "
                              "10 instances") } },
  { "quota-of-neutron", FAULT_REQUEST,
    { .method = "POST",
      NEUTRON ("OverQuota", 409, "Quota exceeded for resources: ['floatingip', 'port'].") } },
  { "no-addresses", FAULT_REQUEST,
    { .method = "POST",
      NEUTRON ("IpAddressGenerationFailure", 409, "No more IP addresses available") } },
  { "in-use", FAULT_REQUEST,
    { .method = "DELETE",
      NEUTRON ("SecurityGroupInUse", 409, "Security Group is in use") } },
  { "outage", FAULT_OUTAGE, { FAIL (503, "Service Unavailable"), .times = -1 } },
  { "no-network", FAULT_OUTAGE, { .action = FAKE_DROP_BEFORE, .times = -1 } },
  { "no-valid-host", FAULT_SERVERS, { .status = 500, .body = "No valid host was found" }, TRUE,
    TRUE },
  { "instance-failed", FAULT_SERVERS, { .status = 500, .body = "Image is corrupt" },
    .is_of_start = TRUE },
  { "kill-before", FAULT_KILL, { .action = FAKE_HANG, .times = -1 } },
  { "kill-after", FAULT_KILL, { .action = FAKE_ANSWER, .delay_ms = NEVER_MS, .times = -1 }, TRUE },
  { "kill-and-destroy", FAULT_ABANDON,
    { .action = FAKE_ANSWER, .delay_ms = NEVER_MS, .times = -1 } },
};

const guint n_faults = G_N_ELEMENTS (faults);

static void
cancel_cb (World *world)
{
  g_cancellable_cancel (world_get_cancellable (world));
}

gboolean
fault_kills (const Fault *self)
{
  return self->kind == FAULT_KILL || self->kind == FAULT_ABANDON;
}

guint
fault_arm (const Fault *self,
           World       *world,
           guint        number)
{
  FakeCloud *fake = world_get_fake (world);
  FakeRule rule = self->rule;
  guint id;

  if (self->kind == FAULT_SERVERS)
    {
      fake_cloud_script_server (fake, NULL, NULL, (int) number, "BUILD,ERROR", rule.status,
                                rule.body);
      return 0;
    }
  rule.skip = (int) number - 1;
  id = fake_cloud_add_rule (fake, &rule);
  if (self->kind == FAULT_CANCEL)
    world_set_trap (world, id, cancel_cb);
  else if (fault_kills (self))
    world_set_trap (world, id, world_kill_command);
  return id;
}

gboolean
fault_has_hit (const Fault *self,
               World       *world,
               guint        rule)
{
  if (self->kind == FAULT_SERVERS)
    return TRUE;
  return fake_cloud_get_rule_hits (world_get_fake (world), rule) > 0;
}
