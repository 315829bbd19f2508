import { LOG_TYPE } from "@one-api/contract/logs/log";
import type { LogEvent } from "@one-api/contract/logs/log-event";
import { recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import type { OptionStore } from "../../core/option-store.ts";
import type { QuotaLedger } from "@one-api/ledger/quota";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import { checkInvited, setInvited, consumeInvitation } from "../invitations/index.ts";
import { writeLog } from "../logs/index.ts";
import { describeQuota } from "../options/index.ts";
import { addNewUser, type BoundIdColumn, findInviter, rememberIdentities, storingUsername } from "../users/index.ts";

interface OwnAccount extends Partial<Record<BoundIdColumn, string>> {
  readonly username: string;
  readonly display_name: string;
  readonly password_hash?: string;
  readonly email?: string;
  /** Code of the inviting user. An unknown code is ignored. */
  readonly inviteCode?: string;
  readonly invitation: string;
}

export interface AccountDeps {
  readonly options: OptionStore;
  readonly ledger: QuotaLedger;
}

/**
 * Creates a regular user with all bonuses; a known person gets only the invitation's quota. `beforehand` runs
 * first in the same transaction.
 * Throws `user-username-taken`, `invitation-missing` and `invitation-wrong`.
 */
export function createAccount(
  context: CallContext,
  deps: AccountDeps,
  account: OwnAccount,
  beforehand: (transaction: Queryable) => Promise<void> = async () => undefined,
): Promise<number> {
  checkInvited(deps.options, account.invitation);
  return storingUsername(() =>
    inTransaction(context.database, async (transaction) => {
      await beforehand(transaction);
      return insertAccount(transaction, context, deps, account);
    }),
  );
}

async function insertAccount(
  transaction: Queryable,
  context: CallContext,
  deps: AccountDeps,
  { inviteCode = "", invitation, ...account }: OwnAccount,
): Promise<number> {
  const welcome = await consumeInvitation(transaction, context, invitation);
  const isNewPerson = await rememberIdentities(transaction, context, account);
  const inviter = inviteCode === "" ? undefined : await findInviter(transaction, inviteCode);
  const created = { created_at: nowSeconds(context.clock), inviter_id: inviter?.id ?? null };
  const id = await addNewUser(
    transaction,
    context,
    { ...account, ...created, group: welcome.group || "default" },
    { ...deps, isNewPerson },
  );
  const detail = {
    username: account.username,
    inviter: created.inviter_id,
    invitation: welcome.id,
    ...(isNewPerson ? {} : { had_account: true }),
  };
  await recordAudit(transaction, context, { action: "user.register", object: `user:${id}`, detail });
  const give = (to: Receiver, gift: Gift) => giveQuota(transaction, context, deps, to, gift);
  const invited = { id, username: account.username };
  if (welcome.id !== 0) await setInvited(transaction, welcome.id, id);
  await give(invited, { code: "quota-of-invitation", amount: welcome.quota, note: "Quota of the invitation" });
  if (inviter === undefined || !isNewPerson) return id;
  await give(invited, {
    code: "quota-of-invitee",
    amount: deps.options.number("QuotaForInvitee"),
    note: "Quota for using an invite code",
  });
  await give(inviter, {
    code: "quota-of-inviter",
    name: invited.username,
    amount: deps.options.number("QuotaForInviter"),
    note: `Quota for inviting ${invited.username}`,
  });
  return id;
}

interface Receiver {
  readonly id: number;
  readonly username: string;
}

interface Gift {
  readonly code: LogEvent["code"];
  readonly name?: string;
  readonly amount: number;
  readonly note: string;
}

async function giveQuota(
  transaction: Queryable,
  { clock, requestId }: CallContext,
  { options, ledger }: AccountDeps,
  { id, username }: Receiver,
  { code, name, amount, note }: Gift,
): Promise<void> {
  const at = nowSeconds(clock);
  if (amount === 0 || !(await ledger.grant(transaction, { userId: id, amount, note, at }))) return;
  const content = `${note}: ${describeQuota(options, amount)}.`;
  const event = { code, values: { quota: amount, ...(name === undefined ? {} : { name }) } };
  const entry = { created_at: at, type: LOG_TYPE.system, content, event };
  await writeLog(transaction, { ...entry, user_id: id, username, request_id: requestId });
}
