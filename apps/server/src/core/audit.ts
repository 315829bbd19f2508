import type { CallContext } from "./call-context.ts";
import { nowSeconds } from "./clock.ts";
import type { Queryable } from "./transaction.ts";

/** One change for the audit trail. The detail is kept as JSON: put no secret into it. */
export interface AuditRecord {
  /** Noun and verb, for example `token.create`. */
  readonly action: string;
  /** For example `token:12`. */
  readonly object: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Appends a row to the audit trail, in the transaction of the change itself. */
export async function recordAudit(queryable: Queryable, context: CallContext, record: AuditRecord): Promise<void> {
  await queryable
    .insertInto("audit")
    .values({
      created_at: nowSeconds(context.clock),
      actor_id: context.actor?.id ?? 0,
      actor_name: context.actor?.username ?? "",
      actor_role: context.actor?.role ?? 0,
      address: context.address,
      action: record.action,
      object: record.object,
      detail: JSON.stringify(record.detail ?? {}),
    })
    .execute();
}
