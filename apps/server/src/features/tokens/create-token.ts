import { TOKEN_KEY_LENGTH } from "@one-api/contract/constants";
import { type Secrets, randomText } from "../../core/secrets.ts";
import { AppError } from "../../core/app-error.ts";
import { joinList, splitList } from "@one-api/contract/fields";
import { TOKEN_STATUS, type Token, type createTokenInputSchema, TOKEN_LIMITS } from "@one-api/contract/token";
import type { Tables } from "@one-api/database/tables";
import type { Insertable } from "kysely";
import type { z } from "zod";
import { recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { nowSeconds } from "../../core/clock.ts";
import { type Queryable, inTransaction } from "../../core/transaction.ts";
import { allotQuota } from "./allot-quota.ts";
import { readSubnet } from "./read-subnet.ts";
import { checkOwnerCovers } from "./token.policy.ts";
import { presentToken } from "./token.present.ts";
import { type TokenRow, findOwnerQuota, insertToken } from "./token.repository.ts";

type Input = z.output<typeof createTokenInputSchema>;
type NewToken = Omit<Insertable<Tables["tokens"]>, "name" | "key_hmac" | "key_cipher">;

/**
 * Creates one token of the caller, or a batch, and returns the first. Throws `not-enough-quota` when a limited token would get more than
 * its owner has, and `invalid-input` for a bad subnet.
 */
export async function createToken(context: CallContext, input: Input): Promise<Token> {
  const actor = requireActor(context);
  const names = nameBatch(input.name, input.batch_number);
  const now = nowSeconds(context.clock);
  const shared = newToken(actor.id, input, now);
  const first = await inTransaction(context.database, async (transaction) => {
    checkOwnerCovers(shared, await findOwnerQuota(transaction, actor.id));
    const rows: TokenRow[] = [];
    for (const name of names) rows.push(await createOne(transaction, context, { ...shared, name }));
    return rows[0];
  });
  if (first === undefined) throw new Error("A batch of tokens is empty.");
  context.changes.announce("tokens");
  return presentToken(first, context.secrets, now);
}

function newToken(userId: number, input: Input, now: number): NewToken {
  return {
    user_id: userId,
    status: TOKEN_STATUS.enabled,
    created_time: now,
    expired_time: input.expired_time,
    remain_quota: input.remain_quota,
    unlimited_quota: input.unlimited_quota ? 1 : 0,
    models: joinList(splitList(input.models)),
    subnet: readSubnet(input.subnet),
    rpm_limit: input.rpm_limit,
    dpm_limit: input.dpm_limit,
    tpm_limit: input.tpm_limit,
    email: input.email,
    custom_contact: input.custom_contact,
    moderations_enable: input.moderations_enable ? 1 : 0,
  };
}

/** The row starts without quota and is given it, so that the ledger knows of all that a token ever had. */
async function createOne(
  queryable: Queryable,
  context: CallContext,
  token: NewToken & { name: string },
): Promise<TokenRow> {
  const key = createTokenKey(context.secrets);
  const row = await insertToken(queryable, { ...token, ...key, remain_quota: 0 });
  await allotQuota(queryable, context, row, token.remain_quota);
  const detail = { name: row.name, remain_quota: token.remain_quota, unlimited_quota: row.unlimited_quota === 1 };
  await recordAudit(queryable, context, { action: "token.create", object: `token:${row.id}`, detail });
  return { ...row, remain_quota: token.remain_quota };
}

/** The names of a batch: the name itself for one token, else name-1, name-2 and so on. Throws `invalid-input` when they get too long. */
function nameBatch(name: string, count: number): string[] {
  if (count === 1) return [name];
  const longest = TOKEN_LIMITS.nameLength - `-${count}`.length;
  if (name.length > longest) {
    throw new AppError(
      "invalid-input",
      `name must be at most ${longest} characters long for ${count} tokens, which get a number each.`,
      {
        field: "name",
      },
    );
  }
  return Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);
}

/** A new caller's key as the database keeps it. */
export interface NewTokenKey {
  readonly key_hmac: string;
  readonly key_cipher: string;
}

/** Makes a key of 48 random characters, the prefix not counted. */
function createTokenKey(secrets: Secrets): NewTokenKey {
  const key = randomText(TOKEN_KEY_LENGTH);
  return { key_hmac: secrets.lookup(key), key_cipher: secrets.seal("token-key", key) };
}
