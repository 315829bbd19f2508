import type { FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "../core/actor.ts";
import type { SessionCookie } from "../core/call-registry.ts";

export const SESSION_COOKIE = "session";

const BROWSER_COOKIE = "browser";

const STEP_COOKIE = "step";

const DEVICE_COOKIE = "device";

function readSessionCookie(request: FastifyRequest): string | undefined {
  return request.headers.authorization === undefined ? request.cookies[SESSION_COOKIE] : undefined;
}

export function sessionCookieOf(request: FastifyRequest, reply: FastifyReply): SessionCookie {
  return cookieOf(SESSION_COOKIE, readSessionCookie(request), request, reply);
}

export function browserCookieOf(request: FastifyRequest, reply: FastifyReply): SessionCookie {
  return cookieOf(BROWSER_COOKIE, request.cookies[BROWSER_COOKIE], request, reply);
}

/** Cookie of a pending login or passkey request. It is not a session. */
export function stepCookieOf(request: FastifyRequest, reply: FastifyReply): SessionCookie {
  return cookieOf(STEP_COOKIE, request.cookies[STEP_COOKIE], request, reply);
}

/** Cookie with the accounts that the browser has logged in to. It outlives sessions. */
export function deviceCookieOf(request: FastifyRequest, reply: FastifyReply): SessionCookie {
  return cookieOf(DEVICE_COOKIE, request.cookies[DEVICE_COOKIE], request, reply);
}

/** HttpOnly, SameSite cookie; Secure if the call came over https. */
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

export interface Credentials {
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
