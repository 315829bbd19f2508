import type { FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "../core/actor.ts";
import type { SessionCookie } from "../core/call-registry.ts";

export const SESSION_COOKIE = "session";

const BROWSER_COOKIE = "browser";

/** Name of the cookie that recognises a browser in the middle of a login. */
const STEP_COOKIE = "step";

/** Name of the cookie with the accounts that a browser has logged in to. */
const DEVICE_COOKIE = "device";

/** The cookie's value; undefined when there is none, or when the call brings an access token: the two never mix. */
function readSessionCookie(request: FastifyRequest): string | undefined {
  return request.headers.authorization === undefined ? request.cookies[SESSION_COOKIE] : undefined;
}

export function sessionCookieOf(request: FastifyRequest, reply: FastifyReply): SessionCookie {
  return cookieOf(SESSION_COOKIE, readSessionCookie(request), request, reply);
}

export function browserCookieOf(request: FastifyRequest, reply: FastifyReply): SessionCookie {
  return cookieOf(BROWSER_COOKIE, request.cookies[BROWSER_COOKIE], request, reply);
}

/** The cookie of a login or a question to a passkey that was begun, of one call. It is no session. */
export function stepCookieOf(request: FastifyRequest, reply: FastifyReply): SessionCookie {
  return cookieOf(STEP_COOKIE, request.cookies[STEP_COOKIE], request, reply);
}

/** The cookie with the accounts that the browser has logged in to, of one call. It stays when a session ends. */
export function deviceCookieOf(request: FastifyRequest, reply: FastifyReply): SessionCookie {
  return cookieOf(DEVICE_COOKIE, request.cookies[DEVICE_COOKIE], request, reply);
}

/** A cookie that is not for scripts, not for other sites, over https only where the call came over https. */
function cookieOf(
  name: string,
  value: string | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): SessionCookie {
  const attributes = { path: "/", httpOnly: true, sameSite: "strict", secure: request.protocol === "https" } as const;
  return {
    value,
    set: (newValue, maxAgeSeconds) => void reply.setCookie(name, newValue, { ...attributes, maxAge: maxAgeSeconds }),
    clear: () => void reply.clearCookie(name, attributes),
  };
}

/** Credentials of a request: a session, or a key or token, never both. */
export interface Credentials {
  /** A management key or system access token, without `Bearer`. */
  readonly bearer: string | undefined;
  readonly sessionId: string | undefined;
}

/**
 * Returns the current user of the credentials; undefined if none may log in with them. Throws the refusals of a management key.
 */
export type Authenticate = (credentials: Credentials, address: string) => Promise<Actor | undefined>;

/** The request's credentials. With an `Authorization` header the cookie does not count. */
export function credentialsOf(request: FastifyRequest): Credentials {
  return {
    bearer: request.headers.authorization?.replace(/^Bearer\s+/i, "").trim(),
    sessionId: readSessionCookie(request),
  };
}
