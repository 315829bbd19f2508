import { NO_USAGE_FILTER } from "@one-api/log-store/questions";
import { keyText } from "@one-api/log-store/usage-key";
import { AppError } from "../../core/app-error.ts";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { inTransaction } from "../../core/transaction.ts";
import { isAlertRaised, queueAlert, raiseAlertState } from "../alerts/index.ts";
import { askLog } from "../logs/index.ts";
import { amountText } from "../mail/index.ts";

const DAY_SECONDS = 86_400;
/** Requests that began before midnight are logged when they end. */
const AFTER_MIDNIGHT_SECONDS = 300;
const MOST_MODELS = 5;

type Context = Pick<CallContext, "database" | "clock" | "logStore">;

/**
 * Queues the digest of the day before, in UTC, once a day. Returns whether it was queued. A server without a log store
 * leaves it to the others.
 */
export async function queueDailyDigest(context: Context, options: OptionStore): Promise<boolean> {
  const now = nowSeconds(context.clock);
  const today = Math.floor(now / DAY_SECONDS);
  const state = { kind: "daily-digest", id: 0, level: today, at: now } as const;
  const isEarly = now - today * DAY_SECONDS < AFTER_MIDNIGHT_SECONDS;
  if (isEarly || (await isAlertRaised(context.database.db, state))) return false;
  const digest = await readDigest(context, options, (today - 1) * DAY_SECONDS);
  if (digest === undefined) return false;
  return inTransaction(context.database, async (transaction) => {
    if (!(await raiseAlertState(transaction, state))) return false;
    await queueAlert(transaction, { kind: "daily-digest", ...digest }, now);
    return true;
  });
}

/** Undefined while the log store cannot tell. `start` in Unix seconds. */
async function readDigest(context: Context, options: OptionStore, start: number) {
  const question = {
    kind: "usage",
    filter: NO_USAGE_FILTER,
    edges: [start, start + DAY_SECONDS],
    by: "model",
    order: "spend",
    rows: MOST_MODELS,
    split: 0,
    times: "none",
  } as const;
  const answered = await askLog(context, question).catch((error: unknown) => {
    if (error instanceof AppError) return undefined;
    throw error;
  });
  if (answered?.isComplete !== true) return undefined;
  const { total, rows } = answered.answer;
  return {
    day: new Date(start * 1000).toISOString().slice(0, "YYYY-MM-DD".length),
    requests: total.requests,
    errors: total.errors,
    spent: amountText(options, Math.max(0, total.quota)),
    models: rows.flatMap(({ key, usage }) =>
      usage.quota > 0 ? [{ name: keyText(key), spent: amountText(options, usage.quota) }] : [],
    ),
  };
}
