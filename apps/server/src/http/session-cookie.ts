import type { FastifyReply, FastifyRequest } from "fastify";
import type { SessionCookie } from "../core/call-registry.ts";

/** Name of the session cookie. */
export const SESSION_COOKIE = "session";

/** The cookie's value; undefined when there is none, or when the call brings an access token: the two never mix. */
export function readSessionCookie(request: FastifyRequest): string | undefined {
  return request.headers.authorization === undefined ? request.cookies[SESSION_COOKIE] : undefined;
}

/** The session cookie of one call: not for scripts, not for other sites, over https only where the call came over https. */
export function sessionCookieOf(request: FastifyRequest, reply: FastifyReply): SessionCookie {
  const attributes = { path: "/", httpOnly: true, sameSite: "strict", secure: request.protocol === "https" } as const;
  return {
    value: readSessionCookie(request),
    set: (value, maxAgeSeconds) =>
      void reply.setCookie(SESSION_COOKIE, value, { ...attributes, maxAge: maxAgeSeconds }),
    clear: () => void reply.clearCookie(SESSION_COOKIE, attributes),
  };
}
