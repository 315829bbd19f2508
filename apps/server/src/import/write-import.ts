import { DEFAULT_ROOT_PASSWORD } from "@one-api/contract/constants";
import { ROLE } from "@one-api/contract/accounts/roles";
import { StartError } from "../config.ts";
import { recordAudit } from "../core/audit.ts";
import type { CallContext } from "../core/call-context.ts";
import { nowSeconds } from "../platform/clock.ts";
import type { Secrets } from "../core/secrets.ts";
import { inTransaction, type Queryable } from "../core/transaction.ts";
import {
  type CheckedChannel,
  indexChannels,
  insertChannel,
  insertKeys,
  sealChannel,
  sealKeys,
} from "../features/channels/index.ts";
import { storeConfirmedTotp } from "../features/factors/index.ts";
import { isSecretOption, renewOptionsVersion, saveOption } from "../features/options/index.ts";
import { insertRedemptions } from "../features/redemptions/index.ts";
import { insertToken } from "../features/tokens/index.ts";
import { insertUser, type PasswordHasher } from "../features/users/index.ts";
import { type CarriedToken, carryOverBalances } from "@one-api/ledger/carry-over-balances";
import { type CarriedEntry, carryOverLog } from "@one-api/ledger/carry-over-log";
import { createQuotaLedger } from "@one-api/ledger/quota-in-transaction";
import {
  advanceSequences,
  countRows,
  findImportTime,
  IMPORT_ACTION,
  listRoots,
  readBalances,
  removeUser,
} from "./import.repository.ts";
import { type Balances, compareBalances } from "@one-api/importer/money/compare-balances";
import type { ImportPlan } from "@one-api/importer/plan-import";
import type { PlannedChannel } from "@one-api/importer/plan-channels";
import type { PlannedRedemption } from "@one-api/importer/plan-redemptions";
import type { PlannedSettings } from "@one-api/importer/plan-settings";
import type { PlannedToken } from "@one-api/importer/plan-tokens";
import type { PlannedUser } from "@one-api/importer/plan-users";

const ROWS_PER_STATEMENT = 500;

/** Throws StartError for a database in use: an import replaces the first start. */
async function checkIsFresh(queryable: Queryable): Promise<void> {
  const importedAt = await findImportTime(queryable);
  if (importedAt !== undefined)
    throw new StartError(
      `This database was filled by an import at ${new Date(importedAt * 1000).toISOString()}, and nothing was changed now. To import again, begin with an empty DATA_DIR or database.`,
    );
  if ((await countRows(queryable)) > 0 || (await listRoots(queryable)).some(({ used }) => used > 0))
    throw new StartError(
      "This database is in use: it has users, tokens, channels or redemption codes already, and nothing was changed. Import into an empty DATA_DIR or database.",
    );
}

interface Import {
  readonly plan: ImportPlan<CheckedChannel>;
  readonly log: AsyncIterable<readonly CarriedEntry[]>;
}

/**
 * Writes plan and log into an unused database, in one transaction. Returns the stored balances. Throws StartError for a used database, and an error for a wrong balance.
 */
export async function writeImport(
  context: CallContext,
  { plan, log }: Import,
  hasher: PasswordHasher,
): Promise<Balances> {
  const { database, secrets } = context;
  const usesDefault = await usersWithDefaultPassword(plan, hasher);
  return inTransaction(database, async (transaction) => {
    await checkIsFresh(transaction);
    await removeFirstRoots(transaction, nowSeconds(context.clock));
    await saveSettings(transaction, plan.settings, secrets);
    for (const user of plan.users.values()) await writeUser(transaction, context, user, usesDefault.has(user.id));
    for (const token of plan.tokens) await writeToken(transaction, token, secrets);
    const logged = await carryOverLog(transaction, log);
    await writeBalances(transaction, plan, { logged, at: nowSeconds(context.clock) });
    await writeChannels(transaction, plan, secrets);
    await writeRedemptions(transaction, plan.redemptions, secrets);
    await advanceSequences(transaction, database.kind);
    await recordImport(transaction, context, plan);
    const balances = await readBalances(transaction);
    const [difference] = compareBalances(plan, balances);
    if (difference !== undefined)
      throw new Error(`The balance of ${difference.noun} ${difference.id} is not the one of the old server.`);
    return balances;
  });
}

/** Super administrators with the default password, which is accepted from this machine only until it is changed. */
async function usersWithDefaultPassword({ users }: ImportPlan, hasher: PasswordHasher): Promise<Set<number>> {
  const found = new Set<number>();
  for (const { id, role, password_hash } of users.values())
    if (role === ROLE.root && (await hasher.verify(DEFAULT_ROOT_PASSWORD, password_hash))) found.add(id);
  return found;
}

async function removeFirstRoots(transaction: Queryable, at: number): Promise<void> {
  const ledger = createQuotaLedger();
  for (const { id: userId, remaining } of await listRoots(transaction)) {
    await ledger.grant(transaction, { userId, amount: -remaining, note: "another root was brought over", at });
    await removeUser(transaction, userId);
  }
}

async function saveSettings(transaction: Queryable, settings: PlannedSettings, secrets: Secrets): Promise<void> {
  for (const [key, text] of settings)
    await saveOption(transaction, { key, value: isSecretOption(key) ? secrets.seal("option", text) : text });
  await renewOptionsVersion(transaction);
}

async function writeUser(
  transaction: Queryable,
  { secrets, clock }: CallContext,
  user: PlannedUser,
  hasDefaultPassword: boolean,
): Promise<void> {
  const { remaining: _, used: __, requests: ___, totpKey, ...account } = user;
  await insertUser(transaction, {
    ...account,
    password_is_default: hasDefaultPassword ? 1 : 0,
    // Every administrator of the old server could read it.
    access_token_hash: null,
  });
  if (totpKey === "") return;
  const keyCipher = secrets.seal("totp-key", totpKey);
  await storeConfirmedTotp(transaction, user.id, { keyCipher, confirmedAt: nowSeconds(clock) });
}

async function writeToken(transaction: Queryable, token: PlannedToken, secrets: Secrets): Promise<void> {
  const { id, userId, name, key, status, created_time, expired_time, models, group, subnet } = token;
  const { rpm_limit, dpm_limit, tpm_limit, email, custom_contact } = token;
  await insertToken(transaction, {
    id,
    user_id: userId,
    name,
    key_hmac: secrets.lookup(key),
    key_cipher: secrets.seal("token-key", key),
    status,
    created_time,
    expired_time,
    unlimited_quota: token.isUnlimited ? 1 : 0,
    models,
    group,
    subnet,
    rpm_limit,
    dpm_limit,
    tpm_limit,
    email,
    custom_contact,
    moderations_enable: token.moderates ? 1 : 0,
    quota_ceiling: token.remaining,
  });
}

interface Charged {
  readonly logged: ReadonlyMap<number, number>;
  readonly at: number;
}

async function writeBalances(
  transaction: Queryable,
  { users, tokens }: Pick<ImportPlan, "users" | "tokens">,
  { logged, at }: Charged,
): Promise<void> {
  const tokensOf = new Map<number, CarriedToken[]>();
  for (const { id: tokenId, userId, isUnlimited, remaining, used, lastUsedAt } of tokens) {
    const own = tokensOf.get(userId) ?? [];
    own.push({ tokenId, isUnlimited, remaining, used, lastUsedAt });
    tokensOf.set(userId, own);
  }
  for (const { id: userId, remaining, used, requests } of users.values()) {
    const own = tokensOf.get(userId) ?? [];
    const carried = { userId, remaining, used, requests, tokens: own, logged: logged.get(userId) ?? 0, at };
    await carryOverBalances(transaction, carried);
  }
}

async function writeChannels(
  transaction: Queryable,
  { channels }: ImportPlan<CheckedChannel>,
  secrets: Secrets,
): Promise<void> {
  for (const channel of channels) {
    const { fields, key, moreKeys: _more, keys, config, proxy, ...past } = channel;
    const id = await insertChannel(transaction, {
      ...fields,
      ...past,
      ...sealChannel({ key, config, proxy }, secrets),
      soft_limit_base_quota: past.used_quota,
    });
    const sealed = sealKeys({ type: fields.type, keys: keys.map((one) => one.key), expiresAt: 0 }, secrets);
    await insertKeys(
      transaction,
      id,
      sealed.map((one, index) => ({ ...one, ...stateOf(keys[index]) })),
    );
  }
  const served = channels.map(({ id, fields: { models, group } }) => ({ id, models, group }));
  await indexChannels(transaction, served);
}

function stateOf(planned: PlannedChannel["keys"][number] | undefined) {
  if (planned === undefined) return {};
  const { status, status_reason, disabled_at } = planned;
  return { status, status_reason, disabled_at };
}

async function writeRedemptions(transaction: Queryable, codes: readonly PlannedRedemption[], secrets: Secrets) {
  const rows = codes.map(({ key, ...code }) => ({
    ...code,
    key_hmac: secrets.lookup(key),
    key_cipher: secrets.seal("redemption-code", key),
  }));
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT)
    await insertRedemptions(transaction, rows.slice(start, start + ROWS_PER_STATEMENT));
}

async function recordImport(transaction: Queryable, context: CallContext, plan: ImportPlan): Promise<void> {
  const { product, users, tokens, channels, redemptions, settings, rootId } = plan;
  const detail = {
    product,
    users: users.size,
    tokens: tokens.length,
    channels: channels.length,
    redemptions: redemptions.length,
    settings: settings.size,
  };
  await recordAudit(transaction, context, { action: IMPORT_ACTION, object: `user:${rootId}`, detail });
}
