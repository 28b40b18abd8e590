/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "machine/agent-authority.h"

/* A name that the certificates of all servers have. */
#define SERVER_NAME "anyServer"
/* It has to be some number. */
#define SERVER_PORT 17070

struct _WelkinAgentAuthority
{
  GTlsDatabase        parent_instance;

  GTlsCertificate    *authority; /* (owned) */
  GSocketConnectable *server;    /* (owned) */
};

G_DEFINE_FINAL_TYPE (WelkinAgentAuthority, welkin_agent_authority, G_TYPE_TLS_DATABASE)

/* Called in whatever thread shakes hands. */
static GTlsCertificateFlags
welkin_agent_authority_verify_chain (GTlsDatabase            *database,
                                     GTlsCertificate         *chain,
                                     const char              *purpose,
                                     GSocketConnectable      *identity,
                                     GTlsInteraction         *interaction,
                                     GTlsDatabaseVerifyFlags  flags,
                                     GCancellable            *cancellable,
                                     GError                 **error)
{
  WelkinAgentAuthority *self = WELKIN_AGENT_AUTHORITY (database);

  return g_tls_certificate_verify (chain, self->server, self->authority);
}

GTlsDatabase *
welkin_agent_authority_new (const char *certificate,
                            GError    **error)
{
  g_autoptr(GTlsCertificate) authority = g_tls_certificate_new_from_pem (certificate, -1, error);
  WelkinAgentAuthority *self;

  if (authority == NULL)
    return NULL;
  self = g_object_new (WELKIN_TYPE_AGENT_AUTHORITY, NULL);
  self->authority = g_steal_pointer (&authority);
  self->server = g_network_address_new (SERVER_NAME, SERVER_PORT);
  return G_TLS_DATABASE (self);
}

static void
welkin_agent_authority_finalize (GObject *object)
{
  WelkinAgentAuthority *self = WELKIN_AGENT_AUTHORITY (object);

  g_clear_object (&self->server);
  g_clear_object (&self->authority);
  G_OBJECT_CLASS (welkin_agent_authority_parent_class)->finalize (object);
}

static void
welkin_agent_authority_class_init (WelkinAgentAuthorityClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = welkin_agent_authority_finalize;
  G_TLS_DATABASE_CLASS (klass)->verify_chain = welkin_agent_authority_verify_chain;
}

static void
welkin_agent_authority_init (WelkinAgentAuthority *self)
{
}
