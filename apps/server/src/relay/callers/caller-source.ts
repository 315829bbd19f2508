import { BlockList, isIPv6 } from "node:net";
import { BUDGET_PERIODS } from "@one-api/contract/budget";
import { splitList } from "@one-api/contract/fields";
import { NEVER_EXPIRES } from "@one-api/contract/token";
import type { OpenDatabase } from "@one-api/database/open-database";
import { LRUCache } from "lru-cache";
import { awaitDatabase, DATABASE_SILENT_MS } from "../../platform/await-database.ts";
import type { ChangeFeed } from "../../core/change-feed.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Secrets } from "../../core/secrets.ts";
import { prepareFindTokensForRelay, type TokenForRelay } from "../../features/tokens/index.ts";
import { groupsOfUser } from "../../features/users/index.ts";
import type { BudgetOfPayer, Payer } from "@one-api/ledger/ledger";
import { z } from "zod";
import type { CallerChanges } from "./caller-changes.ts";
import type { TokenLimits } from "./token-limiter.ts";

/** Who calls the relay: a token and its owner, as they stood when they were last read. */
export interface Caller {
  readonly tokenId: number;
  readonly tokenName: string;
  readonly tokenStatus: number;
  /** Unix seconds; -1 never. */
  readonly expiredTime: number;
  /** When the key that it came with ends, because the token has a newer one, in Unix seconds; -1 never. */
  readonly keyEndsAt: number;
  /** The end of the key that it came with, where the token had two good ones when it was read; else empty. */
  readonly keyHint: string;
  readonly unlimitedQuota: boolean;
  /** Budgets that renew, of the token and of its owner; undefined where there are none. */
  readonly budgets: readonly BudgetOfPayer[] | undefined;
  /** Models that the token may call; undefined for all. */
  readonly models: ReadonlySet<string> | undefined;
  /** Networks that the token may call from; undefined for all. */
  readonly networks: BlockList | undefined;
  readonly limits: TokenLimits;
  readonly customContact: string;
  /** Prompts go through a moderation model first. */
  readonly moderated: boolean;
  /** Its owner wants to look into what its requests say. */
  readonly keepsBodies: boolean;
  readonly userId: number;
  readonly username: string;
  readonly userRole: number;
  readonly userStatus: number;
  /** The user's groups, the first one first; prices follow the first that serves the model. */
  readonly groups: readonly string[];
}

/** Whose balances and budgets the caller's requests use. */
export function payerOf({ userId, tokenId, unlimitedQuota, budgets }: Caller): Payer {
  return { userId, tokenId, tokenUnlimited: unlimitedQuota, budgets };
}

/** Finds callers by their key (without prefix), from memory where that is fresh. */
export interface CallerSource {
  /** The caller with the key; undefined when there is none. */
  find(key: string): Caller | undefined | Promise<Caller | undefined>;
  /** The caller as it is now, whatever is remembered. */
  read(key: string): Promise<Caller | undefined>;
}

const MAX_CALLERS = 50_000;

/** So many characters of a key tell it from another. */
const HINT_LENGTH = 4;

/** Keys that are asked for at once at the most. */
const MOST_TOGETHER = 200;
/** Questions under way at the most, unless so many wait: who comes meanwhile shares the next one, which costs little more than one for a single key. */
const MOST_QUESTIONS = 2;

interface Remembered {
  readonly caller: Caller;
  /** Before how many changes told by this process it was read. */
  readonly generation: number;
  /** How many changes of callers by any server had been heard of when it was read. */
  readonly heard: number;
  readonly lookup: string;
}

/** Somebody who waits for a caller to be read. */
interface Waiting {
  readonly key: string;
  readonly lookup: string;
  readonly found: (caller: Caller | undefined) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Builds the source. What it remembers is no longer fresh when tokens or users change; where other servers may change them, it is fresh for as long as
 * this server hears of changes. Who asks waits `silentMs` for a database that says nothing, and
 * is rejected with DatabaseUnavailableError.
 */
export function createCallerSource(
  database: OpenDatabase,
  secrets: Secrets,
  changes: ChangeFeed,
  changed: CallerChanges | undefined,
  clock: Clock,
  silentMs = DATABASE_SILENT_MS,
): CallerSource {
  // By the keys themselves: requests hold them in memory anyway, and hashing them would cost every call as much as half of its way.
  const remembered = new LRUCache<string, Remembered>({ max: MAX_CALLERS });
  let generation = 0;
  const forget = () => {
    generation += 1;
  };
  changes.subscribe("tokens", forget);
  changes.subscribe("users", forget);
  const findTokens = prepareFindTokensForRelay(database);
  const readGroup = async (group: readonly Waiting[]): Promise<void> => {
    const heard = changed?.count ?? 0;
    const startedIn = generation;
    try {
      const lookups = [...new Set(group.map(({ lookup }) => lookup))];
      const rows = await findTokens(lookups);
      const keys = new Map(group.map(({ lookup, key }) => [lookup, key]));
      const callers = new Map(rows.flatMap((row) => callersOf(row, { keys, nowMs: clock.nowMs() })));
      for (const { key, lookup, found } of group) {
        const caller = callers.get(lookup);
        if (caller === undefined) remembered.delete(key);
        else remembered.set(key, { caller, heard, generation: startedIn, lookup });
        found(caller);
      }
    } catch (error) {
      for (const { failed } of group) failed(error);
    }
  };
  const read = readTogether(readGroup, silentMs);
  const isFresh = ({ caller, heard, generation: readIn }: Remembered): boolean =>
    readIn === generation && (changed === undefined || (changed.hears && !changed.hasChanged(caller.userId, heard)));
  return {
    find(key) {
      const known = remembered.get(key);
      return known !== undefined && isFresh(known) ? known.caller : read(key, known?.lookup ?? secrets.lookup(key));
    },
    read: (key) => read(key, remembered.get(key)?.lookup ?? secrets.lookup(key)),
  };
}

/** Many callers that come in one turn of the event loop cost one question. Who asks waits no longer than `silentMs`. */
function readTogether(
  readGroup: (group: readonly Waiting[]) => Promise<void>,
  silentMs: number,
): (key: string, lookup: string) => Promise<Caller | undefined> {
  let waiting: Waiting[] = [];
  let questions = 0;
  const readWaiting = async (): Promise<void> => {
    const group = waiting;
    if (group.length === 0) return;
    waiting = [];
    questions += 1;
    await readGroup(group);
    questions -= 1;
    if (waiting.length > 0) void readWaiting();
  };
  return (key, lookup) => {
    const asked = new Promise<Caller | undefined>((found, failed) => {
      const count = waiting.push({ key, lookup, found, failed });
      if (count === MOST_TOGETHER) void readWaiting();
      else if (count === 1 && questions < MOST_QUESTIONS) setImmediate(() => void readWaiting());
    });
    return awaitDatabase(asked, silentMs);
  };
}

/** The caller by the look-up values of the token's two keys, of which the old one may be over. */
function callersOf(
  row: TokenForRelay,
  { keys, nowMs }: { readonly keys: ReadonlyMap<string, string>; readonly nowMs: number },
): (readonly [lookup: string, caller: Caller])[] {
  const hasTwo = row.old_key_ends_at * 1000 > nowMs;
  const hintOf = (lookup: string) => (hasTwo ? (keys.get(lookup) ?? "").slice(-HINT_LENGTH) : "");
  const { key_hmac: present, old_key_hmac: old } = row;
  return [
    [old, toCaller(row, row.old_key_ends_at, hintOf(old))],
    [present, toCaller(row, NEVER_EXPIRES, hintOf(present))],
  ];
}

function toCaller(row: TokenForRelay, keyEndsAt: number, keyHint: string): Caller {
  const models = splitList(row.models);
  return {
    tokenId: row.id,
    tokenName: row.name,
    tokenStatus: row.status,
    expiredTime: row.expired_time,
    keyEndsAt,
    keyHint,
    unlimitedQuota: row.unlimited_quota === 1,
    budgets: readBudgets(row.budgets),
    models: models.length === 0 ? undefined : new Set(models),
    networks: toNetworks(splitList(row.subnet)),
    limits: {
      tokenId: row.id,
      requestsPerMinute: row.rpm_limit,
      imagesPerMinute: row.dpm_limit,
      modelTokensPerMinute: row.tpm_limit * 1000,
    },
    customContact: row.custom_contact,
    moderated: row.moderations_enable === 1,
    keepsBodies: row.keep_bodies === 1,
    userId: row.user_id,
    username: row.username,
    userRole: row.user_role,
    userStatus: row.user_status,
    groups: groupsOfUser(row.user_group),
  };
}

const budgetsSchema = z.array(
  z.object({ id: z.int(), of: z.enum(["user", "token"]), period: z.enum(BUDGET_PERIODS), amount: z.int() }),
);

function readBudgets(json: string): readonly BudgetOfPayer[] | undefined {
  return json === "[]" ? undefined : budgetsSchema.parse(JSON.parse(json));
}

function toNetworks(ranges: readonly string[]): BlockList | undefined {
  if (ranges.length === 0) return undefined;
  const networks = new BlockList();
  for (const range of ranges) {
    const [address = "", prefix] = range.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    networks.addSubnet(address, Number(prefix ?? (family === "ipv6" ? 128 : 32)), family);
  }
  return networks;
}
