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

export type NewReceiver = Omit<StoredReceiver, "id">;

export async function insertReceiver(queryable: Queryable, receiver: NewReceiver, at: number): Promise<StoredReceiver> {
  const row = await queryable
    .insertInto("alert_receivers")
    .values({ ...columnsOf(receiver), created_at: at })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  return readReceiver(row);
}

export async function replaceReceiver(queryable: Queryable, { id, ...receiver }: StoredReceiver): Promise<void> {
  await queryable.updateTable("alert_receivers").set(columnsOf(receiver)).where("id", "=", id).execute();
}

/** Deletes the receiver with its deliveries. Undefined if there is none. */
export async function deleteReceiverRow(queryable: Queryable, id: number): Promise<StoredReceiver | undefined> {
  const row = await queryable.deleteFrom("alert_receivers").where("id", "=", id).returning(COLUMNS).executeTakeFirst();
  return row && readReceiver(row);
}

export async function findReceiver(queryable: Queryable, id: number): Promise<StoredReceiver | undefined> {
  const row = await queryable.selectFrom("alert_receivers").select(COLUMNS).where("id", "=", id).executeTakeFirst();
  return row && readReceiver(row);
}

export async function listReceiverRows(queryable: Queryable, { limit, offset }: ListPage): Promise<StoredReceiver[]> {
  const rows = await queryable
    .selectFrom("alert_receivers")
    .select(COLUMNS)
    .orderBy("name")
    .orderBy("id")
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(readReceiver);
}

export function countReceivers(queryable: Queryable): Promise<number> {
  return countRows(queryable.selectFrom("alert_receivers"));
}

export async function listEnabledReceivers(queryable: Queryable): Promise<StoredReceiver[]> {
  const rows = await queryable.selectFrom("alert_receivers").select(COLUMNS).where("enabled", "=", 1).execute();
  return rows.map(readReceiver);
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
const kindsSchema = z.array(z.string());

function readReceiver(row: Pick<Selectable<AlertReceiversTable>, (typeof COLUMNS)[number]>): StoredReceiver {
  const { id, name, kind, address_cipher: addressCipher, secret_cipher: secretCipher, language, enabled } = row;
  const marks = splitList(row.marks);
  const chosen = kindsSchema.parse(JSON.parse(row.alerts));
  const { quiet_start: start, quiet_end: end, time_zone } = row;
  return {
    id,
    name,
    kind: kindSchema.parse(kind),
    addressCipher,
    secretCipher,
    alerts: ALERT_KINDS.filter((known) => chosen.includes(known)),
    marks: USE_MARKS.filter((mark) => marks.includes(String(mark))),
    language: mailLanguage(language),
    quietHours: start === "" ? undefined : { start, end, time_zone },
    enabled: enabled === 1,
  };
}
