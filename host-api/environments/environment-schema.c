/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environments/environment-schema.h"

#include <glib/gi18n-lib.h>

#include "machine/series-private.h"

#define STRING WELKIN_ATTRIBUTE_STRING
#define BOOLEAN WELKIN_ATTRIBUTE_BOOLEAN
#define INT WELKIN_ATTRIBUTE_INT

#define REQUIRED WELKIN_ATTRIBUTE_REQUIRED
#define OPTIONAL WELKIN_ATTRIBUTE_MAY_BE_EMPTY
#define IMMUTABLE WELKIN_ATTRIBUTE_IMMUTABLE
#define SECRET WELKIN_ATTRIBUTE_SECRET
#define TRANSIENT WELKIN_ATTRIBUTE_TRANSIENT
/* Those that nothing in host or providers reads yet. */
#define UNUSED WELKIN_ATTRIBUTE_UNUSED

#define PORTS .minimum = 1, .maximum = G_MAXUINT16
#define SECONDS .minimum = 0, .maximum = G_MAXINT32

/* What has no default stays absent. The ones with an empty default may be set
 * to nothing. */
static const WelkinAttribute attributes[] = {
  { "name", STRING, NULL, REQUIRED | IMMUTABLE, .description = N_("The environment's name") },
  { "type", STRING, NULL, REQUIRED | IMMUTABLE, .description = N_("The kind of cloud") },
  { "uuid", STRING, NULL, IMMUTABLE,
    .description = N_("Tells environments of the same name apart; made at bootstrap") },

  { "default-series", STRING, WELKIN_DEFAULT_SERIES,
    .description = N_("The release that machines run, by its code name") },
  { "image-metadata-url", STRING, "", OPTIONAL,
    .description = N_("Where to look up images first") },
  { "image-stream", STRING, "", OPTIONAL,
    .description = N_("Which images: \"released\" or \"daily\"") },
  { "tools-metadata-url", STRING, "", OPTIONAL,
    .description = N_("Where to look up agents first") },
  { "tools-stream", STRING, NULL,
    .description = N_("Which agents, as in \"released\"") },
  { "agent-version", STRING, NULL,
    .description = N_("The version of the agents") },
  { "development", BOOLEAN, "false",
    .description = N_("Whether unreleased agents may be chosen") },

  { "ssh-host", STRING, "", OPTIONAL,
    .description = N_("Where to log in to the first machine, instead of its addresses") },
  { "ssh-user", STRING, "ubuntu", .description = N_("The user to log in to machines as") },
  { "authorized-keys", STRING, NULL,
    .description = N_("The SSH keys that may log in, beside our own") },
  { "authorized-keys-path", STRING, NULL, TRANSIENT,
    .description = N_("The file to read them from") },
  { "admin-secret", STRING, "", OPTIONAL | SECRET,
    .description = N_("The administrator's password; made at bootstrap") },
  { "ca-cert", STRING, NULL,
    .description = N_("The certificate of the environment's authority; made at bootstrap") },
  { "ca-cert-path", STRING, NULL, TRANSIENT, .description = N_("The file to read it from") },
  { "ca-private-key", STRING, "", OPTIONAL | SECRET,
    .description = N_("The authority's private key; made at bootstrap") },
  { "ca-private-key-path", STRING, NULL, TRANSIENT,
    .description = N_("The file to read it from") },
  { "ssl-hostname-verification", BOOLEAN, "true",
    .description = N_("Whether certificates of servers are verified") },

  { "firewall-mode", STRING, "instance", IMMUTABLE,
    .description = N_("Whether ports are opened for a machine, for all, or not at all") },
  { "state-port", INT, "37017", IMMUTABLE, PORTS,
    .description = N_("The port of the environment's state") },
  { "api-port", INT, "17070", IMMUTABLE, PORTS,
    .description = N_("The port of the environment's API") },
  { "syslog-port", INT, "6514", UNUSED, PORTS,
    .description = N_("Kept for other readers; unused") },
  { "rsyslog-ca-cert", STRING, NULL, UNUSED,
    .description = N_("Kept for other readers; unused") },

  { "http-proxy", STRING, "", OPTIONAL,
    .description = N_("The proxy of machines for HTTP") },
  { "https-proxy", STRING, "", OPTIONAL,
    .description = N_("The proxy of machines for HTTPS") },
  { "ftp-proxy", STRING, "", OPTIONAL,
    .description = N_("The proxy of machines for FTP") },
  { "no-proxy", STRING, "", OPTIONAL,
    .description = N_("What machines reach without a proxy, with commas between") },
  { "apt-http-proxy", STRING, "", OPTIONAL,
    .description = N_("The proxy of packages for HTTP, if another one") },
  { "apt-https-proxy", STRING, "", OPTIONAL,
    .description = N_("The proxy of packages for HTTPS, if another one") },
  { "apt-ftp-proxy", STRING, "", OPTIONAL,
    .description = N_("The proxy of packages for FTP, if another one") },
  { "apt-mirror", STRING, NULL,
    .description = N_("Where machines get packages from") },
  { "enable-os-refresh-update", BOOLEAN, "true",
    .description = N_("Whether machines refresh their list of packages") },
  { "enable-os-upgrade", BOOLEAN, "true",
    .description = N_("Whether machines upgrade their packages at first boot") },

  { "bootstrap-timeout", INT, "600", IMMUTABLE, SECONDS,
    .description = N_("How many seconds bootstrap waits for the first machine") },
  { "bootstrap-retry-delay", INT, "5", IMMUTABLE, SECONDS,
    .description = N_("Seconds between two attempts to connect to it") },
  { "bootstrap-addresses-delay", INT, "10", IMMUTABLE, SECONDS,
    .description = N_("Seconds between two looks at its addresses") },

  { "provisioner-harvest-mode", STRING, NULL,
    .description = N_("Which machines to remove: \"all\", \"none\", \"unknown\" or "
                      "\"destroyed\" ones") },
  { "provisioner-safe-mode", BOOLEAN, NULL,
    .description = N_("The older form of provisioner-harvest-mode") },
  { "logging-config", STRING, NULL, OPTIONAL | UNUSED,
    .description = N_("What agents log, as in \"<root>=WARNING\"") },
  { "test-mode", BOOLEAN, "false", UNUSED,
    .description = N_("Kept for other readers; unused") },
  { "tools-url", STRING, "", OPTIONAL, .description = N_("The older name of tools-metadata-url") },
};

WelkinSchema *
welkin_environment_schema_new (void)
{
  return welkin_schema_new (attributes, G_N_ELEMENTS (attributes));
}
