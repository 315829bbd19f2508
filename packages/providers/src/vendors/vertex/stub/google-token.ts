import type { RequestRecord } from "../../../stub-kit/request-record.ts";
import { createHmac, generateKeyPairSync, type KeyObject, randomBytes, verify } from "node:crypto";
import { isJsonObject, type JsonObject } from "../../../stub-kit/json-fields.ts";
import { refuse } from "../../../stub-kit/refusal.ts";
import { json, type Reply } from "../../../stub-kit/call.ts";
import type { StubApi } from "../../../stub-kit/stub.ts";

const EMAIL = "stub@project.iam.gserviceaccount.com";
const KEY_ID = "stub-key";
const LIFE_SECONDS = 3_599;
const SECRET = randomBytes(16);

let keyPair: { readonly publicKey: KeyObject; readonly privateKey: KeyObject } | undefined;

/** One key for all stubs of this process: generating it takes a while. */
function keys() {
  keyPair ??= generateKeyPairSync("rsa", { modulusLength: 2_048 });
  return keyPair;
}

export function stubServiceAccount(upstreamUrl: string): string {
  return JSON.stringify({
    type: "service_account",
    project_id: "project",
    private_key_id: KEY_ID,
    private_key: keys().privateKey.export({ type: "pkcs8", format: "pem" }),
    client_email: EMAIL,
    token_uri: `${upstreamUrl}/token`,
  });
}

export function stubAccessToken(): string {
  const ends = String(Math.floor(Date.now() / 1_000) + LIFE_SECONDS);
  return `ya29.${ends}.${sign(ends)}`;
}

function sign(text: string): string {
  return createHmac("sha256", SECRET).update(text).digest("base64url");
}

/** Returns the token of a request. Throws RequestRefused (401) for an unknown or expired one. */
export function readToken({ authorization = "" }: RequestRecord["headers"]): string {
  const [, token = "", ends = "", signature] = /^Bearer (ya29\.(\d+)\.([\w-]+))$/.exec(authorization) ?? [];
  if (token !== "" && signature === sign(ends) && Number(ends) * 1_000 > Date.now()) return token;
  refuse("Request had invalid authentication credentials. Expected OAuth 2 access token.", {
    status: 401,
    code: "UNAUTHENTICATED",
  });
}

/** Google's exchange of a signed assertion for a token. Source: https://developers.google.com/identity/protocols/oauth2/service-account */
export const googleTokenApi: StubApi = {
  isAside: true,
  routes: { "POST /token": giveToken },
  readKey: (_headers, record) => checkAssertion(record),
  writeError: (_status, { error }) => ({ error: "invalid_grant", error_description: error.message }),
};

function giveToken(): Reply {
  return json({ access_token: stubAccessToken(), expires_in: LIFE_SECONDS, token_type: "Bearer" });
}

/** Returns the account's email address if its public key confirms the signature. */
function checkAssertion({ bodyText, headers, fullPath }: RequestRecord): string {
  const form = new URLSearchParams(bodyText);
  const [head = "", claims = "", signature = ""] = (form.get("assertion") ?? "").split(".");
  const { alg, kid } = parsed(head);
  const { iss, aud, scope, iat, exp } = parsed(claims);
  const isSigned = verify(
    "RSA-SHA256",
    Buffer.from(`${head}.${claims}`),
    keys().publicKey,
    Buffer.from(signature, "base64url"),
  );
  if (form.get("grant_type") !== "urn:ietf:params:oauth:grant-type:jwt-bearer") refuse("Unsupported grant_type.");
  if (alg !== "RS256" || kid !== KEY_ID || !isSigned) refuse("Invalid JWT Signature.");
  if (iss !== EMAIL) refuse("Invalid grant: account not found");
  if (aud !== `http://${headers.host}${fullPath}`) refuse("Invalid JWT: Failed audience check.");
  if (scope !== "https://www.googleapis.com/auth/cloud-platform")
    refuse("Invalid OAuth scope or ID token audience provided.");
  const nowSeconds = Date.now() / 1_000;
  const isTimely = Number(iat) <= nowSeconds + 60 && Number(exp) > nowSeconds && Number(exp) - Number(iat) <= 3_600;
  if (!isTimely) refuse("Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe.");
  return EMAIL;
}

function parsed(part: string): JsonObject {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString());
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
