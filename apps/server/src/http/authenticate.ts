import type { FastifyRequest } from "fastify";
import type { Actor } from "../core/actor.ts";
import { readSessionCookie } from "./session-cookie.ts";

/** What a request brings to say who makes it: one of the two, never both. */
export interface Credentials {
  /** A system access token, without `Bearer`. */
  readonly accessToken: string | undefined;
  /** The id of a browser session. */
  readonly sessionId: string | undefined;
}

/** Finds who calls, as the database says at this moment; undefined when the credentials are of nobody who may log in. */
export type Authenticate = (credentials: Credentials) => Promise<Actor | undefined>;

/** The request's credentials. With an `Authorization` header the cookie does not count. */
export function credentialsOf(request: FastifyRequest): Credentials {
  return {
    accessToken: request.headers.authorization?.replace(/^Bearer\s+/i, "").trim(),
    sessionId: readSessionCookie(request),
  };
}
