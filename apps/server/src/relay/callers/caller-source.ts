import { BUDGET_PERIODS } from "@one-api/contract/budget";
import type { LimitValues } from "@one-api/contract/limits/limit-constants";
import { splitList } from "@one-api/contract/texts";
import { NEVER_EXPIRES } from "@one-api/contract/token-constants";
import { OUTAGE_WAIT_MS, outageWaitMs } from "@one-api/database/database-errors";
import type { OpenDatabase } from "@one-api/database/open-database";
import { LRUCache } from "lru-cache";
import { awaitDatabase, createOutageRetry } from "../../platform/await-database.ts";
import { type AddressList, createAddressList } from "../../platform/network/address-list.ts";
import type { ChangeFeed } from "../../core/change-feed.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Secrets } from "../../core/secrets.ts";
import { type CallerLimits, type FindGroupLimits, limitsOf } from "../../features/limits/index.ts";
import { prepareFindTokensForRelay, type TokenForRelay } from "../../features/tokens/index.ts";
import { groupsOfUser } from "../../core/actor.ts";
import type { BudgetOfPayer, Payer } from "@one-api/ledger/ledger";
import { z } from "zod";
import type { CallerChanges } from "./caller-changes.ts";

export interface Caller {
  readonly tokenId: number;
  readonly tokenName: string;
  readonly tokenStatus: number;
  /** Unix seconds; -1: never. */
  readonly expiredTime: number;
  /** End of a replaced key, in Unix seconds; -1: never. */
  readonly keyEndsAt: number;
  /** Last characters of the key if the token had two valid ones; else empty. */
  readonly keyHint: string;
  readonly unlimitedQuota: boolean;
  readonly budgets: readonly CallerBudget[] | undefined;
  /** Undefined: all. */
  readonly models: ReadonlySet<string> | undefined;
  /** Undefined: all. */
  readonly networks: AddressList | undefined;
  readonly limits: CallerLimits | undefined;
  readonly customContact: string;
  readonly moderated: boolean;
  readonly storesBodies: boolean;
  readonly userId: number;
  readonly username: string;
  readonly userRole: number;
  readonly userStatus: number;
  /** Groups whose channels and prices apply, in order. Empty if the owner has left all groups of the token. */
  readonly groups: readonly string[];
  /** The token names its groups: a request fails over from one to the next. Otherwise the first that serves the model is used. */
  readonly groupFailover: boolean;
}

interface CallerBudget extends BudgetOfPayer {
  /** Empty but for the budget of a group. */
  readonly group: string;
}

export function payerOf({ userId, tokenId, unlimitedQuota, budgets }: Caller): Payer {
  return { userId, tokenId, tokenUnlimited: unlimitedQuota, budgets };
}

export interface CallerSource {
  find(key: string): Caller | undefined | Promise<Caller | undefined>;
  read(key: string): Promise<Caller | undefined>;
}

const MAX_CALLERS = 50_000;

const HINT_LENGTH = 4;

const MAX_BATCH = 200;
/** Waiting callers share the next query, which costs little more than one for a single key. */
const MAX_QUERIES = 2;

interface CallerSourceSettings {
  readonly timeoutMs?: number;
  readonly findGroupLimits?: FindGroupLimits;
}

interface Remembered {
  readonly caller: Caller;
  readonly generation: number;
  readonly changeCount: number;
  readonly lookup: string;
}

interface Waiting {
  readonly key: string;
  readonly lookup: string;
  readonly found: (caller: Caller | undefined) => void;
  readonly failed: (error: unknown) => void;
}

export interface CallerSourceParts {
  readonly database: OpenDatabase;
  readonly secrets: Secrets;
  readonly changes: ChangeFeed;
  /** With several servers. */
  readonly callerChanges: CallerChanges | undefined;
  readonly clock: Clock;
}

/**
 * Caches callers until they change; with several servers only while notifications arrive.
 * Rejects with DatabaseUnavailableError after `timeoutMs`.
 */
export function createCallerSource(
  { database, secrets, changes, callerChanges, clock }: CallerSourceParts,
  { timeoutMs = OUTAGE_WAIT_MS, findGroupLimits = () => undefined }: CallerSourceSettings = {},
): CallerSource {
  // Requests have the keys in memory anyway, and hashing them would take half the time of a call's path.
  const remembered = new LRUCache<string, Remembered>({ max: MAX_CALLERS });
  let generation = 0;
  const forget = () => {
    generation += 1;
  };
  changes.subscribe("tokens", forget);
  changes.subscribe("users", forget);
  changes.subscribe("options", forget);
  const findTokens = prepareFindTokensForRelay(database);
  const retry = createOutageRetry(clock, outageWaitMs(database.kind));
  const readGroup = async (group: readonly Waiting[]): Promise<void> => {
    const changeCount = callerChanges?.count ?? 0;
    const startedIn = generation;
    try {
      const lookups = [...new Set(group.map(({ lookup }) => lookup))];
      const rows = await retry(() => findTokens(lookups));
      const keys = new Map(group.map(({ lookup, key }) => [lookup, key]));
      const callers = new Map(rows.flatMap((row) => callersOf(row, { keys, nowMs: clock.nowMs(), findGroupLimits })));
      for (const { key, lookup, found } of group) {
        const caller = callers.get(lookup);
        if (caller === undefined) remembered.delete(key);
        else remembered.set(key, { caller, changeCount, generation: startedIn, lookup });
        found(caller);
      }
    } catch (error) {
      for (const { failed } of group) failed(error);
    }
  };
  const read = readBatched(readGroup, timeoutMs);
  const isFresh = ({ caller, changeCount, generation: readIn }: Remembered): boolean =>
    readIn === generation &&
    (callerChanges === undefined || (callerChanges.isCurrent && !callerChanges.hasChanged(caller.userId, changeCount)));
  return {
    find(key) {
      const known = remembered.get(key);
      return known !== undefined && isFresh(known) ? known.caller : read(key, known?.lookup ?? secrets.lookup(key));
    },
    read: (key) => read(key, remembered.get(key)?.lookup ?? secrets.lookup(key)),
  };
}

/** Combines the callers of one event loop iteration into one query. */
function readBatched(
  readGroup: (group: readonly Waiting[]) => Promise<void>,
  timeoutMs: number,
): (key: string, lookup: string) => Promise<Caller | undefined> {
  let waiting: Waiting[] = [];
  let queries = 0;
  const readWaiting = async (): Promise<void> => {
    const group = waiting;
    if (group.length === 0) return;
    waiting = [];
    queries += 1;
    await readGroup(group);
    queries -= 1;
    if (waiting.length > 0) void readWaiting();
  };
  return (key, lookup) => {
    const found = new Promise<Caller | undefined>((resolve, failed) => {
      const count = waiting.push({ key, lookup, found: resolve, failed });
      if (count === MAX_BATCH) void readWaiting();
      else if (count === 1 && queries < MAX_QUERIES) setImmediate(() => void readWaiting());
    });
    return awaitDatabase(found, timeoutMs);
  };
}

interface RowReading {
  readonly keys: ReadonlyMap<string, string>;
  readonly nowMs: number;
  readonly findGroupLimits: FindGroupLimits;
}

function callersOf(
  row: TokenForRelay,
  { keys, nowMs, findGroupLimits }: RowReading,
): (readonly [lookup: string, caller: Caller])[] {
  const hasTwo = row.old_key_ends_at * 1000 > nowMs;
  const hintOf = (lookup: string) => (hasTwo ? (keys.get(lookup) ?? "").slice(-HINT_LENGTH) : "");
  const { key_hmac: present, old_key_hmac: old } = row;
  return [
    [old, toCaller(row, row.old_key_ends_at, hintOf(old), findGroupLimits)],
    [present, toCaller(row, NEVER_EXPIRES, hintOf(present), findGroupLimits)],
  ];
}

function toCaller(row: TokenForRelay, keyEndsAt: number, keyHint: string, findGroupLimits: FindGroupLimits): Caller {
  const own = groupsOfUser(row.user_group);
  const named = splitList(row.group);
  const groups = named.length === 0 ? own : named.filter((name) => own.includes(name));
  const models = splitList(row.models);
  return {
    tokenId: row.id,
    tokenName: row.name,
    tokenStatus: row.status,
    expiredTime: row.expired_time,
    keyEndsAt,
    keyHint,
    unlimitedQuota: row.unlimited_quota === 1,
    budgets: readBudgets(row.budgets, own),
    models: models.length === 0 ? undefined : new Set(models),
    networks: networksOf(splitList(row.subnet)),
    limits: limitsOf(row, { id: row.user_id, limits: limitsOfUser(row), group: findGroupLimits(own) }),
    customContact: row.custom_contact,
    moderated: row.moderations_enable === 1,
    storesBodies: row.keep_bodies === 1,
    userId: row.user_id,
    username: row.username,
    userRole: row.user_role,
    userStatus: row.user_status,
    groups,
    groupFailover: named.length > 0,
  };
}

function limitsOfUser(row: TokenForRelay): LimitValues {
  return {
    rpm_limit: row.user_rpm_limit,
    dpm_limit: row.user_dpm_limit,
    tpm_limit: row.user_tpm_limit,
    concurrent_limit: row.user_concurrent_limit,
    requests_5h_limit: row.user_requests_5h_limit,
    tokens_5h_limit: row.user_tokens_5h_limit,
    requests_day_limit: row.user_requests_day_limit,
    tokens_day_limit: row.user_tokens_day_limit,
  };
}

const budgetsSchema = z.array(
  z.object({
    id: z.int(),
    of: z.enum(["user", "token", "group"]),
    group: z.string(),
    period: z.enum(BUDGET_PERIODS),
    amount: z.int(),
  }),
);

/** Of several groups of a user, the first with a budget counts. */
function readBudgets(json: string, groups: readonly string[]): readonly CallerBudget[] | undefined {
  if (json === "[]") return undefined;
  const all = budgetsSchema.parse(JSON.parse(json));
  const group = groups.find((name) => all.some((budget) => budget.group === name));
  const budgets = all.filter((budget) => budget.group === "" || budget.group === group);
  return budgets.length === 0 ? undefined : budgets;
}

function networksOf(ranges: readonly string[]): AddressList | undefined {
  return ranges.length === 0 ? undefined : createAddressList(ranges);
}
