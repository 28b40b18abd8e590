/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "ports-fixture.h"

GPtrArray *
ports_fixture_parse (const char *text)
{
  GPtrArray *ranges = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_port_range_unref);
  g_auto(GStrv) words = g_strsplit (text, " ", -1);

  for (gsize i = 0; words[i] != NULL && *words[i] != '\0'; i++)
    {
      g_auto(GStrv) parts = g_strsplit (words[i], "@", 2);
      g_auto(GStrv) sources = parts[1] != NULL ? g_strsplit (parts[1], ",", -1) : NULL;
      g_autoptr(GError) error = NULL;
      g_autoptr(WelkinPortRange) ports = welkin_port_range_new_parsed (parts[0], &error);

      g_assert_no_error (error);
      g_ptr_array_add (ranges, welkin_port_range_new (welkin_port_range_get_protocol (ports),
                                                      welkin_port_range_get_from (ports),
                                                      welkin_port_range_get_to (ports),
                                                      (const char *const *) sources));
    }
  return ranges;
}

static char *
describe_ranges (GPtrArray *ranges)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < ranges->len; i++)
    {
      WelkinPortRange *range = g_ptr_array_index (ranges, i);
      g_autofree char *ports = welkin_port_range_to_string (range);
      const char *const *sources = welkin_port_range_get_sources (range);

      g_string_append_printf (text, "%s%s", i > 0 ? " " : "", ports);
      for (gsize j = 0; sources != NULL && sources[j] != NULL; j++)
        g_string_append_printf (text, "%c%s", j == 0 ? '@' : ',', sources[j]);
    }
  return g_string_free (text, FALSE);
}

gboolean
ports_fixture_open (EnvironFixture *fixture,
                    GObject        *owner,
                    const char     *text,
                    GCancellable   *cancellable,
                    GError        **error)
{
  g_autoptr(GPtrArray) ranges = ports_fixture_parse (text);

  if (WELKIN_IS_INSTANCE (owner))
    {
      welkin_instance_open_ports_async (WELKIN_INSTANCE (owner), ranges, cancellable,
                                        provider_fixture_done_cb, &fixture->provider);
      return welkin_instance_open_ports_finish (WELKIN_INSTANCE (owner),
                                                provider_fixture_wait (&fixture->provider), error);
    }
  welkin_environ_open_ports_async (WELKIN_ENVIRON (owner), ranges, cancellable,
                                   provider_fixture_done_cb, &fixture->provider);
  return welkin_environ_open_ports_finish (WELKIN_ENVIRON (owner),
                                           provider_fixture_wait (&fixture->provider), error);
}

gboolean
ports_fixture_close (EnvironFixture *fixture,
                     GObject        *owner,
                     const char     *text,
                     GCancellable   *cancellable,
                     GError        **error)
{
  g_autoptr(GPtrArray) ranges = ports_fixture_parse (text);

  if (WELKIN_IS_INSTANCE (owner))
    {
      welkin_instance_close_ports_async (WELKIN_INSTANCE (owner), ranges, cancellable,
                                         provider_fixture_done_cb, &fixture->provider);
      return welkin_instance_close_ports_finish (WELKIN_INSTANCE (owner),
                                                 provider_fixture_wait (&fixture->provider), error);
    }
  welkin_environ_close_ports_async (WELKIN_ENVIRON (owner), ranges, cancellable,
                                    provider_fixture_done_cb, &fixture->provider);
  return welkin_environ_close_ports_finish (WELKIN_ENVIRON (owner),
                                            provider_fixture_wait (&fixture->provider), error);
}

GPtrArray *
ports_fixture_list (EnvironFixture *fixture,
                    GObject        *owner,
                    GError        **error)
{
  if (WELKIN_IS_INSTANCE (owner))
    {
      welkin_instance_list_ports_async (WELKIN_INSTANCE (owner), NULL, provider_fixture_done_cb,
                                        &fixture->provider);
      return welkin_instance_list_ports_finish (WELKIN_INSTANCE (owner),
                                                provider_fixture_wait (&fixture->provider), error);
    }
  welkin_environ_list_ports_async (WELKIN_ENVIRON (owner), NULL, provider_fixture_done_cb,
                                   &fixture->provider);
  return welkin_environ_list_ports_finish (WELKIN_ENVIRON (owner),
                                           provider_fixture_wait (&fixture->provider), error);
}

void
ports_fixture_assert (EnvironFixture *fixture,
                      GObject        *owner,
                      const char     *expected)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) ranges = ports_fixture_list (fixture, owner, &error);
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  text = describe_ranges (ranges);
  g_assert_cmpstr (text, ==, expected);
}

void
ports_fixture_assert_does (EnvironFixture *fixture,
                           PortsFunc       function,
                           GObject        *owner,
                           const char     *text)
{
  g_autoptr(GError) error = NULL;
  gboolean is_done = function (fixture, owner, text, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (is_done);
}

void
ports_fixture_assert_fails (EnvironFixture *fixture,
                            PortsFunc       function,
                            GObject        *owner,
                            const char     *text,
                            WelkinError     code,
                            const char     *message)
{
  g_autoptr(GError) error = NULL;

  g_assert_false (function (fixture, owner, text, NULL, &error));
  g_assert_error (error, WELKIN_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, message));
}

GObject *
ports_fixture_start (EnvironFixture *fixture,
                     const char     *machine_id)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) result =
    environ_fixture_start (fixture, fixture->environ, machine_id, NULL, &error);

  g_assert_no_error (error);
  return G_OBJECT (g_object_ref (welkin_start_result_get_instance (result)));
}

void
ports_fixture_destroy (EnvironFixture *fixture)
{
  if (fixture->provider.fake != NULL)
    fake_cloud_clear_rules (fixture->provider.fake);
  environ_fixture_assert_goes (fixture);
}
