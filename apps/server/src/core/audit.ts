import { viaOf } from "./actor.ts";
import type { CallContext } from "./call-context.ts";
import { nowSeconds } from "../platform/clock.ts";
import { maskSecrets } from "../platform/logging/mask-secrets.ts";
import type { Queryable } from "./transaction.ts";

export interface AuditRecord {
  readonly action: string;
  readonly object: string;
  /**
   * Details by field: `{ from, to }` for changes (see `changesBetween`), else the value. Stored as JSON with
   * masked secrets.
   */
  readonly detail?: Readonly<Record<string, unknown>>;
}

export interface FieldChange {
  readonly from: unknown;
  readonly to: unknown;
}

/** A field missing in `before` counts as null. */
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

export async function recordAudit(queryable: Queryable, context: CallContext, record: AuditRecord): Promise<void> {
  const { action, object, detail = {} } = record;
  await queryable
    .insertInto("audit")
    .values({
      created_at: nowSeconds(context.clock),
      actor_id: context.actor?.id ?? 0,
      actor_name: context.actor?.username ?? "",
      actor_role: context.actor?.role ?? 0,
      via: context.actor === undefined ? "" : viaOf(context.actor),
      address: context.address,
      request_id: context.requestId,
      kind: action.split(".")[0] ?? "",
      action,
      object,
      detail: JSON.stringify(maskSecrets(detail)),
    })
    .execute();
}
