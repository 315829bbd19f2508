import { LOG_TYPE } from "@one-api/contract/logs/log";
import type { LogEvent } from "@one-api/contract/logs/log-event";
import type { Queryable } from "../../core/transaction.ts";
import { writeLog } from "../logs/index.ts";
import { type Alert, alertText } from "./alert-texts.ts";
import { queueAlert } from "./alert.repository.ts";

type LoggedAlert = Extract<Alert, { kind: LogEvent["code"] }>;

/**
 * Writes the alert into the system log and queues it for receivers and root, in the caller's transaction.
 * `at` in Unix seconds. The alert must not contain secrets.
 */
export async function recordAlert(transaction: Queryable, alert: LoggedAlert, at: number): Promise<void> {
  const content = alertText(alert, "en");
  const channel = alert.kind === "audit-broken" ? {} : { channel_id: alert.id };
  await writeLog(transaction, { created_at: at, type: LOG_TYPE.system, content, event: eventOf(alert), ...channel });
  await queueAlert(transaction, alert, at);
}

function eventOf(alert: LoggedAlert): LogEvent {
  switch (alert.kind) {
    case "audit-broken":
      return { code: alert.kind, values: { found: alert.found } };
    case "channel-disabled": {
      const { kind, id, name, code: reason, reason: said, parts = { said } } = alert;
      return { code: kind, values: { id, name, ...parts, reason } };
    }
    case "channel-key-disabled": {
      const { kind, id, name, end: ending, enabled, code: reason, reason: said } = alert;
      return { code: kind, values: { id, name, ending, enabled, reason, said } };
    }
    case "channel-spent": {
      const { kind, id, name, spentUsd, limitUsd: limit } = alert;
      return { code: kind, values: { id, name, used: Number(spentUsd), limit } };
    }
    case "channel-balance-low": {
      const { kind, end: ending, ...values } = alert;
      return ending === undefined
        ? { code: kind, values }
        : { code: "channel-key-balance-low", values: { ...values, ending } };
    }
    default: {
      const { kind, ...values } = alert;
      return { code: kind, values };
    }
  }
}
