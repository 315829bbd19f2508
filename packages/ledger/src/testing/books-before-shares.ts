import type { OpenDatabase } from "@one-api/database/open-database";
import type { Tables } from "@one-api/database/tables";
import { type DatabaseKind } from "@one-api/database/test-databases";
import { sampleLedgerEntry, sampleLog, sampleToken, sampleUser } from "@one-api/database/testing/sample-rows";
import { periodStart } from "@one-api/contract/budget";
import { type Kysely } from "kysely";

/** The tables of the version before, as far as the test writes them. */
type OldTables = {
  user_balances: { user_id: number; remaining: number; used: number; requests: number; leased: number };
  token_balances: { token_id: number; remaining: number; used: number; last_used_at: number; leased: number };
  relay_holds: OldHold;
  quota_leases: { instance_id: string; user_id: number; token_id: number; amount: number; token_amount: number };
  balance_changes: { id: number; changes: string };
  budgets: {
    user_id: number;
    token_id: number;
    amount: number;
    period: string;
    since: number;
    window_start: number;
    spent: number;
  };
  budget_uses: { request_id: string; user_id: number; token_id: number; window_start: number; amount: number };
  instances: { id: string; started_at: number; beat_at: number };
};

interface OldHold {
  request_id: string;
  user_id: number;
  token_id: number;
  token_unlimited: 0 | 1;
  user_amount: number;
  token_amount: number;
  delivered_quota: number;
  channel_id: number;
  instance_id: string;
  created_at: number;
  model_name: string;
  prompt_tokens: number;
  completion_tokens: number;
}

export const NOW_MS = Date.UTC(2026, 10, 18, 12);
export const NOW = NOW_MS / 1000;
export const TODAY = periodStart("daily", NOW);
const YESTERDAY = TODAY - 86_400;
const SET_AT = NOW - 40 * 86_400;

/** Users: one with budgets, one who has less than was delivered, one who is deleted, one whose requests are notes alone. */
const [POOR, DELETED] = [2, 3];
export const [RICH, NOTED] = [1, 4];
/** Tokens of the first user, and one of each other. */
const [OF_POOR, OF_DELETED, REMOVED] = [3, 4, 6];
export const [LIMITED, UNLIMITED, OF_NOTED] = [1, 2, 5];

/** What remains at the moment of the migration, and what was charged before. */
export const USERS = [
  { id: RICH, remaining: 10_000, used: 200, requests: 2 },
  { id: POOR, remaining: 50, used: 0, requests: 0 },
  { id: NOTED, remaining: 300, used: 7, requests: 1 },
];
export const TOKENS = [
  { id: LIMITED, remaining: 5_000, used: 200, last_used_at: NOW - 60 },
  { id: UNLIMITED, remaining: 0, used: 0, last_used_at: 0 },
  { id: OF_POOR, remaining: 20, used: 0, last_used_at: 0 },
  { id: OF_NOTED, remaining: 300, used: 7, last_used_at: YESTERDAY },
];

const BATCH = "outlives-processes";

function hold(
  kind: DatabaseKind,
  row: Partial<OldHold> & Pick<OldHold, "request_id" | "user_id" | "token_id">,
): OldHold {
  const instance_id = kind === "sqlite" ? "" : "server-a";
  const amounts = { token_unlimited: 0, user_amount: 0, token_amount: 0, delivered_quota: 0 } as const;
  const rest = {
    channel_id: 1,
    instance_id,
    created_at: NOW - 10,
    model_name: "gpt",
    prompt_tokens: 3,
    completion_tokens: 4,
  };
  return { ...amounts, ...rest, ...row };
}

/** Open requests and batches, and what each of the requests is to be charged. */
export function holdsOf(kind: DatabaseKind): readonly (OldHold & { readonly charged: number })[] {
  const rich = { user_id: RICH, token_id: LIMITED };
  const reserved = { ...rich, user_amount: 50, token_amount: 50 };
  const poor = { user_id: POOR, token_id: OF_POOR };
  const noted = { user_id: NOTED, token_id: OF_NOTED };
  const batch = { user_id: RICH, instance_id: BATCH };
  return [
    { ...hold(kind, { ...reserved, request_id: "nothing-delivered" }), charged: 0 },
    { ...hold(kind, { ...reserved, request_id: "delivered", delivered_quota: 20 }), charged: 20 },
    { ...hold(kind, { ...reserved, request_id: "delivered-more", delivered_quota: 80 }), charged: 80 },
    {
      ...hold(kind, { ...rich, token_id: UNLIMITED, token_unlimited: 1, request_id: "unlimited", delivered_quota: 15 }),
      charged: 15,
    },
    { ...hold(kind, { ...rich, token_id: REMOVED, request_id: "removed-token", delivered_quota: 9 }), charged: 9 },
    // The user covers 50 of 70, and the token 20 of these.
    { ...hold(kind, { ...poor, request_id: "poor-1", delivered_quota: 15 }), charged: 15 },
    { ...hold(kind, { ...poor, request_id: "poor-2", delivered_quota: 55 }), charged: 5 },
    {
      ...hold(kind, { user_id: DELETED, token_id: OF_DELETED, request_id: "deleted-user", delivered_quota: 6 }),
      charged: 6,
    },
    { ...hold(kind, { ...noted, request_id: "noted", delivered_quota: 30 }), charged: 30 },
    {
      ...hold(kind, { ...noted, request_id: "noted-before-budget", delivered_quota: 2, created_at: SET_AT - 5 }),
      charged: 2,
    },
    { ...hold(kind, { ...noted, request_id: "booked", delivered_quota: 7, created_at: YESTERDAY + 5 }), charged: 0 },
    {
      ...hold(kind, { ...batch, token_id: LIMITED, request_id: "batch", user_amount: 60, token_amount: 60 }),
      charged: 0,
    },
    {
      ...hold(kind, {
        ...batch,
        token_id: UNLIMITED,
        token_unlimited: 1,
        request_id: "batch-unlimited",
        user_amount: 30,
      }),
      charged: 0,
    },
  ];
}

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

export const isBatch = ({ instance_id }: OldHold): boolean => instance_id === BATCH;

async function insertOld(kind: DatabaseKind, db: Kysely<Omit<Tables, keyof OldTables> & OldTables>): Promise<void> {
  const holds = holdsOf(kind);
  await db.insertInto("instances").values({ id: "server-a", started_at: NOW, beat_at: NOW }).execute();
  await db
    .insertInto("relay_holds")
    .values(holds.map(({ charged: _charged, ...row }) => row))
    .execute();
  // On SQLite a part of the balances waits in rows of its own.
  const late = kind === "sqlite" ? 1 : 0;
  const leased = kind === "sqlite" ? 0 : 17;
  for (const { id, remaining, used, requests } of USERS) {
    const balance = { remaining: remaining + 5 * late, used: used - 5 * late, requests: requests - late };
    // One user's balance waits as a whole.
    const stored = used === 0 || late === 0 ? { remaining, used, requests } : balance;
    await db
      .insertInto("user_balances")
      .values({ user_id: id, ...stored, leased: id === RICH ? leased : 0 })
      .execute();
  }
  for (const { id, remaining, used, last_used_at } of TOKENS) {
    const isLate = late === 1 && used > 0;
    const stored = isLate
      ? { remaining: remaining + 5, used: used - 5, last_used_at: 1 }
      : { remaining, used, last_used_at };
    await db
      .insertInto("token_balances")
      .values({ token_id: id, ...stored, leased: id === LIMITED ? leased : 0 })
      .execute();
  }
  if (late === 1) {
    // Of two commits; a user who is deleted has no balance to add to.
    const changes = [
      [
        [0, RICH, -2, 2, 1],
        [1, LIMITED, -2, 2, NOW - 90],
        [0, NOTED, -5, 5, 1],
        [1, OF_NOTED, -5, 5, YESTERDAY],
      ],
      [
        [0, RICH, -3, 3, 0],
        [1, LIMITED, -3, 3, NOW - 60],
        [0, DELETED, -4, 4, 1],
      ],
    ];
    for (const [index, change] of changes.entries())
      await db
        .insertInto("balance_changes")
        .values({ id: index + 1, changes: JSON.stringify(change) })
        .execute();
  } else {
    const lease = { instance_id: "server-a", user_id: RICH, token_id: LIMITED, amount: leased, token_amount: leased };
    await db.insertInto("quota_leases").values(lease).execute();
  }
  const reserved = ["nothing-delivered", "delivered", "delivered-more", "batch"];
  const uses = holds
    .filter(({ request_id }) => reserved.includes(request_id))
    .flatMap(({ request_id, user_amount }) =>
      [
        { token_id: 0, window_start: TODAY },
        { token_id: LIMITED, window_start: periodStart("weekly", NOW) },
      ].map((place) => ({ request_id, user_id: RICH, ...place, amount: user_amount })),
    );
  const spent = 200 + sumOf(uses.map(({ amount }) => amount)) / 2;
  await db
    .insertInto("budget_uses")
    .values([
      ...uses,
      { request_id: "before", user_id: RICH, token_id: 0, window_start: TODAY, amount: 200 },
      { request_id: "before", user_id: RICH, token_id: LIMITED, window_start: periodStart("weekly", NOW), amount: 200 },
    ])
    .execute();
  const budget = { user_id: RICH, amount: 1_000, since: SET_AT, spent };
  await db
    .insertInto("budgets")
    .values([
      { ...budget, token_id: 0, period: "daily", window_start: TODAY },
      { ...budget, token_id: LIMITED, period: "weekly", window_start: periodStart("weekly", NOW) },
    ])
    .execute();
  if (kind === "sqlite")
    await db
      .insertInto("budgets")
      .values({
        user_id: NOTED,
        token_id: 0,
        amount: 100,
        period: "daily",
        since: SET_AT,
        window_start: YESTERDAY,
        spent: 7,
      })
      .execute();
}

/** A database of the version before, with a server that ended without saying so. */
export async function insertEverything(database: OpenDatabase): Promise<void> {
  const { db, kind } = database;
  for (const id of [RICH, POOR, DELETED, NOTED])
    await db
      .insertInto("users")
      .values(sampleUser({ username: `user-${id}` }))
      .execute();
  for (const [user_id, unlimited_quota] of [
    [RICH, 0],
    [RICH, 1],
    [POOR, 0],
    [DELETED, 0],
    [NOTED, 0],
  ] as const)
    await db.insertInto("tokens").values(sampleToken({ user_id, unlimited_quota })).execute();
  await db.deleteFrom("users").where("id", "=", DELETED).execute();
  await db.deleteFrom("tokens").where("id", "=", OF_DELETED).execute();
  await insertOld(kind, db.$omitTables<keyof OldTables & keyof Tables>().$extendTables<OldTables>());
  const log = { quota: 100, token_amount: 100, created_at: NOW - 60 };
  await db
    .insertInto("logs")
    .values([
      sampleLog({ ...log, user_id: RICH, token_id: LIMITED, request_id: "before" }),
      sampleLog({ ...log, user_id: RICH, token_id: LIMITED, request_id: "before-2" }),
      sampleLog({ ...log, user_id: NOTED, token_id: OF_NOTED, request_id: "booked", quota: 7, token_amount: 7 }),
    ])
    .execute();
  const holds = holdsOf(kind);
  for (const { id, remaining, used } of USERS) {
    const reserved = sumOf(holds.filter(({ user_id }) => user_id === id).map(({ user_amount }) => user_amount));
    await db
      .insertInto("ledger_entries")
      .values(sampleLedgerEntry({ user_id: id, token_id: 0, user_amount: remaining + used + reserved }))
      .execute();
  }
  for (const { id, remaining, used } of TOKENS) {
    if (id === UNLIMITED) continue;
    const reserved = sumOf(holds.filter(({ token_id }) => token_id === id).map(({ token_amount }) => token_amount));
    await db
      .insertInto("ledger_entries")
      .values(
        sampleLedgerEntry({
          kind: "allot",
          user_id: 0,
          token_id: id,
          user_amount: 0,
          token_amount: remaining + used + reserved,
        }),
      )
      .execute();
  }
}
