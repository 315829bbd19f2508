import type { Generated } from "kysely";
import type { UnixSeconds } from "./column-values.ts";

// Messages to people, and alert states.

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

/** Alerts that were sent and still hold, so that none is sent twice. */
export interface AlertStatesTable {
  kind: string;
  id: number;
  /** Severity of the alert; each kind has its own scale. */
  level: number;
  at: UnixSeconds;
}
