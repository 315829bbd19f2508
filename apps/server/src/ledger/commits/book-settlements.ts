import { LOG_TYPE } from "@one-api/contract/logs/log";
import type { RunStatement, StatementOutcome } from "@one-api/database/open-database";
import { BudgetBook, type BudgetPlace } from "../budgets/budget-book.ts";
import { type Returned, returnLeases } from "../leases/lease-statements.ts";
import type { LedgerStatements, UsageRow } from "../statements/ledger-statements.ts";
import { type LogRow, type Settlement, type SettleOutcome, UNKNOWN_COST } from "../ledger.ts";
import type { StatementsForMany } from "../statements/statements-for-many.ts";

/** Runs statements of the ledger inside one transaction. */
export interface LedgerTransaction {
  readonly run: RunStatement;
  readonly statements: LedgerStatements;
}

/** One settlement of a group, and where its outcome goes. */
export interface SettleStep {
  readonly settlement: Settlement;
  /** Given back from a hold that was a row. */
  readonly heldFromUser: number;
  readonly heldFromToken: number;
  /** What may be taken at the most, from the user and from a limited token. */
  readonly mostFromUser: number;
  readonly mostFromToken: number;
  /** The request may have a row already, or its hold is gone: look before anything is booked. */
  readonly careful: boolean;
  /** The hold was a row and is gone. */
  readonly lostHold: boolean;
  /** Where the quota for it was set aside in advance. */
  readonly lease?: LeaseShare | undefined;
  /** Where it counts in budgets; undefined where its accounts have none. */
  readonly budget?: BudgetPlace | undefined;
  booked: { readonly outcome: SettleOutcome; readonly fromToken: number };
}

/** What of an instance's lease is set aside for a request. It is in what remains of the balance, but nobody takes from it who has not set it aside. */
interface LeaseShare {
  readonly instanceId: string;
  readonly amount: number;
  /** What of it was set free for the charge, as nothing else covered that; undefined before. */
  taken: Returned | undefined;
}

/** What settlements leave behind beside balances. */
export interface BookedRows {
  readonly usage: UsageRow[];
  /** Channel id to quota spent through it. */
  readonly spentByChannel: Map<number, number>;
}

interface TokenTotals {
  readonly steps: SettleStep[];
  held: number;
  taken: number;
  charged: number;
  at: number;
}

/** A user's settlements of a group, added up. */
interface UserTotals {
  held: number;
  charged: number;
  requests: number;
  readonly tokens: Map<number, TokenTotals>;
}

/** Books the settlements of a group, by user: with one statement for all users and one for all tokens where that is cheaper. Rows go into `rows`. */
export async function bookForUsers(
  transaction: LedgerTransaction,
  users: readonly (readonly [userId: number, steps: readonly SettleStep[]])[],
  rows: BookedRows,
): Promise<void> {
  const { many } = transaction.statements;
  const booked =
    many === undefined || users.length === 1 ? undefined : await bookManyUsers(transaction, many, users, rows);
  for (const [userId, steps] of users) {
    if (booked?.has(userId) !== true) await bookForUser(transaction, userId, steps, rows);
  }
}

/** Returns the users whose settlements are booked: all but those that need a closer look or have a budget. */
async function bookManyUsers(
  transaction: LedgerTransaction,
  many: StatementsForMany,
  users: readonly (readonly [userId: number, steps: readonly SettleStep[]])[],
  rows: BookedRows,
): Promise<ReadonlySet<number>> {
  const { run } = transaction;
  const simple = users.filter(([, steps]) => !steps.some((step) => step.careful || step.budget !== undefined));
  const totals = new Map(simple.map(([userId, steps]) => [userId, addUp(steps)]));
  const booked = await many.bookUsers(
    run,
    [...totals].map(([id, { held, charged, requests }]) => ({ id, net: held - charged, charged, requests })),
  );
  const tokens = new Map<number, TokenTotals>();
  for (const [userId, ofUser] of totals) {
    if (booked.has(userId)) for (const [tokenId, ofToken] of ofUser.tokens) tokens.set(tokenId, ofToken);
  }
  const bookedTokens = await many.bookTokens(
    run,
    [...tokens].map(([id, { held, taken, charged, at }]) => ({ id, net: held - taken, charged, at })),
  );
  for (const [tokenId, ofToken] of tokens) {
    if (bookedTokens.has(tokenId)) for (const step of ofToken.steps) keepRow(rows, step);
    else await bookShortToken(transaction, tokenId, ofToken, rows);
  }
  return booked;
}

async function bookForUser(
  transaction: LedgerTransaction,
  userId: number,
  steps: readonly SettleStep[],
  rows: BookedRows,
): Promise<void> {
  if (steps.some((step) => step.careful) || !(await bookTogether(transaction, userId, steps, rows)))
    for (const step of steps) await bookCarefully(transaction, step, rows);
  if (steps.some(hasBudget)) await bookInBudgets(transaction, userId, steps);
}

/** Keeps the rows of settlements whose balances are booked, and books them in budgets. */
export async function keepBooked(
  transaction: LedgerTransaction,
  users: readonly (readonly [userId: number, steps: readonly SettleStep[]])[],
  rows: BookedRows,
): Promise<void> {
  for (const [userId, steps] of users) {
    for (const step of steps) keepRow(rows, step);
    if (steps.some(hasBudget)) await bookInBudgets(transaction, userId, steps);
  }
}

function hasBudget({ budget }: SettleStep): boolean {
  return budget !== undefined;
}

/** The user's balance is held by now. */
async function bookInBudgets(
  transaction: LedgerTransaction,
  userId: number,
  steps: readonly SettleStep[],
): Promise<void> {
  const book = new BudgetBook(transaction, userId);
  const charges = steps.flatMap(({ settlement: { requestId, tokenId }, booked, budget }) =>
    budget === undefined ? [] : [{ requestId, tokenId, charged: booked.outcome.charged, place: budget }],
  );
  await book.charge(charges);
  await book.save();
}

/** Books what nothing stands in the way of. Returns false, and does nothing, when the user's balance does not cover all of it. */
async function bookTogether(
  { run, statements }: LedgerTransaction,
  userId: number,
  steps: readonly SettleStep[],
  rows: BookedRows,
): Promise<boolean> {
  const { held, charged, requests, tokens } = addUp(steps);
  const net = held - charged;
  const booked = await statements.bookUser(run, { userId, net, atLeast: Math.max(0, -net), charged, requests });
  if (booked.changes === 0) return false;
  for (const [tokenId, totals] of tokens.size === 1 ? tokens : inOrder(tokens))
    await bookForToken({ run, statements }, tokenId, totals, rows);
  return true;
}

/** Adds up a user's settlements, and writes into each what it takes where nothing stands in the way. */
export function addUp(steps: readonly SettleStep[]): UserTotals {
  const user: UserTotals = { held: 0, charged: 0, requests: 0, tokens: new Map() };
  for (const step of steps) {
    const { charge, tokenId, tokenUnlimited, at } = step.settlement;
    const charged = charge === undefined ? 0 : Math.min(charge, step.mostFromUser);
    const fromToken = tokenUnlimited ? 0 : Math.min(charged, step.mostFromToken);
    step.booked = { outcome: { settled: true, charged }, fromToken };
    user.held += step.heldFromUser;
    user.charged += charged;
    if (charge !== undefined) user.requests += 1;
    let token = user.tokens.get(tokenId);
    if (token === undefined) user.tokens.set(tokenId, (token = { steps: [], held: 0, taken: 0, charged: 0, at: 0 }));
    token.steps.push(step);
    token.held += step.heldFromToken;
    token.charged += charged;
    token.taken += fromToken;
    if (at > token.at) token.at = at;
  }
  return user;
}

async function bookForToken(
  transaction: LedgerTransaction,
  tokenId: number,
  totals: TokenTotals,
  rows: BookedRows,
): Promise<void> {
  const { held, taken, charged, at } = totals;
  const { run, statements } = transaction;
  const net = held - taken;
  const booked = await statements.bookToken(run, { tokenId, net, atLeast: Math.max(0, -net), charged, at });
  if (booked.changes > 0) for (const step of totals.steps) keepRow(rows, step);
  else await bookShortToken(transaction, tokenId, totals, rows);
}

/** Books for a token that its owner left less than its requests cost, or deleted: it pays for what it can. */
async function bookShortToken(
  { run, statements }: LedgerTransaction,
  tokenId: number,
  { steps, held, charged, at }: TokenTotals,
  rows: BookedRows,
): Promise<void> {
  for (const step of steps) await freeLease(run, step);
  const remaining = readForLeases(await statements.readToken(run, { tokenId }), steps);
  let left = held + remaining;
  for (const step of steps) {
    const fromToken = Math.min(step.booked.fromToken, left);
    left -= fromToken;
    step.booked = { ...step.booked, fromToken };
    keepRow(rows, step);
  }
  await statements.bookToken(run, { tokenId, net: left - remaining, atLeast: 0, charged, at });
}

/** What a request was charged before, when that is not certain. */
interface EarlierCharge {
  readonly quota: number;
  readonly tokenAmount: number;
  readonly shortfall: number;
  readonly channelId: number;
}

/**
 * Makes what is booked for the request equal to its charge, whatever was booked for it before: by an earlier attempt whose commit nobody
 * knows of, or by those who took this process for dead. Takes what is there to take, never more than `most` says;
 * books nothing where the hold is gone and the balance does not cover the charge any more, as the end of the answer can still be withheld.
 */
async function bookCarefully(transaction: LedgerTransaction, step: SettleStep, rows: BookedRows): Promise<void> {
  const { run, statements } = transaction;
  const { settlement, heldFromUser, heldFromToken } = step;
  const { requestId, userId, tokenId, tokenUnlimited, at } = settlement;
  const earlier = readCharge(await statements.findCharges(run, [requestId]));
  const before = earlier ?? { quota: 0, tokenAmount: 0, shortfall: 0 };
  const wanted = settlement.charge ?? 0;
  const isLost = (wanted > before.quota && !(await freeLease(run, step))) || step.lostHold;
  const userLeft = heldFromUser + readRemaining(await statements.readUser(run, { userId }));
  const charged = reach(wanted, before.quota, step.mostFromUser, userLeft);
  if (isLost && charged < wanted && before.quota + before.shortfall !== wanted) {
    step.booked = { outcome: { settled: false, charged: before.quota }, fromToken: before.tokenAmount };
    return;
  }
  const tokenLeft = tokenUnlimited
    ? 0
    : heldFromToken + readForLeases(await statements.readToken(run, { tokenId }), [step]);
  const tokenAmount = tokenUnlimited ? 0 : reach(charged, before.tokenAmount, step.mostFromToken, tokenLeft);
  const more = charged - before.quota;
  await statements.bookUser(run, {
    userId,
    net: heldFromUser - more,
    atLeast: 0,
    charged: more,
    requests: countRequests(settlement, earlier),
  });
  const fromToken = tokenAmount - before.tokenAmount;
  await statements.bookToken(run, { tokenId, net: heldFromToken - fromToken, atLeast: 0, charged: more, at });
  step.booked = { outcome: { settled: true, charged }, fromToken: tokenAmount };
  // Where nothing is known that the row does not say already, it stays as it is.
  if (earlier !== undefined && more === 0 && fromToken === 0 && wanted - charged === earlier.shortfall) return;
  if (earlier !== undefined) {
    await statements.correctSums(run, { requestId });
    await statements.deleteCharge(run, { requestId });
    addSpent(rows, earlier.channelId, -earlier.quota);
  }
  keepRow(rows, step);
}

/**
 * Sets free what a lease has set aside for the request, so that its charge can be taken from the balance. Returns false where the lease is gone: others took
 * its process for dead.
 */
async function freeLease(run: RunStatement, { settlement, lease }: SettleStep): Promise<boolean> {
  if (lease === undefined || lease.taken !== undefined) return true;
  const [taken] = await returnLeases(
    run,
    lease.instanceId,
    [{ ...settlement, amount: lease.amount }],
    "in-transaction",
  );
  lease.taken = taken;
  return taken !== undefined;
}

/** The amount wanted, or as much of it as what was taken before and what may be taken still allow. */
function reach(wanted: number, before: number, most: number, left: number): number {
  return Math.min(wanted, before + Math.max(0, Math.min(most - before, left)));
}

function countRequests({ charge }: Settlement, earlier: EarlierCharge | undefined): number {
  const isCounted = charge !== undefined;
  if (earlier === undefined) return isCounted ? 1 : 0;
  const cost = earlier.quota + earlier.shortfall;
  if (cost > 0) return isCounted ? 0 : -1;
  return isCounted && charge > 0 ? 1 : 0;
}

function readCharge([row]: readonly Record<string, unknown>[]): EarlierCharge | undefined {
  if (row === undefined) return undefined;
  return {
    quota: Number(row["quota"]),
    tokenAmount: Number(row["token_amount"]),
    shortfall: Number(row["shortfall"]),
    channelId: Number(row["channel_id"]),
  };
}

/** What a balance has left that nobody has set aside; 0 where there is none. */
export function readRemaining({ rows: [row] }: StatementOutcome): number {
  return Math.max(0, Number(row?.["remaining"] ?? 0));
}

/** What a token has left for these: what was set aside for them too where its owner left it less than is set aside of it in all. */
function readForLeases(read: StatementOutcome, steps: readonly SettleStep[]): number {
  const leased = steps.reduce((sum, { lease }) => sum + (lease?.amount ?? 0), 0);
  return Math.max(readRemaining(read), Math.min(leased, Number(read.rows[0]?.["stored"] ?? 0)));
}

/** The entries of a map in the order of their ids: whoever locks rows in it blocks nobody for good. */
export function inOrder<Value>(map: ReadonlyMap<number, Value>): [number, Value][] {
  return [...map].sort(([left], [right]) => left - right);
}

/** Puts the row of a settlement that is booked, and what its channel has spent, into `rows`. */
export function keepRow(rows: BookedRows, { settlement, booked }: SettleStep): void {
  const { charge, channelId, tokenId, log } = settlement;
  const { charged } = booked.outcome;
  if (charge === undefined && log === undefined) return;
  const shortfall = charge === undefined ? 0 : charge - charged;
  rows.usage.push({
    ...(log ?? blankLog(settlement)),
    quota: charged,
    token_id: tokenId,
    token_amount: booked.fromToken,
    shortfall,
    hidden: log === undefined ? 1 : 0,
  });
  addSpent(rows, channelId, charged);
}

function addSpent({ spentByChannel }: BookedRows, channelId: number, charged: number): void {
  if (charged !== 0) spentByChannel.set(channelId, (spentByChannel.get(channelId) ?? 0) + charged);
}

/** The log entry of a request of which nothing is told but whose it was: while the log is switched off. */
export function blankLog({ requestId, userId, channelId, at }: Omit<Settlement, "log">): LogRow {
  return {
    user_id: userId,
    created_at: at,
    type: LOG_TYPE.consumption,
    content: "",
    username: "",
    token_name: "",
    model_name: "",
    prompt_tokens: 0,
    completion_tokens: 0,
    channel_id: channelId,
    request_id: requestId,
    elapsed_time: 0,
    is_stream: 0,
    detail: "",
    result: "",
    status_code: 0,
    cost: UNKNOWN_COST,
    first_byte_ms: 0,
  };
}
