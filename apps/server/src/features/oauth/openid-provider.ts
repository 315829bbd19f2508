import { stripTrailingSlashes } from "@one-api/contract/texts";
import { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import type { Clock } from "../../platform/clock.ts";
import { askProvider } from "./ask-provider.ts";

const DISCOVERY_MS = 600_000;

const endpointSchema = z.url({ protocol: /^https?$/ });

/** Metadata of a provider (OpenID Connect Discovery 1.0, section 3): the checked fields, and all others as they are. */
const discoverySchema = z.looseObject({
  issuer: z.string().min(1),
  authorization_endpoint: endpointSchema,
  token_endpoint: endpointSchema,
  jwks_uri: endpointSchema,
  userinfo_endpoint: endpointSchema.optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).default(["client_secret_basic"]),
});

export type OpenIdProvider = z.output<typeof discoverySchema>;

/** Finds a provider by its issuer. Throws `oauth-unreachable`, `oauth-refused` and `oidc-untrusted`. */
export type FindOpenIdProvider = (clock: Clock, name: string, issuer: string) => Promise<OpenIdProvider>;

/** Creates the lookup. It caches the last provider for ten minutes, and no failure. Parallel lookups share one request. */
export function createOpenIdDirectory(): FindOpenIdProvider {
  let known: { issuer: string; until: number; provider: Promise<OpenIdProvider> } | undefined;
  return (clock, name, issuer) => {
    const now = clock.monotonicMs();
    if (known !== undefined && known.issuer === issuer && known.until > now) return known.provider;
    const found = { issuer, until: now + DISCOVERY_MS, provider: discover(name, issuer) };
    known = found;
    found.provider.catch(() => {
      if (known === found) known = undefined;
    });
    return found.provider;
  };
}

async function discover(name: string, issuer: string): Promise<OpenIdProvider> {
  const address = `${issuer}/.well-known/openid-configuration`;
  const document = await askProvider(name, discoverySchema, address, { method: "GET" });
  // Settings store addresses without a trailing slash, which some issuers have.
  if (stripTrailingSlashes(document.issuer) !== issuer)
    throw untrusted(name, `its discovery document is the one of ${document.issuer}`);
  const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint } = document;
  const endpoints = [authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint ?? jwks_uri];
  if (issuer.startsWith("https:") && !endpoints.every((endpoint) => endpoint.startsWith("https:")))
    throw untrusted(name, "it names an endpoint without https");
  return document;
}

export function untrusted(name: string, reason: string): AppError {
  return new AppError("oidc-untrusted", `What ${name} answers cannot be trusted: ${reason}.`, {
    values: { name, reason },
  });
}
