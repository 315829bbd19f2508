import { AppError } from "../../core/app-error.ts";
import { joinList, splitList } from "@one-api/contract/texts";
import { type createToken as createTokenCall, createTokenInputSchema } from "@one-api/contract/token";
import { TOKEN_LIMITS, TOKEN_STATUS } from "@one-api/contract/token-constants";
import type { z } from "zod";
import { recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import type { BudgetInput } from "@one-api/contract/budget";
import { newBudget } from "../budgets/index.ts";
import { pickLimits } from "../limits/index.ts";
import type { OptionStore } from "../../core/option-store.ts";
import type { QuotaLedger } from "@one-api/ledger/quota";
import { nowSeconds } from "../../platform/clock.ts";
import { type Queryable, inTransaction } from "../../core/transaction.ts";
import { createTokenKey } from "./key/create-token-key.ts";
import { readSubnet } from "./read-subnet.ts";
import { checkMayStoreBodies, checkOwnerCovers, checkOwnGroups } from "./token.policy.ts";
import { presentToken } from "./token.present.ts";
import { type NewToken, type TokenRow, insertToken } from "./token.repository.ts";

export interface TokenDependencies {
  readonly options: Pick<OptionStore, "flag" | "number">;
  readonly ledger: QuotaLedger;
}

type Input = z.output<typeof createTokenInputSchema>;
type CreatedTokens = z.output<(typeof createTokenCall)["data"]>;
type SharedFields = Omit<NewToken, "name" | "key_hmac" | "key_cipher">;

/**
 * Creates one token or a batch, and returns the first with all names and keys.
 * Throws `token-quota-above-own`, `token-batch-name-too-long`, `token-bodies-off`,
 * `token-group-not-own` and `token-subnet`.
 */
export async function createToken(context: CallContext, deps: TokenDependencies, input: Input): Promise<CreatedTokens> {
  const { ledger, options } = deps;
  const actor = requireActor(context);
  checkMayStoreBodies(input.keep_bodies, 0, options.flag("LogBodiesEnabled"));
  checkOwnGroups(input.group, actor.group);
  const names = nameBatch(input.name, input.batch_number);
  const now = nowSeconds(context.clock);
  const shared = sharedFields(actor.id, input, now);
  const quota = input.remain_quota;
  if (quota > 0 && shared.unlimited_quota === 0) await ledger.reclaimUserQuota(actor.id);
  const answer = await inTransaction(context.database, async (transaction) => {
    // Every change of a token locks its owner first, also an unlimited token's.
    const ownerQuota = await ledger.lockUserPool(transaction, actor.id);
    checkOwnerCovers({ ...shared, remain_quota: quota }, ownerQuota);
    const created: TokenRow[] = [];
    for (const name of names)
      created.push(await createOne(transaction, context, ledger, { ...shared, name, quota, budget: input.budget }));
    const presented = presentCreated(created.map((row) => presentToken(row, context.secrets, now)));
    await context.rememberAnswer?.(transaction, presented);
    return presented;
  });
  context.changes.announce("tokens");
  return answer;
}

function presentCreated([first, ...others]: readonly ReturnType<typeof presentToken>[]): CreatedTokens {
  if (first === undefined) throw new Error("A batch of tokens is empty.");
  return { ...first, created: [first, ...others].map(({ id, name, key }) => ({ id, name, key })) };
}

const DEFAULT_TOKEN_NAME = "default";

/** Creates a new account's first token in the caller's transaction. It never expires and has no limit of its own. */
export async function createDefaultToken(
  transaction: Queryable,
  context: CallContext,
  ledger: QuotaLedger,
  userId: number,
): Promise<void> {
  const input = createTokenInputSchema.parse({ name: DEFAULT_TOKEN_NAME, remain_quota: 0, unlimited_quota: true });
  const shared = sharedFields(userId, input, nowSeconds(context.clock));
  await createOne(transaction, context, ledger, { ...shared, name: DEFAULT_TOKEN_NAME, quota: 0, budget: null });
}

function sharedFields(userId: number, input: Input, now: number): SharedFields {
  return {
    user_id: userId,
    status: TOKEN_STATUS.enabled,
    created_time: now,
    expired_time: input.expired_time,
    unlimited_quota: input.unlimited_quota ? 1 : 0,
    quota_ceiling: input.remain_quota,
    models: joinList(splitList(input.models)),
    group: joinList(splitList(input.group)),
    subnet: readSubnet(input.subnet),
    ...pickLimits(input),
    email: input.email,
    custom_contact: input.custom_contact,
    moderations_enable: input.moderations_enable ? 1 : 0,
    keep_bodies: input.keep_bodies ? 1 : 0,
  };
}

/** The row starts without quota and the ledger allots it, so that the ledger has the token's whole history. */
async function createOne(
  transaction: Queryable,
  context: CallContext,
  ledger: QuotaLedger,
  { quota, budget, ...token }: SharedFields & { name: string; quota: number; budget: BudgetInput },
): Promise<TokenRow> {
  const row = await insertToken(transaction, { ...token, ...createTokenKey(context.secrets) });
  await ledger.allot(transaction, { userId: row.user_id, tokenId: row.id, from: 0, to: quota, at: row.created_time });
  const account = { userId: row.user_id, tokenId: row.id };
  if (budget !== null) await ledger.setBudget(transaction, { ...account, budget, at: row.created_time });
  const detail = {
    name: row.name,
    remain_quota: quota,
    unlimited_quota: row.unlimited_quota === 1,
    ...(budget === null ? {} : { budget }),
  };
  await recordAudit(transaction, context, { action: "token.create", object: `token:${row.id}`, detail });
  return { ...row, remain_quota: quota, ...newBudget(budget, row.created_time) };
}

function nameBatch(name: string, count: number): string[] {
  if (count === 1) return [name];
  const longest = TOKEN_LIMITS.nameLength - `-${count}`.length;
  if (name.length > longest) {
    throw new AppError(
      "token-batch-name-too-long",
      `name must be at most ${longest} characters long for ${count} tokens, which get a number each.`,
      { field: "name", values: { limit: longest, count } },
    );
  }
  return Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);
}
