import type { Generated } from "kysely";
import type { UnixSeconds } from "./column-values.ts";

// What is to be told to people, and what has been.

/** Messages that are to be sent. A row goes when it has been sent, or when it is given up. */
export interface OutboxTable {
  id: Generated<number>;
  created_at: UnixSeconds;
  /** An e-mail address; empty for root, by the way that is set when it is sent. */
  recipient: string;
  /** JSON of its texts. */
  message: string;
  attempts: Generated<number>;
  /** When it is tried next; while one process sends it, when others may. */
  due_at: UnixSeconds;
}

/** What root has not been told yet; several become one message. */
export interface PendingAlertsTable {
  id: Generated<number>;
  created_at: UnixSeconds;
  kind: string;
  /** JSON of what the texts name. */
  facts: string;
}

/** What has been told of somebody or something and still holds, so that nobody is told twice. */
export interface AlertStatesTable {
  kind: string;
  id: number;
  /** How bad what was told is; each kind has its own. */
  level: number;
  at: UnixSeconds;
}
