import type { Logger } from "pino";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../core/clock.ts";
import { type RepeatedWork, repeatWork } from "../../core/work/repeat-work.ts";
import { forgetFailureCounts } from "./login-throttle.ts";

const EVERY_MS = 3_600_000;

/** Forgets old failures to log in, while the server runs. */
export function keepLogins(
  { database, clock }: Pick<CallContext, "database" | "clock">,
  log: Logger,
): Pick<RepeatedWork, "stop"> {
  return repeatWork({ name: "failed logins", everyMs: EVERY_MS, log }, () =>
    forgetFailureCounts(database, nowSeconds(clock)),
  );
}
