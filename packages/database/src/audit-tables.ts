import type { Generated } from "kysely";
import type { UnixSeconds } from "./column-values.ts";

/** Audit trail. Rows are inserted in the transaction of the change, and never changed. */
export interface AuditTable {
  id: Generated<number>;
  created_at: UnixSeconds;
  actor_id: number;
  actor_name: string;
  actor_role: number;
  /** Authentication of the actor: session, access-token or management-key:ID; empty for none. */
  via: Generated<string>;
  address: string;
  request_id: Generated<string>;
  kind: Generated<string>;
  action: string;
  /** For example `token:12`. */
  object: string;
  /** Changes as JSON, secrets masked. */
  detail: string;
}

/** Seals of the audit trail. Each hash includes the previous one, so that every later change shows. */
export interface AuditSealsTable {
  /** Counts from 1 without gaps. */
  number: number;
  /** `removal`: everything up to `last_id` exceeded its retention and was deleted. */
  kind: "entries" | "removal";
  last_id: number;
  /** Newest time among its entries; 0 for a removal. */
  newest_at: UnixSeconds;
  sealed_at: UnixSeconds;
  /** `id:hash` of each entry, one per line; empty for a removal. */
  entry_hashes: string;
  hash: string;
}

/** Result of the last check of the audit trail: one row. */
export interface AuditChecksTable {
  id: number;
  checked_at: UnixSeconds;
  problems: string;
}
