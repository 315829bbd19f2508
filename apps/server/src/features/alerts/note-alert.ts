import { LOG_TYPE } from "@one-api/contract/log";
import type { Queryable } from "../../core/transaction.ts";
import { writeLog } from "../logs/index.ts";
import { type Alert, alertText } from "./alert-texts.ts";
import { insertPendingAlert } from "./alert.repository.ts";

/** Writes the alert into the system log and has root told, in the transaction of what it tells. `at` in Unix seconds. The alert must hold no secret. */
export async function noteAlert(transaction: Queryable, alert: Alert, at: number): Promise<void> {
  const content = alertText(alert, "en");
  const channel = alert.kind === "audit-broken" ? {} : { channel_id: alert.id };
  await writeLog(transaction, { created_at: at, type: LOG_TYPE.system, content, ...channel });
  await insertPendingAlert(transaction, alert, at);
}
