import { joinList, splitList } from "@one-api/contract/texts";
import { LIMIT_FIELDS } from "@one-api/contract/limits/limit-constants";
import { LOG_TYPE } from "@one-api/contract/logs/log";
import type { ManagedUser, updateUserInputSchema } from "@one-api/contract/accounts/user-management";
import type { z } from "zod";
import { recordAudit } from "../../../core/audit.ts";
import { type CallContext, requireActor } from "../../../core/call-context.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import type { OptionStore } from "../../../core/option-store.ts";
import type { QuotaLedger } from "@one-api/ledger/quota";
import { inTransaction, type Queryable } from "../../../core/transaction.ts";
import { writeLog } from "../../logs/index.ts";
import { describeQuota } from "../../options/index.ts";
import { checkGroups } from "../check-groups.ts";
import { checkChangedUsername, checkNames, storingUsername } from "../check-names.ts";
import { revokeManagementKeysOf } from "../keys/management-key.repository.ts";
import { notifyOwner } from "../notices/notify-owner.ts";
import type { PasswordHasher } from "../password-hasher.ts";
import type { EndSessions, RequireProof } from "../update-self.ts";
import { changeUser, findUser, type UserChanges } from "../user.repository.ts";
import { budgetChange, NO_BUDGET } from "../../budgets/index.ts";
import { getUser } from "./list-users.ts";
import { checkMayEdit, userNotFound } from "./managed-user.policy.ts";
import { type LockedUser, lockUser } from "./managed-user.repository.ts";

type Input = z.output<typeof updateUserInputSchema>;

interface UpdateDeps {
  readonly options: OptionStore;
  readonly ledger: QuotaLedger;
  readonly hasher: PasswordHasher;
  readonly endSessions: EndSessions;
  readonly requireProof: RequireProof;
  /** The calling session, which survives a change of its own user's password. */
  readonly sessionId: string | undefined;
}

/**
 * Changes the given fields. A new password ends the user's sessions, access token and management keys, as an intruder
 * may have them.
 * Throws `user-not-found`, `user-not-below-you`, `user-username-taken`, `user-group-unknown` and refusals of
 * names.
 */
export async function updateUser(context: CallContext, input: Input, deps: UpdateDeps): Promise<ManagedUser> {
  const actor = requireActor(context);
  checkNames(input);
  // Checked before the expensive hash, and again with the row locked.
  await getUser(context, deps.options, input.id);
  if (input.password && input.id === actor.id) await deps.requireProof(context, deps.sessionId);
  const password: UserChanges = input.password
    ? { password_hash: await deps.hasher.hash(input.password), password_is_default: 0, access_token_hash: null }
    : {};
  const update = () =>
    inTransaction(context.database, async (transaction) => {
      const before = await lockUser(transaction, { id: input.id });
      if (before === undefined) throw userNotFound();
      checkMayEdit(actor, before);
      const changes = changedFields(before, input, deps.options);
      await checkChangedUsername(transaction, before.username, changes.username);
      if (Object.keys({ ...changes, ...password }).length > 0)
        await changeUser(transaction, before.id, { ...changes, ...password });
      if (input.password) await endCredentials(transaction, context, before.id, deps);
      const quota = await setQuota(transaction, context, before, input, deps);
      const budget = await setBudget(transaction, context, input, deps.ledger);
      const detail = {
        ...fromTo(before, changes),
        ...quota,
        ...budget,
        ...(input.password ? { password: "changed" } : {}),
      };
      await recordAudit(transaction, context, { action: "user.update", object: `user:${before.id}`, detail });
    });
  if (input.quota !== undefined) await deps.ledger.reclaimUserQuota(input.id);
  await storingUsername(update);
  context.changes.announce("users");
  return getUser(context, deps.options, input.id);
}

/** Ends what an intruder may have: sessions but the calling one, and management keys. Notifies the owner. */
async function endCredentials(
  transaction: Queryable,
  context: CallContext,
  userId: number,
  { endSessions, options, sessionId }: UpdateDeps,
): Promise<void> {
  await endSessions(transaction, userId, userId === requireActor(context).id ? sessionId : undefined);
  await revokeManagementKeysOf(transaction, userId, nowSeconds(context.clock));
  await notifyOwner(transaction, context, options, { userId, change: "password" });
}

const FIELDS = ["username", "display_name", "group", ...LIMIT_FIELDS] as const;
type Changes = Partial<Pick<LockedUser, (typeof FIELDS)[number]>>;

function changedFields(before: LockedUser, input: Input, options: OptionStore): Changes {
  const changes: Changes = {};
  const group = input.group === undefined ? undefined : joinList(splitList(input.group));
  for (const [field, value] of [
    ["username", input.username],
    ["display_name", input.display_name],
    ["group", group],
  ] as const) {
    if (value !== undefined && value !== before[field]) changes[field] = value;
  }
  for (const field of LIMIT_FIELDS) {
    const limit = input[field];
    if (limit !== undefined && limit !== before[field]) changes[field] = limit;
  }
  if (changes.group !== undefined) checkGroups(options, changes.group, before.group);
  return changes;
}

/** Sets the remaining quota. Quota reserved by running requests stays and is included in the reported values. */
async function setQuota(
  transaction: Queryable,
  context: CallContext,
  { id, username }: LockedUser,
  { quota: to }: Input,
  { options, ledger }: UpdateDeps,
): Promise<{ quota?: { from: number; to: number } }> {
  if (to === undefined) return {};
  const at = nowSeconds(context.clock);
  const note = `set by ${requireActor(context).username}`;
  const set = await ledger.setUserQuota(transaction, { userId: id, to, note, at });
  if (set === undefined) throw userNotFound();
  if (set.from === set.to) return {};
  const [before, after] = [describeQuota(options, set.from), describeQuota(options, set.to)];
  await writeLog(transaction, {
    created_at: at,
    type: LOG_TYPE.management,
    user_id: id,
    username,
    content: `An administrator changed the quota from ${before} to ${after}.`,
    event: { code: "quota-set", values: set },
  });
  return { quota: set };
}

async function setBudget(
  transaction: Queryable,
  context: CallContext,
  { id: userId, budget }: Input,
  ledger: QuotaLedger,
): Promise<ReturnType<typeof budgetChange>> {
  if (budget === undefined) return {};
  const before = await findUser(transaction, userId);
  await ledger.setBudget(transaction, { userId, tokenId: 0, budget, at: nowSeconds(context.clock) });
  const after = await findUser(transaction, userId);
  return budgetChange(before ?? NO_BUDGET, after ?? NO_BUDGET);
}

function fromTo(before: LockedUser, changes: Changes) {
  return Object.fromEntries(
    FIELDS.flatMap((field) =>
      changes[field] === undefined ? [] : [[field, { from: before[field], to: changes[field] }]],
    ),
  );
}
