import type { CallContext } from "../../core/call-context.ts";
import { inTransaction } from "../../core/transaction.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { type Alert, clearAlertState, idRanges, queueAlert, raiseAlertState } from "../alerts/index.ts";
import { expiryWindow, levelOf, markOf } from "./expiry-marks.ts";
import {
  type ExpiringKey,
  findNewestTokenId,
  listExpiringChannelKeys,
  listExpiringChannels,
  listExpiringManagementKeys,
  listExpiringTokens,
} from "./expiry.repository.ts";

type ExpiryDeps = Pick<CallContext, "database" | "clock">;

const KINDS = {
  "token-end": "token",
  "management-key-end": "management-key",
  "channel-end": "channel-key",
  "channel-key-end": "channel-key",
} as const satisfies Readonly<Record<string, Extract<Alert, { kind: "key-expiring" }>["of"]>>;

/**
 * Queues an alert 14 and 3 days before the known end of a key, and at the end, once for each end. Returns their number.
 */
export async function alertExpiringKeys(deps: ExpiryDeps): Promise<number> {
  const { db } = deps.database;
  const window = expiryWindow(nowSeconds(deps.clock));
  let alerts = 0;
  const alertEach = async (kind: keyof typeof KINDS, keys: readonly ExpiringKey[]) => {
    for (const key of keys) if (await alertKey(deps, kind, key)) alerts += 1;
  };
  for await (const range of idRanges(await findNewestTokenId(db)))
    await alertEach("token-end", await listExpiringTokens(db, range, window));
  await alertEach("management-key-end", await listExpiringManagementKeys(db, window));
  await alertEach("channel-end", await listExpiringChannels(db, window));
  await alertEach("channel-key-end", await listExpiringChannelKeys(db, window));
  return alerts;
}

async function alertKey(
  { database, clock }: ExpiryDeps,
  kind: keyof typeof KINDS,
  { id, name, owner, expires_at: until, level: reported }: ExpiringKey,
): Promise<boolean> {
  const at = nowSeconds(clock);
  const days = markOf(until, at);
  const level = days === undefined ? 0 : levelOf(days);
  // The end of a reported key is passed and stays so.
  const isOver = until > 0 && until <= at;
  if (level === reported || (days === undefined && isOver)) return false;
  return inTransaction(database, async (transaction) => {
    if (level < reported) await clearAlertState(transaction, { kind, id, level: reported });
    if (days === undefined || !(await raiseAlertState(transaction, { kind, id, level, at }))) return false;
    await queueAlert(transaction, { kind: "key-expiring", of: KINDS[kind], name, owner, until, days }, at);
    return true;
  });
}
