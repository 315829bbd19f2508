import { LAST_SECOND } from "@one-api/contract/constants";
import { UNPRINTABLE } from "@one-api/contract/unprintable";
import { LOG_TYPE } from "@one-api/contract/logs/log";
import { TOKEN_LIMITS } from "@one-api/contract/token-constants";
import type { ForeignRow } from "@one-api/database/foreign/foreign-database";
import type { CarriedEntry } from "@one-api/ledger/carry-over-log";
import { UNKNOWN_COST } from "@one-api/ledger/ledger";
import { flagOf, quotaOf, textOf, wholeOf } from "./old-row.ts";
import type { OldProduct } from "./old-server.ts";
import type { ImportPlan } from "./plan-import.ts";

export interface LogTally {
  brought: number;
  /** Of users that are not imported: new users may get their ids. */
  withoutUser: number;
  /** Of types that do not exist here, such as errors and refunds of new-api. */
  otherKinds: number;
}

export const noEntries = (): LogTally => ({ brought: 0, withoutUser: 0, otherKinds: 0 });

const SHARED_TYPES = [LOG_TYPE.topUp, LOG_TYPE.consumption, LOG_TYPE.management, LOG_TYPE.system];
/** Types with the same number here. new-api uses One API's number of tests for errors. */
const TYPES: Readonly<Record<OldProduct, ReadonlySet<number>>> = {
  "One API": new Set([...SHARED_TYPES, LOG_TYPE.test]),
  "new-api": new Set(SHARED_TYPES),
};

const CONTENT_LENGTH = 2_000;
const MODEL_LENGTH = 128;
const REQUEST_ID_LENGTH = 64;
/** Two million dollars: the sum of a user's charges stays a safe integer. */
const MAX_CHARGE = 2 ** 40;
const MAX_COUNT = 2 ** 31 - 1;

/** Yields the imported entries page by page, and counts all entries in `tally`. */
export async function* planLog(
  pages: AsyncIterable<readonly ForeignRow[]> | Iterable<readonly ForeignRow[]>,
  plan: Pick<ImportPlan, "product" | "users" | "channels">,
  tally: LogTally,
): AsyncGenerator<readonly CarriedEntry[]> {
  const channels = new Set(plan.channels.map(({ id }) => id));
  for await (const rows of pages) {
    const entries: CarriedEntry[] = [];
    for (const row of rows) {
      const type = wholeOf(row, "type");
      const user = plan.users.get(wholeOf(row, "user_id"));
      if (!TYPES[plan.product].has(type)) tally.otherKinds += 1;
      else if (user === undefined) tally.withoutUser += 1;
      else {
        tally.brought += 1;
        entries.push(toEntry(row, { type, userId: user.id, username: user.username, channels }));
      }
    }
    yield entries;
  }
}

interface EntryParts {
  readonly type: number;
  readonly userId: number;
  readonly username: string;
  readonly channels: ReadonlySet<number>;
}

function toEntry(row: ForeignRow, { type, userId, username, channels }: EntryParts): CarriedEntry {
  const isCharge = type === LOG_TYPE.consumption;
  const channel = wholeOf(row, "channel_id");
  const counted = (column: string) => Math.min(quotaOf(row, column), MAX_COUNT);
  const elapsedMs = counted("elapsed_time") || Math.min(counted("use_time") * 1_000, MAX_COUNT);
  return {
    row: {
      user_id: userId,
      created_at: Math.min(quotaOf(row, "created_at"), LAST_SECOND),
      type,
      content: textOf(row, "content").replaceAll("\0", "").slice(0, CONTENT_LENGTH),
      username: nameOf(row, "username", TOKEN_LIMITS.nameLength) || username,
      token_name: nameOf(row, "token_name", TOKEN_LIMITS.nameLength),
      model_name: nameOf(row, "model_name", MODEL_LENGTH),
      prompt_tokens: counted("prompt_tokens"),
      cached_tokens: 0,
      completion_tokens: counted("completion_tokens"),
      channel_id: channels.has(channel) ? channel : 0,
      request_id: nameOf(row, "request_id", REQUEST_ID_LENGTH),
      elapsed_time: elapsedMs,
      is_stream: flagOf(row, "is_stream") ? 1 : 0,
      detail: "",
      result: isCharge ? "ok" : "",
      status_code: isCharge ? 200 : 0,
      cost: isCharge ? UNKNOWN_COST : 0,
      first_byte_ms: 0,
    },
    charged: isCharge ? Math.min(quotaOf(row, "quota"), MAX_CHARGE) : 0,
  };
}

function nameOf(row: ForeignRow, column: string, maxLength: number): string {
  return textOf(row, column).replaceAll(UNPRINTABLE, " ").slice(0, maxLength);
}
