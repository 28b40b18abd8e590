#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The interface as a Python program uses it: test-python.py DIRECTORY-OF-PLUGINS"""

import sys
import unittest

try:
    import gi
except ImportError:
    print('PyGObject is not installed')
    sys.exit(77)
gi.require_version('Welkin', '1.0')
from gi.repository import Gio, GLib, GObject, Welkin


class Values(unittest.TestCase):
    def test_values_nest(self):
        text = Welkin.Value.new_text('0123', False, 'a.yaml:1')
        items = Welkin.Value.new_list([text, text], None)
        tree = Welkin.Value.new_map(['a', 'b'], [text, items], None)
        self.assertEqual(tree.get_length(), 2)
        self.assertEqual(tree.lookup('a').get_text(), '0123')
        self.assertEqual(tree.lookup('b').get_item(1).get_origin(), 'a.yaml:1')
        self.assertIsNone(tree.lookup('c'))

    def test_configs_are_changed_by_copying(self):
        config = Welkin.Config.new().with_text('name', 'e', None)
        other = config.with_text('networks', 'a, b', None)
        self.assertEqual(config.get_keys(), ['name'])
        self.assertEqual(other.get_keys(), ['name', 'networks'])
        self.assertEqual(other.get_strings('networks'), ['a', 'b'])

    def test_constraints_are_read_and_written(self):
        constraints = Welkin.Constraints.new_parsed_words(['mem=4G', 'tags=a,b'])
        self.assertEqual(constraints.get_number('mem'), 4096)
        self.assertEqual(constraints.get_list('tags'), ['a', 'b'])
        self.assertEqual(constraints.to_string(), 'mem=4096M tags=a,b')

    def test_addresses_are_chosen_from_a_list(self):
        addresses = [Welkin.Address.new(value, Welkin.Scope.UNKNOWN, None)
                     for value in ('10.0.0.1', '8.8.8.8')]
        self.assertEqual(Welkin.Address.select_public(addresses).get_value(), '8.8.8.8')
        self.assertIsNone(Welkin.Address.select_public([]))

    def test_surroundings_are_made_up(self):
        surroundings = Welkin.Surroundings.new(['HOME=/home/me'], '/')
        self.assertEqual(surroundings.get_config_directory(), '/home/me/.config/welkin')

    def test_errors_have_domain_and_code(self):
        with self.assertRaises(GLib.Error) as caught:
            Welkin.Constraints.new_parsed('mem')
        self.assertTrue(caught.exception.matches(Welkin.Error.quark(),
                                                 Welkin.Error.INVALID_ARGUMENT))
        self.assertEqual(caught.exception.message, 'malformed constraint "mem"')

    def test_enumerations_are_types(self):
        self.assertEqual(Welkin.InstanceState.RUNNING.value_nick, 'running')
        self.assertTrue(Welkin.AttributeFlags.SECRET & Welkin.AttributeFlags.SECRET)


class Progress(unittest.TestCase):
    def test_a_property_can_be_bound(self):
        class Bar(GObject.Object):
            value = GObject.Property(type=float)

        bar = Bar()
        progress = Welkin.Progress.new()
        progress.bind_property('fraction', bar, 'value', GObject.BindingFlags.DEFAULT)
        progress.add_child(1).finish()
        progress.finish()
        self.assertEqual(bar.value, 1)


class Plugins(unittest.TestCase):
    directory = None

    def setUp(self):
        self.registry = Welkin.Registry.new([self.directory])

    def wait(self, start, finish, *arguments):
        loop = GLib.MainLoop()
        results = []

        def done(source, result):
            results.append(result)
            loop.quit()

        start(*arguments, None, done)
        loop.run()
        return finish(results[0])

    def open(self, **attributes):
        config = Welkin.Config.new().with_text('name', 'python', None)
        for key, value in attributes.items():
            config = config.with_text(key, value, None)
        return self.registry.get_provider('dummy').open(config, None)

    def test_the_registry_is_a_list(self):
        plugins = {plugin.get_provider_type(): plugin for plugin in self.registry}
        self.assertIsInstance(self.registry, Gio.ListModel)
        self.assertFalse(plugins['dummy'].props.opened)
        self.registry.open_all()
        self.assertTrue(plugins['dummy'].props.opened)
        self.assertEqual(plugins['dummy'].props.summary, 'A cloud in memory, for tests')
        self.assertEqual(self.registry.get_types(), ['dummy'])

    def test_a_missing_provider_is_an_error(self):
        with self.assertRaises(GLib.Error) as caught:
            self.registry.get_provider('nothing')
        self.assertTrue(caught.exception.matches(Welkin.PluginError.quark(),
                                                 Welkin.PluginError.NOT_FOUND))

    def test_a_schema_tells_its_attributes(self):
        schema = self.registry.get_provider('dummy').get_schema()
        self.assertIn('secret', schema.get_names())
        self.assertEqual(schema.get_kind('machines'), Welkin.AttributeKind.INT)
        self.assertTrue(schema.get_flags('secret') & Welkin.AttributeFlags.SECRET)

    def test_instances_are_listed_and_found(self):
        environment = self.open(machines='2')
        listed = self.wait(environment.list_instances_async, environment.list_instances_finish)
        self.assertEqual([instance.get_id() for instance in listed], ['dummy-1', 'dummy-2'])
        found = self.wait(environment.find_instances_async, environment.find_instances_finish,
                          ['dummy-2', 'dummy-9'])
        self.assertEqual(found.get_missing_ids(), ['dummy-9'])
        self.assertEqual(found.get_found(), [listed[1]])
        self.assertEqual(found.lookup('dummy-2').get_dns_name(), '198.51.100.2')

    def test_storage_takes_bytes(self):
        storage = self.open().get_storage()
        self.assertTrue(self.wait(storage.save_async, storage.save_finish, 'name',
                                  GLib.Bytes.new(b'contents'), Welkin.StorageFlags.NONE))
        contents = self.wait(storage.load_async, storage.load_finish, 'name',
                             Welkin.StorageFlags.NONE)
        self.assertEqual(contents.get_data(), b'contents')
        self.assertEqual(self.wait(storage.list_async, storage.list_finish, ''), ['name'])
        uri, expires = self.wait(storage.get_uri_async, storage.get_uri_finish, 'name')
        self.assertEqual((uri, expires), ('dummy:///name', None))

    def test_the_text_of_an_error_says_what_its_fields_cannot(self):
        environment = self.open(broken='verify')
        with self.assertRaises(GLib.Error) as caught:
            self.wait(environment.verify_async, environment.verify_finish, None)
        self.assertEqual(caught.exception.message,
                         'the cloud is broken (HTTP 503, request req-dummy)')

    def test_leftovers_are_values(self):
        leftover = Welkin.Leftover.new(Welkin.LeftoverKind.PORT, '17ab', None, '3', None,
                                       GLib.DateTime.new_utc(2026, 1, 2, 3, 4, 5), True, 'a test')
        self.assertEqual(leftover.get_kind(), Welkin.LeftoverKind.PORT)
        self.assertEqual((leftover.get_id(), leftover.get_machine_id(), leftover.get_name()),
                         ('17ab', '3', None))
        self.assertEqual(leftover.get_changed().get_year(), 2026)
        self.assertEqual(leftover.get_state(), Welkin.LeftoverState.FOUND)
        kept = leftover.with_state(Welkin.LeftoverState.KEPT, 'it is needed')
        self.assertEqual((kept.get_state(), kept.get_note(), kept.get_id()),
                         (Welkin.LeftoverState.KEPT, 'it is needed', '17ab'))
        self.assertIsNone(leftover.get_note())

    def test_what_is_not_offered_is_not_supported(self):
        environment = self.open()
        self.assertFalse(isinstance(environment, Welkin.Zoned))
        with self.assertRaises(GLib.Error) as caught:
            self.wait(environment.list_ports_async, environment.list_ports_finish)
        self.assertTrue(caught.exception.matches(Welkin.Error.quark(),
                                                 Welkin.Error.NOT_SUPPORTED))


if __name__ == '__main__':
    Plugins.directory = sys.argv.pop(1)
    unittest.main()
