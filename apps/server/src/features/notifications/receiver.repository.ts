import {
  ALERT_KINDS,
  type AlertKind,
  RECEIVER_KINDS,
  type ReceiverKind,
  USE_MARKS,
  type UseMark,
} from "@one-api/contract/notifications/notification-constants";
import { joinList, splitList } from "@one-api/contract/texts";
import type { QuietHours } from "@one-api/contract/notifications/receiver";
import type { AlertReceiversTable } from "@one-api/database/message-tables";
import type { Insertable, Selectable, Updateable } from "kysely";
import { z } from "zod";
import { countRows, type ListPage } from "../../core/lists/list-page.ts";
import { laterNames } from "../../core/lists/later-names.ts";
import type { Queryable } from "../../core/transaction.ts";
import { type MailLanguage, mailLanguage } from "../mail/index.ts";

const COLUMNS = [
  "id",
  "name",
  "kind",
  "address_cipher",
  "secret_cipher",
  "alerts",
  "language",
  "quiet_start",
  "quiet_end",
  "time_zone",
  "enabled",
  "marks",
] as const;

export interface StoredReceiver {
  readonly id: number;
  readonly name: string;
  readonly kind: ReceiverKind;
  readonly addressCipher: string;
  readonly secretCipher: string;
  readonly alerts: readonly AlertKind[];
  readonly marks: readonly UseMark[];
  readonly language: MailLanguage;
  readonly quietHours: QuietHours | undefined;
  readonly enabled: boolean;
}

/** Part of a receiver that decides which alerts it gets, and when. */
export type ReceiverChoices = Pick<StoredReceiver, "id" | "alerts" | "marks" | "quietHours">;

export type NewReceiver = Omit<StoredReceiver, "id">;

export async function insertReceiver(queryable: Queryable, receiver: NewReceiver, at: number): Promise<StoredReceiver> {
  const row = await queryable
    .insertInto("alert_receivers")
    .values({ ...columnsOf(receiver), created_at: at })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  return readReceiver(row);
}

/** Alerts and marks that only a later release knows stay chosen. */
export async function replaceReceiver(queryable: Queryable, { id, ...receiver }: StoredReceiver): Promise<void> {
  const choices = queryable.selectFrom("alert_receivers").select(["alerts", "marks"]).where("id", "=", id);
  const { alerts, marks } = await choices.executeTakeFirstOrThrow();
  const later = {
    alerts: JSON.stringify([...receiver.alerts, ...laterNames(readNames(alerts), ALERT_KINDS)]),
    marks: joinList([...receiver.marks.map(String), ...laterNames(splitList(marks), USE_MARKS)]),
  };
  const row = { ...columnsOf(receiver), ...later };
  await queryable.updateTable("alert_receivers").set(row).where("id", "=", id).execute();
}

/** Deletes the receiver with its deliveries. Undefined if there is none. */
export async function deleteReceiverRow(queryable: Queryable, id: number): Promise<StoredReceiver | undefined> {
  const row = await queryable.deleteFrom("alert_receivers").where("id", "=", id).returning(COLUMNS).executeTakeFirst();
  return row && readReceiver(row);
}

export async function findReceiver(queryable: Queryable, id: number): Promise<StoredReceiver | undefined> {
  const row = await knownReceivers(queryable).select(COLUMNS).where("id", "=", id).executeTakeFirst();
  return row && readReceiver(row);
}

export async function findReceiverName(queryable: Queryable, id: number): Promise<string | undefined> {
  return (await queryable.selectFrom("alert_receivers").select("name").where("id", "=", id).executeTakeFirst())?.name;
}

export async function listReceiverRows(queryable: Queryable, { limit, offset }: ListPage): Promise<StoredReceiver[]> {
  const rows = await knownReceivers(queryable)
    .select(COLUMNS)
    .orderBy("name")
    .orderBy("id")
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(readReceiver);
}

export function countReceivers(queryable: Queryable): Promise<number> {
  return countRows(knownReceivers(queryable));
}

/** Without those of a later release, which its servers use. */
function knownReceivers(queryable: Queryable) {
  return queryable.selectFrom("alert_receivers").where("kind", "in", RECEIVER_KINDS);
}

export async function listReceiverTargets(queryable: Queryable): Promise<StoredReceiver[]> {
  const rows = await knownReceivers(queryable).select(COLUMNS).where("enabled", "=", 1).execute();
  return rows.map(readReceiver);
}

/** Also those of a kind that only a later release knows: its servers deliver. */
export async function listEnabledReceivers(queryable: Queryable): Promise<ReceiverChoices[]> {
  const rows = await queryable.selectFrom("alert_receivers").select(COLUMNS).where("enabled", "=", 1).execute();
  return rows.map((row) => ({ id: row.id, ...readChoices(row) }));
}

function columnsOf(
  receiver: NewReceiver,
): Omit<Insertable<AlertReceiversTable>, "created_at"> & Updateable<AlertReceiversTable> {
  const { name, kind, addressCipher, secretCipher, alerts, marks, language, quietHours, enabled } = receiver;
  return {
    name,
    kind,
    address_cipher: addressCipher,
    secret_cipher: secretCipher,
    alerts: JSON.stringify(alerts),
    marks: joinList(marks.map(String)),
    language,
    quiet_start: quietHours?.start ?? "",
    quiet_end: quietHours?.end ?? "",
    time_zone: quietHours?.time_zone ?? "",
    enabled: enabled ? 1 : 0,
  };
}

const kindSchema = z.enum(RECEIVER_KINDS);
const namesSchema = z.array(z.string());

function readNames(json: string): string[] {
  return namesSchema.parse(JSON.parse(json));
}

function readReceiver(row: Pick<Selectable<AlertReceiversTable>, (typeof COLUMNS)[number]>): StoredReceiver {
  const { id, name, kind, address_cipher: addressCipher, secret_cipher: secretCipher, language, enabled } = row;
  return {
    id,
    name,
    kind: kindSchema.parse(kind),
    addressCipher,
    secretCipher,
    language: mailLanguage(language),
    enabled: enabled === 1,
    ...readChoices(row),
  };
}

function readChoices(row: Pick<Selectable<AlertReceiversTable>, (typeof COLUMNS)[number]>) {
  const [alerts, marks] = [readNames(row.alerts), splitList(row.marks)];
  const { quiet_start: start, quiet_end: end, time_zone } = row;
  return {
    alerts: ALERT_KINDS.filter((known) => alerts.includes(known)),
    marks: USE_MARKS.filter((mark) => marks.includes(String(mark))),
    quietHours: start === "" ? undefined : { start, end, time_zone },
  };
}
