import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { CompactSign, type CryptoKey, exportJWK, generateKeyPair } from "jose";
import { Provider, type Adapter, type AdapterPayload, type JWK } from "oidc-provider";
import { serveOnLoopback } from "./serve-on-loopback.ts";

interface OpenIdPerson {
  readonly sub: string;
  readonly name: string;
  readonly email: string;
}

/** Handler that replaces the provider at a path. */
type AnswerInstead = (response: ServerResponse, request: IncomingMessage) => void | Promise<void>;

/** OpenID Connect provider (oidc-provider) on the loopback address with one client, where every user agrees at once. */
export interface OpenIdServer {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  signInAs(person: OpenIdPerson): void;
  /** Opens the authorize page as a new browser and returns the address of its redirect. */
  agree(authorizeAddress: string): Promise<URL>;
  readonly sign: (claims: Readonly<Record<string, unknown>>) => Promise<string>;
  /** Signs with a new key from now on, and publishes only that one. */
  rotateKeys(): Promise<void>;
  /** Replaces the provider at a path; undefined restores it. */
  answerInstead(path: string, answer: AnswerInstead | undefined): void;
  readonly requests: readonly string[];
  close(): Promise<void>;
}

const CLIENT = { clientId: "gateway", clientSecret: "gateway secret: with signs&" } as const;
const ALGORITHM = "ES256";

interface SigningKey {
  readonly id: string;
  readonly publish: JWK;
  readonly privateKey: CryptoKey;
}

/** Starts the provider on a free port. It redirects only to that address, and requires PKCE. */
export async function startOpenIdServer(redirectUri: string): Promise<OpenIdServer> {
  const requests: string[] = [];
  const instead = new Map<string, AnswerInstead>();
  let person: OpenIdPerson = { sub: "person-1", name: "Ada Lovelace", email: "ada@example.com" };
  const { url: issuer, close } = await serveOnLoopback((request, response) => void answer(request, response));
  let key = await makeKey();
  let provider = makeProvider(issuer, redirectUri, key, () => person);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", issuer);
    requests.push(`${request.method} ${pathname}`);
    const other = instead.get(pathname);
    if (other !== undefined) await other(response, request);
    else if (pathname.startsWith("/interaction/"))
      await provider.interactionFinished(request, response, { login: { accountId: person.sub } });
    else await provider.callback()(request, response);
  }

  return {
    issuer,
    ...CLIENT,
    requests,
    signInAs: (other) => {
      person = other;
    },
    agree: (authorizeAddress) => followToEnd(authorizeAddress, redirectUri),
    sign: (claims) =>
      new CompactSign(Buffer.from(JSON.stringify(claims)))
        .setProtectedHeader({ alg: ALGORITHM, kid: key.id })
        .sign(key.privateKey),
    rotateKeys: async () => {
      key = await makeKey();
      provider = makeProvider(issuer, redirectUri, key, () => person);
    },
    answerInstead: (path, other) => {
      if (other === undefined) instead.delete(path);
      else instead.set(path, other);
    },
    close,
  };
}

async function makeKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const id = randomUUID();
  return { id, privateKey, publish: { ...(await exportJWK(privateKey)), kid: id, alg: ALGORITHM, use: "sig" } };
}

function makeProvider(issuer: string, redirectUri: string, key: SigningKey, personNow: () => OpenIdPerson): Provider {
  return new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [redirectUri],
        id_token_signed_response_alg: ALGORITHM,
      },
    ],
    jwks: { keys: [key.publish] },
    cookies: { keys: [randomUUID()] },
    claims: { openid: ["sub"], profile: ["name"], email: ["email", "email_verified"] },
    adapter: KeptInMemory,
    ttl: Object.fromEntries(KINDS.map((kind) => [kind, 600])),
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ sub, name: personNow().name, email: personNow().email, email_verified: true }),
    }),
    // The user is not asked for consent.
    async loadExistingGrant({ oidc }) {
      const { client, session } = oidc;
      const grant = new oidc.provider.Grant({ clientId: client?.clientId ?? "", accountId: session?.accountId ?? "" });
      grant.addOIDCScope("openid profile email");
      await grant.save();
      return grant;
    },
  });
}

const KINDS = ["AccessToken", "AuthorizationCode", "Grant", "IdToken", "Interaction", "Session"] as const;

/** In-memory store of running logins; the provider's own logs a warning at every start. */
class KeptInMemory implements Adapter {
  readonly #kept = new Map<string, AdapterPayload>();

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    this.#kept.set(id, payload);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return this.#kept.get(id);
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return [...this.#kept.values()].find((payload) => payload.uid === uid);
  }

  async findByUserCode(): Promise<undefined> {}

  async consume(id: string): Promise<void> {
    const payload = this.#kept.get(id);
    if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id: string): Promise<void> {
    this.#kept.delete(id);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [id, payload] of this.#kept) if (payload.grantId === grantId) this.#kept.delete(id);
  }
}

const MOST_STEPS = 10;

async function followToEnd(start: string, redirectUri: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let at = new URL(start);
  for (let step = 0; step < MOST_STEPS; step += 1) {
    if (at.href.startsWith(redirectUri)) return at;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(at, { redirect: "manual", headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get("location");
    if (location === null) throw new Error(`The provider refuses: ${answer.status} ${await answer.text()}`);
    at = new URL(location, at);
  }
  throw new Error("The provider leads nowhere.");
}
