// SPDX-License-Identifier: LGPL-2.1-or-later

// Lists the machines of an environment: gjs list-instances.js [NAME]

const System = imports.system;
const { GLib, Welkin } = imports.gi;

function getAddress(instance) {
    try {
        return instance.get_dns_name();
    } catch (error) {
        if (error.matches(Welkin.Error, Welkin.Error.NO_ADDRESS_YET))
            return '-';
        throw error;
    }
}

const loop = GLib.MainLoop.new(null, false);
let status = 1;

function instancesListed(environment, result) {
    try {
        for (const instance of environment.list_instances_finish(result))
            print(instance.get_id(), instance.get_status(), getAddress(instance));
        status = 0;
    } catch (error) {
        printerr(`error: ${error.message}`);
    }
    loop.quit();
}

try {
    const environments = Welkin.Environments.new(Welkin.Registry.new(null), null);
    const environment = environments.open(environments.choose(ARGV[0] ?? null));

    environment.list_instances_async(null, instancesListed);
    loop.run();
} catch (error) {
    printerr(`error: ${error.message}`);
}
System.exit(status);
