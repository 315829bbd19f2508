import { UNKNOWN_FACTS } from "@one-api/contract/logs/alias-facts";
import { ACCOUNT_KIND } from "../accounts.ts";
import type { BudgetOfPayer, FreeLogRow, LogRow, Payer, Reservation, Settlement } from "../ledger.ts";
import { BLANK_LOG, REFUND_TYPE } from "../storage/journal-columns.ts";
import type { Need } from "./acquirer.ts";
import type { CheckpointRow, FoundEntry, JournalRow } from "../storage/storage.ts";
import { freeOf, type Share, type ShareTable } from "./share-table.ts";

export interface RequestWindow {
  readonly budget: BudgetOfPayer;
  /** When it began, in Unix seconds. */
  readonly start: number;
  readonly share: Share;
}

export interface RequestShares {
  readonly user: Share;
  /** Undefined for a token without a quota of its own. */
  readonly token: Share | undefined;
  readonly windows: readonly RequestWindow[];
}

/**
 * A request that has quota reserved.
 *
 * | state    | meaning                                            | leads to       |
 * |----------|----------------------------------------------------|----------------|
 * | open     | nothing is on its way                              | settling, gone |
 * | settling | its charge is on its way                           | gone, doubt    |
 * | doubt    | its charge has no answer                           | open, booked   |
 * | booked   | the journal has an unreported charge               | gone           |
 * | fenced   | the server was declared dead before the charge     | –              |
 */
export interface RunningRequest {
  readonly reservation: Reservation;
  readonly shares: RequestShares;
  state: "open" | "settling" | "doubt" | "booked" | "fenced";
  readonly held: { user: number; token: number; readonly windows: number };
  /** A checkpoint of it may be stored. */
  isNoted: boolean;
  /** A settlement of it had no answer. */
  wasInDoubt: boolean;
  entry: FoundEntry | undefined;
}

export function findShares(
  table: ShareTable,
  { userId, tokenId, tokenUnlimited }: Payer,
  windows: readonly RequestWindow[],
): RequestShares {
  return {
    user: table.of(ACCOUNT_KIND.user, userId),
    token: tokenUnlimited ? undefined : table.of(ACCOUNT_KIND.token, tokenId),
    windows,
  };
}

/** Notes what the journal has charged to the shares; a refund is below zero. */
export function chargeShares(table: ShareTable, { user, token, windows }: RequestShares, paid: Paid): void {
  table.charge(user, paid.user);
  if (token !== undefined) table.charge(token, paid.token);
  for (const { share } of windows) table.charge(share, paid.user);
}

/** All shares of a request, those of budgets last. */
export function sharesOf({ user, token, windows }: RequestShares): Share[] {
  const shares = token === undefined ? [user] : [user, token];
  for (const { share } of windows) shares.push(share);
  return shares;
}

/** True if the shares cover the additional amount. */
export function covers({ user, token, windows }: RequestShares, amount: number): boolean {
  if (freeOf(user) < amount || (token !== undefined && freeOf(token) < amount)) return false;
  return windows.every(({ share }) => freeOf(share) >= amount);
}

export function reserveIn({ user, token, windows }: RequestShares, amount: number): RunningRequest["held"] {
  const held = { user: amount, token: token === undefined ? 0 : amount, windows: amount };
  changeReserved({ user, token, windows }, held, 1);
  return held;
}

export function releaseIn({ shares, held }: RunningRequest): void {
  changeReserved(shares, held, -1);
}

/** Raises the reservation to the payment if that is higher. Budgets are charged in full without one. */
export function raiseHeld({ shares, held }: RunningRequest, paid: Paid): void {
  const more = { user: Math.max(0, paid.user - held.user), token: Math.max(0, paid.token - held.token), windows: 0 };
  changeReserved(shares, more, 1);
  held.user += more.user;
  held.token += more.token;
}

function changeReserved({ user, token, windows }: RequestShares, held: RunningRequest["held"], sign: 1 | -1): void {
  user.reserved += sign * held.user;
  user.isUsed = true;
  if (token !== undefined) {
    token.reserved += sign * held.token;
    token.isUsed = true;
  }
  for (const { share } of windows) {
    share.reserved += sign * held.windows;
    share.isUsed = true;
  }
}

/** Quota from the user and from a limited token. */
export interface Paid {
  readonly user: number;
  readonly token: number;
}

/** Most that a share pays for a request: its reservation and the unreserved rest; less if the share lost reserved quota. */
export function mostOf(share: Share | undefined, reserved: number): number {
  return share === undefined ? Number.MAX_SAFE_INTEGER : Math.max(0, reserved + freeOf(share));
}

export interface Payment {
  /** Id of the owner whose shares pay; 0 where the pool has paid. */
  readonly owner: number;
  readonly shares?: RequestShares;
}

const NO_ALIAS = { alias: "", first_model: "", alias_facts: UNKNOWN_FACTS } as const;

/** The charge of a request as a row of the journal; without a charge a row that moves no money. */
export function chargeRow(settlement: Settlement, paid: Paid, { owner, shares }: Payment): JournalRow {
  const { charge, log, tokenId, requestId } = settlement;
  return {
    ...NO_ALIAS,
    ...(log ?? blankLog(settlement)),
    owner: charge === undefined ? 0 : owner,
    quota: paid.user,
    token_id: tokenId,
    token_amount: paid.token,
    shortfall: charge === undefined ? 0 : charge - paid.user,
    hidden: log === undefined ? 1 : 0,
    request_id: requestId,
    ...windowsOf(shares),
  };
}

export function refundRow(settlement: Settlement, refund: Paid, { owner, shares }: Payment): JournalRow {
  return {
    ...NO_ALIAS,
    ...(settlement.log ?? blankLog(settlement)),
    type: REFUND_TYPE,
    prompt_tokens: 0,
    cached_tokens: 0,
    completion_tokens: 0,
    cost: 0,
    owner,
    quota: refund.user,
    token_id: settlement.tokenId,
    token_amount: refund.token,
    shortfall: 0,
    hidden: settlement.log === undefined ? 1 : 0,
    request_id: settlement.requestId,
    ...windowsOf(shares),
  };
}

export interface NotedRequest {
  readonly request: RunningRequest;
  readonly row: CheckpointRow;
}

/** The delivered part of a request as a row of `checkpoints`, up to its reservation. */
export function checkpointRow(
  { reservation, shares }: RunningRequest,
  {
    channelId,
    delivered,
    log,
  }: { readonly channelId: number; readonly delivered: number; readonly log?: Partial<LogRow> },
): CheckpointRow {
  const { requestId, userId, tokenId, amount, createdAt } = reservation;
  return {
    request_id: requestId,
    user_id: userId,
    token_id: tokenId,
    token_limited: shares.token === undefined ? 0 : 1,
    ...windowsOf(shares),
    channel_id: channelId,
    delivered: Math.min(delivered, amount),
    created_at: createdAt,
    model_name: log?.model_name ?? "",
    prompt_tokens: log?.prompt_tokens ?? 0,
    completion_tokens: log?.completion_tokens ?? 0,
  };
}

function windowsOf(
  shares: RequestShares | undefined,
): Pick<JournalRow, "user_budget" | "token_budget" | "group_budget"> {
  const idOf = (of: BudgetOfPayer["of"]) => shares?.windows.find(({ budget }) => budget.of === of)?.share.id ?? 0;
  return { user_budget: idOf("user"), token_budget: idOf("token"), group_budget: idOf("group") };
}

/** The row of a request while usage logs are switched off: only its charge counts. */
function blankLog({ requestId, userId, channelId, at }: Settlement): LogRow {
  return { ...BLANK_LOG, user_id: userId, created_at: at, channel_id: channelId, request_id: requestId };
}

/** Returns what the shares lack for the amount. */
export function needsOf(shares: RequestShares, amount: number): Need[] {
  return sharesOf(shares)
    .filter((share) => freeOf(share) < amount)
    .map((share) => ({ share, amount }));
}

export function isLow(share: Share | undefined): boolean {
  return share !== undefined && freeOf(share) < share.refillBelow;
}

/** A row of the log that moves no money, as a row of the journal. */
export function toFreeRow(row: FreeLogRow): JournalRow {
  return {
    ...NO_ALIAS,
    ...row,
    owner: 0,
    quota: 0,
    token_amount: 0,
    shortfall: 0,
    hidden: 0,
    user_budget: 0,
    token_budget: 0,
    group_budget: 0,
  };
}
