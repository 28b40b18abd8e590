/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "os-config.h"

#define BOOLEAN WELKIN_ATTRIBUTE_BOOLEAN
#define INT WELKIN_ATTRIBUTE_INT
#define MAP WELKIN_ATTRIBUTE_MAP
#define STRING WELKIN_ATTRIBUTE_STRING
#define IDENTITY WELKIN_ATTRIBUTE_IDENTITY
#define IMMUTABLE WELKIN_ATTRIBUTE_IMMUTABLE
#define OPTIONAL WELKIN_ATTRIBUTE_MAY_BE_EMPTY
#define SECRET WELKIN_ATTRIBUTE_SECRET

/*
 * The attributes that an environment on OpenStack has beside those that every environment has.
 *
 * Where "" stands for a default, what is left open is taken from clouds.yaml or from variables
 * before it takes its default; so endpoint-interface must not say "public" here already.
 */
static const WelkinAttribute attributes[] = {
  { "cloud", STRING, "", OPTIONAL,
    .description = N_("The entry of clouds.yaml to log in with; \"auto\" is the only one") },
  { "auth-url", STRING, "", OPTIONAL, .description = N_("The URL of keystone") },
  { "nova-uri", STRING, NULL, OPTIONAL, .description = N_("The old name of auth-url"),
    .alias_of = "auth-url" },
  { "auth-mode", STRING, "auto", OPTIONAL, .description = N_("How to log in") },
  { "username", STRING, "", OPTIONAL | IDENTITY, .description = N_("The user's name") },
  { "user-id", STRING, "", OPTIONAL, .description = N_("The user's id, instead of the name") },
  { "password", STRING, "", OPTIONAL | SECRET, .description = N_("The user's password") },
  { "access-key", STRING, "", OPTIONAL | SECRET,
    .description = N_("The access key of an EC2 key pair, to log in with") },
  { "secret-key", STRING, "", OPTIONAL | SECRET, .description = N_("Its secret") },
  { "application-credential-id", STRING, "", OPTIONAL | SECRET,
    .description = N_("The application credential to log in with, by id") },
  { "application-credential-name", STRING, "", OPTIONAL,
    .description = N_("The same by name, which takes the user's name as well") },
  { "application-credential-secret", STRING, "", OPTIONAL | SECRET,
    .description = N_("Its secret") },
  { "token", STRING, "", OPTIONAL | SECRET,
    .description = N_("A token of keystone, to log in with") },
  { "trust-id", STRING, "", OPTIONAL | SECRET,
    .description = N_("The trust to log in to, instead of a project") },
  { "tenant-name", STRING, "", OPTIONAL | IDENTITY, .description = N_("The project's name") },
  { "tenant-id", STRING, "", OPTIONAL, .description = N_("The project's id") },
  { "project-name", STRING, NULL, OPTIONAL | IDENTITY,
    .description = N_("Another word for tenant-name"), .alias_of = "tenant-name" },
  { "project-id", STRING, NULL, OPTIONAL, .description = N_("Another word for tenant-id"),
    .alias_of = "tenant-id" },
  { "domain-name", STRING, "", OPTIONAL,
    .description = N_("The domain of both user and project") },
  { "domain-id", STRING, "", OPTIONAL, .description = N_("The same by its id") },
  { "user-domain-name", STRING, "", OPTIONAL, .description = N_("The user's domain") },
  { "user-domain-id", STRING, "", OPTIONAL, .description = N_("The same by its id") },
  { "project-domain-name", STRING, "", OPTIONAL, .description = N_("The project's domain") },
  { "project-domain-id", STRING, "", OPTIONAL, .description = N_("The same by its id") },
  { "identity-api-version", STRING, "", OPTIONAL, .choices = "2 2.0 3",
    .description = N_("The version of keystone's API; what keystone says if not set") },
  { "version", STRING, NULL, OPTIONAL, .choices = "2 2.0 3",
    .description = N_("Another word for identity-api-version"),
    .alias_of = "identity-api-version" },
  { "allow-foreign-auth-url", BOOLEAN, "false",
    .description = N_("Send OS_PASSWORD to a cloud that OS_AUTH_URL does not name") },

  { "region", STRING, "", OPTIONAL | IMMUTABLE, .description = N_("The region to use") },
  { "endpoint-interface", STRING, "", OPTIONAL, .choices = "public internal admin",
    .description = N_("Which endpoints to use: public, internal or admin") },
  { "compute-endpoint", STRING, "", OPTIONAL,
    .description = N_("The URL of nova, instead of the catalog's") },
  { "network-endpoint", STRING, "", OPTIONAL,
    .description = N_("The URL of neutron, instead of the catalog's") },
  { "image-endpoint", STRING, "", OPTIONAL,
    .description = N_("The URL of glance, instead of the catalog's") },
  { "object-store-endpoint", STRING, "", OPTIONAL,
    .description = N_("The URL of swift, instead of the catalog's") },
  { "block-storage-endpoint", STRING, "", OPTIONAL,
    .description = N_("The URL of cinder, instead of the catalog's") },
  { "compute-api-version", STRING, "", OPTIONAL,
    .description = N_("The newest version of nova's API to use, as in 2.67") },
  { "ca-certificates", STRING, "", OPTIONAL,
    .description = N_("Certificate authorities beside the system's: a file, or its text") },
  { "client-cert", STRING, "", OPTIONAL,
    .description = N_("The file with a certificate to show to servers") },
  { "client-key", STRING, "", OPTIONAL | SECRET,
    .description = N_("The file with its private key, if that is another one") },
  { "max-connections", INT, "32", .minimum = 1, .maximum = 256,
    .description = N_("How many requests may be under way at once to one server") },

  { "network", STRING, "", OPTIONAL,
    .description = N_("The networks of machines, by name or id, with commas") },
  { "external-network", STRING, "", OPTIONAL,
    .description = N_("Where floating IPs come from, by name or id") },
  { "prefer-ipv6", BOOLEAN, "false",
    .description = N_("Reach machines by IPv6 where IPv4 is no better") },
  { "use-floating-ip", BOOLEAN, "false", .description = N_("Give each machine a floating IP") },
  { "floating-ip-reuse", STRING, "owned", .choices = "never owned any",
    .description = N_("Which free floating IPs to take before a new one: never, owned or any") },
  { "use-default-secgroup", BOOLEAN, "false",
    .description = N_("Put machines into the group \"default\" as well") },
  { "admin-sources", STRING, "0.0.0.0/0,::/0", OPTIONAL,
    .description = N_("Who may reach ssh and the API of machines: networks, with commas") },
  { "enable-ipv6-rules", BOOLEAN, "true",
    .description = N_("Open ports to IPv6 where they are open to everybody") },
  { "secgroup-keep-extra", BOOLEAN, "false",
    .description = N_("Leave rules in our groups that are not ours") },
  { "use-openstack-gbp", BOOLEAN, "false",
    .description = N_("Group-based policy, which is not supported: must be false") },

  { "image-ids", MAP, "", OPTIONAL,
    .description = N_("The image for each SERIES/ARCH, by id") },
  { "default-image-id", STRING, "", OPTIONAL,
    .description = N_("The image when nothing else names one") },
  { "flavor", STRING, "", OPTIONAL, .description = N_("The flavor of machines, by name or id") },
  { "default-instance-type", STRING, "", OPTIONAL,
    .description = N_("The flavor when no constraint says otherwise") },
  { "root-disk-source", STRING, "local", .choices = "local volume",
    .description = N_("What machines boot from: local or volume") },
  { "root-disk-size", STRING, "", OPTIONAL,
    .description = N_("The size of a volume to boot from, as in 30G, if no constraint says") },
  { "root-disk-volume-type", STRING, "", OPTIONAL,
    .description = N_("The type of a volume to boot from, by name") },
  { "availability-zones", STRING, "", OPTIONAL,
    .description = N_("The zones to use, in this order, with commas") },
  { "anti-affinity", STRING, "none", .choices = "none soft hard",
    .description = N_("Whether machines that do the same keep to different hosts: none or soft") },
  { "config-drive", STRING, "auto", .choices = "auto true false",
    .description = N_("Whether machines read their user data from a drive") },
  { "start-timeout", INT, "300", .minimum = 1, .maximum = 86400,
    .description = N_("Seconds that a machine may take to start") },

  { "resource-prefix", STRING, "welkin", IMMUTABLE,
    .description = N_("What the names of all that is made begin with") },
  { "storage", STRING, "auto", .choices = "auto swift s3 local none",
    .description = N_("Where the environment's files are: auto, swift, s3, local or none") },
  { "storage-access", STRING, "auto", .choices = "auto tempurl public-read private",
    .description = N_("How machines read the environment's files") },
  { "control-bucket", STRING, "", OPTIONAL | IMMUTABLE,
    .description = N_("The container that holds the environment's files") },
  { "s3-url", STRING, "", OPTIONAL, .description = N_("The URL of the S3 service") },
  { "s3-region", STRING, "us-east-1", OPTIONAL,
    .description = N_("The region that requests to S3 are signed for") },
  { "s3-signature", STRING, "v4", .choices = "v4",
    .description = N_("How requests to S3 are signed") },
};

WelkinSchema *
os_config_new_schema (void)
{
  return welkin_schema_new (attributes, G_N_ELEMENTS (attributes));
}
