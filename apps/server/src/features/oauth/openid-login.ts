import { OPTION_DEFINITIONS } from "@one-api/contract/options/option-definitions";
import * as oidc from "openid-client";
import { AppError } from "../../core/app-error.ts";
import type { CallContext } from "../../core/call-context.ts";
import type { SessionCookie } from "../../core/call-registry.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { fetchJson } from "../../platform/network/fetch-json.ts";
import { boundIdAt } from "../users/index.ts";
import { plainName, providerRefused, providerUnreachable, switchedOff } from "./ask-provider.ts";
import { createOAuthState } from "./oauth-state.ts";
import { type FindOpenIdProvider, type OpenIdProvider, untrusted } from "./openid-provider.ts";
import type { ProviderProfile } from "./provider-profiles.ts";

/** Allowed difference between the clocks of two servers. */
const CLOCK_TOLERANCE_SECONDS = 60;

/** Subject identifiers are at most 255 ASCII characters (OpenID Connect Core 1.0, section 2). */
const SUBJECT = /^[!-~]{1,255}$/;

export interface OpenIdDeps {
  readonly options: OptionStore;
  readonly find: FindOpenIdProvider;
}

interface OpenIdSettings {
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
}

/** Kind of the states of this provider. A state that was created for one issuer is not valid for another. */
export function openIdStateKind(options: OptionStore): string {
  return `oidc ${options.text("OidcIssuer")}`;
}

/**
 * Begins the authorization code flow (OpenID Connect Core 1.0, section 3.1) with PKCE (RFC 7636). Returns the provider's address to
 * redirect to. Throws `oauth-off`, `oauth-unreachable` and `oidc-untrusted`.
 */
export async function beginOpenIdLogin(
  context: CallContext,
  { options, find }: OpenIdDeps,
  browser: SessionCookie,
  invitation: string,
): Promise<string> {
  const settings = readSettings(options);
  const provider = await find(context.clock, settings.name, settings.issuer);
  const state = await createOAuthState(context, browser, { provider: openIdStateKind(options), invitation });
  const address = oidc.buildAuthorizationUrl(configure(context, settings, provider), {
    redirect_uri: settings.redirectUri,
    scope: withOpenId(options.text("OidcScopes")),
    state,
    nonce: nonceOf(context, state),
    code_challenge: await oidc.calculatePKCECodeChallenge(verifierOf(context, state)),
    code_challenge_method: "S256",
  });
  return address.href;
}

export interface OpenIdReturn {
  readonly code: string;
  readonly state: string;
  readonly iss: string;
}

/**
 * Exchanges the code, verifies the ID token and returns its subject. Throws `oauth-off`, `oauth-refused`, `oauth-unreachable` and
 * `oidc-untrusted`.
 */
export async function readOpenIdProfile(
  context: CallContext,
  { options, find }: OpenIdDeps,
  callback: OpenIdReturn,
): Promise<ProviderProfile> {
  const settings = readSettings(options);
  const provider = await find(context.clock, settings.name, settings.issuer);
  const config = configure(context, settings, provider);
  const tokens = await exchangeCode(context, config, settings, callback);
  const claims = tokens.claims();
  if (claims === undefined || !SUBJECT.test(claims.sub))
    throw untrusted(settings.name, "its ID token does not say who this is");
  if (claims.azp !== undefined && claims.azp !== settings.clientId)
    throw untrusted(settings.name, "its ID token was made for another client");
  const named = nameIn(claims) || (await readName(config, tokens.access_token, claims.sub));
  return {
    column: "oidc_id",
    id: boundIdAt(provider.issuer, claims.sub),
    displayName: plainName(named || settings.name),
    binding: "oidc",
    maySignUp: options.flag("OidcSignUpEnabled"),
  };
}

function readSettings(options: OptionStore): OpenIdSettings {
  const settings = {
    name: options.text("OidcButtonLabel") || OPTION_DEFINITIONS.OidcButtonLabel.default,
    issuer: options.text("OidcIssuer"),
    clientId: options.text("OidcClientId"),
    clientSecret: options.secret("OidcClientSecret"),
    redirectUri: `${options.text("ServerAddress")}/oauth/oidc`,
  };
  // Changing the issuer deletes the secret.
  if (!options.flag("OidcEnabled") || settings.clientSecret === "") throw switchedOff(settings.name);
  return settings;
}

function withOpenId(scopes: string): string {
  const names = scopes.split(/[\s,]+/).filter((scope) => scope !== "" && scope !== "openid");
  return ["openid", ...names].join(" ");
}

/** Derived from the state with a key of this server: nothing is stored, and every server derives the same. */
const verifierOf = ({ secrets }: CallContext, state: string) => secrets.lookup(`openid verifier ${state}`);
const nonceOf = ({ secrets }: CallContext, state: string) => secrets.lookup(`openid nonce ${state}`);

/** A client for one login. Copied metadata has no cached keys, so a rotated key is found at once. */
function configure({ clock }: CallContext, settings: OpenIdSettings, provider: OpenIdProvider): oidc.Configuration {
  const { name, issuer, clientId, clientSecret } = settings;
  const methods = provider.token_endpoint_auth_methods_supported;
  const isPostOnly = methods.includes("client_secret_post") && !methods.includes("client_secret_basic");
  const authenticate = isPostOnly ? oidc.ClientSecretPost(clientSecret) : oidc.ClientSecretBasic(clientSecret);
  const metadata = {
    [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS,
    [oidc.clockSkew]: Math.round((clock.nowMs() - Date.now()) / 1_000),
  };
  const { userinfo_endpoint: userInfo, ...endpoints } = provider;
  const server = { ...endpoints, ...(userInfo === undefined ? {} : { userinfo_endpoint: userInfo }) };
  const config = new oidc.Configuration(server, clientId, metadata, authenticate);
  oidc.enableNonRepudiationChecks(config);
  if (issuer.startsWith("http:")) oidc.allowInsecureRequests(config);
  config[oidc.customFetch] = async (address, { method, headers, body }) =>
    Response.json(
      await readJson(name, address === provider.token_endpoint, address, {
        method: method === "POST" ? "POST" : "GET",
        headers,
        ...(body instanceof URLSearchParams ? { body } : {}),
      }),
    );
  return config;
}

/** Only an answer of the token endpoint decides between `oauth-unreachable` and `oauth-refused`. */
async function readJson(
  name: string,
  isToken: boolean,
  address: string,
  request: Parameters<typeof fetchJson>[1],
): Promise<unknown> {
  if (!isToken) return fetchJson(address, request);
  const answer = await fetchJson(address, request).catch(() => {
    throw providerUnreachable(name);
  });
  if (typeof answer !== "object" || answer === null || !("id_token" in answer)) throw providerRefused(name);
  return answer;
}

async function exchangeCode(
  context: CallContext,
  config: oidc.Configuration,
  { name, redirectUri }: OpenIdSettings,
  { code, state, iss }: OpenIdReturn,
): Promise<oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers> {
  const address = new URL(redirectUri);
  address.search = new URLSearchParams({ code, state, ...(iss === "" ? {} : { iss }) }).toString();
  try {
    return await oidc.authorizationCodeGrant(config, address, {
      expectedState: state,
      expectedNonce: nonceOf(context, state),
      pkceCodeVerifier: verifierOf(context, state),
      idTokenExpected: true,
    });
  } catch (error) {
    const refusal = findRefusal(error);
    if (refusal !== undefined) throw refusal;
    // Messages of the library name the failed check, and nothing of the token.
    throw untrusted(name, error instanceof oidc.ClientError ? error.message : "its answer cannot be read");
  }
}

function findRefusal(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  return error instanceof Error ? findRefusal(error.cause) : undefined;
}

/** Reads the name from the UserInfo endpoint; empty without one. The library refuses an answer about another subject. */
async function readName(config: oidc.Configuration, accessToken: string, subject: string): Promise<string> {
  if (config.serverMetadata().userinfo_endpoint === undefined) return "";
  return nameIn(await oidc.fetchUserInfo(config, accessToken, subject).catch(() => ({})));
}

function nameIn(claims: Readonly<Record<string, unknown>>): string {
  const names = [claims["name"], claims["preferred_username"]];
  return names.find((name): name is string => typeof name === "string" && name !== "") ?? "";
}
