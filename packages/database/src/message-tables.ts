import type { Generated } from "kysely";
import type { Flag, UnixSeconds } from "./column-values.ts";

/** Messages to send. A row is deleted when it is sent or given up. */
export interface OutboxTable {
  id: Generated<number>;
  created_at: UnixSeconds;
  /** An e-mail address; empty for root, over the channel configured at that time. */
  recipient: string;
  message: string;
  attempts: Generated<number>;
  /** Next attempt; while a process sends it, the time at which others may. */
  due_at: UnixSeconds;
}

/** Alerts for root that are not sent yet; several become one message. */
export interface PendingAlertsTable {
  id: Generated<number>;
  created_at: UnixSeconds;
  kind: string;
  /** JSON of the values in the texts. */
  facts: string;
}

/** Receivers of alerts, such as a chat. Without any, root gets the alerts. */
export interface AlertReceiversTable {
  id: Generated<number>;
  name: string;
  kind: string;
  /** Web address, chat or e-mail address. */
  address_cipher: string;
  secret_cipher: string;
  alerts: string;
  language: string;
  /** Times such as 22:00 in the time zone; all three are empty without quiet hours. */
  quiet_start: string;
  quiet_end: string;
  time_zone: string;
  enabled: Flag;
  /** Comma-separated: percents of budgets and balances of which it gets alerts. */
  marks: Generated<string>;
  created_at: UnixSeconds;
}

/** One message to one receiver, with its attempts. Ended ones are removed after a month. */
export interface AlertDeliveriesTable {
  id: Generated<number>;
  receiver_id: number;
  created_at: UnixSeconds;
  /** JSON array of alerts with their time; empty for a test. */
  alerts: string;
  count: number;
  status: string;
  attempts: Generated<number>;
  /** Next attempt; while a process sends it, the time at which others may. */
  next_at: UnixSeconds;
  delivered_at: Generated<UnixSeconds>;
  error: Generated<string>;
}

/** Alerts that were sent and still hold, so that none is sent twice. */
export interface AlertStatesTable {
  kind: string;
  id: number;
  /** Severity of the alert; each kind has its own scale. */
  level: number;
  at: UnixSeconds;
}
