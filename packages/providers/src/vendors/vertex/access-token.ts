import { importPKCS8, SignJWT } from "jose";
import { type Failure, ProviderFailedError } from "../../failure.ts";
import { readError } from "../../protocols/read-error.ts";
import type { AccessToken } from "../../access-token-cache.ts";
import type { ProviderIo } from "../../provider-io.ts";
import { numberOf, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";

interface ServiceAccount {
  readonly email: string;
  readonly privateKey: string;
  readonly privateKeyId: string;
  readonly tokenUri: string;
}

const SCOPE = "https://www.googleapis.com/auth/cloud-platform";
const TOKEN_URI = "https://oauth2.googleapis.com/token";
const TOKEN_TIMEOUT_MS = 5_000;
const LIFE_SECONDS = 3_600;

/**
 * Exchanges a service account's document for a token, by a signed assertion. Rejects with ProviderFailedError.
 * Source: https://developers.google.com/identity/protocols/oauth2/service-account#httprest
 */
export async function exchangeDocument(document: string, io: ProviderIo): Promise<AccessToken> {
  const account = readDocument(document);
  const form = new URLSearchParams({
    grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
    assertion: await signAssertion(account, io.nowMs()),
  });
  const question = {
    method: "POST",
    url: account.tokenUri,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: Buffer.from(form.toString()),
    timeoutMs: TOKEN_TIMEOUT_MS,
  } as const;
  const reply = await io.ask(question).catch(() => {
    throw failed("connection", "Google could not be asked for a token for the service account.");
  });
  const { access_token: token, expires_in: seconds, error, error_description: told } = recordOf(parseJson(reply.text));
  if (textOf(token) !== "") {
    return { text: textOf(token), expiresAtMs: io.nowMs() + (numberOf(seconds) ?? 0) * 1_000 };
  }
  const isRefused = textOf(error) !== "" && reply.status < 429;
  const failure = readError(
    reply.status,
    reply.headers,
    isRefused ? JSON.stringify({ error: told ?? error }) : reply.text,
  );
  throw new ProviderFailedError(isRefused ? { ...failure, kind: "bad-credential" } : failure);
}

async function signAssertion({ email, privateKey, privateKeyId, tokenUri }: ServiceAccount, nowMs: number) {
  const nowSeconds = Math.floor(nowMs / 1_000);
  const key = await importPKCS8(privateKey, "RS256").catch(() => {
    throw unreadable("private_key is no key");
  });
  return await new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: "RS256", typ: "JWT", ...(privateKeyId !== "" && { kid: privateKeyId }) })
    .setIssuer(email)
    .setAudience(tokenUri)
    .setIssuedAt(nowSeconds)
    .setExpirationTime(nowSeconds + LIFE_SECONDS)
    .sign(key);
}

function readDocument(document: string): ServiceAccount {
  const fields = recordOf(parseJson(document));
  const account = {
    email: textOf(fields.client_email),
    privateKey: textOf(fields.private_key),
    privateKeyId: textOf(fields.private_key_id),
    tokenUri: textOf(fields.token_uri) || TOKEN_URI,
  };
  if (account.email === "" || account.privateKey === "") throw unreadable("client_email or private_key is missing");
  if (!isSafe(account.tokenUri)) throw unreadable("token_uri is not an address with https");
  return account;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Requires TLS, except on this machine: no service that issues a machine's own credentials answers over TLS. */
function isSafe(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  const isPrivate = protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname));
  return isPrivate && username === "" && password === "";
}

function unreadable(what: string): ProviderFailedError {
  return failed(
    "bad-credential",
    `The credentials of the channel are no service account's: ${what}. Paste the JSON document of its key as Google gave it.`,
  );
}

function failed(kind: Failure["kind"], message: string): ProviderFailedError {
  return new ProviderFailedError({ kind, status: 0, message, code: "", type: "", param: null, retryAfterMs: null });
}
