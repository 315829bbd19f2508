import type { CallContext } from "./call-context.ts";
import { nowSeconds } from "../platform/clock.ts";
import { maskSecrets } from "../platform/logging/mask-secrets.ts";
import type { Queryable } from "./transaction.ts";

/** One change for the audit trail. */
export interface AuditRecord {
  /** Noun and verb, for example `token.create`. */
  readonly action: string;
  /** For example `token:12`. */
  readonly object: string;
  /**
   * What there is to know, by field: `{ from, to }` where something changed (see `changesBetween`), else the value itself. It is kept as
   * JSON; what looks like a secret is masked.
   */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** What of a change stands in the audit trail. */
export interface FieldChange {
  readonly from: unknown;
  readonly to: unknown;
}

/** The fields of `after` that are not as they were, each with what it was; fields that `before` does not have were nothing. */
export function changesBetween(
  before: Readonly<Record<string, unknown>> | object,
  after: Readonly<Record<string, unknown>> | object,
): Record<string, FieldChange> {
  const old = new Map<string, unknown>(Object.entries(before));
  return Object.fromEntries(
    Object.entries(after).flatMap(([field, to]: [string, unknown]) => {
      const from = old.get(field) ?? null;
      return from === to ? [] : [[field, { from, to }]];
    }),
  );
}

/** Appends a row to the audit trail, in the transaction of the change itself. */
export async function recordAudit(queryable: Queryable, context: CallContext, record: AuditRecord): Promise<void> {
  const { action, object, detail = {} } = record;
  await queryable
    .insertInto("audit")
    .values({
      created_at: nowSeconds(context.clock),
      actor_id: context.actor?.id ?? 0,
      actor_name: context.actor?.username ?? "",
      actor_role: context.actor?.role ?? 0,
      via: context.actor?.via ?? "",
      address: context.address,
      request_id: context.requestId,
      kind: action.split(".")[0] ?? "",
      action,
      object,
      detail: JSON.stringify(maskSecrets(detail)),
    })
    .execute();
}
