import type { SelfInput } from "@one-api/contract/accounts/user";
import { changesBetween, recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import { countTowards, requireWithinLimit } from "../verification/index.ts";
import { checkChangedUsername, checkNames, storingUsername } from "./check-names.ts";
import { notifyOwner } from "./notices/notify-owner.ts";
import type { PasswordHasher } from "./password-hasher.ts";
import { changeUser, findUser } from "./user.repository.ts";

const RENAMES = { most: 5, windowSeconds: 24 * 3600 } as const;

/** Ends the user's sessions except the given one (undefined: all) in the caller's transaction. */
export type EndSessions = (queryable: Queryable, userId: number, keptSessionId: string | undefined) => Promise<void>;

export type RequireProof = (context: CallContext, sessionId: string | undefined) => Promise<void>;

interface SelfDeps {
  readonly requireProof: RequireProof;
  readonly options: OptionStore;
  readonly hasher: PasswordHasher;
  readonly endSessions: EndSessions;
  readonly sessionId: string | undefined;
}

/**
 * Changes the caller's own user; empty fields stay.
 * Throws `user-username-taken`, `too-many-requests` after five renames a day, `proof-needed` for a new
 * password with a second factor, and the refusals of names.
 */
export async function updateSelf(context: CallContext, input: SelfInput, deps: SelfDeps): Promise<void> {
  const actor = requireActor(context);
  checkNames(input);
  const names = {
    ...(input.username ? { username: input.username } : {}),
    ...(input.display_name ? { display_name: input.display_name } : {}),
  };
  const passwordChanges = Boolean(input.password);
  if (passwordChanges) await deps.requireProof(context, deps.sessionId);
  // Hashed before the transaction, which must stay short.
  const password = input.password
    ? { password_hash: await deps.hasher.hash(input.password), password_is_default: 0 as const }
    : {};
  if (!passwordChanges && Object.keys(names).length === 0) return;
  const change = () =>
    inTransaction(context.database, async (transaction) => {
      const before = await findUser(transaction, actor.id);
      await checkChangedUsername(transaction, before?.username ?? "", names.username);
      if (names.username !== undefined && names.username !== before?.username)
        await countRename(transaction, actor.id, nowSeconds(context.clock));
      await changeUser(transaction, actor.id, { ...names, ...password });
      if (passwordChanges) await deps.endSessions(transaction, actor.id, deps.sessionId);
      if (passwordChanges)
        await notifyOwner(transaction, context, deps.options, { userId: actor.id, change: "password" });
      const detail = { ...changesBetween(before ?? {}, names), ...(passwordChanges ? { password: "changed" } : {}) };
      await recordAudit(transaction, context, { action: "user.update-self", object: `user:${actor.id}`, detail });
    });
  await storingUsername(change);
  context.changes.announce("users");
}

async function countRename(transaction: Queryable, userId: number, now: number): Promise<void> {
  const limit = { subject: `rename:${userId}`, ...RENAMES };
  await requireWithinLimit(transaction, limit, now);
  await countTowards(transaction, limit, now);
}
