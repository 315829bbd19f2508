import type { Generated } from "kysely";
import type { UnixSeconds } from "./column-values.ts";

/** Who changed what; appended in the transaction of the change, and never changed. */
export interface AuditTable {
  id: Generated<number>;
  created_at: UnixSeconds;
  actor_id: number;
  actor_name: string;
  actor_role: number;
  /** How the actor proved who it is: session or access-token; empty for nobody. */
  via: Generated<string>;
  address: string;
  /** The call that it belongs to; empty for the gateway's own work. */
  request_id: Generated<string>;
  /** The noun of the action. */
  kind: Generated<string>;
  action: string;
  /** For example `token:12`. */
  object: string;
  /** JSON of what changed, secrets masked. */
  detail: string;
}

/** What the audit trail was at a time. Each hash is made of the one before, so that no row can change unseen. */
export interface AuditSealsTable {
  /** Counts from 1 without gaps. */
  number: number;
  /** `removal` says that everything up to `last_id` was older than it was to be kept, and is gone. */
  kind: "entries" | "removal";
  last_id: number;
  /** The latest time of its entries; 0 for a removal. */
  newest_at: UnixSeconds;
  sealed_at: UnixSeconds;
  /** `id:hash` of each entry, one a line; empty for a removal. */
  entry_hashes: string;
  hash: string;
}

/** How the last check of the audit trail ended: one row. */
export interface AuditChecksTable {
  id: number;
  checked_at: UnixSeconds;
  /** What is wrong, as JSON: `[]` is the only good answer. */
  problems: string;
}
