/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Lists the machines of an environment: list-instances [NAME] */

string get_address (Welkin.Instance instance) {
  try {
    return instance.get_dns_name ();
  } catch (Error error) {
    return "-";
  }
}

async void list_instances (Welkin.Environ environment) throws Error {
  var instances = yield environment.list_instances_async (null);

  foreach (var instance in instances)
    print ("%s %s %s\n", instance.get_id (), instance.get_status (), get_address (instance));
}

int main (string[] arguments) {
  var environments = new Welkin.Environments (new Welkin.Registry (null), null);
  var loop = new MainLoop ();
  var status = 0;

  try {
    var name = environments.choose (arguments.length > 1 ? arguments[1] : null);

    list_instances.begin (environments.open (name), (source, result) => {
      try {
        list_instances.end (result);
      } catch (Error error) {
        printerr ("error: %s\n", error.message);
        status = 1;
      }
      loop.quit ();
    });
  } catch (Error error) {
    printerr ("error: %s\n", error.message);
    return 1;
  }
  loop.run ();
  return status;
}
