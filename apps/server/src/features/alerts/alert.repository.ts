import type { Queryable } from "../../core/transaction.ts";
import { type Alert, alertSchema } from "./alert-texts.ts";

/** What has been told of somebody or something. */
interface AlertState {
  readonly kind: "user-quota" | "token-quota" | "token-expiry" | "channel-asleep" | "channel-balance" | "root-message";
  /** Of the user, the token or the channel. */
  readonly id: number;
  /** How bad it is; each kind has its own. */
  readonly level: number;
  /** Unix seconds. */
  readonly at: number;
}

/**
 * Notes that something is told. Returns false when it has been told already, this bad or worse: of several processes that tell the same
 * thing at once, one gets true. `againAfterSeconds` forgets what was told that long ago.
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
        .where((told) =>
          told.or([
            told("alert_states.level", "<", state.level),
            told("alert_states.at", "<=", state.at - againAfterSeconds),
          ]),
        ),
    )
    .returning("level")
    .executeTakeFirst();
  return raised !== undefined;
}

/** Forgets that it was told, so that it is told again when it comes back. */
export async function clearAlertStates(
  queryable: Queryable,
  kinds: readonly AlertState["kind"][],
  id: number,
): Promise<void> {
  await queryable.deleteFrom("alert_states").where("kind", "in", kinds).where("id", "=", id).execute();
}

/** Adds what root is to be told. */
export async function insertPendingAlert(queryable: Queryable, { kind, ...facts }: Alert, at: number): Promise<void> {
  await queryable
    .insertInto("pending_alerts")
    .values({ created_at: at, kind, facts: JSON.stringify(facts) })
    .execute();
}

/** When the oldest alert that root has not been told came up, in Unix seconds; undefined when there is none. */
export async function findOldestPendingTime(queryable: Queryable): Promise<number | undefined> {
  const row = await queryable
    .selectFrom("pending_alerts")
    .select("created_at")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row?.created_at;
}

/** Takes all alerts that root has not been told, oldest first: each goes to one of those who take them at the same time. */
export async function takePendingAlerts(
  queryable: Queryable,
): Promise<{ readonly at: number; readonly alert: Alert }[]> {
  const rows = await queryable.deleteFrom("pending_alerts").returning(["id", "created_at", "kind", "facts"]).execute();
  return rows
    .toSorted((left, right) => left.id - right.id)
    .flatMap(({ created_at: at, kind, facts }) => {
      const parsed: unknown = JSON.parse(facts);
      const alert = alertSchema.safeParse(typeof parsed === "object" ? { ...parsed, kind } : undefined);
      return alert.success ? [{ at, alert: alert.data }] : [];
    });
}
