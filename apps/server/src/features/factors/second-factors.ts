import type { SecondFactor } from "@one-api/contract/accounts/factor";
import { ROLE } from "@one-api/contract/accounts/roles";
import { type Actor, actorIsAdmin, type Caller } from "../../core/actor.ts";
import type { OptionStore } from "../../core/option-store.ts";
import type { Queryable } from "../../core/transaction.ts";
import { findTotp, listPasskeys } from "./factor.repository.ts";

/** The second factors that the user has set up; with any, a password alone lets nobody in. */
export async function secondFactorsOf(queryable: Queryable, userId: number): Promise<SecondFactor[]> {
  const totp = await findTotp(queryable, userId);
  const passkeys = await listPasskeys(queryable, userId);
  return [
    ...(totp !== undefined && totp.confirmed_at > 0 ? (["totp"] as const) : []),
    ...(passkeys.length > 0 ? (["passkey"] as const) : []),
  ];
}

/**
 * The caller as it may act: where administrators need a second factor, one without is let in as a regular user, which is enough to set one
 * up.
 */
export function holdBack(options: OptionStore, { actor, isProtected }: Caller): Actor {
  if (!options.flag("AdminSecondFactorEnabled") || !actorIsAdmin(actor)) return actor;
  return isProtected ? actor : { ...actor, role: ROLE.user, isHeldBack: true };
}
