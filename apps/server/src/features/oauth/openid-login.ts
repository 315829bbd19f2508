import { OPTION_DEFINITIONS } from "@one-api/contract/option";
import { errors, jwtVerify } from "jose";
import { z } from "zod";
import type { CallContext } from "../../core/call-context.ts";
import type { SessionCookie } from "../../core/call-registry.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { fingerprint } from "../../core/secrets.ts";
import { boundIdAt } from "../users/index.ts";
import { askProvider, bearing, plainName, switchedOff } from "./ask-provider.ts";
import { createOAuthState } from "./oauth-state.ts";
import { type FindOpenIdProvider, type OpenIdProvider, untrusted } from "./openid-provider.ts";
import type { ProviderProfile } from "./provider-profiles.ts";

/** Asymmetric ones alone: a token under a shared secret, or under none, proves no provider. */
const ALGORITHMS = "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(" ");
/** How far the clocks of two servers may be apart, in seconds. */
const CLOCK_TOLERANCE_SECONDS = 60;

export interface OpenIdDeps {
  readonly options: OptionStore;
  readonly find: FindOpenIdProvider;
}

/** What is set of the provider. */
interface OpenIdSettings {
  /** What it is called on buttons. */
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
}

/** What a state of this provider says that it is for: one that was begun at another issuer is worth nothing at this one. */
export function openIdStateKind(options: OptionStore): string {
  return `oidc ${options.text("OidcIssuer")}`;
}

/**
 * Begins the authorization code flow (OpenID Connect Core 1.0, 3.1) with PKCE (RFC 7636) and returns the provider's address to go to.
 * Throws `oauth-off`, `oauth-unreachable` and `oidc-untrusted`.
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
  const address = new URL(provider.authorization_endpoint);
  const query = {
    response_type: "code",
    client_id: settings.clientId,
    redirect_uri: settings.redirectUri,
    scope: withOpenId(options.text("OidcScopes")),
    state,
    nonce: nonceOf(context, state),
    code_challenge: Buffer.from(fingerprint(verifierOf(context, state)), "hex").toString("base64url"),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  return address.href;
}

/** What the provider's answer at the callback brought; the state is consumed already. */
export interface OpenIdReturn {
  readonly code: string;
  readonly state: string;
  readonly iss: string;
}

/**
 * Has the code exchanged and the ID token verified, and returns who it is. Throws `oauth-off`, `oauth-refused`, `oauth-unreachable` and
 * `oidc-untrusted`.
 */
export async function readOpenIdProfile(
  context: CallContext,
  { options, find }: OpenIdDeps,
  { code, state, iss }: OpenIdReturn,
): Promise<ProviderProfile> {
  const settings = readSettings(options);
  const provider = await find(context.clock, settings.name, settings.issuer);
  // RFC 9207: a code that another provider gave must not be sent to this one.
  const mustSay = provider.authorization_response_iss_parameter_supported;
  if ((iss !== "" || mustSay) && iss !== provider.issuer)
    throw untrusted(settings.name, "the code comes from another provider");
  const tokens = await exchangeCode(settings, provider, code, verifierOf(context, state));
  const claims = await verifyIdToken(context, settings, provider, tokens.id_token, nonceOf(context, state));
  const named = claims.name || claims.preferred_username || (await askForName(settings, provider, claims.sub, tokens));
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
  // A changed issuer forgets the secret: until it is typed again there is nothing to log in with.
  if (!options.flag("OidcEnabled") || settings.clientSecret === "") throw switchedOff(settings.name);
  return settings;
}

function withOpenId(scopes: string): string {
  const names = scopes.split(/[\s,]+/).filter((scope) => scope !== "" && scope !== "openid");
  return ["openid", ...names].join(" ");
}

/** What only this server can tell of a state: nothing of it has to be kept, and every replica knows it. */
const verifierOf = ({ secrets }: CallContext, state: string) => secrets.lookup(`openid verifier ${state}`);
const nonceOf = ({ secrets }: CallContext, state: string) => secrets.lookup(`openid nonce ${state}`);

const tokensSchema = z.looseObject({ id_token: z.string().min(1), access_token: z.string().min(1) });

/** The token endpoint (OpenID Connect Core 1.0, 3.1.3), the secret in a header unless the provider takes it in the form alone. */
async function exchangeCode(settings: OpenIdSettings, provider: OpenIdProvider, code: string, verifier: string) {
  const { name, clientId, clientSecret, redirectUri } = settings;
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
  const methods = provider.token_endpoint_auth_methods_supported;
  const inForm = methods.includes("client_secret_post") && !methods.includes("client_secret_basic");
  if (inForm) {
    body.set("client_id", clientId);
    body.set("client_secret", clientSecret);
  }
  const basic = Buffer.from([clientId, clientSecret].map(formEncoded).join(":")).toString("base64");
  const headers = inForm ? {} : { authorization: `Basic ${basic}` };
  return askProvider(name, tokensSchema, provider.token_endpoint, { method: "POST", headers, body });
}

/** RFC 6749, 2.3.1: both parts are form-encoded first. */
function formEncoded(text: string): string {
  return new URLSearchParams({ "": text }).toString().slice(1);
}

const claimsSchema = z.looseObject({
  /** At most 255 ASCII characters (OpenID Connect Core 1.0, 2). */
  sub: z.string().regex(/^[!-~]{1,255}$/),
  nonce: z.string(),
  azp: z.string().optional(),
  name: z.string().optional().catch(undefined),
  preferred_username: z.string().optional().catch(undefined),
});

/** OpenID Connect Core 1.0, 3.1.3.7. */
async function verifyIdToken(
  { clock }: CallContext,
  { name, clientId }: OpenIdSettings,
  provider: OpenIdProvider,
  idToken: string,
  nonce: string,
): Promise<z.output<typeof claimsSchema>> {
  const { payload } = await jwtVerify(idToken, provider.keys, {
    algorithms: ALGORITHMS,
    issuer: provider.issuer,
    audience: clientId,
    requiredClaims: ["exp", "iat"],
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    currentDate: new Date(clock.nowMs()),
  }).catch((error: unknown) => {
    // Its messages name the check that failed, and nothing of the token.
    throw untrusted(name, error instanceof errors.JOSEError ? error.message : "its keys cannot be had");
  });
  const { data: claims } = claimsSchema.safeParse(payload);
  if (claims === undefined) throw untrusted(name, "its ID token does not say who this is");
  if (claims.nonce !== nonce) throw untrusted(name, "its ID token was made for another login");
  const audiences = [payload.aud ?? []].flat();
  if (claims.azp === undefined ? audiences.length > 1 : claims.azp !== clientId)
    throw untrusted(name, "its ID token was made for another client");
  return claims;
}

const userInfoSchema = z.looseObject({
  sub: z.string(),
  name: z.string().nullish(),
  preferred_username: z.string().nullish(),
});

/** What somebody is called, from where providers keep it when the ID token has it not; empty where it cannot be had. */
async function askForName(
  { name }: OpenIdSettings,
  { userinfo_endpoint: address }: OpenIdProvider,
  sub: string,
  { access_token }: z.output<typeof tokensSchema>,
): Promise<string> {
  if (address === undefined) return "";
  const info = await askProvider(name, userInfoSchema, address, bearing(access_token)).catch(() => undefined);
  // OpenID Connect Core 1.0, 5.3.2: it may be about somebody else.
  if (info?.sub !== sub) return "";
  return info.name || info.preferred_username || "";
}
