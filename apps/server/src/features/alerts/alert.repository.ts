import { SENT_ALERT_KINDS } from "@one-api/contract/notifications/notification-constants";
import type { Queryable } from "../../core/transaction.ts";
import type { TimedAlert } from "./alert-message.ts";
import { type Alert, alertSchema } from "./alert-texts.ts";

interface AlertState {
  readonly kind:
    | "user-quota"
    | "token-quota"
    | "token-expiry"
    | "channel-asleep"
    | "channel-balance"
    | "channel-key-balance"
    | "budget"
    | "user-balance"
    | "token-balance"
    | "certificate"
    | "model-price"
    | "token-end"
    | "management-key-end"
    | "channel-end"
    | "channel-key-end"
    | "alert-rule"
    | "daily-digest"
    | "root-message";
  readonly id: number;
  readonly level: number;
  readonly at: number;
}

/**
 * Records that an alert is sent. Returns false if the same or a worse one was sent within
 * `againAfterSeconds`.
 * Of concurrent servers one gets true.
 */
export async function raiseAlertState(
  queryable: Queryable,
  state: AlertState,
  againAfterSeconds = Number.MAX_SAFE_INTEGER,
): Promise<boolean> {
  const raised = await queryable
    .insertInto("alert_states")
    .values(state)
    .onConflict((conflict) =>
      conflict
        .columns(["kind", "id"])
        .doUpdateSet({ level: state.level, at: state.at })
        .where((sent) =>
          sent.or([
            sent("alert_states.level", "<", state.level),
            sent("alert_states.at", "<=", state.at - againAfterSeconds),
          ]),
        ),
    )
    .returning("level")
    .executeTakeFirst();
  return raised !== undefined;
}

/** Deletes the record, so that the alert is sent again when its cause returns. */
export async function clearAlertStates(
  queryable: Queryable,
  kinds: readonly AlertState["kind"][],
  id: number,
): Promise<void> {
  await queryable.deleteFrom("alert_states").where("kind", "in", kinds).where("id", "=", id).execute();
}

/** Deletes one record, unless another server has replaced it since. */
export async function clearAlertState(
  queryable: Queryable,
  { kind, id, level }: Omit<AlertState, "at">,
): Promise<void> {
  const states = queryable.deleteFrom("alert_states").where("kind", "=", kind).where("id", "=", id);
  await states.where("level", "=", level).execute();
}

/** Deletes a record of `before` or earlier. Of concurrent servers one gets true. */
export async function endAlertState(
  queryable: Queryable,
  { kind, id }: Pick<AlertState, "kind" | "id">,
  before: number,
): Promise<boolean> {
  const states = queryable.deleteFrom("alert_states").where("kind", "=", kind).where("id", "=", id);
  return (await states.where("at", "<=", before).returning("id").executeTakeFirst()) !== undefined;
}

/** Deletes the records of `before` or earlier whose causes ended: those of other ids. */
export async function endOtherAlertStates(
  queryable: Queryable,
  kind: AlertState["kind"],
  ids: readonly number[],
  before: number,
): Promise<void> {
  const states = queryable.deleteFrom("alert_states").where("kind", "=", kind).where("at", "<=", before);
  await states.where("id", "not in", [0, ...ids]).execute();
}

/** True if the alert, or a worse one, was sent. */
export async function isAlertRaised(
  queryable: Queryable,
  { kind, id, level }: Pick<AlertState, "kind" | "id" | "level">,
): Promise<boolean> {
  const query = queryable.selectFrom("alert_states").select("level").where("kind", "=", kind).where("id", "=", id);
  return (await query.where("level", ">=", level).executeTakeFirst()) !== undefined;
}

/** Queues an alert for receivers and root, without an entry in the system log. `at` in Unix seconds. */
export async function queueAlert(queryable: Queryable, { kind, ...facts }: Alert, at: number): Promise<void> {
  await queryable
    .insertInto("pending_alerts")
    .values({ created_at: at, kind, facts: JSON.stringify(facts) })
    .execute();
}

/** Removes pending alerts that nobody wants. Those of a kind that only a later release knows stay for its servers. */
export async function dropUnwantedAlerts(queryable: Queryable, wanted: ReadonlySet<string>): Promise<void> {
  const unwanted = SENT_ALERT_KINDS.filter((kind) => !wanted.has(kind));
  await queryable
    .deleteFrom("pending_alerts")
    .where("kind", "in", ["", ...unwanted])
    .execute();
}

/** Time of the oldest pending alert of a known kind, in Unix seconds. */
export async function findOldestPendingTime(queryable: Queryable): Promise<number | undefined> {
  const row = await queryable
    .selectFrom("pending_alerts")
    .select("created_at")
    .where("kind", "in", SENT_ALERT_KINDS)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row?.created_at;
}

/**
 * Removes and returns the pending alerts, oldest first. Those that only a later release can read stay. Concurrent callers
 * never get the same one.
 */
export async function takePendingAlerts(transaction: Queryable): Promise<TimedAlert[]> {
  const rows = await transaction
    .deleteFrom("pending_alerts")
    .where("kind", "in", SENT_ALERT_KINDS)
    .returning(["id", "created_at", "kind", "facts"])
    .execute();
  const read = rows
    .toSorted((left, right) => left.id - right.id)
    .map((row) => {
      const facts: unknown = JSON.parse(row.facts);
      return {
        row,
        alert: alertSchema.safeParse(typeof facts === "object" ? { ...facts, kind: row.kind } : undefined),
      };
    });
  const unread = read.filter(({ alert }) => !alert.success).map(({ row }) => row);
  if (unread.length > 0) await transaction.insertInto("pending_alerts").values(unread).execute();
  return read.flatMap(({ row, alert }) => (alert.success ? [{ at: row.created_at, alert: alert.data }] : []));
}
