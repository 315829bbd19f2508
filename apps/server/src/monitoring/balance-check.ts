import type { UnixSeconds } from "@one-api/database/column-values";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { type Clock, nowSeconds } from "../platform/clock.ts";

const PROGRAM = fileURLToPath(new URL("../check-balances.ts", import.meta.url));
/** Delay of the first check: a starting server is busy. */
const FIRST_AFTER_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;
const MOST_OUTPUT = 16 * 1024 * 1024;

interface CheckedBalances {
  readonly differences: number;
  readonly at: UnixSeconds;
}

export interface BalanceCheck {
  readonly last: CheckedBalances | undefined;
  start(): void;
  stop(): void;
}

interface BalanceCheckOptions {
  readonly everyHours: number;
  readonly clock: Clock;
  readonly log: Pick<Logger, "error">;
  readonly firstAfterMs?: number;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Creates the check. It runs in a process of its own, since it reads the whole log. */
export function createBalanceCheck(options: BalanceCheckOptions): BalanceCheck {
  const { everyHours, clock, log, firstAfterMs = FIRST_AFTER_MS, environment } = options;
  let last: CheckedBalances | undefined;
  let timer: NodeJS.Timeout | undefined;
  const abort = new AbortController();
  const check = () => {
    const settings = { ...(environment && { env: { ...environment } }), maxBuffer: MOST_OUTPUT, signal: abort.signal };
    const child = execFile(process.execPath, [PROGRAM], settings, (error, stdout, stderr) => {
      if (abort.signal.aborted) return;
      const { exitCode } = child;
      if (exitCode === 0 || exitCode === 1) {
        last = { differences: exitCode === 0 ? 0 : stdout.trim().split("\n").length - 1, at: nowSeconds(clock) };
        if (exitCode === 1) log.error({ differences: last.differences }, "balances differ from the ledger");
      } else log.error({ err: error, reason: stderr.trim() }, "the balances could not be compared with the ledger");
      timer = setTimeout(check, everyHours * HOUR_MS).unref();
    });
    child.unref();
  };
  return {
    get last() {
      return last;
    },
    start() {
      if (everyHours > 0) timer ??= setTimeout(check, firstAfterMs).unref();
    },
    stop() {
      clearTimeout(timer);
      abort.abort();
    },
  };
}
