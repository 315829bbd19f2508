import { DELIVERY_STATES, type DeliveryState } from "@one-api/contract/notifications/delivery-states";
import { RECEIVER_KINDS, type SentAlertKind } from "@one-api/contract/notifications/notification-constants";
import type { AlertDeliveriesTable } from "@one-api/database/message-tables";
import { type Selectable, sql } from "kysely";
import { z } from "zod";
import { countRows, type ListPage } from "../../core/lists/list-page.ts";
import type { Queryable } from "../../core/transaction.ts";
import { alertSchema, type TimedAlert } from "../alerts/index.ts";

const COLUMNS = [
  "id",
  "receiver_id",
  "created_at",
  "alerts",
  "count",
  "status",
  "attempts",
  "next_at",
  "delivered_at",
  "error",
] as const;

export interface StoredDelivery {
  readonly id: number;
  readonly receiverId: number;
  readonly createdAt: number;
  /** None for a test. */
  readonly alerts: readonly TimedAlert[];
  /** Alerts that only a later release can read, as stored. */
  readonly laterAlerts: readonly StoredAlert[];
  /** Of all alerts, also of those that are not stored. */
  readonly count: number;
  readonly status: DeliveryState;
  readonly attempts: number;
  readonly nextAt: number;
  readonly deliveredAt: number;
  readonly error: string;
}

interface NewDelivery {
  readonly receiverId: number;
  readonly alerts: readonly TimedAlert[];
  readonly laterAlerts?: readonly StoredAlert[];
  readonly count: number;
  readonly createdAt: number;
  readonly nextAt: number;
}

export async function insertDelivery(queryable: Queryable, delivery: NewDelivery): Promise<void> {
  const { receiverId: receiver_id, createdAt: created_at, nextAt: next_at, count } = delivery;
  const row = { receiver_id, created_at, next_at, count, alerts: writeAlerts(delivery), status: "waiting" };
  await queryable.insertInto("alert_deliveries").values(row).execute();
}

/** Inserts a delivery whose only attempt begins now. No other process attempts it. */
export async function insertTestDelivery(
  queryable: Queryable,
  receiverId: number,
  at: number,
): Promise<StoredDelivery> {
  const row = { receiver_id: receiverId, created_at: at, next_at: at, alerts: "[]", count: 0, attempts: 1 };
  const made = await queryable
    .insertInto("alert_deliveries")
    .values({ ...row, status: "given-up" })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  return readDelivery(made);
}

/** Returns the receiver's delivery that waits for the end of its quiet hours. */
export async function findHeldDelivery(
  queryable: Queryable,
  receiverId: number,
  now: number,
): Promise<StoredDelivery | undefined> {
  const row = await queryable
    .selectFrom("alert_deliveries")
    .select(COLUMNS)
    .where("receiver_id", "=", receiverId)
    .where("status", "=", "waiting")
    .where("attempts", "=", 0)
    .where("next_at", ">", now)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row && readDelivery(row);
}

export async function replaceDeliveryAlerts(
  queryable: Queryable,
  id: number,
  { count, ...alerts }: Pick<NewDelivery, "alerts" | "laterAlerts" | "count">,
): Promise<void> {
  const changes = { alerts: writeAlerts(alerts), count };
  await queryable.updateTable("alert_deliveries").set(changes).where("id", "=", id).execute();
}

/** Leaves a claimed delivery to a server of a later release until `nextAt`. The attempt does not count. */
export async function leaveDelivery(queryable: Queryable, id: number, nextAt: number): Promise<void> {
  const update = queryable.updateTable("alert_deliveries").where("id", "=", id);
  await update.set((old) => ({ next_at: nextAt, attempts: old("attempts", "-", 1) })).execute();
}

/**
 * Claims the delivery that has been due longest for `leaseSeconds`. Undefined if there is none or another server
 * claimed it.
 */
export async function claimDelivery(
  queryable: Queryable,
  now: number,
  leaseSeconds: number,
): Promise<StoredDelivery | undefined> {
  const row = await queryable
    .updateTable("alert_deliveries")
    .set((old) => ({ next_at: now + leaseSeconds, attempts: old("attempts", "+", 1) }))
    .where("id", "=", (due) =>
      due
        .selectFrom("alert_deliveries")
        .select("id")
        .where("status", "=", "waiting")
        .where("next_at", "<=", now)
        .where("receiver_id", "in", (known) =>
          known.selectFrom("alert_receivers").select("id").where("kind", "in", RECEIVER_KINDS),
        )
        .orderBy("next_at")
        .orderBy("id")
        .limit(1),
    )
    .where("status", "=", "waiting")
    .where("next_at", "<=", now)
    .returning(COLUMNS)
    .executeTakeFirst();
  return row && readDelivery(row);
}

export async function markDelivered(queryable: Queryable, id: number, at: number): Promise<void> {
  const changes = { status: "delivered", delivered_at: at, error: "" };
  await queryable.updateTable("alert_deliveries").set(changes).where("id", "=", id).execute();
}

/** Ends the delivery unless `nextAt` is the time of another attempt. The error must not contain secrets. */
export async function markFailed(
  queryable: Queryable,
  id: number,
  { error, nextAt }: { readonly error: string; readonly nextAt: number | undefined },
): Promise<void> {
  const changes = nextAt === undefined ? { error, status: "given-up" } : { error, next_at: nextAt };
  await queryable.updateTable("alert_deliveries").set(changes).where("id", "=", id).execute();
}

/** Gives up the receiver's waiting deliveries. */
export async function giveUpWaiting(queryable: Queryable, receiverId: number, error: string): Promise<void> {
  await queryable
    .updateTable("alert_deliveries")
    .set({ status: "given-up", error })
    .where("receiver_id", "=", receiverId)
    .where("status", "=", "waiting")
    .execute();
}

export interface DeliveryFilter {
  readonly receiver: number;
  readonly status: DeliveryState | "";
}

/** Newest first. */
export async function listDeliveryRows(
  queryable: Queryable,
  filter: DeliveryFilter,
  { limit, offset }: ListPage,
): Promise<StoredDelivery[]> {
  const rows = await fromDeliveries(queryable, filter)
    .select(COLUMNS)
    .orderBy("id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(readDelivery);
}

export function countDeliveries(queryable: Queryable, filter: DeliveryFilter): Promise<number> {
  return countRows(fromDeliveries(queryable, filter));
}

function fromDeliveries(queryable: Queryable, { receiver, status }: DeliveryFilter) {
  let query = queryable.selectFrom("alert_deliveries").where("status", "in", DELIVERY_STATES);
  if (receiver !== 0) query = query.where("receiver_id", "=", receiver);
  if (status !== "") query = query.where("status", "=", status);
  return query;
}

export async function listLastDeliveries(queryable: Queryable): Promise<StoredDelivery[]> {
  const rows = await queryable
    .selectFrom("alert_deliveries")
    .select(COLUMNS)
    .where("id", "in", (newest) =>
      newest
        .selectFrom("alert_deliveries")
        .select(sql<number>`max(id)`.as("id"))
        .where("status", "in", DELIVERY_STATES)
        .groupBy("receiver_id"),
    )
    .execute();
  return rows.map(readDelivery);
}

export async function findLastDelivery(queryable: Queryable, receiverId: number): Promise<StoredDelivery | undefined> {
  const [newest] = await listDeliveryRows(queryable, { receiver: receiverId, status: "" }, { limit: 1, offset: 0 });
  return newest;
}

export function kindsIn({ alerts }: Pick<StoredDelivery, "alerts">): SentAlertKind[] {
  return [...new Set(alerts.map(({ alert }) => alert.kind))];
}

function writeAlerts({ alerts, laterAlerts = [] }: Pick<NewDelivery, "alerts" | "laterAlerts">): string {
  return JSON.stringify([...alerts.map(({ at, alert }) => ({ at, ...alert })), ...laterAlerts]);
}

const statusSchema = z.enum(DELIVERY_STATES);
const storedAlertSchema = z.looseObject({ at: z.int() });

type StoredAlert = z.infer<typeof storedAlertSchema>;

function readDelivery(row: Selectable<AlertDeliveriesTable>): StoredDelivery {
  const read = z
    .array(storedAlertSchema)
    .parse(JSON.parse(row.alerts))
    .map((stored) => ({ stored, alert: alertSchema.safeParse(stored) }));
  return {
    id: row.id,
    receiverId: row.receiver_id,
    createdAt: row.created_at,
    alerts: read.flatMap(({ stored, alert }) => (alert.success ? [{ at: stored.at, alert: alert.data }] : [])),
    laterAlerts: read.flatMap(({ stored, alert }) => (alert.success ? [] : [stored])),
    count: row.count,
    status: statusSchema.parse(row.status),
    attempts: row.attempts,
    nextAt: row.next_at,
    deliveredAt: row.delivered_at,
    error: row.error,
  };
}
