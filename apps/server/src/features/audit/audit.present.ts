import type { AuditDetail, AuditEntry, OptionHistoryEntry } from "@one-api/contract/audit";
import { z } from "zod";
import { type Actor, actorIsRoot } from "../../core/actor.ts";
import { MASKED, maskSecrets } from "../../platform/logging/mask-secrets.ts";
import type { AuditRow } from "./audit.repository.ts";

const LISTED_DETAILS = 3;
const LISTED_LENGTH = 80;

const recordSchema = z.record(z.string(), z.unknown());
const changeSchema = z.strictObject({ from: z.unknown(), to: z.unknown() });

export interface ObjectNames {
  /** Empty if no name is known. */
  nameOf(object: string): string;
  exists(object: string): boolean;
}

/** The entry with all its details. The address of an actor with a higher role than the reader's is hidden. */
export function presentAuditEntry(row: AuditRow, reader: Actor, names: ObjectNames): AuditEntry {
  const { detail, address, ...entry } = row;
  const details = readDetails(detail);
  return {
    ...entry,
    address: row.actor_role > reader.role ? "" : address,
    via_name: names.nameOf(row.via),
    object_name: names.nameOf(row.object) || nameIn(row),
    object_exists: names.exists(row.object),
    details,
    detail_count: details.length,
  };
}

export function presentListedEntry(row: AuditRow, reader: Actor, names: ObjectNames): AuditEntry {
  const entry = presentAuditEntry(row, reader, names);
  return { ...entry, details: shortenDetails(entry.details) };
}

const NAME_FIELDS = ["name", "username"];

/** The name of the object that the entry's details hold; empty for none. */
export function nameIn({ detail }: AuditRow): string {
  return readDetails(detail).find(({ field, to }) => NAME_FIELDS.includes(field) && to !== "")?.to ?? "";
}

/** True if the reader may see who made the entry. */
export function mayNameActor({ actor_id, actor_role }: AuditRow, reader: Actor): boolean {
  return actorIsRoot(reader) || actor_id === reader.id || actor_role < reader.role;
}

/** An entry of an option that is no secret, as a change of its value. */
export function presentOptionChange(row: AuditRow, reader: Actor): OptionHistoryEntry {
  const change = readOptionChange(row);
  const details = change === undefined ? [] : readChange("", change.from, change.to);
  return {
    ...presentSecretChange(row, reader),
    details: shortenDetails(details).map((detail) => ({ ...detail, field: detail.field.replace(/^\./, "") })),
    detail_count: details.length,
    can_revert: valueBefore(row) !== undefined,
  };
}

/** An entry of a secret option: its author and time. */
export function presentSecretChange(row: AuditRow, reader: Actor): OptionHistoryEntry {
  const { id, created_at: changedAt, actor_name: name } = row;
  const actorName = mayNameActor(row, reader) ? name : "";
  return { id, changed_at: changedAt, actor_name: actorName, details: [], detail_count: 0, can_revert: false };
}

/** Value of an option before the entry's change; undefined if it is not stored, or is masked. */
export function valueBefore(row: AuditRow): string | undefined {
  const from = readOptionChange(row)?.from;
  return typeof from === "string" && !from.includes(MASKED) ? from : undefined;
}

function readOptionChange({ detail }: AuditRow): { from: unknown; to: unknown } | undefined {
  return z.object({ value: changeSchema }).safeParse(maskSecrets(JSON.parse(detail))).data?.value;
}

function shortenDetails(details: readonly AuditDetail[]): AuditDetail[] {
  return details.slice(0, LISTED_DETAILS).map(({ field, from, to }) => ({
    field,
    ...(from === undefined ? {} : { from: shorten(from) }),
    to: shorten(to),
  }));
}

function shorten(text: string): string {
  return text.length > LISTED_LENGTH ? `${text.slice(0, LISTED_LENGTH)}…` : text;
}

/** Older versions stored rows unmasked, so secrets are masked here again. */
function readDetails(detail: string): AuditDetail[] {
  const parsed = recordSchema.safeParse(maskSecrets(JSON.parse(detail)));
  if (!parsed.success) return [];
  return Object.entries(parsed.data).flatMap(([field, value]) => {
    const change = changeSchema.safeParse(value);
    if (change.success) return readChange(field, change.data.from, change.data.to);
    return readFact(field, value);
  });
}

/**
 * Compares two objects, or texts that contain objects, member by member. Beside an object, an empty value
 * counts as `{}`.
 */
export function readChange(field: string, from: unknown, to: unknown): AuditDetail[] {
  const [old, present] = [recordOf(from), recordOf(to)];
  const before = old ?? (present && textOf(from) === "" ? {} : undefined);
  const after = present ?? (old && textOf(to) === "" ? {} : undefined);
  if (before === undefined || after === undefined) return [{ field, from: textOf(from), to: textOf(to) }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const [was, is] = [before[name], after[name]];
    if (JSON.stringify(was) === JSON.stringify(is)) return [];
    return readChange(`${field}.${name}`, was, is);
  });
}

function readFact(field: string, value: unknown): AuditDetail[] {
  const members = typeof value === "string" ? undefined : recordSchema.safeParse(value).data;
  if (members === undefined) return [{ field, to: textOf(value) }];
  return Object.entries(members).flatMap(([name, member]) => readFact(`${field}.${name}`, member));
}

function recordOf(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== "string") return recordSchema.safeParse(value).data;
  if (!value.startsWith("{")) return undefined;
  try {
    return recordSchema.safeParse(JSON.parse(value)).data;
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
