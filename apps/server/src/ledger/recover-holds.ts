import type { OpenDatabase, RunStatement } from "@one-api/database/open-database";
import { sql } from "kysely";
import { blankLog, bookForUsers, type BookedRows, inOrder, type SettleStep } from "./commits/book-settlements.ts";
import { isOfDeadInstance } from "./instance.ts";
import { OUTLIVES_PROCESSES } from "./commits/reserve-for-users.ts";
import { type LedgerStatements, prepareLedgerStatements } from "./statements/ledger-statements.ts";
import type { Settlement } from "./ledger.ts";

/** Most requests that one transaction recovers. */
const BATCH = 200;

/**
 * Settles the requests of processes that died: each is charged for what its last checkpoint says was delivered, and what was set aside goes
 * back. On SQLite no other process can be alive: call it before the first request, and everything is recovered. Returns how many were settled.
 */
export async function recoverHolds(database: OpenDatabase): Promise<number> {
  const statements = prepareLedgerStatements(database);
  const take = takeAbandoned(database);
  for (let recovered = 0; ;) {
    const names = await nameAbandoned(database);
    const count = await database.writeTransaction(async (run) => settleAbandoned(run, statements, take, names));
    recovered += count;
    if (count < BATCH) return recovered;
  }
}

function abandoned({ kind }: OpenDatabase) {
  const isOwned = sql`instance_id <> ${sql.lit(OUTLIVES_PROCESSES)}`;
  if (kind === "sqlite") return isOwned;
  return sql`${isOwned} and ${isOfDeadInstance(kind)}`;
}

/** Deletes the holds in the statement that finds them: one that its process has just taken back is not among them. */
function takeAbandoned(database: OpenDatabase): string {
  return sql`delete from relay_holds where request_id in
      (select request_id from relay_holds where ${abandoned(database)} limit ${sql.lit(BATCH)}) and ${abandoned(database)}
    returning request_id, user_id, token_id, token_unlimited, user_amount, token_amount, delivered_quota, channel_id, instance_id, created_at,
      model_name, prompt_tokens, completion_tokens`.compile(database.db).sql;
}

interface Names {
  readonly username: string | null;
  readonly tokenName: string | null;
}

async function nameAbandoned(database: OpenDatabase): Promise<ReadonlyMap<string, Names>> {
  const rows = await database.db
    .selectFrom("relay_holds")
    .leftJoin("users", "users.id", "relay_holds.user_id")
    .leftJoin("tokens", "tokens.id", "relay_holds.token_id")
    .select(["request_id", "username", "tokens.name as tokenName"])
    .where(sql<boolean>`${abandoned(database)}`)
    .execute();
  return new Map(rows.map(({ request_id, ...names }) => [request_id, names]));
}

async function settleAbandoned(
  run: RunStatement,
  statements: LedgerStatements,
  take: string,
  names: ReadonlyMap<string, Names>,
): Promise<number> {
  const { rows: taken } = await run(take, []);
  const booked = await findBooked(run, statements, taken.filter(isNoteAlone).map(idOf));
  const users = new Map<number, SettleStep[]>();
  for (const row of taken) {
    if (booked.has(idOf(row))) continue;
    const step = toStep(row, names.get(idOf(row)));
    const { userId } = step.settlement;
    users.set(userId, [...(users.get(userId) ?? []), step]);
  }
  const rows: BookedRows = { usage: [], spentByChannel: new Map() };
  for (const [userId, steps] of inOrder(users)) await bookForUsers({ run, statements }, [[userId, steps]], rows);
  await statements.insertUsage(run, rows.usage);
  for (const [channelId, charged] of inOrder(rows.spentByChannel))
    await statements.settleChannel(run, { channelId, charged });
  return taken.length;
}

type HoldColumns = Readonly<Record<string, unknown>>;

function idOf(row: HoldColumns): string {
  return String(row["request_id"]);
}

/** A row that says what was delivered and holds nothing: of a process that had the database for itself. */
function isNoteAlone(row: HoldColumns): boolean {
  return row["instance_id"] === "";
}

/** The same of a process that had set quota aside for it in advance, which still stands behind it. */
function isNoteOfLease(row: HoldColumns): boolean {
  return !isNoteAlone(row) && Number(row["user_amount"]) === 0;
}

/** Requests of which a note was left behind though they are booked, as older servers did now and then. */
async function findBooked(
  run: RunStatement,
  statements: LedgerStatements,
  noted: readonly string[],
): Promise<ReadonlySet<string>> {
  return new Set((await statements.findCharges(run, noted)).map(idOf));
}

function toStep(row: HoldColumns, names: Names | undefined): SettleStep {
  const number = (column: string) => Number(row[column]);
  const delivered = number("delivered_quota");
  const at = number("created_at");
  const payer = {
    userId: number("user_id"),
    tokenId: number("token_id"),
    tokenUnlimited: number("token_unlimited") === 1,
  };
  const requestId = idOf(row);
  const channelId = number("channel_id");
  const ended = { ...payer, requestId, channelId, charge: delivered === 0 ? undefined : delivered, at };
  const settlement: Settlement = {
    ...ended,
    log: {
      ...blankLog(ended),
      content: "Recovered after the server stopped in the middle of this request.",
      username: names?.username ?? "",
      token_name: names?.tokenName ?? "",
      model_name: String(row["model_name"]),
      prompt_tokens: number("prompt_tokens"),
      completion_tokens: number("completion_tokens"),
      result: "gateway-failed",
    },
  };
  const most = { mostFromUser: Number.MAX_SAFE_INTEGER, mostFromToken: Number.MAX_SAFE_INTEGER };
  const held = { heldFromUser: number("user_amount"), heldFromToken: number("token_amount") };
  const booked = { outcome: { settled: true, charged: 0 }, fromToken: 0 };
  // Where holds are rows, those say where it counts in budgets; else it counts where it began.
  const budget = isNoteAlone(row) ? { marks: [], begunAt: at } : { marks: [] };
  const lease = isNoteOfLease(row)
    ? { instanceId: String(row["instance_id"]), amount: delivered, taken: undefined }
    : undefined;
  return { settlement, ...held, ...most, careful: true, lostHold: false, lease, budget, booked };
}
