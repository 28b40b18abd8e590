// SPDX-License-Identifier: LGPL-2.1-or-later

// The interface as a JavaScript program uses it: gjs test-javascript.js DIRECTORY-OF-PLUGINS

const System = imports.system;
const { GLib, Welkin } = imports.gi;

let failures = 0;

function assertEqual(what, got, expected) {
    if (`${got}` === `${expected}`)
        return;
    printerr(`${what}: got ${got}, expected ${expected}`);
    failures++;
}

function assertThrows(what, domain, code, call) {
    try {
        call();
        assertEqual(what, 'no error', 'an error');
    } catch (error) {
        assertEqual(what, error.matches?.(domain, code), true);
    }
}

function wait(start) {
    const loop = GLib.MainLoop.new(null, false);
    let result = null;

    start((source, got) => {
        result = got;
        loop.quit();
    });
    loop.run();
    return result;
}

const registry = Welkin.Registry.new([ARGV[0]]);
const provider = registry.get_provider('dummy');
const config = Welkin.Config.new()
    .with_text('name', 'javascript', null)
    .with_text('machines', '2', null)
    .with_text('broken', 'verify', null);
const environment = provider.open(config, null);

const instances = environment.list_instances_finish(
    wait(done => environment.list_instances_async(null, done)));
assertEqual('instances', instances.map(instance => instance.get_id()), 'dummy-1,dummy-2');
assertEqual('address', instances[1].get_dns_name(), '198.51.100.2');
assertEqual('state', instances[0].get_state(), Welkin.InstanceState.RUNNING);
assertEqual('addresses', instances[0].get_addresses().map(address => address.get_value()),
    '10.0.0.1,198.51.100.1');

const constraints = Welkin.Constraints.new_parsed('mem=4G tags=a,b');
assertEqual('tags', constraints.get_list('tags'), 'a,b');
assertEqual('constraints', constraints.to_string(), 'mem=4096M tags=a,b');
assertThrows('a bad constraint', Welkin.Error, Welkin.Error.INVALID_ARGUMENT,
    () => Welkin.Constraints.new_parsed('mem'));
assertThrows('a missing provider', Welkin.PluginError, Welkin.PluginError.NOT_FOUND,
    () => registry.get_provider('nothing'));

const storage = environment.get_storage();
storage.save_finish(wait(done => storage.save_async('name', new GLib.Bytes('contents'),
    Welkin.StorageFlags.NONE, null, done)));
const loaded = storage.load_finish(wait(done => storage.load_async('name',
    Welkin.StorageFlags.NONE, null, done)));
assertEqual('contents', imports.byteArray.toString(loaded.toArray()), 'contents');

// what an error knows beside its text
try {
    environment.verify_finish(wait(done => environment.verify_async(null, null, done)));
    assertEqual('verify', 'no error', 'an error');
} catch (error) {
    assertEqual('status', Welkin.Error.get_status(error), 503);
    assertEqual('request', Welkin.Error.get_request_id(error), 'req-dummy');
    assertEqual('service', Welkin.Error.get_service(error), 'dummy');
}

const progress = Welkin.Progress.new();
progress.add_child(1).set_fraction(0.5);
assertEqual('fraction', progress.fraction, 0.5);

System.exit(failures === 0 ? 0 : 1);
