import type { OpenDatabase } from "@one-api/database/open-database";
import type { Tables } from "@one-api/database/tables";
import type { Insertable, Selectable } from "kysely";
import type { LogFilter } from "../../log-filter.ts";
import type { Consumption } from "../../log.repository.ts";
import { seeded } from "../../../../testing/seeded.ts";
import { buildNextBatch } from "../build-log-groups.ts";
import { findSettledId } from "@one-api/database/find-settled-id";

export type NewLog = Insertable<Tables["logs"]>;

const LOG_COLUMNS = [
  "id",
  "user_id",
  "created_at",
  "type",
  "username",
  "token_name",
  "model_name",
  "quota",
  "prompt_tokens",
  "completion_tokens",
  "channel_id",
  "result",
  "hidden",
] as const;

/** Entries of a batch, so that a few thousand make blocks too. */
export const BATCH = 8;
export const START = 1_000_000;

/** Entries whose times go up and down: a few users have most, some answers took long, and some entries are hidden. */
export function randomLogs(count: number, seed: number): NewLog[] {
  const random = seeded(seed);
  return Array.from({ length: count }, (_, index) => {
    const user = random(3) === 0 ? 1 : 1 + random(60);
    const late = random(10) === 0 ? random(400) : random(8);
    return {
      user_id: user,
      created_at: START + Math.floor(index / 3) - late,
      type: random(8) === 0 ? 4 : 2,
      content: "",
      // Names that several users had, one with many entries and others with few, and a user who had two names.
      username: user === 2 ? `u${random(2) + 2}` : `u${user > 50 ? 1 : user}`,
      token_name: random(3) === 0 ? "shared" : `t${user}-${random(2)}`,
      model_name: `m${random(4)}`,
      quota: random(1_000),
      prompt_tokens: random(100),
      completion_tokens: random(100),
      // A few with much each, and many with little.
      channel_id: random(4) === 0 ? 1 + random(3) : 4 + random(40),
      request_id: `r${seed}-${index}`,
      elapsed_time: 0,
      is_stream: 0,
      detail: "",
      result: random(5) === 0 ? "timeout" : "ok",
      hidden: random(40) === 0 ? 1 : 0,
    };
  });
}

type KnownLog = Pick<Selectable<Tables["logs"]>, (typeof LOG_COLUMNS)[number]>;

/** A log whose entries are known, to compare what is read with what is there. */
export interface KnownLogs {
  /** Every entry, hidden ones too. */
  readonly rows: () => readonly KnownLog[];
  add(logs: readonly NewLog[]): Promise<void>;
  /** Looks at what is there anew, after a change. */
  look(): Promise<void>;
  /** Makes batches of all that there is, of so many entries. */
  group(entries?: number): Promise<void>;
  /** What the filter leaves, newest first, by looking at each entry. */
  list(filter: LogFilter): readonly KnownLog[];
  sum(filter: LogFilter): Consumption;
}

/** Keeps a copy of what the database's log has. */
export function createKnownLogs(database: OpenDatabase): KnownLogs {
  let rows: readonly KnownLog[] = [];
  const look = async () => {
    rows = await database.db.selectFrom("logs").select(LOG_COLUMNS).execute();
  };
  /** The same filter, by looking at each entry. */
  function list(filter: LogFilter) {
    return rows
      .filter(
        (row) =>
          row.hidden === 0 &&
          (filter.userId === 0 || row.user_id === filter.userId) &&
          (filter.username === "" || row.username === filter.username) &&
          (filter.tokenName === "" || row.token_name === filter.tokenName) &&
          (filter.modelName === "" || row.model_name === filter.modelName) &&
          (filter.channelId === 0 || row.channel_id === filter.channelId) &&
          (filter.result === "" ||
            (filter.result === "errors" ? !["", "ok"].includes(row.result) : row.result === filter.result)) &&
          (filter.type === 0 || row.type === filter.type) &&
          row.created_at >= filter.startTimestamp &&
          (filter.endTimestamp === 0 || row.created_at <= filter.endTimestamp),
      )
      .toSorted((left, right) => right.id - left.id);
  }

  function sum(filter: LogFilter) {
    const used = list({ ...filter, type: 2 });
    return {
      quota: used.reduce((total, { quota }) => total + quota, 0),
      token: used.reduce((total, row) => total + row.prompt_tokens + row.completion_tokens, 0),
    };
  }

  return {
    rows: () => rows,
    look,
    list,
    sum,
    async add(logs) {
      for (let start = 0; start < logs.length; start += 500)
        await database.db
          .insertInto("logs")
          .values(logs.slice(start, start + 500))
          .execute();
      await look();
    },
    async group(entries = BATCH) {
      const settledId = await findSettledId(database, "logs");
      while (await buildNextBatch(database, settledId, { entries }));
    },
  };
}
