import { LOG_TYPE } from "@one-api/contract/logs/log";
import type { LogEnd } from "@one-api/contract/logs/log-end";
import type { Logger } from "pino";
import { type Clock, nowSeconds } from "../../platform/clock.ts";
import { type UsageDetail, writeDetail } from "../../features/logs/index.ts";
import { MODEL_WITHOUT_PRICE } from "../../features/pricing/index.ts";
import type { FreeLogRow } from "@one-api/ledger/ledger";
import type { RelayError } from "../errors/index.ts";
import type { Caller } from "./caller-source.ts";

export interface RefusedCall {
  readonly caller: Caller;
  readonly requestId: string;
  readonly error: RelayError;
  readonly model: string;
  readonly stream: boolean;
  readonly elapsedMs: number;
}

export interface RefusalLog {
  /** Records a refusal in memory; its row is written within a second. Never throws. */
  record(call: RefusedCall): void;
  countFlagged(tokenId: number): void;
  /** With `all` also rows that still count, for shutdown. Never throws. */
  flush(all?: boolean): Promise<void>;
}

export interface RefusalLogParts {
  readonly clock: Clock;
  readonly isOn: () => boolean;
  readonly log: Logger;
  readonly writeLogs: (rows: readonly FreeLogRow[]) => Promise<void>;
  readonly shortOfQuota: (caller: Caller) => void;
  readonly addFlagged: (counts: ReadonlyMap<number, number>) => Promise<void>;
}

export const BUDGET_EXCEEDED = "budget_exceeded";

/** After a row, further refusals of the same token and code are counted for this long and share one row. */
const SHARED_MS = 10_000;
const MAX_ENTRIES = 2_000;

interface Shared {
  endsMs: number;
  count: number;
  last: RefusedCall;
}

class RecentRefusals {
  readonly #clock: Clock;
  readonly #shared = new Map<string, Shared>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds to a shared row. False if there is none. */
  count(call: RefusedCall): boolean {
    const known = this.#shared.get(nameOf(call));
    if (known === undefined) return false;
    known.count += 1;
    known.last = call;
    return true;
  }

  begin(call: RefusedCall): FreeLogRow | undefined {
    if (this.#shared.size >= MAX_ENTRIES) return undefined;
    this.#shared.set(nameOf(call), { endsMs: this.#clock.monotonicMs() + SHARED_MS, count: 0, last: call });
    return toRow(call, 1, nowSeconds(this.#clock));
  }

  close(all: boolean): FreeLogRow[] {
    const now = this.#clock.monotonicMs();
    const rows: FreeLogRow[] = [];
    for (const [name, entry] of this.#shared) {
      if (!all && entry.endsMs > now) continue;
      if (entry.count === 0) {
        this.#shared.delete(name);
        continue;
      }
      rows.push(toRow(entry.last, entry.count, nowSeconds(this.#clock)));
      entry.count = 0;
      entry.endsMs = now + SHARED_MS;
    }
    return rows;
  }
}

/** Models without a price have their own rows, since each is counted. */
function nameOf({ caller, error, model }: RefusedCall): string {
  return `${caller.tokenId} ${error.code} ${error.code === MODEL_WITHOUT_PRICE ? model : ""}`;
}

export function createRefusalLog(parts: RefusalLogParts): RefusalLog {
  const { clock, isOn, log, writeLogs, addFlagged, shortOfQuota } = parts;
  const recent = new RecentRefusals(clock);
  let due: FreeLogRow[] = [];
  let flagged = new Map<number, number>();
  let omitted = 0;
  let writing: Promise<void> | undefined;

  const write = async () => {
    if (omitted > 0) log.warn({ untold: omitted }, "refused calls were too many to be told in the log");
    const [rows, counts] = [due, flagged];
    due = [];
    flagged = new Map();
    omitted = 0;
    try {
      if (rows.length > 0) await writeLogs(rows);
      if (counts.size > 0) await addFlagged(counts);
    } catch (error) {
      // Dropped if the database is unavailable, so that memory stays bounded.
      log.error({ err: error, rows: rows.length }, "refused calls could not be written to the log");
    }
  };

  return {
    record(call) {
      if (call.error.code === "insufficient_quota") shortOfQuota(call.caller);
      if (!isOn() || recent.count(call)) return;
      const row = due.length < MAX_ENTRIES ? recent.begin(call) : undefined;
      if (row === undefined) omitted += 1;
      else due.push(row);
    },
    countFlagged(tokenId) {
      if (flagged.has(tokenId) || flagged.size < MAX_ENTRIES) flagged.set(tokenId, (flagged.get(tokenId) ?? 0) + 1);
    },
    async flush(all = false) {
      if (writing !== undefined) {
        if (!all) return;
        await writing;
      }
      due.push(...recent.close(all));
      writing = write();
      await writing;
      writing = undefined;
    },
  };
}

function toRow(
  { caller, requestId, error, model, stream, elapsedMs }: RefusedCall,
  count: number,
  at: number,
): FreeLogRow {
  const detail: UsageDetail = {
    end: "refused" satisfies LogEnd,
    upstream_model: "",
    refusal: error.code ?? "",
    refusal_count: count,
    attempts: [],
  };
  if (error.values !== undefined) detail.refusal_values = error.values;
  const many = count === 1 ? "" : ` (${count} refusals like this one in ${SHARED_MS / 1000} s.)`;
  const row = {
    user_id: caller.userId,
    created_at: at,
    type: LOG_TYPE.consumption,
    content: `${error.message}${many}`,
    username: caller.username,
    token_id: caller.tokenId,
    token_name: caller.tokenName,
    model_name: model,
    prompt_tokens: 0,
    cached_tokens: 0,
    completion_tokens: 0,
    channel_id: 0,
    request_id: requestId,
    elapsed_time: Math.round(elapsedMs),
    is_stream: stream ? 1 : 0,
    detail: "",
    result: error.code === BUDGET_EXCEEDED ? "over-budget" : "refused",
    status_code: error.status,
    cost: 0,
    first_byte_ms: 0,
  } satisfies FreeLogRow;
  row.detail = writeDetail(detail, row);
  return row;
}
