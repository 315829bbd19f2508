import type { OpenDatabase } from "@one-api/database/open-database";
import type { Logger } from "pino";
import { type RepeatedWork, repeatWork } from "../core/work/repeat-work.ts";
import { forgetOldWindows } from "@one-api/ledger/forget-old-windows";

const EVERY_MS = 3_600_000;

/** Removes the accounts of budget periods that are over, while the server runs. */
export function keepBudgets(database: OpenDatabase, log: Logger): Pick<RepeatedWork, "stop"> {
  return repeatWork({ name: "budgets", everyMs: EVERY_MS, log }, () => forgetOldWindows(database));
}
