import type { SecondFactor } from "@one-api/contract/accounts/factor";
import { ROLE } from "@one-api/contract/accounts/roles";
import { type Actor, actorIsAdmin, type Caller } from "../../core/actor.ts";
import type { OptionStore } from "../../core/option-store.ts";
import type { Queryable } from "../../core/transaction.ts";
import { findTotp, listPasskeys } from "./factor.repository.ts";

/** The user's second factors. With any, a password alone is not enough. */
export async function secondFactorsOf(queryable: Queryable, userId: number): Promise<SecondFactor[]> {
  const totp = await findTotp(queryable, userId);
  const passkeys = await listPasskeys(queryable, userId);
  return [
    ...(totp !== undefined && totp.confirmed_at > 0 ? (["totp"] as const) : []),
    ...(passkeys.length > 0 ? (["passkey"] as const) : []),
  ];
}

/**
 * If administrators need a second factor, one without it gets the role of a regular user, which is enough to
 * set one up.
 */
export function limitUnprotectedAdmin(options: OptionStore, { actor, isProtected }: Caller): Actor {
  if (!options.flag("AdminSecondFactorEnabled") || !actorIsAdmin(actor)) return actor;
  return isProtected ? actor : { ...actor, role: ROLE.user, lacksSecondFactor: true };
}
