import type { Actor } from "../../core/actor.ts";
import { fingerprint } from "../../core/secrets.ts";
import type { Queryable } from "../../core/transaction.ts";
import { findUserByAccessToken } from "./user.repository.ts";

/** Whose system access token this is, as the database says now; undefined when nobody's, or of a user who is not enabled. */
export async function authenticateAccessToken(queryable: Queryable, token: string): Promise<Actor | undefined> {
  const user = await findUserByAccessToken(queryable, fingerprint(token));
  return user === undefined ? undefined : { ...user, via: "access-token" };
}
