import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from "jose";
import { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import type { Clock } from "../../platform/clock.ts";
import { fetchJson } from "../../platform/network/fetch-json.ts";
import { stripTrailingSlashes } from "@one-api/contract/fields";
import { askProvider } from "./ask-provider.ts";

/** How long a discovery document is believed, in ms; the keys have a time of their own and are asked for again when one is new. */
const DISCOVERY_MS = 600_000;
const KEYS_MS = 600_000;

const endpointSchema = z.url({ protocol: /^https?$/ });

/** OpenID Connect Discovery 1.0, 3, as far as it is used here. */
const discoverySchema = z.looseObject({
  issuer: z.string().min(1),
  authorization_endpoint: endpointSchema,
  token_endpoint: endpointSchema,
  jwks_uri: endpointSchema,
  userinfo_endpoint: endpointSchema.optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).default(["client_secret_basic"]),
  authorization_response_iss_parameter_supported: z.boolean().default(false),
});

/** What a provider says of itself. */
export interface OpenIdProvider extends z.output<typeof discoverySchema> {
  /** The key that a token is signed with, out of those that the provider publishes. */
  readonly keys: JWTVerifyGetKey;
}

/** Finds a provider by its issuer. Throws `oauth-unreachable`, `oauth-refused` and `oidc-untrusted`. */
export type FindOpenIdProvider = (clock: Clock, name: string, issuer: string) => Promise<OpenIdProvider>;

/** Builds the look-up: the last provider is kept for ten minutes, a failure not at all, and who asks meanwhile waits for the same answer. */
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
  // Settings keep addresses without the slash at the end that some issuers have.
  if (stripTrailingSlashes(document.issuer) !== issuer)
    throw untrusted(name, `its discovery document is the one of ${document.issuer}`);
  const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint } = document;
  const endpoints = [authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint ?? jwks_uri];
  if (issuer.startsWith("https:") && !endpoints.every((endpoint) => endpoint.startsWith("https:")))
    throw untrusted(name, "it names an endpoint without https");
  const keys = createRemoteJWKSet(new URL(jwks_uri), {
    cacheMaxAge: KEYS_MS,
    // Tokens come from the provider itself, so nobody else can have its keys asked for over and over.
    cooldownDuration: 0,
    [customFetch]: async (url) => Response.json(await fetchJson(url, { method: "GET" })),
  });
  return { ...document, keys };
}

/** The refusal of what a provider says, when it cannot be what it should; the reason is for who sets it up. */
export function untrusted(name: string, reason: string): AppError {
  return new AppError("oidc-untrusted", `What ${name} answers cannot be trusted: ${reason}.`, {
    values: { name, reason },
  });
}
